# Programs that use the library: the examples of the manual pages. An instruction takes one cycle here.

bats_require_minimum_version 1.5.0

load ../helper

@test "library: region counts as many cycles as instructions, and each round the same number more" {
	EVENT0=cycles EVENT1=instructions run -0 "$PROG/region"
	echo "$output"
	# A round has 10 turns of a loop more than the round before, and nothing else.
	awk '{ if ($2 != $3 || (NR > 2 && $2 - last != more)) bad = 1; more = $2 - last; last = $2 }
		END { exit bad || NR != 5 || more <= 0 || more % 10 }' <<< "$output"
}

@test "library: region's values are the same if they are read without a system call" {
	# The dynamic linker resolves all functions at the start, not at their first call.
	export LD_BIND_NOW=1
	EVENT0=cycles EVENT1=instructions run -0 "$PROG/region"
	local slow=$output
	echo 1 > /proc/sys/kernel/perf_user_access
	EVENT0=cycles EVENT1=instructions run -0 "$PROG/region"
	echo 0 > /proc/sys/kernel/perf_user_access
	echo "$slow"
	echo "$output"
	# A sample itself takes another number of instructions, which is the same for all.
	[ "$slow" != "$output" ]
	awk 'NR <= 5 { v[NR] = $2 } NR > 5 { d[$2 - v[NR - 5]]++ } END { for (i in d) n++; exit n != 1 || NR != 10 }' <<< "$slow
$output"
}

# cost_of_pair NAME=EVENTS...: how many instructions a region of 1,000 empty ones inside counts for each of these.
cost_of_pair() {
	env "$@" "$PROG/regions" pairs 1000 2>&1 | awk '$1 == "outer" && $4 == "instructions" { print $5 / 1000 }'
}

@test "library: an empty region takes at most 400 instructions, and no system call" {
	echo 1 > /proc/sys/kernel/perf_user_access
	local user all
	user=$(cost_of_pair CPC_EVENTS=instructions,cycles)
	all=$(cost_of_pair CPC_EVENTS=instructions,cycles,sys)
	echo 0 > /proc/sys/kernel/perf_user_access
	echo "in user mode $user, in all modes $all"
	# A system call takes hundreds of instructions of the kernel; an interrupt of the timer may come now and then.
	awk -v user="$user" -v all="$all" 'BEGIN { exit !(user > 100 && user <= 400 && all >= user && all < user + 100) }'
}
