# A processor that libpfm4 does not know. The kernel can count its events.

bats_require_minimum_version 1.5.0
load ../helper

# instructions N: print what `turns N` retires in user mode (turns.S). Each instruction takes one cycle.
instructions() { echo $((2 * $1 + 5 * ${#1} + 8)); }

@test "unknown: names of other processors are refused, and the message has the names that work" {
	for name in INST_RETIRED l1d_cache_refill arm_n1::INST_RETIRED; do
		run -125 "$CPUTRACK" -T 0 -c $name touch "$T/made"
		[[ $output == "cputrack: $name: libpfm4 knows this event of other processors (arm_"*'), but does not know this processor;'* ]]
		[[ $output == *'count instructions, cycles, an event number, or a name of the form pmu/event/'* ]]
	done
	[ ! -e "$T/made" ]
	run -0 "$CPUTRACK" --list=BR_RETIRED
	line=$(grep '^BR_RETIRED  *unavailable ' <<< "$output")
	[[ $line == *'but does not know this processor; count instructions'* ]]
	# A name that no processor has is refused as bad usage.
	run -2 "$CPUTRACK" -T 0 -c no_such_event touch "$T/made"
	[[ $output == *"bad token 'no_such_event'"* ]]
}

@test "unknown: instructions, cycles, numbers and pmu/event/ count exactly" {
	for events in instructions,cycles,0x8,0x11,r8,perf::INSTRUCTIONS \
		armv8_pmuv3/event=0x8/,armv8_pmuv3/inst_retired/,armv8_pmuv3/cpu_cycles/,PAPI_tot_ins,Cycle_cnt; do
		run -0 --separate-stderr "$CPUTRACK" -n -T 0 --format=csv -c $events "$PROG/turns" 12345
		awk -F, -v value="$(instructions 12345)" '
			$10 != value || $14 != "exact" { print; bad = 1 }
			END { exit bad || NR < 5 }' <<< "$output"
	done
}

@test "unknown: an event of a table is counted even if libpfm4 has other events of that name" {
	# Itanium 2 has an event CPU_CYCLES, and so have processors that libpfm4 knows.
	run -0 "$CPUTRACK" -n -T 0 -c CPU_CYCLES "$PROG/turns" 12345
	[[ ${lines[0]} == *" $(instructions 12345) "* ]]
	[ "${lines[1]}" = 'cputrack: CPU_CYCLES: counted as perf::CYCLES' ]
}

@test "unknown: -h, --doctor and --list report that libpfm4 does not know the processor" {
	run -0 "$CPUTRACK" -h
	[[ $output == *'interface: Linux perf_event, armv8_pmuv3 (not known to libpfm4)'* ]]
	run -0 "$CPUTRACK" --doctor
	[[ $output == *'ok       hardware counters        available, but libpfm4 does not know this processor: count instructions, cycles, '* ]]
	run -0 "$CPUTRACK" --list
	[[ $output == *$'\nINSTRUCTIONS  '*$'\narmv8_pmuv3/inst_retired/ '* ]]
	[[ $output != *$'\nINST_RETIRED '* ]]
}
