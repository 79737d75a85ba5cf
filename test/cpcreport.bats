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

# record OPTION...: let cpustat write samples to the file saved.
record() {
	"$CPUSTAT" -O saved -n "$@" > rows
}

# total FILE SCOPE EVENT: print the sum of the totals of an event in a file of records.
total() { jq -s --arg scope "$2" --arg name "$3" '[.[] | select(.record == "total" and .scope == $scope) | .values[] | select(.name == $name) | .value] | add' "$1"; }

@test "cpcreport: a recording of processes has a summary and what each process has counted" {
	"$CPUTRACK" -ef -T 0.05 -c page-faults,task-clock --format=json -o run sh -c 'ls / > /dev/null; exec sh -c "sleep 0.12; exit 3"' || [ $? -eq 3 ]
	run -0 "$CPCREPORT" run
	[ "${lines[0]}" = 'run: sh -c ls / > /dev/null; exec sh -c "sleep 0.12; exit 3"' ]
	[[ "${lines[1]}" == "cputrack on "*", counted by the kernel"* ]]
	[[ "${lines[2]}" =~ ^\ +([0-9]+)\ +page-faults\ .*\ exact ]]
	[ "${BASH_REMATCH[1]}" -eq "$(total run process page-faults)" ]
	[[ "${lines[3]}" =~ ^\ +[0-9.]+\ ms\ task-clock ]]
	[[ "${lines[5]}" == '     ended with status 3: sh -c '* ]]
	[[ "${lines[6]}" =~ ^'   process  name               page-faults  task-clock'$ ]]
	[ "$(sed -n '/^   process/,$p' <<< "$output" | grep -c ' ms$')" -eq "$(jq -s '[.[] | select(.record == "total") | .pid] | unique | length' run)" ]
	[ "$(sed '1,/^   process/d' <<< "$output" | awk '{ s += $3 } END { print s }')" -eq "$(total run process page-faults)" ]
}

@test "cpcreport: --chart draws the samples as the command that measured" {
	need_cpus
	record -c page-faults,task-clock 0.02 5
	for locale in C C.UTF-8; do
		LC_ALL=$locale "$CPUSTAT" -I saved --chart > want
		LC_ALL=$locale "$CPCREPORT" --chart saved | tail -n +4 | diff want -
	done
	run -2 "$CPCREPORT" --chart --format=csv saved
	[[ "${lines[0]}" == *'--chart is text for people, and --format=csv is for programs; choose one of them' ]]
	# Without samples there is nothing to draw.
	"$CPUTRACK" -T 0 -c page-faults --format=json -o totals true
	run -0 "$CPCREPORT" --chart totals
	[ "${lines[0]}" = 'totals: true' ]
}

@test "cpcreport: a recording of CPUs has a summary and what each CPU has counted" {
	need_cpus
	"$CPUSTAT" -c page-faults,context-switches --format=json 0.02 5 > saved
	run -0 "$CPCREPORT" saved
	[ "${lines[0]}" = saved ]
	[[ "${lines[1]}" == 'cpustat on '* ]]
	[[ "${lines[2]}" =~ ^\ +([0-9]+)\ +page-faults\  ]]
	[ "${BASH_REMATCH[1]}" -eq "$(total saved all page-faults)" ]
	[[ "${lines[5]}" =~ ^'     '([0-9]+)' CPU' ]]
	local n=${BASH_REMATCH[1]}
	[ "$n" -eq 1 ] || [ "$(grep -Ec '^ +[0-9]+ +[0-9]+ +[0-9]+$' <<< "$output")" -eq "$n" ]
}

