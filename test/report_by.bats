# cpcreport --by: what each rank, host, CPU, LWP or label has counted, and what is missing.

bats_require_minimum_version 1.5.0
load helper

setup() { cd "$T"; }

# ranks N COMMAND...: count with a command in N ranks, whose files are r.0.json, r.1.json, ...
ranks() {
	local n=$1 r
	shift
	for ((r = 0; r < n; r++)); do
		OMPI_COMM_WORLD_RANK=$r OMPI_COMM_WORLD_SIZE=$n "$@"
	done
}

# run_record RUN MEMBERS, total RUN VALUE [CLASS], end_record RUN: print a record of a made run, which counts one event.
run_record() {
	printf '{"schema":2,"record":"run","run":"%s","tool":"perfex","engine":"kernel","model":null,"host":"h","label":{},%s,"sets":[{"set":0,"spec":null,"requests":[{"name":"faults","mode":"user","unit":"1"}]}]}\n' "$1" "$2"
}

total() {
	printf '{"schema":2,"record":"total","run":"%s","scope":"tree","pid":9,"what":"exit","set":0,"values":[{"name":"faults","mode":"user","unit":"1","value":%s,"class":"%s"}]}\n' "$1" "$2" "${3:-exact}"
}

end_record() { printf '{"schema":2,"record":"end","run":"%s","provisional":%s}\n' "$1" "${2:-false}"; }

# rank R SIZE VALUE [CLASS]: print the records of a made rank.
rank() {
	run_record "run$1" "\"rank\":$1,\"size\":$2"
	total "run$1" "$3" "${4:-exact}"
	end_record "run$1"
}

# cells NAME...: print members of each line of JSON in $output, with blanks between them.
cells() { jq -r --args '[.[$ARGS.positional[]] | tostring] | join(" ")' "$@" <<< "$output"; }

@test "cpcreport --by: ranks of a program with known counts" {
	need jq
	need_breakpoints
	local hit
	hit=$("$PROG/ranks" address)
	ranks 4 "$PERFEX" --format=json -o r.%r.json -e "mem:$hit:x" -e page-faults "$PROG/ranks" work
	run -0 --separate-stderr "$CPCREPORT" --by=rank --strict r.*.json
	[ -z "$stderr" ]
	[ "${lines[0]}" = '4 ranks, counted by the kernel, scope tree' ]
	[[ "${lines[2]}" =~ ^mem:.*:x.*\ 20000\ +2000\ +5000\ +8000\ +1\.60\ +0\ +3\ +exact$ ]]
	rm r.*
	ranks 4 "$CPUTRACK" -T 0 --format=json -o r.%r.json -c "mem:$hit:x" "$PROG/ranks" work
	run -0 --separate-stderr "$CPCREPORT" --by=rank --format=json --strict r.*.json
	[ "$(cells keys without sum min median max imbalance min_at max_at class scope)" = '4 0 20000 2000 5000 8000 1.6 0 3 exact process' ]
	run -0 --separate-stderr "$CPCREPORT" --by=host --format=json - < <(cat r.*)
	[ "$(cells keys sum max_at)" = "1 20000 $(hostname)" ]
}

@test "cpcreport --by: the formats" {
	rank 0 2 5 > r.0
	rank 1 2 8 > r.1
	run -0 --separate-stderr "$CPCREPORT" --by=rank r.0 r.1
	[ "$output" = "$(printf '%s\n' \
		'2 ranks, counted by the kernel, scope tree' \
		'event          sum  min  median  max  max/mean  min@  max@  class' \
		'faults (user)   13    5     6.5    8      1.23     0     1  exact')" ]
	run -0 --separate-stderr "$CPCREPORT" --by=rank --format=csv r.0 r.1
	[ "${lines[0]}" = 'by,event,nth,mode,unit,engine,model,scope,cgroup,keys,without,sum,min,median,max,imbalance,min_at,max_at,class' ]
	[ "${lines[1]}" = 'rank,faults,,user,1,kernel,,tree,,2,0,13,5,6.5,8,1.230769,0,1,exact' ]
	"$CPCREPORT" --by=rank --format=json -o out r.0 r.1
	[ "$(cat out)" = '{"by":"rank","event":"faults","nth":null,"mode":"user","unit":"1","engine":"kernel","model":null,"scope":"tree","cgroup":null,"keys":2,"without":0,"sum":13,"min":5,"median":6.5,"max":8,"imbalance":1.230769,"min_at":"0","max_at":"1","class":"exact"}' ]
}

