# Options, operands and specifications of cpustat, good and bad: status 2 and the usage for bad use, 125 for what
# cannot be counted.

bats_require_minimum_version 1.5.0
load helper

# refused STATUS TEXT OPTION...: cpustat has this status, prints nothing on stdout, and has TEXT in the first line of
# stderr, which is in $T/err; no line is only the name of the command.
refused() {
	local want=$1 text=$2 status=0
	shift 2
	bounded "$CPUSTAT" "$@" > "$T/stdout" 2> "$T/err" < /dev/null || status=$?
	head -n 4 "$T/err"
	[ "$status" -eq "$want" ] && [ ! -s "$T/stdout" ] && head -n 1 "$T/err" | grep -qF -- "$text" &&
		lacks '^cpustat: *$' "$T/err"
}

# bad TEXT OPTION...: status 2, and the usage with everyday options after the message, as Solaris has a usage for letters and operands.
bad() {
	refused 2 "$@" && [ "$(sed -n 2p "$T/err")" = Usage: ] && has '^	-c events' "$T/err"
}

# bad_long TEXT OPTION...: status 2, and only the synopsis and the hint after the message.
bad_long() {
	refused 2 "$@" && short_usage cpustat
}

# good OPTION...: cpustat counts and prints only rows, apart from notes about late samples on a busy machine.
good() {
	bounded "$CPUSTAT" "$@" > "$T/rows" 2> "$T/err" || { cat "$T/err"; false; }
	cat "$T/rows" "$T/err"
	! grep -v 'late and left out$' "$T/err" && has ' total ' "$T/rows"
}

@test "usage: the layout of the usage" {
	bad "cpustat: invalid option -- 'x'" -x
	sed -n 3,7p "$T/err" > "$T/synopsis"
	diff "$T/synopsis" - <<'END'
	cpustat [-c events] ... [-p period] [-T u|d] [-Dmnst]
		[-A cor|soc|bins] [-k keys] [-o limit] [-O statfile]
		[interval [count]]
	cpustat -I statfile [-T u|d] [-Dmnt] [-A cor|soc|bins]
		[-k keys] [-o limit]
END
	[ -z "$(sed -n 8p "$T/err")" ]
}

@test "usage: without -c, a note names the events of the columns" {
	may_count_cpus || skip 'needs the permission to count CPUs'
	bounded "$CPUSTAT" 0.01 1 > "$T/rows" 2> "$T/err"
	has '^cpustat: no events were given: pic0 is context-switches, pic1 is cpu-migrations, pic2 is page-faults' "$T/err"
	has ' tick ' "$T/rows"
}

@test "usage: a processor's table has no default events" {
	bad_long '--cpu=us3: name the events of this processor with -c' --cpu=us3 1
	bad '--explain needs events: use -c' --explain
}

@test "usage: unknown options, and options without their arguments: one message of getopt" {
	bad "invalid option -- 'x'" -x -c cpu-clock
	bad_long "unrecognized option '--no-such-option'" --no-such-option -c cpu-clock
	bad_long "option '--strict' doesn't allow an argument" --strict=1 -c cpu-clock
	bad_long "option '--format' requires an argument" -c cpu-clock --format
	for o in c p T A k o I O; do
		bad "option requires an argument -- '$o'" -"$o"
	done
}

@test "usage: interval: junk, 0, negative, too much" {
	for arg in x 1s 1,5 1e nan inf '1 ' 1e10 1e999 0x; do
		bad "invalid argument \"$arg\": the interval is not a number of seconds up to 1000000000" -c cpu-clock "$arg"
	done
	bad 'invalid argument "": the interval is not a number of seconds' -c cpu-clock ''
	bad 'invalid argument "-1": the interval is not a number of seconds' -c cpu-clock -- -1
	bad "invalid option -- '1'" -c cpu-clock -1
	for arg in 0 0.0 -0 1e-10; do
		bad "invalid argument \"$arg\": the interval is less than a nanosecond" -c cpu-clock -- "$arg"
	done
}

@test "usage: count: junk, 0, negative, too much; a third operand" {
	for arg in x 1.5 1s 0 -1 ' -1' 1e3 4294967296 99999999999999999999 ''; do
		bad "invalid argument \"$arg\": the count is not a number from 1 to 4294967295" -c cpu-clock 1 "$arg"
	done
	bad "too many arguments: '7'" -c cpu-clock 1 2 7
	bad "too many arguments: 'x'" -c cpu-clock 1 2 x 7
}

