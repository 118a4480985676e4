//! An ordered, filtered list, kept up to date in slices.
//!
//! A new filter or order makes a new list beside the old one: rows are looked at in slices, sorted in runs, and the
//! runs merged; the old list stays until the new one is whole. After that only what arrived or was touched is looked
//! at: touched rows leave the list, and those that fit are merged in where they belong.

use std::time::{Duration, Instant};

use crate::store::data::Touched;
use crate::store::{RowId, Store};

use super::matching::Matcher;
use super::order::{Keyed, Keys};
use super::{Filter, Sort};

/// Rows looked at before the clock is.
const SLICE: usize = 4096;
/// Rows sorted at once.
const RUN: usize = 32 * 1024;
/// With more touched rows than this the list is made afresh, in slices.
const AFRESH: usize = 16 * 1024;
/// Rows merged in at once.
const ADDED: usize = 4096;

/// An ordered, filtered list of rows, kept up to date in small steps so that no frame waits for it.
#[derive(Debug)]
pub struct View {
    matcher: Matcher,
    sort: Sort,
    ids: Vec<RowId>,
    /// Rows with lower numbers were looked at.
    next: RowId,
    /// As far as the log of touched rows was read.
    log: u64,
    stale: bool,
    job: Option<Box<Job>>,
    version: u64,
    /// [`RUN`], or less in tests, so that few rows make many runs.
    run: usize,
}

impl Default for View {
    fn default() -> View {
        View::new(Filter::default(), Sort::default())
    }
}

/// A new list in the making.
#[derive(Debug)]
struct Job {
    keys: Keys,
    from: RowId,
    next: RowId,
    end: RowId,
    log: u64,
    rows: Vec<Keyed>,
    merged: Vec<Keyed>,
    phase: Phase,
    run: usize,
}

#[derive(Debug)]
enum Phase {
    Look,
    SortRuns(usize),
    Merge(Merge),
    Done,
}

/// Where merging runs of `width` stands: the pair that begins at `start`, and how far each of the two was taken.
#[derive(Debug)]
struct Merge {
    width: usize,
    start: usize,
    left: usize,
    right: usize,
}

impl View {
    /// A view that shows nothing until it is stepped.
    pub fn new(filter: Filter, sort: Sort) -> View {
        View {
            matcher: Matcher::new(filter),
            sort,
            ids: Vec::new(),
            next: 0,
            log: 0,
            stale: true,
            job: None,
            version: 0,
            run: RUN,
        }
    }

    /// Sorts in runs of so few rows that merging is tested.
    #[cfg(test)]
    pub(in crate::store) fn in_runs_of(mut self, run: usize) -> View {
        self.run = run.max(1);
        self
    }

    /// Another filter or order. The list stays as it is until steps have made the new one.
    pub fn set(&mut self, filter: Filter, sort: Sort) {
        self.matcher = Matcher::new(filter);
        self.sort = sort;
        self.stale = true;
        self.job = None;
    }

    /// The filter that was set last.
    pub fn filter(&self) -> &Filter {
        self.matcher.filter()
    }

    /// The order that was set last.
    pub fn sort(&self) -> Sort {
        self.sort
    }

    /// A number that changes when the list may have changed.
    pub fn version(&self) -> u64 {
        self.version
    }

    /// How far a new list is, in percent; `None` when none is being made.
    pub fn progress(&self) -> Option<u8> {
        let job = self.job.as_ref()?;
        let share = |done: usize, all: usize| done.saturating_mul(100).checked_div(all).unwrap_or(100);
        let percent = match &job.phase {
            Phase::Look => share((job.next - job.from) as usize, (job.end - job.from) as usize) / 2,
            Phase::SortRuns(done) => 50 + share(*done, job.rows.len()) / 4,
            Phase::Merge(_) => 80,
            Phase::Done => 100,
        };
        Some(u8::try_from(percent.min(100)).unwrap_or(100))
    }

    /// The rows, in order.
    pub fn ids(&self) -> &[RowId] {
        &self.ids
    }

    /// Where a row stands in the list. Walks the list: about a tenth of a millisecond at 1,000,000 rows.
    pub fn position(&self, id: RowId) -> Option<usize> {
        // In blocks, so that the compiler can compare many at once.
        let block = self.ids.chunks(256).position(|block| block.contains(&id))?;
        let start = block * 256;
        let within = self.ids.get(start..)?.iter().position(|i| *i == id)?;
        Some(start + within)
    }

