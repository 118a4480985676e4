//! Each rule by its reason: a good record, one place changed, the class that must speak.

use base64::Engine as _;
use serde_json::{Value as J, json};
use sha2::{Digest as _, Sha256};

use super::*;
use crate::aer1::report::{Anchor, BytesState, CanonicalForm, Check, Labels, Shape, hex};

mod claims;
mod committed;
mod kinds;

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
fn wrappers_and_what_they_state() {
    let r = published("x");
    let endpoint = json!({"receipt": r, "verdict": "PASS"});
    assert_eq!(of(&endpoint).headline, Headline::Verified);
    let lies = with(endpoint.clone(), "/id", Some(json!("other")));
    assert_eq!(words(&of(&lies)), ("mismatch".into(), Some("envelope_mismatch"), vec!["envelope_mismatch"]));
    assert_eq!(of(&json!({"receipt": endpoint})).headline, Headline::NotReceipt);
    let event = json!({"specversion": "1.0", "id": ID, "source": "/tools/tide.table", "data": r,
        "type": "dev.zambo.aer1.receipt.v1", "time": r["created_at"], "aer1schemaversion": "0.3",
        "aer1provenance": "OBSERVED VIA GATEWAY"});
    assert_eq!(words(&of(&event)), ("verified".into(), None, vec![]));
    for (name, value) in [
        ("id", json!("x")),
        ("source", json!("/tools/other")),
        ("type", json!("x")),
        ("time", json!("2026-03-04T05:06:07.50Z")),
        ("aer1schemaversion", json!(0.3)),
        ("aer1provenance", J::Null),
    ] {
        let r = of(&with(event.clone(), &format!("/{name}"), Some(value)));
        assert_eq!(words(&r).2, ["envelope_mismatch"], "{name}");
        assert_eq!(words(&of(&with(event.clone(), &format!("/{name}"), None))).0, "verified", "{name}");
    }
    assert_eq!(of(&with(event.clone(), "/specversion", Some(json!("0.3")))).class, Some(Class::VersionUnsupported));
    let bus = json!({"id": "bus", "source": "x", "detail": event});
    assert_eq!(words(&of(&bus)), ("verified".into(), None, vec![]));
    let rpc = json!({"jsonrpc": "2.0", "id": 1, "result": {"_receipt": transport("x")}, "error": null});
    assert_eq!(words(&of(&rpc)), ("intact".into(), None, vec![]));
    let failed = json!({"jsonrpc": "2.0", "id": 1, "error": {"code": 1, "message": "no"}});
    assert_eq!(words(&of(&failed)).1, Some("provider_error"));
    assert_eq!(of(&failed).kind, Kind::ProviderError);
    assert_eq!(of(&json!({"jsonrpc": "2.0", "id": 1, "error": null})).headline, Headline::NotReceipt);
    assert_eq!(of(&json!({"_receipt": {"note": 1}})).kind, Kind::Transport);
    assert_eq!(of(&json!({"specversion": "1.0", "data": {"x": 1}})).headline, Headline::NotReceipt);
}

#[test]
fn lists_lines_and_events() {
    let good = published("x").to_string();
    let bad = with(published("x"), "/id", Some(json!("x"))).to_string();
    let list = run(format!("[{good},5,{bad},[]]"));
    let seen: Vec<_> = list.iter().map(|r| (r.place.to_string(), r.headline.as_str())).collect();
    let expected = [("#0", "verified"), ("#1", "not_receipt"), ("#2", "malformed"), ("#3", "not_receipt")];
    assert_eq!(seen, expected.map(|(p, h)| (p.to_owned(), h)));
    for text in ["[]", "5", "null", "\"x\"", "[1,2]"] {
        assert_eq!(one(text).headline, Headline::NotReceipt, "{text}");
    }
    let lines = run(format!("\u{feff}{good}\r\n\r\n  \n{bad}\n[{good}]\n{{\"id\": \"\n"));
    let seen: Vec<_> = lines.iter().map(|r| (r.place.to_string(), words(r).1)).collect();
    let expected = [(":1", None), (":4", Some("id_syntax")), (":5#0", None), (":6", Some("json_truncated"))];
    assert_eq!(seen, expected.map(|(p, c)| (p.to_owned(), c)));
    let events = run(format!(": hi\nevent: receipt\ndata: {good}\n\ndata: [DONE]\ndata:{bad}\n"));
    let seen: Vec<_> = events.iter().map(|r| (r.place.to_string(), words(r).1)).collect();
    assert_eq!(seen, [(":3".to_owned(), None), (":6".to_owned(), Some("id_syntax"))]);
    assert_eq!(one("data: nothing\n").class, Some(Class::JsonSyntax));
    // One line alone is a document, and so is a pretty-printed one.
    assert_eq!(one(format!("{good}\n\n")).place, Place::WHOLE);
    assert_eq!(one(serde_json::to_string_pretty(&published("x")).unwrap()).headline, Headline::Verified);
    // A first line that is no object makes the whole a broken document.
    assert_eq!(one(format!("5\n{good}\n")).class, Some(Class::JsonSyntax));
}

