# test/quick, which runs the other tests.

bats_require_minimum_version 1.5.0

# Runs a command without the environment of the script that runs this test.
clean=(env -i PATH=/usr/local/bin:/usr/bin:/bin)

setup() {
	[ -f /usr/lib/bats-core/test_functions.bash ] || skip "needs bats as Debian installs it"
	QUICK=$BATS_TEST_DIRNAME/quick
	T=$BATS_TEST_TMPDIR
}

# results: the results of TAP, without notes on failures.
results() { grep -E '^(1\.\.|ok|not ok)'; }

@test "quick: the same results as with bats" {
	# Bats would take lines that begin with @ for tests of this file.
	sed 's/^%/@/' > "$T/sample.bats" <<-'END'
		bats_require_minimum_version 1.5.0
		setup_file() { export given="${BATS_FILE_TMPDIR:?}"; }
		teardown_file() { [ -d "$given" ] && touch "$LEFT"; }
		setup() { echo set up; x=1; }
		teardown() { [ ! -e "$BATS_TEST_TMPDIR/torn" ]; }
		helper() {
			false
			echo not reached
		}
		%test "passes" { [ $x = 1 ]; }
		%test "fails in a \"function\": \$x" {
			helper
			true
		}
		%test "skips" {
			skip "for a reason"
			false
		}
		%test "skips without a reason" { skip; }
		%test "exits" {
			exit 0
		}
		%test "runs commands" {
			run -3 --separate-stderr sh -c 'echo out; echo err >&2; exit 3'
			[ "$output" = out ]
			[ "$stderr" = err ]
			run ! false
			run -1 true
		}
		%test "cannot be cleaned up after" { touch "$BATS_TEST_TMPDIR/torn"; }
		%test "only the last command of a list counts" {
			false && true
			! true
			true
		}
		%test "ends with a list that fails" { true && [[ a == b ]]; }
		%test "fails in a subshell" {
			(
				false
				true
			)
			true
		}
		%test "does not see the variables of other tests" {
			[ $x = 1 ]
			x=2
		}
		%test "has the descriptors" { [ -e /proc/self/fd/3 ] && [ -e /proc/self/fd/4 ] && [ ! -e /proc/self/fd/5 ] && [ ! -e /proc/self/fd/63 ]; }
		%test "has what setup_file exports" { [ "$given" = "$BATS_FILE_TMPDIR" ] && [ -d "$given" ]; }
		%test "has a name and a number" { [ "$BATS_TEST_DESCRIPTION" = 'has a name and a number' ] && [ $BATS_TEST_NUMBER -eq 14 ]; }
		%test "has a folder" { [ -z "$(ls "$BATS_TEST_TMPDIR")" ]; }
	END
	run -1 "${clean[@]}" LEFT="$T/bats" bats --tap "$T/sample.bats"
	results <<< "$output" > "$T/want"
	[ "$(grep -c '^not ok' "$T/want")" -eq 6 ]
	run -1 "${clean[@]}" LEFT="$T/quick" "$QUICK" "$T/sample.bats"
	results <<< "$output" | diff "$T/want" -
	[ -e "$T/bats" ] && [ -e "$T/quick" ]
	grep -qF '(sample.bats line 7: false)' <<< "$output"
}

@test "quick: a file whose tests cannot be found is not taken for one without tests" {
	echo '@test unknown' > "$T/bad.bats"
	run ! "${clean[@]}" "$QUICK" "$T/bad.bats"
}

@test "quick: a process that a test leaves does not go unnoticed" {
	sed 's/^/@/' > "$T/left.bats" <<< "test \"leaves\" { { sleep 1; touch '$T/ended'; } > /dev/null 2>&1 & }"
	run -0 "${clean[@]}" "$QUICK" "$T/left.bats"
	[ -e "$T/ended" ]
}

@test "quick: a file whose setup_file fails has a failure" {
	printf '%s\n' 'setup_file() { false; }' "$(sed 's/^/@/' <<< 'test "a" { :; }')" > "$T/bad.bats"
	run -1 "${clean[@]}" "$BATS_TEST_DIRNAME/check" "$T/bad.bats"
	[[ $output == *'0 passed, 1 failed, 0 skipped' ]]
}
