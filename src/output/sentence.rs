//! One line of plain English for each finding, escaped and ready for a screen. Sentences are made here and nowhere lower.
//!
//! Every foreign part goes through [`crate::text`]; what comes back holds no special code point and no line break. A
//! sentence begins with a small letter and ends without a full stop, so that it can stand after a verdict or a colon.

use std::borrow::Cow;

use super::explain;
pub use super::explain::{Explained, explain, explain_headline};
pub use super::states::{
    anchor, bytes, canonical_form, check, glyph, id_state, kind, labels, layer, leaf_rule, provenance, shape, word,
    wrapper_kind,
};
use crate::aer1::grammar;
use crate::aer1::report::{BytesState, Class, Correlation, Fault, Headline, Kind, Labels, Note, Place, Report, Shape};
use crate::text;

/// A wrapper that holds nothing of a known kind, and is a record itself.
const HOLLOW: &str = "it is a wrapper around nothing that is known here, with a record of its own";

/// Characters of a foreign value that a sentence quotes before it cuts.
const QUOTED: usize = 72;

/// How foreign values stand in a sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ink {
    /// In their visible form.
    Screen,
    /// As they are, for a JSON value that is escaped as a whole.
    Exact,
}

impl Ink {
    fn put<'a>(self, value: &'a str) -> Cow<'a, str> {
        match self {
            Ink::Screen => text::shown(value),
            Ink::Exact => Cow::Borrowed(value),
        }
    }
}

/// Headline and reason in one sentence: `mismatch: the bytes are not the bytes the record commits to`.
pub fn reason(report: &Report) -> String {
    format!("{}: {}", word(report.headline), why(report))
}

/// The reason alone, for a place where the headline stands already.
pub fn why(report: &Report) -> String {
    match (report.class, report.speaking()) {
        (Some(class), None) => explain::short(class).to_owned(),
        (Some(Class::StatusNotVerified), Some(speaking)) => {
            let mut out = fault(speaking);
            if report.bytes.state == BytesState::Match {
                out.insert_str(0, "the bytes match, but ");
            }
            out
        }
        (Some(_), Some(speaking)) => fault(speaking),
        (None, _) => why_without_class(report),
    }
}

/// The reason for a headline that no class speaks for.
fn why_without_class(report: &Report) -> String {
    match report.headline {
        Headline::Verified => match report.bytes.length {
            Some(n) => {
                format!("{} hash to the declared output_hash, and the record itself says verified", bytes_count(n))
            }
            None => "the bytes hash to the declared output_hash, and the record itself says verified".to_owned(),
        },
        Headline::Intact => intact(report),
        Headline::Unavailable => unavailable(report).to_owned(),
        Headline::Unsupported => "a version or an algorithm that cannot be interpreted here".to_owned(),
        Headline::Malformed => "the record is not written as it must be".to_owned(),
        Headline::Mismatch => "two things that must agree do not".to_owned(),
        Headline::NotReceipt => "readable JSON that is none of the known kinds".to_owned(),
        Headline::Unreadable => "the file could not be read".to_owned(),
    }
}

/// Why a record whose parts agree is no more than intact.
fn intact(report: &Report) -> String {
    match report.kind {
        Kind::Chain => return "every link holds; nothing shows that the end of the chain was not cut off".to_owned(),
        Kind::Workflow => {
            return "the root is the root of the listed steps; a workflow holds no bytes of its own to verify"
                .to_owned();
        }
        _ => {}
    }
    let mut less: Vec<Cow<'static, str>> = Vec::new();
    if report.kind == Kind::Transport {
        less.push("this is the transport form of a receipt".into());
    }
    if report.shape == Shape::Legacy && report.kind != Kind::Transport {
        less.push("it has transport names where the published form has created_at and a tool object".into());
    }
    match &report.verification_status {
        Some(status) if status != "verified" => {
            less.push(format!("it says {} of itself", quoted(status, Ink::Screen)).into())
        }
        _ => {}
    }
    if report.labels == Labels::Claimed {
        less.push("its metadata_hash cannot be recomputed".into());
    }
    for note in &report.notes {
        if let Note::TwoKinds(a, b) = note
            && a != b
        {
            less.push(match b {
                Kind::None => HOLLOW.into(),
                b => format!("it is {} and {} at once", kind(*a), kind(*b)).into(),
            });
        }
    }
    if less.is_empty() {
        return "the bytes match the declared output_hash; the record proves no more than that".to_owned();
    }
    format!("the bytes match, but {}", less.join(", and "))
}

