//! Lossless JSON reading: positions, duplicate names, depth and number text are kept (rules §3.2).
//!
//! The reader makes a flat list of [`Node`]s in reading order, each a byte range of the text. Nothing is copied,
//! reordered or converted. The text must be UTF-8; [`super::verify`] looks at that first.

use std::borrow::Cow;

use super::words::Class;

/// What a node is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeKind {
    /// `{…}`; followed by a key and a value for each member.
    Object,
    /// `[…]`; followed by its elements.
    Array,
    /// A member name, quotes included in its range.
    Key,
    /// A string, quotes included in its range.
    String,
    /// A number, as written.
    Number,
    /// `true`
    True,
    /// `false`
    False,
    /// `null`
    Null,
}

impl NodeKind {
    /// The JSON type in words, for "found a number".
    pub const fn word(self) -> &'static str {
        match self {
            NodeKind::Object => "an object",
            NodeKind::Array => "an array",
            NodeKind::Key => "a name",
            NodeKind::String => "a string",
            NodeKind::Number => "a number",
            NodeKind::True | NodeKind::False => "a boolean",
            NodeKind::Null => "null",
        }
    }
}

/// One token or container of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Node {
    /// What it is.
    pub kind: NodeKind,
    /// Whether a string or name holds an escape.
    pub escaped: bool,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
    /// Index of the first node after this one and everything in it.
    pub next: u32,
}

/// Why a text is not JSON, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JsonFault {
    /// `json_truncated`, `json_syntax`, `json_depth`, `json_surrogate` or `too_large`.
    pub class: Class,
    /// Byte offset into the text.
    pub offset: usize,
}

/// How to read.
#[derive(Clone, Copy, Debug)]
pub struct Rules {
    /// Nesting levels that are read; one more is `json_depth`.
    pub max_depth: u32,
    /// Nesting levels whose nodes are kept; deeper ones are checked all the same. A container at the last kept level
    /// has a range and no children.
    pub keep_depth: u32,
    /// Whether a lone surrogate escape is passed over (and remembered) instead of ending the reading.
    pub allow_surrogates: bool,
}

impl Rules {
    /// Everything is kept, rules §3.2 hold.
    pub const fn full(max_depth: u32) -> Rules {
        Rules { max_depth, keep_depth: u32::MAX, allow_surrogates: false }
    }
}

/// A read text: its nodes. Reused between texts.
#[derive(Clone, Debug, Default)]
pub struct Doc {
    nodes: Vec<Node>,
    /// Offsets of names that stand in their object a second time, in reading order of the objects' ends.
    duplicates: Vec<u32>,
    /// Whether a lone surrogate escape was passed over.
    lone_surrogate: bool,
    /// Deepest level seen.
    depth: u32,
    open: Vec<Frame>,
    keys: Vec<KeyRange>,
}

#[derive(Clone, Copy, Debug)]
struct Frame {
    node: Option<u32>,
    is_object: bool,
    first_key: u32,
}

#[derive(Clone, Copy, Debug)]
struct KeyRange {
    start: u32,
    end: u32,
    escaped: bool,
}

impl Doc {
    /// An empty document.
    pub fn new() -> Doc {
        Doc::default()
    }

    /// All nodes in reading order; the first is the root.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// Offsets (of the opening quote) of names that their object has already used.
    pub fn duplicates(&self) -> &[u32] {
        &self.duplicates
    }

    /// Whether a lone surrogate escape was passed over.
    pub fn has_lone_surrogate(&self) -> bool {
        self.lone_surrogate
    }

    /// Deepest nesting level of the text: 0 for a scalar.
    pub fn depth(&self) -> u32 {
        self.depth
    }

    /// Lets go of memory that one large text made necessary.
    pub fn shrink(&mut self) {
        const KEEP: usize = 1 << 16;
        if self.nodes.capacity() > KEEP {
            self.nodes = Vec::new();
        }
        if self.keys.capacity() > KEEP {
            self.keys = Vec::new();
        }
    }

    /// The root as a [`Value`] of `text`, which must be the text this was read from.
    pub fn root<'a>(&'a self, text: &'a [u8]) -> Option<Value<'a>> {
        self.nodes.first().map(|_| Value { doc: self, text, at: 0 })
    }
}