#[test]
fn texts_that_are_not_json() {
    let good = published("x").to_string();
    for (text, class) in [
        (b"".to_vec(), Class::EmptyFile),
        (b"\xef\xbb\xbf \n".to_vec(), Class::EmptyFile),
        (b"{\"a\":\"\xff\"}".to_vec(), Class::JsonEncoding),
        (b"\xff\xfe{\0}\0".to_vec(), Class::JsonEncoding),
        (b"\0\0\xfe\xff".to_vec(), Class::JsonEncoding),
        (b"{\"a\":\"\xe6\x9d".to_vec(), Class::JsonTruncated),
        (b"{\"a\":\xe6\x9d".to_vec(), Class::JsonTruncated),
        (good.as_bytes()[..good.len() / 2].to_vec(), Class::JsonTruncated),
        (b"<html>".to_vec(), Class::JsonSyntax),
        (b"{\"a\":NaN}".to_vec(), Class::JsonSyntax),
        (b"{\"a\":\"\\udfff\"}".to_vec(), Class::JsonSurrogate),
        (b"\xef\xbb\xbf\xef\xbb\xbf{}".to_vec(), Class::JsonSyntax),
    ] {
        let r = one(&text);
        assert_eq!((r.class, r.kind), (Some(class), Kind::None), "{text:?}");
        assert_eq!(r.headline, Headline::Malformed);
    }
}

#[test]
fn a_member_named_twice() {
    let good = published("x").to_string();
    let twice = good.replacen('{', "{\"id\":\"x\",", 1);
    let r = one(&twice);
    assert_eq!(words(&r), ("malformed".into(), Some("duplicate_member"), vec!["duplicate_member"]));
    assert_eq!(r.id.as_deref(), Some(ID), "the last value is looked at");
    let deep = good.replacen("\"tool\":{", "\"tool\":{\"sc\\u006fpe\":\"x\",", 1);
    assert_eq!(one(&deep).class, Some(Class::DuplicateMember));
    let both = run(format!("[{good},{twice}]"));
    assert_eq!(both[0].headline, Headline::Verified, "other records are untouched");
    assert_eq!(both[1].class, Some(Class::DuplicateMember));
    let altered = with(published("x"), "/output_hash", Some(json!(hash(b"y")))).to_string();
    let altered = altered.replacen('{', "{\"id\":\"x\",", 1);
    assert_eq!(one(&altered).class, Some(Class::DigestMismatch));
}

#[test]
fn two_kinds_at_once_are_both_checked() {
    let leaf = hex(&crate::aer1::id_leaf("a"));
    let steps = json!([{"seq": 1, "receipt_id": "a"}]);
    let both = with(with(published("x"), "/steps", Some(steps)), "/merkle_root", Some(json!(leaf)));
    let r = of(&both);
    assert_eq!((r.kind, r.headline, r.class), (Kind::Published, Headline::Intact, None));
    let wrong = with(both.clone(), "/merkle_root", Some(json!("0".repeat(64))));
    assert_eq!(words(&of(&wrong)), ("mismatch".into(), Some("merkle_root_mismatch"), vec!["merkle_root_mismatch"]));
    let altered = with(wrong, "/output_hash", Some(json!(hash(b"y"))));
    assert_eq!(of(&altered).class, Some(Class::DigestMismatch));
    let around = with(both, "/receipt", Some(with(published("z"), "/output_hash", Some(json!(hash(b"y"))))));
    assert_eq!(of(&around).class, Some(Class::DigestMismatch));
    // Steps alone make no workflow.
    assert_eq!(of(&with(published("x"), "/steps", Some(json!([1])))).headline, Headline::Verified);
}

