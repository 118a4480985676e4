//! Compact rows: 72 bytes each, texts interned, ids that are UUIDs as 16 bytes.

use std::hash::{BuildHasher, Hash, Hasher, RandomState};

use crate::aer1::grammar::{self, Moment};
use crate::aer1::report::{Anchor, BytesState, Class, Headline, IdState, Kind, Labels, Shape};

use super::RowState;
use super::index::Index;

/// Longer texts are cut after about as many bytes, with a count of what is missing.
pub const MAX_TEXT: usize = 512;

/// No number.
pub(super) const NONE: u32 = u32::MAX;

/// A text, by number. 0 is the empty text.
pub(super) type Sym = u32;

/// Texts, each kept once.
#[derive(Debug)]
pub(super) struct Texts {
    all: String,
    ends: Vec<u32>,
    index: Index,
    state: RandomState,
}

impl Texts {
    pub(super) fn new(state: RandomState) -> Texts {
        let mut texts = Texts { all: String::new(), ends: Vec::new(), index: Index::default(), state };
        texts.intern("");
        texts
    }

    pub(super) fn get(&self, sym: Sym) -> &str {
        let at = sym as usize;
        let start = at.checked_sub(1).and_then(|b| self.ends.get(b)).copied().unwrap_or(0);
        let end = self.ends.get(at).copied().unwrap_or(start);
        self.all.get(start as usize..end as usize).unwrap_or_default()
    }

    /// The number of a text that is already there. Long texts are looked for as they were cut.
    pub(super) fn find(&self, text: &str) -> Option<Sym> {
        match cut(text) {
            Some(short) => self.find_exact(&short),
            None => self.find_exact(text),
        }
    }

    fn find_exact(&self, text: &str) -> Option<Sym> {
        self.index.find(self.state.hash_one(text), |sym| self.get(sym) == text)
    }

    /// [`Self::intern`], with the number that the same member had in the record before: it is often the same text.
    pub(super) fn intern_like(&mut self, recent: &mut Sym, text: &str) -> Sym {
        if self.get(*recent) != text {
            *recent = self.intern(text);
        }
        *recent
    }

    pub(super) fn intern(&mut self, text: &str) -> Sym {
        match cut(text) {
            Some(short) => self.intern_exact(&short),
            None => self.intern_exact(text),
        }
    }

    fn intern_exact(&mut self, text: &str) -> Sym {
        if let Some(sym) = self.find_exact(text) {
            return sym;
        }
        let end = u32::try_from(self.all.len().saturating_add(text.len()));
        let sym = u32::try_from(self.ends.len());
        let (Ok(end), Ok(sym)) = (end, sym) else { return 0 };
        self.all.push_str(text);
        self.ends.push(end);
        let (index, state, all, ends) = (&mut self.index, &self.state, &self.all, &self.ends);
        let hash_of = |sym: u32| {
            let at = sym as usize;
            let start = at.checked_sub(1).and_then(|b| ends.get(b)).copied().unwrap_or(0);
            let end = ends.get(at).copied().unwrap_or(start);
            state.hash_one(all.get(start as usize..end as usize).unwrap_or_default())
        };
        index.insert(state.hash_one(text), sym, hash_of);
        sym
    }

    pub(super) fn footprint(&self) -> usize {
        self.all.len() + self.ends.len() * 4 + self.index.footprint()
    }
}

/// The cut form of a text that is too long to keep.
fn cut(text: &str) -> Option<String> {
    if text.len() <= MAX_TEXT {
        return None;
    }
    let mut end = MAX_TEXT;
    while !text.is_char_boundary(end) {
        end = end.saturating_sub(1);
    }
    let (head, tail) = text.split_at(end);
    Some(format!("{head}… +{}", tail.chars().count()))
}

/// A value that is often a UUID: its 16 bytes, or the number of a text with a keyed hash of the whole of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct IdKey {
    pub(super) bytes: [u8; 16],
    /// Whether `bytes` are a UUID.
    pub(super) uuid: bool,
}

impl IdKey {
    /// Whether there is no value.
    pub(super) fn is_absent(&self) -> bool {
        !self.uuid && self.bytes == [0; 16]
    }

