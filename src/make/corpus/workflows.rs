//! Workflow closes in three shapes, with both leaf rules: rules §7. The tree is built here a second time.

use sha2::{Digest as _, Sha256};

use super::*;
use crate::aer1::report::hex;
use crate::make::receipt::{output_hash, sha256_hex};

/// The root over leaves given as texts.
fn root(leaves: impl IntoIterator<Item = String>) -> String {
    let mut level: Vec<[u8; 32]> = leaves.into_iter().map(|leaf| Sha256::digest(leaf.as_bytes()).into()).collect();
    if level.is_empty() {
        return sha256_hex(b"");
    }
    while level.len() > 1 {
        level = level
            .chunks(2)
            .map(|pair| {
                let mut hasher = Sha256::new();
                for node in pair.first().into_iter().chain(pair.last()) {
                    hasher.update(node);
                }
                hasher.finalize().into()
            })
            .collect();
    }
    level.first().map(|node| hex(node)).unwrap_or_default()
}

fn step_id(n: u64) -> String {
    format!("7a{n:06x}-4d21-4c0e-9b7f-3e5a90c1d2f{n:x}")
}

fn step_hash(n: u64) -> String {
    sha256_hex(format!("output of step {n}").as_bytes())
}

fn id_root(count: u64) -> String {
    root((1..=count).map(step_id))
}

fn output_root(count: u64) -> String {
    root((1..=count).map(|n| format!("{n}:{}", step_hash(n))))
}

/// The close shape with the older leaf rule.
pub(super) fn closed(count: u64) -> Json {
    let steps = (1..=count)
        .map(|n| object([("seq", n.into()), ("receipt_id", step_id(n).into()), ("output_hash", step_hash(n).into())]));
    object([("steps", Json::List(steps.collect())), ("merkle_root", id_root(count).into())])
}

/// The close shape with output leaves.
fn closed_by_output(count: u64) -> Json {
    closed(count).with("merkle_version", "seq-output-v1").with("merkle_root", output_root(count))
}

/// The shape an API answers with.
fn api(count: u64) -> Json {
    let receipts = (1..=count).map(|n| {
        object([("id", step_id(n).into()), ("step_index", (n - 1).into()), ("output_hash", step_hash(n).into())])
    });
    object([
        ("id", OTHER_ID.into()),
        ("count", count.into()),
        ("merkle_version", "seq-output-v1".into()),
        ("receipts", Json::List(receipts.collect())),
        ("merkle_root", output_root(count).into()),
    ])
}

/// The full shape.
fn full(count: u64) -> Json {
    let steps = (1..=count).map(|n| {
        object([
            ("seq", n.into()),
            ("tool", "tide.table".into()),
            ("receipt_id", step_id(n).into()),
            ("receipt_hash", step_hash(n).into()),
            ("started_at", format!("2026-03-14T09:{n:02}:00Z").into()),
            ("ended_at", format!("2026-03-14T09:{n:02}:02Z").into()),
            ("status", "success".into()),
        ])
    });
    object([
        ("type", "verifiable-workflow-receipt".into()),
        ("version", "1.0".into()),
        ("workflow_id", OTHER_ID.into()),
        ("receipt_id", ID.into()),
        ("session_id", "harbour-morning".into()),
        ("goal", "Plan the berths for the day".into()),
        ("status", "completed".into()),
        ("steps", Json::List(steps.collect())),
        ("merkle_root", id_root(count).into()),
        ("output_hash", sha256_hex(b"the final answer").into()),
        ("verify_url", "https://harbour.example/verify".into()),
    ])
}

/// One step of the list in `member` changed.
fn step(workflow: Json, member: &str, at: usize, change: impl FnOnce(Json) -> Json) -> Json {
    workflow.inside(member, |mut list| {
        if let Json::List(items) = &mut list
            && let Some(slot) = items.get_mut(at)
        {
            let item = std::mem::replace(slot, Json::null());
            *slot = change(item);
        }
        list
    })
}

fn fault(class: Class) -> Verdict {
    bad(class).of(Kind::Workflow)
}

