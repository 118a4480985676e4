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
    in_wrappers(m, &beside(&root), &beside(&zeros));
    let steps = list.get("steps").cloned().unwrap_or_else(Json::null);
    let shell = |s: Json, root: &str| s.with("merkle_root", root).with("steps", steps.clone());
    let bytes = |s: Json, hash: String| {
        s.with("canonical_bytes", published().get("canonical_bytes").cloned().unwrap_or_else(Json::null))
            .with("output_hash", hash)
    };
    let result = || object([("_receipt", published())]);
    let response = |result: Json| object([("jsonrpc", "2.0".into()), ("id", 7.into()), ("result", result)]);
    m.one(
        "two-rpc-root",
        &response(shell(result(), &root)),
        LEGACY,
        "§2",
        "A root beside _receipt in a result, both good.",
    );
    m.one(
        "two-rpc-root-bad",
        &response(shell(result(), &zeros)),
        bad(MerkleRootMismatch),
        "§2",
        "A wrong root beside _receipt in a JSON-RPC result.",
    )
    .twin("two-rpc-root");
    let event = || object([("specversion", "1.0".into()), ("data", published())]);
    let bus = |detail: Json| object([("detail", detail)]);
    m.one(
        "two-bus-root",
        &bus(shell(event(), &root)),
        LEGACY,
        "§2",
        "A root beside data in an event's detail, both good.",
    );
    m.one(
        "two-bus-root-bad",
        &bus(shell(event(), &zeros)),
        bad(MerkleRootMismatch),
        "§2",
        "A wrong root beside data in an event bus's detail.",
    )
    .twin("two-bus-root");
    m.one(
        "two-bus-bytes-bad",
        &bus(bytes(event(), output_hash(b"other"))),
        bad(DigestMismatch),
        "§2",
        "Altered bytes beside data in an event bus's detail.",
    )
    .twin("two-bus-root");
    let closing = |id: &str| object([("id", id.into()), ("receipt", shell(object([("id", "close-1".into())]), &root))]);
    m.one("two-envelope-workflow", &closing("close-1"), WORKFLOW, "§2.3", "An endpoint's answer around a workflow.");
    m.one(
        "two-envelope-workflow-id",
        &closing("close-2"),
        bad(Class::EnvelopeMismatch).of(Kind::Workflow),
        "§2.3",
        "The answer names another id than its workflow.",
    )
    .twin("two-envelope-workflow");
}

/// A record of two kinds keeps both inside every wrapper.
fn in_wrappers(m: &mut Maker, good: &Json, wrong: &Json) {
    type Wrap = fn(Json) -> Json;
    let wrappers: [(&str, Wrap); 5] = [
        ("two-in-receipt-member", |r| object([("_receipt", r)])),
        ("two-in-rpc", |r| {
            object([("jsonrpc", "2.0".into()), ("id", 7.into()), ("result", object([("_receipt", r)]))])
        }),
        ("two-in-endpoint", |r| object([("receipt", r)])),
        ("two-in-event", |r| object([("specversion", "1.0".into()), ("data", r)])),
        ("two-in-bus", |r| object([("detail", object([("specversion", "1.0".into()), ("data", r)]))])),
    ];
    for (name, wrap) in wrappers {
        m.one(name, &wrap(good.clone()), LEGACY, "§2", "A receipt with a root of its own, wrapped, both good.");
        m.one(
            &format!("{name}-bad"),
            &wrap(wrong.clone()),
            bad(Class::MerkleRootMismatch),
            "§2",
            "A wrapped receipt does not excuse its own wrong root.",
        )
        .twin(name);
    }
}
