# Itanium 2: events that its model counts, and which of them can be counted together.

bats_require_minimum_version 1.5.0
load helper

setup() {
	[ -x "$(dirname "$CPUTRACK")/../sim/cpcsim-launch" ] || skip "the simulator is not built here"
	# What a program does at its start depends on its environment.
	sim=(env -i PATH="$PATH" ${ASAN_OPTIONS:+ASAN_OPTIONS="$ASAN_OPTIONS"} "$CPUTRACK" --engine=sim -T 0)
}

# counts EVENTS CMD...: "NAME VALUE" of each event in the whole program.
counts() {
	local events=$1
	shift
	bounded "${sim[@]}" --cpu=itanium2 --format=csv -o "$T/csv" -c "$events" "$@" > "$T/out" 2> "$T/err" ||
		{ cat "$T/err"; return 1; }
	awk -F, '$5 == "exit" && $9 != "" { print $9, $10 }' "$T/csv" | sort
}

# value NAME: the value of an event in the output of counts in $T/seen.
value() { awk -v name="$1" '$1 == name { print $2 }' "$T/seen"; }

# refused EVENTS WORDS: the set cannot be counted, and the only line printed has these words.
refused() {
	run -125 bounded "${sim[@]}" --cpu=itanium2 -c "$1" "$PROG/exactly"
	echo "$output"
	[[ $output == *"$2"* ]]
	# No program was started, so there is no other line.
	[ "${#lines[@]}" -eq 1 ]
}

@test "itanium2 sim: a program whose instructions are known" {
	{
		counts IA64_INST_RETIRED,BR_MISPRED_DETAIL_IPREL_ALL_PRED,FP_OPS_RETIRED,CPU_CPL_CHANGES "$PROG/exactly"
		counts LOADS_RETIRED,MISALIGNED_LOADS_RETIRED,IA32_INST_RETIRED,NOPS_RETIRED "$PROG/exactly"
		counts STORES_RETIRED "$PROG/exactly"
		# The program uses two cache lines of one page; it reads one of them, and writes do not allocate.
		counts DATA_REFERENCES_SET1,L1D_READS_SET1,L1D_READ_MISSES_ALL "$PROG/exactly"
		counts DATA_REFERENCES_SET0,L1D_READS_SET0,L2DTLB_MISSES,L1DTLB_TRANSFER "$PROG/exactly"
	} > "$T/seen"
	diff "$T/seen" - <<-'END'
		BR_MISPRED_DETAIL_IPREL_ALL_PRED 1000
		CPU_CPL_CHANGES 1
		FP_OPS_RETIRED 0
		IA64_INST_RETIRED 4004
		IA32_INST_RETIRED 0
		LOADS_RETIRED 1000
		MISALIGNED_LOADS_RETIRED 0
		NOPS_RETIRED 0
		STORES_RETIRED 1000
		DATA_REFERENCES_SET1 2000
		L1D_READS_SET1 1000
		L1D_READ_MISSES_ALL 1
		DATA_REFERENCES_SET0 2000
		L1DTLB_TRANSFER 0
		L1D_READS_SET0 1000
		L2DTLB_MISSES 1
	END
}

@test "itanium2 sim: exact events equal the model's own events" {
	bounded "${sim[@]}" --format=csv -o "$T/csv" -c "$(tr -d '\n' <<-'END'
		itanium2::IA64_INST_RETIRED,insn,itanium2::LOADS_RETIRED,load,
		itanium2::STORES_RETIRED,store,itanium2::NOPS_RETIRED,nop,
		itanium2::BR_MISPRED_DETAIL_RETURN_ALL_PRED,br_ret,
		itanium2::BR_MISPRED_DETAIL_NTRETIND_ALL_PRED,br_ind
	END
	)" ls / > /dev/null
	awk -F, '$5 == "exit" && $9 != "" { v[n++] = $10 }
		END { for (i = 0; i < n; i += 2) bad += v[i] != v[i + 1] || v[i] == 0; exit bad || n != 12 }' "$T/csv"
}

