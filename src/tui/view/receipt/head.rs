//! The head of the receipt view: headline, reason, hashes, what is covered and what is not, claims and notes.

mod covered;

use ratatui::style::Style;
use ratatui::text::Line;

use covered::covered;

use super::{Shown, at};
use crate::aer1::grammar;
use crate::aer1::report::{BytesState, Headline, Kind, hex};
use crate::output::sentence;
use crate::text;
use crate::tui::detail::cells::{Row, wrap};
use crate::tui::detail::checks;
use crate::tui::theme::Role;

/// Columns of the labels in front of the hashes.
const LABEL: usize = 11;
/// Columns of the labels in front of notes and the file.
const NOTE: usize = 8;
/// Notes that are shown here; the checks tab has all.
const MOST_NOTES: usize = 6;
/// From here on the two boxes stand side by side.
const SIDE_BY_SIDE: usize = 96;

/// A line and how soon it is left out: the highest rank goes first.
struct Ranked {
    rank: u8,
    line: Line<'static>,
}

/// The head in at most `most` rows (one at least).
pub(super) fn lines(view: &Shown<'_>, columns: usize, most: usize) -> Vec<Line<'static>> {
    let most = most.max(1);
    let full = build(view, columns, true);
    let mut ranked = if full.len() <= most { full } else { build(view, columns, false) };
    let all = ranked.len();
    let mut rank = 9u8;
    // One row is needed to say that something is left out.
    let room = if all > most { most.saturating_sub(1).max(1) } else { most };
    while ranked.len() > room && rank > 0 {
        // From the end of the highest rank, so that what is left stays in order.
        while ranked.len() > room {
            match ranked.iter().rposition(|line| line.rank == rank) {
                Some(last) => {
                    ranked.remove(last);
                }
                None => break,
            }
        }
        if ranked.len() <= room {
            break;
        }
        rank -= 1;
    }
    let left_out = all.saturating_sub(ranked.len());
    let mut out: Vec<Line<'static>> = ranked.into_iter().map(|line| line.line).collect();
    if left_out > 0 && out.len() < most {
        let mut row = Row::new(columns);
        let said = format!("{left_out} more line{}: [5] checks", if left_out == 1 { "" } else { "s" });
        row.push(view.theme.glyph("… ", ".. "), view.theme.style(Role::Dim)).push(&said, view.theme.style(Role::Dim));
        out.push(row.line());
    }
    out
}

fn build(view: &Shown<'_>, columns: usize, boxes: bool) -> Vec<Ranked> {
    let mut out = Vec::new();
    title(view, columns, &mut out);
    reason(view, columns, &mut out);
    hashes(view, columns, &mut out);
    covered(view, columns, boxes, &mut out);
    claims(view, columns, &mut out);
    links(view, columns, &mut out);
    notes(view, columns, &mut out);
    out
}

fn title(view: &Shown<'_>, columns: usize, out: &mut Vec<Ranked>) {
    let theme = view.theme;
    let (glyph, word, style) = theme.verdict(view.headline);
    let mut row = Row::new(columns);
    row.push(glyph, style).push(" ", style).push(word, style);
    if let Some(class) = view.open.report.class {
        row.push(" · ", theme.style(Role::Dim)).push(class.as_str(), style);
    }
    let class = view.open.report.provenance.as_deref();
    let mut below = None;
    if let Some(class) = class {
        let shown = text::shown_cut(class, 60);
        let width = text::width(&shown);
        if row.room() > width.saturating_add(2) {
            row.pad_to_last(width).push(&shown, theme.style(Role::Strong));
        } else {
            let mut second = Row::new(columns);
            second.push("  ", Style::new()).push(&shown, theme.style(Role::Strong));
            below = Some(second.line());
        }
    }
    out.push(Ranked { rank: 0, line: row.line() });
    if let Some(line) = below {
        out.push(Ranked { rank: 1, line });
    }
    let Some(listed) = view.row else { return };
    let same = listed.headline == view.headline && (listed.class == view.open.report.class || listed.unread);
    if !same && !listed.unread && view.open.report.kind != Kind::Workflow {
        let (_, word, _) = theme.verdict(listed.headline);
        let mut row = Row::new(columns);
        let said = format!("  the list says {word}: it was read at another moment than these bytes");
        row.push(&said, theme.style(Role::Warn));
        out.push(Ranked { rank: 0, line: row.line() });
    }
}

fn paragraph(shown: &str, columns: usize, style: Style, ranks: (u8, u8), most: usize, out: &mut Vec<Ranked>) {
    let rows = wrap(shown, columns.saturating_sub(2).max(1));
    let count = rows.len();
    for (n, part) in rows.into_iter().take(most).enumerate() {
        let mut row = Row::new(columns);
        row.push("  ", style).push(&part, style);
        if n.saturating_add(1) == most && count > most {
            row.push("…", style);
        }
        out.push(Ranked { rank: if n == 0 { ranks.0 } else { ranks.1 }, line: row.line() });
    }
}

fn reason(view: &Shown<'_>, columns: usize, out: &mut Vec<Ranked>) {
    let report = &view.open.report;
    let lowered = view.headline != report.headline;
    let said = if lowered {
        "a step's receipt in the folder fails; this record by itself holds".to_owned()
    } else {
        sentence::why(report)
    };
    paragraph(&said, columns, view.theme.style(Role::Text), (1, 2), 4, out);
    let others = report.classes().into_iter().filter(|class| Some(*class) != report.class);
    let others: Vec<&str> = others.map(|class| class.as_str()).collect();
    if !others.is_empty() {
        let said = format!("also: {}", others.join(", "));
        paragraph(&said, columns, view.theme.style(Role::Bad), (3, 4), 3, out);
    }
}

/// Two hash texts cut alike, and where they first differ.
pub(super) struct Aligned {
    pub(super) declared: String,
    pub(super) recomputed: String,
    /// Columns before the mark, and the hex digit it stands under.
    pub(super) mark: Option<(usize, usize)>,
}

/// Cuts both hashes to `room` columns so that the first differing digit can be seen in both.
pub(super) fn align(declared: &str, recomputed: &str, room: usize) -> Aligned {
    const PREFIX: &str = "sha256:";
    let (Some(a), Some(b)) = (declared.strip_prefix(PREFIX), recomputed.strip_prefix(PREFIX)) else {
        return Aligned { declared: declared.to_owned(), recomputed: recomputed.to_owned(), mark: None };
    };
    let first = a.bytes().zip(b.bytes()).position(|(a, b)| a != b);
    let digits = room.saturating_sub(PREFIX.len());
    if digits >= 64 {
        let mark = first.map(|n| (PREFIX.len().saturating_add(n), n));
        return Aligned { declared: declared.to_owned(), recomputed: recomputed.to_owned(), mark };
    }
    // Beginning and end of both, and the part with the difference when neither shows it.
    let end = (digits / 4).min(8);
    let head = digits.saturating_sub(end).saturating_sub(1);
    let start = match first {
        Some(n) if n >= head => n.saturating_sub(head / 2).max(1),
        _ => 0,
    };
    let cut = |hash: &str| {
        let lead = if start > 0 { "…" } else { "" };
        let from = start;
        let to = start.saturating_add(head).saturating_sub(lead.len().min(1)).min(64);
        let middle = hash.get(from..to).unwrap_or_default();
        let tail = hash.get(64usize.saturating_sub(end).max(to)..).unwrap_or_default();
        let gap = if to.saturating_add(tail.len()) < 64 { "…" } else { "" };
        format!("{PREFIX}{lead}{middle}{gap}{tail}")
    };
    let mark = first.map(|n| {
        let column = n.saturating_sub(start).saturating_add(usize::from(start > 0)).saturating_add(PREFIX.len());
        (column, n)
    });
    Aligned { declared: cut(a), recomputed: cut(b), mark }
}

fn hashes(view: &Shown<'_>, columns: usize, out: &mut Vec<Ranked>) {
    let bytes = &view.open.report.bytes;
    let theme = view.theme;
    let recomputed = bytes.recomputed.map(|hash| format!("sha256:{}", hex(&hash)));
    let room = columns.saturating_sub(LABEL);
    let rank = if bytes.state == BytesState::Match { 3 } else { 1 };
    let mut add = |label: &str, value: &str, style: Style| {
        let mut row = Row::new(columns);
        row.push(&format!("{label:<LABEL$}"), theme.style(Role::Dim)).push(value, style);
        out.push(Ranked { rank, line: row.line() });
    };
    let differ = bytes.state == BytesState::Mismatch;
    let style = theme.style(if differ { Role::Worst } else { Role::Text });
    let digest = bytes.declared.as_deref().filter(|declared| grammar::prefixed_digest(declared).is_some());
    match (digest, &recomputed) {
        (Some(declared), Some(recomputed)) => {
            let aligned = align(declared, recomputed, room);
            add("declared", &aligned.declared, theme.style(Role::Text));
            add("recomputed", &aligned.recomputed, style);
            if let Some((column, digit)) = aligned.mark {
                let mut row = Row::new(columns);
                let said = format!("first difference at hex digit {digit}");
                let before = LABEL.saturating_add(column);
                row.push(&" ".repeat(before.min(columns.saturating_sub(1))), Style::new());
                // Left of the mark when the words do not fit on its right.
                if row.room() >= said.len().saturating_add(2) {
                    row.push("^ ", style).push(&said, style);
                } else if before > said.len().saturating_add(1) {
                    row = Row::new(columns);
                    let blanks = before.saturating_sub(said.len()).saturating_sub(1);
                    row.push(&" ".repeat(blanks), Style::new()).push(&said, style).push(" ^", style);
                } else {
                    row.push("^", style);
                    out.push(Ranked { rank, line: row.line() });
                    row = Row::new(columns);
                    row.push(&said, style);
                }
                out.push(Ranked { rank, line: row.line() });
            }
        }
        (_, recomputed) => {
            match &bytes.declared {
                Some(declared) => {
                    let word = sentence::declared(&view.open.report);
                    add(word, &text::shown_cut(declared, 100), theme.style(Role::Text));
                }
                None => add("declared", "none", theme.style(Role::Dim)),
            }
            match recomputed {
                Some(recomputed) => add("recomputed", &text::fit_middle(recomputed, room), style),
                None => add("recomputed", "nothing to hash", theme.style(Role::Dim)),
            }
        }
    }
}

fn claims(view: &Shown<'_>, columns: usize, out: &mut Vec<Ranked>) {
    let theme = view.theme;
    let report = &view.open.report;
    let claims = checks::own_claims(report);
    let (main, others): (Vec<_>, Vec<_>) =
        claims.iter().partition(|(name, _)| name == "verification_status" || name == "status");
    for (group, rank, most) in [(main, 2, 2), (others, 6, MOST_NOTES)] {
        if group.is_empty() {
            continue;
        }
        let mut row = Row::new(columns);
        row.push("the record says: ", theme.style(Role::Dim));
        for (n, (name, value)) in group.iter().take(most).enumerate() {
            if n > 0 {
                row.push(" · ", theme.style(Role::Dim));
            }
            if name != "verification_status" {
                row.push(&text::shown_cut(name, 40), theme.style(Role::Dim)).push(" ", theme.style(Role::Dim));
            }
            row.push(&text::shown_cut(value, 80), theme.style(Role::Uncovered));
        }
        if group.len() > most {
            row.push(&format!(" · and {} more", group.len().saturating_sub(most)), theme.style(Role::Dim));
        }
        out.push(Ranked { rank, line: row.line() });
    }
}

fn links(view: &Shown<'_>, columns: usize, out: &mut Vec<Ranked>) {
    let theme = view.theme;
    let attempt = view.row.and_then(|row| row.attempt);
    let correlation = view.open.report.correlation.as_ref().map(sentence::correlation);
    if attempt.is_none() && correlation.is_none() {
        return;
    }
    let mut row = Row::new(columns);
    if let Some((n, of)) = attempt {
        row.push(&format!("attempt {n} of {of}"), theme.style(Role::Strong));
        row.push("  [c] chain  ", theme.style(Role::Key));
    }
    if let Some(said) = correlation {
        row.push(&said, theme.style(Role::Dim));
    }
    out.push(Ranked { rank: 3, line: row.line() });
}

fn notes(view: &Shown<'_>, columns: usize, out: &mut Vec<Ranked>) {
    let theme = view.theme;
    let folder = view.notes.iter().map(|note| (note, "folder", Role::Warn, 2));
    let own = view.open.report.notes.iter().map(|note| (note, "note", Role::Note, 5));
    let count = view.notes.len().saturating_add(view.open.report.notes.len());
    for (note, label, role, rank) in folder.chain(own).take(MOST_NOTES) {
        let mut row = Row::new(columns);
        // A path at its end is worth more than its middle.
        let said = sentence::note(note);
        let said = text::fit_middle(&said, columns.saturating_sub(NOTE));
        row.push(&format!("{label:<NOTE$}"), theme.style(Role::Dim)).push(&said, theme.style(role));
        out.push(Ranked { rank, line: row.line() });
    }
    if count > MOST_NOTES {
        let mut row = Row::new(columns);
        let said = format!("and {} more notes", count.saturating_sub(MOST_NOTES));
        row.push(&said, theme.style(Role::Dim));
        out.push(Ranked { rank: 6, line: row.line() });
    }
    if view.open.report.headline == Headline::NotReceipt {
        return;
    }
    let mut row = Row::new(columns);
    let file = at(view.open);
    let file = text::fit_middle(&file, columns.saturating_sub(NOTE));
    row.push(&format!("{:<NOTE$}", "file"), theme.style(Role::Dim)).push(&file, theme.style(Role::Dim));
    out.push(Ranked { rank: 7, line: row.line() });
}
