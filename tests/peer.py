#!/usr/bin/env python3
"""Compares aerscope with the public offline verifier, document by document.

    pip install aer1-verify==0.2.19
    cargo build --release
    python3 tests/peer.py [--aerscope target/release/aerscope] [--count 12000] [--seed 1] [--keep DIR]

The documents (tests/peer_documents.py) are generated, the same for the same seed and count. The peer runs in this process through
its own command line with --json; aerscope reads all files in one run. A pass is exit status 0 of the peer, and of aerscope a
receipt that is `verified`, a chain or a workflow that is `intact`, every record of the file. Each disagreement must fall in a row
below, and every row must stand in docs/peers.md. Each answer of ours must also be one that the change to the document calls for.

Exit status: 0 all is so, 1 it is not, 2 the peer or aerscope is not there.
"""

import argparse
import collections
import contextlib
import fnmatch
import io
import json
import os
import re
import subprocess
import sys
import tempfile
import time

import peer_documents

HERE = os.path.dirname(os.path.abspath(__file__))

# Short names of the peer's checks; one that is not here stands under its own name and has no row.
CHECKS = (("input is a JSON object", "object"), ("required fields present", "required"), ("canonical JSON parses", "parses"), ("canonical form re-encodes", "reencodes"),
          ("receipt_schema_version: outer", "version"), ("provenance binding", "binding"), ("timestamp is not in the future", "future"), ("created_at/timestamp is a real", "calendar"))

# The peer passes and aerscope does not: row, the classes or headlines (=) that speak, the changes that call for them.
# None stands for any class: `unexpected` holds it to the document's own.
PEER_PASSES = (
    ("second-kind", None, ("bolt.*", "wrap.beside-*", "wrap.endpoint-bytes*")),
    ("transport-receipt", ("=intact",), ("base.transport-*",)),
    ("legacy-shape", ("=intact",), ("base.legacy-*", "tool.text")),
    ("labels-claimed", ("=intact",), ("base.0.4",)),
    ("id-form", ("id_syntax",), ("id.*",)),
    ("member-missing", ("missing_member",), ("*.missing", "tool.text", "tool.type-*")),
    ("member-type", ("wrong_type",), ("*.type-*", "tool.context-*")),
    ("length-spelling", ("wrong_type",), ("length.point-zero", "length.exponent", "length.true-for-one")),
    ("tool-parts", ("tool_invalid",), ("tool.*",)),
    ("class-words", ("provenance_unknown",), ("provenance_class.*",)),
    ("class-within", ("provenance_mismatch",), ("payload.class-*", "provenance_class.*")),
    ("status-words", ("status_not_verified",), ("verification_status.*",)),
    ("version-within", ("version_mismatch",), ("payload.version-*", "payload.both-versions-*", "receipt_schema_version.is-*")),
    ("version-unknown", ("version_unsupported",), ("payload.version-*", "payload.both-versions-*", "receipt_schema_version.is-*")),
    ("metadata-hash", ("metadata_hash_missing",), ("metadata_hash.missing", "payload.both-versions-0.4", "receipt_schema_version.is-0.4")),
    ("offset-minutes", ("time_calendar",), ("time.offset-60", "time.offset-99")),
    ("not-a-number", ("json_syntax",), ("member.NaN", "member.Infinity", "member.-Infinity")),
    ("lone-surrogate", ("json_surrogate",), ("member.surrogate-*",)),
    ("depth", ("json_depth",), ("member.depth-*",)),
    ("member-twice", ("duplicate_member",), ("duplicate.*",)),
    ("wrapper-id", ("envelope_mismatch",), ("wrap.endpoint-other-id",)),
    ("workflow-hash-spelling", ("hash_syntax",), ("workflow.root-upper", "workflow.root-prefixed", "workflow.output-upper")),
    ("workflow-uncovered-hash", ("hash_syntax",), ("workflow.output-bad-uncovered", "workflow.receipt-hash-bad", "workflow.text-output")),
    ("workflow-order", ("workflow_seq",), ("workflow.shuffled",)),
    ("workflow-number-type", ("workflow_seq",), ("workflow.seq-true", "workflow.seq-false")),
    ("workflow-count-type", ("wrong_type",), ("workflow.count-null", "workflow.count-true")),
    ("workflow-step-type", ("wrong_type",), ("workflow.id-number-uncovered",)),
    ("workflow-step-name", ("missing_member",), ("workflow.id-only-step",)),
    ("workflow-repeated-id", ("workflow_duplicate_id",), ("workflow.repeated-id",)),
    ("workflow-void-version", ("merkle_version_unsupported",), ("workflow.version-null", "workflow.version-empty", "workflow.version-false")),
    ("workflow-two-lists", ("merkle_root_mismatch",), ("workflow.both-differ",)),
)

