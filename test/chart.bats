# Charts (--chart): their text, terminals of several sizes, and other outputs.

bats_require_minimum_version 1.5.0
load helper

DIR=$BATS_TEST_DIRNAME/golden/cpustat

setup() { export TERM=xterm LC_ALL=C.UTF-8; unset NO_COLOR LINES COLUMNS; }

# on_terminal ROWS COLUMNS CMD...: run CMD on a terminal of that size; its output goes to $T/screen, without the
# carriage returns that the terminal adds.
on_terminal() {
	local size=(env "LINES=$1" "COLUMNS=$2")
	shift 2
	"$PROG/ptyrun" -- "${size[@]}" "$@" | tr -d '\r' > "$T/screen"
}
# last_block FILE: print the block that was drawn last, without sequences.
last_block() { awk '{ gsub(/\033\[[0-9;]*[A-Za-z]|\033[D78]/, "") } /^[0-9.]+ s; / { text = "" } { text = text $0 "\n" } END { printf "%s", text }' "$1"; }
plain() { ! grep -q $'\e' "$1"; }
# strips NAME FILE: print how many strips have labels that begin so.
strips() { grep -c "^$1" "$2"; }

@test "chart: samples into a pipe, with block characters or ASCII" {
	"$CPUSTAT" -I "$DIR/chart.samples" --chart | diff "$DIR/chart" -
	LC_ALL=C "$CPUSTAT" -I "$DIR/chart.samples" --chart | diff "$DIR/chart-ascii" -
	LC_ALL='' LC_CTYPE='' LANG=en_US.utf8 COLUMNS=40 "$CPUSTAT" -I "$DIR/chart.samples" --chart | diff "$DIR/chart" -
	cat "$DIR/chart.samples" | "$CPUSTAT" -I - --chart | diff "$DIR/chart" -
}

@test "chart: the example of opencpc-output(7) is this chart" {
	awk '/^\.Sh CHART/ { on = 1 } /^\.Ed/ { if (on) exit } on' "$BATS_TEST_DIRNAME/../man7/opencpc-output.7" |
		sed '1,/^\.Bd/d' | python3 -c '
import re, sys
print(re.sub(r"\\\[u([0-9A-F]+)\]", lambda m: chr(int(m.group(1), 16)), sys.stdin.read()), end="")' |
		diff - <(sed 's/ *$//' "$DIR/chart")
}

@test "chart: with rows of cores, with what values lack on stderr, and with --strict" {
	"$CPUSTAT" -I "$DIR/odd.samples" -A soc --chart > "$T/out" 2> "$T/err"
	has '^socket ' "$T/out"
	diff "$DIR/odd.err" "$T/err"
	run -125 bash -c "'$CPUSTAT' --strict -I '$DIR/odd.samples' --chart 2> '$T/err'"
	has 'cpu 0' <(echo "$output")
}

@test "chart: on a terminal it fits the window" {
	needs_terminal
	local size
	for size in '24 80' '10 40' '50 200' '4 30' '2 10' '1 1'; do
		# shellcheck disable=SC2086
		on_terminal $size "$CPUSTAT" -I "$DIR/wide.samples" --chart
		last_block "$T/screen" > "$T/block"
		[ "$(wc -l < "$T/block")" -lt "${size% *}" ] || [ "${size% *}" -lt 3 ]
		[ "$(wc -L < "$T/block")" -le "${size#* }" ]
	done
	on_terminal 24 80 "$CPUSTAT" -I "$DIR/chart.samples" --chart
	last_block "$T/screen" | diff "$DIR/chart" -
}

@test "chart: colors on a terminal only, without NO_COLOR; a dumb terminal is like a pipe" {
	needs_terminal
	on_terminal 24 80 "$CPUSTAT" -I "$DIR/chart.samples" --chart
	has $'\e\[32m' "$T/screen"
	lacks $'\e\[?' "$T/screen"
	NO_COLOR=1 on_terminal 24 80 "$CPUSTAT" -I "$DIR/chart.samples" --chart
	lacks $'\e\[[0-9;]*m' "$T/screen"
	has $'\e\[K' "$T/screen"
	TERM=dumb on_terminal 24 40 "$CPUSTAT" -I "$DIR/chart.samples" --chart
	diff "$DIR/chart" "$T/screen"
}

