//! What is asked from outside the record: identity, anchors, profiles, links, the clock.

use super::*;

#[test]
fn identity_from_outside() {
    let text = published("x").to_string();
    let with_options = |o: Options| run_with(text.as_bytes(), o).remove(0);
    let r = with_options(Options { expect_id: Some(ID.into()), ..Options::default() });
    assert_eq!((r.headline, r.id_state), (Headline::Verified, IdState::Matched));
    let r = with_options(Options { expect_id: Some("x".into()), ..Options::default() });
    assert_eq!((r.headline, r.class, r.id_state), (Headline::Mismatch, Some(Class::IdMismatch), IdState::Mismatched));
    let resolved = |h: String, id: Option<&str>| Options {
        resolved: Some(Resolved { output_hash: h, id: id.map(Into::into) }),
        ..Options::default()
    };
    assert_eq!(with_options(resolved(hash(b"x"), None)).id_state, IdState::Resolved);
    assert_eq!(with_options(resolved(hash(b"x"), Some(ID))).id_state, IdState::Resolved);
    assert_eq!(with_options(resolved(hash(b"x"), Some("y"))).class, Some(Class::IdMismatch));
    assert_eq!(with_options(resolved(hash(b"y"), Some(ID))).class, Some(Class::IdMismatch));
}

#[test]
fn anchors_never_move_the_headline() {
    let anchor = json!({"log": "https://log.example/1", "leaf_hash": hash(b"x"), "anchored_at": "2026-03-05T00:00:00Z",
        "proof": {}});
    let state = |a: J| {
        let r = of(&with(published("x"), "/anchor", Some(a)));
        assert_eq!(r.headline, Headline::Verified);
        r.anchor
    };
    assert_eq!(state(anchor.clone()), Anchor::Verified);
    assert_eq!(state(json!({"event_id": "x"})), Anchor::Absent);
    assert_eq!(state(json!("x")), Anchor::Absent);
    for (path, value) in [
        ("/leaf_hash", Some(json!(hash(b"y")))),
        ("/leaf_hash", Some(J::Null)),
        ("/anchored_at", Some(json!("2026-02-30T00:00:00Z"))),
        ("/proof", None),
        ("/proof", Some(json!([]))),
        ("/log", Some(json!(""))),
        ("/log", None),
        ("/extra", Some(json!(1))),
    ] {
        assert_eq!(state(with(anchor.clone(), path, value.clone())), Anchor::VerificationFailed, "{path} {value:?}");
    }
    assert_eq!(state(with(anchor.clone(), "/log", Some(json!("https://x.invalid")))), Anchor::Unresolvable);
    let old = with(published("x"), "/id", Some(json!("5b1f0c9a-3c55-1d0e-9a61-7f1f0f6f2b10")));
    let r = of(&with(old, "/anchor", Some(anchor.clone())));
    assert_eq!((r.headline, r.anchor), (Headline::Verified, Anchor::VerificationFailed));
    let pointer = with(with(transport("x"), "/canonical_bytes", None), "/anchor", Some(anchor));
    assert_eq!(of(&pointer).anchor, Anchor::NotChecked);
}

#[test]
fn profiles_add_and_never_take_away() {
    let text = |payload: &str| published(payload).to_string();
    let class =
        |text: String, profile| run_with(text.as_bytes(), Options { profile, ..Options::default() }).remove(0).class;
    assert_eq!(class(text("{\"inputs\":{}}"), Profile::Reference), None);
    for payload in ["{}", "[]", "x", "\"inputs\""] {
        assert_eq!(class(text(payload), Profile::Reference), Some(Class::ProfileInputs), "{payload}");
    }
    assert_eq!(class(text("{}"), Profile::Anchored), Some(Class::AnchorFailed));
    let bad = with(published("{\"inputs\":{}}"), "/id", Some(json!("x"))).to_string();
    assert_eq!(class(bad, Profile::Reference), Some(Class::IdSyntax));
}

#[test]
fn correlation_is_bound_only_by_matching_bytes() {
    let link = |payload: &str| {
        let r = with(published(payload), "/correlation_id", Some(json!("call-7")));
        of(&r).correlation.unwrap()
    };
    assert!(link("{\"correlation_id\":\"call-7\"}").bound);
    assert!(link("{\"a\":[{\"b\":\"c\\u0061ll-7\"}]}").bound);
    assert!(!link("{\"call-7\":1}").bound, "a name is no value");
    assert!(!link("call-7").bound, "bytes that are no JSON bind nothing");
    let r = with(published("{}"), "/job_id", Some(json!("j")));
    let c = of(&r).correlation.unwrap();
    assert_eq!((c.field.as_str(), c.explicit), ("job_id", false));
    let a = of(&with(published("{\"inputs\":{\"a\":1,\"b\":[2]}}"), "/job_id", Some(json!("j")))).inputs;
    let b = of(&with(published("{ \"inputs\": {\"b\": [2], \"a\": 1}, \"x\":3}"), "/job_id", Some(json!("j")))).inputs;
    let c = of(&with(published("{\"inputs\":{\"a\":2,\"b\":[2]}}"), "/job_id", Some(json!("j")))).inputs;
    assert_eq!(a, b);
    assert!(a.is_some() && a != c);
    let retry = with(published("{}"), "/retry_of", Some(json!("5b1f0c9a-3c55-4d0e-9a61-7f1f0f6f2b11")));
    assert_eq!(of(&retry).points_to, ["5b1f0c9a-3c55-4d0e-9a61-7f1f0f6f2b11"]);
    let two = with(retry.clone(), "/supersedes", Some(json!("5b1f0c9a-3c55-4d0e-9a61-7f1f0f6f2b12")));
    let both = ["5b1f0c9a-3c55-4d0e-9a61-7f1f0f6f2b11", "5b1f0c9a-3c55-4d0e-9a61-7f1f0f6f2b12"];
    assert_eq!(of(&two).points_to, both);
    let same = with(retry.clone(), "/supersedes", Some(json!("5b1f0c9a-3c55-4d0e-9a61-7f1f0f6f2b11")));
    assert_eq!(of(&same).points_to, both[..1], "each id once");
    let own = with(retry, "/supersedes", Some(json!(ID)));
    assert_eq!(of(&own).points_to, both[..1], "a record does not point to itself");
}

#[test]
fn later_than_the_clock_is_a_note() {
    let now = Moment { secs: 0, nanos: 0 };
    let r = run_with(published("x").to_string().as_bytes(), Options { now: Some(now), ..Options::default() }).remove(0);
    assert_eq!(r.headline, Headline::Verified);
    assert!(r.notes.contains(&Note::FutureTime { clock: now }));
    let mut verifier = Verifier::new(Options { max_depth: 77, ..Options::default() });
    assert_eq!(verifier.options().max_depth, 77);
    verifier.set_clock(now);
    let mut notes = Vec::new();
    verifier.text(published("x").to_string().as_bytes(), &mut |r| notes.extend(r.notes));
    assert!(notes.contains(&Note::FutureTime { clock: now }));
}
