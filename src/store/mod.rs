//! What has been seen: one compact row a record, counts kept as they change, and what links records with each other.
//!
//! The store is fed with [`Change`]s and asked by the screen. It keeps no bytes of any record, reads nothing and knows
//! no clock but the one handed in. What it holds of foreign text it holds raw: whoever draws it escapes it.

mod chains;
mod data;
mod index;
mod links;
pub mod query;
mod row;
mod rows;
mod said;

use std::collections::HashSet;
use std::path::Path;

use crate::aer1::grammar::Moment;
use crate::aer1::report::{Class, Headline, Place, Report};
use crate::record::{Change, FileRead};

pub use chains::{Chains, ChainsJob};
pub use links::copies::Shared;
pub use links::workflows::Steps;
pub use row::MAX_TEXT;
pub use said::{Attempt, Chain, ChainSummary, RowRef};

use data::{Data, Touched};
use links::attempts::Attempts;
use links::commitments::Commitments;
use links::copies::Copies;
use links::workflows::Workflows;
use row::{Row, flag};

/// A row, numbered in the order in which rows came to be. Never used for another record in one run.
pub type RowId = u32;

/// In which state a row is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RowState {
    /// Its verdict stands.
    Known,
    /// Its file is being written: what was known of it is stale, or nothing was known yet. Never shown as a fault.
    Writing,
    /// Its file, or its place in the file, is gone.
    Removed,
}

/// One thing a change did, for the event log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Happening {
    /// A record seen for the first time.
    Arrived(RowId),
    /// Read again, with another verdict or other labels but the same committed bytes.
    Changed(RowId),
    /// The content changed while it was watched (rules §8).
    Rewritten(RowId),
    /// Its file is being written.
    Writing(RowId),
    /// Gone.
    Removed(RowId),
}

impl Happening {
    /// The row it happened to.
    pub const fn row(self) -> RowId {
        match self {
            Happening::Arrived(id)
            | Happening::Changed(id)
            | Happening::Rewritten(id)
            | Happening::Writing(id)
            | Happening::Removed(id) => id,
        }
    }
}

/// How many rows there are of each sort. Kept as rows change, never counted afresh.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    by_headline: [u64; Headline::ALL.len()],
    /// Rows whose file is being written; they count under no headline.
    pub writing: u64,
    /// Rows whose file is gone; they count under no headline.
    pub removed: u64,
    /// Rows that left because of the row limit.
    pub left: u64,
    /// Files with at least one row that is not removed.
    pub files: u64,
}

impl Totals {
    /// Rows with this headline, neither being written nor removed.
    pub fn of(&self, headline: Headline) -> u64 {
        self.by_headline.get(headline as usize).copied().unwrap_or(0)
    }

    /// Records: every row with a verdict but `not_receipt`, and those being written.
    pub fn records(&self) -> u64 {
        let known: u64 = self.by_headline.iter().sum();
        known.saturating_sub(self.of(Headline::NotReceipt)).saturating_add(self.writing)
    }

    /// `malformed` and `mismatch` (rules §1).
    pub fn failing(&self) -> u64 {
        self.of(Headline::Malformed).saturating_add(self.of(Headline::Mismatch))
    }
}

/// A file with more rows than this keeps their verdicts while it is being written: it is most likely growing, and the
/// reading that follows replaces what changed.
const WRITING_ROWS: usize = 1024;

/// How many notes of one sort a record gets.
const NOTES: usize = 16;

/// Everything seen in one run.
#[derive(Debug)]
pub struct Store {
    data: Data,
    copies: Copies,
    attempts: Attempts,
    workflows: Workflows,
    commitments: Commitments,
    /// Files of which a reading is under way, with rows that were not seen again yet.
    open: HashSet<u32>,
}

impl Default for Store {
    fn default() -> Store {
        Store::new()
    }
}

impl Store {
    /// An empty store.
    pub fn new() -> Store {
        Store {
            data: Data::new(),
            copies: Copies::default(),
            attempts: Attempts::default(),
            workflows: Workflows::default(),
            commitments: Commitments::default(),
            open: HashSet::new(),
        }
    }

    /// The opened folder: filters look at paths below it only.
    pub fn set_root(&mut self, root: &Path) {
        self.data.set_root(root);
    }

