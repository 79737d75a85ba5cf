"""coverage.py TOP: read the summary of llvm-cov export, and print the lines and branches that were executed in each
folder of lib/ and cmd/, and the ten files with the most lines that were not. TOP is the top of the tree."""

import json
import os
import sys


def percent(counts):
    return 100 * counts[1] / counts[0] if counts[0] else 100


def row(name, lines, branches):
    print(f"{name:24} {lines[0]:7} {percent(lines):6.1f} % {branches[0]:8} {percent(branches):6.1f} %")


def main():
    top = os.path.realpath(sys.argv[1])
    folders, files = {}, []
    for file in json.load(sys.stdin)["data"][0]["files"]:
        path = os.path.relpath(os.path.realpath(file["filename"]), top)
        if path.split("/")[0] not in ("lib", "cmd"):
            continue
        of = [(file["summary"][k]["count"], file["summary"][k]["covered"]) for k in ("lines", "branches")]
        files.append((of[0][0] - of[0][1], path))
        for name in (os.path.dirname(path), path.split("/")[0] + "/ in all"):
            sums = folders.setdefault(name, [[0, 0], [0, 0]])
            for total, counts in zip(sums, of):
                total[0] += counts[0]
                total[1] += counts[1]
    print(f"{'folder':24} {'lines':>7} {'covered':>8} {'branches':>8} {'covered':>8}")
    for name in sorted(folders, key=lambda n: ("in all" in n, n)):
        if folders[name][0][0]:
            row(name, *folders[name])
    print("files with the most lines that no test executes:")
    for lines, path in sorted(files, reverse=True)[:10]:
        print(f"{lines:7} {path}")


main()
