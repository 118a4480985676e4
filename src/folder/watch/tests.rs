use std::path::PathBuf;
use std::sync::Arc;

use notify::event::{DataChange, Flag, MetadataKind};

use super::*;

fn interest() -> Interest {
    Interest { root: PathBuf::from("/r"), only: None, all: false }
}

fn hints(events: Vec<Event>) -> Vec<PathBuf> {
    let shared = Arc::new(Shared::default());
    for event in events {
        take(&interest(), &shared, Ok(event));
    }
    let mut found: Vec<PathBuf> = shared.lock().hints.keys().cloned().collect();
    found.sort();
    found
}

fn event(kind: EventKind, path: &str) -> Event {
    Event::new(kind).add_path(PathBuf::from(path))
}

#[test]
fn our_own_reading_gives_no_hint() {
    let open = EventKind::Access(AccessKind::Open(AccessMode::Any));
    let close = EventKind::Access(AccessKind::Close(AccessMode::Read));
    assert!(hints(vec![event(open, "/r/a.json"), event(close, "/r/a.json")]).is_empty());
}

#[test]
fn writing_renaming_and_removing_give_hints_for_receipt_names() {
    let written = EventKind::Access(AccessKind::Close(AccessMode::Write));
    let data = EventKind::Modify(ModifyKind::Data(DataChange::Any));
    let to = EventKind::Modify(ModifyKind::Name(RenameMode::To));
    let found = hints(vec![
        event(written, "/r/a.json"),
        event(data, "/r/b.JSONL"),
        event(data, "/r/b.tmp"),
        event(to, "/r/new-folder"),
        event(to, "/r/.hidden.json"),
        event(EventKind::Remove(RemoveKind::Folder), "/r/old"),
        event(EventKind::Modify(ModifyKind::Metadata(MetadataKind::Any)), "/r/c.json"),
    ]);
    let expected = ["/r/a.json", "/r/b.JSONL", "/r/c.json", "/r/new-folder", "/r/old"];
    assert_eq!(found, expected.map(PathBuf::from));
}

#[test]
fn a_rescan_flag_and_an_error_make_everything_dirty() {
    for event in [Ok(Event::new(EventKind::Other).set_flag(Flag::Rescan)), Err(Error::generic("lost"))] {
        let shared = Arc::new(Shared::default());
        take(&interest(), &shared, event);
        assert!(shared.lock().everything);
    }
}

#[test]
fn an_event_about_the_root_asks_for_the_root() {
    let shared = Arc::new(Shared::default());
    take(&interest(), &shared, Ok(event(EventKind::Remove(RemoveKind::Folder), "/r")));
    assert!(shared.lock().root);
    assert!(shared.lock().hints.is_empty());
}

#[test]
fn only_the_named_file_counts_when_the_root_is_a_file() {
    let shared = Arc::new(Shared::default());
    let interest = Interest { only: Some(PathBuf::from("/r/.odd")), ..interest() };
    let written = EventKind::Access(AccessKind::Close(AccessMode::Write));
    take(&interest, &shared, Ok(event(written, "/r/a.json")));
    take(&interest, &shared, Ok(event(written, "/r/.odd")));
    assert_eq!(shared.lock().hints.keys().collect::<Vec<_>>(), [&PathBuf::from("/r/.odd")]);
}

#[test]
fn a_reached_limit_is_named() {
    assert_eq!(
        failed(&Error::new(ErrorKind::MaxFilesWatch)),
        Failed::Poll("fs.inotify.max_user_watches is reached".to_owned())
    );
    let no_instance = Error::io(io::Error::from(rustix::io::Errno::MFILE));
    assert_eq!(failed(&no_instance), Failed::Poll("fs.inotify.max_user_instances is reached".to_owned()));
    assert_eq!(failed(&Error::new(ErrorKind::PathNotFound)), Failed::ThisOne);
}
