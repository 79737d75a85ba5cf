# --tracker: rows of LWPs from the records that the kernel writes, without a tracer, are those that a tracer has.

bats_require_minimum_version 1.5.0
load helper

# need_records: skip the test if this kernel does not record the lives of LWPs.
need_records() {
	need_breakpoints
	"$CPUTRACK" --tracker=records -T 0 -o /dev/null -c page-faults true 2> "$T/why" || skip "$(cat "$T/why")"
}

# exact_by TRACKER MODE N: each thread of the oracle has a row with its count, and the rows of processes have the sums.
exact_by() {
	oracle "${@:2}" -T 0 --tracker="$1"
	every_lwp "$T/truth" "$T/csv"
	every_image "$T/truth" "$T/csv"
	tail_rule "$T/csv"
}

exact() {
	need_records
	exact_by records "$@"
}

# need_bpf: skip the test if BPF programs cannot count here.
need_bpf() {
	need_breakpoints
	"$CPUTRACK" --tracker=bpf -T 0 -o /dev/null -c page-faults true 2> "$T/why" || skip "$(cat "$T/why")"
}

exact_bpf() {
	need_bpf
	exact_by bpf "$@"
}

# sums: each process has the counts of all its threads and programs.
sums() {
	awk -F, -v truth="$T/truth" '
		BEGIN { while ((getline line < truth) > 0) { split(line, f, " "); sum[f[1]] += f[3]; all += f[3] } }
		$5 == "exit" { sum[$2] -= $10; seen += $10 }
		END {
			for (k in sum) if (sum[k]) { bad++; print "pid " k ": " sum[k] " of its hits are missing" }
			print all " hits, " seen " counted"
			exit bad || !all || all != seen
		}' "$T/csv"
}

# rows FILE: the rows of each LWP, in their order, with words and values; a process has the number of its first row. The next
# LWP may begin before the last row of another.
rows() {
	awk -F, '
		NR > 1 && $5 != "tick" {
			if (!($2 in process))
				process[$2] = ++n
			print process[$2], $3, $4 == $2 ? "process" : "thread", $5, $6, $10, $14
		}' "$1" | sort -s -k 1,1n -k 2,2n
}

@test "tracker: threads one after another" {
	exact seq 2000
}

@test "tracker: threads at once" {
	exact live 1000
}

@test "tracker: threads that start and end in a burst" {
	exact burst 2000
}

@test "tracker: threads that compute and change the processor" {
	exact comp 8
}

@test "tracker: forks, and a tree of forks" {
	exact forks 300
	exact tree 3
	[ "$(csv_count "$T/csv" exit)" -eq 40 ]
	[ "$(csv_count "$T/csv" fork)" -eq 39 ]
}

@test "tracker: forks from threads that are not the first" {
	exact tforks 20
}

@test "tracker: the first thread ends before the second" {
	exact leaderexit 3
	[ "$(csv_count "$T/csv" exit)" -eq 1 ]
}

@test "tracker: a program that takes signals, and one that dies by a signal" {
	exact signals 100
	run oracle crash 2 -T 0 --tracker=records
	[ "$status" -eq 134 ]
	every_lwp "$T/truth" "$T/csv"
	every_image "$T/truth" "$T/csv"
}

@test "tracker: processes that die by SIGKILL with threads that sleep" {
	need_breakpoints
	exact_by ptrace kill 20
	exact kill 20
	[ "$(csv_count "$T/csv" lwp_exit)" -eq 40 ]
}

@test "tracker: 8 threads that create threads at the same time" {
	exact creators 2000
}

@test "tracker: siblings that a tracer cannot tell apart" {
	exact siblings 20
}

@test "tracker: the counts of a process include the programs that it executes" {
	need_records
	local mode
	for mode in 'exec 50' 'vfork 20' 'chain 10' 'nlexec 5'; do
		# shellcheck disable=SC2086 # a mode and a number
		run -0 oracle $mode -T 0 --tracker=records
		sums
		[[ $output == *"executed another program, which its counts include; --tracker=ptrace counts each program by itself"* ]]
	done
	[ "$(csv_count "$T/csv" exec)" -ge 1 ]
}

# rows_by TRACKER OPTIONS MODE: print the rows of a mode of the oracle, and then the exit status.
rows_by() {
	local status=0
	# shellcheck disable=SC2086 # options; a mode and a number
	ORACLE=/dev/null bounded "$CPUTRACK" --tracker="$1" $2 --quiet --format=csv -o "$T/csv" -c "$(hit_event oracle)" \
		"$PROG/oracle" $3 2> "$T/$1.err" || status=$?
	rows "$T/csv"
	echo "status $status"
	cut -d ' ' -f 4- "$T/$1.err"
}

# as_traced TRACKER OPTIONS MODE...: the rows of the oracle and their order are those of a tracer.
as_traced() {
	local mode
	for mode in "${@:3}"; do
		rows_by "$1" "$2" "$mode" > "$T/rows"
		echo "$2 $mode"
		diff "$T/rows" <(rows_by ptrace "$2" "$mode")
	done
}

@test "tracker: the rows and their order are those of a tracer" {
	need_records
	as_traced records '-fev -T 0' 'seq 20' 'forks 5' 'one 3' 'leaderexit 3' 'kill 3' 'crash 2'
}

@test "tracker: the table of threads has the names, and the same totals as a tracer's" {
	need_records
	oracle seq 5 -T 0 --threads --tracker=records
	[ "$(csv_sum "$T/csv" thread)" -eq "$(awk '{ s += $3 } END { print s }' "$T/truth")" ]
	[ "$(awk -F, '$5 == "thread" && $21 == "oracle"' "$T/csv" | wc -l)" -eq 6 ]
}

@test "tracker: a process that changes its name has the new one at a fork, and so has the child from its first row on" {
	need_breakpoints
	local tracker first
	for tracker in ptrace records bpf; do
		"$CPUTRACK" --tracker=$tracker -T 0 -fev --format=csv -o "$T/csv" -c page-faults \
			bash -c 'printf leader > /proc/$$/comm; (exit 3); exit 0' 2> "$T/why" || { [ $tracker != ptrace ] && continue; }
		first=$(awk -F, 'NR == 2 { print $2 }' "$T/csv")
		diff <(awk -F, -v first="$first" 'NR > 1 { print ($2 == first ? "first" : "child"), $5, $NF }' "$T/csv") - <<-END
			first init_lwp bash
			first fork leader
			child init_lwp leader
			child fini_lwp leader
			child exit leader
			first fini_lwp leader
			first exit leader
		END
	done
}

