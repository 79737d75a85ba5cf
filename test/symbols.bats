# Names, lines and inlined functions of addresses: lib/symbols, by the program symbolize.

bats_require_minimum_version 1.5.0

load helper

SOURCES=$BATS_TEST_DIRNAME/prog/symbols
SYMBOLIZE=$PROG/symbolize

setup() {
	[ -x "$SYMBOLIZE" ] || skip 'symbolize is not built'
	cd "$T"
}

# needs COMMAND: skip the test if there is no such command.
needs() {
	command -v "$1" >/dev/null || skip "$1 is not installed"
}

# agrees FILE [DEBUG FILE]: the frames of random addresses agree with the other programs.
agrees() {
	needs addr2line
	needs llvm-symbolizer
	needs python3
	run -0 "$BATS_TEST_DIRNAME/symbols.py" "$SYMBOLIZE" "$1" "${SYMBOLS_ADDRESSES:-2000}" "${@:2}"
	echo "# $BATS_TEST_DESCRIPTION: $output" >&3
}

# address FILE NAME: the address of a symbol in the file.
address() {
	nm "$1" | awk -v name="$2" '$3 == name { print $1 }'
}

# code FILE ADDRESS [OPTION]: the frames of an address, in one line.
code() {
	echo "$2" | "$SYMBOLIZE" ${3+"$3"} "$1" | paste -sd ' '
}

# run_live PROGRAM: start the program, which prints its addresses to the file live.
run_live() {
	start live "$1"
	live=$!
	until_true grep -q '^ready$' live
}

# live_address NAME: an address that the program has printed.
live_address() {
	awk -v name="$1" '$1 == name { print $2 }' live
}

# live_code ADDRESS: the frames of an address of the process, in one line.
live_code() {
	echo "$1" | "$SYMBOLIZE" -p "$live" | paste -sd ' '
}

@test "symbols: C with debug information agrees with addr2line and llvm-symbolizer" {
	cc -O2 -g -static -no-pie -o c "$SOURCES/names.c"
	agrees "$T/c"
}

@test "symbols: a C++ program at any address (PIE) agrees" {
	needs clang++
	clang++ -O2 -g -pie -fPIE -o cc "$SOURCES/names.cc"
	agrees "$T/cc"
}

@test "symbols: a program of Go agrees" {
	needs go
	HOME=$T GOCACHE=$T/cache GOFLAGS=-p=1 go build -o go "$SOURCES/names.go"
	agrees "$T/go"
}

@test "symbols: a program of Rust agrees" {
	needs rustc
	rustc -O -g -o rust "$SOURCES/names.rs" || skip 'rustc cannot link'
	agrees "$T/rust"
}

@test "symbols: a stripped program with a separate file agrees" {
	needs clang++
	clang++ -O2 -g -o both "$SOURCES/names.cc"
	objcopy --only-keep-debug both both.debug
	objcopy --strip-all --add-gnu-debuglink=both.debug both stripped
	mkdir .debug
	mv both.debug .debug
	mv stripped both
	agrees "$T/both" "$T/.debug/both.debug"
}

@test "symbols: the C library agrees, with its separate file" {
	lib=$(ldd /bin/sh | awk '/libc\.so/ { print $3 }')
	[ -f "$lib" ] || skip 'there is no C library'
	id=$(readelf -n "$lib" | awk '/Build ID/ { print $3 }')
	debug=/usr/lib/debug/.build-id/${id:0:2}/${id:2}.debug
	[ -f "$debug" ] || skip 'libc6-dbg is not installed'
	agrees "$lib" "$debug"
}

@test "symbols: functions, inlined functions and lines" {
	cc -O2 -g -o prog "$SOURCES/names.c"
	line=$(grep -n 'return twice' "$SOURCES/names.c" | cut -d: -f1)
	start=$(address prog counted_function)
	for ((i = 0; i < 64; i++)); do
		printf '%x\n' $((0x$start + i))
	done | "$SYMBOLIZE" prog > out
	grep -A3 '^twice' out | paste -sd ' ' | grep -qE "^twice .*/names.c:[0-9]+ counted_function .*/names.c:$line"
	[ "$(code prog "$start" -s)" = 'counted_function ??:0 ' ]
}

