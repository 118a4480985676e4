//! Our own test vectors: a folder of small files, each with the verdict the rules give it and why.
//!
//! The expectations are worked out from the rules by hand and stand here as data; nothing here asks the verifier. A
//! rejected file differs from its accepted twin in the one thing it is about. Every content is invented. The folder
//! `vectors/` in the repository is what [`make`] gives, byte for byte.

mod anchors;
mod chains;
mod commitments;
mod commits;
mod kinds;
mod labels;
mod outside;
mod receipts;
mod text;
mod transport;
mod workflows;
mod wrapped;

use super::json::{Json, object};
use super::receipt::Parts;
use crate::aer1::verify::Resolved;
use crate::aer1::words::{Anchor, Class, Headline, IdState, Kind, Profile};

/// The kind, headline and class a record must get.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Verdict {
    kind: Kind,
    headline: Headline,
    class: Option<Class>,
}

/// A published receipt without a fault.
const VERIFIED: Verdict = Verdict { kind: Kind::Published, headline: Headline::Verified, class: None };
/// A transport receipt without a fault.
const TRANSPORT: Verdict = Verdict { kind: Kind::Transport, headline: Headline::Intact, class: None };
/// A transport receipt with nothing to compare.
const POINTER: Verdict = Verdict { kind: Kind::Transport, headline: Headline::Unavailable, class: None };
/// A timeline that holds.
const CHAIN: Verdict = Verdict { kind: Kind::Chain, headline: Headline::Intact, class: None };
/// A workflow that holds.
const WORKFLOW: Verdict = Verdict { kind: Kind::Workflow, headline: Headline::Intact, class: None };
/// JSON of no known kind.
const OTHER: Verdict = Verdict { kind: Kind::None, headline: Headline::NotReceipt, class: None };
/// A published receipt that matches and claims less.
const LEGACY: Verdict = Verdict { kind: Kind::Published, headline: Headline::Intact, class: None };

/// A published receipt with this fault; its headline follows from the class.
const fn bad(class: Class) -> Verdict {
    Verdict { kind: Kind::Published, headline: class.headline(), class: Some(class) }
}

/// A text that is not read as JSON.
const fn unread(class: Class) -> Verdict {
    bad(class).of(Kind::None)
}

impl Verdict {
    /// The same of another kind.
    const fn of(self, kind: Kind) -> Verdict {
        Verdict { kind, ..self }
    }
}

/// One row of the manifest.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Entry {
    file: String,
    record: Option<String>,
    verdict: Verdict,
    why: String,
    rule: String,
    twin: Option<String>,
    anchor: Option<Anchor>,
    id: Option<IdState>,
    profile: Option<Profile>,
    expect_id: Option<String>,
    resolved: Option<Resolved>,
}

impl Entry {
    /// Names the accepted file that differs in one place.
    fn twin(&mut self, name: &str) -> &mut Entry {
        self.twin = Some(file_name(name));
        self
    }

    /// Expects this state of the anchor finding as well.
    fn anchor(&mut self, state: Anchor) -> &mut Entry {
        self.anchor = Some(state);
        self
    }

    /// Expects this state of the id finding as well.
    fn id(&mut self, state: IdState) -> &mut Entry {
        self.id = Some(state);
        self
    }

    /// Asks for this profile.
    fn profile(&mut self, profile: Profile) -> &mut Entry {
        self.profile = Some(profile);
        self
    }

    /// Asks whether the record has this id.
    fn expect_id(&mut self, id: &str) -> &mut Entry {
        self.expect_id = Some(id.to_owned());
        self
    }

    /// Asks whether the record is the one that was resolved elsewhere.
    fn resolved(&mut self, output_hash: &str, id: Option<&str>) -> &mut Entry {
        self.resolved = Some(Resolved { output_hash: output_hash.to_owned(), id: id.map(str::to_owned) });
        self
    }

    fn json(&self) -> Json {
        let text = |value: &Option<String>| value.as_deref().map_or_else(Json::null, Json::from);
        let mut row = object([
            ("file", self.file.as_str().into()),
            ("record", text(&self.record)),
            ("kind", self.verdict.kind.as_str().into()),
            ("headline", self.verdict.headline.as_str().into()),
            ("class", self.verdict.class.map_or_else(Json::null, |c| c.as_str().into())),
            ("why", self.why.as_str().into()),
            ("rule", self.rule.as_str().into()),
            ("twin", text(&self.twin)),
        ]);
        if let Some(state) = self.anchor {
            row.add("anchor", state.as_str());
        }
        if let Some(state) = self.id {
            row.add("id", state.as_str());
        }
        if let Some(profile) = self.profile {
            row.add("profile", profile.as_str());
        }
        if let Some(id) = &self.expect_id {
            row.add("expect_id", id.as_str());
        }
        if let Some(resolved) = &self.resolved {
            row.add(
                "resolved",
                object([("output_hash", resolved.output_hash.as_str().into()), ("id", text(&resolved.id))]),
            );
        }
        row
    }
}

