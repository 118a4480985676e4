//! From source bytes to columns of a screen, a piece at a time: the cost is the columns that are asked for, never the
//! length of the line.

use std::ops::Range;

use ratatui::style::Style;
use ratatui::text::{Line, Span};

use crate::text;

/// How backslashes are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spelling {
    /// Any text: a backslash is doubled, as [`text::shown`] does.
    Plain,
    /// A valid JSON token, shown as it is written: its backslashes stay single. An escape of ours (`\x1b`, `\u{202e}`)
    /// is none that JSON knows, so two different tokens still never look alike.
    Token,
}

/// What one call took from the source.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Taken {
    /// The visible form.
    pub text: String,
    /// Where the next piece begins.
    pub end: usize,
    /// Columns of `text`.
    pub columns: usize,
}

/// One character, or one byte that begins none.
fn char_at(bytes: &[u8], at: usize) -> Option<(Option<char>, usize)> {
    let window = bytes.get(at..bytes.len().min(at.saturating_add(4)))?;
    let first = *window.first()?;
    if first < 0x80 {
        return Some((Some(char::from(first)), 1));
    }
    let valid = match std::str::from_utf8(window) {
        Ok(valid) => valid,
        Err(fault) => std::str::from_utf8(window.get(..fault.valid_up_to())?).ok()?,
    };
    Some(valid.chars().next().map_or((None, 1), |c| (Some(c), c.len_utf8())))
}

/// One past the character, or the invalid byte, at `at`; always more than `at`.
pub fn next_char(bytes: &[u8], at: usize) -> usize {
    at.saturating_add(char_at(bytes, at).map_or(1, |(_, len)| len))
}

/// Where the character that holds `at` begins, at most three bytes back.
pub fn snap_back(bytes: &[u8], at: usize) -> usize {
    let mut start = at.min(bytes.len());
    for _ in 0..3 {
        match bytes.get(start) {
            Some(byte) if byte & 0xc0 == 0x80 && start > 0 => start -= 1,
            _ => break,
        }
    }
    match char_at(bytes, start) {
        Some((Some(_), len)) if start.saturating_add(len) > at => start,
        _ => at.min(bytes.len()),
    }
}

/// One base character with its marks, the unit that is never cut apart: its end.
fn cluster_end(bytes: &[u8], at: usize, end: usize) -> usize {
    let Some((base, len)) = char_at(bytes, at) else { return end };
    let mut next = at.saturating_add(len).min(end);
    // Marks without a base are escaped one by one, and may be cut apart.
    if base.is_none_or(|base| !text::is_special(base) && text::width(base.encode_utf8(&mut [0; 4])) == 0) {
        return next;
    }
    let mut marks = 0;
    while marks < text::MAX_MARKS && next < end && bytes.get(next).is_some_and(|b| *b >= 0xc0) {
        match char_at(bytes, next) {
            Some((Some(mark), len)) if !text::is_special(mark) && text::width(mark.encode_utf8(&mut [0; 4])) == 0 => {
                next = next.saturating_add(len).min(end);
                marks += 1;
            }
            _ => break,
        }
    }
    next
}

/// Takes as much of `source[from..to]` as fits into `columns`. With no room for a single character, nothing is taken.
pub fn take(source: &[u8], from: usize, to: usize, columns: usize, spelling: Spelling) -> Taken {
    let to = to.min(source.len());
    let mut out = Taken { text: String::new(), end: from, columns: 0 };
    while out.end < to && out.columns < columns {
        let Some(byte) = source.get(out.end) else { break };
        let plain = (0x20..0x7f).contains(byte) && (*byte != b'\\' || spelling == Spelling::Token);
        let next_is_plain = source.get(out.end.saturating_add(1)).is_none_or(|next| *next < 0x80);
        if plain && next_is_plain {
            out.text.push(char::from(*byte));
            out.columns += 1;
            out.end += 1;
            continue;
        }
        let end = cluster_end(source, out.end, to);
        let piece = source.get(out.end..end).unwrap_or_default();
        let shown = match (spelling, piece) {
            (Spelling::Token, [b'\\', marks @ ..]) => {
                let mut shown = "\\".to_owned();
                shown.push_str(&text::shown_bytes(marks));
                std::borrow::Cow::Owned(shown)
            }
            _ => text::shown_bytes(piece),
        };
        let width = text::width(&shown);
        if out.columns.saturating_add(width) > columns {
            break;
        }
        out.text.push_str(&shown);
        out.columns = out.columns.saturating_add(width);
        // A piece always has at least one byte; the maximum keeps the loop finite whatever happens above.
        out.end = end.max(out.end.saturating_add(1));
    }
    out
}

