#!/usr/bin/env python3
"""records.py [--cut] [--seen] FILE...: checks the records of runs against opencpc-records(5).

The table of fields is read from the page man5/opencpc-records.5 itself, so that the page and this check agree. Each
line must be one JSON object with exactly the fields of its kind, with values of the type and the range that the page
gives. The lines of all files belong together: each run begins with its record "run", and in the file of this record
ends with its record "end", which has the number of the run's records in all files. --cut: a run may lack its end, or any
records that its end counts. --seen: print each field that was present and each that was not null, as "KIND.FIELD" and
"KIND.FIELD!"."""
import json
import os
import re
import sys

PAGE = os.path.join(os.path.dirname(__file__), "..", "man5", "opencpc-records.5")
INT = r"-?\d+(?:\^\d+(?:-1)?)?"


def number(text):
    base, _, power = text.partition("^")
    if not power:
        return int(base)
    exponent, _, less = power.partition("-")
    return int(base) ** int(exponent) - (1 if less else 0)


class Field:
    def __init__(self, text):
        text, _, self.when = text.partition("; ")
        # The elements of an array can be null.
        self.nulls = text.startswith("array of") and " or null," in text + "," and ", or null" not in text
        text = re.sub("array of (integer|number) or null", r"array of \1", text)
        self.null = bool(re.search(r",? or null$", text))
        text = re.sub(r",? or null$", "", text)
        words = text.split(", ", 1)
        self.type, self.of = (words[0].split(" of ") + [None])[:2]
        rest = words[1] if len(words) > 1 else ""
        self.words = re.search(r"one of (.*)", rest)
        self.words = self.words and self.words.group(1).split(", ")
        bounds = re.search(rf"from ({INT}) to ({INT})$", rest)
        self.min, self.max = map(number, bounds.groups()) if bounds else (None, None)
        if rest.isdigit():
            self.min = self.max = int(rest)


def read_page():
    """Returns the fields of each heading of the section FIELDS."""
    kinds, inside = {}, False
    for line in open(PAGE, encoding="utf-8"):
        if line.startswith(".Sh"):
            inside = line.strip() == ".Sh FIELDS"
        elif inside and line.startswith(".Ss "):
            names = [line[4:].strip()] if "All" in line else line[4:].strip().split(", ")
            for name in names:
                kinds[name] = fields = kinds[names[0]] if name != names[0] else {}
        elif inside and line.startswith(".It Cm "):
            name, text = re.fullmatch(r"\.It Cm (\w+) No : (.*)\n", line).groups()
            # A field can stand twice, with conditions of which at most one is true.
            field = Field(text)
            field.other = fields.get(name)
            fields[name] = field
    return kinds


KINDS = read_page()
SEEN = set()


def is_program(r):
    return r["what"] == "exec" and r["record"] == "event"


def needed(when, record, run):
    """Returns 1 if a field must be present, 0 if it must not, None if it may."""
    if not when:
        return 1
    if when.startswith("if scope is ") and "-A" not in when:
        return record["scope"] in when[12:].split(", ")
    perfex = not run or run["tool"] == "perfex"
    cpustat = run and run["tool"] == "cpustat"
    return {
        "if tool is perfex": perfex,
        "if tool is perfex and -y was given": None if perfex else 0,
        "if scope is cgroup and -A was given": None if record.get("scope") == "cgroup" else 0,
        "if scope is cpu, or cgroup and -A was given":
            record.get("scope") == "cpu" or (None if record.get("scope") == "cgroup" else 0),
        "if a sample of cpustat": cpustat and record["record"] == "sample",
        "if the rows are those of LWPs": None if not cpustat and record.get("tool") != "cpustat" else 0,
        "if --cgroup was given": None if cpustat or record.get("tool") == "cpustat" else 0,
        "if what is fork": record.get("what") == "fork",
        "if a new program": "what" in record and is_program(record),
        "unless what is fork or a new program":
            "what" in record and record["what"] != "fork" and not is_program(record),
    }[when]


def check_value(where, field, type_, value, record, run):
    python = {"string": str, "integer": int, "number": (int, float), "boolean": bool, "array": list,
              "object": dict}.get(type_)
    if python is None:
        check_fields(where, KINDS[type_], value, record, run)
        return
    if not isinstance(value, python) or (isinstance(value, bool) and type_ != "boolean"):
        raise ValueError(f"{where}: {value!r} is no {type_}")
    if field.words and type_ == "string" and value not in field.words:
        raise ValueError(f"{where}: {value!r} is none of {field.words}")
    if type_ == "integer" and field.min is not None and not field.min <= value <= field.max:
        raise ValueError(f"{where}: {value} is not from {field.min} to {field.max}")
    if type_ in ("array", "object"):
        for v in value.values() if type_ == "object" else value:
            if v is None and field.nulls:
                continue
            check_value(where, field, field.of, v, record, run)


