//! The rows and what they are made of: texts, files, places, groups, counts, and the log of what was touched.

mod files;

use std::cmp::Ordering;
use std::collections::{HashMap, VecDeque};
use std::hash::{BuildHasher, RandomState};

use crate::aer1::grammar::Moment;
use crate::aer1::report::{Headline, Kind, Place, Report};

use super::index::Index;
use super::row::{Common, Group, IdKey, NONE, Row, Sym, Texts, flag, uuid_bytes, uuid_text};
use super::rows::Rows;
use super::{RowId, RowState, Totals};
use files::{File, Several};

/// What views must look at again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Touched {
    Row(RowId),
    /// Every attempt of this chain.
    Chain(u32),
}

/// How many entries the log of touched rows keeps. A view that is further behind starts afresh.
const LOG: usize = 1 << 16;

#[derive(Debug)]
pub(super) struct Data {
    pub(super) state: RandomState,
    pub(super) texts: Texts,
    /// The texts of the record filled last.
    recent: [Sym; 5],
    pub(super) rows: Rows,
    commons: Vec<Common>,
    common_index: Index,
    groups: Vec<Group>,
    group_index: Index,
    files: Vec<File>,
    large: HashMap<u32, u64>,
    several: Vec<Several>,
    names: Vec<u8>,
    dirs: Vec<Box<[u8]>>,
    dir_numbers: HashMap<Box<[u8]>, u32>,
    last_dir: u32,
    odd_places: Vec<Place>,
    /// The record's own `seq`, of the few rows that have one.
    pub(super) seq: HashMap<RowId, i64>,
    /// The hash before, of rows that were rewritten.
    pub(super) before: HashMap<RowId, [u8; 15]>,
    pub(super) totals: Totals,
    log: VecDeque<Touched>,
    log_start: u64,
    epoch: Option<Moment>,
    root: Vec<u8>,
}

impl Data {
    pub(super) fn new() -> Data {
        let state = RandomState::new();
        Data {
            texts: Texts::new(state.clone()),
            recent: [0; 5],
            state,
            rows: Rows::default(),
            commons: Vec::new(),
            common_index: Index::default(),
            groups: Vec::new(),
            group_index: Index::default(),
            files: Vec::new(),
            large: HashMap::new(),
            several: Vec::new(),
            names: Vec::new(),
            dirs: Vec::new(),
            dir_numbers: HashMap::new(),
            last_dir: NONE,
            odd_places: Vec::new(),
            seq: HashMap::new(),
            before: HashMap::new(),
            totals: Totals::default(),
            log: VecDeque::new(),
            log_start: 0,
            epoch: None,
            root: Vec::new(),
        }
    }

    // ---- time

    /// Hundredths of a second since the first change.
    pub(super) fn ticks(&mut self, now: Moment) -> u32 {
        let epoch = *self.epoch.get_or_insert(now);
        u32::try_from(now.nanos_since(epoch).max(0) / 10_000_000).unwrap_or(u32::MAX)
    }

    pub(super) fn moment_of(&self, ticks: u32) -> Moment {
        let epoch = self.epoch.unwrap_or_default();
        let nanos = u64::from(epoch.nanos) + u64::from(ticks % 100) * 10_000_000;
        let secs = i64::from(ticks / 100) + i64::try_from(nanos / 1_000_000_000).unwrap_or(0);
        Moment { secs: epoch.secs.saturating_add(secs), nanos: u32::try_from(nanos % 1_000_000_000).unwrap_or(0) }
    }

    // ---- what rows share

    pub(super) fn common(&self, row: &Row) -> &Common {
        self.common_at(row.common)
    }

    pub(super) fn common_at(&self, number: u32) -> &Common {
        self.commons.get(number as usize).unwrap_or(&UNREAD)
    }

    pub(super) fn commons(&self) -> &[Common] {
        &self.commons
    }

    pub(super) fn intern_common(&mut self, common: Common) -> u32 {
        let hash = self.state.hash_one(common);
        let commons = &self.commons;
        if let Some(found) = self.common_index.find(hash, |n| commons.get(n as usize) == Some(&common)) {
            return found;
        }
        let number = u32::try_from(self.commons.len()).unwrap_or(NONE);
        self.commons.push(common);
        let (commons, state) = (&self.commons, &self.state);
        self.common_index.insert(hash, number, |n| commons.get(n as usize).map_or(0, |c| state.hash_one(c)));
        number
    }

