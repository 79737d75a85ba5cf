# Breakpoints at names: mem:NAME in cputrack and perfex.

bats_require_minimum_version 1.5.0

load helper

SOURCES=$BATS_TEST_DIRNAME/prog/named

setup() {
	[ -x "$LWPREC" ] || skip 'the commands are built without the libraries that read symbols'
	need_breakpoints
	cd "$T"
}

# build NAME [OPTION...]: build the program as NAME.
build() { cc -O1 -o "$1" "$SOURCES/program.c" -pthread "${@:2}"; }

# build_library NAME: build the program with a shared library.
build_library() {
	cc -O1 -fPIC -shared -o libnamed.so "$SOURCES/library.c"
	build "$1" -DLIBRARY -L. -lnamed -Wl,-rpath,"$T"
}


# counts EVENTS COMMAND...: run a program under cputrack. A line of $T/csv is a row: the event, and the values or -.
counts() {
	local events=$1 status=0
	shift
	bounded "$CPUTRACK" -T 0 -n --format=csv -o table -c "$events" "$@" || status=$?
	join_rows < table > csv
	return "$status"
}
join_rows() {
	awk -F, '
	$9 != "" {
		key = $2 "," $3 "," $5
		if (key != last && last != "")
			print line
		line = (key == last ? line : $5) "," ($10 == "" ? "-" : $10)
		last = key
	}
	END { if (last != "") print line }'
}

@test "names: functions and variables of PIE, static and other programs" {
	build pie -fPIE -pie
	build fixed -no-pie
	build static -static
	build static-pie -fPIE -static-pie
	for prog in pie fixed static static-pie; do
		run -0 --separate-stderr counts mem:hit:x,mem:counter:w,mem:hit,mem:counter ./$prog
		[ -z "$stderr" ]
		grep -Eq '^exit,7,3,7,3$' csv
	done
}

@test "names: each thread counts of its own" {
	build prog
	run -0 counts mem:hit ./prog threads
	[ "$(grep -c 'lwp_exit' csv)" = 3 ]
	for n in 100 200 300; do
		grep -q "^lwp_exit,$n\$" csv
	done
	grep -q '^exit,607$' csv
}

@test "names: a library's function is counted from its first call, before the program begins" {
	build_library prog
	# library_calls: the library writes it once in each call
	run -0 --separate-stderr counts mem:library_function,mem:library_calls,mem:hit,mem:counter ./prog
	[ -z "$stderr" ]
	grep -q '^exit,16,16,7,3$' csv
}

@test "names: a function of libc, of which the dynamic loader has one too" {
	build prog
	run -0 counts mem:puts,mem:_dl_catch_exception:x ./prog
	grep -Eq '^exit,1,[0-9]+$' csv
}

@test "names: children of fork have the address of their parent" {
	build_library prog
	run -0 counts mem:hit,mem:library_function -f ./prog fork
	grep -q '^exit,40,0$' csv
	grep -q '^exit,7,16$' csv
}

@test "names: the name is looked up again in each program" {
	build_library prog
	build other -static
	run -0 --separate-stderr counts mem:hit,mem:library_function -fe ./prog exec ./other
	grep -q '^exec,7,16$' csv
	grep -q '^exit,7,-$' csv
	[[ $stderr == *"mem:library_function: not counted in 1 program: $T/other has no function or variable 'library_function'"* ]]
	[[ $stderr != *'whole tree'* ]]
	run -125 counts mem:hit,mem:library_function --strict -fe ./prog exec ./other
	run -0 counts mem:hit -fe sh -c './other; ./prog'
	[ "$(grep -c '^exit,7$' csv)" = 2 ]
	grep -q '^exit,-$' csv
}

@test "names: a misspelled name is refused before the program does anything" {
	build_library prog
	build static -static
	for prog in prog static; do
		run -2 --separate-stderr counts mem:hitt:x ./$prog
		[ -z "$output" ]
		[[ $stderr == "cputrack: mem:hitt:x: $T/$prog"*"has no function or variable 'hitt'; did you mean 'hit'?" ]]
	done
	run -2 --separate-stderr counts mem:library_functoin ./prog
	[[ $stderr == *"did you mean 'library_function'"* ]]
}

@test "names: a stripped program has only the names that it exports" {
	build_library prog
	strip prog
	run -2 --separate-stderr counts mem:hit ./prog
	[[ $stderr == *"has no function or variable 'hit'"* ]]
	[[ $stderr == *'of a stripped file only the names that it exports are known' ]]
	run -0 counts mem:library_function ./prog
	grep -q '^exit,16$' csv
}

@test "names: C++ names are written as the linker has them" {
	command -v c++ > /dev/null || skip 'c++ is not installed'
	cat > prog.cc <<- 'END'
		namespace ns { struct S { int f(int a); }; }
		__attribute__((noinline)) int ns::S::f(int a) { asm volatile(""); return a + 1; }
		int main() { ns::S s; int v = 0; for (int i = 0; i < 9; i++) v += s.f(i); return v == 0; }
	END
	c++ -O1 -o prog prog.cc
	run -0 counts mem:_ZN2ns1S1fEi:x ./prog
	grep -q '^exit,9$' csv
	run -2 --separate-stderr counts mem:_ZN2ns1S1gEi ./prog
	[[ $stderr == *"did you mean '_ZN2ns1S1fEi'?" ]]
}

