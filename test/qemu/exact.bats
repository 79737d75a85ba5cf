# What the PMU counts is known to the last instruction.

load ../helper

# instructions N: what `turns N` retires in user mode (turns.S).
instructions() { echo $((2 * $1 + 5 * ${#1} + 8)); }

@test "exact: a loop of N turns retires 2 N instructions and a fixed part" {
	for n in 0 7 1000000 2000000 12345678; do
		run "$CPUTRACK" -n -T 0 --format=csv -c INST_RETIRED "$PROG/turns" $n
		[ "$(cut -d, -f10 <<< "$output")" -eq "$(instructions $n)" ]
	done
}
