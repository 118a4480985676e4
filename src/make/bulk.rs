//! Folders and JSON Lines of any size, for benchmarks and tests at scale.
//!
//! The same plan gives the same bytes on every machine: own numbers, no clock. Payload sizes are log-normal, as tool
//! output is: many small, a few large.

use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use super::json::Json;
use super::payload;
use super::random::Random;
use super::receipt::{Parts, base64, committing, output_hash};
use crate::aer1::grammar::Moment;
use crate::aer1::words::Class;

/// What to make.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// How many receipts.
    pub count: u64,
    /// The seed.
    pub seed: u64,
    /// Median payload size in bytes.
    pub median: u64,
    /// Spread of the sizes: the standard deviation of their logarithm.
    pub sigma: f64,
    /// Largest payload in bytes.
    pub cap: u64,
    /// Every payload about this many bytes instead.
    pub fixed: Option<u64>,
    /// The share of defective receipts, 0 to 1.
    pub bad: f64,
    /// One line a receipt, without indentation.
    pub compact: bool,
}

impl Default for Plan {
    fn default() -> Plan {
        Plan { count: 0, seed: 1, median: 1024, sigma: 1.6, cap: 1 << 20, fixed: None, bad: 0.0, compact: false }
    }
}

/// One receipt that was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Made {
    /// Its id before any defect: the file name without `.json`.
    pub id: String,
    /// The file's text, with a line feed at the end unless it is cut off.
    pub text: Vec<u8>,
    /// The class that must be found, `None` for a receipt that must be `verified`.
    pub class: Option<Class>,
}

/// Defects a receipt can be given: each makes exactly one class speak.
const DEFECTS: [Class; 16] = [
    Class::DigestMismatch,
    Class::DigestMismatch,
    Class::LengthMismatch,
    Class::HashSyntax,
    Class::HashAlgorithmUnsupported,
    Class::Base64Alphabet,
    Class::Base64Padding,
    Class::Utf8Invalid,
    Class::IdNil,
    Class::IdSyntax,
    Class::TimeCalendar,
    Class::MissingMember,
    Class::ProvenanceUnknown,
    Class::StatusNotVerified,
    Class::DuplicateMember,
    Class::JsonTruncated,
];

const CLASSES: [&str; 10] = [
    "EXECUTED BY HARBOUR GATEWAY 2",
    "EXECUTED BY HARBOUR GATEWAY 2",
    "EXECUTED BY HARBOUR GATEWAY 2",
    "EXECUTED BY HARBOUR GATEWAY 2",
    "EXECUTED BY QUAY-9",
    "EXECUTED BY QUAY-9",
    "EXECUTED BY QUAY-9",
    "OBSERVED VIA GATEWAY",
    "OBSERVED VIA GATEWAY",
    "LOGGED BY AGENT",
];

/// Makes receipts one after the other.
#[derive(Debug)]
pub struct Bulk {
    plan: Plan,
    random: Random,
    done: u64,
    job: String,
    job_left: u64,
    millis: u64,
}

/// 2026-01-01T00:00:00Z.
const EPOCH: i64 = 1_767_225_600;

impl Bulk {
    /// Starts on a plan.
    pub fn new(plan: Plan) -> Bulk {
        let random = Random::new(plan.seed);
        Bulk { plan, random, done: 0, job: String::new(), job_left: 0, millis: 0 }
    }

    fn size(&mut self) -> usize {
        let bytes = match self.plan.fixed {
            Some(bytes) => bytes,
            None => {
                let drawn = (self.plan.median.max(1) as f64).ln() + self.plan.sigma * self.random.normal();
                // Saturates; the cap is applied to whatever comes out.
                (drawn.exp() as u64).clamp(64, self.plan.cap.max(64))
            }
        };
        usize::try_from(bytes).unwrap_or(usize::MAX)
    }

    fn receipt(&mut self) -> (String, Vec<u8>, Json) {
        if self.job_left == 0 {
            self.job = self.random.uuid();
            self.job_left = 1 + self.random.below(11);
        }
        self.job_left -= 1;
        self.millis += 20 + self.random.below(2_000);
        let size = self.size();
        let random = &mut self.random;
        let tool = payload::tool(random);
        let inputs = payload::inputs(random);
        let outputs = payload::outputs(random, size.saturating_sub(90));
        let bytes = payload::committed(tool, inputs, outputs, &[]);
        let created = Moment {
            secs: EPOCH + i64::try_from(self.millis / 1000).unwrap_or(0),
            nanos: u32::try_from(self.millis % 1000).unwrap_or(0) * 1_000_000,
        };
        let parts = Parts {
            id: random.uuid(),
            version: "0.3".to_owned(),
            created: created.to_string(),
            tool: tool.to_owned(),
            tool_version: format!("1.{}.0", random.below(5)),
            scope: payload::scope(random).to_owned(),
            provenance: random.pick(&CLASSES).to_owned(),
        };
        let receipt = parts.published(&bytes).with("job_id", self.job.as_str());
        (parts.id, bytes, receipt)
    }

