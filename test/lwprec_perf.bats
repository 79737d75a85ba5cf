# lwprec record of perf events: what it records and refuses, with and without a PMU. recording.py reads the
# recordings, without the library.

bats_require_minimum_version 1.5.0
load helper

setup() {
	[ -x "$LWPREC" ] || skip 'lwprec is not built here'
	"$PROG/act" may user 2> /dev/null || skip 'perf events are not allowed here'
	cd "$T"
}

record() { bounded env -u CPC_ENGINE "$LWPREC" record "$@"; }
recording() { python3 "$BATS_TEST_DIRNAME/recording.py" "$@"; }

# has_pmu: the machine has a PMU of its cores.
has_pmu() { compgen -G '/sys/bus/event_source/devices/*/cpus' > /dev/null || [ -e /sys/bus/event_source/devices/cpu ]; }
no_pmu() { ! has_pmu || skip 'this machine has a PMU'; }

# of_thread NAME FILE: print the function of most records of the thread with this name, and its part in percent.
of_thread() {
	"$LWPREC" decode --quiet --format=csv -F tid,symbol "$2" | awk -F, -v tids="$(recording facts "$2" |
		sed -n "s/^thread=\([0-9]*\) $1\$/\1/p")" '
		BEGIN { split(tids, list, "\n"); for (i in list) wanted[list[i]] = 1 }
		$1 in wanted { sub(/\+.*/, "", $2); n[$2]++; all++ }
		END { for (f in n) if (n[f] > n[best]) best = f; print best, int(100 * n[best] / all) }'
}

@test "lwprec perf: clock ticks of a program, a thread and a child, each in its own ring" {
	record --quiet --engine=kernel -o r -e cnh:200000 "$PROG/busy"
	recording facts r > facts
	has '^event=5 200000 [0-9-]* cnh perf\\040' facts
	has '^clock=CLOCK_MONOTONIC$' facts
	has '^program=.*/prog/busy$' facts
	[ "$(grep -c '^ring=' facts)" -eq 2 ]
	read -r function percent < <(of_thread busy r)
	[ "$function" = busy_main ]
	[ "$percent" -ge 50 ]
	read -r function percent < <(of_thread worker r)
	[ "$function" = busy_thread ]
	[ "$percent" -ge 50 ]
	local child=(r.*.1)
	[ "${#child[@]}" -eq 1 ]
	[ "$(recording facts "$child" | grep -c '^ring=')" -eq 1 ]
	read -r function percent < <(of_thread busy "$child")
	[ "$function" = busy_child ]
	[ "$percent" -ge 50 ]
	# records of user mode only, in the order of time
	recording records r > records
	[ -z "$(awk '$2 != 5 || $NF ~ /^0xffff/ { print }' records)" ]
	[ -z "$(awk '$1 == ring && $8 < time { print } { ring = $1; time = $8 }' records)" ]
}

@test "lwprec perf: each process image has a recording: fork, exec, and libraries that it maps" {
	record --quiet --engine=kernel -o r -e cnh:100000 sh -c '"$0"; exec "$0" 20' "$PROG/busy"
	for file in r r.*; do
		recording facts "$file" | sed -n 's/^command=//p'
	done | sed 's/\\.*//; s:.*/::' | sort > commands
	# the shell and its exec, busy of the child and the children of both; the shell that forked may have no record
	[ "$(grep -c '^busy$' commands)" -eq 4 ]
	has '^sh$' commands
	# what the shell has mapped after its start, until the exec
	[ -n "$(recording facts r | awk '/^mapping=.*libc/ && $4 != "-"')" ]
	lacks '^mapping=.*/prog/busy$' <(recording facts r)
}

@test "lwprec perf: without a PMU, cnh and rnh come from cpu-clock, which the recording and notes say" {
	no_pmu
	record -o r -e cnh,rnh:500000 "$PROG/busy" 2> err
	has '^lwprec: cnh: perf cpu-clock:u, ns in place of cycles, a record each 1000000 ns: this machine has no such counter$' err
	has '^lwprec: rnh: perf cpu-clock:u, ns in place of reference cycles, a record each 500000 ns: ' err
	recording facts r > facts
	has '^event=5 1000000 - cnh perf\\040cpu-clock:u,\\040ns\\040in\\040place\\040of\\040cycles$' facts
	has '^event=6 500000 - rnh perf\\040cpu-clock:u,\\040ns\\040in\\040place\\040of\\040reference\\040cycles$' facts
	"$LWPREC" report r > report
	has '^  cnh: perf cpu-clock:u, ns in place of cycles, a record for each 1000000$' report
	"$LWPREC" decode r 2>&1 | has 'perf cpu-clock:u, ns in place of cycles' -
	# not exact
	status=0
	record --quiet --strict -o r -e cnh "$PROG/nop" || status=$?
	[ "$status" -eq 125 ]
}

