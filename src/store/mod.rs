//! What has been seen: one compact row a record, counts kept as they change, and what links records with each other.
//!
//! The store is fed with [`Change`]s and asked by the screen. It keeps no bytes of any record, reads nothing and knows
//! no clock but the one handed in. What it holds of foreign text it holds raw: whoever draws it escapes it.

pub mod query;

use std::borrow::Cow;
use std::path::Path;

use crate::aer1::grammar::Moment;
use crate::aer1::report::{Anchor, BytesState, Class, Headline, IdState, Kind, Labels, Note, Place, Shape};
use crate::record::{Change, FileNo};

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

/// What a row says. Texts are raw, and cut after 512 bytes with a count of what is missing.
#[derive(Clone, Debug)]
pub struct RowRef<'a> {
    /// Which row.
    pub id: RowId,
    /// Which file.
    pub file: FileNo,
    /// Its path, below the opened folder's path as it was given.
    pub path: Cow<'a, Path>,
    /// Where in the file.
    pub place: Place,
    /// In which state.
    pub state: RowState,
    /// Whether its content changed while it was watched.
    pub rewritten: bool,
    /// Which kind of document.
    pub kind: Kind,
    /// The headline; means nothing while nothing was read yet (see [`RowRef::unread`]).
    pub headline: Headline,
    /// Why.
    pub class: Option<Class>,
    /// Nothing was ever read of it: it is being written for the first time.
    pub unread: bool,
    /// `id` as it stands in the record; empty when there is none.
    pub receipt_id: Cow<'a, str>,
    /// Tool name; empty when there is none.
    pub tool: &'a str,
    /// The stated time, when it is one.
    pub created: Option<Moment>,
    /// When the row came to be, to a hundredth of a second.
    pub arrived: Moment,
    /// `provenance_class`; empty when there is none.
    pub provenance: &'a str,
    /// The execution status, a claim; empty when there is none.
    pub status: &'a str,
    /// The record's own `verification_status`, a claim; empty when there is none.
    pub verification_status: &'a str,
    /// `receipt_schema_version`; empty when there is none.
    pub version: &'a str,
    /// Size of the file in bytes.
    pub size: u64,
    /// Decoded length of the canonical bytes, when they could be decoded.
    pub bytes_len: Option<u64>,
    /// Which attempt of how many, when it stands in a retry chain.
    pub attempt: Option<(u32, u32)>,
    /// The finding about the bytes.
    pub bytes: BytesState,
    /// The finding about the shape.
    pub shape: Shape,
    /// The finding about the labels.
    pub labels: Labels,
    /// The finding about the id.
    pub id_state: IdState,
    /// The finding about the anchor.
    pub anchor: Anchor,
}

/// One attempt of a retry chain.
#[derive(Clone, Debug, PartialEq)]
pub struct Attempt {
    /// Its row.
    pub row: RowId,
    /// Its number, from 1.
    pub n: u32,
    /// Nanoseconds since the attempt before it; `None` for the first, and where one of the two times is missing.
    pub delay: Option<i128>,
    /// The stated time.
    pub created: Option<Moment>,
    /// Its headline.
    pub headline: Headline,
    /// Its state.
    pub state: RowState,
    /// Its provenance class, raw.
    pub provenance: String,
    /// Its execution status, raw: a claim.
    pub status: String,
    /// The number of the first attempt that carries the same bytes, when that is an earlier one.
    pub same_bytes: Option<u32>,
    /// The number of the first attempt that commits the same inputs, when that is an earlier one.
    pub same_inputs: Option<u32>,
    /// Field and value of its own correlation, raw.
    pub link: Option<(String, String)>,
    /// Whether that value stands inside the matching bytes; else it is a label, not covered by the hash.
    pub bound: bool,
    /// The id its `retry_of` or `supersedes` names, raw.
    pub points_to: Option<String>,
    /// Other rows with the same id and the same bytes: copies of this attempt, not attempts of their own.
    pub copies: Vec<RowId>,
}

/// A retry chain: the attempts of one call, in order (rules §9).
#[derive(Clone, Debug, PartialEq)]
pub struct Chain {
    /// The field that links them; `None` when only pointers do.
    pub field: Option<String>,
    /// Its value, raw.
    pub value: Option<String>,
    /// Whether the field stands inside the matching bytes of every attempt.
    pub bound: bool,
    /// Two or more, in order.
    pub attempts: Vec<Attempt>,
    /// Nanoseconds from the first to the last stated time.
    pub span: Option<i128>,
}

impl Chain {
    /// The last attempt: its headline and status are the outcome.
    pub fn outcome(&self) -> Option<&Attempt> {
        self.attempts.last()
    }
}

/// What a line in the list of chains says.
#[derive(Clone, Debug, PartialEq)]
pub struct ChainSummary {
    /// True: a retry chain. False: a group (a job, a session, a workflow) whose records are not attempts of one call.
    pub retry: bool,
    /// The field that links them; `None` when only pointers do.
    pub field: Option<String>,
    /// Its value, raw.
    pub value: Option<String>,
    /// Attempts, or records of the group.
    pub count: u32,
    /// Tool of the last attempt, raw; empty for a group.
    pub tool: String,
    /// The first and the last row in order.
    pub first: RowId,
    /// The last row in order.
    pub last: RowId,
    /// Nanoseconds from the first to the last stated time.
    pub span: Option<i128>,
    /// Headline of the last.
    pub headline: Headline,
    /// Execution status of the last, raw.
    pub status: String,
}

/// Everything seen in one run.
#[derive(Debug, Default)]
pub struct Store {
    rows: Vec<()>,
    totals: Totals,
}

impl Store {
    /// An empty store.
    pub fn new() -> Store {
        Store::default()
    }

    /// Applies one change; `now` is the arrival time. Returns what happened, for the event log.
    pub fn apply(&mut self, change: Change, now: Moment) -> Vec<Happening> {
        let _ = (change, now);
        Vec::new()
    }

    /// Rows there are, removed ones included.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many of each sort.
    pub fn totals(&self) -> &Totals {
        &self.totals
    }

    /// What a row says; `None` when there is no such row (any more).
    pub fn row(&self, id: RowId) -> Option<RowRef<'_>> {
        let _ = id;
        None
    }

    /// Which attempt of how many. Cheap.
    pub fn attempt(&self, id: RowId) -> Option<(u32, u32)> {
        let _ = id;
        None
    }

    /// The retry chain a row stands in, attempts in order. Costs as much as the chain is long: ask once, not every frame.
    pub fn chain_of(&self, id: RowId) -> Option<Chain> {
        let _ = id;
        None
    }

    /// All retry chains, then the groups that are none, newest first. Walks every row: ask on a change, not every frame.
    pub fn chains(&self) -> Vec<ChainSummary> {
        Vec::new()
    }

    /// What only the whole folder shows about a record (rules §8). Names other records by path and place, raw.
    pub fn notes(&self, id: RowId) -> Vec<Note> {
        let _ = id;
        Vec::new()
    }

    /// The row of a record, by path and place.
    pub fn find(&self, path: &Path, place: Place) -> Option<RowId> {
        let _ = (path, place);
        None
    }

    /// The rows that carry this receipt id, removed ones included.
    pub fn by_id(&self, receipt_id: &str) -> Vec<RowId> {
        let _ = receipt_id;
        Vec::new()
    }

    /// Lets rows go until at most `max_rows` are left: removed ones first, then the oldest, failing ones last.
    /// Returns how many left; [`Totals::left`] counts them all.
    pub fn limit(&mut self, max_rows: usize) -> usize {
        let _ = max_rows;
        0
    }
}
