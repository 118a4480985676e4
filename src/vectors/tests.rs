mod committed;

use std::time::SystemTime;

use super::record::{Difference, RunRecord};
use super::*;
use crate::make::corpus;
use crate::make::receipt::{Parts, output_hash};

fn parts() -> Parts {
    Parts {
        id: "0c9f3b52-7d1e-4a86-b3f4-91d2c5e8a070".to_owned(),
        version: "0.3".to_owned(),
        created: "2026-05-04T10:00:00Z".to_owned(),
        tool: "stock.count".to_owned(),
        tool_version: "1.0.0".to_owned(),
        scope: "team".to_owned(),
        provenance: "LOGGED BY AGENT".to_owned(),
    }
}

fn file(name: &str, text: impl Into<Vec<u8>>) -> (String, Vec<u8>) {
    (name.to_owned(), text.into())
}

fn outcomes(files: Vec<(String, Vec<u8>)>) -> Vec<Outcome> {
    run(&Suite::in_memory(files).unwrap(), &Options::default())
}

#[test]
fn our_own_vectors_agree() {
    let all = outcomes(corpus::make());
    let disagreeing: Vec<_> = all.iter().filter(|o| !o.agrees).map(|o| (&o.case.name, &o.expected, &o.found)).collect();
    assert!(disagreeing.is_empty(), "{disagreeing:#?}");
    assert!(all.len() > 600, "{}", all.len());
}

