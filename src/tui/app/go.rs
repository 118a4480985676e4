//! Moving about: rows, pages, panes, screens, and the way back.

use super::seek::{Needle, Wanted};
use super::{App, Effect, Focus, Screen, Scroll, has_parts};
use crate::store::query::Filter;
use crate::tui::detail::PaneAct;
use crate::tui::keys::Action;
use crate::tui::view::diff::DiffAct;

impl App {
    pub(super) fn own_scroll(&mut self) -> Option<&mut Scroll> {
        match self.screen {
            Screen::Chains => Some(&mut self.chains.scroll),
            Screen::Events => Some(&mut self.events_scroll),
            Screen::Help => Some(&mut self.help_scroll),
            Screen::Vectors => self.vectors.as_mut().filter(|all| !all.in_record).map(|all| &mut all.scroll),
            Screen::Main | Screen::Welcome | Screen::Diff => None,
        }
    }

    pub(super) fn scroll(&mut self, rows: i64) {
        if let Some(scroll) = self.own_scroll() {
            let at = i64::try_from(scroll.at).unwrap_or(i64::MAX).saturating_add(rows).max(0);
            scroll.at = usize::try_from(at).unwrap_or(0);
            return;
        }
        let count = usize::try_from(rows.unsigned_abs()).unwrap_or(1);
        if self.screen == Screen::Diff {
            if let Some(diff) = &mut self.diff {
                diff.act(if rows > 0 { DiffAct::Down(count) } else { DiffAct::Up(count) });
            }
            return;
        }
        match self.focus_now() {
            Focus::List => self.move_by(rows),
            Focus::Attempts if self.chain.is_some() => self.walk_attempts(rows > 0),
            Focus::Attempts => {
                let at = self.parts_scroll.at;
                self.parts_scroll.at = if rows > 0 { at.saturating_add(count) } else { at.saturating_sub(count) };
            }
            Focus::Receipt => {
                self.pane_act(if rows > 0 { PaneAct::Down(count) } else { PaneAct::Up(count) });
            }
        }
    }

    pub(super) fn jump(&mut self, bottom: bool) {
        if let Some(scroll) = self.own_scroll() {
            scroll.at = if bottom { usize::MAX >> 1 } else { 0 };
            return;
        }
        if self.screen == Screen::Diff {
            if let Some(diff) = &mut self.diff {
                diff.act(if bottom { DiffAct::Bottom } else { DiffAct::Top });
            }
            return;
        }
        match self.focus_now() {
            Focus::List => self.select_at(if bottom { usize::MAX } else { 0 }),
            Focus::Receipt => self.pane_act(if bottom { PaneAct::Bottom } else { PaneAct::Top }),
            Focus::Attempts => {
                let attempts = self.chain.as_ref().map(|chain| &chain.attempts);
                let to = attempts.and_then(|all| if bottom { all.last() } else { all.first() }).map(|one| one.row);
                match to {
                    Some(row) => self.go_to(row),
                    None => self.parts_scroll.at = if bottom { usize::MAX >> 1 } else { 0 },
                }
            }
        }
    }

    pub(super) fn page(&mut self, action: Action) {
        let listed = self.list.height;
        let height = self.own_scroll().map_or(listed, |scroll| scroll.height).max(2);
        let rows = i64::try_from(height).unwrap_or(20);
        let rows = match action {
            Action::PageDown => rows - 1,
            Action::PageUp => 1 - rows,
            Action::HalfDown => rows / 2,
            _ => -(rows / 2),
        };
        if self.in_record() {
            self.pane_act(match action {
                Action::PageDown => PaneAct::PageDown,
                Action::PageUp => PaneAct::PageUp,
                Action::HalfDown => PaneAct::HalfDown,
                _ => PaneAct::HalfUp,
            });
        } else {
            self.scroll(rows);
        }
    }

    /// Whether the attempts stand on the screen.
    pub fn chain_visible(&self) -> bool {
        (self.with_chain || self.width >= 160) && (self.chain.is_some() || self.has_parts())
    }

    /// Whether the open record has entries or steps of its own.
    pub fn has_parts(&self) -> bool {
        self.pane.open().is_some_and(|open| has_parts(open.report.kind) && open.report.structure.is_some())
    }