    /// Brings the view up to date with the store for about `budget`; true when it is. A step always gets somewhere,
    /// however small the budget.
    pub fn step(&mut self, store: &Store, budget: Duration) -> bool {
        let deadline = Instant::now().checked_add(budget);
        let late = || deadline.is_some_and(|d| Instant::now() >= d);
        loop {
            if self.stale {
                self.stale = false;
                self.job = Some(Box::new(Job::new(store, self.sort, self.run)));
            }
            if let Some(job) = &mut self.job {
                job.slice(store, &mut self.matcher);
                if matches!(job.phase, Phase::Done) {
                    self.ids.clear();
                    self.ids.extend(job.rows.iter().map(|k| job.keys.id(k)));
                    (self.next, self.log) = (job.end, job.log);
                    self.job = None;
                    self.version += 1;
                }
            } else if self.up_to_date(store) {
                return true;
            } else {
                self.catch_up(store);
            }
            if late() {
                return self.job.is_none() && self.up_to_date(store);
            }
        }
    }

    fn up_to_date(&self, store: &Store) -> bool {
        !self.stale && self.next == store.data.rows.end() && self.log == store.data.log_end()
    }

    /// One slice of what arrived or was touched.
    fn catch_up(&mut self, store: &Store) {
        let data = &store.data;
        let end = data.rows.end();
        let new = (end - self.next.min(end)) as usize;
        let Some(touched) = data.touched_since(self.log) else {
            self.stale = true;
            return;
        };
        let mut dirty: Vec<RowId> = Vec::new();
        for touch in touched {
            match touch {
                Touched::Row(id) => dirty.push(id),
                Touched::Chain(chain) if self.matcher.looks_at_chains() => {
                    let linked = store.attempts.linked(chain);
                    dirty.extend(linked.into_iter().flat_map(|l| l.attempts.iter().chain(&l.copies)));
                }
                Touched::Chain(_) => {}
            }
        }
        // Rows that were never looked at come with the new ones.
        dirty.retain(|id| *id < self.next);
        if dirty.len() > AFRESH || new > (self.ids.len() / 4).max(AFRESH) {
            self.stale = true;
            return;
        }
        self.log = data.log_end();
        dirty.sort_unstable();
        dirty.dedup();
        if let (Some(first), Some(last)) = (dirty.first().copied(), dirty.last().copied()) {
            let mut marks = vec![false; (last - first) as usize + 1];
            for id in &dirty {
                if let Some(mark) = marks.get_mut((id - first) as usize) {
                    *mark = true;
                }
            }
            let marked = |id: RowId| id.checked_sub(first).and_then(|at| marks.get(at as usize)).copied() == Some(true);
            self.ids.retain(|id| !marked(*id));
            self.version += 1;
        }
        let stop = end.min(self.next.saturating_add(u32::try_from(ADDED).unwrap_or(u32::MAX)));
        let mut added = dirty;
        added.extend(self.next..stop);
        self.next = stop;
        added.retain(|id| self.matcher.fits(store, *id));
        added.sort_unstable_by(|a, b| self.sort.compare(data, *a, *b));
        self.merge(store, &added);
    }

    /// Puts rows that are in order among those that are, from the end.
    fn merge(&mut self, store: &Store, added: &[RowId]) {
        if added.is_empty() {
            return;
        }
        self.version += 1;
        let data = &store.data;
        let mut kept = self.ids.len();
        self.ids.resize(kept + added.len(), 0);
        let mut end = self.ids.len();
        for id in added.iter().rev() {
            let old = self.ids.get(..kept).unwrap_or_default();
            let at = place_from_end(old, |o| self.sort.compare(data, o, *id).is_lt());
            end = end.saturating_sub(kept - at);
            self.ids.copy_within(at..kept, end);
            kept = at;
            end = end.saturating_sub(1);
            if let Some(slot) = self.ids.get_mut(end) {
                *slot = *id;
            }
        }
    }
}

/// Where the rows that come `before` end. Looked for from the end in growing steps: of many rows to be merged each one
/// belongs near the one placed last.
fn place_from_end(rows: &[RowId], before: impl Fn(RowId) -> bool) -> usize {
    let (mut end, mut step) = (rows.len(), 1);
    let start = loop {
        let at = end.saturating_sub(step);
        match rows.get(at..end).and_then(<[RowId]>::first) {
            Some(first) if !before(*first) => (end, step) = (at, step * 2),
            _ => break at,
        }
    };
    let within = rows.get(start..end).unwrap_or_default();
    start + within.partition_point(|row| before(*row))
}

impl Job {
    fn new(store: &Store, sort: Sort, run: usize) -> Job {
        let data = &store.data;
        let from = data.rows.lowest();
        Job {
            keys: Keys::new(data, sort),
            from,
            next: from,
            end: data.rows.end(),
            log: data.log_end(),
            rows: Vec::new(),
            merged: Vec::new(),
            phase: Phase::Look,
            run,
        }
    }

