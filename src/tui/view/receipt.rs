//! The receipt: what was found about the open record, and the bytes it is about.
//!
//! ```text
//! ┌ receipt ───────────────────────────────────────┐
//! │ headline · class                   provenance  │  head: lines with ranks; what does not fit is left out from
//! │ reason, hashes, covered and not covered, notes │  the highest rank down, and the checks tab has all of it
//! │── bytes 337 B ── [1] json [2] text … ──────────│  tab bar
//! │ the view of the tab                            │  in a frame when the record is neither verified nor intact
//! └────────────────────────────────────────────────┘
//! ```

mod body;
mod head;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;
use ratatui::widgets::{Block, Widget};

use crate::aer1::report::{Headline, Kind, Note, Place};
use crate::output::sentence;
use crate::store::{RowRef, RowState};
use crate::tui::detail::cells::{Row, wrap};
use crate::tui::detail::hexdump;
use crate::tui::detail::open::{OpenRecord, Source};
use crate::tui::detail::pane::{Pane, State, Tab};
use crate::tui::theme::{Role, Theme};

/// Draws the pane.
pub fn draw(
    area: Rect,
    buf: &mut Buffer,
    pane: &mut Pane,
    row: Option<&RowRef<'_>>,
    notes: &[Note],
    theme: &Theme,
    focused: bool,
) {
    let area = area.intersection(buf.area);
    let inner = bordered(area, buf, "receipt", theme, focused);
    if inner.is_empty() {
        return;
    }
    if let Some(row) = row.filter(|row| row.state != RowState::Known) {
        let said = match row.state {
            RowState::Removed => "removed: the file, or the record in it, is not there any more",
            _ => "being written: there is no verdict until the file is quiet",
        };
        pane.set_size(0, 0, 0);
        return say(inner, buf, theme, theme.writing().2, said, &sentence::at(&row.path, row.place));
    }
    let open = match pane.state().clone() {
        State::Open(open) => open,
        State::Empty => {
            return say(inner, buf, theme, theme.style(Role::Dim), "no record is selected", "");
        }
        State::Loading(path, place) => {
            let at = sentence::at(&path, place);
            let used = said_in(inner, buf, theme, theme.style(Role::Dim), "reading the file", &at);
            let below = Rect { y: inner.y.saturating_add(used), height: inner.height.saturating_sub(used), ..inner };
            if let Some(row) = row.filter(|row| !row.unread && *row.path == *path && row.place == place) {
                listed(below, buf, row, theme);
            }
            return;
        }
        State::Writing(path, place) => {
            let (glyph, word, style) = theme.writing();
            let said = format!("{glyph} {word}: the file moved while it was read, so there is no verdict");
            return say(inner, buf, theme, style, &said, &sentence::at(&path, place));
        }
        State::Gone(path, place) => {
            let said = "the file has changed: there is no record at this place any more";
            return say(inner, buf, theme, theme.style(Role::Warn), said, &sentence::at(&path, place));
        }
        State::Vanished(path, place) => {
            let said = "the file is not there any more";
            return say(inner, buf, theme, theme.style(Role::Warn), said, &sentence::at(&path, place));
        }
        State::Failed(path, place, reason) => {
            let (glyph, word, style) = theme.verdict(reason.class.headline());
            let said = format!("{glyph} {word} · {}: {}", reason.class.as_str(), sentence::fault(&reason));
            return say(inner, buf, theme, style, &said, &sentence::at(&path, place));
        }
    };
    let view = Shown { open: &open, headline: headline(&open, row), row, notes, theme };
    let rows = usize::from(inner.height);
    let body_rows = body_rows(&open, pane.tab(), headline(&open, row), usize::from(inner.width));
    let body_rows = (rows.saturating_mul(2) / 5).min(body_rows).max(4).min(rows);
    let head = head::lines(&view, usize::from(inner.width), rows.saturating_sub(body_rows).saturating_sub(1));
    let mut y = inner.y;
    for line in head.iter().take(rows.saturating_sub(2)) {
        buf.set_line(inner.x, y, line, inner.width);
        y = y.saturating_add(1);
    }
    if rows > 1 {
        buf.set_line(inner.x, y, &tab_bar(&view, pane, usize::from(inner.width)), inner.width);
        y = y.saturating_add(1);
    }
    let body = Rect { y, height: inner.bottom().saturating_sub(y), ..inner };
    body::draw(body, buf, pane, &view, focused);
}

