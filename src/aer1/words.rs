//! The stable words: headlines, classes, layers and states, each with its machine string.
//!
//! Every machine string of the project is spelled here and nowhere else; their order is the order in which they speak
//! (rules §1, §3). [`super::report`] builds reports out of them.

mod class;
mod states;
#[cfg(test)]
mod tests;

pub use class::Class;
pub use states::{Anchor, BytesState, CanonicalForm, Check, IdState, Labels, Profile, Shape};

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