# traced OPTION...: does a tracer follow a program that is counted with these options?
traced() {
	"$CPUTRACK" -o "$T/table" -c page-faults "$@" sh -c 'while read -r word value; do [ "$word" != TracerPid: ] || echo "$value"; done < /proc/$$/status' > "$T/tracer"
	[ "$(cat "$T/tracer")" != 0 ]
}

@test "tracker: the records are chosen for a table of threads" {
	need_records
	local options
	for options in --threads '--threads -f -e' '--threads -T 0' '-T 0 --tracker=records'; do
		# shellcheck disable=SC2086 # options
		! traced $options || { echo "traced with $options"; return 1; }
	done
	for options in '-T 1' '-T 0 -D' '-T 0 -f -e --tracker=ptrace' '--threads --tracker=ptrace'; do
		# shellcheck disable=SC2086 # options
		traced $options 2> "$T/stderr"
	done
}

# tracker_of OPTION...: print the tracker that the records of a run name.
tracker_of() {
	bounded "$CPUTRACK" --quiet --format=json "$@" true | sed -n 's/.*"record":"run".*"tracker":"\([a-z]*\)".*/\1/p'
}

@test "tracker: the records of a run name the tracker, and BPF programs are chosen for rows" {
	need_bpf
	local options
	for options in '--threads -f' '--tracker=bpf' -f '-f -T 0' '-f -e' '-T 0' '-e -T 0'; do
		# shellcheck disable=SC2086 # options
		[ "$(tracker_of $options -c page-faults)" = bpf ] || { echo "not BPF with $options"; return 1; }
	done
	for options in '-T 1' '-e' '-f -N 2' '-f -D' '--threads -f --tracker=ptrace'; do
		# shellcheck disable=SC2086 # options
		[ "$(tracker_of $options -c page-faults 2> /dev/null)" = ptrace ] || { echo "no tracer with $options"; return 1; }
	done
	# What these programs cannot count is counted with a tracer, without a word.
	[ "$(tracker_of -f -c cgroup-switches)" = ptrace ]
	# A breakpoint would take a debug register of each CPU, and a counter in system mode would count the work of these programs.
	[ "$(tracker_of -f -T 0 -c "$(hit_event oracle)")" = ptrace ]
	[ ! -e /sys/bus/event_source/devices/msr/events/tsc ] || [ "$(tracker_of -f -c page-faults -c msr/tsc/ 2> /dev/null)" = ptrace ]
	run -0 "$CPUTRACK" --quiet --summary --format=json -c page-faults true
	[[ $output != *'"tracker"'* ]]
	run -0 "$PERFEX" -mp --tracker=ptrace --quiet --format=json -e page-faults true
	[[ $output == *'"tracker":"ptrace"'* ]]
}

@test "tracker: a run for which BPF programs cannot be loaded has a tracer instead, and the command gets its signals" {
	need_root
	need setpriv
	need_bpf
	public_dir
	local how
	# Without the capabilities, and with an event that the programs refuse.
	for how in 'setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=-all' 'setpriv --bounding-set=-bpf,-sys_admin' ''; do
		# shellcheck disable=SC2086 # a command and its options
		run -0 --separate-stderr bounded $how "$D/cputrack" --quiet --threads -f --format=json -c "$([ "$how" ] && echo page-faults || echo cgroup-switches)" true
		[ "$(grep -c '"tracker":"ptrace"' <<< "$output")" -eq 1 ]
	done
	start "$T/out" "$CPUTRACK" --threads -f --format=csv -o "$T/csv" -c cgroup-switches sh -c 'trap "echo got; exit 3" USR1; echo > "$0"; while :; do sleep 0.02; done' "$T/ready"
	local pid=$! status=0
	until_true [ -s "$T/ready" ]
	kill -USR1 "$pid"
	finish "$pid" || status=$?
	[ "$status" -eq 3 ]
	has '^got$' "$T/out"
}

@test "tracker: the times of rows by BPF programs never decrease for an LWP" {
	need_bpf
	oracle comp 8 -T 0.001 --tracker=bpf --quiet
	awk -F, 'NR > 1 { if ($1 + 0 < last[$2, $3]) { print NR ": " $0; bad = 1 } last[$2, $3] = $1 + 0 } END { exit bad }' "$T/csv"
}

@test "tracker: what the records do not have is refused, and nothing runs" {
	local options
	for options in '-T 1' '-T 0 -t' '-N 3' '--chart' '--engine=sim -T 0'; do
		rm -f "$T/ran"
		# shellcheck disable=SC2086 # options
		run -125 --separate-stderr "$CPUTRACK" --tracker=records $options -c page-faults touch "$T/ran"
		[[ $stderr == *"--tracker=records: "* ]]
		[ ! -e "$T/ran" ]
	done
	run -125 "$CPUTRACK" --tracker=records -T 0 -c page-faults -p $$
	[[ $output == *"a process that already runs (-p) needs a tracer"* ]]
	run -2 "$CPUTRACK" --tracker=nothing -c page-faults true
	[[ $output == *"--tracker=nothing: give auto, records, bpf or ptrace"* ]]
}

@test "tracker: --doctor says whether the kernel has the records" {
	run -0 "$CPUTRACK" --doctor
	if "$CPUTRACK" --tracker=records -T 0 -o /dev/null -c page-faults true 2> /dev/null; then
		[[ $output == *$'\nok       records of LWPs          each LWP can be counted without a tracer (--tracker=records)\n'* ]]
	else
		[[ $output == *$'\nmissing  records of LWPs          '* ]]
	fi
}

@test "tracker: the status is the command's; a command that cannot be executed has no rows" {
	need_records
	run -7 "$CPUTRACK" --tracker=records -T 0 -o "$T/rows" -c page-faults sh -c 'exit 7'
	run -137 "$CPUTRACK" --tracker=records -T 0 -o "$T/rows" -c page-faults sh -c 'kill -9 $$'
	run -127 --separate-stderr "$CPUTRACK" --tracker=records -T 0 -c page-faults "$T/nothing"
	[ -z "$output" ]
	[[ $stderr == *"cannot find program '$T/nothing'"* ]]
	printf '#!/no/such/interpreter\n' > "$T/damaged"
	chmod +x "$T/damaged"
	run -127 --separate-stderr "$CPUTRACK" --tracker=records -T 0 -o "$T/rows" -c page-faults "$T/damaged"
	[ "$(wc -l < "$T/rows")" -le 1 ]
	[[ $stderr == *"cannot execute '$T/damaged'"* ]]
}