@test "symbols: without a symbol table, a file found by its build id names all" {
	cc -O2 -g -Wl,--build-id -o prog "$SOURCES/names.c"
	start=$(address prog compare)
	id=$(readelf -n prog | awk '/Build ID/ { print $3 }')
	mkdir -p "cache/$id"
	objcopy --only-keep-debug prog "cache/$id/debuginfo"
	strip prog
	[ "$(code prog "$start" -s)" = '?? ??:0 ' ]
	[ "$(DEBUGINFOD_CACHE_PATH=$T/cache code prog "$start" -s)" = 'compare ??:0 ' ]
	[[ $(DEBUGINFOD_CACHE_PATH=$T/cache code prog "$start") == "compare"*names.c:* ]]
	# the file of another program
	cc -O2 -g -DOTHER -Wl,--build-id=0x1234 -o "cache/$id/debuginfo" "$SOURCES/names.c"
	[ "$(DEBUGINFOD_CACHE_PATH=$T/cache code prog "$start" -s)" = '?? ??:0 ' ]
}

@test "symbols: a separate file is used only if its CRC is right" {
	cc -O2 -g -Wl,--build-id=none -o prog "$SOURCES/names.c"
	start=$(address prog compare)
	objcopy --only-keep-debug prog prog.debug
	objcopy --strip-all --add-gnu-debuglink=prog.debug prog
	[ "$(code prog "$start" -s)" = 'compare ??:0 ' ]
	printf x >> prog.debug
	[ "$(code prog "$start" -s)" = '?? ??:0 ' ]
	rm prog.debug
	[ "$(code prog "$start" -s)" = '?? ??:0 ' ]
}

