# test/coverage.py: lines that are not executed, and the list of those that need not be.

bats_require_minimum_version 1.5.0

# The file has two functions; lines 2, 6 and 7 are not executed.
setup() {
	cd "$BATS_TEST_TMPDIR"
	mkdir -p lib/base
	printf '%s\n' 'static int f(int x) {' '	return -1;' '}' 'int g(int x) {' '	if (x)' '		say("no");' \
		'	return 0;' '}' > lib/base/a.c
	printf '%s\n' "SF:$PWD/lib/base/a.c" 'FN:1,lib/base/a.c:f' 'FN:4,g' 'DA:1,3' 'DA:2,0' 'DA:3,3' 'DA:4,1' 'DA:5,1' \
		'DA:6,0' 'DA:7,0' 'DA:8,1' 'BRDA:5,0,0,0' 'BRDA:5,0,1,1' end_of_record "SF:$PWD/test/b.c" 'DA:1,0' > lcov
}

# compared STATUS LINE...: with these lines in the list and no others below a reason.
compared() {
	local want=$1
	shift
	printf '%s\n' 'A reason.' "$@" > list
	run "-$want" python3 "$BATS_TEST_DIRNAME/coverage.py" "$PWD" list < lcov
}

@test "coverage: the table has the lines and branches of each folder" {
	run -0 python3 "$BATS_TEST_DIRNAME/coverage.py" "$PWD" - < lcov
	[[ $output == *'lib/base                       8   62.5 %        2   50.0 %'* ]]
	[[ $output != *test* && $output != *'lines that'* ]]
}

@test "coverage: lines that are not executed are printed unless they are listed" {
	compared 1
	[[ $output == *'lib/base/a.c:2-2 f(): return -1;'* && $output == *'lib/base/a.c:6-7 g(): say("no");'* ]]
	compared 0 $'\tlib/base/a.c f <error>' $'\tlib/*.c g say('
	[[ $output == *'list lists all lines that no test executes' ]]
	compared 0 $'\tlib/base/a.c *'
	[[ $output == *'list lists all lines that no test executes' ]]
	compared 1 $'\tlib/base/a.c * <error>'
	[[ $output != *' f()'* && $output == *'lib/base/a.c:6-7 g()'* ]]
}

@test "coverage: entries whose lines are all executed are printed, and lines that are no entries" {
	compared 1 $'\tlib/base/a.c f' $'\tlib/base/a.c g' $'\tlib/base/a.c g if (x)' $'\tlib/gone.c h'
	[[ $output == *'  list:4: lib/base/a.c g if (x)'* && $output == *'  list:5: lib/gone.c h'* ]]
	[[ $output != *list:2* && $output != *list:3* ]]
	compared 1 $'\tlib/base/a.c'
	[[ $output == *'list:2: not an entry below a reason: lib/base/a.c'* ]]
}

@test "coverage: entries of what is executed sometimes are printed only if the text is gone" {
	compared 1 $'\tlib/base/a.c *' '' 'Sometimes: a call' 'above them fails.' $'\tlib/base/a.c g if (x)' $'\tlib/base/a.c g if (y)' '' 'Another.' \
		$'\tlib/base/a.c g if (x)'
	[[ $output != *list:6* && $output == *'  list:7: lib/base/a.c g if (y)'* && $output == *'  list:10: lib/base/a.c g if (x)'* ]]
}

@test "coverage: lines of a header without functions can be listed" {
	echo '#define MOST 7' > lib/base/b.h
	printf '%s\n' "SF:$PWD/lib/base/b.h" 'DA:1,0' end_of_record >> lcov
	compared 1 $'\tlib/base/a.c *'
	[[ $output == *'lib/base/b.h:1-1 (): #define MOST 7'* ]]
	compared 0 $'\tlib/base/a.c *' $'\tlib/base/b.h *'
	[[ $output == *'list lists all lines that no test executes' ]]
}

@test "coverage: the lines and branches of a file" {
	run -0 python3 "$BATS_TEST_DIRNAME/coverage.py" "$PWD" - lib/base/a.c < lcov
	[[ $output == *'    2 line   	return -1;'* && $output == *'    5 branch 	if (x)'* ]]
	run -1 python3 "$BATS_TEST_DIRNAME/coverage.py" "$PWD" - lib/base/none.c < lcov
	[[ $output == *'lib/base/none.c: no code of this file is measured' ]]
}
