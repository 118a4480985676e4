//! Full and partial listings, in steps: the one way files are found that no event told about.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::os::fd::AsFd;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use rustix::fs::AtFlags;
use rustix::io::Errno;

use super::known::mark;
use super::read::{folder_identity, io_fault, stamp_of};
use super::scan::{Entry, Listed, Listing, is_older, is_receipt_name, open_folder};
use super::thread::{QUEUE, Thread};
use super::watch::{Failed, silent};
use crate::aer1::report::{Fault, Place, Report};
use crate::record::{Change, Event, FileNo, FileRead, Passed, Scan, ScanReason, Stamp};

/// Entries handled in one step.
const STEP: usize = 1024;
/// How often progress is told.
const PROGRESS: Duration = Duration::from_millis(100);

/// A full listing that is asked for.
#[derive(Clone, Copy, Debug)]
pub struct Wanted {
    reason: ScanReason,
    /// Read everything, whatever the stamps.
    force: bool,
}

/// A full listing under way.
pub struct Full {
    wanted: Wanted,
    number: u32,
    listing: Listing,
    /// The listing itself is over; files it found are still being read.
    listed: bool,
    began: Instant,
    /// Time spent listing.
    spent: Duration,
    found: u64,
    skipped: u64,
    passed: Passed,
    outstanding: u64,
}

/// Which listing an entry was found by.
#[derive(Clone, Copy)]
struct By {
    full: Option<Wanted>,
}

impl Thread {
    /// Asks for a full listing; one that is under way is finished first.
    pub(super) fn want_full(&mut self, reason: ScanReason, force: bool) {
        if self.root.is_away() {
            return;
        }
        let force = force || self.wanted.is_some_and(|wanted| wanted.force);
        self.wanted = Some(Wanted { reason, force });
    }

    /// Begins a full listing.
    pub(super) fn begin_full(&mut self, reason: ScanReason, force: bool) {
        let number = self.known.next_listing();
        let listing = Listing { folders: vec![self.root.folder.clone()], current: None };
        self.next_full = None;
        self.full = Some(Full {
            wanted: Wanted { reason, force },
            number,
            listing,
            listed: false,
            began: Instant::now(),
            spent: Duration::ZERO,
            found: 0,
            skipped: 0,
            passed: Passed::default(),
            outstanding: 0,
        });
    }

    /// Forgets the listings under way: the root is gone.
    pub(super) fn abandon_listing(&mut self) {
        self.full = None;
        self.wanted = None;
        self.next_full = None;
        self.partial = Listing::default();
        self.lost_folders.clear();
    }

    /// A file the listing `number` found has been read.
    pub(super) fn settle_listing(&mut self, number: Option<u32>) {
        if let Some(full) = self.full.as_mut().filter(|full| Some(full.number) == number) {
            full.outstanding = full.outstanding.saturating_sub(1);
        }
    }

    /// One step of listing; zero when there is more to do at once.
    pub(super) fn list_some(&mut self) -> Duration {
        let began = Instant::now();
        let mut left = STEP;
        while left > 0 && !self.partial.is_over() {
            let mut partial = std::mem::take(&mut self.partial);
            self.step(&mut partial, By { full: None });
            // What was found meanwhile comes on top.
            partial.folders.append(&mut self.partial.folders);
            self.partial = if self.root.is_away() { Listing::default() } else { partial };
            left -= 1;
        }
        if self.full.is_none()
            && let Some(wanted) = self.wanted.take()
        {
            self.begin_full(wanted.reason, wanted.force);
        }
        let Some(mut full) = self.full.take() else {
            return if self.partial.is_over() { Duration::MAX } else { Duration::ZERO };
        };
        let wanted = full.wanted;
        let jobs = self.new_jobs.len();
        while left > 0 && !full.listing.is_over() && self.in_flight < QUEUE {
            self.step(&mut full.listing, By { full: Some(wanted) }).count(&mut full);
            left -= 1;
        }
        let over = full.listing.is_over();
        let just = over && !full.listed;
        if just && self.root.only.is_some() {
            full.found = 1;
            self.list_only(wanted.force);
        }
        for job in self.new_jobs.iter_mut().skip(jobs) {
            job.listing = Some(full.number);
            full.outstanding += 1;
        }
        full.spent += began.elapsed();
        full.listed |= over;
        let number = full.number;
        if self.root.is_away() {
            // The root went away, or was found to be shut, during this step.
            return Duration::ZERO;
        }
        self.full = Some(full);
        if just {
            self.drop_unseen(number);
        }
        self.tell_progress();
        self.end_full();
        match &self.full {
            Some(full) if !full.listed && self.in_flight < QUEUE => Duration::ZERO,
            _ if !self.partial.is_over() || (self.full.is_none() && self.wanted.is_some()) => Duration::ZERO,
            _ => Duration::MAX,
        }
    }

