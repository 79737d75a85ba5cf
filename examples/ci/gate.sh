#!/bin/sh
# gate.sh FILE LIMITS COMMAND...: fail if a count of the command has grown by more than a limit since FILE was saved.
#
# LIMITS are those of cputrack --limit, such as instructions=1%,branches=2%. The command is simulated (--reproducible), so
# that the counts are the same on every machine, and FILE can be kept with the sources. Without FILE it is made, and the
# job passes. The counts of this run go to FILE.new: after a change that is meant, move that to FILE and commit it.
#
# FORMAT in the environment is that of cputrack --format: text, or markdown for a comment in a review.
#
# Status: 0 all limits are kept, or FILE was made; 3 a limit is exceeded; 125 the counts cannot be compared, with the reason.
set -eu

if [ $# -lt 3 ]; then
	echo "usage: $0 file limits command [args]" >&2
	exit 2
fi
file=$1
limits=$2
shift 2
# The names of the events: the limits without "-", "=" and percentages.
events=$(printf '%s' "$limits" | sed 's/=[0-9.]*%//g; s/^-//; s/,-/,/g')

if [ ! -e "$file" ]; then
	echo "$0: $file is made; commit it" >&2
	exec cputrack --reproducible --format="${FORMAT:-text}" -c "$events" --save="$file" "$@"
fi
exec cputrack --reproducible --format="${FORMAT:-text}" -c "$events" --baseline="$file" --save="$file.new" \
	--limit="$limits" "$@"
