# Names that harm a terminal or break a format, in each place where a command reads a name, through each format:
# test/hostile/names has the names and the places.

bats_require_minimum_version 1.5.0
load helper

setup() { need python3; }

names() { python3 "$BATS_TEST_DIRNAME/hostile/names" "$@"; }

@test "hostile names: programs, arguments and programs that are executed" { names program; }
@test "hostile names: options, their values and arguments" { names option; }
@test "hostile names: environment variables" { names variable; }
@test "hostile names: labels" { names label; }
@test "hostile names: files that are read" { names file; }
@test "hostile names: files of records" { names records; }

@test "hostile names: hosts" {
	unshare -r -u true 2> /dev/null || skip 'this user may not give a namespace a host name'
	names host
}

@test "hostile names: symbols, source files and programs in all reports" {
	need cc
	[ -x "$LWPREC" ] || skip 'the commands are built without the libraries that read symbols'
	[ "$(uname -m)" = x86_64 ] || skip 'the program has instructions of x86'
	names symbol
}
