//! How a proof of `docs/promises.md` is run and told: bounded, or in full with `AERSCOPE_HOSTILE=full`.
#![allow(dead_code, reason = "each test file uses a part of it")]

use std::time::Duration;

/// Whether the figures of the full form are wanted.
pub fn full() -> bool {
    std::env::var_os("AERSCOPE_HOSTILE").is_some_and(|value| value == "full")
}

/// The bounded figure, or the full one.
pub fn either<T>(bounded: T, whole: T) -> T {
    if full() { whole } else { bounded }
}

/// The line of a proof. It begins a line whatever stood before it: with one thread the test's name does.
pub fn tell(item: u8, name: &str, figure: &str) {
    println!("\nhostile {item} {name}: {figure}");
}

/// A promised time holds in the full form, on a machine that has nothing else to do; a bounded run only prints it.
pub fn within(what: &str, took: Duration, promised: Duration) {
    assert!(!full() || took <= promised, "{what} took {took:?}, and {promised:?} is promised");
}

/// Milliseconds, for a figure.
pub fn ms(time: Duration) -> String {
    format!("{} ms", time.as_millis())
}

/// Of every hundred, the time that so many are not above.
pub fn percentile(times: &[Duration], of_hundred: usize) -> Duration {
    let mut sorted = times.to_vec();
    sorted.sort_unstable();
    let at = (sorted.len() * of_hundred).div_ceil(100).saturating_sub(1);
    sorted.get(at).copied().unwrap_or_default()
}

/// Numbers that look random, the same in every run (Knuth's MMIX multiplier; its upper bits).
pub struct Numbers(pub u64);

impl Numbers {
    /// A number below `limit`.
    pub fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit.max(1)
    }
}
