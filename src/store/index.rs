//! Hash indexes that keep row numbers only: the key stays in the row. About six bytes an entry.

use std::collections::HashMap;

use super::RowId;

const EMPTY: u32 = u32::MAX;

/// A set of numbers found by the hash of what they stand for. The caller knows hash and equality.
#[derive(Clone, Debug, Default)]
pub(super) struct Index {
    slots: Vec<u32>,
    /// A byte of each hash: nearly every comparison that would fail is spared, and with it a look at a far row.
    tags: Vec<u8>,
    used: usize,
}

/// The byte of a hash that stands beside its number; its place comes from the other end of the hash.
fn tag(hash: u64) -> u8 {
    let [low, ..] = hash.to_le_bytes();
    low
}

impl Index {
    /// Where a hash belongs: any capacity will do, not only powers of two.
    fn home(&self, hash: u64) -> usize {
        let wide = u128::from(hash) * (self.slots.len() as u128);
        usize::try_from(wide >> 64).unwrap_or(0)
    }

    fn next(&self, at: usize) -> usize {
        let next = at.saturating_add(1);
        if next >= self.slots.len() { 0 } else { next }
    }

    /// The number with this hash for which `same` holds.
    pub(super) fn find(&self, hash: u64, same: impl Fn(u32) -> bool) -> Option<u32> {
        let mut at = self.home(hash);
        let tag = tag(hash);
        loop {
            match self.slots.get(at) {
                None | Some(&EMPTY) => return None,
                Some(&value) if self.tags.get(at) == Some(&tag) && same(value) => return Some(value),
                Some(_) => at = self.next(at),
            }
        }
    }

    /// Adds a number that is not in it. `hash_of` gives the hash of every number in it, when it must grow.
    pub(super) fn insert(&mut self, hash: u64, value: u32, hash_of: impl Fn(u32) -> u64) {
        if (self.used + 1) * 6 > self.slots.len() * 5 {
            let mut old = std::mem::take(&mut self.slots);
            let size = (old.len() + old.len() / 2).max(16);
            old.retain(|v| *v != EMPTY);
            // In the order of the rows, so that they are read one after the other.
            old.sort_unstable();
            self.slots = vec![EMPTY; size];
            self.tags = vec![0; size];
            for value in old {
                self.place(hash_of(value), value);
            }
        }
        self.place(hash, value);
        self.used += 1;
    }

    fn place(&mut self, hash: u64, value: u32) {
        let mut at = self.home(hash);
        while self.slots.get(at).is_some_and(|v| *v != EMPTY) {
            at = self.next(at);
        }
        self.put(at, value, tag(hash));
    }

    fn put(&mut self, at: usize, value: u32, tag: u8) {
        if let (Some(slot), Some(beside)) = (self.slots.get_mut(at), self.tags.get_mut(at)) {
            (*slot, *beside) = (value, tag);
        }
    }

    fn slot_of(&self, hash: u64, value: u32) -> Option<usize> {
        let mut at = self.home(hash);
        loop {
            match self.slots.get(at) {
                None | Some(&EMPTY) => return None,
                Some(v) if *v == value => return Some(at),
                Some(_) => at = self.next(at),
            }
        }
    }

    /// Puts another number of the same key in the place of one.
    pub(super) fn replace(&mut self, hash: u64, old: u32, new: u32) {
        if let Some(slot) = self.slot_of(hash, old).and_then(|at| self.slots.get_mut(at)) {
            *slot = new;
        }
    }

    /// Takes a number out; the entries after it close up, so that no search ends too early.
    pub(super) fn remove(&mut self, hash: u64, value: u32, hash_of: impl Fn(u32) -> u64) {
        let Some(mut hole) = self.slot_of(hash, value) else { return };
        let size = self.slots.len();
        let distance = |from: usize, to: usize| if to >= from { to - from } else { to + size - from };
        let mut at = self.next(hole);
        while let Some(&value) = self.slots.get(at) {
            if value == EMPTY {
                break;
            }
            let hash = hash_of(value);
            if distance(self.home(hash), at) >= distance(hole, at) {
                self.put(hole, value, tag(hash));
                hole = at;
            }
            at = self.next(at);
        }
        self.put(hole, EMPTY, 0);
        self.used = self.used.saturating_sub(1);
    }

    /// Bytes it occupies.
    pub(super) fn footprint(&self) -> usize {
        self.slots.capacity() * (size_of::<u32>() + 1)
    }
}

