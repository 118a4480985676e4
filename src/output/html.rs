//! One self-contained page: no script, nothing loaded from elsewhere. Totals, then every record, failing first, with
//! its checks and hashes, what the hash covers, and chains as time lines. It prints well.
//!
//! A page that a browser can still show is bounded: of each headline the first [`WHOLE`] records stand whole, the next
//! [`BRIEF`] in one row each, and the rest as a number; the page says so. Memory is bounded alike.
//!
//! Every foreign string is in its visible form first ([`crate::text`]) and then escaped for HTML.

mod chain;

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::Path;

use super::junit::attribute as escaped;
use super::markdown::ORDER;
use super::plain::first_difference;
use super::sentence;
use super::tally::Tally;
use crate::aer1::grammar::Moment;
use crate::aer1::report::{
    Anchor, BytesState, Check, Headline, IdState, Kind, Labels, Layer, Note, Report, Structure, hex,
};
use crate::store::Chain;
use crate::text;

const STYLE: &str = include_str!("html/page.css");

/// Records of one headline that stand on a page with all that is known of them; and retry chains.
pub const WHOLE: usize = 1000;

/// Records of one headline that stand on a page in one row, after those.
pub const BRIEF: usize = 10_000;

/// Notes of one record that stand on a page: a record can be a copy of any number of others.
const NOTES: usize = 12;

/// Collects the records of a page.
#[derive(Debug, Default)]
pub struct Html {
    records: BTreeMap<Headline, Group>,
    chains: Vec<String>,
    chains_left: u64,
}

/// The records of one headline.
#[derive(Debug, Default)]
struct Group {
    whole: Vec<String>,
    brief: Vec<String>,
    left: u64,
}

impl Html {
    /// Adds one record.
    pub fn record(&mut self, path: &Path, report: &Report, folder_notes: &[Note]) {
        let group = self.records.entry(report.headline).or_default();
        if group.whole.len() < WHOLE {
            group.whole.push(article(path, report, folder_notes));
        } else if group.brief.len() < BRIEF {
            group.brief.push(brief(path, report));
        } else {
            group.left += 1;
        }
    }

    /// Adds one retry chain. `at` says where each attempt stands, in their order, escaped for a screen.
    pub fn chain(&mut self, chain: &Chain, at: &[String]) {
        if self.chains.len() < WHOLE {
            self.chains.push(chain::section(chain, at));
        } else {
            self.chains_left += 1;
        }
    }

    /// Writes the page.
    ///
    /// # Errors
    /// What the writer returns.
    pub fn finish(&self, out: &mut impl Write, tally: &Tally, made: Option<Moment>) -> io::Result<()> {
        let title = format!("AER-1 receipts: {} checked", tally.records());
        writeln!(
            out,
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n\
             <title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>"
        )?;
        let at = made.map(|m| format!(" on {m}")).unwrap_or_default();
        writeln!(
            out,
            "<p class=\"dim\">Made by aerscope {}{at}. Every verdict was computed from the bytes of the files; nothing \
             was asked of a network.</p>",
            env!("CARGO_PKG_VERSION")
        )?;
        writeln!(out, "<ul class=\"totals\">")?;
        for headline in ORDER.iter().filter(|h| tally.of(**h) > 0) {
            writeln!(out, "<li>{} <strong>{}</strong></li>", verdict(*headline), tally.of(*headline))?;
        }
        writeln!(out, "</ul>")?;
        if tally.records() == 0 {
            writeln!(out, "<p>No record was found to check: this is no result.</p>")?;
        }
        writeln!(
            out,
            "<p>A hash covers the decoded bytes of a record and nothing else: up to schema 0.3 its id, tool, time and \
             provenance class are labels beside them. A matching hash shows that these bytes were committed to; it does \
             not show that the result was right.</p>"
        )?;
        for headline in ORDER {
            if let Some(group) = self.records.get(&headline) {
                let means = super::explain::explain_headline(headline).means;
                writeln!(out, "<h2>{}</h2>\n<p class=\"dim\">{}</p>", verdict(headline), escaped(means))?;
                group.write(out)?;
            }
            // Chains stand after what fails, before what is good.
            if headline == Headline::Malformed && !self.chains.is_empty() {
                writeln!(out, "<h2>retry chains</h2>")?;
                for chain in &self.chains {
                    out.write_all(chain.as_bytes())?;
                }
                if self.chains_left > 0 {
                    writeln!(
                        out,
                        "<p>And {} retry chains more, which are not drawn on this page.</p>",
                        self.chains_left
                    )?;
                }
            }
        }
        writeln!(out, "</body>\n</html>")
    }
}

