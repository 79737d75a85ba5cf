# Real programs have the same output and the same status under cputrack as without it.

load helper

setup() {
	cd "$T"
}

# big_source N: prints C source of N functions with tables and loops, which takes some time to compile.
big_source() {
	awk -v n="$1" 'BEGIN {
		for (i = 0; i < n; i++) {
			printf "static const int t%d[] = { %d, %d, %d, %d };\n", i, i, i * 3 % 17, i * 7 % 31, i % 5
			printf "int f%d(int a, const int *p)\n{\n", i
			printf "\tint s = a;\n\tfor (int k = 0; k < 4; k++)\n"
			printf "\t\ts = s * %d + t%d[(k + a) & 3] + p[k] / %d;\n", i % 13 + 2, i, i % 7 + 1
			printf "\tswitch (s & 7) {\n"
			for (c = 0; c < 7; c++)
				printf "\tcase %d: s += t%d[%d] * a; break;\n", c, i, c % 4
			printf "\t}\n\treturn s;\n}\n" }
	}'
}

# complete CSV: checks that every process that was followed has an exit row.
complete() {
	awk -F, '
		NR == 1 { while ($++child != "child"); next }
		$5 == "fork" { born[$child] = 1 }
		$5 == "exit" { ended[$2] = 1 }
		END { for (p in born) if (!(p in ended)) { bad = 1; print "no exit row of " p }
			exit bad }' "$1"
}

@test "programs: gcc -O2 -pipe of a large file, -fev" {
	need gcc
	big_source 400 > big.c
	gcc -O2 -pipe -c -o plain.o big.c
	run "$CPUTRACK" --tracker=ptrace -fev --format=csv -o rows -c task-clock,page-faults gcc -O2 -pipe -c -o tracked.o big.c
	[ "$status" -eq 0 ]
	cmp plain.o tracked.o
	complete rows
	# The driver, the compiler proper and the assembler.
	[ "$(csv_count rows exec)" -ge 4 ]
	grep -q "cc1" rows
}

@test "programs: gcc of a bad file: its messages and its status" {
	need gcc
	echo 'int main(void) { return x; }' > bad.c
	local status=0 plain=0
	gcc -c bad.c 2> plain || plain=$?
	"$CPUTRACK" --tracker=ptrace -fe -T 0 -o rows -c task-clock gcc -c bad.c 2> tracked || status=$?
	[ "$status" -eq "$plain" ]
	diff plain <(grep -v '^cputrack: ' tracked)
}

@test "programs: gzip -9" {
	need gzip
	big_source 3000 > text
	gzip -9nc text > plain.gz
	"$CPUTRACK" -o rows -c task-clock,page-faults gzip -9nc text > tracked.gz
	cmp plain.gz tracked.gz
	[ "$(awk '$3 == "exit" && $4 > 0' rows | wc -l)" -eq 1 ]
}

@test "programs: a pipe between two programs that are counted" {
	need gzip
	big_source 500 > text
	"$CPUTRACK" --tracker=ptrace -o rows1 -T 0 -c task-clock gzip -nc text 3>&- |
		"$CPUTRACK" --tracker=ptrace -o rows2 -T 0 -c task-clock gzip -dc 3>&- | cmp - text
	grep -q ' exit ' rows1
	grep -q ' exit ' rows2
}

@test "programs: python3 with threads" {
	need python3
	python=$(python3 -c 'import sys; print(sys.executable)')
	cat > threads.py <<-'PY'
		import sys, threading, hashlib
		out = {}
		def work(i):
		    h = b"%d" % i
		    for _ in range(3000):
		        h = hashlib.sha256(h).digest()
		    out[i] = h.hex()
		threads = [threading.Thread(target=work, args=(i,)) for i in range(16)]
		for t in threads: t.start()
		for t in threads: t.join()
		for i in sorted(out): print(i, out[i])
		sys.exit(6)
	PY
	"$python" threads.py > plain || [ $? -eq 6 ]
	local status=0
	"$CPUTRACK" --tracker=ptrace -v -T 0.01 -o rows -c task-clock "$python" threads.py > tracked || status=$?
	[ "$status" -eq 6 ]
	diff plain tracked
	[ "$(awk '$3 == "lwp_exit"' rows | wc -l)" -eq 16 ]
	awk '$3 == "fini_lwp" { s += $4 } $3 == "exit" { e = $4 } END { exit s != e || !e }' rows
}

@test "programs: make -j4" {
	need make
	cat > Makefile <<-'MK'
		all: $(addprefix o.,$(shell seq 12)) ; @cat $(sort $^)
		o.%: ; @(echo part $*; echo $* | sha256sum) > $@
		bad: o.1 ; @exit 3
		clean: ; @rm -f o.*
	MK
	make -s -j4 > plain
	make -s clean
	"$CPUTRACK" --tracker=ptrace -fe --format=csv -o rows -c task-clock,page-faults make -s -j4 > tracked
	diff plain tracked
	complete rows
	local status=0
	"$CPUTRACK" --tracker=ptrace -fe -T 0 -o rows -c task-clock make -s bad 2> /dev/null || status=$?
	[ "$status" -eq 2 ]
}

@test "programs: a shell script of many short commands" {
	cat > many.sh <<-'SH'
		for i in $(seq 60); do
			echo $i | tr 0-9 a-j
			(exit $((i % 3)))
			echo $?
		done
		trap 'echo trapped' USR1
		kill -USR1 $$
		exit 9
	SH
	sh many.sh > plain || [ $? -eq 9 ]
	local status=0
	"$CPUTRACK" --tracker=ptrace -fe --format=csv -o rows -c task-clock sh many.sh > tracked || status=$?
	[ "$status" -eq 9 ]
	diff plain tracked
	complete rows
}

@test "programs: a shell in a terminal, with a pipe and job control" {
	needs_terminal
	run "$PROG/ptyrun" -- "$CPUTRACK" --tracker=ptrace -fe -T 0 -o "$T/rows" -c task-clock \
		bash -c 'set -m; sleep 0.05 & wait; echo one two | wc -w; [ -t 0 ] && echo tty'
	[ "$status" -eq 0 ]
	[[ $output == *2*tty* ]]
}

@test "programs: the demo, as nobody" {
	need_root
	need setpriv "${CC:-cc}"
	public_dir
	need_unprivileged_counting
	local demo=$BATS_TEST_DIRNAME/../demo
	"${CC:-cc}" -O2 -o "$D/workload" "$demo/workload.c" -pthread
	"${CC:-cc}" -O2 -g -o "$D/matrix" "$demo/matrix.c"
	cp "$demo/demo.sh" "$D"
	cp "$PERFEX" "$D"
	[ ! -x "$LWPREC" ] || cp "$LWPREC" "$D"
	[ ! -d "${PERFEX%/*}/../sim" ] || cp -rL "${PERFEX%/*}/../sim" "$D"
	run as_nobody env CPC_SIM_DIR="$D/sim" "$D/demo.sh" "$D/cputrack" "$D/perfex" "$D/workload" "$D/matrix"
	[ "$status" -eq 0 ]
	[[ $output == 'The demo takes about half a minute'*'[1 of 6] '*'[6 of 6] '*'The demo took '*' s.' ]]
	# Without counters and a simulator the demo reports that and ends with status 0.
	[[ $output == *'Graduated instructions/cycle'* || ! -d $D/sim ]]
	[ "$(grep -c ',exit,' <<< "$output")" -ge 3 ]
	[[ $output == *' multiply '*' matrix.c:20 '* || ! -d $D/sim || ! -x $D/lwprec ]]
}
