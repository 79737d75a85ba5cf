# Permissions to count: kernel.perf_event_paranoid, capabilities, Yama and limits. The kernel is Debian's, which has a
# level 3. The last test sets Yama to its level 3, which lasts until the next reboot.

bats_require_minimum_version 1.5.0
load ../helper

# instructions N: print what `turns N` retires in user mode (turns.S).
instructions() { echo $((2 * $1 + 5 * ${#1} + 8)); }

setup() {
	public_dir
	cp "$PROG/turns" "$CPUSTAT" "$D"
	chmod 755 "$D/turns" "$D/cpustat"
	set_level 2
	made=$D/out/made
}

set_level() { echo "$1" > /proc/sys/kernel/perf_event_paranoid; }
set_yama() { echo "$1" > /proc/sys/kernel/yama/ptrace_scope; }
nobody() { as_nobody "$D/cputrack" "$@"; }
# capable CAP COMMAND...: run a command as nobody with one capability, which its children inherit.
capable() {
	local cap=$1
	shift
	(cd / && exec setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=-all,+$cap --ambient-caps=-all,+$cap "$@")
}

# parked AS...: start a process that waits, as the user of the command AS. Sets $pid.
parked() {
	rm -f "$D/out/ready"
	start "$D/out/ready" "$@" "$D/act" park
	pid=$(ready_pid "$D/out/ready")
	started+=("$pid")
}

# counts N COMMAND...: with this command for cputrack, the count is exactly what `turns N` retires.
counts() {
	local n=$1
	shift
	run -0 "$@" -n -T 0 --format=csv -c INST_RETIRED "$D/turns" "$n"
	[ "$(cut -d, -f10 <<< "$output")" = "$(instructions "$n")" ]
}

# refused MESSAGE OPTION...: cputrack as nobody prints this message first and does not start the program.
refused() {
	local message=$1
	shift
	run -125 nobody -T 0 "$@" touch "$made"
	[ "${lines[0]}" = "cputrack: $message" ]
	[ ! -e "$made" ]
}

# doctor COMMAND...: print the lines of --doctor that depend on the level.
doctor() { "$@" --doctor | grep -E 'paranoid|mode  |CPUs|breakpoints' | tr -s ' '; }

# works CPUS: print the lines of doctor if counting is allowed, with CPUS for whole CPUs.
works() {
	cat <<-END
		ok user mode events of this user's processes can be counted
		ok system mode also what the kernel does for them
		$1
		ok breakpoints mem:ADDR events can be counted
	END
}
all_cpus='ok whole CPUs all that runs there can be counted (cpustat)'
no_cpus='limited whole CPUs cannot be counted (cpustat): that takes root, CAP_PERFMON, or kernel.perf_event_paranoid at 0 or less'

@test "paranoid: at 1 and less everybody may count user and system mode" {
	while read -r level means; do
		set_level "$level"
		run -0 nobody -n -T 0 --format=csv -c page-faults,INST_RETIRED,INST_RETIRED,nouser2,sys2,context-switches \
			"$D/turns" 12345
		awk -F, -v user="$(instructions 12345)" '
			{ v[$8] = $10 }
			END { exit !(NR == 4 && v[0] > 0 && v[1] == user && v[2] > 1000) }' <<< "$output"
		cpus=$all_cpus
		[ "$level" -le 0 ] || cpus=$no_cpus
		diff <(doctor nobody) <(echo "ok perf_event_paranoid $level: $means" && works "$cpus")
	done <<-'END'
		-1 everything for everybody
		0 processes and CPUs, user and system mode, for everybody
		1 processes, user and system mode, for everybody
	END
}

@test "paranoid: at 2 everybody may count user mode, exactly" {
	counts 12345 nobody
	for events in page-faults task-clock mem:0x1000:x PAPI_tot_ins,cycles,armv8_pmuv3/inst_retired/; do
		run -0 nobody -T 0 -c $events "$D/turns" 1
	done
	diff <(doctor nobody) - <<-'END'
		limited perf_event_paranoid 2: processes in user mode for everybody; the rest with CAP_PERFMON
		ok user mode events of this user's processes can be counted
		missing system mode Permission denied
		limited whole CPUs cannot be counted (cpustat): that takes root, CAP_PERFMON, or kernel.perf_event_paranoid at 0 or less
		ok breakpoints mem:ADDR events can be counted
	END
}

@test "paranoid: at 2 system mode is refused, and the message has what would allow it" {
	need='counting system mode needs kernel.perf_event_paranoid 1 or less (it is 2) or CAP_PERFMON'
	for modes in INST_RETIRED,sys INST_RETIRED,nouser,sys INST_RETIRED:k; do
		refused "${modes%%,*}: $need; or count user mode only" -c $modes
	done
	refused "page-faults: $need; or count user mode only" -c page-faults,sys
	for name in context-switches migrations; do
		refused "$name: this event happens in the kernel, and $need" -c $name
	done
	refused "INST_RETIRED: $need; or count user mode only" -c task-clock,INST_RETIRED,INST_RETIRED,sys2
}

@test "paranoid: at 3 an ordinary user may count nothing, and root everything" {
	set_level 3
	for name in INST_RETIRED context-switches page-faults task-clock mem:0x1000:x armv8_pmuv3/inst_retired/ PAPI_tot_ins; do
		refused "$name: kernel.perf_event_paranoid is 3, which allows counting to privileged users only; run as root (CAP_SYS_ADMIN; CAP_PERFMON is not enough), or let root set it to 2 (user mode) or 1 (also system mode)" \
			-c $name
	done
	diff <(doctor nobody) - <<-'END'
		limited perf_event_paranoid 3: nothing without CAP_SYS_ADMIN
		missing user mode Permission denied
		missing system mode Permission denied
		limited whole CPUs cannot be counted (cpustat): that takes root, or kernel.perf_event_paranoid at 0 or less
		missing breakpoints Permission denied
	END
	run -0 nobody --list=inst_retired
	[[ ${lines[1]} =~ ^INST_RETIRED\ +unavailable.*\ 3,\ which\ allows\ counting\ to\ privileged\ users\ only ]]
	counts 12345 "$CPUTRACK"
	run -0 "$CPUTRACK" -T 0 -c context-switches,INST_RETIRED,sys "$D/turns" 1
	diff <(doctor "$CPUTRACK") <(echo 'ok perf_event_paranoid 3: nothing without CAP_SYS_ADMIN (which this process has)' && works "$all_cpus")
}

@test "paranoid: CAP_PERFMON is enough at 2, and CAP_SYS_ADMIN at 3" {
	parked as_nobody
	run -0 capable perfmon "$D/cputrack" -n -T 0.1 -N 1 -c INST_RETIRED,sys -p "$pid"
	[[ $output == *tick* ]]
	diff <(doctor capable perfmon "$D/cputrack") \
		<(echo 'ok perf_event_paranoid 2: processes in user mode for everybody; the rest with CAP_PERFMON (which this process has)' && works "$all_cpus")
	set_level 3
	run -125 capable perfmon "$D/cputrack" -T 0.1 -N 1 -c INST_RETIRED -p "$pid"
	[[ $output == *'INST_RETIRED: kernel.perf_event_paranoid is 3,'*'CAP_PERFMON is not enough'* ]]
	[[ $(doctor capable perfmon "$D/cputrack") == 'limited perf_event_paranoid 3: nothing without CAP_SYS_ADMIN'$'\nmissing'* ]]
	run -0 capable sys_admin "$D/cputrack" -n -T 0.1 -N 1 -c INST_RETIRED,sys -p "$pid"
	[[ $output == *tick* ]]
}

@test "paranoid: with a capability cputrack starts programs, too" {
	counts 12345 capable perfmon "$D/cputrack"
	set_level 3
	counts 12345 capable sys_admin "$D/cputrack"
}

@test "paranoid: a user may attach to processes of the same user, and to all with CAP_SYS_PTRACE" {
	parked as_nobody
	run -0 nobody -n -T 0.1 -N 1 -c INST_RETIRED -p "$pid"
	[[ $output == *tick* ]]
	run -125 nobody -T 0.1 -N 1 -c INST_RETIRED,sys -p "$pid"
	[[ $output == 'cputrack: INST_RETIRED: counting system mode needs '* ]]
	run -0 "$CPUTRACK" -n -T 0.1 -N 1 -c INST_RETIRED,sys -p "$pid"
	until_true runs_freely "$pid"
	parked env
	run -125 nobody -T 0.1 -N 1 -c INST_RETIRED -p "$pid"
	[ "${lines[0]}" = "cputrack: pid $pid: permission denied: the process belongs to another user or is set-id; tracing it needs CAP_SYS_PTRACE (root)" ]
	run -0 capable sys_ptrace "$D/cputrack" -n -T 0.1 -N 1 -c INST_RETIRED -p "$pid"
	until_true runs_freely "$pid"
}

@test "paranoid: with too few descriptors for a set the message has the number and what would help" {
	# The command runs as nobody, because root could raise the limit.
	few() { as_nobody bash -c "ulimit -n 10; exec \"\$@\"" - "$D/cputrack" "$@"; }
	run -125 few -T 0 -c INST_RETIRED,CPU_CYCLES,0x8,0x11,0x3,0x4,0x8,0x8 touch "$made"
	[[ ${lines[0]} =~ ^cputrack:\ .*of\ 10\ file\ descriptors\ are\ open\ and\ one\ more\ LWP\ needs\ 8\;\ raise\ the\ limit ]]
	[ ! -e "$made" ]
	run -0 few -n -T 0 --format=csv -c INST_RETIRED,CPU_CYCLES "$D/turns" 12345
	[ "$(cut -d, -f10 <<< "$output" | sort -u)" = "$(instructions 12345)" ]
}

# whole LEVEL STATUS WHO...: set the level; cpustat by the command WHO ends with this status, and counts a CPU if it is 0.
whole() {
	local level=$1 status=$2
	shift 2
	set_level "$level"
	run -"$status" --separate-stderr "$@" "$D/cpustat" -n --strict -c INST_RETIRED,INST_RETIRED,nouser1,sys1,page-faults 0.05 1
	if [ "$status" -eq 0 ]; then
		awk 'NR == 1 { exit !($2 == 0 && $3 == "tick" && $4 > 0 && $5 > 1000) }' <<< "$output"
		[ -z "$stderr" ]
	else
		[ -z "$output" ]
	fi
}

@test "paranoid: cpustat: at 0 and less everybody may count whole CPUs" {
	local level
	for level in 0 -1; do
		whole $level 0 as_nobody
	done
}

@test "paranoid: cpustat: above 0 whole CPUs are refused, and the message has the level and what would allow it" {
	local level name need='counting whole CPUs needs kernel.perf_event_paranoid 0 or less'
	for level in 1 2; do
		whole $level 125 as_nobody
		[ "${stderr_lines[0]}" = "cpustat: INST_RETIRED: $need (it is $level), CAP_PERFMON or root; run with that capability or as root, or let root set it" ]
		[ "${#stderr_lines[@]}" -eq 1 ]
	done
	whole 3 125 as_nobody
	[ "${stderr_lines[0]}" = "cpustat: INST_RETIRED: $need (it is 3) or root (CAP_SYS_ADMIN; CAP_PERFMON is enough where it is 2 or less); run as root, or let root set it" ]
	# User mode and software events are refused, too, and no file is written.
	set_level 2
	for name in INST_RETIRED page-faults cpu-clock 0x11; do
		run -125 --separate-stderr as_nobody "$D/cpustat" -O "$made" --openmetrics="$made.prom" -c $name 0.05 2
		[ "${stderr_lines[0]}" = "cpustat: $name: $need (it is 2), CAP_PERFMON or root; run with that capability or as root, or let root set it" ]
		[ -z "$output" ]
		[ ! -e "$made" ] && [ ! -e "$made.prom" ]
	done
}

@test "paranoid: cpustat: CAP_PERFMON is enough at 2, CAP_SYS_ADMIN and root at 3" {
	whole 1 0 capable perfmon
	whole 2 0 capable perfmon
	whole 3 125 capable perfmon
	whole 3 0 capable sys_admin
	whole 3 0 env
}

@test "paranoid: cpustat: with too few descriptors for the CPUs the message has the number and what would help" {
	set_level 0
	# The limit leaves 6 descriptors, and an ordinary user cannot raise the hard limit.
	run -125 --separate-stderr as_nobody bash -c 'ulimit -n 9; exec "$@"' - "$D/cpustat" -c page-faults,0x8,0x8,0x8,0x8,0x8,cycles 0.05 1
	[ -z "$output" ]
	[[ $stderr == *'1 CPUs with 7 file descriptors each need 7; raise the limit (ulimit -n) or count fewer events'* ]]
	run -0 --separate-stderr as_nobody bash -c 'ulimit -n 9; exec "$@"' - "$D/cpustat" -c page-faults,0x8 0.05 1
	# If only the soft limit is too low, cpustat raises it.
	run -0 --separate-stderr as_nobody bash -c 'ulimit -S -n 9; exec "$@"' - "$D/cpustat" -c page-faults,0x8,0x8,0x8,0x8,0x8,cycles 0.05 1
	[ -z "$stderr" ]
}

@test "paranoid: each level of yama allows and forbids attaching and starting" {
	parked as_nobody
	attach="cputrack: pid $pid: permission denied: kernel.yama.ptrace_scope="
	create="cputrack: cannot trace program '$D/turns': kernel.yama.ptrace_scope="

	set_yama 1
	run -125 nobody -T 0.1 -N 1 -c INST_RETIRED -p "$pid"
	[[ $output == "${attach}1 allows tracing only with CAP_SYS_PTRACE (root)"* ]]
	counts 12345 nobody
	run -0 nobody --doctor
	[[ $output == *$'\nok       ptrace  '*$'\nlimited  attach (-p)              kernel.yama.ptrace_scope forbids attaching'* ]]

	set_yama 2
	run -125 nobody -T 0.1 -N 1 -c INST_RETIRED -p "$pid"
	[[ $output == "${attach}2 allows tracing only with CAP_SYS_PTRACE (root)"* ]]
	run -125 nobody -T 0 -c INST_RETIRED "$D/turns" 1
	[[ $output == "${create}2 allows tracing only with CAP_SYS_PTRACE (root)"* ]]
	run -0 nobody --doctor
	[[ $output == *$'\nmissing  ptrace                   kernel.yama.ptrace_scope=2 allows tracing only with CAP_SYS_PTRACE (root)'* ]]
	counts 12345 "$CPUTRACK"
	run -0 "$CPUTRACK" -n -T 0.1 -N 1 -c INST_RETIRED -p "$pid"

	set_yama 3
	for who in nobody "$CPUTRACK"; do
		run -125 "$who" -T 0.1 -N 1 -c INST_RETIRED -p "$pid"
		[[ $output == "${attach}3 forbids all tracing"* ]]
		run -125 "$who" --tracker=ptrace -T 0 -c INST_RETIRED "$D/turns" 1
		[[ $output == "${create}3 forbids all tracing"* ]]
		run -0 "$who" --doctor
		[[ $output == *$'\nmissing  ptrace                   kernel.yama.ptrace_scope=3 forbids all tracing'* ]]
	done
	# BPF programs, which root gets, count without a tracer.
	counts 12345 "$CPUTRACK"
}
