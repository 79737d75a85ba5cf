# The records of --format=json: every line has the fields of opencpc-records(5), and no others. test/records.py reads the
# table of fields from the page.

bats_require_minimum_version 1.5.0
load helper

setup_file() {
	need python3
}

good() {
	python3 "$BATS_TEST_DIRNAME/records.py" "$@"
}

# field FILE RECORD EXPRESSION: prints the value of a Python expression in which r is the first record of this kind.
field() {
	python3 -c '
import json, sys
r = next(r for r in map(json.loads, open(sys.argv[1])) if r["record"] == sys.argv[2])
print(eval(sys.argv[3]))' "$@"
}

# cpus_countable: can cpustat count CPUs here?
cpus_countable() {
	"$CPUSTAT" -c page-faults 0.01 1 > "$T/tried" 2>&1
}

# record_functions: save simulated runs with counts by function, and compare with them.
record_functions() {
	# work() is a static function, and functions of libraries have a file.
	printf '%s\n' 'static int __attribute__((noinline)) work(int n) { volatile int s = 0; while (n--) s += n; return s; }' \
		'int main(int argc, char **argv) { (void)argv; return work(argc * N) == 1; }' > "$T/work.c"
	"${CC:-cc}" -O1 -DN=10 -o "$T/work" "$T/work.c"
	"$CPUTRACK" --quiet --engine=sim --repeat=3 --where --save="$T/f4" -c instructions,page-faults "$T/work"
	"${CC:-cc}" -O1 -DN=20 -o "$T/work" "$T/work.c"
	"$CPUTRACK" --quiet --engine=sim --repeat=3 --where --baseline="$T/f4" --vs=true --format=json -o "$T/f5" \
		-c instructions,page-faults "$T/work"
}

@test "records: each field of the page is seen in some run, and has a value there" {
	local sim=
	"$CPUTRACK" --format=json -fevt -T 0.02 -o "$T/a" -c task-clock,page-faults -c page-faults,nouser \
		sh -c '/bin/true; sleep 0.05; exec "$1" seq 2' sh "$PROG/oracle"
	SLURM_JOB_ID=7 SLURM_STEP_ID=2 OMPI_COMM_WORLD_RANK=1 OMPI_COMM_WORLD_SIZE=4 OMPI_COMM_WORLD_LOCAL_RANK=0 \
		CPC_LABEL=site=a "$PERFEX" --format=json -p 20 -o "$T/b.%r" -e page-faults sh -c 'sleep 0.03; kill -9 $$' || [ $? -eq 137 ]
	! cpus_countable || "$CPUSTAT" --format=json -t -A soc -c page-faults 0.01 2 > "$T/c"
	if cpus_countable && "$CPUSTAT" --cgroup=/ --format=json -c page-faults 0.01 1 > "$T/c1"; then
		"$CPUSTAT" --cgroup=/ -A cpu --format=json -c page-faults 0.01 1 > "$T/c2"
		"$CPUSTAT" --cgroup=/ -A cor --format=json -c page-faults 0.01 1 > "$T/c3"
		"$CPUSTAT" --cgroup=/ -A soc --format=json -c page-faults 0.01 1 > "$T/c4"
	else
		rm -f "$T/c1"
	fi
	"$CPUTRACK" --format=json --repeat=6 --vs=true -c page-faults,task-clock -o "$T/f" sh -c 'ls / > /dev/null'
	"$CPUTRACK" --repeat=6 --save="$T/saved" -c page-faults true
	"$CPUTRACK" --format=json --repeat=6 --baseline="$T/saved" --limit=page-faults=900% -o "$T/f2" -c page-faults true
	"$CPUTRACK" --format=json --repeat=6 --vs=true --limit=page-faults=900% -o "$T/f3" -c page-faults true
	# Two runs are too few, which is a warning.
	"$CPUTRACK" --format=json --repeat=2 -c page-faults -o "$T/f6" true
	"$CPUSTAT" --format=json -I test/golden/cpustat/odd.samples > "$T/d" 2> "$T/stderr"
	if "$PERFEX" --engine=sim --reproducible -y -a --format=json -o "$T/e" true 2> "$T/stderr"; then
		sim=1
		record_functions
	else
		rm -f "$T/e"
	fi
	python3 "$BATS_TEST_DIRNAME/records.py" --seen "$T"/[a-f]* > "$T/seen"
	# Without the simulator or without CPUs some fields are not seen.
	[ "$sim" ] && [ -e "$T/c1" ] || skip "no simulator, or CPUs or cgroups cannot be counted: all lines are good"
	awk '/^\.Sh/ { on = /FIELDS/ } on && /^\.Ss/ { kind = substr($0, 5) }
		on && /^\.It/ { print kind "." $3 "!" }' man5/opencpc-records.5 | sed 's/^sample, total, event\./sample./' |
		sort -u > "$T/page"
	# In "sample" only the fields of samples are seen, and the others in "event".
	sed -i 's/^\(total\|event\)\./sample./' "$T/seen"
	sort -u "$T/seen" | comm -13 - "$T/page" > "$T/missing"
	# These depend on the machine or are never seen in these runs.
	! grep -v -E '^statistic\.(lwp|tid)!$|^request\.attrs!$|^run\.(governor|turbo)!$|^warning\.event!$' "$T/missing"
}