def check_fields(where, fields, o, record, run):
    for name in o:
        if name not in fields:
            raise ValueError(f"{where}: the page has no field {name}")
    for name, field in fields.items():
        need = needed(field.when, record, run)
        if need == 0 and field.other:
            field = field.other
            need = needed(field.when, record, run)
        if name not in o:
            if need:
                raise ValueError(f"{where}: no field {name}")
            continue
        if need is not None and not need:
            raise ValueError(f"{where}: the field {name} does not belong here")
        SEEN.add(f"{where}.{name}")
        if o[name] is None:
            if not field.null:
                raise ValueError(f"{where}: {name} is null")
            continue
        SEEN.add(f"{where}.{name}!")
        check_value(field.of if field.of in KINDS else f"{where}.{name}", field, field.type, o[name], record, run)


def check_values(r, run):
    requests = run["sets"][r["set"]]["requests"]
    if len(requests) != len(r["values"]):
        raise ValueError("a value for each request is missing")
    for v, q in zip(r["values"], requests):
        for key in ("pic", "name", "mode", "unit"):
            if v[key] != q[key]:
                raise ValueError(f"{key} {v[key]!r} is not that of the request, {q[key]!r}")
        none = v["class"] == "unavailable"
        if (v["value"] is None) != none or (v["count"] is None) != none:
            raise ValueError("a value is null exactly if its class is unavailable")
        if v["class"] == "exact" and v["value"] != v["count"]:
            raise ValueError("an exact value is not its count")


def unique(pairs):
    o = dict(pairs)
    if len(o) != len(pairs):
        raise ValueError("a key stands twice")
    return o


def check_line(line, runs, path):
    if not line.endswith("\n"):
        raise ValueError("no newline")
    r = json.loads(line, object_pairs_hook=unique)
    kind = r["record"]
    # The fields of all records, then those of the kind.
    check_fields("All records", KINDS["All records"], {k: r[k] for k in KINDS["All records"] if k in r}, r, None)
    own = {k: v for k, v in r.items() if k not in KINDS["All records"]}
    run = runs.get(r["run"])
    if (run is None) != (kind == "run"):
        raise ValueError("the first record of a run is its only record of kind run")
    check_fields(kind, KINDS[kind], own, r, run["run"] if run else r)
    if kind == "run":
        if not r["run"].endswith(f":{r['start_unix_ns']}"):
            raise ValueError("the id of the run does not end with start_unix_ns")
        run = runs[r["run"]] = {"run": r, "records": 0, "end": None}
    run["records"] += 1
    if run["end"] and run["file"] == path:
        raise ValueError("a record after the end of its run")
    if "time_ns" in r and r["unix_ns"] != run["run"]["start_unix_ns"] + r["time_ns"]:
        raise ValueError("unix_ns is not start_unix_ns + time_ns")
    if "values" in r:
        check_values(r, run["run"])
    if kind == "end" and not r["provisional"]:
        run["end"], run["file"] = r, path


def problems(paths, cut):
    """Yield what is wrong with the records in these files. cut: their ends may be missing."""
    runs, lines = {}, 0
    for path in paths:
        with open(path, encoding="utf-8") as f:
            for n, line in enumerate(f, 1):
                lines += 1
                try:
                    check_line(line, runs, path)
                except (ValueError, KeyError, TypeError, IndexError, AttributeError) as e:
                    yield f"{path}:{n}: {type(e).__name__}: {e}: {line[:300]}"
    for name, run in runs.items():
        if not run["end"] and not cut:
            yield f"{name}: no end"
        if run["end"] and (run["records"] > run["end"]["records"] or (run["records"] < run["end"]["records"] and not cut)):
            yield f"{name}: {run['records']} records, not {run['end']['records']}"
    if not lines:
        yield "no records"


def main():
    options = [a for a in sys.argv[1:] if a.startswith("--")]
    bad = 0
    for problem in problems([a for a in sys.argv[1:] if not a.startswith("--")], "--cut" in options):
        print(problem, file=sys.stderr)
        bad = 1
    if "--seen" in options:
        print("\n".join(sorted(SEEN)))
    sys.exit(bad)


if __name__ == "__main__":
    main()
