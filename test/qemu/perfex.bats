# perfex' counts are compared with the truth, to the last instruction (exact.bats explains how it is known).

bats_require_minimum_version 1.5.0
load ../helper

# instructions N: set $truth to what `turns N` retires in user mode (turns.S). Each instruction takes one cycle.
instructions() { truth=$((2 * $1 + 5 * ${#1} + 8)); }

@test "perfex: events 15 and 16 are exact, and printed in the layout of perfex(1)" {
	local n label
	for n in 0 7 1000000 12345678; do
		"$PERFEX" --engine=kernel --strict -o "$T/out" -e 16 -e 15 "$PROG/turns" $n 2> "$T/err"
		instructions $n
		label=$(printf '.%.0s' $(seq 38))
		printf '15 Graduated instructions%s%14d\n16 Cycles%s................%14d\n' "$label" $truth "$label" $truth |
			diff - "$T/out"
	done
}

@test "perfex: two events of the same counter conflict" {
	run --separate-stderr "$PERFEX" -e 15 -e 0 touch "$T/ran"
	[ "$status" -eq 2 ]
	[ "${stderr_lines[0]}" = 'perfex: conflicting counters: events 0 and 15 are both counted by counter 0' ]
	[ ! -e "$T/ran" ]
}

@test "perfex: -y prints instructions per cycle, which are 1 here" {
	"$PERFEX" -y -o "$T/out" -e 15 -e 16 "$PROG/turns" 196000000 2> "$T/err"
	grep -qE '^Graduated instructions/cycle\.+     1\.000000$' "$T/out"
	# 392 million cycles at 196 MHz are 2 s.
	grep -qE '^16 Cycles\.+     3920000[0-9]{2}     2\.000000     2\.000000     2\.000000$' "$T/out"
}

@test "perfex: -a prints what the PMU can count, reports scaled values, and has no value for the rest" {
	run -0 "$PERFEX" --engine=kernel -a --format=csv -o "$T/csv" "$PROG/turns" 60000000
	instructions 60000000
	[ "$(wc -l < "$T/csv")" -eq 33 ]
	awk -F, -v n=$truth '
		NR == 1 { next }
		$12 == "unavailable" { none++; if ($8 != "") bad = bad " " $5; next }
		$5 == 0 || $5 == 15 || $5 == 16 || $5 == 17 { if ($8 < n * 0.99 || $8 > n * 1.01) bad = bad " " $5 }
		{ some++ }
		END { print some " values, " none " none, bad:" bad; exit bad != "" || some < 4 || none < 4 }' "$T/csv"
	[ "$(grep -c ': cannot be counted: ' <<< "$output")" -eq "$(grep -c ',unavailable,' "$T/csv")" ]
	# If events take turns, they are scaled, and only then the warning is printed.
	if grep -q ',scaled,' "$T/csv"; then
		[ "$(grep -c '^WARNING: Multiplexing events to project totals--inaccuracy possible$' <<< "$output")" -eq 1 ]
	else
		! grep -q WARNING <<< "$output"
	fi
}

@test "perfex: the total has each instruction of all threads and processes" {
	local k=4 n=100000 sum i
	for program in threads forks; do
		"$PERFEX" --strict --format=csv -o "$T/csv" -e INST_RETIRED "$PROG/$program" $k $n
		case $program in
		threads) sum=$((22 * k + 5 * (${#k} + ${#n}) + 15)) ;;
		forks) sum=$((16 * k + 5 * (${#k} + ${#n}) + 14)) ;;
		esac
		for ((i = 1; i <= k; i++)); do
			sum=$((sum + 2 * i * n + 6))
		done
		[ "$(awk -F, '$2 == "total" { print $8 }' "$T/csv")" -eq $sum ]
	done
}
