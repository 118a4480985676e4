//! The folder thread: it decides what is looked at and when, and tells the consumer in order. It never blocks on the
//! consumer: while the channel is full the hints pile up (each path once) and nothing else is done.

use std::collections::{HashMap, HashSet, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{SyncSender, TrySendError};
use std::time::{Duration, Instant};

use rustix::fs::OFlags;
use rustix::io::Errno;

use super::Setup;
use super::files::Waiting;
use super::inbox::{Job, Shared};
use super::known::Known;
use super::lines::Tail;
use super::listing::{Full, Wanted};
use super::read::{FolderIdentity, folder_identity, io_fault};
use super::scan::{Listing, open_folder};
use super::watch::{Failed, Interest, Watch, silent};
use crate::record::{Change, Command, Event, FileNo, Mode, ScanReason};

/// Hints are gathered this long, so that a file that is being written costs one look.
const WINDOW: Duration = Duration::from_millis(25);
/// The same when every hint so far was the end of something.
const SHORT_WINDOW: Duration = Duration::from_millis(8);
/// How often the root's identity is checked.
const ROOT_CHECK: Duration = Duration::from_secs(1);
/// How soon a full channel is tried again.
const RETRY: Duration = Duration::from_millis(4);
/// Changes a batch, and records a batch.
const BATCH: usize = 1024;
/// Events held back before the thread stops making more.
const HELD: usize = 3;
/// Jobs waiting for a worker before the listing pauses.
pub const QUEUE: usize = 4096;

/// What is being followed.
pub struct Root {
    /// The folder, as it was given; for a single file the folder it is in.
    pub folder: PathBuf,
    /// The same, absolute: the watcher's paths begin with it.
    pub absolute: PathBuf,
    /// The single file, as it was given.
    pub only: Option<Arc<Path>>,
    /// Device and inode; `None` while it is gone.
    pub identity: Option<FolderIdentity>,
    /// It is there and cannot be listed: rows stay, and it is tried every second.
    pub shut: bool,
}

impl Root {
    /// Whether nothing can be said about what is in it now: it is gone, or cannot be listed.
    pub fn is_away(&self) -> bool {
        self.identity.is_none() || self.shut
    }
}

/// The thread's state.
pub struct Thread {
    pub(super) setup: Setup,
    pub(super) root: Root,
    pub(super) shared: Arc<Shared>,
    out: SyncSender<Event>,
    held: VecDeque<Event>,
    last_batch_records: usize,
    pub(super) known: Known,
    pub(super) watch: Option<Watch>,
    pub(super) mode: Option<Mode>,
    pub(super) waiting: HashMap<FileNo, Waiting>,
    pub(super) next_waiting: Option<Instant>,
    pub(super) tails: HashMap<FileNo, Box<Tail>>,
    pub(super) full: Option<Full>,
    pub(super) wanted: Option<Wanted>,
    pub(super) partial: Listing,
    pub(super) lost_folders: Vec<u32>,
    pub(super) in_flight: usize,
    pub(super) new_jobs: Vec<Job>,
    pub(super) next_full: Option<Instant>,
    next_root_check: Instant,
    pub(super) checked_devices: HashSet<u64>,
    pub(super) last_progress: Instant,
}

/// The channel's other end is gone.
struct Unheard;

impl Thread {
    /// A thread about to run.
    pub fn new(setup: Setup, root: Root, shared: Arc<Shared>, out: SyncSender<Event>) -> Thread {
        let now = Instant::now();
        Thread {
            setup,
            root,
            shared,
            out,
            held: VecDeque::new(),
            last_batch_records: 0,
            known: Known::new(),
            watch: None,
            mode: None,
            waiting: HashMap::new(),
            next_waiting: None,
            tails: HashMap::new(),
            full: None,
            wanted: None,
            partial: Listing::default(),
            lost_folders: Vec::new(),
            in_flight: 0,
            new_jobs: Vec::new(),
            next_full: None,
            next_root_check: now + ROOT_CHECK,
            checked_devices: HashSet::new(),
            last_progress: now,
        }
    }

    /// Runs until told to stop, until nobody listens, or, without following, until everything has been told.
    pub fn run(mut self) {
        self.arm();
        self.begin_full(ScanReason::Start, false);
        loop {
            let commands = std::mem::take(&mut self.shared.lock().commands);
            for command in commands {
                if command == Command::Stop {
                    return;
                }
                self.obey(command);
            }
            let mut wait = ROOT_CHECK;
            if self.held.len() < HELD {
                for (job, news) in self.shared.take_done() {
                    self.heard(&job, news);
                }
                wait = wait.min(self.take_hints());
                wait = wait.min(self.tick());
                wait = wait.min(self.list_some());
                self.hand_out();
            }
            if self.flush().is_err() {
                return;
            }
            if !self.held.is_empty() {
                wait = wait.min(RETRY);
            } else if !self.setup.follow && self.is_done() {
                return;
            }
            if !wait.is_zero() {
                self.shared.wait(wait);
            }
        }
    }

    fn is_done(&self) -> bool {
        self.full.is_none()
            && self.wanted.is_none()
            && self.partial.is_over()
            && self.in_flight == 0
            && self.waiting.is_empty()
    }

    fn obey(&mut self, command: Command) {
        match command {
            Command::Recheck(path) => self.recheck(&path, false),
            Command::Prefer(paths) => {
                let files: HashSet<FileNo> = paths.iter().filter_map(|path| self.find(path)).collect();
                self.shared.prefer(&files);
                for path in paths {
                    if self.find(&path).is_none() {
                        self.recheck(&path, true);
                    }
                }
            }
            Command::RecheckAll => {
                if self.watch.is_none() && !self.setup.watching.poll && !self.root.is_away() {
                    self.arm();
                }
                if self.root.shut {
                    self.next_root_check = Instant::now();
                }
                self.want_full(ScanReason::Asked, true);
            }
            Command::Stop => {}
        }
    }

    /// Starts watching, or says why not. The folders are watched as they are listed.
    pub(super) fn arm(&mut self) {
        self.watch = None;
        self.known.forget_identities();
        self.checked_devices.clear();
        if !self.setup.follow {
            return;
        }
        if self.setup.watching.poll {
            return self.set_mode(Mode::Polling("asked for".to_owned()));
        }
        let folder = if self.root.folder.as_os_str().is_empty() { Path::new(".") } else { &self.root.folder };
        if let Some(name) = rustix::fs::statfs(folder).ok().and_then(|stat| silent(&stat)) {
            return self.set_mode(Mode::Polling(format!("{name} does not tell about changes")));
        }
        let interest = Interest {
            root: self.root.absolute.clone(),
            only: self.root.only.as_ref().and_then(|only| only.file_name()).map(|name| self.root.absolute.join(name)),
            all: self.setup.watching.all,
        };
        let watched = Watch::new(interest, Arc::clone(&self.shared)).and_then(|mut watch| {
            // The root first: whatever happens from here on is told.
            match watch.folder(&self.root.absolute, true) {
                Err(Failed::Poll(why)) => Err(Failed::Poll(why)),
                Ok(()) | Err(Failed::ThisOne) => Ok(watch),
            }
        });
        match watched {
            Ok(watch) => {
                self.watch = Some(watch);
                self.set_mode(Mode::Live);
            }
            Err(Failed::Poll(why)) => self.set_mode(Mode::Polling(why)),
            Err(Failed::ThisOne) => self.set_mode(Mode::Polling("the system's watcher did not start".to_owned())),
        }
    }

    /// Watching is of no use any more.
    pub(super) fn fall_back(&mut self, why: String) {
        self.watch = None;
        self.set_mode(Mode::Polling(why));
        self.schedule_full(Duration::ZERO);
    }

    pub(super) fn set_mode(&mut self, mode: Mode) {
        if self.mode.as_ref() != Some(&mode) {
            self.mode = Some(mode.clone());
            self.tell(Event::Mode(mode));
        }
    }

    pub(super) fn is_polling(&self) -> bool {
        matches!(self.mode, Some(Mode::Polling(_)))
    }

    /// When the next regular listing is due, after one that took `took`.
    pub(super) fn schedule_full(&mut self, took: Duration) {
        let watching = &self.setup.watching;
        let pause = if self.is_polling() {
            watching.poll_every.max(took.saturating_mul(4))
        } else {
            watching.heartbeat.max(took.saturating_mul(500))
        };
        self.next_full = self.setup.follow.then(|| Instant::now() + pause);
    }

    /// Takes the hints when their window is over; how long until then.
    fn take_hints(&mut self) -> Duration {
        let mut inbox = self.shared.lock();
        if std::mem::take(&mut inbox.everything) {
            inbox.hints.clear();
            (inbox.first_hint, inbox.unfinished) = (None, false);
            drop(inbox);
            self.want_full(ScanReason::Resync, false);
            return Duration::ZERO;
        }
        if std::mem::take(&mut inbox.root) {
            self.next_root_check = Instant::now();
        }
        let Some(first) = inbox.first_hint else { return ROOT_CHECK };
        let window = if inbox.unfinished { WINDOW } else { SHORT_WINDOW };
        let left = window.saturating_sub(first.elapsed());
        if !left.is_zero() {
            return left;
        }
        let hints = std::mem::take(&mut inbox.hints);
        (inbox.first_hint, inbox.unfinished) = (None, false);
        drop(inbox);
        for (path, finished) in hints {
            self.hinted(&path, finished);
        }
        self.drop_lost_folders();
        Duration::ZERO
    }

    /// Does what is due by the clock; how long until the next.
    fn tick(&mut self) -> Duration {
        let now = Instant::now();
        if now >= self.next_root_check {
            self.next_root_check = now + ROOT_CHECK;
            if self.setup.follow {
                self.check_root();
            }
        }
        if self.next_waiting.is_some_and(|due| now >= due) {
            self.look_at_waiting(now);
        }
        if self.next_full.is_some_and(|due| now >= due) && self.full.is_none() && !self.root.is_away() {
            self.next_full = None;
            let reason = if self.is_polling() { ScanReason::Poll } else { ScanReason::Heartbeat };
            self.want_full(reason, false);
        }
        let mut next = self.next_root_check;
        for due in [self.next_waiting, self.next_full.filter(|_| self.full.is_none())].into_iter().flatten() {
            next = next.min(due);
        }
        next.saturating_duration_since(now)
    }

    /// Whether the root is there and the same.
    pub(super) fn root_now(&self) -> Option<FolderIdentity> {
        let folder = if self.root.folder.as_os_str().is_empty() { Path::new(".") } else { &self.root.folder };
        identity_at(folder)
    }

    pub(super) fn check_root(&mut self) {
        let now = self.root_now();
        if now == self.root.identity {
            if self.root.only.is_some() && now.is_some() {
                self.look_at_only(false, true);
            } else if now.is_some() {
                self.check_listing();
            }
            return;
        }
        if std::mem::take(&mut self.root.shut) {
            self.tell_shut(Errno::NOENT);
        }
        if self.root.identity.is_some() {
            // Gone, or another folder in its place: rows stay.
            self.root.identity = None;
            self.watch = None;
            self.abandon_listing();
            self.set_mode(Mode::Offline);
        }
        if now.is_some() {
            self.root.identity = now;
            self.arm();
            self.want_full(ScanReason::Back, false);
        }
    }

    /// Whether the root, which is there and the same, can be listed.
    fn check_listing(&mut self) {
        let folder = if self.root.folder.as_os_str().is_empty() { Path::new(".") } else { &self.root.folder };
        match open_folder(folder, true) {
            Ok(_) if self.root.shut => {
                self.root.shut = false;
                self.arm();
                self.want_full(ScanReason::Back, false);
            }
            Err(Errno::NOENT | Errno::NOTDIR | Errno::LOOP | Errno::MFILE | Errno::NFILE | Errno::INTR) | Ok(_) => {}
            Err(error) => self.root_shut(error),
        }
    }

    /// The root cannot be listed: rows stay, no listing counts, and it is tried every second.
    pub(super) fn root_shut(&mut self, error: Errno) {
        self.abandon_listing();
        if !std::mem::replace(&mut self.root.shut, true) {
            self.tell_shut(error);
            self.set_mode(Mode::Offline);
        }
    }

    fn tell_shut(&mut self, error: Errno) {
        let what = io_fault(error).found.unwrap_or_default();
        self.tell(Event::Trouble { path: Arc::from(self.root.folder.as_path()), what });
    }

    /// Hands the gathered jobs to the workers.
    pub(super) fn hand_out(&mut self) {
        if !self.new_jobs.is_empty() {
            let jobs = std::mem::take(&mut self.new_jobs);
            self.shared.push_jobs(jobs, false);
        }
    }

    /// Adds an event for the consumer.
    pub(super) fn tell(&mut self, event: Event) {
        if let (Event::Progress { .. }, Some(last @ Event::Progress { .. })) = (&event, self.held.back_mut()) {
            *last = event;
        } else {
            self.held.push_back(event);
        }
    }

    /// Adds a change for the consumer, to the last batch when that has room.
    pub(super) fn change(&mut self, change: Change) {
        let records = match &change {
            Change::Read(read) => read.records.len(),
            _ => 0,
        };
        if let Some(Event::Batch(batch)) = self.held.back_mut()
            && batch.len() < BATCH
            && self.last_batch_records + records <= BATCH
        {
            self.last_batch_records += records;
            batch.push(change);
        } else {
            self.last_batch_records = records;
            self.held.push_back(Event::Batch(vec![change]));
        }
    }

    fn flush(&mut self) -> Result<(), Unheard> {
        while let Some(event) = self.held.pop_front() {
            match self.out.try_send(event) {
                Ok(()) => {}
                Err(TrySendError::Full(event)) => {
                    self.held.push_front(event);
                    return Ok(());
                }
                Err(TrySendError::Disconnected(_)) => return Err(Unheard),
            }
        }
        Ok(())
    }
}

/// The identity of the folder at a path, links followed; `None` when there is no folder.
pub(super) fn identity_at(folder: &Path) -> Option<FolderIdentity> {
    // Only the place is opened, not the folder: that works without the right to read it.
    let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let place = rustix::fs::open(folder, flags, rustix::fs::Mode::empty()).ok()?;
    folder_identity(&place).ok()
}
