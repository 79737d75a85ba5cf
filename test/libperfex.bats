# libperfex: counts of a part of a program, in C and Fortran, by software events of the kernel and by simulation.

bats_require_minimum_version 1.5.0
load helper

setup() { cd "$BATS_TEST_DIRNAME/.."; }

pair() { bounded "$PROG/pair" "$@" 2> "$T/err"; }

# faults CALL...: run pair, counting page faults with both counters.
faults() { T5_EVENT0=page-faults T5_EVENT1=minor-faults pair "$@" > "$T/out"; }

# printed LINE...: pair has printed these lines, after the first.
printed() { diff <(sed 1d "$T/out") <(printf '%s\n' "$@"); }

need_simulator() {
	local dir=${CPC_SIM_DIR:-$(dirname "$PERFEX")/../sim}
	[ -x "$dir/cpcsim-launch" ] && [ -x "$dir/cpcsim-amd64-linux" ] || skip 'the simulator is not built here'
	[ -z "$SANITIZE" ] || skip 'a program with sanitizers cannot be simulated'
}

sim() { bounded env -i PATH="$PATH" ${CPC_SIM_DIR:+CPC_SIM_DIR="$CPC_SIM_DIR"} "$PERFEX" --engine=sim "$@"; }

value() { awk -F, -v n="$2" '$2 == "total" && ($5 == n || $6 == n) { print $8 }' "$1"; }

@test "libperfex: the page faults of each region, exactly" {
	faults pages:1 start:0:0 read:0:0 start:0:0 pages:100 read:0:0 pages:10 start:0:0 pages:7 read:0:0
	printed 'start 1' 'read 1 0 0' 'start 1' 'read 1 100 100' 'start 1' 'read 1 7 7'
	[ ! -s "$T/err" ]
}

@test "libperfex: a read stops the counters, and a second read has the same counts; a start while they run resets them" {
	faults pages:1 start:0:0 pages:9 read:0:0 pages:100 read:0:0 start:0:0 pages:50 start:0:0 pages:4 read:0:0
	printed 'start 1' 'read 1 9 9' 'read 1 9 9' 'start 1' 'start 1' 'read 1 4 4'
}

@test "libperfex: perfex counts the same for the same region" {
	local n
	for n in 20 320; do
		bounded "$PERFEX" --format=csv -o "$T/csv.$n" -e page-faults env T5_EVENT0=page-faults T5_EVENT1=minor-faults \
			"$PROG/pair" pages:1 start:0:0 pages:$n raw:0:0 > "$T/raw.$n"
	done
	tail -c 16 "$T/raw.20" | od -An -t d8 | tr -s ' ' > "$T/a"
	tail -c 16 "$T/raw.320" | od -An -t d8 | tr -s ' ' > "$T/b"
	[ "$(cat "$T/a")" = ' 20 20' ] && [ "$(cat "$T/b")" = ' 320 320' ]
	# The start of a process has some faults more or less, which depend on its random addresses.
	local more=$(($(value "$T/csv.320" page-faults) - $(value "$T/csv.20" page-faults)))
	echo "$more"
	[ $more -ge 270 ] && [ $more -le 330 ]
}