@test "records: the check finds what is wrong" {
	"$CPUTRACK" --format=json -T 0 -o "$T/a" -c page-faults true
	good "$T/a"
	local change
	for change in 's/"schema":2/"schema":3/' 's/"tool":"cputrack"/"tool":"cpu"/' 's/"status":0,//' 's/"records":3/"records":4/' \
		's/"status":0/"status":"0"/' 's/"count":[0-9]*/"count":null/' 's/"skipped":0/"skipped":-1/' \
		's/"skipped":0/"skipped":18446744073709551616/' 's/"skipped":0/"skipped":0,"more":1/' 's/"mode":"user","unit":"1","value"/"mode":"sys","unit":"1","value"/' \
		's/"lwp":1,//' 's/"what":"exit"/"what":"exit","child":3/' 's/"class":"exact"/"class":"good"/' 3d 1d 's/,"signal":null/,"signal":null,"signal":null/'; do
		sed "$change" "$T/a" > "$T/bad"
		! cmp -s "$T/a" "$T/bad"
		! good "$T/bad" 2> "$T/err" || { echo "$change"; return 1; }
	done
	sed 3d "$T/a" > "$T/cut"
	good --cut "$T/cut"
}

@test "records: runs can be concatenated and sorted" {
	local i
	for i in 1 2 3; do
		"$CPUTRACK" --format=json -T 0.01 -o "$T/$i" -c page-faults sleep 0.03
	done
	cat "$T/2" "$T/1" "$T/3" > "$T/all"
	good "$T/all"
	[ "$(sort "$T/all" | grep -o '"run":"[^"]*"' | sort -u | wc -l)" -eq 3 ]
}

@test "records: a run that is killed has no end; its other records are whole" {
	start "$T/out" "$CPUTRACK" --format=json -T 0.01 -o "$T/rows" -c task-clock "$PROG/act" park
	local tool=$!
	pid=$(ready_pid "$T/out")
	started+=("$pid")
	until_true has '"tick"' "$T/rows"
	kill -KILL "$tool"
	wait "$tool" || true
	good --cut "$T/rows"
	! good "$T/rows" 2> "$T/err"
	has 'no end' "$T/err"
}

@test "records: the end has the status and the signal" {
	"$CPUTRACK" --format=json -T 0 -o "$T/a" -c page-faults sh -c 'exit 7' || [ $? -eq 7 ]
	[ "$(field "$T/a" end '(r["status"], r["signal"])')" = "(7, None)" ]
	"$PERFEX" --format=json -o "$T/a" -e page-faults sh -c 'kill -TERM $$' || [ $? -eq 143 ]
	[ "$(field "$T/a" end '(r["status"], r["signal"])')" = "(143, 15)" ]
	good "$T/a"
}

@test "records: labels of --label and CPC_LABEL" {
	CPC_LABEL='a=1,,b=x=y,c=' "$CPUTRACK" --format=json --label=b=2 --label d=p,q --label=d=$'\xff"' -T 0 -o "$T/a" \
		-c page-faults true
	[ "$(field "$T/a" run 'r["label"]')" = "{'a': '1', 'b': '2', 'c': '', 'd': '"$'\xef\xbf\xbd'"\"'}" ]
	local label
	for label in a =1 1a=2 a-b=1 ''; do
		run -2 "$CPUTRACK" --label="$label" -T 0 -c page-faults touch "$T/ran"
		[[ $output == *"--label: '$label' is not KEY=VALUE"* ]]
	done
	CPC_LABEL=a=1,b run -2 "$PERFEX" -e page-faults touch "$T/ran"
	[[ $output == *"CPC_LABEL: 'a=1,b' is not a list of labels"* ]]
	[ ! -e "$T/ran" ]
}

@test "records: the rank of a launcher, in JSON and CSV" {
	export OMPI_COMM_WORLD_RANK=3 OMPI_COMM_WORLD_SIZE=8 OMPI_COMM_WORLD_LOCAL_RANK=1 SLURM_JOB_ID=77
	"$PERFEX" --format=json -o "$T/a.%r" -e page-faults true
	[ "$(field "$T"/a.* run '[r[k] for k in ("launcher", "rank", "size", "local", "job")]')" = "['Open MPI', 3, 8, 1, '77']" ]
	"$CPUTRACK" --format=csv -T 0 -o "$T/b.%r" -c page-faults,sys true 2> "$T/err" ||
		"$CPUTRACK" --format=csv -T 0 -o "$T/b.%r" -c page-faults true
	[[ $(tail -n 1 "$T"/b.*) =~ ,"$(hostname)",3,user(\+sys)?,[^,]*$ ]]
}

@test "records: a line is written by one write(2), however long" {
	need strace
	local e=page-faults
	e=$e,$e,$e,$e,$e
	strace -qq -e trace=write -o "$T/trace" "$CPUTRACK" --format=json -T 0 -o "$T/a" -c "$e,$e,$e,$e" true || skip "strace cannot trace here"
	[ "$(awk '{ print length($0) + 1 }' "$T/a" | sort)" = \
		"$(sed -n 's/^write([0-9]*, "{.* = \([0-9]*\)$/\1/p' "$T/trace" | sort)" ]
}
