//! What differs between two records: members first, then the bytes. Pure, and bounded however large the records are.

use std::ops::Range;
use std::time::{Duration, Instant};

use similar::{Algorithm, DiffOp, capture_diff_slices_deadline};

use super::OpenRecord;
use super::cells::{self, Spelling};
use crate::aer1::report::{Headline, hex};
use crate::output::sentence;
use crate::text;

/// Most rows, on both sides together, that are compared as a sequence after equal beginnings and ends are taken off.
const MOST_ROWS: usize = 20_000;
/// Most rows of the bytes' comparison.
const MOST_SHOWN: usize = 4_000;
/// How long the comparison of sequences may take before it settles for a coarser one.
const BUDGET: Duration = Duration::from_millis(200);
/// Equal rows shown around a difference.
const CONTEXT: usize = 3;
/// Characters of one row or value.
const VALUE: usize = 400;
/// Bytes of a row that are looked at for its text.
const ROW_BYTES: usize = 2_000;

/// Which side a row belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tag {
    /// Both.
    Same,
    /// The earlier one only.
    Earlier,
    /// The later one only.
    Later,
    /// Equal rows that are left out; the text says how many.
    Skipped,
}

/// How the bytes were compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// By JSON token, each with its place in the document.
    Token,
    /// By line.
    Line,
    /// The first difference, with the bytes around it.
    Bytes,
    /// Not at all: the bytes are the same.
    Equal,
    /// Not at all: one side has none.
    Missing,
}

impl By {
    /// In words.
    pub const fn words(self) -> &'static str {
        match self {
            By::Token => "by JSON token",
            By::Line => "by line",
            By::Bytes => "the first difference",
            By::Equal => "the same",
            By::Missing => "nothing to compare",
        }
    }
}

/// One side's title.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SideTitle {
    /// File and place, escaped.
    pub at: String,
    /// Its headline.
    pub headline: Headline,
    /// Length of its bytes.
    pub length: Option<u64>,
}

/// One row of the comparison; all texts escaped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DiffRow {
    /// Whose it is.
    pub tag: Tag,
    /// The member, in the members' part.
    pub name: Option<String>,
    /// What it says.
    pub text: String,
}

/// The comparison.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DiffModel {
    /// The earlier record.
    pub earlier: SideTitle,
    /// The later record.
    pub later: SideTitle,
    /// The members that differ.
    pub members: Vec<DiffRow>,
    /// How many members are the same.
    pub same_members: usize,
    /// How the bytes were compared.
    pub by: By,
    /// The bytes' comparison.
    pub bytes: Vec<DiffRow>,
    /// Something to say about it: cut, coarse.
    pub remark: Option<&'static str>,
}

impl DiffModel {
    /// Rows in all, members first; `None` is the heading between the two parts.
    pub fn rows(&self) -> usize {
        self.members.len().saturating_add(self.bytes.len()).saturating_add(2)
    }

    /// Row numbers at which a difference begins, in order. Row 0 is the members' heading.
    pub fn stops(&self) -> Vec<usize> {
        let mut stops = Vec::new();
        let mut name: Option<&str> = None;
        for (n, row) in self.members.iter().enumerate() {
            if row.name.as_deref() != name {
                stops.push(n.saturating_add(1));
            }
            name = row.name.as_deref();
        }
        let base = self.members.len().saturating_add(2);
        let mut inside = false;
        for (n, row) in self.bytes.iter().enumerate() {
            let differs = matches!(row.tag, Tag::Earlier | Tag::Later);
            if differs && !inside {
                stops.push(base.saturating_add(n));
            }
            inside = differs;
        }
        stops
    }
}