/// Reads `text` with the usual rules, keeping every node.
///
/// # Errors
/// The first fault in reading order.
pub fn parse(text: &[u8], max_depth: u32, doc: &mut Doc) -> Result<(), JsonFault> {
    parse_with(text, Rules::full(max_depth), doc)
}

/// Reads `text`.
///
/// # Errors
/// The first fault in reading order. Duplicate names are no fault here: see [`Doc::duplicates`].
pub fn parse_with(text: &[u8], rules: Rules, doc: &mut Doc) -> Result<(), JsonFault> {
    doc.nodes.clear();
    doc.duplicates.clear();
    doc.open.clear();
    doc.keys.clear();
    doc.lone_surrogate = false;
    doc.depth = 0;
    if u32::try_from(text.len()).is_err() {
        return Err(JsonFault { class: Class::TooLarge, offset: text.len() });
    }
    let mut reader = Reader { text, at: 0, rules, doc };
    reader.document()
}

struct Reader<'t, 'd> {
    text: &'t [u8],
    at: usize,
    rules: Rules,
    doc: &'d mut Doc,
}

/// Positions fit: the length was checked before reading began.
fn small(offset: usize) -> u32 {
    u32::try_from(offset).unwrap_or(u32::MAX)
}

impl Reader<'_, '_> {
    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    fn skip_space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\n' | b'\r' | b'\t')) {
            self.at += 1;
        }
    }

    /// A fault here; at the end of the text it is `json_truncated`.
    fn fault(&self, class: Class) -> JsonFault {
        let class = if self.at >= self.text.len() { Class::JsonTruncated } else { class };
        JsonFault { class, offset: self.at }
    }

    fn keeps(&self) -> bool {
        small(self.doc.open.len()) <= self.rules.keep_depth
    }

    fn push(&mut self, kind: NodeKind, start: usize, escaped: bool) {
        if self.keeps() {
            let next = small(self.doc.nodes.len() + 1);
            self.doc.nodes.push(Node { kind, escaped, start: small(start), end: small(self.at), next });
        }
    }

    fn document(&mut self) -> Result<(), JsonFault> {
        self.skip_space();
        loop {
            // A value is due here.
            self.skip_space();
            let start = self.at;
            let opened = match self.peek() {
                Some(b'{') => {
                    self.enter(true)?;
                    self.skip_space();
                    if self.peek() == Some(b'}') {
                        self.leave();
                        false
                    } else {
                        self.key()?;
                        true
                    }
                }
                Some(b'[') => {
                    self.enter(false)?;
                    self.skip_space();
                    if self.peek() == Some(b']') {
                        self.leave();
                        false
                    } else {
                        true
                    }
                }
                Some(b'"') => {
                    let escaped = self.string()?;
                    self.push(NodeKind::String, start, escaped);
                    false
                }
                Some(b'-' | b'0'..=b'9') => {
                    self.number()?;
                    self.push(NodeKind::Number, start, false);
                    false
                }
                Some(b't') => {
                    self.word(b"true")?;
                    self.push(NodeKind::True, start, false);
                    false
                }
                Some(b'f') => {
                    self.word(b"false")?;
                    self.push(NodeKind::False, start, false);
                    false
                }
                Some(b'n') => {
                    self.word(b"null")?;
                    self.push(NodeKind::Null, start, false);
                    false
                }
                _ => return Err(self.fault(Class::JsonSyntax)),
            };
            if opened {
                continue;
            }
            // A value has ended: close what ends with it, up to the next comma.
            loop {
                self.skip_space();
                let Some(frame) = self.doc.open.last().copied() else {
                    return match self.peek() {
                        None => Ok(()),
                        Some(_) => Err(JsonFault { class: Class::JsonSyntax, offset: self.at }),
                    };
                };
                match (self.peek(), frame.is_object) {
                    (Some(b','), true) => {
                        self.at += 1;
                        self.skip_space();
                        self.key()?;
                        break;
                    }
                    (Some(b','), false) => {
                        self.at += 1;
                        break;
                    }
                    (Some(b'}'), true) | (Some(b']'), false) => self.leave(),
                    _ => return Err(self.fault(Class::JsonSyntax)),
                }
            }
        }
    }

    fn enter(&mut self, is_object: bool) -> Result<(), JsonFault> {
        let level = small(self.doc.open.len() + 1);
        if level > self.rules.max_depth {
            return Err(JsonFault { class: Class::JsonDepth, offset: self.at });
        }
        self.doc.depth = self.doc.depth.max(level);
        let node = self.keeps().then(|| small(self.doc.nodes.len()));
        let start = self.at;
        self.at += 1;
        self.push(if is_object { NodeKind::Object } else { NodeKind::Array }, start, false);
        let first_key = small(self.doc.keys.len());
        self.doc.open.push(Frame { node, is_object, first_key });
        Ok(())
    }

    fn leave(&mut self) {
        self.at += 1;
        let Some(frame) = self.doc.open.pop() else { return };
        let next = small(self.doc.nodes.len());
        if let Some(node) = frame.node.and_then(|i| self.doc.nodes.get_mut(i as usize)) {
            node.end = small(self.at);
            node.next = next;
        }
        if frame.is_object {
            self.find_duplicates(frame.first_key as usize);
        }
    }

    /// Compares the names of the object that ends here, and forgets them.
    fn find_duplicates(&mut self, first: usize) {
        let keys = self.doc.keys.get(first..).unwrap_or_default();
        let raw = |k: &KeyRange| self.text.get(k.start as usize..k.end as usize).unwrap_or_default();
        let mut found: Vec<u32> = Vec::new();
        if keys.len() <= 24 && keys.iter().all(|k| !k.escaped) {
            for (i, key) in keys.iter().enumerate() {
                let name = raw(key);
                if keys.iter().take(i).any(|other| raw(other) == name) {
                    found.push(key.start);
                }
            }
        } else {
            let mut names: Vec<(Cow<'_, [u8]>, u32)> =
                keys.iter().map(|k| (unescape_lossy(raw(k)).unwrap_or(Cow::Borrowed(raw(k))), k.start)).collect();
            names.sort_unstable();
            for pair in names.windows(2) {
                if let [a, b] = pair
                    && a.0 == b.0
                {
                    found.push(b.1);
                }
            }
            found.sort_unstable();
        }
        self.doc.duplicates.extend(found);
        self.doc.keys.truncate(first);
    }

    fn key(&mut self) -> Result<(), JsonFault> {
        let start = self.at;
        if self.peek() != Some(b'"') {
            return Err(self.fault(Class::JsonSyntax));
        }
        let escaped = self.string()?;
        self.push(NodeKind::Key, start, escaped);
        self.doc.keys.push(KeyRange { start: small(start), end: small(self.at), escaped });
        self.skip_space();
        if self.peek() != Some(b':') {
            return Err(self.fault(Class::JsonSyntax));
        }
        self.at += 1;
        Ok(())
    }

    fn word(&mut self, word: &[u8]) -> Result<(), JsonFault> {
        let rest = self.text.get(self.at..).unwrap_or_default();
        if rest.starts_with(word) {
            self.at += word.len();
            return Ok(());
        }
        let same = rest.iter().zip(word).take_while(|(a, b)| a == b).count();
        self.at += same;
        Err(self.fault(Class::JsonSyntax))
    }

    fn digits(&mut self) -> Result<(), JsonFault> {
        if !matches!(self.peek(), Some(b'0'..=b'9')) {
            return Err(self.fault(Class::JsonSyntax));
        }
        while matches!(self.peek(), Some(b'0'..=b'9')) {
            self.at += 1;
        }
        Ok(())
    }

    fn number(&mut self) -> Result<(), JsonFault> {
        if self.peek() == Some(b'-') {
            self.at += 1;
        }
        if self.peek() == Some(b'0') {
            self.at += 1;
        } else {
            self.digits()?;
        }
        if self.peek() == Some(b'.') {
            self.at += 1;
            self.digits()?;
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            self.at += 1;
            if matches!(self.peek(), Some(b'+' | b'-')) {
                self.at += 1;
            }
            self.digits()?;
        }
        Ok(())
    }

    /// Reads a string from its opening quote; true when it holds an escape.
    fn string(&mut self) -> Result<bool, JsonFault> {
        self.at += 1;
        let mut escaped = false;
        loop {
            let rest = self.text.get(self.at..).unwrap_or_default();
            let stop = memchr::memchr2(b'"', b'\\', rest).unwrap_or(rest.len());
            let plain = rest.get(..stop).unwrap_or_default();
            if plain.iter().fold(false, |bad, b| bad | (*b < 0x20)) {
                let at = plain.iter().position(|b| *b < 0x20).unwrap_or(0);
                return Err(JsonFault { class: Class::JsonSyntax, offset: self.at + at });
            }
            self.at += stop;
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(escaped);
                }
                Some(_) => {
                    escaped = true;
                    self.escape()?;
                }
                None => return Err(self.fault(Class::JsonTruncated)),
            }
        }
    }

    fn escape(&mut self) -> Result<(), JsonFault> {
        let start = self.at;
        self.at += 1;
        match self.peek() {
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => {
                self.at += 1;
                Ok(())
            }
            Some(b'u') => {
                self.at += 1;
                let unit = self.hex4()?;
                if !(0xd800..=0xdfff).contains(&unit) {
                    return Ok(());
                }
                let lone = JsonFault { class: Class::JsonSurrogate, offset: start };
                if unit <= 0xdbff {
                    let after = self.at;
                    match (self.peek(), self.text.get(self.at + 1)) {
                        (Some(b'\\'), Some(b'u')) => {
                            self.at += 2;
                            if (0xdc00..=0xdfff).contains(&self.hex4()?) {
                                return Ok(());
                            }
                            self.at = after;
                        }
                        (Some(b'\\'), None) | (None, _) => {
                            self.at = self.text.len();
                            return Err(self.fault(Class::JsonTruncated));
                        }
                        _ => {}
                    }
                }
                if self.rules.allow_surrogates {
                    self.doc.lone_surrogate = true;
                    return Ok(());
                }
                Err(lone)
            }
            _ => Err(self.fault(Class::JsonSyntax)),
        }
    }

    fn hex4(&mut self) -> Result<u32, JsonFault> {
        let mut unit = 0u32;
        for _ in 0..4 {
            match self.peek().and_then(|c| char::from(c).to_digit(16)) {
                Some(digit) => {
                    unit = unit * 16 + digit;
                    self.at += 1;
                }
                None => return Err(self.fault(Class::JsonSyntax)),
            }
        }
        Ok(unit)
    }
}

