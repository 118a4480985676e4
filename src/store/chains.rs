//! The list of all chains, made in slices: it looks at every row, and no frame waits for that.

use std::time::{Duration, Instant};

use crate::aer1::grammar::Moment;

use super::data::Data;
use super::row::{NONE, Row};
use super::said::ChainSummary;
use super::{RowId, Store};

/// Chains or rows looked at before the clock is.
const SLICE: usize = 1024;

/// A chain or group before its texts are looked up.
#[derive(Clone, Debug)]
struct Outline {
    group: u32,
    count: u32,
    first: RowId,
    last: RowId,
    times: Option<(Moment, Moment)>,
}

impl Default for Outline {
    fn default() -> Outline {
        Outline { group: NONE, count: 0, first: 0, last: 0, times: None }
    }
}

impl Outline {
    fn add(&mut self, id: RowId, row: &Row, before: impl Fn(RowId, RowId) -> bool) {
        if self.count == 0 || !before(self.first, id) {
            self.first = id;
        }
        if self.count == 0 || before(self.last, id) {
            self.last = id;
        }
        self.count += 1;
        if let Some(t) = row.created() {
            self.times = Some(self.times.map_or((t, t), |(a, b)| (a.min(t), b.max(t))));
        }
    }
}

/// The newest of many outlines, and how many there were.
#[derive(Debug)]
struct Newest {
    kept: Vec<Outline>,
    limit: usize,
    all: usize,
}

impl Newest {
    const fn new(limit: usize) -> Newest {
        Newest { kept: Vec::new(), limit, all: 0 }
    }

    fn add(&mut self, data: &Data, outline: Outline) {
        self.all += 1;
        self.kept.push(outline);
        if self.kept.len() > self.limit.saturating_mul(2) {
            self.cut(data);
        }
    }

    fn cut(&mut self, data: &Data) {
        if self.kept.len() > self.limit {
            self.kept.select_nth_unstable_by(self.limit, |a, b| data.order(b.last, a.last));
            self.kept.truncate(self.limit);
        }
    }

    fn told(&mut self, store: &Store, retry: bool) -> Vec<ChainSummary> {
        self.cut(&store.data);
        self.kept.sort_unstable_by(|a, b| store.data.order(b.last, a.last));
        self.kept.iter().filter_map(|outline| store.summary(outline, retry)).collect()
    }
}

/// Retry chains, then the groups of two or more records that are none; of each, the newest first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Chains {
    /// The newest of them.
    pub newest: Vec<ChainSummary>,
    /// How many retry chains there are in all.
    pub retries: usize,
    /// How many groups.
    pub groups: usize,
}

#[derive(Debug)]
enum Phase {
    Links(usize),
    Rows(RowId),
    Groups(usize),
}

/// [`Chains`] in the making. The store may change between two slices: what changed then is told of as it was or as it
/// is, and the next list has it right.
#[derive(Debug)]
pub struct ChainsJob {
    limit: usize,
    phase: Phase,
    retries: Newest,
    groups: Newest,
    /// Rows of each group that stand in a retry chain.
    told: Vec<u32>,
    outlines: Vec<Outline>,
}

impl ChainsJob {
    /// Begins; of chains and of groups, the newest `limit` are told.
    pub const fn new(limit: usize) -> ChainsJob {
        ChainsJob {
            limit,
            phase: Phase::Links(0),
            retries: Newest::new(limit),
            groups: Newest::new(limit),
            told: Vec::new(),
            outlines: Vec::new(),
        }
    }

    /// Goes on for about `budget`; the list, once it is whole.
    pub fn step(&mut self, store: &Store, budget: Duration) -> Option<Chains> {
        let until = Instant::now().checked_add(budget);
        loop {
            if self.slice(store) {
                let mut newest = self.retries.told(store, true);
                let mut groups = self.groups.told(store, false);
                groups.truncate(self.limit.saturating_sub(newest.len()));
                newest.append(&mut groups);
                return Some(Chains { newest, retries: self.retries.all, groups: self.groups.all });
            }
            if until.is_some_and(|until| Instant::now() >= until) {
                return None;
            }
        }
    }

