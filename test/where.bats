# --where: the functions whose simulated counts differ, against --vs and --baseline.

bats_require_minimum_version 1.5.0
load helper

setup() {
	[ "$(uname -m)" = x86_64 ] || skip 'programs of this machine are not simulated'
	"$CPUTRACK" --engine=sim -n -T 0 -o "$T/try" -c instructions true 2> /dev/null || skip 'the simulator is not built here'
	[ -x "$LWPREC" ] || skip 'this build reads no symbols'
	need jq
	cd "$T"
	cat > prog.c <<-'END'
		#include <pthread.h>
		#include <sys/wait.h>
		#include <unistd.h>
		#define WORK(name, n) \
			__attribute__((noinline, noclone)) void name(void) { for (volatile int i = 0; i < (n); i++) ; }
		WORK(sort_run, SORT)
		WORK(read_input, 3000)
		WORK(in_thread, THREAD)
		WORK(in_child, CHILD)
		static void *thread(void *arg) { in_thread(); return arg; }
		int main(int argc, char **argv)
		{
			pthread_t t;
			read_input();
			sort_run();
			if (pthread_create(&t, 0, thread, 0) || pthread_join(t, 0))
				return 1;
			if (fork() == 0) {
				in_child();
				_exit(0);
			}
			wait(0);
			if (argc > 1)
				execv(argv[1], argv + 1);
			return 0;
		}
	END
}

# build FILE SORT THREAD CHILD [OPTION...]: make the program with so many turns in its functions.
build() { "${CC:-cc}" -O1 -pthread -DSORT="$2" -DTHREAD="$3" -DCHILD="$4" "${@:5}" -o "$1" prog.c; }

sim() { "$CPUTRACK" --quiet --reproducible=v1 -o out "$@"; }

# part NAME: print the parts of the line of a function, such as "+1.90 of +2.00".
part() { sed -n "s/^  $1 *\([-+0-9.]*\) % of \([-+0-9.]*\) %  .*/\1 of \2/p" out; }

# adds_up: in each list of out the parts add up to the change of the whole.
adds_up() {
	awk 'function check() { if (d > .05 || d < -.05) bad = 1 }
		/^[^ ].* -> / { check(); sum = 0 }
		match($0, /[-+][0-9.]+ % of [-+][0-9.]+ %/) {
			split(substr($0, RSTART, RLENGTH), word, " ")
			sum += word[1]
			d = sum - word[4]
			n++
		}
		END { check(); exit bad || !n }' out
}

@test "where: the function that is 3 % heavier is named first, with its part of the change" {
	build old 20000 1000 1000
	build new 20600 1000 1000
	sim -c instructions --repeat=3 --vs=./old --where ./new
	cat out
	has '^functions that differ from ./old, in one more run of each$' out
	# The line after that of the event; each turn has the same number of instructions.
	[[ $(sed -n '/^instructions  [0-9]* -> /{n;p}' out) == '  sort_run '* ]]
	[ "$(grep -c ' % of ' out)" -eq 1 ]
	local change=($(part sort_run))
	[ "${change[0]}" = "${change[2]}" ]
	read -r was now < <(sed -n 's/^  sort_run .*   \([0-9]*\) -> \([0-9]*\)$/\1 \2/p' out)
	[ $((100 * (now - was) / was)) -eq 2 ] && [ $((1000 * (now - was) / was)) -eq 29 ]
	# The change of the table is that of the functions.
	read -r a b < <(awk '$1 == "instructions" && $2 == "(user)" { print $3, $4 }' out)
	has "^instructions  $a -> $b$" out
	[ $((b - a)) -eq $((now - was)) ]
}

@test "where: events that need too many counters are refused before the first run" {
	local events
	events=$(awk '/^[a-z]/ { print $1 }' "$BATS_TEST_DIRNAME/../events/sim.vocab")
	sim -c "$(head -n 32 <<< "$events" | paste -sd ,)" --repeat=1 --where true
	run -125 --separate-stderr sim -c "$(head -n 33 <<< "$events" | paste -sd ,)" --repeat=1 --where touch ran
	[ "$stderr" = 'cputrack: cannot count by function: the events need more than 32 counters of the model; give fewer events' ]
	[ ! -e ran ]
}

