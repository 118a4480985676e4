//! The one place where foreign text becomes text for a screen, a pipe or the clipboard.
//!
//! A receipt, a file name or an error text may hold anything: control sequences, bidirectional overrides, letters
//! nobody sees. [`shown`] makes each special code point a visible escape (`\x1b`, `\u{202e}`; a backslash is `\\`) and
//! keeps everything else. The mapping is injective: two different strings never look alike. Nothing is dropped.

use std::borrow::Cow;
use std::ffi::OsStr;
use std::fmt::Write as _;

use unicode_width::UnicodeWidthChar;

/// Marks that may follow one base character before further ones are escaped.
pub const MAX_MARKS: usize = 8;

/// Whether `c` must not reach a terminal as itself: controls, format characters, bidirectional controls, invisible
/// letters, variation selectors, tags, every space but U+0020, line separators, private use and noncharacters.
pub fn is_special(c: char) -> bool {
    let n = c as u32;
    match n {
        0x20..=0x7e => false,
        0..=0x1f | 0x7f..=0xa0 | 0xad => true,
        0xa1..=0x033f => false,
        _ => {
            matches!(
                n,
                0x034f
                    | 0x0600..=0x0605
                    | 0x061c
                    | 0x06dd
                    | 0x070f
                    | 0x0890..=0x0891
                    | 0x08e2
                    | 0x115f..=0x1160
                    | 0x1680
                    | 0x17b4..=0x17b5
                    | 0x180b..=0x180f
                    | 0x2000..=0x200f
                    | 0x2028..=0x202f
                    | 0x205f..=0x206f
                    | 0x2800
                    | 0x3000
                    | 0x3164
                    | 0xe000..=0xf8ff
                    | 0xfe00..=0xfe0f
                    | 0xfeff
                    | 0xffa0
                    | 0xfff0..=0xfffb
                    | 0x110bd
                    | 0x110cd
                    | 0x13430..=0x1345f
                    | 0x16fe4
                    | 0x1bca0..=0x1bca3
                    | 0x1d159
                    | 0x1d173..=0x1d17a
                    | 0xe0000..=0xe0fff
                    | 0xf0000..=0x10ffff
            ) || (n & 0xfffe) == 0xfffe
                || (0xfdd0..=0xfdef).contains(&n)
        }
    }
}

/// Whether bytes are text without special characters, line ends (with or without a carriage return) and tabs
/// excepted, and without heaps of marks: text that may be pasted as it is.
pub fn is_plain(bytes: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(bytes) else { return false };
    text.split('\n').all(|line| {
        let line = line.strip_suffix('\r').unwrap_or(line);
        let mut escaper = Escaper::default();
        line.chars().all(|c| matches!(c, '\t' | '\\') || !escaper.escapes(c))
    })
}

/// Columns a terminal gives `c`; 0 for combining marks.
fn columns(c: char) -> usize {
    c.width().unwrap_or(0)
}

fn push_escape(out: &mut String, c: char) {
    let written = match c {
        '\\' => write!(out, "\\\\"),
        '\n' => write!(out, "\\n"),
        '\r' => write!(out, "\\r"),
        '\t' => write!(out, "\\t"),
        c if (c as u32) < 0x80 => write!(out, "\\x{:02x}", c as u32),
        c => write!(out, "\\u{{{:x}}}", c as u32),
    };
    debug_assert!(written.is_ok(), "writing to a String does not fail");
}

/// Escapes characters one after the other; remembers how many marks the last base already carries.
#[derive(Default)]
pub struct Escaper {
    has_base: bool,
    marks: usize,
}

impl Escaper {
    /// Whether `c` must be escaped where it stands.
    pub fn escapes(&mut self, c: char) -> bool {
        if c == '\\' || is_special(c) {
            // The escape ends in an ASCII character, which can carry marks like any other.
            self.has_base = true;
            self.marks = 0;
            return true;
        }
        if columns(c) > 0 {
            self.has_base = true;
            self.marks = 0;
            return false;
        }
        self.marks = self.marks.saturating_add(1);
        // A mark without a base would sit on whatever the screen shows before this text.
        !self.has_base || self.marks > MAX_MARKS
    }
}