fn index(rows: &str) -> (String, Vec<u8>) {
    file("index.json", format!(r#"{{"suite":1,"vectors":[{rows}]}}"#))
}

#[test]
fn a_wrong_expectation_disagrees_and_says_where_its_twin_differs() {
    let good = parts().published(b"x");
    let bad = good.clone().with("id", "x");
    let all = outcomes(vec![
        index(
            r#"{"file":"bad.json","record":null,"kind":"published","headline":"verified","class":null,"why":"w","rule":"r","twin":"good.json"},
               {"file":"good.json","record":null,"kind":"published","headline":"verified","class":null,"why":null,"rule":null,"twin":null}"#,
        ),
        file("bad.json", &bad),
        file("good.json", &good),
    ]);
    let [bad, good] = all.as_slice() else { panic!("{all:?}") };
    assert!(good.agrees && good.differs_at.is_none());
    assert!(!bad.agrees);
    assert_eq!(bad.expected, "published verified -");
    assert_eq!(bad.found, "published malformed id_syntax");
    assert_eq!(bad.class, Some(Class::IdSyntax));
    assert_eq!(bad.differs_at, Some(11), "where the id's text begins");
    assert_eq!(bad.sha256.len(), 64);
}

#[test]
fn records_nobody_expects_and_files_that_are_not_there_disagree() {
    let lines = format!("{0}\n{0}\n", parts().published(b"x").compact());
    let all = outcomes(vec![
        index(
            r#"{"file":"lines.jsonl","record":":1","kind":"published","headline":"verified","class":null},
               {"file":"none.json","record":null,"kind":"published","headline":"verified","class":null}"#,
        ),
        file("lines.jsonl", lines),
    ]);
    let found: Vec<_> = all.iter().map(|o| (o.case.name.as_str(), o.found.as_str(), o.agrees)).collect();
    assert_eq!(
        found,
        [
            ("lines.jsonl:1", "published verified -", true),
            ("lines.jsonl:2", "published verified -", false),
            ("none.json", "unreadable: there is no such file", false),
        ]
    );
}

#[test]
fn a_manifest_that_is_none_is_refused() {
    for (text, what) in [
        ("{", "EOF"),
        (r#"{"suite":2,"vectors":[]}"#, "suite 2"),
        (r#"{"suite":1}"#, "vectors"),
        (
            r#"{"suite":1,"vectors":[{"file":"a","record":null,"kind":"published","headline":"green","class":null}]}"#,
            "green",
        ),
        (
            r#"{"suite":1,"vectors":[{"file":"a","record":"x","kind":"none","headline":"intact","class":null}]}"#,
            "record x",
        ),
        (
            r#"{"suite":1,"vectors":[{"file":"../a","record":null,"kind":"none","headline":"intact","class":null}]}"#,
            "leads out",
        ),
        (
            r#"{"suite":1,"vectors":[{"file":"a","record":null,"kind":"none","headline":"intact","class":null},
               {"file":"a","record":null,"kind":"none","headline":"intact","class":null}]}"#,
            "twice",
        ),
        (
            r#"{"suite":1,"vectors":[{"file":"a","record":null,"kind":"none","headline":"intact","class":null,"profile":"lax"}]}"#,
            "profile lax",
        ),
        (
            r#"{"suite":1,"vectors":[{"file":"a","record":null,"kind":"none","headline":"intact","class":null,"id":"known"}]}"#,
            "id known",
        ),
        (
            r#"{"suite":1,"vectors":[{"file":"a","record":null,"kind":"none","headline":"intact","class":null,"anchor":"dropped"}]}"#,
            "anchor dropped",
        ),
    ] {
        let error = Suite::in_memory(vec![file("index.json", text)]).unwrap_err().to_string();
        assert!(error.contains(what), "{error}");
    }
    assert!(matches!(Suite::in_memory(Vec::new()), Err(SuiteError::NoSuite)));
    let gone = std::path::Path::new("/nonexistent/suite");
    assert!(matches!(Suite::open(gone), Err(SuiteError::Io(_))));
}

#[test]
fn one_record_may_be_asked_several_things() {
    let good = parts().published(b"x");
    let hash = output_hash(b"x");
    let row = |more: &str, class: &str| {
        let headline = if class == "null" { "verified" } else { "mismatch" };
        format!(r#"{{"file":"a.json","record":null,"kind":"published","headline":"{headline}","class":{class}{more}}}"#)
    };
    let id = &parts().id;
    let rows = [
        row("", "null"),
        row(&format!(r#","expect_id":"{id}","id":"matched""#), "null"),
        row(r#","expect_id":"x","id":"mismatched""#, r#""id_mismatch""#),
        row(&format!(r#","resolved":{{"output_hash":"{hash}","id":"{id}"}},"id":"resolved""#), "null"),
        row(&format!(r#","resolved":{{"output_hash":"{hash}"}},"id":"unverified""#), "null"),
    ];
    let all = outcomes(vec![index(&rows.join(",")), file("a.json", &good)]);
    let found: Vec<_> = all.iter().map(|o| (o.case.name.clone(), o.found.as_str(), o.agrees)).collect();
    assert_eq!(
        found,
        [
            ("a.json".to_owned(), "published verified -", true),
            (format!("a.json expecting {id}"), "published verified - id matched", true),
            ("a.json expecting x".to_owned(), "published mismatch id_mismatch id mismatched", true),
            (format!("a.json resolved to {hash} of {id}"), "published verified - id resolved", true),
            (format!("a.json resolved to {hash}"), "published verified - id resolved", false),
        ]
    );
    assert_eq!(all[4].expected, "published verified - id unverified");
}

#[test]
fn the_kits_folders_say_what_is_expected() {
    let good = || parts().published(br#"{"inputs":{},"tool":"stock.count"}"#);
    let anchor = |leaf: &str| {
        crate::make::json::object([
            ("log", "https://log.example".into()),
            ("leaf_hash", leaf.into()),
            ("anchored_at", "2026-05-04T10:00:01Z".into()),
            ("proof", crate::make::json::Json::Object(Vec::new())),
        ])
    };
    let leaf = good().text_of("output_hash").unwrap().to_owned();
    let files = |invalid: crate::make::json::Json| {
        vec![
            file("test-vectors/valid/a.json", &good()),
            file("test-vectors/invalid/a.json", &invalid),
            file("test-vectors/invalid-profile/a.json", &parts().published(br#"{"tool":"stock.count"}"#)),
            file("test-vectors/anchored/anchored-valid-2.json", &good().with("anchor", anchor(&leaf))),
            file("test-vectors/anchored/anchored-other.json", &good().with("anchor", anchor(&output_hash(b"y")))),
        ]
    };
    let all = outcomes(files(good().with("id", "x").with("rejected_by", "id_syntax")));
    assert_eq!(all.len(), 5);
    for outcome in &all {
        assert!(outcome.agrees, "{}: {} / {}", outcome.case.name, outcome.expected, outcome.found);
    }
    // The same vector rejected for another reason than it names, and one that is not rejected at all.
    for invalid in [good().with("id", "x").with("rejected_by", "time_syntax"), good()] {
        let all = outcomes(files(invalid));
        let wrong: Vec<_> = all.iter().filter(|o| !o.agrees).map(|o| o.case.name.as_str()).collect();
        assert_eq!(wrong, ["test-vectors/invalid/a.json"]);
    }
}

#[test]
fn files_of_named_vectors() {
    let text = r#"{"vectors":[
        {"name":"one","receipt_ids":["a"],"expected_root":"ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb","expected_workflow_verdict":"valid"},
        {"name":"none","receipt_ids":[],"expected_root":"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
        {"name":"leaves","leaves":[{"preimage":"a"}],"expected_root":"ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb","must_not_equal":"00"},
        {"name":"twice","receipt_ids":["a","a"],"expected_root":"00","expected_workflow_verdict":"invalid","rejected_by":"duplicate receipt_id"},
        {"name":"chain","timeline":[{"id":"a","canonical_bytes":"YQ==","prev_digest":"0000000000000000000000000000000000000000000000000000000000000000","close":true}],"expected_verdict":"valid"},
        {"name":"open","timeline":[{"id":"a","canonical_bytes":"","prev_digest":"0000000000000000000000000000000000000000000000000000000000000000"}],"expected_verdict":"invalid"},
        {"name":"odd","expected_verdict":"perhaps"}
    ]}"#;
    let all = outcomes(vec![file("merkle-vectors.json", text)]);
    let found: Vec<_> =
        all.iter().map(|o| (o.case.name.trim_start_matches("merkle-vectors.json "), o.agrees)).collect();
    assert_eq!(
        found,
        [
            ("one", true),
            ("one (workflow)", true),
            ("none", true),
            ("leaves", true),
            ("twice", false),
            ("twice (workflow)", true),
            ("chain", true),
            ("open", true),
            ("odd", false),
        ]
    );
}

/// A file of vectors of any kind: each names its kind, and the document stands under a name or is the vector itself.
#[test]
fn files_of_vectors_of_any_kind() {
    let good = parts().published(b"x").compact();
    let altered = parts().published(b"x").with("output_hash", output_hash(b"y")).compact();
    let anchored =
        parts().published(b"x").with("anchor", crate::make::json::object([("log", "https://a.example".into())]));
    let anchored = anchored.compact();
    let text = format!(
        r#"{{"vectors":[
        {{"kind":"receipt","name":"good","receipt":{good},"expected_verdict":"verified"}},
        {{"kind":"receipt","name":"good called bad","receipt":{good},"expected_verdict":"mismatch"}},
        {{"kind":"receipt","name":"altered","document":{altered},"expected_verdict":"mismatch"}},
        {{"kind":"receipt","name":"altered, by class","record":{altered},"expected_verdict":"rejected","rejected_by":"digest_mismatch"}},
        {{"kind":"receipt","name":"altered, by another class","record":{altered},"expected_verdict":"rejected","rejected_by":"id_syntax"}},
        {{"kind":"receipt","name":"altered called good","input":{altered},"expected_verdict":"valid"}},
        {{"kind":"anchored receipt","name":"anchor","receipt":{anchored},"expected_verdict":"verification_failed"}},
        {{"kind":"anchored receipt","name":"anchor called good","receipt":{anchored},"expected_verdict":"verified"}},
        {{"kind":"receipt","name":"no verdict","receipt":{good}}},
        {{"kind":"receipt","id":"by id","data":[{good}],"expected_verdict":"pass"}}
    ]}}"#
    );
    let all = outcomes(vec![file("vectors.json", text)]);
    let found: Vec<_> =
        all.iter().map(|o| (o.case.name.trim_start_matches("vectors.json "), o.found.as_str(), o.agrees)).collect();
    assert_eq!(
        found,
        [
            ("good", "published verified -", true),
            ("good called bad", "published verified -", false),
            ("altered", "published mismatch digest_mismatch", true),
            ("altered, by class", "published mismatch digest_mismatch", true),
            ("altered, by another class", "published mismatch digest_mismatch", false),
            ("altered called good", "published mismatch digest_mismatch", false),
            ("anchor", "published verified - anchor verification_failed", true),
            ("anchor called good", "published verified - anchor verification_failed", false),
            ("no verdict", "published verified -", false),
            ("by id", "published verified -", true),
        ]
    );
}

#[test]
fn commitment_files_are_chains_with_what_was_published_of_them() {
    let genesis = "0".repeat(64);
    let entry = format!(
        r#"{{"id":"e1","seq":1,"job_id":"j","tool":"t","provenance_class":"LOGGED BY AGENT","canonical_bytes":"YQ==","prev_digest":"{genesis}","close":true}}"#
    );
    // Worked out by hand here: rules §6 gives the members, their order and the escapes.
    let output = hex(&Sha256::digest(b"a"));
    let digest = hex(&Sha256::digest(format!(
        r#"{{"close":true,"id":"e1","job_id":"j","output_hash":"{output}","prev_digest":"{genesis}","provenance_class":"LOGGED BY AGENT","seq":1,"tool":"t"}}"#
    )));
    let commitment = |count: u32, digest: &str| {
        format!(
            r#"{{"job_id":"j","final_entry_digest":"{digest}","entry_count":{count},"published_at":"2026-05-04T10:00:00Z"}}"#
        )
    };
    let vector = |name: &str, count: u32, digest: &str, verdict: &str| {
        format!(
            r#"{{"name":"{name}","timeline":[{entry}],"commitment":{},"expected_verdict":"{verdict}"}}"#,
            commitment(count, digest)
        )
    };
    let text = format!(
        r#"{{"vectors":[{},{},{},{}]}}"#,
        vector("agrees", 1, &digest, "valid"),
        vector("cut", 2, &digest, "invalid"),
        vector("other end", 1, &genesis, "mismatch"),
        vector("cut called whole", 2, &digest, "valid"),
    );
    let all = outcomes(vec![file("test-vectors/chain-commitments.json", text)]);
    let found: Vec<_> = all.iter().map(|o| (o.found.as_str(), o.agrees)).collect();
    assert_eq!(
        found,
        [
            ("chain intact -", true),
            ("chain mismatch commitment_mismatch", true),
            ("chain mismatch commitment_mismatch", true),
            ("chain mismatch commitment_mismatch", false),
        ]
    );
    // One alone waits for its chain: nothing to compare, neither valid nor an acceptance.
    let alone = format!(
        r#"{{"vectors":[{{"name":"alone","document":{},"expected_verdict":"unavailable"}}]}}"#,
        commitment(1, &digest)
    );
    let all = outcomes(vec![file("commitments.json", alone)]);
    assert_eq!((all[0].found.as_str(), all[0].agrees), ("commitment unavailable -", true));
}

#[test]
fn a_run_record_reads_back_and_tells_what_differs() {
    let suite = Suite::in_memory(corpus::make()).unwrap();
    let all = run(&suite, &Options::default());
    let now = SystemTime::now();
    let record = RunRecord::of(&suite, None, &all, now, now);
    let text = record.to_json().unwrap();
    let mut back = RunRecord::from_json(text.as_bytes()).unwrap();
    assert_eq!(back, record);
    assert_eq!(record.agree, all.len() as u64);
    assert!(record.differences(&back).is_empty());
    let gone = back.vectors.pop().unwrap().name;
    let changed = &mut back.vectors[0];
    let before = std::mem::replace(&mut changed.found, "published verified -".to_owned());
    changed.sha256.clear();
    let name = changed.name.clone();
    assert_eq!(
        record.differences(&back),
        [
            Difference::Input(name.clone()),
            Difference::Found(name, before, "published verified -".to_owned()),
            Difference::Gone(gone.clone()),
        ]
    );
    assert!(back.differences(&record).contains(&Difference::New(gone)));
    assert!(RunRecord::from_json(b"{}").is_err());
}