@test "cpcreport: CSV has the rows as the commands that measure print them" {
	"$CPUTRACK" -f -T 0.05 -t -c page-faults -c task-clock --format=json -o run sh -c 'sleep 0.12; true'
	"$CPCREPORT" --format=csv run > csv
	[ "$(head -n 1 csv)" = "$("$CPUTRACK" -T 0 -c page-faults --format=csv true | head -n 1)" ]
	jq -r --arg host "$(hostname)" 'select(.values) | . as $r | .values[] |
		[($r.time_ns / 1e9 * 1e9 | round), $r.pid, $r.lwp, $r.tid, $r.what, $r.set, $r.tsc, .pic, .name, .value, .count, .enabled_ns, .running_ns,
		.class, $host, .mode, $r.name] | map(. // "" | tostring) | join(",")' run > want
	awk -F, -v OFS=, 'NR > 1 && $6 != "" { sub(/\./, "", $1); print $1 + 0, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $18, $20, $21 }' csv | diff want -
	grep -q '^[0-9.]*,[0-9]*,1,[0-9]*,fork,,' csv
	need_cpus
	record -c page-faults 0.02 3
	"$CPUSTAT" -t -I saved --format=csv > want
	"$CPCREPORT" --format=csv saved | diff want -
	# An empty line and another title are between rows of programs and of CPUs.
	"$CPCREPORT" --format=csv run saved run > csv
	[ "$(grep -c '^time_s,' csv)" -eq 3 ]
	[ "$(grep -c '^$' csv)" -eq 2 ]
	"$CPCREPORT" --format=csv run run > csv
	[ "$(grep -c '^time_s,' csv)" -eq 1 ]
}

@test "cpcreport: CSV of repeated runs is what the command prints" {
	"$CPUTRACK" --quiet --repeat=4 -c page-faults --save=single --format=csv -o want true
	"$CPCREPORT" --format=csv single | diff want -
	"$CPUTRACK" --quiet --repeat=6 --vs=true --vs='ls /' -c page-faults --save=pairs --format=csv -o want ls / > /dev/null
	"$CPCREPORT" --format=csv pairs | diff want -
}

@test "cpcreport: JSON has the records of all files" {
	"$CPUTRACK" -T 0 -c page-faults --format=json -o run true
	"$CPUTRACK" --quiet --repeat=3 -c page-faults --save=saved -o table true
	"$CPCREPORT" --format=json run saved | diff <(cat run saved) -
	printf '\n' | cat - <(sed 's/$/\r/' run) saved | "$CPCREPORT" --format=json - | diff <(cat run saved) -
}

@test "cpcreport: perfex has statistics, and files of threads of their own" {
	"$PERFEX" -mp -e page-faults -o report --format=json sh -c 'true & wait'
	run -0 "$CPCREPORT" report report.*
	[ "${lines[0]}" = 'report: sh -c true & wait' ]
	[ "$(grep -c '^records of the run .*, whose first record is in another file$' <<< "$output")" -eq 2 ]
	lacks incomplete <(echo "$output")
	[ "$(awk '$2 == "page-faults" { print $1 }' <<< "$output" | sort -n | tail -n 1)" -eq "$(total report tree page-faults)" ]
	"$CPUTRACK" --engine=sim -n -T 0 -o try -c instructions true 2> /dev/null || skip 'the simulator is not built here'
	"$PERFEX" --quiet -y -e 0 -e 17 --format=json -o costs true
	run -0 "$CPCREPORT" costs
	grep -Eq '^ +[0-9.]+    Graduated instructions/cycle +estimated$' <<< "$output"
	[ "$("$CPCREPORT" --format=csv costs | wc -l)" -eq 3 ]
}

@test "cpcreport: the warnings of a run are shown as they were found" {
	"$CPUTRACK" --quiet --repeat=7 --vs=true -c page-faults --save=pairs -o table ls / > /dev/null
	# The run has found all that is known: other values have no warnings, and later versions may have others.
	local found='[{"id": "shared", "event": null}, {"id": "too few", "event": null}, {"id": "steal", "event": null},
		{"id": "drift", "event": "page-faults"}, {"id": "drift", "event": "another"}, {"id": "later", "event": null}]'
	jq -c "if .record == \"series\" and .series == 1 then .warnings = $found elif .record == \"series\" then .warnings = [] else . end" pairs > changed
	run -0 --separate-stderr "$CPCREPORT" changed
	diff <(echo "$stderr") - <<-'END'
		cpcreport: ls /: the command waited for a CPU in a tenth of the runs or more: other programs compute at the same time
		cpcreport: ls /: the host of this virtual machine took processor time: times vary with it
		cpcreport: ls /: page-faults: the values drift from the first run to the last
	END
	"$CPUTRACK" --quiet --confidence=99 --repeat=7 -c page-faults --save=single -o table ls / > /dev/null
	jq -c 'if .record == "series" then .warnings = [{"id": "seed", "event": "page-faults"}] + (.warnings | map(select(.id == "too few"))) else . end' single > changed
	run -0 --separate-stderr "$CPCREPORT" changed
	diff <(echo "$stderr") - <<-'END'
		cpcreport: page-faults: the counts differ in each run, as with a random seed for hashes; --reproducible fixes it
		cpcreport: 7 runs are too few to tell what varies: it takes 8
	END
}

