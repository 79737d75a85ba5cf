# lwprec record --engine=sim: what it records agrees with what perfex counts. recording.py reads the recordings,
# without the library.

bats_require_minimum_version 1.5.0
load helper

setup() {
	[ -x "$LWPREC" ] || skip 'lwprec is not built here'
	[ -x "$(dirname "$LWPREC")/../sim/cpcsim-launch" ] || skip 'the simulator is not built here'
	cd "$T"
}

clean() { bounded env -i PATH="$PATH" ${CPC_SIM_DIR:+CPC_SIM_DIR="$CPC_SIM_DIR"} "$@"; }
record() { clean "$LWPREC" record --engine=sim "$@"; }
perfex() { clean "$PERFEX" --engine=sim --format=csv -o "$T/csv" "$@"; }
recording() { python3 "$BATS_TEST_DIRNAME/recording.py" "$@"; }

# value EVENT: print a count of perfex.
value() { awk -F, -v n="$1" '$2 == "total" && $5 == n { print $8 }' "$T/csv"; }

# sums FILE...: print the sums of recordings, which are kept for the next call.
sums() {
	local file
	for file; do
		[ ".$file.sums" -nt "$file" ] || recording sums "$file" > ".$file.sums"
		cat ".$file.sums"
	done
}

# sum EVENT FILE...: print the sum of the event's counts in recordings.
sum() { sums "${@:2}" | awk -v event="$1" '$1 == event { n += $2 } END { print n + 0 }'; }

# stored EVENT FILE: print how many records of the event there are.
stored() { sums "$2" | awk -v event="$1" '$1 == event { print $3 }'; }

@test "lwprec sim: misses of gzip, each with a record, are as many as perfex counts" {
	head -c 40000 "$PROG/nop" > data
	perfex -a gzip -9c data > gz
	record --quiet -o r -e ire:100,bre:7,dme:1,i1_miss,itlb_miss,dtlb_miss,load,prefetch,sync,store,d1_wb_qw gzip -9c data > gz2
	cmp gz gz2
	[ "$(sum dme r)" -eq "$(value 25)" ]
	[ "$(stored dme r)" -eq "$(value 25)" ]
	[ "$(stored ire r)" -eq $(($(sum ire r) / 100)) ]
	[ "$(stored bre r)" -eq $(($(sum bre r) / 7)) ]
	[ "$(sum i1_miss r)" -eq "$(value 9)" ]
	[ "$(($(sum itlb_miss r) + $(sum dtlb_miss r)))" -eq "$(value 23)" ]
	[ "$(($(sum load r) + $(sum prefetch r) + $(sum sync r)))" -eq "$(value 18)" ]
	[ "$(sum store r)" -eq "$(value 19)" ]
	[ "$(sum d1_wb_qw r)" -eq "$(value 22)" ]
	recording facts r > facts
	has '^event=4 1 [0-9]* dme simulated\\040r10000$' facts
	has '^program=.*/gzip$' facts
	has '^clock=instructions$' facts
	has '^line_size=32$' facts
}

@test "lwprec sim: two threads: turns and counts are those without a recording" {
	perfex -a "$PROG/sim-contend" atomic 2 300
	record --quiet -o r -e ire:10,bre:10,dme:1,ext_itv,l2_wr_miss,l2_rd_miss,st_excl_shared "$PROG/sim-contend" atomic 2 300
	[ "$(sum dme r)" -eq "$(value 25)" ]
	[ "$(sum ext_itv r)" -eq "$(value 12)" ]
	[ "$(($(sum l2_rd_miss r) + $(sum l2_wr_miss r)))" -eq "$(value 26)" ]
	[ "$(sum st_excl_shared r)" -eq "$(value 31)" ]
	[ "$(recording facts r | grep -c '^ring=')" -eq 3 ]
	[ "$(recording facts r | grep -c '^thread=')" -eq 3 ]
	# a line that the other CPU has alone comes from there
	[ "$(recording records r | awk '$2 == 4 && $4 == "0x5000" { n++ } END { print n + 0 }')" -gt 10 ]
}

@test "lwprec sim: sqlite3" {
	type -P sqlite3 > /dev/null || skip 'needs sqlite3'
	local sql='create table t(a, b); with recursive n(i) as (select 1 union all select i + 1 from n where i < 500)
		insert into t select i, "r" || i from n; select count(*) from t where b like "r1%";'
	perfex -e 25 sqlite3 :memory: "$sql" > out
	record --quiet -o r -e dme:1 sqlite3 :memory: "$sql" | diff out -
	[ "$(sum dme r)" -eq "$(value 25)" ]
	[ "$(stored dme r)" -eq "$(value 25)" ]
}

