//! What keys, pastes and clicks do.

use super::seek::Wanted;
use super::{App, Effect, Focus, Screen, Scroll, has_parts};
use crate::store::query::{Filter, PRESETS, Sort, SortKey};
use crate::text;
use crate::tui::detail::copy::{self, What as CopyWhat};
use crate::tui::detail::{PaneAct, Tab};
use crate::tui::input::{Input, Key};
use crate::tui::keys::{Action, Place};
use crate::tui::prompt::Asks;
use crate::tui::settings::Clipboard;
use crate::tui::term::MAX_COPY;

/// Rows the wheel moves.
const WHEEL: i64 = 3;

impl App {
    /// What a person did.
    pub fn input(&mut self, input: Input) {
        self.dirty = true;
        match input {
            Input::Paste(text) => {
                if let Some(prompt) = &mut self.prompt {
                    prompt.paste(&text);
                    self.typed();
                }
            }
            Input::Key(key) if self.prompt.is_some() => match self.keymap.find(self.place(), key) {
                // What no text can hold and no prompt needs works here too.
                Some(action @ (Action::Redraw | Action::Suspend)) if key.ctrl => self.act(action),
                _ => self.prompt_key(key),
            },
            Input::Key(key) => match self.keymap.find(self.place(), key) {
                Some(action) => {
                    // What an earlier key came to has been read; the keys that go on from here are of more use.
                    self.message.take_if(|message| !message.bad && action != Action::Redraw);
                    self.act(action);
                }
                None => self.copy_menu = false,
            },
            Input::Wheel(_, _, up) => self.scroll(if up { -WHEEL } else { WHEEL }),
            Input::Click(column, row) => self.click(column, row),
        }
    }

    fn click(&mut self, column: u16, row: u16) {
        let inside = self.list_area.contains(ratatui::layout::Position::new(column, row));
        let line = usize::from(row.saturating_sub(self.list_area.y));
        if self.screen == Screen::Vectors {
            self.vectors_focus(!inside);
        }
        if let (true, Some(scroll)) = (inside && self.screen != Screen::Main, self.own_scroll()) {
            scroll.at = scroll.top + line;
        } else if self.screen != Screen::Main {
        } else if inside {
            self.focus = Focus::List;
            if self.list.top + line < self.view.ids().len() {
                self.select_at(self.list.top + line);
            }
        } else if self.list.selected.is_some() && !self.zoom {
            self.focus = Focus::Receipt;
        }
    }

