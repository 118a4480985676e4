//! Retry chains (rules §9): which records are attempts of one call, and in which order.
//!
//! A chain is what hangs together: records of one call (same group, same tool, same committed inputs; the group alone
//! where the field says so itself), and records one of which names the other in `retry_of` or `supersedes`. Records
//! with the same id and the same bytes are copies of one attempt. Most calls have one record, and cost one number in an
//! index; a chain is made when the second arrives.

use std::collections::HashMap;
use std::hash::BuildHasher;

use crate::aer1::report::Kind;
use crate::store::data::{Data, Touched};
use crate::store::index::Index;
use crate::store::links::copies::Copies;
use crate::store::row::{IdKey, NONE, Row, Sym, flag};
use crate::store::{RowId, RowState};

/// What makes records attempts of one call: group, tool, inputs.
type CallKey = (u32, Sym, [u8; 7]);

/// A tool number that says "any tool".
const ANY_TOOL: Sym = Sym::MAX;

/// Rows that hang together.
#[derive(Debug, Default)]
pub(in crate::store) struct Linked {
    /// The attempts, in order.
    pub(in crate::store) attempts: Vec<RowId>,
    /// Rows that are copies of one of them.
    pub(in crate::store) copies: Vec<RowId>,
    /// Two attempts or more.
    retried: bool,
    /// And the last one failed.
    failed: bool,
}

impl Linked {
    /// Whether it is a retry chain: two attempts or more.
    pub(in crate::store) const fn is_retried(&self) -> bool {
        self.retried
    }
}

#[derive(Debug, Default)]
pub(in crate::store) struct Attempts {
    /// One row of each call.
    calls: Index,
    chains: Vec<Linked>,
    free: Vec<u32>,
    chain_of: HashMap<RowId, u32>,
    /// The ids a row points to, and who points to an id.
    points: HashMap<RowId, Vec<IdKey>>,
    pointed: HashMap<IdKey, Vec<RowId>>,
}

fn call_key(data: &Data, row: &Row) -> Option<CallKey> {
    let group = data.group(row.group)?;
    let common = data.common(row);
    if group.explicit {
        Some((row.group, ANY_TOOL, [0; 7]))
    } else if common.kind.is_receipt() || common.kind == Kind::ProviderError {
        // A timeline or a workflow is no call: its tool is a count of entries.
        Some((row.group, common.tool, row.inputs))
    } else {
        None
    }
}

fn key_of(data: &Data, id: RowId) -> Option<CallKey> {
    data.rows.get(id).and_then(|row| call_key(data, row))
}

fn hash_of(data: &Data, id: RowId) -> u64 {
    key_of(data, id).map_or(0, |k| data.state.hash_one(k))
}

impl Attempts {
    /// After the row is filled and in [`Copies`].
    pub(in crate::store) fn link(&mut self, data: &mut Data, copies: &Copies, id: RowId, points_to: Vec<IdKey>) {
        if let Some(key) = key_of(data, id) {
            let hash = data.state.hash_one(key);
            if self.calls.find(hash, |o| key_of(data, o) == Some(key)).is_none() {
                self.calls.insert(hash, id, |o| hash_of(data, o));
            }
        }
        for target in &points_to {
            self.pointed.entry(*target).or_default().push(id);
        }
        if !points_to.is_empty() {
            self.points.insert(id, points_to);
        }
        self.connect(data, copies, id);
    }

    /// Joins a row with what it hangs together with.
    fn connect(&mut self, data: &mut Data, copies: &Copies, id: RowId) {
        let Some(row) = data.rows.get(id) else { return };
        let mut peers: Vec<RowId> = Vec::new();
        if let Some(key) = call_key(data, row) {
            peers.extend(self.calls.find(data.state.hash_one(key), |o| key_of(data, o) == Some(key)));
        }
        for target in self.points.get(&id).into_iter().flatten() {
            peers.extend(copies.with_id(data, *target));
        }
        if !row.key().is_absent()
            && let Some(pointing) = self.pointed.get(&row.key())
        {
            peers.extend(pointing.iter().copied());
        }
        peers.retain(|p| *p != id);
        if peers.is_empty() {
            return;
        }
        peers.push(id);
        let size = |c: &u32| self.chains.get(*c as usize).map_or(0, |l| l.attempts.len() + l.copies.len());
        let largest = peers.iter().filter_map(|p| self.chain_of.get(p)).copied().max_by_key(size);
        let chain = match largest {
            Some(chain) => chain,
            None => self.new_chain(),
        };
        for peer in peers {
            match self.chain_of.get(&peer).copied() {
                Some(same) if same == chain => {}
                Some(other) => {
                    for row in self.dissolve(data, other) {
                        self.insert(data, copies, chain, row);
                    }
                }
                None => self.insert(data, copies, chain, peer),
            }
        }
        self.settle(data, chain);
    }

