//! What is shown, and how it changes. State changes only through [`App::act`] (a key's meaning), [`App::input`] (what a
//! person did) and [`App::receive`] (what the threads tell); drawing reads it. What must happen outside, the terminal
//! and the threads, is left in [`App::effects`] for the loop.

mod act;
mod activity;
mod ask;
mod chains;
mod clock;
mod gather;
mod go;
mod happened;
mod log;
mod message;
mod opened;
mod pick;
mod receive;
mod scroll;
mod seek;
#[cfg(test)]
mod tests;
mod vectors;
mod versions;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

pub use activity::Activity;
pub use chains::AllChains;
pub use clock::{Times, age, duration};
pub use gather::Gather;
pub use log::{Entry, Log, What};
pub use message::Message;
pub use opened::Opened;
pub use scroll::Scroll;
pub use seek::Seek;
pub use vectors::Vectors;
pub use versions::Versions;

use super::detail::{Pane, Request, Side};
use super::export::Job;
use super::journal::Line;
use super::keymap::Keymap;
use super::keys::{self, Action, Binding, Place};
use super::prompt::{Asks, History, Prompt};
use super::remember::Shown;
use super::settings::{Bell, Clipboard, Settings};
use super::suite::{Ask, Which};
use super::theme::Theme;
use super::view::diff::DiffPane;
use super::view::list::Column;
use super::view::timeline::Presence;
use crate::aer1::grammar::Moment;
use crate::aer1::report::Note;
use crate::config::Limits;
use crate::store::query::{Filter, Sort, SortKey, View};
use crate::store::{Chain, RowId, Store};

/// Which pane has the keys.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Focus {
    /// The list.
    #[default]
    List,
    /// The receipt.
    Receipt,
    /// The attempts.
    Attempts,
}

/// What fills the screen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Screen {
    /// Nothing was opened yet.
    Welcome,
    /// List and receipt.
    #[default]
    Main,
    /// A comparison.
    Diff,
    /// All chains.
    Chains,
    /// What happened.
    Events,
    /// A suite of test vectors.
    Vectors,
    /// The help.
    Help,
}

/// What the loop must do outside of the state.
#[derive(Clone, Debug)]
pub enum Effect {
    /// End.
    Quit,
    /// Stop until continued.
    Suspend,
    /// Draw on a fresh screen.
    Redraw,
    /// Put this on the clipboard through the terminal.
    Copy(Vec<u8>),
    /// Hand this to a program that puts it on a clipboard; what to say then.
    CopyWith(Vec<String>, Vec<u8>, String),
    /// Show this file in an editor.
    Edit(Arc<Path>),
    /// Open this path instead.
    Open(PathBuf),
    /// Verify this file again.
    Recheck(Arc<Path>),
    /// Verify everything again.
    RecheckAll,
    /// Open this record in the detail pane.
    Detail(Request),
    /// Compare these.
    Diff(Side, Side, u64),
    /// Mouse on or off.
    Mouse(bool),
    /// Complete this path.
    Complete(String),
    /// Call the operator: a record failed, so many of them are.
    Call(Bell, String),
    /// Write this report.
    Export(Box<Job>),
    /// Run this suite; what it tells carries the number.
    Suite(Which, u64),
    /// Ask the suite that runs.
    AskSuite(Ask),
}

/// The list's own state. The selection is a record, not a row number.
#[derive(Clone, Debug, Default)]
pub struct List {
    /// The selected record.
    pub selected: Option<RowId>,
    /// Where it stood when the list was last settled.
    pub position: usize,
    /// First row shown.
    pub top: usize,
    /// Rows that fit, as last drawn.
    pub height: usize,
    /// The newest stays selected.
    pub follow: bool,
    /// The list stands still; rows there were when it began to.
    pub paused: Option<u64>,
    /// Rows that arrived since the list stands still.
    pub missed: u64,
    /// How wide the longest cell of each column was, of those that were on the screen.
    pub needs: BTreeMap<&'static str, u16>,
}