/// Rows that the bytes fill in whichever of their tabs needs most; what they leave is the head's. No limit for the tabs of
/// the record and of the checks.
fn body_rows(open: &OpenRecord, tab: Tab, headline: Headline, columns: usize) -> usize {
    if matches!(tab, Tab::Raw | Tab::Checks) {
        return usize::MAX;
    }
    let shown = open.shown();
    let columns = columns.saturating_sub(2).max(1);
    let tree = open.tree.as_ref().map_or(2, |tree| tree.len());
    let hex = shown.len() / hexdump::per_row(columns, shown.len()).max(1) + 1;
    let text = open.lines.count(shown).saturating_add(shown.len() / columns);
    let framed = if frame(headline).is_some() { 2 } else { 0 };
    tree.max(hex).max(text).saturating_add(framed)
}

/// The record with all that its drawing needs.
pub(super) struct Shown<'a> {
    pub(super) open: &'a OpenRecord,
    pub(super) headline: Headline,
    pub(super) row: Option<&'a RowRef<'a>>,
    pub(super) notes: &'a [Note],
    pub(super) theme: &'a Theme,
}

/// The headline of the bytes just read. Only a workflow may be lowered by what stands elsewhere in the folder (rules §7).
fn headline(open: &OpenRecord, row: Option<&RowRef<'_>>) -> Headline {
    let own = open.report.headline;
    match row {
        Some(row) if open.report.kind == Kind::Workflow && row.headline.weakness() > own.weakness() => row.headline,
        _ => own,
    }
}

/// What the frame around the decoded view says, when there has to be one.
pub(super) fn frame(headline: Headline) -> Option<(&'static str, Role)> {
    match headline {
        Headline::Verified | Headline::Intact => None,
        Headline::Unavailable | Headline::Unsupported => Some(("not verified", Role::Warn)),
        _ => Some(("does not verify", Role::Bad)),
    }
}

/// A border with a title; returns what is inside. Areas that are too small get none.
pub(super) fn bordered(area: Rect, buf: &mut Buffer, title: &str, theme: &Theme, focused: bool) -> Rect {
    if area.width < 4 || area.height < 4 {
        return area;
    }
    let (border, role) = if focused { (Role::BorderFocused, Role::TitleFocused) } else { (Role::Border, Role::Title) };
    let mut row = Row::new(usize::from(area.width).saturating_sub(4));
    row.push(" ", theme.style(role)).push(title, theme.style(role)).push(" ", theme.style(role));
    let block = Block::bordered().border_set(theme.border(focused)).border_style(theme.style(border)).title(row.line());
    let inner = block.inner(area);
    block.render(area, buf);
    inner
}

/// What the list knows of a record while its file is read: its labels, and no verdict.
fn listed(area: Rect, buf: &mut Buffer, row: &RowRef<'_>, theme: &Theme) {
    let created = row.created.map(|moment| moment.to_string()).unwrap_or_default();
    let known =
        [("id", row.receipt_id.as_ref()), ("tool", row.tool), ("created", created.as_str()), ("class", row.provenance)];
    for ((label, value), y) in known.into_iter().filter(|(_, value)| !value.is_empty()).zip(area.y..area.bottom()) {
        let mut line = Row::new(usize::from(area.width));
        line.push(&format!("  {label:<8} "), theme.style(Role::Dim)).foreign(value, theme.style(Role::Uncovered));
        buf.set_line(area.x, y, &line.line(), area.width);
    }
}

/// A screen that is a sentence, with the file it is about.
pub(super) fn say(area: Rect, buf: &mut Buffer, theme: &Theme, style: ratatui::style::Style, said: &str, about: &str) {
    said_in(area, buf, theme, style, said, about);
}

