//! The states of single findings, and the profiles.

/// The finding about the bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
pub enum BytesState {
    /// Decoded, hashed, equal.
    Match,
    /// Decoded, hashed, different.
    Mismatch,
    /// Nothing to hash, or nothing to compare with.
    Unavailable,
    /// The bytes or the declared hash cannot be used as written.
    Malformed,
}

impl BytesState {
    /// Every value, in order of declaration.
    pub const ALL: &'static [BytesState] =
        &[BytesState::Match, BytesState::Mismatch, BytesState::Unavailable, BytesState::Malformed];

    /// The stable machine string.
    pub const fn as_str(self) -> &'static str {
        match self {
            BytesState::Match => "match",
            BytesState::Mismatch => "mismatch",
            BytesState::Unavailable => "unavailable",
            BytesState::Malformed => "malformed",
        }
    }

    /// The value with this machine string.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|v| v.as_str() == word)
    }
}

/// The finding about the shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
pub enum Shape {
    /// Every member under its published name and type.
    Complete,
    /// Transport names stand where published names are due.
    Legacy,
    /// See the faults.
    Faulty,
}

impl Shape {
    /// Every value, in order of declaration.
    pub const ALL: &'static [Shape] = &[Shape::Complete, Shape::Legacy, Shape::Faulty];

    /// The stable machine string.
    pub const fn as_str(self) -> &'static str {
        match self {
            Shape::Complete => "complete",
            Shape::Legacy => "legacy",
            Shape::Faulty => "faulty",
        }
    }

    /// The value with this machine string.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|v| v.as_str() == word)
    }
}

/// The finding about the labels: id, tool, time and class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
pub enum Labels {
    /// Not covered by the hash (0.3 and earlier).
    Unbound,
    /// Reserved: nothing public allows it yet.
    Bound,
    /// `metadata_hash` is present and cannot be recomputed.
    Claimed,
    /// A 0.4 record without `metadata_hash`.
    Missing,
    /// The committed bytes say otherwise.
    Contradicted,
}

impl Labels {
    /// Every value, in order of declaration.
    pub const ALL: &'static [Labels] =
        &[Labels::Unbound, Labels::Bound, Labels::Claimed, Labels::Missing, Labels::Contradicted];

    /// The stable machine string.
    pub const fn as_str(self) -> &'static str {
        match self {
            Labels::Unbound => "unbound",
            Labels::Bound => "bound",
            Labels::Claimed => "claimed",
            Labels::Missing => "missing",
            Labels::Contradicted => "contradicted",
        }
    }

    /// The value with this machine string.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|v| v.as_str() == word)
    }
}

/// The finding about the id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
pub enum IdState {
    /// The record has none.
    Absent,
    /// A label: nothing from outside was compared.
    Unverified,
    /// Equals the expected id.
    Matched,
    /// Equals a separately resolved record.
    Resolved,
    /// Differs from what was expected.
    Mismatched,
}

impl IdState {
    /// Every value, in order of declaration.
    pub const ALL: &'static [IdState] =
        &[IdState::Absent, IdState::Unverified, IdState::Matched, IdState::Resolved, IdState::Mismatched];

    /// The stable machine string.
    pub const fn as_str(self) -> &'static str {
        match self {
            IdState::Absent => "absent",
            IdState::Unverified => "unverified",
            IdState::Matched => "matched",
            IdState::Resolved => "resolved",
            IdState::Mismatched => "mismatched",
        }
    }

    /// The value with this machine string.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|v| v.as_str() == word)
    }
}

/// The finding about the anchor (rules §5). Never changes the headline.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
pub enum Anchor {
    /// No anchor of this profile.
    Absent,
    /// No bytes to compare with.
    NotChecked,
    /// Fields consistent; the log was not contacted.
    Verified,
    /// The fields contradict each other or the record.
    VerificationFailed,
    /// The log's host is under `.invalid`.
    Unresolvable,
}

impl Anchor {
    /// Every value, in order of declaration.
    pub const ALL: &'static [Anchor] =
        &[Anchor::Absent, Anchor::NotChecked, Anchor::Verified, Anchor::VerificationFailed, Anchor::Unresolvable];

    /// The stable machine string.
    pub const fn as_str(self) -> &'static str {
        match self {
            Anchor::Absent => "absent",
            Anchor::NotChecked => "not_checked",
            Anchor::Verified => "verified",
            Anchor::VerificationFailed => "verification_failed",
            Anchor::Unresolvable => "unresolvable",
        }
    }

    /// The value with this machine string.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|v| v.as_str() == word)
    }
}

/// Whether the decoded bytes are in canonical form. A note, never a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
pub enum CanonicalForm {
    /// Sorted, compact, shortest escapes.
    Yes,
    /// JSON, spelled otherwise.
    No,
    /// Not JSON by rules §3.2.
    NotJson,
}

impl CanonicalForm {
    /// Every value, in order of declaration.
    pub const ALL: &'static [CanonicalForm] = &[CanonicalForm::Yes, CanonicalForm::No, CanonicalForm::NotJson];

    /// The stable machine string.
    pub const fn as_str(self) -> &'static str {
        match self {
            CanonicalForm::Yes => "yes",
            CanonicalForm::No => "no",
            CanonicalForm::NotJson => "not_json",
        }
    }

    /// The value with this machine string.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|v| v.as_str() == word)
    }
}

/// How one layer ended for one record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
pub enum Check {
    /// Checked, nothing found.
    Passed,
    /// At least one fault.
    Failed,
    /// An earlier fault left nothing to check.
    NotReached,
    /// This kind of record has nothing to check here.
    NotApplicable,
}

impl Check {
    /// Every value, in order of declaration.
    pub const ALL: &'static [Check] = &[Check::Passed, Check::Failed, Check::NotReached, Check::NotApplicable];

    /// The stable machine string.
    pub const fn as_str(self) -> &'static str {
        match self {
            Check::Passed => "passed",
            Check::Failed => "failed",
            Check::NotReached => "not_reached",
            Check::NotApplicable => "not_applicable",
        }
    }

    /// The value with this machine string.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|v| v.as_str() == word)
    }
}

/// Which set of findings decides (rules §5 and the reference profile).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
pub enum Profile {
    /// Rules §3 alone.
    Core,
    /// The payload is a JSON object with `inputs`.
    Reference,
    /// Version 4 id and a verified anchor.
    Anchored,
}

impl Profile {
    /// Every value, in order of declaration.
    pub const ALL: &'static [Profile] = &[Profile::Core, Profile::Reference, Profile::Anchored];

    /// The stable machine string.
    pub const fn as_str(self) -> &'static str {
        match self {
            Profile::Core => "core",
            Profile::Reference => "reference",
            Profile::Anchored => "anchored",
        }
    }

    /// The value with this machine string.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|v| v.as_str() == word)
    }
}
