# --machine and --set: the machine that is simulated, chosen and changed at run time.

bats_require_minimum_version 1.5.0
load helper

setup() {
	local dir=${CPC_SIM_DIR:-$(dirname "$PERFEX")/../sim}
	cd "$T"
	[ -x "$dir/cpcsim-launch" ] && [ -x "$dir/cpcsim-amd64-linux" ] || skip 'the simulator is not built here'
}

# count EVENT OPTION...: print perfex' count of an event of sim-known, which is static and needs no C library.
count() {
	event=$1
	shift
	"$PERFEX" --quiet --format=csv -e "$event" -o out "$@" "$PROG/sim-known" >/dev/null || return
	awk -F, 'NR == 2 { print $8 }' out
}

@test "every machine is printed, and read again as the same machine" {
	"$CPUTRACK" --machine=list >all
	grep -q '^native  *the caches of this machine, the rest generic$' all
	grep -v '^native ' all >list
	[ "$(wc -l <list)" -eq "$(ls "$BATS_TEST_DIRNAME"/../events/*.machine | wc -l)" ]
	while read -r name title; do
		"$PERFEX" --machine="$name" >"$name.machine"
		cmp "$name.machine" "$BATS_TEST_DIRNAME/../events/$name.machine"
		grep -qF "machine $name \"$title\"" "$name.machine"
		"$CPUTRACK" --machine="./$name.machine" | cmp - "$name.machine"
	done <list
}