@test "tracker: processes that outlive the command are counted to their end with -f" {
	need_records
	mkfifo "$T/fifo"
	start "$T/out" "$CPUTRACK" --tracker=records -T 0 -f --format=csv -o "$T/csv" -c page-faults \
		sh -c '(read -r x < "$0") & exit 3' "$T/fifo"
	local pid=$!
	until_true eval '[ "$(csv_count "$T/csv" exit)" -eq 1 ]'
	echo end > "$T/fifo"
	local status=0
	finish "$pid" || status=$?
	[ "$status" -eq 3 ]
	[ "$(csv_count "$T/csv" exit)" -eq 2 ]
}

@test "tracker: a warning writes what is in no row yet, and the end takes its place" {
	need_records
	mkfifo "$T/fifo"
	start "$T/out" "$CPUTRACK" --tracker=records -T 0 --format=csv -o "$T/csv" -c page-faults \
		sh -c 'trap "" USR1; echo ready > "$0"; read -r x < "$0"' "$T/fifo"
	local pid=$!
	read -r x < "$T/fifo"
	kill -USR1 "$pid"
	until_true grep -q ',rest,' "$T/csv"
	echo end > "$T/fifo"
	finish "$pid"
	lacks ',rest,' "$T/csv"
	[ "$(csv_count "$T/csv" exit)" -eq 1 ]
}

# need_records_of_nobody: skip the test if a user without privileges does not get the records here.
need_records_of_nobody() {
	need_root
	need setpriv
	need_records
	public_dir
	need_unprivileged_counting
	as_nobody "$D/cputrack" --tracker=records -T 0 -c page-faults true > "$T/why" 2>&1 || skip "$(cat "$T/why")"
}

@test "tracker: a user without privileges, who may lock little memory" {
	need_records_of_nobody
	local event=page-faults,task-clock,cpu-clock,minor-faults,major-faults,alignment-faults tracker kib
	for tracker in records ptrace; do
		for kib in 0 64; do
			as_nobody sh -c "ulimit -l $kib; exec \"\$@\"" sh "$D/cputrack" --tracker=$tracker -T 0 --format=csv \
				-c $event "$D/oracle" seq 500 > "$T/csv"
			[ "$(awk -F, '$5 == "lwp_exit" && $8 == 0' "$T/csv" | wc -l)" -eq 500 ]
		done
	done
}

@test "tracker: each thread and process has its count for a user who may not observe all processes" {
	need_records_of_nobody
	local mode
	for mode in 'seq 500' 'live 200' 'burst 500' 'comp 4' 'forks 100' 'tree 3' 'tforks 20' 'leaderexit 3'; do
		rm -f "$D/out/truth"
		# shellcheck disable=SC2086 # a mode and a number
		ORACLE=$D/out/truth as_nobody "$D/cputrack" -fev -T 0 --tracker=records --format=csv -o "$D/out/csv" \
			-c "$(hit_event oracle)" "$D/oracle" $mode
		every_lwp "$D/out/truth" "$D/out/csv"
		every_image "$D/out/truth" "$D/out/csv"
		tail_rule "$D/out/csv"
	done
}

@test "tracker: processes and threads of other programs are in no row" {
	need_records
	local other number
	start "$T/out" sh -c 'while :; do "$0" tforks 5; "$0" exec 5; done' "$PROG/oracle"
	other=$!
	exact forks 100
	number=$(csv_count "$T/csv" fork)
	kill -KILL "$other"
	[ "$number" -eq 100 ]
	[ "$(csv_count "$T/csv" exit)" -eq 101 ]
}

@test "tracker: a command that a signal ends before it executes its program has counted nothing, and no record is lost" {
	need_records
	local name tool status
	for name in records bpf ptrace; do
		[ "$name" != bpf ] || "$PROG/act" may cpus || continue
		rm -f "$T/full"
		full
		start "$T/log" sh -c 'exec "$@" >&8 8>&-' sh "$CPUTRACK" --tracker=$name -v -T 0 --format=csv -c page-faults sleep 100
		tool=$!
		# The title is written before the command executes its program, and finds a pipe that takes no more.
		until_true waits_for_reader "$tool" "$CPUTRACK"
		kill -TERM "$tool"
		drain
		status=0
		finish "$tool" || status=$?
		echo "$name: $status $(cat "$T/log.err")"
		[ "$status" -eq 143 ] && [ ! -s "$T/log.err" ]
		until_true has ',exit,' "$T/drained"
		[ "$(grep -a -o -E ',(init_lwp|fini_lwp|exit),' "$T/drained" | tr -d '\n')" = ,init_lwp,,fini_lwp,,exit, ]
	done
}

@test "tracker: a program that BPF programs count runs on if cputrack is killed, and has no tracer" {
	need_bpf
	local tool pid
	start "$T/out" "$CPUTRACK" -f -T 0 -o "$T/rows" -c page-faults "$PROG/act" park
	tool=$!
	pid=$(ready_pid "$T/out")
	started+=("$pid")
	kill -KILL "$tool"
	until_true is_gone "$tool"
	until_true runs_freely "$pid"
	: > "$T/out"
	kill -USR1 "$pid"
	until_true has alive "$T/out"
}

# give_up TOOL OPTION...: count a command, and a process that it leaves behind, both of which ignore Ctrl-C; press it until the tool has ended.
# With LEAVE the command ends at once. Output is in $T/out and $T/out.err.
give_up() {
	local tool status=0
	rm -f "$T/ready" "$T/fifo"
	mkfifo "$T/fifo"
	exec 8<> "$T/fifo"
	start "$T/out" "$@" sh -c 'trap "" INT; (read -r x < "$1") & echo $$ > "$0"; [ "$LEAVE" ] || read -r x < "$1"' "$T/ready" "$T/fifo"
	tool=$!
	until_true [ -s "$T/ready" ]
	[ -z "$LEAVE" ] || interrupt_after "$(cat "$T/ready")" "$tool"
	stop_by INT "$tool"
	finish "$tool" || status=$?
	printf 'end\nend\n' >&8
	exec 8>&-
	cat "$T/out.err"
	return "$status"
}

