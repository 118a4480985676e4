//! Looking into a read text: members, elements, texts, numbers.

use std::borrow::Cow;

use super::{Doc, Node, NodeKind, name_bit, unescape, unescape_lossy};

/// One value of a read text.
#[derive(Clone, Copy, Debug)]
pub struct Value<'a> {
    doc: &'a Doc,
    text: &'a [u8],
    at: u32,
}

impl<'a> Value<'a> {
    pub(super) fn new(doc: &'a Doc, text: &'a [u8]) -> Value<'a> {
        Value { doc, text, at: 0 }
    }

    fn node(&self) -> Option<&'a Node> {
        self.doc.nodes.get(self.at as usize)
    }

    /// What it is.
    pub fn kind(&self) -> NodeKind {
        self.node().map_or(NodeKind::Null, |n| n.kind)
    }

    /// The document it is part of.
    pub fn doc(&self) -> &'a Doc {
        self.doc
    }

    /// The whole text it is part of.
    pub fn text(&self) -> &'a [u8] {
        self.text
    }

    /// Its byte range in the text.
    pub fn span(&self) -> std::ops::Range<usize> {
        self.node().map_or(0..0, |n| n.start as usize..n.end as usize)
    }

    /// Its own text, as written.
    pub fn raw(&self) -> &'a [u8] {
        self.text.get(self.span()).unwrap_or_default()
    }

    /// Its own text as UTF-8 text.
    pub fn raw_text(&self) -> &'a str {
        std::str::from_utf8(self.raw()).unwrap_or_default()
    }

    /// Whether it is an object.
    pub fn is_object(&self) -> bool {
        self.kind() == NodeKind::Object
    }

    /// Whether it is an array.
    pub fn is_array(&self) -> bool {
        self.kind() == NodeKind::Array
    }

    /// Whether it is `null`.
    pub fn is_null(&self) -> bool {
        self.kind() == NodeKind::Null
    }

    /// The text of a string or a name: only those begin with a quotation mark.
    pub fn str(&self) -> Option<Cow<'a, str>> {
        match self.plain() {
            Some(plain) => std::str::from_utf8(plain).ok().map(Cow::Borrowed),
            None => unescape(self.raw()),
        }
    }

    /// The bytes of the text of a string or a name, escapes resolved.
    pub fn str_bytes(&self) -> Option<Cow<'a, [u8]>> {
        self.plain().map(Cow::Borrowed).or_else(|| unescape_lossy(self.raw()))
    }

    /// The text of a string or a name in which the reader saw no escape: it need not be looked for again.
    fn plain(&self) -> Option<&'a [u8]> {
        match self.node() {
            Some(n) if !n.escaped && matches!(n.kind, NodeKind::String | NodeKind::Key) => {
                self.raw().strip_prefix(b"\"")?.strip_suffix(b"\"")
            }
            _ => None,
        }
    }

    /// The members of an object in order: name node and value.
    pub fn members(&self) -> impl Iterator<Item = (Value<'a>, Value<'a>)> + use<'a> {
        let (doc, text) = (self.doc, self.text);
        let (mut at, end) = match self.node() {
            Some(n) if n.kind == NodeKind::Object => (self.at.saturating_add(1), n.next),
            _ => (0, 0),
        };
        std::iter::from_fn(move || {
            if at >= end {
                return None;
            }
            let key = Value { doc, text, at };
            let value = Value { doc, text, at: at.saturating_add(1) };
            at = value.node()?.next;
            Some((key, value))
        })
    }

    /// The elements of an array in order.
    pub fn elements(&self) -> impl Iterator<Item = Value<'a>> + use<'a> {
        let (doc, text) = (self.doc, self.text);
        let (mut at, end) = match self.node() {
            Some(n) if n.kind == NodeKind::Array => (self.at.saturating_add(1), n.next),
            _ => (0, 0),
        };
        std::iter::from_fn(move || {
            if at >= end {
                return None;
            }
            let value = Value { doc, text, at };
            at = value.node()?.next;
            Some(value)
        })
    }

    /// Whether this name is `name`, escapes resolved.
    pub fn is_name(&self, name: &str) -> bool {
        match self.node() {
            Some(n) if !n.escaped => {
                let (start, end) = (n.start as usize + 1, (n.end as usize).saturating_sub(1));
                end == start + name.len() && self.text.get(start..end) == Some(name.as_bytes())
            }
            Some(_) => unescape(self.raw()).is_some_and(|own| own == name),
            None => false,
        }
    }

    /// The text of a name.
    pub fn name(&self) -> Cow<'a, str> {
        unescape(self.raw()).unwrap_or_else(|| String::from_utf8_lossy(self.raw()))
    }

    /// The member with this name; the last one when there are several.
    pub fn get(&self, name: &str) -> Option<Value<'a>> {
        if self.at == 0 && self.doc.root_names & name_bit(name.as_bytes()) == 0 {
            return None;
        }
        self.members().filter(|(key, _)| key.is_name(name)).last().map(|(_, value)| value)
    }

    /// The value at a JSON pointer (`/a/0/b`), or of the member with this name when it does not begin with `/`.
    pub fn pointer(&self, pointer: &str) -> Option<Value<'a>> {
        let Some(path) = pointer.strip_prefix('/') else { return self.get(pointer) };
        let mut value = *self;
        for step in path.split('/') {
            let step = step.replace("~1", "/").replace("~0", "~");
            value = match value.kind() {
                NodeKind::Object => value.get(&step)?,
                // An index as JSON pointers write it: digits, no leading zero.
                NodeKind::Array if step == "0" || step.starts_with(|c: char| matches!(c, '1'..='9')) => {
                    value.elements().nth(step.parse().ok()?)?
                }
                _ => return None,
            };
        }
        Some(value)
    }

    /// Whether it is a number written without fraction and exponent, of any length.
    pub fn is_plain_integer(&self) -> bool {
        self.kind() == NodeKind::Number && self.raw().iter().all(|b| matches!(b, b'-' | b'0'..=b'9'))
    }

    /// The integer value of a number written without fraction and exponent, when it fits.
    pub fn plain_integer(&self) -> Option<i128> {
        match self.kind() {
            NodeKind::Number => self.raw_text().parse().ok(),
            _ => None,
        }
    }

    /// The value of a number that is an integer however it is written (`2`, `2.0`, `20e-1`), within ±10^18.
    pub fn integer(&self) -> Option<i64> {
        if self.kind() != NodeKind::Number {
            return None;
        }
        integer_valued(self.raw_text())
    }
}

/// The value of a number text that is an integer however it is written, when it has at most 18 digits.
pub fn integer_valued(text: &str) -> Option<i64> {
    let (negative, text) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((m, e)) => (m, Some(e)),
        None => (text, None),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits: String = whole.chars().chain(fraction.chars()).collect();
    let significant = digits.trim_start_matches('0');
    if significant.is_empty() {
        return Some(0);
    }
    // An exponent that does not fit an i64 shifts every digit out of reach.
    let exponent: i64 = match exponent {
        Some(e) => e.strip_prefix('+').unwrap_or(e).parse().ok()?,
        None => 0,
    };
    let shift = exponent.checked_sub(i64::try_from(fraction.len()).ok()?)?;
    let trimmed = significant.trim_end_matches('0');
    let zeros = i64::try_from(significant.len() - trimmed.len()).ok()?;
    let zeros = zeros.checked_add(shift)?;
    if !(0..=18).contains(&zeros) {
        return None;
    }
    let value: i64 = trimmed.parse().ok()?;
    let value = value.checked_mul(10i64.checked_pow(u32::try_from(zeros).ok()?)?)?;
    (value.abs() <= 1_000_000_000_000_000_000).then_some(if negative { -value } else { value })
}