    pub(super) fn headline(&self, row: &Row) -> Headline {
        self.common(row).headline
    }

    /// Whether a row is there and not removed.
    pub(super) fn is_live(&self, id: RowId) -> bool {
        self.rows.get(id).is_some_and(|r| r.state() != RowState::Removed)
    }

    /// The key of a text that is often a UUID.
    pub(super) fn key(&mut self, text: &str) -> IdKey {
        match uuid_bytes(text) {
            Some(bytes) => IdKey { bytes, uuid: true },
            None if text.is_empty() => IdKey::default(),
            None => IdKey::of_text(self.texts.intern(text), self.state.hash_one(text)),
        }
    }

    /// The key of a text, if any row may have it.
    pub(super) fn known_key(&self, text: &str) -> Option<IdKey> {
        match uuid_bytes(text) {
            Some(bytes) => Some(IdKey { bytes, uuid: true }),
            None => self.texts.find(text).map(|sym| IdKey::of_text(sym, self.state.hash_one(text))),
        }
    }

    pub(super) fn key_text(&self, key: IdKey) -> std::borrow::Cow<'_, str> {
        if key.uuid {
            String::from_utf8_lossy(&uuid_text(&key.bytes)).into_owned().into()
        } else {
            self.texts.get(key.sym()).into()
        }
    }

    // ---- groups

    pub(super) fn group(&self, number: u32) -> Option<&Group> {
        self.groups.get(number as usize)
    }

    pub(super) fn count_group(&mut self, number: u32, arrives: bool) {
        if let Some(group) = self.groups.get_mut(number as usize) {
            group.rows = if arrives { group.rows.saturating_add(1) } else { group.rows.saturating_sub(1) };
        }
    }

    fn intern_group(&mut self, field: &str, value: &str, explicit: bool) -> u32 {
        let field = self.texts.intern(field);
        let value = self.key(value);
        let hash = self.state.hash_one((field, value, explicit));
        let groups = &self.groups;
        let same = |n: u32| {
            groups.get(n as usize).is_some_and(|g| g.field == field && g.value == value && g.explicit == explicit)
        };
        if let Some(found) = self.group_index.find(hash, same) {
            return found;
        }
        let number = u32::try_from(self.groups.len()).unwrap_or(NONE);
        self.groups.push(Group { value, field, explicit, rows: 0 });
        let (groups, state) = (&self.groups, &self.state);
        self.group_index.insert(hash, number, |n| {
            groups.get(n as usize).map_or(0, |g| state.hash_one((g.field, g.value, g.explicit)))
        });
        number
    }

    // ---- rows

    /// Writes what a report says into a row; flags other than those it decides stay.
    pub(super) fn fill(&mut self, row: &mut Row, report: &Report) {
        let key = self.key(report.id.as_deref().unwrap_or_default());
        row.set_key(key);
        row.hash = [0; 15];
        if let Some(hash) = &report.bytes.recomputed {
            for (slot, byte) in row.hash.iter_mut().zip(hash) {
                *slot = *byte;
            }
        }
        row.inputs = [0; 7];
        if let Some(inputs) = &report.inputs {
            // Keyed, so that nobody can prepare two requests that look the same here.
            let digest = self.state.hash_one(inputs).to_le_bytes();
            for (slot, byte) in row.inputs.iter_mut().zip(digest) {
                *slot = byte;
            }
            if row.inputs == [0; 7] {
                row.inputs = [1; 7];
            }
        }
        row.set_created(report.created);
        row.set_bytes_len(report.bytes.length);
        let [tool, provenance, status, verification, version] = &mut self.recent;
        let texts = &mut self.texts;
        let mut text = |recent, t: &Option<String>| texts.intern_like(recent, t.as_deref().unwrap_or_default());
        let common = Common {
            tool: text(tool, &report.tool),
            provenance: text(provenance, &report.provenance),
            status: text(status, &report.status),
            verification: text(verification, &report.verification_status),
            version: text(version, &report.version),
            kind: report.kind,
            headline: report.headline,
            class: report.class,
            bytes: report.bytes.state,
            shape: report.shape,
            labels: report.labels,
            id_state: report.id_state,
            anchor: report.anchor,
            unread: false,
        };
        row.common = self.intern_common(common);
        row.group = report.correlation.as_ref().map_or(NONE, |c| self.intern_group(&c.field, &c.value, c.explicit));
        row.put(flag::BOUND, report.correlation.as_ref().is_some_and(|c| c.bound));
    }

    pub(super) fn fill_unread(&mut self, row: &mut Row) {
        row.common = self.intern_common(UNREAD);
    }

    /// The order of attempts (rules §9): created, unparsable last; then seq, then path, then place.
    pub(super) fn order(&self, a: RowId, b: RowId) -> Ordering {
        let (Some(ra), Some(rb)) = (self.rows.get(a), self.rows.get(b)) else { return a.cmp(&b) };
        none_last(ra.created(), rb.created())
            .then_with(|| none_last(self.seq.get(&a), self.seq.get(&b)))
            .then_with(|| self.path_order(ra, rb))
            .then(a.cmp(&b))
    }

    /// By the bytes of the path, then by place.
    pub(super) fn path_order(&self, a: &Row, b: &Row) -> Ordering {
        if self.dir_number_of(a.file) == self.dir_number_of(b.file) {
            return self.file_order(a, b);
        }
        let (da, db) = (self.dir_of(a.file), self.dir_of(b.file));
        self.with_name(a.file, |na| self.with_name(b.file, |nb| da.iter().chain(na).cmp(db.iter().chain(nb))))
    }

    /// By folder, then by name, then by place: the files of a folder stay together.
    pub(super) fn file_order(&self, a: &Row, b: &Row) -> Ordering {
        if a.file == b.file {
            return self.place(a).cmp(&self.place(b));
        }
        let (da, db) = (self.dir_of(a.file), self.dir_of(b.file));
        da.cmp(db).then_with(|| self.with_name(a.file, |na| self.with_name(b.file, |nb| na.cmp(nb))))
    }

    /// Counts a row in, or out.
    pub(super) fn count(&mut self, id: RowId, arrives: bool) {
        let Some(row) = self.rows.get(id) else { return };
        let (state, headline, unread) = (row.state(), self.headline(row), self.common(row).unread);
        let totals = &mut self.totals;
        let slot = match state {
            RowState::Writing => Some(&mut totals.writing),
            RowState::Removed => Some(&mut totals.removed),
            RowState::Known if unread => None,
            RowState::Known => totals.by_headline.get_mut(headline as usize),
        };
        if let Some(slot) = slot {
            *slot = if arrives { slot.saturating_add(1) } else { slot.saturating_sub(1) };
        }
    }

    // ---- the log

    pub(super) fn touch(&mut self, what: Touched) {
        if self.log.len() >= LOG {
            self.log.pop_front();
            self.log_start += 1;
        }
        self.log.push_back(what);
    }

    /// Where the log ends.
    pub(super) fn log_end(&self) -> u64 {
        self.log_start + self.log.len() as u64
    }

    /// What was touched since; `None` when the log does not reach back so far.
    pub(super) fn touched_since(&self, since: u64) -> Option<impl Iterator<Item = Touched> + '_> {
        let skip = usize::try_from(since.checked_sub(self.log_start)?).ok()?;
        Some(self.log.iter().skip(skip).copied())
    }

    /// Bytes in use, nearly.
    pub(super) fn footprint(&self) -> usize {
        self.rows.footprint()
            + self.texts.footprint()
            + self.commons.capacity() * size_of::<Common>()
            + self.common_index.footprint()
            + self.groups.capacity() * size_of::<Group>()
            + self.group_index.footprint()
            + self.files.capacity() * size_of::<File>()
            + self.names.len()
            + self.several.iter().map(|s| s.rows.capacity() * 4 + 32).sum::<usize>()
            + self.odd_places.len() * 8
            + self.log.capacity() * size_of::<Touched>()
    }
}

/// What a row says of which nothing was read.
pub(super) const UNREAD: Common = Common {
    tool: 0,
    provenance: 0,
    status: 0,
    verification: 0,
    version: 0,
    kind: Kind::None,
    headline: Headline::Unavailable,
    class: None,
    bytes: crate::aer1::report::BytesState::Unavailable,
    shape: crate::aer1::report::Shape::Complete,
    labels: crate::aer1::report::Labels::Unbound,
    id_state: crate::aer1::report::IdState::Absent,
    anchor: crate::aer1::report::Anchor::Absent,
    unread: true,
};

/// `None` after every value.
pub(super) fn none_last<T: Ord>(a: Option<T>, b: Option<T>) -> Ordering {
    match (a, b) {
        (Some(a), Some(b)) => a.cmp(&b),
        (Some(_), None) => Ordering::Less,
        (None, Some(_)) => Ordering::Greater,
        (None, None) => Ordering::Equal,
    }
}
