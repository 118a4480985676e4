//! Each rule by its reason: a good record, one place changed, the class that must speak.

use base64::Engine as _;
use serde_json::{Value as J, json};
use sha2::{Digest as _, Sha256};

use super::*;
use crate::aer1::report::{Anchor, BytesState, CanonicalForm, Check, Labels, Shape, hex};

mod claims;
mod committed;
mod details;
mod kinds;
mod opened;
mod outside;
mod structures;
mod workflows;
mod wrapped;

const ID: &str = "5b1f0c9a-3c55-4d0e-9a61-7f1f0f6f2b10";

fn b64(bytes: &[u8]) -> String {
    base64::engine::general_purpose::STANDARD.encode(bytes)
}

fn hash(bytes: &[u8]) -> String {
    format!("sha256:{}", hex(&Sha256::digest(bytes)))
}

fn published(payload: &str) -> J {
    json!({
        "id": ID,
        "receipt_schema_version": "0.3",
        "created_at": "2026-03-04T05:06:07.5Z",
        "tool": {"name": "tide.table", "version": "3.1", "scope": "harbour"},
        "provenance_class": "OBSERVED VIA GATEWAY",
        "canonical_bytes": b64(payload.as_bytes()),
        "output_hash": hash(payload.as_bytes()),
        "verification_status": "verified",
    })
}

fn transport(payload: &str) -> J {
    json!({
        "id": ID,
        "tool": "tide.table",
        "timestamp": "2026-03-04T06:06:07+01:00",
        "tool_context": {"name": "tide.table", "version": "3.1", "scope": "harbour"},
        "receipt_schema_version": "0.3",
        "provenance_class": "EXECUTED BY PIER 4",
        "canonical_bytes": b64(payload.as_bytes()),
        "canonical_byte_length": payload.len(),
        "hash_algorithm": "sha256",
        "output_hash": hash(payload.as_bytes()),
        "verification_status": "execution_observed",
        "status": "success",
    })
}

fn bound(payload: &str) -> J {
    let mut r = published(payload);
    r["receipt_schema_version"] = json!("0.4");
    r["metadata_hash"] = json!("sha256:00");
    r
}

fn run_with(text: &[u8], options: Options) -> Vec<Report> {
    let mut out = Vec::new();
    let mut verifier = Verifier::new(options);
    verifier.text(text, &mut |r| out.push(r));
    for report in &out {
        let opened = verifier.open(text, report.place).expect("a reported record opens");
        assert_eq!(&opened.report, report, "opened and listed verdicts are the same");
    }
    out
}

fn run(text: impl AsRef<[u8]>) -> Vec<Report> {
    run_with(text.as_ref(), Options { canonical_form: true, ..Options::default() })
}

fn one(text: impl AsRef<[u8]>) -> Report {
    let mut all = run(text);
    assert_eq!(all.len(), 1, "one record");
    all.remove(0)
}

fn of(value: &J) -> Report {
    one(value.to_string())
}

fn words(report: &Report) -> (String, Option<&'static str>, Vec<&'static str>) {
    let classes = report.classes().iter().map(|c| c.as_str()).collect();
    (report.headline.as_str().to_owned(), report.class.map(|c| c.as_str()), classes)
}

/// Changes one place of a record: `path` is a JSON pointer, `None` removes.
fn with(mut record: J, path: &str, value: Option<J>) -> J {
    let (parent, name) = path.rsplit_once('/').unwrap();
    let parent = record.pointer_mut(parent).unwrap().as_object_mut().unwrap();
    match value {
        Some(v) => parent.insert(name.to_owned(), v),
        None => parent.remove(name),
    };
    record
}

#[test]
fn a_published_receipt_is_verified() {
    let r = of(&published("{\"inputs\":{},\"outputs\":1}"));
    assert_eq!(words(&r), ("verified".into(), None, vec![]));
    assert_eq!(r.bytes.state, BytesState::Match);
    assert_eq!((r.shape, r.labels, r.id_state), (Shape::Complete, Labels::Unbound, IdState::Unverified));
    assert_eq!(r.canonical_form, Some(CanonicalForm::Yes));
    assert_eq!(r.created.unwrap().to_string(), "2026-03-04T05:06:07.500Z");
    assert!(r.checks.iter().all(|c| matches!(c, Check::Passed | Check::NotApplicable)), "{:?}", r.checks);
}

