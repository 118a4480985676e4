//! Paths verified once, in a stable order, for `aerscope verify`: by path, then by record, as the bytes of the paths
//! compare. Folders are read one at a time, names kept in one piece of memory; files are verified in parallel and
//! handed over in order, with a bounded number under way.

use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use rustix::fs::{CWD, Mode, OFlags};
use rustix::io::Errno;

use super::file::{Ask, Ending, FileVerifier, Part, not_a_file};
use super::lines::Tail;
use super::read::{At, QUIET, YOUNG, age, io_fault, stamp_of};
use super::scan::{Entry, Listed, is_receipt_name};
use super::worker;
use crate::aer1::report::{Class, Fault, Place, Report};
use crate::aer1::verify::Options;
use crate::config::Limits;
use crate::record::{FileNo, FileRead, Stamp};

/// How to verify paths.
#[derive(Clone, Debug)]
pub struct Setup {
    /// How to verify.
    pub options: Options,
    /// Limits on what is read.
    pub limits: Limits,
    /// Take every file of a folder, whatever its name (hidden ones excepted).
    pub all: bool,
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
    /// Named paths where there is nothing.
    pub missing: Vec<PathBuf>,
    /// The sink wanted no more.
    pub stopped: bool,
}

/// Files one task holds at most.
const SHARE: usize = 32;
/// Tasks under way for each worker.
const AHEAD: usize = 16;
/// Records a task that is not the first in line may hold back.
const HELD: usize = 4096;
/// Folders below each other that are kept open.
const OPEN: usize = 64;
/// How often a file that is being written is looked at.
const GLANCE: Duration = Duration::from_millis(50);

