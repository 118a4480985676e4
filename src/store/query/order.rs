//! In which order rows stand.

use std::cmp::Ordering;

use crate::aer1::report::Headline;
use crate::store::data::Data;
use crate::store::row::{Common, Row, Sym};
use crate::store::{RowId, RowState};

/// What rows are ordered by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SortKey {
    /// The stated time; rows without one last, whatever the direction.
    Created,
    /// The order in which rows came to be.
    Arrival,
    /// Tool name; rows without one last.
    Tool,
    /// Headline, then class.
    Verdict,
    /// Execution status; rows without one last.
    Status,
    /// Path, then place.
    File,
    /// File size.
    Size,
}

impl SortKey {
    /// Every value, in the order in which they are offered.
    pub const ALL: [SortKey; 7] = [
        SortKey::Created,
        SortKey::Arrival,
        SortKey::Tool,
        SortKey::Verdict,
        SortKey::Status,
        SortKey::File,
        SortKey::Size,
    ];

    /// The word for it.
    pub const fn as_str(self) -> &'static str {
        match self {
            SortKey::Created => "created",
            SortKey::Arrival => "arrival",
            SortKey::Tool => "tool",
            SortKey::Verdict => "verdict",
            SortKey::Status => "status",
            SortKey::File => "file",
            SortKey::Size => "size",
        }
    }

    /// The value with this word.
    pub fn from_word(word: &str) -> Option<SortKey> {
        SortKey::ALL.into_iter().find(|k| k.as_str() == word)
    }
}

/// Key and direction. Equal rows stand in the order of arrival, in the same direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Sort {
    /// By what.
    pub key: SortKey,
    /// Greatest first.
    pub reverse: bool,
}

impl Default for Sort {
    /// Newest first.
    fn default() -> Sort {
        Sort { key: SortKey::Created, reverse: true }
    }
}

impl Sort {
    /// The order of two rows. What is missing comes last in both directions.
    pub(super) fn compare(self, data: &Data, a: RowId, b: RowId) -> Ordering {
        let (ra, rb) = match (data.rows.get(a), data.rows.get(b)) {
            (Some(ra), Some(rb)) => (ra, rb),
            // A row that left while a list is being made: after all others, so that the order stays one.
            (Some(_), None) => return Ordering::Less,
            (None, Some(_)) => return Ordering::Greater,
            (None, None) => return a.cmp(&b),
        };
        let order = match self.key {
            SortKey::Created => self.missing_last(ra.created(), rb.created()),
            SortKey::Arrival => Ordering::Equal,
            SortKey::Tool => self.text(data, data.common(ra).tool, data.common(rb).tool),
            SortKey::Status => self.text(data, data.common(ra).status, data.common(rb).status),
            SortKey::Verdict => self.directed(verdict(ra, data.common(ra)).cmp(&verdict(rb, data.common(rb)))),
            SortKey::File => self.directed(data.file_order(ra, rb)),
            SortKey::Size => self.directed(data.size(ra.file).cmp(&data.size(rb.file))),
        };
        order.then_with(|| self.directed(a.cmp(&b)))
    }

    fn directed(self, order: Ordering) -> Ordering {
        if self.reverse { order.reverse() } else { order }
    }

    fn missing_last<T: Ord>(self, a: Option<T>, b: Option<T>) -> Ordering {
        match (a, b) {
            (Some(a), Some(b)) => self.directed(a.cmp(&b)),
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (None, None) => Ordering::Equal,
        }
    }

    fn text(self, data: &Data, a: Sym, b: Sym) -> Ordering {
        if a == b {
            return Ordering::Equal;
        }
        let of = |sym: Sym| Some(data.texts.get(sym)).filter(|t| !t.is_empty());
        self.missing_last(of(a), of(b))
    }
}

/// From good to bad; rows without a verdict after all.
fn verdict(row: &Row, common: &Common) -> u64 {
    if row.state() == RowState::Writing {
        return u64::MAX >> 1;
    }
    let rank = match common.headline {
        Headline::Verified => 0,
        Headline::Intact => 1,
        Headline::Unavailable => 2,
        Headline::Unsupported => 3,
        Headline::Unreadable => 4,
        Headline::Malformed => 5,
        Headline::Mismatch => 6,
        Headline::NotReceipt => 7,
    };
    rank << 8 | common.class.map_or(0, |c| c as u64 + 1)
}

/// A row with as much of its sort key as fits: 16 bytes, compared without touching the row.
#[derive(Clone, Copy, Debug)]
pub(super) struct Keyed {
    high: u64,
    low: u32,
    tie: u32,
}

/// More distinct texts than this are not ranked beforehand: ranking them would hold up a frame.
const RANKED: usize = 1 << 16;

/// Makes keys for one order.
#[derive(Debug)]
pub(super) struct Keys {
    sort: Sort,
    /// The place of each common part's text among all of them.
    ranks: Vec<u32>,
    /// The place of each folder.
    dirs: Vec<u32>,
    /// What every file name begins with.
    shared: usize,
    /// Whether rows with equal keys are equal.
    exact: bool,
}

