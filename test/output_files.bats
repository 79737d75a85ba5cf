#!/usr/bin/env bats
# The files and streams that the commands write: -o, -O and --openmetrics; lists on standard output.

bats_require_minimum_version 1.5.0

load helper

# hold FILE COMMAND...: run a command that counts, with its output in FILE, until release; sets $holder.
hold() {
	local file=$1
	shift
	rm -f "$T/go"
	mkfifo "$T/go"
	start "$T/held" "$@" -o "$file" -e page-faults sh -c "echo ready; read x < '$T/go'"
	holder=$!
	until_true has ready "$T/held"
}

release() {
	echo > "$T/go"
	finish "$holder"
}

# refused COMMAND...: run a second writer of $T/same, which must be refused before the program starts.
refused() {
	local status=0
	"$@" touch "$T/ran" > "$T/out" 2> "$T/err" || status=$?
	cat "$T/err"
	[ "$status" -eq 125 ]
	has "'$T/same'.*: another process is writing it$" "$T/err"
	[ ! -e "$T/ran" ]
}

@test "files: two writers of a file: the second one is refused, and the first one's text stays" {
	for first in "$PERFEX" "$PERFEX -mp"; do
		# shellcheck disable=SC2086
		hold "$T/same" $first
		refused "$PERFEX" -o "$T/same" -e page-faults
		refused "$PERFEX" -mp -o "$T/same" -e page-faults
		refused "$CPUTRACK" -o "$T/same" -c page-faults
		release
		[ "$(grep -c page-faults "$T/same")" -eq 1 ]
	done
	# After the end of the first one the file is free.
	"$CPUTRACK" -T 0 -n -o "$T/same" -c page-faults true
	[ "$(wc -l < "$T/same")" -eq 1 ]
}

@test "files: two writers of a file: cpustat" {
	need_cpus
	local option
	hold "$T/same" "$PERFEX"
	for option in -O --openmetrics; do
		run -125 "$CPUSTAT" $option "$T/same" -c page-faults 0.01 1
		[ "$output" = "cpustat: cannot write to '$T/same': another process is writing it" ]
	done
	release
	has page-faults "$T/same"
}

@test "files: two cpustats do not replace the same file of metrics in turn" {
	need_cpus
	start "$T/first" "$CPUSTAT" --openmetrics="$T/same" -c cpu-clock 0.01
	local option first=$!
	until_true has '^opencpc_samples_total [1-9]' "$T/same"
	for option in --openmetrics -O; do
		run -125 "$CPUSTAT" $option "$T/same" -c page-faults 0.01 1
		[ "$output" = "cpustat: cannot write to '$T/same': another process is writing it" ]
	done
	kill -INT "$first"
	finish "$first"
	has 'event="cpu-clock"' "$T/same"
	"$CPUSTAT" --openmetrics="$T/same" -c page-faults 0.01 1
	has 'event="page-faults"' "$T/same"
}

@test "files: devices and pipes have as many writers as they like" {
	mkfifo "$T/fifo"
	cat "$T/fifo" > "$T/read" 3>&- &
	exec 5> "$T/fifo"
	hold "$T/fifo" "$PERFEX" 5>&-
	"$PERFEX" -o "$T/fifo" -e page-faults true
	"$PERFEX" -mp -o /dev/null -e page-faults true
	[ -z "$(find /dev -maxdepth 1 -name 'null.*' -newer "$T/go")" ]
	"$CPUTRACK" -T 0 -n -o /dev/stdout -c page-faults true | has page-faults - && return 1
	[ "$("$CPUTRACK" -T 0 -n -o /dev/stdout -c page-faults true | wc -l)" -eq 1 ]
	release
	exec 5>&-
	wait
	[ "$(grep -c page-faults "$T/read")" -eq 2 ]
}

