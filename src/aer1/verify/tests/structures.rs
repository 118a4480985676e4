//! Timelines, commitments and workflows.

use super::*;

#[test]
fn timelines() {
    let good = timeline(3);
    let r = of(&good);
    assert_eq!((r.kind, words(&r)), (Kind::Chain, ("intact".into(), None, vec![])));
    assert!(r.notes.contains(&Note::EndNotProven));
    assert_eq!(r.structure.as_ref().unwrap().parts.len(), 3);
    assert!(r.structure.as_ref().unwrap().parts.iter().all(|p| p.holds));
    assert_eq!((r.tool.as_deref(), r.provenance.as_deref()), (Some("3 entries"), Some("LOGGED BY AGENT")));
    assert_eq!(of(&timeline(1)).tool.as_deref(), Some("1 entry"));
    let mixed = with(good.clone(), "/timeline/1/provenance_class", Some(json!("OBSERVED VIA GATEWAY")));
    assert_eq!(of(&mixed).provenance, None, "classes are never merged");
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
fn what_one_entry_lacks_hides_nothing_in_the_others() {
    // The job of the first entry that names one is the job of all.
    let record = with(with(timeline(3), "/timeline/0/job_id", None), "/timeline/2/job_id", Some(json!("j2")));
    let classes = words(&of(&record)).2;
    assert_eq!(classes.iter().filter(|c| **c == "missing_member").count(), 1);
    assert_eq!(classes.iter().filter(|c| **c == "chain_job").count(), 1);
    // Where neither digest nor link is there, nothing holds.
    let record = with(with(timeline(3), "/timeline/0/canonical_bytes", None), "/timeline/1/prev_digest", None);
    let holds: Vec<bool> = of(&record).structure.unwrap().parts.iter().map(|part| part.holds).collect();
    assert_eq!(holds, [true, false, false]);
    // Layer 4 has an order of its own, and it holds over all entries.
    let record = with(timeline(3), "/timeline/0/canonical_bytes", Some(json!("e31=")));
    let record = with(record, "/timeline/1/canonical_bytes", Some(json!("e30")));
    let record = with(record, "/timeline/2/canonical_bytes", Some(json!("e3*=")));
    let (headline, class, classes) = words(&of(&record));
    assert_eq!((headline.as_str(), class), ("malformed", Some("base64_alphabet")));
    assert_eq!(classes[..3], ["base64_alphabet", "base64_padding", "base64_noncanonical"]);
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
    assert_eq!(words(&of(&with(own.clone(), "/job_id", Some(json!(""))))).2, ["missing_member"]);
    for (count, found) in [(json!(true), "a boolean"), (json!(0), "0"), (json!(2.5), "2.5"), (json!("2"), "a string")] {
        let r = of(&with(own.clone(), "/entry_count", Some(count)));
        assert_eq!(r.faults[0].found.as_deref(), Some(found));
    }
    for (count, class) in
        [("0", Some("wrong_type")), ("-1", Some("wrong_type")), ("1e2", Some("wrong_type")), ("1", None)]
    {
        let text = own.to_string().replace("\"entry_count\":2", &format!("\"entry_count\":{count}"));
        assert_eq!(words(&run(text.as_bytes()).remove(0)).1, class, "{count}");
    }
    // A count of any length is a count; a negative one of any length is not.
    let long = own.to_string().replace("\"entry_count\":2", &format!("\"entry_count\":{}", "7".repeat(40)));
    assert_eq!(words(&run(long.as_bytes()).remove(0)), ("unavailable".into(), None, vec![]));
    let long = long.replace("\"entry_count\":", "\"entry_count\":-");
    assert_eq!(words(&run(long.as_bytes()).remove(0)).1, Some("wrong_type"));
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
