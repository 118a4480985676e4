use std::sync::mpsc::{Receiver, channel};

use super::*;

const PATIENCE: Duration = Duration::from_secs(30);

fn started(which: Which) -> (SuiteThread, Receiver<Told>) {
    let (sender, told) = channel();
    let deliver = move |one| sender.send(one).is_ok();
    let thread = SuiteThread::start(which, Options::default(), Limits::default(), deliver).unwrap();
    (thread, told)
}

fn ran(told: &Receiver<Told>) -> Ran {
    match told.recv_timeout(PATIENCE).unwrap() {
        Told::Ran(ran) => ran,
        other => panic!("{other:?}"),
    }
}

fn record(headline: &str) -> String {
    format!(
        r#"{{"suite":1,"vectors":[{{"file":"a.json","record":null,"kind":"none","headline":"{headline}","class":null,"why":null,"rule":null,"twin":"b.json"}}]}}"#
    )
}

#[test]
fn a_suite_is_run_again_when_one_of_its_files_changes() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("index.json"), record("verified")).unwrap();
    std::fs::write(dir.path().join("a.json"), "{\"x\":1}").unwrap();
    std::fs::write(dir.path().join("b.json"), "{\"y\":1}").unwrap();
    let (thread, told) = started(Which::Of(Some(dir.path().to_owned())));
    let first = ran(&told);
    assert_eq!(first.outcomes.iter().map(|o| o.agrees).collect::<Vec<_>>(), [false], "{:?}", first.outcomes);
    thread.ask(Ask::Show(0));
    let Told::Shown(0, shown) = told.recv_timeout(PATIENCE).unwrap() else { panic!("another answer") };
    assert!(matches!(shown.loaded, Loaded::Open(_)), "{:?}", shown.loaded);
    let apart = shown.apart.unwrap();
    assert_eq!((apart.at, apart.around.0), (Some(2), 2));
    assert_eq!(apart.around.2, b"{\"y\":1}");

    std::fs::write(dir.path().join("index.json"), record("not_receipt")).unwrap();
    assert!(ran(&told).outcomes.iter().all(|o| o.agrees));
    std::fs::write(dir.path().join("index.json"), "{\"suite\":").unwrap();
    assert!(matches!(told.recv_timeout(PATIENCE).unwrap(), Told::Failed(_, why) if !why.is_empty()));
    std::fs::write(dir.path().join("index.json"), record("not_receipt")).unwrap();
    assert_eq!(ran(&told).outcomes.len(), 1);
    thread.ask(Ask::Run);
    assert_eq!(ran(&told).outcomes.len(), 1);
    drop(thread);
    assert!(told.recv_timeout(PATIENCE).is_err(), "the thread ends with its handle");
}

#[test]
fn a_folder_that_is_a_suite_is_near() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("index.json"), record("not_receipt")).unwrap();
    std::fs::write(dir.path().join("a.json"), "{}").unwrap();
    let (path, suite) = open(&Which::Near(Some(dir.path().to_owned())));
    assert_eq!((path.as_deref(), suite.unwrap().cases.len()), (Some(dir.path()), 1));
    let (path, suite) = open(&Which::Of(None));
    assert_eq!(path, None);
    assert!(suite.unwrap().cases.len() > 600);
}
