# Programs that make it hard to trace and count them: test/hostile/run measures test/prog/hostile, here in an order that is
# always the same; "make faults" does more.

bats_require_minimum_version 1.5.0
load helper

setup() { need python3; }

# need_counting: skip the test if this user may not count programs.
need_counting() { "$PROG/act" may user 2> "$T/why" || skip "$(cat "$T/why")"; }

hostile() { python3 "$BATS_TEST_DIRNAME/hostile/run" --seed 1 "$@"; }

@test "hostile: the kernel counts: the program's own output and status, its hits, and nothing left" {
	need_counting
	hostile --sim 0
}

@test "hostile: the simulator counts: the program's own output and status, and nothing left" {
	[ -x "$(dirname "$CPUTRACK")/../sim/cpcsim-launch" ] || skip 'the simulator is not built here'
	hostile --sim 12 --way sim-cputrack --way sim-perfex --way sim-perfex-mp --way sim-lwprec
}

@test "hostile: rows that are missing are wrong, and a way that always ends with status 125" {
	need_counting
	printf '%s\n' '#!/bin/sh' "'$CPUTRACK' \"\$@\"" 'status=$?' '[ ! -e out ] || { head -n 1 out > title && mv title out; }' 'exit $status' > "$T/cputrack"
	printf '%s\n' '#!/bin/sh' 'echo no >&2' 'exit 125' > "$T/perfex"
	chmod +x "$T/cputrack" "$T/perfex"
	CPUTRACK=$T/cputrack PERFEX=$T/perfex run -1 hostile --mode one --way cputrack-root --way perfex
	[[ $output == *'WRONG one cputrack-root: no rows'* && $output == *$'\nperfex              1 125'* ]]
}