# aerscope passes and the peer does not: row, the peer's checks that fail, the documents on which they may.
OURS_PASSES = (
    ("wrapper-unknown", ("required",), ("wrap.event", "wrap.bus", "wrap.call", "wrap.member")),
    ("workflow-wrapped", ("required",), ("workflow-in.endpoint", "workflow-in.event")),
    ("list", ("object",), ("wrap.array", "wrap.array-two", "workflow-in.array")),
    ("lines", ("error:json",), ("wrap.lines", "wrap.events")),
    ("timeline", ("required", "object"), ("chain.current", "chain.historical")),
    ("byte-order-mark", ("error:json",), ("text.mark",)),
    ("long-number", ("error:json",), ("member.huge-number",)),
    ("payload-not-json", ("parses",), ("payload.*",)),
    ("payload-spelling", ("reencodes",), ("payload.*",)),
    ("payload-depth", ("crash:RecursionError",), ("payload.deep",)),
    ("version-0.1", ("version", "binding"), ("base.0.1", "payload.both-versions-0.1", "payload.version-0.1")),
    ("future-time", ("future",), ("time.future", "time.far-future", "time.future-offset")),
)


def peer_answer(peer, path):
    """(pass or not, set of what failed) by the peer's own command line."""
    out, err = io.StringIO(), io.StringIO()
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            status = peer.main(["aer1-verify", path, "--json"])
    except Exception as e:  # an uncaught error ends its command line with a traceback and status 1
        return False, {"crash:" + type(e).__name__}
    if status == 2:
        return False, {"error:json" if "not valid JSON" in err.getvalue() else "error:other"}
    failed = set()
    for check in json.loads(out.getvalue())["checks"]:
        if not check["ok"]:
            failed.add(next((short for start, short in CHECKS if check["check"].startswith(start)), check["check"]))
    return status == 0, failed


def our_answers(aerscope, paths):
    """Reports by path."""
    run = subprocess.run([aerscope, "verify", "--format", "jsonl", "--files-from", "-"], input="\n".join(paths).encode(), capture_output=True)
    if run.returncode not in (0, 1, 3):
        sys.exit("aerscope: status %d: %s" % (run.returncode, run.stderr.decode("utf-8", "replace")))
    found = collections.defaultdict(list)
    for line in run.stdout.decode("utf-8").splitlines():
        report = json.loads(line)
        found[report["path"]].append(report)
    return found


def passes(report):
    return report["headline"] == ("intact" if report["kind"] in ("chain", "workflow") else "verified")


def spoken(report):
    return report["class"] or "=" + report["headline"]


def any_tag(tags, patterns):
    return any(fnmatch.fnmatch(t, p) for t in tags for p in patterns)


def row_of(document, peer_passes, failed, reports):
    """The row of a disagreement, or None."""
    if peer_passes:
        said = {spoken(r) for r in reports if not passes(r)}
        return next((row for row, classes, tags in PEER_PASSES if (classes is None or said <= set(classes)) and any_tag(document.tags, tags)), None)
    fitting = [(row, set(checks)) for row, checks, tags in OURS_PASSES if any_tag(document.tags, tags) and failed & set(checks)]
    if not failed or failed - set().union(*(c for _, c in fitting)):
        return None
    return fitting[0][0]


def unexpected(document, reports):
    """Whether our answer is not one that the rules give for what was done."""
    if not document.effects:
        return not all(passes(r) for r in reports) or any(spoken(r)[0] != "=" and r["class"] != "chain_historical" for r in reports)
    # The worst that the changes call for has to speak: a fault, else nothing to compare, else less than verified.
    called = max((group for group in groups(document.effects) if group[1]), key=lambda group: group[0])[1]
    return not reports or any(passes(r) or spoken(r) not in called for r in reports)