    fn tell_progress(&mut self) {
        let Some(full) = &self.full else { return };
        let worth = full.wanted.reason == ScanReason::Start || full.outstanding > 0;
        if worth && self.last_progress.elapsed() >= PROGRESS {
            self.last_progress = Instant::now();
            let (done, total) = (full.found.saturating_sub(full.outstanding), full.found);
            self.tell(Event::Progress { done, total });
        }
    }

    fn end_full(&mut self) {
        let Some(full) = self.full.take_if(|full| full.listed && full.outstanding == 0) else { return };
        self.tell(Event::Scanned(Scan {
            at: SystemTime::now(),
            took: full.began.elapsed(),
            files: self.known.there(),
            skipped: full.skipped,
            passed: full.passed,
            reason: full.wanted.reason,
        }));
        self.schedule_full(full.spent);
    }

    fn list_only(&mut self, force: bool) {
        if force
            && let Some(no) = self.root.only.clone().and_then(|path| self.find(&path))
            && let Some(file) = self.known.file(no)
        {
            file.set(mark::FORCED);
        }
        self.look_at_only(true, false);
    }

    /// Opens the next folder, or handles the next entry of the open one.
    fn step(&mut self, listing: &mut Listing, by: By) -> Counted {
        let Some(mut current) = listing.current.take() else {
            if self.root.only.is_some() {
                listing.folders.clear();
            } else if let Some(path) = listing.folders.pop() {
                listing.current = self.enter(&path, by);
            }
            return Counted::Nothing;
        };
        let number = current.number;
        let folders = &mut listing.folders;
        match current.next(|folder, fd, name, kind| self.entry(folder, number, fd, name, kind, by, folders)) {
            Some(Ok(counted)) => {
                listing.current = Some(current);
                counted
            }
            Some(Err(error)) => {
                self.folder_failed(number, &current.path, error);
                Counted::Nothing
            }
            None => Counted::Passed(current.passed),
        }
    }

    /// Opens a folder, watches it, and only then lists it: what comes in between is told by an event.
    fn enter(&mut self, path: &Path, by: By) -> Option<Listed> {
        let is_root = path == self.root.folder;
        let number = self.known.add_folder(path);
        let listing = self.known.listing();
        let opened = open_folder(path, is_root).and_then(|dir| {
            let identity = folder_identity(dir.fd()?)?;
            Ok((identity, dir))
        });
        let (identity, dir) = match opened {
            Ok(opened) => opened,
            Err(Errno::NOENT | Errno::NOTDIR | Errno::LOOP) => {
                if by.full.is_none() {
                    self.lost_folders.push(number);
                    self.drop_lost_folders();
                }
                return None;
            }
            Err(error) => {
                self.folder_failed(number, path, error);
                return None;
            }
        };
        let mut replaced = false;
        let mut new = true;
        if let Some(folder) = self.known.folder(number) {
            new = folder.identity != identity;
            replaced = new && folder.identity != (0, 0, 0) && folder.files > 0;
            folder.identity = identity;
            let failed = std::mem::replace(&mut folder.failed, false);
            (folder.listed, folder.gone) = (listing, false);
            if failed && !is_root {
                // The row that said why it could not be listed.
                self.lose(self.known.find(self.known.key(path, b"")));
            }
        }
        if replaced && by.full.is_none() {
            // Another folder in its place: what is missing in it shows in a full listing.
            self.want_full(ScanReason::Resync, false);
        }
        if self.checked_devices.insert(identity.0)
            && self.watch.is_some()
            && let Some(name) = dir.statfs().ok().and_then(|stat| silent(&stat))
        {
            self.fall_back(format!("{name} does not tell about changes"));
        }
        if (new || by.full.is_none()) && !is_root {
            let absolute = self.absolute(path);
            if let Some(Err(Failed::Poll(why))) = self.watch.as_mut().map(|watch| watch.folder(&absolute, false)) {
                self.fall_back(why);
            }
        }
        Some(Listed::new(Arc::from(path), number, dir))
    }

    /// The path as the watcher has it.
    fn absolute(&self, path: &Path) -> PathBuf {
        path.strip_prefix(&self.root.folder).map_or_else(|_| path.to_owned(), |below| self.root.absolute.join(below))
    }

    fn folder_failed(&mut self, number: u32, path: &Path, error: Errno) {
        let listing = self.known.listing();
        let Some(folder) = self.known.folder(number) else { return };
        if path == self.root.folder {
            (folder.listed, folder.failed) = (listing, true);
            return self.root_shut(error);
        }
        let news = !folder.failed;
        (folder.listed, folder.failed, folder.gone) = (listing, true, false);
        let path = Arc::clone(&folder.path);
        let fault = io_fault(error);
        let what = fault.found.clone().unwrap_or_default();
        if self.show_folder(number, &path, fault, news) {
            self.tell(Event::Trouble { path, what });
        }
    }

