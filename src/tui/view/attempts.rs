//! A retry chain as a time line: every attempt, in order, on one scale.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::Line;

use super::receipt::bordered;
use crate::aer1::grammar::Moment;
use crate::output::sentence::duration;
use crate::store::{Attempt, Chain, RowState};
use crate::tui::detail::cells::Row;
use crate::tui::theme::{Role, Theme};

/// Draws the chain with the attempt `selected` (from 0) highlighted.
pub fn draw(area: Rect, buf: &mut Buffer, chain: &Chain, selected: usize, theme: &Theme, focused: bool) {
    let area = area.intersection(buf.area);
    let title = format!("attempts {}/{}", selected.saturating_add(1).min(chain.attempts.len()), chain.attempts.len());
    let inner = bordered(area, buf, &title, theme, focused);
    let columns = usize::from(inner.width);
    if inner.is_empty() {
        return;
    }
    let mut lines = Vec::new();
    let rows = usize::from(inner.height);
    if rows >= 5 {
        lines.extend(link_lines(chain, columns, theme));
        lines.push(outcome_line(chain, columns, theme));
    }
    let room = rows.saturating_sub(lines.len());
    let most = per_attempt(columns);
    let fits = |per: &usize| chain.attempts.len().saturating_mul(*per) <= room;
    let per = (1..=most).rev().find(fits).unwrap_or(1);
    for shown in window(chain, selected, room / per.max(1)) {
        match shown {
            Shown::Attempt(n) => lines.extend(attempt_lines(chain, n, n == selected, columns, per, theme)),
            Shown::Gap(count) => {
                let mut row = Row::new(columns);
                row.push(&format!("   {} {count} not shown", theme.glyph("⋮", ":")), theme.style(Role::Dim));
                lines.push(row.line());
            }
        }
    }
    for (n, line) in lines.iter().take(rows).enumerate() {
        let y = inner.y.saturating_add(u16::try_from(n).unwrap_or(u16::MAX));
        if y < inner.bottom() {
            buf.set_line(inner.x, y, line, inner.width);
        }
    }
}

/// Rows that one attempt takes when there is room: everything beside each other, or below.
const fn per_attempt(columns: usize) -> usize {
    match columns {
        130.. => 1,
        70.. => 2,
        _ => 4,
    }
}

/// A row of the list: an attempt, or how many are left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shown {
    Attempt(usize),
    Gap(usize),
}

/// Which attempts are shown in `room` rows. The first one, the first failing one and the selected one always are, as far
/// as there are rows: a later success never hides them.
fn window(chain: &Chain, selected: usize, room: usize) -> Vec<Shown> {
    let count = chain.attempts.len();
    if count <= room {
        return (0..count).map(Shown::Attempt).collect();
    }
    let selected = selected.min(count.saturating_sub(1));
    let failing = chain.attempts.iter().position(|attempt| attempt.headline.is_failing());
    let mut keep = vec![failing.unwrap_or(0), selected, 0, count.saturating_sub(1)];
    let mut chosen: Vec<usize> = Vec::new();
    // Neighbours of the selected one fill up what room is left.
    for step in 1..=count {
        keep.push(selected.saturating_add(step).min(count.saturating_sub(1)));
        keep.push(selected.saturating_sub(step));
        if keep.len() > room.saturating_mul(3).saturating_add(8) {
            break;
        }
    }
    let lines = |chosen: &[usize]| {
        let mut sorted = chosen.to_vec();
        sorted.sort_unstable();
        let mut out = Vec::new();
        let mut next = 0usize;
        for n in sorted {
            if n > next {
                out.push(Shown::Gap(n.saturating_sub(next)));
            }
            out.push(Shown::Attempt(n));
            next = n.saturating_add(1);
        }
        if next < count {
            out.push(Shown::Gap(count.saturating_sub(next)));
        }
        out
    };
    for n in keep {
        if chosen.contains(&n) {
            continue;
        }
        chosen.push(n);
        // The failing and the selected one stay even where only they fit.
        if lines(&chosen).len() > room && chosen.len() > 2 {
            chosen.pop();
        }
    }
    let mut out = lines(&chosen);
    while out.len() > room
        && let Some(gap) = out.iter().rposition(|shown| matches!(shown, Shown::Gap(_)))
    {
        out.remove(gap);
    }
    if out.len() > room {
        out = vec![Shown::Attempt(selected); room.min(1)];
    }
    out
}

