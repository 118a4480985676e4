use super::*;
use crate::aer1::report::{CanonicalForm, Correlation, Fault, Headline, Kind, Place};
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;

const HOSTILE: &str = "a\x1b]0;x\x07\u{202e}\u{2028}\u{e0041}\u{9b}\\\"\n\u{7f}é東";

fn full() -> Report {
    let mut r = Report::empty(Place::line(3).at(0), Kind::Published, Headline::Mismatch);
    r.class = Some(Class::DigestMismatch);
    r.faults.push(Fault::new(Class::IdSyntax));
    r.faults.push(Fault::new(Class::DigestMismatch));
    for slot in [
        &mut r.id,
        &mut r.version,
        &mut r.tool,
        &mut r.created_at,
        &mut r.provenance,
        &mut r.verification_status,
        &mut r.status,
        &mut r.bytes.declared,
    ] {
        *slot = Some(HOSTILE.to_owned());
    }
    r.bytes.length = Some(7);
    r.bytes.recomputed = Some([0xab; 32]);
    r.canonical_form = Some(CanonicalForm::NotJson);
    r.correlation = Some(Correlation { field: HOSTILE.into(), value: HOSTILE.into(), bound: true, explicit: true });
    r.notes.push(Note::ProviderMessage(HOSTILE.into()));
    r
}

fn parsed(line: &str) -> serde_json::Value {
    assert!(line.ends_with('\n') && line.matches('\n').count() == 1, "one line");
    assert!(!line.trim_end().chars().any(text::is_special), "special code point in {line:?}");
    serde_json::from_str(line).unwrap()
}

#[test]
fn values_are_exact_and_the_raw_line_is_harmless() {
    let v = parsed(&line(Path::new(HOSTILE), &full(), &[Note::CopyOf(HOSTILE.into())]));
    for key in ["path", "id", "version", "tool", "created_at", "provenance", "verification_status", "status"] {
        assert_eq!(v[key], HOSTILE, "{key}");
    }
    assert_eq!(v["record"], ":3#0");
    assert_eq!(v["kind"], "published");
    assert_eq!(v["headline"], "mismatch");
    assert_eq!(v["class"], "digest_mismatch");
    assert_eq!(v["classes"], serde_json::json!(["id_syntax", "digest_mismatch"]));
    assert_eq!(v["bytes"]["state"], "unavailable");
    assert_eq!(v["bytes"]["length"], 7);
    assert_eq!(v["bytes"]["declared"], HOSTILE);
    assert_eq!(v["bytes"]["recomputed"], format!("sha256:{}", "ab".repeat(32)));
    assert_eq!(v["labels"], "unbound");
    assert_eq!(v["id_state"], "absent");
    assert_eq!(v["anchor"], "absent");
    assert_eq!(v["canonical_form"], "not_json");
    assert_eq!(v["correlation"], serde_json::json!({"field": HOSTILE, "value": HOSTILE, "bound": true}));
    assert_eq!(v["notes"][0], format!("the provider says: \"{HOSTILE}\""));
    assert!(v["notes"][1].as_str().unwrap().ends_with(HOSTILE));
    assert!(v.get("path_base64").is_none());
}

#[test]
fn keys_stand_in_their_order() {
    let raw = line(Path::new("p"), &full(), &[]);
    let keys = [
        "path",
        "record",
        "kind",
        "headline",
        "class",
        "classes",
        "id",
        "version",
        "tool",
        "created_at",
        "provenance",
        "verification_status",
        "status",
        "bytes",
        "labels",
        "id_state",
        "anchor",
        "canonical_form",
        "correlation",
        "notes",
    ];
    let mut from = 0;
    for key in keys {
        let at = raw[from..].find(&format!("\"{key}\":")).unwrap_or_else(|| panic!("{key} not in its place"));
        from += at;
    }
    assert_eq!(parsed(&raw).as_object().unwrap().len(), keys.len(), "and no other key");
}

#[test]
fn only_three_values_may_be_absent_as_null() {
    let v = parsed(&line(Path::new("p"), &Report::empty(Place::WHOLE, Kind::None, Headline::NotReceipt), &[]));
    let nulls: Vec<_> = v.as_object().unwrap().iter().filter(|(_, v)| v.is_null()).map(|(k, _)| k.as_str()).collect();
    assert_eq!(nulls, ["class", "correlation", "record"]);
    assert!(v.get("id").is_none(), "an absent member is left out");
    assert_eq!(v["bytes"], serde_json::json!({"state": "unavailable"}));
    assert_eq!(v["notes"], serde_json::json!([]));
}

#[test]
fn a_path_that_is_not_utf8_comes_exactly_besides() {
    let path = Path::new(OsStr::from_bytes(b"a\xff.json"));
    let v = parsed(&line(path, &Report::empty(Place::WHOLE, Kind::None, Headline::NotReceipt), &[]));
    assert_eq!(v["path"], "a\u{fffd}.json");
    assert_eq!(STANDARD.decode(v["path_base64"].as_str().unwrap()).unwrap(), b"a\xff.json");
}

#[test]
fn special_characters_are_written_as_utf16_escapes() {
    let mut out = String::new();
    string(&mut out, "\u{e0041}\x07é\\\"");
    assert_eq!(out, "\"\\udb40\\udc41\\u0007é\\\\\\\"\"");
}

#[test]
fn marks_in_a_row_are_escaped_past_the_eighth_and_values_stay_exact() {
    let many = "\u{301}".repeat(30);
    for value in [format!("a{many}b{many}"), many.clone(), format!("\\{many}\"{many}\u{1e8d0}")] {
        let mut raw = String::new();
        string(&mut raw, &value);
        let mut row = 0;
        for c in raw.chars() {
            row = if c == '\u{301}' { row + 1 } else { 0 };
            assert!(row <= text::MAX_MARKS, "{raw:?}");
        }
        assert!(!raw.starts_with("\"\u{301}"), "a mark without a base: {raw:?}");
        assert_eq!(serde_json::from_str::<String>(&raw).unwrap(), value);
    }
}
