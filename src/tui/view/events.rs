//! What happened in this session, newest first.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};

use super::draw::{count, message, pane, put};
use crate::output::passed::passed;
use crate::record::{Mode, Scan, ScanReason};
use crate::store::{Happening, RowId};
use crate::text;
use crate::tui::app::{App, Entry, What, duration};
use crate::tui::theme::Role;

/// Draws the events.
pub fn draw(app: &mut App, area: Rect, buf: &mut Buffer) {
    let theme = app.theme;
    let left = if app.log.left > 0 { format!(" · {} older ones left", count(app.log.left)) } else { String::new() };
    let inside = pane(buf, area, &format!("events {}{left} · Esc closes", count(app.log.len() as u64)), true, &theme);
    if app.log.is_empty() {
        message(buf, inside, &[("Nothing has happened since the first scan".to_owned(), theme.style(Role::Dim))]);
        return;
    }
    let height = usize::from(inside.height);
    app.list_area = inside;
    let mut scroll = app.events_scroll;
    scroll.settle(app.log.len(), height);
    app.events_scroll = scroll;
    for n in 0..height {
        let at = scroll.top + n;
        let Some(entry) = app.log.from_newest(at) else { break };
        let y = inside.y.saturating_add(u16::try_from(n).unwrap_or(u16::MAX));
        let row = Rect { y, height: 1, ..inside };
        draw_entry(app, entry, row, at == scroll.at, buf);
    }
}

fn draw_entry(app: &App, entry: &Entry, area: Rect, selected: bool, buf: &mut Buffer) {
    let theme = &app.theme;
    let mut x = area.x;
    let time = app.times.show(entry.at, app.now, app.local, 12);
    put(buf, area, x, area.y, 1, if selected { ">" } else { " " }, theme.style(Role::Strong));
    x += 2;
    put(buf, area, x, area.y, 12, &time, theme.style(Role::Dim));
    x += 13;
    let (word, style, rest) = words(app, &entry.what);
    put(buf, area, x, area.y, 10, word, style);
    x += 11;
    if let What::Row(happening) = &entry.what
        && let Some(row) = app.store.row(happening.row())
    {
        let (glyph, verdict, style) = super::list::verdict(theme, &row);
        put(buf, area, x, area.y, 13, &format!("{glyph} {verdict}"), style);
        x += 14;
    }
    put(buf, area, x, area.y, area.right().saturating_sub(x), &rest, theme.style(Role::Text));
    if selected {
        buf.set_style(area, Style::new().add_modifier(Modifier::REVERSED));
    }
}

fn words(app: &App, what: &What) -> (&'static str, Style, String) {
    let theme = &app.theme;
    let text_style = theme.style(Role::Text);
    let dim = theme.style(Role::Dim);
    match what {
        What::Row(happening) => {
            let (word, style) = match happening {
                Happening::Arrived(_) => ("arrived", dim),
                Happening::Changed(_) => ("changed", text_style),
                Happening::Rewritten(_) => ("rewritten", theme.style(Role::Warn)),
                Happening::Writing(_) => ("writing", dim),
                Happening::Removed(_) => ("removed", theme.style(Role::Warn)),
            };
            (word, style, name_of(app, happening.row()))
        }
        What::Mode(Mode::Live) => ("live", text_style, "changes are told by the system".to_owned()),
        What::Mode(Mode::Polling(why)) => ("polling", theme.style(Role::Warn), text::shown(why).into_owned()),
        What::Mode(Mode::Offline) => {
            ("offline", theme.style(Role::Bad), "the folder cannot be reached; it is tried every second".to_owned())
        }
        What::Scanned(scan) => ("scanned", dim, scan_words(scan)),
        What::Left(rows) => ("left", dim, format!("{} records, because of the row limit", count(*rows as u64))),
        What::Trouble(path, what) => {
            let words = format!("{}: {}", text::shown_path(&**path), text::shown(what));
            ("trouble", theme.style(Role::Warn), words)
        }
    }
}

fn name_of(app: &App, id: RowId) -> String {
    let Some(row) = app.store.row(id) else { return "left because of the row limit".to_owned() };
    let root = app.opened.path.as_deref();
    let path = root.and_then(|root| row.path.strip_prefix(root).ok()).unwrap_or(&row.path);
    format!("{}{}", text::shown_path(path), row.place)
}

fn scan_words(scan: &Scan) -> String {
    let why = match scan.reason {
        ScanReason::Start => "the first scan",
        ScanReason::Resync => "some changes were lost by the system; everything was looked at again",
        ScanReason::Heartbeat => "the regular scan",
        ScanReason::Asked => "asked for",
        ScanReason::Poll => "polling",
        ScanReason::Back => "the folder is back",
    };
    let took = duration(i128::try_from(scan.took.as_nanos()).unwrap_or(i128::MAX));
    let passed = passed(&scan.passed).map_or_else(String::new, |words| format!("; passed over: {words}"));
    format!("{why}: {} files in {took}{passed}", count(scan.files))
}
