#!/bin/sh
# demo.sh CPUTRACK WORKLOAD: cputrack on a program with threads, a fork and execs, with what this machine
# can count. Each command line is printed before it runs.
set -eu

cputrack=$1
workload=$2

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
