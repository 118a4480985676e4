//! What a fault says: what was found, what was expected, which check failed.

use super::*;

fn fault(report: &Report, class: Class) -> (Option<&str>, Option<&str>) {
    let fault = report.faults.iter().find(|fault| fault.class == class).expect("the fault is listed");
    (fault.found.as_deref(), fault.expected.as_deref())
}

#[test]
fn a_length_that_is_no_integer_is_shown_as_it_is() {
    let said = |length: J| {
        let report = of(&with(published("x"), "/canonical_byte_length", Some(length)));
        let (found, expected) = fault(&report, Class::WrongType);
        (found.unwrap().to_owned(), expected.unwrap().to_owned())
    };
    assert_eq!(said(json!(7.5)), ("7.5".to_owned(), "an integer".to_owned()));
    assert_eq!(said(json!("7")), ("a string".to_owned(), "an integer".to_owned()));
    assert_eq!(said(json!(true)).0, "a boolean");
}

#[test]
fn the_clock_itself_is_not_later_than_the_clock() {
    let text = published("x").to_string();
    let created = crate::aer1::grammar::moment("2026-03-04T05:06:07.5Z").unwrap();
    let noted = |now| {
        let report = run_with(text.as_bytes(), Options { now: Some(now), ..Options::default() }).remove(0);
        report.notes.iter().any(|note| matches!(note, Note::FutureTime { .. }))
    };
    assert!(!noted(created));
    assert!(noted(Moment { nanos: created.nanos - 1, ..created }));
    assert!(!noted(Moment { secs: created.secs + 1, ..created }));
}

#[test]
fn a_hash_that_cannot_be_compared_makes_the_bytes_malformed() {
    let bytes = |hash: &str, bytes: &str| {
        let record = with(published("x"), "/output_hash", Some(json!(hash)));
        of(&with(record, "/canonical_bytes", Some(json!(bytes)))).bytes
    };
    let bad_hash = bytes("sha256:00", "eA==");
    assert_eq!(bad_hash.state, BytesState::Malformed);
    assert_eq!(bad_hash.declared.as_deref(), Some("sha256:00"));
    assert_eq!(bad_hash.length, Some(1));
    assert_eq!(bytes(&hash(b"x"), "?").state, BytesState::Malformed);
    // A projection's original hash is shown; whatever has bytes or a hash of its own shows that.
    let original = json!(hash(b"o"));
    let projection = json!({"projection_of": ID, "id": ID, "original_output_hash": original});
    assert_eq!(of(&projection).bytes.declared.as_deref(), original.as_str());
    let own = with(projection.clone(), "/output_hash", Some(json!(hash(b"x"))));
    assert_eq!(of(&own).bytes.declared, Some(hash(b"x")));
    assert_eq!(of(&with(projection, "/original_output_hash", Some(json!(7)))).bytes.declared, None);
    let receipt = with(published("x"), "/output_hash", None);
    assert_eq!(of(&with(receipt, "/original_output_hash", Some(original))).bytes.declared, None, "no projection");
}

#[test]
fn a_timelines_faults_say_what_was_found_and_mark_their_checks() {
    let set = |path: &str, value: J| of(&with(timeline(3), path, Some(value)));
    let report = set("/timeline/1/seq", json!("2"));
    assert_eq!(fault(&report, Class::ChainSeq), (Some("a string"), Some("2")));
    assert_eq!(report.check(Class::ChainSeq.layer()), Check::Failed);
    assert_eq!(report.shape, Shape::Complete, "its members are there");
    let report = set("/timeline/1/seq", json!(3));
    assert_eq!(fault(&report, Class::ChainSeq), (Some("3"), Some("2")));
    let report = set("/timeline/2/close", json!(false));
    assert_eq!(fault(&report, Class::ChainClose), (Some("false"), Some("true")));
    let report = set("/timeline/0/close", json!("no"));
    assert_eq!(fault(&report, Class::ChainClose), (Some("a string"), Some("false")));
    let report = of(&with(timeline(3), "/timeline/2/close", None));
    assert_eq!(fault(&report, Class::ChainClose), (Some("absent"), Some("true")));
    let report = of(&with(timeline(3), "/timeline/1/tool", None));
    assert_eq!((report.check(Layer::Members), report.shape), (Check::Failed, Shape::Faulty));
    let good = of(&timeline(3));
    assert_eq!((good.check(Layer::Members), good.shape), (Check::Passed, Shape::Complete));
}

/// An entry that states an output hash of its own, which its bytes contradict, is no chain that holds.
#[test]
fn an_entry_whose_own_hash_contradicts_its_bytes_speaks_first() {
    let state = |hash: &str| of(&with(timeline(3), "/timeline/2/output_hash", Some(json!(hash))));
    let own = hash("entry 2 \u{e9}\u{1f600}\u{7f}".as_bytes());
    for good in [own.as_str(), &own[7..], "no hash", ""] {
        assert_eq!(state(good).headline, Headline::Intact, "{good}");
    }
    for bad in [hash(b"other"), hash(b"other")[7..].to_owned()] {
        let report = state(&bad);
        assert_eq!((report.headline, report.class), (Headline::Mismatch, Some(Class::DigestMismatch)), "{bad}");
        assert_eq!(fault(&report, Class::DigestMismatch), (Some(bad.as_str()), Some(own.as_str())));
    }
    // The older form: an altered receipt does not become a chain that holds.
    let altered = with(published("x"), "/canonical_bytes", Some(json!(b64(b"y"))));
    let entry = with(altered, "/prev_digest", Some(json!("0".repeat(64))));
    assert_eq!(of(&json!([entry])).class, Some(Class::DigestMismatch));
    let both = with(timeline(3), "/timeline/1/seq", Some(json!(7)));
    let both = with(both, "/timeline/2/output_hash", Some(json!(hash(b"other"))));
    assert_eq!(words(&of(&both)).2, ["digest_mismatch", "chain_seq", "chain_link"]);
}
