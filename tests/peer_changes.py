"""One-place changes to receipts and to what wraps them, each with the classes that aerscope may name for it."""

from peer_kit import *

published = lambda w: not w.transport
no = ()
CHANGES = []


def change(group, tag, effects, how):
    CHANGES.append((group, group + "." + tag, tuple(effects), how))


for tag, value in (("upper", "5B1D7A0E-93C4-4F0B-8A6D-2F7C1E90B3D4"), ("braces", "{5b1d7a0e-93c4-4f0b-8a6d-2f7c1e90b3d4}"), ("empty", ""),
                   ("newline", "5b1d7a0e-93c4-4f0b-8a6d-2f7c1e90b3d4\n"), ("bare", "5b1d7a0e93c44f0b8a6d2f7c1e90b3d4"), ("words", "receipt-17"),
                   ("urn", "urn:uuid:5b1d7a0e-93c4-4f0b-8a6d-2f7c1e90b3d4"), ("full-width", "５b1d7a0e-93c4-4f0b-8a6d-2f7c1e90b3d4")):
    change("id", tag, ("id_syntax",), put("id", value))
change("id", "nil", ("id_nil",), put("id", "00000000-0000-0000-0000-000000000000"))
change("id", "swapped", no, put("id", "7c1b2a90-0d5e-4c77-9b20-6a1f0e3d5c48"))
change("id", "version-7", no, put("id", "01901b2a-0d5e-7c77-9b20-6a1f0e3d5c48"))
for name in ("id", "provenance_class", "output_hash", "canonical_bytes", "verification_status", VERSION):
    for tag, value in (("null", None), ("number", 7), ("true", True), ("list", ["x"]), ("object", {"a": "b"})):
        if name != "canonical_bytes" or value is not None:
            change(name, "type-" + tag, ("wrong_type",), put(name, value))
change("canonical_bytes", "type-null", ("wrong_type",), where(lambda w: not w.transport, put("canonical_bytes", None)))
change("canonical_bytes", "gone-null", ("=unavailable",), where(lambda w: w.transport, put("canonical_bytes", None)))
change("canonical_bytes", "gone", ("=unavailable",), where(lambda w: w.transport, lambda w: w.drop("canonical_bytes")))
for name in ("id", "provenance_class", "output_hash", "verification_status"):
    change(name, "missing", ("missing_member",), lambda w, name=name: w.drop(name))
change("canonical_bytes", "missing", ("missing_member",), where(lambda w: not w.transport, lambda w: w.drop("canonical_bytes")))
change(VERSION, "missing", ("missing_member",), where(published, lambda w: w.drop(VERSION)))
change("time", "missing", ("missing_member",), lambda w: w.drop(w.time()))
change("time", "type-null", ("wrong_type",), put_time(None))
change("time", "type-number", ("wrong_type",), put_time(1773480413))
change("time", "both", no, where(lambda w: "created_at" in w.m, put("timestamp", "2026-03-14T09:26:53Z")))
for tag, value in (("space", "2026-03-14 09:26:53Z"), ("lower-t", "2026-03-14t09:26:53Z"), ("lower-z", "2026-03-14T09:26:53z"), ("no-zone", "2026-03-14T09:26:53"),
                   ("date", "2026-03-14"), ("comma", "2026-03-14T09:26:53,5Z"), ("empty", ""), ("newline", "2026-03-14T09:26:53Z\n"), ("words", "noon"),
                   ("full-width", "２026-03-14T09:26:53Z"), ("full-width-offset", "2026-03-14T09:26:53+0１:00"), ("bare-fraction", "2026-03-14T09:26:53.Z"),
                   ("full-width-fraction", "2026-03-14T09:26:53.５Z"), ("no-seconds", "2026-03-14T09:26Z")):
    change("time", tag, ("time_syntax",), put_time(value))
for tag, value in (("feb-30", "2026-02-30T09:26:53Z"), ("feb-29-1900", "1900-02-29T09:26:53Z"), ("hour-24", "2026-03-14T24:00:00Z"), ("second-60", "2016-12-31T23:59:60Z"),
                   ("month-13", "2026-13-01T00:00:00Z"), ("day-0", "2026-01-00T00:00:00Z"), ("year-0", "0000-01-01T00:00:00Z"), ("minute-60", "2026-01-01T00:60:00Z"),
                   ("offset-24", "2026-03-14T09:26:53+24:00"), ("offset-60", "2026-03-14T09:26:53+05:60"), ("offset-99", "2026-03-14T09:26:53-01:99")):
    change("time", tag, ("time_calendar",), put_time(value))