@test "chart: each LWP of a program, into a pipe, and the program's status" {
	run -7 --separate-stderr bash -c "'$CPUTRACK' --chart -T 0.05 -c task-clock sh -c \"'$PROG/busy' 60; exit 7\" | cat; exit \${PIPESTATUS[0]}"
	run -0 --separate-stderr "$CPUTRACK" --chart -T 0.05 -c task-clock -c page-faults "$PROG/busy" 60
	printf '%s\n' "$output" > "$T/out"
	plain "$T/out"
	# On a busy machine a column stands for several turns after a while.
	[[ ${lines[0]} =~ ^[0-9.]+' s; a column is '('a turn'|'the mean of '[0-9]+' turns')' of 100 ms'.*'now     min..max'$ ]]
	has '^task-clock (user+sys): full height [0-9.]*ms in 50 ms$' "$T/out"
	has '^page-faults (user): full height [0-9.k]* in 50 ms$' "$T/out"
	# The main thread, and the thread "worker", which has ended.
	[ "$(strips '1 busy  *' "$T/out")" -eq 2 ]
	has '^2 worker .* ended ' "$T/out"
	[ "$(wc -L < "$T/out")" -le 80 ]
}

@test "chart: processes have their ids; a file of -o gets the last chart" {
	"$CPUTRACK" --chart -f -T 0.02 -o "$T/file" -c task-clock "$PROG/busy" 100 > "$T/out"
	[ ! -s "$T/out" ]
	[ "$(sed -n 's|^\([0-9]*\)/1 .*|\1|p' "$T/file" | sort -u | wc -l)" -eq 2 ]
	[ "$(grep -c ' s; a column' "$T/file")" -eq 1 ]
}

@test "chart: a warning writes the chart so far to the file, and the last chart takes its place" {
	mkfifo "$T/fifo"
	start "$T/out" "$CPUTRACK" --chart -T 0.02 -c task-clock -o "$T/chart" sh -c 'trap "" USR1; sleep 0.2; echo ready > "$0"; read -r x < "$0"' "$T/fifo"
	local tracker=$!
	read -r x < "$T/fifo"
	kill -USR1 "$tracker"
	until_true has '^task-clock' "$T/chart"
	echo end > "$T/fifo"
	finish "$tracker"
	[ "$(strips task-clock "$T/chart")" -eq 1 ]
}

@test "chart: default events, whose names need no note" {
	run -0 --separate-stderr "$CPUTRACK" --chart -T 0.05 "$PROG/busy" 200
	[[ $output == *$'\ntask-clock (user+sys): full height '*$'\npage-faults (user'* ]]
	[[ $stderr != *pic0* ]]
}

@test "chart: a run without a whole interval says so" {
	run -0 --separate-stderr "$CPUTRACK" --chart -c task-clock true
	[ "$output" = 'no chart: the run ended before its first interval of 1 s' ]
}

@test "chart: text of the program stays above the chart of a terminal" {
	needs_terminal
	on_terminal 24 80 "$CPUTRACK" --chart -T 0.05 -c task-clock sh -c "echo hello; '$PROG/busy' 200; echo bye"
	has hello "$T/screen"
	has bye "$T/screen"
	last_block "$T/screen" > "$T/block"
	has '^task-clock (user+sys): ' "$T/block"
	has '^1 sh ' "$T/block"
}

@test "chart: context switches of each CPU, on a terminal and into a pipe" {
	need_cpus
	needs_terminal
	"$CPUSTAT" --chart -c context-switches,sys 0.05 6 > "$T/out" 2> "$T/err"
	plain "$T/out"
	[ "$(strips 'cpu ' "$T/out")" -eq "$(ncpus)" ]
	has '^context-switches (user+sys): ' "$T/out"
	on_terminal 60 100 "$CPUSTAT" --chart -c context-switches,sys 0.05 6
	has 'waiting for the first interval of 50 ms' "$T/screen"
	last_block "$T/screen" > "$T/block"
	[ "$(strips 'cpu ' "$T/block")" -eq "$(ncpus)" ]
	# A chart is drawn for each interval, and at the end.
	[ "$(grep -c ' s; a column is an interval of 50 ms' "$T/screen")" -ge 3 ]
}

@test "chart: SIGINT ends a run with its last chart" {
	need_cpus
	needs_terminal
	run -0 "$PROG/ptyrun" '0.2 s;' '^C' -- "$CPUSTAT" --chart -c cpu-clock 0.1
	[[ $output == *$'\e[J'* ]]
}

