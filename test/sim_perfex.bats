# perfex by simulation: all 32 events of a program at once, the same each time.

bats_require_minimum_version 1.5.0
load helper

setup() {
	local dir=${CPC_SIM_DIR:-$(dirname "$PERFEX")/../sim}
	[ -x "$dir/cpcsim-launch" ] && [ -x "$dir/cpcsim-amd64-linux" ] || skip 'the simulator is not built here'
}

sim() { bounded env -i PATH="$PATH" ${CPC_SIM_DIR:+CPC_SIM_DIR="$CPC_SIM_DIR"} "$PERFEX" --engine=sim "$@"; }

value() { awk -F, -v n="$2" '$2 == "total" && $5 == n { print $8 }' "$1"; }

@test "sim perfex: -a -y of a real program: all events, their sums, the statistics" {
	sim -a -y -o "$T/report" gzip -kc "$PROG/nop" > "$T/gz" 2> "$T/err"
	gzip -t < "$T/gz"
	[ "$(grep -cE '^([ 0-9][0-9]) .*\.\. +[0-9]+ ' "$T/report")" -eq 32 ]
	[ "$(grep -c 'simulated: ' "$T/err")" -eq 1 ]
	lacks 'WARNING' "$T/err"
	has 'event 0 (CYCLES0): estimated' "$T/err"
	has '^Graduated instructions/cycle' "$T/report"
	has '^L2 Data Cache Hit Rate' "$T/report"
	# the statistics agree with the rows of their events
	awk '/^ *0 Cycles/ { sub(/\.\.\.*/, " "); c = $3 } /^15 / { sub(/\.\.\.*/, " "); i = $4 }
		/^Graduated instructions\/cycle/ { sub(/\.\.\.*/, " "); v = $3; d = i / c - v
			exit !(d < 1e-6 && d > -1e-6) }' "$T/report"
}

# The simulator adds in fields of 32 bits, which it must empty in time.
@test "sim perfex: more than 32 bits of instructions between two stops of the program" {
	sim -e 15 -e 18 --format=csv -o "$T/a" "$PROG/sim-straight"
	[ "$(value "$T/a" 15)" -eq 4500135003 ]
	[ "$(value "$T/a" 18)" -eq 0 ]
}

@test "sim perfex: twice the same, alone or with others" {
	local n
	sim -a --format=csv -o "$T/a" gzip -kc "$PROG/nop" > "$T/gz"
	sim -a --format=csv -o "$T/b" gzip -kc "$PROG/nop" > "$T/gz"
	cut -d, -f5-9,12 "$T/a" > "$T/a5"
	cut -d, -f5-9,12 "$T/b" | diff "$T/a5" -
	for n in 0 15 18 25 24; do
		sim -e $n --format=csv -o "$T/c" gzip -kc "$PROG/nop" > "$T/gz"
		[ "$(value "$T/c" $n)" -eq "$(value "$T/a" $n)" ]
	done
	# events that are on both counters have the same value
	[ "$(value "$T/a" 0)" -eq "$(value "$T/a" 16)" ]
	[ "$(value "$T/a" 15)" -eq "$(value "$T/a" 17)" ]
	[ "$(value "$T/a" 15)" -gt 0 ]
}

@test "sim perfex: software events beside the R10000's" {
	sim -e 15 --format=csv -o "$T/alone" "$PROG/exactly"
	sim -e page-faults -e 15 -e minor-faults --format=csv -o "$T/csv" "$PROG/exactly" 2> "$T/err"
	[ "$(value "$T/csv" 15)" -eq "$(value "$T/alone" 15)" ]
	awk -F, '$6 ~ /-faults$/ && $8 > 0 && $12 == "approximate" { n++ } END { exit n != 2 }' "$T/csv"
	has 'page-faults: approximate, counted by the kernel: includes the simulator itself' "$T/err"
	run -125 sim --strict -e page-faults -e 15 "$PROG/exactly"
	run -0 sim --strict -e 15 "$PROG/exactly"
}

# prefetches [ARG...]: print the counts of sim-prefetch: misses of L1D and of L2 by data, TLB misses.
prefetches() {
	sim -a --format=csv -o "$T/csv" "$PROG/sim-prefetch" "$@" 2> "$T/err"
	echo "$(value "$T/csv" 25) $(value "$T/csv" 26) $(value "$T/csv" 23)"
}

@test "sim perfex: the R10000 drops a prefetch that misses the TLB" {
	prefetches > "$T/unmapped"
	prefetches 1 > "$T/untouched"
	prefetches 1 2 > "$T/touched"
	head "$T"/*touched "$T/unmapped"
	awk '{ exit !(NF == 3 && $1 < 10 && $2 < 10 && $3 < 10) }' "$T/unmapped"
	awk '{ exit !(NF == 3 && $1 < 10 && $2 < 10 && $3 < 10) }' "$T/untouched"
	# a load of another line of each page, and then the prefetch
	awk '{ exit !(NF == 3 && $1 - 2000 < 10 && $1 >= 2000 && $2 - 2000 < 10 && $2 >= 2000 &&
		$3 - 1000 < 10 && $3 >= 1000) }' "$T/touched"
	# the TLB has its part in this also if no event counts its misses
	sim -e 25 --format=csv -o "$T/csv" "$PROG/sim-prefetch" 1 2 2> "$T/err"
	[ "$(value "$T/csv" 25)" = "$(cut -d' ' -f1 "$T/touched")" ]
}

@test "sim perfex: the R12000's events and statistics" {
	sim --cpu=r12000 -a -y -o "$T/report" gzip -kc "$PROG/nop" > "$T/gz" 2> "$T/err"
	has '^Based on 300 MHz IP27 (synthetic costs)$' "$T/report"
	has '^Mispredicted branches/Resolved conditional branches' "$T/report"
	has '^Cache misses in flight per cycle (average)' "$T/report"
	# an event that the model cannot count has no value
	has '^28 State of intervention hits in scache\.* *-' "$T/report"
	has 'event 28 (EXT_INTERV_HIT_STATE): cannot be counted: ' "$T/err"
}

@test "sim perfex: exit statuses, -mp, -k, and two models" {
	run sim -e 15 sh -c 'exit 7'
	[ "$status" -eq 7 ]
	run -127 sim -e 15 "$T/nosuch"
	run sim -k -e 15 touch "$T/ran"
	[ "$status" -eq 125 ]
	[[ "$output" == *'user mode only'* ]]
	run sim -e 15 -e us3::EC_ref touch "$T/ran"
	[ "$status" -eq 2 ]
	[ ! -e "$T/ran" ]
	sim -mp --format=csv -o "$T/csv" -e 15 sh -c 'ls / > /dev/null; true'
	cat "$T"/csv.[0-9]* | awk -F, '$2 == "thread" { s += $8; n++ } END { print s; exit n < 2 }' > "$T/sum"
	[ "$(cat "$T/sum")" -eq "$(value "$T/csv" 15)" ]
}
