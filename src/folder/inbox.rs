//! Where the watcher, the workers and the handle leave things for the folder thread, and it for the workers.

use std::collections::{HashMap, HashSet, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::file::{Ending, Part};
use super::lines::Tail;
use crate::record::{Command, FileNo, Stamp};

/// Hints kept one by one; beyond this, "something changed somewhere" is as good and smaller.
const HINTS: usize = 200_000;

/// Records (and files) that may wait to be taken by the folder thread before the workers pause.
const DONE: usize = 4096;

/// A file to look at.
pub struct Job {
    /// Which.
    pub file: FileNo,
    /// Where.
    pub path: Arc<Path>,
    /// Whether the path itself was named by the user: links are followed.
    pub named: bool,
    /// See [`super::file::Ask::settled`].
    pub settled: Option<(Stamp, Duration)>,
    /// Read on from here.
    pub tail: Option<Box<Tail>>,
    /// Asked for by the full listing with this number.
    pub listing: Option<u32>,
}

/// What came of a job.
pub enum News {
    /// Records before the end.
    Part(Part),
    /// The end.
    End(Ending),
}

/// Answers and questions. Locked for moments only: the watcher's thread must never wait.
#[derive(Default)]
pub struct Inbox {
    /// Paths something happened to, and whether what happened was its end (a rename, a close after writing).
    pub hints: HashMap<PathBuf, bool>,
    /// When the first of them came, and whether one of them is in the middle of something.
    pub first_hint: Option<Instant>,
    pub unfinished: bool,
    /// Events were lost.
    pub everything: bool,
    /// Something happened to the root itself.
    pub root: bool,
    /// What the consumer asked.
    pub commands: Vec<Command>,
    /// Files to look at, in order.
    pub jobs: VecDeque<Job>,
    /// Files looked at.
    pub done: Vec<(Arc<Job>, News)>,
    done_weight: usize,
    woken: bool,
    /// Everyone ends.
    pub stop: bool,
}

/// The inbox and who waits for it.
#[derive(Default)]
pub struct Shared {
    inbox: Mutex<Inbox>,
    for_thread: Condvar,
    for_workers: Condvar,
}

impl std::fmt::Debug for Shared {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Shared")
    }
}

impl Shared {
    /// The inbox, locked.
    pub fn lock(&self) -> MutexGuard<'_, Inbox> {
        self.inbox.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wake(&self, mut inbox: MutexGuard<'_, Inbox>) {
        inbox.woken = true;
        drop(inbox);
        self.for_thread.notify_one();
    }

    /// Something happened at a path.
    pub fn hint(&self, path: PathBuf, finished: bool) {
        let mut inbox = self.lock();
        if inbox.everything {
            return;
        }
        if inbox.hints.len() >= HINTS {
            inbox.hints = HashMap::new();
            inbox.first_hint = None;
            inbox.everything = true;
            return self.wake(inbox);
        }
        let seen = inbox.hints.entry(path).or_insert(false);
        *seen |= finished;
        let first = inbox.first_hint.is_none();
        let calm = !inbox.unfinished;
        inbox.unfinished |= !finished;
        if first {
            inbox.first_hint = Some(Instant::now());
        }
        if first || calm {
            self.wake(inbox);
        }
    }

    /// Events were lost: only a full listing tells what happened.
    pub fn everything(&self) {
        let mut inbox = self.lock();
        inbox.everything = true;
        self.wake(inbox);
    }

    /// Something happened to the root itself.
    pub fn root(&self) {
        let mut inbox = self.lock();
        inbox.root = true;
        self.wake(inbox);
    }

    /// The consumer asks.
    pub fn command(&self, command: Command) {
        let mut inbox = self.lock();
        if command == Command::Stop {
            inbox.stop = true;
            self.for_workers.notify_all();
        }
        inbox.commands.push(command);
        self.wake(inbox);
    }

