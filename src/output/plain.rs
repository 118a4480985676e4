//! The text format: a block a record, for people; totals at the end.
//!
//! ```text
//! ✗ mismatch    receipts/b.json:3  digest_mismatch
//!               the bytes are not the bytes the record commits to
//!               id c0ffee12-… · version 0.3 · OBSERVED VIA GATEWAY · web.search 1.2 · 2026-08-01T12:04:31Z
//!               declared    sha256:9f86d081…
//!               recomputed  sha256:2c26b46b…
//!                                  ^ first difference at hex digit 0
//! ```

use std::io::{self, Write};
use std::path::Path;

use super::sentence;
use super::tally::Tally;
use crate::aer1::report::{Anchor, BytesState, Headline, Note, Report, hex};
use crate::text;

/// Where the second and later lines of a block begin.
pub const INDENT: &str = "              ";

/// Faults that a block lists besides the one that speaks.
const FAULTS: usize = 8;

/// How a block is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Paint {
    /// Colour the verdict. Its glyph and word stand in any case.
    pub colour: bool,
    /// Draw glyphs in ASCII.
    pub ascii: bool,
}

impl Paint {
    /// Glyph and word of a headline, coloured if asked for.
    pub fn verdict(self, headline: Headline) -> String {
        let (glyph, plain) = sentence::glyph(headline);
        let shown = format!("{} {}", if self.ascii { plain } else { glyph }, sentence::word(headline));
        if !self.colour {
            return shown;
        }
        let code = match headline {
            Headline::Verified => "32",
            Headline::Intact => "36",
            Headline::Unavailable | Headline::Unsupported | Headline::Unreadable => "33",
            Headline::Malformed => "31",
            Headline::Mismatch => "1;31",
            Headline::NotReceipt => "2",
        };
        format!("\x1b[{code}m{shown}\x1b[0m")
    }
}

/// Writes one record as a block.
///
/// # Errors
/// What the writer returns.
pub fn write(
    out: &mut impl Write,
    paint: Paint,
    path: &Path,
    report: &Report,
    folder_notes: &[Note],
) -> io::Result<()> {
    let width = INDENT.len().saturating_sub(text::width(sentence::word(report.headline)).saturating_add(2));
    write!(out, "{}{:width$}{}", paint.verdict(report.headline), "", sentence::at(path, report.place))?;
    match report.class {
        Some(class) => writeln!(out, "  {}", class.as_str())?,
        None => writeln!(out)?,
    }
    if report.headline != Headline::Verified {
        writeln!(out, "{INDENT}{}", sentence::why(report))?;
    }
    // What speaks has been said; the other faults follow.
    let others = report.faults.iter().filter(|f| report.speaking() != Some(f));
    for fault in others.clone().take(FAULTS) {
        writeln!(out, "{INDENT}also {}: {}", fault.class.as_str(), sentence::fault(fault))?;
    }
    if let Some(more) = others.count().checked_sub(FAULTS).filter(|n| *n > 0) {
        writeln!(out, "{INDENT}and {more} faults more")?;
    }
    let identity = identity(report);
    if !identity.is_empty() {
        writeln!(out, "{INDENT}{identity}")?;
    }
    hashes(out, report)?;
    if report.anchor != Anchor::Absent {
        writeln!(out, "{INDENT}anchor {}: {}", report.anchor.as_str(), sentence::anchor(report.anchor))?;
    }
    if let Some(c) = &report.correlation {
        writeln!(out, "{INDENT}linked by {}", sentence::correlation(c))?;
    }
    for note in report.notes.iter().chain(folder_notes) {
        writeln!(out, "{INDENT}note: {}", sentence::note(note))?;
    }
    Ok(())
}

/// Writes one record as one line: verdict, place, class or reason, identity.
///
/// # Errors
/// What the writer returns.
pub fn write_line(out: &mut impl Write, paint: Paint, path: &Path, report: &Report) -> io::Result<()> {
    let width = INDENT.len().saturating_sub(text::width(sentence::word(report.headline)).saturating_add(2));
    write!(out, "{}{:width$}{}", paint.verdict(report.headline), "", sentence::at(path, report.place))?;
    if let Some(class) = report.class {
        write!(out, "  {}", class.as_str())?;
    }
    if report.headline != Headline::Verified {
        write!(out, "  {}", sentence::why(report))?;
    }
    match identity(report) {
        identity if identity.is_empty() => writeln!(out),
        identity => writeln!(out, "  {identity}"),
    }
}

