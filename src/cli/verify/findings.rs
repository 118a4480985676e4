//! Findings across the folder (rules §8): everything is read first, then each record is handed over with what the
//! others say about it.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use aerscope::aer1::grammar::Moment;
use aerscope::aer1::report::Report;
use aerscope::output::html::Attempt;
use aerscope::record::{Change, FileRead};
use aerscope::store::{Chain, Happening, RowId, Store};
use aerscope::text;

use super::sink::Sink;

/// Holds every record until all are read.
#[derive(Debug)]
pub struct Findings {
    store: Store,
    held: Vec<Held>,
    now: Moment,
    happened: Vec<Happening>,
}

#[derive(Debug)]
struct Held {
    path: Arc<Path>,
    report: Report,
    row: Option<RowId>,
}

impl Findings {
    /// Nothing held yet; `now` is when everything arrives.
    pub fn new(now: Moment) -> Findings {
        Findings { store: Store::new(), held: Vec::new(), now, happened: Vec::new() }
    }

    /// Takes a part of a file.
    pub fn take(&mut self, read: FileRead) -> ControlFlow<()> {
        if read.fresh {
            // It replaces what was known of the file: parts of one file stand one after the other.
            while self.held.last().is_some_and(|h| h.path == read.path) {
                self.held.pop();
            }
        }
        self.happened.clear();
        self.store.apply_into(Change::Read(read.clone()), self.now, &mut self.happened);
        let mut arrived = self.happened.iter().filter_map(|h| match h {
            Happening::Arrived(id) => Some(*id),
            _ => None,
        });
        for report in read.records {
            self.held.push(Held { path: Arc::clone(&read.path), report, row: arrived.next() });
        }
        ControlFlow::Continue(())
    }

    /// Hands everything over, in order.
    pub fn hand_over(mut self, sink: &mut Sink) -> ControlFlow<()> {
        for Held { path, mut report, row } in std::mem::take(&mut self.held) {
            let place = report.place;
            let at = |id: &RowId| self.store.row(*id).is_some_and(|r| r.place == place && *r.path == *path);
            let row = row.filter(at).or_else(|| self.store.find(&path, place));
            let notes = row.map(|id| self.store.notes(id)).unwrap_or_default();
            // A failing step that is present lowers its workflow; nothing else moves a headline.
            if let Some((headline, _)) = row.and_then(|id| self.store.verdict(id)) {
                report.headline = headline;
            }
            sink.record(&path, &report, &notes)?;
        }
        if sink.shows_chains() {
            for chain in self.store.chains().into_iter().filter(|c| c.retry) {
                if let Some(chain) = self.store.chain_of(chain.first) {
                    self.chain(&chain, sink);
                }
            }
        }
        ControlFlow::Continue(())
    }

    fn chain(&self, chain: &Chain, sink: &mut Sink) {
        let attempts: Vec<Attempt> = chain
            .attempts
            .iter()
            .map(|a| Attempt {
                at: match self.store.row(a.row) {
                    Some(row) => format!("{}{}", text::shown_path(row.path.as_os_str()), row.place),
                    None => String::new(),
                },
                headline: a.headline,
                created_at: a.created.map(|c| c.to_string()).unwrap_or_default(),
                status: a.status.clone(),
                provenance: a.provenance.clone(),
                // Nanoseconds as seconds; a delay too long for an f64 is no delay.
                delay: a.delay.and_then(|d| i64::try_from(d).ok()).map(|d| d as f64 / 1e9),
                same_bytes: a.same_bytes,
            })
            .collect();
        let value = chain.value.as_deref().unwrap_or_default();
        sink.chain(chain.field.as_deref().unwrap_or("retry_of"), value, chain.bound, &attempts);
    }
}