@test "tracker: a second Ctrl-C ends the counting of processes that ignore the first, which live on" {
	need_records
	local leave
	for leave in '' 1; do
		LEAVE=$leave run give_up "$CPUTRACK" --tracker=records -f -T 0 --format=csv -o "$T/csv" -c page-faults
		echo "$output"
		[ "$status" -eq "$([ "$leave" ] && echo 0 || echo 130)" ]
		[ "$(csv_count "$T/csv" rest)" -eq 1 ]
		LEAVE=$leave run "-$status" give_up "$PERFEX" -mp --tracker=records -o "$T/report" -e page-faults
		grep -Eq ' page-faults.* [1-9][0-9]*$' "$T/report"
	done
	LEAVE= run -130 give_up "$CPUTRACK" --summary -c page-faults
	# A row that is not of an LWP is not exact.
	LEAVE= run -125 give_up "$CPUTRACK" --tracker=records --strict -f -T 0 -o "$T/rows" -c page-faults
	LEAVE= run -130 give_up "$PERFEX" -mp --tracker=records --format=json -o "$T/json" -e page-faults
	has '"record":"end".*"signal":2' "$T/json"
}

@test "tracker: BPF programs count up to 16 events" {
	need_bpf
	local many
	many=$(printf 'page-faults,%.0s' $(seq 16))
	run -0 "$CPUTRACK" --tracker=bpf -T 0 --strict --format=csv -o "$T/csv" -c "${many%,}" true
	# All count the same.
	awk -F, '$5 == "exit" { n++; if ($10 == 0 || (n > 1 && $10 != last)) bad = 1; last = $10 } END { exit bad || n != 16 }' "$T/csv"
	run -125 "$CPUTRACK" --tracker=bpf -T 0 -o "$T/rows" -c "${many}page-faults" true
	[[ $output == *'--tracker=bpf: BPF programs count 1 to 16 events, and these are 17' ]]
}

# A copy of values that a program in the kernel is changing on another CPU has times that do not match.
@test "tracker: values of BPF programs are exact at ticks while LWPs are switched" {
	need_bpf
	local many
	many=$(printf 'page-faults,%.0s' $(seq 16))
	run -0 bounded "$CPUTRACK" --tracker=bpf --strict -T 0.001 -o "$T/rows" -c "${many%,}" "$PROG/load" switches 1000000
	[ "$(grep -c ' tick ' "$T/rows")" -gt 100 ]
}

# faults TRACKER: print the page faults of a process that sleeps often.
faults() {
	bounded setarch -R "$CPUTRACK" --tracker="$1" --strict -T 0 --format=csv -o "$T/csv" -c page-faults "$PROG/act" naps 10 2000
	csv_sum "$T/csv" exit
}

# Each time that the process wakes, another has run on its CPU. The kernel of some virtual machines does not report a switch
# from LWPs of the host, which run now and then.
@test "tracker: BPF programs count in an LWP nothing that other programs have done on its CPU" {
	need_bpf
	setarch -R true 2> "$T/why" || skip "$(cat "$T/why")"
	local truth n i
	truth=$(faults ptrace)
	[ "$truth" -ge 20000 ]
	for i in 1 2; do
		start "$T/noise" bash -c 'while :; do "$0" naps 50 100; done' "$PROG/act"
	done
	for i in 1 2 3 4 5 6; do
		n=$(faults bpf)
		# The kernel can have some pages of the program's files at hand, or not.
		((n >= truth - 5 && n <= truth + 5)) || { echo "$n, not $truth"; return 1; }
	done
}

@test "tracker: BPF programs refuse tracepoints that may fire while LWPs are switched" {
	need_bpf
	need unshare
	# In a mount namespace, so that the machine stays as it is.
	local traced='[ -d /sys/kernel/tracing/events ] || mount -t tracefs tracefs /sys/kernel/tracing || exit 99; exec "$@"'
	run unshare --mount sh -c "$traced" sh "$CPUTRACK" --tracker=bpf -T 0 -o "$T/rows" -c syscalls:sys_enter_write true
	[ "$status" -ne 99 ] || skip "tracefs cannot be mounted here: $output"
	[ "$status" -eq 0 ] || skip "tracepoints cannot be counted here: $output"
	run -125 unshare --mount sh -c "$traced" sh "$CPUTRACK" --tracker=bpf -T 0 -o "$T/rows" -c sched:sched_switch touch "$T/ran"
	[ "$output" = 'cputrack: --tracker=bpf: sched:sched_switch: BPF programs cannot tell which LWP a tracepoint belongs to that fires while LWPs are switched' ]
	[ ! -e "$T/ran" ]
}

@test "tracker: a program that the command executes is left without -e, and a message says so" {
	need_bpf
	local tracker pid
	mkfifo "$T/fifo"
	for tracker in bpf ptrace; do
		# The program lives on, and cputrack does not wait for it.
		run -125 --separate-stderr bounded "$CPUTRACK" --tracker=$tracker -T 0 -o "$T/rows" -c page-faults \
			sh -c 'echo "$$" > "$1"; exec cat "$0" > "$2"' "$T/fifo" "$T/pid" "$T/got"
		[[ $stderr == *" executed another program, which is not counted; use -e to count it" ]]
		pid=$(cat "$T/pid")
		kill -0 "$pid"
		echo "by $tracker" > "$T/fifo"
		until_true grep -q "by $tracker" "$T/got"
	done
}

@test "tracker: the counts of a process end where it executes a set-id program, and a note says so" {
	need_records_of_nobody
	cp "$PROG/act" "$D/setid"
	chmod 4755 "$D/setid"
	[ "$(as_nobody "$D/setid" uids)" = '65534 0' ] || skip "set-id is off for $D"
	cp "$PROG/load" "$D/setload"
	chmod 4755 "$D/setload"
	# The last one takes longer than the ends of all, also on a busy machine.
	run -125 --separate-stderr as_nobody "$D/cputrack" -f -T 0 --tracker=records --strict --format=csv -c page-faults \
		sh -c "'$D/act' exit 0; '$D/setid' uids; '$D/setid' faults 5000; '$D/setload' compute 10; exit 0"
	# Without a tracer, the program has its privileges.
	[[ $output == *'65534 0'* ]]
	[[ $stderr == *'the kernel does not count set-id, privileged or unreadable programs'* ]]
	echo "$output" > "$T/csv"
	[ "$(csv_count "$T/csv" exit)" -eq 5 ]
	awk -F, '$5 == "exit" && $10 >= 5000 { exit 1 }' "$T/csv"
	run -125 as_nobody "$D/cputrack" -T 0 --tracker=records -c page-faults "$D/setid" uids
	[[ $output == *"--tracker=records: the kernel ends the records of this program at its exec, as it is set-id, "* ]]
}

