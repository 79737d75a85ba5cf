"""The commands that test/faults/run makes fail, and the normal forms of their outputs."""
import collections
import json
import re


# Normal forms of outputs: what must be the same in each right run.

def text_rows(text):
    """Rows without times and process ids."""
    text = re.sub(r"(?m)^ *[\d.]+ +\d+ ", "", text)
    return sorted(re.sub(r"# \d+", "#", text).splitlines())


def text_report(text):
    return sorted(re.sub(r"(Thread|process) \d+", r"\1", text).splitlines())


def shape(text):
    """Words and zeros, but no other numbers."""
    text = re.sub(r"\d+(\.\d+)?", lambda m: "0" if m[0] == "0" else "N", text)
    return sorted(re.sub(r" +", " ", line) for line in text.splitlines())


def plain(text):
    return text


def values(least, text):
    """The values of the records, or whether they are more than least if it is not None; and what ran."""
    rows = []
    for line in text.splitlines():
        r = json.loads(line)
        if r["record"] == "run":
            rows.append([r.get("command")])
        for v in r.get("values") or []:
            value = v["value"] if least is None or v["value"] is None else v["value"] > least
            rows.append([r.get("scope"), r.get("what"), r.get("lwp"), v["name"], value, v["class"]])
    return sorted(json.dumps(row) for row in rows)


def hits_json(text):
    return values(None, text)


def sim_json(text):
    """Programs that print process ids run some instructions more or less, of thousands."""
    return values(10000, text)


def time_json(text):
    return values(100, text)


def cgroup_json(text):
    """As time_json(). While another program opens or closes events of cgroups, the kernel lets those of others pause: scaled."""
    return sorted(row.replace('"scaled"', '"exact"') for row in time_json(text))


def samples(text):
    """The records whose word is tick, the other records, and the values of the ticks without their numbers."""
    rows = [json.loads(line) for line in text.splitlines()]
    ticks = [r for r in rows if r.get("what") == "tick"]
    kinds = {json.dumps([r["scope"], v["name"], v["value"] is None, v["class"]]) for r in ticks for v in r["values"]}
    return ticks, [r for r in rows if r.get("what") != "tick"], sorted(kinds)


def ticks_json(text):
    """The records but ticks, and whether the ticks of each LWP are at most its total; how many come is left to chance."""
    ticks, others, kinds = samples(text)
    count = collections.Counter()
    for r in ticks:
        count[r["pid"], r["lwp"]] += sum(v["value"] or 0 for v in r["values"])
    total = {(r["pid"], r["lwp"]): r["values"][0]["value"] for r in others if r.get("what") == "fini_lwp"}
    true = [n <= (total.get(lwp) or 0) for lwp, n in count.items()]
    return hits_json("\n".join(map(json.dumps, others))) + kinds + [all(true), bool(ticks)]


def intervals_json(text):
    """What can be known about samples of the CPUs' time: of each CPU the number of intervals that have samples or are left
    out, whether a value is the time for which it was counted, and whether the total is the sum."""
    ticks, others, kinds = samples(text)
    end = others[-1]
    cpus = collections.Counter(r["id"] for r in ticks)
    true = [abs(v["value"] - v["enabled_ns"]) < v["enabled_ns"] / 10 + 1000000 for r in ticks for v in r["values"]]
    total = sum(v["value"] for r in others if r.get("what") == "total" for v in r["values"])
    return kinds + sorted(f"cpu{cpu}: {n + end['skipped']} intervals" for cpu, n in cpus.items()) + [
        f"values are times: {all(true)}", f"the total is the sum: {total == sum(v['value'] for r in ticks for v in r['values'])}"]


def series_json(text):
    """The counts of repeated runs, the verdicts about them, the results of limits and the functions; not the times."""
    rows = []
    for line in text.splitlines():
        r = json.loads(line)
        events = [[e.get(key) for key in ("name", "class", "values", "verdict")] for e in r.get("events") or []
                  if e["name"] != "elapsed"]
        limits = [[limit[key] for key in ("name", "limit", "result")] for limit in r.get("limits") or []]
        rows.append([r.get(key) for key in ("record", "command", "runs", "function", "counts")] + events + limits)
    return rows


# Instead of a normal form: recordings of lwprec, which have the same records, or whose records are left to chance.
RECORDS, FACTS = "records", "facts"

