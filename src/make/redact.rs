//! Redacted projections: a receipt without its bytes, fit to be published (rules §10).
//!
//! A projection keeps id, version, time, tool, class and status as they are, and the hash of the original bytes under
//! `original_output_hash`. `projection_of` repeats the id. The committed bytes themselves go; where they are JSON, what
//! is left of them stands decoded under `content`. `projection_hash` is the SHA-256 of the projection itself: of its
//! canonical form (members sorted, no white space) without that one member.

use super::json::Json;
use super::receipt::output_hash;
use crate::aer1::json::{self, Doc, NodeKind, Value};

/// What stands for a masked value.
pub const MASK: &str = "[masked]";

/// Where the committed JSON stands in a projection.
pub const CONTENT: &str = "content";

/// Members that every projection keeps as they are (rules §10), as far as the receipt has them.
const KEPT: [&str; 15] = [
    "/id",
    "/receipt_schema_version",
    "/created_at",
    "/timestamp",
    "/tool",
    "/tool/name",
    "/tool/version",
    "/tool/scope",
    "/tool_context",
    "/tool_context/name",
    "/tool_context/version",
    "/tool_context/scope",
    "/provenance_class",
    "/verification_status",
    "/status",
];

/// Members that a projection never has: they carry the original bytes or describe nothing else.
const GONE: [&str; 3] = ["canonical_bytes", "canonical_byte_length", "output_hash"];

/// Members whose names the projection needs for itself.
const OWN: [&str; 5] = ["projection_of", "projection_hash", "original_output_hash", "redacted", CONTENT];

/// What happens to a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Act {
    /// It goes, with its name.
    Drop,
    /// Its name stays, and says that there was something.
    Mask,
}

/// One value of the projection, by JSON pointer, and what happens to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// What happens.
    pub act: Act,
    /// The pointer as it was written.
    pub pointer: String,
    steps: Vec<String>,
}

impl Rule {
    /// A rule for what stands at `pointer`.
    ///
    /// # Errors
    /// A sentence, when it is no JSON pointer or leads to something that a projection keeps.
    pub fn new(act: Act, pointer: &str) -> Result<Rule, String> {
        let Some(path) = pointer.strip_prefix('/') else {
            return Err("a JSON pointer begins with a slash, as /content/inputs".to_owned());
        };
        let mut steps = Vec::new();
        for step in path.split('/') {
            let bare = step.replace("~0", "").replace("~1", "");
            if bare.contains('~') {
                return Err("in a JSON pointer ~ is written ~0, and / in a name ~1".to_owned());
            }
            steps.push(step.replace("~1", "/").replace("~0", "~"));
        }
        if KEPT.contains(&pointer) {
            return Err("a projection keeps id, version, time, tool, class and status".to_owned());
        }
        if let [first, ..] = steps.as_slice() {
            if GONE.contains(&first.as_str()) {
                return Err(format!(
                    "a projection has no {first}; what the bytes commit stands under /{CONTENT} when it is JSON"
                ));
            }
            if steps.len() == 1 && first != CONTENT && OWN.contains(&first.as_str()) {
                return Err("the projection needs it to say what it is".to_owned());
            }
        }
        Ok(Rule { act, pointer: pointer.to_owned(), steps })
    }
}

/// A projection, and what became of each rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Projection {
    /// The document.
    pub json: Json,
    /// Names of the receipt's own members that went because a projection has none.
    pub gone: Vec<&'static str>,
    /// For each rule, whether there was something.
    pub hit: Vec<bool>,
    /// Whether the committed bytes are JSON and stand under `content`, as far as they were left.
    pub has_content: bool,
}

/// Why there is no projection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refused {
    /// It is a projection already.
    Again,
    /// It has no id to be the projection of.
    NoId,
    /// It has a member of this name, which the projection needs for itself.
    Name(String),
    /// The original bytes still stand in it, under another name.
    StillThere,
}

