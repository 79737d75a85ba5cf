# What cpustat prints, byte for byte, for the files of samples test/golden/cpustat/*.samples, which are as -O writes
# them, and how it reads files that are cut or damaged.

bats_require_minimum_version 1.5.0
load helper

DIR=${GOLDEN:-$BATS_TEST_DIRNAME/golden}/cpustat

setup() {
	export TZ=UTC LC_ALL=C
}

# The title of the tick column depends on the processor.
cycles() {
	case $(uname -m) in
	x86_64 | i?86) cat ;;
	*) sed 's/^\(   time ... event \)      tsc/\1     tick/' ;;
	esac
}

# golden NAME SAMPLES OPTION...: checks that the status is 0, stdout the file NAME, and stderr NAME.err, or empty.
golden() {
	local name=$1 samples=$2 status=0
	shift 2
	"$CPUSTAT" -I "$DIR/$samples.samples" "$@" > "$T/stdout" 2> "$T/err" || status=$?
	[ "$status" -eq 0 ] || { cat "$T/err"; return 1; }
	cycles < "$DIR/$name" | diff - <(sed 's/"version":"[^"]*"/"version":""/' "$T/stdout") || return 1
	[ -e "$DIR/$name.err" ] || { diff /dev/null "$T/err"; return; }
	diff "$DIR/$name.err" "$T/err"
}

@test "golden: title, rows and total; no title" {
	golden run run
	golden run-n run -n
	tail -n +2 "$DIR/run" | diff - "$DIR/run-n"
}

@test "golden: -t" {
	golden run-t run -t
	golden run-nt run -nt
	tail -n +2 "$DIR/run-t" | diff - "$DIR/run-nt"
}

@test "golden: -T u and -T d: a line before each row but the total" {
	golden run-u run -T u
	golden run-d run -T d
	[ "$(grep -c 'UTC 2023$' "$DIR/run-d")" -eq 12 ]
	sed '/UTC 2023$/d' "$DIR/run-d" | diff - "$DIR/run"
	# The date is that of date(1) in the C locale, in any time zone.
	grep 'UTC 2023$' "$DIR/run-d" | while read -r it; do date -d "$it" +%s; done |
		diff - <(grep '^[0-9]*$' "$DIR/run-u")
	TZ=Asia/Tokyo "$CPUSTAT" -I "$DIR/run.samples" -T d > "$T/tokyo"
	[ "$(sed -n 2p "$T/tokyo")" = "$(TZ=Asia/Tokyo date -d @1700000001 '+%a %b %e %T %Z %Y')" ]
}

@test "golden: two sets: each row names its set, each set has a total, and late samples are reported" {
	golden sets sets
	golden sets-d sets -T d -t
	golden sets-k sets -k -pic1,-cpu
}

@test "golden: 13 counters, and values of more than 9 digits" {
	golden wide wide
	golden wide-soc wide -A soc
}

@test "golden: unavailable, scaled and approximate values, a CPU that goes offline, unknown cores" {
	golden odd odd
	golden odd-cor odd -A cor
	golden odd-soc-m odd -A soc -m
	golden odd-2 odd -A 2 -k cpu_atom/event=0xc0/
	# The remarks on values do not depend on the options of the view.
	for it in odd-cor odd-soc-m odd-2; do
		diff "$DIR/odd.err" "$DIR/$it.err"
	done
}

@test "golden: -A cor" {
	golden run-cor run -A cor
	golden run-cor run -A core
	golden run-cor-t run -A cor -t
	golden sets-cor sets -A cor
}

@test "golden: -A soc" {
	golden run-soc run -A soc
	golden run-soc run -A socket
	golden run-soc-m run -mA soc
	golden run-soc-d run -A soc -T d
}

@test "golden: -A BINS" {
	golden run-3 run -A 3
	golden run-3-m run -A 3 -m -t
	golden run-1 run -A 1
	# There are no empty bins.
	golden run-4 run -A 4
	golden run-4 run -A 1000000
}

