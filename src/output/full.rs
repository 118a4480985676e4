//! Everything known about one record, as text: what `aerscope show` prints.

use std::io::{self, Write};
use std::path::Path;

use super::plain::{Paint, first_difference};
use super::{pretty, sentence};
use crate::aer1::report::{BytesState, Check, Headline, Layer, Report, Structure, hex};
use crate::aer1::verify::Opened;
use crate::text;

/// Where the words of a line begin.
const COLUMN: usize = 14;

/// Writes one opened record.
///
/// # Errors
/// What the writer returns.
pub fn write(out: &mut impl Write, paint: Paint, path: &Path, opened: &Opened) -> io::Result<()> {
    let report = &opened.report;
    let class = report.class.map(|c| format!(" · {}", c.as_str())).unwrap_or_default();
    writeln!(out, "{}{class}", paint.verdict(report.headline))?;
    writeln!(out, "  {}", sentence::why(report))?;
    writeln!(out, "  {}, {}", sentence::at(path, report.place), sentence::kind(report.kind))?;
    identity(out, report)?;
    bytes(out, report)?;
    findings(out, report)?;
    checks(out, report)?;
    if let Some(structure) = &report.structure {
        parts(out, structure)?;
    }
    if !report.claims.is_empty() {
        heading(out, "claims: what the record says about itself, not checked")?;
        for (name, raw) in &report.claims {
            writeln!(out, "  {}  {}", text::shown_cut(name, 80), text::shown_cut(raw, 400))?;
        }
    }
    if !report.notes.is_empty() {
        heading(out, "notes")?;
        for note in &report.notes {
            writeln!(out, "  {}", sentence::note(note))?;
        }
    }
    if let Some(canonical) = &opened.canonical {
        decoded(out, report, canonical)?;
    }
    Ok(())
}

fn heading(out: &mut impl Write, title: &str) -> io::Result<()> {
    writeln!(out, "\n{title}")
}

fn line(out: &mut impl Write, name: &str, value: &str) -> io::Result<()> {
    writeln!(out, "  {name:COLUMN$}{value}")
}

fn identity(out: &mut impl Write, report: &Report) -> io::Result<()> {
    heading(out, "identity")?;
    let shown = |value: &Option<String>| value.as_deref().map(|v| text::shown_cut(v, 400).into_owned());
    let or_absent = |value: &Option<String>| shown(value).unwrap_or_else(|| "absent".to_owned());
    line(out, "id", &format!("{}  ({})", or_absent(&report.id), sentence::id_state(report.id_state)))?;
    line(out, "version", &or_absent(&report.version))?;
    let mut tool = or_absent(&report.tool);
    if let Some(version) = shown(&report.tool_version) {
        tool.push_str(&format!(" {version}"));
    }
    if let Some(scope) = shown(&report.tool_scope) {
        tool.push_str(&format!(", scope {scope}"));
    }
    line(out, "tool", &tool)?;
    line(out, "created", &or_absent(&report.created_at))?;
    match &report.provenance {
        Some(class) => {
            line(out, "provenance", &format!("{}  ({})", or_absent(&report.provenance), sentence::provenance(class)))?;
        }
        None => line(out, "provenance", "absent")?,
    }
    if let Some(status) = shown(&report.status) {
        line(out, "status", &format!("{status}  (the record's word)"))?;
    }
    if let Some(status) = shown(&report.verification_status) {
        line(out, "it says", &format!("{status}  (the record's word for its own verification)"))?;
    }
    if let Some(c) = &report.correlation {
        line(out, "linked by", &sentence::correlation(c))?;
    }
    report.points_to.iter().try_for_each(|id| line(out, "points to", &text::shown_cut(id, 400)))
}

fn bytes(out: &mut impl Write, report: &Report) -> io::Result<()> {
    heading(out, "bytes")?;
    line(out, "state", &format!("{}: {}", report.bytes.state.as_str(), sentence::bytes(report.bytes.state)))?;
    if let Some(n) = report.bytes.length {
        line(out, "length", &sentence::bytes_count(n))?;
    }
    let recomputed = report.bytes.recomputed.as_ref().map(|d| format!("sha256:{}", hex(d)));
    if let Some(declared) = &report.bytes.declared {
        line(out, sentence::declared(report), &text::shown_cut(declared, 400))?;
    }
    if let Some(recomputed) = &recomputed {
        line(out, "recomputed", recomputed)?;
    }
    if let (Some(declared), Some(recomputed)) = (&report.bytes.declared, &recomputed)
        && let Some(digit) = first_difference(declared, recomputed)
    {
        let pad = "sha256:".len().saturating_add(digit);
        line(out, "", &format!("{:pad$}^ first difference at hex digit {digit}", ""))?;
    }
    match report.canonical_form {
        Some(form) => line(out, "form", sentence::canonical_form(form)),
        None => Ok(()),
    }
}

