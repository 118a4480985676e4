//! What the thread does about single files: hints, answers of the workers, files that are being written.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use rustix::fs::{FileType, Stat};
use rustix::io::Errno;

use super::file::{Ending, Part, Read};
use super::inbox::{Job, News};
use super::known::mark;
use super::read::{At, QUIET, YOUNG, age, stamp_of};
use super::scan::{is_hidden, is_receipt_name, was_modified_before};
use super::thread::Thread;
use crate::record::{Change, FileNo, FileRead, Stamp};

/// A file that has to be looked at again.
pub struct Waiting {
    path: Arc<Path>,
    /// What it was at the last look, and since when it has been that by this machine's steady clock.
    stamp: Stamp,
    since: Instant,
    /// When to look again.
    due: Instant,
    /// It held still, and its text (or last line) is cut off.
    cut: bool,
}

impl Thread {
    /// The file at a path as the consumer knows it.
    pub(super) fn find(&self, path: &Path) -> Option<FileNo> {
        if self.root.only.is_some() {
            return self.known.find(self.known.key(path, b""));
        }
        self.known.find(self.known.key(path.parent()?, path.file_name()?.as_bytes()))
    }

    /// Something happened at this path (absolute, as the watcher says it).
    pub(super) fn hinted(&mut self, path: &Path, finished: bool) {
        if self.root.is_away() {
            return;
        }
        if self.root.only.is_some() {
            return self.look_at_only(finished, false);
        }
        let Ok(below) = path.strip_prefix(&self.root.absolute) else { return };
        if below.iter().any(is_hidden) {
            return;
        }
        let path = self.root.folder.join(below);
        self.look(&path, finished);
    }

    /// Looks what stands at a path below the root.
    fn look(&mut self, path: &Path, finished: bool) {
        let (Some(parent), Some(name)) = (path.parent(), path.file_name()) else { return };
        let stat = At::path(path).look();
        let kind = stat.as_ref().map(|stat| FileType::from_raw_mode(stat.st_mode));
        let file = self.find(path);
        match (stat, kind) {
            (Ok(stat), Ok(FileType::RegularFile)) => {
                if let Some(folder) = self.known.find_folder(path) {
                    self.lost_folders.push(folder);
                }
                if !is_receipt_name(name, self.setup.watching.all) {
                    return;
                }
                let since = self.setup.watching.since;
                if file.is_none() && since.is_some_and(|since| was_modified_before(&stat, since)) {
                    return;
                }
                let Some(folder) = self.known.find_folder(parent) else {
                    // Its folder has not been listed yet.
                    self.partial.folders.push(parent.to_owned());
                    return;
                };
                let since = self.setup.watching.since;
                if file.is_none() && since.is_some_and(|since| stamp_of(&stat).mtime < since) {
                    return;
                }
                let file = file.unwrap_or_else(|| self.known.add(self.known.key(parent, name.as_bytes()), folder));
                self.seen(file, path, &stat, finished);
            }
            (Ok(_), Ok(FileType::Directory)) => {
                self.lose(file);
                self.partial.folders.push(path.to_owned());
            }
            (Ok(_), _) => {
                self.lose(file);
                self.lost_folders.extend(self.known.find_folder(path));
            }
            // It is there as far as anyone can tell, and may not be looked at.
            (Err(Errno::ACCESS | Errno::IO | Errno::STALE), _) => {}
            (Err(_), _) => {
                let folder = self.known.find_folder(path);
                if (file.is_some() || folder.is_some()) && self.root_holds() {
                    self.lose(file);
                    self.lost_folders.extend(folder);
                }
            }
        }
    }

    /// Whether the root is still there; if not, nothing below it is lost: the folder is offline.
    fn root_holds(&mut self) -> bool {
        if self.root_now() == self.root.identity && self.root.identity.is_some() {
            return !self.root.shut;
        }
        self.check_root();
        false
    }

    /// A file is gone, if it was known.
    pub(super) fn lose(&mut self, file: Option<FileNo>) {
        let Some(file) = file else { return };
        self.waiting.remove(&file);
        self.tails.remove(&file);
        if self.known.lose(file) {
            self.change(Change::Removed { file });
        }
    }