/// Compares two records.
pub fn compare(earlier: &OpenRecord, later: &OpenRecord) -> DiffModel {
    let (members, same_members) = members(earlier, later);
    let mut model = DiffModel {
        earlier: title(earlier),
        later: title(later),
        members,
        same_members,
        by: By::Missing,
        bytes: Vec::new(),
        remark: None,
    };
    if earlier.path == later.path && earlier.place == later.place {
        model.earlier.at.push_str(", as it was");
        model.later.at.push_str(", as it is");
    }
    let (Some(old), Some(new)) = (&earlier.canonical, &later.canonical) else {
        return model;
    };
    if old == new {
        model.by = By::Equal;
        return model;
    }
    let tokens = match (&earlier.tree, &later.tree) {
        (Ok(old_tree), Ok(new_tree)) => Some((
            (0..old_tree.len()).map(|row| old_tree.row_text(row)).collect::<Vec<_>>(),
            (0..new_tree.len()).map(|row| new_tree.row_text(row)).collect::<Vec<_>>(),
        )),
        _ => None,
    };
    let textual = std::str::from_utf8(old).is_ok() && std::str::from_utf8(new).is_ok();
    let done = match tokens {
        Some((old_rows, new_rows)) => {
            model.by = By::Token;
            sequences(&Seq { source: old, rows: old_rows }, &Seq { source: new, rows: new_rows }, Spelling::Token)
        }
        None if textual && has_lines(old) && has_lines(new) => {
            model.by = By::Line;
            let seq = |source| Seq { source, rows: line_ranges(source) };
            sequences(&seq(old), &seq(new), Spelling::Plain)
        }
        None => None,
    };
    match done {
        Some((rows, cut)) if rows.iter().any(|row| matches!(row.tag, Tag::Earlier | Tag::Later)) => {
            model.bytes = rows;
            model.remark = cut.then_some("more differences than are shown");
        }
        other => {
            model.remark = match (&other, model.by) {
                (Some(_), By::Token) => Some("the tokens are the same; only what stands between them differs"),
                (None, By::Token | By::Line) => Some("too much differs to be compared part by part"),
                _ => None,
            };
            model.by = By::Bytes;
            model.bytes = window(old, new);
        }
    }
    model
}

fn title(open: &OpenRecord) -> SideTitle {
    SideTitle {
        at: sentence::at(&open.path, open.place),
        headline: open.report.headline,
        length: open.report.bytes.length,
    }
}

/// The members that differ, and how many do not.
fn members(earlier: &OpenRecord, later: &OpenRecord) -> (Vec<DiffRow>, usize) {
    let mut rows = Vec::new();
    let mut same = 0usize;
    let mut names: Vec<&str> = Vec::new();
    for (name, _) in earlier.members.iter().chain(&later.members) {
        // A record with very many members is compared in its first ones; the bytes part is not affected.
        if names.len() < 512 && !names.contains(&name.as_str()) {
            names.push(name);
        }
    }
    for name in names {
        let (old, new) = (earlier.member(name), later.member(name));
        if old == new {
            same = same.saturating_add(1);
            continue;
        }
        let shown = text::shown_cut(name, 80).into_owned();
        // Bytes are compared below; in the record they are one very long base64 word.
        let value = |raw: &[u8], open: &OpenRecord| match (name, open.report.bytes.length) {
            ("canonical_bytes", Some(length)) => {
                let hash = open.report.bytes.recomputed.map(|hash| format!(", sha256:{}", hex(&hash)));
                format!("{}{}", sentence::bytes_count(length), hash.unwrap_or_default())
            }
            _ => value_text(raw),
        };
        for (tag, raw, open) in [(Tag::Earlier, old, earlier), (Tag::Later, new, later)] {
            let text = raw.map_or_else(|| "(absent)".to_owned(), |raw| value(raw, open));
            rows.push(DiffRow { tag, name: Some(shown.clone()), text });
        }
    }
    (rows, same)
}

fn value_text(raw: &[u8]) -> String {
    let written = without_space(raw);
    let taken = cells::take(&written, 0, written.len().min(ROW_BYTES), VALUE, Spelling::Token);
    let rest = written.len().saturating_sub(taken.end);
    if rest > 0 { format!("{}… +{rest} bytes", taken.text) } else { taken.text }
}

/// A JSON value without the white space between its tokens: in one row it would only push what differs out of sight.
fn without_space(raw: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(raw.len());
    let (mut inside, mut escaped) = (false, false);
    for byte in raw {
        if inside || !byte.is_ascii_whitespace() {
            out.push(*byte);
        }
        inside ^= *byte == b'"' && !escaped;
        escaped = inside && *byte == b'\\' && !escaped;
    }
    out
}

