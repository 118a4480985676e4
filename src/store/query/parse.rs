//! From the text of a filter to its parts.

use std::fmt;

use crate::aer1::grammar::{self, Moment};
use crate::aer1::report::{Anchor, Class, Headline, Kind, Labels};
use crate::store::RowState;

use super::{ChainWanted, Clause, Pattern, StateWanted, Test, Wanted};

/// Every field with what it looks at, for help and completion.
pub const FIELDS: [(&str, &str); 13] = [
    (
        "verdict",
        "the headline: verified, intact, unchecked, unsupported, malformed, mismatch, unreadable, failing, other, writing",
    ),
    ("class", "the reason, or a part of its name"),
    ("kind", "published, transport, workflow, chain, commitment, provider_error, none, receipt"),
    ("tool", "a part of the tool name"),
    ("prov", "a part of the provenance class"),
    ("status", "a part of the execution status"),
    ("id", "a part of the receipt id"),
    ("file", "a part of the path"),
    ("labels", "unbound, bound, claimed, missing, contradicted"),
    ("anchor", "absent, not_checked, verified, verification_failed, unresolvable"),
    ("state", "known, writing, removed, rewritten"),
    ("chain", "retried, failed, or a part of the correlation value"),
    ("since", "a span back from now (10m, 2h, 7d), or a time"),
];

/// Why a filter's text cannot be understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FilterError {
    /// Byte offset into the text, on a character boundary.
    pub at: usize,
    /// How many bytes are meant.
    pub length: usize,
    /// What is wrong and what is expected. Parts of the text stand in it raw.
    pub message: String,
}

impl fmt::Display for FilterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for FilterError {}

fn error<T>(at: usize, length: usize, message: String) -> Result<T, FilterError> {
    Err(FilterError { at, length, message })
}

/// One value and where it stands.
struct Value<'a> {
    text: std::borrow::Cow<'a, str>,
    at: usize,
    length: usize,
}

/// The text and how far it was read.
struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Reader<'a> {
    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn skip_space(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start().len();
    }

    fn take(&mut self, c: char) -> bool {
        let there = self.peek() == Some(c);
        if there {
            self.at += c.len_utf8();
        }
        there
    }

    /// Up to white space, or a comma when `commas` end it.
    fn bare(&mut self, commas: bool) -> Value<'a> {
        let rest = self.rest();
        let end = rest.find(|c: char| c.is_whitespace() || commas && c == ',').unwrap_or(rest.len());
        let at = self.at;
        self.at += end;
        Value { text: rest.get(..end).unwrap_or_default().into(), at, length: end }
    }

    /// After an opening quote: up to the closing one. `\"` and `\\` stand for themselves.
    fn quoted(&mut self) -> Result<Value<'a>, FilterError> {
        let at = self.at.saturating_sub(1);
        let mut out = String::new();
        let mut chars = self.rest().char_indices();
        while let Some((offset, c)) = chars.next() {
            match c {
                '"' => {
                    self.at += offset + 1;
                    return Ok(Value { text: out.into(), at, length: self.at - at });
                }
                '\\' => match chars.next() {
                    Some((_, c @ ('"' | '\\'))) => out.push(c),
                    Some((_, c)) => out.extend(['\\', c]),
                    None => out.push('\\'),
                },
                c => out.push(c),
            }
        }
        error(at, self.text.len() - at, "the quote is not closed: expected `\"`".to_owned())
    }
}

pub(super) fn parse(text: &str, now: Moment) -> Result<Vec<Clause>, FilterError> {
    let mut reader = Reader { text, at: 0 };
    let mut clauses = Vec::new();
    loop {
        reader.skip_space();
        if reader.peek().is_none() {
            return Ok(clauses);
        }
        let start = reader.at;
        let negated = reader.take('-');
        if negated && reader.peek().is_none_or(char::is_whitespace) {
            return error(start, 1, "expected a word or a field after `-`".to_owned());
        }
        if reader.take('"') {
            let value = reader.quoted()?;
            clauses.push(Clause { negated, test: Test::Words(words(&value)?) });
            continue;
        }
        let field_at = reader.at;
        match field_name(reader.rest()) {
            Some(name) => {
                reader.at += name.len() + 1;
                let values = values(&mut reader, name, field_at)?;
                clauses.push(Clause { negated, test: field_test(name, field_at, &values, now)? });
            }
            None => {
                let value = reader.bare(false);
                clauses.push(Clause { negated, test: Test::Words(words(&value)?) });
            }
        }
    }
}

/// The letters before a colon, if the next word begins with some.
fn field_name(rest: &str) -> Option<&str> {
    let (name, _) = rest.split_once(':')?;
    (!name.is_empty() && name.bytes().all(|b| b.is_ascii_alphabetic() || b == b'_')).then_some(name)
}

