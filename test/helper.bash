# Functions that the tests of the commands share. Loaded with: load helper

# Each test reads this file, and a test may change its folder. So the paths are made absolute, without another program.
CPUTRACK=${CPUTRACK:-build/bin/cputrack} PERFEX=${PERFEX:-build/bin/perfex} CPUSTAT=${CPUSTAT:-build/bin/cpustat}
LWPREC=${LWPREC:-build/bin/lwprec} CPCREPORT=${CPCREPORT:-build/bin/cpcreport} PROG=${PROG:-build/prog}
for name in CPUTRACK PERFEX CPUSTAT LWPREC CPCREPORT PROG; do
	[[ ${!name} == /* ]] || printf -v "$name" %s "$PWD/${!name}"
done
unset name
T=$BATS_TEST_TMPDIR

# Processes that a test started. teardown kills them by id if they still run.
started=()
public_dirs=()

teardown() {
	local pid dir
	for pid in "${started[@]}"; do
		kill -KILL "$pid" 2> /dev/null || :
	done
	for dir in "${public_dirs[@]}"; do
		rm -rf -- "$dir"
	done
}

# start FILE CMD...: run CMD in the background, with stdout to FILE and stderr to FILE.err; $! is its pid.
# Job control is on because without it a shell makes background commands ignore SIGINT and SIGQUIT.
start() {
	local file=$1
	shift
	# Older text in FILE must not pass for output of CMD.
	[ ! -f "$file" ] || : > "$file"
	set -m
	"$@" > "$file" 2> "$file.err" < /dev/null 3>&- &
	set +m
	started+=($!)
}

# finish PID: wait for a process of start, as long as until_true does; returns its status.
finish() {
	until_true is_gone "$1" && wait "$1"
}

# stop_by SIGNAL PID: send the signal until the process has ended. The commands take several within 0.1 s for one. The next
# one is sent after half a second, because a signal that came earlier would cut off what a busy machine writes slowly. It looks a few
# times only, since each look takes long on such a machine.
stop_by() { until_true ended_by "$@"; }
ended_by() {
	local i
	kill -"$1" "$2" 2> /dev/null || return 0
	for ((i = 0; i < 10; i++)); do
		! is_gone "$2" || return 0
		sleep 0.05
	done
	return 1
}

# interrupt_after COMMAND TOOL: once the pid COMMAND has ended, press Ctrl-C, and wait until the tool says on $T/out.err what else it waits for.
# A Ctrl-C that comes before the tool has seen the end of the command is passed on to the command.
interrupt_after() {
	until_true [ ! -e "/proc/$1" ]
	kill -INT "$2"
	until_true has 'the command has ended; waiting for pid' "$T/out.err"
}

# until_true CMD...: wait until CMD succeeds; fail after $DEADLINE seconds (20).
until_true() {
	local end=$((SECONDS + ${DEADLINE:-20}))
	until "$@"; do
		if ((SECONDS >= end)); then
			echo "still false: $*" >&2
			return 1
		fi
		sleep 0.01
	done
}

# bounded CMD...: run CMD, and kill it after $DEADLINE seconds (240), which gives status 137, so that no test hangs.
bounded() { timeout --foreground -s KILL "${DEADLINE:-240}" "$@"; }

# full: make a pipe $T/full that takes no more, open as descriptor 8; drain: take all from this pipe.
full() {
	mkfifo "$T/full"
	exec 8<> "$T/full"
	dd if=/dev/zero of="$T/full" bs=4096 oflag=nonblock 2> /dev/null || :
}
drain() {
	cat <&8 > "$T/drained" 3>&- 8>&- &
	started+=($!)
}

# catches PID FILE: has the process executed FILE, and does it have a handler for SIGTERM?
catches() {
	local set
	[ "/proc/$1/exe" -ef "$2" ] || return
	set=$(sed -n 's/^SigCgt:[[:space:]]*//p' "/proc/$1/status" 2> /dev/null)
	((0x${set:-0} & 1 << 14))
}

# waits_for_reader PID FILE: does it wait for a reader of its first text? It waits for nothing else before, once it has
# handlers; perfex writes later.
waits_for_reader() { catches "$1" "$2" && [ "$(proc_state "$1")" = S ]; }

# needs_terminal: skip the test if no terminal can be made here.
needs_terminal() { "$PROG/ptyrun" -- true >/dev/null 2>&1 || skip "no terminal can be made: is devpts mounted?"; }

# without_memory N COMMAND...: run a command of nomem.c whose allocation number N fails, or each from N on for "N+": rows to $T/out, messages to
# $T/err, the status to $status. Fails if the command has fewer allocations.
without_memory() {
	local n=$1
	shift
	rm -f "$T/hit"
	status=0
	NOMEM=$n NOMEM_HIT=$T/hit bounded "$@" > "$T/out" 2> "$T/err" || status=$?
	[ -e "$T/hit" ]
}

# loops N FILE: make a program of x86-64 with a loop of N turns of two instructions. It has no C library, so that each
# run executes the same instructions.
loops() {
	cat > "$2.s" <<-END
		.globl _start
		_start:
			mov \$$1, %rcx
		1:	dec %rcx
			jnz 1b
			mov \$60, %eax
			xor %edi, %edi
			syscall
	END
	"${CC:-cc}" -nostdlib -static -o "$2" "$2.s"
}

has() { grep -qs -- "$1" "$2"; }
lacks() { ! grep -q -- "$1" "$2"; }

# short_usage COMMAND: $T/err ends with the synopsis of the command and one line that tells where to read more.
short_usage() {
	has '^Usage:$' "$T/err" && lacks '^	--\?[a-zA-Z=]*  *[a-z]' "$T/err" &&
		tail -n 1 "$T/err" | grep -Eq "^Try '$1 (-h|--help)'( or '$1 --list')?\.\$"
}

# ready_pid FILE: wait for the line "ready PID" of a test program, and print the pid.
ready_pid() {
	until_true has '^ready' "$1" && awk '/^ready/ { print $2; exit }' "$1"
}

# proc_state PID: print the letter of its state, if it exists. Tests ask often, so this starts no other program.
proc_state() {
	local key value
	while read -r key value; do
		[ "$key" != State: ] || { echo "${value%% *}" && return; }
	done 2> /dev/null < "/proc/$1/status"
}
traced() { ! grep -qs '^TracerPid:[[:space:]]*0$' "/proc/$1/status"; }
is_gone() { case $(proc_state "$1") in '' | Z | X) ;; *) return 1 ;; esac; }
runs_freely() {
	case $(proc_state "$1") in S | R) ;; *) return 1 ;; esac
	grep -q '^TracerPid:[[:space:]]*0$' "/proc/$1/status"
}