/// A row of a sequence: indent, member name (empty without one) and value, as ranges of the source.
type SeqRow = (u16, Range<usize>, Range<usize>);

/// A source as a sequence of rows.
struct Seq<'a> {
    source: &'a [u8],
    rows: Vec<SeqRow>,
}

impl Seq<'_> {
    /// What is compared: white space between the tokens is not part of it.
    fn bytes(&self, row: usize) -> (u16, &[u8], &[u8]) {
        let Some((depth, key, value)) = self.rows.get(row) else { return (0, &[], &[]) };
        let part = |range: &Range<usize>| self.source.get(range.clone()).unwrap_or_default();
        (*depth, part(key), part(value))
    }
}

fn has_lines(source: &[u8]) -> bool {
    memchr::memchr(b'\n', source).is_some()
}

fn line_ranges(source: &[u8]) -> Vec<SeqRow> {
    let mut rows = Vec::new();
    let mut start = 0;
    for feed in memchr::memchr_iter(b'\n', source) {
        rows.push((0, 0..0, start..feed));
        start = feed.saturating_add(1);
    }
    if start < source.len() {
        rows.push((0, 0..0, start..source.len()));
    }
    rows
}

/// The differences of two sequences with some rows around them; `None` when there is too much to compare.
fn sequences(old: &Seq<'_>, new: &Seq<'_>, spelling: Spelling) -> Option<(Vec<DiffRow>, bool)> {
    let (old_len, new_len) = (old.rows.len(), new.rows.len());
    let shorter = old_len.min(new_len);
    let same = |a: usize, b: usize| old.bytes(a) == new.bytes(b);
    let head = (0..shorter).take_while(|n| same(*n, *n)).count();
    let tail = (1..=shorter.saturating_sub(head)).take_while(|n| same(old_len - n, new_len - n)).count();
    let old_mid: Vec<(u16, &[u8], &[u8])> = (head..old_len.saturating_sub(tail)).map(|n| old.bytes(n)).collect();
    let new_mid: Vec<(u16, &[u8], &[u8])> = (head..new_len.saturating_sub(tail)).map(|n| new.bytes(n)).collect();
    if old_mid.len().saturating_add(new_mid.len()) > MOST_ROWS {
        return None;
    }
    let deadline = Instant::now().checked_add(BUDGET);
    let ops = capture_diff_slices_deadline(Algorithm::Myers, &old_mid, &new_mid, deadline);
    let mut script: Vec<(Tag, usize, usize)> = Vec::new();
    let mut push = |tag, old: Range<usize>, new: Range<usize>| {
        let len = old.len().max(new.len());
        for n in 0..len {
            script.push((tag, old.start.saturating_add(n), new.start.saturating_add(n)));
        }
    };
    for op in ops {
        match op {
            DiffOp::Equal { old_index, new_index, len } => {
                push(Tag::Same, old_index..old_index.saturating_add(len), new_index..new_index.saturating_add(len));
            }
            _ => {
                push(Tag::Earlier, op.old_range(), 0..0);
                push(Tag::Later, 0..0, op.new_range());
            }
        }
    }
    Some(rows_of(old, new, head, tail, &script, spelling))
}

