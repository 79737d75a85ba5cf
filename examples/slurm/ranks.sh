#!/bin/sh
# A job of Slurm that counts page faults and time of each rank of a program: sbatch -n 4 ranks.sh PROGRAM [ARGUMENT...]
#
# Rank R of job J writes counts.J.K.R.json, where K is 0, or how often Slurm has started the job again: sbatch --requeue.
# The variable is not set before the first time. If the job is cancelled or reaches its time limit, the files have what was
# counted until Slurm's SIGTERM.
set -eu
export SLURM_RESTART_COUNT="${SLURM_RESTART_COUNT:-0}"
exec srun perfex --format=json -o 'counts.%j.%q{SLURM_RESTART_COUNT}.%r.json' -e page-faults -e task-clock "$@"
