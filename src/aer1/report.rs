//! What one look at one record found: raw values and positions, no sentences (rules §1).

#[cfg(test)]
mod tests;

use super::grammar::Moment;
pub use super::words::{
    Anchor, BytesState, CanonicalForm, Check, Class, Headline, IdState, Kind, Labels, Layer, Profile, Shape,
};

/// Where in its file a record stands: the whole file, `#i` (array element, from 0), `:n` (line, from 1) or `:n#i`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
pub struct Place {
    /// Line number from 1, blank lines counted; 0 when the file is not line-wise.
    pub line: u32,
    /// Array index plus one; 0 when the record is not an array element.
    element: u32,
}

impl Place {
    /// The only record of its file.
    pub const WHOLE: Place = Place { line: 0, element: 0 };

    /// The document on line `line`.
    pub const fn line(line: u32) -> Place {
        Place { line, element: 0 }
    }

    /// Element `index` of the array at this place.
    pub const fn at(self, index: u32) -> Place {
        Place { line: self.line, element: index.saturating_add(1) }
    }

    /// The array index, if this is an element.
    pub const fn index(self) -> Option<u32> {
        self.element.checked_sub(1)
    }

    /// Whether this is the only record of its file.
    pub const fn is_whole(self) -> bool {
        self.line == 0 && self.element == 0
    }

    /// Reads `#3`, `:12` or `:12#0`; the empty text is the whole file.
    pub fn parse(text: &str) -> Option<Place> {
        let (line, index) = match text.split_once('#') {
            Some((line, index)) => (line, Some(index.parse::<u32>().ok().filter(|i| *i < u32::MAX)?)),
            None => (text, None),
        };
        let line = match line.strip_prefix(':') {
            Some(n) => n.parse::<u32>().ok().filter(|n| *n > 0)?,
            None if line.is_empty() => 0,
            None => return None,
        };
        let place = Place::line(line);
        Some(index.map_or(place, |i| place.at(i)))
    }
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.line > 0 {
            write!(f, ":{}", self.line)?;
        }
        match self.index() {
            Some(i) => write!(f, "#{i}"),
            None => Ok(()),
        }
    }
}

/// One thing found wrong. Raw values: whoever shows them escapes them.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Fault {
    /// What kind of fault.
    pub class: Class,
    /// The member it is about, dotted (`tool.name`, `steps[3].seq`); empty for the record as a whole.
    pub member: String,
    /// What was found there, raw.
    pub found: Option<String>,
    /// What was expected, raw.
    pub expected: Option<String>,
    /// A position: a byte offset into the document's text (its line, where each line is one) for JSON faults, into the
    /// member's text or the decoded bytes otherwise.
    pub offset: Option<u64>,
}

impl Fault {
    /// A fault of the record as a whole.
    pub fn new(class: Class) -> Fault {
        Fault { class, member: String::new(), found: None, expected: None, offset: None }
    }

    /// A fault of one member.
    pub fn of(class: Class, member: impl Into<String>) -> Fault {
        Fault { member: member.into(), ..Fault::new(class) }
    }

    /// Adds what was found.
    pub fn found(mut self, found: impl Into<String>) -> Fault {
        self.found = Some(found.into());
        self
    }

    /// Adds what was expected.
    pub fn expected(mut self, expected: impl Into<String>) -> Fault {
        self.expected = Some(expected.into());
        self
    }

    /// Adds a position.
    pub fn at(mut self, offset: usize) -> Fault {
        self.offset = Some(offset as u64);
        self
    }
}

/// What is worth saying and changes no headline.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum Note {
    /// The file began with one byte order mark.
    ByteOrderMark,
    /// The decoded bytes are empty.
    EmptyBytes,
    /// The stated time is later than this machine's clock.
    FutureTime {
        /// The clock, as handed in.
        clock: Moment,
    },
    /// The id is no version 4 UUID.
    IdNotVersion4,
    /// A signature is present; its key, if any, travels in the receipt, so it proves only that some key signed.
    SignatureUnchecked,
    /// An anchor of another kind is shown as the record's claim.
    OtherAnchor,
    /// The other anchor's `envelope_bytes` and `envelope` agree, or do not, with each other and with id and hash.
    AnchorEnvelope {
        /// Whether they agree.
        agrees: bool,
    },
    /// What is wrong with the anchor: one entry each.
    AnchorFault(Fault),
    /// The side-effects declaration hash was recomputed.
    SideEffects {
        /// Whether it agrees.
        agrees: bool,
    },
    /// Members nobody here evaluates, named because the version is not known.
    NotEvaluated(Vec<String>),
    /// The receipt stood in this kind of wrapper.
    Wrapped(Wrapper),
    /// The record is two kinds at once; both were checked.
    TwoKinds(Kind, Kind),
    /// Nothing shows that the end of the chain was not cut off.
    EndNotProven,
    /// A commitment agrees with the chain: its end is proven as far as the commitment came from elsewhere.
    EndCommitted,
    /// The chain is of the older construction.
    HistoricalChain,
    /// What a Merkle root of this leaf rule covers.
    RootCovers(LeafRule),
    /// The workflow's own output hash cannot be recomputed without the final answer.
    WorkflowOutputUnavailable,
    /// A redacted projection of the receipt with this id; the original commitment as it is labelled there.
    Projection {
        /// `projection_of`.
        of: String,
        /// The projection's own commitment, if it names one.
        own_hash: Option<String>,
    },
    /// The provider's own error text.
    ProviderMessage(String),
    /// The file name is a UUID, but not the record's id.
    FileNameOtherId,
    /// Another record carries the same id and the same bytes.
    CopyOf(String),
    /// Another record carries the same id and other bytes.
    IdConflict(String),
    /// Another id carries the same bytes: a possible replay.
    PossibleReplay(String),
    /// `retry_of` or `supersedes` names a record that is not here.
    PointerToNothing(String),
    /// How many of a workflow's step receipts are present.
    StepsPresent {
        /// Found in the folder.
        present: u32,
        /// Listed by the workflow.
        listed: u32,
        /// Present, and failing or disagreeing.
        failing: u32,
    },
    /// A commitment in another file fits this chain, or the other way round.
    CommitmentElsewhere(String),
    /// The content changed while it was watched: output hash before and after.
    Rewritten {
        /// The hash before.
        before: String,
        /// The hash after.
        after: String,
    },
}

