# lwprec decode: recordings, rings, cores and processes as lines.

bats_require_minimum_version 1.5.0

load helper

setup() {
	[ -x "$LWPREC" ] || skip 'lwprec is not built here'
	cd "$T"
}

rings() { "$PROG/lwp_rings" "$@"; }

# decode ARGUMENT...: the records only, without notes.
decode() { "$LWPREC" decode -n --quiet "$@" 2> "$T/err"; }

@test "lwprec decode: text, CSV and JSON of a recording are as recorded" {
	local format
	rings recording > rec
	for format in text csv json; do
		"$LWPREC" --format=$format rec > "$T/$format" 2> "$T/err.$format"
		diff "$GOLDEN/lwprec_decode.$format" "$T/$format"
	done
	"$LWPREC" --all --format=csv rec 2> /dev/null | diff "$GOLDEN/lwprec_decode_all.csv" -
	diff - err.text <<-'END'
		lwprec: rec: ring 1: 2 events were missed because the ring was full
		lwprec: rec: ring 3: 4 of its 13 records are not in the file
		lwprec: /no/prog has no symbols: the file cannot be opened
	END
}

@test "lwprec decode: each line of JSON is an object, and the numbers are those of CSV" {
	need jq
	rings recording > rec
	decode --format=json rec > json
	jq -se 'all(type == "object") and (map(.record) | unique == ["event", "recording", "ring"])' json
	jq -r 'select(.record == "event") | [.ring, .index, .ip] | @csv' json | tr -d '"' > from_json
	decode --format=csv -F ring,index,ip rec > from_csv
	diff from_json from_csv
	[ "$(wc -l < from_csv)" -eq 40 ]
}

@test "lwprec decode: decode is the subcommand without a name; lwprec.core and standard input" {
	rings recording > lwprec.core
	decode lwprec.core > expected
	"$LWPREC" -n --quiet 2> /dev/null | diff expected -
	"$LWPREC" -n --quiet - < lwprec.core 2> /dev/null | diff expected -
	cat lwprec.core | "$LWPREC" -n --quiet - 2> /dev/null | diff expected -
	decode -o out lwprec.core
	diff expected out
}

@test "lwprec decode: a file that becomes shorter while it is read is an error, not a crash" {
	local line status=0
	rings raw 40000 > ring
	mkfifo lines
	start out bounded "$LWPREC" --raw -o lines ring
	exec 9< lines
	# lwprec waits until the pipe is read
	read -r line <&9
	: > ring
	cat <&9 > rest
	finish $! || status=$?
	exec 9<&-
	[ $status -eq 125 ]
	has 'lwprec: a file became shorter while it was read' out.err
}

@test "lwprec decode: an endless stream that is no core and no ring is not read on" {
	# AddressSanitizer reserves more than any limit.
	[ -n "$SANITIZE" ] || ulimit -v 2000000
	run -125 bounded "$LWPREC" /dev/zero
	[ "$output" = 'lwprec: cannot read /dev/zero: the file is not an ELF core file' ]
	run -125 bounded "$LWPREC" --raw /dev/zero
	[ "$output" = 'lwprec: cannot read /dev/zero: a ring has less than 256 MiB' ]
	run -125 "$LWPREC" ''
	[ "$output" = "lwprec: cannot open '': No such file or directory" ]
}

@test "lwprec decode --raw: a record that is cut short is missing" {
	rings raw 10 | head -c 300 > ring
	run -125 "$LWPREC" --strict --raw ring
	has "lwprec: ring: ring 1: 1 of its 10 records are not in the file" <(echo "$output")
	[ "$(decode --raw ring | wc -l)" -eq 9 ]
}

@test "lwprec decode: the usual columns and the same fields named give the same lines" {
	rings raw 20000 > ring
	decode --raw ring > usual
	decode --raw -F index,tid,core,event,ip,data2,data1,flags,detail ring | cut -c 11- | diff usual -
	[ "$(wc -l < usual)" -eq 20000 ]
	rings recording > rec
	decode rec > usual
	decode -F index,tid,core,event,ip,data2,data1,flags,detail,symbol rec | cut -c 11- | diff usual -
}