@test "files: perfex -mp does not follow a link for the name of a thread's file" {
	echo precious > "$T/victim"
	local what
	for what in 'ln -s victim' 'ln victim' mkfifo mkdir; do
		rm -rf "$T"/out*
		# The command itself makes what stands in the way of its own report.
		run -125 sh -c "cd '$T' && exec '$PERFEX' -mp -o out -e page-faults sh -c '$what out.\$\$; true'"
		[[ $output == *"cannot write to 'out."*"': "* ]]
		[ "$(grep -c precious "$T/victim")" -eq 1 ]
		[ "$(wc -l < "$T/victim")" -eq 1 ]
		# The counts of the others and the total are there.
		has 'All threads' "$T/out"
	done
	rm -rf "$T"/out*
	# The file of an earlier run is replaced.
	run -0 sh -c "cd '$T' && exec '$PERFEX' -mp -o out -e page-faults sh -c 'echo old > out.\$\$; true'"
	[ "$(cat "$T"/out.* | grep -c old)" -eq 0 ]
	[ "$(cat "$T"/out.* | grep -c page-faults)" -ge 1 ]
}

@test "files: a report that cannot be written does not end the command" {
	local how
	[ -c /dev/full ] || skip "no /dev/full"
	for how in '' -mp '-p 10'; do
		rm -f "$T/done"
		# shellcheck disable=SC2086
		run -125 bash -c "'$PERFEX' $how -e page-faults sh -c '/bin/true; /bin/true; echo done > \"$T/done\"' 2> /dev/full"
		has done "$T/done"
	done
}

@test "files: if the file gets too large, what is in it is complete" {
	plain_build 'the limit holds for the file of counts too'
	local format
	for format in csv json; do
		run -125 bash -c 'ulimit -f 4; exec "$@"' - "$CPUTRACK" --format=$format -fev -T 0 -o "$T/file" \
			-c page-faults sh -c 'i=0; while [ $i -lt 60 ]; do /bin/true; i=$((i + 1)); done'
		echo "$output"
		[[ $output == *"cannot write to $T/file: File too large" ]]
		[ -s "$T/file" ]
		[ -z "$(tail -c 1 "$T/file")" ]
		[ "$format" = csv ] || [ "$(grep -c '^{.*}$' "$T/file")" -eq "$(wc -l < "$T/file")" ]
	done
}

@test "files: names that cannot be written: status 125, the reason, and nothing runs" {
	local long k name=() why=()
	long=$(printf '%05000d' 0)
	mkdir "$T/dir"
	name=("$T/dir" "$T/none/out" "$long" '')
	why=('Is a directory' 'No such file or directory' 'File name too long' 'No such file or directory')
	for k in "${!name[@]}"; do
		for cmd in "$CPUTRACK -c" "$PERFEX -e"; do
			# shellcheck disable=SC2086
			run -125 $cmd page-faults -o "${name[k]}" touch "$T/ran"
			[[ $output == *"'${name[k]}' for writing: ${why[k]}" ]]
			[ ! -e "$T/ran" ]
		done
	done
}

@test "files: a folder that cannot be written" {
	public_dir
	chmod 755 "$D/out"
	[ "$(id -u)" -eq 0 ] || chmod 555 "$D/out"
	local as=
	[ "$(id -u)" -ne 0 ] || as=as_nobody
	cp "$PERFEX" "$D"
	run -125 $as "$D/perfex" -o "$D/out/file" -e page-faults touch "$D/ran"
	[[ $output == *"cannot open '$D/out/file' for writing: Permission denied" ]]
	[ ! -e "$D/ran" ]
}

# no_reader COMMAND...: run COMMAND with its output to a pipe without a reader; sets $status.
no_reader() {
	rm -f "$T/fifo"
	mkfifo "$T/fifo"
	status=0
	exec 6<> "$T/fifo" 7> "$T/fifo" 6<&-
	bounded "$@" >&7 7>&- 2> "$T/err" || status=$?
	exec 7>&-
	echo "$*: $status: $(cat "$T/err")"
}

@test "streams: a list or text whose reader has gone away: status 0 and no message" {
	local cmd what
	for cmd in "$CPUTRACK" "$PERFEX" "$CPUSTAT"; do
		for what in --list '--list=page-faults' --help --version; do
			# The list has no event if this user may not count CPUs.
			[ "$cmd $what" != "$CPUSTAT --list" ] || may_count_cpus || continue
			no_reader "$cmd" "$what"
			[ "$status" -eq 0 ]
			[ ! -s "$T/err" ]
		done
	done
	for cmd in "$CPUTRACK --explain -c page-faults" "$PERFEX --explain -e 0" "$PERFEX -t" "$CPUTRACK -h" "$CPUSTAT -h"; do
		# shellcheck disable=SC2086
		no_reader $cmd
		[ "$status" -eq 0 ]
		[ ! -s "$T/err" ]
	done
	# Also if the reader of a long list reads some lines first, and if SIGPIPE is ignored.
	run --separate-stderr bash -c "set -o pipefail; '$CPUTRACK' --list='*' | head -n 1"
	[ "$status" -eq 0 ]
	[ "${#lines[@]}" -eq 1 ]
	run --separate-stderr bash -c "trap '' PIPE; set -o pipefail; '$CPUTRACK' --list='*' | head -n 1"
	[ "$status" -eq 0 ]
	[ "${#lines[@]}" -eq 1 ]
}

