# test/lint itself: in a small tree that breaks one of the rules, exactly this rule fails.

bats_require_minimum_version 1.5.0

setup() {
	unset LINT_GEN B
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
	printf '/* More. */\n#include "base/text.h"\n#include "cpc/one.h"\n' >cmd/tool/more.h
	printf 'all:\n' >Makefile
}

# breaks RULE: lint fails, and of its rules only RULE fails.
breaks() {
	run -1 "$LINT"
	[ "$(printf '%s\n' "${lines[@]}" | grep -c '^not ok')" = 1 ]
	printf '%s\n' "${lines[@]}" | grep -q "^not ok .*$1"
}

@test "lint: a clean tree passes all rules" {
	run -0 "$LINT"
	[ "${lines[0]}" = 1..20 ]
	[ "$(printf '%s\n' "${lines[@]}" | grep -c '^ok')" = 20 ]
}

@test "lint: a mistake for the tests whose text is not in the file" {
	command -v python3 || skip 'python3 is not installed'
	printf 'lib/base/text.c\tunit/text\treturn 2\treturn 3\n' >test/mutants
	run -0 "$LINT"
	printf 'lib/base/text.c\tunit/text\treturn 4\treturn 3\n' >>test/mutants
	breaks 'each mistake that the tests must notice has its place'
	[[ $output == *'test/mutants:2: lib/base/text.c has the text 0 times: return 4'* ]]
}

@test "lint: headers that include each other" {
	printf '/* Two. */\n#include "cpc/one.h"\n' >lib/cpc/two.h
	sed -i 's/"base/"cpc\/two.h"\n#include "base/' lib/cpc/one.c
	breaks 'includes have no cycle'
}

@test "lint: a header of another folder that lint.folders does not list" {
	printf '/* Two. */\n' >lib/cpc/two.h
	sed -i 's/"cpc\/one.h"/"cpc\/one.h"\n#include "cpc\/two.h"/' cmd/tool/main.c
	breaks 'by their listed headers only'
	[[ $output == *"cmd/tool/main.c includes lib/cpc/two.h, which test/lint.folders does not list for cpc"* ]]
}

@test "lint: an include against the order of the folders" {
	sed -i 's/"base\/text.h"/"base\/text.h"\n\n#include "cpc\/one.h"/' lib/base/text.c
	run -1 "$LINT"
	[[ $output == *"not ok 1 "*"lib/base/text.c includes lib/cpc/one.h, which stands later"* ]]
}

@test "lint: a public header that needs a private one" {
	sed -i 's/^int/#include "base\/text.h"\n#include "cpc\/one.h"\n\nint/' lib/include/pub.h
	run -1 "$LINT"
	[[ $output == *"not ok 1 "*"lib/include/pub.h includes lib/cpc/one.h, which stands later"* ]]
}

@test "lint: a header without the path from lib/, and a folder that lint.folders does not list" {
	sed -i 's/"base\/text.h"/"text.h"/' lib/base/text.c
	mkdir lib/new
	printf '/* New. */\n#include "base/text.h"\n' >lib/new/new.h
	run -1 "$LINT"
	[[ $output == *"not ok 1 "*"lib/base/text.c: no header text.h below lib/"* ]]
	[[ $output == *"new: test/lint.folders does not list this folder"* ]]
}

@test "lint: a private header in angle brackets, and one behind a macro" {
	sed -i 's/"base\/text.h"/"base\/text.h"\n\n#include <cpc\/one.h>/' lib/base/text.c
	run -1 "$LINT"
	[[ $output == *"not ok 1 "*"lib/base/text.c includes lib/cpc/one.h, which stands later"* ]]
	sed -i 's/#include <cpc\/one.h>/#define ONE "cpc\/one.h"\n#include ONE/' lib/base/text.c
	run -1 "$LINT"
	[[ $output == *"not ok 1 "*"lib/base/text.c: no header ONE below lib/"* ]]
}

@test "lint: folders with the same place that include each other" {
	printf '= next:\n' >>test/lint.folders
	mkdir lib/next
	printf '/* Next. */\n#include "tool/tool.h"\n' >lib/next/next.h
	printf '%s\n' 'tool:' '= next:' >>test/lint.folders
	mkdir lib/tool
	printf '/* Tool. */\n' >lib/tool/tool.h
	run -1 "$LINT"
	[[ $output == *"not ok 1 "*"lib/next/next.h includes lib/tool/tool.h, which stands later"* ]]
}

