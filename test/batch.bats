# What batch systems and launchers of parallel programs do to cputrack and perfex: signals as warnings, then SIGKILL.

bats_require_minimum_version 1.5.0
load helper

# The launcher of the tests themselves must not decide.
setup() { unset "${!OMPI_@}" "${!MV2_@}" "${!PMI@}" "${!FLUX_@}" "${!SLURM_@}"; }

# threads and cputrack count without a tracer where they can.
tools=(perfex threads traced_threads cputrack traced_cputrack)
perfex=("$PERFEX" -o "$T/report" -e page-faults)
threads=("$PERFEX" -mp -o "$T/report" -e page-faults)
traced_threads=("${threads[@]}" --tracker=ptrace)
cputrack=("$CPUTRACK" -fe -T 0 -o "$T/report" -c page-faults)
traced_cputrack=("${cputrack[@]}" --tracker=ptrace)

# A program that prints "got NAME" for each of many signals and goes on. SIGALRM ends it with status 7.
saver='
	for sig in TERM USR1 USR2 HUP INT QUIT WINCH CONT VTALRM URG RTMIN+5; do trap "echo got $sig" $sig; done
	trap "exit 7" ALRM
	echo ready $$
	while :; do sleep 0.01; done'

# The same, but it starts no other program, and so makes no rows of its own: it waits for a pipe, the argument $0.
quiet=${saver/while :; do sleep 0.01; done/'exec 4<> "$0"; while :; do read -r -t 0.01 -u 4; done'}

# start_saver CMD...: run the saver under a tool; sets $tool and $pid.
start_saver() {
	rm -f "$T/report"
	start "$T/out" "$@" bash -c "$saver"
	tool=$!
	pid=$(ready_pid "$T/out")
}
start_quiet() {
	[ -p "$T/fifo" ] || mkfifo "$T/fifo"
	rm -f "$T/report"
	start "$T/out" "$@" bash -c "$quiet" "$T/fifo"
	tool=$!
	pid=$(ready_pid "$T/out")
}
# end_saver: end the saver; the tool has its status.
end_saver() {
	local status=0
	kill -ALRM "$pid"
	finish "$tool" || status=$?
	[ "$status" -eq 7 ]
}
# counted: does the report have a count above 0?
counted() { grep -Eqs '(page-faults\.*|detach|exit) +[1-9]' "$T/report"; }
provisional() { grep -Eqs '(page-faults\.*|detach) +[1-9]' "$T/report"; }
got() { [ "$(grep -c "^got $1\$" "$T/out")" -eq "$2" ]; }

@test "batch: signals that the tool does not need are passed on, and do not end the tool" {
	local name sig
	for name in "${tools[@]}"; do
		local -n cmd=$name
		start_saver "${cmd[@]}"
		for sig in USR1 USR2 WINCH CONT VTALRM URG RTMIN+5; do
			echo "$name $sig"
			kill -"$sig" "$tool"
			until_true has "got $sig\$" "$T/out"
		done
		end_saver
		counted
	done
}

@test "batch: the first TERM, INT, HUP, USR1 or USR2 writes a report, and the last report takes its place" {
	local name sig
	for name in "${tools[@]}"; do
		local -n cmd=$name
		for sig in TERM INT HUP USR1 USR2; do
			echo "$name $sig"
			start_quiet "${cmd[@]}"
			lacks 'detach\|page-faults' "$T/report"
			kill -"$sig" "$tool"
			until_true provisional
			until_true got "$sig" 1
			end_saver
			lacks 'detach\|Provisional' "$T/report"
			case $name in
			perfex) [ "$(wc -l < "$T/report")" -eq 1 ] ;;
			*threads) [ "$(wc -l < "$T/report")" -eq 2 ] ;;
			*cputrack) [ "$(awk '$4 == "exit"' "$T/report" | wc -l)" -eq 1 ] ;;
			esac
		done
	done
}