/// What a receipt may be wrapped in (rules §2.1–§2.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub enum Wrapper {
    /// A JSON-RPC response.
    JsonRpc,
    /// A CloudEvents 1.0 event.
    CloudEvent,
    /// A CloudEvents event in an event bus's `detail`.
    EventBus,
    /// A verify endpoint's answer.
    VerifyEndpoint,
}

/// Which leaf a Merkle root was built from (rules §7).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub enum LeafRule {
    /// `seq-output-v1`: covers order and outputs, not ids.
    SeqOutput,
    /// `receipt-id-v0` or absent: covers ids and order, not outputs.
    ReceiptId,
}

/// The finding about the canonical bytes.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Bytes {
    /// How they compare.
    pub state: BytesState,
    /// Decoded length in bytes, when they could be decoded.
    pub length: Option<u64>,
    /// `output_hash` as the record has it (or the projection's label for the original one).
    pub declared: Option<String>,
    /// SHA-256 of the decoded bytes.
    pub recomputed: Option<[u8; 32]>,
}

/// What links a record with others (rules §9).
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Correlation {
    /// The configured field that won, as it is configured.
    pub field: String,
    /// Its value.
    pub value: String,
    /// Whether the same value stands inside the matching bytes.
    pub bound: bool,
    /// Whether the field by itself says "attempts of one call" (`correlation_id`, `retry_of`, a configured field).
    pub explicit: bool,
}

/// One entry of a timeline, or one step of a workflow, as it was checked.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Part {
    /// Its own id, or the receipt id it names.
    pub id: String,
    /// Its number as written.
    pub seq: String,
    /// Tool, when stated.
    pub tool: Option<String>,
    /// Provenance class, when stated.
    pub provenance: Option<String>,
    /// Status, when stated.
    pub status: Option<String>,
    /// Start or creation time as written, when stated.
    pub time: Option<String>,
    /// The output hash it lists or has, bare hex.
    pub output_hash: Option<String>,
    /// The recomputed entry digest (timeline), bare hex.
    pub digest: Option<String>,
    /// What it says the digest before it is (timeline).
    pub prev_digest: Option<String>,
    /// Whether its link holds (timeline) or it could be used as a leaf (workflow).
    pub holds: bool,
}

/// What a timeline, workflow or commitment holds beside the fields every record has.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Structure {
    /// Entries or steps, in order.
    pub parts: Vec<Part>,
    /// `merkle_root` or `final_entry_digest` as written.
    pub declared_root: Option<String>,
    /// The recomputed root, or the digest of the last entry.
    pub recomputed_root: Option<String>,
    /// `job_id` (chain, commitment) or the workflow's own id.
    pub group: Option<String>,
    /// `entry_count` (commitment) or `count` (workflow), when it is an integer.
    pub count: Option<u64>,
}

