# The counters of processes, after IRIX (hwperf.h).

bats_require_minimum_version 1.5.0

load helper

act() { bounded "$PROG/hwperf_act" "$@"; }

kin() { bounded "$PROG/hwperf_kin" "$@"; }

setup() { export XDG_RUNTIME_DIR=$T; }

need_simulator() {
	[ -x "${CPC_SIM_DIR:-$(dirname "$PERFEX")/../sim}/cpcsim-amd64-linux" ] || skip 'the simulator is not built here'
	[ -z "$SANITIZE" ] || skip 'a program with sanitizers cannot be simulated'
}

# signals THRESHOLD PAGES: one signal for each so many page faults. The sanitizers' own memory has faults too.
signals() {
	local count signals faults
	read -r count signals faults <<< "$(act overflow "$1" "$2")"
	echo "$count $signals $faults"
	((signals == count / $1 && count >= $2))
	[ -n "${SANITIZE:-}" ] || [ "$count" -eq "$faults" ]
}

@test "hwperf: a signal comes after each n page faults, and counting goes on" {
	signals 40 1000
	signals 1 300
	signals 1000000 300
	# the first, the last and a real-time signal of those that can be chosen
	local SIGNAL
	export SIGNAL
	for SIGNAL in 1 40 64; do
		signals 40 1000
	done
}

@test "hwperf: a threshold of a clock is 100000 ns or more, so that the process has time to run" {
	local event count signals faults
	for event in cpu-clock task-clock; do
		EVENT=$event run -1 act overflow 99999 1
		[[ $output == *'PIOCENEVCTRS: Invalid argument' ]]
		read -r count signals faults <<< "$(EVENT=$event act overflow 100000 2000)"
		echo "$event $count $signals"
		((count >= 100000 && signals >= 1))
	done
}

@test "hwperf: signals of thresholds go to the process that is counted, and to a child of fork" {
	EVENT=page-faults run -0 act target
	[ "$output" = $'another 1 1\nchild 1 1' ]
}

@test "hwperf: a start that fails gives no counts of 0; the counts of the last start stay, with another generation" {
	need_breakpoints
	run -0 act crowd
	[ "$output" = $'all: ENOSPC\nread: EINVAL\nall again: ENOSPC\n1 100' ]
}

@test "hwperf: the counts of a child are its own until its parent waits for it" {
	need_breakpoints
	run -0 act children
	[ "$output" = '7 507 0' ]
}

@test "hwperf: a child that nobody waits for counts only after PIOCSAVECCNTRS" {
	need_breakpoints
	run -0 act lost
	[ "$output" = 7 ]
	run -0 act save
	[ "$output" = 507 ]
}

@test "hwperf: a change of SIGCHLD after a child has ended does not decide whether the child was waited for" {
	need_breakpoints
	run -0 act ignore
	[ "$output" = $'0\n500\n500\nunavailable' ]
}

@test "hwperf: a child counts after PIOCSAVECCNTRS until its last LWP has ended" {
	need_breakpoints
	run -0 act leader
	[ "$output" = $'0\n507' ]
}

@test "hwperf: the counts of what has ended can be read while its handle is open; then nothing is left" {
	need_breakpoints
	run -0 act handles
	[ "$output" = $'500\n60\n7\n7\n0' ]
}

@test "hwperf: a handler of fork of the program can release the counters" {
	need_breakpoints
	run -0 act forkhandler
	[ "$output" = '0 7' ]
}

@test "hwperf: the program that a child executes counts, with its own children" {
	need_breakpoints
	run -0 act program "$PROG/hwperf_act" hits 300
	[ "$output" = 607 ]
}

@test "hwperf: programs of posix_spawn, vfork, system, popen, clone and fork count" {
	need_breakpoints
	run -0 kin calls "$PROG/hwperf_kin"
	[ "$output" = $'posix_spawn 11 0\nvfork 31 0\nsystem 71 0\npopen 151 0\nclone 311 0\nfork 631 0' ]
}

@test "hwperf: programs of children of fork count when the parent has waited, others at once" {
	need_breakpoints
	run -0 kin unwaited
	[ "$output" = $'before 0 0\nanother 7 0\nafter 507 0' ]
}

@test "hwperf: programs of children count until the release, and after a modification" {
	need_breakpoints
	run -0 kin released
	[ "$output" = $'released 30 0\nafter 30 0' ]
	run -0 kin modified
	[ "$output" = $'threshold 30 0\nevent 70 0' ]
}

