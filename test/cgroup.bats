# cpustat --cgroup: which cgroups are counted, and that their values are true. The tests make cgroups in a folder of
# their own below the hierarchy that counts events, and remove them.

bats_require_minimum_version 1.5.0
load helper

# hierarchy: print the folder of the hierarchy of cgroups that has the controller perf_event.
hierarchy() {
	awk '$0 ~ / - cgroup [^ ]* [^ ]*perf_event/ { print $5; found = 1; exit }
		/ - cgroup2 / && !v2 { v2 = $5 }
		END { if (!found && v2) print v2 }' /proc/self/mountinfo
}

# cgroups NAME...: make $C and these cgroups below it; B is the path of $C in the hierarchy. Skips the test if this
# user cannot make or count cgroups here.
cgroups() {
	local root why name
	root=$(hierarchy)
	[ "$root" ] || skip "no hierarchy of cgroups that counts events is mounted"
	B=opencpc-test.$$.$BATS_TEST_NUMBER
	mkdir "$root/$B" 2> /dev/null || skip "cannot make a cgroup in $root"
	C=$root/$B
	for name; do
		mkdir "$C/$name"
	done
	why=$("$PROG/act" cgroup "$C" 0 2>&1) || skip "cannot count cgroups: $why"
}

remove() { find "$1" -depth -type d -exec rmdir {} + 2> /dev/null; [ ! -d "$1" ]; }

teardown() {
	local pid
	for pid in "${started[@]}"; do
		kill -KILL "$pid" 2> /dev/null || :
		until_true is_gone "$pid"
	done
	[ -z "${C-}" ] || until_true remove "$C"
}

# counting OPTION...: start cpustat with its rows in $T/out and wait for the first rows.
counting() {
	start "$T/out" "$CPUSTAT" "$@"
	pid=$!
	until_true has tick "$T/out"
}

stop() {
	# A second signal, 0.1 s later, would end it at once.
	kill -INT "$pid"
	finish "$pid"
	cat "$T/out" "$T/out.err"
}

# quiet: only notes about late samples, on a busy machine, are on stderr.
quiet() { ! grep -v 'late and left out$' "$T/out.err"; }

# sum PATH [WORD]: print the sums of the first counter in the rows of a cgroup.
sum() { awk -v path="$1" -v word="${2-tick}" '$2 == path && $3 == word { n += $4 } END { print n + 0 }' "$T/out"; }

# faults NAME N: have a program take N page faults in a cgroup.
faults() { "$PROG/act" cgroup "$C/$1" "$2"; }

@test "cgroup: page faults of two cgroups are exact, their parent has the sum, an idle one has exactly 0" {
	cgroups a b idle a/deep
	counting --cgroup="$B" --cgroup="$B/*" -c page-faults 0.05
	faults a 1000
	faults b 5000
	faults a/deep 300
	stop
	[ "$(sum "$B" total)" -eq 6300 ]
	[ "$(sum "$B/a" total)" -eq 1300 ]
	[ "$(sum "$B/b" total)" -eq 5000 ]
	[ "$(sum "$B/idle" total)" -eq 0 ]
	# Rows are by path, and the rows of a cgroup add up to its total. "*" is no slash.
	for path in "$B" "$B/a" "$B/b" "$B/idle"; do
		[ "$(sum "$path")" -eq "$(sum "$path" total)" ]
	done
	lacks deep "$T/out"
	awk '$3 == "tick" { print $1, $2 }' "$T/out" | LC_ALL=C sort -c -s -n -k 1,1
	[ "$(awk '$3 == "total" { print $2 }' "$T/out" | tr '\n' ' ')" = "$B $B/a $B/b $B/idle " ]
	quiet
}

@test "cgroup: the time of a cgroup is its time on CPUs; an idle one is exact in JSON" {
	need python3
	cgroups busy idle
	counting --cgroup="$C/*" -c task-clock --format=json 0.05
	(echo "$BASHPID" > "$C/busy/cgroup.procs" && exec "$PROG/act" spin 200)
	stop
	python3 "$BATS_TEST_DIRNAME/records.py" "$T/out"
	python3 - "$T/out" "$B" <<-'END'
		import json, sys
		rows = [json.loads(line) for line in open(sys.argv[1])]
		total = {r["id"]: r for r in rows if r["record"] == "total"}
		assert sorted(total) == [sys.argv[2] + "/busy", sys.argv[2] + "/idle"], total
		assert all(r["scope"] == "cgroup" for r in rows if "scope" in r)
		busy, idle = (total[p]["values"][0] for p in sorted(total))
		assert idle["value"] == idle["enabled_ns"] == 0 and idle["class"] == "exact", idle
		assert busy["class"] == "exact" and busy["value"] > 1e6, busy
		assert abs(busy["value"] - busy["enabled_ns"]) < 0.02 * busy["enabled_ns"], busy
	END
}

