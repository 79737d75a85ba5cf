# cpcreport --format=html: a page with tables and charts that shows in a browser what CSV says.

bats_require_minimum_version 1.5.0
load helper

setup() { cd "$T"; }

check() { python3 "$BATS_TEST_DIRNAME/page.py" "$@"; }

# measure NAME OPTION... COMMAND: write the runs to NAME.json and NAME.csv.
measure() {
	local name=$1
	shift
	"$CPUTRACK" --quiet -c page-faults,task-clock --format=csv -o "$name.csv" --save="$name.json" "$@" > /dev/null
}

# hostile: write hostile.json, whose commands and events have markup.
hostile() {
	local name='</script><script>alert(1)</script>'
	printf '#!/bin/sh\n' > "${name//\//_}"
	chmod +x "${name//\//_}"
	measure hostile --repeat=8 --vs="sh -c ': \"</svg><b onclick=alert(1)>\" &amp; $'" "./${name//\//_}" $'a\033[31m\x80\u202e<!--'
	jq -c 'if .events then .events[0].name = "<img src=x onerror=alert(1)>" else . end' hostile.json > names.json
}

@test "page: the numbers are those of CSV, and the page needs nothing else" {
	measure one --repeat=12 ls /
	measure two --repeat=10 --vs=true ls /
	measure three --repeat=8 --vs=true --vs='ls /' --confidence=99 false || [ $? -eq 1 ]
	"$CPCREPORT" --format=html -o page.html one.json two.json three.json
	check complete page.html
	check numbers page.html one.csv two.csv three.csv
	grep -q '<title>ls /</title>' page.html
	[ "$(grep -c '<section>' page.html)" -eq 3 ]
	# Two charts of each event; and, but for the first, a line for each change.
	[ "$(grep -c 'svg class="runs"' page.html)" -eq 9 ]
	[ "$(grep -c 'svg class="boxes"' page.html)" -eq 9 ]
	[ "$(grep -c 'svg class="change"' page.html)" -eq 9 ]
	# Each value is a point.
	[ "$(grep -c '<title>run 1: ' page.html)" -eq $((3 + 6 + 9)) ]
	[ "$(sed -n 's/.*<title>run [0-9]*: \([0-9]*\)<.*/\1/p' page.html | head -n 12 | tr '\n' ' ')" = "$(jq -r 'select(.record == "series") | .events[0].values[]' one.json | tr '\n' ' ')" ]
	grep -q "<dt>host</dt><dd>$(hostname)</dd>" page.html
}

@test "page: limits have their results and lines, of --limit or as the run has judged them" {
	measure pairs --repeat=10 --vs=true --limit=page-faults=5%,task-clock=900% ls / || [ $? -eq 3 ]
	run -3 "$CPCREPORT" --format=html --limit=page-faults=5%,task-clock=900% -o page.html pairs.json
	check complete page.html
	check numbers page.html pairs.csv
	grep -qx '<p class="result bad">1 of 2 limits exceeded, 0 unsure</p>' page.html
	grep -qx '<p>Against <code>true</code></p>' page.html
	grep -q '^<tr><td><strong>FAIL</strong></td><th scope="row">page-faults</th>.*<td class="n">5 %</td>' page.html
	# A limit that is too far away for the chart is in words alone.
	[ "$(grep -c '<path class="limit"' page.html)" -eq 1 ]
	grep -q 'aria-label="page-faults: change .*, limit 5 %"' page.html
	grep -q 'aria-label="task-clock: change .*, limit 900 %"' page.html
	"$CPCREPORT" --format=html -o page.html pairs.json
	check complete page.html
	[ "$(grep -c '<path class="limit"' page.html)" -eq 1 ]
	grep -qx '<tr><td><strong>FAIL</strong></td><th scope="row">page-faults</th><td class="n">5 %</td><th scope="row">true</th></tr>' page.html
	run -125 "$CPCREPORT" --quiet --format=html --limit=page-faults=5% -o page.html <(grep -v '"record":"end"' pairs.json)
	grep -qx '<p class="result bad">not gated</p>' page.html
}

