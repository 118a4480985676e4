//! JSON to be written, token by token as it is meant.
//!
//! A document made here may be wrong on purpose: members may stand twice, numbers keep any spelling, raw text goes out
//! as it is. Member order is the order of insertion.

use std::fmt::Write as _;

/// A JSON value, or something put in the place of one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Json {
    /// Written as it is: numbers, literals, and text that is not JSON at all.
    Raw(String),
    /// A string, escaped when it is written.
    Text(String),
    /// An array.
    List(Vec<Json>),
    /// An object; members in order, the same name any number of times.
    Object(Vec<(String, Json)>),
}

impl From<&str> for Json {
    fn from(text: &str) -> Json {
        Json::Text(text.to_owned())
    }
}

impl From<String> for Json {
    fn from(text: String) -> Json {
        Json::Text(text)
    }
}

impl From<u64> for Json {
    fn from(number: u64) -> Json {
        Json::Raw(number.to_string())
    }
}

impl From<bool> for Json {
    fn from(word: bool) -> Json {
        Json::Raw(word.to_string())
    }
}

impl From<Vec<Json>> for Json {
    fn from(items: Vec<Json>) -> Json {
        Json::List(items)
    }
}

/// An object of these members.
pub fn object<const N: usize>(members: [(&str, Json); N]) -> Json {
    Json::Object(members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
}

impl Json {
    /// Text that is written as it is.
    pub fn raw(text: &str) -> Json {
        Json::Raw(text.to_owned())
    }

    /// The literal `null`.
    pub fn null() -> Json {
        Json::raw("null")
    }

    /// The first member of this name, if this is an object that has one.
    pub fn get(&self, name: &str) -> Option<&Json> {
        match self {
            Json::Object(members) => members.iter().find(|(n, _)| n == name).map(|(_, value)| value),
            _ => None,
        }
    }

    /// The text of a string member.
    pub fn text_of(&self, name: &str) -> Option<&str> {
        match self.get(name) {
            Some(Json::Text(text)) => Some(text),
            _ => None,
        }
    }

    /// The value of a member, to be changed.
    pub fn get_mut(&mut self, name: &str) -> Option<&mut Json> {
        match self {
            Json::Object(members) => members.iter_mut().find(|(n, _)| n == name).map(|(_, value)| value),
            _ => None,
        }
    }

    /// The same object with a member replaced where it stands, or added at the end. Other values stay as they are.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Into<Json>) -> Json {
        self.set(name, value);
        self
    }

    /// Replaces a member where it stands, or adds it at the end.
    pub fn set(&mut self, name: &str, value: impl Into<Json>) {
        if let Some(slot) = self.get_mut(name) {
            *slot = value.into();
        } else {
            self.add(name, value);
        }
    }

    /// Adds a member at the end, even when there is one of that name.
    pub fn add(&mut self, name: &str, value: impl Into<Json>) {
        if let Json::Object(members) = self {
            members.push((name.to_owned(), value.into()));
        }
    }

    /// The same object without a member.
    #[must_use]
    pub fn without(mut self, name: &str) -> Json {
        if let Json::Object(members) = &mut self {
            members.retain(|(n, _)| n != name);
        }
        self
    }

    /// The same object with a member under another name.
    #[must_use]
    pub fn renamed(mut self, from: &str, to: &str) -> Json {
        if let Json::Object(members) = &mut self {
            for (name, _) in members.iter_mut().filter(|(n, _)| n == from) {
                to.clone_into(name);
            }
        }
        self
    }

    /// The same object with one of its object members changed by `change`.
    #[must_use]
    pub fn inside(mut self, name: &str, change: impl FnOnce(Json) -> Json) -> Json {
        if let Some(slot) = self.get_mut(name) {
            let value = std::mem::replace(slot, Json::null());
            *slot = change(value);
        }
        self
    }

    /// Members sorted by code point at every depth.
    #[must_use]
    pub fn sorted(self) -> Json {
        match self {
            Json::Object(members) => {
                let mut members: Vec<_> = members.into_iter().map(|(n, v)| (n, v.sorted())).collect();
                members.sort_by(|a, b| a.0.cmp(&b.0));
                Json::Object(members)
            }
            Json::List(items) => Json::List(items.into_iter().map(Json::sorted).collect()),
            other => other,
        }
    }

    /// Without any white space, escapes as short as they can be, non-ASCII as it is.
    pub fn compact(&self) -> String {
        let mut out = String::new();
        self.write(&mut out, None);
        out
    }

    /// One member or item a line, indented by two spaces, with a line feed at the end.
    pub fn pretty(&self) -> String {
        let mut out = String::new();
        self.write(&mut out, Some(0));
        out.push('\n');
        out
    }

    fn write(&self, out: &mut String, indent: Option<usize>) {
        match self {
            Json::Raw(text) => out.push_str(text),
            Json::Text(text) => push_string(out, text),
            Json::List(items) => {
                write_block(out, indent, '[', ']', items, |out, item, inner| item.write(out, inner));
            }
            Json::Object(members) => {
                write_block(out, indent, '{', '}', members, |out, (name, value), inner| {
                    push_string(out, name);
                    out.push_str(if inner.is_some() { ": " } else { ":" });
                    value.write(out, inner);
                });
            }
        }
    }
}

