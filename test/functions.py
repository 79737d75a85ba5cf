#!/usr/bin/env python3
"""functions.py PROGRAM RECORDING CALLGRIND CACHEGRIND: compare counts by function.

The program is static and not position-independent, and nm(1) names its functions. Instructions are those of
callgrind within 0.1 %, misses of the data cache those of cachegrind within 2 %, of the ten functions that have
most. Prints each, and fails if one differs by more. callgrind counts each iteration of a rep instruction, so its
functions with those are left out: the C library's memset and memcpy.
"""
import bisect
import collections
import re
import subprocess
import sys

sys.dont_write_bytecode = True
from recording import Recording


def symbols(program):
    text = subprocess.run(["nm", "-n", program], check=True, capture_output=True, text=True).stdout
    found = [line.split() for line in text.splitlines()]
    return [(int(word[0], 16), word[2]) for word in found if len(word) == 3 and word[1] in "tTwWi"]


def ours(program, path):
    """Events of each function: {event: {function: count}}."""
    table = symbols(program)
    starts = [start for start, _ in table]
    recording = Recording(path)
    by = {}
    for i, _, name in recording.events():
        counts = by.setdefault(name, collections.Counter())
        for ip, n in recording.count.get(i, {}).items():
            at = bisect.bisect(starts, ip) - 1
            counts[table[at][1] if at >= 0 else "?"] += n
    return by


def theirs(path, columns):
    """The sum of some columns of each function, without what the functions that it calls have."""
    counts, names, function, called = collections.Counter(), {}, None, False
    for line in open(path):
        match = re.match(r"fn=(?:\((\d+)\))?\s*(.*)", line)
        if match:
            number, name = match.groups()
            if name:
                names[number] = name
            function = (name or names[number]).split(":")[-1].split("'")[0]
        elif re.match(r"c?fn=|cfi=|cob=", line):
            match = re.match(r"cfn=\((\d+)\)\s+(.*)", line)
            if match:
                names[match.group(1)] = match.group(2)
        elif line.startswith("calls="):
            called = True
        elif re.match(r"[+*\-0-9]", line) and function:
            if not called:
                word = line.split()
                counts[function] += sum(int(word[c]) for c in columns if c < len(word))
            called = False
    return counts


def compare(what, mine, other, limit):
    wrong = 0
    for name, n in other.most_common(10):
        difference = 100 * (mine[name] - n) / n
        wrong += abs(difference) > limit
        print(f"{what:12} {name:24} {mine[name]:12} {n:12} {difference:+.3f} %")
    return wrong


def main():
    program, recording, callgrind, cachegrind = sys.argv[1:]
    mine = ours(program, recording)
    header = next(line for line in open(cachegrind) if line.startswith("events:")).split()
    misses = [header.index(event) for event in ("D1mr", "D1mw")]
    wrong = compare("instructions", mine["ire"], theirs(callgrind, [1]), 0.1)
    wrong += compare("misses", mine["dme"], theirs(cachegrind, misses), 2)
    sys.exit(wrong > 0)


main()
