# Readers of OpenMetrics text: Prometheus' promtool and node_exporter, and the strict parser of its Python
# client. test/unit/suite/cpus/metrics.c checks that the same texts are written.

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
	# The name is as typed, except for the byte that was not UTF-8.
	grep -qF "('event', 'a\\\\b\"c\\nd,e={}\\t\\r"$'\ufffd\u20ac'"')" "$T/samples"
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
	[ "$(id -u)" -eq 0 ] || [ "$(paranoid)" -le 0 ] || skip "needs root, or perf_event_paranoid at most 0"
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
	has '^opencpc_request_info{event="cpu-clock",' "$T/page"
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
