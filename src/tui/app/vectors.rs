//! A suite of test vectors on the screen: expected against found, what disagrees first.

use super::seek::Needle;
use super::{App, Effect, Focus, Screen, Scroll};
use crate::tui::detail::{Pane, PaneAct};
use crate::tui::keys::Action;
use crate::tui::suite::{Apart, Ask, Ran, Told, Which};
use crate::vectors::Outcome;

/// A suite, as it is shown.
pub struct Vectors {
    /// Counts suites that were opened; what an earlier one still tells is dropped.
    pub number: u64,
    /// The last run.
    pub run: Option<Ran>,
    /// Why there is none: where, and why, both escaped.
    pub failed: Option<(String, String)>,
    /// Numbers of the outcomes as they are listed: those that disagree first.
    pub order: Vec<usize>,
    /// How many of them disagree.
    pub disagree: usize,
    /// The selected one, as a place in [`Vectors::order`].
    pub scroll: Scroll,
    /// The selected one's record.
    pub pane: Pane,
    /// Where the selected one's file and its twin part.
    pub apart: Option<Apart>,
    /// The record has the keys.
    pub in_record: bool,
    /// A run was asked for and has not come to its end.
    pub running: bool,
    /// What is looked for in the list.
    pub needle: Option<String>,
    /// Where a search began.
    pub origin: usize,
    runs: u64,
    asked: Option<(u64, usize)>,
}

impl Vectors {
    fn new(number: u64) -> Vectors {
        Vectors {
            number,
            run: None,
            failed: None,
            order: Vec::new(),
            disagree: 0,
            scroll: Scroll::default(),
            pane: Pane::new(),
            apart: None,
            in_record: false,
            running: true,
            needle: None,
            origin: 0,
            runs: 0,
            asked: None,
        }
    }

    /// The outcome at a place of the list.
    pub fn at(&self, place: usize) -> Option<&Outcome> {
        self.run.as_ref()?.outcomes.get(*self.order.get(place)?)
    }

    /// The selected outcome.
    pub fn selected(&self) -> Option<&Outcome> {
        self.at(self.scroll.at)
    }

    /// Takes a run. The selection stays on its case, also when that agrees now; without one, it is the first.
    fn ran(&mut self, run: Ran) {
        let name = self.selected().map(|outcome| outcome.case.name.clone());
        self.order = (0..run.outcomes.len()).collect();
        // Stable: within each part the suite's own order.
        self.order.sort_by_key(|n| run.outcomes.get(*n).is_none_or(|outcome| outcome.agrees));
        self.disagree = run.outcomes.iter().filter(|outcome| !outcome.agrees).count();
        self.run = Some(run);
        self.failed = None;
        self.running = false;
        self.runs = self.runs.saturating_add(1);
        let again = name.and_then(|name| {
            (0..self.order.len()).find(|place| self.at(*place).is_some_and(|outcome| outcome.case.name == name))
        });
        self.scroll.at = again.unwrap_or(0);
    }

    /// The next place after the selected one, going round, that satisfies `is`.
    fn find(&self, forward: bool, is: impl Fn(&Outcome) -> bool) -> Option<usize> {
        let len = self.order.len();
        (1..=len)
            .map(|step| (self.scroll.at + if forward { step } else { len - step }) % len)
            .find(|place| self.at(*place).is_some_and(&is))
    }
}

fn holds(needle: &Needle, outcome: &Outcome) -> bool {
    needle.is_in(&outcome.case.name) || needle.is_in(&outcome.expected) || needle.is_in(&outcome.found)
}

impl App {
    /// Shows a suite.
    pub fn open_vectors(&mut self, which: Which) {
        self.stamp = self.stamp.saturating_add(1);
        self.vectors = Some(Box::new(Vectors::new(self.stamp)));
        self.screen = Screen::Vectors;
        self.effects.push(Effect::Suite(which, self.stamp));
        self.dirty = true;
    }

    /// Shows the suite that is near, or goes back to what was shown before.
    pub(super) fn toggle_vectors(&mut self) {
        if self.screen == Screen::Vectors {
            self.screen = if self.opened.path.is_some() { Screen::Main } else { Screen::Welcome };
        } else if self.vectors.is_some() {
            self.screen = Screen::Vectors;
        } else {
            // A later answer to the request that stands would be taken for an old one.
            self.stale = true;
            self.open_vectors(Which::Near(self.opened.path.clone()));
        }
    }

    /// Runs the suite again.
    pub(super) fn run_vectors(&mut self) {
        if let Some(all) = &mut self.vectors {
            all.running = true;
            self.effects.push(Effect::AskSuite(Ask::Run));
            self.say("running the vectors again");
        }
    }

    /// The suite opened under this number tells something.
    pub fn suite_told(&mut self, number: u64, told: Told) {
        let Some(all) = self.vectors.as_mut().filter(|all| all.number == number) else { return };
        self.dirty = true;
        match told {
            Told::Ran(run) => {
                let before = all.run.as_ref().map(|_| all.disagree);
                all.ran(run);
                let (now, total) = (all.disagree, all.order.len());
                if before.is_some() {
                    self.say(format!("run again: {} of {total} agree", total - now));
                }
            }
            Told::Failed(place, why) => {
                all.failed = Some((place, why));
                all.running = false;
            }
            Told::Shown(n, shown) => {
                if all.asked == Some((all.runs, n)) {
                    all.apart = shown.apart;
                    all.pane.loaded(shown.loaded);
                }
            }
        }
    }

