//! One receipt, one fault: rules §3.3 to §3.13, and the anchor.

use super::*;
use crate::make::receipt::{base64, committing, output_hash, sha256_hex};

pub(super) fn make(m: &mut Maker) {
    m.one("published", &published(), VERIFIED, "§3", "A complete published receipt.");
    m.one(
        "transport",
        &transport(),
        TRANSPORT,
        "§1",
        "A complete transport receipt: its bytes match, and it can claim no more.",
    );
    versions(m);
    bytes(m);
    members(m);
    transport_members(m);
    ids(m);
    times(m);
    tools(m);
    classes(m);
    statuses(m);
    hashes(m);
    binding(m);
    anchors(m);
    order(m);
}

/// A vector that is `published` with one member replaced.
fn swap(m: &mut Maker, name: &str, member: &str, value: impl Into<Json>, class: Class, rule: &str, why: &str) {
    m.one(name, &published().with(member, value), bad(class), rule, why).twin("published");
}

fn good(m: &mut Maker, name: &str, member: &str, value: impl Into<Json>, rule: &str, why: &str) {
    m.one(name, &published().with(member, value), VERIFIED, rule, why);
}

fn inner_version(version: &str) -> Vec<u8> {
    format!(r#"{{"inputs":{{"day":"2026-03-14"}},"outputs":{{}},"receipt_schema_version":"{version}"}}"#).into_bytes()
}

fn versions(m: &mut Maker) {
    use Class::{DigestMismatch, VersionMismatch, VersionUnsupported};
    for version in ["0.1", "0.2"] {
        good(
            m,
            &format!("version-{}", version.replace('.', "-")),
            "receipt_schema_version",
            version,
            "§3.3",
            "An older version that is known.",
        );
    }
    for (name, version, why) in [
        ("version-0-5", "0.5", "A version nobody here knows."),
        ("version-1-0", "1.0", "A version nobody here knows."),
        ("version-0-30", "0.30", "Versions are compared as text: 0.30 is not 0.3."),
        ("version-v0-3", "v0.3", "A letter before the version makes another version."),
        ("version-space", "0.3 ", "A space after the version makes another version."),
        ("version-empty", "", "An empty version is none that is known."),
    ] {
        swap(m, name, "receipt_schema_version", version, VersionUnsupported, "§3.3", why);
    }
    let inner = |v: &str| over(&inner_version(v));
    m.one("version-inner-same", &inner("0.3"), VERIFIED, "§3.3", "The version inside the bytes is the one outside.");
    m.one(
        "version-inner-older",
        &inner("0.2"),
        bad(VersionMismatch),
        "§3.3",
        "The bytes commit another version than the record states.",
    )
    .twin("version-inner-same");
    m.one(
        "version-inner-unknown",
        &inner("0.9"),
        bad(VersionMismatch),
        "§3.3",
        "They differ, even though one of the two is unknown.",
    )
    .twin("version-inner-same");
    m.one(
        "version-outer-unknown",
        &inner("0.3").with("receipt_schema_version", "0.9"),
        bad(VersionMismatch),
        "§3.3",
        "They differ, and the difference is named before the unknown version.",
    )
    .twin("version-inner-same");
    m.one(
        "version-both-unknown",
        &inner("0.9").with("receipt_schema_version", "0.9"),
        bad(VersionUnsupported),
        "§3.3",
        "Both agree on a version nobody here knows.",
    )
    .twin("version-inner-same");
    m.one(
        "version-inner-altered",
        &inner("0.3").with("canonical_bytes", base64(&inner_version("0.2"))),
        bad(DigestMismatch),
        "§3.3",
        "Altered bytes commit no version; the digest speaks.",
    )
    .twin("version-inner-same");
    m.one(
        "order-digest-version",
        &published().with("receipt_schema_version", "0.9").with("canonical_bytes", base64(altered().as_bytes())),
        bad(DigestMismatch),
        "§1",
        "A changed byte is worse news than an unknown version.",
    );

    let carried = |v: &str| {
        parts().transport(&inner_version(v), "execution_observed", "success").without("receipt_schema_version")
    };
    m.one(
        "version-transport-inner",
        &carried("0.3"),
        TRANSPORT,
        "§3.3",
        "Without an outer version the committed one counts.",
    );
    m.one(
        "version-transport-inner-unknown",
        &carried("0.9"),
        bad(VersionUnsupported).of(Kind::Transport),
        "§3.3",
        "Without an outer version the committed one counts, and it is unknown.",
    )
    .twin("version-transport-inner");
    m.one(
        "version-transport-unknown",
        &transport().with("receipt_schema_version", "7"),
        bad(VersionUnsupported).of(Kind::Transport),
        "§3.3",
        "A transport receipt of a version nobody here knows.",
    )
    .twin("transport");
}

/// [`CALL`] with one digit changed.
fn altered() -> String {
    CALL.replacen("04:12", "04:13", 1)
}

/// Text whose base64 ends in `pads` pad characters.
fn padded(pads: usize) -> String {
    let mut text = "Berth 7 is free from 16:40.".to_owned();
    while text.len() % 3 != (3 - pads) % 3 {
        text.push('.');
    }
    text
}

fn bytes(m: &mut Maker) {
    use Class::{Base64Alphabet, Base64Noncanonical, Base64Padding, Utf8Invalid};
    for pads in 0..3 {
        m.one(
            &format!("base64-pads-{pads}"),
            &over(padded(pads).as_bytes()),
            VERIFIED,
            "§3.4",
            "Base64 with the padding its length needs.",
        );
    }
    let spelled = |m: &mut Maker, name: &str, pads: usize, change: &dyn Fn(&str) -> String, class: Class, why: &str| {
        let bytes = padded(pads);
        let doc = over(bytes.as_bytes()).with("canonical_bytes", change(&base64(bytes.as_bytes())));
        m.one(name, &doc, bad(class), "§3.4", why).twin(&format!("base64-pads-{pads}"));
    };
    let in_the_middle = |text: &str, piece: &str| {
        let (a, b) = text.split_at(16);
        format!("{a}{piece}{b}")
    };
    for (name, piece, why) in [
        ("base64-space", " ", "White space is outside the alphabet."),
        ("base64-newline-inside", "\n", "A line break is outside the alphabet."),
        ("base64-minus", "-AAA", "The URL alphabet is another alphabet."),
        ("base64-underscore", "_AAA", "The URL alphabet is another alphabet."),
        ("base64-star", "****", "A character of no base64 alphabet."),
        ("base64-non-ascii", "ＡAAA", "A full-width letter is not the letter."),
        ("base64-nul", "\u{0}", "A NUL character is outside the alphabet."),
    ] {
        spelled(m, name, 0, &|t| in_the_middle(t, piece), Base64Alphabet, why);
    }
    spelled(
        m,
        "base64-newline-after",
        0,
        &|t| format!("{t}\n"),
        Base64Alphabet,
        "A trailing line feed is outside the alphabet.",
    );
    spelled(
        m,
        "base64-data-url",
        0,
        &|t| format!("data:text/plain;base64,{t}"),
        Base64Alphabet,
        "A data URL is not base64.",
    );
    spelled(
        m,
        "base64-no-padding-1",
        1,
        &|t| t.trim_end_matches('=').to_owned(),
        Base64Padding,
        "The pad character is missing.",
    );
    spelled(
        m,
        "base64-no-padding-2",
        2,
        &|t| t.trim_end_matches('=').to_owned(),
        Base64Padding,
        "Both pad characters are missing.",
    );
    spelled(
        m,
        "base64-half-padding",
        2,
        &|t| t.trim_end_matches('=').to_owned() + "=",
        Base64Padding,
        "One of two pad characters is missing.",
    );
    spelled(m, "base64-surplus-padding", 1, &|t| format!("{t}="), Base64Padding, "One pad character too many.");
    spelled(
        m,
        "base64-padding-of-nothing",
        0,
        &|t| format!("{t}===="),
        Base64Padding,
        "Four pad characters that pad nothing.",
    );
    spelled(m, "base64-padding-inside", 0, &|t| in_the_middle(t, "QQ=="), Base64Padding, "Padding before the end.");
    spelled(
        m,
        "base64-impossible-length",
        0,
        &|t| format!("{t}A"),
        Base64Padding,
        "No bytes have a base64 text of this length.",
    );
    spelled(
        m,
        "base64-pad-bits-2",
        1,
        &|t| with_pad_bit(t, 1),
        Base64Noncanonical,
        "A pad bit is set: another spelling of the same bytes.",
    );
    spelled(
        m,
        "base64-pad-bits-4",
        2,
        &|t| with_pad_bit(t, 2),
        Base64Noncanonical,
        "A pad bit is set: another spelling of the same bytes.",
    );
    spelled(
        m,
        "base64-alphabet-and-padding",
        1,
        &|t| format!("-{}", t.trim_end_matches('=')),
        Base64Alphabet,
        "The alphabet is looked at before the padding.",
    );

    m.one("utf8-empty", &over(b""), VERIFIED, "§3.5", "The bytes may be empty.");
    m.one("utf8-not-json", &over(b"Berth 7 is free."), VERIFIED, "§3.5", "The bytes need not be JSON.");
    m.one("utf8-four-bytes", &over("𝒜 🌊 東京 ﷽".as_bytes()), VERIFIED, "§3.5", "Characters of every length.");
    m.one(
        "utf8-controls",
        &over(b"\x00\x1b[2J\x7f"),
        VERIFIED,
        "§3.5",
        "Control characters are text; showing them is another matter.",
    );
    m.one(
        "utf8-mark",
        &over("\u{feff}{}".as_bytes()),
        VERIFIED,
        "§3.5",
        "A byte order mark is committed like everything else.",
    );
    m.one(
        "utf8-noncharacter",
        &over("\u{ffff}\u{10ffff}".as_bytes()),
        VERIFIED,
        "§3.5",
        "Noncharacters are well-formed UTF-8.",
    );
    m.one(
        "utf8-not-sorted",
        &over(b"{ \"b\": 1.0e5,\n \"a\": \"\\u00e9\" }"),
        VERIFIED,
        "§3.12",
        "The bytes are hashed as they are; canonical form is no condition.",
    );
    m.one(
        "utf8-duplicate-inside",
        &over(br#"{"a":1,"a":2}"#),
        VERIFIED,
        "§3.2",
        "A name twice inside the bytes is not twice in the record.",
    );
    for (name, broken, why) in [
        ("utf8-ff", &b"Berth \xff free"[..], "The byte FF is never UTF-8."),
        ("utf8-continuation", b"Berth \x80 free", "A continuation byte without a beginning."),
        ("utf8-cut", b"Berth \xe6\x9d", "The bytes end inside a character."),
        ("utf8-overlong", b"Berth \xc0\xaf free", "An overlong spelling of a slash."),
        ("utf8-surrogate", b"Berth \xed\xa0\xbd free", "A surrogate written as bytes."),
        ("utf8-surrogate-pair", b"Berth \xed\xa0\xbd\xed\xb1\x80 free", "A surrogate pair written as bytes."),
        ("utf8-beyond", b"Berth \xf4\x90\x80\x80 free", "Beyond the last code point."),
        ("utf8-latin-1", b"Br\xf8nn\xf8ysund", "Latin-1 is not UTF-8."),
    ] {
        m.one(name, &over(broken), bad(Utf8Invalid), "§3.5", why).twin("utf8-not-json");
    }
}

/// The same base64 text with the lowest pad bit set.
fn with_pad_bit(text: &str, pads: usize) -> String {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let (head, tail) = text.split_at(text.len() - pads - 1);
    let last = tail.bytes().next().unwrap_or(b'A');
    let at = ALPHABET.iter().position(|c| *c == last).unwrap_or(0);
    let other = ALPHABET.get(at + 1).copied().unwrap_or(b'B');
    format!("{head}{}{}", char::from(other), "=".repeat(pads))
}

fn members(m: &mut Maker) {
    use Class::{Base64Padding, MissingMember, WrongType};
    for member in [
        "id",
        "receipt_schema_version",
        "created_at",
        "tool",
        "provenance_class",
        "canonical_bytes",
        "output_hash",
        "verification_status",
    ] {
        let why = format!("A published receipt without its {member}.");
        m.one(&format!("missing-{member}"), &published().without(member), bad(MissingMember), "§3.6", &why)
            .twin("published");
        let why = format!("{member} is null; null is a type of its own.");
        swap(m, &format!("null-{member}"), member, Json::null(), WrongType, "§3.6", &why);
    }
    for (name, member, value, why) in [
        ("type-id-number", "id", Json::raw("7"), "A number where the id should be."),
        ("type-version-number", "receipt_schema_version", Json::raw("0.3"), "A number where the version should be."),
        ("type-created-number", "created_at", Json::raw("1773480413"), "Seconds since 1970 are no text."),
        ("type-tool-array", "tool", Json::List(vec!["tide.table".into()]), "A list where the tool should be."),
        ("type-tool-true", "tool", Json::from(true), "A truth value where the tool should be."),
        ("type-class-list", "provenance_class", Json::List(vec![GATEWAY.into()]), "A list of classes is no class."),
        (
            "type-bytes-object",
            "canonical_bytes",
            object([("inputs", Json::null())]),
            "An object where its bytes should be.",
        ),
        ("type-hash-object", "output_hash", object([("sha256", "00".into())]), "An object where the hash should be."),
        ("type-status-true", "verification_status", Json::from(true), "The truth value is not the word."),
    ] {
        swap(m, name, member, value, WrongType, "§3.6", why);
    }
    m.one(
        "missing-tool-and-time",
        &published().without("tool").without("created_at"),
        bad(MissingMember),
        "§2.8",
        "With neither mark, the bytes make it a published receipt.",
    )
    .twin("published");
    m.one(
        "missing-before-type",
        &published().without("provenance_class").with("id", Json::null()),
        bad(MissingMember),
        "§3.6",
        "All missing members come before all wrong types.",
    )
    .twin("published");
    m.one(
        "missing-by-case",
        &published().renamed("id", "Id"),
        bad(MissingMember),
        "§3.6",
        "Member names are told apart by case.",
    )
    .twin("published");
    m.one(
        "missing-by-invisible",
        &published().renamed("id", "id\u{200b}"),
        bad(MissingMember),
        "§3.6",
        "A zero-width space makes another name.",
    )
    .twin("published");
    m.one(
        "base64-before-missing",
        &over(padded(1).as_bytes())
            .with("canonical_bytes", base64(padded(1).as_bytes()).trim_end_matches('='))
            .without("id"),
        bad(Base64Padding),
        "§3.4",
        "Base64 is looked at before the members.",
    )
    .twin("base64-pads-1");

    m.one(
        "legacy-timestamp",
        &published().renamed("created_at", "timestamp"),
        LEGACY,
        "§3.6",
        "timestamp stands for an absent created_at: a legacy shape.",
    );
    m.one(
        "legacy-tool",
        &published().with("tool", "tide.table"),
        LEGACY,
        "§3.6",
        "A bare name stands for the tool object: a legacy shape.",
    );
    m.one(
        "legacy-timestamp-calendar",
        &published().renamed("created_at", "timestamp").with("timestamp", "2026-02-30T09:26:53Z"),
        bad(Class::TimeCalendar),
        "§3.8",
        "A time under its older name is looked at all the same.",
    )
    .twin("legacy-timestamp");
    m.one(
        "legacy-tool-empty",
        &published().with("tool", ""),
        bad(Class::ToolInvalid),
        "§3.9",
        "An empty name names no tool.",
    )
    .twin("legacy-tool");

    let many = (0..200).fold(published(), |doc, n| doc.with(&format!("x-trace-{n}"), n));
    m.one("unknown-members", &many, VERIFIED, "§3.6", "Unknown members change nothing, however many.");
    good(
        m,
        "unknown-steps",
        "steps",
        vec![object([("tool", "tide.table".into()), ("status", "success".into())])],
        "§2",
        "A list of steps alone makes no workflow.",
    );
    good(
        m,
        "unknown-timestamp",
        "timestamp",
        "yesterday",
        "§3.6",
        "Beside created_at a timestamp is one more unknown member.",
    );
    good(
        m,
        "unknown-signature",
        "signature",
        object([("alg", "ed25519".into()), ("public_key", "AAAA".into())]),
        "§5",
        "A key that travels in the record is only a note.",
    );
}

fn transport_members(m: &mut Maker) {
    use Class::{HashSyntax, IdSyntax, MissingMember, TimeCalendar, ToolInvalid, WrongType};
    let fault = |class: Class| bad(class).of(Kind::Transport);
    for member in ["id", "tool", "timestamp", "provenance_class", "output_hash", "verification_status", "status"] {
        let why = format!("With bytes, a transport receipt must have its {member}.");
        m.one(&format!("transport-missing-{member}"), &transport().without(member), fault(MissingMember), "§3.6", &why)
            .twin("transport");
    }
    for member in ["receipt_schema_version", "tool_context", "canonical_byte_length", "hash_algorithm"] {
        let why = format!("A transport receipt may lack {member}.");
        m.one(&format!("transport-without-{member}"), &transport().without(member), TRANSPORT, "§3.6", &why);
    }
    for member in [
        "id",
        "timestamp",
        "provenance_class",
        "output_hash",
        "verification_status",
        "status",
        "receipt_schema_version",
        "tool_context",
    ] {
        let why = format!("{member} is present and null.");
        m.one(
            &format!("transport-null-{member}"),
            &transport().with(member, Json::null()),
            fault(WrongType),
            "§3.6",
            &why,
        )
        .twin("transport");
    }
    m.one(
        "transport-tool-number",
        &transport().with("tool", 4),
        fault(WrongType),
        "§3.6",
        "A number where the tool's name should be.",
    )
    .twin("transport");
    m.one(
        "transport-context-text",
        &transport().with("tool_context", "tide.table"),
        fault(WrongType),
        "§3.6",
        "A text where the tool context should be.",
    )
    .twin("transport");
    m.one(
        "transport-context-no-scope",
        &transport().inside("tool_context", |t| t.without("scope")),
        fault(ToolInvalid),
        "§3.6",
        "The tool context names no caller scope.",
    )
    .twin("transport");
    m.one(
        "transport-context-empty",
        &transport().inside("tool_context", |t| t.with("version", "")),
        fault(ToolInvalid),
        "§3.6",
        "The tool context has an empty version.",
    )
    .twin("transport");
    m.one(
        "transport-says-verified",
        &transport().with("verification_status", "verified"),
        TRANSPORT,
        "§1",
        "The word verified in a transport receipt is its own claim.",
    );
    m.one(
        "transport-failed",
        &transport().with("status", "timeout"),
        TRANSPORT,
        "§3.6",
        "A failed call keeps its status; its bytes match.",
    );
    m.one(
        "transport-digest",
        &transport().with("canonical_bytes", base64(altered().as_bytes())),
        fault(Class::DigestMismatch),
        "§3.12",
        "One byte was changed after it was hashed.",
    )
    .twin("transport");

    m.one(
        "transport-failure",
        &failure(),
        POINTER,
        "§3.6",
        "A provider failure without bytes leaves nothing to compare.",
    );
    m.one(
        "transport-bytes-null",
        &failure().with("canonical_bytes", Json::null()),
        POINTER,
        "§3.6",
        "Bytes that are null are absent.",
    );
    m.one(
        "transport-failure-bare",
        &failure().without("provenance_class").without("verification_status"),
        POINTER,
        "§3.6",
        "Without bytes, a transport receipt may lack any member.",
    );
    let still = |m: &mut Maker, name: &str, doc: Json, class: Class, why: &str| {
        m.one(name, &doc, fault(class), "§3.6", why).twin("transport-failure");
    };
    still(
        m,
        "transport-failure-id",
        failure().with("id", "5B1D7A0E"),
        IdSyntax,
        "What it has must be well formed: the id.",
    );
    still(
        m,
        "transport-failure-time",
        failure().with("timestamp", "2026-04-31T00:00:00Z"),
        TimeCalendar,
        "What it has must be well formed: the time.",
    );
    still(
        m,
        "transport-failure-hash",
        failure().with("output_hash", "none"),
        HashSyntax,
        "What it has must be well formed: the hash.",
    );
    still(
        m,
        "transport-failure-class",
        failure().with("provenance_class", "SEEN"),
        Class::ProvenanceUnknown,
        "What it has must be well formed: the class.",
    );
    still(m, "transport-failure-status", failure().with("status", 503), WrongType, "What it has must have its type.");

    let projection = published()
        .without("canonical_bytes")
        .renamed("output_hash", "original_output_hash")
        .with("projection_of", ID)
        .with("projection_hash", output_hash(b"the public page"));
    let unavailable = Verdict { headline: Headline::Unavailable, ..VERIFIED };
    m.one("projection", &projection, unavailable, "§10", "A redacted projection holds no bytes to compare.");
    m.one(
        "projection-bare",
        &object([("projection_of", ID.into()), ("created_at", "2026-03-14T09:26:53Z".into())]),
        unavailable,
        "§10",
        "A projection may keep very little.",
    );
    m.one(
        "projection-time",
        &projection.clone().with("created_at", "2026-02-30T09:26:53Z"),
        bad(TimeCalendar),
        "§10",
        "What a projection still has must be well formed.",
    )
    .twin("projection");
}

fn ids(m: &mut Maker) {
    use Class::{IdNil, IdSyntax};
    let upper = ID.to_ascii_uppercase();
    let bare = ID.replace('-', "");
    for (name, id, why) in [
        ("id-upper", upper.as_str(), "Capitals."),
        ("id-bare", &bare, "Without hyphens."),
        ("id-braces", "{5b1d7a0e-93c4-4f0b-8a6d-2f7c1e90b3d4}", "In braces."),
        ("id-urn", "urn:uuid:5b1d7a0e-93c4-4f0b-8a6d-2f7c1e90b3d4", "As a URN."),
        (
            "id-newline",
            "5b1d7a0e-93c4-4f0b-8a6d-2f7c1e90b3d4\n",
            "A line feed after it; the pattern is the whole string.",
        ),
        ("id-space", " 5b1d7a0e-93c4-4f0b-8a6d-2f7c1e90b3d4", "A space before it."),
        ("id-short", "5b1d7a0e-93c4-4f0b-8a6d-2f7c1e90b3d", "One digit short."),
        ("id-letter", "5b1d7a0e-93c4-4f0b-8a6d-2f7c1e90b3dg", "A letter that is no digit."),
        ("id-hyphens", "5b1d7a0e93-c4-4f0b-8a6d-2f7c1e90b3d4", "Hyphens elsewhere."),
        ("id-path", "../../../etc/cron.d/5b1d7a0e", "A path."),
        ("id-full-width", "５b1d7a0e-93c4-4f0b-8a6d-2f7c1e90b3d4", "A full-width digit."),
        ("id-empty", "", "Empty."),
    ] {
        swap(m, name, "id", id, IdSyntax, "§3.7", why);
    }
    swap(m, "id-nil", "id", "00000000-0000-0000-0000-000000000000", IdNil, "§3.7", "The nil UUID names nothing.");
    good(
        m,
        "id-version-1",
        "id",
        "5b1d7a0e-93c4-11f0-8a6d-2f7c1e90b3d4",
        "§3.7",
        "Version 4 is a note of the strict tier only.",
    );
    good(
        m,
        "id-version-7",
        "id",
        "019524e1-7b2c-7f0b-8a6d-2f7c1e90b3d4",
        "§3.7",
        "Version 4 is a note of the strict tier only.",
    );
    good(
        m,
        "id-swapped",
        "id",
        OTHER_ID,
        "§1",
        "Below 0.4 nothing binds the id to the bytes: another id verifies as well.",
    );
}

fn times(m: &mut Maker) {
    use Class::{TimeCalendar, TimeSyntax};
    for (name, time, why) in [
        ("time-no-zone", "2026-03-14T09:26:53", "No zone."),
        ("time-lower-t", "2026-03-14t09:26:53Z", "A lower-case t, which RFC 3339 alone would allow."),
        ("time-lower-z", "2026-03-14T09:26:53z", "A lower-case z, which RFC 3339 alone would allow."),
        ("time-space", "2026-03-14 09:26:53Z", "A space for the T."),
        ("time-comma", "2026-03-14T09:26:53,5Z", "A comma in the fraction."),
        ("time-empty-fraction", "2026-03-14T09:26:53.Z", "A point without digits."),
        ("time-date-only", "2026-03-14", "A date alone."),
        ("time-no-seconds", "2026-03-14T09:26Z", "No seconds."),
        ("time-offset-bare", "2026-03-14T09:26:53+0100", "An offset without its colon."),
        ("time-offset-hours", "2026-03-14T09:26:53+01", "An offset of hours alone."),
        ("time-offset-minus", "2026-03-14T09:26:53\u{2212}01:00", "A typographic minus."),
        ("time-newline", "2026-03-14T09:26:53Z\n", "A line feed after it; the pattern is the whole string."),
        ("time-leading-space", " 2026-03-14T09:26:53Z", "A space before it."),
        ("time-year-5", "12026-03-14T09:26:53Z", "A year of five digits."),
        ("time-year-2", "26-03-14T09:26:53Z", "A year of two digits."),
        ("time-one-digit", "2026-3-14T09:26:53Z", "A month of one digit."),
        ("time-full-width", "２026-03-14T09:26:53Z", "A full-width digit."),
        ("time-words", "yesterday", "No time at all."),
        ("time-empty", "", "Empty."),
    ] {
        swap(m, name, "created_at", time, TimeSyntax, "§3.8", why);
    }
    for (name, time, why) in [
        ("time-feb-30", "2026-02-30T09:26:53Z", "30 February."),
        ("time-feb-29", "2026-02-29T09:26:53Z", "29 February of a year that has none."),
        ("time-feb-29-1900", "1900-02-29T09:26:53Z", "1900 was no leap year."),
        ("time-apr-31", "2026-04-31T09:26:53Z", "31 April."),
        ("time-month-13", "2026-13-14T09:26:53Z", "Month 13."),
        ("time-month-0", "2026-00-14T09:26:53Z", "Month 0."),
        ("time-day-0", "2026-03-00T09:26:53Z", "Day 0."),
        ("time-day-32", "2026-03-32T09:26:53Z", "Day 32."),
        ("time-hour-24", "2026-03-14T24:00:00Z", "Hour 24."),
        ("time-minute-60", "2026-03-14T09:60:53Z", "Minute 60."),
        ("time-second-60", "2026-06-30T23:59:60Z", "Second 60, which RFC 3339 alone would allow."),
        ("time-year-0", "0000-03-14T09:26:53Z", "Year 0."),
        ("time-offset-24", "2026-03-14T09:26:53+24:00", "An offset of a day."),
        ("time-offset-60", "2026-03-14T09:26:53+01:60", "An offset of 60 minutes."),
    ] {
        swap(m, name, "created_at", time, TimeCalendar, "§3.8", why);
    }
    for (name, time, why) in [
        ("time-leap-2024", "2024-02-29T23:59:59Z", "29 February of a leap year."),
        ("time-leap-2000", "2000-02-29T00:00:00Z", "2000 was a leap year."),
        ("time-fraction-1", "2026-03-14T09:26:53.5Z", "One fraction digit."),
        ("time-fraction-30", "2026-03-14T09:26:53.123456789012345678901234567890Z", "Thirty fraction digits."),
        ("time-offset-plus", "2026-03-14T09:26:53+23:59", "The largest offset."),
        ("time-offset-below", "2026-03-14T09:26:53-23:59", "The smallest offset."),
        ("time-offset-zero", "2026-03-14T09:26:53-00:00", "An offset of minus zero."),
        ("time-year-1", "0001-01-01T00:00:00Z", "The first year."),
        ("time-year-9999", "9999-12-31T23:59:59Z", "A time after every clock is a note, not a fault."),
    ] {
        good(m, name, "created_at", time, "§3.8", why);
    }
}

fn tools(m: &mut Maker) {
    for member in ["name", "version", "scope"] {
        for (what, value, why) in [
            ("missing", None, "is missing"),
            ("empty", Some(Json::from("")), "is empty"),
            ("null", Some(Json::null()), "is null"),
            ("number", Some(Json::raw("2")), "is a number"),
        ] {
            let doc = published().inside("tool", |tool| match value {
                Some(value) => tool.with(member, value),
                None => tool.without(member),
            });
            let why = format!("The tool's {member} {why}.");
            m.one(&format!("tool-{member}-{what}"), &doc, bad(Class::ToolInvalid), "§3.6", &why).twin("published");
        }
    }
    m.one(
        "tool-empty",
        &published().with("tool", Json::Object(Vec::new())),
        bad(Class::ToolInvalid),
        "§3.6",
        "An empty tool object.",
    )
    .twin("published");
    m.one(
        "tool-more",
        &published().inside("tool", |t| t.with("vendor", "harbour")),
        VERIFIED,
        "§3.6",
        "The tool may say more about itself.",
    );
}

fn classes(m: &mut Maker) {
    for (name, class, why) in [
        ("class-agent", AGENT, "The agent's own report."),
        ("class-executed", "EXECUTED BY HARBOUR-7", "Executed by the recording system."),
        ("class-executed-digit", "EXECUTED BY 7", "A name of one digit."),
        ("class-executed-marks", "EXECUTED BY A.B_C-D 9", "Every character a name may have."),
        ("class-executed-space", "EXECUTED BY A ", "The pattern allows a space at the end."),
    ] {
        good(m, name, "provenance_class", class, "§3.10", why);
    }
    for (name, class, why) in [
        ("class-lower", "observed via gateway", "Lower case."),
        ("class-unknown", "CERTIFIED", "A class nobody defined."),
        ("class-newline", "OBSERVED VIA GATEWAY\n", "A line feed after it; the pattern is the whole string."),
        ("class-space", "LOGGED BY AGENT ", "A space after it."),
        ("class-merged", "OBSERVED VIA GATEWAY, LOGGED BY AGENT", "Two statements merged into one."),
        ("class-executed-nobody", "EXECUTED BY ", "Executed by nobody."),
        ("class-executed-bare", "EXECUTED BY", "Executed by nobody."),
        ("class-executed-lower", "EXECUTED BY harbour", "A name in lower case."),
        ("class-executed-two-spaces", "EXECUTED BY  HARBOUR", "A name that begins with a space."),
        ("class-executed-slash", "EXECUTED BY HARBOUR/7", "A character no name may have."),
        ("class-executed-non-ascii", "EXECUTED BY HÅVN", "A letter no name may have."),
        ("class-look-alike", "LOGGED BY АGENT", "A Cyrillic letter that looks like the Latin one."),
        ("class-empty", "", "Empty."),
    ] {
        swap(m, name, "provenance_class", class, Class::ProvenanceUnknown, "§3.10", why);
    }
}

fn statuses(m: &mut Maker) {
    for (name, status, why) in [
        ("status-pending", "pending", "The record itself does not say verified."),
        ("status-not-verified", "not_verified", "The record itself says that it is not."),
        ("status-upper", "VERIFIED", "Another spelling is another word."),
        ("status-newline", "verified\n", "A line feed makes another word."),
        ("status-empty", "", "An empty status says nothing."),
    ] {
        swap(m, name, "verification_status", status, Class::StatusNotVerified, "§3.11", why);
    }
    good(
        m,
        "status-execution-failed",
        "status",
        "timeout",
        "§1",
        "How the call ended is the producer's word and moves no headline.",
    );
    good(
        m,
        "status-checks-false",
        "checks",
        object([("chain_valid", false.into())]),
        "§1",
        "Checks a record states of itself are claims.",
    );
    m.one(
        "order-status-hash",
        &published().with("verification_status", "pending").with("output_hash", "none"),
        bad(Class::HashSyntax),
        "§1",
        "The status only lowers the headline: a fault of a later layer is named instead.",
    );
    m.one(
        "order-status-length",
        &published().with("verification_status", "pending").with("canonical_byte_length", 1),
        bad(Class::LengthMismatch),
        "§1",
        "The status only lowers the headline: a fault of a later layer is named instead.",
    );
}

fn hashes(m: &mut Maker) {
    use Class::{DigestMismatch, HashAlgorithmUnsupported, HashSyntax, LengthMismatch, WrongType};
    let digest = sha256_hex(CALL.as_bytes());
    for (name, hash, why) in [
        ("hash-bare", digest.clone(), "Without its prefix."),
        ("hash-upper", format!("sha256:{}", digest.to_ascii_uppercase()), "Digits in capitals."),
        ("hash-prefix-upper", format!("SHA256:{digest}"), "The prefix in capitals."),
        ("hash-prefix-hyphen", format!("sha-256:{digest}"), "Another spelling of the prefix."),
        ("hash-short", format!("sha256:{}", digest.chars().take(63).collect::<String>()), "One digit short."),
        ("hash-long", format!("sha256:{digest}0"), "One digit too many."),
        ("hash-newline", format!("sha256:{digest}\n"), "A line feed after it; the pattern is the whole string."),
        ("hash-space", format!("sha256: {digest}"), "A space after the prefix."),
        ("hash-sha512", format!("sha512:{digest}{digest}"), "Another algorithm's prefix."),
        ("hash-base64", format!("sha256:{}", base64(digest.as_bytes())), "Base64 instead of hex."),
        ("hash-empty", String::new(), "Empty."),
    ] {
        swap(m, name, "output_hash", hash, HashSyntax, "§3.12", why);
    }
    swap(
        m,
        "digest-byte-changed",
        "canonical_bytes",
        base64(altered().as_bytes()),
        DigestMismatch,
        "§3.12",
        "One byte is not the byte that was hashed.",
    );
    swap(
        m,
        "digest-byte-added",
        "canonical_bytes",
        base64(format!("{CALL}\n").as_bytes()),
        DigestMismatch,
        "§3.12",
        "A line feed was added.",
    );
    swap(m, "digest-emptied", "canonical_bytes", "", DigestMismatch, "§3.12", "The bytes were removed.");
    swap(
        m,
        "digest-of-other",
        "output_hash",
        output_hash(b"other"),
        DigestMismatch,
        "§3.12",
        "The hash of other bytes.",
    );
    swap(
        m,
        "digest-zeros",
        "output_hash",
        format!("sha256:{}", "0".repeat(64)),
        DigestMismatch,
        "§3.12",
        "A hash of zeros.",
    );
    swap(
        m,
        "digest-reserialised",
        "canonical_bytes",
        base64(CALL.replace(',', ", ").as_bytes()),
        DigestMismatch,
        "§3.12",
        "The same JSON written otherwise is other bytes.",
    );
    good(m, "hash-algorithm", "hash_algorithm", "sha256", "§3.12", "The algorithm may be stated.");
    for (name, algorithm) in [
        ("hash-algorithm-upper", "SHA256"),
        ("hash-algorithm-hyphen", "sha-256"),
        ("hash-algorithm-sha512", "sha512"),
        ("hash-algorithm-empty", ""),
    ] {
        m.one(
            name,
            &published().with("hash_algorithm", algorithm),
            bad(HashAlgorithmUnsupported),
            "§3.12",
            "The algorithm is not exactly sha256.",
        )
        .twin("hash-algorithm");
    }
    m.one(
        "hash-algorithm-null",
        &published().with("hash_algorithm", Json::null()),
        bad(WrongType),
        "§3.6",
        "An algorithm that is null.",
    )
    .twin("hash-algorithm");
    let bytes = CALL.len() as u64;
    good(m, "length", "canonical_byte_length", bytes, "§3.12", "The length in bytes may be stated.");
    for (name, length, why) in [
        ("length-more", (bytes + 1).to_string(), "One byte more than there is."),
        ("length-zero", "0".to_owned(), "A length of nothing."),
        ("length-negative", "-1".to_owned(), "A length below nothing."),
        ("length-characters", CALL.chars().count().to_string(), "The number of characters is not the number of bytes."),
        (
            "length-base64",
            base64(CALL.as_bytes()).len().to_string(),
            "The length of the base64 text is not that of the bytes.",
        ),
    ] {
        m.one(name, &published().with("canonical_byte_length", Json::Raw(length)), bad(LengthMismatch), "§3.12", why)
            .twin("length");
    }
    m.one(
        "length-text",
        &published().with("canonical_byte_length", bytes.to_string()),
        bad(WrongType),
        "§3.6",
        "A length in quotes.",
    )
    .twin("length");
    m.one(
        "length-null",
        &published().with("canonical_byte_length", Json::null()),
        bad(WrongType),
        "§3.6",
        "A length that is null.",
    )
    .twin("length");
}

/// Bytes that commit a class and a version, as 0.4 does.
fn claims(class: &str, version: &str) -> Vec<u8> {
    format!(
        r#"{{"inputs":{{"day":"2026-03-14"}},"issuer_claims":{{"provenance_class":"{class}"}},"outputs":{{}},"receipt_schema_version":"{version}"}}"#
    )
    .into_bytes()
}

fn binding(m: &mut Maker) {
    use Class::{MetadataHashMissing, ProvenanceMismatch};
    m.one("binding-0-3", &over(&claims(GATEWAY, "0.3")), VERIFIED, "§3.13", "The committed class is the stated one.");
    m.one(
        "binding-0-3-class",
        &over(&claims(AGENT, "0.3")),
        bad(ProvenanceMismatch),
        "§3.13",
        "The bytes commit another class, at any version.",
    )
    .twin("binding-0-3");
    let bound = || {
        over(&claims(GATEWAY, "0.4"))
            .with("receipt_schema_version", "0.4")
            .with("metadata_hash", output_hash(b"labels"))
    };
    m.one("binding-0-4", &bound(), LEGACY, "§3.13", "A metadata_hash that nobody can recompute caps the headline.");
    m.one(
        "binding-0-4-no-hash",
        &bound().without("metadata_hash"),
        bad(MetadataHashMissing),
        "§3.13",
        "A 0.4 receipt without its metadata_hash.",
    )
    .twin("binding-0-4");
    m.one(
        "binding-0-4-class",
        &bound().with("provenance_class", AGENT),
        bad(ProvenanceMismatch),
        "§3.13",
        "The stated class is not the committed one.",
    )
    .twin("binding-0-4");
    m.one(
        "binding-0-4-not-committed",
        &committing(bound(), &inner_version("0.4")),
        bad(ProvenanceMismatch),
        "§3.13",
        "From 0.4 a class that is not committed is a mismatch.",
    )
    .twin("binding-0-4");
    m.one(
        "binding-0-4-both",
        &bound().with("provenance_class", AGENT).without("metadata_hash"),
        bad(ProvenanceMismatch),
        "§3.13",
        "The class is compared before the metadata_hash is missed.",
    )
    .twin("binding-0-4");
    m.one(
        "binding-0-4-altered",
        &bound().with("provenance_class", AGENT).with("canonical_bytes", base64(&claims(GATEWAY, "0.3"))),
        bad(Class::DigestMismatch),
        "§3.13",
        "Bytes that do not match bind nothing.",
    )
    .twin("binding-0-4");
    m.one(
        "binding-0-4-pending",
        &bound().with("verification_status", "pending"),
        bad(Class::StatusNotVerified),
        "§3.11",
        "Labels only claimed, and the record does not say verified.",
    )
    .twin("binding-0-4");
    m.one(
        "binding-downgraded",
        &bound().with("receipt_schema_version", "0.3"),
        bad(Class::VersionMismatch),
        "§3.3",
        "A 0.4 receipt relabelled 0.3.",
    )
    .twin("binding-0-4");
    let carried = || {
        parts()
            .transport(&claims(GATEWAY, "0.4"), "execution_observed", "success")
            .with("receipt_schema_version", "0.4")
            .with("metadata_hash", output_hash(b"labels"))
    };
    m.one("binding-transport", &carried(), TRANSPORT, "§3.13", "A 0.4 transport receipt: its labels are claimed.");
    m.one(
        "binding-transport-no-hash",
        &carried().without("metadata_hash"),
        bad(MetadataHashMissing).of(Kind::Transport),
        "§3.13",
        "A 0.4 transport receipt without its metadata_hash.",
    )
    .twin("binding-transport");
}

fn anchors(m: &mut Maker) {
    let anchor = || {
        object([
            ("log", "https://log.harbour.example/aer1".into()),
            ("leaf_hash", output_hash(CALL.as_bytes()).into()),
            ("anchored_at", "2026-03-14T09:27:00Z".into()),
            ("proof", object([("index", 41.into()), ("path", Json::List(Vec::new()))])),
        ])
    };
    let mut with = |name: &str, anchor: Json, state: Anchor, why: &str| {
        let entry = m.one(name, &published().with("anchor", anchor), VERIFIED, "§5", why);
        entry.anchor(state);
        if state == Anchor::VerificationFailed {
            entry.twin("anchor");
        }
    };
    with("anchor", anchor(), Anchor::Verified, "The anchor's fields are consistent; the log was not asked.");
    let failed = Anchor::VerificationFailed;
    for member in ["log", "leaf_hash", "anchored_at", "proof"] {
        with(
            &format!("anchor-missing-{member}"),
            anchor().without(member),
            failed,
            "The anchor lacks a member; an anchor never moves the headline.",
        );
    }
    with("anchor-more", anchor().with("note", "x"), failed, "A fifth member; exactly four are allowed.");
    with("anchor-log-empty", anchor().with("log", ""), failed, "An empty log.");
    with(
        "anchor-leaf-other",
        anchor().with("leaf_hash", output_hash(b"other")),
        failed,
        "The leaf is not this receipt's digest.",
    );
    with(
        "anchor-leaf-bare",
        anchor().with("leaf_hash", sha256_hex(CALL.as_bytes())),
        failed,
        "The leaf lacks its prefix.",
    );
    with(
        "anchor-time-calendar",
        anchor().with("anchored_at", "2026-02-30T00:00:00Z"),
        failed,
        "The anchor's time does not exist.",
    );
    with("anchor-time-syntax", anchor().with("anchored_at", "noon"), failed, "The anchor's time is no time.");
    with("anchor-proof-text", anchor().with("proof", "AAAA"), failed, "The proof is no object.");
    let invalid = Anchor::Unresolvable;
    with(
        "anchor-invalid",
        anchor().with("log", "https://log.invalid/aer1"),
        invalid,
        "A host under .invalid can never be asked.",
    );
    with("anchor-invalid-itself", anchor().with("log", "https://invalid/aer1"), invalid, "The host invalid itself.");
    with(
        "anchor-invalid-no-scheme",
        anchor().with("log", "log.invalid"),
        invalid,
        "The host is found without a scheme too.",
    );
    with(
        "anchor-relays",
        object([("event_id", "b2".into()), ("relays", Json::List(vec!["wss://relay.example".into()]))]),
        Anchor::Absent,
        "An anchor of another profile is a claim.",
    );
    with(
        "anchor-empty",
        Json::Object(Vec::new()),
        Anchor::Absent,
        "None of the four members: no anchor of this profile.",
    );
    with(
        "anchor-text",
        "https://log.harbour.example/aer1".into(),
        Anchor::Absent,
        "An anchor that is no object is none of this profile.",
    );
    m.one(
        "anchor-id-version-1",
        &published().with("id", "5b1d7a0e-93c4-11f0-8a6d-2f7c1e90b3d4").with("anchor", anchor()),
        VERIFIED,
        "§5",
        "The anchored profile wants a version 4 id.",
    )
    .twin("anchor")
    .anchor(failed);
    m.one(
        "anchor-no-bytes",
        &failure().with("anchor", anchor()),
        POINTER,
        "§5",
        "Without bytes there is no leaf to compare.",
    )
    .anchor(Anchor::NotChecked);
}

/// Which of several faults speaks.
fn order(m: &mut Maker) {
    use Class::{DigestMismatch, IdSyntax, ProvenanceUnknown, TimeSyntax, ToolInvalid, VersionUnsupported};
    let all = || {
        published()
            .with("id", "x")
            .with("created_at", "x")
            .inside("tool", |t| t.with("name", ""))
            .with("provenance_class", "x")
            .with("hash_algorithm", "md5")
    };
    m.one(
        "order-version",
        &all().with("receipt_schema_version", "9"),
        bad(VersionUnsupported),
        "§3",
        "The version before id, time, tool and class.",
    );
    m.one("order-id", &all(), bad(IdSyntax), "§3", "The id before time, tool and class.");
    m.one("order-time", &all().with("id", ID), bad(TimeSyntax), "§3", "The time before tool and class.");
    m.one(
        "order-tool",
        &all().with("id", ID).with("created_at", "2026-03-14T09:26:53Z"),
        bad(ToolInvalid),
        "§3",
        "The tool before the class.",
    );
    m.one(
        "order-class",
        &published().with("provenance_class", "x").with("hash_algorithm", "md5"),
        bad(ProvenanceUnknown),
        "§3",
        "The class before the hash.",
    );
    m.one(
        "order-digest",
        &all().without("verification_status").with("output_hash", output_hash(b"other")),
        bad(DigestMismatch),
        "§1",
        "A digest that differs always speaks, whatever else is wrong.",
    );
    m.one(
        "order-digest-length",
        &published().with("canonical_byte_length", 1).with("output_hash", output_hash(b"other")),
        bad(DigestMismatch),
        "§1",
        "A digest that differs speaks before a wrong length.",
    );
    m.one(
        "order-digest-duplicate",
        {
            let mut doc = published().with("output_hash", output_hash(b"other"));
            doc.add("id", ID);
            Vec::from(&doc)
        },
        bad(DigestMismatch),
        "§1",
        "A digest that differs speaks before a repeated member.",
    );
}
