//! The reports of one fixed folder, to the letter: text, jsonl, junit, html and markdown. What they say of a record is
//! compared over the vectors in tests/evidence.rs; here a change of words, order or layout shows.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "a test may")]

mod kit;

use std::fs::File;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, SystemTime};

use kit::{ID, OTHER, Place, changed, hash, receipt, records, stderr, stdout};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

fn id(n: u32) -> String {
    format!("5eed{n:04}-7a10-4c7b-9d2e-0b7a5f3c9a11")
}

/// An attempt of one call: its number, second, status and bytes.
fn attempt(n: u32, second: u32, status: &str, bytes: &str) -> Value {
    let mut value = receipt(&id(n), bytes.as_bytes());
    value["created_at"] = json!(format!("2025-06-01T12:00:{second:02}.250Z"));
    value["status"] = json!(status);
    value
}

fn with(mut value: Value, name: &str, to: Value) -> Value {
    value[name] = to;
    value
}

/// Two retry chains, a timeline, a workflow whose steps are there, and records of every headline that a file can have.
fn scene() -> Place {
    let p = Place::new();
    p.json("in/call/1.json", &with(attempt(1, 1, "failed", "{\"n\":1}"), "correlation_id", json!("call-7")));
    p.json("in/call/2.json", &with(attempt(2, 3, "timeout", "{\"n\":1}"), "correlation_id", json!("call-7")));
    let last = with(attempt(3, 41, "success", "{\"n\":2}"), "correlation_id", json!("call-7"));
    p.json("in/call/3.json", &last);
    p.json("in/call/3-again.json", &last);
    let bound = |n: u32| format!("{{\"inputs\":{{\"workflow_run\":\"<w&1>\"}},\"n\":{n},\"retry_of\":null}}");
    p.json("in/named/1.json", &attempt(4, 10, "error", &bound(1)));
    p.json("in/named/2.json", &with(attempt(5, 8, "success", &bound(2)), "retry_of", json!(id(4))));
    let vectors = Path::new(env!("CARGO_MANIFEST_DIR")).join("vectors");
    p.put("in/timeline.json", std::fs::read(vectors.join("chain-close-false.json")).unwrap());
    p.put("in/timeline-altered.json", std::fs::read(vectors.join("chain-altered-canonical_bytes.json")).unwrap());
    let step = |seq: u32, n: u32, bytes: &str| json!({"seq": seq, "receipt_id": id(n), "output_hash": hash(bytes.as_bytes())[7..]});
    // Two leaves, the digests of the ids, make one node, which is the root.
    let mut leaves = Sha256::digest(id(1)).to_vec();
    leaves.extend_from_slice(&Sha256::digest(id(3)));
    let root = &hash(&leaves)[7..];
    let workflow = json!({"workflow_id": "run-1", "steps": [step(1, 1, "{\"n\":1}"), step(2, 3, "{\"n\":2}")],
        "merkle_root": root});
    p.json("in/workflow.json", &workflow);
    p.json("in/array.json", &json!([receipt(ID, b"[]"), changed(OTHER)]));
    p.json("in/class.json", &with(receipt(&id(6), b"{}"), "provenance_class", json!("SEEN <b>BY</b> \u{202e}ME")));
    p.json("in/version.json", &with(receipt(&id(7), b"{}"), "receipt_schema_version", json!("9.9")));
    p.put("in/lines.jsonl", format!("{}\n\n{{\"id\":\n", receipt(&id(8), b"text")));
    p.put("in/other.json", "{\"x\":1}");
    let projection = p.run(&["redact", "in/call/1.json", "--drop", "/content/n"]);
    p.put("in/projection.json", projection.stdout);
    p.put("in/note.txt", "left out");
    // A text that ends too early is waited for while it is young.
    let past = SystemTime::now() - Duration::from_secs(600);
    File::options().append(true).open(p.path("in/lines.jsonl")).unwrap().set_modified(past).unwrap();
    p
}

fn report(p: &Place, format: &str) -> String {
    let ended = p.run(&["verify", "--format", format, "in"]);
    assert_eq!(ended.status.code(), Some(1), "{format}: {}", stderr(&ended));
    assert_eq!(stderr(&ended), "aerscope: 1 file left out because of its name; --all takes it\n");
    stdout(&ended)
}