@test "golden: -k" {
	golden run-k-pic0 run -k -pic0
	golden run-k-pic0 run -k -cycles
	golden run-k-soc-instructions run -k soc,-instructions
	golden run-k-soc-instructions run -k +SOC,-pic1
	golden run-k-time run -k -time
	golden run-k-time run -k -cpu
	golden run-k-tick run -k -tick
	golden run-k-tick run -k -TSC
	golden run run -k cpu
	golden run-k-core run -k core,-cpu
	golden run-cor-k run -A cor -k -pic1
	golden run-2-k run -A 2 -k -pic0
	golden run-cor-k-sze run -A cor -k -sze,-core
}

@test "golden: -o limits the rows, and not the total" {
	golden run-o run -o 2
	golden run run -o 4
	golden run run -o 4000000000
	golden run-k-o run -k -pic0 -o 1
	golden run-cor-o run -A cor -k pic1 -o 1
	golden run-3-o run -A 3 -o 2
}

@test "golden: CSV" {
	golden run.csv run --format=csv
	golden run-t.csv run --format=csv -t
	golden run-cor.csv run --format=csv -A cor
	golden run-3.csv run --format=csv -A 3 -m
	golden sets.csv sets --format=csv
	golden odd.csv odd --format=csv
	golden odd-soc.csv odd --format=csv -A soc
	# CSV has no lines with the time.
	golden run.csv run --format=csv -T d
	tail -n +2 "$DIR/run.csv" > "$T/want"
	"$CPUSTAT" -n --format=csv -I "$DIR/run.samples" | diff "$T/want" -
}

@test "golden: JSON" {
	golden run.json run --format=json
	golden run-t.json run --format=json -t
	golden run-soc.json run --format=json -A soc
	golden run-2-k.json run --format=json -A 2 -k -pic0
	golden sets.json sets --format=json
	golden odd.json odd --format=json
	golden run.json run --format=json -n -T u
	need python3
	local file
	for file in run run-t run-soc run-2-k sets odd; do
		python3 "$BATS_TEST_DIRNAME/records.py" "$DIR/$file.json"
	done
}

@test "golden: totals are the sums of the rows: CSV" {
	local it
	for it in run odd sets; do
		awk -F, 'NR > 1 && $11 != "" { if ($3 == "tick") { if ($11 < 1e15) s[$7 "," $9] += $11 }
			else { n++; t[$7 "," $9] = $11 } }
			END { for (k in t) if (s[k] != t[k] && !(FILENAME ~ /odd/ && k == "0,0")) exit 1; exit n < 2 }' \
			"$DIR/$it.csv"
	done
	# Sums are modulo 2^64: a count is 2^64 - 1.
	grep -q '^10.000010000,[^,]*,total,all,,3,0,,0,cycles,10000000039,' "$DIR/odd.csv"
}

@test "golden: bad use with a file" {
	for it in junk pic2 branches; do
		run -2 --separate-stderr "$CPUSTAT" -I "$DIR/run.samples" -k "$it"
		[ -z "$output" ]
		[[ $stderr == "cpustat: -k: no column '$it'; "*"olumns are "*" pic0, pic1, cycles, instructions" ]]
	done
	"$CPUSTAT" -I "$DIR/sets.samples" -k branches > "$T/stdout" 2> "$T/err"
}

@test "golden: --strict: status 125 if a value is not exact" {
	"$CPUSTAT" --strict -I "$DIR/run.samples" | diff "$DIR/run" -
	run -125 bash -c "'$CPUSTAT' --strict -I '$DIR/odd.samples' 2> /dev/null"
	[ "$output" = "$(cat "$DIR/odd")" ]
}

@test "golden: the samples come from a pipe" {
	"$CPUSTAT" -I - < "$DIR/run.samples" | diff "$DIR/run" -
	# shellcheck disable=SC2002
	cat "$DIR/run.samples" | "$CPUSTAT" -A cor -I /dev/stdin | diff "$DIR/run-cor" -
}

@test "golden: neither privileges nor hardware counters are needed" {
	need_root
	need setpriv
	public_dir
	install -m 644 "$DIR/run.samples" "$D"
	as_nobody "$D/cpustat" -I "$D/run.samples" | diff "$DIR/run" -
}