/// Makes the projection of a receipt: `members` are its own, as they stand, and `committed` its decoded bytes.
///
/// # Errors
/// See [`Refused`].
pub fn project(members: &[(String, Json)], committed: Option<&[u8]>, rules: &[Rule]) -> Result<Projection, Refused> {
    let named = |name: &str| members.iter().find(|(n, _)| n == name).map(|(_, value)| value);
    if named("projection_of").is_some() {
        return Err(Refused::Again);
    }
    if let Some(name) = OWN.iter().find(|name| named(name).is_some()) {
        return Err(Refused::Name((*name).to_owned()));
    }
    let Some(Json::Text(id)) = named("id") else { return Err(Refused::NoId) };
    let mut gone = Vec::new();
    let mut kept = Vec::with_capacity(members.len() + OWN.len());
    for (name, value) in members {
        match GONE.iter().find(|g| *g == name) {
            Some(&"output_hash") => kept.push(("original_output_hash".to_owned(), value.clone())),
            Some(name) => gone.push(*name),
            None => kept.push((name.clone(), value.clone())),
        }
    }
    let content = committed.and_then(read);
    let has_content = content.is_some();
    if let Some(content) = content {
        kept.push((CONTENT.to_owned(), content));
    }
    let mut hit = vec![false; rules.len()];
    let left: Vec<(usize, &Rule, &[String])> =
        rules.iter().enumerate().map(|(i, rule)| (i, rule, rule.steps.as_slice())).collect();
    let mut json = apply(Json::Object(kept), &left, &mut hit);
    let count = |act| rules.iter().zip(&hit).filter(|(rule, hit)| rule.act == act && **hit).count() as u64;
    json.add("projection_of", id.as_str());
    json.add(
        "redacted",
        super::json::object([("dropped", count(Act::Drop).into()), ("masked", count(Act::Mask).into())]),
    );
    let hash = output_hash(json.clone().sorted().compact().as_bytes());
    json.add("projection_hash", hash);
    if let Some(Json::Text(bytes)) = named("canonical_bytes")
        && bytes.len() >= 8
        && json.compact().contains(bytes.as_str())
    {
        return Err(Refused::StillThere);
    }
    Ok(Projection { json, gone, hit, has_content })
}

/// Applies the rules that reach into `value`; what happens to `value` itself is its holder's business.
fn apply(value: Json, rules: &[(usize, &Rule, &[String])], hit: &mut [bool]) -> Json {
    if rules.is_empty() {
        return value;
    }
    match value {
        Json::Object(members) => {
            let members = members.into_iter().filter_map(|(name, member)| {
                let left = one(member, |step| step == name, rules, hit);
                left.map(|member| (name, member))
            });
            Json::Object(members.collect())
        }
        Json::List(items) => {
            let items = items.into_iter().enumerate().filter_map(|(at, item)| {
                let own = at.to_string();
                one(item, |step| step == own, rules, hit)
            });
            Json::List(items.collect())
        }
        scalar => scalar,
    }
}

/// One member or item after the rules that begin with its name; `None` when it goes.
fn one(
    value: Json,
    is_its: impl Fn(&str) -> bool,
    rules: &[(usize, &Rule, &[String])],
    hit: &mut [bool],
) -> Option<Json> {
    let mut deeper = Vec::new();
    let mut act = None;
    for (i, rule, steps) in rules {
        match steps {
            [last] if is_its(last) => {
                if let Some(hit) = hit.get_mut(*i) {
                    *hit = true;
                }
                act = if act == Some(Act::Drop) { act } else { Some(rule.act) };
            }
            [first, rest @ ..] if !rest.is_empty() && is_its(first) => deeper.push((*i, *rule, rest)),
            _ => {}
        }
    }
    // Also inside of what goes: a rule that leads there did lead to something.
    let value = apply(value, &deeper, hit);
    match act {
        Some(Act::Drop) => None,
        Some(Act::Mask) => Some(Json::from(MASK)),
        None => Some(value),
    }
}

/// Committed bytes as a value to be shown in part; `None` when they are no JSON, or two readers would see different
/// things in them.
fn read(committed: &[u8]) -> Option<Json> {
    let body = committed.strip_prefix("\u{feff}".as_bytes()).unwrap_or(committed);
    let mut doc = Doc::new();
    std::str::from_utf8(body).ok()?;
    json::parse(body, crate::config::Limits::default().max_depth, &mut doc).ok()?;
    if !doc.duplicates().is_empty() {
        return None;
    }
    let root = doc.root(body)?;
    // A bare text or number cannot be shown in part; and a text that is the whole output is no place for a pointer.
    (root.is_object() || root.is_array()).then(|| of(root))
}

