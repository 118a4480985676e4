use std::path::PathBuf;
use std::sync::Arc;

use super::*;
use crate::aer1::report::{Bytes, BytesState, Correlation, Fault, Kind, Note, Part, Structure};
use crate::record::{FileNo, FileRead, Stamp};

pub(super) fn at(secs: i64) -> Moment {
    Moment { secs: 1_790_000_000 + secs, nanos: 0 }
}

pub(super) fn uuid(n: u32) -> String {
    format!("c0ffee12-7a10-4c7b-9d2e-0000{n:08x}")
}

/// A receipt with this id, whose bytes are known by one number.
pub(super) fn receipt(n: u32, bytes: u8) -> Report {
    let mut report = Report::empty(Place::WHOLE, Kind::Published, Headline::Verified);
    report.id = Some(uuid(n));
    report.version = Some("0.3".into());
    report.tool = Some("web.search".into());
    report.created = Some(at(i64::from(n)));
    report.provenance = Some("OBSERVED VIA GATEWAY".into());
    report.verification_status = Some("verified".into());
    report.status = Some("success".into());
    report.bytes =
        Bytes { state: BytesState::Match, length: Some(3), declared: None, recomputed: Some([bytes.max(1); 32]) };
    report.inputs = Some([1; 16]);
    report
}

pub(super) fn linked(mut report: Report, field: &str, value: &str, explicit: bool) -> Report {
    report.correlation = Some(Correlation { field: field.into(), value: value.into(), bound: false, explicit });
    report
}

pub(super) fn read(file: u32, path: &str, records: Vec<Report>) -> Change {
    Change::Read(FileRead {
        file: FileNo(file),
        path: Arc::from(PathBuf::from(path)),
        stamp: Stamp { size: 100, ..Stamp::default() },
        fresh: true,
        done: true,
        records,
    })
}

fn writing(file: u32, path: &str) -> Change {
    Change::Writing { file: FileNo(file), path: Arc::from(PathBuf::from(path)) }
}

fn part(mut change: Change, is_fresh: bool, is_done: bool) -> Change {
    if let Change::Read(read) = &mut change {
        (read.fresh, read.done) = (is_fresh, is_done);
    }
    change
}

fn on_line(mut report: Report, line: u32) -> Report {
    report.place = Place::line(line);
    report
}

fn headlines(store: &Store) -> Vec<(Headline, RowState)> {
    (0..100).filter_map(|id| store.verdict(id)).collect()
}

#[test]
fn a_row_says_what_the_report_said() {
    let mut store = Store::new();
    let path = format!("in/{}.json", uuid(7));
    let mut report = receipt(7, 9);
    report.created = Some(Moment { secs: -62_135_596_800, nanos: 999_999_999 });
    assert_eq!(store.apply(read(0, &path, vec![report.clone()]), at(0)), [Happening::Arrived(0)]);
    report.id = Some("no uuid".into());
    report.created = None;
    store.apply(read(1, "in/b.json", vec![report]), at(1));
    let row = store.row(0).unwrap();
    assert_eq!(row.path, Path::new(&path));
    assert_eq!((row.receipt_id.as_ref(), row.tool, row.status), (uuid(7).as_str(), "web.search", "success"));
    assert_eq!(row.created, Some(Moment { secs: -62_135_596_800, nanos: 999_999_999 }));
    assert_eq!((row.size, row.bytes_len, row.attempt), (100, Some(3), None));
    let row = store.row(1).unwrap();
    assert_eq!((row.receipt_id.as_ref(), row.created, row.arrived), ("no uuid", None, at(1)));
    assert_eq!(store.find(Path::new(&path), Place::WHOLE), Some(0));
    assert_eq!(store.find(Path::new("in/b.json"), Place::WHOLE), Some(1));
    assert_eq!(store.find(Path::new("b.json"), Place::WHOLE), None);
    assert_eq!(store.find(Path::new("in/b.json"), Place::line(1)), None);
    assert_eq!(store.by_id("no uuid"), [1]);
    assert_eq!(store.by_id(&uuid(7)), [0]);
    assert_eq!(store.by_id(""), [] as [u32; 0]);
    assert_eq!(store.row(2).map(|r| r.id), None);
}

