# The counters of hwperf.h. Events 0 and 16 are cycles, 15 and 17 instructions; an instruction takes one cycle here.

bats_require_minimum_version 1.5.0

load ../helper

# region EVENT0 EVENT1 ROUNDS: the counts of a region of so many rounds. The linker resolves functions at the start.
region() { LD_BIND_NOW=1 "$PROG/hwperf" "$@"; }

# least COMMAND...: the least that three runs have of each number. If an interrupt comes while the counters are read, they are read
# again, which takes some instructions more.
least() {
	local i
	for i in 1 2 3; do
		"$@"
		echo
	done | awk '{ for (i = 1; i <= NF; i++) if (!(i in n) || $i < n[i]) n[i] = $i } END { print n[1], n[2] }'
}

# every_round COMMAND...: COMMAND ROUNDS prints the cycles and instructions of so many rounds. Each round after the first
# has the same numbers of both, which are equal here.
every_round() {
	local one two many
	read -ra one <<< "$(least "$@" 1)"
	read -ra two <<< "$(least "$@" 2)"
	read -ra many <<< "$(least "$@" 52)"
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
