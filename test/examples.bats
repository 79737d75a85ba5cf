# The examples of the manual pages (test/examples) print the known results.

bats_require_minimum_version 1.5.0

load helper

@test "examples: region counts the page faults of each round, twice" {
	run -0 "$PROG/region"
	[ "$output" = $'1 10 10\n2 20 20\n3 30 30\n4 40 40\n5 50 50' ]
}

@test "examples: overflow gets a signal at every 40th page fault" {
	run -0 "$PROG/overflow"
	echo "$output"
	[[ $output =~ ^'10 signals, 0 others, first at 0, last at pc 0x'[0-9a-f]+$ ]]
}

@test "examples: sampling records every 10th page fault" {
	run -0 "$PROG/sampling"
	echo "$output"
	# All 400 page faults are made by one store.
	[[ $output =~ ^'40 records, pc from '(0x[0-9a-f]+)' to '(0x[0-9a-f]+)$ ]]
	[ "${BASH_REMATCH[1]}" = "${BASH_REMATCH[2]}" ]
}
