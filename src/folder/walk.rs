//! Paths verified once, in a stable order, for `aerscope verify`: by path, then by record, as the bytes of the paths
//! compare. Folders are read one at a time, names kept in one piece of memory; files are verified in parallel and
//! handed over in order, with a bounded number under way.

mod names;
mod queue;

use std::ops::ControlFlow;
use std::os::fd::{AsFd, BorrowedFd};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use rustix::fs::CWD;
use rustix::io::Errno;

use super::file::{Ask, Ending, FileVerifier, Part, not_a_file};
use super::lines::Tail;
use super::read::{At, QUIET, YOUNG, age, io_fault, stamp_of};
use super::worker;
use crate::aer1::report::{Class, Fault, Place, Report};
use crate::aer1::verify::Options;
use crate::config::Limits;
use crate::record::{FileNo, FileRead, Passed, Stamp};

use names::{Names, Rule};
use queue::{Held, Queue};

/// How to verify paths.
#[derive(Clone, Debug)]
pub struct Setup {
    /// How to verify.
    pub options: Options,
    /// Limits on what is read.
    pub limits: Limits,
    /// Take every file of a folder, whatever its name (hidden ones excepted).
    pub all: bool,
    /// Leave out files of folders whose time of modification, as the file system states it, is before this moment
    /// (nanoseconds since 1970).
    pub since: Option<i64>,
    /// Worker threads; 0 means as many as there are cores.
    pub workers: usize,
}

/// What came together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Files (and unreadable folders) handed over.
    pub files: u64,
    /// Records in them.
    pub records: u64,
    /// Files in folders left out because of their name.
    pub skipped: u64,
    /// Files in folders left out because of their time.
    pub older: u64,
    /// What is in folders and no receipt file whatever its name.
    pub passed: Passed,
    /// Named paths where there is nothing.
    pub missing: Vec<PathBuf>,
    /// The sink wanted no more.
    pub stopped: bool,
}

/// Files one task holds at most.
const SHARE: usize = 128;
/// Tasks under way for each worker.
const AHEAD: usize = 16;
/// Folders below each other that are kept open.
const OPEN: usize = 64;
/// How often a file that is being written is looked at.
const GLANCE: Duration = Duration::from_millis(50);

/// Verifies every record at these paths. A folder is walked: hidden names skipped, links not followed, names taken by
/// suffix. A named file is read whatever its name. Parts of one file come one after the other. A file that seems to be
/// in the middle of being written is waited for, two seconds at most.
///
/// What `T` keeps of a part is taken from it by the worker that read it: who needs only numbers lets the reports end
/// where they were made.
///
/// # Errors
/// When no thread can be started.
pub fn verify_paths<T: From<FileRead> + Send>(
    paths: &[PathBuf],
    setup: &Setup,
    sink: &mut dyn FnMut(T) -> ControlFlow<()>,
) -> std::io::Result<Summary> {
    let workers = worker::count(setup.workers);
    let queue = Queue::<T>::default();
    let began = Instant::now();
    std::thread::scope(|scope| {
        for n in 0..workers {
            let verifier = FileVerifier::new(setup.options.clone(), setup.limits.max_size);
            let verifier = if workers > 1 { verifier.helped() } else { verifier };
            let worker = Worker { queue: &queue, verifier, began, path: PathBuf::new() };
            let started =
                std::thread::Builder::new().name(format!("verify-{n}")).spawn_scoped(scope, move || worker.run());
            match started {
                Ok(_) => {}
                Err(error) if n == 0 => return Err(error),
                Err(_) => break,
            }
        }
        let walk = Walk {
            rule: Rule { all: setup.all, since: setup.since },
            workers,
            paths: paths.iter(),
            frames: Vec::new(),
            files: 0,
            summary: Summary::default(),
        };
        let summary = queue.hand_over(workers * AHEAD, walk, sink);
        queue.stop();
        Ok(summary)
    })
}

/// Something to verify, in order.
enum Task {
    /// A named file.
    Named(PathBuf),
    /// Files of a folder that stand one after the other.
    Share { names: Arc<Names>, from: usize, to: usize },
    /// Nothing: the report is there already.
    Told { path: PathBuf, report: Box<Report> },
}

/// The walk: what comes next.
struct Walk<'a> {
    rule: Rule,
    workers: usize,
    paths: std::slice::Iter<'a, PathBuf>,
    frames: Vec<(Arc<Names>, usize)>,
    files: u32,
    summary: Summary,
}

