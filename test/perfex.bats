# perfex: options, events, exit statuses, signals, and where reports go. The events are software events and
# breakpoints.

bats_require_minimum_version 1.5.0
load helper

# bad TEXT OPTION...: perfex has status 2, prints nothing on stdout and TEXT on stderr, and runs no command.
bad() {
	local text=$1 status=0
	shift
	"$PERFEX" "$@" > "$T/stdout" 2> "$T/err" || status=$?
	cat "$T/err"
	[ "$status" -eq 2 ] && [ ! -s "$T/stdout" ] && has "$text" "$T/err" && [ ! -e "$T/ran" ] && short_usage perfex
}

# label NAME: print the start of a report's line for an event with this name.
label() { printf '   %s' "$1"; printf '.%.0s' $(seq $((60 - ${#1}))); }

# value FILE NAME: print the total of an event in a file of CSV.
value() { awk -F, -v name="$2" '$2 == "total" && $6 == name { print $8 }' "$1"; }

@test "perfex: a report is on stderr, in the layout of perfex(1)" {
	[ "$("$PERFEX" -e page-faults echo out 2> "$T/err")" = out ]
	[ "$(wc -lc < "$T/err" | tr -s ' ')" = ' 1 78' ]
	[[ "$(cat "$T/err")" == "$(label page-faults) "*[1-9]* ]]
}

@test "perfex: more than two events can be counted if they are not of the processor" {
	"$PERFEX" -o "$T/out" -e page-faults -e task-clock -e minor-faults -e us3::nosuch true && false
	"$PERFEX" -o "$T/out" -e page-faults -e task-clock -e minor-faults -e major-faults true
	[ "$(wc -l < "$T/out")" -eq 4 ]
	[ "$(sed -n 's/^   \([a-z-]*\)\..*/\1/p' "$T/out" | tr '\n' ' ')" = \
		'page-faults task-clock minor-faults major-faults ' ]
}

@test "perfex: bad use" {
	bad 'a command is missing'
	bad 'a command is missing' -e page-faults
	bad '-a and -e exclude each other' -a -e 0 touch "$T/ran"
	bad "event numbers are from 0 to 31" -e 32 touch "$T/ran"
	bad "an event is missing" -e '' touch "$T/ran"
	bad "bad token 'nosuch'" -e nosuch touch "$T/ran"
	bad 'expected one event, found 2' -e page-faults,task-clock touch "$T/ran"
	bad 'exclude each other' -mp -s -e page-faults touch "$T/ran"
	bad 'exclude each other' -s -p 10 -e page-faults touch "$T/ran"
	bad "-p (milliseconds): '0' is not a number from 1 to 1000000000" -p 0 -e page-faults touch "$T/ran"
	bad "-p (milliseconds): '1x' is not a number from 1 to" -p 1x -e page-faults touch "$T/ran"
	bad 'unknown option -mx' -mx -e page-faults touch "$T/ran"
	bad 'use -mp' -pp -e page-faults touch "$T/ran"
	bad '-l is not supported' -l 8 -e page-faults touch "$T/ran"
	bad '-c needs -y or -t' -c x -e page-faults touch "$T/ran"
	bad "'us3' is neither" --cpu=us3 touch "$T/ran"
	bad "'xml' is not text, csv, json or markdown" --format=xml touch "$T/ran"
	bad "perfex: --engine: no engine is named 'warp'; the engines are auto, kernel and sim" --engine=warp -e page-faults touch "$T/ran"
	bad '' -Z touch "$T/ran"
}

@test "perfex: every bad use shows the synopsis, and names its source" {
	local args
	for args in '-e nosuch' '-e page-faults,task-clock' '-e 32' '--engine=warp -e page-faults' '--format=xml' '-Z'; do
		echo "$args"
		# shellcheck disable=SC2086
		bad '^Usage:$' $args touch "$T/ran"
	done
	T5_EVENT0=nosuch bad 'the event of T5_EVENT0 is malformed' true
	T5_EVENT0=page-faults T5_EVENT1=nosuch bad 'the event of T5_EVENT1 is malformed' true
	T5_EVENT1=page-faults,task-clock bad 'T5_EVENT1 page-faults,task-clock: expected one event' true
	T5_EVENT0= bad 'T5_EVENT0: an event is missing' true
	CPC_ENGINE=warp bad "CPC_ENGINE: no engine is named 'warp'" -e page-faults true
	has '^Usage:$' "$T/err"
}

@test "perfex: two events of one counter conflict, and the message names both" {
	bad 'conflicting counters: events 0 and 15 are both counted by counter 0' -e 15 -e 0 touch "$T/ran"
	bad 'conflicting counters: events 16 and 31 are both counted by counter 1' -e 31 -e 16 touch "$T/ran"
	bad 'conflicting counters: events 3 and 3 ' -e 3 -e STORE_ISSUED touch "$T/ran"
	bad 'conflicting counters: events 15 and 15 ' -e page-faults -e 15 -e 16 -e task-clock -e 15 touch "$T/ran"
	bad 'conflicting counters: events 1 and 4 ' --cpu=r12000 -e 1 -e 4 -e 20 touch "$T/ran"
}

@test "perfex: without -e, T5_EVENT0 and T5_EVENT1 are the events" {
	T5_EVENT0=page-faults T5_EVENT1=task-clock "$PERFEX" -o "$T/out" true
	[ "$(sed -n 's/^   \([a-z-]*\)\..*/\1/p' "$T/out" | tr '\n' ' ')" = 'page-faults task-clock ' ]
	T5_EVENT0=page-faults T5_EVENT1=99 "$PERFEX" -o "$T/out" -e task-clock true
	[ "$(sed -n 's/^   \([a-z-]*\)\..*/\1/p' "$T/out")" = task-clock ]
	T5_EVENT1=99 bad 'T5_EVENT1 99: event numbers' true
	T5_EVENT0=0 T5_EVENT1=15 bad 'conflicting counters' true
}

@test "perfex: -x has no effect but a warning, -T none" {
	run --separate-stderr "$PERFEX" -x -T -e page-faults true
	[ "$status" -eq 0 ]
	[ "$(grep -c 'perfex: -x: no effect: Linux counts exceptions as system mode (-k)$' <<< "$stderr")" -eq 1 ]
	[ "$(wc -l <<< "$stderr")" -eq 2 ]
}

@test "perfex: -k also counts system mode" {
	may_count_kernel || skip 'needs the permission to count system mode'
	"$PERFEX" --format=csv -o "$T/user" -e page-faults env LOAD_EXEC="$PROG/nop" "$PROG/load" execs 20
	"$PERFEX" --format=csv -o "$T/both" -k -e page-faults env LOAD_EXEC="$PROG/nop" "$PROG/load" execs 20
	[ "$(value "$T/both" page-faults,sys)" = '' ]
	[ "$(value "$T/both" page-faults)" -gt "$(value "$T/user" page-faults)" ]
}

@test "perfex: exit statuses are those of the command" {
	local status=0
	run "$PERFEX" -e page-faults sh -c 'exit 7'
	[ "$status" -eq 7 ]
	run "$PERFEX" -e page-faults sh -c 'kill -SEGV $$'
	[ "$status" -eq 139 ]
	run -127 "$PERFEX" -e page-faults "$T/nosuch"
	[[ "$output" == "perfex: cannot execute '$T/nosuch': No such file or directory" ]]
	run "$PERFEX" -e page-faults /dev/null
	[ "$status" -eq 126 ]
	run -127 "$PERFEX" -mp -e page-faults "$T/nosuch"
	run "$PERFEX" -mp -e page-faults sh -c 'exit 7'
	[ "$status" -eq 7 ]
	run "$PERFEX" -- true -e
	[ "$status" -ne 2 ]
}

@test "perfex: -mp without descriptors for all threads: 125 and words, the other processes are counted" {
	export ORACLE=$T/truth
	run --separate-stderr -125 bounded bash -c 'exec 3>&- 4>&-; ulimit -n 24; exec "$@"' - "$PERFEX" -mp -o "$T/report" \
		-e page-faults sh -c "'$PROG/oracle' live 60; ls -d / ; echo done > '$T/done'"
	[[ "${stderr_lines[0]}" == "perfex: page-faults: 24 of 24 file descriptors are open"*"raise the limit (ulimit -n)"* ]]
	[ "${stderr_lines[1]}" = 'perfex: there is no total, because a thread could not be counted' ]
	[ "${#stderr_lines[@]}" -eq 2 ]
	# The command ran to its end, and perfex waited for it.
	has done "$T/done"
	lacks 'All threads' "$T/report"
	# The threads of oracle are in no report, those of sh and ls are.
	grep -q 'page-faults\.* *[1-9]' "$T"/report.*
	[ "$(cat "$T"/report.* | grep -c '^Thread')" -lt 60 ]
}

@test "perfex: a program that the kernel kills in its exec was not executed: 126, no report" {
	head -c 4096 "$PROG/act" > "$T/cut"
	chmod +x "$T/cut"
	local status=0 options
	"$T/cut" 2> /dev/null || status=$?
	[ "$status" -eq 139 ] || skip "this kernel does not kill a program whose file was cut"
	for options in '' -s '-p 10' -mp --format=json --strict; do
		# shellcheck disable=SC2086
		run --separate-stderr -126 "$PERFEX" $options -o "$T/report" -e page-faults "$T/cut"
		[ "$stderr" = "perfex: cannot execute program '$T/cut': signal 11 killed it before it began; its file may be damaged" ]
		lacks 'page-faults\.\.\.\|"total"\|All' "$T/report"
	done
	# A program that begins, and is killed by the same signal, has a report.
	run --separate-stderr -139 "$PERFEX" -o "$T/report" -e page-faults "$PROG/act" segv
	[ -z "$stderr" ]
	grep -q 'page-faults\.* *[1-9]' "$T/report"
}

@test "perfex: events that this machine cannot count are reported with reasons before the command runs" {
	[ ! -e /sys/bus/event_source/devices/cpu ] || skip 'this machine has counters'
	run --separate-stderr "$PERFEX" --engine=kernel touch "$T/ran"
	[ "$status" -eq 125 ]
	[[ "$stderr" == *'perfex: r10000::CYCLES0: '* ]]
	run --separate-stderr "$PERFEX" --engine=kernel -a touch "$T/ran"
	[ "$status" -eq 125 ]
	[ "$(wc -l <<< "$stderr")" -eq 1 ]
	[ ! -e "$T/ran" ]
}

# calls MODE N [OPTION...]: perfex counts the true number of calls of hit() by all threads of `oracle MODE N`.
calls() {
	local mode=$1 n=$2 event
	shift 2
	event=$(hit_event oracle)
	rm -f "$T/truth" "$T"/csv*
	ORACLE=$T/truth bounded "$PERFEX" --strict --format=csv -o "$T/csv" -e "$event" "$@" "$PROG/oracle" "$mode" "$n"
	awk -F, '$2 == "total" { n++; v = $8 } END { print v; exit n != 1 }' "$T/csv" > "$T/seen"
	awk '{ s += $3 } END { print s }' "$T/truth" | diff - "$T/seen"
	[ "$(cat "$T/seen")" -gt 0 ]
}

@test "perfex: all threads, processes and programs are in the total" {
	need_breakpoints
	local mode
	for mode in one seq live burst forks tforks exec vfork chain nlexec leaderexit; do
		echo "$mode"
		calls "$mode" 20
	done
	# a tree of processes with 3 levels, where each process has 3 children
	calls tree 3
}

@test "perfex: -mp reports each thread, and the same total" {
	need_breakpoints
	local mode
	for mode in one seq live forks tforks; do
		calls "$mode" 20 -mp
		cat "$T/csv".[0-9]* | awk -F, '$2 == "thread" { print $3, $4, $8 }' | sort > "$T/threads"
		awk '{ print $1, $2, $3 }' "$T/truth" | sort | diff - "$T/threads"
	done
}

@test "perfex: -mp without -o reports on stderr, the total last" {
	run --separate-stderr "$PERFEX" -mp -e page-faults sh -c 'ls / > /dev/null; true'
	[ "$status" -eq 0 ]
	[ "$(grep -c '^Thread [0-9]* of process [0-9]*:$' <<< "$stderr")" -eq 3 ]
	[ "${stderr_lines[-2]}" = 'All threads:' ]
	awk '/^Thread/ { t = 1; next } /^All/ { all = 1; next } all { exit $2 != s } { s += $2 }' \
		<(sed 's/\.\.\.*/ /' <<< "$stderr")
}

@test "perfex: -mp: the reports of threads go to the open file /dev/stdout, and not to files in /dev" {
	"$PERFEX" -mp -o /dev/stdout -e page-faults sh -c '/bin/true; :' > "$T/rows"
	[ "$(grep -c '^Thread [0-9]* of process [0-9]*:$' "$T/rows")" -ge 2 ]
	[ "$(grep -c '^All threads:$' "$T/rows")" -eq 1 ]
	[ -z "$(compgen -G '/dev/stdout.*')" ]
}

@test "perfex: -mp: totals without what an untraced child counted are approximate, and 125 with --strict" {
	run "$PERFEX" -mp --tracker=ptrace --strict -o "$T/rows" -e page-faults "$PROG/act" faults 500
	[ "$status" -eq 0 ] && [ -z "$output" ]
	run "$PERFEX" -mp --tracker=ptrace --strict -o "$T/rows" -e page-faults "$PROG/act" faults 500 untraced
	[ "$status" -eq 125 ]
	[[ $output == *'page-faults: approximate, counted without processes or threads that were not traced'* ]]
	# What is not counted in the whole tree is checked by the time on a processor.
	if may_count_kernel; then
		run -0 "$PERFEX" -mp --tracker=ptrace -o "$T/rows" -e context-switches "$PROG/act" births 50
		[[ $output != *'not traced'* ]]
		run -0 "$PERFEX" -mp --tracker=ptrace -o "$T/rows" -e context-switches "$PROG/act" faults 5000 untraced
		[[ $output == *'context-switches: approximate, counted without processes or threads that were not traced'* ]]
	fi
	need_breakpoints
	ORACLE=$T/truth run "$PERFEX" -mp --tracker=ptrace --strict -o "$T/rows" -e "$(hit_event oracle)" "$PROG/oracle" forks 3
	[ "$status" -eq 0 ] && [ -z "$output" ]
	ORACLE=$T/truth run "$PERFEX" -mp --tracker=ptrace --strict -o "$T/rows" -e "$(hit_event oracle)" "$PROG/oracle" untraced 3
	[ "$status" -eq 125 ]
}

@test "perfex: -p prints a line for each period, and the lines add up to the total" {
	# The program goes on until so many lines of the file are written.
	local lines='until [ "$(wc -l < "$0")" -ge 6 ]; do sleep 0.01; done'
	"$PERFEX" -p 20 -e page-faults -e minor-faults sh -c "ls / > '$T/ls'; $lines; ls /" "$T/err" > "$T/out" 2> "$T/err"
	has '^Time (sec)    page-faults   minor-faults$' <(head -n 1 "$T/err")
	awk 'NR == 1 { next } /^Total/ { t = 1; next } t { sub(/\.\.\.*/, " "); exit $2 != s }
		{ s += $2; if ($1 < last) exit 3; last = $1; n++ } END { if (!t || n < 5) exit 2 }' "$T/err"
	"$PERFEX" -p 20 --format=csv -o "$T/csv" -e page-faults sh -c "$lines" "$T/csv"
	awk -F, '$2 == "period" { s += $8; n++ } $2 == "total" { v = $8 } END { exit s != v || n < 5 }' "$T/csv"
}

@test "perfex: -s counts from SIGUSR1 to SIGUSR2" {
	# the programs of the shell make page faults before, between and after the signals
	cat > "$T/prog" <<-'END'
		# perfex has taken the signals, and waits for others
		taken() {
			state= pending=
			until [ "$state $pending" = 'S 0000000000000000' ]; do
				while read -r name value _; do
					case $name in State:) state=$value ;; ShdPnd:) pending=$value ;; esac
				done < /proc/$PPID/status
			done
		}
		ls / > /dev/null
		kill -USR1 $PPID
		taken
		i=0; while [ $i -lt $1 ]; do ls / > /dev/null; i=$((i + 1)); done
		kill -USR2 $PPID
		taken
		ls / > /dev/null; ls / > /dev/null
	END
	"$PERFEX" -s --format=csv -o "$T/some" -e page-faults sh "$T/prog" 40
	"$PERFEX" -s --format=csv -o "$T/few" -e page-faults sh "$T/prog" 2
	[ "$(value "$T/some" page-faults)" -gt $((5 * $(value "$T/few" page-faults))) ]
}

@test "perfex: -s without a signal has no value, and a note says so" {
	run -125 bash -c "'$PERFEX' --strict -s -e page-faults true 2> '$T/err'"
	[[ "$(cat "$T/err")" == "$(label page-faults)             -"*'counting never started' ]]
}

@test "perfex: a signal to perfex goes to the command, and the report is printed" {
	local sig
	for sig in INT TERM QUIT HUP; do
		start "$T/out" "$PERFEX" -o "$T/report" -e page-faults sh -c 'trap "exit 9" '$sig'; echo ready; while :; do sleep 0.01; done'
		until_true has ready "$T/out"
		kill -$sig $!
		status=0
		finish $! || status=$?
		[ "$status" -eq 9 ]
		has page-faults "$T/report"
	done
}

@test "perfex: a second SIGINT ends the wait, and the counts are printed" {
	local option
	for option in -T -mp; do
		local tool
		start "$T/out" "$PERFEX" $option -o "$T/report" -e page-faults sh -c 'trap "echo got" INT; echo ready; while :; do sleep 0.01; done'
		tool=$!
		until_true has ready "$T/out"
		kill -INT "$tool"
		until_true has got "$T/out"
		stop_by INT "$tool"
		status=0
		finish "$tool" || status=$?
		[ "$status" -eq 130 ]
		has page-faults "$T/report"
	done
}

@test "perfex: the command has the signal mask and actions that perfex started with" {
	run bash -c "trap '' HUP; \"$PERFEX\" -o '$T/out' -e page-faults grep -E '^Sig(Blk|Ign)' /proc/self/status > '$T/a'
		grep -E '^Sig(Blk|Ign)' /proc/self/status > '$T/b'; diff '$T/a' '$T/b'"
	[ "$status" -eq 0 ]
	run sh -c "exec '$PERFEX' -o '$T/out' -e page-faults ls -l /proc/self/fd"
	! grep -E 'socket|anon_inode' <<< "$output"
}

@test "perfex: a report that cannot be written is an error" {
	run "$PERFEX" -o /dev/full -e page-faults true
	[ "$status" -eq 125 ]
	[[ "$output" == *'cannot write to /dev/full: No space left on device' ]]
	run "$PERFEX" -o "$T/nosuch/out" -e page-faults touch "$T/ran"
	[ "$status" -eq 125 ]
	[ ! -e "$T/ran" ]
	run bash -c "'$PERFEX' -e page-faults true 2>&-"
	[ "$status" -eq 125 ]
	run bash -c "'$PERFEX' -e page-faults true 2> /dev/full"
	[ "$status" -eq 125 ]
	run bash -c "'$PERFEX' -t > /dev/full"
	[ "$status" -eq 125 ]
	for tracker in ptrace auto; do
		run bash -c "'$PERFEX' -mp --tracker=$tracker -e page-faults sh -c 'true & wait' 2> /dev/full"
		[ "$status" -eq 125 ]
	done
}

@test "perfex: -o writes to the file, and nothing to stderr" {
	run --separate-stderr "$PERFEX" -o "$T/out" -y -e page-faults sh -c 'exit 3'
	[ "$status" -eq 3 ]
	[ -z "$stderr" ]
	has '^Summary for execution of sh -c exit 3$' "$T/out"
	has '^Based on 196 MHz IP27$' "$T/out"
	lacks Statistics "$T/out"
}

@test "perfex: JSON has one record on each line" {
	need jq
	need python3
	"$PERFEX" --format=json -o "$T/out" -p 20 -e page-faults sleep 0.05
	python3 "$BATS_TEST_DIRNAME/records.py" "$T/out"
	[ "$(jq -s 'map(.scope // empty) | unique | join(" ")' "$T/out")" = '"tree"' ]
	[ "$(jq -s '(map(select(.record == "sample").values[0].value) | add) ==
		(map(select(.record == "total"))[0].values[0].value)' "$T/out")" = true ]
	[ "$(jq -s '.[0].interval_ns' "$T/out")" -eq 20000000 ]
}

@test "perfex: -mp: the records of threads are in their files, and belong to the same run" {
	need python3
	"$PERFEX" --format=json -mp -o "$T/out" -e page-faults sh -c '/bin/true; :'
	[ "$(ls "$T" | grep -c '^out\.[0-9]*$')" -eq 2 ]
	python3 "$BATS_TEST_DIRNAME/records.py" "$T/out" "$T"/out.*
	[ "$(cat "$T"/out.* | grep -c '"record":"total".*"scope":"lwp"')" -eq "$(cat "$T"/out.* | wc -l)" ]
}

@test "perfex: -t prints the costs, and -c reads them" {
	"$PERFEX" -t > "$T/costs"
	"$PERFEX" -t -c "$T/costs" | diff "$T/costs" -
	[ "$(sed -n 3p "$T/costs")" = 'mhz 196' ]
	lacks synthetic "$T/costs"
	"$PERFEX" -t --cpu=r12000 > "$T/r12000"
	has '^synthetic ' "$T/r12000"
	"$PERFEX" -t -c r10000_250 | grep -q '^synthetic '
	"$PERFEX" -t --cpu=r12000 -c "$T/r12000" | diff "$T/r12000" -
	sed -i 's/^mhz 196/mhz 212.5/; s/^system IP27/system IP99/' "$T/costs"
	"$PERFEX" -y -c "$T/costs" -o "$T/out" -e page-faults true
	has '^Based on 212.5 MHz IP99$' "$T/out"
	"$PERFEX" -y --cpu=r12000 -o "$T/out" -e page-faults true
	has '^Based on 300 MHz IP27 (synthetic costs)$' "$T/out"
}

@test "perfex: errors in a cost file are reported with file and line" {
	"$PERFEX" -t > "$T/costs"
	sed 's/^7 .*/7 1 x 1/' "$T/costs" > "$T/bad"
	run "$PERFEX" -t -c "$T/bad"
	[ "$status" -eq 2 ]
	[ "$output" = "perfex: $T/bad:12: 'x' is not a cost: write a number below 1000000 with at most 6 decimals, or -" ]
	run "$PERFEX" -y -c "$T/bad" -e page-faults touch "$T/ran"
	[ "$status" -eq 2 ]
	run "$PERFEX" -t --cpu=r12000 -c "$T/costs"
	[ "$status" -eq 2 ]
	[[ "$output" == *'this table has costs of r10000, but the events are of r12000' ]]
	run "$PERFEX" -t -c "$T/nosuch"
	[ "$status" -eq 125 ]
	[ "$output" = "perfex: '$T/nosuch' is neither a table of costs nor a file that can be opened: No such file or directory" ]
	run "$PERFEX" -t -c /
	[ "$status" -eq 125 ]
	run "$PERFEX" -t -c /dev/zero
	[ "$status" -eq 125 ]
	run "$PERFEX" -t -c /dev/null
	[ "$status" -eq 2 ]
	[ ! -e "$T/ran" ]
}

@test "perfex: --list prints the 32 events, and other events by their names" {
	"$PERFEX" --list > "$T/list"
	[ "$(grep -cE '^( [0-9]|[123][0-9]) ' "$T/list")" -eq 32 ]
	[ "$(grep -oE '^( [0-9]|[123][0-9]) ' "$T/list" | tr -d ' ')" = "$(seq 0 31)" ]
	"$PERFEX" --list --cpu=r12000 | grep -q '^ 4 MHT_OCCUPANCY '
	"$PERFEX" --list=page-fault | grep -q '^   page-faults  *exact '
	# The processor's events come first, with their numbers; then the others.
	"$PERFEX" --list cache misses > "$T/list"
	[ "$(sed -n '2p' "$T/list" | cut -c 1-12)" = ' 9 L1I_MISS ' ]
	[ "$(awk 'NR > 1 && !/^ ?[0-9]/ { rest = 1; next } rest && /^ ?[0-9]/' "$T/list")" = '' ]
	"$PERFEX" --format=json --list L1I_MISS | grep -q '^{"event":"L1I_MISS","number":9,'
	run "$PERFEX" --list=no-such-event-anywhere
	[ "$status" -eq 125 ]
	run bash -c "'$PERFEX' --list > /dev/full"
	[ "$status" -eq 125 ]
}

@test "perfex: --help, --version, --doctor" {
	run --separate-stderr "$PERFEX" --help
	[ "$status" -eq 0 ]
	[ -z "$stderr" ]
	[[ "$output" == Usage:* ]]
	run "$PERFEX" --version
	[ "$output" = "perfex (OpenCPC) $(cat "$BATS_TEST_DIRNAME/../VERSION")" ]
	run "$PERFEX" --doctor
	[ "$status" -eq 0 ]
	[ -n "$output" ]
}

@test "perfex: software events need no file about the processor" {
	need strace
	strace -f -o "$T/trace" "$PERFEX" -o "$T/out" -e page-faults true || skip 'strace cannot trace here'
	grep -v "$(awk '/execve\(.*true/ { print $1 }' "$T/trace" | tail -n 1)" "$T/trace" > "$T/ours"
	lacks '/sys/devices\|cpuinfo\|memfd\|/events/' "$T/ours"
}

# setid_programs: make $D/setid and $D/unreadable, copies of act, and $D/setload, a copy of load; skips if the kernel would not change ids.
setid_programs() {
	need_root
	need setpriv
	public_dir
	need_unprivileged_counting
	cp "$PERFEX" "$D/perfex"
	cp "$PROG/act" "$D/setid"
	chmod 4755 "$D/setid"
	cp "$PROG/load" "$D/setload"
	chmod 4755 "$D/setload"
	cp "$PROG/act" "$D/unreadable"
	chmod 711 "$D/unreadable"
	[ "$(as_nobody "$D/setid" uids)" = "65534 0" ] || skip "set-id is off for $D"
}

@test "perfex: a set-id or unreadable command has no value, and a note says so" {
	setid_programs
	local name mode status
	for name in setid unreadable; do
		for mode in -T '-p 5' -s; do
			echo "$name $mode"
			status=0
			# shellcheck disable=SC2086
			as_nobody "$D/perfex" --strict $mode -e page-faults "$D/$name" spin 20 2> "$T/err" || status=$?
			cat "$T/err"
			[ "$status" -eq 125 ]
			grep -q "^$(label page-faults) *-\$" "$T/err"
			grep -Eq "^perfex: page-faults: not counted: the kernel does not count (set-id|unreadable) programs\$" "$T/err"
		done
		as_nobody "$D/perfex" --format=json -e page-faults "$D/$name" exit 0 2>&1 | grep -q '"value":null.*"class":"unavailable"'
		run as_nobody "$D/perfex" -e page-faults "$D/$name" exit 7
		[ "$status" -eq 7 ]
	done
	# PATH is searched as by the exec
	run env PATH="/nonexistent:$D" "$(command -v setpriv)" --reuid=65534 --regid=65534 --clear-groups "$D/perfex" --strict -e page-faults setid exit 0
	[ "$status" -eq 125 ]
	# with no_new_privs the program keeps its ids, and is counted
	run as_nobody setpriv --no-new-privs "$D/perfex" --strict -e page-faults "$D/setid" exit 0
	[ "$status" -eq 0 ]
}

@test "perfex: a command that changes its group or has capabilities has no value, and a note says so" {
	setid_programs
	cp "$PROG/act" "$D/setgid"
	chmod 2755 "$D/setgid"
	run -0 as_nobody "$D/perfex" -e page-faults "$D/setgid" exit 0
	[[ $output == *'page-faults: not counted: the kernel does not count set-id programs' ]]
	need setcap
	cp "$PROG/act" "$D/privileged"
	chmod 755 "$D/privileged"
	setcap cap_net_bind_service+ep "$D/privileged" || skip 'files have no capabilities here'
	run -0 as_nobody "$D/perfex" -e page-faults "$D/privileged" exit 0
	[[ $output == *'page-faults: not counted: the kernel does not count privileged programs' ]]
}

@test "perfex: cputrack and repeated runs say once that the kernel does not count a command" {
	setid_programs
	cp "$CPUTRACK" "$D/cputrack"
	local cmd why='not counted: the kernel does not count set-id programs'
	run --separate-stderr -125 as_nobody "$D/cputrack" --summary --strict -c page-faults "$D/setid" exit 0
	[ "$stderr" = "cputrack: page-faults: $why" ]
	for cmd in "cputrack -c" "perfex -e"; do
		# shellcheck disable=SC2086
		run --separate-stderr -125 as_nobody "$D"/$cmd page-faults --strict --repeat=6 "$D/setid" exit 0
		# The table of perfex and notes about the runs are on standard error, too.
		[ "$(grep -cFx "${cmd% *}: $D/setid exit 0: $why" <<< "$stderr")" = 1 ]
		[[ $output$stderr == *'not counted in 6 runs'* ]]
		# shellcheck disable=SC2086
		run --separate-stderr -125 as_nobody "$D"/$cmd page-faults --strict --repeat=2 --vs="sh -c '$D/setload compute 20; exit 0'" true
		[[ $stderr == *': approximate, counted in '*' % of the processor time: the kernel does not count set-id'* ]]
		[[ $stderr != *tracer* ]]
	done
}

@test "perfex: counts that leave out a set-id descendant are not exact, and a note says so" {
	setid_programs
	local signals=3000
	run as_nobody "$D/perfex" --strict -e page-faults -e task-clock sh -c "'$D/setload' compute 5; '$D/act' exit 0"
	echo "$output"
	[ "$status" -eq 125 ]
	[ "$(grep -Ec ': approximate, counted in [0-9]+ % of the processor time: the kernel does not count set-id, privileged or unreadable programs$' <<< "$output")" -eq 2 ]
	run as_nobody "$D/perfex" --format=csv -e page-faults sh -c "'$D/setload' compute 5; exit 3"
	[ "$status" -eq 3 ]
	[[ $output == *,approximate,* ]]
	# Descendants that take less than the clock shows, whose page faults are missing; but more than the ends of processes may take,
	# which depends on the memory of perfex, too: AddressSanitizer needs much.
	[ -z "${SANITIZE-}" ] || signals=50000
	run as_nobody "$D/perfex" --strict -e page-faults sh -c "'$D/setid' faults 500; '$D/setid' signals $signals; exit 0"
	echo "$output"
	[ "$status" -eq 125 ]
	[[ $output == *"page-faults: approximate, counted in "*" % of the processor time: the kernel does not count set-id"* ]]
	# a tracer sees every such program, also one that takes no time
	run as_nobody "$D/perfex" -mp --strict -e page-faults sh -c "'$D/setid' exit 0; '$D/act' exit 0"
	echo "$output"
	[ "$status" -eq 125 ]
	[[ $output == *"page-faults: approximate, counted without set-id and unreadable programs, which cannot be tracked"* ]]
	run as_nobody "$D/perfex" -mp --strict -e page-faults sh -c "'$D/act' exit 0; exit 3"
	[ "$status" -eq 3 ]
}

@test "perfex: programs that are counted are exact, however short" {
	local i
	for i in 1 2 3 4 5; do
		"$PERFEX" --strict -e page-faults "$PROG/nop"
		"$PERFEX" --strict -e page-faults env -i A="$(printf '%0100000d' 0)" "$PROG/act" exit 0
	done
	"$PERFEX" --strict -e page-faults "$PROG/load" seq 500
	"$PERFEX" --strict -e page-faults "$PROG/load" forks 500
}

# need_records: skip a test of --tracker=records if this kernel does not record the lives of LWPs.
need_records() {
	need_breakpoints
	"$PERFEX" -mp --tracker=records -o "$T/none" -e page-faults true 2> "$T/why" || skip "$(cat "$T/why")"
}

# hits MODE N TRACKER: print the hits in the reports of the threads of the oracle, and their total, in their order.
hits() {
	ORACLE=$T/truth bounded "$PERFEX" -mp --quiet --tracker="$3" -e "$(hit_event oracle)" "$PROG/oracle" "$1" "$2" 2>&1 |
		awk '/^ / { print $NF }'
}

# exact_reports MODE TRACKER: each thread of the oracle has one report, with its hits.
exact_reports() {
	rm -f "$T"/csv*
	calls "$1" 20 -mp --tracker="$2"
	cat "$T/csv".[0-9]* | awk -F, '$2 == "thread" { print $3, $4, $8 }' | sort > "$T/threads"
	sort "$T/truth" | diff - "$T/threads"
}

# first_comes_last TRACKER: threads have the reports that a tracer has, that of the first thread at the end. Others have no order: a thread may end
# after the next one, which begins as soon as pthread_join(3) returns.
first_comes_last() {
	hits seq 20 "$1" > "$T/reports"
	hits seq 20 ptrace > "$T/ptrace"
	diff <(sort "$T/reports") <(sort "$T/ptrace")
	diff <(tail -n 2 "$T/reports") <(tail -n 2 "$T/ptrace")
}

@test "perfex: -mp by records: each thread has its report, in the order of a tracer" {
	need_records
	local mode
	for mode in 'forks 5' 'one 3' 'leaderexit 3'; do
		# shellcheck disable=SC2086 # a mode and a number
		hits $mode records > "$T/records"
		# shellcheck disable=SC2086
		hits $mode ptrace | diff "$T/records" -
	done
	first_comes_last records
	for mode in live tforks burst; do
		exact_reports "$mode" records
	done
}

@test "perfex: -mp by records: threads of other programs have no report" {
	need_records
	local other
	start "$T/out" sh -c 'while :; do "$0" tforks 5; "$0" exec 5; done' "$PROG/oracle"
	other=$!
	run -0 calls forks 100 -mp --tracker=records
	kill -KILL "$other"
	[[ $output != *'executed another program'* ]]
	cat "$T/csv".[0-9]* | awk -F, '$2 == "thread" { print $3, $4, $8 }' | sort > "$T/threads"
	sort "$T/truth" | diff - "$T/threads"
}

@test "perfex: -mp by records: a report includes all programs of a process, and a note says so" {
	need_records
	local mode
	for mode in 'exec 5' 'vfork 5' 'chain 5' 'nlexec 3'; do
		rm -f "$T"/csv* "$T/truth"
		# shellcheck disable=SC2086 # a mode and a number
		ORACLE=$T/truth run -0 bounded "$PERFEX" -mp --tracker=records --format=csv -o "$T/csv" -e "$(hit_event oracle)" \
			"$PROG/oracle" $mode
		[[ $output == *'executed another program, which the report of its thread includes; --tracker=ptrace reports each program' ]]
		awk -F, 'FNR == NR { split($0, f, " "); want += f[3]; next }
			$2 == "thread" { threads += $8 } $2 == "total" { total += $8 }
			END { print want, threads, total; exit !want || want != threads || want != total }' "$T/truth" "$T"/csv*
	done
}

@test "perfex: -mp by records: status, signals, and processes that outlive the command" {
	need_records
	local records=(-mp --tracker=records -o "$T/report" -e page-faults)
	run -7 "$PERFEX" "${records[@]}" sh -c 'exit 7'
	run -137 "$PERFEX" "${records[@]}" sh -c 'kill -9 $$'
	run -127 "$PERFEX" "${records[@]}" "$T/nothing"
	[[ $output == *"cannot "*"'$T/nothing'"* ]]
	mkfifo "$T/first" "$T/second"
	rm -f "$T/report"*
	start "$T/out" "$PERFEX" "${records[@]}" sh -c 'trap "" USR1; echo ready > "$0"; read -r x < "$0"; (read -r x < "$1") & exit 3' \
		"$T/first" "$T/second"
	local pid=$! status=0
	read -r x < "$T/first"
	kill -USR1 "$pid"
	until_true grep -qs '^All threads:$' "$T/report"
	echo end > "$T/first"
	echo end > "$T/second"
	finish "$pid" || status=$?
	[ "$status" -eq 3 ]
	[ "$(grep -c '^All threads:$' "$T/report")" -eq 1 ]
	[ "$(cat "$T/report".[0-9]* | grep -c '^Thread ')" -eq 2 ]
}

@test "perfex: -mp by records: a set-id command is refused, as the kernel ends its records" {
	setid_programs
	as_nobody "$D/perfex" -mp --tracker=records -e page-faults true > "$T/why" 2>&1 || skip "$(cat "$T/why")"
	run -125 as_nobody "$D/perfex" -mp --tracker=records -e page-faults "$D/setid" uids
	[ "$output" = 'perfex: --tracker=records: the kernel ends the records of this program at its exec, as it is set-id, privileged or unreadable' ]
}

@test "perfex: --tracker: breakpoints at names are not in the records, and nothing runs" {
	need_breakpoints
	run -125 "$PERFEX" -mp --tracker=records -e mem:hit:x touch "$T/ran"
	[[ $output == *'--tracker=records: '* ]]
	[ ! -e "$T/ran" ]
}

@test "perfex: --tracker: what the records do not have is refused, and nothing runs" {
	run -125 "$PERFEX" -mp --tracker=records --engine=sim -e 0 touch "$T/ran"
	[[ $output == *'--tracker=records: '* ]]
	bad 'tracker is for -mp' --tracker=records -e page-faults touch "$T/ran"
	bad 'tracker=x: give auto, records, bpf or ptrace' -mp --tracker=x -e page-faults touch "$T/ran"
	[ ! -e "$T/ran" ]
}

# need_bpf: skip a test of --tracker=bpf if BPF programs cannot be loaded here.
need_bpf() {
	need_breakpoints
	"$PERFEX" -mp --tracker=bpf -o "$T/none" -e page-faults true 2> "$T/why" || skip "$(cat "$T/why")"
}

@test "perfex: -mp by BPF programs: each thread and each program has its report, in the order of a tracer" {
	need_bpf
	local mode
	for mode in 'one 3' 'forks 5' 'leaderexit 3' 'exec 5' 'vfork 5' 'chain 5' 'nlexec 3'; do
		# shellcheck disable=SC2086 # a mode and a number
		hits $mode bpf > "$T/bpf"
		# shellcheck disable=SC2086
		hits $mode ptrace | diff "$T/bpf" -
		[ "$(wc -l < "$T/bpf")" -ge 2 ]
	done
	first_comes_last bpf
	for mode in live tforks burst; do
		exact_reports "$mode" bpf
	done
}

@test "perfex: -mp by BPF programs: children that no tracer may follow, and set-id programs, are counted" {
	need_bpf
	ORACLE=$T/truth run -0 "$PERFEX" -mp --tracker=bpf --strict --format=csv -o "$T/csv" -e "$(hit_event oracle)" "$PROG/oracle" untraced 3
	[ -z "$output" ]
	awk -F, 'FNR == NR { split($0, f, " "); want += f[3]; next } $2 == "total" { total += $8 }
		END { exit !want || want != total }' "$T/truth" "$T"/csv*
	setid_programs
	run -0 "$PERFEX" -mp --tracker=bpf --strict -o "$T/report" -e page-faults sh -c "'$D/setid' faults 500; :"
	[ "$(awk '/page-faults/ { n = $NF } END { print n }' "$T/report")" -gt 500 ]
}

@test "perfex: -mp by BPF programs: a second Ctrl-C reports threads that live, and says first what it waits for" {
	need_bpf
	local tool command pid status=0
	start "$T/out" "$PERFEX" -mp --tracker=bpf -e page-faults sh -c 'trap "" INT; (exec sleep 1000) & echo $$ $! > "$0"; exit 3' "$T/ready"
	tool=$!
	until_true [ -s "$T/ready" ]
	read -r command pid < "$T/ready"
	started+=("$pid")
	# what the child has counted before it executed its program
	until_true has "^Thread.*$pid" "$T/out.err"
	interrupt_after "$command" "$tool"
	has "the command has ended; waiting for pid $pid; send the signal again to stop counting" "$T/out.err"
	stop_by INT "$tool"
	finish "$tool" || status=$?
	[ "$status" -eq 3 ]
	kill -0 "$pid"
	[ "$(grep -c "^Thread.*$pid" "$T/out.err")" -eq 2 ]
	has '^All threads:$' "$T/out.err"
}

@test "perfex: -mp by BPF programs: a second Ctrl-C reports a first thread that has ended before others, as a tracer does" {
	need_bpf
	local tracker tool status
	for tracker in bpf ptrace; do
		rm -f "$T/truth"
		ORACLE=$T/truth start "$T/out" "$PERFEX" -mp --tracker=$tracker -e "$(hit_event oracle)" "$PROG/oracle" headless 3
		tool=$!
		until_true has ' 7$' "$T/truth"
		until_true is_gone "$(awk '{ print $1; exit }' "$T/truth")"
		stop_by INT "$tool"
		status=0
		finish "$tool" || status=$?
		[ "$status" -eq 130 ]
		# the two threads, and all
		[ "$(awk '/^ .*mem:/ { print $NF }' "$T/out.err" | tail -n 3 | paste -s -d ' ')" = '9 7 16' ]
	done
}

@test "perfex: -mp chooses BPF programs if they have the reports of a tracer" {
	need_bpf
	tracker_of() {
		"$PERFEX" -mp --quiet --format=json -o /dev/stdout "$@" true | sed -n 's/.*"record":"run".*"tracker":"\([a-z]*\)".*/\1/p'
	}
	[ "$(tracker_of -e page-faults -e minor-faults)" = bpf ]
	[ "$(tracker_of --tracker=ptrace -e page-faults)" = ptrace ]
	# What these programs cannot count is counted with a tracer, without a word.
	[ "$(tracker_of -e page-faults -e cgroup-switches)" = ptrace ]
	[ "$(tracker_of -e "$(hit_event oracle)")" = ptrace ]
	run -125 "$PERFEX" -mp --tracker=bpf -e cgroup-switches touch "$T/ran"
	[[ $output == 'perfex: --tracker=bpf: '* ]]
	[ ! -e "$T/ran" ]
	[ ! -e /sys/bus/event_source/devices/msr/events/tsc ] || [ "$(tracker_of -k -e msr/tsc/ 2> "$T/err")" = ptrace ]
	run -127 "$PERFEX" -mp -e page-faults ./nosuch
	[ "$output" = "perfex: cannot find program './nosuch'" ]
}

@test "perfex: -mp: the total lacks threads that BPF programs have no room for, and no message promises it" {
	need_root
	need unshare
	need_bpf
	# The programs have room for as many threads as the kernel has ids. In a mount namespace, so that the machine stays as it is.
	echo 20 > "$T/ids"
	# shellcheck disable=SC2016 # variables of the shell in the namespace
	run bounded unshare --mount sh -c 'mount --bind "$0" /proc/sys/kernel/pid_max || exit 99; exec "$@"' "$T/ids" \
		"$PERFEX" -mp --tracker=bpf -o "$T/report" -e page-faults "$PROG/oracle" live 60
	[ "$status" -ne 99 ] || skip "mounts are not possible here: $output"
	[ "$status" -eq 125 ]
	[[ ${lines[0]} == *' records of the lives of threads were lost; reports of threads are missing' ]]
	[[ $output == *': not counted: BPF programs had no room for all LWPs; --tracker=ptrace has their counts' ]]
	lacks 'page-faults.* [0-9][0-9]*$' <(sed -n '/^All threads:/,$p' "$T/report")
}

@test "perfex: -mp: a report of a thread that cannot be written is an error" {
	need_bpf
	local tracker
	for tracker in bpf records ptrace; do
		[ $tracker != records ] || "$PERFEX" -mp --tracker=records -o "$T/none" -e page-faults true 2> /dev/null || continue
		# The folder has the name of the file.
		# shellcheck disable=SC2016 # variables of the command
		run -125 "$PERFEX" -mp --tracker=$tracker -o "$T/report" -e page-faults sh -c 'mkdir "$0.$$"' "$T/report"
		[[ $output == *"cannot write to '$T/report."*"': Is a directory"* ]]
	done
}

@test "perfex: -mp without the privilege for BPF programs has a tracer" {
	setid_programs
	# shellcheck disable=SC2016 # of the shell that is counted
	run -0 as_nobody "$D/perfex" -mp --quiet -o /dev/null -e page-faults sh -c 'grep TracerPid /proc/$$/status'
	[[ $output == TracerPid:* && $output != *$'\t0' ]]
}