#[test]
fn every_single_fault_of_a_published_receipt() {
    let bad_bytes = |bytes: &[u8]| {
        let r = with(published("x"), "/canonical_bytes", Some(json!(b64(bytes))));
        with(r, "/output_hash", Some(json!(hash(bytes))))
    };
    let base = || published("{\"a\":1}");
    let set = |path: &str, value: J| with(base(), path, Some(value));
    let gone = |path: &str| with(base(), path, None);
    let cases: Vec<(J, &str, Option<&str>)> = vec![
        (gone("/id"), "malformed", Some("missing_member")),
        (gone("/receipt_schema_version"), "malformed", Some("missing_member")),
        (gone("/created_at"), "malformed", Some("missing_member")),
        (gone("/provenance_class"), "malformed", Some("missing_member")),
        (gone("/canonical_bytes"), "malformed", Some("missing_member")),
        (gone("/output_hash"), "malformed", Some("missing_member")),
        (gone("/verification_status"), "malformed", Some("missing_member")),
        (gone("/tool"), "malformed", Some("missing_member")),
        (set("/id", J::Null), "malformed", Some("wrong_type")),
        (set("/receipt_schema_version", json!(0.3)), "malformed", Some("wrong_type")),
        (set("/created_at", json!(5)), "malformed", Some("wrong_type")),
        (set("/tool", json!(["x"])), "malformed", Some("wrong_type")),
        (set("/tool", J::Null), "malformed", Some("wrong_type")),
        (set("/provenance_class", json!(true)), "malformed", Some("wrong_type")),
        (set("/canonical_bytes", J::Null), "malformed", Some("wrong_type")),
        (set("/output_hash", json!({})), "malformed", Some("wrong_type")),
        (set("/verification_status", J::Null), "malformed", Some("wrong_type")),
        (set("/hash_algorithm", J::Null), "malformed", Some("wrong_type")),
        (set("/canonical_byte_length", json!("7")), "malformed", Some("wrong_type")),
        (set("/canonical_byte_length", json!(7.0)), "malformed", Some("wrong_type")),
        (set("/canonical_byte_length", json!(true)), "malformed", Some("wrong_type")),
        (set("/canonical_byte_length", json!(8)), "mismatch", Some("length_mismatch")),
        (set("/canonical_byte_length", json!(-7)), "mismatch", Some("length_mismatch")),
        (set("/canonical_byte_length", json!(7)), "verified", None),
        (set("/hash_algorithm", json!("sha-256")), "unsupported", Some("hash_algorithm_unsupported")),
        (set("/hash_algorithm", json!("")), "unsupported", Some("hash_algorithm_unsupported")),
        (set("/hash_algorithm", json!("sha256")), "verified", None),
        (set("/receipt_schema_version", json!("0.5")), "unsupported", Some("version_unsupported")),
        (set("/receipt_schema_version", json!("")), "unsupported", Some("version_unsupported")),
        (set("/receipt_schema_version", json!("0.3\n")), "unsupported", Some("version_unsupported")),
        (set("/receipt_schema_version", json!("0.2")), "verified", None),
        (set("/id", json!(ID.to_uppercase())), "malformed", Some("id_syntax")),
        (set("/id", json!("")), "malformed", Some("id_syntax")),
        (set("/id", json!("00000000-0000-0000-0000-000000000000")), "malformed", Some("id_nil")),
        (set("/created_at", json!("")), "malformed", Some("time_syntax")),
        (set("/created_at", json!("2026-02-29T00:00:00Z")), "malformed", Some("time_calendar")),
        (set("/tool/name", json!("")), "malformed", Some("tool_invalid")),
        (set("/tool/version", J::Null), "malformed", Some("tool_invalid")),
        (with(base(), "/tool/scope", None), "malformed", Some("tool_invalid")),
        (set("/tool", json!("")), "malformed", Some("tool_invalid")),
        (set("/tool/extra", json!(1)), "verified", None),
        (set("/provenance_class", json!("")), "malformed", Some("provenance_unknown")),
        (set("/provenance_class", json!("LOGGED BY AGENT\n")), "malformed", Some("provenance_unknown")),
        (set("/verification_status", json!("pending")), "intact", Some("status_not_verified")),
        (set("/verification_status", json!("")), "intact", Some("status_not_verified")),
        (set("/output_hash", json!(hash(b"{\"a\":1}").to_uppercase())), "malformed", Some("hash_syntax")),
        (set("/output_hash", json!("")), "malformed", Some("hash_syntax")),
        (set("/output_hash", json!(hash(b"other"))), "mismatch", Some("digest_mismatch")),
        (set("/canonical_bytes", json!("e30")), "malformed", Some("base64_padding")),
        (set("/canonical_bytes", json!("e30=\n")), "malformed", Some("base64_alphabet")),
        (bad_bytes(b"\xff"), "malformed", Some("utf8_invalid")),
        (bad_bytes(b"\xed\xa0\x80"), "malformed", Some("utf8_invalid")),
        (bad_bytes(b"\xc0\xaf"), "malformed", Some("utf8_invalid")),
        (bad_bytes(b""), "verified", None),
        (bad_bytes(b"\xef\xbb\xbf{}"), "verified", None),
        (set("/tool", json!("tide.table")), "intact", None),
        (set("/unknown", json!({"deep": [1, null]})), "verified", None),
    ];
    for (record, headline, class) in cases {
        let r = of(&record);
        let (h, c, all) = words(&r);
        assert_eq!((h.as_str(), c), (headline, class), "{record}");
        // Isolated: the speaking class is the only one.
        assert_eq!(all, class.into_iter().collect::<Vec<_>>(), "{record}");
    }
}

