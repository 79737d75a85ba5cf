# The files for Prometheus, Grafana and systemd in examples/prometheus: rules, alerts, dashboard and service.

bats_require_minimum_version 1.5.0
load helper

PEERS=$BATS_TEST_DIRNAME/../build/peers
FILES=$BATS_TEST_DIRNAME/../examples/prometheus

# need_peers NAME...: skip the test without these programs.
need_peers() {
	local name
	for name; do
		[ -x "$PEERS/$name" ] || skip "$name is not below build/peers; ./setup check fetches it"
	done
}

@test "prometheus: rules and alerts give the rates of two sets, restarts, offline CPUs and cgroups" {
	need_peers promtool
	cp "$FILES/opencpc.rules.yml" "$BATS_TEST_DIRNAME/data/prometheus_test.yml" "$T"
	run -0 "$PEERS/promtool" check rules "$T/opencpc.rules.yml"
	(cd "$T" && "$PEERS/promtool" test rules prometheus_test.yml)
}

@test "prometheus: the rule of cpustat(1) is the first rule of the file" {
	# rule: print the rule for rates of a text, a line without blanks.
	rule() { awk '/- record: instance_cpu_event:/ { on = 1 } on { print } on && /enabled_seconds_total/ { exit }' "$1" | tr -d ' \n'; }
	[ -n "$(rule "$FILES/opencpc.rules.yml")" ]
	[ "$(rule "$FILES/opencpc.rules.yml")" = "$(rule "$BATS_TEST_DIRNAME/../man1/cpustat.1")" ]
}

@test "prometheus: the service is valid, and its command is that of cpustat" {
	need systemd-analyze
	# The command of the service is not installed here.
	sed "s|/usr/bin/cpustat|$CPUSTAT|" "$FILES/opencpc-cpustat.service" > "$T/opencpc-cpustat.service"
	# It warns of files that others may write, which depends on the umask.
	chmod 644 "$T/opencpc-cpustat.service"
	run -0 systemd-analyze verify --man=no "$T/opencpc-cpustat.service"
	[ -z "$output" ]
	need_cpus
	local EVENTS INTERVAL OPTIONS
	eval "$(sed -n 's/^Environment=//p' "$FILES/opencpc-cpustat.service" | tr ' ' '\n')"
	run -0 "$CPUSTAT" -c "$EVENTS" --openmetrics="$T/x.prom" $OPTIONS 0.01 1
	[ "$INTERVAL" -gt 0 ]
}

# query EXPR: print the values of a PromQL expression, a line each.
query() {
	python3 - "$URL" "$1" <<-'END'
		import json, sys, urllib.parse, urllib.request as u
		url = sys.argv[1] + "/api/v1/query?" + urllib.parse.urlencode({"query": sys.argv[2]})
		reply = u.build_opener(u.ProxyHandler({})).open(url, timeout=20)
		print("\n".join(r["value"][1] for r in json.load(reply)["data"]["result"]))
	END
}
answers() { [ "$(query "$1")" ]; }

# listening FILE: print the address on which a program of Prometheus listens, from its messages.
listening() { sed -n 's/.*msg="Listening on" address=//p' "$1"; }

@test "prometheus: a live Prometheus has the rates of sets that take turns, and sees that cpustat was started again" {
	need_peers prometheus prometheus-node-exporter
	need python3
	need_cpus
	local cpustat n exporter
	n=$(ncpus)
	mkdir "$T/textfile" "$T/data"
	start "$T/exporter" "$PEERS/prometheus-node-exporter" --web.listen-address=127.0.0.1:0 --collector.disable-defaults \
		--collector.textfile --collector.textfile.directory="$T/textfile" --web.disable-exporter-metrics
	until_true has 'msg="Listening on" address=127' "$T/exporter.err"
	exporter=$(listening "$T/exporter.err")
	start "$T/rows" "$CPUSTAT" -c cpu-clock -c page-faults --openmetrics="$T/textfile/x.prom" --label=run=a 0.1
	cpustat=$!
	cat > "$T/prometheus.yml" <<-END
		global: {scrape_interval: 500ms, evaluation_interval: 500ms}
		rule_files: [$(realpath "$FILES")/opencpc.rules.yml]
		scrape_configs:
		  - job_name: node
		    static_configs: [{targets: ["$exporter"]}]
	END
	start "$T/prometheus" "$PEERS/prometheus" --config.file="$T/prometheus.yml" --storage.tsdb.path="$T/data" \
		--web.listen-address=127.0.0.1:0
	until_true has 'msg="Listening on" address=127' "$T/prometheus.err"
	URL=http://$(listening "$T/prometheus.err")
	# cpu-clock counts a thousand million a second on each CPU, though its set has half of the turns.
	until_true answers "instance_event:opencpc_events:rate1m{event=\"cpu-clock\",run=\"a\"} > $n * 0.9e9 < $n * 1.1e9"
	# A rate is that of a full window only after a minute, but the ratio of two is right before.
	until_true answers 'sum(instance_set:opencpc_bound:ratio1m{set="0"}) / sum(instance_set:opencpc_bound:ratio1m{set="1"}) > 0.5 < 2'
	[ -z "$(query 'resets(opencpc_samples_total[1m]) > 0')" ]
	stop_by INT "$cpustat"
	start "$T/rows" "$CPUSTAT" -c cpu-clock -c page-faults --openmetrics="$T/textfile/x.prom" --label=run=a 0.1
	cpustat=$!
	until_true answers 'resets(opencpc_samples_total{run="a"}[1m]) == 1'
	until_true answers "instance_event:opencpc_events:rate1m{event=\"cpu-clock\",run=\"a\"} > $n * 0.9e9 < $n * 1.1e9"
	# Each query of the dashboard is valid, and none has a value that is no number.
	python3 - "$FILES/opencpc-dashboard.json" > "$T/queries" <<-'END'
		import json, sys
		board = json.load(open(sys.argv[1]))
		assert len({p["id"] for p in board["panels"]}) == len(board["panels"]) >= 10
		for e in [t["expr"] for p in board["panels"] for t in p["targets"]] + [a["expr"] for a in board["annotations"]["list"]]:
		    for name, value in (("$instance", ".*"), ("$event", ".*"), ("$__rate_interval", "1m")):
		        e = e.replace(name, value)
		    print(e)
	END
	while read -r expr; do
		run -0 query "$expr"
		[[ $output != *NaN* ]] || { echo "$expr"; return 1; }
	done < "$T/queries"
	[ "$(wc -l < "$T/queries")" -ge 11 ]
	stop_by INT "$cpustat"
	lacks 'level=error' "$T/prometheus.err"
}
