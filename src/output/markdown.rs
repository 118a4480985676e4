//! A summary in Markdown: totals, then everything that is not verified, failing first.

use std::io::{self, Write};
use std::path::Path;

use super::sentence;
use super::tally::Tally;
use crate::aer1::report::{Headline, Note, Report};
use crate::text;

/// Collects the rows of what is not verified.
#[derive(Debug, Default)]
pub struct Markdown {
    rows: Vec<(Headline, String)>,
    counts: Tally,
}

/// Rows that a summary lists of one headline; what is over that is a number.
pub const LISTED: u64 = 1000;

/// Headlines in the order in which a reader wants them: the worst first.
pub const ORDER: [Headline; 8] = [
    Headline::Mismatch,
    Headline::Malformed,
    Headline::Unreadable,
    Headline::Unsupported,
    Headline::Unavailable,
    Headline::Intact,
    Headline::Verified,
    Headline::NotReceipt,
];

impl Markdown {
    /// Adds one record.
    pub fn record(&mut self, path: &Path, report: &Report, folder_notes: &[Note]) {
        if matches!(report.headline, Headline::Verified | Headline::NotReceipt) {
            return;
        }
        self.counts.add(report.headline);
        if self.counts.of(report.headline) > LISTED {
            return;
        }
        let mut why = sentence::why(report);
        for note in folder_notes {
            why.push_str("; ");
            why.push_str(&sentence::note(note));
        }
        let shown =
            |value: &Option<String>| value.as_deref().map(|v| cell(&text::shown_cut(v, 120))).unwrap_or_default();
        self.rows.push((
            report.headline,
            format!(
                "| {} | {} | {} | {} | {} | {} | {} |",
                report.headline.as_str(),
                report.class.map_or("", |c| c.as_str()).replace('_', "\\_"),
                cell(&sentence::at(path, report.place)),
                shown(&report.id),
                shown(&report.version),
                shown(&report.provenance),
                cell(&why)
            ),
        ));
    }

    /// Writes the summary.
    ///
    /// # Errors
    /// What the writer returns.
    pub fn finish(&self, out: &mut impl Write, tally: &Tally) -> io::Result<()> {
        writeln!(out, "# AER-1 receipts: {} checked\n", tally.records())?;
        if tally.records() == 0 {
            writeln!(out, "No record was found to check: this is no result.\n")?;
        }
        writeln!(out, "| headline | records |\n|---|---:|")?;
        for headline in ORDER.iter().filter(|h| tally.of(**h) > 0) {
            let counted = if *headline == Headline::NotReceipt { " (not counted)" } else { "" };
            writeln!(out, "| {}{counted} | {} |", headline.as_str().replace('_', "\\_"), tally.of(*headline))?;
        }
        if self.rows.is_empty() {
            return Ok(());
        }
        writeln!(out, "\n## Not verified, failing first\n")?;
        writeln!(out, "| headline | class | where | id | version | provenance | why |\n|---|---|---|---|---|---|---|")?;
        for headline in ORDER {
            for (_, row) in self.rows.iter().filter(|(h, _)| *h == headline) {
                writeln!(out, "{row}")?;
            }
            if let Some(more) = self.counts.of(headline).checked_sub(LISTED).filter(|n| *n > 0) {
                writeln!(out, "| {} | | and {more} more | | | | |", headline.as_str())?;
            }
        }
        Ok(())
    }
}

/// A visible form made safe for a cell of a table: nothing in it is markup.
fn cell(shown: &str) -> String {
    let mut out = String::with_capacity(shown.len());
    for c in shown.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '\\' | '`' | '*' | '_' | '{' | '}' | '[' | ']' | '(' | ')' | '#' | '+' | '-' | '!' | '|' | '~' | '@' => {
                out.push('\\');
                out.push(c);
            }
            // A colon after a scheme would make a link.
            ':' => out.push_str("&#58;"),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::aer1::report::{Class, Fault, Kind, Place};

    #[test]
    fn failing_records_come_first_and_nothing_foreign_is_markup() {
        let (mut markdown, mut tally) = (Markdown::default(), Tally::default());
        let mut intact = Report::empty(Place::WHOLE, Kind::Transport, Headline::Intact);
        intact.id = Some("[x](http://evil)|`<b>".into());
        let failing = Report::of_fault(Place::WHOLE, Fault::of(Class::IdNil, "id"));
        for (path, report) in [("a_b.json", &intact), ("c.json", &failing)] {
            tally.add(report.headline);
            markdown.record(Path::new(path), report, &[]);
        }
        tally.add(Headline::Verified);
        let mut out = Vec::new();
        markdown.finish(&mut out, &tally).unwrap();
        let shown = String::from_utf8(out).unwrap();
        assert!(shown.find("| malformed | id\\_nil |").unwrap() < shown.find("| intact |  |").unwrap(), "{shown}");
        assert!(shown.contains("\\[x\\]\\(http&#58;//evil\\)\\|\\`&lt;b&gt;"), "{shown}");
        assert!(shown.contains("| verified | 1 |"), "{shown}");
        assert!(!shown.contains("<b>"), "{shown}");
    }
}
