//! Findings across the folder (rules §8): everything is read first, then each record is handed over with what the
//! others say about it. Between the two, reports wait in a [`Spool`]; memory holds one compact row a record.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::io::{self, BufReader, ErrorKind, Read, Write};
use std::ops::ControlFlow;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::sync::Arc;

use aerscope::aer1::grammar::Moment;
use aerscope::aer1::report::Report;
use aerscope::output::sentence;
use aerscope::output::spool::Spool;
use aerscope::record::FileRead;
use aerscope::store::{Happening, RowId, Store};

use super::sink::Sink;

/// Holds every record until all are read.
#[derive(Debug)]
pub struct Findings {
    store: Store,
    spool: Spool,
    /// The file whose records came last, and how many files came before it.
    last: Option<Arc<Path>>,
    files: u32,
    /// Files that were read again: what was kept of them before counts no more.
    void: HashSet<u32>,
    now: Moment,
    happened: Vec<Happening>,
    /// Why a report could not be kept.
    failed: Option<io::Error>,
}

/// One report as it is kept.
#[derive(serde::Serialize, serde::Deserialize)]
struct Held<R> {
    file: u32,
    /// The file's path; only with its first report.
    path: Option<Vec<u8>>,
    row: Option<RowId>,
    report: R,
}

impl Findings {
    /// Nothing held yet; `now` is when everything arrives.
    pub fn new(now: Moment) -> Findings {
        Findings {
            store: Store::new(),
            spool: Spool::default(),
            last: None,
            files: 0,
            void: HashSet::new(),
            now,
            happened: Vec::new(),
            failed: None,
        }
    }

    /// Takes a part of a file.
    pub fn take(&mut self, mut read: FileRead) -> ControlFlow<()> {
        let again = self.last.as_ref() == Some(&read.path);
        if again && read.fresh {
            // It replaces what was known of the file: parts of one file stand one after the other.
            self.void.insert(self.files);
        }
        let mut path = None;
        if !again || read.fresh {
            self.files += 1;
            self.last = Some(Arc::clone(&read.path));
            path = Some(read.path.as_os_str().as_bytes().to_vec());
        }
        self.happened.clear();
        let records = self.store.take_read(&mut read, self.now, &mut self.happened);
        let mut arrived = self.happened.iter().filter_map(|h| match h {
            Happening::Arrived(id) => Some(*id),
            _ => None,
        });
        for report in &records {
            let held = Held { file: self.files, path: path.take(), row: arrived.next(), report };
            if let Err(error) = keep(&mut self.spool, &held) {
                self.failed = Some(error);
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
    }

    /// Hands everything over, in order.
    ///
    /// # Errors
    /// When a report could not be kept, or not be had back.
    pub fn hand_over(mut self, sink: &mut Sink) -> io::Result<()> {
        if let Some(error) = self.failed.take() {
            return Err(error);
        }
        let mut spool = std::mem::take(&mut self.spool);
        let mut kept = BufReader::with_capacity(1 << 16, spool.read()?);
        let mut path: Arc<Path> = Arc::from(Path::new(""));
        let mut frame = Vec::new();
        while let Some(held) = next(&mut kept, &mut frame)? {
            let Held { file, path: first, row, mut report } = held;
            if let Some(first) = first {
                path = Arc::from(Path::new(OsStr::from_bytes(&first)));
            }
            if self.void.contains(&file) {
                continue;
            }
            let place = report.place;
            let at = |id: &RowId| self.store.row(*id).is_some_and(|r| r.place == place && *r.path == *path);
            let row = row.filter(at).or_else(|| self.store.find(&path, place));
            let notes = row.map(|id| self.store.notes(id)).unwrap_or_default();
            // A failing step that is present lowers its workflow; nothing else moves a headline.
            if let Some((headline, _)) = row.and_then(|id| self.store.verdict(id)) {
                report.headline = headline;
            }
            if sink.record(&path, &report, &notes).is_break() {
                return Ok(());
            }
        }
        if sink.shows_chains() {
            for chain in self.store.chains().into_iter().filter(|c| c.retry) {
                if let Some(chain) = self.store.chain_of(chain.first) {
                    let at: Vec<String> = chain.attempts.iter().map(|attempt| self.at(attempt.row)).collect();
                    sink.chain(&chain, &at);
                }
            }
        }
        Ok(())
    }

    /// Where a record stands, for a screen.
    fn at(&self, id: RowId) -> String {
        self.store.row(id).map(|row| sentence::at(&row.path, row.place)).unwrap_or_default()
    }
}

/// Writes one report, its length before it.
fn keep(spool: &mut Spool, held: &Held<&Report>) -> io::Result<()> {
    let bytes = postcard::to_allocvec(held).map_err(io::Error::other)?;
    let length = u32::try_from(bytes.len()).map_err(io::Error::other)?;
    spool.write_all(&length.to_le_bytes())?;
    spool.write_all(&bytes)
}

/// Reads the next report back; `None` at the end.
fn next(kept: &mut impl Read, frame: &mut Vec<u8>) -> io::Result<Option<Held<Report>>> {
    let mut length = [0; 4];
    match kept.read_exact(&mut length) {
        Err(error) if error.kind() == ErrorKind::UnexpectedEof => return Ok(None),
        other => other?,
    }
    frame.clear();
    frame.resize(u32::from_le_bytes(length) as usize, 0);
    kept.read_exact(frame)?;
    postcard::from_bytes(frame).map(Some).map_err(io::Error::other)
}
