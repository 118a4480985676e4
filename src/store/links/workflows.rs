//! Workflows and the receipts of their steps (rules §7, §8).

use std::collections::HashMap;

use crate::aer1::grammar;
use crate::aer1::report::{Headline, Kind, Report};
use crate::store::data::Data;
use crate::store::links::copies::Copies;
use crate::store::row::{IdKey, Sym};
use crate::store::{RowId, RowState};

/// What became of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum StepState {
    Absent,
    Agrees,
    Fails,
}

/// A step as the workflow lists it.
#[derive(Debug)]
struct Step {
    id: IdKey,
    tool: Option<Sym>,
    /// The first 15 bytes of the output hash it lists.
    hash: Option<[u8; 15]>,
    state: StepState,
}

/// A workflow and its steps, sorted by id.
#[derive(Debug)]
struct Workflow {
    steps: Vec<Step>,
    present: u32,
    failing: u32,
    /// Its row's own [`crate::store::row::Common`], before a step lowered it.
    own: u32,
}

/// How many of a workflow's step receipts are there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Steps {
    /// Found in the folder.
    pub present: u32,
    /// Listed by the workflow.
    pub listed: u32,
    /// Present, and failing or disagreeing.
    pub failing: u32,
}

/// Every workflow, and which of them list a receipt id.
#[derive(Debug, Default)]
pub(in crate::store) struct Workflows {
    all: HashMap<RowId, Workflow>,
    listed: HashMap<IdKey, Vec<RowId>>,
}

impl Workflows {
    /// After the row is filled, before it is counted.
    pub(in crate::store) fn link(&mut self, data: &mut Data, copies: &Copies, id: RowId, report: &Report) {
        let Some(structure) = report.structure.as_ref().filter(|_| report.kind == Kind::Workflow) else { return };
        let Some(own) = data.rows.get(id).map(|r| r.common) else { return };
        let mut steps = Vec::with_capacity(structure.parts.len());
        for part in structure.parts.iter().filter(|p| !p.id.is_empty()) {
            let hash = part.output_hash.as_deref().map(|h| h.strip_prefix("sha256:").unwrap_or(h)).and_then(head);
            let tool = part.tool.as_deref().map(|t| data.texts.intern(t));
            steps.push(Step { id: data.key(&part.id), tool, hash, state: StepState::Absent });
        }
        steps.sort_by_key(|s| (s.id.uuid, s.id.bytes));
        let mut workflow = Workflow { steps, present: 0, failing: 0, own };
        let mut last = None;
        for step in &mut workflow.steps {
            step.state = judge(data, copies, id, step);
            workflow.present += u32::from(step.state != StepState::Absent);
            workflow.failing += u32::from(step.state == StepState::Fails);
            if last != Some(step.id) {
                self.listed.entry(step.id).or_default().push(id);
                last = Some(step.id);
            }
        }
        let common = lowered(data, &workflow);
        if let Some(row) = data.rows.get_mut(id) {
            row.common = common;
        }
        self.all.insert(id, workflow);
    }

    /// Before the row changes; it gets its own headline back.
    pub(in crate::store) fn unlink(&mut self, data: &mut Data, id: RowId) {
        let Some(workflow) = self.all.remove(&id) else { return };
        for step in &workflow.steps {
            if let Some(rows) = self.listed.get_mut(&step.id) {
                rows.retain(|r| *r != id);
                if rows.is_empty() {
                    self.listed.remove(&step.id);
                }
            }
        }
        if let Some(row) = data.rows.get_mut(id) {
            row.common = workflow.own;
        }
    }

    /// The workflows whose headline moves because something about the records with this id changed: each with the
    /// [`crate::store::row::Common`] it has now.
    pub(in crate::store) fn moved(&mut self, data: &mut Data, copies: &Copies, key: IdKey) -> Vec<(RowId, u32)> {
        let mut moved = Vec::new();
        if key.is_absent() {
            return moved;
        }
        for id in self.listed.get(&key).map(Vec::as_slice).unwrap_or_default() {
            let Some(workflow) = self.all.get_mut(id) else { continue };
            let start = workflow.steps.partition_point(|s| (s.id.uuid, s.id.bytes) < (key.uuid, key.bytes));
            for step in workflow.steps.iter_mut().skip(start).take_while(|s| s.id == key) {
                let state = judge(data, copies, *id, step);
                let count = |s: StepState| (u32::from(s != StepState::Absent), u32::from(s == StepState::Fails));
                let (before, after) = (count(step.state), count(state));
                step.state = state;
                workflow.present = (workflow.present + after.0).saturating_sub(before.0);
                workflow.failing = (workflow.failing + after.1).saturating_sub(before.1);
            }
            let common = lowered(data, workflow);
            if data.rows.get(*id).is_some_and(|r| r.common != common) {
                moved.push((*id, common));
            }
        }
        moved
    }

    /// The number of what the row's record said by itself.
    pub(in crate::store) fn own(&self, id: RowId) -> Option<u32> {
        self.all.get(&id).map(|w| w.own)
    }

    pub(in crate::store) fn steps(&self, id: RowId) -> Option<Steps> {
        let workflow = self.all.get(&id)?;
        let listed = u32::try_from(workflow.steps.len()).unwrap_or(u32::MAX);
        Some(Steps { present: workflow.present, listed, failing: workflow.failing })
    }
}

/// The first 15 bytes of a digest in lowercase hex.
fn head(hex: &str) -> Option<[u8; 15]> {
    grammar::digest_bytes(hex)?.first_chunk().copied()
}

/// What the records that are here say about a step. One that fails or disagrees is enough.
fn judge(data: &Data, copies: &Copies, workflow: RowId, step: &Step) -> StepState {
    let mut state = StepState::Absent;
    for id in copies.with_id(data, step.id) {
        let Some(row) = data.rows.get(id).filter(|r| id != workflow && r.state() == RowState::Known) else { continue };
        let common = data.common(row);
        let other_hash = step.hash.is_some_and(|h| row.has_hash() && row.hash != h);
        let other_tool = step.tool.is_some_and(|t| common.kind.is_receipt() && common.tool != t);
        if common.headline.is_failing() || other_hash || other_tool {
            return StepState::Fails;
        }
        state = StepState::Agrees;
    }
    state
}

/// What a workflow's row says, given its steps: with a failing one it is at most `unavailable`.
fn lowered(data: &mut Data, workflow: &Workflow) -> u32 {
    let mut common = *data.common_at(workflow.own);
    if workflow.failing == 0 || common.headline.weakness() >= Headline::Unavailable.weakness() {
        return workflow.own;
    }
    common.headline = Headline::Unavailable;
    data.intern_common(common)
}