    /// Before the row changes or goes, and after it left [`Copies`].
    pub(in crate::store) fn unlink(&mut self, data: &mut Data, copies: &Copies, id: RowId) {
        let chain = self.chain_of.get(&id).copied();
        if let Some(key) = key_of(data, id) {
            let hash = data.state.hash_one(key);
            if self.calls.find(hash, |o| o == id).is_some() {
                let linked = chain.and_then(|c| self.chains.get(c as usize));
                let others = linked.into_iter().flat_map(|l| l.attempts.iter().chain(&l.copies));
                let heir = others.copied().find(|o| *o != id && key_of(data, *o) == Some(key));
                match heir {
                    Some(heir) => self.calls.replace(hash, id, heir),
                    None => self.calls.remove(hash, id, |o| hash_of(data, o)),
                }
            }
        }
        let mut edges = false;
        for target in self.points.remove(&id).into_iter().flatten() {
            edges = true;
            if let Some(pointing) = self.pointed.get_mut(&target) {
                pointing.retain(|p| *p != id);
                if pointing.is_empty() {
                    self.pointed.remove(&target);
                }
            }
        }
        let key = data.rows.get(id).map(Row::key).unwrap_or_default();
        edges |= !key.is_absent() && self.pointed.contains_key(&key);
        let Some(chain) = chain else { return };
        if edges {
            // The row may have been what held the others together.
            let rows = self.dissolve(data, chain);
            self.loose(data, id);
            for other in rows.into_iter().filter(|r| *r != id) {
                self.connect(data, copies, other);
            }
        } else {
            self.take_out(data, copies, chain, id);
            self.settle(data, chain);
        }
    }

    /// After the state of a row changed: of the copies of an attempt, one that is still there stands for it.
    pub(in crate::store) fn reconsider(&mut self, data: &mut Data, copies: &Copies, id: RowId) {
        let Some(chain) = self.chain_of.get(&id).copied() else { return };
        let standing = self.standing(data, copies, chain, id);
        let best = standing.iter().copied().min_by(|a, b| preferred(data, *a, *b));
        let now = standing.iter().copied().find(|r| data.rows.get(*r).is_some_and(|r| !r.has(flag::COPY)));
        if let (Some(best), Some(now)) = (best, now)
            && best != now
        {
            self.take_attempt(data, chain, now);
            self.put_copy(data, chain, now);
            self.take_copy(data, chain, best);
            self.put_attempt(data, chain, best);
        }
        self.settle(data, chain);
    }

    /// Which attempt of how many.
    pub(in crate::store) fn attempt(&self, data: &Data, copies: &Copies, id: RowId) -> Option<(u32, u32)> {
        let row = data.rows.get(id).filter(|r| r.has(flag::CHAIN))?;
        let linked = self.linked(*self.chain_of.get(&id)?)?;
        if !linked.retried {
            return None;
        }
        let first = if row.has(flag::COPY) {
            let mut same = copies.with_id(data, row.key());
            same.find(|o| {
                data.rows.get(*o).is_some_and(|o| !o.has(flag::COPY) && o.has(flag::CHAIN) && o.is_copy_of(row))
                    && self.chain_of.get(o) == self.chain_of.get(&id)
            })?
        } else {
            id
        };
        let at = linked.attempts.binary_search_by(|o| data.order(*o, first)).ok()?;
        Some((u32::try_from(at).ok()?.saturating_add(1), u32::try_from(linked.attempts.len()).ok()?))
    }

