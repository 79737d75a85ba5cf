# syssgi(3): the counters of all CPUs, and how system mode and user mode exclude each other. The events are executions
# of an address that only the test uses, and software events.
#
# Runs alone: it has a breakpoint on all CPUs, where other tests use all breakpoints of the processor.

bats_require_minimum_version 1.5.0
load helper

# ctrs CALL...: run sysctrs; its lines go to $T/out, the event of hit() is $event.
ctrs() { bounded "$PROG/sysctrs" "$@" > "$T/out" 2> "$T/err"; }

# printed LINE...: sysctrs has printed these lines.
printed() { diff "$T/out" <(printf '%s\n' "$@"); }

prepare() {
	need_cpus
	need_breakpoints
	private_hit
	# AddressSanitizer uses the addresses of private_hit
	[ -z "$SANITIZE" ] || HIT_AT=$(printf '%#x' $((0x20000000 + $$ % 65536 * 4096)))
	event=mem:$HIT_AT:x
}

# begin FILE CALL...: start sysctrs in the background, and wait until it makes the call "wait"; $pipe is its stdin.
begin() {
	local file=$1
	shift
	mkfifo "$file.in"
	start "$file" sh -c 'exec "$@" < "$0"' "$file.in" "$PROG/sysctrs" "$@"
	pid=$!
	exec {pipe}> "$file.in"
	until_true has waiting "$file"
}

@test "syssgi: counts of all CPUs and of each CPU, exactly; 0 for a CPU that does not exist" {
	prepare
	need taskset
	local cpu all=()
	cpu=$(cpus | tail -n 1)
	bounded taskset -c "$cpu" "$PROG/sysctrs" name:5="$event" name:16=page-faults en:5=uk,16=k hits:1000 sys cpu:"$cpu" \
		cpu:-1 cpu:100000 vals > "$T/out"
	[ "$(sed -n 3p "$T/out")" = 'en 1' ]
	grep -q '^sys 1 5=1000\( 16=[0-9]*\)\?$' "$T/out"
	grep -q "^cpu 1 5=1000\( 16=[0-9]*\)\?$" "$T/out"
	[ "$(grep -cx 'cpu 0' "$T/out")" -eq 2 ]
	grep -q '^vals 1 5=1000,exact' "$T/out"
	# the sum of the CPUs is that of the machine
	for cpu in $(cpus); do
		all+=("cpu:$cpu")
	done
	ctrs name:5="$event" en:5=uk hits:70 "${all[@]}" sys
	[ "$(tail -n 1 "$T/out")" = 'sys 1 5=70' ]
	[ "$(awk '/^cpu 1/ { sub(/.*=/, ""); s += $0 } END { print s + 0 }' "$T/out")" -eq 70 ]
}

@test "syssgi: a modification raises the generation, and events that stay keep their counts" {
	prepare
	ctrs name:0="$event" name:1="$event" name:20="$event" en:0=uk,20=uk hits:10 set:0=uk,1=uk hits:5 sys set:20=k,1=uk \
		hits:1 sys ctrl
	printed 'name 0' 'name 0' 'name 0' 'en 1' 'set 2' 'sys 2 0=15 1=5' 'set 3' 'sys 3 1=6' 'ctrl 3 1=42 20=130'
}

@test "syssgi: a modification that cannot be counted changes nothing" {
	prepare
	ctrs name:0="$event" en:0=uk hits:10 name:1=nosuch set:0=uk,1=uk set:0=u hits:5 sys ctrl
	printed 'name 0' 'en 1' 'name 0' 'set -1 EINVAL' 'set -1 EINVAL' 'sys 1 0=15' 'ctrl 1 0=10'
}

@test "syssgi: after the release the counts can be read, and the counters acquired again" {
	prepare
	ctrs name:0="$event" en:0=uk hits:10 rel hits:5 sys ctrl set:0=uk rel en:0=uk hits:3 sys
	printed 'name 0' 'en 1' 'rel 0' 'sys 1 0=10' 'ctrl -1 EINVAL' 'set -1 EINVAL' 'rel -1 EINVAL' 'en 2' 'sys 2 0=3'
	# an acquisition that fails keeps them, too
	ctrs name:0="$event" en:0=uk hits:10 rel name:1=nosuch en:1=k sys
	printed 'name 0' 'en 1' 'rel 0' 'name 0' 'en -1 EINVAL' 'sys 1 0=10'
}