    /// The folders found to be gone, with everything below them.
    pub(super) fn drop_lost_folders(&mut self) {
        if self.lost_folders.is_empty() {
            return;
        }
        let lost = std::mem::take(&mut self.lost_folders);
        for file in self.known.lose_folders(&lost) {
            self.lose(Some(file));
        }
    }

    /// A file is there: read it if it is not what it was.
    pub(super) fn seen(&mut self, no: FileNo, path: &Path, stat: &Stat, finished: bool) {
        let stamp = stamp_of(stat);
        let print = self.known.print(&stamp);
        self.known.see(no);
        let Some(file) = self.known.file(no) else { return };
        if file.is(mark::QUEUED) {
            return file.set(mark::AGAIN);
        }
        if file.is(mark::WRITING) {
            let due = if finished { Instant::now() } else { Instant::now() + QUIET };
            if let Some(waiting) = self.waiting.get_mut(&no) {
                waiting.due = due;
            }
            self.wait_until(due);
            return;
        }
        if file.stamp == print && !file.is(mark::FORCED) {
            if !file.is(mark::RACY) {
                return;
            }
            // It may have changed without its stamp moving.
            self.tails.remove(&no);
        }
        self.queue(no, Arc::from(path), None, None);
    }

    /// Asks for a look at a file.
    pub(super) fn queue(
        &mut self,
        no: FileNo,
        path: Arc<Path>,
        settled: Option<(Stamp, Duration)>,
        listing: Option<u32>,
    ) {
        let Some(file) = self.known.file(no) else { return };
        file.clear(mark::AGAIN | mark::FORCED);
        file.set(mark::QUEUED);
        self.in_flight += 1;
        let tail = if self.tails.is_empty() { None } else { self.tails.get(&no).cloned() };
        let named = self.root.only.is_some();
        self.new_jobs.push(Job { file: no, path, named, settled, tail, listing });
    }

    /// The consumer wants a file read again, or, with `first`, sooner.
    pub(super) fn recheck(&mut self, path: &Path, first: bool) {
        if self.root.only.is_some() {
            return self.look_at_only(true, false);
        }
        if let Some(no) = self.find(path) {
            self.tails.remove(&no);
            if let Some(file) = self.known.file(no) {
                file.set(mark::FORCED);
            }
        }
        let Ok(below) = path.strip_prefix(&self.root.folder) else { return };
        if below.iter().any(is_hidden) {
            return;
        }
        self.look(path, true);
        if first {
            let jobs = std::mem::take(&mut self.new_jobs);
            self.shared.push_jobs(jobs, true);
        }
    }

    /// A worker's answer.
    pub(super) fn heard(&mut self, job: &Job, news: News) {
        let ending = match news {
            News::Part(part) => return self.show(job, part, false),
            News::End(ending) => ending,
        };
        self.in_flight = self.in_flight.saturating_sub(1);
        self.settle_listing(job.listing);
        let Some(file) = self.known.file(job.file) else { return };
        let again = file.is(mark::AGAIN);
        file.clear(mark::QUEUED | mark::AGAIN);
        let mut again = again || file.is(mark::FORCED);
        match ending {
            Ending::Read(read) => again |= self.was_read(job, read),
            Ending::Writing { stamp, cut } => self.is_written(job, stamp, cut),
            Ending::Gone => {
                if self.root.identity.is_some() && self.root_holds() {
                    self.lose(Some(job.file));
                }
            }
            Ending::Special => self.lose(Some(job.file)),
            Ending::Stopped => {}
        }
        if again && !self.root.is_away() {
            if self.root.only.is_some() { self.look_at_only(false, false) } else { self.look(&job.path, false) }
        }
    }

    fn show(&mut self, job: &Job, part: Part, done: bool) {
        if let Some(file) = self.known.file(job.file) {
            file.set(mark::SHOWN);
        }
        let Part { fresh, stamp, records } = part;
        let path = Arc::clone(&job.path);
        self.change(Change::Read(FileRead { file: job.file, path, stamp, fresh, done, records }));
    }