    pub(super) fn of_text(sym: Sym, hash: u64) -> IdKey {
        let mut bytes = [0u8; 16];
        for (slot, byte) in bytes.iter_mut().zip(sym.to_le_bytes().into_iter().chain(hash.to_le_bytes())) {
            *slot = byte;
        }
        IdKey { bytes, uuid: false }
    }

    pub(super) fn sym(&self) -> Sym {
        let [a, b, c, d, ..] = self.bytes;
        u32::from_le_bytes([a, b, c, d])
    }
}

/// The 16 bytes of a lowercase hyphenated UUID.
pub(super) fn uuid_bytes(text: &str) -> Option<[u8; 16]> {
    if !grammar::is_uuid(text) {
        return None;
    }
    grammar::hex_bytes(text.bytes().filter(|b| *b != b'-'))
}

/// The text of a UUID: 36 bytes of ASCII.
pub(super) fn uuid_text(bytes: &[u8; 16]) -> [u8; 36] {
    let hex = |b: u8| {
        let digit = |n: u8| if n < 10 { b'0' + n } else { b'a' - 10 + n };
        [digit(b >> 4), digit(b & 15)]
    };
    let [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p] = bytes.map(hex);
    const DASH: u8 = b'-';
    [
        a[0], a[1], b[0], b[1], c[0], c[1], d[0], d[1], DASH, e[0], e[1], f[0], f[1], DASH, g[0], g[1], h[0], h[1],
        DASH, i[0], i[1], j[0], j[1], DASH, k[0], k[1], l[0], l[1], m[0], m[1], n[0], n[1], o[0], o[1], p[0], p[1],
    ]
}

/// What many rows have in common: few distinct ones among a million rows, so filters look here first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Common {
    pub(super) tool: Sym,
    pub(super) provenance: Sym,
    pub(super) status: Sym,
    pub(super) verification: Sym,
    pub(super) version: Sym,
    pub(super) kind: Kind,
    pub(super) headline: Headline,
    pub(super) class: Option<Class>,
    pub(super) bytes: BytesState,
    pub(super) shape: Shape,
    pub(super) labels: Labels,
    pub(super) id_state: IdState,
    pub(super) anchor: Anchor,
    /// Nothing was read of it yet.
    pub(super) unread: bool,
}

impl Hash for Common {
    /// In four numbers, not fourteen: this runs for every record.
    fn hash<H: Hasher>(&self, state: &mut H) {
        let two = |a: u32, b: u32| u64::from(a) << 32 | u64::from(b);
        state.write_u64(two(self.tool, self.provenance));
        state.write_u64(two(self.status, self.verification));
        state.write_u64(two(self.version, self.class.map_or(0, |c| c as u32 + 1)));
        let states = [
            self.kind as u64,
            self.headline as u64,
            self.bytes as u64,
            self.shape as u64,
            self.labels as u64,
            self.id_state as u64,
            self.anchor as u64,
            u64::from(self.unread),
        ];
        state.write_u64(states.into_iter().fold(0, |all, one| all << 8 | one));
    }
}

/// Bits of [`Row::flags`]. The lowest two are the state; both set: the row is no more.
pub(super) mod flag {
    pub(in crate::store) const STATE: u8 = 0b11;
    pub(in crate::store) const REWRITTEN: u8 = 1 << 2;
    /// Not yet seen again in the reading of its file that is under way.
    pub(in crate::store) const STALE: u8 = 1 << 3;
    /// Stands in a chain as a copy of one of its attempts.
    pub(in crate::store) const COPY: u8 = 1 << 4;
    /// Stands in a chain.
    pub(in crate::store) const CHAIN: u8 = 1 << 5;
    /// The id is a UUID.
    pub(in crate::store) const UUID: u8 = 1 << 6;
    /// The correlation value stands inside the matching bytes.
    pub(in crate::store) const BOUND: u8 = 1 << 7;
}

/// Nanoseconds that say "no time".
const NO_TIME: u32 = u32::MAX;

/// Length that says "no bytes".
const NO_BYTES: u32 = u32::MAX;

/// One record, or one file that has no record yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Row {
    pub(super) id: [u8; 16],
    /// The first 15 bytes of the recomputed output hash; zeros when there is none.
    pub(super) hash: [u8; 15],
    secs_high: u8,
    /// A keyed digest of the committed inputs; zeros when none are committed.
    pub(super) inputs: [u8; 7],
    pub(super) flags: u8,
    secs_low: u32,
    nanos: u32,
    /// Hundredths of a second since the first change.
    pub(super) arrived: u32,
    pub(super) file: u32,
    pub(super) place: u32,
    pub(super) common: u32,
    bytes_len: u32,
    /// The correlation group, or [`NONE`].
    pub(super) group: u32,
}