# says TEXT FILE...: a note says TEXT with status 0; with --strict the status is 125; with --quiet nothing is said.
says() {
	local text=$1
	shift
	run -0 --separate-stderr "$CPCREPORT" --by=rank --format=json "$@"
	[ "$stderr" = "cpcreport: $text" ] || { echo "$stderr"; return 1; }
	run -125 --separate-stderr "$CPCREPORT" --by=rank --format=json --strict "$@"
	[ "$stderr" = "cpcreport: $text" ]
	run -0 --separate-stderr "$CPCREPORT" --by=rank --format=json --quiet "$@"
	[ -z "$stderr" ]
}

@test "cpcreport --by: what is missing is said, and is not accepted with --strict" {
	need jq
	local r
	for r in 0 1 2 3 4 5; do rank $r 6 $((r + 1)) > r.$r; done
	says '1 of 6 ranks has no run: 1' r.0 r.[2-5]
	says '4 of 6 ranks have no run: 0, 2-3, 5' r.1 r.4
	# A run that was killed, and one that was killed after a provisional report.
	grep -v '"end"' r.3 > killed
	says "1 run has no last record: it was killed, or goes on (in 'killed')" r.[0-2] killed r.[45]
	{ cat killed; end_record run3 true; } > provisional
	says "1 run has only a provisional report: it was killed, or goes on (in 'provisional')" r.[0-2] provisional r.[45]
	[ "$(cells sum keys)" = '21 6' ]
	rank 3 6 9 approximate > mixed
	says 'faults: the values have different classes; the worst is approximate' r.[0-2] mixed r.[45]
	[ "$(cells class)" = approximate ]
	sed 's/"value":[0-9]*,"class":"exact"/"value":null,"class":"unavailable"/' r.3 > none
	says 'faults: 1 of 6 ranks has none' r.[0-2] none r.[45]
	[ "$(cells keys without sum class)" = '6 1 17 exact' ]
	run -0 "$CPCREPORT" --by=rank r.[0-2] none r.[45]
	[[ "$output" == *'exact; 1 of 6 has none'* ]]
	tail -n +2 r.3 > orphan
	run -0 --separate-stderr "$CPCREPORT" --by=host r.[0-2] orphan r.[45]
	has "1 record is left out, because the first record of its run is not in the file before it (in 'orphan')" - <<< "$stderr"
}

@test "cpcreport --by: what comes after a provisional report takes its place" {
	need jq
	{ run_record a '"rank":0,"size":1'; total a 5; end_record a true; total a 7; end_record a; } > r
	run -0 --separate-stderr "$CPCREPORT" --by=rank --format=json --strict r
	[ "$(cells sum)" = 7 ]
}

@test "cpcreport --by: the class of a sum is the worst of its values" {
	need jq
	local first
	for first in approximate exact; do
		{
			run_record a '"rank":0,"size":1'
			total a 5 $first
			total a 7 $([ $first = exact ] && echo approximate || echo exact)
			total a null unavailable
			end_record a
		} > r
		run -0 --separate-stderr "$CPCREPORT" --by=rank --format=json r
		[ "$(cells sum class)" = '12 approximate' ]
	done
}

@test "cpcreport --by: a run is counted once, and runs of one rank are added" {
	need jq
	rank 0 1 5 > r
	sed 's/run0/again/' r > again
	run -0 --separate-stderr "$CPCREPORT" --by=rank --format=json r r
	[ "$(cells sum)" = 5 ]
	[ "$stderr" = "cpcreport: 1 run came a second time and is counted once (in 'r')" ]
	run -0 --separate-stderr "$CPCREPORT" --by=rank --format=json r again
	[ "$(cells sum)" = 10 ]
	[ "$stderr" = "cpcreport: 1 run is of a rank that has another run: their counts are added (in 'again')" ]
}

@test "cpcreport --by: events that differ in mode, engine, model or set are not one row" {
	need jq
	rank 0 2 5 > a
	rank 1 2 6 | sed 's/"mode":"user"/"mode":"sys"/g' > b
	rank 1 2 6 | sed 's/"engine":"kernel","model":null/"engine":"sim","model":"r10000"/' > c
	run -0 --separate-stderr "$CPCREPORT" --by=rank --format=json a b
	[ "$(cells mode sum without)" = $'user 5 1\nsys 6 1' ]
	run -0 --separate-stderr "$CPCREPORT" --by=rank a c
	[ "${lines[0]}" = '2 ranks, counted by the kernel, scope tree' ]
	[ "${lines[3]}" = '2 ranks, simulated r10000, scope tree' ]
	"$PERFEX" --format=json -o twice -e page-faults -e page-faults true
	run -0 --separate-stderr "$CPCREPORT" --by=host --format=json twice
	[ "$(cells event nth keys)" = $'page-faults null 1\npage-faults 2 1' ]
}

