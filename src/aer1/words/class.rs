//! Classes: why a record is not verified, each with the layer and the headline it belongs to.

use super::{Headline, Layer};

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
