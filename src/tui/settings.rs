//! What the operator set in `config.toml`. A mistake in it is told with its line and what was probably meant, and
//! nothing else is lost by it: the program starts all the same.

use std::fmt::Write as _;
use std::ops::Range;
use std::path::{Path, PathBuf};

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::input::Key;
use super::keymap::{Clash, Keymap, Own};
use super::keys::BINDINGS;
use super::theme::ThemeName;
use super::view::list::Column;
use crate::aer1::verify::DEFAULT_CORRELATION;
use crate::config::Limits;
use crate::text;

/// Largest file that is read, in bytes.
const MAX_FILE: u64 = 1 << 20;

/// What calls for attention when a record fails.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Bell {
    /// Nothing.
    #[default]
    Off,
    /// The terminal's bell.
    Bell,
    /// A desktop notification, where the terminal makes one (OSC 9).
    Notify,
}

impl Bell {
    /// Every value.
    pub const ALL: [Bell; 3] = [Bell::Off, Bell::Bell, Bell::Notify];

    /// The word for it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Bell::Off => "off",
            Bell::Bell => "bell",
            Bell::Notify => "notify",
        }
    }
}

/// A value, and the line it was set in; 0: it is the default.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Set<T> {
    /// The value.
    pub value: T,
    /// The line.
    pub line: usize,
}

impl<T> Set<T> {
    const fn default(value: T) -> Set<T> {
        Set { value, line: 0 }
    }
}

/// Something in the file that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong and what was probably meant, escaped.
    pub what: String,
}

/// Everything that can be set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// The file, when there is a place for one.
    pub file: Option<PathBuf>,
    /// Colours.
    pub theme: Set<ThemeName>,
    /// Glyphs and borders from ASCII alone.
    pub ascii: Set<bool>,
    /// Clicks and the wheel.
    pub mouse: Set<bool>,
    /// List the folder regularly instead of watching.
    pub poll: Set<bool>,
    /// What calls when a record fails.
    pub bell: Set<Bell>,
    /// Fields that link attempts.
    pub correlation: Set<Vec<String>>,
    /// Columns of the list.
    pub columns: Set<Vec<Column>>,
    /// Largest file, or line of a line-wise file, in bytes.
    pub max_size: Set<u64>,
    /// Levels of nesting.
    pub max_depth: Set<u32>,
    /// Rows kept.
    pub rows: Set<usize>,
    /// The operator's own keys, and their lines.
    pub keys: Vec<Set<Own>>,
    /// What the keys come to.
    pub keymap: Keymap,
    /// What cannot be used, by line.
    pub mistakes: Vec<Mistake>,
}

impl Default for Settings {
    fn default() -> Settings {
        let limits = Limits::default();
        Settings {
            file: None,
            theme: Set::default(ThemeName::default()),
            ascii: Set::default(false),
            mouse: Set::default(false),
            poll: Set::default(false),
            bell: Set::default(Bell::Off),
            correlation: Set::default(DEFAULT_CORRELATION.iter().map(|field| (*field).to_owned()).collect()),
            columns: Set::default(Column::ALL.to_vec()),
            max_size: Set::default(limits.max_size),
            max_depth: Set::default(limits.max_depth),
            rows: Set::default(limits.rows),
            keys: Vec::new(),
            keymap: Keymap::default(),
            mistakes: Vec::new(),
        }
    }
}

const NAMES: [&str; 9] = ["theme", "ascii", "mouse", "poll", "bell", "correlation", "columns", "limits", "keys"];

/// Where the file is looked for.
pub fn place() -> Option<PathBuf> {
    directories::ProjectDirs::from("", "", "aerscope").map(|dirs| dirs.config_dir().join("config.toml"))
}

/// What the file in the user's directory says; the defaults when there is none.
pub fn load() -> Settings {
    let Some(file) = place() else { return Settings::default() };
    let mut settings = match read(&file) {
        Ok(Some(text)) => parse(&text),
        Ok(None) => Settings::default(),
        Err(why) => Settings { mistakes: vec![Mistake { line: 1, what: why }], ..Settings::default() },
    };
    settings.file = Some(file);
    settings
}