@test "chart: after a change of the window's size nothing of the old chart is left" {
	need_cpus
	need tmux
	local tm=(tmux -S "$T/tmux" -f /dev/null)
	"${tm[@]}" new-session -d -x 80 -y 24 -s chart "exec '$CPUSTAT' --chart -c context-switches,sys 0.1" 3>&- ||
		skip 'tmux does not start'
	shows() { "${tm[@]}" capture-pane -p -t chart > "$T/pane" 2> "$T/err" && has "$1" "$T/pane"; }
	until_true shows '0 s; a column is an interval of 100 ms .*min..max'
	"${tm[@]}" resize-window -t chart -x 40 -y 10
	until_true shows ' s; column [0-9.]* m*s  *now$'
	[ "$(grep -c ' s; ' "$T/pane")" -eq 1 ]
	[ "$(strips 'cpu 0' "$T/pane")" -eq 1 ]
	"${tm[@]}" resize-window -t chart -x 120 -y 30
	until_true shows ' s; a column is .*min..max'
	[ "$(grep -c ' s; ' "$T/pane")" -eq 1 ]
	[ "$(strips 'cpu 0' "$T/pane")" -eq 1 ]
	"${tm[@]}" send-keys -t chart C-c
}

@test "chart: a new window size is followed at once, and not only at the next interval" {
	need tmux
	local tm=(tmux -S "$T/tmux" -f /dev/null)
	"${tm[@]}" new-session -d -x 80 -y 24 -s chart "exec '$CPUTRACK' --chart -c task-clock -T 1000 sleep 900" 3>&- ||
		skip 'tmux does not start'
	shows() { "${tm[@]}" capture-pane -p -t chart > "$T/pane" 2> "$T/err" && has "$1" "$T/pane"; }
	until_true shows '^waiting for the first interval of 1000 s$'
	"${tm[@]}" resize-window -t chart -x 27 -y 10
	until_true shows '^waiting for the first inter$'
	[ "$(grep -c . "$T/pane")" -eq 1 ]
	"${tm[@]}" send-keys -t chart C-c
	if may_count_cpus; then
		# The first server may still be about to end, so this one has a socket of its own.
		tm[2]=$T/tmux.cpustat
		"${tm[@]}" new-session -d -x 80 -y 24 -s chart "exec '$CPUSTAT' --chart -c cpu-clock 1000" 3>&-
		until_true shows '^waiting for the first interval of 1000 s$'
		"${tm[@]}" resize-window -t chart -x 27 -y 10
		until_true shows '^waiting for the first inter$'
		"${tm[@]}" send-keys -t chart C-c
	fi
}

@test "chart: what cannot be charted is bad use, with a message" {
	local cmd=("$CPUTRACK" --chart -c task-clock)
	run -2 "${cmd[@]}" -T 0 true
	[[ ${lines[0]} == *': --chart draws samples and -T 0 takes none; give an interval, such as -T 1' ]]
	run -2 "${cmd[@]}" --format=json true
	[[ ${lines[0]} == *': --chart is text for people, and --format=json is for programs; choose one of them' ]]
	run -2 "$CPUSTAT" --chart --format=csv -c cpu-clock
	[[ ${lines[0]} == *'--format=csv is for programs'* ]]
	run -2 "$CPUSTAT" --chart -T u -c cpu-clock
	[[ ${lines[0]} == *': --chart has no rows before which -T could print the time; choose one of them' ]]
	run -2 "$CPUSTAT" --chart --summary
	[[ ${lines[0]} == *': --chart and --summary both take the place of rows; choose one of them' ]]
	for cmd in "$CPUTRACK" "$CPUSTAT"; do
		# shellcheck disable=SC2128
		run -2 "$cmd" --chart -h
		[[ ${lines[0]} == *': --chart draws a measurement and -h makes none; choose one of them' ]]
	done
}

@test "chart: an output that is full is reported" {
	run -125 bash -c "'$CPUSTAT' -I '$DIR/chart.samples' --chart 2>&1 > /dev/full"
	[[ $output == *'cannot write to standard output: No space left on device' ]]
}

@test "chart: without memory for any one allocation it ends with a message and 125, or shows all" {
	local n=0 failed=0
	while without_memory $((++n)) "$PROG/nomem-cpustat" --chart -I "$DIR/chart.samples"; do
		case $status in
		0) diff "$DIR/chart" "$T/out" ;;
		125) [ -s "$T/err" ] && failed=$((failed + 1)) ;;
		*) echo "allocation $n: status $status"; cat "$T/err"; return 1 ;;
		esac
	done
	echo "$failed failures of $n allocations"
	[ "$failed" -ge 20 ]
}
