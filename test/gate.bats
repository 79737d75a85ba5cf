# --save, --baseline and --limit: runs that are compared with saved ones, and limits that end with status 3.

bats_require_minimum_version 1.5.0
load helper

setup() {
	[ "$(uname -m)" = x86_64 ] || skip 'the programs are of x86-64'
	"$CPUTRACK" --engine=sim -n -T 0 -o "$T/try" -c instructions true 2> /dev/null || skip 'the simulator is not built here'
	cd "$T"
}

# build N: make the program loops with N turns.
build() { loops "$1" loops; }

sim() { "$CPUTRACK" --quiet --engine=sim --repeat=3 -c instructions "$@"; }

@test "gate: a build that executes 3 % more fails, the same build passes, as a CI would do it" {
	build 1000
	"$CPUTRACK" --quiet --reproducible -c instructions,branches --save=base.json -o out ./loops
	build 1000
	run -0 "$CPUTRACK" --quiet --reproducible -c instructions,branches --baseline=base.json --limit=instructions=2%,branches=2% ./loops
	[[ "$output" == *$'\ngate against base.json\nok     instructions  +0.00 %  limit 2 %   2004 was 2004\nok     branches  +0.00 %  limit 2 %   1000 was 1000\n0 of 2 limits exceeded, 0 unsure' ]]
	build 1030
	run -3 "$CPUTRACK" --quiet --reproducible -c instructions,branches --baseline=base.json --limit=instructions=2%,branches=4% ./loops
	[[ "$output" == *$'\nFAIL   instructions  +2.99 %  limit 2 %   2064 was 2004\nok     branches  +3.00 %  limit 4 %   1030 was 1000\n1 of 2 limits exceeded, 0 unsure' ]]
}

@test "gate: the script of examples/ci makes the file, passes the same build and fails a slower one" {
	build 1000
	mkdir bin
	ln -s "$CPUTRACK" bin/cputrack
	local gate=$BATS_TEST_DIRNAME/../examples/ci/gate.sh
	PATH=$PWD/bin:$PATH run -0 "$gate" counts.json instructions=1%,-branches=2% ./loops
	[ -s counts.json ]
	PATH=$PWD/bin:$PATH run -0 "$gate" counts.json instructions=1%,-branches=2% ./loops
	[[ "$output" == *'0 of 2 limits exceeded, 0 unsure' ]]
	cmp counts.json counts.json.new
	build 1030
	PATH=$PWD/bin:$PATH run -3 "$gate" counts.json instructions=1%,-branches=2% ./loops
	[[ "$output" == *'1 of 2 limits exceeded, 0 unsure' ]]
	! cmp -s counts.json counts.json.new
	PATH=$PWD/bin:$PATH FORMAT=markdown run -3 "$gate" counts.json instructions=1%,-branches=2% ./loops
	[[ $'\n'$output == *$'\n**1 of 2 limits exceeded, 0 unsure**\n'* ]]
	run -2 "$gate" counts.json instructions=1%
}

# gates N: N gates of the program against base.json, which pass.
gates() {
	local i
	for i in $(seq "$1"); do
		sim --baseline=base.json --limit=instructions=0% -o /dev/null ./loops || return
	done
}

@test "gate: the same build passes each time: 20 times, with LONG=1 100 times" {
	local half=10
	[ -z "${LONG-}" ] || half=50
	build 1000
	sim --save=base.json -o out ./loops
	gates $half 3>&- &
	gates $half
	wait $!
}

@test "gate: more can be better" {
	build 1000
	sim --save=base.json -o out ./loops
	build 900
	run -0 sim --baseline=base.json --limit=instructions=2% ./loops
	run -3 sim --baseline=base.json --limit=-instructions=2% ./loops
	[[ "$output" == *$'\nFAIL   instructions  -9.98 %  limit -2 %   1804 was 2004\n'* ]]
	run -0 sim --baseline=base.json --limit=-instructions=10% ./loops
}

