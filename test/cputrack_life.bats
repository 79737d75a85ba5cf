# How runs end: exit statuses, signals, refusals; and that the program is not disturbed.

bats_require_minimum_version 1.5.0
load helper

tracked=("$CPUTRACK" --tracker=ptrace -n -T 0 -o "$T/rows" -c task-clock)
quiet() {
	bounded "${tracked[@]}" "$@"
}
exit_rows() { awk '$3 == "exit"' "$T/rows" | wc -l; }

@test "life: the command's exit status is passed on" {
	for n in 0 1 7 255; do
		run quiet "$PROG/act" exit "$n"
		[ "$status" -eq "$n" ]
		[ "$(exit_rows)" -eq 1 ]
	done
}

@test "life: 128 + n for a command that dies by a signal" {
	for n in 1 6 9 11 15; do
		run quiet "$PROG/act" kill "$n"
		[ "$status" -eq $((128 + n)) ]
		[ "$(exit_rows)" -eq 1 ]
	done
}

@test "life: SIGSEGV" {
	run quiet "$PROG/act" segv
	[ "$status" -eq 139 ]
	[ "$(exit_rows)" -eq 1 ]
}

@test "life: status 127 for a missing command, 126 for a command that is not executable" {
	run -127 quiet /no/such/program
	[ "$status" -eq 127 ]
	[[ $output == *"cputrack: cannot find program '/no/such/program'"* ]]
	run -127 quiet no-such-program-in-path
	[ "$status" -eq 127 ]
	echo text > "$T/file"
	run quiet "$T/file"
	[ "$status" -eq 126 ]
	run quiet "$T"
	[ "$status" -eq 126 ]
	run -127 quiet "$T/file/below"
	[ "$status" -eq 127 ]
}

@test "life: status 125 if there are too few descriptors to start the command" {
	[ -z "${SANITIZE-}" ] || skip "the sanitizers' own libraries need descriptors"
	run bash -c "ulimit -n 4; exec '$CPUTRACK' -c task-clock true"
	[ "$status" -eq 125 ]
	[[ $output == *"Too many open files"* ]]
}

@test "life: a file without #! is not a program" {
	printf 'exit 3\n' > "$T/script"
	chmod 755 "$T/script"
	run quiet "$T/script"
	[ "$status" -eq 126 ] || [ "$status" -eq 3 ]
}

@test "life: exec without -e: two exec rows, status 125, the program runs on" {
	start "$T/out" "${tracked[@]}" "$PROG/act" exec "$PROG/act" park
	pid=$(ready_pid "$T/out")
	started+=("$pid")
	local status=0
	finish "${started[0]}" || status=$?
	[ "$status" -eq 125 ]
	[ "$(awk '{ print $3 }' "$T/rows" | paste -sd' ')" = "exec exec" ]
	has '^cputrack: ' "$T/out.err"
	until_true runs_freely "$pid"
}

@test "life: an exec that fails changes nothing" {
	run quiet sh -c '(exec /no/such/program) 2>/dev/null; exit 5'
	[ "$status" -eq 5 ]
	run -127 quiet "$PROG/act" exec /no/such/program
	[ "$status" -eq 127 ]
	[ "$(exit_rows)" -eq 1 ]
	[ "$(grep -c exec "$T/rows")" -eq 0 ]
}

@test "life: signals reach the program, all of them" {
	run quiet "$PROG/act" signals 200
	[ "$status" -eq 0 ]
	[ "$output" = 200 ]
}

@test "life: stop and continue: a parent sees its child's states" {
	"$CPUTRACK" --tracker=ptrace -fn -T 0 -o "$T/rows" -c task-clock "$PROG/act" stopcont > "$T/out"
	diff "$T/out" <("$PROG/act" stopcont)
}

stopped() { case $(proc_state "$1") in T | t) ;; *) return 1 ;; esac; }

