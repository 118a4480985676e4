//! A single receipt, published or transport, through the layers of rules §3.

use sha2::{Digest as _, Sha256};

mod beyond;
mod members;

use self::members::{LISTED_MEMBERS, Members, Text, text};
use super::binding;
use super::grammar;
use super::headline::settle;
use super::json::{Doc, NodeKind, Value};
use super::report::{
    BytesState, Check, Class, Fault, Headline, IdState, Kind, Labels, Layer, Note, Place, Report, Shape, hex,
};
use super::verify::Options;

/// Versions whose rules are known here.
pub const KNOWN_VERSIONS: [&str; 4] = ["0.1", "0.2", "0.3", "0.4"];

/// Scratch space, reused from receipt to receipt.
#[derive(Debug, Default)]
pub(super) struct Work {
    /// The decoded canonical bytes of the receipt looked at last.
    pub decoded: Vec<u8>,
    /// Those bytes read as JSON, as far as they can be.
    pub payload: Doc,
    names: binding::Names,
}

/// Whether this receipt holds no bytes and may, by its kind, hold none (rules §3.6).
fn may_lack_bytes(kind: Kind, m: &Members<'_>) -> bool {
    let no_bytes = m.bytes.is_none_or(|b| b.is_null());
    no_bytes && (kind == Kind::Transport || m.projection_of.is_some())
}

struct Checker<'a, 'w> {
    receipt: Value<'a>,
    kind: Kind,
    options: &'w Options,
    m: Members<'a>,
    report: Report,
    /// No bytes are due: what is there must be well formed, what is absent is not missed.
    pointer: bool,
    /// The time stands under its transport name in a published receipt, or the tool is a bare string there.
    legacy: bool,
}

/// Checks one receipt. `work.decoded` holds its decoded bytes afterwards (empty when they cannot be decoded).
pub(super) fn check(receipt: Value<'_>, kind: Kind, options: &Options, work: &mut Work) -> Report {
    let m = Members::of(receipt);
    let pointer = may_lack_bytes(kind, &m);
    let mut report = Report::empty(Place::WHOLE, kind, Headline::Unavailable);
    report.checks = [Check::Passed; Layer::ALL.len()];
    for layer in [Layer::Structure, Layer::Links, Layer::Envelope, Layer::Identity] {
        report.mark(layer, Check::NotApplicable);
    }
    if kind == Kind::Transport {
        report.mark(Layer::Status, Check::NotApplicable);
    }
    let mut checker = Checker { receipt, kind, options, m, report, pointer, legacy: false };
    checker.members();
    let version = checker.version();
    let decoded = checker.bytes(work);
    checker.labels();
    let matches = checker.hash(decoded, work);
    let committed = checker.after_match(matches, version, work);
    checker.links(matches, &committed, work);
    checker.outside();
    checker.finish(decoded, work)
}

/// How far the bytes came.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Decoded {
    /// None are due.
    None,
    /// They are absent, mistyped or not base64.
    Failed,
    /// `work.decoded` holds them.
    Yes,
}

