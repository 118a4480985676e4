//! A hash-chained timeline or a workflow: its entries or steps with their links, and the root over them.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::Line;

use super::receipt::{bordered, say};
use crate::aer1::report::{Headline, Kind, Part, Report, Structure};
use crate::output::sentence;
use crate::text;
use crate::tui::detail::cells::{Row, wrap};
use crate::tui::theme::{Role, Theme};

/// What the folder knows about the receipt a step names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Presence {
    /// It was not looked for.
    #[default]
    Unknown,
    /// Not in the folder.
    Missing,
    /// In the folder, with this headline, and it agrees with the step.
    Present(Headline),
    /// In the folder, and its output hash or tool is another.
    Differs,
}

/// Draws the entries or steps of a report, `selected` highlighted; `presence` has one value a step, or is empty.
pub fn draw(
    area: Rect,
    buf: &mut Buffer,
    report: &Report,
    presence: &[Presence],
    selected: usize,
    theme: &Theme,
    focused: bool,
) {
    let area = area.intersection(buf.area);
    let workflow = report.kind == Kind::Workflow || !presence.is_empty();
    let title = if workflow { "workflow" } else { "timeline" };
    let inner = bordered(area, buf, title, theme, focused);
    if inner.is_empty() {
        return;
    }
    let Some(structure) = &report.structure else {
        let said = "this record is neither a timeline nor a workflow";
        return say(inner, buf, theme, theme.style(Role::Dim), said, "");
    };
    let (columns, rows) = (usize::from(inner.width), usize::from(inner.height));
    let mut lines = head(report, structure, presence, columns, workflow, theme);
    lines.truncate(if rows > 3 { rows.saturating_sub(3).min(rows.saturating_mul(2) / 3).max(1) } else { 1 });
    let room = rows.saturating_sub(lines.len());
    let per = if columns >= 110 { 1 } else { 2 };
    let shown = (room / per).max(1);
    let selected = selected.min(structure.parts.len().saturating_sub(1));
    let top = selected.saturating_sub(shown / 2).min(structure.parts.len().saturating_sub(shown));
    for (n, part) in structure.parts.iter().enumerate().skip(top).take(shown) {
        let mut block = part_lines(part, n, workflow, presence.get(n).copied(), columns, theme);
        if n == selected {
            for line in &mut block {
                *line = std::mem::take(line).patch_style(theme.style(Role::Selected));
            }
        }
        lines.extend(block);
    }
    for (n, line) in lines.iter().take(rows).enumerate() {
        let y = inner.y.saturating_add(u16::try_from(n).unwrap_or(u16::MAX));
        if y < inner.bottom() {
            buf.set_line(inner.x, y, line, inner.width);
        }
    }
}

fn head(
    report: &Report,
    structure: &Structure,
    presence: &[Presence],
    columns: usize,
    workflow: bool,
    theme: &Theme,
) -> Vec<Line<'static>> {
    let mut lines = Vec::new();
    let mut row = Row::new(columns);
    let (glyph, word, style) = theme.verdict(report.headline);
    row.push(&format!("{glyph} {word}"), style);
    if let Some(class) = report.class {
        row.push(" · ", theme.style(Role::Dim)).push(class.as_str(), style);
    }
    lines.push(row.line());
    for part in wrap(&sentence::why(report), columns.saturating_sub(2)).into_iter().take(3) {
        lines.push(Line::styled(format!("  {part}"), theme.style(Role::Text)));
    }
    let labelled = |label: &str, value: &str, role: Role| {
        let mut row = Row::new(columns);
        row.push(&format!("{label:<11}"), theme.style(Role::Dim));
        let shown = text::shown_cut(value, 160);
        let room = row.room();
        row.push(&text::fit_middle(&shown, room), theme.style(role));
        row.line()
    };
    if let Some(group) = &structure.group {
        lines.push(labelled(if workflow { "workflow" } else { "job" }, group, Role::Text));
    }
    let differ = matches!((&structure.declared_root, &structure.recomputed_root), (Some(a), Some(b)) if a != b);
    if let Some(declared) = &structure.declared_root {
        lines.push(labelled("declared", declared, Role::Text));
    }
    if let Some(recomputed) = &structure.recomputed_root {
        let role = if differ { Role::Worst } else { Role::Text };
        lines.push(labelled(if workflow { "recomputed" } else { "last entry" }, recomputed, role));
    }
    let mut row = Row::new(columns);
    let (one, many) = if workflow { ("step", "steps") } else { ("entry", "entries") };
    let count = structure.parts.len();
    row.push(&format!("{count} {}", if count == 1 { one } else { many }), theme.style(Role::Strong));
    if let Some(stated) = structure.count.filter(|stated| *stated != count as u64) {
        row.push(&format!(", {stated} stated"), theme.style(Role::Worst));
    }
    let broken = structure.parts.iter().filter(|part| !part.holds).count();
    if broken > 0 {
        row.push(
            &format!(", {broken} {}", if workflow { "unusable" } else { "without a holding link" }),
            theme.style(Role::Bad),
        );
    }
    if !presence.is_empty() {
        let there = presence.iter().filter(|p| matches!(p, Presence::Present(_) | Presence::Differs)).count();
        row.push(&format!(", receipts of {there} of {count} present"), theme.style(Role::Dim));
    }
    lines.push(row.line());
    for note in report.notes.iter().take(3) {
        let mut row = Row::new(columns);
        row.push(&sentence::note(note), theme.style(Role::Note));
        lines.push(row.line());
    }
    lines
}