@test "cpcreport: large counts are kept, and values that are not there are not 0" {
	"$CPUTRACK" -T 0 -c page-faults --format=json -o run true
	sed 's/"value":[0-9]*,"count":[0-9]*/"value":18446744073709551615,"count":18446744073709551615/' run > large
	"$CPCREPORT" --format=csv large | grep -q ',page-faults,18446744073709551615,18446744073709551615,'
	sed 's/"value":[0-9]*,"count":[0-9]*/"value":null,"count":null/; s/"class":"exact"/"class":"unavailable"/' run > none
	"$CPCREPORT" --format=csv none | grep -q ',page-faults,,,'
	"$CPCREPORT" none | grep -Eq '^ +-    page-faults +not counted$'
}

@test "cpcreport: rows that do not fit their run are malformed" {
	"$CPUTRACK" -T 0 -c page-faults --format=json -o run true
	local edit
	for edit in '2s/"set":0/"set":1/' '2s/"set":0/"set":-1/' '2s/"values":\[/"values":[{},/' '2s/"scope":"process"/"scope":"planet"/' \
		'2s/"pid":[0-9]*/"pid":0/' '2s/"time_ns":[0-9]*/"time_ns":-1/' '2s/"what":"exit"/"what":7/' '2s/"value":[0-9]*/"value":1.5/' \
		'2s/"enabled_ns":[0-9]*/"enabled_ns":null/'; do
		sed "$edit" run > edited
		cmp -s run edited && { echo "$edit changes nothing"; return 1; }
		run --separate-stderr -125 "$CPCREPORT" edited
		[ "$stderr" = "cpcreport: cannot read 'edited': line 2: the record is malformed" ] || { echo "$edit: $stderr"; return 1; }
	done
	grep -v '"record":"total"' run > nothing
	unread nothing 'its records have no counts'
}

