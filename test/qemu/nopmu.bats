# A machine without hardware counters. libpfm4 finds the processor by its name only, so it knows the processor's events.

bats_require_minimum_version 1.5.0
load ../helper

none='this virtual machine has no hardware counters (no core PMU in /sys/bus/event_source/devices); count software events or breakpoints, or run where the hypervisor passes the counters on'

# refused REASON OPTION...: cputrack does not start the program, and its first message is REASON.
refused() {
	local reason=$1
	shift
	run -125 "$CPUTRACK" -T 0 -o "$T/rows" "$@" touch "$T/made"
	[ "${lines[0]}" = "cputrack: $reason" ]
	[ ! -e "$T/made" ]
}

@test "nopmu: every kind of hardware event is refused with the reason and the next step" {
	for name in INST_RETIRED arm_ac57::CPU_CYCLES:u 0x8 r11 cycles L1-dcache-loads; do
		refused "$name: $none" -c $name
	done
}

@test "nopmu: generic names and names of old processors are refused, too" {
	for name in PAPI_tot_ins EC_ref r10000::CYCLES0; do
		refused "$name: $none" -c $name
	done
	refused "15: $none" --cpu=r10000 -c 15
	# No machine of today has this event, with or without counters.
	refused 'PAPI_ca_snp: no processor of today counts it (Requests for snoops)' -c PAPI_ca_snp
}

@test "nopmu: a PMU by its name is refused, too" {
	for name in armv8_pmuv3/cpu_cycles/ armv8_pmuv3/event=0x8/; do
		refused "$name: this machine has no PMU 'armv8_pmuv3' (see /sys/bus/event_source/devices)" -c $name
	done
}

@test "nopmu: hardware events are refused with other events, modes, formats and --strict, too" {
	refused "INST_RETIRED: $none" -c task-clock,INST_RETIRED
	refused "INST_RETIRED: $none" -c INST_RETIRED,sys
	refused "INST_RETIRED: $none" --strict -c INST_RETIRED
	refused "INST_RETIRED: $none" --format=json --engine=kernel -c INST_RETIRED
}

@test "nopmu: a running process is released when its events are refused" {
	start "$T/out" "$PROG/act" park
	pid=$(ready_pid "$T/out")
	run -125 "$CPUTRACK" -T 0.1 -N 1 -c INST_RETIRED -p "$pid"
	[[ $output == "cputrack: INST_RETIRED: $none"* ]]
	until_true runs_freely "$pid"
	kill "$pid"
	finish "$pid" || [ $? -eq 143 ]
}

@test "nopmu: software events and breakpoints are counted" {
	run -0 "$CPUTRACK" --strict -n -T 0 --format=csv -c "task-clock,page-faults,$(hit_event oracle)" \
		"$PROG/oracle" seq 1
	awk -F, '{ v[$9] = $10 } END { exit !(v["task-clock"] > 0 && v["page-faults"] > 0) }' <<< "$output"
	ORACLE=$T/truth oracle seq 1
	run -0 every_lwp "$T/truth" "$T/csv"
}

@test "nopmu: --list has the events that can be counted, and for a name that cannot the reason" {
	run -0 "$CPUTRACK" --quiet --format=csv --list
	[ "$(awk -F, 'NR > 1 && $5 != "software"' <<< "$output")" = '' ]
	[[ $output == *$'\npage-faults,'* ]]
	run -0 "$CPUTRACK" --list=INST_RETIRED
	grep -q "^INST_RETIRED  *unavailable .*\[$none\]\$" <<< "$output"
	run -0 "$CPUTRACK" --list=PAPI_tot_ins
	grep -q "^PAPI_tot_ins  *unavailable .*\[$none\]\$" <<< "$output"
}

@test "nopmu: -h and --doctor report that there are no hardware counters" {
	run -0 "$CPUTRACK" -h
	[[ $output == *'interface: Linux perf_event (no hardware counters)'* ]]
	[[ $output != *INST_RETIRED* ]]
	run -0 "$CPUTRACK" --doctor
	# Whether there are BPF programs depends on the build, too.
	diff <(grep -v "BPF programs" <<< "$output") - <<-'END'
		-        counters                 Linux perf_event (no hardware counters)
		ok       perf_event_paranoid      3: nothing without CAP_SYS_ADMIN (which this process has)
		ok       user mode                events of this user's processes can be counted
		ok       system mode              also what the kernel does for them
		ok       whole CPUs               all that runs there can be counted (cpustat)
		missing  hardware counters        this virtual machine shows none to its kernel; software events and breakpoints can be counted; the hypervisor may be able to pass counters on (vPMU)
		ok       breakpoints              mem:ADDR events can be counted
		-        energy                   the kernel shows no counters of energy (RAPL, PMU power)
		-        uncore                   the kernel shows no PMUs of packages or memory controllers
		-        hybrid cores             the kernel shows at most one kind of core
		missing  simulator                the simulator runs only on x86-64
		ok       ptrace                   programs that are started can be tracked
		ok       attach (-p)              every process can be attached to
		missing  records of LWPs          this kernel cannot record what each LWP has counted; Linux 6.12 and later may
		ok       file descriptors         1024 of up to 4096; each live LWP needs one for each event of its set
	END
}

@test "nopmu: events of a later set are refused before the program starts, too" {
	run -125 "$CPUTRACK" -T 0.1 -c task-clock -c INST_RETIRED touch "$T/made"
	[[ $output == *'INST_RETIRED: this virtual machine has no hardware counters'* ]]
	[ ! -e "$T/made" ]
}
