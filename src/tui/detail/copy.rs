//! What a copy takes: full values. A pasted control sequence acts on the terminal it is pasted into, so a value that
//! holds special characters is copied in its visible form, or as base64 where the exact bytes matter, and the
//! confirmation says so.

use base64::Engine as _;

use super::OpenRecord;
use crate::aer1::report::hex;
use crate::text;

/// What can be copied of the open record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// The recomputed hash; the declared one when there are no bytes.
    Hash,
    /// The id as it stands in the record.
    Id,
    /// The file's path, with the place in it.
    Path,
    /// The decoded bytes: as text when they are text without special characters, else in base64.
    Bytes,
    /// The record's own text.
    Record,
}

/// A value, and what to call it in the confirmation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Copied {
    /// What it is, in words.
    pub what: &'static str,
    /// The value; no special character but line ends and tabs.
    pub value: Vec<u8>,
}

/// The value, or a sentence that says why there is none.
pub fn copy(open: &OpenRecord, what: What) -> Result<Copied, &'static str> {
    let copied = |what, value: Vec<u8>| Ok(Copied { what, value });
    match what {
        What::Hash => match (&open.report.bytes.recomputed, &open.report.bytes.declared) {
            (Some(hash), _) => copied("the recomputed hash", format!("sha256:{}", hex(hash)).into_bytes()),
            (None, Some(declared)) => {
                Ok(visible("the declared hash", "the declared hash, escaped", declared.as_bytes()))
            }
            (None, None) => Err("the record has no hash"),
        },
        What::Id => match &open.report.id {
            Some(id) => Ok(visible("the id", "the id, escaped", id.as_bytes())),
            None => Err("the record has no id"),
        },
        What::Path => {
            let mut value = open.path.as_os_str().as_encoded_bytes().to_vec();
            value.extend_from_slice(open.place.to_string().as_bytes());
            Ok(visible("the path", "the path, escaped", &value))
        }
        What::Bytes => match &open.canonical {
            Some(bytes) if text::is_plain(bytes) => copied("the decoded bytes", bytes.clone()),
            Some(bytes) => {
                let encoded = base64::engine::general_purpose::STANDARD.encode(bytes);
                copied("the decoded bytes, in base64", encoded.into_bytes())
            }
            None => Err("the record has no bytes that can be decoded"),
        },
        What::Record => Ok(visible("the record", "the record, escaped", &open.record)),
    }
}

/// The value as it is when nothing in it is special, else its visible form, line by line.
fn visible(what: &'static str, escaped: &'static str, value: &[u8]) -> Copied {
    if text::is_plain(value) {
        return Copied { what, value: value.to_vec() };
    }
    let lines: Vec<_> = value.split(|b| *b == b'\n').map(text::shown_bytes).collect();
    Copied { what: escaped, value: lines.join("\n").into_bytes() }
}
