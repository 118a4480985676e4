//! The open record: read, verified and prepared by one thread, shown by [`crate::tui::view::receipt`].
//!
//! ```text
//! UI thread ── Request (newest wins) ──▶ detail thread: read, verify, index ── Loaded ──▶ Pane
//! ```
//! The verdict shown with a record is made from the bytes shown with it. The list's verdict is never shown for them.

pub mod cells;
pub mod checks;
pub mod copy;
pub mod diff;
pub mod hexdump;
pub mod lines;
pub mod open;
pub mod pane;
#[cfg(test)]
pub(crate) mod sample;
pub mod search;
pub mod tree;

use std::path::Path;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

pub use open::{Loaded, OpenRecord, Side, Source};
pub use pane::{Pane, PaneAct, Tab};

use crate::aer1::grammar::Moment;
use crate::aer1::report::Place;
use crate::aer1::verify::{Options, Verifier};
use crate::config::Limits;

/// How long the end of the thread is waited for.
const PATIENCE: Duration = Duration::from_millis(200);

/// What to open.
#[derive(Clone, Debug)]
pub struct Request {
    /// The file.
    pub path: Arc<Path>,
    /// The record in it.
    pub place: Place,
    /// The caller's counter, handed back with the answer.
    pub stamp: u64,
}

/// One thing to do.
#[derive(Debug)]
enum Job {
    Open(Request),
    Diff { earlier: Side, later: Side, stamp: u64 },
}

/// At most one waiting job of each kind: a newer one takes the place of an older one.
#[derive(Debug, Default)]
struct Waiting {
    open: Option<Job>,
    diff: Option<Job>,
    end: bool,
}

type Desk = (Mutex<Waiting>, Condvar);

/// The thread that reads, verifies and prepares what is opened. Ends when dropped.
#[derive(Debug)]
pub struct DetailThread {
    desk: Arc<Desk>,
    thread: Option<JoinHandle<()>>,
}

impl DetailThread {
    /// Starts the thread. `deliver` is called on it, once for each job that was not replaced by a newer one.
    /// When no thread can be started, requests are never answered and [`DetailThread::is_running`] is false.
    pub fn start(options: Options, limits: Limits, deliver: impl Fn(u64, Loaded) + Send + 'static) -> DetailThread {
        let desk: Arc<Desk> = Arc::default();
        let own = Arc::clone(&desk);
        let work = move || {
            let mut worker = Worker { verifier: Verifier::new(with_form(&options)), options, limits };
            while let Some(job) = next(&own) {
                let (stamp, loaded) = worker.run(job);
                deliver(stamp, loaded);
            }
        };
        let thread = std::thread::Builder::new().name("detail".to_owned()).spawn(work).ok();
        DetailThread { desk, thread }
    }

    /// Whether the thread is there.
    pub fn is_running(&self) -> bool {
        self.thread.as_ref().is_some_and(|thread| !thread.is_finished())
    }

    /// Asks for a record; a waiting older request is forgotten.
    pub fn request(&self, request: Request) {
        self.put(|waiting| waiting.open = Some(Job::Open(request)));
    }

    /// Asks for the comparison of two records; a waiting older one is forgotten.
    pub fn diff(&self, earlier: Side, later: Side, stamp: u64) {
        self.put(|waiting| waiting.diff = Some(Job::Diff { earlier, later, stamp }));
    }

    fn put(&self, change: impl FnOnce(&mut Waiting)) {
        let (waiting, bell) = &*self.desk;
        change(&mut waiting.lock().unwrap_or_else(PoisonError::into_inner));
        bell.notify_one();
    }
}

impl Drop for DetailThread {
    fn drop(&mut self) {
        self.put(|waiting| waiting.end = true);
        if let Some(thread) = self.thread.take() {
            // In the middle of a large file it is not waited for: it ends by itself.
            let until = Instant::now() + PATIENCE;
            while !thread.is_finished() && Instant::now() < until {
                std::thread::sleep(Duration::from_millis(2));
            }
            if thread.is_finished() {
                // A panic in it has been reported by the panic hook already.
                let _ = thread.join();
            }
        }
    }
}

/// Waits for a job; `None` at the end.
fn next(desk: &Desk) -> Option<Job> {
    let (waiting, bell) = desk;
    let mut waiting = waiting.lock().unwrap_or_else(PoisonError::into_inner);
    loop {
        if waiting.end {
            return None;
        }
        if let Some(job) = waiting.open.take().or_else(|| waiting.diff.take()) {
            return Some(job);
        }
        waiting = bell.wait(waiting).unwrap_or_else(PoisonError::into_inner);
    }
}

fn with_form(options: &Options) -> Options {
    Options { canonical_form: true, now: Some(Moment::of(std::time::SystemTime::now())), ..options.clone() }
}

struct Worker {
    verifier: Verifier,
    options: Options,
    limits: Limits,
}

impl Worker {
    fn run(&mut self, job: Job) -> (u64, Loaded) {
        // The clock of "later than now" notes is the one of this look.
        self.verifier = Verifier::new(with_form(&self.options));
        match job {
            Job::Open(request) => {
                (request.stamp, open::load(&request.path, request.place, &mut self.verifier, &self.limits))
            }
            Job::Diff { earlier, later, stamp } => {
                let earlier = open::side(earlier, &mut self.verifier, &self.limits);
                let later = open::side(later, &mut self.verifier, &self.limits);
                let loaded = match (earlier, later) {
                    (Ok(earlier), Ok(later)) => Loaded::Diff(Box::new(diff::compare(&earlier, &later))),
                    (Err(failed), _) | (_, Err(failed)) => failed,
                };
                (stamp, loaded)
            }
        }
    }
}

#[cfg(test)]
mod tests;