/// Everything that is shown.
pub struct App {
    /// Colours and glyphs.
    pub theme: Theme,
    /// Which keys mean what.
    pub keymap: Keymap,
    /// Columns of the list.
    pub columns: Vec<Column>,
    /// Rows that are kept.
    pub max_rows: usize,
    /// What calls when a record fails, and when it last did.
    pub bell: (Bell, Option<Moment>),
    /// What has been seen.
    pub store: Store,
    /// Which of it is listed, in which order.
    pub view: View,
    /// What was opened.
    pub opened: Opened,
    /// The list.
    pub list: List,
    /// The pane with the keys.
    pub focus: Focus,
    /// The pane with the keys has the whole screen.
    pub zoom: bool,
    /// What fills the screen.
    pub screen: Screen,
    /// Where [`Action::Back`] goes from the help.
    pub under_help: Screen,
    /// The open record.
    pub pane: Pane,
    /// Which record the pane was asked to show.
    pub shown: Option<RowId>,
    /// The shown record changed since it was asked for.
    pub stale: bool,
    /// Counts requests.
    pub stamp: u64,
    /// The attempts are shown.
    pub with_chain: bool,
    /// The chain of the selected record, as of [`App::chain_at`].
    pub chain: Option<Chain>,
    /// Folder findings about the selected record.
    pub notes: Vec<Note>,
    /// For which record and store generation chain and notes were asked.
    pub chain_at: Option<(RowId, u64)>,
    /// Counts changes of the store.
    pub changes: u64,
    /// All chains.
    pub chains: AllChains,
    /// Scrolling of the events.
    pub events_scroll: Scroll,
    /// Scrolling of the help.
    pub help_scroll: Scroll,
    /// The comparison.
    pub diff: Option<DiffPane>,
    /// The suite of test vectors, once it was opened.
    pub vectors: Option<Box<Vectors>>,
    /// Which step receipts of the open workflow are here, and for which request and changes that was asked.
    pub presence: (Vec<Presence>, Option<(u64, u64)>),
    /// Scrolling of the entries or steps.
    pub parts_scroll: Scroll,
    /// Which comparison was asked for last.
    pub diff_stamp: u64,
    /// The record marked for comparing.
    pub mark: Option<RowId>,
    /// The input line.
    pub prompt: Option<Prompt>,
    /// Texts used before.
    pub histories: BTreeMap<&'static str, History>,
    /// The id of a record to select as soon as it is here.
    pub wanted: Option<String>,
    /// A report whose records are being gathered.
    pub gathering: Option<Box<Gather>>,
    /// A search is under way.
    pub seek: Option<Seek>,
    /// What was last looked for in the list.
    pub needle: Option<String>,
    /// Where a search began.
    pub search_origin: Option<RowId>,
    /// The copy menu is open.
    pub copy_menu: bool,
    /// Which ready-made filter is set.
    pub preset: usize,
    /// A line for the operator.
    pub message: Option<Message>,
    /// What happened.
    pub log: Log,
    /// What happens is written to a file.
    pub logs: bool,
    /// What is to be written there.
    pub lines: Vec<Line>,
    /// Records as they were when they were opened.
    pub versions: Versions,
    /// Who copies.
    pub clipboard: Clipboard,
    /// Arrivals a second.
    pub activity: Activity,
    /// How times are shown.
    pub times: Times,
    /// Offset of local time, in seconds; `None` when the system does not tell.
    pub local: Option<i32>,
    /// The clock, as last handed in.
    pub now: Moment,
    /// Clicks and the wheel are reported.
    pub mouse: bool,
    /// Where the list was last drawn, for clicks: column, row, width, height.
    pub list_area: ratatui::layout::Rect,
    /// The screen's width as last drawn.
    pub width: u16,
    /// What must happen outside.
    pub effects: Vec<Effect>,
    /// Something on the screen changed.
    pub dirty: bool,
    /// Work is left that should go on soon.
    pub busy: bool,
}