    /// Applies one change; `now` is the arrival time. Returns what happened, for the event log.
    pub fn apply(&mut self, change: Change, now: Moment) -> Vec<Happening> {
        let mut happened = Vec::new();
        self.apply_into(change, now, &mut happened);
        happened
    }

    /// [`Store::apply`], adding to a list that is there already.
    pub fn apply_into(&mut self, change: Change, now: Moment, happened: &mut Vec<Happening>) {
        match change {
            Change::Read(read) => self.read(&read, now, happened),
            Change::Writing { file, path } => self.writing(file.0, &path, now, happened),
            Change::Removed { file } => {
                self.open.remove(&file.0);
                for id in self.data.rows_of(file.0).as_slice().to_vec() {
                    self.remove(id, happened);
                }
            }
        }
    }

    /// Applies a reading like [`Store::apply_into`], and gives its reports back.
    pub fn take_read(&mut self, read: &mut FileRead, now: Moment, happened: &mut Vec<Happening>) -> Vec<Report> {
        self.read(read, now, happened);
        std::mem::take(&mut read.records)
    }

    /// Lets rows go when there are more than `max_rows`, a thirty-second part at once: each time all rows are walked,
    /// and nobody waits for long. Returns how many left (see [`Store::limit`]).
    pub fn keep_within(&mut self, max_rows: usize) -> usize {
        if self.len() <= max_rows { 0 } else { self.limit(max_rows - max_rows / 32) }
    }

    fn read(&mut self, read: &FileRead, now: Moment, happened: &mut Vec<Happening>) {
        let file = read.file.0;
        let only = match read.records.as_slice() {
            [only] if only.place.is_whole() => only.id.as_deref().map(|id| self.data.key(id)),
            _ => None,
        };
        self.data.ensure_file(file, &read.path, only);
        let resized = self.data.size(file) != read.stamp.size;
        self.data.set_size(file, read.stamp.size);
        let rows = self.data.rows_of(file);
        let few = rows.as_slice().len() <= WRITING_ROWS;
        let whole = read.fresh || read.done && self.open.contains(&file);
        // A long file that grows is not walked for every line that is added.
        let old = if few || whole { rows.as_slice().to_vec() } else { Vec::new() };
        if read.fresh && !old.is_empty() {
            for id in &old {
                if let Some(row) = self.data.rows.get_mut(*id) {
                    row.put(flag::STALE, true);
                }
            }
            self.open.insert(file);
        }
        for report in &read.records {
            match self.data.row_at(file, report.place) {
                Some(id) => self.update(id, report, resized, happened),
                None => self.add(file, report, now, happened),
            }
        }
        let open = self.open.contains(&file);
        if read.done {
            self.open.remove(&file);
        }
        for id in old {
            let Some(row) = self.data.rows.get(id) else { continue };
            if read.done && self.data.common(row).unread {
                self.forget(id);
            } else if read.done && row.has(flag::STALE) {
                self.remove(id, happened);
            } else if !open && row.state() == RowState::Writing {
                // A part was added; what stood before it still stands.
                self.set_state(id, RowState::Known);
            } else if resized {
                self.data.touch(Touched::Row(id));
            }
        }
    }

    fn writing(&mut self, file: u32, path: &Path, now: Moment, happened: &mut Vec<Happening>) {
        self.data.ensure_file(file, path, None);
        let rows = self.data.rows_of(file).as_slice().to_vec();
        if rows.is_empty() {
            let arrived = self.data.ticks(now);
            let mut row = Row::empty(file, 0, arrived);
            row.set_state(RowState::Writing);
            self.data.fill_unread(&mut row);
            if let Some(id) = self.data.rows.push(row) {
                self.data.join_file(id);
                self.data.count(id, true);
                happened.push(Happening::Writing(id));
            }
        } else if rows.len() <= WRITING_ROWS {
            for id in rows {
                if self.data.rows.get(id).is_some_and(|r| r.state() != RowState::Writing) {
                    self.set_state(id, RowState::Writing);
                    happened.push(Happening::Writing(id));
                }
            }
        }
    }

