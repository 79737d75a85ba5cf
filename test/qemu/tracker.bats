# --tracker without a tracer: BPF programs count the PMU exactly in each LWP and each program. These kernels do not record what
# an LWP has counted when it ends: --tracker=records says so, and another way is taken instead.

bats_require_minimum_version 1.5.0
load ../helper
load lwps

@test "tracker: each thread has its exact count of a PMU, by BPF programs and by a tracer" {
	local tracker
	for tracker in bpf ptrace; do
		each_lwp $tracker "$(first 22 15 4 1000000)" threads 4 1000000
		each_lwp $tracker "$(first 22 15 20 100)" threads 20 100
		each_lwp $tracker "$(first 18 15 20 7)" seq 20 7
	done
}

@test "tracker: each process, and each program that a process executes, has its exact count by BPF programs" {
	local k=5 n=200000 i
	each_process bpf $k $n
	count bpf -e -c INST_RETIRED "$PROG/execs" $k $n
	{
		for ((i = k; i > 0; i--)); do
			echo $((2 * i * n + 5 * ${#n} + 27))
		done
		echo $((5 * ${#n} + 21))
	} > "$T/parts"
	awk -F, '($5 == "exec" || $5 == "exit") && $8 != "" { print $10 }' "$T/csv" | diff "$T/parts" -
	awk -F, '$5 == "exec" && $8 == "" { print $17 }' "$T/csv" > "$T/execs"
	[ "$(wc -l < "$T/execs")" -eq $k ]
	[ "$(head -n 1 "$T/execs")" = "$PROG/execs $((k - 1)) $n" ]
}

@test "tracker: ticks by BPF programs lose nothing of threads that run at the same time" {
	count bpf -T 0.01 -c INST_RETIRED "$PROG/threads" 4 5000000
	parts "$(first 22 15 4 5000000)" 4 5000000 > "$T/parts"
	counts fini_lwp | diff "$T/parts" -
	[ "$(csv_count "$T/csv" tick)" -gt 20 ]
	# An LWP has at most as much left as runs between two ticks, of which one can be late.
	awk -F, '
		$5 == "tick" { left[$3] -= $10 }
		$5 == "fini_lwp" { left[$3] += $10; n++ }
		END { for (l in left) if (left[l] < 0 || left[l] >= 34000000) { print l, left[l]; bad = 1 }
			exit bad || n != 5 }' "$T/csv"
}

@test "tracker: BPF programs scale more events than there are counters, and say so" {
	scaled bpf
}

@test "tracker: BPF programs count breakpoints exactly in threads, forks and programs" {
	local mode
	for mode in 'live 20' 'forks 20' 'exec 5' 'vfork 3' 'nlexec 2'; do
		# shellcheck disable=SC2086 # a mode and a number
		oracle $mode -T 0 --tracker=bpf
		every_image "$T/truth" "$T/csv"
	done
	oracle seq 50 -T 0 --tracker=bpf
	every_lwp "$T/truth" "$T/csv"
}

@test "tracker: rows of a counter are those of BPF programs in user mode, and those of a tracer in system mode" {
	tracker_of() {
		"$CPUTRACK" --quiet --format=json -f -T 0 "$@" "$PROG/turns" 10 | grep -o '"tracker":"[a-z]*"'
	}
	[ "$(tracker_of -c INST_RETIRED,page-faults)" = '"tracker":"bpf"' ]
	[ "$(tracker_of -c page-faults -c INST_RETIRED,sys)" = '"tracker":"ptrace"' ]
	[ "$(tracker_of -c INST_RETIRED,nouser,sys)" = '"tracker":"ptrace"' ]
}

@test "tracker: --doctor says that this kernel runs BPF programs, and why it has no records" {
	run -0 "$CPUTRACK" --doctor
	[[ $output == *$'\nmissing  records of LWPs          '"$(no_records)"$'\n'* ]]
	[[ $output == *$'\nok       BPF programs             each LWP can be counted and sampled without a tracer (--tracker=bpf)\n'* ]]
}

# no_records: print why this kernel does not have the records.
no_records() {
	case $(uname -r) in
	6.1.*) echo 'this kernel cannot record what each LWP has counted; Linux 6.12 and later may' ;;
	*) echo 'this kernel does not record what an LWP has counted when the LWP ends' ;;
	esac
}

@test "tracker: records are refused with the reason, and nothing runs" {
	run -125 "$CPUTRACK" --tracker=records -T 0 -o "$T/rows" -c page-faults touch "$T/made"
	[ "$output" = "cputrack: --tracker=records: $(no_records)" ]
	[ ! -e "$T/made" ]
}

@test "tracker: a table of threads has the exact counts of a PMU: of BPF programs for root, else of a tracer" {
	run -0 --separate-stderr "$CPUTRACK" --threads --format=csv -c INST_RETIRED "$PROG/threads" 3 1000
	[ "$(awk -F, '$5 == "thread" && $14 == "exact" { print $3, $10 }' <<< "$output" | sort -n)" = "$(parts "$(first 22 15 3 1000)" 3 1000)" ]
	[ "$(tracer_of "$CPUTRACK" --threads -o "$T/rows" -c INST_RETIRED)" -eq 0 ]
	public_dir
	need_unprivileged_counting
	[ "$(tracer_of as_nobody "$D/cputrack" --threads -o "$D/out/rows" -c INST_RETIRED)" -gt 0 ]
}

@test "tracker: a kernel that does not describe its types is reported, and a tracer is used" {
	local reason
	busybox mount -t tmpfs none /sys/kernel/btf
	run "$CPUTRACK" --tracker=bpf -T 0 -o "$T/rows" -c page-faults touch "$T/made"
	"$CPUTRACK" --threads -o "$T/rows" -c page-faults true 2> "$T/err"
	busybox umount /sys/kernel/btf
	[ "$status" -eq 125 ]
	[ "$output" = 'cputrack: --tracker=bpf: this kernel does not describe its types (/sys/kernel/btf/vmlinux: No such file or directory)' ]
	[ ! -e "$T/made" ]
	[ ! -s "$T/err" ]
}
