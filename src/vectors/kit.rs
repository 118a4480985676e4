//! The public kit's layout, as it is: folders `valid`, `invalid`, `invalid-profile` and `anchored`, beside them files
//! with lists of named vectors (Merkle trees, timelines, commitments, documents of any kind).

use sha2::{Digest as _, Sha256};

use super::{Ask, By, Case, Expect, Input};
use crate::aer1::id_leaf;
use crate::aer1::json::{Doc, Value, parse};
use crate::aer1::report::Place;
use crate::aer1::words::{Anchor, Class, Headline, Profile};

/// What the name of a folder says about the files in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    Valid,
    Invalid,
    InvalidProfile,
    Anchored,
}

/// The kit's folders.
pub(super) const FOLDERS: [(&str, Part); 4] = [
    ("valid", Part::Valid),
    ("invalid", Part::Invalid),
    ("invalid-profile", Part::InvalidProfile),
    ("anchored", Part::Anchored),
];

/// The case of one file in one of the kit's folders.
pub(super) fn case(part: Part, file: &str, bytes: &[u8]) -> Case {
    let expect = match part {
        Part::Valid => Expect::Valid,
        Part::Invalid => Expect::Rejected(with_root(bytes, rejected_by).unwrap_or(By::Core)),
        Part::InvalidProfile => Expect::Rejected(By::Profile(Profile::Reference)),
        Part::Anchored if is_anchored_valid(file) => Expect::Anchored(Anchor::Verified),
        Part::Anchored => Expect::Anchored(Anchor::VerificationFailed),
    };
    Case {
        name: file.to_owned(),
        file: file.to_owned(),
        place: Place::WHOLE,
        input: Input::Record,
        ask: Ask::default(),
        expect,
        why: String::new(),
        twin: None,
    }
}

fn is_anchored_valid(file: &str) -> bool {
    file.rsplit('/').next().unwrap_or(file).starts_with("anchored-valid")
}

