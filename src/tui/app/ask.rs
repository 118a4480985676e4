//! The input line: search, filter, paths, as they are typed.

use super::seek::{Needle, Wanted};
use super::{App, Effect, Screen};
use crate::store::query::Filter;
use crate::text;
use crate::tui::detail::PaneAct;
use crate::tui::export::{ENDS, Format};
use crate::tui::input::Key;
use crate::tui::prompt::{Asks, History, Prompt, Typed};

impl App {
    pub(super) fn begin_search(&mut self) {
        self.search_origin = self.list.selected;
        if let Some(all) = &mut self.vectors {
            all.origin = all.scroll.at;
        }
        self.ask_for(Asks::Search, "");
    }

    /// Opens the input line.
    pub(super) fn ask_for(&mut self, asks: Asks, text: &str) {
        let history = self.history(asks).clone();
        self.prompt = Some(Prompt::new(asks, text, &history));
    }

    pub(super) fn prompt_key(&mut self, key: Key) {
        let Some(prompt) = &mut self.prompt else { return };
        match prompt.key(key) {
            Typed::Nothing => {}
            Typed::Changed => self.typed(),
            Typed::Cancelled => self.cancelled(),
            Typed::Complete => {
                if prompt.is_path() {
                    let text = prompt.text();
                    self.effects.push(Effect::Complete(text));
                }
            }
            Typed::Done => self.entered(),
        }
    }

    /// Shows the folders opened before, the newest first, and which of them stands in the input.
    pub(super) fn show_recent(&mut self) {
        let Some(prompt) = &mut self.prompt else { return };
        let text = prompt.text();
        let arrow = self.theme.glyph("↑ ↓", "Up Dn");
        let recent = self.histories.get(Asks::Open.label()).map(History::texts).unwrap_or_default();
        prompt.hints = recent.iter().rev().take(8).map(|path| text::shown(path).into_owned()).collect();
        for (hint, path) in prompt.hints.iter_mut().zip(recent.iter().rev()) {
            *hint = format!("{} {hint}", if *path == text { ">" } else { " " });
        }
        if !prompt.hints.is_empty() {
            prompt.hints.insert(0, format!("opened before ({arrow}), Tab completes"));
        }
    }

    /// The text of the prompt changed: what can be shown at once is.
    pub(super) fn typed(&mut self) {
        let Some(prompt) = &mut self.prompt else { return };
        prompt.error = None;
        let (asks, text) = (prompt.asks, prompt.text());
        match asks {
            Asks::Search if self.in_record() => self.pane_act(PaneAct::Search(text)),
            Asks::Search if self.screen == Screen::Vectors => self.search_vectors(&text),
            Asks::Search => {
                self.needle = (!text.is_empty()).then_some(text.clone());
                if let Some(position) = self.search_origin.and_then(|id| self.view.position(id)) {
                    self.list.position = position;
                    self.list.selected = self.search_origin;
                }
                if let Some(needle) = Needle::new(&text) {
                    self.seek(Wanted::Text(needle), true, true);
                }
            }
            Asks::Filter => {
                if let Err(error) = Filter::parse(&text, self.now) {
                    self.prompt_error(error.at, &error.message);
                }
            }
            Asks::Open => self.show_recent(),
            Asks::Export | Asks::ExportAll | Asks::Goto => {}
        }
    }

    fn prompt_error(&mut self, at: usize, message: &str) {
        if let Some(prompt) = &mut self.prompt {
            prompt.error = Some((at, text::shown(message).into_owned()));
        }
    }

    fn cancelled(&mut self) {
        let Some(prompt) = self.prompt.take() else { return };
        if prompt.asks == Asks::Search {
            if self.in_record() {
                self.pane_act(PaneAct::SearchEnd);
            } else if self.screen == Screen::Vectors {
                self.search_vectors("");
            } else {
                self.needle = None;
                self.seek = None;
                self.list.selected = self.search_origin.or(self.list.selected);
            }
        }
    }

    fn entered(&mut self) {
        let Some(prompt) = self.prompt.take() else { return };
        let text = prompt.text();
        match prompt.asks {
            Asks::Search => self.history(Asks::Search).add(&text),
            Asks::Goto => {
                self.history(Asks::Goto).add(&text);
                self.pane_act(PaneAct::Goto(text));
            }
            Asks::Filter => match Filter::parse(&text, self.now) {
                Ok(filter) => {
                    self.history(Asks::Filter).add(&text);
                    self.set_filter(filter);
                }
                Err(error) => {
                    self.prompt = Some(prompt);
                    self.prompt_error(error.at, &error.message);
                }
            },
            Asks::Export | Asks::ExportAll => {
                let to = crate::tui::source::home(std::path::Path::new(&text));
                if Format::of(&to).is_none() {
                    self.prompt = Some(prompt);
                    return self.prompt_error(text.len(), &format!("the name must end in one of {ENDS}"));
                }
                self.history(prompt.asks).add(&text);
                self.gather(prompt.asks, to);
            }
            Asks::Open => {
                if !text.is_empty() {
                    self.history(Asks::Open).add(&text);
                    self.effects.push(Effect::Open(text.into()));
                }
            }
        }
    }
}
