# Long runs of cpustat in which the CPU is mostly idle. In a guest idle time passes at once.

bats_require_minimum_version 1.5.0
load ../helper

# cpus [OPTION...] INTERVAL [COUNT]: start cpustat in the background. CSV rows without a title go to $T/csv, messages
# to $T/csv.err; $tool is its pid.
cpus() {
	start "$T/csv" "$CPUSTAT" -n --format=csv "$@"
	tool=$!
}

# within VALUE LOW HIGH: the value is in this range.
within() {
	[ "$1" -ge "$2" ] && [ "$1" -le "$3" ] && return
	echo "$1 is not from $2 to $3"
	return 1
}

@test "cpustat: an interval is 5 s by default, and at a signal the last rows and the total are printed" {
	local signal
	for signal in INT TERM; do
		start "$T/out" "$CPUSTAT" -c INST_RETIRED
		tool=$!
		sleep 12
		kill -$signal $tool
		wait $tool
		awk '
			NR == 1 && $0 == "   time cpu event      pic0 " { next }
			NR == 2 || NR == 3 { bad += $1 != (NR - 1) * 5 || $2 != 0 || $3 != "tick"; sum += $4; next }
			{ bad += $1 < 11.9 || $1 > 13 || $1 != (NR == 4 ? last = $1 : last) }
			NR == 4 { bad += $3 != "tick"; sum += $4; next }
			NR == 5 { bad += $3 != "total" || $2 != 1 || $4 != sum; next }
			{ bad++ }
			END { print bad + 0, NR; exit bad || NR != 5 }' "$T/out"
		[ ! -s "$T/out.err" ]
	done
}

@test "cpustat: intervals do not drift: 1000 of 10 ms take 10 s, and each ends at its time" {
	local from to
	from=$(date +%s%N)
	cpus -t -c INST_RETIRED 0.01 1000
	wait $tool
	to=$(date +%s%N)
	[ ! -s "$T/csv.err" ]
	# The time-stamp counter of this machine ticks every 16 ns.
	awk -F, '
		$3 != "tick" { next }
		{ n++ }
		$1 < n * 0.01 || $1 >= n * 0.01 + 0.002 { print; bad = 1 }
		n > 1 && ($8 < 0.0099e9 / 16 || $8 > 0.0101e9 / 16) { print; bad = 1 }
		END { exit bad || n != 1000 || $1 >= 10.01 }' "$T/csv"
	within $((to - from)) 10000000000 10100000000
}

@test "cpustat: after it was stopped for 3 s, it leaves out late samples and continues at the planned times" {
	cpus --strict -c INST_RETIRED 0.5 10
	sleep 1.2
	kill -STOP $tool
	sleep 3
	kill -CONT $tool
	until_true is_gone $tool
	wait $tool
	# Sample 3 is 2.7 s late, 4 to 8 are left out, and 9 and 10 are taken at their times.
	[ "$(awk -F, '$3 == "tick" { printf "%.1f ", $1 }' "$T/csv")" = '0.5 1.0 4.2 4.5 5.0 ' ]
	[ "$(cat "$T/csv.err")" = 'cpustat: 5 samples were late and left out' ]
	# The total covers the whole time.
	awk -F, '$3 == "total" { exit !($13 > 4.99e9 && $13 < 5.01e9 && $13 == $14) }' "$T/csv"
}

memory() { awk '/^Rss:/ { print $2 }' "/proc/$tool/smaps_rollup"; }

@test "cpustat: after 100,000 intervals its memory is the same as after 1,000, and less than 4 MiB" {
	local first
	start /dev/null "$CPUSTAT" -c INST_RETIRED,cycles 0.001 100000
	tool=$!
	sleep 1
	first=$(memory)
	within "$first" 100 4095
	sleep 98.9
	[ "$(memory)" -eq "$first" ]
	wait $tool
}
