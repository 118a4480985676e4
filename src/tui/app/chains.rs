//! All chains, as the screen of them shows them: asked of the store in slices, and not again with every change.

use std::time::Duration;

use super::{App, Screen, Scroll};
use crate::aer1::grammar::Moment;
use crate::store::{Chains, ChainsJob};

/// Chains, and groups, that are listed: the newest.
const LISTED: usize = 2_000;
/// Nanoseconds between the end of one list and the beginning of the next.
const PAUSE: i128 = 500_000_000;

/// The list of chains, and how it is kept up to date.
#[derive(Debug, Default)]
pub struct AllChains {
    /// The list.
    pub shown: Chains,
    /// Scrolling of it.
    pub scroll: Scroll,
    /// The list was made once.
    pub made: bool,
    /// The count of changes it was made at.
    at: u64,
    done: Option<Moment>,
    job: Option<Box<ChainsJob>>,
    job_at: u64,
}

impl App {
    pub(super) fn toggle_chains(&mut self) {
        self.toggle_screen(Screen::Chains);
        self.chains.done = None;
    }

    /// Makes the list of chains for at most `budget`, when it is on the screen and something changed.
    pub(super) fn run_chains(&mut self, budget: Duration) {
        if self.screen != Screen::Chains {
            self.chains.job = None;
            return;
        }
        let all = &mut self.chains;
        if all.job.is_none() {
            let rested = all.done.is_none_or(|done| self.now.nanos_since(done) >= PAUSE);
            if all.made && (all.at == self.changes || !rested) {
                return;
            }
            all.job = Some(Box::new(ChainsJob::new(LISTED)));
            all.job_at = self.changes;
        }
        let Some(job) = &mut all.job else { return };
        let Some(chains) = job.step(&self.store, budget) else {
            self.busy = true;
            return;
        };
        let key = |chains: &Chains, at: usize| chains.newest.get(at).map(|chain| (chain.first, chain.retry));
        let selected = key(&all.shown, all.scroll.at);
        let again = (0..chains.newest.len()).find(|at| key(&chains, *at) == selected);
        all.scroll.at = again.unwrap_or(all.scroll.at);
        all.shown = chains;
        (all.made, all.at, all.done, all.job) = (true, all.job_at, Some(self.now), None);
        self.dirty = true;
    }
}
