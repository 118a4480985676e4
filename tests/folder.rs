//! The folder thread from outside: real receipts' names and bytes are never touched, and bursts are survived.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a test that fails here says where"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::mpsc::Receiver;
use std::time::{Duration, Instant};

use aerscope::aer1::report::Class;
use aerscope::aer1::verify::Options;
use aerscope::config::{Limits, Watching};
use aerscope::folder::{Folder, OpenError, Setup};
use aerscope::record::{Change, Command, Event, ScanReason};

const PATIENCE: Duration = Duration::from_secs(60);

fn open(root: &Path, follow: bool) -> Result<(Folder, Receiver<Event>), OpenError> {
    Folder::open(Setup {
        root: root.to_owned(),
        options: Options::default(),
        limits: Limits::default(),
        watching: Watching::default(),
        follow,
    })
}

/// Every change until the condition on all of them so far holds.
fn changes(events: &Receiver<Event>, all: &mut Vec<Change>, mut until: impl FnMut(&[Change], &Event) -> bool) {
    let deadline = Instant::now() + PATIENCE;
    loop {
        let event = events.recv_timeout(deadline.saturating_duration_since(Instant::now())).expect("in time");
        if let Event::Batch(batch) = &event {
            all.extend(batch.iter().cloned());
        }
        if until(all, &event) {
            return;
        }
    }
}

fn read_paths(changes: &[Change]) -> BTreeSet<PathBuf> {
    let paths = changes.iter().filter_map(|change| match change {
        Change::Read(read) => Some(read.path.to_path_buf()),
        _ => None,
    });
    paths.collect()
}

type State = (Vec<u8>, u32, u32, i64, i64, i64, i64);

/// Everything that a write would move.
fn state(folder: &Path) -> BTreeMap<PathBuf, State> {
    let mut paths: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.push(folder.to_owned());
    let state = |path: &PathBuf| {
        let meta = fs::symlink_metadata(path).unwrap();
        let bytes = if meta.is_file() { fs::read(path).unwrap() } else { Vec::new() };
        (bytes, meta.mode(), meta.uid(), meta.mtime(), meta.mtime_nsec(), meta.ctime(), meta.ctime_nsec())
    };
    paths.iter().map(|path| (path.clone(), state(path))).collect()
}

#[test]
fn nothing_under_the_folder_is_touched_and_a_read_only_folder_will_do() {
    let dir = tempfile::tempdir().unwrap();
    for n in 0..50 {
        fs::write(dir.path().join(format!("{n}.json")), "{}").unwrap();
    }
    fs::write(dir.path().join("log.jsonl"), "{}\n{}\n{").unwrap();
    fs::set_permissions(dir.path(), fs::Permissions::from_mode(0o555)).unwrap();
    let before = state(dir.path());
    let (folder, events) = open(dir.path(), true).unwrap();
    let mut all = Vec::new();
    changes(&events, &mut all, |_, event| matches!(event, Event::Scanned(_)));
    folder.send(Command::RecheckAll);
    changes(&events, &mut all, |_, event| matches!(event, Event::Scanned(scan) if scan.reason == ScanReason::Asked));
    drop(folder);
    assert_eq!(read_paths(&all).len(), 51);
    assert!(before == state(dir.path()), "names, bytes, modes and times are as before");
    fs::set_permissions(dir.path(), fs::Permissions::from_mode(0o755)).unwrap();
}

#[test]
fn a_burst_while_files_are_replaced_and_removed_ends_with_what_is_there() {
    let dir = tempfile::tempdir().unwrap();
    let (folder, events) = open(dir.path(), true).unwrap();
    let root = dir.path().to_owned();
    let writer = std::thread::spawn(move || {
        for n in 0..6000 {
            let path = root.join(format!("{}.json", n % 4000));
            let part = root.join(".part");
            fs::write(&part, format!("{{\"n\":{n}}}")).unwrap();
            fs::rename(&part, &path).unwrap();
            if n % 10 == 9 {
                fs::remove_file(&path).unwrap();
            }
        }
    });
    writer.join().unwrap();
    let expected = fs::read_dir(dir.path()).unwrap().count();
    let mut there = BTreeSet::new();
    let mut taken = 0;
    changes(&events, &mut Vec::new(), |all, _| {
        for change in &all[taken..] {
            match change {
                Change::Read(read) => there.insert(read.file),
                Change::Removed { file } | Change::Writing { file, .. } => there.remove(file),
            };
        }
        taken = all.len();
        there.len() == expected
    });
    drop(folder);
}

#[test]
fn without_following_it_ends_by_itself_and_waits_for_a_cut_text() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("a.json"), "{}").unwrap();
    fs::write(dir.path().join("cut.json"), "{").unwrap();
    let (_folder, events) = open(dir.path(), false).unwrap();
    let mut last = BTreeMap::new();
    let deadline = Instant::now() + PATIENCE;
    while let Ok(event) = events.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
        let Event::Batch(batch) = event else { continue };
        for change in batch {
            if let Change::Read(read) = change {
                last.insert(read.path.file_name().unwrap().to_owned(), read.records[0].class);
            }
        }
    }
    assert!(Instant::now() < deadline);
    assert_eq!(last.len(), 2);
    assert_eq!(last[std::ffi::OsStr::new("cut.json")], Some(Class::JsonTruncated));
}

#[test]
fn a_missing_path_and_a_device_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    assert!(matches!(open(&dir.path().join("none"), true), Err(OpenError::Path { .. })));
    assert!(matches!(open(Path::new("/dev/null"), true), Err(OpenError::Kind { .. })));
}