def groups(effects):
    """The effects by rank."""
    ranks = collections.defaultdict(set)
    for e in effects:
        ranks[0 if e in ("=intact", "status_not_verified") else 1 if e in ("=unavailable", "=not_receipt", "provider_error") else 2].add(e)
    return ranks.items()


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--aerscope", default=os.path.join(HERE, "..", "target", "release", "aerscope"))
    options.add_argument("--count", type=int, default=12000)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--keep", help="a folder for the documents")
    options = options.parse_args()
    try:
        import aer1_verify as peer
    except ImportError:
        print("peer: the peer is not installed: pip install aer1-verify==0.2.19", file=sys.stderr)
        return 2
    if not os.access(options.aerscope, os.X_OK):
        print("peer: %s is not there: cargo build --release, or --aerscope FILE" % options.aerscope, file=sys.stderr)
        return 2
    with open(os.path.join(HERE, "..", "docs", "peers.md"), encoding="utf-8") as f:
        written = set(re.findall(r"^\| `([a-z0-9.-]+)` \|", f.read(), re.M))
    with tempfile.TemporaryDirectory() as folder:
        return compare(peer, options, written, options.keep or folder)


def compare(peer, options, written, folder):
    os.makedirs(folder, exist_ok=True)
    began = time.monotonic()
    documents = peer_documents.documents(options.seed, options.count)
    for d in documents:
        d.path = os.path.join(folder, d.name + ".json")
        with open(d.path, "wb") as f:
            f.write(d.data)
    ours = our_answers(options.aerscope, [d.path for d in documents])
    rows, strangers, faults = collections.defaultdict(list), [], []
    agreed = collections.Counter()
    for d in documents:
        reports = ours.get(d.path, [])
        our_pass = bool(reports) and all(passes(r) for r in reports)
        peer_pass, failed = peer_answer(peer, d.path)
        answers = (d, peer_pass, failed, reports)
        if unexpected(d, reports):
            faults.append(answers)
        if our_pass == peer_pass:
            agreed[our_pass] += 1
            continue
        row = row_of(*answers)
        (rows[row] if row else strangers).append(answers)
    print("aer1-verify %s, %d documents, seed %d, %.1f s" % (peer.VERSION, len(documents), options.seed, time.monotonic() - began))
    print("both pass %d, neither passes %d, disagreements %d" % (agreed[True], agreed[False], sum(map(len, rows.values())) + len(strangers)))
    print("%-26s %6s  %-5s %-28s %s" % ("row", "count", "peer", "ours", "example"))
    for row, _, _ in PEER_PASSES + OURS_PASSES:
        for d, peer_pass, failed, reports in rows[row][:1]:
            said = "pass" if not peer_pass else ", ".join(sorted({spoken(r) for r in reports if not passes(r)}))
            print("%-26s %6d  %-5s %-28s %s %s" % (row, len(rows[row]), "pass" if peer_pass else "fail", said, d.name, " ".join(sorted(d.tags))))
    bad = 0
    for title, found in (("in no row", strangers), ("an answer of ours that the change does not call for", faults)):
        for d, peer_pass, failed, reports in found[:40]:
            print("%s: %s %s: peer %s %s, ours %s, expected %s" % (title, d.name, " ".join(sorted(d.tags)), "pass" if peer_pass else "fail", sorted(failed),
                                                                sorted({spoken(r) for r in reports}), sorted(d.effects) or "a pass"))
        if found:
            print("%s: %d" % (title, len(found)))
            bad += len(found)
    unwritten = {r for r in rows if rows[r]} - written
    empty = [row for row, _, _ in PEER_PASSES + OURS_PASSES if not rows[row]]
    stale = written - {row for row, _, _ in PEER_PASSES + OURS_PASSES}
    for title, names in (("not in docs/peers.md", unwritten), ("a row without a disagreement", empty), ("in docs/peers.md and not in this script", stale)):
        if names:
            print("%s: %s" % (title, ", ".join(sorted(names))))
    return 1 if bad or unwritten or empty or stale else 0


if __name__ == "__main__":
    sys.exit(main())