impl Group {
    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        self.whole.iter().try_for_each(|article| out.write_all(article.as_bytes()))?;
        if self.brief.is_empty() {
            return Ok(());
        }
        writeln!(
            out,
            "<p>The first {} stand above; of the others a page holds one row each. aerscope verify --format jsonl says \
             everything of every record.</p>\n<table class=\"brief\">\n<tr><th>record</th><th>class</th><th>id</th>\
             <th>declared hash</th></tr>",
            self.whole.len()
        )?;
        self.brief.iter().try_for_each(|row| out.write_all(row.as_bytes()))?;
        writeln!(out, "</table>")?;
        match self.left {
            0 => Ok(()),
            n => writeln!(out, "<p>And {n} more, which this page counts and does not list.</p>"),
        }
    }
}

/// One record in one row.
fn brief(path: &Path, report: &Report) -> String {
    let shown =
        |value: &Option<String>| value.as_deref().map(|v| escaped(&text::shown_cut(v, 100))).unwrap_or_default();
    format!(
        "<tr><td><code>{}</code></td><td>{}</td><td><code>{}</code></td><td><code>{}</code></td></tr>\n",
        escaped(&sentence::at(path, report.place)),
        report.class.map_or("", |c| c.as_str()),
        shown(&report.id),
        shown(&report.bytes.declared)
    )
}

/// Glyph and word; the colour is besides.
fn verdict(headline: Headline) -> String {
    let name = headline.as_str();
    format!("<span class=\"v {name}\">{} {}</span>", escaped(sentence::glyph(headline).0), sentence::word(headline))
}

fn article(path: &Path, report: &Report, folder_notes: &[Note]) -> String {
    let name = report.headline.as_str();
    let class = report.class.map(|c| format!(" <code>{}</code>", c.as_str())).unwrap_or_default();
    let mut out = format!(
        "<article class=\"{name}\">\n<h3>{} <code class=\"path\">{}</code>{class}</h3>\n<p>{}</p>\n<dl>\n",
        verdict(report.headline),
        escaped(&sentence::at(path, report.place)),
        escaped(&sentence::why(report))
    );
    let mut row = |name: &str, value: String| out.push_str(&format!("<dt>{name}</dt><dd>{value}</dd>\n"));
    let shown = |value: &Option<String>| value.as_deref().map(|v| escaped(&text::shown_cut(v, 400)));
    if report.kind != Kind::None {
        row("kind", escaped(sentence::kind(report.kind)));
    }
    if let Some(id) = shown(&report.id) {
        let state = match report.id_state {
            IdState::Absent => String::new(),
            state => format!(" <span class=\"dim\">{}</span>", escaped(sentence::id_state(state))),
        };
        row("id", format!("<code>{id}</code>{state}"));
    }
    if let Some(version) = shown(&report.version) {
        row("version", version);
    }
    if let (Some(class), Some(raw)) = (shown(&report.provenance), &report.provenance) {
        row("provenance", format!("{class} <span class=\"dim\">{}</span>", escaped(sentence::provenance(raw))));
    }
    if let Some(tool) = shown(&report.tool) {
        row("tool", format!("{tool} {}", shown(&report.tool_version).unwrap_or_default()));
    }
    if let Some(created) = shown(&report.created_at) {
        row("created", created);
    }
    let own = [("status", &report.status), ("verification_status", &report.verification_status)];
    let own: Vec<_> = own.into_iter().filter_map(|(n, v)| shown(v).map(|v| format!("{n} {v}"))).collect();
    if !own.is_empty() {
        row("it says", own.join(" · "));
    }
    if report.kind.is_receipt() {
        row("covered", covered(report));
    }
    if let Some(c) = &report.correlation {
        row("linked by", escaped(&sentence::correlation(c)));
    }
    if report.anchor != Anchor::Absent {
        row("anchor", escaped(sentence::anchor(report.anchor)));
    }
    out.push_str("</dl>\n");
    out.push_str(&hashes(report));
    if report.kind != Kind::None || !report.faults.is_empty() {
        out.push_str(&checks(report));
    }
    if let Some(structure) = report.structure.as_deref().filter(|s| !s.parts.is_empty()) {
        out.push_str(&time_line(structure));
    }
    let notes: Vec<_> = report.notes.iter().chain(folder_notes).map(sentence::note).collect();
    if !notes.is_empty() {
        out.push_str("<ul class=\"notes\">");
        notes.iter().take(NOTES).for_each(|n| out.push_str(&format!("<li>{}</li>", escaped(n))));
        if let Some(more) = notes.len().checked_sub(NOTES).filter(|n| *n > 0) {
            out.push_str(&format!("<li>and {more} notes more; --format jsonl has every one</li>"));
        }
        out.push_str("</ul>\n");
    }
    out.push_str("</article>\n");
    out
}

