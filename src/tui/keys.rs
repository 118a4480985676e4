//! The one table of keys. It drives dispatch, the footer, the help and the key table of the README; a key that is not in
//! it does nothing, and an action that is not in it does not exist.

use ratatui::crossterm::event::KeyCode;

use super::input::Key;

/// What can be done. Each has a name of its own, by which it can be bound to other keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// One row down.
    Down,
    /// One row up.
    Up,
    /// First row.
    Top,
    /// Last row.
    Bottom,
    /// Half a page down.
    HalfDown,
    /// Half a page up.
    HalfUp,
    /// A page down.
    PageDown,
    /// A page up.
    PageUp,
    /// The other pane.
    OtherPane,
    /// The list.
    Left,
    /// The receipt.
    Right,
    /// Open, or give the pane the whole screen.
    Open,
    /// One step back.
    Back,
    /// End.
    Quit,
    /// Look for a text.
    Search,
    /// Next match, else next failing record.
    Next,
    /// Previous match, else previous failing record.
    Previous,
    /// Next failing record.
    NextFailing,
    /// Previous failing record.
    PreviousFailing,
    /// Filter the list.
    Filter,
    /// The next ready-made filter.
    Preset,
    /// Sort by the next key.
    Sort,
    /// Reverse the order.
    Reverse,
    /// The bytes as JSON.
    ShowJson,
    /// The bytes as text.
    ShowText,
    /// The bytes in hex.
    ShowHex,
    /// The file as it is.
    ShowRaw,
    /// Every check.
    ShowChecks,
    /// Wrap long lines.
    Wrap,
    /// Go to an offset or a line.
    Goto,
    /// Fold or unfold here.
    Fold,
    /// Fold everything.
    FoldAll,
    /// Unfold everything.
    UnfoldAll,
    /// The retry chain, timeline or workflow.
    Chain,
    /// Previous attempt.
    PreviousAttempt,
    /// Next attempt.
    NextAttempt,
    /// All chains.
    Chains,
    /// Compare.
    Diff,
    /// Mark for comparing.
    Mark,
    /// Copy something.
    Copy,
    /// Copy the declared hash.
    CopyHash,
    /// Copy the id.
    CopyId,
    /// Copy the path.
    CopyPath,
    /// Copy the decoded bytes.
    CopyBytes,
    /// Copy the whole record.
    CopyRecord,
    /// A read-only copy in the editor.
    Editor,
    /// Write the selected record as a report.
    Export,
    /// Write the listed records as a report.
    ExportAll,
    /// Open another folder or file.
    OpenPath,
    /// Check this file again.
    Recheck,
    /// Check everything again.
    RecheckAll,
    /// Keep the list as it is while more arrives.
    Pause,
    /// Keep the newest in view.
    Follow,
    /// Times in UTC, local or as an age.
    Times,
    /// What happened in this session.
    Events,
    /// The suite of test vectors.
    Vectors,
    /// Mouse on or off.
    Mouse,
    /// The help.
    Help,
    /// Draw everything again.
    Redraw,
    /// Stop until continued.
    Suspend,
}

/// Where a key means something. A set; see [`Binding::places`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// The list has the keys.
    List = 1,
    /// The receipt has the keys.
    Receipt = 2,
    /// The attempts have the keys.
    Attempts = 4,
    /// A comparison fills the screen.
    Diff = 8,
    /// The chains fill the screen.
    Chains = 16,
    /// The events fill the screen.
    Events = 32,
    /// The help fills the screen.
    Help = 128,
    /// The copy menu is open.
    CopyMenu = 256,
    /// There is nothing opened.
    Welcome = 512,
    /// A suite of test vectors fills the screen.
    Vectors = 1024,
}

