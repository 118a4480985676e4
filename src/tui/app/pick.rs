//! The selection: a record, kept while others come and go.

use std::sync::Arc;
use std::time::Duration;

use super::{App, Effect, Focus, Screen};
use crate::aer1::report::{Kind, Part};
use crate::store::query::{Sort, SortKey};
use crate::store::{RowId, RowState};
use crate::tui::detail::{Request, Side};
use crate::tui::view::timeline::Presence;

/// How long one frame may work on filter, order and search.
const BUDGET: Duration = Duration::from_millis(4);

impl App {
    /// Brings list, selection, chain and the request for the open record up to date. Before every frame.
    pub fn settle(&mut self) {
        self.busy = false;
        if self.list.paused.is_none() {
            let done = self.view.step(&self.store, BUDGET);
            if !done {
                self.busy = true;
                self.dirty = true;
            }
        }
        if let Some(before) = self.list.paused {
            self.list.missed = (self.store.len() as u64).saturating_sub(before);
        }
        self.look_for_wanted();
        self.run_seek(BUDGET);
        self.run_gather(BUDGET);
        self.run_chains(BUDGET);
        self.keep_selection();
        self.ask();
        self.ask_links();
        self.ask_parts();
        self.settle_vectors();
        if self.focus == Focus::Attempts && self.chain.is_none() && !self.has_parts() && self.pane.open().is_some() {
            self.focus = Focus::List;
        }
        if self.pane.is_busy() {
            self.pane.step();
            self.dirty = true;
            self.busy |= self.pane.is_busy();
        }
    }

    /// The newest row, where the order has one.
    fn newest(&self) -> Option<RowId> {
        let sort = self.view.sort();
        let ids = self.view.ids();
        match sort.key {
            SortKey::Created | SortKey::Arrival if sort.reverse => ids.first().copied(),
            SortKey::Created | SortKey::Arrival => ids.last().copied(),
            _ => None,
        }
    }

    fn keep_selection(&mut self) {
        let len = self.view.ids().len();
        if self.list.follow
            && self.list.paused.is_none()
            && let Some(newest) = self.newest()
        {
            self.list.selected = Some(newest);
        }
        let position = self.list.selected.and_then(|id| self.position_of(id));
        let old = self.list.position;
        let position = match position {
            Some(position) => position,
            None => {
                // Filtered out, or let go of by the row limit: the row that stands where it stood.
                let position = old.min(len.saturating_sub(1));
                let id = self.view.ids().get(position).copied();
                if self.busy {
                    // The list is not whole yet: what was asked for may still come.
                    self.list.top = self.list.top.min(len.saturating_sub(self.list.height.max(1)));
                    return;
                }
                self.list.selected = id;
                position
            }
        };
        self.scroll_to(position, old, len);
    }

    fn scroll_to(&mut self, position: usize, old: usize, len: usize) {
        let list = &mut self.list;
        let height = list.height.max(1);
        // Rows that arrive above move the window along, so that the selected record stays where the eye is; but at the
        // top they are let in.
        if list.top > 0 || position >= height {
            let moved = position as i128 - old as i128;
            let top = list.top as i128 + moved;
            list.top = usize::try_from(top.max(0)).unwrap_or(0);
        }
        if position < list.top {
            list.top = position;
        }
        if position >= list.top.saturating_add(height) {
            list.top = position.saturating_add(1).saturating_sub(height);
        }
        list.top = list.top.min(len.saturating_sub(height));
        list.position = position;
    }

    /// Where a row stands in the list; looks near its last place first.
    fn position_of(&self, id: RowId) -> Option<usize> {
        let ids = self.view.ids();
        if ids.get(self.list.position) == Some(&id) {
            return Some(self.list.position);
        }
        self.view.position(id)
    }

    /// Selects a record because the operator asked for it: follow lets go, and says so.
    pub fn select(&mut self, id: RowId) {
        self.let_go();
        self.list.selected = Some(id);
        self.dirty = true;
    }

    /// Follow lets go of the newest.
    pub fn let_go(&mut self) {
        if self.list.follow {
            self.list.follow = false;
            if self.opened.generation > 0 && !self.view.ids().is_empty() {
                self.say("follow is off · F follows again");
            }
        }
    }

    /// Moves the selection to a place in the list.
    pub fn select_at(&mut self, position: usize) {
        let last = self.view.ids().len().saturating_sub(1);
        let position = position.min(last);
        if let Some(id) = self.view.ids().get(position).copied() {
            if Some(id) != self.list.selected {
                self.let_go();
            }
            // Moving is not arriving: the window goes along only as far as it must.
            let list = &mut self.list;
            list.selected = Some(id);
            list.position = position;
            if position < list.top {
                list.top = position;
            }
            if position >= list.top.saturating_add(list.height.max(1)) {
                list.top = position.saturating_add(1).saturating_sub(list.height.max(1));
            }
            self.dirty = true;
        }
    }

    /// Moves the selection by so many rows.
    pub fn move_by(&mut self, rows: i64) {
        let at = i64::try_from(self.list.position).unwrap_or(i64::MAX).saturating_add(rows).max(0);
        self.select_at(usize::try_from(at).unwrap_or(0));
    }

