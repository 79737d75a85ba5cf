# cputrack's counts are compared with the truth, to the last instruction. The guest has one CPU and time made of
# instructions, the programs' instructions are known (prog/*.S give the numbers), and each takes one cycle.

bats_require_minimum_version 1.5.0
load ../helper

# The kernel's self-tests of its ciphers compete with the tests for the CPU: wait until they have ended.
setup_file() {
	while grep -qs cryptomgr_test /proc/[0-9]*/comm; do
		sleep 0.1
	done
}

# instructions N: set $truth to what `turns N` retires in user mode (turns.S).
instructions() { truth=$((2 * $1 + 5 * ${#1} + 8)); }

# count [OPTION...] COMMAND: run cputrack. CSV rows without a title go to $T/csv, messages to $T/err.
count() { "$CPUTRACK" -n --format=csv -o "$T/csv" "$@" 2> "$T/err"; }

# values WORD: print the values in rows of this word, one a line.
values() { awk -F, -v word="$1" '$5 == word && $8 != "" { print $10 }' "$T/csv"; }

# exact N VALUE: one row exit has N values, all exact and equal to VALUE.
exact() {
	awk -F, -v n="$1" -v want="$2" '
		$5 == "exit" && $8 == seen && $10 == want && $11 == want && $12 == $13 && $14 == "exact" { seen++; next }
		$5 == "exit" { print; bad = 1 }
		END { exit bad || seen != n }' "$T/csv"
}

# times N ITEM: set $list to N times ITEM with commas between.
times() {
	local i
	list=$2
	for ((i = 1; i < $1; i++)); do
		list+=,$2
	done
}

@test "exact: a loop of N turns retires 2 N instructions and a fixed part" {
	local n
	for n in 0 7 1000000 2000000 12345678; do
		count --strict -T 0 -c INST_RETIRED "$PROG/turns" $n
		instructions $n
		exact 1 $truth
	done
}

@test "exact: an event has the same count under each of its names" {
	local p=armv8_pmuv3
	instructions 1000000
	count --strict -T 0 -c INST_RETIRED,instructions,0x8,$p/inst_retired/,$p/config=0x8/,$p/event=0x8/,cycles \
		"$PROG/turns" 1000000
	exact 7 $truth
	count --strict -T 0 -c CPU_CYCLES,cycles,0x11,17,$p/cpu_cycles/,$p/config=0x11/,cpu-cycles "$PROG/turns" 1000000
	exact 7 $truth
	[ ! -s "$T/err" ]
}

@test "exact: an event of a table is counted by an event of this processor, which is reported" {
	count --strict -T 0 -c PAPI_tot_ins,PAPI_tot_cyc "$PROG/turns" 1000000
	instructions 1000000
	exact 2 $truth
	has 'PAPI_tot_ins: counted as ' "$T/err"
	has 'PAPI_tot_cyc: counted as ' "$T/err"
}

@test "exact: the same command gives the same bytes" {
	# Times and pids depend on the state of the kernel and are deleted.
	local format i lines steady='s/^[0-9.]+,[0-9]+,1,[0-9]+,|,[0-9]+,[0-9]+,exact//g
		s/"run":"[^"]*"//; s/"(time_ns|unix_ns|start_unix_ns|pid|tid|enabled_ns|running_ns)":[0-9]+//g'
	for format in text csv json; do
		for i in 1 2 3 4 5; do
			"$CPUTRACK" --format=$format -c INST_RETIRED "$PROG/turns" 1000000
		done > "$T/rows"
		# Each line appears five times; one of them has the count.
		lines=$(sed -E "$steady" "$T/rows" | sort | uniq -c)
		[ "$(grep -c '^ *5 ' <<< "$lines")" -eq "$(wc -l <<< "$lines")" ]
		[[ "$lines" =~ 2000043 ]]
	done
}

@test "exact: user mode and system mode add up to both" {
	local v
	times 4 INST_RETIRED
	count --strict -T 0 -c "$list,sys1,nouser2,sys2,nouser3" "$PROG/turns" 1000000
	mapfile -t v < <(values exit)
	instructions 1000000
	[ "${v[0]}" -eq $truth ]
	[ "${v[2]}" -gt 1000 ]
	[ "${v[1]}" -eq $((v[0] + v[2])) ]
	# Neither mode.
	[ "${v[3]}" -eq 0 ]
}

# each_thread PROGRAM K N [OPTION...]: the program has K threads and the first, each has its exact count, and the
# process has their sum.
each_thread() {
	local program=$1 k=$2 n=$3 first sum part i
	shift 3
	count --strict -v -T 0 -c INST_RETIRED "$@" "$PROG/$program" "$k" "$n"
	case $program in
	threads) first=$((22 * k + 5 * (${#k} + ${#n}) + 15)) ;;
	seq) first=$((18 * k + 5 * (${#k} + ${#n}) + 15)) ;;
	esac
	sum=$first
	for ((i = 1; i <= k; i++)); do
		part=$((2 * i * n + 6))
		sum=$((sum + part))
		echo $part
	done > "$T/parts"
	# LWPs are numbered in the order of creation.
	awk -F, '$5 == "lwp_exit" { print $3, $10 }' "$T/csv" | sort -n | cut -d ' ' -f 2 | diff "$T/parts" -
	awk -F, -v k="$k" -v first=$first -v sum=$sum '
		$5 == "fini_lwp" { n++; if ($3 == 1) seen = $10 }
		$5 == "exit" { exit_sum = $10 }
		END { print n, seen, exit_sum; exit !(n == k + 1 && seen == first && exit_sum == sum) }' "$T/csv"
}

@test "exact: threads that run at the same time" {
	each_thread threads 4 1000000
	each_thread threads 4 54321
	each_thread threads 20 100
}

@test "exact: threads that run one after the other" {
	each_thread seq 4 1000000
	each_thread seq 20 0
}

@test "exact: ticks lose nothing of threads that run at the same time" {
	local n=5000000
	each_thread threads 4 $n -T 0.01
	[ "$(csv_count "$T/csv" tick)" -gt 20 ]
	# After its last tick an LWP executes less than between two ticks, which are 10 ms or 10,000,000 instructions
	# apart. A tick may be late by the time slice of another LWP (4 ms).
	awk -F, '
		$5 == "tick" { left[$3] -= $10 }
		$5 == "fini_lwp" { left[$3] += $10; n++ }
		END { for (l in left) if (left[l] < 0 || left[l] >= 14000000) { print l, left[l]; bad = 1 }
			exit bad || n != 5 }' "$T/csv"
}

@test "exact: children that run at the same time" {
	local k=5 n=200000 i
	count --strict -fv -T 0 -c INST_RETIRED "$PROG/forks" $k $n
	for ((i = 1; i <= k; i++)); do
		echo $((2 * i * n + 6))
	done > "$T/parts"
	echo $((16 * k + 5 * (${#k} + ${#n}) + 14)) >> "$T/parts"
	# The children are sorted by pid; the parent, which ends last, follows them.
	awk -F, '$5 == "exit" { print $2, $10 }' "$T/csv" > "$T/exits"
	{ head -n $k "$T/exits" | sort -n; tail -n 1 "$T/exits"; } | cut -d ' ' -f 2 | diff "$T/parts" -
	[ "$(values fini_lwp)" = "$(values exit)" ]
	[ "$(csv_count "$T/csv" fork)" -eq $k ]
}

@test "exact: each program that a process executes" {
	local k=5 n=300000 i
	count --strict -ev -T 0 -c INST_RETIRED "$PROG/execs" $k $n
	for ((i = k; i > 0; i--)); do
		echo $((2 * i * n + 5 * ${#n} + 27))
	done > "$T/parts"
	echo $((5 * ${#n} + 21)) >> "$T/parts"
	awk -F, '($5 == "exec" || $5 == "exit") && $8 != "" { print $10 }' "$T/csv" | diff "$T/parts" -
	values fini_lwp | diff "$T/parts" -
}

@test "exact: each tick counts from the tick before" {
	local k=4 n=100000 first round
	first=$((2 * n + 5 * (${#k} + ${#n}) + 16))
	round=$((2 * n + 8))
	# Ticks at 10, 20, 30 and 40 ms meet the four sleeps of 11.8 ms.
	count --strict -T 0.01 -c INST_RETIRED "$PROG/naps" $k $n
	[ "$(values tick)" = "$first"$'\n'"$round"$'\n'"$round"$'\n'"$round" ]
	exact 1 $((first + 3 * round + 5))
}

@test "exact: sets that take turns count every instruction between them" {
	# While cputrack changes the set nothing is counted. Both share the CPU, so the program runs in this time
	# only if cputrack's time slice ends then; the program's slice is 4 ms, with an instruction each ns.
	local n=30000000 sets
	instructions $n
	for sets in '-c INST_RETIRED -c CPU_CYCLES' '-c INST_RETIRED -c CPU_CYCLES,page-faults -c 0x8'; do
		# shellcheck disable=SC2086 # options
		count --strict -T 0.01 $sets "$PROG/turns" $n
		awk -F, -v n=$truth -v turn=4000000 '
			$8 == 0 && $5 == "tick" { ticks[$6]++ }
			$8 == 0 && $5 == "exit" { sum += $10; if ($10 < n / 5) bad = 1; sets++ }
			END { print sum, n
				exit !(sum <= n && (sum == n || sum > n - turn) && !bad && sets >= 2 && ticks[0] > 1 && ticks[1] > 1) }' "$T/csv"
	done
}

@test "exact: if a set has as many events as there are counters, all are exact, and the status is the program's" {
	local set
	times 6 INST_RETIRED
	instructions 1000000
	# For the last event only an event counter is free, which can count cycles, too.
	for set in "$list,cycles" "cycles,$list" cycles,cycles,cycles,cycles,cycles,cycles,cycles; do
		count --strict -T 0 -c "$set" "$PROG/turns" 1000000
		exact 7 $truth
		[ ! -s "$T/err" ]
	done
	run "$CPUTRACK" --strict -T 0 -o "$T/rows" -c "$set" bash -c 'exit 7'
	[ "$status" -eq 7 ]
	[ -z "$output" ]
}

# scaled_true N: exact values are N. Scaled values are marked in all columns, and are within 1 % of N, because the loop
# runs at the same speed all the time.
scaled_true() {
	awk -F, -v n="$1" '
		function off(v) { return v < n * 0.99 || v > n * 1.01 }
		$14 == "exact" { if ($10 != n || $10 != $11 || $12 != $13) bad = bad " " $8; next }
		$14 != "scaled" || !$13 || $13 >= $12 || $11 >= $10 || off($10) { bad = bad " " $8; next }
		$10 != int($11 * $12 / $13) { bad = bad " " $8 "!" }
		END { print NR " values, bad:" bad; exit bad != "" || !NR }' "$T/csv"
}

@test "exact: more events than counters are scaled to within 1 % and reported as scaled" {
	# The kernel rotates the groups every 4 ms, some 30 times in the 120 ms of this program.
	times 12 INST_RETIRED
	count -T 0 -c "$list" "$PROG/turns" 60000000
	instructions 60000000
	scaled_true $truth
	# At any time one of the two groups counts: the sum of their counts is the truth.
	awk -F, -v n=$truth '{ if ($14 != "scaled" || $11 != (NR <= 6 ? first : second) && $8 % 6) bad = 1 }
		$8 == 0 { first = $11 }
		$8 == 6 { second = $11 }
		END { exit bad || NR != 12 || first + second != n }' "$T/csv"
	[ "$(grep -c '^cputrack: INST_RETIRED: scaled: counted [45][0-9]\.[0-9]* % of the time, the rest is extrapolated$' \
		"$T/err")" -eq 12 ]
	[ "$(wc -l < "$T/err")" -eq 12 ]
}

@test "exact: JSON marks scaled values, and --strict does not accept them" {
	local v
	times 7 0x8
	run --separate-stderr "$CPUTRACK" --strict -T 0 --format=json -c "$list" "$PROG/turns" 12345678
	[ "$status" -eq 125 ]
	v='"value":2[0-9]{7},"count":[0-9]{7,8},"enabled_ns":2[0-9]{7},"running_ns":[0-9]{7,8},"class":"scaled"'
	[ "$(grep -oE "$v" <<< "$output" | wc -l)" -eq 7 ]
	[[ "$stderr" == *"0x8: scaled: counted "* ]]
}

@test "exact: no event for which there is no counter reads as 0" {
	# The kernel accepts a group that is too large while its leader is disabled: perf_event_open(2) opens the
	# group, which never runs. The program is so long that what the kernel does in its time is far below 1 %.
	local set
	instructions 40000000
	for set in 7:INST_RETIRED 8:cycles 7:INST_RETIRED,cycles 10:0x8,0x11 13:INST_RETIRED 20:0x11; do
		times "${set%:*}" "${set#*:}"
		count -T 0 -c "$list" "$PROG/turns" 40000000
		scaled_true $truth
		has scaled "$T/csv"
		has 'scaled: counted' "$T/err"
	done
}

@test "exact: software events stay exact beside scaled events" {
	times 12 INST_RETIRED
	count -T 0 -c "page-faults,$list,page-faults" "$PROG/turns" 10000000
	awk -F, '
		$9 == "page-faults" { if ($10 < 1 || $10 > 5 || $12 != $13 || $14 != "exact") bad = 1; next }
		$14 != "scaled" { bad = 1 }
		END { exit bad || NR != 14 }' "$T/csv"
}

@test "exact: if another program holds all counters, no value is printed, and the reason is" {
	run --separate-stderr "$PROG/hog" 7 "$CPUTRACK" --strict -n -T 0 -c INST_RETIRED "$PROG/turns" 1000000
	[ "$status" -eq 125 ]
	[[ "$output" =~ ^' '+[0-9.]+' '+1' '+exit' '+-' '$ ]]
	[ "$stderr" = 'cputrack: INST_RETIRED: not counted: the kernel never found counters for it; perf or the NMI watchdog may hold them' ]
	run --separate-stderr "$PROG/hog" 7 "$CPUTRACK" -T 0 --format=json -c cycles "$PROG/turns" 1000000
	[ "$status" -eq 0 ]
	[[ "$output" == *'"value":null,"count":null,'*'"running_ns":0,"class":"unavailable"'* ]]
}

@test "exact: software events are counted if another program holds all counters" {
	local set
	for set in INST_RETIRED,page-faults page-faults,INST_RETIRED cycles,page-faults,0x8; do
		"$PROG/hog" 7 "$CPUTRACK" -n --format=csv -o "$T/csv" -T 0 -c $set "$PROG/turns" 1000000 2> "$T/err"
		awk -F, '
			$9 == "page-faults" { if ($10 < 1 || $14 != "exact" || $12 != $13) bad = 1; n++; next }
			$10 != "" || $11 != "" || $12 < 2000000 || $13 != 0 || $14 != "unavailable" { bad = 1 }
			END { exit bad || n != 1 }' "$T/csv"
		has 'not counted: the kernel never found counters for it; ask for fewer events in its set' "$T/err"
		lacks page-faults "$T/err"
	done
}

@test "exact: events that fit into the counters that another program leaves are exact" {
	# One event counter and the cycle counter are free.
	"$PROG/hog" 5 "$CPUTRACK" --strict -n --format=csv -o "$T/csv" -T 0 -c cycles,INST_RETIRED "$PROG/turns" 1000000
	instructions 1000000
	exact 2 $truth
	# If two events share one counter, the kernel lets them take turns.
	"$PROG/hog" 5 "$CPUTRACK" -n --format=csv -o "$T/csv" -T 0 -c INST_RETIRED,0x8 "$PROG/turns" 20000000
	instructions 20000000
	scaled_true $truth
	lacks exact "$T/csv"
}

@test "exact: an event number that the PMU accepts but does not count is 0, as the kernel reports" {
	# Such events open, run and count nothing. What the kernel reports for them is the same as for a true 0, so
	# that is printed, with the running time.
	count -T 0 -c 0x3,0x66 "$PROG/turns" 1000000
	exact 2 0
	awk -F, '$13 <= 2000000 { bad = 1 } END { exit bad || NR != 2 }' "$T/csv"
}

@test "exact: the name of an event that the PMU does not list is refused before the program runs" {
	run --separate-stderr "$CPUTRACK" -T 0 -c L1D_CACHE_REFILL touch "$T/touched"
	[ "$status" -eq 125 ]
	[ -z "$output" ]
	[ "${stderr_lines[0]}" = 'cputrack: L1D_CACHE_REFILL: this processor lacks this event: its PMU (armv8_pmuv3) does not list event 0x3, which would count nothing; choose another event' ]
	[ ! -e "$T/touched" ]
}

@test "exact: an event that the kernel does not have is refused before the program runs" {
	run --separate-stderr "$CPUTRACK" -T 0 -c cache-misses touch "$T/touched"
	[ "$status" -eq 125 ]
	[ -z "$output" ]
	[ "${stderr_lines[0]}" = 'cputrack: cache-misses: the counters of this processor cannot count this event (type 0, config 0x3); choose another' ]
	[ ! -e "$T/touched" ]
}

@test "exact: a process that is captured while it sleeps is counted from then on, in whole rounds" {
	local n=1000 round=2008
	start "$T/out" "$PROG/naps" 60 $n
	sleep 0.05
	count --strict -T 0.01 -c INST_RETIRED -p $!
	# The count has whole rounds and the 5 instructions after the last sleep.
	local sum
	sum=$(values exit)
	[ "$sum" -gt $((20 * round)) ]
	[ $(((sum - 5) % round)) -eq 0 ]
	[ "$(values tick | sort -n | uniq | tr '\n' ' ')" = "0 $round " ]
	[ $((sum - $(csv_sum "$T/csv" tick))) -le $((2 * round)) ]
}

@test "exact: a process that is captured in its loop has ticks of the instructions of their time" {
	local n=80000000 sum
	start "$T/out" "$PROG/turns" $n
	sleep 0.02
	count --strict -T 0.01 -c INST_RETIRED -p $!
	sum=$(values exit)
	instructions $n
	[ "$sum" -lt $truth ]
	[ "$sum" -gt $((n / 2)) ]
	# A tick has an instruction for each ns, less those that cputrack executes for it. The scheduler may let a tick
	# come late.
	awk -F, '$5 == "tick" {
		ns = ($1 - last) * 1e9
		last = $1
		if ($10 > 1.01 * ns || $10 < 0.95 * ns)
			bad = 1
		n++
	} END { exit bad || n < 5 }' "$T/csv"
	[ $((sum - $(csv_sum "$T/csv" tick))) -lt 10100000 ]
}

# golden NAME OPTION... COMMAND: compare cputrack's rows with a file. The pids are always the same here. Times in ns
# depend on the kernel; they and what is computed from them are replaced by #.
golden() {
	local name=$1
	shift
	echo 1000 > /proc/sys/kernel/ns_last_pid
	"$CPUTRACK" -o "$T/rows" "$@"
	sed -E -e '/"record":"(run|end)"/d' -e 's/"run":"[^"]*"/"run":"#"/' -e 's/,[^,]*,,(user|),tour$/,#,,\1,tour/' \
		-e 's/"(time_ns|unix_ns|tsc|enabled_ns|running_ns)":[0-9]+/"\1":#/g' \
		-e 's/^[0-9]+\.[0-9]{9},(([^,]*,){5})[0-9]*,(([^,]*,){4})[0-9]*,[0-9]*,/#,\1#,\3#,#,/' "$T/rows" > "$T/seen"
	diff "test/qemu/golden/$name" "$T/seen"
}

# tour_numbers: print the counts that the golden files must have, by the formulas of tour.S: LWP 1 at its two ticks and
# in all, the thread, the child, the whole first image, and the last image.
tour_numbers() {
	local n=1000000 it
	for it in $((5 * ${#n} + 30)) 10 $((5 * ${#n} + 55)) $((2 * n + 6)) $((4 * n + 6)) \
		$((5 * ${#n} + 55 + 2 * n + 6)) $((5 * ${#n} + 19)); do
		echo "$it"
	done | sort
}

@test "exact: a run with all kinds of rows as text" {
	golden tour.text --tracker=ptrace -fev -T 0.01 -c INST_RETIRED,cycles "$PROG/tour" 1 1000000
	[ "$(awk '$5 ~ /^[0-9]+$/ && $5 { print $5; if ($6 != $5) print $6 }' test/qemu/golden/tour.text | sort -u)" = \
		"$(tour_numbers)" ]
}

# A tracer stops LWP 1 for the SIGCHLD of its child, which interrupts the system call in which LWP 1 sleeps, so that it is
# executed once more.
@test "exact: BPF programs give the same rows, without the instruction of a call that a tracer interrupts" {
	"$CPUTRACK" --tracker=bpf -fev -T 0.01 -o "$T/bpf" -c INST_RETIRED,cycles "$PROG/tour" 1 1000000
	[ "$(grep -c ' 9         9 $' "$T/bpf")" -eq 1 ]
	same() {
		sed -E 's/^ *[0-9.]+ +[0-9]+|# [0-9]+$/#/g' "$1"
	}
	same test/qemu/golden/tour.text | sed -E 's/ 10        10 $/ 9         9 /; s/ 90        90 $/ 89        89 /; s/ 2000096   2000096 $/ 2000095   2000095 /' |
		diff <(tr -s ' ' < /dev/stdin) <(same "$T/bpf" | tr -s ' ')
}

@test "exact: a run with all kinds of rows as CSV" {
	golden tour.csv --tracker=ptrace -fevt -T 0.01 --format=csv -c INST_RETIRED,cycles "$PROG/tour" 1 1000000
	[ "$(awk -F, '$10 { print $10 }' test/qemu/golden/tour.csv | grep -v value | sort -u)" = "$(tour_numbers)" ]
}

@test "exact: a run with all kinds of rows as JSON" {
	golden tour.json --tracker=ptrace -fevt -T 0.01 --format=json -c INST_RETIRED,cycles "$PROG/tour" 1 1000000
	[ "$(grep -o '"value":[1-9][0-9]*' test/qemu/golden/tour.json | cut -d : -f 2 | sort -u)" = "$(tour_numbers)" ]
}

@test "exact: -t prints the time on the processor in ticks of the time-stamp counter" {
	# The time-stamp counter of this machine ticks every 16 ns (62.5 MHz).
	count -t -T 0.01 -c INST_RETIRED "$PROG/naps" 4 100000
	awk -F, '$7 != int($12 / 16) { print; bad = 1 } END { exit bad || NR < 5 }' "$T/csv"
	"$CPUTRACK" -t -T 0 -c INST_RETIRED "$PROG/naps" 1 100000 > "$T/rows"
	[ "$(head -n 1 "$T/rows")" = '   time lwp      event      tick      pic0 ' ]
	# The time has no sleep in it: 200,056 instructions, and the kernel's work for them.
	awk 'NR == 2 { exit !($5 == 200056 && $4 > $5 / 16 && $4 < 2 * $5 / 16) }' "$T/rows"
}

@test "exact: real programs have the same count in a second run, to 1 in 1000" {
	# Some instructions differ: programs print pids and times, which take more digits or fewer, and find what
	# the first run has left.
	twice() {
		"$@" > "$T/out"
		count --strict -T 0 -c instructions,cycles "$@" > "$T/first"
		values exit > "$T/counts"
		count --strict -T 0 -c instructions,cycles "$@" > "$T/second"
		values exit >> "$T/counts"
		awk 'NR == 1 { low = high = $1 }
			{ low = $1 < low ? $1 : low; high = $1 > high ? $1 : high }
			END { print low, high; exit !(NR == 4 && low > 500000 && high - low < low / 1000) }' "$T/counts"
		cmp "$T/out" "$T/first"
		cmp "$T/out" "$T/second"
	}
	twice bash -c 'for ((i = 0; i < 1000; i++)); do x+=$i; done; echo ${#x}'
	twice gawk 'BEGIN { for (i = 0; i < 10000; i++) a[i] = i * i; print length(a) }'
	twice find /usr -name '*.so*' -newer /bin/bash
}
