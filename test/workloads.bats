# Programs of independent origin under each command: they behave as without it, and independent tools agree with the
# counts.

bats_require_minimum_version 1.5.0
load helper

setup() {
	cd "$T"
	alone=(env -i "PATH=$PATH" "HOME=$T" LC_ALL=C PYTHONHASHSEED=0 GIT_CONFIG_NOSYSTEM=1)
	head -c 20000 "$BATS_TEST_DIRNAME/../NEWS" > in
	SIM=$(dirname "$CPUTRACK")/../sim/cpcsim-launch
}

# Each command with its engines. What it writes goes to files $T/rows*.
counted=(
	"$CPUTRACK -T 0.02 -o rows -c task-clock,page-faults"
	"$CPUTRACK -fev -T 0 -o rows -c page-faults"
	"$PERFEX -o rows -e page-faults"
	"$PERFEX -mp -o rows -e page-faults"
)
simulated=(
	"$CPUTRACK --engine=sim -fe -T 0 -o rows -c insn"
	"$PERFEX --engine=sim -mp -o rows -e 15"
)
recorded=("$LWPREC record --engine=kernel -o rows")
recorded_simulated=("$LWPREC record --engine=sim -e ire:100000 -o rows")

# run_alone OUT COMMAND...: run a command in the environment of all runs; its status is in $got.
run_alone() {
	local out=$1
	shift
	got=0
	bounded "${alone[@]}" "$@" > "$out" 2> "$out.err" < /dev/null || got=$?
}

# something_counted: one of the files that the command wrote has a row or a line that ends with a positive number,
# or is a recording.
something_counted() { awk '$NF > 0 || /^\177ELF/ { found = 1; exit } END { exit !found }' rows*; }

# by STATUS TOOL -- COMMAND...: under the tool, the output and the status of the command are as without it.
by() {
	local status=$1 tool=()
	shift
	while [ "$1" != -- ]; do
		tool+=("$1")
		shift
	done
	shift
	rm -f rows*
	run_alone got "${tool[@]}" "$@"
	echo "${tool[*]}: $got"
	[ "$got" -eq "$status" ]
	cmp want got
	diff want.err <(grep -Ev '^(cputrack|perfex|lwprec): ' got.err)
	something_counted
}

# everywhere STATUS COMMAND...: do this for all tools.
everywhere() {
	local status=$1 tools=("${counted[@]}") t
	shift
	[ ! -x "$LWPREC" ] || tools+=("${recorded[@]}")
	[ ! -x "$SIM" ] || tools+=("${simulated[@]}")
	[ ! -x "$LWPREC" ] || [ ! -x "$SIM" ] || tools+=("${recorded_simulated[@]}")
	run_alone want "$@"
	echo "$*: $got"
	[ "$got" -eq "$status" ]
	for t in "${tools[@]}"; do
		# shellcheck disable=SC2086 # words
		by "$status" $t -- "$@"
	done
	[ -x "$SIM" ] || skip "the simulator is not built here: only the kernel's counts were tried"
}

# threads_py: write threads.py, a program with threads and processes.
threads_py() {
	cat > threads.py <<-'EOF'
		import hashlib, subprocess, sys, threading
		out = {}
		def work(i):
		    h = b"%d" % i
		    for _ in range(300):
		        h = hashlib.sha256(h).digest()
		    out[i] = h.hex()
		threads = [threading.Thread(target=work, args=(i,)) for i in range(5)]
		for t in threads: t.start()
		for t in threads: t.join()
		print(sorted(out.items()), flush=True)
		for i in range(3): subprocess.run(["echo", str(i)], check=True)
		sys.exit(5)
	EOF
}

# project: write a small project for make: a file in C, and one to be sorted.
project() {
	echo 'int twice(int a) { return 2 * a; }' > twice.c
	cat > Makefile <<-'EOF'
		all: twice.s sorted ; @tail -n 1 twice.s sorted
		twice.s: twice.c ; @gcc -O2 -S -o $@ $<
		sorted: in ; @sort in > $@
	EOF
}

@test "workloads: coreutils and a pipeline" {
	everywhere 3 sh -c 'sort in | uniq -c | sort -rn | tail -3; sha256sum in; ls /no/such; exit 3'
}

@test "workloads: gzip" {
	need gzip
	everywhere 0 gzip -9c in
}

