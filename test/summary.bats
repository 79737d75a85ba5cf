# --summary, and the events that are counted if none are named, in all commands.

bats_require_minimum_version 1.5.0
load helper

# counted FILE EVENT: print the count of an event in a block, without commas.
counted() { awk -v event="$2" '{ gsub(",", "") } $2 == event || $3 == event { print $1 }' "$1"; }

@test "summary: cputrack without -c prints one block: default events, time, memory, status" {
	run "$CPUTRACK" --quiet --engine=kernel -o "$T/block" sh -c 'ls / > /dev/null; exit 7'
	[ "$status" -eq 7 ] && [ -z "$output" ]
	[ -z "$(head -n 1 "$T/block")" ]
	grep -Eq '^ +[0-9]+\.[0-9]{3} ms task-clock +[0-9.]+ CPUs used +exact$' "$T/block"
	grep -Eq '^ +[1-9][0-9]*    page-faults +[0-9.]+ per second +exact(, user mode)?$' "$T/block"
	grep -Eq '^     [0-9.]+ s elapsed, [0-9.]+ s user, [0-9.]+ s system; largest process [1-9][0-9.]* MiB$' "$T/block"
	[ "$(tail -n 1 "$T/block")" = '     ended with status 7: sh -c ls / > /dev/null; exit 7' ]
	! grep -q 'pic0' "$T/block"
}

@test "summary: the processor's events are counted, or one line tells how to have them" {
	run --separate-stderr "$CPUTRACK" --engine=kernel true
	[ "$status" -eq 0 ]
	if grep -Eq '^ +[1-9][0-9]*    instructions' <<< "$output"; then
		[[ "$stderr" != *"the processor's events cannot be counted here"* ]]
	else
		[[ "$stderr" == *"cputrack: the processor's events cannot be counted here; --"* ]]
	fi
}

@test "summary: the mode of an event is named, unless both are counted" {
	may_count_kernel || skip 'counting the kernel is not allowed'
	"$CPUTRACK" --quiet --summary -o "$T/block" -c page-faults -c page-faults,nouser,sys -c page-faults,sys true
	[ "$(sed -n 's/.* exact//p' "$T/block" | tr '\n' '|')" = ', user mode|, system mode||' ]
}

@test "summary: a warning writes what was counted so far to the file" {
	mkfifo "$T/fifo"
	start "$T/out" "$CPUTRACK" --quiet --summary -o "$T/block" -c page-faults sh -c 'trap "" USR1; echo ready > "$0"; read -r x < "$0"' "$T/fifo"
	local tool=$!
	read -r x < "$T/fifo"
	kill -USR1 "$tool"
	until_true has '^     not ended yet: sh -c ' "$T/block"
	grep -Eq '^ +[1-9][0-9]*    page-faults ' "$T/block"
	echo end > "$T/fifo"
	finish "$tool"
	has '^     ended with status 0: sh -c ' "$T/block"
	lacks 'not ended yet' "$T/block"
}

@test "summary: all threads, processes and programs are in the block, without a tracer" {
	need_breakpoints
	local mode
	for mode in one live forks exec chain leaderexit; do
		echo "$mode"
		rm -f "$T/truth"
		ORACLE=$T/truth bounded "$CPUTRACK" --summary --strict -o "$T/block" -c "$(hit_event oracle)" "$PROG/oracle" "$mode" 20
		awk '{ s += $3 } END { print s }' "$T/truth" > "$T/want"
		counted "$T/block" "$(hit_event oracle)" | diff "$T/want" -
	done
	# TracerPid of the program is 0, and it has no other parent than cputrack.
	[ "$("$CPUTRACK" --quiet -o "$T/block" sed -n 's/^TracerPid:[[:space:]]*//p' /proc/self/status)" = 0 ]
}