    /// A millisecond or two of work.
    fn slice(&mut self, store: &Store, matcher: &mut Matcher) {
        match &mut self.phase {
            Phase::Look => {
                let stop = self.end.min(self.next.saturating_add(u32::try_from(SLICE).unwrap_or(u32::MAX)));
                for id in self.next..stop {
                    if matcher.fits(store, id)
                        && let Some(row) = store.data.rows.get(id)
                    {
                        self.rows.push(self.keys.of(&store.data, id, row));
                    }
                }
                self.next = stop;
                if stop >= self.end {
                    self.phase = Phase::SortRuns(0);
                }
            }
            Phase::SortRuns(done) => {
                let stop = self.rows.len().min(*done + self.run);
                if let Some(run) = self.rows.get_mut(*done..stop) {
                    if self.keys.exact() {
                        run.sort_unstable_by_key(Keyed::whole);
                    } else {
                        run.sort_unstable_by(|a, b| self.keys.compare(&store.data, a, b));
                    }
                }
                *done = stop;
                if stop >= self.rows.len() {
                    self.phase = if self.rows.len() <= self.run {
                        Phase::Done
                    } else {
                        self.merged.reserve_exact(self.rows.len());
                        Phase::Merge(Merge { width: self.run, start: 0, left: 0, right: 0 })
                    };
                }
            }
            Phase::Merge(merge) => {
                let keys = &self.keys;
                let merged = if keys.exact() {
                    merge.slice(&self.rows, &mut self.merged, |a, b| a.whole() <= b.whole())
                } else {
                    merge.slice(&self.rows, &mut self.merged, |a, b| keys.compare(&store.data, a, b).is_le())
                };
                if merged {
                    std::mem::swap(&mut self.rows, &mut self.merged);
                    self.merged.clear();
                    let width = merge.width * 2;
                    self.phase = if width >= self.rows.len() {
                        Phase::Done
                    } else {
                        Phase::Merge(Merge { width, start: 0, left: 0, right: 0 })
                    };
                }
            }
            Phase::Done => {}
        }
    }
}

impl Merge {
    /// Merges on for a while; true when all pairs of this width are merged.
    fn slice(&mut self, rows: &[Keyed], out: &mut Vec<Keyed>, before: impl Fn(&Keyed, &Keyed) -> bool) -> bool {
        let middle = rows.len().min(self.start + self.width);
        let end = rows.len().min(middle + self.width);
        let left = rows.get(self.start + self.left..middle).unwrap_or_default();
        let right = rows.get(middle + self.right..end).unwrap_or_default();
        if self.left == 0 && self.right == 0 {
            // Rows arrive nearly in order, or the list is the other way round: most of one run comes before the other.
            if let Some(first) = right.first() {
                self.left = left.partition_point(|l| before(l, first));
            }
            if self.left == 0
                && let Some(first) = left.first()
            {
                self.right = right.partition_point(|r| !before(first, r));
            }
            if self.left > 0 || self.right > 0 {
                out.extend_from_slice(left.get(..self.left).unwrap_or_default());
                out.extend_from_slice(right.get(..self.right).unwrap_or_default());
                return false;
            }
        }
        if left.is_empty() || right.is_empty() {
            out.extend_from_slice(left);
            out.extend_from_slice(right);
            return self.pair_done(end, rows.len());
        }
        let mut l = left.iter();
        let mut r = right.iter();
        let (mut next_l, mut next_r) = (l.next(), r.next());
        let mut taken = 0usize;
        while taken < RUN {
            match (next_l, next_r) {
                (Some(a), Some(b)) if before(a, b) => {
                    out.push(*a);
                    self.left += 1;
                    next_l = l.next();
                }
                (Some(_), Some(b)) => {
                    out.push(*b);
                    self.right += 1;
                    next_r = r.next();
                }
                // What is left of the other is copied by the next slice.
                _ => return false,
            }
            taken += 1;
        }
        false
    }

    fn pair_done(&mut self, end: usize, all: usize) -> bool {
        self.start = end;
        (self.left, self.right) = (0, 0);
        end >= all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_from_the_end_is_where_those_before_end() {
        for length in 0..40 {
            let rows: Vec<RowId> = (0..length).map(|n| n * 2).collect();
            for limit in 0..=length * 2 + 1 {
                let before = |row: RowId| row < limit;
                assert_eq!(place_from_end(&rows, before), rows.partition_point(|row| before(*row)), "{length} {limit}");
            }
        }
    }
}