@test "where: the functions of threads, of forked processes and of programs that are executed; they add up to the whole" {
	build old 2000 2000 2000
	build new 2010 2200 3000
	build other 5000 100 100
	sim -c instructions,branches --repeat=3 --vs='./old ./other' --where --save=json ./new ./other
	cat out
	[ "$(grep -c ' % of ' out)" -eq 6 ]
	[ "$(sed -n 's/^  \([a-z_]*\) .* % of .*/\1/p' out | head -n 3 | tr '\n' ' ')" = 'in_child in_thread sort_run ' ]
	adds_up
	# The functions of the other program have its name behind theirs, and all functions are the whole.
	python3 "$BATS_TEST_DIRNAME/records.py" json
	jq -se '[.[] | select(.record == "function" and .function == "sort_run") | .module] | sort == [null, null, "other", "other"]' json
	jq -se '. as $all | [.[] | select(.record == "series")] | all(.[]; .series as $n | [.events[].median] ==
		[[$all[] | select(.record == "function" and .series == $n) | .counts] | transpose[] | add])' json
}

@test "where: every kind of count adds up: caches, TLBs, branches and estimates of cycles" {
	build prog 500 500 500
	local events=cycles_est,sched16,insn,load,store,d1_rd_miss,l2_rd_miss,i1_ref,i1_miss,dtlb_miss,itlb_miss,br_cond,br_misp_tk,br_misp_nt,br_misp_ind,unal_ld
	sim -c $events --repeat=3 --where --save=json ./prog
	head -n 20 out
	# The counts of the additional run are those of the others; an estimate is rounded.
	jq -se '. as $all | .[1].events | to_entries | all(.[]; .key as $e | .value.median -
		([$all[] | select(.record == "function") | .counts[$e]] | add) | fabs <= 0.5)' json
	has '^functions, in one more run$' out
	has '^ *[0-9.]* % *[0-9]*   [0-9]* others$' out
}

@test "where: a gate against a saved file names the function, in text and in records" {
	build prog 20000 1000 1000
	sim -c instructions --save=base.json --where ./prog
	build prog 20600 1000 1000
	run -3 sim -c instructions --baseline=base.json --limit=instructions=1% --where ./prog
	cat out
	[ "$(sed -n '/^functions/,$p' out | sed -n 1p)" = 'functions that differ from base.json, in one more run of each' ]
	[[ $(tail -n 1 out) == '  sort_run '* ]]
	run -3 sim -c instructions --baseline=base.json --limit=instructions=1% --where --format=json ./prog
	python3 "$BATS_TEST_DIRNAME/records.py" out
	jq -se '.[-2] | .record == "where" and .reference == null and .candidate == 0 and .name == "instructions" and .others == 0 and
		(.functions | length) == 1 and .b - .a == (.functions[0] | .b - .a) and
		(.functions[0] | .function == "sort_run" and .module == null and .only == null)' out
	# Nothing is named if nothing differs, and a file without functions names none.
	run -0 sim -c instructions --save=base.json --baseline=base.json --limit=instructions=9% --where ./prog
	run -0 sim -c instructions --baseline=base.json --limit=instructions=1% --where ./prog
	lacks '^functions' out
	sim -c instructions --save=base.json ./prog
	build prog 20000 1000 1000
	run -0 --separate-stderr "$CPUTRACK" --reproducible=v1 -o out -c instructions --baseline=base.json --where ./prog
	lacks '^functions' out
	[ "${stderr_lines[0]}" = "cputrack: 'base.json' has no counts by function: save it with --where, too" ]
}

@test "where: the saved file is the same in every folder and environment" {
	build prog 1000 1000 1000
	local n
	for n in 1 2; do
		mkdir folder$n
		cp prog folder$n
		(cd folder$n && env "V$n=$n" "$CPUTRACK" --quiet --reproducible=v1 -c instructions,d1_rd_miss --where --save=../file$n -o out ./prog)
	done
	cmp file1 file2
	lacks "$T" file1
	python3 "$BATS_TEST_DIRNAME/records.py" file1
}

@test "where: static programs, and stripped ones, which have no names" {
	build old 20000 1000 1000 -static || skip 'no static C library'
	build new 20600 1000 1000 -static
	sim -c instructions --repeat=3 --vs=./old --where ./new
	[[ $(tail -n 1 out) == '  sort_run '* ]]
	strip -o old.stripped old
	strip -o new.stripped new
	sim -c instructions --repeat=3 --vs=./old.stripped --where ./new.stripped
	cat out
	[[ $(tail -n 1 out) == '  [no symbol] '* ]]
	adds_up
}

