//! The canonical form of a value (rules §1), for the note that shows it and for comparing inputs.

use std::borrow::Cow;

use super::{NodeKind, Value, unescape_lossy};

/// Appends the canonical form of `value` (rules §1): members sorted by code point, no white space, shortest escapes,
/// non-ASCII raw, numbers as written. Of members named twice both are written.
pub fn canonical(value: Value<'_>, out: &mut Vec<u8>) {
    match value.kind() {
        NodeKind::Object => {
            // UTF-8 sorts by code point.
            let mut members: Vec<(Cow<'_, [u8]>, Value<'_>)> = value
                .members()
                .map(|(key, member)| (unescape_lossy(key.raw()).unwrap_or(Cow::Borrowed(key.raw())), member))
                .collect();
            members.sort_by(|a, b| a.0.cmp(&b.0));
            out.push(b'{');
            for (i, (name, member)) in members.into_iter().enumerate() {
                if i > 0 {
                    out.push(b',');
                }
                canonical_string(&name, out);
                out.push(b':');
                canonical(member, out);
            }
            out.push(b'}');
        }
        NodeKind::Array => {
            out.push(b'[');
            for (i, element) in value.elements().enumerate() {
                if i > 0 {
                    out.push(b',');
                }
                canonical(element, out);
            }
            out.push(b']');
        }
        NodeKind::String | NodeKind::Key => {
            canonical_string(&unescape_lossy(value.raw()).unwrap_or(Cow::Borrowed(value.raw())), out);
        }
        NodeKind::Number | NodeKind::True | NodeKind::False | NodeKind::Null => out.extend_from_slice(value.raw()),
    }
}

fn canonical_string(text: &[u8], out: &mut Vec<u8>) {
    out.push(b'"');
    for byte in text {
        match byte {
            b'"' => out.extend_from_slice(b"\\\""),
            b'\\' => out.extend_from_slice(b"\\\\"),
            8 => out.extend_from_slice(b"\\b"),
            12 => out.extend_from_slice(b"\\f"),
            b'\n' => out.extend_from_slice(b"\\n"),
            b'\r' => out.extend_from_slice(b"\\r"),
            b'\t' => out.extend_from_slice(b"\\t"),
            0..=0x1f => out.extend_from_slice(format!("\\u{byte:04x}").as_bytes()),
            other => out.push(*other),
        }
    }
    out.push(b'"');
}
