//! Commitments in one file that fit a timeline in another (rules §8).

use std::collections::HashMap;

use crate::aer1::report::{Kind, Report};
use crate::store::RowId;
use crate::store::data::Data;

/// What must agree: job, digest of the last entry, number of entries.
type Fact = (String, String, u64);

/// Timelines and commitments by what they commit to.
#[derive(Debug, Default)]
pub(in crate::store) struct Commitments {
    facts: HashMap<RowId, Fact>,
    rows: HashMap<Fact, Vec<RowId>>,
}

impl Commitments {
    pub(in crate::store) fn link(&mut self, id: RowId, report: &Report) {
        let Some(structure) = &report.structure else { return };
        let (root, count) = match report.kind {
            Kind::Chain => (&structure.recomputed_root, u64::try_from(structure.parts.len()).ok()),
            Kind::Commitment => (&structure.declared_root, structure.count),
            _ => return,
        };
        let (Some(group), Some(root), Some(count)) = (&structure.group, root, count) else { return };
        let fact = (group.clone(), root.clone(), count);
        self.rows.entry(fact.clone()).or_default().push(id);
        self.facts.insert(id, fact);
    }

    pub(in crate::store) fn unlink(&mut self, id: RowId) {
        let Some(fact) = self.facts.remove(&id) else { return };
        if let Some(rows) = self.rows.get_mut(&fact) {
            rows.retain(|r| *r != id);
            if rows.is_empty() {
                self.rows.remove(&fact);
            }
        }
    }

    /// The rows of the other kind, in other files, that fit. Only what holds counts: an altered timeline fits nothing.
    pub(in crate::store) fn fitting(&self, data: &Data, id: RowId) -> Vec<RowId> {
        let Some(row) = data.rows.get(id) else { return Vec::new() };
        let kind = data.common(row).kind;
        if data.headline(row).is_failing() {
            return Vec::new();
        }
        let fits = |o: &RowId| {
            data.is_live(*o)
                && data.rows.get(*o).is_some_and(|other| {
                    other.file != row.file && data.common(other).kind != kind && !data.headline(other).is_failing()
                })
        };
        let rows = self.facts.get(&id).and_then(|fact| self.rows.get(fact));
        rows.map(|rows| rows.iter().copied().filter(fits).collect()).unwrap_or_default()
    }
}
