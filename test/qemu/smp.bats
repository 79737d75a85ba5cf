# Counts follow LWPs between two CPUs, and survive when one CPU goes offline.
#
# QEMU runs the CPUs in turn in one thread, and a CPU's counter in user mode also counts the instructions that the
# other CPU executes in between. So a value is never less than the truth but may be more: by some thousands for each
# tick, and by up to 4,000,000 instructions (4 ms, a tick of the scheduler) if a CPU's turn ends in user mode. A CPU
# may also wait so long for its turn that ticks of cputrack are late. If one CPU is offline, values are exact.

bats_require_minimum_version 1.5.0
load ../helper

cpu1=/sys/devices/system/cpu/cpu1/online

setup() {
	echo 1 > $cpu1
}

# silent FILE: the file has no message except that ticks were skipped.
silent() { ! grep -Ev '^cputrack: (1 tick was skipped because it was|[0-9]+ ticks were skipped because they were) late$' "$1"; }

# count [OPTION...] COMMAND: run cputrack. CSV rows without a title go to $T/csv; there must be no messages.
count() {
	bounded "$CPUTRACK" -n -v --strict --format=csv -o "$T/csv" "$@" 2> "$T/err"
	silent "$T/err"
}

# Each of these functions prints what a program, thread or child retires in user mode, by the formulas of prog/*.S.
turns() { echo $((2 * $1 + 5 * ${#1} + 8)); }
# rounds I N: thread I of rounds
rounds() { echo $((80 * $1 * $2 + 326)); }
migrate() { echo $(($1 * (2 * $2 + 11) + 5 * (${#1} + ${#2}) + 19)); }
# part I N: thread or child I
part() { echo $((2 * $1 * $2 + 6)); }
# first K N: the first thread of threads or rounds
first() { echo $((22 * $1 + 5 * (${#1} + ${#2}) + 15)); }
forks() { echo $((16 * $1 + 5 * (${#1} + ${#2}) + 14)); }

# near FILE: in each line "TRUTH VALUE" the value is not less than the truth, and more by two turns and a quarter at
# most.
near() {
	awk '$2 < $1 || $2 > 1.25 * $1 + 8e6 { print "truth and value:", $0; bad = 1 } END { exit bad || !NR }' "$1"
}

# all_near: the values in $T/values are near those in $T/truth, in the same order, and as many.
all_near() {
	[ "$(wc -l < "$T/values")" -eq "$(wc -l < "$T/truth")" ]
	near <(paste -d ' ' "$T/truth" "$T/values")
}

# one TRUTH: the exit row of the only process is near the truth.
one() {
	near <(awk -F, -v truth="$1" '$5 == "exit" && $8 == 0 { print truth, $10 }' "$T/csv")
}

# each_thread WORK K N: the first thread and K others, of which thread I retires WORK I N, are near their truth, and
# the process has their sum.
each_thread() {
	local i
	{ first "$2" "$3"; for ((i = 1; i <= $2; i++)); do "$1" "$i" "$3"; done; } > "$T/truth"
	# The order of the tids is the order of creation.
	awk -F, '$5 == "fini_lwp" && $8 == 0 { print $4, $10 }' "$T/csv" | sort -n | cut -d ' ' -f 2 > "$T/values"
	all_near
	one "$(awk '{ s += $1 } END { printf "%d\n", s }' "$T/truth")"
	awk -F, '$8 == 0 && $5 == "fini_lwp" { s += $10 } $8 == 0 && $5 == "exit" { e = $10 } END { exit s != e }' "$T/csv"
}

# ticks_within: the ticks of an LWP add up to no more than its total.
ticks_within() {
	awk -F, '$8 == 0 && $5 == "tick" { s[$4] += $10; n++ } $8 == 0 && $5 == "fini_lwp" { t[$4] = $10 }
		END { for (k in s) if (s[k] > t[k]) { bad = 1; print "tid " k ": ticks " s[k] ", total " t[k] }
			exit bad || !n }' "$T/csv"
}

@test "smp: a loop on each CPU" {
	local cpu
	for cpu in 0 1; do
		count -T 0 -e -c INST_RETIRED taskset -c $cpu "$PROG/turns" 10000000
		# The row of taskset, which executes turns, is an exec row.
		one "$(turns 10000000)"
	done
}

@test "smp: loops on both CPUs at the same time" {
	local n=20000000 cpu tool=()
	for cpu in 0 1; do
		start "$T/csv$cpu" taskset -c $cpu "$CPUTRACK" -n --strict -T 0 --format=csv -c INST_RETIRED "$PROG/turns" $n
		tool[cpu]=$!
	done
	for cpu in 0 1; do
		finish "${tool[cpu]}"
		silent "$T/csv$cpu.err"
		mv "$T/csv$cpu" "$T/csv"
		one "$(turns $n)"
	done
}

@test "smp: moves between CPUs lose nothing, and are counted" {
	local cpu
	for cpu in 0 1; do
		taskset -c $cpu "$CPUTRACK" -n --strict -T 0 --format=csv -o "$T/csv" -c INST_RETIRED,cpu-migrations \
			"$PROG/migrate" 40 1000000 2> "$T/err"
		silent "$T/err"
		one "$(migrate 40 1000000)"
		# The program's first move is to CPU 1.
		[ "$(awk -F, '$9 == "cpu-migrations" { print $10 }' "$T/csv")" -eq $((40 - cpu)) ]
	done
}

@test "smp: ticks lose nothing of a program that moves between CPUs" {
	count -T 0.01 -c INST_RETIRED "$PROG/migrate" 40 1000000
	one "$(migrate 40 1000000)"
	[ "$(csv_count "$T/csv" tick)" -ge 6 ]
	# The last tick comes during the program's sleep, after which 3 instructions follow.
	[ $(($(csv_sum "$T/csv" exit) - $(csv_sum "$T/csv" tick))) -eq 3 ]
}

@test "smp: threads on both CPUs have their own counts" {
	count -T 0 -c INST_RETIRED "$PROG/threads" 4 5000000
	each_thread part 4 5000000
	count -T 0.005 -c INST_RETIRED "$PROG/threads" 4 5000000
	each_thread part 4 5000000
	ticks_within
}

@test "smp: 8 threads on two CPUs have their own counts" {
	count -T 0.005 -c INST_RETIRED "$PROG/threads" 8 3000000
	each_thread part 8 3000000
	ticks_within
}

@test "smp: children on both CPUs have their own counts" {
	local k=4 n=3000000 i
	count -f -T 0 -c INST_RETIRED "$PROG/forks" $k $n
	{ forks $k $n; for ((i = 1; i <= k; i++)); do part $i $n; done; } > "$T/truth"
	# The order of the pids is the order of creation.
	awk -F, '$5 == "exit" { print $2, $10 }' "$T/csv" | sort -n | cut -d ' ' -f 2 > "$T/values"
	all_near
}

@test "smp: software events are exact, and -D finds no difference to the whole tree" {
	# Each process has a page fault for its one page of code, which its threads then find. With -D cputrack
	# compares the sum of all software events with the whole tree's, and reports a difference.
	local set=INST_RETIRED,page-faults,minor-faults
	count -f -T 0 -c $set "$PROG/forks" 4 1000000
	[ "$(awk -F, '$5 == "exit" && $8 > 0 { print $10 }' "$T/csv" | uniq -c | tr -s ' ')" = ' 10 1' ]
	count -f -D -T 0 -c $set "$PROG/threads" 8 100000
	[ "$(awk -F, '$5 == "fini_lwp" && $8 > 0 && $10 { print $3, $10 }' "$T/csv")" = $'1 1\n1 1' ]
	# Six of the processes end in a program with one page of code, and each of the six has one page fault.
	count -fe -D -T 0 -c page-faults bash -c "$PROG/threads 4 1000 & $PROG/forks 4 1000 & wait"
	[ "$(awk -F, '$5 == "exit" && $10 == 1' "$T/csv" | wc -l)" -eq 6 ]
}

ticks() { csv_count "$T/csv" tick; }
more_ticks() { (($(ticks) > seen)); }

@test "smp: a CPU goes offline under threads that are counted, and comes back" {
	# The threads of rounds sleep now and then. Otherwise this shell would wait long for its turn, as ticks do.
	local tool n=300000
	start "$T/out" "$CPUTRACK" -n -v --strict -T 0.01 --format=csv -o "$T/csv" -c INST_RETIRED "$PROG/rounds" 4 $n
	tool=$!
	until_true has ,tick, "$T/csv"
	echo 0 > $cpu1
	seen=$(ticks)
	until_true more_ticks
	echo 1 > $cpu1
	seen=$(ticks)
	finish $tool
	# The program was still running when the CPU came back.
	more_ticks
	silent "$T/out.err"
	each_thread rounds 4 $n
	ticks_within
}

@test "smp: a CPU goes offline under a program that is bound to it" {
	local tool n=400000000
	start "$T/csv" taskset -c 1 "$CPUTRACK" -n -v --strict -T 0.01 --format=csv -c INST_RETIRED,cpu-migrations \
		"$PROG/turns" $n
	tool=$!
	until_true has ,tick, "$T/csv"
	echo 0 > $cpu1
	seen=$(ticks)
	finish $tool
	more_ticks
	silent "$T/csv.err"
	one "$(turns $n)"
	[ "$(awk -F, '$5 == "exit" && $9 == "cpu-migrations" { print $10 }' "$T/csv")" -eq 1 ]
}

off_and_on() {
	local i
	for i in 1 2 3 4 5; do
		sleep 0.02
		echo 0 > $cpu1
		sleep 0.02
		echo 1 > $cpu1
	done
}

@test "smp: breakpoints are exact while a CPU goes offline and online" {
	start "$T/off_and_on" off_and_on
	local pid=$!
	oracle comp 8 -T 0.002
	every_lwp "$T/truth" "$T/csv"
	finish $pid
	[ ! -s "$T/off_and_on.err" ]
}

@test "smp: if one CPU is offline from the start, every count is exact" {
	echo 0 > $cpu1
	count -T 0.01 -c INST_RETIRED "$PROG/turns" 10000000
	[ "$(csv_sum "$T/csv" exit)" -eq "$(turns 10000000)" ]
	count -T 0.01 -c INST_RETIRED "$PROG/threads" 4 1000000
	each_thread part 4 1000000
	diff "$T/truth" "$T/values"
}