@test "hwperf: threads that were created after the start count, with the programs that they execute" {
	need_breakpoints
	"$PROG/act" may threads 2> "$T/why" || skip 'this kernel does not count new threads (Linux 5.13 does)'
	run -0 kin threads
	[ "$output" = $'thread 101 0\nprogram 208 0' ]
}

@test "hwperf: before Linux 5.13 new threads do not count, and children count as on later kernels" {
	need_breakpoints
	local act=$PROG/hwperf_act-before513 kin=$PROG/hwperf_kin-before513
	run -0 bounded "$kin" threads
	[ "$output" = $'thread 1 0\nprogram 8 0' ]
	run -0 bounded "$act" children
	[ "$output" = '7 507 0' ]
	run -0 bounded "$act" save
	[ "$output" = 507 ]
	run -0 bounded "$act" program "$act" hits 300
	[ "$output" = 607 ]
	run -0 bounded "$kin" calls "$kin"
	[ "$output" = $'posix_spawn 11 0\nvfork 31 0\nsystem 71 0\npopen 151 0\nclone 311 0\nfork 631 0' ]
}

@test "hwperf: a child of fork that cannot be counted has another generation than its parent" {
	need_breakpoints
	run -0 kin crowded
	# class 5 is CPC_UNAVAILABLE
	[ "$output" = $'generation 1\nchild 0 5\nparent 5 5' ]
	CPC_STRICT=1 run -0 kin crowded
	[ "${lines[3]}" = 'for another 5 5' ]
}

@test "hwperf: a child that is counted by its own handle counts once with its parent" {
	need_breakpoints
	run -0 kin handle self
	[ "$output" = $'child 107 0\nparent 107 0' ]
	run -0 kin handle child
	[ "$output" = $'child 107 0\nparent 107 0' ]
}

@test "hwperf: threads that have counted children leave no descriptors behind" {
	need_breakpoints
	run -0 kin parents
	[ "$output" = 1 ]
}

@test "hwperf: in the simulation a child that was waited for makes values unavailable" {
	need_simulator
	bounded "$PERFEX" --engine=sim -o "$T/report" -e 15 "$PROG/hwperf_kin" simulated > "$T/out"
	[ "$(cat "$T/out")" = $'before 1\nafter 1' ]
}

@test "hwperf: in the simulation released counters can still be read" {
	need_simulator
	bounded "$PERFEX" --engine=sim -o "$T/report" -e 15 "$PROG/hwperf_kin" simulated_release > "$T/out"
	[ "$(cat "$T/out")" = '1 1' ]
}

@test "hwperf: PIOCSETEVRULE chooses the processor: only the R12000 itself counts any event on each counter" {
	need_simulator
	bounded "$PERFEX" --engine=sim --cpu=r12000 -o "$T/report" -e 15 "$PROG/hwperf_kin" rules > "$T/out"
	[ "$(cat "$T/out")" = $'r10000 EINVAL\nr12000 EINVAL\nr12000-free 1' ]
}

@test "hwperf: a child has the names of its parent, which gets no counts of another event" {
	need_breakpoints
	run -0 act names
	echo "$output"
	[ "$output" = '7 50 0 0' ]
}

@test "hwperf: a child in a PID namespace of its own counts with its parent" {
	need_root
	need_breakpoints
	unshare --pid --fork true || skip 'no PID namespaces here'
	[ -z "$SANITIZE" ] || skip 'LeakSanitizer fails in the child'
	run -0 act namespace
	[ "$output" = 507 ]
}

@test "hwperf: a second process sees the generation with CPC_STRICT=1" {
	need_breakpoints
	CPC_STRICT=1 run -0 act generations
	[ "$output" = '-1 1 2 2 2 10' ]
	run -0 act generations
	[ "$output" = '-1 -1 -1 2 2 10' ]
}

@test "hwperf: an event that gets another name begins at 0, and one that stays keeps its counts" {
	need_breakpoints
	run -0 act renamed
	[ "$output" = '100 7 12' ]
}

@test "hwperf: 32 events of a process count at the same time" {
	run -0 act all
	[ "${#lines[@]}" -eq 32 ]
	# With sanitizers the counters are not opened without page faults between them.
	[ -z "${SANITIZE:-}" ] || output=$(sed 's/.* /0 /' <<< "$output")
	[ "$(sort -u <<< "$output")" = '0 0' ]
}

