use std::path::Path;
use std::time::Duration;

use super::*;
use crate::aer1::report::{Class, Report};
use crate::record::{Change, FileNo};
use crate::store::tests::{at, linked, read, receipt, uuid};
use crate::store::{RowId, Store};

fn store() -> Store {
    let mut store = Store::new();
    store.set_root(Path::new("/var/Receipts"));
    let with = |n: u32, change: &dyn Fn(&mut Report)| {
        let mut report = receipt(n, u8::try_from(n).unwrap());
        change(&mut report);
        report
    };
    let records = [
        with(1, &|_| {}),
        with(2, &|r| {
            r.headline = Headline::Mismatch;
            r.class = Some(Class::DigestMismatch);
            r.tool = Some("SQL.query".into());
            r.status = Some("failed".into());
        }),
        with(3, &|r| {
            r.headline = Headline::Unavailable;
            r.provenance = Some("LOGGED BY AGENT".into());
            r.id = Some("Weird Id".into());
        }),
        with(4, &|r| {
            r.headline = Headline::NotReceipt;
            r.kind = Kind::None;
        }),
        linked(with(5, &|_| {}), "correlation_id", "call-A", true),
        linked(with(6, &|r| r.status = Some("failed".into())), "correlation_id", "call-A", true),
    ];
    for (report, n) in records.into_iter().zip(0u32..) {
        let sub = if n == 0 { "deep/" } else { "" };
        store.apply(read(n, &format!("/var/Receipts/{sub}file-{n}.json"), vec![report]), at(100));
    }
    store
}

fn found(store: &Store, text: &str) -> Vec<RowId> {
    let filter = Filter::parse(text, at(100)).unwrap_or_else(|e| panic!("{text}: {e}"));
    let mut view = View::new(filter, Sort { key: SortKey::Arrival, reverse: false });
    while !view.step(store, Duration::ZERO) {}
    view.ids().to_vec()
}

#[test]
fn each_field_finds_its_rows() {
    let store = store();
    for (text, rows) in [
        ("", &[0, 1, 2, 4, 5][..]),
        ("verdict:mismatch", &[1]),
        ("verdict:failing", &[1]),
        ("verdict:unchecked,mismatch", &[1, 2]),
        ("verdict:other", &[3]),
        ("kind:none", &[3]),
        ("-kind:none", &[0, 1, 2, 4, 5]),
        ("class:digest", &[1]),
        ("tool:sql", &[1]),
        ("tool:SQL", &[1]),
        ("tool:Sql", &[]),
        ("-tool:web", &[1]),
        ("prov:agent", &[2]),
        ("provenance:gateway status:failed", &[1, 5]),
        ("id:weird", &[2]),
        ("id:c0ffee12-7a10-4c7b-9d2e-000000000002", &[1]),
        ("file:deep", &[0]),
        ("file:deep/file-0", &[0]),
        ("file:receipts", &[]),
        ("FILE-1", &[]),
        ("file-1", &[1]),
        ("00000005", &[4]),
        ("\"logged by\"", &[2]),
        ("digest_mismatch", &[1]),
        ("chain:retried", &[4, 5]),
        ("chain:failed", &[4, 5]),
        ("chain:call-a", &[4, 5]),
        ("chain:Call", &[]),
        ("labels:unbound verdict:verified", &[0, 4, 5]),
        ("anchor:verified", &[]),
        ("state:removed", &[]),
        ("since:96s", &[4, 5]),
        ("since:1s", &[]),
        ("since:2h tool:web", &[0, 2, 4, 5]),
    ] {
        let expected: Vec<RowId> = rows.to_vec();
        assert_eq!(found(&store, text), expected, "{text}");
    }
}

#[test]
fn states_can_be_asked_for() {
    let mut store = store();
    store.apply(Change::Removed { file: FileNo(0) }, at(101));
    store.apply(read(1, "/var/Receipts/file-1.json", vec![receipt(2, 77)]), at(101));
    let path = std::sync::Arc::from(Path::new("/var/Receipts/file-2.json"));
    store.apply(Change::Writing { file: FileNo(2), path }, at(101));
    assert_eq!(found(&store, "state:removed"), [0]);
    assert_eq!(found(&store, "state:rewritten,removed"), [0, 1]);
    assert_eq!(found(&store, "verdict:writing"), [2]);
    assert_eq!(found(&store, "verdict:unchecked"), [] as [RowId; 0], "a stale verdict is none");
    assert_eq!(found(&store, "state:writing"), [2]);
}

#[test]
fn errors_say_where_and_what_is_expected() {
    for (text, at_byte, part) in [
        ("a tol:x", 2, "unknown field `tol`, did you mean `tool`?"),
        ("verdict:mismtch", 8, "did you mean `mismatch`?"),
        ("é verdict:verified,bogus", 20, "unknown verdict `bogus`, expected one of verified, intact"),
        ("tool:", 5, "expected a value after `tool:`"),
        ("tool:a,", 7, "expected a value after `tool:`"),
        ("since:soon", 6, "`soon` is no time: expected a span"),
        ("since:1h,2h", 0, "expected one time"),
        ("x \"abc", 2, "the quote is not closed"),
        ("- a", 0, "expected a word or a field after `-`"),
        ("http://x", 0, "unknown field `http`"),
        ("class:zzz", 6, "unknown class `zzz`, expected a class such as"),
        ("state:remove", 6, "did you mean `removed`?"),
        ("tool:\"a\"b", 8, "expected a space or a comma"),
        ("\"\"", 0, "expected text between the quotes"),
    ] {
        let error = Filter::parse(text, at(0)).unwrap_err();
        assert_eq!(error.at, at_byte, "{text}: {error}");
        assert!(error.message.contains(part), "{text}: {error}");
        assert!(text.is_char_boundary(error.at));
    }
}

#[test]
fn presets_are_filters() {
    for (name, text) in PRESETS {
        assert!(Filter::parse(text, at(0)).is_ok(), "{name}");
    }
    assert!(Filter::parse(" ", at(0)).unwrap().is_all());
}

#[test]
fn a_new_filter_keeps_the_old_list_until_the_new_one_is_made() {
    let mut store = Store::new();
    for n in 0..20_000u32 {
        store.apply(read(n, &format!("{}.json", uuid(n)), vec![receipt(n, 1)]), at(0));
    }
    let mut view = View::default();
    while !view.step(&store, Duration::from_secs(1)) {}
    assert_eq!(view.ids().first(), Some(&19_999));
    assert_eq!(view.position(19_990), Some(9));
    view.set(Filter::parse("00000001.json", at(0)).unwrap(), Sort::default());
    assert!(!view.step(&store, Duration::ZERO));
    assert_eq!(view.ids().len(), 20_000);
    assert!(view.progress().is_some());
    while !view.step(&store, Duration::ZERO) {}
    assert_eq!(view.ids(), [1]);
}
