//! The stable words: headlines, classes, layers and states, each with its machine string.
//!
//! Every machine string of the project is spelled here and nowhere else; their order is the order in which they speak
//! (rules §1, §3). [`super::report`] builds reports out of them.

/// The one word for a record, decided after all findings (rules §1).
/// Never says more than the weakest finding it rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
pub enum Headline {
    /// A complete published receipt of a known version; the bytes match and the record itself says `verified`. The only green one.
    Verified,
    /// The bytes match, but the record claims or proves less.
    Intact,
    /// Nothing to compare.
    Unavailable,
    /// A version or algorithm that cannot be interpreted here.
    Unsupported,
    /// A layer of rules §3 failed; the class says which.
    Malformed,
    /// Two things that must agree do not.
    Mismatch,
    /// Readable JSON that is none of the known kinds.
    NotReceipt,
    /// The file could not be read, or is over the size limit.
    Unreadable,
}

impl Headline {
    /// Every value, in order of declaration.
    pub const ALL: &'static [Headline] = &[
        Headline::Verified,
        Headline::Intact,
        Headline::Unavailable,
        Headline::Unsupported,
        Headline::Malformed,
        Headline::Mismatch,
        Headline::NotReceipt,
        Headline::Unreadable,
    ];

    /// The stable machine string.
    pub const fn as_str(self) -> &'static str {
        match self {
            Headline::Verified => "verified",
            Headline::Intact => "intact",
            Headline::Unavailable => "unavailable",
            Headline::Unsupported => "unsupported",
            Headline::Malformed => "malformed",
            Headline::Mismatch => "mismatch",
            Headline::NotReceipt => "not_receipt",
            Headline::Unreadable => "unreadable",
        }
    }

    /// The value with this machine string.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|v| v.as_str() == word)
    }

    /// `malformed` or `mismatch` (rules §1): what a person must look at.
    pub const fn is_failing(self) -> bool {
        matches!(self, Headline::Malformed | Headline::Mismatch)
    }

    /// Whether this may be drawn green. True for one value.
    pub const fn is_green(self) -> bool {
        matches!(self, Headline::Verified)
    }

    /// How bad this is beside other parts of one record (rules §2): higher is weaker.
    pub const fn weakness(self) -> u8 {
        match self {
            Headline::Verified => 0,
            Headline::Intact => 1,
            Headline::Unavailable => 2,
            Headline::Unsupported => 3,
            Headline::Malformed | Headline::Mismatch | Headline::Unreadable => 4,
            Headline::NotReceipt => 1,
        }
    }
}

/// Which kind of document a record is (rules §2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
pub enum Kind {
    /// A receipt in the published form.
    Published,
    /// A receipt as an MCP response carries it.
    Transport,
    /// A workflow close with a Merkle root.
    Workflow,
    /// A hash-chained timeline.
    Chain,
    /// A chain commitment without its chain.
    Commitment,
    /// A JSON-RPC error instead of a receipt.
    ProviderError,
    /// None of these.
    None,
}

impl Kind {
    /// Every value, in order of declaration.
    pub const ALL: &'static [Kind] = &[
        Kind::Published,
        Kind::Transport,
        Kind::Workflow,
        Kind::Chain,
        Kind::Commitment,
        Kind::ProviderError,
        Kind::None,
    ];

    /// The stable machine string.
    pub const fn as_str(self) -> &'static str {
        match self {
            Kind::Published => "published",
            Kind::Transport => "transport",
            Kind::Workflow => "workflow",
            Kind::Chain => "chain",
            Kind::Commitment => "commitment",
            Kind::ProviderError => "provider_error",
            Kind::None => "none",
        }
    }

    /// The value with this machine string.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|v| v.as_str() == word)
    }

    /// Whether this is a single receipt.
    pub const fn is_receipt(self) -> bool {
        matches!(self, Kind::Published | Kind::Transport)
    }
}

/// A layer of checking, in the order in which faults speak (rules §3, §6, §7).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
pub enum Layer {
    /// The file can be read.
    File,
    /// The text is JSON without surprises.
    Json,
    /// The schema version is known and agrees with the committed one.
    Version,
    /// The bytes are strict standard base64.
    Base64,
    /// The decoded bytes are UTF-8.
    Utf8,
    /// Required members are present and typed.
    Members,
    /// The id is a lowercase hyphenated UUID.
    Id,
    /// The time is a real moment with a zone.
    Time,
    /// Tool name, version and scope are stated.
    Tool,
    /// The class is one of the three statements.
    Provenance,
    /// The record itself says `verified`.
    Status,
    /// The digest and length agree with the bytes.
    Hash,
    /// What the bytes commit agrees with the labels.
    Binding,
    /// A chain or workflow is in order.
    Structure,
    /// Each link, root or count agrees.
    Links,
    /// The wrapper agrees with its receipt.
    Envelope,
    /// The id agrees with what was expected from outside.
    Identity,
}