    /// True when it has to be looked at again at once.
    fn was_read(&mut self, job: &Job, read: Read) -> bool {
        let stamp = read.part.stamp;
        let print = self.known.print(&stamp);
        if self.known.file(job.file).is_some_and(|file| file.is(mark::GONE)) {
            self.known.see(job.file);
        }
        if let Some(file) = self.known.file(job.file) {
            file.stamp = print;
            file.clear(mark::WRITING | mark::RACY);
            if read.racy {
                file.set(mark::RACY);
            }
        }
        self.show(job, read.part, true);
        match read.tail {
            Some(tail) => drop(self.tails.insert(job.file, tail)),
            None => drop(self.tails.remove(&job.file)),
        }
        if read.cut {
            self.wait_for(job, stamp, true);
        } else if read.unsure {
            self.wait_for(job, stamp, false);
        } else {
            self.waiting.remove(&job.file);
        }
        read.grown
    }

    fn is_written(&mut self, job: &Job, stamp: Stamp, cut: bool) {
        let Some(file) = self.known.file(job.file) else { return };
        file.stamp = 0;
        if !file.is(mark::WRITING) {
            file.set(mark::WRITING | mark::SHOWN);
            self.change(Change::Writing { file: job.file, path: Arc::clone(&job.path) });
        }
        self.tails.remove(&job.file);
        self.wait_for(job, stamp, cut);
    }

    fn wait_for(&mut self, job: &Job, stamp: Stamp, cut: bool) {
        let now = Instant::now();
        let since = match self.waiting.get(&job.file) {
            Some(before) if before.stamp == stamp => before.since,
            _ => now,
        };
        let due = now + QUIET;
        self.waiting.insert(job.file, Waiting { path: Arc::clone(&job.path), stamp, since, due, cut });
        self.wait_until(due);
    }

    fn wait_until(&mut self, due: Instant) {
        self.next_waiting = Some(self.next_waiting.map_or(due, |next| next.min(due)));
    }

    /// Looks at the files that are being written and have been quiet.
    pub(super) fn look_at_waiting(&mut self, now: Instant) {
        self.next_waiting = None;
        let due: Vec<FileNo> = self.waiting.iter().filter(|(_, w)| w.due <= now).map(|(no, _)| *no).collect();
        for no in due {
            let Some(waiting) = self.waiting.get_mut(&no) else { continue };
            waiting.due = now + QUIET;
            let (path, stamp, since, cut) = (Arc::clone(&waiting.path), waiting.stamp, waiting.since, waiting.cut);
            if self.known.file(no).is_some_and(|file| file.is(mark::QUEUED)) || self.root.is_away() {
                continue;
            }
            let at = if self.root.only.is_some() { At::named(&path) } else { At::path(&path) };
            let Ok(stat) = at.look() else {
                if self.root_holds() {
                    self.lose(Some(no));
                }
                continue;
            };
            let now_stamp = stamp_of(&stat);
            let settled = (now_stamp == stamp).then(|| (stamp, now.duration_since(since)));
            if !cut || settled.is_none() {
                self.queue(no, path, settled, None);
            } else if now.duration_since(since) >= YOUNG || age(&stamp).is_some_and(|age| age >= YOUNG) {
                self.queue(no, path, Some((stamp, YOUNG)), None);
            } else if !self.is_polling() {
                // A change would be told; until then only time can pass.
                let by_clock = YOUNG.saturating_sub(now.duration_since(since));
                let by_age = YOUNG.saturating_sub(age(&stamp).unwrap_or(Duration::ZERO));
                if let Some(waiting) = self.waiting.get_mut(&no) {
                    waiting.due = now + by_clock.min(by_age) + Duration::from_millis(1);
                }
            }
        }
        self.next_waiting = self.waiting.values().map(|waiting| waiting.due).min();
    }

    /// Looks at the single file that was given as root.
    pub(super) fn look_at_only(&mut self, finished: bool, quiet: bool) {
        let Some(path) = self.root.only.clone() else { return };
        let key = self.known.key(&path, b"");
        let no = self.known.find(key);
        match At::named(&path).look() {
            Ok(stat) if FileType::from_raw_mode(stat.st_mode) == FileType::RegularFile => {
                let no = no.unwrap_or_else(|| {
                    let folder = self.known.add_folder(&PathBuf::from(OsStr::new("")));
                    self.known.add(key, folder)
                });
                // The regular look must not postpone a file that is being written.
                if quiet && self.known.file(no).is_some_and(|file| file.is(mark::WRITING | mark::QUEUED | mark::RACY)) {
                    return;
                }
                self.seen(no, &path, &stat, finished);
            }
            _ => self.lose(no),
        }
    }
}
