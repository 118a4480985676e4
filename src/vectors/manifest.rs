//! Our own manifest: `{"suite":1,"vectors":[{"file","record","kind","headline","class","why","rule","twin"}]}`, nulls
//! allowed. A row may also have `profile`, `expect_id` and `resolved` (`{"output_hash","id"}`): what is asked for besides
//! the plain verdict; and `anchor` and `id`: the findings that must come out. Unknown members are passed over.

use std::collections::HashSet;

use serde::Deserialize;

use super::{Ask, Case, Expect, Input};
use crate::aer1::report::Place;
use crate::aer1::verify::Resolved;
use crate::aer1::words::{Anchor, Class, Headline, IdState, Kind, Profile};

#[derive(Deserialize)]
struct Manifest {
    vectors: Vec<Row>,
}

#[derive(Deserialize)]
struct Row {
    file: String,
    record: Option<String>,
    kind: String,
    headline: String,
    class: Option<String>,
    why: Option<String>,
    twin: Option<String>,
    anchor: Option<String>,
    id: Option<String>,
    profile: Option<String>,
    expect_id: Option<String>,
    resolved: Option<ResolvedRow>,
}

#[derive(Deserialize)]
struct ResolvedRow {
    output_hash: String,
    id: Option<String>,
}

/// The cases of a manifest; `None` when the text is none (it has no `suite`), an error in words when it is unfit.
pub(super) fn cases(bytes: &[u8]) -> Option<Result<Vec<Case>, String>> {
    let value: serde_json::Value = match serde_json::from_slice(bytes) {
        Ok(value) => value,
        Err(error) => return Some(Err(error.to_string())),
    };
    match value.get("suite") {
        None => return None,
        Some(version) if version.as_u64() == Some(1) => {}
        Some(version) => return Some(Err(format!("suite {version} is not known here"))),
    }
    let manifest: Manifest = match serde_json::from_value(value) {
        Ok(manifest) => manifest,
        Err(error) => return Some(Err(error.to_string())),
    };
    let mut cases: Vec<Case> = match manifest.vectors.into_iter().map(case).collect() {
        Ok(cases) => cases,
        Err(what) => return Some(Err(what)),
    };
    // Stable: rows of one file keep their order.
    cases.sort_by(|a, b| a.file.cmp(&b.file));
    let mut names = HashSet::new();
    if let Some(twice) = cases.iter().find(|case| !names.insert(case.name.as_str())) {
        return Some(Err(format!("{} stands there twice", twice.name)));
    }
    Some(Ok(cases))
}

fn case(row: Row) -> Result<Case, String> {
    let unknown = |what: &str, word: &str| format!("{}: {what} {word} is not known here", row.file);
    let place = row.record.as_deref().unwrap_or_default();
    let place = Place::parse(place).ok_or_else(|| unknown("record", place))?;
    let kind = Kind::from_word(&row.kind).ok_or_else(|| unknown("kind", &row.kind))?;
    let headline = Headline::from_word(&row.headline).ok_or_else(|| unknown("headline", &row.headline))?;
    let class = match row.class.as_deref() {
        Some(word) => Some(Class::from_word(word).ok_or_else(|| unknown("class", word))?),
        None => None,
    };
    let anchor = match row.anchor.as_deref() {
        Some(word) => Some(Anchor::from_word(word).ok_or_else(|| unknown("anchor", word))?),
        None => None,
    };
    let id = match row.id.as_deref() {
        Some(word) => Some(IdState::from_word(word).ok_or_else(|| unknown("id", word))?),
        None => None,
    };
    let profile = match row.profile.as_deref() {
        Some(word) => Some(Profile::from_word(word).ok_or_else(|| unknown("profile", word))?),
        None => None,
    };
    let resolved = row.resolved.map(|r| Resolved { output_hash: r.output_hash, id: r.id });
    let ask = Ask { profile, expect_id: row.expect_id, resolved };
    for name in [Some(&row.file), row.twin.as_ref()].into_iter().flatten() {
        if !super::suite::stays_inside(name) {
            return Err(format!("{name} leads out of the suite"));
        }
    }
    Ok(Case {
        name: format!("{}{place}{}", row.file, ask.words()),
        file: row.file,
        place,
        input: Input::Record,
        ask,
        expect: Expect::Verdict { kind, headline, class, anchor, id },
        why: row.why.unwrap_or_default(),
        twin: row.twin,
    })
}