fn read(file: &Path) -> Result<Option<String>, String> {
    match std::fs::metadata(file) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(text::shown_display(&error)),
        Ok(about) if !about.is_file() || about.len() > MAX_FILE => return Err("it is no small regular file".to_owned()),
        Ok(_) => {}
    }
    std::fs::read_to_string(file).map(Some).map_err(|error| text::shown_display(&error))
}

/// Reads the text of a file.
pub fn parse(source: &str) -> Settings {
    let (table, errors) = DeTable::parse_recoverable(source);
    let mut reader = Reader { source, settings: Settings::default() };
    for error in errors {
        let at = error.span().unwrap_or(0..0);
        reader.wrong(&at, text::shown(error.message()).into_owned());
    }
    for (name, value) in table.get_ref() {
        reader.top(name, value);
    }
    reader.keymap();
    let mut settings = reader.settings;
    settings.mistakes.sort_by_key(|mistake| mistake.line);
    settings
}

struct Reader<'a> {
    source: &'a str,
    settings: Settings,
}

type Name<'a> = Spanned<std::borrow::Cow<'a, str>>;
type Value<'a> = Spanned<DeValue<'a>>;

impl Reader<'_> {
    fn line(&self, at: &Range<usize>) -> usize {
        self.source.bytes().take(at.start).filter(|byte| *byte == b'\n').count() + 1
    }

    fn wrong(&mut self, at: &Range<usize>, what: String) {
        let line = self.line(at);
        self.settings.mistakes.push(Mistake { line, what });
    }

    /// Says that a word is none of those there are.
    fn unknown(&mut self, at: &Range<usize>, what: &str, word: &str, known: &[&str]) {
        let shown = text::shown_cut(word, 40).into_owned();
        let hint = match nearest(word, known) {
            Some(near) => format!("did you mean {near}?"),
            None if known.len() > 12 => "aerscope config lists all there are".to_owned(),
            None => format!("there is {}", known.join(", ")),
        };
        self.wrong(at, format!("{what} {shown} is not known; {hint}"));
    }

    /// A value, or that it should be something else.
    fn want<T>(&mut self, name: &str, value: &Value<'_>, wanted: &str, got: Option<T>) -> Option<Set<T>> {
        let line = self.line(&value.span());
        if got.is_none() {
            self.wrong(&value.span(), format!("{name} wants {wanted}"));
        }
        got.map(|value| Set { value, line })
    }

    fn top(&mut self, name: &Name<'_>, value: &Value<'_>) {
        let own = value.get_ref();
        match name.get_ref().as_ref() {
            "theme" => {
                let known: Vec<&str> = ThemeName::ALL.iter().map(|theme| theme.as_str()).collect();
                self.word("theme", value, &known, ThemeName::from_word).map(|set| self.settings.theme = set)
            }
            "bell" => {
                let known = Bell::ALL.map(Bell::as_str);
                let from = |word: &str| Bell::ALL.into_iter().find(|bell| bell.as_str() == word);
                self.word("bell", value, &known, from).map(|set| self.settings.bell = set)
            }
            "ascii" => self.want("ascii", value, "true or false", own.as_bool()).map(|set| self.settings.ascii = set),
            "mouse" => self.want("mouse", value, "true or false", own.as_bool()).map(|set| self.settings.mouse = set),
            "poll" => self.want("poll", value, "true or false", own.as_bool()).map(|set| self.settings.poll = set),
            "correlation" => {
                let fields = strings(value).filter(|all| !all.is_empty() && all.iter().all(|(_, one)| !one.is_empty()));
                let fields = fields.map(|all| all.into_iter().map(|(_, one)| one).collect());
                let wanted = "a list of names or JSON pointers, such as [\"correlation_id\"]";
                self.want("correlation", value, wanted, fields).map(|set| self.settings.correlation = set)
            }
            "columns" => {
                self.columns(value);
                None
            }
            "limits" => {
                self.limits(value);
                None
            }
            "keys" => {
                self.keys(value);
                None
            }
            other => {
                self.unknown(&name.span(), "the setting", other, &NAMES);
                None
            }
        };
    }

    fn word<T>(
        &mut self,
        name: &str,
        value: &Value<'_>,
        known: &[&str],
        from: impl Fn(&str) -> Option<T>,
    ) -> Option<Set<T>> {
        let word = self.want(name, value, &format!("one of {}", known.join(", ")), value.get_ref().as_str())?;
        let Some(found) = from(word.value) else {
            self.unknown(&value.span(), &format!("the {name}"), word.value, known);
            return None;
        };
        Some(Set { value: found, line: word.line })
    }

    fn columns(&mut self, value: &Value<'_>) {
        let known = Column::ALL.map(Column::as_str);
        let wanted = format!("a list of {}", known.join(", "));
        let Some(words) = self.want("columns", value, &wanted, strings(value)) else { return };
        let mut columns = Vec::new();
        for (at, word) in words.value {
            match Column::ALL.into_iter().find(|column| column.as_str() == word) {
                Some(column) => columns.push(column),
                None => self.unknown(&at, "the column", &word, &known),
            }
        }
        if !columns.is_empty() {
            self.settings.columns = Set { value: columns, line: words.line };
        }
    }

    fn limits(&mut self, value: &Value<'_>) {
        let Some(table) = value.get_ref().as_table() else {
            return self.wrong(&value.span(), "limits is a table: [limits], then max_size = \"64M\"".to_owned());
        };
        for (name, value) in table {
            let number = integer(value);
            match name.get_ref().as_ref() {
                "max_size" => {
                    let bytes = number.or_else(|| value.get_ref().as_str().and_then(size)).filter(|n| *n > 0);
                    let wanted = "a number of bytes, or a text such as \"64M\"";
                    if let Some(set) = self.want("max_size", value, wanted, bytes) {
                        self.settings.max_size = set;
                    }
                }
                "max_depth" => {
                    let depth = number.and_then(|n| u32::try_from(n).ok()).filter(|n| (1..=1_000).contains(n));
                    if let Some(set) = self.want("max_depth", value, "a number from 1 to 1000", depth) {
                        self.settings.max_depth = set;
                    }
                }
                "rows" => {
                    let rows = number.and_then(|n| usize::try_from(n).ok()).filter(|n| *n >= 1_000);
                    if let Some(set) = self.want("rows", value, "a number from 1000", rows) {
                        self.settings.rows = set;
                    }
                }
                other => self.unknown(&name.span(), "the limit", other, &["max_size", "max_depth", "rows"]),
            }
        }
    }

    fn keys(&mut self, value: &Value<'_>) {
        let Some(table) = value.get_ref().as_table() else {
            return self.wrong(&value.span(), "keys is a table: [keys], then down = [\"j\"]".to_owned());
        };
        let known: Vec<&str> = BINDINGS.iter().map(|binding| binding.name).collect();
        for (name, value) in table {
            let Some(binding) = BINDINGS.iter().find(|binding| binding.name == name.get_ref().as_ref()) else {
                self.unknown(&name.span(), "the action", name.get_ref(), &known);
                continue;
            };
            let words = value.get_ref().as_str().map(|one| vec![(value.span(), one.to_owned())]);
            let words = words.or_else(|| strings(value)).filter(|words| !words.is_empty());
            let Some(words) = self.want(binding.name, value, "a key or a list of keys", words) else { continue };
            let mut keys = Vec::new();
            for (at, word) in words.value {
                match Key::from_name(&word) {
                    Some(key) => keys.push(key),
                    None => {
                        let shown = text::shown_cut(&word, 40).into_owned();
                        self.wrong(&at, format!("{shown} is no key; keys are written x, Ctrl-x, Alt-x, Enter, PgDn …"));
                    }
                }
            }
            if !keys.is_empty() {
                let line = self.line(&name.span());
                self.settings.keys.push(Set { value: Own { action: binding.action, keys }, line });
            }
        }
        // By line, so that "the first" is what an operator means by it.
        self.settings.keys.sort_by_key(|set| set.line);
    }

    fn keymap(&mut self) {
        let own: Vec<Own> = self.settings.keys.iter().map(|set| set.value.clone()).collect();
        let (keymap, out) = Keymap::with(&own);
        self.settings.keymap = keymap;
        for (n, clash) in &out {
            let what = match clash {
                Clash::Twice(key, name) => format!("the key {} is given to {name} already", key.name()),
                Clash::Orphan(key, name) => {
                    format!("{} is the only key of {name}; give {name} another one as well", key.name())
                }
            };
            let line = self.settings.keys.get(*n).map_or(1, |set| set.line);
            self.settings.mistakes.push(Mistake { line, what });
        }
        let mut n = 0;
        self.settings.keys.retain(|_| {
            n += 1;
            !out.iter().any(|(left, _)| left + 1 == n)
        });
    }
}