#[test]
fn totals_follow_every_change() {
    let mut store = Store::new();
    store.apply(writing(0, "a.json"), at(0));
    assert_eq!((store.totals().writing, store.totals().records(), store.totals().files), (1, 1, 1));
    assert!(store.row(0).unwrap().unread);
    assert_eq!(store.apply(read(0, "a.json", vec![receipt(1, 1)]), at(0)), [Happening::Arrived(0)]);
    assert_eq!((store.totals().writing, store.totals().of(Headline::Verified)), (0, 1));
    store.apply(writing(0, "a.json"), at(1));
    assert_eq!((store.totals().writing, store.totals().of(Headline::Verified)), (1, 0));
    let mut bad = receipt(1, 2);
    bad.headline = Headline::Mismatch;
    assert_eq!(store.apply(read(0, "a.json", vec![bad]), at(1)), [Happening::Rewritten(0)]);
    assert_eq!((store.totals().failing(), store.totals().of(Headline::Verified)), (1, 0));
    assert_eq!(store.apply(Change::Removed { file: FileNo(0) }, at(2)), [Happening::Removed(0)]);
    let totals = *store.totals();
    assert_eq!((totals.failing(), totals.removed, totals.records(), totals.files), (0, 1, 0, 0));
    assert_eq!(headlines(&store), [(Headline::Mismatch, RowState::Removed)]);
    assert_eq!(store.apply(Change::Removed { file: FileNo(0) }, at(2)), []);
    assert_eq!(store.apply(read(0, "a.json", vec![receipt(1, 2)]), at(3)), [Happening::Arrived(0)]);
    assert_eq!((store.totals().removed, store.totals().files, store.totals().records()), (0, 1, 1));
}

#[test]
fn a_file_that_was_never_read_leaves_no_row() {
    let mut store = Store::new();
    store.apply(writing(0, "a.json"), at(0));
    store.apply(Change::Removed { file: FileNo(0) }, at(0));
    assert_eq!((store.len(), store.totals().removed, store.totals().files), (0, 0, 0));
    store.apply(writing(1, "b.json"), at(0));
    let records = vec![on_line(receipt(1, 1), 1), on_line(receipt(2, 2), 2)];
    store.apply(read(1, "b.json", records), at(0));
    assert_eq!((store.len(), store.totals().writing, store.totals().files), (2, 0, 1));
}

#[test]
fn a_rewrite_is_told_with_both_hashes() {
    let mut store = Store::new();
    store.apply(read(0, "a.json", vec![receipt(1, 0xaa)]), at(0));
    assert_eq!(store.apply(read(0, "a.json", vec![receipt(1, 0xaa)]), at(1)), []);
    assert!(!store.row(0).unwrap().rewritten);
    store.apply(read(0, "a.json", vec![receipt(1, 0xbb)]), at(2));
    assert!(store.row(0).unwrap().rewritten);
    let (before, after) = (format!("sha256:{}…", "aa".repeat(15)), format!("sha256:{}…", "bb".repeat(15)));
    assert_eq!(store.notes(0), [Note::Rewritten { before, after }]);
}

#[test]
fn what_could_not_be_read_is_no_rewrite() {
    let mut store = Store::new();
    let cut = Report::of_fault(Place::WHOLE, Fault::new(Class::JsonTruncated));
    store.apply(read(0, "a.json", vec![cut]), at(0));
    assert_eq!(store.apply(read(0, "a.json", vec![receipt(1, 1)]), at(1)), [Happening::Changed(0)]);
    let gone = Report::of_fault(Place::WHOLE, Fault::new(Class::IoError));
    assert_eq!(store.apply(read(0, "a.json", vec![gone]), at(2)), [Happening::Changed(0)]);
    assert!(!store.row(0).unwrap().rewritten);
}

