//! The screens. Drawing reads the state; the only things it writes back are sizes, for paging and clicks.
//!
//! ```text
//! under 60 columns    60 to 99             100 to 159              160 and more
//! ┌ header ──────┐    ┌ header ──────┐    ┌ header ───────────┐    ┌ header ───────────────────┐
//! │ list         │    │ list         │    │ list │ (attempts) │    │ list │ receipt │ attempts │
//! │ (Enter opens │    ├──────────────┤    │      │ receipt    │    │      │         │          │
//! │  the receipt)│    │ receipt      │    │      │            │    │      │         │          │
//! └ footer ──────┘    └ footer ──────┘    └ footer ───────────┘    └ footer ───────────────────┘
//! ```

pub mod attempts;
pub mod chains;
pub mod diff;
pub mod draw;
pub mod events;
pub mod help;
pub mod list;
pub mod receipt;
pub mod status;
pub mod timeline;
pub mod vectors;
pub mod welcome;

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use super::app::{App, Focus, Screen};
use super::theme::Role;

/// The smallest screen anything is drawn on.
pub const SMALLEST: (u16, u16) = (24, 5);
/// From here the receipt stands below the list.
pub const STACKED: u16 = 60;
/// From here it stands beside it.
pub const BESIDE: u16 = 100;
/// From here there is a third column.
pub const THREE: u16 = 160;

/// Draws everything; returns where the cursor stands, when an input is open.
pub fn draw(app: &mut App, area: Rect, buf: &mut Buffer) -> Option<Position> {
    let theme = app.theme;
    draw::ground(buf, area, &theme);
    app.width = area.width;
    app.list_area = Rect::ZERO;
    if area.width < SMALLEST.0 || area.height < SMALLEST.1 {
        welcome::too_small(app, area, buf);
        return None;
    }
    let header = Rect { height: 1, ..area };
    if app.screen == Screen::Vectors {
        vectors::header(app, header, buf);
    } else {
        status::header(app, header, buf);
    }
    let strip = u16::from(area.height >= 20 && matches!(app.screen, Screen::Main | Screen::Events));
    if strip > 0 {
        status::activity(app, Rect { y: area.y + 1, height: 1, ..area }, buf);
    }
    let body = Rect { y: area.y + 1 + strip, height: area.height.saturating_sub(2 + strip), ..area };
    match app.screen {
        Screen::Welcome => welcome::welcome(app, body, buf),
        Screen::Main => main(app, body, buf),
        Screen::Chains => chains::draw(app, body, buf),
        Screen::Events => events::draw(app, body, buf),
        Screen::Vectors => vectors::draw(app, body, buf),
        Screen::Help => help::draw(app, body, buf),
        Screen::Diff => comparison(app, body, buf),
    }
    let cursor = status::footer(app, area, buf);
    if theme.ascii {
        plain_signs(area, buf);
    }
    cursor
}

/// Where only ASCII is wanted, our own two signs that stand in sentences are replaced.
fn plain_signs(area: Rect, buf: &mut Buffer) {
    for y in area.top()..area.bottom() {
        for x in area.left()..area.right() {
            let Some(cell) = buf.cell_mut((x, y)) else { continue };
            match cell.symbol() {
                "·" => cell.set_symbol("."),
                "…" => cell.set_symbol("~"),
                _ => continue,
            };
        }
    }
}

/// The panes of the main screen: list, receipt, attempts; `None` is "not shown".
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Panes {
    list: Option<Rect>,
    receipt: Option<Rect>,
    attempts: Option<Rect>,
}

fn split_down(area: Rect, top: u16) -> (Rect, Rect) {
    let top = top.min(area.height);
    let (above, below) = (Rect { height: top, ..area }, area.height.saturating_sub(top));
    (above, Rect { y: area.y.saturating_add(top), height: below, ..area })
}

fn split_across(area: Rect, left: u16) -> (Rect, Rect) {
    let left = left.min(area.width);
    let (here, there) = (Rect { width: left, ..area }, area.width.saturating_sub(left));
    (here, Rect { x: area.x.saturating_add(left), width: there, ..area })
}