@test "life: a program stopped from outside and continued goes on and is counted" {
	start "$T/out" "${tracked[@]}" "$PROG/act" catch 18 5
	pid=$(ready_pid "$T/out")
	kill -STOP "$pid"
	until_true stopped "$pid"
	kill -CONT "$pid"
	local status=0
	finish "${started[0]}" || status=$?
	[ "$status" -eq 5 ]
	has 'got 18' "$T/out"
	[ "$(exit_rows)" -eq 1 ]
}

@test "life: job control of a shell: ^Z and fg" {
	needs_terminal
	run "$PROG/ptyrun" ready '^Z' -- bash -c "set -m
		$CPUTRACK --tracker=ptrace -T 0 -n -o $T/rows -c task-clock $PROG/act catch 18 5
		echo stopped=\$?; fg > /dev/null; echo done=\$?"
	echo "$output"
	[[ $output == *stopped=148* ]]
	[[ $output == *"got 18"* ]]
	[[ $output == *done=5* ]]
	[ "$(exit_rows)" -eq 1 ]
}

@test "life: Ctrl-C at a terminal: the rows are printed, the status is the program's" {
	needs_terminal
	run "$PROG/ptyrun" ready '^C' -- "$CPUTRACK" --tracker=ptrace -T 0 -n -o "$T/rows" -c task-clock "$PROG/act" park
	[ "$status" -eq 130 ]
	[ "$(exit_rows)" -eq 1 ]
}

@test "life: Ctrl-C is delivered once to a program that handles it" {
	needs_terminal
	run "$PROG/ptyrun" ready '^C' -- "$CPUTRACK" --tracker=ptrace -T 0 -n -o "$T/rows" -c task-clock "$PROG/act" catch 2 3
	[ "$status" -eq 3 ]
	[[ $output == *"got 2"* ]]
	[ "$(exit_rows)" -eq 1 ]
}

@test "life: a program that ignores SIGINT is waited for" {
	needs_terminal
	run "$PROG/ptyrun" ready '^Cgo^J' -- "$CPUTRACK" --tracker=ptrace -T 0 -n -o "$T/rows" -c task-clock "$PROG/act" ignoreint
	[ "$status" -eq 4 ]
	[[ $output == *"read go"* ]]
	[ "$(exit_rows)" -eq 1 ]
}

@test "life: SIGINT again gives up waiting for a program that ignores it, and loses no count" {
	start "$T/out" "$CPUTRACK" --tracker=ptrace -fe -T 0 -n -o "$T/rows" -c task-clock sh -c "trap '' INT; $PROG/act park; :"
	tool=$!
	pid=$(ready_pid "$T/out")
	stop_by INT "$tool"
	local status=0
	finish "$tool" || status=$?
	[ "$status" -eq 130 ]
	[ "$(awk '$4 == "detach" && $5 > 0' "$T/rows" | wc -l)" -eq 2 ]
	until_true is_gone "$pid"
}

@test "life: SIGINT, SIGTERM, SIGQUIT and SIGHUP to cputrack are forwarded to the program" {
	for sig in 2 15 3 1; do
		start "$T/out" "${tracked[@]}" "$PROG/act" catch "$sig" 3
		tool=$!
		ready_pid "$T/out"
		kill -"$sig" "$tool"
		local status=0
		finish "$tool" || status=$?
		[ "$status" -eq 3 ]
		has "got $sig" "$T/out"
		[ "$(exit_rows)" -eq 1 ]
	done
}

# With a limit of no pending signals the kernel gives no timers.
@test "life: without timers there are ticks, threads and processes are counted, and a signal ends the run" {
	run -0 --separate-stderr bounded bash -c 'ulimit -i 0; exec "$@"' - \
		"$CPUTRACK" --tracker=ptrace -n -fe -T 0.01 -c task-clock sh -c '"$0" spin 100; "$0" args; exit 0' "$PROG/act"
	[ "$(awk '$4 == "tick"' <<< "$output" | wc -l)" -gt 1 ]
	[ "$(awk '$4 == "exit"' <<< "$output" | wc -l)" -eq 3 ]
	run -0 bounded bash -c 'ulimit -i 0; exec "$@"' - "${tracked[@]}" "$PROG/oracle" live 50
	[ "$(awk '$3 == "lwp_exit"' "$T/rows" | wc -l)" -eq 50 ]
	start "$T/park" "$PROG/act" park
	pid=$(ready_pid "$T/park")
	start "$T/out" bash -c 'ulimit -i 0; exec "$@"' - "$CPUTRACK" -n -v -T 3600 -c task-clock -p "$pid"
	tool=$!
	until_true has init_lwp "$T/out"
	kill -TERM "$tool"
	finish "$tool"
	has detach "$T/out"
	runs_freely "$pid"
}