#[test]
fn a_name_stays_when_the_id_in_it_changes() {
    let mut store = Store::new();
    let path = format!("{}.json", uuid(1));
    store.apply(read(0, &path, vec![receipt(1, 1)]), at(0));
    assert_eq!(store.notes(0), []);
    store.apply(read(0, &path, vec![receipt(2, 2)]), at(0));
    assert_eq!(store.row(0).unwrap().path, Path::new(&path));
    assert!(store.notes(0).contains(&Note::FileNameOtherId));
}

#[test]
fn a_long_file_comes_in_parts() {
    let mut store = Store::new();
    let line = |n: u32, bytes: u8| on_line(receipt(n, bytes), n);
    store.apply(part(read(0, "a.jsonl", vec![line(1, 1), line(2, 2)]), true, false), at(0));
    store.apply(part(read(0, "a.jsonl", vec![line(3, 3)]), false, true), at(0));
    assert_eq!(store.totals().records(), 3);
    // It grows: what stood before stays.
    store.apply(writing(0, "a.jsonl"), at(1));
    assert_eq!(store.totals().writing, 3);
    assert_eq!(store.apply(part(read(0, "a.jsonl", vec![line(4, 4)]), false, true), at(1)), [Happening::Arrived(3)]);
    assert_eq!((store.totals().writing, store.totals().records()), (0, 4));
    // It is read again and is shorter: nothing is gone before the last part is there.
    store.apply(part(read(0, "a.jsonl", vec![line(1, 1)]), true, false), at(2));
    assert_eq!(store.totals().records(), 4);
    let happened = store.apply(part(read(0, "a.jsonl", vec![line(3, 9)]), false, true), at(2));
    assert_eq!(happened, [Happening::Rewritten(2), Happening::Removed(1), Happening::Removed(3)]);
    assert_eq!((store.totals().records(), store.totals().removed, store.totals().files), (2, 2, 1));
    assert_eq!(store.find(Path::new("a.jsonl"), Place::line(3)), Some(2));
}

#[test]
fn three_attempts_are_a_chain() {
    let mut store = Store::new();
    let link = |r: Report| linked(r, "job_id", "j1", false);
    let mut first = link(receipt(10, 1));
    first.status = Some("failed".into());
    let mut other_tool = link(receipt(12, 9));
    other_tool.tool = Some("fs.read".into());
    let mut other_inputs = link(receipt(13, 8));
    other_inputs.inputs = Some([2; 16]);
    store.apply(read(0, "c.json", vec![link(receipt(30, 2))]), at(0));
    store.apply(read(1, "a.json", vec![first]), at(0));
    store.apply(read(2, "x.json", vec![other_tool]), at(0));
    store.apply(read(3, "y.json", vec![other_inputs]), at(0));
    store.apply(read(4, "b.json", vec![link(receipt(20, 1))]), at(0));
    assert_eq!([0, 1, 2, 3, 4].map(|id| store.attempt(id)), [Some((3, 3)), Some((1, 3)), None, None, Some((2, 3))]);
    let chain = store.chain_of(4).unwrap();
    assert_eq!(chain.attempts.iter().map(|a| a.row).collect::<Vec<_>>(), [1, 4, 0]);
    assert_eq!(
        chain.attempts.iter().map(|a| a.delay).collect::<Vec<_>>(),
        [None, Some(10_000_000_000), Some(10_000_000_000)]
    );
    assert_eq!(chain.attempts.iter().map(|a| a.same_bytes).collect::<Vec<_>>(), [None, Some(1), None]);
    assert_eq!(chain.attempts.iter().map(|a| a.same_inputs).collect::<Vec<_>>(), [None, Some(1), Some(1)]);
    assert_eq!((chain.span, chain.bound), (Some(20_000_000_000), false));
    assert_eq!((chain.field.as_deref(), chain.value.as_deref()), (Some("job_id"), Some("j1")));
    assert_eq!(chain.outcome().map(|a| a.status.as_str()), Some("success"));
    let listed = store.chains();
    assert_eq!(listed.iter().map(|c| (c.retry, c.count)).collect::<Vec<_>>(), [(true, 3), (false, 5)]);
    assert_eq!(store.group_of(0), [1, 2, 3, 4, 0]);
}

