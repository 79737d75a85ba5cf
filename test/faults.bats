# What goes wrong in commands: test/faults/run lets system calls and allocations fail, here a part of them that is always
# the same; "make faults" does all.

bats_require_minimum_version 1.5.0
load helper

setup() {
	need python3
	[ -x "$PROG/failcall" ] || skip 'failcall is not built here'
}

faults() { python3 "$BATS_TEST_DIRNAME/faults/run" --seed 1 "$@"; }

# main_offset COMMAND: print the distance from the entry of a command to its main().
main_offset() { echo $((16#$(nm "$1" | awk '$3 == "main" { print $1 }') - 16#$(nm "$1" | awk '$3 == "_start" { print $1 }'))); }

# with_fault FAULT COMMAND...: run a command whose call fails as failcall.c describes; fails if the call did not come.
with_fault() {
	local fault=$1 offset
	shift
	offset=$(main_offset "$1")
	status=0
	"$PROG/failcall" -m "$offset" -f "$fault" "$T/report" "$@" > "$T/out" 2> "$T/err" || return
	has '^happened$' "$T/report" && lacks '^left' "$T/report"
	status=$(sed -n 's/^status //p' "$T/report")
}

@test "faults: system calls that fail: the same output, or 125 with words" {
	faults --loop calls --runs 100
}

@test "faults: allocations that fail: the same output, or 125 with words" {
	faults --loop memory --runs 60
	[ ! -x "$LWPREC" ] || faults --loop memory --case lwprec-report --case cpcreport-limit
}

@test "faults: the command or its program is killed: nothing stays stopped, and the output has its form" {
	faults --loop kills --runs 24
}

@test "faults: calls that do not fail prove nothing, nor does a case that does not exist" {
	mkdir "$T/prog"
	ln -s "$PROG"/* "$T/prog"
	# Without the option -f, which lets a call fail.
	printf '%s\n' '#!/bin/bash' 'args=("$@")' 'for i in "${!args[@]}"; do' \
		'	[ "${args[i]}" != -f ] || args=("${args[@]:0:i}" "${args[@]:i+2}")' 'done' \
		"exec '$PROG/failcall' \"\${args[@]}\"" > "$T/failcall"
	chmod +x "$T/failcall"
	mv -f "$T/failcall" "$T/prog/failcall"
	PROG=$T/prog run -1 faults --loop calls --runs 3 --case cputrack-explain-cpu
	[[ $output == *'WRONG calls: 0 faults happened, and 3 calls did not come'* ]]
	run -2 faults --case nonesuch
}

@test "faults: a process that a thread has started can be killed" {
	need cc
	cat > "$T/a.c" <<-'END'
		#include <pthread.h>
		#include <sys/wait.h>
		#include <unistd.h>
		static int status;
		static void *start(void *arg)
		{
			const pid_t pid = fork();
			if (!pid)
				pause();
			waitpid(pid, &status, 0);
			return arg;
		}
		int main(void)
		{
			pthread_t t;
			pthread_create(&t, NULL, start, NULL);
			pthread_join(t, NULL);
			return WTERMSIG(status);
		}
	END
	cc -static -pthread -o "$T/a" "$T/a.c"
	"$PROG/failcall" -m "$(main_offset "$T/a")" -k @100000:9:0 "$T/report" "$T/a"
	has '^happened$' "$T/report" && has '^status 9$' "$T/report"
}

@test "faults: a signal for the process that will execute the program changes nothing" {
	need_breakpoints
	local command fault
	while read -r fault command; do
		# shellcheck disable=SC2086
		"$PROG/failcall" -c "${command%% *}" -f "child/$fault:1:4:skip" "$T/report" $command -e "$(hit_event oracle)" "$PROG/oracle" one > "$T/out" 2>&1
		has '^happened$' "$T/report" && has '^status 0$' "$T/report"
		has ' 5 *$' "$T/out"
	done <<< "read.socket $PERFEX"$'\n'"read.pipe $PERFEX -mp"
}

@test "faults: a first row that cannot be read makes the status 125" {
	need_breakpoints
	local n
	# Before the row the command reads breakpoints of its own. If one cannot be read, whether they count is not known.
	for ((n = 1; n <= 4; n++)); do
		with_fault read.perf:$n:13:skip "$CPUTRACK" --tracker=ptrace -v -T 0 -c "$(hit_event oracle)" "$PROG/oracle" one
		[ "$status" -ne 125 ] || break
		[ "$status" -eq 0 ]
	done
	[ "$status" -eq 125 ]
	has 'init_lwp: lwp1: can.t access perf counters - Permission denied' "$T/err"
}

@test "faults: lwprec names the LWP whose counts cannot be read, and --strict does not accept that" {
	[ -x "$LWPREC" ] || skip 'lwprec is not built here'
	"$PROG/act" may user 2> /dev/null || skip 'perf events are not allowed here'
	local want option
	while read -r want option; do
		# shellcheck disable=SC2086
		with_fault read.perf:1:13:skip "$LWPREC" record $option --engine=kernel -o "$T/r" -e cnh:100000 "$PROG/oracle" one
		[ "$status" -eq "$want" ]
		has 'cannot read the counts of LWP [0-9]* of pid [0-9]*: Permission denied; the recording of the process has no counts' "$T/err"
		lacks 'counters were shared' "$T/err"
		python3 "$BATS_TEST_DIRNAME/recording.py" facts "$T/r" | grep -q '^event=5 100000 - cnh '
	done <<< $'0\n125 --strict'
}

@test "faults: lwprec says that a recording lacks the mappings of a process, and --strict does not accept that" {
	[ -x "$LWPREC" ] || skip 'lwprec is not built here'
	"$PROG/act" may user 2> /dev/null || skip 'perf events are not allowed here'
	local want option i
	while read -r want option; do
		# Other files of /proc may be opened before that of the mappings.
		for i in 1 2 3 4; do
			# shellcheck disable=SC2086
			with_fault "openat.proc:$i:13:skip" "$LWPREC" record $option --engine=kernel -o "$T/r" -e cnh:100000 "$PROG/oracle" one
			! has "lwprec: $T/r lacks what pid [0-9]* has mapped, .*: Permission denied" "$T/err" || break
		done
		has 'lacks what pid' "$T/err" && [ "$status" -eq "$want" ]
	done <<< $'0\n125 --strict'
}

@test "faults: perfex -mp says that a program was killed before it could be counted" {
	need_breakpoints
	local offset
	offset=$(main_offset "$PERFEX")
	"$PROG/failcall" -m "$offset" -k 1:9:0 "$T/report" "$PERFEX" -mp -e "$(hit_event oracle)" "$PROG/oracle" one 2> "$T/err"
	has '^happened$' "$T/report" && lacks '^status 0$' "$T/report"
	grep -Eq 'ended before it could be counted$|signal 9 killed it before it began$' "$T/err"
}

@test "faults: a process that ends while cputrack attaches has rows, or cputrack says that it was not counted" {
	need_breakpoints
	local offset prog i
	offset=$(main_offset "$CPUTRACK")
	# It is left to chance whether the process is killed before the first stop of a thread.
	for i in 1 2 3 4 5; do
		start "$T/prog" "$PROG/attachme" 2 0
		prog=$!
		until_true has ready "$T/prog"
		"$PROG/failcall" -m "$offset" -b "$prog" -f ptrace.SEIZE:2:3:kill "$T/report" "$CPUTRACK" -c "$(hit_event attachme)" \
			-p "$prog" > "$T/out" 2> "$T/err"
		has '^happened$' "$T/report"
		if has '^status 0$' "$T/report"; then
			has ' exit ' "$T/out"
		else
			has '^status 125$' "$T/report" && has "pid $prog ended before it could be counted" "$T/err"
		fi
	done
}

@test "faults: a process that ends before it executes its program is no lack of rights" {
	local i
	# It is left to chance whether the process has ended when it is attached to.
	for i in 1 2 3 4 5 6 7 8 9 10; do
		"$PROG/failcall" -c "$CPUTRACK" -f child/write.pipe:1:5:skip "$T/report" "$CPUTRACK" --tracker=ptrace -c page-faults true \
			> "$T/out" 2> "$T/err"
		has '^happened$' "$T/report" && has '^status 126$' "$T/report"
		[ "$(cat "$T/err")" = "cputrack: cannot execute program 'true': its process ended before it began" ]
	done
}

@test "faults: what the simulator needs is no fault of the program: 125" {
	[ -x "$(dirname "$CPUTRACK")/../sim/cpcsim-launch" ] || skip 'the simulator is not built here'
	local cmd
	for cmd in "$CPUTRACK --engine=sim -T 0 -c insn" "$PERFEX --engine=sim -e insn" "$PERFEX -mp --engine=sim -e insn"; do
		# shellcheck disable=SC2086
		with_fault ftruncate:1:5:skip $cmd "$PROG/exactly"
		[ "$status" -eq 125 ]
		has 'cannot create the file for the counts of a simulated run: Input/output error' "$T/err"
		# shellcheck disable=SC2086
		run -125 bounded env CPC_SIM_DIR="$T" $cmd "$PROG/exactly"
		[[ $output == *"no simulator"*"$T"* ]]
	done
}

@test "faults: a program that a simulated program executes needs the simulator: 125" {
	local launcher
	launcher=$(dirname "$CPUTRACK")/../sim/cpcsim-launch
	[ -x "$launcher" ] || skip 'the simulator is not built here'
	"$PROG/failcall" -t 60 -c "$launcher" -f child/execve:2:12:skip "$T/report" "$CPUTRACK" --engine=sim -e -T 0 -c insn \
		"$PROG/oracle" chain 1 > "$T/out" 2> "$T/err"
	has '^happened$' "$T/report" && has '^status 125$' "$T/report"
	has 'cannot execute .*: Cannot allocate memory' "$T/err"
}

@test "faults: cgroups that cannot be listed at first, but a moment later, are no wrong use: 125 with words" {
	"$CPUSTAT" --cgroup=/ -c cpu-clock 0.01 1 > /dev/null 2>&1 || skip 'counting cgroups is not allowed here'
	with_fault openat.file:1:2:skip "$CPUSTAT" --cgroup=/ -c cpu-clock 0.01 1
	[ "$status" -eq 125 ]
	has 'cannot list the cgroups: they could not be read at first, or were made meanwhile; run cpustat again' "$T/err"
}

@test "faults: a cgroup whose event is refused on one CPU has no row of this event, which would be too small" {
	"$CPUSTAT" --cgroup=/ -c cpu-clock 0.01 1 > /dev/null 2>&1 || skip 'counting cgroups is not allowed here'
	local n
	n=$(getconf _NPROCESSORS_ONLN)
	[ "$n" -gt 1 ] || skip 'needs two CPUs'
	# A probe of each event, the first event on all CPUs, and then the second one.
	with_fault "perf_event_open:$((2 + 2 * n)):13:skip" "$CPUSTAT" --cgroup=/ -c cpu-clock -c page-faults 0.01 4
	[ "$status" -eq 125 ]
	has 'page-faults: the kernel refuses this event (Permission denied)' "$T/err"
	has 'set 1 (page-faults): never counted' "$T/err"
	has ' tick .* # cpu-clock$' "$T/out" && lacks ' # page-faults$' "$T/out"
}

@test "faults: counts of a CPU that cannot be read are missing from then on, with words: also those of a cgroup" {
	local options words i
	"$CPUSTAT" --cgroup=/ -c cpu-clock 0.01 1 > /dev/null 2>&1 || skip 'counting cgroups is not allowed here'
	while read -r options words; do
		# The first reads are those of the clock and of the first places.
		for ((i = 1; i < 9; i++)); do
			# shellcheck disable=SC2086
			with_fault "read.perf:$i:5:skip" "$CPUSTAT" ${options//|/ } -c cpu-clock 0.01 4
			[ "$status" -eq 0 ] || break
		done
		[ "$status" -eq 125 ]
		grep -Eqx "cpustat: $words" "$T/err" && has ' total ' "$T/out"
	done <<-'END'
		-t cpu[0-9]+ - Input/output error
		--cgroup=/ cgroup '/' on cpu[0-9]+ - Input/output error; its rows lack this CPU from now on
	END
}

# need_records: skip the test if this kernel does not record the lives of LWPs.
need_records() {
	need_breakpoints
	"$CPUTRACK" --tracker=records -T 0 -o /dev/null -c page-faults true 2> "$T/why" || skip "$(cat "$T/why")"
}

@test "faults: records: the end of the process that holds the events is noticed" {
	need_records
	"$PROG/failcall" -t 20 -c "$CPUTRACK" -f child/write.socket:2:5:skip "$T/report" "$CPUTRACK" --tracker=records -T 0 -c page-faults true \
		2> "$T/err"
	has '^happened$' "$T/report" && lacks '^hang\|^left' "$T/report" && has '^status 125$' "$T/report"
	has 'tracker=records: no process can be created' "$T/err"
}

@test "faults: records: births on a CPU that are not recorded make the status 125" {
	need_records
	local i lost=0 n
	n=$(ncpus)
	# The first events are a breakpoint of the command's own, the probe, the event itself and its ring. A CPU that has no event
	# of all processes is tried again with one that LWPs inherit.
	for ((i = 5; i < 5 + n; i++)); do
		ORACLE=$T/truth with_fault "perf_event_open:$i-$((i + 1)):19:skip" "$CPUTRACK" --tracker=records -f -T 0 -c "$(hit_event oracle)" \
			"$PROG/oracle" tforks 2
		if [ "$status" -eq 125 ]; then
			has ' records of the lives of LWPs were lost; the row rest has what is in no other row' "$T/err"
			lost=$((lost + 1))
		else
			[ "$status" -eq 0 ]
			[ "$(grep -c ' exit  ' "$T/out")" -eq 3 ]
		fi
	done
	echo "$lost of $n CPUs"
	[ "$lost" -gt 0 ]
}

@test "faults: records: rings that cannot be mapped are refused with the limit of locked memory" {
	need_records
	local error words last=40
	# The code that writes counts of coverage at the end maps a file, too.
	[ -z "${COVERAGE-}" ] || last=7
	while read -r error words; do
		with_fault "mmap:1-$last:$error:skip" "$CPUTRACK" --tracker=records -T 0 -c page-faults touch "$T/ran"
		[ "$status" -eq 125 ]
		has "cannot map the rings for the records of the lives of LWPs: $words; kernel.perf_event_mlock_kb .* raise one of them" "$T/err"
		[ ! -e "$T/ran" ]
	done <<< $'1 Operation not permitted\n12 Cannot allocate memory'
}

# need_bpf: skip the test if BPF programs cannot count here.
need_bpf() { "$CPUTRACK" --tracker=bpf -T 0 -o /dev/null -c page-faults true 2> "$T/why" || skip "$(cat "$T/why")"; }

@test "faults: BPF: each call that prepares the programs and fails is reported, and nothing is executed" {
	need_bpf
	local i rejected=0
	for ((i = 1; i < 60; i++)); do
		with_fault "bpf:$i:7:skip" "$CPUTRACK" --tracker=bpf -T 0 -c page-faults touch "$T/ran"
		[ ! -e "$T/ran" ] || break
		[ "$status" -eq 125 ]
		grep -Eq '^cputrack: --tracker=bpf: (this kernel|cannot) .*Argument list too long\)?$' "$T/err"
		! has 'rejects the BPF program [a-z_]*: Argument list too long$' "$T/err" || rejected=$((rejected + 1))
	done
	echo "$i calls, $rejected programs"
	[ "$rejected" -ge 5 ] && [ "$rejected" -lt "$i" ] && [ "$i" -lt 60 ]
}
