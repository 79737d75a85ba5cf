# Real runs of cpustat: which rows are printed, and that their values are true. The events are software events, the
# time-stamp counter and breakpoints.
#
# Runs alone: it counts whole CPUs, also how often any program executes a function.

bats_require_minimum_version 1.5.0
load helper

setup() { need_cpus; }

late() { awk '/^cpustat: [0-9]+ samples? w.* late and left out$/ { n = $2 } END { print n + 0 }' "$1"; }

# counted OPTION...: print rows to $T/out; only notes about late samples are on stderr, and about sets of which all
# samples were late.
counted() {
	bounded "$CPUSTAT" "$@" > "$T/out" 2> "$T/err" || { cat "$T/err"; return 1; }
	cat "$T/out" "$T/err"
	local allowed='late and left out$'
	[ "$(late "$T/err")" -eq 0 ] || allowed+='|never counted; a turn of all sets'
	! grep -Ev "$allowed" "$T/err"
}

# python CODE: run CODE with the objects of $T/out as rows, ticks and totals; val(row, i) is a value.
python() {
	python3 "$BATS_TEST_DIRNAME/records.py" "$T/out"
	python3 -c "
import json, sys
rows = [json.loads(line) for line in open('$T/out')][1:-1]
ticks = [r for r in rows if r['record'] == 'sample']
totals = [r for r in rows if r['record'] == 'total']
def val(r, i=0): return r['values'][i]['value']
$1"
}

@test "live: a row for each CPU and interval, in order; no sample is early; late samples are reported" {
	counted -n -c cpu-clock 0.02 6
	cpus > "$T/cpus"
	local n
	n=$(wc -l < "$T/cpus")
	[ $(($(grep -c ' tick ' "$T/out") + n * $(late "$T/err"))) -eq $((6 * n)) ]
	# Each interval is a block of all CPUs.
	while read -r time cpu _; do
		[ "$cpu" = total ] || echo "$cpu"
	done < <(grep ' tick ' "$T/out") | awk -v n="$n" '{ print > "'"$T"'/block" int((NR - 1) / n) }'
	for block in "$T"/block*; do
		diff "$T/cpus" "$block"
	done
	# A row is never before the end of its interval, and times only grow.
	awk -v n="$n" '$3 == "tick" { if ($1 < 0.0195 * (1 + int((NR - 1) / n))) exit 1; if ($1 < t[$2]) exit 1
		t[$2] = $1 }' "$T/out"
	[ "$(grep -c ' total ' "$T/out")" -eq 1 ]
	[ "$(awk '$3 == "total" { print $2 }' "$T/out")" -eq "$n" ]
}

@test "live: cpu-clock of each CPU agrees with the time" {
	counted -n -c cpu-clock 0.02 10
	awk '$3 == "tick" { s[$2] += $4; t[$2] = $1 }
		END { for (c in s) if (s[c] < 0.5e9 * t[c] || s[c] > 1.5e9 * t[c]) exit 1; exit !length(s) }' "$T/out"
}

@test "live: only user mode is counted without sys; sys0,nouser0 as for cputrack" {
	# read(2) into new pages makes page faults in the kernel.
	start "$T/load" bash -c 'while :; do dd if=/dev/zero of=/dev/null bs=512k count=1 status=none; done'
	local load=$!
	counted -n -c page-faults,page-faults,sys1,nouser1,page-faults,sys2 0.05 4
	kill -KILL "$load"
	awk '$3 == "total" { user = $4; kernel = $5; both = $6 }
		END { exit !(user > 0 && kernel > 0 && both > 0 && user + kernel >= 0.9 * both &&
			user + kernel <= 1.1 * both) }' "$T/out"
}

@test "live: -t and msr/tsc/ count the same cycles" {
	[ -r /sys/bus/event_source/devices/msr/events/tsc ] || skip "this machine lacks msr/tsc/"
	bounded "$CPUSTAT" -n -t -c msr/tsc/ 0.02 5 > "$T/out" 2> "$T/err"
	cat "$T/out" "$T/err"
	has '^cpustat: msr/tsc/: approximate, counted user and system mode together$' "$T/err"
	awk '$3 == "total" { n += $4 > 0 && $5 > 0.8 * $4 && $5 < 1.25 * $4 } END { exit n != 1 }' "$T/out"
	run -125 bash -c "'$CPUSTAT' --strict -c msr/tsc/ 0.01 1 2> /dev/null"
	[[ $output == *total* ]]
}

