# Counting is exact: in every LWP, a breakpoint counts as many calls of hit() as the program reports.

load helper

setup() {
	need_breakpoints
}

# exact MODE N: runs oracle and checks the count of every thread and the sum of every process.
exact() {
	oracle "$@"
	every_lwp "$T/truth" "$T/csv"
	every_image "$T/truth" "$T/csv"
	tail_rule "$T/csv"
}

@test "exact: one thread" {
	exact one 5
}

@test "exact: a program that never calls hit() has a row of zero" {
	run "$CPUTRACK" --format=csv -o "$T/csv" -c "$(hit_event oracle)" "$PROG/oracle" no-such-mode
	[ "$status" -eq 2 ]
	[ "$(csv_count "$T/csv" exit)" -eq 1 ]
	[ "$(csv_sum "$T/csv" exit)" -eq 0 ]
}

@test "exact: 8 threads one after another" {
	exact seq 8
}

@test "exact: 2,000 threads one after another" {
	exact seq 2000
}

@test "exact: 8 threads at once" {
	exact live 8
}

@test "exact: 2,000 threads at once" {
	exact live 2000
}

@test "exact: 2,000 threads that start and end in a burst" {
	exact burst 2000
}

@test "exact: 8 threads that compute while ticks are taken" {
	exact comp 8 -T 0.002
	[ "$(csv_count "$T/csv" tick)" -gt 8 ]
}

@test "exact: 500 forks" {
	exact forks 500
}

@test "exact: a tree of forks, 1 + 3 + 9 + 27 processes at once" {
	exact tree 3
	[ "$(csv_count "$T/csv" exit)" -eq 40 ]
	[ "$(csv_count "$T/csv" fork)" -eq 39 ]
}

@test "exact: forks from threads that are not the first" {
	exact tforks 20
}

@test "exact: 100 forks that execute" {
	oracle exec 100
	every_image "$T/truth" "$T/csv"
	every_lwp "$T/truth" "$T/csv"
}

@test "exact: vfork and exec" {
	oracle vfork 20
	every_image "$T/truth" "$T/csv"
	every_lwp "$T/truth" "$T/csv"
}

@test "exact: a process that executes itself 20 times: one total for each image" {
	oracle chain 20
	every_image "$T/truth" "$T/csv"
	awk -F, '($5 == "exec" || $5 == "exit") && $10 != "" { print $10 }' "$T/csv" > "$T/images"
	diff "$T/images" <(cut -d' ' -f3 "$T/truth")
}

@test "exact: exec by a thread that is not the first" {
	oracle nlexec 5
	every_image "$T/truth" "$T/csv"
	[ "$(csv_count "$T/csv" exit)" -eq 1 ]
	# Values are compared without thread ids: the thread that executes gets the id of the first one.
	diff <(awk -F, '$5 == "fini_lwp" { print $10 }' "$T/csv" | sort -n) <(cut -d' ' -f3 "$T/truth" | sort -n)
}

@test "exact: the first thread ends before the second" {
	exact leaderexit 3
	[ "$(csv_count "$T/csv" exit)" -eq 1 ]
}

@test "exact: hits in a signal handler" {
	exact signals 100
}

@test "exact: a program that dies by a signal, with a sleeping thread" {
	run oracle crash 2
	[ "$status" -eq 134 ]
	every_lwp "$T/truth" "$T/csv"
	every_image "$T/truth" "$T/csv"
}

@test "exact: without -v: the exit row minus the lwp_exit rows is the first thread's count" {
	rm -f "$T/truth"
	ORACLE=$T/truth "$CPUTRACK" --format=csv -o "$T/csv" -c "$(hit_event oracle)" "$PROG/oracle" live 50
	[ "$(csv_count "$T/csv" lwp_exit)" -eq 50 ]
	[ "$(csv_count "$T/csv" lwp_create)" -eq 50 ]
	first=$(awk '$1 == $2 { print $3 }' "$T/truth")
	[ $(($(csv_sum "$T/csv" exit) - $(csv_sum "$T/csv" lwp_exit))) -eq "$first" ]
	# lwp_create rows contain zeros.
	[ "$(csv_sum "$T/csv" lwp_create)" -eq 0 ]
}

