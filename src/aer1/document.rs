//! Which kind of document a value is, and what is wrapped in it (rules §2).

use super::json::{NodeKind, Value};
use super::report::{Class, Fault, Kind, Wrapper};

/// What there is to check in one record.
#[derive(Clone, Copy, Debug)]
pub(super) enum Subject<'a> {
    /// A receipt of this kind.
    Receipt(Value<'a>, Kind),
    /// A timeline: the array, and the object around it.
    Timeline(Value<'a>, Option<Value<'a>>),
    /// A workflow close.
    Workflow(Value<'a>),
    /// A chain commitment alone.
    Commitment(Value<'a>),
    /// A JSON-RPC error.
    ProviderError(Value<'a>),
}

/// One part of a record, and the wrapper it came in.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece<'a> {
    /// What to check.
    pub subject: Subject<'a>,
    /// The wrapper, and the object that holds its attributes.
    pub wrapper: Option<(Wrapper, Value<'a>)>,
}

/// What one record is.
#[derive(Clone, Debug, Default)]
pub(super) struct Recognised<'a> {
    /// The parts in the order of rules §2; none means `not_receipt`, more than one means two kinds at once.
    pub pieces: Vec<Piece<'a>>,
    /// A wrapper around nothing that is known here: what it has of its own is another kind at the same time.
    pub hollow: bool,
}

/// The parts of one record. Where several wrappers fit, each is opened: a reader who opens only one of them sees another
/// receipt than a reader who opens the other.
pub(super) fn recognise(value: Value<'_>) -> Recognised<'_> {
    let of = |pieces| Recognised { pieces, hollow: false };
    if value.is_array() {
        return if is_timeline(value) { of(vec![bare(Subject::Timeline(value, None))]) } else { Recognised::default() };
    }
    if !value.is_object() {
        return Recognised::default();
    }
    let wrappers = unwrap(value);
    let Some(outermost) = wrappers.first().map(|first| (first.wrapper, first.holder)) else {
        return of(plain(value, true).into_iter().map(bare).collect());
    };
    let mut pieces: Vec<Piece<'_>> = Vec::new();
    let mut shells: Vec<Value<'_>> = Vec::new();
    for Wrapped { wrapper, holder, inside, shells: own } in wrappers {
        pieces.extend(inside.into_iter().map(|subject| Piece { subject, wrapper: Some((wrapper, holder)) }));
        for shell in own.into_iter().flatten() {
            if !shells.iter().any(|known| known.span() == shell.span()) {
                shells.push(shell);
            }
        }
    }
    // Around nothing, its attributes are compared with what it has of its own.
    let hollow = pieces.is_empty();
    if let Some(receipt) = value.get("_receipt").filter(|r| !hollow && r.is_object()) {
        pieces.extend(embedded(receipt).into_iter().map(bare));
    }
    let around = hollow.then_some(outermost);
    // A wrapper with bytes, a timeline or a root of its own is two kinds at once, at every level of it.
    for shell in shells {
        let own = plain(shell, false).into_iter().filter(|subject| match subject {
            Subject::Receipt(..) => shell.get("canonical_bytes").is_some(),
            Subject::Timeline(..) | Subject::Workflow(_) => true,
            Subject::Commitment(_) | Subject::ProviderError(_) => false,
        });
        pieces.extend(own.map(|subject| Piece { subject, wrapper: around }));
    }
    Recognised { pieces, hollow }
}

/// Whether an array is a hash-chained timeline: one of its members carries `prev_digest`.
fn is_timeline(array: Value<'_>) -> bool {
    array.elements().any(|e| e.is_object() && e.get("prev_digest").is_some())
}

/// Whether an array holds one record an element (rules §2.9).
pub(super) fn is_list(value: Value<'_>) -> bool {
    value.is_array() && !is_timeline(value) && value.elements().any(|e| e.is_object())
}

fn bare(subject: Subject<'_>) -> Piece<'_> {
    Piece { subject, wrapper: None }
}

/// An opened wrapper.
struct Wrapped<'a> {
    wrapper: Wrapper,
    /// The object with its attributes.
    holder: Value<'a>,
    /// What it was made to carry.
    inside: Vec<Subject<'a>>,
    /// The objects that make up the wrapper; each may carry something of its own besides.
    shells: [Option<Value<'a>>; 2],
}

/// Rules §2.1–§2.3: the wrappers that fit, in their order. A first one around nothing stands alone; a later one counts
/// when it holds something.
fn unwrap(value: Value<'_>) -> Vec<Wrapped<'_>> {
    let mut all = [json_rpc(value), event(value), event_bus(value), endpoint(value)].into_iter().flatten();
    let mut found: Vec<Wrapped<'_>> = all.next().into_iter().collect();
    if found.iter().any(|first| !first.inside.is_empty()) {
        found.extend(all.filter(|other| !other.inside.is_empty()));
    }
    found
}

fn json_rpc(value: Value<'_>) -> Option<Wrapped<'_>> {
    value.get("jsonrpc")?;
    let mut inside = Vec::new();
    let result = value.get("result").filter(|r| r.is_object());
    if let Some(receipt) = result.and_then(|r| r.get("_receipt")).filter(|r| r.is_object()) {
        inside.extend(embedded(receipt));
    }
    if let Some(error) = value.get("error").filter(|e| !e.is_null()) {
        inside.push(Subject::ProviderError(error));
    }
    Some(Wrapped { wrapper: Wrapper::JsonRpc, holder: value, inside, shells: [Some(value), result] })
}

fn event(value: Value<'_>) -> Option<Wrapped<'_>> {
    value.get("specversion")?;
    let inside = plain(value.get("data")?, false);
    Some(Wrapped { wrapper: Wrapper::CloudEvent, holder: value, inside, shells: [Some(value), None] })
}

fn event_bus(value: Value<'_>) -> Option<Wrapped<'_>> {
    let detail = value.get("detail").filter(|d| d.is_object() && d.get("specversion").is_some())?;
    let inside = detail.get("data").map(|data| plain(data, false)).unwrap_or_default();
    Some(Wrapped { wrapper: Wrapper::EventBus, holder: detail, inside, shells: [Some(value), Some(detail)] })
}

fn endpoint(value: Value<'_>) -> Option<Wrapped<'_>> {
    let receipt = value.get("receipt").filter(|r| r.is_object())?;
    let inside = plain(receipt, false);
    Some(Wrapped { wrapper: Wrapper::VerifyEndpoint, holder: value, inside, shells: [Some(value), None] })
}

/// The receipt in a `_receipt` member: its own marks decide, and with none it is a transport receipt (rules §2.7).
/// A timeline or a root beside its members is checked too.
fn embedded(receipt: Value<'_>) -> Vec<Subject<'_>> {
    let mut subjects = vec![Subject::Receipt(receipt, marked_kind(receipt).unwrap_or(Kind::Transport))];
    let others = plain(receipt, false).into_iter();
    subjects.extend(others.filter(|s| matches!(s, Subject::Timeline(..) | Subject::Workflow(_))));
    subjects
}

fn marked_kind(receipt: Value<'_>) -> Option<Kind> {
    let tool = receipt.get("tool").map(|t| t.kind());
    if receipt.get("created_at").is_some() || tool == Some(NodeKind::Object) {
        return Some(Kind::Published);
    }
    (receipt.get("timestamp").is_some() || tool == Some(NodeKind::String)).then_some(Kind::Transport)
}

/// Rules §2.4–§2.8 for an object. `may_unwrap`: whether `_receipt` is still to be opened; nothing is unwrapped twice.
fn plain(value: Value<'_>, may_unwrap: bool) -> Vec<Subject<'_>> {
    if value.is_array() && is_timeline(value) {
        return vec![Subject::Timeline(value, None)];
    }
    if !value.is_object() {
        return Vec::new();
    }
    let mut subjects = Vec::new();
    let has = |name: &str| value.get(name).is_some();
    let has_bytes = has("canonical_bytes");
    let has_root = has("merkle_root") && (has("steps") || has("receipts"));
    if let Some(timeline) = value.get("timeline").filter(|t| t.is_array()) {
        subjects.push(Subject::Timeline(timeline, Some(value)));
    }
    if has_root && !has_bytes {
        subjects.push(Subject::Workflow(value));
    }
    if has("final_entry_digest") && has("entry_count") {
        subjects.push(Subject::Commitment(value));
    }
    if may_unwrap && let Some(receipt) = value.get("_receipt").filter(|r| r.is_object()) {
        subjects.extend(embedded(receipt));
    }
    // Beside another kind only bytes make a receipt too: ids and hashes belong to that kind.
    if has_bytes || (subjects.is_empty() && is_receipt(value)) {
        let default = if has_bytes { Kind::Published } else { Kind::Transport };
        subjects.push(Subject::Receipt(value, marked_kind(value).unwrap_or(default)));
    }
    if has_root && has_bytes {
        subjects.push(Subject::Workflow(value));
    }
    subjects
}

fn is_receipt(value: Value<'_>) -> bool {
    let has = |name: &str| value.get(name).is_some();
    let text_tool = || value.get("tool").is_some_and(|t| t.kind() == NodeKind::String);
    (has("id") && has("output_hash"))
        || (has("id") && text_tool() && has("timestamp") && has("status"))
        || has("projection_of")
}

/// What the wrapper states differently from the receipt in it (rules §2.2, §2.3), compared as text.
pub(super) fn envelope_faults(wrapper: Wrapper, holder: Value<'_>, record: Value<'_>, is_receipt: bool) -> Vec<Fault> {
    let mut faults = Vec::new();
    let mut compare = |attribute: &str, own: Option<String>| {
        let (Some(stated), Some(own)) = (holder.get(attribute), own) else { return };
        let text = stated.str();
        if text.as_deref() != Some(own.as_str()) {
            let found = text.map_or_else(|| stated.raw_text().to_owned(), |t| t.into_owned());
            faults.push(Fault::of(Class::EnvelopeMismatch, attribute).found(found).expected(own));
        }
    };
    let own = |name: &str| record.get(name).and_then(|v| v.str()).map(|t| t.into_owned());
    // A workflow's own id may stand under either name.
    let id = || if is_receipt { own("id") } else { own("id").or_else(|| own("receipt_id")) };
    match wrapper {
        Wrapper::VerifyEndpoint => compare("id", id()),
        Wrapper::CloudEvent | Wrapper::EventBus => {
            compare("id", id());
            compare("time", own("created_at").or_else(|| own("timestamp")));
            if is_receipt {
                let tool = record.get("tool");
                let tool = tool.and_then(|t| t.str().or_else(|| t.get("name").and_then(|n| n.str())));
                compare("source", tool.map(|name| format!("/tools/{name}")));
                compare("type", Some("dev.zambo.aer1.receipt.v1".to_owned()));
            }
            compare("aer1provenance", own("provenance_class"));
            compare("aer1schemaversion", own("receipt_schema_version"));
        }
        Wrapper::JsonRpc => {}
    }
    faults
}

/// Whether an event is of a `specversion` that is known here.
pub(super) fn event_version_fault(holder: Value<'_>) -> Option<Fault> {
    let version = holder.get("specversion")?;
    if version.str().is_some_and(|v| v == "1.0") {
        return None;
    }
    let found = version.str().map_or_else(|| version.raw_text().to_owned(), |t| t.into_owned());
    Some(Fault::of(Class::VersionUnsupported, "specversion").found(found).expected("1.0"))
}
