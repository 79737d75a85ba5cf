# lwprec report, annotate and diff: tables and files of recordings that lwp_made makes.

bats_require_minimum_version 1.5.0

load helper

setup() {
	[ -x "$LWPREC" ] || skip 'lwprec is not built here'
	[ -x "$PROG/lwp_made" ] || skip 'the recordings are of x86-64'
	cd "$T"
	"$PROG/lwp_made" "$PROG/lwp_where" first > first
	"$PROG/lwp_made" "$PROG/lwp_where" second > second
}

# anywhere: the folders of this tree become words.
anywhere() { sed "s|$PROG|PROG|g; s|[^ ,\"()]*/test/prog/|SOURCE/|g"; }

report() { "$LWPREC" report "$@" 2> "$T/err"; }

@test "lwprec report: the text has the functions, and what the records of each event tell" {
	report first | diff "$GOLDEN/lwprec_report.text" -
	[ ! -s err ]
}

@test "lwprec report: all tables as CSV, and each line has the fields of its header" {
	report --by=all --format=csv first | anywhere | diff "$GOLDEN/lwprec_report.csv" -
	need python3
	report --by=all --format=csv first | python3 -c '
import csv, sys
rows = list(csv.reader(sys.stdin))
header = None
for row in rows:
    if row and row[0] == "view":
        header = row
    assert not row or len(row) == len(header), row
assert {row[0] for row in rows if row} == {"view", *sys.argv[1].split()}
' 'symbol function module file line ip thread core branch value source data address cacheline sharing page marker'
}

@test "lwprec report: JSON says what the numbers are, and the rows sum up to the totals" {
	need jq
	report --by=symbol --format=json first > json
	jq -se '(map(.record) | unique) == ["metric", "recording", "report", "row"]' json
	report --by=all --format=json first > all
	jq -se '(map(.record) | unique) == ["metric", "recording", "report", "row"]' all
	jq -se '.[0].schema == 1 and (map(select(.record == "metric" and .event == "ire"))[0] |
		.number == "exact counts" and .source == "simulated r10000" and .total == 4000)' json
	jq -se '(map(select(.record == "metric")) | map({(.event): .total}) | add) as $total |
		map(select(.record == "row")) | group_by(.event) |
		all((map(.count) | add) == $total[.[0].event])' json
}

@test "lwprec report: events, tables and formats that are not there are named" {
	run -125 "$LWPREC" report -e dme,nosuch first
	[[ $output == "lwprec: -e: no event 'nosuch' is in first, which has: "*dme* ]]
	# filters can leave nothing of an event that is there
	run -0 "$LWPREC" report -e dme --tid=1 first
	run -2 "$LWPREC" report --by=lines first
	[[ $output == "lwprec: --by: 'lines' is not a table; did you mean 'line'?"* ]]
	run -2 "$LWPREC" report --by=xyz first
	[[ $output == "lwprec: --by: 'xyz' is not a table; --help lists them"* ]]
	run -2 "$LWPREC" report --format=xml first
	[[ $output == "lwprec: --format: 'xml' is not text, csv, json, html, folded, speedscope, pprof or callgrind"* ]]
}

@test "lwprec report: memory that no file has is not said to be unmapped" {
	[ -x "$(dirname "$LWPREC")/../sim/cpcsim-launch" ] || skip 'the simulator is not built here'
	bounded "$LWPREC" record --quiet --engine=sim -e dme:1 -o r "$PROG/exactly"
	report --by=data --format=csv r > data
	has ',\[no file\],' data
	run ! grep 'not mapped' data
}

@test "lwprec report: -e, -n, --records and filters choose what is summed up" {
	report -e IRE --format=csv first | cut -d, -f2-4 | diff - <(printf '%s\n' event,number,count \
		'ire,exact counts,3600' 'ire,exact counts,400')
	report -e dme -n 1 --by=symbol first | grep -q '^and 1 more row with 16.67 %$'
	report -e dme -n 1 --by=symbol --format=html first | has '<p>and 1 more row with 16.67 %' -
	report -n 1 --by=branch first | has '^and 1 more row with 25.00 %$' -
	report -e dme --tid=502 --by=symbol --format=csv first | cut -d, -f4- |
		diff - <(printf '%s\n' "count,percent,symbol,module" "8,100.00,beta,$PROG/lwp_where")
	report --source=dram --by=source --format=csv first | grep -q '^source,dme,records x interval,10,100.00,10,84,148,164,164,dram$'
	report --symbol=beta --by=thread --format=csv first | grep -c '^thread,dme,' | grep -qx 1
	# Exact counts have no records.
	run ! report -e ire --records first
	grep -q "^lwprec: -e: no event 'ire' is in first, which has: ins, dme, bre, val$" err
	run ! report -e nothing first
	[ "$status" -eq 125 ]
}