# plain_build REASON: skip a test that does not hold for commands that write counts of coverage when they exit.
plain_build() { [ -z "${COVERAGE-}" ] || skip "in a build with COVERAGE=1 $1"; }
need_root() { [ "$(id -u)" -eq 0 ] || skip "needs root"; }
need() {
	local cmd
	for cmd; do
		command -v "$cmd" > /dev/null || skip "needs $cmd"
	done
}
# Execution breakpoints may be missing in a virtual machine, or forbidden. A test program finds out, not the command.
need_breakpoints() {
	local why
	why=$("$PROG/act" breakpoint 2>&1) || skip "no execution breakpoints here: $why"
}
paranoid() { cat /proc/sys/kernel/perf_event_paranoid; }
# In a guest of the tests the level is Debian's and may be changed; on other machines it must not be changed.
# To be called after public_dir.
need_unprivileged_counting() {
	[ "${GUEST-}" != 1 ] || echo 2 > /proc/sys/kernel/perf_event_paranoid
	as_nobody "$D/act" may user 2> /dev/null || skip "perf_event_paranoid forbids users to count"
}
# May this user count system mode, and whole CPUs? A test program finds out, not the command.
may_count_kernel() { "$PROG/act" may kernel 2> /dev/null; }
may_count_cpus() { "$PROG/act" may cpus 2> /dev/null; }
need_cpus() { may_count_cpus || skip "counting CPUs is not allowed"; }
# Print the CPUs that this shell may use, one a line: the online CPUs of its affinity mask.
cpus() {
	awk '
	function each(list, n, i, of, end) {
		n = split(list, of, ",")
		for (i = 1; i <= n; i++) {
			split(of[i] "-" of[i], end, "-")
			for (; end[1] + 0 <= end[2] + 0; end[1]++)
				if (seen[end[1] + 0]++)
					ids[++count] = end[1] + 0
		}
	}
	FNR == NR { each($0); next }
	/^Cpus_allowed_list:/ { each($2) }
	END { for (i = 1; i <= count; i++) print ids[i] }' /sys/devices/system/cpu/online /proc/self/status
}
ncpus() { cpus | wc -l; }

