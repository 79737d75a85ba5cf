# How runs of cpustat end: signals, readers that go away, full disks, late samples, missing permissions; and that
# a run leaves nothing behind.

bats_require_minimum_version 1.5.0
load helper

setup() {
	cd "$T"
	may_count_cpus || [[ $BATS_TEST_DESCRIPTION == "life: user nobody"* ]] || skip "counting CPUs is not allowed"
}

# rows FILE WORD: print how many rows of an event (tick, total) the file has.
rows() { awk -v word="$2" '$3 == word { n++ } END { print n + 0 }' "$1"; }
# runs FILE: the file shows some intervals.
runs() { [ "$(rows "$1" tick)" -ge $((2 * $(ncpus))) ]; }

# complete FILE: in text with one counter, each interval has all CPUs, and the last line is the total of all rows.
complete() {
	awk -v n="$(ncpus)" '
		$3 == "tick" { ticks++; sum += $4; last = $1 }
		$3 == "total" { totals++; total = $4; at = $1; cpus = $2; line = NR }
		END {
			print ticks " rows, " totals " totals: " sum " " total
			exit !ticks || ticks % n || totals != 1 || line != NR || cpus != n || total != sum ||
				at != last
		}' "$1"
}

# said FILE TEXT: TEXT is all of stderr, apart from notes about late samples, which a busy machine has.
said() { diff <(printf '%s' "${2:+$2$'\n'}") <(grep -v '^cpustat: [0-9]* samples* w[aers]* late and left out$' "$1"); }

@test "life: SIGINT, SIGTERM, SIGQUIT and SIGHUP: the last rows, the total, status 0" {
	for sig in INT TERM QUIT HUP; do
		# Older text must not pass for rows of this run.
		rm -f "$T/out"
		start "$T/out" "$CPUSTAT" -c context-switches,sys 0.01
		until_true runs "$T/out"
		kill -"$sig" $!
		finish $!
		complete "$T/out"
		said "$T/out.err" ''
	done
}

@test "life: a signal shows the counts of the unfinished interval" {
	start "$T/out" "$CPUSTAT" -c cpu-clock 1000
	until_true has cpu "$T/out"
	kill -INT $!
	finish $!
	complete "$T/out"
	[ "$(rows "$T/out" tick)" -eq "$(ncpus)" ]
	awk '$3 == "tick" && $1 > 100 { exit 1 }' "$T/out"
}

@test "life: a signal in the rest of -p: totals, and no more rows" {
	start "$T/out" "$CPUSTAT" -p 1000 -c cpu-clock -c page-faults 0.3
	until_true runs "$T/out"
	kill -INT $!
	finish $!
	[ "$(rows "$T/out" total)" -eq 2 ]
	[ "$(rows "$T/out" tick)" -eq $((2 * $(ncpus))) ]
}

@test "life: output in each format is complete after a signal" {
	need python3
	start "$T/out" "$CPUSTAT" --format=json -c cpu-clock 0.01
	until_true has tick "$T/out"
	kill -TERM $!
	finish $!
	python3 "$BATS_TEST_DIRNAME/records.py" "$T/out"
	python3 -c '
import json, sys
rows = [json.loads(line) for line in open(sys.argv[1])]
assert rows[-1]["signal"] == 15 and rows[-1]["status"] == 0
rows = rows[1:-1]
assert rows[-1]["what"] == "total" and rows[-1]["values"][0]["value"] == \
    sum(r["values"][0]["value"] for r in rows[:-1])' "$T/out"
	rm -f "$T/out"
	start "$T/out" "$CPUSTAT" -c cpu-clock -O "$T/samples" 0.01
	until_true runs "$T/out"
	kill -TERM $!
	finish $!
	"$CPUSTAT" -I "$T/samples" | diff "$T/out" -
}

@test "life: Ctrl-C at a terminal" {
	needs_terminal
	run -0 "$PROG/ptyrun" tick '^C' -- "$CPUSTAT" -c cpu-clock 0.05
	[[ $output == *total* ]]
}

@test "life: a signal that was ignored stays ignored" {
	start "$T/out" bash -c "trap '' HUP; exec '$CPUSTAT' -c cpu-clock 0.01"
	until_true runs "$T/out"
	kill -HUP $!
	n=$(rows "$T/out" tick)
	until_true eval '[ "$(rows "$T/out" tick)" -ge $((n + 10)) ]'
	kill -INT $!
	finish $!
	complete "$T/out"
}

@test "life: a signal that comes twice at once counts as one signal" {
	start "$T/out" "$CPUSTAT" -c cpu-clock 0.01
	until_true runs "$T/out"
	# to the process and to its group, as timeout sends it
	kill -INT -- "$!" "-$!"
	finish $!
	complete "$T/out"
}