impl App {
    /// A console that shows nothing yet.
    pub fn new(theme: Theme, now: Moment, local: Option<i32>) -> App {
        App {
            theme,
            keymap: Keymap::default(),
            columns: Column::DEFAULT.to_vec(),
            max_rows: Limits::default().max_rows,
            bell: (Bell::Off, None),
            store: Store::new(),
            view: View::new(Filter::default(), Sort::default()),
            opened: Opened::default(),
            list: List { follow: true, ..List::default() },
            focus: Focus::List,
            zoom: false,
            screen: Screen::Welcome,
            under_help: Screen::Welcome,
            pane: Pane::new(),
            shown: None,
            stale: false,
            stamp: 0,
            with_chain: false,
            chain: None,
            notes: Vec::new(),
            chain_at: None,
            changes: 0,
            chains: AllChains::default(),
            events_scroll: Scroll::default(),
            help_scroll: Scroll::default(),
            diff: None,
            vectors: None,
            presence: (Vec::new(), None),
            parts_scroll: Scroll::default(),
            diff_stamp: 0,
            mark: None,
            prompt: None,
            histories: BTreeMap::new(),
            wanted: None,
            gathering: None,
            seek: None,
            needle: None,
            search_origin: None,
            copy_menu: false,
            preset: 0,
            message: None,
            log: Log::default(),
            logs: false,
            lines: Vec::new(),
            versions: Versions::default(),
            clipboard: Clipboard::default(),
            activity: Activity::default(),
            times: Times::Utc,
            local,
            now,
            mouse: false,
            list_area: ratatui::layout::Rect::ZERO,
            width: 80,
            effects: Vec::new(),
            dirty: true,
            busy: false,
        }
    }

    /// Begins with another path: everything seen is let go of. Returns the generation its events must carry.
    pub fn open(&mut self, path: &Path) -> u64 {
        let generation = self.opened.generation.saturating_add(1);
        self.opened = Opened { path: Some(path.to_owned()), generation, ..Opened::default() };
        self.store = Store::new();
        self.store.set_root(path);
        self.view = View::new(Filter::default(), self.view.sort());
        self.list = List { follow: true, height: self.list.height, ..List::default() };
        self.pane = Pane::new();
        self.screen = Screen::Main;
        self.focus = Focus::List;
        self.zoom = false;
        self.shown = None;
        self.chain = None;
        self.chain_at = None;
        self.notes.clear();
        self.changes = 0;
        self.chains = AllChains::default();
        self.diff = None;
        self.vectors = None;
        self.mark = None;
        self.seek = None;
        self.gathering = None;
        self.needle = None;
        self.preset = 0;
        self.log = Log::default();
        self.versions = Versions::default();
        self.activity = Activity::default();
        self.dirty = true;
        generation
    }

    /// Takes what the operator set, and tells the first mistake in it.
    pub fn take(&mut self, settings: &Settings) {
        self.keymap = settings.keymap.clone();
        self.columns.clone_from(&settings.columns.value);
        self.bell = (settings.bell.value, None);
        self.clipboard = settings.clipboard.value.clone();
        if let Some(first) = settings.mistakes.first() {
            let more = match settings.mistakes.len() {
                1 => String::new(),
                n => format!(" (and {} more)", n - 1),
            };
            self.complain(format!("config.toml:{}: {}{more} · aerscope config shows it", first.line, first.what));
        }
    }

    /// Lists as a folder was listed the last time.
    pub fn restore(&mut self, shown: &Shown) {
        // A filter of another version may not be known here.
        let filter = Filter::parse(&shown.filter, self.now).unwrap_or_default();
        self.list.follow &= matches!(shown.sort.key, SortKey::Created | SortKey::Arrival);
        if !filter.is_all() {
            let words = crate::text::shown_cut(filter.text(), 60).into_owned();
            self.say(format!("the filter of the last time stands: {words} · Esc takes it off"));
        }
        self.view.set(filter, shown.sort);
    }

