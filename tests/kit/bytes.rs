//! Which bytes a program may send to a terminal, a line of a terminal, or a pipe. A list of what is allowed: all else
//! is a violation, with its place.
#![allow(dead_code, reason = "each test file uses a part of it")]

use std::sync::OnceLock;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use regex_syntax::hir::{Class, HirKind};
use unicode_width::UnicodeWidthChar as _;

/// Marks one character may carry.
pub const MAX_MARKS: usize = 8;
/// Bytes one cell may hold.
pub const MAX_CELL: usize = 64;

/// Where bytes go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum To {
    /// The console, on a terminal of so many columns and rows.
    Screen(u16, u16),
    /// A command that prints lines on a terminal: colours, and the line of progress that is erased again.
    Line,
    /// A pipe or a file.
    Pipe,
}

/// What was found in bytes.
#[derive(Debug, Default)]
pub struct Found {
    /// What is not allowed: what it is, and after how many bytes.
    pub violations: Vec<String>,
    /// The decoded payload of every copy (OSC 52).
    pub copies: Vec<Vec<u8>>,
    /// How often the alternate screen was entered and left, and the cursor hidden and shown.
    pub entered: usize,
    pub left: usize,
    pub hidden: usize,
    pub shown: usize,
    /// How often the screen was cleared.
    pub cleared: usize,
    /// Bytes of the fullest cell.
    pub fullest: usize,
}

/// Code points that act on a terminal or are seen by nobody, by the tables of Unicode and not by the program's own.
pub fn acts(c: char) -> bool {
    static RANGES: OnceLock<Vec<(char, char)>> = OnceLock::new();
    let ranges = RANGES.get_or_init(|| {
        let class = r"[\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}\p{Variation_Selector}\p{Noncharacter_Code_Point}[\p{Zs}--\x20]]";
        let parsed = regex_syntax::parse(class).unwrap();
        let HirKind::Class(Class::Unicode(class)) = parsed.kind() else { panic!("{parsed:?} is no class") };
        class.ranges().iter().map(|range| (range.start(), range.end())).collect()
    });
    ranges
        .binary_search_by(|(low, high)| {
            if *high < c {
                Less
            } else if *low > c {
                Greater
            } else {
                Equal
            }
        })
        .is_ok()
}
use std::cmp::Ordering::{Equal, Greater, Less};

/// Looks at all the bytes of one output.
pub fn scan(bytes: &[u8], to: To) -> Found {
    let mut scan = Scan { to, bytes, at: 0, cell: 0, marks: 0, found: Found::default() };
    while let Some(&byte) = bytes.get(scan.at) {
        match byte {
            0x1b => scan.escape(),
            b'\n' | b'\r' => scan.line_end(),
            0..=0x1f | 0x7f => {
                scan.bad(format!("control {byte:02x}"));
                scan.moved(1);
            }
            _ => scan.character(),
        }
    }
    scan.found
}

/// As [`scan`], and fails with what was found when anything is not allowed.
#[track_caller]
pub fn clean(bytes: &[u8], to: To, what: &str) -> Found {
    let found = scan(bytes, to);
    let few: Vec<&String> = found.violations.iter().take(5).collect();
    assert!(few.is_empty(), "{what}: {} violations, such as {few:#?}", found.violations.len());
    found
}

struct Scan<'a> {
    to: To,
    bytes: &'a [u8],
    at: usize,
    /// Bytes of the cell that marks would go to; 0: there is none.
    cell: usize,
    marks: usize,
    found: Found,
}