@test "cpcreport --by: labels" {
	need jq
	local commit
	for commit in a b b; do
		"$PERFEX" --label="commit=$commit" --format=json -e page-faults true 2>> runs
	done
	"$PERFEX" --format=json -e page-faults true 2>> runs
	run -0 --separate-stderr "$CPCREPORT" --by=label:commit --format=json runs
	[ "$(cells keys max_at)" = '2 b' ]
	[ "$stderr" = "cpcreport: 1 run is left out, because it has no label 'commit' (in 'runs')" ]
	run -0 "$CPCREPORT" --quiet --by=label:commit runs
	[ "${lines[0]}" = "2 labels 'commit', counted by the kernel, scope tree" ]
	run -125 --separate-stderr "$CPCREPORT" --by=rank runs
	has 'the files have no counts of ranks' - <<< "$stderr"
}

@test "cpcreport --by: CPUs and LWPs" {
	need jq
	local host
	for host in a b; do
		run_record $host "\"rank\":null" | sed "s/\"host\":\"h\"/\"host\":\"$host\"/" > $host
		total $host 4 | sed 's/"total"/"sample"/; s/"scope":"tree"/"scope":"cpu","id":3/' > sample
		cat sample sample >> $host
		total $host 5 | sed 's/"scope":"tree"/"scope":"lwp","lwp":2/' >> $host
		end_record $host >> $host
	done
	run -0 --separate-stderr "$CPCREPORT" --by=cpu --format=json --strict a
	[ "$(cells keys sum max_at)" = '1 8 3' ]
	run -0 --separate-stderr "$CPCREPORT" --by=cpu --format=json a b
	[ "$(cells keys min_at scope)" = '2 a/3 cpu' ]
	run -0 --separate-stderr "$CPCREPORT" --by=lwp --format=json a
	[ "$(cells keys sum max_at scope)" = '1 5 9.2 lwp' ]
}

@test "cpcreport --by: repeated runs give their medians, which are not added" {
	need jq
	ranks 2 "$CPUTRACK" --quiet --repeat=3 -c page-faults --save=r.%r -o /dev/null true
	run -0 --separate-stderr "$CPCREPORT" --quiet --by=rank --format=json r.0 r.1
	[ "$(cells event scope keys sum | head -n 1)" = 'page-faults series 2 null' ]
	[ "$(cells max | head -n 1)" = "$(jq -s '[.[] | select(.record == "series").events[0].median] | max' r.0 r.1)" ]
	run -0 "$CPCREPORT" --quiet --by=rank r.0 r.1
	[ "${lines[0]}" = '2 ranks, counted by the kernel, medians of repeated runs' ]
	[[ "${lines[2]}" =~ ^'page-faults (user)'\ +-\ +[0-9] ]]
}

@test "cpcreport --by: bad use" {
	rank 0 1 5 > r
	run -2 "$CPCREPORT" --by=node r
	has "--by: 'node' is not rank, host, cpu, lwp or label:KEY" - <<< "$output"
	run -2 "$CPCREPORT" --by=label: r
	run -2 "$CPCREPORT" --by=rank --chart r
	run -2 "$CPCREPORT" --by=rank --format=html r
	has '--by has no --format=html; choose text, csv or json' - <<< "$output"
	run -2 "$CPCREPORT" --by=rank --baseline=r r
	run -125 "$CPCREPORT" --by=rank absent r
	has "cannot read 'absent'" - <<< "$output"
	has '1 rank, counted by the kernel' - <<< "$output"
}

@test "cpcreport --by: cgroups, and events that are counted twice, have rows of their own" {
	{
		run_record a '"rank":0,"size":1'
		total a 5 | sed 's/"scope":"tree","pid":9/"scope":"cgroup","id":"\/web\\u001b"/'
		end_record a
	} > cgroup
	run -0 --separate-stderr "$CPCREPORT" --by=rank cgroup
	[ "${lines[0]}" = '1 rank, counted by the kernel, scope cgroup' ]
	[[ "${lines[2]}" =~ ^'faults (user) in /web?'\ +5\ +5\ +5\ +5\ +1\.00\ +0\ +0\ +exact$ ]]
	{
		run_record a '"rank":0,"size":1' | sed 's/{"name":"faults","mode":"user","unit":"1"}/&,&/'
		total a 5 | sed 's/{"name":.*"class":"exact"}/&,&/; s/"value":5/"value":3/'
		end_record a
	} > twice
	run -0 --separate-stderr "$CPCREPORT" --by=rank twice
	[[ "${lines[2]}" =~ ^'faults (user)'\ +3\  && "${lines[3]}" =~ ^'faults (user) #2'\ +5\  ]]
}

