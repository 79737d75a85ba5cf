# test/lint itself: in a small tree made up for it, each rule finds what breaks it.

bats_require_minimum_version 1.5.0

setup() {
	unset LINT_GEN
	LINT=$BATS_TEST_DIRNAME/lint
	export LINT_CFLAGS="-std=gnu11 -Wall -Wextra -Wmissing-prototypes"
	cp -r "$BATS_TEST_DIRNAME/../.clang-format" "$BATS_TEST_TMPDIR"
	cd "$BATS_TEST_TMPDIR"
	mkdir -p lib/include lib/engine cmd/tool test man1
	printf '/* Public. */\nint pub(void);\n' >lib/include/pub.h
	printf '/* One. */\n#include "pub.h"\n\nint one(void);\n' >lib/one.h
	printf '#include "one.h"\n\nint one(void)\n{\n\treturn pub();\n}\n' >lib/one.c
	printf '#include <pub.h>\n\nint main(void)\n{\n\treturn pub();\n}\n' >cmd/tool/main.c
	printf 'all:\n' >Makefile
}

# breaks RULE: lint fails, and RULE alone does.
breaks() {
	run -1 "$LINT"
	[ "$(printf '%s\n' "${lines[@]}" | grep -c '^not ok')" = 1 ]
	printf '%s\n' "${lines[@]}" | grep -q "^not ok .*$1"
}

@test "lint: a clean tree passes all rules" {
	run -0 "$LINT"
	[ "${lines[0]}" = 1..10 ]
	[ "$(printf '%s\n' "${lines[@]}" | grep -c '^ok')" = 10 ]
}

@test "lint: headers that include each other" {
	printf '/* Two. */\n#include "one.h"\n' >lib/two.h
	printf '#include "two.h"\n' >>lib/one.c
	breaks 'no cycle'
}

@test "lint: a public header that needs a private one" {
	sed -i 's/^int/#include "..\/one.h"\n\nint/' lib/include/pub.h
	run -1 "$LINT"
	[[ $output == *"not ok 2 "*"lib/include/pub.h"* ]]
}

@test "lint: a header of an engine above engine.h" {
	printf '/* An engine. */\n' >lib/engine/sim.h
	sed -i 's/"one.h"/"one.h"\n\n#include "engine\/sim.h"/' lib/one.c
	breaks 'down only'
}

@test "lint: a command that includes what is private" {
	sed -i 's/<pub.h>/"..\/..\/lib\/one.h"/' cmd/tool/main.c
	run -1 "$LINT"
	[[ $output == *"not ok 2 "*"cmd/tool/main.c"* ]]
}

@test "lint: outside things in a second place" {
	sed -i 's/"one.h"/"one.h"\n\n#include <sys\/ptrace.h>/' lib/one.c
	breaks 'enters once'
	cp lib/one.c lib/libpctx_one.c
	sed -i 's/int one/int two/; s/"one.h"/"two.h"/' lib/libpctx_one.c
	printf '/* Two. */\n#include "pub.h"\n\nint two(void);\n' >lib/two.h
	sed -i '/ptrace/d' lib/one.c
	clang-format -i lib/*.c
	run -0 "$LINT"
}

@test "lint: a file of more than 500 lines" {
	seq 510 | sed 's/.*/\/* & *\//' >>lib/one.c
	breaks '500 lines'
}

@test "lint: something left to do" {
	printf '/* %s: more */\n' TO''DO >>lib/one.c
	breaks 'left to do'
}

@test "lint: C that clang-format would change" {
	clang-format --version | grep -q 'version 14\.' || skip "needs clang-format 14"
	sed -i 's/^\treturn/    return/' lib/one.c
	breaks 'C is formatted'
	[[ $output == *"lib/one.c:"* ]]
}

@test "lint: a manual page with an error" {
	printf '.Dd May 1, 2026\n.Dt X 1\n.Os\n.Sh NAME\n.Nm x\n.Nd x\n.Bogus\n' >man1/x.1
	breaks 'manual pages'
}

@test "lint: a shell script with an error" {
	printf '#!/bin/sh\nx=$(ls *.c)\ncd $x\nif [ a == b ]; then echo; fi\n' >setup
	breaks 'shell scripts'
}

@test "lint: a warning of clang" {
	printf 'int loose(void)\n{\n\treturn 1;\n}\n' >lib/three.c
	breaks 'clang'
	[[ $output == *"lib/three.c"* ]]
}
