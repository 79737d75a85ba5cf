# test/check, on fake tests.

bats_require_minimum_version 1.5.0

# Runs a command without the environment of the bats that runs this test.
clean=(env -i PATH=/usr/local/bin:/usr/bin:/bin)

setup() {
	CHECK=$BATS_TEST_DIRNAME/check
	cd "$BATS_TEST_TMPDIR"
}

# fake NAME <SCRIPT: make a test program.
fake() {
	{ echo '#!/bin/sh' && cat; } >"$1"
	chmod +x "$1"
}

passes() {
	fake "$1" <<-'EOF'
		echo 1..2
		echo ok 1 - one
		echo ok 2 - two
	EOF
}

last_line() { printf '%s\n' "${lines[-1]}"; }

@test "check: counts the results of all tests" {
	passes a
	passes b
	run -0 "$CHECK" a ./b
	[[ ${lines[0]} =~ ^'ok   '(a|./b)': 2 passed, 0 failed, 0 skipped ('[0-9]' s)'$ ]]
	[ "$(last_line)" = "4 passed, 0 failed, 0 skipped" ]
}

@test "check: a failure is shown with the output of the test" {
	fake a <<-'EOF'
		echo 1..2
		echo ok 1 - one
		echo case at line 12 >&2
		echo not ok 2 - two
		echo '# 1 != 2'
		exit 1
	EOF
	run -1 "$CHECK" a
	[[ $output == *"case at line 12"*"not ok 2 - two"*"# 1 != 2"* ]]
	[ "$(last_line)" = "1 passed, 1 failed, 0 skipped" ]
}

@test "check: a failure counts even if the status is 0" {
	fake a <<<'echo 1..1; echo not ok 1 - one'
	run -1 "$CHECK" a
	[ "$(last_line)" = "0 passed, 1 failed, 0 skipped" ]
}

@test "check: skips are shown with their reasons, for bats and for cmocka" {
	fake a <<-'EOF'
		echo 1..3
		echo 'ok 1 - one # skip no PMU'
		echo ok 2 - two
		echo needs root
		echo 'not ok 3 # SKIP three'
	EOF
	run -0 "$CHECK" a
	[[ $output == *"skip one: no PMU"*"skip three: needs root"* ]]
	[ "$(last_line)" = "1 passed, 0 failed, 2 skipped" ]
}

@test "check: a crash is a failure, even if all results before it passed" {
	fake a <<-'EOF'
		echo 1..3
		echo ok 1 - one
		kill -SEGV $$
	EOF
	run -1 "$CHECK" a
	[[ $output == *"a: ended with status 139"* ]]
	[ "$(last_line)" = "1 passed, 1 failed, 0 skipped" ]
}

@test "check: a bad status at the end is a failure" {
	fake a <<<'echo 1..1; echo ok 1 - one; exit 23'
	run -1 "$CHECK" a
	[[ $output == *"a: ended with status 23"* ]]
	[ "$(last_line)" = "1 passed, 1 failed, 0 skipped" ]
}

@test "check: fewer results than planned are a failure" {
	fake a <<<'echo 1..2; echo ok 1 - one'
	run -1 "$CHECK" a
	[[ $output == *"a: printed 1 results, planned 2"* ]]
	[ "$(last_line)" = "1 passed, 1 failed, 0 skipped" ]
}

@test "check: a test that hangs is killed with its children, and is a failure" {
	fake a <<-'EOF'
		echo 1..1
		sleep 1000 &
		echo $! >child
		wait
	EOF
	run -1 "$CHECK" -t 1 a
	[[ $output == *"a: not finished after 1 s"* ]]
	[ "$(last_line)" = "0 passed, 1 failed, 0 skipped" ]
	case $(sed -n 's/^State:[[:space:]]*\(.\).*/\1/p' "/proc/$(cat child)/status" 2>/dev/null) in
	'' | Z | X) ;;
	*) false ;;
	esac
}

@test "check: a test that is missing is a failure" {
	passes a
	run -1 "$CHECK" a nosuch
	[ "$(last_line)" = "2 passed, 1 failed, 0 skipped" ]
}

@test "check: a test that prints nothing is a failure" {
	fake a </dev/null
	run -1 "$CHECK" a
	[[ $output == *"a: printed no plan"* ]]
}

@test "check: only skips are not a success" {
	fake a <<<'echo 1..1; echo "ok 1 - one # skip no PMU"'
	run -1 "$CHECK" a
	[ "$(last_line)" = "0 passed, 0 failed, 1 skipped" ]
}

@test "check: .bats files run by bats, and one that cannot be read fails" {
	printf '@test "x" {\n\ttrue\n}\n@test "y" {\n\tskip "no PMU"\n}\n' >good.bats
	printf '@test "z" {\n\tif\n}\n' >bad.bats
	run -0 "${clean[@]}" "$CHECK" good.bats
	[[ $output == *"skip y: no PMU"* ]]
	[ "$(last_line)" = "1 passed, 0 failed, 1 skipped" ]
	run -1 "${clean[@]}" "$CHECK" good.bats bad.bats
	[[ $(last_line) == "1 passed, "[1-9]*" failed, 1 skipped" ]]
}

@test "check: cmocka prints TAP, and standard input is empty" {
	fake a <<-'EOF'
		echo 1..1
		read -r line && exit 1
		[ "$CMOCKA_MESSAGE_OUTPUT" = TAP ] && echo ok 1 - one
	EOF
	run -0 "$CHECK" a
}

@test "check: no tests and unknown options are bad use" {
	run -2 "$CHECK"
	run -2 "$CHECK" -x
}

@test "check: tests run at the same time, unless they say that they run alone" {
	# Each of a and b waits for the other; c and d would see each other.
	local name
	for name in a b; do
		printf '%s\n' "@test \"$name\" {" "touch $PWD/$name.on" 'for ((i = 0; i < 100; i++)); do' \
			"[ -e $PWD/a.on ] && [ -e $PWD/b.on ] && return" 'sleep 0.1' done false '}' >$name.bats
	done
	for name in c d; do
		printf '%s\n' '# A test.' '# Runs alone: it must not see the other.' "@test \"$name\" {" "mkdir $PWD/on" \
			'sleep 0.1' "rmdir $PWD/on" '}' >$name.bats
	done
	run -0 "${clean[@]}" "$CHECK" -j 2 c.bats a.bats d.bats b.bats
	[ "$(last_line)" = "4 passed, 0 failed, 0 skipped" ]
}