@test "lint: an include of the simulator outside its own folders" {
	printf 'sim:\n' >>test/lint.folders
	mkdir lib/sim
	printf '/* A page. */\n#include "base/text.h"\n' >lib/sim/page.h
	run -1 "$LINT"
	[[ $output == *"lib/sim/page.h includes lib/base/text.h: the simulator is a program of its own"* ]]
}

# build: make the objects of the tree. The rules about calls read their symbols.
build() {
	for f in lib/*/*.c cmd/*/*.c; do
		mkdir -p "build/${f%/*}" && "${CC:-cc}" -Ilib/include -Ilib -c -o "build/${f%.c}.o" "$f" || return
	done
}

@test "lint: a call against the order of the folders" {
	build
	run -0 "$LINT"
	sed -i 's/return 2/extern int one(void);\n\n\treturn one()/' lib/base/text.c
	build
	run -1 "$LINT"
	[[ $output == *"not ok 2 "*"lib/base/text calls lib/cpc/one, which stands later"* ]]
}

@test "lint: files of one folder that call each other" {
	printf '#include "base/text.h"\n\nint more(void)\n{\n\treturn text();\n}\n' >lib/base/more.c
	printf '/* Text. */\nint text(void);\nint more(void);\n' >lib/base/text.h
	build
	run -0 "$LINT"
	sed -i 's/return 2/return more()/' lib/base/text.c
	build
	breaks 'calls have no cycle'
	[[ $output == *lib/base/more* ]]
}

# libraries FLAG...: build the small libraries, and list their binary interface: the function pub() and a type.
libraries() {
	mkdir -p build/install
	"${CC:-cc}" -c -fPIC -fvisibility=hidden -Ilib -o build/text.o "$@" lib/base/text.c
	"${CC:-cc}" -c -fPIC -o build/pub.o -x c - <<<'int pub(void) { return 3; }'
	rm -f build/install/*
	ar rcs build/install/libcpc.a build/text.o build/pub.o
	"${CC:-cc}" -shared -nostdlib -o build/install/libopencpc.so.1 build/text.o build/pub.o
	printf 'HEADERS := pub.h\n' >Makefile
	printf '/* Public. */\nint pub(void);\ntypedef struct {\n\tint a;\n} pub_t;\n' >lib/include/pub.h
	printf 'function pub\nsize 4 pub_t\n' >lib/include/opencpc.abi
}

@test "lint: a library that exports a private name" {
	libraries -Dtext=cpc__text
	run -0 "$LINT"
	libraries
	breaks 'export the names of the binary interface'
	[[ $output == *"# text: not in opencpc.abi, but in the archive"* ]]
	libraries -Dtext=cpc__text -fvisibility=default
	breaks 'export the names of the binary interface'
	[[ $output == *"# cpc__text: not in opencpc.abi, but in the shared library"* ]]
}

@test "lint: a function of the binary interface that no library and no header has" {
	libraries -Dtext=cpc__text
	echo 'function gone' >>lib/include/opencpc.abi
	breaks 'export the names of the binary interface'
	[[ $output == *"# gone: in opencpc.abi, but not in the archive"* ]]
	[[ $output == *"# gone: in opencpc.abi, but not in the shared library"* ]]
	[[ $output == *"# gone: in opencpc.abi, but not in a header"* ]]
}

@test "lint: a type of another size than the binary interface says, and one that is not listed" {
	command -v clang >/dev/null || skip "needs clang"
	libraries -Dtext=cpc__text
	sed -i 's/int a;/long a;/' lib/include/pub.h
	breaks 'the sizes of its list'
	[[ $output == *"pub_t has another size than in opencpc.abi"* ]]
	libraries -Dtext=cpc__text
	sed -i 's/^size.*/size 4 int/' lib/include/opencpc.abi
	breaks 'the sizes of its list'
	[[ $output == *"# pub_t: not in opencpc.abi"* ]]
}

@test "lint: an installed header that needs an extension of C" {
	command -v clang >/dev/null || skip "needs clang"
	printf 'HEADERS := pub.h\n' >Makefile
	printf '/* Public. */\n#include <sys/types.h>\nid_t pub(void);\n' >lib/include/pub.h
	breaks 'each standard of C and C++'
	[[ $output == *"id_t"* ]]
}