@test "names: the size of a variable is the width of its breakpoint" {
	build prog
	run -2 --separate-stderr counts mem:table ./prog
	[[ $stderr == *"'table' in $T/prog has 400 bytes, and a breakpoint covers 1, 2, 4 or 8"* ]]
	run -0 counts mem:table/8:w ./prog
	grep -q '^exit,0$' csv
	run -2 --separate-stderr counts mem:unaligned ./prog
	[[ $stderr == *"which is not a multiple of 4"* ]]
	run -2 --separate-stderr counts mem:counter:x ./prog
	[[ $stderr == *"'counter' is a variable in $T/prog; use w or rw"* ]]
	run -2 --separate-stderr counts mem:hit:w ./prog
	[[ $stderr == *"'hit' is a function in $T/prog; give the length"* ]]
	run -2 --separate-stderr counts mem:counter/3:w ./prog
	[[ $stderr == *'the length must be 1, 2, 4 or 8, not 3'* ]]
}

@test "names: a function that is chosen when the program starts cannot be counted" {
	cat > prog.c <<- 'END'
		static void one(void) {}
		static void (*choose(void))(void) { return one; }
		void chosen(void) __attribute__((ifunc("choose")));
		int main(void) { chosen(); return 0; }
	END
	cc -O1 -o prog prog.c || skip 'the compiler has no indirect functions'
	run -2 --separate-stderr counts mem:chosen ./prog
	[[ $stderr == *"'chosen' in $T/prog is chosen among several functions"* ]]
}

@test "names: a thread-local variable cannot be counted" {
	cat > prog.c <<- 'END'
		__thread int own;
		int main(void) { own = 1; return own - 1; }
	END
	cc -O1 -o prog prog.c
	run -2 --separate-stderr counts mem:own:w ./prog
	[[ $stderr == *"'own' in $T/prog is thread-local: each thread has one"* ]]
}

@test "names: x86 has four breakpoints" {
	[ "$(uname -m)" = x86_64 ] || skip 'this machine is no x86'
	build prog
	run -0 counts mem:hit,mem:main,mem:counter,mem:puts ./prog
	grep -q '^exit,7,1,3,1$' csv
	run -125 --separate-stderr counts mem:hit,mem:main,mem:counter,mem:puts,mem:exit ./prog
	[ -z "$output" ]
	[[ $stderr == *'all breakpoint registers of its kind are in use (x86 has 4 in all'* ]]
}

@test "names: the names of a process that runs" {
	build_library prog
	mkfifo in
	sleep 60 > in &
	writer=$!
	started+=("$writer")
	./prog wait < in > ready 3>&- &
	prog=$!
	started+=("$prog")
	until_true grep -q ready ready
	start out "$CPUTRACK" -v -T 0.05 --format=csv -c mem:hit,mem:library_function -p "$prog"
	tracker=$!
	until_true grep -q init_lwp out
	printf abcde > in
	kill "$writer"
	finish "$tracker"
	join_rows < out | grep -q '^exit,5,0$'
}

@test "names: perfex sums all threads and processes" {
	build_library prog
	build other -static
	run -0 --separate-stderr bounded "$PERFEX" --format=json -o rows -e mem:hit -e mem:library_function \
		-e page-faults sh -c './prog threads; ./prog fork; ./other'
	grep '"what":"exit"' rows | grep -Eq '"name":"mem:hit"[^}]*"value":661,'
	grep '"what":"exit"' rows | grep -Eq '"name":"mem:library_function"[^}]*"value":32,'
	# sh has neither, and the static program not the library's
	[[ $stderr == *'mem:hit: not counted in 1 program: '*"has no function or variable 'hit'"* ]]
	[[ $stderr == *'mem:library_function: not counted in 2 programs: '* ]]
	[ "$(grep -c lwp_exit rows)" = 0 ]
	run -0 bounded "$PERFEX" -mp --format=json -o rows -e mem:hit ./other threads
	[ "$(cat rows.* | grep -c lwp_exit)" = 4 ]
	grep '"what":"exit"' rows | grep -q '"value":607,'
}

@test "names: perfex reports a name that is nowhere" {
	build prog
	run -0 --separate-stderr bounded "$PERFEX" -o rows -e mem:hitt ./prog
	grep -Eq '^ +mem:hitt\.+ +-$' rows
	[[ $stderr == *"mem:hitt: not counted in 1 program: $T/prog with its libraries has no function or variable 'hitt'; did you mean 'hit'?"* ]]
	run -125 bounded "$PERFEX" --strict -o rows -e mem:hitt ./prog
	for option in -s '-p 1000'; do
		run -2 --separate-stderr "$PERFEX" $option -e mem:hit ./prog
		[ -z "$output" ]
		[[ $stderr == *'mem:hit: -s and -p cannot count it'* ]]
	done
}

@test "names: JSON has the event as it was written" {
	build prog
	run -0 bounded "$CPUTRACK" -T 0 --format=json -o rows -c mem:hit:x,mem:counter/4:w ./prog
	grep -q '"what":"exit".*"name":"mem:hit:x".*"value":7,.*"class":"exact".*"name":"mem:counter/4:w".*"value":3,' rows
	command -v python3 > /dev/null || skip 'python3 is not installed'
	python3 "$BATS_TEST_DIRNAME/records.py" rows
}

@test "names: sets that take turns" {
	build_library prog
	run -0 counts mem:library_function -c mem:hit,page-faults ./prog
	grep -Eq '^exit,16,7,[0-9]+$' csv
}

@test "names: only cputrack and perfex look names up" {
	run -2 --separate-stderr "$CPUSTAT" -c mem:hit 1 1
	[[ $stderr == *'mem:hit: only cputrack and perfex look names up'* ]]
	run -0 "$CPUTRACK" --explain -c mem:hit:x
	[[ $output == *'bp_addr=0 (looked up in the program)'* ]]
	run -0 "$PERFEX" --explain -e mem:hit:x
}
