# lwprec caps: registers of this machine, or given ones, as text, CSV and JSON.

bats_require_minimum_version 1.5.0

load helper

# A processor with all of version 1 and two later features, some of which the system has not made available.
LEAVES=(--cpuid=8000_0001=0,0,8000,0 --cpuid=8000_001C=8000001f,80062016,f001032a,e000007f
	--cpuid=d=7,340,3c0,40000000 --cpuid=D.62=80,340,0,0)

setup() { [ -x "$LWPREC" ] || skip 'lwprec is not built here'; }

# value NAME: print a value of the CSV in $T/csv.
value() { sed -n "s/^$1,//p" "$T/csv"; }

@test "caps: all that CPUID says" {
	run -0 "$LWPREC" caps "${LEAVES[@]}"
	diff - <(echo "$output") <<-'END'
		the processor has LWP         yes
		XSAVE can save its state      yes
		the system has enabled it     yes
		version                       1
		features of the processor     val,ire,bre,dme,cnh,rnh,cont,ptsc,int
		features that are available   val,ire,bre,dme,int
		greatest id of an event       6
		bytes of a record             32
		bytes of the smallest ring    1024
		bytes of an LWPCB             176
		offset of its intervals       128
		DME records have addresses    yes
		step of latencies, cycles     16
		greatest latency, cycles      1008
		filter by latency             yes
		filter by source of data      yes
		filter by branch prediction   yes
		filter by address             yes
		bytes of its state            128
		offset of its state           832
	END
}

@test "caps: CSV and JSON have the same values, and say which are not known" {
	need python3
	"$LWPREC" caps "${LEAVES[@]}" --cfg=0xff03e000000e --format=csv > "$T/csv"
	"$LWPREC" caps "${LEAVES[@]}" --cfg=0xff03e000000e --format=json > "$T/json"
	[ "$(value cfg_available)" = '"val,ire,bre,cont,ptsc,int"' ]
	[ "$(value cfg_core)" = 3 ]
	[ "$(value cfg_vector)" = 255 ]
	[ "$(value cbaddr)" = '' ]
	python3 - "$T/csv" "$T/json" <<-'END'
		import csv, json, sys
		rows = {r["name"]: r["value"] for r in csv.DictReader(open(sys.argv[1]))}
		lines = open(sys.argv[2]).read().splitlines()
		assert len(lines) == 1
		def text(v):
		    return "" if v is None else "yes" if v is True else "no" if v is False else str(v)
		values = {k: text(v) for k, v in json.loads(lines[0]).items()}
		assert values == rows, (values, rows)
		assert len(rows) == 25, len(rows)
		assert rows["record_bytes"] == "32" and rows["processor"] == "yes"
	END
}

@test "caps: what is not available is said, with the bit" {
	run -0 "$LWPREC" caps --cpuid=80000001=0,0,0,0
	[[ $output == *'has no LWP: bit 15 of ECX of CPUID 8000_0001 is 0.'* ]]
	run -0 "$LWPREC" caps --cpuid=80000001=0,0,8000,0 --cpuid=d=0,0,0,0
	[[ $output == *'cannot enable LWP: bit 30 of EDX of CPUID D is 0.'* ]]
	run -0 "$LWPREC" caps "${LEAVES[@]}" --cpuid=8000001c=0,80062016,f001032a,e000007f
	[[ $output == *'has not enabled LWP: bit 62 of XCR0 is 0'* ]]
	# Nothing is concluded from registers that are not given.
	run -0 "$LWPREC" caps --cpuid=d=0,0,0,0
	[ "$output" = 'XSAVE can save its state      no' ]
}

@test "caps: leaves have the spellings of manuals and of programs" {
	local leaf
	for leaf in 8000_001c 8000_001C 0x8000001c 8000001C; do
		"$LWPREC" caps --format=csv --cpuid=$leaf=0,0x80062016,0xF001032A,7f > "$T/csv"
		[ "$(value event_offset)" = 128 ]
	done
	for leaf in d.62 0000_000D.62 0xd.62; do
		"$LWPREC" caps --format=csv --cpuid=$leaf=80,340,0,0 > "$T/csv"
		[ "$(value state_offset)" = 832 ]
	done
}

@test "caps: MSRs of a file" {
	# LWP_CFG and LWP_CBADDR are at their numbers.
	truncate -s $((0xc0000107 + 7)) "$T/msr" || skip 'no file of 3 GiB can be made'
	printf '\016\0\0\340\003\377\0\0' | dd of="$T/msr" bs=1 seek=$((0xc0000105)) conv=notrunc status=none
	"$LWPREC" caps "${LEAVES[@]}" --msr="$T/msr" --format=csv > "$T/csv"
	[ "$(value cfg)" = 0xff03e000000e ]
	[ -n "$(value cbaddr)" ]
	run -125 "$LWPREC" caps "${LEAVES[@]}" --msr="$T/none"
	[[ $output == *"cannot read the MSRs of LWP from $T/none: No such file"* ]]
	: > "$T/empty"
	run -125 "$LWPREC" caps "${LEAVES[@]}" --msr="$T/empty"
}

@test "caps: this machine" {
	"$LWPREC" caps --quiet --format=csv > "$T/csv"
	if grep -qw lwp /proc/cpuinfo; then
		[ "$(value processor)" = yes ]
	else
		[ "$(value processor)" != yes ]
		run -0 --separate-stderr "$LWPREC" caps
		[[ $output$stderr == *'no LWP'* ]]
	fi
}

@test "caps: bad use is refused with a reason" {
	local text
	for text in 8000001d=0,0,0,0 8000001c 8000001c=0,0,0 8000001c=0,0,0,0,0 8000001c=0,0,0, 8000001c=0,0,0,x \
		8000001c=0,0,0,-1 8000001c=0,0,0,100000000 =0,0,0,0; do
		run -2 "$LWPREC" caps --cpuid="$text"
		echo "$output"
		[[ $output == *--cpuid:* ]]
	done
	run -2 "$LWPREC" caps --cfg=1g
	[[ $output == *"--cfg: '1g' is not a number"* ]]
	run -2 "$LWPREC" caps more
	[[ $output == *"caps takes no operand, but there is 'more'"* ]]
}