@test "tracker: a program that seccomp(2) would kill if it counted or traced" {
	need_breakpoints
	"$PROG/oracle" seccomp 1 > /dev/null || skip 'needs a kernel with seccomp'
	exact_by ptrace seccomp 20
	exact seccomp 20
}

@test "tracker: many signals have a note with a tracer, and cost no stops without one" {
	local note='the tracer stopped the program 1000 times for signals, which made it slower; --tracker=records -T 0 does not stop it'
	run -0 bounded "$CPUTRACK" -T 0 --tracker=ptrace -o "$T/rows" -c page-faults "$PROG/act" signals 1000
	[[ $output == *"cputrack: $note" ]]
	run -0 bounded "$CPUTRACK" -T 0 --tracker=ptrace -o "$T/rows" -c page-faults "$PROG/act" signals 999
	[[ $output != *'for signals'* ]]
	need_records
	run -0 bounded "$CPUTRACK" -T 0 --tracker=records -o "$T/rows" -c page-faults "$PROG/act" signals 20000
	[[ $output != *'for signals'* ]]
}

# memory OPTION... COMMAND: run a command of sh under cputrack, and print the largest resident set of cputrack, KiB.
memory() {
	local command="${*: -1}; while read -r key size unit; do [ \"\$key\" != VmHWM: ] || echo \"\$size\"; done < /proc/\$PPID/status"
	bounded "$CPUTRACK" -T 0 --quiet -c page-faults -o "$T/rows" "${@:1:$#-1}" sh -c "$command"
}

@test "tracker: very many threads have exact rows, and take little memory" {
	need_records
	local n=4000 kib
	[ -z "${LONG-}" ] || n=100000
	exact seq $n
	plain_build 'the memory is that of the build'
	[ -z "${SANITIZE-}" ] || skip 'AddressSanitizer keeps memory that was freed'
	kib=$(memory -f --tracker=records "$PROG/load creators $n")
	echo "$n threads: $kib KiB"
	[ "$kib" -lt 16384 ]
	[ "$(grep -c lwp_exit "$T/rows")" -eq $((n + 8)) ]
	# The table has all threads until the end.
	kib=$(memory --threads -f -e "$PROG/load creators $n")
	echo "$n threads in a table: $kib KiB"
	[ "$kib" -lt $((16384 + n)) ]
	[ "$(grep -c ' load ' "$T/rows")" -ge $((n + 8)) ]
}

@test "tracker: BPF programs count threads one after another, at once and in a burst" {
	exact_bpf seq 2000
	exact_bpf live 1000
	exact_bpf burst 2000
}

@test "tracker: BPF programs count threads that compute and change the processor" {
	exact_bpf comp 8
}

@test "tracker: BPF programs count threads that 8 threads create, and processes that die by SIGKILL" {
	exact_bpf creators 2000
	exact_bpf kill 100
	[ "$(csv_count "$T/csv" lwp_exit)" -eq 200 ]
}

@test "tracker: BPF programs count children that no tracer sees, and siblings that it cannot tell apart" {
	exact_bpf untraced 20
	exact_bpf siblings 20
}

@test "tracker: BPF programs count forks, trees of forks, and what ends by a signal" {
	exact_bpf forks 300
	exact_bpf tree 3
	[ "$(csv_count "$T/csv" exit)" -eq 40 ]
	[ "$(csv_count "$T/csv" fork)" -eq 39 ]
	exact_bpf tforks 20
	exact_bpf leaderexit 3
	exact_bpf signals 100
	run oracle crash 2 -T 0 --tracker=bpf
	[ "$status" -eq 134 ]
	every_lwp "$T/truth" "$T/csv"
	every_image "$T/truth" "$T/csv"
}

# The kernel keeps 65,536 records for BPF programs whose reader is slow, beside those in a ring.
@test "tracker: if BPF programs lose records because cputrack is stopped, a row has what is in no other row" {
	need_bpf
	local n=45500 tool pid status=0
	private_hit
	mkfifo "$T/fifo"
	start "$T/out" "$CPUTRACK" --tracker=bpf -fev -T 0 --format=csv -o "$T/csv" -c "$(hit_event oracle)" \
		sh -c 'echo ready $$; read -r x < "$0"; exec "$@"' "$T/fifo" "$PROG/oracle" seq "$n"
	tool=$!
	pid=$(ready_pid "$T/out")
	kill -STOP "$tool"
	until_true eval '[ "$(proc_state "$tool")" = T ]'
	echo go > "$T/fifo"
	DEADLINE=120 until_true is_gone "$pid"
	kill -CONT "$tool"
	finish "$tool" || status=$?
	cat "$T/out.err"
	[ "$status" -eq 125 ]
	has 'records of the lives of LWPs were lost; the row rest has what is in no other row$' "$T/out.err"
	[ "$(csv_count "$T/csv" lwp_exit)" -lt "$n" ]
	# 13 threads one after another call hit() 91 times.
	[ $(($(csv_sum "$T/csv" fini_lwp) + $(csv_sum "$T/csv" rest))) -eq $((n / 13 * 91 + 1)) ]
}

@test "tracker: LWPs that BPF programs have no room for are in no row, and a message says so" {
	need_root
	need unshare
	need_bpf
	# The programs have room for as many LWPs as the kernel has ids. In a mount namespace, so that the machine stays as it is.
	echo 20 > "$T/ids"
	run --separate-stderr bounded unshare --mount sh -c 'mount --bind "$0" /proc/sys/kernel/pid_max || exit 99; exec "$@"' "$T/ids" \
		"$CPUTRACK" --tracker=bpf -f -T 0 --format=csv -o "$T/csv" -c page-faults "$PROG/oracle" live 60
	[ "$status" -ne 99 ] || skip "mounts are not possible here: $stderr"
	[ "$status" -eq 125 ]
	[ "$(csv_count "$T/csv" lwp_exit)" -lt 60 ]
	[ "$(csv_count "$T/csv" rest)" -eq 0 ]
	[[ $stderr == *' records of the lives of LWPs were lost; rows of LWPs are missing' ]]
}

@test "tracker: BPF programs count each program that a process executes by itself" {
	need_bpf
	local mode
	for mode in 'exec 50' 'vfork 20' 'chain 10' 'nlexec 5'; do
		# shellcheck disable=SC2086 # a mode and a number
		run -0 oracle $mode -T 0 --tracker=bpf
		every_image "$T/truth" "$T/csv"
		[[ $output != *"which its counts include"* ]]
	done
}

