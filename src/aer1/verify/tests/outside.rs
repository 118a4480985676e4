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
    assert_eq!(link("{}").field, "correlation_id");
    assert!(link("{}").explicit, "it says itself that it links attempts");
    let configured = Options { correlation: vec!["/call/no".to_owned()], ..Options::default() };
    let r = with(published("{}"), "/call", Some(json!({"no": "7"}))).to_string();
    let c = run_with(r.as_bytes(), configured).remove(0).correlation.unwrap();
    assert_eq!((c.field.as_str(), c.value.as_str(), c.explicit), ("/call/no", "7", true));
    let a = of(&with(published("{\"inputs\":{\"a\":1,\"b\":[2]}}"), "/job_id", Some(json!("j")))).inputs;
    let b = of(&with(published("{ \"inputs\": {\"b\": [2], \"a\": 1}, \"x\":3}"), "/job_id", Some(json!("j")))).inputs;
    let c = of(&with(published("{\"inputs\":{\"a\":2,\"b\":[2]}}"), "/job_id", Some(json!("j")))).inputs;
    assert_eq!(a, b);
    assert!(a.is_some() && a != c);
    assert_eq!(of(&published("{\"inputs\":{\"a\":1}}")).inputs, None, "nothing links it, and nobody asks");
    let altered = with(published("{\"inputs\":{\"a\":1}}"), "/output_hash", Some(json!(hash(b"y"))));
    assert_eq!(of(&with(altered, "/job_id", Some(json!("j")))).inputs, None, "altered bytes commit nothing");
    let named = with(published("{}"), "/retry_of", Some(json!("attempt 1")));
    assert_eq!(of(&named).points_to, [""; 0], "what is no id points to nothing");
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
fn the_canonical_form_is_told_when_asked_for_and_when_there_are_bytes() {
    let form = |record: J, asked: bool| {
        let options = Options { canonical_form: asked, ..Options::default() };
        run_with(record.to_string().as_bytes(), options).remove(0).canonical_form
    };
    assert_eq!(form(published("{}"), true), Some(CanonicalForm::Yes));
    assert_eq!(form(published("{}"), false), None);
    for (payload, due) in [
        ("{\"a\":1,\"a\":2}", CanonicalForm::NotJson),
        ("{\"a\":1", CanonicalForm::NotJson),
        ("text", CanonicalForm::NotJson),
        ("\u{feff}{}", CanonicalForm::No),
        ("{\"b\":1,\"a\":2}", CanonicalForm::No),
        ("{\"a\":2,\"b\":1}", CanonicalForm::Yes),
    ] {
        assert_eq!(form(published(payload), true), Some(due), "{payload}");
    }
    assert_eq!(form(with(published("{}"), "/canonical_bytes", None), true), None);
}

#[test]
fn an_expectation_is_a_check_of_its_own() {
    let identity = |expect_id: Option<&str>, resolved: Option<String>| {
        let expect_id = expect_id.map(ToOwned::to_owned);
        let resolved = resolved.map(|output_hash| Resolved { output_hash, id: None });
        let options = Options { expect_id, resolved, ..Options::default() };
        let r = run_with(published("x").to_string().as_bytes(), options).remove(0);
        (r.check(Layer::Identity), r.id_state)
    };
    assert_eq!(identity(None, None), (Check::NotApplicable, IdState::Unverified));
    assert_eq!(identity(Some(ID), None), (Check::Passed, IdState::Matched));
    assert_eq!(identity(None, Some(hash(b"x"))), (Check::Passed, IdState::Resolved));
    assert_eq!(identity(Some("other"), None), (Check::Failed, IdState::Mismatched));
    assert_eq!(identity(None, Some(hash(b"y"))), (Check::Failed, IdState::Mismatched));
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
