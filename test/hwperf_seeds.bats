# The example of r10k_evcntrs(5) of IRIX, which cannot be distributed here. If the page is present, the test extracts
# the example, mends its slips, compiles it with hwperf.h, and runs it in the simulator. test/examples/hwperf.c is an
# example of our own that does the same.

bats_require_minimum_version 1.5.0

load helper

setup() {
	cd "$BATS_TEST_DIRNAME/.." || return
	export XDG_RUNTIME_DIR=$T
	[ -z "${SANITIZE:-}" ] || skip "the simulator runs no programs with sanitizers"
}

# sim PROGRAM EVENT0 EVENT1 [ARG...]: prints the counts of perfex for the whole program, and then what the program prints.
sim() {
	local program=$1 event0=$2 event1=$3
	shift 3
	run -0 --separate-stderr bounded "$PERFEX" --engine=sim -e "$event0" -e "$event1" -o "$T/report" "$program" "$@"
	sed -n 's/^ *[0-9]* .*\.\. *\([0-9]*\)$/\1/p' "$T/report" | tr '\n' ' '
	echo "$output" | tr -c '0-9\n' ' ' | tr '\n' ' '
	echo
}

need_sim() {
	"$PERFEX" --engine=sim -e 15 -o /dev/null true 2> "$T/why" || skip "no simulator: $(head -n 1 "$T/why")"
}

# near A B D: |A - B| <= D
near() { (($1 - $2 <= $3 && $2 - $1 <= $3)); }

@test "hwperf: a simulated program counts its region as perfex does" {
	plain_build 'the program executes more instructions outside the region'
	need_sim
	local all none
	read -ra all <<< "$(sim "$PROG/hwperf" 15 25 15 25 200)"
	read -ra none <<< "$(sim "$PROG/hwperf" 15 25 15 25 0)"
	echo "${all[*]} / ${none[*]}"
	# A round has at least three instructions for each of 4096 lines of 64 bytes, which miss in 32 KB.
	((all[2] - none[2] >= 200 * 4096 * 3 && all[3] - none[3] >= 200 * 4096))
	# Longer numbers take some instructions more to print.
	near $((all[0] - none[0])) $((all[2] - none[2])) 1000
	near $((all[1] - none[1])) $((all[3] - none[3])) 500
	# The calls themselves take some instructions.
	((none[2] > 0 && none[2] < 20000))
}

@test "hwperf: the same counts come in each simulation" {
	need_sim
	local one two
	one=$(sim "$PROG/hwperf" 15 18 15 18 3)
	two=$(sim "$PROG/hwperf" 15 18 15 18 3)
	echo "$one / $two"
	[ "${one#* * }" = "${two#* * }" ]
}

@test "hwperf: the example of r10k_evcntrs(5) counts cache misses, as perfex does" {
	need_sim
	local page
	page=$(grep -ls 'hwp_evctrargs.hwp_evctrl' ../shared/seeds/*.txt | head -n 1) || :
	[ -n "$page" ] || skip "no seeds in ../shared/seeds"
	test/hwperf_seed "$page" > "$T/example.c"
	cat "$T/example.c"
	"${CC:-cc}" -std=gnu11 -O1 -Werror=implicit-function-declaration -Ilib/include -o "$T/example" "$T/example.c" \
		"${B:-build}/install/libcpc.a" -lpfm
	local all none
	read -ra all <<< "$(sim "$T/example" 9 25 200)"
	read -ra none <<< "$(sim "$T/example" 9 25 0)"
	echo "${all[*]} / ${none[*]}"
	((all[2] > 0 && all[3] - none[3] >= 200 * 4096))
	near $((all[1] - none[1])) $((all[3] - none[3])) 500
	near $((all[0] - none[0])) $((all[2] - none[2])) 500
}