@test "live: totals are the sums of the rows, with the time and the number of CPUs" {
	need python3
	counted --format=json -t -c cpu-clock,context-switches,sys1,task-clock -c page-faults,sys 0.02 8
	cpus > "$T/cpus"
	python "
n = len(open('$T/cpus').read().split())
assert len(totals) == 2 and [r['set'] for r in totals] == [0, 1]
for t in totals:
    of = [r for r in ticks if r['set'] == t['set']]
    assert of and t['cpus'] == n and t['scope'] == 'all'
    assert t['time_ns'] == max(r['time_ns'] for r in of)
    assert t['tsc'] == sum(r['tsc'] for r in of)
    for i, v in enumerate(t['values']):
        for k in 'value', 'count', 'enabled_ns', 'running_ns':
            assert v[k] == sum(r['values'][i][k] for r in of), (t, i, k)
assert rows[-2:] == totals"
}

@test "live: sets take turns; a set is not counted while another is bound" {
	counted -n -c cpu-clock -c cpu-clock,sys 0.02 6
	local n
	n=$(ncpus)
	[ "$(late "$T/err")" -gt 0 ] || awk -v n="$n" '$3 == "tick" {
		if ($NF != (int((NR - 1) / n) % 2 ? "cpu-clock,sys" : "cpu-clock")) exit 1 }' "$T/out"
	# Each set has a part of the CPUs' time; together they have no more than all.
	awk -v n="$n" '$3 == "total" { s += $4; some += $4 > 0; if (t < $1) t = $1 }
		END { exit some != 2 || s > 1.2e9 * n * t }' \
		"$T/out"
	[ "$(awk '$3 == "total" { print $NF }' "$T/out" | paste -sd' ')" = "cpu-clock cpu-clock,sys" ]
}

@test "live: -p: the turns of the sets start again each period, and the count is of turns" {
	local n
	n=$(ncpus)
	counted -n -p 0.15 -c cpu-clock -c page-faults 0.01 2
	if [ "$(late "$T/err")" -eq 0 ]; then
		[ "$(grep -c ' tick ' "$T/out")" -eq $((4 * n)) ]
		# The third sample belongs to the second period; nothing is counted in the rest of the first.
		[ "$(awk -v n="$n" '$3 == "tick" && NR > 2 * n && $1 < 0.16' "$T/out" | wc -l)" -eq 0 ]
		awk '$3 == "total" && $NF == "cpu-clock" { exit $4 > '"$n"' * 0.1e9 }' "$T/out"
	fi
	# A period shorter than the turns leaves no rest. Without -p the count is of samples.
	counted -n -p 0.001 -c cpu-clock -c page-faults 0.02 2
	[ $(($(grep -c ' tick ' "$T/out") + n * $(late "$T/err"))) -eq $((4 * n)) ]
	counted -n -c cpu-clock -c page-faults 0.02 2
	[ $(($(grep -c ' tick ' "$T/out") + n * $(late "$T/err"))) -eq $((2 * n)) ]
	# -p has no effect on a single set.
	counted -n -p 100 -c cpu-clock 0.01 3
	[ $(($(grep -c ' tick ' "$T/out") + n * $(late "$T/err"))) -eq $((3 * n)) ]
}

# soakers PID: print policy and CPUs of each thread but the first.
soakers() {
	local task
	for task in /proc/"$1"/task/*; do
		[ "${task##*/}" = "$1" ] ||
			echo "$(sed 's/.*) //' "$task/stat" | awk '{ print $39 }')" \
				"$(sed -n 's/^Cpus_allowed_list:[[:space:]]*//p' "$task/status")"
	done | sort -k2n
}
spinning() {
	[ "$(sed 's/.*) //' /proc/"$1"/task/*/stat | awk '$1 == "R" && $39 == 5' | wc -l)" -eq "$2" ]
}
is_soaked() { soakers "$1" | diff - "$2"; }

@test "live: -s: a thread of SCHED_IDLE spins on each CPU while a set counts system mode only" {
	cpus | sed 's/^/5 /' > "$T/want"
	start "$T/out" "$CPUSTAT" -s -c page-faults,nouser,sys 100
	until_true is_soaked $! "$T/want"
	until_true spinning $! "$(wc -l < "$T/want")"
	# The title appears after the signal handlers are installed.
	until_true has pic0 "$T/out"
	kill -INT $!
	finish $!
	has ' total ' "$T/out"
}