    pub(super) fn other_pane(&mut self) {
        if let (Screen::Vectors, Some(all)) = (self.screen, &mut self.vectors) {
            all.in_record = !all.in_record;
            return;
        }
        self.focus = match self.focus {
            Focus::List => Focus::Receipt,
            Focus::Receipt if self.chain_visible() => Focus::Attempts,
            Focus::Receipt | Focus::Attempts => Focus::List,
        };
    }

    pub(super) fn sideways(&mut self, right: bool) {
        match (self.focus_now(), right) {
            (Focus::List, true) if self.screen == Screen::Vectors => self.vectors_focus(true),
            (Focus::List, true) => self.focus = Focus::Receipt,
            (Focus::List, false) => {}
            // Without wrapping a long line is looked along; at its beginning the list is next.
            (Focus::Receipt, true) if !self.open_pane().wraps() => self.pane_act(PaneAct::Right),
            (Focus::Receipt, true) => {}
            (_, false) if self.screen == Screen::Vectors => self.vectors_focus(false),
            (Focus::Receipt | Focus::Attempts, _) => {
                self.focus = Focus::List;
                self.zoom = false;
            }
        }
    }

    pub(super) fn open_row(&mut self) {
        match self.screen {
            Screen::Chains => {
                let row = self.chains.shown.newest.get(self.chains.scroll.at).map(|chain| (chain.last, chain.retry));
                if let Some((row, retry)) = row {
                    self.with_chain |= retry;
                    self.go_to(row);
                }
            }
            Screen::Events => {
                let row = match self.log.from_newest(self.events_scroll.at).map(|entry| &entry.what) {
                    Some(super::What::Row(happening)) => Some(happening.row()),
                    _ => None,
                };
                if let Some(row) = row {
                    self.go_to(row);
                }
            }
            Screen::Vectors => self.vectors_focus(true),
            Screen::Main if self.list.selected.is_none() => {}
            Screen::Main => match self.focus {
                Focus::List => self.focus = Focus::Receipt,
                Focus::Receipt | Focus::Attempts => self.zoom = !self.zoom,
            },
            _ => {}
        }
    }

    pub(super) fn back(&mut self) {
        match self.screen {
            Screen::Help => self.screen = self.under_help,
            Screen::Diff | Screen::Chains | Screen::Events => self.screen = Screen::Main,
            Screen::Welcome => {}
            Screen::Vectors => self.vectors_back(),
            Screen::Main if self.zoom => self.zoom = false,
            Screen::Main if self.pane.searching().is_some() && self.focus == Focus::Receipt => {
                self.pane_act(PaneAct::SearchEnd);
            }
            Screen::Main if self.focus != Focus::List => self.focus = Focus::List,
            Screen::Main if self.needle.is_some() => self.needle = None,
            Screen::Main if !self.view.filter().is_all() => {
                let sort = self.view.sort();
                self.view.set(Filter::default(), sort);
                self.preset = 0;
                self.say("the filter is off");
            }
            Screen::Main => self.say("q ends the program"),
        }
    }

    pub(super) fn quit(&mut self) {
        match self.screen {
            Screen::Main | Screen::Welcome => self.effects.push(Effect::Quit),
            Screen::Vectors if self.opened.path.is_none() => self.effects.push(Effect::Quit),
            Screen::Vectors => self.toggle_vectors(),
            _ => self.back(),
        }
    }

    pub(super) fn next(&mut self, forward: bool) {
        match self.screen {
            _ if self.in_record() && self.open_pane().searching().is_some() => {
                self.pane_act(if forward { PaneAct::NextMatch } else { PaneAct::PrevMatch });
            }
            Screen::Main => match self.needle.as_deref().and_then(Needle::new) {
                Some(needle) => self.seek(Wanted::Text(needle), forward, false),
                None => self.seek(Wanted::Failing, forward, false),
            },
            Screen::Vectors => self.next_vector(forward),
            Screen::Diff => {
                if let Some(diff) = &mut self.diff {
                    diff.act(if forward { DiffAct::Next } else { DiffAct::Previous });
                }
            }
            _ => self.scroll(if forward { 1 } else { -1 }),
        }
    }
}