for tag, value in (("fraction-30", "2026-03-14T09:26:53." + "123456789" * 3 + "123Z"), ("minus-zero", "2026-03-14T09:26:53-00:00"), ("leap", "2024-02-29T23:59:59Z"),
                   ("year-1", "0001-01-02T00:00:00Z"), ("offset-2359", "2025-03-14T09:26:53+23:59")):
    change("time", tag, no, put_time(value))
for tag, value in (("future", "2999-01-01T00:00:00Z"), ("far-future", "9999-12-31T23:59:59Z"), ("future-offset", "9999-12-31T23:59:59-23:59"),
                   ("year-1-offset", "0001-01-01T00:00:00+23:59")):
    change("time", tag, no, put_time(value))
for part in ("name", "version", "scope"):
    for tag, value in (("missing", ...), ("empty", ""), ("null", None), ("number", 2)):
        change("tool", "%s-%s" % (part, tag), ("tool_invalid",), put_tool(**{part: value}))
change("tool", "more", no, put_tool(vendor="harbour"))
change("tool", "empty-object", ("tool_invalid",), where(published, put("tool", {})))
change("tool", "text", ("=intact",), where(lambda w: isinstance(w.m["tool"], dict), put("tool", "tide.table")))
change("tool", "empty-text", ("tool_invalid",), where(lambda w: isinstance(w.m["tool"], str), put("tool", "")))
change("tool", "missing", ("missing_member",), lambda w: w.drop("tool"))
for tag, value in (("null", None), ("number", 3), ("list", ["tide.table"])):
    change("tool", "type-" + tag, ("wrong_type",), put("tool", value))
for tag, value in (("text", "harbour"), ("null", None)):
    change("tool", "context-" + tag, ("wrong_type",), where(lambda w: "tool_context" in w.m, put("tool_context", value)))
change("tool", "context-short", ("tool_invalid",), where(lambda w: "tool_context" in w.m, put("tool_context", {"name": "tide.table"})))
for tag, value in (("garbage", "TRUST ME"), ("lower", "observed via gateway"), ("newline", "OBSERVED VIA GATEWAY\n"), ("empty", ""), ("nobody", "EXECUTED BY "),
                   ("slash", "EXECUTED BY A/B"), ("merged", "OBSERVED VIA GATEWAY, LOGGED BY AGENT"), ("look-alike", "ОBSERVED VIA GATEWAY")):
    change("provenance_class", tag, ("provenance_unknown",), put("provenance_class", value))
change("provenance_class", "other", no, put("provenance_class", "EXECUTED BY SOMEBODY ELSE"))
for tag, value in (("pending", "pending"), ("not-verified", "not_verified"), ("upper", "VERIFIED"), ("newline", "verified\n"), ("empty", "")):
    change("verification_status", tag, ("status_not_verified",), where(published, put("verification_status", value)))
for value in ("0.2", "0.4", "0.5", "1.0", "", "v0.3", "0.3 ", "0.30"):
    change(VERSION, "is-" + (value or "empty"), no, where(lambda w: VERSION in w.m, put(VERSION, value)))
change(VERSION, "type-fraction", ("wrong_type",), put(VERSION, Raw("0.3")))
for value in ("0.1", "0.2", "0.3", "0.4", "9.9", "9.9\n"):
    def change_inner(w, value=value):
        if not isinstance(w.payload, dict):
            return False
        w.payload[VERSION] = value
    change("payload", "version-" + value.strip(), no, change_inner)


def both_versions(value):
    def how(w):
        if not isinstance(w.payload, dict):
            return False
        w.payload[VERSION] = value
        w.payload["issuer_claims"] = {"provenance_class": w.m["provenance_class"]}
        w.put(VERSION, value)
    return how


for value in ("0.1", "0.4", "0.5", "9.9"):
    change("payload", "both-versions-" + value, no, both_versions(value))
for tag, value in (("other", "EXECUTED BY SOMEBODY ELSE"), ("number", 7)):
    def change_claim(w, value=value):
        if not isinstance(w.payload, dict):
            return False
        w.payload["issuer_claims"] = {"provenance_class": value}
    change("payload", "class-" + tag, no, change_claim)
change("metadata_hash", "missing", no, where(lambda w: w.base == "0.4", lambda w: w.drop("metadata_hash")))