@test "lwprec decode --raw: with an LWPCB, with head and tail, and with neither" {
	rings raw 10 > ring
	rings block 10 > block
	decode --raw ring > all
	[ "$(wc -l < all)" -eq 10 ]
	decode --raw --lwpcb=block ring | diff all -
	# 11 slots of 32 bytes: from slot 8 to slot 2 over the end of the ring
	decode --raw --tail=256 --head=0x40 -F slot ring | tr -d ' ' | paste -sd ' ' > slots
	[ "$(cat slots)" = "8 9 10 0 1" ]
	decode --raw --lwpcb=block --tail=96 -F slot ring | tr -d ' ' | paste -sd ' ' > slots
	[ "$(cat slots)" = "3 4 5 6 7 8 9" ]
	decode --raw --lwpcb=block --head=0x40 -F slot ring | tr -d ' ' | paste -sd ' ' > slots
	[ "$(cat slots)" = "0 1" ]
	decode --raw --event-size=64 -F ip ring | tr -d ' ' > every_second
	awk 'NR % 2 { print $4 }' all | diff - every_second
	# a ring that is full of records, of which the head is not known
	head -c 320 ring > full
	decode --raw full | diff all -
}

@test "lwprec decode --raw: bad geometry is reported, and fails with --strict" {
	rings raw 10 > ring
	run -0 "$LWPREC" --raw --head=10000 --tail=0 ring
	[[ $output == *"ring 1: the head is outside the ring"* ]]
	run -125 "$LWPREC" --strict --quiet --raw --head=10000 --tail=0 ring
	[[ $output == *"ring 1: the head is outside the ring"* ]]
	run -0 "$LWPREC" --raw --head=64 --tail=17 ring
	[[ $output == *"the tail is not at the start of a record"* ]]
	run -0 "$LWPREC" --strict --raw --head=64 --tail=0 ring
	rings block 10 | head -c 60 > short
	run -125 "$LWPREC" --raw --lwpcb=short ring
	[[ $output == *"short has 60 bytes, and an LWPCB has at least 88"* ]]
	head -c 10 ring > tiny
	run -0 "$LWPREC" --raw --lwpcb=<(rings block 10) tiny
	[[ $output == *"10 of its 10 records are not in the file"* ]]
}

@test "lwprec decode --raw: what the LWPCB says of random bits and of intervals" {
	rings raw 10 > ring
	rings block 10 > block
	"$LWPREC" --raw --lwpcb=block ring > out
	lacks random out
	# The highest 4 bits of the size of the ring are how many bits are random.
	printf '\100' | dd of=block bs=1 seek=7 conv=notrunc status=none
	"$LWPREC" --raw --lwpcb=block ring 2>&1 | has ', 4 bits random' -
	need jq
	"$LWPREC" --raw --lwpcb=block --format=json --quiet ring | jq -sce '.[1].intervals == {val: 100, bre: 1000, dme: 10000}'
	# The intervals begin at another place, where that of ire was the first.
	"$LWPREC" --raw --lwpcb=block --event-offset=136 --format=json --quiet ring |
		jq -sce '.[1].intervals == {val: 1, bre: 10000, dme: 1}'
	run -0 "$LWPREC" --raw --lwpcb=block --event-offset=136 ring
	[[ $output == *'lwprec: ring: ring 1: reserved bits are set'* ]]
	run -0 "$LWPREC" --raw --lwpcb=block --event-offset=136 --quiet ring
	[[ $output != *reserved* ]]
}

@test "lwprec decode: records of threads whose LWPCB is not in the file, and the one that LWP has not stored" {
	rings states > rec
	run -0 --separate-stderr "$LWPREC" --format=csv -F state,tid,id rec
	diff - <(echo "$output") <<-'END'
		state,tid,id
		unread,1000,1
		unread,1000,2
		unread,1000,3
		unread,1000,4
		unread,1000,5
		pending,1000,6
	END
	diff - <(echo "$stderr") <<-'END'
		lwprec: rec: ring 1: its LWPCB is not in the file
		lwprec: rec: ring 2: it cannot hold a record: neither its LWPCB nor the state of its thread has a size of at least 32 bytes
	END
	run -125 "$LWPREC" --strict --quiet -n rec
	run -125 "$LWPREC" --strict --quiet -n --count rec
}

@test "lwprec decode: missed events and a ring that is cut short fail with --strict" {
	rings recording > rec
	run -125 "$LWPREC" --strict -n rec
	[[ $output == *"2 events were missed because the ring was full"* ]]
	[[ $output == *"ring 3: 4 of its 13 records are not in the file"* ]]
	run -125 "$LWPREC" --count --strict -n rec
	# what is there is printed: 4 records at the end of the cut ring are not
	decode --tid=1001 rec > cut
	[ "$(wc -l < cut)" -eq 9 ]
}