@test "summary: the time begins before the command, so that it is never less than the processor time" {
	local i
	for i in {1..20}; do
		"$CPUTRACK" --quiet --format=json -c task-clock true >> "$T/json"
		"$PERFEX" --quiet --summary --format=json -o "$T/perfex" -e task-clock true
		cat "$T/perfex" >> "$T/json"
	done
	jq -se '[.[] | select(.record == "total")] as $total | [.[] | select(.record == "end")] |
		length == 40 and all(range(40) as $i | .[$i].time_ns >= $total[$i].values[0].value; .)' "$T/json"
}

@test "summary: each set has its lines, and they are counted at the same time" {
	"$CPUTRACK" --summary --strict -o "$T/block" -c page-faults,minor-faults -c page-faults,major-faults ls / > "$T/ls"
	[ "$(counted "$T/block" page-faults | wc -l)" -eq 2 ]
	[ "$(counted "$T/block" page-faults | sort -u | wc -l)" -eq 1 ]
	[ "$(counted "$T/block" minor-faults)" -le "$(counted "$T/block" page-faults | head -n 1)" ]
	[ "$(counted "$T/block" major-faults)" -ge 0 ]
}

@test "summary: JSON has one total of the tree, and what the command has used; CSV has the same rows as always" {
	"$CPUTRACK" --summary --format=json -o "$T/json" -c page-faults,task-clock sh -c 'ls / > /dev/null; exit 3' || [ $? -eq 3 ]
	python3 "$BATS_TEST_DIRNAME/records.py" "$T/json"
	[ "$(jq -r 'select(.record == "total") | .scope' "$T/json")" = tree ]
	jq -se '.[-1] | .record == "end" and .status == 3 and .command_status == 3 and .peak_rss_bytes > 100000 and .user_ns >= 0' "$T/json"
	"$CPUTRACK" --quiet --summary --format=csv -c page-faults true > "$T/csv"
	[ "$(wc -l < "$T/csv")" -eq 2 ]
	[[ "$(tail -n 1 "$T/csv")" == *,exit,0,,0,page-faults,* ]]
}

@test "summary: with -p the block comes when the process ends, or at SIGINT" {
	start "$T/park" "$PROG/act" park
	pid=$(ready_pid "$T/park")
	start "$T/block" "$CPUTRACK" --quiet --engine=kernel -p "$pid"
	tool=$!
	until_true traced "$pid"
	stop_by INT "$tool"
	finish "$tool"
	has "measurement ended by signal 2 (SIGINT): process $pid$" "$T/block"
	has ' ms task-clock ' "$T/block"
	start "$T/block" "$CPUTRACK" --quiet --engine=kernel -p "$pid"
	tool=$!
	until_true traced "$pid"
	kill -TERM "$pid"
	finish "$tool"
	has "^     ended by signal 15 (SIGTERM): process $pid$" "$T/block"
}

@test "summary: SIGINT ends the command, and the block is printed" {
	start "$T/block" "$CPUTRACK" --quiet --engine=kernel "$PROG/act" park
	tool=$!
	until_true has ready "$T/block"
	kill -INT "$tool"
	local status=0
	finish "$tool" || status=$?
	[ "$status" -eq 130 ]
	has '^     ended by signal 2 (SIGINT): ' "$T/block"
	[ "$(grep -c ' task-clock ' "$T/block")" -eq 1 ]
}

@test "summary: on a terminal counts have commas between thousands" {
	needs_terminal
	"$PROG/ptyrun" -- "$CPUTRACK" --summary -c page-faults python3 -c 'x = bytearray(40 << 20)' > "$T/block"
	cat "$T/block"
	tr -d '\r' < "$T/block" | grep -Eq '^ +[0-9]{1,3},[0-9]{3}    page-faults '
	"$CPUTRACK" --summary -c page-faults python3 -c 'x = bytearray(40 << 20)' > "$T/block"
	grep -Eq '^ +[0-9]{4,}    page-faults ' "$T/block"
}

