# --tracker: rows of LWPs from the records that the kernel writes, without a tracer, are those that a tracer has.

bats_require_minimum_version 1.5.0
load helper

# need_records: skip the test if this kernel does not record the lives of LWPs.
need_records() {
	need_breakpoints
	"$CPUTRACK" --tracker=records -T 0 -o /dev/null -c page-faults true 2> "$T/why" || skip "$(cat "$T/why")"
}

# exact_by TRACKER MODE N: each thread of the oracle has a row with its count, and the rows of processes have the sums.
exact_by() {
	oracle "${@:2}" -T 0 --tracker="$1"
	every_lwp "$T/truth" "$T/csv"
	every_image "$T/truth" "$T/csv"
	tail_rule "$T/csv"
}

exact() {
	need_records
	exact_by records "$@"
}

# sums: each process has the counts of all its threads and programs.
sums() {
	awk -F, -v truth="$T/truth" '
		BEGIN { while ((getline line < truth) > 0) { split(line, f, " "); sum[f[1]] += f[3]; all += f[3] } }
		$5 == "exit" { sum[$2] -= $10; seen += $10 }
		END {
			for (k in sum) if (sum[k]) { bad++; print "pid " k ": " sum[k] " of its hits are missing" }
			print all " hits, " seen " counted"
			exit bad || !all || all != seen
		}' "$T/csv"
}

# words FILE: the words of the rows of each LWP, in their order. The next LWP may begin before the last row of another.
words() { awk -F, 'NR > 1 { print $3, $5 }' "$1" | sort -s -n -k 1,1; }

@test "tracker: threads one after another" {
	exact seq 2000
}

@test "tracker: threads at once" {
	exact live 1000
}

@test "tracker: threads that start and end in a burst" {
	exact burst 2000
}

@test "tracker: threads that compute and change the processor" {
	exact comp 8
}

@test "tracker: forks, and a tree of forks" {
	exact forks 300
	exact tree 3
	[ "$(csv_count "$T/csv" exit)" -eq 40 ]
	[ "$(csv_count "$T/csv" fork)" -eq 39 ]
}

@test "tracker: forks from threads that are not the first" {
	exact tforks 20
}

@test "tracker: the first thread ends before the second" {
	exact leaderexit 3
	[ "$(csv_count "$T/csv" exit)" -eq 1 ]
}

@test "tracker: a program that takes signals, and one that dies by a signal" {
	exact signals 100
	run oracle crash 2 -T 0 --tracker=records
	[ "$status" -eq 134 ]
	every_lwp "$T/truth" "$T/csv"
	every_image "$T/truth" "$T/csv"
}

@test "tracker: siblings that a tracer cannot tell apart" {
	exact siblings 20
}

@test "tracker: the counts of a process include the programs that it executes" {
	need_records
	local mode
	for mode in 'exec 50' 'vfork 20' 'chain 10' 'nlexec 5'; do
		# shellcheck disable=SC2086 # a mode and a number
		run -0 oracle $mode -T 0 --tracker=records
		sums
		[[ $output == *"executed another program, which its counts include; --tracker=ptrace counts each program by itself"* ]]
	done
	[ "$(csv_count "$T/csv" exec)" -ge 1 ]
}

@test "tracker: the rows and their order are those of a tracer" {
	need_records
	local mode
	for mode in 'seq 20' 'forks 5' 'one 3' 'leaderexit 3'; do
		# shellcheck disable=SC2086 # a mode and a number
		oracle $mode -T 0 --tracker=records
		words "$T/csv" > "$T/records"
		# shellcheck disable=SC2086
		oracle $mode -T 0 --tracker=ptrace
		diff "$T/records" <(words "$T/csv")
	done
}

@test "tracker: the table of threads has the names, and the same totals as a tracer's" {
	need_records
	oracle seq 5 -T 0 --threads --tracker=records
	[ "$(csv_sum "$T/csv" thread)" -eq "$(awk '{ s += $3 } END { print s }' "$T/truth")" ]
	[ "$(awk -F, '$5 == "thread" && $21 == "oracle"' "$T/csv" | wc -l)" -eq 6 ]
}

# traced OPTION...: does a tracer follow a program that is counted with these options?
traced() {
	"$CPUTRACK" -o "$T/table" -c page-faults "$@" sh -c 'while read -r word value; do [ "$word" != TracerPid: ] || echo "$value"; done < /proc/$$/status' > "$T/tracer"
	[ "$(cat "$T/tracer")" != 0 ]
}

