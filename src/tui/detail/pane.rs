//! What is shown of the open record: tab, position, folds, search. Drawing is [`crate::tui::view::receipt`].

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use super::hexdump;
use super::lines::Lines;
use super::open::{Loaded, OpenRecord};
use super::search::Needle;
use super::tree::{Folds, TreePos};
use crate::aer1::report::{Fault, Place};

/// Most rows that one action moves by; more is the top or the bottom.
const MOST_STEPS: usize = 4096;

/// The tabs of the open record.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tab {
    /// The decoded bytes as JSON.
    #[default]
    Json,
    /// The decoded bytes as text.
    Text,
    /// The decoded bytes as hexadecimal digits.
    Hex,
    /// The record's own text.
    Raw,
    /// Every check and what it found.
    Checks,
}

impl Tab {
    /// In the order of their keys.
    pub const ALL: [Tab; 5] = [Tab::Json, Tab::Text, Tab::Hex, Tab::Raw, Tab::Checks];

    /// The word in the tab bar.
    pub const fn word(self) -> &'static str {
        match self {
            Tab::Json => "json",
            Tab::Text => "text",
            Tab::Hex => "hex",
            Tab::Raw => "raw",
            Tab::Checks => "checks",
        }
    }
}

/// What can be done in the pane.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PaneAct {
    /// Show another tab.
    Tab(Tab),
    /// Move up by lines.
    Up(usize),
    /// Move down by lines.
    Down(usize),
    /// Scroll an unwrapped text to the left.
    Left,
    /// Scroll an unwrapped text to the right.
    Right,
    /// To the beginning.
    Top,
    /// To the end.
    Bottom,
    /// One screen up.
    PageUp,
    /// One screen down.
    PageDown,
    /// Half a screen up.
    HalfUp,
    /// Half a screen down.
    HalfDown,
    /// Wrap long lines, or cut them.
    Wrap,
    /// Fold or unfold what the cursor is on; show a long string whole or cut.
    FoldToggle,
    /// Fold everything.
    FoldAll,
    /// Unfold everything.
    UnfoldAll,
    /// Look for a text (in the hex view also for bytes), from the position on.
    Search(String),
    /// Forget the search.
    SearchEnd,
    /// To the next match.
    NextMatch,
    /// To the match before.
    PrevMatch,
    /// To an offset (hex, json) or a line (text, raw, checks).
    Goto(String),
}

/// What the pane has to show.
#[derive(Clone, Debug, Default)]
pub enum State {
    /// Nothing is selected.
    #[default]
    Empty,
    /// The record is being read.
    Loading(Arc<Path>, Place),
    /// The record.
    Open(Arc<OpenRecord>),
    /// The file is being written.
    Writing(Arc<Path>, Place),
    /// There is no such record in the file any more.
    Gone(Arc<Path>, Place),
    /// The file is not there any more.
    Vanished(Arc<Path>, Place),
    /// The file could not be read.
    Failed(Arc<Path>, Place, Fault),
}

/// A search under way.
#[derive(Clone, Debug)]
struct Scan {
    forward: bool,
    /// Where to go on.
    at: usize,
    /// Whether it has begun again at the other end.
    wrapped: bool,
}

/// The open record as it is shown.
#[derive(Debug)]
pub struct Pane {
    state: State,
    tab: Tab,
    wrap: bool,
    /// Bytes that an unwrapped line is shifted by.
    left: usize,
    pub(crate) tree: TreeView,
    /// Byte at which the first text row begins.
    text: usize,
    hex: usize,
    raw: usize,
    checks: usize,
    needle: Option<Needle>,
    found: Option<Range<usize>>,
    scan: Option<Scan>,
    message: Option<String>,
    /// Columns and rows of the last drawing.
    size: (usize, usize),
    checks_rows: usize,
    /// Whether the operator moved in the checks; until then they begin where a check failed.
    checks_moved: bool,
}

/// The JSON view: where it begins, where the cursor is, what is folded.
#[derive(Debug, Default)]
pub(crate) struct TreeView {
    pub(crate) top: TreePos,
    pub(crate) cursor: TreePos,
    pub(crate) folds: Folds,
}

impl Default for Pane {
    fn default() -> Pane {
        Pane::new()
    }
}

impl Pane {
    /// A pane that shows nothing.
    pub fn new() -> Pane {
        Pane {
            state: State::Empty,
            tab: Tab::Json,
            wrap: true,
            left: 0,
            tree: TreeView::default(),
            text: 0,
            hex: 0,
            raw: 0,
            checks: 0,
            needle: None,
            found: None,
            scan: None,
            message: None,
            size: (80, 24),
            checks_rows: 0,
            checks_moved: false,
        }
    }

    /// The tab.
    pub fn tab(&self) -> Tab {
        self.tab
    }