pub(super) fn make(m: &mut Maker) {
    for count in [1, 2, 3, 4, 5, 7] {
        m.one(
            &format!("workflow-{count}"),
            &closed(count),
            WORKFLOW,
            "§7",
            "The root over this many ids; an odd node is paired with itself.",
        );
    }
    m.one(
        "workflow-v0",
        &closed(3).with("merkle_version", "receipt-id-v0"),
        WORKFLOW,
        "§7",
        "The older leaf rule, named.",
    );
    m.one("workflow-v1", &closed_by_output(3), WORKFLOW, "§7", "Leaves of number and output.");
    m.one("workflow-api", &api(3), WORKFLOW, "§7", "The API's shape; its numbers run from 0, its leaves from 1.");
    m.one("workflow-api-no-count", &api(3).without("count"), WORKFLOW, "§7", "A count may be absent.");
    m.one("workflow-full", &full(3), WORKFLOW, "§7", "The full shape; its own output hash cannot be recomputed.");
    m.one(
        "workflow-seq-float",
        &step(closed(3), "steps", 0, |s| s.with("seq", Json::raw("1.0"))),
        WORKFLOW,
        "§7",
        "1.0 is the integer 1.",
    );
    m.one(
        "workflow-v1-prefixed",
        &step(closed_by_output(3), "steps", 1, |s| s.with("output_hash", format!("sha256:{}", step_hash(2)))),
        WORKFLOW,
        "§7",
        "A prefix is allowed; the leaf takes the bare digest.",
    );
    m.one(
        "workflow-v1-ids",
        &step(closed_by_output(3), "steps", 1, |s| s.with("receipt_id", step_id(9))),
        WORKFLOW,
        "§7",
        "Output leaves do not cover the ids.",
    );
    m.one(
        "workflow-v0-outputs",
        &step(closed(3), "steps", 1, |s| s.with("output_hash", step_hash(9))),
        WORKFLOW,
        "§7",
        "Id leaves do not cover the outputs.",
    );
    m.one(
        "workflow-labels",
        &step(full(3), "steps", 1, |s| s.with("tool", "mail.draft").with("status", "failed")),
        WORKFLOW,
        "§7",
        "Neither leaf covers tool, status or times.",
    );
    let both = || {
        let receipts = (1..=3u64).map(|n| object([("id", step_id(n).into()), ("step_index", (n - 1).into())]));
        closed(3).with("receipts", Json::List(receipts.collect()))
    };
    m.one("workflow-both", &both(), WORKFLOW, "§7", "Steps and receipts both give the root.");
    members(m);
    structure(m);
    roots(m, &both());
}

fn members(m: &mut Maker) {
    use Class::{HashSyntax, MerkleVersionUnsupported, MissingMember};
    let empty = object([("steps", Json::List(Vec::new())), ("merkle_root", sha256_hex(b"").into())]);
    m.one(
        "workflow-empty",
        &empty,
        fault(MissingMember),
        "§7",
        "No step: the root is the hash of nothing, and it agrees.",
    )
    .twin("workflow-1");
    for (name, doc, twin, why) in [
        (
            "workflow-no-seq",
            step(closed(3), "steps", 1, |s| s.without("seq")),
            "workflow-3",
            "A step without its number.",
        ),
        (
            "workflow-no-id",
            step(closed(3), "steps", 1, |s| s.without("receipt_id")),
            "workflow-3",
            "A step without what its leaf needs.",
        ),
        (
            "workflow-v1-no-output",
            step(closed_by_output(3), "steps", 1, |s| s.without("output_hash")),
            "workflow-v1",
            "A step without what its leaf needs.",
        ),
        (
            "workflow-api-no-index",
            step(api(3), "receipts", 1, |s| s.without("step_index")),
            "workflow-api",
            "A step without its number.",
        ),
    ] {
        m.one(name, &doc, fault(MissingMember), "§7", why).twin(twin);
    }
    for (name, version, why) in [
        ("workflow-version-unknown", Json::from("seq-output-v2"), "A leaf rule nobody here knows."),
        ("workflow-version-empty", Json::from(""), "An empty leaf rule is not an absent one."),
        ("workflow-version-null", Json::null(), "A leaf rule of null is not an absent one."),
    ] {
        m.one(name, &closed(3).with("merkle_version", version), fault(MerkleVersionUnsupported), "§7", why)
            .twin("workflow-3");
    }
    m.one(
        "workflow-version-before-seq",
        &step(closed(3).with("merkle_version", "x"), "steps", 0, |s| s.with("seq", 2)),
        fault(MerkleVersionUnsupported),
        "§7",
        "The leaf rule is named before the order.",
    )
    .twin("workflow-3");
    let own = id_root(3);
    for (name, written, why) in [
        ("workflow-root-upper", own.to_ascii_uppercase(), "The root is lower case."),
        ("workflow-root-prefixed", format!("sha256:{own}"), "The root is bare."),
        ("workflow-root-short", own.chars().take(63).collect(), "One digit short."),
        ("workflow-root-empty", String::new(), "An empty root."),
    ] {
        m.one(name, &closed(3).with("merkle_root", written), fault(HashSyntax), "§7", why).twin("workflow-3");
    }
    m.one(
        "workflow-v1-output-upper",
        &step(closed_by_output(3), "steps", 1, |s| s.with("output_hash", step_hash(2).to_ascii_uppercase())),
        fault(HashSyntax),
        "§7",
        "A step's output hash in capitals.",
    )
    .twin("workflow-v1");
    m.one(
        "workflow-receipt-hash",
        &step(full(3), "steps", 1, |s| s.with("receipt_hash", output_hash(b"output of step 2"))),
        fault(HashSyntax),
        "§7",
        "A receipt_hash is bare hex.",
    )
    .twin("workflow-full");
}

