//! The view of a tab: only what is on the screen is laid out.

use std::ops::Range;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::Line;
use ratatui::widgets::{Block, Widget};

use super::{Shown, frame, say};
use crate::tui::detail::cells::{Row, Spelling};
use crate::tui::detail::checks;
use crate::tui::detail::hexdump;
use crate::tui::detail::lines;
use crate::tui::detail::open::Source;
use crate::tui::detail::pane::{Pane, Tab};
use crate::tui::detail::tree::NoTree;
use crate::tui::theme::{Role, Theme};

/// Matches marked on one screen.
const MOST_MATCHES: usize = 500;

/// Draws the tab's view, framed when the record is neither verified nor intact.
pub(super) fn draw(area: Rect, buf: &mut Buffer, pane: &mut Pane, view: &Shown<'_>, focused: bool) {
    let mut area = area;
    if let Some((words, role)) = frame(view.headline)
        && matches!(pane.tab(), Tab::Json | Tab::Text | Tab::Hex)
    {
        area = framed(area, buf, words, view.theme.style(role), view.theme);
    }
    let (columns, rows) = (usize::from(area.width), usize::from(area.height));
    let check_rows = if pane.tab() == Tab::Checks { checks::rows(&view.open.statements, columns) } else { Vec::new() };
    pane.set_size(columns, rows, check_rows.len());
    pane.begin_checks(check_rows.iter().position(|row| row.role == Role::Bad));
    if columns == 0 || rows == 0 {
        return;
    }
    match pane.tab() {
        Tab::Json => json(area, buf, pane, view, focused),
        Tab::Text => text(area, buf, pane, view, &[]),
        Tab::Raw => {
            let marks = checked_members(view);
            text(area, buf, pane, view, &marks);
        }
        Tab::Hex => hex(area, buf, pane, view),
        Tab::Checks => check_list(area, buf, pane, &check_rows, view.theme),
    }
}

/// A frame that says the decoded view does not hold; in the smallest areas one line of words, which comes first.
fn framed(area: Rect, buf: &mut Buffer, words: &str, style: Style, theme: &Theme) -> Rect {
    if area.is_empty() {
        return area;
    }
    if area.height < 4 || usize::from(area.width) < words.len().saturating_add(6) {
        let mut row = Row::new(usize::from(area.width));
        row.push(words, style);
        buf.set_line(area.x, area.y, &row.line(), area.width);
        return Rect { y: area.y.saturating_add(1), height: area.height.saturating_sub(1), ..area };
    }
    let block = Block::bordered()
        .border_set(theme.border(false))
        .border_style(style)
        .title(Line::styled(format!(" {words} "), style));
    let inner = block.inner(area);
    block.render(area, buf);
    inner
}

fn put(area: Rect, buf: &mut Buffer, n: usize, line: &Line<'_>) {
    let Ok(n) = u16::try_from(n) else { return };
    let y = area.y.saturating_add(n);
    if y < area.bottom() {
        buf.set_line(area.x, y, line, area.width);
    }
}

/// What a search found in the part of the source that is about to be drawn.
fn matches(pane: &Pane, source: &[u8], window: Range<usize>) -> Vec<Range<usize>> {
    // A screen is small; a window larger than this is one of very long cut lines, whose matches are looked for nearby.
    let end = window.end.min(window.start.saturating_add(64 << 10)).min(source.len());
    match pane.needle() {
        Some(needle) => needle.all(source, window.start..end, MOST_MATCHES),
        None => Vec::new(),
    }
}

fn json(area: Rect, buf: &mut Buffer, pane: &mut Pane, view: &Shown<'_>, focused: bool) {
    let source = view.open.shown();
    let theme = view.theme;
    let tree = match &view.open.tree {
        Ok(tree) => tree,
        Err(reason) => {
            let what = match view.open.source() {
                Source::Canonical => "the bytes",
                Source::Record => "the record",
            };
            let said = match reason {
                NoTree::NotJson(at) => {
                    format!("{what} cannot be shown as JSON: not JSON from byte {at} on; see [2] text and [3] hex")
                }
                NoTree::TooMany => {
                    format!("{what} have too many JSON values to lay out; [2] text and [3] hex show all of it")
                }
                NoTree::Empty => format!("{what}: empty, there is nothing to show"),
            };
            return say(area, buf, theme, theme.style(Role::Dim), &said, "");
        }
    };
    let (columns, rows) = (usize::from(area.width), usize::from(area.height));
    let mut pos = pane.tree.top;
    for n in 0..rows {
        let folds = &pane.tree.folds;
        let marked = match (pane.needle(), pos.at, tree.span(pos.row)) {
            (None, ..) | (.., None) => Vec::new(),
            (_, Some(at), Some(span)) => matches(pane, source, at..span.end),
            (_, None, Some(span)) => matches(pane, source, span),
        };
        let mut line = tree.line(source, pos, folds, columns, &marked, theme);
        if focused && pos == pane.tree.cursor {
            line = line.patch_style(theme.style(Role::Selected));
            let y = area.y.saturating_add(u16::try_from(n).unwrap_or(u16::MAX));
            if y < area.bottom() {
                buf.set_style(Rect { y, height: 1, ..area }, theme.style(Role::Selected));
            }
        }
        put(area, buf, n, &line);
        match tree.step_down(source, pos, folds, columns) {
            Some(next) => pos = next,
            None => break,
        }
    }
}

