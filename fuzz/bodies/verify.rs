//! `recognise` and `verify` on any bytes: no panic, and green only where another reader finds the bytes and the hash.

use aerscope::aer1::report::{Headline, Kind, Report, hex};
use aerscope::aer1::verify::{Options, Verifier};
use base64::Engine as _;
use serde_json::Value;
use sha2::{Digest as _, Sha256};

/// Any bytes.
pub fn run(data: &[u8]) {
    let mut verifier = Verifier::new(Options { canonical_form: true, ..Options::default() });
    let mut reports = Vec::new();
    verifier.text(data, &mut |report| reports.push(report));
    for report in reports.iter().take(8) {
        let opened = verifier.open(data, report.place).expect("a record that was reported can be opened");
        assert_eq!(opened.report.headline, report.headline, "opened alone it says something else");
        assert_eq!(opened.report.class, report.class);
        assert!(opened.span.start <= opened.span.end && opened.span.end <= data.len(), "{:?}", opened.span);
        holds(report, opened.canonical.as_deref(), data.get(opened.span).unwrap_or_default());
    }
}

fn holds(report: &Report, canonical: Option<&[u8]>, text: &[u8]) {
    if report.headline != Headline::Verified {
        return;
    }
    assert_eq!((report.class, report.faults.len()), (None, 0), "green with a fault");
    assert_eq!(report.kind, Kind::Published);
    let bytes = canonical.expect("green without bytes");
    let hash = format!("sha256:{}", hex(&Sha256::digest(bytes)));
    assert_eq!(report.bytes.declared.as_deref(), Some(hash.as_str()), "green over another hash");
    // Another reader finds an object with these two members and what must stand beside them.
    let value: Value = match serde_json::from_slice(text) {
        Ok(value) => value,
        // It stops one level earlier, and at numbers a double does not hold.
        Err(error) => {
            let said = error.to_string();
            let known = said.contains("recursion limit") || said.contains("number out of range");
            assert!(known, "green, and no JSON for serde_json: {said}");
            return;
        }
    };
    let encoded = base64::engine::general_purpose::STANDARD.encode(bytes);
    assert!(contains(&value, &encoded, &hash), "green, and no object holds these bytes and this hash");
}

fn contains(value: &Value, encoded: &str, hash: &str) -> bool {
    let is = |name: &str, due: &str| value.get(name).and_then(Value::as_str) == Some(due);
    let text = |name: &str| value.get(name).and_then(Value::as_str).is_some_and(|text| !text.is_empty());
    if is("canonical_bytes", encoded)
        && is("output_hash", hash)
        && is("verification_status", "verified")
        && ["id", "receipt_schema_version", "created_at", "provenance_class"].into_iter().all(text)
        && value.get("tool").is_some_and(Value::is_object)
    {
        return true;
    }
    match value {
        Value::Array(all) => all.iter().any(|inner| contains(inner, encoded, hash)),
        Value::Object(all) => all.values().any(|inner| contains(inner, encoded, hash)),
        _ => false,
    }
}
