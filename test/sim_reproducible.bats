# --reproducible: a simulated program has the same counts in every environment, folder and run.

bats_require_minimum_version 1.5.0
load helper

setup() {
	[ -x "$(dirname "$CPUTRACK")/../sim/cpcsim-launch" ] || skip "the simulator is not built here"
	kept=("PATH=$PATH" HOME=/root LC_ALL=C)
}

# counted REPORT FOLDER VARIABLE... -- CMD...: all events of CMD, in this folder and environment.
counted() {
	local report=$1 folder=$2 env=()
	shift 2
	while [ "$1" != -- ]; do
		env+=("$1")
		shift
	done
	shift
	(cd "$folder" && bounded env -i "${kept[@]}" "${env[@]}" "$PERFEX" --reproducible -a -o "$report" "$@") \
		> "$T/out" 2> "$T/err" < /dev/null
	[ "$(grep -c . "$report")" -eq 32 ]
}

# same CMD...: the counts are the same in four environments and folders, in two of them with other limits.
same() {
	local large
	large=$(printf %3000s '' | tr ' ' x)
	counted "$T/1" / -- "$@"
	counted "$T/2" /usr A=1 "LD_BIND_NOW=1" "B=$large" -- "$@"
	(ulimit -S -s 2048 && ulimit -S -n 300 && counted "$T/3" "$T" GLIBC_TUNABLES=glibc.malloc.check=0 OLDPWD=/ -- "$@")
	counted "$T/4" / "A$large=1" CPC_LABEL=a=1 -- "$@"
	cmp "$T/1" "$T/2"
	cmp "$T/1" "$T/3"
	cmp "$T/1" "$T/4"
}

@test "sim reproducible: true and ls, by whatever path they are called" {
	same true
	mv "$T/1" "$T/true"
	mkdir "$T/a-folder-with-a-name-that-is-longer-than-a-line-of-a-cache-is"
	ln -s "$(type -P true)" "$T/a-folder-with-a-name-that-is-longer-than-a-line-of-a-cache-is/true"
	counted "$T/5" / -- "$T/a-folder-with-a-name-that-is-longer-than-a-line-of-a-cache-is/true"
	cmp "$T/true" "$T/5"
	same ls /usr
}

@test "sim reproducible: gzip, sqlite3, python3" {
	same gzip -9c "$BATS_TEST_DIRNAME/../Makefile"
	[ ! -x /usr/bin/sqlite3 ] || same /usr/bin/sqlite3 :memory: 'select date(), count(*) from sqlite_master'
	[ ! -x /usr/bin/python3 ] || same /usr/bin/python3 -S -c 'import os, time; print(hash("x"), os.urandom(4), time.time())'
}

# compiler: print the path of gcc that is not ccache, which does what its cache has at that moment.
compiler() {
	local path
	for path in $(type -ap gcc); do
		case $(realpath "$path") in
		*/ccache) ;;
		*) echo "$path"; return ;;
		esac
	done
}

@test "sim reproducible: the shell and the compiler, in one folder" {
	local digits gcc
	gcc=$(compiler)
	printf 'int main(void)\n{\n\treturn 0;\n}\n' > "$T/x.c"
	# The shell makes text of its parent's pid; the counts of pids with as many digits are the same.
	for _ in 1 2 3; do
		digits=$(sh -c 'printf %s $$ | wc -c')
		counted "$T/1" "$T" -- sh -c 'ls /usr; exec true'
		counted "$T/2" "$T" A=1 B=2 C=3 -- sh -c 'ls /usr; exec true'
		[ "$(sh -c 'printf %s $$ | wc -c')" -ne "$digits" ] || break
	done
	cmp "$T/1" "$T/2"
	# Another gcc that is simulated at this time chooses the same names of temporary files.
	kept+=("TMPDIR=$T")
	[ -n "$gcc" ] || skip 'needs gcc'
	counted "$T/1" "$T" -- "$gcc" -c -o /dev/null x.c
	counted "$T/2" "$T" A=1 B=2 C=3 -- "$gcc" -c -o /dev/null x.c
	cmp "$T/1" "$T/2"
}

@test "sim reproducible: what differs between machines and runs is constant" {
	local px=("$PERFEX" -o "$T/report" -e 15 --reproducible)
	[ "$(bounded "${px[@]}" uname -srn)" = 'Linux localhost 5.10.0' ]
	[ "$(bounded "${px[@]}" nproc)" = 4 ]
	[ "$(bounded "${px[@]}" date -u +%Y)" = 2033 ]
	bounded "${px[@]}" date +%s.%N > "$T/1"
	bounded "${px[@]}" date +%s.%N > "$T/2"
	cmp "$T/1" "$T/2"
	(ulimit -S -s 2048 && bounded "${px[@]}" sh -c 'ulimit -s') > "$T/out"
	[ "$(cat "$T/out")" = 8192 ]
	bounded "${px[@]}" od -An -tx8 /proc/self/auxv > "$T/1"
	bounded env A=1 "${px[@]}" od -An -tx8 /proc/self/auxv > "$T/2"
	cmp "$T/1" "$T/2"
}