/// Collects files and rows.
#[derive(Default)]
struct Maker {
    files: Vec<(String, Vec<u8>)>,
    entries: Vec<Entry>,
}

fn file_name(name: &str) -> String {
    if name.contains('.') { name.to_owned() } else { format!("{name}.json") }
}

impl From<&Json> for Vec<u8> {
    fn from(json: &Json) -> Vec<u8> {
        json.pretty().into_bytes()
    }
}

impl Maker {
    /// A file with one record.
    fn one(&mut self, name: &str, text: impl Into<Vec<u8>>, verdict: Verdict, rule: &str, why: &str) -> &mut Entry {
        self.file(name, text);
        self.record(name, None, verdict, rule, why)
    }

    /// A file whose rows follow by [`Maker::record`].
    fn file(&mut self, name: &str, text: impl Into<Vec<u8>>) {
        self.files.push((file_name(name), text.into()));
    }

    /// One record of a file.
    fn record(&mut self, name: &str, record: Option<&str>, verdict: Verdict, rule: &str, why: &str) -> &mut Entry {
        let entry = Entry {
            file: file_name(name),
            record: record.map(str::to_owned),
            verdict,
            why: why.to_owned(),
            rule: rule.to_owned(),
            twin: None,
            anchor: None,
            id: None,
            profile: None,
            expect_id: None,
            resolved: None,
        };
        let at = self.entries.len();
        self.entries.push(entry);
        // `at` is in range: the entry was pushed just now.
        self.entries.get_mut(at..).and_then(<[Entry]>::first_mut).unwrap_or_else(|| unreachable!())
    }
}

fn all(maker: &mut Maker) {
    receipts::make(maker);
    transport::make(maker);
    labels::make(maker);
    commits::make(maker);
    anchors::make(maker);
    outside::make(maker);
    text::make(maker);
    kinds::make(maker);
    wrapped::make(maker);
    chains::make(maker);
    commitments::make(maker);
    workflows::make(maker);
}

/// Every file of the suite, `index.json` first, the others by name.
pub fn make() -> Vec<(String, Vec<u8>)> {
    let mut maker = Maker::default();
    all(&mut maker);
    let Maker { mut files, mut entries } = maker;
    files.sort();
    entries.sort_by(|a, b| a.file.cmp(&b.file));
    // One row a line: a change in one expectation is one changed line.
    let mut index = "{\"suite\":1,\"vectors\":[\n".to_owned();
    for (i, entry) in entries.iter().enumerate() {
        index.push_str(&entry.json().compact());
        index.push_str(if i + 1 < entries.len() { ",\n" } else { "\n" });
    }
    index.push_str("]}\n");
    files.insert(0, ("index.json".to_owned(), index.into_bytes()));
    files
}

const ID: &str = "5b1d7a0e-93c4-4f0b-8a6d-2f7c1e90b3d4";
const OTHER_ID: &str = "c4a1f2d8-6e07-4b39-9d55-80e1ab37f6c2";
const GATEWAY: &str = "OBSERVED VIA GATEWAY";
const AGENT: &str = "LOGGED BY AGENT";

/// The call nearly every vector is about.
fn parts() -> Parts {
    Parts {
        id: ID.to_owned(),
        version: "0.3".to_owned(),
        created: "2026-03-14T09:26:53.589Z".to_owned(),
        tool: "tide.table".to_owned(),
        tool_version: "2.3.0".to_owned(),
        scope: "harbour-office".to_owned(),
        provenance: GATEWAY.to_owned(),
    }
}

/// What it committed: sorted, compact, non-ASCII.
const CALL: &str =
    r#"{"inputs":{"day":"2026-03-14","port":"Brønnøysund"},"outputs":{"high":["04:12","16:37"]},"tool":"tide.table"}"#;

/// The published receipt of it.
fn published() -> Json {
    parts().published(CALL.as_bytes())
}

/// A published receipt over other bytes.
fn over(bytes: &[u8]) -> Json {
    parts().published(bytes)
}

/// The transport receipt of it.
fn transport() -> Json {
    parts().transport(CALL.as_bytes(), "execution_observed", "success")
}

/// The transport form of a call whose provider failed.
fn failure() -> Json {
    parts().transport_without_bytes("not_verified", "provider_unavailable")
}

#[cfg(test)]
mod tests;
