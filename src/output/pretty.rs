//! Bytes made readable without losing any: JSON re-indented token by token, other text line by line, the rest as hex.

use std::fmt::Write as _;

use crate::aer1::json::{self, Doc, NodeKind, Value};
use crate::text;

/// Bytes a line of a hex dump.
const ROW: usize = 16;

/// What bytes turned out to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// JSON; members, their order and the spelling of every value as they stand in the bytes.
    Json,
    /// Other UTF-8 text, line breaks shown.
    Text,
    /// Neither.
    Hex,
}

/// The lines that show these bytes, escaped, and what they turned out to be.
pub fn lines(bytes: &[u8]) -> (Form, Vec<String>) {
    let mut doc = Doc::new();
    if json::parse(bytes, 128, &mut doc).is_ok()
        && let Some(root) = doc.root(bytes)
    {
        let mut lines = vec![String::new()];
        indent(root, 0, &mut lines);
        return (Form::Json, lines);
    }
    match std::str::from_utf8(bytes) {
        Ok(text) => (Form::Text, text.split_inclusive('\n').map(|line| text::shown(line).into_owned()).collect()),
        Err(_) => (Form::Hex, hex(bytes)),
    }
}

/// Appends `value` to the last line, and further lines as it needs them. Depth is bounded by the parser.
fn indent(value: Value<'_>, depth: usize, lines: &mut Vec<String>) {
    let (open, close) = match value.kind() {
        NodeKind::Object => ('{', '}'),
        NodeKind::Array => ('[', ']'),
        _ => return push(lines, &token(value.raw_text())),
    };
    push(lines, open.encode_utf8(&mut [0; 4]));
    let mut any = false;
    let inner = depth.saturating_add(1);
    let mut begin = |lines: &mut Vec<String>| {
        if std::mem::replace(&mut any, true) {
            push(lines, ",");
        }
        lines.push("  ".repeat(inner));
    };
    if value.is_object() {
        for (key, member) in value.members() {
            begin(lines);
            push(lines, &token(key.raw_text()));
            push(lines, ": ");
            indent(member, inner, lines);
        }
    } else {
        for element in value.elements() {
            begin(lines);
            indent(element, inner, lines);
        }
    }
    if any {
        lines.push("  ".repeat(depth));
    }
    push(lines, close.encode_utf8(&mut [0; 4]));
}

fn push(lines: &mut [String], part: &str) {
    if let Some(last) = lines.last_mut() {
        last.push_str(part);
    }
}

/// A token of valid JSON as it is spelled. Its own escapes keep their single backslash: the escapes of
/// [`crate::text`] (`\x7f`, `\u{202e}`) are none that JSON has, so no two tokens look alike.
fn token(raw: &str) -> String {
    let mut out = String::with_capacity(raw.len());
    for (i, part) in raw.split('\\').enumerate() {
        if i > 0 {
            out.push('\\');
        }
        text::push_shown(&mut out, part);
    }
    out
}

/// A hex dump: offset, sixteen bytes, and the ASCII among them.
pub fn hex(bytes: &[u8]) -> Vec<String> {
    let row = |(i, row): (usize, &[u8])| {
        let mut line = format!("{:08x} ", i.saturating_mul(ROW));
        for at in 0..ROW {
            if at == ROW / 2 {
                line.push(' ');
            }
            // Writing to a String does not fail.
            let _ = match row.get(at) {
                Some(byte) => write!(line, " {byte:02x}"),
                None => write!(line, "   "),
            };
        }
        line.push_str("  ");
        line.extend(row.iter().map(|b| if (0x20..0x7f).contains(b) { char::from(*b) } else { '.' }));
        line
    };
    bytes.chunks(ROW).enumerate().map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_keeps_order_spelling_and_duplicates() {
        let (form, lines) = lines(br#"{"b":1e5,"a":[-0, {"x":"\u00e9\n\\"}],"b":{},"c":[]}"#);
        assert_eq!(form, Form::Json);
        let want = r#"{
  "b": 1e5,
  "a": [
    -0,
    {
      "x": "\u00e9\n\\"
    }
  ],
  "b": {},
  "c": []
}"#;
        assert_eq!(lines.join("\n"), want);
    }

    #[test]
    fn an_escape_and_the_character_itself_never_look_alike() {
        assert_eq!(lines("\"\\u202e\"".as_bytes()).1, ["\"\\u202e\""]);
        assert_eq!(lines("\"\u{202e}\u{7f}\"".as_bytes()).1, ["\"\\u{202e}\\x7f\""]);
    }

    #[test]
    fn other_text_shows_its_line_breaks() {
        assert_eq!(lines(b"one\r\ntwo\x1b[2J"), (Form::Text, vec!["one\\r\\n".into(), "two\\x1b[2J".into()]));
        assert_eq!(lines(b""), (Form::Text, vec![]));
    }

    #[test]
    fn other_bytes_are_dumped() {
        let (form, rows) = lines(b"\xff\x00AB<>\x1b6789abcdefg");
        assert_eq!(form, Form::Hex);
        assert_eq!(rows[0], "00000000  ff 00 41 42 3c 3e 1b 36  37 38 39 61 62 63 64 65  ..AB<>.6789abcde");
        assert_eq!(rows[1], format!("00000010  66 67{}fg", " ".repeat(3 * 14 + 1 + 2)));
    }
}