@test "usage: interval and count in all forms of numbers" {
	need_cpus
	for arg in 0.02 2e-2 .02 +0.02 ' 0.02' 00.020; do
		good -c cpu-clock "$arg" 1
		[ "$(grep -c ' tick ' "$T/rows")" -ge 1 ]
	done
	good -c cpu-clock 0.01 +2
	good -c cpu-clock 0.01 002
}

@test "usage: -p" {
	for arg in x 1s '' nan -1; do
		bad "-p: '$arg' is not a number of seconds up to 1000000000" -p "$arg" -c cpu-clock 1 1
	done
	bad "-p: '0' is less than a nanosecond" -p 0 -c cpu-clock 1 1
}

@test "usage: -T: the first letter decides" {
	for arg in x '' U D xu; do
		bad "-T: '$arg' is neither u nor d" -T "$arg" -c cpu-clock 1 1
	done
	need_cpus
	good -T unix -c cpu-clock 0.01 1
	good -Tdate -c cpu-clock 0.01 1
}

@test "usage: -A: cor, soc or a number" {
	for arg in x 0 -1 1.5 '' cores co 3x 1048577; do
		bad "-A (cor, soc or bins): '$arg' is not a number from 1 to 1048576" -A "$arg" -c cpu-clock 1 1
	done
	need_cpus
	for arg in cor core soc socket 1 1048576; do
		good -A "$arg" -c cpu-clock 0.01 1
	done
}

@test "usage: -m needs -A" {
	bad '-m needs -A' -m -c cpu-clock 1 1
	bad '-m needs -A' -m -I /dev/null
	need_cpus
	good -m -A 1 -c cpu-clock 0.01 1
}

@test "usage: -o" {
	for arg in x 0 -1 1.5 '' 4294967296; do
		bad "-o: '$arg' is not a number from 1 to 4294967295" -o "$arg" -c cpu-clock 1 1
	done
}

@test "usage: -k: an unknown column, with the known columns" {
	refused 2 "-k: no column 'junk'" -k junk -c cpu-clock,page-faults 0.01 1
	has 'columns are cpu, core, cor, socket, soc, sze, time, tick, tsc, pic0, pic1, cpu-clock, page-faults$' "$T/err"
	for arg in '' cpu,,tick , -cpu, pic2 --cpu context-switches; do
		refused 2 'cpustat: -k: ' -k "$arg" -c cpu-clock,page-faults 0.01 1
	done
	# Nothing is counted or written.
	refused 2 'cpustat: -k: ' -k junk -O "$T/file" -c cpu-clock 0.01 1
	[ ! -e "$T/file" ]
	need_cpus
	for arg in cpu -cpu +cpu CPU COR SOC pic0 pic1,-cpu cpu-clock -page-faults,time; do
		good -k "$arg" -c cpu-clock,page-faults 0.01 1
	done
}

@test "usage: -I with options of a new run" {
	echo something > "$T/file"
	for arg in '-c cpu-clock' "-O $T/other" '-p 1' -s "--openmetrics=$T/other" 1 '1 1'; do
		# shellcheck disable=SC2086
		bad '-I shows a run that is over' -I "$T/file" $arg
	done
	bad_long '-I shows a run that is over; --cgroup counts, so use it without -I' -I "$T/file" --cgroup=/
	bad_long '-I shows a run that is over, which has its labels; use --label without -I' -I "$T/file" --label=a=b
	[ ! -e "$T/other" ]
}

@test "usage: -O and --openmetrics need different files" {
	bad_long "-O and --openmetrics name the same file '$T/file'" --openmetrics="$T/file" -O "$T/file" -c cpu-clock 0.01 1
	[ ! -e "$T/file" ]
}

@test "usage: -O and --openmetrics do not write to standard output" {
	cd "$T"
	bad "-O -: the rows go to standard output; name a file for the samples" -O - -c cpu-clock 0.01 1
	bad_long "--openmetrics=-: the file is replaced as a whole, and cannot be standard output" \
		--openmetrics=- -c cpu-clock 0.01 1
	[ ! -e ./- ]
}

@test "usage: --openmetrics cannot replace a device" {
	need_cpus
	run -125 "$CPUSTAT" --openmetrics=/dev/null -c cpu-clock 0.01 1
	[ "$output" = "cpustat: cannot write to '/dev/null': it is a device or another special file, which cannot be replaced" ]
	[ -c /dev/null ]
}

