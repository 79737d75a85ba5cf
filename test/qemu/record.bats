# lwprec record on a machine with a PMU: one CPU, and time made of instructions, so that cycles are exact.

bats_require_minimum_version 1.5.0
load ../helper

setup() {
	[ -x "$LWPREC" ] || skip 'lwprec is not built here'
	cd "$T"
}

# fact KEY: print the values of a fact of the recording r.
fact() { grep -a "^$1=" r; }

# instructions N: set $truth to what `turns N` retires in user mode (turns.S).
instructions() { truth=$((2 * $1 + 5 * ${#1} + 8)); }

@test "record: every Nth cycle makes a record, at its instruction, and the count is exact" {
	for n in 1000000 3000000; do
		"$LWPREC" record --strict --engine=kernel -o r -e cnh:100000 "$PROG/turns" $n 2> err
		[ "$(cat err)" = 'lwprec: cnh: perf cycles:u, a record each 100000' ]
		instructions $n
		[ "$(fact event)" = "event=5 100000 $truth cnh perf\\040cycles:u" ]
		"$LWPREC" decode --quiet --format=csv -F event,ip r > records
		[ "$(grep -c '^cnh,' records)" -eq $((truth / 100000)) ]
		# the loop has two instructions
		[ "$(sed -n 's/^cnh,//p' records | sort -u | wc -l)" -le 2 ]
	done
}

@test "record: instructions are counted exactly, and a PMU is the default" {
	instructions 1000000
	"$LWPREC" record -o r -e ire:100000 "$PROG/turns" 1000000 2> err
	has '^lwprec: ire: perf instructions:u, a record each 100000$' err
	[ "$(fact event)" = "event=2 100000 $truth ire perf\\040instructions:u" ]
	"$LWPREC" record -o r "$PROG/turns" 1000000 2> err
	[ "$(cat err)" = 'lwprec: cnh: perf cycles:u, a record each 1000000' ]
	[ "$(fact event)" = "event=5 1000000 $truth cnh perf\\040cycles:u" ]
}

@test "record: what the PMU cannot sample is refused or labelled" {
	run -125 "$LWPREC" record --engine=kernel -e cnh,bre "$PROG/turns" 1000
	[ "$output" = 'lwprec: -e: bre: this machine records neither stacks of branches nor ops (PMU ibs_op); --engine=sim simulates branches' ]
	run -125 "$LWPREC" record --engine=kernel -e dme "$PROG/turns" 1000
	[ "$output" = 'lwprec: -e: dme: this machine does not record addresses and latencies of loads (event mem-loads, PMU ibs_op); --engine=sim simulates misses' ]
	"$LWPREC" record --engine=kernel -o r -e rnh "$PROG/turns" 1000 2> err
	has '^lwprec: rnh: perf cpu-clock:u, ns in place of reference cycles, a record each 1000000 ns: this machine has no such counter$' err
}

@test "record: threads and a child have their own rings" {
	"$LWPREC" record --quiet --engine=kernel -o r -e cnh:100000 "$PROG/busy" 10
	[ "$(fact ring | wc -l)" -eq 2 ]
	[ "$(grep -a -c '^ring=' r.*.1)" -eq 1 ]
	"$LWPREC" report --quiet --by=thread,function --format=csv r > report
	has 'busy_main' report
	has 'busy_thread' report
	lacks 'busy_child' report
}