# blocked PID: is the process in write(2) to its standard output?
blocked() {
	local call fd
	read -r call fd _ < "/proc/$1/syscall"
	case $(uname -m) in
	x86_64) [ "$call" = 1 ] && [ "$fd" = 0x1 ] ;;
	aarch64) [ "$call" = 64 ] && [ "$fd" = 0x1 ] ;;
	*) skip "the number of write(2) is not known here" ;;
	esac
}

@test "life: a second SIGINT gives up the rows that no process reads" {
	mkfifo "$T/fifo"
	sleep 100 < "$T/fifo" 3>&- &
	started+=($!)
	local e=page-faults
	start "$T/fifo" "$CPUSTAT" --format=json -c "$e,$e,$e,$e,$e,$e,$e,$e" 0.002
	local tool=$! status=0
	[ -r "/proc/$tool/syscall" ] || skip "/proc/PID/syscall cannot be read"
	until_true blocked "$tool"
	kill -INT "$tool"
	# The signal was delivered, but cpustat still writes the row.
	until_true eval '! grep -q "^SigPnd:.*[1-9a-f]" "/proc/$tool/status"'
	until_true blocked "$tool"
	stop_by INT "$tool"
	finish "$tool" || status=$?
	[ "$status" -eq 125 ]
	{ kill "${started[0]}" && wait "${started[0]}"; } 2> /dev/null || :
}

@test "life: a reader that goes away: status 125 and a message, soon" {
	for format in text csv json; do
		DEADLINE=20 bounded bash -c "'$CPUSTAT' --format=$format -c cpu-clock 0.01 2> '$T/err' |
			head -n 1 > '$T/head'; echo \${PIPESTATUS[0]} > '$T/status'" 3>&-
		[ "$(cat "$T/status")" -eq 125 ]
		[ "$(wc -l < "$T/head")" -eq 1 ]
		said "$T/err" "cpustat: cannot write to standard output: Broken pipe"
	done
}

@test "life: a reader that goes away before anything is written" {
	mkfifo "$T/fifo"
	gone() {
		local status=0
		exec 5<> "$T/fifo" 6> "$T/fifo" 5>&-
		bounded "$CPUSTAT" "$@" >&6 2> "$T/err" 3>&- || status=$?
		exec 6>&-
		[ "$status" -eq 125 ] && said "$T/err" "cpustat: cannot write to standard output: Broken pipe"
	}
	gone -c cpu-clock 0.01
	gone -n -c cpu-clock 0.01
	"$CPUSTAT" -c cpu-clock -O "$T/samples" 0.01 2 > "$T/out"
	gone -I "$T/samples"
	gone -n -I "$T/samples"
}

@test "life: a full disk: status 125 and a message, soon" {
	[ -c /dev/full ] || skip "no /dev/full"
	local status
	"$CPUSTAT" -c cpu-clock -O "$T/samples" 0.01 2 > "$T/out"
	for args in '-c cpu-clock 0.01' '-n -c cpu-clock 0.01' '--format=json -c cpu-clock 0.01' "-I $T/samples"; do
		status=0
		# shellcheck disable=SC2086
		bounded "$CPUSTAT" $args > /dev/full 2> "$T/err" || status=$?
		[ "$status" -eq 125 ]
		said "$T/err" "cpustat: cannot write to standard output: No space left on device"
	done
}

@test "life: -O on a full disk: a message, the rows go on, status 125" {
	[ -c /dev/full ] || skip "no /dev/full"
	local status=0
	bounded "$CPUSTAT" -c cpu-clock -O /dev/full 0.01 3 > "$T/out" 2> "$T/err" || status=$?
	cat "$T/err"
	[ "$status" -eq 125 ]
	complete "$T/out"
	[ "$(grep -c "^cpustat: cannot write to '/dev/full': No space left on device$" "$T/err")" -eq 1 ]
}

@test "life: a limit of file size is reported like a full disk" {
	plain_build 'the limit holds for the file of counts too'
	local status=0 events=page-faults,page-faults,page-faults,page-faults
	# The rows go through a pipe, which has no limit.
	{ bounded bash -c "ulimit -f 1; exec '$CPUSTAT' -c cpu-clock -O '$T/samples' 0.01 100 2> '$T/err'" ||
		status=$?; echo "$status" > "$T/status"; } | cat > "$T/out"
	[ "$(cat "$T/status")" -eq 125 ]
	complete "$T/out"
	said "$T/err" "cpustat: cannot write to '$T/samples': File too large"
	# The file is good up to the limit.
	run -125 "$CPUSTAT" -I "$T/samples"
	bounded bash -c "ulimit -f 1; exec '$CPUSTAT' -c $events --openmetrics='$T/metrics' 0.01 2 2> '$T/err'" |
		cat > "$T/out"
	[ "$(grep -c ' total ' "$T/out")" -eq 1 ]
	said "$T/err" "cpustat: cannot write to '$T/metrics': File too large"
	[ -z "$(find "$T" -name 'metrics*')" ]
}

