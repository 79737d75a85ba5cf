# The scripts of the PMU test bed report correctly what a guest did.

bats_require_minimum_version 1.5.0

setup() {
	cd "$BATS_TEST_DIRNAME/.."
	[ ! -f build/qemu/unavailable ] || skip "$(cat build/qemu/unavailable)"
	GUEST=$(realpath build/qemu/guest)
	export GUEST
	S=$BATS_TEST_TMPDIR/suite
	mkdir "$S"
}

# in_guest [OPTION...] TEXT: run TEXT by a shell in a guest. The options are those of test/qemu/run.
in_guest() { test/qemu/run "${@:1:$#-1}" "$S" bash -c "${!#}"; }

@test "qemu: a guest's output and status are the command's" {
	run --separate-stderr in_guest 'echo one; echo two >&2; printf "three\n\nno newline"; exit 7'
	[ "$status" -eq 7 ]
	[ "$output" = $'one\ntwo\nthree\n\nno newline' ]
	[ -z "$stderr" ]
}

@test "qemu: the guest has the files, and the command gets its arguments unchanged" {
	echo data > "$S/file"
	run -0 --separate-stderr test/qemu/run "$S" printf '%s|' 'a  b' "c'd" '$e' "$(printf 'f\ng')"
	[ "$output" = $'a  b|c\'d|$e|f\ng|' ]
	run -0 --separate-stderr in_guest 'pwd; cat file'
	[ "$output" = $'/suite\ndata' ]
}

@test "qemu: two runs of the same files print the same, even times and pids" {
	run -0 --separate-stderr in_guest 'date +%s.%N; cat /proc/uptime /proc/self/maps; bash -c "echo \$\$"'
	first=$output
	run -0 --separate-stderr in_guest 'date +%s.%N; cat /proc/uptime /proc/self/maps; bash -c "echo \$\$"'
	diff <(echo "$first") <(echo "$output")
}

@test "qemu: a guest that sleeps takes no time" {
	# run ends a guest after 360 s.
	run -0 in_guest 'sleep 1000'
}

@test "qemu: for a guest that crashes the status is 99, and the end of its console is printed" {
	run --separate-stderr in_guest 'echo before; echo c > /proc/sysrq-trigger'
	[ "$status" -eq 99 ]
	[[ $output == before* ]]
	[[ $stderr == *"the guest did not finish (exit status of qemu: 0); its console ends with:"*"Kernel panic"* ]]
}

@test "qemu: a guest that hangs is ended, and the status is 99" {
	# The guest has three times as long as it takes to start.
	SECONDS=0
	in_guest true
	run --separate-stderr in_guest -t $((3 + 3 * SECONDS)) 'echo before; while :; do :; done'
	[ "$status" -eq 99 ]
	[[ $output == before* ]]
	[[ $stderr == *"the guest did not finish (exit status of qemu: 124); its console ends with:"* ]]
}

@test "qemu: SIGTERM to run ends the guest, too" {
	setsid test/qemu/run "$S" bash -c 'echo up; while :; do :; done' > "$BATS_TEST_TMPDIR/out" 2>&1 3>&- &
	pid=$!
	for ((i = 0; i < 600; i++)); do
		! grep -q qemu-system <(ps -o args= -s "$pid") || break
		sleep 0.1
	done
	grep -q qemu-system <(ps -o args= -s "$pid")
	kill -TERM "$pid"
	! wait "$pid"
	for ((i = 0; i < 100; i++)); do
		[ -n "$(ps -o pid= -s "$pid")" ] || break
		sleep 0.1
	done
	[ -z "$(ps -o pid= -s "$pid")" ]
}

@test "qemu: without a program that guests need, one skipped test names it, or a failed one with PMU=required" {
	mkdir "$BATS_TEST_TMPDIR/bin" "$BATS_TEST_TMPDIR/tree"
	for t in bash sh env mkdir rm cat tail; do
		ln -s "$(command -v $t)" "$BATS_TEST_TMPDIR/bin/$t"
	done
	cp -r --parents test/debian.bash test/qemu "$BATS_TEST_TMPDIR/tree"
	cd "$BATS_TEST_TMPDIR/tree"
	local poor=(env -u PMU "PATH=$BATS_TEST_TMPDIR/bin")
	"${poor[@]}" test/qemu/stage build/qemu 2> /dev/null
	run -0 "${poor[@]}" test/qemu/exact.guest
	[ "$output" = $'1..1\nok 1 - the guest boots # skip apt-get is not installed' ]
	run -0 "${poor[@]}" PMU=required test/qemu/exact.guest
	[ "$output" = $'1..1\nnot ok 1 - the guest boots: apt-get is not installed' ]
}

@test "qemu: preparing a second time changes nothing and needs no network" {
	run -0 --separate-stderr env http_proxy=http://127.0.0.1:9 test/qemu/prepare
	[ "$output" = "$GUEST" ]
}