#[test]
fn unparsable_times_come_last_then_seq_then_path() {
    let mut store = Store::new();
    let mut add = |file: u32, path: &str, created: Option<Moment>, seq: Option<i64>| {
        let mut report = linked(receipt(file + 1, u8::try_from(file + 1).unwrap()), "correlation_id", "c", true);
        (report.created, report.seq) = (created, seq);
        store.apply(read(file, path, vec![report]), at(0));
    };
    add(0, "b.json", None, None);
    add(1, "a.json", None, None);
    add(2, "z.json", None, Some(2));
    add(3, "y.json", Some(at(5)), Some(7));
    add(4, "x.json", Some(at(5)), Some(-1));
    let chain = store.chain_of(0).unwrap();
    assert_eq!(chain.attempts.iter().map(|a| a.row).collect::<Vec<_>>(), [4, 3, 2, 1, 0]);
    assert_eq!(chain.attempts.iter().map(|a| a.delay).collect::<Vec<_>>(), [None, Some(0), None, None, None]);
}

#[test]
fn pointers_join_whatever_comes_first() {
    let mut store = Store::new();
    let pointing = |n: u32, to: u32| {
        let mut report = linked(receipt(n, u8::try_from(n).unwrap()), "retry_of", &uuid(to), true);
        report.points_to = vec![uuid(to)];
        report.tool = Some(format!("tool {n}"));
        report
    };
    store.apply(read(0, "c.json", vec![pointing(3, 2)]), at(0));
    assert_eq!(store.notes(0), [Note::PointerToNothing(uuid(2))]);
    store.apply(read(1, "b.json", vec![pointing(2, 1)]), at(0));
    assert_eq!(store.notes(0), []);
    store.apply(read(2, "a.json", vec![receipt(1, 99)]), at(0));
    assert_eq!([0, 1, 2].map(|id| store.attempt(id)), [Some((3, 3)), Some((2, 3)), Some((1, 3))]);
    // The one in the middle becomes another record: the chain falls apart.
    store.apply(read(1, "b.json", vec![receipt(8, 8)]), at(0));
    assert_eq!([0, 1, 2].map(|id| store.attempt(id)), [None, None, None]);
    assert_eq!(store.notes(0), [Note::PointerToNothing(uuid(2))]);
}

#[test]
fn both_pointers_of_a_record_are_followed() {
    let mut store = Store::new();
    let mut report = receipt(3, 3);
    report.points_to = vec![uuid(1), uuid(2)];
    store.apply(read(0, "c.json", vec![report]), at(0));
    assert_eq!(store.notes(0), [Note::PointerToNothing(uuid(1)), Note::PointerToNothing(uuid(2))]);
    store.apply(read(1, "b.json", vec![receipt(2, 2)]), at(0));
    assert_eq!(store.notes(0), [Note::PointerToNothing(uuid(1))]);
    store.apply(read(2, "a.json", vec![receipt(1, 1)]), at(0));
    assert_eq!(store.notes(0), []);
    assert!((0..3).all(|id| store.attempt(id).is_some_and(|(_, of)| of == 3)));
    // The record that held the other two together goes.
    store.apply(read(0, "c.json", vec![receipt(8, 8)]), at(0));
    assert_eq!([0, 1, 2].map(|id| store.attempt(id)), [None, None, None]);
}

