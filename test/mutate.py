"""mutate.py MUTANTS [WORD...]: prove that the tests notice mistakes. MUTANTS has a mistake in each line: a file, the tests of
which one must fail, a text that the file has once, and the text in its place, with tabs between. For each line (with WORDs:
for those that contain one of them), build the tests in a copy of the tree with the mistake, and run them. Prints TAP: a
mistake that no test notices is a failure, and so are a line that cannot be tried, and a test that fails without a mistake.
A test that takes more than MUTANT_SECONDS (300) fails, and is ended with all of its processes. It runs at the top of the
tree."""

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile

LIMIT_S = int(os.environ.get("MUTANT_SECONDS", "300"))


def read_mutants(path, words):
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            if line.startswith("#") or not line.strip():
                continue
            fields = line.rstrip("\n").split("\t")
            if len(fields) != 4:
                sys.exit(f"{path}:{number}: {len(fields)} fields, not 4")
            if not words or any(word in line for word in words):
                yield (f"{path}:{number}: {fields[0]}", *fields)


def copy_tree(top):
    """Copy the files of the tree and what is built, with their times."""
    listed = subprocess.run(["git", "ls-files", "-z"], check=True, stdout=subprocess.PIPE).stdout
    for name in filter(None, listed.decode().split("\0")):
        os.makedirs(os.path.join(top, os.path.dirname(name)), exist_ok=True)
        shutil.copy2(name, os.path.join(top, name), follow_symlinks=False)
    skip = shutil.ignore_patterns("fuzz", "coverage", "sanitize", "qemu", "valgrind", "peers", "tsan")
    if os.path.isdir("build"):
        shutil.copytree("build", os.path.join(top, "build"), symlinks=True, ignore=skip)


def run(top, *command):
    """Return whether a command succeeds in the copy. What it has started ends with it."""
    process = subprocess.Popen(command, cwd=top, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL, start_new_session=True)
    try:
        return process.wait(LIMIT_S) == 0
    except subprocess.TimeoutExpired:
        return False
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def build(top, tests):
    units = ["build/" + t for t in tests if not t.endswith(".bats")]
    goals = units + (["all"] if len(units) < len(tests) else [])
    return run(top, "make", "-j2", *goals)


def passes(top, test):
    if test.endswith(".bats"):
        return run(top, "make", "tests", "TESTS=test/" + test)
    return run(top, "build/" + test)


def try_mutant(top, file, tests, old, new):
    """Return None if a test notices the mistake, or what is wrong."""
    path = os.path.join(top, file)
    with open(path, encoding="utf-8") as source:
        text = source.read()
    if text.count(old) != 1:
        return f"the file has the text {text.count(old)} times"
    try:
        with open(path, "w", encoding="utf-8") as source:
            source.write(text.replace(old, new))
        if not build(top, tests):
            return "the file with the mistake cannot be built"
        return "no test notices the mistake" if all(passes(top, t) for t in tests) else None
    finally:
        with open(path, "w", encoding="utf-8") as source:
            source.write(text)


def main():
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))
    mutants = list(read_mutants(sys.argv[1], sys.argv[2:]))
    failed = 0
    print(f"1..{len(mutants)}")
    with tempfile.TemporaryDirectory() as top:
        copy_tree(top)
        for number, (name, file, tests, old, new) in enumerate(mutants, 1):
            wrong = try_mutant(top, file, tests.split(), old, new)
            failed += wrong is not None
            print(f"{'not ok' if wrong else 'ok'} {number} - {name}: {old} -> {new}", flush=True)
            if wrong:
                print(f"# {wrong}", flush=True)
        tests = sorted({t for m in mutants for t in m[2].split()})
        for test in tests:
            if not build(top, [test]) or not passes(top, test):
                failed += 1
                print(f"# {test} fails without a mistake", flush=True)
    print(f"# {len(mutants)} mistakes, {failed} failures")
    return failed > 0


sys.exit(main())
