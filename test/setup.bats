# setup, with a fake package manager and a fake make.

bats_require_minimum_version 1.5.0

setup() {
	mkdir "$BATS_TEST_TMPDIR/tree" "$BATS_TEST_TMPDIR/bin"
	cp "$BATS_TEST_DIRNAME/../setup" "$BATS_TEST_TMPDIR/tree"
	cd "$BATS_TEST_TMPDIR"
	local t
	for t in sh dirname env cat sed uname mkdir mv rm tail; do
		ln -s "$(command -v $t)" bin/$t
	done
	fake make 'echo "make $*"'
	fake id "echo 0"
	fake nproc "echo 3"
	: >log
}

# fake NAME TEXT: make a command NAME that runs the script TEXT, in place of the machine's command.
fake() {
	printf '#!/bin/sh\n%s\n' "$2" >"bin/$1"
	chmod +x "bin/$1"
}

# debian PACKAGE...: fake a Debian machine where only these packages are missing.
debian() {
	fake dpkg-query "for p; do
		case \" -W -f \$3 $* \" in *\" \$p \"*) continue ;; esac
		printf 'installed:%s ' \"\$p\"
	done
	[ -z '$*' ]"
	fake apt-get "echo \"apt-get \$*\" >>$BATS_TEST_TMPDIR/log"
}

run_setup() { run --separate-stderr "$@" env PATH="$BATS_TEST_TMPDIR/bin" tree/setup $ARGS; }

@test "setup: prints nothing and calls make if all packages are installed" {
	debian
	ARGS="all V=1" run_setup -0
	[ "$output" = "make -j3 all V=1" ]
	[ -z "$stderr" ]
	[ ! -s log ]
}

@test "setup: make has a job for each processor, unless several goals are named or the goal is deb" {
	debian
	local goals
	for goals in "lint bench" deb "deb V=1"; do
		ARGS=$goals run_setup -0
		[ "$output" = "make $goals" ]
	done
	rm bin/nproc
	ARGS="bench BENCH_SMOKE=1" run_setup -0
	[ "$output" = "make -j1 bench BENCH_SMOKE=1" ]
}

@test "setup: says before the demo how long the build takes" {
	debian
	ARGS=demo run_setup -0
	[ "$output" = "make -j3 demo" ]
	[[ $stderr == "setup: "*"about a minute" ]]
}

@test "setup: packages that make packages are installed for deb alone, with those of tests for both" {
	debian bats debhelper lintian
	ARGS=demo run_setup -0
	[ ! -s log ]
	ARGS=deb run_setup -0
	grep -q ' install .* debhelper lintian$' log
	ARGS="deb lint" run_setup -0
	grep -q ' install .* bats .*debhelper .*lintian$' log
	# lintian is large, and tests do without it.
	: >log
	ARGS=lint run_setup -0
	run -1 grep lintian log
}

@test "setup: installs only the missing packages" {
	debian libpfm4-dev make
	ARGS= run_setup -0
	[ "$output" = "make -j3" ]
	grep -q '^apt-get .*update' log
	grep -Eq '^apt-get .*install --no-install-recommends --no-remove make libpfm4-dev$' log
}

@test "setup: fails if a package can be installed only in place of another" {
	debian gcc
	fake apt-get "case \" \$* \" in
	*' install '*' --no-remove '*) echo 'E: Packages need to be removed but remove is disabled.' >&2; exit 100 ;;
	*' install '*) echo removed >>$BATS_TEST_TMPDIR/log ;;
	esac"
	ARGS= run_setup -100
	[[ $stderr == *"remove is disabled"* ]]
	[ ! -s log ]
}

@test "setup: packages that only tests need are installed only for tests" {
	debian bats mandoc
	ARGS=demo run_setup -0
	[ ! -s log ]
	local goal
	for goal in check check-pmu tests guest lint bench fuzz faults coverage mutants; do
		: >log
		ARGS="V=1 $goal" run_setup -0
		[ "$output" = "make -j3 V=1 $goal" ]
		grep -Eq 'install .* bats mandoc$' log
	done
}

@test "setup: an error of the package manager ends setup" {
	debian gcc
	fake apt-get 'exit 100'
	ARGS= run_setup -100
	[ -z "$output" ]
}

@test "setup: uses sudo for a user" {
	debian gcc
	fake id "echo 1000"
	fake sudo "echo \"sudo \$*\" >>$BATS_TEST_TMPDIR/log"
	ARGS= run_setup -0
	grep -q '^sudo apt-get .*update' log
	grep -q '^sudo env .*apt-get .*install .* gcc$' log
}

@test "setup: if it cannot install, it prints the list, and builds if possible" {
	debian gcc
	rm bin/apt-get
	fake cc 'cat >/dev/null'
	ARGS= run_setup -0
	[ "$output" = "make -j3" ]
	[[ $stderr == *": gcc"* ]]

	rm bin/dpkg-query
	ARGS= run_setup -0
	[ "$output" = "make -j3" ]
	[[ $stderr == *libpfm4-dev* ]]
}

@test "setup: if it cannot install and headers are missing, it fails" {
	rm -f bin/dpkg-query
	fake cc 'cat >/dev/null; exit 1'
	ARGS= run_setup -1
	[ -z "$output" ]
	[[ $stderr == *libpfm4-dev*"the build needs a C compiler"* ]]
}