/// The same; returns the rows it took.
fn said_in(area: Rect, buf: &mut Buffer, theme: &Theme, style: ratatui::style::Style, said: &str, about: &str) -> u16 {
    let columns = usize::from(area.width);
    let mut y = area.y;
    let about = wrap(about, columns).into_iter().map(|row| (row, theme.style(Role::Dim)));
    for (row, style) in wrap(said, columns).into_iter().map(|row| (row, style)).chain(about) {
        if y >= area.bottom() {
            break;
        }
        buf.set_line(area.x, y, &Line::styled(row, style), area.width);
        y = y.saturating_add(1);
    }
    y.saturating_sub(area.y)
}

fn tab_bar(view: &Shown<'_>, pane: &Pane, columns: usize) -> Line<'static> {
    let theme = view.theme;
    let dash = theme.glyph("─", "-");
    let border = theme.style(Role::Border);
    let mut row = Row::new(columns);
    let what = match view.open.source() {
        Source::Canonical => "bytes",
        Source::Record => "record",
    };
    let length = view.open.shown().len();
    let wide = columns >= 60;
    if wide {
        row.push(&dash.repeat(2), border).push(&format!(" {what} {} ", size(length)), theme.style(Role::Title));
        row.push(&dash.repeat(2), border).push(" ", border);
    } else if columns >= 44 {
        row.push(&format!("{} ", size(length)), theme.style(Role::Title));
    }
    for (n, tab) in Tab::ALL.into_iter().enumerate() {
        let chosen = tab == pane.tab();
        let style = if chosen { theme.style(Role::Selected) } else { theme.style(Role::Text) };
        let key = if chosen { style } else { theme.style(Role::Key) };
        row.push(&format!("[{}]", n.saturating_add(1)), key);
        if wide || chosen || columns >= 44 {
            row.push(if wide { " " } else { "" }, style).push(tab.word(), style);
        }
        row.push(" ", border);
    }
    if let Some(said) = pane.message() {
        row.push(said, theme.style(Role::Warn)).push(" ", border);
    } else if pane.is_busy() {
        row.push("searching ", theme.style(Role::Dim));
    } else if let Some(text) = pane.searching() {
        row.push("/", theme.style(Role::Dim)).foreign(text, theme.style(Role::Match)).push(" ", border);
    }
    let position = position(pane, view.open);
    if row.room() >= position.len().saturating_add(3) {
        let dashes = row.room().saturating_sub(position.len()).saturating_sub(2);
        row.push(&dash.repeat(dashes), border).push(&format!(" {position} "), theme.style(Role::Dim));
    } else {
        let room = row.room();
        row.push(&dash.repeat(room), border);
    }
    row.line()
}

/// Where in the tab's contents the screen stands.
fn position(pane: &Pane, open: &OpenRecord) -> String {
    match pane.tab() {
        Tab::Json => match &open.tree {
            Ok(tree) => format!("row {}/{}", pane.tree.cursor.row.saturating_add(1), tree.len()),
            Err(_) => String::new(),
        },
        Tab::Hex => format!("{:#x}/{:#x}", pane.hex_top(), open.shown().len()),
        Tab::Text | Tab::Raw => {
            let (text, lines, at) = pane.text_view(open);
            format!("line {}/{}", lines.line_of(text, at).saturating_add(1), lines.count(text))
        }
        Tab::Checks => String::new(),
    }
}

/// A size as people read it: exact below 10,000 bytes.
pub(in crate::tui::view) fn size(bytes: usize) -> String {
    match bytes {
        0..=9_999 => format!("{bytes} B"),
        10_000..=9_999_999 => format!("{}.{} kB", bytes / 1000, bytes % 1000 / 100),
        _ => format!("{}.{} MB", bytes / 1_000_000, bytes % 1_000_000 / 100_000),
    }
}

/// A place in its file, as it stands in titles.
pub(super) fn at(open: &OpenRecord) -> String {
    let place: Place = open.place;
    sentence::at(&open.path, place)
}

#[cfg(test)]
mod tests;
