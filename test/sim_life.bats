# How simulated programs start and end, and how cputrack and perfex end with them.

bats_require_minimum_version 1.5.0
load helper

setup() {
	[ -x "$(dirname "$CPUTRACK")/../sim/cpcsim-launch" ] || skip "the simulator is not built here"
	px=("$PERFEX" --engine=sim -o "$T/report" -e 15)
}

# count: print the count in the report of perfex.
count() { awk '{ sub(/\.\.+/, " "); print $NF }' "$T/report"; }

@test "sim life: TMPDIR may be a folder that is not, or has blanks; nothing is left there" {
	bounded env TMPDIR="$T/nosuch" "${px[@]}" cat /proc/self/cmdline > "$T/out" 2> "$T/err"
	[ "$(tr '\0' ' ' < "$T/out")" = 'cat /proc/self/cmdline ' ] || [[ "$(tr '\0' ' ' < "$T/out")" == */cat' /proc/self/cmdline ' ]]
	[ "$(count)" -gt 100 ]
	lacks valgrind "$T/err"
	mkdir "$T/bl ank"
	bounded env TMPDIR="$T/bl ank" "${px[@]}" "$PROG/nop"
	[ -z "$(ls -A "$T/bl ank")" ]
}

@test "sim life: if the simulator cannot start a program, its count is not 0" {
	# The file has the headers of a program, but not the segments.
	head -c 3000 "$PROG/nop" > "$T/short"
	chmod +x "$T/short"
	run -125 bounded "${px[@]}" "$T/short"
	echo "$output" > "$T/err"
	[ "$(count)" = - ]
	has 'ended before the program could start' "$T/err"
	has 'ran without the simulator' "$T/err"
	run -125 bounded "$CPUTRACK" --engine=sim -T 0 --format=csv -o "$T/csv" -c insn "$T/short"
	[ "$(awk -F, '$5 == "exit" { print $10, $14 }' "$T/csv")" = ' unavailable' ]
	run -125 bounded "$PERFEX" --strict --engine=sim -e 15 "$T/short"
}

@test "sim life: if the simulator cannot go on with a program, the status is 125 and a note has its reason" {
	local mode reason
	while read -r mode reason; do
		run -125 bounded "${px[@]}" "$PROG/sim-ends" "$mode"
		echo "$output" > "$T/err"
		[ "$(count)" -gt 10000 ]
		has "pid [0-9]*: the simulator could not go on and ended it: $reason; what it did since its last system call may not" "$T/err"
		lacks 'killed;' "$T/err"
		lacks aspacem "$T/err"
	done <<- 'END'
		memory no memory is left for the simulator
		core Killed by fatal signal
		exit Valgrind's core exited with status 0
	END
	# a child
	run -125 bounded "${px[@]}" sh -c "'$PROG/sim-ends' core; exit 0"
	[[ $output == *'could not go on and ended it: Killed by fatal signal'* ]]
	run -125 bounded "$CPUTRACK" --engine=sim -T 0 -fc insn sh -c "'$PROG/sim-ends' core; exit 0"
	[[ $output == *'could not go on and ended it: Killed by fatal signal'* ]]
	# a recording of what it did
	run -125 bounded "$LWPREC" record --engine=sim -o "$T/core" "$PROG/sim-ends" core
	[[ $output == *'could not go on and ended it: Killed by fatal signal'*'1 recording' ]]
	"$LWPREC" report "$T/core" > "$T/report"
	has ire "$T/report"
}

@test "sim life: if the simulator cannot start a program that a process executes, the status is 125" {
	head -c 3000 "$PROG/nop" > "$T/short"
	chmod +x "$T/short"
	local cmd
	for cmd in "exec $T/short" "$T/short; exit 0"; do
		run -125 bounded "${px[@]}" sh -c "$cmd"
		[ "$(count)" -gt 10000 ]
		[[ $output == *': the simulator ended before the program that it executed could start'* ]]
		[[ $output != *'it was killed'* ]]
	done
}

