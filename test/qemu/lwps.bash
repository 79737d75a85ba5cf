# shellcheck shell=bash disable=SC2154 # helper.bash sets T
# Functions for tests of --tracker with programs whose instructions are known (prog/*.S).

# count TRACKER [OPTION...] COMMAND: run cputrack. CSV rows without a title go to $T/csv, messages to $T/err.
count() { "$CPUTRACK" --tracker="$1" --strict -n -v -T 0 --format=csv -o "$T/csv" "${@:2}" 2> "$T/err"; }

# counts WORD: print LWPs and their values in rows of this word, sorted by LWP: the order of ends is not known.
counts() { awk -F, -v word="$1" '$5 == word && $8 == 0 { print $3, $10 }' "$T/csv" | sort -n; }

# parts FIRST K N: what the first LWP and K others retire, of which number i runs i N turns (the formulas of prog/*.S).
parts() {
	local i
	echo "1 $1"
	for ((i = 1; i <= $2; i++)); do
		echo "$((i + 1)) $((2 * i * $3 + 6))"
	done
}

# first OUTER FIXED K N: what the first LWP of such a program retires.
first() { echo $(($1 * $3 + 5 * (${#3} + ${#4}) + $2)); }

# each_lwp TRACKER FIRST PROGRAM K N: each LWP has its count, the process the sum, and all events of a set are the same.
each_lwp() {
	count "$1" -c INST_RETIRED,cycles,page-faults,0x8 "$PROG/$3" "${@:4}"
	parts "$2" "${@:4}" > "$T/parts"
	counts fini_lwp | diff "$T/parts" -
	[ "$(counts exit)" = "1 $(awk '{ sum += $2 } END { print sum }' "$T/parts")" ]
	awk -F, '$8 == 0 { n = $10 } $8 > 0 && $9 != "page-faults" && $10 != n || $14 != "exact" { print; bad = 1 } END { exit bad }' "$T/csv"
	[ ! -s "$T/err" ]
}

# each_process TRACKER K N: each child of forks has its exact count, and so has the first process.
each_process() {
	count "$1" -f -c INST_RETIRED "$PROG/forks" "$2" "$3"
	{
		first 16 14 "$2" "$3"
		parts 0 "$2" "$3" | sed '1d; s/.* //'
	} | sort -n > "$T/parts"
	awk -F, '$5 == "exit" { print $10 }' "$T/csv" | sort -n | diff "$T/parts" -
}

# scaled TRACKER: more events than there are counters are scaled to within 1 %, and reported as scaled.
scaled() {
	local list=INST_RETIRED,INST_RETIRED,INST_RETIRED,INST_RETIRED,INST_RETIRED,INST_RETIRED truth
	truth=$((2 * 60000000 + 5 * 8 + 8))
	"$CPUTRACK" --tracker="$1" -n -T 0 --format=csv -o "$T/csv" -c $list,$list "$PROG/turns" 60000000 2> "$T/err"
	awk -F, -v n=$truth '$5 == "exit" { rows++; if ($14 != "scaled" || $10 < n * 0.99 || $10 > n * 1.01) { print; bad = 1 } }
		END { exit bad || rows != 12 }' "$T/csv"
	[ "$(grep -c '^cputrack: INST_RETIRED: scaled: counted ' "$T/err")" -eq 12 ]
}

# tracer_of COMMAND: run bash under a command, and print the pid of its tracer, 0 if it has none.
tracer_of() {
	# shellcheck disable=SC2016 # a script of bash
	"$@" bash -c 'while read -r word value; do [ "$word" != TracerPid: ] || echo "$value"; done < /proc/$$/status'
}
