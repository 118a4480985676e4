//! Tasks for the workers of a walk, and their results in the order of the tasks, with a bounded number under way.

use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use super::{Summary, Task, Walk};
use crate::record::{FileNo, FileRead, Stamp};

/// Records a task that is not the first in line may hold back.
const HELD: usize = 4096;

/// A part of a file as it is handed over, and what it counts for.
pub struct Held<T> {
    done: bool,
    records: usize,
    part: T,
}

impl<T: From<FileRead>> From<FileRead> for Held<T> {
    fn from(read: FileRead) -> Held<T> {
        Held { done: read.done, records: read.records.len(), part: T::from(read) }
    }
}

/// What one task has brought so far.
struct Slot<T> {
    parts: Vec<Held<T>>,
    records: usize,
    done: bool,
}

impl<T> Default for Slot<T> {
    fn default() -> Slot<T> {
        Slot { parts: Vec::new(), records: 0, done: false }
    }
}

struct State<T> {
    tasks: VecDeque<(u64, u32, Task)>,
    /// The tasks under way and those done but not handed over, in order; `first` is the number of the first.
    slots: VecDeque<Slot<T>>,
    first: u64,
    stop: bool,
}

/// Tasks for the workers, and their results in order.
pub struct Queue<T> {
    state: Mutex<State<T>>,
    for_workers: Condvar,
    for_walk: Condvar,
}

impl<T> Default for Queue<T> {
    fn default() -> Queue<T> {
        let state = State { tasks: VecDeque::new(), slots: VecDeque::new(), first: 0, stop: false };
        Queue { state: Mutex::new(state), for_workers: Condvar::new(), for_walk: Condvar::new() }
    }
}

impl<T: From<FileRead>> Queue<T> {
    fn lock(&self) -> MutexGuard<'_, State<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn stop(&self) {
        self.lock().stop = true;
        self.for_workers.notify_all();
    }

    /// Walks, and hands results over in order.
    pub fn hand_over(&self, ahead: usize, mut walk: Walk<'_>, sink: &mut dyn FnMut(T) -> ControlFlow<()>) -> Summary {
        let mut over = false;
        let mut parts = Vec::new();
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
                    Some(slot) if slot.done || !slot.parts.is_empty() => {
                        std::mem::swap(&mut parts, &mut slot.parts);
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
            for Held { done, records, part } in parts.drain(..) {
                walk.summary.files += u64::from(done);
                walk.summary.records += records as u64;
                if sink(part).is_break() {
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
                slot.parts.push(Held::from(FileRead {
                    file: FileNo(no),
                    path: Arc::from(path),
                    stamp: Stamp::default(),
                    fresh: true,
                    done: true,
                    records: vec![*report],
                }));
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

    pub fn next(&self) -> Option<(u64, u32, Task)> {
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
    pub fn push(&self, number: u64, parts: &mut Vec<Held<T>>, done: bool) -> bool {
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
                slot.records += parts.iter().map(|held| held.records).sum::<usize>();
                slot.parts.append(parts);
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