#[test]
fn two_kinds_inside_and_around_every_wrapper() {
    let root = json!("0".repeat(64));
    let steps = json!([{"seq": 1, "receipt_id": "a"}]);
    let mut rooted = published("x");
    rooted["steps"] = steps.clone();
    rooted["merkle_root"] = root.clone();
    let mut timed = published("x");
    timed["timeline"] = json!([{"prev_digest": "x"}]);
    let event = |r: J| json!({"specversion": "1.0", "data": r});
    let other = b64(b"other");
    let with_bytes = |mut shell: J| {
        shell["canonical_bytes"] = json!(other);
        shell["output_hash"] = json!(hash(b"x"));
        shell
    };
    let with_root = |mut shell: J| {
        shell["steps"] = steps.clone();
        shell["merkle_root"] = root.clone();
        shell
    };
    let good = || published("x");
    let inner = |class: Class, record: J| {
        for wrapped in [
            json!({"_receipt": record}),
            json!({"jsonrpc": "2.0", "result": {"_receipt": record}}),
            json!({"receipt": record}),
            event(record.clone()),
            json!({"detail": event(record.clone())}),
        ] {
            assert_eq!(of(&wrapped).class, Some(class), "{wrapped}");
        }
    };
    inner(Class::MerkleRootMismatch, rooted);
    inner(Class::MissingMember, timed);
    for (shells, class) in [
        (&with_bytes as &dyn Fn(J) -> J, Class::DigestMismatch),
        (&with_root as &dyn Fn(J) -> J, Class::MerkleRootMismatch),
    ] {
        for wrapped in [
            shells(json!({"receipt": good()})),
            shells(event(good())),
            json!({"detail": shells(event(good()))}),
            shells(json!({"detail": event(good())})),
            json!({"jsonrpc": "2.0", "result": shells(json!({"_receipt": good()}))}),
            shells(json!({"jsonrpc": "2.0", "result": {"_receipt": good()}})),
            shells(json!({"_receipt": good()})),
        ] {
            assert_eq!(of(&wrapped).class, Some(class), "{wrapped}");
        }
    }
}

#[test]
fn classes_of_two_kinds_stand_in_layer_order() {
    let mut r = published("x");
    r["id"] = json!("no");
    r["timeline"] = json!([{"prev_digest": "x", "seq": 1}]);
    let all = of(&r).classes();
    let mut sorted = all.clone();
    sorted.sort_by_key(|c| c.layer());
    assert_eq!(all, sorted);
    assert!(all.contains(&Class::IdSyntax) && all.contains(&Class::MissingMember));
}

#[test]
fn envelopes_around_workflows_are_compared_too() {
    let workflow = json!({"id": "w1", "count": 1, "receipts": [{"id": "a", "step_index": 0}],
        "merkle_root": hex(&crate::aer1::id_leaf("a"))});
    assert_eq!(of(&json!({"receipt": workflow})).headline, Headline::Intact);
    assert_eq!(of(&json!({"id": "w1", "receipt": workflow})).headline, Headline::Intact);
    assert_eq!(of(&json!({"id": "w2", "receipt": workflow})).class, Some(Class::EnvelopeMismatch));
    let event = json!({"specversion": "1.0", "id": "w2", "data": workflow});
    assert_eq!(of(&event).class, Some(Class::EnvelopeMismatch));
}

#[test]
fn nesting_hides_no_contradiction() {
    for depth in [9_000, 10_001, 200_000] {
        let deep = format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        let class = format!("{{\"issuer_claims\":{{\"provenance_class\":\"LOGGED BY AGENT\"}},\"x\":{deep}}}");
        assert_eq!(of(&published(&class)).class, Some(Class::ProvenanceMismatch), "{depth}");
        let version = format!("{{\"x\":{deep},\"receipt_schema_version\":\"0.2\"}}");
        assert_eq!(of(&published(&version)).class, Some(Class::VersionMismatch), "{depth}");
        let mixed = format!("{{\"x\":{}1{}}}", "[{\"a\":".repeat(depth), "}]".repeat(depth));
        assert_eq!(of(&published(&mixed)).headline, Headline::Verified, "{depth}");
    }
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
    let events = run(format!("data\ndata: {good}\n"));
    assert_eq!(events[0].headline, Headline::Verified);
}

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
    assert_eq!(of(&retry).points_to.as_deref(), Some("5b1f0c9a-3c55-4d0e-9a61-7f1f0f6f2b11"));
}

