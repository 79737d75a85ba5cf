# The commands inside containers: namespaces made by unshare(1) and by bubblewrap, as root and as an ordinary user.

bats_require_minimum_version 1.5.0
load helper

# inside CMD...: run a command as root of a new user namespace, with processes and a /proc of its own.
inside() { unshare --user --map-root-user --pid --fork --mount-proc "$@"; }

# need_inside: skip the test where no such container can be made, or where it may not count.
need_inside() {
	local why
	why=$(inside true 2>&1) || skip "user namespaces are forbidden here: $why"
	why=$(inside "$PROG/act" may user 2>&1) || skip "a container may not count here: $why"
}

# wrapped CMD...: run a command under bubblewrap, with a view of all files that cannot be written, except counts of coverage.
wrapped() {
	local counts=${LLVM_PROFILE_FILE:+${LLVM_PROFILE_FILE%/*}}
	bwrap --ro-bind / / ${counts:+--bind "$counts" "$counts"} --dev /dev --proc /proc --unshare-all --die-with-parent "$@"
}

need_wrapped() {
	local why
	need bwrap
	why=$(wrapped "$PROG/act" may user 2>&1) || skip "bubblewrap cannot count here: $why"
}

# faults CMD...: print the page faults of a program, which perfex counts; CMD runs perfex.
faults() { "$@" "$PERFEX" -e page-faults --format=csv "$PROG/nop" 2>&1 | awk -F, '$6 == "page-faults" { print $8 }'; }

# about N M: the numbers differ by at most 4: where the kernel maps a program costs a page fault more or less.
about() { [ "$1" -gt 0 ] && [ "$(($1 - $2))" -le 4 ] && [ "$(($2 - $1))" -le 4 ]; }

# counted RUN: cputrack and perfex count in the containers that RUN makes what they count outside, and pass the status.
counted() {
	about "$(faults "$1")" "$(faults env)"
	run -0 --separate-stderr "$1" "$CPUTRACK" -fen -T 0 -c page-faults sh -c '"$0"; "$0"; exit 0' "$PROG/nop"
	[ -z "$stderr" ]
	[ "$(awk '$4 == "exit" && $5 > 0' <<< "$output" | wc -l)" -eq 3 ]
	# Processes have the numbers that they have inside.
	[ "$(awk '$4 == "exit" && $2 > 9' <<< "$output" | wc -l)" -eq 0 ]
	run -7 "$1" "$CPUTRACK" -c page-faults sh -c 'exit 7'
	run -7 "$1" "$PERFEX" -e page-faults sh -c 'exit 7'
}

@test "containers: cputrack and perfex count in a user namespace what they count outside" {
	need_inside
	counted inside
}

@test "containers: an ordinary user counts in a user namespace" {
	need_root
	need_inside
	public_dir
	need_unprivileged_counting
	as_nobody unshare --user --map-root-user true 2> /dev/null || skip "ordinary users may not make user namespaces here"
	run -0 as_nobody unshare --user --map-root-user --pid --fork --mount-proc "$D/cputrack" -n -T 0 -c page-faults "$D/act" spin 1
	[[ $output =~ exit\ +[1-9] ]]
}

@test "containers: cputrack and perfex count under bubblewrap what they count outside" {
	need_wrapped
	counted wrapped
}

@test "containers: whole CPUs are counted with processes of its own, and refused in a user namespace with the reason" {
	need_root
	need_cpus
	unshare --pid --fork --mount-proc true 2> /dev/null || skip "namespaces of processes are forbidden here"
	run -0 --separate-stderr unshare --pid --fork --mount-proc "$CPUSTAT" -c page-faults 0.01 1
	[[ $output == *' total '* ]]
	need_inside
	[ "$(paranoid)" -gt 0 ] || skip "perf_event_paranoid allows every user to count CPUs"
	run -125 --separate-stderr inside "$CPUSTAT" -c page-faults 0.01 1
	[ -z "$output" ]
	[[ $stderr == *"page-faults: the kernel refuses this event"*"the container's host may forbid it"* ]]
}
