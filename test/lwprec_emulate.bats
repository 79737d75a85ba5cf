# lwprec record --emulate: programs with LWP instructions, and what their rings have.

bats_require_minimum_version 1.5.0
load helper

setup() {
	[ -x "$LWPREC" ] || skip "lwprec is not built here"
	emulator=$(dirname "$LWPREC")/../sim/lwpemulate.so
	[ -e "$emulator" ] || skip "LWP instructions are emulated on x86-64 only"
	file=$T/rec
}

# emulate WAY CMD...: record CMD; WAY is preload or ptrace. Its status and output are those of lwprec.
emulate() {
	local way=$1
	shift
	bounded "$LWPREC" record --quiet -o "$file" --emulate="$way" -- "$@"
}

# rings [FILE]: the events, rings and records of the recording.
rings() { "$PROG/lwp_show" "${1:-$file}"; }

# rules WAY CASE...: each CASE of lwp_rules ends well where LWP instructions are emulated in this WAY.
rules() {
	local way=$1 program=$PROG/lwp_rules case out
	shift
	for case; do
		out=$(emulate "$way" "$program" "$case") || :
		[ "${out##*$'\n'}" = ok ] || { echo "$way $case: $out" >&2; return 1; }
	done
}

@test "lwprec emulate: all that LWP writes is what the model of the specification writes" {
	for program in lwp_oracle lwp_oracle-clang; do
		[ -x "$PROG/$program" ] || continue
		for seed in 1 2 3; do
			LD_PRELOAD=$emulator bounded "$PROG/$program" $seed 20000 > "$T/out"
			grep -q '^[1-9][0-9]* events, [1-9][0-9]* stored, [1-9][0-9]* missed, [1-9][0-9]* interrupts$' "$T/out"
		done
	done
}

@test "lwprec emulate: rings are the same in the program, from outside and without lwprec" {
	for program in lwp_oracle lwp_oracle-clang; do
		[ -x "$PROG/$program" ] || continue
		LD_PRELOAD=$emulator bounded "$PROG/$program" 4 1500 > "$T/alone"
		emulate preload "$PROG/$program" 4 1500 > "$T/preload"
		emulate ptrace "$PROG/$program" 4 1500 > "$T/ptrace"
		[ "$(wc -l < "$T/alone")" -gt 250 ]
		cmp "$T/alone" "$T/preload"
		cmp "$T/alone" "$T/ptrace"
	done
}

@test "lwprec emulate: operands in memory have the addresses that the processor computes" {
	LD_PRELOAD=$emulator "$PROG/lwp_operands" > "$T/out"
	[ "$(cat "$T/out")" = '30 operands, 0 wrong' ]
	[ "$(emulate preload "$PROG/lwp_operands")" = '30 operands, 0 wrong' ]
	[ "$(emulate ptrace "$PROG/lwp_operands")" = '30 operands, 0 wrong' ]
}

@test "lwprec emulate: --engine contradicts --emulate, CPC_ENGINE does not" {
	run -2 "$LWPREC" record --emulate --engine=sim true
	[[ $output == 'lwprec: --emulate records LWP instructions alone; leave out --engine or --emulate'* ]]
	CPC_ENGINE=sim emulate preload "$PROG/lwp_sample" > "$T/out"
	[ -n "$(rings)" ]
}

@test "lwprec emulate: threads, fork, exec, faults, signals and blocked signals, in the program" {
	export LWP_RULES_TRACED=1
	rules preload handler blocked thread fork exec fault protection interrupt nofiles freed
}

@test "lwprec emulate: threads, fork, exec, faults, signals and blocked signals, from outside" {
	export LWP_RULES_TRACED=1 LWP_RULES_OUTSIDE=1
	rules ptrace handler blocked thread fork exec fault protection interrupt nofiles freed
}

@test "lwprec emulate: the emulator works in a program that nobody traces" {
	for program in lwp_rules lwp_rules-clang; do
		[ -x "$PROG/$program" ] || continue
		for case in handler blocked thread fork exec off fault protection interrupt nofiles freed; do
			[ "$(LD_PRELOAD=$emulator bounded "$PROG/$program" $case | tail -n 1)" = ok ]
		done
	done
}

@test "lwprec emulate: 16 threads patch the same sites and lose no record" {
	rules preload threads
	rings > "$T/rings"
	[ "$(grep -c '^ring ' "$T/rings")" = 16 ]
	# Each ring is full: its records are all of its slots but one.
	[ "$(awk '/^ring/ { n += $3 } END { print n }' "$T/rings")" = "$((16 * 255 + 8 * 120))" ]
}

