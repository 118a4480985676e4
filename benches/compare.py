"""The measurements of compare.sh, which says how to ask for them."""

import json
import os
import platform
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

BIN = os.environ["BIN"]
RUNS = int(os.environ.get("RUNS", "5"))
N = int(os.environ.get("N", "100000"))
BIG = int(os.environ.get("BIG", "200"))
MILLION = os.environ.get("MILLION") == "1"
IDLE = os.environ.get("IDLE", "300")
HERE = os.path.dirname(os.path.abspath(__file__))
KEPT = os.environ.get("WORK")
WORK = os.path.abspath(KEPT) if KEPT else tempfile.mkdtemp(prefix="aerscope-compare-")
PEER_VERSION = "0.2.19"

# The peer over many receipts in one process: as its own command line reads a file, without its printing.
PEER = """
import json, sys, aer1_verify as peer
good = 0
def one(text):
    receipt, _ = peer.unwrap_envelope(json.loads(text))
    return bool(peer.verify(receipt)[0])
if sys.argv[1] == "files":
    import os
    for folder, _, names in os.walk(sys.argv[2]):
        for name in names:
            with open(os.path.join(folder, name), "rb") as file:
                good += one(file.read())
else:
    with open(sys.argv[2], "rb") as file:
        for line in file:
            good += one(line)
print(good)
"""

rows = []


def say(text):
    print(text, file=sys.stderr, flush=True)


def row(measure, bar, found, met, note=""):
    word = "not measured" if met is None else "met" if met else "not met"
    rows.append((measure, bar, found, word, note))
    say("%-70s %-14s %-28s %s %s" % (measure, bar, found, word, note))


# The peak of a process counts that of whoever started it until then: a small process starts it, not this one.
STARTER = """
import os, sys, time
null = [(os.POSIX_SPAWN_OPEN, n, "/dev/null", os.O_WRONLY, 0) for n in (1, 2)]
begun = time.monotonic()
pid = os.posix_spawnp(sys.argv[1], sys.argv[1:], os.environ, file_actions=null)
_, status, used = os.wait4(pid, 0)
print(time.monotonic() - begun, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, os.waitstatus_to_exitcode(status))
"""


def timed(command, accept=(0,), stdin=None):
    """(wall seconds, processor seconds, peak MiB) of one command, its output thrown away. A peak below 10 MiB may be the
    starter's own."""
    started = subprocess.run([sys.executable, "-S", "-I", "-c", STARTER, *command], stdin=stdin or subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, check=True)
    wall, processor, peak, status = map(float, started.stdout.split())
    if status not in accept:
        sys.exit("%s ended with %d" % (" ".join(command)[:200], status))
    return wall, processor, peak


def in_turn(commands, runs=RUNS):
    """Every command once a round; the medians, and the largest peak."""
    taken = {name: [] for name in commands}
    for _ in range(runs):
        for name, command in commands.items():
            taken[name].append(timed(command))
    return {name: (statistics.median(t[0] for t in all), statistics.median(t[1] for t in all), max(t[2] for t in all)) for name, all in taken.items()}


def have_peer():
    try:
        found = subprocess.run([sys.executable, "-c", "import aer1_verify; print(aer1_verify.VERSION)"], capture_output=True, text=True)
    except OSError:
        return False
    if found.returncode != 0 or found.stdout.strip() != PEER_VERSION:
        say("the public verifier is missing: pip install aer1-verify==%s" % PEER_VERSION)
        return False
    return True


def made(name, *arguments):
    """A folder or file of receipts, made once."""
    path = os.path.join(WORK, name)
    if not os.path.exists(path + ".made"):
        say("making %s" % path)
        shutil.rmtree(path, ignore_errors=True)
        subprocess.run([BIN, "make", "receipts", *[a.replace("@", path) for a in arguments]], check=True, stdout=subprocess.DEVNULL)
        open(path + ".made", "w").close()
    return path


def folder(n):
    return made("files-%d" % n, "--n", str(n), "--out", "@")


def lines(n):
    return made("lines-%d.jsonl" % n, "--n", str(n), "--jsonl", "@")


def against(measure, bar, ours, theirs):
    row(measure, "≤ %g" % bar, "%.3f (%.2f s / %.2f s)" % (ours / theirs, ours, theirs), ours / theirs <= bar)


def hashing(path):
    return ["sh", "-c", 'find "$0" -type f -print0 | xargs -0 -P2 -n 2000 sha256sum', path]


def peak(measure, bar, mib):
    row(measure, "≤ %g MiB" % bar, "%.1f MiB" % mib, mib <= bar)