@test "sim life: processes that cannot be simulated are refused with EINVAL and a note" {
	local flags
	# CLONE_VM 100, FS 200, FILES 400, SIGHAND 800, VFORK 4000, THREAD 10000
	for flags in 0 4000 4100; do
		[ "$(bounded "${px[@]}" "$PROG/sim-ends" clone $flags 2> "$T/err" || :)" = 'status 3' ]
		lacks 'clone(2)' "$T/err"
	done
	for flags in 100 200 600 700 4900 f00; do
		[ "$("$PROG/sim-ends" clone $flags || :)" = 'status 3' ]
		run -7 bounded "${px[@]}" "$PROG/sim-ends" clone $flags
		[[ $output == 'Invalid argument'* ]]
		[[ $output == *'clone(2) of a process that shares memory or files with it was refused (EINVAL)'* ]]
	done
	run -125 bounded "${px[@]}" --strict "$PROG/sim-ends" clone 100
	# these are no flags of the kernel's either
	for flags in 800 10600; do
		[ "$("$PROG/sim-ends" clone $flags || :)" = 'Invalid argument' ]
		[ "$(bounded "${px[@]}" "$PROG/sim-ends" clone $flags 2> "$T/err" || :)" = 'Invalid argument' ]
		lacks 'clone(2)' "$T/err"
	done
}

@test "sim life: signals of faults that a program sends itself have the effects and the data that the kernel gives" {
	"$PROG/sim-signals" > "$T/native"
	has '^handler: signal 11 code 2 errno 5 address 0x123456789abc$' "$T/native"
	bounded "${px[@]}" "$PROG/sim-signals" > "$T/out" 2> "$T/err"
	diff "$T/native" "$T/out"
	lacks pid "$T/err"
}

@test "sim life: SIGRTMAX cannot be sent, in whatever way" {
	local number
	for number in 62 129; do # kill, rt_sigqueueinfo
		[ "$(bounded "${px[@]}" perl -e "\$info = pack('iiix116', 64, 0, -1); print syscall($number, \$\$, 64, \$info), ' ', \$! + 0" 2> "$T/err")" = '-1 22' ]
	done
}

@test "sim life: without /proc, or with that of another pid namespace, nothing is simulated" {
	[ -z "${SANITIZE-}" ] || skip "the sanitizers' own libraries need /proc"
	unshare -m -p true 2> /dev/null || skip "needs the right to make namespaces"
	for cmd in "$CPUTRACK --engine=sim -T 0 -c insn" "$CPUTRACK -T 0 -c insn" "$PERFEX --engine=sim -e insn" \
		"$PERFEX -mp --engine=sim -e insn"; do
		run -125 bounded unshare -m sh -c "umount -l /proc; exec $cmd /bin/true"
		[[ $output == *"cannot run without /proc, which is not mounted; mount it: mount -t proc"* ]]
		run -125 bounded unshare -m -p -f sh -c "$cmd /bin/true"
		[[ $output == *"cannot run without /proc, which shows the processes of another pid namespace"* ]]
		lacks '[0-9]$' <(grep insn <<< "$output" || :)
		run -0 bounded unshare -m -p -f sh -c "mount -t proc proc /proc && $cmd /bin/true"
	done
}

@test "sim life: if ulimit -f is 0, an error says so" {
	run -125 bash -c 'ulimit -f 0; exec "$@"' - "$PERFEX" --engine=sim -e 15 true
	[[ $output == *'cannot create the file for the counts of a simulated run: File too large'* ]]
}

@test "sim life: the process has the name of the program's file" {
	bounded "${px[@]}" cat /proc/self/comm > "$T/out"
	[ "$(cat "$T/out")" = cat ]
}

