"""coverage.py TOP LIST [FILE...]: read what llvm-cov export -format=lcov prints, and print the lines and branches that
were executed in each folder of lib/ and cmd/. TOP is the top of the tree. For each FILE print its lines and branches that
were not executed.

LIST is test/uncovered, whose head describes it, or "-". Then print the lines that were not executed and are not in the
list, and the entries of the list whose lines were all executed; the status is 1 if there are any."""

import collections
import fnmatch
import os
import re
import sys

LINES, BRANCHES = "lines", "branches"
# A line that only reports an error to the caller, or cleans up before that.
ERROR = re.compile(r"return( \(?-?1\)?| NULL| 0| errno| e| rc| EXIT_TOOL| \w+_fail\(.*\)| \(struct .*\{0\})?;|goto \w+;|break;|continue;|"
                   r"(const )?int \w+ = errno;|[\w>.-]*(errno|error|failed|lost)\b.* = .*;|strerror\(errno\)\);|"
                   r"(err|warn)\(.*\);|\w*(free|close|drop|unlock|destroy|munmap)\(.*\);|else|[{};]*")


class File:
    """The counts of a file: lines has the count of each line, branches of each branch as (line, number)."""

    def __init__(self, top, path):
        self.path = path
        self.lines, self.branches, self.starts = {}, {}, {}
        with open(os.path.join(top, path), encoding="utf-8") as f:
            self.text = ["", *f.read().splitlines()]

    def function(self, line):
        """The name of the function that a line is in; "" in a header that has none."""
        before = [n for n in self.starts if n <= line] or sorted(self.starts)[:1]
        return self.starts[max(before)] if before else ""

    def blocks(self):
        """The lines that were not executed: lists of lines that follow each other in one function. Between them there may
        be lines without code, which have no count."""
        found, follows = [], False
        for n, count in sorted(self.lines.items()):
            if count == 0 and follows and n not in self.starts:
                found[-1].append(n)
            elif count == 0:
                found.append([n])
            follows = count == 0
        return found


def read(stream, top):
    """Return the File of each file of lib/ and cmd/, by path."""
    files, file = {}, None
    for line in stream:
        kind, _, rest = line.rstrip("\n").partition(":")
        if kind == "SF":
            path = os.path.relpath(os.path.realpath(rest), top)
            file = None
            if path.split("/")[0] in ("lib", "cmd"):
                file = files.setdefault(path, File(top, path))
        elif file is None:
            continue
        elif kind == "FN":
            number, name = rest.split(",")
            file.starts[int(number)] = name.split(":")[-1]
        elif kind == "DA":
            number, count = rest.split(",")[:2]
            file.lines[int(number)] = int(count)
        elif kind == "BRDA":
            number, block, branch, count = rest.split(",")
            file.branches[int(number), block, branch] = 0 if count == "-" else int(count)
    return files


def percent(counts):
    return 100 * sum(map(bool, counts)) / len(counts) if counts else 100


def print_folders(files):
    sums = collections.defaultdict(lambda: ([], []))
    for path, file in files.items():
        for name in (os.path.dirname(path), path.split("/")[0] + "/ in all"):
            sums[name][0].extend(file.lines.values())
            sums[name][1].extend(file.branches.values())
    print(f"{'folder':24} {LINES:>7} {'covered':>8} {BRANCHES:>8} {'covered':>8}")
    for name in sorted(sums, key=lambda n: ("in all" in n, n)):
        lines, branches = sums[name]
        if lines:
            print(f"{name:24} {len(lines):7} {percent(lines):6.1f} % {len(branches):8} {percent(branches):6.1f} %")


def print_file(file):
    print(f"{file.path}: lines and branches that no test executes")
    for n, text in enumerate(file.text):
        branches = [key[2] for key, count in sorted(file.branches.items()) if key[0] == n and not count]
        if file.lines.get(n) == 0:
            print(f"{n:5} line   {text}")
        elif branches:
            print(f"{n:5} branch {text}")


Entry = collections.namedtuple("Entry", "line file function text sometimes")


def read_list(path):
    """Return the entries of the list, and what is wrong with it."""
    entries, wrong, reason, sometimes = [], [], False, False
    with open(path, encoding="utf-8") as f:
        for number, line in enumerate(f, 1):
            line = line.rstrip("\n")
            if not line or line.startswith("#"):
                sometimes = None
                continue
            if not line.startswith("\t"):
                reason = True
                if sometimes is None:
                    sometimes = line.startswith("Sometimes: ")
                continue
            fields = line.split(None, 2)
            if len(fields) < 2 or not reason:
                wrong.append(f"{path}:{number}: not an entry below a reason: {line.strip()}")
                continue
            entries.append(Entry(number, fields[0], fields[1], fields[2] if len(fields) > 2 else "", bool(sometimes)))
    return entries, wrong


def matches(entry, file, function, text):
    if entry.text == "<error>":
        has_text = all(ERROR.fullmatch(line.strip()) for line in text)
    else:
        has_text = any(entry.text in line for line in text)
    return has_text and fnmatch.fnmatchcase(file, entry.file) and fnmatch.fnmatchcase(function, entry.function)


def is_there(entry, files):
    return any(fnmatch.fnmatchcase(path, entry.file) and any(entry.text in line for line in file.text) for path, file in files.items())


def compare(files, path):
    """Print the differences between the list and what was measured. Returns their number."""
    entries, differences = read_list(path)
    used = set()
    for file in files.values():
        for block in file.blocks():
            function, text = file.function(block[0]), file.text[block[0]:block[-1] + 1]
            found = [e for e in entries if matches(e, file.path, function, text)]
            used.update(found)
            if not found:
                shown = next((t for t in text if re.search(r"\w", t)), text[0]).strip()
                differences.append(f"{file.path}:{block[0]}-{block[-1]} {function}(): {shown}")
    if differences:
        print(f"lines that no test executes and {path} does not list:")
    for text in differences:
        print("  " + text)
    late = [e for e in entries if e not in used and not (e.sometimes and is_there(e, files))]
    if late:
        print(f"entries of {path} whose lines are all executed:")
    for e in late:
        print(f"  {path}:{e.line}: {e.file} {e.function} {e.text}")
    return len(differences) + len(late)


def main():
    top, listed, *shown = sys.argv[1:]
    files = read(sys.stdin, os.path.realpath(top))
    print_folders(files)
    for path in shown:
        if path not in files:
            sys.exit(f"{path}: no code of this file is measured")
        print_file(files[path])
    if listed == "-":
        return 0
    differences = compare(files, listed)
    if not differences:
        print(f"{listed} lists all lines that no test executes")
    return differences > 0


sys.exit(main())
