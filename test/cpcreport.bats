# cpcreport: shows files of records that the other commands have saved, and says what is wrong with others.

bats_require_minimum_version 1.5.0
load helper

setup() { cd "$T"; }

# bad TEXT OPTION...: status 2, nothing on stdout, TEXT on stderr.
bad() {
	local text=$1
	shift
	run --separate-stderr -2 "$CPCREPORT" "$@"
	[ -z "$output" ]
	[[ "$stderr" == *"cpcreport: $text"* ]] || { echo "$stderr"; return 1; }
}

# unread FILE TEXT: cpcreport says that it cannot read a file, and why: nothing on stdout, status 125.
unread() {
	run --separate-stderr -125 "$CPCREPORT" "$1"
	echo "$stderr"
	[ -z "$output" ]
	[ "$stderr" = "cpcreport: cannot read '$1': $2" ]
}

@test "cpcreport: repeated runs have the table that the command has printed, from cputrack and perfex" {
	"$CPUTRACK" --quiet --repeat=5 -c page-faults,task-clock --save=saved -o table ls / > /dev/null
	"$CPCREPORT" --quiet saved > report
	tail -n +3 report | diff table -
	[ "$(head -n 1 report)" = 'saved: ls /' ]
	sed -n 2p report | grep -Eq "^cputrack on $(hostname), 20[0-9-]+ [0-9:]+ UTC, counted by the kernel( on .*)?\$"
	"$PERFEX" --quiet --repeat=3 -e page-faults --save=saved -o table ls / > /dev/null
	"$CPCREPORT" --quiet < saved - > report
	tail -n +3 report | diff table -
	[ "$(head -n 1 report)" = 'standard input: ls /' ]
	grep -q '^perfex on ' report
}

@test "cpcreport: a comparison has the table that the command has printed" {
	local confidence
	for confidence in 95 99; do
		"$CPUTRACK" --quiet --repeat=10 --confidence=$confidence --vs=true --vs=false -c page-faults --save=saved -o table ls / > /dev/null
		"$CPCREPORT" saved | tail -n +3 | diff table -
	done
	grep -q '99 % interval' table
}

@test "cpcreport: what was simulated says how" {
	"$CPUTRACK" --engine=sim -n -T 0 -o try -c instructions true 2> /dev/null || skip 'the simulator is not built here'
	"$CPUTRACK" --quiet --reproducible --cpu=r10000 --repeat=3 -c INST_GRAD0 --save=saved -o table true
	run -0 "$CPCREPORT" saved
	[ "${lines[0]}" = 'saved: true' ]
	[ "${lines[1]}" = 'cputrack, simulated r10000, --reproducible=v2' ]
	[[ "${lines[4]}" == 'INST_GRAD0 '*'   same in 3 runs' ]]
}

@test "cpcreport: several files and runs of a file follow each other" {
	local n
	for n in 1 2 3; do
		"$CPUTRACK" --quiet --repeat=$n -c page-faults --save=saved$n -o table true
	done
	cat saved1 saved2 > both
	run -0 "$CPCREPORT" --quiet both saved3
	[ "$(grep -c '^both: true$' <<< "$output")" -eq 2 ]
	[ "$(grep -Ec '^[123] runs?: true$' <<< "$output")" -eq 3 ]
	# A blank line is between two runs, and lines of two runs can be mixed.
	[ "$("$CPCREPORT" --quiet both saved3 | grep -c '^$')" -eq 2 ]
	paste -d '\n' saved1 saved2 > mixed
	diff <("$CPCREPORT" both) <("$CPCREPORT" mixed | sed 's/^mixed/both/')
}

@test "cpcreport: a run without its last record is shown, and --strict does not accept it" {
	"$CPUTRACK" --quiet --repeat=3 -c page-faults --save=saved -o table true
	grep -v '"record":"end"' saved > killed
	run -0 "$CPCREPORT" killed
	[ "${lines[-1]}" = 'incomplete: the run has no last record; it was killed, or goes on' ]
	run -125 "$CPCREPORT" --strict killed
	run -0 "$CPCREPORT" --strict saved
}

