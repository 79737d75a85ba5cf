# The generator events/gen/costs.awk: the C that it makes of good tables of costs, and its messages, which name the file
# and line of every mistake.

setup() {
	cd "$BATS_TEST_TMPDIR"
	awk=$BATS_TEST_DIRNAME/../events/gen/costs.awk
	{
		printf '%s\n' '# comment' 'cpu r10000' 'system IP27' 'mhz 195.5 # comment'
		seq 0 31 | sed 's/$/ 1.25 0.5 7/'
	} > r10000_1.costs
}

# rejects LINE MESSAGE SCRIPT: the good table, changed by the sed(1) script, is rejected with only this message.
rejects() {
	sed "$3" r10000_1.costs > r10000_2.costs
	run awk -f "$awk" r10000_2.costs
	echo "$output"
	[ "$status" -eq 1 ]
	[ "$output" = "r10000_2.costs:$1: $2" ]
}

@test "costs: a good table passes, and its C has the costs of the table" {
	sed 's/^31 .*/31 - - -/; $asynthetic of  what # it is' r10000_1.costs > r10000_3.costs
	run awk -f "$awk" r10000_1.costs r10000_3.costs
	[ "$status" -eq 0 ]
	[ "$(grep -c '\.name = "r10000_[13]", .cpu = "r10000", .system = "IP27",' <<< "$output")" -eq 2 ]
	[ "$(grep -c '\.hz = 195500000, .synthetic = NULL,' <<< "$output")" -eq 1 ]
	[ "$(grep -c '\.hz = 195500000, .synthetic = "of  what",' <<< "$output")" -eq 1 ]
	[ "$(grep -c '= { 1250000, 500000, 7000000 },' <<< "$output")" -eq 63 ]
	grep -q '\[31\] = { COST_UNKNOWN, COST_UNKNOWN, COST_UNKNOWN },' <<< "$output"
}

@test "costs: mistakes are reported" {
	rejects 37 "unknown word 'nonsense'" '$anonsense'
	rejects 37 "'cpu' is given twice" '$acpu r10000'
	rejects 37 "event 3 is given twice" '$a3 1 1 1'
	rejects 37 "event '32' is not from 0 to 31" '$a32 1 1 1'
	rejects 38 "'synthetic' is given twice" '$asynthetic a\nsynthetic b'
	rejects 36 "bad cost 'x'" 's/^31 .*/31 1 x 1/'
	rejects 36 "bad cost '1.2345678'" 's/^31 .*/31 1 1 1.2345678/'
	rejects 36 "bad cost '01'" 's/^31 .*/31 1 1 01/'
	rejects 36 'an event needs three costs: typical, minimum, maximum' 's/^31 .*/31 1 1/'
	rejects 36 'the typical cost is not between minimum and maximum' 's/^31 .*/31 1 2 3/'
	rejects 35 'event 31 has no cost' '/^31 /d'
	rejects 35 "no line 'system'" '/^system/d'
	rejects 35 "no line 'mhz'" '/^mhz/d'
	rejects 4 "bad clock '0'" 's/^mhz .*/mhz 0/'
	sed 's/^cpu .*/cpu r12000/' r10000_1.costs > r10000_4.costs
	run awk -f "$awk" r10000_4.costs
	[ "$output" = "r10000_4.costs:36: costs of 'r12000' must be in a file r12000_MHZ.costs" ]
	run awk -f "$awk" /dev/null
	[ "$status" -eq 1 ]
}