@test "batch: SIGKILL after a warning leaves the report of what was counted" {
	local name sig
	for name in "${tools[@]}"; do
		local -n cmd=$name
		for sig in TERM USR1; do
			echo "$name $sig"
			start_quiet "${cmd[@]}"
			started+=("$pid")
			kill -"$sig" "$tool"
			until_true provisional
			kill -KILL "$tool" "$pid"
			finish "$tool" || :
			provisional
			[[ $name == *cputrack ]] || [[ $(head -n 1 "$T/report") == Provisional\ report,* ]]
		done
	done
}

@test "batch: in JSON a provisional report says so, and the last one does not" {
	need jq
	need python3
	local name
	for name in "${tools[@]}"; do
		local -n cmd=$name
		echo "$name"
		start_quiet "${cmd[@]}" --format=json
		kill -USR1 "$tool"
		until_true has '"provisional":true' "$T/report"
		[ "$(jq -s 'last.provisional' "$T/report")" = true ]
		python3 "$BATS_TEST_DIRNAME/records.py" --cut "$T/report"
		end_saver
		[ "$(jq -s 'map(select(.provisional)) | length' "$T/report")" -eq 0 ]
		python3 "$BATS_TEST_DIRNAME/records.py" "$T"/report*
		rm -f "$T"/report.*
		[ "$(jq -s 'length' "$T/report")" -ge 1 ]
	done
}

@test "batch: a later row or period takes the place of a provisional report" {
	start_saver "$CPUTRACK" -fe -T 0.02 -o "$T/report" -c page-faults
	kill -USR1 "$tool"
	until_true has 'got USR1$' "$T/out"
	local rows
	rows=$(grep -c tick "$T/report") || : # no tick yet
	until_true more_ticks "$rows"
	lacks detach "$T/report"
	end_saver
	# the ticks are not disturbed: they add up to the total of the process that did not execute again
	awk -v pid="$pid" '$2 == pid && $4 == "exec" { s = 0 } $2 == pid && $4 == "tick" { s += $5 }
		$2 == pid && $4 == "exit" { n++; if ($5 < s) exit 1 } END { exit n != 1 }' "$T/report"
	start_saver "$PERFEX" -p 20 --format=csv -o "$T/report" -e page-faults
	kill -USR1 "$tool"
	until_true has 'got USR1$' "$T/out"
	end_saver
	awk -F, '$2 == "period" { s += $8 } $2 == "total" { n++; v = $8 } END { exit n != 1 || s != v }' "$T/report"
}
more_ticks() { [ "$(grep -c tick "$T/report")" -gt $(($1 + 3)) ]; }

@test "batch: a provisional report has the counts of sets that wait for their turn" {
	start_quiet "$CPUTRACK" -T 0.5 -n -o "$T/report" -c page-faults -c minor-faults -c cpu-clock
	until_true has tick "$T/report"
	warn_until all_sets
	end_saver
}
all_sets() { [ "$(awk '$3 == "detach" && $4 > 0' "$T/report" | sort -u -k 6 | wc -l)" -eq 3 ]; }
# warn_until CMD: send one warning after the other until CMD succeeds: the next tick replaces a provisional report.
warn_until() {
	local sig i
	for sig in USR1 USR2 HUP TERM INT; do
		kill -"$sig" "$tool"
		for i in {1..20}; do
			! "$@" || return 0
			sleep 0.01
		done
	done
	return 1
}

@test "batch: provisional reports go to regular files only" {
	local name
	mkfifo "$T/pipe"
	for name in "${tools[@]}"; do
		local -n cmd=$name
		start "$T/copy" cat "$T/pipe"
		local reader=$!
		rm -f "$T/report"
		ln -s "$T/pipe" "$T/report"
		start "$T/out" "${cmd[@]}" --format=json bash -c "$saver"
		tool=$!
		pid=$(ready_pid "$T/out")
		kill -USR1 "$tool"
		until_true has 'got USR1$' "$T/out"
		end_saver
		finish "$reader"
		has page-faults "$T/copy"
		lacks '"provisional":true' "$T/copy"
		rm "$T/report"
	done
}

