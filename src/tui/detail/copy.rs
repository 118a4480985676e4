//! What a copy takes: full raw values. Escaping is for screens, and a clipboard wants the value itself.

use base64::Engine as _;

use super::OpenRecord;
use crate::aer1::report::hex;

/// What can be copied of the open record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// The recomputed hash; the declared one when there are no bytes.
    Hash,
    /// The id as it stands in the record.
    Id,
    /// The file's path, with the place in it.
    Path,
    /// The decoded bytes: as text when they are UTF-8, else in base64.
    Bytes,
    /// The record's own text.
    Record,
}

/// A value, and what to call it in the confirmation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Copied {
    /// What it is, in words.
    pub what: &'static str,
    /// The value, exactly; may hold anything.
    pub value: Vec<u8>,
}

/// The value, or a sentence that says why there is none.
pub fn copy(open: &OpenRecord, what: What) -> Result<Copied, &'static str> {
    let copied = |what, value: Vec<u8>| Ok(Copied { what, value });
    match what {
        What::Hash => match (&open.report.bytes.recomputed, &open.report.bytes.declared) {
            (Some(hash), _) => copied("the recomputed hash", format!("sha256:{}", hex(hash)).into_bytes()),
            (None, Some(declared)) => copied("the declared hash", declared.clone().into_bytes()),
            (None, None) => Err("the record has no hash"),
        },
        What::Id => match &open.report.id {
            Some(id) => copied("the id", id.clone().into_bytes()),
            None => Err("the record has no id"),
        },
        What::Path => {
            let mut value = open.path.as_os_str().as_encoded_bytes().to_vec();
            value.extend_from_slice(open.place.to_string().as_bytes());
            copied("the path", value)
        }
        What::Bytes => match &open.canonical {
            Some(bytes) if std::str::from_utf8(bytes).is_ok() => copied("the decoded bytes", bytes.clone()),
            Some(bytes) => {
                let text = base64::engine::general_purpose::STANDARD.encode(bytes);
                copied("the decoded bytes, in base64", text.into_bytes())
            }
            None => Err("the record has no bytes that can be decoded"),
        },
        What::Record => copied("the record", open.record.clone()),
    }
}
