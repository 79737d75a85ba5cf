# make install: which files are installed, and that programs can be built with them.
#
# Runs alone: it looks for files that are written below the build folder.

bats_require_minimum_version 1.5.0

setup() {
	cd "$BATS_TEST_DIRNAME/.."
	D=$BATS_TEST_TMPDIR/dest
}

# in_tree GOAL...: run make with the build folder that the tests use.
in_tree() { make -s ${B:+B="$B"} DESTDIR="$D" PREFIX=/opt/cpc "$@"; }

installed() { (cd "$D" && find . ! -type d | sort); }

@test "install: commands, library, headers and pages; uninstall leaves nothing" {
	in_tree install
	"$D/opt/cpc/bin/cputrack" --version
	[ -f "$D/opt/cpc/lib/libcpc.a" ]
	[ "$(readlink "$D/opt/cpc/lib/libopencpc.so")" = libopencpc.so.1 ]
	(cd "$D/opt/cpc/include" && find . -type f | sort) |
		diff - <(printf './%s\n' hwperf.h itanium2_record.h libcpc.h libcpc_types.h libpctx.h libperfex.h lwp.h opencpc.f90 opencpc.h \
			perfmon/pfmlib_itanium2.h perfmon/pfmlib_itanium2_regs.h)
	local page
	for page in man1/*.1 man3/*.3 man5/*.5 man7/*.7; do
		[ ! -f "$page" ] || cmp "$page" "$D/opt/cpc/share/man/$page"
	done
	diff -r examples/prometheus "$D/opt/cpc/share/opencpc/prometheus"
	# without what lwprec and the simulator are built with
	PKG_CONFIG_LIBDIR=/nowhere in_tree uninstall HAVE_DW=
	[ -z "$(installed)" ]
}

# completions PREFIX: print the files of completions of the commands with tables of options, below share.
completions() {
	local command lwprec=
	[ ! -x "$LWPREC" ] || lwprec=$1lwprec
	for command in "$1cpcreport" "$1cpustat" "$1cputrack" "$1perfex" $lwprec ocpustat; do
		printf '%s\n' "bash-completion/completions/$command" "fish/vendor_completions.d/$command.fish" \
			"zsh/site-functions/_$command"
	done | sort -u
}

@test "install: completions for bash, zsh and fish, with PROGRAM_PREFIX" {
	local prefix file name
	for prefix in '' o; do
		in_tree install PROGRAM_PREFIX=$prefix
		(cd "$D/opt/cpc/share" && find bash-completion fish zsh -type f | sort) | diff - <(completions "$prefix")
		for file in $(completions "$prefix"); do
			name=${file##*/}
			name=${name#_}
			grep -q "^\(complete .*\|#compdef \)\<${name%.fish}\>" "$D/opt/cpc/share/$file"
			# cpcreport and lwprec have no --cpu.
			[[ $name == *@(cpcreport|lwprec)* ]] || grep -q 'r10000 r12000' "$D/opt/cpc/share/$file"
			! grep -q '@[A-Z]' "$D/opt/cpc/share/$file"
		done
		in_tree uninstall PROGRAM_PREFIX=$prefix
		[ -z "$(installed)" ]
	done
}

@test "install: LIBDIR is the folder of the libraries, also for pkg-config" {
	in_tree install-library LIBDIR=/opt/cpc/lib/some-linux
	[ -f "$D/opt/cpc/lib/some-linux/libopencpc.so.1" ]
	grep -Fx 'libdir=${prefix}/lib/some-linux' "$D/opt/cpc/lib/some-linux/pkgconfig/opencpc.pc"
	[ ! -e "$D/opt/cpc/bin" ]
	in_tree uninstall LIBDIR=/opt/cpc/lib/some-linux
	[ -z "$(installed)" ]
	in_tree install-library LIBDIR=/elsewhere
	grep -Fx 'libdir=/elsewhere' "$D/elsewhere/pkgconfig/libcpc.pc"
}