    /// Does what an action says.
    pub fn act(&mut self, action: Action) {
        self.dirty = true;
        let menu = std::mem::take(&mut self.copy_menu);
        match action {
            Action::Down => self.scroll(1),
            Action::Up => self.scroll(-1),
            Action::Top | Action::Bottom => self.jump(action == Action::Bottom),
            Action::HalfDown | Action::HalfUp | Action::PageDown | Action::PageUp => self.page(action),
            Action::OtherPane => self.other_pane(),
            Action::Left => self.sideways(false),
            Action::Right => self.sideways(true),
            Action::Open => self.open_row(),
            Action::Back if menu => {}
            Action::Back => self.back(),
            Action::Quit => self.quit(),
            Action::Search => self.begin_search(),
            Action::Next => self.next(true),
            Action::Previous => self.next(false),
            Action::NextFailing => self.seek(Wanted::Failing, true, false),
            Action::PreviousFailing => self.seek(Wanted::Failing, false, false),
            Action::Filter => {
                let text = self.view.filter().text().to_owned();
                self.ask_for(Asks::Filter, &text);
            }
            Action::Preset => self.next_preset(),
            Action::Sort => self.next_sort(),
            Action::Reverse => {
                let Sort { key, reverse } = self.view.sort();
                self.sort_by(Sort { key, reverse: !reverse });
            }
            Action::ShowJson => self.show_tab(Tab::Json),
            Action::ShowText => self.show_tab(Tab::Text),
            Action::ShowHex => self.show_tab(Tab::Hex),
            Action::ShowRaw => self.show_tab(Tab::Raw),
            Action::ShowChecks => self.show_tab(Tab::Checks),
            Action::Wrap => self.pane_act(PaneAct::Wrap),
            Action::Fold => self.pane_act(PaneAct::FoldToggle),
            Action::FoldAll => self.pane_act(PaneAct::FoldAll),
            Action::UnfoldAll => self.pane_act(PaneAct::UnfoldAll),
            Action::Goto => self.ask_for(Asks::Goto, ""),
            Action::Chain => self.toggle_chain(),
            Action::PreviousAttempt => self.walk_attempts(false),
            Action::NextAttempt => self.walk_attempts(true),
            Action::Chains => self.toggle_chains(),
            Action::Diff if self.screen == Screen::Diff => self.screen = Screen::Main,
            Action::Diff => self.begin_diff(),
            Action::Mark => self.toggle_mark(),
            Action::Copy => self.copy_menu = self.list.selected.is_some() || self.screen == Screen::Vectors,
            Action::CopyHash => self.copy(CopyWhat::Hash),
            Action::CopyId => self.copy(CopyWhat::Id),
            Action::CopyPath => self.copy(CopyWhat::Path),
            Action::CopyBytes => self.copy(CopyWhat::Bytes),
            Action::CopyRecord => self.copy(CopyWhat::Record),
            Action::Editor => {
                if let Some(path) = self.selected_path() {
                    self.effects.push(Effect::Edit(path));
                }
            }
            Action::OpenPath => {
                let path = self.opened.path.as_ref().and_then(|path| path.to_str().map(str::to_owned));
                self.ask_for(Asks::Open, &path.unwrap_or_default());
                self.show_recent();
            }
            Action::Export => self.begin_export(Asks::Export),
            Action::ExportAll => self.begin_export(Asks::ExportAll),
            Action::Recheck if self.screen == Screen::Vectors => self.run_vectors(),
            Action::Recheck => {
                if let Some(path) = self.selected_path() {
                    self.say("reading and verifying this file again");
                    self.stale = true;
                    self.effects.push(Effect::Recheck(path));
                }
            }
            Action::RecheckAll => {
                self.say("reading and verifying everything again");
                self.effects.push(Effect::RecheckAll);
            }
            Action::Pause => self.toggle_pause(),
            Action::Follow => self.toggle_follow(),
            Action::Times => {
                self.times = self.times.next();
                if self.times == super::Times::Local && self.local.is_none() {
                    self.times = self.times.next();
                    self.say("the system does not tell its local time; times are shown as ages");
                } else {
                    self.say(format!("times are shown as {}", self.times.word()));
                }
            }
            Action::Vectors => self.toggle_vectors(),
            Action::Events => self.toggle_screen(Screen::Events),
            Action::Help => {
                if self.screen == Screen::Help {
                    self.screen = self.under_help;
                } else {
                    self.under_help = self.screen;
                    self.help_scroll = Scroll::default();
                    self.screen = Screen::Help;
                }
            }
            Action::Mouse => {
                self.mouse = !self.mouse;
                self.effects.push(Effect::Mouse(self.mouse));
                self.say(if self.mouse { "mouse on: M gives it back to the terminal" } else { "mouse off" });
            }
            Action::Redraw => self.effects.push(Effect::Redraw),
            Action::Suspend => self.effects.push(Effect::Suspend),
        }
    }

    fn selected_path(&self) -> Option<std::sync::Arc<std::path::Path>> {
        if self.screen == Screen::Vectors {
            return self.open_pane().open().map(|open| std::sync::Arc::clone(&open.path));
        }
        self.list.selected.and_then(|id| self.store.row(id)).map(|row| std::sync::Arc::from(&*row.path))
    }

    pub(super) fn pane_act(&mut self, act: PaneAct) {
        let height = self.pane_height();
        let pane = self.open_pane_mut();
        pane.act(act, height);
        if let Some(said) = pane.message().map(str::to_owned) {
            self.say(said);
        }
    }

    /// Rows of the receipt's own view; what a page is.
    fn pane_height(&self) -> u16 {
        u16::try_from(self.list.height).unwrap_or(20).max(4)
    }

    fn show_tab(&mut self, tab: Tab) {
        self.pane_act(PaneAct::Tab(tab));
        if self.screen == Screen::Vectors {
            self.vectors_focus(self.width < 60);
        } else if self.width < 60 {
            self.focus = Focus::Receipt;
        }
    }

    pub(super) fn set_filter(&mut self, filter: Filter) {
        let sort = self.view.sort();
        self.preset = 0;
        self.view.set(filter, sort);
    }

    fn next_preset(&mut self) {
        let row = self.list.selected.and_then(|id| self.store.row(id));
        let chain = self.chain.as_ref().and_then(|chain| chain.value.as_deref());
        let tool = row.as_ref().map(|row| row.tool).filter(|tool| !tool.is_empty());
        let mut texts: Vec<(String, String)> =
            PRESETS.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect();
        texts.extend(chain.map(|value| ("this chain".to_owned(), format!("chain:{}", quoted(value)))));
        texts.extend(tool.map(|tool| ("this tool".to_owned(), format!("tool:{}", quoted(tool)))));
        let next = self.preset.saturating_add(1) % texts.len().max(1);
        let Some((name, text)) = texts.get(next) else { return };
        match Filter::parse(text, self.now) {
            Ok(filter) => {
                self.set_filter(filter);
                self.preset = next;
                self.say(format!("shown: {name}"));
            }
            Err(error) => self.complain(text::shown(&error.message).into_owned()),
        }
    }

