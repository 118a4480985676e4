"""Documents for tests/peer.py: receipts, chains and workflows of our own invention, and one or two changes to each.

Every document carries what was done to it (tags) and the classes that aerscope may name for it (effects); a
document without effects must pass. The same seed and count give the same bytes.
"""

import fnmatch
import random

from peer_structures import *

OTHERS = ({}, [], None, 7, "text", True, {"a": 1}, [1, 2], {"jsonrpc": "2.0", "id": 1, "error": {"code": 1, "message": "no"}}, {"jsonrpc": "2.0", "id": 1},
          {"job_id": "a", "final_entry_digest": "0" * 64, "entry_count": 2, "published_at": "2026-03-15T00:00:00Z"}, {"receipt": {}}, {"receipt": None}, {"steps": []}, {"merkle_root": "0" * 64},
          {"projection_of": OTHER, "id": OTHER, "original_output_hash": "sha256:" + "0" * 64})


CLASHES = (
    ("text.*", "wrap.lines"), ("text.*", "wrap.events"),  # not one JSON value, so the change means something else
    ("member.depth-127", "wrap.*"),  # one level too many
    ("duplicate.*", "*.missing"),  # no longer twice
    ("bolt.*", "canonical_bytes.missing"), ("bolt.*", "canonical_bytes.gone"),  # a workflow close and nothing else
    ("canonical_bytes.gone*", "*.missing"), ("canonical_bytes.gone*", "payload.*"), ("canonical_bytes.gone*", "length.*"),  # nothing left to miss or compare
    ("canonical_bytes.gone*", "output_hash.*"), ("canonical_bytes.gone*", "tool.*"), ("canonical_bytes.gone*", "time.*"),
    ("canonical_bytes.missing", "output_hash.missing"),  # no receipt any more
    ("canonical_bytes.no-padding", "payload.*"), ("canonical_bytes.pad-bits", "payload.*"),
    ("canonical_bytes.no-padding", "length.true-for-one"), ("canonical_bytes.pad-bits", "length.true-for-one"),
)


def clash(tags):
    """Whether one change takes away what another is about."""
    return any(fnmatch.filter(tags, a) and fnmatch.filter(tags, b) for a, b in CLASHES)


def documents(seed, count):
    """At least `count` documents: every change alone on every base it applies to, then workflows, chains, and pairs of changes."""
    rng = random.Random(seed)
    made = []

    def add(document):
        document.name = "%05d" % len(made)
        made.append(document)

    def receipt(base, changes):
        if clash([c[1] for c in changes]):
            return False
        w = Work(base, rng)
        for _, tag, effects, how in changes:
            if how(w) is False:
                return False
            w.tags.add(tag)
            w.effects |= set(effects)
        add(w.finish(""))
        return True

    for base in BASES:
        for _ in range(24):
            receipt(base, ())
        for c in CHANGES:
            receipt(base, (c,))
    for inside in (c for c in CHANGES if c[0] == "bolt"):
        for outside in (c for c in CHANGES if c[0] == "wrap"):
            for base in ("0.3", "0.3-inner", "transport-full"):
                receipt(base, (inside, outside))
    for shape in ("api", "full", "close"):
        for rule in ("seq-output-v1", "receipt-id-v0", "absent"):
            for tag, effects, how in WORKFLOW:
                for n in (1, 2, 3, 5, 8):
                    doc = close(rng, shape, rule, n)
                    if how(doc) is False:
                        continue
                    tags = {"workflow." + tag, "workflow-shape." + shape}
                    found = set(effects)
                    if tag == "count-true" and n > 1:
                        found.add("workflow_count")
                    around = rng.randint(0, 19)
                    if around == 0:
                        doc, tags = {"receipt": doc}, tags | {"workflow-in.endpoint"}
                    elif around == 1:
                        doc, tags = {"specversion": "1.0", "data": doc}, tags | {"workflow-in.event"}
                    elif around == 2:
                        doc, tags = [doc], tags | {"workflow-in.array"}
                    add(Document("", dump(doc, rng.choice(STYLES)).encode(), tags, found))
    for serial in range(360):
        add(chains(rng, serial))
    for value in OTHERS:
        add(Document("", dump(value, plain).encode(), {"other.kind"}, {"=not_receipt", "=unavailable", "provider_error"}))
    groups = sorted({c[0] for c in CHANGES})
    by_group = {g: [c for c in CHANGES if c[0] == g] for g in groups}
    while len(made) < count:
        first, second = sorted(rng.sample(groups, 2))
        receipt(rng.choice(BASES), (rng.choice(by_group[first]), rng.choice(by_group[second])))
    return made
