"""Documents for tests/peer.py: receipts, chains and workflows of our own invention, and one or two changes to each.

Every document carries what was done to it (tags) and the classes that aerscope may name for it (effects); a
document without effects must pass. The same seed and count give the same bytes.
"""

import base64
import fnmatch
import hashlib
import json
import random

VERSION = "receipt_schema_version"
KNOWN = ("0.1", "0.2", "0.3", "0.4")
STATEMENTS = ("OBSERVED VIA GATEWAY", "LOGGED BY AGENT", "EXECUTED BY HARBOUR OFFICE 2", "EXECUTED BY A")
TOOLS = ("tide.table", "berth-plan", "wetter.küste", "海図.読む", "a\"b\\c")
TEXTS = ("high water 04:12", "Brønnøysund", "潮汐", "🛶 and a pole", "tab\tand \"quotes\" \\ /", "\u0001\u001f\u007f", "e\u0301", "")


class Raw:
    """A JSON value with its spelling."""

    def __init__(self, text):
        self.text = text


class Document:
    def __init__(self, name, data, tags, effects):
        self.name, self.data, self.tags, self.effects = name, data, frozenset(tags), frozenset(effects)


def dump(value, style):
    """One JSON text. Style: separators, whether non-ASCII is escaped, indent."""
    if isinstance(value, Raw):
        return value.text
    comma, colon, ascii_only = style
    if isinstance(value, dict):
        return "{" + comma.join(json.dumps(k, ensure_ascii=ascii_only) + colon + dump(v, style) for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + comma.join(dump(v, style) for v in value) + "]"
    return json.dumps(value, ensure_ascii=ascii_only)


STYLES = ((",", ":", False), (", ", ": ", False), (",\n  ", ": ", False), (",", ":", True), (" ,\r\n", " : ", True))


def committed(value):
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def sha(data):
    return hashlib.sha256(data).hexdigest()


def b64(data):
    return base64.b64encode(data).decode()


def uuid(rng):
    h = "%032x" % rng.getrandbits(128)
    return "-".join((h[:8], h[8:12], "4" + h[13:16], rng.choice("89ab") + h[17:20], h[20:]))


def moment(rng):
    fraction = rng.choice(("", ".5", ".589", ".123456", ".123456789"))
    zone = rng.choice(("Z", "Z", "+00:00", "-03:30", "+14:00"))
    return "20%02d-%02d-%02dT%02d:%02d:%02d%s%s" % (rng.randint(0, 25), rng.randint(1, 12), rng.randint(1, 28),
                                                   rng.randint(0, 23), rng.randint(0, 59), rng.randint(0, 59), fraction, zone)


def inner(rng):
    def value(depth):
        pick = rng.randint(0, 8)
        if pick < 3 or depth > 3:
            return rng.choice(TEXTS)
        if pick < 5:
            return rng.choice((0, -7, 12, 10 ** 29 + 7, 1.5, -0.25, 1e16, True, False, None))
        if pick < 7:
            return {rng.choice(("a", "b", "ø", "Z", "depth", "潮")): value(depth + 1) for _ in range(rng.randint(0, 3))}
        return [value(depth + 1) for _ in range(rng.randint(0, 3))]
    return {"inputs": {"day": "2026-%02d-14" % rng.randint(1, 12), "more": value(0)}, "outputs": value(0), "tool": rng.choice(TOOLS)}


class Work:
    """A record being made."""

    def __init__(self, base, rng):
        self.base, self.rng = base, rng
        self.tags, self.effects = {"base." + base}, set()
        self.payload = inner(rng)
        self.late, self.text, self.around = [], [], None
        self.style = rng.choice(STYLES)
        tool = rng.choice(TOOLS)
        statement = rng.choice(STATEMENTS)
        self.transport = base.startswith("transport")
        m = {"id": uuid(rng)}
        if self.transport:
            m.update(tool=tool, timestamp=moment(rng), status=rng.choice(("success", "failed")))
            if base == "transport-full":
                m[VERSION] = "0.3"
                m["tool_context"] = {"name": tool, "version": "2.3.0", "scope": "harbour"}
                m["hash_algorithm"] = "sha256"
            else:
                self.payload[VERSION] = rng.choice(("0.2", "0.3"))
            self.effects.add("=intact")
        else:
            m[VERSION] = "0.3"
            if base == "legacy-time":
                m["timestamp"] = moment(rng)
            else:
                m["created_at"] = moment(rng)
            m["tool"] = tool if base == "legacy-tool" else {"name": tool, "version": "2.3.0", "scope": "harbour"}
            if base.startswith("legacy"):
                self.effects.add("=intact")
        if base in ("0.1", "0.2", "0.4"):
            m[VERSION] = base
        if base in ("0.4", "0.3-inner"):
            self.payload[VERSION] = m[VERSION]
        if base in ("0.4", "0.3-class"):
            self.payload["issuer_claims"] = {"provenance_class": statement}
        if base == "0.4":
            m["metadata_hash"] = "sha256:" + sha(m["id"].encode())
        m["provenance_class"] = statement
        m["canonical_bytes"] = m["output_hash"] = None
        m["verification_status"] = "not_verified" if self.transport else "verified"
        self.m = m

    def time(self):
        return "timestamp" if "timestamp" in self.m else "created_at"

    def put(self, name, value):
        self.late.append(lambda m: m.__setitem__(name, value))

    def drop(self, name):
        self.late.append(lambda m: m.pop(name, None))

    def bytes(self):
        return self.payload if isinstance(self.payload, bytes) else committed(self.payload)

    def record(self):
        m = dict(self.m)
        data = self.bytes()
        m["canonical_bytes"], m["output_hash"] = b64(data), "sha256:" + sha(data)
        for change in self.late:
            change(m)
        if not isinstance(m.get("tool"), dict) and "created_at" not in m and not self.transport:
            self.effects.add("missing_member")  # without either mark it is read as a transport receipt
        self.effects |= binding(m, data, self.transport)
        return m

    def finish(self, name):
        m = self.record()
        value = self.around(m) if self.around else m
        data = value if isinstance(value, bytes) else dump(value, self.style).encode("utf-8", "surrogatepass")
        for change in self.text:
            data = change(data)
        return Document(name, data, self.tags, self.effects)


def binding(m, data, transport):
    """What rules §3.3 and §3.13 say of version and class, from the finished members."""
    effects = set()
    try:
        body = json.loads(data.decode())
    except (ValueError, RecursionError):
        body = None
    body = body if isinstance(body, dict) else {}
    claims = body.get("issuer_claims")
    said = claims.get("provenance_class") if isinstance(claims, dict) else None
    within = body.get(VERSION)
    version = m.get(VERSION)
    if version is None and VERSION not in m and transport:
        version = within
    if isinstance(version, str):
        if version not in KNOWN:
            effects.add("version_unsupported")
        if isinstance(within, str) and within != version:
            effects.add("version_mismatch")
    if said is not None and said != m.get("provenance_class"):
        effects.add("provenance_mismatch")
    if version == "0.4":
        if said is None:
            effects.add("provenance_mismatch")
        effects.add("=intact" if "metadata_hash" in m else "metadata_hash_missing")
    return effects


BASES = ("0.3", "0.3", "0.3-inner", "0.3-class", "0.1", "0.2", "0.4", "transport-full", "transport-bare", "legacy-time", "legacy-tool")


def text(change):
    return lambda w: w.text.append(change)


def put(name, value):
    return lambda w: w.put(name, value)


def put_time(value):
    return lambda w: w.put(w.time(), value)


def put_tool(**parts):
    def change(w):
        if not isinstance(w.m["tool"], dict):
            return False
        tool = dict(w.m["tool"])
        for k, v in parts.items():
            tool.pop(k) if v is ... else tool.__setitem__(k, v)
        w.put("tool", tool)
    return change


def payload(value):
    """Other bytes, hashed anew; a function is given the bytes there are."""
    def change(w):
        if callable(value):
            w.payload = value(w.bytes())
        else:
            w.payload = value
    return change


def late(change):
    """A change of one member by a function of its value."""
    name, how = change
    return lambda w: w.late.append(lambda m: m.__setitem__(name, how(m[name])) if isinstance(m.get(name), str) else None)


def where(test, change):
    return lambda w: change(w) if test(w) else False


def duplicate(spelling, first):
    """A member named a first time in front of the record's own; the spelling may hold escapes."""
    pair = '"%s":%s' % (spelling, json.dumps(first))
    return lambda w: w.late.append(lambda m: front(m, pair))


def front(m, pair):
    items = list(m.items())
    m.clear()
    m["xx"] = Raw("0," + pair)
    m.update(items)


def pad_bits(t):
    """The same bytes with a pad bit set, where there are pad bits."""
    alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    pads = t.count("=")
    if not pads:
        return t
    at = len(t) - pads - 1
    return t[:at] + alphabet[alphabet.index(t[at]) | 1] + t[at + 1:]


def nested(levels):
    return Raw("[" * levels + "]" * levels)


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


# -- two kinds, workflows, chains ------------------------------------------------------------------------------------


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
