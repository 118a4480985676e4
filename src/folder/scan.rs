//! Listing: which names are taken, and a listing of a tree that is made in small steps.

use std::ffi::OsStr;
use std::os::fd::BorrowedFd;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustix::fs::{AtFlags, CWD, Dir, FileType, Mode, OFlags, Stat};
use rustix::io::Errno;

use super::archive::Coding;
use super::read::stamp_of;
use crate::record::Passed;

/// Whether a name is hidden: such files and folders are skipped.
pub fn is_hidden(name: &OsStr) -> bool {
    name.as_bytes().first() == Some(&b'.')
}

/// Whether a file of this name is taken as receipts: ending `.json`, `.jsonl` or `.ndjson` in any case, compressed
/// (`.gz`, `.zst` after that) or not, or every name that is not hidden when `all`.
pub fn is_receipt_name(name: &OsStr, all: bool) -> bool {
    let name = name.as_bytes();
    if name.first() == Some(&b'.') {
        return false;
    }
    let (name, _) = Coding::split(name);
    all || [&b".json"[..], b".jsonl", b".ndjson"].iter().any(|suffix| {
        name.len()
            .checked_sub(suffix.len())
            .and_then(|at| name.get(at..))
            .is_some_and(|end| end.eq_ignore_ascii_case(suffix))
    })
}

/// Whether a file was last modified before this moment (nanoseconds since 1970).
pub fn was_modified_before(stat: &Stat, since: i64) -> bool {
    stamp_of(stat).mtime < since
}

/// The same of a name in an open folder. One that cannot be looked at is not left out: reading it says why.
pub fn is_older(folder: BorrowedFd<'_>, name: &OsStr, since: i64) -> bool {
    let stat = rustix::fs::statat(folder, name, AtFlags::SYMLINK_NOFOLLOW);
    stat.is_ok_and(|stat| was_modified_before(&stat, since))
}

/// An open folder that is being listed.
pub struct Listed {
    /// Its path.
    pub path: Arc<Path>,
    /// Its number in `super::known::Known`.
    pub number: u32,
    /// What was passed over so far.
    pub passed: Passed,
    dir: Dir,
}

/// An entry of a folder that may matter.
pub enum Entry {
    /// A regular file.
    File,
    /// A folder.
    Folder,
    /// Anything else: links, FIFOs, sockets, devices.
    Other,
}

/// Opens a folder for listing; a link is not followed unless it is the root as the user named it.
pub fn open_folder(path: &Path, follow: bool) -> Result<Dir, Errno> {
    let mut flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC | OFlags::NONBLOCK;
    if !follow {
        flags |= OFlags::NOFOLLOW;
    }
    let fd = rustix::io::retry_on_intr(|| rustix::fs::openat(CWD, path, flags, Mode::empty()))?;
    Dir::new(fd)
}

impl Listed {
    /// A folder about to be listed.
    pub fn new(path: Arc<Path>, number: u32, dir: Dir) -> Listed {
        Listed { path, number, passed: Passed::default(), dir }
    }

    /// The folder's descriptor.
    pub fn fd(&self) -> Result<BorrowedFd<'_>, Errno> {
        self.dir.fd()
    }

    /// The next entry whose name is not hidden: handed to `take` with its name.
    ///
    /// `None` at the end.
    pub fn next<R>(
        &mut self,
        take: impl FnOnce(&Path, BorrowedFd<'_>, &OsStr, Entry) -> R,
    ) -> Option<Result<R, Errno>> {
        loop {
            let entry = match self.dir.read()? {
                Ok(entry) => entry,
                Err(error) => return Some(Err(error)),
            };
            let name = OsStr::from_bytes(entry.file_name().to_bytes());
            if is_hidden(name) {
                // Every folder holds itself and the one it is in.
                self.passed.hidden += u64::from(name != "." && name != "..");
                continue;
            }
            let fd = match self.dir.fd() {
                Ok(fd) => fd,
                Err(error) => return Some(Err(error)),
            };
            let kind = match entry.file_type() {
                // Some file systems do not say.
                FileType::Unknown => match rustix::fs::statat(fd, entry.file_name(), AtFlags::SYMLINK_NOFOLLOW) {
                    Ok(stat) => FileType::from_raw_mode(stat.st_mode),
                    Err(_) => continue,
                },
                kind => kind,
            };
            let kind = match kind {
                FileType::RegularFile => Entry::File,
                FileType::Directory => Entry::Folder,
                other => {
                    let count = match other {
                        FileType::Symlink => &mut self.passed.links,
                        FileType::Fifo => &mut self.passed.fifos,
                        FileType::Socket => &mut self.passed.sockets,
                        _ => &mut self.passed.devices,
                    };
                    *count += 1;
                    Entry::Other
                }
            };
            return Some(Ok(take(&self.path, fd, name, kind)));
        }
    }
}

/// A listing of a tree under way: folders still to be listed, and the one being listed.
#[derive(Default)]
pub struct Listing {
    /// Folders still to be listed, the next one last.
    pub folders: Vec<PathBuf>,
    /// The one being listed.
    pub current: Option<Listed>,
}

impl Listing {
    /// Whether everything has been listed.
    pub fn is_over(&self) -> bool {
        self.folders.is_empty() && self.current.is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_taken_by_suffix_in_any_case_and_hidden_ones_never() {
        for name in [
            "a.json",
            "a.JSON",
            "b.jsonl",
            "b.NdJson",
            "-.json",
            "\u{202e}.json",
            "a.json.gz",
            "a.JSONL.Zst",
            "a.ndjson.gz",
        ] {
            assert!(is_receipt_name(OsStr::new(name), false), "{name}");
        }
        for name in [
            "a.jso",
            "json",
            "a.json.tmp",
            ".a.json",
            ".json",
            "a.txt",
            "a.json~",
            "a.gz",
            "a.json.gz.gz",
            ".json.gz",
            "a.txt.zst",
        ] {
            assert!(!is_receipt_name(OsStr::new(name), false), "{name}");
        }
        assert!(is_receipt_name(OsStr::new("a.txt"), true));
        assert!(!is_receipt_name(OsStr::new(".a.txt"), true));
        assert!(is_receipt_name(OsStr::from_bytes(b"\xff.json"), false));
    }
}
