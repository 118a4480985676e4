//! The help: the binding table and the glyphs, as they are.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::draw::{pane, put};
use super::status::ascii_key;
use crate::aer1::report::Headline;
use crate::output::explain;
use crate::text;
use crate::tui::app::App;
use crate::tui::keymap::Keymap;
use crate::tui::keys::{BINDINGS, Group};
use crate::tui::theme::{Role, Theme};

/// A line of the help: what stands in the left column, and the words beside it.
struct Row {
    left: String,
    left_style: Style,
    right: String,
}

/// Columns of the keys.
const KEYS: usize = 16;

fn rows(theme: &Theme, keymap: &Keymap, columns: usize) -> Vec<Row> {
    let mut out = Vec::new();
    let heading = |out: &mut Vec<Row>, title: &str| {
        if !out.is_empty() {
            out.push(Row { left: String::new(), left_style: Style::new(), right: String::new() });
        }
        out.push(Row { left: title.to_owned(), left_style: theme.style(Role::Title), right: String::new() });
    };
    let room = columns.saturating_sub(KEYS + 1).max(8);
    let add = |out: &mut Vec<Row>, left: String, left_style: Style, words: &str| {
        for (n, line) in super::draw::wrap(words, room).into_iter().enumerate() {
            out.push(Row { left: if n == 0 { left.clone() } else { String::new() }, left_style, right: line });
        }
    };
    for group in Group::ALL {
        heading(&mut out, group.title());
        for binding in BINDINGS.iter().filter(|binding| binding.group == *group) {
            let keys = keymap.text(binding.action);
            let keys = if theme.ascii { ascii_key(&keys) } else { keys };
            let keys = if binding.name.starts_with("copy-") { format!("y {keys}") } else { keys };
            add(&mut out, format!("  {keys}"), theme.style(Role::Key), binding.help);
        }
    }
    heading(&mut out, "Verdicts");
    for headline in Headline::ALL {
        let (glyph, word, style) = theme.verdict(*headline);
        add(&mut out, format!("  {glyph} {word}"), style, explain::explain_headline(*headline).means);
    }
    let (glyph, word, style) = theme.writing();
    add(&mut out, format!("  {glyph} {word}"), style, "The file is being written; it has no verdict yet.");
    heading(&mut out, "Marks in the list");
    for (mark, style, words) in [
        (">", Role::Strong, "The selected record"),
        ("m", Role::Mark, "Marked for comparing"),
        ("=", Role::Note, "A copy of a record that was seen before: the same id and the same bytes"),
        (theme.glyph("≠", "w"), Role::Warn, "Rewritten: its file held other content when it was first read"),
    ] {
        add(&mut out, format!("  {mark}"), theme.style(style), words);
    }
    out
}

/// Draws the help.
pub fn draw(app: &mut App, area: Rect, buf: &mut Buffer) {
    let theme = app.theme;
    let inside = pane(buf, area, "help · Esc closes", true, &theme);
    let rows = rows(&theme, &app.keymap, usize::from(inside.width));
    let scroll = &mut app.help_scroll;
    // The help has no selected line: what is "at" is the first one shown.
    let height = usize::from(inside.height);
    scroll.height = height;
    scroll.at = scroll.at.min(rows.len().saturating_sub(height));
    for (n, row) in rows.iter().skip(scroll.at).take(height).enumerate() {
        let y = inside.y.saturating_add(u16::try_from(n).unwrap_or(u16::MAX));
        let used = put(buf, inside, inside.x, y, inside.width, &row.left, row.left_style);
        let x = inside.x.saturating_add(used.max(u16::try_from(KEYS).unwrap_or(16)) + 1);
        put(buf, inside, x, y, inside.right().saturating_sub(x), &row.right, theme.style(Role::Text));
    }
    let more = rows.len().saturating_sub(scroll.at + height);
    if more > 0 {
        let words = text::fit(&format!(" {more} more lines "), usize::from(area.width.saturating_sub(4))).into_owned();
        put(buf, area, area.x + 2, area.bottom().saturating_sub(1), area.width, &words, theme.style(Role::Dim));
    }
}
