//! From the bytes of a file to reports: the one way to a verdict.

use std::ops::Range;

use super::grammar::Moment;
use super::report::{Place, Profile, Report};

/// What is handed in from outside: the clock, limits, expectations. The core reads nothing itself.
#[derive(Clone, Debug)]
pub struct Options {
    /// The clock for "later than now" notes; `None` asks for none.
    pub now: Option<Moment>,
    /// Nesting levels that are read (rules §3.2).
    pub max_depth: u32,
    /// Correlation fields in order: member names, or JSON pointers (beginning with `/`) into the record (rules §9).
    pub correlation: Vec<String>,
    /// Which findings decide.
    pub profile: Profile,
    /// Whether to compute the canonical form of the bytes.
    pub canonical_form: bool,
    /// The id the record must have (rules §4).
    pub expect_id: Option<String>,
    /// The `output_hash` and perhaps `id` of a separately resolved record (rules §4).
    pub resolved: Option<Resolved>,
}

/// A record resolved elsewhere, for comparison.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resolved {
    /// Its `output_hash`, as written.
    pub output_hash: String,
    /// Its `id`, if present.
    pub id: Option<String>,
}

/// The correlation fields when none are configured (rules §9).
pub const DEFAULT_CORRELATION: [&str; 7] =
    ["correlation_id", "retry_of", "job_id", "workflow_id", "session_id", "task_id", "run_id"];

impl Default for Options {
    fn default() -> Options {
        Options {
            now: None,
            max_depth: 128,
            correlation: DEFAULT_CORRELATION.iter().map(|f| (*f).to_owned()).collect(),
            profile: Profile::Core,
            canonical_form: false,
            expect_id: None,
            resolved: None,
        }
    }
}

/// One record opened for looking at it.
#[derive(Clone, Debug)]
pub struct Opened {
    /// The verdict, made from the bytes that were handed in.
    pub report: Report,
    /// The decoded canonical bytes, when they could be decoded.
    pub canonical: Option<Vec<u8>>,
    /// Where the record stands in the file's text: its line or array element, wrapper included.
    pub span: Range<usize>,
    /// The members of the receipt itself: name (unescaped), where its value stands in the file's text.
    pub members: Vec<(String, Range<usize>)>,
}