fn write_block<T>(
    out: &mut String,
    indent: Option<usize>,
    open: char,
    close: char,
    items: &[T],
    each: impl Fn(&mut String, &T, Option<usize>),
) {
    out.push(open);
    let inner = indent.map(|n| n + 2);
    for (i, item) in items.iter().enumerate() {
        if i > 0 {
            out.push(',');
        }
        push_line(out, inner);
        each(out, item, inner);
    }
    if !items.is_empty() {
        push_line(out, indent);
    }
    out.push(close);
}

fn push_line(out: &mut String, indent: Option<usize>) {
    if let Some(n) = indent {
        out.push('\n');
        out.extend(std::iter::repeat_n(' ', n));
    }
}

/// Writes one JSON string with its quotes and the shortest escapes.
pub fn push_string(out: &mut String, text: &str) {
    out.push('"');
    let mut from = 0;
    for (i, byte) in text.bytes().enumerate() {
        let escape = match byte {
            b'"' => "\\\"",
            b'\\' => "\\\\",
            0x08 => "\\b",
            0x0c => "\\f",
            b'\n' => "\\n",
            b'\r' => "\\r",
            b'\t' => "\\t",
            0..=0x1f => "",
            _ => continue,
        };
        out.push_str(text.get(from..i).unwrap_or_default());
        if escape.is_empty() {
            let written = write!(out, "\\u{byte:04x}");
            debug_assert!(written.is_ok(), "writing to a String does not fail");
        } else {
            out.push_str(escape);
        }
        from = i + 1;
    }
    out.push_str(text.get(from..).unwrap_or_default());
    out.push('"');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writes_what_was_meant() {
        let value = object([
            ("b", Json::raw("1.0")),
            ("a", vec![Json::from("é\n\u{1}\"\\"), Json::null()].into()),
            ("e", Json::Object(Vec::new())),
        ]);
        assert_eq!(value.compact(), r#"{"b":1.0,"a":["é\n\u0001\"\\",null],"e":{}}"#);
        assert_eq!(
            value.pretty(),
            "{\n  \"b\": 1.0,\n  \"a\": [\n    \"é\\n\\u0001\\\"\\\\\",\n    null\n  ],\n  \"e\": {}\n}\n"
        );
        assert_eq!(value.sorted().compact(), r#"{"a":["é\n\u0001\"\\",null],"b":1.0,"e":{}}"#);
    }

    #[test]
    fn members_may_stand_twice() {
        let mut value = object([("a", 1.into()), ("b", 2.into())]);
        value.add("a", 3);
        assert_eq!(value.clone().with("b", 4).compact(), r#"{"a":1,"b":4,"a":3}"#);
        assert_eq!(value.without("a").compact(), r#"{"b":2}"#);
    }
}