    fn next_sort(&mut self) {
        let key = self.view.sort().key;
        let at = SortKey::ALL.iter().position(|one| *one == key).unwrap_or(0);
        let key = SortKey::ALL.get((at + 1) % SortKey::ALL.len()).copied().unwrap_or(key);
        // Times and sizes begin with the largest, words with the first.
        let reverse = matches!(key, SortKey::Created | SortKey::Arrival | SortKey::Size);
        self.sort_by(Sort { key, reverse });
    }

    fn sort_by(&mut self, sort: Sort) {
        let filter = self.view.filter().clone();
        self.view.set(filter, sort);
        // Only an order by time has a newest end that could be followed.
        self.list.follow &= matches!(sort.key, SortKey::Created | SortKey::Arrival);
        let words = self.sort_text();
        self.say(format!("sorted by {words}"));
    }

    fn toggle_chain(&mut self) {
        let parts = self.list.selected.and_then(|id| self.store.row(id)).is_some_and(|row| has_parts(row.kind));
        if self.chain.is_none() && !parts && !self.with_chain {
            self.say("no other attempt of this call is here");
            return;
        }
        self.with_chain = !self.with_chain;
        if !self.with_chain && self.focus == Focus::Attempts {
            self.focus = Focus::List;
        }
    }

    pub(super) fn toggle_screen(&mut self, screen: Screen) {
        self.screen = if self.screen == screen { Screen::Main } else { screen };
    }

    fn begin_diff(&mut self) {
        let Some((earlier, later)) = self.diff_sides() else {
            let rewritten = self.list.selected.and_then(|id| self.store.row(id)).is_some_and(|row| row.rewritten);
            self.say(match rewritten {
                true => "what the file held before was not open here, only its hash is known; m marks a record",
                false => "nothing to compare with: m marks a record, or choose a second attempt",
            });
            return;
        };
        self.stamp = self.stamp.saturating_add(1);
        self.diff_stamp = self.stamp;
        self.stale = true;
        self.diff = None;
        self.screen = Screen::Diff;
        self.effects.push(Effect::Diff(earlier, later, self.diff_stamp));
    }

    fn toggle_mark(&mut self) {
        let Some(id) = self.list.selected else { return };
        if self.mark == Some(id) {
            self.mark = None;
            self.say("the mark is off");
        } else {
            self.mark = Some(id);
            self.say("marked: d on another record compares the two");
        }
    }

    fn copy(&mut self, what: CopyWhat) {
        let Some(open) = self.open_pane().open() else {
            self.complain("the record is not open yet");
            return;
        };
        match copy::copy(open, what) {
            Ok(copied) => {
                let said = format!("copied {} ({} bytes)", copied.what, copied.value.len());
                match &self.clipboard {
                    Clipboard::Program(words) => {
                        self.effects.push(Effect::CopyWith(words.clone(), copied.value, said));
                    }
                    Clipboard::Terminal if copied.value.len() > MAX_COPY => {
                        let size = crate::output::sentence::bytes_count(copied.value.len() as u64);
                        self.complain(format!("not copied: {} has {size}, and terminals drop so much", copied.what));
                    }
                    Clipboard::Terminal => {
                        self.say(said);
                        self.effects.push(Effect::Copy(copied.value));
                    }
                }
            }
            Err(why) => self.complain(format!("not copied: {why}")),
        }
    }

    fn toggle_pause(&mut self) {
        self.list.missed = 0;
        self.list.paused = match self.list.paused {
            Some(_) => None,
            None => Some(self.store.len() as u64),
        };
        self.say(if self.list.paused.is_some() {
            "paused: the list stands still while more arrives"
        } else {
            "going on"
        });
    }

    fn toggle_follow(&mut self) {
        self.list.follow = !self.list.follow;
        if self.list.follow {
            if !matches!(self.view.sort().key, SortKey::Created | SortKey::Arrival) {
                let filter = self.view.filter().clone();
                self.view.set(filter, Sort::default());
            }
            self.list.paused = None;
            self.list.top = 0;
            self.say("following: the newest record stays selected");
        } else {
            self.say("follow is off");
        }
    }

    /// Whether a key is bound where the operator is; for tests and the help.
    pub fn knows(&self, place: Place, key: Key) -> bool {
        self.keymap.find(place, key).is_some()
    }
}

/// A value for the filter, in quotes when it needs them.
fn quoted(value: &str) -> String {
    let plain = value.chars().all(|c| c.is_alphanumeric() || "._-/@".contains(c));
    if plain && !value.is_empty() { value.to_owned() } else { format!("\"{}\"", value.replace('"', "")) }
}
