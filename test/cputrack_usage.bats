# Valid and invalid options and event specifications: exit status 2 and the usage for invalid ones.

bats_require_minimum_version 1.5.0
load helper

# bad TEXT OPTION...: the command fails with status 2, no output, and TEXT and the usage on stderr.
bad() {
	local text=$1 status=0
	shift
	"$CPUTRACK" "$@" > "$T/stdout" 2> "$T/err" || status=$?
	cat "$T/err"
	[ "$status" -eq 2 ] && [ ! -s "$T/stdout" ] && has '^Usage:' "$T/err" && has "$text" "$T/err"
}

# bad_long TEXT OPTION...: the same, with only the synopsis and the hint after the message.
bad_long() { bad "$@" && short_usage cputrack; }

# good OPTION...: the command counts and prints only the exit row.
good() {
	run "$CPUTRACK" -n -T 0 -o "$T/rows" "$@" true
	echo "$output"
	[ "$status" -eq 0 ] && [ "$(wc -l < "$T/rows")" -eq 1 ]
}

@test "usage: its layout" {
	bad 'c' || :
	"$CPUTRACK" 2> "$T/err" || :
	grep -A9 -m1 '^Usage:' "$T/err" > "$T/usage"
	sed -n 2p "$T/usage" | grep -Eq '^	cputrack \[-T secs\] \[-N count\] \[-[Defhntv]+\] \[-o file\]$'
	grep -q "^	-T secs   seconds between samples, default 1; 0: no samples$" "$T/usage"
	sed -n 3p "$T/usage" | grep -Eq '^		\[-c events\] \[command \[args\] \| -p pid\]$'
	[ -z "$(sed -n 4p "$T/usage")" ]
}

@test "usage: without -c and with options for rows, a note names the events of the columns" {
	run --separate-stderr "$CPUTRACK" --engine=kernel -T 0 true
	[ "$status" -eq 0 ]
	[[ "$stderr" == *'cputrack: no events were given: pic0 is task-clock, pic1 is '* ]]
	[[ "${lines[1]}" == *' exit '* ]]
}

@test "usage: options for rows cannot be used with --summary, and a processor's table has no default events" {
	bad_long '--summary prints no rows: it cannot be used with -T' --summary -T 1 true
	bad_long '--summary prints no rows: it cannot be used with -v' -v --summary true
	bad_long '--cpu=us3: name the events of this processor with -c' --cpu=us3 true
	bad '--explain needs events: use -c' --explain
}

@test "usage: neither command nor -p" {
	bad 'give a command to run or -p with the pid of a process' -c task-clock
}

@test "usage: both command and -p" {
	bad 'a command and -p cannot be used together' -c task-clock -p $$ true
}

@test "usage: unknown options" {
	bad "invalid option -- 'x'" -x -c task-clock true
	bad "invalid option -- '?'" $'-\xe9' -c task-clock true
	has '^	-T secs ' "$T/err"
	bad_long "unrecognized option '--no-such-option'" --no-such-option -c task-clock true
	bad_long "option '--strict' doesn't allow an argument" --strict=1 -c task-clock true
	bad "invalid option -- 'r'" -r x -c task-clock true
}

@test "usage: an unknown long option suggests those that are like it" {
	bad_long "did you mean '--strict'?" --stirct -c task-clock true
	bad_long "did you mean '--format'?" --fromat=csv -c task-clock true
	bad_long "unrecognized option '--zebra'" --zebra -c task-clock true
	! has 'did you mean' "$T/err"
}

@test "usage: a bad label, of --label or CPC_LABEL" {
	bad_long "--label: '1a=b' is not KEY=VALUE" --label=1a=b -c task-clock true
	CPC_LABEL=1a=b bad_long "CPC_LABEL: '1a=b' is not a list of labels" -c task-clock true
}

@test "usage: an option without its argument" {
	bad '' -c
	bad '' -T
	bad '' -c task-clock -o
	bad_long "option '--cpu' requires an argument" --cpu
}

@test "usage: -p 0, negative, not a number" {
	for pid in 0 -3 12x ''; do
		bad "-p: '$pid' is not a number from 1 to 2147483647" -c task-clock -p "$pid"
	done
}

@test "usage: -N -1 and not a number" {
	bad "-N: '-1' is not a number from 0" -c task-clock -N -1 true
	bad "-N: 'many' is not a number from 0" -c task-clock -N many true
}

@test "usage: -T negative and not a number" {
	for secs in -1 x 1e99 nan; do
		bad "-T: '$secs' is not a number of seconds up to 1000000" -c task-clock -T "$secs" true
	done
}

