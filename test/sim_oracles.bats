# The simulator compared with ptrace's single steps and with cachegrind.

bats_require_minimum_version 1.5.0

load helper

setup() {
	[ -x "${B:-build}/sim/cpcsim-amd64-linux" ] || skip "the simulator was not built (it needs Valgrind's libraries)"
	S="$CPUTRACK --engine=sim -T 0 --format=csv -o $T/csv"
	EMPTY=(env -i "PATH=$PATH" LC_ALL=C)
}

# value NAME: print the event's value in the first row "exit", that of the whole process.
value() { awk -F, -v name="$1" '$5 == "exit" && $9 ~ name "$" { print $10; exit }' "$T/csv"; }

@test "sim oracles: instructions are as many as single steps" {
	local n
	for n in 10 60; do
		steps=$("$PROG/sim-step" "$PROG/sim-free" $n | tail -n 1)
		$S -c insn "$PROG/sim-free" $n > "$T/out" 2> "$T/err"
		echo "$n: $(value insn), steps $steps"
		[ "$steps" -gt 10000 ]
		[ "$(value insn)" = "$steps" ]
	done
}

# cachegrind CMD...: print events and their sums, a line each, for the caches of the generic machine.
cachegrind() {
	# Debian's valgrind is a script that changes the program's environment.
	"${EMPTY[@]}" "$(command -v valgrind.bin || echo valgrind)" -q --tool=cachegrind --cache-sim=yes --cachegrind-out-file="$T/cg" \
		--I1=32768,8,64 --D1=49152,12,64 --LL=1048576,16,64 "$@" > "$T/cg.out" 2> "$T/cg.err"
	awk '/^events:/ { n = split($0, name, " ") } /^summary:/ { split($0, v, " ")
		for (i = 2; i <= n; i++) print name[i], v[i] }' "$T/cg"
}

# cachegrind_preload: print what LD_PRELOAD contains in a program that runs under cachegrind.
cachegrind_preload() {
	cachegrind env > /dev/null
	sed -n 's/^LD_PRELOAD=//p' "$T/cg.out"
}

# like NAME OURS THEIRS: the two differ by at most 2 %.
like() {
	awk -v name="$1" -v a="$2" -v b="$3" 'BEGIN {
		d = (a - b) / b * 100
		printf "%s: %d, cachegrind %d, %+.2f %%\n", name, a, b, d
		exit !(a > 0 && b > 0 && d <= 2 && d >= -2) }'
}

# compare CMD...: our counts are like cachegrind's. Two differences are by design: cachegrind counts one miss for
# an access to two lines that both miss; and our L2 includes L1, so a line that L2 evicts leaves L1 too.
compare() {
	[ -z "${SANITIZE-}" ] || skip "the sanitizers' own libraries come before LD_PRELOAD"
	local preload theirs events
	preload=$(cachegrind_preload)
	theirs=$(cachegrind "$@")
	events=i1_miss,d1_rd_miss,d1_wr_miss,l2_i_miss,l2_rd_miss,l2_wr_miss
	# Valgrind preloads an object into each program; ours gets the same to load.
	"${EMPTY[@]}" "LD_PRELOAD=$preload" $S -c $events "$@" > "$T/out" 2> "$T/err"
	cmp "$T/out" "$T/cg.out"
	get() { echo "$theirs" | awk -v name="$1" '$1 == name { print $2 }'; }
	like "L1I misses" "$(value i1_miss)" "$(get I1mr)"
	like "L1D misses" $(($(value d1_rd_miss) + $(value d1_wr_miss))) $(($(get D1mr) + $(get D1mw)))
	like "L2 misses" $(($(value l2_i_miss) + $(value l2_rd_miss) + $(value l2_wr_miss))) \
		$(($(get ILmr) + $(get DLmr) + $(get DLmw)))
}

@test "sim oracles: caches miss as often as cachegrind's: ls" {
	need valgrind
	compare ls /usr/bin
}

@test "sim oracles: caches miss as often as cachegrind's: gzip" {
	need valgrind gzip
	cat "$BATS_TEST_DIRNAME"/../events/*.events > "$T/text"
	compare gzip -9 -c "$T/text"
}

@test "sim oracles: caches miss as often as cachegrind's: the C compiler" {
	need valgrind gcc
	awk 'BEGIN { for (i = 0; i < 20; i++)
		printf "int f%d(int a, const int *p)\n{\n\tint s = a;\n\n\tfor (int k = 0; k < %d; k++)\n\t\ts = s * %d + p[k] / %d;\n\treturn s;\n}\n",
			i, i % 9 + 1, i % 13 + 2, i % 7 + 1 }' > "$T/x.c"
	compare "$(gcc -print-prog-name=cc1)" -quiet -O1 "$T/x.c" -o "$T/x.s"
}
