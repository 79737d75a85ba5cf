# The generators events.awk and sim.awk (events/gen): the C that they make of good tables, and their
# messages, which name the file and line of every mistake.

setup() {
	cd "$BATS_TEST_TMPDIR"
	root=$BATS_TEST_DIRNAME/..
	gen=()
	for f in words rows registers events; do
		gen+=(-f "$root/events/gen/$f.awk")
	done
	printf '%s\n' '# comment' 'l2_ref  unit=cycles # what it is' '	L2:REF' '	~4*p::L2_CACHE:B:c=4+X' '' 'none' >host.map
	echo 'machine m "M"' >m.machine
	printf '%s\n' '# comment' 'insn exact instructions' 'l1_miss modelled misses' 'cyc estimated cycles' >sim.vocab
	cat >good.events <<-'EOF'
		# comment
		table   good "A good table"
		cpuref  "See the manual."
		pics    4 40
		samemode
		attr    umask 0xff
		attr    edge  1
		machine m
		ev 0x00  pic=0-3  cycles    "Cycles"  host=@none  class=estimated  sim=cyc  # more
		ev 0x0c  pic=0,2  L2_ref.x  code0=0x0c  umask_valid=0x0f  "L2: =refs #1"  host=@l2_ref  hostnote="a # note"
		ev 3     pic=1    misses    iarr  group=2  class=modelled  sim=l1_miss+insn
		generic  PAPI_a  L2_ref.x  umask=0x3
		generic  PAPI_b  0x00
	EOF
}

table() { awk "${gen[@]}" -v map=host.map "$@"; }

# rejects LINE MESSAGE <ADDED: the good table with the lines ADDED is rejected with only this message, at this line.
rejects() {
	cat - >added
	cat good.events added >bad.events
	sed -i 's/^table   good/table   bad/' bad.events
	run table bad.events
	[ "$status" -eq 1 ]
	[ "$output" = "bad.events:$1: $2" ] || { echo "$output"; false; }
}

# edited SCRIPT OUTPUT: the good table, changed by the sed(1) script, is rejected with this output.
edited() {
	sed "s/^table   good/table   bad/;$1" good.events >bad.events
	run table bad.events
	[ "$status" -eq 1 ]
	[ "$output" = "$2" ] || { echo "$output"; false; }
}

@test "a good table passes, and its C has the facts of the table" {
	run table good.events
	[ "$status" -eq 0 ]
	[[ "$output" == *'const struct evtab evtab_table_good = {'* ]]
	[[ "$output" == *'.num = 0x0c, .pics = 0x5, .name = "L2_ref.x", .title = "L2: =refs #1", .hostkey = "l2_ref", .unit = "cycles",'* ]]
	[[ "$output" == *'.host = "L2:REF|~4*p::L2_CACHE:B:c=4+X"'* ]]
	[[ "$output" == *'{ "code0", "0x0c", 0x0c }, { "umask_valid", "0x0f", 0x0f }, { "hostnote", "a # note", 0 },'* ]]
	[[ "$output" == *'.sim = "l1_miss+insn", .simclass = SIM_MODELLED,'* ]]
	[[ "$output" == *'{ "iarr", NULL, 1 }, { "group", "2", 2 },'* ]]
	[[ "$output" == *'{ "PAPI_a", "L2_ref.x", "umask", 0x3 },'* ]]
	[[ "$output" == *'{ "PAPI_b", "0x00", NULL, 0 },'* ]]
	[[ "$output" == *'.npic = 4, .width = 40, .samemode = 1,'* ]]
	[[ "$output" == *'.machine = "m",'* ]]
	[[ "$output" == *'.n = 3, .ev = ev,'* ]]
	line=$(grep '"cycles"' <<<"$output")
	[[ "$line" == *'.pics = 0xf,'*'.hostkey = "none", .sim'* ]]
}