@test "sim reproducible: few variables are kept, and programs pass on what they like" {
	local px=("$PERFEX" -o "$T/report" -e 15 --reproducible)
	bounded env -i B=2 PATH="$PATH" A=1 TZ=UTC LD_PRELOAD=/no/lib.so "${px[@]}" env > "$T/out"
	diff "$T/out" <(printf '%s\n' HOME=/ LANG=C "PATH=$PATH" TERM=dumb TZ=UTC USER=nobody)
	[ "$(bounded "${px[@]}" sh -c 'A=1 env' | grep -c '^A=1$')" -eq 1 ]
}

@test "sim reproducible: time passes while a program waits" {
	[ -x /usr/bin/python3 ] || skip 'needs /usr/bin/python3'
	cat > "$T/wait.py" << 'END'
import select, threading, time
def lasts(seconds, what):
    start = time.monotonic()
    what()
    assert seconds <= time.monotonic() - start < seconds + 0.01, time.monotonic() - start
lasts(0.05, lambda: time.sleep(0.05))
lasts(0.05, lambda: select.select([], [], [], 0.05))
lasts(0.05, lambda: select.poll().poll(50))
lasts(0.05, lambda: threading.Event().wait(0.05))
END
	bounded "$PERFEX" --reproducible -e 15 /usr/bin/python3 -S "$T/wait.py"
}

@test "sim reproducible: a loop that waits for a time ends soon" {
	# Each read of a clock takes a microsecond, so a second has fewer than 10^6 reads, and instructions between them.
	bounded "$PERFEX" --reproducible -o "$T/report" -e 15 perl -e '$t = time; 1 while time == $t'
	awk '{ sub(/.*\.\./, ""); print; exit !($0 + 0 > 1000000 && $0 + 0 < 600000000) }' "$T/report"
}

