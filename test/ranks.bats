# Ranks that Open MPI and MPICH start: names of files, records, counts, and signals of the launchers.

bats_require_minimum_version 1.5.0
load helper
load launchers

setup() {
	need jq
	need_breakpoints
}

# four FILTER: four ranks, with perfex and with cputrack; FILTER is true for the record of each run.
four() {
	local tool
	for tool in perfex cputrack; do
		echo "$tool"
		rm -f "$T"/r.*
		# shellcheck disable=SC2046 # words
		bounded "${mpirun[@]}" -np 4 $($tool "$RANKS" work)
		[ "$(cd "$T" && echo r.*)" = "r.0.json r.1.json r.2.json r.3.json" ]
		exact 4 ".[0] | .rank == \$r and .size == 4 and .local == \$r and .job == null and .step == null and $1"
		joined 4
	done
}

@test "ranks: each rank of Open MPI has a file, its place in the record, and exact counts" {
	need_openmpi
	four '.launcher == "Open MPI"'
}

@test "ranks: each rank of MPICH has a file, its place in the record, and exact counts" {
	need_mpich
	four '.launcher == "PMI"'
}

@test "ranks: a program that calls MPI" {
	need_openmpi
	mpicc.openmpi --version > "$T/mpicc" 2>&1 || skip "needs mpicc.openmpi"
	mpicc.openmpi -O2 -D_GNU_SOURCE -DUSE_MPI -no-pie -o "$T/mpi" "$BATS_TEST_DIRNAME"/prog/{ranks,hit}.c \
		${LD_LIBRARY_PATH:+-Wl,-rpath-link,"$LD_LIBRARY_PATH"}
	RANKS=$T/mpi
	MANY_FAULTS=true # of MPI itself
	four '.launcher == "Open MPI"'
}

# refused: one name for four ranks is refused, by each tool, before anything runs.
refused() {
	local tool
	for tool in "$PERFEX -o $T/same -e" "$CPUTRACK -o $T/same -c" "$CPUSTAT --openmetrics=$T/same -c" "$CPUSTAT -O $T/same -c"; do
		# shellcheck disable=SC2086
		run bounded "${mpirun[@]}" -np 4 $tool page-faults touch "$T/ran"
		# The status is 2, or that of a launcher that writes to ranks which have ended.
		[ "$status" -ne 0 ]
		has "$T/same': 4 ranks would write this file; put %r, the rank, into its name" - <<< "$output"
		[ ! -e "$T/ran" ]
		[ ! -e "$T/same" ]
	done
}

@test "ranks: one name for all ranks of Open MPI is refused" {
	need_openmpi
	refused
}

@test "ranks: one name for all ranks of MPICH is refused" {
	need_mpich
	refused
}

@test "ranks: a name that has the rank in it needs no placeholder" {
	need_openmpi
	# shellcheck disable=SC2016 # a command of each rank
	bounded "${mpirun[@]}" -np 3 sh -c 'exec "$0" -o "$1.$(printf %03d "$OMPI_COMM_WORLD_RANK")" -e page-faults true' "$PERFEX" "$T/r"
	[ "$(cd "$T" && echo r.*)" = "r.000 r.001 r.002" ]
}

# mpirun_itself: all ranks of an mpirun that is counted itself are counted, and a note says which are not.
mpirun_itself() {
	local note
	run -0 bounded "$PERFEX" --format=json -o "$T/sum.json" -e "$(hit_at)" "${mpirun[@]}" -np 4 "$RANKS" work
	jq -es '[.[] | select(.record == "total").values[0].value] == [20000] and .[0].launcher == null' "$T/sum.json"
	note="$mpirun: only its ranks on this host are counted; for a report of each rank run '$mpirun ..."
	[[ $output == *"perfex: $note perfex -o FILE.%r ... PROGRAM'"* ]]
	run -0 bounded "$CPUTRACK" -fe -T 0 --format=json -o "$T/each.json" -c "$(hit_at)" "${mpirun[@]}" -np 4 "$RANKS" work
	jq -es '[.[] | select(.record == "total" and .what == "exit" and .name == "ranks").values[0].value] | sort == [2000, 4000, 6000, 8000]' "$T/each.json"
	[[ $output == *"cputrack: $note cputrack -o FILE.%r ... PROGRAM'"* ]]
	run -0 bounded "$CPUTRACK" --summary --quiet -o "$T/summary" -c "$(hit_at)" "${mpirun[@]}" -np 4 "$RANKS" work
	has '20[^0-9]*000 ' "$T/summary"
	[[ $output != *"its ranks"* ]]
	# mpirun of MPICH may die of SIGPIPE if a rank does not wait for the end of its input.
	run -0 bounded "$PERFEX" --repeat=2 -e page-faults "${mpirun[@]}" -np 1 cat < /dev/null
	[ "$(grep -c "perfex: $mpirun: only its ranks on this host are counted" <<< "$output")" -eq 1 ]
}

@test "ranks: mpirun of Open MPI is counted itself" {
	need_openmpi
	mpirun_itself
}