#[test]
fn pad_bits_are_refused_though_the_bytes_match() {
    // "ab" is YWI=; YWJ= decodes to the same two bytes.
    let r = with(published("ab"), "/canonical_bytes", Some(json!("YWJ=")));
    let r = of(&r);
    assert_eq!(words(&r), ("malformed".into(), Some("base64_noncanonical"), vec!["base64_noncanonical"]));
    assert_eq!(r.bytes.state, BytesState::Malformed);
}

#[test]
fn timestamp_may_stand_for_created_at_in_a_legacy_shape() {
    let mut r = published("x");
    let time = r["created_at"].take();
    let r = with(with(r, "/created_at", None), "/timestamp", Some(time));
    assert_eq!(words(&of(&r)), ("intact".into(), None, vec![]));
    assert_eq!(of(&r).shape, Shape::Legacy);
    let r = with(r, "/timestamp", Some(json!("2026-03-04T05:06:07")));
    assert_eq!(words(&of(&r)).1, Some("time_syntax"));
}

#[test]
fn a_digest_mismatch_speaks_before_everything() {
    let mut r = published("x");
    r["output_hash"] = json!(hash(b"y"));
    r["receipt_schema_version"] = json!("9");
    r["id"] = json!("no");
    r["verification_status"] = json!("pending");
    let r = of(&r);
    assert_eq!(r.class, Some(Class::DigestMismatch));
    let all = ["version_unsupported", "id_syntax", "status_not_verified", "digest_mismatch"];
    assert_eq!(words(&r).2, all);
    assert_eq!(r.bytes.recomputed.map(|d| format!("sha256:{}", hex(&d))), Some(hash(b"x")));
}

#[test]
fn faults_speak_in_layer_order_and_a_status_only_lowers() {
    let mut r = published("x");
    r["verification_status"] = json!("pending");
    r["canonical_byte_length"] = json!(9);
    assert_eq!(
        words(&of(&r)),
        ("mismatch".into(), Some("length_mismatch"), vec!["status_not_verified", "length_mismatch"])
    );
    let mut r = published("x");
    r["id"] = json!(7);
    r["created_at"] = json!("x");
    r.as_object_mut().unwrap().remove("output_hash");
    assert_eq!(words(&of(&r)).2, ["missing_member", "wrong_type", "time_syntax"]);
}

#[test]
fn versions_inside_and_outside() {
    let payload = |v: &str| format!("{{\"receipt_schema_version\":\"{v}\"}}");
    assert_eq!(of(&published(&payload("0.3"))).headline, Headline::Verified);
    let r = of(&published(&payload("0.2")));
    assert_eq!(words(&r), ("mismatch".into(), Some("version_mismatch"), vec!["version_mismatch"]));
    assert_eq!(r.labels, Labels::Contradicted);
    // Altered bytes commit nothing.
    let altered = with(published(&payload("0.2")), "/output_hash", Some(json!(hash(b"?"))));
    assert_eq!(words(&of(&altered)).2, ["digest_mismatch"]);
    // Both unknown, and they differ.
    let r = with(published(&payload("8")), "/receipt_schema_version", Some(json!("9")));
    assert_eq!(
        words(&of(&r)),
        ("mismatch".into(), Some("version_mismatch"), vec!["version_mismatch", "version_unsupported"])
    );
    // Named twice inside: one of them differs.
    let twice = "{\"receipt_schema_version\":\"0.2\",\"receipt_schema_version\":\"0.3\"}";
    assert_eq!(of(&published(twice)).class, Some(Class::VersionMismatch));
    // A transport receipt without an outer version takes the inner one.
    let r = of(&with(transport(&payload("7")), "/receipt_schema_version", None));
    assert_eq!(words(&r).1, Some("version_unsupported"));
    assert_eq!(r.version.as_deref(), Some("7"));
}

