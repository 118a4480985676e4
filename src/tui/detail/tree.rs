//! JSON as rows: the tokens of the text, re-indented. Order, duplicates, escapes and number texts stay as written.
//!
//! A row is a range of tokens, not a string. Positions are row numbers of the fully unfolded document, so that folding
//! changes no number: stepping leaves out what lies in a folded container.

use std::ops::Range;

use super::cells::Spelling;
use super::lines;
use crate::aer1::json::{self, Doc, Node, NodeKind};

mod draw;

/// More tokens than this are not laid out; text and hex still show every byte.
const MAX_TOKENS: usize = 4_000_000;
/// Columns of a string that are shown before it is cut with a count.
const MIN_STRING: usize = 16;

/// What a row shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum What {
    /// A scalar or an empty container, with its key.
    Leaf,
    /// The first line of a container, with its key.
    Open,
    /// The bracket that closes a container.
    Close,
}

/// One row of the unfolded document.
#[derive(Clone, Copy, Debug)]
struct TreeRow {
    /// The value's node.
    node: u32,
    /// The row of the other bracket; its own row for a leaf.
    other: u32,
    /// The row that opens the container it stands in; its own row at the top.
    parent: u32,
    depth: u16,
    what: What,
    last: bool,
}

/// Why there are no rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoTree {
    /// The text is not JSON; the byte offset of the fault.
    NotJson(usize),
    /// More tokens than are laid out.
    TooMany,
    /// There is no text.
    Empty,
}

/// A JSON text as rows. Positions point into the text it was made from.
#[derive(Debug, Default)]
pub struct Tree {
    nodes: Vec<Node>,
    rows: Vec<TreeRow>,
}

/// Which rows are folded and which strings are shown whole.
#[derive(Debug, Default)]
pub struct Folds {
    folded: Vec<u64>,
    any: bool,
    expanded: Vec<u32>,
}

/// Where a screen begins in a tree: a row, and inside an expanded string the byte at which the line begins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TreePos {
    /// The row.
    pub row: usize,
    /// `None` is the row's own line.
    pub at: Option<usize>,
}

impl Folds {
    /// Whether the container that opens at `row` is folded.
    pub fn is_folded(&self, row: usize) -> bool {
        self.any && self.folded.get(row / 64).is_some_and(|word| word >> (row % 64) & 1 == 1)
    }

    /// Whether the string on `row` is shown whole.
    pub fn is_expanded(&self, row: usize) -> bool {
        self.expanded.iter().any(|r| *r as usize == row)
    }

    fn set(&mut self, row: usize, folded: bool) {
        let at = row / 64;
        if folded && self.folded.len() <= at {
            self.folded.resize(at.saturating_add(1), 0);
        }
        if let Some(word) = self.folded.get_mut(at) {
            let bit = 1u64 << (row % 64);
            if folded { *word |= bit } else { *word &= !bit }
        }
        self.any |= folded;
    }
}

impl Tree {
    /// Reads `text`. Costs one pass over it; runs in the detail thread.
    pub fn new(text: &[u8], max_depth: u32) -> Result<Tree, NoTree> {
        if text.is_empty() {
            return Err(NoTree::Empty);
        }
        if std::str::from_utf8(text).is_err() {
            let at = std::str::from_utf8(text).map_or_else(|fault| fault.valid_up_to(), |_| 0);
            return Err(NoTree::NotJson(at));
        }
        let commas = memchr::memchr2_iter(b',', b':', text).count();
        let brackets = memchr::memchr2_iter(b'[', b'{', text).count();
        if commas.saturating_add(brackets) > MAX_TOKENS {
            return Err(NoTree::TooMany);
        }
        let mut doc = Doc::new();
        json::parse(text, max_depth, &mut doc).map_err(|fault| NoTree::NotJson(fault.offset))?;
        let nodes = doc.nodes().to_vec();
        let rows = rows_of(&nodes);
        Ok(Tree { nodes, rows })
    }