/// Everything one look at one record found.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Report {
    /// Where in its file.
    pub place: Place,
    /// Which kind of document.
    pub kind: Kind,
    /// The one word.
    pub headline: Headline,
    /// Why, when there is a reason to name.
    pub class: Option<Class>,
    /// Every fault, in layer order.
    pub faults: Vec<Fault>,
    /// How each layer ended, by [`Layer`] as index.
    pub checks: [Check; Layer::ALL.len()],
    /// `id` as it stands in the record.
    pub id: Option<String>,
    /// `receipt_schema_version`, or the committed one where a transport receipt has none.
    pub version: Option<String>,
    /// Tool name (`n entries` / `n steps` for a timeline or workflow).
    pub tool: Option<String>,
    /// Tool version.
    pub tool_version: Option<String>,
    /// Caller scope.
    pub tool_scope: Option<String>,
    /// `created_at`, or `timestamp`, as written.
    pub created_at: Option<String>,
    /// The same as a moment, when it is one.
    pub created: Option<Moment>,
    /// `provenance_class` as written.
    pub provenance: Option<String>,
    /// The record's own `verification_status`: a claim.
    pub verification_status: Option<String>,
    /// The execution status: a claim.
    pub status: Option<String>,
    /// The finding about the bytes.
    pub bytes: Bytes,
    /// The finding about the shape.
    pub shape: Shape,
    /// The finding about the labels.
    pub labels: Labels,
    /// The finding about the id.
    pub id_state: IdState,
    /// The finding about the anchor.
    pub anchor: Anchor,
    /// Canonical form of the bytes; `None` when there are none or it was not asked for.
    pub canonical_form: Option<CanonicalForm>,
    /// What links it with others.
    pub correlation: Option<Correlation>,
    /// The ids in `retry_of` and `supersedes`, each once.
    pub points_to: Vec<String>,
    /// The record's own `seq`, when it is an integer.
    pub seq: Option<i64>,
    /// A digest of the committed `inputs` (members sorted, white space dropped): equal digests, same request.
    pub inputs: Option<[u8; 16]>,
    /// Other statements of the record about itself, shown as claims: member and raw value text.
    pub claims: Vec<(String, String)>,
    /// What is worth saying besides.
    pub notes: Vec<Note>,
    /// Entries, steps and roots of a timeline, workflow or commitment.
    pub structure: Option<Box<Structure>>,
}

impl Report {
    /// A report that says nothing yet.
    pub fn empty(place: Place, kind: Kind, headline: Headline) -> Report {
        Report {
            place,
            kind,
            headline,
            class: None,
            faults: Vec::new(),
            checks: [Check::NotApplicable; Layer::ALL.len()],
            id: None,
            version: None,
            tool: None,
            tool_version: None,
            tool_scope: None,
            created_at: None,
            created: None,
            provenance: None,
            verification_status: None,
            status: None,
            bytes: Bytes { state: BytesState::Unavailable, length: None, declared: None, recomputed: None },
            shape: Shape::Complete,
            labels: Labels::Unbound,
            id_state: IdState::Absent,
            anchor: Anchor::Absent,
            canonical_form: None,
            correlation: None,
            points_to: Vec::new(),
            seq: None,
            inputs: None,
            claims: Vec::new(),
            notes: Vec::new(),
            structure: None,
        }
    }

    /// A record that has one fault and nothing else to show: unreadable files and texts that are not JSON.
    pub fn of_fault(place: Place, fault: Fault) -> Report {
        let class = fault.class;
        let mut report = Report::empty(place, Kind::None, class.headline());
        report.class = Some(class);
        report.shape = Shape::Faulty;
        if let Some(check) = report.checks.get_mut(class.layer() as usize) {
            *check = Check::Failed;
        }
        for layer in Layer::ALL {
            let slot = report.checks.get_mut(*layer as usize);
            match (slot, (*layer as usize).cmp(&(class.layer() as usize))) {
                (Some(check), std::cmp::Ordering::Less) => *check = Check::Passed,
                (Some(check), std::cmp::Ordering::Greater) => *check = Check::NotReached,
                _ => {}
            }
        }
        report.faults.push(fault);
        report
    }

    /// What the record says of itself in single texts, raw, under the names every output uses.
    pub fn texts(&self) -> impl Iterator<Item = (&'static str, &str)> {
        let all = [
            ("id", &self.id),
            ("version", &self.version),
            ("tool", &self.tool),
            ("created_at", &self.created_at),
            ("provenance", &self.provenance),
            ("verification_status", &self.verification_status),
            ("status", &self.status),
        ];
        all.into_iter().filter_map(|(name, value)| value.as_deref().map(|text| (name, text)))
    }

    /// Says how one layer ended.
    pub(super) fn mark(&mut self, layer: Layer, check: Check) {
        if let Some(slot) = self.checks.get_mut(layer as usize) {
            *slot = check;
        }
    }

    /// Marks the layers in which faults were found.
    pub(super) fn mark_faults(&mut self) {
        let failed: Vec<Layer> = self.faults.iter().map(|fault| fault.class.layer()).collect();
        for layer in failed {
            self.mark(layer, Check::Failed);
        }
    }

    /// How one layer ended.
    pub fn check(&self, layer: Layer) -> Check {
        self.checks.get(layer as usize).copied().unwrap_or(Check::NotApplicable)
    }

    /// The classes of all faults, in layer order, each once.
    pub fn classes(&self) -> Vec<Class> {
        let mut seen = Vec::new();
        for fault in &self.faults {
            if !seen.contains(&fault.class) {
                seen.push(fault.class);
            }
        }
        seen
    }

    /// The fault that gives the record its class: the first of it.
    pub fn speaking(&self) -> Option<&Fault> {
        self.faults.iter().find(|f| Some(f.class) == self.class)
    }
}

/// Lowercase hexadecimal.
pub fn hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let mut out = String::with_capacity(bytes.len().saturating_mul(2));
    for byte in bytes {
        for digit in [byte >> 4, byte & 15] {
            out.push(DIGITS.get(usize::from(digit)).map_or('0', |d| char::from(*d)));
        }
    }
    out
}