for tag, value in (("empty", b""), ("words", "High water 04:12 — 潮".encode()), ("mark", b'\xef\xbb\xbf{"a":1}'), ("control", b"\x00\x01\n"), ("cut-json", b'{"inputs":{'),
                   ("two-values", b"{}{}"), ("huge-number", b'{"n":' + b"7" * 5000 + b"}")):
    change("payload", tag, no, payload(value))
for tag, value in (("not-sorted", b'{"z":1,"a":2}'), ("spaced", b'{"a": 1}'), ("newline-after", b'{"a":1}\n'), ("escaped", b'{"a":"\\u00f8"}'), ("slash", b'{"a":"\\/"}'),
                   ("exponent", b'{"n":1e5}'), ("trailing-zero", b'{"n":1.50}'), ("long-fraction", b'{"n":0.12345678901234567890123}'), ("double", b'{"a":1,"a":1}'),
                   ("surrogate", b'{"a":"\\ud800"}'), ("upper-exponent", b'{"n":1E+2}'), ("infinite", b'{"n":1e999}')):
    change("payload", tag, no, payload(value))
for tag, value in (("list", b"[1,2]"), ("text", b'"plain"'), ("number", b"17"), ("null", b"null"), ("nan", b'{"n":NaN}'), ("minus-zero", b'{"n":-0.0}'), ("integer-minus-zero", b'{"n":-0}')):
    change("payload", "json-" + tag, no, payload(value))
change("payload", "deep", no, payload(b"[" * 3000 + b"]" * 3000))
for tag, value in (("ff", b"\xff\xfe"), ("overlong", b"\xc0\xaf"), ("surrogate-bytes", b"\xed\xa0\x80"), ("latin-1", "ø".encode("latin-1")), ("beyond", b"\xf4\x90\x80\x80")):
    change("payload", "utf8-" + tag, ("utf8_invalid",), payload(value))

B = "canonical_bytes"
for tag, how in (("newline-inside", lambda t: t[:8] + "\n" + t[8:]), ("newline-after", lambda t: t + "\n"), ("space", lambda t: " " + t), ("url", lambda t: t[:4] + "-_" + t[6:]),
                 ("star", lambda t: t[:5] + "*" + t[6:]), ("full-width", lambda t: "Ａ" + t[1:]), ("data-url", lambda t: "data:;base64," + t)):
    change(B, tag, ("base64_alphabet", "base64_padding"), late((B, how)))
for tag, how in (("surplus", lambda t: t.rstrip("=") + "===="), ("inside", lambda t: t[:4] + "=" + t[5:] if len(t) > 9 else t + "="), ("length", lambda t: t.rstrip("=")[:-1] + "AAAAA" if len(t.rstrip("=")) % 4 == 1 else t + "A")):
    change(B, tag, ("base64_padding", "base64_alphabet"), late((B, how)))


def if_padded(effects, how):
    def do(w):
        if len(w.bytes()) % 3 == 0:
            return False
        late((B, how))(w)
    return do


change(B, "no-padding", ("base64_padding", "digest_mismatch"), if_padded((), lambda t: t.rstrip("=")))
change(B, "pad-bits", ("base64_noncanonical", "digest_mismatch"), if_padded((), pad_bits))
change(B, "other", ("digest_mismatch",), put(B, b64(b'{"other":1}')))
change(B, "half", ("digest_mismatch",), where(lambda w: len(w.bytes()) > 12, late((B, lambda t: t[:8]))))
H = "output_hash"
for tag, how in (("upper", lambda t: t[:7] + t[7:].upper() + ("A" if not any(c in "abcdef" for c in t[7:]) else "")), ("bare", lambda t: t[7:]), ("newline", lambda t: t + "\n"), ("short", lambda t: t[:-1]), ("long", lambda t: t + "0"),
                 ("sha512", lambda t: "sha512:" + t[7:]), ("prefix-upper", lambda t: "SHA256:" + t[7:]), ("space", lambda t: t + " "), ("empty", lambda t: "")):
    change(H, tag, ("hash_syntax",), late((H, how)))
for tag, how in (("other", lambda t: "sha256:" + sha(t.encode())), ("zeros", lambda t: "sha256:" + "0" * 64), ("last-digit", lambda t: t[:-1] + ("0" if t[-1] != "0" else "1"))):
    change(H, tag, ("digest_mismatch",), late((H, how)))