@test "lwprec sim: each process image has a recording: fork, exec, pipes" {
	local sh='(echo b; cat /dev/null) | sort; exec env true'
	perfex -e 25 sh -c "$sh"
	record --quiet -o r -e dme:1,ire:100 sh -c "$sh"
	[ "$(sum dme r r.*)" -eq "$(value 25)" ]
	# of the shell's process: sh, env, true; of the others: a shell that forked, and cat or sort
	for file in r r.*; do
		recording facts "$file" | sed -n 's/^command=//p'
	done | sed 's/\\.*//; s:.*/::' | sort > commands
	diff commands <(printf '%s\n' cat env sh sh sh sort true)
	[ -n "$(recording facts r.*.1 | grep '^mapping=')" ]
}

@test "lwprec sim: branches and misses have what the model knows" {
	record --quiet -o r -e bre:1,dme:1,br_cond,br_cond_tk,br_misp_tk,br_misp_nt,br_misp_ind,br_misp_ret,l2_rd_miss,l2_wr_miss \
		"$PROG/exactly"
	recording records r > records
	flags() { awk -v id="$1" -v flags="$2" '$2 == id && $4 == flags { n++ } END { print n + 0 }' records; }
	# PRV alone: wrongly predicted, not taken; TKN: taken; PRD: predicted right
	[ "$(flags 3 0x2000)" -eq "$(sum br_misp_nt r)" ]
	[ "$(flags 3 0xa000)" -eq $(($(sum br_misp_tk r) + $(sum br_misp_ind r) + $(sum br_misp_ret r))) ]
	[ "$(($(flags 3 0x6000) + $(flags 3 0x2000)))" -eq $(($(sum br_cond r) - $(sum br_cond_tk r))) ]
	[ "$(stored bre r)" -eq "$(sum bre r)" ]
	# DRAM: the misses of L2; the penalties of the machine are 9.01 and 73.99 cycles
	[ "$(flags 4 0x7000)" -eq $(($(sum l2_rd_miss r) + $(sum l2_wr_miss r))) ]
	[ -z "$(awk '$2 == 4 && $5 != ($4 == "0x7000" ? 83 : 9)' records)" ]
	# each record of an instruction is at an address that has a count
	[ -z "$(recording records r | awk '$6 ~ /^-/')" ]
}

@test "lwprec sim: other machines, and their sources" {
	record --quiet --machine=generic -o g -e dme:1,d1_rd_miss,d1_wr_miss,d1_pf_miss,l3_rd_miss,l3_wr_miss,l2_rd_miss,l2_wr_miss \
		"$PROG/exactly"
	[ "$(sum dme g)" -eq $(($(sum d1_rd_miss g) + $(sum d1_wr_miss g) + $(sum d1_pf_miss g))) ]
	[ "$(recording records g | awk '$4 == "0x7000"' | wc -l)" -eq $(($(sum l3_rd_miss g) + $(sum l3_wr_miss g))) ]
	has 'dme simulated\\040generic$' <(recording facts g)
	for machine in ultrasparc2 itanium2; do
		clean "$CPUTRACK" --engine=sim --machine=$machine -T 0 --format=csv -o rows -c d1_rd_miss,d1_wr_miss,d1_pf_miss "$PROG/exactly" 2> /dev/null
		record --quiet --machine=$machine -o r -e dme:1 "$PROG/exactly"
		[ "$(sum dme r)" -eq "$(awk -F, '$5 == "exit" { n += $10 } END { print n }' rows)" ]
		[ "$(stored dme r)" -eq "$(sum dme r)" ]
	done
	record --quiet --set l2.size=1M -o r -e dme:1 "$PROG/exactly"
	has 'dme simulated\\040r10000:[0-9a-f]*$' <(recording facts r)
}

@test "lwprec sim: a program that the simulator cannot run, and --strict" {
	[ -x "$PROG/foreign" ] || skip 'the program for 32-bit x86 is not built here'
	"$PROG/foreign" || [ $? -eq 7 ] || skip 'no programs for 32-bit x86 here'
	run -7 record -o r sh -c "exec '$PROG/foreign'"
	[[ $output == *'is not for x86-64, which ran natively and is not counted'* ]]
	run -125 record --strict -o r sh -c "exec '$PROG/foreign'"
}

@test "lwprec sim: --machine without a command shows the machine" {
	run -0 record --machine=r10000
	[ "$output" = "$("$PERFEX" --machine=r10000)" ]
	[ ! -e lwprec.core ]
}

