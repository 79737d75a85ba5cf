# Clients of the installed library, in C and C++, which are built as a user builds them.

bats_require_minimum_version 1.5.0
load helper

setup_file() {
	make -s -C "$BATS_TEST_DIRNAME/.." ${B:+B="$B"} DESTDIR="$BATS_FILE_TMPDIR" PREFIX=/opt/cpc install
}

setup() {
	need pkg-config
	export PKG_CONFIG_PATH=$BATS_FILE_TMPDIR/opt/cpc/lib/pkgconfig PKG_CONFIG_SYSROOT_DIR=$BATS_FILE_TMPDIR
}

# build NAME [FLAG...]: make the clients $T/NAME.c and $T/NAME.c++, or skip the test.
build() {
	local name=$1 language
	shift
	need "${CXX:-c++}"
	for language in c c++; do
		# shellcheck disable=SC2046 # flags
		"$([ $language = c ] && echo "${CC:-cc}" || echo "${CXX:-c++}")" -O1 -no-pie -Wall -Wextra -Werror "$@" \
			${SANITIZE:+-fsanitize=address,undefined} -o "$T/$name.$language" \
			-x $language "$BATS_TEST_DIRNAME/clients/$name.c" -x none $(pkg-config --static --cflags --libs libcpc)
	done
}

# hits COMMAND...: run a client whose command is oracle, with its output in $T/out, and the truth in $T/truth.
hits() {
	rm -f "$T/truth"
	ORACLE=$T/truth bounded "$@" > "$T/out" 2> "$T/err" || return
}

# all_true: each thread of the truth is a line of the client, with the same pid and count, and no other line is there.
all_true() { diff <(awk '{ print $1, $3 }' "$T/truth" | sort) <(awk '{ print $1, $3 }' "$T/out" | sort); }

@test "clients: a controller follows forks" {
	need_breakpoints
	build follow
	local event client mode
	event=$(hit_event oracle)
	for client in follow.c follow.c++; do
		for mode in 'forks 6' 'tree 2' 'tforks 3' 'vfork 3' 'exec 2'; do
			# shellcheck disable=SC2086 # words
			hits "$T/$client" "$event" "$PROG/oracle" $mode
			all_true
			[ ! -s "$T/err" ]
		done
	done
}

@test "clients: pctx_run in a fork handler fails with words, and all processes end as without it" {
	need_breakpoints
	build follow
	local client
	for client in follow.c follow.c++; do
		hits "$T/$client" -n "$(hit_event oracle)" "$PROG/oracle" forks 4
		[ "$(wc -l < "$T/truth")" -eq 5 ]
		# Only the first process is in the output, with its true count.
		[ "$(wc -l < "$T/out")" -eq 1 ]
		read -r pid lwp count < "$T/out"
		[ "$lwp" -eq 1 ]
		has "^$pid $pid $count\$" "$T/truth"
		[ "$(grep -c '^follow: run: called in a handler of pctx_run.* call pctx_follow in the fork handler$' "$T/err")" -eq 4 ]
		[ "$(grep -c '^follow: [0-9]*: Device or resource busy$' "$T/err")" -eq 4 ]
	done
}

@test "clients: a controller below another one counts, unless the other follows it" {
	need_breakpoints
	build follow
	local event status
	event=$(hit_event oracle)
	hits "$CPUTRACK" -T 0 -o "$T/rows" -c "$event" "$T/follow.c" "$event" "$PROG/oracle" forks 3
	all_true
	has ' exit  *0 $' "$T/rows"
	# The outer controller follows no child.
	hits "$T/follow.c++" -n "$event" "$T/follow.c" "$event" "$PROG/oracle" forks 3
	sed -i '/ 1 0$/d' "$T/out"
	all_true

	status=0
	hits "$CPUTRACK" -f --tracker=ptrace -T 0 -o "$T/rows" -c "$event" "$T/follow.c" "$event" "$PROG/oracle" forks 3 || status=$?
	[ "$status" -eq 125 ]
	[ ! -e "$T/truth" ]
	has "^follow: create: cannot trace program '.*/oracle': it is already being traced by 'cputrack' (pid [0-9]*)\$" "$T/err"
}

@test "clients: four OpenMP threads count with one set" {
	need_breakpoints
	echo 'int main(void) { return 0; }' | "${CC:-cc}" -fopenmp -x c -o "$T/openmp" - 2> "$T/why" ||
		skip "no program can be compiled with -fopenmp: $(tail -n 1 "$T/why")"
	build shared -fopenmp
	local client
	for client in shared.c shared.c++; do
		bounded "$T/$client" > "$T/out"
		diff "$T/out" - <<-'EOF'
			0 500
			1 1000
			2 1500
			3 2000
			other Invalid argument
		EOF
	done
}