/// Why there is nothing to compare.
fn unavailable(report: &Report) -> &'static str {
    match report.kind {
        Kind::ProviderError => "the provider answered with an error instead of a receipt",
        Kind::Commitment => "a commitment alone: the chain it speaks of is not in this file",
        Kind::Workflow => "a step receipt that is present does not verify, so the workflow supports nothing",
        _ if report.notes.iter().any(|n| matches!(n, Note::Projection { .. })) => {
            "a redacted projection without the original bytes: nothing here can be compared with the hash"
        }
        _ => "the record holds no bytes, so nothing can be compared with its hash",
    }
}

/// What stands before the hash that a record states: a projection keeps that of the original bytes (rules §10).
pub fn declared(report: &Report) -> &'static str {
    match report.notes.iter().any(|n| matches!(n, Note::Projection { .. })) {
        true => "original",
        false => "declared",
    }
}

/// One fault: what it is about, what was found and what was expected.
pub fn fault(fault: &Fault) -> String {
    fault_in(fault, Ink::Screen)
}

fn fault_in(fault: &Fault, ink: Ink) -> String {
    let class = fault.class;
    let mut out = subject(fault, ink);
    let found = fault.found.as_deref().filter(|f| !says_nothing(class, f)).map(|f| found(class, f, ink));
    // Both hashes of the record stand beside a digest mismatch wherever it is shown; the sentence stays short.
    let own_digest = class == Class::DigestMismatch && is_usual(class, &fault.member);
    let expected = fault.expected.as_deref().map(|e| expected(class, e, ink));
    let (is, due) = sides(class);
    match (found, expected) {
        _ if own_digest => {}
        (Some(found), Some(expected)) => out.push_str(&format!(": {is} {found}, {due} {expected}")),
        (Some(found), None) if is == "found" => out.push_str(&format!(": {found}")),
        (Some(found), None) => out.push_str(&format!(": {is} {found}, {due} nothing")),
        (None, Some(expected)) => out.push_str(&format!(": {due} {expected}")),
        (None, None) => {}
    }
    if let Some(at) = fault.offset {
        out.push_str(&format!(", at byte {at}"));
    }
    if let (Class::TimeSyntax | Class::TimeCalendar, Some(found)) = (class, &fault.found)
        && rfc3339_allows(found)
    {
        out.push_str("; RFC 3339 alone would allow it, the form required here is narrower");
    }
    out
}

/// What a fault is about, and what is wrong with it.
fn subject(fault: &Fault, ink: Ink) -> String {
    let class = fault.class;
    match (class, fault.member.as_str(), fault.found.as_deref()) {
        (Class::MissingMember, m, _) if m.ends_with("[0]") => {
            format!("{} lists nothing", member(m.trim_end_matches("[0]"), ink))
        }
        (Class::MissingMember, m, _) if !m.is_empty() => format!("required member {} is absent", member(m, ink)),
        (Class::WrongType, m, _) if !m.is_empty() => format!("member {} has the wrong JSON type", member(m, ink)),
        (Class::DuplicateMember, "", Some(name)) | (Class::DuplicateMember, name, _) if !name.is_empty() => {
            format!("member {} is named twice: two readers would see two different records", member(name, ink))
        }
        (_, m, _) if is_usual(class, m) => explain::short(class).to_owned(),
        (_, m, _) => format!("{} ({})", explain::short(class), member(m, ink)),
    }
}

