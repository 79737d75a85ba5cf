# The names of threads in the rows of cputrack: --names, CSV and JSON.

bats_require_minimum_version 1.5.0
load helper

# track OPTION... COMMAND...: rows of page faults in $T/rows.
track() { bounded "$CPUTRACK" -o "$T/rows" -c page-faults "$@"; }

# csv_names EVENT: the names in the rows of this event of $T/rows, a CSV file, by the number of the LWP.
csv_names() {
	need python3
	python3 - "$T/rows" "$1" <<-'PY'
		import csv, sys
		rows = [r for r in csv.DictReader(open(sys.argv[1], newline="")) if r["event"] == sys.argv[2]]
		print(*(r["thread"] for r in sorted(rows, key=lambda r: (int(r["pid"]), int(r["lwp"])))), sep="/")
	PY
}

@test "threads: --names puts the tid and the name into rows of text" {
	track --names -T 0 "$PROG/crew" hot=20 'a cold one=1'
	grep -Eq '^   time lwp     tid name                 event      pic0 $' "$T/rows"
	grep -Eq '^ +[0-9.]+   2 +[0-9]+ hot               lwp_exit +[0-9]+ $' "$T/rows"
	grep -Eq '^ +[0-9.]+   3 +[0-9]+ a cold one        lwp_exit +[0-9]+ $' "$T/rows"
	grep -Eq '^ +[0-9.]+   1 +[0-9]+ crew                  exit +[0-9]+ $' "$T/rows"
}

@test "threads: the tid of a row is the kernel's" {
	start "$T/park" "$PROG/act" park
	local pid
	pid=$(ready_pid "$T/park")
	track --names -n -T 0.01 -N 1 -p "$pid"
	[[ $(cat "$T/rows") =~ ^\ +[0-9.]+\ +1\ +$pid\ act\ +tick ]]
}

@test "threads: without --names the columns are those of Solaris" {
	track -f -T 0 "$PROG/crew" hot=1
	[ "$(head -n 1 "$T/rows")" = '   time    pid lwp      event      pic0 ' ]
	track -f -T 0 --names "$PROG/crew" hot=1
	[ "$(head -n 1 "$T/rows")" = '   time    pid lwp     tid name                 event      pic0 ' ]
}

@test "threads: the name in the last row is the one that the thread had at its end" {
	track --format=csv -T 0 "$PROG/crew" 'first>second=1' 'a>fifteen letters and more=1' 'gone>=1'
	[ "$(csv_names lwp_exit)" = 'second/fifteen letters/' ]
	[ "$(csv_names exit)" = crew ]
}

@test "threads: a name at a tick is the one that the thread has then" {
	track --format=csv -T 0.02 "$PROG/crew" 'working>done=200'
	[[ $(csv_names tick) == *working* ]]
	[ "$(csv_names lwp_exit)" = 'done' ]
}

@test "threads: a program that is executed has its own name, and a thread that the exec ended has none" {
	track --tracker=ptrace --format=csv -fe -T 0 sh -c "$PROG/act exit 0; exec $PROG/crew -x $PROG/nop run=1"
	[[ $(csv_names exec) == *crew*nop* ]]
	[ "$(csv_names exit)" = nop/act ]
	# The first LWP of crew ended unseen, and its tid is now that of the LWP that executed.
	[ "$(csv_names lwp_exit)" = '' ]
	grep -q ',lwp_exit,.*,user,$' "$T/rows"
}

@test "threads: the records of JSON have the names" {
	need python3
	track --format=json -fe -T 0.01 "$PROG/crew" 'one>two=30' -x "$PROG/nop"
	python3 "$BATS_TEST_DIRNAME/records.py" "$T/rows"
	grep -q '"tid":[0-9]*,"name":"one","what":"tick"' "$T/rows"
	grep -q '"tid":[0-9]*,"name":"\(crew\|one\)","what":"lwp_create"' "$T/rows"
}

@test "threads: a simulated thread has the name that the program gave it" {
	[ -x "${CPUTRACK%/*}/../sim/cpcsim-launch" ] || skip 'needs the simulator'
	bounded "$CPUTRACK" --engine=sim --format=csv -fe -o "$T/rows" -c insn -T 0 \
		sh -c "exec $PROG/crew 'one>two=1' three=1"
	[ "$(csv_names lwp_exit)" = two/three ]
	[ "$(csv_names exit)" = crew ]
	[ "$(csv_names exec)" = crew/crew ]
}