@test "syssgi: what is refused" {
	need_cpus
	ctrs sys cpu:0 ctrl set:0=k rel vals bad:1 bad:29442 bad:29441 en: en:0=u en:0=ks en:0=e en:0=kt name:32=page-faults rule:3
	printed 'sys -1 EINVAL' 'cpu -1 EINVAL' 'ctrl -1 EINVAL' 'set -1 EINVAL' 'rel -1 EINVAL' 'vals -1 EINVAL' \
		'bad -1 EINVAL' 'bad -1 EINVAL' 'bad -1 EINVAL' 'en -1 EINVAL' 'en -1 EINVAL' 'en -1 EINVAL' 'en -1 EINVAL' \
		'en -1 EOPNOTSUPP' 'name -1 EINVAL' 'rule -1 EINVAL'
	# the rules of the processors: event 5 of counter 1 is that of index 21
	ctrs name:0=page-faults en:0=k rel rule:1 en:0=uk
	printed 'name 0' 'en 1' 'rel 0' 'rule 0' 'en 2'
}

@test "syssgi: without privilege nothing is acquired, modified or released" {
	need_root
	public_dir
	cp "$PROG/sysctrs" "$D"
	as_nobody "$D/sysctrs" name:0=page-faults en:0=k set:0=k rel sys > "$T/out"
	printed 'name 0' 'en -1 EPERM' 'set -1 EPERM' 'rel -1 EPERM' 'sys -1 EINVAL'
}

@test "syssgi: CAP_PERFMON is privilege enough" {
	need_root
	public_dir
	cp "$PROG/sysctrs" "$D"
	perfmon() { (cd / && exec setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=-all,+perfmon --ambient-caps=-all,+perfmon "$@"); }
	perfmon "$D/act" may cpus 2> "$T/err" || skip "setpriv or the kernel has no CAP_PERFMON: $(head -n 1 "$T/err")"
	perfmon "$D/sysctrs" name:0=page-faults en:0=k set:0=uk rel > "$T/out"
	printed 'name 0' 'en 1' 'set 2' 'rel 0'
}

@test "syssgi: a process in user mode loses its counters to system mode, and is not started again" {
	prepare
	ctrs name:0="$event" ownname:0="$event" own:0=u hits:4 get en:0=uk hits:6 get own:0=u sys rel hits:8 get own:0=u hits:2 get
	printed 'name 0' 'ownname 0' 'own 1' 'get 1 0=4' 'en 1' 'get 2 0=4' 'own -1 EBUSY' 'sys 1 0=6' 'rel 0' 'get 2 0=4' \
		'own 3' 'get 3 0=2'
}

@test "syssgi: libperfex loses its counters to system mode, which its generation shows" {
	prepare
	export T5_EVENT0=page-faults T5_EVENT1=$event
	ctrs name:0="$event" start:0 hits:5 read:0 start:0 en:0=uk hits:6 read:0 read:0 start:0 rel start:0 hits:3 read:0
	sed -i -E 's/^(read [0-9]+) [0-9]+ /\1 N /' "$T/out"
	printed 'name 0' 'start 1' 'read 1 N 5' 'start 1' 'en 1' 'read 2 -1 -1' 'read 2 -1 -1' 'start -1 EBUSY' 'rel 0' \
		'start 2' 'read 2 N 3'
	has 'they are used in system mode' "$T/err"
}

@test "syssgi: libperfex cannot start again while system mode has its counters, and a thread that has ended uses none" {
	need_cpus
	export T5_EVENT0=page-faults T5_EVENT1=minor-faults
	ctrs name:0=page-faults start:0 en:0=k start:0 read:0
	printed 'name 0' 'start 1' 'en 1' 'start -1 EBUSY' 'read 2 -1 -1'
	ctrs name:0=page-faults lwp:0 own:0=k
	printed 'name 0' 'lwp 1' 'own 1'
}

@test "syssgi: a child of fork does not use the counters of its parent, whose counts go on" {
	prepare
	ctrs name:0="$event" en:0=uk hits:10 child sys rel
	printed 'name 0' 'en 1' 'sys -1 EINVAL' 'rel -1 EINVAL' 'sys 1 0=10' 'rel 0'
}