@test "lwprec sim: a command that ends with 126 or 127 has a recording, too" {
	local status
	for status in 126 127; do
		rm -f r
		run -$status record -o r -e ire:100 sh -c "exit $status"
		[ "$(sum ire r)" -gt 1000 ]
	done
}

@test "lwprec sim: reproducible twice is the same recording" {
	local n
	for n in 1 2; do
		bounded env EXTRA$n=$n "$LWPREC" record --engine=sim --quiet --reproducible -o r$n -e ire:50,bre:50,dme:1,itlb_miss \
			gzip -c "$PROG/exactly" > gz
	done
	recording same r1 r2
	has 'reproducible' <(recording facts r1)
}

@test "lwprec sim: the records of misses do not depend on what else is counted" {
	local machine
	head -c 20000 "$PROG/nop" > data
	for machine in r10000 generic; do
		record --quiet --machine=$machine --reproducible -o alone -e dme:3 gzip -9c data > gz
		record --quiet --machine=$machine --reproducible -o both -e load,i1_miss,dme:3,l2_rd_miss,d1_wr_miss,ire:1000000 gzip -9c data > gz
		recording records alone > records
		[ "$(wc -l < records)" -eq $(($(sum dme alone) / 3)) ]
		recording records both | awk '$2 == 4' | diff records -
		diff <(recording counts alone) <(recording counts both | grep '^dme')
	done
}

@test "lwprec sim: a report by cache line uses the lines of the simulated cache" {
	# odd SIZE: print how many lines of a report begin at no multiple of SIZE bytes.
	odd() {
		local size=$1
		shift
		clean "$LWPREC" report --quiet -n 0 --by=cacheline --format=csv "$@" |
			python3 -c 'import csv, sys; print(sum(int(row["address"], 0) % int(sys.argv[1]) != 0 for row in csv.DictReader(sys.stdin)))' "$size"
	}
	record --quiet -o r -e dme:1 "$PROG/nop"
	[ "$(odd 32 r)" -eq 0 ]
	[ "$(odd 64 r)" -gt 0 ]
	[ "$(odd 64 --line-size=64 r)" -eq 0 ]
	record --quiet --machine=generic -o g -e dme:1 "$PROG/nop"
	[ "$(odd 64 g)" -eq 0 ]
}

@test "lwprec sim: a program that is killed has a recording of what it did" {
	printf 'read line < fifo; kill -KILL $1\n' > killer
	mkfifo fifo
	start out clean "$LWPREC" record --engine=sim -o r -e dme:1,ire:1000 sh -c 'echo $$ > pid.new; mv pid.new pid; while :; do :; done'
	local lwprec=$! status=0
	until_true test -s pid
	kill -KILL "$(cat pid)"
	finish $lwprec || status=$?
	[ $status -eq 137 ]
	[ "$(sum dme r)" -gt 1000 ]
	[ "$(stored dme r)" -eq "$(sum dme r)" ]
}

# running: start a recording of a program that runs until the file stop exists; sets $lwprec and $program.
running() {
	start out env -i PATH="$PATH" ${CPC_SIM_DIR:+CPC_SIM_DIR="$CPC_SIM_DIR"} "$LWPREC" record --engine=sim -o r -e dme:1 \
		sh -c 'echo "ready $$"; while [ ! -e stop ]; do :; done; echo end'
	lwprec=$!
	program=$(ready_pid out)
	started+=("$program")
}

@test "lwprec sim: a signal to lwprec or to the program leaves what it did, and nothing runs on" {
	local case signal expected to status
	for case in INT:130:lwprec TERM:143:lwprec INT:130:program TERM:143:program; do
		IFS=: read -r signal expected to <<< "$case"
		rm -f r
		running
		kill -"$signal" "${!to}"
		status=0
		finish "$lwprec" || status=$?
		[ "$status" -eq "$expected" ]
		is_gone "$program"
		[ "$(sum dme r)" -gt 1000 ]
		[ "$(stored dme r)" -eq "$(sum dme r)" ]
	done
}

@test "lwprec sim: SIGKILL of lwprec: the program runs to its end" {
	running
	kill -KILL "$lwprec"
	finish "$lwprec" || [ $? -eq 137 ]
	touch stop
	until_true has '^end$' out
	until_true is_gone "$program"
	run -125 "$LWPREC" decode r
}

@test "lwprec sim: a recording that cannot be written is reported" {
	run -125 record --quiet -o /dev/full true
	[[ $output == *'cannot write /dev/full: No space left'* ]]
	run -125 bounded bash -c 'ulimit -f 1 && exec "$@"' - "$LWPREC" record --engine=sim -o r touch has_run
	[[ $output == *'cannot create the file for records: File too large'* ]]
	run -125 record --quiet -o nodir/r touch has_run
	[[ $output == *'cannot write nodir/r: No such file'* ]]
	[ ! -e has_run ]
}