    /// Asks for the selected record, if the pane does not show it as it is now.
    fn ask(&mut self) {
        if self.shown == self.list.selected && !self.stale {
            return;
        }
        let Some(row) = self.list.selected.and_then(|id| self.store.row(id)) else {
            if self.shown.is_some() {
                self.pane.clear();
                self.shown = None;
                self.dirty = true;
            }
            return;
        };
        let (id, path, place): (_, Arc<std::path::Path>, _) = (row.id, Arc::from(&*row.path), row.place);
        // Also for the same record, changed: a verdict on bytes that are gone is not left standing.
        self.pane.loading(Arc::clone(&path), place);
        self.shown = Some(id);
        self.stale = false;
        self.dirty = true;
        // A file that is gone or being written is asked for all the same: the answer says so.
        self.stamp = self.stamp.saturating_add(1);
        self.effects.retain(|effect| !matches!(effect, Effect::Detail(_)));
        self.effects.push(Effect::Detail(Request { path, place, stamp: self.stamp }));
    }

    /// Asks the store for chain and notes of the selected record, once for each change.
    fn ask_links(&mut self) {
        let key = self.list.selected.map(|id| (id, self.changes));
        if key == self.chain_at {
            return;
        }
        self.chain_at = key;
        let id = self.list.selected;
        self.chain = id.and_then(|id| self.store.chain_of(id));
        self.notes = id.map(|id| self.store.notes(id)).unwrap_or_default();
        self.dirty = true;
    }

    /// Looks for the receipts a workflow's steps name, once for each answer and change (rules §7).
    fn ask_parts(&mut self) {
        let key = self.has_parts().then_some((self.stamp, self.changes));
        if self.presence.1 == key {
            return;
        }
        let structure = self.pane.open().filter(|open| open.report.kind == Kind::Workflow);
        let parts = structure.and_then(|open| open.report.structure.as_ref()).map(|found| found.parts.as_slice());
        let found = parts.unwrap_or_default().iter().map(|part| self.presence_of(part)).collect();
        self.presence = (found, key);
        self.dirty = true;
    }

    fn presence_of(&self, part: &Part) -> Presence {
        let mut rows = self.store.by_id(&part.id).into_iter().rev().filter_map(|id| self.store.row(id));
        let here = rows.find(|row| row.state == RowState::Known && row.kind.is_receipt());
        match here {
            None => Presence::Missing,
            Some(row) if part.tool.as_deref().is_some_and(|tool| tool != row.tool) => Presence::Differs,
            Some(row) => Presence::Present(row.headline),
        }
    }

    /// Where the selected record stands among its attempts, from 0.
    pub fn attempt_index(&self) -> Option<usize> {
        let id = self.list.selected?;
        let chain = self.chain.as_ref()?;
        chain.attempts.iter().position(|attempt| attempt.row == id || attempt.copies.contains(&id))
    }

    /// Moves along the attempts; the receipt follows.
    pub fn walk_attempts(&mut self, forward: bool) {
        let Some(at) = self.attempt_index() else {
            self.say("this record stands in no retry chain");
            return;
        };
        let to = if forward { at.checked_add(1) } else { at.checked_sub(1) };
        let row = to.and_then(|to| self.chain.as_ref()?.attempts.get(to)).map(|attempt| attempt.row);
        match row {
            Some(row) => self.go_to(row),
            None if forward => self.say("this is the last attempt"),
            None => self.say("this is the first attempt"),
        }
    }

    /// Selects a record even when the filter hides it: then the filter goes.
    pub fn go_to(&mut self, row: RowId) {
        self.screen = Screen::Main;
        if self.view.position(row).is_none() && !self.view.filter().is_all() {
            let sort = self.view.sort();
            self.view.set(crate::store::query::Filter::default(), sort);
            self.preset = 0;
            self.say("the filter hid that record and was taken off");
        }
        self.list.follow = false;
        self.select(row);
    }

    /// What [`super::super::keys::Action::Diff`] would compare: the marked record with this one; what a rewritten record
    /// was with what it is; or the previous attempt with this one.
    pub fn diff_sides(&self) -> Option<(Side, Side)> {
        let id = self.list.selected?;
        let side = |id: RowId| self.store.row(id).map(|row| Side::File(Arc::from(&*row.path), row.place));
        if let Some(mark) = self.mark.filter(|mark| *mark != id) {
            return Some((side(mark)?, side(id)?));
        }
        if let Some(before) = self.before(id) {
            return Some((Side::Kept(before), side(id)?));
        }
        let before = self.attempt_index()?.checked_sub(1)?;
        let earlier = self.chain.as_ref()?.attempts.get(before)?.row;
        Some((side(earlier)?, side(id)?))
    }

    /// The order in words.
    pub fn sort_text(&self) -> String {
        let Sort { key, reverse } = self.view.sort();
        let arrow = if reverse { self.theme.glyph("↓", "v") } else { self.theme.glyph("↑", "^") };
        format!("{arrow}{}", key.as_str())
    }
}