change("algorithm", "right", no, put("hash_algorithm", "sha256"))
change("algorithm", "type-null", ("wrong_type",), put("hash_algorithm", None))
change("algorithm", "type-number", ("wrong_type",), put("hash_algorithm", 256))
for tag, value in (("upper", "SHA256"), ("hyphen", "sha-256"), ("sha512", "sha512"), ("empty", ""), ("newline", "sha256\n")):
    change("algorithm", tag, ("hash_algorithm_unsupported",), put("hash_algorithm", value))


def length(effects, how):
    return lambda w: w.late.append(lambda m: m.__setitem__("canonical_byte_length", how(len(w.bytes()))))


L = "length"
change(L, "right", no, length(no, lambda n: n))
for tag, how in (("more", lambda n: n + 1), ("negative", lambda n: -1 - n), ("large", lambda n: 10 ** 30 + n)):
    change(L, tag, ("length_mismatch",), length(no, how))
for tag, how in (("point-zero", lambda n: Raw("%d.0" % n)), ("exponent", lambda n: Raw("%de0" % n)), ("point-half", lambda n: Raw("%d.5" % n))):
    change(L, tag, ("length_mismatch", "wrong_type"), length(no, how))
for tag, how in (("text", lambda n: str(n)), ("null", lambda n: None), ("true", lambda n: True), ("list", lambda n: [n])):
    change(L, "type-" + tag, ("wrong_type",), length(no, how))
change(L, "true-for-one", ("wrong_type",), lambda w: (payload(b"7")(w), put("canonical_byte_length", True)(w))[0])

for tag, value in (("text", "hello"), ("steps", []), ("nested", {"a": [1, {"b": None}]}), ("signature", {"key": "ab", "value": "cd"}), ("number", Raw("-0")), ("long-number", Raw("9" * 60)), ("exponent", Raw("1E400"))):
    change("member", tag, no, put("x_note", value))
change("member", "huge-number", no, put("x_note", Raw("9" * 5000)))
for tag in ("NaN", "Infinity", "-Infinity"):
    change("member", tag, ("json_syntax",), put("x_note", Raw(tag)))
for tag, value in (("hex", "0x10"), ("plus", "+1"), ("leading-zero", "01"), ("single-quotes", "'a'"), ("comment", "1/*a*/"), ("raw-tab", '"\t"'), ("escape", '"\\x41"')):
    change("member", tag, ("json_syntax",), put("x_note", Raw(value)))
for tag, value in (("high", '"\\ud83d"'), ("low", '"\\udc00"'), ("reversed", '"\\udc00\\ud83d"')):
    change("member", "surrogate-" + tag, ("json_surrogate",), put("x_note", Raw(value)))
change("member", "surrogate-pair", no, put("x_note", Raw('"\\ud83d\\ude00"')))
for levels, effects in ((100, no), (127, no), (128, ("json_depth",)), (400, ("json_depth",)), (5000, ("json_depth",))):
    change("member", "depth-%d" % levels, effects, put("x_note", nested(levels)))
D = ("duplicate_member",)
change("duplicate", "same", D, lambda w: w.late.append(lambda m: front(m, '"id":' + json.dumps(m.get("id"), default=lambda o: 0))))
change("duplicate", "id-first", D, duplicate("id", "7c1b2a90-0d5e-4c77-9b20-6a1f0e3d5c48"))
change("duplicate", "hash-first", D + ("digest_mismatch",), duplicate(H, "sha256:" + "0" * 64))
change("duplicate", "escaped", D, duplicate("\\u0069d", "x"))
change("duplicate", "unknown", D, put("x_twice", Raw('1,"x_twice":2')))
change("duplicate", "deep", D, put("x_deep", Raw('{"a":{"b":1,"b":1}}')))
change("duplicate", "class-after", D, put("x_last", Raw('1,"provenance_class":"EXECUTED BY A","provenance_class":"LOGGED BY AGENT"')))