@test "lwprec decode --count: records by event, and with filters" {
	rings recording > rec
	decode --count --format=csv rec > counts
	awk -F, '{ n += $4 } END { exit n != 40 }' counts
	grep -qx '1,1000,dme,3' counts
	decode --count --event=dme --format=csv rec | diff - <(grep dme counts)
	"$LWPREC" --count --format=csv --quiet rec 2> err | diff <(echo ring,tid,event,records; cat counts) -
	# a ring that is alone in its file is of no thread
	rings raw 3 > ring
	"$LWPREC" --count --raw ring | diff - <(printf '%s\n' 'RING     TID EVENT      RECORDS' \
		'   1       - val              1' '   1       - ire              1' '   1       - bre              1')
	decode --count --format=json rec | jq -r '[.ring, .tid, .event, .records] | @csv' | tr -d '"' | diff - counts
}

# Each filter leaves the lines that awk leaves of the fields of all lines.
@test "lwprec decode: each filter" {
	local filter condition
	rings raw 4000 > ring
	local fields=id,core,ip,data1,data2,flags
	decode --raw --format=csv -F $fields ring | sed 's/0x\([0-9a-f]*\)/\1/g' > all
	while IFS='|' read -r filter condition; do
		decode --raw --format=csv -F $fields $filter ring | sed 's/0x\([0-9a-f]*\)/\1/g' > some
		awk -F, "function hex(s, n, i) {
				for (i = 1; i <= length(s); i++)
					n = 16 * n + index(\"123456789abcdef\", substr(s, i, 1))
				return n
			}
			{ flags = hex(\$6); top = int(flags / 4096); source = int(flags / 8192); ip = hex(\$3) }
			$condition" all > expected
		[ -s expected ] || { echo "nothing matches $filter"; return 1; }
		cmp some expected || { echo "$filter"; return 1; }
	done <<-'END'
		--event=bre|$1 == 3
		--event=val,77,INS|$1 == 1 || $1 == 77 || $1 == 255
		--core=1,3|$2 == 1 || $2 == 3
		--ip=0x401100-0x4011ff|ip >= 4198656 && ip <= 4198911
		--ip=0x401025|ip == 4198437
		--ip=0x401f00-|ip >= 4202240
		--flags=taken|$1 == 3 && top >= 8
		--flags=not-taken,fused|$1 == 3 && top < 8 && top % 2
		--flags=mispredicted|$1 == 3 && int(top / 2) % 4 == 1
		--flags=predicted|$1 == 3 && int(top / 2) % 4 == 3
		--flags=0x8001|top >= 8 && flags % 2
		--source=dram,remote|$1 == 4 && (source == 3 || source == 2)
		--source=4|$1 == 4 && source == 4
		--latency=500|$1 == 4 && $4 >= 500
		--latency=48-48|$1 == 4 && $4 == 48
		--address=0x7f0000000000-0x7f00000fffff|$1 == 4 && top % 2
		--event=dme --latency=500-600 --core=0|$1 == 4 && $4 >= 500 && $4 <= 600 && $2 == 0
	END
	rings recording > rec
	decode --tid=1001 -F tid rec | sort -u | grep -qx ' *1001'
	decode --module=prog -F ip rec | diff - <(decode -F ip rec)
	decode --module='/no/*' -F ip rec | diff - <(decode -F ip rec)
	[ -z "$(decode --module=other rec)" ]
	[ -z "$(decode --symbol='*' rec)" ]
}

@test "lwprec decode: symbols of a program, by name and by pattern" {
	rings self > rec
	decode --format=csv -F symbol,offset,module,data2 rec > csv
	diff - csv <<-END
		main,0x4,$PROG/lwp_rings,0x1
		write_self,0x8,$PROG/lwp_rings,0x2
	END
	decode -F symbol rec | diff - <(printf '%s\n' main+0x4 write_self+0x8)
	decode -F data2 --symbol='write_*' rec | grep -x ' *0x2'
	[ "$(decode -F data2 --module='lwp_r*' rec | wc -l)" -eq 2 ]
	decode --format=json rec | jq -r 'select(.symbol == "main").offset' | grep -x 0x4
}

@test "lwprec decode: thousands of addresses, each with its own symbol" {
	rings raw 4000 > ring
	decode --raw --format=csv -F ip ring > addresses
	[ "$(sort -u addresses | wc -l)" -gt 2000 ]
	# No file is mapped there: the symbol of an address is the address.
	decode --raw -F symbol ring | diff addresses -
}

