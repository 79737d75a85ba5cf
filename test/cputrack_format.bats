# The text that cputrack prints: columns, titles and words are those that scripts have parsed since Solaris 8.

load helper

row='^ *[0-9]+\.[0-9]{3} +[0-9]+ +'
count='[ 0-9]{8}[0-9] '

# rows OPTION...: runs cputrack with -o and prints the rows.
rows() {
	"$CPUTRACK" -o "$T/rows" "$@" > "$T/stdout" 2> "$T/stderr" && cat "$T/rows" || (cat "$T/stderr"; false)
}

# every_line REGEX: checks that all lines of $output match.
every_line() {
	[ -n "$output" ] && ! grep -Evn -- "$1" <<< "$output"
}

@test "format: title and exit row of one counter, byte for byte" {
	run rows -T 0 -c task-clock true
	[ "$status" -eq 0 ]
	[ "${lines[0]}" = "   time lwp      event      pic0 " ]
	[ "${#lines[@]}" -eq 2 ]
	[[ ${lines[1]} =~ ^\ {2}[0-9]\.[0-9]{3}\ {3}1\ {7}exit\ [\ 0-9]{8}[0-9]\ $ ]]
}

@test "format: two counters" {
	run rows -T 0 -c task-clock,page-faults true
	[ "${lines[0]}" = "   time lwp      event      pic0      pic1 " ]
	[[ ${lines[1]} =~ ^\ {2}[0-9]\.[0-9]{3}\ {3}1\ {7}exit\ ([\ 0-9]{8}[0-9]\ ){2}$ ]]
}

@test "format: 13 counters: the numbers of pic10 to pic12 take two places" {
	local all=task-clock,page-faults,minor-faults
	run rows -T 0 -c "$all,$all,$all,$all,task-clock" true
	[ "$status" -eq 0 ]
	[ "${lines[0]}" = "   time lwp      event $(printf '     pic%d ' {0..9})     pic10     pic11     pic12" ]
	[ "$(awk 'NR == 2 { print NF }' <<< "$output")" -eq 16 ]
}

@test "format: -t adds a column" {
	run rows -t -T 0 -c task-clock true
	case $(uname -m) in
	x86_64) [ "${lines[0]}" = "   time lwp      event       tsc      pic0 " ] ;;
	*) [ "${lines[0]}" = "   time lwp      event      tick      pic0 " ] ;;
	esac
	[[ ${lines[1]} =~ ^\ {2}[0-9]\.[0-9]{3}\ {3}1\ {7}exit\ ([\ 0-9]{8,}[0-9]\ ){2}$ ]]
	[ "$(awk 'NR == 2 { print $4 }' <<< "$output")" -gt 0 ]
}

@test "format: -f adds the pid" {
	run rows -f -T 0 -c task-clock true
	[ "${lines[0]}" = "   time    pid lwp      event      pic0 " ]
	[[ ${lines[1]} =~ ^\ {2}[0-9]\.[0-9]{3}\ [\ 0-9]{5}[0-9]\ {3}1\ {7}exit\ [\ 0-9]{8}[0-9]\ $ ]]
}

@test "format: -n: no title" {
	run rows -n -T 0 -c task-clock true
	[ "${#lines[@]}" -eq 1 ]
	[[ $output =~ exit ]]
}

@test "format: letters can be combined; words after -- or the command are arguments of the command" {
	run rows -nftv -T0 -ctask-clock -- "$PROG/act" args -n -f --help
	[ "$status" -eq 0 ]
	[ "$(cat "$T/stdout")" = "-n"$'\n'"-f"$'\n'"--help" ]
	run rows -T 0 -c task-clock "$PROG/act" args -n -v
	[ "$(cat "$T/stdout")" = "-n"$'\n'"-v" ]
	[ "${lines[0]}" = "   time lwp      event      pic0 " ]
}