@test "hwperf: events that take turns have scaled values, with their raw counts, times and class" {
	run -0 bounded "$PROG/hwperf_turns"
	[ "${#lines[@]}" -eq 32 ]
	# With sanitizers a turn has more page faults.
	[ -z "${SANITIZE:-}" ] || output=$(sed 's/[-0-9]* /0 /' <<< "$output")
	# class 2 is CPC_SCALED
	[ "$(sort -u <<< "$output")" = '0 2 1' ]
}

@test "hwperf: a modification that cannot be counted is refused, and the former events go on" {
	need_breakpoints
	run -0 act refused
	[ "$output" = $'modify: EINVAL\n107 0' ]
}

@test "hwperf: another process cannot modify or release counters, but can start its own" {
	need_breakpoints
	run -0 act owner
	[ "$output" = $'modify: EINVAL\nrelease: EINVAL\nstart: ok\n11' ]
}

@test "hwperf: PIOCGETPREVCTRS reads the counters and what the whole process has used" {
	EVENT=page-faults run -0 act resources
	[ "$output" = 'counter: 1
faults: 1
switches: 1
bytes: 1
times: 1
memory: 1
no figures: 1' ]
}

@test "hwperf: a process of many groups has its rights, and the figures of its status file" {
	need_root
	EVENT=page-faults run -0 act groups
	[ "$output" = $'switches: 1\nrelease: EINVAL' ]
}

@test "hwperf: bad values are refused with an errno" {
	run -0 act bad
	[ "$(sed -n 's/.*: //p' <<< "$output" | sort | uniq -c | tr -s ' ')" = ' 4 EBADF
 17 EINVAL
 1 ESRCH' ]
}

@test "hwperf: user and system mode exclude each other, and system mode can be forced" {
	need_root
	need_cpus
	EVENT=page-faults run -0 act system
	echo "$output"
	[ "$output" = 'user mode is used: EBUSY
forced: 1
generation: 2
system mode is used: EBUSY
not restarted: 2
acquired: ok
read: 1
user mode, system mode is used: EBUSY
released: ok
user mode again: ok' ]
}

@test "hwperf: an LWP that has ended does not use the counters any more" {
	need_root
	need_cpus
	EVENT=page-faults run -0 act ended
	[ "$output" = 'system mode: ok' ]
}

@test "hwperf: CPC_STRICT=1: the child of a process that only reads has locks of its own" {
	need_root
	need_cpus
	CPC_STRICT=1 EVENT=page-faults run -0 act reader
	[ "$output" = $'-1\nsystem mode: EBUSY' ]
}

@test "hwperf: CPC_STRICT=1: fork in an LWP that is not counted does not end the use of another LWP" {
	need_root
	need_cpus
	CPC_STRICT=1 EVENT=page-faults run -0 act bystander
	[ "$output" = 'system mode: EBUSY' ]
}

@test "hwperf: CPC_STRICT=1: the file of another user is not used" {
	need_root
	public_dir
	cp "$PROG/hwperf_act" "$D"
	chmod 1777 "$D"
	export CPC_STRICT=1 XDG_RUNTIME_DIR=$D EVENT=page-faults
	run -0 act overflow 1000 10
	[ -e "$D/opencpc.hwperf" ]
	run -1 as_nobody env CPC_STRICT=1 XDG_RUNTIME_DIR="$D" EVENT=page-faults "$D/hwperf_act" overflow 1000 10
	[[ $output == *'PIOCENEVCTRS: Permission denied' ]]
	# the other way round
	rm "$D/opencpc.hwperf"
	run -0 as_nobody env CPC_STRICT=1 XDG_RUNTIME_DIR="$D" EVENT=page-faults "$D/hwperf_act" overflow 1000 10
	run -1 act overflow 1000 10
	[[ $output == *'PIOCENEVCTRS: Permission denied' ]]
}

@test "hwperf: kernel and supervisor mode need privilege" {
	[ "$(id -u)" -eq 0 ] || skip 'needs root, to become another user'
	chmod 755 "$T"
	cp "$PROG/hwperf_act" "$T"
	cd "$T"
	run -0 as_nobody "$T/hwperf_act" modes
	[ "$output" = $'kernel: EPERM\nsupervisor: EPERM' ]
}
