# --explain: how events would be programmed. The transcripts in golden/explain are commands with all
# that they print. Of output that differs between machines, only parts are compared.

bats_require_minimum_version 1.5.0

load helper

TRANSCRIPTS=${GOLDEN:-$BATS_TEST_DIRNAME/golden}/explain

cputrack() { "$CPUTRACK" "$@"; }
cpustat() { "$CPUSTAT" "$@"; }
perfex() { "$PERFEX" "$@"; }

# transcript FILE: run the commands after "$ " in FILE, and print them with their output and status.
transcript() {
	local line status
	while read -r line; do
		status=0
		printf '%s\n' "\$ $line"
		eval "$line" < /dev/null 2>&1 || status=$?
		printf 'status %d\n\n' "$status"
	done < <(sed -n 's/^\$ //p' "$1")
}

# same NAME: the commands of the transcript NAME print the same as before.
same() {
	unset CPC_ENGINE T5_EVENT0 T5_EVENT1
	transcript "$TRANSCRIPTS/$1" > "$T/now"
	diff "$TRANSCRIPTS/$1" "$T/now"
}

@test "explain: MIPS R10000 and R12000, control words" {
	same r10000
	same r12000
}

@test "explain: UltraSPARC, %pcr" {
	same us12
	same us3
	same us3plus
	same us3i
	same us4plus
}

@test "explain: UltraSPARC T1 and T2, SPARC64 VI, %pcr" {
	same ultrasparc_t1
	same ultrasparc_t2
	same sparc64_vi
}

@test "explain: Pentium, P6, Core 2, Opteron, event selects" {
	same p5mmx
	same p6
	same core2
	same opteron_k8
}

@test "explain: Pentium 4, ESCRs and CCCRs" { same p4; }

@test "explain: Itanium 2, PMCs, PMDs and debug registers" { same itanium2; }

@test "explain: Itanium 2, why sets cannot be programmed" { same itanium2_refused; }

@test "explain: Lightweight Profiling" { same lwp; }

@test "explain: software events, perf_event_attr" {
	may_count_kernel || skip "system mode may not be counted"
	same software
}

@test "explain: tables without registers, and the model" {
	"$CPUTRACK" --engine=sim --explain -c insn > "$T/sim" || skip "$(sed -n 's/.*cannot be counted: //p' "$T/sim")"
	same generic
	same linux
}

@test "explain: every table has a transcript" {
	local table
	while read -r table; do
		grep -qE "^\\$ .*--cpu[= ]$table " "$TRANSCRIPTS/$table" || { echo "$table"; return 1; }
	done < <(sed 's/[[:space:]]*#.*//; /^$/d' "$BATS_TEST_DIRNAME/../events/order")
}

@test "explain: each command has the option, and neither runs a program nor counts" {
	local command
	for command in "$CPUTRACK" "$PERFEX"; do
		opt=-c
		[ "$command" = "$CPUTRACK" ] || opt=-e
		run -0 "$command" --explain $opt page-faults touch "$T/ran"
		[ ! -e "$T/ran" ]
		[[ $output == *"config=2 "* ]]
	done
	run "$CPUSTAT" --explain -c page-faults 1 1
	[[ $output == *"config=2 "* ]]
	[ "$status" -eq 0 ] || ! may_count_cpus
	run -0 "$CPUTRACK" --explain -c page-faults
	run -0 "$PERFEX" --explain -e page-faults
}

# Events are tried on a CPU, so that an event that CPUs cannot count is not called exact.
@test "explain: cpustat explains an event as counting it ends" {
	local event
	need_cpus
	for event in cpu-clock cycles; do
		run "$CPUSTAT" -c $event 0.01 1
		local counts=$status
		run "$CPUSTAT" --explain -c $event
		[ "$status" -eq "$counts" ]
		[[ $status -eq 0 && $output == *"values: "* || $status -eq 125 && $output == *"cannot be counted: $event: "* ]]
	done
}

@test "explain: cpustat programs Itanium 2 for CPUs, cputrack for threads" {
	run -0 "$CPUSTAT" --cpu itanium2 --explain -c CPU_CYCLES
	[[ $output == *"PMC4 = 0x1268"* ]]
	run -0 "$CPUTRACK" --cpu itanium2 --explain -c CPU_CYCLES
	[[ $output == *"PMC4 = 0x1228"* ]]
}

@test "explain: registers are reported without a call of perf_event_open" {
	[ -z "${SANITIZE-}" ] || skip "LeakSanitizer does not work under strace"
	command -v strace > /dev/null || skip "strace is not installed"
	strace -f -e trace=perf_event_open -o "$T/calls" true 2> /dev/null || skip "strace cannot trace here"
	strace -f -e trace=perf_event_open -o "$T/calls" "$CPUTRACK" --cpu us3 --explain -c EC_ref > /dev/null
	! grep perf_event_open "$T/calls"
}

