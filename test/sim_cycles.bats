# Estimated cycles of the simulation: what loops of known latencies take, and limits of all programs.

bats_require_minimum_version 1.5.0
load helper

setup() {
	[ -x "${CPC_SIM_DIR:-$(dirname "$CPUTRACK")/../sim}/cpcsim-launch" ] || skip "the simulator is not built here"
	alone=(env -i "PATH=$PATH" LC_ALL=C ${CPC_SIM_DIR:+CPC_SIM_DIR="$CPC_SIM_DIR"})
	sim=("${alone[@]}" "$CPUTRACK" --engine=sim -T 0 --format=csv -o "$T/csv" -c)
}

# value NAME: print the event's value in the first row "exit".
value() { awk -F, -v name="$1" '$5 == "exit" && $9 ~ name "$" { print $10; exit }' "$T/csv"; }

# r10000 LETTER [OPTION...]: print the estimated cycles and the instructions of a loop of sim-cycles.
r10000() {
	local letter=$1
	shift
	bounded "${alone[@]}" "$PERFEX" --engine=sim "$@" -a --format=csv -o "$T/csv" "$PROG/sim-cycles" "$letter" 2> "$T/err"
	awk -F, '$2 == "total" && $5 == 0 { c = $8 } $2 == "total" && $5 == 15 { i = $8 } END { print c, i }' "$T/csv"
}

@test "sim cycles: a million operations of the R10000 take what its manual says" {
	local letter cycles bad=0
	# The sum of loaded values has three operations of two units; the copy of 16 bytes two loads and two stores,
	# and two cycles for the instructions around. How a condition is made of flags is no operation of its own.
	while read -r letter cycles; do
		r10000 "$letter" > "$T/got"
		echo "$letter: $(cat "$T/got"), should be about ${cycles}00000"
		# event 15 counts integer multiplications and divisions twice
		awk -v want="${cycles}00000" '{ exit !($1 >= want * 0.98 && $1 <= want * 1.02 && $2 <= 4 * $1) }' "$T/got" || bad=1
	done <<-'END'
		x 60
		d 670
		e 350
		m 100
		a 20
		f 20
		v 210
		q 350
		s 560
		p 20
		i 15
		b 60
		c 70
	END
	[ "$bad" -eq 0 ]
}

@test "sim cycles: latencies and the order of issue are facts of the machine" {
	# of the sum of loaded values the addition waits for the load, and the next load for the addition
	r10000 i --machine=r10000 --set=issue=in-order | tee "$T/in-order"
	awk '{ exit !($1 >= 2990000 && $1 <= 3010000) }' "$T/in-order"
	r10000 d --machine=r10000 '--set=timing.div64=20 20 B' | tee "$T/changed"
	awk '{ exit !($1 >= 19990000 && $1 <= 20010000) }' "$T/changed"
}

@test "sim cycles: dependent steps of xorshift run at less than two instructions a cycle" {
	r10000 x > "$T/got"
	awk '{ print $2 / $1; exit !($1 > 0 && $2 / $1 <= 2) }' "$T/got"
}

@test "sim cycles: perfex -y shows the time of the estimate" {
	bounded "${alone[@]}" "$PERFEX" --engine=sim -y -e 0 -e 17 -o "$T/report" "$PROG/sim-cycles" v 2> "$T/err"
	cat "$T/report"
	# 21 million cycles of 196 MHz, and three million instructions
	has '^ *0 Cycles\.* *210[0-9]* *0\.107' "$T/report"
	has '^Graduated instructions/cycle\.* *0\.1428' "$T/report"
}

# machines: print each event table with a model, its event of cycles, and the width of the machine.
machines() {
	printf '%s\n' 'r10000::CYCLES0 4' 'r12000::CYCLES 4' 'us12::Cycle_cnt 4' 'us3::Cycle_cnt 4' \
		'itanium2::CPU_CYCLES 6' 'cycles_est 6'
}

@test "sim cycles: no program executes more instructions in a cycle than the machine can issue" {
	local event width program bad=0 n=0
	machines > "$T/machines"
	while read -r event width; do
		for program in "$PROG/sim-cycles w" "$PROG/sim-cycles r" "$PROG/sim-cycles n" "$PROG/sim-known" \
			"ls /" "gzip -9c Makefile"; do
			bounded "${sim[@]}" "insn,$event" $program > "$T/out" 2> "$T/err"
			awk -v i="$(value insn)" -v c="$(value "$event")" -v w="$width" -v what="$event $program" 'BEGIN {
				printf "%s: %d instructions, %d cycles\n", what, i, c
				exit !(i > 0 && c > 0 && i <= w * c) }' || bad=1
			n=$((n + 1))
		done
	done < "$T/machines"
	[ "$bad" -eq 0 ]
	[ "$n" -eq 36 ]
}

@test "sim cycles: the time of the code does not depend on what else is counted" {
	for events in sched16 sched16,insn,d1_rd_miss,br_misp_tk,cycles_est; do
		bounded "${sim[@]}" "$events" ls / > "$T/out" 2> "$T/err"
		value sched16
	done > "$T/seen"
	[ "$(grep -c '^[1-9]' "$T/seen")" -eq 2 ]
	[ "$(sort -u "$T/seen" | wc -l)" -eq 1 ]
}
