//! The list: one row a record.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};

use super::draw::{count, heads, pane, put};
use crate::aer1::report::Headline;
use crate::store::{RowRef, RowState};
use crate::text;
use crate::tui::app::{App, Focus};
use crate::tui::theme::{Role, Theme};

/// What stands in the list, one after the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Column {
    /// The verdict.
    Verdict,
    /// When it was created.
    Created,
    /// The tool.
    Tool,
    /// The execution status.
    Status,
    /// Which attempt of how many.
    Try,
    /// The file, where there is room.
    File,
}

impl Column {
    /// Every column, in their order.
    pub const ALL: [Column; 6] =
        [Column::Verdict, Column::Created, Column::Tool, Column::Status, Column::Try, Column::File];

    /// Its name in the settings.
    pub const fn as_str(self) -> &'static str {
        match self {
            Column::Verdict => "verdict",
            Column::Created => "created",
            Column::Tool => "tool",
            Column::Status => "status",
            Column::Try => "try",
            Column::File => "file",
        }
    }
}

/// Selection mark and record mark.
const MARKS: u16 = 2;

/// Which columns there is room for, and how wide, in the order that was asked for.
fn columns(width: u16, shown: &[Column]) -> Vec<(Column, u16)> {
    let mut rest = width.saturating_sub(MARKS);
    let mut widths = [0u16; Column::ALL.len()];
    let mut take = |column: Column, columns: u16, needs: u16| {
        let width = widths.get_mut(column as usize);
        // A column takes one more, which keeps it apart; widening one that is there does not.
        let apart = u16::from(width.as_ref().is_some_and(|width| **width == 0));
        if let Some(width) = width
            && rest >= needs
            && shown.contains(&column)
        {
            rest = rest.saturating_sub(columns + apart);
            *width += columns;
        }
    };
    take(Column::Verdict, 13, 13);
    take(Column::Created, 12, 12);
    take(Column::Try, 4, 16);
    take(Column::Status, 10, 22);
    take(Column::Created, 12, 70);
    take(Column::Status, 10, 34);
    take(Column::File, 30, 55);
    if let Some(tool) = widths.get_mut(Column::Tool as usize).filter(|_| shown.contains(&Column::Tool)) {
        *tool = rest.min(24);
        rest = rest.saturating_sub(*tool + u16::from(*tool > 0));
    }
    if let Some(file) = widths.get_mut(Column::File as usize).filter(|file| **file > 0) {
        *file += rest;
    }
    let wide = |column: &Column| widths.get(*column as usize).copied().filter(|width| *width > 0);
    shown.iter().filter_map(|column| Some((*column, wide(column)?))).collect()
}

/// Draws the list.
pub fn draw(app: &mut App, area: Rect, buf: &mut Buffer) {
    let theme = app.theme;
    let focused = app.focus == Focus::List;
    let title = title(app);
    let inside = pane(buf, area, &title, focused, &theme);
    let columns = columns(inside.width, &app.columns);
    let dim = theme.style(Role::Dim);
    let times = match app.times {
        crate::tui::app::Times::Utc => "CREATED",
        crate::tui::app::Times::Local => "CREATED local",
        crate::tui::app::Times::Age => "CREATED age",
    };
    let head = |column: Column| match column {
        Column::Verdict => "VERDICT",
        Column::Created => times,
        Column::Tool => "TOOL",
        Column::Status => "STATUS",
        Column::Try => "TRY",
        Column::File => "FILE",
    };
    let columns_shown: Vec<(&str, u16)> = columns.iter().map(|(column, width)| (head(*column), *width)).collect();
    let rows = heads(buf, inside, MARKS, &columns_shown, dim);
    app.list_area = rows;
    app.list.height = usize::from(rows.height);
    let first = app.list.top;
    for (n, id) in app.view.ids().iter().skip(first).take(usize::from(rows.height)).enumerate() {
        let y = rows.y.saturating_add(u16::try_from(n).unwrap_or(u16::MAX));
        let Some(row) = app.store.row(*id) else { continue };
        draw_row(app, &row, Rect { y, height: 1, ..rows }, &columns, buf);
    }
}

/// What stands in the border: place in the list, order, filter, follow, pause.
fn title(app: &App) -> String {
    let total = app.view.ids().len() as u64;
    let at = if total == 0 { 0 } else { app.list.position as u64 + 1 };
    let mut title = format!("records {}/{} {}", count(at), count(total), app.sort_text());
    if app.list.paused.is_some() {
        title.push_str(&format!(" · PAUSED +{}", count(app.list.missed)));
    } else if app.list.follow {
        title.push_str(" · follow");
    }
    if let Some(percent) = app.view.progress() {
        title.push_str(&format!(" · {percent} %"));
    }
    if !app.view.filter().is_all() {
        title.push_str(&format!(" · {}", text::shown(app.view.filter().text())));
    }
    if let Some(needle) = &app.needle {
        title.push_str(&format!(" · /{}", text::shown(needle)));
    }
    title
}

