//! Small strokes every screen is made of. What is drawn is escaped already; a cut is always marked.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::widgets::{Block, Widget as _};

use crate::text;
use crate::tui::theme::{Role, Theme};

/// Writes a visible form at a place inside `area`, cut to `max` columns; returns the columns used.
pub fn put(buf: &mut Buffer, area: Rect, x: u16, y: u16, max: u16, shown: &str, style: Style) -> u16 {
    if y >= area.bottom() || x >= area.right() || y < area.y || x < area.x {
        return 0;
    }
    let room = usize::from(max.min(area.right() - x));
    let cut = text::fit(shown, room);
    let (end, _) = buf.set_stringn(x, y, &*cut, room, style);
    end.saturating_sub(x)
}

/// One line of pieces from the left; each is cut where the area ends. Returns the column after the last.
pub fn line(buf: &mut Buffer, area: Rect, y: u16, pieces: &[(&str, Style)]) -> u16 {
    let mut x = area.x;
    for (shown, style) in pieces {
        x = x.saturating_add(put(buf, area, x, y, area.right().saturating_sub(x), shown, *style));
    }
    x
}

/// The line of column heads of a list, `indent` columns from its left; a column without width is left out. Returns the
/// area of the rows below it.
pub fn heads(buf: &mut Buffer, inside: Rect, indent: u16, columns: &[(&str, u16)], style: Style) -> Rect {
    let mut x = inside.x.saturating_add(indent);
    for (name, width) in columns.iter().copied().filter(|(_, width)| *width > 0) {
        put(buf, inside, x, inside.y, width, name, style);
        x = x.saturating_add(width).saturating_add(1);
    }
    Rect { y: inside.y.saturating_add(1), height: inside.height.saturating_sub(1), ..inside }
}

/// Paints the background of an area.
pub fn ground(buf: &mut Buffer, area: Rect, theme: &Theme) {
    let area = area.intersection(buf.area);
    for y in area.top()..area.bottom() {
        for x in area.left()..area.right() {
            if let Some(cell) = buf.cell_mut((x, y)) {
                cell.reset();
                cell.set_style(theme.style(Role::Text));
            }
        }
    }
}

/// A pane's border with its title; returns what is inside.
pub fn pane(buf: &mut Buffer, area: Rect, title: &str, focused: bool, theme: &Theme) -> Rect {
    let border = theme.style(if focused { Role::BorderFocused } else { Role::Border });
    let block = Block::bordered().border_set(theme.border(focused)).border_style(border);
    let inside = block.inner(area);
    block.render(area, buf);
    let room = area.width.saturating_sub(4);
    if room > 2 {
        let style = theme.style(if focused { Role::TitleFocused } else { Role::Title });
        let title = text::fit(title, usize::from(room)).into_owned();
        put(buf, area, area.x + 1, area.y, room + 2, &format!(" {title} "), style);
    }
    inside
}

/// A number with thousands separated.
pub fn count(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, c) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(c);
    }
    out
}

/// Lines of plain text, each wrapped at spaces, in the middle of the area's height; what does not fit is left off with
/// a mark.
pub fn message(buf: &mut Buffer, area: Rect, lines: &[(String, Style)]) {
    let columns = usize::from(area.width.saturating_sub(4)).max(1);
    let mut rows: Vec<(String, Style)> = Vec::new();
    for (shown, style) in lines {
        for row in wrap(shown, columns) {
            rows.push((row, *style));
        }
    }
    let height = usize::from(area.height);
    let first = height.saturating_sub(rows.len()) / 2;
    let left = u16::try_from(rows.iter().map(|(row, _)| text::width(row)).max().unwrap_or(0)).unwrap_or(u16::MAX);
    let x = area.x.saturating_add(area.width.saturating_sub(left) / 2);
    for (n, (row, style)) in rows.iter().enumerate().take(height) {
        let y = area.y.saturating_add(u16::try_from(first + n).unwrap_or(u16::MAX));
        let over = n + 1 == height && rows.len() > height;
        put(buf, area, x, y, area.width, if over { "…" } else { row }, *style);
    }
}

/// Wraps at spaces; a word longer than a row is broken.
pub fn wrap(shown: &str, columns: usize) -> Vec<String> {
    let mut rows = Vec::new();
    let mut row = String::new();
    let mut used = 0usize;
    let columns = columns.max(2);
    for word in shown.split(' ') {
        let width = text::width(word);
        if used > 0 && used + 1 + width > columns {
            rows.push(std::mem::take(&mut row));
            used = 0;
        } else if used > 0 {
            row.push(' ');
            used += 1;
        }
        for c in word.chars() {
            let wide = text::width(c.encode_utf8(&mut [0; 4]));
            if used + wide > columns {
                rows.push(std::mem::take(&mut row));
                used = 0;
            }
            row.push(c);
            used += wide;
        }
    }
    rows.push(row);
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_wrapping() {
        assert_eq!(count(0), "0");
        assert_eq!(count(12_408), "12,408");
        assert_eq!(count(1_000_000), "1,000,000");
        assert_eq!(wrap("one two three", 7), ["one two", "three"]);
        assert_eq!(wrap("abcdefgh", 3), ["abc", "def", "gh"]);
        assert_eq!(wrap("東京都", 4), ["東京", "都"]);
    }
}
