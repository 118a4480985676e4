//! What happened, for the events view and for the file of `--log`.

use super::{App, What};
use crate::output::passed::passed;
use crate::record::{Mode, ScanReason};
use crate::store::Happening;
use crate::tui::journal::Line;

impl App {
    /// Notes one thing.
    pub(super) fn note(&mut self, what: What) {
        if self.logs {
            let line = self.line(&what);
            self.lines.push(line);
        }
        self.log.add(self.now, what);
    }

    fn line(&self, what: &What) -> Line {
        let mut line = Line { at: self.now, event: "", path: None, place: None, more: Vec::new() };
        match what {
            What::Row(happening) => {
                line.event = match happening {
                    Happening::Arrived(_) => "arrived",
                    Happening::Changed(_) => "changed",
                    Happening::Rewritten(_) => "rewritten",
                    Happening::Writing(_) => "writing",
                    Happening::Removed(_) => "removed",
                };
                if let Some(row) = self.store.row(happening.row()) {
                    line.place = (!row.place.is_whole()).then(|| row.place.to_string());
                    if !row.unread && !matches!(happening, Happening::Writing(_)) {
                        line.more = vec![
                            ("headline", row.headline.as_str().to_owned()),
                            ("class", row.class.map(|class| class.as_str().to_owned()).unwrap_or_default()),
                            ("id", row.receipt_id.into_owned()),
                            ("tool", row.tool.to_owned()),
                            ("status", row.status.to_owned()),
                        ];
                    }
                    line.path = Some(row.path.into_owned());
                }
            }
            What::Mode(mode) => {
                line.path.clone_from(&self.opened.path);
                (line.event, line.more) = match mode {
                    Mode::Live => ("live", Vec::new()),
                    Mode::Polling(why) => ("polling", vec![("why", why.clone())]),
                    Mode::Offline => ("offline", Vec::new()),
                };
            }
            What::Scanned(scan) => {
                let why = match scan.reason {
                    ScanReason::Start => "start",
                    ScanReason::Resync => "resync",
                    ScanReason::Heartbeat => "heartbeat",
                    ScanReason::Asked => "asked",
                    ScanReason::Poll => "poll",
                    ScanReason::Back => "back",
                };
                line.event = "scanned";
                line.path.clone_from(&self.opened.path);
                line.more = vec![
                    ("why", why.to_owned()),
                    ("files", scan.files.to_string()),
                    ("took_ms", scan.took.as_millis().to_string()),
                ];
                line.more.extend(passed(&scan.passed).map(|words| ("passed_over", words)));
            }
            What::Left(rows) => {
                line.event = "left";
                line.more = vec![("rows", rows.to_string()), ("why", "the row limit".to_owned())];
            }
            What::Trouble(path, what) => {
                line.event = "trouble";
                line.path = Some(path.to_path_buf());
                line.more = vec![("what", what.clone())];
            }
        }
        line
    }
}