@test "where: a library's function, and static functions of the same name" {
	echo '__attribute__((noinline)) static int work(int n) { for (volatile int i = 0; i < n; i++) ; return n; } int FN(void) { return work(N); }' > work.c
	echo '#include "work.c"' > second.c
	echo 'int first(void), second(void); int main(void) { return !(first() + second()); }' > main.c
	local n
	for n in old:1000:1000 new:1000:1100; do
		IFS=: read -r name a b <<< "$n"
		"${CC:-cc}" -O1 -c -DFN=first -DN="$a" work.c
		"${CC:-cc}" -O1 -c -DFN=second -DN="$b" second.c
		"${CC:-cc}" -O1 -o "$name" main.c work.o second.o
		mkdir -p "$name.d"
		"${CC:-cc}" -O1 -shared -fPIC -DFN=first -DN="$b" -o "$name.d/libwork.so" work.c
		"${CC:-cc}" -O1 -o "$name.lib" main.c second.o "$name.d/libwork.so" -Wl,-rpath,"$T/$name.d"
	done
	sim -c instructions --repeat=3 --vs=./old --where ./new
	cat out
	[[ $(tail -n 1 out) == '  work (second.c) '* ]]
	# Without LD_LIBRARY_PATH, which would change the environment, the loader takes the library of each build.
	sim -c instructions --repeat=3 --vs=./old.lib --where ./new.lib
	cat out
	grep -q '^  work (libwork.so) .* % of ' out
	adds_up
}

@test "where: names of C++, and parts that the compiler has split off" {
	command -v "${CXX:-c++}" > /dev/null || skip 'needs a C++ compiler'
	cat > prog.cc <<-'END'
		namespace shop {
		template <class T> struct Cart {
			__attribute__((noinline)) int sum(T n) const { volatile int s = 0; for (T i = 0; i < n; i++) s += i; return s; }
		};
		}
		extern "C" int rare(int) __asm__("rare.part.0");
		extern "C" __attribute__((noinline)) int rare(int n) { volatile int s = 0; while (n-- > 0) s += n; return s; }
		int main() { return shop::Cart<long>().sum(N) == 1 || rare(M) == 1; }
	END
	"${CXX:-c++}" -O1 -DN=1000 -DM=1000 -o old prog.cc
	"${CXX:-c++}" -O1 -DN=1100 -DM=1050 -o new prog.cc
	sim -c instructions --repeat=3 --vs=./old --where ./new
	cat out
	grep -q '^  shop::Cart<long>::sum(long) const .* % of ' out
	grep -q '^  rare  .* % of ' out
	adds_up
}

@test "where: several references, and a function of one build only" {
	build old 2000 1000 1000
	build same 2000 1000 1000
	sed 's/read_input/scan_input/g' prog.c > new.c
	"${CC:-cc}" -O1 -pthread -DSORT=2000 -DTHREAD=1000 -DCHILD=1001 -o new new.c
	sim -c instructions --repeat=3 --vs=./old --vs=./new --where ./same
	cat out
	[ "$(grep '^functions' out)" = 'functions that differ from ./new, in one more run of each' ]
	grep -q '^  scan_input .* -> 0   only in A$' out
	grep -q '^  read_input .*   0 -> [0-9]*   only in B$' out
	adds_up
}

