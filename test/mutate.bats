# test/mutate.py: mistakes that tests must notice, here in a tree of one file.

bats_require_minimum_version 1.5.0
load helper

# The program prints the larger of its arguments; its test compares two.
setup() {
	need python3 git
	cd "$BATS_TEST_TMPDIR"
	mkdir -p tree/test
	cd tree
	printf '%s\n' 'larger() { if [ "$1" -gt "$2" ]; then echo "$1"; else echo "$2"; fi; }' > larger.sh
	printf '%s\n' '#!/bin/sh' '. ./larger.sh' '[ "$(larger 3 2)" = 3 ]' > larger_test
	printf 'all:\nbuild/unit/%%: %%_test larger.sh\n\tmkdir -p build/unit && sh -n larger.sh && install -m 755 $< $@\n' > Makefile
	git init -q . && git add .
}

# mutate STATUS LINE...: try these mistakes in larger.sh.
mutate() {
	local want=$1
	shift
	printf 'larger.sh\tunit/larger\t%s\n' "$@" > test/mutants
	run "-$want" python3 "$BATS_TEST_DIRNAME/mutate.py" test/mutants
}

# has_ended PID: the process does not run, although it may not be reaped yet.
has_ended() { ! grep -q '^State:.[^ZX]' "/proc/$1/status" 2> /dev/null; }

@test "mutate: a mistake that a test notices" {
	mutate 0 $'-gt\t-lt'
	[[ $output == *'ok 1 - test/mutants:1: larger.sh: -gt -> -lt'*'# 1 mistakes, 0 failures' ]]
}

@test "mutate: mistakes that no test notices, that cannot be built, and whose place is not there" {
	mutate 1 $'-gt\t-ge' $'then\tthan' $'-ne\t-eq' $'echo\tprintf'
	[[ $output == *'not ok 1 '*'# no test notices the mistake'*'not ok 2 '*'# the file with the mistake cannot be built'* ]]
	[[ $output == *'not ok 3 '*'# the file has the text 0 times'*'not ok 4 '*'# the file has the text 2 times'* ]]
}

@test "mutate: a test that fails without a mistake proves nothing" {
	echo false >> larger_test
	mutate 1 $'-gt\t-lt'
	[[ $output == *'# unit/larger fails without a mistake'* ]]
}

@test "mutate: a test that does not end is ended with its processes" {
	export MUTANT_SECONDS=2
	printf '%s\n' '[ "$(larger 3 2)" = 3 ] || { sleep 299.17 & echo $! > '"'$PWD/sleeper'"'; wait; }' > hang
	sed -i '$d' larger_test && cat hang >> larger_test
	mutate 0 $'-gt\t-lt'
	has_ended "$(cat sleeper)"
}

@test "mutate: SIGTERM ends what was started, and the copy of the tree" {
	printf '%s\n' 'sleep 299.18 & echo $! > '"'$PWD/sleeper'"'; wait' >> larger_test
	printf 'larger.sh\tunit/larger\t-gt\t-lt\n' > test/mutants
	mkdir tmp
	TMPDIR=$PWD/tmp start log python3 "$BATS_TEST_DIRNAME/mutate.py" test/mutants
	local pid=$! status=0
	until_true test -s sleeper
	kill "$pid"
	wait "$pid" || status=$?
	[ "$status" -eq 143 ]
	has_ended "$(cat sleeper)"
	[ -z "$(ls tmp)" ]
}
