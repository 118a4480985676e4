//! A suite of test vectors: expected against found, what disagrees first.
//!
//! ```text
//! under 60 columns    60 to 99              100 and more
//! ┌ list ───────┐     ┌ list ──────────┐    ┌ list ┬ expected, found, the twin ┐
//! │ (Enter opens│     ├ expected, found┤    │      ├───────────────────────────┤
//! │  the rest)  │     ├ record ────────┤    │      │ record                    │
//! └─────────────┘     └────────────────┘    └──────┴───────────────────────────┘
//! ```

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::text::Line;

use super::draw::{count, line, message, pane, put};
use super::receipt;
use super::{BESIDE, STACKED, split_across, split_down};
use crate::text;
use crate::tui::app::{App, Vectors, age};
use crate::tui::detail::cells::{Row, Spelling, wrap};
use crate::tui::suite::Apart;
use crate::tui::theme::{Role, Theme};
use crate::vectors::Outcome;

/// Columns of the words before a value.
const LABEL: usize = 10;

/// Draws the header: which suite, and how many of its vectors agree.
pub fn header(app: &App, area: Rect, buf: &mut Buffer) {
    let theme = &app.theme;
    let (plain, dim) = (theme.style(Role::Text), theme.style(Role::Dim));
    let Some(all) = &app.vectors else { return };
    let row = Rect { x: area.x.saturating_add(1), width: area.width.saturating_sub(2), ..area };
    let Some(run) = &all.run else {
        line(buf, row, area.y, &[("vectors", theme.style(Role::Strong))]);
        return;
    };
    let total = all.order.len();
    let agree = format!("{} of {} agree", count((total - all.disagree) as u64), count(total as u64));
    let disagree = match all.disagree {
        0 => String::new(),
        n => format!("  {} {}", theme.glyph("✗", "x"), disagreeing(n)),
    };
    let when =
        format!("  {}", if all.running { "running".to_owned() } else { format!("run {}", age(run.at, app.now)) });
    let used = text::width(&agree) + text::width(&disagree) + text::width(&when) + 13;
    let room = usize::from(row.width).saturating_sub(used).max(8);
    let place = text::fit_middle(&run.place, room).into_owned();
    let pieces = [
        ("vectors  ", theme.style(Role::Strong)),
        (place.as_str(), plain),
        ("  ", plain),
        (agree.as_str(), plain),
        (disagree.as_str(), theme.style(Role::Worst)),
        (when.as_str(), dim),
    ];
    line(buf, row, area.y, &pieces);
}

/// Draws the view.
pub fn draw(app: &mut App, area: Rect, buf: &mut Buffer) {
    let theme = app.theme;
    let Some(all) = &mut app.vectors else { return };
    let (strong, plain, dim) = (theme.style(Role::Strong), theme.style(Role::Text), theme.style(Role::Dim));
    if let Some((place, why)) = &all.failed {
        let lines = [
            ("No suite can be read here".to_owned(), theme.style(Role::Bad)),
            (place.clone(), plain),
            (why.clone(), plain),
            (" ".to_owned(), plain),
            ("It is tried again when something changes there. r tries now.".to_owned(), dim),
        ];
        return message(buf, area, &lines);
    }
    if all.run.is_none() {
        return message(buf, area, &[("Running the vectors".to_owned(), strong)]);
    }
    if all.order.is_empty() {
        let words = "The suite holds no vector: nothing was checked";
        return message(buf, area, &[(words.to_owned(), theme.style(Role::Bad))]);
    }
    let (upper, rest) = if area.width < STACKED || area.height < 14 {
        if all.in_record { (Rect { height: 0, ..area }, area) } else { (area, Rect { height: 0, ..area }) }
    } else if area.width < BESIDE {
        split_down(area, (area.height / 3).max(5))
    } else {
        split_across(area, (area.width * 2 / 5).clamp(44, 80))
    };
    let mut listed = Rect::ZERO;
    if upper.height > 0 {
        listed = list(all, upper, buf, &theme);
    }
    if rest.height > 0 {
        record(all, rest, buf, &theme);
    }
    app.list_area = listed;
}

