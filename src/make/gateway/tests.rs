use std::collections::{BTreeMap, BTreeSet};

use super::*;
use crate::aer1::grammar;
use crate::aer1::verify::{Options, Verifier};

const START: Moment = Moment { secs: 1_790_000_000, nanos: 0 };

fn files(dir: &Path) -> BTreeMap<String, Vec<u8>> {
    fs::read_dir(dir)
        .unwrap()
        .map(|entry| {
            let path = entry.unwrap().path();
            (path.file_name().unwrap().to_str().unwrap().to_owned(), fs::read(path).unwrap())
        })
        .collect()
}

#[test]
fn forty_hold_every_kind_and_all_three_classes() {
    let dir = tempfile::tempdir().unwrap();
    let written = Gateway::new(dir.path(), 1, START).burst(40).unwrap();
    assert_eq!(written.len(), 40);
    let kinds: BTreeSet<What> = written.iter().map(|w| w.what).collect();
    assert_eq!(kinds.len(), 10, "{kinds:?}");
    let attempts: Vec<What> = written.iter().map(|w| w.what).filter(|w| matches!(w, What::Attempt(_))).collect();
    assert_eq!(attempts, [What::Attempt(1), What::Attempt(2), What::Attempt(3)]);

    let files = files(dir.path());
    assert_eq!(files.len(), 40, "nothing hidden is left behind");
    let mut classes = BTreeSet::new();
    let mut correlations = BTreeSet::new();
    for w in written.iter().filter(|w| w.what != What::CutOff) {
        let bytes = fs::read(&w.path).unwrap();
        let value: serde_json::Value = serde_json::from_slice(&bytes).unwrap();
        assert_eq!(value["id"], *w.id);
        assert_eq!(grammar::id(&w.id), Ok(()));
        if w.what == What::Good {
            classes.insert(value["provenance_class"].as_str().unwrap().to_owned());
            assert!(grammar::moment(value["created_at"].as_str().unwrap()).unwrap() <= START);
        }
        if let Some(c) = value.get("correlation_id") {
            correlations.insert(c.to_string());
        }
    }
    assert_eq!(classes.len(), 3, "{classes:?}");
    assert_eq!(correlations.len(), 1, "{correlations:?}");
}

#[test]
fn the_same_seed_writes_the_same_bytes() {
    let (a, b) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    Gateway::new(a.path(), 5, START).burst(60).unwrap();
    Gateway::new(b.path(), 5, START).burst(60).unwrap();
    assert_eq!(files(a.path()), files(b.path()));
}

#[test]
fn running_leaves_no_file_half_written() {
    let dir = tempfile::tempdir().unwrap();
    let stop = AtomicBool::new(false);
    let mut gateway = Gateway::new(dir.path(), 2, START);
    let written = std::thread::scope(|scope| {
        let run = scope.spawn(|| gateway.run(&stop, 400.0));
        let deadline = Instant::now() + Duration::from_secs(20);
        while fs::read_dir(dir.path()).unwrap().count() < 100 && Instant::now() < deadline {
            std::thread::yield_now();
        }
        stop.store(true, Ordering::Relaxed);
        run.join().unwrap().unwrap()
    });
    assert!(written.len() >= 99, "{}", written.len());
    assert_eq!(files(dir.path()).len(), written.len());
    for w in written.iter().filter(|w| w.what != What::CutOff) {
        assert!(serde_json::from_slice::<serde_json::Value>(&fs::read(&w.path).unwrap()).is_ok(), "{w:?}");
    }
}

#[test]
fn a_flood_is_good_receipts_only() {
    let dir = tempfile::tempdir().unwrap();
    let stop = AtomicBool::new(false);
    let flood = Flood { count: 300, per_second: 0.0, plainly: 0.5 };
    let written = Gateway::new(dir.path(), 3, START).flood(flood, &stop).unwrap();
    assert_eq!(written.len(), 300);
    let files = files(dir.path());
    assert_eq!(files.len(), 300);
    for bytes in files.values() {
        let value: serde_json::Value = serde_json::from_slice(bytes).unwrap();
        assert_eq!(value["verification_status"], "verified");
    }
}

#[test]
fn each_file_gets_the_verdict_it_was_written_for() {
    let dir = tempfile::tempdir().unwrap();
    let mut verifier = Verifier::new(Options::default());
    for w in Gateway::new(dir.path(), 9, START).burst(120).unwrap() {
        let mut found = Vec::new();
        verifier.text(&fs::read(&w.path).unwrap(), &mut |r| found.push((r.kind, r.headline, r.class)));
        assert_eq!(found, [(w.kind, w.headline, w.class)], "{w:?}");
    }
}

#[test]
fn attempts_share_a_bound_correlation_and_equal_inputs() {
    let dir = tempfile::tempdir().unwrap();
    let mut verifier = Verifier::new(Options::default());
    let mut attempts = Vec::new();
    for w in Gateway::new(dir.path(), 4, START).burst(40).unwrap() {
        if matches!(w.what, What::Attempt(_)) {
            verifier.text(&fs::read(&w.path).unwrap(), &mut |r| attempts.push(r));
        }
    }
    assert_eq!(attempts.len(), 3);
    for report in &attempts {
        let correlation = report.correlation.as_ref().unwrap();
        assert!(correlation.bound && correlation.explicit, "{correlation:?}");
        assert_eq!(correlation.field, "correlation_id");
        assert_eq!(report.correlation, attempts[0].correlation);
        assert_eq!(report.inputs, attempts[0].inputs);
        assert_eq!(report.tool, attempts[0].tool);
        assert!(report.inputs.is_some());
    }
    assert!(attempts.is_sorted_by_key(|r| r.created));
}
