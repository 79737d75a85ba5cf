# make install: what is there, and a program that is built from it.

bats_require_minimum_version 1.5.0

setup() {
	cd "$BATS_TEST_DIRNAME/.."
	D=$BATS_TEST_TMPDIR/dest
}

# in_tree GOAL...: make, with the build folder that the tests use.
in_tree() { make -s ${B:+B="$B"} DESTDIR="$D" PREFIX=/opt/cpc "$@"; }

installed() { (cd "$D" && find . -type f | sort); }

@test "install: commands, library, headers and pages; uninstall leaves nothing" {
	in_tree install
	"$D/opt/cpc/bin/cputrack" --version
	[ -f "$D/opt/cpc/lib/libcpc.a" ]
	(cd "$D/opt/cpc/include" && find . -type f | sort) |
		diff - <(printf './%s\n' itanium2_record.h libcpc.h libpctx.h perfmon/pfmlib_itanium2.h)
	local page
	for page in man1/cputrack.1 man3/*.3; do
		[ ! -f "$page" ] || cmp "$page" "$D/opt/cpc/share/man/$page"
	done
	in_tree uninstall
	[ -z "$(installed)" ]
}

@test "install: PROGRAM_PREFIX is put before commands and their pages" {
	in_tree install PROGRAM_PREFIX=o
	"$D/opt/cpc/bin/ocputrack" --version
	[ ! -e "$D/opt/cpc/bin/cputrack" ]
	[ ! -f man1/cputrack.1 ] || cmp man1/cputrack.1 "$D/opt/cpc/share/man/man1/ocputrack.1"
	in_tree uninstall PROGRAM_PREFIX=o
	[ -z "$(installed)" ]
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
	[ "$(pkg-config --modversion libcpc)" = "$(cat VERSION)" ]
	# shellcheck disable=SC2046 # flags
	"${CC:-cc}" -Wall -Werror ${SANITIZE:+-fsanitize=address,undefined} \
		-o "$BATS_TEST_TMPDIR/p" "$BATS_TEST_TMPDIR/p.c" $(pkg-config --static --cflags --libs libcpc)
	"$BATS_TEST_TMPDIR/p"
}