@test "format: -v adds init_lwp and fini_lwp" {
	run rows -v -n -T 0 -c task-clock true
	[ "$(awk '{ print $3 }' <<< "$output" | paste -sd' ')" = "init_lwp fini_lwp exit" ]
	# With one LWP, the LWP's total is the process's total.
	[ "$(awk '$3 == "fini_lwp" { print $4 }' <<< "$output")" = "$(awk '$3 == "exit" { print $4 }' <<< "$output")" ]
	every_line "$row[a-z_]+ $count\$"
}

@test "format: without -v threads have lwp_create rows of zeros and lwp_exit rows" {
	run rows -n -T 0 -c task-clock "$PROG/oracle" seq 3
	# The rows of an LWP are in order; rows of other LWPs can lie between them.
	[ "$(awk '{ print $2 $3 }' <<< "$output" | sort -s -k1,1.1n | paste -sd' ')" = \
		"1exit 2lwp_create 2lwp_exit 3lwp_create 3lwp_exit 4lwp_create 4lwp_exit" ]
	[ "$(awk 'END { print $3 }' <<< "$output")" = exit ]
	[ "$(awk '$3 == "lwp_create" { print $4 }' <<< "$output" | sort -u)" = 0 ]
	[ "$(awk '$3 == "lwp_exit" && $4 > 0' <<< "$output" | wc -l)" -eq 3 ]
	every_line "$row[a-z_]+ $count\$"
}

@test "format: the exit row is the sum of all LWPs" {
	run rows -v -n -T 0 -c task-clock "$PROG/oracle" live 20
	awk '$3 == "fini_lwp" { s += $4 } $3 == "exit" { e = $4 } END { exit s != e || !e }' <<< "$output"
}

@test "format: ticks are differences, one for each LWP and interval" {
	run rows -n -T 0.05 -c task-clock "$PROG/act" spin 400
	[ "$(grep -c ' tick ' <<< "$output")" -ge 2 ]
	# No LWP runs longer than the time that passes; totals instead of differences would soon be longer. A tick's value may
	# be read later than its time, but not later than that of the next row.
	awk 's > $1 * 1.001e9 + 2e6 { bad = 1 } $3 == "tick" { s += $4 } $3 == "exit" { e = $4 }
		END { exit bad || !s || s > e }' <<< "$output"
}

@test "format: -T 0: no ticks" {
	run rows -n -T 0 -c task-clock "$PROG/act" spin 50
	[ "$status" -eq 0 ]
	[ "${#lines[@]}" -eq 1 ]
}

@test "format: the interval is 1 second where no -T is given" {
	run rows -n -c task-clock sleep 1.8
	# A tick can be late, but not early.
	awk '$3 == "tick" && !n++ { t = $1 } END { exit !n || t < 1 }' <<< "$output"
}

@test "format: -N ends after this many ticks, with status 0 and no total; the program runs on" {
	start "$T/out" "$CPUTRACK" -n -o "$T/rows" -T 0.02 -N 3 -c task-clock "$PROG/act" park
	tool=$!
	pid=$(ready_pid "$T/out")
	started+=("$pid")
	finish "$tool"
	# A missed tick counts as taken; the last one is not missed.
	[[ $(awk '{ print $3 }' "$T/rows" | sort | uniq -c | awk '{ print $1 $2 }') =~ ^[123]tick$ ]]
	until_true runs_freely "$pid"
	kill -USR1 "$pid"
	until_true has alive "$T/out"
}

