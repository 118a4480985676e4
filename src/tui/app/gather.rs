//! What a report is to hold, gathered from the store in slices: no frame waits for a hundred thousand records.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::{App, Effect};
use crate::store::RowId;
use crate::tui::export::{self, Job};
use crate::tui::prompt::Asks;

/// A report whose records are being gathered.
#[derive(Clone, Debug)]
pub struct Gather {
    /// The records, in the order of the list when they were asked for.
    ids: Vec<RowId>,
    at: usize,
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
        let job = Job { to, watched: self.opened.path.clone(), records: Vec::new() };
        self.gathering = Some(Box::new(Gather { ids, at: 0, job }));
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
}