@test "gate: against a reference" {
	build 1000
	cp loops old
	build 1030
	run -3 sim --vs=./old --limit=instructions=2% ./loops
	[[ "$output" == *$'\ngate against ./old\nFAIL   instructions  +2.99 %'* ]]
	run -0 sim --vs=./old --limit=instructions=3% ./loops
	run -3 "$PERFEX" --quiet --engine=sim --repeat=3 -e 15 --vs=./old --limit=INST_GRAD0=2% ./loops
	[[ "$output" == *$'\nFAIL   INST_GRAD0 '* ]]
}

@test "gate: what the kernel counts is judged by the interval of the pairs" {
	run -3 "$CPUTRACK" --quiet -c page-faults --repeat=10 --vs=true --limit=page-faults=5% ls /
	grep -Eq '^FAIL   page-faults  \+[0-9.]+ %  limit 5 %   interval \+[0-9.]+ \.\. \+[0-9.]+ %$' <<< "$output"
	run -0 "$CPUTRACK" --quiet -c page-faults --repeat=10 --vs='ls /' --limit=page-faults=5% true
	grep -Eq '^ok     page-faults  -[0-9.]+ %  limit 5 %   interval -[0-9.]+ \.\. -[0-9.]+ %$' <<< "$output"
}

@test "gate: the saved file is the same in every run with --reproducible, and says nothing about the machine" {
	build 1000
	local n
	for n in 1 2; do
		env "V$n=$n" "$CPUTRACK" --quiet --reproducible --repeat=3 -c instructions --save=file$n -o out ./loops
	done
	cmp file1 file2
	python3 "$BATS_TEST_DIRNAME/records.py" file1
	! grep -qF "$(hostname)" file1 || [ "$(hostname)" = '' ] || [ "$(hostname | wc -c)" -lt 5 ]
	! grep -qF "$T" file1
	jq -se '.[0] | .start_unix_ns == 0 and .host == null and .argv == null and .cwd == null' file1
	jq -se '.[1] | .start_bytes == null and .cwd_bytes == null and .program_hash == null' file1
	# Without it the file has the facts about the run.
	sim --save=file3 -o out ./loops
	python3 "$BATS_TEST_DIRNAME/records.py" file3
	jq -se '.[0] | .start_unix_ns > 0 and .kernel != null' file3
}

@test "gate: markdown says first what the limits have shown" {
	build 1000
	sim --save=base.json -o out ./loops
	cp loops old
	build 1030
	run -3 sim --format=markdown -o md --vs=./old --baseline=base.json --limit=instructions=2% ./loops
	cat md
	[ "$(head -n 1 md)" = '**2 of 2 limits exceeded, 0 unsure**' ]
	grep -qxF -- '- gate against: `base.json`' md
	grep -qxF -- '- gate against: `./old`' md
	[ "$(grep -cxF '| **FAIL** | `instructions` | +2.99 % | 2 % | 2064 was 2004 |' md)" -eq 2 ]
	run -125 "$CPUTRACK" --quiet -c page-faults --repeat=3 --vs=true --format=markdown -o md --limit=page-faults=5% false
	[ "$(head -n 1 md)" = "**not gated: \`'false' ended with status 1\`**" ]
	grep -qxF -- '- each run of B ended with status 1' md
}

@test "gate: the records have the limits" {
	build 1000
	sim --save=base.json -o out ./loops
	cp loops old
	build 1030
	run -3 sim --format=json -o json --vs=./old --baseline=base.json --limit=instructions=2% ./loops
	python3 "$BATS_TEST_DIRNAME/records.py" json
	jq -se '.[-2] | .record == "gate" and .baseline == "base.json" and
		(.limits | map(.name) | unique) == ["instructions"] and (.limits | map(.reference)) == [0, null] and
		all(.limits[]; .result == "fail" and .limit == 0.02 and .falls == false)' json
	jq -se '.[-1] | .status == 3 and .command_status == null' json
}