@test "resources keep their columns; a mask of 64 counters is exact" {
	sed -i 's/^pics.*/pics 64 48/' good.events
	printf '%s\n' 'escr    E1  pic=0-1,63  msr=0x3b2  select=4' 'counter C0  pic=0  msr=0x300  cccr=0x360  escr=E1' \
		'ev 9 pic=63,31 far escr=E1' >>good.events
	run table good.events
	[ "$status" -eq 0 ]
	[[ "$output" == *'.kind = "escr", .name = "E1"'*'{ "pic", "0-1,63", 0x8000000000000003 }, { "msr", "0x3b2", 0x3b2 },'* ]]
	[[ "$output" == *'.kind = "counter", .name = "C0"'*'{ "escr", "E1", 0 },'* ]]
	[[ "$output" == *'.num = 9, .pics = 0x8000000080000000,'* ]]
	[[ "$output" == *'.nres = 2, .res = res,'* ]]
}

@test "unknown words and columns" {
	rejects 14 "unknown word 'event'" <<<'event 4 pic=0 x'
	rejects 14 "unknown column 'hots=@none'" <<<'ev 4 pic=0 x hots=@none'
	rejects 14 "unknown column 'stray'" <<<'ev 4 pic=0 x stray'
	rejects 14 "unknown column 'umask=1'" <<<'escr E pic=0 umask=1'
	rejects 14 "column 'group' is given twice" <<<'ev 4 pic=0 x group=1 group=2'
}

@test "bad numbers" {
	rejects 14 "bad number '4x'" <<<'ev 4x pic=0 x'
	rejects 14 "bad number '08'" <<<'ev 08 pic=0 x'
	rejects 14 "bad number '0x100000000'" <<<'ev 0x100000000 pic=0 x'
	rejects 14 "bad number '-1' in column 'group'" <<<'ev 4 pic=0 x group=-1'
	rejects 14 "bad number '0xg' in column 'code0'" <<<'ev 4 pic=0 x code0=0xg'
	rejects 14 "bad number 'x'" <<<'attr cmask x'
	rejects 14 "column 'group' needs a value" <<<'ev 4 pic=0 x group'
	rejects 14 "column 'iarr' takes no value" <<<'ev 4 pic=0 x iarr=1'
}

@test "counters: missing, malformed, out of range" {
	rejects 14 "event 'x' has no pic=" <<<'ev 4 x'
	rejects 14 "bad list of counters '0-'" <<<'ev 4 pic=0- x'
	rejects 14 "pic= names no counter" <<<'ev 4 pic= x'
	rejects 14 "counter 4 is not in 0-3" <<<'ev 4 pic=4 x'
	rejects 14 "counter 2-1 is not in 0-3" <<<'ev 4 pic=0,2-1 x'
	rejects 14 "escr 'E' has no pic=" <<<'escr E msr=1'
	edited 's/^pics.*/pics 65 40/' 'bad.events:4: pics allows at most 64 counters of at most 64 bits'
}

@test "names: bad, or used twice" {
	rejects 14 "name 'cycles' is already in line 9" <<<'ev 4 pic=0 cycles'
	rejects 14 "bad name 'a/b'" <<<'ev 4 pic=0 a/b'
	rejects 14 "name 'PAPI_a' is already in line 12" <<<'generic PAPI_a cycles'
	rejects 14 "name 'edge' is already in line 7" <<<'attr edge 1'
	rejects 14 "'samemode' is already in line 5" <<<'samemode'
	rejects 14 "generic 'cycles' is also the name of an event" <<<'generic cycles misses'
}

@test "text in the wrong place" {
	rejects 14 "text in the wrong place: \"T\"" <<<'escr E pic=0 "T"'
	rejects 14 "text in the wrong place: column 'group'" <<<'ev 4 pic=0 x group="T"'
	rejects 14 "a second title: \"U\"" <<<'ev 4 pic=0 x "T" "U"'
	rejects 14 "column 'hostnote' takes text in quotes" <<<'ev 4 pic=0 x hostnote=T'
	rejects 14 "text without a closing quote: \"T" <<<'ev 4 pic=0 x "T'
	rejects 14 "no blank between \"T\" and U" <<<'ev 4 pic=0 x "T"U'
	rejects 14 'backslash or tab in text: "T\n"' <<<'ev 4 pic=0 x "T\n"'
	edited 's/^samemode/samemode "T"/' 'bad.events:5: samemode takes no value'
}