@test "lwprec perf: without a PMU, other events are refused, and the simulator stays the default" {
	no_pmu
	run -125 record --engine=kernel -e ire touch made
	[ "$output" = 'lwprec: -e: ire: this machine has no counter of instructions that can interrupt; --engine=sim simulates instructions' ]
	run -125 record --engine=kernel -e bre:1000 touch made
	[ "$output" = 'lwprec: -e: bre: this machine records neither stacks of branches nor ops (PMU ibs_op); --engine=sim simulates branches' ]
	run -125 record --engine=kernel -e cnh,dme touch made
	[ "$output" = 'lwprec: -e: dme: this machine does not record addresses and latencies of loads (event mem-loads, PMU ibs_op); --engine=sim simulates misses' ]
	[ ! -e made ]
	[ ! -e lwprec.core ]
	[ -x "$(dirname "$LWPREC")/../sim/cpcsim-launch" ] || skip 'the simulator is not built here'
	record -o r -e dme:1 "$PROG/nop" 2> err
	has '^lwprec: simulated r10000, ' err
}

@test "lwprec perf: with a PMU, instructions are recorded and counted" {
	has_pmu || skip 'this machine has no PMU'
	record --engine=kernel -o r -e ire:100000 "$PROG/busy" 2> err
	has '^lwprec: ire: perf instructions:up*, a record each 100000$' err
	read -r function percent < <(of_thread busy r)
	[ "$function" = busy_main ]
	# the count of the events, of which each 100000th has a record or was missed
	[ "$(recording facts r | awk '/^event=2 / { print $3 }')" -gt 1000000 ]
}

@test "lwprec perf: a program that ends before the first record" {
	record --quiet --engine=kernel -o r -e cnh:33000000 "$PROG/nop"
	run -0 "$LWPREC" decode -n r
	[ "$output" = 'lwprec: there are no records in r' ]
	run -0 "$LWPREC" decode --quiet -n r
	[ -z "$output" ]
}

@test "lwprec perf: bad use" {
	run -2 record --engine=kernel -e nothing true
	[ "${lines[0]}" = "lwprec: -e: perf events do not give records of 'nothing': choose ire, bre, dme, cnh or rnh" ]
	run -2 record --engine=kernel -e cnh:0 true
	[ "${lines[0]}" = "lwprec: -e cnh: the interval '0' is not a number from 1 to 33554432" ]
	run -2 record --engine=kernel -e cnh:100000,cnh true
	[ "${lines[0]}" = 'lwprec: -e: cnh is given twice' ]
	run -2 record --engine=none -e cnh true
	[ "${lines[0]}" = "lwprec: --engine: 'none' is not auto, sim or kernel" ]
	echo old > r
	run -127 record --engine=kernel -e cnh -o r "$T/missing"
	[ "$(cat r)" = old ]
	run -125 record --engine=kernel -e cnh -o "$T/none/r" touch started
	[ ! -e started ]
}

@test "lwprec perf: the status is the command's, also of a signal, and the recording is complete" {
	run -7 record --quiet --engine=kernel -o r -e cnh sh -c 'exit 7'
	[ -s r ]
	run -137 record --quiet --engine=kernel -o k -e cnh:100000 sh -c '"$0"; kill -KILL $$' "$PROG/busy"
	[ "$(recording sums k | awk '$1 == "missed" { print $2 }')" -eq 0 ]
	[ -s k ]
}

@test "lwprec perf: many threads, each recorded" {
	record --quiet --engine=kernel -o r -e cnh:100000 bash -c 'for i in 1 2 3 4 5 6 7 8; do "$0" 5 & done; wait' "$PROG/busy"
	# eight programs, and the child of each
	[ "$(for file in r.*; do recording facts "$file"; done | grep -c '^program=.*/busy$')" -eq 16 ]
}

# recorded EVENT: record a program that counts until it is killed and ignores SIGINT; sets $lwprec and $program.
recorded() {
	rm -f r
	start out env -u CPC_ENGINE "$LWPREC" record --engine=kernel -o r -e "$1" \
		sh -c 'trap "" INT; echo "ready $$"; while :; do :; done'
	lwprec=$!
	program=$(ready_pid out)
	started+=("$program")
}

@test "lwprec perf: signals that end lwprec leave what was recorded, and nothing runs on" {
	local status=0
	recorded cnh:100000
	until_true used_cpu 10
	stop_by INT "$lwprec"
	wait "$lwprec" || status=$?
	[ "$status" -eq 130 ]
	until_true is_gone "$program"
	[ "$(recording sums r | awk '$1 == "cnh" { print $3 }')" -gt 0 ]
}

# used_cpu TICKS: the program has used so much processor time.
used_cpu() { awk -v ticks="$1" '{ exit $14 < ticks }' "/proc/$program/stat"; }

@test "lwprec perf: samples that lwprec does not read in time are missed, and reported" {
	local ticks status=0
	recorded cnh:20000
	kill -STOP "$lwprec"
	ticks=$(awk '{ print $14 + 100 }' "/proc/$program/stat")
	until_true used_cpu "$ticks"
	kill -CONT "$lwprec"
	kill -KILL "$program"
	finish "$lwprec" || status=$?
	[ "$status" -eq 137 ]
	grep -Eq '^lwprec: [0-9]+ events have records, and [0-9]+ more were missed: give -e a longer interval$' out.err
	[ "$(recording sums r | awk '$1 == "missed" { print $2 }')" -gt 0 ]
}
