# A PMU that cannot count instructions. QEMU's cannot if QEMU itself does not count them (run -i off).

bats_require_minimum_version 1.5.0
load ../helper

@test "noinst: names of instructions are refused, and cycles are counted" {
	for name in instructions PAPI_tot_ins Instr_cnt; do
		run -125 "$CPUTRACK" -T 0 -c $name touch "$T/made"
		[[ $output == "cputrack: $name: the counters of this processor cannot count this event (type 0, config 0x1); choose another"* ]]
	done
	run -125 "$CPUTRACK" -T 0 -c armv8_pmuv3/inst_retired/ touch "$T/made"
	[[ $output == *'inst_retired: neither an event nor a field of PMU armv8_pmuv3'* ]]
	[ ! -e "$T/made" ]
	run -125 "$CPUTRACK" -T 0 -c INST_RETIRED touch "$T/made"
	[[ $output == *'INST_RETIRED: this processor lacks this event: its PMU (armv8_pmuv3) does not list event 0x8'* ]]
	[ ! -e "$T/made" ]
	# Cycles follow the host's clock, so their number varies.
	run -0 "$CPUTRACK" -n -T 0 --format=csv -c cycles "$PROG/turns" 1000000
	[ "$(cut -d, -f10 <<< "$output")" -gt 10000 ]
}

@test "noinst: an event number is passed on, and stays 0 if the PMU cannot count the event" {
	# The architecture allows any number in the register.
	run -0 "$CPUTRACK" -n -T 0 --format=csv -c 0x8,armv8_pmuv3/event=0x8/ "$PROG/turns" 1000
	[ "$(cut -d, -f8,10,14 <<< "$output")" = $'0,0,exact\n1,0,exact' ]
}
