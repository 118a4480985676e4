//! How much arrives: counts a second, for the header's rate and the one-line strip.

use std::collections::VecDeque;

/// One second.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Second {
    /// Records that arrived.
    pub arrived: u32,
    /// Of these and of changed ones, failing.
    pub failing: u32,
}

/// Seconds that are kept.
const KEPT: usize = 600;

/// The last ten minutes, by second.
#[derive(Clone, Debug, Default)]
pub struct Activity {
    seconds: VecDeque<Second>,
    /// The second of the newest entry.
    last: i64,
}

impl Activity {
    /// Moves on to second `now`.
    pub fn tick(&mut self, now: i64) {
        if self.seconds.is_empty() {
            self.last = now;
            self.seconds.push_back(Second::default());
        }
        let passed = usize::try_from(now.saturating_sub(self.last)).unwrap_or(0).min(KEPT);
        for _ in 0..passed {
            self.seconds.push_back(Second::default());
        }
        if passed > 0 {
            self.last = now;
        }
        while self.seconds.len() > KEPT {
            self.seconds.pop_front();
        }
    }

    /// Counts one record.
    pub fn count(&mut self, arrived: bool, failing: bool) {
        if let Some(second) = self.seconds.back_mut() {
            second.arrived = second.arrived.saturating_add(u32::from(arrived));
            second.failing = second.failing.saturating_add(u32::from(failing));
        }
    }

    /// Arrivals a second: the mean of the last three whole seconds, rounded up.
    pub fn rate(&self) -> u32 {
        let sum: u64 = self.seconds.iter().rev().skip(1).take(3).map(|second| u64::from(second.arrived)).sum();
        u32::try_from(sum.div_ceil(3)).unwrap_or(u32::MAX)
    }

    /// The last `columns` intervals of `width` whole seconds each, oldest first.
    pub fn intervals(&self, columns: usize, width: usize) -> Vec<Second> {
        let width = width.max(1);
        // Intervals stand at fixed seconds, so that bars do not change while they wander.
        let phase = usize::try_from(self.last.rem_euclid(i64::try_from(width).unwrap_or(1))).unwrap_or(0) + 1;
        let mut out = Vec::with_capacity(columns);
        let mut newest = self.seconds.iter().rev();
        for n in 0..columns {
            let mut sum = Second::default();
            for second in newest.by_ref().take(if n == 0 { phase } else { width }) {
                sum.arrived = sum.arrived.saturating_add(second.arrived);
                sum.failing = sum.failing.saturating_add(second.failing);
            }
            out.push(sum);
        }
        out.reverse();
        out
    }
}