/// The text of a string or name given with its quotes; `None` when it holds a lone surrogate or is no such token.
pub fn unescape(raw_with_quotes: &[u8]) -> Option<Cow<'_, str>> {
    match unescape_lossy(raw_with_quotes)? {
        Cow::Borrowed(bytes) => std::str::from_utf8(bytes).ok().map(Cow::Borrowed),
        Cow::Owned(bytes) => String::from_utf8(bytes).ok().map(Cow::Owned),
    }
}

/// As [`unescape`], but a lone surrogate becomes its three-byte form, so that two different names stay different.
fn unescape_lossy(raw_with_quotes: &[u8]) -> Option<Cow<'_, [u8]>> {
    let inner = raw_with_quotes.strip_prefix(b"\"")?.strip_suffix(b"\"")?;
    let Some(first) = memchr::memchr(b'\\', inner) else { return Some(Cow::Borrowed(inner)) };
    let mut out = Vec::with_capacity(inner.len());
    out.extend_from_slice(inner.get(..first)?);
    let mut rest = inner.get(first..)?;
    while let Some((head, tail)) = rest.split_first() {
        if *head != b'\\' {
            let plain = memchr::memchr(b'\\', rest).unwrap_or(rest.len());
            out.extend_from_slice(rest.get(..plain)?);
            rest = rest.get(plain..)?;
            continue;
        }
        let (kind, tail) = tail.split_first()?;
        rest = tail;
        let plain = match kind {
            b'b' => 8,
            b'f' => 12,
            b'n' => b'\n',
            b'r' => b'\r',
            b't' => b'\t',
            b'u' => {
                let unit = unit(rest)?;
                rest = rest.get(4..)?;
                let mut code = unit;
                if (0xd800..=0xdbff).contains(&unit)
                    && let Some(low) = rest.strip_prefix(b"\\u").and_then(unit_of)
                    && (0xdc00..=0xdfff).contains(&low)
                {
                    code = 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00);
                    rest = rest.get(6..)?;
                }
                push_code(&mut out, code);
                continue;
            }
            other => *other,
        };
        out.push(plain);
    }
    Some(Cow::Owned(out))
}