@test "lwprec report: several recordings are one report" {
	report --by=symbol -e ire --format=csv first second | cut -d, -f4-6 |
		diff - <(printf '%s\n' count,percent,symbol 7100,75.53,alpha 2300,24.47,beta)
}

@test "lwprec report: --strict refuses records that stand for several events" {
	report --strict second > /dev/null
	run ! report --strict first
	[ "$status" -eq 125 ]
	report --strict -e ire,dme first > /dev/null
}

@test "lwprec report: wrong use is told, with the nearest name" {
	run -2 "$LWPREC" report --by=sybmol first
	[[ ${lines[0]} == "lwprec: --by: 'sybmol' is not a table; did you mean 'symbol'?" ]]
	run -2 "$LWPREC" report --line-size=48 first
	run -2 "$LWPREC" report --format=xml first
	run -2 "$LWPREC" diff first
	run -2 "$LWPREC" annotate first
	run -125 "$LWPREC" report nowhere
	printf 'nothing' > empty
	run -125 "$LWPREC" report empty
}

@test "lwprec report: folded stacks" {
	report --format=folded -e dme first | diff - <(printf '%s\n' 'lwp_where;alpha 40' 'lwp_where;beta 8')
	report --format=folded first > /dev/null
	grep -q '^lwprec: folded stacks are of one event, here ire; choose with -e$' err
}

@test "lwprec report: callgrind_annotate reads the file of --format=callgrind" {
	need callgrind_annotate
	report --format=callgrind -o callgrind.out first
	callgrind_annotate --threshold=100 --auto=no callgrind.out > text
	grep -Eq '^4,000 \(100.0%\)  *2 \(100.0%\)  *48 \(100.0%\)  *400 \(100.0%\)  *40 \(100.0%\)  PROGRAM TOTALS$' text
	grep -Eq '^3,600 \(90.00%\) .* 40 \(83.33%\) .*lwp_where.S:alpha \[.*/lwp_where\]$' text
}

@test "lwprec report: a decoder of protocol buffers reads the file of --format=pprof" {
	need protoc gzip
	report --format=pprof -o profile.pb.gz first
	cat > profile.proto <<-'END'
		syntax = "proto3";
		package perftools.profiles;
		message Profile {
			repeated ValueType sample_type = 1; repeated Sample sample = 2; repeated Mapping mapping = 3;
			repeated Location location = 4; repeated Function function = 5; repeated string string_table = 6;
			int64 drop_frames = 7; int64 keep_frames = 8; int64 time_nanos = 9; int64 duration_nanos = 10;
			ValueType period_type = 11; int64 period = 12; repeated int64 comment = 13; int64 default_sample_type = 14;
		}
		message ValueType { int64 type = 1; int64 unit = 2; }
		message Sample { repeated uint64 location_id = 1; repeated int64 value = 2; repeated Label label = 3; }
		message Label { int64 key = 1; int64 str = 2; int64 num = 3; int64 num_unit = 4; }
		message Mapping {
			uint64 id = 1; uint64 memory_start = 2; uint64 memory_limit = 3; uint64 file_offset = 4;
			int64 filename = 5; int64 build_id = 6; bool has_functions = 7; bool has_filenames = 8;
			bool has_line_numbers = 9; bool has_inline_frames = 10;
		}
		message Location { uint64 id = 1; uint64 mapping_id = 2; uint64 address = 3; repeated Line line = 4; bool is_folded = 5; }
		message Line { uint64 function_id = 1; int64 line = 2; }
		message Function { int64 id = 1; int64 name = 2; int64 system_name = 3; int64 filename = 4; int64 start_line = 5; }
	END
	gzip -dc profile.pb.gz | protoc --decode=perftools.profiles.Profile profile.proto > text
	lacks '^  *[0-9]*:' text
	grep -c '^sample {' text | grep -qx 5
	grep -q '^string_table: "alpha"$' text
	grep -q '^time_nanos: 1795000000000000000$' text
}

