# Launchers of parallel programs, for tests: Open MPI, MPICH and Slurm. Loaded with: load launchers
#
# The programs are those that ./setup check has unpacked below build/launchers, else those of the machine.

LAUNCHERS=$BATS_TEST_DIRNAME/../build/launchers

# The launcher of the tests themselves must not decide, nor must its options.
unset "${!OMPI_@}" "${!MV2_@}" "${!PMI@}" "${!FLUX_@}" "${!SLURM_@}" "${!SBATCH_@}"

# Unpacked programs find their parts by these variables.
if [ -d "$LAUNCHERS/bin" ]; then
	LAUNCHERS=$(realpath "$LAUNCHERS")
	parts=("$LAUNCHERS"/lib/*-linux-gnu)
	export PATH=$LAUNCHERS/bin:$LAUNCHERS/sbin:$PATH LD_LIBRARY_PATH=${parts[0]}:${parts[0]}/slurm-wlm OPAL_PREFIX=$LAUNCHERS
	export PMIX_PREFIX=${parts[0]}/pmix2 PMIX_MCA_mca_base_component_path=${parts[0]}/pmix2/lib/pmix
fi
# Open MPI refuses root, and parts of it for other networks are not unpacked.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_mca_base_component_show_load_errors=0

# no_launcher PROGRAM REASON: print why a test is skipped.
no_launcher() { echo "needs $1: $(tail -n 1 "$BATS_TEST_DIRNAME/../build/launchers.log" 2> /dev/null || echo "$2; ./setup check fetches it")"; }

# need_launcher PROGRAM ARGUMENT: skip the test if the program does not run.
need_launcher() {
	local log
	log=$("$@" 2>&1) || skip "$(no_launcher "$1" "${log##*$'\n'}")"
}
need_openmpi() {
	need_launcher mpirun.openmpi --version
	mpirun=(mpirun.openmpi --oversubscribe --bind-to none)
}
need_mpich() {
	need_launcher mpirun.mpich --version
	mpirun=(mpirun.mpich)
}

# The program of the ranks, and the event of its calls of hit().
RANKS=$PROG/ranks
hit_at() { echo "mem:$("$RANKS" address):x"; }

# Print a command line with a tool that counts calls of hit() and page faults of PROGRAM...; $T/r.N.json gets the records of rank N.
perfex() { echo "$PERFEX" --format=json -o "$T/r.%r.json" -e "$(hit_at)" -e page-faults "$@"; }
cputrack() { echo "$CPUTRACK" --format=json -fe -T 0 -o "$T/r.%r.json" -c "$(hit_at),page-faults" "$@"; }

# each_rank N FILE FILTER: the JSON filter, applied to the records of FILE with % as the rank, is true for ranks 0 to N - 1; $r is the rank.
each_rank() {
	local r
	for ((r = 0; r < $1; r++)); do
		jq -es --argjson r "$r" "$3" "${2/\%/$r}" > "$T/jq" 2>&1 ||
			{ echo "rank $r: $3 is false"; cat "$T/jq" "${2/\%/$r}"; return 1; }
	done
}

# exact N [FILTER]: the files of N ranks are whole, and have the counts of `ranks work`; FILTER is true for the records of each.
exact() {
	each_rank "$1" "$T/r.%.json" "
		def count(\$name): [.[] | select(.record == \"total\" and .what == \"exit\").values[] | select(.name | startswith(\$name))][0].value;
		(last | .record == \"end\" and .status == 0 and .provisional == false) and count(\"mem:\") == 2000 * (\$r + 1) and
		(count(\"page-faults\") - 2000 * (\$r + 1) | . >= 0 and . < 200 or ${MANY_FAULTS:-false}) and (${2:-true})"
	python3 "$BATS_TEST_DIRNAME/records.py" "$T"/r.*
}

# joined N: cpcreport joins the files of N ranks, of which none is missing, and says how unevenly `ranks work` counts.
joined() {
	run -0 --separate-stderr "$CPCREPORT" --by=rank --strict --format=json "$T"/r.*
	[ -z "$stderr" ] || { echo "$stderr"; return 1; }
	jq -es --argjson n "$1" '.[] | select(.event | startswith("mem:")) |
		.keys == $n and .without == 0 and .class == "exact" and .sum == 1000 * $n * ($n + 1) and .min == 2000 and
		.median == 1000 * ($n + 1) and .max == 2000 * $n and .min_at == "0" and .max_at == ($n - 1 | tostring) and
		(.imbalance - 2 * $n / ($n + 1) | fabs) < 1e-6' <<< "$output" || { echo "$output"; return 1; }
}

# saved N FILTER: the records of N ranks have the counts of `ranks work`, in a report that can be provisional; FILTER is true for the last one.
saved() {
	each_rank "$1" "$T/r.%.json" "
		([.[] | select(.record == \"total\").values[0].value | select(. != null)] | max == 2000 * (\$r + 1)) and (last | $2)"
}

# The last record if SIGKILL ends a program that goes on after a warning; it may reach the program before the tool.
late='.provisional or .signal == 9'

# examples: let the scripts of examples/ find the commands; sets $E, the folder.
examples() {
	E=$BATS_TEST_DIRNAME/../examples
	export PATH=${PERFEX%/*}:$PATH
}

# all N COMMAND WORD: COMMAND WORD FILE is true for the log of each of N ranks. once WORD FILE: the file has the line WORD, once.
all() {
	local r
	for ((r = 0; r < $1; r++)); do
		"$2" "$3" "$T/logs/log.$r" || return
	done
}
once() { [ "$(grep -cx "$1" "$2")" -eq 1 ]; }
