//! The anchor of a receipt: rules §5. It never moves the headline.

use super::*;
use crate::make::receipt::{output_hash, sha256_hex};

pub(super) fn make(m: &mut Maker) {
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