@test "life: -O whose reader goes away: one message, the rows go on, status 125" {
	mkfifo "$T/fifo"
	head -n 3 "$T/fifo" > "$T/head" 3>&- &
	local status=0
	bounded "$CPUSTAT" -c cpu-clock -O "$T/fifo" 0.01 20 > "$T/out" 2> "$T/err" || status=$?
	cat "$T/err"
	[ "$status" -eq 125 ]
	complete "$T/out"
	[ "$(grep -c "^cpustat: cannot write to '$T/fifo': Broken pipe$" "$T/err")" -eq 1 ]
	[ "$(rows "$T/out" tick)" -gt $((3 * $(ncpus))) ]
}

@test "life: -O and --openmetrics in a missing folder: a message, status 125, nothing is counted" {
	local status
	for args in "-O $T/no/file" "--openmetrics=$T/no/file" "-O $T" "--openmetrics=$T"; do
		status=0
		# shellcheck disable=SC2086
		bounded "$CPUSTAT" -c cpu-clock $args 1000 > "$T/out" 2> "$T/err" || status=$?
		cat "$T/err"
		[ "$status" -eq 125 ]
		has "^cpustat: cannot write to '" "$T/err"
		[ ! -s "$T/out" ]
	done
	[ ! -e "$T/no" ]
}

@test "life: --openmetrics whose folder goes away: one message, the rows go on, status 125" {
	mkdir "$T/folder"
	start "$T/out" "$CPUSTAT" -c cpu-clock --openmetrics="$T/folder/file" 0.01
	until_true [ -s "$T/folder/file" ]
	# rm fails if cpustat makes a new file at this moment.
	until_true rm -rf "$T/folder"
	until_true has "^cpustat: cannot write to '$T/folder/file': No such file or directory$" "$T/out.err"
	n=$(rows "$T/out" tick)
	until_true eval '[ "$(rows "$T/out" tick)" -ge $((n + 10)) ]'
	kill -INT $!
	local status=0
	finish $! || status=$?
	[ "$status" -eq 125 ]
	complete "$T/out"
	said "$T/out.err" "cpustat: cannot write to '$T/folder/file': No such file or directory"
}

@test "life: --openmetrics goes on when its folder is back" {
	mkdir "$T/folder"
	start "$T/out" "$CPUSTAT" -c cpu-clock --openmetrics="$T/folder/file" 0.01
	until_true [ -s "$T/folder/file" ]
	until_true mv "$T/folder" "$T/away"
	until_true has 'No such file' "$T/out.err"
	mkdir "$T/folder"
	until_true [ -s "$T/folder/file" ]
	kill -INT $!
	finish $!
	complete "$T/out"
	# The file has all counts, also those of the time without a folder.
	awk '/^opencpc_events_total/ { s += $NF } END { printf "%.0f\n", s }' "$T/folder/file" > "$T/sum"
	awk '$3 == "total" { print $4 }' "$T/out" | diff - "$T/sum"
}

@test "life: SIGSTOP for some intervals, SIGCONT: late samples are reported; the counts are complete" {
	start "$T/out" "$CPUSTAT" -c cpu-clock -O "$T/samples" 0.01
	local tool=$! shown late
	until_true runs "$T/out"
	kill -STOP "$tool"
	until_true eval 'case $(proc_state '"$tool"') in T) ;; *) false ;; esac'
	shown=$(rows "$T/out" tick)
	sleep 0.15
	kill -CONT "$tool"
	until_true eval '[ "$(rows "$T/out" tick)" -ge $((shown + 5 * $(ncpus))) ]'
	kill -INT "$tool"
	finish "$tool"
	cat "$T/out.err"
	complete "$T/out"
	late=$(sed -n 's/^cpustat: \([0-9]*\) samples were late and left out$/\1/p' "$T/out.err")
	[ "$late" -ge 10 ]
	[ $((late + $(rows "$T/out" tick) / $(ncpus))) -eq "$(sed -n 's/.*"interval":\([0-9]*\),.*/\1/p' "$T/samples" | tail -n 1)" ]
	# The first row after SIGCONT has all of that time. No value is negative, and those of the rows before are never more
	# than the elapsed time. A value may be read later than its row's time, but not later than that of the next row.
	awk '$3 == "tick" { if ($4 < 0 || sum[$2] > $1 * 1.001e9 + 2e6) bad++
			if ($4 > 1e8) long++; sum[$2] += $4 } END { exit bad || !long }' "$T/out"
	# The file has the same rows and notes.
	"$CPUSTAT" -I "$T/samples" 2> "$T/err2" | cmp "$T/out" -
	cmp "$T/out.err" "$T/err2"
}

