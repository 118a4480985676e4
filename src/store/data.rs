//! The rows and what they are made of: texts, files, places, groups, counts, and the log of what was touched.

use std::cmp::Ordering;
use std::collections::{HashMap, VecDeque};
use std::ffi::OsStr;
use std::hash::{BuildHasher, RandomState};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use crate::aer1::grammar::Moment;
use crate::aer1::report::{Headline, Kind, Place, Report};

use super::index::Index;
use super::row::{Common, Group, IdKey, NONE, Row, Texts, flag, uuid_bytes, uuid_text};
use super::{RowId, RowState, Totals};

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
        if id >= MULTI {
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

    fn footprint(&self) -> usize {
        self.line.capacity() * size_of::<Row>() + self.kept.len() * 96
    }
}

/// A bit of [`File::rows`]: the rest is a number in the list of files with several rows.
const MULTI: u32 = 1 << 31;
/// A name that is `<id of the only row>.json`.
const DERIVED: u32 = u32::MAX - 1;
/// A size that stands beside.
const LARGE: u32 = u32::MAX;

/// A file: folder, name, rows and size, 16 bytes.
#[derive(Clone, Copy, Debug)]
struct File {
    dir: u32,
    name: u32,
    rows: u32,
    size: u32,
}

const NO_FILE: File = File { dir: NONE, name: NONE, rows: NONE, size: 0 };

/// The rows of a file that has several, in the order of their places.
#[derive(Debug, Default)]
struct Several {
    rows: Vec<RowId>,
    /// How many are not removed.
    live: u32,
}

/// The rows of one file.
pub(super) enum FileRows<'a> {
    None,
    One(RowId),
    Several(&'a [RowId]),
}