@test "libperfex: counts are printed as perfex prints them" {
	faults pages:1 start:0:0 pages:12 read:0:0 print:0:-:0:- costs:0:-:0:-
	local dots
	dots=$(printf '.%.0s' $(seq 49))
	[ "$(head -n 2 "$T/err")" = "   page-faults$dots            12
   minor-faults${dots#.}            12" ]
	has '^Summary for execution of .*/pair$' "$T/err"
	has '^Based on 196 MHz IP27$' "$T/err"
	has '^   minor-faults\.* *12  *-  *-  *-$' "$T/err"
}

@test "libperfex: events that were not started, by this thread or at all, cannot be read" {
	faults start:0:0 thread:read:0:0 read:0:0
	[ "$(sed -n 3p "$T/out")" = 'read -1 EINVAL' ]
	[[ "$(sed -n 4p "$T/out")" =~ ^read\ 1\ [0-9]+\ [0-9]+$ ]]
	has 'this thread has not started them$' "$T/err"
	T5_EVENT0=page-faults pair read:0:16 > "$T/out"
	printed 'read -1 EINVAL'
	has 'event page-faults was not started$' "$T/err"
}

@test "libperfex: threads count for themselves, children of fork too" {
	faults pages:1 start:0:0 pages:5 'thread:start:0:0/pages:6/read:0:0' fork read:0:0 \
		start:0:0 pages:1 read:0:0 start:0:0 pages:8 read:0:0
	grep -qx 'read 1 6 6' "$T/out"
	grep -qx 'read -1 EINVAL' "$T/out"
	[ "$(tail -n 1 "$T/out")" = 'read 1 8 8' ]
}

# more CALLS: how many page faults more there are in a region with CALLS and 600 pages than with 100, in tens.
more() {
	faults pages:1 start:0:0 "${1}100" read:0:0 start:0:0 "${1}100" read:0:0 start:0:0 "${1}600" read:0:0
	awk '/^read/ { n[++k] = $3 } END { printf "%.0f\n", (n[3] - n[2]) / 10 }' "$T/out"
}

@test "libperfex: programs that children execute count, and new threads" {
	local calls n
	for calls in run: thread:pages: thread:run:; do
		n=$(more $calls)
		echo "$calls $n"
		[ "$n" -ge 48 ] && [ "$n" -le 52 ]
	done
}

@test "libperfex: in the simulation a note says that children are not counted" {
	need_simulator
	sim -o "$T/report" -e 15 "$PROG/pair" start:15:18 run:1 read:15:18 start:15:18 run:1 read:15:18 > "$T/out" 2> "$T/err"
	[ "$(grep -c '^read 1 [0-9]* [0-9]*$' "$T/out")" -eq 2 ]
	[ "$(grep -c 'read_counters: the counts lack the children that have been waited for' "$T/err")" -eq 1 ]
}

@test "libperfex: an event that this machine cannot count, or does not know, is refused with the reason" {
	T5_EVENT0=nosuch pair start:0:16 > "$T/out"
	printed 'start -1 EINVAL'
	[ "$(cat "$T/err")" = 'libperfex: Unknown event: nosuch' ]
	bounded "$CPUTRACK" --engine=kernel -n -T 0 -o "$T/try" -c cycles true 2> "$T/try.err" && skip 'this machine has counters'
	pair start:0:16 > "$T/out"
	grep -qx 'start -1 E[A-Z]*' "$T/out"
	has '^libperfex: r10000::CYCLES0: ' "$T/err"
}

@test "libperfex: a table of costs changes the costs, and the processor of the numbers" {
	"$PERFEX" -t | sed 's/^25 .*/25 100 100 200/; s/^mhz .*/mhz 100/' > "$T/table"
	sed 's/^cpu .*/cpu us3/' "$T/table" > "$T/us3"
	pair load:"$T/us3" load:"$T/table" costs:25:1000000:3:5 load:r12000_300 print:17:1:0:2 > "$T/out"
	printed 'load -1 EINVAL' 'load 0' 'costs 0' 'load 0' 'print 0'
	has 'us3 has costs of us3; the events are those of r10000 or r12000$' "$T/err"
	has '^25 Primary data cache misses\.* *1000000     1.000000     1.000000     2.000000$' "$T/err"
	has '^17 Prefetch primary data cache misses\.* *1$' "$T/err"
}

@test "libperfex: CPC_STRICT=1: no start while a CPU is counted" {
	need_cpus
	export CPC_STRICT=1 XDG_RUNTIME_DIR=$T
	start "$T/cpus" "$CPUSTAT" -c task-clock 0.05
	local pid=$!
	until_true has '[0-9]' "$T/cpus"
	faults start:0:0
	printed 'start -1 EBUSY'
	has 'CPC_STRICT=1' "$T/err"
	stop_by INT "$pid"
	faults pages:1 start:0:0 pages:3 read:0:0
	printed 'start 1' 'read 1 3 3'
}

@test "libperfex: CPC_STRICT=1: a CPU that is counted takes the counters of all threads, which raises the generation once" {
	need_cpus
	export CPC_STRICT=1 XDG_RUNTIME_DIR=$T T5_EVENT0=page-faults T5_EVENT1=minor-faults
	mkfifo "$T/in"
	start "$T/out" sh -c 'exec "$@" < "$0"' "$T/in" "$PROG/pair" start:0:0 thread:start:0:0/wait/read:0:0 read:0:0 \
		read:0:0 start:0:0 wait start:0:0 pages:3 read:0:0
	local program=$! in
	exec {in}> "$T/in"
	until_true has waiting "$T/out"
	start "$T/cpus" "$CPUSTAT" -c task-clock 0.05
	local cpus=$!
	until_true has '[0-9]' "$T/cpus"
	echo >&"$in"
	until_true has EBUSY "$T/out"
	stop_by INT "$cpus"
	echo >&"$in"
	finish "$program"
	sed -i '/waiting/d' "$T/out"
	printed 'start 1' 'start 1' 'read 2 -1 -1' 'read 2 -1 -1' 'read 2 -1 -1' 'start -1 EBUSY' 'start 2' 'read 2 3 3'
}

@test "libperfex: in the simulation the counts of regions differ as perfex counts them" {
	plain_build 'the program executes more instructions outside the regions'
	need_simulator
	local e n
	for e in '15 18' '3 25'; do
		for n in 100 300; do
			# shellcheck disable=SC2086 # two events
			sim --format=csv -o "$T/csv.$n" -e ${e% *} -e ${e#* } "$PROG/pair" pages:$n > "$T/out" 2> "$T/err"
			sim -o "$T/report" -e 15 "$PROG/pair" "start:${e/ /:}" pages:$n "raw:${e/ /:}" 2> "$T/err" |
				tail -c 16 | od -An -t d8 > "$T/raw.$n"
			echo "$n: $(cat "$T/raw.$n"), perfex $(value "$T/csv.$n" "${e% *}") $(value "$T/csv.$n" "${e#* }")"
		done
		[ "$(awk '{ a[NR] = $1; b[NR] = $2 } END { print a[2] - a[1], b[2] - b[1] }' "$T/raw.100" "$T/raw.300")" = \
			"$(($(value "$T/csv.300" "${e% *}") - $(value "$T/csv.100" "${e% *}"))) $(($(value "$T/csv.300" "${e#* }") - \
			$(value "$T/csv.100" "${e#* }")))" ]
	done
}

@test "libperfex: in the simulation all 32 events can be counted, and a note says how those that are not exact" {
	need_simulator
	local e calls=()
	for e in $(seq 0 15); do
		calls+=("start:$e:$((e + 16))" pages:10 "read:$e:$((e + 16))" "print:$e:-:$((e + 16)):-")
	done
	sim -o "$T/report" -e 15 "$PROG/pair" "${calls[@]}" > "$T/out" 2> "$T/err"
	[ "$(grep -c '^start 1$' "$T/out")" -eq 16 ]
	[ "$(grep -c '^read 1 [0-9]* [0-9]*$' "$T/out")" -eq 16 ]
	[ "$(grep -cE '^[ 0-9][0-9] .*\.\. *[0-9]+$' "$T/err")" -eq 32 ]
	has '^libperfex: event CYCLES0: estimated, counted by the r10000 model' "$T/err"
	lacks 'event INST_GRAD0:' "$T/err"
}

@test "libperfex: the example counts what it says" {
	need_simulator
	sim -o "$T/report" -e 15 "$PROG/libperfex" > "$T/out" 2>&1
	awk '/^25 / { sub(/\.\.+/, " "); n[++k] = $NF } END { exit !(k == 2 && n[1] > 32768 && n[1] < 34000 && n[2] >= 1048576) }' "$T/out"
}

@test "libperfex: a program without counters runs; its example with other events" {
	T5_EVENT0=page-faults T5_EVENT1=minor-faults bounded "$PROG/libperfex" > "$T/out" 2>&1
	[ "$(sed -n 's/^ .*\.\. *//p' "$T/out" | tr '\n' ' ')" = '256 256 0 0 ' ]
}

@test "libperfex: a Fortran program starts, reads and prints counters" {
	command -v gfortran > /dev/null || skip 'gfortran is not installed'
	gfortran -O1 ${SANITIZE:+-fsanitize=address,undefined} -Wall -o "$T/fortran" test/prog/pair.f90 \
		"${B:-build}/install/libcpc.a" -lpfm
	# Two software events conflict with none, which the program expects of events 0 and 1.
	T5_EVENT0=page-faults T5_EVENT1=minor-faults run -3 bounded "$T/fortran" r10000_250
	need_simulator
	sim -o "$T/report" -e 15 "$T/fortran" r10000_250 > "$T/out" 2> "$T/err"
	cat "$T/out" "$T/err"
	has "'/nonexistent/table' is neither a table" "$T/err"
	has 'conflicting counters: events 0 and 1 ' "$T/err"
	# 51200 numbers are stored; the program's own loads are few.
	local cycles loads
	read -r cycles loads < "$T/out"
	[ "$(grep -c "^ 0 Cycles\.* *$cycles\( \|$\)" "$T/err")" -eq 2 ]
	[ "$(grep -c "^18 Graduated loads\.* *$loads\( \|$\)" "$T/err")" -eq 2 ]
	has '^Based on 250 MHz IP27 (synthetic costs)$' "$T/err"
	[ "$cycles" -ge 12800 ] && [ "$loads" -gt 0 ]
}