impl Scan<'_> {
    fn bad(&mut self, what: String) {
        let from = self.at.saturating_sub(24);
        let near = self.bytes[from..(self.at + 24).min(self.bytes.len())].escape_ascii();
        self.found.violations.push(format!("{what} at byte {}: …{near}…", self.at));
    }

    /// So many bytes on; what follows is in another cell.
    fn moved(&mut self, by: usize) {
        self.at += by;
        (self.cell, self.marks) = (0, 0);
    }

    fn line_end(&mut self) {
        let pair = self.bytes[self.at..].starts_with(b"\r\n");
        match (self.to, self.bytes[self.at]) {
            (To::Screen(..) | To::Line, _) if pair => self.moved(2),
            (To::Pipe, b'\n') | (To::Line, b'\r') => self.moved(1),
            (_, byte) => {
                self.bad(format!("control {byte:02x}"));
                self.moved(1);
            }
        }
    }

    fn escape(&mut self) {
        let rest = &self.bytes[self.at + 1..];
        match (self.to, rest.first()) {
            (To::Screen(..) | To::Line, Some(b'[')) => {
                let Some(end) = rest.iter().skip(1).position(|byte| !(0x20..=0x3f).contains(byte)) else {
                    self.bad("a control sequence without an end".to_owned());
                    return self.moved(1);
                };
                let (parameters, last) = (&rest[1..=end], rest[end + 1]);
                if !self.sequence(parameters, last) {
                    self.bad(format!("the control sequence {}{}", parameters.escape_ascii(), last.escape_ascii()));
                    return self.moved(1);
                }
                self.moved(end + 3);
            }
            (To::Screen(..), Some(b']')) => {
                let payload = rest.strip_prefix(b"]52;c;").and_then(|rest| {
                    let end = rest.iter().position(|byte| *byte == 0x07)?;
                    Some((STANDARD.decode(&rest[..end]).ok()?, end))
                });
                let Some((payload, end)) = payload else {
                    self.bad("an operating system command".to_owned());
                    return self.moved(1);
                };
                self.found.copies.push(payload);
                self.moved(1 + b"]52;c;".len() + end + 1);
            }
            (_, next) => {
                let next = next.map(|byte| byte.escape_ascii().to_string()).unwrap_or_default();
                self.bad(format!("an escape and {next}"));
                self.moved(1);
            }
        }
    }

    /// Whether a control sequence is one that is allowed; counts what it does.
    fn sequence(&mut self, parameters: &[u8], last: u8) -> bool {
        let digits = |text: &[u8]| text.len() <= 5 && text.iter().all(u8::is_ascii_digit);
        let number = |text: &[u8]| std::str::from_utf8(text).ok().and_then(|text| text.parse::<u16>().ok());
        match (self.to, parameters, last) {
            (_, colours, b'm') => {
                colours.split(|byte| matches!(byte, b';' | b':')).all(digits) && colours.len() < MAX_CELL
            }
            (To::Line, b"" | b"0" | b"2", b'K') => true,
            (To::Screen(..), b"2", b'J') => {
                self.found.cleared += 1;
                true
            }
            (To::Screen(columns, rows), place, b'H') => {
                let mut both = place.split(|byte| *byte == b';');
                let mut within = |most: u16| both.next().and_then(number).is_some_and(|n| (1..=most).contains(&n));
                within(rows) && within(columns) && both.next().is_none()
            }
            (To::Screen(..), mode, b'h' | b'l') => {
                let on = last == b'h';
                match (mode, on) {
                    (b"?1049", true) => self.found.entered += 1,
                    (b"?1049", false) => self.found.left += 1,
                    (b"?25", true) => self.found.shown += 1,
                    (b"?25", false) => self.found.hidden += 1,
                    // Pastes marked; clicks and the wheel.
                    (b"?2004" | b"?1000" | b"?1006", _) => {}
                    (b"?1002" | b"?1003" | b"?1015", false) => {}
                    _ => return false,
                }
                true
            }
            _ => false,
        }
    }

    fn character(&mut self) {
        let head = &self.bytes[self.at..(self.at + 4).min(self.bytes.len())];
        let valid = head.utf8_chunks().next().map(|chunk| chunk.valid()).unwrap_or_default();
        let Some(c) = valid.chars().next() else {
            self.bad(format!("the byte {:02x}, which is no UTF-8", head[0]));
            return self.moved(1);
        };
        if acts(c) {
            self.bad(format!("U+{:04X}", c as u32));
            return self.moved(c.len_utf8());
        }
        if c.width().unwrap_or(0) > 0 {
            (self.cell, self.marks) = (c.len_utf8(), 0);
        } else if self.cell == 0 {
            self.bad(format!("the mark U+{:04X} on nothing", c as u32));
        } else {
            self.cell += c.len_utf8();
            self.marks += 1;
            if self.marks > MAX_MARKS || self.cell > MAX_CELL {
                self.bad(format!("{} marks, {} bytes in a cell", self.marks, self.cell));
            }
        }
        self.found.fullest = self.found.fullest.max(self.cell);
        self.at += c.len_utf8();
    }
}