/// Whether a fault of this class is about this member as a matter of course, so that naming it adds nothing.
fn is_usual(class: Class, member: &str) -> bool {
    let usual = match class {
        Class::IdSyntax | Class::IdNil => "id",
        Class::ProvenanceUnknown | Class::ProvenanceMismatch => "provenance_class",
        Class::VersionUnsupported | Class::VersionMismatch => "receipt_schema_version",
        Class::Base64Alphabet | Class::Base64Padding | Class::Base64Noncanonical | Class::Utf8Invalid => {
            "canonical_bytes"
        }
        Class::DigestMismatch | Class::HashSyntax => "output_hash",
        Class::LengthMismatch => "canonical_byte_length",
        Class::HashAlgorithmUnsupported => "hash_algorithm",
        Class::MetadataHashMissing => "metadata_hash",
        Class::StatusNotVerified => "verification_status",
        Class::MerkleRootMismatch => "merkle_root",
        Class::MerkleVersionUnsupported => "merkle_version",
        Class::WorkflowCount => "count",
        _ => "",
    };
    member.is_empty() || member == usual
}

/// What the two values of a fault are called: the one that stands there, and the one it is compared with.
const fn sides(class: Class) -> (&'static str, &'static str) {
    match class {
        Class::LengthMismatch => ("stated", "counted"),
        Class::WorkflowCount => ("stated", "listed"),
        Class::VersionMismatch | Class::ProvenanceMismatch => ("stated", "committed"),
        Class::EnvelopeMismatch => ("in the wrapper", "in the receipt"),
        Class::CommitmentMismatch => ("stated", "in the chain"),
        Class::ChainLink | Class::MerkleRootMismatch | Class::DigestMismatch => ("stated", "recomputed"),
        _ => ("found", "expected"),
    }
}

/// Whether what was found adds nothing to the sentence.
fn says_nothing(class: Class, found: &str) -> bool {
    matches!(class, Class::JsonDepth | Class::JsonSurrogate | Class::DuplicateMember)
        || class == Class::Base64Padding && found.is_empty()
}

/// What was found, for a sentence.
fn found(class: Class, value: &str, ink: Ink) -> String {
    match class {
        // One byte, as the reader gives it.
        Class::Utf8Invalid | Class::JsonEncoding | Class::JsonTruncated => format!("byte {}", cut(value, ink)),
        // The name of a type, a number, or what the system says.
        Class::WrongType
        | Class::IoError
        | Class::NotAFile
        | Class::TooLarge
        | Class::LengthMismatch
        | Class::WorkflowCount
        | Class::ChainSeq
        | Class::ChainClose
        | Class::WorkflowSeq => cut(value, ink).into_owned(),
        // A malformed hash is shown whole: its shortened form could look sound.
        Class::HashSyntax => quoted(value, ink),
        _ => digest_or_quoted(value, ink),
    }
}

/// What was expected, for a sentence: words of the rules stay bare, another record's values are quoted.
fn expected(class: Class, value: &str, ink: Ink) -> String {
    match class {
        Class::VersionMismatch
        | Class::ProvenanceMismatch
        | Class::EnvelopeMismatch
        | Class::CommitmentMismatch
        | Class::ChainJob
        | Class::ChainGenesis
        | Class::ChainLink
        | Class::MerkleRootMismatch
        | Class::DigestMismatch
        | Class::IdMismatch => digest_or_quoted(value, ink),
        _ => cut(value, ink).into_owned(),
    }
}

/// Whether a time that is refused here is one that RFC 3339 allows: small `t` or `z`, a space for the `T`, year 0000,
/// or second 60 where a leap second can stand (the last second of a UTC month).
pub fn rfc3339_allows(time: &str) -> bool {
    if !time.is_ascii() {
        return false;
    }
    let mut text = time.to_ascii_uppercase();
    if text.as_bytes().get(10) == Some(&b' ') {
        text.replace_range(10..11, "T");
    }
    if text.starts_with("0000-") {
        // 0000 and 0400 are leap years both, so the same days exist.
        text.replace_range(0..4, "0400");
    }
    let leap = text.get(16..19) == Some(":60");
    if leap {
        text.replace_range(17..19, "59");
    }
    match grammar::moment(&text) {
        Ok(moment) if leap => {
            let (_, _, _, hour, minute, _) = moment.civil();
            let next = grammar::Moment { secs: moment.secs.saturating_add(1), nanos: 0 };
            (hour, minute) == (23, 59) && next.civil().2 == 1
        }
        Ok(_) => true,
        Err(_) => false,
    }
}