impl Row {
    /// A row that says nothing yet.
    pub(super) fn empty(file: u32, place: u32, arrived: u32) -> Row {
        Row {
            id: [0; 16],
            hash: [0; 15],
            secs_high: 0,
            inputs: [0; 7],
            flags: 0,
            secs_low: 0,
            nanos: NO_TIME,
            arrived,
            file,
            place,
            common: 0,
            bytes_len: NO_BYTES,
            group: NONE,
        }
    }

    /// Whether the row is no more.
    pub(super) fn is_gone(&self) -> bool {
        self.flags & flag::STATE == flag::STATE
    }

    pub(super) fn state(&self) -> RowState {
        match self.flags & flag::STATE {
            0 => RowState::Known,
            1 => RowState::Writing,
            _ => RowState::Removed,
        }
    }

    pub(super) fn set_state(&mut self, state: RowState) {
        let bits = match state {
            RowState::Known => 0,
            RowState::Writing => 1,
            RowState::Removed => 2,
        };
        self.flags = self.flags & !flag::STATE | bits;
    }

    pub(super) fn has(&self, flag: u8) -> bool {
        self.flags & flag != 0
    }

    pub(super) fn put(&mut self, flag: u8, on: bool) {
        if on {
            self.flags |= flag;
        } else {
            self.flags &= !flag;
        }
    }

    pub(super) fn key(&self) -> IdKey {
        IdKey { bytes: self.id, uuid: self.has(flag::UUID) }
    }

    pub(super) fn set_key(&mut self, key: IdKey) {
        self.id = key.bytes;
        self.put(flag::UUID, key.uuid);
    }

    pub(super) fn has_hash(&self) -> bool {
        self.hash != [0; 15]
    }

    /// Whether both have the same id and the same bytes (rules §8: a copy).
    pub(super) fn is_copy_of(&self, other: &Row) -> bool {
        let key = self.key();
        !key.is_absent() && key == other.key() && self.has_hash() && self.hash == other.hash
    }

    pub(super) fn created(&self) -> Option<Moment> {
        if self.nanos == NO_TIME {
            return None;
        }
        // 40 bits, sign extended.
        let raw = u64::from(self.secs_high) << 56 | u64::from(self.secs_low) << 24;
        Some(Moment { secs: raw.cast_signed() >> 24, nanos: self.nanos })
    }

    pub(super) fn set_created(&mut self, created: Option<Moment>) {
        let (secs, nanos) = created.map_or((0, NO_TIME), |m| (m.secs, m.nanos.min(999_999_999)));
        let raw = secs.clamp(-(1 << 39), (1 << 39) - 1).cast_unsigned();
        self.secs_high = u8::try_from(raw >> 32 & 0xff).unwrap_or(0);
        self.secs_low = u32::try_from(raw & 0xffff_ffff).unwrap_or(0);
        self.nanos = nanos;
    }

    pub(super) fn bytes_len(&self) -> Option<u64> {
        (self.bytes_len != NO_BYTES).then_some(u64::from(self.bytes_len))
    }

    /// Lengths from 4 GiB up are kept as 4 GiB less two: no reader here goes so far.
    pub(super) fn set_bytes_len(&mut self, length: Option<u64>) {
        self.bytes_len = length.map_or(NO_BYTES, |n| u32::try_from(n).unwrap_or(NO_BYTES - 1).min(NO_BYTES - 1));
    }

    /// Whether everything that was read of the record is the same.
    pub(super) fn same_content(&self, other: &Row) -> bool {
        self.id == other.id
            && self.has(flag::UUID) == other.has(flag::UUID)
            && self.has(flag::BOUND) == other.has(flag::BOUND)
            && self.hash == other.hash
            && self.inputs == other.inputs
            && self.created() == other.created()
            && self.common == other.common
            && self.bytes_len == other.bytes_len
            && self.group == other.group
    }
}

/// What links records: a field and a value, once for all its records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Group {
    pub(super) value: IdKey,
    pub(super) field: Sym,
    pub(super) explicit: bool,
    /// How many rows carry it.
    pub(super) rows: u32,
}
