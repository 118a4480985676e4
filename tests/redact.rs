//! `aerscope redact` as it is called: what is left, what is said, what is refused.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "a test may")]

mod kit;

use kit::{ID, Place, changed, hash, receipt, records, stderr, stdout};
use serde_json::{Value, json};

const COMMITTED: &[u8] = br#"{"inputs":{"name":"Ada","query":"tides"},"output":[1.0,{"card":"4111"}]}"#;

#[test]
fn a_projection_is_unavailable_and_says_what_it_is() {
    let p = Place::new();
    let mut original = receipt(ID, COMMITTED);
    original["canonical_byte_length"] = COMMITTED.len().into();
    original["session"] = "s-1".into();
    p.json("a.json", &original);
    let output = p.run(&[
        "redact",
        "a.json",
        "--drop",
        "/content/inputs/name",
        "--mask",
        "/content/output/1/card",
        "--mask",
        "/session",
    ]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let made: Value = serde_json::from_slice(&output.stdout).unwrap();
    for kept in ["id", "receipt_schema_version", "created_at", "tool", "provenance_class", "verification_status"] {
        assert_eq!(made[kept], original[kept], "{kept}");
    }
    assert_eq!(made["projection_of"], ID);
    assert_eq!(made["original_output_hash"], hash(COMMITTED));
    assert_eq!(made["content"], json!({"inputs": {"query": "tides"}, "output": [1.0, {"card": "[masked]"}]}));
    assert_eq!(made["session"], "[masked]");
    assert_eq!(made["redacted"], json!({"dropped": 1, "masked": 2}));
    let text = stdout(&output);
    for gone in ["canonical_byte", "\"output_hash\"", "Ada", "4111", "s-1"] {
        assert!(!text.contains(gone), "{gone} in {text}");
    }
    // serde_json sorts members and writes them without white space.
    let mut rest = made.clone();
    rest.as_object_mut().unwrap().remove("projection_hash");
    assert_eq!(made["projection_hash"], hash(rest.to_string().as_bytes()));
    let said = stderr(&output);
    for line in [
        "removed canonical_bytes (",
        "removed canonical_byte_length",
        "removed /content/inputs/name",
        "masked /session",
    ] {
        assert!(said.contains(line), "{line} in {said}");
    }
    let verified = p.run_with(&["verify", "--format", "jsonl", "-"], &output.stdout);
    let record = records(&verified).remove(0);
    assert_eq!(
        (verified.status.code(), &record["headline"], &record["id"]),
        (Some(3), &json!("unavailable"), &json!(ID))
    );
    assert!(record["notes"].to_string().contains("a redacted projection of receipt"), "{record}");
    assert_eq!(record["bytes"], json!({"state": "unavailable", "declared": made["original_output_hash"]}), "its label");
    let shown = stdout(&p.run_with(&["verify", "-"], &output.stdout));
    let original = format!("original    {}", made["original_output_hash"].as_str().unwrap());
    assert!(shown.contains(&original) && !shown.contains("declared "), "{shown}");
    assert!(record["notes"].to_string().contains("its own commitment is projection_hash"), "{record}");
}

#[test]
fn nothing_is_changed_in_place_or_overwritten() {
    let p = Place::new();
    let path = p.json("a.json", &receipt(ID, COMMITTED));
    let before = std::fs::read(&path).unwrap();
    let args = ["redact", "a.json", "--drop", "/content", "--out"];
    for taken in ["a.json", "./a.json"] {
        let output = p.run(&[&args[..], &[taken]].concat());
        assert_eq!(output.status.code(), Some(2));
        assert!(stderr(&output).contains("it is there already"), "{}", stderr(&output));
    }
    assert_eq!(std::fs::read(&path).unwrap(), before);
    assert_eq!(p.status(&[&args[..], &["b.json"]].concat()), 0);
    assert_eq!(p.names("."), ["a.json", "b.json"]);
    assert!(p.read("b.json").get("content").is_none());
    assert_eq!(p.status(&["redact", "b.json", "--drop", "/redacted"]), 2, "a projection of a projection");
}

#[test]
fn a_policy_names_what_may_be_absent() {
    let p = Place::new();
    p.json("a.json", &receipt(ID, COMMITTED));
    p.put("policy.toml", "drop = [\"/content/inputs\", \"/content/nowhere\"]\nmask = [\"/content/output\"]\n");
    let output = p.run(&["redact", "a.json", "--policy", "policy.toml"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let made: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(made["content"], json!({"output": "[masked]"}));
    assert!(stderr(&output).contains("nothing at /content/nowhere"), "{}", stderr(&output));
    p.put("misspelt.toml", "drops = [\"/content\"]\n");
    assert_eq!(p.status(&["redact", "a.json", "--policy", "misspelt.toml"]), 2);
}

#[test]
fn a_receipt_is_found_in_its_wrapper_and_other_bytes_are_left_out() {
    let p = Place::new();
    p.json(
        "rpc.json",
        &json!({"jsonrpc": "2.0", "id": 1, "result": {"text": "hidden", "_receipt": receipt(ID, b"plain")}}),
    );
    let output = p.run(&["redact", "rpc.json"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let made: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&made["projection_of"], &made["original_output_hash"]), (&json!(ID), &json!(hash(b"plain"))));
    assert!(made.get("content").is_none() && !stdout(&output).contains("hidden"));
}

#[test]
fn what_cannot_be_redacted_is_refused_in_a_sentence() {
    let p = Place::new();
    p.json("a.json", &receipt(ID, COMMITTED));
    p.json("bad.json", &changed(ID));
    p.put("other.json", "{\"x\":1}");
    p.put("two.jsonl", format!("{}\n{}\n", receipt(ID, b"1"), receipt(ID, b"2")));
    let refused = |args: &[&str], says: &str| {
        let output = p.run(&[&["redact"], args].concat());
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{args:?}");
        assert!(stderr(&output).contains(says), "{}", stderr(&output));
        assert_eq!(stderr(&output).lines().count(), 1, "{}", stderr(&output));
    };
    refused(&["a.json"], "nothing would be removed");
    refused(&["a.json", "--drop", "/content/input"], "there is nothing at /content/input");
    refused(&["a.json", "--mask", "/tool"], "keeps id, version, time, tool");
    refused(&["a.json", "--drop", "content"], "begins with a slash");
    refused(&["bad.json", "--drop", "/content"], "would no longer show that");
    refused(&["other.json", "--drop", "/x"], "it is no receipt");
    refused(&["two.jsonl", "--drop", "/content"], "it holds 2 records");
    refused(&["nowhere.json"], "no such file");
    assert_eq!(p.status(&["redact", "two.jsonl", "--record", ":2"]), 0);
}
