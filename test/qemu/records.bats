# --tracker=records on a kernel that records what each LWP has counted: the counts of a PMU are exact in each LWP. CPU 1 is
# offline for them, as instructions of the other CPU can be added if both run (smp.bats).

bats_require_minimum_version 1.5.0
load ../helper
load lwps

online=/sys/devices/system/cpu/cpu1/online

setup() {
	echo 0 > $online
}

@test "records: each thread has its exact count of a PMU, by records and by BPF programs" {
	local tracker
	for tracker in records bpf; do
		each_lwp $tracker "$(first 22 15 4 1000000)" threads 4 1000000
		each_lwp $tracker "$(first 22 15 20 100)" threads 20 100
		each_lwp $tracker "$(first 18 15 20 7)" seq 20 7
		each_process $tracker 5 200000
	done
}

@test "records: more events than there are counters are scaled, which notes say" {
	scaled records
}

@test "records: breakpoints are exact in threads and forks that begin and end on two CPUs" {
	local mode
	echo 1 > $online
	for mode in 'seq 50' 'live 20' 'creators 80' 'forks 20' 'tree 2' 'tforks 5' 'kill 5' 'leaderexit 3'; do
		# shellcheck disable=SC2086 # a mode and a number
		oracle $mode -T 0 --tracker=records
		every_lwp "$T/truth" "$T/csv"
		every_image "$T/truth" "$T/csv"
		tail_rule "$T/csv"
	done
}

@test "records: while a CPU goes offline and comes back LWPs are exact, or a message says how many are in no row" {
	echo 1 > $online
	start "$T/out" bash -c "for ((;;)); do sleep 0.03; echo 0 > $online; sleep 0.03; echo 1 > $online; done"
	# Threads that begin before.
	oracle comp 8 -T 0 --tracker=records
	every_lwp "$T/truth" "$T/csv"
	# On a CPU that has come back the kernel reports no births to those who observe all processes.
	run oracle forks 100 -T 0 --tracker=records
	if [ "$status" -ne 0 ]; then
		[ "$status" -eq 125 ]
		[[ $output == *' records of the lives of LWPs were lost; the row rest has what is in no other row' ]]
		[ "$(($(csv_sum "$T/csv" exit) + $(csv_sum "$T/csv" rest)))" -eq "$(awk '{ sum += $3 } END { print sum }' "$T/truth")" ]
	else
		every_lwp "$T/truth" "$T/csv"
	fi
}

@test "records: LWPs that are born on a CPU that was offline at the start have rows with their counts" {
	# shellcheck disable=SC2016 # variables of the command
	run -0 "$CPUTRACK" --tracker=records --strict -f -n -T 0 --format=csv -o "$T/csv" -c page-faults bash -c "echo 1 > $online"'
		taskset -c 1 "$0" seq 5; exit 0' "$PROG/oracle"
	[[ $output != *lost* ]]
	[ "$(csv_count "$T/csv" lwp_exit)" -eq 5 ]
	[ "$(csv_count "$T/csv" rest)" -eq 0 ]
}

@test "records: a table of threads and --tracker=records need no privilege, and --doctor says what works here" {
	run -0 "$CPUTRACK" --doctor
	[[ $output == *$'\nok       records of LWPs          each LWP can be counted without a tracer (--tracker=records)\n'* ]]
	[[ $output == *$'\nok       BPF programs             each LWP can be counted and sampled without a tracer (--tracker=bpf)\n'* ]]
	public_dir
	need_unprivileged_counting
	[ "$(tracer_of as_nobody "$D/cputrack" --threads -o "$D/out/rows" -c INST_RETIRED)" -eq 0 ]
	as_nobody "$D/cputrack" --tracker=records --strict -n -T 0 --format=csv -c INST_RETIRED "$PROG/threads" 3 1000 > "$T/csv"
	counts lwp_exit | diff <(parts 0 3 1000 | sed 1d) -
}