    /// A folder that cannot be listed has a row of its own, in the folder itself, so that it goes with it. True when
    /// the row is new or `news` wants it told again.
    fn show_folder(&mut self, number: u32, path: &Arc<Path>, fault: Fault, news: bool) -> bool {
        let key = self.known.key(path, b"");
        let (file, is_new) = match self.known.find(key) {
            Some(file) => (file, self.known.see(file)),
            None => (self.known.add(key, number), true),
        };
        if let Some(file) = self.known.file(file) {
            file.set(mark::SHOWN);
        }
        if news || is_new {
            let records = vec![Report::of_fault(Place::WHOLE, fault)];
            let (path, stamp) = (Arc::clone(path), Stamp::default());
            self.change(Change::Read(FileRead { file, path, stamp, fresh: true, done: true, records }));
        }
        news || is_new
    }

    #[allow(clippy::too_many_arguments, reason = "one entry, as the folder's iterator hands it over")]
    fn entry(
        &mut self,
        folder: &Path,
        number: u32,
        fd: impl AsFd,
        name: &OsStr,
        kind: Entry,
        by: By,
        folders: &mut Vec<PathBuf>,
    ) -> Counted {
        match kind {
            Entry::Folder => folders.push(folder.join(name)),
            Entry::File if is_receipt_name(name, self.setup.watching.all) => {
                let key = self.known.key(folder, name.as_bytes());
                match self.known.find(key) {
                    Some(no) => self.known_entry(no, folder, fd, name, by),
                    None if self.setup.watching.since.is_some_and(|since| is_older(fd.as_fd(), name, since)) => {
                        return Counted::Skipped;
                    }
                    None => {
                        let no = self.known.add(key, number);
                        self.queue(no, Arc::from(folder.join(name)), None, None);
                    }
                }
                return Counted::Found;
            }
            Entry::File => return Counted::Skipped,
            Entry::Other => {}
        }
        Counted::Nothing
    }

    fn known_entry(&mut self, no: FileNo, folder: &Path, fd: impl AsFd, name: &OsStr, by: By) {
        let force = by.full.is_some_and(|full| full.force);
        self.known.see(no);
        let Some(file) = self.known.file(no) else { return };
        if file.is(mark::QUEUED) {
            if force {
                file.set(mark::FORCED);
            }
            return;
        }
        if file.is(mark::WRITING) {
            return;
        }
        let Ok(stat) = rustix::fs::statat(fd, name, AtFlags::SYMLINK_NOFOLLOW) else { return };
        let print = self.known.print(&stamp_of(&stat));
        let Some(file) = self.known.file(no) else { return };
        // While events come, a change that its stamp does not show is told by one.
        let told = matches!(by.full, Some(Wanted { reason: ScanReason::Heartbeat, .. }));
        let racy = file.is(mark::RACY) && !told;
        if file.stamp == print && !force && !racy {
            return;
        }
        if force || racy {
            self.tails.remove(&no);
        }
        self.queue(no, Arc::from(folder.join(name)), None, None);
    }

    /// Files the listing `number` did not see in folders it did list are gone, unless a second look at their folder
    /// finds them: a name that is renamed over while its folder is read may be passed over.
    fn drop_unseen(&mut self, number: u32) {
        let proven = self.known.proven(number);
        let unseen = |known: &super::known::Known| {
            known.select(|file| {
                file.seen() != number && !file.is(mark::QUEUED) && proven.get(file.folder as usize) == Some(&true)
            })
        };
        let candidates = unseen(&self.known);
        if candidates.is_empty() || self.root.only.is_some() || !self.root_still() {
            return;
        }
        let mut folders = HashSet::new();
        for no in candidates {
            folders.extend(self.known.file(no).map(|file| file.folder));
        }
        for folder in folders {
            let Some(path) = self.known.folder(folder).filter(|f| f.listed == number).map(|f| Arc::clone(&f.path))
            else {
                continue;
            };
            let Ok(dir) = open_folder(&path, *path == *self.root.folder) else { continue };
            let mut listed = Listed::new(path, folder, dir);
            while let Some(Ok(())) = listed.next(|folder, _, name, kind| {
                if let (Entry::File, Some(no)) = (kind, self.known.find(self.known.key(folder, name.as_bytes()))) {
                    self.known.see(no);
                }
            }) {}
        }
        for no in unseen(&self.known) {
            self.lose(Some(no));
        }
    }

    fn root_still(&mut self) -> bool {
        let still = self.root_now().is_some() && self.root_now() == self.root.identity;
        if !still {
            self.check_root();
        }
        still
    }
}

/// What an entry counts as.
enum Counted {
    Nothing,
    Found,
    Skipped,
    /// A folder has been listed, and this was passed over in it.
    Passed(Passed),
}

impl Counted {
    fn count(self, full: &mut Full) {
        match self {
            Counted::Nothing => {}
            Counted::Found => full.found += 1,
            Counted::Skipped => full.skipped += 1,
            Counted::Passed(passed) => full.passed.add(passed),
        }
    }
}