fn structure(m: &mut Maker) {
    use Class::{WorkflowCount, WorkflowDuplicateId, WorkflowSeq};
    for (name, seq, why) in [
        ("workflow-seq-gap", Json::raw("3"), "A number is left out."),
        ("workflow-seq-zero", Json::raw("0"), "A number below one."),
        ("workflow-seq-half", Json::raw("2.5"), "A number that is no integer."),
        ("workflow-seq-true", Json::from(true), "A truth value is no number."),
    ] {
        m.one(name, &step(closed(3), "steps", 1, |s| s.with("seq", seq)), fault(WorkflowSeq), "§7", why)
            .twin("workflow-3");
    }
    let shuffled = closed(3).inside("steps", |mut list| {
        if let Json::List(items) = &mut list {
            items.reverse();
        }
        list
    });
    m.one("workflow-shuffled", &shuffled, fault(WorkflowSeq), "§7", "Numbers run in array order.").twin("workflow-3");
    m.one(
        "workflow-api-from-1",
        &step(api(1), "receipts", 0, |s| s.with("step_index", 1)),
        fault(WorkflowSeq),
        "§7",
        "The API's numbers run from 0.",
    )
    .twin("workflow-api");
    // The third leaf stands for the fourth as well, so the root is the same.
    let repeated = closed(3).inside("steps", |mut list| {
        if let Json::List(items) = &mut list {
            items.push(object([
                ("seq", 4.into()),
                ("receipt_id", step_id(3).into()),
                ("output_hash", step_hash(3).into()),
            ]));
        }
        list
    });
    m.one(
        "workflow-repeated",
        &repeated,
        fault(WorkflowDuplicateId),
        "§7",
        "A receipt id twice is refused although the root agrees.",
    )
    .twin("workflow-3");
    m.one(
        "workflow-v1-repeated",
        &step(closed_by_output(3), "steps", 1, |s| s.with("receipt_id", step_id(1))),
        fault(WorkflowDuplicateId),
        "§7",
        "A receipt id twice is refused although no leaf covers it.",
    )
    .twin("workflow-v1");
    m.one(
        "workflow-count-more",
        &api(3).with("count", 4),
        fault(WorkflowCount),
        "§7",
        "The count says four; three are there.",
    )
    .twin("workflow-api");
    m.one("workflow-count-zero", &api(3).with("count", 0), fault(WorkflowCount), "§7", "The count says none.")
        .twin("workflow-api");
}

fn roots(m: &mut Maker, both: &Json) {
    use Class::MerkleRootMismatch;
    let exchanged = step(step(closed(3), "steps", 0, |s| s.with("receipt_id", step_id(2))), "steps", 1, |s| {
        s.with("receipt_id", step_id(1))
    });
    for (name, doc, twin, why) in [
        ("workflow-root-other", closed(3).with("merkle_root", id_root(4)), "workflow-3", "The root of other steps."),
        (
            "workflow-root-of-nothing",
            closed(3).with("merkle_root", sha256_hex(b"")),
            "workflow-3",
            "The root of nothing.",
        ),
        ("workflow-ids-exchanged", exchanged, "workflow-3", "Two ids changed places."),
        (
            "workflow-id-other",
            step(closed(3), "steps", 1, |s| s.with("receipt_id", step_id(9))),
            "workflow-3",
            "A step names another receipt.",
        ),
        (
            "workflow-v1-output-other",
            step(closed_by_output(3), "steps", 1, |s| s.with("output_hash", step_hash(9))),
            "workflow-v1",
            "A step has another output.",
        ),
        (
            "workflow-v1-by-id",
            closed_by_output(3).with("merkle_root", id_root(3)),
            "workflow-v1",
            "The root by the other leaf rule.",
        ),
        (
            "workflow-v0-by-output",
            closed(3).with("merkle_root", output_root(3)),
            "workflow-3",
            "The root by the other leaf rule.",
        ),
        (
            "workflow-api-output-other",
            step(api(3), "receipts", 2, |s| s.with("output_hash", step_hash(9))),
            "workflow-api",
            "A step has another output.",
        ),
        (
            "workflow-both-differ",
            step(both.clone(), "receipts", 2, |s| s.with("id", step_id(9))),
            "workflow-both",
            "The root belongs to one list only; both count.",
        ),
    ] {
        m.one(name, &doc, fault(MerkleRootMismatch), "§7", why).twin(twin);
    }
}