@test "clients: error handlers that only call vfprintf print lines" {
	build errors
	local client
	for client in errors.c errors.c++; do
		bounded "$T/$client" > "$T/out" 2> "$T/err"
		diff "$T/out" - <<-'EOF'
			Invalid argument
			Invalid argument
			Invalid argument
			Invalid argument
			No such file or directory
		EOF
		diff "$T/err" - <<-'EOF'
			Unknown event: no%such%nevent
			Invalid counter number: page-faults
			Unknown attribute: no%sattr
			cannot find program '/no/such%sprogram'
		EOF
	done
}

@test "clients: a client of libpfm 3 reads the records of an Itanium 2 by the fields of its registers" {
	build itanium2_regs
	local client
	for client in itanium2_regs.c itanium2_regs.c++; do
		{
			# Cache mode: slot 1 of the bundle after 0x4000000000001220. TLB mode: no instruction.
			"$T/$client" dear DATA_EAR_CACHE_LAT64 0x6000000000012345 0x60c8 0x400000000000122d
			"$T/$client" dear DATA_EAR_TLB_ALL 0x6000000000012340 0x8000 0x4000000000001222
			# Three entries from the first, then eight from entry 6, whose branch is in the next bundle.
			"$T/$client" btb 0x23 0x4000000000001229 0x4000000000001302 0x400000000000122b
			"$T/$client" btb 0x1000000e 0x101 0x112 0x121 0x132 0x141 0x152 0x165 0x170
		} > "$T/out"
		diff "$T/out" - <<-'END'
			PMC11 plm=8 mode=0 umask=4
			data 0x6000000000012345 latency 200+ stat 1
			code 0x4000000000001230 slot 1
			PMC11 plm=8 mode=1 umask=14
			data 0x6000000000012340 latency 0 stat 2
			PMC12 plm=8 ds=0 tm=3 ptm=3 ppm=3 brt=0
			from 0x4000000000001220 slot 2 BE failure
			to 0x4000000000001300
			from 0x4000000000001220 slot 2 FE failure
			PMC12 plm=8 ds=0 tm=3 ptm=3 ppm=3 brt=0
			from 0x170 slot 1 success
			invalid
			from 0x100 slot 0 success
			to 0x110
			from 0x120 slot 0 success
			to 0x130
			from 0x140 slot 0 success
			to 0x150
		END
	done
}

# checked FLAG...: the compiler has no warning for the C of stdin.
checked() {
	# shellcheck disable=SC2046 # flags
	"${CC:-cc}" -Wall -Wextra -Werror -fsyntax-only "$@" $(pkg-config --cflags libcpc) -x c -
}

@test "clients: a program in C that includes only libcpc.h has the names that Solaris' header gives it" {
	local standard first
	for standard in gnu89 gnu99 gnu11 gnu17; do
		checked -std=$standard < "$BATS_TEST_DIRNAME/clients/includes.c"
		# A variable can have the name of a function of <strings.h>.
		checked -std=$standard -fno-builtin-index <<< $'#include <libcpc.h>\nint index;'
		# The declarations of the C library, before or after, do not clash with them, and all can be used.
		for first in string.h strings.h ucontext.h libcpc.h; do
			checked -std=$standard -D_GNU_SOURCE -O2 -D_FORTIFY_SOURCE=2 <<-END
				#include <$first>
				#include <libcpc.h>
				#include <string.h>
				#include <ucontext.h>
				int found(const char *s);
				int found(const char *s) { return strcasecmp(s, "a") == 0 || index(s, 'a') == strchr(s, 'a'); }
			END
		done
	done
	# A program that wants none of these names gets none.
	checked -fno-builtin -DCPC_NO_SOLARIS_NAMES <<-'END'
		#include <libcpc.h>
		static int strdup, bzero, PC, SP, _lwp_self;
		int main(void) { return strdup + bzero + PC + SP + _lwp_self; }
	END
}

@test "clients: the simulation counts all requests of a set that takes turns" {
	[ -x "$(dirname "$CPUTRACK")/../sim/cpcsim-launch" ] || skip "the simulator is not built here"
	build turns
	local client
	for client in turns.c turns.c++; do
		run -0 --separate-stderr "$CPUTRACK" --engine=sim --cpu r10000 -o "$T/rows" -c 15 "$T/$client" 15 0 17 16 15
		echo "$output"
		# Events 15 and 17 are the same instructions, 0 and 16 the same cycles.
		awk '{ class[$1]++; n[NR] = $2 }
			END { exit !(class["simulated"] == 3 && class["estimated"] == 2 && n[1] > 0 && n[1] == n[3] && n[1] == n[5] && n[2] == n[4]) }' <<< "$output"
	done
}
