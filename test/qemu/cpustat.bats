# cpustat on one CPU whose time is made of instructions, with programs whose instructions are known (prog/*.S give the
# numbers). A CPU's count has everything that runs there: the program, the shell and the tool. What the shell and the
# tool add differs between runs by some hundreds of instructions only (pids and times take more digits or fewer). In
# user mode an instruction takes one cycle, which is 1 ns.

bats_require_minimum_version 1.5.0
load ../helper

# The kernel's self-tests of its ciphers run on the same CPU; the counts are known when they have ended. The first run
# of a program reads its files, later ones find them in memory.
setup_file() {
	while grep -qs cryptomgr_test /proc/[0-9]*/comm; do
		sleep 0.1
	done
	"${CPUSTAT:-build/bin/cpustat}" -c INST_RETIRED 0.01 1
	"${PROG:-build/prog}/turns" 1
}

# instructions N: set $truth to what `turns N` retires in user mode (turns.S).
instructions() { truth=$((2 * $1 + 5 * ${#1} + 8)); }

# cpus [OPTION...] INTERVAL [COUNT]: start cpustat in the background. CSV rows without a title go to $T/csv, messages
# to $T/csv.err; $tool is its pid.
cpus() {
	start "$T/csv" "$CPUSTAT" -n --format=csv "$@"
	tool=$!
}

# ended [STATUS]: wait until cpustat ends; its exit status must be STATUS (0). A loop that polls would be counted, too.
ended() {
	local status=0
	wait "$tool" || status=$?
	cat "$T/csv.err" >&2
	[ "$status" -eq "${1:-0}" ]
}
silent() { [ ! -s "$T/csv.err" ]; }

# value WORD [SET [PIC]]: the values in rows of this word (tick or total), one a line.
value() {
	awk -F, -v word="$1" -v set="${2:-0}" -v pic="${3:-0}" '$3 == word && $7 == set && $9 == pic { print $11 }' "$T/csv"
}

# within VALUE LOW HIGH: the value is in this range.
within() {
	[ "$1" -ge "$2" ] && [ "$1" -le "$3" ] && return
	echo "$1 is not from $2 to $3"
	return 1
}

# times N ITEM: set $list to N times ITEM with commas between.
times() {
	local i
	list=$2
	for ((i = 1; i < $1; i++)); do
		list+=,$2
	done
}

# beside N: set $sum to the CPU's count of two intervals, in the first of which `turns N` runs. A separate shell starts
# both programs, because bats' own shell executes much more for each command.
beside() {
	bash -c "
		'$CPUSTAT' -n --strict --format=csv -c INST_RETIRED 0.5 2 > '$T/csv' 2> '$T/csv.err' &
		sleep 0.1
		$PROG/turns $1
		wait"
	silent
	sum=$(value total)
}

@test "cpustat: a CPU's count has all instructions of a program" {
	local n first
	beside 10000000
	first=$sum
	# The rest is what it takes to start two programs.
	instructions 10000000
	within $((first - truth)) 0 1000000
	for n in 20000000 30000000 90000000; do
		beside $n
		within $((sum - first - 2 * (n - 10000000))) -1000 1000
	done
}

@test "cpustat: the interval in which a program runs has its instructions, and the total is the sum" {
	beside 50000000
	instructions 50000000
	[ "$(value tick | wc -l)" -eq 2 ]
	within "$(value tick | head -n 1)" $truth $((truth + 1000000))
	within "$(value tick | tail -n 1)" 0 100000
	[ "$(value tick | awk '{ s += $1 } END { print s }')" -eq "$sum" ]
	awk -F, '$15 != "exact" || $11 != $12 || $13 != $14 || $13 > 1e9 { print; exit 1 }' "$T/csv"
}

# in_all FILE: the total of perfex' CSV rows.
in_all() { awk -F, '$2 == "total" { print $8 }' "$1"; }

# tree COUNT COMMAND: under perfex, run cpustat for COUNT intervals and COMMAND at the same time. Set $processes to
# perfex' count of these processes, and $cpu to cpustat's count of the CPU.
tree() {
	"$PERFEX" --engine=kernel --strict --format=csv -o "$T/perfex" -e INST_RETIRED bash -c "
		'$CPUSTAT' -n --strict --format=csv -c INST_RETIRED 0.5 $1 > '$T/csv' 2> '$T/csv.err' &
		sleep 0.1
		$2
		wait" 2> "$T/perfex.err"
	silent
	processes=$(in_all "$T/perfex")
	cpu=$(value total)
}

@test "cpustat: the CPU's count is the sum of all processes, except for cpustat's beginning and end" {
	local apart=
	tree 1 :
	apart=$((processes - cpu))
	# Threads, children, programs that other programs start.
	tree 2 "$PROG/turns 40000000; $PROG/threads 4 3000000; $PROG/forks 3 3000000; $PROG/execs 3 1000000"
	within $((processes - cpu)) $((apart - 200000)) $((apart + 200000))
	within "$cpu" 180000000 220000000
}

@test "cpustat: the CPU's count has cputrack and the program that it tracks, which is exact to the last instruction" {
	local n=5000000 k=4 i lwps processes
	bash -c "
		'$CPUSTAT' -n --strict --format=csv -c INST_RETIRED 0.5 2 > '$T/csv' 2> '$T/csv.err' &
		sleep 0.1
		'$PERFEX' --engine=kernel --format=csv -o '$T/perfex' -e INST_RETIRED \
			'$CPUTRACK' -n --format=csv -o '$T/lwps' -T 0.05 -c INST_RETIRED '$PROG/threads' $k $n
		wait" 2> "$T/perfex.err"
	silent
	lwps=$((22 * k + 5 * (${#k} + ${#n}) + 15))
	for ((i = 1; i <= k; i++)); do
		lwps=$((lwps + 2 * i * n + 6))
	done
	[ "$(csv_sum "$T/lwps" exit)" -eq $lwps ]
	processes=$(in_all "$T/perfex")
	within "$processes" $lwps $((lwps + 5000000))
	# The rest is perfex itself, its shell, and cpustat.
	within $(($(value total) - processes)) 0 4000000
}

@test "cpustat: if a set has as many events as there are counters, all are exact and have the same value" {
	times 6 INST_RETIRED
	cpus --strict -c "$list,cycles,page-faults" 0.2 2
	sleep 0.05
	"$PROG/turns" 10000000
	ended
	silent
	instructions 10000000
	awk -F, -v truth=$truth '
		$15 != "exact" { bad = 1 }
		$9 == 0 { first = $11 }
		$9 < 7 && $11 != first { bad = 1 }
		$3 == "total" && $9 == 0 && $11 < truth { bad = 1 }
		$3 == "total" && $9 == 7 && $11 < 1 { bad = 1 }
		END { exit bad || NR != 3 * 8 }' "$T/csv"
}

@test "cpustat: more events than counters are scaled, are near the truth, and are reported at the end" {
	times 12 INST_RETIRED
	# turns runs longer than cpustat.
	start "$T/turns" "$PROG/turns" 1000000000
	cpus -c "$list" 0.2 2
	ended
	# At any time one half of the events counts: the sum of both halves is the truth.
	awk -F, '
		$15 != "scaled" || $12 >= $11 || $14 >= $13 { bad = 1 }
		{ v[$9] = $11; n[$9] = $12 }
		$9 == 11 {
			truth = n[0] + n[11]
			for (i = 0; i < 12; i++)
				if (v[i] < truth * 0.98 || v[i] > truth * 1.02) {
					print i, v[i], truth
					bad = 1
				}
		}
		$3 == "total" && $9 == 11 && truth < 0.95 * 0.4e9 { print truth; bad = 1 }
		END { exit bad || NR != 3 * 12 }' "$T/csv"
	[ "$(grep -cE '^cpustat: INST_RETIRED: scaled: counted (49|50)\.[0-9]* % of the time, the rest is extrapolated$' \
		"$T/csv.err")" -eq 12 ]
	[ "$(wc -l < "$T/csv.err")" -eq 12 ]
	cpus --strict -c "$list" 0.05 1
	ended 125
}

@test "cpustat: sets that take turns count nearly all instructions between them" {
	local sum n=90000000
	start "$T/turns" sh -c "sleep 0.05; exec $PROG/turns $n"
	cpus --strict -c INST_RETIRED -c CPU_CYCLES,page-faults 0.1 4
	ended
	silent
	[ "$(awk -F, '$9 == 0 && $3 == "tick" { printf "%s ", $7 }' "$T/csv")" = '0 1 0 1 ' ]
	[ "$(awk -F, '$9 == 0 && $3 == "total" { printf "%s ", $7 }' "$T/csv")" = '0 1 ' ]
	# A change of sets takes less than a slice of the scheduler (4 ms). The shell that starts turns is counted, too.
	sum=$(($(value total 0) + $(value total 1)))
	instructions $n
	within $sum $((truth - 12000000)) $((truth + 3000000))
	# turns runs for 180 ms, of which at least 80 ms are the first set's, whenever it starts; two changes can be missing.
	within "$(value total 0)" 72000000 110000000
}

@test "cpustat: -p: after the last set there is a pause, in which nothing is counted" {
	start "$T/turns" "$PROG/turns" 1000000000
	cpus -p 0.4 -c INST_RETIRED -c cycles 0.1 2
	ended
	silent
	[ "$(awk -F, '$3 == "tick" { printf "%.2f %s ", $1, $7 }' "$T/csv")" = '0.10 0 0.20 1 0.50 0 0.60 1 ' ]
	awk -F, '$3 == "tick" && ($11 > 0.15e9 || $11 < 0.09e9) { print; bad = 1 } END { exit bad }' "$T/csv"
}

@test "cpustat: system mode includes the idle loop, unless -s keeps the CPU busy" {
	local it
	cpus -c cycles,nouser,sys 0.1 3
	ended
	for it in $(value tick); do
		within "$it" 95000000 100100000
	done
	# The soaker's thread spins in user mode, waits while a set that counts user mode is bound, and has the lowest
	# scheduling policy, SCHED_IDLE (5).
	cpus -s -c cycles,nouser,sys -c cycles 0.2 4
	sleep 0.05
	it=$(find "/proc/$tool/task" -mindepth 1 -maxdepth 1 ! -name "$tool")
	[ "$(cut -d ' ' -f 41 "$it/stat")" -eq 5 ]
	[ "$(awk '/^Cpus_allowed_list/ { print $2 }' "$it/status")" = 0 ]
	ended
	silent
	for it in $(value tick 0); do
		within "$it" 1000 20000000
	done
	for it in $(value tick 1); do
		within "$it" 0 5000000
	done
}

@test "cpustat: -s takes hardly any time from programs" {
	local from to
	cpus -s -c cycles,nouser,sys 0.5 2
	sleep 0.1
	from=$(date +%s%N)
	"$PROG/turns" 50000000
	to=$(date +%s%N)
	ended
	# The program needs 100 ms in user mode, and the soaker gets 3 of 1027 shares (SCHED_IDLE).
	within $((to - from)) 100000000 115000000
}

@test "cpustat: if another program holds all counters, no value is printed, and the reason is" {
	run --separate-stderr "$PROG/hog" 7 "$CPUSTAT" --strict -n -c INST_RETIRED 0.1 1
	[ "$status" -eq 125 ]
	[ "${lines[0]}" = '  0.100   0  tick         - ' ]
	[ "$stderr" = 'cpustat: INST_RETIRED: not counted: the kernel never found counters for it; perf or the NMI watchdog may hold them' ]
}

@test "cpustat: -I prints from a file of -O the same rows as the run that wrote it" {
	local options
	for options in '' -t '-A cor -m' '--format=csv' '--format=json'; do
		# shellcheck disable=SC2086 # options
		"$CPUSTAT" $options -c INST_RETIRED,cycles -c page-faults -O "$T/file" 0.05 5 > "$T/live"
		# shellcheck disable=SC2086 # options
		"$CPUSTAT" $options -I "$T/file" > "$T/shown"
		# A file of samples has neither the host nor the modes and units.
		case $options in
		*csv) sed -E -i 's/(,[^,]*){3}$//' "$T/live" "$T/shown" ;;
		*json) sed -E -i '/"record":"(run|end)"/d; s/"(run|mode|unit)":("[^"]*"|null)//g' "$T/live" "$T/shown" ;;
		esac
		diff "$T/live" "$T/shown"
		has total "$T/live"
	done
}

# of PIC: the count of this pic in the metrics file.
of() { awk -v pic="pic=\"$1\"" '/^opencpc_events_total\{/ && index($0, pic) { print $2 }' "$T/metrics"; }

@test "cpustat: --openmetrics has the same counts as the rows" {
	cpus -c INST_RETIRED,page-faults --openmetrics="$T/metrics" 0.2 3
	sleep 0.05
	"$PROG/turns" 1000000
	ended
	[ "$(of 0)" -eq "$(value total 0 0)" ]
	[ "$(of 1)" -eq "$(value total 0 1)" ]
	within "$(of 0)" 2000000 12000000
	[ "$(tail -n 1 "$T/metrics")" = '# EOF' ]
	has '^opencpc_samples_total 3$' "$T/metrics"
	has '^opencpc_cpus 1$' "$T/metrics"
}
