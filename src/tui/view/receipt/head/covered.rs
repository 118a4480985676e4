//! What the hash covers and what it does not: two boxes, or two short lists where there is no room for them.

use ratatui::style::Style;

use super::{Ranked, SIDE_BY_SIDE};
use crate::aer1::report::{BytesState, Kind, Labels};
use crate::output::sentence;
use crate::text;
use crate::tui::detail::cells::{Row, wrap};
use crate::tui::theme::{Role, Theme};
use crate::tui::view::receipt::Shown;

/// A row of a box: its words, how they look, how soon it goes.
struct Item {
    label: &'static str,
    value: String,
    role: Role,
    rank: u8,
}

fn item(label: &'static str, value: impl Into<String>, role: Role, rank: u8) -> Item {
    Item { label, value: value.into(), role, rank }
}

fn inside(view: &Shown<'_>) -> Vec<Item> {
    let report = &view.open.report;
    let mut items = Vec::new();
    match (&view.open.canonical, report.bytes.length) {
        (Some(bytes), _) => {
            let what = match report.bytes.state {
                BytesState::Mismatch => "the declared hash is of other bytes than these",
                BytesState::Match => "the decoded bytes below, every one of them",
                _ => "the decoded bytes below; no usable hash is declared for them",
            };
            items.push(item(
                "",
                what,
                if report.bytes.state == BytesState::Match { Role::Covered } else { Role::Warn },
                2,
            ));
            items.push(item("length", sentence::bytes_count(bytes.len() as u64), Role::Covered, 3));
            if let Some(form) = report.canonical_form {
                items.push(item("form", sentence::canonical_form(form), Role::Covered, 4));
            }
        }
        _ if report.kind == Kind::Commitment => {
            items.push(item("", "nothing of its own: it names the digest of a timeline", Role::Warn, 2));
        }
        _ if report.structure.is_some() => {
            items.push(item("", "each entry or step: press c to see links and root", Role::Covered, 2));
        }
        _ => items.push(item("", "nothing: the record has no bytes that can be decoded", Role::Warn, 2)),
    }
    items
}

fn outside(view: &Shown<'_>) -> Vec<Item> {
    let report = &view.open.report;
    let mut items = Vec::new();
    let shown = |value: &str| text::shown_cut(value, 160).into_owned();
    if report.labels != Labels::Unbound {
        let role = match report.labels {
            Labels::Missing | Labels::Contradicted => Role::Bad,
            _ => Role::Uncovered,
        };
        items.push(item("", sentence::labels(report.labels), role, 2));
    }
    let id = report.id.as_deref().map_or_else(|| "none".to_owned(), shown);
    items.push(item("id", format!("{id} {}", report.id_state.as_str().replace('_', " ")), Role::Uncovered, 2));
    let mut tool = report.tool.as_deref().map_or_else(|| "none".to_owned(), shown);
    for (between, part) in [(" ", &report.tool_version), (" · scope ", &report.tool_scope)] {
        if let Some(part) = part {
            tool.push_str(between);
            tool.push_str(&shown(part));
        }
    }
    items.push(item("tool", tool, Role::Uncovered, 3));
    let created = report.created_at.as_deref().map_or_else(|| "none".to_owned(), shown);
    items.push(item("created", created, Role::Uncovered, 3));
    if let Some(class) = &report.provenance {
        let said = format!("{}: {}", shown(class), sentence::provenance(class));
        items.push(item("class", said, Role::Uncovered, 4));
    }
    if let Some(version) = &report.version {
        items.push(item("version", shown(version), Role::Uncovered, 3));
    }
    items
}

pub(super) fn covered(view: &Shown<'_>, columns: usize, boxes: bool, out: &mut Vec<Ranked>) {
    let (inside, outside) = (inside(view), outside(view));
    let titles = ("what the hash covers", outside_title(view));
    if !boxes {
        compact(titles.0, Role::Covered, &inside, columns, view.theme, out);
        compact(titles.1, Role::Uncovered, &outside, columns, view.theme, out);
        return;
    }
    let half = columns / 2;
    if columns >= SIDE_BY_SIDE {
        let other = columns.saturating_sub(half);
        let (left, right) = (item_rows(&inside, half, view.theme), item_rows(&outside, other, view.theme));
        let rows = left.len().max(right.len());
        let left = boxed(titles.0, left, rows, half, Role::Covered, view.theme);
        let right = boxed(titles.1, right, rows, other, Role::Uncovered, view.theme);
        for (mut left, right) in left.into_iter().zip(right) {
            left.line.spans.extend(right.line.spans);
            out.push(Ranked { rank: left.rank.min(right.rank), line: left.line });
        }
        return;
    }
    for (title, role, items) in [(titles.0, Role::Covered, inside), (titles.1, Role::Uncovered, outside)] {
        let items = item_rows(&items, columns, view.theme);
        let rows = items.len();
        out.extend(boxed(title, items, rows, columns, role, view.theme));
    }
}