@test "sim life: a script that executes its interpreter by /proc/self/exe, and a file whose name begins with -" {
	[ -x /usr/bin/perl ] || skip 'needs /usr/bin/perl'
	printf '#!/usr/bin/perl -w\n$| = 1; print "one\\n"; exec { "/proc/self/exe" } "perl", "-e", "print qq{two\\n}";\n' > "$T/script"
	chmod +x "$T/script"
	bounded "${px[@]}" "$T/script" > "$T/out"
	diff "$T/out" <(printf 'one\ntwo\n')
	cp "$(type -P echo)" "$T/-dash"
	cd "$T"
	PATH=:$PATH bounded "${px[@]}" perl -e 'exec { "-dash" } "-dash", "three"' > "$T/out"
	[ "$(cat "$T/out")" = three ]
}

@test "sim life: options of Valgrind have no effect, and LD_PRELOAD reaches the program" {
	mkdir "$T/home"
	echo '--tool=none --bogus' > "$T/home/.valgrindrc"
	cp "$T/home/.valgrindrc" "$T"
	cd "$T"
	[ "$(VALGRIND_OPTS=--bogus VALGRIND_LIB=/nonexistent HOME=$T/home bounded "${px[@]}" echo out)" = out ]
	local lib
	lib=$(ldconfig -p | awk '/libm\.so\.6.*x86-64/ { print $NF; exit }')
	[ -n "$lib" ] || skip 'no libm to preload'
	[ "$(bounded "${px[@]}" env LD_PRELOAD="$lib" grep -c "${lib##*/}" /proc/self/maps)" -gt 0 ]
}

@test "sim life: if the simulator runs out of descriptors, its status is not the program's" {
	[ -z "${SANITIZE-}" ] || skip "the sanitizers' own libraries need descriptors"
	local n ended=0 counted=0
	for n in {5..20}; do
		run bounded bash -c 'ulimit -n "$0"; exec "$@"' "$n" "${px[@]}" "$PROG/exactly"
		echo "$output" > "$T/err"
		if [ "$status" -eq 0 ]; then
			counted=1
			[ "$(count)" -gt 0 ]
		else
			[ "$status" -eq 125 ]
			lacks 'it was killed' "$T/err"
		fi
		case "$output" in *'ended before the program could start'*) ended=1; [ "$(count)" = - ] ;; esac
	done
	[ "$ended" = 1 ] && [ "$counted" = 1 ]
}

@test "sim life: descriptors: all closed, high ones, and closed standard streams" {
	bounded "${px[@]}" perl -e 'use POSIX; POSIX::close($_) for 0 .. 1023; POSIX::_exit(0)'
	bounded "${px[@]}" perl -e 'use POSIX; exit(POSIX::dup2(0, 1000) == 1000 ? 0 : 1)' < /dev/null
	bounded "${px[@]}" "$PROG/exactly" <&- >&- 2>&-
	[ "$(count)" -eq 4004 ]
}

@test "sim life: a program that is killed keeps its count" {
	local status=0
	bounded "${px[@]}" sh -c 'kill -KILL $$' 2> "$T/err" || status=$?
	[ "$status" -eq 137 ]
	[ "$(count)" -gt 10000 ]
}

@test "sim life: a program that seccomp kills has a note" {
	cat > "$T/seccomp" << 'END'
my $ok = "ok\n";
# write and exit are allowed, all other calls kill the process
my $code = pack("SCCL" x 5, 0x20, 0, 0, 0, 0x15, 2, 0, 1, 0x15, 1, 0, 60, 6, 0, 0, 0x80000000, 6, 0, 0, 0x7fff0000);
my $filter = pack("Sx6P", 5, $code);
sub restrict {
	syscall(157, 38, 1, 0, 0, 0);
	my $rc = $ARGV[0] eq "filter" ? syscall(157, 22, 2, $filter, 0, 0) : syscall(157, 22, 1, 0, 0, 0);
	syscall(60, 9) if $rc < 0;
}
if ($ARGV[0] eq "heir") {
	$code = pack("SCCL" x 4, 0x20, 0, 0, 0, 0x15, 1, 0, 110, 6, 0, 0, 0x7fff0000, 6, 0, 0, 0x80000000);
	$filter = pack("Sx6P", 4, $code);
	$ARGV[0] = "filter";
	restrict();
	if (fork()) { wait(); } else { syscall(110); }
}
else { restrict(); }
syscall(1, 1, $ok, 3);
syscall(60, 0);
END
	local mode status
	for mode in strict filter; do
		[ "$(perl "$T/seccomp" $mode)" = ok ] || skip 'needs perl, and a kernel with seccomp'
		status=0
		bounded "${px[@]}" perl "$T/seccomp" $mode > "$T/out" 2> "$T/err" || status=$?
		[ "$status" -gt 128 ]
		[ "$(count)" -gt 10000 ]
		has 'it was killed, perhaps by its own seccomp(2) rules' "$T/err"
	done
	# the rules are inherited; this child calls getppid, which is forbidden
	[ "$(perl "$T/seccomp" heir)" = ok ]
	[ "$(bounded "${px[@]}" perl "$T/seccomp" heir 2> "$T/err")" = ok ]
	has 'it was killed, perhaps by its own seccomp(2) rules' "$T/err"
	# nothing is said of a program that lives with its rules, or that was killed without any
	bounded "${px[@]}" perl -e 'syscall(157, 22, 9, 0, 0, 0)' 2> "$T/err"
	lacks 'seccomp' "$T/err"
	bounded "${px[@]}" sh -c 'kill -KILL $$' 2> "$T/err" || :
	lacks 'seccomp' "$T/err"
}

@test "sim life: ^C ends a program, which keeps its count" {
	needs_terminal
	local status=0
	"$PROG/ptyrun" go ^C -- "${px[@]}" sh -c 'echo go; read x' > "$T/out" || status=$?
	[ "$status" -eq 130 ]
	[ "$(count)" -gt 10000 ]
}

@test "sim life: 200 children at once" {
	bounded "${px[@]}" perl -e 'pipe(R, W); for (1 .. 200) { if (!fork) { close W; <R>; exit 0 } }
		close W; $n++ while wait > 0; exit($n == 200 ? 0 : 1)'
}

@test "sim life: branches are mispredicted as in a calculation by hand" {
	# gshare with 16384 entries, which begin as weakly not taken, and 12 bits of history; addresses are those of the program
	bounded "$CPUTRACK" --engine=sim -T 0 --format=csv -o "$T/csv" -c br_cond,br_cond_tk,br_misp_tk,br_misp_nt "$PROG/sim-branches"
	awk -F, '$5 == "exit" { print $10 }' "$T/csv" > "$T/seen"
	awk 'function br(pc, taken, i, s) {
			i = xor12(pc % 16384, h)
			s = i in state ? state[i] : 1
			if (taken) { tk += s < 2; state[i] = s < 3 ? s + 1 : 3 }
			else { nt += s >= 2; state[i] = s > 0 ? s - 1 : 0 }
			h = (h * 2 + taken) % 4096
		}
		function xor12(a, b, k, r, bit) {
			for (bit = 1; bit < 16384; bit *= 2)
				if (int(a / bit) % 2 != int(b / bit) % 2) r += bit
			return r
		}
		BEGIN {
			# pc ^ pc >> 14 of 0x40100b and 0x401010: 0x100b ^ 0x100, 0x1010 ^ 0x100
			for (c = 1000; c > 0; c--) { br(4363, c % 2 == 0); br(4368, c > 1) }
			print 2000; print 1499; print tk; print nt
		}' | diff - "$T/seen"
}

@test "sim life: a small stack suffices; with too small an address space the status is 125" {
	[ -z "${SANITIZE-}" ] || skip "the sanitizers need stack and address space"
	run -0 bash -c "ulimit -s 160 && exec '$CPUTRACK' --engine=sim -n -T 0 -c instructions '$PROG/nop'"
	[[ $output =~ exit\ +[1-9] ]]
	local kib
	for kib in 10000 20000 40000; do
		run -125 bash -c "ulimit -v $kib && exec '$CPUTRACK' --engine=sim -n -T 0 -c instructions '$PROG/nop'"
		[[ $output == *'ended before the program'* ]]
	done
}