fn with_root<T>(bytes: &[u8], look: impl FnOnce(Value<'_>) -> T) -> Option<T> {
    let mut doc = Doc::new();
    // Only to find members; what a document is worth is decided where it is verified.
    parse(bytes, 128, &mut doc).ok()?;
    doc.root(bytes).map(look)
}

/// Who or what must reject a vector, by its `rejected_by`: one word or a list of them. What is not understood means any
/// rejection.
fn rejected_by(vector: Value<'_>) -> By {
    let Some(stated) = vector.get("rejected_by") else { return By::Core };
    let words: Vec<String> =
        stated.str().into_iter().chain(stated.elements().filter_map(|e| e.str())).map(|w| w.into_owned()).collect();
    if words.iter().any(|word| word == "core") {
        return By::Core;
    }
    for word in &words {
        if let Some(class) = Class::from_word(word) {
            return By::Class(class);
        }
        match word.as_str() {
            "duplicate receipt_id" => return By::Class(Class::WorkflowDuplicateId),
            "reference" | "profile" => return By::Profile(Profile::Reference),
            "anchored" => return By::Profile(Profile::Anchored),
            _ => {}
        }
    }
    By::Core
}

/// The cases of a file with named vectors; `None` when it is no such file, an error in words when it is unfit.
pub(super) fn of_file(file: &str, bytes: &[u8]) -> Option<Result<Vec<Case>, String>> {
    let mut doc = Doc::new();
    if let Err(fault) = parse(bytes, 128, &mut doc) {
        return Some(Err(format!("{} at byte {}", fault.class.as_str(), fault.offset)));
    }
    let root = doc.root(bytes)?;
    let vectors = root.get("vectors").filter(Value::is_array)?;
    let mut cases = Vec::new();
    for (number, vector) in vectors.elements().enumerate() {
        if !vector.is_object() {
            return Some(Err(format!("vector {number} is no object")));
        }
        let name = text(vector, "name").or_else(|| text(vector, "id")).unwrap_or_else(|| number.to_string());
        for (what, input, expect) in inputs(vector) {
            cases.push(Case {
                name: format!("{file} {name}{what}"),
                file: file.to_owned(),
                place: Place::WHOLE,
                input,
                ask: Ask::default(),
                expect,
                why: text(vector, "desc").or_else(|| text(vector, "why")).unwrap_or_default(),
                twin: None,
            });
        }
    }
    Some(Ok(cases))
}

fn text(vector: Value<'_>, name: &str) -> Option<String> {
    vector.get(name).and_then(|value| value.str()).map(std::borrow::Cow::into_owned)
}

/// What one vector asks for: mostly one thing; a Merkle vector may ask for a root and for a workflow's verdict.
fn inputs(vector: Value<'_>) -> Vec<(&'static str, Input, Expect)> {
    if let Some(root) = text(vector, "expected_root") {
        return of_tree(vector, root);
    }
    let expect = text(vector, "expected_verdict").map_or_else(
        || Expect::NotUnderstood("no expected_verdict".to_owned()),
        |word| verdict(&word, vector, text(vector, "kind").is_some_and(|kind| kind.contains("anchor"))),
    );
    vec![("", Input::Document(document(vector)), expect)]
}

/// What a verdict's word means.
fn verdict(word: &str, vector: Value<'_>, about_anchor: bool) -> Expect {
    if about_anchor && let Some(state) = Anchor::from_word(word) {
        return Expect::Anchored(state);
    }
    match (word, Headline::from_word(word), Anchor::from_word(word)) {
        ("valid" | "verified" | "intact" | "pass" | "accepted", _, _) => Expect::Valid,
        ("invalid" | "rejected" | "fail", _, _) => Expect::Rejected(rejected_by(vector)),
        (_, Some(_), _) => Expect::Rejected(rejected_by(vector)),
        (_, None, Some(state)) => Expect::Anchored(state),
        _ => Expect::NotUnderstood(format!("expected_verdict {word}")),
    }
}

/// The document of a vector: what stands under a name that says so, or the vector itself.
fn document(vector: Value<'_>) -> Vec<u8> {
    if vector.get("timeline").is_some() {
        // A timeline and the commitment beside it: the vector's other members are about the test.
        let mut out = b"{".to_vec();
        for name in ["timeline", "commitment"] {
            if let Some(value) = vector.get(name) {
                if out.len() > 1 {
                    out.push(b',');
                }
                out.extend_from_slice(format!("\"{name}\":").as_bytes());
                out.extend_from_slice(value.raw());
            }
        }
        out.push(b'}');
        return out;
    }
    ["receipt", "workflow", "document", "record", "input", "vector", "data"]
        .into_iter()
        .find_map(|name| vector.get(name).filter(|value| value.is_object() || value.is_array()))
        .unwrap_or(vector)
        .raw()
        .to_vec()
}

fn of_tree(vector: Value<'_>, root: String) -> Vec<(&'static str, Input, Expect)> {
    let strings = |name: &str| -> Option<Vec<String>> {
        vector.get(name)?.elements().map(|item| item.str().map(std::borrow::Cow::into_owned)).collect()
    };
    let ids = strings("receipt_ids");
    let leaves: Option<Vec<[u8; 32]>> = match (&ids, vector.get("leaves")) {
        (Some(ids), _) => Some(ids.iter().map(|id| id_leaf(id)).collect()),
        (None, Some(list)) => list
            .elements()
            .map(|leaf| text(leaf, "preimage").map(|preimage| Sha256::digest(preimage.as_bytes()).into()))
            .collect(),
        (None, None) => None,
    };
    let Some(leaves) = leaves else {
        return vec![("", Input::Leaves(Vec::new()), Expect::NotUnderstood("a root without leaves".to_owned()))];
    };
    let expect = Expect::Root { root: root.clone(), not: text(vector, "must_not_equal") };
    let mut asked = vec![("", Input::Leaves(leaves), expect)];
    if let (Some(ids), Some(word)) = (ids, text(vector, "expected_workflow_verdict")) {
        let steps: Vec<serde_json::Value> =
            ids.iter().zip(1u64..).map(|(id, seq)| serde_json::json!({ "seq": seq, "receipt_id": id })).collect();
        let document = serde_json::json!({ "steps": steps, "merkle_root": root }).to_string();
        asked.push((" (workflow)", Input::Document(document.into_bytes()), verdict(&word, vector, false)));
    }
    asked
}