const LIST: u16 = Place::List as u16;
const RECEIPT: u16 = Place::Receipt as u16;
const ATTEMPTS: u16 = Place::Attempts as u16;
const DIFF: u16 = Place::Diff as u16;
const CHAINS: u16 = Place::Chains as u16;
const EVENTS: u16 = Place::Events as u16;
const HELP: u16 = Place::Help as u16;
const COPY: u16 = Place::CopyMenu as u16;
const WELCOME: u16 = Place::Welcome as u16;
const VECTORS: u16 = Place::Vectors as u16;
const MAIN: u16 = LIST | RECEIPT | ATTEMPTS;
/// Where a record is open.
const OPENED: u16 = MAIN | VECTORS;
const SCREENS: u16 = DIFF | CHAINS | EVENTS | HELP | VECTORS;
const EVERYWHERE: u16 = MAIN | SCREENS | WELCOME;

/// Part of the help an action stands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    /// Moving about.
    Move,
    /// Finding records.
    Find,
    /// Looking at one.
    Look,
    /// Chains and comparing.
    Chains,
    /// Following the folder.
    Watch,
    /// Doing something with a record.
    Act,
    /// The program itself.
    Program,
}

impl Group {
    /// Every group, in the order of the help.
    pub const ALL: &'static [Group] =
        &[Group::Move, Group::Find, Group::Look, Group::Chains, Group::Watch, Group::Act, Group::Program];

    /// Its heading.
    pub const fn title(self) -> &'static str {
        match self {
            Group::Move => "Move",
            Group::Find => "Find",
            Group::Look => "Look at a record",
            Group::Chains => "Attempts and comparing",
            Group::Watch => "Watch",
            Group::Act => "Act",
            Group::Program => "Program",
        }
    }
}

/// One row of the table.
pub struct Binding {
    /// What it does.
    pub action: Action,
    /// The action's own name.
    pub name: &'static str,
    /// The keys, the one to show first.
    pub keys: &'static [Key],
    /// Where they mean this, as a set of [`Place`].
    pub places: u16,
    /// Where in the help.
    pub group: Group,
    /// The word in the footer; empty when it does not stand there.
    pub word: &'static str,
    /// How early it stands in the footer: the highest first.
    pub weight: u8,
    /// The line in the help.
    pub help: &'static str,
}

const fn c(c: char) -> Key {
    Key::ch(c)
}

const fn k(code: KeyCode) -> Key {
    Key::new(code)
}

/// Not in the footer.
const NO: (&str, u8) = ("", 0);