# damaged TEXT [OPTION...]: checks that reading $T/bad ends with status 125, prints $T/want, and prints a message
# that has the name of the file and TEXT.
damaged() {
	local text=$1 status=0
	shift
	"$CPUSTAT" -I "$T/bad" "$@" > "$T/stdout" 2> "$T/err" || status=$?
	cat "$T/err"
	[ "$status" -eq 125 ] && [ "$(head -n 1 "$T/err")" = "cpustat: cannot read '$T/bad': $text" ] && diff "$T/want" "$T/stdout"
}

# part N: writes to $T/want what cpustat prints for the first N of the 3 intervals of the samples "run", with their total.
part() {
	head -n $((1 + 4 * $1)) "$DIR/run" > "$T/want"
	[ "$1" -eq 0 ] || awk 'NR > 1 { t = $1; p0 += $4; p1 += $5 }
		END { printf "%7s %3d %5s %9.0f %9.0f \n", t, 4, "total", p0, p1 }' "$T/want" > "$T/total"
	[ "$1" -eq 0 ] || cat "$T/total" >> "$T/want"
}

NO_END='the run has no end: it was killed or could not write; its last interval, of which samples may be missing, is left out'

@test "damage: the file is cut at the end of a line: the intervals before the last one are shown, and their total" {
	local n lines
	lines=$(wc -l < "$DIR/run.samples")
	[ "$lines" -eq 15 ]
	for ((n = 1; n < lines; n++)); do
		head -n "$n" "$DIR/run.samples" > "$T/bad"
		# A sample or the total of the next interval shows that an interval is complete.
		part $((n < 2 ? 0 : (n - 2) / 4))
		damaged "$NO_END"
	done
}

@test "damage: the file is cut within a line" {
	local size
	size=$(wc -c < "$DIR/run.samples")
	head -c $((size - 2)) "$DIR/run.samples" > "$T/bad"
	part 3
	damaged "line 15 is cut off: the file ends in the middle of it"
	head -n 10 "$DIR/run.samples" | head -c -9 > "$T/bad"
	part 1
	damaged "line 10 is cut off: the file ends in the middle of it"
	head -c 100 "$DIR/run.samples" > "$T/bad"
	: > "$T/want"
	damaged "line 1 is cut off: the file ends in the middle of it"
	# The same with merged rows and other formats.
	local status=0
	head -n 11 "$DIR/run.samples" | head -c -9 > "$T/bad"
	"$CPUSTAT" --format=json -A soc -I "$T/bad" > "$T/stdout" 2> "$T/err" || status=$?
	[ "$status" -eq 125 ]
	head -n 5 "$DIR/run-soc.json" | diff - <(sed 's/"version":"[^"]*"/"version":""/' "$T/stdout" | head -n -2)
	[[ $(tail -n 2 "$T/stdout" | head -n 1) == *'"scope":"all","id":null,"cpus":4,"what":"total",'* ]]
	[[ $(tail -n 1 "$T/stdout") == *'"record":"end",'*'"time_ns":2000094000,'*'"status":125,'* ]]
}

# wrong LINE SED TEXT: checks the samples "run" with a line changed.
wrong() {
	sed "$1$2" "$DIR/run.samples" > "$T/bad"
	! cmp -s "$T/bad" "$DIR/run.samples"
	damaged "$3"
}