/// Builds one row of spans, cut to its columns.
pub struct Row {
    spans: Vec<Span<'static>>,
    room: usize,
}

impl Row {
    /// An empty row of at most `columns` columns.
    pub fn new(columns: usize) -> Row {
        Row { spans: Vec::new(), room: columns }
    }

    /// Columns left.
    pub fn room(&self) -> usize {
        self.room
    }

    /// Appends a visible form, cut with a mark when it does not fit.
    pub fn push(&mut self, shown: &str, style: Style) -> &mut Row {
        let cut = text::fit(shown, self.room);
        self.room = self.room.saturating_sub(text::width(&cut));
        if !cut.is_empty() {
            self.spans.push(Span::styled(cut.into_owned(), style));
        }
        self
    }

    /// Appends foreign text, escaped.
    pub fn foreign(&mut self, raw: &str, style: Style) -> &mut Row {
        // Four bytes a character and eight marks a column bound what can be seen of it.
        let end = raw.len().min(self.room.saturating_add(1).saturating_mul(40));
        let taken = take(raw.as_bytes(), 0, end, self.room.saturating_add(1), Spelling::Plain);
        let more = taken.end < raw.len();
        if more && taken.columns <= self.room {
            let shown = format!("{}…", taken.text);
            return self.push(&shown, style);
        }
        self.push(&taken.text, style)
    }

    /// Appends `source[range]`, with every part of it that lies in `marked` in the style `mark`. Returns where it stopped.
    pub fn source(
        &mut self,
        source: &[u8],
        range: Range<usize>,
        spelling: Spelling,
        style: Style,
        marked: &[Range<usize>],
        mark: Style,
    ) -> usize {
        let mut at = range.start;
        while at < range.end && self.room > 0 {
            let inside = marked.iter().find(|m| m.start <= at && at < m.end);
            let (stop, piece) = match inside {
                Some(m) => (m.end.min(range.end), style.patch(mark)),
                None => {
                    let next = marked.iter().map(|m| m.start).filter(|start| *start > at).min();
                    (next.unwrap_or(range.end).min(range.end), style)
                }
            };
            let taken = take(source, at, stop, self.room, spelling);
            if taken.end == at {
                break;
            }
            self.room = self.room.saturating_sub(taken.columns);
            self.spans.push(Span::styled(taken.text, piece));
            at = taken.end;
        }
        at
    }

    /// Fills up to the last `columns` columns of the row with blanks.
    pub fn pad_to_last(&mut self, columns: usize) -> &mut Row {
        let blanks = self.room.saturating_sub(columns);
        if blanks > 0 {
            self.spans.push(Span::raw(" ".repeat(blanks)));
            self.room = self.room.saturating_sub(blanks);
        }
        self
    }

    /// The row.
    pub fn line(self) -> Line<'static> {
        Line::from(self.spans)
    }
}