/// One note.
pub fn note(note: &Note) -> String {
    note_in(note, Ink::Screen)
}

/// One note with its foreign values as they are: only for a writer that escapes the whole sentence itself.
pub(super) fn note_exact(note: &Note) -> String {
    note_in(note, Ink::Exact)
}

fn note_in(note: &Note, ink: Ink) -> String {
    match note {
        Note::ByteOrderMark => "the file begins with a byte order mark; it is not part of the record".to_owned(),
        Note::EmptyBytes => "the committed bytes are empty".to_owned(),
        Note::FutureTime { clock } => {
            format!("the stated time is later than this machine's clock ({clock})")
        }
        Note::IdNotVersion4 => "the id is not a version 4 UUID; only the anchored profile asks for one".to_owned(),
        Note::SignatureUnchecked => {
            "a signature is present and was not checked: a key that travels in the receipt proves only that some key \
             made it"
                .to_owned()
        }
        Note::OtherAnchor => "an anchor of another kind is present; it is shown as the record's claim".to_owned(),
        Note::AnchorEnvelope { agrees: true } => {
            "the anchor's envelope and envelope_bytes agree with each other and with id and hash; no relay was contacted"
                .to_owned()
        }
        Note::AnchorEnvelope { agrees: false } => {
            "the anchor's envelope and envelope_bytes do not agree with each other, or not with id and hash".to_owned()
        }
        Note::AnchorFault(f) => format!("anchor: {}", fault_in(f, ink)),
        Note::SideEffects { agrees: true } => "the side-effects declaration hashes to the hash stated for it".to_owned(),
        Note::SideEffects { agrees: false } => {
            "the side-effects declaration does not hash to the hash stated for it".to_owned()
        }
        Note::NotEvaluated(members) => format!("not evaluated, because the version is not known: {}", listed(members, ink)),
        Note::Wrapped(wrapper) => wrapper_kind(*wrapper).to_owned(),
        Note::TwoKinds(_, Kind::None) => format!("{HOLLOW}; that was checked"),
        Note::TwoKinds(a, b) if a == b => {
            "the wrapper is a record of its own; it and the receipt in it were both checked".to_owned()
        }
        Note::TwoKinds(a, b) => format!("the record is {} and {} at once; both were checked", kind(*a), kind(*b)),
        Note::EndNotProven => "nothing shows that the end of the chain was not cut off".to_owned(),
        Note::EndCommitted => {
            "a commitment agrees with the end of the chain; it proves that end as far as it came from elsewhere".to_owned()
        }
        Note::HistoricalChain => "the chain uses the older construction, which covers the bytes and nothing else".to_owned(),
        Note::RootCovers(rule) => leaf_rule(*rule).to_owned(),
        Note::WorkflowOutputUnavailable => {
            "the workflow's own output_hash cannot be recomputed without the final answer".to_owned()
        }
        Note::Projection { of, own_hash } => {
            let mut out = format!("a redacted projection of receipt {}; the hash it keeps is that of the original bytes, which are not here", quoted(of, ink));
            if let Some(own) = own_hash {
                out.push_str(&format!("; its own commitment is projection_hash {}", digest_or_quoted(own, ink)));
            }
            out
        }
        Note::ProviderMessage(message) => format!("the provider says: {}", quoted(message, ink)),
        Note::FileNameOtherId => "the file name is a UUID, but not the id of the record".to_owned(),
        Note::CopyOf(place) => format!("a copy: the same id and the same bytes stand in {}", cut(place, ink)),
        Note::IdConflict(place) => format!("id conflict: {} carries the same id and other bytes", cut(place, ink)),
        Note::PossibleReplay(place) => {
            format!("possible replay: {} carries the same bytes under another id", cut(place, ink))
        }
        Note::PointerToNothing(id) => format!("the record points to {}, which is not here", quoted(id, ink)),
        Note::StepsPresent { present, listed, failing } => {
            let mut out = format!("{present} of {listed} step receipts present");
            match failing {
                0 => {}
                1 => out.push_str(", 1 of them fails or disagrees"),
                n => out.push_str(&format!(", {n} of them fail or disagree")),
            }
            out
        }
        Note::CommitmentElsewhere(place) => {
            format!("chain and commitment fit each other: the other one stands in {}", cut(place, ink))
        }
        Note::Rewritten { before, after } => format!(
            "the content changed while it was watched: output_hash was {}, is {}",
            digest_or_quoted(before, ink),
            digest_or_quoted(after, ink)
        ),
    }
}

