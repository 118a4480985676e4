//! What lies beyond the digest: binding, links with other records, anchors, claims, expectations from outside.

use std::borrow::Cow;

use super::{Checker, Decoded, LISTED_MEMBERS, Text, Work, text};
use crate::aer1::binding::{self, Committed};
use crate::aer1::json::{self, Doc, NodeKind};
use crate::aer1::report::{
    Anchor, CanonicalForm, Check, Class, Correlation, Fault, IdState, Kind, Labels, Layer, Note, Profile,
};
use crate::aer1::verify::DEFAULT_CORRELATION;
use crate::aer1::{anchor, grammar};

impl Checker<'_, '_> {
    /// What only committed bytes can say: inner version, layer 13, canonical form, profile.
    pub(super) fn after_match(&mut self, matches: bool, outer: Option<String>, work: &mut Work) -> Committed {
        let committed =
            if matches { binding::read(&work.decoded, &work.names, &mut work.payload) } else { Committed::default() };
        let mut version = outer;
        let inner = committed.versions();
        if let Some(stated) = &version {
            if let Some(other) = inner.iter().find(|v| v.as_ref() != Some(stated)) {
                self.fault(
                    Fault::of(Class::VersionMismatch, "receipt_schema_version")
                        .found(stated.as_str())
                        .expected(other.clone().unwrap_or_else(|| "no text".to_owned())),
                );
            }
        } else if self.kind == Kind::Transport
            && self.m.version.is_none()
            && let Some(own) = inner.last()
        {
            // Of several the last is taken; one that says otherwise contradicts it.
            let stated = own.clone().unwrap_or_else(|| "no text".to_owned());
            self.known_version(&stated);
            if let Some(other) = inner.iter().find(|v| *v != own) {
                self.fault(
                    Fault::of(Class::VersionMismatch, "receipt_schema_version")
                        .found(stated.as_str())
                        .expected(other.clone().unwrap_or_else(|| "no text".to_owned())),
                );
            }
            self.report.version.clone_from(own);
            version.clone_from(own);
        }
        let bound = version.as_deref() == Some("0.4");
        if let Text::Wrong(found) = text(self.m.metadata_hash)
            && bound
        {
            self.wrong("metadata_hash", found, "a string");
        }
        let has_metadata_hash = self.m.metadata_hash.and_then(|m| m.str()).is_some_and(|m| !m.is_empty());
        self.report.labels = match (bound, has_metadata_hash) {
            (false, _) => Labels::Unbound,
            (true, true) => Labels::Claimed,
            (true, false) => Labels::Missing,
        };
        if !matches {
            if self.report.check(Layer::Binding) == Check::Passed {
                self.report.mark(Layer::Binding, Check::NotReached);
            }
            return committed;
        }
        let classes = committed.classes();
        let stated = self.report.provenance.clone();
        let mut contradicted = false;
        if let Some(stated) = stated {
            let other = classes.iter().find(|c| c.as_ref() != Some(&stated));
            let missing = bound && classes.is_empty();
            if other.is_some() || missing {
                contradicted = other.is_some();
                let mut fault = Fault::of(Class::ProvenanceMismatch, "provenance_class").found(stated);
                if let Some(Some(other)) = other {
                    fault = fault.expected(other.as_str());
                }
                self.fault(fault);
            }
        }
        if bound && self.m.metadata_hash.is_none_or(|m| m.kind() == NodeKind::String) && !has_metadata_hash {
            self.fault(Fault::of(Class::MetadataHashMissing, "metadata_hash"));
        }
        if contradicted || self.report.faults.iter().any(|f| f.class == Class::VersionMismatch) {
            self.report.labels = Labels::Contradicted;
        }
        committed
    }

    /// Correlation (rules §9), anchor and other signatures (rules §5), the record's claims.
    pub(super) fn links(&mut self, matches: bool, committed: &Committed, work: &mut Work) {
        for field in &self.options.correlation {
            let Some(value) = self.receipt.pointer(field).and_then(|v| v.str()).filter(|v| !v.is_empty()) else {
                continue;
            };
            let explicit = matches!(field.as_str(), "correlation_id" | "retry_of")
                || !DEFAULT_CORRELATION.contains(&field.as_str());
            let bound = matches && self.options.links && binding::holds_text(&work.decoded, &mut work.payload, &value);
            self.report.correlation =
                Some(Correlation { field: field.clone(), value: value.into_owned(), bound, explicit });
            break;
        }
        let own = self.report.id.as_deref();
        for id in ["retry_of", "supersedes"].into_iter().filter_map(|name| self.receipt.get(name)?.str()) {
            let new = !self.report.points_to.iter().any(|known| *known == id);
            if new && grammar::is_uuid(&id) && Some(id.as_ref()) != own {
                self.report.points_to.push(id.into_owned());
            }
        }
        self.report.seq = self.receipt.get("seq").and_then(|s| s.integer());
        let linked = self.report.correlation.is_some() || !self.report.points_to.is_empty();
        if matches && linked && self.options.links {
            self.report.inputs = binding::inputs_digest(committed, &work.decoded, &mut work.payload);
        }
        let (state, mut notes) = anchor::check(self.receipt, self.m.anchor, &self.report);
        self.report.anchor = state;
        self.report.notes.append(&mut notes);
        if self.options.canonical_form && self.report.bytes.length.is_some() {
            self.report.canonical_form = Some(canonical_form(&work.decoded, self.options.max_depth, &mut work.payload));
        }
        self.claims();
    }

