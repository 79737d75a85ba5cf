# Named regions: what cpc_region_begin(3) counts and reports. The program's events are calls of a function.

bats_require_minimum_version 1.5.0

load helper

setup() {
	need_breakpoints
}

# rows: the rows of the tables in $stderr: region, threads, calls, inclusive, exclusive, min, median, max, class.
rows() {
	awk '$1 == "region" { in_table = 1; next } /^(note|regions)/ { in_table = 0 } in_table { $4 = ""; $0 = $0; $1 = $1; print }' <<< "$stderr"
}

@test "regions: inclusive and exclusive counts of a region that calls itself inside another" {
	run -0 --separate-stderr "$PROG/regions" nested
	[ "$(rows)" = "a 1 2 11 6 11 11 11 exact
b 1 1 7 5 7 7 7 exact" ]
	[ -z "$output" ]
}

@test "regions: the sum, minimum, median and maximum of four threads that have ended" {
	run -0 --separate-stderr "$PROG/regions" threads
	[ "$(rows)" = "solve 4 10 100 100 10 25 40 exact" ]
}

@test "regions: a name is known by its text, not by its address" {
	run -0 --separate-stderr "$PROG/regions" names
	[ "$(rows)" = "even 1 2 2 2 2 2 2 exact
odd 1 2 2 2 2 2 2 exact" ]
}

@test "regions: without events the calls return 0 and count nothing, and there is no report" {
	run -0 --separate-stderr "$PROG/regions" off
	[ "$output" = $'no events\nno name' ]
	[ -z "$stderr" ]
	# The first call of a program whose environment has events counts them.
	CPC_EVENTS=page-faults run -0 --separate-stderr "$PROG/regions" off
	grep -q '^regions of regions, process' <<< "$stderr"
}

@test "regions: calls that do not match fail with EINVAL and change nothing" {
	run -0 --separate-stderr "$PROG/regions" misuse
	[ "$(rows)" = "a 1 1 2 2 2 2 2 exact" ]
	[ "$(grep -c ': Invalid argument$' <<< "$stderr")" = 5 ]
}

@test "regions: a child of fork has its own counts, from the fork on" {
	run -0 --separate-stderr "$PROG/regions" forks
	[ "$(rows)" = "a 1 1 3 3 3 3 3 exact
a 1 1 3 3 3 3 3 exact" ]
	[ "$(grep -c '^regions of regions, process' <<< "$stderr")" = 2 ]
}

@test "regions: exit in a region ends the region, and keeps the exit status" {
	run -7 --separate-stderr "$PROG/regions" exits
	[ "$(rows)" = "a 1 1 4 4 4 4 4 exact" ]
	[[ $stderr == *"note: a: calls that ended with their thread or process, not by cpc_region_end(): 1"* ]]
}

@test "regions: a region that is open in another thread at the end is left out, with a note" {
	run -0 --separate-stderr "$PROG/regions" opens
	[ "$(rows)" = "a 1 1 1 1 1 1 1 exact
open 1 0 - - - - - unavailable" ]
	[[ $stderr == *"note: open: calls that have not ended, which are left out: 1"* ]]
}

@test "regions: a handler that interrupts the first call, or another, counts nothing twice" {
	run -0 --separate-stderr "$PROG/regions" alarms 20000
	[ "$(rows | grep '^a ')" = "a 1 20000 20000 20000 20000 20000 20000 exact" ]
	# The handler may have interrupted other calls each time.
	[ "$(rows | awk '$1 == "handler" && $2 != 1')" = "" ]
	[[ $stderr != *"in a handler"* ]]
}

@test "regions: CPC_EVENTS goes before the program's choice; several events have a row each" {
	CPC_EVENTS=page-faults,task-clock run -0 --separate-stderr "$PROG/regions" nested
	awk '/page-faults/ { faults++ } /task-clock/ { clock++; if ($2 < $3 || $2 == 0) bad = 1 } END { exit bad || faults != 2 || clock != 2 }' <<< "$stderr"
}

@test "regions: events that cannot be counted are refused once, and the program goes on" {
	CPC_EVENTS=nonsense run -7 --separate-stderr "$PROG/regions" exits
	[ "$(grep -c "bad token 'nonsense' (column 1 of CPC_EVENTS)" <<< "$stderr")" = 1 ]
	[[ $stderr != *"regions of"* ]]
	CPC_EVENTS=page-faults CPC_ENGINE=sim run -0 --separate-stderr "$PROG/regions" threads
	[ "$(grep -c 'start it under cputrack --engine=sim' <<< "$stderr")" = 1 ]
}

@test "regions: a setting that is not valid is refused with the values that are" {
	CPC_REGIONS_FORMAT=xml run -0 --separate-stderr "$PROG/regions" nested
	[[ $stderr == *"CPC_REGIONS_FORMAT: 'xml' is not valid; use text or json"* ]]
	CPC_REGIONS_SIGNAL=KILL run -0 --separate-stderr "$PROG/regions" nested
	[[ $stderr == *"CPC_REGIONS_SIGNAL: 'KILL' is not valid"* ]]
	CPC_ENGINE=steam run -0 --separate-stderr "$PROG/regions" nested
	[[ $stderr == *"CPC_ENGINE: there is no such engine"* ]]
}

@test "regions: JSON lines of each process in one file" {
	CPC_REGIONS_FORMAT=json CPC_REGIONS_FILE=$T/out run -0 --separate-stderr "$PROG/regions" forks
	[ -z "$stderr" ]
	run -0 jq -r '[.schema, .record, .command, .provisional, .engine, .region, .threads, .calls, .cut, .open, (.values[0] |
		.inclusive, .exclusive, .min, .median, .max, .count, .class)] | @csv' "$T/out"
	[ "$output" = '1,"region","regions",false,"kernel","a",1,1,0,0,3,3,3,3,3,3,"exact"
1,"region","regions",false,"kernel","a",1,1,0,0,3,3,3,3,3,3,"exact"' ]
	[ "$(jq -r .pid "$T/out" | sort -u | wc -l)" = 2 ]
}

@test "regions: a value that could not be had is null in JSON" {
	CPC_REGIONS_FORMAT=json run -0 --separate-stderr "$PROG/regions" opens
	[ "$(jq -c 'select(.region == "open") | [.calls, .open, (.values[0] | .inclusive, .exclusive, .min, .class)]' <<< "$stderr")" \
		= '[0,1,null,null,null,"unavailable"]' ]
}

@test "regions: a file of each process, by placeholders" {
	CPC_REGIONS_FILE=$T/r.%p run -0 --separate-stderr "$PROG/regions" forks
	local files=("$T"/r.*)
	[ ${#files[@]} = 2 ]
	for file in "${files[@]}"; do
		[[ $(head -n 1 "$file") == "regions of regions, process ${file##*.}, counted by kernel" ]]
	done
}

@test "regions: a file that cannot be written is reported, and the table goes to stderr" {
	CPC_REGIONS_FILE=$T/none/file run -0 --separate-stderr "$PROG/regions" names
	[[ $stderr == *"cannot write the regions to $T/none/file: No such file or directory"* ]]
	[ "$(rows | wc -l)" = 2 ]
	CPC_REGIONS_FILE=/dev/full run -0 --separate-stderr "$PROG/regions" names
	[[ $stderr == *"cannot write the regions to /dev/full: No space left on device"* ]]
	[ "$(rows | wc -l)" = 2 ]
	CPC_REGIONS_FILE=%z run -0 --separate-stderr "$PROG/regions" names
	[[ $stderr == *"%z is no placeholder"* ]]
}

@test "regions: a reader of stderr that has gone does not change the exit status" {
	local status
	{ "$PROG/regions" exits 2>&1 >&3 | true; status=${PIPESTATUS[0]}; } 3>&1
	[ "$status" = 7 ]
}

@test "regions: all is written to a pipe that does not block and whose reader is slow" {
	need python3
	python3 - "$PROG/regions" > "$T/all" <<-'END'
	import fcntl, os, subprocess, sys, time
	r, w = os.pipe()
	os.set_blocking(w, False)
	fcntl.fcntl(w, fcntl.F_SETPIPE_SZ, 4096)
	program = subprocess.Popen([sys.argv[1], "many", "500"], stderr=w)
	os.close(w)
	while True:
	    time.sleep(0.001)
	    part = os.read(r, 4096)
	    if not part:
	        break
	    sys.stdout.write(part.decode())
	sys.exit(program.wait())
	END
	[ "$(grep -c '^r[0-9]* .* exact$' "$T/all")" = 500 ]
}

@test "regions: a signal asks for a report while the program goes on" {
	mkfifo "$T/in"
	start "$T/out" bash -c 'CPC_REGIONS_SIGNAL=USR1 exec "$0" waits < "$1"' "$PROG/regions" "$T/in"
	local pid=$!
	exec 5> "$T/in"
	until_true has ready "$T/out"
	kill -USR1 "$pid"
	until_true has '^a ' "$T/out.err"
	[[ $(head -n 1 "$T/out.err") == *", which goes on" ]]
	exec 5>&-
	finish "$pid"
	stderr=$(< "$T/out.err")
	[ "$(rows)" = "a 1 1 1 1 1 1 1 exact
a 1 2 2 2 2 2 2 exact" ]
}

@test "regions: the simulator counts the same instructions in each run" {
	[ -z "$SANITIZE" ] || skip "a program with sanitizers cannot be simulated"
	[ -x "$(dirname "$CPUTRACK")/../sim/cpcsim-launch" ] || skip "the simulator is not built here"
	for round in 1 2; do
		CPC_EVENTS=instructions run -0 --separate-stderr "$CPUTRACK" --engine=sim --quiet -T 0 -c instructions -o /dev/null "$PROG/regions" nested
		rows > "$T/$round"
	done
	cat "$T/1"
	cmp "$T/1" "$T/2"
	awk '{ if ($9 != "simulated" || $4 < 20 || $5 > $4) bad = 1 } END { exit bad || NR != 2 }' "$T/1"
}

# ThreadSanitizer needs fixed addresses, which are free on some kernels only without randomisation (setarch -R).
@test "regions: threads, reports that a signal asks for and children of fork have no race" {
	[ -z "$SANITIZE" ] || skip "the program has ThreadSanitizer, which excludes other sanitizers"
	CPC_REGIONS_SIGNAL=USR1 CPC_REGIONS_FORMAT=json CPC_REGIONS_FILE=$T/out.%p TSAN_OPTIONS="halt_on_error=1 die_after_fork=0" \
		run -0 --separate-stderr bounded setarch -R "$PROG/regions-tsan" crowd 16
	[ -z "$stderr" ]
	run -0 jq -r 'select(.provisional == false and (.region == "all" or .region == "name3")) | [.region, .threads, .calls, .open,
		(.values[0] | .inclusive, .exclusive, .min, .max)] | @csv' "$T"/out.*
	[ "$output" = '"all",16,640,0,640,0,40,40
"name3",16,64,0,64,64,4,4' ]
	# A child has the regions of the one thread that forked.
	[ "$(jq -r 'select(.provisional == false and .region == "fork") | [.threads, .calls, .values[0].inclusive] | @csv' "$T"/out.* | sort | uniq -c)" = \
		"      4 1,1,1
      1 4,4,0" ]
}