@test "host keys that the map does not have" {
	rejects 14 'host=@l2: host.map has no such key' <<<'ev 4 pic=0 x host=@l2'
	rejects 14 'host=perf::CYCLES: host.map has no such key' <<<'ev 4 pic=0 x host=perf::CYCLES'
}

@test "malformed candidates and keys of the map" {
	while IFS='|' read -r line what; do
		printf 'none\nl2_ref\n%b\n' "$line" >host.map
		run table good.events
		[ "$status" -eq 1 ]
		[ "$output" = "host.map:3: $what" ] || { echo "$output"; false; }
	done <<-'EOF'
		\t~~A|malformed candidate '~~A'
		\tA:|malformed candidate 'A:'
		\t0*A|malformed candidate '0*A'
		\tA+|malformed candidate 'A+'
		\t2*|malformed candidate '2*'
		\tA,B|malformed candidate 'A,B'
		\tA:c=|malformed candidate 'A:c='
		none|key 'none' is given twice
		No|bad key 'No'
		a unit=s|only unit=cycles may follow a key
		a unit=cycles b|only unit=cycles may follow a key
	EOF
	printf '\tA\nnone\nl2_ref\n' >host.map
	run table good.events
	[ "$status" -eq 1 ]
	[ "$output" = "host.map:1: candidate before the first key" ]
	rm host.map
	run table good.events
	[ "$status" -eq 1 ]
	[[ "$output" == "host.map:1: cannot read this file"* ]]
}

@test "expressions and classes of the model" {
	rejects 14 "the model has no counter 'l9'" <<<'ev 4 pic=0 x sim=insn-l9 class=modelled'
	rejects 14 "bad expression 'insn*2'" <<<'ev 4 pic=0 x sim=insn*2 class=exact'
	rejects 14 "bad expression 'insn+'" <<<'ev 4 pic=0 x sim=insn+ class=exact'
	rejects 14 "sim= and class= must be given together" <<<'ev 4 pic=0 x sim=insn'
	rejects 14 "sim= and class= must be given together" <<<'ev 4 pic=0 x class=exact'
	rejects 14 "sim=0 and class=zero must be given together" <<<'ev 4 pic=0 x sim=0 class=exact'
	rejects 14 "sim=0 and class=zero must be given together" <<<'ev 4 pic=0 x sim=insn class=zero'
	rejects 14 "column 'class' must be one of: exact modelled estimated zero
bad.events:14: sim= and class= must be given together" <<<'ev 4 pic=0 x sim=insn class=good'
	rejects 14 "class=exact, but a counter of sim= is modelled" <<<'ev 4 pic=0 x sim=insn+l1_miss class=exact'
	echo 'insn exact' >>sim.vocab
	run table good.events
	[ "$status" -eq 1 ]
	[ "$output" = "sim.vocab:5: a counter needs a name, a class and a definition" ]
}

@test "a table needs a machine if and only if it has sim=, and the machine must exist" {
	edited '/^machine/d' "bad.events:8: sim= needs a line 'machine'"
	edited 's/^machine.*/machine n/' 'bad.events:8: there is no file n.machine in the folder of host.map'
	edited 's/^machine.*/machine/' 'bad.events:8: machine needs a name'
	edited 's/  *class=.*//' "bad.events:8: machine 'm', but no event has sim="
	rejects 14 "'machine' is already in line 8" <<<'machine m'
}

