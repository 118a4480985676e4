//! Rows with the same id, and rows with the same bytes (rules §8).

use std::collections::HashSet;
use std::hash::BuildHasher;

use crate::store::RowId;
use crate::store::data::Data;
use crate::store::index::Buckets;
use crate::store::row::{IdKey, flag};

/// Rows of one id that [`Copies::original`] looks at.
const LOOKED: usize = 64;

/// Rows by receipt id and by recomputed output hash. Removed rows are in it.
#[derive(Debug, Default)]
pub(in crate::store) struct Copies {
    ids: Buckets,
    hashes: Buckets,
    /// Hashes of ids whose rows did not all carry the same bytes at some time: only there is a conflict looked for among
    /// all of them.
    mixed_ids: HashSet<u64>,
    /// Hashes of bytes whose rows did not all carry the same id at some time.
    mixed_bytes: HashSet<u64>,
}

/// The rows that share something with one row; removed ones and the row itself left out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shared {
    /// Same id, same bytes.
    pub copies: Vec<RowId>,
    /// Same id, other bytes.
    pub conflicts: Vec<RowId>,
    /// Other id, same bytes: possible replays.
    pub replays: Vec<RowId>,
}

fn id_hash(data: &Data, id: RowId) -> u64 {
    data.rows.get(id).map_or(0, |r| data.state.hash_one(r.key()))
}

fn bytes_hash(data: &Data, id: RowId) -> u64 {
    data.rows.get(id).map_or(0, |r| data.state.hash_one(r.hash))
}

impl Copies {
    pub(in crate::store) fn link(&mut self, data: &Data, id: RowId) {
        let Some(row) = data.rows.get(id) else { return };
        let key = row.key();
        if !key.is_absent() {
            let same = |o: u32| data.rows.get(o).is_some_and(|r| r.key() == key);
            let hash = id_hash(data, id);
            let first = self.ids.get(hash, same).next().and_then(|first| data.rows.get(first));
            if first.is_some_and(|first| first.has_hash() != row.has_hash() || first.hash != row.hash) {
                self.mixed_ids.insert(hash);
            }
            self.ids.add(hash, id, same, |o| id_hash(data, o));
        }
        if row.has_hash() {
            let same = |o: u32| data.rows.get(o).is_some_and(|r| r.hash == row.hash);
            let hash = bytes_hash(data, id);
            let first = self.hashes.get(hash, same).next().and_then(|first| data.rows.get(first));
            if first.is_some_and(|first| first.key() != key) {
                self.mixed_bytes.insert(hash);
            }
            self.hashes.add(hash, id, same, |o| bytes_hash(data, o));
        }
    }

    /// Before the row changes.
    pub(in crate::store) fn unlink(&mut self, data: &Data, id: RowId) {
        let Some(row) = data.rows.get(id) else { return };
        let key = row.key();
        if !key.is_absent() {
            let same = |o: u32| data.rows.get(o).is_some_and(|r| r.key() == key);
            self.ids.remove(id_hash(data, id), id, same, |o| id_hash(data, o));
        }
        if row.has_hash() {
            let same = |o: u32| data.rows.get(o).is_some_and(|r| r.hash == row.hash);
            self.hashes.remove(bytes_hash(data, id), id, same, |o| bytes_hash(data, o));
        }
    }

    /// Every row with this id, lowest number first.
    pub(in crate::store) fn with_id<'a>(&'a self, data: &'a Data, key: IdKey) -> impl Iterator<Item = RowId> + 'a {
        self.ids.get(data.state.hash_one(key), move |o| data.rows.get(o).is_some_and(|r| r.key() == key))
    }

    /// The record a row is a copy of: same id, same bytes, seen before it, still there. Looks at a few others only: for
    /// every row of a frame.
    pub(in crate::store) fn original(&self, data: &Data, id: RowId) -> Option<RowId> {
        let row = data.rows.get(id)?;
        let key = row.key();
        if key.is_absent() {
            return None;
        }
        let same = |o: &RowId| *o != id && data.is_live(*o) && data.rows.get(*o).is_some_and(|o| o.is_copy_of(row));
        let mut others = self.with_id(data, key).take(LOOKED);
        // In a retry chain one of the copies stands for the attempt, whichever came first.
        match (row.has(flag::CHAIN), row.has(flag::COPY)) {
            (true, false) => None,
            (true, true) => others.find(same),
            (false, _) => others.take_while(|o| *o < id).find(same),
        }
    }

    /// What a row shares with others, at most `limit` of each sort.
    pub(in crate::store) fn shared(&self, data: &Data, id: RowId, limit: usize) -> Shared {
        let mut shared = Shared::default();
        let Some(row) = data.rows.get(id) else { return shared };
        let here = |o: &RowId| *o != id && data.is_live(*o);
        let key = row.key();
        let mixed = self.mixed_ids.contains(&id_hash(data, id));
        if !key.is_absent() && (mixed || row.has_hash()) {
            for other in self.with_id(data, key).filter(here) {
                let Some(o) = data.rows.get(other) else { continue };
                let list = if o.is_copy_of(row) {
                    &mut shared.copies
                } else if o.has_hash() && row.has_hash() {
                    &mut shared.conflicts
                } else {
                    continue;
                };
                if list.len() < limit {
                    list.push(other);
                }
                if shared.copies.len() >= limit && (!mixed || shared.conflicts.len() >= limit) {
                    break;
                }
            }
        }
        if row.has_hash() {
            let same = |o: u32| data.rows.get(o).is_some_and(|r| r.hash == row.hash);
            let others = self.hashes.get(data.state.hash_one(row.hash), same);
            // A record without an id is no other id.
            let replay = |o: &RowId| data.rows.get(*o).is_some_and(|r| r.key() != key && !r.key().is_absent());
            if !key.is_absent() && self.mixed_bytes.contains(&bytes_hash(data, id)) {
                shared.replays.extend(others.filter(here).filter(replay).take(limit));
            }
        }
        shared
    }

    pub(in crate::store) fn footprint(&self) -> usize {
        let mixed = self.mixed_ids.capacity() + self.mixed_bytes.capacity();
        self.ids.footprint() + self.hashes.footprint() + mixed * 9
    }
}
