#!/bin/sh
# ranks.sh N PROGRAM [ARGUMENT...]: run N ranks of a program under mpirun, and count page faults and time of each.
#
# Rank R writes counts.R.json. MPIRUN is the command that starts ranks, with its options, if it is not mpirun.
set -eu

if [ $# -lt 2 ]; then
	echo "usage: $0 n program [args]" >&2
	exit 2
fi
n=$1
shift
# shellcheck disable=SC2086 # the options of mpirun
exec ${MPIRUN:-mpirun} -np "$n" perfex --format=json -o 'counts.%r.json' -e page-faults -e task-clock "$@"
