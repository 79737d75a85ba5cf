# cputrack with the simulation engine: a model of a processor counts.

bats_require_minimum_version 1.5.0
load helper

SIM=$(dirname "$CPUTRACK")/../sim

setup() {
	[ -x "$SIM/cpcsim-launch" ] || skip "the simulator is not built here"
	# A program's start depends on its environment.
	sim=(env -i PATH="$PATH" ${ASAN_OPTIONS:+ASAN_OPTIONS="$ASAN_OPTIONS"} "$CPUTRACK" --engine=sim -T 0)
}

# values WORD CSV: print "NAME VALUE" of the rows with this event.
values() { awk -F, -v word="$1" '$5 == word && $9 != "" { print $9, $10 }' "$2"; }

@test "sim: a program whose instructions are known is counted exactly" {
	bounded "${sim[@]}" --format=csv -o "$T/csv" \
		-c insn,load,store,br_cond,br_cond_tk,br_dir,syscall,fp "$PROG/exactly"
	diff <(values exit "$T/csv") - <<-'END'
		insn 4004
		load 1000
		store 1000
		br_cond 1000
		br_cond_tk 999
		br_dir 0
		syscall 1
		fp 0
	END
}

@test "sim: a count does not depend on what else is counted" {
	for events in d1_rd_miss d1_rd_miss,insn,l2_i_miss,dtlb_miss,br_misp_tk; do
		bounded "${sim[@]}" --format=csv -o "$T/csv" -c "$events" ls / > /dev/null
		values exit "$T/csv" | grep '^d1_rd_miss '
	done > "$T/seen"
	[ "$(grep -c . "$T/seen")" -eq 2 ]
	[ "$(sort -u "$T/seen" | wc -l)" -eq 1 ]
}

# prefetches EVENTS [ARG...]: print the events' counts of sim-prefetch on the generic machine.
prefetches() {
	local events=$1
	shift
	bounded "${sim[@]}" --format=csv -o "$T/csv" -c "$events" "$PROG/sim-prefetch" "$@"
	values exit "$T/csv" | awk '{ print $2 }'
}

@test "sim: the generic machine translates the address of a prefetch, but not of an unmapped page" {
	prefetches d1_pf_miss,dtlb_miss > "$T/none"
	prefetches d1_pf_miss,dtlb_miss 1 > "$T/mapped"
	prefetches d1_pf_miss 1 > "$T/alone"
	prefetches dtlb_miss 1 >> "$T/alone"
	paste "$T/none" "$T/mapped"
	paste -s "$T/none" "$T/mapped" |
		awk 'END { exit !($1 == 0 && $2 < 10 && $3 == 1000 && $4 == $2 + 1000) }' RS=
	diff "$T/mapped" "$T/alone"
}

@test "sim: the same program twice gives the same counts" {
	seq 3000 > "$T/text"
	for i in 1 2; do
		bounded "${sim[@]}" --format=csv -o "$T/csv" \
			-c insn,load,store,i1_miss,d1_rd_miss,l2_rd_miss,dtlb_miss,br_misp_tk \
			gzip -9c "$T/text" > /dev/null
		values exit "$T/csv" > "$T/seen$i"
	done
	[ "$(wc -l < "$T/seen1")" -eq 8 ]
	diff "$T/seen1" "$T/seen2"
}

@test "sim: an old processor counts its own events by name and number" {
	bounded "${sim[@]}" --cpu=r10000 --format=csv -o "$T/csv" -c 2,17 "$PROG/exactly"
	values exit "$T/csv" | awk '{ print $2 }' > "$T/seen"
	diff "$T/seen" <(printf '1000\n4004\n')
}

