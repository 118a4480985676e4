//! `aerscope vectors` and `aerscope make`, as they are called.

#![allow(clippy::unwrap_used, reason = "a test ends at the first thing that is not as it should be")]

use std::fs;
use std::path::Path;

use assert_cmd::Command;

fn aerscope(args: &[&str], dir: &Path) -> (i32, String, String) {
    let output = Command::cargo_bin("aerscope").unwrap().args(args).current_dir(dir).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

#[test]
fn exit_statuses() {
    let dir = tempfile::tempdir().unwrap();
    let at = dir.path();
    let (status, out, _) = aerscope(&["vectors"], at);
    assert_eq!(status, 0, "{out}");
    assert!(out.contains("vectors agree: the built-in suite"), "{out}");

    assert_eq!(aerscope(&["make", "vectors", "vectors"], at).0, 0);
    let (status, out, _) = aerscope(&["vectors"], at);
    assert_eq!(status, 0, "{out}");
    assert!(out.ends_with("vectors agree: vectors\n"), "{out}");

    fs::write(at.join("vectors/id-nil.json"), fs::read(at.join("vectors/published.json")).unwrap()).unwrap();
    let (status, out, _) = aerscope(&["vectors"], at);
    assert_eq!(status, 1);
    assert!(out.contains("id-nil.json\n") && out.contains("found     published verified -"), "{out}");

    fs::write(at.join("vectors/index.json"), "{\"suite\":1,\"vectors\":[]}").unwrap();
    assert_eq!(aerscope(&["vectors"], at).0, 4, "a suite of nothing is no pass");
    fs::write(at.join("vectors/index.json"), "{\"suite\":1").unwrap();
    let (status, _, err) = aerscope(&["vectors"], at);
    assert_eq!(status, 2);
    assert!(err.starts_with("aerscope: vectors: no suite can be read here: index.json:"), "{err}");
    let (status, _, err) = aerscope(&["vectors", "none"], at);
    assert_eq!((status, err.lines().count()), (2, 1), "{err}");
}

#[test]
fn a_run_is_recorded_kept_and_replayed() {
    let dir = tempfile::tempdir().unwrap();
    let at = dir.path();
    assert_eq!(aerscope(&["make", "vectors", "suite"], at).0, 0);
    let (status, out, err) = aerscope(&["vectors", "suite", "--record", "run.json"], at);
    assert_eq!(status, 0, "{out}{err}");
    let (status, out, _) = aerscope(&["vectors", "--replay", "run.json"], at);
    assert_eq!(status, 0, "{out}");
    assert!(out.ends_with("the recorded run is reproduced\n"), "{out}");

    let altered = b"{\"id\":\"not what it was\"}";
    fs::write(at.join("suite/published.json"), altered).unwrap();
    let (status, out, _) = aerscope(&["vectors", "--replay", "run.json", "--keep", "kept"], at);
    assert_eq!(status, 1);
    assert!(out.contains("DIFFERS    published.json: its file has other bytes"), "{out}");
    assert!(out.contains("found published verified - then, none not_receipt - now"), "{out}");
    assert_eq!(fs::read(at.join("kept/published.json")).unwrap(), altered);
    assert_eq!(fs::read_dir(at.join("kept")).unwrap().count(), 1);

    let (status, _, err) = aerscope(&["vectors", "suite", "--record", "run.json"], at);
    assert_eq!(status, 2, "a run record is never overwritten");
    assert!(err.contains("run.json"), "{err}");
    assert_eq!(aerscope(&["vectors", "--replay", "suite/published.json"], at).0, 2);
}

#[test]
fn receipts_in_bulk_have_the_verdicts_they_were_made_for() {
    let dir = tempfile::tempdir().unwrap();
    let at = dir.path();
    let args =
        ["make", "receipts", "--n", "60", "--bad", "0.5", "--median", "100", "--out", "many", "--expect", "e.tsv"];
    assert_eq!(aerscope(&args, at), (0, String::new(), String::new()));
    assert_eq!(fs::read_dir(at.join("many")).unwrap().count(), 60);
    let expected = fs::read_to_string(at.join("e.tsv")).unwrap();
    assert_eq!(expected.lines().count(), 60);
    let args = ["make", "receipts", "--n", "60", "--bad", "0.5", "--median", "100", "--jsonl", "many.jsonl"];
    assert_eq!(aerscope(&args, at).0, 0);
    assert_eq!(fs::read_to_string(at.join("many.jsonl")).unwrap().lines().count(), 60);
}
