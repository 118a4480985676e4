//! JUnit XML, for continuous integration: a failing record is a failing test case.
//!
//! `malformed` and `mismatch` are failures, `unreadable` is an error, whatever else is not `verified` is skipped, and
//! `not_receipt` is left out. A failure that a baseline knows is skipped too, with `known` before its reason. Values are
//! in their visible form, since XML cannot hold every character.

use std::io::{self, Write};
use std::path::Path;

use super::sentence;
use super::spool::Spool;
use super::tally::Tally;
use crate::aer1::report::{Headline, Note, Report, hex};
use crate::text;

/// Collects test cases; the counts stand before them, so everything is written at the end. Many of them wait in a
/// [`Spool`], not in memory.
#[derive(Debug, Default)]
pub struct Junit {
    cases: Spool,
    known: u64,
    /// Why a case could not be kept.
    failed: Option<io::Error>,
}

impl Junit {
    /// Adds one record. `known` is for a failing record that is not to fail the run.
    pub fn record(&mut self, path: &Path, report: &Report, folder_notes: &[Note], known: bool) {
        if report.headline == Headline::NotReceipt {
            return;
        }
        self.known += u64::from(known && report.headline.is_failing());
        let written = self.cases.write_all(case(path, report, folder_notes, known).as_bytes());
        self.failed = self.failed.take().or(written.err());
    }

    /// Writes the document.
    ///
    /// # Errors
    /// What the writer returns, or why a case could not be kept.
    pub fn finish(&mut self, out: &mut impl Write, tally: &Tally) -> io::Result<()> {
        if let Some(error) = self.failed.take() {
            return Err(error);
        }
        let counts = format!(
            "tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\"",
            tally.records(),
            tally.failing().saturating_sub(self.known),
            tally.of(Headline::Unreadable),
            self.known
                + [Headline::Intact, Headline::Unavailable, Headline::Unsupported]
                    .iter()
                    .map(|h| tally.of(*h))
                    .sum::<u64>()
        );
        writeln!(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>")?;
        writeln!(out, "<testsuites name=\"aerscope\" {counts}>")?;
        writeln!(out, "  <testsuite name=\"aerscope verify\" {counts}>")?;
        io::copy(&mut self.cases.read()?, out)?;
        writeln!(out, "  </testsuite>")?;
        writeln!(out, "</testsuites>")
    }
}

fn case(path: &Path, report: &Report, folder_notes: &[Note], known: bool) -> String {
    let mut cases = String::new();
    let file = attribute(&text::shown_path(path));
    let name = match report.place.is_whole() {
        true => "record".to_owned(),
        false => report.place.to_string(),
    };
    cases.push_str(&format!("    <testcase classname=\"{file}\" name=\"{name}\" file=\"{file}\">\n"));
    cases.push_str("      <properties>\n");
    for (name, value) in properties(report) {
        let value = attribute(&text::shown(&value));
        cases.push_str(&format!("        <property name=\"{name}\" value=\"{value}\"/>\n"));
    }
    for note in report.notes.iter().chain(folder_notes) {
        let note = attribute(&sentence::note(note));
        cases.push_str(&format!("        <property name=\"note\" value=\"{note}\"/>\n"));
    }
    cases.push_str("      </properties>\n");
    let reason = attribute(&sentence::why(report));
    let class = report.class.map_or(report.headline.as_str(), |c| c.as_str());
    let element = match report.headline {
        Headline::Malformed | Headline::Mismatch if known => {
            let word = report.headline.as_str();
            cases.push_str(&format!("      <skipped message=\"known {word}: {class}: {reason}\"/>\n"));
            None
        }
        Headline::Malformed | Headline::Mismatch => Some("failure"),
        Headline::Unreadable => Some("error"),
        Headline::Verified | Headline::NotReceipt => None,
        Headline::Intact | Headline::Unavailable | Headline::Unsupported => {
            let word = report.headline.as_str();
            cases.push_str(&format!("      <skipped message=\"{word}: {reason}\"/>\n"));
            None
        }
    };
    if let Some(element) = element {
        let faults = report.faults.iter().map(|f| format!("{}: {}", f.class.as_str(), sentence::fault(f)));
        let body = attribute(&faults.collect::<Vec<_>>().join("\n"));
        cases.push_str(&format!(
            "      <{element} type=\"{class}\" message=\"{}: {reason}\">{body}</{element}>\n",
            report.headline.as_str()
        ));
    }
    cases.push_str("    </testcase>\n");
    cases
}

/// Name and raw value of what every format shows of a record.
pub(super) fn properties(report: &Report) -> Vec<(&'static str, String)> {
    let mut out = vec![("kind", report.kind.as_str().to_owned()), ("headline", report.headline.as_str().to_owned())];
    if let Some(class) = report.class {
        out.push(("class", class.as_str().to_owned()));
    }
    out.extend(report.texts().map(|(name, value)| (name, value.to_owned())));
    if let Some(declared) = &report.bytes.declared {
        out.push(("declared", declared.clone()));
    }
    if let Some(digest) = &report.bytes.recomputed {
        out.push(("recomputed", format!("sha256:{}", hex(digest))));
    }
    out
}

/// A visible form made safe for XML and HTML, inside quotation marks too.
pub(super) fn attribute(shown: &str) -> String {
    let mut out = String::with_capacity(shown.len());
    for c in shown.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::aer1::report::{Class, Fault, Kind, Place};

    fn rendered(reports: &[Report]) -> String {
        let (mut junit, mut tally) = (Junit::default(), Tally::default());
        for report in reports {
            tally.add(report.headline);
            junit.record(Path::new("a\x1b<b>\"&.json"), report, &[Note::CopyOf("<x>".into())], false);
        }
        let mut out = Vec::new();
        junit.finish(&mut out, &tally).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn each_headline_has_its_element() {
        let reports: Vec<_> = Headline::ALL.iter().map(|h| Report::empty(Place::WHOLE, Kind::Published, *h)).collect();
        let xml = rendered(&reports);
        assert!(xml.contains("tests=\"7\" failures=\"2\" errors=\"1\" skipped=\"3\""), "{xml}");
        assert_eq!(xml.matches("<testcase ").count(), 7, "other files are left out");
        assert_eq!(xml.matches("<failure ").count(), 2);
        assert_eq!(xml.matches("<error ").count(), 1);
        assert_eq!(xml.matches("<skipped ").count(), 3);
    }

    #[test]
    fn foreign_text_is_escaped_twice() {
        let mut report = Report::of_fault(Place::line(2), Fault::new(Class::JsonSyntax).found("<\x07"));
        report.id = Some("\"><script>\u{202e}".into());
        let xml = rendered(&[report]);
        assert!(!xml.contains("<script") && !xml.chars().any(|c| c != '\n' && text::is_special(c)), "{xml}");
        assert!(xml.contains("classname=\"a\\x1b&lt;b&gt;&quot;&amp;.json\" name=\":2\""), "{xml}");
        assert!(xml.contains("value=\"&quot;&gt;&lt;script&gt;\\u{202e}\""), "{xml}");
    }
}