    fn claims(&mut self) {
        if let Some(of) = self.m.projection_of {
            let own_hash = self.receipt.get("projection_hash").and_then(|h| h.str()).map(Cow::into_owned);
            let of = of.str().map_or_else(|| of.raw_text().to_owned(), Cow::into_owned);
            self.report.notes.push(Note::Projection { of, own_hash });
        }
        for name in ["verified", "original_output_hash", "signature"] {
            if let Some(value) = self.receipt.get(name) {
                let raw = value.str().map_or_else(|| value.raw_text().to_owned(), Cow::into_owned);
                self.report.claims.push((name.to_owned(), raw));
            }
        }
        if let Some(checks) = self.receipt.get("checks") {
            for (key, value) in checks.members().take(LISTED_MEMBERS) {
                let said = value.get("passed").unwrap_or(value);
                self.report.claims.push((format!("checks.{}", key.name()), said.raw_text().to_owned()));
            }
        }
    }

    /// Expectations from outside: identity (rules §4) and profile.
    pub(super) fn outside(&mut self) {
        let mut state = self.report.id_state;
        if self.options.expect_id.is_some() || self.options.resolved.is_some() {
            self.report.mark(Layer::Identity, Check::Passed);
        }
        let own = self.report.id.clone();
        if let Some(expected) = &self.options.expect_id {
            if own.as_ref() == Some(expected) {
                state = IdState::Matched;
            } else {
                state = IdState::Mismatched;
                self.fault(mismatch("id", own.as_deref(), expected));
            }
        }
        if let Some(resolved) = &self.options.resolved {
            let hash_differs = self.report.bytes.declared.as_ref() != Some(&resolved.output_hash);
            let other_id = resolved.id.as_ref().filter(|id| own.as_ref() != Some(*id));
            if hash_differs {
                self.fault(mismatch("output_hash", self.report.bytes.declared.as_deref(), &resolved.output_hash));
            }
            if let Some(id) = other_id {
                self.fault(mismatch("id", own.as_deref(), id));
            }
            if hash_differs || other_id.is_some() {
                state = IdState::Mismatched;
            } else if state != IdState::Mismatched {
                state = IdState::Resolved;
            }
        }
        self.report.id_state = state;
    }

    /// The reference and anchored profiles add findings; they take none away.
    pub(super) fn profile(&mut self, decoded: Decoded, work: &mut Work) {
        match self.options.profile {
            Profile::Core => {}
            Profile::Reference => {
                if decoded == Decoded::Yes && !binding::has_inputs(&work.decoded, &mut work.payload) {
                    self.fault(Fault::of(Class::ProfileInputs, "canonical_bytes"));
                }
            }
            Profile::Anchored => {
                let strict = self.report.id.as_deref().is_some_and(grammar::is_version_4);
                if self.report.anchor != Anchor::Verified || !strict {
                    self.fault(Fault::of(Class::AnchorFailed, "anchor").found(self.report.anchor.as_str()));
                }
            }
        }
    }
}

fn mismatch(member: &str, found: Option<&str>, expected: &str) -> Fault {
    let fault = Fault::of(Class::IdMismatch, member).expected(expected);
    match found {
        Some(found) => fault.found(found),
        None => fault,
    }
}

fn canonical_form(decoded: &[u8], max_depth: u32, doc: &mut Doc) -> CanonicalForm {
    if std::str::from_utf8(decoded).is_err() {
        return CanonicalForm::NotJson;
    }
    let body = decoded.strip_prefix("\u{feff}".as_bytes()).unwrap_or(decoded);
    if json::parse(body, max_depth, doc).is_err() || !doc.duplicates().is_empty() {
        return CanonicalForm::NotJson;
    }
    let Some(root) = doc.root(body) else { return CanonicalForm::NotJson };
    let mut canonical = Vec::with_capacity(body.len());
    json::canonical(root, &mut canonical);
    if canonical == decoded { CanonicalForm::Yes } else { CanonicalForm::No }
}