/// The script as rows, equal parts far from a difference left out.
fn rows_of(
    old: &Seq<'_>,
    new: &Seq<'_>,
    head: usize,
    tail: usize,
    script: &[(Tag, usize, usize)],
    spelling: Spelling,
) -> (Vec<DiffRow>, bool) {
    let text = |seq: &Seq<'_>, row: usize| {
        let (depth, key, value) = seq.bytes(row);
        let mut out = "  ".repeat(usize::from(depth).min(20));
        for (part, end) in [(key, ": "), (value, "")] {
            let taken = cells::take(part, 0, part.len().min(ROW_BYTES), VALUE, spelling);
            out.push_str(&taken.text);
            let rest = part.len().saturating_sub(taken.end);
            if rest > 0 {
                out.push_str(&format!("… +{rest} bytes"));
            }
            if !part.is_empty() {
                out.push_str(end);
            }
        }
        out
    };
    let mut all: Vec<(Tag, usize, usize)> = Vec::new();
    // A single row is shown rather than counted.
    let lead = if head <= CONTEXT + 1 { 0 } else { head - CONTEXT };
    all.extend((lead..head).map(|n| (Tag::Same, n, n)));
    all.extend(script.iter().map(|(tag, a, b)| (*tag, a.saturating_add(head), b.saturating_add(head))));
    let (old_tail, new_tail) = (old.rows.len().saturating_sub(tail), new.rows.len().saturating_sub(tail));
    let after = if tail <= CONTEXT + 1 { tail } else { CONTEXT };
    all.extend((0..after).map(|n| (Tag::Same, old_tail.saturating_add(n), new_tail.saturating_add(n))));

    let mut rows = Vec::new();
    let skipped = |n: usize| DiffRow {
        tag: Tag::Skipped,
        name: None,
        text: format!("{n} equal row{}", if n == 1 { "" } else { "s" }),
    };
    if lead > 0 {
        rows.push(skipped(lead));
    }
    let mut at = 0usize;
    let mut cut = false;
    while at < all.len() {
        if rows.len() >= MOST_SHOWN {
            cut = true;
            break;
        }
        let run = all.iter().skip(at).take_while(|(tag, _, _)| *tag == Tag::Same).count();
        if run > CONTEXT * 2 + 1 && at > 0 && at.saturating_add(run) < all.len() {
            for (tag, a, _) in all.iter().skip(at).take(CONTEXT) {
                rows.push(DiffRow { tag: *tag, name: None, text: text(old, *a) });
            }
            rows.push(skipped(run.saturating_sub(CONTEXT * 2)));
            at = at.saturating_add(run).saturating_sub(CONTEXT);
            for (tag, a, _) in all.iter().skip(at).take(CONTEXT) {
                rows.push(DiffRow { tag: *tag, name: None, text: text(old, *a) });
            }
            at = at.saturating_add(CONTEXT);
            continue;
        }
        for (tag, a, b) in all.iter().skip(at).take(run.max(1)) {
            let text = if *tag == Tag::Later { text(new, *b) } else { text(old, *a) };
            rows.push(DiffRow { tag: *tag, name: None, text });
        }
        at = at.saturating_add(run.max(1));
    }
    let left = tail.saturating_sub(after);
    if left > 0 && !cut {
        rows.push(skipped(left));
    }
    (rows, cut)
}

/// The first difference of two byte strings, with the bytes around it, sixteen a row.
fn window(old: &[u8], new: &[u8]) -> Vec<DiffRow> {
    let first = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    let start = (first / 16).saturating_sub(2).saturating_mul(16);
    let row = |tag, source: &[u8], at: usize| {
        let end = source.len().min(at.saturating_add(16));
        let bytes = source.get(at..end).unwrap_or_default();
        if bytes.is_empty() {
            return DiffRow { tag, name: None, text: format!("{at:08x}  (the end)") };
        }
        let digits: Vec<String> = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        let ascii: String = bytes.iter().map(|b| if (0x20..0x7f).contains(b) { char::from(*b) } else { '.' }).collect();
        DiffRow { tag, name: None, text: format!("{at:08x}  {:<47}  {ascii}", digits.join(" ")) }
    };
    let mut rows = vec![DiffRow { tag: Tag::Skipped, name: None, text: format!("first difference at byte {first}") }];
    for n in 0..6usize {
        let at = start.saturating_add(n.saturating_mul(16));
        let part = |source: &[u8]| source.get(at..source.len().min(at.saturating_add(16))).map(<[u8]>::to_vec);
        let (a, b) = (part(old), part(new));
        if a == b {
            if a.is_some_and(|bytes| !bytes.is_empty()) {
                rows.push(row(Tag::Same, old, at));
            }
            continue;
        }
        rows.push(row(Tag::Earlier, old, at));
        rows.push(row(Tag::Later, new, at));
    }
    rows
}

#[cfg(test)]
mod tests;