fn strings(value: &Value<'_>) -> Option<Vec<(Range<usize>, String)>> {
    let list = value.get_ref().as_array()?;
    list.iter().map(|one| Some((one.span(), one.get_ref().as_str()?.to_owned()))).collect()
}

fn integer(value: &Value<'_>) -> Option<u64> {
    let number = value.get_ref().as_integer()?;
    u64::from_str_radix(number.as_str(), number.radix()).ok()
}

/// A size: bytes, or a number with K, M or G (powers of 1024).
pub fn size(written: &str) -> Option<u64> {
    let (digits, shift) = match written.strip_suffix(['k', 'K']) {
        Some(digits) => (digits, 10),
        None => match written.strip_suffix(['m', 'M']) {
            Some(digits) => (digits, 20),
            None => written.strip_suffix(['g', 'G']).map_or((written, 0), |digits| (digits, 30)),
        },
    };
    digits.parse::<u64>().ok()?.checked_mul(1 << shift)
}

/// The known word that is nearest to what was written, if one is near.
fn nearest<'a>(word: &str, known: &[&'a str]) -> Option<&'a str> {
    let word: Vec<char> = word.to_lowercase().replace('_', "-").chars().take(40).collect();
    let most = (word.len() / 2).clamp(1, 3);
    let near = known.iter().map(|one| (distance(&word, one), *one)).min_by_key(|(far, _)| *far)?;
    (near.0 <= most).then_some(near.1)
}

