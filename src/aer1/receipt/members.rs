//! The members of a receipt that rules §3 speak of, looked up once.

use std::borrow::Cow;

use crate::aer1::json::{NodeKind, Value};

/// Members that rules §3 speak of; others are unknown and never change a headline.
pub(super) const KNOWN_MEMBERS: [&str; 16] = [
    "id",
    "receipt_schema_version",
    "created_at",
    "timestamp",
    "tool",
    "tool_context",
    "provenance_class",
    "canonical_bytes",
    "canonical_byte_length",
    "output_hash",
    "hash_algorithm",
    "verification_status",
    "status",
    "metadata_hash",
    "anchor",
    "projection_of",
];

/// Names more members than this are not listed one by one.
pub(super) const LISTED_MEMBERS: usize = 100;

/// A member that must be a string: its text, or the fault.
pub(super) enum Text<'a> {
    Absent,
    Is(Cow<'a, str>),
    Wrong(NodeKind),
}

pub(super) fn text<'a>(value: Option<Value<'a>>) -> Text<'a> {
    match value {
        None => Text::Absent,
        Some(v) => match v.str() {
            Some(s) => Text::Is(s),
            None => Text::Wrong(v.kind()),
        },
    }
}

/// The members of one receipt, each looked up once.
pub(super) struct Members<'a> {
    pub id: Option<Value<'a>>,
    pub version: Option<Value<'a>>,
    pub created_at: Option<Value<'a>>,
    pub timestamp: Option<Value<'a>>,
    pub tool: Option<Value<'a>>,
    pub tool_context: Option<Value<'a>>,
    pub provenance: Option<Value<'a>>,
    pub bytes: Option<Value<'a>>,
    pub length: Option<Value<'a>>,
    pub hash: Option<Value<'a>>,
    pub algorithm: Option<Value<'a>>,
    pub verification: Option<Value<'a>>,
    pub status: Option<Value<'a>>,
    pub metadata_hash: Option<Value<'a>>,
    pub anchor: Option<Value<'a>>,
    pub projection_of: Option<Value<'a>>,
}

impl<'a> Members<'a> {
    /// One pass over the receipt; of members with one name the last counts, as with [`Value::get`].
    pub fn of(receipt: Value<'a>) -> Members<'a> {
        let mut found: [Option<Value<'a>>; KNOWN_MEMBERS.len()] = [None; KNOWN_MEMBERS.len()];
        for (key, value) in receipt.members() {
            let known = KNOWN_MEMBERS.iter().zip(&mut found).find(|(name, _)| key.is_name(name));
            if let Some((_, slot)) = known {
                *slot = Some(value);
            }
        }
        let [
            id,
            version,
            created_at,
            timestamp,
            tool,
            tool_context,
            provenance,
            bytes,
            length,
            hash,
            algorithm,
            verification,
            status,
            metadata_hash,
            anchor,
            projection_of,
        ] = found;
        Members {
            id,
            version,
            created_at,
            timestamp,
            tool,
            tool_context,
            provenance,
            bytes,
            length,
            hash,
            algorithm,
            verification,
            status,
            metadata_hash,
            anchor,
            projection_of,
        }
    }
}
