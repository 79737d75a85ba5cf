# Readers of OpenMetrics text: Prometheus' promtool and node_exporter, and the strict parser of its Python
# client. test/unit/suite/cpus/metrics.c checks that the same texts are written.
#
# Runs alone: it counts whole CPUs, also how often any program executes a function.

bats_require_minimum_version 1.5.0

load helper

PEERS=$BATS_TEST_DIRNAME/../build/peers
TEXTS=${GOLDEN:-$BATS_TEST_DIRNAME/golden}/openmetrics

setup() {
	[ -d "$PEERS" ] || skip "$(tail -n 1 "$PEERS.log" 2> /dev/null ||
		echo "promtool and prometheus-node-exporter are not below build; ./setup check fetches them")"
	need python3
}

# parse FORMAT FILE...: prints each sample on a line: the type and unit of its family, its name, labels and value.
# FORMAT is openmetrics, or prom for the Prometheus text format. Fails if a file does not have that format.
parse() {
	PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$PEERS python3 - "$@" <<-'END'
		import importlib, sys
		name = {'openmetrics': 'prometheus_client.openmetrics.parser', 'prom': 'prometheus_client.parser'}
		parser = importlib.import_module(name[sys.argv[1]])
		for path in sys.argv[2:]:
		    with open(path, newline='\n') as f:
		        for family in parser.text_fd_to_metric_families(f):
		            for s in family.samples:
		                print(family.type, family.unit or '-', s.name, sorted(s.labels.items()), s.value)
	END
}

# scrape URL: prints what an exporter shows.
scrape() {
	python3 -c 'import sys, urllib.request as u
sys.stdout.buffer.write(u.build_opener(u.ProxyHandler({})).open(sys.argv[1], timeout=20).read())' "$1"
}

# start_exporter FOLDER: starts node_exporter with only its textfile collector; sets URL, and EXPORTER to its pid.
start_exporter() {
	start "$T/exporter" "$PEERS/prometheus-node-exporter" --web.listen-address=127.0.0.1:0 \
		--collector.disable-defaults --collector.textfile --collector.textfile.directory="$1" \
		--web.disable-exporter-metrics
	EXPORTER=$!
	until_true has 'msg="Listening on" address=127' "$T/exporter.err"
	URL=http://$(sed -n 's/.*msg="Listening on" address=//p' "$T/exporter.err")/metrics
}

