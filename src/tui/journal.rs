//! The session written down: one JSON object a line, in a file of the operator's. A thread of its own writes; a disk
//! that is slower than the folder costs lines, and the log says how many.

use std::fs::File;
use std::io::{self, BufWriter, Write as _};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

use super::app::{What, duration};
use super::source::is_below;
use crate::aer1::grammar::Moment;
use crate::output::jsonl::string;
use crate::record::Mode;
use crate::store::{Happening, RowState, Store};
use crate::text;

/// Lines that may wait to be written.
const ROOM: usize = 1 << 16;

/// A log that is being written.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    lines: SyncSender<String>,
    lost: u64,
}

impl Journal {
    /// Starts the thread. `told` is called once, with an escaped sentence, when the file cannot be written any more.
    ///
    /// # Errors
    /// When no thread can be started.
    pub fn start(path: PathBuf, file: File, told: impl FnOnce(String) + Send + 'static) -> io::Result<Journal> {
        let (lines, waiting) = sync_channel(ROOM);
        let shown = text::shown_path(&path).into_owned();
        let body = move || {
            if let Err(error) = write(&waiting, file) {
                told(format!("the log ended: {shown}: {}", text::shown_display(&error)));
            }
        };
        std::thread::Builder::new().name("journal".to_owned()).spawn(body)?;
        Ok(Journal { path, lines, lost: 0 })
    }

    /// Whether it lies in what is about to be watched.
    pub fn is_inside(&self, root: &Path) -> bool {
        is_below(&self.path, Some(root))
    }

    /// Hands a line over; never waits.
    pub fn add(&mut self, line: String) {
        if self.lost > 0 && self.lines.try_send(format!("{{\"event\":\"lost\",\"lines\":{}}}\n", self.lost)).is_ok() {
            self.lost = 0;
        }
        if self.lost > 0 || self.lines.try_send(line).is_err() {
            self.lost = self.lost.saturating_add(1);
        }
    }
}

fn write(waiting: &Receiver<String>, file: File) -> io::Result<()> {
    let mut out = BufWriter::new(file);
    while let Ok(line) = waiting.recv() {
        out.write_all(line.as_bytes())?;
        // What waits goes out together; then the file holds everything that is known.
        while let Ok(line) = waiting.try_recv() {
            out.write_all(line.as_bytes())?;
        }
        out.flush()?;
    }
    Ok(())
}

/// One thing that happened as a line.
pub fn line(at: Moment, what: &What, store: &Store) -> String {
    let event = match what {
        What::Row(Happening::Arrived(_)) => "arrived",
        What::Row(Happening::Changed(_)) => "changed",
        What::Row(Happening::Rewritten(_)) => "rewritten",
        What::Row(Happening::Writing(_)) => "writing",
        What::Row(Happening::Removed(_)) => "removed",
        What::Mode(Mode::Live) => "live",
        What::Mode(Mode::Polling(_)) => "polling",
        What::Mode(Mode::Offline) => "offline",
        What::Scanned(_) => "scanned",
        What::Trouble(..) => "trouble",
        What::Left(_) => "left",
    };
    let mut out = format!("{{\"at\":\"{at}\",\"event\":\"{event}\"");
    let mut add = |name: &str, value: &str| {
        out.push_str(&format!(",\"{name}\":"));
        string(&mut out, value);
    };
    match what {
        What::Row(happening) => {
            if let Some(row) = store.row(happening.row()) {
                add("path", &row.path.to_string_lossy());
                if !row.place.is_whole() {
                    add("record", &row.place.to_string());
                }
                if !row.receipt_id.is_empty() {
                    add("id", &row.receipt_id);
                }
                if row.state == RowState::Known {
                    add("headline", row.headline.as_str());
                    if let Some(class) = row.class {
                        add("class", class.as_str());
                    }
                }
            }
        }
        What::Mode(Mode::Polling(why)) => add("why", why),
        What::Mode(Mode::Live | Mode::Offline) => {}
        What::Scanned(scan) => {
            let took = duration(i128::try_from(scan.took.as_nanos()).unwrap_or(i128::MAX));
            out.push_str(&format!(",\"files\":{},\"took\":\"{took}\"", scan.files));
        }
        What::Trouble(path, what) => {
            add("path", &path.to_string_lossy());
            add("what", what);
        }
        What::Left(rows) => out.push_str(&format!(",\"rows\":{rows}")),
    }
    out.push_str("}\n");
    out
}
