//! The members of a receipt that rules §3 speak of, looked up once.

use std::borrow::Cow;

use crate::aer1::json::{NodeKind, Value};

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

/// The members of a receipt that rules §3 speak of; others are unknown and never change a headline.
#[derive(Default)]
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
        let mut found = Members::default();
        for (key, value) in receipt.members() {
            if let Some(slot) = found.slot(&key.name()) {
                *slot = Some(value);
            }
        }
        found
    }

    /// Whether rules §3 speak of a member with this name.
    pub fn know(name: &str) -> bool {
        Members::default().slot(name).is_some()
    }

    fn slot(&mut self, name: &str) -> Option<&mut Option<Value<'a>>> {
        Some(match name {
            "id" => &mut self.id,
            "receipt_schema_version" => &mut self.version,
            "created_at" => &mut self.created_at,
            "timestamp" => &mut self.timestamp,
            "tool" => &mut self.tool,
            "tool_context" => &mut self.tool_context,
            "provenance_class" => &mut self.provenance,
            "canonical_bytes" => &mut self.bytes,
            "canonical_byte_length" => &mut self.length,
            "output_hash" => &mut self.hash,
            "hash_algorithm" => &mut self.algorithm,
            "verification_status" => &mut self.verification,
            "status" => &mut self.status,
            "metadata_hash" => &mut self.metadata_hash,
            "anchor" => &mut self.anchor,
            "projection_of" => &mut self.projection_of,
            _ => return None,
        })
    }
}