fn outside_title(view: &Shown<'_>) -> &'static str {
    match view.open.report.labels {
        Labels::Claimed => "what it does not: labels, claimed to be covered",
        Labels::Bound => "labels, covered by the hash",
        Labels::Missing => "what it does not: labels without their hash",
        Labels::Contradicted => "what it does not: labels the bytes contradict",
        Labels::Unbound => "what it does not: labels",
    }
}

/// Without boxes: a title, and the short statements beside each other as far as they fit.
fn compact(title: &str, role: Role, items: &[Item], columns: usize, theme: &Theme, out: &mut Vec<Ranked>) {
    let mut row = Row::new(columns);
    row.push(title, theme.style(role).patch(theme.style(Role::Title)));
    out.push(Ranked { rank: 2, line: row.line() });
    let width = |item: &Item| item.label.len().saturating_add(1).saturating_add(text::width(&item.value));
    let mut at = 0usize;
    while let Some(first) = items.get(at) {
        let mut used = width(first).saturating_add(2);
        let mut row = Row::new(columns);
        row.push("  ", Style::new());
        compact_item(first, &mut row, theme);
        at = at.saturating_add(1);
        // The words of another rank go on a line of their own, to be left out by themselves.
        while let Some(next) = items.get(at)
            && next.rank == first.rank
            && !next.label.is_empty()
            && used.saturating_add(width(next)).saturating_add(3) <= columns
        {
            row.push(" · ", theme.style(Role::Dim));
            compact_item(next, &mut row, theme);
            used = used.saturating_add(width(next)).saturating_add(3);
            at = at.saturating_add(1);
        }
        out.push(Ranked { rank: first.rank, line: row.line() });
    }
}

fn compact_item(item: &Item, row: &mut Row, theme: &Theme) {
    if !item.label.is_empty() {
        row.push(item.label, theme.style(Role::Dim)).push(" ", Style::new());
    }
    row.push(&item.value, theme.style(item.role));
}

/// The statements of a box as wrapped rows, at most three each.
fn item_rows(items: &[Item], columns: usize, theme: &Theme) -> Vec<Ranked> {
    const WIDTH: usize = 8;
    let inner = columns.saturating_sub(4);
    let mut out = Vec::new();
    for item in items {
        let label = if item.label.is_empty() { 0 } else { WIDTH };
        let parts = wrap(&item.value, inner.saturating_sub(label).max(1));
        let more = parts.len() > 3;
        for (n, part) in parts.into_iter().take(3).enumerate() {
            let mut row = Row::new(inner);
            if label > 0 {
                row.push(&format!("{:<WIDTH$}", if n == 0 { item.label } else { "" }), theme.style(Role::Dim));
            }
            let cut = if n == 2 && more { "…" } else { "" };
            row.push(&format!("{part}{cut}"), theme.style(item.role));
            out.push(Ranked { rank: item.rank, line: row.line() });
        }
    }
    out
}

fn boxed(title: &str, items: Vec<Ranked>, rows: usize, columns: usize, role: Role, theme: &Theme) -> Vec<Ranked> {
    let set = theme.border(false);
    let style = theme.style(role);
    let edge = theme.style(Role::Border);
    let mut top = Row::new(columns);
    top.push(set.top_left, edge).push(" ", edge).push(title, style).push(" ", edge);
    let dashes = top.room().saturating_sub(1);
    top.push(&set.horizontal_top.repeat(dashes), edge).push(set.top_right, edge);
    let mut out = vec![Ranked { rank: 2, line: top.line() }];
    let mut items = items.into_iter();
    for _ in 0..rows {
        let mut row = Row::new(columns);
        row.push(set.vertical_left, edge).push(" ", edge);
        let mut rank = 9;
        if let Some(item) = items.next() {
            rank = item.rank;
            for span in &item.line.spans {
                row.push(&span.content, span.style);
            }
        }
        row.pad_to_last(1).push(set.vertical_right, edge);
        out.push(Ranked { rank, line: row.line() });
    }
    let mut bottom = Row::new(columns);
    bottom.push(set.bottom_left, edge).push(&set.horizontal_bottom.repeat(columns.saturating_sub(2)), edge);
    bottom.push(set.bottom_right, edge);
    out.push(Ranked { rank: 2, line: bottom.line() });
    out
}