    /// Rows of the unfolded document.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there is nothing to show.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    fn row(&self, row: usize) -> Option<(&TreeRow, &Node)> {
        let row = self.rows.get(row)?;
        Some((row, self.nodes.get(row.node as usize)?))
    }

    fn range(node: &Node) -> Range<usize> {
        node.start as usize..node.end as usize
    }

    /// The key in front of a value's node, if it is a member.
    fn key(&self, node: u32) -> Option<&Node> {
        let before = self.nodes.get((node as usize).checked_sub(1)?)?;
        (before.kind == NodeKind::Key).then_some(before)
    }

    /// The bytes the row stands for: key and value, or the closing bracket.
    pub fn span(&self, row: usize) -> Option<Range<usize>> {
        let (row, node) = self.row(row)?;
        let range = Self::range(node);
        let start = self.key(row.node).map_or(range.start, |key| key.start as usize);
        Some(match row.what {
            What::Leaf => start..range.end,
            What::Open => start..range.start.saturating_add(1),
            What::Close => range.end.saturating_sub(1)..range.end,
        })
    }

    /// Depth of a row, its member name (an empty range without one) and its value: what two documents are compared by.
    pub fn row_text(&self, row: usize) -> (u16, Range<usize>, Range<usize>) {
        let Some((this, node)) = self.row(row) else { return (0, 0..0, 0..0) };
        let key = match this.what {
            What::Close => None,
            _ => self.key(this.node),
        };
        let range = Self::range(node);
        let value = match this.what {
            What::Leaf => range,
            What::Open => range.start..range.start.saturating_add(1),
            What::Close => range.end.saturating_sub(1)..range.end,
        };
        (this.depth, key.map_or(0..0, Self::range), value)
    }

    /// The row that shows the byte at `offset`, or the last one before it.
    pub fn row_of(&self, offset: usize) -> usize {
        let begin = |row: &TreeRow| {
            let Some(node) = self.nodes.get(row.node as usize) else { return 0 };
            match row.what {
                What::Close => (node.end as usize).saturating_sub(1),
                _ => self.key(row.node).map_or(node.start as usize, |key| key.start as usize),
            }
        };
        self.rows.partition_point(|row| begin(row) <= offset).saturating_sub(1)
    }

    /// The row after `row` that is shown.
    pub fn after(&self, row: usize, folds: &Folds) -> Option<usize> {
        let (this, _) = self.row(row)?;
        let next = match this.what {
            What::Open if folds.is_folded(row) => (this.other as usize).saturating_add(1),
            _ => row.saturating_add(1),
        };
        (next < self.rows.len()).then_some(next)
    }

    /// The row before `row` that is shown.
    pub fn before(&self, row: usize, folds: &Folds) -> Option<usize> {
        Some(self.shown(row.checked_sub(1)?, folds))
    }

    /// `row`, or the folded container that hides it.
    pub fn shown(&self, row: usize, folds: &Folds) -> usize {
        let mut shown = row;
        let mut at = row;
        // The closing bracket of a folded container is hidden by it, too.
        if let Some((this, _)) = self.row(at)
            && this.what == What::Close
            && folds.is_folded(this.other as usize)
        {
            shown = this.other as usize;
        }
        while let Some((this, _)) = self.row(at) {
            let parent = this.parent as usize;
            if parent >= at {
                break;
            }
            if folds.is_folded(parent) {
                shown = parent;
            }
            at = parent;
        }
        shown
    }

    /// Folds or unfolds the container at `row` (or the one that closes or surrounds it), or shows a string whole or cut.
    /// Returns the row on which the cursor then stands.
    pub fn toggle(&self, row: usize, folds: &mut Folds) -> usize {
        let Some((this, node)) = self.row(row) else { return row };
        match this.what {
            What::Open => {
                folds.set(row, !folds.is_folded(row));
                row
            }
            What::Close => {
                folds.set(this.other as usize, true);
                this.other as usize
            }
            What::Leaf
                if node.kind == NodeKind::String && node.end.saturating_sub(node.start) as usize > MIN_STRING =>
            {
                match folds.expanded.iter().position(|r| *r as usize == row) {
                    Some(at) => {
                        folds.expanded.remove(at);
                    }
                    None => folds.expanded.push(u32::try_from(row).unwrap_or(u32::MAX)),
                }
                row
            }
            What::Leaf if (this.parent as usize) < row => {
                folds.set(this.parent as usize, true);
                this.parent as usize
            }
            What::Leaf => row,
        }
    }

    /// Folds every container but the outermost.
    pub fn fold_all(&self, folds: &mut Folds) {
        for (at, row) in self.rows.iter().enumerate() {
            if row.what == What::Open && row.depth > 0 {
                folds.set(at, true);
            }
        }
        folds.expanded.clear();
    }

    /// Unfolds everything.
    pub fn unfold_all(&self, folds: &mut Folds) {
        *folds = Folds { expanded: std::mem::take(&mut folds.expanded), ..Folds::default() };
    }

    /// Unfolds whatever hides `row`.
    pub fn reveal(&self, row: usize, folds: &mut Folds) {
        let mut at = row;
        if let Some((this, _)) = self.row(at)
            && this.what == What::Close
        {
            folds.set(this.other as usize, false);
        }
        while let Some((this, _)) = self.row(at) {
            let parent = this.parent as usize;
            if parent >= at {
                break;
            }
            folds.set(parent, false);
            at = parent;
        }
    }

    /// The inner bytes of the expanded string on `row`, quotes left out.
    fn expanded(&self, row: usize, folds: &Folds) -> Option<Range<usize>> {
        if folds.expanded.is_empty() || !folds.is_expanded(row) {
            return None;
        }
        let (_, node) = self.row(row)?;
        let range = Self::range(node);
        Some(range.start.saturating_add(1)..range.end.saturating_sub(1))
    }

    fn indent(&self, row: usize, columns: usize) -> usize {
        let depth = self.rows.get(row).map_or(0, |row| usize::from(row.depth));
        // Deep nesting must leave room for the value.
        depth.saturating_mul(2).min(columns / 2)
    }

    fn inner(&self, row: usize, columns: usize) -> usize {
        columns.saturating_sub(self.indent(row, columns).saturating_add(2)).max(1)
    }

    /// One screen line further.
    pub fn step_down(&self, text: &[u8], pos: TreePos, folds: &Folds, columns: usize) -> Option<TreePos> {
        if let Some(inner) = self.expanded(pos.row, folds) {
            let next = match pos.at {
                None => inner.start,
                Some(at) => lines::row_at(text, &inner, at, self.inner(pos.row, columns), Spelling::Token).end,
            };
            if next < inner.end {
                return Some(TreePos { row: pos.row, at: Some(next) });
            }
        }
        self.after(pos.row, folds).map(|row| TreePos { row, at: None })
    }

    /// One screen line back.
    pub fn step_up(&self, text: &[u8], pos: TreePos, folds: &Folds, columns: usize) -> Option<TreePos> {
        let (row, from) = match pos.at {
            Some(at) => (pos.row, Some(at)),
            None => {
                let row = self.before(pos.row, folds)?;
                (row, self.expanded(row, folds).map(|inner| inner.end))
            }
        };
        let at = match (self.expanded(row, folds), from) {
            (Some(inner), Some(from)) => {
                lines::row_before(text, &inner, from, self.inner(row, columns), Spelling::Token)
            }
            _ => None,
        };
        Some(TreePos { row, at })
    }

    /// The screen line on which the byte at `offset`, which `row` holds, can be seen; a long string is shown whole for it.
    pub fn find_line(&self, text: &[u8], row: usize, offset: usize, folds: &mut Folds, columns: usize) -> TreePos {
        let own = TreePos { row, at: None };
        let Some((this, node)) = self.row(row) else { return own };
        let inner = (node.start as usize).saturating_add(1)..(node.end as usize).saturating_sub(1);
        if this.what != What::Leaf || node.kind != NodeKind::String || !inner.contains(&offset) {
            return own;
        }
        let key = self.key(this.node).map_or(0, |key| key.end.saturating_sub(key.start) as usize);
        let before = key.saturating_add(offset.saturating_sub(inner.start));
        if !folds.is_expanded(row) {
            // Well inside the line even if every character before it were wide; else the string has to be shown whole.
            if before.saturating_add(self.indent(row, columns)).saturating_add(32) < columns {
                return own;
            }
            folds.expanded.push(index(row));
        }
        let after = super::cells::next_char(text, offset).min(inner.end);
        let at = lines::row_before(text, &inner, after, self.inner(row, columns), Spelling::Token);
        TreePos { row, at: Some(at.unwrap_or(inner.start)) }
    }
}