@test "tracker: BPF programs give the rows of a tracer in its order" {
	need_bpf
	local options
	for options in '-fev -T 0' '-fe -T 0.02' '-v' '-f' '-e -T 0'; do
		as_traced bpf "$options" 'seq 20' 'forks 5' 'one 3' 'leaderexit 3' 'exec 5' 'vfork 5' 'chain 5' 'nlexec 2' 'kill 3' 'crash 2'
	done
}

@test "tracker: BPF programs give the rows of several sets, and of processes that are left, as a tracer does" {
	need_bpf
	local tracker
	for tracker in bpf ptrace; do
		run -125 --separate-stderr bounded "$CPUTRACK" --tracker=$tracker -fv -T 0 --format=csv -o "$T/csv" -c page-faults -c task-clock \
			sh -c '(exit 3); exec "$0" seq 1' "$PROG/oracle"
		[[ $stderr == *" executed another program, which is not counted; use -e to count it" ]]
		awk -F, -v OFS=, '{ $10 = $14 = ""; print }' "$T/csv" > "$T/without"
		rows "$T/without" > "$T/$tracker"
	done
	diff "$T/bpf" "$T/ptrace"
}

@test "tracker: a process that sleeps in vfork has no ticks, by BPF programs and by a tracer" {
	need_bpf
	local tracker
	for tracker in bpf ptrace; do
		run -0 bounded "$CPUTRACK" --tracker=$tracker -f -T 0.05 --format=csv -o "$T/csv" -c page-faults "$PROG/act" vfork 300
		# A tick can come between the end of the child and that of its parent.
		awk -F, '
			NR == 2 { parent = $2 }
			$5 == "tick" { ticks[$2 == parent]++ }
			END { print ticks[0] + 0 " ticks of the child, " ticks[1] + 0 " of the parent"; exit ticks[1] > 1 || ticks[0] < 3 }' "$T/csv"
	done
}

@test "tracker: LWPs that live when counting ends have the rows of a tracer, and so has the status" {
	need_bpf
	local tracker leave
	for leave in '' 1; do
		for tracker in bpf ptrace; do
			LEAVE=$leave run give_up "$CPUTRACK" --tracker=$tracker -f -T 0 --format=csv -o "$T/csv" -c page-faults
			echo "$output"
			[ "$status" -eq "$([ "$leave" ] && echo 0 || echo 130)" ]
			awk -F, -v OFS=, '{ $10 = $14 = ""; print }' "$T/csv" > "$T/without"
			rows "$T/without" > "$T/$tracker"
			[ -z "$leave" ] || [[ $output == *'the command has ended; waiting for pid '*'; send the signal again to stop counting'* ]]
		done
		diff "$T/bpf" "$T/ptrace"
	done
	[ "$(csv_count "$T/csv" detach)" -eq 1 ]
}

# ticks_of LWP: how many ticks of this LWP are in $T/csv; more_ticks N: are there more than N of LWP 1?
ticks_of() { awk -F, -v lwp="$1" '$5 == "tick" && $3 == lwp { n++ } END { print n + 0 }' "$T/csv"; }
more_ticks() { [ "$(ticks_of 1)" -gt "$1" ]; }

@test "tracker: a first thread that has ended before others has ticks and a row detach, by BPF programs and by a tracer" {
	need_bpf
	local tracker tool status
	for tracker in bpf ptrace; do
		rm -f "$T/truth" "$T/csv"
		ORACLE=$T/truth start "$T/out" "$CPUTRACK" --tracker=$tracker -f -T 0.05 --format=csv -o "$T/csv" -c "$(hit_event oracle)" \
			"$PROG/oracle" headless 3
		tool=$!
		until_true has ' 7$' "$T/truth"
		until_true is_gone "$(awk '{ print $1; exit }' "$T/truth")"
		until_true more_ticks $(($(ticks_of 1) + 1))
		stop_by INT "$tool"
		status=0
		finish "$tool" || status=$?
		[ "$status" -eq 130 ]
		[ "$(awk -F, '$5 == "tick" { n[$3] += $10 } END { print n[1], n[2] }' "$T/csv")" = '9 7' ]
		[ "$(awk -F, '$5 == "detach" { print $3, $10 }' "$T/csv")" = $'1 9\n2 7' ]
	done
}

@test "tracker: a thread for which there is no memory is reported, and the row rest has its counts" {
	need_bpf
	local n=1000
	# The allocations of the start are fewer. Nearly all others are for one of the threads.
	export ORACLE=$T/truth
	until has 'cannot count each LWP: no memory available' "$T/err"; do
		rm -f "$T/truth"
		without_memory $((n++)) "$PROG/nomem-cputrack" --tracker=bpf -f -T 0 --format=csv -o "$T/csv" -c "$(hit_event oracle)" \
			"$PROG/oracle" seq 1000
		[ "$status" -eq 125 ]
	done
	[ "$(csv_count "$T/csv" rest)" -eq 1 ]
	[ $(($(csv_sum "$T/csv" exit) + $(csv_sum "$T/csv" rest))) -eq "$(awk '{ s += $3 } END { print s }' "$T/truth")" ]
}

@test "tracker: all processes of a command that is given up are killed, by BPF programs and by a tracer" {
	need_bpf
	local tracker tool pid status
	for tracker in bpf ptrace; do
		start "$T/out" "$CPUTRACK" --tracker=$tracker -fe -T 0 -o "$T/rows" -c page-faults sh -c "trap '' INT; $PROG/act park; :"
		tool=$!
		pid=$(ready_pid "$T/out")
		stop_by INT "$tool"
		status=0
		finish "$tool" || status=$?
		[ "$status" -eq 130 ]
		until_true is_gone "$pid"
	done
}

@test "tracker: a warning writes what each LWP has counted, by BPF programs and by a tracer" {
	need_bpf
	local tracker pid
	for tracker in bpf ptrace; do
		rm -f "$T/fifo"
		mkfifo "$T/fifo"
		start "$T/out" "$CPUTRACK" --tracker=$tracker -T 0 --format=csv -o "$T/csv" -c page-faults \
			sh -c 'trap "" USR1; echo ready > "$0"; read -r x < "$0"' "$T/fifo"
		pid=$!
		read -r x < "$T/fifo"
		kill -USR1 "$pid"
		until_true grep -q ',detach,0,,0,page-faults,[1-9]' "$T/csv"
		echo end > "$T/fifo"
		finish "$pid"
		lacks ',detach,' "$T/csv"
		[ "$(csv_count "$T/csv" exit)" -eq 1 ]
	done
}

