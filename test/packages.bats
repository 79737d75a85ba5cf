# make dist and make deb: archives and packages are built, and used without being installed on this machine.

bats_require_minimum_version 1.5.0

# The packages are built once, of what the build folder has, and compressed in the shortest time.
setup_file() {
	cd "$BATS_TEST_DIRNAME/.."
	export DEB=$BATS_FILE_TMPDIR/deb ROOT=$BATS_FILE_TMPDIR/root
	if debian_tools && [ -z "${SANITIZE-}" ]; then
		DPKG_DEB_COMPRESSOR_LEVEL=1 dist/deb "$DEB" "${B:-build}"
		for deb in "$DEB"/*.deb; do
			dpkg-deb -x "$deb" "$ROOT"
		done
	fi
}

setup() {
	cd "$BATS_TEST_DIRNAME/.."
	load helper
	[ -z "${SANITIZE-}" ] || skip "nothing with sanitizers is released"
}

debian_tools() { command -v dpkg-buildpackage dh >/dev/null && dpkg-checkbuilddeps debian/control 2>/dev/null; }
needs_packages() { [ -d "$ROOT" ] || skip "no packages are built: a package of Debian that ./setup deb installs is missing"; }
needs_simulator() { [ -d "${B:-build}/sim/tool" ] || skip "the simulator is not built here"; }

# unpacked: build the archives in $A once, and unpack that of the commands to $U.
unpacked() {
	A=$BATS_FILE_TMPDIR/dist
	U=$BATS_FILE_TMPDIR/unpacked
	[ ! -d "$U" ] || return 0
	make -s ${B:+B="$B"} DIST="$A" dist
	mkdir "$U"
	tar -xf "$A"/opencpc-*-linux-*.tar.gz -C "$U" --strip-components=1
}

@test "dist: the archive of the sources has the same bytes when it is made of itself, without git" {
	unpacked
	local name
	name=opencpc-$(cat VERSION)
	mkdir "$T/sources"
	tar -xf "$A/$name.tar.gz" -C "$T/sources"
	cd "$T/sources/$name"
	[ -x setup ]
	[ -f debian/control ]
	[ ! -e build ]
	mkdir build
	touch build/object
	umask 077
	dist/files > "$T/files"
	dist/archive "$T/again.tar.gz" "$name" . < "$T/files"
	cmp "$T/again.tar.gz" "$A/$name.tar.gz"
}

@test "dist: the time of a release can be set from outside, and is otherwise the same in each tree" {
	[ "$(SOURCE_DATE_EPOCH=1234 dist/stamp)" = 1234 ]
	mkdir -p "$T/tree/dist"
	cp dist/stamp "$T/tree/dist"
	touch -d @5678 "$T/tree/VERSION"
	[ "$(SOURCE_DATE_EPOCH='' "$T/tree/dist/stamp")" = 5678 ]
}

@test "dist: the commands run from where they are unpacked, also as another user" {
	unpacked
	local as_user=() run=$U act=$PROG/act
	if [ "$(id -u)" -eq 0 ] && command -v setpriv > /dev/null; then
		public_dir
		run=$D/unpacked
		cp -a "$U" "$run"
		as_user=(as_nobody)
		act=$D/act
	fi
	cd /
	local command
	for command in cputrack perfex cpustat ocpustat cpcreport lwprec; do
		[ -e "$run/bin/$command" ] || continue
		"${as_user[@]}" "$run/bin/$command" --version
		[ -f "$run/share/man/man1/$command.1" ]
	done
	if "${as_user[@]}" "$act" may user 2> /dev/null; then
		"${as_user[@]}" "$run/bin/cputrack" -T 0 -c task-clock true
	fi
	[ -z "$(find "$run" -type l ! -name 'ocpustat*')" ]
	grep -q 'GNU GENERAL PUBLIC LICENSE' "$run/share/doc/opencpc/COPYING"
	cd "$BATS_TEST_DIRNAME/.."
	needs_simulator
	[ -f "$run"/libexec/opencpc/vgpreload_core-amd64-linux.so ]
	cd /
	"${as_user[@]}" "$run/bin/perfex" -e 15 true > "$T/out" 2>&1
	grep -q '^15 Graduated instructions\.* *[1-9]' "$T/out"
}

@test "packages: the commands run from a root of their own, and find the simulator there" {
	needs_packages
	local command
	for command in cputrack perfex cpustat ocpustat cpcreport lwprec; do
		[ -e "$ROOT/usr/bin/$command" ] || continue
		"$ROOT/usr/bin/$command" --version
		gzip -t "$ROOT/usr/share/man/man1/$command.1.gz"
	done
	! "$PROG/act" may user || "$ROOT/usr/bin/cputrack" -T 0 -c task-clock true
	needs_simulator
	CPC_SIM_DIR='' "$ROOT/usr/bin/perfex" -e 15 true > "$T/out" 2>&1
	grep -q '^15 Graduated instructions\.* *[1-9]' "$T/out"
	[ -z "$(find "$ROOT" -xtype l)" ]
}

@test "packages: dpkg installs them beside Debian's cpustat, and removes all of them" {
	needs_packages
	command -v fakeroot > /dev/null || skip "needs fakeroot"
	local R=$T/root other=$T/cpustat
	mkdir -p "$R"/var/lib/dpkg/{info,updates,triggers} "$other"/{DEBIAN,usr/sbin,usr/share/man/man8,usr/share/bash-completion/completions}
	touch "$R/var/lib/dpkg/status"
	# The names of the files of Debian's package cpustat.
	touch "$other"/usr/{sbin/cpustat,share/man/man8/cpustat.8.gz,share/bash-completion/completions/cpustat}
	printf '%s\n' 'Package: cpustat' 'Version: 0.02.19-1' 'Architecture: all' 'Maintainer: none <none@debian.org>' \
		'Description: another cpustat' > "$other/DEBIAN/control"
	dpkg-deb --root-owner-group -b "$other" "$T/cpustat.deb"
	export PATH=$PATH:/usr/sbin:/sbin
	local dpkg=(fakeroot dpkg --root="$R" --log=/dev/null --force-depends --force-not-root --force-script-chrootless)
	"${dpkg[@]}" -i "$T/cpustat.deb" "$DEB"/*.deb
	[ -f "$R/usr/bin/cpustat" ]
	[ -f "$R/usr/sbin/cpustat" ]
	# The completion of the other cpustat is empty here.
	grep -q '^complete .* cpustat$' "$R/usr/share/bash-completion/completions/cpustat.bash"
	grep -q '^complete .* ocpustat$' "$R/usr/share/bash-completion/completions/ocpustat"
	[ -f "$R/usr/share/zsh/vendor-completions/_cputrack" ]
	[ -f "$R/usr/share/fish/vendor_completions.d/perfex.fish" ]
	"${dpkg[@]}" --purge opencpc libopencpc1 libopencpc-dev
	[ "$(find "$R/usr" ! -type d | wc -l)" -eq 3 ]
}

@test "packages: a program is built with the headers and the library" {
	needs_packages
	command -v pkg-config > /dev/null || skip "needs pkg-config"
	local lib
	lib=$(echo "$ROOT"/usr/lib/*-linux-gnu*)
	cat > "$T/p.c" <<-'END'
		#include <libcpc.h>
		int main(void)
		{
			cpc_t *cpc = cpc_open(CPC_VER_CURRENT);
			return cpc ? cpc_close(cpc) : 1;
		}
	END
	export PKG_CONFIG_PATH=$lib/pkgconfig PKG_CONFIG_SYSROOT_DIR=$ROOT
	# shellcheck disable=SC2046 # flags
	"${CC:-cc}" -Wall -Werror -o "$T/p" "$T/p.c" $(pkg-config --cflags --libs opencpc)
	LD_LIBRARY_PATH=$lib "$T/p"
	# shellcheck disable=SC2046 # flags
	"${CC:-cc}" -static -o "$T/p" "$T/p.c" $(pkg-config --static --cflags --libs opencpc)
	"$T/p"
	"${CC:-cc}" -I"$ROOT/usr/include" -o "$T/p" "$T/p.c" -L"$lib" -lperfex
	"$T/p"
}

@test "packages: lintian finds no error" {
	needs_packages
	command -v lintian > /dev/null || skip "lintian is not installed"
	dist/lintian "$DEB"
}

@test "packages: debian/control names the packages that setup installs for the build" {
	sed -n "s/^packages='gcc make libc6-dev \(.*\)'/\1/p; s/^bpf=//p; s/.*packages=\"\$packages \(valgrind pkgconf\)\"/\1/p" setup |
		tr ' ' '\n' > "$T/setup"
	[ -s "$T/setup" ]
	sed -n '/^Build-Depends:/,/^[^ B]/s/^[B ].* \([a-z0-9-]*\)\( \[amd64\]\)\?,\?$/\1/p' debian/control > "$T/control"
	diff "$T/setup" "$T/control"
}

@test "packages: debian/copyright names the folders of sources that are under the GPL" {
	diff <(sed -n 's|^.* \(lib/.*\)/\*$|\1|p' debian/copyright) \
		<(grep -rl 'SPDX-License-Identifier: GPL-2.0-or-later' lib cmd | xargs dirname | sort -u)
}

@test "packages: without Debian's tools, make deb says what installs them" {
	mkdir "$T/bin"
	ln -s "$(command -v sh)" "$(command -v dirname)" "$T/bin"
	PATH=$T/bin run -1 dist/deb "$T/deb"
	[[ $output == *"dpkg-buildpackage is not installed; ./setup deb installs"* ]]
	[ ! -e "$T/deb" ]
}