/// The link to other records: field, value, and whether the matching bytes hold it too.
pub fn correlation(c: &Correlation) -> String {
    let bound =
        if c.bound { "bound: the matching bytes hold the same value" } else { "a label, not covered by the hash" };
    format!("{} {} ({bound})", member(&c.field, Ink::Screen), quoted(&c.value, Ink::Screen))
}

/// A file and a place in it, as one escaped word: `a/b.jsonl:12#0`.
pub fn at(path: &std::path::Path, place: Place) -> String {
    format!("{}{place}", text::shown_path(path))
}

/// `1 byte`, `337 bytes`.
pub fn bytes_count(n: u64) -> String {
    if n == 1 { "1 byte".to_owned() } else { format!("{n} bytes") }
}

/// A number of nanoseconds in the two units that say most.
pub fn duration(nanos: i128) -> String {
    let sign = if nanos < 0 { "-" } else { "" };
    let nanos = nanos.unsigned_abs();
    let ms = nanos / 1_000_000;
    let seconds = ms / 1000;
    let text = match seconds {
        0 if nanos > 0 && ms == 0 => "<1 ms".to_owned(),
        0 => format!("{ms} ms"),
        1..=59 => format!("{seconds}.{:03} s", ms % 1000),
        60..=3_599 => format!("{} m {:02} s", seconds / 60, seconds % 60),
        3_600..=86_399 => format!("{} h {:02} m", seconds / 3_600, seconds % 3_600 / 60),
        _ => format!("{} d {:02} h", seconds / 86_400, seconds % 86_400 / 3_600),
    };
    format!("{sign}{text}")
}

/// A member's name: bare when it is plain, else quoted.
fn member(name: &str, ink: Ink) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '[' | ']' | '/' | '-');
    if !name.is_empty() && name.chars().all(plain) { cut(name, ink).into_owned() } else { quoted(name, ink) }
}

/// A value without quotation marks, cut with a count when it is very long.
fn cut(value: &str, ink: Ink) -> Cow<'_, str> {
    match value.char_indices().nth(QUOTED * 4) {
        None => ink.put(value),
        Some((end, _)) => {
            let (head, tail) = value.split_at(end);
            Cow::Owned(format!("{}… +{}", ink.put(head), tail.chars().count()))
        }
    }
}

/// A foreign value in quotation marks, cut with a count.
fn quoted(value: &str, ink: Ink) -> String {
    match value.char_indices().nth(QUOTED) {
        None => format!("\"{}\"", ink.put(value)),
        Some((end, _)) => {
            let (head, tail) = value.split_at(end);
            format!("\"{}\"… +{}", ink.put(head), tail.chars().count())
        }
    }
}

/// A digest with its middle left out, or the value quoted.
fn digest_or_quoted(value: &str, ink: Ink) -> String {
    let bare = value.strip_prefix("sha256:").unwrap_or(value);
    if bare.len() == 64 && bare.bytes().all(|b| b.is_ascii_hexdigit()) {
        let prefix = if bare.len() == value.len() { "" } else { "sha256:" };
        let (head, tail) = (bare.get(..16).unwrap_or_default(), bare.get(56..).unwrap_or_default());
        return format!("{prefix}{head}…{tail}");
    }
    quoted(value, ink)
}

/// Names in a row, at most twelve, the rest counted.
fn listed(names: &[String], ink: Ink) -> String {
    let mut out = names.iter().take(12).map(|n| member(n, ink)).collect::<Vec<_>>().join(", ");
    if let Some(more) = names.len().checked_sub(12).filter(|n| *n > 0) {
        out.push_str(&format!(" and {more} more"));
    }
    out
}

#[cfg(test)]
mod tests;
