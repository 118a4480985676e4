use std::collections::{BTreeMap, BTreeSet};

use super::*;
use crate::aer1::grammar;

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