fn values<'a>(reader: &mut Reader<'a>, name: &str, field_at: usize) -> Result<Vec<Value<'a>>, FilterError> {
    let mut values = Vec::new();
    loop {
        let value = if reader.take('"') { reader.quoted()? } else { reader.bare(true) };
        if value.text.is_empty() {
            // An unknown field is the better thing to say.
            known_field(name, field_at)?;
            let expected = FIELDS.iter().find(|(f, _)| *f == canonical(name)).map_or("a value", |(_, what)| what);
            return error(value.at, value.length.max(1), format!("expected a value after `{name}:`: {expected}"));
        }
        values.push(value);
        if !reader.take(',') {
            break;
        }
    }
    match reader.peek() {
        Some(c) if !c.is_whitespace() => {
            error(reader.at, c.len_utf8(), "expected a space or a comma after the closing quote".to_owned())
        }
        _ => Ok(values),
    }
}

/// Longer spellings of a field.
fn canonical(name: &str) -> &str {
    match name {
        "provenance" => "prov",
        "path" => "file",
        "headline" => "verdict",
        name => name,
    }
}

fn known_field(name: &str, at: usize) -> Result<(), FilterError> {
    let fields = FIELDS.map(|(f, _)| f);
    if fields.contains(&canonical(name)) {
        return Ok(());
    }
    let hint = match nearest(name, fields.into_iter().chain(["provenance", "path", "headline"])) {
        Some(field) => format!("did you mean `{field}`?"),
        None => format!("expected one of {}; or put the text in quotes", fields.join(", ")),
    };
    error(at, name.len(), format!("unknown field `{name}`, {hint}"))
}

fn words(value: &Value<'_>) -> Result<Pattern, FilterError> {
    if value.text.is_empty() {
        return error(value.at, value.length.max(1), "expected text between the quotes".to_owned());
    }
    Ok(Pattern::new(&value.text))
}

