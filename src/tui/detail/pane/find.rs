//! Going to a place and finding text in the pane: a long search goes on in slices.

use std::ops::Range;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::super::cells::{self, Spelling};
use super::super::open::OpenRecord;
use super::super::{checks, hexdump, lines};
use super::{Pane, Scan, Tab};

/// Bytes that one step of a search looks through.
const SLICE: usize = 1 << 20;
/// How long a search may go on before the screen gets its turn.
const SEARCH_BUDGET: Duration = Duration::from_millis(6);

impl Pane {
    pub(super) fn goto(&mut self, open: &OpenRecord, text: &str) {
        let Some(n) = hexdump::offset(text) else {
            self.message = Some("a number is needed: decimal, or hexadecimal after 0x".to_owned());
            return;
        };
        match self.tab {
            Tab::Hex => self.hex = n.min(open.shown().len()),
            Tab::Json => self.reveal(open, n..n.saturating_add(1)),
            Tab::Text | Tab::Raw => {
                let (source, lines, _) = self.text_view(open);
                let at = lines.nth(source, n.saturating_sub(1));
                self.set_text_top(at);
            }
            Tab::Checks => self.move_checks(n.saturating_sub(1)),
        }
    }

    /// The bytes a search of this tab looks through.
    fn searched<'a>(&self, open: &'a OpenRecord) -> &'a [u8] {
        match self.tab {
            Tab::Raw => &open.record,
            _ => open.shown(),
        }
    }

    fn position(&self, open: &OpenRecord) -> usize {
        match self.tab {
            Tab::Json => match (&open.tree, self.tree.cursor.at) {
                (_, Some(at)) => at,
                (Ok(tree), None) => tree.span(self.tree.cursor.row).map_or(0, |span| span.start),
                _ => 0,
            },
            Tab::Hex => self.hex,
            Tab::Raw => self.raw,
            _ => self.text,
        }
    }

    pub(super) fn start_scan(&mut self, open: &Arc<OpenRecord>, forward: bool, past: bool) {
        if self.needle.is_none() {
            return;
        }
        if self.tab == Tab::Checks {
            self.search_checks(open, forward, past);
            return;
        }
        let at = match (&self.found, past, forward) {
            (Some(found), true, true) => found.start.saturating_add(1),
            (Some(found), true, false) => found.start,
            _ => self.position(open),
        };
        self.scan = Some(Scan { forward, at: at.min(self.searched(open).len()), wrapped: false });
        self.step();
    }

    /// Goes on with a search for a few milliseconds. True when something changed on the screen.
    pub fn step(&mut self) -> bool {
        let (Some(mut scan), Some(needle), Some(open)) = (self.scan.take(), self.needle.clone(), self.open().cloned())
        else {
            return false;
        };
        let until = Instant::now() + SEARCH_BUDGET;
        let source = self.searched(&open);
        loop {
            let window = if scan.forward {
                scan.at..scan.at.saturating_add(SLICE).min(source.len())
            } else {
                scan.at.saturating_sub(SLICE)..scan.at
            };
            let hit = match scan.forward {
                true => needle.first(source, window.clone()),
                false => needle.last(source, window.clone()),
            };
            if let Some(found) = hit {
                if scan.wrapped {
                    let end = if scan.forward { "begun again at the top" } else { "begun again at the end" };
                    self.message = Some(end.to_owned());
                }
                self.reveal(&open, found.clone());
                self.found = Some(found);
                self.settle();
                return true;
            }
            scan.at = if scan.forward { window.end } else { window.start };
            let ended = if scan.forward { scan.at >= source.len() } else { scan.at == 0 };
            if ended && scan.wrapped {
                self.message = Some("not found".to_owned());
                self.found = None;
                return true;
            }
            if ended {
                scan.wrapped = true;
                scan.at = if scan.forward { 0 } else { source.len() };
            }
            if Instant::now() >= until {
                self.scan = Some(scan);
                return false;
            }
        }
    }

    /// Brings a byte range of the tab's source onto the screen.
    fn reveal(&mut self, open: &OpenRecord, range: Range<usize>) {
        let rows = self.size.1;
        match self.tab {
            Tab::Json => {
                let Ok(tree) = &open.tree else { return };
                let row = tree.row_of(range.start);
                tree.reveal(row, &mut self.tree.folds);
                self.tree.cursor = tree.find_line(open.shown(), row, range.start, &mut self.tree.folds, self.size.0);
            }
            Tab::Hex => {
                let per = hexdump::per_row(self.size.0, open.shown().len());
                let row = range.start / per;
                let first = self.hex / per;
                if row < first || row >= first.saturating_add(rows) {
                    self.hex = row.saturating_sub(rows / 3).saturating_mul(per);
                }
            }
            Tab::Text | Tab::Raw => {
                let (source, lines, top) = self.text_view(open);
                let line = lines.start_of(source, range.start)..lines.end_of(source, range.start);
                let at = match self.wrap {
                    true => {
                        let after = cells::next_char(source, range.start).min(line.end);
                        lines::row_before(source, &line, after, self.size.0, Spelling::Plain).unwrap_or(line.start)
                    }
                    false => {
                        let column = range.start.saturating_sub(line.start);
                        let seen = self.left..self.left.saturating_add(self.size.0);
                        if !seen.contains(&column) || !seen.contains(&range.end.saturating_sub(line.start)) {
                            self.left = column.saturating_sub(self.size.0 / 3);
                        }
                        line.start
                    }
                };
                // Already on the screen: nothing moves.
                let mut row = top;
                for _ in 0..rows {
                    if row == at {
                        return;
                    }
                    match self.text_down(open, row) {
                        Some(next) => row = next,
                        None => break,
                    }
                }
                self.set_text_top(at);
                for _ in 0..rows / 3 {
                    let top = self.text_view(open).2;
                    if let Some(before) = self.text_up(open, top) {
                        self.set_text_top(before);
                    }
                }
            }
            Tab::Checks => {}
        }
    }

    /// The checks are few: they are searched at once, by row.
    fn search_checks(&mut self, open: &OpenRecord, forward: bool, past: bool) {
        let Some(needle) = self.needle.clone() else { return };
        let rows = checks::rows(&open.statements, self.size.0);
        let count = rows.len();
        let start = match (&self.found, past) {
            (Some(found), true) => found.start,
            (None, true) | (_, false) => self.checks,
        };
        for step in usize::from(past && self.found.is_some())..=count {
            let at = if forward {
                start.saturating_add(step) % count.max(1)
            } else {
                start.saturating_add(count.saturating_sub(step)) % count.max(1)
            };
            let Some(row) = rows.get(at) else { break };
            if needle.first(row.text.as_bytes(), 0..row.text.len()).is_some() {
                self.found = Some(at..at.saturating_add(1));
                if at < self.checks || at >= self.checks.saturating_add(self.size.1) {
                    self.move_checks(at.saturating_sub(self.size.1 / 3));
                }
                return;
            }
        }
        self.message = Some("not found".to_owned());
    }
}