    /// What it has to show.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// The open record, when there is one.
    pub fn open(&self) -> Option<&Arc<OpenRecord>> {
        match &self.state {
            State::Open(open) => Some(open),
            _ => None,
        }
    }

    /// Whether long lines are wrapped.
    pub fn wraps(&self) -> bool {
        self.wrap
    }

    /// What the last action has to say: nothing found, begun again from the top.
    pub fn message(&self) -> Option<&str> {
        self.message.as_deref()
    }

    /// What is being looked for.
    pub fn searching(&self) -> Option<&str> {
        self.needle.as_ref().map(Needle::text)
    }

    /// Whether a search is not at its end: draw again soon, and call [`Pane::step`].
    pub fn is_busy(&self) -> bool {
        self.scan.is_some()
    }

    /// Nothing is selected any more.
    pub fn clear(&mut self) {
        self.show(State::Empty);
    }

    /// A record was asked for. What was shown is no longer shown as the selected one.
    pub fn loading(&mut self, path: Arc<Path>, place: Place) {
        let same = match &self.state {
            State::Open(open) => open.path == path && open.place == place,
            State::Loading(own, at)
            | State::Writing(own, at)
            | State::Gone(own, at)
            | State::Vanished(own, at)
            | State::Failed(own, at, _) => *own == path && *at == place,
            State::Empty => false,
        };
        if same {
            // The same record again: the place in it is kept, the verdict is not.
            self.state = State::Loading(path, place);
            self.scan = None;
        } else {
            self.show(State::Loading(path, place));
        }
    }

    /// The answer to a request.
    pub fn loaded(&mut self, loaded: Loaded) {
        let keep = |own: &Arc<Path>, at: &Place, state: &State| match state {
            State::Loading(path, place) => path == own && place == at,
            _ => false,
        };
        match loaded {
            Loaded::Open(open) => {
                let same = keep(&open.path, &open.place, &self.state);
                if same {
                    self.state = State::Open(open);
                    self.clamp();
                } else {
                    self.show(State::Open(open));
                }
            }
            Loaded::Writing { path, place } => self.state = State::Writing(path, place),
            Loaded::Gone { path, place } => self.state = State::Gone(path, place),
            Loaded::Vanished { path, place } => self.state = State::Vanished(path, place),
            Loaded::Failed { path, place, reason } => self.state = State::Failed(path, place, reason),
            Loaded::Diff(_) => {}
        }
        self.scan = None;
    }

    fn show(&mut self, state: State) {
        let old = std::mem::take(self);
        *self = Pane { state, tab: old.tab, wrap: old.wrap, needle: old.needle, size: old.size, ..Pane::new() };
    }

    /// Positions of another version of the record may lie behind its end, folds may name other rows.
    fn clamp(&mut self) {
        let State::Open(open) = &self.state else { return };
        let len = open.shown().len();
        let rows = open.tree.as_ref().map_or(0, |tree| tree.len());
        self.found = None;
        self.text = open.lines.start_of(open.shown(), self.text.min(len.saturating_sub(1)));
        self.hex = self.hex.min(len.saturating_sub(1));
        self.raw = open.record_lines.start_of(&open.record, self.raw.min(open.record.len().saturating_sub(1)));
        if self.tree.cursor.row >= rows || self.tree.top.row >= rows {
            self.tree = TreeView::default();
        }
        self.tree.cursor.at = None;
        self.tree.top.at = None;
    }