@test "batch: a signal after the command has ended does not cost the end of the report" {
	[ -x "$(dirname "$PERFEX")/../sim/cpcsim-launch" ] || skip "the simulator is not built here"
	full
	# The note about the simulation waits for room in the pipe; the end of the report comes after it.
	start "$T/out" bash -c 'exec "$@" 2> "$0"' "$T/full" "$PERFEX" --engine=sim --format=json -o "$T/report" -e Instr_cnt true
	tool=$!
	until_true has '"record":"total"' "$T/report"
	kill -TERM "$tool"
	drain
	local status=0
	finish "$tool" || status=$?
	[ "$status" -eq 0 ]
	python3 "$BATS_TEST_DIRNAME/records.py" "$T/report"
}

# launch TOOL... : run the saver under a tool that is a child of a launcher. The launcher sends each signal that
# is named in $T/order, but only to the tool.
launch() {
	rm -f "$T/report" "$T/order"
	mkfifo "$T/order"
	# shellcheck disable=SC2016
	start "$T/out" "${shell:-bash}" -c 'order=$1 saver=$2; shift 2
		"$@" bash -c "$saver" & echo "tool $!"
		exec 5<> "$order"; while read -r -u 5 sig; do kill -"$sig" $!; done' launcher "$T/order" "$saver" "$@"
	launcher=$!
	pid=$(ready_pid "$T/out")
	tool=$(awk '/^tool/ { print $2 }' "$T/out")
	started+=("$tool" "$pid")
}
order() { echo "$1" > "$T/order"; }
orders_term() { order TERM && has "got TERM\$" "$T/out"; }
end_launch() {
	kill -ALRM "$pid"
	until_true is_gone "$tool"
	kill -KILL "$launcher"
}

@test "batch: a launcher's TERM, which has reached the program, is not passed on; a second one is" {
	local name variable
	for name in "${tools[@]}"; do
		local -n cmd=$name
		for variable in OMPI_COMM_WORLD_RANK PMI_RANK PMIX_RANK SLURM_PROCID; do
			echo "$name $variable"
			export "$variable=0"
			launch "${cmd[@]}"
			unset "$variable"
			order TERM
			until_true counted
			# the saver handles its signals in the order of their numbers
			order RTMIN+5
			until_true got RTMIN+5 1
			got TERM 0
			# signals within 0.1 s count as one
			until_true orders_term
			end_launch
		done
	done
}

@test "batch: TERM is passed on if no launcher started the tool, or another process sent the signal" {
	local name
	for name in "${tools[@]}"; do
		local -n cmd=$name
		launch "${cmd[@]}"
		order TERM
		until_true got TERM 1
		end_launch
		SLURM_PROCID=0 launch "${cmd[@]}"
		bash -c "kill -TERM $tool; :"
		until_true got TERM 1
		end_launch
	done
}

@test "batch: perfex -s keeps SIGUSR1 and SIGUSR2, and writes a report at TERM" {
	local sig
	start_saver "$PERFEX" -s -o "$T/report" -e page-faults
	kill -USR1 "$tool"
	# the program goes on to execute others between these signals
	for sig in INT QUIT HUP TERM; do
		kill -$sig "$tool"
		until_true got $sig 1
	done
	until_true counted
	kill -USR2 "$tool"
	kill -RTMIN+5 "$tool"
	until_true got RTMIN+5 1
	got USR1 0
	got USR2 0
	end_saver
	counted
	[ "$(wc -l < "$T/report")" -eq 1 ]
}

@test "batch: a signal that was ignored at the start stays ignored" {
	local name
	for name in "${tools[@]}"; do
		local -n cmd=$name
		rm -f "$T/report"
		# shellcheck disable=SC2016
		start "$T/out" bash -c 'trap "" USR1 HUP; exec "$@"' sh "${cmd[@]}" bash -c "$saver"
		tool=$!
		pid=$(ready_pid "$T/out")
		kill -USR1 "$tool"
		kill -HUP "$tool"
		kill -RTMIN+5 "$tool"
		until_true got RTMIN+5 1
		got USR1 0
		end_saver
	done
}

