//! Anchors, and other signatures (rules §5): findings of their own that never change a headline.

use std::borrow::Cow;

use sha2::{Digest as _, Sha256};

use super::grammar;
use super::json::{self, Doc, NodeKind, Value};
use super::report::{Anchor, Class, Fault, Note, Report, hex};

/// The four members of an anchor of this profile.
const MEMBERS: [&str; 4] = ["log", "leaf_hash", "anchored_at", "proof"];

/// Looks at `anchor` and at what else in `receipt` might be taken for a proof. `report` holds id and digest already.
pub(super) fn check(receipt: Value<'_>, anchor: Option<Value<'_>>, report: &Report) -> (Anchor, Vec<Note>) {
    let mut notes = Vec::new();
    if receipt.get("signature").is_some() {
        notes.push(Note::SignatureUnchecked);
    }
    if let Some(agrees) = receipt.get("side_effects").and_then(side_effects) {
        notes.push(Note::SideEffects { agrees });
    }
    let Some(anchor) = anchor.filter(|a| a.is_object()) else {
        return (Anchor::Absent, notes);
    };
    if !MEMBERS.iter().any(|name| anchor.get(name).is_some()) {
        notes.push(Note::OtherAnchor);
        if let Some(agrees) = relay_envelope(anchor, report) {
            notes.push(Note::AnchorEnvelope { agrees });
        }
        return (Anchor::Absent, notes);
    }
    let log = anchor.get("log").and_then(|l| l.str());
    if log.as_deref().is_some_and(is_unresolvable) {
        return (Anchor::Unresolvable, notes);
    }
    let Some(digest) = report.bytes.recomputed else {
        return (Anchor::NotChecked, notes);
    };
    let faults = faults(anchor, log.as_deref(), report.id.as_deref(), &digest);
    let state = if faults.is_empty() { Anchor::Verified } else { Anchor::VerificationFailed };
    notes.extend(faults.into_iter().map(Note::AnchorFault));
    (state, notes)
}

fn faults(anchor: Value<'_>, log: Option<&str>, id: Option<&str>, digest: &[u8; 32]) -> Vec<Fault> {
    let mut faults = Vec::new();
    if !id.is_some_and(grammar::is_version_4) {
        faults.push(Fault::of(Class::IdSyntax, "id").expected("a version 4 UUID"));
    }
    for name in MEMBERS {
        if anchor.get(name).is_none() {
            faults.push(Fault::of(Class::MissingMember, format!("anchor.{name}")));
        }
    }
    for (key, _) in anchor.members() {
        let name = key.name();
        if !MEMBERS.contains(&name.as_ref()) {
            faults.push(Fault::of(Class::WrongType, format!("anchor.{name}")).expected(MEMBERS.join(", ")));
        }
    }
    let wrong = |name: &str, value: Value<'_>, expected: &str| {
        Fault::of(Class::WrongType, format!("anchor.{name}")).found(value.kind().word()).expected(expected)
    };
    if let Some(value) = anchor.get("log")
        && log.is_none_or(str::is_empty)
    {
        faults.push(wrong("log", value, "a non-empty text"));
    }
    if let Some(value) = anchor.get("leaf_hash") {
        let own = format!("sha256:{}", hex(digest));
        let stated = value.str().unwrap_or(Cow::Borrowed(value.raw_text()));
        if value.kind() != NodeKind::String || stated != own {
            faults.push(Fault::of(Class::DigestMismatch, "anchor.leaf_hash").found(&*stated).expected(own));
        }
    }
    if let Some(value) = anchor.get("anchored_at") {
        match value.str() {
            Some(time) => {
                if let Err(class) = grammar::moment(&time) {
                    faults.push(Fault::of(class, "anchor.anchored_at").found(&*time));
                }
            }
            None => faults.push(wrong("anchored_at", value, "a string")),
        }
    }
    if let Some(value) = anchor.get("proof")
        && !value.is_object()
    {
        faults.push(wrong("proof", value, "an object"));
    }
    faults
}

/// Whether the host of a log address, with or without a scheme, is `invalid` or stands under it.
fn is_unresolvable(log: &str) -> bool {
    let rest = log.split_once("://").map_or(log, |(_, rest)| rest);
    let rest = rest.strip_prefix("//").unwrap_or(rest);
    let authority = rest.split(['/', '?', '#', '\\']).next().unwrap_or_default();
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    let host = host.split(':').next().unwrap_or_default();
    let host = host.strip_suffix('.').unwrap_or(host).to_ascii_lowercase();
    host == "invalid" || host.ends_with(".invalid")
}

/// The deployed relay anchor: do `envelope_bytes` and `envelope` agree with each other and with id and hash?
/// `None` when it does not carry both.
fn relay_envelope(anchor: Value<'_>, report: &Report) -> Option<bool> {
    let (bytes, envelope) = (anchor.get("envelope_bytes")?, anchor.get("envelope")?);
    let text = bytes.str()?;
    let mut doc = Doc::new();
    if json::parse(text.as_bytes(), 128, &mut doc).is_err() || !doc.duplicates().is_empty() {
        return Some(false);
    }
    let inner = doc.root(text.as_bytes())?;
    let canonical = |value: Value<'_>| {
        let mut out = Vec::new();
        json::canonical(value, &mut out);
        out
    };
    let says = |name: &str| inner.get(name).and_then(|v| v.str());
    let own_hash = report.bytes.recomputed.map(|digest| format!("sha256:{}", hex(&digest)));
    Some(
        canonical(inner) == canonical(envelope)
            && says("receipt_uuid").as_deref() == report.id.as_deref()
            && says("output_sha256").as_deref() == own_hash.as_deref(),
    )
}

/// Whether `declaration_hash` is the hash of the sorted compact JSON of `declared` and `schema_version`.
fn side_effects(effects: Value<'_>) -> Option<bool> {
    let stated = effects.get("declaration_hash")?.str()?;
    let (declared, version) = (effects.get("declared")?, effects.get("schema_version")?);
    let mut text = b"{\"declared\":".to_vec();
    json::canonical(declared, &mut text);
    text.extend_from_slice(b",\"schema_version\":");
    json::canonical(version, &mut text);
    text.push(b'}');
    let digest: [u8; 32] = Sha256::digest(&text).into();
    Some(stated == format!("sha256:{}", hex(&digest)))
}

#[cfg(test)]
mod tests {
    use super::is_unresolvable;

    #[test]
    fn hosts_under_invalid() {
        for log in [
            "https://log.invalid/x",
            "https://invalid",
            "LOG.INVALID",
            "invalid",
            "https://u:p@a.invalid:443/",
            "https://log.invalid.",
            "log.invalid/path",
            "//log.invalid",
        ] {
            assert!(is_unresolvable(log), "{log}");
        }
        for log in ["https://log.example/invalid", "https://invalid.example", "notinvalid", "https://x/?a.invalid", ""]
        {
            assert!(!is_unresolvable(log), "{log}");
        }
    }
}
