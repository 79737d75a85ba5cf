# --repeat and --vs: runs that are repeated and compared, by cputrack and perfex.

bats_require_minimum_version 1.5.0
load helper

# need_sim: skip the test if programs cannot be simulated here.
need_sim() {
	"$CPUTRACK" --engine=sim -n -T 0 -o "$T/try" -c instructions true 2> /dev/null || skip 'the simulator is not built here'
}

need_x86() { [ "$(uname -m)" = x86_64 ] || skip 'the program is of x86-64'; }

@test "repeat: a table shows how the counts of the runs vary" {
	"$CPUTRACK" --quiet --repeat=7 -c page-faults,task-clock -o "$T/table" sh -c 'echo run >> "$0"' "$T/runs"
	cat "$T/table"
	# The first run is thrown away.
	[ "$(wc -l < "$T/runs")" -eq 8 ]
	[ "$(head -n 1 "$T/table")" = "7 runs: sh -c echo run >> \"\$0\" $T/runs" ]
	grep -Eq '^page-faults \(user\) +[1-9][0-9]*   [0-9]+ \.\. [0-9]+ +[0-9]+ \.\. [0-9]+ +(-|[0-9]+ (above|below).*)$' "$T/table"
	grep -Eq '^task-clock +[0-9.]+ (us|ms)   [0-9.]+ \.\. ' "$T/table"
	grep -Eq '^elapsed +[0-9.]+ (us|ms|s)   ' "$T/table"
	[ "$(wc -l < "$T/table")" -eq 5 ]
}

@test "repeat: the median is that of the values in the records" {
	"$CPUTRACK" --quiet --repeat=9 -c page-faults --format=json -o "$T/json" ls / > /dev/null
	python3 "$BATS_TEST_DIRNAME/records.py" "$T/json"
	jq -se '.[1] | .record == "series" and .runs == 9 and .command == "ls /" and .command_status == 0 and
		(.events | map(.name)) == ["page-faults", "elapsed"] and
		all(.events[]; (.values | length) == 9 and .median == (.values | sort)[4] and .min == (.values | min) and
			.max == (.values | max) and .first_quartile == (.values | sort)[2] and .kind == "noisy")' "$T/json"
	jq -se '.[0].record == "run" and .[0].command == "ls /" and .[2].record == "end" and .[2].records == 3' "$T/json"
}

