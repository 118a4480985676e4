//! `aerscope verify --baseline`: known failures do not fail a run, new ones do.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "a test may")]

mod kit;

use kit::{ID, OTHER, Place, changed, receipt, records, stderr, stdout};

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

/// The numbers in the attributes of the first element that begins so.
fn counts(xml: &str, element: &str) -> Vec<u64> {
    let tag = xml.split_once(element).unwrap().1.split_once('>').unwrap().0;
    let number =
        |name: &str| tag.split_once(&format!("{name}=\"")).unwrap().1.split_once('"').unwrap().0.parse().unwrap();
    ["tests", "failures", "errors", "skipped"].map(number).to_vec()
}

#[test]
fn in_junit_a_known_failure_is_skipped_and_a_new_one_fails() {
    let p = Place::new();
    p.json("in/good.json", &receipt(ID, b"{}"));
    p.json("in/old.json", &changed(OTHER));
    p.put("known.jsonl", p.run(&["verify", "--format", "jsonl", "in"]).stdout);
    let args = ["verify", "--format", "junit", "--baseline", "known.jsonl", "in"];
    let known = p.run(&args);
    let xml = stdout(&known);
    assert_eq!(known.status.code(), Some(3));
    assert_eq!(counts(&xml, "<testsuites "), [2, 0, 0, 1], "{xml}");
    assert!(xml.contains("<skipped message=\"known mismatch: digest_mismatch: ") && !xml.contains("<failure"), "{xml}");
    p.json("in/new.json", &changed(ID));
    let new = p.run(&args);
    let xml = stdout(&new);
    assert_eq!(new.status.code(), Some(1));
    for element in ["<testsuites ", "<testsuite "] {
        assert_eq!(counts(&xml, element), [3, 1, 0, 1], "{xml}");
    }
    let case = xml.split("<testcase ").find(|case| case.contains("<failure")).unwrap();
    assert!(case.contains("in/new.json") && case.contains("type=\"digest_mismatch\""), "{case}");
}