@test "sim: each LWP has its rows, and their sum is the count of the process" {
	ORACLE=$T/truth bounded "$CPUTRACK" --engine=sim -T 0 -v --format=csv -o "$T/csv" -c insn,load \
		"$PROG/oracle" seq 5
	[ "$(csv_count "$T/csv" lwp_create)" -eq 10 ]
	[ "$(csv_count "$T/csv" lwp_exit)" -eq 10 ]
	awk -F, '$9 == "insn" && $5 == "fini_lwp" { s += $10; n++; bad += $10 < 100 }
		$9 == "insn" && $5 == "exit" { e = $10 }
		END { exit n != 6 || bad || s != e }' "$T/csv"
}

@test "sim: ticks add up to the total" {
	ORACLE=$T/truth bounded "$CPUTRACK" --engine=sim -T 0.02 --format=csv -o "$T/csv" -c insn \
		"$PROG/oracle" comp 1
	awk -F, '$5 == "tick" && $3 == 1 { s += $10 } $5 == "exit" { e = $10 }
		END { exit !(e > 0) || s > e }' "$T/csv"
}

@test "sim: -t shows instructions" {
	bounded "${sim[@]}" -tn -c load "$PROG/exactly" > "$T/out"
	[ "$(awk '{ print $4, $5 }' "$T/out")" = "4004 1000" ]
}

@test "sim: forks, execs and exits are reported, and those of the simulator are not" {
	bounded "${sim[@]}" -fe --format=csv -o "$T/csv" -c insn \
		sh -c '/bin/true; exec /bin/echo "a  b"' > "$T/out"
	[ "$(cat "$T/out")" = "a  b" ]
	[ "$(csv_count "$T/csv" fork)" -eq 1 ]
	[ "$(csv_count "$T/csv" exit)" -eq 2 ]
	awk -F, '$5 == "exec" && $10 == "" { print $17 }' "$T/csv" > "$T/commands"
	diff "$T/commands" <(printf '/bin/true\n/bin/echo a  b\n')
	awk -F, '$5 == "exit" && $10 < 50000 { bad = 1 } END { exit bad }' "$T/csv"
}

@test "sim: without -e the program runs on after its exec as without cputrack" {
	run -125 bounded "${sim[@]}" -n -c insn sh -c "exec /bin/sh -c 'echo \$LD_PRELOAD > $T/ran; /bin/echo ran >> $T/ran'"
	[[ $output == *"executed another program, which is not counted; use -e to count it"* ]]
	until_true has '^ran' "$T/ran"
}

@test "sim: processes that outlive cputrack run on, and can execute programs" {
	bounded "${sim[@]}" -c insn sh -c "mkfifo '$T/fifo'; (read x < '$T/fifo'; exec /bin/echo late) > '$T/late' 2>&1 &" 3>&-
	until_true test -p "$T/fifo"
	echo go > "$T/fifo"
	until_true has late "$T/late"
}

@test "sim: programs that a program starts are counted, whatever call it uses" {
	need python3
	bounded "${sim[@]}" -fe --format=csv -o "$T/csv" -c insn env PYTHONHASHSEED=0 \
		"$(python3 -c 'import sys; print(sys.executable)')" -S -E -c '
import os, subprocess
pid = os.posix_spawn("/bin/true", ["true"], {})
os.waitpid(pid, 0)
subprocess.run(["/bin/true"])
if os.fork() == 0:
    os._exit(0)
os.wait()'
	[ "$(csv_count "$T/csv" fork)" -eq 3 ]
	[ "$(csv_count "$T/csv" exit)" -eq 4 ]
	[ "$(awk -F, '$5 == "exec" && $17 == "/bin/true"' "$T/csv" | wc -l)" -eq 2 ]
	awk -F, '$5 == "exit" && !($10 > 100) { bad = 1 } END { exit bad }' "$T/csv"
}

@test "sim: exit statuses are the program's" {
	run -3 bounded "${sim[@]}" -c insn sh -c 'exit 3'
	run -139 bounded "${sim[@]}" -c insn sh -c 'kill -SEGV $$'
	run -137 bounded "${sim[@]}" -c insn sh -c 'kill -KILL $$'
	run -127 bounded "${sim[@]}" -c insn nosuchprogram
	[[ $output == *"cannot find program 'nosuchprogram'"* ]]
	echo text > "$T/text"
	run -126 bounded "${sim[@]}" -c insn "$T/text"
}