fn link_lines(chain: &Chain, columns: usize, theme: &Theme) -> Vec<Line<'static>> {
    let mut row = Row::new(columns);
    let mut lines = Vec::new();
    match (&chain.field, &chain.value) {
        (Some(field), Some(value)) => {
            row.push("linked by ", theme.style(Role::Dim)).foreign(field, theme.style(Role::Text));
            row.push(" ", Style::new());
            // The words about the link are worth more than the end of a long value.
            let said = if chain.bound { "  bound" } else { "  a label, not covered by the hash" };
            let beside = columns >= 70;
            let room = if beside { row.room().saturating_sub(said.len()).max(8) } else { row.room() };
            let value = crate::text::shown_cut(value, 200);
            row.push(&crate::text::fit_middle(&value, room), theme.style(Role::Strong));
            if !beside {
                lines.push(std::mem::replace(&mut row, Row::new(columns)).line());
            }
            row.push(said, theme.style(if chain.bound { Role::Text } else { Role::Uncovered }));
        }
        _ => {
            row.push("linked by retry_of or supersedes: labels, not covered by the hash", theme.style(Role::Dim));
        }
    }
    lines.push(row.line());
    lines
}

fn outcome_line(chain: &Chain, columns: usize, theme: &Theme) -> Line<'static> {
    let mut row = Row::new(columns);
    if let Some(last) = chain.outcome() {
        row.push("outcome ", theme.style(Role::Dim));
        if last.status.is_empty() {
            row.push("no status", theme.style(Role::Dim));
        } else {
            row.push(&crate::text::shown_cut(&last.status, 24), theme.style(Role::Strong));
        }
        row.push(", ", theme.style(Role::Dim));
        verdict(last, theme, &mut row);
    }
    if let Some(span) = chain.span {
        let count = if columns >= 70 { format!("{} attempts ", chain.attempts.len()) } else { String::new() };
        row.push(&format!("  {count}in {}", duration(span)), theme.style(Role::Dim));
    }
    row.line()
}

fn verdict(attempt: &Attempt, theme: &Theme, row: &mut Row) {
    match attempt.state {
        RowState::Writing => {
            let (glyph, word, style) = theme.writing();
            row.push(&format!("{glyph} {word}"), style);
        }
        RowState::Removed => {
            row.push(theme.glyph("∅ removed", "0 removed"), theme.style(Role::Dim));
        }
        RowState::Known => {
            let (glyph, word, style) = theme.verdict(attempt.headline);
            row.push(&format!("{glyph} {word}"), style);
        }
    }
}

/// Pads what was pushed by `fill` to `columns` columns.
fn column(row: &mut Row, columns: usize, fill: impl FnOnce(&mut Row)) {
    let before = row.room();
    let mut cell = Row::new(columns.min(before));
    fill(&mut cell);
    let used = columns.saturating_sub(cell.room()).min(before);
    for span in cell.line().spans {
        row.push(&span.content, span.style);
    }
    row.push(&" ".repeat(columns.saturating_sub(used)), Style::new());
}

fn attempt_lines(
    chain: &Chain,
    n: usize,
    selected: bool,
    columns: usize,
    per: usize,
    theme: &Theme,
) -> Vec<Line<'static>> {
    let Some(attempt) = chain.attempts.get(n) else { return Vec::new() };
    let count = chain.attempts.len();
    let digits = count.to_string().len();
    let mut row = Row::new(columns);
    let mark = if selected { ">" } else { " " };
    row.push(mark, theme.style(Role::Strong));
    row.push(&format!("{:>digits$}/{count} ", attempt.n), theme.style(Role::Strong));
    column(&mut row, 14, |row| verdict(attempt, theme, row));
    let earlier = n.checked_sub(1).and_then(|n| chain.attempts.get(n)).and_then(|attempt| attempt.created);
    let first_of_day = match (attempt.created, earlier) {
        (Some(own), Some(earlier)) => own.secs.div_euclid(86_400) != earlier.secs.div_euclid(86_400),
        _ => true,
    };
    let time = attempt.created.map_or_else(|| "no time".to_owned(), |at| clock(at, first_of_day && columns >= 70));
    column(&mut row, if columns >= 70 { 24 } else { 13 }, |row| {
        row.push(&time, theme.style(Role::Text));
    });
    let delay = attempt.delay.map_or_else(String::new, |delay| format!("+{}", duration(delay)));
    column(&mut row, 11, |row| {
        row.push(&delay.replace("+-", "-"), theme.style(Role::Dim));
    });
    let mut lines = Vec::new();
    if columns >= 130 {
        column(&mut row, 24, |row| status(attempt, theme, row));
        column(&mut row, 24, |row| {
            row.foreign(&attempt.provenance, theme.style(Role::Text));
        });
        let room = row.room().saturating_sub(34).min(60);
        column(&mut row, room, |row| bar(chain, n, room.saturating_sub(2), theme, row));
        marks(attempt, theme, &mut row);
        lines.push(row.line());
    } else if columns >= 70 {
        let room = row.room();
        bar(chain, n, room.saturating_sub(1), theme, &mut row);
        lines.push(row.line());
    } else {
        if per == 1 {
            status(attempt, theme, &mut row);
        }
        lines.push(row.line());
        let mut second = Row::new(columns);
        second.push("     ", Style::new());
        let room = second.room();
        bar(chain, n, room.saturating_sub(1), theme, &mut second);
        lines.push(second.line());
    }
    if columns < 130 {
        let mut row = Row::new(columns);
        row.push("     ", Style::new());
        status(attempt, theme, &mut row);
        row.push("  ", Style::new()).foreign(&attempt.provenance, theme.style(Role::Text)).push("  ", Style::new());
        if per == 4 {
            lines.push(row.line());
            row = Row::new(columns);
            row.push("     ", Style::new());
        }
        marks(attempt, theme, &mut row);
        lines.push(row.line());
    }
    lines.truncate(per);
    if selected {
        for line in &mut lines {
            let used: usize = line.spans.iter().map(|span| crate::text::width(&span.content)).sum();
            line.push_span(" ".repeat(columns.saturating_sub(used)));
            *line = std::mem::take(line).patch_style(theme.style(Role::Selected));
        }
    }
    lines
}

