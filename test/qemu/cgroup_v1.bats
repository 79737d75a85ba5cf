# A hierarchy of cgroups of version 1 with the controller perf_event. It takes the controller from version 2 for the
# whole machine, so it is mounted only in a guest, where it stays for the tests of test/cgroup.bats.

bats_require_minimum_version 1.5.0
load ../helper

folder=/sys/fs/cgroup/perf_event

@test "cgroup v1: before it is mounted, there is no hierarchy that counts" {
	run -125 --separate-stderr "$CPUSTAT" --cgroup=/ -c page-faults 0.01 1
	[[ $stderr == *"mounted"* ]] || { echo "$stderr"; false; }
}

@test "cgroup v1: a hierarchy of version 1 counts, also where version 2 is mounted" {
	busybox mount -t tmpfs none /sys/fs/cgroup
	mkdir $folder /sys/fs/cgroup/unified
	busybox mount -t cgroup2 none /sys/fs/cgroup/unified
	"$CPUSTAT" --cgroup=/ -n -c context-switches 0.05 1 > "$T/v2"
	grep -q ' / .* total ' "$T/v2"
	busybox mount -t cgroup -o perf_event none $folder
	mkdir $folder/of_v1 /sys/fs/cgroup/unified/of_v2
	"$CPUSTAT" --cgroup='of_v*' -n -c page-faults 0.05 1 > "$T/v1"
	awk '$3 == "total" { print $2, $4 }' "$T/v1" | diff - <(echo of_v1 0)
	rmdir $folder/of_v1 /sys/fs/cgroup/unified/of_v2
}