    /// The chain a row stands in, if it is a retry chain.
    pub(in crate::store) fn chain(&self, id: RowId) -> Option<&Linked> {
        self.linked(*self.chain_of.get(&id)?).filter(|l| l.retried)
    }

    pub(in crate::store) fn linked(&self, chain: u32) -> Option<&Linked> {
        self.chains.get(chain as usize)
    }

    /// Every slot for a chain; see [`Linked::is_retried`].
    pub(in crate::store) fn slots(&self) -> &[Linked] {
        &self.chains
    }

    /// Whether a row is an attempt of a retry chain, and whether that chain's last attempt failed.
    pub(in crate::store) fn standing_of(&self, row: &Row, id: RowId) -> (bool, bool) {
        if !row.has(flag::CHAIN) {
            return (false, false);
        }
        let linked = self.chain_of.get(&id).and_then(|c| self.linked(*c));
        linked.map_or((false, false), |l| (l.retried, l.failed))
    }

    pub(in crate::store) fn points_to(&self, id: RowId) -> &[IdKey] {
        self.points.get(&id).map_or(&[], Vec::as_slice)
    }

    // ---- one chain

    fn new_chain(&mut self) -> u32 {
        if let Some(chain) = self.free.pop() {
            return chain;
        }
        let chain = u32::try_from(self.chains.len()).unwrap_or(NONE);
        self.chains.push(Linked::default());
        chain
    }

    fn linked_mut(&mut self, chain: u32) -> Option<&mut Linked> {
        self.chains.get_mut(chain as usize)
    }

    /// Takes a chain apart; returns its rows, each standing alone.
    fn dissolve(&mut self, data: &mut Data, chain: u32) -> Vec<RowId> {
        let Some(linked) = self.linked_mut(chain) else { return Vec::new() };
        let linked = std::mem::take(linked);
        self.free.push(chain);
        let mut rows = linked.attempts;
        rows.extend(linked.copies);
        for row in &rows {
            self.loose(data, *row);
        }
        rows
    }

    fn loose(&mut self, data: &mut Data, id: RowId) {
        self.chain_of.remove(&id);
        if let Some(row) = data.rows.get_mut(id) {
            row.put(flag::CHAIN, false);
            row.put(flag::COPY, false);
        }
        data.touch(Touched::Row(id));
    }

    /// The rows of a chain that have the id and bytes of `id`, itself included when it is in the chain.
    fn standing(&self, data: &Data, copies: &Copies, chain: u32, id: RowId) -> Vec<RowId> {
        let Some(row) = data.rows.get(id) else { return Vec::new() };
        if row.key().is_absent() || !row.has_hash() {
            return Vec::new();
        }
        let same = |o: &RowId| {
            data.rows.get(*o).is_some_and(|o| o.has(flag::CHAIN) && o.is_copy_of(row))
                && self.chain_of.get(o) == Some(&chain)
        };
        copies.with_id(data, row.key()).filter(same).collect()
    }

    fn insert(&mut self, data: &mut Data, copies: &Copies, chain: u32, id: RowId) {
        let Some(row) = data.rows.get(id) else { return };
        let attempt = if row.key().is_absent() || !row.has_hash() {
            None
        } else {
            // Most often the first of the bucket: no walk over all copies.
            copies.with_id(data, row.key()).find(|o| {
                *o != id
                    && data.rows.get(*o).is_some_and(|o| o.has(flag::CHAIN) && !o.has(flag::COPY) && o.is_copy_of(row))
                    && self.chain_of.get(o) == Some(&chain)
            })
        };
        self.chain_of.insert(id, chain);
        if let Some(row) = data.rows.get_mut(id) {
            row.put(flag::CHAIN, true);
        }
        match attempt {
            None => self.put_attempt(data, chain, id),
            Some(other) if preferred(data, id, other).is_lt() => {
                self.take_attempt(data, chain, other);
                self.put_copy(data, chain, other);
                self.put_attempt(data, chain, id);
            }
            Some(_) => self.put_copy(data, chain, id),
        }
        data.touch(Touched::Row(id));
    }