const fn row(
    action: Action,
    name: &'static str,
    keys: &'static [Key],
    places: u16,
    group: Group,
    footer: (&'static str, u8),
    help: &'static str,
) -> Binding {
    Binding { action, name, keys, places, group, word: footer.0, weight: footer.1, help }
}

/// Every key. Order is the order of the help; a key means the first thing that fits the place.
#[rustfmt::skip]
pub const BINDINGS: &[Binding] = &[
    row(Action::Down, "down", &[c('j'), k(KeyCode::Down)], MAIN | SCREENS, Group::Move, NO, "One row down"),
    row(Action::Up, "up", &[c('k'), k(KeyCode::Up)], MAIN | SCREENS, Group::Move, NO, "One row up"),
    row(Action::Top, "top", &[c('g'), k(KeyCode::Home)], MAIN | SCREENS, Group::Move, NO, "First row"),
    row(Action::Bottom, "bottom", &[c('G'), k(KeyCode::End)], MAIN | SCREENS, Group::Move, NO, "Last row"),
    row(Action::HalfDown, "half-page-down", &[Key::ctrl('d')], MAIN | SCREENS, Group::Move, NO, "Half a page down"),
    row(Action::HalfUp, "half-page-up", &[Key::ctrl('u')], MAIN | SCREENS, Group::Move, NO, "Half a page up"),
    row(Action::PageDown, "page-down", &[k(KeyCode::PageDown), Key::ctrl('f')], MAIN | SCREENS, Group::Move, NO, "A page down"),
    row(Action::PageUp, "page-up", &[k(KeyCode::PageUp), Key::ctrl('b')], MAIN | SCREENS, Group::Move, NO, "A page up"),
    row(Action::OtherPane, "other-pane", &[k(KeyCode::Tab), k(KeyCode::BackTab)], OPENED, Group::Move, ("pane", 60), "The next pane"),
    row(Action::Left, "list-pane", &[c('h'), k(KeyCode::Left)], OPENED, Group::Move, NO, "To the list"),
    row(Action::Right, "receipt-pane", &[c('l'), k(KeyCode::Right)], OPENED, Group::Move, NO, "To the receipt"),
    row(Action::Open, "open", &[k(KeyCode::Enter)], OPENED | CHAINS | EVENTS, Group::Move, ("open", 95), "Open the record, give the pane the whole screen, or go to the row"),
    row(Action::Back, "back", &[k(KeyCode::Esc)], EVERYWHERE | COPY, Group::Move, ("back", 94), "One step back; at the end it lets go of search and filter"),
    row(Action::Search, "search", &[c('/')], OPENED, Group::Find, ("search", 80), "Look for a text in the pane that has the keys, as you type"),
    row(Action::Next, "next", &[c('n')], MAIN | DIFF | CHAINS | VECTORS, Group::Find, ("next", 50), "Next match, difference or disagreeing vector; without a search, next failing record"),
    row(Action::Previous, "previous", &[c('N')], MAIN | DIFF | CHAINS | VECTORS, Group::Find, NO, "Previous match, difference, disagreeing vector, or failing record"),
    row(Action::NextFailing, "next-failing", &[c(']')], MAIN, Group::Find, ("failing", 78), "Next failing record: malformed or mismatch"),
    row(Action::PreviousFailing, "previous-failing", &[c('[')], MAIN, Group::Find, NO, "Previous failing record"),
    row(Action::Filter, "filter", &[c('f')], MAIN, Group::Find, ("filter", 79), "Filter: verdict:mismatch tool:sql prov:gateway status:failed since:10m chain:retried \"text\""),
    row(Action::Preset, "preset", &[c('p')], MAIN, Group::Find, NO, "Next ready-made filter: all, failing, unchecked, this chain, this tool"),
    row(Action::Sort, "sort", &[c('s')], LIST, Group::Find, ("sort", 40), "Sort by created, arrival, tool, verdict, status, file, size"),
    row(Action::Reverse, "reverse", &[c('S')], LIST, Group::Find, NO, "Reverse the order"),
    row(Action::ShowJson, "show-json", &[c('1')], OPENED, Group::Look, NO, "The decoded bytes as JSON"),
    row(Action::ShowText, "show-text", &[c('2')], OPENED, Group::Look, NO, "The decoded bytes as text"),
    row(Action::ShowHex, "show-hex", &[c('3')], OPENED, Group::Look, NO, "The decoded bytes in hex"),
    row(Action::ShowRaw, "show-raw", &[c('4')], OPENED, Group::Look, NO, "The record as it stands in the file"),
    row(Action::ShowChecks, "show-checks", &[c('5')], OPENED, Group::Look, ("checks", 45), "Every check: passed, failed, not reached, not applicable"),
    row(Action::Wrap, "wrap", &[c('w')], OPENED, Group::Look, ("wrap", 30), "Wrap long lines"),
    row(Action::Goto, "go-to", &[c(':')], RECEIPT | VECTORS, Group::Look, NO, "Go to an offset of the bytes (JSON, hex: 1024 or 0x400) or to a line (text, raw)"),
    row(Action::Fold, "fold", &[c('z')], RECEIPT | VECTORS, Group::Look, ("fold", 31), "Fold or unfold the object or array here"),
    row(Action::FoldAll, "fold-all", &[c('-')], RECEIPT | VECTORS, Group::Look, NO, "Fold everything"),
    row(Action::UnfoldAll, "unfold-all", &[c('+'), c('=')], RECEIPT | VECTORS, Group::Look, NO, "Unfold everything"),
    row(Action::Chain, "chain", &[c('c')], MAIN, Group::Chains, ("chain", 70), "The retry chain, timeline or workflow of the record"),
    row(Action::PreviousAttempt, "previous-attempt", &[c('{')], MAIN, Group::Chains, NO, "Previous attempt"),
    row(Action::NextAttempt, "next-attempt", &[c('}')], MAIN, Group::Chains, ("attempt", 55), "Next attempt"),
    row(Action::Chains, "chains", &[c('C')], MAIN | CHAINS | WELCOME, Group::Chains, ("chains", 35), "All chains"),
    row(Action::Diff, "diff", &[c('d')], MAIN | DIFF, Group::Chains, ("diff", 54), "Compare with the marked record, with what a rewritten file held before, or with the previous attempt"),
    row(Action::Mark, "mark", &[c('m')], MAIN, Group::Chains, ("mark", 34), "Mark the record for comparing, or take the mark off"),
    row(Action::Pause, "pause", &[c(' ')], MAIN, Group::Watch, ("pause", 65), "Keep the list as it is; what arrives meanwhile is counted"),
    row(Action::Follow, "follow", &[c('F')], MAIN, Group::Watch, ("follow", 64), "Keep the newest record selected; moving lets go"),
    row(Action::Times, "times", &[c('T')], MAIN | CHAINS, Group::Watch, NO, "Times in UTC, local time, or as an age"),
    row(Action::Recheck, "recheck", &[c('r')], OPENED, Group::Watch, NO, "Read and verify this file again; run the vectors again"),
    row(Action::RecheckAll, "recheck-all", &[c('R')], MAIN, Group::Watch, NO, "Read and verify everything again"),
    row(Action::Events, "events", &[c('E')], MAIN | EVENTS, Group::Watch, ("events", 33), "What happened in this session"),
    row(Action::Vectors, "vectors", &[c('v')], MAIN | WELCOME | VECTORS, Group::Watch, NO, "Test vectors, expected against found: the folder's own, those in ./vectors, or the built-in ones"),
    row(Action::Copy, "copy", &[c('y')], OPENED, Group::Act, ("copy", 62), "Copy: then h hash, i id, p path, b bytes, r record"),
    row(Action::CopyHash, "copy-hash", &[c('h')], COPY, Group::Act, ("hash", 90), "The declared hash"),
    row(Action::CopyId, "copy-id", &[c('i')], COPY, Group::Act, ("id", 89), "The id"),
    row(Action::CopyPath, "copy-path", &[c('p')], COPY, Group::Act, ("path", 88), "The path of the file"),
    row(Action::CopyBytes, "copy-bytes", &[c('b')], COPY, Group::Act, ("bytes", 87), "The decoded bytes"),
    row(Action::CopyRecord, "copy-record", &[c('r')], COPY, Group::Act, ("record", 86), "The record as it stands in the file"),
    row(Action::Editor, "editor", &[c('e')], OPENED, Group::Act, ("editor", 32), "A read-only copy in $VISUAL or $EDITOR"),
    row(Action::Export, "export", &[c('x')], MAIN, Group::Act, ("export", 29), "Write the record as a report: .txt .jsonl .xml (JUnit) .html .md"),
    row(Action::ExportAll, "export-listed", &[c('X')], MAIN, Group::Act, NO, "Write all listed records as a report"),
    row(Action::OpenPath, "open-path", &[c('o')], MAIN | WELCOME, Group::Act, ("open folder", 36), "Open another folder or file; up and down walk those opened before, Tab completes"),
    row(Action::Help, "help", &[c('?')], EVERYWHERE, Group::Program, ("help", 99), "This page"),
    row(Action::Mouse, "mouse", &[c('M')], MAIN | SCREENS, Group::Program, NO, "Mouse on or off: click selects, the wheel moves"),
    row(Action::Redraw, "redraw", &[Key::ctrl('l')], EVERYWHERE, Group::Program, NO, "Draw everything again"),
    row(Action::Suspend, "suspend", &[Key::ctrl('z')], EVERYWHERE, Group::Program, NO, "Stop, as any program does; fg goes on"),
    row(Action::Quit, "quit", &[c('q'), Key::ctrl('c')], EVERYWHERE, Group::Program, ("quit", 98), "Close this screen, or end"),
];

impl Binding {
    /// Whether it means something at `place`.
    pub const fn holds_at(&self, place: Place) -> bool {
        self.places & place as u16 != 0
    }
}

/// The row of an action.
pub fn binding(action: Action) -> Option<&'static Binding> {
    BINDINGS.iter().find(|binding| binding.action == action)
}

