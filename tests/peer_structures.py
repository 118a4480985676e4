"""Workflow closes and timelines, changes to them, and receipts with either bolted on."""

from peer_changes import *


def root(leaves):
    level = [hashlib.sha256(x.encode()).digest() for x in leaves]
    if not level:
        return sha(b"")
    while len(level) > 1:
        level = [hashlib.sha256(level[i] + level[min(i + 1, len(level) - 1)]).digest() for i in range(0, len(level), 2)]
    return level[0].hex()


def close(rng, shape, rule, n):
    steps = [{"seq": i + 1, "receipt_id": uuid(rng), H: sha(b"%d" % rng.getrandbits(60))} for i in range(n)]
    leaves = ["%d:%s" % (s["seq"], s[H]) if rule == "seq-output-v1" else s["receipt_id"] for s in steps]
    doc = {"workflow_id": uuid(rng)}
    if shape == "api":
        doc = {"id": doc["workflow_id"], "count": n, "receipts": [{"id": s["receipt_id"], "step_index": s["seq"] - 1, H: s[H]} for s in steps]}
    elif shape == "full":
        doc.update({"type": "verifiable-workflow-receipt", "version": "1.0", "receipt_id": uuid(rng), "session_id": "morning", "goal": "Plan", "status": "completed",
                    H: sha(b"answer"), "verify_url": "https://harbour.example/verify"})
        doc["steps"] = [{"seq": s["seq"], "tool": "tide.table", "receipt_id": s["receipt_id"], "receipt_hash": s[H], H: s[H], "started_at": "2026-03-14T09:01:00Z",
                         "ended_at": "2026-03-14T09:01:02Z", "status": "success"} for s in steps]
    else:
        doc["steps"] = steps
    if rule != "absent":
        doc["merkle_version"] = rule
    doc["merkle_root"] = root(leaves)
    return doc


def bolt(good):
    def how(w):
        def do(m):
            extra = close(w.rng, "close", "seq-output-v1", 3)
            m.update(merkle_root=extra["merkle_root"] if good else "0" * 64, merkle_version="seq-output-v1", steps=extra["steps"])
        w.late.append(do)
    return how


def beside(good):
    """A workflow close around a receipt, in one object."""
    def how(w):
        extra = close(w.rng, "close", "seq-output-v1", 2)
        if not good:
            extra["merkle_root"] = "0" * 64
        w.around = lambda m: dict(extra, receipt=m)
    return how


change("bolt", "root", ("=intact",), bolt(True))
change("bolt", "wrong-root", ("merkle_root_mismatch",), bolt(False))
change("wrap", "beside-root", ("=intact",), beside(True))
change("wrap", "beside-wrong-root", ("merkle_root_mismatch",), beside(False))


def steps_of(d):
    return d.get("steps") or d["receipts"]


def number(d):
    return "seq" if "steps" in d else "step_index"


def identity(d):
    return "receipt_id" if "steps" in d else "id"


def each(d, name, value):
    for s in steps_of(d):
        if value is ...:
            s.pop(name, None)
        else:
            s[name] = value(s[name])


def again(d):
    """The leaves' root, for the members there are."""
    rule = d.get("merkle_version")
    rows = steps_of(d)
    plus = 0 if number(d) == "seq" else 1
    d["merkle_root"] = root(["%d:%s" % (s[number(d)] + plus, s[H]) if rule == "seq-output-v1" else s[identity(d)] for s in rows])


def repeat(d):
    rows = steps_of(d)
    if len(rows) < 2:
        return False
    rows[1][identity(d)] = rows[0][identity(d)]
    again(d)


def reverse(d):
    if len(steps_of(d)) < 2:
        return False
    steps_of(d).reverse()


def grow(d):
    rows = steps_of(d)
    if len(rows) % 2 == 0 or len(rows) < 3:
        return False
    rows.append(dict(rows[-1]))
    if "count" in d:
        d["count"] += 1


def one(d, name, value):
    s = steps_of(d)[-1]
    if value is ...:
        s.pop(name, None)
    else:
        s[name] = value(s[name]) if callable(value) else value


