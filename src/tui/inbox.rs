//! Where everything that may change the screen arrives: keys first, then what the threads tell.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::detail::Loaded;
use super::input::Input;
use super::suite::Told;
use crate::folder::Folder;
use crate::record::Event;

/// One thing that arrived.
pub enum Msg {
    /// A person did something.
    Input(Input),
    /// The terminal's input is closed.
    InputClosed,
    /// A signal, by number.
    Signal(i32),
    /// A thread panicked; it has been said already.
    Panicked,
    /// A path was opened; its number and its handle.
    Opened(u64, Folder),
    /// A path could not be opened; its number and why, escaped.
    NotOpened(u64, String),
    /// A report was written, or not: a sentence.
    Exported(Result<String, String>),
    /// A program copied, or not: what to say.
    Copied(Result<String, String>),
    /// The file of `--log` can no longer be written: why, escaped.
    LogFailed(String),
    /// Completions of a typed path.
    Completed(String, Vec<String>),
    /// The folder thread tells something. The number says which opened folder it belongs to.
    Folder(u64, Event),
    /// The detail thread read the record asked for under this number.
    Detail(u64, Box<Loaded>),
    /// The suite opened under this number tells something.
    Suite(u64, Told),
}

/// Folder events that may wait before their sender is made to wait.
const ROOM: usize = 16;

#[derive(Default)]
struct Queues {
    first: VecDeque<Msg>,
    rest: VecDeque<Msg>,
    closed: bool,
}

/// Two queues and one place to wait.
#[derive(Default)]
pub struct Inbox {
    queues: Mutex<Queues>,
    arrived: Condvar,
    taken: Condvar,
}

impl Inbox {
    fn lock(&self) -> MutexGuard<'_, Queues> {
        // A panic elsewhere must not keep the screen from being restored.
        self.queues.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds something that goes before all data: keys, signals.
    pub fn push_first(&self, msg: Msg) {
        self.lock().first.push_back(msg);
        self.arrived.notify_one();
    }

    /// Adds data; waits while too much of it lies here. False once the inbox is closed.
    pub fn push(&self, msg: Msg) -> bool {
        let mut queues = self.lock();
        while queues.rest.len() >= ROOM && !queues.closed {
            queues = self.taken.wait(queues).unwrap_or_else(PoisonError::into_inner);
        }
        if queues.closed {
            return false;
        }
        queues.rest.push_back(msg);
        drop(queues);
        self.arrived.notify_one();
        true
    }

    /// Takes the next thing, if there is one.
    pub fn try_take(&self) -> Option<Msg> {
        let mut queues = self.lock();
        if let Some(msg) = queues.first.pop_front() {
            return Some(msg);
        }
        let msg = queues.rest.pop_front();
        drop(queues);
        self.taken.notify_one();
        msg
    }

    /// Waits until something is here, or until `timeout` has passed.
    pub fn wait(&self, timeout: Duration) {
        let until = Instant::now() + timeout;
        let mut queues = self.lock();
        while queues.first.is_empty() && queues.rest.is_empty() {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return;
            }
            queues = self.arrived.wait_timeout(queues, left).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Lets go of every waiting sender.
    pub fn close(&self) {
        self.lock().closed = true;
        self.taken.notify_all();
    }
}
