//! Lossless JSON reading: positions, duplicate names, depth and number text are kept (rules §3.2).
//!
//! The reader makes a flat list of [`Node`]s in reading order, each a byte range of the text. Nothing is copied,
//! reordered or converted. The text must be UTF-8; [`super::verify`] looks at that first.

mod canonical;
mod escape;
mod reader;
mod value;

pub use canonical::canonical;
pub use escape::unescape;
use escape::unescape_lossy;
pub use value::{Value, integer_valued};

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
    /// Whether names that stand twice are looked for.
    pub find_duplicates: bool,
}

impl Rules {
    /// Everything is kept, rules §3.2 hold.
    pub const fn full(max_depth: u32) -> Rules {
        Rules { max_depth, keep_depth: u32::MAX, allow_surrogates: false, find_duplicates: true }
    }
}

/// A read text: its nodes. Reused between texts.
#[derive(Clone, Debug, Default)]
pub struct Doc {
    nodes: Vec<Node>,
    /// Offsets of names that stand in their object a second time, in reading order of the objects' ends.
    duplicates: Vec<u32>,
    /// Deepest level seen.
    depth: u32,
    /// Which names the root may have: [`name_bit`] of each.
    root_names: u64,
    open: Vec<Frame>,
    /// Containers below what is kept, innermost last: one bit each, set for an object.
    deep: Vec<u64>,
    deep_levels: usize,
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

/// One bit for a name: most names that are asked for are not there, and this tells so without a look at the others.
fn name_bit(name: &[u8]) -> u64 {
    let at = |i: usize| name.get(i).map_or(0, |b| usize::from(*b));
    let last = name.len().wrapping_sub(1);
    1 << ((name.len() * 7 + at(0) * 3 + at(last) * 5 + at(name.len() / 2)) % 64)
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
        self.nodes.first().map(|_| Value::new(self, text))
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
    doc.deep.clear();
    doc.deep_levels = 0;
    doc.keys.clear();
    doc.depth = 0;
    doc.root_names = 0;
    if u32::try_from(text.len()).is_err() {
        return Err(JsonFault { class: Class::TooLarge, offset: text.len() });
    }
    reader::Reader::new(text, rules, doc).document()
}

#[cfg(test)]
mod tests;