fn field_test(name: &str, at: usize, values: &[Value<'_>], now: Moment) -> Result<Test, FilterError> {
    known_field(name, at)?;
    let patterns = || values.iter().map(|v| Pattern::new(&v.text)).collect();
    Ok(match canonical(name) {
        "tool" => Test::Tool(patterns()),
        "prov" => Test::Provenance(patterns()),
        "status" => Test::Status(patterns()),
        "id" => Test::Id(patterns()),
        "file" => Test::File(patterns()),
        "chain" => Test::Chain(
            values
                .iter()
                .map(|v| match &*v.text {
                    "retried" => ChainWanted::Retried,
                    "failed" => ChainWanted::Failed,
                    text => ChainWanted::Value(Pattern::new(text)),
                })
                .collect(),
        ),
        "since" => match values {
            [value] => Test::Since(since(value, now)?),
            _ => return error(at, name.len(), "expected one time after `since:`".to_owned()),
        },
        "verdict" => {
            let mut wanted = Vec::new();
            for value in values {
                wanted.extend(verdict(value)?);
            }
            Test::Verdict(wanted)
        }
        "class" => {
            let mut classes = Vec::new();
            for value in values {
                let part = value.text.to_ascii_lowercase();
                let found = Class::ALL.iter().copied().filter(|c| c.as_str() == part);
                let mut found: Vec<Class> = found.collect();
                if found.is_empty() {
                    found.extend(Class::ALL.iter().copied().filter(|c| c.as_str().contains(&part)));
                }
                if found.is_empty() {
                    return unknown(
                        "class",
                        value,
                        Class::ALL.iter().map(|c| c.as_str()),
                        "a class such as digest_mismatch",
                    );
                }
                classes.extend(found);
            }
            Test::Class(classes)
        }
        "kind" => {
            let mut kinds = Vec::new();
            for value in values {
                match (Kind::from_word(&value.text), &*value.text) {
                    (Some(kind), _) => kinds.push(kind),
                    (None, "receipt") => kinds.extend([Kind::Published, Kind::Transport]),
                    _ => return unknown("kind", value, Kind::ALL.iter().map(|k| k.as_str()).chain(["receipt"]), ""),
                }
            }
            Test::Kind(kinds)
        }
        "labels" => Test::Labels(each("labels", values, Labels::from_word, Labels::ALL.iter().map(|l| l.as_str()))?),
        "anchor" => Test::Anchor(each("anchor", values, Anchor::from_word, Anchor::ALL.iter().map(|a| a.as_str()))?),
        _ => Test::State(each("state", values, state, ["known", "writing", "removed", "rewritten"].into_iter())?),
    })
}

fn state(word: &str) -> Option<StateWanted> {
    Some(match word {
        "known" => StateWanted::State(RowState::Known),
        "writing" => StateWanted::State(RowState::Writing),
        "removed" => StateWanted::State(RowState::Removed),
        "rewritten" => StateWanted::Rewritten,
        _ => return None,
    })
}

fn each<T>(
    field: &str,
    values: &[Value<'_>],
    read: impl Fn(&str) -> Option<T>,
    words: impl Iterator<Item = &'static str> + Clone,
) -> Result<Vec<T>, FilterError> {
    let mut all = Vec::new();
    for value in values {
        match read(&value.text) {
            Some(found) => all.push(found),
            None => return unknown(field, value, words, ""),
        }
    }
    Ok(all)
}

fn verdict(value: &Value<'_>) -> Result<Vec<Wanted>, FilterError> {
    if let Some(headline) = Headline::from_word(&value.text) {
        return Ok(vec![Wanted::Headline(headline)]);
    }
    Ok(match &*value.text {
        "unchecked" => vec![Wanted::Headline(Headline::Unavailable)],
        "other" => vec![Wanted::Headline(Headline::NotReceipt)],
        "writing" => vec![Wanted::Writing],
        "failing" => Headline::ALL.iter().copied().filter(|h| h.is_failing()).map(Wanted::Headline).collect(),
        _ => {
            let own = ["unchecked", "other", "writing", "failing"];
            return unknown("verdict", value, Headline::ALL.iter().map(|h| h.as_str()).chain(own), "");
        }
    })
}

fn unknown<T>(
    what: &str,
    value: &Value<'_>,
    words: impl Iterator<Item = &'static str> + Clone,
    instead: &str,
) -> Result<T, FilterError> {
    let hint = match nearest(&value.text, words.clone()) {
        Some(word) => format!("did you mean `{word}`?"),
        None if instead.is_empty() => format!("expected one of {}", words.collect::<Vec<_>>().join(", ")),
        None => format!("expected {instead}"),
    };
    error(value.at, value.length, format!("unknown {what} `{}`, {hint}", value.text))
}

fn since(value: &Value<'_>, now: Moment) -> Result<Moment, FilterError> {
    back_to(&value.text, now).or_else(|what| error(value.at, value.length, what))
}

/// The moment that a span back from `now` (`10m`, `2h`, `7d`) or a time means.
///
/// # Errors
/// In words, raw, when it means none.
pub fn back_to(text: &str, now: Moment) -> Result<Moment, String> {
    if let Ok(moment) = grammar::moment(text) {
        return Ok(moment);
    }
    if let Ok(moment) = grammar::moment(&format!("{text}T00:00:00Z")) {
        return Ok(moment);
    }
    let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let (number, unit) = text.split_at(digits);
    let unit = match unit {
        "s" => Some(1i64),
        "m" | "min" => Some(60),
        "h" => Some(3_600),
        "d" => Some(86_400),
        "w" => Some(604_800),
        _ => None,
    };
    match number.parse::<i64>().ok().zip(unit).and_then(|(n, unit)| n.checked_mul(unit)) {
        Some(span) => Ok(Moment { secs: now.secs.saturating_sub(span), nanos: now.nanos }),
        None => Err(format!(
            "`{text}` is no time: expected a span such as 30s, 10m, 2h, 7d or 1w, or a time such as 2026-08-01 or 2026-08-01T12:00:00Z"
        )),
    }
}

/// The word that was most likely meant: at most two letters off, or the only one that begins so.
fn nearest(word: &str, words: impl Iterator<Item = &'static str> + Clone) -> Option<&'static str> {
    let lower = word.to_ascii_lowercase();
    let close = words.clone().map(|w| (distance(&lower, w), w)).min_by_key(|(d, _)| *d);
    if let Some((d, w)) = close
        && d <= 2
        && d * 2 < w.len()
    {
        return Some(w);
    }
    let mut begin = words.filter(|w| lower.len() >= 2 && w.starts_with(&lower));
    let first = begin.next();
    if begin.next().is_some() { None } else { first }
}

/// How many letters must be changed, added or left out.
pub fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, ca) in a.chars().take(64).enumerate() {
        let mut left = i + 1;
        let mut diagonal = i;
        let mut next = vec![left];
        for (j, cb) in b.iter().enumerate() {
            let above = row.get(j + 1).copied().unwrap_or(usize::MAX - 1);
            left = (left + 1).min(above + 1).min(diagonal + usize::from(ca != *cb));
            diagonal = above;
            next.push(left);
        }
        row = next;
    }
    row.last().copied().unwrap_or(0)
}

impl Pattern {
    pub(super) fn new(text: &str) -> Pattern {
        let within = |letters: &[u8]| text.bytes().all(|b| letters.contains(&b));
        Pattern {
            text: text.to_owned(),
            exact_case: text.chars().any(char::is_uppercase),
            has_slash: text.contains('/'),
            may_be_in_id: within(b"0123456789abcdef-"),
            may_be_in_name: within(b"0123456789abcdef-.json"),
        }
    }
}