@test "limits of attributes" {
	rejects 14 "umask_valid=0x1ff is above the limit 0xff" <<<'ev 4 pic=0 x umask_valid=0x1ff'
	rejects 14 "column 'emask_valid' needs a line 'attr emask'" <<<'ev 4 pic=0 x emask_valid=1'
	rejects 14 "umask=0x100 is above the limit 0xff" <<<'generic PAPI_c cycles umask=0x100'
	rejects 14 "umask=0x11 has bits that 'L2_ref.x' does not allow (0x0f)" <<<'generic PAPI_c L2_ref.x umask=0x11'
	rejects 14 "this table has no attr 'emask'" <<<'generic PAPI_c cycles emask=1'
	rejects 14 "bad number '-1'" <<<'generic PAPI_c cycles umask=-1'
	rejects 14 "attr needs a name and a limit" <<<'attr cmask'
}

@test "attributes: of requests and of the set, numbers, opcodes and ranges" {
	local form="attr needs a name, then MAX, 'opcode' or 'MAX ranges', then perhaps 'set'" want
	rejects 14 "$form" <<<'attr cmask 1 all'
	rejects 14 "$form" <<<'attr cmask 1 set set'
	rejects 14 "$form" <<<'attr cmask 1 opcode'
	rejects 14 "$form" <<<'attr cmask ranges set'
	rejects 14 "$form" <<<'attr cmask opcode range'
	rejects 14 "bad number 'set'" <<<'attr cmask set'
	rejects 14 "bad number 'x'" <<<'attr cmask x ranges'
	rejects 14 "attr 'cmask' must allow at least one range" <<<'attr cmask 0 ranges'
	rejects 14 "name 'edge' is already in line 7" <<<'attr edge opcode'
	rejects 14 'dispatch needs the name of a call' <<<'dispatch'
	rejects 14 'dispatch needs the name of a call' <<<'dispatch a+b'
	rejects 15 "'dispatch' is already in line 14" <<<$'dispatch a\ndispatch b'
	printf '%s\n' 'dispatch call_it' 'attr op opcode set' 'attr op2 opcode' 'attr code 4 ranges set' 'attr data 1 ranges' \
		'attr all 0x3 set' 'generic PAPI_c cycles op2=0xffffffffffff' >>good.events
	run table good.events
	[ "$status" -eq 0 ]
	while IFS= read -r want; do
		grep -qxF -- "$want" <<<"${output//$'\t'/}" || { echo "$output"; false; }
	done <<-'EOF'
		{ "umask", 0xff, FORM_NUMBER, 0, 1 },
		{ "op", UINT64_MAX, FORM_OPCODE, 1, 1 },
		{ "op2", UINT64_MAX, FORM_OPCODE, 0, 1 },
		{ "code", UINT64_MAX, FORM_RANGE, 1, 4 },
		{ "data", UINT64_MAX, FORM_RANGE, 0, 1 },
		{ "all", 0x3, FORM_NUMBER, 1, 1 },
		.dispatch = "call_it",
	EOF
}

@test "generics and ESCRs that do not exist" {
	rejects 14 "generic 'PAPI_c': this table has no event 'cycle'" <<<'generic PAPI_c cycle'
	rejects 14 "generic 'PAPI_c': this table has no event '0x4'" <<<'generic PAPI_c 0x4'
	rejects 14 "generic needs a name, an event and perhaps one attribute" <<<'generic PAPI_c'
	rejects 14 "this table has no escr 'E9'" <<<'counter C pic=0 escr=E9'
	rejects 14 "this table has no escr 'E9'" <<<'ev 4 pic=0 x escr=E9'
	rejects 14 "escr 'E1' drives no counter of the event" <<<$'ev 4 pic=0 x escr=E1\nescr E1 pic=1-3'
	for i in {1..64}; do echo "counter C$i pic=0"; done >many
	rejects 78 "the first 64 lines 'escr' and 'counter' must contain all lines 'escr'" < <(cat many; echo 'escr E1 pic=0')
}