@test "usage: -T below a millisecond is refused; it would mean no samples" {
	for secs in 0.0005 1e-9 0.00099; do
		bad "-T: '$secs' is below 0.001, the shortest interval; 0 means no samples" -c task-clock -T "$secs" true
	done
}

@test "usage: an unknown --format, --engine or --cpu is refused with the known names" {
	bad_long csv --format=xml -c task-clock true
	run "$CPUTRACK" --engine=steam -c task-clock true
	[ "$status" -eq 2 ]
	[[ $output == *kernel* ]]
	run "$CPUTRACK" --cpu=z80 -c task-clock true
	[ "$status" -eq 2 ]
	[[ $output == *us3* ]]
}

# same_by_variable OPTION...: the commands print the same with --engine=sim as with CPC_ENGINE=sim, and something else
# with --engine=kernel.
same_by_variable() {
	local tool
	for tool in "$CPUTRACK" "$PERFEX"; do
		"$tool" --engine=sim "$@" > "$T/option" 2>&1 || :
		CPC_ENGINE=sim "$tool" "$@" 2>&1 | diff "$T/option" -
		CPC_ENGINE=steam "$tool" --engine=sim "$@" 2>&1 | diff "$T/option" -
		CPC_ENGINE=sim "$tool" --engine=kernel "$@" > "$T/kernel" 2>&1 || :
		! cmp -s "$T/option" "$T/kernel"
		CPC_ENGINE=steam run -2 "$tool" "$@"
		[[ ${lines[0]} == "${tool##*/}: CPC_ENGINE: no engine is named 'steam'; the engines are auto, kernel and sim" ]]
	done
}

@test "usage: CPC_ENGINE is the default of --engine, also of --list, --doctor, --explain and -h" {
	same_by_variable --list
	same_by_variable --list='*cycles*'
	same_by_variable --doctor
	CPUTRACK=$CPUTRACK PERFEX=$CPUTRACK same_by_variable -h
	CPUTRACK=$CPUTRACK PERFEX=$CPUTRACK same_by_variable --explain -c instructions
	CPUTRACK=$CPUTRACK PERFEX=$CPUTRACK same_by_variable --explain --cpu=r10000 -c 0
	CPUTRACK=$PERFEX same_by_variable --explain -e 0
	CPUTRACK=$PERFEX same_by_variable --explain -e instructions
}

@test "usage: the command is not started after bad use" {
	bad '' -c no_such_event touch "$T/started"
	[ ! -e "$T/started" ]
}

@test "spec: an error is reported with its column" {
	bad "bad token 'page-fautls'" -c task-clock,page-fautls true
	has 'column 12' "$T/err"
}

@test "spec: an unknown name gets the nearest one suggested" {
	bad "page-faults" -c page-fautls true
}

@test "spec: pic1=A,B has no counter left where there are two" {
	bad "pic2\|bad token\|cannot measure" --cpu us3 -c pic1=Cycle_cnt,Instr_cnt true
}

@test "spec: repeated pic" {
	bad "repeated 'pic0' token" -c pic0=task-clock,pic0=page-faults true
}

@test "spec: pic without an event" {
	bad "missing 'pic0' value" -c pic0= true
	bad "missing 'pic0' value" -c pic0=,page-faults true
}

@test "spec: a counter that cannot count the event" {
	bad "pic1 cannot measure event 'EC_ref' on this cpu" --cpu us3 -c pic1=EC_ref true
}

@test "spec: a counter number that is too big" {
	bad "pic256" -c pic256=task-clock true
}

@test "spec: bad attribute value, umask with junk" {
	bad "invalid value 'x' for attribute 'umask" --cpu p6 -c l2_ifetch,umask0=x true
	# Solaris accepted characters after a number; here they are refused.
	run "$CPUTRACK" --cpu p6 -c l2_ifetch,umask0=0xfzz true
	[ "$status" -ne 0 ]
	[[ $output == *umask* || $output == *l2_ifetch* ]]
}

@test "spec: an unknown attribute" {
	bad "bad token 'emask=1'\|bad token 'emask'\|emask" --cpu us3 -c Cycle_cnt,emask=1 true
}

@test "spec: empty" {
	run "$CPUTRACK" -c '' true
	[ "$status" -ne 0 ]
	[[ $output == cputrack:* ]]
}

@test "spec: raw event numbers: the whole text must be a number; 0 is valid" {
	bad "bad token '3x'" -c 3x true
	for raw in 0 0x3c 60; do
		run "$CPUTRACK" -n -T 0 -c "$raw" true
		[[ $output != *"bad token"* ]]
		[ "$status" -eq 0 ] || [ "$status" -eq 125 ]
	done
}

