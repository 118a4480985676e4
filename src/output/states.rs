//! The words for every state a finding can have: fixed text, nothing foreign in it.

use crate::aer1::grammar;
use crate::aer1::report::{
    Anchor, BytesState, CanonicalForm, Check, Headline, IdState, Kind, Labels, Layer, LeafRule, Shape, Wrapper,
};

/// The word on the screen for a headline; the machine string is `Headline::as_str`.
pub const fn word(headline: Headline) -> &'static str {
    match headline {
        Headline::Verified => "verified",
        Headline::Intact => "intact",
        Headline::Unavailable => "unchecked",
        Headline::Unsupported => "unsupported",
        Headline::Malformed => "malformed",
        Headline::Mismatch => "mismatch",
        Headline::NotReceipt => "other file",
        Headline::Unreadable => "unreadable",
    }
}

/// The glyph of a headline, and its stand-in for terminals that show ASCII only.
pub const fn glyph(headline: Headline) -> (&'static str, &'static str) {
    match headline {
        Headline::Verified => ("✓", "+"),
        Headline::Intact => ("○", "o"),
        Headline::Unavailable => ("–", "-"),
        Headline::Unsupported => ("?", "?"),
        Headline::Malformed => ("!", "!"),
        Headline::Mismatch => ("✗", "x"),
        Headline::NotReceipt => ("·", "."),
        Headline::Unreadable => ("#", "#"),
    }
}

/// A kind with its article.
pub const fn kind(kind: Kind) -> &'static str {
    match kind {
        Kind::Published => "a published receipt",
        Kind::Transport => "a transport receipt",
        Kind::Workflow => "a workflow close",
        Kind::Chain => "a hash-chained timeline",
        Kind::Commitment => "a chain commitment",
        Kind::ProviderError => "a provider error",
        Kind::None => "none of the known kinds",
    }
}

/// The finding about the bytes.
pub const fn bytes(state: BytesState) -> &'static str {
    match state {
        BytesState::Match => "the decoded bytes hash to the declared output_hash",
        BytesState::Mismatch => "the decoded bytes hash to something else than the declared output_hash",
        BytesState::Unavailable => "there is nothing to compare",
        BytesState::Malformed => "the bytes, or the hash declared for them, cannot be used as written",
    }
}

/// The finding about the shape.
pub const fn shape(shape: Shape) -> &'static str {
    match shape {
        Shape::Complete => "every required member under its own name and type",
        Shape::Legacy => {
            "transport names (timestamp, a bare tool) stand where the published form has created_at and a tool object"
        }
        Shape::Faulty => "see the faults",
    }
}

/// The finding about the labels.
pub const fn labels(labels: Labels) -> &'static str {
    match labels {
        Labels::Unbound => "labels, not covered by the hash: id, tool, time and class (0.3 and earlier)",
        Labels::Bound => "labels covered by the hash",
        Labels::Claimed => "metadata_hash is present and cannot be recomputed: the labels are claimed to be covered",
        Labels::Missing => "a 0.4 record without metadata_hash: nothing covers the labels",
        Labels::Contradicted => "the committed bytes say something else than the labels",
    }
}

/// The finding about the id.
pub const fn id_state(state: IdState) -> &'static str {
    match state {
        IdState::Absent => "the record has no id",
        IdState::Unverified => "unverified: a label, nothing from outside was compared",
        IdState::Matched => "equals the expected id",
        IdState::Resolved => "agrees with the separately resolved record",
        IdState::Mismatched => "differs from what was expected",
    }
}

/// The finding about the anchor.
pub const fn anchor(anchor: Anchor) -> &'static str {
    match anchor {
        Anchor::Absent => "no anchor",
        Anchor::NotChecked => "not checked: there are no bytes to compare with",
        Anchor::Verified => "fields consistent; the log was not contacted",
        Anchor::VerificationFailed => "its fields contradict each other or the record",
        Anchor::Unresolvable => "its log stands under .invalid and can never be resolved",
    }
}

/// The note about the canonical form.
pub const fn canonical_form(form: CanonicalForm) -> &'static str {
    match form {
        CanonicalForm::Yes => "canonical: members sorted, no white space, shortest escapes",
        CanonicalForm::No => "JSON, but not in canonical form; this is no fault",
        CanonicalForm::NotJson => "not JSON; the bytes need not be",
    }
}

/// What one layer checks.
pub const fn layer(layer: Layer) -> &'static str {
    match layer {
        Layer::File => "the file can be read",
        Layer::Json => "the text is JSON that every reader reads alike",
        Layer::Version => "the version is known, and the committed one agrees",
        Layer::Base64 => "canonical_bytes is strict base64",
        Layer::Utf8 => "the decoded bytes are UTF-8",
        Layer::Members => "the required members are there, with their types",
        Layer::Id => "the id is a lowercase hyphenated UUID",
        Layer::Time => "the time is a real moment with its zone",
        Layer::Tool => "tool name, version and scope are stated",
        Layer::Provenance => "the class is one of the three statements",
        Layer::Status => "the record itself says verified",
        Layer::Hash => "hash and length are those of the bytes",
        Layer::Binding => "what the bytes commit agrees with the labels",
        Layer::Structure => "entries or steps are in order",
        Layer::Links => "each link, root and count agrees",
        Layer::Envelope => "the wrapper agrees with its receipt",
        Layer::Identity => "the id is the expected one",
    }
}

/// How a layer ended, in words.
pub const fn check(check: Check) -> &'static str {
    match check {
        Check::Passed => "passed",
        Check::Failed => "failed",
        Check::NotReached => "not reached",
        Check::NotApplicable => "nothing to check",
    }
}

/// What a provenance class states, and no more. The three statements are never merged or ranked.
pub fn provenance(class: &str) -> &'static str {
    if !grammar::is_provenance(class) {
        return "none of the three statements";
    }
    match class {
        "OBSERVED VIA GATEWAY" => "a gateway says that it observed the call",
        "LOGGED BY AGENT" => "the agent says so itself",
        _ => "the recording system says that it executed the call",
    }
}

/// What a Merkle root built by this leaf rule covers.
pub const fn leaf_rule(rule: LeafRule) -> &'static str {
    match rule {
        LeafRule::SeqOutput => {
            "the root covers the order of the steps and their outputs; not their ids, tools, statuses or times"
        }
        LeafRule::ReceiptId => {
            "the root covers the receipt ids and their order; not the outputs, tools, statuses or times"
        }
    }
}

/// What the receipt stood in.
pub const fn wrapper_kind(wrapper: Wrapper) -> &'static str {
    match wrapper {
        Wrapper::JsonRpc => "the receipt stands in a JSON-RPC response; the response's id is not the receipt's",
        Wrapper::CloudEvent => "the receipt stands in a CloudEvents event",
        Wrapper::EventBus => "the receipt stands in a CloudEvents event in an event bus's detail",
        Wrapper::VerifyEndpoint => {
            "the receipt stands in a verify endpoint's answer; what that answer says is its claim"
        }
    }
}
