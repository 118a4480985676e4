//! A one-line input with a history: search, filter, sort, open.

use ratatui::crossterm::event::KeyCode;

use super::input::Key;

/// What the typed text is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asks {
    /// A text to look for in the focused pane, as it is typed.
    Search,
    /// A filter of the list.
    Filter,
    /// A folder or file to open.
    Open,
    /// An offset or a line to go to.
    Goto,
    /// A file to write the selected record to.
    Export,
    /// A file to write every listed record to.
    ExportAll,
}

impl Asks {
    /// What stands before the input.
    pub const fn label(self) -> &'static str {
        match self {
            Asks::Search => "/",
            Asks::Filter => "filter: ",
            Asks::Open => "open: ",
            Asks::Goto => "go to: ",
            Asks::Export => "write this record to: ",
            Asks::ExportAll => "write the listed records to: ",
        }
    }
}

/// What a key did to a prompt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Typed {
    /// Nothing.
    Nothing,
    /// The text or the cursor changed.
    Changed,
    /// The text is to be used.
    Done,
    /// The prompt is given up.
    Cancelled,
    /// Completion was asked for.
    Complete,
}

/// Texts that are kept of each kind.
const KEPT: usize = 50;
/// Longest text, in characters.
const MAX: usize = 4_096;

/// The texts used before, newest last.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct History(Vec<String>);

impl History {
    /// Remembers `text`, once.
    pub fn add(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        self.0.retain(|old| old != text);
        self.0.push(text.to_owned());
        let surplus = self.0.len().saturating_sub(KEPT);
        self.0.drain(..surplus);
    }

    /// Begins with these, oldest first; what was used since comes after them.
    pub fn begin_with(&mut self, texts: Vec<String>) {
        let used = std::mem::replace(&mut self.0, texts);
        used.iter().for_each(|text| self.add(text));
    }

    /// All of them, oldest first.
    pub fn texts(&self) -> &[String] {
        &self.0
    }
}

/// The input.
#[derive(Clone, Debug)]
pub struct Prompt {
    /// What it asks for.
    pub asks: Asks,
    chars: Vec<char>,
    cursor: usize,
    history: History,
    /// Which text of the history is shown; its length is "none".
    at: usize,
    /// Lines that stand above the input, escaped.
    pub hints: Vec<String>,
    /// What is wrong with the text: a byte offset into it and a sentence, escaped.
    pub error: Option<(usize, String)>,
}

impl Prompt {
    /// A prompt that begins with `text`.
    pub fn new(asks: Asks, text: &str, history: &History) -> Prompt {
        let chars: Vec<char> = text.chars().take(MAX).collect();
        let at = history.0.len();
        Prompt { asks, cursor: chars.len(), chars, history: history.clone(), at, hints: Vec::new(), error: None }
    }

    /// The text typed so far, raw.
    pub fn text(&self) -> String {
        self.chars.iter().collect()
    }

    /// Whether it takes a path, which Tab completes.
    pub const fn is_path(&self) -> bool {
        matches!(self.asks, Asks::Open | Asks::Export | Asks::ExportAll)
    }

    /// The text before the cursor, raw.
    pub fn before_cursor(&self) -> String {
        self.chars.iter().take(self.cursor).collect()
    }

    /// Replaces the text.
    pub fn set(&mut self, text: &str) {
        self.chars = text.chars().take(MAX).collect();
        self.cursor = self.chars.len();
    }

    /// Inserts pasted text, as it is: its first line. (A terminal may send line ends as carriage returns.)
    pub fn paste(&mut self, text: &str) {
        for c in text.split(['\n', '\r']).next().unwrap_or_default().chars() {
            self.insert(c);
        }
    }

    fn insert(&mut self, c: char) {
        if self.chars.len() < MAX {
            self.chars.insert(self.cursor.min(self.chars.len()), c);
            self.cursor = self.cursor.saturating_add(1);
        }
    }

    fn word_start(&self) -> usize {
        let head = self.chars.get(..self.cursor).unwrap_or_default();
        let end = head.iter().rposition(|c| *c != ' ').map_or(0, |at| at + 1);
        head.get(..end).and_then(|head| head.iter().rposition(|c| *c == ' ')).map_or(0, |at| at + 1)
    }