@test "streams: rows and reports whose reader has gone away: status 125 and a message" {
	no_reader "$CPUTRACK" -T 0 -c page-faults sh -c "echo done > '$T/done'"
	[ "$status" -eq 125 ]
	has 'cannot write to standard output: Broken pipe' "$T/err"
	has done "$T/done"
	# Its report goes to standard error, where its message would go too.
	no_reader sh -c "exec '$PERFEX' -e page-faults sh -c 'echo again > \"$T/done\"' 2>&1"
	[ "$status" -eq 125 ]
	has again "$T/done"
}

# block SIG STREAMS CMD...: run CMD with its output to a pipe that nobody reads, and send it SIG until it ends. STREAMS is
# evaluated: the redirections. Sets $status; no process that the command started is left.
block() {
	local sig=$1 streams=$2 tool children child
	shift 2
	echo "$sig: $* $streams"
	# shellcheck disable=SC2016
	start "$T/log" sh -c "exec \"\$@\" $streams 8>&-" sh "$@"
	tool=$!
	until_true waits_for_reader "$tool" "$1"
	children=$(pgrep -P "$tool") || :
	status=0
	stop_by "$sig" "$tool"
	wait "$tool" || status=$?
	for child in $children; do
		is_gone "$child"
	done
	[ "$status" -eq 125 ]
}
gave_up='its reader does not read, and a signal has ended the wait'

@test "streams: a second signal gives up output that nobody reads, in every format" {
	local format sig
	full
	for format in text csv json; do
		for sig in TERM INT; do
			block "$sig" '>&8' "$CPUTRACK" --format=$format -T 0.01 -c page-faults sleep 100
			has "^cputrack: cannot write to standard output: $gave_up\$" "$T/log.err"
			block "$sig" '' "$CPUTRACK" --format=$format -o "$T/full" -T 0.01 -fe -c page-faults sleep 100
			has "^cputrack: cannot write to $T/full: $gave_up\$" "$T/log.err"
			block "$sig" '' "$PERFEX" --format=$format -o "$T/full" -e page-faults sleep 100
			has "^perfex: cannot write to $T/full: $gave_up\$" "$T/log.err"
			block "$sig" '' "$PERFEX" --format=$format -p 10 -o "$T/full" -e page-faults sleep 100
			block "$sig" '' "$PERFEX" --format=$format -mp -o "$T/full" -e page-faults sleep 100
			has "^perfex: cannot write to $T/full: $gave_up\$" "$T/log.err"
		done
	done
}

@test "streams: a second signal gives up rows of CPUs that nobody reads" {
	local format
	need_cpus
	full
	for format in text csv json; do
		block TERM '>&8' "$CPUSTAT" --format=$format -c page-faults 0.01
		has "^cpustat: cannot write to standard output: $gave_up\$" "$T/log.err"
	done
}

@test "streams: a second signal also gives up messages that nobody reads" {
	full
	block TERM '>&8 2>&8' "$CPUTRACK" -T 0.01 -c page-faults sleep 100
	block TERM '2>&8' "$PERFEX" -e page-faults sleep 100
	block INT '2>&8' "$PERFEX" -mp -e page-faults sleep 100
	if may_count_cpus; then
		block TERM '>&8 2>&8' "$CPUSTAT" -c page-faults 0.01
	fi
}