/// The page without what differs from run to run.
fn dateless(page: &str) -> String {
    let made = format!("Made by aerscope {} on ", env!("CARGO_PKG_VERSION"));
    let (before, after) = page.split_once(&made).unwrap();
    format!("{before}Made by aerscope on {}", &after["2025-06-01T12:00:00.000Z".len()..])
}

#[test]
fn the_text() {
    insta::assert_snapshot!(report(&scene(), "text"));
}

#[test]
fn the_lines() {
    insta::assert_snapshot!(report(&scene(), "jsonl"));
}

#[test]
fn the_test_report() {
    insta::assert_snapshot!(report(&scene(), "junit"));
}

#[test]
fn the_page() {
    insta::assert_snapshot!(dateless(&report(&scene(), "html")));
}

#[test]
fn the_summary() {
    insta::assert_snapshot!(report(&scene(), "markdown"));
}

/// The scene is what it claims to be: every headline but `unreadable` is in it.
#[test]
fn the_folder_shows_every_headline() {
    let lines = report(&scene(), "jsonl");
    for headline in ["verified", "intact", "unavailable", "unsupported", "malformed", "mismatch", "not_receipt"] {
        assert!(lines.contains(&format!("\"headline\":\"{headline}\"")), "{headline}");
    }
}

/// What junitparser finds: the counts that the document states, those it has, and each case's outcome.
const PARSE: &str = r#"
import json, sys
from junitparser import JUnitXml, Failure, Error, Skipped
document = JUnitXml.fromstring(sys.stdin.buffer.read())
stated = [[s.tests, s.failures, s.errors, s.skipped] for s in document]
outcomes, where = [], []
for suite in document:
    for case in suite:
        kinds = {Failure: "failure", Error: "error", Skipped: "skipped"}
        outcomes.append("".join(kinds[type(r)] for r in case.result) or "passed")
        where.append([case.classname, case.name])
document.update_statistics()
counted = [[s.tests, s.failures, s.errors, s.skipped] for s in document]
print(json.dumps({"stated": stated, "counted": counted, "outcomes": outcomes, "where": where}))
"#;

/// What an independent reader of JUnit makes of it; `None` when there is none on this machine.
fn parsed(xml: &str) -> Option<Value> {
    let python = std::env::var("PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let asked = Command::new(&python).args(["-c", "import junitparser"]).stderr(Stdio::null()).status();
    if !asked.is_ok_and(|status| status.success()) {
        println!("skipped: {python} has no junitparser (pip install junitparser; PYTHON names another Python)");
        return None;
    }
    let mut command = Command::new(python);
    let mut child =
        command.args(["-c", PARSE]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("it ran before");
    let mut input = child.stdin.take().unwrap();
    let text = xml.to_owned();
    let writer = std::thread::spawn(move || input.write_all(text.as_bytes()));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap().unwrap();
    assert!(output.status.success());
    Some(serde_json::from_slice(&output.stdout).unwrap())
}

#[test]
fn a_reader_of_junit_counts_what_the_document_states() {
    let p = scene();
    let Some(found) = parsed(&report(&p, "junit")) else { return };
    let lines = records(&p.run(&["verify", "--format", "jsonl", "in"]));
    let outcome = |line: &Value| match line["headline"].as_str().unwrap() {
        "verified" => "passed",
        "malformed" | "mismatch" => "failure",
        "unreadable" => "error",
        _ => "skipped",
    };
    let cases: Vec<&Value> = lines.iter().filter(|line| line["headline"] != "not_receipt").collect();
    let wanted: Vec<&str> = cases.iter().map(|line| outcome(line)).collect();
    assert_eq!(found["outcomes"], json!(wanted), "in the order of the lines");
    let count = |what: &str| wanted.iter().filter(|one| **one == what).count();
    assert_eq!(found["stated"], json!([[wanted.len(), count("failure"), count("error"), count("skipped")]]));
    assert_eq!(found["counted"], found["stated"]);
    for (line, case) in cases.iter().zip(found["where"].as_array().unwrap()) {
        assert_eq!(case[0], line["path"]);
        assert_eq!(case[1], line["record"].as_str().unwrap_or("record"));
    }
}