/// Glyph, word and style of a row's first column.
pub fn verdict(theme: &Theme, row: &RowRef<'_>) -> (&'static str, &'static str, Style) {
    match row.state {
        RowState::Writing => theme.writing(),
        RowState::Known => theme.verdict(row.headline),
        RowState::Removed if row.unread => (theme.verdict(Headline::NotReceipt).0, "removed", theme.style(Role::Dim)),
        // Its glyph tells what it was; it is no longer a statement about anything that is there.
        RowState::Removed => (theme.verdict(row.headline).0, "removed", theme.style(Role::Dim)),
    }
}

fn draw_row(app: &App, row: &RowRef<'_>, area: Rect, columns: &[(Column, u16)], buf: &mut Buffer) {
    let theme = &app.theme;
    let selected = app.list.selected == Some(row.id);
    let gone = row.state != RowState::Known;
    let base = theme.style(if gone { Role::Dim } else { Role::Text });
    let dim = theme.style(Role::Dim);
    if selected {
        put(buf, area, area.x, area.y, 1, ">", theme.style(Role::Strong));
    }
    if app.mark == Some(row.id) {
        put(buf, area, area.x + 1, area.y, 1, "m", theme.style(Role::Mark));
    } else if row.rewritten {
        put(buf, area, area.x + 1, area.y, 1, theme.glyph("≠", "w"), theme.style(Role::Warn));
    } else {
        let shared = app.store.shared(row.id, 1);
        if !shared.conflicts.is_empty() {
            put(buf, area, area.x + 1, area.y, 1, "!", theme.style(Role::Warn));
        } else if !shared.copies.is_empty() {
            put(buf, area, area.x + 1, area.y, 1, "=", dim);
        }
    }
    let (glyph, word, style) = verdict(theme, row);
    let time = row.created.unwrap_or(row.arrived);
    let stated = row.created.is_some();
    let mut x = area.x.saturating_add(MARKS);
    for (column, width) in columns {
        let (shown, style) = match column {
            Column::Verdict => (format!("{glyph} {word}"), style),
            Column::Created if stated || gone => {
                let shown = app.times.show(time, app.now, app.local, usize::from(*width));
                (shown, if stated { base } else { dim })
            }
            Column::Created => ("no time".to_owned(), dim),
            Column::Tool => (text::shown(row.tool).into_owned(), base),
            Column::Status => (text::shown(row.status).into_owned(), base),
            Column::Try => (row.attempt.map(|(n, of)| format!("{n}/{of}")).unwrap_or_default(), base),
            Column::File => {
                let name = row.path.file_name().map(text::shown_path).unwrap_or_default();
                (text::fit_middle(&format!("{name}{}", row.place), usize::from(*width)).into_owned(), dim)
            }
        };
        let used = put(buf, area, x, area.y, *width, &shown, style);
        if let Some(needle) = &app.needle {
            highlight(buf, area, x, used, needle, theme);
        }
        x = x.saturating_add(width + 1);
    }
    if selected {
        let style = if app.focus == Focus::List {
            theme.style(Role::Selected)
        } else {
            Style::new().add_modifier(Modifier::BOLD)
        };
        buf.set_style(Rect { height: 1, ..area }, style);
    }
}

/// Marks where a needle stands in a drawn cell; only whole ASCII needles are marked, the rest are found all the same.
fn highlight(buf: &mut Buffer, area: Rect, x: u16, used: u16, needle: &str, theme: &Theme) {
    if !needle.is_ascii() || needle.is_empty() {
        return;
    }
    let exact = needle.bytes().any(|b| b.is_ascii_uppercase());
    let cells: Vec<String> = (x..x.saturating_add(used))
        .map(|x| buf.cell((x, area.y)).map(|cell| cell.symbol().to_owned()).unwrap_or_default())
        .collect();
    let wanted: Vec<String> = needle.chars().map(String::from).collect();
    for (at, window) in cells.windows(wanted.len()).enumerate() {
        let same = window.iter().zip(&wanted).all(|(a, b)| if exact { a == b } else { a.eq_ignore_ascii_case(b) });
        if same {
            let at = x.saturating_add(u16::try_from(at).unwrap_or(0));
            let width = u16::try_from(wanted.len()).unwrap_or(0);
            buf.set_style(Rect::new(at, area.y, width, 1).intersection(area), theme.style(Role::Match));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_never_need_more_than_there_is() {
        let of = |width: u16, wanted: Column| {
            columns(width, &Column::ALL).iter().find(|(column, _)| *column == wanted).map_or(0, |(_, width)| *width)
        };
        for width in 0..300u16 {
            let used: u16 = columns(width, &Column::ALL).iter().map(|(_, width)| width + 1).sum();
            assert!(used <= width.saturating_sub(MARKS) + 1, "{width}: {used}");
        }
        assert!(of(42, Column::Tool) >= 8);
        assert_eq!(of(58, Column::Status), 10);
        assert_eq!(of(98, Column::Status), 20, "provider_unavailable is whole");
    }

    #[test]
    fn columns_stand_as_they_were_asked_for() {
        let asked = [Column::File, Column::Verdict, Column::Tool];
        let shown: Vec<Column> = columns(120, &asked).into_iter().map(|(column, _)| column).collect();
        assert_eq!(shown, asked);
    }
}
