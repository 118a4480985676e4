//! What the committed bytes themselves say: inner version, inner class, inputs (rules §3.3, §3.13, §9).
//!
//! The bytes need not be JSON; then they commit none of these. They are read a little more leniently than a record
//! (neither a lone surrogate nor nesting of any depth hides a contradiction), and where a name stands twice every
//! value counts.

use std::borrow::Cow;

use sha2::{Digest as _, Sha256};

use memchr::memmem::Finder;

use super::json::{self, Doc, NodeKind, Rules, Value};

/// Looks for the names that bytes can commit to.
///
/// A JSON name is written as it is, or with an escape for a character of it; letters and `_` have none but `\u`. Bytes
/// without any of these texts commit neither a version nor a class, whatever else they are, and need not be read.
#[derive(Debug)]
pub(super) struct Names {
    version: Finder<'static>,
    claims: Finder<'static>,
    escape: Finder<'static>,
}

impl Default for Names {
    fn default() -> Names {
        Names {
            version: Finder::new("receipt_schema_version"),
            claims: Finder::new("issuer_claims"),
            escape: Finder::new("\\u"),
        }
    }
}

impl Names {
    fn may_stand_in(&self, bytes: &[u8]) -> bool {
        [&self.version, &self.claims, &self.escape].into_iter().any(|name| name.find(bytes).is_some())
    }
}

/// What was read of the committed bytes: borrowed nothing, so that the scratch space stays free.
#[derive(Debug, Default)]
pub(super) struct Committed {
    versions: Vec<Option<String>>,
    classes: Vec<Option<String>>,
    /// Where `inputs` stands in the bytes.
    inputs: Option<std::ops::Range<usize>>,
    /// Nothing but the names was looked for; `inputs` is not known.
    unread: bool,
}

impl Committed {
    /// Every `receipt_schema_version` at the top of the bytes; `None` where one is no text.
    pub fn versions(&self) -> &[Option<String>] {
        &self.versions
    }

    /// Every `issuer_claims.provenance_class`; `None` where one is no text.
    pub fn classes(&self) -> &[Option<String>] {
        &self.classes
    }
}

/// The bytes without a byte order mark, and how long it is.
fn body(decoded: &[u8]) -> (&[u8], usize) {
    match decoded.strip_prefix("\u{feff}".as_bytes()) {
        Some(rest) => (rest, decoded.len() - rest.len()),
        None => (decoded, 0),
    }
}

/// Reads the top of the bytes, two levels deep.
fn skim<'a>(decoded: &'a [u8], doc: &'a mut Doc) -> Option<Value<'a>> {
    let (body, _) = body(decoded);
    let rules = Rules { max_depth: u32::MAX, keep_depth: 2, allow_surrogates: true, find_duplicates: false };
    json::parse_with(body, rules, doc).ok()?;
    doc.root(body).filter(|root| root.is_object())
}

fn own_text(value: Value<'_>) -> Option<String> {
    value.str().map(Cow::into_owned)
}

/// Reads what rules §3.3 and §3.13 compare. The bytes must match their hash: altered bytes commit nothing.
pub(super) fn read(decoded: &[u8], names: &Names, doc: &mut Doc) -> Committed {
    match names.may_stand_in(decoded) {
        true => read_all(decoded, doc),
        false => Committed { unread: true, ..Committed::default() },
    }
}

fn read_all(decoded: &[u8], doc: &mut Doc) -> Committed {
    let mut committed = Committed::default();
    let (_, mark) = body(decoded);
    let Some(root) = skim(decoded, doc) else { return committed };
    for (key, value) in root.members() {
        if key.is_name("receipt_schema_version") {
            committed.versions.push(own_text(value));
        } else if key.is_name("issuer_claims") {
            for (key, value) in value.members() {
                if key.is_name("provenance_class") {
                    committed.classes.push(own_text(value));
                }
            }
        } else if key.is_name("inputs") {
            let span = value.span();
            committed.inputs = Some(span.start + mark..span.end + mark);
        }
    }
    committed
}

/// Whether the bytes are a JSON object with `inputs` (the reference profile).
pub(super) fn has_inputs(decoded: &[u8], doc: &mut Doc) -> bool {
    read_all(decoded, doc).inputs.is_some()
}

/// A digest of the committed `inputs` in canonical form; of inputs too deep for that, of their text.
pub(super) fn inputs_digest(committed: &Committed, decoded: &[u8], doc: &mut Doc) -> Option<[u8; 16]> {
    let inputs = if committed.unread { read_all(decoded, doc).inputs } else { committed.inputs.clone() };
    let raw = decoded.get(inputs?)?;
    let mut canonical = Vec::with_capacity(raw.len());
    match json::parse(raw, 128, doc) {
        Ok(()) => json::canonical(doc.root(raw)?, &mut canonical),
        Err(_) => canonical.extend_from_slice(raw),
    }
    let digest: [u8; 32] = Sha256::digest(&canonical).into();
    digest.first_chunk().copied()
}

/// Whether a string equal to `text` stands anywhere inside the bytes as a JSON value (rules §9: then a link is bound).
pub(super) fn holds_text(decoded: &[u8], doc: &mut Doc, text: &str) -> bool {
    // The text stands there as it is, or with escapes. Letters, digits and hyphens can only be hidden by `\u`.
    let plain = text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_');
    let escape: &[u8] = if plain { b"\\u" } else { b"\\" };
    let may_hold =
        memchr::memmem::find(decoded, text.as_bytes()).is_some() || memchr::memmem::find(decoded, escape).is_some();
    let (body, _) = body(decoded);
    if !may_hold || json::parse(body, 128, doc).is_err() {
        return false;
    }
    doc.nodes().iter().any(|node| {
        node.kind == NodeKind::String
            && body.get(node.start as usize..node.end as usize).is_some_and(|raw| {
                let long_enough = raw.len() >= text.len();
                long_enough && json::unescape(raw).is_some_and(|own| own == text)
            })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn piece() -> impl Strategy<Value = String> {
        prop_oneof![
            Just("\"receipt_schema_version\":\"0.4\"".to_owned()),
            Just("\"issuer_claims\":{\"provenance_class\":\"X\"}".to_owned()),
            Just("\"issuer_claims\":{\"provenance\\u005fclass\":\"X\"}".to_owned()),
            Just("\"receipt\\u005Fschema_version\":\"0.3\"".to_owned()),
            Just("\"\\u0069ssuer_claims\":{\"provenance_class\":1}".to_owned()),
            Just("\"inputs\":{\"issuer_claims\":1}".to_owned()),
            Just("\"inputs\":{\"a\":1}".to_owned()),
            Just("\"provenance_class\":\"X\"".to_owned()),
            Just("\"a\":\"\\n\"".to_owned()),
            Just("\"a\":{".to_owned()),
        ]
    }

    proptest! {
        #[test]
        fn looking_for_the_names_first_commits_the_same(
            pieces in prop::collection::vec(piece(), 0..4),
            marked: bool,
        ) {
            let text = format!("{}{{{}}}", if marked { "\u{feff}" } else { "" }, pieces.join(","));
            let (quick, all) = {
                let mut doc = Doc::new();
                (read(text.as_bytes(), &Names::default(), &mut doc), read_all(text.as_bytes(), &mut doc))
            };
            prop_assert_eq!(quick.versions(), all.versions());
            prop_assert_eq!(quick.classes(), all.classes());
            let digest = |of: &Committed| inputs_digest(of, text.as_bytes(), &mut Doc::new());
            prop_assert_eq!(digest(&quick), digest(&all));
        }
    }
}