/// Breaks plain shown text at blanks into rows of at most `columns` columns; a word that is too long is cut apart.
pub fn wrap(shown: &str, columns: usize) -> Vec<String> {
    let columns = columns.max(1);
    let mut rows = Vec::new();
    let mut row = String::new();
    let mut used = 0usize;
    for word in shown.split(' ') {
        let width = text::width(word);
        let gap = usize::from(used > 0);
        if used.saturating_add(gap).saturating_add(width) <= columns {
            if gap > 0 {
                row.push(' ');
            }
            row.push_str(word);
            used = used.saturating_add(gap).saturating_add(width);
            continue;
        }
        if used > 0 {
            rows.push(std::mem::take(&mut row));
            used = 0;
        }
        for c in word.chars() {
            let width = text::width(c.encode_utf8(&mut [0; 4]));
            if used > 0 && used.saturating_add(width) > columns {
                rows.push(std::mem::take(&mut row));
                used = 0;
            }
            row.push(c);
            used = used.saturating_add(width);
        }
    }
    if !row.is_empty() || rows.is_empty() {
        rows.push(row);
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_put_together_are_what_the_text_gate_shows() {
        let marks = format!("a{}b", "\u{301}".repeat(20));
        let texts = ["plain", "a\\b\x1b[2J", "Zürich 東京\u{202e}x", "\u{301}lead", marks.as_str(), "tab\tend"];
        for source in texts {
            for columns in [10usize, 12, 40] {
                let mut joined = String::new();
                let mut at = 0;
                while at < source.len() {
                    let taken = take(source.as_bytes(), at, source.len(), columns, Spelling::Plain);
                    assert!(taken.end > at, "{source:?} stalls at {at} with {columns}");
                    assert!(text::width(&taken.text) <= columns);
                    joined.push_str(&taken.text);
                    at = taken.end;
                }
                assert_eq!(joined, text::shown(source), "{columns}");
            }
        }
    }

    #[test]
    fn invalid_bytes_are_single_escapes() {
        let source = b"a\xff\xe6\x9d\xb1\xe6";
        assert_eq!(take(source, 0, source.len(), 80, Spelling::Plain).text, "a\\xff東\\xe6");
        assert_eq!(snap_back(source, 3), 2);
        assert_eq!(snap_back(source, 1), 1);
        assert_eq!(snap_back(source, 99), source.len());
    }

    #[test]
    fn a_token_keeps_its_backslashes_and_nothing_dangerous() {
        let source = "\"a\\n\\\\\u{202e}\"";
        assert_eq!(take(source.as_bytes(), 0, source.len(), 80, Spelling::Token).text, "\"a\\n\\\\\\u{202e}\"");
    }

    #[test]
    fn a_very_long_line_costs_what_is_shown() {
        let source = vec![b'x'; 10_000_000];
        let taken = take(&source, 5_000_000, source.len(), 80, Spelling::Plain);
        assert_eq!((taken.text.len(), taken.end), (80, 5_000_080));
        let mut row = Row::new(10);
        row.foreign(&"\u{301}".repeat(1_000_000), Style::new());
        assert!(text::width(&row.line().to_string()) <= 10);
    }

    #[test]
    fn words_wrap_within_the_columns() {
        assert_eq!(wrap("one two three", 7), ["one two", "three"]);
        assert_eq!(wrap("abcdefghij k", 4), ["abcd", "efgh", "ij k"]);
        assert_eq!(wrap("東京都", 3), ["東", "京", "都"]);
        assert_eq!(wrap("", 5), [""]);
    }

    #[test]
    fn marked_parts_take_the_other_style() {
        let mut row = Row::new(20);
        let mark = Style::new().add_modifier(ratatui::style::Modifier::REVERSED);
        let marked = 2..4;
        let end = row.source(b"abcdef", 0..6, Spelling::Plain, Style::new(), std::slice::from_ref(&marked), mark);
        let line = row.line();
        assert_eq!(end, 6);
        assert_eq!(line.spans.iter().map(|s| s.content.as_ref()).collect::<Vec<_>>(), ["ab", "cd", "ef"]);
        assert_eq!(line.spans[1].style, mark);
    }
}