@test "an event needs its ESCRs, on any line, with the counters that both have" {
	sed -i 's/^pics.*/pics 64 48/' good.events
	printf '%s\n' 'ev 9 pic=0-7,62 far escr=E2,E1' 'escr E1 pic=0-1,63' 'escr E2 pic=2,5-9,62' 'ev 10 pic=1 near escr=E1' >>good.events
	run table good.events
	[ "$status" -eq 0 ]
	[[ "$output" == *'.nneeds = 2, .needs = (const struct evneed[]){ { 1, 0x40000000000000e4 }, { 0, 0x3 } } },'* ]]
	[[ "$output" == *'.nneeds = 1, .needs = (const struct evneed[]){ { 0, 0x2 } } },'* ]]
	[ "$(grep -c nneeds <<<"$output")" -eq 2 ]
}

# with_registers EXTRA: write the good table as other.events, with registers and the lines EXTRA.
with_registers() {
	sed 's/^table   good/table   other/;/^cpuref/a regref "The manual"' good.events >other.events
	cat >>other.events <<-'EOF'
		escr    E1 pic=0-3 msr=0x3b2 select=4
		counter C0 pic=0 msr=0x300 cccr=0x360
		register PC0 pic=0 at="MSR 0xc1"
		register %sel pic=0 also=2-3 at="MSR 0x186"
		field event 0 8 num>>4|attr:umask
		field edge 8 2 unless:edge pic=0 parked=3
		field en 10 1 1
		field os 63 1
		register two pic=0-1 like=%sel
		field en 10 1 if:edge pic=1
		field code 0xb 0x5 code
		register "CCCR of *" pic=0-3 of=counter at="MSR cccr"
		field select 13 3 escr:select
	EOF
	printf '%s' "$1" >>other.events
}

# register_rejects MESSAGE LINE...: a table with registers and these lines is rejected with only this message, at the last
# line.
register_rejects() {
	local what=$1
	shift
	with_registers "$(printf '%s\n' "$@")"
	run table other.events
	[ "$status" -eq 1 ]
	[ "$output" = "other.events:$((27 + $#)): $what" ] || { echo "$output"; false; }
}