@test "batch: no signal of a launcher's process is passed on, unless the user has told it to signal the tool alone" {
	local name shell=$T/slurmstepd
	cp "$(command -v bash)" "$shell"
	for name in "${tools[@]}"; do
		local -n cmd=$name
		echo "$name"
		export SLURM_PROCID=0
		launch "${cmd[@]}"
		order USR1
		until_true counted
		order TERM
		order USR1
		order RTMIN+5
		kill -WINCH "$tool"
		until_true got WINCH 1
		got TERM 0
		got USR1 0
		got RTMIN+5 0
		end_launch
		OMPI_MCA_odls_base_signal_direct_children_only=1 launch "${cmd[@]}"
		unset SLURM_PROCID
		order USR1
		until_true got USR1 1
		order TERM
		until_true got TERM 1
		end_launch
	done
}

@test "batch: SIGCONT of a launcher's process, which Open MPI sends before SIGTERM, writes a provisional report" {
	local name shell=$T/slurmstepd
	cp "$(command -v bash)" "$shell"
	for name in "${tools[@]}"; do
		local -n cmd=$name
		echo "$name"
		SLURM_PROCID=0 launch "${cmd[@]}"
		kill -CONT "$tool"
		until_true got CONT 1
		! counted
		order CONT
		until_true counted
		got CONT 1
		end_launch
	done
}

@test "batch: signals of a launcher are passed on to a program in a process group of its own" {
	need setsid
	cp "$(command -v bash)" "$T/slurmstepd"
	local name shell=$T/slurmstepd
	for name in "${tools[@]}"; do
		local -n cmd=$name
		echo "$name"
		SLURM_PROCID=0 launch "${cmd[@]}" setsid
		order USR1
		until_true got USR1 1
		end_launch
	done
}

# leave_daemons TOOL...: the command ends with status 3, and leaves two daemons; sets $daemon, the pid of the first.
leave_daemons() {
	rm -f "$T/report" "$T/a" "$T/b"
	start "$T/out" "$@" sh -c "'$PROG/act' park > '$T/a' & '$PROG/act' park > '$T/b' & exit 3"
	tool=$!
	daemon=$(ready_pid "$T/a")
	started+=("$daemon" "$(ready_pid "$T/b")")
	until_true has_no_command "$tool"
}
# Without a tracer a copy of the tool itself, which holds the counts, is a child of the tool.
has_no_command() { ! ps -o comm= --ppid "$1" | grep -qvx "$(cat "/proc/$1/comm")"; }

@test "batch: when the command has ended, INT, TERM or HUP says what is waited for, and a second one stops counting" {
	need ps
	local name sig status
	for name in "${tools[@]:1}"; do
		local -n cmd=$name
		for sig in INT TERM HUP; do
			echo "$name $sig"
			leave_daemons "${cmd[@]}"
			kill -"$sig" "$tool"
			until_true has "the command has ended; waiting for pid [0-9]* and 1 more; send the signal again to stop counting\$" "$T/out.err"
			! is_gone "$tool"
			stop_by "$sig" "$tool"
			status=0
			finish "$tool" || status=$?
			[ "$status" -eq 3 ]
			counted
			[[ $name == *threads ]] || [ "$(awk '$4 == "detach"' "$T/report" | wc -l)" -eq 2 ]
			until_true runs_freely "$daemon"
			kill -KILL "$daemon" "$(ready_pid "$T/b")"
		done
	done
}

has_child() { pgrep -P "$1" > /dev/null; }

@test "batch: a signal that comes before the program begins is passed on, and there is a report" {
	[ -x "${CPUTRACK%/*}/../sim/cpcsim-launch" ] || skip "needs the simulator"
	full
	# The tool waits until its notice about the simulation is written: the program is started, and has not begun.
	"$CPUTRACK" --engine=sim -T 0 -o "$T/report" -c Instr_cnt sleep 100 2>&8 8>&- &
	tool=$!
	started+=("$tool")
	until_true has_child "$tool"
	kill -TERM "$tool"
	drain
	local status=0
	finish "$tool" || status=$?
	# The program was killed before it executed an instruction.
	[ "$status" -eq 125 ]
	grep -Eq 'exit +- *$' "$T/report"
}