@test "usage: --openmetrics cannot be used with bins" {
	bad_long '--openmetrics cannot be used with bins' --openmetrics="$T/file" -A 2 -c cpu-clock 1 1
	[ ! -e "$T/file" ]
}

@test "usage: --format and --cpu with unknown names, and the known names" {
	bad_long "--format: 'xml' is not text, csv or json" --format=xml -c cpu-clock 1 1
	refused 2 "cpustat: --cpu: no event table is named 'z80'; the tables are:" --cpu=z80 -c cpu-clock 1 1
	has '^	us3  ' "$T/err"
	refused 2 "cpustat: --cpu: no event table is named 'z80'" --cpu=z80 --list
	refused 2 "cpustat: --cpu: no event table is named 'z80'" --cpu=z80 -h
}

@test "usage: --engine and CPC_ENGINE: auto and kernel; unknown names; the simulator has no CPUs" {
	refused 2 "--engine: no engine is named 'steam'; the engines are auto, kernel and sim" --engine=steam -c cpu-clock 0.01 1
	CPC_ENGINE=steam refused 2 "no engine is named 'steam'" -c cpu-clock 0.01 1
	for arg in --list --doctor -h '--explain -c cpu-clock'; do
		# shellcheck disable=SC2086
		refused 2 "--engine: no engine is named 'steam'" --engine=steam $arg
		# shellcheck disable=SC2086
		CPC_ENGINE=steam refused 2 "CPC_ENGINE: no engine is named 'steam'" $arg
	done
	refused 125 "cpustat needs --engine=kernel" --engine=sim -c cpu-clock 0.01 1
	CPC_ENGINE=sim refused 125 "cpustat needs --engine=kernel" -c cpu-clock 0.01 1
	need_cpus
	for arg in auto kernel; do
		good --engine="$arg" -c cpu-clock 0.01 1
		CPC_ENGINE=$arg good -c cpu-clock 0.01 1
	done
	CPC_ENGINE='' good -c cpu-clock 0.01 1
	# The option overrides the variable.
	CPC_ENGINE=sim good --engine=kernel -c cpu-clock 0.01 1
	CPC_ENGINE=steam good --engine=auto -c cpu-clock 0.01 1
}

@test "spec: an unknown event: its column, a caret, the nearest name; only the synopsis" {
	refused 2 "cpustat: bad token 'page-fautls' (column 11); did you mean 'page-faults'?" \
		-c cpu-clock,page-fautls 0.01 1
	[ "$(sed -n 2p "$T/err")" = "	cpu-clock,page-fautls" ]
	[ "$(sed -n 3p "$T/err")" = "	          ^" ]
	[ "$(sed -n 4p "$T/err")" = Usage: ]
	short_usage cpustat
	# An error in the second set also keeps the first from being counted.
	refused 2 "bad token 'no_such_event'" -c cpu-clock -c no_such_event 0.01 1
}

@test "spec: the messages are those of cputrack" {
	refused 2 "repeated 'pic0' token" -c pic0=cpu-clock,pic0=page-faults 1 1
	refused 2 "missing 'pic0' value" -c pic0= 1 1
	refused 2 "pic256" -c pic256=cpu-clock 1 1
	refused 2 "pic1 cannot measure event 'EC_ref' on this cpu" --cpu us3 -c pic1=EC_ref 1 1
	refused 2 "invalid value 'x' for attribute 'umask" --cpu p6 -c l2_ifetch,umask0=x 1 1
	refused 2 "the specification '' names no event" -c '' 1 1
	refused 2 "the specification '' names no event" -c cpu-clock -c '' 1 1
}

@test "usage: option parsing ends at the first operand, and at --" {
	bad 'too many arguments' -c cpu-clock 0.01 1 -n
	bad 'invalid argument "-n": the interval is not a number of seconds' -c cpu-clock -- -n
	need_cpus
	good -c cpu-clock -- 0.01 1
}

@test "usage: options may stand together" {
	need_cpus
	good -ntccpu-clock 0.01 1
	[ "$(awk 'NR == 1 { print NF }' "$T/rows")" -eq 5 ]
	lacks pic0 "$T/rows"
	good -nstmA1 -ccpu-clock -Tu 0.01 1
}

