# What cpustat prints, byte for byte, for the files of samples test/golden/cpustat/*.samples, and how it reads files
# that are cut or damaged.
#
# The samples are as -O writes them. To change them, cut the last field of each line, edit, and call seal.

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

# seal: copies the lines of a file of samples from stdin to stdout and appends checksums. Each is zlib's CRC-32 of
# all bytes before it.
seal() {
	python3 -c '
import sys, zlib
crc = 0
for line in sys.stdin.buffer:
    line = line.rstrip(b"\n") + b"\t"
    crc = zlib.crc32(line, crc)
    line += b"%08x\n" % crc
    crc = zlib.crc32(line[-9:], crc)
    sys.stdout.buffer.write(line)'
}
# unseal FILE: prints its lines without their checksums.
unseal() { sed 's/	[0-9a-f]\{8\}$//' "$1"; }

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

@test "golden: the checksums are CRC-32" {
	need python3
	for it in run sets wide odd; do
		unseal "$DIR/$it.samples" | seal | cmp - "$DIR/$it.samples"
	done
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

@test "damage: the file is cut at the end of a line: whole intervals are shown, and their total" {
	local lines shown
	lines=$(wc -l < "$DIR/run.samples")
	[ "$lines" -eq 21 ]
	for ((n = 5; n < lines; n++)); do
		head -n "$n" "$DIR/run.samples" > "$T/bad"
		shown=$(((n - 5) / 5))
		part "$shown"
		if (((n - 5) % 5 == 0)); then
			damaged "line $((n + 1)): the line is missing: the file has no end"
		else
			damaged "line $((n + 1)): the line is missing: the file was cut before it"
		fi
	done
}

@test "damage: the file is cut within a line" {
	local size
	size=$(wc -c < "$DIR/run.samples")
	head -c $((size - 1)) "$DIR/run.samples" > "$T/bad"
	part 3
	damaged "line 21: the file was cut in this line"
	head -c $((size - 300)) "$DIR/run.samples" > "$T/bad"
	part 2
	damaged "line $(($(wc -l < "$T/bad") + 1)): the file was cut in this line"
	# The same with merged rows and other formats.
	local status=0
	"$CPUSTAT" --format=json -A soc -I "$T/bad" > "$T/stdout" 2> "$T/err" || status=$?
	[ "$status" -eq 125 ]
	head -n 5 "$DIR/run-soc.json" | diff - <(sed 's/"version":"[^"]*"/"version":""/' "$T/stdout" | head -n -2)
	[[ $(tail -n 2 "$T/stdout" | head -n 1) == *'"scope":"all","id":null,"cpus":4,"what":"total",'* ]]
	[[ $(tail -n 1 "$T/stdout") == *'"record":"end"'*'"status":125,'* ]]
}

# change LINE SED: copies the samples "run" and changes a line; fails if the line stays the same.
change() {
	sed "$1$2" "$DIR/run.samples" > "$T/bad"
	! cmp -s "$T/bad" "$DIR/run.samples"
}

@test "damage: a byte is changed: intervals before it are shown" {
	: > "$T/want"
	change 3 's/=cycles/=cyclet/'
	damaged "line 3: the checksum does not match"
	part 0
	change 7 's/765308/765309/'
	damaged "line 7: the checksum does not match"
	part 1
	change 14 's/4811/4812/'
	damaged "line 14: the checksum does not match"
	change 11 's/interval/intervak/'
	damaged "line 11: the checksum does not match"
	part 2
	# The checksum itself is changed, also to capitals.
	change 20 's/.$/x/'
	damaged "line 20: the checksum is missing"
	change 20 's/[0-9a-f]\{8\}$/00000000/'
	damaged "line 20: the checksum does not match"
	part 3
	change 21 's/end	3/end	4/'
	damaged "line 21: the checksum does not match"
}

@test "damage: lines are missing, doubled or in another order" {
	part 1
	change 12 d
	damaged "line 12: the checksum does not match"
	change 12 p
	damaged "line 13: the checksum does not match"
	change 12 '{h;d};13G'
	damaged "line 12: the checksum does not match"
	part 3
	change 21 p
	damaged "line 22: the file goes on after its end"
}

@test "damage: the file is empty, or has other contents" {
	: > "$T/want"
	: > "$T/bad"
	damaged "line 1: the line is missing: the file is empty"
	for it in text '' $'\t'; do
		echo "$it" > "$T/bad"
		damaged "line 1: this is not a file of cpustat's samples"
	done
	cp "$CPUSTAT" "$T/bad"
	damaged "line 1: this is not a file of cpustat's samples"
	head -c 3000000 /dev/zero > "$T/bad"
	damaged "line 1: this is not a file of cpustat's samples"
	rm "$T/bad"
	damaged "No such file or directory"
	mkdir "$T/bad"
	damaged "Is a directory"
}

@test "damage: the file has a newer version, and perhaps another format" {
	: > "$T/want"
	change 1 's/.*/cpustat-samples	2/'
	damaged "line 1: the file was made by a newer cpustat: version 2, this one reads 1"
	printf 'cpustat-samples\t3\tzip\n\001\002' > "$T/bad"
	damaged "line 1: the file was made by a newer cpustat: version 3, this one reads 1"
	need python3
	unseal "$DIR/run.samples" | sed '1s/1$/0/' | seal > "$T/bad"
	damaged "line 1: this is not a file of cpustat's samples"
}

# wrong LINE SED TEXT: checks the samples "run" with a line changed and valid checksums.
wrong() {
	unseal "$DIR/run.samples" | sed "$1$2" | seal > "$T/bad"
	cmp -s "$T/bad" "$DIR/run.samples" && return 1
	damaged "line $1: $3"
}

@test "damage: wrong lines with valid checksums" {
	need python3
	part 1
	wrong 13 's/^cpu	1	/cpu	0	/' 'CPU 0 comes after CPU 0'
	wrong 11 's/	2	/	1	/' 'interval 1 comes after interval 1'
	wrong 12 's/exact/exakt/' 'field 7 is not a class'
	wrong 12 's/$/	1/' 'the line has more than 16 fields'
	wrong 12 's/^cpu	0	0	0	[0-9]*/cpu	0	0	0	-5/' \
		'field 5 is not a number of at most 9223372036854775807'
	wrong 11 's/	0	/	1	/' 'field 3 is not a number of at most 0'
	part 3
	wrong 21 's/	12	/	13	/' 'the numbers of intervals and samples are not those of the file'
	unseal "$DIR/run.samples" | sed '$a interval	4	0	0' | seal > "$T/bad"
	damaged "line 22: the file goes on after its end"
}