def verify():
    path = folder(N)
    commands = {
        "ours": [BIN, "verify", "--quiet", path],
        "sha256sum": hashing(path),
        "cat": ["sh", "-c", 'find "$0" -type f -print0 | xargs -0 cat', path],
    }
    if have_peer():
        commands["peer"] = [sys.executable, "-c", PEER, "files", path]
    found = in_turn(commands)
    ours = found["ours"]
    against("verify, %d files, against sha256sum on two cores" % N, 0.5, ours[0], found["sha256sum"][0])
    against("the same against one cat", 0.6, ours[0], found["cat"][0])
    if "peer" in found:
        against("the same against the peer in one process", 0.025, ours[0], found["peer"][0])
    else:
        row("the same against the peer in one process", "≤ 0.025", "", None, "the peer is missing")
    row("processor seconds of that run: ours, sha256sum", "", "%.2f, %.2f" % (ours[1], found["sha256sum"][1]), True, "for information")
    return ours


def of_lines():
    path = lines(N)
    commands = {"ours": [BIN, "verify", "--quiet", path], "stream": ["sh", "-c", '"$0" verify --stream < "$1"', BIN, path]}
    if have_peer():
        commands["peer"] = [sys.executable, "-c", PEER, "lines", path]
    found = in_turn(commands)
    if "peer" in found:
        against("JSON Lines, %d records in one file, against the peer" % N, 0.02, found["ours"][0], found["peer"][0])
    else:
        row("JSON Lines against the peer", "≤ 0.02", "", None, "the peer is missing")
    peak("the same, peak memory", 48, found["ours"][2])
    peak("verify --stream of it, peak memory", 64, found["stream"][2])


def large():
    path = made("large-%d" % BIG, "--n", str(BIG), "--out", "@", "--fixed", "7500000", "--cap", "20000000")
    found = in_turn({"ours": [BIN, "verify", "--quiet", path], "sha256sum": ["sh", "-c", 'find "$0" -type f -print0 | xargs -0 -P2 -n 4 sha256sum', path]})
    against("%d receipts of 10 MB, against sha256sum on two cores" % BIG, 0.5, found["ours"][0], found["sha256sum"][0])
    peak("the same, peak memory", 128, found["ours"][2])


def growth():
    taken = {}
    for n in (10_000, N) + ((1_000_000,) if MILLION else ()):
        path = folder(n)
        found = in_turn({"ours": [BIN, "verify", "--quiet", path]}, RUNS if n < 1_000_000 else 3)["ours"]
        taken[n] = (found[0] / n * 1e6, found[2])
        row("verify, %d files" % n, "", "%.1f µs a receipt, peak %.1f MiB" % taken[n], True, "for information")
    most = max(taken)
    ratio = taken[most][0] / taken[10_000][0]
    row("time a receipt, %d against 10,000" % most, "≤ 1.3", "%.2f" % ratio, ratio <= 1.3)
    if MILLION:
        peak("verify, 1,000,000 files, peak memory", 96, taken[most][1])


def outside(task, *arguments):
    run = subprocess.run([sys.executable, os.path.join(HERE, "console.py"), task, BIN, *map(str, arguments)], capture_output=True, text=True)
    if run.returncode != 0:
        return None, (run.stderr or run.stdout).strip()[-200:]
    return json.loads(run.stdout), ""


def limit(measure, found, bar, unit, why=""):
    if found is None:
        row(measure, "≤ %g %s" % (bar, unit), "", None, why)
    else:
        row(measure, "≤ %g %s" % (bar, unit), "%g %s" % (found, unit), found <= bar)


def console():
    path = folder(N)
    alone = statistics.median(timed([BIN, "verify", "--quiet", path])[0] for _ in range(RUNS))
    all = []
    for _ in range(RUNS):
        found, why = outside("start", path, N)
        if found is None:
            return row("console", "", "", None, why)
        all.append(found)
    middle = {name: statistics.median(f[name] for f in all) for name in all[0]}
    limit("console, start to first frame", middle["first_frame"], 50, "ms")
    limit("console, first verified rows of %d" % N, middle["first_rows"], 200, "ms")
    ratio = middle["all"] / 1e3 / alone
    row("console, all verified, against verify", "≤ 1.5", "%.2f (%.2f s / %.2f s)" % (ratio, middle["all"] / 1e3, alone), ratio <= 1.5)
    limit("console, memory at rest with %d records" % N, middle["rss_mib"], 40, "MiB")
    if MILLION:
        found, why = outside("start", folder(1_000_000), 1_000_000)
        limit("console, memory at rest with 1,000,000 records", found and found["rss_mib"], 220, "MiB", why)


