# cpcreport --by: the files of thousands of ranks give what a program that knows their values has computed.

bats_require_minimum_version 1.5.0
load helper

setup() { cd "$T"; }

# known BY RANKS TOTALS GAP: $output and $stderr are what the values of prog/fleet give, which are computed here again.
known() {
	printf '%s\n' "$output" > output
	printf '%s\n' "$stderr" > errors
	python3 - "$@" <<-'END'
		import json, statistics, sys
		by, (ranks, totals, gap) = sys.argv[1], map(int, sys.argv[2:])

		def value(rank, i, event):
		    x = rank * 1000003 + i * 7919 + event * 104729
		    return ((x * 6364136223846793005 + 1442695040888963407) % 2**64) >> 44

		rows = [json.loads(line) for line in open("output")]
		assert [r["event"] for r in rows] == ["page-faults", "task-clock"], rows
		for event, row in enumerate(rows):
		    sums = {}
		    for rank in range(ranks):
		        if rank % gap != gap - 1:
		            key = str(rank) if by == "rank" else f"node{rank // 64}"
		            sums[key] = sums.get(key, 0) + sum(value(rank, i, event) for i in range(totals))
		    values = sums.values()
		    known = {
		        "by": by, "keys": len(sums), "without": 0, "sum": sum(values), "min": min(values), "max": max(values),
		        "median": statistics.median(values), "min_at": min(sums, key=sums.get), "max_at": max(sums, key=sums.get),
		        "imbalance": round(max(values) / statistics.mean(values), 6), "class": "exact"}
		    assert {k: row[k] for k in known} == known, (row, known)
		missing = [str(r) for r in range(gap - 1, ranks, gap)]
		notes = [f"cpcreport: {len(missing)} of {ranks} ranks have no run: " + ", ".join(missing[:10] + ["..."])]
		if by == "rank":
		    assert open("errors").read().splitlines() == notes, open("errors").read()
	END
}

# joined RANKS: the files of so many ranks, but every 97th, joined by rank and by host.
joined() {
	local by
	for by in rank host; do
		run -0 --separate-stderr "$CPCREPORT" --by=$by --format=json files/*
		known $by "$1" "$2" 97
	done
}

@test "cpcreport --by: the sums, medians and imbalance of thousands of files, and the ranks that are missing" {
	local ranks=2000
	[ -z "${LONG-}" ] || ranks=40000
	mkdir files
	"$PROG/fleet" files $ranks 6 totals 97
	python3 "$BATS_TEST_DIRNAME/records.py" files/r.0.json
	joined $ranks 4
	rm -r files
	mkdir files
	"$PROG/fleet" files $ranks 6 samples 97
	python3 "$BATS_TEST_DIRNAME/records.py" files/r.0.json
	joined $ranks 1
	# A gap is accepted only without --strict.
	run -125 "$CPCREPORT" --by=rank --strict files/*
}

@test "cpcreport --by: the memory does not depend on the number of records" {
	[ -z "${SANITIZE-}" ] || skip "the sanitizers need much memory"
	"$PROG/fleet" . 1 100000 totals
	[ "$(stat -c %s r.0.json)" -gt 50000000 ]
	run -0 --separate-stderr bash -c 'ulimit -v 40000 && exec "$0" --by=rank --format=json --strict r.0.json' "$CPCREPORT"
	[ -z "$stderr" ]
}

@test "cpcreport: a line without an end is refused, however long it is" {
	run -125 "$CPCREPORT" --by=rank - < <(printf '{'; head -c 268435456 /dev/zero)
	has "cannot read '-': line 1 is longer than 256 MiB" - <<< "$output"
	run -125 "$CPCREPORT" --by=rank - < <(printf '\n{'; head -c 1000000 /dev/zero)
	has "cannot read '-': line 2 is cut off: the file ends in the middle of it" - <<< "$output"
}