@test "life: stopped until after the end: the last sample is missing, the total is complete" {
	start "$T/out" "$CPUSTAT" -c cpu-clock 0.02 50
	local tool=$!
	until_true runs "$T/out"
	kill -STOP "$tool"
	sleep 1.1
	kill -CONT "$tool"
	finish "$tool"
	complete "$T/out"
	has '^cpustat: [0-9]* samples* w[aers]* late and left out$' "$T/out.err"
	# The total has the time while cpustat was stopped.
	awk '$3 == "total" { exit $4 < 1.1e9 }' "$T/out"
}

@test "life: closed standard streams" {
	run -125 bash -c "'$CPUSTAT' -c cpu-clock 0.01 2 2>&1 >&-"
	[[ $output == *"cannot write to standard output: Bad file descriptor"* ]]
	run -0 bash -c "'$CPUSTAT' -c cpu-clock 0.01 2 2>&-"
	[[ $output == *total* ]]
	run -0 bash -c "'$CPUSTAT' -c cpu-clock -O '$T/samples' 0.01 2 <&- 2>&-"
	[ "$("$CPUSTAT" -I "$T/samples")" = "$output" ]
	run -125 bash -c "'$CPUSTAT' -I - <&-"
}

@test "life: user nobody: one message names root, CAP_PERFMON and perf_event_paranoid" {
	need_root
	need setpriv
	[ "$(paranoid)" -gt 0 ] || skip "everybody may count CPUs"
	public_dir
	refused() {
		local status=0
		as_nobody "$D/cpustat" "$@" > "$T/out" 2> "$T/err" || status=$?
		cat "$T/err"
		[ "$status" -eq 125 ] && [ ! -s "$T/out" ] && has root "$T/err" && has CAP_PERFMON "$T/err" &&
			has "perf_event_paranoid.*$(paranoid)" "$T/err" && [ "$(grep -c CAP_PERFMON "$T/err")" -eq 1 ] &&
			[ "$(wc -l < "$T/err")" -eq 1 ]
	}
	refused -c cpu-clock 0.01 2
	refused -c cpu-clock,page-faults,sys -c context-switches 0.01 2
	refused -s -c page-faults,nouser,sys -O "$D/out/samples" --openmetrics="$D/out/metrics" 0.01 2
	[ -z "$(ls -A "$D/out")" ]
}

@test "life: user nobody with CAP_PERFMON can count" {
	need_root
	need setpriv
	public_dir
	(cd / && setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=-all,+perfmon --ambient-caps=+perfmon \
		"$D/cpustat" -c cpu-clock,sys 0.01 2) > "$T/out" 2> "$T/err" || { cat "$T/err"; false; }
	complete "$T/out"
}

@test "life: too few file descriptors: a message with the number needed, and status 125" {
	[ -z "${SANITIZE-}" ] || skip "the sanitizers use descriptors"
	[ "$(ncpus)" -ge 2 ] || skip "needs 2 CPUs"
	# Without CAP_SYS_RESOURCE root cannot raise the hard limit.
	local obey= n=$((2 * $(ncpus)))
	[ "$(id -u)" -ne 0 ] || obey='setpriv --bounding-set=-sys_resource'
	run -125 --separate-stderr bounded bash -c "exec 3>&- 4>&-; ulimit -n 6
		exec $obey '$CPUSTAT' -c cpu-clock,page-faults 0.01 2"
	echo "$stderr"
	[[ $stderr == *"cpustat: $(ncpus) CPUs with 2 file descriptors each need $n; raise the limit (ulimit -n)"* ]]
	# There were enough descriptors for CPU 0.
	[[ $output == *" total "* ]]
}

@test "life: the soft limit of descriptors is raised" {
	local all=page-faults,minor-faults,major-faults,context-switches
	(
		ulimit -Sn 6
		"$CPUSTAT" -c "$all,$all" -c "$all" 0.01 20 > "$T/out"
	)
	[ "$(rows "$T/out" total)" -eq 2 ]
}