@test "itanium2 sim: events are the sum of their parts" {
	seq 2000 > "$T/text"
	{
		counts L2_REFERENCES,L2_DATA_REFERENCES_L2_DATA_READS,L2_DATA_REFERENCES_L2_DATA_WRITES,L2_INST_DEMAND_READS \
			gzip -9c "$T/text"
		counts L2_DATA_REFERENCES_L2_ALL,L2_MISSES,L3_REFERENCES,L3_WRITES_L2_WB_ALL gzip -9c "$T/text"
		counts L3_READS_ALL_ALL,L3_READS_DATA_READ_ALL,L3_READS_INST_FETCH_ALL,L3_MISSES gzip -9c "$T/text"
		counts L3_READS_ALL_MISS,L3_READS_DATA_READ_MISS,L3_READS_INST_FETCH_MISS,L1I_FILLS gzip -9c "$T/text"
		counts BR_MISPRED_DETAIL_ALL_ALL_PRED,BR_MISPRED_DETAIL_ALL_CORRECT_PRED,BR_MISPRED_DETAIL_ALL_WRONG_PATH,BR_MISPRED_DETAIL_ALL_WRONG_TARGET \
			gzip -9c "$T/text"
		counts DATA_REFERENCES_SET0,L1D_READS_SET0 gzip -9c "$T/text"
		counts DATA_REFERENCES_SET1,L1D_READS_SET1,L1D_READ_MISSES_ALL gzip -9c "$T/text"
		counts ITLB_MISSES_FETCH_ALL,ITLB_MISSES_FETCH_L1ITLB,ITLB_MISSES_FETCH_L2ITLB gzip -9c "$T/text"
	} > "$T/seen"
	cat "$T/seen"
	local sum
	while read -r sum; do
		echo "$sum"
		awk -v sum="$sum" '
		FNR == NR { v[$1] = $2; next }
		END {
			n = split(sum, part, " ")
			for (i = 3; i <= n; i += 2)
				all += v[part[i]]
			exit !(part[1] in v) || v[part[1]] == 0 || v[part[1]] != all
		}' "$T/seen"
	done <<-'END'
		L2_REFERENCES = L2_DATA_REFERENCES_L2_DATA_READS + L2_DATA_REFERENCES_L2_DATA_WRITES + L2_INST_DEMAND_READS
		L2_REFERENCES = L2_DATA_REFERENCES_L2_ALL + L1I_FILLS
		L3_READS_ALL_ALL = L3_READS_DATA_READ_ALL + L3_READS_INST_FETCH_ALL
		L3_READS_ALL_ALL = L2_MISSES
		L3_REFERENCES = L2_MISSES + L3_WRITES_L2_WB_ALL
		L3_MISSES = L3_READS_DATA_READ_MISS + L3_READS_INST_FETCH_MISS
		L3_READS_ALL_MISS = L3_MISSES
		BR_MISPRED_DETAIL_ALL_ALL_PRED = BR_MISPRED_DETAIL_ALL_CORRECT_PRED + BR_MISPRED_DETAIL_ALL_WRONG_PATH + BR_MISPRED_DETAIL_ALL_WRONG_TARGET
		DATA_REFERENCES_SET0 = DATA_REFERENCES_SET1
		L1D_READS_SET0 = L1D_READS_SET1
		ITLB_MISSES_FETCH_ALL = ITLB_MISSES_FETCH_L1ITLB + ITLB_MISSES_FETCH_L2ITLB
	END
	[ "$(value L1D_READ_MISSES_ALL)" -lt "$(value L1D_READS_SET1)" ]
	[ "$(value L3_MISSES)" -le "$(value L2_MISSES)" ]
}

@test "itanium2 sim: every event with sim= in the table can be counted" {
	local event n=0
	for event in $(awk '/^ev / && / sim=/ { print $4 }' "$BATS_TEST_DIRNAME/../events/itanium2.events"); do
		counts "$event" "$PROG/exactly" > "$T/seen"
		[[ $(cat "$T/seen") =~ ^$event\ [0-9]+$ ]] || { cat "$T/seen"; return 1; }
		n=$((n + 1))
	done
	[ "$n" -ge 60 ]
}

@test "itanium2 sim: events get the counters that their groups require" {
	run -0 --separate-stderr bounded "${sim[@]}" --cpu=itanium2 -c L1D_READ_MISSES_ALL,CPU_CPL_CHANGES,L2_REFERENCES "$PROG/exactly"
	[[ ${lines[0]} =~ event\ +pic4\ +pic5\ +pic6\ *$ ]]
	[ "$(awk '{ print $5, $6 }' <<< "${lines[1]}")" = "1 1" ]
	counts LOADS_RETIRED "$PROG/exactly" > "$T/seen"
	[ "$(awk -F, '$9 == "LOADS_RETIRED" { print $8; exit }' "$T/csv")" = 5 ] || { cat "$T/csv"; false; }
	counts pic7=IA64_INST_RETIRED,pic6=L2_MISSES "$PROG/exactly" > "$T/seen"
	[ "$(value IA64_INST_RETIRED)" = 4004 ]
}