/// A value as it is to be written: numbers keep their spelling, names and texts their characters.
pub fn of(value: Value<'_>) -> Json {
    match value.kind() {
        NodeKind::Object => Json::Object(value.members().map(|(k, v)| (k.name().into_owned(), of(v))).collect()),
        NodeKind::Array => Json::List(value.elements().map(of).collect()),
        NodeKind::String | NodeKind::Key => Json::Text(value.str().unwrap_or_default().into_owned()),
        NodeKind::Number | NodeKind::True | NodeKind::False | NodeKind::Null => Json::raw(value.raw_text()),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may")]

    use super::*;

    fn rule(act: Act, pointer: &str) -> Rule {
        Rule::new(act, pointer).unwrap()
    }

    fn members(hidden: &str) -> Vec<(String, Json)> {
        let json = super::super::json::object([
            ("id", "x".into()),
            ("canonical_bytes", super::super::receipt::base64(hidden.as_bytes()).into()),
            ("output_hash", output_hash(hidden.as_bytes()).into()),
        ]);
        match json {
            Json::Object(members) => members,
            _ => Vec::new(),
        }
    }

    #[test]
    fn rules_are_read_and_what_is_kept_is_refused() {
        for (pointer, says) in [
            ("content", "begins with a slash"),
            ("", "begins with a slash"),
            ("/a~2", "~0"),
            ("/id", "keeps id"),
            ("/tool", "keeps id"),
            ("/tool/scope", "keeps id"),
            ("/canonical_bytes", "stands under /content"),
            ("/output_hash", "has no output_hash"),
            ("/projection_of", "needs it"),
        ] {
            assert!(Rule::new(Act::Drop, pointer).unwrap_err().contains(says), "{pointer}");
        }
        assert_eq!(rule(Act::Mask, "/a~1b/~01/").steps, ["a/b", "~1", ""]);
        assert!(Rule::new(Act::Drop, "/content").is_ok() && Rule::new(Act::Drop, "/tool/secret").is_ok());
    }

    #[test]
    fn values_go_or_are_masked_where_they_stand() {
        let text = r#"{"a":[1.0,{"k":1},3],"b/c":{"d":"é"},"e":null}"#;
        let rules = [
            rule(Act::Drop, "/content/a/0"),
            rule(Act::Mask, "/content/a/1/k"),
            rule(Act::Drop, "/content/b~1c"),
            rule(Act::Mask, "/content/b~1c/d"),
            rule(Act::Mask, "/content/e"),
            rule(Act::Drop, "/content/e/x"),
            rule(Act::Drop, "/content/a/00"),
        ];
        let made = project(&members(text), Some(text.as_bytes()), &rules).unwrap();
        assert_eq!(made.json.get("content").unwrap().compact(), r#"{"a":[{"k":"[masked]"},3],"e":"[masked]"}"#);
        assert_eq!(made.hit, [true, true, true, true, true, false, false], "an index has one spelling");
        assert_eq!(made.gone, ["canonical_bytes"]);
        let hash = made.json.text_of("projection_hash").unwrap().to_owned();
        let rest = made.json.clone().without("projection_hash").sorted().compact();
        assert_eq!(output_hash(rest.as_bytes()), hash);
        assert_eq!(made.json.text_of("original_output_hash"), Some(output_hash(text.as_bytes()).as_str()));
        assert!(made.json.get("output_hash").is_none());
    }

    #[test]
    fn what_is_no_json_or_ambiguous_has_no_content() {
        for text in ["plain", "\"text\"", "12345678", "{\"a\":1,\"a\":2}", "{"] {
            let made = project(&members(text), Some(text.as_bytes()), &[]).unwrap();
            assert!(!made.has_content && made.json.get("content").is_none(), "{text}");
        }
    }

    #[test]
    fn the_original_bytes_must_not_stand_elsewhere() {
        let text = "{\"secret\":true}";
        let mut all = members(text);
        all.push(("copy".to_owned(), Json::List(vec![super::super::receipt::base64(text.as_bytes()).into()])));
        assert_eq!(project(&all, Some(text.as_bytes()), &[]), Err(Refused::StillThere));
        assert!(project(&all, Some(text.as_bytes()), &[rule(Act::Drop, "/copy")]).is_ok());
        all.push(("projection_of".to_owned(), "x".into()));
        assert_eq!(project(&all, None, &[]), Err(Refused::Again));
    }
}