# live N: start a process with a ring of N slots; $pid, $cb, and say WORDS, which is answered.
live() {
	mkfifo in
	"$PROG/lwp_rings" live "$1" < in > live.out 3>&- &
	started+=($!)
	exec 9> in
	pid=$(ready_pid live.out)
	cb=$(awk '/^ready/ { print $3 }' live.out)
}
say() {
	echo "$@" >&9
	local n=$((++said))
	until_true has_answers "$n"
}
has_answers() { [ "$(grep -c '^done' live.out)" -ge "$1" ]; }
has_lines() { [ "$(wc -l < "$2")" -ge "$1" ]; }

@test "lwprec decode -p: the ring of a running process" {
	live 64
	say store 40
	decode -p "$pid" --lwpcb="$cb" -F id,ip,data1 > now
	[ "$(wc -l < now)" -eq 40 ]
	rings raw 40 > ring
	decode --raw ring -F id,ip,data1 | diff now -
	say read 30
	decode -p "$pid" --lwpcb="$cb" -F id,ip,data1 | diff - <(tail -n 10 now)
	run -125 "$LWPREC" -p "$pid" --lwpcb=0x10
	[[ $output == *"it has no memory at 0x10, where an LWPCB was expected"* ]]
	kill -KILL "$pid"
	until_true is_gone "$pid"
	run -125 "$LWPREC" -p "$pid" --lwpcb="$cb"
}

@test "lwprec decode: a core of gcore is decoded as the live process is" {
	[ -z "$SANITIZE" ] || skip "cores of sanitized programs are too large"
	need gcore
	live 64
	say store 50
	say read 10
	decode -p "$pid" --lwpcb="$cb" > now
	gcore -o core "$pid" > said 2>&1 || skip "gcore cannot read a process here: $(tail -n 1 said)"
	decode --lwpcb="$cb" "core.$pid" | diff now -
	[ "$(wc -l < now)" -eq 40 ]
	run -125 "$LWPREC" "core.$pid"
	[[ $output == *"has no LWP ring"*"give it with --lwpcb" ]]
	run -125 "$LWPREC" --lwpcb=0x10 "core.$pid"
	[[ $output == *"it does not have the memory at address 0x10"* ]]
}

