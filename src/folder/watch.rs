//! Hints from the kernel: which folders are watched, what an event is worth, and where watching is of no use.
//!
//! An event never says what is in the folder, only where to look (design §2 "Events are hints").

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use notify::event::{AccessKind, AccessMode, CreateKind, ModifyKind, RemoveKind, RenameMode};
use notify::{Config, Error, ErrorKind, Event, EventKind, EventKindMask, RecommendedWatcher, RecursiveMode, Watcher};

use super::inbox::Shared;
use super::scan::{is_hidden, is_receipt_name};

/// On Linux each folder is watched by itself, just before it is listed; elsewhere the root with all below it.
const EACH_FOLDER: bool = cfg!(target_os = "linux");

/// The watches.
pub struct Watch {
    watcher: RecommendedWatcher,
}

/// What the callback needs to know to tell paths worth a look.
pub struct Interest {
    /// The watched root, absolute: events carry it so.
    pub root: PathBuf,
    /// The only file of interest, when the root is the folder it is in.
    pub only: Option<PathBuf>,
    /// Every name counts.
    pub all: bool,
}

/// What a failed watch means.
#[derive(Debug, PartialEq, Eq)]
pub enum Failed {
    /// Watching is of no use any more: poll. The reason in words.
    Poll(String),
    /// This folder cannot be watched; listing it will tell why.
    ThisOne,
}

impl Watch {
    /// Starts watching nothing yet.
    pub fn new(interest: Interest, shared: Arc<Shared>) -> Result<Watch, Failed> {
        // Opening is left out: each file read here would come back as an event.
        let kinds = EventKindMask::CORE | EventKindMask::ACCESS_CLOSE;
        let config = Config::default().with_event_kinds(kinds);
        RecommendedWatcher::new(move |event: Result<Event, Error>| take(&interest, &shared, event), config)
            .map(|watcher| Watch { watcher })
            .map_err(|error| failed(&error))
    }

    /// Watches a folder. Events in it from now on become hints.
    pub fn folder(&mut self, path: &Path, is_root: bool) -> Result<(), Failed> {
        let how = match (EACH_FOLDER, is_root) {
            (true, _) => RecursiveMode::NonRecursive,
            (false, true) => RecursiveMode::Recursive,
            (false, false) => return Ok(()),
        };
        self.watcher.watch(path, how).map_err(|error| match failed(&error) {
            Failed::ThisOne if is_root && !matches!(error.kind, ErrorKind::PathNotFound) && !is_denied(&error) => {
                Failed::Poll("the folder cannot be watched".to_owned())
            }
            failed => failed,
        })
    }
}

fn is_denied(error: &Error) -> bool {
    matches!(&error.kind, ErrorKind::Io(io) if io.kind() == io::ErrorKind::PermissionDenied)
}

/// What an error of the watcher means.
pub fn failed(error: &Error) -> Failed {
    match &error.kind {
        ErrorKind::WatchStartFailed => Failed::Poll("this system gives no change events".to_owned()),
        ErrorKind::MaxFilesWatch => Failed::Poll("fs.inotify.max_user_watches is reached".to_owned()),
        ErrorKind::Io(io) => match io.raw_os_error().map(rustix::io::Errno::from_raw_os_error) {
            Some(rustix::io::Errno::MFILE) => Failed::Poll("fs.inotify.max_user_instances is reached".to_owned()),
            Some(rustix::io::Errno::NFILE) => Failed::Poll("fs.file-max is reached".to_owned()),
            Some(rustix::io::Errno::NOSPC) => Failed::Poll("fs.inotify.max_user_watches is reached".to_owned()),
            Some(rustix::io::Errno::NOSYS | rustix::io::Errno::PERM) => {
                Failed::Poll("this system gives no change events".to_owned())
            }
            _ => Failed::ThisOne,
        },
        _ => Failed::ThisOne,
    }
}

/// The callback: never blocks, never looks at the disk.
fn take(interest: &Interest, shared: &Shared, event: Result<Event, Error>) {
    let Ok(event) = event else {
        return shared.everything();
    };
    if event.need_rescan() {
        return shared.everything();
    }
    let Some(worth) = worth(event.kind) else { return };
    for path in event.paths {
        if path == interest.root {
            // The root's own mode or name; also "something in it" for folders watched as a whole.
            shared.root();
            continue;
        }
        if interest.only.as_ref().is_some_and(|only| *only != path) {
            continue;
        }
        let Some(name) = path.file_name() else { continue };
        if interest.only.is_none() && (is_hidden(name) || (worth.is_file && !is_receipt_name(name, interest.all))) {
            continue;
        }
        shared.hint(path, worth.finished);
    }
}

/// What an event tells besides its path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Worth {
    /// It can only be about a file.
    is_file: bool,
    /// It ends something: the file can be looked at without waiting for more.
    finished: bool,
}

fn worth(kind: EventKind) -> Option<Worth> {
    let (is_file, finished) = match kind {
        EventKind::Access(AccessKind::Close(AccessMode::Write)) => (true, true),
        // Our own reading comes back as these.
        EventKind::Access(_) => return None,
        // The two halves have been told already.
        EventKind::Modify(ModifyKind::Name(RenameMode::Both)) => return None,
        EventKind::Modify(ModifyKind::Name(_)) => (false, true),
        EventKind::Modify(ModifyKind::Data(_)) => (true, false),
        EventKind::Modify(_) => (false, false),
        EventKind::Create(CreateKind::File) => (true, false),
        EventKind::Create(_) => (false, true),
        EventKind::Remove(RemoveKind::File) => (true, true),
        EventKind::Remove(_) => (false, true),
        EventKind::Any | EventKind::Other => (false, true),
    };
    Some(Worth { is_file, finished })
}

/// The name of a file system that does not tell about changes made elsewhere.
#[cfg(target_os = "linux")]
pub fn silent(stat: &rustix::fs::StatFs) -> Option<&'static str> {
    // The type is a signed word on some machines; the constants are 32 bits.
    let magic = stat.f_type as u64 & 0xffff_ffff;
    Some(match magic {
        0x6969 => "nfs",
        0x517b => "smb",
        0xff53_4d42 => "cifs",
        0xfe53_4d42 => "smb2",
        0x0102_1997 => "9p",
        0x6573_5546 => "fuse",
        0x5346_414f => "afs",
        0x00c3_6400 => "ceph",
        0x786f_4256 => "vboxsf",
        _ => return None,
    })
}

/// The name of a file system that does not tell about changes made elsewhere.
#[cfg(not(target_os = "linux"))]
pub fn silent(_stat: &rustix::fs::StatFs) -> Option<&'static str> {
    None
}

#[cfg(test)]
mod tests;
