//! Whether a text is one document, one a line, or an event stream (rules §2.9).

use super::json::{self, Doc};

/// How a text is to be read, judged by its beginning (rules §2.9).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    /// As one JSON document.
    Whole,
    /// Line by line, each line a document.
    Lines,
    /// As server-sent events: the `data:` lines whose value begins with `{`.
    Events,
    /// More of the text is needed to tell.
    Unknown,
}

/// Whether a line is a field of the event-stream format: a known name alone or before a colon, or a comment.
fn is_event_field(line: &[u8]) -> bool {
    let name = line.split(|b| *b == b':').next().unwrap_or_default();
    let name = if name.len() == line.len() { trimmed(name) } else { name };
    match name {
        b"data" | b"event" | b"id" | b"retry" => true,
        b"" => line.first() == Some(&b':'),
        _ => false,
    }
}

fn is_space(byte: &u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n')
}

pub(super) fn is_blank(bytes: &[u8]) -> bool {
    bytes.iter().all(is_space)
}

fn trimmed(mut bytes: &[u8]) -> &[u8] {
    while let Some((_, rest)) = bytes.split_first().filter(|(b, _)| is_space(b)) {
        bytes = rest;
    }
    while let Some((_, rest)) = bytes.split_last().filter(|(b, _)| is_space(b)) {
        bytes = rest;
    }
    bytes
}

/// Removes one byte order mark; true when there was one.
pub(super) fn without_mark(bytes: &[u8]) -> (&[u8], bool) {
    match bytes.strip_prefix(b"\xef\xbb\xbf") {
        Some(rest) => (rest, true),
        None => (bytes, false),
    }
}

/// Tells how a text that begins with `head` is to be read; `at_end` says that `head` is all of it.
pub fn reading(head: &[u8], at_end: bool) -> Reading {
    let (body, _) = without_mark(head);
    let start = body.iter().position(|b| !is_space(b)).unwrap_or(body.len());
    // From the first byte that is no white space; leading blank lines tell nothing.
    let rest = body.get(start..).unwrap_or_default();
    let Some(line_end) = memchr::memchr(b'\n', rest) else {
        return match rest.first() {
            _ if at_end => whole_or_events(rest),
            // A JSON text that is no object is never read by lines; a longer field name may still come.
            Some(b'[' | b'"' | b'-' | b'0'..=b'9') => Reading::Whole,
            _ => Reading::Unknown,
        };
    };
    let (line, after) = rest.split_at_checked(line_end).unwrap_or((rest, &[]));
    if is_event_field(line) {
        return Reading::Events;
    }
    if line.first() != Some(&b'{') || trimmed(line).last() != Some(&b'}') {
        return Reading::Whole;
    }
    if is_blank(after) {
        return if at_end { Reading::Whole } else { Reading::Unknown };
    }
    if is_whole_object(line) { Reading::Lines } else { Reading::Whole }
}

fn whole_or_events(line: &[u8]) -> Reading {
    if is_event_field(line) { Reading::Events } else { Reading::Whole }
}

/// Whether a line is by itself one JSON object, as the grammar has it; depth and surrogates are judged later.
fn is_whole_object(line: &[u8]) -> bool {
    let rules = json::Rules { max_depth: u32::MAX, keep_depth: 0, allow_surrogates: true, find_duplicates: false };
    let mut doc = Doc::new();
    simdutf8::basic::from_utf8(line).is_ok() && json::parse_with(line, rules, &mut doc).is_ok()
}

/// The value of a `data:` line that begins with `{`, and where it begins in the line.
pub(super) fn event_data(line: &[u8]) -> Option<(usize, &[u8])> {
    let (body, _) = without_mark(line);
    let start = body.iter().position(|b| !is_space(b))?;
    let value = body.get(start..)?.strip_prefix(b"data:")?;
    let blank = value.iter().position(|b| !is_space(b))?;
    let data = value.get(blank..).filter(|d| d.first() == Some(&b'{'))?;
    Some((line.len() - data.len(), data))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_beginning_tells_how_to_read_or_that_more_is_needed() {
        for (head, at_end, wanted) in [
            (&b""[..], false, Reading::Unknown),
            (b"", true, Reading::Whole),
            (b"  \n\n ", false, Reading::Unknown),
            (b"{\"a\"", false, Reading::Unknown),
            (b"{\"a\"", true, Reading::Whole),
            (b"[1", false, Reading::Whole),
            (b"\"x", false, Reading::Whole),
            (b"-1", false, Reading::Whole),
            (b"7", false, Reading::Whole),
            (b"dat", false, Reading::Unknown),
            (b"data: {}", false, Reading::Unknown),
            (b"data: {}", true, Reading::Events),
            (b"data: {}\n", false, Reading::Events),
            (b"data\r\ndata: {}\n", true, Reading::Events),
            (b"data \ndata: {}\n", true, Reading::Events),
            (b"data : {}\ndata: {}\n", true, Reading::Whole),
            (b": a comment\n", false, Reading::Events),
            (b"note: x\n", false, Reading::Whole),
            (b"[1]\n", false, Reading::Whole),
            (b"{\"a\":\n", false, Reading::Whole),
            (b"}\n", false, Reading::Whole),
            (b"{}\n", false, Reading::Unknown),
            (b"{}\n\n", true, Reading::Whole),
            (b"{}\n{", false, Reading::Lines),
            (b"\xef\xbb\xbf\n{}\r\n{}", true, Reading::Lines),
            (b"{a}\n{}\n", true, Reading::Whole),
            (b"{}}\n{}\n", true, Reading::Whole),
            (b"{\"a\":\"\xff\"}\n{}\n", true, Reading::Whole),
            (b"{\"a\":\"\\ud800\"}\n{}\n", true, Reading::Lines),
        ] {
            assert_eq!(reading(head, at_end), wanted, "{:?} {at_end}", String::from_utf8_lossy(head));
        }
    }

    #[test]
    fn the_data_of_an_event_line_and_where_it_begins() {
        for (line, at) in [
            (&b"data:{}"[..], Some(5)),
            (b"data: {} ", Some(6)),
            (b" data: \t{\r", Some(8)),
            (b"\xef\xbb\xbfdata: {}", Some(9)),
            (b"data: []", None),
            (b"data:", None),
            (b"event: {}", None),
            (b"  ", None),
        ] {
            let found = event_data(line);
            assert_eq!(found.map(|(at, _)| at), at, "{:?}", String::from_utf8_lossy(line));
            if let Some((at, data)) = found {
                assert_eq!(data, &line[at..]);
            }
        }
    }
}