# with_error ERRNO NTH: print the name of compare() in prog; the NTH file cannot be opened.
with_error() {
	offset=$((16#$(address "$SYMBOLIZE" main) - 16#$(address "$SYMBOLIZE" _start)))
	echo "$start" | "$PROG/failcall" -m "$offset" -f "openat.file:$2:$1:skip" report "$SYMBOLIZE" -s prog | paste -sd ' '
}

@test "symbols: a separate file that cannot be opened is reported, and one that does not exist is not" {
	[ -x "$PROG/failcall" ] || skip 'failcall is not built here'
	cc -O2 -g -Wl,--build-id=none -o prog "$SOURCES/names.c"
	start=$(address prog compare)
	objcopy --only-keep-debug prog prog.debug
	objcopy --strip-all --add-gnu-debuglink=prog.debug prog
	local nth
	# The program is opened first, maybe after files of the C library.
	for nth in 1 2 3 4; do
		run -0 --separate-stderr with_error 24 "$nth"
		[[ $stderr != *'debug information cannot be opened'* ]] || break
	done
	[ "$output" = '?? ??:0 ' ]
	[[ $stderr == *'prog'*': a file of its debug information cannot be opened'* ]]
	run -0 --separate-stderr with_error 2 "$nth"
	[ "$output" = '?? ??:0 ' ] && [ -z "$stderr" ]
}

@test "symbols: MiniDebugInfo" {
	needs xz
	cc -O2 -o prog "$SOURCES/names.c"
	start=$(address prog compare)
	objcopy --only-keep-debug prog mini
	xz mini
	objcopy --strip-all --add-section .gnu_debugdata=mini.xz prog
	[ "$(code prog "$start")" = 'compare ??:0 ' ]
	head -c 100 mini.xz > cut.xz
	objcopy --update-section .gnu_debugdata=cut.xz prog
	run -0 --separate-stderr code prog "$start"
	[ "$output" = '?? ??:0 ' ]
	[[ $stderr == *'.gnu_debugdata is malformed'* ]]
}

@test "symbols: the PLT" {
	for flags in -Wl,-z,lazy -Wl,-z,now -fcf-protection=full; do
		cc -O2 "$flags" -o prog "$SOURCES/names.c" || continue
		objdump -d -j .plt -j .plt.sec -j .plt.got prog 2> /dev/null |
			awk '/<.*@plt>:$/ { print $1, substr($2, 2, length($2) - 3) }' > plt
		grep qsort plt
		while read -r start name; do
			[ "$(code prog "$start")" = "$name ??:0 " ]
		done < plt
	done
}

@test "symbols: names of C++ are demangled" {
	needs clang++
	clang++ -O2 -o prog "$SOURCES/names.cc"
	start=$(address prog _ZNK6shapes6circle4areaEd)
	[ "$(code prog "$start")" = 'shapes::circle::area(double) const ??:0 ' ]
	[ "$(code prog "$start" -m)" = '_ZNK6shapes6circle4areaEd ??:0 ' ]
}

@test "symbols: variables by address, also those that start as zeros" {
	for flags in -no-pie -pie; do
		cc -O2 -fPIE "$flags" -o prog "$SOURCES/names.c"
		for name in counted_variable zero_variable hidden_variable; do
			printf '%x\n' $((0x$(address prog "$name") + 2)) > in
			[ "$("$SYMBOLIZE" -d prog < in)" = "$name+2" ]
		done
		printf '%x\n' $((0x$(address prog zero_variable) + 511 * 8)) > in
		[ "$("$SYMBOLIZE" -d prog < in)" = "zero_variable+4088" ]
		[ "$("$SYMBOLIZE" -d prog <<< 5)" = '??' ]
	done
}

@test "symbols: functions and variables by name, with the nearest name" {
	cc -O2 -o prog "$SOURCES/names.c"
	printf '%s\n' counted_function hidden_variable count_function thread_variable xyzzy > in
	"$SYMBOLIZE" -n prog < in > out
	function=$(nm -S prog | awk '$4 == "counted_function" { print $1, $2 }')
	read -r start size <<< "$function"
	[ "$(sed -n 1p out)" = "$(printf 'counted_function %#x %d' "0x$start" "0x$size")" ]
	[[ $(sed -n 2p out) == 'hidden_variable '*' 4' ]]
	[ "$(sed -n 3p out)" = "? did you mean 'counted_function'?" ]
	# each thread has its own
	[ "$(sed -n 4p out)" = 'thread_variable thread-local 4' ]
	[[ $(sed -n 5p out) == '?'* ]]
}

@test "symbols: a live process, its vDSO and its mapped files" {
	cc -O2 -g -o prog "$SOURCES/live.c"
	run_live "$T/prog"
	line=$(grep -n '^__attribute__.*live_function' "$SOURCES/live.c" | cut -d: -f1)
	[[ $(live_code "$(live_address live_function)") == "live_function "*"/live.c:$((line + 1)) " ]] ||
		[[ $(live_code "$(live_address live_function)") == "live_function "*"/live.c:$((line + 2)) " ]]
	vdso=$(awk '/_gettimeofday/ { print $1 }' live)
	[ -n "$vdso" ] || skip 'this machine has no vDSO'
	[ "$(live_code "$(live_address "$vdso")")" = "$vdso ??:0 " ]
}

@test "symbols: code of a JIT compiler has the names of perf-PID.map" {
	cc -O2 -o prog "$SOURCES/live.c"
	run_live "$T/prog"
	map=/tmp/perf-$live.map
	start=$((0x$(live_address memory)))
	at() { printf '%x' $((start + $1)); }
	[ "$(live_code "$(at 20)")" = '?? ??:0 ' ]
	printf '%x %x %s\n' $((start + 16)) 16 first_compiled $((start + 32)) 8 'Class::method with blanks' \
		$((start + 16)) 4 compiled_again > "$map"
	# names, also with blanks; the line that was written last counts; between and behind the functions
	result=
	for i in 15 16 19 20 31 32 39 40; do
		result+="$i $(live_code "$(at $i)")
"
	done
	# a file that others could have written is not read
	mv "$map" "$T/names" && ln -s "$T/names" "$map"
	result+="link $(live_code "$(at 32)")"
	rm "$map"
	echo "$result"
	[ "$result" = '15 ?? ??:0 
16 compiled_again ??:0 
19 compiled_again ??:0 
20 first_compiled ??:0 
31 first_compiled ??:0 
32 Class::method with blanks ??:0 
39 Class::method with blanks ??:0 
40 ?? ??:0 
link ?? ??:0 ' ]
}

@test "symbols: a file that was deleted or replaced while it was mapped" {
	cc -O2 -g -o prog "$SOURCES/live.c"
	run_live "$T/prog"
	rm prog
	start=$(live_address live_function)
	run -0 --separate-stderr live_code "$start"
	if head -c 4 "/proc/$live/map_files/"* > /dev/null 2>&1; then
		[[ $output == "live_function "*"/live.c:"* ]]
	else
		[ "$output" = '?? ??:0 ' ]
		[[ $stderr == *"prog (deleted): the file was deleted"* ]]
	fi
	# another program with the same name
	cc -O2 -g -o prog "$SOURCES/names.c"
	[ "$(live_code "$start" 2> /dev/null)" = "$output" ]
}

@test "symbols: paths are looked up in another root folder" {
	cc -O2 -g -Wl,--build-id -o prog "$SOURCES/names.c"
	start=$(address prog compare)
	id=$(readelf -n prog | awk '/Build ID/ { print $3 }')
	mkdir -p root/opt/app root/usr/lib/debug/opt/app "root/usr/lib/debug/.build-id/${id:0:2}"
	in_root() { echo "$start" | "$SYMBOLIZE" -r "$T/root" "$@" /opt/app/prog | paste -sd ' '; }
	cp prog root/opt/app
	[[ $(in_root) == "compare "*names.c:* ]]
	objcopy --only-keep-debug prog prog.debug
	objcopy --strip-all --add-gnu-debuglink=prog.debug prog root/opt/app/prog
	[ "$(in_root)" = '?? ??:0 ' ]
	cp prog.debug root/usr/lib/debug/opt/app
	[[ $(in_root) == "compare "*names.c:* ]]
	mv root/usr/lib/debug/opt/app/prog.debug "root/usr/lib/debug/.build-id/${id:0:2}/${id:2}.debug"
	[[ $(in_root) == "compare "*names.c:* ]]
	[ "$(in_root -s)" = 'compare ??:0 ' ]
}

@test "symbols: the PLT of arm64" {
	needs clang
	needs ld.lld
	needs llvm-objdump
	printf '%s\n' 'int first(int), second(int), third(int);' 'int f(int x) { return first(x) + second(x) + third(x); }' > plt.c
	for flags in -mbranch-protection=none '-mbranch-protection=bti -Wl,-z,force-bti'; do
		# shellcheck disable=SC2086 # a list
		clang --target=aarch64-linux-gnu -O2 -fPIC -nostdlib -shared -fuse-ld=lld $flags -o arm.so plt.c
		llvm-objdump -d -j .plt arm.so | awk '/<.*@plt>:$/ { print $1, substr($2, 2, length($2) - 3) }' > plt
		[ "$(wc -l < plt)" -eq 3 ]
		while read -r start name; do
			[ "$(code arm.so "$start")" = "$name ??:0 " ]
			[ "$(code arm.so "$(printf %x $((0x$start + 12)))")" = "$name ??:0 " ]
		done < plt
	done
}

# frames FILE START: the frames of each of the 48 bytes from an address on.
frames() {
	for ((i = 0; i < 48; i++)); do
		printf '%x\n' $((0x$2 + i))
	done | "$SYMBOLIZE" "$1"
}

@test "symbols: debug information that is split from the program (.dwo)" {
	cc -O2 -g -o whole "$SOURCES/names.c"
	start=$(address whole counted_function)
	frames whole "$start" > before
	grep -A3 '^twice' before | paste -sd ' ' | grep -qE '^twice .*/names.c:[0-9]+ counted_function .*/names.c:[0-9]+'
	for version in 4 5; do
		cc -O2 -g -gdwarf-$version -gsplit-dwarf -o split "$SOURCES/names.c"
		[ "$(address split counted_function)" = "$start" ]
		ls ./*.dwo
		frames split "$start" > after
		cmp before after
		# without the file, functions and lines are known, but not what is inlined
		rm ./*.dwo
		frames split "$start" > after
		grep -q '^counted_function' after
		run ! grep '^twice' after
	done
}

@test "symbols: debug information that dwz has moved to a common file" {
	needs dwz
	for name in one two; do
		cc -O2 -g -DNAME="$name" -o $name "$SOURCES/names.c"
	done
	start=$(address one counted_function)
	frames one "$start" > before
	grep -qx twice before
	dwz -m common one two
	readelf -SW one | grep -q gnu_debugaltlink
	frames one "$start" > after
	cmp before after
}

@test "symbols: debug information that is compressed as older programs have it (.zdebug_info)" {
	cc -O2 -g -o prog "$SOURCES/names.c"
	objcopy --compress-debug-sections=zlib-gnu prog old
	readelf -SW old | has ' .zdebug_info ' - || skip 'objcopy does not write .zdebug_info'
	start=$(address prog compare)
	[[ $(code prog "$start") == "compare"*names.c:* ]]
	[ "$(code old "$start")" = "$(code prog "$start")" ]
}

@test "symbols: a damaged .dwo file gives no lines, and the symbols remain" {
	cc -O2 -g -gsplit-dwarf -c -o split.o "$SOURCES/names.c"
	cc -o split split.o
	start=$(address split compare)
	[[ $(code split "$start") == "compare"*names.c:* ]]
	# a table of abbreviations that does not end
	objcopy --dump-section .debug_abbrev.dwo=abbrev split.dwo copy.dwo
	printf '\001\021' >> abbrev
	objcopy --update-section .debug_abbrev.dwo=abbrev split.dwo
	run -0 --separate-stderr code split "$start"
	[ "$output" = 'compare ??:0 ' ]
	[[ $stderr == *'split: the debug information is malformed' ]]
}
