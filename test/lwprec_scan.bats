# lwprec scan: the LWP instructions of ELF files, with their functions and lines.

bats_require_minimum_version 1.5.0

load helper

setup() {
	[ -x "$LWPREC" ] || skip 'lwprec is not built here'
	[ -x "$PROG/lwp_sample" ] || skip 'the test program is for x86-64'
}

# sites FILE: print address and instruction of each line of lwprec's text.
sites() { sed -E 's/^0x0*([0-9a-f]+)  (([^ ]+ ?)+[^ ]) .*/\1 \2/'; }

@test "scan: the same instructions as objdump, which decodes from the start of each section" {
	need objdump
	objdump -d "$PROG/lwp_sample" | awk -F '\t' '/[ls]lwpcb|lwpins|lwpval/ { sub(/^ */, "", $1); sub(/:$/, "", $1); print $1, $3 }' > "$T/want"
	[ "$(wc -l < "$T/want")" -ge 5 ]
	"$LWPREC" scan "$PROG/lwp_sample" | sites | diff "$T/want" -
}

@test "scan: functions and lines are those of the caller, not of the compiler's header" {
	"$LWPREC" scan "$PROG/lwp_sample" > "$T/out"
	cat "$T/out"
	local line
	line=$(grep -n '__lwpval32(' test/prog/lwp_sample.c | cut -d: -f1)
	grep -Eq " lwpval \\\$0xd1,.*  divide\+0x[0-9a-f]+  .*/lwp_sample.c:$line\$" "$T/out"
	grep -Eq ' lwpins \$0xb,.*  mark_begin\+0x' "$T/out"
	grep -Eq ' lwpins \$0xe,.*  mark_end\+0x' "$T/out"
}

@test "scan: a stripped program has sections in place of functions" {
	need strip
	strip -o "$T/stripped" "$PROG/lwp_sample"
	"$LWPREC" scan "$T/stripped" > "$T/out"
	diff <("$LWPREC" scan "$PROG/lwp_sample" | sites) <(sites < "$T/out")
	[ "$(grep -c '  \.text$' "$T/out")" -ge 5 ]
}

@test "scan: CSV and JSON have the same values" {
	need python3
	"$LWPREC" scan --format=csv "$PROG/lwp_sample" > "$T/csv"
	"$LWPREC" scan --format=json "$PROG/lwp_sample" > "$T/json"
	python3 - "$T/csv" "$T/json" <<-'END'
		import csv, json, sys
		rows = list(csv.DictReader(open(sys.argv[1])))
		lines = [json.loads(line) for line in open(sys.argv[2])]
		assert len(rows) == len(lines) >= 5
		for row, line in zip(rows, lines):
		    for key in ("address", "offset"):
		        line[key] = hex(line[key])
		    assert {k: "" if v is None else str(v) for k, v in line.items()} == row, (row, line)
		    assert row["section"] == ".text" and row["source"].endswith("/lwp_sample.c")
	END
}

@test "scan: code without sections, for a processor of 32 bits" {
	# An ELF header, one executable segment, and after a NOP: lwpins $0xcafe,%gs:0x14,%esp
	{
		printf '\177ELF\1\1\1\0\0\0\0\0\0\0\0\0\2\0\3\0\1\0\0\0\0\0\0\0\64\0\0\0\0\0\0\0\0\0\0\0\64\0\40\0\1\0\0\0\0\0\0\0'
		printf '\1\0\0\0\124\0\0\0\0\200\4\10\0\200\4\10\17\0\0\0\17\0\0\0\5\0\0\0\0\20\0\0'
		printf '\220\145\217\352\130\22\5\24\0\0\0\376\312\0\0'
	} > "$T/elf32"
	run -0 "$LWPREC" scan "$T/elf32"
	[[ $output =~ ^0x0000000008048001\ \ 'lwpins $0xcafe,%gs:0x14,%esp'\ +-$ ]]
}

@test "scan: several files; one that cannot be scanned does not stop the others" {
	: > "$T/empty"
	mkdir "$T/dir"
	echo text > "$T/text"
	head -c 100 "$PROG/lwp_sample" > "$T/cut"
	run -125 --separate-stderr "$LWPREC" scan "$T/none" "$T/empty" "$T/dir" "$T/text" "$T/cut" "$PROG/lwp_sample"
	echo "$stderr"
	[ "$(grep -c "^$PROG/lwp_sample: 0x" <<< "$output")" -ge 5 ]
	[[ $stderr == *"cannot scan $T/none: No such file"* ]]
	[[ $stderr == *"cannot scan $T/empty: it is not an ELF file"* ]]
	[[ $stderr == *"cannot scan $T/dir: Is a directory"* ]]
	[[ $stderr == *"cannot scan $T/text: it is not an ELF file"* ]]
	[[ $stderr == *"cannot scan $T/cut: its table of sections or segments is damaged"* ]]
}

@test "scan: a file without LWP instructions" {
	run -0 --separate-stderr "$LWPREC" scan "$PROG/load"
	[ -z "$output" ]
	[[ $stderr == *"$PROG/load has no LWP instructions" ]]
	run -0 --separate-stderr "$LWPREC" scan --quiet "$PROG/load"
	[ -z "$output$stderr" ]
	run -2 "$LWPREC" scan
	[[ $output == *'give the name of an ELF file'* ]]
}

@test "scan: names of C++ are shown as in the source, or with --mangled as the linker has them" {
	printf '%s\n' '.globl _Z4markv' '.type _Z4markv, @function' '_Z4markv: lwpins $1, %eax, %ecx' 'ret' \
		'.size _Z4markv, . - _Z4markv' > "$T/mark.s"
	"${CC:-cc}" -shared -nostdlib -o "$T/mark.so" "$T/mark.s"
	"$LWPREC" scan "$T/mark.so" | has '  mark()+0x0$' -
	"$LWPREC" scan --mangled "$T/mark.so" | has '  _Z4markv+0x0$' -
}