@test "damage: a line is changed: the intervals before it are shown" {
	: > "$T/want"
	wrong 1 's/"name":"cycles"/"name":7/' 'line 1: the fields of its run are missing or malformed'
	wrong 1 's/"tool":"cpustat"/"tool":"perfex"/' 'line 1: the run is of perfex, not of cpustat; cpcreport shows it'
	wrong 1 's/"sets":.*/"sets":[]}/' 'line 1: the run has no events'
	wrong 1 's/"pic":1,/"pic":null,/' 'line 1: an event of the run has no counter'
	wrong 1 d 'line 1: the file does not begin with the record of a run'
	part 0
	wrong 3 's/"value":1045998/"value":-1/' 'line 3: the fields of its sample are missing or malformed'
	wrong 3 's/"values":.*/"values":[]}/' 'line 3: the fields of its sample are missing or malformed'
	wrong 2 's/"interval":1,//' 'line 2: it is not the sample of one CPU; -O saves those of CPUs, and cpcreport shows others'
	wrong 2 's/"scope":"cpu"/"scope":"core"/' 'line 2: it is not the sample of one CPU; -O saves those of CPUs, and cpcreport shows others'
	wrong 2 's/"scope":"cpu","id":0/"scope":"cgroup","id":"a","cpu":0/' 'line 2: it is the sample of a cgroup, which the run does not count'
	wrong 4 's/"id":2/"id":1/' 'line 4: CPU 1 comes after CPU 1 in an interval'
	wrong 4 's/"run":":0:/"run":":1:/' 'line 4: it is of another run; cpcreport shows several runs'
	part 2
	wrong 10 's/"interval":3/"interval":1/' 'line 10: interval 1 comes after interval 2'
	part 1
	wrong 10 's/"class"/class/' 'line 10 is not JSON: a key is missing at byte 344'
	part 3
	wrong 15 's/"records":15/"records":16/' 'line 15: the run has 16 records, but 15 are in the file'
	wrong 15 's/"records":15,//' 'line 15: the fields of its end are missing or malformed'
}

@test "damage: a CPU of an interval has another set" {
	sed '3s/"set":0/"set":1/' "$DIR/sets.samples" > "$T/bad"
	run -125 --separate-stderr "$CPUSTAT" -I "$T/bad"
	[ "$(head -n 1 <<< "$stderr")" = "cpustat: cannot read '$T/bad': line 3: the fields of its sample are missing or malformed" ]
	sed '/"record":"run"/s/"name":"branches".*/"name":"branches"},{"pic":1,"name":"more"}]}]}/; 3s/"set":0/"set":1/' "$DIR/sets.samples" > "$T/bad"
	run -125 --separate-stderr "$CPUSTAT" -I "$T/bad"
	[ "$(head -n 1 <<< "$stderr")" = "cpustat: cannot read '$T/bad': line 3: its set is not that of its interval" ]
}

@test "damage: lines are missing, doubled or after the end" {
	part 3
	wrong 15 p 'line 16: it comes after the end of the run'
	wrong 14 d 'line 14: the run has 15 records, but 14 are in the file'
	part 1
	wrong 7 p 'line 8: CPU 1 comes after CPU 1 in an interval'
	cat "$DIR/run.samples" "$DIR/run.samples" > "$T/bad"
	part 3
	damaged 'line 16: it is of another run; cpcreport shows several runs'
}

@test "damage: the file is empty, or has other contents" {
	: > "$T/want"
	: > "$T/bad"
	damaged "the file is empty"
	for it in text 'cpustat-samples	1	e0c0ffc2'; do
		echo "$it" > "$T/bad"
		damaged "line 1 is not a record, which begins with '{'; --format=json and --save write records"
	done
	cp "$CPUSTAT" "$T/bad"
	damaged "line 1 is not a record, which begins with '{'; --format=json and --save write records"
	rm "$T/bad"
	damaged "No such file or directory"
	mkdir "$T/bad"
	damaged "Is a directory"
}

@test "damage: the file has a newer version, or records that are not known yet" {
	: > "$T/want"
	wrong 1 's/"schema":2/"schema":3/' 'line 1 is a record of schema 3; this version reads records up to schema 2'
	sed 's/"records":15/"records":16/; 3{h;s/"record":"sample"/"record":"thing"/;G}' "$DIR/run.samples" > "$T/good"
	"$CPUSTAT" -I "$T/good" | diff "$DIR/run" -
}

@test "damage: commands to a terminal in a file are not printed" {
	sed '1s/"host":null/"host":"a\xc2\x9b31m"/' "$DIR/run.samples" > "$T/good"
	run -0 "$CPUSTAT" --format=json -I "$T/good"
	[[ ${lines[0]} == *'"host":"a\u009b31m"'* ]]
	[[ ${lines[1]} == *'"scope":"cpu","id":0,'* ]]
}