@test "gate: what cannot be compared is refused, with the reason" {
	build 1000
	sim --save=base.json -o out ./loops
	cp loops other
	run --separate-stderr -125 sim --baseline=base.json --limit=instructions=2% ./other
	[ "$stderr" = "cputrack: 'base.json' cannot be compared with these runs: its command is './loops', now it is './other'" ]
	run --separate-stderr -125 "$CPUTRACK" --quiet -c page-faults --engine=kernel --baseline=base.json --limit=page-faults=5% ./loops
	[[ "$stderr" == *"its engine is 'sim', now it is 'kernel'" ]]
	run --separate-stderr -125 "$CPUTRACK" --quiet --reproducible -c instructions --baseline=base.json --limit=instructions=2% ./loops
	[[ "$stderr" == *"its --reproducible is 'none', now it is 'v2'" ]]
	run --separate-stderr -125 sim --baseline=nosuch ./loops
	[ "$stderr" = "cputrack: cannot read 'nosuch': No such file or directory" ]
	echo '{"schema":2,}' > bad
	run --separate-stderr -125 sim --baseline=bad ./loops
	[[ "$stderr" == "cputrack: cannot read 'bad': line 1 is not JSON: "* ]]
	echo '{"schema":3,"record":"run","run":"x"}' > bad
	run --separate-stderr -125 sim --baseline=bad ./loops
	[[ "$stderr" == *'line 1 is a record of schema 3; this version reads records up to schema 2' ]]
	"$CPUTRACK" --quiet --format=json -T 0 -c page-faults -o rows true
	run --separate-stderr -125 sim --baseline=rows ./loops
	[ "$stderr" = "cputrack: cannot read 'rows': it has no runs of --repeat or --vs" ]
	sed 's/"values":\[/"values":[-1,/' base.json > bad
	run --separate-stderr -125 sim --baseline=bad ./loops
	[ "$stderr" = "cputrack: cannot read 'bad': line 2: the record of the kind series is malformed" ]
	sed '2a {"schema":2,"record":"function","run":"x","series":0,"function":"f","counts":[]}' base.json > bad
	run --separate-stderr -125 sim --baseline=bad ./loops
	[ "$stderr" = "cputrack: cannot read 'bad': line 3: the record of the kind function is malformed" ]
	# The events are the same, too.
	run --separate-stderr -125 "$CPUTRACK" --quiet --engine=sim -c instructions,branches --baseline=base.json --limit=branches=2% ./loops
	[ "$stderr" = "cputrack: 'base.json' cannot be compared with these runs: the event 'branches' (user) was not counted then" ]
	run --separate-stderr -125 "$CPUTRACK" --quiet --engine=sim -c branches --baseline=base.json ./loops
	[ "$stderr" = "cputrack: 'base.json' cannot be compared with these runs: its event 'instructions' (user) is not counted now" ]
	# A machine that differs in a value is another model.
	run --separate-stderr -125 sim --machine=r10000 --baseline=base.json ./loops
	[[ "$stderr" == *"cannot be compared with these runs: its model is '"*"', now it is '"*":"* ]]
}

