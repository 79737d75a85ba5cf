# CSV and JSON output, notes about values, and the options that describe the machine.

bats_require_minimum_version 1.5.0
load helper

header=time_s,pid,lwp,tid,event,set,tick,pic,name,value,count,enabled_ns,running_ns,class,note,child,command,host,rank,mode,thread

need_python() { need python3; }

# all_kinds OPTION...: makes a run that has every kind of row, in $T/rows.
all_kinds() {
	"$CPUTRACK" -fevt -T 0.02 "$@" -o "$T/rows" -c task-clock,page-faults -c minor-faults \
		sh -c "$PROG/oracle seq 3; $PROG/act spin 100; exec $PROG/act args 'a,b' 'c\"d'" > "$T/stdout"
}

@test "machine: csv: header, fields, and every row kind" {
	need_python
	all_kinds --format=csv
	[ "$(head -1 "$T/rows")" = "$header" ]
	python3 - "$T/rows" <<-'PY'
		import csv, sys
		rows = list(csv.DictReader(open(sys.argv[1], newline="")))
		kinds = {r["event"] for r in rows}
		want = {"tick", "init_lwp", "fini_lwp", "lwp_create", "lwp_exit", "fork", "exec", "exit"}
		assert kinds == want, kinds ^ want
		for r in rows:
		    assert None not in r and None not in r.values(), r
		    assert r["thread"] in ("sh", "oracle", "act"), r
		    float(r["time_s"]); assert int(r["pid"]) > 0 and int(r["lwp"]) > 0
		    if r["event"] == "fork":
		        assert int(r["child"]) > 0 and r["value"] == "", r
		    elif r["name"] == "":
		        assert r["event"] == "exec" and r["command"], r
		    else:
		        assert int(r["value"]) >= 0 and int(r["count"]) >= 0 and int(r["pic"]) >= 0, r
		        assert int(r["enabled_ns"]) >= int(r["running_ns"]) >= 0, r
		        assert r["class"] == "exact", r
		        assert int(r["tick"]) >= 0 and int(r["set"]) in (0, 1, 2), r
		commands = [r["command"] for r in rows if r["command"]]
		assert any(c.endswith("""args a,b c"d""") for c in commands), commands
	PY
	diff <(printf 'a,b\nc"d\n') "$T/stdout"
}

@test "machine: csv -n has no header" {
	run "$CPUTRACK" -n -T 0 --format=csv -c task-clock true
	[ "${#lines[@]}" -eq 1 ]
	[[ ${lines[0]} == *,exit,* ]]
}

@test "machine: csv: numbers are printed as in the C locale" {
	LC_ALL=de_DE.UTF-8 LANG=de_DE.UTF-8 run "$CPUTRACK" -n -T 0 --format=csv -c task-clock true
	[[ ${lines[0]} =~ ^[0-9]+\.[0-9]+, ]]
}

@test "machine: json: a record a line, each valid" {
	need_python
	all_kinds --format=json
	python3 "$BATS_TEST_DIRNAME/records.py" "$T/rows"
	python3 - "$T/rows" <<-'PY'
		import json, sys
		kinds = set()
		for o in map(json.loads, open(sys.argv[1])):
		    if o["record"] in ("run", "end"): continue
		    kinds.add(o["what"])
		    for v in o.get("values", []):
		        assert v["class"] == "exact" and v["value"] >= 0, v
		want = {"tick", "init_lwp", "fini_lwp", "lwp_create", "lwp_exit", "fork", "exec", "exit"}
		assert kinds == want, kinds ^ want
	PY
}

@test "machine: json: the records are complete after a signal" {
	need_python
	start "$T/out" "$CPUTRACK" -T 0.01 --format=json -o "$T/rows" -c task-clock "$PROG/act" park
	tool=$!
	until_true has '"tick"' "$T/rows"
	kill -TERM "$tool"
	finish "$tool" || [ $? -eq 143 ]
	python3 "$BATS_TEST_DIRNAME/records.py" "$T/rows"
	[[ $(tail -n 2 "$T/rows" | head -n 1) == *'"what":"exit"'* ]]
	[[ $(tail -n 1 "$T/rows") == *'"status":143,"signal":15,'* ]]
}

@test "machine: a command line of odd bytes stays valid in csv and json" {
	need_python
	odd=$'new\nline, "quotes" \\ \t tab \x01 \xff\xc3 end'
	for format in csv json; do
		"$CPUTRACK" -e -T 0 --format=$format -o "$T/rows" -c task-clock \
			"$PROG/act" exec "$PROG/act" args "$odd" > /dev/null
		python3 - "$T/rows" "$format" <<-'PY'
			import csv, json, sys
			if sys.argv[2] == "csv":
			    rows = list(csv.DictReader(open(sys.argv[1], newline="", errors="surrogateescape")))
			    cmds = [r["command"] for r in rows if r["command"]]
			else:
			    rows = [json.loads(l) for l in open(sys.argv[1], encoding="utf-8")]
			    cmds = [r["command"] for r in rows if r["record"] == "event" and r.get("command")]
			    # The words of the command line have bytes that are not UTF-8 too.
			    assert rows[0]["argv"][-1].endswith("\ufffd\ufffd end"), rows[0]
			assert len(cmds) == 1 and '"quotes"' in cmds[0], cmds
		PY
	done
}