@test "tracker: the records are chosen for a table of threads, and a tracer for rows" {
	need_records
	local options
	for options in --threads '--threads -f -e' '--threads -T 0' '-T 0 --tracker=records'; do
		# shellcheck disable=SC2086 # options
		! traced $options || { echo "traced with $options"; return 1; }
	done
	for options in '-T 1' '-T 0' '-T 0 -f -e' '--threads -f' '--threads --tracker=ptrace'; do
		# shellcheck disable=SC2086 # options
		traced $options
	done
}

@test "tracker: what the records do not have is refused, and nothing runs" {
	local options
	for options in '-T 1' '-T 0 -t' '-N 3' '--chart' '--engine=sim -T 0'; do
		rm -f "$T/ran"
		# shellcheck disable=SC2086 # options
		run -125 --separate-stderr "$CPUTRACK" --tracker=records $options -c page-faults touch "$T/ran"
		[[ $stderr == *"--tracker=records: "* ]]
		[ ! -e "$T/ran" ]
	done
	run -125 "$CPUTRACK" --tracker=records -T 0 -c page-faults -p $$
	[[ $output == *"a process that already runs (-p) needs a tracer"* ]]
	run -2 "$CPUTRACK" --tracker=nothing -c page-faults true
	[[ $output == *"--tracker=nothing: give auto, records or ptrace"* ]]
}

@test "tracker: --doctor says whether the kernel has the records" {
	run -0 "$CPUTRACK" --doctor
	if "$CPUTRACK" --tracker=records -T 0 -o /dev/null -c page-faults true 2> /dev/null; then
		[[ $output == *$'\nok       records of LWPs          each LWP can be counted without a tracer (--tracker=records)\n'* ]]
	else
		[[ $output == *$'\nmissing  records of LWPs          '* ]]
	fi
}

@test "tracker: the status is the command's; a command that cannot be executed has no rows" {
	need_records
	run -7 "$CPUTRACK" --tracker=records -T 0 -o "$T/rows" -c page-faults sh -c 'exit 7'
	run -137 "$CPUTRACK" --tracker=records -T 0 -o "$T/rows" -c page-faults sh -c 'kill -9 $$'
	run -127 --separate-stderr "$CPUTRACK" --tracker=records -T 0 -c page-faults "$T/nothing"
	[ -z "$output" ]
	[[ $stderr == *"cannot find program '$T/nothing'"* ]]
	printf '#!/no/such/interpreter\n' > "$T/damaged"
	chmod +x "$T/damaged"
	run -127 --separate-stderr "$CPUTRACK" --tracker=records -T 0 -o "$T/rows" -c page-faults "$T/damaged"
	[ "$(wc -l < "$T/rows")" -le 1 ]
	[[ $stderr == *"cannot execute '$T/damaged'"* ]]
}

@test "tracker: processes that outlive the command are counted to their end with -f" {
	need_records
	mkfifo "$T/fifo"
	start "$T/out" "$CPUTRACK" --tracker=records -T 0 -f --format=csv -o "$T/csv" -c page-faults \
		sh -c '(read -r x < "$0") & exit 3' "$T/fifo"
	local pid=$!
	until_true eval '[ "$(csv_count "$T/csv" exit)" -eq 1 ]'
	echo end > "$T/fifo"
	local status=0
	finish "$pid" || status=$?
	[ "$status" -eq 3 ]
	[ "$(csv_count "$T/csv" exit)" -eq 2 ]
}

@test "tracker: a warning writes what is in no row yet, and the end takes its place" {
	need_records
	mkfifo "$T/fifo"
	start "$T/out" "$CPUTRACK" --tracker=records -T 0 --format=csv -o "$T/csv" -c page-faults \
		sh -c 'trap "" USR1; echo ready > "$0"; read -r x < "$0"' "$T/fifo"
	local pid=$!
	read -r x < "$T/fifo"
	kill -USR1 "$pid"
	until_true grep -q ',rest,' "$T/csv"
	echo end > "$T/fifo"
	finish "$pid"
	lacks ',rest,' "$T/csv"
	[ "$(csv_count "$T/csv" exit)" -eq 1 ]
}

# need_records_of_nobody: skip the test if a user without privileges does not get the records here.
need_records_of_nobody() {
	need_root
	need setpriv
	need_records
	public_dir
	need_unprivileged_counting
	as_nobody "$D/cputrack" --tracker=records -T 0 -c page-faults true > "$T/why" 2>&1 || skip "$(cat "$T/why")"
}