@test "lwprec emulate: a signal handler's records and those that it interrupts are all there" {
	rules preload signals
}

@test "lwprec emulate: the sample program is recorded from its start to its end" {
	emulate preload "$PROG/lwp_sample" 2 100 1024 3 > "$T/out"
	has '^thread 1: 300 values, 6 markers, 81 stored, 0 missed' "$T/out"
	rings > "$T/rings"
	has '^event 1 4 600 emulated LWP instructions$' "$T/rings"
	has '^event 255 1 12 emulated LWP instructions$' "$T/rings"
	[ "$(grep -c '^ring lwp_sample 81 0$' "$T/rings")" = 2 ]
	[ "$(grep -c '^record 1 d1 ' "$T/rings")" = 150 ]
	# The hot divisor.
	[ "$(awk '$1 == "record" && $2 == 1 { print $5 }' "$T/rings" | sort | uniq -c | sort -n | awk 'END { print $2 }')" = 16 ]
	"$LWPREC" report "$file" > "$T/report"
	# The first of the values of the site.
	grep -A 3 '^val by value of each site' "$T/report" | grep -qE ' data2 +16 +0xd1 +divide'
}

@test "lwprec emulate: without --emulate a program with LWP instructions is emulated" {
	bounded "$LWPREC" record --quiet -o "$file" "$PROG/lwp_sample" 1 100 1024 0 > "$T/out"
	rings > "$T/rings"
	has '^ring lwp_sample 306 0$' "$T/rings"
	bounded "$LWPREC" record --quiet -o "$file" "$PROG/lwp_rules-static" thread > "$T/out"
	rings > "$T/rings"
	has '^ring lwp_rules-stati 2 0$' "$T/rings"
}

@test "lwprec emulate: records of a program that ends by a signal are kept, SIGKILL too" {
	for way in preload ptrace; do
		for case in kill:137 term:143 illegal:132; do
			run "-${case#*:}" emulate $way "$PROG/lwp_rules" "${case%:*}"
			rings > "$T/rings"
			[ "$(grep -c '^record 255 5 ' "$T/rings")" = "$( ((${case#*:} == 132)) && echo 1 || echo 5)" ]
		done
	done
}

# waiting WAY: start a recording of a program that has five records and waits; sets $lwprec and $program.
waiting() {
	start "$T/out" "$LWPREC" record --quiet -o "$file" --emulate="$1" -- "$PROG/lwp_rules" wait
	lwprec=$!
	program=$(ready_pid "$T/out")
	started+=("$program")
}

@test "lwprec emulate: a signal to lwprec or to the program leaves its records, and nothing runs on" {
	local way case signal expected to status
	for way in preload ptrace; do
		for case in INT:130:lwprec TERM:143:lwprec INT:130:program TERM:143:program KILL:137:program; do
			IFS=: read -r signal expected to <<< "$case"
			waiting $way
			kill -"$signal" "${!to}"
			status=0
			finish "$lwprec" || status=$?
			[ "$status" -eq "$expected" ]
			is_gone "$program"
			rings > "$T/rings"
			[ "$(grep -c '^record 255 5 ' "$T/rings")" -eq 5 ]
		done
		waiting $way
		kill -KILL "$lwprec"
		until_true is_gone "$program"
	done
}

@test "lwprec emulate: a recording that cannot be written is reported" {
	local way
	for way in preload ptrace; do
		file=/dev/full
		run -125 emulate $way "$PROG/lwp_rules" thread
		[[ $output == *'cannot write /dev/full: No space left'* ]]
		file=$T/rec
		run -125 bounded bash -c 'ulimit -f 1 && exec "$@"' - "$LWPREC" record --quiet -o "$file" --emulate=$way -- \
			"$PROG/lwp_rules" thread
		[[ $output == *"cannot write $file: File too large"* ]]
		file=$T/nodir/rec
		run -125 emulate $way touch "$T/has_run"
		[[ $output == *"cannot write $file: No such file"* ]]
		[ ! -e "$T/has_run" ]
	done
}

@test "lwprec emulate: a ring that the program frees is saved before" {
	for way in preload ptrace; do
		emulate $way "$PROG/lwp_rules" freed > "$T/out"
		rings > "$T/rings"
		has '^ring lwp_rules 7 0$' "$T/rings"
		has '^record 255 5 2 6$' "$T/rings"
	done
}

