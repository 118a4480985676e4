//! A run written down, so that it can be repeated and compared: what was understood, what ran, what came out.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::SystemTime;

use serde::{Deserialize, Serialize};

use super::{Outcome, Suite};
use crate::aer1::KNOWN_VERSIONS;
use crate::aer1::grammar::Moment;
use crate::aer1::words::Class;
use crate::text;

/// The draft revision that is implemented in full.
pub const DRAFT_REVISION: &str = "08";

/// One run, as it is written to a file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunRecord {
    /// The version of this form: 1.
    pub run: u32,
    /// Version of aerscope.
    pub aerscope: String,
    /// The compilers.
    pub rustc: Rustc,
    /// Schema versions that are interpreted.
    pub schema_versions: Vec<String>,
    /// The draft revision that is implemented in full.
    pub draft_revision: String,
    /// Operating system and processor.
    pub platform: String,
    /// The command as it was given, word by word; what is not UTF-8 is replaced.
    pub command: Vec<String>,
    /// The suite's absolute path; absent for the built-in one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub suite: Option<String>,
    /// How the suite is laid out: `manifest`, `kit` or `file`.
    pub layout: String,
    /// When it began, UTC.
    pub started: String,
    /// When it ended, UTC.
    pub ended: String,
    /// How many agree.
    pub agree: u64,
    /// How many do not.
    pub disagree: u64,
    /// One entry a vector, in the suite's order.
    pub vectors: Vec<Line>,
}

/// What is known about the compiler.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rustc {
    /// The oldest one this version builds with.
    pub minimum: String,
    /// The one that built this program, when its builder said so by setting `AERSCOPE_RUSTC`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub built_with: Option<String>,
}

/// One vector of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Line {
    /// The vector's name, unique in its suite.
    pub name: String,
    /// What was expected.
    pub expected: String,
    /// What was found.
    pub found: String,
    /// The class that spoke.
    pub class: Option<String>,
    /// Whether they agree.
    pub agrees: bool,
    /// SHA-256 of the file.
    pub sha256: String,
}

/// One way in which a second run differs from the first. Raw text in every member.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Difference {
    /// The vector's file has other bytes.
    Input(String),
    /// Something else is expected: before and after.
    Expected(String, String, String),
    /// Something else came out: before and after.
    Found(String, String, String),
    /// The vector did not run this time.
    Gone(String),
    /// The vector did not run last time.
    New(String),
}

impl Line {
    fn of(outcome: &Outcome) -> Line {
        Line {
            name: outcome.case.name.clone(),
            expected: outcome.expected.clone(),
            found: outcome.found.clone(),
            class: outcome.class.map(|c: Class| c.as_str().to_owned()),
            agrees: outcome.agrees,
            sha256: outcome.sha256.clone(),
        }
    }
}

impl RunRecord {
    /// Writes down what came of a suite.
    pub fn of(
        suite: &Suite,
        path: Option<&Path>,
        outcomes: &[Outcome],
        started: SystemTime,
        ended: SystemTime,
    ) -> RunRecord {
        let agree = outcomes.iter().filter(|o| o.agrees).count() as u64;
        RunRecord {
            run: 1,
            aerscope: env!("CARGO_PKG_VERSION").to_owned(),
            rustc: Rustc {
                minimum: env!("CARGO_PKG_RUST_VERSION").to_owned(),
                built_with: option_env!("AERSCOPE_RUSTC").map(str::to_owned),
            },
            schema_versions: KNOWN_VERSIONS.iter().map(|v| (*v).to_owned()).collect(),
            draft_revision: DRAFT_REVISION.to_owned(),
            platform: format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
            command: std::env::args_os().map(|word| word.to_string_lossy().into_owned()).collect(),
            suite: path.map(|path| {
                std::path::absolute(path).unwrap_or_else(|_| path.to_owned()).to_string_lossy().into_owned()
            }),
            layout: suite.layout.as_str().to_owned(),
            started: Moment::of(started).to_string(),
            ended: Moment::of(ended).to_string(),
            agree,
            disagree: outcomes.len() as u64 - agree,
            vectors: outcomes.iter().map(Line::of).collect(),
        }
    }

    /// The file's text: indented JSON with a line feed at the end.
    ///
    /// # Errors
    /// None that can come up for these types.
    pub fn to_json(&self) -> serde_json::Result<String> {
        serde_json::to_string_pretty(self).map(|json| text::json_shown(&json) + "\n")
    }

    /// Reads a run record.
    ///
    /// # Errors
    /// In words, when the text is none.
    pub fn from_json(bytes: &[u8]) -> Result<RunRecord, String> {
        let record: RunRecord = serde_json::from_slice(bytes).map_err(|error| error.to_string())?;
        if record.run == 1 { Ok(record) } else { Err(format!("run record version {} is not known here", record.run)) }
    }

    /// In what a later run differs from this one, in this one's order; new vectors last. Times, platform and command
    /// are not compared.
    pub fn differences(&self, later: &RunRecord) -> Vec<Difference> {
        let mut rest: BTreeMap<&str, &Line> = later.vectors.iter().map(|line| (line.name.as_str(), line)).collect();
        let mut all = Vec::new();
        for before in &self.vectors {
            let name = || before.name.clone();
            let Some(after) = rest.remove(before.name.as_str()) else {
                all.push(Difference::Gone(name()));
                continue;
            };
            if before.sha256 != after.sha256 {
                all.push(Difference::Input(name()));
            }
            if before.expected != after.expected {
                all.push(Difference::Expected(name(), before.expected.clone(), after.expected.clone()));
            }
            if before.found != after.found {
                all.push(Difference::Found(name(), before.found.clone(), after.found.clone()));
            }
        }
        all.extend(
            later
                .vectors
                .iter()
                .filter(|l| rest.contains_key(l.name.as_str()))
                .map(|l| Difference::New(l.name.clone())),
        );
        all
    }
}