    fn recall(&mut self, back: bool) -> Typed {
        let len = self.history.0.len();
        let to = if back { self.at.checked_sub(1) } else { Some(self.at.saturating_add(1).min(len)) };
        let Some(to) = to else { return Typed::Nothing };
        self.at = to;
        let text = self.history.0.get(to).cloned().unwrap_or_default();
        self.set(&text);
        Typed::Changed
    }

    /// One key.
    pub fn key(&mut self, key: Key) -> Typed {
        let len = self.chars.len();
        match (key.code, key.ctrl) {
            (KeyCode::Enter, _) => return Typed::Done,
            (KeyCode::Esc, _) | (KeyCode::Char('c' | 'g'), true) => return Typed::Cancelled,
            (KeyCode::Tab, _) => return Typed::Complete,
            (KeyCode::Up, _) | (KeyCode::Char('p'), true) => return self.recall(true),
            (KeyCode::Down, _) | (KeyCode::Char('n'), true) => return self.recall(false),
            (KeyCode::Left, _) | (KeyCode::Char('b'), true) => self.cursor = self.cursor.saturating_sub(1),
            (KeyCode::Right, _) | (KeyCode::Char('f'), true) => self.cursor = (self.cursor + 1).min(len),
            (KeyCode::Home, _) | (KeyCode::Char('a'), true) => self.cursor = 0,
            (KeyCode::End, _) | (KeyCode::Char('e'), true) => self.cursor = len,
            (KeyCode::Backspace, _) if len == 0 => return Typed::Cancelled,
            (KeyCode::Backspace, _) => {
                if let Some(at) = self.cursor.checked_sub(1) {
                    self.chars.remove(at);
                    self.cursor = at;
                }
            }
            (KeyCode::Delete, _) | (KeyCode::Char('d'), true) => {
                if self.cursor < len {
                    self.chars.remove(self.cursor);
                }
            }
            (KeyCode::Char('u'), true) => {
                self.chars.drain(..self.cursor.min(len));
                self.cursor = 0;
            }
            (KeyCode::Char('k'), true) => self.chars.truncate(self.cursor),
            (KeyCode::Char('w'), true) => {
                let start = self.word_start();
                self.chars.drain(start..self.cursor.min(len));
                self.cursor = start;
            }
            (KeyCode::Char(c), false) if !key.alt => self.insert(c),
            _ => return Typed::Nothing,
        }
        Typed::Changed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(prompt: &mut Prompt, text: &str) {
        for c in text.chars() {
            prompt.key(Key::ch(c));
        }
    }

    #[test]
    fn editing() {
        let mut prompt = Prompt::new(Asks::Filter, "", &History::default());
        typed(&mut prompt, "tool:sql prov:gateway");
        prompt.key(Key::ctrl('w'));
        assert_eq!(prompt.text(), "tool:sql ");
        prompt.key(Key::ctrl('a'));
        typed(&mut prompt, "é");
        prompt.key(Key::new(KeyCode::Delete));
        assert_eq!(prompt.text(), "éool:sql ");
        assert_eq!(prompt.before_cursor(), "é");
        prompt.key(Key::ctrl('k'));
        assert_eq!(prompt.text(), "é");
        assert_eq!(prompt.key(Key::new(KeyCode::Enter)), Typed::Done);
    }

    #[test]
    fn history_is_walked_and_each_text_is_kept_once() {
        let mut history = History::default();
        for text in ["a", "b", "a"] {
            history.add(text);
        }
        assert_eq!(history.texts(), ["b", "a"]);
        let mut prompt = Prompt::new(Asks::Search, "", &history);
        prompt.key(Key::new(KeyCode::Up));
        assert_eq!(prompt.text(), "a");
        prompt.key(Key::new(KeyCode::Up));
        prompt.key(Key::new(KeyCode::Up));
        assert_eq!(prompt.text(), "b");
        prompt.key(Key::new(KeyCode::Down));
        prompt.key(Key::new(KeyCode::Down));
        assert_eq!(prompt.text(), "");
    }

    #[test]
    fn a_paste_is_one_line_and_nothing_of_it_is_dropped() {
        for end in ["", "\n", "\r", "\nc", "\rc", "\r\nc"] {
            let mut prompt = Prompt::new(Asks::Search, "", &History::default());
            prompt.paste(&format!("a\u{1b}[2J\tb{end}"));
            assert_eq!(prompt.text(), "a\u{1b}[2J\tb", "{end:?}");
        }
    }
}