@test "openmetrics: promtool finds no fault in texts for node_exporter" {
	local text n=0
	for text in "$TEXTS"/*.prom; do
		run -0 "$PEERS/promtool" check metrics < "$text"
		[ -z "$output" ]
		n=$((n + 1))
	done
	[ $n -ge 5 ]
	# promtool refuses the strict form: this is why there are two forms.
	run ! "$PEERS/promtool" check metrics < "$TEXTS/cpus.txt"
	[ -n "$output" ]
}

@test "openmetrics: the strict parser reads each number of all other texts" {
	run -0 parse openmetrics "$TEXTS"/*.txt
	run -0 parse openmetrics "$TEXTS/cpus.txt"
	printf '%s\n' "$output" > "$T/samples"
	[ "$(grep -c '^counter - opencpc_events_total ' "$T/samples")" = 9 ]
	[ "$(grep -c '^counter seconds opencpc_enabled_seconds_total ' "$T/samples")" = 9 ]
	[ "$(grep -c '^counter seconds opencpc_running_seconds_total ' "$T/samples")" = 9 ]
	[ "$(grep -c '^info - opencpc_request_info ' "$T/samples")" = 3 ]
	has "^counter - opencpc_events_total .*('cpu', '0'), ('event', 'cycles'), .* 18446744073709551615$" "$T/samples"
	has "^counter - opencpc_samples_total \[\] 3$" "$T/samples"
	has "^counter - opencpc_samples_skipped_total \[\] 3$" "$T/samples"
	has "^gauge seconds opencpc_last_sample_timestamp_seconds \[\] 1700000000" "$T/samples"
	has "^gauge - opencpc_cpus \[\] 3$" "$T/samples"
	# The name is as typed, except for control characters and the byte that was not UTF-8.
	grep -qF "('event', 'a\\\\b\"c\\nd,e={}??"$'\xef\xbf\xbd\xe2\x82\xac'"')" "$T/samples"
	run ! parse openmetrics "$TEXTS/cpus.prom"
}

@test "openmetrics: both forms of a text have the same samples" {
	local it
	for it in cpus cores sockets none; do
		grep -v '^#' "$TEXTS/$it.txt" > "$T/strict"
		grep -v '^#' "$TEXTS/$it.prom" | cmp - "$T/strict"
		[ -s "$T/strict" ]
	done
}

@test "openmetrics: node_exporter shows a file and its changes" {
	local it
	mkdir "$T/textfile"
	start_exporter "$T/textfile"
	for it in none cpus cores sockets late; do
		cp "$TEXTS/$it.prom" "$T/new"
		mv "$T/new" "$T/textfile/opencpc.prom"
		parse prom "$T/textfile/opencpc.prom" | sort > "$T/in"
		scrape "$URL" > "$T/page"
		parse prom "$T/page" | grep ' opencpc_' | sort > "$T/out"
		[ -s "$T/in" ]
		diff "$T/in" "$T/out"
		has '^node_textfile_scrape_error 0$' "$T/page"
		has '^# TYPE opencpc_events_total counter$' "$T/page" || [ $it = none ]
		has '^# TYPE opencpc_cpus gauge$' "$T/page"
	done
	# A new file is in the same folder while it is written, and is not read.
	head -n 3 "$TEXTS/cpus.prom" > "$T/textfile/opencpc.prom.123.0.tmp"
	scrape "$URL" > "$T/page"
	parse prom "$T/page" | grep ' opencpc_' | sort | diff "$T/in" -
	has '^node_textfile_scrape_error 0$' "$T/page"
	lacks 'level=error' "$T/exporter.err"
	kill "$EXPORTER"
	finish "$EXPORTER" || :
	is_gone "$EXPORTER"
}

# on_page NAME: prints the value of a metric without labels in node_exporter, without its decimals.
on_page() { scrape "$URL" | awk -v name="$1" '$1 == name { printf "%d\n", $2 }'; }
grows_beyond() { [ "$(on_page opencpc_samples_total)" -gt "$1" ]; }

@test "openmetrics: node_exporter shows the counts of cpustat, while it runs and at its end" {
	need_cpus
	mkdir -m 755 "$T/textfile"
	start_exporter "$T/textfile"
	start "$T/rows" "$CPUSTAT" -c cpu-clock --openmetrics="$T/textfile/opencpc.prom" 0.02
	local pid=$! seen
	until_true grows_beyond 0
	seen=$(on_page opencpc_samples_total)
	until_true grows_beyond $((seen + 1))
	run -0 "$PEERS/promtool" check metrics < "$T/textfile/opencpc.prom"
	[ -z "$output" ]
	kill -INT "$pid"
	finish "$pid" || :
	lacks opencpc.prom "$T/rows.err"

	scrape "$URL" > "$T/page"
	has '^opencpc_request_info{attrs="",event="cpu-clock",mode="user+sys",' "$T/page"
	has '^node_textfile_scrape_error 0$' "$T/page"
	lacks 'level=error' "$T/exporter.err"
	[ "$(ls "$T/textfile")" = opencpc.prom ]
	# The counts fit into 53 bits, the precision of the reader; the file has the sum of all printed rows.
	awk '/^opencpc_events_total/ { n += $2 } END { printf "%.0f\n", n }' "$T/textfile/opencpc.prom" > "$T/sum"
	awk '$3 == "total" { print $4 }' "$T/rows" | diff - "$T/sum"
	awk '/^opencpc_events_total/ { n += $2 } END { printf "%.0f\n", n }' "$T/page" | diff - "$T/sum"
	kill "$EXPORTER"
	finish "$EXPORTER" || :
}

# The rule for rates is the text of cpustat(1).
rule() {
	awk '/^\.Bd -literal/ { getline; on = $1 == "groups:" } /^\.Ed/ { on = 0 } on' "$BATS_TEST_DIRNAME/../man1/cpustat.1" \
		> "$T/rules.yml"
	[ -s "$T/rules.yml" ]
}

@test "openmetrics: the rule of cpustat(1) is right for sets that take turns, CPUs that go offline, and restarts" {
	rule
	run -0 "$PEERS/promtool" check rules "$T/rules.yml"
	cp "$BATS_TEST_DIRNAME/data/rules_test.yml" "$T"
	(cd "$T" && "$PEERS/promtool" test rules rules_test.yml)
}

# series FILE: prints the events and enabled times of a file as input of promtool, which rise from 0 within a minute.
series() {
	awk '/^opencpc_(events|enabled_seconds)_total\{/ {
		v = $NF; sub(/ [^ ]*$/, ""); printf "      - {series: \047%s\047, values: \0470 %s\047}\n", $0, v }' "$1"
}

# expect FILE EXPR N: with the counts of FILE, the PromQL expression gives N series.
expect() {
	cat > "$T/live.yml" <<-END
		rule_files: [rules.yml]
		evaluation_interval: 30s
		tests:
		  - interval: 30s
		    input_series:
		$(series "$1")
		    promql_expr_test:
		      - {expr: 'count($2)', eval_time: 30s, exp_samples: [{labels: '{}', value: $3}]}
	END
	(cd "$T" && "$PEERS/promtool" test rules live.yml) || { cat "$T/live.yml"; return 1; }
}

rate=instance_cpu_event:opencpc_events:rate1m

@test "openmetrics: by the rule a set that has half of the time has the rates of a set that has all" {
	need_cpus
	rule
	local last n
	n=$(ncpus)
	# cpu-clock counts a thousand million a second on each CPU, whatever runs. The times of the values are read
	# apart from them, so they differ by microseconds in 20 ms.
	bounded "$CPUSTAT" -c cpu-clock --openmetrics="$T/one.prom" 0.02 20 > "$T/rows"
	expect "$T/one.prom" "$rate{event=\"cpu-clock\"} > 0.95e9 < 1.05e9" "$n"
	bounded "$CPUSTAT" -c cpu-clock -c page-faults --openmetrics="$T/two.prom" 0.02 20 > "$T/rows"
	expect "$T/two.prom" "$rate{event=\"cpu-clock\"} > 0.95e9 < 1.05e9" "$n"
	bounded "$CPUSTAT" -A soc -c cpu-clock -c page-faults --openmetrics="$T/soc.prom" 0.02 20 > "$T/rows"
	expect "$T/soc.prom" "sum($rate{event=\"cpu-clock\"}) > ${n}e9 * 0.95 < ${n}e9 * 1.05" 1
}

@test "openmetrics: a known load has the same rate in one set, in one of two sets, and by perf stat" {
	need_cpus
	need_breakpoints
	need taskset
	rule
	local cpu load event
	cpu=$(cpus | tail -n 1)
	private_hit
	event=$(hit_event oracle)
	# A thousand calls a second. A busy CPU delays a call by some ms at most in a run of 1 to 2 s, and the turns of
	# a set, 20 ms each, see the calls that were late in another turn: a fifth more or less is allowed, while a rate
	# of the whole time would be a half.
	start /dev/null taskset -c "$cpu" "$PROG/oracle" beat 100000
	load=$!
	until_true eval 'bounded "$CPUSTAT" -n -c "$event" 0.01 1 | awk "\$3 == \"total\" { exit !\$4 }"'
	bounded taskset -c "$cpu" "$CPUSTAT" -c "$event" --openmetrics="$T/one.prom" 0.02 50 > "$T/rows"
	expect "$T/one.prom" "$rate > 800 < 1200" 1
	bounded taskset -c "$cpu" "$CPUSTAT" -c "$event" -c page-faults --openmetrics="$T/two.prom" 0.02 100 > "$T/rows"
	expect "$T/two.prom" "$rate{event=\"$event\"} > 800 < 1200" 1
	if command -v perf > /dev/null; then
		perf stat -x , -C "$cpu" -e "$event" -o "$T/perf" sleep 1
		awk -F, '/mem:/ { rate = $1 / $4 * 1e9; n++ } END { print rate; exit !(n == 1 && rate > 800 && rate < 1200) }' "$T/perf"
	fi
	kill "$load"
	finish "$load" || :
}

@test "openmetrics: the file has zeros before the first interval, and its start tells a restart" {
	need_cpus
	local before now n
	n=$(ncpus)
	echo 'opencpc_events_total 2450' > "$T/x.prom"
	start "$T/rows" "$CPUSTAT" -c cpu-clock -c page-faults,minor-faults --openmetrics="$T/x.prom" 1000
	until_true has '^opencpc_samples_total 0$' "$T/x.prom"
	run -0 "$PEERS/promtool" check metrics < "$T/x.prom"
	for family in opencpc_events_total opencpc_enabled_seconds_total opencpc_running_seconds_total; do
		[ "$(grep -cE "^$family\{.*\} 0(\.0*)?\$" "$T/x.prom")" -eq $((3 * n)) ]
		[ "$(grep -c "^$family{" "$T/x.prom")" -eq $((3 * n)) ]
	done
	before=$(awk '/^opencpc_start_time_seconds / { printf "%.0f\n", $2 * 1000 }' "$T/x.prom")
	now=$(date +%s%3N)
	[ "$before" -le "$now" ] && [ "$before" -gt $((now - 60000)) ]
	kill -INT $!
	finish $!
	# The interval that the signal cut has its counts; the start is the same.
	has '^opencpc_samples_total 1$' "$T/x.prom"
	has "^opencpc_events_total.*event=\"cpu-clock\".* [1-9]" "$T/x.prom"
	[ "$(awk '/^opencpc_start_time_seconds / { printf "%.0f\n", $2 * 1000 }' "$T/x.prom")" = "$before" ]
	start "$T/rows" "$CPUSTAT" -c cpu-clock --openmetrics="$T/x.prom" 1000
	until_true has '^opencpc_samples_total 0$' "$T/x.prom"
	[ "$(awk '/^opencpc_start_time_seconds / { printf "%.0f\n", $2 * 1000 }' "$T/x.prom")" -gt "$before" ]
	kill -INT $!
	finish $!
}

@test "openmetrics: requests that differ in their modes are never one series, also when sets are merged" {
	need_cpus
	bounded "$CPUSTAT" -c page-faults -c page-faults,nouser,sys -c page-faults,sys -c context-switches \
		--openmetrics="$T/x.prom" 0.01 8 > "$T/rows"
	# Without set and pic, as the rule has them.
	sed -n 's/,set="[0-9]*",pic="[0-9]*"//; s/^opencpc_[a-z_]*{\(cpu=.*\)} .*/\1/p' "$T/x.prom" | sort | uniq -c > "$T/series"
	cat "$T/series"
	[ "$(wc -l < "$T/series")" -eq $((4 * $(ncpus))) ]
	# Each is in three families.
	[ "$(awk '{ print $1 }' "$T/series" | sort -u)" = 3 ]
	[ "$(sed -n 's/^opencpc_request_info.*event="\([^"]*\)",mode="\([^"]*\)".*/\1 \2/p' "$T/x.prom" | paste -sd,)" = \
		'page-faults user,page-faults sys,page-faults user+sys,context-switches user+sys' ]
}