fn layout(app: &App, area: Rect) -> Panes {
    let chain = app.chain_visible();
    let attempts = u16::try_from(app.chain.as_ref().map_or(6, |chain| chain.attempts.len())).unwrap_or(100);
    let attempts = attempts.saturating_add(6);
    let one = |focus: Focus| match focus {
        Focus::List => Panes { list: Some(area), ..Panes::default() },
        Focus::Receipt => Panes { receipt: Some(area), ..Panes::default() },
        Focus::Attempts => Panes { attempts: Some(area), ..Panes::default() },
    };
    if app.zoom {
        return one(app.focus);
    }
    if area.width < STACKED || area.height < 12 {
        // The attempts come with the receipt where there is no room for both beside the list.
        if chain && app.with_chain && app.focus == Focus::Receipt && area.height >= 16 {
            let (above, below) = split_down(area, attempts.min(area.height / 2));
            return Panes { list: None, attempts: Some(above), receipt: Some(below) };
        }
        return one(app.focus);
    }
    if area.width < BESIDE {
        let (list, rest) = split_down(area, (area.height * 2 / 5).max(5));
        if chain && rest.height >= 12 {
            let (above, below) = split_down(rest, attempts.min(rest.height / 2));
            return Panes { list: Some(list), attempts: Some(above), receipt: Some(below) };
        }
        if app.focus == Focus::Attempts {
            return Panes { list: Some(list), attempts: Some(rest), receipt: None };
        }
        return Panes { list: Some(list), receipt: Some(rest), attempts: None };
    }
    if area.width < THREE {
        let (list, rest) = split_across(area, (area.width / 2).clamp(50, 64));
        if chain {
            let (above, below) = split_down(rest, attempts.min(rest.height / 2));
            return Panes { list: Some(list), attempts: Some(above), receipt: Some(below) };
        }
        return Panes { list: Some(list), receipt: Some(rest), attempts: None };
    }
    let (list, rest) = split_across(area, (area.width * 9 / 25).clamp(58, 80));
    let (receipt, third) = split_across(rest, rest.width * 3 / 5);
    Panes { list: Some(list), receipt: Some(receipt), attempts: Some(third) }
}

fn main(app: &mut App, area: Rect, buf: &mut Buffer) {
    let panes = layout(app, area);
    if let Some(list) = panes.list {
        if app.view.ids().is_empty() {
            let whole = if app.store.is_empty() { area } else { list };
            welcome::instead_of_list(app, whole, buf);
            app.list.height = 0;
            app.list_area = Rect::ZERO;
            if app.store.is_empty() {
                return;
            }
        } else {
            list::draw(app, list, buf);
        }
    }
    let theme = app.theme;
    if let Some(area) = panes.receipt {
        let focused = app.focus == Focus::Receipt;
        let row = app.list.selected.and_then(|id| app.store.row(id));
        receipt::draw(area, buf, &mut app.pane, row.as_ref(), &app.notes, &theme, focused);
    }
    if let Some(area) = panes.attempts {
        beside(app, area, buf);
    }
}

/// The attempts; for a timeline or workflow its entries; in the third column also the checks.
fn beside(app: &mut App, area: Rect, buf: &mut Buffer) {
    let focused = app.focus == Focus::Attempts;
    let theme = app.theme;
    let structure = app.has_parts();
    let (upper, lower) = if app.width >= THREE && !app.zoom {
        let rows = app.chain.as_ref().map_or(if structure { 14 } else { 0 }, |chain| chain.attempts.len() * 2 + 6);
        split_down(area, u16::try_from(rows).unwrap_or(u16::MAX).min(area.height / 2))
    } else {
        (area, Rect { height: 0, ..area })
    };
    if upper.height > 0 {
        match (&app.chain, app.pane.open()) {
            (Some(chain), _) => {
                attempts::draw(upper, buf, chain, app.attempt_index().unwrap_or(0), &theme, focused);
            }
            (None, Some(open)) if structure => {
                let len = open.report.structure.as_ref().map_or(0, |structure| structure.parts.len());
                app.parts_scroll.at = app.parts_scroll.at.min(len.saturating_sub(1));
                let (presence, at) = (&app.presence.0, app.parts_scroll.at);
                timeline::draw(upper, buf, &open.report, presence, at, &theme, focused);
            }
            _ => {}
        }
    }
    if lower.height > 2 {
        checks(app, lower, buf);
    }
}

/// Every layer of the open record, in a column.
fn checks(app: &App, area: Rect, buf: &mut Buffer) {
    use crate::aer1::report::{Check, Layer};
    let theme = app.theme;
    let inside = draw::pane(buf, area, "checks", false, &theme);
    let Some(open) = app.pane.open() else { return };
    for (n, layer) in Layer::ALL.iter().take(usize::from(inside.height)).enumerate() {
        let (glyph, word, style) = match open.report.check(*layer) {
            Check::Passed => (theme.glyph("✓", "+"), "passed", theme.style(Role::Text)),
            Check::Failed => (theme.glyph("✗", "x"), "failed", theme.style(Role::Bad)),
            Check::NotReached => ("-", "not reached", theme.style(Role::Warn)),
            Check::NotApplicable => (theme.glyph("·", "."), "not applicable", theme.style(Role::Dim)),
        };
        let y = inside.y.saturating_add(u16::try_from(n).unwrap_or(u16::MAX));
        let used = draw::put(buf, inside, inside.x, y, 13, &format!("{glyph} {}", layer.as_str()), style);
        let x = inside.x.saturating_add(used.max(12) + 1);
        let first = open.report.faults.iter().find(|fault| fault.class.layer() == *layer);
        let words = first.map_or_else(|| word.to_owned(), |fault| format!("{word}: {}", fault.class.as_str()));
        draw::put(buf, inside, x, y, inside.right().saturating_sub(x), &words, style);
    }
}

fn comparison(app: &mut App, area: Rect, buf: &mut Buffer) {
    let theme = app.theme;
    match &mut app.diff {
        Some(pane) => diff::draw(area, buf, pane, &theme, true),
        None => draw::message(buf, area, &[("Comparing".to_owned(), theme.style(Role::Strong))]),
    }
}