/// The key table as Markdown, for the README.
pub fn markdown() -> String {
    let mut out = String::new();
    for group in Group::ALL {
        out.push_str(&format!("**{}**\n\n| keys | action | |\n|---|---|---|\n", group.title()));
        for binding in BINDINGS.iter().filter(|binding| binding.group == *group) {
            let first = if binding.name.starts_with("copy-") { "`y` " } else { "" };
            let keys: Vec<String> = binding.keys.iter().map(|key| format!("{first}`{}`", key.name())).collect();
            out.push_str(&format!("| {} | {} | `{}` |\n", keys.join(" "), binding.help, binding.name));
        }
        out.push('\n');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLACES: [Place; 10] = [
        Place::List,
        Place::Receipt,
        Place::Attempts,
        Place::Diff,
        Place::Chains,
        Place::Events,
        Place::Help,
        Place::CopyMenu,
        Place::Welcome,
        Place::Vectors,
    ];

    #[test]
    fn no_key_means_two_things_at_one_place() {
        for place in PLACES {
            let mut seen = Vec::new();
            for binding in BINDINGS.iter().filter(|binding| binding.holds_at(place)) {
                for key in binding.keys {
                    assert!(!seen.contains(key), "{} at {place:?} ({})", key.name(), binding.name);
                    seen.push(*key);
                }
            }
        }
    }

    #[test]
    fn every_action_is_in_the_table_once_with_a_name_and_a_key() {
        for (at, one) in BINDINGS.iter().enumerate() {
            assert!(!one.keys.is_empty() && !one.name.is_empty() && !one.help.is_empty(), "{}", one.name);
            for other in BINDINGS.iter().skip(at + 1) {
                assert!(one.action != other.action && one.name != other.name, "{}", one.name);
            }
        }
    }

    /// The key table of the README; `AERSCOPE_WRITE=1` writes it.
    #[test]
    fn the_readme_has_this_table() {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md");
        let text = std::fs::read_to_string(&path).unwrap();
        let (begin, end) = ("<!-- keys:begin -->\n", "<!-- keys:end -->");
        let (head, rest) = text.split_once(begin).expect("the mark where it begins");
        let (old, tail) = rest.split_once(end).expect("the mark where it ends");
        let new = format!("\n{}", markdown());
        if std::env::var_os("AERSCOPE_WRITE").is_some() {
            std::fs::write(&path, format!("{head}{begin}{new}{end}{tail}")).unwrap();
        } else {
            assert_eq!(old, new, "AERSCOPE_WRITE=1 cargo test writes it again");
        }
    }

    #[test]
    fn no_key_needs_a_function_row() {
        let needs = |key: &Key| matches!(key.code, KeyCode::F(_));
        assert!(!BINDINGS.iter().flat_map(|binding| binding.keys).any(needs));
    }

    #[test]
    fn one_can_always_leave() {
        let map = crate::tui::keymap::Keymap::default();
        for place in PLACES {
            let leaves = map.find(place, Key::ch('q')).or(map.find(place, Key::new(KeyCode::Esc)));
            assert!(matches!(leaves, Some(Action::Quit | Action::Back)), "{place:?}");
        }
    }
}
