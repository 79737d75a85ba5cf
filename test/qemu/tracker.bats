# Kernels that do not record what an LWP has counted when it ends: --tracker=records says so, and a tracer is used instead.

bats_require_minimum_version 1.5.0
load ../helper

@test "tracker: records are refused with the reason, and nothing runs" {
	local reason='this kernel cannot record what each LWP has counted; Linux 6.12 and later may'
	case $(uname -r) in
	6.1.*) ;;
	*) reason='this kernel does not record what an LWP has counted when the LWP ends' ;;
	esac
	run -125 "$CPUTRACK" --tracker=records -T 0 -o "$T/rows" -c page-faults touch "$T/made"
	[ "$output" = "cputrack: --tracker=records: $reason" ]
	[ ! -e "$T/made" ]
}

@test "tracker: a table of threads comes from a tracer, with exact counts of a PMU" {
	run -0 --separate-stderr "$CPUTRACK" --threads --format=csv -c INST_RETIRED "$PROG/oracle" seq 3
	[ "$(awk -F, '$5 == "thread" && $10 > 0 && $14 == "exact"' <<< "$output" | wc -l)" -eq 4 ]
}
