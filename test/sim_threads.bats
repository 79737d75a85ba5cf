# Threads in the simulator: coherence of their caches, many threads at once and one after another.

bats_require_minimum_version 1.5.0
load helper

setup() {
	[ -x "$(dirname "$CPUTRACK")/../sim/cpcsim-launch" ] || skip "the simulator is not built here"
}

# turns EVENT MODE: print how often LWPs 2 and 3 count an R10000's event in 1000 turns.
turns() {
	bounded "$CPUTRACK" --engine=sim --cpu=r10000 -T 0 -v --format=csv -o "$T/csv" -c "$1" \
		"$PROG/sim-threads" "$2" 1000
	awk -F, '$5 == "fini_lwp" && $3 > 1 { print $10 }' "$T/csv" > "$T/seen"
	cat "$T/seen"
	[ "$(wc -l < "$T/seen")" -eq 2 ]
}

# each FROM TO: both counts are in this range. one FROM TO: one count is, the other is near 0.
each() { awk -v from="$1" -v to="$2" '$1 < from || $1 > to { exit 1 }' "$T/seen"; }
one() { awk -v from="$1" -v to="$2" '$1 >= from && $1 <= to { n++ } $1 < 50 { m++ } END { exit n != 1 || m != 1 }' "$T/seen"; }

@test "sim threads: a line that two threads write in turns moves once a turn" {
	for event in EXT_INTERV EXT_INVAL STORE_EXCL_SHARED; do
		turns "$event" pingpong
		each 990 1050
	done
}

@test "sim threads: a line that one thread writes and one reads costs each LWP its own events" {
	for event in EXT_INTERV EXT_INVAL STORE_EXCL_SHARED; do
		turns "$event" reader
		one 990 1050
	done
}

@test "sim threads: lines that are not shared cost nothing" {
	for event in EXT_INTERV EXT_INVAL STORE_EXCL_SHARED; do
		turns "$event" apart
		each 0 50
	done
}

# adds_up MODE N ROWS: there are rows of ROWS LWPs, none empty, and their sum is that of the processes.
adds_up() {
	rm -f "$T/truth"
	ORACLE=$T/truth bounded "$CPUTRACK" --engine=sim -T 0 -fev --format=csv -o "$T/csv" -c insn "$PROG/oracle" "$1" "$2"
	[ "$(wc -l < "$T/truth")" -eq "$3" ]
	awk -F, -v want="$3" '$5 == "fini_lwp" { s += $10; n++; bad += $10 < 100 }
		($5 == "exit" || $5 == "exec") && $10 != "" { e += $10 }
		END { print n, s, e; exit bad || n != want || s != e }' "$T/csv"
}

@test "sim threads: more LWPs than processors, ids used again, exits, forks: rows add up" {
	adds_up live 100 101
	adds_up seq 300 301
	adds_up leaderexit 1 2
	adds_up tforks 10 21
	adds_up tree 3 40
}

@test "sim threads: a process that executes itself by /proc/self/exe, also from a thread" {
	adds_up chain 3 4
	adds_up vfork 3 7
	adds_up nlexec 2 7
}

@test "sim threads: detached threads are in the total" {
	bounded "$CPUTRACK" --engine=sim -T 0 -v --format=csv -o "$T/csv" -c insn "$PROG/sim-threads" detached 50
	awk -F, '$5 == "fini_lwp" || $5 == "lwp_exit" { n[$5]++ } $5 == "fini_lwp" { s += $10 }
		$5 == "exit" { e = $10 } END { exit n["fini_lwp"] != 51 || s != e }' "$T/csv"
}

@test "sim threads: a thousand at once" {
	bounded "$PERFEX" --engine=sim -o "$T/report" -e 15 "$PROG/oracle" live 1000 2> "$T/err"
	lacks killed "$T/err"
}