def v1(d):
    return d.get("merkle_version") == "seq-output-v1"


def need(test, how):
    return lambda d: how(d) if test(d) else False


def both_lists(d):
    if "steps" not in d:
        return False
    d["receipts"] = [{"id": s["receipt_id"], "step_index": s["seq"] - 1, H: s[H]} for s in d["steps"]]


def both_differ(d):
    if both_lists(d) is False:
        return False
    d["steps"][0]["receipt_id"], d["steps"][0][H] = OTHER, "0" * 64


WORKFLOW = (
    ("untouched", no, lambda d: None), ("labels", no, lambda d: d.update(status="failed", x=1)), ("root-other", ("merkle_root_mismatch",), lambda d: d.update(merkle_root="0" * 64)),
    ("root-upper", ("hash_syntax",), need(lambda d: d["merkle_root"].upper() != d["merkle_root"], lambda d: d.update(merkle_root=d["merkle_root"].upper()))),
    ("root-prefixed", ("hash_syntax",), lambda d: d.update(merkle_root="sha256:" + d["merkle_root"])), ("root-newline", ("hash_syntax",), lambda d: d.update(merkle_root=d["merkle_root"] + "\n")),
    ("root-null", ("wrong_type",), lambda d: d.update(merkle_root=None)), ("root-empty", ("hash_syntax",), lambda d: d.update(merkle_root="")),
    ("version-null", ("merkle_version_unsupported",), lambda d: d.update(merkle_version=None)), ("version-empty", ("merkle_version_unsupported",), lambda d: d.update(merkle_version="")),
    ("version-false", ("merkle_version_unsupported", "wrong_type"), lambda d: d.update(merkle_version=False)),
    ("version-other", ("merkle_version_unsupported",), lambda d: d.update(merkle_version="seq-output-v2")),
    ("shuffled", ("workflow_seq",), reverse), ("seq-from-0", ("workflow_seq",), lambda d: each(d, number(d), lambda n: n - 1)),
    ("seq-gap", ("workflow_seq",), lambda d: one(d, number(d), lambda n: n + 1)), ("seq-missing", ("missing_member",), lambda d: one(d, number(d), ...)),
    ("seq-null", ("wrong_type", "workflow_seq"), lambda d: one(d, number(d), None)), ("seq-text", ("wrong_type", "workflow_seq"), lambda d: one(d, number(d), lambda n: str(n))),
    ("seq-true", ("wrong_type", "workflow_seq"), lambda d: steps_of(d)[1 if number(d) != "seq" else 0].__setitem__(number(d), True) if len(steps_of(d)) > 1 else False),
    ("seq-false", ("wrong_type", "workflow_seq"), lambda d: steps_of(d)[0].__setitem__(number(d), False)),
    ("seq-half", ("wrong_type", "workflow_seq"), lambda d: one(d, number(d), lambda n: n + 0.5)),
    ("repeated-id", ("workflow_duplicate_id",), repeat), ("last-twice", ("workflow_duplicate_id", "workflow_seq"), grow),
    ("step-text", ("wrong_type",), lambda d: steps_of(d).append("step")), ("no-steps", ("missing_member",), lambda d: (steps_of(d).clear(), d.update(merkle_root=sha(b"")))[1]),
    ("id-empty", ("missing_member", "wrong_type", "id_syntax", "merkle_root_mismatch"), need(lambda d: not v1(d), lambda d: one(d, identity(d), ""))),
    ("id-missing", ("missing_member",), need(lambda d: not v1(d), lambda d: one(d, identity(d), ...))),
    ("id-other", ("merkle_root_mismatch",), need(lambda d: not v1(d), lambda d: one(d, identity(d), OTHER))), ("id-other-uncovered", no, need(v1, lambda d: one(d, identity(d), OTHER))),
    ("id-gone-uncovered", no, need(v1, lambda d: each(d, identity(d), ...))), ("id-number-uncovered", ("wrong_type",), need(v1, lambda d: one(d, identity(d), 7))),
    ("output-other", ("merkle_root_mismatch",), need(v1, lambda d: one(d, H, "0" * 64))), ("output-missing", ("missing_member",), need(v1, lambda d: one(d, H, ...))),
    ("output-upper", ("hash_syntax",), need(v1, lambda d: one(d, H, lambda h: h.upper() if h.upper() != h else h + "A"))), ("output-prefixed", no, need(v1, lambda d: each(d, H, lambda h: "sha256:" + h))),
    ("output-other-uncovered", no, need(lambda d: not v1(d), lambda d: one(d, H, "0" * 64))), ("output-gone-uncovered", no, need(lambda d: not v1(d), lambda d: each(d, H, ...))),
    ("output-bad-uncovered", ("hash_syntax",), need(lambda d: not v1(d), lambda d: one(d, H, "none"))),
    ("count-more", ("workflow_count",), lambda d: d.update(count=len(steps_of(d)) + 1)), ("count-null", ("wrong_type",), lambda d: d.update(count=None)),
    ("count-float", no, lambda d: d.update(count=Raw("%d.0" % len(steps_of(d))))), ("count-text", ("wrong_type",), lambda d: d.update(count=str(len(steps_of(d))))),
    ("count-true", ("wrong_type", "workflow_count"), lambda d: d.update(count=True)), ("both-lists", no, both_lists), ("both-differ", ("merkle_root_mismatch",), both_differ),
    ("id-only-step", ("missing_member", "wrong_type", "merkle_root_mismatch"), need(lambda d: "steps" in d and not v1(d), lambda d: [s.__setitem__("id", s.pop("receipt_id")) for s in d["steps"]] and None)),
    ("receipt-hash-bad", ("hash_syntax",), need(lambda d: "type" in d, lambda d: one(d, "receipt_hash", lambda h: "sha256:" + h))),
    ("text-output", ("hash_syntax",), need(lambda d: "type" in d, lambda d: d.update(output_hash="none"))),
)