impl Layer {
    /// Every value, in order of declaration.
    pub const ALL: &'static [Layer] = &[
        Layer::File,
        Layer::Json,
        Layer::Version,
        Layer::Base64,
        Layer::Utf8,
        Layer::Members,
        Layer::Id,
        Layer::Time,
        Layer::Tool,
        Layer::Provenance,
        Layer::Status,
        Layer::Hash,
        Layer::Binding,
        Layer::Structure,
        Layer::Links,
        Layer::Envelope,
        Layer::Identity,
    ];

    /// The stable machine string.
    pub const fn as_str(self) -> &'static str {
        match self {
            Layer::File => "file",
            Layer::Json => "json",
            Layer::Version => "version",
            Layer::Base64 => "base64",
            Layer::Utf8 => "utf8",
            Layer::Members => "members",
            Layer::Id => "id",
            Layer::Time => "time",
            Layer::Tool => "tool",
            Layer::Provenance => "provenance",
            Layer::Status => "status",
            Layer::Hash => "hash",
            Layer::Binding => "binding",
            Layer::Structure => "structure",
            Layer::Links => "links",
            Layer::Envelope => "envelope",
            Layer::Identity => "identity",
        }
    }

    /// The value with this machine string.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|v| v.as_str() == word)
    }
}

/// Why a record has its headline: one stable, actionable reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
pub enum Class {
    /// The file could not be read.
    IoError,
    /// The path is not a regular file.
    NotAFile,
    /// The file or line is over the size limit.
    TooLarge,
    /// No byte, or only a byte order mark and white space.
    EmptyFile,
    /// The text is not UTF-8.
    JsonEncoding,
    /// The text ends inside a value.
    JsonTruncated,
    /// The text is not JSON.
    JsonSyntax,
    /// More nesting levels than are read.
    JsonDepth,
    /// A lone surrogate escape.
    JsonSurrogate,
    /// A member is named twice: two readers would see two records.
    DuplicateMember,
    /// The stated version is not the version in the committed bytes.
    VersionMismatch,
    /// The schema version is not known here.
    VersionUnsupported,
    /// A character outside the standard base64 alphabet.
    Base64Alphabet,
    /// Base64 padding is missing, surplus or misplaced.
    Base64Padding,
    /// The base64 pad bits are not zero.
    Base64Noncanonical,
    /// The decoded bytes are not UTF-8.
    Utf8Invalid,
    /// A required member is absent.
    MissingMember,
    /// A member has the wrong JSON type.
    WrongType,
    /// Sequence numbers do not run 1..n.
    ChainSeq,
    /// Entries belong to more than one job.
    ChainJob,
    /// The chain does not close exactly at its last entry.
    ChainClose,
    /// The leaf rule of the root is not known here.
    MerkleVersionUnsupported,
    /// Step numbers do not run in order.
    WorkflowSeq,
    /// A receipt id stands in the workflow twice.
    WorkflowDuplicateId,
    /// The stated count is not the number of steps.
    WorkflowCount,
    /// The id is not a lowercase hyphenated UUID.
    IdSyntax,
    /// The id is the nil UUID.
    IdNil,
    /// The time has not the required form.
    TimeSyntax,
    /// The time names a moment that does not exist.
    TimeCalendar,
    /// Tool name, version or scope is not a non-empty text.
    ToolInvalid,
    /// The provenance class is none of the three statements.
    ProvenanceUnknown,
    /// The record itself does not say `verified`.
    StatusNotVerified,
    /// The hash is not written as required.
    HashSyntax,
    /// The hash algorithm is not sha256.
    HashAlgorithmUnsupported,
    /// The stated length is not the length of the bytes.
    LengthMismatch,
    /// The bytes are not the bytes the record commits to.
    DigestMismatch,
    /// The stated class is not the class in the committed bytes.
    ProvenanceMismatch,
    /// A 0.4 receipt without `metadata_hash`.
    MetadataHashMissing,
    /// The first entry does not start from 64 zeros.
    ChainGenesis,
    /// An entry does not carry the digest of the one before it.
    ChainLink,
    /// The commitment does not agree with the chain.
    CommitmentMismatch,
    /// The Merkle root is not the root of the listed steps.
    MerkleRootMismatch,
    /// The wrapper states something else than its receipt.
    EnvelopeMismatch,
    /// The record is not the expected one.
    IdMismatch,
    /// The provider answered with an error.
    ProviderError,
    /// The chain uses the older construction.
    ChainHistorical,
    /// The payload is not a JSON object with `inputs` (reference profile).
    ProfileInputs,
    /// The anchor is absent or does not verify (anchored profile).
    AnchorFailed,
}