@test "live: -s: no thread spins while another set is bound, or exists without a set of system mode only" {
	cpus | sed 's/^/5 /' > "$T/want"
	start "$T/out" "$CPUSTAT" -s -c page-faults -c page-faults,nouser,sys 100
	until_true is_soaked $! "$T/want"
	until_true has pic0 "$T/out"
	until_true spinning $! 0
	sleep 0.05
	spinning $! 0
	kill -INT $!
	finish $!
	for events in page-faults page-faults,sys page-faults,nouser,sys,cpu-clock,sys,nouser0; do
		# Older text must not pass for rows of this run.
		rm -f "$T/out"
		start "$T/out" "$CPUSTAT" -s -c "$events" 0.01
		until_true has ' tick ' "$T/out"
		[ "$events" = page-faults,nouser,sys,cpu-clock,sys,nouser0 ] || [ -z "$(soakers $!)" ]
		kill -INT $!
		finish $!
	done
}

@test "live: -s: its threads end on a busy machine too" {
	need_root # or CAP_SYS_NICE
	need taskset
	local cpu hog=() tool
	cpu=$(cpus | tail -n 1)
	for _ in {1..12}; do
		start /dev/null taskset -c "$cpu" bash -c 'while :; do :; done'
		hog+=($!)
	done
	for _ in 1 2 3; do
		rm -f "$T/out"
		start "$T/out" taskset -c "$cpu" "$CPUSTAT" -s -c page-faults,nouser,sys 0.1
		tool=$!
		until_true has ' tick ' "$T/out"
		kill -INT "$tool"
		# A thread of SCHED_IDLE would wait for many seconds here.
		DEADLINE=4 until_true is_gone "$tool"
		finish "$tool"
	done
	{ kill -KILL "${hog[@]}" && wait "${hog[@]}"; } 2> /dev/null || :
}

@test "live: -O, then -I: the same bytes" {
	local options
	export TZ=UTC
	for options in '' '-t -T u' '-n -A 1 -m' '-A cor -k -pic0 -o 1' '-T d -A soc' --format=csv '--format=json -t' '--format=json -A soc'; do
		# shellcheck disable=SC2086
		CPC_LABEL=site=a counted $options -O "$T/samples" -c cpu-clock,context-switches,sys -c page-faults 0.01 5
		# shellcheck disable=SC2086
		"$CPUSTAT" $options -I "$T/samples" > "$T/again" 2> "$T/err2"
		cmp "$T/out" "$T/again"
		cmp "$T/err" "$T/err2"
		[ -s "$T/again" ]
	done
	# The file has all that JSON with -t has.
	counted --format=json -t -O "$T/samples" -c cpu-clock 0.01 3
	cmp "$T/out" "$T/samples"
	# The file has the cycles of -t even if the run had no -t.
	counted -O "$T/samples" -c cpu-clock 0.01 2
	"$CPUSTAT" -t -I "$T/samples" | awk '$3 == "total" { exit !($4 > 0) }'
}

@test "live: --openmetrics: the totals of the rows" {
	need python3
	counted --format=json --openmetrics="$T/metrics" -c cpu-clock -c page-faults,sys 0.01 6
	[ "$(tail -n 1 "$T/metrics")" = "# EOF" ]
	python "
import re
got = {}
for line in open('$T/metrics'):
    m = re.match(r'opencpc_events_total\{cpu=\"(\d+)\".*set=\"(\d+)\".*\} (\d+)$', line)
    if m: got[int(m[1]), int(m[2])] = int(m[3])
want = {}
for r in ticks: want[r['id'], r['set']] = want.get((r['id'], r['set']), 0) + val(r)
assert want and got == want, (got, want)"
	# The folder has no other new file, and the file has the usual mode.
	[ "$(ls "$T" | grep -c metrics)" -eq 1 ]
	(umask 027 && counted --openmetrics="$T/m.prom" -A soc -c cpu-clock 0.01 2)
	[ "$(stat -c %a "$T/m.prom")" = 640 ]
	has '^opencpc_events_total{socket=' "$T/m.prom"
	lacks 'cpu="0"' "$T/m.prom"
}

