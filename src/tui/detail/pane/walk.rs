//! Moving through the open record: lines, pages, ends, and the cursor that stays on the screen.

use super::{MOST_STEPS, Pane, Tab};
use crate::tui::detail::cells::Spelling;
use crate::tui::detail::hexdump;
use crate::tui::detail::lines;
use crate::tui::detail::open::OpenRecord;
use crate::tui::detail::tree::TreePos;

impl Pane {
    pub(super) fn after_fold(&mut self, open: &OpenRecord) {
        let Ok(tree) = &open.tree else { return };
        let row = tree.shown(self.tree.cursor.row, &self.tree.folds);
        self.tree.cursor = TreePos { row, at: None };
        let row = tree.shown(self.tree.top.row, &self.tree.folds);
        self.tree.top = TreePos { row, at: None };
    }

    pub(super) fn top(&mut self) {
        match self.tab {
            Tab::Json => {
                self.tree.cursor = TreePos::default();
                self.tree.top = TreePos::default();
            }
            Tab::Text => self.text = 0,
            Tab::Raw => self.raw = 0,
            Tab::Hex => self.hex = 0,
            Tab::Checks => self.move_checks(0),
        }
    }

    pub(super) fn bottom(&mut self, open: &OpenRecord) {
        match self.tab {
            Tab::Json => {
                if let Ok(tree) = &open.tree {
                    let row = tree.shown(tree.len().saturating_sub(1), &self.tree.folds);
                    self.tree.cursor = TreePos { row, at: None };
                }
            }
            Tab::Text | Tab::Raw => {
                let last = self.text_last_top(open);
                self.set_text_top(last);
            }
            Tab::Hex => self.hex = open.shown().len(),
            Tab::Checks => self.move_checks(usize::MAX),
        }
    }

    pub(super) fn move_by(&mut self, open: &OpenRecord, down: bool, n: usize) {
        let (columns, _) = self.size;
        let by = |at: usize, by: usize| if down { at.saturating_add(by) } else { at.saturating_sub(by) };
        match self.tab {
            Tab::Json => {
                let Ok(tree) = &open.tree else { return };
                for _ in 0..n.min(MOST_STEPS) {
                    let pos = self.tree.cursor;
                    let folds = &self.tree.folds;
                    let next = if down {
                        tree.step_down(open.shown(), pos, folds, columns)
                    } else {
                        tree.step_up(open.shown(), pos, folds, columns)
                    };
                    let Some(next) = next else { break };
                    self.tree.cursor = next;
                }
            }
            Tab::Text | Tab::Raw => {
                for _ in 0..n.min(MOST_STEPS) {
                    let at = self.text_view(open).2;
                    let next = if down { self.text_down(open, at) } else { self.text_up(open, at) };
                    let Some(next) = next else { break };
                    self.set_text_top(next);
                }
            }
            Tab::Hex => {
                let per = hexdump::per_row(columns, open.shown().len());
                self.hex = by(self.hex, n.saturating_mul(per)).min(open.shown().len());
            }
            Tab::Checks => self.move_checks(by(self.checks, n)),
        }
    }

    /// A page moves what is shown, and the cursor with it.
    pub(super) fn page(&mut self, open: &OpenRecord, down: bool, n: usize) {
        if self.tab == Tab::Json {
            let Ok(tree) = &open.tree else { return };
            let columns = self.size.0;
            for _ in 0..n {
                let folds = &self.tree.folds;
                let next = if down {
                    tree.step_down(open.shown(), self.tree.top, folds, columns)
                } else {
                    tree.step_up(open.shown(), self.tree.top, folds, columns)
                };
                let Some(next) = next else { break };
                self.tree.top = next;
            }
        }
        self.move_by(open, down, n);
    }

    /// Moves the first row so that the cursor is on the screen, and no further than needed.
    pub(super) fn follow_cursor(&mut self, open: &OpenRecord) {
        let Ok(tree) = &open.tree else { return };
        let (columns, rows) = self.size;
        let key = |pos: TreePos| (pos.row, pos.at);
        let cursor = self.tree.cursor;
        if key(cursor) < key(self.tree.top) {
            self.tree.top = cursor;
        }
        let mut seen = self.tree.top;
        let mut inside = key(seen) == key(cursor);
        for _ in 1..rows.max(1) {
            if inside {
                break;
            }
            match tree.step_down(open.shown(), seen, &self.tree.folds, columns) {
                Some(next) => seen = next,
                None => break,
            }
            inside = key(seen) == key(cursor);
        }
        if !inside {
            let mut top = cursor;
            for _ in 1..rows.max(1) {
                match tree.step_up(open.shown(), top, &self.tree.folds, columns) {
                    Some(previous) => top = previous,
                    None => break,
                }
            }
            self.tree.top = top;
        }
    }

    pub(super) fn set_text_top(&mut self, at: usize) {
        match self.tab {
            Tab::Raw => self.raw = at,
            _ => self.text = at,
        }
    }

    /// The text row after the one that begins at `at`.
    pub(crate) fn text_down(&self, open: &OpenRecord, at: usize) -> Option<usize> {
        let (text, lines, _) = self.text_view(open);
        let end = lines.end_of(text, at);
        if self.wrap {
            let start = lines.start_of(text, at);
            let row = lines::row_at(text, &(start..end), at, self.size.0, Spelling::Plain);
            if row.end < end {
                return Some(row.end);
            }
        }
        let next = end.saturating_add(1);
        (next < text.len()).then_some(next)
    }

    /// The text row before the one that begins at `at`.
    pub(super) fn text_up(&self, open: &OpenRecord, at: usize) -> Option<usize> {
        let (text, lines, _) = self.text_view(open);
        let start = lines.start_of(text, at);
        if self.wrap {
            let line = start..lines.end_of(text, at);
            if let Some(before) = lines::row_before(text, &line, at, self.size.0, Spelling::Plain) {
                return Some(before);
            }
        }
        let end = start.checked_sub(1)?;
        let before = lines.start_of(text, end);
        if !self.wrap {
            return Some(before);
        }
        let line = before..end;
        Some(lines::row_before(text, &line, end, self.size.0, Spelling::Plain).unwrap_or(before))
    }

    /// The first row of the last screen of a text.
    pub(super) fn text_last_top(&self, open: &OpenRecord) -> usize {
        let (text, lines, _) = self.text_view(open);
        let Some(last) = text.len().checked_sub(1) else { return 0 };
        let start = lines.start_of(text, last);
        let line = start..lines.end_of(text, last);
        let mut top = start;
        if self.wrap {
            top = lines::row_before(text, &line, line.end, self.size.0, Spelling::Plain).unwrap_or(start);
        }
        for _ in 1..self.size.1.max(1) {
            match self.text_up(open, top) {
                Some(before) => top = before,
                None => break,
            }
        }
        top
    }
}
