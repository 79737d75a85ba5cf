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
	track --format=csv -fe -T 0 sh -c "$PROG/act exit 0; exec $PROG/crew -x $PROG/nop run=1"
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
	grep -q '"tid":[0-9]*,"name":"crew","what":"lwp_create"' "$T/rows"
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