# public_dir: make a folder that every user can enter, with commands and test programs; sets $D.
public_dir() {
	D=$(mktemp -d /tmp/cputrack-test.XXXXXX)
	public_dirs+=("$D")
	chmod 755 "$D"
	cp "$CPUTRACK" "$CPUSTAT" "$PROG/act" "$PROG/oracle" "$D"
	chmod 755 "$D"/*
	mkdir -m 777 "$D/out"
}
as_nobody() {
	(cd / && exec setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=-all "$@")
}

# hit_event PROGRAM: print the event that counts calls of hit() in a test program.
hit_event() { echo "mem:$("$PROG/$1" address):x"; }

# private_hit: let hit() of the test programs have an address of this test's own, for hit_event too. Events of CPUs
# would also count other copies of a program that run on this machine.
private_hit() {
	HIT_AT=$(printf '%#x' $((0x2000000000 + $$ * 4096)))
	export HIT_AT
}

# oracle MODE N [OPTION...]: count hit() in all threads of `oracle MODE N`: rows to $T/csv, the true numbers to $T/truth.
oracle() {
	local mode=$1 n=$2
	shift 2
	rm -f "$T/truth"
	ORACLE=$T/truth bounded "$CPUTRACK" --tracker=ptrace -fev --format=csv -o "$T/csv" -c "$(hit_event oracle)" "$@" \
		"$PROG/oracle" "$mode" "$n"
}

# every_lwp TRUTH CSV: each thread of TRUTH has one fini_lwp row with its hits, and CSV has no other fini_lwp row.
# A tid may be used again, so (pid, tid, hits) are compared as multisets.
every_lwp() {
	awk -F, -v truth="$1" '
		BEGIN { while ((getline line < truth) > 0) {
			split(line, f, " "); n[f[1] " " f[2] " " f[3]]++; total++ } }
		$5 == "fini_lwp" { n[$2 " " $4 " " $10]--; rows++ }
		END {
			for (k in n) if (n[k]) {
				bad++
				if (bad <= 5)
					print "pid tid hits " k ": " (n[k] > 0 ? "missing row" : "wrong row")
			}
			print total " threads, " rows " rows, " bad + 0 " differences"
			exit bad || !total || total != rows
		}' "$2"
}

# every_image TRUTH CSV: the sums of each process over all its images are true, and so is the number of fini_lwp rows.
every_image() {
	awk -F, -v truth="$1" '
		BEGIN { while ((getline line < truth) > 0) {
			split(line, f, " "); sum[f[1]] += f[3]; all += f[3]; total++ } }
		$5 == "fini_lwp" { rows++ }
		($5 == "exit" || $5 == "exec") && $10 != "" { sum[$2] -= $10; seen += $10 }
		END {
			for (k in sum) if (sum[k]) { bad++; print "pid " k ": " sum[k] " of its hits are missing" }
			print total " threads, " rows " rows, " all " hits, " seen " counted"
			exit bad || !total || total != rows || all != seen
		}' "$2"
}

# tail_rule CSV: in each process, the exit row is the sum of the lwp_exit rows and of the first LWP.
tail_rule() {
	awk -F, '
		$5 == "lwp_exit" { s[$2] += $10 }
		$5 == "fini_lwp" && $3 == 1 { s[$2] += $10 }
		$5 == "exit" { e[$2] += $10; n++ }
		END { for (k in e) if (e[k] != s[k]) { bad = 1; print "pid " k ": exit " e[k] ", LWPs " s[k] }
			exit bad || !n }' "$1"
}

csv_sum() { awk -F, -v word="$2" '$5 == word { s += $10 } END { print s + 0 }' "$1"; }
csv_count() { awk -F, -v word="$2" '$5 == word { n++ } END { print n + 0 }' "$1"; }