@test "repeat: a program that does more is found, and one that does the same is not" {
	# Pages that are touched are counted exactly, whatever else the machine does.
	cat > "$T/touch.c" <<-'END'
		#include <stdlib.h>
		#include <sys/mman.h>
		int main(int argc, char **argv)
		{
			const long n = argc > 1 ? atol(argv[1]) : 0;
			volatile char *p = mmap(0, n * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
			madvise((void *)p, n * 4096, MADV_NOHUGEPAGE);
			for (long i = 0; i < n; i++)
				p[i * 4096] = 1;
			return 0;
		}
	END
	"${CC:-cc}" -O1 -o "$T/touch" "$T/touch.c"
	"$CPUTRACK" --quiet --repeat=10 --vs="'$T/touch' 1000" -c page-faults --format=json -o "$T/json" "$T/touch" 1300
	python3 "$BATS_TEST_DIRNAME/records.py" "$T/json"
	jq -se '.[3] | .record == "comparison" and .reference == 0 and .candidate == 1 and .pairs == 10' "$T/json"
	jq -se '.[3].events[0] | .name == "page-faults" and .verdict == "more" and .low > 0.2 and .high < 0.35 and .p < 0.01' "$T/json"
	"$CPUTRACK" --quiet --repeat=10 --vs="'$T/touch' 1000" -c page-faults -o "$T/table" "$T/touch" 1300
	grep -Eq '^page-faults \(user\) +[0-9]+ +[0-9]+ +\+2[0-9]\.[0-9] % +\+2[0-9]\.[0-9] \.\. \+[23][0-9]\.[0-9] +more$' "$T/table"
	[ "$(sed -n 1p "$T/table")" = "A: $T/touch 1000" ]
	[ "$(sed -n 2p "$T/table")" = "B: $T/touch 1300" ]
}

@test "repeat: the seed draws the order of each pair" {
	printf '%s\n' '#!/bin/sh' 'printf %s "$1" >> "$2"' > "$T/mark"
	chmod +x "$T/mark"
	local seed
	for seed in 1 1 2; do
		rm -f "$T/order"
		"$CPUTRACK" --quiet --repeat=12 --seed=$seed --vs="$T/mark a $T/order" -c page-faults -o "$T/table" "$T/mark" b "$T/order"
		cat "$T/order"
		# A warm-up run of each, then pairs.
		[[ $(cat "$T/order") =~ ^ab((ab|ba){12})$ ]]
		echo >> "$T/order"
		cat "$T/order" >> "$T/orders"
	done
	[ "$(sed -n 1p "$T/orders")" = "$(sed -n 2p "$T/orders")" ]
	[ "$(sed -n 1p "$T/orders")" != "$(sed -n 3p "$T/orders")" ]
	grep -q 'ab.*ba' "$T/orders"
}

@test "repeat: simulated counts are exact, and judged by their ranges" {
	need_sim
	need_x86
	loops 1000 "$T/loops1000"
	loops 1030 "$T/loops1030"
	"$CPUTRACK" --quiet --engine=sim --vs="$T/loops1000" -c instructions -o "$T/table" "$T/loops1030"
	cat "$T/table"
	# Each turn has 2 instructions; 5 pairs are the default.
	[ "$(sed -n 3p "$T/table")" = '5 pairs, order by coin, 1 warm-up run each' ]
	grep -Eq '^instructions \(user\) +2004 +2064 +\+2\.99 %   exact +more$' "$T/table"
	"$CPUTRACK" --quiet --engine=sim --repeat=auto --vs="$T/loops1000" -c instructions -o "$T/table" "$T/loops1000"
	grep -Eq '^instructions \(user\) +2004 +2004 +\+0\.00 %   exact +same$' "$T/table"
	"$PERFEX" --quiet --engine=sim --repeat=3 -e 15 -o "$T/table" "$T/loops1000"
	grep -Eq '^INST_GRAD0 \(user\) +[0-9]+   same in 3 runs$' "$T/table"
	! grep -q elapsed "$T/table"
}

@test "repeat: a command that cannot be simulated has no runs, and the reason is said once" {
	need_sim
	local vs
	for vs in --quiet --vs=true; do
		run --separate-stderr -127 "$CPUTRACK" --engine=sim --repeat=3 "$vs" -c instructions "$T/nosuch"
		[ -z "$output" ] && [ "$(grep -cx "cputrack: cannot find program '$T/nosuch'" <<< "$stderr")" -eq 1 ]
		lacks 'cannot start' - <<< "$stderr"
	done
}

@test "repeat: each run reads standard input from its start" {
	head -c 100000 /dev/urandom > "$T/input"
	"$CPUTRACK" --quiet --repeat=3 -c page-faults -o "$T/table" sh -c 'wc -c >> "$0"' "$T/sizes" < "$T/input"
	[ "$(sort "$T/sizes" | uniq -c | tr -s ' ')" = ' 4 100000' ]
}

@test "repeat: the exit status is that of the command, and one that changes ends the runs" {
	run -3 "$CPUTRACK" --quiet --repeat=2 -c page-faults -o "$T/table" sh -c 'exit 3'
	has '^2 runs: ' "$T/table"
	has '^each run ended with status 3$' "$T/table"
	run -137 "$CPUTRACK" --quiet --repeat=6 -c page-faults --vs=true --limit=page-faults=1% -o "$T/table" sh -c 'kill -KILL $$' || [ "$status" -eq 125 ]
	[ "$output" = "cputrack: not gated: 'sh -c kill -KILL \$\$' was ended by signal 9 (SIGKILL)" ]
	has '^each run of B was ended by signal 9 (SIGKILL)$' "$T/table"
	printf '%s\n' '#!/bin/sh' 'echo >> "$1"' '[ "$(wc -l < "$1")" -lt 5 ] || exit 9' > "$T/fails"
	chmod +x "$T/fails"
	run --separate-stderr -125 "$CPUTRACK" --quiet --repeat=10 -c page-faults -o "$T/table" "$T/fails" "$T/n"
	[ "$stderr" = "cputrack: '$T/fails $T/n' ended with status 9, and before it ended with status 0: the runs are not alike" ]
	has '^3 runs: ' "$T/table"
	has '^incomplete: the runs were ended early$' "$T/table"
	run --separate-stderr -127 "$CPUTRACK" --quiet --repeat=2 -c page-faults "$T/nosuch"
	[ -z "$output" ] && [ "$stderr" = "cputrack: cannot execute '$T/nosuch': No such file or directory" ]
	run --separate-stderr -127 "$CPUTRACK" --quiet --vs="$T/nosuch" -c page-faults true
	[ -z "$output" ]
}

@test "repeat: Ctrl-C gives the results so far" {
	start "$T/out" "$CPUTRACK" --quiet --repeat=100000 -c page-faults -o "$T/table" sh -c 'echo >> "$0"; sleep 0.01' "$T/n"
	local tool=$! status=0
	until_true [ -s "$T/n" ]
	until_true eval '[ "$(wc -l < "$T/n")" -ge 5 ]'
	kill -INT "$tool"
	finish "$tool" || status=$?
	[ "$status" -eq 130 ]
	grep -Eq '^[1-9][0-9]* runs: ' "$T/table"
	has '^incomplete: the runs were ended early$' "$T/table"
	start "$T/out" "$CPUTRACK" --quiet --repeat=100000 --vs=true --format=json -c page-faults -o "$T/json" sh -c 'echo >> "$0"; sleep 0.01' "$T/m"
	tool=$! status=0
	until_true eval '[ -s "$T/m" ] && [ "$(wc -l < "$T/m")" -ge 5 ]'
	kill -TERM "$tool"
	finish "$tool" || status=$?
	[ "$status" -eq 143 ]
	python3 "$BATS_TEST_DIRNAME/records.py" "$T/json"
	jq -se '.[-1] | .signal == 15 and .status == 143' "$T/json"
}

@test "repeat: Ctrl-C during a comparison leaves complete records, which say that the runs were ended" {
	start "$T/out" "$CPUTRACK" --quiet --repeat=100000 --vs=true --format=json -c page-faults -o "$T/json" sh -c 'echo >> "$0"; sleep 0.01' "$T/n"
	local tool=$! status=0
	until_true eval '[ -s "$T/n" ] && [ "$(wc -l < "$T/n")" -ge 9 ]'
	kill -INT "$tool"
	finish "$tool" || status=$?
	[ "$status" -eq 130 ]
	python3 "$BATS_TEST_DIRNAME/records.py" "$T/json"
	# The runs are pairs, the comparison is about all of them, and the end names the signal.
	jq -se 'map(.record) == ["run", "series", "series", "comparison", "end"] and .[-1].signal == 2 and .[-1].status == 130 and
		(.[3].pairs as $n | $n >= 7 and all(.[1, 2]; .runs == $n and all(.events[]; (.values | length) == $n)))' "$T/json"
}

# give_up FILE OPTION...: repeat a command that ignores Ctrl-C, and press it until the tool has ended. Rows are in FILE, messages in FILE.err.
give_up() {
	local file=$1 tool status=0
	shift
	rm -f "$T/ready" "$T/fifo"
	mkfifo "$T/fifo"
	exec 8<> "$T/fifo"
	start "$T/out" "$CPUTRACK" --quiet -c page-faults -o "$file" "$@" sh -c 'trap "" INT; echo > "$0"; read -r x < "$1"' "$T/ready" "$T/fifo"
	tool=$!
	until_true [ -s "$T/ready" ]
	stop_by INT "$tool"
	finish "$tool" || status=$?
	echo >&8
	exec 8>&-
	cp "$T/out.err" "$file.err"
	return "$status"
}

@test "repeat: a second Ctrl-C gives up a command that ignores the first, and claims nothing about it" {
	run -130 give_up "$T/table" --repeat=10
	[ "$(sed 1d "$T/table")" = 'incomplete: the runs were ended early' ]
	grep -q '^0 runs: sh -c ' "$T/table"
	[ ! -s "$T/table.err" ]
	run -130 give_up "$T/json" --repeat=10 --vs=true --limit=page-faults=5% --save="$T/saved" --format=json
	[ ! -e "$T/saved" ]
	diff - "$T/json.err" <<-END
		cputrack: not gated: the runs were ended early
		cputrack: '$T/saved' is not written: the runs were ended early
	END
	python3 "$BATS_TEST_DIRNAME/records.py" "$T/json"
	jq -se 'map(.record) == ["run", "series", "series", "comparison", "end"] and .[-1].status == 130 and .[3].pairs == 0 and
		all(.[1, 2]; .runs == 0 and .command_status == null)' "$T/json"
	run -130 give_up "$T/md" --repeat=10 --vs=true --limit=page-faults=5% --format=markdown
	[ "$(head -n 3 "$T/md")" = $'**not gated: `the runs were ended early`**\n\nincomplete: the runs were ended early' ]
}

@test "repeat: each run begins with the signal mask and the actions of cputrack" {
	grep -E '^Sig(Blk|Ign)' /proc/self/status > "$T/want"
	local cmd
	for cmd in "$CPUTRACK -c" "$PERFEX -e"; do
		# No shell runs grep, because shells change their mask.
		$cmd page-faults --quiet --repeat=2 --vs=true -o "$T/table" grep -E '^Sig(Blk|Ign)' /proc/self/status > "$T/masks"
		cat "$T/want" "$T/want" "$T/want" | diff - "$T/masks"
	done
}

@test "repeat: auto stops after its time" {
	local begin=$SECONDS
	"$CPUTRACK" --quiet --repeat=auto:0.1 --vs=true -c page-faults -o "$T/table" true
	grep -Eq '^([6-9]|[1-9][0-9]|1[01][0-9]) pairs, ' "$T/table"
	[ $((SECONDS - begin)) -lt 60 ]
}

@test "repeat: auto stops for one command after its time, or after 112 runs" {
	"$CPUTRACK" --quiet --repeat=auto:0.1 -c page-faults -o "$T/table" sleep 0.05
	[ "$(head -n 1 "$T/table")" = '6 runs: sleep 0.05' ]
	"$CPUTRACK" --quiet --repeat=auto:600 -c page-faults -o "$T/table" "$PROG/nop"
	[ "$(head -n 1 "$T/table")" = "112 runs: $PROG/nop" ]
}

@test "repeat: several references, against each of which the command is compared" {
	"$CPUTRACK" --quiet --repeat=10 --vs=true --vs='sh -c ":"' -c page-faults -o "$T/table" ls / > /dev/null
	[ "$(grep -c '^B: ls /$' "$T/table")" -eq 2 ]
	[ "$(grep '^A: ' "$T/table" | tr '\n' '|')" = 'A: true|A: sh -c :|' ]
	[ "$(grep -c '^page-faults (user) .* more$' "$T/table")" -eq 2 ]
}

# bad TEXT OPTION...: both commands have status 2, print nothing on stdout, and TEXT and the synopsis on stderr.
bad() {
	local text=$1 cmd status
	shift
	for cmd in "$CPUTRACK" "$PERFEX"; do
		status=0
		"$cmd" "$@" touch "$T/ran" > "$T/stdout" 2> "$T/err" || status=$?
		cat "$T/err"
		[ "$status" -eq 2 ] && [ ! -s "$T/stdout" ] && has "$text" "$T/err" && [ ! -e "$T/ran" ] && short_usage "${cmd##*/}"
	done
}

@test "repeat: CSV has the numbers of the records, a row for each event and command" {
	local args=(-c page-faults --repeat=7 --seed=1)
	"$CPUTRACK" --quiet --format=csv "${args[@]}" -o "$T/csv" sh -c 'exit 0 # "a", b'
	python3 - "$T/csv" <<-'END'
		import csv, sys
		rows = list(csv.DictReader(open(sys.argv[1], newline='')))
		assert [r['event'] for r in rows] == ['page-faults', 'elapsed'], rows
		for r in rows:
		    assert r['command'] == 'sh -c exit 0 # "a", b' and r['runs'] == '7' and r['kind'] == 'noisy' and not r['reference']
		    low, q1, median, q3, high = (float(r[k]) for k in ('min', 'first_quartile', 'median', 'third_quartile', 'max'))
		    assert low <= q1 <= median <= q3 <= high and not r['verdict']
	END
	need_sim
	need_x86
	loops 1000 "$T/loops1000"
	loops 1030 "$T/loops1030"
	args=(--quiet --engine=sim --repeat=3 --seed=1 -c instructions,branches)
	"$CPUTRACK" "${args[@]}" --vs="$T/loops1000" --vs="$T/loops1030" --format=csv -o "$T/csv" "$T/loops1030"
	"$CPUTRACK" "${args[@]}" --vs="$T/loops1000" --vs="$T/loops1030" --format=json -o "$T/json" "$T/loops1030"
	python3 - "$T/csv" "$T/json" <<-'END'
		import csv, json, sys
		rows = list(csv.DictReader(open(sys.argv[1], newline='')))
		records = [json.loads(line) for line in open(sys.argv[2])]
		series = [r for r in records if r['record'] == 'series']
		comparisons = [r for r in records if r['record'] == 'comparison']
		assert len(rows) == 8
		want = [(s, e, None) for s in series[:2] for e in s['events']]
		want += [(series[2], e, (series[c['reference']], x)) for c in comparisons
		    for e, x in zip(series[2]['events'], c['events'])]
		for row, (s, e, compared) in zip(rows, want, strict=True):
		    assert row['command'] == s['command'] and row['event'] == e['name'] and row['class'] == e['class']
		    for k in 'median', 'first_quartile', 'third_quartile', 'min', 'max':
		        assert float(row[k]) == e[k], (row, e)
		    assert row['reference'] == (compared[0]['command'] if compared else '')
		    assert row['verdict'] == (compared[1]['verdict'] if compared else '')
		    if compared:
		        assert float(row['change']) == compared[1]['change'] and row['relative'] == 'true' and row['low'] == ''
	END
}

@test "repeat: markdown has the tables, the verdict first" {
	printf '#!/bin/sh\n' > "$T/a|b"
	chmod +x "$T/a|b"
	"$CPUTRACK" --quiet --format=markdown -c page-faults --repeat=10 --vs=ls -o "$T/md" "$T/a|b" '<b>`' > /dev/null
	cat "$T/md"
	grep -Eq '^\*\*[12] of 2 events differ\*\*$' <(head -n 1 "$T/md")
	has '^- A: `ls`$' "$T/md"
	grep -qxF -- "- B: \`$T/a\`&#124;\`\` b <b>\` \`\`" "$T/md"
	grep -qxF '| verdict | event | A | B | change | 95 % interval |' "$T/md"
	grep -qxF '| :--- | :--- | ---: | ---: | ---: | :--- |' "$T/md"
	grep -Eq '^\| \*\*(fewer|more)\*\* \| `page-faults \(user\)` \| [0-9,]+ \| [0-9,]+ \| [+-][0-9.]+ % \| [+-][0-9.]+ \.\. [+-][0-9.]+ \|$' "$T/md"
	"$PERFEX" --quiet --format=markdown -e page-faults --repeat=3 -o "$T/md" true
	[ "$(head -n 1 "$T/md")" = '**3 runs**' ]
	has '^- 3 runs: `true`$' "$T/md"
	grep -Eq '^\| `page-faults \(user\)` \| [0-9]+ \| [0-9]+ \.\. [0-9]+ \| [0-9]+ \.\. [0-9]+ \| ' "$T/md"
}

@test "repeat: bad use" {
	local n
	for n in 0 -1 x 3x 1000001 auto: auto:x auto:0 autos ''; do
		bad "--repeat: '$n' is neither a number from 1 to 1000000 nor auto or auto:SECONDS" "--repeat=$n"
	done
	for n in "'" 'a | b' 'a > b' '$a' '' ' '; do
		bad "is not a command: quotes must be closed" "--vs=$n"
	done
	bad "--confidence: '90' is neither 95 nor 99" --confidence=90 --repeat=3
	bad "--precision: '0' is not a percentage" --precision=0 --repeat=3
	bad "--seed: 'x' is not a number" --seed=x --repeat=3
	bad '--seed belongs to --repeat and --vs' --seed=1
	bad '--confidence belongs to --repeat and --vs' --confidence=99
	bad '--precision belongs to --repeat and --vs' --precision=1
	bad '--format=markdown has the tables of repeated runs: give --repeat, --vs or --baseline, or another format' --format=markdown
	bad '--format=markdown has the tables of repeated runs' --format=markdown --repeat=3 --list
	bad "--format: 'xml' is not text, csv, json or markdown" --format=xml --repeat=3
	run -2 "$CPUTRACK" --repeat=3 -T 1 true
	[[ "$output" == *'-T cannot be used with them'* ]]
	run -2 "$CPUTRACK" --repeat=3 -p $$
	[[ "$output" == *'-p cannot be used with them'* ]]
	run -2 "$PERFEX" --repeat=3 -mp true
	[[ "$output" == *'-y, -mp, -s or -p cannot be used with them'* ]]
}

@test "repeat: a breakpoint at a name is refused" {
	need_breakpoints
	for n in "$CPUTRACK -c" "$PERFEX -e"; do
		# shellcheck disable=SC2086
		run -2 $n mem:hit:x --repeat=3 "$PROG/oracle" one 20
		[[ "$output" == *': mem:hit:x: --repeat and --vs cannot count it, as a name is looked up in each process; give an address'* ]]
	done
}

@test "repeat: 2,000 runs leave no descriptors and no memory behind" {
	plain_build 'a run takes longer'
	run -0 bash -c 'ulimit -n 40; "$@"' - "$CPUTRACK" --quiet --repeat=2000 -c page-faults,task-clock "$PROG/nop"
	[[ "$output" == '2000 runs: '* ]]
}

# largest_memory: print the largest resident set of the calling tool so far, KiB.
largest_memory='while read -r key size unit; do [ "$key" != VmHWM: ] || echo "$size"; done < /proc/$PPID/status'

@test "repeat: a run takes less than 256 bytes of memory" {
	[ -z "${SANITIZE-}" ] || skip "AddressSanitizer keeps memory that was freed"
	"$CPUTRACK" --quiet --repeat=1000 -c page-faults,task-clock -o "$T/table" sh -c "$largest_memory" > "$T/sizes"
	[ "$(wc -l < "$T/sizes")" -eq 1001 ]
	local grown=$(($(tail -n 1 "$T/sizes") - $(head -n 1 "$T/sizes")))
	echo "1000 runs took $grown KiB"
	[ "$grown" -lt 256 ]
}

@test "repeat: the records have the values of all runs" {
	"$CPUTRACK" --quiet --repeat=100 --format=json -c page-faults,task-clock -o "$T/json" true
	python3 "$BATS_TEST_DIRNAME/records.py" "$T/json"
	jq -se '.[1] | .runs == 100 and (.events | map(.name)) == ["page-faults", "task-clock", "elapsed"] and
		all(.events[]; (.values | length) == 100 and all(.values[]; . > 0) and (.values | min) == .min and (.values | max) == .max)' "$T/json"
}

@test "repeat: an output that cannot be written is an error" {
	[ -e /dev/full ] || skip 'needs /dev/full'
	run --separate-stderr -125 "$CPUTRACK" --quiet --repeat=2 -c page-faults -o /dev/full true
	[[ "$stderr" == *'No space left on device'* ]]
}

@test "repeat: a pipe as standard input, which only the warm-up run can read, is noted" {
	local words="standard input was a pipe, which only one run can read"
	run --separate-stderr -0 bash -c 'echo text | "$1" --repeat=6 -c page-faults cat' - "$CPUTRACK"
	[[ "$stderr" == *"cputrack: $words, "* ]]
	[ "${lines[0]}" = text ]
	# A pipe that no run reads, one that stays open, one that was at its end before, and a file.
	run --separate-stderr -0 bash -c 'echo text | "$1" --repeat=6 -c page-faults true' - "$CPUTRACK"
	[[ "$stderr" != *"$words"* ]]
	mkfifo "$T/pipe"
	run --separate-stderr -0 bash -c '"$1" --repeat=6 -c page-faults true <> "$2"' - "$CPUTRACK" "$T/pipe"
	[[ "$stderr" != *"$words"* ]]
	run --separate-stderr -0 bash -c ': | { cat; "$1" --repeat=6 -c page-faults cat; }' - "$CPUTRACK"
	[[ "$stderr" != *"$words"* ]]
	echo text > "$T/file"
	run --separate-stderr -0 "$CPUTRACK" --repeat=6 -c page-faults cat < "$T/file"
	[[ "$stderr" != *"$words"* ]]
}

@test "repeat: processes that the command leaves behind may end while the counts are read" {
	run -0 --separate-stderr "$CPUTRACK" --quiet -c page-faults,task-clock,context-switches --repeat=1000 sh -c 'true & true & true & :'
	[ -z "$stderr" ]
}

@test "repeat: a hint says how the hash seed of an interpreter is fixed" {
	need_sim
	need perl
	printf '%s\n' '#!/usr/bin/env perl' 'my %h; $h{"k$_"} = $_ for 1..300; print keys %h ? "" : "";' > "$T/hash"
	chmod +x "$T/hash"
	run -0 --separate-stderr "$CPUTRACK" --engine=sim --repeat=5 -c instructions --format=json "$T/hash"
	[[ "$stderr" == *"cputrack: instructions: the counts differ in each run, as perl draws a seed for its hashes: PERL_HASH_SEED=0 "* ]]
	jq -se '.[1].warnings == [{"id": "seed", "event": "instructions"}]' <<< "$output"
	PERL_HASH_SEED=0 run -0 --separate-stderr "$CPUTRACK" --engine=sim --repeat=5 -c instructions --format=json "$T/hash"
	[[ "$stderr" != *seed* ]]
	jq -se '.[1] | .warnings == [] and (.events[0].values | unique | length) == 1' <<< "$output"
}

@test "repeat: too few runs are a warning" {
	run -0 --separate-stderr "$CPUTRACK" --repeat=5 -c page-faults --format=json true
	[[ "$stderr" == *"cputrack: 5 runs are too few to tell what varies: it takes 6"* ]]
	jq -se '.[1].warnings[0] == {"id": "too few", "event": null}' <<< "$output"
	python3 "$BATS_TEST_DIRNAME/records.py" <(echo "$output")
}

@test "repeat: progress and bars are on a terminal only, and not wider than its window" {
	needs_terminal
	local columns
	for columns in 9 80; do
		TERM=xterm run -0 bounded "$PROG/ptyrun" -- sh -c "stty cols $columns; exec '$CPUTRACK' --repeat=40 -c page-faults sleep 0.01"
		[[ "$output" == *$'\r'[0-9]*' run'*$'\e[K'*$'\r\e[K'* ]]
		# The line of the progress is narrower than the window.
		[ "$(grep -aoE $'\r[0-9]+ run[^\e]*\e' <<< "$output" | tr -d '\r\033' | awk -v n="$columns" 'length($0) >= n' | wc -l)" -eq 0 ]
		[[ "$output" == *$'\nelapsed '*$'\n                '*'|'*'|'* ]]
	done
	TERM=dumb run -0 bounded "$PROG/ptyrun" -- "$CPUTRACK" --repeat=30 -c page-faults sleep 0.01
	[[ "$output" != *$'\e'* ]]
	TERM=xterm run -0 bounded "$PROG/ptyrun" -- "$CPUTRACK" --quiet --repeat=30 -c page-faults sleep 0.01
	[[ "$output" != *$'\e'* ]]
	TERM=xterm run -0 --separate-stderr bounded "$CPUTRACK" --repeat=30 -c page-faults sleep 0.01
	[[ "$output$stderr" != *$'\e'* && "$output" != *'|'* ]]
}

@test "repeat: Ctrl-C on a terminal ends the line of the progress" {
	needs_terminal
	TERM=xterm run -130 bounded "$PROG/ptyrun" 'runs, 1 s' '^C' -- "$CPUTRACK" --repeat=100000 -c page-faults sleep 0.01
	[[ "$output" == *$'\r\e[K'[0-9]*' runs: sleep 0.01'*'incomplete: the runs were ended early'* ]]
}
