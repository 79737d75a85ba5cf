#!/bin/sh
# demo.sh CPUTRACK PERFEX WORKLOAD: cputrack on a program with threads, a fork and execs, with what this
# machine can count, and cpustat, which is beside cputrack, while it runs; then perfex and cputrack with
# events of processors of old, which are simulated where there are no such counters. Each command line is
# printed before it runs.
set -eu

cputrack=$1
perfex=$2
workload=$3
cpustat=${cputrack%/*}/cpustat

show() {
	printf '\n$ %s\n' "$*"
	"$@"
}

# Taken from trying: a virtual machine's processor may have events that cannot be counted, and users may
# not be allowed to count what happens in the kernel. The last choice needs nothing.
events=
for choice in instructions,cycles task-clock,page-faults,context-switches; do
	if "$cputrack" -n -T 0 -c "$choice" true >/dev/null 2>&1; then
		events=$choice
		break
	fi
done
: "${events:=task-clock,page-faults,minor-faults}"

echo "A program with three threads that sort, hash and compute, and a child that runs gzip in a shell."
echo "Counted in each of its LWPs: $events (in the order of the columns)."

show "$cputrack" -T 0.5 -fev -c "$events" "$workload"

echo
echo "Again as CSV, of which the totals of processes; standard error has a note on what is not in the rows."
printf '\n$ %s\n' "$cputrack -T 0 -fe --format=csv -c $events $workload | grep -E '^time|,exit,'"
"$cputrack" -T 0 -fe --format=csv -c "$events" "$workload" | grep -E '^time|,exit,'

echo
echo "Each CPU for a second, while the program runs once more. Whole CPUs are counted by root, or by all"
echo "users where kernel.perf_event_paranoid is 0 or less."
events=instructions,cycles
"$cputrack" --engine=kernel -n -T 0 -c $events true >/dev/null 2>&1 ||
	events=task-clock,page-faults,context-switches
"$workload" >/dev/null &
show "$cpustat" -c $events 0.5 2 || echo "(Not here, for the reason above.)"
wait $!

echo
echo "What sort does, on a MIPS R10000: all 32 events, and what they cost in time. Where this machine has no"
echo "such counters, the program runs on a model of the processor, instruction by instruction."
show "$perfex" -a -y sort -o /dev/null "$0" ||
	echo "(There are neither counters nor the simulator here: $perfex --doctor tells.)"

echo
echo "And the second-level cache of an UltraSPARC, in each process of a pipe."
show "$cputrack" -fe -T 0 -c EC_ref,EC_hit sh -c "sort $0 | gzip -c | wc -c" || :