@test "live: only CPUs that the caller may use are counted" {
	need taskset
	[ "$(ncpus)" -ge 2 ] || skip "needs 2 CPUs"
	local last
	last=$(cpus | tail -n 1)
	taskset -c "$last" "$CPUSTAT" -n -c cpu-clock 0.01 3 > "$T/out"
	[ "$(awk '$3 == "tick" { print $2 }' "$T/out" | sort -u)" = "$last" ]
	[ "$(awk '$3 == "total" { print $2 }' "$T/out")" -eq 1 ]
}

# on CPU: print what was counted there so far.
on() { awk -v cpu="$1" '$3 == "tick" && $2 == cpu { s += $4 } END { print s + 0 }' "$T/out"; }
on_is() { [ "$(on "$1")" -eq "$2" ]; }
hits() { awk -v t="$1" '{ s += $3 } END { print s + 0 }' "$T/$1"; }

@test "live: calls of a function count on the CPU that makes them, and on no other" {
	need taskset
	need_breakpoints
	[ "$(ncpus)" -ge 2 ] || skip "needs 2 CPUs"
	local a b tool
	a=$(cpus | sed -n 1p)
	b=$(cpus | sed -n 2p)
	# Another copy of the program, whose calls are not counted.
	start /dev/null taskset -c "$b" "$PROG/oracle" beat 100000
	private_hit
	start "$T/out" "$CPUSTAT" -n -c "$(hit_event oracle)" 0.02
	tool=$!
	until_true has ' tick ' "$T/out"
	ORACLE=$T/b taskset -c "$b" "$PROG/oracle" seq 300
	until_true on_is "$b" "$(hits b)"
	on_is "$a" 0
	ORACLE=$T/a taskset -c "$a" "$PROG/oracle" seq 200
	until_true on_is "$a" "$(hits a)"
	on_is "$b" "$(hits b)"
	kill -INT "$tool"
	finish "$tool"
	[ "$(hits a)" -gt 1000 ]
	[ "$(awk '$3 == "total" { print $4 }' "$T/out")" -eq $(($(hits a) + $(hits b))) ]
}

@test "live: page faults of a program on one CPU are counted there" {
	need taskset
	local last
	last=$(cpus | tail -n 1)
	start "$T/out" "$CPUSTAT" -n -c page-faults 0.02
	until_true has ' tick ' "$T/out"
	taskset -c "$last" "$PROG/load" faults 150
	until_true eval '[ "$(on "$last")" -ge 150 ]'
	kill -INT $!
	finish $!
}

@test "live: two sets and breakpoints: calls count while their set is bound, and never twice" {
	need_breakpoints
	private_hit
	local tool
	start "$T/out" "$CPUSTAT" -n -c "$(hit_event oracle)" -c "$(hit_event oracle),page-faults" 0.01
	tool=$!
	until_true has 'page-faults' "$T/out"
	ORACLE=$T/truth "$PROG/oracle" seq 1000
	sleep 0.05
	kill -INT "$tool"
	finish "$tool"
	awk -v want="$(hits truth)" '$3 == "total" { n++; s += $4 }
		END { print s " of " want; exit n != 2 || !s || s > want }' "$T/out"
}

@test "live: a tracepoint is counted, or a message says what is missing" {
	local status=0
	bounded "$CPUSTAT" -c sched:sched_switch 0.02 3 > "$T/out" 2> "$T/err" || status=$?
	cat "$T/out" "$T/err"
	if [ "$status" -eq 0 ]; then
		awk '$3 == "total" { exit !($4 > 0) }' "$T/out"
	else
		[ "$status" -eq 125 ] || [ "$status" -eq 2 ]
		[ ! -s "$T/out" ]
		has '^cpustat: .*sched:sched_switch' "$T/err"
		has 'tracefs' "$T/err"
	fi
}

@test "live: a set that cannot be counted is reported once, and the other set is counted" {
	bounded "$CPUSTAT" -c cpu-clock 0.01 2 > "$T/out"
	local status=0
	bounded "$CPUSTAT" -c cpu-clock -c cycles 0.01 4 > "$T/out" 2> "$T/err" || status=$?
	cat "$T/out" "$T/err"
	if [ "$status" -eq 0 ]; then
		[ "$(grep -c ' total ' "$T/out")" -eq 2 ]
	else
		[ "$status" -eq 125 ]
		[ "$(grep -c 'cycles: ' "$T/err")" -eq 1 ]
	fi
}
