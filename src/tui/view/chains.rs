//! All retry chains, and groups that are none, told apart.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};

use super::draw::{count, heads, message, pane, put};
use crate::store::ChainSummary;
use crate::text;
use crate::tui::app::{App, duration};
use crate::tui::theme::Role;

/// Draws the chains.
pub fn draw(app: &mut App, area: Rect, buf: &mut Buffer) {
    let theme = app.theme;
    let chains = &app.chains.shown;
    let many = |n: usize, one: &str| format!("{} {one}{}", count(n as u64), if n == 1 { "" } else { "s" });
    let (retries, groups) = (many(chains.retries, "retry chain"), many(chains.groups, "other group"));
    let listed = chains.newest.len();
    let cut = if listed < chains.retries + chains.groups {
        format!(" · the newest {} are listed", count(listed as u64))
    } else {
        String::new()
    };
    let title = format!("{retries}, {groups}{cut} · Esc closes");
    let inside = pane(buf, area, &title, true, &theme);
    if listed == 0 {
        let words = match app.chains.made {
            true => "No two records are linked by a correlation field or a pointer",
            false => "Looking for records that are linked",
        };
        message(buf, inside, &[(words.to_owned(), theme.style(Role::Dim))]);
        return;
    }
    let dim = theme.style(Role::Dim);
    let columns = Columns::of(inside.width);
    let columns_shown = [
        ("OUTCOME", columns.outcome),
        ("KIND", columns.kind),
        ("SPAN", columns.span),
        ("STATUS", columns.status),
        ("TOOL", columns.tool),
        ("LINK", columns.link),
    ];
    let rows = heads(buf, inside, 2, &columns_shown, dim);
    app.list_area = rows;
    let mut scroll = app.chains.scroll;
    scroll.settle(app.chains.shown.newest.len(), usize::from(rows.height));
    app.chains.scroll = scroll;
    for (n, chain) in app.chains.shown.newest.iter().skip(scroll.top).take(usize::from(rows.height)).enumerate() {
        let y = rows.y.saturating_add(u16::try_from(n).unwrap_or(u16::MAX));
        draw_chain(app, chain, &columns, Rect { y, height: 1, ..rows }, scroll.top + n == scroll.at, buf);
    }
}

struct Columns {
    outcome: u16,
    kind: u16,
    span: u16,
    status: u16,
    tool: u16,
    link: u16,
}

impl Columns {
    fn of(width: u16) -> Columns {
        let mut rest = width.saturating_sub(2);
        let mut take = |columns: u16, needs: u16| {
            if rest >= needs {
                rest = rest.saturating_sub(columns + 1);
                columns
            } else {
                0
            }
        };
        let (outcome, kind) = (take(13, 13), take(12, 12));
        let (span, status, tool) = (take(9, 30), take(14, 30), take(20, 40));
        Columns { outcome, kind, span, status, tool, link: rest }
    }
}

fn draw_chain(app: &App, chain: &ChainSummary, columns: &Columns, area: Rect, selected: bool, buf: &mut Buffer) {
    let theme = &app.theme;
    let (glyph, word, style) = theme.verdict(chain.headline);
    let plain = theme.style(Role::Text);
    let kind = if chain.retry { format!("{} attempts", chain.count) } else { format!("group of {}", chain.count) };
    let link = match (&chain.field, &chain.value) {
        (Some(field), Some(value)) => format!("{} = {}", text::shown(field), text::shown(value)),
        _ => "pointers".to_owned(),
    };
    let mut x = area.x + 2;
    put(buf, area, area.x, area.y, 1, if selected { ">" } else { " " }, theme.style(Role::Strong));
    for (shown, width, style) in [
        (format!("{glyph} {word}"), columns.outcome, style),
        (kind, columns.kind, plain),
        (chain.span.map(duration).unwrap_or_default(), columns.span, plain),
        (text::shown(&chain.status).into_owned(), columns.status, plain),
        (text::shown(&chain.tool).into_owned(), columns.tool, plain),
        (link, columns.link, theme.style(Role::Dim)),
    ] {
        if width > 0 {
            put(buf, area, x, area.y, width, &shown, style);
            x = x.saturating_add(width + 1);
        }
    }
    if selected {
        buf.set_style(area, Style::new().add_modifier(Modifier::REVERSED));
    }
}
