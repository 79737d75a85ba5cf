# cpustat on a machine without hardware counters.

bats_require_minimum_version 1.5.0
load ../helper

none='this virtual machine has no hardware counters (no core PMU in /sys/bus/event_source/devices); count software events or breakpoints, or run where the hypervisor passes the counters on'

# refused NAME OPTION...: cpustat counts nothing, and its first message is that there are no counters for event NAME.
refused() {
	local name=$1
	shift
	run -125 --separate-stderr "$CPUSTAT" -O "$T/file" "$@" 0.05 2
	[ "${stderr_lines[0]}" = "cpustat: $name: $none" ]
	[ -z "$output" ]
	[ ! -e "$T/file" ]
}

@test "cpustat nopmu: hardware events are refused with the reason and the next step" {
	local name
	for name in INST_RETIRED arm_ac57::CPU_CYCLES:u 0x8 cycles L1-dcache-loads PAPI_tot_ins EC_ref r10000::CYCLES0; do
		refused $name -c $name
	done
	refused INST_RETIRED -c page-faults,INST_RETIRED
	refused INST_RETIRED --strict --format=json -c INST_RETIRED,sys
	# The event is refused in a later set, too.
	refused INST_RETIRED -c page-faults -c INST_RETIRED
}

@test "cpustat nopmu: software events are counted" {
	"$CPUSTAT" --strict --format=csv -n -c cpu-clock,page-faults,context-switches -c minor-faults 0.1 4 > "$T/csv" 2> "$T/err"
	[ ! -s "$T/err" ]
	awk -F, '
		$15 != "exact" || $13 != $14 { bad = 1 }
		$3 == "tick" && $10 == "cpu-clock" && ($11 < 0.099e9 || $11 > 0.101e9) { bad = 1 }
		$3 == "total" { total[$10] = $11 }
		END { exit bad || NR != 2 * 3 + 2 * 1 + 4 || !total["context-switches"] }' "$T/csv"
}

@test "cpustat nopmu: -h and --doctor report that there are no hardware counters" {
	run -0 "$CPUSTAT" -h
	[[ $output == *'interface: Linux perf_event (no hardware counters)'* ]]
	run -0 "$CPUSTAT" --doctor
	grep -q '^missing  hardware counters ' <<< "$output"
	grep -q '^ok       user mode ' <<< "$output"
}