@test "gate: the file has facts about the run, and a note says which differ and how far they reach" {
	build 1000
	sim --save=base.json -o out ./loops
	jq -se '.[1] | .start_bytes > 10 and .cwd_bytes > 1 and (.program_hash | test("^[0-9a-f]{16}$"))' base.json
	[ "$(jq -s '.[1].cwd_bytes' base.json)" -eq "${#PWD}" ]
	run --separate-stderr -0 "$CPUTRACK" --engine=sim --repeat=3 -c instructions --baseline=base.json --limit=instructions=1% -o out ./loops
	[[ "$stderr" != *base.json* ]]
	build 1001
	MORE=words run --separate-stderr -0 "$CPUTRACK" --engine=sim --repeat=3 -c instructions --baseline=base.json --limit=instructions=1% -o out ./loops
	# A gate is there to judge another build.
	[[ "$stderr" != *"the file of the program"* ]]
	[[ "$stderr" == *"cputrack: the arguments and the environment have "*" bytes now and "*" in 'base.json': this alone can change instructions by 0.05 %, "* ]]
	run --separate-stderr -0 "$CPUTRACK" --engine=sim --repeat=3 -c instructions --baseline=base.json --save=now.json -o out ./loops
	[[ "$stderr" == *"cputrack: the file of the program is not that of 'base.json': a build that is meant to be the same can differ by "* ]]
	for limit in '' --limit=instructions=1%; do
		# shellcheck disable=SC2086
		run --separate-stderr -0 "$CPCREPORT" --baseline=base.json $limit now.json
		[ -n "$limit" ] || [[ "$stderr" == *"cpcreport: the file of the program is not that of 'base.json': "* ]]
		[ -z "$limit" ] || [[ "$stderr" != *"the file of the program"* ]]
	done
	# A script is hashed, not its interpreter.
	printf '#!/bin/sh\n:\n' > script
	chmod +x script
	sim --save=script.json -o out ./script
	[ "$(jq -rs '.[1].program_hash' script.json)" = "$(python3 -c '
import functools
print("%016x" % functools.reduce(lambda h, b: (h ^ b) * 0x100000001b3 & (1 << 64) - 1, open("script", "rb").read(), 0xcbf29ce484222325))')" ]
}

# bad TEXT OPTION...: status 2, nothing on stdout, TEXT and the synopsis on stderr, and the program does not run.
bad() {
	local text=$1 status=0
	shift
	"$CPUTRACK" "$@" touch ran > stdout 2> err || status=$?
	cat err
	[ "$status" -eq 2 ] && [ ! -s stdout ] && has "$text" err && [ ! -e ran ] && short_usage cputrack
}

@test "gate: bad use" {
	local limit
	for limit in instructions instructions= instructions=2 =2% -=2% instructions=-1% instructions=2%x '' instructions=2%,; do
		bad "is not EVENT=P%, such as instructions=2%" --vs=true "--limit=$limit"
	done
	bad '--limit needs runs to compare with: give --baseline=FILE or --vs=COMMAND' --limit=page-faults=2%
	bad '--limit needs runs to compare with' --repeat=3 --limit=page-faults=2%
	bad "--limit: 'nosuch' is not among the events that are counted" -c page-faults --vs=true --limit=nosuch=2%
	bad 'task-clock varies between moments; compare the two builds next to each other: --vs=OLD --limit=task-clock=2% NEW' \
		-c task-clock --engine=kernel --baseline=x --limit=task-clock=2%
	bad 'page-faults varies between moments; against a saved file its limit must be at least 5 %' \
		-c page-faults --engine=kernel --baseline=x --limit=page-faults=2%
	bad 'elapsed varies between moments' -c page-faults --engine=kernel --baseline=x --limit=elapsed=50%
}

@test "gate: too few runs judge nothing" {
	run -125 "$CPUTRACK" --quiet -c page-faults --repeat=5 --vs=true --limit=page-faults=900% true
	[[ "$output" == *$'\nfew    page-faults  5 runs are too few to judge\n0 of 1 limit exceeded, 0 unsure' ]]
	run -125 "$CPUTRACK" --quiet -c page-faults --repeat=7 --confidence=99 --vs=true --limit=page-faults=900% true
	run -0 "$CPUTRACK" --quiet -c page-faults --repeat=6 --vs=true --limit=page-faults=900% true
	build 1000
	run -125 "$CPUTRACK" --quiet --engine=sim --repeat=2 -c instructions --vs=./loops --limit=instructions=1% --format=json -o json ./loops
	python3 "$BATS_TEST_DIRNAME/records.py" json
	jq -se '.[-2].limits[0].result == "too few"' json
}

@test "gate: a command that fails is not gated, and a file of failures is not compared with" {
	build 1000
	"$CPUTRACK" --quiet --engine=sim --repeat=3 -c instructions --save=failed.json -o out sh -c 'kill -SEGV $$' || true
	run --separate-stderr -125 "$CPUTRACK" --quiet --engine=sim --repeat=3 -c instructions --baseline=failed.json sh -c 'kill -SEGV $$'
	[[ "$stderr" == *"'failed.json' cannot be compared with these runs: its command ended with status 139" ]]
	run --separate-stderr -125 "$CPUTRACK" --quiet -c page-faults --repeat=3 --vs=true --limit=page-faults=5% false
	[ "$stderr" = "cputrack: not gated: 'false' ended with status 1" ]
}

@test "gate: an unsure result passes, or not with --strict" {
	# Every other run executes more programs than the reference, and the others fewer, so that the interval has 0 in it.
	printf '%s\n' '#!/bin/sh' 'n=$((8 - $(cat "$1"))); echo $n > "$1"; for i in $(seq $n); do /bin/true; done' > vary
	chmod +x vary
	echo 4 > steady
	echo 2 > varying
	run -0 "$CPUTRACK" --quiet -c page-faults --repeat=10 --vs='./vary steady' --limit=page-faults=1% ./vary varying
	[[ "$output" == *$'\nunsure page-faults '* ]]
	run -125 "$CPUTRACK" --quiet --strict -c page-faults --repeat=10 --vs='./vary steady' --limit=page-faults=1% ./vary varying
}

@test "gate: a file that cannot be written is an error, and the old file stays" {
	build 1000
	sim --save=base.json -o out ./loops
	cp base.json kept
	run --separate-stderr -125 sim --save=no/such ./loops
	[ "$stderr" = "cputrack: cannot write to 'no/such': No such file or directory" ]
	run --separate-stderr -125 "$CPUTRACK" --quiet --repeat=3 -c page-faults --save=base.json "$T/nosuch-program" || [ "$status" -eq 127 ]
	cmp base.json kept
	# The folder is gone after the runs.
	mkdir folder
	run --separate-stderr -125 "$CPUTRACK" --quiet --repeat=1 -c page-faults --save=folder/file -o out rm -rf folder
	[ "$stderr" = "cputrack: cannot write to 'folder/file': No such file or directory" ]
	# What can be found out before the runs is.
	mkfifo special
	local file why
	for file in no/such . special; do
		case $file in
		no/such) why='No such file or directory' ;;
		.) why='Is a directory' ;;
		special) why='it is a device or another special file, which cannot be replaced' ;;
		esac
		run --separate-stderr -125 "$CPUTRACK" --repeat=3 -c page-faults --save="$file" touch ran
		[ "$stderr" = "cputrack: cannot write to '$file': $why" ]
		[ -z "$output" ]
		[ ! -e ran ]
	done
	# The baseline is read before the file is replaced.
	run -0 sim --baseline=base.json --save=base.json --limit=instructions=0% ./loops
	python3 "$BATS_TEST_DIRNAME/records.py" base.json
	[ "$(find . -name '*.tmp' | wc -l)" -eq 0 ]
}

@test "gate: a file that a symbolic link points to is replaced, and the link stays" {
	build 1000
	mkdir folder
	ln -s folder/link link
	ln -s base.json folder/link
	local n
	for n in new again; do
		sim --save=link -o out ./loops
		[ "$(readlink link)" = folder/link ]
		[ "$(readlink folder/link)" = base.json ]
		[ "$(find . -name base.json)" = ./folder/base.json ]
		python3 "$BATS_TEST_DIRNAME/records.py" folder/base.json
	done
	[ "$(find . -name '*.tmp' | wc -l)" -eq 0 ]
	ln -s loop loop
	run --separate-stderr -125 sim --save=loop touch ran
	[ "$stderr" = "cputrack: cannot write to 'loop': Too many levels of symbolic links" ]
	[ ! -e ran ]
}