@test "spec: a malformed specification is bad use, whatever an engine cannot count before it" {
	run "$CPUTRACK" -T 0 -c page-faults -c nosuch touch "$T/ran"
	echo "$output"
	[ "$status" -eq 2 ]
	[[ $output == *"bad token 'nosuch'"* ]]
	run "$PERFEX" -e page-faults -e nosuch touch "$T/ran"
	[ "$status" -eq 2 ]
	[ ! -e "$T/ran" ]
}

@test "spec: nouser without sys counts nothing, and a note says so" {
	local tool
	for tool in "$CPUTRACK -T 0 -c" "$PERFEX -e"; do
		# shellcheck disable=SC2086
		run $tool page-faults,nouser true
		[ "$status" -eq 0 ]
		[[ $output == *": page-faults"*": counted as 0: neither user nor system mode was requested"* ]]
		# the clocks do not depend on the mode
		# shellcheck disable=SC2086
		run $tool task-clock,nouser true
		[[ $output != *"counted as 0"* ]]
	done
}

@test "spec: sys and nouser may come first; order is free" {
	good -c task-clock,nouser0,page-faults
	may_count_kernel || skip "counting the kernel is not allowed"
	good -c sys,task-clock
	good -c task-clock,sys0,nouser0,page-faults
	good -c nouser,sys,page-faults
	good -c page-faults,sys=whatever
}

@test "spec: bare events go to the next counter; the order of pics in the text is free" {
	good -c pic1=page-faults,pic0=task-clock
	run "$CPUTRACK" -T 0 -c pic1=page-faults,pic0=task-clock true
	[ "${lines[0]}" = "   time lwp      event      pic0      pic1 " ]
	# pic0 is task-clock: far more ns than there are faults.
	awk '$3 == "exit" && $4 < $5 { exit 1 }' <<< "$output"
}

@test "spec: gaps: the title says which counters" {
	run "$CPUTRACK" -T 0 -c pic3=page-faults,task-clock true
	[ "${lines[0]}" = "   time lwp      event      pic3      pic4 " ]
}

@test "spec: the same event twice" {
	good -c page-faults,page-faults
	awk '{ exit $4 != $5 }' "$T/rows"
}

@test "spec: only user mode is counted unless sys is given" {
	may_count_kernel || skip "counting the kernel is not allowed"
	# The kernel reads a file into 256 pages that the program has never touched, less than a huge page.
	run "$CPUTRACK" -n -T 0 -c minor-faults,minor-faults,sys1 dd if=/dev/zero of=/dev/null bs=1M count=1 status=none
	awk '$3 == "exit" { exit !($5 > $4 + 200) }' <<< "$output"
}

@test "spec: -N 0, -T 0.0 and several -c are good" {
	good -N 0 -c task-clock
	good -T 0.0 -c task-clock
	run "$CPUTRACK" -n -T 0 -c task-clock -c page-faults true
	[ "$status" -eq 0 ] && [ "${#lines[@]}" -eq 2 ]
}

@test "usage: -o that cannot be written: a message, status 125, nothing started" {
	run "$CPUTRACK" -o /no/such/folder/file -c task-clock touch "$T/started"
	[ "$status" -eq 125 ]
	[[ $output == *"cputrack: cannot open '/no/such/folder/file' for writing"* ]]
	[ ! -e "$T/started" ]
	run "$CPUTRACK" -o "$T" -c task-clock true
	[ "$status" -eq 125 ]
}

@test "usage: -p of a process that does not exist" {
	for pid in {32000..4000}; do
		[ -e "/proc/$pid" ] || break
	done
	run "$CPUTRACK" -c task-clock -p "$pid"
	[ "$status" -eq 125 ]
	[ "$output" = "cputrack: pid $pid doesn't exist" ]
}

@test "usage: -p of a traced process: the message names the tracer" {
	start "$T/park" "$PROG/act" park
	pid=$(ready_pid "$T/park")
	start "$T/out" "$CPUTRACK" -T 0 -c task-clock -p "$pid"
	tool=$!
	until_true traced "$pid"
	run "$CPUTRACK" -c task-clock -p "$pid"
	[ "$status" -eq 125 ]
	[[ $output == *"pid $pid is already being traced"* ]]
	[[ $output == *"$tool"* ]]
}

@test "usage: -D names the library function in messages" {
	run -127 "$CPUTRACK" -D -c task-clock /no/such/program
	[[ $output =~ cputrack:\ (pctx_)?create:\  ]]
}

@test "hardware events: counted, or refused with the reason" {
	run "$CPUTRACK" -n -T 0 -c cycles true
	if [ "$status" -eq 0 ]; then
		awk '$3 == "exit" && $4 <= 0 { exit 1 }' <<< "$output"
	else
		[[ $output == *cputrack:* ]]
		[[ $output == *cycles* || $output == *"performance"* || $output == *paranoid* ]]
	fi
}
