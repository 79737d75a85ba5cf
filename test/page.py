#!/usr/bin/env python3
"""page.py numbers PAGE CSV...: the tables of exact numbers in a page are those of these files of CSV, in their order.
page.py complete PAGE: the page is well-formed, needs nothing else, runs nothing, and each chart has words.
page.py picture PNG WIDTH HEIGHT: the picture has this size and is not of one colour."""
import csv
import html.parser
import struct
import sys
import zlib


class Page(html.parser.HTMLParser):
    VOID = {'meta', 'link', 'br'}

    def __init__(self):
        super().__init__()
        self.open, self.tables, self.cell, self.charts, self.seen = [], [], None, 0, set()

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        self.seen.add(tag)
        assert not any(name.startswith('on') for name in attrs), attrs
        assert tag not in ('script', 'img', 'iframe', 'object', 'embed'), tag
        assert 'src' not in attrs and attrs.get('href', 'data:,') == 'data:,', attrs
        if tag == 'svg':
            assert attrs['role'] == 'img' and attrs['aria-label'], attrs
            self.charts += 1
        if tag == 'table':
            self.tables.append((attrs.get('class'), []))
        if tag == 'tr':
            self.tables[-1][1].append([])
        if tag in ('th', 'td'):
            assert tag == 'td' or attrs['scope'] in ('row', 'col')
            self.cell = ''
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        assert tag == 'path', tag

    def handle_endtag(self, tag):
        assert self.open and self.open.pop() == tag, tag
        if tag in ('th', 'td'):
            self.tables[-1][1][-1].append(self.cell)
            self.cell = None

    def handle_data(self, data):
        if self.cell is not None:
            self.cell += data


def read(path):
    page = Page()
    text = open(path, encoding='utf-8').read()
    page.feed(text)
    page.close()
    assert 'url(' not in text and '@import' not in text and 'http' not in text.split('</style>')[0]
    return page


def tables_of(path):
    """The tables of a file of CSV, which an empty line separates."""
    tables = [[]]
    for row in csv.reader(open(path, newline='', encoding='utf-8')):
        if row:
            tables[-1].append(row)
        else:
            tables.append([])
    return tables


def numbers(path, files):
    tables = [rows for kind, rows in read(path).tables if kind == 'numbers']
    want = [table for f in files for table in tables_of(f)]
    assert len(tables) == len(want), (len(tables), len(want))
    for got, rows in zip(tables, want):
        assert got == rows, (got, rows)


def complete(path):
    page = read(path)
    assert not page.open, page.open
    assert page.charts > 0 and {'main', 'section', 'table', 'caption', 'figcaption', 'dl'} <= page.seen


def picture(path, width, height):
    data = open(path, 'rb').read()
    assert data[:8] == b'\x89PNG\r\n\x1a\n'
    at, pixels = 8, b''
    while at < len(data):
        size, kind = struct.unpack('>I4s', data[at:at + 8])
        if kind == b'IHDR':
            assert struct.unpack('>II', data[at + 8:at + 16]) == (width, height)
        if kind == b'IDAT':
            pixels += data[at + 8:at + 8 + size]
        at += 12 + size
    assert len(set(zlib.decompress(pixels))) > 60


if sys.argv[1] == 'numbers':
    numbers(sys.argv[2], sys.argv[3:])
elif sys.argv[1] == 'complete':
    complete(sys.argv[2])
else:
    picture(sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
