//! The reader itself: one pass over the text, no recursion.

use std::borrow::Cow;

use super::{Doc, Frame, JsonFault, KeyRange, Node, NodeKind, Rules, name_bit, unescape_lossy};
use crate::aer1::words::Class;

pub(super) struct Reader<'t, 'd> {
    text: &'t [u8],
    at: usize,
    rules: Rules,
    doc: &'d mut Doc,
}

/// Positions fit: the length was checked before reading began.
fn small(offset: usize) -> u32 {
    u32::try_from(offset).unwrap_or(u32::MAX)
}

/// How much of a string's text needs no look: up to a quotation mark, a backslash or a control character.
///
/// Most strings are short: those are searched eight bytes at a time without a call, and only longer ones by the vector
/// search.
#[inline]
fn plain_length(text: &[u8]) -> usize {
    const ONES: u64 = u64::from_ne_bytes([1; 8]);
    const HIGHS: u64 = u64::from_ne_bytes([0x80; 8]);
    const SHORT: usize = 64;
    let mut at = 0;
    for word in text.chunks_exact(8).take(SHORT / 8) {
        let word = word.first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes));
        let has_zero = |x: u64| x.wrapping_sub(ONES) & !x;
        let found = has_zero(word ^ (ONES * u64::from(b'"'))) | has_zero(word ^ (ONES * u64::from(b'\\')));
        let found = (found | (word.wrapping_sub(ONES * 0x20) & !word)) & HIGHS;
        if found != 0 {
            // Bytes above the first hit may be marked by a borrow; the lowest mark is always true.
            return at + found.trailing_zeros() as usize / 8;
        }
        at += 8;
    }
    let rest = text.get(at..).unwrap_or_default();
    let stops = |b: &u8| matches!(b, b'"' | b'\\' | 0..=0x1f);
    if at < SHORT {
        return at + rest.iter().position(stops).unwrap_or(rest.len());
    }
    let end = memchr::memchr2(b'"', b'\\', rest).unwrap_or(rest.len());
    let plain = rest.get(..end).unwrap_or_default();
    if plain.iter().fold(false, |bad, b| bad | (*b < 0x20)) {
        return at + plain.iter().position(|b| *b < 0x20).unwrap_or(end);
    }
    at + end
}

impl<'t, 'd> Reader<'t, 'd> {
    pub(super) fn new(text: &'t [u8], rules: Rules, doc: &'d mut Doc) -> Reader<'t, 'd> {
        Reader { text, at: 0, rules, doc }
    }

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

    /// Reads one value and nothing after it.
    pub(super) fn document(&mut self) -> Result<(), JsonFault> {
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
                let Some(is_object) = self.innermost() else {
                    return match self.peek() {
                        None => Ok(()),
                        Some(_) => Err(JsonFault { class: Class::JsonSyntax, offset: self.at }),
                    };
                };
                match (self.peek(), is_object) {
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
        let level = small(self.doc.open.len() + self.doc.deep_levels + 1);
        if level > self.rules.max_depth {
            return Err(JsonFault { class: Class::JsonDepth, offset: self.at });
        }
        self.doc.depth = self.doc.depth.max(level);
        let node = self.keeps().then(|| small(self.doc.nodes.len()));
        let start = self.at;
        self.at += 1;
        if node.is_none() && !self.rules.find_duplicates {
            self.push_deep(is_object);
            return Ok(());
        }
        self.push(if is_object { NodeKind::Object } else { NodeKind::Array }, start, false);
        let first_key = small(self.doc.keys.len());
        self.doc.open.push(Frame { node, is_object, first_key });
        Ok(())
    }

    /// Whether the innermost open container is an object; `None` when none is open.
    fn innermost(&self) -> Option<bool> {
        match self.doc.deep_levels.checked_sub(1) {
            Some(at) => Some(self.doc.deep.get(at / 64).is_some_and(|word| word >> (at % 64) & 1 == 1)),
            None => self.doc.open.last().map(|frame| frame.is_object),
        }
    }

    /// Opens a container that nothing is kept of: a bit, so that no nesting costs much memory.
    fn push_deep(&mut self, is_object: bool) {
        let at = self.doc.deep_levels;
        if at / 64 >= self.doc.deep.len() {
            self.doc.deep.push(0);
        }
        if let Some(word) = self.doc.deep.get_mut(at / 64) {
            let bit = 1 << (at % 64);
            *word = if is_object { *word | bit } else { *word & !bit };
        }
        self.doc.deep_levels = at + 1;
    }

    fn leave(&mut self) {
        self.at += 1;
        if let Some(levels) = self.doc.deep_levels.checked_sub(1) {
            self.doc.deep_levels = levels;
            return;
        }
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
        if keys.len() < 2 {
            self.doc.keys.truncate(first);
            return;
        }
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
        if self.doc.open.len() + self.doc.deep_levels == 1 {
            let name = self.text.get(start + 1..self.at.saturating_sub(1)).unwrap_or_default();
            self.doc.root_names |= if escaped { u64::MAX } else { name_bit(name) };
        }
        self.push(NodeKind::Key, start, escaped);
        if self.rules.find_duplicates {
            self.doc.keys.push(KeyRange { start: small(start), end: small(self.at), escaped });
        }
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
            let stop = plain_length(self.text.get(self.at..).unwrap_or_default());
            self.at += stop;
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(escaped);
                }
                Some(b'\\') => {
                    escaped = true;
                    self.escape()?;
                }
                // A control character.
                Some(_) => return Err(self.fault(Class::JsonSyntax)),
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
                if self.rules.allow_surrogates { Ok(()) } else { Err(lone) }
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