@test "machine: text and csv have the same event words" {
	"$CPUTRACK" -v -n -T 0 -o "$T/text" -c task-clock "$PROG/oracle" seq 2
	"$CPUTRACK" -v -n -T 0 --format=csv -o "$T/csv" -c task-clock "$PROG/oracle" seq 2
	# The end of a thread and the start of the next can be reported in either order.
	diff <(awk '{ print $2, $3 }' "$T/text" | sort) <(awk -F, '{ print $3, $5 }' "$T/csv" | sort)
}

@test "machine: --strict: exact values pass with the command's status" {
	run "$CPUTRACK" --strict -T 0 -o "$T/rows" -c task-clock,page-faults "$PROG/act" exit 3
	[ "$status" -eq 3 ]
}

# Prints the name of an event that is counted approximately on this machine, if there is one.
approximate() {
	"$CPUTRACK" --list --format=csv | awk -F, '$3 == "approximate" { print $1; exit }'
}

@test "machine: --strict: a value that is not exact is status 125, and a note without it" {
	name=$(approximate)
	[ -n "$name" ] || skip "no event of this machine is approximate"
	run "$CPUTRACK" -T 0 -o "$T/rows" -c "$name" "$PROG/act" exit 3
	[ "$status" -eq 3 ]
	[[ $output == *"cputrack: $name"*approximate* ]]
	run "$CPUTRACK" --strict -T 0 -o "$T/rows" -c "$name" "$PROG/act" exit 3
	[ "$status" -eq 125 ]
}

@test "machine: no note where every value is exact" {
	run "$CPUTRACK" -T 0 -o "$T/rows" -c task-clock,page-faults true
	[ "$status" -eq 0 ]
	[ -z "$output" ]
}

# A child created with CLONE_UNTRACED is in no row, but in the kernel's count of the whole tree.
@test "machine: a note if the whole tree has more events than the LWPs" {
	local tracked=("$CPUTRACK" -f --tracker=ptrace --format=csv -o "$T/csv" -T 0 -c page-faults)
	run -0 "${tracked[@]}" "$PROG/act" faults 500
	[ -z "$output" ]
	[ "$(csv_count "$T/csv" exit)" -eq 2 ]
	run -0 "${tracked[@]}" "$PROG/act" faults 500 untraced
	[ "$(csv_count "$T/csv" exit)" -eq 1 ]
	local note='^cputrack: page-faults: the kernel counted ([0-9]+) in the whole tree, ([0-9]+) more than in the LWPs'
	note+=' \([0-9.]+ %\), in processes or threads that were not traced, as their creator was killed, or created them with CLONE_UNTRACED$'
	[[ $output =~ $note ]]
	[ "${BASH_REMATCH[2]}" -ge 500 ]
	[ "${BASH_REMATCH[1]}" -eq $((BASH_REMATCH[2] + $(csv_sum "$T/csv" exit))) ]
}

@test "machine: --strict does not accept what an untraced child counted, whatever the set is" {
	local tracked=("$CPUTRACK" -f --tracker=ptrace -n -o "$T/rows" -T 0)
	run -125 "${tracked[@]}" --strict -c page-faults "$PROG/act" faults 500 untraced
	run -125 "${tracked[@]}" --strict --quiet -c page-faults "$PROG/act" faults 500 untraced
	[ -z "$output" ]
	run -0 "${tracked[@]}" --strict -c page-faults "$PROG/act" faults 500
	# Two sets that are counted all the time are both checked.
	run -125 "${tracked[@]}" --strict -c task-clock -c minor-faults "$PROG/act" faults 500 untraced
	[[ $output == *"minor-faults: the kernel counted"* ]]
}

@test "machine: --strict does not accept what an untraced child counted at a breakpoint" {
	need_breakpoints
	local event status=0
	event=$(hit_event oracle)
	ORACLE=$T/truth run -0 "$CPUTRACK" -f --tracker=ptrace -n --strict -o "$T/rows" -T 0 -c "$event" "$PROG/oracle" forks 3
	[ -z "$output" ]
	rm -f "$T/truth"
	ORACLE=$T/truth run -125 "$CPUTRACK" -f --tracker=ptrace -n --strict -o "$T/rows" -T 0 -c "$event" "$PROG/oracle" untraced 3
	[[ $output == *"$event: the kernel counted"*"more than in the LWPs"*CLONE_UNTRACED* ]]
	# What the note reports is what the rows lack.
	local more
	more=$(sed -E 's/.* ([0-9]+) more than.*/\1/' <<< "$output")
	[ $(($(awk '$4 == "exit" { s += $5 } END { print s }' "$T/rows") + more)) -eq \
		"$(awk '{ s += $3 } END { print s }' "$T/truth")" ]
}

