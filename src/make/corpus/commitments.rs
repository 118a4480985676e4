//! The older construction, and what is published about a chain elsewhere: rules §6.

use super::chains::{GENESIS, JOB, changed, document, fault, linked, links};
use super::*;
use crate::make::receipt::{base64, sha256_hex};

pub(super) fn make(m: &mut Maker) {
    historical(m);
    commitments(m);
}

fn historical(m: &mut Maker) {
    use Class::{ChainClose, ChainGenesis, ChainHistorical, ChainLink, MissingMember};
    let old = |count: u64| -> Vec<Json> {
        let mut prev = GENESIS.to_owned();
        links(count)
            .into_iter()
            .map(|link| {
                let mut entry = object([
                    ("id", link.id.as_str().into()),
                    ("canonical_bytes", base64(&link.bytes).into()),
                    ("prev_digest", prev.as_str().into()),
                ]);
                if link.close {
                    entry.add("close", true);
                }
                prev = sha256_hex(&link.bytes);
                entry
            })
            .collect()
    };
    let changed = |at: usize, change: &dyn Fn(Json) -> Json| {
        document(old(3).into_iter().enumerate().map(|(i, e)| if i == at { change(e) } else { e }).collect())
    };
    m.one(
        "historical",
        &document(old(3)),
        fault(ChainHistorical),
        "§6",
        "The older construction holds, and is never shown as the current one.",
    );
    m.one(
        "historical-one",
        &Json::List(old(1)),
        fault(ChainHistorical),
        "§6",
        "One entry of the older construction, as a bare array.",
    );
    m.one(
        "historical-genesis",
        &changed(0, &|e| e.with("prev_digest", "f".repeat(64))),
        fault(ChainGenesis),
        "§6",
        "The first entry does not start from 64 zeros.",
    )
    .twin("historical");
    m.one(
        "historical-link",
        &changed(1, &|e| e.with("canonical_bytes", "e30=")),
        fault(ChainLink),
        "§6",
        "An entry's bytes were changed after it was linked.",
    )
    .twin("historical");
    m.one(
        "historical-not-closed",
        &changed(2, &|e| e.without("close")),
        fault(ChainClose),
        "§6",
        "The last entry does not close the chain.",
    )
    .twin("historical");
    m.one(
        "historical-no-bytes",
        &changed(1, &|e| e.without("canonical_bytes")),
        fault(MissingMember),
        "§6",
        "An entry without its bytes.",
    )
    .twin("historical");
}

fn commitments(m: &mut Maker) {
    use Class::{CommitmentMismatch, HashSyntax, MissingMember, TimeCalendar, TimeSyntax, WrongType};
    let (entries, last) = linked(&links(3));
    let commitment = || {
        object([
            ("job_id", JOB.into()),
            ("final_entry_digest", last.as_str().into()),
            ("entry_count", 3.into()),
            ("published_at", "2026-03-14T22:00:00Z".into()),
        ])
    };
    let beside = |commitment: Json| document(entries.clone()).with("commitment", commitment);
    m.one(
        "committed",
        &beside(commitment()),
        CHAIN,
        "§6",
        "The commitment beside the chain agrees: its end was not cut off.",
    );
    m.one(
        "committed-count-float",
        &beside(commitment().with("entry_count", Json::raw("3.0"))),
        fault(CommitmentMismatch),
        "§6",
        "The count is a true integer or it is none.",
    )
    .twin("committed");
    for (name, commitment, why) in [
        ("committed-other-job", commitment().with("job_id", "night-run-0315"), "It names another job."),
        (
            "committed-other-digest",
            commitment().with("final_entry_digest", "ab".repeat(32)),
            "It names another last entry.",
        ),
        ("committed-other-count", commitment().with("entry_count", 4), "It counts another number of entries."),
        ("committed-count-true", commitment().with("entry_count", true), "A truth value is no count."),
        ("committed-count-text", commitment().with("entry_count", "3"), "A text is no count."),
        ("committed-no-time", commitment().without("published_at"), "It does not say when it was published."),
        (
            "committed-bad-time",
            commitment().with("published_at", "2026-02-30T22:00:00Z"),
            "It was published at no moment.",
        ),
    ] {
        m.one(name, &beside(commitment), fault(CommitmentMismatch), "§6", why).twin("committed");
    }
    let mut relabelled = entries.clone();
    if let Some(entry) = relabelled.last_mut() {
        entry.set("tool", "tide.level");
    }
    m.one(
        "committed-last-relabelled",
        &document(relabelled).with("commitment", commitment()),
        fault(CommitmentMismatch),
        "§6",
        "The last entry was relabelled; only the commitment notices.",
    )
    .twin("committed");
    m.one(
        "committed-cut",
        &document(linked(&links(2)).0).with("commitment", commitment()),
        fault(CommitmentMismatch),
        "§6",
        "A chain that was shortened and closed again, beside the commitment of the whole one.",
    )
    .twin("committed");
    m.one(
        "committed-broken",
        &changed(2, |e| e.with("prev_digest", "ab".repeat(32))).with("commitment", commitment()),
        fault(Class::ChainLink),
        "§6",
        "A broken link is named before the commitment.",
    )
    .twin("committed");

    let alone = Verdict { kind: Kind::Commitment, headline: Headline::Unavailable, class: None };
    let unfit = |class: Class| bad(class).of(Kind::Commitment);
    m.one("commitment", &commitment(), alone, "§2.6", "A commitment waits for its chain.");
    for (name, commitment, class, why) in [
        ("commitment-no-job", commitment().without("job_id"), MissingMember, "Without its job."),
        (
            "commitment-no-time",
            commitment().without("published_at"),
            MissingMember,
            "Without the time it was published.",
        ),
        ("commitment-count-true", commitment().with("entry_count", true), WrongType, "A truth value is no count."),
        ("commitment-count-text", commitment().with("entry_count", "3"), WrongType, "A text is no count."),
        ("commitment-job-number", commitment().with("job_id", 314), WrongType, "A job that is no text."),
        (
            "commitment-digest-prefixed",
            commitment().with("final_entry_digest", format!("sha256:{last}")),
            HashSyntax,
            "The digest is bare hex.",
        ),
        (
            "commitment-digest-upper",
            commitment().with("final_entry_digest", last.to_ascii_uppercase()),
            HashSyntax,
            "The digest is lower case.",
        ),
        (
            "commitment-time-syntax",
            commitment().with("published_at", "last night"),
            TimeSyntax,
            "Published at no time.",
        ),
        (
            "commitment-time-calendar",
            commitment().with("published_at", "2026-02-30T22:00:00Z"),
            TimeCalendar,
            "Published on 30 February.",
        ),
    ] {
        m.one(name, &commitment, unfit(class), "§6", why).twin("commitment");
    }
}