@test "where: perfex names functions, too, and code outside of files is anonymous" {
	cat > jit.c <<-'END'
		#include <string.h>
		#include <sys/mman.h>
		/* mov $N, %ecx; 1: dec %ecx; jnz 1b; ret */
		static const unsigned char code[] = {0xb9, N & 0xff, N >> 8, 0, 0, 0xff, 0xc9, 0x75, 0xfc, 0xc3};
		int main(void)
		{
			void *p = mmap(0, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
			if (p == MAP_FAILED)
				return 1;
			memcpy(p, code, sizeof code);
			((void (*)(void))p)();
			return 0;
		}
	END
	"${CC:-cc}" -O1 -DN=5000 -o old jit.c
	"${CC:-cc}" -O1 -DN=5100 -o new jit.c
	"$PERFEX" --quiet --engine=sim -e 15 --repeat=3 --vs=./old --where -o out ./new
	cat out
	[[ $(tail -n 1 out) =~ ^\ \ \[anonymous\]\ .*\ 10002\ -\>\ 10202$ ]]
}

@test "where: cpcreport names the functions of saved runs as the commands that measured" {
	build old 20000 1000 1000
	build new 20600 1000 1200
	local format
	# Pairs in the file; the command's own report and that of the file have the same lines.
	for format in text csv markdown; do
		sim -c instructions,branches --repeat=3 --vs=./old --where --save=pairs --format=$format ./new
		"$CPCREPORT" --format=$format pairs > report
		[ "$(grep -c sort_run out)" -eq 2 ]
		diff <(grep -n '' out | sed -n '/functions that differ\|^[0-9]*:$/,$p' | sed 's/^[0-9]*://') \
			<(tail -n "$(grep -n '' out | sed -n '/functions that differ\|^[0-9]*:$/,$p' | wc -l)" report)
	done
	# Two files.
	cp old prog
	sim -c instructions,branches --save=base.json --where ./prog
	cp new prog
	sim -c instructions,branches --save=new.json --where ./prog
	run -3 "$CPCREPORT" --baseline=base.json --limit=instructions=1% new.json
	[ "$(grep -A 2 '^functions' <<< "$output" | sed 's/[-0-9].*//')" = $'functions that differ from base.json, in one more run of each\ninstructions  \n  sort_run      +' ]
	run -3 "$CPCREPORT" --baseline=base.json --limit=instructions=1% --format=markdown new.json
	[[ "$output" == *$'\n\n```\nfunctions that differ from base.json, '*'  sort_run  '*$'\n```' ]]
	run -3 "$CPCREPORT" --baseline=base.json --limit=instructions=1% --format=csv new.json
	[[ "$output" == *$'\n\ncommand,reference,event,mode,function,module,source,a,b,change,share\n./prog,base.json,instructions,user,sort_run,,,'* ]]
	[ "$(grep -c '^./prog,base.json,[a-z]*,user,in_child,' <<< "$output")" -eq 2 ]
	run -3 "$CPCREPORT" --baseline=base.json --limit=instructions=1% --format=json new.json
	echo "$output" > joined
	python3 "$BATS_TEST_DIRNAME/records.py" joined
	jq -se '[.[] | select(.record == "where") | .name, .functions[0].function] == ["instructions", "sort_run", "branches", "sort_run"]' joined
	# One command: the shares of all functions are the whole.
	run -0 "$CPCREPORT" base.json
	[[ "$output" == *$'\nfunctions, in one more run\ninstructions  '* ]]
	"$CPCREPORT" --format=csv base.json | sed '1,/^command,reference/d' |
		awk -F, '$3 == "branches" { share += $11; n++ } END { exit !(n > 50 && share > .999 && share < 1.001) }'
	# A function of a series that the file lacks.
	jq -c 'if .record == "function" then .series = 7 else . end' base.json > lost
	run -125 --separate-stderr "$CPCREPORT" lost
	[[ "$stderr" == "cpcreport: cannot read 'lost': line "* ]]
}

@test "where: bad use" {
	local args
	for args in '--engine=kernel -c page-faults --repeat=1' '--engine=kernel -c page-faults --vs=true'; do
		# shellcheck disable=SC2086
		run -2 --separate-stderr "$CPUTRACK" $args --where touch ran
		[[ ${stderr_lines[0]} == 'cputrack: --where: the kernel does not count by function; add --engine=sim or --reproducible, which simulate the program' ]]
	done
	run -2 --separate-stderr "$CPUTRACK" --engine=sim -c instructions --where touch ran
	[[ $stderr == 'cputrack: --where belongs to --repeat and --vs'* ]]
	[ ! -e ran ]
	# A command that cannot run, and one that ends in another way in the additional run.
	run -127 sim -c instructions --repeat=3 --where ./nosuch
	printf '%s\n' '#!/bin/sh' 'echo >> n' '[ "$(wc -l < n)" -lt 5 ] || exit 9' > fails
	chmod +x fails
	run -125 --separate-stderr sim -c instructions --repeat=3 --where ./fails
	[ "$stderr" = "cputrack: './fails' ended with status 9, and before it ended with status 0: the runs are not alike" ]
}

@test "where: a file whose symbols cannot be read has a note, and --strict fails" {
	build run 20000 1000 1000
	local note="cputrack: functions are counted without names, as [no symbol], because symbols cannot be read: $T/gone: the file"
	local command="cp run gone; $T/gone; rm gone"
	run -125 --separate-stderr "$CPUTRACK" --engine=sim --where --strict --repeat=2 -c instructions -o out sh -c "$command"
	[[ $stderr == *"$note"* ]]
	run -0 --separate-stderr "$CPUTRACK" --engine=sim --where --repeat=2 -c instructions -o out sh -c "${command%; rm*}"
	[[ $stderr != *'without names'* ]]
}
