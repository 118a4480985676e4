//! Settings as text: those in force, and a file with every default.

use std::fmt::Write as _;
use std::time::Duration;

use super::{Bell, Clipboard, Column, Key, OSC52, Settings, ThemeName};
use crate::text;
use crate::tui::keys::BINDINGS;

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
    add("poll_every", quoted(&span_text(s.poll_every.value)), s.poll_every.line);
    add("bell", quoted(s.bell.value.as_str()), s.bell.line);
    add("clipboard", clipboard(&s.clipboard.value), s.clipboard.line);
    add("correlation", list(s.correlation.value.iter().map(String::as_str)), s.correlation.line);
    add("columns", list(s.columns.value.iter().map(|column| column.as_str())), s.columns.line);
    add("limits.max_size", s.max_size.value.to_string(), s.max_size.line);
    add("limits.max_depth", s.max_depth.value.to_string(), s.max_depth.line);
    add("limits.rows", s.max_rows.value.to_string(), s.max_rows.line);
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
    add("List the folder regularly instead of waiting to be told", format!("poll = {}", s.poll.value));
    add(
        "How often it is listed then, and where it cannot be watched: seconds, or a text with ms, s or m",
        format!("poll_every = {}", quoted(&span_text(s.poll_every.value))),
    );
    let bells = Bell::ALL.map(Bell::as_str).join(", ");
    add(&format!("What calls when a record fails: {bells}"), format!("bell = {}", quoted(s.bell.value.as_str())));
    add(
        "Who copies: \"osc52\" (the terminal), or a program that reads it, such as [\"wl-copy\"] or [\"xclip\", \"-selection\", \"clipboard\"]",
        format!("clipboard = {}", clipboard(&s.clipboard.value)),
    );
    let fields = list(s.correlation.value.iter().map(String::as_str));
    add(
        "Fields that link attempts: member names or JSON pointers, the first found wins",
        format!("correlation = {fields}"),
    );
    let columns = list(s.columns.value.iter().map(|column| column.as_str()));
    let known = Column::ALL.map(Column::as_str).join(", ");
    add(
        &format!("Columns of the list in their order, the first ones first where room is short: {known}"),
        format!("columns = {columns}"),
    );
    out.push_str("[limits]\n");
    out.push_str("# Largest file, or line of a line-wise file: bytes, or a text with K, M or G\n#max_size = \"64M\"\n");
    out.push_str(&format!("# Levels of nesting that are read\n#max_depth = {}\n", s.max_depth.value));
    out.push_str("# Rows that are kept: past it removed records leave first, then the oldest, failing ones last\n");
    out.push_str(&format!("#rows = {}\n\n[keys]\n", s.max_rows.value));
    for binding in BINDINGS {
        let names: Vec<String> = binding.keys.iter().map(Key::name).collect();
        out.push_str(&format!("# {}\n", binding.help.replace('\n', " ")));
        out.push_str(&format!("#{} = {}\n", binding.name, list(names.iter().map(String::as_str))));
    }
    out
}

/// A text as TOML writes it; what is not seen, or would be obeyed by a terminal, by its number.
pub(super) fn quoted(word: &str) -> String {
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

fn clipboard(clipboard: &Clipboard) -> String {
    match clipboard {
        Clipboard::Terminal => quoted(OSC52),
        Clipboard::Program(words) => list(words.iter().map(String::as_str)),
    }
}

/// A time span as it is written in the file.
fn span_text(span: Duration) -> String {
    match (span.as_secs(), span.subsec_millis()) {
        (secs, 0) if secs > 0 && secs.is_multiple_of(60) => format!("{}m", secs / 60),
        (secs, 0) => format!("{secs}s"),
        _ => format!("{}ms", span.as_millis()),
    }
}