#[test]
fn copies_are_one_attempt() {
    let mut store = Store::new();
    let link = |r: Report| linked(r, "correlation_id", "c", true);
    store.apply(read(0, "b.json", vec![link(receipt(1, 1))]), at(0));
    store.apply(read(1, "copy.json", vec![link(receipt(1, 1))]), at(0));
    assert_eq!((store.attempt(0), store.attempt(1)), (None, None));
    store.apply(read(2, "d.json", vec![link(receipt(2, 2))]), at(0));
    assert_eq!([0, 1, 2].map(|id| store.attempt(id)), [Some((1, 2)), Some((1, 2)), Some((2, 2))]);
    let chain = store.chain_of(1).unwrap();
    assert_eq!(chain.attempts.iter().map(|a| (a.row, a.copies.len())).collect::<Vec<_>>(), [(0, 1), (2, 0)]);
    // Moved: the copy that is still there stands for the attempt.
    store.apply(Change::Removed { file: FileNo(0) }, at(1));
    let chain = store.chain_of(0).unwrap();
    assert_eq!(chain.attempts.iter().map(|a| a.row).collect::<Vec<_>>(), [1, 2]);
}

#[test]
fn copies_conflicts_and_replays_are_noted() {
    let mut store = Store::new();
    store.apply(read(0, "a.json", vec![receipt(1, 1)]), at(0));
    store.apply(read(1, "b.jsonl", vec![on_line(receipt(1, 1), 4)]), at(0));
    store.apply(read(2, "c.json", vec![receipt(1, 2)]), at(0));
    store.apply(read(3, "d.json", vec![receipt(5, 1)]), at(0));
    assert_eq!(
        store.notes(0),
        [Note::CopyOf("b.jsonl:4".into()), Note::IdConflict("c.json".into()), Note::PossibleReplay("d.json".into()),]
    );
    store.apply(Change::Removed { file: FileNo(1) }, at(0));
    store.apply(Change::Removed { file: FileNo(2) }, at(0));
    assert_eq!(store.notes(3), [Note::PossibleReplay("a.json".into())]);
}

/// Whatever the order, and however many equals stand between: what differs is found.
#[test]
fn one_conflict_or_replay_among_many_copies_is_found() {
    for odd in [0, 40, 99] {
        let mut store = Store::new();
        for n in 0..100 {
            let one = if n == odd { receipt(1, 2) } else { receipt(1, 1) };
            store.apply(read(n, &format!("{n}.json"), vec![one]), at(0));
        }
        let any = if odd == 50 { 51 } else { 50 };
        let shared = store.shared(any, 4);
        assert_eq!((shared.copies.len(), shared.conflicts, shared.replays), (4, vec![odd], vec![]), "{odd}");
        // The odd one is written anew with the others' bytes under another id.
        store.apply(read(odd, &format!("{odd}.json"), vec![receipt(9, 1)]), at(1));
        let shared = store.shared(any, 4);
        assert_eq!((shared.copies.len(), shared.conflicts, shared.replays), (4, vec![], vec![odd]), "{odd}");
    }
}

fn workflow(steps: &[(u32, u8)]) -> Report {
    let mut report = Report::empty(Place::WHOLE, Kind::Workflow, Headline::Intact);
    let part = |(id, hash): &(u32, u8)| Part {
        id: uuid(*id),
        seq: "1".into(),
        tool: None,
        status: None,
        provenance: None,
        time: None,
        output_hash: Some(format!("{hash:02x}").repeat(32)),
        digest: None,
        prev_digest: None,
        holds: true,
    };
    report.structure = Some(Box::new(Structure { parts: steps.iter().map(part).collect(), ..Structure::default() }));
    report
}

#[test]
fn a_failing_step_lowers_its_workflow() {
    let mut store = Store::new();
    store.apply(read(0, "s1.json", vec![receipt(1, 0x11)]), at(0));
    store.apply(read(1, "w.json", vec![workflow(&[(1, 0x11), (2, 0x22), (3, 0x33)])]), at(0));
    assert_eq!(store.verdict(1).unwrap().0, Headline::Intact);
    assert_eq!(store.notes(1), [Note::StepsPresent { present: 1, listed: 3, failing: 0 }]);
    store.apply(read(2, "s2.json", vec![receipt(2, 0x99)]), at(0));
    assert_eq!(store.verdict(1).unwrap().0, Headline::Unavailable);
    assert_eq!(store.notes(1), [Note::StepsPresent { present: 2, listed: 3, failing: 1 }]);
    assert_eq!((store.totals().of(Headline::Intact), store.totals().of(Headline::Unavailable)), (0, 1));
    store.apply(Change::Removed { file: FileNo(2) }, at(0));
    assert_eq!(store.verdict(1).unwrap().0, Headline::Intact);
    let mut failing = receipt(3, 0x33);
    failing.headline = Headline::Mismatch;
    store.apply(read(3, "s3.json", vec![failing]), at(0));
    assert_eq!(store.verdict(1).unwrap().0, Headline::Unavailable);
    store.apply(read(3, "s3.json", vec![receipt(3, 0x33)]), at(0));
    assert_eq!(store.verdict(1).unwrap().0, Headline::Intact);
    assert_eq!(store.totals().of(Headline::Verified), 2);
}

