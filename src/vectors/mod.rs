//! Suites of test vectors: what each file must give, against what it gives.
//!
//! [`suite`] finds out what kind of suite a path is and lists its cases: our own manifest ([`manifest`]), or the public
//! kit's layout ([`kit`]). [`run()`] runs them, [`record`] writes a run down and compares two. A receipt is valid when it
//! is `verified`, a timeline or workflow when it is `intact`; everything else is a rejection (rules §1).

pub mod kit;
pub mod manifest;
pub mod record;
pub mod suite;

use std::collections::BTreeMap;

use sha2::{Digest as _, Sha256};

use crate::aer1::report::{Place, Report, hex};
use crate::aer1::verify::{Options, Resolved, Verifier};
use crate::aer1::words::{Anchor, Class, Headline, IdState, Kind, Profile};
pub use suite::{Layout, Suite, SuiteError};

/// One thing a suite expects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// Its file, relative to the suite, with the record or the vector's name behind it: unique in the suite.
    pub name: String,
    /// The file it stands in, relative to the suite.
    pub file: String,
    /// Which record of that file.
    pub place: Place,
    /// What is verified.
    pub input: Input,
    /// With which expectations from outside.
    pub ask: Ask,
    /// What must come out.
    pub expect: Expect,
    /// Why, in the suite's words.
    pub why: String,
    /// The accepted file that differs in one place, when the suite names one.
    pub twin: Option<String>,
}

/// What a verification is asked for besides the plain verdict: a profile, an id, a record resolved elsewhere.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ask {
    /// The findings that decide; the core's when none is named.
    pub profile: Option<Profile>,
    /// The id the record must have (rules §4).
    pub expect_id: Option<String>,
    /// The record that was resolved elsewhere (rules §4).
    pub resolved: Option<Resolved>,
}

impl Ask {
    /// The options of a run with what is asked for in their place.
    fn over(&self, options: &Options) -> Options {
        Options {
            profile: self.profile.unwrap_or(Profile::Core),
            expect_id: self.expect_id.clone(),
            resolved: self.resolved.clone(),
            ..options.clone()
        }
    }

    /// In words behind a case's name, so that one record may be asked several things; empty when nothing is asked.
    fn words(&self) -> String {
        let mut words = String::new();
        if let Some(profile) = self.profile {
            words += &format!(" as {}", profile.as_str());
        }
        if let Some(id) = &self.expect_id {
            words += &format!(" expecting {id}");
        }
        if let Some(resolved) = &self.resolved {
            words += &format!(" resolved to {}", resolved.output_hash);
            if let Some(id) = &resolved.id {
                words += &format!(" of {id}");
            }
        }
        words
    }
}

/// What a case verifies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// The record at the case's place in its file.
    Record,
    /// One document taken out of the file, or made of what it lists.
    Document(Vec<u8>),
    /// Leaves of a Merkle tree.
    Leaves(Vec<[u8; 32]>),
}

/// What must come out of a case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expect {
    /// Exactly this.
    Verdict {
        /// The kind of document.
        kind: Kind,
        /// The headline.
        headline: Headline,
        /// The class.
        class: Option<Class>,
        /// The anchor finding, when the suite says something about it.
        anchor: Option<Anchor>,
        /// The id finding, when the suite says something about it.
        id: Option<IdState>,
    },
    /// Valid.
    Valid,
    /// Rejected, and by whom or what, when the suite says so.
    Rejected(By),
    /// Accepted by the core, with this anchor finding.
    Anchored(Anchor),
    /// This Merkle root, and not that one.
    Root {
        /// The root, bare hex.
        root: String,
        /// A root that must not come out.
        not: Option<String>,
    },
    /// The suite says something nobody here understands; it cannot agree.
    NotUnderstood(String),
}

/// Who or what must reject.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// Any rejection by the core.
    Core,
    /// A rejection by the core that names this class among its faults.
    Class(Class),
    /// Accepted by the core, rejected by this profile.
    Profile(Profile),
}