change("text", "mark", no, text(lambda d: b"\xef\xbb\xbf" + d))
change("text", "mark-twice", ("json_syntax",), text(lambda d: b"\xef\xbb\xbf\xef\xbb\xbf" + d))
change("text", "outer-space", no, text(lambda d: b"\r\n \t" + d + b"\n\n"))
change("text", "cut", ("json_truncated",), text(lambda d: d[:-1]))
change("text", "cut-half", ("json_truncated", "json_syntax"), text(lambda d: d[:len(d) // 2]))
change("text", "after", ("json_syntax",), text(lambda d: d + b" x"))
change("text", "comma-after", ("json_syntax",), text(lambda d: d[:-1] + b",}" if d.endswith(b"}") else d + b","))
change("text", "nul-after", ("json_syntax",), text(lambda d: d + b"\x00"))
change("text", "form-feed", ("json_syntax",), text(lambda d: b"\x0c" + d))
change("text", "utf-16", ("json_encoding",), text(lambda d: d.decode("utf-8", "replace").encode("utf-16")))
change("text", "latin-1", ("json_encoding",), text(lambda d: d[:-1] + b',"x":"\xe9"}'))
change("text", "overlong", ("json_encoding",), text(lambda d: d[:-1] + b',"x":"\xc0\x80"}'))
change("text", "empty", ("empty_file",), text(lambda d: b" \n"))


def anchored(**parts):
    def how(w):
        def do(m):
            anchor = {"log": "https://log.harbour.example/aer1", "leaf_hash": m[H], "anchored_at": "2026-03-14T09:27:00Z", "proof": {"index": 4}}
            anchor.update(parts)
            m["anchor"] = anchor
        w.late.append(do)
    return how


for tag, parts in (("good", {}), ("unresolvable", {"log": "https://log.invalid/x"}), ("leaf", {"leaf_hash": "sha256:" + "1" * 64}), ("more", {"x": 1}), ("time", {"anchored_at": "2026-02-30T00:00:00Z"})):
    change("anchor", tag, no, anchored(**parts))
for tag, value in (("relays", {"event_id": "aa", "relays": []}), ("text", "none"), ("null", None)):
    change("anchor", tag, no, put("anchor", value))


def wrapped(make):
    def how(w):
        w.around = make
    return how


def event(m, **other):
    e = {"specversion": "1.0", "id": m.get("id"), "source": "/tools/x", "type": "dev.zambo.aer1.receipt.v1", "data": m}
    tool = m.get("tool")
    e["source"] = "/tools/%s" % (tool.get("name") if isinstance(tool, dict) else tool)
    e.update(other)
    if not isinstance(e["id"], str):
        del e["id"]
    return e


OTHER = "0c9e6f14-38b5-4b12-8d4e-f1a7305c92de"
plain = (",", ":", False)
for tag, effects, make in (
        ("endpoint", no, lambda m: {"receipt": m}), ("endpoint-id", no, lambda m: {"ok": True, "id": m.get("id"), "receipt": m}),
        ("endpoint-other-id", ("envelope_mismatch",), lambda m: {"id": OTHER, "receipt": m}),
        ("event", no, event), ("event-other-id", ("envelope_mismatch",), lambda m: event(m, id=OTHER)),
        ("event-other-class", ("envelope_mismatch",), lambda m: event(m, aer1provenance="LOGGED BY NOBODY")),
        ("event-other-source", ("envelope_mismatch",), lambda m: event(m, source="/tools/another")),
        ("bus", no, lambda m: {"detail-type": "receipt", "detail": event(m)}),
        ("call", no, lambda m: {"jsonrpc": "2.0", "id": 7, "result": {"_receipt": m}}), ("member", no, lambda m: {"_receipt": m}),
        ("array", no, lambda m: [m]), ("array-two", no, lambda m: [m, m]),
        ("lines", no, lambda m: (dump(m, plain) + "\n\n" + dump(m, plain) + "\n").encode("utf-8", "surrogatepass")),
        ("events", no, lambda m: ("event: receipt\ndata: " + dump(m, plain) + "\n\n").encode("utf-8", "surrogatepass"))):
    change("wrap", tag, effects, wrapped(make))


def around(good_outside, good_inside):
    """Verify-endpoint wrapper with bytes of its own."""
    def make(m):
        outer = {"id": m.get("id"), B: b64(b'{"outer":1}'), H: "sha256:" + sha(b'{"outer":1}')}
        if not good_outside:
            outer[H] = "sha256:" + "2" * 64
        for name in (VERSION, "created_at", "timestamp", "tool", "provenance_class", "verification_status", "status"):
            if name in m:
                outer[name] = m[name]
        if not good_inside:
            m = dict(m, **{H: "sha256:" + "3" * 64})
        outer["receipt"] = m
        return outer
    return make


for tag, outside, inside in (("bytes", True, True), ("bytes-bad", False, True), ("bytes-inner-bad", True, False)):
    change("wrap", "endpoint-" + tag, ("=intact",) if outside and inside else ("digest_mismatch",), where(lambda w: w.base != "0.4", wrapped(around(outside, inside))))