# execs FILE: the command lines in rows exec.
execs() { sed -n "/ exec .*#/s/.*# //p" "$1"; }

@test "tracker: BPF programs give the arguments of each program as a tracer does" {
	need_bpf
	local tracker long=0123456789
	printf '#!/bin/sh -e\nexec /bin/echo "$@"\n' > "$T/script"
	chmod +x "$T/script"
	for tracker in bpf ptrace; do
		# Arguments with blanks, empty and cut; of a script; without an environment.
		# shellcheck disable=SC2016 # variables of the command
		run -0 --separate-stderr bounded "$CPUTRACK" --tracker=$tracker -T 0 -f -e -n -o "$T/$tracker" -c page-faults sh -c '
			/bin/echo a "b c" "" d; "$0" x y; env -i /bin/echo; env -i /bin/echo z ""; /bin/echo "$1" "$1" "$1"
			exec /bin/echo end' "$T/script" $long$long$long$long
		[ "$(tail -n 1 <<< "$output")" = end ]
	done
	[ "$(execs "$T/bpf" | wc -l)" -eq 9 ]
	has "'/bin/echo a b c  d'" <(execs "$T/bpf")
	diff <(execs "$T/bpf") <(execs "$T/ptrace")
	# A program whose words have 32 bits.
	"$PROG/foreign" || [ $? -eq 7 ] || skip 'this kernel runs no programs of 32 bits'
	# shellcheck disable=SC2016 # a variable of the command
	run -7 "$CPUTRACK" --quiet --tracker=bpf -T 0 -e -n -o "$T/bpf" -c page-faults sh -c 'exec "$0" a "b c" d' "$PROG/foreign"
	[ "$(execs "$T/bpf")" = "'$PROG/foreign a b c d'" ]
}

@test "tracker: BPF programs give samples of LWPs that live, which sum up to the totals" {
	need_bpf
	run -0 bounded "$CPUTRACK" --tracker=bpf -T 0.02 -f --format=csv -o "$T/csv" -c page-faults \
		sh -c '"$0" faults 3000; i=0; while [ "$i" -lt 100000 ]; do i=$((i + 1)); done' "$PROG/act"
	[ "$(csv_count "$T/csv" tick)" -ge 2 ]
	awk -F, '
		$5 == "tick" { ticks[$2] += $10; last[$2] = NR }
		$5 == "exec" && $10 != "" { ticks[$2] = 0 }
		$5 == "exit" && (ticks[$2] > $10 || NR < last[$2]) { print "pid " $2 ": ticks " ticks[$2] ", exit " $10; exit 1 }' "$T/csv"
	# Ticks that come at times of their own are those of a tracer, too.
	run -0 bounded "$CPUTRACK" --tracker=bpf -T 0.05 -t --format=csv -o "$T/csv" -c page-faults "$PROG/busy" 300
	awk -F, '
		$5 == "tick" && $3 == 1 { n++; cycles += $7 }
		END { print n " ticks and " cycles " cycles in " $1 " s"; exit !(n >= 2 && n <= $1 / 0.05 + 1 && cycles > 0) }' "$T/csv"
}

@test "tracker: samples of BPF programs begin anew at an exec, also those of several threads of a process" {
	need_bpf
	# busy has a thread besides the first one.
	run -0 bounded "$CPUTRACK" --tracker=bpf -e -T 0.02 --format=csv -o "$T/csv" -c task-clock sh -c '
		i=0
		while [ "$i" -lt 40000 ]; do i=$((i + 1)); done
		exec "$0" 150' "$PROG/busy"
	awk -F, '
		$5 == "exec" && $10 != "" { execs++; until = $10; sum[$2, $4] = 0 }
		$5 == "tick" {
			if ($10 + 0 > 1e11) { print "a tick of " $10; exit 1 }
			if (execs) { after++; sum[$2, $4] += $10; tids[$4] = 1 } else before++
		}
		$5 == "exit" { total = $10 }
		END {
			for (k in sum) { split(k, id, SUBSEP); ticked += sum[k] }
			for (t in tids) n++
			print before " ticks before the exec, " after " after it, of " n " LWPs, with " ticked " of " total
			exit !(execs == 1 && before >= 2 && after >= 4 && n == 2 && ticked > 0 && ticked <= total)
		}' "$T/csv"
}

@test "tracker: a sample of BPF programs has very many threads in the order of their ids" {
	need_bpf
	run -0 bounded "$CPUTRACK" --quiet --tracker=bpf -T 0.02 --format=csv -o "$T/csv" -c page-faults "$PROG/load" live 3000
	awk -F, '
		$5 == "tick" {
			n = $4 > last ? n + 1 : 1
			last = $4
			if (n > most) most = n
		}
		END { print "at most " most " LWPs of a sample follow one another"; exit !(most > 1024) }' "$T/csv"
}

@test "tracker: BPF programs count the switches of contexts that the program makes" {
	need_bpf
	local from to counted i
	for i in 1 2 3; do
		run -0 bounded "$CPUTRACK" --tracker=bpf -T 0 --format=csv -o "$T/csv" -c context-switches sh -c '
			switches() { while read -r key n; do case $key in *_switches:) eval "$1=\$(($1 + n))" ;; esac; done < /proc/$$/status; }
			from=0 to=0 i=0
			switches from
			while [ "$i" -lt 40 ]; do /bin/true; i=$((i + 1)); done
			switches to
			echo "$from $to"'
		read -r from to <<< "$output"
		counted=$(csv_sum "$T/csv" exit)
		echo "$counted switches were counted, $from before and $to until the end"
		[ "$((to - from))" -ge 40 ]
		[ "$counted" -ge "$((to - from))" ] && [ "$counted" -le "$((to + 5))" ]
	done
	# In neither mode none are counted.
	run -0 bounded "$CPUTRACK" --quiet --tracker=bpf -T 0 --format=csv -o "$T/csv" -c context-switches,nouser sleep 0.01
	[ "$(csv_sum "$T/csv" exit)" -eq 0 ]
}