@test "cpcreport --by: a record of a set or of an LWP that cannot be, and a file without records, are named" {
	run_record a '"rank":0,"size":1' > run
	{ cat run; total a 5 | sed 's/"set":0/"set":1/'; } > wrong
	{ cat run; total a 5 | sed 's/"scope":"tree","pid":9/"scope":"lwp","pid":9,"lwp":"x"/'; } > lwp
	: > empty
	run -125 "$CPCREPORT" --by=rank wrong
	[[ $output == *"cannot read 'wrong': line 2: the record is malformed"* ]]
	run -125 "$CPCREPORT" --by=lwp lwp
	[[ $output == *"cannot read 'lwp': line 2: the record is malformed"* ]]
	run -125 "$CPCREPORT" --by=rank empty
	[[ $output == *"cannot read 'empty': it has no records"* ]]
}

@test "cpcreport --by: fields of values and series that are missing or malformed" {
	{
		run_record a '"rank":0,"size":1'
		total a 5
		printf '{"schema":2,"record":"series","run":"a","series":0,"command":"x","events":[{"name":"e","class":"exact","median":5}]}\n'
		total a 5 | sed 's/"total"/"sample"/; s/"scope":"tree"/"scope":"cpu","id":3/'
		total a 5 | sed 's/"scope":"tree"/"scope":"lwp","lwp":2/'
		end_record a
	} > made
	local by
	for by in rank cpu lwp; do
		run -0 "$CPCREPORT" --strict --by=$by made
	done
	# malformed BY EDIT: with this change the file cannot be read.
	malformed() {
		sed "$2" made > edited
		cmp -s made edited && { echo "$2 changes nothing"; return 1; }
		run -125 "$CPCREPORT" --by="$1" edited
		[[ "$output" == *"cannot read 'edited': line ${2%%s*}: the record is malformed"* ]] || { echo "$2: $output"; return 1; }
	}
	malformed rank '1s/"engine":"kernel",//'
	malformed rank '2s/"value":5/"value":"5"/'
	malformed rank '2s/"name":"faults",//'
	malformed rank '2s/"values":.*/"values":[]}/'
	malformed rank '3s/"series":0,//'
	malformed rank '3s/"name":"e",//'
	malformed cpu '4s/"id":3/"id":null/'
	malformed lwp '5s/"pid":9/"pid":-9/'
	malformed lwp '5s/"lwp":2,//'
}

@test "cpcreport --by: medians of one rank are taken once; ranks are of their job, and runs may be mixed" {
	need jq
	repeated() { run_record "$1" '"rank":0,"size":1'; printf '{"schema":2,"record":"series","run":"%s","series":0,"command":"x","events":[{"name":"e","class":"exact","median":%s}]}\n' "$1" "$2"; end_record "$1"; }
	repeated a 5 > first
	repeated b 7 > second
	run -125 --separate-stderr "$CPCREPORT" --strict --by=rank --format=json first second
	[ "$(cells max)" = 5 ]
	has "1 run has repeated runs of a key that has others: medians cannot be added, and the first ones are taken (in 'second')" - <<< "$stderr"
	# Each job has lost another rank.
	rank 0 2 5 | sed 's/"tool"/"launcher":"slurm","job":"1",&/' > one
	rank 1 2 6 | sed 's/"tool"/"launcher":"slurm","job":"2",&/' > two
	run -0 --separate-stderr "$CPCREPORT" --by=rank --format=json two one
	[ "$(sort <<< "$stderr")" = $'cpcreport: 1 of 2 ranks has no run: 0\ncpcreport: 1 of 2 ranks has no run: 1' ]
	paste -d '\n' one two > mixed
	run -0 --separate-stderr "$CPCREPORT" --by=rank --format=json mixed
	[ "$(cells sum keys)" = '11 2' ]
	# Two runs that are open at the end of the file are both named.
	grep -v '"end"' mixed > open
	run -0 --separate-stderr "$CPCREPORT" --by=rank --format=json open
	[ "$(cells sum keys)" = '11 2' ]
	has "2 runs have no last record: they were killed, or go on (the first one in 'open')" - <<< "$stderr"
}