/// The visible form of `text`. Borrowed when nothing needs an escape. rules: design §2 "Text".
pub fn shown(text: &str) -> Cow<'_, str> {
    if text.bytes().all(|b| (0x20..0x7f).contains(&b) && b != b'\\') {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len().saturating_add(16));
    push_shown(&mut out, text);
    Cow::Owned(out)
}

/// Appends the visible form of `text`.
pub fn push_shown(out: &mut String, text: &str) {
    let mut escaper = Escaper::default();
    for c in text.chars() {
        if escaper.escapes(c) {
            push_escape(out, c);
        } else {
            out.push(c);
        }
    }
}

/// A JSON text of the same value that can be shown on a terminal: what would be escaped in [`shown`] stands as `\uXXXX`
/// (a surrogate pair above the BMP). In JSON such characters stand inside strings only; line feeds between members stay.
pub fn json_shown(json: &str) -> String {
    let mut out = String::with_capacity(json.len().saturating_add(16));
    let mut escaper = Escaper::default();
    for c in json.chars() {
        let escapes = escaper.escapes(c);
        match c {
            '\\' | '\n' => out.push(c),
            c if escapes => push_units(&mut out, c),
            c => out.push(c),
        }
    }
    out
}

/// A character as JSON's `\uXXXX`, by UTF-16 units.
pub fn push_units(out: &mut String, c: char) {
    for unit in c.encode_utf16(&mut [0; 2]) {
        let written = write!(out, "\\u{unit:04x}");
        debug_assert!(written.is_ok(), "writing to a String does not fail");
    }
}

/// The visible form of bytes that may not be UTF-8: each invalid byte becomes `\xff`.
pub fn shown_bytes(bytes: &[u8]) -> Cow<'_, str> {
    if let Ok(text) = std::str::from_utf8(bytes) {
        return shown(text);
    }
    let mut out = String::with_capacity(bytes.len().saturating_add(16));
    for chunk in bytes.utf8_chunks() {
        push_shown(&mut out, chunk.valid());
        for byte in chunk.invalid() {
            let written = write!(out, "\\x{byte:02x}");
            debug_assert!(written.is_ok(), "writing to a String does not fail");
        }
    }
    Cow::Owned(out)
}

/// The visible form of a file name or path.
pub fn shown_path<P: AsRef<OsStr> + ?Sized>(path: &P) -> Cow<'_, str> {
    shown_bytes(path.as_ref().as_encoded_bytes())
}

/// The visible form of anything that prints itself, such as an error.
pub fn shown_display(value: &dyn std::fmt::Display) -> String {
    shown(&value.to_string()).into_owned()
}

/// The visible form of `text`, cut after `max` characters of it with a count of what is not shown.
pub fn shown_cut(text: &str, max: usize) -> Cow<'_, str> {
    match text.char_indices().nth(max) {
        None => shown(text),
        Some((end, _)) => {
            let (head, tail) = text.split_at(end);
            let mut out = shown(head).into_owned();
            let written = write!(out, "… +{}", tail.chars().count());
            debug_assert!(written.is_ok(), "writing to a String does not fail");
            Cow::Owned(out)
        }
    }
}

/// Terminal columns of a visible form.
pub fn width(shown: &str) -> usize {
    shown.chars().map(columns).sum()
}

/// Cuts a visible form to at most `max` columns; a cut is marked with `…`.
pub fn fit(shown: &str, max: usize) -> Cow<'_, str> {
    if shown.len() <= max && shown.is_ascii() || width(shown) <= max {
        return Cow::Borrowed(shown);
    }
    let Some(room) = max.checked_sub(1) else { return Cow::Borrowed("") };
    let mut used = 0usize;
    let mut end = 0usize;
    for (at, c) in shown.char_indices() {
        let next = used.saturating_add(columns(c));
        if next > room {
            break;
        }
        used = next;
        end = at.saturating_add(c.len_utf8());
    }
    let mut out = shown.get(..end).unwrap_or_default().to_owned();
    out.push('…');
    Cow::Owned(out)
}