/// Verifies every record at these paths. A folder is walked: hidden names skipped, links not followed, names taken by
/// suffix. A named file is read whatever its name. Parts of one file come one after the other. A file that seems to be
/// in the middle of being written is waited for, two seconds at most.
///
/// # Errors
/// When no thread can be started.
pub fn verify_paths(
    paths: &[PathBuf],
    setup: &Setup,
    sink: &mut dyn FnMut(FileRead) -> ControlFlow<()>,
) -> std::io::Result<Summary> {
    let workers = worker::count(setup.workers);
    let queue = Queue::default();
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
            all: setup.all,
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

/// The names of one folder, sorted, in one piece: each ends with a zero, a folder's with `/` before it.
struct Names {
    path: PathBuf,
    /// The folder itself; `None` when too many are open: then whole paths are used.
    fd: Option<OwnedFd>,
    text: Vec<u8>,
    starts: Vec<u32>,
}

impl Names {
    /// The name at a position, and whether it is a folder's.
    fn get(&self, position: usize) -> Option<(&Path, bool)> {
        let start = usize::try_from(*self.starts.get(position)?).ok()?;
        let rest = self.text.get(start..)?;
        let name = rest.get(..memchr::memchr(0, rest)?)?;
        let folder = name.strip_suffix(b"/");
        let name = folder.unwrap_or(name);
        Some((Path::new(std::ffi::OsStr::from_bytes(name)), folder.is_some()))
    }

    /// Reads a folder's names; the second value counts what is left out because of its name.
    fn read(
        path: PathBuf,
        within: Option<(BorrowedFd<'_>, &Path)>,
        keep: bool,
        all: bool,
    ) -> Result<(Names, u64), Errno> {
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
        let mut skipped = 0;
        while let Some(entry) = listed.next(|_, _, name, kind| {
            let folder = matches!(kind, Entry::Folder);
            let file = matches!(kind, Entry::File);
            let taken = folder || (file && is_receipt_name(name, all));
            if !taken {
                skipped += u64::from(file);
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
        let name_at = |start: u32| {
            let rest = text.get(start as usize..).unwrap_or_default();
            rest.get(..memchr::memchr(0, rest).unwrap_or(0)).unwrap_or_default()
        };
        order.sort_unstable_by(|a, b| a.0.cmp(&b.0).then_with(|| name_at(a.1).cmp(name_at(b.1))));
        let starts = order.into_iter().map(|(_, start)| start).collect();
        Ok((Names { path, fd: keep.then_some(fd), text, starts }, skipped))
    }
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
    all: bool,
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
        match Names::read(path.clone(), within, self.frames.len() < OPEN, self.all) {
            Ok((names, skipped)) => {
                self.summary.skipped += skipped;
                self.frames.push((Arc::new(names), 0));
                None
            }
            // It was removed or became a link meanwhile: nothing to say.
            Err(Errno::NOENT | Errno::NOTDIR | Errno::LOOP) if within.is_some() => None,
            Err(error) => Some(Task::Told { path, report: Box::new(Report::of_fault(Place::WHOLE, io_fault(error))) }),
        }
    }
}

/// What one task has brought so far.
#[derive(Default)]
struct Slot {
    reads: Vec<FileRead>,
    records: usize,
    done: bool,
}

#[derive(Default)]
struct State {
    tasks: VecDeque<(u64, u32, Task)>,
    /// The tasks under way and those done but not handed over, in order; `first` is the number of the first.
    slots: VecDeque<Slot>,
    first: u64,
    stop: bool,
}

/// Tasks for the workers, and their results in order.
#[derive(Default)]
struct Queue {
    state: Mutex<State>,
    for_workers: Condvar,
    for_walk: Condvar,
}

impl Queue {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn stop(&self) {
        self.lock().stop = true;
        self.for_workers.notify_all();
    }

    /// Walks, and hands results over in order.
    fn hand_over(
        &self,
        ahead: usize,
        mut walk: Walk<'_>,
        sink: &mut dyn FnMut(FileRead) -> ControlFlow<()>,
    ) -> Summary {
        let mut over = false;
        let mut reads = Vec::new();
        loop {
            while !over && self.lock().slots.len() < ahead {
                match walk.next() {
                    Some((no, task)) => self.add(no, task),
                    None => over = true,
                }
            }
            let mut state = self.lock();
            loop {
                match state.slots.front_mut() {
                    None if over => return walk.summary,
                    None => break,
                    Some(slot) if slot.done || !slot.reads.is_empty() => {
                        std::mem::swap(&mut reads, &mut slot.reads);
                        slot.records = 0;
                        if slot.done {
                            state.slots.pop_front();
                            state.first += 1;
                        }
                        break;
                    }
                    Some(_) => state = self.for_walk.wait(state).unwrap_or_else(PoisonError::into_inner),
                }
            }
            drop(state);
            // Whoever waits for being the first, or for room, may go on.
            self.for_workers.notify_all();
            for read in reads.drain(..) {
                walk.summary.files += u64::from(read.done);
                walk.summary.records += read.records.len() as u64;
                if sink(read).is_break() {
                    walk.summary.stopped = true;
                    return walk.summary;
                }
            }
        }
    }

    fn add(&self, no: u32, task: Task) {
        let mut state = self.lock();
        let mut slot = Slot::default();
        match task {
            Task::Told { path, report } => {
                slot.reads.push(FileRead {
                    file: FileNo(no),
                    path: Arc::from(path),
                    stamp: Stamp::default(),
                    fresh: true,
                    done: true,
                    records: vec![*report],
                });
                slot.done = true;
                state.slots.push_back(slot);
            }
            task => {
                let number = state.first + state.slots.len() as u64;
                state.slots.push_back(slot);
                state.tasks.push_back((number, no, task));
                drop(state);
                self.for_workers.notify_one();
            }
        }
    }

    fn next(&self) -> Option<(u64, u32, Task)> {
        let mut state = self.lock();
        loop {
            if state.stop {
                return None;
            }
            if let Some(task) = state.tasks.pop_front() {
                return Some(task);
            }
            state = self.for_workers.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Adds results of a task. One that is not the first in line waits when it holds back too much. False: end.
    fn push(&self, number: u64, reads: &mut Vec<FileRead>, done: bool) -> bool {
        let mut state = self.lock();
        loop {
            if state.stop {
                return false;
            }
            let Some(position) = number.checked_sub(state.first).and_then(|at| usize::try_from(at).ok()) else {
                return false;
            };
            let Some(slot) = state.slots.get_mut(position) else { return false };
            if slot.records < HELD {
                slot.records += reads.iter().map(|read| read.records.len()).sum::<usize>();
                slot.reads.append(reads);
                slot.done = done;
                drop(state);
                if position == 0 {
                    self.for_walk.notify_one();
                }
                return true;
            }
            state = self.for_workers.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// A worker's own things.
struct Worker<'a> {
    queue: &'a Queue,
    verifier: FileVerifier,
    began: Instant,
    path: PathBuf,
}

impl Worker<'_> {
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
    fn file(&mut self, number: u64, no: FileNo, path: &Arc<Path>, at: At<'_>, named: bool, reads: &mut Vec<FileRead>) {
        let read = |part: Part, done| {
            let Part { fresh, stamp, records } = part;
            FileRead { file: no, path: Arc::clone(path), stamp, fresh, done, records }
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
                Ending::Writing { .. } if first_look.elapsed() < YOUNG => {
                    tail = None;
                    std::thread::sleep(QUIET);
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
