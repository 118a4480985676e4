//! What happened in this session, for the events view. Bounded: the oldest entries leave, with a count.

use std::collections::VecDeque;
use std::path::Path;
use std::sync::Arc;

use crate::aer1::grammar::Moment;
use crate::record::{Mode, Scan};
use crate::store::Happening;

/// Entries that are kept.
const KEPT: usize = 10_000;

/// One thing.
#[derive(Clone, Debug)]
pub enum What {
    /// A record.
    Row(Happening),
    /// The way of following changed.
    Mode(Mode),
    /// A full listing ended.
    Scanned(Scan),
    /// Rows left because of the row limit, so many.
    Left(usize),
    /// A path that is no receipt; what went wrong, raw.
    Trouble(Arc<Path>, String),
}

/// One thing, with its time.
#[derive(Clone, Debug)]
pub struct Entry {
    /// When it was told here.
    pub at: Moment,
    /// What.
    pub what: What,
}

/// The entries, oldest first.
#[derive(Clone, Debug, Default)]
pub struct Log {
    entries: VecDeque<Entry>,
    /// Entries that left.
    pub left: u64,
}

impl Log {
    /// Adds one.
    pub fn add(&mut self, at: Moment, what: What) {
        if self.entries.len() >= KEPT {
            self.entries.pop_front();
            self.left = self.left.saturating_add(1);
        }
        self.entries.push_back(Entry { at, what });
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The entry `n` from the newest.
    pub fn from_newest(&self, n: usize) -> Option<&Entry> {
        self.entries.len().checked_sub(n.saturating_add(1)).and_then(|at| self.entries.get(at))
    }
}