@test "lwprec emulate: a recording has the interval of its records only if that is the same in all rings" {
	for way in preload ptrace; do
		emulate $way "$PROG/lwp_rules" thread > "$T/out"
		rings | has '^event 1 1 ' -
		emulate $way "$PROG/lwp_rules" intervals > "$T/out"
		rings > "$T/rings"
		has '^event 1 0 ' "$T/rings"
		[ "$(grep -c '^ring lwp_rules 1 0$' "$T/rings")" -eq 2 ]
	done
}

@test "lwprec emulate: children and later programs get files of their own" {
	for way in preload ptrace; do
		rm -f "$file"*
		emulate $way "$PROG/lwp_rules" exec > "$T/out"
		# The first program of the process, and five children that were forks of it.
		[ "$(find "$T" -name 'rec*' | wc -l)" = 6 ]
		for f in "$file"*; do
			[ "$(rings "$f" | grep -c '^record 255 5 2 1$')" = "$([ "$f" = "$file" ] && echo 2 || echo 3)" ]
		done
		rm -f "$file"*
		emulate $way sh -c '"$1" fork; exec "$1" thread' sh "$PROG/lwp_rules" > "$T/out"
		[ "$(rings | grep -c '^ring')" = 0 ]
		[ "$(cat "$file".*.1 | grep -ac ^)" -gt 0 ]
		[ "$(find "$T" -name 'rec.*' | wc -l)" = 3 ]
	done
}

@test "lwprec emulate: the exit status is the command's, or says why there is none" {
	run -2 emulate preload "$PROG/lwp_rules" nosuch
	run -126 emulate ptrace /etc/passwd
	run -125 bounded "$LWPREC" record --quiet -o /nosuch/file --emulate touch "$T/started"
	[[ "$output" == *'cannot write /nosuch/file: No such file or directory'* ]]
	[ ! -e "$T/started" ]
	echo old > "$T/rec"
	run -127 emulate preload /nosuch/program
	[ "$(cat "$T/rec")" = old ]
	run -2 "$LWPREC" record --emulate=magic true
	[[ "$output" == *"--emulate: 'magic' is not preload or ptrace"* ]]
	run -2 "$LWPREC" record --emulate -e ire true
	run -2 "$LWPREC" record --emulate
}

@test "lwprec emulate: missed events are reported, and --strict does not accept them" {
	run -0 bounded "$LWPREC" record -o "$file" "$PROG/lwp_sample" 1 100 32 0
	[[ "$output" == *'rings were full, and 275 events were missed'* ]]
	run -125 bounded "$LWPREC" record --strict -o "$file" "$PROG/lwp_sample" 1 100 32 0
	run -0 bounded "$LWPREC" record --strict -o "$file" "$PROG/lwp_sample" 1 100 1024 0
	[[ "$output" != *'were missed'* ]]
}

@test "lwprec emulate: without a folder beside lwprec, the emulator is that of the installation" {
	unset CPC_SIM_DIR
	mkdir "$T/alone"
	cp "$LWPREC" "$T/alone"
	run bounded "$T/alone/lwprec" record --quiet --emulate=preload -o "$file" true
	[ "$status" -eq 0 ] || [[ "$output" == *'there is no lwpemulate.so in $CPC_SIM_DIR, beside the program or in /'* ]]
}

@test "lwprec emulate: what cannot be emulated in the program is reported" {
	run -125 emulate preload "$PROG/lwp_rules-static" thread
	[[ "$output" == *'has not loaded the emulator'*'--emulate=ptrace'* ]]
	export CPC_SIM_DIR=$T
	run -125 bounded "$LWPREC" record --emulate=preload -o "$file" "$PROG/lwp_sample"
	[[ "$output" == *'there is no lwpemulate.so in $CPC_SIM_DIR'* ]]
	mkdir "$T/a folder"
	cp "$emulator" "$T/a folder"
	CPC_SIM_DIR="$T/a folder" run -125 bounded "$LWPREC" record --emulate=preload -o "$file" "$PROG/lwp_sample"
	[[ "$output" == *"LD_PRELOAD cannot name '$T/a folder/lwpemulate.so', which has a blank or a colon" ]]
	# From outside it needs no file.
	run -0 bounded "$LWPREC" record --emulate -o "$file" "$PROG/lwp_rules" thread
	[[ "$output" == *'emulated from outside'* ]]
	rings > "$T/rings"
	has '^ring lwp_rules 2 0$' "$T/rings"
	run -0 bounded "$LWPREC" record --emulate -o "$file" true
	[[ "$output" == *"'true' did not enable LWP"* ]]
}
