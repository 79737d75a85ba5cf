# Refusals: one message with the reason, and the status that it deserves.

bats_require_minimum_version 1.5.0
load helper

# refuses STATUS TEXT CMD...: run CMD; it ends with STATUS and prints TEXT alone, after its name.
refuses() {
	local wanted=$1 text=$2
	shift 2
	run "-$wanted" bounded "$@"
	[ "$output" = "$(basename "$1"): $text" ] || { printf '%s\n' "$output" >&2; return 1; }
}

# misuse TEXT CMD...: run CMD; it ends with status 2, and its first line is TEXT.
misuse() {
	local text=$1
	shift
	run -2 bounded "$@"
	[ "${lines[0]}" = "$(basename "$1"): $text" ] || { printf '%s\n' "$output" >&2; return 1; }
}

@test "refusals: a specification without an event" {
	for spec in '' nouser sys nouser0,sys; do
		misuse "the specification '$spec' names no event" "$CPUTRACK" -c "$spec" touch "$T/ran"
		misuse "the specification '$spec' names no event" "$CPUTRACK" -c page-faults -c "$spec" touch "$T/ran"
		misuse "the specification '$spec' names no event" "$CPUSTAT" -c "$spec" 1 1
	done
	misuse "the specification '' names no event" "$CPUTRACK" --cpu=us3 -c '' touch "$T/ran"
	misuse "the specification 'sys' names no event" "$CPUTRACK" --engine=sim -c sys touch "$T/ran"
	misuse "the specification 'nouser' names no event" "$PERFEX" -e nouser touch "$T/ran"
	[ ! -e "$T/ran" ]
}

@test "refusals: programs that cannot be executed" {
	mkdir "$T/dir"
	echo text > "$T/plain"
	printf '#!/no/such/sh\n' > "$T/lost"
	chmod +x "$T/lost"
	head -c 3000 "$PROG/nop" > "$T/short"
	chmod +x "$T/short"
	cd "$T"
	track=("$CPUTRACK" --tracker=ptrace -T 0 -c page-faults) px=("$PERFEX" -e page-faults) mp=("$PERFEX" -mp --tracker=ptrace -e page-faults)
	for cmd in track px mp; do
		local -n words=$cmd
		local verb="cannot execute program"
		[ "$cmd" != px ] || verb="cannot execute"
		refuses 126 "$verb './plain': Permission denied" "${words[@]}" ./plain
		refuses 126 "$verb './dir': Is a directory" "${words[@]}" ./dir
		refuses 127 "$verb './lost': its interpreter '/no/such/sh' does not exist" "${words[@]}" ./lost
	done
	refuses 127 "cannot find program './nosuch'" "${track[@]}" ./nosuch
	refuses 127 "cannot find program './nosuch'" "${mp[@]}" ./nosuch
	refuses 127 "cannot execute './nosuch': No such file or directory" "${px[@]}" ./nosuch
	refuses 126 "cannot execute program './short': signal 11 killed it before it began; its file may be damaged" \
		"${track[@]}" ./short
}

@test "refusals: a folder in PATH that may not be searched hides no missing program" {
	mkdir "$T/closed"
	chmod 0 "$T/closed"
	local user=()
	[ "$(id -u)" -ne 0 ] || user=(setpriv --reuid=65534 --regid=65534 --clear-groups)
	local dir=$BATS_TEST_TMPDIR
	"${user[@]}" test -x "$CPUTRACK" || skip "another user cannot run cputrack"
	run -127 bounded "${user[@]}" env PATH="$dir/closed:$PATH" "$CPUTRACK" -c page-faults no-such-program
	[ "$output" = "cputrack: cannot find program 'no-such-program'" ]
	run -127 bounded "${user[@]}" env PATH="$dir/closed:$PATH" "$PERFEX" -e page-faults no-such-program
	[ "$output" = "perfex: cannot execute 'no-such-program': No such file or directory" ]
}

@test "refusals: no descriptor for the counters" {
	run -125 bounded sh -c 'ulimit -n 12; exec "$@"' - "$CPUTRACK" -T 0 -c "$(printf 'page-faults,%.0s' {1..12})" true
	[ "${#lines[@]}" -eq 1 ]
	[[ $output == "cputrack: page-faults: "*" of 12 file descriptors are open and one more LWP needs 12; raise the limit"* ]]
	run -125 bounded sh -c 'ulimit -n 12; exec "$@"' - "$PERFEX" $(printf -- '-e page-faults %.0s' {1..12}) true
	[ "${#lines[@]}" -eq 1 ]
	[[ $output == "perfex: page-faults: "* ]]
}

@test "refusals: 256 events can be counted, and one more is too many, in either engine" {
	ulimit -n 1000 2> /dev/null || skip "needs 1000 descriptors"
	engines=("kernel page-faults")
	[ ! -x "$(dirname "$CPUTRACK")/../sim/cpcsim-launch" ] || engines+=("sim insn")
	for engine in "${engines[@]}"; do
		local event=${engine#* } only=--engine=${engine% *} many
		many=$(printf "$event,%.0s" {1..255})
		for engine in "$only" --engine=auto; do
			run -0 --separate-stderr bounded "$CPUTRACK" "$engine" -n -T 0 -c "$many$event" "$PROG/nop"
			# Every event has the same value, and the simulation's is that of the event alone.
			[ "$(awk '{ print NF }' <<< "$output")" -eq 259 ]
			[ "$(tr -s ' ' '\n' <<< "$output" | sed '1,4d' | sort -u | wc -l)" -eq 1 ]
		done
		misuse "bad token '$event'; all 256 counters are in use (column $((${#many} + ${#event} + 2)))" \
			"$CPUTRACK" -T 0 "$only" -c "$many$event,$event" touch "$T/ran"
	done
	misuse "bad token 'pic256=page-faults'; counters are numbered from 0 to 255 (column 1)" \
		"$CPUTRACK" -c pic256=page-faults touch "$T/ran"
	run -0 bounded "$CPUTRACK" -T 0 -c pic255=page-faults,nouser255,pic64=page-faults "$PROG/nop"
	[[ ${lines[0]} == *"     pic64    pic255" ]]
	[ ! -e "$T/ran" ]
}
