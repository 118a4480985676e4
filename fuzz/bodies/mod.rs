//! What each fuzz target does with any bytes. Plain functions that panic on a fault: cargo-fuzz calls them with bytes it
//! finds, and `tests/fuzz.rs` with our vectors, the finds, and changed ones.

#![allow(dead_code, reason = "each target uses one of them")]

pub mod draw;
pub mod escape;
pub mod json;
pub mod script;
pub mod verify;

/// Bytes taken from the front, for numbers; zeros when there are no more.
pub struct Bytes<'a>(pub &'a [u8]);

impl<'a> Bytes<'a> {
    pub fn byte(&mut self) -> u8 {
        let (first, rest) = self.0.split_first().map_or((0, self.0), |(first, rest)| (*first, rest));
        self.0 = rest;
        first
    }

    pub fn take(&mut self, n: usize) -> &'a [u8] {
        let (taken, rest) = self.0.split_at(n.min(self.0.len()));
        self.0 = rest;
        taken
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}
