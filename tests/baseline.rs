//! `aerscope verify --baseline`: known failures do not fail a run, new ones do.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "a test may")]

mod kit;

use kit::{ID, OTHER, Place, changed, receipt, records, stderr};

#[test]
fn only_new_failures_fail_the_run() {
    let p = Place::new();
    p.json("in/good.json", &receipt(ID, b"{}"));
    p.put("in/old.jsonl", format!("{}\n{}\n", receipt(ID, b"1"), changed(OTHER)));
    let before = p.run(&["verify", "--format", "jsonl", "in"]);
    assert_eq!(before.status.code(), Some(1));
    p.put("known.jsonl", &before.stdout);
    let args = ["verify", "--format", "jsonl", "--baseline", "known.jsonl"];
    let known = p.run(&[&args[..], &["./in"]].concat());
    assert_eq!(known.status.code(), Some(3), "{}", stderr(&known));
    assert!(stderr(&known).contains("1 failures are known from known.jsonl"), "{}", stderr(&known));
    assert!(records(&known).iter().any(|r| r["headline"] == "mismatch"), "it is shown all the same");
    // The same file and record, failing in another way.
    let mut other = changed(OTHER);
    other["canonical_bytes"] = "%".into();
    p.put("in/old.jsonl", format!("{}\n{other}\n", receipt(ID, b"1")));
    let new = p.run(&[&args[..], &["in"]].concat());
    assert_eq!(new.status.code(), Some(1));
    assert!(stderr(&new).contains("1 in it did not come again"), "{}", stderr(&new));
    // Another file.
    p.put("in/old.jsonl", format!("{}\n{}\n", receipt(ID, b"1"), changed(OTHER)));
    p.json("in/new.json", &changed(OTHER));
    assert_eq!(p.status(&[&args[..], &["in"]].concat()), 1);
    assert_eq!(p.status(&[&args[..], &["--quiet", "in/old.jsonl"]].concat()), 3);
    assert_eq!(p.status(&[&args[..], &["in/good.json"]].concat()), 0);
}

#[test]
fn what_is_no_baseline_is_refused() {
    let p = Place::new();
    p.json("good.json", &receipt(ID, b"{}"));
    p.put("list.txt", "good.json\n");
    for list in ["list.txt", "nowhere"] {
        let output = p.run(&["verify", "--baseline", list, "good.json"]);
        assert_eq!(output.status.code(), Some(2));
        assert!(stderr(&output).contains("name what verify --format jsonl printed"), "{}", stderr(&output));
    }
}