    fn take_out(&mut self, data: &mut Data, copies: &Copies, chain: u32, id: RowId) {
        let was_copy = data.rows.get(id).is_some_and(|r| r.has(flag::COPY));
        if was_copy {
            self.take_copy(data, chain, id);
        } else {
            self.take_attempt(data, chain, id);
            let has_copies = self.linked(chain).is_some_and(|l| !l.copies.is_empty());
            if has_copies {
                let standing = self.standing(data, copies, chain, id);
                let heir = standing.into_iter().filter(|o| *o != id).min_by(|a, b| preferred(data, *a, *b));
                if let Some(heir) = heir {
                    self.take_copy(data, chain, heir);
                    self.put_attempt(data, chain, heir);
                }
            }
        }
        self.loose(data, id);
        let rest = self.linked(chain).map(|l| l.attempts.len() + l.copies.len());
        if rest.is_some_and(|n| n < 2) {
            self.dissolve(data, chain);
        }
    }

    fn put_attempt(&mut self, data: &Data, chain: u32, id: RowId) {
        let Some(linked) = self.linked_mut(chain) else { return };
        let attempts = &mut linked.attempts;
        let at = match attempts.last() {
            Some(last) if data.order(*last, id).is_gt() => attempts.partition_point(|o| data.order(*o, id).is_lt()),
            _ => attempts.len(),
        };
        attempts.insert(at, id);
    }

    fn take_attempt(&mut self, data: &Data, chain: u32, id: RowId) {
        let Some(linked) = self.linked_mut(chain) else { return };
        match linked.attempts.binary_search_by(|o| data.order(*o, id)) {
            Ok(at) => {
                linked.attempts.remove(at);
            }
            Err(_) => linked.attempts.retain(|o| *o != id),
        }
    }

    fn put_copy(&mut self, data: &mut Data, chain: u32, id: RowId) {
        if let Some(row) = data.rows.get_mut(id) {
            row.put(flag::COPY, true);
        }
        if let Some(linked) = self.linked_mut(chain) {
            linked.copies.push(id);
        }
    }

    fn take_copy(&mut self, data: &mut Data, chain: u32, id: RowId) {
        if let Some(row) = data.rows.get_mut(id) {
            row.put(flag::COPY, false);
        }
        if let Some(linked) = self.linked_mut(chain)
            && let Some(at) = linked.copies.iter().rposition(|o| *o == id)
        {
            linked.copies.swap_remove(at);
        }
    }

    /// Brings what a chain says of itself up to date.
    fn settle(&mut self, data: &mut Data, chain: u32) {
        let Some(linked) = self.linked_mut(chain) else { return };
        let retried = linked.attempts.len() >= 2;
        let failed =
            retried && linked.attempts.last().and_then(|l| data.rows.get(*l)).is_some_and(|r| is_failed(data, r));
        if (retried, failed) != (linked.retried, linked.failed) {
            (linked.retried, linked.failed) = (retried, failed);
            data.touch(Touched::Chain(chain));
        }
    }

    pub(in crate::store) fn footprint(&self) -> usize {
        let chains: usize = self.chains.iter().map(|l| (l.attempts.capacity() + l.copies.capacity()) * 4 + 56).sum();
        self.calls.footprint() + chains + self.chain_of.capacity() * 9 + self.points.len() * 100
    }
}

/// Which of two copies stands for the attempt: one that is still there, then the first in order.
fn preferred(data: &Data, a: RowId, b: RowId) -> std::cmp::Ordering {
    let removed = |id: RowId| data.rows.get(id).is_some_and(|r| r.state() == RowState::Removed);
    removed(a).cmp(&removed(b)).then_with(|| data.order(a, b))
}

/// Whether an attempt did not come to a good end: by its headline, or by what it says itself.
pub(in crate::store) fn is_failed(data: &Data, row: &Row) -> bool {
    let common = data.common(row);
    let status = data.texts.get(common.status).to_ascii_lowercase();
    let says_so = ["fail", "err", "timeout", "timed_out", "cancel", "abort", "reject", "denied"];
    common.headline.is_failing() || status.ends_with("unavailable") || says_so.iter().any(|w| status.starts_with(w))
}
