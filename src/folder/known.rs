//! What the folder thread remembers: one small entry a file, found by a keyed hash of its path; no path is kept twice.

use std::collections::HashMap;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::sync::Arc;

use super::read::FolderIdentity;
use crate::record::{FileNo, Stamp};

/// Marks of a file.
pub mod mark {
    /// A look at it is asked for or under way.
    pub const QUEUED: u8 = 1;
    /// Something happened to it since that look was asked for.
    pub const AGAIN: u8 = 2;
    /// The consumer has been told of it.
    pub const SHOWN: u8 = 4;
    /// It is gone.
    pub const GONE: u8 = 8;
    /// It is being written: its timer decides when it is read.
    pub const WRITING: u8 = 16;
    /// Its stamp may not move with the next change (see [`super::super::read::is_racy`]).
    pub const RACY: u8 = 32;
    /// The next look is made whatever the stamp.
    pub const FORCED: u8 = 64;
}

/// One file.
#[derive(Clone, Copy, Debug)]
pub struct File {
    /// Keyed hash of its path.
    key: u64,
    /// Keyed hash of the stamp its verdict was made from; 0 when it has none.
    pub stamp: u64,
    /// Its folder's number.
    pub folder: u32,
    /// The listing that saw it last (24 bits), and its marks.
    seen_and_marks: u32,
}

impl File {
    /// Whether any of these marks is set.
    pub fn is(&self, marks: u8) -> bool {
        self.seen_and_marks & u32::from(marks) != 0
    }

    /// Sets marks.
    pub fn set(&mut self, marks: u8) {
        self.seen_and_marks |= u32::from(marks);
    }

    /// Clears marks.
    pub fn clear(&mut self, marks: u8) {
        self.seen_and_marks &= !u32::from(marks);
    }

    /// The listing that saw it last.
    pub fn seen(&self) -> u32 {
        self.seen_and_marks >> 8
    }

    fn see(&mut self, listing: u32) {
        self.seen_and_marks = (listing << 8) | (self.seen_and_marks & 0xff);
    }
}

/// One folder at or below the root.
#[derive(Clone, Debug)]
pub struct Folder {
    /// Its path, below the root as it was given.
    pub path: Arc<Path>,
    /// The folder it is in; `None` for the root.
    pub parent: Option<u32>,
    /// The listing that listed it last.
    pub listed: u32,
    /// The last listing of it failed: what was known of it stays.
    pub failed: bool,
    /// It is not there any more.
    pub gone: bool,
    /// What it was when it was last listed.
    pub identity: FolderIdentity,
    /// Files in it that are there.
    pub files: u32,
}

const EMPTY: u32 = u32::MAX;

/// The tables.
pub struct Known {
    hasher: RandomState,
    files: Vec<File>,
    /// Open addressing over `files`, a power of two long.
    index: Vec<u32>,
    folders: Vec<Folder>,
    folder_index: HashMap<u64, u32>,
    listing: u32,
    there: u64,
}

impl Known {
    /// Nothing known yet.
    pub fn new() -> Known {
        Known {
            hasher: RandomState::new(),
            files: Vec::new(),
            index: vec![EMPTY; 1024],
            folders: Vec::new(),
            folder_index: HashMap::new(),
            listing: 1,
            there: 0,
        }
    }

    /// The key of the file `name` in `folder`.
    pub fn key(&self, folder: &Path, name: &[u8]) -> u64 {
        let mut hasher = self.hasher.build_hasher();
        hasher.write(folder.as_os_str().as_bytes());
        hasher.write_u8(b'/');
        hasher.write(name);
        hasher.finish()
    }

    /// What stands for a stamp; never 0.
    pub fn print(&self, stamp: &Stamp) -> u64 {
        self.hasher.hash_one(stamp).max(1)
    }

    /// A new listing begins; its number.
    pub fn next_listing(&mut self) -> u32 {
        self.listing = (self.listing + 1) & 0x00ff_ffff;
        self.listing
    }

    /// The current listing's number.
    pub fn listing(&self) -> u32 {
        self.listing
    }

    fn slot(&self, key: u64) -> usize {
        // The low bits choose: the hash is keyed and even.
        usize::try_from(key & (self.index.len() as u64 - 1)).unwrap_or(0)
    }

    /// The file with this key.
    pub fn find(&self, key: u64) -> Option<FileNo> {
        let mut slot = self.slot(key);
        loop {
            let no = *self.index.get(slot)?;
            if no == EMPTY {
                return None;
            }
            if self.files.get(no as usize).is_some_and(|file| file.key == key) {
                return Some(FileNo(no));
            }
            slot = (slot + 1) & (self.index.len() - 1);
        }
    }

    /// Adds a file that is not known yet, seen by the current listing.
    pub fn add(&mut self, key: u64, folder: u32) -> FileNo {
        if (self.files.len() + 1) * 4 > self.index.len() * 3 {
            self.index = vec![EMPTY; self.index.len() * 2];
            for no in 0..self.files.len() {
                self.place(no);
            }
        }
        let no = self.files.len();
        self.files.push(File { key, stamp: 0, folder, seen_and_marks: self.listing << 8 });
        self.place(no);
        self.count(folder, true);
        FileNo(u32::try_from(no).unwrap_or(EMPTY - 1))
    }

