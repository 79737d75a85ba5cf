# BPF programs count LWPs on two CPUs, of which one goes offline and comes back. Breakpoints are counted exactly there,
# unlike instructions (smp.bats).

bats_require_minimum_version 1.5.0
load ../helper

online=/sys/devices/system/cpu/cpu1/online
absent='LWPs ran on a CPU that came online during the run, which BPF programs do not count'

setup() {
	echo 1 > $online
}

@test "tracker smp: LWPs are counted exactly while a CPU goes offline" {
	start "$T/out" bash -c "while sleep 0.02; do echo 0 > $online; sleep 1000; done"
	oracle comp 8 -T 0.05 --tracker=bpf 2> "$T/err"
	every_lwp "$T/truth" "$T/csv"
	[ "$(cat $online)" -eq 0 ]
	! grep -v 'late$' "$T/err"
}

@test "tracker smp: what ran on a CPU that came online has no value, which a note says, and other LWPs are exact" {
	local how n
	for how in "echo 0 > $online; echo 1 > $online" "echo 1 > $online"; do
		[[ $how == 'echo 0'* ]] || echo 0 > $online
		# shellcheck disable=SC2016 # variables of the command
		"$CPUTRACK" --tracker=bpf -n -fev -T 0 --format=csv -o "$T/csv" -c page-faults,INST_RETIRED bash -c "$how"'
			taskset -c 1 "$0" 1000000; taskset -c 0 "$0" 1000000' "$PROG/turns" 2> "$T/err"
		awk -F, '$5 == "exit" && $NF == "turns" && $9 == "INST_RETIRED" { print $10, $14 }' "$T/csv" | sort > "$T/values"
		diff "$T/values" - <<-END
			 unavailable
			$((2 * 1000000 + 5 * 7 + 8)) exact
		END
		n=$(grep -c "^cputrack: \(page-faults\|INST_RETIRED\): not counted in [0-9]* of [0-9]* rows: $absent\$" "$T/err")
		[ "$n" -eq 2 ]
		[ "$(wc -l < "$T/err")" -eq 2 ]
	done
}