@test "setup: a user without sudo gets a list of what to install" {
	debian libpfm4-dev
	fake id "echo 1000"
	fake cc 'exit 1'
	ARGS= run_setup -1
	[[ $stderr == *": libpfm4-dev"* ]]
	[ ! -s log ]
}

# archive CONDITION: fake an archive whose packages can be downloaded if the shell command CONDITION is true.
archive() {
	fake apt-get "echo \"apt-get \$*\" >>$BATS_TEST_TMPDIR/log
	$1 || { echo 'E: no such package' >&2; exit 100; }
	case \" \$* \" in *' download '*) ;; *) exit 0 ;; esac
	while [ \"\$1\" != download ]; do shift; done
	shift
	for p; do echo \"\$p\" >\"\${p}_1_all.deb\"; done"
	fake dpkg-deb 'mkdir -p "$3/usr/bin" "$3/usr/lib/python3/dist-packages"
	case $2 in
	prometheus_1_all.deb) echo prometheus >"$3/usr/bin/prometheus" && mv "$2" "$3/usr/bin/promtool" ;;
	prometheus-node-exporter_1_all.deb) mv "$2" "$3/usr/bin/prometheus-node-exporter" ;;
	python3-prometheus-client_1_all.deb) mv "$2" "$3/usr/lib/python3/dist-packages/prometheus_client" ;;
	python3-decorator_1_all.deb) mv "$2" "$3/usr/lib/python3/dist-packages/decorator.py" ;;
	stress-ng_1_all.deb) mv "$2" "$3/usr/bin/stress-ng" ;;
	openmpi* | mpich* | slurm*) mkdir -p "$3/usr/share/doc/${2%%_*}" && mv "$2" "$3/usr/bin/${2%%_*}" ;;
	lib*) mkdir -p "$3/usr/lib/some-linux-gnu" && mv "$2" "$3/usr/lib/some-linux-gnu/${2%%[0-9]*}.so.1" ;;
	*) exit 1 ;;
	esac'
}

peers_are_unpacked() {
	[ "$(cd tree/build && echo * peers/*)" = \
		"launchers peers peers/decorator.py peers/lib peers/packages peers/prometheus peers/prometheus-node-exporter peers/prometheus_client peers/promtool peers/stress-ng" ]
	[ -e tree/build/peers/lib/libsctp.so.1 ]
	[ "$(cat tree/build/peers/promtool)" = prometheus ]
	[ "$(cat tree/build/launchers/bin/mpich)" = mpich ]
	[ -e tree/build/launchers/lib/some-linux-gnu/libopenmpi.so.1 ]
	[ ! -e tree/build/launchers/share/doc ]
}

@test "setup: programs that tests run uninstalled are unpacked once, and only for check" {
	debian
	archive true
	ARGS="lint bench" run_setup -0
	[ ! -e tree/build ]
	[ ! -s log ]
	ARGS="V=1 check" run_setup -0
	[ "$output" = "make -j3 V=1 check" ]
	[ -z "$stderr" ]
	peers_are_unpacked
	run -1 grep install log
	: >log
	ARGS=check run_setup -0
	[ "$output" = "make -j3 check" ]
	[ ! -s log ]
	# The programs of an older setup are replaced.
	echo prometheus >tree/build/peers/packages
	echo mpich >tree/build/launchers/packages
	ARGS=check run_setup -0
	peers_are_unpacked
	grep -q '^prometheus .*stress-ng' tree/build/peers/packages
	grep -q '^openmpi-bin .*mpich .*slurmd ' tree/build/launchers/packages
}

@test "setup: a package that is not in the machine's lists is sought in the archive" {
	debian
	archive '[ -n "${APT_CONFIG-}" ]'
	ARGS=check run_setup -0
	[ "$output" = "make -j3 check" ]
	[ -z "$stderr" ]
	peers_are_unpacked
	grep -q '^apt-get .*update' log
	run -1 grep install log
}

@test "setup: packages that cannot be unpacked are reported, and make is called" {
	debian
	archive false
	ARGS=check run_setup -0
	[ "$output" = "make -j3 check" ]
	[[ $stderr == "setup: "*prometheus*"no such package"$'\n'"setup: "*mpich*"no such package" ]]
	[ "$(cd tree/build && echo *)" = "launchers.log peers.log" ]
	[ "$(tail -n 1 tree/build/peers.log)" = "E: no such package" ]

	archive true
	fake dpkg-deb 'echo "dpkg-deb: broken" >&2; exit 2'
	ARGS=check run_setup -0
	[ "$output" = "make -j3 check" ]
	[[ $stderr == *"dpkg-deb: broken" ]]
	[ "$(cd tree/build && echo *)" = "launchers.log peers.log" ]

	# Either folder is made without the other.
	rm bin/dpkg-deb
	archive '[[ " $* " != *" mpich "* ]]'
	sed -i 1s/sh/bash/ bin/apt-get
	ARGS=check run_setup -0
	[[ $stderr == "setup: "*mpich*"no such package" ]]
	[ "$(cd tree/build && echo *)" = "launchers.log peers" ]

	archive true
	ARGS=check run_setup -0
	[ -z "$stderr" ]
	peers_are_unpacked
}