    fn spoiled(&mut self, class: Class, bytes: &[u8], receipt: Json) -> Json {
        match class {
            Class::LengthMismatch => receipt.with("canonical_byte_length", bytes.len() as u64 + 1),
            Class::HashSyntax => receipt.with("output_hash", output_hash(bytes).to_ascii_uppercase()),
            Class::HashAlgorithmUnsupported => receipt.with("hash_algorithm", "sha512"),
            Class::Base64Alphabet => receipt.with("canonical_bytes", format!("_{}", base64(bytes))),
            Class::Base64Padding => receipt.with("canonical_bytes", format!("{}=", base64(bytes))),
            Class::Utf8Invalid => committing(receipt, &[bytes, b"\xff"].concat()),
            Class::IdNil => receipt.with("id", "00000000-0000-0000-0000-000000000000"),
            Class::IdSyntax => receipt.with("id", self.random.uuid().to_ascii_uppercase().replace('-', "")),
            Class::TimeCalendar => receipt.with("created_at", "2026-02-30T00:00:00Z"),
            Class::MissingMember => receipt.without("provenance_class"),
            Class::ProvenanceUnknown => receipt.with("provenance_class", "CERTIFIED"),
            Class::StatusNotVerified => receipt.with("verification_status", "pending"),
            Class::DuplicateMember => {
                let mut receipt = receipt;
                receipt.add("verification_status", "verified");
                receipt
            }
            Class::JsonTruncated => receipt,
            _ if self.random.chance(0.5) => receipt.with("output_hash", output_hash(b"other")),
            _ => receipt.with("canonical_bytes", base64(&[bytes, b"\n"].concat())),
        }
    }
}

impl Iterator for Bulk {
    type Item = Made;

    fn next(&mut self) -> Option<Made> {
        if self.done >= self.plan.count {
            return None;
        }
        let (id, bytes, mut receipt) = self.receipt();
        // The first is always good: a text is line-wise only if its first line is whole.
        let bad = self.random.chance(self.plan.bad) && self.done > 0;
        self.done += 1;
        let mut class = None;
        if bad {
            let at = usize::try_from(self.random.below(DEFECTS.len() as u64)).unwrap_or(0);
            let defect = DEFECTS.get(at).copied().unwrap_or(Class::DigestMismatch);
            class = Some(defect);
            receipt = self.spoiled(defect, &bytes, receipt);
        }
        let mut text = if self.plan.compact { receipt.compact() + "\n" } else { receipt.pretty() }.into_bytes();
        if class == Some(Class::JsonTruncated) {
            text.truncate(text.len() * 2 / 3);
        }
        Some(Made { id, text, class })
    }
}

/// Writes one file a receipt into `dir`, which is made if it is not there; then `each` is told.
///
/// # Errors
/// What the file system says.
pub fn write_folder(dir: &Path, plan: Plan, mut each: impl FnMut(&Made)) -> io::Result<()> {
    fs::create_dir_all(dir)?;
    for made in Bulk::new(plan) {
        fs::write(dir.join(format!("{}.json", made.id)), &made.text)?;
        each(&made);
    }
    Ok(())
}

/// Writes one line a receipt into a new file; then `each` is told.
///
/// # Errors
/// What the file system says.
pub fn write_lines(file: &Path, plan: Plan, mut each: impl FnMut(&Made)) -> io::Result<()> {
    let mut out = BufWriter::with_capacity(1 << 18, fs::File::create(file)?);
    for made in Bulk::new(Plan { compact: true, ..plan }) {
        out.write_all(&made.text)?;
        if !made.text.ends_with(b"\n") {
            out.write_all(b"\n")?;
        }
        each(&made);
    }
    out.flush()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::aer1::report::Report;
    use crate::aer1::verify::{Options, Verifier};
    use crate::aer1::words::Headline;

    #[test]
    fn the_same_plan_gives_the_same_bytes() {
        let plan = || Plan { count: 30, bad: 0.5, ..Plan::default() };
        assert_eq!(Bulk::new(plan()).collect::<Vec<_>>(), Bulk::new(plan()).collect::<Vec<_>>());
        let other = Bulk::new(Plan { seed: 2, ..plan() }).collect::<Vec<_>>();
        assert_ne!(Bulk::new(plan()).collect::<Vec<_>>(), other);
    }

    #[test]
    fn each_receipt_gets_the_verdict_it_was_made_for() {
        let mut verifier = Verifier::new(Options::default());
        let mut seen = std::collections::BTreeSet::new();
        for compact in [false, true] {
            for made in Bulk::new(Plan { count: 400, bad: 0.7, median: 200, compact, ..Plan::default() }) {
                let mut reports: Vec<Report> = Vec::new();
                verifier.text(&made.text, &mut |report| reports.push(report));
                let [report] = reports.as_slice() else { panic!("{} records", reports.len()) };
                let headline = made.class.map_or(Headline::Verified, Class::headline);
                assert_eq!((report.headline, report.class), (headline, made.class), "{}", made.id);
                seen.insert(made.class);
            }
        }
        assert_eq!(seen.len(), DEFECTS.len(), "one defect stands twice, and good ones are there: {seen:?}");
    }

    #[test]
    fn sizes_are_log_normal() {
        let plan = Plan { count: 400, ..Plan::default() };
        let mut sizes: Vec<usize> = Bulk::new(plan).map(|made| made.text.len()).collect();
        sizes.sort_unstable();
        // Base64 and labels around a median payload of 1 KiB.
        assert!((1_200..3_000).contains(&sizes[200]), "{}", sizes[200]);
        assert!(sizes[399] > 20_000, "{}", sizes[399]);
        let fixed = Plan { count: 3, fixed: Some(50_000), ..Plan::default() };
        for made in Bulk::new(fixed) {
            assert!((50_000..120_000).contains(&made.text.len()), "{}", made.text.len());
        }
    }
}
