# The counters of hwperf.h. Events 0 and 16 are cycles, 15 and 17 instructions; an instruction takes one cycle here.

bats_require_minimum_version 1.5.0

load ../helper

# region EVENT0 EVENT1 ROUNDS: the counts of a region of so many rounds. The linker resolves functions at the start.
region() { LD_BIND_NOW=1 "$PROG/hwperf" "$@"; }

# every_round COMMAND...: COMMAND ROUNDS prints the cycles and instructions of so many rounds. Each round after the first
# has the same numbers of both, which are equal here. All arguments have the same length: another one can move the stack, and
# then copies of what is there can take some instructions more.
every_round() {
	local one two many
	read -ra one <<< "$("$@" 01)"
	read -ra two <<< "$("$@" 02)"
	read -ra many <<< "$("$@" 52)"
	echo "${one[*]} / ${two[*]} / ${many[*]}"
	((two[0] - one[0] == two[1] - one[1] && two[0] - one[0] >= 3 * 4096))
	((many[0] - two[0] == 50 * (two[0] - one[0]) && many[1] - two[1] == 50 * (two[1] - one[1])))
}

@test "hwperf: a region of n rounds has n times the cycles and instructions of a round, exactly" {
	every_round region 0 15
}

# seed ROUNDS: the cycles and instructions that the example of r10k_evcntrs(5) counts.
# The environment moves the stack, which can change the cycles of a round by some: the program has none of the caller.
seed() { env -i LD_BIND_NOW=1 "$PROG/hwperf_seed" "$1" | sed 's/.*: //' | tr '\n' ' '; }

@test "hwperf: the example of r10k_evcntrs(5) counts cycles (0) and instructions (15) of n rounds exactly" {
	[ -x "$PROG/hwperf_seed" ] || skip 'no seeds in ../shared/seeds'
	every_round seed
}

@test "hwperf: events of both counters are counted at the same time" {
	run -0 region 0 17 5
	echo "$output"
	[ "${output% *}" -eq "${output#* }" ]
}

@test "hwperf: a signal comes after each 50000 cycles" {
	local count signals faults
	read -r count signals faults <<< "$(EVENT=cycles bounded "$PROG/hwperf_act" overflow 50000 400)"
	echo "$count $signals"
	((count > 1000000 && signals == count / 50000))
}