@test "install: cpustat has a second name, and nothing points out of the folder" {
	in_tree install-commands
	"$D/opt/cpc/bin/ocpustat" --version | grep '^ocpustat\|^cpustat'
	[ "$(readlink "$D/opt/cpc/share/man/man1/ocpustat.1")" = cpustat.1 ]
	[ -z "$(find "$D" -type l ! -name 'ocpustat*')" ]
	[ ! -e "$D/opt/cpc/include" ]
}

@test "build: the library and lwprec look for the simulator below PREFIX, too" {
	run -0 make -n V=1 ${B:+B="$B"} PREFIX='/a\b' -W lib/engine/sim/locate.c -W cmd/lwprec/preload.c all
	[ "$(grep -Fc -- "-DSIMDIR='\"/a\\\\b/libexec/opencpc\"'" <<< "$output")" -ge 1 ]
}

@test "install: PROGRAM_PREFIX is put before commands and their pages" {
	in_tree install PROGRAM_PREFIX=o
	"$D/opt/cpc/bin/ocputrack" --version
	[ ! -e "$D/opt/cpc/bin/cputrack" ]
	[ ! -L "$D/opt/cpc/bin/ocpustat" ]
	[ ! -f man1/cputrack.1 ] || cmp man1/cputrack.1 "$D/opt/cpc/share/man/man1/ocputrack.1"
	in_tree uninstall PROGRAM_PREFIX=o
	[ -z "$(installed)" ]
}

@test "install: writes nothing below the build folder, so that root can install what a user built" {
	in_tree all
	touch "$BATS_TEST_TMPDIR/built"
	in_tree install
	run -0 find "${B:-build}" -newer "$BATS_TEST_TMPDIR/built"
	[ -z "$output" ]
}

@test "install: PREFIX may have any character" {
	in_tree install PREFIX='/opt/a&b|c\d'
	grep -Fx 'prefix=/opt/a&b|c\d' "$D/opt/a&b|c\d/lib/pkgconfig/libcpc.pc"
	in_tree uninstall PREFIX='/opt/a&b|c\d'
	[ -z "$(installed)" ]
}

