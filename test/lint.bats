# test/lint itself: in a small tree made up for it, each rule finds what breaks it.

bats_require_minimum_version 1.5.0

setup() {
	unset LINT_GEN
	LINT=$BATS_TEST_DIRNAME/lint
	export LINT_CFLAGS="-std=gnu11 -Wall -Wextra -Wmissing-prototypes"
	cp -r "$BATS_TEST_DIRNAME/../.clang-format" "$BATS_TEST_TMPDIR"
	cd "$BATS_TEST_TMPDIR"
	mkdir -p lib/include lib/base lib/cpc cmd/tool man1 test
	printf '%s\n' 'base: *' 'include: *' 'cpc: one.h' 'cmd/tool:' >test/lint.folders
	printf '/* Public. */\nint pub(void);\n' >lib/include/pub.h
	printf '/* Text. */\nint text(void);\n' >lib/base/text.h
	printf '#include "base/text.h"\n\nint text(void)\n{\n\treturn 2;\n}\n' >lib/base/text.c
	printf '/* One. */\n#include <pub.h>\n\nint one(void);\n' >lib/cpc/one.h
	printf '#include "cpc/one.h"\n\n#include "base/text.h"\n\nint one(void)\n{\n\treturn pub() + text();\n}\n' >lib/cpc/one.c
	printf '#include "cpc/one.h"\n\nint main(void)\n{\n\treturn one();\n}\n' >cmd/tool/main.c
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
	[ "${lines[0]}" = 1..9 ]
	[ "$(printf '%s\n' "${lines[@]}" | grep -c '^ok')" = 9 ]
}

@test "lint: headers that include each other" {
	printf '/* Two. */\n#include "cpc/one.h"\n' >lib/cpc/two.h
	sed -i 's/"base/"cpc\/two.h"\n#include "base/' lib/cpc/one.c
	breaks 'includes have no cycle'
}

@test "lint: a header of another folder that is not its face" {
	printf '/* Two. */\n' >lib/cpc/two.h
	sed -i 's/"cpc\/one.h"/"cpc\/one.h"\n#include "cpc\/two.h"/' cmd/tool/main.c
	breaks 'by their faces'
	[[ $output == *"cmd/tool/main.c includes lib/cpc/two.h"* ]]
}

@test "lint: a file of more than 500 lines" {
	seq 510 | sed 's/.*/\/* & *\//' >>lib/cpc/one.c
	breaks '500 lines'
}

@test "lint: something left to do" {
	printf '/* %s: more */\n' TO''DO >>lib/cpc/one.c
	breaks 'left to do'
}

@test "lint: C that clang-format would change" {
	clang-format --version | grep -q 'version 14\.' || skip "needs clang-format 14"
	sed -i 's/^\treturn/    return/' lib/cpc/one.c
	breaks 'C is formatted'
	[[ $output == *"lib/cpc/one.c:"* ]]
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
	printf 'int loose(void)\n{\n\treturn 1;\n}\n' >lib/cpc/three.c
	breaks 'clang'
	[[ $output == *"lib/cpc/three.c"* ]]
}
