# --list: words find events, in the order in which people need them; names alone for the completion of command lines.

bats_require_minimum_version 1.5.0
load helper

# shown CMD...: print the rows of a list, without its title.
shown() { "$@" 2> "$T/err" | sed 1d; }

# first N NAME WORDS...: an event NAME is counted or simulated, and among the first N rows of cputrack --list WORDS.
first() {
	local n=$1 name=$2
	shift 2
	shown "$CPUTRACK" --list "$@" | head -n "$n" > "$T/first"
	awk -v name="$name" '$1 == name && $2 != "unavailable" { found = 1 } END { exit !found }' "$T/first" ||
		{ echo "no $name for: $*"; cat "$T/first"; return 1; }
}

# needs_simulator: skip a test of events that only the simulator counts on every machine.
needs_simulator() { "$CPUTRACK" --doctor | grep -q '^ok  *simulator ' || skip "no simulator here"; }

@test "list: what newcomers type finds an event that can be counted or simulated" {
	needs_simulator
	first 1 cache-misses cache misses
	first 1 cache-misses 'cache misses'
	first 1 branches branch
	first 1 dTLB-load-misses tlb
	first 1 page-faults page fault
	first 1 page-faults page faults
	first 1 instructions instructions
	first 5 PAPI_l2_tcm L2
	first 1 PAPI_l2_tcm L2 cache misses
	first 1 context-switches context switch
	first 5 PAPI_res_stl stall
	first 1 PAPI_fp_ins float
	first 5 LLC-load-misses memory
	first 5 cycles cycles
	first 5 branch-misses mispredicted branches
}

@test "list: the title of a generic name says what is counted" {
	needs_simulator
	"$CPUTRACK" --list cache-misses | grep -q '^cache-misses  .* Last-level cache misses'
	"$CPUTRACK" --list --format=csv major-faults | grep -q '^major-faults,,exact,kernel,software,Page faults with I/O,,$'
}

@test "list: words in any order, in one argument or several, behind = or as operands, with options among them" {
	shown "$CPUTRACK" --list page fault minor > "$T/list"
	[ "$(cut -d ' ' -f 1 "$T/list")" = minor-faults ]
	local arguments
	for arguments in '--list|minor fault page' '--list=minor|page|fault' '--list=page_fault|minor' '--list|page|--format=text|minor|FAULTS' \
		'--list|--|page|fault|minor'; do
		IFS='|' read -ra arguments <<< "$arguments"
		shown "$CPUTRACK" "${arguments[@]}" | diff "$T/list" -
	done
	# Behind "--" an option is a word, and "-" is always one.
	run -125 "$CPUTRACK" --list page fault -- --all
	[[ $output == *"no event matches 'page fault --all'"* ]]
	run -0 "$CPUTRACK" --list page-faults -
	run -2 "$CPUTRACK" --list page --no-such-option
}

@test "list: the order is exact, approximate, simulated, unavailable; each name once" {
	"$CPUTRACK" --all --format=csv --list cycles > "$T/list" 2> "$T/err"
	lacks 'more with --all' "$T/err"
	awk -F, 'BEGIN { rank["exact"] = 1; rank["approximate"] = 2; rank["simulated"] = rank["estimated"] = 3; rank["unavailable"] = 4 }
		NR > 2 && !rank[$3] || rank[$3] < last { print; bad = 1 }
		NR > 2 { last = rank[$3] }
		$3 == "unavailable" && /,$/ { print "no reason: " $0; bad = 1 }
		END { exit bad || NR < 10 }' "$T/list"
	[ "$(sed 's/,.*//' "$T/list" | sort | uniq -d)" = '' ]
}

@test "list: what was left out is counted on standard error, also for the other commands, and --all lists it" {
	local cmd
	for cmd in "$CPUTRACK" "$PERFEX"; do
		"$cmd" --list > "$T/some" 2> "$T/err"
		"$cmd" --list --all > "$T/all" 2> /dev/null
		grep -qE "^${cmd##*/}: [0-9]+ more with --all" "$T/err"
		[ $(($(wc -l < "$T/some") + $(grep -oE '[0-9]+ more' "$T/err" | cut -d ' ' -f 1))) -eq "$(wc -l < "$T/all")" ]
		"$cmd" --quiet --list 2>&1 | diff "$T/some" -
	done
	for cmd in "$CPUTRACK" "$PERFEX" "$CPUSTAT"; do
		run -2 "$cmd" --all
		[[ ${lines[0]} == "${cmd##*/}: --all belongs to --list" ]]
		run -2 "$cmd" --names-only
		[[ ${lines[0]} == "${cmd##*/}: --names-only belongs to --list" ]]
	done
}

@test "list: an event by its name is listed with the reason why it is not counted" {
	run -0 --separate-stderr "$CPUTRACK" --engine=kernel --list us3::WC_miss
	[[ ${lines[1]} =~ ^WC_miss\ +unavailable\ .*\[.+\] ]]
	# So are all events with the words if none is counted.
	run -0 --separate-stderr "$CPUTRACK" --engine=kernel --list 'WC_*'
	[ "${#lines[@]}" -gt 2 ]
	[ "$(sed 1d <<< "$output" | grep -vc unavailable)" -eq 0 ]
	[ -z "$stderr" ]
}

