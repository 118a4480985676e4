//! The line of rows, by number.

use std::collections::{HashMap, VecDeque};

use super::RowId;
use super::row::{Row, flag};

/// Numbers stay below this: the bit above says something else where a row number may stand.
pub(super) const END: RowId = 1 << 31;

/// Rows in order of their numbers. Those that outlive their neighbours stand beside.
#[derive(Debug, Default)]
pub(super) struct Rows {
    first: RowId,
    line: VecDeque<Row>,
    kept: HashMap<RowId, Row>,
    gone: usize,
}

impl Rows {
    pub(super) fn get(&self, id: RowId) -> Option<&Row> {
        let row = match id.checked_sub(self.first) {
            Some(at) => self.line.get(at as usize),
            None => self.kept.get(&id),
        };
        row.filter(|r| !r.is_gone())
    }

    pub(super) fn get_mut(&mut self, id: RowId) -> Option<&mut Row> {
        let row = match id.checked_sub(self.first) {
            Some(at) => self.line.get_mut(at as usize),
            None => self.kept.get_mut(&id),
        };
        row.filter(|r| !r.is_gone())
    }

    /// The number the next row gets.
    pub(super) fn end(&self) -> RowId {
        self.first.saturating_add(u32::try_from(self.line.len()).unwrap_or(u32::MAX))
    }

    pub(super) fn len(&self) -> usize {
        (self.line.len() + self.kept.len()).saturating_sub(self.gone)
    }

    /// `None` when there are no numbers left.
    pub(super) fn push(&mut self, row: Row) -> Option<RowId> {
        let id = self.end();
        if id >= END {
            return None;
        }
        if self.line.len() == self.line.capacity() {
            // An eighth at a time: doubling would double the memory of a long run.
            self.line.reserve_exact((self.line.len() / 8).max(1024));
        }
        self.line.push_back(row);
        Some(id)
    }

    /// The lowest number there is.
    pub(super) fn lowest(&self) -> RowId {
        self.kept.keys().copied().min().unwrap_or(self.first)
    }

    /// Numbers of the rows there are, ascending, from `start` on.
    pub(super) fn ids(&self, start: RowId) -> impl Iterator<Item = RowId> + '_ {
        let mut kept: Vec<RowId> = self.kept.keys().copied().filter(|id| *id >= start).collect();
        kept.sort_unstable();
        let from = start.max(self.first);
        let line = (from..self.end()).filter(|id| self.get(*id).is_some());
        kept.into_iter().chain(line)
    }

    /// Lets a row go.
    pub(super) fn forget(&mut self, id: RowId) {
        if self.kept.remove(&id).is_some() {
            return;
        }
        if let Some(row) = self.get_mut(id) {
            row.flags |= flag::STATE;
            self.gone += 1;
        }
        while self.line.front().is_some_and(Row::is_gone) {
            self.line.pop_front();
            self.first += 1;
            self.gone = self.gone.saturating_sub(1);
        }
    }

    /// Moves the few rows that keep a long gap in the line alive out of it.
    pub(super) fn close_up(&mut self) {
        while self.gone > 1024 && self.gone > self.line.len() / 2 {
            let Some(row) = self.line.pop_front() else { return };
            if row.is_gone() {
                self.gone = self.gone.saturating_sub(1);
            } else {
                self.kept.insert(self.first, row);
            }
            self.first += 1;
        }
    }

    pub(super) fn footprint(&self) -> usize {
        self.line.capacity() * size_of::<Row>() + self.kept.len() * 96
    }
}