@test "explain: JSON is well-formed and contains what the text contains" {
	command -v python3 > /dev/null || skip "python3 is not installed"
	may_count_kernel || skip "system mode may not be counted"
	"$CPUTRACK" --cpu p4 --format=json --explain -c branch_retired,emask=0xf -c pic12=machine_clear,pic13=front_end_event \
		> "$T/json" || [ $? -eq 125 ]
	"$CPUTRACK" --format=json --explain -c page-faults,cs >> "$T/json"
	python3 - "$T/json" <<-'END'
		import json, sys
		ok, clash, host = map(json.loads, open(sys.argv[1]))
		assert ok["schema"] == 1 and ok["set"] == 0 and ok["programmed"] and ok["reason"] is None
		assert ok["processor"] == "p4" and ok["engine"] is None
		[r] = ok["requests"]
		assert r["event"] == "branch_retired" and r["pic"] == 12 and r["user"] and not r["system"]
		counter, escr, cccr = r["items"]
		assert counter["value"] is None and counter["address"] == "0x30c" and counter["space"] == "MSR"
		assert escr["value"] == "0xc001e04" and escr["fields"]["event_mask"] == 15
		assert cccr["fields"]["escr_select"] == 5
		assert not clash["programmed"] and "need the same ESCR (CRU2)" in clash["reason"]
		assert clash["set"] == 1 and [q["pic"] for q in clash["requests"]] == [None, None]
		assert host["engine"] == "kernel" and [q["class"] for q in host["requests"]] == ["exact"] * 2
		assert host["requests"][0]["items"][0]["fields"]["config"] == 2
	END
}

@test "explain: exit status" {
	run -0 "$CPUTRACK" --cpu us3 --explain -c EC_ref
	run -125 "$CPUTRACK" --cpu us3 --explain -c EC_ref -c EC_ref,DC_rd
	run -2 "$CPUTRACK" --cpu us3 --explain -c EC_rex
	run -2 "$CPUTRACK" --explain
	run -2 "$CPUTRACK" --cpu none --explain -c EC_ref
	run -2 "$CPUTRACK" --cpu us3 --explain --format=csv -c EC_ref
	[[ $output == *"text or json"* ]]
	run -2 "$CPUTRACK" --cpu us3 --format=csv --explain -c EC_ref
	run -2 "$PERFEX" --explain -e 1 -e 2
	run -2 "$PERFEX" --explain -a -e 2
	"$CPUTRACK" --cpu us3 --explain -c EC_ref > /dev/full && return 1
	[ $? -ne 0 ]
}

@test "explain: a malformed specification gets the same message as when counting" {
	local spec
	for spec in EC_rex pic0=EC_ref,pic0=DC_rd EC_ref,umask=1 pic1=DC_rd; do
		"$CPUTRACK" --cpu us3 -c "$spec" true > /dev/null 2> "$T/counting" && return 1
		run -2 "$CPUTRACK" --cpu us3 --explain -c "$spec"
		diff "$T/counting" <(printf '%s\n' "$output")
	done
}

@test "explain: an event that cannot be counted is refused for the same reason" {
	local event
	for event in cycles 0x1234 page-faults; do
		if "$CPUTRACK" -n -T 0 --engine=kernel -c $event true > /dev/null 2> "$T/why"; then
			run -0 "$CPUTRACK" --engine=kernel --explain -c $event
			continue
		fi
		run -125 "$CPUTRACK" --engine=kernel --explain -c $event
		[[ $output == *"cannot be counted: $(sed -n '1s/^cputrack: //p' "$T/why")"* ]]
		[[ $output == *"config="* ]]
	done
}

# By LIBPFM_FORCE_PMU libpfm4 takes this machine for a Westmere (wsm), or for one whose processor it
# does not know (perf: only the kernel's own events). The event is one of the Intel Core.
@test "explain: an event of another processor, as libpfm4 encodes it" {
	local pmu why
	case $(uname -m) in
	x86_64 | i?86) ;;
	*) skip "libpfm4 has the tables of Intel's processors on x86 alone" ;;
	esac
	for pmu in wsm perf; do
		case $pmu in
		wsm) why="this event is of core, but this processor is Intel Westmere" ;;
		perf) why="libpfm4 knows this event of other processors (core), but does not know this processor" ;;
		esac
		export LIBPFM_FORCE_PMU=$pmu
		run -0 "$CPUTRACK" --explain -c core::INST_RETIRED:LOADS:c=2,sys
		[[ $output == *"core::INST_RETIRED:LOADS:"* && $output == *"config=0x20001c0 "* ]]
		[[ $output == *"exclude_kernel=0"* && $output == *"note: "*"$why"* ]]
		# Only --explain knows the event.
		run -125 "$CPUTRACK" -c core::INST_RETIRED:LOADS true
		[[ $output == *"$why"* ]]
		LIBPFM_ENCODE_INACTIVE=1 run -125 "$CPUTRACK" -c core::INST_RETIRED:LOADS true
		[[ $output == *"$why"* ]]
	done
}

@test "explain: an event of a table names the event that counts it, or would" {
	run "$CPUTRACK" --engine=kernel --explain -c PAPI_tot_ins
	[[ $output == *"engine kernel"* && $output == *"counted as perf::INSTRUCTIONS"* ]]
	[[ $output == *"type=0 (PERF_TYPE_HARDWARE) config=1 "* ]]
	if [[ $output == *"would be counted"* ]]; then
		[ "$status" -eq 125 ]
		[[ $output == *"cannot be counted: PAPI_tot_ins: "* ]]
	else
		[ "$status" -eq 0 ]
	fi
}

@test "explain: perfex counts events with numbers first, by number, and others in their order" {
	run "$PERFEX" --explain -e page-faults -e 21 -e task-clock -e 9
	[ "$(grep '^set' <<< "$output")" = $'set 0: r10000::L1I_MISS\nset 1: r10000::FP_GRAD\nset 2: page-faults\nset 3: task-clock' ]
}
