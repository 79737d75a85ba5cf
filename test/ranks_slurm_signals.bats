# Signals of Slurm to ranks: counts are saved in every case but a SIGKILL without warning.

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

# begin_step COMMAND...: start 2 ranks, and wait until they have done their work; sets $srun and $job.
begin_step() {
	rm -rf logs r.*
	mkdir logs
	start "$T/out" srun -n2 "$@" "$T/logs"
	srun=$!
	until_true all 2 has ready
	job=$(jq -rs '.[0].job' r.0.json)
}
# end_step: sets $status of srun.
end_step() {
	status=0
	finish "$srun" || status=$?
	cat out out.err logs/*
}

@test "slurm: scancel: a program that ends has its report" {
	local tool
	for tool in perfex cputrack; do
		echo "$tool"
		# shellcheck disable=SC2046 # words
		begin_step $($tool "$RANKS" wait)
		scancel "$job"
		end_step
		# On a busy machine SIGKILL, which follows after KillWait, comes before the last report.
		saved 2 '.provisional or (.status == 143 and .signal == 15)'
	done
}

# cancelled TOOL: a program that goes on until SIGKILL has a provisional report.
cancelled() {
	# shellcheck disable=SC2046
	begin_step $("$1" "$RANKS" save)
	scancel "$job"
	end_step
	all 2 once TERM
	saved 2 "$late"
}

@test "slurm: scancel: a program that goes on has a provisional report of perfex" {
	cancelled perfex
}

@test "slurm: scancel: a program that goes on has a provisional report of cputrack" {
	cancelled cputrack
}

# goes_on SIGNAL: with each tool, the signal reaches the program once, and costs no counts.
goes_on() {
	local tool
	for tool in perfex cputrack; do
		echo "$tool"
		# shellcheck disable=SC2046
		begin_step $($tool "$RANKS" save)
		scancel -s "$1" "$job"
		until_true all 2 has "$1"
		until_true each_rank 2 r.%.json 'last.provisional'
		touch logs/end
		end_step
		[ "$status" -eq 0 ]
		all 2 once "$1"
		saved 2 '.provisional == false and .command_status == 0'
	done
}

@test "slurm: scancel -s USR1 reaches the program once and costs no counts" {
	goes_on USR1
}

@test "slurm: scancel -s INT reaches the program once and costs no counts" {
	goes_on INT
}

@test "slurm: scancel -s TERM reaches the program once and costs no counts" {
	goes_on TERM
}

# begin_script COMMAND...: submit a script that runs the command itself, not by srun; sets $job.
begin_script() {
	rm -rf logs r.*
	mkdir logs
	job=$(printf '#!/bin/sh\ntrap : TERM\n%s\n' "$* $T/logs" | sbatch --parsable -o job.out)
	until_true all 1 has ready
}

@test "slurm: a program of the batch script itself: scancel --full -s TERM reaches it" {
	local tool
	for tool in perfex cputrack; do
		begin_script "$($tool "$RANKS" save)"
		scancel --full -s TERM "$job"
		until_true has TERM logs/log.0
		until_true each_rank 1 r.%.json 'last.provisional'
		touch logs/end
		until_true no_job
		once TERM logs/log.0
		saved 1 '.provisional == false and .command_status == 0'
	done
}

@test "slurm: a program of the batch script itself: scancel leaves a provisional report" {
	begin_script "$(perfex "$RANKS" save)"
	scancel "$job"
	until_true no_job
	once TERM logs/log.0
	saved 1 "$late"
}

@test "slurm: SIGTERM to srun kills the step at once, which loses the total, not the periods and ticks before it" {
	local tool periods='[.[] | select(.record == "sample").values[0].value] | add == 2000 * ($r + 1)'
	for tool in 'perfex -p 50' 'cputrack -T 0.05'; do
		# shellcheck disable=SC2046,SC2086
		begin_step $($tool "$RANKS" save)
		until_true each_rank 2 r.%.json "$periods"
		kill -TERM "$srun"
		end_step
		each_rank 2 r.%.json "$periods"
	done
}

# Slurm looks at limits, which are whole minutes, every 30 s.
@test "slurm: the time limit, and the warning before it, leave reports" {
	[ -n "${LONG-}" ] || skip "takes 100 s; LONG=1 runs it"
	local ends goes job
	mkdir ends goes
	job=$(printf '#!/bin/sh\nsrun -n2 %s\n' "$(cd ends && T=$PWD && perfex "$RANKS" wait "$T")" | sbatch --parsable -n 2 -o "$T/ends/out" -t 1)
	ends=$job
	job=$(printf '#!/bin/sh\nsrun -n2 %s\n' "$(cd goes && T=$PWD && cputrack "$RANKS" save "$T")" | sbatch --parsable -n 2 -o "$T/goes/out" -t 1 --signal=USR1@30)
	goes=$job
	DEADLINE=90 until_true has USR1 goes/log.1
	until_true each_rank 2 goes/r.%.json last.provisional
	lacks TERM goes/log.1
	for job in "$ends" "$goes"; do
		DEADLINE=120 until_true no_job
	done
	cat ends/out goes/out
	T=$T/ends saved 2 '.provisional or (.status == 143 and .signal == 15)'
	T=$T/goes saved 2 "$late"
	has TERM goes/log.0 # Slurm sends it twice
	once USR1 goes/log.0
}
