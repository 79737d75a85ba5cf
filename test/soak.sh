#!/bin/sh
# soak.sh [TICKS]: cputrack takes TICKS (1,000,000) samples, one each millisecond, of a program that has one page
# fault each millisecond. Checks that no row is lost, that the last deadline is not late, that the counts add up,
# and that cputrack's memory and descriptors do not grow. Environment: B, the build folder; CPUTRACK.
set -eu

ticks=${1:-1000000}
cd "$(dirname "$0")/.."
B=${B:-build}
cputrack=${CPUTRACK:-$B/bin/cputrack}

tmp=$(mktemp -d)
tool=
program=
cleanup() {
	[ -z "$tool" ] || kill -KILL "$tool" 2> /dev/null || :
	[ -z "$program" ] || kill -KILL "$program" 2> /dev/null || :
	rm -rf "$tmp"
}
trap cleanup EXIT
trap 'exit 1' INT TERM HUP

bad=0
fail() {
	echo "FAIL: $*"
	bad=1
}

mkfifo "$tmp/rows"
# Columns: 1 time, 2 pid, 5 event, 10 value.
awk -F, '
	NR == 1 { next }
	NR == 2 { print $2 > pidfile; close(pidfile) }
	$5 == "tick" { if (n++ == 0) first = $10; else if ($1 - t > gap) gap = $1 - t; sum += $10; t = $1; next }
	{ other++ }
	END { printf "%d %.6f %.6f %d %d %d\n", n, t, gap, sum, first, other }' \
	pidfile="$tmp/pid" "$tmp/rows" > "$tmp/summary" &
reader=$!

"$cputrack" -T 0.001 -N "$ticks" --format=csv -o "$tmp/rows" -c page-faults \
	"$B/prog/load" faults $((ticks * 2)) 2> "$tmp/err" &
tool=$!

# Prints "RSS in kB, descriptors" of cputrack; fails when cputrack has ended.
state() {
	rss=$(awk '/^VmRSS/ { print $2 }' "/proc/$tool/status" 2> /dev/null) || return 1
	fds=$(find "/proc/$tool/fd" -type l 2> /dev/null | wc -l)
	[ -n "$rss" ] && [ "$fds" -gt 0 ] && echo "$rss $fds"
}
while kill -0 "$tool" 2> /dev/null; do
	state >> "$tmp/states" || break
	sleep 1
done
status=0
wait "$tool" || status=$?
tool=
wait "$reader"
program=$(cat "$tmp/pid")

read -r rows last gap sum first other < "$tmp/summary"
late=$(sed -En 's/.* ([0-9]+) ticks? (was|were) skipped.*/\1/p' "$tmp/err")
late=${late:-0}
echo "ticks requested $ticks, rows $rows, late $late; last at $last s, longest gap $gap s; faults $sum"
grep -Ev 'ticks? (was|were) skipped' "$tmp/err" || :

[ "$status" -eq 0 ] || fail "exit status $status"
[ "$other" -eq 0 ] || fail "$other rows are not ticks"
[ $((rows + late)) -eq "$ticks" ] || fail "$rows rows + $late late ticks are not $ticks"
awk -v t="$last" -v n="$ticks" 'BEGIN { late = t - n / 1000; exit late < -0.0005 || late > 0.001 }' ||
	fail "the last tick, due at $ticks ms, was taken at $last s"
# The faults before the first tick belong to the start of the program.
awk -v s="$((sum - first))" -v n="$ticks" 'BEGIN { d = s - n; exit d < -10 || d > 10 }' ||
	fail "$((sum - first)) faults in $ticks ms, not one each ms"

# The first two seconds belong to the start.
awk 'NR == 3 { rss = $1; fds = $2 } { r = $1; f = $2; if ($2 > most) most = $2 }
	END {
		if (NR < 3) { print "too short for memory and descriptors"; exit 0 }
		printf "memory %d kB, at the end %d; descriptors %d, at the end %d, most %d\n", rss, r, fds, f, most
		exit r > rss + 256 || f > fds || most > fds + 2
	}' "$tmp/states" || fail "memory or descriptors grow"

kill -0 "$program" || fail "the program does not run on after the last sample"
[ $bad -eq 0 ] && echo ok
exit $bad