/// The rows of a document: one for each scalar and empty container, two for each other container.
fn rows_of(nodes: &[Node]) -> Vec<TreeRow> {
    let mut rows: Vec<TreeRow> = Vec::with_capacity(nodes.len());
    // Open containers: (row, node index at which it ends).
    let mut open: Vec<(u32, u32)> = Vec::new();
    let mut at = 0usize;
    loop {
        while let Some((row, end)) = open.last().copied()
            && at >= end as usize
        {
            open.pop();
            let close = index(rows.len());
            let Some(opener) = rows.get_mut(row as usize) else { break };
            opener.other = close;
            let opener = *opener;
            let parent = if opener.parent == row { close } else { opener.parent };
            rows.push(TreeRow { other: row, parent, what: What::Close, ..opener });
        }
        let Some(node) = nodes.get(at) else { break };
        if node.kind == NodeKind::Key {
            at = at.saturating_add(1);
            continue;
        }
        let own = index(rows.len());
        let container = matches!(node.kind, NodeKind::Object | NodeKind::Array);
        let filled = container && node.next as usize > at.saturating_add(1);
        let parent = open.last().map_or(own, |(row, _)| *row);
        let last = open.last().is_none_or(|(_, end)| node.next >= *end);
        rows.push(TreeRow {
            node: index(at),
            other: own,
            parent,
            depth: u16::try_from(open.len()).unwrap_or(u16::MAX),
            what: if filled { What::Open } else { What::Leaf },
            last,
        });
        if filled {
            open.push((own, node.next));
        }
        at = at.saturating_add(1);
    }
    rows
}

fn index(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}