@test "cpcreport: fields of series, functions and statistics that are missing or malformed" {
	cat > made <<-'END'
		{"schema":2,"record":"run","run":"x","tool":"perfex","engine":"sim","model":"m","sets":[]}
		{"schema":2,"record":"series","run":"x","series":0,"command":"true","events":[{"name":"e","kind":"count","class":"simulated","values":[5,5,5]}]}
		{"schema":2,"record":"function","run":"x","series":0,"function":"f","module":null,"source":null,"counts":[5]}
		{"schema":2,"record":"statistic","run":"x","time_ns":1,"unix_ns":1,"scope":"tree","pid":9,"name":"traffic","unit":"MB/s","value":1.5,"class":"estimated","of":["e"]}
		{"schema":2,"record":"later","run":"x"}
		{"schema":2,"record":"end","run":"x"}
	END
	run -0 "$CPCREPORT" made
	grep -Eq '^e +5   same in 3 runs$' <<< "$output"
	grep -Eq '^ +1\.500000    traffic MB/s +estimated$' <<< "$output"
	# A series without a number is the first one.
	cp made first
	sed -i '2s/"series":0,//' first
	"$CPCREPORT" first | diff - <("$CPCREPORT" made | sed 's/^made$/first/')
	local edit
	for edit in '1s/"sets":\[\]/"sets":[{}]/' '1s/"sets":\[\]/"sets":[{"requests":[{}]}]/' \
		'2s/"name":"e",//' '2s/"kind":"count",//' '2s/"command":"true",//' '2s/"events":.*/"events":[]}/' '2s/5,5,5/5,"5",5/' \
		'3s/"function":"f",//' '3s/\[5\]/[5,6]/' '3s/\[5\]/["5"]/' '3s/"series":0/"series":7/' \
		'4s/"name":"traffic",//' '4s/1.5/1e12/' '4s/"unit":"MB.s",//' '4s/\["e"\]/[7]/' '4s/"time_ns":1,//' '4s/"pid":9,//'; do
		sed "$edit" made > edited
		cmp -s made edited && { echo "$edit changes nothing"; return 1; }
		run --separate-stderr -125 "$CPCREPORT" edited
		[ "$stderr" = "cpcreport: cannot read 'edited': line ${edit%%s*}: the record is malformed" ] || { echo "$edit: $stderr"; return 1; }
	done
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

@test "cpcreport: a signal that has ended the command is not one that has ended the measurement" {
	local options
	for options in '-T 0' --summary; do
		# shellcheck disable=SC2086 # options
		run -137 "$CPUTRACK" $options -c page-faults --format=json -o killed sh -c 'kill -KILL $$'
		jq -se '.[-1] | .command_status == null and .command_signal == 9 and .signal == 9' killed
		run -0 "$CPCREPORT" killed
		[ "${lines[-1]}" = '     ended by signal 9 (SIGKILL): sh -c kill -KILL $$' ]
	done
	# The process of -p lives longer than its measurement.
	start process sleep 100
	until_true has sleep "/proc/$!/comm"
	start stopped "$CPUTRACK" -T 0.01 -c page-faults --format=json -o stopped -p "$!"
	until_true has '"tick"' stopped
	stop_by INT "$!"
	run -0 "$CPCREPORT" stopped
	[ "${lines[-1]}" = '     measurement ended by signal 2 (SIGINT)' ]
	# Files of earlier versions do not have the signal of the command.
	sed -i 's/,"command_signal":[0-9]*//' killed
	run -0 "$CPCREPORT" killed
	[ "${lines[-1]}" = '     ended by signal 9 (SIGKILL): sh -c kill -KILL $$' ]
}

@test "cpcreport: the rank of a run is in CSV, and runs that are open at the end of a file are all shown" {
	OMPI_COMM_WORLD_RANK=3 OMPI_COMM_WORLD_SIZE=4 "$CPUTRACK" -T 0 -c page-faults --format=json -o ranked.%r true
	[ "$("$CPCREPORT" --format=csv ranked.3 | awk -F, '{ print $19 }' | tr '\n' ' ')" = 'rank 3 ' ]
	sed 's/"value":[0-9]*,"count":[0-9]*/"value":null,"count":null/; s/"class":"exact"/"class":"unavailable"/' ranked.3 > none
	"$CPCREPORT" --format=html -o page none
	local n
	for n in 3 4; do
		"$CPUTRACK" --quiet --repeat=$n -c page-faults --save=saved$n -o table true
	done
	paste -d '\n' saved3 saved4 | grep -v '"record":"end"' > open
	run -0 "$CPCREPORT" --quiet open
	[ "$(grep -x '[34] runs: true\|incomplete: .*' <<< "$output" | cut -c 1-10 | tr '\n' ' ')" = '3 runs: tr incomplete 4 runs: tr incomplete ' ]
	run -0 "$CPCREPORT" --quiet --format=markdown open
	[ "$(grep -cx 'incomplete: the runs were ended early' <<< "$output")" -eq 2 ]
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
	run --separate-stderr -125 "$CPCREPORT" --quiet cut saved
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
		run --separate-stderr -125 "$CPCREPORT" --quiet edited
		[ "$stderr" = "cpcreport: cannot read 'edited': line 4: the record is malformed" ] || { echo "$edit: $stderr"; return 1; }
		[ "$(grep -c '^[23] runs: true$' <<< "$output")" -eq 2 ]
	done
	# A second series of the same number, with fewer events, is not what was compared.
	awk 'NR == 5 { print saved } { print } NR == 3 { sub(/"events":.*/, "\"events\":[{\"name\":\"elapsed\",\"kind\":\"noisy\",\"values\":[1,2,3]}]}"); saved = $0 }' \
		saved > edited
	for edit in --format=text --limit=elapsed=2%; do
		run --separate-stderr -125 "$CPCREPORT" --quiet "$edit" edited
		[[ "$stderr" == *"cpcreport: cannot read 'edited': line 5: the record is malformed" ]] || { echo "$edit: $stderr"; return 1; }
	done
	# No more comparisons are read than commands can be given.
	awk 'NR == 4 { for (i = 0; i < 1000; i++) print } { print }' saved > edited
	run --separate-stderr -125 "$CPCREPORT" --quiet -o out edited
	[ "$stderr" = "cpcreport: cannot read 'edited': line 1004: the record is malformed" ]
}

# need_sim: skip the test if programs cannot be simulated here; make the program loops.
need_sim() {
	[ "$(uname -m)" = x86_64 ] || skip 'the program is of x86-64'
	"$CPUTRACK" --engine=sim -n -T 0 -o try -c instructions true 2> /dev/null || skip 'the simulator is not built here'
	loops 1000 loops
}
sim() { "$CPUTRACK" --quiet --engine=sim --repeat=3 -c instructions,branches "$@"; }

@test "cpcreport: --baseline and --limit judge as the command that measures" {
	need_sim
	local status=0
	sim --save=old.json -o table ./loops
	cp loops same
	loops 1030 loops
	sim --baseline=old.json --limit=instructions=2%,branches=4% --save=new.json -o table ./loops || status=$?
	[ "$status" -eq 3 ]
	run -3 "$CPCREPORT" --quiet --baseline=old.json --limit=instructions=2%,branches=4% new.json
	tail -n +3 <<< "$output" | diff table -
	grep -Eq '^instructions \(user\) +2004 +2064 +\+2\.99 %   exact +more$' table
	grep -qx 'FAIL   instructions  +2.99 %  limit 2 %   2064 was 2004' table
	run -0 "$CPCREPORT" --quiet --baseline=old.json --limit=instructions=3% new.json
	# One file that fails suffices, in any format.
	run -3 "$CPCREPORT" --quiet --baseline=old.json --limit=instructions=2% --format=csv new.json old.json
	# The limits that the run itself has judged are in its file.
	run -0 "$CPCREPORT" new.json
	[[ "$output" == *$'\ngate of the run against old.json\nFAIL   instructions  limit 2 %\nok     branches  limit 4 %' ]]
	# A note says what else has changed; limits are there to judge another program.
	run -0 --separate-stderr "$CPCREPORT" --baseline=old.json new.json
	[[ "$stderr" == *"cpcreport: the file of the program is not that of 'old.json'"* ]]
}

@test "cpcreport: the comparison with saved runs and the limits are in CSV and Markdown, as the command prints them" {
	need_sim
	local format
	sim --save=old.json -o table ./loops
	loops 1030 loops
	for format in csv markdown; do
		sim --baseline=old.json --limit=instructions=2%,-branches=1%,branches=900% --save=new.json --format=$format -o $format ./loops || [ $? -eq 3 ]
		run -3 "$CPCREPORT" --quiet --baseline=old.json --limit=instructions=2%,-branches=1%,branches=900% --format=$format new.json
		echo "$output" > report.$format
	done
	diff csv report.csv
	grep -Eqx '\./loops,instructions,user,1,count,[a-z]+,3,2064,2064,2064,2064,2064,old\.json,0\.0299[0-9]*,true,,,,more,0\.02,fail' csv
	grep -Eqx '\./loops,branches,user,.*,old\.json,[0-9.]*,true,,,,more,-0\.01,ok' csv
	[ "$(wc -l < csv)" -eq 3 ]
	[ "$(head -n 1 report.markdown)" = '**1 of 3 limits exceeded, 0 unsure**' ]
	[ "$(sed -n 3p report.markdown)" = '`new.json`: `./loops`' ]
	tail -n +4 report.markdown | diff <(tail -n +2 markdown) -
	grep -qx -e '- compared with: `old.json`' markdown
	grep -Eqx '\| \*\*more\*\* \| `instructions \(user\)` \| 2,004 \| 2,064 \| \+2\.99 % \| exact \|' markdown
	grep -qx '| \*\*FAIL\*\* | `instructions` | +2.99 % | 2 % | 2064 was 2004 |' markdown
}

@test "cpcreport: JSON has the comparison with saved runs and the limits, as the command writes them" {
	need_sim
	check() { python3 "$BATS_TEST_DIRNAME/records.py" "$@"; }
	sim --save=old.json -o table ./loops
	loops 1030 loops
	sim --baseline=old.json --limit=instructions=2% --format=json -o want --save=new.json ./loops || [ $? -eq 3 ]
	check want
	check new.json
	sim --save=plain.json -o table ./loops
	run -3 "$CPCREPORT" --quiet --baseline=old.json --limit=instructions=2% --format=json -o got plain.json
	check got
	local rest='select(.record == "comparison" or .record == "gate" or .record == "end") | del(.run, .time_ns, .unix_ns, .status)'
	diff <(jq -c "$rest" want) <(jq -c "$rest" got)
	jq -se '.[2] | .reference == null and .baseline == "old.json" and .candidate == 0 and .pairs == null and .events[0].verdict == "more" and
		.events[0].a == 2004 and .events[0].b == 2064' got
	jq -se '.[3].limits == [{"name": "instructions", "limit": 0.02, "falls": false, "reference": null, "result": "fail"}]' got
	# All else is as it was, and the result is a file of records.
	jq -c 'select(.record == "run" or .record == "series")' got | diff <(jq -c 'select(.record == "run" or .record == "series")' plain.json) -
	run -0 "$CPCREPORT" got
	[[ "$output" == *$'\ngate of the run against old.json\nFAIL   instructions  limit 2 %' ]]
	"$CPCREPORT" --quiet --baseline=old.json --format=json plain.json > got
	check got
	[ "$(wc -l < got)" -eq 4 ]
}

@test "cpcreport: Markdown has pairs and single runs as the command prints them, and refuses recordings" {
	"$CPUTRACK" --quiet -c page-faults --repeat=6 --vs=true --vs='ls /' --limit=page-faults=900% --save=pairs --format=markdown -o want ls / > /dev/null
	run -0 "$CPCREPORT" --format=markdown --limit=page-faults=900% pairs
	[ "${lines[0]}" = "$(head -n 1 want)" ]
	tail -n +4 <<< "$output" | diff <(tail -n +2 want) -
	"$CPUTRACK" --quiet -c page-faults --repeat=4 --save=one --format=markdown -o want true
	run -0 "$CPCREPORT" --format=markdown one pairs
	head -n "$(wc -l < want)" <<< "$output" | tail -n +2 | diff <(tail -n +2 want) -
	[ "${lines[0]}" = '`one`: `true`' ]
	run -125 --separate-stderr "$CPCREPORT" --format=markdown --limit=page-faults=5% one
	[ "${lines[0]}" = '**not gated**' ]
	"$CPUTRACK" -T 0 -c page-faults --format=json -o run true
	run -125 --separate-stderr "$CPCREPORT" --format=markdown run
	[ "$stderr" = "cpcreport: cannot show the samples and totals in 'run' as markdown, which has tables of repeated runs; use --format=text, csv or html" ]
}

@test "cpcreport: --limit judges the pairs of --vs" {
	"$CPUTRACK" --quiet -c page-faults --repeat=10 --vs=true --save=pairs --limit=page-faults=5% -o table ls / > /dev/null || [ $? -eq 3 ]
	run -3 "$CPCREPORT" --quiet --limit=page-faults=5% pairs
	tail -n +3 <<< "$output" | diff table -
	run -0 "$CPCREPORT" --limit=page-faults=1000% pairs
	run -125 "$CPCREPORT" --limit=major-faults=5% pairs || [ "$status" -eq 2 ]
}

@test "cpcreport: noisy measures stand side by side, and are never judged against a file" {
	"$CPUTRACK" --quiet -c page-faults,task-clock --repeat=4 --save=old.json -o table true
	"$CPUTRACK" --quiet -c page-faults,task-clock --repeat=4 --save=new.json -o table true
	run -0 "$CPCREPORT" --quiet --baseline=old.json new.json
	[ "$(grep -c ' -  *not judged: varies between moments$' <<< "$output")" -eq 3 ]
	run -2 --separate-stderr "$CPCREPORT" --quiet --baseline=old.json --limit=task-clock=2% new.json
	[ "$stderr" = 'cpcreport: --limit: task-clock varies between moments; compare the two builds next to each other: --vs=OLD --limit=task-clock=2% NEW' ]
	run -2 --separate-stderr "$CPCREPORT" --quiet --baseline=old.json --limit=nosuch=2% new.json
	[ "$stderr" = "cpcreport: --limit: 'nosuch' is not among the events that are counted" ]
}

@test "cpcreport: what cannot be compared is refused with the reason" {
	"$CPUTRACK" --quiet -c page-faults --repeat=4 --save=old.json -o table true
	"$CPUTRACK" --quiet -c page-faults --repeat=4 --save=other.json -o table ls / > /dev/null
	run -125 --separate-stderr "$CPCREPORT" --quiet --baseline=old.json other.json
	[ "$stderr" = "cpcreport: 'old.json' cannot be compared with 'other.json': its command is 'true', now it is 'ls /'" ]
	[[ "$output" == *'4 runs: ls /'* ]]
	run -125 --separate-stderr "$CPCREPORT" --quiet --limit=page-faults=5% old.json
	[ "$stderr" = "cpcreport: not gated: 'old.json' has no runs of --vs; --baseline=FILE compares with others" ]
	run -125 --separate-stderr "$CPCREPORT" --quiet --baseline=nosuch old.json
	[ "$stderr" = "cpcreport: cannot read 'nosuch': No such file or directory" ]
	"$CPUTRACK" -T 0 -c page-faults --format=json -o run true
	run -125 --separate-stderr "$CPCREPORT" --quiet --baseline=run old.json
	[ "$stderr" = "cpcreport: cannot read 'run': it has no runs of --repeat or --vs" ]
	run -125 --separate-stderr "$CPCREPORT" --quiet --baseline=old.json run
	[ "$stderr" = 'cpcreport: a run without series of --repeat or --vs cannot be compared' ]
	# A run that was ended early, or that failed, is not gated.
	grep -v '"record":"end"' old.json > killed
	run -125 --separate-stderr "$CPCREPORT" --quiet --baseline=old.json --limit=page-faults=5% killed
	[ "$stderr" = 'cpcreport: not gated: the runs were ended early' ]
	"$CPUTRACK" --quiet -c page-faults --repeat=4 --vs=true --save=failed -o table false || [ $? -eq 1 ]
	run -125 --separate-stderr "$CPCREPORT" --quiet --limit=page-faults=5% failed
	[ "$stderr" = "cpcreport: not gated: 'false' ended with status 1" ]
	bad "--limit: 'x' is not EVENT=P%, such as instructions=2%" --limit=x old.json
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
		run --separate-stderr -125 bash -c '"$0" --quiet saved > /dev/full' "$CPCREPORT"
		[ "$stderr" = 'cpcreport: cannot write to standard output: No space left on device' ]
		run --separate-stderr -125 "$CPCREPORT" --quiet -o /dev/full saved
		[ "$stderr" = 'cpcreport: cannot write to /dev/full: No space left on device' ]
	fi
}

@test "cpcreport: the memory does not depend on the number of records" {
	plain_build 'the memory is that of the build'
	[ -z "${SANITIZE-}" ] || skip 'AddressSanitizer keeps memory that was freed'
	"$CPUTRACK" --quiet --repeat=3 -c page-faults --save=saved -o table true
	local n
	for n in $(seq 100); do cat saved; done > some
	for n in $(seq 50); do cat some; done > many
	"$CPUTRACK" -T 0 -c page-faults --format=json -o run true
	awk 'NR == 2 { for (i = 0; i < 5000; i++) print } NR <= 2; { last = $0 } END { print last }' run > rows
	peak() { python3 -c 'import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)' "$CPCREPORT" --quiet "$1"; }
	[ "$(peak many)" -le $(($(peak saved) + 512)) ]
	[ "$(peak rows)" -le $(($(peak run) + 512)) ]
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