impl Walk<'_> {
    /// The next task and the number of its first file.
    fn next(&mut self) -> Option<(u32, Task)> {
        loop {
            let top = self.frames.last().map(|(names, at)| (Arc::clone(names), *at));
            let task = match top {
                None => {
                    let path = self.paths.next()?;
                    self.named(path)
                }
                Some((names, from)) => match names.get(from) {
                    None => {
                        self.frames.pop();
                        None
                    }
                    Some((name, true)) => {
                        self.advance(from + 1);
                        let path = names.path.join(name);
                        match &names.fd {
                            Some(fd) => self.enter(path, Some((fd.as_fd(), name))),
                            None => self.enter(path.clone(), Some((CWD, &path))),
                        }
                    }
                    Some((_, false)) => {
                        // Small shares in small folders: all workers end together.
                        let share = (names.starts.len() / (self.workers * AHEAD)).clamp(1, SHARE);
                        let files = (from..from + share).take_while(|i| names.get(*i).is_some_and(|(_, f)| !f));
                        let to = from + files.count();
                        self.advance(to);
                        Some(Task::Share { names, from, to })
                    }
                },
            };
            if let Some(task) = task {
                let first = self.files;
                let count = if let Task::Share { from, to, .. } = &task { to - from } else { 1 };
                self.files = self.files.saturating_add(u32::try_from(count).unwrap_or(u32::MAX));
                return Some((first, task));
            }
        }
    }

    fn advance(&mut self, to: usize) {
        if let Some((_, at)) = self.frames.last_mut() {
            *at = to;
        }
    }

    fn named(&mut self, path: &Path) -> Option<Task> {
        let told = |report| Some(Task::Told { path: path.to_owned(), report: Box::new(report) });
        match std::fs::metadata(path) {
            Ok(meta) if meta.is_dir() => self.enter(path.components().collect(), None),
            Ok(meta) if meta.is_file() => Some(Task::Named(path.to_owned())),
            Ok(_) => told(not_a_file(path)),
            Err(error) if matches!(error.kind(), std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory) => {
                self.summary.missing.push(path.to_owned());
                None
            }
            Err(error) => {
                let errno = error.raw_os_error().map_or(Errno::IO, Errno::from_raw_os_error);
                told(Report::of_fault(Place::WHOLE, io_fault(errno)))
            }
        }
    }

    fn enter(&mut self, path: PathBuf, within: Option<(BorrowedFd<'_>, &Path)>) -> Option<Task> {
        match Names::read(path.clone(), within, self.frames.len() < OPEN, self.rule) {
            Ok((names, left)) => {
                self.summary.skipped += left.skipped;
                self.summary.older += left.older;
                self.summary.passed.add(left.passed);
                self.frames.push((Arc::new(names), 0));
                None
            }
            // It was removed or became a link meanwhile: nothing to say.
            Err(Errno::NOENT | Errno::NOTDIR | Errno::LOOP) if within.is_some() => None,
            Err(error) => Some(Task::Told { path, report: Box::new(Report::of_fault(Place::WHOLE, io_fault(error))) }),
        }
    }
}

/// A worker's own things.
struct Worker<'a, T> {
    queue: &'a Queue<T>,
    verifier: FileVerifier,
    began: Instant,
    path: PathBuf,
}

impl<T: From<FileRead>> Worker<'_, T> {
    fn run(mut self) {
        let mut reads = Vec::new();
        while let Some((number, no, task)) = self.queue.next() {
            match task {
                Task::Named(path) => {
                    let shared = Arc::from(path.as_path());
                    self.file(number, FileNo(no), &shared, At::named(&path), true, &mut reads);
                }
                Task::Share { names, from, to } => {
                    for (no, position) in (no..).zip(from..to) {
                        let Some((name, _)) = names.get(position) else { break };
                        self.path.clear();
                        self.path.push(&names.path);
                        self.path.push(name);
                        let shared: Arc<Path> = Arc::from(self.path.as_path());
                        let at = match &names.fd {
                            Some(fd) => At { folder: fd.as_fd(), name, follow: false },
                            None => At::path(&shared),
                        };
                        self.file(number, FileNo(no), &shared, at, false, &mut reads);
                    }
                }
                Task::Told { .. } => {}
            }
            if !self.queue.push(number, &mut reads, true) {
                return;
            }
        }
    }

    /// Verifies one file to its end, waiting for one that is being written.
    fn file(&mut self, number: u64, no: FileNo, path: &Arc<Path>, at: At<'_>, named: bool, reads: &mut Vec<Held<T>>) {
        let read = |part: Part, done| {
            let Part { fresh, stamp, records } = part;
            Held::from(FileRead { file: no, path: Arc::clone(path), stamp, fresh, done, records })
        };
        let whole = |report| Part { fresh: true, stamp: Stamp::default(), records: vec![report] };
        let mut tail: Option<Box<Tail>> = None;
        let first_look = Instant::now();
        let mut ask = Ask { as_opened: true, ..Ask::default() };
        loop {
            let queue = self.queue;
            let ending = self.verifier.verify(at, Ask { tail: tail.as_deref(), ..ask }, &mut |part| {
                reads.push(read(part, false));
                queue.push(number, reads, false)
            });
            match ending {
                Ending::Read(end) if end.cut && !ask.final_look => {
                    let stamp = end.part.stamp;
                    reads.push(read(end.part, false));
                    tail = end.tail;
                    ask.final_look = self.outlasts(at, stamp, first_look);
                }
                Ending::Read(end) => return reads.push(read(end.part, true)),
                Ending::Writing { stamp, cut: true } => {
                    tail = None;
                    ask.final_look = self.outlasts(at, stamp, first_look);
                }
                Ending::Writing { stamp, .. } if first_look.elapsed() < YOUNG => {
                    tail = None;
                    std::thread::sleep(QUIET);
                    ask.settled = Some((stamp, QUIET));
                }
                Ending::Writing { .. } => {
                    let fault = Fault::new(Class::IoError).found("it changed each time while it was read");
                    return reads.push(read(whole(Report::of_fault(Place::WHOLE, fault)), true));
                }
                Ending::Special if named => return reads.push(read(whole(not_a_file(path)), true)),
                // It went away, or became something else, since it was listed.
                Ending::Gone | Ending::Special | Ending::Stopped => return,
            }
        }
    }

    /// Waits until the file changes (false) or is old enough for its state to be final (true).
    fn outlasts(&self, at: At<'_>, stamp: Stamp, first_look: Instant) -> bool {
        loop {
            let old = match age(&stamp) {
                Some(age) => age >= YOUNG || first_look.elapsed() >= YOUNG + YOUNG,
                // A time in the future says nothing: this run's own clock decides, once for all such files.
                None => self.began.elapsed() >= YOUNG,
            };
            if old {
                return true;
            }
            std::thread::sleep(GLANCE);
            match at.look() {
                Ok(stat) if stamp_of(&stat) == stamp => {}
                _ => return false,
            }
        }
    }
}

#[cfg(test)]
mod tests;