fn status(attempt: &Attempt, theme: &Theme, row: &mut Row) {
    if attempt.status.is_empty() {
        row.push("no status", theme.style(Role::Dim));
    } else {
        row.foreign(&attempt.status, theme.style(Role::Strong));
    }
}

/// What an attempt has in common with earlier ones.
fn marks(attempt: &Attempt, theme: &Theme, row: &mut Row) {
    let mut parts = Vec::new();
    if let Some(n) = attempt.same_bytes {
        parts.push(format!("same bytes as {n}"));
    }
    if let Some(n) = attempt.same_inputs {
        parts.push(format!("same inputs as {n}"));
    }
    if !attempt.points_to.is_empty() {
        parts.push("names an earlier one".to_owned());
    }
    if !attempt.copies.is_empty() {
        parts.push(format!("{} cop{}", attempt.copies.len(), if attempt.copies.len() == 1 { "y" } else { "ies" }));
    }
    row.push(&parts.join(", "), theme.style(Role::Mark));
}

/// The attempt's bar: from its own time to that of the next attempt, on the scale of the whole chain.
fn bar(chain: &Chain, n: usize, columns: usize, theme: &Theme, row: &mut Row) {
    let times: Vec<Moment> = chain.attempts.iter().filter_map(|attempt| attempt.created).collect();
    let own = chain.attempts.get(n).and_then(|attempt| attempt.created);
    let (Some(first), Some(last), Some(own)) = (times.iter().min(), times.iter().max(), own) else { return };
    let Some(steps) = columns.checked_sub(1) else { return };
    let place = |at: Moment| -> usize {
        let span = last.nanos_since(*first);
        if span <= 0 {
            return 0;
        }
        // As a share of the span; exact enough for columns, and without a product that could overflow.
        let share = at.nanos_since(*first) as f64 / span as f64;
        ((share * steps as f64).round().max(0.0) as usize).min(steps)
    };
    let start = place(own);
    let next = n.checked_add(1).and_then(|n| chain.attempts.get(n)).and_then(|attempt| attempt.created);
    let end = next.map_or(start, place).max(start);
    let style = chain.attempts.get(n).map_or(Style::new(), |attempt| theme.verdict(attempt.headline).2);
    row.push(&" ".repeat(start), Style::new()).push(theme.glyph("●", "*"), style);
    let length = end.saturating_sub(start).saturating_sub(1);
    row.push(&theme.glyph("─", "-").repeat(length), theme.style(Role::Dim));
    row.push(&" ".repeat(columns.saturating_sub(start).saturating_sub(length).saturating_sub(1)), Style::new());
}

/// A moment as it stands in the list, in UTC.
pub(super) fn clock(at: Moment, date: bool) -> String {
    let (year, month, day, hour, minute, second) = at.civil();
    let time = format!("{hour:02}:{minute:02}:{second:02}.{:03}", at.nanos / 1_000_000);
    if date { format!("{year:04}-{month:02}-{day:02} {time}") } else { time }
}

#[cfg(test)]
mod tests;
