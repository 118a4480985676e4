//! What the threads tell.

use super::{App, Effect, Log, Screen, What};
use crate::aer1::grammar::Moment;
use crate::record::{Event, Mode, ScanReason};
use crate::store::query::Filter;
use crate::store::{Happening, RowState};
use crate::text;
use crate::tui::detail::Loaded;
use crate::tui::settings::Bell;
use crate::tui::view::diff::DiffPane;

impl App {
    /// The clock moved on. Messages go, ages grow.
    pub fn tick(&mut self, now: Moment) {
        let second = now.secs != self.now.secs;
        self.now = now;
        if second {
            self.activity.tick(now.secs);
            self.dirty = true;
        }
        if self.message.as_ref().is_some_and(|message| now >= message.until) {
            self.message = None;
            self.dirty = true;
        }
    }

    /// The folder thread tells something.
    pub fn receive(&mut self, generation: u64, event: Event) {
        if generation != self.opened.generation {
            return;
        }
        self.activity.tick(self.now.secs);
        self.dirty = true;
        match event {
            Event::Batch(changes) => {
                let failing = self.store.totals().failing();
                for change in changes {
                    for happening in self.store.apply(change, self.now) {
                        self.happened(happening);
                    }
                }
                let left = self.store.keep_within(self.max_rows);
                if left > 0 {
                    self.note(What::Left(left));
                }
                self.changes = self.changes.saturating_add(1);
                if self.opened.scan.is_some() && self.store.totals().failing() > failing {
                    self.call();
                }
            }
            Event::Progress { done, total } => self.opened.progress = Some((done, total)),
            Event::Scanned(scan) => {
                self.opened.progress = None;
                self.opened.scan = Some(scan);
                if !matches!(scan.reason, ScanReason::Heartbeat | ScanReason::Poll) {
                    self.note(What::Scanned(scan));
                }
                if let (Some(id), ScanReason::Start) = (&self.wanted, scan.reason) {
                    let id = text::shown_cut(id, 60).into_owned();
                    self.complain(format!("no record with the id {id} is here yet; it is selected when it comes"));
                }
                if scan.reason == ScanReason::Asked {
                    self.say("everything was read and verified again");
                }
            }
            Event::Mode(mode) => {
                if self.opened.mode.as_ref() != Some(&mode) {
                    self.note(What::Mode(mode.clone()));
                }
                if let (Mode::Live | Mode::Polling(_), Some(Mode::Offline)) = (&mode, &self.opened.mode) {
                    self.say("the folder is back");
                }
                if mode == Mode::Offline {
                    self.opened.progress = None;
                } else {
                    // What was wrong with the folder is over.
                    self.opened.trouble = None;
                }
                self.opened.mode = Some(mode);
            }
            Event::Trouble { path, what } => {
                self.note(What::Trouble(path.clone(), what.clone()));
                self.opened.trouble = Some((path, what));
            }
        }
    }

    /// Calls the operator, where that is wanted, and not more often than once in five seconds.
    fn call(&mut self) {
        let (bell, last) = self.bell;
        let lately = last.is_some_and(|last| self.now.secs.saturating_sub(last.secs) < 5);
        if bell != Bell::Off && !lately {
            self.bell.1 = Some(self.now);
            let failing = self.store.totals().failing();
            self.effects.push(Effect::Call(bell, format!("aerscope: {failing} failing")));
        }
    }

    /// Selects the record that was asked for by its id, once it is here and listed.
    pub(super) fn look_for_wanted(&mut self) {
        let Some(id) = &self.wanted else { return };
        let Some(row) = self.store.by_id(id).last().copied() else { return };
        if self.view.position(row).is_some() {
            self.wanted = None;
            self.message = None;
            self.go_to(row);
        } else if !self.busy && !self.view.filter().is_all() {
            let sort = self.view.sort();
            self.view.set(Filter::default(), sort);
            self.busy = true;
        }
    }

    fn happened(&mut self, happening: Happening) {
        let id = happening.row();
        if Some(id) == self.shown {
            self.stale = true;
        }
        let Some(row) = self.store.row(id) else { return };
        let failing = row.state == RowState::Known && row.headline.is_failing();
        let arrived = matches!(happening, Happening::Arrived(_));
        let counts = !matches!(happening, Happening::Removed(_) | Happening::Writing(_));
        // What a first listing finds did not arrive now.
        if self.opened.scan.is_some() || !arrived {
            self.activity.count(arrived, failing && counts);
            self.note(What::Row(happening));
        }
    }

    /// The detail thread answers.
    pub fn answer(&mut self, stamp: u64, loaded: Loaded) {
        if let Loaded::Diff(model) = loaded {
            if stamp == self.diff_stamp {
                self.diff = Some(DiffPane::new(*model));
                self.dirty = true;
            }
            return;
        }
        if stamp == self.diff_stamp && self.screen == Screen::Diff && self.diff.is_none() && stamp != self.stamp {
            self.screen = Screen::Main;
            self.complain(match loaded {
                Loaded::Failed { reason, .. } => format!("cannot compare: {}", crate::output::sentence::fault(&reason)),
                Loaded::Writing { .. } => "cannot compare: one of the two is being written".to_owned(),
                _ => "cannot compare: one of the two is gone".to_owned(),
            });
            return;
        }
        if stamp == self.stamp {
            self.keep_version(&loaded);
            self.pane.loaded(loaded);
            self.parts_scroll = super::Scroll::default();
            self.dirty = true;
        }
    }

    /// Completions for the path that is being typed, sorted.
    pub fn completed(&mut self, asked: &str, found: &[String]) {
        let Some(prompt) = self.prompt.as_mut().filter(|prompt| prompt.text() == asked) else { return };
        let Some(first) = found.first() else {
            prompt.error = Some((0, "nothing begins with that".to_owned()));
            self.dirty = true;
            return;
        };
        let common = found.iter().fold(first.as_str(), |common, next| {
            let same = common.char_indices().zip(next.chars()).find(|((_, a), b)| a != b).map(|((at, _), _)| at);
            common.get(..same.unwrap_or(common.len().min(next.len()))).unwrap_or(common)
        });
        if common.len() > asked.len() {
            prompt.set(common);
        }
        let names = found.iter().map(|path| text::shown(path).into_owned()).take(20).collect::<Vec<_>>().join("  ");
        prompt.error = (found.len() > 1).then_some((0, names));
        self.dirty = true;
    }

    /// The folder cannot be followed at all: an escaped sentence.
    pub fn failed(&mut self, why: String) {
        self.opened.failed = Some(why);
        self.dirty = true;
    }

    /// How many entries the events view has.
    pub fn log(&self) -> &Log {
        &self.log
    }
}