@test "syssgi: CPC_STRICT=1: another process in user mode loses its counters, and gets them when system mode ends" {
	prepare
	export CPC_STRICT=1 XDG_RUNTIME_DIR=$T
	begin "$T/user" ownname:0="$event" own:0=u hits:4 get wait get own:0=u wait own:0=u hits:3 get
	local user=$pid to_user=$pipe
	begin "$T/system" name:0="$event" en:0=uk wait sys
	local system=$pid to_system=$pipe
	echo >&"$to_user"
	until_true has '^own -1' "$T/user"
	# a second user of system mode
	ctrs name:0="$event" en:0=uk
	printed 'name 0' 'en -1 EBUSY'
	# the end of a process ends its use
	kill -KILL "$system"
	until_true is_gone "$system"
	wait "$system" || :
	echo >&"$to_user"
	finish "$user"
	grep -v waiting "$T/user" > "$T/out"
	printed 'ownname 0' 'own 1' 'get 1 0=4' 'get 2 0=4' 'own -1 EBUSY' 'own 3' 'get 3 0=3'
}

@test "syssgi: CPC_STRICT=1: a process that has lost its counters has one generation for itself and for others" {
	prepare
	export CPC_STRICT=1 XDG_RUNTIME_DIR=$T
	begin "$T/user" ownname:0="$event" own:0=u hits:4 wait relown get wait
	local user=$pid to_user=$pipe
	ctrs name:0="$event" seen:"$user" en:0=uk seen:"$user" rel
	printed 'name 0' 'seen 1' 'en 1' 'seen 2' 'rel 0'
	echo >&"$to_user"
	until_true has '^get' "$T/user"
	ctrs name:0="$event" seen:"$user" en:0=uk seen:"$user"
	printed 'name 0' 'seen 2' 'en 1' 'seen 2'
	echo >&"$to_user"
	finish "$user"
	grep -v waiting "$T/user" > "$T/out"
	printed 'ownname 0' 'own 1' 'relown 0' 'get 2 0=4'
}

@test "syssgi: CPC_STRICT=1: system mode and cpustat exclude each other" {
	prepare
	export CPC_STRICT=1 XDG_RUNTIME_DIR=$T
	begin "$T/system" name:0="$event" en:0=uk wait rel
	local status=0
	"$CPUSTAT" -c page-faults 0.01 1 > "$T/rows" 2> "$T/rows.err" || status=$?
	cat "$T/rows.err"
	[ $status -ne 0 ]
	has 'CPC_STRICT=1' "$T/rows.err"
	echo >&"$pipe"
	finish "$pid"
	start "$T/cpus" "$CPUSTAT" -c page-faults 0.05
	local tool=$!
	until_true has '[0-9]' "$T/cpus"
	ctrs name:0="$event" en:0=uk
	printed 'name 0' 'en -1 EBUSY'
	stop_by INT "$tool"
}

@test "syssgi: a simulated program cannot count CPUs" {
	[ -x "${CPC_SIM_DIR:-$(dirname "$PERFEX")/../sim}/cpcsim-amd64-linux" ] || skip 'the simulator is not built here'
	[ -z "$SANITIZE" ] || skip 'a program with sanitizers cannot be simulated'
	need_root
	bounded "$PERFEX" --engine=sim -o "$T/report" -e 15 "$PROG/sysctrs" en:0=k > "$T/out" 2> "$T/err"
	grep -qx 'en -1 E[A-Z]*' "$T/out"
}

@test "syssgi: cpustat accepts the commands that the page gives for ecadmin and ecstats" {
	local page=$BATS_TEST_DIRNAME/../man3/syssgi.3 line n=0
	mkdir "$T/bin"
	printf '#!/bin/sh\ncase " $* " in *--list*) exec "%s" "$@" ;; *) exec "%s" --explain "$@" ;; esac\n' \
		"$CPUSTAT" "$CPUSTAT" > "$T/bin/cpustat"
	chmod +x "$T/bin/cpustat"
	{
		sed -n 's/^\.Ql cpustat /cpustat /p' "$page"
		awk '/^set --; for/ { printf "%s; ", $0; getline; print }' "$page"
	} > "$T/commands"
	while read -r line; do
		n=$((n + 1))
		echo "$line"
		(PATH=$T/bin:$PATH sh -euc "$line") > "$T/said" 2>&1 || { cat "$T/said"; return 1; }
		if [[ $line == *--list* ]]; then
			grep -q "^L1D_MISS " "$T/said"
		else
			grep -q "^ *control[01] = " "$T/said"
		fi
	done < "$T/commands"
	[ $n -eq 4 ]
	# the last command counts each event once
	[ "$(grep -c '^  pic[01] [0-9]* (' "$T/said")" -eq 32 ]
}