fn text(area: Rect, buf: &mut Buffer, pane: &mut Pane, view: &Shown<'_>, marks: &[(Range<usize>, Role)]) {
    let theme = view.theme;
    let (columns, rows) = (usize::from(area.width), usize::from(area.height));
    let (source, index, top) = pane.text_view(view.open);
    if source.is_empty() {
        return say(area, buf, theme, theme.style(Role::Dim), "empty, there is nothing to show", "");
    }
    let mut at = top;
    for n in 0..rows {
        let end = index.end_of(source, at);
        let part = if pane.wraps() {
            let start = index.start_of(source, at);
            lines::row_at(source, &(start..end), at, columns, Spelling::Plain)
        } else {
            crate::tui::detail::cells::snap_back(source, at.saturating_add(pane.left()).min(end))..end
        };
        let found = matches(pane, source, part.clone());
        let mut row = Row::new(columns);
        let mut from = part.start;
        // Parts of the row by the member they belong to, in order.
        while from < part.end && row.room() > 0 {
            let inside = marks.iter().find(|(range, _)| range.start <= from && from < range.end);
            let (stop, role) = match inside {
                Some((range, role)) => (range.end.min(part.end), *role),
                None => {
                    let next = marks.iter().map(|(range, _)| range.start).filter(|start| *start > from).min();
                    (next.unwrap_or(part.end).min(part.end), Role::Text)
                }
            };
            let style = theme.style(role);
            let end = row.source(source, from..stop, Spelling::Plain, style, &found, theme.style(Role::Match));
            if end < stop {
                from = end;
                break;
            }
            from = end;
        }
        let mut line = row.line();
        if from < part.end {
            // Cut at the edge of the screen: the last column says so.
            let mut marked = Row::new(columns);
            let stop = columns.saturating_sub(1);
            let mut used = 0usize;
            for span in &line.spans {
                let room = stop.saturating_sub(used);
                let width = crate::text::width(&span.content);
                if width <= room {
                    marked.push(&span.content, span.style);
                } else if room > 0 {
                    let cut: String = cut_columns(&span.content, room);
                    marked.push(&cut, span.style);
                }
                used = used.saturating_add(width);
            }
            marked.push(theme.glyph("…", "~"), theme.style(Role::Dim));
            line = marked.line();
        }
        put(area, buf, n, &line);
        match pane.text_down(view.open, at) {
            Some(next) => at = next,
            None => break,
        }
    }
}

/// As many characters as fit, without a mark.
fn cut_columns(shown: &str, columns: usize) -> String {
    let mut used = 0usize;
    let mut out = String::new();
    for c in shown.chars() {
        used = used.saturating_add(crate::text::width(c.encode_utf8(&mut [0; 4])));
        if used > columns {
            break;
        }
        out.push(c);
    }
    out
}

fn hex(area: Rect, buf: &mut Buffer, pane: &mut Pane, view: &Shown<'_>) {
    let (columns, rows) = (usize::from(area.width), usize::from(area.height));
    let source = view.open.shown();
    if source.is_empty() {
        let style = view.theme.style(Role::Dim);
        return say(area, buf, view.theme, style, "empty, there is nothing to show", "");
    }
    let per = hexdump::per_row(columns, source.len());
    let top = pane.hex_top();
    let found = matches(pane, source, top..top.saturating_add(per.saturating_mul(rows)));
    for n in 0..rows {
        let at = top.saturating_add(n.saturating_mul(per));
        if at >= source.len() {
            break;
        }
        put(area, buf, n, &hexdump::line(source, at, columns, &found, view.theme));
    }
}

/// The members of the receipt that were checked, as ranges of the record's text: the committed bytes and their hash
/// look covered, labels do not, and a member with a fault shows it.
fn checked_members(view: &Shown<'_>) -> Vec<(Range<usize>, Role)> {
    let report = &view.open.report;
    let faulty = |name: &str| report.faults.iter().any(|fault| fault.member.split(['.', '[']).next() == Some(name));
    let mut marks = Vec::new();
    for (name, range) in &view.open.members {
        let role = match name.as_str() {
            name if faulty(name) => Role::Bad,
            "canonical_bytes" | "output_hash" => Role::Covered,
            "id"
            | "receipt_schema_version"
            | "created_at"
            | "timestamp"
            | "tool"
            | "tool_context"
            | "provenance_class"
            | "verification_status"
            | "status"
            | "metadata_hash"
            | "hash_algorithm"
            | "canonical_byte_length" => Role::Uncovered,
            _ => continue,
        };
        marks.push((range.clone(), role));
        if marks.len() >= 256 {
            break;
        }
    }
    marks
}

fn check_list(area: Rect, buf: &mut Buffer, pane: &Pane, rows: &[checks::CheckRow], theme: &Theme) {
    let columns = usize::from(area.width);
    let head = if columns >= checks::HEAD.saturating_mul(2) { checks::HEAD } else { columns.min(2) };
    for (n, row) in rows.iter().skip(pane.checks_top()).take(usize::from(area.height)).enumerate() {
        let mut out = Row::new(columns);
        if !row.heading {
            let width = crate::text::width(&row.head);
            out.push(&row.head, theme.style(row.role)).push(&" ".repeat(head.saturating_sub(width)), Style::new());
        }
        let role = match row.role {
            Role::Title => Role::Title,
            Role::Bad => Role::Bad,
            Role::Warn => Role::Warn,
            Role::Dim => Role::Text,
            other => other,
        };
        let found = match pane.needle() {
            Some(needle) => needle.all(row.text.as_bytes(), 0..row.text.len(), 20),
            None => Vec::new(),
        };
        // The text is shown text already: marked in pieces, not escaped a second time.
        let mut from = 0usize;
        for range in found {
            out.push(row.text.get(from..range.start).unwrap_or_default(), theme.style(role));
            let style = theme.style(role).patch(theme.style(Role::Match));
            out.push(row.text.get(range.clone()).unwrap_or_default(), style);
            from = range.end;
        }
        out.push(row.text.get(from..).unwrap_or_default(), theme.style(role));
        put(area, buf, n, &out.line());
    }
}