# The loops of a case are its letters: system calls, memory, kills. beside: a program to which the command attaches.
# needs: an engine by which the command does not count, but without which it ends with status 125.
Case = collections.namedtuple("Case", "name tool args form json engine loops beside needs", defaults=["cmk", None, None])
# Calls of hit(); where breakpoints do not count, an event that never happens.
HIT, ATTACHED_HIT = "{hit}", "{beside_hit}"
NEVER = "emulation-faults"
# The simulator has NEVER, too. Without this option it would count NEVER, with another class, if the kernel's engine cannot start.
KERNEL = "--engine=kernel"
ORACLE = "{prog}/oracle"
CASES = [
    Case("cputrack-text", "cputrack", ["--tracker=ptrace", "-fev", "-T", "0", "-c", HIT, ORACLE, "tforks", "1"], text_rows, 0, "kernel"),
    Case("cputrack-json", "cputrack", ["--tracker=ptrace", "--format=json", "-o", "out", "-fev", "-T", "0", "-c", HIT, "-c", HIT, ORACLE, "exec", "1"],
         hits_json, 1, "kernel"),
    Case("cputrack-sim", "cputrack", ["--engine=sim", "-fe", "-T", "0", "-c", "instructions", "{prog}/exactly"],
         text_rows, 0, "sim"),
    Case("cputrack-sim-json", "cputrack", ["--engine=sim", "--format=json", "-o", "out", "-fe", "-T", "0", "-c", "instructions",
                                           ORACLE, "forks", "1"], sim_json, 1, "sim"),
    Case("cputrack-threads", "cputrack", ["--tracker=ptrace", "--format=json", "-o", "out", "-fev", "-T", "0", "-c", HIT, "-c", HIT, ORACLE, "tforks", "2"],
         hits_json, 1, "kernel"),
    Case("cputrack-chain", "cputrack", ["--engine=sim", "--format=json", "-o", "out", "-e", "-T", "0", "-c", "instructions",
                                        ORACLE, "chain", "1"], sim_json, 1, "sim"),
    Case("cputrack-ticks", "cputrack", ["--tracker=ptrace", "--format=json", "-o", "out", "-ev", "-T", "0.01", "-c", HIT, ORACLE, "comp", "1"],
         ticks_json, 1, "kernel"),
    Case("cputrack-attach", "cputrack", ["--format=json", "-o", "out", "-v", "-T", "0.02", "-c", ATTACHED_HIT, "-p", "{beside}"],
         ticks_json, 1, "kernel", "cmk", ["{prog}/attachme", "2", "0"]),
    Case("cputrack-records", "cputrack", ["--tracker=records", "--format=json", "-o", "out", "-fv", "-T", "0", "-c", HIT, ORACLE, "tforks", "1"],
         hits_json, 1, "records"),
    Case("cputrack-repeat", "cputrack", [KERNEL, "--quiet", "--repeat=2", "--seed=1", "--vs=" + ORACLE + " one", "--save=saved", "--format=json",
                                         "-o", "out", "-c", HIT, ORACLE, "one"], series_json, 1, "kernel", "cm"),
    Case("cputrack-where", "cputrack", ["--reproducible=v1", "--repeat=2", "--vs={prog}/exactly", "--where", "--format=json",
                                        "-o", "out", "-c", "instructions", "{prog}/exactly"], series_json, 1, "sim", "cm"),
    Case("cputrack-limit", "cputrack", ["--reproducible=v1", "--baseline={saved}", "--limit=instructions=5%", "--where",
                                        "--format=json", "-o", "out", "-c", "instructions", "{prog}/exactly"], series_json, 1, "sim", "cm"),
    Case("cputrack-bpf", "cputrack", ["--tracker=bpf", "--format=json", "-o", "out", "-fv", "-T", "0", "-c", HIT, ORACLE, "tforks", "1"],
         hits_json, 1, "bpf"),
    Case("cputrack-explain", "cputrack", ["--engine=kernel", "--explain", "-c", "cpu-clock,page-faults", "-c", "mem:0x1000:x"], plain, 0, "none", "cm"),
    Case("cputrack-explain-json", "cputrack", ["--engine=kernel", "--explain", "--format=json", "-c", "cpu-clock,page-faults"], plain, 0, "none", "cm"),
    Case("cputrack-explain-cpu", "cputrack", ["--explain", "--cpu=us3", "-c", "pic0=Cycle_cnt,pic1=Instr_cnt"], plain, 0, "none", "cm"),
    Case("cputrack-explain-sim", "cputrack", ["--explain", "--engine=sim", "-c", "instructions"], plain, 0, "none", "cm"),
    Case("cputrack-engine", "cputrack", ["--format=json", "-o", "out", "-T", "0", "-c", NEVER, "{prog}/nop"], hits_json, 1, "kernel", "m"),
    Case("cputrack-list", "cputrack", ["--list=clock"], plain, 0, "none", "cm"),
    Case("perfex-text", "perfex", ["-mp", "--tracker=ptrace", "-o", "out", "-e", HIT, ORACLE, "tforks", "1"], text_report, 0, "kernel"),
    Case("perfex-json", "perfex", [KERNEL, "--format=json", "-o", "out", "-e", HIT, ORACLE, "forks", "1"], hits_json, 1, "kernel"),
    Case("perfex-threads", "perfex", ["--format=json", "-o", "out", "-mp", "--tracker=ptrace", "-e", HIT, ORACLE, "tforks", "1"], hits_json, 1, "kernel"),
    Case("perfex-records", "perfex", ["--tracker=records", "--format=json", "-o", "out", "-mp", "-e", HIT, ORACLE, "tforks", "1"],
         hits_json, 1, "records"),
    Case("perfex-sim", "perfex", ["--engine=sim", "-o", "out", "-e", "instructions", "{prog}/exactly"], text_report, 0, "sim"),
    Case("perfex-sim-json", "perfex", ["--engine=sim", "--format=json", "-o", "out", "-mp", "-e", "instructions", ORACLE, "forks", "1"],
         sim_json, 1, "sim"),
    Case("perfex-explain", "perfex", ["--engine=kernel", "--explain", "-e", "cpu-clock"], plain, 0, "none", "cm"),
    Case("perfex-list", "perfex", ["--list"], plain, 0, "none", "cm"),
    Case("cpustat-text", "cpustat", ["-c", "cpu-clock", "0.01", "2"], shape, 0, "cpus"),
    Case("cpustat-json", "cpustat", ["--format=json", "-c", "cpu-clock", "0.01", "1"], time_json, 1, "cpus"),
    Case("cpustat-ticks", "cpustat", ["--format=json", "-c", "cpu-clock", "0.01", "4"], intervals_json, 1, "cpus"),
    Case("cpustat-soaker", "cpustat", ["--format=json", "-s", "-c", "cpu-clock,nouser,sys", "0.01", "2"], intervals_json, 1, "cpus"),
    Case("cpustat-cgroup", "cpustat", ["--format=json", "--cgroup=/", "-c", "cpu-clock", "0.01", "2"], cgroup_json, 1, "cgroups"),
    Case("cpustat-explain", "cpustat", ["--engine=kernel", "--explain", "-c", "cpu-clock"], plain, 0, "none", "cm", None, "cpus"),
    Case("cpustat-list", "cpustat", ["--list=clock"], plain, 0, "none", "cm"),
    Case("cpcreport-text", "cpcreport", ["{records}/lwps", "{records}/vs"], plain, 0, "none", "cm"),
    Case("cpcreport-json", "cpcreport", ["--format=json", "--baseline={records}/vs", "-o", "out", "{records}/vs"], plain, 0, "none", "cm"),
    Case("cpcreport-limit", "cpcreport", ["--baseline={saved}", "--limit=instructions=5%", "{saved}"], plain, 0, "lwp", "cm"),
    Case("cpcreport-page", "cpcreport", ["--format=html", "--baseline={saved}", "--limit=instructions=5%", "-o", "out", "{saved}"],
         plain, 0, "lwp", "cm"),
    Case("cpcreport-functions", "cpcreport", ["--format=html", "{saved}"], plain, 0, "lwp", "cm"),
    Case("cpcreport-by", "cpcreport", ["--by=host", "{records}/lwps", "{records}/perfex"], plain, 0, "none", "cm"),
    Case("cpcreport-cpus", "cpcreport", ["--by=cpu", "{records}/cpus"], plain, 0, "none", "cm"),
    Case("lwprec-record", "lwprec", ["record", "--engine=sim", "-o", "out", "-e", "ire:100,bre:100", "{prog}/exactly"], RECORDS, 0, "sim"),
    Case("lwprec-perf", "lwprec", ["record", "--engine=kernel", "-o", "out", "-e", "cnh:100000", ORACLE, "tforks", "1"],
         FACTS, 0, "kernel"),
    Case("lwprec-decode", "lwprec", ["decode", "-o", "out", "{recording}"], plain, 0, "lwp", "cm"),
    Case("lwprec-report", "lwprec", ["report", "{recording}"], plain, 0, "lwp", "cm"),
]