@test "sim: a program that is killed keeps its rows" {
	start "$T/out" "$CPUTRACK" --engine=sim -T 0.05 --format=csv -o "$T/csv" -c insn sh -c 'echo $$; read x < /dev/zero'
	local cputrack=$!
	until_true has '^[0-9]' "$T/out"
	kill -KILL "$(cat "$T/out")"
	finish "$cputrack" || [ $? -eq 137 ]
	awk -F, '$5 == "exit" { n += $10 > 10000 } END { exit n != 1 }' "$T/csv"
	grep -q 'was killed' "$T/out.err"
}

@test "sim: nothing is left when cputrack is killed" {
	start "$T/out" "$CPUTRACK" --engine=sim -c insn sh -c 'echo $$; read x < /dev/zero'
	local cputrack=$!
	until_true has '^[0-9]' "$T/out"
	local program
	program=$(tail -n 1 "$T/out" | grep -o '[0-9]*')
	kill -KILL "$cputrack"
	until_true is_gone "$program"
}

@test "sim: SIGINT ends the program, and its counts are printed" {
	# Not during an exec, where a signal may be lost (opencpc-simulation(7)).
	start "$T/out" "$CPUTRACK" --engine=sim -T 0 --format=csv -o "$T/csv" -c insn sh -c 'echo $$; while :; do :; done'
	local cputrack=$!
	until_true has '^[0-9]' "$T/out"
	kill -INT "$cputrack"
	finish "$cputrack" || [ $? -eq 130 ]
	awk -F, '$5 == "exit" { n += $10 > 10000 } END { exit !n }' "$T/csv"
}

@test "sim: programs that cannot be simulated are refused, with the reason" {
	run -125 bounded "${sim[@]}" -c insn "$PROG/foreign"
	[[ $output == *"not for x86-64"* ]]
	cp /bin/true "$T/setid"
	chmod u+s "$T/setid"
	run -125 bounded "${sim[@]}" -c insn "$T/setid"
	[[ $output == *"it is set-id or privileged"* ]]
}

@test "sim: a program that cannot be simulated and is executed later is reported, and its count is not 0" {
	"$PROG/foreign" || [ $? -eq 7 ] || skip "no programs for 32-bit x86 here"
	run -7 --separate-stderr bounded "${sim[@]}" -e --format=csv -c insn sh -c "exec '$PROG/foreign'"
	[[ $stderr == *"not for x86-64"* ]]
	[ "$(awk -F, '$5 == "exit" { print $10, $14 }' <<< "$output")" = " unavailable" ]
	run -125 bounded "${sim[@]}" -e --strict -c insn sh -c "exec '$PROG/foreign'"
	cp /bin/true "$T/setid"
	chmod u+s "$T/setid"
	run -126 bounded "${sim[@]}" -f -c insn sh -c "'$T/setid'"
	[[ $output == *"was refused (EACCES)"* ]]
}

@test "sim: a program with capabilities or one that cannot be read is reported as refused" {
	need_root
	need setpriv setcap
	public_dir
	local name
	cp /bin/true "$D/capable"
	cp /bin/true "$D/secret"
	cp /bin/true "$D/forbidden"
	chmod 711 "$D/secret"
	chmod 700 "$D/forbidden"
	setcap cap_net_raw+ep "$D/capable" || skip "no file capabilities in $D"
	cp "$CPUTRACK" "$D/cputrack"
	cp "$PERFEX" "$D/perfex"
	cp -r "${CPC_SIM_DIR:-$(dirname "$CPUTRACK")/../sim}" "$D/sim"
	export CPC_SIM_DIR=$D/sim
	for name in capable secret; do
		run -126 as_nobody "$D/cputrack" --engine=sim -fe -T 0 -c insn sh -c "'$D/$name'"
		[[ $output == *"was refused (EACCES)"* ]]
		run -125 as_nobody "$D/perfex" --engine=sim --strict -e insn sh -c "'$D/$name'; exit 0"
		[[ $output == *"was refused (EACCES)"* ]]
	done
	# the kernel refuses this program, too
	run -0 as_nobody "$D/perfex" --engine=sim --strict -e insn sh -c "'$D/forbidden'; exit 0"
	[[ $output != *"was refused (EACCES)"* ]]
}