@test "ranks: mpirun of MPICH is counted itself" {
	need_mpich
	mpirun_itself
}

# example: the script counts each rank.
example() {
	examples
	cd "$T"
	MPIRUN="${mpirun[*]}" bounded "$E/mpi/ranks.sh" 3 "$RANKS" work
	[ "$(echo counts.*)" = "counts.0.json counts.1.json counts.2.json" ]
	each_rank 3 counts.%.json '.[0].rank == $r and (.[1].values | map(.name) == ["page-faults", "task-clock"] and .[0].value >= 2000 * ($r + 1))'
	run -2 "$E/mpi/ranks.sh" 3
}

@test "ranks: the script of examples/mpi with Open MPI" {
	need_openmpi
	example
}

@test "ranks: the script of examples/mpi with MPICH" {
	need_mpich
	example
}

# begin_ranks COMMAND...: start 2 ranks, and wait until they have done their work; sets $launcher.
begin_ranks() {
	rm -rf "$T/logs" "$T"/r.*
	mkdir "$T/logs"
	start "$T/out" "${mpirun[@]}" -np 2 "$@" "$T/logs"
	launcher=$!
	until_true all 2 has ready
}
# end_ranks: sets $status of the launcher.
end_ranks() {
	status=0
	finish "$launcher" || status=$?
	cat "$T/out" "$T/out.err" "$T"/logs/*
}

# ends_ranks FILTER: with each tool, a program that SIGTERM to mpirun ends has its report; FILTER is true for the last record.
ends_ranks() {
	local tool
	for tool in perfex cputrack; do
		echo "$tool"
		# shellcheck disable=SC2046
		begin_ranks $($tool "$RANKS" wait)
		kill -TERM "$launcher"
		end_ranks
		saved 2 "$1"
	done
}

@test "ranks: SIGTERM to mpirun of Open MPI: a program that ends has its report" {
	need_openmpi
	# SIGKILL follows as soon as the first rank has ended.
	ends_ranks '.provisional or (.status == 143 and .signal == 15)'
}

@test "ranks: SIGTERM to mpirun of MPICH: a program that ends has its report" {
	need_mpich
	ends_ranks '.provisional == false and .status == 143 and .signal == 15'
}

# Open MPI sends SIGKILL 1 s later.
@test "ranks: SIGTERM to mpirun of Open MPI: a program that goes on has a provisional report" {
	need_openmpi
	local tool
	for tool in perfex cputrack; do
		# shellcheck disable=SC2046
		begin_ranks $($tool "$RANKS" save)
		kill -TERM "$launcher"
		end_ranks
		all 2 once TERM
		saved 2 "$late"
	done
}

# MPICH sends SIGKILL at once then, and only if the program calls MPI.
@test "ranks: when a rank dies, the others that Open MPI ends have a report, too" {
	need_openmpi
	local tool
	for tool in perfex cputrack; do
		# shellcheck disable=SC2046
		begin_ranks $($tool "$RANKS" wait)
		kill -KILL "$(ready_pid "$T/logs/log.1")"
		end_ranks
		saved 2 'if $r == 1 then .status == 137 and .signal == 9 else .provisional or .signal == 15 end'
	done
}

# goes_on SIGNAL: with each tool, the signal to mpirun reaches the program once, and costs no counts.
goes_on() {
	local tool
	for tool in perfex cputrack; do
		echo "$tool"
		# shellcheck disable=SC2046
		begin_ranks $($tool "$RANKS" save)
		kill -"$1" "$launcher"
		until_true all 2 has "$1"
		until_true each_rank 2 "$T/r.%.json" 'last.provisional'
		touch "$T/logs/end"
		end_ranks
		[ "$status" -eq 0 ]
		all 2 once "$1"
		saved 2 '.provisional == false and .command_status == 0'
	done
}

@test "ranks: SIGUSR1 to mpirun of Open MPI reaches the program once and costs no counts" {
	need_openmpi
	goes_on USR1
}

@test "ranks: SIGUSR1 to mpirun of MPICH reaches the program once and costs no counts" {
	need_mpich
	goes_on USR1
}

@test "ranks: SIGTERM to mpirun of MPICH reaches the program once and costs no counts" {
	need_mpich
	goes_on TERM
}

@test "ranks: a command that starts ranks is not one of them, and a note says how to count each" {
	printf '#!/bin/sh\nexec "$@"\n' > "$T/mpirun"
	chmod +x "$T/mpirun"
	ln -s mpirun "$T/srun"
	run -0 --separate-stderr "$CPUTRACK" -e -T 0 -c page-faults "$T/mpirun" true
	[ "$stderr" = "cputrack: $T/mpirun: only its ranks on this host are counted; for a report of each rank run '$T/mpirun ... cputrack -o FILE.%r ... PROGRAM'" ]
	run -0 --separate-stderr "$CPUTRACK" -e -T 0 -c page-faults "$T/srun" true
	[ "$stderr" = "cputrack: $T/srun: its ranks are not counted, because daemons start them; run '$T/srun ... cputrack -o FILE.%r ... PROGRAM'" ]
}