@test "cpcreport: malformed files are reported with the line, and other files are shown" {
	"$CPUTRACK" --quiet --repeat=3 -c page-faults --save=saved -o table true
	unread none 'No such file or directory'
	unread . 'Is a directory'
	: > empty
	unread empty 'it has no records'
	printf 'time,value\n' > rows
	unread rows "line 1 is not a record, which begins with '{'; --format=json and --save write records"
	unread /dev/zero "line 1 is not a record, which begins with '{'; --format=json and --save write records"
	sed 's/"schema":2/"schema":3/' saved > later
	unread later 'line 1 is a record of schema 3; this version reads records up to schema 2'
	sed '2s/"values":\[/"values":[-1,/' saved > malformed
	unread malformed 'line 2: the record is malformed'
	sed '1s/"tool":"cputrack",//' saved > malformed
	unread malformed 'line 1: the record is malformed'
	# What comes before is shown, and so are the other files.
	head -c -20 saved > cut
	run --separate-stderr -125 "$CPCREPORT" cut saved
	[ "$stderr" = "cpcreport: cannot read 'cut': line 3 is cut off: the file ends in the middle of it" ]
	[ "$(grep -c '^3 runs: true$' <<< "$output")" -eq 2 ]
	# Lines may end as on Windows, and blank lines do not count.
	sed 's/$/\r/' saved > windows
	diff <("$CPCREPORT" saved | tail -n +2) <(printf '\n' | cat - windows | "$CPCREPORT" - | tail -n +2)
}

@test "cpcreport: comparisons of series that do not fit are malformed" {
	"$CPUTRACK" --quiet --repeat=3 --vs=true -c page-faults --save=saved -o table true
	local edit
	for edit in '4s/"reference":0/"reference":7/' '4s/"candidate":1/"candidate":-1/' '3s/"page-faults"/"major-faults"/' \
		'3s/"values":\[[0-9]*,/"values":[/g'; do
		sed "$edit" saved > edited
		run --separate-stderr -125 "$CPCREPORT" edited
		[ "$stderr" = "cpcreport: cannot read 'edited': line 4: the record is malformed" ] || { echo "$edit: $stderr"; return 1; }
		[ "$(grep -c '^[23] runs: true$' <<< "$output")" -eq 2 ]
	done
}

@test "cpcreport: a file that only others may read" {
	[ "$(id -u)" -eq 0 ] && command -v setpriv > /dev/null || skip 'needs root'
	public_dir
	"$CPUTRACK" --quiet --repeat=3 -c page-faults --save="$D/saved" -o table true
	cp "$CPCREPORT" "$D"
	chmod 600 "$D/saved"
	run --separate-stderr -125 as_nobody "$D/cpcreport" "$D/saved"
	[ "$stderr" = "cpcreport: cannot read '$D/saved': Permission denied" ]
	chmod 644 "$D/saved"
	run -0 as_nobody "$D/cpcreport" "$D/saved"
}

@test "cpcreport: -o writes a file; a reader may go away, and a full disk is an error" {
	"$CPUTRACK" --quiet --repeat=3 -c page-faults --save=saved -o table true
	"$CPCREPORT" -o report saved
	diff <("$CPCREPORT" saved) report
	local n
	for n in $(seq 200); do cat saved; done > many
	bash -c 'set -o pipefail; "$0" --quiet many | head -n 1' "$CPCREPORT"
	run --separate-stderr -125 "$CPCREPORT" -o no/such saved
	[ "$stderr" = "cpcreport: cannot open 'no/such' for writing: No such file or directory" ]
	if [ -c /dev/full ]; then
		run --separate-stderr -125 bash -c '"$0" saved > /dev/full' "$CPCREPORT"
		[ "$stderr" = 'cpcreport: cannot write to standard output: No space left on device' ]
		run --separate-stderr -125 "$CPCREPORT" -o /dev/full saved
		[ "$stderr" = 'cpcreport: cannot write to /dev/full: No space left on device' ]
	fi
}

@test "cpcreport: the memory does not depend on the number of records" {
	plain_build 'the memory is that of the build'
	"$CPUTRACK" --quiet --repeat=3 -c page-faults --save=saved -o table true
	local n
	for n in $(seq 100); do cat saved; done > some
	for n in $(seq 50); do cat some; done > many
	peak() { python3 -c 'import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)' "$CPCREPORT" --quiet "$1"; }
	[ "$(peak many)" -le $(($(peak saved) + 512)) ]
}

@test "cpcreport: terminals get no control characters from a file" {
	"$CPUTRACK" --quiet --repeat=3 -c page-faults --save=saved -o table true
	sed 's/"true"/"\\u001b[31mtrue\\u0007"/g; s/"page-faults"/"page\\u001bfaults"/g' saved > colour
	run -0 "$CPCREPORT" --quiet colour
	[ "${lines[0]}" = 'colour: ?[31mtrue?' ]
	lacks $'\e' <(echo "$output")
}

@test "cpcreport: bad use" {
	bad 'give the name of a file that --save or --format=json has written'
	bad "--format: 'page' is not " --format=page x
	bad "invalid option -- 'Z'" -Z x
	run -0 "$CPCREPORT" --version
	[[ "$output" == 'cpcreport (OpenCPC) '* ]]
}