fn unit(digits: &[u8]) -> Option<u32> {
    digits.get(..4)?.iter().try_fold(0u32, |n, c| Some(n * 16 + char::from(*c).to_digit(16)?))
}

fn unit_of(digits: &[u8]) -> Option<u32> {
    unit(digits)
}

/// UTF-8 of a code point; of a surrogate its three-byte form, which no valid text holds.
fn push_code(out: &mut Vec<u8>, code: u32) {
    match char::from_u32(code) {
        Some(c) => out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
        None => {
            let low = |n: u32| u8::try_from(0x80 | (n & 0x3f)).unwrap_or(0x80);
            out.extend_from_slice(&[u8::try_from(0xe0 | (code >> 12)).unwrap_or(0xe0), low(code >> 6), low(code)]);
        }
    }
}

/// One value of a read text.
#[derive(Clone, Copy, Debug)]
pub struct Value<'a> {
    doc: &'a Doc,
    text: &'a [u8],
    at: u32,
}

impl<'a> Value<'a> {
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

    /// The text of a string.
    pub fn str(&self) -> Option<Cow<'a, str>> {
        match self.node() {
            Some(n) if n.kind == NodeKind::String => unescape(self.raw()),
            _ => None,
        }
    }

    /// The bytes of a string's text, escapes resolved.
    pub fn str_bytes(&self) -> Option<Cow<'a, [u8]>> {
        match self.node() {
            Some(n) if n.kind == NodeKind::String => unescape_lossy(self.raw()),
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
                let raw = self.raw();
                raw.len() == name.len() + 2 && raw.get(1..=name.len()) == Some(name.as_bytes())
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
                NodeKind::Array => value.elements().nth(step.parse().ok()?)?,
                _ => return None,
            };
        }
        Some(value)
    }

    /// The integer value of a number written without fraction and exponent.
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

