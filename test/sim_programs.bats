# Real programs under the simulator behave as without it; single-threaded ones have the same counts each time.

bats_require_minimum_version 1.5.0
load helper

setup() {
	[ -x "$(dirname "$CPUTRACK")/../sim/cpcsim-launch" ] || skip "the simulator is not built here"
	alone=(env -i "PATH=$PATH" LC_ALL=C PYTHONHASHSEED=0)
}

# like_alone STATUS CMD...: output and exit status are as without the simulator, and something was counted. If a
# signal ended the command, stderr is not compared: the shell writes there too.
like_alone() {
	local status=$1 want=0 got=0
	shift
	bounded "${alone[@]}" "$@" > "$T/want" 2> "$T/want.err" < /dev/null || want=$?
	bounded "${alone[@]}" "$PERFEX" --engine=sim -o "$T/report" -e 15 "$@" > "$T/got" 2> "$T/got.err" < /dev/null || got=$?
	echo "$*: $got"
	[ "$want" -eq "$status" ]
	[ "$got" -eq "$status" ]
	cmp "$T/want" "$T/got"
	[ "$status" -gt 128 ] || diff "$T/want.err" <(grep -v '^perfex: ' "$T/got.err")
	[ "$(awk '{ sub(/\.\.+/, " "); print $NF }' "$T/report")" -gt 100 ]
}

# five CMD...: the counts of all events are the same in five runs.
five() {
	local i
	for i in 1 2 3 4 5; do
		bounded "${alone[@]}" "$PERFEX" --engine=sim -o "$T/report.$i" -a "$@" > "$T/out" 2> "$T/err"
		cmp "$T/report.1" "$T/report.$i"
	done
	[ "$(grep -c . "$T/report.1")" -eq 32 ]
}

# source_file N: make $T/x.c with N functions.
source_file() {
	awk -v n="$1" 'BEGIN { for (i = 0; i < n; i++)
		printf "int f%d(int a, const int *p)\n{\n\tint s = a;\n\n\tfor (int k = 0; k < %d; k++)\n\t\ts = s * %d + p[k] / %d;\n\treturn s;\n}\n",
			i, i % 9 + 1, i % 13 + 2, i % 7 + 1
		print "int main(void)\n{\n\treturn 0;\n}" }' > "$T/x.c"
}

@test "sim programs: ls, gzip, sort, awk, sh" {
	like_alone 0 ls /usr
	like_alone 0 gzip -9c Makefile
	like_alone 0 sort README.md
	like_alone 0 awk '{ n += length($0) } END { print n }' README.md
	like_alone 3 sh -c 'echo a | tr a b; exit 3'
	like_alone 2 ls /no/such/folder
}

@test "sim programs: the compiler and what it starts" {
	source_file 1
	"${alone[@]}" gcc -o "$T/want" "$T/x.c"
	bounded "${alone[@]}" "$CPUTRACK" --engine=sim -T 0 -fe --format=csv -o "$T/csv" -c insn gcc -o "$T/x" "$T/x.c" \
		> "$T/got" 2> "$T/err" < /dev/null
	[ ! -s "$T/got" ]
	run ! grep -v '^cputrack: ' "$T/err"
	cmp "$T/want" "$T/x"
	like_alone 0 "$T/x"
	# gcc, cc1, as, collect2 and ld
	[ "$(awk -F, '$5 == "exit" && $10 > 100000' "$T/csv" | wc -l)" -eq 5 ]
	[ "$(grep -cE ',exec,.*/(cc1|as|collect2|ld) ' "$T/csv")" -eq 4 ]
}

@test "sim programs: python and perl" {
	need perl
	[ -x /usr/bin/python3 ] || skip "needs /usr/bin/python3"
	like_alone 0 /usr/bin/python3 -S -c 'import sys; print(sum(i * i for i in range(2000)), hash("x"))'
	like_alone 4 /usr/bin/python3 -S -c 'import os; os._exit(4)'
	like_alone 0 perl -e 'my %h; $h{$_ % 7} += $_ for 1 .. 3000; print join(",", map { $h{$_} } 0 .. 6), "\n"'
}

@test "sim programs: node" {
	need node
	like_alone 0 node -e 'console.log([1, 2, 3].map(x => x * x).join())'
}

@test "sim programs: a program has the name that it was called by" {
	ln -s "$(command -v sh)" "$T/a-shell-with-a-long-name"
	like_alone 0 sh -c 'echo $0'
	like_alone 0 "$T/a-shell-with-a-long-name" -c 'echo $0'
	like_alone 0 bash -c 'exec -a a-name-that-is-longer-than-its-path perl -e "print \$0, @ARGV" 1 2'
}

@test "sim programs: threads, static programs, programs without C library" {
	like_alone 0 "$PROG/sim-free" 100
	like_alone 0 "$PROG/exactly"
	bounded "$PERFEX" --engine=sim -mp -o "$T/mp" -e 15 "$PROG/oracle" live 8 2> "$T/err"
	[ "$(find "$T" -name 'mp.*' | wc -l)" -eq 9 ]
}

@test "sim programs: signals and ways to die" {
	like_alone 7 perl -e '$SIG{USR1} = sub { $n++ }; kill USR1 => $$ for 1 .. 50; exit($n == 50 ? 7 : 1)'
	like_alone 143 sh -c 'kill -TERM $$'
	like_alone 139 sh -c 'kill -SEGV $$'
	like_alone 137 sh -c 'kill -KILL $$'
	like_alone 134 sh -c 'kill -ABRT $$'
}