@test "lwprec report: pprof reads the file of --format=pprof" {
	need go
	go tool pprof -h 2>&1 | grep -q '^usage' || skip 'go has no pprof'
	report --format=pprof -o profile.pb.gz first
	HOME=$T go tool pprof -top -sample_index=dme profile.pb.gz > text 2> /dev/null
	grep -Eq '^ *40 83.33% 83.33% .* alpha$' text
}

@test "lwprec report: the file of --format=speedscope is as speedscope's schema says" {
	need jq
	report --format=speedscope first > json
	jq -e '."$schema" == "https://www.speedscope.app/file-format-schema.json"' json
	jq -e '.shared.frames | all(.name | type == "string")' json
	jq -e '(.shared.frames | length) as $n | .profiles | length == 5 and all(
		.type == "sampled" and .unit == "none" and .startValue == 0 and
		(.samples | length) == (.weights | length) and (.weights | add) == .endValue and
		(.samples | flatten | all(. >= 0 and . < $n)))' json
}

@test "lwprec report: the page is HTML without scripts, links and requests" {
	need python3
	report --format=html -o page.html first
	python3 - <<-'END'
		import html.parser, sys
		void = {"meta", "br", "link", "img"}
		class Page(html.parser.HTMLParser):
		    open, seen = [], set()
		    def handle_starttag(self, tag, attrs):
		        assert tag not in {"script", "link", "img", "iframe", "object", "a", "use", "image"}, tag
		        assert not {name for name, _ in attrs} & {"src", "href", "xlink:href", "style"}, attrs
		        self.seen.add(tag)
		        if tag not in void:
		            self.open.append(tag)
		    def handle_endtag(self, tag):
		        assert self.open.pop() == tag, tag
		page = Page()
		text = open("page.html", encoding="utf-8").read()
		page.feed(text)
		assert not page.open and {"svg", "rect", "table"} <= page.seen
		assert "url(" not in text and "@import" not in text
		assert text.count("<svg") == 11, text.count("<svg")
	END
	grep -q 'Heat map of pages of data over time' page.html
}

@test "lwprec report: a headless browser shows the page" {
	need chromium
	report --format=html -o page.html first
	bounded chromium --headless --no-sandbox --disable-gpu --user-data-dir="$T/chromium" --dump-dom \
		"file://$T/page.html" > dom 2> err || skip 'chromium does not run here'
	grep -q '<svg' dom
	grep -q '>alpha</text>' dom
}

@test "lwprec annotate: source lines with counts, and without the source" {
	"$LWPREC" annotate first alpha | anywhere | diff "$GOLDEN/lwprec_annotate.text" -
	"$LWPREC" annotate --format=csv -e ire,dme first alpha | anywhere | diff - <(printf '%s\n' \
		view,event,number,count,percent,file,line,inlined \
		'annotate,ire,exact counts,600,16.67,SOURCE/lwp_where.S,10,' \
		'annotate,ire,exact counts,3000,83.33,SOURCE/lwp_where.S,12,' \
		'annotate,dme,records x interval,40,100.00,SOURCE/lwp_where.S,12,')
	run -125 "$LWPREC" annotate first alhpa
	[[ ${lines[0]} == "lwprec: no events of a function 'alhpa' are in first; did you mean 'alpha'?" ]]
}

@test "lwprec annotate: --sources names a folder of source files that have moved" {
	cp "$BATS_TEST_DIRNAME/prog/lwp_where.S" where.S
	"${CC:-cc}" -g -nostdlib -static -no-pie -Wl,--build-id=none,-Tdata=0x404000 -o where "$T/where.S"
	"$PROG/lwp_made" "$T/where" first > first
	# named FOLDER: print the line of the function's first instruction.
	named() { "$LWPREC" annotate -e ire --sources="$1" first alpha | grep '  10  '; }
	[[ $(named "$T/elsewhere") == *' nop' ]]
	mkdir -p "elsewhere/${T##*/}"
	mv where.S elsewhere
	[[ $(named "$T/elsewhere") == *' nop' ]]
	mv elsewhere/where.S "elsewhere/${T##*/}"
	[[ $(named "$T/elsewhere") == *' nop' ]]
	rm "elsewhere/${T##*/}/where.S"
	[[ $(named "$T/elsewhere") != *' nop' ]]
}