fn part_lines(
    part: &Part,
    n: usize,
    workflow: bool,
    presence: Option<Presence>,
    columns: usize,
    theme: &Theme,
) -> Vec<Line<'static>> {
    let mut row = Row::new(columns);
    let seq = if part.seq.is_empty() {
        format!("({})", n.saturating_add(1))
    } else {
        text::shown_cut(&part.seq, 8).into_owned()
    };
    row.push(&format!("{seq:>4} "), theme.style(Role::Strong));
    let (glyph, said, role) = match (part.holds, workflow) {
        (true, false) => (theme.glyph("│", "|"), "link holds", Role::Text),
        (false, false) => (theme.glyph("✗", "x"), "link broken", Role::Worst),
        (true, true) => (theme.glyph("│", "|"), "leaf", Role::Text),
        (false, true) => (theme.glyph("✗", "x"), "no leaf", Role::Worst),
    };
    row.push(&format!("{glyph} {said:<12}"), theme.style(role));
    if workflow {
        let (said, style) = match presence.unwrap_or_default() {
            Presence::Unknown => (String::new(), Style::new()),
            Presence::Missing => ("not in the folder".to_owned(), theme.style(Role::Dim)),
            Presence::Differs => ("present, differs".to_owned(), theme.style(Role::Worst)),
            Presence::Present(headline) => {
                let (glyph, word, style) = theme.verdict(headline);
                (format!("{glyph} {word}"), style)
            }
        };
        row.push(&format!("{said:<18}"), style);
    }
    let tool = part.tool.as_deref().unwrap_or("no tool");
    row.push(&format!("{:<20} ", text::fit(&text::shown_cut(tool, 60), 20)), theme.style(Role::Text));
    if let Some(status) = &part.status {
        row.push(&text::shown_cut(status, 30), theme.style(Role::Dim)).push(" ", Style::new());
    }
    if let Some(time) = &part.time {
        row.push(&text::shown_cut(time, 36), theme.style(Role::Dim)).push(" ", Style::new());
    }
    let mut lines = Vec::new();
    let mut second = Row::new(columns);
    let target = if columns >= 110 {
        &mut row
    } else {
        second.push("     ", Style::new());
        &mut second
    };
    if let Some(class) = &part.provenance {
        target.push(&text::shown_cut(class, 40), theme.style(Role::Text)).push("  ", Style::new());
    }
    target.push(&text::shown_cut(&part.id, 80), theme.style(Role::Uncovered));
    let digest = if workflow { &part.output_hash } else { &part.digest };
    if let Some(digest) = digest {
        target.push("  ", Style::new());
        let room = target.room();
        target.push(&text::fit_middle(&text::shown_cut(digest, 160), room.min(64)), theme.style(Role::Dim));
    }
    lines.push(row.line());
    if columns < 110 {
        lines.push(second.line());
    }
    lines
}

#[cfg(test)]
mod tests;
