# Ranks that Slurm starts: names of files, records, counts, and signals of srun and scancel.

bats_require_minimum_version 1.5.0
load helper
load launchers
load slurm

setup_file() { slurm_begin; }
teardown_file() { slurm_end; }
setup() {
	need_slurm
	need jq
	need_breakpoints
	cd "$T"
}

# four FILTER OPTION...: four ranks of srun, with perfex and with cputrack; FILTER is true for the record of each run.
four() {
	local filter=$1 tool
	shift
	for tool in perfex cputrack; do
		rm -f "$T"/r.*
		# shellcheck disable=SC2046 # words
		bounded srun "$@" -n4 $($tool "$RANKS" work)
		[ "$(cd "$T" && echo r.*)" = "r.0.json r.1.json r.2.json r.3.json" ]
		exact 4 ".[0] | .rank == \$r and .size == 4 and .step == 0 and (.job | test(\"^[0-9]+\$\")) and $filter"
		joined 4
	done
}

@test "slurm: each rank of srun has a file, its place in the record, and exact counts" {
	four '.launcher == "Slurm" and .local == $r % 2' -N2 --ntasks-per-node=2
}

@test "slurm: ranks of srun --mpi=pmi2" {
	four '.launcher == "PMI" and .local == $r % 2' -N2 --ntasks-per-node=2 --mpi=pmi2
}

@test "slurm: ranks of srun --mpi=pmix" {
	srun --mpi=list 2>&1 | grep -q pmix || skip "this Slurm has no PMIx"
	four '.launcher == "PMIx" and .local == $r' -N1 --mpi=pmix
}

# batch OPTION...: submit the script of stdin, and wait for its end; sets $job.
batch() {
	job=$({ echo '#!/bin/sh'; cat; } | sbatch --parsable -o "$T/job.out" "$@")
	until_true no_job
	cat "$T/job.out"
}

@test "slurm: ranks of mpirun in a batch script have their own numbers, not Slurm's" {
	local engine
	for engine in openmpi mpich; do
		need_$engine
		rm -f r.*
		batch -n 3 <<-END
			${mpirun[@]} -np 3 $(perfex "$RANKS" work)
		END
		[ "$(echo r.*)" = "r.0.json r.1.json r.2.json" ]
		exact 3 ".[0] | .rank == \$r and .size == 3 and .job == \"$job\" and .launcher != \"Slurm\""
		joined 3
	done
}

@test "slurm: each task of an array has a file by %j" {
	batch --array=4-5 <<-END
		srun $PERFEX --format=json -o 'r.%j.%r.json' -e page-faults true
	END
	[ "$(echo r.*)" = "r.${job}_4.0.json r.${job}_5.0.json" ]
	jq -es ".[0].job == \"${job}_5\"" "r.${job}_5.0.json"
}

@test "slurm: only rank 0 is counted, with names by Slurm's number or by ours" {
	local number
	# A file of programs has a language of its own, in which "%t" is the rank.
	for number in %t '\\%r'; do
		cat > multi <<-END
			0 $(perfex "$RANKS" work | sed "s/%r/$number/")
			1-3 $RANKS work
		END
		bounded srun -n4 --multi-prog multi
		[ "$(echo r.*)" = r.0.json ]
		exact 1 '.[0] | .rank == 0 and .size == 4'
		rm r.*
	done
}

@test "slurm: a note says that srun itself is counted, not its ranks" {
	run -0 bounded "$PERFEX" --format=json -o sum.json -e "$(hit_at)" srun -n2 "$RANKS" work
	[[ $output == *"perfex: srun: its ranks are not counted, because daemons start them; run 'srun ... perfex -o FILE.%r ... PROGRAM'"* ]]
	jq -es '[.[] | select(.record == "total").values[0].value] == [0]' sum.json
	run -0 bounded "$CPUTRACK" --summary -c page-faults srun -n2 true
	[[ $output == *"cputrack: srun: its ranks are not counted"* ]]
}

@test "slurm: a prolog of tasks gives labels to all ranks" {
	printf '#!/bin/sh\necho "export CPC_LABEL=site=here,node=$SLURMD_NODENAME"\n' > prolog
	chmod +x prolog
	# shellcheck disable=SC2046
	bounded srun -N2 -n2 --task-prolog="$T/prolog" $(perfex true)
	each_rank 2 r.%.json '.[0].label == {site: "here", node: "n\($r)"}'
}

@test "slurm: a job that is requeued has a file for each run" {
	job=$(sbatch --parsable --requeue -o "$T/job.out" <<-END
		#!/bin/sh
		export SLURM_RESTART_COUNT=\${SLURM_RESTART_COUNT:-0}
		srun $PERFEX -o 'r.%j.%q{SLURM_RESTART_COUNT}' -e page-faults sh -c ': > began; [ \$SLURM_RESTART_COUNT = 1 ] || exec sleep 60'
	END
	)
	# The file is there before perfex takes signals; when the command runs, perfex does.
	until_true exists began
	scontrol requeue "$job"
	until_true requeued
	# A node refuses a job that begins in the second in which its former run was ended.
	scontrol update jobid="$job" StartTime=now+2
	DEADLINE=60 until_true no_job
	has page-faults "r.$job.0"
	has page-faults "r.$job.1"
}
exists() { [ -e "$1" ]; }
requeued() { [ "$(squeue -h -o %t -j "$job")" = PD ]; }

# faults FILE N: the file has the counts of rank N.
faults() { jq -es --argjson r "$2" 'last.provisional == false and .[1].values[0].value >= 2000 * ($r + 1)' "$1"; }

@test "slurm: the scripts of examples/slurm count ranks, and an array" {
	examples
	job=$(sbatch --parsable -n 2 -o job.out "$E/slurm/ranks.sh" "$RANKS" work)
	until_true no_job
	cat job.out
	[ "$(echo counts.*)" = "counts.$job.0.0.json counts.$job.0.1.json" ]
	faults "counts.$job.0.0.json" 0
	faults "counts.$job.0.1.json" 1
	rm counts.*
	job=$(sbatch --parsable --array=1-2 -o job.out "$E/slurm/array.sh" echo)
	until_true no_job
	cat job.out
	[ "$(echo counts.*)" = "counts.${job}_1.json counts.${job}_2.json" ]
	jq -es '.[0].command == "echo 2"' "counts.${job}_2.json"
}

@test "slurm: the prolog of examples/slurm gives labels to all ranks" {
	examples
	# shellcheck disable=SC2046
	bounded srun -n2 --task-prolog="$(realpath "$E")/slurm/prolog.sh" $(perfex true)
	each_rank 2 r.%.json '.[0].label == {cluster: "tests", node: "n0", partition: "all"}'
}
