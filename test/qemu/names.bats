# Names of events on processors that libpfm4 knows. Each guest has another processor; setup() has the differences.

bats_require_minimum_version 1.5.0
load ../helper

# instructions N: print what `turns N` retires in user mode (turns.S). Each instruction takes one cycle.
instructions() { echo $((2 * $1 + 5 * ${#1} + 8)); }

# pmu and title: libpfm4's names of the processor; own: how many of its events libpfm4 knows; other: another
# processor. The rest are the events that count generic names: the architecture has events for all of them, but
# processors have different ones, and libpfm4 has different names for them. ~ marks an approximate event.
setup() {
	case $(awk '/^CPU part/ { print $4; exit }' /proc/cpuinfo) in
	0xd03)
		pmu=arm_ac53 title='ARM Cortex A53' own=32 other=arm_n1
		ins='~BRANCH_PRED' msp='~BRANCH_MISPRED' dca=L1D_CACHE_ACCESS dcr='~L1D_CACHE_ACCESS'
		ldi=LD_RETIRED tlb='~L1D_TLB_REFILL'
		;;
	0xd07)
		pmu=arm_ac57 title='ARM Cortex A57' own=82 other=arm_n1
		ins='~BRANCH_PRED' msp='~BRANCH_MISPRED' dca=L1D_CACHE_ACCESS dcr=L1D_READ_ACCESS
		ldi='~INST_SPEC_EXEC_LOAD' tlb='~L1D_TLB_REFILL'
		;;
	0xd0c)
		pmu=arm_n1 title='ARM Neoverse N1' own=114 other=arm_ac57
		ins=BR_RETIRED msp=BR_MIS_PRED_RETIRED dca=L1D_CACHE dcr=L1D_CACHE_RD
		ldi='~LD_SPEC' tlb=DTLB_WALK
		;;
	esac
}

# counts N VALUE OPTION...: every value of `turns N` is exactly VALUE. Use at most six events and cycles at a
# time: then no events share a counter, and no value is scaled.
counts() {
	local n=$1 value=$2
	shift 2
	"$CPUTRACK" -n -T 0 --format=csv -o "$T/rows" "$@" "$PROG/turns" "$n" 2> "$T/notes"
	awk -F, -v value="$value" '
		$10 != value || $14 != "exact" { print; bad = 1 }
		END { exit bad || !NR }' "$T/rows"
}

# The folder with the events that the PMU lists. hide_events mounts an empty folder over it.
events=/sys/bus/event_source/devices/armv8_pmuv3/events
hide_events() {
	mkdir "$T/none"
	busybox mount --bind "$T/none" $events
}
show_events() { busybox umount $events; }

fail() {
	echo "$*" >&2
	return 1
}

# refused STATUS PART EVENTS: cputrack does not start the program, and its message contains PART.
refused() {
	run -"$1" "$CPUTRACK" -T 0 -c "$3" touch "$T/made"
	[[ $output == *"$2"* ]]
	[ ! -e "$T/made" ]
}

@test "names: --list has every event of the processor, and how INST_RETIRED is counted" {
	# While the PMU lists no events, --list has all events of the processor, even if QEMU cannot count them. They
	# stand between libpfm4's raw events and those of other sources.
	hide_events
	"$CPUTRACK" --format=csv --list > "$T/list"
	show_events
	[ "$(awk -F, '$5 != "host" { on = 0 } on { n++ } /^r0000/ { on = 1 } END { print n }' "$T/list")" -eq $own ]
	[ "$(awk -F, '$1 == "INST_RETIRED" { print $3, $4, $5 }' "$T/list")" = 'exact kernel host' ]
	run -0 "$CPUTRACK" --format=csv --list=inst_retired
	[[ ${lines[1]} =~ ^INST_RETIRED,,exact,kernel,host,Instructions?\ architecturally\ executed,,$ ]]
	[[ $output == *$'\narmv8_pmuv3/inst_retired/,,exact,kernel,host,'* ]]
	[[ $output == *$'\ninst_retired,,exact,kernel,p6,'*',as perf::INSTRUCTIONS,'* ]]
}

@test "names: -h and --doctor name the processor" {
	run -0 "$CPUTRACK" -h
	[[ $output == *"interface: Linux perf_event, $title ($pmu)"* ]]
	# Newer kernels show more fields.
	fields=$(cd /sys/bus/event_source/devices/armv8_pmuv3/format && echo *)
	[[ $(tr -s ' \n' ' ' <<< "$output") == *"attributes: $fields nouser sys "* ]]
	run -0 "$CPUTRACK" --doctor
	[[ $output == *"ok       hardware counters        $title ($pmu)"* ]]
}

@test "names: an event has many names, and each counts exactly" {
	truth=$(instructions 12345)
	counts 12345 "$truth" -c "INST_RETIRED,inst_Retired,$pmu::INST_RETIRED,$pmu::INST_RETIRED:u,INST_RETIRED:u=1:k=0"
	counts 12345 "$truth" -c 0x8,8,010,r8,armv8_pmuv3/event=8/,armv8_pmuv3/inst_retired/
	counts 12345 "$truth" -c "instructions,perf::INSTRUCTIONS,PERF_COUNT_HW_INSTRUCTIONS,CPU_CYCLES,cycles,$pmu::CPU_CYCLES"
	counts 12345 "$truth" -c 0x11,armv8_pmuv3/cpu_cycles/,armv8_pmuv3/event=0x11/
}

@test "names: generic names and names of old processors count exactly, too" {
	truth=$(instructions 2345)
	counts 2345 "$truth" -c PAPI_tot_ins,PAPI_tot_cyc,Instr_cnt,Cycle_cnt,r12000::CYCLES,IA64_INST_RETIRED
	diff "$T/notes" - <<-'END'
		cputrack: PAPI_tot_ins: counted as perf::INSTRUCTIONS
		cputrack: PAPI_tot_cyc: counted as perf::CYCLES
		cputrack: Instr_cnt: counted as perf::INSTRUCTIONS
		cputrack: Cycle_cnt: counted as perf::CYCLES
		cputrack: r12000::CYCLES: counted as perf::CYCLES
		cputrack: IA64_INST_RETIRED: counted as perf::INSTRUCTIONS (x86/Arm instructions)
	END
	# Event 0 of the R10000 is cycles, 15 and 17 are graduated instructions.
	counts 2345 "$truth" --cpu=r10000 -c 0,17
	counts 2345 "$truth" --cpu=r10000 -c pic0=15
	counts 2345 "$truth" --cpu=us12 -c Cycle_cnt,Instr_cnt
}

@test "names: other generic names are counted by events of this processor, with ~ if approximate" {
	# QEMU counts none of these events, and its PMU does not list them. If the list is hidden, they open and stay 0.
	hide_events
	"$CPUTRACK" --list='PAPI_*' > "$T/list"
	while read -r name as; do
		class=exact
		[[ $as != ~* ]] || class=approximate
		grep -q "^$name  *$class  *.*\[as ${as}[] ]" "$T/list" || fail "$name is not $as"
	done <<-END
		PAPI_br_ins $ins
		PAPI_l1_dca $dca
		PAPI_l1_dcr $dcr
		PAPI_ld_ins $ldi
		PAPI_tlb_dm $tlb
		PAPI_l1_dcm L1D_CACHE_REFILL
		PAPI_l2_tca L2D_CACHE_ACCESS
		PAPI_l2_dcm ~L2D_CACHE_REFILL
	END
	run -0 "$CPUTRACK" --cpu=r10000 --list=BR_MISPRED
	[[ $output == *"[as $msp"[\ \]]* ]]
	status=0
	[[ $ins != ~* ]] || status=125
	run -$status "$CPUTRACK" --strict -T 0 -o "$T/rows" -c PAPI_br_ins "$PROG/turns" 1
	show_events
	refused 125 'PAPI_l1_dcm: this processor lacks L1D_CACHE_REFILL: its PMU (armv8_pmuv3) does not list event 0x3' PAPI_l1_dcm
}

