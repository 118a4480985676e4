//! Which kind of document: rules §2.8 to §2.10, and records that are two kinds at once.

use super::chains::timeline;
use super::workflows::closed;
use super::*;
use crate::make::receipt::output_hash;

pub(super) fn make(m: &mut Maker) {
    for (name, text, why) in [
        ("other-empty-object", "{}\n", "An empty object."),
        ("other-object", "{\"name\":\"tide.table\",\"version\":\"2.3.0\"}\n", "An object of something else."),
        ("other-text", "\"verified\"\n", "A text alone."),
        ("other-number", "42\n", "A number alone."),
        ("other-true", "true\n", "A truth value alone."),
        ("other-null", "null\n", "Null alone."),
        ("other-empty-array", "[]\n", "An array of nothing."),
        ("other-id-alone", "{\"id\":\"5b1d7a0e-93c4-4f0b-8a6d-2f7c1e90b3d4\"}\n", "An id alone."),
    ] {
        m.one(name, text, OTHER, "§2.10", why);
    }
    let hash = || output_hash(CALL.as_bytes());
    m.one(
        "kind-pointer",
        &object([("id", ID.into()), ("output_hash", hash().into())]),
        POINTER,
        "§2.8",
        "An id and a hash: a pointer to a receipt.",
    );
    m.one(
        "kind-call",
        &object([
            ("id", ID.into()),
            ("tool", "tide.table".into()),
            ("timestamp", "2026-03-14T09:26:53Z".into()),
            ("status", "success".into()),
        ]),
        POINTER,
        "§2.8",
        "Id, tool, time and status: a transport receipt without bytes.",
    );
    m.one(
        "kind-published-pointer",
        &object([("id", ID.into()), ("created_at", "2026-03-14T09:26:53Z".into()), ("output_hash", hash().into())]),
        bad(Class::MissingMember),
        "§2.8",
        "created_at makes it a published receipt, which must carry its bytes.",
    )
    .twin("kind-pointer");
    two_kinds(m);
}

fn two_kinds(m: &mut Maker) {
    use Class::{ChainLink, DigestMismatch, MerkleRootMismatch};
    let list = closed(3);
    let beside = |root: &str| {
        let steps = list.get("steps").cloned().unwrap_or_else(Json::null);
        published().with("merkle_root", root).with("steps", steps)
    };
    let root = list.text_of("merkle_root").unwrap_or_default().to_owned();
    let zeros = "0".repeat(64);
    m.one(
        "two-both-good",
        &beside(&root),
        LEGACY,
        "§2",
        "A good receipt and a good root: the weaker of the two speaks.",
    );
    m.one(
        "two-root-bad",
        &beside(&zeros),
        bad(MerkleRootMismatch),
        "§2",
        "A good receipt does not excuse a wrong root.",
    )
    .twin("two-both-good");
    m.one(
        "two-bytes-bad",
        &beside(&root).with("output_hash", output_hash(b"other")),
        bad(DigestMismatch),
        "§2",
        "A good root does not excuse altered bytes.",
    )
    .twin("two-both-good");
    m.one(
        "two-both-bad",
        &beside(&zeros).with("output_hash", output_hash(b"other")),
        bad(DigestMismatch),
        "§2",
        "Of two equals the digest speaks.",
    )
    .twin("two-both-good");
    m.one(
        "two-version-and-root",
        &beside(&zeros).with("receipt_schema_version", "0.9"),
        bad(MerkleRootMismatch),
        "§2",
        "A mismatch is weaker than an unknown version.",
    )
    .twin("two-both-good");
    m.one(
        "two-version",
        &beside(&root).with("receipt_schema_version", "0.9"),
        bad(Class::VersionUnsupported),
        "§2",
        "An unknown version is weaker than a root that holds.",
    )
    .twin("two-both-good");

    let wrapping = || published().with("receipt", published());
    m.one("two-receipt-inside", &wrapping(), LEGACY, "§2", "A receipt around a receipt, both good.");
    m.one(
        "two-receipt-around-bad",
        &wrapping().with("output_hash", output_hash(b"other")),
        bad(DigestMismatch),
        "§2",
        "A good receipt inside does not excuse the record around it.",
    )
    .twin("two-receipt-inside");
    m.one(
        "two-receipt-inside-bad",
        &wrapping().inside("receipt", |r| r.with("output_hash", output_hash(b"other"))),
        bad(DigestMismatch),
        "§2",
        "A good record around it does not excuse the receipt inside.",
    )
    .twin("two-receipt-inside");
    let with_timeline = |entries: Json| object([("receipt", published()), ("timeline", entries)]);
    m.one(
        "two-timeline",
        &with_timeline(timeline(3)),
        LEGACY,
        "§2",
        "A receipt and a timeline in one wrapper, both good.",
    );
    let mut broken = timeline(3);
    if let Json::List(entries) = &mut broken
        && let Some(last) = entries.last_mut()
    {
        last.set("prev_digest", "ab".repeat(32));
    }
    m.one(
        "two-timeline-bad",
        &with_timeline(broken),
        bad(ChainLink),
        "§2",
        "A good receipt does not excuse a broken timeline beside it.",
    )
    .twin("two-timeline");
}