    /// The folder thread waits until something comes or the time is up.
    pub fn wait(&self, atmost: Duration) {
        let inbox = self.lock();
        let waited = self.for_thread.wait_timeout_while(inbox, atmost, |inbox| !inbox.woken);
        let (mut inbox, _) = waited.unwrap_or_else(PoisonError::into_inner);
        inbox.woken = false;
    }

    /// Takes everything the workers have finished.
    pub fn take_done(&self) -> Vec<(Arc<Job>, News)> {
        let mut inbox = self.lock();
        let full = inbox.done_weight >= DONE;
        inbox.done_weight = 0;
        let done = std::mem::take(&mut inbox.done);
        drop(inbox);
        if full {
            self.for_workers.notify_all();
        }
        done
    }

    /// Gives the workers files to look at.
    pub fn push_jobs(&self, jobs: Vec<Job>, first: bool) {
        let mut inbox = self.lock();
        for job in jobs {
            if first { inbox.jobs.push_front(job) } else { inbox.jobs.push_back(job) }
        }
        drop(inbox);
        self.for_workers.notify_all();
    }

    /// Brings the jobs for these files to the front.
    pub fn prefer(&self, files: &HashSet<FileNo>) {
        let mut inbox = self.lock();
        let (first, rest): (VecDeque<Job>, VecDeque<Job>) =
            std::mem::take(&mut inbox.jobs).into_iter().partition(|job| files.contains(&job.file));
        inbox.jobs = first;
        inbox.jobs.extend(rest);
    }

    /// Ends everyone.
    pub fn stop(&self) {
        self.lock().stop = true;
        self.for_workers.notify_all();
        self.for_thread.notify_all();
    }

    /// A worker's next jobs; it waits for them, and while too much is waiting to be taken. What it still holds is handed
    /// over before it waits. `idle` is called once before a longer wait. `None`: end.
    pub fn next_jobs(&self, workers: usize, held: &mut Vec<(Arc<Job>, News)>, idle: impl FnOnce()) -> Option<Vec<Job>> {
        let mut idle = Some(idle);
        let mut inbox = self.lock();
        loop {
            if inbox.stop {
                return None;
            }
            if inbox.done_weight < DONE && !inbox.jobs.is_empty() {
                // Small shares while there is little: all workers end together, and the first rows come soon.
                let share = (inbox.jobs.len() / (workers * 4)).clamp(1, 32);
                let share = share.min(inbox.jobs.len());
                return Some(inbox.jobs.drain(..share).collect());
            }
            if !held.is_empty() {
                inbox.take_in(held);
                self.wake(inbox);
                inbox = self.lock();
                continue;
            }
            match idle.take().filter(|_| inbox.jobs.is_empty()) {
                Some(idle) => {
                    drop(inbox);
                    idle();
                    inbox = self.lock();
                }
                None => inbox = self.for_workers.wait(inbox).unwrap_or_else(PoisonError::into_inner),
            }
        }
    }

    /// A worker has finished something. False: end.
    pub fn push_done(&self, news: &mut Vec<(Arc<Job>, News)>) -> bool {
        if news.is_empty() {
            return true;
        }
        let mut inbox = self.lock();
        while inbox.done_weight >= DONE && !inbox.stop {
            inbox = self.for_workers.wait(inbox).unwrap_or_else(PoisonError::into_inner);
        }
        inbox.take_in(news);
        let go_on = !inbox.stop;
        self.wake(inbox);
        go_on
    }
}

impl Inbox {
    fn take_in(&mut self, news: &mut Vec<(Arc<Job>, News)>) {
        self.done_weight += news.iter().map(|(_, news)| weight(news)).sum::<usize>();
        self.done.append(news);
    }
}

fn weight(news: &News) -> usize {
    match news {
        News::Part(part) => part.records.len() + 1,
        News::End(Ending::Read(read)) => read.part.records.len() + 1,
        News::End(_) => 1,
    }
}