@test "itanium2 sim: events that exclude each other are refused, with both names and the rule" {
	refused L1D_READ_MISSES_ALL,CPU_CYCLES,LOADS_RETIRED \
		"L1D_READ_MISSES_ALL (group L1D, set 1) and LOADS_RETIRED (set 3): events of one group can be counted together only if they are of one set"
	refused LOADS_RETIRED,STORES_RETIRED "LOADS_RETIRED (group L1D, set 3) and STORES_RETIRED (set 4): events of one group"
	refused pic4=LOADS_RETIRED "LOADS_RETIRED cannot be counted on the requested counters: the processor has counters 4 to 7"
	refused pic4=CPU_CYCLES,L2_REFERENCES "one event of group L2 must be on counter 4"
	run -2 bounded "${sim[@]}" --cpu=itanium2 -c CPU_CYCLES,CPU_CYCLES,NOPS_RETIRED,L2_MISSES,L3_MISSES "$PROG/exactly"
	[[ $output == *"bad token 'L3_MISSES'; all 4 counters are in use"* ]]
}

@test "itanium2 sim: attributes are only for --explain and pfm_dispatch_events" {
	local attr
	for attr in thres=2 ism=2 plm=8 noqual opcm8=m:1:2 opcm9=0xffffffffffffffff irange=0x1000-0x2000 \
		drange=0x6000000000000000-0x6000000000000100 inv fine btb_tm=1 btb_ptm=1 btb_ppm=1 btb_brt=1 btb_ds \
		btb_plm=8 iear_mode=1 iear_umask=7 iear_ism=1 iear_plm=8 dear_mode=2 dear_umask=1 dear_ism=1 dear_plm=8; do
		refused "IA64_INST_RETIRED,$attr" "IA64_INST_RETIRED: attribute '${attr%%=*}' is for --explain and pfm_dispatch_events"
	done
	# Both engines refuse for the same reason, which is printed once.
	run -125 bounded env -u CPC_ENGINE "$CPUTRACK" --cpu=itanium2 -c IA64_INST_RETIRED,irange=16-32,irange=32-48 "$PROG/exactly"
	echo "$output"
	[[ $output == *"neither the kernel nor the simulation can count with it" ]]
	[ "${#lines[@]}" -eq 1 ]
}

@test "itanium2: invalid attributes are refused" {
	while IFS='|' read -r spec what; do
		run -2 bounded "$CPUTRACK" --cpu=itanium2 -c "$spec" true
		[[ $output == *"$what"* ]] || { echo "$spec: $output"; false; }
	done <<-'END'
		CPU_CYCLES,irange=0x2000-0x1000|invalid value '0x2000-0x1000' for attribute 'irange'; write START-END
		CPU_CYCLES,irange=main|invalid value 'main' for attribute 'irange'
		CPU_CYCLES,irange=1-2,irange=3-4,irange=5-6,irange=7-8,irange=9-10|attribute 'irange' is given more than 4 times
		CPU_CYCLES,opcm8=x:1:2|invalid value 'x:1:2' for attribute 'opcm8'; write a number of 64 bits, or [mifb]:match:mask
		CPU_CYCLES,opcm8=1,opcm8=2|attribute 'opcm8' is given twice; it applies to the whole set
		CPU_CYCLES,opcm84=1|attribute 'opcm8' applies to the whole set and takes no counter number
		CPU_CYCLES,thres9=1|bad token 'thres9=1'; counters are numbered from 0 to 7
		CPU_CYCLES,thres=8|Attribute out of range: thres
		CPU_CYCLES,umask=8|bad token 'umask=8'
	END
}

@test "itanium2: --list shows events, -h shows attributes" {
	run -0 bounded "$CPUTRACK" --cpu=itanium2 -h
	local word
	for word in thres ism plm noqual opcm8 opcm9 irange drange inv fine btb_tm iear_mode dear_plm; do
		[[ $output == *" $word "* ]] || { echo "no $word"; echo "$output" | tail -n 20; false; }
	done
	run -0 bounded "$CPUTRACK" --cpu=itanium2 --list='DATA_EAR_TLB_*'
	[[ $output == *"Data EAR: TLB misses that hit the VHPT"* ]]
}