@test "names: :u and :k override the modes of the set" {
	"$CPUTRACK" -n -T 0 --format=csv -o "$T/rows" -c INST_RETIRED:u,INST_RETIRED,INST_RETIRED:k,INST_RETIRED:u:k,nouser,sys \
		"$PROG/turns" 345
	# The counters start one after the other, so they differ by what the kernel executes in between.
	awk -F, -v user="$(instructions 345)" '
		{ v[$8] = $10 }
		function near(a, b) { return a > 1000 && a - b < 1000 && b - a < 1000 }
		END { exit !(v[0] == user && near(v[1], v[2]) && near(v[3], v[2] + user)) }' "$T/rows"
}

@test "names: attributes set the fields of the register" {
	truth=$(instructions 345)
	counts 345 "$truth" -c INST_RETIRED,long0,0x8,long1=1,0x3,event2=8
	# Event 3 is L1D_CACHE_REFILL, which QEMU does not count.
	counts 345 0 -c INST_RETIRED,event=3
	refused 2 "bad token 'edge'" INST_RETIRED,edge
	refused 2 'event' INST_RETIRED,event=0x10000
	refused 2 "event=0x10000" armv8_pmuv3/event=0x10000/
	# The kernel would cut this number to 8.
	refused 2 'the fields of PMU armv8_pmuv3 do not hold this number' 0x10008
}

@test "names: an event that no counter can count is refused before the program starts" {
	refused 125 'branches: the counters of this processor cannot count this event (type 0, config 0x4)' branches
	refused 125 'nosuch: neither an event nor a field of PMU armv8_pmuv3' armv8_pmuv3/nosuch/
	refused 125 "this machine has no PMU 'armv9'" armv9/cpu_cycles/
	refused 125 'PAPI_br_tkn: no event of this processor counts it (tried ' PAPI_br_tkn
	refused 125 'PAPI_ca_snp: no processor of today counts it' PAPI_ca_snp
}

@test "names: names of other processors are refused, and for an unknown name the nearest is suggested" {
	refused 125 "$other::INST_RETIRED: this event is of $other, but this processor is $title ($pmu)" "$other::INST_RETIRED"
	refused 2 "did you mean 'L1D_CACHE_REFILL'" L1D_CACHE_RFILL
	refused 2 "did you mean 'PAPI_tot_ins'" PAPI_TOT_INS
	refused 2 'invalid event attribute' INST_RETIRED:nosuch
	refused 2 'for sampling' INST_RETIRED:period=1000
	case $pmu in
	arm_n1) refused 2 "did you mean 'BR_RETIRED'" BR_RETIRE ;;
	*) refused 2 "'L1D_CACHE_ACCESS'" L1D_CACHE ;;
	esac
}

@test "names: only the Neoverse N1 has stall events" {
	# QEMU has no stalls: the count stays 0.
	if [ $pmu = arm_n1 ]; then
		counts 345 0 -c STALL_FRONTEND,STALL_BACKEND,armv8_pmuv3/stall_frontend/,STALLED-CYCLES-FRONTEND
	else
		refused 125 'cannot count this event' STALLED-CYCLES-FRONTEND
		refused 2 "bad token 'STALL_FRONTEND'" STALL_FRONTEND
	fi
}