# in_pids CMD...: run CMD as the first process of its own pid namespace, where numbers can be given again.
in_pids() {
	local own=(--pid --fork --mount-proc)
	[ "$(id -u)" -eq 0 ] || own+=(--user --map-root-user)
	DEADLINE=30 bounded unshare "${own[@]}" "$@"
}

# Print the status of a stranger that has the number of the ended program when cputrack gets SIGTERM. A daemon of the
# program keeps cputrack running until then.
reused_number() {
	local tool root daemon stranger
	# shellcheck disable=SC2016
	"$CPUTRACK" --tracker=ptrace -n -fe -T 0 -o "$T/rows" -c task-clock sh -c '"$0" park & exit' "$PROG/act" > "$T/park" &
	tool=$!
	daemon=$(ready_pid "$T/park")
	until_true has ' exit ' "$T/rows"
	root=$(awk '$4 == "exit" { print $2 }' "$T/rows")
	until_true is_gone "$root"
	echo $((root - 1)) > /proc/sys/kernel/ns_last_pid
	"$PROG/act" park > /dev/null &
	stranger=$!
	[ "$stranger" -eq "$root" ] || echo "not reused: $stranger $root"
	kill -TERM "$tool"
	kill -KILL "$daemon"
	wait "$tool"
	kill -KILL "$stranger"
	wait "$stranger"
	echo "$?"
}

@test "life: SIGTERM is not forwarded to a process that has the number of the ended program" {
	need unshare
	in_pids sh -c 'echo 1000 > /proc/sys/kernel/ns_last_pid' 2> /dev/null ||
		skip "pid namespaces cannot be made here, or their numbers cannot be chosen"
	run -0 --separate-stderr in_pids bash -c "$(declare -f); $(declare -p CPUTRACK PROG T); reused_number"
	[ "$output" = 137 ]
}

@test "life: SIGTERM to cputrack and a program that dies by it: status 143" {
	start "$T/out" "${tracked[@]}" "$PROG/act" park
	tool=$!
	pid=$(ready_pid "$T/out")
	kill -TERM "$tool"
	local status=0
	finish "$tool" || status=$?
	[ "$status" -eq 143 ]
	[ "$(exit_rows)" -eq 1 ]
	until_true is_gone "$pid"
}

@test "life: SIGKILL of cputrack: the program that it started and traces dies" {
	start "$T/out" "${tracked[@]}" --tracker=ptrace -fe sh -c "$PROG/act park; :"
	tool=$!
	pid=$(ready_pid "$T/out")
	kill -KILL "$tool"
	until_true is_gone "$pid"
}

attach() {
	start "$T/park" "$PROG/act" park
	pid=$(ready_pid "$T/park")
	rm -f "$T/rows"
	start "$T/out" "$CPUTRACK" --tracker=ptrace -n -v -T 0.02 -o "$T/rows" -c task-clock -p "$pid"
	tool=$!
	until_true has ' tick ' "$T/rows"
}
alive() {
	: > "$T/park"
	kill -USR1 "$pid"
	until_true has alive "$T/park"
}

@test "life: SIGKILL of cputrack: the program that it attached to runs on" {
	attach
	kill -KILL "$tool"
	until_true runs_freely "$pid"
	alive
}

