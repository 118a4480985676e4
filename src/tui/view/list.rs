//! The list: one row a record.

mod columns;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};

pub use columns::Column;

use columns::WITH_DATE;

use super::draw::{count, heads, pane, put};
use super::receipt;
use crate::aer1::report::Headline;
use crate::store::{RowId, RowRef, RowState};
use crate::text;
use crate::tui::app::{App, Focus, Times};
use crate::tui::theme::{Role, Theme};

/// Selection mark and record mark.
const MARKS: u16 = 2;

/// Draws the list.
pub fn draw(app: &mut App, area: Rect, buf: &mut Buffer) {
    let theme = app.theme;
    let focused = app.focus == Focus::List;
    let title = title(app);
    let inside = pane(buf, area, &title, focused, &theme);
    let dim = theme.style(Role::Dim);
    let rows = usize::from(inside.height.saturating_sub(1));
    let shown: Vec<RowId> = app.view.ids().iter().skip(app.list.top).take(rows).copied().collect();
    let mut needs = std::mem::take(&mut app.list.needs);
    for row in shown.iter().filter_map(|id| app.store.row(*id)) {
        for column in &app.columns {
            let (shown, _) = cell(app, &row, *column, usize::from(WITH_DATE));
            let need = needs.entry(column.as_str()).or_default();
            *need = (*need).max(u16::try_from(text::width(&shown)).unwrap_or(u16::MAX));
        }
    }
    // A width that was needed once is kept: columns that move while one scrolls cannot be read.
    let columns = columns::widths(inside.width.saturating_sub(MARKS), &app.columns, |column| {
        needs.get(column.as_str()).copied().unwrap_or(0)
    });
    app.list.needs = needs;
    let heads_shown: Vec<(&str, u16)> = columns.iter().map(|(column, width)| (head(app, *column), *width)).collect();
    let rows = heads(buf, inside, MARKS, &heads_shown, dim);
    app.list_area = rows;
    app.list.height = usize::from(rows.height);
    for (n, id) in shown.iter().enumerate() {
        let y = rows.y.saturating_add(u16::try_from(n).unwrap_or(u16::MAX));
        let Some(row) = app.store.row(*id) else { continue };
        draw_row(app, &row, Rect { y, height: 1, ..rows }, &columns, buf);
    }
}

/// The head of a column.
fn head(app: &App, column: Column) -> &'static str {
    match (column, app.times) {
        (Column::Created, Times::Utc) => "CREATED",
        (Column::Created, Times::Local) => "CREATED local",
        (Column::Created, Times::Age) => "CREATED age",
        (Column::Verdict, _) => "VERDICT",
        (Column::Tool, _) => "TOOL",
        (Column::Status, _) => "STATUS",
        (Column::Try, _) => "TRY",
        (Column::File, _) => "FILE",
        (Column::Id, _) => "ID",
        (Column::Class, _) => "CLASS",
        (Column::Provenance, _) => "PROVENANCE",
        (Column::Arrived, _) => "ARRIVED",
        (Column::Size, _) => "SIZE",
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

/// What one cell says, escaped, in about `columns` columns: only times depend on them.
fn cell(app: &App, row: &RowRef<'_>, column: Column, columns: usize) -> (String, Style) {
    let theme = &app.theme;
    let gone = row.state != RowState::Known;
    let base = theme.style(if gone { Role::Dim } else { Role::Text });
    let dim = theme.style(Role::Dim);
    match column {
        Column::Verdict => {
            let (glyph, word, style) = verdict(theme, row);
            (format!("{glyph} {word}"), style)
        }
        Column::Created => match row.created {
            Some(created) => (app.times.show(created, app.now, app.local, columns), base),
            None if gone => (app.times.show(row.arrived, app.now, app.local, columns), dim),
            None => ("no time".to_owned(), dim),
        },
        Column::Arrived => (app.times.show(row.arrived, app.now, app.local, columns), dim),
        Column::Tool => (text::shown(row.tool).into_owned(), base),
        Column::Status => (text::shown(row.status).into_owned(), base),
        Column::Try if app.store.copy_of(row.id).is_some() => ("copy".to_owned(), theme.style(Role::Note)),
        Column::Try => (row.attempt.map(|(n, of)| format!("{n}/{of}")).unwrap_or_default(), base),
        Column::File => {
            let name = row.path.file_name().map(text::shown_path).unwrap_or_default();
            (format!("{name}{}", row.place), dim)
        }
        Column::Id => (text::shown(&row.receipt_id).into_owned(), base),
        Column::Class => (row.class.map(|class| class.as_str().to_owned()).unwrap_or_default(), base),
        Column::Provenance => (text::shown(row.provenance).into_owned(), base),
        Column::Size => (receipt::size(usize::try_from(row.size).unwrap_or(usize::MAX)), dim),
    }
}

fn draw_row(app: &App, row: &RowRef<'_>, area: Rect, columns: &[(Column, u16)], buf: &mut Buffer) {
    let theme = &app.theme;
    let selected = app.list.selected == Some(row.id);
    if selected {
        put(buf, area, area.x, area.y, 1, ">", theme.style(Role::Strong));
    }
    if app.mark == Some(row.id) {
        put(buf, area, area.x + 1, area.y, 1, "m", theme.style(Role::Mark));
    } else if row.rewritten {
        put(buf, area, area.x + 1, area.y, 1, theme.glyph("≠", "w"), theme.style(Role::Warn));
    } else if app.store.copy_of(row.id).is_some() {
        put(buf, area, area.x + 1, area.y, 1, "=", theme.style(Role::Note));
    }
    let mut x = area.x.saturating_add(MARKS);
    for (column, width) in columns.iter().copied() {
        let (shown, style) = cell(app, row, column, usize::from(width));
        let shown =
            if column.keeps_both_ends() { text::fit_middle(&shown, usize::from(width)).into_owned() } else { shown };
        let used = put(buf, area, x, area.y, width, &shown, style);
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
