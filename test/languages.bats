# Clients of the shared library in several languages. Each counts 1000 calls of a function, and prints the count; or it has
# the calls in a named region.
#
# setup does not install compilers of Rust and Go, whose packages are above 100 MB each; Rust is tested where there is
# a compiler.

bats_require_minimum_version 1.5.0
load helper

setup_file() {
	make -s -C "$BATS_TEST_DIRNAME/.." ${B:+B="$B"} DESTDIR="$BATS_FILE_TMPDIR" PREFIX=/opt/cpc install
}

setup() {
	[ -z "$SANITIZE" ] || skip "a library with AddressSanitizer cannot be loaded by a program without it"
	cd "$BATS_TEST_DIRNAME/languages" || return
	LIBDIR=$BATS_FILE_TMPDIR/opt/cpc/lib
}

# program COMPILER FLAG... SOURCE: build a client of the shared library as $T/program.
program() { "$@" -o "$T/program" -L"$LIBDIR" -lopencpc; }

# counts WANT COMMAND...: a client that uses the shared library prints WANT, and nothing else.
counts() {
	local want=$1
	shift
	LD_LIBRARY_PATH=$LIBDIR bounded "$@" > "$T/out" 2> "$T/err" || { cat "$T/err"; return 1; }
	diff "$T/out" - <<< "$want"
	[ ! -s "$T/err" ]
}

@test "languages: Python counts through ctypes" {
	need_breakpoints
	need python3
	counts 1000 python3 calls.py "$LIBDIR/libopencpc.so.1"
}

@test "languages: Fortran counts by bind(C) interfaces" {
	need_breakpoints
	need gfortran
	program gfortran -O0 -Wall -Werror -J"$T" calls.f90
	counts 1000 "$T/program"
}

@test "languages: C++ counts, and ends the session with its scope" {
	need_breakpoints
	need "${CXX:-c++}"
	local standard
	for standard in c++11 c++14 c++17 c++20; do
		program "${CXX:-c++}" -std=$standard -Wall -Wextra -Werror -O1 -I"$LIBDIR/../include" calls.cc
		counts 1000 "$T/program"
	done
}

# has_regions COMMAND...: a client has 1000 calls in the region "steps", which is in the region "outer".
has_regions() {
	LD_LIBRARY_PATH=$LIBDIR CPC_REGIONS_FORMAT=json CPC_REGIONS_FILE=$T/regions bounded "$@" > "$T/out" 2> "$T/err" || { cat "$T/err"; return 1; }
	[ ! -s "$T/out" ] && [ ! -s "$T/err" ]
	run -0 jq -r '[.region, .calls, .cut, .open, .values[0].inclusive, .values[0].exclusive] | @csv' "$T/regions"
	[ "$output" = '"outer",1,0,0,1000,0
"steps",1,0,0,1000,1000' ]
	rm "$T/regions"
}

@test "languages: regions of Python" {
	need_breakpoints
	need python3 jq
	has_regions python3 regions.py "$LIBDIR/libopencpc.so.1"
}

@test "languages: regions of Fortran" {
	need_breakpoints
	need gfortran jq
	program gfortran -O0 -Wall -Werror -J"$T" "$LIBDIR/../include/opencpc.f90" regions.f90
	has_regions "$T/program"
}

@test "languages: regions of C++ end with their scopes" {
	need_breakpoints
	need "${CXX:-c++}" jq
	local standard
	for standard in c++98 c++11 c++20; do
		program "${CXX:-c++}" -std=$standard -Wall -Wextra -Werror -O1 -I"$LIBDIR/../include" regions.cc
		has_regions "$T/program"
	done
}

@test "languages: Rust counts by declarations of its own" {
	need_breakpoints
	need rustc
	rustc -O -L native="$LIBDIR" -o "$T/program" calls.rs
	counts 1000 "$T/program"
}
