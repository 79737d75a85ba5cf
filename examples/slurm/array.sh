#!/bin/sh
# An array of jobs of Slurm, each of which counts a run with another input: sbatch --array=1-3 array.sh PROGRAM
#
# The task T of array J runs "PROGRAM T" and writes counts.J_T.json.
set -eu
exec perfex --format=json -o 'counts.%j.json' -e page-faults -e task-clock "$@" "$SLURM_ARRAY_TASK_ID"
