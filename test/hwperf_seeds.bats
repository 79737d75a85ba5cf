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

# The lines of the example, without numbers, page breaks and the no-break spaces of the page.
example() {
	sed 's/\xc2\xa0/ /g; s/^ *[0-9]*\. \{0,1\}//' "$1" |
		sed -n '/^ *pid = getpid();/,/printf("data cache misses/p' |
		sed '/PPPPaaa/d; /PPPPEEE/d; /^ *$/d'
}

# Mend the slips, and give the example a body.
mend() {
	awk '
	/for \(i = HWPERF_CNT1BASE/ { second = 1 }
	second { sub(/i == 9/, "i == 25") }
	{ gsub(/exit errno;/, "exit(errno);"); gsub(/exit 0;/, "exit(0);") }
	{ sub(/counters0\)/, "counters\\n\")") }
	/printf\(".*%d\/0,/ { sub(/%d\/0,/, "%llu\\n\", (unsigned long long)") }
	/open\(pfile/ { sub(/open\(pfile, O_RDWR\)/, "hwperf_open(pid)") }
	{ gsub(/ioctl\(/, "hwperf_ioctl(") }
	/body of program/ { print "body();"; next }
	{ print }'
}

@test "hwperf: the example of r10k_evcntrs(5) counts cache misses, as perfex does" {
	need_sim
	local page
	page=$(grep -ls 'hwp_evctrargs.hwp_evctrl' ../shared/seeds/*.txt | head -n 1) || :
	[ -n "$page" ] || skip "no seeds in ../shared/seeds"
	{
		cat <<-'END'
			#include <errno.h>
			#include <hwperf.h>
			#include <stdio.h>
			#include <stdlib.h>
			#include <unistd.h>
			static volatile char memory[4096 * 64];
			static int rounds;
			static void __attribute__((noinline)) body(void)
			{
				while (rounds-- > 0)
					for (int i = 0; i < 4096; i++)
						memory[i * 64]++;
			}
			int main(int argc, char **argv)
			{
				hwperf_profevctrarg_t evctr_args;
				hwperf_cntr_t cnts;
				int pid, fd, i, generation1, generation2;
				char pfile[32];
				rounds = argc > 1 ? atoi(argv[1]) : 0;
		END
		example "$page" | mend
		echo 'return 0; }'
	} > "$T/example.c"
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