@test "workloads: tar and gzip" {
	need tar gzip
	mkdir dir
	cp in dir
	everywhere 0 sh -c 'tar cf - dir | gzip | gzip -d | tar tf -'
}

@test "workloads: python with threads and processes" {
	[ -x /usr/bin/python3 ] || skip "needs /usr/bin/python3"
	threads_py
	everywhere 5 /usr/bin/python3 -S threads.py
}

@test "workloads: git" {
	need git
	(
		export HOME=$T GIT_CONFIG_NOSYSTEM=1
		git init -q repo
		cp in repo
		git -C repo add in
		git -C repo -c user.name=a -c user.email=a@b commit -qm one
	)
	everywhere 0 git -C repo log -p --stat
	everywhere 128 git -C repo log no-such-revision
}

@test "workloads: make -j2 with the C compiler" {
	need make gcc
	project
	everywhere 0 make -s -B -j2
}

@test "workloads: sqlite3" {
	need sqlite3
	echo "create table t(a, b); with recursive c(x) as (select 1 union all select x + 1 from c where x < 200)
		insert into t select x, hex(x * x) from c; create index i on t(b);
		select count(*), sum(a), max(b) from t where b > '33'; select no_such;" > q.sql
	everywhere 1 sqlite3 -bail :memory: '.read q.sql'
}

@test "workloads: openssl" {
	need openssl
	everywhere 0 openssl enc -aes-256-cbc -pbkdf2 -iter 10 -k key -S 0011223344556677 -in in
}

# faults COMMAND...: perf, cputrack and perfex count the same page faults. A page that leaves memory meanwhile adds
# one, so this is tried several times.
faults() {
	local try perf track sum
	for try in 1 2 3 4 5 6 7 8 9 10; do
		"${alone[@]}" setarch -R perf stat -x, -o perf.csv -e page-faults:u "$@" > out
		perf=$(awk -F, '/page-faults/ { print $1 }' perf.csv)
		"${alone[@]}" setarch -R "$CPUTRACK" -T 0 -o rows -c page-faults "$@" > out
		track=$(awk '$3 == "exit" { print $4 }' rows)
		"${alone[@]}" setarch -R "$PERFEX" -o rows -e page-faults "$@" > out
		sum=$(awk '{ print $NF; exit }' rows)
		echo "$try: $1: perf $perf, cputrack $track, perfex $sum"
		[ "$perf" -gt 20 ]
		[ "$perf" != "$track" ] || [ "$perf" != "$sum" ] || return 0
	done
	return 1
}

@test "workloads: page faults are those that perf stat counts" {
	need perf
	setarch -R true || skip "setarch cannot turn off the randomization of addresses here"
	perf stat -e page-faults:u true 2> why || skip "perf stat does not count here: $(tail -n 1 why)"
	faults sort in
	faults gzip -9c in
	faults awk 'BEGIN { for (i = 0; i < 2000; i++) a[i] = i; print length(a) }'
}

# lwps COMMAND...: cputrack reports as many processes and threads as strace.
lwps() {
	local theirs ours
	"${alone[@]}" strace -f -q -e trace=none -o calls "$@" > out || :
	theirs=$(awk '{ print $1 }' calls | sort -u | wc -l)
	"${alone[@]}" "$CPUTRACK" -fe -T 0 -o rows -c task-clock "$@" > out || :
	ours=$(awk '$4 == "exit" || $4 == "lwp_create"' rows | wc -l)
	echo "$*: strace $theirs, cputrack $ours"
	[ "$theirs" -gt 1 ]
	[ "$theirs" -eq "$ours" ]
}

@test "workloads: processes and threads are as many as strace sees" {
	need strace make gcc
	strace -o calls true 2> why || skip "strace does not trace here: $(tail -n 1 why)"
	lwps sh -c 'sort in | uniq -c | sort -rn | tail -3; (true &); /bin/true'
	project
	lwps make -s -B -j2
	[ ! -x /usr/bin/python3 ] || {
		threads_py
		lwps /usr/bin/python3 -S threads.py
	}
}

