//! One record, opened: its verdict, the bytes that verdict is about, and what is needed to draw any part of them.

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use super::checks::{self, Statement};
use super::diff::DiffModel;
use super::lines::Lines;
use super::tree::{NoTree, Tree};
use crate::aer1::report::{Class, Fault, Place, Report};
use crate::aer1::verify::{Opened, Verifier};
use crate::config::Limits;
use crate::folder::read::{self, At, Outcome, Refused};

/// What a job of the detail thread came to.
#[derive(Clone, Debug)]
pub enum Loaded {
    /// The record.
    Open(Arc<OpenRecord>),
    /// A comparison.
    Diff(Box<DiffModel>),
    /// The file is being written; there is no verdict.
    Writing {
        /// The file.
        path: Arc<Path>,
        /// The record in it.
        place: Place,
    },
    /// The file can be read, and there is no record at that place any more.
    Gone {
        /// The file.
        path: Arc<Path>,
        /// The place.
        place: Place,
    },
    /// The file is not there any more.
    Vanished {
        /// The file.
        path: Arc<Path>,
        /// The record that was in it.
        place: Place,
    },
    /// The file could not be read.
    Failed {
        /// The file.
        path: Arc<Path>,
        /// The record in it.
        place: Place,
        /// Why.
        reason: Fault,
    },
}

/// One side of a comparison.
#[derive(Clone, Debug)]
pub enum Side {
    /// As it stands in the folder now.
    File(Arc<Path>, Place),
    /// As it was when it was opened.
    Kept(Arc<OpenRecord>),
}

/// What the decoded view shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// The decoded canonical bytes.
    Canonical,
    /// The record's own text, because it has no bytes that can be decoded.
    Record,
}

/// A record and everything that was prepared for drawing it.
#[derive(Debug)]
pub struct OpenRecord {
    /// The file.
    pub path: Arc<Path>,
    /// Where in it.
    pub place: Place,
    /// The verdict on the bytes below.
    pub report: Report,
    /// The decoded canonical bytes.
    pub canonical: Option<Vec<u8>>,
    /// The record's own text, wrapper included.
    pub record: Vec<u8>,
    /// Where in the file `record` begins.
    pub offset: usize,
    /// The members of the receipt: name, and where its value stands in `record`.
    pub members: Vec<(String, Range<usize>)>,
    /// Lines of the decoded view.
    pub lines: Lines,
    /// Rows of the decoded view as JSON.
    pub tree: Result<Tree, NoTree>,
    /// Lines of `record`.
    pub record_lines: Lines,
    /// What the checks tab says.
    pub statements: Vec<Statement>,
}

impl OpenRecord {
    /// Prepares a record for drawing. `text` is the file it was opened from.
    pub fn new(path: Arc<Path>, place: Place, opened: Opened, text: &[u8], max_depth: u32) -> OpenRecord {
        let Opened { report, canonical, span, members } = opened;
        let whole = 0..text.len();
        let span = if span.start < span.end && span.end <= text.len() { span } else { whole };
        let record = text.get(span.clone()).unwrap_or_default().to_vec();
        let inside = |range: &Range<usize>| {
            let start = range.start.checked_sub(span.start)?;
            let end = range.end.checked_sub(span.start)?;
            (start <= end && end <= record.len()).then_some(start..end)
        };
        let members = members.into_iter().filter_map(|(name, at)| Some((name, inside(&at)?))).collect();
        let shown: &[u8] = canonical.as_deref().unwrap_or(&record);
        let statements = checks::statements(&report);
        OpenRecord {
            lines: Lines::new(shown),
            tree: Tree::new(shown, max_depth),
            record_lines: Lines::new(&record),
            offset: span.start,
            path,
            place,
            report,
            canonical,
            record,
            members,
            statements,
        }
    }

    /// What the decoded view shows.
    pub fn source(&self) -> Source {
        if self.canonical.is_some() { Source::Canonical } else { Source::Record }
    }

    /// The bytes of the decoded view.
    pub fn shown(&self) -> &[u8] {
        self.canonical.as_deref().unwrap_or(&self.record)
    }

    /// The text of a member's value as it stands in the record.
    pub fn member(&self, name: &str) -> Option<&[u8]> {
        let (_, range) = self.members.iter().rev().find(|(own, _)| own == name)?;
        self.record.get(range.clone())
    }
}

/// Reads and opens one record.
pub fn load(path: &Arc<Path>, place: Place, verifier: &mut Verifier, limits: &Limits) -> Loaded {
    let path = Arc::clone(path);
    let mut buffer = Vec::new();
    let stamp = match read::read_file(At::path(&path), limits.max_size, &mut buffer) {
        Outcome::Read(stamp) => stamp,
        Outcome::Moving => return Loaded::Writing { path, place },
        Outcome::Refused(refused) => {
            let reason = match refused {
                Refused::Gone => return Loaded::Vanished { path, place },
                Refused::Special => Fault::new(Class::NotAFile),
                Refused::Failed(reason) => reason,
            };
            return Loaded::Failed { path, place, reason };
        }
    };
    let Some(opened) = verifier.open(&buffer, place) else { return Loaded::Gone { path, place } };
    let cut_off = matches!(opened.report.class, Some(Class::JsonTruncated | Class::EmptyFile));
    if cut_off && read::age(&stamp).is_none_or(|age| age < read::YOUNG) {
        return Loaded::Writing { path, place };
    }
    Loaded::Open(Arc::new(OpenRecord::new(path, place, opened, &buffer, limits.max_depth)))
}

/// One side of a comparison, read where it has to be.
pub fn side(side: Side, verifier: &mut Verifier, limits: &Limits) -> Result<Arc<OpenRecord>, Loaded> {
    match side {
        Side::Kept(record) => Ok(record),
        Side::File(path, place) => match load(&path, place, verifier, limits) {
            Loaded::Open(record) => Ok(record),
            failed => Err(failed),
        },
    }
}