@test "lwprec decode: a core of the kernel is decoded as the ring was" {
	[ -z "$SANITIZE" ] || skip "sanitized programs leave no core"
	[ "$(cat /proc/sys/kernel/core_pattern)" = core ] || skip "the kernel writes cores elsewhere"
	ulimit -S -c unlimited 2> /dev/null || skip "cores are not allowed"
	printf '%s\n' 'store 50' 'read 10' abort > in
	run -134 "$PROG/lwp_rings" live 64 < in
	cb=${lines[0]##* }
	rings raw 50 > ring
	decode --raw -F id,ip,data1 ring | tail -n 40 > expected
	decode --lwpcb="$cb" -F id,ip,data1 core* | diff expected -
	decode --lwpcb="$cb" --format=json core* | jq -r 'select(.record == "recording").program' | grep -x "$PROG/lwp_rings"
}

@test "lwprec decode: readelf lists the notes of a recording, and gdb opens it" {
	need readelf
	rings self > rec
	readelf -nW rec > notes 2>&1
	has 'CORE .*NT_PRSTATUS' notes
	has 'CORE .*NT_PRPSINFO' notes
	has 'CORE .*NT_AUXV' notes
	has 'CORE .*NT_FILE' notes
	has 'OpenCPC .*0x4c570001' notes
	need gdb
	rings recording > rec
	gdb -batch -nx -ex 'info threads' -ex 'x/4gx 0x7f0000100000' -c rec > said 2>&1
	has "^Core was generated by .\./prog  -x'" said
	[ "$(grep -c 'LWP 100[01] *0x0*' said)" -eq 2 ]
	# slot 0: LWPVAL with these flags and operands
	has '^0x7f0000100000:	0x00000400d0200001	0x00000000004014a0' said
}

@test "lwprec decode --follow: all records, over the end of the ring" {
	live 64
	say store 40
	start followed "$LWPREC" -n -p "$pid" --lwpcb="$cb" --follow -F index,id,ip 9>&-
	until_true has_lines 40 followed
	local i lines=40
	for i in 1 2 3 4 5; do
		say read 30
		say store 30
		lines=$((lines + 30))
		until_true has_lines "$lines" followed
	done
	kill -TERM "$!"
	finish "$!"
	rings raw 190 > ring
	decode --raw ring -F index,id,ip | diff followed -
	[ ! -s followed.err ]
}

@test "lwprec decode --follow --consume: gives slots back, and LWP misses nothing" {
	live 16
	start followed "$LWPREC" -n -p "$pid" --lwpcb="$cb" --follow --consume -F index,id,ip 9>&-
	local i
	for i in 1 2 3 4; do
		say store 15
		until_true has_lines $((15 * i)) followed
		until_true is_empty
	done
	exec 9>&-
	finish "$!"
	rings raw 60 > ring
	decode --raw ring -F index,id,ip | diff followed -
	has 'the process has ended' followed.err
	lacks missed followed.err
}
is_empty() { [ -z "$(decode -p "$pid" --lwpcb="$cb")" ]; }

@test "lwprec decode --follow: what is missed, and records that were written over, are reported" {
	live 16
	start followed "$LWPREC" -n -p "$pid" --lwpcb="$cb" --follow -F index 9>&-
	local follower=$!
	say store 20
	until_true has '5 events were missed' followed.err
	until_true has_lines 15 followed
	kill -STOP "$follower"
	until_true stopped "$follower"
	say read 15
	say store 15
	say read 15
	say store 15
	kill -CONT "$follower"
	until_true has 'LWP has gone round the ring' followed.err
	kill -INT "$follower"
	finish "$follower"
}
stopped() { [ "$(proc_state "$1")" = T ]; }

@test "lwprec decode: bad use" {
	local arguments
	rings raw 2 > ring
	while read -r arguments; do
		run -2 "$LWPREC" decode $arguments
		[ "${#lines[@]}" -ge 3 ]
		[[ $output == *"Try 'lwprec decode -h'."* ]] || { echo "$arguments"; return 1; }
	done <<-'END'
		--raw -p 1 ring
		--head=3 ring
		--raw --head=x ring
		--raw --head=-1 ring
		--raw --event-size=31 ring
		--raw --event-size=256 ring
		--raw --event-offset=80 ring
		--raw --lwpcb=block --lwpcb=block ring
		-p 1
		-p 1 --lwpcb=block
		-p 1 --lwpcb=1 ring
		ring ring
		--raw -F ipp ring
		--raw -F ip,ip ring
		--count --all --raw ring
		--event=foo --raw ring
		--event=256 --raw ring
		--flags=up --raw ring
		--source=l9 --raw ring
		--ip=5-4 --raw ring
		--core=999 --raw ring
		--tid=x --raw ring
		--format=xml --raw ring
		--unknown
		--follow ring
		-p 1 --lwpcb=1 --consume
		-p 1 --lwpcb=1 --follow --count
	END
	run -2 "$LWPREC" decode -F symbl ring
	[[ $output == *"-F: 'symbl' is not a field, or is there twice; did you mean 'symbol'?"* ]]
	run -2 "$LWPREC"
	[[ $output == *"give the name of a file, or a subcommand"* ]]
}

@test "lwprec decode: a file that is no recording, is empty or is not there" {
	echo text > text
	run -125 "$LWPREC" text
	[ "$output" = "lwprec: cannot read text: the file is not an ELF core file" ]
	run -125 "$LWPREC" /bin/true
	[[ $output == *"cannot read /bin/true: the ELF file is not a core file" ]] ||
		[[ $output == *"is not of x86-64"* ]]
	: > empty
	run -125 "$LWPREC" empty
	run -125 "$LWPREC" missing
	[[ $output == *"cannot open 'missing': No such file or directory"* ]]
	run -125 "$LWPREC" .
	rings raw 1 > ring
	run -125 "$LWPREC" ring
	# a file of the kernel, which cannot be mapped
	run -125 "$LWPREC" /sys/devices/system/cpu/online
	[[ $output == *"the file is not an ELF core file" ]]
}

@test "lwprec decode: a reader that goes away is no error, a full disk is" {
	rings raw 20000 > ring
	run -0 bash -c "'$LWPREC' --raw ring | head -n 1"
	[ -w /dev/full ] || skip "needs /dev/full"
	run -125 bash -c "'$LWPREC' --raw ring > /dev/full"
	[[ $output == *"cannot write to standard output: No space left on device"* ]]
}

@test "lwprec: help and version, before and after a subcommand" {
	run -0 "$LWPREC" -h
	[[ $output == *"report    show where events happened"* ]]
	run -0 "$LWPREC" --version
	[[ $output == "lwprec (OpenCPC) "* ]]
	local command
	for command in annotate caps decode diff record report scan; do
		run -0 "$LWPREC" $command --help
		[[ $output == *"lwprec "*"$command"* ]]
		run -0 "$LWPREC" $command --version
		run -2 "$LWPREC" $command --no-such-option
	done
}