/// Id, version, provenance, tool, time and the record's own words, as far as they are there.
pub fn identity(report: &Report) -> String {
    let mut parts: Vec<String> = Vec::new();
    let shown = |value: &Option<String>| value.as_deref().map(|v| text::shown_cut(v, 200).into_owned());
    if let Some(id) = shown(&report.id) {
        parts.push(format!("id {id}"));
    }
    if let Some(version) = shown(&report.version) {
        parts.push(format!("version {version}"));
    }
    parts.extend(shown(&report.provenance));
    if let Some(tool) = shown(&report.tool) {
        parts.push(match shown(&report.tool_version) {
            Some(version) => format!("{tool} {version}"),
            None => tool,
        });
    }
    parts.extend(shown(&report.created_at));
    if let Some(status) = shown(&report.status) {
        parts.push(format!("status {status}"));
    }
    match shown(&report.verification_status) {
        Some(status) if status != "verified" => parts.push(format!("says {status}")),
        _ => {}
    }
    parts.join(" · ")
}

/// The declared and the recomputed hash; one line when they are equal.
pub fn hashes(out: &mut impl Write, report: &Report) -> io::Result<()> {
    let declared = report.bytes.declared.as_deref().map(|d| text::shown_cut(d, 200));
    let recomputed = report.bytes.recomputed.as_ref().map(|d| format!("sha256:{}", hex(d)));
    match (declared, recomputed) {
        (Some(declared), Some(_)) if report.bytes.state == BytesState::Match => {
            writeln!(out, "{INDENT}output_hash {declared}, declared and recomputed")
        }
        (declared, recomputed) => {
            if let Some(declared) = &declared {
                writeln!(out, "{INDENT}{}    {declared}", sentence::declared(report))?;
            }
            if let Some(recomputed) = &recomputed {
                writeln!(out, "{INDENT}recomputed  {recomputed}")?;
            }
            match (&report.bytes.declared, &recomputed) {
                (Some(a), Some(b)) => match first_difference(a, b) {
                    Some(digit) => {
                        let column = "declared    sha256:".len().saturating_add(digit);
                        writeln!(out, "{INDENT}{:column$}^ first difference at hex digit {digit}", "")
                    }
                    None => Ok(()),
                },
                _ => Ok(()),
            }
        }
    }
}

/// The first hexadecimal digit (from 0) in which two `sha256:` hashes differ; `None` when one is not written as a
/// hash, or they are equal.
pub fn first_difference(declared: &str, recomputed: &str) -> Option<usize> {
    let a = crate::aer1::grammar::prefixed_digest(declared)?;
    let b = crate::aer1::grammar::prefixed_digest(recomputed)?;
    a.bytes().zip(b.bytes()).position(|(x, y)| x != y)
}

/// Writes the totals.
///
/// # Errors
/// What the writer returns.
pub fn totals(out: &mut impl Write, tally: &Tally) -> io::Result<()> {
    writeln!(out, "{}", totals_line(tally))
}

/// `12 records: 9 verified, 2 intact, 1 mismatch · 3 other files`.
pub fn totals_line(tally: &Tally) -> String {
    let records = tally.records();
    let mut line = match records {
        0 => "no record".to_owned(),
        1 => "1 record".to_owned(),
        n => format!("{n} records"),
    };
    let counts = Headline::ALL
        .iter()
        .filter(|h| **h != Headline::NotReceipt && tally.of(**h) > 0)
        .map(|h| format!("{} {}", tally.of(*h), sentence::word(*h)))
        .collect::<Vec<_>>();
    if !counts.is_empty() {
        line.push_str(": ");
        line.push_str(&counts.join(", "));
    }
    match tally.of(Headline::NotReceipt) {
        0 => {}
        1 => line.push_str(" · 1 other file or record, not counted"),
        n => line.push_str(&format!(" · {n} other files or records, not counted")),
    }
    line
}

#[cfg(test)]
mod tests;