/// Rows by a key that several of them may share: the first in the index, the others beside it.
#[derive(Clone, Debug, Default)]
pub(super) struct Buckets {
    index: Index,
    more: HashMap<RowId, Vec<RowId>>,
}

impl Buckets {
    /// Rows of one key, lowest number first.
    pub(super) fn get(&self, hash: u64, same: impl Fn(u32) -> bool) -> impl Iterator<Item = RowId> + '_ {
        let first = self.index.find(hash, same);
        let more = first.and_then(|f| self.more.get(&f)).map(Vec::as_slice).unwrap_or_default();
        first.into_iter().chain(more.iter().copied())
    }

    /// Adds a row that is not in it.
    pub(super) fn add(&mut self, hash: u64, id: RowId, same: impl Fn(u32) -> bool, hash_of: impl Fn(u32) -> u64) {
        let Some(first) = self.index.find(hash, same) else { return self.index.insert(hash, id, hash_of) };
        if id < first {
            self.index.replace(hash, first, id);
            let mut more = self.more.remove(&first).unwrap_or_default();
            more.insert(0, first);
            self.more.insert(id, more);
            return;
        }
        let more = self.more.entry(first).or_default();
        if let Err(at) = more.binary_search(&id) {
            more.insert(at, id);
        }
    }

    /// Takes a row out. The rows in it must still have the keys they were added with.
    pub(super) fn remove(&mut self, hash: u64, id: RowId, same: impl Fn(u32) -> bool, hash_of: impl Fn(u32) -> u64) {
        let Some(first) = self.index.find(hash, same) else { return };
        if first != id {
            if let Some(more) = self.more.get_mut(&first) {
                if let Ok(at) = more.binary_search(&id) {
                    more.remove(at);
                }
                if more.is_empty() {
                    self.more.remove(&first);
                }
            }
            return;
        }
        match self.more.remove(&first) {
            Some(mut more) if !more.is_empty() => {
                let new = more.remove(0);
                self.index.replace(hash, first, new);
                if !more.is_empty() {
                    self.more.insert(new, more);
                }
            }
            _ => self.index.remove(hash, id, hash_of),
        }
    }

    /// Bytes it occupies, nearly.
    pub(super) fn footprint(&self) -> usize {
        let more: usize = self.more.values().map(|v| v.capacity() * size_of::<RowId>() + 48).sum();
        self.index.footprint() + more
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::hash::{BuildHasher, RandomState};

    use super::*;

    #[test]
    fn behaves_like_a_set() {
        let state = RandomState::new();
        let hash = |v: u32| state.hash_one(v % 1000);
        let mut index = Index::default();
        let mut model = HashSet::new();
        let mut seed = 7u32;
        for _ in 0..20_000 {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let value = (seed >> 8) % 3000;
            let key = value % 1000;
            let present = index.find(hash(value), |v| v == value).is_some();
            assert_eq!(present, model.contains(&value));
            if present && seed & 64 == 0 {
                index.remove(hash(value), value, hash);
                model.remove(&value);
            } else if !present {
                index.insert(hash(value), value, hash);
                model.insert(value);
            }
            let found = index.find(hash(key), |v| v % 1000 == key);
            assert_eq!(found.is_some(), model.iter().any(|v| v % 1000 == key));
        }
        assert_eq!(index.used, model.len());
    }

    #[test]
    fn buckets_keep_all_rows_of_a_key() {
        let state = RandomState::new();
        let hash = |v: u32| state.hash_one(v % 5);
        let mut buckets = Buckets::default();
        for v in [12u32, 7, 2, 3, 17, 8] {
            buckets.add(hash(v), v, |o| o % 5 == v % 5, hash);
        }
        let of = |b: &Buckets, k: u32| b.get(hash(k), |o| o % 5 == k).collect::<Vec<_>>();
        assert_eq!(of(&buckets, 2), [2, 7, 12, 17]);
        assert_eq!(of(&buckets, 3), [3, 8]);
        for gone in [2u32, 12] {
            buckets.remove(hash(gone), gone, |o| o % 5 == 2, hash);
        }
        assert_eq!(of(&buckets, 2), [7, 17]);
        buckets.remove(hash(7), 7, |o| o % 5 == 2, hash);
        buckets.remove(hash(17), 17, |o| o % 5 == 2, hash);
        assert_eq!(of(&buckets, 2), Vec::<u32>::new());
        assert_eq!(of(&buckets, 3), [3, 8]);
    }
}
