//! Published receipts: versions, members, and which of several faults speaks (rules §1, §3.3, §3.6).

use super::*;
use crate::make::receipt::{base64, output_hash};

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
    members(m);
    order(m);
}

/// A vector that is `published` with one member replaced.
pub(super) fn swap(
    m: &mut Maker,
    name: &str,
    member: &str,
    value: impl Into<Json>,
    class: Class,
    rule: &str,
    why: &str,
) {
    m.one(name, &published().with(member, value), bad(class), rule, why).twin("published");
}

pub(super) fn good(m: &mut Maker, name: &str, member: &str, value: impl Into<Json>, rule: &str, why: &str) {
    m.one(name, &published().with(member, value), VERIFIED, rule, why);
}

pub(super) fn inner_version(version: &str) -> Vec<u8> {
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
pub(super) fn altered() -> String {
    CALL.replacen("04:12", "04:13", 1)
}

/// Text whose base64 ends in `pads` pad characters.
pub(super) fn padded(pads: usize) -> String {
    let mut text = "Berth 7 is free from 16:40.".to_owned();
    while text.len() % 3 != (3 - pads) % 3 {
        text.push('.');
    }
    text
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