/// How many characters must be changed, added or taken away.
fn distance(a: &[char], b: &str) -> usize {
    let b: Vec<char> = b.replace('_', "-").chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut next = vec![i + 1];
        for ((y, diagonal), above) in b.iter().zip(&row).zip(row.iter().skip(1)) {
            let left = next.last().copied().unwrap_or(0);
            next.push((diagonal + usize::from(x != y)).min(above + 1).min(left + 1));
        }
        row = next;
    }
    row.last().copied().unwrap_or(0)
}

/// Writes what is in force, each with where it comes from.
pub fn effective(settings: &Settings) -> String {
    let mut out = String::new();
    let file = settings.file.as_ref().map(|file| text::shown_path(file).into_owned());
    let _written = match &file {
        Some(file) => writeln!(out, "# In force now. The file is {file}"),
        None => writeln!(out, "# In force now. There is no home directory, so there is no file"),
    };
    let mut add = |name: &str, value: String, line: usize| {
        let from = if line == 0 { "default".to_owned() } else { format!("line {line}") };
        let _written = writeln!(out, "{:<44} # {from}", format!("{name} = {value}"));
    };
    let s = settings;
    add("theme", quoted(s.theme.value.as_str()), s.theme.line);
    add("ascii", s.ascii.value.to_string(), s.ascii.line);
    add("mouse", s.mouse.value.to_string(), s.mouse.line);
    add("poll", s.poll.value.to_string(), s.poll.line);
    add("bell", quoted(s.bell.value.as_str()), s.bell.line);
    add("correlation", list(s.correlation.value.iter().map(String::as_str)), s.correlation.line);
    add("columns", list(s.columns.value.iter().map(|column| column.as_str())), s.columns.line);
    add("limits.max_size", s.max_size.value.to_string(), s.max_size.line);
    add("limits.max_depth", s.max_depth.value.to_string(), s.max_depth.line);
    add("limits.rows", s.rows.value.to_string(), s.rows.line);
    for binding in BINDINGS {
        let line = s.keys.iter().find(|set| set.value.action == binding.action).map_or(0, |set| set.line);
        let names: Vec<String> = s.keymap.of(binding.action).iter().map(Key::name).collect();
        add(&format!("keys.{}", binding.name), list(names.iter().map(String::as_str)), line);
    }
    out
}