fn list(all: &mut Vectors, area: Rect, buf: &mut Buffer, theme: &Theme) -> Rect {
    let title = match all.disagree {
        0 => "vectors · all agree · n N step through them".to_owned(),
        1 => "vectors · 1 disagrees".to_owned(),
        n => format!("vectors · {} disagree · n N step through them", count(n as u64)),
    };
    let inside = pane(buf, area, &title, !all.in_record, theme);
    let mut scroll = all.scroll;
    scroll.settle(all.order.len(), usize::from(inside.height));
    all.scroll = scroll;
    for n in 0..inside.height {
        let place = scroll.top + usize::from(n);
        let Some(outcome) = all.at(place) else { break };
        let row = Rect { y: inside.y + n, height: 1, ..inside };
        let selected = place == scroll.at;
        let (glyph, word, style) = verdict(theme, outcome);
        put(buf, row, row.x, row.y, 1, if selected { ">" } else { " " }, theme.style(Role::Strong));
        let used = put(buf, row, row.x + 2, row.y, 11, &format!("{glyph} {word}"), style).max(11);
        let x = row.x + 2 + used + 1;
        let name = text::shown(&outcome.case.name);
        let room = row.right().saturating_sub(x);
        put(buf, row, x, row.y, room, &text::fit_middle(&name, usize::from(room)), theme.style(Role::Text));
        if selected {
            let style =
                if all.in_record { Style::new().add_modifier(Modifier::BOLD) } else { theme.style(Role::Selected) };
            buf.set_style(row, style);
        }
    }
    inside
}

/// Green stands for `verified` alone: what agrees is plain.
fn verdict(theme: &Theme, outcome: &Outcome) -> (&'static str, &'static str, Style) {
    if outcome.agrees {
        ("=", "agrees", theme.style(Role::Text))
    } else {
        (theme.glyph("✗", "x"), "disagrees", theme.style(Role::Worst))
    }
}

fn record(all: &mut Vectors, area: Rect, buf: &mut Buffer, theme: &Theme) {
    let Some(outcome) = all.selected() else { return };
    let columns = usize::from(area.width.saturating_sub(2));
    let lines = comparison(outcome, all.apart.as_ref(), columns, theme);
    let wanted = u16::try_from(lines.len()).unwrap_or(u16::MAX).saturating_add(2);
    let (above, below) = split_down(area, wanted.min(area.height.saturating_sub(4).max(area.height / 2)));
    let (glyph, word, _) = verdict(theme, outcome);
    let inside =
        pane(buf, above, &format!("{glyph} {word} · {} of {}", all.scroll.at + 1, all.order.len()), false, theme);
    for (n, line) in lines.iter().take(usize::from(inside.height)).enumerate() {
        buf.set_line(inside.x, inside.y + u16::try_from(n).unwrap_or(0), line, inside.width);
    }
    receipt::draw(below, buf, &mut all.pane, None, &[], theme, all.in_record);
}

/// Expected and found, why, and where the file and its accepted twin part.
fn comparison(outcome: &Outcome, apart: Option<&Apart>, columns: usize, theme: &Theme) -> Vec<Line<'static>> {
    let (dim, plain) = (theme.style(Role::Dim), theme.style(Role::Text));
    let found = theme.style(if outcome.agrees { Role::Text } else { Role::Worst });
    let mut lines = Vec::new();
    let mut add = |label: &str, value: &str, style: Style, most: usize| {
        for (n, part) in wrap(value, columns.saturating_sub(LABEL)).into_iter().take(most).enumerate() {
            let mut row = Row::new(columns);
            row.push(&format!("{:<LABEL$}", if n == 0 { label } else { "" }), dim).push(&part, style);
            lines.push(row.line());
        }
    };
    add("expected", &text::shown(&outcome.expected), plain, 2);
    add("found", &text::shown(&outcome.found), found, 2);
    if !outcome.case.why.is_empty() {
        add("because", &text::shown_cut(&outcome.case.why, 400), plain, 3);
    }
    let Some(apart) = apart else { return lines };
    let twin = text::shown_cut(&apart.twin, 80);
    let Some(at) = apart.at else {
        add("twin", &format!("{twin} has the same bytes"), plain, 1);
        return lines;
    };
    add("twin", &format!("{twin} · first differs at byte {}", count(at)), plain, 1);
    let (before, own, other) = &apart.around;
    for (label, bytes, role) in [("  here", own, Role::DiffAdd), ("  there", other, Role::DiffDel)] {
        let mut row = Row::new(columns);
        row.push(&format!("{label:<LABEL$}"), dim);
        if bytes.len() <= *before {
            row.source(bytes, 0..bytes.len(), Spelling::Plain, plain, &[], plain);
            row.push(" ends here", dim);
        } else {
            let mark = *before..before.saturating_add(1);
            row.source(
                bytes,
                0..bytes.len(),
                Spelling::Plain,
                plain,
                &[mark],
                theme.style(role).add_modifier(Modifier::REVERSED),
            );
        }
        lines.push(row.line());
    }
    lines
}
/// How many vectors disagree, as a sentence has it.
fn disagreeing(n: usize) -> String {
    if n == 1 { "1 disagrees".to_owned() } else { format!("{} disagree", count(n as u64)) }
}