@test "lint: foreign interfaces in a second place" {
	sed -i 's/"base\/text.h"/<sys\/ptrace.h>\n\n#include "base\/text.h"/' lib/cpc/one.c
	breaks 'used in one place'
	sed -i 's/sys\/ptrace.h/perfmon\/pfmlib.h/' lib/cpc/one.c
	run -1 "$LINT"
	[[ $output == *"lib/cpc/one.c"*"perfmon"* ]]
	sed -i 's/<perfmon\/pfmlib.h>/"engine\/why.h"/' lib/cpc/one.c
	printf 'int open_event(void)\n{\n\treturn SYS_perf_event_open;\n}\n' >>lib/cpc/one.c
	run -1 "$LINT"
	[[ $output == *"lib/cpc/one.c"*"perf_event_open"* ]]
}

@test "lint: a file in lib/ itself, and a folder of more than 50 files" {
	printf '/* Two. */\n' >lib/two.h
	for i in {1..50}; do printf '/* %s. */\n' "$i" >"lib/base/h$i.h"; done
	breaks 'lib has folders only'
	[[ $output == *"lib/two.h: a file outside the folders"* ]]
	[[ $output == *"lib/base: 52 files"* ]]
	rm lib/two.h lib/base/h*
	mkdir lib/new
	printf '/* New. */\n' >lib/new/new.h
	echo 'base: *' >>test/lint.folders
	run -1 "$LINT"
	[[ $output == *"new: not one line in lint.folders"* ]]
	[[ $output == *"base: not one line in lint.folders"* ]]
}

@test "lint: a file of more than 500 lines" {
	seq 510 | sed 's/.*/\/* & *\//' >>lib/cpc/one.c
	breaks '500 lines'
}

@test "lint: a line of more than 90 columns" {
	printf '/* %084d */\n/* %083dä */\n/*\n\t%082d\n */\n' 0 0 0 >>lib/cpc/one.c
	run -0 "$LINT"
	printf '/* %085d */\n' 0 >>cmd/tool/main.c
	breaks '90 columns'
	[[ $output == *"# cmd/tool/main.c:7: 91 columns"* ]]
	sed -i '$d' cmd/tool/main.c
	printf '/*\n\t%083d\n */\n' 0 >test/two.c
	breaks '90 columns'
	[[ $output == *"# test/two.c:2: 91 columns"* ]]
}

# two N: make lib/cpc/two.c of N code lines, comments and blank lines, and its header, which one other file includes.
two() {
	printf '/* Two. */\nint two(void);\n' >lib/cpc/two.h
	{
		printf '#include "cpc/two.h"\n\n/*\n * Two,\n\n * "2".\n */\nint two(void)\n{\n\tconst char *p = "/*";\n\n'
		seq $(($1 - 6)) | sed 's/.*/\tp++; \/* " & *\//'
		printf '\treturn *p;\n}\n'
	} >lib/cpc/two.c
	sed -i 's/"base/"cpc\/two.h"\n#include "base/' lib/cpc/one.c
}

@test "lint: a file of fewer than 40 code lines with one user" {
	two 39
	breaks 'fewer than 40 code lines'
	[[ $output == *"# lib/cpc/two.c: 39 code lines; other files that include its header: 1"* ]]
	sed -i '1a#include "cpc/two.h"' cmd/tool/more.h
	sed -i 's/one.h/& two.h/' test/lint.folders
	run -0 "$LINT"
}

@test "lint: a file of 40 code lines with one user" {
	two 40
	run -0 "$LINT"
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

@test "lint: a script of Python that compiles a module beside it" {
	echo 'x = 1' >test/one.py
	printf '#!/usr/bin/env python3\nimport sys\nsys.dont_write_bytecode = True\nfrom one import x\n' >test/two.py
	run -0 "$LINT"
	sed -i /bytecode/d test/two.py
	breaks 'scripts of Python leave no compiled copies of modules'
	[[ $output == *"test/two.py: imports one.py of its folder"* ]]
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
	breaks 'clang reports no warning'
	[[ $output == *"lib/cpc/three.c"* ]]
	LINT_COMPILED='lib/cpc/one.c lib/cpc/three.c' run -0 "$LINT"
}
