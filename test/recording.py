#!/usr/bin/env python3
"""recording.py COMMAND FILE: read a recording of lwprec, independently of the library.

facts    print the facts, a line each
sums     print each event's name, the sum of its counts, and its records (stored, missed)
counts   print EVENT MODULE OFFSET COUNT of each count, sorted; the module is a file's name
records  print the records of each ring, a line each
same     with a second FILE: fail unless both have the same counts and records
"""
import collections
import functools
import struct
import sys


class Recording:
    def __init__(self, path):
        self.data = open(path, "rb").read()
        self.facts, self.count, self.segment = [], {}, []
        phoff, = struct.unpack_from("<Q", self.data, 32)
        phentsize, phnum = struct.unpack_from("<HH", self.data, 54)
        for i in range(phnum):
            kind, _, offset, address, _, size = struct.unpack_from("<IIQQQQ", self.data, phoff + i * phentsize)
            if kind == 4:
                self.notes(offset, size)
            elif kind == 1:
                self.segment.append((address, offset, size))

    def notes(self, at, size):
        end = at + size
        while at < end:
            namesz, descsz, kind = struct.unpack_from("<III", self.data, at)
            at += 12
            name = self.data[at:at + namesz].rstrip(b"\0")
            at += (namesz + 3) & ~3
            if name == b"OpenCPC" and kind == 0x4C570001:
                self.facts += self.data[at:at + descsz].decode().splitlines()
            elif name == b"OpenCPC" and kind == 0x4C570002:
                word = struct.unpack_from("<%dQ" % (descsz // 8), self.data, at)
                counts = self.count.setdefault(word[0], {})
                for ip, n in zip(word[1::2], word[2::2]):
                    assert ip not in counts and n
                    counts[ip] = n
            at += (descsz + 3) & ~3

    def of(self, key):
        return [fact.split("=", 1)[1].split(" ") for fact in self.facts if fact.startswith(key + "=")]

    def bytes(self, address, size):
        for start, offset, have in self.segment:
            if start <= address < start + have:
                return self.data[offset + address - start:offset + address - start + size]
        return b""

    def rings(self):
        """For each ring: tid, missed events, the bytes of the records."""
        for fact in self.of("ring"):
            tid, cb, base, size = int(fact[0]), int(fact[3], 16), int(fact[5], 16), int(fact[6])
            block = self.data[cb:cb + int(fact[4])]
            ring = self.data[base:base + size]
            head, missed = struct.unpack_from("<I", block, 16)[0], struct.unpack_from("<Q", block, 24)[0]
            assert head == size
            yield tid, missed, ring

    def events(self):
        """Index, id, name of each event."""
        for i, fact in enumerate(self.of("event")):
            yield i, int(fact[0]), fact[3]

    @functools.cached_property
    def mappings(self):
        """Start, end, offset, name of each mapping of a file."""
        return [(*(int(word, 16 if word.startswith("0x") else 10) for word in fact[:3]), fact[4].rsplit("/", 1)[-1])
                for fact in self.of("mapping") if len(fact) > 4]

    @functools.cache
    def place(self, ip):
        for start, end, offset, name in self.mappings:
            if start <= ip < end:
                return name, ip - start + offset
        return "-", ip


def sums(r):
    rings = list(r.rings())
    stored = collections.Counter(number for _, _, ring in rings for number in ring[::32])
    for i, number, name in r.events():
        print(name, sum(r.count.get(i, {}).values()), stored[number])
    print("missed", sum(missed for _, missed, _ in rings))


def counts(r):
    for i, _, name in r.events():
        for (module, offset), n in sorted((r.place(ip), n) for ip, n in r.count.get(i, {}).items()):
            print(name, module, hex(offset), n)


def records(r):
    lines = ["%d %d %d %#x %d %s+%#x %#x %d %#x" % (n, number, core, flags, data1, *r.place(ip), data2, time, ip)
             for n, (_, _, ring) in enumerate(r.rings())
             for number, core, flags, data1, ip, data2, time in struct.iter_unpack("<BBHIQQQ", ring)]
    print("\n".join(lines))


def same(r, other):
    rings = [[(missed, ring) for _, missed, ring in x.rings()] for x in (r, other)]
    sys.exit(r.count != other.count or rings[0] != rings[1])


def main():
    command, *files = sys.argv[1:]
    read = [Recording(path) for path in files]
    if command == "facts":
        print("\n".join(read[0].facts))
    else:
        {"sums": sums, "counts": counts, "records": records, "same": same}[command](*read)


if __name__ == "__main__":
    main()