impl Keys {
    pub(super) fn new(data: &Data, sort: Sort) -> Keys {
        let mut keys = Keys { sort, ranks: Vec::new(), dirs: Vec::new(), shared: 0, exact: true };
        match sort.key {
            SortKey::Tool => keys.rank(data, |c| c.tool),
            SortKey::Status => keys.rank(data, |c| c.status),
            SortKey::File => {
                keys.exact = false;
                let dirs: Vec<&[u8]> = (0u32..).take(data.dirs()).map(|n| data.dir(n)).collect();
                keys.dirs = ranks(&dirs);
                keys.shared = data.shared_name_start();
            }
            _ => {}
        }
        keys
    }

    fn rank(&mut self, data: &Data, sym: impl Fn(&Common) -> Sym) {
        let texts: Vec<&str> = data.commons().iter().map(|c| data.texts.get(sym(c))).collect();
        if texts.len() <= RANKED {
            self.ranks = ranks(&texts);
        } else {
            self.exact = false;
        }
    }

    pub(super) fn of(&self, data: &Data, id: RowId, row: &Row) -> Keyed {
        let common = data.common(row);
        let key = match self.sort.key {
            SortKey::Created => row.created().map(|m| {
                let secs = m.secs.saturating_add(1 << 39).cast_unsigned() & 0xff_ffff_ffff;
                (secs << 24 | u64::from(m.nanos >> 6), m.nanos & 63)
            }),
            SortKey::Arrival => Some((0, 0)),
            SortKey::Tool => self.text(data, common.tool, row.common),
            SortKey::Status => self.text(data, common.status, row.common),
            SortKey::Verdict => Some((verdict(row, common), 0)),
            SortKey::File => {
                let dir = self.dirs.get(data.dir_number_of(row.file) as usize).copied().unwrap_or(0);
                let (a, b) = data.with_name(row.file, |name| first_bytes(name.get(self.shared..).unwrap_or_default()));
                Some((u64::from(dir) << 32 | u64::from(a), b))
            }
            SortKey::Size => Some((data.size(row.file), 0)),
        };
        let (high, low) = match key {
            None => (u64::MAX, u32::MAX),
            Some((high, low)) if self.sort.reverse => (!high - 1, !low),
            Some(key) => key,
        };
        Keyed { high, low, tie: self.turned(id) }
    }

    /// The row of a key.
    pub(super) fn id(&self, keyed: &Keyed) -> RowId {
        self.turned(keyed.tie)
    }

    fn turned(&self, number: u32) -> u32 {
        if self.sort.reverse { !number } else { number }
    }

    fn text(&self, data: &Data, sym: Sym, common: u32) -> Option<(u64, u32)> {
        if sym == 0 {
            return None;
        }
        if let Some(rank) = self.ranks.get(common as usize) {
            return Some((u64::from(*rank), 0));
        }
        // More came after the ranks were made, or there are too many: by their first letters.
        let (a, b) = first_bytes(data.texts.get(sym).as_bytes());
        Some((u64::from(a) << 32 | u64::from(b), 0))
    }

    /// Whether the keys alone decide.
    pub(super) fn exact(&self) -> bool {
        self.exact
    }

    /// The order of two rows where the keys alone do not decide.
    pub(super) fn compare(&self, data: &Data, a: &Keyed, b: &Keyed) -> Ordering {
        let order = (a.high, a.low).cmp(&(b.high, b.low));
        if order.is_ne() { order } else { self.sort.compare(data, self.id(a), self.id(b)) }
    }
}

impl Keyed {
    /// Key and tie in one number, for exact keys.
    pub(super) fn whole(&self) -> u128 {
        u128::from(self.high) << 64 | u128::from(self.low) << 32 | u128::from(self.tie)
    }
}

/// The first eight bytes as two numbers that sort alike.
fn first_bytes(bytes: &[u8]) -> (u32, u32) {
    let mut all = bytes.iter().copied().chain(std::iter::repeat(0));
    let mut four = || all.by_ref().take(4).fold(0u32, |n, b| n << 8 | u32::from(b));
    (four(), four())
}

/// The rank of each text among all; equal texts have equal ranks.
fn ranks<T: Ord>(texts: &[T]) -> Vec<u32> {
    let mut order: Vec<u32> = (0u32..).take(texts.len()).collect();
    order.sort_unstable_by(|a, b| texts.get(*a as usize).cmp(&texts.get(*b as usize)));
    let mut ranks = vec![0u32; texts.len()];
    let mut rank = 0u32;
    let mut last: Option<&T> = None;
    for number in order {
        let text = texts.get(number as usize);
        if last.is_some() && text != last {
            rank += 1;
        }
        last = text;
        if let Some(slot) = ranks.get_mut(number as usize) {
            *slot = rank;
        }
    }
    ranks
}