/// A file with every default, each line a comment.
pub fn commented() -> String {
    let mut out = String::from(
        "# aerscope: settings of the console. Every line is the default; take the # off to change it.\n\n",
    );
    let s = Settings::default();
    let mut add = |comment: &str, line: String| {
        out.push_str(&format!("# {comment}\n#{line}\n\n"));
    };
    let themes: Vec<&str> = ThemeName::ALL.iter().map(|theme| theme.as_str()).collect();
    add(&format!("Colours: {}", themes.join(", ")), format!("theme = {}", quoted(s.theme.value.as_str())));
    add("Glyphs and borders from ASCII alone", format!("ascii = {}", s.ascii.value));
    add("Clicks select and the wheel moves", format!("mouse = {}", s.mouse.value));
    add("List the folder every two seconds instead of waiting to be told", format!("poll = {}", s.poll.value));
    let bells = Bell::ALL.map(Bell::as_str).join(", ");
    add(&format!("What calls when a record fails: {bells}"), format!("bell = {}", quoted(s.bell.value.as_str())));
    let fields = list(s.correlation.value.iter().map(String::as_str));
    add(
        "Fields that link attempts: member names or JSON pointers, the first found wins",
        format!("correlation = {fields}"),
    );
    let columns = list(s.columns.value.iter().map(|column| column.as_str()));
    add("Columns of the list, as far as there is room", format!("columns = {columns}"));
    out.push_str("[limits]\n");
    out.push_str("# Largest file, or line of a line-wise file: bytes, or a text with K, M or G\n#max_size = \"64M\"\n");
    out.push_str(&format!("# Levels of nesting that are read\n#max_depth = {}\n", s.max_depth.value));
    let order = "removed ones leave first, then the oldest, failing ones last, and are counted";
    out.push_str(&format!("# Rows kept; past it {order}\n#rows = {}\n\n[keys]\n", s.rows.value));
    for binding in BINDINGS {
        let names: Vec<String> = binding.keys.iter().map(Key::name).collect();
        out.push_str(&format!("# {}\n", binding.help.replace('\n', " ")));
        out.push_str(&format!("#{} = {}\n", binding.name, list(names.iter().map(String::as_str))));
    }
    out
}

/// A text as TOML writes it; what is not seen, or would be obeyed by a terminal, by its number.
fn quoted(word: &str) -> String {
    let mut out = String::from("\"");
    for c in word.chars() {
        let _written = match c {
            '"' | '\\' => write!(out, "\\{c}"),
            c if !text::is_special(c) && !c.is_control() => write!(out, "{c}"),
            c => write!(out, "\\U{:08x}", u32::from(c)),
        };
    }
    out.push('"');
    out
}

fn list<'a>(words: impl Iterator<Item = &'a str>) -> String {
    format!("[{}]", words.map(quoted).collect::<Vec<_>>().join(", "))
}

#[cfg(test)]
mod tests;
