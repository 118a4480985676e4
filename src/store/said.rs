//! What the store says when it is asked about a row or a chain.

use std::borrow::Cow;
use std::path::Path;

use crate::aer1::grammar::Moment;
use crate::aer1::report::{Anchor, BytesState, Class, Headline, IdState, Kind, Labels, Note, Place, Shape, hex};
use crate::record::FileNo;

use super::links::attempts::Linked;
use super::row::{Row, flag};
use super::{NOTES, RowId, RowState, Store};

/// What a row says. Texts are raw, and cut after [`super::MAX_TEXT`] bytes with a count of what is missing.
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
    /// The ids its `retry_of` and `supersedes` name, raw.
    pub points_to: Vec<String>,
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

impl Store {
    /// What a row says; `None` when there is no such row (any more).
    pub fn row(&self, id: RowId) -> Option<RowRef<'_>> {
        let data = &self.data;
        let row = data.rows.get(id)?;
        let common = data.common(row);
        Some(RowRef {
            id,
            file: FileNo(row.file),
            path: Cow::Owned(data.path(row.file)),
            place: data.place(row),
            state: row.state(),
            rewritten: row.has(flag::REWRITTEN),
            kind: common.kind,
            headline: common.headline,
            class: common.class,
            unread: common.unread,
            receipt_id: data.key_text(row.key()),
            tool: data.texts.get(common.tool),
            created: row.created(),
            arrived: data.moment_of(row.arrived),
            provenance: data.texts.get(common.provenance),
            status: data.texts.get(common.status),
            verification_status: data.texts.get(common.verification),
            version: data.texts.get(common.version),
            size: data.size(row.file),
            bytes_len: row.bytes_len(),
            attempt: self.attempt(id),
            bytes: common.bytes,
            shape: common.shape,
            labels: common.labels,
            id_state: common.id_state,
            anchor: common.anchor,
        })
    }

    /// The headline of a row, and its state: for marks and jumps over many rows.
    pub fn verdict(&self, id: RowId) -> Option<(Headline, RowState)> {
        let row = self.data.rows.get(id)?;
        Some((self.data.headline(row), row.state()))
    }

    /// The retry chain a row stands in, attempts in order. Costs as much as the chain is long: ask once, not every frame.
    pub fn chain_of(&self, id: RowId) -> Option<Chain> {
        self.attempts.chain(id).map(|linked| self.tell(linked))
    }

    fn tell(&self, linked: &Linked) -> Chain {
        let data = &self.data;
        let mut attempts: Vec<Attempt> = Vec::with_capacity(linked.attempts.len());
        let mut by_bytes = std::collections::HashMap::new();
        let mut by_inputs = std::collections::HashMap::new();
        for (id, n) in linked.attempts.iter().zip(1u32..) {
            let Some(row) = data.rows.get(*id) else { continue };
            let common = data.common(row);
            let earlier = |first: u32| (first < n).then_some(first);
            let same_bytes = if row.has_hash() { earlier(*by_bytes.entry(row.hash).or_insert(n)) } else { None };
            let commits = row.inputs != [0; 7];
            let same_inputs = if commits { earlier(*by_inputs.entry(row.inputs).or_insert(n)) } else { None };
            let created = row.created();
            let before = attempts.last().and_then(|a| a.created);
            attempts.push(Attempt {
                row: *id,
                n,
                delay: created.zip(before).map(|(now, before)| now.nanos_since(before)),
                created,
                headline: common.headline,
                state: row.state(),
                provenance: data.texts.get(common.provenance).to_owned(),
                status: data.texts.get(common.status).to_owned(),
                same_bytes,
                same_inputs,
                link: self.link_of(row),
                bound: row.has(flag::BOUND),
                points_to: self.attempts.points_to(*id).iter().map(|key| data.key_text(*key).into_owned()).collect(),
                copies: Vec::new(),
            });
        }
        for copy in &linked.copies {
            let Some((n, _)) = self.attempt(*copy) else { continue };
            let attempt = (n as usize).checked_sub(1).and_then(|at| attempts.get_mut(at));
            if let Some(attempt) = attempt {
                attempt.copies.push(*copy);
            }
        }
        let (field, value) = self.link_of_all(linked).unzip();
        Chain {
            bound: field.is_some() && attempts.iter().all(|a| a.bound || a.link.is_none()),
            field,
            value,
            span: self.span(linked.attempts.iter().copied()),
            attempts,
        }
    }

    fn link_of(&self, row: &Row) -> Option<(String, String)> {
        let group = self.data.group(row.group)?;
        let field = self.data.texts.get(group.field).to_owned();
        Some((field, self.data.key_text(group.value).into_owned()))
    }

    /// Field and value of the first attempt that has any.
    fn link_of_all(&self, linked: &Linked) -> Option<(String, String)> {
        linked.attempts.iter().find_map(|id| self.data.rows.get(*id).and_then(|row| self.link_of(row)))
    }

    fn span(&self, rows: impl Iterator<Item = RowId>) -> Option<i128> {
        let times = rows.filter_map(|id| self.data.rows.get(id).and_then(Row::created));
        let (first, last) = times
            .fold(None, |span: Option<(Moment, Moment)>, t| Some(span.map_or((t, t), |(a, b)| (a.min(t), b.max(t)))))?;
        Some(last.nanos_since(first))
    }

    /// The rows of the group (a job, a session, a workflow) a row belongs to, in the order of attempts. Walks every row.
    pub fn group_of(&self, id: RowId) -> Vec<RowId> {
        let data = &self.data;
        let Some(group) = data.rows.get(id).map(|r| r.group).filter(|g| data.group(*g).is_some()) else {
            return Vec::new();
        };
        let mut rows: Vec<RowId> =
            data.rows.ids(0).filter(|o| data.rows.get(*o).is_some_and(|r| r.group == group)).collect();
        rows.sort_by(|a, b| data.order(*a, *b));
        rows
    }

    /// What only the whole folder shows about a record (rules §8). Other records are named by path and place, raw; at
    /// most sixteen of each sort (see [`Store::shared`] for the others).
    pub fn notes(&self, id: RowId) -> Vec<Note> {
        let data = &self.data;
        let mut notes = Vec::new();
        let Some(row) = data.rows.get(id) else { return notes };
        if self.file_name_is_other_id(row) {
            notes.push(Note::FileNameOtherId);
        }
        if let Some(before) = data.before.get(&id) {
            notes.push(Note::Rewritten { before: short_hash(before), after: short_hash(&row.hash) });
        }
        let shared = self.shared(id, NOTES);
        notes.extend(shared.copies.iter().map(|o| Note::CopyOf(self.name(*o))));
        notes.extend(shared.conflicts.iter().map(|o| Note::IdConflict(self.name(*o))));
        notes.extend(shared.replays.iter().map(|o| Note::PossibleReplay(self.name(*o))));
        let pointed = self.attempts.points_to(id).iter();
        let nothing = pointed.filter(|key| !self.copies.with_id(data, **key).any(|o| o != id));
        notes.extend(nothing.map(|key| Note::PointerToNothing(data.key_text(*key).into_owned())));
        if let Some(steps) = self.workflows.steps(id) {
            notes.push(Note::StepsPresent { present: steps.present, listed: steps.listed, failing: steps.failing });
        }
        let fitting = self.commitments.fitting(data, id);
        notes.extend(fitting.iter().take(NOTES).map(|o| Note::CommitmentElsewhere(self.name(*o))));
        notes
    }

    /// Path and place of a row, raw.
    fn name(&self, id: RowId) -> String {
        let Some(row) = self.data.rows.get(id) else { return String::new() };
        format!("{}{}", self.data.path(row.file).to_string_lossy(), self.data.place(row))
    }

    fn file_name_is_other_id(&self, row: &Row) -> bool {
        let key = row.key();
        if !self.data.place(row).is_whole() || key.is_absent() {
            return false;
        }
        self.data.with_name(row.file, |name| {
            let Ok(name) = std::str::from_utf8(name) else { return false };
            let stem = Path::new(name).file_stem().and_then(|s| s.to_str()).unwrap_or_default();
            let stem = stem.to_ascii_lowercase();
            crate::aer1::grammar::is_uuid(&stem) && stem != self.data.key_text(key)
        })
    }
}

/// As much of an output hash as rows keep: 30 of its 64 digits. Empty when there was none.
fn short_hash(hash: &[u8; 15]) -> String {
    if *hash == [0; 15] { String::new() } else { format!("sha256:{}…", hex(hash)) }
}