impl FileRows<'_> {
    pub(super) fn as_slice(&self) -> &[RowId] {
        match self {
            FileRows::None => &[],
            FileRows::One(id) => std::slice::from_ref(id),
            FileRows::Several(ids) => ids,
        }
    }
}

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

    pub(super) fn groups(&self) -> &[Group] {
        &self.groups
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
        let mut text = |t: &Option<String>| self.texts.intern(t.as_deref().unwrap_or_default());
        let common = Common {
            tool: text(&report.tool),
            provenance: text(&report.provenance),
            status: text(&report.status),
            verification: text(&report.verification_status),
            version: text(&report.version),
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

    pub(super) fn place(&self, row: &Row) -> Place {
        place_of(&self.odd_places, row)
    }

    pub(super) fn place_code(&mut self, place: Place) -> u32 {
        match (place.line, place.index()) {
            (0, None) => 0,
            (0, Some(i)) if i < ODD - 2 => i + 1,
            (line, None) if line < ODD => LINE | line,
            _ => {
                let at = u32::try_from(self.odd_places.len()).unwrap_or(ODD).min(ODD - 1);
                self.odd_places.push(place);
                LINE | ODD | at
            }
        }
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

    // ---- files

    fn file(&self, number: u32) -> File {
        self.files.get(number as usize).copied().unwrap_or(NO_FILE)
    }

    fn file_mut(&mut self, number: u32) -> Option<&mut File> {
        self.files.get_mut(number as usize)
    }

    /// Makes sure that a file is known. `id` is the id of its only record, where it has one.
    pub(super) fn ensure_file(&mut self, number: u32, path: &Path, id: Option<IdKey>) {
        let at = number as usize;
        if at >= self.files.len() {
            // The folder thread numbers files one after the other; a gap is a file that never had a row.
            if at > self.files.len().saturating_add(1 << 24) {
                return;
            }
            self.files.resize(at + 1, NO_FILE);
        }
        if self.file(number).dir != NONE {
            return;
        }
        let (dir, name) = split(path);
        let dir = self.dir_number(dir);
        let name = match id {
            Some(key) if key.uuid && name == derived(&key.bytes) => DERIVED,
            _ => self.push_name(name),
        };
        if let Some(file) = self.file_mut(number) {
            *file = File { dir, name, rows: NONE, size: 0 };
        }
    }

    fn dir_number(&mut self, dir: &[u8]) -> u32 {
        if self.dirs.get(self.last_dir as usize).is_some_and(|d| **d == *dir) {
            return self.last_dir;
        }
        let number = match self.dir_numbers.get(dir) {
            Some(number) => *number,
            None => {
                let number = u32::try_from(self.dirs.len()).unwrap_or(NONE);
                self.dirs.push(dir.into());
                self.dir_numbers.insert(dir.into(), number);
                number
            }
        };
        self.last_dir = number;
        number
    }

    fn push_name(&mut self, name: &[u8]) -> u32 {
        let at = u32::try_from(self.names.len()).unwrap_or(NONE);
        let length = u16::try_from(name.len()).unwrap_or(u16::MAX);
        if at >= DERIVED - u32::from(u16::MAX) {
            return NONE;
        }
        self.names.extend_from_slice(&length.to_le_bytes());
        self.names.extend(name.iter().take(usize::from(length)));
        at
    }

    /// How many bytes every file name begins with alike; 0 where names are derived from ids.
    pub(super) fn shared_name_start(&self) -> usize {
        let mut shared: Option<&[u8]> = None;
        let mut at = 0usize;
        // Names stand one after the other; there is nothing between them.
        while let Some(&[low, high]) = self.names.get(at..at + 2) {
            let start = at + 2;
            at = start + usize::from(u16::from_le_bytes([low, high]));
            let name = self.names.get(start..at).unwrap_or_default();
            let old = shared.unwrap_or(name);
            let alike = old.iter().zip(name).take_while(|(a, b)| a == b).count();
            shared = old.get(..alike);
            if alike == 0 {
                return 0;
            }
        }
        let derived = self.files.iter().any(|f| f.name == DERIVED);
        if derived { 0 } else { shared.map_or(0, <[u8]>::len) }
    }

    /// Before the id of a file's only row changes, or the file gets a second row: its name must stand by itself.
    pub(super) fn settle_name(&mut self, number: u32) {
        if self.file(number).name == DERIVED {
            let name = self.with_name(number, <[u8]>::to_vec);
            let at = self.push_name(&name);
            if let Some(file) = self.file_mut(number) {
                file.name = at;
            }
        }
    }

    pub(super) fn set_size(&mut self, number: u32, size: u64) {
        let small = u32::try_from(size).unwrap_or(LARGE);
        if small == LARGE {
            self.large.insert(number, size);
        } else if self.file(number).size == LARGE {
            self.large.remove(&number);
        }
        if let Some(file) = self.file_mut(number) {
            file.size = small;
        }
    }

    pub(super) fn size(&self, number: u32) -> u64 {
        match self.file(number).size {
            LARGE => self.large.get(&number).copied().unwrap_or(u64::from(LARGE)),
            small => u64::from(small),
        }
    }

    pub(super) fn dir_of(&self, number: u32) -> &[u8] {
        self.dir(self.file(number).dir)
    }

    pub(super) fn dir_number_of(&self, number: u32) -> u32 {
        self.file(number).dir
    }

    pub(super) fn dir(&self, number: u32) -> &[u8] {
        self.dirs.get(number as usize).map(|d| &**d).unwrap_or_default()
    }

    pub(super) fn dirs(&self) -> usize {
        self.dirs.len()
    }

    pub(super) fn set_root(&mut self, root: &Path) {
        self.root = root.as_os_str().as_bytes().to_vec();
    }

    /// The part of a folder's path below the opened folder.
    pub(super) fn dir_below_root(&self, number: u32) -> &[u8] {
        let dir = self.dir(number);
        let below = dir.strip_prefix(self.root.as_slice()).unwrap_or(dir);
        if self.root.is_empty() { dir } else { below.strip_prefix(b"/").unwrap_or(below) }
    }

    /// The file name, for as long as `use_it` runs.
    pub(super) fn with_name<T>(&self, number: u32, use_it: impl FnOnce(&[u8]) -> T) -> T {
        let file = self.file(number);
        if file.name == DERIVED {
            let id = self.rows.get(file.rows).map_or([0; 16], |r| r.id);
            return use_it(&derived(&id));
        }
        let at = file.name as usize;
        let length = match self.names.get(at..at.saturating_add(2)) {
            Some(&[low, high]) => usize::from(u16::from_le_bytes([low, high])),
            _ => 0,
        };
        let start = at.saturating_add(2);
        use_it(self.names.get(start..start.saturating_add(length)).unwrap_or_default())
    }

    /// Whether the name is the id of the only row with `.json` after it.
    pub(super) fn is_derived(&self, number: u32) -> bool {
        self.file(number).name == DERIVED
    }

    pub(super) fn path(&self, number: u32) -> PathBuf {
        let dir = self.dir_of(number);
        self.with_name(number, |name| {
            let mut all = Vec::with_capacity(dir.len() + name.len());
            all.extend_from_slice(dir);
            all.extend_from_slice(name);
            PathBuf::from(OsStr::from_bytes(&all))
        })
    }

    pub(super) fn rows_of(&self, number: u32) -> FileRows<'_> {
        match self.file(number).rows {
            NONE => FileRows::None,
            rows if rows & MULTI != 0 => {
                FileRows::Several(self.several.get((rows & !MULTI) as usize).map(|s| &*s.rows).unwrap_or_default())
            }
            id => FileRows::One(id),
        }
    }

    /// The row at a place of a file.
    pub(super) fn row_at(&self, number: u32, place: Place) -> Option<RowId> {
        let rows = self.rows_of(number);
        let rows = rows.as_slice();
        let of = |id: &RowId| self.rows.get(*id).map_or(Place::WHOLE, |r| self.place(r));
        match rows.last() {
            Some(last) if of(last) < place => None,
            _ => rows.binary_search_by(|id| of(id).cmp(&place)).ok().and_then(|at| rows.get(at)).copied(),
        }
    }

    /// Adds a row to its file. Its place must be set.
    pub(super) fn join_file(&mut self, id: RowId) {
        let Some(row) = self.rows.get(id) else { return };
        let (number, live) = (row.file, row.state() != RowState::Removed);
        let place = self.place(row);
        let rows = self.file(number).rows;
        if rows == NONE {
            if let Some(file) = self.file_mut(number) {
                file.rows = id;
            }
            self.totals.files += u64::from(live);
            return;
        }
        if rows & MULTI == 0 {
            self.settle_name(number);
            let was_live = self.rows.get(rows).is_some_and(|r| r.state() != RowState::Removed);
            let at = u32::try_from(self.several.len()).unwrap_or(0) & !MULTI;
            self.several.push(Several { rows: vec![rows], live: u32::from(was_live) });
            if let Some(file) = self.file_mut(number) {
                file.rows = MULTI | at;
            }
        }
        let at = (self.file(number).rows & !MULTI) as usize;
        let data = &self.rows;
        let odd = &self.odd_places;
        let Some(several) = self.several.get_mut(at) else { return };
        let of = |id: &RowId| data.get(*id).map_or(Place::WHOLE, |r| place_of(odd, r));
        let end = several.rows.len();
        let at = match several.rows.last() {
            Some(last) if of(last) > place => several.rows.partition_point(|id| of(id) < place),
            _ => end,
        };
        several.rows.insert(at, id);
        if live {
            several.live += 1;
            self.totals.files += u64::from(several.live == 1);
        }
    }

    /// Takes a row out of its file.
    pub(super) fn leave_file(&mut self, id: RowId) {
        let Some(row) = self.rows.get(id) else { return };
        let (number, live) = (row.file, row.state() != RowState::Removed);
        let rows = self.file(number).rows;
        if rows == id {
            self.settle_name(number);
            if let Some(file) = self.file_mut(number) {
                file.rows = NONE;
            }
            self.totals.files = self.totals.files.saturating_sub(u64::from(live));
        } else if rows != NONE && rows & MULTI != 0 {
            let Some(several) = self.several.get_mut((rows & !MULTI) as usize) else { return };
            several.rows.retain(|r| *r != id);
            if live {
                several.live = several.live.saturating_sub(1);
                self.totals.files = self.totals.files.saturating_sub(u64::from(several.live == 0));
            }
        }
    }

    /// Counts files as a row of theirs goes or comes back.
    pub(super) fn file_life(&mut self, number: u32, live: bool) {
        let rows = self.file(number).rows;
        let turned = match rows {
            NONE => false,
            rows if rows & MULTI == 0 => true,
            rows => match self.several.get_mut((rows & !MULTI) as usize) {
                None => false,
                Some(several) if live => {
                    several.live += 1;
                    several.live == 1
                }
                Some(several) => {
                    several.live = several.live.saturating_sub(1);
                    several.live == 0
                }
            },
        };
        let files = &mut self.totals.files;
        match (turned, live) {
            (false, _) => {}
            (true, true) => *files = files.saturating_add(1),
            (true, false) => *files = files.saturating_sub(1),
        }
    }

    /// The file with this path, if any row is in it; of several the one seen last.
    pub(super) fn file_at(&self, path: &Path) -> Option<u32> {
        let (dir, name) = split(path);
        let dir = *self.dir_numbers.get(dir)?;
        let stem = std::str::from_utf8(name).ok().and_then(|n| n.strip_suffix(".json"));
        let id = stem.and_then(uuid_bytes);
        let length = u16::try_from(name.len()).ok()?.to_le_bytes();
        let here = |number: &usize| {
            let Some(file) = self.files.get(*number).filter(|f| f.dir == dir && f.rows != NONE) else { return false };
            if file.name == DERIVED {
                return id.is_some() && id == self.rows.get(file.rows).map(|r| r.id);
            }
            let at = file.name as usize;
            self.names.get(at..at + 2) == Some(&length) && self.names.get(at + 2..at + 2 + name.len()) == Some(name)
        };
        (0..self.files.len()).rev().find(here).and_then(|n| u32::try_from(n).ok())
    }

    // ---- the log

    pub(super) fn touch(&mut self, what: Touched) {
        if self.log.back() == Some(&what) {
            return;
        }
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

/// A bit of [`Row::place`]: a line number.
const LINE: u32 = 1 << 31;
/// Another: with [`LINE`], a number in the list of odd places.
const ODD: u32 = 1 << 30;

fn place_of(odd: &[Place], row: &Row) -> Place {
    let rest = row.place & (ODD - 1);
    match row.place & (LINE | ODD) {
        0 => rest.checked_sub(1).map_or(Place::WHOLE, |i| Place::WHOLE.at(i)),
        LINE => Place::line(rest),
        _ => odd.get(rest as usize).copied().unwrap_or(Place::WHOLE),
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

/// The folder part, with its slash, and the name.
fn split(path: &Path) -> (&[u8], &[u8]) {
    let all = path.as_os_str().as_bytes();
    let at = all.iter().rposition(|b| *b == b'/').map_or(0, |at| at + 1);
    all.split_at(at)
}

/// `<uuid>.json`
fn derived(id: &[u8; 16]) -> [u8; 41] {
    let mut out = *b"00000000-0000-0000-0000-000000000000.json";
    for (slot, byte) in out.iter_mut().zip(uuid_text(id)) {
        *slot = byte;
    }
    out
}