@test "lwprec sim: a ring that is full says what it missed; counts are complete" {
	seq 1 300000 > data
	perfex -e 25 sort -n data > sorted
	record -o r -e dme sort -n data 2> err > sorted2
	[ "$(sum dme r)" -eq "$(value 25)" ]
	local missed stored
	missed=$(recording sums r | awk '$1 == "missed" { print $2 }') stored=$(stored dme r)
	[ "$missed" -gt 0 ]
	[ $((stored + missed)) -eq "$(sum dme r)" ]
	has "r has records of $stored events, and $missed more did not fit" err
	run -125 record --strict -o r -e dme sort -n data
}

@test "lwprec sim: what cannot be recorded is refused" {
	run -2 record -o r -e nosuch true
	[[ $output == *"cannot record 'nosuch': the simulator has no such event"* ]]
	run -2 record -o r -e dme:0 true
	[[ $output == *"the interval '0' is not a number from 1 to 33554432"* ]]
	run -2 record -o r -e store:5 true
	[[ $output == *"counters of the model are only counted"* ]]
	run -2 record -o r -e dme,DME:5 true
	[[ $output == *"'DME' is given twice"* ]]
	run -125 record -o r -e cycles_est true
	[[ $output == *"is an estimate of time"* ]]
	run -2 record --machine=nosuch true
	run -2 record --set d1.ways=3 touch has_run
	[ "$output" = 'lwprec: --set=d1.ways=3: d1.ways: the number of sets (size / line / ways) is not a power of two' ]
	[ ! -e has_run ]
	run -127 record -o r ./nosuch
	[ ! -e r ]
	run -3 record --quiet -o r sh -c 'exit 3'
	[ -s r ]
}

@test "lwprec sim: a simulator that cannot be executed is not taken for the command" {
	mkdir sim
	cp "$(dirname "$LWPREC")"/../sim/cpcsim-amd64-linux sim
	printf '#!/nonexistent\n' > sim/cpcsim-launch
	chmod +x sim/cpcsim-launch
	CPC_SIM_DIR=$T/sim run -125 record -o r touch has_run
	[ "$output" = "lwprec: cannot execute the simulator '$T/sim/cpcsim-launch': its interpreter '/nonexistent' does not exist" ]
	CPC_SIM_DIR=$T/sim run -125 clean "$PERFEX" --engine=sim -e 15 touch has_run
	[ "$output" = "perfex: cannot execute the simulator '$T/sim/cpcsim-launch': its interpreter '/nonexistent' does not exist" ]
	[ ! -e has_run ]
}

@test "lwprec sim: by function, instructions are callgrind's and misses cachegrind's" {
	local valgrind
	[ -x "$PROG/sim-functions" ] || skip 'sim-functions is not built here'
	valgrind=$(type -P valgrind.bin || type -P valgrind) || skip 'needs valgrind'
	clean "$valgrind" -q --tool=callgrind --callgrind-out-file=callgrind "$PROG/sim-functions" > out
	clean "$valgrind" -q --tool=cachegrind --cache-sim=yes --I1=32768,2,64 --D1=32768,2,32 --LL=4194304,2,128 \
		--cachegrind-out-file=cachegrind "$PROG/sim-functions" > out2 2> err
	record --quiet -o r -e ire:100000,dme:1 "$PROG/sim-functions" | diff out -
	python3 "$BATS_TEST_DIRNAME/functions.py" "$PROG/sim-functions" r callgrind cachegrind
}

@test "lwprec sim: the misses of a matrix multiplication are at the array that it reads by columns" {
	[ -x "$PROG/sim-functions" ] || skip 'sim-functions is not built here'
	record --quiet -o r -e dme:1 "$PROG/sim-functions" > out
	# range NAME: print the first address of a symbol, and that behind its last
	range() { nm -S "$PROG/sim-functions" | awk -v name="$1" '$4 == name { print "0x" $1, "0x" $2 }'; }
	recording records r > records
	python3 - $(range multiply) $(range matrix_b) <<-'EOF'
		import sys
		code, size, data, bytes = (int(word, 16) for word in sys.argv[1:])
		inside = at = 0
		for line in open("records"):
		    word = line.split()
		    if word[1] == "4" and code <= int(word[8], 16) < code + size:
		        inside += 1
		        at += data <= int(word[6], 16) < data + bytes
		print(inside, at)
		sys.exit(not (inside > 100000 and at > 0.8 * inside))
	EOF
}