@test "streams: a program that ignores the signals runs on, not traced, when its rows are given up" {
	full
	# room for some rows
	dd bs=4096 count=1 of="$T/some" <&8 2> /dev/null
	start "$T/log" sh -c 'exec "$@" >&8 8>&-' sh "$CPUTRACK" -e -T 0.001 -c page-faults \
		sh -c 'trap "" TERM; echo "ready $$" > "$0"; exec sleep 100 > "$0.end"' "$T/program"
	local tool=$! status=0
	until_true has ready "$T/program"
	pid=$(ready_pid "$T/program")
	started+=("$pid")
	until_true is_full
	until_true is_released TERM "$tool" "$pid"
	kill -KILL "$pid"
	finish "$tool" || status=$?
	[ "$status" -eq 125 ]
	has "cannot write to standard output: $gave_up\$" "$T/log.err"
}
is_full() { ! dd if=/dev/zero of="$T/full" bs=1 count=1 oflag=nonblock 2> /dev/null; }
is_released() {
	kill -"$1" "$2"
	runs_freely "$3"
}

@test "streams: after one signal the rows wait for their reader" {
	full
	start "$T/log" sh -c 'exec "$@" >&8 8>&-' sh "$CPUTRACK" -T 0 -c page-faults sleep 100
	local tool=$! status=0
	until_true waits_for_reader "$tool" "$CPUTRACK"
	kill -TERM "$tool"
	drain
	finish "$tool" || status=$?
	[ "$status" -eq 143 ]
	until_true has ' exit ' "$T/drained"
}

@test "streams: a limit of file size is an error of the command, not a signal that ends it" {
	local cmd
	for cmd in "$PERFEX --list" "$PERFEX -t" "$CPUTRACK --list" "$CPUSTAT --list=page-faults" "$CPUTRACK --help" \
		"$PERFEX -o $T/file -e page-faults true" "$PERFEX -mp -o $T/file -e page-faults true" \
		"$PERFEX -p 1 -o $T/file -e page-faults true" "$CPUTRACK -T 0 -o $T/file -c page-faults true"; do
		# The messages go through the pipe of run, which has no limit.
		# shellcheck disable=SC2086
		run -125 bash -c 'ulimit -f 0; exec "$@" > "$0"' "$T/out" $cmd
		[[ $output == *": cannot write to "*": File too large" ]]
	done
}

@test "streams: the command has the actions for SIGPIPE and SIGXFSZ that were there before" {
	local cmd sig
	for cmd in "$CPUTRACK -T 0 -c" "$PERFEX -e" "$PERFEX -mp -e"; do
		for sig in PIPE XFSZ; do
			# shellcheck disable=SC2086
			run $cmd page-faults -o "$T/file" sh -c "kill -$sig \$\$"
			[ "$status" -eq $((128 + $(kill -l $sig))) ]
			# shellcheck disable=SC2086
			run bash -c "trap '' $sig; exec $cmd page-faults -o '$T/file' sh -c 'kill -$sig \$\$; exit 7'"
			[ "$status" -eq 7 ]
		done
	done
}

# ranked COMMAND...: run COMMAND as rank 3 of 4 of MPICH, whatever has started this test.
ranked() {
	env -i PATH="$PATH" PMI_RANK=3 PMI_SIZE=4 JOB_ID=7.a/b "$@"
}

@test "names: placeholders in the name of each output file" {
	cd "$T"
	local host
	host=$(uname -n)
	host=${host%%.*}
	ranked "$PERFEX" -o 'perfex.%r.%n.%j' -e page-faults true
	[ -s perfex.3.4.7.a_b ]
	ranked "$CPUTRACK" -T 0 -o '%h.%r%%' -c page-faults true
	[ -s "${host//[!A-Za-z0-9._+@-]/_}.3%" ]
	# The files of threads have their ids behind the name.
	ranked "$PERFEX" -mp -o '%q{PMI_RANK}' -e page-faults true
	[ -s 3 ]
	[ "$(find . -name '3.*' -size +0 | wc -l)" -eq 1 ]
	# The id of the process that counts is the parent's of the command.
	# shellcheck disable=SC2016
	ranked "$PERFEX" -o 'pid.%p' -e page-faults sh -c 'echo $PPID > ppid'
	[ -s "pid.$(cat ppid)" ]
}