#[test]
fn a_commitment_elsewhere_is_noted_on_both() {
    let structure = |root: &str, count: u64, parts: usize| Structure {
        parts: workflow(&vec![(1, 1); parts]).structure.unwrap().parts,
        declared_root: Some(root.into()),
        recomputed_root: Some(root.into()),
        group: Some("job".into()),
        count: Some(count),
    };
    let record = |kind: Kind, structure: Structure| {
        let mut report = Report::empty(Place::WHOLE, kind, Headline::Intact);
        report.structure = Some(Box::new(structure));
        report
    };
    let mut store = Store::new();
    store.apply(read(0, "chain.json", vec![record(Kind::Chain, structure("ab", 0, 2))]), at(0));
    store.apply(read(1, "other.json", vec![record(Kind::Commitment, structure("ab", 3, 0))]), at(0));
    assert_eq!(store.notes(0), []);
    store.apply(read(2, "fits.json", vec![record(Kind::Commitment, structure("ab", 2, 0))]), at(0));
    assert_eq!(store.notes(0), [Note::CommitmentElsewhere("fits.json".into())]);
    assert_eq!(store.notes(2), [Note::CommitmentElsewhere("chain.json".into())]);
    assert_eq!(store.notes(1), []);
}

#[test]
fn the_limit_takes_the_oldest_and_failing_ones_last() {
    let mut store = Store::new();
    for n in 0..6u32 {
        let mut report = linked(receipt(n + 1, u8::try_from(n + 1).unwrap()), "correlation_id", "c", true);
        if n == 1 {
            report.headline = Headline::Malformed;
        }
        store.apply(read(n, &format!("{n}.json"), vec![report]), at(0));
    }
    store.apply(Change::Removed { file: FileNo(4) }, at(0));
    assert_eq!(store.limit(6), 0);
    assert_eq!(store.limit(3), 3);
    let left: Vec<RowId> = (0..6).filter(|id| store.row(*id).is_some()).collect();
    assert_eq!(left, [1, 3, 5]);
    let totals = *store.totals();
    assert_eq!((totals.left, totals.records(), totals.failing(), totals.removed, totals.files), (3, 3, 1, 0, 3));
    assert_eq!((store.attempt(1), store.attempt(5)), (Some((1, 3)), Some((3, 3))));
    // A file whose row left is a new row when it changes.
    assert_eq!(store.apply(read(0, "0.json", vec![receipt(1, 1)]), at(9)), [Happening::Arrived(6)]);
    assert_eq!(store.row(6).unwrap().path, Path::new("0.json"));
}

#[test]
fn long_texts_are_cut_with_a_count_and_stay_distinct_as_ids() {
    let mut store = Store::new();
    let long = |end: &str| format!("{}{end}", "é".repeat(1000));
    for (n, end) in [(0u32, "a"), (1, "b")] {
        let mut report = receipt(1, 1);
        report.id = Some(long(end));
        report.tool = Some(long(end));
        store.apply(read(n, &format!("{n}.json"), vec![report]), at(0));
    }
    assert_eq!(store.row(0).unwrap().tool, format!("{}… +745", "é".repeat(256)));
    assert_eq!(store.by_id(&long("b")), [1]);
    assert_eq!(store.notes(0), [Note::PossibleReplay("1.json".into())]);
}

mod measure;
mod property;