@test "registers and their fields, and fields copied from another register" {
	local want
	with_registers ''
	run table other.events
	[ "$status" -eq 0 ] || { echo "$output"; false; }
	[[ "$output" == *'.nregs = 4, .reg = reg,'* && "$output" == *'.regref = "The manual",'* ]]
	while IFS= read -r want; do
		grep -qxF -- "$want" <<<"${output//$'\t'/}" || { echo "no '$want' in $output"; false; }
	done <<-'EOF'
		{ .name = "PC0", .pics = 0x1, .shared = 0,
		  .space = "MSR", .addr = 0xc1 },
		{ .name = "%sel", .pics = 0xd, .shared = 1,
		  .nfields = 4, .field = &field[0] },
		{ .at = { "event", 0, 8 }, .pics = 0x1,
		  .nvalues = 2, .value = (const struct evvalue[]){ { FROM_NUM, NULL, 4 }, { FROM_ATTR, "umask", 0 } } },
		{ .at = { "edge", 8, 2 }, .pics = 0x1, .has_parked = 1, .parked = 3,
		  .nvalues = 1, .value = (const struct evvalue[]){ { FROM_UNLESS, "edge", 0 } } },
		{ .at = { "en", 10, 1 }, .pics = 0xd,
		  .nvalues = 1, .value = (const struct evvalue[]){ { FROM_NUMBER, NULL, 1 } } },
		{ .name = "two", .pics = 0x3, .shared = 1,
		{ .at = { "en", 10, 1 }, .pics = 0x2,
		  .nvalues = 1, .value = (const struct evvalue[]){ { FROM_IF, "edge", 0 } } },
		{ .at = { "code", 11, 5 }, .pics = 0x3,
		{ .name = "CCCR of ", .pics = 0xf, .shared = 0,
		  .space = "MSR", .addrcol = "cccr", .of = "counter",
		  .nvalues = 1, .value = (const struct evvalue[]){ { FROM_ESCR, "select", 0 } } },
	EOF
}

@test "a register may copy the fields of a register of another table; its own table limits them" {
	with_registers ''
	sed -i '/^cpuref/a regref "The manual"' good.events
	echo 'register mine pic=3 like=other:%sel' >>good.events
	run table good.events
	[ "$status" -eq 1 ]
	[ "$output" = "good.events:15: field 'edge' has no counter in common with its register" ]
	echo 'field edge 8 1 if:edge' >>good.events
	run table good.events
	[ "$status" -eq 0 ] || { echo "$output"; false; }
	[[ "$output" == *'.nregs = 1, .reg = reg,'* && "$output" == *'.nfields = 4, .field = &field[0]'* ]]
	grep -qF '{ .at = { "event", 0, 8 }, .pics = 0x8,' <<<"$output"
	sed -i '/^attr    umask/d;s/umask=0x3//;s/umask_valid=0x0f//' good.events
	run table good.events
	[ "$output" = "good.events:14: this table has no attr 'umask'" ]
	sed -i 's/other:%sel/other:none/' good.events
	run table good.events
	[ "$output" = "good.events:14: like=other:none: no earlier line describes this register" ]
	sed -i 's/other:none/nothing:%sel/' good.events
	run table good.events
	[ "$output" = "good.events:14: like=nothing:%sel: no earlier line describes this register" ]
}

@test "mistakes of registers" {
	register_rejects "register 'r' has no pic=" 'register r'
	register_rejects "bad name of a register 'a/b'" 'register a/b pic=0'
	register_rejects "bad name of a register '\"r\"'" 'register "r" pic=0'
	register_rejects "bad name of a register 'r': with of= it must be text that ends with *" 'register r pic=0 of=escr at="MSR msr"'
	register_rejects "unknown column 'step=1'" 'register r pic=0 step=1'
	register_rejects "unknown column 'shared'" 'register r pic=0 shared'
	register_rejects "column 'pic' is given twice" 'register r pic=0 pic=1'
	register_rejects "counter 0-4 is not in 0-3" 'register r pic=0-4'
	register_rejects "counter 4 is not in 0-3" 'register r pic=0 also=4'
	register_rejects "column 'at' takes text in quotes" 'register r pic=0 at=0x186'
	register_rejects "column 'like' takes no text" 'register r pic=0 like="two"'
	register_rejects "at= needs an address space and an address" 'register r pic=0 at="0x186"'
	register_rejects "bad address 'msr'" 'register r pic=0 at="MSR msr"'
	register_rejects "lines 'escr' have no number 'cccr'" 'register "*" pic=0 of=escr at="MSR cccr"'
	register_rejects "column 'of' must be one of: escr counter" 'register "*" pic=0 of=cccr'
	register_rejects "like=r: no earlier line describes this register" 'register r pic=0 like=r'
}

@test "mistakes of fields" {
	local form='field needs a name, its lowest bit, its width and perhaps a value' r='register r pic=0-1'
	register_rejects "$form" "$r" 'field f'
	register_rejects "$form" "$r" 'field f 0'
	register_rejects "$form" "$r" 'field f 0 x'
	register_rejects "field 'f' is not within bits 0-63" "$r" 'field f 0 0'
	register_rejects "field 'f' is not within bits 0-63" "$r" 'field f 60 5'
	register_rejects "field 'f' is already in line 29" "$r" 'field f 0 1' 'field f 1 1'
	register_rejects "field 'g' overlaps 'f'" "$r" 'field f 0 4' 'field g 3 1'
	register_rejects "bad value 'usr'" "$r" 'field f 0 1 usr'
	register_rejects "bad value 'if'" "$r" 'field f 0 1 if'
	register_rejects "bad value 'num>>x'" "$r" 'field f 0 1 num>>x'
	register_rejects "2 does not fit in 1 bits" "$r" 'field f 0 1 2'
	register_rejects "8 does not fit in 3 bits" "$r" 'field f 0 3 user pic=0 parked=8'
	register_rejects "bad number 'x' in column 'parked'" "$r" 'field f 0 3 user pic=0 parked=x'
	register_rejects "this table has no attr 'cmask'" "$r" 'field f 0 1 user|attr:cmask'
	register_rejects "lines 'escr' have no number 'cccr'" "$r" 'field f 0 1 escr:cccr'
	register_rejects "lines 'ev' have no number 'host'" "$r" 'field f 0 1 column:host'
	register_rejects "field 'f' has no counter in common with its register" "$r" 'field f 0 1 user pic=2'
	register_rejects "unknown column 'idle=1'" "$r" 'field f 0 1 user idle=1'
	register_rejects "unknown column 'system'" "$r" 'field f 0 1 user system'
	edited '/^cpuref/a field f 0 1' 'bad.events:4: a field before the first register'
}

@test "where registers are documented" {
	local memory="either cpuref says 'register layout from memory' and regref 'from memory', or neither"
	edited '$a register r pic=0' "bad.events:14: registers need a line 'regref'"
	edited '/^cpuref/a regref "The manual"' 'bad.events:4: regref is given, but no register'
	edited '/^cpuref/a regref' 'bad.events:4: regref needs text in quotes
bad.events:4: regref is given, but no register'
	edited '/^cpuref/a useronly' 'bad.events:4: useronly needs a sentence in quotes'
	edited '$a register r pic=0
/^cpuref/a regref "from memory"' "bad.events:3: $memory"
	edited 's/manual[.]/manual; register layout from memory./;$a register r pic=0
/^cpuref/a regref "The manual"' "bad.events:3: $memory"
	sed -i 's/manual[.]/manual; register layout from memory./;/^cpuref/a regref "from memory"' good.events
	printf '%s\n' 'register r pic=0' 'useronly "Only user mode is counted"' >>good.events
	run table good.events
	[ "$status" -eq 0 ]
	[[ "$output" == *'.regref = "from memory",'*'.useronly = "Only user mode is counted",'* ]]
}

@test "lines that a table must have" {
	edited '/^cpuref/d' "bad.events:12: no line 'cpuref'"
	edited 's/bad "A good table"/bad/' 'bad.events:2: table needs a name and a title in quotes'
	edited 's/^table   bad/table   other/' "bad.events:2: table 'other' must be in a file other.events"
	edited 's/^cpuref.*/cpuref/' 'bad.events:3: cpuref needs a sentence in quotes'
	edited '5,$d;s/^pics.*/pics four 40/' 'bad.events:4: pics needs the number of counters and their width'
	: >empty.events
	run table empty.events
	[ "$status" -eq 1 ]
	[[ "$output" == *"no line 'table'"* ]]
}

@test "all mistakes are reported, and no C is printed" {
	printf '%s\n' 'evt' 'ev 4 pic=9 x host=@a sim=b class=exact' >>good.events
	run table good.events
	[ "$status" -eq 1 ]
	[ "$output" = "good.events:14: unknown word 'evt'
good.events:15: counter 9 is not in 0-3
good.events:15: the model has no counter 'b'
good.events:15: host=@a: host.map has no such key" ]
}

@test "the index has the tables of the file order, each once" {
	printf '%s\n' '# comment' 'b # the first' 'a' >order
	run awk "${gen[@]}" -v index_of=order x/a.events b.events
	[ "$status" -eq 0 ]
	[[ "$output" == *$'\t&evtab_table_b,\n\t&evtab_table_a,\n\tNULL\n};' ]]
	run awk "${gen[@]}" -v index_of=order a.events
	[ "$status" -eq 1 ]
	[ "$output" = "order:2: there is no file b.events" ]
	run awk "${gen[@]}" -v index_of=order a.events b.events c.events
	[ "$status" -eq 1 ]
	[ "$output" = "c.events:1: order has no line 'c'" ]
	echo a >>order
	run awk "${gen[@]}" -v index_of=order a.events b.events
	[ "$status" -eq 1 ]
	[ "$output" = "order:4: 'a' is already in line 3" ]
}

@test "machines are copied as they are" {
	printf '%s\n' 'machine a "A \"  # one' '' '# "two"' >a.machine
	cp a.machine b.machine
	run awk -f "$root/events/gen/sim.awk" -v what=machines a.machine b.machine
	[ "$status" -eq 0 ]
	[[ "$output" == *'{ "a",'*'"machine a \"A \\\"  # one\n"'*'"\n"'*'"# \"two\"\n"'*'{ "b",'* ]]
}

@test "vocabulary of the model" {
	printf '%s\n' 'a exact some "a"' 'b modelled' 'c estimated x' 'a exact again' >v
	run awk -f "$root/events/gen/sim.awk" -v what=vocab v
	[ "$status" -eq 1 ]
	[ "$output" = "v:2: a counter needs a name, a class and a definition
v:4: counter 'a' is given twice
v:4: counters of the model must come before the estimates" ]
	sed -i '2s/$/ b/;4d' v
	run awk -f "$root/events/gen/sim.awk" -v what=vocab v
	[[ "$output" == *'[CTR_A] = { "a", SIM_EXACT, "some \"a\"" },'* ]]
	run awk -f "$root/events/gen/sim.awk" -v what=counters v
	[[ "$output" == *$'\tCTR_A,\n\tCTR_B,\n\tCTR_C,\n\tSIM_NVOCAB,\n\tSIM_NCOUNTERS = 2\n'* ]]
}

@test "synonyms" {
	printf '%s\n' '# words' '' 'float: fp, floating point' 'FP: float' 'tlb:' 'float: x' 'a: b,c' >s
	run awk -f "$root/events/gen/synonyms.awk" s
	[ "$status" -eq 1 ]
	[[ "$output" == *$'\t{"float", "fp"},\n\t{"float", "floating point"},\n'* ]]
	run bash -c "awk -f '$root/events/gen/synonyms.awk' s 2>&1 >/dev/null"
	[ "$output" = "s:4: a line needs the form WORD: SYNONYM, ...
s:5: a line needs the form WORD: SYNONYM, ...
s:6: the word 'float' has two lines
s:7: a line needs the form WORD: SYNONYM, ..." ]
}

# all_tables AWK...: print the C of all tables and machines, the index, and the messages about a bad table.
all_tables() {
	local f
	for f in events/*.events; do
		"$@" "${gen[@]}" -v map=events/host.map "$f" || return
	done
	"$@" "${gen[@]}" -v index_of=events/order events/*.events || return
	"$@" -f events/gen/sim.awk -v what=machines events/*.machine || return
	"$@" -f events/gen/sim.awk -v what=counters events/sim.vocab || return
	"$@" -f events/gen/sim.awk -v what=vocab events/sim.vocab || return
	"$@" -f events/gen/synonyms.awk events/synonyms || return
	! "$@" "${gen[@]}" -v map=events/host.map "$BATS_TEST_TMPDIR/bad.events" 2>&1
}

@test "the tables of the project pass; every awk prints the same bytes" {
	sed 's/^table   good/table   bad/;s/umask=0x3/umask=0x30/;s/4 40/2 40/' good.events >bad.events
	cd "$root"
	all_tables awk >"$BATS_TEST_TMPDIR/awk.out"
	grep -q 'bad.events:12: umask=0x30 has bits that' "$BATS_TEST_TMPDIR/awk.out"
	tried=
	for a in mawk "gawk --posix" gawk "busybox awk" original-awk; do
		command -v "${a%% *}" >/dev/null || continue
		all_tables $a >"$BATS_TEST_TMPDIR/other.out"
		cmp "$BATS_TEST_TMPDIR/awk.out" "$BATS_TEST_TMPDIR/other.out"
		tried="$tried, $a"
	done
	[ -n "$tried" ]
}