@test "tracker: a user without privileges, who may lock little memory" {
	need_records_of_nobody
	local event=page-faults,task-clock,cpu-clock,minor-faults,major-faults,alignment-faults tracker kib
	for tracker in records ptrace; do
		for kib in 0 64; do
			as_nobody sh -c "ulimit -l $kib; exec \"\$@\"" sh "$D/cputrack" --tracker=$tracker -T 0 --format=csv \
				-c $event "$D/oracle" seq 500 > "$T/csv"
			[ "$(awk -F, '$5 == "lwp_exit" && $8 == 0' "$T/csv" | wc -l)" -eq 500 ]
		done
	done
}

@test "tracker: the counts of a process end where it executes a set-id program, and a note says so" {
	need_records_of_nobody
	cp "$PROG/act" "$D/setid"
	chmod 4755 "$D/setid"
	[ "$(as_nobody "$D/setid" uids)" = '65534 0' ] || skip "set-id is off for $D"
	run -125 --separate-stderr as_nobody "$D/cputrack" -f -T 0 --tracker=records --strict --format=csv -c page-faults \
		sh -c "'$D/act' exit 0; '$D/setid' uids; '$D/setid' faults 5000; exit 0"
	# Without a tracer, the program has its privileges.
	[[ $output == *'65534 0'* ]]
	[[ $stderr == *'the kernel does not count set-id, privileged or unreadable programs'* ]]
	echo "$output" > "$T/csv"
	[ "$(csv_count "$T/csv" exit)" -eq 4 ]
	awk -F, '$5 == "exit" && $10 >= 5000 { exit 1 }' "$T/csv"
	run -125 as_nobody "$D/cputrack" -T 0 --tracker=records -c page-faults "$D/setid" uids
	[[ $output == *"--tracker=records: the kernel ends the records of this program at its exec, as it is set-id, "* ]]
}

@test "tracker: a program that seccomp(2) would kill if it counted or traced" {
	need_breakpoints
	"$PROG/oracle" seccomp 1 > /dev/null || skip 'needs a kernel with seccomp'
	exact_by ptrace seccomp 20
	exact seccomp 20
}

@test "tracker: many signals have a note with a tracer, and cost no stops without one" {
	local note='the tracer stopped the program 1000 times for signals, which made it slower; --tracker=records -T 0 does not stop it'
	run -0 bounded "$CPUTRACK" -T 0 --tracker=ptrace -o "$T/rows" -c page-faults "$PROG/act" signals 1000
	[[ $output == *"cputrack: $note" ]]
	run -0 bounded "$CPUTRACK" -T 0 --tracker=ptrace -o "$T/rows" -c page-faults "$PROG/act" signals 999
	[[ $output != *'for signals'* ]]
	need_records
	run -0 bounded "$CPUTRACK" -T 0 --tracker=records -o "$T/rows" -c page-faults,context-switches "$PROG/act" signals 20000
	[[ $output != *'for signals'* ]]
}

# memory OPTION... COMMAND: run a command of sh under cputrack, and print the largest resident set of cputrack, KiB.
memory() {
	local command="${*: -1}; while read -r key size unit; do [ \"\$key\" != VmHWM: ] || echo \"\$size\"; done < /proc/\$PPID/status"
	bounded "$CPUTRACK" -T 0 --quiet -c page-faults -o "$T/rows" "${@:1:$#-1}" sh -c "$command"
}

@test "tracker: very many threads have exact rows, and take little memory" {
	need_records
	local n=4000 kib
	[ -z "${LONG-}" ] || n=100000
	exact seq $n
	plain_build 'the memory is that of the build'
	[ -z "${SANITIZE-}" ] || skip 'AddressSanitizer keeps memory that was freed'
	kib=$(memory -f --tracker=records "$PROG/load creators $n")
	echo "$n threads: $kib KiB"
	[ "$kib" -lt 16384 ]
	[ "$(grep -c lwp_exit "$T/rows")" -eq $((n + 8)) ]
	# The table has all threads until the end.
	kib=$(memory --threads -f -e "$PROG/load creators $n")
	echo "$n threads in a table: $kib KiB"
	[ "$kib" -lt $((16384 + n)) ]
	[ "$(grep -c ' load ' "$T/rows")" -ge $((n + 8)) ]
}
