#!/usr/bin/env python3
"""judged.py FILE [full]: how often comparisons show a difference, by their own verdicts and by the rules of other tools.

FILE has the lines "NAME RECORD" of bench/repeat, in which NAME "slower" is a comparison with a difference of 5 %. The
rule of hyperfine: one command "ran x times faster than the other", x - s > 1, where s is the error that it prints with x.
The rule of perf stat -r: the two means with their errors, as it prints them, do not overlap. With "full" the goals are
judged: at most 7.5 % of comparisons show a difference that is not there, at least 80 % one of 5 %."""
import json
import math
import statistics
import sys

EVENTS = ("task-clock", "elapsed")
TOOLS = ("verdict", "hyperfine", "perf stat")


def by_hyperfine(a, b):
    m, n = statistics.mean(a), statistics.mean(b)
    ratio = max(m, n) / min(m, n)
    error = ratio * math.hypot(statistics.stdev(a) / m, statistics.stdev(b) / n)
    return ratio - error > 1


def by_perf(a, b):
    errors = [statistics.stdev(v) / math.sqrt(len(v)) for v in (a, b)]
    return abs(statistics.mean(a) - statistics.mean(b)) > sum(errors)


def read(path):
    """Yields the name, the two series and the comparison of each comparison."""
    series = {}
    for line in open(path, encoding="utf-8"):
        name, text = line.split(" ", 1)
        record = json.loads(text)
        if record["record"] == "series":
            series[record["series"]] = {e["name"]: e["values"] for e in record["events"]}
        elif record["record"] == "comparison":
            yield name, series[record["reference"]], series[record["candidate"]], record


def shown(a, b, record, only_more):
    """Returns for each event and each tool whether a difference is shown; with only_more, that B takes more."""
    words = ("more",) if only_more else ("less", "more")
    verdicts = {e["name"]: e["verdict"] in words for e in record["events"]}
    result = {}
    for event in EVENTS:
        x, y = a[event], b[event]
        counts = not only_more or statistics.mean(y) > statistics.mean(x)
        result[event] = dict(zip(TOOLS, (verdicts[event], counts and by_hyperfine(x, y), counts and by_perf(x, y))))
    return result


class Row:
    def __init__(self):
        self.n, self.pairs = 0, 0
        self.hits = {(e, t): 0 for e in EVENTS + ("either",) for t in TOOLS}

    def add(self, result, pairs):
        self.n += 1
        self.pairs += pairs
        for t in TOOLS:
            for e in EVENTS:
                self.hits[e, t] += result[e][t]
            self.hits["either", t] += any(result[e][t] for e in EVENTS)

    def percent(self, event, tool):
        return 100 * self.hits[event, tool] / self.n

    def put(self, name):
        cells = "".join(f"{self.percent(e, t):9.1f}" for t in TOOLS for e in EVENTS + ("either",))
        print(f"{name:12}{self.n:5}{self.pairs / self.n:7.1f}{cells}")


def goal(words, value, is_met):
    print(f"{words:64} {value:5.1f} %  {'met' if is_met else 'not met'}")


def main():
    rows, alike = {}, Row()
    for name, a, b, record in read(sys.argv[1]):
        result = shown(a, b, record, name == "slower")
        rows.setdefault(name, Row()).add(result, record["pairs"])
        if name != "slower":
            alike.add(result, record["pairs"])
    print("comparisons that show a difference, %")
    print(" " * 24 + "".join(f"{t:>27}" for t in TOOLS))
    print(f"{'':12}{'n':>5}{'pairs':>7}" + f"{'task-clk':>9}{'elapsed':>9}{'either':>9}" * len(TOOLS))
    slower = rows.pop("slower")
    for name, row in rows.items():
        row.put(name)
    alike.put("all alike")
    slower.put("5 % slower")
    if sys.argv[2:] == ["full"]:
        either = alike.percent("either", "verdict")
        goal("a difference that is not there, in either event: at most 7.5 %", either, either <= 7.5)
        found = slower.percent("task-clock", "verdict")
        goal("gzip of a text that is 5 % longer, task-clock: at least 80 %", found, found >= 80)


main()
