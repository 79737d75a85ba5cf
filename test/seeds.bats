# The examples of cpc_bind_curlwp(3CPC) of Solaris 11, which cannot be distributed here. If the page is present, the
# tests extract the examples, repair what its typesetting damaged, add what the examples leave to the reader, and
# compile and run them with libcpc.h.

bats_require_minimum_version 1.5.0

load helper

setup() {
	cd "$BATS_TEST_DIRNAME/.." || return
	local folder=../shared/seeds
	page=$(grep -ls '^cpc_bind_curlwp (3CPC)' $folder/*.txt | head -n 1) || :
	[ -n "$page" ] || skip "no seeds in $folder"
}

# between FROM TO: print the page from the first line that matches FROM to the next line that matches TO.
between() { awk -v from="$1" -v to="$2" '!on && $0 ~ from { on = 1 } on { print } on && $0 ~ to { exit }' "$page"; }

# after MARK: print the page after the line that matches MARK.
after() { sed "1,/$1/d" "$page"; }

# helpers: print what the examples leave to the reader: error(), which prints and exits; and a computation.
helpers() {
	cat <<-'END'
		#include <stdarg.h>
		#include <stdio.h>
		#include <stdlib.h>
		static void error(const char *fmt, ...)
		{
			va_list ap;
			va_start(ap, fmt);
			vfprintf(stderr, fmt, ap);
			fputc('\n', stderr);
			exit(1);
		}
		int hits;
		__attribute__((noinline)) void hit(void) { __asm__ volatile("" : : : "memory"); hits++; }
	END
}

# build NAME: compile an example. Undeclared functions are errors; other warnings are not, as the code is old.
build() {
	"${CC:-cc}" -std=gnu11 -O1 -no-pie -Werror=implicit-function-declaration -Werror=incompatible-pointer-types \
		${SANITIZE:+-fsanitize=address,undefined} -Ilib/include -o "$T/$1" "$T/$1.c" "${B:-build}/install/libcpc.a" -lpfm \
		2> "$T/$1.warnings" || { cat "$T/$1.warnings"; return 1; }
}

hit_of() { echo "mem:0x$(nm "$T/$1" | awk '$3 == "hit" { print $1 }'):x"; }

# frame COMPUTATION: print Example 1 with this computation.
frame() {
	between '^#include <inttypes.h>' '^return \(0\);$' | sed "s|/\* ==> Computation .* \*/|$1|"
	echo '}'
}

@test "seeds: example 1 counts two events of this machine in 20 rounds" {
	need_breakpoints
	{ helpers; frame 'for (int i = 0; i < iter * 10; i++) hit();'; } > "$T/one.c"
	build one
	EVENT0=$(hit_of one) EVENT1=page-faults run -0 "$T/one"
	echo "$output"
	[ "${#lines[@]}" -eq 20 ]
	local i
	for ((i = 1; i <= 20; i++)); do
		[[ ${lines[i - 1]} =~ ^\ *$i:\ $((i * 10))\ [0-9]+$ ]]
	done
}

@test "seeds: example 1 reports that this machine lacks the events of UltraSPARC, or counts similar events" {
	{ helpers; frame ''; } > "$T/one.c"
	build one
	run "$T/one"
	echo "$output"
	[ "$status" -eq 0 ] || [[ $output == *EC_ref* ]]
}

# example2: print Example 2, which "builds on Example 1": its handler comes before main(), and its setup code replaces
# the requests. The handler uses ind1 and val1 of Example 1 to restart. "..." is left to the reader.
example2() {
	helpers
	sed -n '/^#include/p' <<< "$(frame '')"
	cat <<-'END'
		static int ind1, iter;
		static uint64_t val1 = UINT64_MAX - 999ull;
		static char *event;
	END
	after '^The signal handler:' | awk '/^cpc_t / { on = 1 } on { print } on && /^}/ { exit }' |
		sed 's/^\( *\)(cpc_request_preset(/\1if (cpc_request_preset(/'
	after '^The setup code' | sed -n '/^#define PRESET/{p;q}'
	echo 'int main(void) {'
	echo 'event = getenv("EVENT");'
	frame '' | awk '/cpc_open\(/ { on = 1 } on && /getenv/ { on = 0 } on { print } /cpc_set_create/ { on = 1; print }
		/could not create set/ { print; exit }' | awk '!seen[$0]++'
	after '^The setup code' | awk '/struct sigaction act/ { on = 1 } on { print } /cpc_unbind/ { exit }' |
		sed 's|^ *\.\.\. *$||; s|/\* ==> Computation .* \*/|for (int i = 0; i < 500; i++) hit();|'
	echo 'return cpc_close(cpc); }'
}

@test "seeds: example 2 gets SIGEMT after every 1000 events" {
	need_breakpoints
	example2 > "$T/two.c"
	build two
	EVENT=$(hit_of two) run -0 "$T/two"
	echo "$output"
	# 20 rounds of 500 events give 10 signals. Each prints a line with addresses, and one with the new count.
	[ "$(grep -c '^lwp[0-9]* - si_addr 0x[0-9a-f]* ucontext: %pc 0x[0-9a-f]* %sp 0x[0-9a-f]*$' <<< "$output")" -eq 10 ]
	[ "$(grep -c '^0x[0-9a-f]$' <<< "$output")" -eq 10 ]
}

# example3 EVENT0 EVENT1 EVENT2: print Example 3 with these events in place of three Intel events; the fourth, loads
# above a latency, has no replacement. Work replaces "Do something here".
example3() {
	after '^Example.*Hardware Sampling' | awk '/#include <stdio.h>/ { on = 1 } /^Attributes/ { exit } on' |
		sed -e 's/\\en/\\n/g' -e 's/PRId64 \\n"/PRId64 "\\n"/; s/PRIu64 \\n"/PRIu64 "\\n"/; s/"Req#%d:"\\n"/"Req#%d:\\n"/' \
			-e "s/\"mem_uops_retired.all_loads\"/\"$1\"/; s/\"mem_uops_retired.all_stores\"/\"$2\"/" \
			-e "s/\"uops_retired.all\"/\"$3\"/" -e 's/\(#define *NEVENTS *\)4/\13/' \
			-e 's|\* Do something here.|\*/ work(); /*|' |
		sed '0,/^ \/\* ARGSUSED \*\//s||__attribute__((noinline)) static void work(void) { for (volatile unsigned long i = 0; i < 300000000; i++) ; }\n&|'
}

@test "seeds: example 3 prints records with program counters" {
	# The period is 0x100000 ns, about a millisecond, and the work takes more than 60 ms. On a busy machine two
	# counters can overflow together, which gives one signal.
	example3 task-clock cpu-clock task-clock > "$T/three.c"
	build three
	run "$T/three"
	echo "${output:0:3000}"
	[ "$status" -eq 0 ]
	[ "$(grep -c '^signal handler called$' <<< "$output")" -ge 20 ]
	[ "$(grep -c '^00: "pc": 0x[0-9a-f]*$' <<< "$output")" -ge 20 ]
	# Most of the counted time is in the work.
	local from size pc in=0 all=0
	read -r from size < <(nm -S "$T/three" | awk '$4 == "work" { print $1, $2 }')
	for pc in $(sed -n 's/^00: "pc": //p' <<< "$output"); do
		all=$((all + 1))
		((pc < 0x$from || pc >= 0x$from + 0x$size)) || in=$((in + 1))
	done
	echo "$in of $all in the work"
	[ $((in * 2)) -gt $all ]
}
