"""A program in a pseudo-terminal, and what its screen says. As much of a terminal as the console uses: text, cursor
addressing, erasing; colours are passed over."""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import termios
import time
import unicodedata

CSI = re.compile(rb"\x1b\[([?>=<]*)([0-9;:]*)([@-~])|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[@-Z\\^_a-z=>78]")


class Screen:
    def __init__(self, columns, rows):
        self.columns, self.rows = columns, rows
        self.cells = [[" "] * columns for _ in range(rows)]
        self.x = self.y = 0
        self.rest = b""

    def feed(self, data):
        data = self.rest + data
        self.rest = b""
        at = 0
        while at < len(data):
            esc = data.find(b"\x1b", at)
            plain = data[at:] if esc < 0 else data[at:esc]
            if esc < 0:
                # A character cut in two waits for its other half.
                for back in range(1, min(4, len(plain)) + 1):
                    if plain[-back] >= 0xC0:
                        need = 2 if plain[-back] < 0xE0 else 3 if plain[-back] < 0xF0 else 4
                        if back < need:
                            self.rest = plain[-back:]
                            plain = plain[:-back]
                        break
            self.text(plain.decode("utf-8", "replace"))
            if esc < 0:
                return
            found = CSI.match(data, esc)
            if not found:
                if len(data) - esc > 4096:
                    at = esc + 1
                    continue
                self.rest = data[esc:]
                return
            if found.group(3):
                self.control(found.group(1), found.group(2), found.group(3))
            at = found.end()

    def text(self, text):
        for char in text:
            if char == "\r":
                self.x = 0
            elif char == "\n":
                self.y = min(self.y + 1, self.rows - 1)
            elif char >= " ":
                wide = 2 if unicodedata.east_asian_width(char) in "WF" else 0 if unicodedata.combining(char) else 1
                if wide and self.y < self.rows and self.x < self.columns:
                    self.cells[self.y][self.x] = char
                    if wide == 2 and self.x + 1 < self.columns:
                        self.cells[self.y][self.x + 1] = ""
                self.x += wide

    def control(self, private, numbers, last):
        if private:
            return
        given = [int(n or 0) for n in numbers.split(b";")] if numbers else []
        first = given[0] if given else 0
        if last == b"H":
            self.y = max(first, 1) - 1
            self.x = max(given[1] if len(given) > 1 else 1, 1) - 1
        elif last == b"J":
            self.cells = [[" "] * self.columns for _ in range(self.rows)]
        elif last == b"K" and self.y < self.rows:
            self.cells[self.y][self.x :] = [" "] * (self.columns - self.x)
        elif last in b"ABCD":
            step = max(first, 1)
            self.y += {b"A": -step, b"B": step}.get(last, 0)
            self.x += {b"C": step, b"D": -step}.get(last, 0)

    def line(self, y):
        return "".join(self.cells[y])

    def all(self):
        return "\n".join(map(self.line, range(self.rows)))


class Program:
    """A command in a terminal of its own. `begun` and the times that `until` gives are of the monotonic clock."""

    def __init__(self, command, columns=120, rows=40, state=None):
        self.screen = Screen(columns, rows)
        self.ended = False
        self.begun = time.monotonic()
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
            os.environ.update(TERM="xterm-256color", LANG="C.UTF-8")
            if state:
                os.environ.update(XDG_STATE_HOME=state, XDG_CONFIG_HOME=state)
            try:
                os.execv(command[0], command)
            finally:
                os._exit(127)

    def until(self, holds, timeout):
        """Reads until `holds(screen)`; the moment at which the bytes that made it true were there, else None."""
        end = time.monotonic() + timeout
        while not self.ended:
            left = end - time.monotonic()
            if left <= 0:
                return None
            if not select.select([self.fd], [], [], left)[0]:
                return None
            try:
                data = os.read(self.fd, 1 << 16)
            except OSError:
                data = b""
            now = time.monotonic()
            if not data:
                self.ended = True
                return None
            self.screen.feed(data)
            if holds(self.screen):
                return now
        return None

    def drain(self, seconds):
        self.until(lambda _: False, seconds)

    def keys(self, keys):
        now = time.monotonic()
        os.write(self.fd, keys)
        return now

    def status(self, name):
        with open("/proc/%d/status" % self.pid) as file:
            for line in file:
                if line.startswith(name + ":"):
                    return int(line.split()[1])
        return 0

    def ticks(self):
        """Seconds of processor time so far."""
        with open("/proc/%d/stat" % self.pid) as file:
            fields = file.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def read_bytes(self):
        with open("/proc/%d/io" % self.pid) as file:
            return int(next(line for line in file if line.startswith("rchar")).split()[1])

    def end(self):
        for _ in range(3):
            if self.ended:
                break
            try:
                os.write(self.fd, b"q")
            except OSError:
                break
            self.drain(0.5)
        try:
            os.kill(self.pid, signal.SIGTERM)
        except ProcessLookupError:
            pass
        os.close(self.fd)
        os.waitpid(self.pid, 0)