fn findings(out: &mut impl Write, report: &Report) -> io::Result<()> {
    heading(out, "findings")?;
    line(out, "shape", &format!("{}: {}", report.shape.as_str(), sentence::shape(report.shape)))?;
    if report.kind.is_receipt() {
        line(out, "labels", &format!("{}: {}", report.labels.as_str(), sentence::labels(report.labels)))?;
    }
    line(out, "anchor", &format!("{}: {}", report.anchor.as_str(), sentence::anchor(report.anchor)))
}

fn checks(out: &mut impl Write, report: &Report) -> io::Result<()> {
    heading(out, "checks, in the order in which faults speak")?;
    for layer in Layer::ALL {
        let check = report.check(*layer);
        if check == Check::NotApplicable {
            continue;
        }
        let name = sentence::check(check);
        writeln!(out, "  {name:COLUMN$}{:COLUMN$}{}", layer.as_str(), sentence::layer(*layer))?;
        for fault in report.faults.iter().filter(|f| f.class.layer() == *layer) {
            writeln!(out, "  {:COLUMN$}{:COLUMN$}{}: {}", "", "", fault.class.as_str(), sentence::fault(fault))?;
        }
    }
    Ok(())
}

/// Entries of a timeline, or steps of a workflow.
fn parts(out: &mut impl Write, structure: &Structure) -> io::Result<()> {
    heading(out, "parts, in order")?;
    let shown = |value: &Option<String>| value.as_deref().map(|v| text::shown_cut(v, 120).into_owned());
    if let Some(group) = shown(&structure.group) {
        line(out, "belongs to", &group)?;
    }
    if let Some(count) = structure.count {
        line(out, "stated count", &count.to_string())?;
    }
    for part in &structure.parts {
        let holds = if part.holds { "holds" } else { "does not hold" };
        let words = [shown(&part.tool), shown(&part.provenance), shown(&part.status), shown(&part.time)];
        let mut said = vec![format!("{} {}", text::shown_cut(&part.seq, 40), text::shown_cut(&part.id, 120))];
        said.extend(words.into_iter().flatten());
        line(out, holds, &said.join(" · "))?;
        let hashes = [("output", &part.output_hash), ("before it", &part.prev_digest), ("digest", &part.digest)];
        for (name, hash) in hashes {
            if let Some(hash) = shown(hash) {
                line(out, "", &format!("{name:10} {hash}"))?;
            }
        }
    }
    if let Some(root) = shown(&structure.declared_root) {
        line(out, "declared", &root)?;
    }
    if let Some(root) = shown(&structure.recomputed_root) {
        line(out, "recomputed", &root)?;
    }
    Ok(())
}

/// The decoded bytes. Those of a record that does not verify stand in a frame that says so.
fn decoded(out: &mut impl Write, report: &Report, canonical: &[u8]) -> io::Result<()> {
    let verifies = matches!(report.headline, Headline::Verified | Headline::Intact);
    let (form, lines) = pretty::lines(canonical);
    let form = match form {
        _ if canonical.is_empty() => "empty",
        pretty::Form::Json => "JSON, re-indented; every value as it is spelled",
        pretty::Form::Text => "text",
        pretty::Form::Hex => "not UTF-8, as hex",
    };
    heading(out, &format!("decoded bytes: {form}"))?;
    let warning = match report.bytes.state {
        BytesState::Mismatch => "these are not the bytes the record commits to",
        _ => "this record does not verify",
    };
    if !verifies {
        writeln!(out, "  ┌── {warning} ──")?;
    }
    for line in lines {
        writeln!(out, "  {}{line}", if verifies { "" } else { "│ " })?;
    }
    if !verifies {
        writeln!(out, "  └── {warning} ──")?;
    }
    Ok(())
}