@test "build: the library, the commands and the launcher are hardened" {
	command -v readelf >/dev/null || skip "needs readelf"
	local b=${B:-build} f
	for f in "$b/libcpc.a" "$b/libsuite.a" "$b/libcommon.a"; do
		nm -u "$f" | grep -q __stack_chk_fail
		[ -n "$SANITIZE" ] || nm -u "$f" | grep -q '__[a-z]*printf_chk'
	done
	for f in "$b"/bin/* "$b"/sim/cpcsim-launch; do
		[ -e "$f" ] || continue
		readelf -lW "$f" >"$BATS_TEST_TMPDIR/segments"
		grep -q GNU_RELRO "$BATS_TEST_TMPDIR/segments"
		grep -Eq 'GNU_STACK .* RW ' "$BATS_TEST_TMPDIR/segments"
		run -1 grep -E ' RWE ' "$BATS_TEST_TMPDIR/segments"
	done
}

@test "build: clang compiles the simulator, which uses options of the compiler that gcc alone has" {
	command -v clang >/dev/null || skip "needs clang"
	[ -d "${B:-build}/sim/tool" ] || skip "the simulator is not built here"
	make -s CC=clang B="$BATS_TEST_TMPDIR/clang" "$BATS_TEST_TMPDIR/clang/sim/tool/core.o"
}

@test "install: a program is built with the headers, the library and pkg-config" {
	command -v pkg-config >/dev/null || skip "needs pkg-config"
	in_tree install
	cat >"$BATS_TEST_TMPDIR/p.c" <<-'EOF'
		#include <libcpc.h>
		int main(void)
		{
			cpc_t *cpc = cpc_open(CPC_VER_CURRENT);
			return cpc ? cpc_close(cpc) : 1;
		}
	EOF
	export PKG_CONFIG_PATH=$D/opt/cpc/lib/pkgconfig PKG_CONFIG_SYSROOT_DIR=$D
	[ "$(pkg-config --modversion libcpc opencpc)" = "$(cat VERSION VERSION)" ]
	local package static
	for package in libcpc opencpc; do
		for static in '' --static; do
			# Programs with sanitizers cannot be static.
			[ -z "$SANITIZE" ] || [ -z "$static" ] || continue
			# shellcheck disable=SC2046,SC2086 # flags
			"${CC:-cc}" -Wall -Werror ${SANITIZE:+-fsanitize=address,undefined} ${static:+-static} -o "$BATS_TEST_TMPDIR/p" \
				"$BATS_TEST_TMPDIR/p.c" $(pkg-config $static --cflags --libs $package) 2>"$BATS_TEST_TMPDIR/warnings" ||
				{ cat "$BATS_TEST_TMPDIR/warnings"; return 1; }
			LD_LIBRARY_PATH=$D/opt/cpc/lib "$BATS_TEST_TMPDIR/p"
		done
	done
}

@test "install: -lperfex links programs in C and Fortran, as on IRIX" {
	in_tree install
	local flags=(${SANITIZE:+-fsanitize=address,undefined} -L"$D/opt/cpc/lib" -lperfex)
	cat >"$BATS_TEST_TMPDIR/p.c" <<-'EOF'
		#include <libperfex.h>
		int main(void)
		{
			return print_counters(0, 5, 16, 6);
		}
	EOF
	"${CC:-cc}" -Wall -Werror -I"$D/opt/cpc/include" -o "$BATS_TEST_TMPDIR/p" "$BATS_TEST_TMPDIR/p.c" "${flags[@]}"
	"$BATS_TEST_TMPDIR/p" 2>"$BATS_TEST_TMPDIR/printed"
	grep -q '^16 Cycles\.*  *6$' "$BATS_TEST_TMPDIR/printed"
	command -v gfortran >/dev/null || skip "gfortran is not installed: only C was linked"
	gfortran -o "$BATS_TEST_TMPDIR/f" test/prog/pair.f90 "${flags[@]}"
}

@test "install: a program may use the private names of the library" {
	in_tree install
	cat >"$BATS_TEST_TMPDIR/p.c" <<-'EOF'
		#include <libcpc.h>
		#include <libpctx.h>
		int link_add(void) { return 1; }
		int bind_check(void) { return 2; }
		int wake_open(void) { return 3; }
		int row_line(void) { return 4; }
		int main(int argc, char **argv)
		{
			cpc_t *cpc = cpc_open(CPC_VER_CURRENT);
			cpc_set_t *set = cpc_set_create(cpc);
			cpc_buf_t *buf;
			uint64_t ns = 0;
			if (cpc_set_add_request(cpc, set, "task-clock", 0, CPC_COUNT_USER, 0, 0) != 0 ||
			    cpc_bind_curlwp(cpc, set, 0) != 0 || !(buf = cpc_buf_create(cpc, set)) ||
			    cpc_set_sample(cpc, set, buf) != 0 || cpc_buf_get(cpc, buf, 0, &ns) != 0 || ns == 0)
				return 1;
			cpc_close(cpc);
			return link_add() + bind_check() + wake_open() + row_line() == 10 && argv[argc - 1] ? 0 : 1;
		}
	EOF
	# shellcheck disable=SC2086 # flags
	"${CC:-cc}" ${SANITIZE:+-fsanitize=address,undefined} -I"$D/opt/cpc/include" -L"$D/opt/cpc/lib" \
		-o "$BATS_TEST_TMPDIR/p" "$BATS_TEST_TMPDIR/p.c" -lcpc -lpfm
	"$BATS_TEST_TMPDIR/p"
}

@test "make: programs are built below the build folder, not beside their sources" {
	run -0 make -n V=1 ${B:+B="$B"} -W demo/workload.c demo/workload
	[[ $output == *" -o ${B:-build}/demo/workload "* ]]
	[[ $output != *" -o demo/workload "* ]]
	local name
	for name in test/prog/act lib/base/text.o; do
		run -2 make -n ${B:+B="$B"} "$name"
	done
}
