# libperfex, and the counters of all CPUs in system mode, with events of a PMU (exact.bats explains what is known).

bats_require_minimum_version 1.5.0
load ../helper

# instructions N: set $truth to what `turns N` retires in user mode (turns.S). Each instruction takes one cycle.
instructions() { truth=$((2 * $1 + 5 * ${#1} + 8)); }

value() { awk -F, -v n="$2" '$2 == "total" && $5 == n { print $8 }' "$1"; }

# counts FILE: print the two counts that pair has written last.
counts() { tail -c 16 "$1" | od -An -t d8 | awk '{ print $1, $2 }'; }

@test "libperfex: regions differ in cycles and instructions by exactly what more pages take" {
	local n a b c d e f more
	for n in 100 300 500; do
		"$PERFEX" --engine=kernel --format=csv -o "$T/csv.$n" -e 0 -e 17 "$PROG/pair" pages:$n > "$T/out"
		"$PROG/pair" pages:1 start:0:17 pages:$n raw:0:17 > "$T/raw.$n"
		counts "$T/raw.$n"
		echo "perfex: $(value "$T/csv.$n" 0) $(value "$T/csv.$n" 17)"
	done
	read -r a b < <(counts "$T/raw.100")
	read -r c d < <(counts "$T/raw.300")
	read -r e f < <(counts "$T/raw.500")
	# in user mode a cycle is an instruction
	[ "$a" -gt 0 ] && [ "$a" -eq "$b" ] && [ "$c" -eq "$d" ] && [ "$e" -eq "$f" ]
	[ $((c - a)) -ge 600 ] && [ $((e - c)) -eq $((c - a)) ]
	# The start of a program takes some instructions more in one run than in another.
	more=$(($(value "$T/csv.500" 17) - $(value "$T/csv.100" 17) - (f - b)))
	[ "$more" -ge -300 ] && [ "$more" -le 300 ]
}

@test "syssgi: system mode counts what a CPU executes, with user mode apart" {
	local n user
	for n in 1000000 5000000; do
		"$PROG/sysctrs" en:0=uk,15=u,16=u run:"$PROG/turns:$n" sys cpu:0 vals rel > "$T/out.$n"
		cat "$T/out.$n"
		instructions $n
		# "sys 1 0=CYCLES 15=INSTRUCTIONS 16=CYCLES": those of sysctrs itself and of other programs are few
		user=$(sed -n 's/^sys 1 .*15=\([0-9]*\).*/\1/p' "$T/out.$n")
		[ "$user" -ge $truth ] && [ "$user" -le $((truth + 300000)) ]
		# a cycle is an instruction, but the two are counted by two pairs, which do not start at the same time
		awk -v u="$user" '$1 == "sys" { split($3, k, "="); split($5, c, "=")
			exit !(c[2] - u < 5000 && u - c[2] < 5000 && k[2] > u) }' "$T/out.$n"
		# this machine has one CPU, which is read later
		[ "$(sed -n 's/^cpu 1 .*15=\([0-9]*\) .*/\1/p' "$T/out.$n")" -ge "$user" ]
		grep -q '^vals 1 .*15=[0-9]*,exact' "$T/out.$n"
	done
}

@test "syssgi: more events than the CPU has counters take turns, and their values are scaled" {
	local i events=() spec= n=100000000
	for i in $(seq 0 11); do
		events+=("name:$i=INST_RETIRED")
		spec+=,$i=u
	done
	"$PROG/sysctrs" name:31=page-faults "${events[@]}" "en:31=k$spec" run:"$PROG/turns:$n" vals > "$T/out"
	instructions $n
	grep '^vals' "$T/out"
	tr ' ' '\n' < "$T/out" | grep -E '^([0-9]|1[01])=' | tr '=,' '  ' | awk -v t=$truth '
		$3 == "scaled" { n++ }
		$2 < 0.75 * t || $2 > 1.25 * t { print; bad = 1 }
		END { exit bad || NR != 12 || n < 6 }'
}