    /// Asks for the selected vector's record, if it is not the one shown.
    pub(super) fn settle_vectors(&mut self) {
        if self.screen != Screen::Vectors {
            return;
        }
        let Some(all) = &mut self.vectors else { return };
        all.scroll.at = all.scroll.at.min(all.order.len().saturating_sub(1));
        let wanted = all.order.get(all.scroll.at).map(|n| (all.runs, *n));
        if wanted != all.asked {
            if all.asked.map(|(_, n)| n) != wanted.map(|(_, n)| n) {
                all.apart = None;
            }
            all.asked = wanted;
            self.dirty = true;
            match all.selected().map(|outcome| (outcome.case.file.clone(), outcome.case.place)) {
                Some((file, place)) => all.pane.loading(std::path::Path::new(&file).into(), place),
                None => all.pane.clear(),
            }
            self.effects.retain(|effect| !matches!(effect, Effect::AskSuite(Ask::Show(_))));
            self.effects.extend(wanted.map(|(_, n)| Effect::AskSuite(Ask::Show(n))));
        }
        if all.pane.is_busy() {
            all.pane.step();
            self.dirty = true;
            self.busy |= all.pane.is_busy();
        }
    }

    /// The pane whose record is on the screen.
    pub fn open_pane(&self) -> &Pane {
        match &self.vectors {
            Some(all) if self.screen == Screen::Vectors => &all.pane,
            _ => &self.pane,
        }
    }

    /// The pane whose record is on the screen.
    pub(super) fn open_pane_mut(&mut self) -> &mut Pane {
        match &mut self.vectors {
            Some(all) if self.screen == Screen::Vectors => &mut all.pane,
            _ => &mut self.pane,
        }
    }

    /// Whether a record has the keys.
    pub(super) fn in_record(&self) -> bool {
        match self.screen {
            Screen::Main => self.focus == Focus::Receipt,
            Screen::Vectors => self.vectors.as_ref().is_some_and(|all| all.in_record),
            _ => false,
        }
    }

    /// What has the keys: on the screen of the vectors its list or its record.
    pub(super) fn focus_now(&self) -> Focus {
        match self.screen {
            Screen::Vectors if self.in_record() => Focus::Receipt,
            Screen::Vectors => Focus::List,
            _ => self.focus,
        }
    }

    /// Gives the keys to the record, or to the list.
    pub(super) fn vectors_focus(&mut self, record: bool) {
        if let Some(all) = &mut self.vectors {
            all.in_record = record && !all.order.is_empty();
        }
    }

    /// The next vector that holds what is looked for; else the next that disagrees; when all agree, simply the next.
    pub(super) fn next_vector(&mut self, forward: bool) {
        let Some(all) = &mut self.vectors else { return };
        let here = all.scroll.at;
        let found = match all.needle.as_deref().and_then(Needle::new) {
            Some(needle) => all.find(forward, |outcome| holds(&needle, outcome)),
            None if all.disagree > 0 => all.find(forward, |outcome| !outcome.agrees),
            None => all.find(forward, |_| true),
        };
        let Some(to) = found else {
            self.say("no vector holds that");
            return;
        };
        all.scroll.at = to;
        if to == here && all.order.len() > 1 {
            self.say("this is the only one");
        } else if (to < here) == forward && to != here {
            self.say(if forward { "went on from the top" } else { "went on from the bottom" });
        }
    }

    /// Looks for a vector as the text is typed; the empty text lets go.
    pub(super) fn search_vectors(&mut self, text: &str) {
        let Some(all) = &mut self.vectors else { return };
        all.scroll.at = all.origin;
        all.needle = (!text.is_empty()).then(|| text.to_owned());
        let Some(needle) = Needle::new(text) else { return };
        if all.selected().is_some_and(|outcome| holds(&needle, outcome)) {
            return;
        }
        match all.find(true, |outcome| holds(&needle, outcome)) {
            Some(to) => all.scroll.at = to,
            None => self.say("no vector holds that"),
        }
    }

    pub(super) fn vectors_have_back(&self) -> bool {
        self.opened.path.is_some() || self.vectors.as_ref().is_some_and(|all| all.in_record || all.needle.is_some())
    }

    pub(super) fn vectors_back(&mut self) {
        let Some(all) = &mut self.vectors else { return };
        if all.in_record && all.pane.searching().is_some() {
            self.open_pane_mut().act(PaneAct::SearchEnd, 1);
        } else if all.in_record {
            all.in_record = false;
        } else if all.needle.is_some() {
            all.needle = None;
        } else if self.opened.path.is_some() {
            self.screen = Screen::Main;
        } else {
            self.say("q ends the program");
        }
    }

    pub(super) fn vectors_apply(&self, action: Action) -> bool {
        let any = self.vectors.as_ref().is_some_and(|all| !all.order.is_empty());
        match action {
            Action::Copy | Action::Editor | Action::Wrap | Action::Fold => self.open_pane().open().is_some(),
            Action::Open => any && !self.in_record(),
            Action::Next | Action::Previous | Action::Search | Action::OtherPane | Action::ShowChecks => any,
            Action::Back => self.has_back(),
            _ => true,
        }
    }
}