@test "tracker: BPF programs lose no record if cputrack cannot read them in time" {
	need_bpf
	mkfifo "$T/fifo"
	start "$T/out" env ORACLE="$T/truth" "$CPUTRACK" --tracker=bpf -T 0 -fev --format=csv -o "$T/csv" -c "$(hit_event oracle)" \
		sh -c 'echo "$$" > "$1.new"; mv "$1.new" "$1"; read -r x < "$2"; exec "$0" burst 12000' "$PROG/oracle" "$T/pid" "$T/fifo"
	local pid=$! program
	until_true test -s "$T/pid"
	program=$(cat "$T/pid")
	kill -STOP "$pid"
	echo go > "$T/fifo"
	until_true grep -q '^State:.Z' "/proc/$program/status"
	kill -CONT "$pid"
	finish "$pid"
	awk -F, '$5 != "exec"' "$T/csv" > "$T/rows"
	every_lwp "$T/truth" <(awk -F, -v program="$program" '
		NR == 1 || $5 == "exec" { from = NR } { row[NR] = $0 } END { for (i = from; i <= NR; i++) print row[i] }' "$T/csv")
}

# programs_of PID: print the ids of the BPF programs that a process has.
programs_of() { sed -n 's/^prog_id:[[:blank:]]*//p' /proc/"$1"/fdinfo/* 2> /dev/null | sort -u; }

# are_gone ID...: the kernel has none of these BPF programs.
are_gone() {
	python3 - "$@" << 'END'
import ctypes, platform, sys
BPF_PROG_GET_FD_BY_ID = 13
number = {"x86_64": 321, "aarch64": 280}[platform.machine()]
for word in sys.argv[1:]:
    attr = (ctypes.c_uint32 * 4)(int(word))
    sys.exit(1) if ctypes.CDLL(None).syscall(number, BPF_PROG_GET_FD_BY_ID, attr, 16) != -1 else None
END
}

@test "tracker: BPF programs are gone when cputrack is killed" {
	need python3
	need_bpf
	start "$T/out" "$CPUTRACK" --tracker=bpf -T 0 -o "$T/rows" -c page-faults sleep 60
	local pid=$! ids
	until_true eval '[ "$(programs_of "$pid" | wc -l)" -ge 4 ]'
	mapfile -t ids <<< "$(programs_of "$pid")"
	! are_gone "${ids[0]}"
	kill -KILL "$pid"
	finish "$pid" || true
	until_true are_gone "${ids[@]}"
}

@test "tracker: BPF programs have the ids that cputrack sees, in and around namespaces of pids" {
	need_root
	need unshare
	need_bpf
	unshare --pid --fork true || skip 'namespaces of pids cannot be made here'
	run -0 bounded "$CPUTRACK" --tracker=bpf -T 0 -f -e --names --format=csv -o "$T/csv" -c page-faults \
		unshare --pid --fork sh -c 'echo $$; (exit 3); exit 0'
	[ "$output" = 1 ]
	# The process that calls itself 1 has another id outside.
	[ "$(csv_count "$T/csv" exit)" -eq 3 ]
	awk -F, 'NR > 1 && $2 == 1 { exit 1 }' "$T/csv"
	run -0 bounded unshare --pid --fork --mount-proc "$CPUTRACK" --tracker=bpf -T 0 -f -e --format=csv -o "$T/csv" -c page-faults \
		sh -c '(exit 3); echo "$$"'
	has ",$output,1,$output,exit," "$T/csv"
}

@test "tracker: what BPF programs would count falsely, or cannot do, is refused, and nothing runs" {
	need_bpf
	local options
	for options in '-T 1 -N 3 -c page-faults' '-T 1 --chart -c page-faults' '-T 1 -c page-faults -c task-clock' \
		'-T 0 -c sched:sched_switch' '-T 0 -c cgroup-switches' '-T 0 --engine=sim -c instructions'; do
		rm -f "$T/ran"
		# shellcheck disable=SC2086 # options
		run -125 --separate-stderr "$CPUTRACK" --tracker=bpf $options touch "$T/ran"
		[[ $stderr == *"cputrack: "* ]]
		[ ! -e "$T/ran" ]
	done
	run -125 "$CPUTRACK" --tracker=bpf -T 0 -c page-faults -p $$
	[[ $output == *"--tracker=bpf: a process that already runs (-p) needs a tracer"* ]]
}

@test "tracker: a user without capabilities is told what BPF programs need" {
	need_root
	need setpriv
	need_bpf
	public_dir
	run -125 as_nobody "$D/cputrack" --tracker=bpf -T 0 -c page-faults true
	[[ $output == *"--tracker=bpf: BPF programs need the capabilities CAP_BPF and CAP_PERFMON: run as root, or "* ]]
	run -0 as_nobody "$D/cputrack" --doctor
	[[ $output == *$'\nmissing  BPF programs             BPF programs need the capabilities CAP_BPF and CAP_PERFMON: '* ]]
	run -0 --separate-stderr setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=+bpf,+perfmon --ambient-caps=+bpf,+perfmon \
		"$D/cputrack" --tracker=bpf -T 0 -c page-faults true
}

@test "tracker: --doctor says whether BPF programs can count here" {
	run -0 "$CPUTRACK" --doctor
	if "$CPUTRACK" --tracker=bpf -T 0 -o /dev/null -c page-faults true 2> "$T/why"; then
		[[ $output == *$'\nok       BPF programs             each LWP can be counted and sampled without a tracer (--tracker=bpf)\n'* ]]
	else
		[[ $output == *$'\nmissing  BPF programs             '* ]]
		grep -q -- '--tracker=bpf: ' "$T/why"
	fi
}

@test "tracker: BPF programs count a set-id program, and take the place of records that lack it" {
	need_root
	need setpriv
	need_bpf
	public_dir
	cp "$PROG/act" "$D/setid"
	chmod 4755 "$D/setid"
	[ "$(as_nobody "$D/setid" uids)" = '65534 0' ] || skip "set-id is off for $D"
	local options
	for options in '-T 0 --tracker=bpf' --threads; do
		# A tracer would take the privileges of the program away.
		# shellcheck disable=SC2086 # options
		run -0 setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=+bpf,+perfmon --ambient-caps=+bpf,+perfmon \
			"$D/cputrack" $options -c page-faults "$D/setid" uids
		[[ $output == *'65534 0'* ]]
	done
}

@test "tracker: BPF programs count very many threads, and a program that seccomp(2) would kill if it counted or traced" {
	need_bpf
	local n=4000 kib
	[ -z "${LONG-}" ] || n=100000
	exact_by bpf seq $n
	! "$PROG/oracle" seccomp 1 > /dev/null || exact_by bpf seccomp 20
	plain_build 'the memory is that of the build'
	[ -z "${SANITIZE-}" ] || skip 'AddressSanitizer keeps memory that was freed'
	kib=$(memory -f --tracker=bpf "$PROG/load creators $n")
	echo "$n threads: $kib KiB"
	[ "$kib" -lt 16384 ]
}
