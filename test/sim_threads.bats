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

@test "sim threads: a thousand at once, and as many as the simulator's table has room for before it grows" {
	local n
	for n in 62 63 64 127 128 1000; do
		bounded "$CPUTRACK" --engine=sim -v -T 0 --format=csv -o "$T/csv" -c insn "$PROG/oracle" live $n 2> "$T/err"
		awk -F, -v n=$n '$5 == "fini_lwp" || $5 == "lwp_exit" { ends[$5]++ } $5 == "fini_lwp" { s += $10 }
			$5 == "exit" { e = $10 } END { print n, ends["fini_lwp"], s, e; exit ends["fini_lwp"] != n + 1 || s != e }' "$T/csv"
	done
}

@test "sim threads: the start touches no memory for threads that the program does not have" {
	# 4,096 threads take 7,000 pages.
	local faults
	"$PERFEX" --engine=kernel --format=csv -o "$T/csv" -e page-faults "$PERFEX" --engine=sim -o "$T/report" -e 15 true ||
		skip "the kernel does not count here"
	faults=$(awk -F, '$2 == "total" { print $8 }' "$T/csv")
	[ "$faults" -gt 500 ] && [ "$faults" -lt 5000 ]
}

# counts PROGRAM...: print a hash of the values of all 32 events. The program must end well.
counts() {
	bounded "$PERFEX" --engine=sim --cpu=r10000 -o "$T/report" -a "$@" > "$T/out" 2> "$T/err" || return
	[ "$(grep -c '^ *[0-9]* .*\.\.' "$T/report")" -eq 32 ]
	grep '\.\.' "$T/report" | md5sum
}

# repeats PROGRAM...: five runs have the same counts.
repeats() {
	local first next
	first=$(counts "$@")
	for _ in 1 2 3 4; do
		next=$(counts "$@")
		[ "$first" = "$next" ]
	done
}

@test "sim threads: every run of a program with threads has the same counts" {
	repeats "$PROG/sim-contend" words 2 20000
	repeats "$PROG/sim-contend" mutex 3 2000
	repeats "$PROG/sim-contend" barrier 4 50
	repeats "$PROG/sim-contend" condvar 4 200
	repeats "$PROG/sim-contend" rwlock 4 200
	repeats "$PROG/sim-contend" pipe 3 100
	repeats "$PROG/sim-contend" churn 5 10
	repeats "$PROG/sim-contend" idle 100 1
}

@test "sim threads: counts do not depend on the load of the host" {
	local quiet busy
	quiet=$(counts "$PROG/sim-contend" condvar 4 500)
	for _ in 1 2 3; do
		start "$T/load" sh -c "while :; do :; done"
	done
	busy=$(counts "$PROG/sim-contend" condvar 4 500)
	[ "$quiet" = "$busy" ]
}

@test "sim threads: of many sleeping threads, only those that were woken are looked for" {
	need strace
	# 60 threads sleep while each unlock wakes one of them; the simulator opens files of /proc to see who sleeps.
	bounded strace -f -o "$T/trace" -e trace=open,openat,futex \
		"$PERFEX" --engine=sim -o "$T/report" -e 15 "$PROG/sim-contend" mutex 60 20 2> "$T/err" || {
		[ ! -s "$T/trace" ] && skip 'strace cannot trace here'
		false
	}
	awk '/FUTEX_WAKE_PRIVATE|FUTEX_WAKE,/ { wakes++ } /proc\/self\/task/ { opens++ }
		END { print wakes, opens; exit wakes < 500 || opens > wakes }' "$T/trace"
}

# event N PROGRAM...: print the count of an event of the R10000 in a run of perfex -a.
event() {
	local n=$1
	shift
	counts "$@" > "$T/hash" || return
	awk -v n="$n" '$1 == n { print $NF }' "$T/report"
}

# within VALUE FROM TO
within() { [ "$1" -ge "$2" ] && [ "$1" -le "$3" ] || { echo "$1 is not from $2 to $3"; return 1; }; }

@test "sim threads: a line that two threads write all the time moves once in each short turn" {
	# A turn is 50 blocks, and each loop of 100000 stores has as many: 2 * 100000 / 50 turns.
	within "$(event 12 "$PROG/sim-contend" words 2 100000)" 4000 4100
	within "$(event 12 "$PROG/sim-contend" words 2 1000)" 35 135
	within "$(event 12 "$PROG/sim-contend" words 4 100000)" 8000 8150
	within "$(event 12 "$PROG/sim-contend" atomic 2 100000)" 4000 4100
	within "$(event 13 "$PROG/sim-contend" atomic 2 100000)" 3950 4050
	within "$(event 31 "$PROG/sim-contend" atomic 2 100000)" 3950 4050
}

@test "sim threads: lines of their own do not move" {
	within "$(event 12 "$PROG/sim-contend" padded 2 100000)" 0 100
	within "$(event 31 "$PROG/sim-contend" padded 4 100000)" 0 100
}

@test "sim threads: a spinning thread sees a store of another one soon" {
	# Each of 2000 hand-overs moves the line to the reader, and then takes it from the writer.
	within "$(event 31 "$PROG/sim-contend" spin 2 1000)" 1990 2050
	within "$(event 12 "$PROG/sim-contend" spin 2 1000)" 1990 2200
	# The waiting thread spins for a short turn, not for 100000 blocks.
	within "$(event 15 "$PROG/sim-contend" spin 2 1000)" 200000 2000000
}

@test "sim threads: sched_yield gives the turn to the next thread" {
	within "$(event 31 "$PROG/sim-contend" yield 3 1000)" 2990 3300
	# A thread that waits executes no more than a call for each turn of another one.
	within "$(event 15 "$PROG/sim-contend" yield 3 1000)" 100000 700000
}

@test "sim threads: the length of turns does not depend on which events are counted" {
	local mode all
	for mode in "words 2 20000" "mutex 3 2000" "barrier 4 100" "condvar 4 300" "spin 2 200" "churn 5 10"; do
		# shellcheck disable=SC2086 # the mode is three words
		all=$(event 15 "$PROG/sim-contend" $mode)
		# shellcheck disable=SC2086
		bounded "$PERFEX" --engine=sim --cpu=r10000 -o "$T/report" -e 15 "$PROG/sim-contend" $mode 2> "$T/err"
		echo "$mode: $all, alone $(awk '$1 == 15 { print $NF }' "$T/report")"
		[ "$(awk '$1 == 15 { print $NF }' "$T/report")" = "$all" ]
	done
}