@test "page: the comparison with saved runs has a table and a chart, and the numbers of CSV" {
	"$CPUTRACK" --engine=sim -n -T 0 -o try -c instructions true 2> /dev/null || skip 'the simulator is not built here'
	local options='--quiet --engine=sim --repeat=3 -c instructions,branches'
	"$CPUTRACK" $options --save=old.json -o table sh -c :
	sed 's/"values":\[[0-9]*,[0-9]*,[0-9]*\]/"values":[1000,1000,1000]/' old.json > less.json
	"$CPUTRACK" $options --baseline=less.json --limit=instructions=900% --format=csv -o new.csv --save=new.json sh -c : || [ $? -eq 3 ]
	run -3 "$CPCREPORT" --quiet --baseline=less.json --limit=instructions=900% --format=html -o page.html new.json
	check complete page.html
	check numbers page.html new.csv
	grep -qx '<p>Against <code>less.json</code></p>' page.html
	grep -q '<th scope="col" class="n">saved</th><th scope="col" class="n">now</th>' page.html
	grep -q 'Change from the saved runs to the new ones' page.html
	[ "$(grep -c 'svg class="change"' page.html)" -eq 2 ]
}

@test "page: the facts of the machine, the labels, and what makes the values doubtful" {
	measure pairs --repeat=6 --vs=true --label=team=perf,night --label='x=<b>' ls /
	jq -c 'if .record == "run" then .governor = "powersave" | .turbo = true
		elif .series == 1 then .warnings = [{id: "steal", event: null}, {id: "shared", event: null}, {id: "later", event: null}]
		else . end' pairs.json > facts.json
	"$CPCREPORT" --format=html -o page.html facts.json
	check complete page.html
	grep -qx '<dt>labels</dt><dd>team=perf,night, x=&lt;b&gt;</dd>' page.html
	grep -qx '<dt>governor</dt><dd>powersave</dd>' page.html
	grep -qx '<dt>turbo</dt><dd>on</dd>' page.html
	grep -qx "<dt>kernel</dt><dd>$(uname -r)</dd>" page.html
	local hash size
	hash=$(jq -rs '[.[] | select(.record == "series") | .program_hash] | "A \(.[0]), B \(.[1])"' pairs.json)
	size=$(jq -rs '[.[] | select(.record == "series") | .start_bytes] | "A \(.[0]) bytes, B \(.[1]) bytes"' pairs.json)
	grep -qx "<dt>hash of the program</dt><dd>$hash</dd>" page.html
	grep -qx "<dt>arguments and environment</dt><dd>$size</dd>" page.html
	grep -qx '<p>Note about B: the host of this virtual machine took .*: times vary with it</p>' page.html
	grep -qx '<p>Note about B: the command waited for a CPU .*</p>' page.html
	[ "$(grep -c '<p>Note about B' page.html)" -eq 2 ]
}

@test "page: values that are far away do not flatten a chart, and are marked and listed" {
	measure pairs --repeat=8 --vs=true true
	jq -c 'if .record == "series" then .events[0].values = [100, 101, 102, 103, 104, 105, 106, 107] else . end |
		if .series == 1 then .events[0].values[3] = 9000 | .events[0].values[6] = 2 else . end' pairs.json > far.json
	"$CPCREPORT" --format=html -o page.html far.json
	check complete page.html
	grep -qx '<p class="beyond">Beyond the axis: run 4 of B: 9000, run 7 of B: 2</p>' page.html
	grep -qx '<path class="beyond" d="M437.5 0.0v60.0"><title>run 4: 9000</title></path>' page.html
	grep -qx '<path class="beyond" d="M812.5 1000.0v-60.0"><title>run 7: 2</title></path>' page.html
	# The other values have an axis of their own.
	sed -n '/<figcaption>page-faults</,/<svg/p' page.html | grep -q '>100</span>.*>108</span>'
	# Without such values nothing is marked, and counts that are alike but for one have it on the axis.
	jq -c 'if .record == "series" then .events[0].values = [100, 101, 102, 103, 104, 105, 106, 117] else . end' pairs.json > near.json
	"$CPCREPORT" --format=html near.json | grep -A 12 '<figcaption>page-faults<' > page.html
	! grep -q beyond page.html
	jq -c 'if .record == "series" then .events[0].values = [100, 100, 100, 100, 100, 100, 100, 117] else . end' pairs.json > near.json
	"$CPCREPORT" --format=html near.json | grep -A 12 '<figcaption>page-faults<' > page.html
	! grep -q beyond page.html
}

