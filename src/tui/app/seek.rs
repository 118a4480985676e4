//! Looking for the next row that matches, in slices: no frame waits for a search through a million rows.

use std::time::{Duration, Instant};

use super::App;
use crate::store::{RowId, RowRef, RowState};
use crate::text;

/// What is looked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// A failing record.
    Failing,
    /// A record one of whose texts holds this.
    Text(Needle),
}

/// A text to look for: as it is when it holds a capital letter, else whatever the case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Needle {
    text: String,
    exact: bool,
}

impl Needle {
    /// A needle; `None` for the empty text.
    pub fn new(text: &str) -> Option<Needle> {
        let exact = text.chars().any(char::is_uppercase);
        (!text.is_empty()).then(|| Needle { text: text.to_owned(), exact })
    }

    /// Whether `hay` holds it.
    pub fn is_in(&self, hay: &str) -> bool {
        if self.exact || !hay.bytes().any(|b| b.is_ascii_uppercase() || b >= 0x80) {
            return hay.contains(&self.text);
        }
        hay.to_lowercase().contains(&self.text)
    }

    /// Whether one of a row's texts holds it, as they are shown: id, tool, file, class, provenance, status.
    pub fn is_in_row(&self, row: &RowRef<'_>) -> bool {
        let name = || row.path.file_name().map(text::shown_path).unwrap_or_default();
        self.is_in(&text::shown(&row.receipt_id))
            || self.is_in(&text::shown(row.tool))
            || row.class.is_some_and(|class| self.is_in(class.as_str()))
            || self.is_in(&text::shown(row.provenance))
            || self.is_in(&text::shown(row.status))
            || self.is_in(&name())
    }
}

/// A search that is under way.
#[derive(Clone, Debug)]
pub struct Seek {
    wanted: Wanted,
    forward: bool,
    /// The next place to look at.
    at: usize,
    /// Places left to look at.
    left: usize,
}

impl App {
    /// Begins to look from the selected row; `here` includes it.
    pub fn seek(&mut self, wanted: Wanted, forward: bool, here: bool) {
        let len = self.view.ids().len();
        if len == 0 {
            self.seek = None;
            return;
        }
        let step = usize::from(!here);
        let at = if forward { self.list.position + step } else { self.list.position + len - step } % len;
        self.seek = Some(Seek { wanted, forward, at, left: if here { len } else { len.saturating_sub(1).max(1) } });
        self.run_seek(Duration::from_millis(4));
        self.dirty = true;
    }

    /// Goes on looking for at most `budget`.
    pub fn run_seek(&mut self, budget: Duration) {
        let Some(mut seek) = self.seek.take() else { return };
        let until = Instant::now() + budget;
        let len = self.view.ids().len();
        let mut looked = 0u32;
        while seek.left > 0 && len > 0 {
            let at = seek.at % len;
            let Some(id) = self.view.ids().get(at).copied() else { break };
            if self.is_wanted(&seek.wanted, id) {
                let wrapped = if seek.forward { at < self.list.position } else { at > self.list.position };
                self.select_at(at);
                if wrapped {
                    self.say(if seek.forward { "went on from the top" } else { "went on from the bottom" });
                }
                return;
            }
            seek.at = if seek.forward { at + 1 } else { at + len - 1 } % len;
            seek.left -= 1;
            looked += 1;
            if looked.is_multiple_of(64) && Instant::now() >= until {
                self.seek = Some(seek);
                self.busy = true;
                return;
            }
        }
        match seek.wanted {
            Wanted::Failing => self.say("no other failing record in this list"),
            Wanted::Text(needle) => {
                let shown = text::shown_cut(&needle.text, 40).into_owned();
                self.say(format!("no record holds {shown}"));
            }
        }
    }

    fn is_wanted(&self, wanted: &Wanted, id: RowId) -> bool {
        let Some(row) = self.store.row(id) else { return false };
        match wanted {
            Wanted::Failing => row.state == RowState::Known && row.headline.is_failing(),
            Wanted::Text(needle) => needle.is_in_row(&row),
        }
    }
}