@test "list: nothing matches: status 125 and the nearest names" {
	local cmd
	for cmd in "$CPUTRACK" "$PERFEX" "$CPUSTAT"; do
		run -125 --separate-stderr "$cmd" --list cahce mises
		[ -z "$output" ]
		[ "$stderr" = "${cmd##*/}: no event matches 'cahce mises'; did you mean 'cache-misses'?" ]
	done
}

@test "list: tracepoints come if their group is named, and an unreadable tracefs is no silence" {
	run --separate-stderr "$CPUTRACK" --list sched:
	if [ "$status" -eq 0 ]; then
		[ "$(sed 1d <<< "$output" | grep -vc '^sched:')" -eq 0 ]
		run -0 --separate-stderr "$CPUTRACK" --list switch
		[[ $output != *sched:sched_switch* ]]
		[[ $stderr == *'more with --all'* ]]
	else
		[ "$status" -eq 125 ]
		[[ $stderr == *"no event matches 'sched:'"* ]]
		[ ! -d /sys/kernel/tracing ] || [[ $stderr == *'tracepoints are not listed: '* ]]
		# Who does not ask for tracepoints is not bothered.
		run --separate-stderr "$CPUTRACK" --list page fault
		[[ $stderr != *tracepoints* ]]
	fi
}

@test "list: a note says if what was left out is tracepoints, or events that cannot be counted" {
	# In a mount namespace, so that the machine stays as it is.
	local traced='[ -d /sys/kernel/tracing/events ] || mount -t tracefs tracefs /sys/kernel/tracing || exit 99; exec "$@"'
	local word note
	need unshare
	run unshare --mount sh -c "$traced" sh "$CPUTRACK" --list sched:
	[ "$status" -eq 0 ] || skip "tracepoints are not listed here: $output"
	while IFS='|' read -r word note; do
		run -0 --separate-stderr unshare --mount sh -c "$traced" sh "$CPUTRACK" --engine=kernel --list $word
		echo "$stderr"
		[[ $stderr =~ ^cputrack:\ [0-9]+\ more\ with\ --all"$note"$ ]]
	done <<< $'page-faults|, which are tracepoints\nfault|\nloads|, which cannot be counted here'
}

@test "list: names alone, for the completion of command lines" {
	local cmd
	for cmd in "$CPUTRACK" "$PERFEX" "$CPUSTAT"; do
		run -0 --separate-stderr "$cmd" --list --names-only page-
		[ "$output" = page-faults ]
		[ -z "$stderr" ]
		run -0 --separate-stderr "$cmd" --list --names-only us3::EC_r
		[ "$output" = $'us3::EC_rd_miss\nus3::EC_ref' ]
		run -0 --separate-stderr "$cmd" --list --names-only no-such-name
		[ -z "$output" ]
		run -2 "$cmd" --list --names-only a b
		[[ $output == *"--names-only takes one word, with which the names begin: 'b' is a second one"* ]]
	done
	run -0 --separate-stderr "$CPUTRACK" --list --names-only
	[ "${#lines[@]}" -gt 1000 ]
	[ "$(sort -u <<< "$output" | wc -l)" -eq "${#lines[@]}" ]
	[[ $output != *:* && $output != *' '* ]] || [[ $output == *:* && $output != *sched:sched_switch* ]]
	run -0 --separate-stderr "$CPUTRACK" --cpu=us3 --list --names-only page-
	[ -z "$output" ]
}

# The engine looks for counters once for each kind of core.
@test "list: names are not tried, however many there are" {
	need strace
	strace -f -e trace=perf_event_open -o "$T/trace" "$CPUTRACK" --list --names-only page 2> "$T/err" > "$T/out" ||
		skip "strace does not work here: $(head -n 1 "$T/err")"
	[ "$(grep -c perf_event_open "$T/trace")" -le 4 ]
}

@test "list: csv and json are for programs" {
	needs_simulator
	"$CPUTRACK" --format=json --list cache misses --all > "$T/json" 2> /dev/null
	python3 - "$T/json" <<-'END'
		import json, sys
		rows = [json.loads(line) for line in open(sys.argv[1])]
		assert rows[0]["event"] == "cache-misses" and rows[0]["source"] == "linux", rows[0]
		for r in rows:
		    assert list(r) == ["event", "number", "class", "engine", "source", "title", "note", "reason"], r
		    assert (r["class"] == "unavailable") == (r["engine"] is None) == (r["reason"] is not None), r
	END
	"$CPUTRACK" --format=csv --list cache misses 2> /dev/null | python3 -c '
import csv, sys
rows = list(csv.DictReader(sys.stdin))
assert rows[0]["event"] == "cache-misses", rows[0]
assert all(r["class"] != "unavailable" and None not in r for r in rows)'
}

@test "list: on a terminal of 80 columns no line is longer, and a pipe gets whole lines" {
	needs_terminal
	COLUMNS=80 TERM=xterm "$PROG/ptyrun" -- "$CPUTRACK" --quiet --list cache | tr -d '\r' > "$T/terminal"
	[ "$(wc -L < "$T/terminal")" -le 80 ]
	lacks $'\e' "$T/terminal"
	shown "$CPUTRACK" --list cache > "$T/pipe"
	[ "$(grep -c '^[^ #]' "$T/terminal")" -eq "$(wc -l < "$T/pipe")" ]
	[ "$(grep '^[^ #]' "$T/terminal" | cut -d ' ' -f 1)" = "$(cut -d ' ' -f 1 "$T/pipe")" ]
}