    fn add(&mut self, file: u32, report: &Report, now: Moment, happened: &mut Vec<Happening>) {
        let arrived = self.data.ticks(now);
        let place = self.data.place_code(report.place);
        let mut row = Row::empty(file, place, arrived);
        self.data.fill(&mut row, report);
        if let Some(id) = self.data.rows.push(row) {
            self.data.join_file(id);
            self.link(id, report);
            happened.push(Happening::Arrived(id));
        }
    }

    fn update(&mut self, id: RowId, report: &Report, resized: bool, happened: &mut Vec<Happening>) {
        let Some(mut old) = self.data.rows.get(id).copied() else { return };
        let mut new = old;
        self.data.fill(&mut new, report);
        new.set_state(RowState::Known);
        new.put(flag::STALE, false);
        if let Some(own) = self.workflows.own(id) {
            old.common = own;
        }
        let unread = self.data.common(&old).unread;
        let same = old.same_content(&new) && self.data.seq.get(&id).copied() == report.seq;
        let resized = resized && report.place.is_whole();
        if same && !resized && report.structure.is_none() {
            if old.state() != RowState::Known {
                self.set_state(id, RowState::Known);
            }
            if let Some(row) = self.data.rows.get_mut(id) {
                row.put(flag::STALE, false);
            }
            if old.state() == RowState::Removed {
                happened.push(Happening::Arrived(id));
            }
            return;
        }
        if new.key() != old.key() {
            self.data.settle_name(old.file);
        }
        self.unlink(id);
        if old.state() == RowState::Removed {
            self.data.file_life(old.file, true);
        }
        // What could not be read, and a text that was cut off because it was being written, was no content.
        let partial = |d: &Data, r: &Row| {
            d.headline(r) == Headline::Unreadable
                || matches!(d.common(r).class, Some(Class::JsonTruncated | Class::EmptyFile))
        };
        let rewritten = !unread
            && (!same || resized)
            && !partial(&self.data, &old)
            && self.data.headline(&new) != Headline::Unreadable;
        new.put(flag::REWRITTEN, rewritten || old.has(flag::REWRITTEN));
        new.put(flag::CHAIN, false);
        new.put(flag::COPY, false);
        if let Some(row) = self.data.rows.get_mut(id) {
            *row = new;
        }
        if rewritten {
            self.data.before.insert(id, old.hash);
        }
        self.link(id, report);
        self.data.touch(Touched::Row(id));
        happened.push(match (unread || old.state() == RowState::Removed, rewritten) {
            (true, _) => Happening::Arrived(id),
            (_, true) => Happening::Rewritten(id),
            _ if same => return,
            _ => Happening::Changed(id),
        });
    }

    /// After a row is filled.
    fn link(&mut self, id: RowId, report: &Report) {
        if let Some(seq) = report.seq {
            self.data.seq.insert(id, seq);
        }
        self.commitments.link(id, report);
        self.copies.link(&self.data, id);
        self.workflows.link(&mut self.data, &self.copies, id, report);
        let points_to = report.points_to.iter().map(|p| self.data.key(p)).collect();
        self.attempts.link(&mut self.data, &self.copies, id, points_to);
        if let Some(row) = self.data.rows.get(id).copied() {
            self.data.count_group(row.group, true);
            self.steps_moved(&row);
        }
        self.data.count(id, true);
    }

    /// Before a row changes: everything that was derived from it goes.
    fn unlink(&mut self, id: RowId) {
        self.data.count(id, false);
        self.copies.unlink(&self.data, id);
        self.attempts.unlink(&mut self.data, &self.copies, id);
        self.workflows.unlink(&mut self.data, id);
        self.commitments.unlink(id);
        if let Some(row) = self.data.rows.get(id).copied() {
            self.data.count_group(row.group, false);
            self.steps_moved(&row);
        }
        self.data.seq.remove(&id);
        self.data.touch(Touched::Row(id));
    }

    /// Something about a record changed: workflows that list it may say something else now.
    fn steps_moved(&mut self, row: &Row) {
        for (id, common) in self.workflows.moved(&mut self.data, &self.copies, row.key()) {
            self.data.count(id, false);
            if let Some(row) = self.data.rows.get_mut(id) {
                row.common = common;
            }
            self.data.count(id, true);
            self.data.touch(Touched::Row(id));
        }
    }