@test "sim reproducible: timers with absolute times expire, and bad arguments are refused" {
	[ -x /usr/bin/python3 ] || skip 'needs /usr/bin/python3'
	cat > "$T/timer.py" << 'END'
import ctypes, errno, os, struct, time
libc = ctypes.CDLL(None, use_errno=True)
ABSOLUTE = 1
for clock in time.CLOCK_REALTIME, time.CLOCK_MONOTONIC:
    fd = libc.timerfd_create(clock, 0)
    end = time.clock_gettime_ns(clock) + 10 ** 7
    value = struct.pack('4q', 0, 10 ** 6, end // 10 ** 9, end % 10 ** 9)
    assert not libc.timerfd_settime(fd, ABSOLUTE, value, None)
    assert struct.unpack('q', os.read(fd, 8))[0] >= 1
    assert struct.unpack('q', os.read(fd, 8))[0] >= 1
    bad = struct.pack('2q', 10 ** 9, 10 ** 9)
    assert libc.clock_nanosleep(clock, ABSOLUTE, bad, None) == errno.EINVAL
# How many seconds are left of an absolute time, which looks like one of another clock? -1: the timer has expired.
def left(clock, seconds, by_number):
    value, now = struct.pack('4q', 0, 0, seconds, 0), (ctypes.c_long * 4)()
    if by_number:
        timer = ctypes.c_void_p()
        assert not libc.timer_create(clock, struct.pack('qii48x', 0, 0, 1), ctypes.byref(timer))
        assert not libc.timer_settime(timer, ABSOLUTE, value, None)
        assert not libc.timer_gettime(timer, now)
    else:
        timer = libc.dup(libc.timerfd_create(clock, 0))
        assert not libc.timerfd_settime(timer, ABSOLUTE, value, None)
        assert not libc.timerfd_gettime(timer, now)
    return -1 if now[2] == now[3] == 0 else now[2]
for by_number in False, True:
    assert left(time.CLOCK_REALTIME, 10 ** 8, by_number) == -1
    far = 2 * 10 ** 9 - time.clock_gettime(time.CLOCK_MONOTONIC)
    assert abs(left(time.CLOCK_MONOTONIC, 2 * 10 ** 9, by_number) - far) < 1000
assert abs(left(time.CLOCK_PROCESS_CPUTIME_ID, 10 ** 6, True) - 10 ** 6) < 1000
assert libc.nanosleep(struct.pack('2q', 0, 10 ** 9), None) == -1
for flags in 6, 7, 8, 256:
    assert libc.getrandom(bytes(8), 8, flags) == -1 and ctypes.get_errno() == errno.EINVAL
for flags in 0, 1, 2, 3, 4, 5:
    assert libc.getrandom(bytes(8), 8, flags) == 8
END
	/usr/bin/python3 -c 'import ctypes' || skip 'needs ctypes'
	bounded /usr/bin/python3 "$T/timer.py"
	bounded "$PERFEX" --reproducible -e 15 /usr/bin/python3 "$T/timer.py"
}

@test "sim reproducible: the level is that of the processor that the program sees" {
	local ld level px=("$PERFEX" -o "$T/report" -e 15)
	ld=$(find /lib64/ld-linux-x86-64.so.2 2> /dev/null || :)
	[ -n "$ld" ] && "$ld" --help 2> /dev/null | grep -q 'x86-64-v2' || skip 'needs an ld.so that names levels'
	for level in v1 v2 v3; do
		[ $level != v3 ] || grep -qw avx2 /proc/cpuinfo || continue
		bounded "${px[@]}" --reproducible=$level "$ld" --help 2> "$T/err" | grep -E '^ *x86-64-v.*supported' > "$T/levels" || :
		[ "$(wc -l < "$T/levels")" -eq $((${level#v} - 1)) ]
		has "simulated: .*, reproducible on x86-64-$level\$" "$T/err"
	done
}

@test "sim reproducible: the time-stamp counter that CPUID shows can be read, by both instructions" {
	local level
	cat > "$T/tsc.c" << 'END'
#include <cpuid.h>
#include <x86intrin.h>
int main(void)
{
	unsigned a, b, c, d, cpu = 99;
	unsigned long long first;
	if (!__get_cpuid(0x80000001, &a, &b, &c, &d) || !(d & 1 << 27))
		return 0;
	first = __rdtsc();
	return !(first < __rdtscp(&cpu) && __rdtscp(&cpu) < __rdtsc() && cpu == 0);
}
END
	gcc -o "$T/tsc" "$T/tsc.c"
	for level in v1 v2 v3; do
		[ $level != v3 ] || grep -qw avx2 /proc/cpuinfo || continue
		bounded "$PERFEX" --reproducible=$level -a -o "$T/1" "$T/tsc"
		bounded "$PERFEX" --reproducible=$level -a -o "$T/2" "$T/tsc"
		cmp "$T/1" "$T/2"
	done
}

@test "sim reproducible: a note says what the program read that differs" {
	bounded "$PERFEX" --reproducible -e 15 "$PROG/exactly" 2> "$T/err"
	lacks 'the program read' "$T/err"
	bounded "$PERFEX" --reproducible --strict -e 15 sh -c 'read -r a < /proc/self/stat; echo $PPID; pwd -P' > "$T/out" 2> "$T/err"
	has 'the program read files of /proc or /sys, or random numbers of /dev; process ids; the working directory' "$T/err"
	bounded "$PERFEX" --engine=sim -e 15 sh -c 'read -r a < /proc/self/stat' 2> "$T/err"
	lacks 'the program read' "$T/err"
}

@test "sim reproducible: the record of the run has the level" {
	bounded "$CPUTRACK" --reproducible -T 0 --format=json -o "$T/json" -c insn "$PROG/exactly"
	has '"reproducible":"v2"' "$T/json"
	bounded "$CPUTRACK" --engine=sim -T 0 --format=json -o "$T/json" -c insn "$PROG/exactly"
	has '"reproducible":null' "$T/json"
}

@test "sim reproducible: what is not possible is refused" {
	run -2 "$PERFEX" --reproducible=v9 -e 15 true
	[[ $output == *"--reproducible: 'v9' is not v1, v2 or v3"* ]]
	run -2 "$CPUSTAT" --reproducible -c insn 1 1
	run -125 "$PERFEX" --reproducible --engine=kernel -e page-faults true
	[[ $output == *'--reproducible: the kernel runs programs as they are'* ]]
}

@test "sim reproducible: threads that wait with limits" {
	need xz
	head -c 150000 "$CPUTRACK" > "$T/data"
	kept+=("HOME=$T")
	counted "$T/1" / -- xz -T2 -0 -c --block-size=25000 "$T/data"
	counted "$T/2" /usr A=1 -- xz -T2 -0 -c --block-size=25000 "$T/data"
	cmp "$T/1" "$T/2"
	[ -x /usr/bin/python3 ] || skip 'needs /usr/bin/python3'
	cat > "$T/spin.py" << 'END'
import threading, time
stop = threading.Event()
def work():
    while not stop.wait(0.001):
        pass
thread = threading.Thread(target=work)
thread.start()
time.sleep(0.02)
stop.set()
thread.join()
END
	# All threads of this program wait with limits at once.
	counted "$T/1" / -- /usr/bin/python3 -S "$T/spin.py"
}