# late_tick: run a program whose first row cannot be written before the time of its second tick is over, and check the
# note. The rows of another program, which starts later, tell when this is so. Succeeds if one tick was late, not more.
late_tick() {
	rm -f "$T/full" "$T/rows"
	full
	start "$T/out" "$CPUTRACK" -n -T 0.2 -o "$T/full" -c page-faults "$PROG/act" park
	local tool=$! pid other
	pid=$(ready_pid "$T/out")
	start "$T/other" "$CPUTRACK" -n -T 0.2 -o "$T/rows" -c page-faults "$PROG/act" park
	other=$(ready_pid "$T/other")
	started+=("$pid" "$other")
	until_true two_ticks
	drain
	kill -KILL "$pid" "$other"
	until_true is_gone "$tool"
	cat "$T/out.err"
	grep -Evq '^cputrack: (1 tick was skipped because it was|([2-9]|[1-9][0-9]+) ticks were skipped because they were) late$' \
		"$T/out.err" && wrong=1
	has ' 1 tick was skipped because it was late$' "$T/out.err"
}
two_ticks() { [ "$(grep -cs tick "$T/rows")" -ge 2 ]; }

# On a busy machine more than one tick can be late.
@test "format: the note about late ticks has the words for one tick, or for several" {
	local try wrong=0
	for try in {1..5}; do
		late_tick || continue
		break
	done
	[ "$wrong" -eq 0 ] || { echo "try $try"; false; }
}

@test "format: -N 0 is no limit; -T 0 makes -N meaningless" {
	run rows -n -T 0.02 -N 0 -c task-clock "$PROG/act" spin 100
	[[ $output == *exit* ]]
	run rows -n -T 0 -N 1 -c task-clock "$PROG/act" spin 50
	[ "${#lines[@]}" -eq 1 ]
	[[ $output == *exit* ]]
}

@test "format: two sets: rows end with the specification as typed, the title shows the first set" {
	run rows -T 0.02 -c task-clock,page-faults -c pic0=minor-faults "$PROG/act" spin 300
	[ "${lines[0]}" = "   time lwp      event      pic0      pic1 " ]
	output=$(tail -n +2 <<< "$output")
	every_line "$row(tick|exit) ($count$count # task-clock,page-faults|$count # pic0=minor-faults)\$"
	# The sets take turns, from the first.
	awk '$3 == "tick" && $NF != (n++ % 2 ? "pic0=minor-faults" : "task-clock,page-faults") { exit 1 }' <<< "$output"
	# A total for each set.
	[ "$(awk '$3 == "exit" { print $NF }' <<< "$output" | sort | paste -sd' ')" = \
		"pic0=minor-faults task-clock,page-faults" ]
}

@test "format: two sets and -T 0: there are no turns, both sets are counted all the time" {
	run rows -n --strict -T 0 -c page-faults -c task-clock true
	[ "$status" -eq 0 ]
	[ "${#lines[@]}" -eq 2 ]
	[[ ${lines[0]} == *" exit "*[1-9]*"  # page-faults" ]]
	[[ ${lines[1]} == *" exit "*[1-9]*"  # task-clock" ]]
	# One event in two sets gets one value.
	run rows -n -T 0 -c minor-faults -c page-faults,minor-faults "$PROG/act" spin 20
	[ "$(awk '{ print $(NF - 2) }' <<< "$output" | sort -u | wc -l)" -eq 1 ]
}

@test "format: two sets and a program that ends before the first tick: sets without counters are counted" {
	run rows -f -n --strict -T 1000 -c page-faults -c task-clock sh -c '(:); (:)'
	[ "$status" -eq 0 ]
	[ "$(awk '$4 == "exit" && $5 > 0' <<< "$output" | wc -l)" -eq 6 ]
}

@test "format: a set that some programs ended without: a note with their number, status 125 with --strict" {
	need_breakpoints
	local event
	event=$(hit_event oracle)
	# 20 programs end within one tick, and another runs for several.
	local many='for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do "$0/nop"; done; exec "$0/act" spin 1000'
	run bounded "$CPUTRACK" -e -f -n --strict -T 0.4 -c task-clock -c "$event" sh -c "$many" "$PROG"
	[ "$status" -eq 125 ]
	[[ $output =~ "set 1 ($event): not counted in "[1-9][0-9]*" processes or programs that ended before its turn; put events" ]]
}