    fn set_state(&mut self, id: RowId, state: RowState) {
        let Some(row) = self.data.rows.get(id).copied() else { return };
        if row.state() == state {
            return;
        }
        self.data.count(id, false);
        let (was, is) = (row.state() != RowState::Removed, state != RowState::Removed);
        if let Some(row) = self.data.rows.get_mut(id) {
            row.set_state(state);
        }
        self.data.count(id, true);
        if was != is {
            self.data.file_life(row.file, is);
        }
        self.data.touch(Touched::Row(id));
        self.attempts.reconsider(&mut self.data, &self.copies, id);
        self.steps_moved(&row);
    }

    fn remove(&mut self, id: RowId, happened: &mut Vec<Happening>) {
        let Some(row) = self.data.rows.get(id) else { return };
        if self.data.common(row).unread {
            self.forget(id);
        } else if row.state() != RowState::Removed {
            self.set_state(id, RowState::Removed);
            happened.push(Happening::Removed(id));
        }
    }

    /// Lets a row go for good.
    fn forget(&mut self, id: RowId) {
        if self.data.rows.get(id).is_none() {
            return;
        }
        self.unlink(id);
        self.data.leave_file(id);
        self.data.before.remove(&id);
        self.data.rows.forget(id);
    }

    /// Rows there are, removed ones included.
    pub fn len(&self) -> usize {
        self.data.rows.len()
    }

    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many of each sort.
    pub fn totals(&self) -> &Totals {
        &self.data.totals
    }

    /// Which attempt of how many, when the row stands in a retry chain. Cheap.
    pub fn attempt(&self, id: RowId) -> Option<(u32, u32)> {
        self.attempts.attempt(&self.data, &self.copies, id)
    }

    /// The earlier row a row is a copy of (same id, same bytes), when one is there. Cheap.
    pub fn copy_of(&self, id: RowId) -> Option<RowId> {
        self.copies.original(&self.data, id)
    }

    /// The rows that share id or bytes with a row, at most `limit` of each sort.
    pub fn shared(&self, id: RowId, limit: usize) -> Shared {
        self.copies.shared(&self.data, id, limit)
    }

    /// How many of a workflow's step receipts are in the folder; `None` when the row is no workflow.
    pub fn steps(&self, id: RowId) -> Option<Steps> {
        self.workflows.steps(id)
    }

    /// The row of a record, by path and place. Walks the files: for a choice, not for every row of a frame.
    pub fn find(&self, path: &Path, place: Place) -> Option<RowId> {
        self.data.row_at(self.data.file_at(path)?, place)
    }

    /// The rows that carry this receipt id, removed ones included.
    pub fn by_id(&self, receipt_id: &str) -> Vec<RowId> {
        let key = self.data.known_key(receipt_id).filter(|k| !k.is_absent());
        key.map(|key| self.copies.with_id(&self.data, key).collect()).unwrap_or_default()
    }

    /// Lets rows go until at most `max_rows` are left: removed ones first, then the oldest, failing ones last.
    /// Returns how many left; [`Totals::left`] counts them all. Ask for somewhat fewer than are allowed: each call
    /// walks all rows.
    pub fn limit(&mut self, max_rows: usize) -> usize {
        let surplus = self.len().saturating_sub(max_rows);
        if surplus == 0 {
            return 0;
        }
        let rank = |id: &RowId| {
            let row = self.data.rows.get(*id);
            row.map_or(0u8, |r| match (r.state(), self.data.headline(r).is_failing()) {
                (RowState::Removed, false) => 0,
                (_, false) => 1,
                (RowState::Removed, true) => 2,
                (_, true) => 3,
            })
        };
        let mut leaving: Vec<(u8, RowId)> = self.data.rows.ids(0).map(|id| (rank(&id), id)).collect();
        // The rest need not be in order.
        if surplus < leaving.len() {
            leaving.select_nth_unstable(surplus);
        }
        leaving.truncate(surplus);
        leaving.sort_unstable();
        for (_, id) in leaving {
            self.forget(id);
        }
        self.data.rows.close_up();
        self.data.totals.left = self.data.totals.left.saturating_add(surplus as u64);
        surplus
    }

    /// Bytes in use for rows, texts and indexes, nearly: for measurements.
    pub fn footprint(&self) -> usize {
        self.data.footprint() + self.copies.footprint() + self.attempts.footprint()
    }
}

#[cfg(test)]
mod tests;