@test "sim: an instruction that is not simulated is reported" {
	run -132 bounded "${sim[@]}" -c insn "$PROG/evex"
	[[ $output == *"an instruction of AVX-512, which is not simulated, ended in SIGILL (at 0x"* ]]
	run -125 bounded "${sim[@]}" --strict -c insn "$PROG/evex"
}

@test "sim: --strict accepts modelled events and refuses estimated ones" {
	run -0 bounded "${sim[@]}" --strict -c insn,d1_rd_miss "$PROG/exactly"
	run -125 bounded "${sim[@]}" --strict -c cycles_est "$PROG/exactly"
	[[ $output == *"cycles_est: estimated"* ]]
}

@test "sim: a line on stderr names the model" {
	run -0 --separate-stderr bounded "${sim[@]}" -c EC_ref "$PROG/exactly"
	[[ $stderr == *"cputrack: simulated: model of UltraSPARC"* ]]
	[ "$(grep -c 'simulated: model' <<< "$stderr")" -eq 1 ]
}

@test "sim: auto chooses the kernel if it can count, else the simulation" {
	run -0 --separate-stderr bounded env -u CPC_ENGINE "$CPUTRACK" -n -T 0 -c page-faults "$PROG/exactly"
	[ -z "$stderr" ]
	run -0 --separate-stderr bounded env -u CPC_ENGINE "$CPUTRACK" -n -T 0 -c insn "$PROG/exactly"
	[[ $stderr == *"simulated: model"* ]]
	[ "$(awk '{ print $4 }' <<< "$output")" = 4004 ]
	run -0 --separate-stderr bounded env CPC_ENGINE=sim "$CPUTRACK" -n -T 0 -c us3::Instr_cnt "$PROG/exactly"
	[ "$(awk '{ print $4 }' <<< "$output")" = 4004 ]
	# No engine can count this event: both say why.
	run -125 bounded env -u CPC_ENGINE "$CPUTRACK" -c us3::PC_port0_rd "$PROG/exactly"
	[[ $output == *"the simulation cannot count either: us3::PC_port0_rd"* ]]
}

@test "sim: bad requests are refused" {
	run -2 bounded "${sim[@]}" -c insm "$PROG/exactly"
	[[ $output == *"did you mean 'insn'"* ]]
	run -125 bounded "${sim[@]}" -c insn,sys "$PROG/exactly"
	[[ $output == *"user mode only"* ]]
	run -2 bounded "${sim[@]}" -c us12::EC_ref,r10000::Cycles "$PROG/exactly"
	run -125 bounded "${sim[@]}" -c insn -p $$
	[[ $output == *"a running process cannot be simulated; start it under"* ]]
	run -2 bounded "$CPUTRACK" --engine=none -c insn true
	[[ $output == *"no engine is named 'none'; the engines are auto, kernel and sim"* ]]
	run -125 bounded env CPC_SIM_DIR="$T" "$CPUTRACK" --engine=sim -c insn true
	[[ $output == *"no simulator"*"$T"* ]]
}

