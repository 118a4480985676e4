//! The names of a folder that are taken, in order.

use std::os::fd::{BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustix::fs::{CWD, Mode, OFlags};
use rustix::io::Errno;

use crate::folder::scan::{Entry, Listed, is_older, is_receipt_name};
use crate::record::Passed;

/// Which files of a folder are taken; see `super::Setup`.
#[derive(Clone, Copy)]
pub struct Rule {
    /// Every name.
    pub all: bool,
    /// Only what was modified since.
    pub since: Option<i64>,
}

/// What was left out.
#[derive(Clone, Copy, Default)]
pub struct Left {
    /// Because of the name.
    pub skipped: u64,
    /// Because of the time.
    pub older: u64,
    /// Because it is no receipt file whatever its name.
    pub passed: Passed,
}

/// The names of one folder, sorted, in one piece: each ends with a zero, a folder's with `/` before it.
pub struct Names {
    /// The folder.
    pub path: PathBuf,
    /// The folder itself; `None` when too many are open: then whole paths are used.
    pub fd: Option<OwnedFd>,
    text: Vec<u8>,
    pub starts: Vec<u32>,
}

impl Names {
    /// The name at a position, and whether it is a folder's.
    pub fn get(&self, position: usize) -> Option<(&Path, bool)> {
        let start = usize::try_from(*self.starts.get(position)?).ok()?;
        let rest = self.text.get(start..)?;
        let name = rest.get(..memchr::memchr(0, rest)?)?;
        let folder = name.strip_suffix(b"/");
        let name = folder.unwrap_or(name);
        Some((Path::new(std::ffi::OsStr::from_bytes(name)), folder.is_some()))
    }

    /// Reads a folder's names; the second value counts what is left out because of its name.
    pub fn read(
        path: PathBuf,
        within: Option<(BorrowedFd<'_>, &Path)>,
        keep: bool,
        rule: Rule,
    ) -> Result<(Names, Left), Errno> {
        let mut flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC | OFlags::NONBLOCK;
        let named = within.is_none();
        if !named {
            flags |= OFlags::NOFOLLOW;
        }
        let (folder, name) = within.unwrap_or((CWD, &path));
        let fd = rustix::io::retry_on_intr(|| rustix::fs::openat(folder, name, flags, Mode::empty()))?;
        let mut listed = Listed::new(Arc::from(Path::new("")), 0, rustix::fs::Dir::read_from(&fd)?);
        let mut text = Vec::new();
        // The first bytes decide most comparisons without a look at the text.
        let mut order: Vec<(u64, u32)> = Vec::new();
        let mut left = Left::default();
        while let Some(entry) = listed.next(|_, fd, name, kind| {
            let folder = matches!(kind, Entry::Folder);
            let file = matches!(kind, Entry::File);
            let taken = folder || (file && is_receipt_name(name, rule.all));
            if !taken {
                left.skipped += u64::from(file);
                return;
            }
            if file && rule.since.is_some_and(|since| is_older(fd, name, since)) {
                left.older += 1;
                return;
            }
            // Four GiB of names in one folder are beyond what memory is promised for.
            let Ok(start) = u32::try_from(text.len()) else { return };
            text.extend_from_slice(name.as_bytes());
            text.extend_from_slice(if folder { b"/\0" } else { b"\0" });
            let mut first = [0; 8];
            for (to, from) in first.iter_mut().zip(text.iter().skip(start as usize)) {
                *to = *from;
            }
            order.push((u64::from_be_bytes(first), start));
        }) {
            entry?;
        }
        left.passed = listed.passed;
        let name_at = |start: u32| {
            let rest = text.get(start as usize..).unwrap_or_default();
            rest.get(..memchr::memchr(0, rest).unwrap_or(0)).unwrap_or_default()
        };
        order.sort_unstable_by(|a, b| a.0.cmp(&b.0).then_with(|| name_at(a.1).cmp(name_at(b.1))));
        let starts = order.into_iter().map(|(_, start)| start).collect();
        Ok((Names { path, fd: keep.then_some(fd), text, starts }, left))
    }
}