@test "page: a recording has what each process or CPU has counted, and its samples over time" {
	"$CPUTRACK" --quiet -T 0.05 -f -c page-faults,task-clock --format=json -o rows.json sh -c 'sleep 0.3; ls /; sleep 0.1' > /dev/null
	"$CPCREPORT" --format=html rows.json > page.html
	check complete page.html
	grep -q '<h3>Over time</h3>' page.html
	grep -q 'aria-label="task-clock of [0-9]*/1 sh over time, [0-9.]* .. [0-9.]* [mun]s in an interval"' page.html
	# The totals of each process are those of the records.
	python3 - rows.json page.html <<-'END'
		import json, re, sys
		records = [json.loads(line) for line in open(sys.argv[1])]
		want = {(r['pid'], v['name'], v['value']) for r in records if r.get('scope') == 'process' for v in r.get('values', [])}
		rows = re.findall(r'<tr><th scope="row">(.*?)</th><th scope="row">(.*?)</th><td>.*?</td><td class="n">(.*?)</td>', open(sys.argv[2]).read())
		got = {(int(who.split()[0]), event, int(value.replace(',', ''))) for who, event, value in rows}
		assert got and got <= want, (got, want)
	END
	"$CPUTRACK" --quiet -T 0 -c page-faults --format=json -o none.json true
	"$CPCREPORT" --format=html none.json > page.html
	grep -q '</html>' page.html
	! grep -q '<svg' page.html
	# The records of a thread, whose run has its first record in another file.
	"$PERFEX" --quiet -mp --format=json -o threads -e page-faults sh -c 'ls /; :' > /dev/null
	"$CPCREPORT" --format=html threads threads.* > page.html
	grep -q '</html>' page.html
}

# samples LWPS TICKS GAP: write rows.json, with samples of so many LWPs in so many intervals; LWP n counts n each time, but
# in the interval GAP nothing was available.
samples() {
	"$CPUTRACK" --quiet -T 0.05 -c page-faults --format=json -o run.json true
	python3 - "$@" <<-'END'
		import json, sys
		lwps, ticks, gap = map(int, sys.argv[1:])
		run, total, end = [json.loads(line) for line in open('run.json')]
		records = [run]
		for t in range(1, ticks + 1):
		    for n in range(1, lwps + 1):
		        value = {'pic': 0, 'name': 'page-faults', 'mode': 'user', 'unit': '1', 'value': n, 'count': n, 'enabled_ns': 50000000,
		                 'running_ns': 50000000, 'class': 'exact', 'note': None}
		        if t == gap:
		            value.update({'value': None, 'count': 0, 'running_ns': 0, 'class': 'unavailable'})
		        records.append({'schema': run['schema'], 'record': 'sample', 'run': run['run'], 'time_ns': t * 50000000,
		                        'unix_ns': run['start_unix_ns'] + t * 50000000, 'scope': 'lwp', 'pid': 7, 'lwp': n, 'tid': 6 + n, 'name': 'p',
		                        'what': 'tick', 'set': 0, 'tsc': None, 'values': [value]})
		records.append(dict(total, time_ns=(ticks + 1) * 50000000))
		records.append(dict(end, records=len(records) + 1, time_ns=(ticks + 1) * 50000000))
		with open('rows.json', 'w') as f:
		    f.writelines(json.dumps(r, separators=(',', ':')) + '\n' for r in records)
	END
	"$CPCREPORT" --format=html rows.json > page.html
	check complete page.html
}

