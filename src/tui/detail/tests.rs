use std::sync::mpsc;
use std::time::Duration;

use super::*;
use crate::aer1::report::{Class, Headline};

const PATIENCE: Duration = Duration::from_secs(30);

fn started() -> (DetailThread, mpsc::Receiver<(u64, Loaded)>) {
    let (sender, receiver) = mpsc::channel();
    let thread = DetailThread::start(Options::default(), Limits::default(), move |stamp, loaded| {
        // The test may be over.
        let _ = sender.send((stamp, loaded));
    });
    (thread, receiver)
}

#[test]
fn a_record_is_read_verified_and_handed_back() {
    let folder = tempfile::tempdir().unwrap();
    let path: Arc<Path> = folder.path().join("a.json").into();
    std::fs::write(&path, sample::receipt(b"{}", |text| text)).unwrap();
    let (thread, answers) = started();
    thread.request(Request { path: Arc::clone(&path), place: Place::WHOLE, stamp: 7 });
    let (stamp, loaded) = answers.recv_timeout(PATIENCE).unwrap();
    let Loaded::Open(open) = loaded else { panic!("{loaded:?}") };
    assert_eq!((stamp, open.report.headline), (7, Headline::Verified));
    assert_eq!(open.canonical.as_deref(), Some(&b"{}"[..]));

    std::fs::write(&path, sample::receipt(b"{}", |text| text.replace("e30=", "e31="))).unwrap();
    thread.request(Request { path: Arc::clone(&path), place: Place::WHOLE, stamp: 8 });
    let (_, loaded) = answers.recv_timeout(PATIENCE).unwrap();
    assert!(matches!(loaded, Loaded::Open(open) if !open.report.headline.is_green()));

    thread.request(Request { path: Arc::clone(&path), place: Place::line(4), stamp: 9 });
    assert!(matches!(answers.recv_timeout(PATIENCE).unwrap(), (9, Loaded::Gone { .. })));
    std::fs::write(&path, "{\"id\":").unwrap();
    thread.request(Request { path: Arc::clone(&path), place: Place::WHOLE, stamp: 10 });
    assert!(matches!(answers.recv_timeout(PATIENCE).unwrap(), (10, Loaded::Writing { .. })));
    std::fs::remove_file(&path).unwrap();
    thread.request(Request { path, place: Place::WHOLE, stamp: 11 });
    assert!(matches!(answers.recv_timeout(PATIENCE).unwrap(), (11, Loaded::Vanished { .. })));
    let folder: Arc<Path> = folder.path().into();
    thread.request(Request { path: folder, place: Place::WHOLE, stamp: 12 });
    let (_, loaded) = answers.recv_timeout(PATIENCE).unwrap();
    assert!(matches!(loaded, Loaded::Failed { reason, .. } if reason.class == Class::NotAFile));
}

#[test]
fn the_newest_request_wins() {
    let folder = tempfile::tempdir().unwrap();
    let path: Arc<Path> = folder.path().join("a.json").into();
    std::fs::write(&path, sample::receipt(b"{}", |text| text)).unwrap();
    let (thread, answers) = started();
    for stamp in 0..5_000 {
        thread.request(Request { path: Arc::clone(&path), place: Place::WHOLE, stamp });
    }
    let mut seen = 0u32;
    loop {
        let (stamp, _) = answers.recv_timeout(PATIENCE).unwrap();
        seen += 1;
        if stamp == 4_999 {
            break;
        }
    }
    assert!(seen < 5_000, "waiting requests are replaced, {seen} were answered");
    drop(thread);
    assert!(answers.recv_timeout(PATIENCE).is_err(), "the thread ends with its handle");
}

#[test]
fn copies_are_exact() {
    let open = sample::verified();
    let value = |what| copy::copy(&open, what).map(|copied| copied.value);
    assert_eq!(value(copy::What::Id).unwrap(), b"c0ffee12-7a10-4c7b-9d2e-0b7a5f3c9a11");
    assert_eq!(value(copy::What::Bytes).unwrap(), sample::BYTES.as_bytes());
    assert_eq!(value(copy::What::Path).unwrap(), b"receipts/sql/0001.json");
    assert_eq!(value(copy::What::Record).unwrap(), sample::receipt(sample::BYTES.as_bytes(), |text| text));
    assert!(value(copy::What::Hash).unwrap().starts_with(b"sha256:"));
    let binary = sample::open(&sample::receipt(b"\xff\x00", |text| text));
    assert_eq!(copy::copy(&binary, copy::What::Bytes).unwrap().value, b"/wA=");
    let none = sample::open(b"not json");
    assert!(copy::copy(&none, copy::What::Id).is_err());
}