/// Cuts in the middle, keeping both ends: for paths and hashes, whose ends tell most.
pub fn fit_middle(shown: &str, max: usize) -> Cow<'_, str> {
    if width(shown) <= max {
        return Cow::Borrowed(shown);
    }
    let Some(room) = max.checked_sub(1) else { return Cow::Borrowed("") };
    let head_room = room.div_ceil(2);
    let tail_room = room.saturating_sub(head_room);
    let mut used = 0usize;
    let mut head = String::new();
    for c in shown.chars() {
        used = used.saturating_add(columns(c));
        if used > head_room {
            break;
        }
        head.push(c);
    }
    let mut used = 0usize;
    let mut start = shown.len();
    for (at, c) in shown.char_indices().rev() {
        used = used.saturating_add(columns(c));
        if used > tail_room {
            break;
        }
        // A tail must not begin with a mark: it would sit on the ellipsis.
        if columns(c) > 0 {
            start = at;
        }
    }
    head.push('…');
    head.push_str(shown.get(start..).unwrap_or_default());
    Cow::Owned(head)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_are_visible_and_exact() {
        assert_eq!(shown("a\x1b[2J"), "a\\x1b[2J");
        assert_eq!(shown("a\\b"), "a\\\\b");
        assert_eq!(shown("\u{202e}x\u{9b}"), "\\u{202e}x\\u{9b}");
        assert_eq!(shown("l\nr\r\t\0\x7f"), "l\\nr\\r\\t\\x00\\x7f");
        assert_eq!(shown("Zürich 東京 résumé"), "Zürich 東京 résumé");
        assert_eq!(shown_bytes(b"a\xff\xc3"), "a\\xff\\xc3");
        assert_eq!(shown("\u{a0}\u{3000}\u{fe0f}\u{e0041}"), "\\u{a0}\\u{3000}\\u{fe0f}\\u{e0041}");
    }

    #[test]
    fn a_char_and_an_invalid_byte_never_look_alike() {
        assert_ne!(shown_bytes(b"\x9b"), shown("\u{9b}"));
        assert_ne!(shown_bytes(b"\xff"), shown("\\xff"));
        assert_ne!(shown("\n"), shown("\\n"));
    }

    #[test]
    fn marks_are_limited_and_need_a_base() {
        assert_eq!(shown("\u{301}a"), "\\u{301}a");
        let many = format!("a{}", "\u{301}".repeat(10));
        assert_eq!(shown(&many), format!("a{}\\u{{301}}\\u{{301}}", "\u{301}".repeat(8)));
    }

    #[test]
    fn json_of_the_same_value_can_be_shown() {
        let many = format!("e{}", "\u{301}".repeat(9));
        let value = serde_json::json!({"a\u{7f}\u{202e}": ["\\ \"\n", many, "\u{e0041}", "東京"], "\u{301}": null});
        for json in [value.to_string(), serde_json::to_string_pretty(&value).unwrap()] {
            let shown = json_shown(&json);
            assert_eq!(serde_json::from_str::<serde_json::Value>(&shown).unwrap(), value);
            assert!(!shown.chars().any(|c| c != '\n' && is_special(c)), "{shown}");
            assert!(
                shown.contains("\"a\\u007f\\u202e\"") && shown.contains("\\udb40\\udc41") && shown.contains("東京")
            );
            assert!(shown.contains(&format!("e{}\\u0301", "\u{301}".repeat(8))), "{shown}");
        }
    }

    #[test]
    fn what_may_be_pasted_as_it_is() {
        for plain in ["", "a\\b\tc\r\nd\n", "Zürich 東京"] {
            assert!(is_plain(plain.as_bytes()), "{plain:?}");
        }
        for special in [&b"\x1b[201~"[..], b"a\rb", b"\xff", "\u{202e}".as_bytes(), "\u{9b}".as_bytes()] {
            assert!(!is_plain(special), "{special:?}");
        }
    }

    #[test]
    fn cuts_are_marked() {
        assert_eq!(shown_cut("abcdef", 3), "abc… +3");
        assert_eq!(fit("abcdef", 4), "abc…");
        assert_eq!(fit("東京都", 4), "東…");
        assert_eq!(fit("abc", 0), "");
        assert_eq!(fit_middle("abcdefghij", 5), "ab…ij");
    }
}