@test "machine: children of CLONE_PARENT are followed and counted" {
	need_breakpoints
	oracle siblings 5
	every_lwp "$T/truth" "$T/csv"
	every_image "$T/truth" "$T/csv"
}

@test "machine: the small difference of new LWPs is reported with -D only" {
	local tracked=("$CPUTRACK" -f -n -o "$T/rows" -T 0 -c task-clock)
	run -0 "${tracked[@]}" --strict "$PROG/oracle" forks 50
	[ -z "$output" ]
	run -0 "${tracked[@]}" --strict -D "$PROG/oracle" forks 50
	[[ $output =~ "time on a processor: the kernel counted "[0-9]+" ns in the whole tree, "[0-9]+" more than in the LWPs ("[0-9.e+-]+" %), in new LWPs before cputrack attached to them" ]]
}

@test "machine: the time of new LWPs before cputrack attached to them is not held against them" {
	run -0 "$CPUTRACK" -f -n --strict -o "$T/rows" -T 0 -c task-clock "$PROG/act" births 50
	[ -z "$output" ]
}

# switches OPTION... -- CMD...: prints the context switches of CMD.
switches() {
	"$CPUTRACK" -fen -o "$T/rows" -c context-switches "$@" > "$T/out" &&
		awk '($4 == "exit" || $4 == "exec") && $5 ~ /^[0-9]+$/ { s += $5 } END { print s }' "$T/rows"
}

# Each signal and each fork is a stop for cputrack. Others that want the CPU cause switches too, but not so many.
@test "machine: context-switches are those of the program, without its stops for cputrack" {
	may_count_kernel || skip "counting the kernel is not allowed"
	local n
	n=$(switches -T 0 "$PROG/act" signals 3000)
	[ "$(cat "$T/out")" = 3000 ]
	[ "$n" -lt 1500 ]
	# With ticks a stop can be pending when a sample is taken; no tick is negative, and all are in the total.
	n=$(switches -T 0.001 --quiet "$PROG/act" signals 3000)
	[ "$n" -lt 1500 ]
	awk '$4 == "tick" { s += $5 } $4 == "exit" { e = $5 } END { print s, e; exit s > e }' "$T/rows"
}

@test "machine: context-switches are exact without stops, and else approximate, with the reason" {
	may_count_kernel || skip "counting the kernel is not allowed"
	run -0 "$CPUTRACK" --strict -n -T 0 -c context-switches "$PROG/act" exit 0
	[[ $output != *approximate* ]]
	run -0 "$CPUTRACK" --tracker=ptrace -n -T 0 --format=csv -o "$T/csv" -c context-switches "$PROG/act" signals 5
	[[ $output == *"context-switches: approximate: the stops for the tracer were taken off"* ]]
	grep -q ',exit,.*,approximate,' "$T/csv"
	run -125 "$CPUTRACK" --tracker=ptrace --strict --quiet -n -T 0 -o "$T/rows" -c context-switches "$PROG/act" signals 5
	# perfex does not trace.
	"$PERFEX" --strict --quiet -e context-switches "$PROG/act" signals 5
}

@test "machine: --list names events that can be counted" {
	run "$CPUTRACK" --list
	[ "$status" -eq 0 ]
	local names="task-clock page-faults"
	! may_count_kernel || names+=" context-switches"
	for name in $names; do
		grep -Eq "(^|[[:space:]])$name([[:space:]]|\$)" <<< "$output"
	done
}

@test "machine: --list=PATTERN names only the events that match" {
	run "$CPUTRACK" --list='page-f*'
	[ "$status" -eq 0 ]
	[[ $output == *page-faults* ]]
	[[ $output != *task-clock* ]]
	run "$CPUTRACK" --list=no-such-event-anywhere
	[ "$status" -ne 0 ]
}

@test "machine: --doctor reports permissions and tracing" {
	run "$CPUTRACK" --doctor
	[ "$status" -eq 0 ]
	[[ $output == *perf_event_paranoid* ]]
	[[ $output == *ptrace* ]]
}

@test "machine: --help=all is the usage on stdout" {
	"$CPUTRACK" --help=all > "$T/help" 2> "$T/err"
	[ ! -s "$T/err" ]
	has '^Usage:' "$T/help"
	for o in --engine --cpu --format --strict --list --doctor --help --version; do
		has "$o" "$T/help"
	done
}

@test "machine: --version" {
	run "$CPUTRACK" --version
	[ "$status" -eq 0 ]
	[[ $output == cputrack*$(cat VERSION)* ]]
}

@test "machine: -h, --help, --list and --version to a full disk end with status 125" {
	[ -c /dev/full ] || skip "no /dev/full"
	for o in -h --help --help=all --list --version --doctor; do
		run bash -c "'$CPUTRACK' $o > /dev/full"
		[ "$status" -eq 125 ]
	done
}

@test "machine: started by another name, messages carry that name" {
	ln -s "$CPUTRACK" "$T/track"
	run -127 "$T/track" -c task-clock /no/such/program
	[[ $output == track:* ]]
}