@test "summary: a command that cannot be executed has no block" {
	run --separate-stderr -127 "$CPUTRACK" --quiet "$T/nosuch"
	[ -z "$output" ] && [ "$stderr" = "cputrack: cannot execute '$T/nosuch': No such file or directory" ]
	run --separate-stderr -126 "$CPUTRACK" --quiet /dev/null
	[ -z "$output" ]
}

@test "summary: an output that cannot be written is an error" {
	[ -e /dev/full ] || skip 'needs /dev/full'
	run --separate-stderr -125 "$CPUTRACK" --quiet -o /dev/full true
	[[ "$stderr" == *'cannot write to'*'No space left on device'* ]]
}

@test "summary: names of functions need a tracer, and are counted in the whole tree" {
	need_breakpoints
	[ -x "$LWPREC" ] || skip 'the commands are built without the libraries that read symbols'
	ORACLE=$T/truth bounded "$CPUTRACK" --summary -o "$T/block" -c mem:hit "$PROG/oracle" forks 5
	awk '{ s += $3 } END { print s }' "$T/truth" > "$T/want"
	counted "$T/block" mem:hit | diff "$T/want" -
}

@test "summary: a run in the simulator" {
	run --separate-stderr "$CPUTRACK" --engine=sim -o "$T/block" true
	[ "$status" -eq 0 ] || { [[ "$stderr" == *simulat* ]] && skip 'the simulator is not built here'; }
	grep -Eq '^ +[1-9][0-9]+    instructions +[0-9.]+ per cycle +simulated, user mode$' "$T/block"
	grep -Eq '^ +[1-9][0-9]*    branch-misses +[0-9.]+ % of branches +simulated, user mode$' "$T/block"
	grep -q '(of the simulator)$' "$T/block"
	! grep -q 'per second' "$T/block"
}

@test "summary: perfex prints the block where its report goes, for its events" {
	[ "$("$PERFEX" --summary -e page-faults -e task-clock sh -c 'echo out; ls / > /dev/null' 2> "$T/err")" = out ]
	cat "$T/err"
	grep -Eq '^ +[1-9][0-9]*    page-faults ' "$T/err"
	has 'ended with status 0: sh -c' "$T/err"
	run -2 "$PERFEX" --summary -mp -e page-faults true
	[[ "$output" == *'-y, -mp and -p cannot be used with it'* ]]
}

@test "summary: perfex without -e says what it counted" {
	run --separate-stderr "$PERFEX" -o "$T/report" true
	[ "$(grep -c 'perfex: no -e was given: counting event 0 (Cycles); -e NAME counts another event, -a all 32, --list shows them$' <<< "$stderr")" -eq 1 ]
	run --separate-stderr "$PERFEX" -e page-faults -o "$T/report" true
	[ -z "$stderr" ]
}

@test "summary: cpustat adds up all CPUs and intervals" {
	need_cpus
	bounded "$CPUSTAT" --quiet --summary -c page-faults 0.02 3 > "$T/block"
	[ "$(grep -c page-faults "$T/block")" -eq 1 ]
	[ "$(tail -n 1 "$T/block")" = "     $(cpus | wc -l) CPUs" ] || [ "$(tail -n 1 "$T/block")" = '     1 CPU' ]
	! grep -q tick "$T/block"
	bounded "$CPUSTAT" --quiet --summary 0.02 1 > "$T/block"
	grep -q ' context-switches ' "$T/block"
}

@test "summary: an ordinary user counts user mode, and the block says so" {
	need_root
	public_dir
	install -m 755 "$CPUTRACK" "$D/cputrack"
	install -m 755 "$PROG/act" "$D/act"
	need_unprivileged_counting
	[ "$(paranoid)" -ge 2 ] || skip 'perf_event_paranoid permits users to count system mode'
	run --separate-stderr as_nobody "$D/cputrack" --engine=kernel true
	[ "$status" -eq 0 ]
	grep -Eq '    page-faults .*exact, user mode$' <<< "$output"
	grep -Eq ' ms task-clock .*exact$' <<< "$output"
}