    /// The place and text of a text tab: source, lines, first byte shown.
    pub(crate) fn text_view<'a>(&self, open: &'a OpenRecord) -> (&'a [u8], &'a Lines, usize) {
        match self.tab {
            Tab::Raw => (&open.record, &open.record_lines, self.raw),
            _ => (open.shown(), &open.lines, self.text),
        }
    }

    /// First byte of the hex view.
    pub(crate) fn hex_top(&self) -> usize {
        self.hex
    }

    /// First row of the checks view.
    pub(crate) fn checks_top(&self) -> usize {
        self.checks
    }

    /// Until the operator moves: the first of `failed` is in sight, with what stands before it.
    pub(crate) fn begin_checks(&mut self, failed: Option<usize>) {
        if !self.checks_moved {
            let rows = self.size.1;
            let first = failed.filter(|at| at.saturating_add(4) > rows).map_or(0, |at| at.saturating_sub(rows / 3));
            self.checks = first.min(self.checks_rows.saturating_sub(rows));
        }
    }

    fn move_checks(&mut self, to: usize) {
        self.checks = to;
        self.checks_moved = true;
    }

    /// Shift of unwrapped lines, in bytes.
    pub(crate) fn left(&self) -> usize {
        self.left
    }

    pub(crate) fn needle(&self) -> Option<&Needle> {
        self.needle.as_ref()
    }

    /// Tells how large the view of the bytes is; called by the drawing.
    pub(crate) fn set_size(&mut self, columns: usize, rows: usize, checks_rows: usize) {
        let changed = self.size != (columns, rows);
        self.size = (columns, rows);
        self.checks_rows = checks_rows;
        if changed {
            self.settle();
        }
    }

    /// Keeps position and cursor inside the screen and the record.
    fn settle(&mut self) {
        let Some(open) = self.open().cloned() else { return };
        let (columns, rows) = self.size;
        match self.tab {
            Tab::Json => self.follow_cursor(&open),
            Tab::Text | Tab::Raw => {
                let last = self.text_last_top(&open);
                self.set_text_top(self.text_view(&open).2.min(last));
            }
            Tab::Hex => {
                let per = hexdump::per_row(columns, open.shown().len());
                let all = open.shown().len().div_ceil(per);
                let last = all.saturating_sub(rows).saturating_mul(per);
                self.hex = (self.hex / per).saturating_mul(per).min(last);
            }
            Tab::Checks => self.checks = self.checks.min(self.checks_rows.saturating_sub(rows)),
        }
    }

    /// Does one action; `height` is the number of rows of the view, used until the first drawing tells it exactly.
    pub fn act(&mut self, act: PaneAct, height: u16) {
        if self.size.1 == 0 {
            self.size.1 = usize::from(height);
        }
        self.message = None;
        let Some(open) = self.open().cloned() else {
            match act {
                PaneAct::Tab(tab) => self.tab = tab,
                PaneAct::Wrap => self.wrap = !self.wrap,
                PaneAct::SearchEnd => self.needle = None,
                PaneAct::Search(text) => self.needle = Needle::new(&text, self.tab == Tab::Hex),
                _ => {}
            }
            return;
        };
        let rows = self.size.1.max(1);
        match act {
            PaneAct::Tab(tab) => {
                if tab != self.tab {
                    let text = self.needle.as_ref().map(|needle| needle.text().to_owned());
                    self.needle = text.and_then(|text| Needle::new(&text, tab == Tab::Hex));
                    self.found = None;
                    self.scan = None;
                    self.tab = tab;
                }
            }
            PaneAct::Up(n) => self.move_by(&open, false, n),
            PaneAct::Down(n) => self.move_by(&open, true, n),
            PaneAct::PageUp => self.page(&open, false, rows.saturating_sub(1).max(1)),
            PaneAct::PageDown => self.page(&open, true, rows.saturating_sub(1).max(1)),
            PaneAct::HalfUp => self.page(&open, false, (rows / 2).max(1)),
            PaneAct::HalfDown => self.page(&open, true, (rows / 2).max(1)),
            PaneAct::Left => self.left = self.left.saturating_sub((self.size.0 / 2).max(1)),
            PaneAct::Right => {
                let most = self.text_view(&open).0.len();
                self.left = self.left.saturating_add((self.size.0 / 2).max(1)).min(most);
            }
            PaneAct::Top => self.top(),
            PaneAct::Bottom => self.bottom(&open),
            PaneAct::Wrap => {
                self.wrap = !self.wrap;
                self.left = 0;
                self.text = open.lines.start_of(open.shown(), self.text);
                self.raw = open.record_lines.start_of(&open.record, self.raw);
            }
            PaneAct::FoldToggle => {
                if let (Tab::Json, Ok(tree)) = (self.tab, &open.tree) {
                    let row = tree.toggle(self.tree.cursor.row, &mut self.tree.folds);
                    self.tree.cursor = TreePos { row, at: None };
                    self.after_fold(&open);
                }
            }
            PaneAct::FoldAll => {
                if let (Tab::Json, Ok(tree)) = (self.tab, &open.tree) {
                    tree.fold_all(&mut self.tree.folds);
                    self.after_fold(&open);
                }
            }
            PaneAct::UnfoldAll => {
                if let (Tab::Json, Ok(tree)) = (self.tab, &open.tree) {
                    tree.unfold_all(&mut self.tree.folds);
                    self.after_fold(&open);
                }
            }
            PaneAct::Search(text) => {
                self.needle = Needle::new(&text, self.tab == Tab::Hex);
                self.found = None;
                self.start_scan(&open, true, false);
            }
            PaneAct::SearchEnd => {
                self.needle = None;
                self.found = None;
                self.scan = None;
            }
            PaneAct::NextMatch => self.start_scan(&open, true, true),
            PaneAct::PrevMatch => self.start_scan(&open, false, true),
            PaneAct::Goto(text) => self.goto(&open, &text),
        }
        self.settle();
    }
}

mod find;
#[cfg(test)]
mod tests;
mod walk;
