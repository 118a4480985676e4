//! Two records compared: members first, then the bytes, with a step from difference to difference.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;

use super::receipt::bordered;
use crate::output::sentence;
use crate::text;
use crate::tui::detail::cells::Row;
use crate::tui::detail::diff::{By, DiffModel, DiffRow, SideTitle, Tag};
use crate::tui::theme::{Role, Theme};

/// A comparison as it is shown.
#[derive(Debug)]
pub struct DiffPane {
    model: DiffModel,
    stops: Vec<usize>,
    stop: Option<usize>,
    top: usize,
    rows: usize,
}

/// What can be done in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DiffAct {
    /// Up by rows.
    Up(usize),
    /// Down by rows.
    Down(usize),
    /// To the beginning.
    Top,
    /// To the end.
    Bottom,
    /// One screen up.
    PageUp,
    /// One screen down.
    PageDown,
    /// To the next difference.
    Next,
    /// To the difference before.
    Previous,
}

impl DiffPane {
    /// A comparison, at its beginning.
    pub fn new(model: DiffModel) -> DiffPane {
        let stops = model.stops();
        DiffPane { stop: (!stops.is_empty()).then_some(0), stops, model, top: 0, rows: 24 }
    }

    /// The comparison.
    pub fn model(&self) -> &DiffModel {
        &self.model
    }

    /// Which difference of how many, from 1.
    pub fn step(&self) -> Option<(usize, usize)> {
        self.stop.map(|stop| (stop.saturating_add(1), self.stops.len()))
    }

    /// Does one action.
    pub fn act(&mut self, act: DiffAct) {
        let page = self.rows.saturating_sub(1).max(1);
        match act {
            DiffAct::Up(n) => self.top = self.top.saturating_sub(n),
            DiffAct::Down(n) => self.top = self.top.saturating_add(n),
            DiffAct::Top => self.top = 0,
            DiffAct::Bottom => self.top = usize::MAX,
            DiffAct::PageUp => self.top = self.top.saturating_sub(page),
            DiffAct::PageDown => self.top = self.top.saturating_add(page),
            DiffAct::Next | DiffAct::Previous => {
                let count = self.stops.len();
                if let Some(stop) = self.stop {
                    let next = if act == DiffAct::Next {
                        stop.saturating_add(1)
                    } else {
                        stop.saturating_add(count).saturating_sub(1)
                    };
                    let next = next % count.max(1);
                    self.stop = Some(next);
                    let row = self.stops.get(next).copied().unwrap_or(0);
                    self.top = row.saturating_sub(self.rows / 3);
                }
            }
        }
        self.clamp();
    }

    fn clamp(&mut self) {
        self.top = self.top.min(self.model.rows().saturating_sub(self.rows));
    }
}

/// Draws the comparison.
pub fn draw(area: Rect, buf: &mut Buffer, pane: &mut DiffPane, theme: &Theme, focused: bool) {
    let area = area.intersection(buf.area);
    let title = match pane.step() {
        Some((n, of)) => format!("compare · difference {n}/{of}"),
        None => "compare · no difference".to_owned(),
    };
    let inner = bordered(area, buf, &title, theme, focused);
    if inner.is_empty() {
        return;
    }
    let columns = usize::from(inner.width);
    let mut y = inner.y;
    if inner.height >= 5 {
        let sides =
            [("- earlier ", &pane.model.earlier, Role::DiffDel), ("+ later   ", &pane.model.later, Role::DiffAdd)];
        for (label, side, role) in sides {
            buf.set_line(inner.x, y, &side_line(label, side, role, columns, theme), inner.width);
            y = y.saturating_add(1);
        }
    }
    pane.rows = usize::from(inner.bottom().saturating_sub(y));
    pane.clamp();
    let current = pane.stop.and_then(|stop| pane.stops.get(stop)).copied();
    for n in 0..pane.rows {
        let row = pane.top.saturating_add(n);
        let Some(mut line) = row_line(&pane.model, row, columns, theme) else { break };
        if Some(row) == current && focused {
            line = line.patch_style(theme.style(Role::Selected));
        }
        let y = y.saturating_add(u16::try_from(n).unwrap_or(u16::MAX));
        if y < inner.bottom() {
            buf.set_line(inner.x, y, &line, inner.width);
        }
    }
}

fn side_line(label: &str, side: &SideTitle, role: Role, columns: usize, theme: &Theme) -> Line<'static> {
    let mut row = Row::new(columns);
    let (glyph, word, style) = theme.verdict(side.headline);
    row.push(label, theme.style(role)).push(&format!("{glyph} {word}  "), style);
    if let Some(length) = side.length {
        row.push(&format!("{}  ", sentence::bytes_count(length)), theme.style(Role::Dim));
    }
    let room = row.room();
    row.push(&text::fit_middle(&side.at, room), theme.style(Role::Text));
    row.line()
}

fn row_line(model: &DiffModel, row: usize, columns: usize, theme: &Theme) -> Option<Line<'static>> {
    let members = model.members.len();
    if row == 0 {
        let said = match members {
            0 => "members: no difference".to_owned(),
            _ => format!("members: {} the same", model.same_members),
        };
        return Some(heading(&said, columns, theme));
    }
    if row <= members {
        return model.members.get(row.checked_sub(1)?).map(|row| diff_line(row, columns, theme));
    }
    if row == members.saturating_add(1) {
        let mut said = format!("bytes: {}", model.by.words());
        if let Some(remark) = model.remark {
            said.push_str(" · ");
            said.push_str(remark);
        }
        return Some(heading(&said, columns, theme));
    }
    model.bytes.get(row.checked_sub(members.saturating_add(2))?).map(|row| {
        let mut line = diff_line(row, columns, theme);
        if model.by == By::Bytes && row.tag == Tag::Skipped {
            line = heading(&row.text, columns, theme);
        }
        line
    })
}

fn heading(said: &str, columns: usize, theme: &Theme) -> Line<'static> {
    let mut row = Row::new(columns);
    let dash = theme.glyph("─", "-");
    row.push(&dash.repeat(2), theme.style(Role::Border)).push(" ", theme.style(Role::Border));
    row.push(said, theme.style(Role::Title)).push(" ", theme.style(Role::Border));
    let room = row.room();
    row.push(&dash.repeat(room), theme.style(Role::Border));
    row.line()
}

fn diff_line(row: &DiffRow, columns: usize, theme: &Theme) -> Line<'static> {
    let (sign, role) = match row.tag {
        Tag::Same => ("  ", Role::Text),
        Tag::Earlier => ("- ", Role::DiffDel),
        Tag::Later => ("+ ", Role::DiffAdd),
        Tag::Skipped => (theme.glyph("⋮ ", ": "), Role::Dim),
    };
    let mut out = Row::new(columns);
    out.push(sign, theme.style(role));
    if let Some(name) = &row.name {
        out.push(&format!("{name}: "), theme.style(Role::JsonKey));
    }
    out.push(&row.text, theme.style(role));
    out.line()
}

#[cfg(test)]
mod tests;