#[test]
fn binding_from_0_4_and_at_every_version() {
    let payload = "{\"issuer_claims\":{\"provenance_class\":\"OBSERVED VIA GATEWAY\"}}";
    let other = "{\"issuer_claims\":{\"provenance_class\":\"LOGGED BY AGENT\"}}";
    assert_eq!(of(&published(payload)).headline, Headline::Verified);
    assert_eq!(of(&published(other)).class, Some(Class::ProvenanceMismatch));
    let r = of(&bound(payload));
    assert_eq!((r.headline, r.class, r.labels), (Headline::Intact, None, Labels::Claimed));
    let r = of(&bound(other));
    assert_eq!(
        (r.headline, r.class, r.labels),
        (Headline::Mismatch, Some(Class::ProvenanceMismatch), Labels::Contradicted)
    );
    assert_eq!(of(&bound("{}")).class, Some(Class::ProvenanceMismatch), "0.4 must commit its class");
    let r = of(&with(bound(payload), "/metadata_hash", None));
    assert_eq!((r.class, r.labels), (Some(Class::MetadataHashMissing), Labels::Missing));
    let r = of(&with(bound(payload), "/metadata_hash", Some(json!(5))));
    assert_eq!(words(&r).2, ["wrong_type"]);
    // Deep nesting and a lone surrogate elsewhere hide no contradiction.
    let hidden = format!("{{\"a\":{}1{},\"s\":\"\\ud800\",{}", "[".repeat(300), "]".repeat(300), &other[1..]);
    assert_eq!(of(&published(&hidden)).class, Some(Class::ProvenanceMismatch));
}

#[test]
fn transport_receipts() {
    assert_eq!(words(&of(&transport("x"))), ("intact".into(), None, vec![]));
    for name in ["receipt_schema_version", "tool_context", "canonical_byte_length", "hash_algorithm"] {
        let r = of(&with(transport("x"), &format!("/{name}"), None));
        assert_eq!(words(&r), ("intact".into(), None, vec![]), "without {name}");
    }
    for name in ["id", "timestamp", "provenance_class", "output_hash", "verification_status", "status"] {
        let r = of(&with(transport("x"), &format!("/{name}"), None));
        assert_eq!(words(&r).1, Some("missing_member"), "without {name}");
    }
    let pointer = with(transport("x"), "/canonical_bytes", Some(J::Null));
    assert_eq!(words(&of(&pointer)), ("unavailable".into(), None, vec![]));
    let pointer = with(pointer, "/provenance_class", None);
    assert_eq!(of(&pointer).headline, Headline::Unavailable, "a pointer may lack any member");
    let pointer = with(pointer, "/id", Some(json!("x")));
    assert_eq!(words(&of(&pointer)).1, Some("id_syntax"), "what it has must be well formed");
    assert_eq!(words(&of(&with(transport("x"), "/tool", Some(json!(""))))).1, Some("tool_invalid"));
    assert_eq!(words(&of(&with(transport("x"), "/tool_context", Some(json!("x"))))).1, Some("wrong_type"));
    assert_eq!(words(&of(&with(transport("x"), "/tool_context/scope", None))).1, Some("tool_invalid"));
    let both = with(with(transport("x"), "/tool_context/scope", None), "/tool", Some(json!(7)));
    assert_eq!(words(&of(&both)).2, ["wrong_type", "tool_invalid"], "one fault does not hide the other");
    assert_eq!(words(&of(&with(transport("x"), "/verification_status", Some(json!("verified"))))).0, "intact");
}