    fn place(&mut self, no: usize) {
        let Some(key) = self.files.get(no).map(|file| file.key) else { return };
        let mut slot = self.slot(key);
        while self.index.get(slot).is_some_and(|taken| *taken != EMPTY) {
            slot = (slot + 1) & (self.index.len() - 1);
        }
        if let Some(free) = self.index.get_mut(slot) {
            *free = u32::try_from(no).unwrap_or(EMPTY - 1);
        }
    }

    fn count(&mut self, folder: u32, more: bool) {
        if let Some(folder) = self.folders.get_mut(folder as usize) {
            folder.files = if more { folder.files + 1 } else { folder.files.saturating_sub(1) };
        }
        self.there = if more { self.there + 1 } else { self.there.saturating_sub(1) };
    }

    /// One file.
    pub fn file(&mut self, no: FileNo) -> Option<&mut File> {
        self.files.get_mut(no.0 as usize)
    }

    /// Notes that a file is there, as of the current listing. True when it had been gone.
    pub fn see(&mut self, no: FileNo) -> bool {
        let listing = self.listing;
        let Some(file) = self.files.get_mut(no.0 as usize) else { return false };
        file.see(listing);
        let back = file.is(mark::GONE);
        if back {
            file.clear(mark::GONE);
            file.stamp = 0;
            let folder = file.folder;
            self.count(folder, true);
        }
        back
    }

    /// Notes that a file is gone. True when the consumer has to be told.
    pub fn lose(&mut self, no: FileNo) -> bool {
        let Some(file) = self.files.get_mut(no.0 as usize) else { return false };
        if file.is(mark::GONE) {
            return false;
        }
        let shown = file.is(mark::SHOWN);
        file.clear(mark::WRITING | mark::RACY | mark::FORCED);
        file.set(mark::GONE);
        if file.is(mark::QUEUED) {
            // The look under way may have been faster than the removal.
            file.set(mark::AGAIN);
        }
        file.stamp = 0;
        let folder = file.folder;
        self.count(folder, false);
        shown
    }

    /// Files that are there.
    pub fn there(&self) -> u64 {
        self.there
    }

    /// The numbers of all files that are there and meet a condition.
    pub fn select(&self, mut wanted: impl FnMut(&File) -> bool) -> Vec<FileNo> {
        let mut found = Vec::new();
        for (no, file) in self.files.iter().enumerate() {
            if !file.is(mark::GONE) && wanted(file) {
                found.push(FileNo(u32::try_from(no).unwrap_or(EMPTY - 1)));
            }
        }
        found
    }

    /// The folder at `path`, if it is known.
    pub fn find_folder(&self, path: &Path) -> Option<u32> {
        self.folder_index.get(&self.key(path, b"")).copied()
    }

    /// The folder at `path`, made known if it is not.
    pub fn add_folder(&mut self, path: &Path) -> u32 {
        let key = self.key(path, b"");
        if let Some(no) = self.folder_index.get(&key) {
            return *no;
        }
        let parent = path.parent().and_then(|parent| self.find_folder(parent));
        let no = u32::try_from(self.folders.len()).unwrap_or(EMPTY);
        self.folders.push(Folder {
            path: Arc::from(path),
            parent,
            listed: 0,
            failed: false,
            gone: false,
            identity: (0, 0, 0),
            files: 0,
        });
        self.folder_index.insert(key, no);
        no
    }

    /// One folder.
    pub fn folder(&mut self, no: u32) -> Option<&mut Folder> {
        self.folders.get_mut(no as usize)
    }

    /// Forgets which folders were watched.
    pub fn forget_identities(&mut self) {
        for folder in &mut self.folders {
            folder.identity = (0, 0, 0);
        }
    }

    /// For each folder, whether the listing `listing` proves that what it did not see there is gone: the folder was
    /// listed, or it is itself missing from a folder that was.
    pub fn proven(&self, listing: u32) -> Vec<bool> {
        let mut proven: Vec<bool> = Vec::with_capacity(self.folders.len());
        // A folder comes after the folder it is in.
        for folder in &self.folders {
            let by_parent = folder.parent.is_some_and(|parent| proven.get(parent as usize) == Some(&true));
            proven.push(if folder.listed == listing { !folder.failed } else { by_parent });
        }
        proven
    }

    /// Notes that a folder and all below it are gone; the files that were there.
    pub fn lose_folders(&mut self, lost: &[u32]) -> Vec<FileNo> {
        let mut gone = vec![false; self.folders.len()];
        for no in lost {
            if let Some(folder) = gone.get_mut(*no as usize) {
                *folder = true;
            }
        }
        let mut files = 0u64;
        for (no, folder) in self.folders.iter_mut().enumerate() {
            let inside = folder.parent.is_some_and(|parent| gone.get(parent as usize) == Some(&true));
            let Some(is) = gone.get_mut(no) else { continue };
            *is |= inside;
            if *is {
                files += u64::from(folder.files);
                folder.gone = true;
                folder.identity = (0, 0, 0);
            }
        }
        if files == 0 {
            return Vec::new();
        }
        self.select(|file| gone.get(file.folder as usize) == Some(&true))
    }
}