@test "names: placeholders in the names of cpustat's files" {
	need_cpus
	cd "$T"
	ranked "$CPUSTAT" -O 'samples.%r' --openmetrics='metrics.%r.prom' -c cpu-clock 0.01 1
	[ -s samples.3 ]
	[ -s metrics.3.prom ]
	run -2 ranked "$CPUSTAT" -O '%q{PMI_RANK}' --openmetrics=%r -c cpu-clock 0.01 1
	[[ $output == *"-O and --openmetrics name the same file '3'"* ]]
}

@test "names: a placeholder without a value is bad usage, and nothing runs" {
	local name
	for name in %r %n %l %j %s %x 50% '%q{NO_SUCH_VARIABLE}' %q; do
		run -2 env -i "$PERFEX" -o "$T/$name" -e page-faults touch "$T/ran"
		[[ $output == "perfex: -o '$T/$name': "* ]]
		run -2 env -i "$CPUTRACK" -o "$T/$name" -c page-faults touch "$T/ran"
		[[ $output == "cputrack: -o '$T/$name': "* ]]
		run -2 env -i "$CPUSTAT" -O "$T/$name" -c page-faults 1 1
		run -2 env -i "$CPUSTAT" --openmetrics="$T/$name" -c page-faults 1 1
		[[ $output == "cpustat: --openmetrics '$T/$name': "* ]]
	done
	run -2 env -i "$PERFEX" -o "$T/a.%r" -e page-faults true
	[ "$output" = "perfex: -o '$T/a.%r': %r: no launcher of ranks is known; looked for: Open MPI, MVAPICH2, PMI, PMIx, Flux, Slurm" ]
	[ -z "$(ls "$T")" ]
}

@test "names: several ranks do not get the same name" {
	run -2 ranked "$PERFEX" -o "$T/same" -e page-faults touch "$T/ran"
	[ "$output" = "perfex: -o '$T/same': 4 ranks would write this file; put %r, the rank, into its name" ]
	run -2 ranked "$CPUTRACK" -o "$T/same.%j" -c page-faults touch "$T/ran"
	run -2 ranked "$CPUSTAT" -O "$T/same" -c page-faults 1 1
	run -2 ranked "$CPUSTAT" --openmetrics="$T/same" -c page-faults 1 1
	[ -z "$(ls "$T")" ]
	# Devices and pipes have room for all ranks, and one rank is alone.
	ranked "$PERFEX" -o /dev/null -e page-faults true
	PMI_RANK=0 PMI_SIZE=1 "$PERFEX" -o "$T/alone" -e page-faults true
	[ -s "$T/alone" ]
}

@test "files: a note where the file system has no locks; the file is whole" {
	[ -z "${SANITIZE-}" ] || skip "LeakSanitizer does not work under strace"
	need strace
	local lockless=(strace -f -o "$T/calls" -e trace=flock -e inject=flock:error=ENOLCK)
	"${lockless[@]}" true 2> /dev/null || skip "strace cannot trace here"
	run -0 "${lockless[@]}" "$PERFEX" -o "$T/rows" -e page-faults true
	[[ $output == *"cannot lock '$T/rows': No locks available; no other process may write it now"* ]]
	[ "$(wc -l < "$T/rows")" -eq 1 ]
	run -0 "${lockless[@]}" "$PERFEX" --quiet -o "$T/rows" -e page-faults true
	[ -z "$output" ]
	run -0 "$PERFEX" -o "$T/rows" -e page-faults true
	[ -z "$output" ]
}

@test "files: cpustat, too, has a note where the file system has no locks" {
	[ -z "${SANITIZE-}" ] || skip "LeakSanitizer does not work under strace"
	need strace
	need_cpus
	local lockless=(strace -f -o "$T/calls" -e trace=flock -e inject=flock:error=ENOLCK)
	"${lockless[@]}" true 2> /dev/null || skip "strace cannot trace here"
	local i
	for i in 1 2; do
		run -0 "${lockless[@]}" "$CPUSTAT" -O "$T/samples" --openmetrics="$T/metrics" -c task-clock 0.01 1
		[[ $output == *"cannot lock '$T/samples': No locks available; no other process may write it now"* ]]
		[[ $output == *"cannot lock '$T/metrics': No locks available; no other process may write it now"* ]]
	done
	run -0 "$CPUSTAT" -O "$T/samples" --openmetrics="$T/metrics" -c task-clock 0.01 1
	[[ $output != *"cannot lock"* ]]
}
