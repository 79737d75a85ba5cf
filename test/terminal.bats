# Names from outside with commands to a terminal: no message and no row passes them on.

bats_require_minimum_version 1.5.0
load helper

# ESC sequences, C1 control characters as bytes and as UTF-8, DEL, a line break, a letter outside of ASCII, and
# bytes that are not UTF-8.
nasty=$'\e]0;x\a\x9b31m\xc2\x9bA\x7f\nB\xc3\xa9\xff'
shown='?]0;x??31m?A??Bé?'

# Fails unless each character of $1 is printable ASCII, a line break, a tab or é.
printable() {
	local rest
	rest=$(printf %s "$1" | LC_ALL=C tr -d '\n\t\040-\176')
	[ -z "${rest//é/}" ] || { printf %s "$1" | od -c >&2; return 1; }
}
# says STATUS TEXT CMD...: run CMD; it ends with STATUS, and its output is printable and contains TEXT.
says() {
	local status_wanted=$1 text=$2
	shift 2
	run "-$status_wanted" bounded "$@"
	printable "$output" && [[ $output == *"$text"* ]]
}

@test "terminal: the name of another tracer" {
	ln -s "$CPUTRACK" "$T/$nasty"
	start "$T/park" "$PROG/act" park
	pid=$(ready_pid "$T/park")
	start "$T/out" "$T/$nasty" -T 0 -c task-clock -p "$pid"
	until_true traced "$pid"
	says 125 "already being traced by '?]0;x??31m?A?" "$CPUTRACK" -c task-clock -p "$pid"
}

@test "terminal: the name of the command, of options and of events" {
	ln -s "$CPUTRACK" "$T/$nasty"
	says 2 "$shown: bad token '$shown' (column 1)" "$T/$nasty" -c "$nasty" true
	says 2 "unrecognized option '--$shown'" "$CPUTRACK" "--$nasty"
	says 2 'invalid option -- '"'?'" "$CPUTRACK" $'-\x9b'
	says 2 'invalid option -- '"'?'" "$CPUTRACK" -é
	for cmd in "$CPUTRACK" "$CPUSTAT" "$PERFEX"; do
		says 125 "'$shown'" "$cmd" --list="$nasty"
		says 2 "'$shown'" "$cmd" --cpu="$nasty" --list
		says 2 "'$shown'" "$cmd" "--format=$nasty"
	done
	says 2 "'$shown'" env CPC_ENGINE="$nasty" "$CPUTRACK" -c task-clock true
	says 2 "bad token '$shown'" "$PERFEX" -e "$nasty" true
	says 125 "$shown'" "$CPUSTAT" -I "$T/$nasty"
	says 2 "'$shown'" "$CPUSTAT" -c page-faults -k "$nasty" 1 1
}

@test "terminal: the mistake in a specification is marked behind letters outside of ASCII" {
	run bounded "$CPUTRACK" -c 'mem:é,é/a,nosuch' true
	[[ $output == *$'\n\tmem:é,é/a,nosuch\n\t       ^\n'* ]]
}

@test "terminal: programs that cannot be started, in both engines" {
	says 127 "program '$T/$shown'" "$CPUTRACK" -c task-clock "$T/$nasty"
	says 127 "'$T/$shown'" "$PERFEX" -e task-clock "$T/$nasty"
	says 127 "'$T/$shown'" "$CPUTRACK" --engine=sim -c insn "$T/$nasty"
	says 125 "'$T/$shown/x'" "$CPUTRACK" -o "$T/$nasty/x" -c task-clock true
}

@test "terminal: command lines in rows of text, CSV and JSON" {
	exec=(-T 0 -e -c task-clock sh -c 'exec env true "$1"' sh "$nasty")
	says 0 "# 'true $shown'" "$CPUTRACK" "${exec[@]}"
	run bounded "$CPUTRACK" --format=csv "${exec[@]}"
	printable "${output//$'\xef\xbf\xbd'/}"
	[[ $output == *$',true ?]0;x?\xef\xbf\xbd31m?A??Bé\xef\xbf\xbd'* ]]
	run bounded "$CPUTRACK" --format=json "${exec[@]}"
	printable "${output//$'\xef\xbf\xbd'/}"
	[[ $output == *$'"true \\u001b]0;x\\u0007\xef\xbf\xbd31m\\u009bA\\u007f\\u000aBé\xef\xbf\xbd"'* ]]
}

@test "terminal: the command in a report of perfex" {
	ln -s /bin/true "$T/$nasty"
	says 0 "Summary for execution of $T/$shown" "$PERFEX" -y -a "$T/$nasty"
	run bounded "$PERFEX" --format=json -e task-clock "$T/$nasty"
	printable "${output//$'\xef\xbf\xbd'/}"
	[[ $output == *'\u009bA\u007f\u000aB'* ]]
}