@test "page: samples over time have gaps where nothing was available, and say what is left out or averaged" {
	samples 1 9 5
	# An area before the gap, and one behind.
	[ "$(grep -c 'class="area"' page.html)" -eq 1 ]
	[ "$(grep -o 'class="area" d="[^"]*"' page.html | grep -o 'V1000Z' | wc -l)" -eq 2 ]
	lacks 'A step is the mean' page.html && lacks 'not drawn' page.html
	samples 1 9 0
	[ "$(grep -o 'class="area" d="[^"]*"' page.html | grep -o 'V1000Z' | wc -l)" -eq 1 ]
	# The LWPs that have counted most are drawn.
	samples 67 3 0
	has '<p>3 more with smaller sums are not drawn.</p>' page.html
	[ "$(grep -c 'class="area"' page.html)" -eq 64 ]
	has 'page-faults of 7/67 ' page.html && has 'page-faults of 7/4 ' page.html && lacks 'page-faults of 7/3 ' page.html
	samples 1 300 0
	has 'What was counted in each interval of 0.05 s. A step is the mean of 2 intervals.' page.html
}

# by_function NAME TURNS ONLY OPTION...: simulate the program NAME with a function of so many turns, and a second one
# unless ONLY is 0.
by_function() {
	local name=$1
	cat > prog.c <<-'END'
		#define WORK(name, n) __attribute__((noinline, noclone)) void name(void) { for (volatile int i = 0; i < (n); i++) ; }
		WORK(sort_run, SORT)
		WORK(only, ONLY)
		int main(void) { sort_run(); if (ONLY) only(); return 0; }
	END
	"${CC:-cc}" -O1 -DSORT="$2" -DONLY="$3" -o "$name" prog.c
	[ $# -eq 3 ] || "$CPUTRACK" --quiet --reproducible=v1 --where -c instructions,branches "${@:4}" "./$name"
}
needs_functions() {
	[ -x "$LWPREC" ] || skip 'this build reads no symbols'
	"$CPUTRACK" --engine=sim -n -T 0 -o try -c instructions true 2> /dev/null || skip 'the simulator is not built here'
}

# row NAME A B CHANGE NOTE: page.html has a row of this function, whose cells match these patterns.
row() { grep -qx "<tr><th scope=\"row\">$1</th><td class=\"n\">$2</td><td class=\"n\">$3</td><td class=\"n\">$4</td><td>$5</td></tr>" page.html; }

@test "page: the functions that differ have a table for each event, and the numbers of CSV" {
	needs_functions
	by_function old 20000 0
	by_function new 20600 100 --repeat=3 --vs=./old --save=pairs.json --format=csv -o pairs.csv
	"$CPCREPORT" --format=html -o page.html pairs.json
	check complete page.html
	check numbers page.html pairs.csv
	[ "$(sed -n 's/.*<h4>\(.*\)<.*/\1/p' page.html | tr '\n' ' ')" = 'instructions (user) branches (user) ' ]
	row sort_run 120,005 123,605 '+1\.[0-9]* %' ''
	row only 0 605 '+0\.[0-9]* %' 'only in B'
	row 'all functions' '[0-9]*,[0-9]*' '[0-9]*,[0-9]*' '+[0-9.]* %' ''
	[ "$(grep -c '^<tr>.*>sort_run<.*<td></td></tr>$' page.html)" -eq 2 ]
	! grep -q '<p>A is ' page.html
	# Of several references the page says which one the table is about.
	by_function new 20600 100 --repeat=3 --vs=./old --vs='./old 2' --save=three.json --format=csv -o three.csv
	"$CPCREPORT" --format=html -o page.html three.json
	check complete page.html
	check numbers page.html three.csv
	[ "$(sed -n '/<h3>Functions/,/<h3>Runs/s/.*<p>A is \(.*\)<.p>/\1/p' page.html | tr '\n' ' ')" = 'A1, <code>./old</code> A2, <code>./old 2</code> ' ]
}

@test "page: the functions that differ from saved runs, and those of one command" {
	needs_functions
	by_function prog 20000 100 --save=base.json -o out
	by_function prog 20600 0 --save=new.json -o out
	"$CPCREPORT" --quiet --baseline=base.json --format=csv -o new.csv new.json
	"$CPCREPORT" --quiet --baseline=base.json --format=html -o page.html new.json
	check complete page.html
	check numbers page.html new.csv
	[ "$(sed -n '/<h3>Functions/,/<h3>Runs/p' page.html | grep -cx '<p>Against <code>base.json</code></p>')" -eq 1 ]
	grep -q '<th scope="col">function</th><th scope="col" class="n">saved</th><th scope="col" class="n">now</th>' page.html
	row sort_run 120,005 123,605 '+[0-9.]* %' ''
	row only 605 0 '-[0-9.]* %' 'only saved'
	"$CPCREPORT" --format=csv -o base.csv base.json
	"$CPCREPORT" --format=html -o page.html base.json
	check complete page.html
	check numbers page.html base.csv
	grep -qx '<tr><th scope="row">sort_run</th><td class="n">120,005</td><td class="n">[0-9.]* %</td></tr>' page.html
	# Ten functions have a row, the others one, and all of them.
	[ "$(sed -n '/<h3>Functions/,/<h3>Runs/p' page.html | grep -c '^<tr>')" -eq 24 ]
	# A file without counts by function has no table of them.
	jq -c 'select(.record != "function")' base.json > none.json
	"$CPCREPORT" --format=html none.json > page.html
	check complete page.html
	! grep -q Functions page.html
	# Names of functions are text from outside.
	jq -c 'if .function == "sort_run" then .function = "<script>\u001b[31m&\u202e" | .module = "</table>" else . end' base.json > names.json
	"$CPCREPORT" --format=html names.json > page.html
	check complete page.html
	grep -q '<th scope="row">&lt;script&gt;?\[31m&amp;? (&lt;/table&gt;)</th>' page.html
	! LC_ALL=C grep -q $'[\001-\010\013-\037]' page.html
}

@test "page: text from outside is text" {
	hostile
	"$CPCREPORT" --format=html hostile.json > page.html
	check complete page.html
	"$CPCREPORT" --format=html names.json > page.html
	check complete page.html
	grep -q '&lt;img src=x onerror=alert(1)&gt;' page.html
	! grep -q '<b onclick' page.html
	! LC_ALL=C grep -q $'[\001-\010\013-\037]' page.html
}

@test "page: a file that cannot be read to its end gives a whole page" {
	measure one --repeat=5 true
	{ cat one.json; echo '{"schema":2'; } > bad
	run -125 "$CPCREPORT" --quiet --format=html -o page.html bad
	check complete page.html
	: > empty
	run -125 "$CPCREPORT" --format=html -o page.html empty
	grep -q '</html>' page.html
}

# browse OPTION...: run the browser on page.html; nothing may be written to its console. Skips the test if it does not run.
browse() {
	bounded chromium --headless --no-sandbox --disable-gpu --hide-scrollbars --enable-logging=stderr --user-data-dir="$T/chromium" \
		"$@" "file://$T/page.html" 2> err || skip "the browser does not run here: $(tail -n 1 err)"
	! grep ':CONSOLE' err
}

@test "page: a headless browser shows the page, with the numbers of CSV and nothing on its console" {
	need chromium
	measure two --repeat=10 --vs=true ls /
	"$CPCREPORT" --format=html -o page.html two.json
	browse --dump-dom > dom
	sed 's/<path\([^>]*\)><\/path>/<path\1\/>/g' dom > dom.html
	check numbers dom.html two.csv
	browse --screenshot="$T/wide.png" --window-size=1000,1200
	check picture wide.png 1000 1200
	browse --screenshot="$T/narrow.png" --window-size=500,1200 --blink-settings=preferredColorScheme=0
	check picture narrow.png 500 1200
}

@test "page: a headless browser shows limits and values far away, narrow and in the dark" {
	need chromium
	measure pairs --repeat=8 --vs=true --limit=page-faults=5% ls / || [ $? -eq 3 ]
	jq -c 'if .series == 1 then .events[1].values[3] = 910000000 else . end' pairs.json > far.json
	run -3 "$CPCREPORT" --format=html --limit=page-faults=5% -o report.html far.json
	grep -q '<p class="beyond">Beyond the axis: .*\<run 4 of B: \(910[.0]* ms\|910000[.0]* us\)' report.html
	# A window of the browser has at least 500 pixels; a frame can have fewer.
	echo '<!DOCTYPE html><title>frame</title><link rel="icon" href="data:,"><iframe src="report.html" width="400" height="1500"></iframe>' > page.html
	browse --screenshot="$T/dark.png" --window-size=500,1600 --blink-settings=preferredColorScheme=0
	check picture dark.png 500 1600
	cp report.html page.html
	browse --dump-dom > dom
	grep -q '<p class="result bad">1 of 1 limit exceeded, 0 unsure</p>' dom
	"$CPCREPORT" --quiet --format=csv --limit=page-faults=5% far.json > far.csv || [ $? -eq 3 ]
	sed 's/<path\([^>]*\)><\/path>/<path\1\/>/g' dom > dom.html
	check numbers dom.html far.csv
}

@test "page: a headless browser runs nothing of a hostile name" {
	need chromium
	hostile
	"$CPCREPORT" --format=html -o page.html names.json
	browse --dump-dom > dom
	! grep -Eiq '<(script|img)|<b onclick' dom
	grep -q '&lt;img src=x onerror=alert(1)&gt;' dom
}

@test "page: many runs are points without words, far values are listed in part, and series without pairs stand alone" {
	python3 - > made.json <<-'END'
		import json
		def put(kind, **members):
		    print(json.dumps({"schema": 2, "record": kind, "run": "x", **members}))
		def series(number, command, name, values):
		    put("series", series=number, command=command, events=[{"name": name, "kind": "noisy", "class": "exact", "values": values}])
		put("run", tool="cputrack", engine="kernel", sets=[])
		series(0, "many", "faults", [100 + i % 7 for i in range(400)] + [10**6 + i for i in range(15)])
		series(1, "few", "misses", [7, 8, 9, 10])
		put("end", provisional=False)
	END
	"$CPCREPORT" --format=html -o page.html made.json
	check complete page.html
	# Of 415 runs no point has a title; of 4 each has one.
	[ "$(grep -c '<title>run 1: ' page.html)" -eq 1 ]
	grep -q '<p class="beyond">Beyond the axis: run 401: .*, and 3 more</p>' page.html
	[ "$(grep -c 'svg class="runs"' page.html)" -eq 2 ]
	grep -q '<p>many</p>' page.html
}