/// Appends the canonical form of `value` (rules §1): members sorted by code point, no white space, shortest escapes,
/// non-ASCII raw, numbers as written. Of members named twice both are written.
pub fn canonical(value: Value<'_>, out: &mut Vec<u8>) {
    match value.kind() {
        NodeKind::Object => {
            // UTF-8 sorts by code point.
            let mut members: Vec<(Cow<'_, [u8]>, Value<'_>)> = value
                .members()
                .map(|(key, member)| (unescape_lossy(key.raw()).unwrap_or(Cow::Borrowed(key.raw())), member))
                .collect();
            members.sort_by(|a, b| a.0.cmp(&b.0));
            out.push(b'{');
            for (i, (name, member)) in members.into_iter().enumerate() {
                if i > 0 {
                    out.push(b',');
                }
                canonical_string(&name, out);
                out.push(b':');
                canonical(member, out);
            }
            out.push(b'}');
        }
        NodeKind::Array => {
            out.push(b'[');
            for (i, element) in value.elements().enumerate() {
                if i > 0 {
                    out.push(b',');
                }
                canonical(element, out);
            }
            out.push(b']');
        }
        NodeKind::String | NodeKind::Key => {
            canonical_string(&unescape_lossy(value.raw()).unwrap_or(Cow::Borrowed(value.raw())), out);
        }
        NodeKind::Number | NodeKind::True | NodeKind::False | NodeKind::Null => out.extend_from_slice(value.raw()),
    }
}

fn canonical_string(text: &[u8], out: &mut Vec<u8>) {
    out.push(b'"');
    for byte in text {
        match byte {
            b'"' => out.extend_from_slice(b"\\\""),
            b'\\' => out.extend_from_slice(b"\\\\"),
            8 => out.extend_from_slice(b"\\b"),
            12 => out.extend_from_slice(b"\\f"),
            b'\n' => out.extend_from_slice(b"\\n"),
            b'\r' => out.extend_from_slice(b"\\r"),
            b'\t' => out.extend_from_slice(b"\\t"),
            0..=0x1f => out.extend_from_slice(format!("\\u{byte:04x}").as_bytes()),
            other => out.push(*other),
        }
    }
    out.push(b'"');
}

#[cfg(test)]
#[path = "json/tests.rs"]
mod tests;
