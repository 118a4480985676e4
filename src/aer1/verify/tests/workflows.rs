//! Workflow closes: what each fault says, and what is shown of a whole one.

use super::*;
use crate::aer1::report::LeafRule;

fn full() -> J {
    let (one, two) = ("1".repeat(64), "2".repeat(64));
    let step = |n: u32, id: &str, output: &str| {
        json!({"seq": n, "receipt_id": id, "output_hash": output, "receipt_hash": "9".repeat(64), "tool": format!("tool{n}"),
            "status": "success", "provenance_class": "LOGGED BY AGENT", "started_at": format!("2026-03-04T05:06:0{n}Z")})
    };
    let leaves = vec![crate::aer1::output_leaf(1, &one), crate::aer1::output_leaf(2, &two)];
    json!({
        "type": "verifiable-workflow-receipt", "workflow_id": "w1", "receipt_id": "r1", "status": "done",
        "provenance_class": "LOGGED BY AGENT", "merkle_version": "seq-output-v1", "output_hash": "7".repeat(64),
        "merkle_root": hex(&crate::aer1::merkle_root(leaves)), "count": 2,
        "steps": [step(1, "a", &one), step(2, "b", &two)],
    })
}

#[test]
fn each_fault_says_where_what_was_found_and_what_was_expected() {
    let digits = Some("64 lowercase hex digits");
    let upper = "A".repeat(64);
    let prefixed = format!("sha256:{}", "9".repeat(64));
    for (path, value, class, member, found, expected) in [
        ("/merkle_version", json!("v9"), "merkle_version_unsupported", "merkle_version", "v9", None),
        ("/merkle_version", json!(7), "merkle_version_unsupported", "merkle_version", "7", None),
        ("/merkle_root", json!(&upper), "hash_syntax", "merkle_root", upper.as_str(), digits),
        ("/merkle_root", json!(1), "wrong_type", "merkle_root", "a number", Some("a string")),
        ("/output_hash", json!("x"), "hash_syntax", "output_hash", "x", digits),
        ("/output_hash", json!(&prefixed), "hash_syntax", "output_hash", prefixed.as_str(), digits),
        ("/output_hash", json!([]), "wrong_type", "output_hash", "an array", Some("a string")),
        ("/count", json!("2"), "wrong_type", "count", "a string", Some("an integer")),
        ("/count", json!(3), "workflow_count", "count", "3", Some("2")),
        ("/count", json!(2.5), "workflow_count", "count", "2.5", Some("2")),
        ("/steps", json!(true), "wrong_type", "steps", "a boolean", Some("an array")),
        ("/steps/1/seq", json!(3), "workflow_seq", "steps[1].seq", "3", Some("2")),
        ("/steps/1/seq", json!("2"), "workflow_seq", "steps[1].seq", "a string", Some("2")),
        ("/steps/1/receipt_id", json!("a"), "workflow_duplicate_id", "steps[1].receipt_id", "a", None),
        ("/steps/1/receipt_id", json!({}), "wrong_type", "steps[1].receipt_id", "an object", Some("a string")),
        ("/steps/1/output_hash", json!("x"), "hash_syntax", "steps[1].output_hash", "x", digits),
        ("/steps/1/output_hash", json!(""), "missing_member", "steps[1].output_hash", "", None),
        ("/steps/0/receipt_hash", json!(&prefixed), "hash_syntax", "steps[0].receipt_hash", prefixed.as_str(), digits),
    ] {
        let report = of(&with(full(), path, Some(value)));
        let fault = report.speaking().unwrap();
        assert_eq!((fault.class.as_str(), fault.member.as_str()), (class, member), "{path}");
        assert_eq!(fault.found.as_deref(), Some(found), "{path}");
        if expected.is_some() {
            assert_eq!(fault.expected.as_deref(), expected, "{path}");
        }
        assert_eq!(report.check(fault.class.layer()), Check::Failed, "{path}");
    }
    let mut list = full();
    list["steps"][1] = json!("text");
    let report = of(&list);
    let fault = report.speaking().unwrap();
    assert_eq!((fault.class.as_str(), fault.member.as_str()), ("wrong_type", "steps[1]"));
    assert_eq!((fault.found.as_deref(), fault.expected.as_deref()), (Some("a string"), Some("an object")));
    let report = of(&with(full(), "/steps/0/seq", None));
    assert_eq!(report.speaking().map(|f| f.member.as_str()), Some("steps[0].seq"));
    let report = of(&with(full(), "/steps", Some(json!([]))));
    assert_eq!(report.speaking().map(|f| f.member.as_str()), Some("steps[0]"));
    // Without a type of its own the outer hash is no member of a workflow.
    let untyped = with(with(full(), "/type", None), "/output_hash", Some(json!("x")));
    assert_eq!(words(&of(&untyped)), ("intact".into(), None, vec![]));
    assert!(!of(&untyped).notes.contains(&Note::WorkflowOutputUnavailable));
    let other = with(with(full(), "/type", Some(json!("other"))), "/output_hash", Some(json!("x")));
    assert_eq!(words(&of(&other)), ("intact".into(), None, vec![]));
}