#[test]
fn projections_hold_no_bytes() {
    let r = with(with(published("x"), "/canonical_bytes", None), "/output_hash", None);
    let r = with(r, "/projection_of", Some(json!(ID)));
    assert_eq!(words(&of(&r)), ("unavailable".into(), None, vec![]));
    assert!(of(&r).notes.contains(&Note::Projection { of: ID.into(), own_hash: None }));
    // The hash of the original bytes is known by its label, and only where nothing could be compared with it.
    let kept = with(r.clone(), "/original_output_hash", Some(json!(hash(b"original"))));
    assert_eq!(of(&kept).bytes.declared, Some(hash(b"original")));
    assert_eq!((of(&kept).bytes.state, of(&kept).bytes.recomputed), (BytesState::Unavailable, None));
    assert_eq!(
        of(&with(kept.clone(), "/projection_of", None)).bytes.declared,
        None,
        "any record can have such a member"
    );
    let bytes = with(kept, "/canonical_bytes", Some(json!("eA==")));
    assert_eq!(of(&bytes).bytes.declared, None);
    // With bytes it is checked, and still not green.
    let r = with(published("x"), "/projection_of", Some(json!(ID)));
    assert_eq!(of(&r).headline, Headline::Unavailable);
    let r = with(r, "/output_hash", Some(json!(hash(b"y"))));
    assert_eq!(of(&r).class, Some(Class::DigestMismatch));
}

#[test]
fn a_length_of_any_size_is_an_integer() {
    for (length, class) in [
        ("7", None),
        ("1000000000000000000000000000000000000000", Some("length_mismatch")),
        ("-0", Some("length_mismatch")),
        ("7.0", Some("wrong_type")),
        ("7e0", Some("wrong_type")),
    ] {
        let text =
            published("{\"a\":1}").to_string().replacen('{', &format!("{{\"canonical_byte_length\":{length},"), 1);
        assert_eq!(words(&one(&text)).1, class, "{length}");
    }
}

#[test]
fn inner_versions_of_a_transport_receipt_without_one() {
    let inner = |payload: &str| words(&of(&with(transport(payload), "/receipt_schema_version", None))).1;
    assert_eq!(inner("{\"receipt_schema_version\":\"0.3\"}"), None);
    assert_eq!(inner("{\"receipt_schema_version\":7}"), Some("version_unsupported"));
    assert_eq!(
        inner("{\"receipt_schema_version\":\"0.3\",\"receipt_schema_version\":\"0.2\"}"),
        Some("version_mismatch")
    );
}

#[test]
fn one_mark_at_the_very_beginning() {
    let good = published("x").to_string();
    let all = run(format!("\u{feff}{good}\n\u{feff}{good}\n"));
    assert_eq!(all.iter().map(|r| r.class).collect::<Vec<_>>(), [None, Some(Class::JsonSyntax)]);
    let mut blank = Vec::new();
    let mut verifier = Verifier::new(Options::default());
    verifier.line(1, "\u{feff} \r".as_bytes(), &mut |r| blank.push(r.class));
    assert_eq!(blank, [], "a mark on the first line is no text");
    verifier.line(2, "\u{feff} \r".as_bytes(), &mut |r| blank.push(r.class));
    assert_eq!(blank, [Some(Class::JsonSyntax)], "a mark on a later line is one");
    let events = run(format!("data\ndata: {good}\n"));
    assert_eq!(events[0].headline, Headline::Verified);
}

fn timeline(n: usize) -> J {
    let mut prev = "0".repeat(64);
    let mut entries = Vec::new();
    for i in 0..n {
        let payload = format!("entry {i} \u{e9}\u{1f600}\u{7f}");
        let close = i + 1 == n;
        let tool = "t\"\\/\u{e9}\u{1f600}\u{7f}\u{1}";
        let mut entry = json!({"id": format!("e{i}"), "seq": i + 1, "job_id": "j1", "tool": tool,
            "provenance_class": "LOGGED BY AGENT", "canonical_bytes": b64(payload.as_bytes()), "prev_digest": prev});
        if close {
            entry["close"] = json!(true);
        }
        let text = format!(
            "{{\"close\":{close},\"id\":\"e{i}\",\"job_id\":\"j1\",\"output_hash\":\"{}\",\"prev_digest\":\"{prev}\",\
             \"provenance_class\":\"LOGGED BY AGENT\",\"seq\":{},\
             \"tool\":\"t\\\"\\\\/\\u00e9\\ud83d\\ude00\\u007f\\u0001\"}}",
            &hash(payload.as_bytes())[7..],
            i + 1
        );
        prev = hash(text.as_bytes())[7..].to_owned();
        entries.push(entry);
    }
    json!({"timeline": entries})
}

#[test]
fn unknown_versions_name_what_is_not_evaluated() {
    let r = with(with(published("x"), "/receipt_schema_version", Some(json!("1.0"))), "/new_rule", Some(json!(1)));
    let r = of(&r);
    assert_eq!(r.headline, Headline::Unsupported);
    assert!(r.notes.contains(&Note::NotEvaluated(vec!["new_rule".into()])));
    assert_eq!(r.bytes.state, BytesState::Match, "the core fields are still looked at");
}
