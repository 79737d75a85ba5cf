# Each CPU has what ran there, and CPUs go offline and come back.
#
# What values can be here is said in smp.bats: never less than the truth, but what the other CPU executed can be added;
# and where both are busy a sample of the other CPU waits for its turn, which can take 100 ms.

bats_require_minimum_version 1.5.0
load ../helper

online=/sys/devices/system/cpu/cpu1/online

setup_file() {
	while grep -qs cryptomgr_test /proc/[0-9]*/comm; do
		sleep 0.1
	done
}

setup() {
	echo 1 > $online
}

# instructions N: $truth is what `turns N` retires in user mode (turns.S).
instructions() { truth=$((2 * $1 + 5 * ${#1} + 8)); }

# cpus [OPTION...] INTERVAL [COUNT]: in the background, csv to $T/csv, messages to $T/csv.err; sets $tool. It counts when
# this returns: that is when there is a title.
cpus() {
	rm -f "$T/csv"
	start "$T/csv" "$CPUSTAT" --format=csv "$@"
	tool=$!
	until_true has ^time_s "$T/csv"
}

# ended: it ends with status 0; $T/csv has no title any more.
ended() {
	wait "$tool"
	sed -i 1d "$T/csv"
}

# said [MESSAGE...]: these are all its messages, in this order.
said() { diff <(for it; do echo "cpustat: $it"; done) "$T/csv.err"; }

# on CPU [SET [PIC]]: the sum of what this one has in rows.
on() {
	awk -F, -v cpu="$1" -v set="${2:-0}" -v pic="${3:-0}" '
		$3 == "tick" && $4 == "cpu" && $5 == cpu && $7 == set && $9 == pic { s += $11 } END { printf "%d\n", s }' "$T/csv"
}

# total [SET [PIC]]: of all.
total() {
	awk -F, -v set="${1:-0}" -v pic="${2:-0}" '$3 == "total" && $7 == set && $9 == pic { print $11 }' "$T/csv"
}

# sum_of_rows: that is what each total is.
sum_of_rows() {
	awk -F, '
		$3 == "tick" { s[$7 "." $9] += $11; seen[$7 " " $5] = 1 }
		$3 == "total" {
			n = 0
			for (it in seen) if (index(it, $7 " ") == 1) n++
			totals++
			if (s[$7 "." $9] != $11 || $6 != n) { print; bad = 1 }
		}
		END { exit bad || !totals }' "$T/csv"
}

# sane: no value is more than the time that it was counted for, which is not more than there was.
sane() {
	awk -F, '$15 != "exact" || $11 > $13 + 8e6 || $13 > $1 * 1e9 * $6 + 1e6 { print; bad = 1 } END { exit bad || !NR }' "$T/csv"
}

# all_there VALUE TRUTH: it has that, and no more than is added here. none_there VALUE TRUTH: it has nothing but that.
all_there() { awk -v v="$1" -v t="$2" 'BEGIN { if (v >= t && v <= 1.25 * t + 8e6) exit 0; print v, t; exit 1 }'; }
none_there() { awk -v v="$1" -v t="$2" 'BEGIN { if (v <= 0.1 * t) exit 0; print v, t; exit 1 }'; }

# rows: a line for each interval: the CPUs that have a row.
rows() {
	awk -F, '$3 == "tick" && $9 == 0 {
			n = int($1 / step + 0.5)
			cpus[n] = cpus[n] $5
			last = n
		}
		END { for (n = 1; n <= last; n++) printf "%s ", cpus[n] == "" ? "-" : cpus[n] }' step="$1" "$T/csv"
}

@test "cpustat smp: a loop that is bound to a CPU is counted there, and not on the other" {
	local n=100000000 cpu
	instructions $n
	for cpu in 0 1; do
		cpus --strict -c INST_RETIRED,cycles 0.5 2
		taskset -c $cpu "$PROG/turns" $n
		ended
		said
		sum_of_rows
		sane
		all_there "$(on $cpu)" $truth
		none_there "$(on $((1 - cpu)))" $truth
		# In user mode a cycle is an instruction.
		[ "$(on $cpu 0 1)" -eq "$(on $cpu)" ]
	done
}

@test "cpustat smp: a program that moves takes its count along" {
	local m=2 n=150000000
	cpus -c INST_RETIRED 0.1 10
	"$PROG/migrate" $m $n
	ended
	! grep -vE '^cpustat: [0-9]+ samples were late and left out$' "$T/csv.err"
	sum_of_rows
	sane
	# To CPU 1 first, as much on each.
	all_there "$(on 1)" $((2 * n))
	all_there "$(on 0)" $((2 * n))
	awk -F, '
		$3 != "tick" { next }
		{ v[$5] = $11 }
		$5 == 1 && v[1] > 50e6 && v[0] < v[1] / 5 && !first { first = $1 }
		$5 == 1 && v[0] > 50e6 && v[1] < v[0] / 5 { then = $1 }
		END { print first, then; exit !(first && then > first + 0.1) }' "$T/csv"
}

@test "cpustat smp: the CPUs together have what all programs have, by process" {
	local k=4 n=10000000 i truth
	cpus --strict -c INST_RETIRED 1 2
	"$CPUTRACK" -n -f --format=csv -o "$T/lwps" -T 0 -c INST_RETIRED "$PROG/forks" $k $n
	ended
	said
	truth=$((16 * k + 5 * (${#k} + ${#n}) + 14))
	for ((i = 1; i <= k; i++)); do
		truth=$((truth + 2 * i * n + 6))
	done
	all_there "$(total)" $truth
	# What both added is about the same.
	awk -v a="$(total)" -v b="$(csv_sum "$T/lwps" exit)" 'BEGIN { print a, b; exit !(a >= 0.9 * b && a <= 1.1 * b + 24e6) }'
	sum_of_rows
}

@test "cpustat smp: sets take turns on all CPUs at once" {
	# It runs beyond the end, so CPU 1 is in user mode for as long as it is counted; that is less than the interval,
	# for from one set to the next several turns of the other CPU are waited for.
	start "$T/turns" taskset -c 1 "$PROG/turns" 4000000000
	cpus --strict -c INST_RETIRED -c cycles,page-faults 0.6 3
	ended
	said
	sum_of_rows
	sane
	[ "$(awk -F, '$9 == 0 && $3 == "tick" { printf "%s%s ", $7, $5 }' "$T/csv")" = '00 01 10 11 00 01 ' ]
	awk -F, '
		$3 != "tick" || $9 != 0 { next }
		$5 == 1 && ($11 < 0.9 * $13 || $13 < 0.1e9) || $5 == 0 && $11 > 0.1 * $13 { print; bad = 1 }
		END { exit bad }' "$T/csv"
}

@test "cpustat smp: what is scaled is near the truth on each CPU, and is told once for all" {
	local n=300000000 list=INST_RETIRED,INST_RETIRED,INST_RETIRED
	list=$list,$list,$list,$list
	instructions $n
	cpus -c "$list" 0.5 3
	taskset -c 1 "$PROG/turns" $n
	ended
	awk -F, '$3 == "tick" && $5 == 1 { s[$9] += $11 }
		END { for (i = 0; i < 12; i++) if (s[i] < 0.9 * t || s[i] > 1.25 * t) { print i, s[i], t; bad = 1 } exit bad }' \
		t=$truth "$T/csv"
	[ "$(grep -cE '^cpustat: INST_RETIRED: scaled: counted (4[5-9]|5[0-5])\.[0-9]* % of the time, the rest is extrapolated$' \
		"$T/csv.err")" -eq 12 ]
	[ "$(wc -l < "$T/csv.err")" -eq 12 ]
}

@test "cpustat smp: a CPU goes offline, and the others go on; it comes back, and counts" {
	cpus --strict -c INST_RETIRED 0.5 8
	sleep 0.7
	echo 0 > $online
	sleep 1
	echo 1 > $online
	sleep 0.5
	taskset -c 1 "$PROG/turns" 10000000
	ended
	said 'cpu1 went offline' 'cpu1 came online'
	# The interval in which it goes is told as far as it was there.
	[ "$(rows 0.5)" = '01 01 0 0 01 01 01 01 ' ]
	awk -F, '$3 == "tick" && $5 == 1 && $1 < 1.1 && $1 > 0.9 { print $13; exit !($13 > 0.1e9 && $13 < 0.4e9) }' "$T/csv"
	sum_of_rows
	sane
	instructions 10000000
	all_there "$(on 1)" $truth
}

@test "cpustat smp: a CPU goes offline while sets take turns" {
	cpus --strict -c INST_RETIRED -c cycles 0.5 8
	sleep 0.7
	echo 0 > $online
	sleep 1
	echo 1 > $online
	ended
	said 'cpu1 went offline' 'cpu1 came online'
	[ "$(rows 0.5)" = '01 01 0 0 01 01 01 01 ' ]
	sum_of_rows
	sane
}

@test "cpustat smp: a CPU that is offline between two samples: what it counted until then, and it is told" {
	cpus --strict -c INST_RETIRED 0.5 5
	sleep 0.7
	echo 0 > $online
	echo 1 > $online
	ended
	said 'cpu1 was offline'
	[ "$(rows 0.5)" = '01 01 0 01 01 ' ]
	sum_of_rows
	sane
	# It takes turns: each set is bound anew for its turn, and nothing is missing but of that one.
	cpus --strict -c INST_RETIRED -c cycles 0.5 5
	sleep 0.7
	echo 0 > $online
	echo 1 > $online
	ended
	said
	[ "$(rows 0.5)" = '01 01 01 01 01 ' ]
	sum_of_rows
	sane
}

@test "cpustat smp: a CPU that is offline from the start has no row, and counts are exact; then it joins" {
	echo 0 > $online
	cpus --strict -c INST_RETIRED 0.5 4
	"$PROG/turns" 50000000
	sleep 0.5
	echo 1 > $online
	ended
	said 'cpu1 came online'
	[ "$(rows 0.5)" = '0 0 01 01 ' ]
	sum_of_rows
	sane
	instructions 50000000
	awk -v v="$(on 0)" -v t=$truth 'BEGIN { print v, t; exit !(v >= t && v < 1.25 * t) }'
}

@test "cpustat smp: a CPU goes offline in the last interval" {
	cpus --strict -c INST_RETIRED 0.5 2
	sleep 0.7
	echo 0 > $online
	ended
	said 'cpu1 went offline'
	[ "$(rows 0.5)" = '01 01 ' ]
	[ "$(awk -F, '$3 == "total" { print $6 }' "$T/csv")" -eq 2 ]
	sum_of_rows
}

off_and_on() {
	local i
	for i in 1 2 3 4 5 6 7 8; do
		echo 0 > $online
		sleep 0.03
		echo 1 > $online
		sleep 0.03
	done
}

@test "cpustat smp: a CPU that goes and comes all the time: no value is ever wild" {
	cpus -c INST_RETIRED,page-faults -c cycles 0.01 100
	off_and_on
	ended
	# With or without a note, each time.
	! grep -vE '^cpustat: (cpu1 (went offline|came online|was offline)|[0-9]+ samples were late and left out)$' "$T/csv.err"
	has 'cpu1 went offline' "$T/csv.err"
	has 'cpu1 came online' "$T/csv.err"
	sum_of_rows
	sane
	awk -F, '$3 == "tick" && $5 == 0 && $9 == 0 { n++ } END { exit n < 50 }' "$T/csv"
}

# soakers: the CPUs that they are bound to. By nothing but this shell, for all else waits for its turn beside them.
soakers() {
	local it line
	for it in "/proc/$tool/task/"*; do
		[ "${it##*/}" != "$tool" ] && read -r -a line < "$it/stat" && [ "${line[40]}" -eq 5 ] || continue
		while read -r -a line; do
			[ "${line[0]}" != Cpus_allowed_list: ] || printf '%s ' "${line[1]}"
		done < "$it/status"
	done 2> /dev/null
}
are_soaked() { [ "$(soakers)" = "$1" ]; }

@test "cpustat smp: -s has a thread on each CPU that there is" {
	# They spin for a short time only, beside which everything here takes long.
	cpus -s -p 1 -c cycles,nouser,sys -c page-faults 0.02
	until_true are_soaked '0 1 '
	echo 0 > $online
	until_true are_soaked '0 '
	echo 1 > $online
	until_true are_soaked '0 1 '
	kill -INT "$tool"
	ended
	said 'cpu1 went offline' 'cpu1 came online'
}

@test "cpustat smp: cores, sockets, the busiest first" {
	local it
	instructions 50000000
	cpus --strict -A soc -c INST_RETIRED 0.5 2
	taskset -c 1 "$PROG/turns" 50000000
	ended
	said
	[ "$(awk -F, '{ printf "%s %s %s %s,", $3, $4, $5, $6 }' "$T/csv")" = 'tick socket 0 2,tick socket 0 2,total all  2,' ]
	all_there "$(total)" $truth
	start "$T/rows" "$CPUSTAT" -k -pic0 -o 1 -O "$T/file" -c INST_RETIRED 0.5 1
	it=$!
	until_true has time "$T/rows"
	taskset -c 1 "$PROG/turns" 50000000
	wait "$it"
	[ "$(awk 'NR > 1 { printf "%s %s,", $2, $3 }' "$T/rows")" = '1 tick,2 total,' ]
	"$CPUSTAT" -k -pic0 -o 1 -I "$T/file" | diff "$T/rows" -
	[ "$("$CPUSTAT" -n -A cor -I "$T/file" | awk '{ printf "%s %s %s,", $2, $3, $NF }')" = '0 tick 1,1 tick 1,2 total 2,' ]
}

@test "cpustat smp: --openmetrics has what each CPU has" {
	local cpu
	cpus -c INST_RETIRED --openmetrics="$T/metrics" 0.2 3
	taskset -c 1 "$PROG/turns" 10000000
	ended
	said
	for cpu in 0 1; do
		[ "$(awk -v cpu="cpu=\"$cpu\"" '/^opencpc_events_total\{/ && index($0, cpu) { print $2 }' "$T/metrics")" -eq "$(on $cpu)" ]
	done
	has '^opencpc_cpus 2$' "$T/metrics"
}

@test "cpustat smp: of the caller's CPUs alone" {
	start "$T/csv" taskset -c 1 "$CPUSTAT" --format=csv -c INST_RETIRED 0.1 2
	tool=$!
	ended
	said
	[ "$(rows 0.1)" = '1 1 ' ]
}