@test "life: no process and no file is left, and no thread is started without -s" {
	mkdir "$T/empty"
	cd "$T/empty"
	start "$T/out" "$CPUSTAT" -c cpu-clock 0.01
	until_true runs "$T/out"
	[ "$(ls "/proc/$!/task")" = "$!" ]
	[ -z "$(cat "/proc/$!/task/$!/children")" ]
	kill -INT $!
	finish $!
	[ -z "$(ls -A)" ]
}

@test "life: user nobody: --list tries events on CPUs" {
	need_root
	need setpriv
	[ "$(paranoid)" -gt 0 ] || skip "everybody may count CPUs"
	public_dir
	run -0 as_nobody "$D/cpustat" --list=page-faults
	[[ ${lines[1]} =~ ^page-faults\ +unavailable\ .*'counting whole CPUs needs' ]]
	run -125 as_nobody "$D/cpustat" --list
	[[ $output == *'cpustat: no event can be counted here; --doctor says what would help'* ]]
	# Programs are not CPUs.
	run -0 as_nobody "$D/cputrack" --list=page-faults
	[ "$(paranoid)" -gt 2 ] || [[ ${lines[1]} =~ ^page-faults\ +exact ]]
	run -0 "$CPUSTAT" --list=page-faults
	[[ ${lines[1]} =~ ^page-faults\ +exact ]]
}

@test "life: CPC_STRICT=1 without a folder for its file: the reason, and no word of events" {
	need_cpus
	run -125 env CPC_STRICT=1 XDG_RUNTIME_DIR="$T/none" "$CPUSTAT" -c cpu-clock 0.01 1
	[[ $output == *"$T/none/opencpc.strict: No such file or directory; CPC_STRICT=1 needs a file there"* ]]
	[[ $output != *'No such event'* ]]
}

@test "life: without memory for any one allocation -I ends with a message and 125, or shows all" {
	need_cpus
	local n=0 failed=0
	"$PROG/nomem-cpustat" -O "$T/samples" -c cpu-clock,page-faults -c page-faults,sys 0.01 4 > "$T/rows"
	"$PROG/nomem-cpustat" -A soc -k -page-faults -T d -I "$T/samples" > "$T/want"
	while without_memory $((++n)) "$PROG/nomem-cpustat" -A soc -k -page-faults -T d -I "$T/samples"; do
		case $status in
		0) diff "$T/want" "$T/out" ;;
		125) [ -s "$T/err" ] && failed=$((failed + 1)) ;;
		*) echo "allocation $n: status $status"; cat "$T/err"; return 1 ;;
		esac
	done
	echo "$failed failures of $n allocations"
	[ "$failed" -ge 20 ]
}

@test "life: without memory for any one allocation a run ends with a message and 125, or has all" {
	need_cpus
	local n=0 failed=0
	while without_memory $((++n)) "$PROG/nomem-cpustat" -A cor -k -pic0 -O "$T/samples" --openmetrics="$T/x.prom" \
		-c cpu-clock,page-faults -c page-faults,context-switches 0.001 2; do
		case $status in
		0) [ "$(rows "$T/out" total)" -ge 1 ] ;;
		125) [ -s "$T/err" ] && failed=$((failed + 1)) ;;
		*) echo "allocation $n: status $status"; cat "$T/err"; return 1 ;;
		esac
	done
	echo "$failed failures of $n allocations"
	[ "$failed" -ge 50 ]
}

@test "life: a set that never got its turn is reported, and --strict does not accept it" {
	need_cpus
	local sets=(-c cpu-clock -c page-faults,sys -c cpu-clock,page-faults) status=0
	start "$T/out" "$CPUSTAT" --strict -O "$T/samples" "${sets[@]}" 1000
	# The title appears after the signal handlers are installed.
	until_true has pic0 "$T/out"
	kill -INT $!
	finish $! || status=$?
	[ "$status" -eq 125 ]
	diff - "$T/out.err" <<-'END'
		cpustat: set 1 (page-faults,sys): never counted; a turn of all sets takes 3 intervals
		cpustat: set 2 (cpu-clock,page-faults): never counted; a turn of all sets takes 3 intervals
	END
	run --separate-stderr "$CPUSTAT" -I "$T/samples"
	[ "$status" -eq 0 ]
	[[ $stderr == *'cpustat: set 2 ('*'): never counted; '* ]]
	rm -f "$T/out"
	start "$T/out" "$CPUSTAT" --strict "${sets[@]}" 0.01
	until_true eval '[ "$(awk '"'"'$3 == "tick" { print $NF }'"'"' "$T/out" | sort -u | wc -l)" -eq 3 ]'
	kill -INT $!
	finish $!
	said "$T/out.err" ''
}