@test "format: a set that never gets its turn: a row without a value, a note, status 125 with --strict" {
	need_breakpoints
	local event
	event=$(hit_event oracle)
	run "$CPUTRACK" -n -T 1000 -c task-clock -c "$event" "$PROG/oracle" one 5
	[ "$status" -eq 0 ]
	[[ $output == *" exit "*" -  # $event"* ]]
	[[ $output == *"set 1 ($event): never counted; put events of one set in one -c, separated by commas"* ]]
	run "$CPUTRACK" -n --strict -T 1000 -c task-clock -c "$event" "$PROG/oracle" one 5
	[ "$status" -eq 125 ]
	# With -T 0 it is counted.
	run "$CPUTRACK" -n --strict -T 0 -c task-clock -c "$event" "$PROG/oracle" one 5
	[ "$status" -eq 0 ]
	[[ $output =~ exit\ +[1-9][0-9]*\ \ \#\ mem: ]]
}

@test "format: the total of each of two sets is at least the sum of its own ticks" {
	run rows -n -T 0.02 -c task-clock -c page-faults "$PROG/act" spin 300
	awk '$3 == "tick" { s[$NF] += $4 } $3 == "exit" { e[$NF] = $4 }
		END { for (k in e) if (s[k] > e[k]) exit 1; exit !("task-clock" in e) }' <<< "$output"
	# Each set is counted for about half of the time: no value is scaled up to the whole time.
	awk '{ t = $1 } $3 == "exit" && $NF == "task-clock" { v = $4 } END { exit !v || v > 0.9e9 * t }' <<< "$output"
}

@test "format: fork without -f: one row, two empty cells, the child is not followed" {
	run rows -n -T 0 -c task-clock sh -c '/bin/true; :'
	[ "${#lines[@]}" -eq 2 ]
	[[ ${lines[0]} =~ ^\ {2}[0-9]\.[0-9]{3}\ {3}1\ {7}fork\ {21}\#\ [0-9]+$ ]]
	[[ ${lines[1]} == *" exit "* ]]
}

@test "format: fork with -f: the parent's pid, and the child's rows after it" {
	run rows -fe -n -T 0 -c task-clock sh -c '/bin/true; :'
	parent=$(awk 'NR == 1 { print $2 }' <<< "$output")
	[[ ${lines[0]} =~ ^\ {2}[0-9]\.[0-9]{3}\ [\ 0-9]{6}\ {3}1\ {7}fork\ {21}\#\ [0-9]+$ ]]
	child=${lines[0]##*# }
	[ "$(awk -v p="$child" '$2 == p { print $4 }' <<< "$output" | paste -sd' ')" = "exec exec exit" ]
	[ "$(awk -v p="$parent" '$2 == p { print $4 }' <<< "$output" | paste -sd' ')" = "fork exit" ]
}

@test "format: exec with -e: the totals of the old image, then the new command line" {
	run rows -e -n -T 0 -c task-clock,page-faults sh -c 'exec env true and more'
	[ "$(awk '{ print $3 }' <<< "$output" | paste -sd' ')" = "exec exec exec exec exit" ]
	[[ ${lines[0]} =~ ^\ {2}[0-9]\.[0-9]{3}\ {3}1\ {7}exec\ ([\ 0-9]{8}[0-9]\ ){2}$ ]]
	[[ ${lines[1]} =~ ^\ {2}[0-9]\.[0-9]{3}\ {3}1\ {7}exec\ {21}\#\ \'env\ true\ and\ more\'$ ]]
	[[ ${lines[3]} =~ \#\ \'(/[a-z/]*)?true\ and\ more\'$ ]]
}

@test "format: exec with -t has a blank tick in its second row" {
	run rows -e -t -n -T 0 -c task-clock sh -c 'exec true'
	[[ ${lines[1]} =~ ^\ {2}[0-9]\.[0-9]{3}\ {3}1\ {7}exec\ {31}\#\ \'true\'$ ]]
}

@test "format: fork with -t has a blank tick" {
	run rows -t -n -T 0 -c task-clock sh -c '/bin/true; :'
	[[ ${lines[0]} =~ ^\ {2}[0-9]\.[0-9]{3}\ {3}1\ {7}fork\ {31}\#\ [0-9]+$ ]]
}

@test "format: awk scripts for Solaris still work" {
	# cputrack -T 9999 -e -f -c EV CMD | awk '($4=="exit"){print $5}'
	run rows -T 9999 -e -f -c task-clock sh -c '/bin/true; :'
	awk '($4=="exit"){ if ($5 + 0 <= 0) exit 1; n++ } END { exit n != 2 }' <<< "$output"
	# grep lwp_exit | awk '$3>18 && $5>0 {print $3,$5,$6}'
	run rows -T 9999 -e -f -c task-clock,page-faults "$PROG/oracle" seq 20
	[ "$(grep lwp_exit <<< "$output" | awk '$3>18 && $5>0 {print $3,$5,$6}' | wc -l)" -eq 3 ]
	# -t: tick in column 4, then the counters; the first line is the title
	run rows -t -T 0.05 -c task-clock,page-faults "$PROG/act" spin 200
	awk 'NR != 1 { if ($4 + 0 <= 0 || NF != 6) exit 1 } END { exit NR < 2 }' <<< "$output"
}

@test "format: rows go to stdout without -o, and the program's own output too" {
	run "$CPUTRACK" -T 0 -c task-clock "$PROG/act" args hello
	[ "$status" -eq 0 ]
	[ "${lines[0]}" = "   time lwp      event      pic0 " ]
	[ "${lines[1]}" = hello ]
	[[ ${lines[2]} == *" exit "* ]]
}

@test "format: with -o only the program writes to stdout" {
	run rows -T 0 -c task-clock "$PROG/act" args hello
	[ "$(cat "$T/stdout")" = hello ]
}

@test "format: -h: usage, a blank line and the listing, on stdout" {
	"$CPUTRACK" -h > "$T/h" 2> "$T/err"
	[ ! -s "$T/err" ]
	[ "$(head -1 "$T/h")" = "Usage:" ]
	[ "$(sed -n 2p "$T/h")" = "$(printf '\tcputrack [-T secs] [-N count] [-Defhnvt] [-o file]')" ] ||
		sed -n 2p "$T/h" | grep -Eq "^	cputrack \[-T secs\] \[-N count\] \[-[Defhntv]+\] \[-o file\]"
	grep -q "^		\[-c events\] \[command \[args\] | -p pid\]" "$T/h"
	for o in T N D e f h n t v o c p; do
		grep -Eq "^	 *-$o" "$T/h"
	done
	# The headings in this order.
	grep -nE '^	(CPU performance counter interface: .+|event specification syntax:|\[picn=\]<eventn>\[,attr\[n\]\[=<val>\]\]\[,\[picn=\]<eventn>\[,attr\[n\]\[=<val>\]\],\.\.\.\]|Generic Events:|See generic_events\(3CPC\).*|Platform Specific Events:|attributes: .*nouser sys ?)$' \
		"$T/h" | cut -d: -f2 | sed 's/[ (].*//' > "$T/heads"
	[ "$(sed 's/^\t//' "$T/heads" | paste -sd' ')" = "CPU event [picn=]<eventn>[,attr[n][=<val>]][,[picn=]<eventn>[,attr[n][=<val>]],...] Generic See Platform attributes" ]
}

@test "format: -h: names begin in column 17 and stay before column 76" {
	"$CPUTRACK" -h | sed -n '/Generic Events:/,/attributes:/p' | expand > "$T/list"
	awk '/Events:$|attributes|See/ || NF == 0 || /^ +event/ { next }
		match($0, /[^ ]/) != 18 || (length($0) > 77 && NF > 1) { print; exit 1 }' "$T/list"
	grep -Eq '^        event(\[0-[0-9]+\]|[0-9]+): ' "$T/list"
}