    /// How the folder is listed, to be remembered.
    pub fn shown_as(&self) -> Shown {
        Shown { sort: self.view.sort(), filter: self.view.filter().text().to_owned() }
    }

    /// Where keys mean what they mean now.
    pub fn place(&self) -> Place {
        if self.copy_menu {
            return Place::CopyMenu;
        }
        match self.screen {
            Screen::Welcome => Place::Welcome,
            Screen::Diff => Place::Diff,
            Screen::Chains => Place::Chains,
            Screen::Events => Place::Events,
            Screen::Help => Place::Help,
            Screen::Vectors => Place::Vectors,
            Screen::Main => match self.focus {
                Focus::List => Place::List,
                Focus::Receipt => Place::Receipt,
                Focus::Attempts => Place::Attempts,
            },
        }
    }

    /// Whether an action would do something now; what would not, is not in the footer.
    pub fn applies(&self, action: Action) -> bool {
        let row = self.list.selected.and_then(|id| self.store.row(id));
        if self.screen == Screen::Vectors {
            return self.vectors_apply(action);
        }
        match action {
            Action::Open
            | Action::Copy
            | Action::Editor
            | Action::Export
            | Action::Recheck
            | Action::ShowChecks
            | Action::OtherPane
            | Action::Mark
            | Action::Wrap => row.is_some() || self.screen != Screen::Main,
            Action::NextFailing | Action::PreviousFailing => self.store.totals().failing() > 0,
            Action::Next | Action::Previous => {
                self.needle.is_some() || self.store.totals().failing() > 0 || self.screen != Screen::Main
            }
            Action::Chain => self.chain.is_some() || row.is_some_and(|row| has_parts(row.kind)),
            Action::NextAttempt | Action::PreviousAttempt => self.chain.is_some(),
            Action::Diff => self.diff_sides().is_some(),
            Action::Filter | Action::Sort | Action::Search | Action::Pause | Action::Follow => !self.store.is_empty(),
            Action::Chains | Action::Events | Action::ExportAll => !self.store.is_empty(),
            Action::Back => self.has_back(),
            _ => true,
        }
    }

    /// The bindings that apply now, most wanted first; what the footer is drawn from.
    pub fn live_bindings(&self) -> Vec<&'static Binding> {
        let place = self.place();
        let mut live: Vec<&Binding> = keys::BINDINGS
            .iter()
            .filter(|binding| !binding.word.is_empty() && binding.holds_at(place) && self.applies(binding.action))
            .collect();
        live.sort_by_key(|binding| std::cmp::Reverse(binding.weight));
        live
    }

    /// Whether there is something to step back from.
    pub fn has_back(&self) -> bool {
        self.copy_menu
            || !matches!(self.screen, Screen::Main | Screen::Welcome | Screen::Vectors)
            || (self.screen == Screen::Vectors && self.vectors_have_back())
            || (self.screen == Screen::Main
                && (self.zoom || self.focus != Focus::List || self.needle.is_some() || !self.view.filter().is_all()))
    }

    /// The history of one kind of prompt.
    pub fn history(&mut self, asks: Asks) -> &mut History {
        self.histories.entry(asks.label()).or_default()
    }

    /// How long the loop may sleep when nothing arrives.
    pub fn patience(&self) -> Duration {
        if self.busy { Duration::ZERO } else { Duration::from_millis(1_000) }
    }
}

/// Whether a record of this kind has entries or steps to show.
pub fn has_parts(kind: crate::aer1::report::Kind) -> bool {
    use crate::aer1::report::Kind;
    matches!(kind, Kind::Chain | Kind::Workflow)
}
