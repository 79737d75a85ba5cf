# cpustat on two CPUs: each CPU's row counts what ran there, and CPUs go offline and come back.
#
# As smp.bats explains, a value is never less than the truth, but instructions of the other CPU can be added. If both
# CPUs are busy, a sample of the other CPU waits for that CPU's turn, which can take 100 ms.

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

# instructions N: set $truth to what `turns N` retires in user mode (turns.S).
instructions() { truth=$((2 * $1 + 5 * ${#1} + 8)); }

# cpus [OPTION...] INTERVAL [COUNT]: start cpustat in the background. CSV rows go to $T/csv, messages to $T/csv.err;
# $tool is its pid. cpus returns when the title is printed: then cpustat counts.
cpus() {
	rm -f "$T/csv"
	start "$T/csv" "$CPUSTAT" --format=csv "$@"
	tool=$!
	until_true has ^time_s "$T/csv"
}

# ended: wait until cpustat ends with status 0, and delete the title from $T/csv.
ended() {
	wait "$tool"
	sed -i 1d "$T/csv"
}

# has_messages [MESSAGE...]: cpustat printed exactly these messages, in this order.
has_messages() { diff <(for it; do echo "cpustat: $it"; done) "$T/csv.err"; }

# forget_late: delete the message that samples were late, which they may be here if intervals are short.
forget_late() { sed -i -E '/^cpustat: [0-9]+ samples? (was|were) late and left out$/d' "$T/csv.err"; }

# on CPU [SET [PIC]]: the sum of the values in this CPU's rows.
on() {
	awk -F, -v cpu="$1" -v set="${2:-0}" -v pic="${3:-0}" '
		$3 == "tick" && $4 == "cpu" && $5 == cpu && $7 == set && $9 == pic { s += $11 } END { printf "%d\n", s }' "$T/csv"
}

# total [SET [PIC]]: the value of the row total.
total() {
	awk -F, -v set="${1:-0}" -v pic="${2:-0}" '$3 == "total" && $7 == set && $9 == pic { print $11 }' "$T/csv"
}

# sum_of_rows: each total is the sum of its rows, and has the number of their CPUs.
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

# sane: no value is larger than the time in ns for which it was counted (an event takes 1 ns at least), and no value was
# counted for longer than the run. The last turns of the other CPU may add 8 ms.
sane() {
	awk -F, '$15 != "exact" || $11 > $13 + 8e6 || $13 > $1 * 1e9 * $6 + 1e6 { print; bad = 1 } END { exit bad || !NR }' "$T/csv"
}

# has_all VALUE TRUTH: the value is not less than the truth, and more only by what the other CPU can add. has_none VALUE
# TRUTH: the value is a tenth of the truth at most, which the other CPU can add.
has_all() { awk -v v="$1" -v t="$2" 'BEGIN { if (v >= t && v <= 1.25 * t + 8e6) exit 0; print v, t; exit 1 }'; }
has_none() { awk -v v="$1" -v t="$2" 'BEGIN { if (v <= 0.1 * t) exit 0; print v, t; exit 1 }'; }

# rows INTERVAL: print for each interval the CPUs that have a row, "-" if none has.
rows() {
	awk -F, '$3 == "tick" && $9 == 0 {
			n = int($1 / step + 0.5)
			cpus[n] = cpus[n] $5
			last = n
		}
		END { for (n = 1; n <= last; n++) printf "%s ", cpus[n] == "" ? "-" : cpus[n] }' step="$1" "$T/csv"
}

@test "cpustat smp: a loop that is bound to a CPU is counted on this CPU only" {
	local n=100000000 cpu
	instructions $n
	for cpu in 0 1; do
		cpus --strict -c INST_RETIRED,cycles 0.5 2
		taskset -c $cpu "$PROG/turns" $n
		ended
		has_messages
		sum_of_rows
		sane
		has_all "$(on $cpu)" $truth
		has_none "$(on $((1 - cpu)))" $truth
		# In user mode a cycle is an instruction.
		[ "$(on $cpu 0 1)" -eq "$(on $cpu)" ]
	done
}

@test "cpustat smp: a program that moves to the other CPU is counted there" {
	local m=2 n=150000000
	cpus -c INST_RETIRED 0.1 10
	"$PROG/migrate" $m $n
	ended
	forget_late
	has_messages
	sum_of_rows
	sane
	# The program moves to CPU 1 first, and runs as many turns on each CPU.
	has_all "$(on 1)" $((2 * n))
	has_all "$(on 0)" $((2 * n))
	awk -F, '
		$3 != "tick" { next }
		{ v[$5] = $11 }
		$5 == 1 && v[1] > 50e6 && v[0] < v[1] / 5 && !first { first = $1 }
		$5 == 1 && v[0] > 50e6 && v[1] < v[0] / 5 { then = $1 }
		END { print first, then; exit !(first && then > first + 0.1) }' "$T/csv"
}

@test "cpustat smp: the total of the CPUs is the total of all processes" {
	local k=4 n=10000000 i truth
	cpus --strict -c INST_RETIRED 1 2
	"$CPUTRACK" -n -f --format=csv -o "$T/lwps" -T 0 -c INST_RETIRED "$PROG/forks" $k $n
	ended
	has_messages
	truth=$((16 * k + 5 * (${#k} + ${#n}) + 14))
	for ((i = 1; i <= k; i++)); do
		truth=$((truth + 2 * i * n + 6))
	done
	has_all "$(total)" $truth
	# The other CPU added about as much to cputrack's counts as to cpustat's.
	awk -v a="$(total)" -v b="$(csv_sum "$T/lwps" exit)" 'BEGIN { print a, b; exit !(a >= 0.9 * b && a <= 1.1 * b + 24e6) }'
	sum_of_rows
}

@test "cpustat smp: sets take turns on all CPUs at once" {
	# turns runs longer than cpustat, so CPU 1 is in user mode as long as it is counted. That is less than the interval,
	# because a change of sets waits for several turns of the other CPU. While CPU 0 works in the kernel, the CPUs of the
	# guest have half of the time each.
	start "$T/turns" taskset -c 1 "$PROG/turns" 4000000000
	cpus --strict -c INST_RETIRED -c cycles,page-faults 0.6 3
	ended
	has_messages
	sum_of_rows
	sane
	[ "$(awk -F, '$9 == 0 && $3 == "tick" { printf "%s%s ", $7, $5 }' "$T/csv")" = '00 01 10 11 00 01 ' ]
	awk -F, '
		$3 != "tick" || $9 != 0 { next }
		$5 == 1 && ($11 < 0.45 * $13 || $13 < 0.1e9) || $5 == 0 && $11 > 0.1 * $13 { print; bad = 1 }
		END { exit bad }' "$T/csv"
}

@test "cpustat smp: scaled values are near the truth on each CPU, and one message reports all CPUs" {
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

@test "cpustat smp: while a CPU is offline the other is counted, and both are when it is back" {
	cpus --strict -c INST_RETIRED 0.5 8
	sleep 0.7
	echo 0 > $online
	sleep 1
	echo 1 > $online
	sleep 0.5
	taskset -c 1 "$PROG/turns" 10000000
	ended
	has_messages 'cpu1 went offline' 'cpu1 came online'
	# The interval in which the CPU goes offline has a row for the time until then.
	[ "$(rows 0.5)" = '01 01 0 0 01 01 01 01 ' ]
	awk -F, '$3 == "tick" && $5 == 1 && $1 < 1.1 && $1 > 0.9 { print $13; exit !($13 > 0.1e9 && $13 < 0.4e9) }' "$T/csv"
	sum_of_rows
	sane
	instructions 10000000
	has_all "$(on 1)" $truth
}

@test "cpustat smp: a CPU goes offline while sets take turns" {
	cpus --strict -c INST_RETIRED -c cycles 0.5 8
	sleep 0.7
	echo 0 > $online
	sleep 1
	echo 1 > $online
	ended
	has_messages 'cpu1 went offline' 'cpu1 came online'
	[ "$(rows 0.5)" = '01 01 0 0 01 01 01 01 ' ]
	sum_of_rows
	sane
}

@test "cpustat smp: a CPU that was offline between two samples is reported, and its counts until then are kept" {
	cpus --strict -c INST_RETIRED 0.5 5
	sleep 0.7
	echo 0 > $online
	echo 1 > $online
	ended
	has_messages 'cpu1 was offline'
	[ "$(rows 0.5)" = '01 01 0 01 01 ' ]
	sum_of_rows
	sane
	# If sets take turns, each is bound again for its turn, so the change is not noticed.
	cpus --strict -c INST_RETIRED -c cycles 0.5 5
	sleep 0.7
	echo 0 > $online
	echo 1 > $online
	ended
	has_messages
	[ "$(rows 0.5)" = '01 01 01 01 01 ' ]
	sum_of_rows
	sane
}

@test "cpustat smp: a CPU that is offline at the start has no row until it is online, and counts are exact" {
	echo 0 > $online
	cpus --strict -c INST_RETIRED 0.5 4
	"$PROG/turns" 50000000
	sleep 0.5
	echo 1 > $online
	ended
	has_messages 'cpu1 came online'
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
	has_messages 'cpu1 went offline'
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

@test "cpustat smp: while a CPU goes offline and online again and again, no value is impossible" {
	cpus -c INST_RETIRED,page-faults -c cycles 0.01 100
	off_and_on
	ended
	forget_late
	# A change between two samples may go unnoticed, so the number of messages varies.
	! grep -vE '^cpustat: cpu1 (went offline|came online|was offline)$' "$T/csv.err"
	has 'cpu1 went offline' "$T/csv.err"
	has 'cpu1 came online' "$T/csv.err"
	sum_of_rows
	sane
	awk -F, '$3 == "tick" && $5 == 0 && $9 == 0 { n++ } END { exit n < 50 }' "$T/csv"
}

# soakers: print the CPUs to which cpustat's soaker threads are bound, in ascending order. The folder lists the threads by the text
# of their IDs, where 1000 comes before 999.
# The shell does this by itself, because other programs would wait long for their turn beside the soakers.
soakers() {
	local it line soaked=()
	for it in "/proc/$tool/task/"*; do
		[ "${it##*/}" != "$tool" ] && read -r -a line < "$it/stat" && [ "${line[40]}" -eq 5 ] || continue
		while read -r -a line; do
			[ "${line[0]}" != Cpus_allowed_list: ] || soaked[${line[1]%-*}]=${line[1]}
		done < "$it/status"
	done 2> /dev/null
	echo "${soaked[*]}"
}
are_soaked() { [ "$(soakers)" = "$1" ]; }

@test "cpustat smp: -s has a thread on each online CPU" {
	# The soakers spin for a short part of each second, because beside them everything takes long here.
	cpus -s -p 1 -c cycles,nouser,sys -c page-faults 0.02
	until_true are_soaked '0 1'
	echo 0 > $online
	until_true are_soaked 0
	echo 1 > $online
	until_true are_soaked '0 1'
	kill -INT "$tool"
	ended
	forget_late
	has_messages 'cpu1 went offline' 'cpu1 came online'
}

@test "cpustat smp: cores, sockets, the busiest first" {
	local it
	instructions 50000000
	cpus --strict -A soc -c INST_RETIRED 0.5 2
	taskset -c 1 "$PROG/turns" 50000000
	ended
	has_messages
	[ "$(awk -F, '{ printf "%s %s %s %s,", $3, $4, $5, $6 }' "$T/csv")" = 'tick socket 0 2,tick socket 0 2,total all  2,' ]
	has_all "$(total)" $truth
	start "$T/rows" "$CPUSTAT" -k -pic0 -o 1 -O "$T/file" -c INST_RETIRED 0.5 1
	it=$!
	until_true has time "$T/rows"
	taskset -c 1 "$PROG/turns" 50000000
	wait "$it"
	[ "$(awk 'NR > 1 { printf "%s %s,", $2, $3 }' "$T/rows")" = '1 tick,2 total,' ]
	"$CPUSTAT" -k -pic0 -o 1 -I "$T/file" | diff "$T/rows" -
	[ "$("$CPUSTAT" -n -A cor -I "$T/file" | awk '{ printf "%s %s %s,", $2, $3, $NF }')" = '0 tick 1,1 tick 1,2 total 2,' ]
}

@test "cpustat smp: --openmetrics has the same counts of each CPU as the rows" {
	local cpu
	cpus -c INST_RETIRED --openmetrics="$T/metrics" 0.2 3
	taskset -c 1 "$PROG/turns" 10000000
	ended
	has_messages
	for cpu in 0 1; do
		[ "$(awk -v cpu="cpu=\"$cpu\"" '/^opencpc_events_total\{/ && index($0, cpu) { print $2 }' "$T/metrics")" -eq "$(on $cpu)" ]
	done
	has '^opencpc_cpus 2$' "$T/metrics"
}

# metric FILE NAME [CPU]: print the value of a metric, that of INST_RETIRED on a CPU.
metric() {
	awk -v name="$2" -v cpu="${3:+cpu=\"$3\"}" '
		index($0, name) == 1 && index($0, cpu) && (cpu == "" || /event="INST_RETIRED"/) { print $NF }' "$1"
}
# sampled N: the metrics have N intervals or more.
sampled() { [ "$(metric "$T/m.prom" opencpc_samples_total)" -ge "$1" ]; }
# numbers FILE: every metric is a number, and ends with a line of its own.
numbers() { ! grep -v '^#' "$1" | grep -vE ' [0-9]+(\.[0-9]+)?$'; }

@test "cpustat smp: metrics and saved samples of a CPU that goes offline and comes back have numbers only" {
	local n=10000000 family
	cpus -c INST_RETIRED,page-faults --openmetrics="$T/m.prom" -O "$T/file" 0.2
	until_true sampled 2
	echo 0 > $online
	until_true eval '[ "$(metric "$T/m.prom" opencpc_cpus)" -eq 1 ]'
	cp "$T/m.prom" "$T/before"
	until_true sampled $(($(metric "$T/before" opencpc_samples_total) + 3))
	cp "$T/m.prom" "$T/off"
	echo 1 > $online
	until_true eval '[ "$(metric "$T/m.prom" opencpc_cpus)" -eq 2 ]'
	cp "$T/m.prom" "$T/back"
	taskset -c 1 "$PROG/turns" $n
	until_true sampled $(($(metric "$T/m.prom" opencpc_samples_total) + 2))
	kill -INT "$tool"
	ended
	forget_late
	has_messages 'cpu1 went offline' 'cpu1 came online'
	# A CPU that is offline keeps its counts and times, so that their rates are 0/0, which the rules leave out.
	for family in opencpc_events_total opencpc_enabled_seconds_total opencpc_running_seconds_total; do
		[ "$(metric "$T/before" $family 1)" = "$(metric "$T/off" $family 1)" ]
		[ "$(metric "$T/before" $family 0)" != "$(metric "$T/off" $family 0)" ]
	done
	numbers "$T/before"
	numbers "$T/off"
	numbers "$T/back"
	numbers "$T/m.prom"
	instructions $n
	# The shell of this test may have run on this CPU, too.
	[ $(($(metric "$T/m.prom" opencpc_events_total 1) - $(metric "$T/back" opencpc_events_total 1))) -ge $truth ]
	[ "$(metric "$T/m.prom" opencpc_events_total 1)" -eq "$(on 1)" ]
	sum_of_rows
	# The rows of CPU 1 are absent while it is offline, in the file too, and no row has a value that is not a number.
	# The signal cuts the last interval.
	[[ $(rows 0.2) =~ ^(01 )+(0 )+(01 ?)+$ ]]
	[ "$(rows 0.2 | grep -o '0 ' | wc -l)" -ge 3 ]
	! grep -i nan "$T/csv" "$T/file"
	"$CPUSTAT" --format=csv -n -I "$T/file" | diff "$T/csv" -
	awk -F, '$3 == "tick" && $15 != "exact" { print; bad = 1 } END { exit bad }' "$T/csv"
}

@test "cpustat smp: only the caller's CPUs are counted" {
	start "$T/csv" taskset -c 1 "$CPUSTAT" --format=csv -c INST_RETIRED 0.1 2
	tool=$!
	ended
	has_messages
	[ "$(rows 0.1)" = '1 1 ' ]
}
