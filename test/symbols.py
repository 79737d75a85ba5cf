#!/usr/bin/env python3
"""symbols.py SYMBOLIZE FILE N: compare the frames of N random addresses of .text with addr2line and llvm-symbolizer.

The names, files (without folders) and lines must be those of one of the two programs, which do not always agree with each other. Where
they differ from both, one of these reasons must hold; the reasons are counted:
  alias    the names belong to the same address; only the choice differs
  clone    the compiler has split the function ("f.cold"), and a program shows the name before the split
  padding  no symbol contains the address; a program shows the function before
  row      the line table has the address, no function has it, and llvm-symbolizer hides the line
"""
import collections
import random
import re
import subprocess
import sys


def text_of(*args, stdin=None):
    return subprocess.run(args, input=stdin, capture_output=True, text=True, check=True).stdout


def random_addresses(file, n):
    for line in text_of('readelf', '-SW', file).splitlines():
        m = re.match(r'\s*\[\s*\d+\]\s+\.text\s+\S+\s+([0-9a-f]+)\s+[0-9a-f]+\s+([0-9a-f]+)', line)
        if m:
            start, size = int(m[1], 16), int(m[2], 16)
            r = random.Random(1)
            return [start + r.randrange(size) for _ in range(n)]
    sys.exit(f'{file}: no .text')


def frames(lines):
    """Pairs of lines, NAME and FILE:LINE[:COLUMN], as a list of (name, place)."""
    found = []
    for name, place in zip(lines[::2], lines[1::2]):
        place = re.sub(r' \(discriminator \d+\)$', '', place)
        m = re.match(r'(?:.*/)?(.*?):(\d+|\?)(:\d+)?$', place)
        found.append((name, (m[1], int(m[2])) if m[2] not in '?0' else None))
    return found


def blocks(text):
    return [frames(block.split('\n')) for block in text.rstrip('\n').split('\n\n')]


def addr2line_blocks(text):
    found = []
    for line in text.splitlines():
        if re.match(r'0x[0-9a-f]{16}$', line):
            found.append([])
        else:
            found[-1].append(line)
    return [frames(block) for block in found]


def symbols(*files):
    """The addresses of each name, and the list of (start, end)."""
    at, ranges = collections.defaultdict(set), []
    for file in files:
        for args in (['nm', '-S', file], ['nm', '-SD', file]):
            for line in subprocess.run(args, capture_output=True, text=True, check=False).stdout.splitlines():
                m = re.match(r'([0-9a-f]+) (?:([0-9a-f]+) )?[a-zA-Z] (\S+)', line)
                if m:
                    at[m[3].split('@')[0]].add(int(m[1], 16))
                    ranges.append((int(m[1], 16), int(m[1], 16) + int(m[2] or '0', 16)))
    return at, ranges


def unsplit(name):
    return re.sub(r'(\.(cold|part\.\d+|constprop\.\d+|isra\.\d+|lto_priv\.\d+|localalias|llvm\.\d+))+$', '', name)


def reason(address, ours, other, at, ranges):
    """Why the frames may differ, or None."""
    if len(ours) != len(other):
        return None
    why = None
    for (name, line), (name2, line2) in zip(ours, other):
        if line != line2:
            if name == '??' and not line2:
                why = 'row'
                continue
            return None
        if name == name2:
            continue
        if unsplit(name) == unsplit(name2):
            why = 'clone'
        elif name == '??' and not any(a <= address < b for a, b in ranges):
            why = 'padding'
        elif at[name] & at[name2] or (name2 not in at and re.sub(r'[CD][1245]E', 'E', name) == re.sub(r'[CD][1245]E', 'E', name2)):
            why = 'alias'
        else:
            return None
    return why


def main():
    symbolize, file, n = sys.argv[1], sys.argv[2], int(sys.argv[3])
    addresses = random_addresses(file, n)
    stdin = ''.join(f'{a:#x}\n' for a in addresses)
    ours = blocks(text_of(symbolize, '-m', file, stdin=stdin))
    gnu = addr2line_blocks(text_of('addr2line', '-afi', '-e', file, stdin=stdin))
    llvm = blocks(text_of('llvm-symbolizer', '--no-demangle', '-e', file, stdin=stdin))
    at, ranges = symbols(file, *sys.argv[4:])
    count, examples = collections.Counter(), []
    for a, mine, g, l in zip(addresses, ours, gnu, llvm, strict=True):
        if mine in (l, g):
            count['same as both' if g == l else 'same as one'] += 1
            continue
        why = reason(a, mine, l, at, ranges) or reason(a, mine, g, at, ranges)
        count[why or 'unexplained'] += 1
        if not why:
            examples.append(f'{a:x}\n  {mine}\n  llvm {l}\n  gnu  {g}')
    print(', '.join(f'{k} {v}' for k, v in sorted(count.items())))
    print('\n'.join(examples[:5]))
    return 1 if examples else 0


sys.exit(main())