@test "threads: names that would harm a terminal are cleaned" {
	local nasty=$'\e]0;x\a\x9b\xc2\x9b\x7f\nB\xff'
	track --names -n -T 0 "$PROG/crew" "$nasty=1"
	grep -q ' ?]0;x?????B?  *lwp_exit' "$T/rows"
	track --format=csv -n -T 0 "$PROG/crew" "$nasty=1"
	! LC_ALL=C grep -q $'[\001-\011\013-\037\177]' "$T/rows"
	grep -q $',?]0;x?\xef\xbf\xbd???B\xef\xbf\xbd$' "$T/rows"
	track --format=json -T 0 "$PROG/crew" "$nasty=1"
	grep -qF $'"name":"\\u001b]0;x\\u0007\xef\xbf\xbd\\u009b\\u007f\\u000aB\xef\xbf\xbd"' "$T/rows"
}

# has_thread PID NAME: a thread of the process has this name, so that the program has begun.
has_thread() { cat /proc/"$1"/task/*/comm 2> /dev/null | grep -qx "$2"; }

# table OPTION... COMMAND...: a table of the threads in $T/table.
table() { bounded "$CPUTRACK" --threads -o "$T/table" "$@"; }

@test "threads: a table shows which thread burns the processor" {
	run -0 --separate-stderr bounded "$CPUTRACK" --threads -T 0.05 -c page-faults,task-clock "$PROG/crew" 'a cold one=30' hot=600 warm=180
	[ "${lines[0]}" = '     tid name            %task-clock page-faults (user) task-clock ns' ]
	[ "${#lines[@]}" = 5 ]
	[[ ${lines[1]} =~ ^\ +[0-9]+\ hot\ +[67][0-9]\.[0-9]{2}\ +[0-9]+\ +[0-9]+$ ]]
	[[ ${lines[2]} =~ ^\ +[0-9]+\ warm\ +[12][0-9]\.[0-9]{2}\ +[0-9]+\ +[0-9]+$ ]]
	[[ ${lines[3]} =~ ^\ +[0-9]+\ a\ cold\ one\  ]]
	[[ ${lines[4]} =~ ^\ +[0-9]+\ crew\  ]]
	[ "$(printf '%s\n' "${lines[@]:1}" | awk '{ s += $(NF - 2) } END { print (s > 99.95 && s < 100.05) }')" = 1 ]
	[ -z "$stderr" ]
}

@test "threads: the table needs no -c" {
	table "$PROG/crew" hot=100 cold=1
	[[ $(head -n 1 "$T/table") =~ ^\ +tid\ name\ +%[a-z-]+\  ]]
	[ "$(awk 'NR == 2 { print $2 }' "$T/table")" = hot ]
	run -2 "$CPUTRACK" --threads --summary true
	[[ ${lines[0]} == *'--summary prints no rows: it cannot be used with --threads' ]]
}

@test "threads: the table has the same counts as the rows, of threads that end before a tick too" {
	need_breakpoints
	local event
	event=$(hit_event oracle)
	ORACLE=$T/truth bounded "$CPUTRACK" -n --threads -T 0.01 -o "$T/table" -c "$event" "$PROG/oracle" seq 20
	[ "$(awk '{ s += $NF } END { print s }' "$T/table")" = "$(awk '{ s += $3 } END { print s }' "$T/truth")" ]
	[ "$(wc -l < "$T/table")" = 21 ]
	diff <(awk '$NF { print $NF }' "$T/table") <(awk '$3 { print $3 }' "$T/truth" | sort -rn)
}

@test "threads: children and programs that are executed are threads of the table" {
	table -fe -T 0 -c task-clock sh -c "$PROG/crew hot=400 & $PROG/crew cold=100; wait; exec $PROG/nop"
	head -n 1 "$T/table" | grep -q '^     pid     tid name '
	[[ $(awk 'NR > 1 { print $3 }' "$T/table" | head -n 2 | xargs) = 'hot cold' ]]
	[ "$(awk 'NR > 1 { print $3 }' "$T/table" | sort | xargs)" = 'cold crew crew hot nop' ]
	table -T 0 -c task-clock sh -c "$PROG/crew hot=10; true"
	lacks ' hot ' "$T/table"
}

@test "threads: on a terminal the table is drawn at each interval and at the end" {
	needs_terminal
	TERM=xterm run -0 bounded "$PROG/ptyrun" -- "$CPUTRACK" --threads -T 0.1 -c task-clock,page-faults "$PROG/crew" hot=600 cold=1
	[[ $output == *'threads in the interval until 0.1'*'threads in the interval until 0.2'*'3 threads in '* ]]
	[[ $output == *$'\e[7m     tid name            %task-clock task-clock ns page-faults (user)\e[0m'* ]]
	# The totals come last, and once, with commas between thousands.
	local totals=${output##*3 threads in }
	[ "$(grep -c ' hot \| cold \| crew ' <<< "$totals")" = 3 ]
	[[ $totals =~ \ hot\ +9[0-9]\.[0-9]+\ +[56][0-9][0-9],[0-9]{3},[0-9]{3}\  ]]
}

@test "threads: the table of an interval fits into the window, the totals are complete" {
	needs_terminal
	TERM=xterm run -0 bounded "$PROG/ptyrun" -- sh -c "stty rows 6 cols 30
		exec '$CPUTRACK' --threads -T 0.1 -c task-clock '$PROG/crew' a=200 b=200 c=200 d=200 e=200"
	[[ $output == *$'\e[J and 4 more'* ]]
	local totals=${output##*6 threads in [0-9]}
	[ "$(grep -c ' [abcde] \| crew ' <<< "$totals")" = 6 ]
	# Only colours of columns that are cut off are behind the last column.
	[ "$(sed -e 's/\x1b\[[0-9;]*[a-zA-Z]//g' -e 's/\x1b[D78]//g' <<< "${output//$'\r'/}" | wc -L)" -le 30 ]
}

@test "threads: the table follows a new size of the window" {
	need tmux
	local tm=(tmux -S "$T/tmux" -f /dev/null)
	"${tm[@]}" new-session -d -x 80 -y 24 -s table \
		"exec '$CPUTRACK' --threads -T 1 -c task-clock '$PROG/crew' hot=20000 cold=20000" 3>&- || skip 'tmux does not start'
	shows() { "${tm[@]}" capture-pane -p -t table > "$T/pane" 2> "$T/err" && has "$1" "$T/pane"; }
	no_session() { ! "${tm[@]}" has-session -t table 2> /dev/null; }
	until_true shows '^3 threads in the interval until [0-9.]* s$'
	until_true shows '^ *[0-9]* hot  *[0-9.]*  *[0-9,]*$'
	"${tm[@]}" resize-window -t table -x 27 -y 5
	until_true shows '^ and 2 more$'
	has '^3 threads in the interval u$' "$T/pane"
	# The key interrupts the command too.
	"${tm[@]}" send-keys -t table C-c
	until_true no_session
}

@test "threads: NO_COLOR, and a terminal that cannot move its cursor" {
	needs_terminal
	NO_COLOR=1 TERM=xterm run -0 bounded "$PROG/ptyrun" -- "$CPUTRACK" --threads -T 0.1 -c task-clock "$PROG/crew" hot=300
	[[ $output == *interval* && $output != *$'\e[7m'* ]]
	TERM=dumb run -0 bounded "$PROG/ptyrun" -- "$CPUTRACK" --threads -T 0.1 -c task-clock "$PROG/crew" hot=300
	[[ $output != *$'\e'* && $output != *interval* ]]
	[ "${#lines[@]}" = 3 ]
}

@test "threads: names that would harm a terminal are cleaned in the table" {
	needs_terminal
	TERM=xterm run -0 bounded "$PROG/ptyrun" -- "$CPUTRACK" --threads -T 0.1 -c task-clock "$PROG/crew" $'\e]0;x\a\x9b\xc2\x9b\x7f\nB\xff=200'
	[[ $output == *' ?]0;x?????B? '* ]]
	[[ $output != *$'\e]'* && $output != *$'\a'* ]]
}

@test "threads: -N ends after so many intervals, with the table of what they counted" {
	start "$T/busy" "$PROG/crew" hot=60000
	local busy=$!
	until_true has_thread "$busy" hot
	table -n -T 0.05 -N 2 -c task-clock -p "$busy"
	[ "$(awk '{ print $2 }' "$T/table" | xargs)" = 'hot crew' ]
	awk '$2 == "hot" { exit !($4 > 0 && $4 < 1000000000) }' "$T/table"
}

@test "threads: SIGINT prints the table" {
	start "$T/busy" "$PROG/crew" hot=60000
	local busy=$!
	until_true has_thread "$busy" hot
	start "$T/out" "$CPUTRACK" --threads -n -T 10 -c task-clock -p "$busy"
	until_true traced "$busy"
	kill -INT $!
	finish $!
	[ "$(awk '{ print $2 }' "$T/out" | xargs)" = 'hot crew' ]
}

@test "threads: a warning writes a provisional table to the file" {
	start "$T/out" "$CPUTRACK" --threads -T 0 -o "$T/table" -c task-clock "$PROG/act" catch USR1 1
	local tracker=$!
	until_true has ready "$T/out"
	kill -USR1 "$tracker"
	until_true has ' act ' "$T/table"
	finish "$tracker" || :
	[ "$(wc -l < "$T/table")" = 2 ]
}

# warned OPTION...: write a table to $T/table, and send a warning while the program waits. The table that it writes is in $T/provisional.
warned() {
	rm -f "$T/fifo"
	mkfifo "$T/fifo"
	start "$T/out" "$CPUTRACK" --threads -T 0 -o "$T/table" -c task-clock "$@" sh -c 'trap "" USR1; echo ready > "$0"; read -r x < "$0"' "$T/fifo"
	local tracker=$!
	read -r x < "$T/fifo"
	kill -USR1 "$tracker"
	until_true eval '[ "$(wc -l < "$T/table")" -ge 2 ]'
	cp "$T/table" "$T/provisional"
	echo end > "$T/fifo"
	finish "$tracker"
	[ "$(wc -l < "$T/table")" = 2 ]
}

@test "threads: a warning also writes what threads that live have counted, with a tracer and without" {
	local tracker
	for tracker in auto ptrace; do
		warned --tracker=$tracker
		grep -Eq '^ +([0-9]+ sh|- \(rest\)) +100\.00 +[1-9][0-9]*$' "$T/provisional"
		grep -Eq '^ +[0-9]+ sh +100\.00 +[1-9][0-9]*$' "$T/table"
		warned --tracker=$tracker --format=csv
		awk -F, 'NR == 2 && ($5 == "thread" || $5 == "rest") && $10 > 0 { found = 1 } END { exit !found }' "$T/provisional"
		[ "$(csv_count "$T/table" thread)" = 1 ]
	done
}

@test "threads: CSV and JSON have a row for each thread and set, the largest first" {
	need python3
	table --format=csv -T 0.02 -c task-clock -c page-faults "$PROG/crew" cold=60 hot=400
	[ "$(cut -d , -f 5 "$T/table" | sort -u | xargs)" = 'event thread' ]
	[ "$(sed 's/.*,//' "$T/table" | uniq | xargs)" = 'thread hot cold crew' ]
	table --format=json -fe -T 0.02 -c task-clock,page-faults "$PROG/crew" cold=60 hot=400
	python3 "$BATS_TEST_DIRNAME/records.py" "$T/table"
	[ "$(grep -c '"record":"total".*"scope":"lwp".*"what":"thread"' "$T/table")" = 3 ]
	[ "$(wc -l < "$T/table")" = 5 ]
}

@test "threads: a simulated program has a table too" {
	[ -x "${CPUTRACK%/*}/../sim/cpcsim-launch" ] || skip 'needs the simulator'
	table -n --engine=sim -T 0 -c insn "$PROG/crew" hot=30 cold=1
	[ "$(awk '{ print $2 }' "$T/table" | head -n 1)" = hot ]
}

@test "threads: values that are not exact are noted, and --strict refuses them" {
	may_count_kernel || skip "counting the kernel is not allowed"
	run -0 table --tracker=ptrace -c context-switches "$PROG/act" signals 5
	[[ $output == *'context-switches: approximate'* ]]
	run -125 table --tracker=ptrace --strict -c context-switches "$PROG/act" signals 5
	# Without a tracer nothing stops the program, and all its switches are its own.
	if "$CPUTRACK" --tracker=records -T 0 -o /dev/null -c page-faults true 2> /dev/null; then
		run -0 table --strict -c context-switches "$PROG/act" signals 5
	fi
}

@test "threads: the table shows no ticks of the time-stamp counter, and is no chart" {
	run -2 "$CPUTRACK" --threads -t -c task-clock true
	[[ ${lines[0]} == *'--threads and -t cannot be used together'* ]]
	run -2 "$CPUTRACK" --threads --chart -c task-clock true
	[[ ${lines[0]} == *'--threads and --chart cannot be used together'* ]]
}

@test "threads: a table that cannot be written is reported" {
	run -125 bounded "$CPUTRACK" --threads -c task-clock -o /dev/full "$PROG/act" exit 0
	[[ $output == *'cannot write to /dev/full: No space left on device'* ]]
}

@test "threads: running out of memory is reported, whichever allocation fails" {
	local n=0 command=("$PROG/nomem-cputrack" --threads --format=text -T 0 -c page-faults -o "$T/table" "$PROG/nop")
	while without_memory $((++n)) "${command[@]}"; do
		[ "$status" = 0 ] || grep -q . "$T/err" || { echo "allocation $n: status $status, no message"; return 1; }
		[ "$status" != 0 ] || has ' nop ' "$T/table" || { echo "allocation $n: status 0, no table"; return 1; }
	done
	[ "$n" -gt 50 ]
}