/// What came of one case.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// The case.
    pub case: Case,
    /// What was expected, in stable words.
    pub expected: String,
    /// What was found, in stable words.
    pub found: String,
    /// Whether they agree.
    pub agrees: bool,
    /// The class that spoke.
    pub class: Option<Class>,
    /// SHA-256 of the file, lowercase hex; empty when it could not be read.
    pub sha256: String,
    /// For a case with a twin: the offset of the first byte in which the files differ.
    pub differs_at: Option<u64>,
    /// The verdict itself, when the case has one.
    pub report: Option<Box<Report>>,
}

/// Whether a suite would call this valid (rules §1).
pub fn is_valid(report: &Report) -> bool {
    match report.kind {
        Kind::Published | Kind::Transport => report.headline == Headline::Verified,
        Kind::Chain | Kind::Workflow => report.headline == Headline::Intact,
        Kind::Commitment | Kind::ProviderError | Kind::None => false,
    }
}

/// A verdict in three stable words: kind, headline, class or `-`.
fn words(kind: Kind, headline: Headline, class: Option<Class>) -> String {
    format!("{} {} {}", kind.as_str(), headline.as_str(), class.map_or("-", Class::as_str))
}

/// The same, and the findings the suite says something about.
fn more_words(verdict: String, anchor: Option<Anchor>, id: Option<IdState>) -> String {
    let anchor = anchor.map(|state| format!(" anchor {}", state.as_str())).unwrap_or_default();
    let id = id.map(|state| format!(" id {}", state.as_str())).unwrap_or_default();
    verdict + &anchor + &id
}

impl Expect {
    /// In stable words, as the run record and the screen have it.
    pub fn words(&self) -> String {
        match self {
            Expect::Verdict { kind, headline, class, anchor, id } => {
                more_words(words(*kind, *headline, *class), *anchor, *id)
            }
            Expect::Valid => "valid".to_owned(),
            Expect::Rejected(By::Core) => "rejected".to_owned(),
            Expect::Rejected(By::Class(class)) => format!("rejected {}", class.as_str()),
            Expect::Rejected(By::Profile(profile)) => format!("valid, rejected by {}", profile.as_str()),
            Expect::Anchored(anchor) => format!("valid anchor {}", anchor.as_str()),
            Expect::Root { root, not: None } => format!("root {root}"),
            Expect::Root { root, not: Some(other) } => format!("root {root} and not {other}"),
            Expect::NotUnderstood(what) => what.clone(),
        }
    }
}

/// The reports of one text, by place.
fn reports(ask: &Ask, options: &Options, bytes: &[u8]) -> BTreeMap<Place, Report> {
    let mut all = BTreeMap::new();
    Verifier::new(ask.over(options)).text(bytes, &mut |report| {
        all.insert(report.place, report);
    });
    all
}

/// Runs every case of a suite, in its order. Records of a manifest's files that no row expects are cases of their own:
/// they disagree.
pub fn run(suite: &Suite, options: &Options) -> Vec<Outcome> {
    let mut outcomes = Vec::with_capacity(suite.cases.len());
    let mut rest = suite.cases.as_slice();
    // Cases of one file stand together; the file is read and verified once.
    while let Some(first) = rest.first() {
        let same = rest.iter().take_while(|case| case.file == first.file).count();
        let (cases, later) = rest.split_at(same);
        rest = later;
        match suite.read(&first.file) {
            Ok(bytes) => of_file(suite, cases, &bytes, options, &mut outcomes),
            Err(what) => {
                outcomes.extend(cases.iter().map(|case| outcome(case, format!("unreadable: {what}"), false, None)));
            }
        }
    }
    outcomes
}

fn outcome(case: &Case, found: String, agrees: bool, report: Option<Report>) -> Outcome {
    Outcome {
        case: case.clone(),
        expected: case.expect.words(),
        found,
        agrees,
        class: report.as_ref().and_then(|r| r.class),
        sha256: String::new(),
        differs_at: None,
        report: report.map(Box::new),
    }
}

