//! What only an expectation from outside can find: identity (rules §4) and the profiles beside the core.

use super::*;
use crate::make::receipt::output_hash;

const OLD_ID: &str = "5b1d7a0e-93c4-11f0-8a6d-2f7c1e90b3d4";

pub(super) fn make(m: &mut Maker) {
    identity(m);
    other_kinds(m);
    reference(m);
    anchored(m);
}

/// A receipt that no other vector holds: its second differs.
fn receipt(second: u32) -> Json {
    published().with("created_at", format!("2026-03-14T09:30:{second:02}Z"))
}

fn identity(m: &mut Maker) {
    let mismatch = bad(Class::IdMismatch);
    m.one("expected-id", &receipt(0).with("id", OTHER_ID), VERIFIED, "§4", "The id that was expected.")
        .expect_id(OTHER_ID)
        .id(IdState::Matched);
    m.one("expected-id-other", &receipt(0), mismatch, "§4", "A whole receipt, and not the one that was asked for.")
        .expect_id(OTHER_ID)
        .id(IdState::Mismatched)
        .twin("expected-id");
    m.one("expected-id-case", &receipt(1), mismatch, "§4", "An expected id is compared as text.")
        .expect_id(&ID.to_uppercase())
        .id(IdState::Mismatched)
        .twin("expected-id");
    m.one(
        "expected-id-none",
        &receipt(2).without("id"),
        bad(Class::MissingMember),
        "§1",
        "An earlier layer speaks before the expected id.",
    )
    .expect_id(ID)
    .id(IdState::Mismatched)
    .twin("expected-id");

    let hash = output_hash(CALL.as_bytes());
    m.one("resolved", &receipt(3), VERIFIED, "§4", "A record resolved elsewhere has this hash; it names no id.")
        .resolved(&hash, None)
        .id(IdState::Resolved);
    m.record("resolved", None, VERIFIED, "§4", "The same, and it names this id.")
        .resolved(&hash, Some(ID))
        .id(IdState::Resolved);
    m.record("resolved", None, VERIFIED, "§4", "Nothing from outside: the id is a label.").id(IdState::Unverified);
    m.one("resolved-other-id", &receipt(4), mismatch, "§4", "The resolved record has another id.")
        .resolved(&hash, Some(OTHER_ID))
        .id(IdState::Mismatched)
        .twin("resolved");
    m.one("resolved-other-bytes", &receipt(5), mismatch, "§4", "The resolved record has another output hash.")
        .resolved(&output_hash(b"other"), Some(ID))
        .id(IdState::Mismatched)
        .twin("resolved");
    m.one("resolved-and-expected", &receipt(6), mismatch, "§4", "Resolved, but another id was expected.")
        .resolved(&hash, None)
        .expect_id(OTHER_ID)
        .id(IdState::Mismatched)
        .twin("resolved");
    m.one(
        "resolved-altered",
        &receipt(7).with("output_hash", output_hash(b"other")),
        bad(Class::DigestMismatch),
        "§1",
        "The digest speaks first, whatever was resolved.",
    )
    .resolved(&hash, Some(ID))
    .id(IdState::Mismatched)
    .twin("resolved");
}

/// Expectations hold for records that are no receipt as well.
fn other_kinds(m: &mut Maker) {
    let steps = |id: &str| {
        let leaf = crate::make::receipt::sha256_hex(OTHER_ID.as_bytes());
        let step = object([("seq", 1.into()), ("receipt_id", OTHER_ID.into())]);
        object([("id", id.into()), ("steps", Json::List(vec![step])), ("merkle_root", leaf.as_str().into())])
    };
    m.one("expected-workflow", &steps("harbour-day"), WORKFLOW, "§4", "A workflow with the id that was expected.")
        .expect_id("harbour-day")
        .id(IdState::Matched);
    let verdict = Verdict { class: Some(Class::IdMismatch), headline: Headline::Mismatch, ..WORKFLOW };
    m.one("expected-workflow-other", &steps("harbour-night"), verdict, "§4", "A workflow with another id.")
        .expect_id("harbour-day")
        .id(IdState::Mismatched)
        .twin("expected-workflow");
}

fn reference(m: &mut Maker) {
    let fault = bad(Class::ProfileInputs);
    let as_reference = Profile::Reference;
    m.one("reference", &receipt(10), VERIFIED, "profiles", "The bytes are a JSON object with inputs.")
        .profile(as_reference);
    for (name, bytes, why) in [
        ("reference-no-inputs", r#"{"outputs":{},"tool":"tide.table"}"#, "The bytes commit no inputs."),
        ("reference-inner-inputs", r#"{"call":{"inputs":{}}}"#, "Inputs further in are not the call's."),
        ("reference-array", r#"[{"inputs":{}}]"#, "An array is no object."),
        ("reference-text", "inputs", "The bytes are no JSON."),
        ("reference-empty", "", "There is no byte that could hold inputs."),
    ] {
        m.one(name, &over(bytes.as_bytes()).with("created_at", "2026-03-14T09:31:00Z"), fault, "profiles", why)
            .profile(as_reference)
            .twin("reference");
        m.record(name, None, VERIFIED, "profiles", "The core asks nothing of what the bytes say.");
    }
    m.one(
        "reference-status",
        &receipt(11).with("verification_status", "not_verified"),
        Verdict { class: Some(Class::StatusNotVerified), ..LEGACY },
        "profiles",
        "A profile turns no rejection into an acceptance.",
    )
    .profile(as_reference)
    .twin("reference");
    m.one(
        "reference-altered",
        &receipt(12).with("output_hash", output_hash(b"other")),
        bad(Class::DigestMismatch),
        "§1",
        "A profile never hides an altered receipt.",
    )
    .profile(as_reference)
    .twin("reference");
}

fn anchored(m: &mut Maker) {
    let anchor = || {
        object([
            ("log", "https://log.harbour.example/aer1".into()),
            ("leaf_hash", output_hash(CALL.as_bytes()).into()),
            ("anchored_at", "2026-03-14T09:32:00Z".into()),
            ("proof", object([("index", 42.into())])),
        ])
    };
    let fault = bad(Class::AnchorFailed);
    let mut row = |name: &str, receipt: Json, verdict: Verdict, state: Anchor, why: &str| {
        let entry = m.one(name, &receipt, verdict, "profiles", why).profile(Profile::Anchored).anchor(state);
        if verdict != VERIFIED {
            entry.twin("anchored");
        }
        m.record(name, None, VERIFIED, "§5", "An anchor never moves the core's headline.").anchor(state);
    };
    row(
        "anchored",
        receipt(20).with("anchor", anchor()),
        VERIFIED,
        Anchor::Verified,
        "Version 4 id and a whole anchor.",
    );
    row("anchored-none", receipt(21), fault, Anchor::Absent, "No anchor.");
    row(
        "anchored-other-leaf",
        receipt(22).with("anchor", anchor().with("leaf_hash", output_hash(b"other"))),
        fault,
        Anchor::VerificationFailed,
        "The anchor's leaf is not this receipt's digest.",
    );
    row(
        "anchored-invalid-host",
        receipt(23).with("anchor", anchor().with("log", "https://log.invalid/aer1")),
        fault,
        Anchor::Unresolvable,
        "Nobody can ask a log under .invalid.",
    );
    row(
        "anchored-old-id",
        receipt(24).with("id", OLD_ID).with("anchor", anchor()),
        fault,
        Anchor::VerificationFailed,
        "The profile wants a version 4 id.",
    );
}
