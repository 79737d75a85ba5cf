#!/bin/sh
# demo.sh CPUTRACK PERFEX WORKLOAD MATRIX: run cputrack on a program with threads, a fork and execs, with events that
# this machine can count; run cpustat, from the folder of cputrack, while the program runs; then run perfex and
# cputrack with events of older processors, which are simulated if this machine has no such counters; at last
# run lwprec on a program that misses the cache. Each command line is printed before it runs. Each step says which
# one of how many it is.
set -eu

cputrack=$1
perfex=$2
workload=$3
matrix=$4
lwprec=${cputrack%/*}/lwprec
cpustat=${cputrack%/*}/cpustat

steps=6
step=0
begin=$(date +%s)

# step TEXT...: begin the next step, with lines that explain it.
step() {
	step=$((step + 1))
	printf '\n[%s of %s] ' $step $steps
	printf '%s\n' "$@"
}

show() {
	printf '\n$ %s\n' "$*"
	"$@"
}

# Choose the events by trying to count them: a virtual machine may have events that cannot be counted, and a
# user may not be allowed to count in the kernel. Everyone can count the last choice.
events=
for choice in instructions,cycles task-clock,page-faults,context-switches; do
	if "$cputrack" -n -T 0 -c "$choice" true >/dev/null 2>&1; then
		events=$choice
		break
	fi
done
: "${events:=task-clock,page-faults,minor-faults}"

echo "The demo takes about half a minute, most of it in the first two of $steps steps: 26 to 37 s on a virtual machine"
echo "with two CPUs and no counters, where programs are simulated."
step "A program with three threads that sort, hash and compute, and a child that runs gzip in a shell." \
	"Counted in each of its LWPs: $events (in the order of the columns)."

show "$cputrack" -T 0.5 -fev -c "$events" "$workload"

step "The same as CSV, of which the totals of the processes are shown at its end: after about ten seconds if the program" \
	"is simulated. A note on standard error names what the rows do not show."
printf '\n$ %s\n' "$cputrack -T 0 -fe --format=csv -c $events $workload | grep -E '^time|,exit,'"
"$cputrack" -T 0 -fe --format=csv -c "$events" "$workload" | grep -E '^time|,exit,'

step "Each CPU for a second, while the program runs again. Root may count whole CPUs; other users may if" \
	"kernel.perf_event_paranoid is 0 or less."
events=instructions,cycles
"$cputrack" --engine=kernel -n -T 0 -c $events true >/dev/null 2>&1 ||
	events=task-clock,page-faults,context-switches
"$workload" >/dev/null &
show "$cpustat" -c $events 0.5 2 || echo "(This machine cannot count whole CPUs, for the reason above.)"
wait $!

step "sort(1) on a MIPS R10000: all 32 events, and the time that they cost. If this machine has no such counters," \
	"the program runs on a model of the processor, instruction by instruction."
show "$perfex" -a -y sort -o /dev/null "$0" ||
	echo "(This machine has neither counters nor the simulator; $perfex --doctor says why.)"

step "References to the external cache of an UltraSPARC, and hits, in each process of a pipe."
show "$cputrack" -fe -T 0 -c EC_ref,EC_hit sh -c "sort $0 | gzip -c | wc -c" || :

step "Where a program that multiplies two matrices misses the data cache: the functions, the lines and the variables."
recording=$(mktemp)
trap 'rm -f "$recording"' EXIT
if [ ! -x "$lwprec" ]; then
	echo "(lwprec is not built here.)"
elif show "$lwprec" record --engine=sim -e dme:100 -o "$recording" "$matrix"; then
	show "$lwprec" report -n 3 --by=function,line,data --quiet "$recording"
else
	echo "(This machine has no simulator, for the reason above.)"
fi
printf '\nThe demo took %s s.\n' $(($(date +%s) - begin))