@test "life: SIGKILL of cputrack that is attached to a program of many threads" {
	start "$T/prog" "$PROG/attachme" 100 2
	pid=$!
	until_true has ready "$T/prog"
	start "$T/out" "$CPUTRACK" --tracker=ptrace -n -T 0.02 -o "$T/rows" -c task-clock -p "$pid"
	tool=$!
	until_true has ' tick ' "$T/rows"
	kill -KILL "$tool"
	until_true runs_freely "$pid"
	for task in /proc/"$pid"/task/*; do
		[ ! -e "$task/status" ] || lacks '^State:.[Tt]' "$task/status"
	done
	kill -USR1 "$pid"
	kill -TERM "$pid"
	finish "$pid"
}

@test "life: SIGINT, SIGTERM while attached: a detach row, status 0, the program runs on" {
	for sig in INT TERM; do
		attach
		kill -"$sig" "$tool"
		finish "$tool"
		[ "$(awk '$3 == "detach"' "$T/rows" | wc -l)" -eq 1 ]
		# The detach row is the total: at least the sum of the ticks.
		awk '$3 == "tick" { s += $4 } $3 == "detach" { d = $4 } END { exit d < s }' "$T/rows"
		until_true runs_freely "$pid"
		alive
		kill -KILL "$pid"
	done
}

@test "life: attached, and the program ends: exit row, status 0" {
	attach
	kill -KILL "$pid"
	finish "$tool"
	[ "$(exit_rows)" -eq 1 ]
}

@test "life: attached to a stopped program: the program stays stopped" {
	start "$T/park" "$PROG/act" park
	pid=$(ready_pid "$T/park")
	kill -STOP "$pid"
	until_true stopped "$pid"
	start "$T/out" "$CPUTRACK" --tracker=ptrace -n -T 0.02 -o "$T/rows" -c task-clock -p "$pid"
	tool=$!
	until_true has ' tick ' "$T/rows"
	stopped "$pid"
	kill -CONT "$pid"
	alive
	kill -INT "$tool"
	finish "$tool"
	until_true runs_freely "$pid"
}

@test "life: the program has the same signals, descriptors, limits and environment as without cputrack" {
	cat > "$T/look" <<-'SH'
		#!/bin/bash
		grep -E '^(SigBlk|SigIgn|ShdPnd|SigPnd|Seccomp|NoNewPrivs|Cap)' /proc/self/status
		ls /proc/self/fd
		ulimit -a
		umask; pwd
		env | grep -v -e '^_=' -e '^__LLVM_PROFILE_RT_'
		readlink /proc/self/fd/0
	SH
	chmod 755 "$T/look"
	ulimit -Sn 200
	bash "$T/look" < /dev/null > "$T/untracked" 3>&-
	"$CPUTRACK" --tracker=ptrace -fe -T 0 -o "$T/rows" -c task-clock bash "$T/look" < /dev/null > "$T/tracked" 3>&-
	diff "$T/untracked" "$T/tracked"
}

@test "life: a reader that goes away: status 125 and a message" {
	for format in text csv json; do
		bash -c "'$CPUTRACK' -T 0.01 --format=$format -c task-clock '$PROG/act' spin 300 2> '$T/err' |
			head -1 > '$T/head'; echo \${PIPESTATUS[0]} > '$T/status'" 3>&-
		[ "$(cat "$T/status")" -eq 125 ]
		[ "$(wc -l < "$T/head")" -eq 1 ]
		has '^cputrack: ' "$T/err"
	done
}

@test "life: closed standard streams are reported, and are closed for the program too" {
	run bash -c "'$CPUTRACK' -c task-clock true 2>&1 >&-"
	[ "$status" -eq 125 ]
	[[ $output == *"cannot write to standard output: Bad file descriptor"* ]]
	bash -c 'ls /proc/self/fd <&-' > "$T/bare"
	bash -c "'$CPUTRACK' -n -o '$T/rows' -c task-clock ls /proc/self/fd <&-" > "$T/counted"
	diff "$T/bare" "$T/counted"
	run bash -c "'$CPUTRACK' -c task-clock true 2>&-"
	[ "$status" -eq 0 ]
}

@test "life: a full disk: status 125 and a message" {
	[ -c /dev/full ] || skip "no /dev/full"
	local status=0
	"$CPUTRACK" --tracker=ptrace -T 0 -c task-clock true > /dev/full 2> "$T/err" || status=$?
	[ "$status" -eq 125 ]
	has 'No space left' "$T/err"
	run "$CPUTRACK" --tracker=ptrace -T 0 -o /dev/full -c task-clock sh -c '/bin/true; /bin/true'
	[[ "$output" != *'never counted'* ]]
	[ "$status" -eq 125 ]
}

@test "life: too few descriptors: the message says how many are needed" {
	# Root could raise the hard limit, unless CAP_SYS_RESOURCE is dropped.
	local obey=
	[ "$(id -u)" -ne 0 ] || obey='setpriv --bounding-set=-sys_resource'
	run bounded bash -c "ulimit -n 40; exec $obey '$CPUTRACK' --tracker=ptrace -T 0 -n -o '$T/rows' -c task-clock,page-faults '$PROG/oracle' live 100"
	[ "$status" -eq 125 ]
	[[ $output == *cputrack:* ]]
	[[ $output == *descriptor* || $output == *"open files"* ]]
	[[ $output =~ [0-9]{2,} ]]
}

# scarce N CMD...: runs CMD with at most N descriptors, which root could exceed with CAP_SYS_RESOURCE.
scarce() {
	local n=$1 obey=
	shift
	[ "$(id -u)" -ne 0 ] || obey='setpriv --bounding-set=-sys_resource'
	bash -c "ulimit -n $n; exec $obey \"\$@\"" scarce "$@"
}

@test "life: too few descriptors: what was counted is in rows, and the rest of the tree in a last row" {
	need_breakpoints
	[ -z "${SANITIZE-}" ] || skip "the sanitizers' own libraries need descriptors"
	local event mode
	event=$(hit_event oracle)
	for mode in "live 60" "tree 3"; do
		rm -f "$T/truth"
		ORACLE=$T/truth run scarce 20 "$CPUTRACK" --tracker=ptrace -fe -n -T 0 -o "$T/rows" -c "$event" "$PROG/oracle" $mode
		[ "$status" -eq 125 ]
		[ "$(grep -c 'descriptors are open' <<< "$output")" -eq 1 ]
		[ "$(grep -c "this process is released" <<< "$output")" -eq 1 ]
		[[ $output == *"released before the end"* ]]
		[ "$(awk '$4 == "rest" && $3 == 0' "$T/rows" | wc -l)" -eq 1 ]
		# The total of a process has those of its LWPs.
		awk -v truth="$(awk '{ s += $3 } END { print s }' "$T/truth")" '
			$4 == "exit" { ended[$2] = 1; s += $5 }
			$4 == "lwp_exit" { own[$2] += $5 }
			$4 == "detach" || $4 == "rest" { s += $5 }
			END { for (p in own) if (!ended[p]) s += own[p]; print s, truth; exit s != truth }' "$T/rows"
	done
}

descriptors_of() { find "/proc/$1/fd" -mindepth 1 | wc -l; }
closed() { [ "$(descriptors_of "$1")" -lt 12 ]; }
all_hit() { [ -f "$T/truth" ] && (($(wc -l < "$T/truth") == $1)); }

@test "life: too few descriptors: those of the process that is released are closed at once" {
	need_breakpoints
	[ -z "${SANITIZE-}" ] || skip "the sanitizers' own libraries need descriptors"
	ORACLE=$T/truth start "$T/out" scarce 20 "$CPUTRACK" --tracker=ptrace -n -T 0 -o "$T/rows" -c "$(hit_event oracle)" "$PROG/oracle" hold 60
	tool=$!
	until_true all_hit 61
	until_true closed "$tool"
	pid=$(awk 'NR == 1 { print $1 }' "$T/truth")
	kill -TERM "$pid"
	local status=0
	finish "$tool" || status=$?
	[ "$status" -eq 125 ]
}

@test "life: with CAP_SYS_RESOURCE the hard limit of descriptors is raised too" {
	(ulimit -n 40 && ulimit -Hn 41) 2> /dev/null || skip "needs CAP_SYS_RESOURCE"
	bash -c "ulimit -n 40; exec '$CPUTRACK' --tracker=ptrace -T 0 -n -o '$T/rows' -c task-clock,page-faults '$PROG/oracle' live 100"
	[ "$(awk '$3 == "lwp_exit" && $4 > 0' "$T/rows" | wc -l)" -eq 100 ]
}

@test "life: the soft limit of descriptors is raised for the tool, not for the program" {
	(
		ulimit -Sn 64
		"$CPUTRACK" --tracker=ptrace -fe -T 0 -n -o "$T/rows" -c task-clock,page-faults "$PROG/oracle" live 100
		[ "$("$CPUTRACK" --tracker=ptrace -T 0 -o "$T/rows" -c task-clock bash -c 'ulimit -Sn')" -eq 64 ]
	)
}

@test "life: as nobody at the machine's paranoid level" {
	need_root
	need setpriv
	public_dir
	need_unprivileged_counting
	as_nobody "$D/cputrack" -T 0 -n -o "$D/out/rows" -c task-clock,page-faults "$D/act" spin 50
	awk '$3 == "exit" && $4 > 1e6 { n++ } END { exit n != 1 }' "$D/out/rows"
}

@test "life: as nobody: counting the kernel is refused with the reason, or allowed" {
	need_root
	need setpriv
	public_dir
	run as_nobody "$D/cputrack" -T 0 -n -c task-clock,sys "$D/act" exit 0
	if [ "$(paranoid)" -le 1 ]; then
		[ "$status" -eq 0 ]
	else
		[ "$status" -eq 125 ]
		[[ $output == *paranoid* ]]
	fi
}

@test "life: as nobody: another user's process is refused" {
	need_root
	need setpriv
	public_dir
	start "$T/park" "$PROG/act" park
	pid=$(ready_pid "$T/park")
	run as_nobody "$D/cputrack" -c task-clock -p "$pid"
	[ "$status" -eq 125 ]
	[[ $output == *"pid $pid: permission denied"* ]]
	runs_freely "$pid"
}

@test "life: as nobody: a set-id program is refused" {
	need_root
	need setpriv
	public_dir
	cp "$PROG/act" "$D/setid"
	chmod 4755 "$D/setid"
	run as_nobody "$D/cputrack" -T 0 -c task-clock "$D/setid" uids
	[ "$status" -ge 125 ]
	[[ $output == *"cannot trace set-id or unreadable program '$D/setid'"* ]]
	[[ $output != *"65534 "* ]]
}

@test "life: as nobody: an unreadable program is refused" {
	need_root
	need setpriv
	public_dir
	cp "$PROG/act" "$D/secret"
	chmod 711 "$D/secret"
	run as_nobody "$D/cputrack" -T 0 -c task-clock "$D/secret" uids
	[ "$status" -ge 125 ]
	[[ $output == *"cannot trace set-id or unreadable program '$D/secret'"* ]]
}

@test "life: as nobody: exec of a set-id program ends the tracking" {
	need_root
	need setpriv
	public_dir
	need_unprivileged_counting
	cp "$PROG/act" "$D/setid"
	chmod 4755 "$D/setid"
	run as_nobody "$D/cputrack" -e -T 0 -c task-clock "$D/act" exec "$D/setid" uids
	[ "$status" -eq 125 ]
	[[ $output == *"execed a program that cannot be tracked"* ]]
}

@test "life: as root: a set-id program runs as the same user as without cputrack" {
	need_root
	public_dir
	cp "$PROG/act" "$D/setid"
	chown nobody "$D/setid"
	chmod 4755 "$D/setid"
	[ "$("$D/setid" uids)" = "0 65534" ] || skip "set-id is off for $D"
	[ "$(quiet "$D/setid" uids 2> "$T/err")" = "0 65534" ]
	[ "$(exit_rows)" -eq 1 ]
	[ "$(quiet -e "$PROG/act" exec "$D/setid" uids 2> "$T/err")" = "0 65534" ]
	[ "$(exit_rows)" -eq 1 ]
	# The kernel may remove the counter of the whole tree: no note reports a negative difference.
	lacks ' -[0-9]' "$T/err"
}