#[test]
fn later_than_the_clock_is_a_note() {
    let now = Moment { secs: 0, nanos: 0 };
    let r = run_with(published("x").to_string().as_bytes(), Options { now: Some(now), ..Options::default() }).remove(0);
    assert_eq!(r.headline, Headline::Verified);
    assert!(r.notes.contains(&Note::FutureTime { clock: now }));
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
fn timelines() {
    let good = timeline(3);
    let r = of(&good);
    assert_eq!((r.kind, words(&r)), (Kind::Chain, ("intact".into(), None, vec![])));
    assert!(r.notes.contains(&Note::EndNotProven));
    assert_eq!(r.structure.as_ref().unwrap().parts.len(), 3);
    assert!(r.structure.as_ref().unwrap().parts.iter().all(|p| p.holds));
    assert_eq!(of(&good["timeline"]).kind, Kind::Chain, "a bare array is one record");
    let set = |path: &str, value: J| with(good.clone(), path, Some(value));
    for (record, class) in [
        (json!({"timeline": []}), "missing_member"),
        (with(good.clone(), "/timeline/1/tool", None), "missing_member"),
        (set("/timeline/1/tool", json!("")), "missing_member"),
        (set("/timeline/0/job_id", json!(5)), "wrong_type"),
        (set("/timeline/1/canonical_bytes", json!("?")), "base64_alphabet"),
        (set("/timeline/1/canonical_bytes", json!("/w==")), "utf8_invalid"),
        (set("/timeline/1/seq", json!(3)), "chain_seq"),
        (set("/timeline/1/seq", json!("2")), "chain_seq"),
        (set("/timeline/0/seq", json!(true)), "chain_seq"),
        (set("/timeline/1/job_id", json!("j2")), "chain_job"),
        (set("/timeline/1/close", json!(true)), "chain_close"),
        (set("/timeline/2/close", json!(false)), "chain_close"),
        (set("/timeline/0/close", json!("no")), "chain_close"),
        (set("/timeline/0/prev_digest", json!("1".repeat(64))), "chain_genesis"),
        (set("/timeline/1/tool", json!("other")), "chain_link"),
        (set("/timeline/1/canonical_bytes", json!("e30=")), "chain_link"),
    ] {
        let r = of(&record);
        assert_eq!(words(&r).1, Some(class), "{record}");
        assert_eq!(r.kind, Kind::Chain);
    }
    assert_eq!(of(&set("/timeline/1/seq", json!(2.0))).headline, Headline::Intact, "2.0 is 2");
}

#[test]
fn commitments() {
    let good = timeline(2);
    let last = of(&good).structure.unwrap().recomputed_root.unwrap();
    let own = json!({"job_id": "j1", "final_entry_digest": last, "entry_count": 2,
        "published_at": "2026-03-05T00:00:00Z"});
    let beside = with(good, "/commitment", Some(own.clone()));
    let r = of(&beside);
    assert_eq!(words(&r), ("intact".into(), None, vec![]));
    assert!(r.notes.contains(&Note::EndCommitted));
    for (name, value) in [
        ("job_id", json!("j2")),
        ("final_entry_digest", json!("0".repeat(64))),
        ("entry_count", json!(3)),
        ("entry_count", json!(2.0)),
        ("entry_count", json!(true)),
        ("published_at", json!("x")),
    ] {
        let r = of(&with(beside.clone(), &format!("/commitment/{name}"), Some(value)));
        assert_eq!(words(&r).2, ["commitment_mismatch"], "{name}");
    }
    assert_eq!(words(&of(&own)), ("unavailable".into(), None, vec![]));
    assert_eq!(of(&own).kind, Kind::Commitment);
    assert_eq!(words(&of(&with(own.clone(), "/published_at", None))).1, Some("missing_member"));
    assert_eq!(words(&of(&with(own.clone(), "/published_at", Some(json!("x"))))).1, Some("time_syntax"));
    assert_eq!(words(&of(&with(own.clone(), "/entry_count", Some(json!(true))))).1, Some("wrong_type"));
    assert_eq!(words(&of(&with(own, "/final_entry_digest", Some(json!("x"))))).1, Some("hash_syntax"));
}

#[test]
fn historical_timelines() {
    let mut prev = "0".repeat(64);
    let mut entries = Vec::new();
    for i in 0..2 {
        let payload = format!("old {i}");
        entries.push(json!({"id": format!("o{i}"), "canonical_bytes": b64(payload.as_bytes()), "prev_digest": prev}));
        prev = hash(payload.as_bytes())[7..].to_owned();
    }
    entries[1]["close"] = json!(true);
    let good = json!({"timeline": entries});
    assert_eq!(words(&of(&good)), ("intact".into(), Some("chain_historical"), vec![]));
    let cut = with(good.clone(), "/timeline/1/close", None);
    assert_eq!(words(&of(&cut)).1, Some("chain_close"));
    let altered = with(good, "/timeline/0/canonical_bytes", Some(json!("e30=")));
    assert_eq!(words(&of(&altered)).1, Some("chain_link"));
}

#[test]
fn workflows() {
    let outs = ["1".repeat(64), "2".repeat(64), "3".repeat(64)];
    let root = |leaves: Vec<[u8; 32]>| json!(hex(&crate::aer1::merkle_root(leaves)));
    let by_output = root((1..).zip(&outs).map(|(n, o)| crate::aer1::output_leaf(n, o)).collect());
    let by_id = root(["a", "b", "c"].iter().map(|id| crate::aer1::id_leaf(id)).collect());
    let steps: Vec<J> = (1..)
        .zip(["a", "b", "c"].iter().zip(&outs))
        .map(|(n, (id, o))| json!({"seq": n, "receipt_id": id, "output_hash": o}))
        .collect();
    let close = json!({"steps": steps, "merkle_root": by_output, "merkle_version": "seq-output-v1"});
    assert_eq!(words(&of(&close)), ("intact".into(), None, vec![]));
    assert_eq!(of(&close).kind, Kind::Workflow);
    let old = with(with(close.clone(), "/merkle_version", None), "/merkle_root", Some(by_id.clone()));
    assert_eq!(words(&of(&old)), ("intact".into(), None, vec![]));
    let receipts: Vec<J> = (0..)
        .zip(["a", "b", "c"].iter().zip(&outs))
        .map(|(n, (id, o))| json!({"id": id, "step_index": n, "output_hash": format!("sha256:{o}")}))
        .collect();
    let api = json!({"id": "w", "count": 3, "receipts": receipts, "merkle_root": by_output,
        "merkle_version": "seq-output-v1"});
    assert_eq!(words(&of(&api)), ("intact".into(), None, vec![]));
    let set = |base: &J, path: &str, value: J| with(base.clone(), path, Some(value));
    for (record, class) in [
        (set(&close, "/steps", json!([])), "missing_member"),
        (set(&close, "/steps", json!({})), "wrong_type"),
        (with(close.clone(), "/steps/1/output_hash", None), "missing_member"),
        (with(old.clone(), "/steps/1/receipt_id", None), "missing_member"),
        (set(&close, "/merkle_version", json!("v9")), "merkle_version_unsupported"),
        (set(&close, "/merkle_version", J::Null), "merkle_version_unsupported"),
        (set(&close, "/steps/1/seq", json!(3)), "workflow_seq"),
        (set(&close, "/steps/1/seq", json!(true)), "workflow_seq"),
        (set(&api, "/receipts/0/step_index", json!(1)), "workflow_seq"),
        (set(&close, "/steps/2/receipt_id", json!("a")), "workflow_duplicate_id"),
        (set(&api, "/count", json!(4)), "workflow_count"),
        (set(&api, "/count", json!("3")), "wrong_type"),
        (set(&close, "/steps/1/output_hash", json!("x")), "hash_syntax"),
        (set(&close, "/steps/1/receipt_hash", json!(hash(b"x"))), "hash_syntax"),
        (set(&close, "/merkle_root", json!("A".repeat(64))), "hash_syntax"),
        (set(&close, "/merkle_root", json!("a".repeat(64))), "merkle_root_mismatch"),
        (set(&close, "/merkle_root", by_id.clone()), "merkle_root_mismatch"),
    ] {
        let r = of(&record);
        assert_eq!(words(&r).1, Some(class), "{record}");
        // A wrong number also moves the leaf; everything else is alone.
        let alone = class == "workflow_seq" || words(&r).2 == [class];
        assert!(alone, "{:?} {record}", words(&r).2);
    }
    // Ids are not covered by output leaves.
    assert_eq!(of(&set(&close, "/steps/1/receipt_id", json!("z"))).headline, Headline::Intact);
    let both = with(api, "/steps", Some(json!([{"seq": 1, "receipt_id": "a", "output_hash": outs[0]}])));
    assert_eq!(words(&of(&both)).1, Some("workflow_count"));
}

#[test]
fn unknown_versions_name_what_is_not_evaluated() {
    let r = with(with(published("x"), "/receipt_schema_version", Some(json!("1.0"))), "/new_rule", Some(json!(1)));
    let r = of(&r);
    assert_eq!(r.headline, Headline::Unsupported);
    assert!(r.notes.contains(&Note::NotEvaluated(vec!["new_rule".into()])));
    assert_eq!(r.bytes.state, BytesState::Match, "the core fields are still looked at");
}