impl Class {
    /// Every value, in order of declaration.
    pub const ALL: &'static [Class] = &[
        Class::IoError,
        Class::NotAFile,
        Class::TooLarge,
        Class::EmptyFile,
        Class::JsonEncoding,
        Class::JsonTruncated,
        Class::JsonSyntax,
        Class::JsonDepth,
        Class::JsonSurrogate,
        Class::DuplicateMember,
        Class::VersionMismatch,
        Class::VersionUnsupported,
        Class::Base64Alphabet,
        Class::Base64Padding,
        Class::Base64Noncanonical,
        Class::Utf8Invalid,
        Class::MissingMember,
        Class::WrongType,
        Class::ChainSeq,
        Class::ChainJob,
        Class::ChainClose,
        Class::MerkleVersionUnsupported,
        Class::WorkflowSeq,
        Class::WorkflowDuplicateId,
        Class::WorkflowCount,
        Class::IdSyntax,
        Class::IdNil,
        Class::TimeSyntax,
        Class::TimeCalendar,
        Class::ToolInvalid,
        Class::ProvenanceUnknown,
        Class::StatusNotVerified,
        Class::HashSyntax,
        Class::HashAlgorithmUnsupported,
        Class::LengthMismatch,
        Class::DigestMismatch,
        Class::ProvenanceMismatch,
        Class::MetadataHashMissing,
        Class::ChainGenesis,
        Class::ChainLink,
        Class::CommitmentMismatch,
        Class::MerkleRootMismatch,
        Class::EnvelopeMismatch,
        Class::IdMismatch,
        Class::ProviderError,
        Class::ChainHistorical,
        Class::ProfileInputs,
        Class::AnchorFailed,
    ];

    /// The stable machine string.
    pub const fn as_str(self) -> &'static str {
        match self {
            Class::IoError => "io_error",
            Class::NotAFile => "not_a_file",
            Class::TooLarge => "too_large",
            Class::EmptyFile => "empty_file",
            Class::JsonEncoding => "json_encoding",
            Class::JsonTruncated => "json_truncated",
            Class::JsonSyntax => "json_syntax",
            Class::JsonDepth => "json_depth",
            Class::JsonSurrogate => "json_surrogate",
            Class::DuplicateMember => "duplicate_member",
            Class::VersionMismatch => "version_mismatch",
            Class::VersionUnsupported => "version_unsupported",
            Class::Base64Alphabet => "base64_alphabet",
            Class::Base64Padding => "base64_padding",
            Class::Base64Noncanonical => "base64_noncanonical",
            Class::Utf8Invalid => "utf8_invalid",
            Class::MissingMember => "missing_member",
            Class::WrongType => "wrong_type",
            Class::ChainSeq => "chain_seq",
            Class::ChainJob => "chain_job",
            Class::ChainClose => "chain_close",
            Class::MerkleVersionUnsupported => "merkle_version_unsupported",
            Class::WorkflowSeq => "workflow_seq",
            Class::WorkflowDuplicateId => "workflow_duplicate_id",
            Class::WorkflowCount => "workflow_count",
            Class::IdSyntax => "id_syntax",
            Class::IdNil => "id_nil",
            Class::TimeSyntax => "time_syntax",
            Class::TimeCalendar => "time_calendar",
            Class::ToolInvalid => "tool_invalid",
            Class::ProvenanceUnknown => "provenance_unknown",
            Class::StatusNotVerified => "status_not_verified",
            Class::HashSyntax => "hash_syntax",
            Class::HashAlgorithmUnsupported => "hash_algorithm_unsupported",
            Class::LengthMismatch => "length_mismatch",
            Class::DigestMismatch => "digest_mismatch",
            Class::ProvenanceMismatch => "provenance_mismatch",
            Class::MetadataHashMissing => "metadata_hash_missing",
            Class::ChainGenesis => "chain_genesis",
            Class::ChainLink => "chain_link",
            Class::CommitmentMismatch => "commitment_mismatch",
            Class::MerkleRootMismatch => "merkle_root_mismatch",
            Class::EnvelopeMismatch => "envelope_mismatch",
            Class::IdMismatch => "id_mismatch",
            Class::ProviderError => "provider_error",
            Class::ChainHistorical => "chain_historical",
            Class::ProfileInputs => "profile_inputs",
            Class::AnchorFailed => "anchor_failed",
        }
    }

    /// The value with this machine string.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|v| v.as_str() == word)
    }

    /// The layer this class belongs to.
    pub const fn layer(self) -> Layer {
        match self {
            Class::IoError | Class::NotAFile | Class::TooLarge | Class::EmptyFile => Layer::File,
            Class::JsonEncoding
            | Class::JsonTruncated
            | Class::JsonSyntax
            | Class::JsonDepth
            | Class::JsonSurrogate
            | Class::DuplicateMember => Layer::Json,
            Class::VersionMismatch | Class::VersionUnsupported => Layer::Version,
            Class::Base64Alphabet | Class::Base64Padding | Class::Base64Noncanonical => Layer::Base64,
            Class::Utf8Invalid => Layer::Utf8,
            Class::MissingMember | Class::WrongType => Layer::Members,
            Class::ChainSeq
            | Class::ChainJob
            | Class::ChainClose
            | Class::MerkleVersionUnsupported
            | Class::WorkflowSeq
            | Class::WorkflowDuplicateId
            | Class::ChainHistorical => Layer::Structure,
            Class::WorkflowCount
            | Class::ChainGenesis
            | Class::ChainLink
            | Class::CommitmentMismatch
            | Class::MerkleRootMismatch => Layer::Links,
            Class::IdSyntax | Class::IdNil => Layer::Id,
            Class::TimeSyntax | Class::TimeCalendar => Layer::Time,
            Class::ToolInvalid => Layer::Tool,
            Class::ProvenanceUnknown => Layer::Provenance,
            Class::StatusNotVerified => Layer::Status,
            Class::HashSyntax | Class::HashAlgorithmUnsupported | Class::LengthMismatch | Class::DigestMismatch => {
                Layer::Hash
            }
            Class::ProvenanceMismatch | Class::MetadataHashMissing | Class::ProfileInputs | Class::AnchorFailed => {
                Layer::Binding
            }
            Class::EnvelopeMismatch | Class::ProviderError => Layer::Envelope,
            Class::IdMismatch => Layer::Identity,
        }
    }

    /// The headline a record gets when this class speaks for it.
    pub const fn headline(self) -> Headline {
        match self {
            Class::IoError | Class::NotAFile | Class::TooLarge => Headline::Unreadable,
            Class::EmptyFile
            | Class::JsonEncoding
            | Class::JsonTruncated
            | Class::JsonSyntax
            | Class::JsonDepth
            | Class::JsonSurrogate
            | Class::DuplicateMember
            | Class::Base64Alphabet
            | Class::Base64Padding
            | Class::Base64Noncanonical
            | Class::Utf8Invalid
            | Class::MissingMember
            | Class::WrongType
            | Class::ChainSeq
            | Class::ChainJob
            | Class::ChainClose
            | Class::WorkflowSeq
            | Class::WorkflowDuplicateId
            | Class::IdSyntax
            | Class::IdNil
            | Class::TimeSyntax
            | Class::TimeCalendar
            | Class::ToolInvalid
            | Class::ProvenanceUnknown
            | Class::HashSyntax
            | Class::MetadataHashMissing
            | Class::ProfileInputs
            | Class::AnchorFailed => Headline::Malformed,
            Class::VersionMismatch
            | Class::WorkflowCount
            | Class::LengthMismatch
            | Class::DigestMismatch
            | Class::ProvenanceMismatch
            | Class::ChainGenesis
            | Class::ChainLink
            | Class::CommitmentMismatch
            | Class::MerkleRootMismatch
            | Class::EnvelopeMismatch
            | Class::IdMismatch => Headline::Mismatch,
            Class::VersionUnsupported | Class::MerkleVersionUnsupported | Class::HashAlgorithmUnsupported => {
                Headline::Unsupported
            }
            Class::StatusNotVerified | Class::ChainHistorical => Headline::Intact,
            Class::ProviderError => Headline::Unavailable,
        }
    }
}

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
