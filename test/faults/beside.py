"""A program to which a command of test/faults/run attaches."""
import os
import re
import signal
import subprocess
import time


class Beside:
    """A program that runs beside a command, which attaches to it: test/prog/attachme."""

    def __init__(self, argv, folder, env, limit):
        self.limit = limit
        self.truth, self.going = f"{folder}/truth", False
        self.process = subprocess.Popen(argv, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
        self.process.stdout.readline()

    def go_on(self):
        self.process.send_signal(signal.SIGUSR1)
        self.process.send_signal(signal.SIGTERM)
        self.going = True

    def go_on_when_sampled(self, command, files):
        """The program hits and ends when the command has written samples, or if it writes none."""
        end = time.monotonic() + 5
        while command.poll() is None and not self.going:
            if any("tick" in open(f).read() for f in files if os.path.exists(f)) or time.monotonic() > end:
                self.go_on()
            time.sleep(0.002)

    def end(self, deadly):
        """Lets the program end if the command has not seen its end. Only signals in deadly may have ended it. Returns what is
        wrong with it."""
        if not self.going:
            self.go_on()
        try:
            status = self.process.wait(self.limit)
        except subprocess.TimeoutExpired:
            with open(f"/proc/{self.process.pid}/status") as f:
                state = re.findall(r"(?:State|TracerPid):\s*(.*)", f.read())
            self.process.kill()
            self.process.wait()
            return [f"left {' '.join(state)}"]
        finally:
            self.process.stdout.close()
        return [] if -status in deadly or (status == 0 and self.has_hit()) else [f"left status {status}"]

    def has_hit(self):
        """Has each of its two threads hit?"""
        if not os.path.exists(self.truth):
            return False
        with open(self.truth) as f:
            return len(f.readlines()) == 2
