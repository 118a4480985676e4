//! What a report is to hold, gathered from the store in slices: no frame waits for a hundred thousand records.

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::{App, Effect};
use crate::store::RowId;
use crate::tui::export::{self, Drawn, Job};
use crate::tui::prompt::Asks;

/// A report whose records are being gathered.
#[derive(Clone, Debug)]
pub struct Gather {
    /// The records, in the order of the list when they were asked for.
    ids: Vec<RowId>,
    at: usize,
    /// Rows of the chains that are gathered already.
    told: HashSet<RowId>,
    job: Job,
}

impl App {
    pub(super) fn begin_export(&mut self, asks: Asks) {
        let count = self.asked_for(asks).len();
        if count == 0 {
            self.say("there is no record to write");
            return;
        }
        self.ask_for(asks, "");
        if let Some(prompt) = &mut self.prompt {
            prompt.hints = vec![export::asked(count)];
        }
    }

    fn asked_for(&self, asks: Asks) -> &[RowId] {
        if asks == Asks::Export { self.list.selected.as_slice() } else { self.view.ids() }
    }

    /// Begins to gather what stands in the list now, for a report in the file `to`.
    pub(super) fn gather(&mut self, asks: Asks, to: PathBuf) {
        let ids = self.asked_for(asks).to_vec();
        let job = Job { to, watched: self.opened.path.clone(), records: Vec::new(), chains: Vec::new() };
        self.gathering = Some(Box::new(Gather { ids, at: 0, told: HashSet::new(), job }));
        self.say("writing the report");
        self.busy = true;
    }

    /// Goes on gathering for at most `budget`; the whole of it is handed to the thread that writes.
    pub(super) fn run_gather(&mut self, budget: Duration) {
        let Some(mut gather) = self.gathering.take() else { return };
        let until = Instant::now() + budget;
        while let Some(id) = gather.ids.get(gather.at) {
            if let Some(row) = self.store.row(*id) {
                gather.job.records.push((Arc::from(&*row.path), row.place, self.store.notes(row.id)));
                if row.attempt.is_some() && !gather.told.contains(id) {
                    self.gather_chain(*id, &mut gather);
                }
            }
            gather.at += 1;
            if gather.at.is_multiple_of(16) && Instant::now() >= until {
                self.gathering = Some(gather);
                self.busy = true;
                return;
            }
        }
        self.effects.push(Effect::Export(Box::new(gather.job)));
    }

    /// The retry chain that a record stands in, once.
    fn gather_chain(&self, id: RowId, gather: &mut Gather) {
        let Some(chain) = self.store.chain_of(id) else { return };
        for attempt in &chain.attempts {
            gather.told.insert(attempt.row);
            gather.told.extend(&attempt.copies);
        }
        let place = |id: RowId| self.store.row(id).map(|row| (Arc::from(&*row.path), row.place));
        // A chain with a row that is gone from the store in the same moment is left out.
        let at: Option<Vec<_>> = chain.attempts.iter().map(|attempt| place(attempt.row)).collect();
        if let Some(at) = at {
            gather.job.chains.push(Drawn { chain, at });
        }
    }
}