@test "usage: -h: usage, a blank line and the capabilities, on stdout" {
	run -0 --separate-stderr "$CPUSTAT" -h
	[ -z "$stderr" ]
	[ "${lines[0]}" = Usage: ]
	for o in c p T A m k o D h n s t O I; do
		grep -Eq "^	 *-$o " <<< "$output"
	done
	has '^	CPU performance counter interface: ' <(echo "$output")
	has '^	Platform Specific Events:' <(echo "$output")
	"$CPUSTAT" --cpu=us3 -h | grep -q Cycle_cnt
	# As in the original, -h needs no other option and ignores operands.
	"$CPUSTAT" -h x y z > /dev/null
}

@test "usage: --help=all, --version" {
	run -0 --separate-stderr "$CPUSTAT" --help=all
	[ -z "$stderr" ]
	[ "${lines[0]}" = Usage: ]
	[[ $output == *--openmetrics=FILE* ]]
	[[ $output != *"Platform Specific Events"* ]]
	for o in cpu doctor engine format help list openmetrics strict version; do
		has "^	--$o" <(echo "$output")
	done
	run -0 --separate-stderr "$CPUSTAT" --version
	[ -z "$stderr" ]
	[ "$output" = "cpustat (OpenCPC) $(cat "$BATS_TEST_DIRNAME/../VERSION")" ]
}

@test "usage: --list, --doctor" {
	if may_count_cpus; then
		run -0 --separate-stderr "$CPUSTAT" --list
		[ "$(grep -vcE '^cpustat: [0-9]+ more with --all' <<< "$stderr")" -eq 0 ]
		[[ ${lines[0]} == '# event'* ]]
		grep -q '^cpu-clock ' <<< "$output"
	else
		run -125 "$CPUSTAT" --list
		[[ $output == *'no event can be counted here'* ]]
	fi
	run -0 "$CPUSTAT" --list='page-f*'
	grep -q '^page-faults ' <<< "$output"
	refused_list() {
		local status=0
		"$CPUSTAT" --list=no_such_event > "$T/stdout" 2> "$T/err" || status=$?
		[ "$status" -eq 125 ] && has "no event matches 'no_such_event'" "$T/err"
	}
	refused_list
	run -0 --separate-stderr "$CPUSTAT" --doctor
	if may_count_cpus; then
		[[ $output == *"ok       whole CPUs "*"can be counted (cpustat)"* ]]
	else
		[[ $output == *" whole CPUs "* && $output != *"ok       whole CPUs"* ]]
	fi
	[ -z "$stderr" ]
	grep -q 'perf_event_paranoid' <<< "$output"
	for option in -h --help --version --list --doctor; do
		run -125 bash -c "'$CPUSTAT' $option > /dev/full"
	done
}

@test "usage: -D names the library function in messages" {
	run -125 "$CPUSTAT" -D -c breakpoint/no_such_event/ 0.01 1
	[[ $output == "cpustat: cpc_set_add_request: no_such_event: "* ]]
	run -125 "$CPUSTAT" -c breakpoint/no_such_event/ 0.01 1
	[[ $output == "cpustat: no_such_event: "* ]]
}

@test "usage: a hardware event: counted here, or refused with one reason" {
	local status=0
	bounded "$CPUSTAT" -c cycles 0.01 1 > "$T/stdout" 2> "$T/err" || status=$?
	cat "$T/err"
	if [ "$status" -eq 0 ]; then
		has ' total ' "$T/stdout"
		return
	fi
	[ "$status" -eq 125 ]
	[ ! -s "$T/stdout" ]
	[ "$(grep -c '^cpustat: cycles: ' "$T/err")" -eq 1 ]
	# One reason is one line; the CPUs are named only if they are not all.
	[ "$(wc -l < "$T/err")" -eq 1 ]
	may_count_cpus && [ ! -e /sys/bus/event_source/devices/cpu ] || return 0
	has 'no hardware counters' "$T/err"
}

@test "usage: --list of an event that only other commands count says what -c says" {
	refused 2 'mem:main: only cputrack and perfex look names up' -c mem:main 1 1
	run -0 "$CPUSTAT" --list=mem:main
	[[ ${lines[1]} == *'unavailable'*'only cputrack and perfex look names up'* ]]
	run -0 "$CPUTRACK" --engine=kernel --list=mem:main
	[[ ${lines[1]} != *'look names up'* ]]
}