@test "sim programs: gzip counts the same five times" {
	five gzip -9c Makefile
}

@test "sim programs: the C compiler counts the same five times" {
	# Optimization, and more than one function, only take longer.
	source_file 1
	# The compiler behaves differently if its output file does not exist yet.
	: > "$T/x.s"
	five "$(gcc -print-prog-name=cc1)" -quiet -O0 "$T/x.c" -o "$T/x.s"
}

@test "sim programs: python counts the same five times" {
	[ -x /usr/bin/python3 ] || skip "needs /usr/bin/python3"
	five /usr/bin/python3 -S -c 'print(sorted(str(i) for i in range(500))[7])'
}

@test "sim programs: the environment is the program's own, also in the programs that it executes" {
	plain_build 'the program gets a variable more'
	local lib
	like_alone 0 env
	like_alone 0 sh -c 'env; exec env'
	lib=$(ldconfig -p | awk '/libm\.so\.6.*x86-64/ { print $NF; exit }')
	[ -n "$lib" ] || skip 'no libm to preload'
	[ -z "${SANITIZE-}" ] || skip "the sanitizers' own libraries come before LD_PRELOAD"
	alone+=("LD_PRELOAD=$lib" VALGRIND_LAUNCHER=/no/launcher)
	bounded "${alone[@]}" "$PERFEX" --engine=sim -o "$T/report" -e 15 sh -c 'env; exec env' > "$T/got"
	[ "$(grep -c "^LD_PRELOAD=$lib\$" "$T/got")" -eq 2 ]
	lacks 'VALGRIND_LIB' "$T/got"
}

@test "sim programs: signals that are pending when a program executes another one stay pending" {
	need perl
	local unblock='use POSIX; sigprocmask(SIG_UNBLOCK, POSIX::SigSet->new(SIGTERM)); exit 3'
	like_alone 143 perl -e 'use POSIX; sigprocmask(SIG_BLOCK, POSIX::SigSet->new(SIGTERM)); kill TERM => $$; exec "perl", "-e", $ARGV[0]' "$unblock"
	like_alone 3 perl -e 'use POSIX; $SIG{TERM} = "IGNORE"; sigprocmask(SIG_BLOCK, POSIX::SigSet->new(SIGTERM)); kill TERM => $$; exec "perl", "-e", $ARGV[0]' "$unblock"
}

@test "sim programs: valgrind runs natively, with a note" {
	need valgrind
	like_alone 5 valgrind -q --tool=none sh -c 'echo out; exit 5'
	has 'as Valgrind.s tools do, which ran natively and is not counted' "$T/got.err"
}

@test "sim programs: what gdb or strace traces runs natively, with a note" {
	need gdb strace
	bounded strace -o "$T/trace" true || skip 'no program can be traced here'
	bounded "${alone[@]}" "$PERFEX" --engine=sim -o "$T/report" -e 15 strace -o "$T/trace" true 2> "$T/err"
	has '^execve(.*/true' "$T/trace"
	lacks cpcsim "$T/trace"
	has 'simulated debugger traces it' "$T/err"
	bounded "${alone[@]}" "$PERFEX" --engine=sim -o "$T/report" -e 15 gdb -q -nx -batch -ex 'break main' -ex run \
		-ex 'backtrace' -ex continue "$PROG/nop" > "$T/out" 2> "$T/err"
	has '#0 .*main (' "$T/out"
	has 'exited normally' "$T/out"
	has 'simulated debugger traces it' "$T/err"
}

# deep LIMIT MB...: run sim-stack under this limit of the stack; prints its status.
deep() {
	local limit=$1
	shift
	(
		ulimit -S -s "$limit" || exit 99
		bounded "$PERFEX" --engine=sim -o "$T/report" -e 15 "$PROG/sim-stack" "$@" > "$T/out" 2> "$T/err"
	)
}

@test "sim programs: the stack grows up to its limit" {
	local hard
	hard=$(ulimit -H -s)
	[ "$hard" = unlimited ] || [ "$hard" -ge 65536 ] || skip "the hard limit of the stack is low"
	deep 65536 50
	[ "$(cat "$T/out")" = 50 ]
	run ! deep 65536 70
	run ! deep 8192 10
	deep 65536 50 thread
	if [ "$hard" = unlimited ]; then
		deep unlimited 100
		deep unlimited 1 thread
	fi
}

@test "sim programs: a limit of the stack that a simulated shell sets holds for its children" {
	local hard
	hard=$(ulimit -H -s)
	[ "$hard" = unlimited ] || [ "$hard" -ge 65536 ] || skip "the hard limit of the stack is low"
	# shellcheck disable=SC2016 # the inner shell expands
	bounded "$PERFEX" --engine=sim -o "$T/report" -e 15 sh -c 'ulimit -S -s 65536; "$1" 50' sh "$PROG/sim-stack" > "$T/out"
	[ "$(cat "$T/out")" = 50 ]
	# shellcheck disable=SC2016
	run ! bounded "$PERFEX" --engine=sim -o "$T/report" -e 15 sh -c 'ulimit -S -s 2048; "$1" 5' sh "$PROG/sim-stack"
}