@test "cgroup: a cgroup that appears is counted, one that is gone has its total, a new one of its name begins anew" {
	cgroups a
	counting --cgroup="$B/*" -c page-faults 0.05
	mkdir "$C/late"
	until_true has "$B/late  *tick" "$T/out"
	faults late 700
	faults a 100
	rmdir "$C/a"
	until_true has "$B/a  *total" "$T/out"
	mkdir "$C/a"
	until_true eval '[ "$(grep -c "$B/a  *t" "$T/out")" -gt "$(grep -n "$B/a  *total" "$T/out" | cut -d: -f1)" ] ||
		sed "1,/$B.a  *total/d" "$T/out" | grep -q "$B/a  *tick"'
	faults a 20
	stop
	[ "$(sum "$B/late" total)" -eq 700 ]
	[ "$(awk -v path="$B/a" '$2 == path && $3 == "total" { print $4 }' "$T/out" | tr '\n' ' ')" = "100 20 " ]
	quiet
}

@test "cgroup: rows of each CPU, core and socket add up; limits and keys" {
	cgroups a b
	local scope
	for scope in cpu cor soc; do
		counting --cgroup="$B/[ab]" -A $scope -c page-faults --format=csv 0.05
		faults a 400
		faults b 200
		stop > "$T/shown"
		# The columns are the same, and one of the last three has the number.
		awk -F, -v scope=$scope '
			NR == 1 { exit $(NF - 2) != "cpu" || $(NF - 1) != "core" || $NF != "socket" }' "$T/out"
		[ "$(awk -F, -v at=$([ $scope = cpu ] && echo 2 || { [ $scope = cor ] && echo 1 || echo 0; }) '
			NR > 1 && $3 == "tick" && $(NF - at) != "" { n[$5] += $11 }
			NR > 1 && $3 == "total" { t[$5] = $11 }
			END { for (p in t) { if (n[p] != t[p]) print p; s += t[p] } print s }' "$T/out")" = 600 ]
	done
	# The cgroup with most faults comes first, and alone with -o 1; totals have both.
	counting --cgroup="$B/*" -k -page-faults,cgroup -o 1 -c page-faults 0.05
	faults b 900
	stop > "$T/shown"
	[ "$(sum "$B/b")" -eq 900 ]
	# Two intervals can end in the same millisecond if one of them is late.
	awk '$3 == "tick" { rows++; if (++n[$1] == 2) twice++ } END { exit 2 * twice >= rows }' "$T/out"
	[ "$(grep -c total "$T/out")" -eq 2 ]
}

@test "cgroup: several sets take turns; default events; a path with a blank" {
	cgroups "a b"
	counting --cgroup="$B/*" -c page-faults -c context-switches 0.02
	until_true eval '[ "$(grep -c tick "$T/out")" -ge 6 ]'
	stop
	has "$B/a b.* total .* # page-faults$" "$T/out"
	has "$B/a b.* total .* # context-switches$" "$T/out"
	run -0 --separate-stderr "$CPUSTAT" --cgroup="$B/a b" 0.01 1
	[[ $stderr == *"no events were given: pic0 is task-clock, pic1 is context-switches, pic2 is page-faults"* ]]
	[[ $output == *"$B/a b total"* ]]
}

@test "cgroup: metrics have the cgroup, the time for which sets were bound, and no gone cgroups" {
	cgroups a gone
	counting --cgroup="$B/*" -c page-faults --openmetrics="$T/m.prom" --label=run=x 0.05
	faults gone 30
	rmdir "$C/gone"
	mkdir "$C/new"
	until_true has "cgroup=\"$B/new\"" "$T/m.prom"
	faults a 77
	faults new 55
	until_true has "events_total{run=\"x\",cgroup=\"$B/new\",set=\"0\".*} 55$" "$T/m.prom"
	stop
	has "^opencpc_events_total{run=\"x\",cgroup=\"$B/a\",set=\"0\",pic=\"0\",event=\"page-faults\",.*} 77$" "$T/m.prom"
	lacks 'cpu=' "$T/m.prom"
	lacks "$B/gone" "$T/m.prom"
	[ "$(sum "$B/gone" total)" -eq 30 ]
	has '^opencpc_cgroups{run="x"} 2$' "$T/m.prom"
	# The set was bound from the start to the last sample.
	awk -v last="$(awk '$3 == "total" { t = $1 } END { print t }' "$T/out")" '
		/^opencpc_bound_seconds_total/ { if ($2 < last - 0.1 || $2 > last + 0.1) exit 1; n++ }
		END { exit n != 1 }' "$T/m.prom"
	for scope in cpu soc; do
		"$CPUSTAT" --cgroup="$B/a" -A $scope -c page-faults --openmetrics="$T/$scope.prom" 0.01 1 > /dev/null
	done
	has "{cgroup=\"$B/a\",cpu=\"0\",core=" "$T/cpu.prom"
	has "{cgroup=\"$B/a\",socket=" "$T/soc.prom"
}

@test "cgroup: the root has all processes" {
	cgroups
	run -0 "$CPUSTAT" --cgroup=/ --cgroup="$B" -n -c context-switches 0.05 1
	[[ $output == *" /"* ]]
	[ "$(echo "$output" | awk '$2 == "/" && $3 == "total" { print ($4 > 0) }')" = 1 ]
}

@test "cgroup: none matches: status 2; one of two: a note" {
	cgroups a
	run -2 --separate-stderr "$CPUSTAT" --cgroup="$B/none" --cgroup="$B/x*" -c page-faults 0.01 1
	[ -z "$output" ]
	[[ $stderr == *"--cgroup=$B/none: there is no such cgroup below "*"/proc/PID/cgroup"* ]]
	[[ $stderr == *"--cgroup=$B/x*: there is no such cgroup below "* ]]
	run -0 --separate-stderr "$CPUSTAT" --cgroup="$B/none" --cgroup="$B/a" -c page-faults 0.01 1
	[ "$stderr" = "cpustat: --cgroup=$B/none: there is no such cgroup now" ]
	run -2 "$CPUSTAT" --cgroup="$C/cgroup.procs" -c page-faults 0.01 1
}

@test "cgroup: a user who may not is refused with words" {
	need_root
	cgroups a
	public_dir
	[ "$(paranoid)" -gt 0 ] || skip "perf_event_paranoid allows every user to count CPUs"
	run -125 --separate-stderr as_nobody "$D/cpustat" --cgroup="$B/a" -c page-faults 0.01 1
	[ -z "$output" ]
	[[ $stderr == *"counting cgroups needs kernel.perf_event_paranoid 0 or less"* ]]
	rm -rf "$D"
}

@test "cgroup: without a hierarchy of cgroups, a message says how to mount one" {
	need_root
	need unshare
	unshare --mount true 2> /dev/null || skip "no mount namespace can be made here"
	run --separate-stderr unshare --mount sh -c 'for d in $(awk "/ - cgroup2? / { print \$5 }" /proc/self/mountinfo); do umount "$d" || exit 99; done
		exec "$@"' sh "$CPUSTAT" --cgroup=/ -c page-faults 0.01 1
	[ "$status" -ne 99 ] || skip "cgroups cannot be unmounted here: $stderr"
	[ "$status" -eq 125 ] && [ -z "$output" ]
	[ "$stderr" = "cpustat: cannot count cgroups: no hierarchy of cgroups that counts events is mounted here (neither cgroup2 nor one with perf_event); mount one: mount -t cgroup2 none /sys/fs/cgroup" ]
}

@test "cgroup: too few file descriptors: the number that is needed, and no cgroup in part" {
	cgroups a b c
	local n
	n=$(cat /sys/devices/system/cpu/online | awk -F, '{ for (i = 1; i <= NF; i++) { split($i "-" $i, e, "-"); n += e[2] - e[1] + 1 } print n }')
	# All folders, the first cgroup, and half of the second.
	local limit=$((3 + 20 + 3 * n))
	run ! --separate-stderr bash -c "ulimit -n $limit; exec setpriv --bounding-set=-sys_resource --inh-caps=-sys_resource \
		\"\$@\"" - "$CPUSTAT" --cgroup="$B/*" -c page-faults,minor-faults,major-faults,cpu-migrations,context-switches,task-clock,alignment-faults,emulation-faults 0.01 1
	[ "$status" -eq 125 ]
	[[ $stderr == *"3 cgroups with 8 file descriptors on each of $n CPUs need $(((8 * n + 1) * 3)); raise the limit"* ]]
	[ -z "$(echo "$output" | awk '$3 == "total" && NF != 11')" ]
}

# life SCOPE OPTION...: count cgroups that come and go, with -O, into $T/out and $T/samples.
life() {
	local options=("$@")
	rm -rf "$T/out" && mkdir -p "$C/a" "$C/a longer name"
	counting "${options[@]}" --cgroup="$B/*" -O "$T/samples" -c page-faults -c context-switches,page-faults 0.03
	faults a 200
	rmdir "$C/a longer name"
	mkdir "$C/late"
	until_true has "\"$B/late\"" "$T/samples"
	faults late 70
	stop > "$T/shown"
	rmdir "$C/late"
}

@test "cgroup: -O, then -I: the same bytes; other views of the samples" {
	cgroups
	local options
	for options in '' '-t -T u' '-A cpu -k -pic0' '-A soc -m -n' --format=csv '--format=json -A cor'; do
		# shellcheck disable=SC2086
		TZ=UTC life $options
		# shellcheck disable=SC2086
		TZ=UTC "$CPUSTAT" $options -I "$T/samples" > "$T/again" 2> "$T/again.err"
		cmp "$T/out" "$T/again"
		diff "$T/out.err" "$T/again.err"
	done
	! command -v python3 > /dev/null || python3 "$BATS_TEST_DIRNAME/records.py" "$T/samples"
	# The file of one run in other ways: each view has the same totals.
	life
	local scope
	for scope in cpu cor soc; do
		"$CPUSTAT" -I "$T/samples" -A $scope --format=csv 2> "$T/err" | awk -F, '$3 == "total" { print $5, $7, $11 }' |
			sort > "$T/$scope"
		grep -q "^$B/a 1 " "$T/$scope"
		cmp "$T/cpu" "$T/$scope"
	done
	# The page faults came in the turn of the one set or of the other.
	awk -v path="$B/a" '$2 == path && $3 == "total" { n += $4 + $5 } END { exit !n }' "$T/out"
	run -2 "$CPUSTAT" -I "$T/samples" --chart
	[[ $output == *"--chart draws CPUs"* ]]
	run -2 "$CPUSTAT" -I "$T/samples" -A 2
	[[ $output == *"not bins"* ]]
	run -2 "$CPUSTAT" -I "$T/samples" -m -A cpu
	[[ $output == *"-m with --cgroup needs -A cor or -A soc"* ]]
	# The samples are those of --format=json.
	life -A cpu -t --format=json
	cmp "$T/out" "$T/samples"
	run -0 "$CPCREPORT" "$T/samples"
	[[ $output == *"$B/late"* ]]
}

@test "cgroup: what does not go together is refused with words" {
	refused() {
		local text=$1
		shift
		run -2 --separate-stderr "$CPUSTAT" "$@"
		[[ $stderr == "cpustat: "*"$text"* ]] || { echo "$stderr"; return 1; }
	}
	refused '-A cpu needs --cgroup' -A cpu 1
	refused 'not bins' --cgroup=/ -A 3 1
	refused '-m with --cgroup needs -A cor or -A soc' --cgroup=/ -m 1
	refused '-m with --cgroup needs -A cor or -A soc' --cgroup=/ -m -A cpu 1
	refused '-s is for whole CPUs' --cgroup=/ -s 1
	refused 'a cgroup includes those below it' --cgroup=/ --summary 1
	refused '--chart draws CPUs' --cgroup=/ --chart 1
	refused '--cgroup counts, so use it without -I' --cgroup=/ -I "$T/x"
	refused "'cpu' is a label of the metrics already" --openmetrics="$T/x" --label=cpu=1 -c page-faults 0.01 1
	run -125 --separate-stderr "$CPUSTAT" --cgroup=/ --engine=sim -c page-faults 1
	[[ $stderr == *"cannot simulate cgroups"* ]]
}

@test "cgroup: cpcreport shows what was saved: the counts of each cgroup, CSV as it was printed, a page" {
	cgroups a b
	counting --cgroup="$B/*" -c page-faults --format=json 0.05
	faults a 300
	faults b 7000
	rmdir "$C/a"
	until_true has "\"record\":\"total\".*\"id\":\"$B/a\"" "$T/out"
	mkdir "$C/a"
	until_true eval 'sed "1,/\"total\".*\"id\":\"$B.a\"/d" "$T/out" | grep -q "\"sample\".*\"id\":\"$B.a\""'
	faults a 20
	stop > "$T/shown"
	run -0 "$CPCREPORT" "$T/out"
	[[ "${lines[1]}" == 'cpustat on '* ]]
	# The counts of both cgroups that had the name a; no sum of all, which can be counted twice.
	[ "$(sed -n '3,$p' <<< "$output" | awk 'NF { print $1, $2 }' | tr '\n' ';')" = "cgroup page-faults;$B/a 320;$B/b 7000;" ]
	# The same without the totals, as if cpustat had been killed.
	grep -v '"record":"\(total\|end\)"' "$T/out" > "$T/killed"
	run -0 "$CPCREPORT" "$T/killed"
	[[ $output == *"$B/a "*" 320"*"$B/b "*" 7000"*'incomplete: '* ]]
	run -0 "$CPCREPORT" --chart "$T/out"
	[[ $output == *"$B/b "*" 7000"* ]]
	run -0 "$CPCREPORT" --format=html "$T/out"
	[[ $output == *'>cgroup<'*"$B/a<"*'>320<'*"$B/b<"*'>7,000<'* ]]
	[[ $output != *'Over time'* ]]
}

@test "cgroup: cpcreport prints as CSV the columns of cpustat, with the CPU, core or socket" {
	need jq
	cgroups a b
	local scope name
	for scope in '' -Acpu -Acor -Asoc; do
		"$CPUSTAT" --cgroup="$B/*" $scope -c page-faults,task-clock --format=json 0.02 3 > "$T/run"
		name=$(case $scope in -Acor) echo core ;; -Asoc) echo socket ;; *) echo cpu ;; esac)
		"$CPCREPORT" --format=csv "$T/run" > "$T/csv"
		[ "$(head -n 1 "$T/csv")" = "$("$CPUSTAT" --cgroup="$B/a" -c page-faults --format=csv 0.01 1 | head -n 1)" ]
		jq -r --arg host "$(hostname)" --arg name $name 'select(.values) | . as $r | .values[] |
			[$r.what, $r.scope, $r.id, $r.cpus, .name, .value, .count, .enabled_ns, .running_ns, .class, $host, .mode,
			if $r.cpu == null and $name == "cpu" then "" else $r[$name] end] | map(. // "" | tostring) | join(",")' "$T/run" > "$T/want"
		awk -F, -v OFS=, -v at=$(case $name in cpu) echo 2 ;; core) echo 1 ;; *) echo 0 ;; esac) \
			'NR > 1 { print $3, $4, $5, $6, $10, $11, $12, $13, $14, $15, $17, $19, $(NF - at) }' "$T/csv" | diff "$T/want" -
	done
	run -0 "$CPCREPORT" "$T/run"
	[ "$(grep -c "$B/[ab] " <<< "$output")" -eq 2 ]
	# A run has rows of cgroups alone, or none.
	sed '/"record":"sample"/{ s/"scope":"cgroup","id":"[^"]*"/"scope":"cpu","id":0/; :all; n; b all; }' "$T/run" > "$T/mixed"
	run -125 "$CPCREPORT" "$T/mixed"
	[[ $output == *'the record is malformed'* ]]
	sed 's/"scope":"cgroup","id":"[^"]*"/"scope":"cgroup","id":7/' "$T/run" > "$T/numbered"
	run -125 "$CPCREPORT" "$T/numbered"
}

@test "cgroup: a container in a cgroup counts itself, and is counted from outside" {
	cgroups pod
	local inside=(unshare --user --map-root-user --pid --fork --mount-proc) why
	why=$("${inside[@]}" "$PROG/act" may user 2>&1) || skip "a container may not count here: $why"
	counting --cgroup="$B/pod" -c page-faults,task-clock 0.05
	(echo "$BASHPID" > "$C/pod/cgroup.procs" &&
		exec "${inside[@]}" "$CPUTRACK" -n -T 0 -c page-faults,task-clock "$PROG/act" spin 50) > "$T/inside"
	stop
	# What runs the program belongs to the cgroup, too.
	awk -v path="$B/pod" 'NR == FNR { if ($3 == "exit") { faults = $4; ns = $5 } next }
		$2 == path && $3 == "total" { found = faults > 0 && ns > 1e6 && $4 >= faults && $5 >= ns }
		END { exit !found }' "$T/inside" "$T/out"
}