@test "sim: software events are counted beside simulated ones, and are approximate" {
	local events=page-faults,insn,minor-faults,load,major-faults,task-clock
	bounded "${sim[@]}" --format=csv -o "$T/csv" -c "$events" "$PROG/exactly" 2> "$T/err"
	values exit "$T/csv" > "$T/seen"
	cat "$T/seen" "$T/err"
	has '^insn 4004$' "$T/seen"
	has '^load 1000$' "$T/seen"
	awk '{ v[$1] = $2 } END { exit !(NR == 6 && v["page-faults"] > 0 && v["task-clock"] > 0 &&
		v["page-faults"] == v["minor-faults"] + v["major-faults"]) }' "$T/seen"
	for event in page-faults minor-faults major-faults task-clock; do
		has "$event: approximate, counted by the kernel: includes the simulator itself" "$T/err"
	done
	[ "$(grep -c approximate "$T/err")" -eq 4 ]
	run -125 bounded "${sim[@]}" --strict -c insn,page-faults "$PROG/exactly"
	# what counts nothing does not include the simulator either
	run -0 --separate-stderr bounded "${sim[@]}" --strict -c insn,page-faults,nouser "$PROG/exactly"
	[[ $stderr == *'page-faults: counted as 0: neither user nor system mode was requested'* ]]
	[[ $stderr != *'the simulator itself'* ]]
	# the events of each set are of both kinds, of the simulator only, of the kernel only
	bounded "${sim[@]}" -fe --format=csv -o "$T/csv" -c insn,faults -c store -c cpu-clock,faults \
		sh -c "'$PROG/exactly'; exit 0" 2> "$T/err"
	[ "$(values exit "$T/csv" | awk '$2 > 0' | cut -d' ' -f1 | sort | uniq -c | xargs)" = \
		"2 cpu-clock 4 faults 2 insn 2 store" ]
}

@test "sim: a set of software events and events that only the simulator has is simulated" {
	bounded "$CPUTRACK" -T 0 -c page-faults,d1_rd_miss "$PROG/exactly" 2> "$T/err"
	has 'simulated: ' "$T/err"
	bounded "$CPUTRACK" -T 0 -c page-faults "$PROG/exactly" 2> "$T/err"
	lacks 'simulated' "$T/err"
}

@test "sim: --list and --doctor report the simulator" {
	run -0 bounded "$CPUTRACK" --engine=sim --list=Cycle_cnt
	[[ $output == *"estimated "*us12* ]]
	run -0 bounded "$CPUTRACK" --list=br_misp_ret
	[[ $output == *"simulated "*model* ]]
	run -0 bounded "$CPUTRACK" --doctor
	[[ $output == *"ok       simulator"*cpcsim-launch* ]]
	run -0 bounded env CPC_SIM_DIR="$T" "$CPUTRACK" --doctor
	[[ $output == *"missing  simulator"* ]]
}

@test "sim: a simulated program counts itself, exactly" {
	[ -x "$PROG/inside" ] || skip "not built with sanitizers"
	bounded "${sim[@]}" -o /dev/null -c insn "$PROG/inside" count > "$T/out"
	diff "$T/out" <(printf 'load 1000\nbr_cond 1000\nbr_cond_tk 1000\ninsn 4000\n')
	bounded "${sim[@]}" -o /dev/null -c insn "$PROG/inside" frozen > "$T/out"
	diff "$T/out" <(printf 'load 0\nbr_cond 0\nbr_cond_tk 0\ninsn 0\n')
}

@test "sim: a simulated program takes records of itself, without skid" {
	[ -x "$PROG/inside" ] || skip "not built with sanitizers"
	bounded "${sim[@]}" -o /dev/null -c insn "$PROG/inside" records > "$T/out"
	[ "$(cat "$T/out")" = "records 10" ]
}

@test "sim: a simulated program is refused what it cannot count" {
	[ -x "$PROG/inside" ] || skip "not built with sanitizers"
	bounded "${sim[@]}" -o /dev/null -c insn "$PROG/inside" refusals > "$T/out" 2> "$T/err"
	diff "$T/out" <(printf 'engines sim kernel\noverflow -1\ncpu -1\nkernel -1\n')
	grep -q 'no signal when a counter overflows' "$T/err"
	grep -q 'a CPU cannot be simulated' "$T/err"
	grep -q 'the kernel would count the simulator' "$T/err"
}