@test "exact: LWPs are numbered from 1 in the order of creation" {
	oracle seq 20
	run awk -F, '$5 == "lwp_create" { print $3 }' "$T/csv"
	[ "$output" = "$(seq 2 21)" ]
}

@test "exact: the times of an LWP's rows never decrease" {
	oracle comp 8 -T 0.002
	awk -F, 'NR > 1 { if ($1 + 0 < last[$2, $3]) { print NR ": " $0; bad = 1 } last[$2, $3] = $1 + 0 }
		END { exit bad }' "$T/csv"
}

has_ticks() { (($(csv_count "$T/csv" tick) >= $1)); }
all_reported() { [ -f "$T/truth" ] && (($(wc -l < "$T/truth") == $1)); }

@test "exact: the sum of an LWP's ticks is its total if nothing happens after the last tick" {
	ORACLE=$T/truth start "$T/out" "$CPUTRACK" --tracker=ptrace -v -T 0.005 --format=csv -o "$T/csv" \
		-c "$(hit_event oracle)" "$PROG/oracle" hold 8
	until_true all_reported 9
	# Two complete rounds of ticks after the last hit.
	until_true has_ticks $(($(csv_count "$T/csv" tick) + 3 * 9))
	pid=$(awk 'NR == 1 { print $1 }' "$T/truth")
	kill -TERM "$pid"
	finish "${started[0]}"
	every_lwp "$T/truth" "$T/csv"
	awk -F, '$5 == "tick" { s[$4] += $10 } $5 == "fini_lwp" { t[$4] = $10; n++ }
		END { for (k in t) if (s[k] != t[k]) { bad = 1; print "tid " k ": ticks " s[k] ", total " t[k] }
			exit bad || n != 9 }' "$T/csv"
}

@test "exact: ticks never exceed the total" {
	oracle comp 8 -T 0.002
	awk -F, '$5 == "tick" { s[$2, $4] += $10 } $5 == "fini_lwp" { t[$2, $4] = $10; n++ }
		END { for (k in t) if (s[k] > t[k]) bad = 1; exit bad || n != 9 }' "$T/csv"
}

# attached PARKED CREATORS: attaches to a program of PARKED sleeping threads and CREATORS that create threads.
attached() {
	ORACLE=$T/truth start "$T/prog" "$PROG/attachme" "$1" "$2"
	local prog=$!
	until_true has ready "$T/prog"
	start "$T/out" "$CPUTRACK" --tracker=ptrace -v -T 0.1 --format=csv -o "$T/csv" -c "$(hit_event attachme)" -p "$prog"
	local tool=$!
	# The first tick comes after all threads are bound.
	until_true has ,tick,0, "$T/csv"
	kill -USR1 "$prog"
	until_true enough_threads "$1"
	kill -TERM "$prog"
	finish "$prog"
	finish "$tool"
}
enough_threads() { (($(grep -c '[0-9]$' "$T/truth") >= $1 + ${MORE:-0})); }

# after_attach TRUTH CSV: a thread that started after the attach has a row with all its hits; an earlier one has
# a row with at most its hits.
after_attach() {
	awk -F, -v truth="$1" '
		BEGIN { while ((getline line < truth) > 0) {
			c = split(line, f, " ")
			if (c == 4) early[f[2]] = early[f[2]] " " f[3] " "
			else { n[f[2] " " f[3]]++; total++ } } }
		$5 == "fini_lwp" && n[$4 " " $10] > 0 { n[$4 " " $10]--; exact++; next }
		$5 == "fini_lwp" && !($4 in early) && $10 > 0 { print "not true: " $0; bad++ }
		END {
			for (k in n) if (n[k] > 0) { bad++; if (bad <= 5) print "tid hits " k ": no row" }
			print total " threads, " exact " exact"
			exit bad || !total || exact != total
		}' "$2"
}

@test "exact: attach to a process of 5 sleeping threads" {
	attached 5 0
	after_attach "$T/truth" "$T/csv"
	tail_rule "$T/csv"
}

@test "exact: attach to a process of 500 threads that keeps creating more" {
	MORE=3000 attached 500 4
	after_attach "$T/truth" "$T/csv"
	[ "$(csv_count "$T/csv" exit)" -eq 1 ]
	tail_rule "$T/csv"
}