impl<'a> Checker<'a, '_> {
    fn fault(&mut self, fault: Fault) {
        self.report.faults.push(fault);
    }

    fn wrong(&mut self, member: &str, found: NodeKind, expected: &str) {
        self.fault(Fault::of(Class::WrongType, member).found(found.word()).expected(expected));
    }

    /// Layer 6, and the texts that later layers look at.
    fn members(&mut self) {
        let published = self.kind == Kind::Published;
        let required: &[(&str, bool)] = if published {
            &[
                ("id", self.m.id.is_some()),
                ("receipt_schema_version", self.m.version.is_some()),
                ("created_at", self.m.created_at.is_some() || self.m.timestamp.is_some()),
                ("tool", self.m.tool.is_some()),
                ("provenance_class", self.m.provenance.is_some()),
                ("canonical_bytes", self.m.bytes.is_some()),
                ("output_hash", self.m.hash.is_some()),
                ("verification_status", self.m.verification.is_some()),
            ]
        } else {
            &[
                ("id", self.m.id.is_some()),
                ("tool", self.m.tool.is_some()),
                ("timestamp", self.m.timestamp.is_some()),
                ("provenance_class", self.m.provenance.is_some()),
                ("output_hash", self.m.hash.is_some()),
                ("canonical_bytes", self.m.bytes.is_some()),
                ("verification_status", self.m.verification.is_some()),
                ("status", self.m.status.is_some()),
            ]
        };
        if !self.pointer && self.m.projection_of.is_none() {
            for (name, present) in required {
                if !present {
                    self.report.faults.push(Fault::of(Class::MissingMember, *name));
                }
            }
        }
        let pointer_bytes = if self.pointer { None } else { self.m.bytes };
        let time_name = if self.m.created_at.is_some() { "created_at" } else { "timestamp" };
        let time = self.m.created_at.or(self.m.timestamp);
        self.legacy |= published && self.m.created_at.is_none() && self.m.timestamp.is_some();
        let status = if published { None } else { self.m.status };
        let texts = [
            ("id", self.m.id),
            ("receipt_schema_version", self.m.version),
            (time_name, time),
            ("provenance_class", self.m.provenance),
            ("canonical_bytes", pointer_bytes),
            ("output_hash", self.m.hash),
            ("hash_algorithm", self.m.algorithm),
            ("verification_status", self.m.verification),
            ("status", status),
        ];
        for (name, value) in texts {
            // The kind alone: a long text is not looked through for it.
            if let Some(found) = value.map(|v| v.kind()).filter(|kind| *kind != NodeKind::String) {
                self.wrong(name, found, "a string");
            }
        }
        if let Some(tool) = self.m.tool {
            match (tool.kind(), published) {
                (NodeKind::Object, true) | (NodeKind::String, false) => {}
                (NodeKind::String, true) => self.legacy = true,
                (found, true) => self.wrong("tool", found, "an object"),
                (found, false) => self.wrong("tool", found, "a string"),
            }
        }
        if let (Some(context), false) = (self.m.tool_context, published)
            && !context.is_object()
        {
            self.wrong("tool_context", context.kind(), "an object");
        }
        if let Some(length) = self.m.length
            && !length.is_plain_integer()
        {
            let found = if length.kind() == NodeKind::Number { length.raw_text() } else { length.kind().word() };
            self.fault(Fault::of(Class::WrongType, "canonical_byte_length").found(found).expected("an integer"));
        }
    }

    /// Layer 3: the outer version, when it is a text.
    fn version(&mut self) -> Option<String> {
        let version = match text(self.m.version) {
            Text::Is(v) => Some(v.into_owned()),
            _ => None,
        };
        if let Some(v) = &version {
            self.known_version(v);
        }
        self.report.version.clone_from(&version);
        version
    }

    fn known_version(&mut self, version: &str) {
        if !KNOWN_VERSIONS.contains(&version) {
            self.fault(
                Fault::of(Class::VersionUnsupported, "receipt_schema_version")
                    .found(version)
                    .expected(KNOWN_VERSIONS.join(", ")),
            );
            let others: Vec<String> = self
                .receipt
                .members()
                .map(|(key, _)| key.name().into_owned())
                .filter(|name| !Members::know(name))
                .take(LISTED_MEMBERS)
                .collect();
            if !others.is_empty() {
                self.report.notes.push(Note::NotEvaluated(others));
            }
        }
    }

    /// Layers 4 and 5.
    fn bytes(&mut self, work: &mut Work) -> Decoded {
        work.decoded.clear();
        if self.pointer {
            for layer in [Layer::Base64, Layer::Utf8, Layer::Hash, Layer::Binding] {
                self.report.mark(layer, Check::NotApplicable);
            }
            return Decoded::None;
        }
        let Some(encoded) = self.m.bytes.and_then(|b| b.str_bytes()) else {
            for layer in [Layer::Base64, Layer::Utf8, Layer::Hash] {
                self.report.mark(layer, Check::NotReached);
            }
            // Bytes of another type are faulty bytes; bytes that are not there are nothing to hash.
            if self.m.bytes.is_some() {
                self.report.bytes.state = BytesState::Malformed;
            }
            return Decoded::Failed;
        };
        if let Err(fault) = grammar::decode_base64(&encoded, &mut work.decoded) {
            let found = String::from_utf8_lossy(encoded.get(fault.offset..).unwrap_or_default());
            let found: String = found.chars().take(1).collect();
            self.report.bytes.state = BytesState::Malformed;
            self.fault(Fault::of(fault.class, "canonical_bytes").found(found).at(fault.offset));
            if fault.class != Class::Base64Noncanonical {
                // A fault of the hash's own form is still found, and then it has failed.
                for layer in [Layer::Utf8, Layer::Hash] {
                    self.report.mark(layer, Check::NotReached);
                }
                return Decoded::Failed;
            }
        }
        if let Err(error) = simdutf8::compat::from_utf8(&work.decoded) {
            let at = error.valid_up_to();
            let byte = work.decoded.get(at).map(|b| format!("{b:02x}")).unwrap_or_default();
            self.report.bytes.state = BytesState::Malformed;
            self.fault(Fault::of(Class::Utf8Invalid, "canonical_bytes").found(byte).at(at));
        }
        if work.decoded.is_empty() {
            self.report.notes.push(Note::EmptyBytes);
        }
        self.report.bytes.length = Some(work.decoded.len() as u64);
        Decoded::Yes
    }

    /// Layers 7 to 11.
    fn labels(&mut self) {
        if let Text::Is(id) = text(self.m.id) {
            match grammar::id(&id) {
                Ok(()) => {
                    if !grammar::is_version_4(&id) {
                        self.report.notes.push(Note::IdNotVersion4);
                    }
                }
                Err(class) => self.fault(Fault::of(class, "id").found(&*id)),
            }
            self.report.id_state = IdState::Unverified;
            self.report.id = Some(id.into_owned());
        }
        let name = if self.m.created_at.is_some() { "created_at" } else { "timestamp" };
        if let Text::Is(time) = text(self.m.created_at.or(self.m.timestamp)) {
            match grammar::moment(&time) {
                Ok(moment) => {
                    self.report.created = Some(moment);
                    if let Some(clock) = self.options.now
                        && moment > clock
                    {
                        self.report.notes.push(Note::FutureTime { clock });
                    }
                }
                Err(class) => self.fault(Fault::of(class, name).found(&*time)),
            }
            self.report.created_at = Some(time.into_owned());
        }
        self.tool();
        if let Text::Is(class) = text(self.m.provenance) {
            if !grammar::is_provenance(&class) {
                self.fault(Fault::of(Class::ProvenanceUnknown, "provenance_class").found(&*class));
            }
            self.report.provenance = Some(class.into_owned());
        }
        if let Text::Is(status) = text(self.m.verification) {
            if self.kind == Kind::Published && status != "verified" {
                self.fault(
                    Fault::of(Class::StatusNotVerified, "verification_status").found(&*status).expected("verified"),
                );
            }
            self.report.verification_status = Some(status.into_owned());
        }
        if let Text::Is(status) = text(self.m.status) {
            self.report.status = Some(status.into_owned());
        }
    }

    fn tool(&mut self) {
        if let Some(name) = self.m.tool.and_then(|tool| tool.str()) {
            if name.is_empty() {
                self.fault(Fault::of(Class::ToolInvalid, "tool").found("").expected("a non-empty text"));
            }
            self.report.tool = Some(name.into_owned());
        }
        match (self.m.tool, self.m.tool_context, self.kind) {
            (Some(tool), ..) if tool.is_object() => self.tool_object(tool, "tool"),
            (_, Some(context), Kind::Transport) => self.tool_object(context, "tool_context"),
            _ => {}
        }
    }

    fn tool_object(&mut self, object: Value<'a>, whole: &str) {
        if !object.is_object() {
            return;
        }
        let mut texts = [const { None }; 3];
        for (name, slot) in ["name", "version", "scope"].into_iter().zip(&mut texts) {
            let member = format!("{whole}.{name}");
            let fault = Fault::of(Class::ToolInvalid, member).expected("a non-empty text");
            match text(object.get(name)) {
                Text::Is(t) if !t.is_empty() => *slot = Some(t.into_owned()),
                Text::Is(_) => self.fault(fault.found("")),
                Text::Absent => self.fault(fault),
                Text::Wrong(kind) => self.fault(fault.found(kind.word())),
            }
        }
        let [name, version, scope] = texts;
        // A transport receipt's own `tool` is its name; the context adds to it.
        if self.report.tool.is_none() {
            self.report.tool = name;
        }
        self.report.tool_version = version;
        self.report.tool_scope = scope;
    }

    /// Layer 12. True when the digest was compared and is equal.
    fn hash(&mut self, decoded: Decoded, work: &Work) -> bool {
        let mut declared = None;
        if let Text::Is(hash) = text(self.m.hash) {
            declared = grammar::prefixed_digest(&hash).and_then(grammar::digest_bytes);
            if declared.is_none() {
                self.fault(
                    Fault::of(Class::HashSyntax, "output_hash")
                        .found(&*hash)
                        .expected("sha256: and 64 lowercase hex digits"),
                );
                if decoded == Decoded::Yes {
                    self.report.bytes.state = BytesState::Malformed;
                }
            }
            self.report.bytes.declared = Some(hash.into_owned());
        } else if self.m.projection_of.is_some()
            && self.m.hash.is_none()
            && self.m.bytes.is_none()
            && let Some(original) = self.receipt.get("original_output_hash").and_then(|h| h.str())
        {
            // Shown under its label; the bytes it is of are not here (rules §10).
            self.report.bytes.declared = Some(original.into_owned());
        }
        if let Text::Is(algorithm) = text(self.m.algorithm)
            && algorithm != "sha256"
        {
            self.fault(
                Fault::of(Class::HashAlgorithmUnsupported, "hash_algorithm").found(&*algorithm).expected("sha256"),
            );
        }
        if decoded != Decoded::Yes {
            return false;
        }
        if let Some(length) = self.m.length.filter(|l| l.is_plain_integer())
            && length.plain_integer() != i128::try_from(work.decoded.len()).ok()
        {
            self.fault(
                Fault::of(Class::LengthMismatch, "canonical_byte_length")
                    .found(length.raw_text())
                    .expected(work.decoded.len().to_string()),
            );
        }
        let digest: [u8; 32] = Sha256::digest(&work.decoded).into();
        self.report.bytes.recomputed = Some(digest);
        let Some(declared) = declared else { return false };
        let equal = declared == digest;
        let usable = self.report.bytes.state != BytesState::Malformed;
        if !equal {
            self.report.bytes.state = BytesState::Mismatch;
            let written = |digest: &[u8; 32]| format!("sha256:{}", hex(digest));
            let fault = Fault::of(Class::DigestMismatch, "output_hash").found(written(&declared));
            self.fault(fault.expected(written(&digest)));
        } else if usable {
            self.report.bytes.state = BytesState::Match;
        }
        equal
    }

    fn finish(mut self, decoded: Decoded, work: &mut Work) -> Report {
        self.profile(decoded, work);
        // Stable: within a layer faults stay in the order in which they were found, missing members first.
        self.report.faults.sort_by_key(|f| (f.class.layer(), f.class == Class::VersionUnsupported));
        self.report.mark_faults();
        let shaped = [Layer::Members, Layer::Tool, Layer::Version];
        self.report.shape = if self.report.faults.iter().any(|f| shaped.contains(&f.class.layer())) {
            Shape::Faulty
        } else if self.legacy || self.kind == Kind::Transport {
            Shape::Legacy
        } else {
            Shape::Complete
        };
        let complete = self.kind == Kind::Published
            && !self.legacy
            && self.report.bytes.state == BytesState::Match
            && self.report.labels == Labels::Unbound
            && self.m.projection_of.is_none()
            && self.report.verification_status.as_deref() == Some("verified");
        let without_faults = if self.pointer || self.m.projection_of.is_some() {
            Headline::Unavailable
        } else if complete {
            Headline::Verified
        } else {
            Headline::Intact
        };
        settle(&mut self.report, without_faults);
        self.report
    }
}
