# cputrack and perfex without memory: each allocation fails in turn, and each third with all that follow. A run then
# has all of its output, or ends with a message and 125. Not one process stays behind.

bats_require_minimum_version 1.5.0
load helper

# values: print what the records of standard input have counted; $COUNT is a filter for the values.
values() { jq -cS "select(.values) | [.scope, .what, .lwp, (.values[] | [.name, (.value | $COUNT), .class])]" | sort; }

# none_left: no process of $COPY, a copy of a test program that this test alone runs, is there.
none_left() {
	local exe
	for exe in /proc/[0-9]*/exe; do
		[[ $(readlink "$exe") != "$COPY"* ]] || return 1
	done
}

# each_fails LEAST COMMAND [OPTION...]: fail the allocations of a command that writes records; at least LEAST must
# end the run.
each_fails() {
	local least=$1 n all step failed=0 tried=0
	shift
	# Also the environment is the same, as it is a part of what is simulated.
	export ORACLE=$T/truth
	without_memory 0000- "$@" || :
	values < "$T/out" > "$T/want"
	[ -s "$T/want" ]
	: > "$T/records"
	for all in - +; do
		n=1 step=1
		[ "$all" = - ] || step=3
		while without_memory "$(printf %04d%s "$n" "$all")" "$@"; do
			case $status in
			0) values < "$T/out" | diff "$T/want" - && jq -es '.[0].command and .[0].cwd and .[-1].record == "end"' "$T/out" > /dev/null ;;
			125) [ -s "$T/err" ] && failed=$((failed + 1)) ;;
			*) false ;;
			esac || { echo "allocation $n$all: status $status" && cat "$T/out" "$T/err" && return 1; }
			cat "$T/out" >> "$T/records"
			n=$((n + step)) tried=$((tried + 1))
		done
	done
	echo "$failed failures of $tried allocations"
	[ "$failed" -ge "$least" ]
	python3 "$BATS_TEST_DIRNAME/records.py" "$T/records"
	until_true none_left
}

setup() {
	need jq python3
	COPY=$T/oracle COUNT=.
	cp "$PROG/oracle" "$COPY"
}

@test "nomem: cputrack has all rows of processes and threads, or 125" {
	need_breakpoints
	local event
	event=$(hit_event oracle)
	each_fails 70 "$PROG/nomem-cputrack" --format=json -fev -T 0 -c "$event" -c "$event" "$COPY" tforks 2
	each_fails 30 "$PROG/nomem-cputrack" --format=json -fev -T 0 -c "$event" "$COPY" exec 1
}

@test "nomem: perfex has the report of each thread and the total, or 125" {
	need_breakpoints
	each_fails 70 "$PROG/nomem-perfex" --format=json -mp -o /dev/stdout -e "$(hit_event oracle)" "$COPY" tforks 1
	each_fails 30 "$PROG/nomem-perfex" --format=json -o /dev/stdout -e "$(hit_event oracle)" "$COPY" forks 1
}

@test "nomem: a simulated program has its true counts, or 125" {
	[ -x "$(dirname "$CPUTRACK")/../sim/cpcsim-launch" ] || skip "the simulator is not built here"
	# The program prints its pid, so its instructions depend on the number of digits.
	COUNT='. > 10000'
	each_fails 30 "$PROG/nomem-cputrack" --engine=sim --format=json -e -T 0 -c instructions "$COPY" chain 1
}