#[test]
fn what_is_shown_of_a_workflow_is_its_own() {
    let report = of(&full());
    assert_eq!(words(&report), ("intact".into(), None, vec![]));
    assert_eq!((report.tool.as_deref(), report.id.as_deref()), (Some("2 steps"), Some("r1")));
    assert_eq!((report.id_state, report.status.as_deref()), (IdState::Unverified, Some("done")));
    assert_eq!(report.created_at.as_deref(), Some("2026-03-04T05:06:01Z"), "the first step's, when it has none");
    assert_eq!(report.created.map(|m| m.to_string()).as_deref(), Some("2026-03-04T05:06:01.000Z"));
    assert_eq!(report.bytes.declared.as_deref(), Some("7".repeat(64).as_str()));
    assert!(report.notes.contains(&Note::RootCovers(LeafRule::SeqOutput)));
    assert!(report.notes.contains(&Note::WorkflowOutputUnavailable));
    for layer in [Layer::Json, Layer::Members, Layer::Hash, Layer::Structure, Layer::Links] {
        assert_eq!(report.check(layer), Check::Passed, "{layer:?}");
    }
    let structure = report.structure.unwrap();
    assert_eq!((structure.group.as_deref(), structure.count), (Some("w1"), Some(2)));
    assert_eq!(structure.declared_root, structure.recomputed_root);
    let second = &structure.parts[1];
    assert_eq!((second.id.as_str(), second.seq.as_str(), second.tool.as_deref()), ("b", "2", Some("tool2")));
    assert_eq!((second.status.as_deref(), second.provenance.as_deref()), (Some("success"), Some("LOGGED BY AGENT")));
    assert_eq!(second.output_hash.as_deref(), Some("2".repeat(64).as_str()));
    assert_eq!(second.digest, Some(hex(&crate::aer1::output_leaf(2, &"2".repeat(64)))));
    assert!(second.holds && second.prev_digest.is_none());
    // An output hash that no full workflow has is not called unavailable.
    let without = of(&with(full(), "/output_hash", None));
    assert!(!without.notes.contains(&Note::WorkflowOutputUnavailable));
    let mut one = full();
    one["steps"] = json!([full()["steps"][0]]);
    assert_eq!(of(&one).tool.as_deref(), Some("1 step"));
    let ids = with(with(full(), "/merkle_version", None), "/steps/0/receipt_id", Some(json!("")));
    let report = of(&ids);
    assert_eq!(words(&report).1, Some("missing_member"));
    assert!(report.notes.contains(&Note::RootCovers(LeafRule::ReceiptId)));
    let parts = report.structure.unwrap().parts;
    assert_eq!(parts.iter().map(|part| part.holds).collect::<Vec<_>>(), [false, true]);
}

#[test]
fn a_root_over_no_leaf_one_leaf_and_an_odd_number() {
    let leaf = |n: u8| [n; 32];
    let pair = |a: [u8; 32], b: [u8; 32]| -> [u8; 32] { Sha256::digest([a, b].concat()).into() };
    let nothing: [u8; 32] = Sha256::digest(b"").into();
    assert_eq!(crate::aer1::merkle_root(vec![]), nothing);
    assert_eq!(crate::aer1::merkle_root(vec![leaf(1)]), leaf(1));
    assert_eq!(crate::aer1::merkle_root(vec![leaf(1), leaf(2)]), pair(leaf(1), leaf(2)));
    let three = pair(pair(leaf(1), leaf(2)), pair(leaf(3), leaf(3)));
    assert_eq!(crate::aer1::merkle_root(vec![leaf(1), leaf(2), leaf(3)]), three);
}