# instructions COMMAND...: the simulator and callgrind execute nearly as many. Valgrind preloads an object into each
# program, ours gets the same; callgrind counts each repetition of a string instruction.
instructions() {
	local preload theirs ours
	preload=$("${alone[@]}" "$VALGRIND" -q --tool=callgrind --callgrind-out-file=/dev/null env 2> err | sed -n 's/^LD_PRELOAD=//p')
	"${alone[@]}" "$VALGRIND" -q --tool=callgrind --callgrind-out-file=cg "$@" > want 2> err
	theirs=$(awk '/^(totals|summary):/ { print $2; exit }' cg)
	"${alone[@]}" "LD_PRELOAD=$preload" "$PERFEX" --engine=sim -o rows -e 15 "$@" > got 2> err
	cmp want got
	ours=$(awk '{ print $NF; exit }' rows)
	awk -v name="$1" -v a="$ours" -v b="$theirs" 'BEGIN {
		d = (a - b) / b * 100
		printf "%s: %d, callgrind %d, %+.2f %%\n", name, a, b, d
		exit !(a > 100000 && d <= 5 && d >= -5) }'
}

@test "workloads: simulated instructions are as many as callgrind's" {
	need valgrind
	[ -x "$SIM" ] || skip "the simulator is not built here"
	[ -z "${SANITIZE-}" ] || skip "the sanitizers' own libraries come before LD_PRELOAD"
	# Debian's valgrind is a script that changes the program's environment.
	VALGRIND=$(command -v valgrind.bin || echo valgrind)
	instructions sort in
	instructions sha256sum in
	instructions gzip -9c in
}

# Stressors that end after a number of operations, and check what they did themselves.
stressors=(
	'--fork 1 --fork-ops 20'
	'--vfork 1 --vfork-ops 20'
	'--pthread 1 --pthread-ops 5'
	'--pipe 1 --pipe-ops 50'
	'--futex 1 --futex-ops 20'
	'--wait 1 --wait-ops 5'
	'--sigtrap 1 --sigtrap-ops 20'
	'--sigrt 1 --sigrt-ops 20'
	'--sigsegv 1 --sigsegv-ops 20'
	'--session 1 --session-ops 3'
	'--zombie 1 --zombie-ops 10'
	'--ptrace 1 --ptrace-ops 10'
	'--seccomp 1 --seccomp-ops 3'
	'--hrtimers 1 --hrtimers-ops 20'
	'--qsort 1 --qsort-ops 1 --qsort-size 1024'
)

# stress TOOL...: the stressors succeed under the tool as without it, and no process that stress-ng started is left.
stress() {
	local s
	for s in "${stressors[@]}"; do
		rm -f rows*
		# shellcheck disable=SC2086 # words
		run_alone out "$@" env "LD_LIBRARY_PATH=$PEERS/lib" "$PEERS/stress-ng" -q --verify --timeout 60 $s
		echo "$* $s: $got"
		[ "$got" -eq 0 ]
		[ $# -eq 0 ] || something_counted
	done
}

# need_stress_ng: skip the test if stress-ng is not there.
need_stress_ng() {
	PEERS=$BATS_TEST_DIRNAME/../build/peers
	local log
	log=$(LD_LIBRARY_PATH=$PEERS/lib "$PEERS/stress-ng" --version 2>&1) ||
		skip "$(tail -n 1 "$PEERS.log" 2> /dev/null || echo "$log; ./setup check fetches stress-ng")"
}

@test "workloads: stress-ng" {
	need_stress_ng
	stress
	stress "$CPUTRACK" -fev -T 0.01 -o rows -c task-clock,page-faults
	stress "$PERFEX" -mp -o rows -e page-faults
}

@test "workloads: stress-ng in the simulator" {
	need_stress_ng
	[ -x "$SIM" ] || skip "the simulator is not built here"
	stressors=("${stressors[0]}" "${stressors[2]}" "${stressors[6]}")
	stress "$CPUTRACK" --engine=sim -fe -T 0 -o rows -c insn
}

@test "workloads: processes of stress-ng are as many as strace sees" {
	need_stress_ng
	need strace
	strace -o calls true 2> why || skip "strace does not trace here: $(tail -n 1 why)"
	lwps env "LD_LIBRARY_PATH=$PEERS/lib" "$PEERS/stress-ng" -q --fork 1 --fork-ops 20
	lwps env "LD_LIBRARY_PATH=$PEERS/lib" "$PEERS/stress-ng" -q --vfork 1 --vfork-ops 20
}
