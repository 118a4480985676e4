//! `aerscope snapshot` and `compare` as they are called: what differs is found, whatever the file times say.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "a test may")]

mod kit;

use std::fs;
use std::io::Write;

use kit::{ID, OTHER, Place, changed, hash, receipt, records, stderr, stdout};
use serde_json::{Value, json};

fn place() -> Place {
    let p = Place::new();
    p.json("in/a.json", &receipt(ID, b"{\"n\":1}"));
    p.json("in/sub/b.json", &receipt(OTHER, b"{\"n\":1}"));
    p.put("in/c.jsonl", format!("{}\n{}\n", receipt(ID, b"1"), receipt(OTHER, b"2")));
    p.put("in/d.json", "{\"x\":1}");
    assert_eq!(p.status(&["snapshot", "in", "--out", "then.jsonl"]), 0);
    p
}

fn differences(p: &Place) -> Vec<(String, String, String)> {
    let output = p.run(&["compare", "then.jsonl", "in", "--format", "jsonl"]);
    let found = records(&output);
    assert_eq!(output.status.code(), Some(i32::from(!found.is_empty())), "{}", stderr(&output));
    let word = |v: &Value| v.as_str().unwrap_or("-").to_owned();
    found.iter().map(|d| (word(&d["change"]), word(&d["path"]), word(&d["record"]))).collect()
}

fn expect(p: &Place, wanted: &[(&str, &str, &str)]) {
    let found = differences(p);
    let found: Vec<(&str, &str, &str)> = found.iter().map(|(a, b, c)| (a.as_str(), b.as_str(), c.as_str())).collect();
    assert_eq!(found, wanted);
}

#[test]
fn a_snapshot_says_what_each_record_is_and_nothing_differs() {
    let p = place();
    let text = fs::read_to_string(p.path("then.jsonl")).unwrap();
    let lines: Vec<Value> = text.lines().map(|l| serde_json::from_str(l).unwrap()).collect();
    assert_eq!(lines[0], json!({"snapshot": 1, "all": false, "max_size": 64 << 20}));
    let whole = fs::read(p.path("in/a.json")).unwrap();
    assert_eq!(
        lines[1],
        json!({"path": "a.json", "record": null, "id": ID, "output_hash": hash(b"{\"n\":1}"),
            "file_sha256": hash(&whole).trim_start_matches("sha256:"), "size": whole.len(),
            "headline": "verified", "class": null})
    );
    let order: Vec<&str> = lines[1..6].iter().map(|l| l["path"].as_str().unwrap()).collect();
    assert_eq!(order, ["a.json", "c.jsonl", "c.jsonl", "d.json", "sub/b.json"]);
    assert_eq!(lines[6], json!({"files": 4, "records": 5}));
    expect(&p, &[]);
    // From another place, and moved: paths are relative to the folder.
    fs::rename(p.path("in"), p.path("archive")).unwrap();
    assert_eq!(p.status(&["compare", "then.jsonl", "./archive/"]), 0);
    let again = p.run(&["snapshot", "archive/"]);
    assert_eq!(stdout(&again), text);
}

#[test]
fn an_edit_of_the_same_size_with_the_time_put_back_is_found() {
    let p = place();
    let path = p.path("in/a.json");
    let before = fs::metadata(&path).unwrap();
    p.json("in/a.json", &changed(ID));
    fs::File::options().write(true).open(&path).unwrap().set_modified(before.modified().unwrap()).unwrap();
    let after = fs::metadata(&path).unwrap();
    assert_eq!((after.len(), after.modified().unwrap()), (before.len(), before.modified().unwrap()));
    expect(&p, &[("rewritten", "a.json", "-")]);
    let said = p.run(&["compare", "then.jsonl", "in"]);
    assert!(stdout(&said).contains("rewritten  a.json  verified → mismatch (digest_mismatch)"), "{}", stdout(&said));
    let quiet = p.run(&["compare", "--quiet", "then.jsonl", "in"]);
    assert_eq!((quiet.status.code(), quiet.stdout.len()), (Some(1), 0));
    // A label that neither id, hash nor verdict shows.
    let mut relabelled = receipt(ID, b"{\"n\":1}");
    relabelled["tool"]["scope"] = "secret".into();
    p.json("in/a.json", &relabelled);
    expect(&p, &[("rewritten", "a.json", "-")]);
}

#[test]
fn what_came_and_went_is_told() {
    let p = place();
    fs::remove_file(p.path("in/sub/b.json")).unwrap();
    p.json("in/e.json", &receipt(OTHER, b"{}"));
    let mut lines = fs::File::options().append(true).open(p.path("in/c.jsonl")).unwrap();
    writeln!(lines, "{}", receipt(OTHER, b"3")).unwrap();
    expect(&p, &[("added", "c.jsonl", ":3"), ("added", "e.json", "-"), ("removed", "sub/b.json", "-")]);
    p.put("in/c.jsonl", format!("{}\n{}\n", receipt(ID, b"1"), receipt(OTHER, b"4")));
    expect(&p, &[("rewritten", "c.jsonl", ":2"), ("added", "e.json", "-"), ("removed", "sub/b.json", "-")]);
}

#[test]
fn the_same_content_with_another_verdict_is_told_apart() {
    let p = place();
    let text = fs::read_to_string(p.path("then.jsonl")).unwrap();
    p.put("then.jsonl", text.replacen("\"verified\"", "\"intact\"", 1));
    expect(&p, &[("verdict", "a.json", "-")]);
}

#[test]
fn trouble_is_no_difference() {
    let p = place();
    let refused = |args: &[&str], says: &str| {
        let output = p.run(args);
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{args:?}");
        assert!(stderr(&output).contains(says), "{}", stderr(&output));
    };
    refused(&["snapshot", "nowhere"], "no such file");
    refused(&["snapshot", "in/a.json"], "it is no folder");
    refused(&["snapshot", "in", "--out", "then.jsonl"], "it is there already");
    refused(&["snapshot", "in", "--out", "in/sub/then.jsonl"], "inside the folder");
    refused(&["compare", "nowhere", "in"], "no such file");
    refused(&["compare", "then.jsonl", "nowhere"], "no such file");
    refused(&["compare", "in/a.json", "in"], "it is no snapshot");
    let text = fs::read_to_string(p.path("then.jsonl")).unwrap();
    p.put("cut.jsonl", &text[..text.len() - 40]);
    refused(&["compare", "cut.jsonl", "in"], "it is not whole");
}