def entry_digest(e):
    parts = {"close": e.get("close", False), "id": e["id"], "job_id": e["job_id"], H: sha(base64.b64decode(e["canonical_bytes"])), "prev_digest": e["prev_digest"],
             "provenance_class": e["provenance_class"], "seq": e["seq"], "tool": e["tool"]}
    return sha(json.dumps(parts, separators=(",", ":")).encode())


def chain(rng, n, old):
    job, last, rows = "night-%d" % rng.randint(1, 999), "0" * 64, []
    for i in range(n):
        data = committed(inner(rng))
        e = {"id": uuid(rng), "seq": i + 1, "job_id": job, "tool": rng.choice(TOOLS), "provenance_class": rng.choice(STATEMENTS), "canonical_bytes": b64(data), "prev_digest": last}
        if old:
            e = {"id": e["id"], "canonical_bytes": e["canonical_bytes"], "prev_digest": last}
        if i == n - 1:
            e["close"] = True
        last = sha(data) if old else entry_digest(e)
        rows.append(e)
    return rows, last


def chains(rng, serial):
    n = rng.randint(1, 6)
    old = serial % 5 == 4
    rows, last = chain(rng, n, old)
    tags, effects = {"chain.historical" if old else "chain.current"}, set()
    pick = serial % 6
    if pick == 1:
        rows[-1]["prev_digest"] = "1" * 64
        tags.add("chain.link")
        effects |= {"chain_link", "chain_genesis"}
    elif pick == 2:
        del rows[-1]["close"]
        tags.add("chain.open")
        effects |= {"chain_close"}
    if pick == 3:
        value = rows
    else:
        value = {"timeline": rows}
        if pick == 4 and not old:
            value["commitment"] = {"job_id": rows[0]["job_id"], "final_entry_digest": last, "entry_count": n, "published_at": "2026-03-15T00:00:00Z"}
            if serial % 12 == 4:
                value["commitment"]["entry_count"] = n + 1
                effects.add("commitment_mismatch")
                tags.add("chain.commitment")
    return Document("", dump(value, rng.choice(STYLES)).encode(), tags, effects)