fn of_file(suite: &Suite, cases: &[Case], bytes: &[u8], options: &Options, outcomes: &mut Vec<Outcome>) {
    let sha256 = hex(&Sha256::digest(bytes));
    let mut plain = reports(&Ask::default(), options, bytes);
    let begun = outcomes.len();
    for case in cases {
        let mut made = match &case.input {
            Input::Leaves(leaves) => of_leaves(case, leaves),
            Input::Record => {
                let report = if case.ask == Ask::default() {
                    plain.get(&case.place).cloned()
                } else {
                    reports(&case.ask, options, bytes).remove(&case.place)
                };
                of_document(case, report, bytes, options)
            }
            Input::Document(text) => {
                let report = reports(&case.ask, options, text).pop_first().map(|(_, report)| report);
                of_document(case, report, text, options)
            }
        };
        if !made.agrees {
            made.differs_at =
                case.twin.as_ref().and_then(|twin| suite.read(twin).ok()).map(|twin| first_difference(bytes, &twin));
        }
        outcomes.push(made);
    }
    if suite.layout == Layout::Manifest {
        for case in cases {
            plain.remove(&case.place);
        }
        for (place, report) in plain {
            let case = Case {
                name: format!("{}{place}", cases.first().map_or("", |c| c.file.as_str())),
                file: cases.first().map_or_else(String::new, |c| c.file.clone()),
                place,
                input: Input::Record,
                ask: Ask::default(),
                expect: Expect::NotUnderstood("no record".to_owned()),
                why: String::new(),
                twin: None,
            };
            outcomes.push(outcome(&case, words(report.kind, report.headline, report.class), false, Some(report)));
        }
    }
    for made in outcomes.iter_mut().skip(begun) {
        sha256.clone_into(&mut made.sha256);
    }
}

/// The offset of the first byte in which two files differ; the shorter length when one begins with the other.
fn first_difference(a: &[u8], b: &[u8]) -> u64 {
    a.iter().zip(b).take_while(|(x, y)| x == y).count() as u64
}

fn of_leaves(case: &Case, leaves: &[[u8; 32]]) -> Outcome {
    let root = hex(&crate::aer1::merkle_root(leaves.to_vec()));
    let agrees = match &case.expect {
        Expect::Root { root: expected, not } => *expected == root && not.as_ref() != Some(&root),
        _ => false,
    };
    outcome(case, format!("root {root}"), agrees, None)
}

fn of_document(case: &Case, report: Option<Report>, text: &[u8], options: &Options) -> Outcome {
    let Some(report) = report else {
        return outcome(case, "no record".to_owned(), false, None);
    };
    let verdict = words(report.kind, report.headline, report.class);
    let valid = is_valid(&report);
    let (found, agrees) = match &case.expect {
        Expect::Verdict { kind, headline, class, anchor, id } => {
            let same = (*kind, *headline, *class) == (report.kind, report.headline, report.class)
                && anchor.is_none_or(|state| state == report.anchor)
                && id.is_none_or(|state| state == report.id_state);
            (more_words(verdict, anchor.and(Some(report.anchor)), id.and(Some(report.id_state))), same)
        }
        Expect::Valid => (verdict, valid),
        Expect::Rejected(By::Core) => (verdict, !valid),
        Expect::Rejected(By::Class(class)) => (verdict, !valid && report.classes().contains(class)),
        Expect::Rejected(By::Profile(profile)) => {
            let ask = Ask { profile: Some(*profile), ..case.ask.clone() };
            let strict = reports(&ask, options, text).remove(&report.place);
            let rejected = strict.as_ref().is_some_and(|r| !is_valid(r));
            let said = strict.map_or_else(|| "no record".to_owned(), |r| words(r.kind, r.headline, r.class));
            (format!("{verdict}; {}: {said}", profile.as_str()), valid && rejected)
        }
        Expect::Anchored(state) => {
            (format!("{verdict} anchor {}", report.anchor.as_str()), valid && report.anchor == *state)
        }
        Expect::Root { .. } | Expect::NotUnderstood(_) => (verdict, false),
    };
    outcome(case, found, agrees, Some(report))
}

#[cfg(test)]
mod tests;
