//! `aerscope emit` as it is called: what it writes verifies, and what it cannot write it names.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "a test may")]

mod kit;

use std::process::Output;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use kit::{ID, Place, records, stderr, stdout};
use serde_json::Value;

const LABELS: [&str; 9] = [
    "emit",
    "--tool",
    "web.search",
    "--tool-version",
    "1.2",
    "--scope",
    "public",
    "--provenance",
    "OBSERVED VIA GATEWAY",
];

fn emit(place: &Place, more: &[&str], bytes: &[u8]) -> Output {
    place.run_with(&[&LABELS, more].concat(), bytes)
}

#[test]
fn standard_input_becomes_a_receipt_that_verifies() {
    let p = Place::new();
    for bytes in [&b"{\"a\":1}"[..], b"plain text\n", "Zürich \u{202e} 東京".as_bytes(), b"", b"\0"] {
        let output = emit(&p, &["--correlation", "call-7"], bytes);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        let receipt: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(STANDARD.decode(receipt["canonical_bytes"].as_str().unwrap()).unwrap(), bytes);
        assert_eq!(receipt["output_hash"], kit::hash(bytes));
        let read = p.run_with(&["verify", "--format", "jsonl", "-"], &output.stdout);
        let said = records(&read).remove(0);
        assert_eq!((read.status.code(), &said["headline"]), (Some(0), &Value::from("verified")), "{said}");
        assert_eq!(said["correlation"]["value"], "call-7");
        assert_eq!((&said["version"], &said["provenance"]), (&"0.3".into(), &"OBSERVED VIA GATEWAY".into()));
    }
}

#[test]
fn what_is_given_is_kept_to_the_letter() {
    let p = Place::new();
    let time = "2025-06-01T12:00:00.1234567890+05:30";
    let output = emit(&p, &["--id", ID, "--created-at", time], b"{}");
    let receipt: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&receipt["id"], &receipt["created_at"]), (&ID.into(), &time.into()));
    assert!(receipt.get("correlation_id").is_none());
}

#[test]
fn a_folder_gets_one_file_and_keeps_what_it_has() {
    let p = Place::new();
    p.put("in/keep.txt", "");
    let output = emit(&p, &["--into", "in", "--id", ID], b"{}");
    assert_eq!(stdout(&output), format!("in/{ID}.json\n"), "{}", stderr(&output));
    assert_eq!(p.status(&["verify", "--expect-file-name", &format!("in/{ID}.json")]), 0);
    let again = emit(&p, &["--into", "in", "--id", ID], b"other");
    assert_eq!(again.status.code(), Some(2));
    assert_eq!(stderr(&again), format!("aerscope: in/{ID}.json: it is there already; nothing is overwritten\n"));
    assert_eq!(p.read(&format!("in/{ID}.json"))["canonical_bytes"], "e30=");
    assert_eq!(p.names("in"), [format!("{ID}.json"), "keep.txt".to_owned()], "nothing is left behind");
    let nowhere = emit(&p, &["--into", "nowhere"], b"{}");
    assert_eq!(nowhere.status.code(), Some(2));
    assert!(stderr(&nowhere).contains("its folder is not there"), "{}", stderr(&nowhere));
}

#[test]
fn what_would_not_verify_is_refused_in_a_sentence() {
    let p = Place::new();
    let refused = |more: &[&str], bytes: &[u8], says: &str| {
        let output = emit(&p, more, bytes);
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{more:?}");
        assert!(stderr(&output).contains(says), "{}", stderr(&output));
        assert_eq!(stderr(&output).lines().count(), 1, "{}", stderr(&output));
    };
    refused(&[], b"ab\xff", "not UTF-8 at byte 2");
    refused(&["--id", &ID.to_uppercase()], b"{}", "an id is a lowercase UUID");
    refused(&["--id", "00000000-0000-0000-0000-000000000000"], b"{}", "the nil UUID");
    refused(&["--created-at", "2025-02-30T00:00:00Z"], b"{}", "there is no such moment");
    refused(&["--created-at", "yesterday"], b"{}", "a time is YYYY");
    refused(&["--correlation", ""], b"{}", "--correlation");
    let committed = br#"{"issuer_claims":{"provenance_class":"LOGGED BY AGENT"}}"#;
    refused(&[], committed, "the receipt would not verify");
    let wrong = [&LABELS[..7], &["--provenance", "observed via gateway"]].concat();
    let output = p.run(&wrong);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("OBSERVED VIA GATEWAY"), "{}", stderr(&output));
    assert_eq!(p.status(&LABELS[..7]), 2, "no provenance, no receipt");
}
