"""What the documents of tests/peer.py are made of: values, a receipt being worked on, and ways to change it."""

import base64
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