/// What the hash covers, and what it does not.
fn covered(report: &Report) -> String {
    let bytes = match (report.bytes.state, report.bytes.length) {
        (BytesState::Match, Some(n)) => format!("the {} of the result", sentence::bytes_count(n)),
        (BytesState::Match, None) => "the bytes of the result".to_owned(),
        _ => "nothing that was found here".to_owned(),
    };
    let besides = match report.labels {
        Labels::Bound => "",
        _ => " <span class=\"dim\">not covered: id, tool, time, class</span>",
    };
    format!("{bytes}{besides}")
}

fn hashes(report: &Report) -> String {
    let declared = report.bytes.declared.as_deref().map(|d| text::shown_cut(d, 400).into_owned());
    let recomputed = report.bytes.recomputed.as_ref().map(|d| format!("sha256:{}", hex(d)));
    let at = match (&report.bytes.declared, &recomputed) {
        (Some(a), Some(b)) => first_difference(a, b),
        _ => None,
    };
    let marked = |hash: &str| match at.and_then(|digit| hash.split_at_checked("sha256:".len() + digit)) {
        Some((same, other)) => format!("{}<mark>{}</mark>", escaped(same), escaped(other)),
        None => escaped(hash),
    };
    let mut out = String::new();
    for (name, hash) in [(sentence::declared(report), declared), ("recomputed", recomputed)] {
        if let Some(hash) = hash {
            out.push_str(&format!("<tr><th>{name}</th><td><code>{}</code></td></tr>", marked(&hash)));
        }
    }
    if let Some(digit) = at {
        out.push_str(&format!("<tr><th></th><td>first difference at hex digit {digit}</td></tr>"));
    }
    if out.is_empty() { out } else { format!("<table class=\"hashes\">{out}</table>\n") }
}

fn checks(report: &Report) -> String {
    let mut out = String::from("<ul class=\"checks\">");
    for layer in Layer::ALL {
        let (class, glyph) = match report.check(*layer) {
            Check::NotApplicable => continue,
            Check::Passed => ("passed", "✓"),
            Check::Failed => ("failed", "✗"),
            Check::NotReached => ("skipped", "–"),
        };
        let title = escaped(sentence::layer(*layer));
        let how = sentence::check(report.check(*layer));
        out.push_str(&format!("<li class=\"{class}\" title=\"{title}: {how}\">{glyph} {}</li>", layer.as_str()));
    }
    out.push_str("</ul>\n");
    // The one that speaks is the sentence at the top.
    let others: Vec<_> = report.faults.iter().filter(|fault| report.speaking() != Some(fault)).collect();
    if !others.is_empty() {
        out.push_str("<ul class=\"faults\">");
        for fault in others {
            out.push_str(&format!(
                "<li><code>{}</code> {}</li>",
                fault.class.as_str(),
                escaped(&sentence::fault(fault))
            ));
        }
        out.push_str("</ul>\n");
    }
    out
}

/// Entries or steps, in order, with how each holds.
fn time_line(structure: &Structure) -> String {
    let mut out = String::from("<ol class=\"line\">\n");
    for part in &structure.parts {
        let holds =
            if part.holds { "<span class=\"ok\">holds</span>" } else { "<span class=\"no\">does not hold</span>" };
        let words =
            [Some(&part.id), part.tool.as_ref(), part.provenance.as_ref(), part.status.as_ref(), part.time.as_ref()];
        let words = words.into_iter().flatten().filter(|w| !w.is_empty());
        let words = words.map(|w| escaped(&text::shown_cut(w, 120))).collect::<Vec<_>>().join(" · ");
        out.push_str(&format!("<li>{} {words} {holds}", escaped(&text::shown_cut(&part.seq, 40))));
        let hash = part.digest.as_ref().or(part.output_hash.as_ref());
        if let Some(hash) = hash {
            out.push_str(&format!("<br><code>{}</code>", escaped(&text::shown_cut(hash, 80))));
        }
        out.push_str("</li>\n");
    }
    out.push_str("</ol>\n");
    for (name, root) in [("declared", &structure.declared_root), ("recomputed", &structure.recomputed_root)] {
        if let Some(root) = root {
            out.push_str(&format!(
                "<p class=\"root\">{name} <code>{}</code></p>\n",
                escaped(&text::shown_cut(root, 80))
            ));
        }
    }
    out
}

#[cfg(test)]
mod tests;