    /// One slice; true at the end.
    fn slice(&mut self, store: &Store) -> bool {
        let data = &store.data;
        match self.phase {
            Phase::Links(at) => {
                let links = store.attempts.slots();
                let end = links.len().min(at + SLICE);
                for linked in links.get(at..end).unwrap_or_default().iter().filter(|linked| linked.is_retried()) {
                    let mut outline = Outline::default();
                    for id in &linked.attempts {
                        let Some(row) = data.rows.get(*id) else { continue };
                        if data.group(outline.group).is_none() {
                            outline.group = row.group;
                        }
                        outline.add(*id, row, |_, _| true);
                    }
                    for row in linked.attempts.iter().chain(&linked.copies).filter_map(|id| data.rows.get(*id)) {
                        let at = row.group as usize;
                        if data.group(row.group).is_some() && at >= self.told.len() {
                            self.told.resize(at + 1, 0);
                        }
                        if let Some(told) = self.told.get_mut(at) {
                            *told += 1;
                        }
                    }
                    self.retries.add(data, outline);
                }
                self.phase = if end < links.len() { Phase::Links(end) } else { Phase::Rows(data.rows.lowest()) };
            }
            Phase::Rows(at) => {
                let end = data.rows.end().min(at.saturating_add(u32::try_from(SLICE).unwrap_or(u32::MAX)));
                for id in at..end {
                    let Some(row) = data.rows.get(id) else { continue };
                    let Some(group) = data.group(row.group) else { continue };
                    // A group whose every record is an attempt of some retry chain is told already.
                    let at = row.group as usize;
                    if group.rows < 2 || self.told.get(at).copied().unwrap_or(0) >= group.rows {
                        continue;
                    }
                    if at >= self.outlines.len() {
                        self.outlines.resize(at + 1, Outline::default());
                    }
                    if let Some(outline) = self.outlines.get_mut(at) {
                        outline.group = row.group;
                        outline.add(id, row, |a, b| data.order(a, b).is_lt());
                    }
                }
                self.phase = if end < data.rows.end() { Phase::Rows(end) } else { Phase::Groups(0) };
            }
            Phase::Groups(at) => {
                let end = self.outlines.len().min(at + SLICE);
                for outline in self.outlines.get(at..end).unwrap_or_default().iter().filter(|one| one.count > 0) {
                    self.groups.add(data, outline.clone());
                }
                self.phase = Phase::Groups(end);
                return end >= self.outlines.len();
            }
        }
        false
    }
}

impl Store {
    /// All retry chains, then the groups of two or more records that are none; of each, the newest first. Walks every
    /// row at once: see [`ChainsJob`] for a screen.
    pub fn chains(&self) -> Vec<ChainSummary> {
        self.newest_chains(usize::MAX)
    }

    /// The first `limit` of [`Store::chains`].
    pub fn newest_chains(&self, limit: usize) -> Vec<ChainSummary> {
        let mut job = ChainsJob::new(limit);
        loop {
            if let Some(chains) = job.step(self, Duration::MAX) {
                return chains.newest;
            }
        }
    }

    fn summary(&self, outline: &Outline, retry: bool) -> Option<ChainSummary> {
        let data = &self.data;
        let common = data.common(data.rows.get(outline.last)?);
        let group = data.group(outline.group);
        Some(ChainSummary {
            retry,
            field: group.map(|g| data.texts.get(g.field).to_owned()),
            value: group.map(|g| data.key_text(g.value).into_owned()),
            count: outline.count,
            tool: if retry { data.texts.get(common.tool).to_owned() } else { String::new() },
            first: outline.first,
            last: outline.last,
            span: outline.times.map(|(first, last)| last.nanos_since(first)),
            headline: common.headline,
            status: data.texts.get(common.status).to_owned(),
        })
    }
}
