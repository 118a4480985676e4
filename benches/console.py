#!/usr/bin/env python3
"""The console in a pseudo-terminal, timed from outside. Prints one JSON object.

    console.py start BIN DIR N          start to first frame, first verified rows, all N verified; memory at rest
    console.py keys BIN DIR N RATE      key to the new selection's id on the screen, RATE receipts a second arriving
    console.py arrivals BIN RATE SECS   rename to row, in a folder of its own
    console.py idle BIN DIR N SECS      processor time and bytes read while nothing happens
    console.py large BIN FILE LAST      a receipt of some megabytes: opened, and scrolled to the end, which shows LAST

Times in milliseconds, memory in MiB. The console writes its state into a temporary folder. Only Python's own modules
are used; what reading the screen in Python costs is in the figures.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
import threading
import time

from screen import Program

ID = re.compile(r"\bid +([0-9a-f]{8}-[0-9a-f-]{27})")
FILE = re.compile(r"[│┃]file +(\S+)")
COUNT = re.compile(r"([0-9,]+) records")


def records(screen):
    found = COUNT.search(screen.line(0))
    return int(found.group(1).replace(",", "")) if found else 0


def verified(screen):
    found = re.search(r"✓ ([0-9,]+)", screen.line(0))
    return int(found.group(1).replace(",", "")) if found else 0


def judged(screen):
    """Records with a verdict: every count in the header that stands behind a glyph."""
    return sum(int(n.replace(",", "")) for n in re.findall(r"[✓○–?!✗#] ([0-9,]+)", screen.line(0)))


def shown_id(screen):
    """The id of the shown record and, where it is on the screen, its file: a copy has the same id."""
    found, file = ID.search(screen.all()), FILE.search(screen.all())
    return found and (found.group(1), file and file.group(1))


def is_another(shown, before):
    """Whether another record is shown. A file that is only now on the screen tells nothing."""
    if shown is None or before is None:
        return shown is not None
    return shown[0] != before[0] or (None not in (shown[1], before[1]) and shown[1] != before[1])


def share(values, part):
    values = sorted(values)
    return values[min(int(len(values) * part), len(values) - 1)] if values else None


def ms(seconds):
    return None if seconds is None else round(seconds * 1e3, 2)


def started(program, wanted, folder):
    """Waits until all is verified, and says when what was there."""
    moments = {}

    def look(screen):
        now = time.monotonic()
        if "first_frame" not in moments and folder in screen.line(0):
            moments["first_frame"] = now
        if "first_rows" not in moments and "verified" in screen.line(4):
            moments["first_rows"] = now
        return judged(screen) >= wanted

    moments["all"] = program.until(look, 600)
    if moments["all"] is None:
        sys.exit("not all of %d records came up: %s" % (wanted, program.screen.line(0)))
    return {name: ms(moments[name] - program.begun) for name in ("first_frame", "first_rows", "all") if name in moments}


def start(binary, folder, wanted):
    with tempfile.TemporaryDirectory() as state:
        program = Program([binary, folder], 200, 60, state)
        times = started(program, int(wanted), os.path.basename(folder)[:8])
        program.drain(4)
        times["rss_mib"] = round(program.status("VmRSS") / 1024, 1)
        times["peak_mib"] = round(program.status("VmHWM") / 1024, 1)
        program.end()
    return times


def keys(binary, folder, wanted, rate):
    with tempfile.TemporaryDirectory() as state:
        program = Program([binary, folder], 120, 40, state)
        started(program, int(wanted), os.path.basename(folder)[:8])
        program.drain(2)
        writer = None
        incoming = os.path.join(folder, "incoming")
        if int(rate):
            os.makedirs(incoming, exist_ok=True)
            traffic = ["make", "gateway", incoming, "--burst", "0", "--per-second", rate, "--seconds", "120"]
            writer = subprocess.Popen([binary, *traffic], stdout=subprocess.DEVNULL)
            program.drain(2)
        taken = []
        missed = 0
        for n in range(400):
            before = shown_id(program.screen)
            pressed = program.keys(b"j" if n % 40 < 20 else b"k")
            seen = program.until(lambda screen: is_another(shown_id(screen), before), 1)
            if seen is None:
                missed += 1
            else:
                taken.append(seen - pressed)
            # A hand is not faster than this; the time between keys is not in the figures.
            program.drain(0.02)
        if writer:
            running = writer.poll() is None
            writer.kill()
            writer.wait()
        total = records(program.screen)
        program.end()
        if int(rate):
            for name in os.listdir(incoming):
                os.unlink(os.path.join(incoming, name))
            os.rmdir(incoming)
    return {"keys": len(taken), "unanswered": missed, "p50": ms(share(taken, 0.5)), "p99": ms(share(taken, 0.99)), "max": ms(max(taken, default=None)),
            "records_at_end": total, "writer_still_running": running if int(rate) else None}


def arrivals(binary, rate, seconds):
    rate, seconds = int(rate), float(seconds)
    wanted = int(rate * seconds)
    with tempfile.TemporaryDirectory() as state, tempfile.TemporaryDirectory() as source, tempfile.TemporaryDirectory() as folder:
        subprocess.run([binary, "make", "receipts", "--n", str(wanted), "--out", source, "--seed", "77"], check=True, stdout=subprocess.DEVNULL)
        names = sorted(os.path.join(path, name) for path, _, files in os.walk(source) for name in files)
        program = Program([binary, folder], 120, 40, state)
        if program.until(lambda screen: "LIVE" in screen.line(0), 10) is None:
            sys.exit("the console does not follow: " + program.screen.line(0))
        renamed = []

        def write():
            begun = time.monotonic()
            for number, name in enumerate(names):
                wait = begun + number / rate - time.monotonic()
                if wait > 0:
                    time.sleep(wait)
                os.rename(name, os.path.join(folder, os.path.basename(name)))
                renamed.append(time.monotonic())

        thread = threading.Thread(target=write)
        thread.start()
        delays = []

        def look(screen):
            now = time.monotonic()
            while len(delays) < records(screen) and len(delays) < len(renamed):
                delays.append(now - renamed[len(delays)])
            return len(delays) >= wanted

        done = program.until(look, seconds * 3 + 20)
        thread.join()
        took = renamed[-1] - renamed[0]
        program.end()
    return {"files": wanted, "missed": wanted - len(delays), "rate": round((wanted - 1) / took), "p50": ms(share(delays, 0.5)), "p95": ms(share(delays, 0.95)),
            "p99": ms(share(delays, 0.99)), "max": ms(max(delays, default=None)), "all_seen": done is not None}


def idle(binary, folder, wanted, seconds):
    seconds = float(seconds)
    with tempfile.TemporaryDirectory() as state:
        program = Program([binary, folder], 120, 40, state)
        started(program, int(wanted), os.path.basename(folder)[:8])
        program.drain(6)
        ticks, read = program.ticks(), program.read_bytes()
        program.drain(seconds)
        used = program.ticks() - ticks
        read = program.read_bytes() - read
        program.end()
    return {"seconds": seconds, "core_percent": round(100 * used / seconds, 3), "bytes_read": read}


def large(binary, path, last):
    with tempfile.TemporaryDirectory() as state:
        program = Program([binary, path], 120, 40, state)
        opened = program.until(lambda screen: "a_first" in screen.all(), 60)
        if opened is None:
            sys.exit("the receipt does not open:\n" + program.screen.all())
        first = opened - program.begun
        # The receipt's pane takes the keys; to the end and back, again and again.
        program.keys(b"l")
        program.drain(0.5)
        ends, steps = [], []
        for _ in range(10):
            pressed = program.keys(b"G")
            seen = program.until(lambda screen: last in screen.all(), 20)
            if seen is None:
                sys.exit("the end does not show:\n" + program.screen.all())
            ends.append(seen - pressed)
            before = program.screen.all()
            pressed = program.keys(b"\x02")
            seen = program.until(lambda screen: screen.all() != before, 20)
            steps.append(seen - pressed)
            pressed = program.keys(b"g")
            seen = program.until(lambda screen: "a_first" in screen.all(), 20)
            ends.append(seen - pressed)
        program.end()
    return {"start_to_first_screen": ms(first), "to_an_end_max": ms(max(ends)), "page_max": ms(max(steps)), "megabytes": round(os.path.getsize(path) / 1e6, 1)}


if __name__ == "__main__":
    tasks = {"start": start, "keys": keys, "arrivals": arrivals, "idle": idle, "large": large}
    if len(sys.argv) < 3 or sys.argv[1] not in tasks:
        sys.exit(__doc__)
    print(json.dumps(tasks[sys.argv[1]](*sys.argv[2:])))