def keys():
    found, why = outside("keys", folder(N), N, 1000)
    limit("key to the new selection, p99, %d records, 1,000 arrivals a second" % N, found and found["p99"], 16, "ms", why)
    if found:
        row("of that: p50, max, unanswered", "", "%g ms, %g ms, %d" % (found["p50"], found["max"], found["unanswered"]), True, "for information")
    if MILLION:
        found, why = outside("keys", folder(1_000_000), 1_000_000, 0)
        limit("key to the new selection, p99, 1,000,000 records at rest", found and found["p99"], 33, "ms", why)


def arrivals():
    for rate, bar in ((1000, 50), (5000, 100)):
        found, why = outside("arrivals", rate, 10)
        limit("rename to row, p99, %d files a second" % rate, found and found["p99"], bar, "ms", why)
        if found:
            row("of that: missed, rate reached, p50", "", "%d, %d/s, %g ms" % (found["missed"], found["rate"], found["p50"]), found["missed"] == 0)


def idle():
    found, why = outside("idle", folder(N), N, IDLE)
    limit("idle, %d records, %s s" % (N, IDLE), found and found["core_percent"], 0.5, "% of a core", why)
    if found:
        row("bytes read meanwhile: no receipt is verified again", "< 1 MB", "%d" % found["bytes_read"], found["bytes_read"] < 1_000_000)


def receipt():
    path = os.path.join(WORK, "ten-megabytes")
    shutil.rmtree(path, ignore_errors=True)
    os.makedirs(path)
    payload = {"a_first": "begin", "lines": ["row %06d of a long result, höher und höher" % n for n in range(145_000)], "z_last": "the_very_end"}
    emit = [BIN, "emit", "--tool", "bench.large", "--tool-version", "1", "--scope", "bench", "--provenance", "LOGGED BY AGENT", "--into", path]
    text = json.dumps(payload, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
    subprocess.run(emit, input=text, check=True, stdout=subprocess.DEVNULL)
    found, why = outside("large", os.path.join(path, os.listdir(path)[0]), "the_very_end")
    limit("a receipt of 10 MB, start to its first screen", found and found["start_to_first_screen"], 100, "ms", why)
    limit("the same, to its other end", found and found["to_an_end_max"], 16, "ms", why)
    limit("the same, a page", found and found["page_max"], 16, "ms", why)


def parts():
    """The in-process benchmarks, as they print themselves."""
    say("in-process: cargo bench --bench parts")
    subprocess.run(["cargo", "bench", "--bench", "parts"], cwd=os.path.dirname(HERE), check=False)


TASKS = {"verify": verify, "lines": of_lines, "large": large, "growth": growth, "console": console, "keys": keys, "arrivals": arrivals, "idle": idle,
         "receipt": receipt, "parts": parts}


def machine():
    model = "unknown processor"
    flags = ""
    try:
        with open("/proc/cpuinfo") as file:
            for line in file:
                if line.startswith("model name"):
                    model = line.split(":", 1)[1].strip()
                if line.startswith("flags"):
                    flags = line
    except OSError:
        pass
    return "%s, %d cores, %s SHA instructions, %s %s, %s" % (
        model, os.cpu_count(), "with" if "sha_ni" in flags else "no", platform.system(), platform.release(), subprocess.run([BIN, "--version"], capture_output=True, text=True).stdout.split("\n")[0])


def main():
    wanted = sys.argv[1:] or list(TASKS)
    unknown = [name for name in wanted if name not in TASKS]
    if unknown:
        sys.exit("no such part: %s; there are %s" % (", ".join(unknown), " ".join(TASKS)))
    for tool in ("find", "xargs", "sha256sum", "cat"):
        if not shutil.which(tool):
            sys.exit("%s is missing" % tool)
    os.makedirs(WORK, exist_ok=True)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    say(machine())
    try:
        for name in wanted:
            TASKS[name]()
    finally:
        table = ["Measured on %s: %s.\n" % (time.strftime("%Y-%m-%d"), machine()), "| measure | bar | found | |", "|---|---|---|---|"]
        table += ["| %s | %s | %s | %s |" % (m, b, f, w if not note else "%s (%s)" % (w, note) if w != "met" or note != "for information" else note) for m, b, f, w, note in rows]
        text = "\n".join(table) + "\n"
        print(text)
        if os.environ.get("OUT"):
            with open(os.environ["OUT"], "w") as file:
                file.write(text)
        if not KEPT:
            shutil.rmtree(WORK, ignore_errors=True)


main()