@test "a changed machine is printed, saved, and counts the same" {
	"$PERFEX" --machine=r10000 --set=l2.size=64K --set=waypred=0 --set=l2.repl=lru --set=l2.ways=4 >my.machine
	grep -q '^l2.size  *64K  *# changed by --set$' my.machine
	run -0 --separate-stderr "$PERFEX" -a --machine=./my.machine "$PROG/sim-known"
	file=$stderr
	run -0 --separate-stderr "$PERFEX" -a --machine=r10000 --set=l2.size=64K --set=waypred=0 --set=l2.repl=lru \
		--set=l2.ways=4 "$PROG/sim-known"
	hash=$(sed -n 's/.*simulated: .*, hash \([0-9a-f]*\)) .*/\1/p' <<<"$stderr")
	[ ${#hash} -eq 16 ]
	[[ "$file" == *"model of R10000 196 MHz (./my.machine, hash $hash) fed"* ]]
	[[ "$stderr" == *"(r10000 with l2.size=64K, waypred=0, l2.repl=lru, l2.ways=4, hash $hash)"* ]]
	diff <(grep '^ *[0-9]' <<<"$file") <(grep '^ *[0-9]' <<<"$stderr")
}

@test "the default machine and --machine of it count the same, and other machines differ" {
	"$PERFEX" -a --engine=sim --quiet -o plain "$PROG/sim-known"
	"$PERFEX" -a --machine=r10000 --quiet -o chosen "$PROG/sim-known"
	cmp plain chosen
	"$PERFEX" -a --machine=itanium2 --quiet -o other "$PROG/sim-known"
	! cmp -s plain other
	# what depends on the instructions alone is the same
	[ "$(count GRAD_INST)" = "$(count GRAD_INST --machine=itanium2)" ]
	[ "$(count insn)" = "$(count insn --machine=ultrasparc2)" ]
}

@test "a smaller cache has more misses; events of all tables are counted on the machine" {
	for size in 4K 32K; do
		"$PERFEX" --quiet --format=csv -e us3::DC_rd_miss -o "$size" --machine=generic --set=d1.size=$size \
			--set=d1.ways=4 gzip -kc "$PROG/nop" >/dev/null
	done
	[ "$(awk -F, 'NR == 2 { print $8 }' 4K)" -gt "$(awk -F, 'NR == 2 { print $8 }' 32K)" ]
	# tables of several processors, and names of the model, in one run
	run -0 --separate-stderr "$CPUTRACK" -T0 --machine=generic --set=l2.size=2M \
		-c us3::DC_rd_miss,us12::EC_ref,r12000::CYCLES,d1_rd_miss,l3_rd_miss "$PROG/sim-known"
	[[ "$stderr" == *'model of x86-64 server 3 GHz (generic with l2.size=2M, hash '* ]]
	# without --machine the events choose it, and --set changes it
	run -0 --separate-stderr "$CPUTRACK" -T0 --engine=sim --set=l2.size=2M -c us3::DC_rd_miss "$PROG/sim-known"
	[[ "$stderr" == *'model of UltraSPARC-III Cu 900 MHz (ultrasparc3 with l2.size=2M, hash '* ]]
}

@test "children and executed programs have the machine of the run" {
	one=$(count d1_rd_miss --machine=generic --set=d1.size=1K --set=d1.ways=1)
	"$PERFEX" --quiet --format=csv -e insn -e d1_rd_miss -o out --machine=generic --set=d1.size=1K --set=d1.ways=1 \
		sh -c "$PROG/sim-known; exec $PROG/sim-known" >/dev/null
	two=$(awk -F, '$7 == "d1_rd_miss" { print $8 }' out)
	[ "$two" -ge $((2 * one)) ]
	"$CPUTRACK" -T0 -f -e -n --format=csv -c d1_rd_miss -o rows --machine=generic --set=d1.size=1K --set=d1.ways=1 \
		sh -c "$PROG/sim-known; exec $PROG/sim-known" >/dev/null
	grep -q "d1_rd_miss,$one," rows
}

@test "a program that writes to the machine of its run does not change it, and its children refuse it" {
	for mask in 0 1; do
		run -0 "$PERFEX" -a --quiet --machine=zen3 -o $mask "$PROG/sim-scribble" $mask
	done
	cmp 0 1
	run -0 "$PERFEX" -e insn --machine=zen3 "$PROG/sim-scribble" 0 true
	run -125 "$PERFEX" -e insn --machine=zen3 "$PROG/sim-scribble" 1 true
	[[ "$output" == *'the simulator could not go on and ended it: needs a name: machine;'* ]]
}

@test "native has the caches that sysfs shows" {
	run --separate-stderr "$PERFEX" --machine=native
	if [ "$status" -ne 0 ]; then
		[ "$status" -eq 2 ]
		[[ "$stderr" == *'cannot model the caches of this machine'* || "$stderr" == *'perfex: native:'* ]]
		skip 'this host shows no caches that the model has'
	fi
	echo "$output" >native.machine
	grep -q '^machine native "the caches of .*, the rest generic"$' native.machine
	run -0 --separate-stderr "$CPUTRACK" -T0 --machine=native -c insn,d1_rd_miss "$PROG/sim-known"
	[[ "$stderr" == *', the rest generic (native, hash '* ]]
	one=$output
	run -0 --separate-stderr "$CPUTRACK" -T0 --machine=./native.machine -c insn,d1_rd_miss "$PROG/sim-known"
	[ "$(awk 'NR == 2 { print $4, $5 }' <<<"$output")" = "$(awk 'NR == 2 { print $4, $5 }' <<<"$one")" ]
}

@test "records name the machine and its hash" {
	"$PERFEX" --format=json -e 26 -o json --machine=r12000 --set=l2.size=1M "$PROG/sim-known"
	grep -qE '"model":"r12000:[0-9a-f]{16}"' json
	"$PERFEX" --format=json -e 26 -o json --engine=sim "$PROG/sim-known"
	grep -q '"model":"r10000"' json
}

@test "--explain, --list and -h know the machine" {
	run -0 "$CPUTRACK" --machine=itanium2 --list=d1_rd_miss
	[[ "$output" == *'by the itanium2 model: modelled'* ]]
	run -0 "$CPUTRACK" --machine=itanium2 --set=l3.size=0 --list=l3_rd_miss
	[[ "$output" == *'the itanium2 model has no third cache level'* ]]
	run -0 "$PERFEX" --machine=generic -e 26 --explain
	[[ "$output" == *'by the generic model'* ]]
	run -0 "$CPUTRACK" --machine=itanium2 -h
	[[ "$output" == *'Simulated Itanium 2 1.3 GHz'* ]]
}

# refuses STATUS MESSAGE OPTION...: both commands fail with the message, and run nothing.
refuses() {
	want=$1 message=$2
	shift 2
	rm -f ran
	run -"$want" "$PERFEX" "$@" -e 26 touch ran
	[[ "$output" == *"$message"* ]] || { echo "$output"; false; }
	run -"$want" "$CPUTRACK" "$@" -T0 -c r12000::CYCLES touch ran
	[[ "$output" == *"$message"* ]] || { echo "$output"; false; }
	[ ! -e ran ]
}

@test "mistakes are named with their place, the status is 2, and nothing runs" {
	refuses 2 "no machine is named 'r1000'; did you mean 'r10000' or 'r12000'? --machine=list lists" --machine=r1000
	refuses 2 "cannot read machine './none': No such file or directory" --machine=./none
	refuses 2 "cannot read machine '/': Is a directory" --machine=/
	refuses 2 "/dev/zero': it has more than 65536 bytes" --machine=/dev/zero
	head -c 5000 "$PERFEX" >binary
	refuses 2 './binary:1: this is no text: it has a NUL byte' --machine=./binary
	: >empty
	refuses 2 './empty:1: machine: is missing' --machine=./empty
	"$PERFEX" --machine=r10000 >good
	sed 's/^l2.line.*/l2.line 32/' good >lines
	refuses 2 'lines:'"$(grep -n '^l2.line' lines | cut -d: -f1)"': l2.line: L2 must fill at least a line of L1 at once' \
		--machine=./lines
	{ cat good; echo mhz 1; echo x y; } >two
	refuses 2 "./two:$(wc -l <two): unknown key 'x'" --machine=./two
	[[ "$output" == *'mhz: is given twice, first in line '* ]]
	refuses 2 "l2.size: bad value '12': must be a number from 64 to 1073741824" --machine=./good --set=l2.size=12
	refuses 2 "--set=l2.size=12: l2.size: bad value '12'" --set=l2.size=12
	refuses 2 '--set=l2.size=3M: l2.ways: the number of sets' --set=l2.size=3M
	refuses 2 '--set=l2: write KEY=VALUE' --set=l2
	# an event of the instructions alone has the generic machine
	run -2 "$PERFEX" -e insn --set=l3.ways=11 touch ran
	[[ "$output" == *'--set=l3.ways=11: l3.ways: the number of sets'* ]]
	[ ! -e ran ]
	refuses 2 '--machine=list prints the names of the machines and runs nothing' --machine=list
	run -2 "$CPUTRACK" --machine=list --set=l2.size=1M
	[[ "$output" == *'leave out --set, events and command'* ]]
	refuses 2 'leave out --engine=kernel' --machine=r10000 --engine=kernel
	CPC_ENGINE=kernel refuses 2 'leave out CPC_ENGINE=kernel' --machine=r10000
	refuses 2 'cannot read machine' --machine="$(printf './\033[2J')"
	[[ "$output" != *$'\033'* ]]
}

@test "a file that cannot be read is refused" {
	public_dir
	"$PERFEX" --machine=r10000 >"$D/secret"
	chmod 0 "$D/secret"
	as=env
	if [ "$(id -u)" -eq 0 ]; then
		need setpriv
		as=as_nobody
	fi
	run -2 $as "$D/cputrack" --machine="$D/secret" -T0 -c insn touch "$D/out/ran"
	[[ "$output" == *"cannot read machine '$D/secret': Permission denied" ]]
	[ ! -e "$D/out/ran" ]
}

@test "a machine can come through a pipe" {
	run -0 --separate-stderr "$PERFEX" -e 26 --machine=<("$PERFEX" --machine=r12000) "$PROG/sim-known"
	[[ "$stderr" == *'model of R12000 300 MHz (/dev/fd/'* ]]
}
