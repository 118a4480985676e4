//! A row of the tree as a line of the screen.

use std::ops::Range;

use ratatui::style::Style;
use ratatui::text::Line;

use super::{Folds, Tree, TreePos, What};
use crate::aer1::json::NodeKind;
use crate::tui::detail::cells::{self, Row, Spelling};
use crate::tui::detail::lines;
use crate::tui::theme::{Role, Theme};

impl Tree {
    /// Draws one screen line.
    pub fn line(
        &self,
        text: &[u8],
        pos: TreePos,
        folds: &Folds,
        columns: usize,
        marked: &[Range<usize>],
        theme: &Theme,
    ) -> Line<'static> {
        let mut out = Row::new(columns);
        let Some((row, node)) = self.row(pos.row) else { return out.line() };
        let style = |role| theme.style(role);
        let found = style(Role::Match);
        out.push(&" ".repeat(self.indent(pos.row, columns)), style(Role::Text));
        let range = Self::range(node);
        if let (Some(at), Some(inner)) = (pos.at, self.expanded(pos.row, folds)) {
            out.push("  ", style(Role::Text));
            let part = lines::row_at(text, &inner, at, self.inner(pos.row, columns), Spelling::Token);
            out.source(text, part, Spelling::Token, style(Role::JsonString), marked, found);
            return out.line();
        }
        let comma = if row.last { "" } else { "," };
        if row.what == What::Close {
            let bracket = if node.kind == NodeKind::Object { "}" } else { "]" };
            out.push(bracket, style(Role::JsonPunct)).push(comma, style(Role::JsonPunct));
            return out.line();
        }
        if let Some(key) = self.key(row.node) {
            let key = Self::range(key);
            let end = out.source(text, key.clone(), Spelling::Token, style(Role::JsonKey), marked, found);
            if end < key.end {
                return cut(out, theme);
            }
            out.push(": ", style(Role::JsonPunct));
        }
        match (row.what, node.kind) {
            (What::Open, kind) => {
                let count = self.children(row.node);
                let (open, close, unit) =
                    if kind == NodeKind::Object { ("{", "}", "members") } else { ("[", "]", "elements") };
                out.push(open, style(Role::JsonPunct));
                if folds.is_folded(pos.row) {
                    let unit = if count == 1 { unit.trim_end_matches('s') } else { unit };
                    out.push(theme.glyph("…", ".."), style(Role::Dim)).push(close, style(Role::JsonPunct));
                    out.push(comma, style(Role::JsonPunct)).push(&format!("  {count} {unit}"), style(Role::Dim));
                }
            }
            (_, NodeKind::Object) => {
                out.push("{}", style(Role::JsonPunct)).push(comma, style(Role::JsonPunct));
            }
            (_, NodeKind::Array) => {
                out.push("[]", style(Role::JsonPunct)).push(comma, style(Role::JsonPunct));
            }
            (_, NodeKind::String) if folds.is_expanded(pos.row) => {
                let bytes = range.len().saturating_sub(2);
                out.push(&format!("string of {bytes} bytes, shown whole:"), style(Role::Dim));
            }
            (_, kind) => {
                let role = match kind {
                    NodeKind::String => Role::JsonString,
                    NodeKind::Number => Role::JsonNumber,
                    NodeKind::Key => Role::JsonKey,
                    _ => Role::JsonWord,
                };
                scalar(&mut out, text, &range, style(role), marked, theme);
                out.push(comma, style(Role::JsonPunct));
            }
        }
        out.line()
    }

    /// Members of an object, elements of an array.
    fn children(&self, node: u32) -> usize {
        let Some(this) = self.nodes.get(node as usize) else { return 0 };
        let mut at = (node as usize).saturating_add(1);
        let mut count = 0usize;
        // Only a folded container is counted, and only while it is on the screen; a very large one is counted roughly.
        while at < this.next as usize && count < 1_000_000 {
            let Some(child) = self.nodes.get(at) else { break };
            if child.kind != NodeKind::Key {
                count = count.saturating_add(1);
            }
            let key = child.kind == NodeKind::Key;
            at = if key { at.saturating_add(1) } else { (child.next as usize).max(at.saturating_add(1)) };
        }
        count
    }
}

/// A string, number or word; what does not fit is counted.
fn scalar(out: &mut Row, text: &[u8], range: &Range<usize>, style: Style, marked: &[Range<usize>], theme: &Theme) {
    let found = theme.style(Role::Match);
    let whole = cells::take(text, range.start, range.end, out.room(), Spelling::Token);
    if whole.end >= range.end {
        out.source(text, range.clone(), Spelling::Token, style, marked, found);
        return;
    }
    let count = format!("… +{} bytes", range.len());
    let room = out.room().saturating_sub(count.len().saturating_sub(2));
    let part = cells::take(text, range.start, range.end, room, Spelling::Token);
    out.source(text, range.start..part.end, Spelling::Token, style, marked, found);
    let left = range.end.saturating_sub(part.end);
    out.push(&format!("{} +{left} bytes", theme.glyph("…", "..")), theme.style(Role::Dim));
}

fn cut(mut out: Row, theme: &Theme) -> Line<'static> {
    out.push(theme.glyph("…", "~"), theme.style(Role::Dim));
    out.line()
}