@test "lwprec diff: functions by change, in text, CSV and JSON" {
	"$LWPREC" diff -e ire first second | diff - <(printf '%s\n' '' \
		'ire by symbol: before 4000 (exact counts, simulated r10000), after 5400 (exact counts, simulated r10000)' \
		'before  after  change  change %  symbol  module' \
		'   400   1900   +1500    375.00  beta    lwp_where' \
		'  3600   3500    -100     -2.78  alpha   lwp_where')
	"$LWPREC" diff --format=csv first second | diff - <(printf '%s\n' \
		view,event,number_before,number_after,before,after,change,change_percent,symbol,module \
		'diff,ire,exact counts,exact counts,400,1900,+1500,375.00,beta,lwp_where' \
		'diff,ire,exact counts,exact counts,3600,3500,-100,-2.78,alpha,lwp_where')
	need jq
	"$LWPREC" diff --format=json first second | jq -se 'map(.change) == [1500, -100]'
	# No event is in both.
	"$PROG/lwp_rings" self > self
	run -125 "$LWPREC" diff -e ire second self
	run -125 "$LWPREC" diff second self
	[ "$output" = 'lwprec: second and self cannot be compared: no event is in both' ]
}

@test "lwprec: names of C++ are shown as in the source, or with --mangled as the linker has them" {
	need objcopy
	cp "$PROG/lwp_where" where
	"$PROG/lwp_made" "$T/where" second > third
	"$PROG/lwp_made" "$T/where" first > first
	objcopy --redefine-sym alpha=_Z5alphav where
	# names OPTION...: the names of the functions that lwprec prints.
	names() { grep -o '_Z5alphav\|alpha()' | sort -u; }
	local option name
	for option in '' --mangled; do
		name=$([ "$option" ] && echo _Z5alphav || echo 'alpha()')
		[ "$("$LWPREC" decode $option -F symbol first | names)" = "$name" ]
		[ "$("$LWPREC" report $option -e ire --format=csv first | names)" = "$name" ]
		[ "$("$LWPREC" diff $option --format=csv first third | names)" = "$name" ]
		"$LWPREC" annotate $option first "$name" > annotated
	done
	run -125 "$LWPREC" annotate first _Z5alphav
}

@test "lwprec decode: the file and the line of each record" {
	"$LWPREC" decode --quiet -n --format=csv -F file,line,symbol first | anywhere | sort | uniq -c | sed 's/^ *//' |
		diff - <(printf '%s\n' '1 SOURCE/lwp_where.S,10,alpha' '40 SOURCE/lwp_where.S,12,alpha' \
			'40 SOURCE/lwp_where.S,14,alpha' '41 SOURCE/lwp_where.S,22,beta' '8 SOURCE/lwp_where.S,24,beta')
}

@test "lwprec report: what the recordings lack is reported, and text that cannot be written" {
	"$PROG/lwp_rings" recording > rings
	run -0 "$LWPREC" report -o out rings
	[[ $output == *'lwprec: rings: 2 events were missed: their rings were full'* ]]
	[[ $output == *'lwprec: rings: 4 records are missing: the file is cut short'* ]]
	run -125 "$LWPREC" report --quiet --strict -o out rings
	"$PROG/lwp_rings" raw 0 > none
	run -0 "$LWPREC" report --raw -o out none
	[ "$output" = 'lwprec: there are no records in none' ]
	"$LWPREC" report --raw --format=html none 2> err | has '<title>lwprec report</title>' -
	run -125 "$LWPREC" report --raw -e ire none
	[ "$output" = "lwprec: -e: no event 'ire' is in none" ]
	run -125 "$LWPREC" report -o /dev/full first
	[ "$output" = 'lwprec: cannot write to /dev/full: No space left on device' ]
}

@test "lwprec report: --format=pprof is not written to a terminal" {
	needs_terminal
	run -2 "$PROG/ptyrun" -- "$LWPREC" report --format=pprof first
	[[ $output == *'--format=pprof makes a file that is not text; name it with -o'* ]]
}
