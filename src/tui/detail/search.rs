//! Finding text or bytes in a source, a slice at a time.

use std::ops::Range;

/// What is looked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Needle {
    text: String,
    /// The text's characters in lower case when capitals do not matter.
    folded: Option<Vec<char>>,
    /// The bytes it stands for in a hex view.
    bytes: Option<Vec<u8>>,
}

impl Needle {
    /// Smart case: a capital letter in `text` makes capitals matter. With `hex`, `text` may also be bytes
    /// (`7b 22`, `0x7b22`). `None` for an empty text.
    pub fn new(text: &str, hex: bool) -> Option<Needle> {
        if text.is_empty() {
            return None;
        }
        let exact = text.chars().any(char::is_uppercase);
        let folded = (!exact).then(|| text.chars().flat_map(char::to_lowercase).collect());
        Some(Needle { text: text.to_owned(), folded, bytes: if hex { hex_bytes(text) } else { None } })
    }

    /// The text as it was typed.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The first match that begins in `window`.
    pub fn first(&self, source: &[u8], window: Range<usize>) -> Option<Range<usize>> {
        if let Some(bytes) = &self.bytes {
            let end = window.end.saturating_add(bytes.len()).saturating_sub(1).min(source.len());
            let slice = source.get(window.start..end)?;
            let at = memchr::memmem::find(slice, bytes)?;
            let start = window.start.saturating_add(at);
            return Some(start..start.saturating_add(bytes.len()));
        }
        let Some(folded) = &self.folded else {
            let end = window.end.saturating_add(self.text.len()).saturating_sub(1).min(source.len());
            let slice = source.get(window.start..end)?;
            let at = memchr::memmem::find(slice, self.text.as_bytes())?;
            let start = window.start.saturating_add(at);
            return Some(start..start.saturating_add(self.text.len()));
        };
        let slice = source.get(window.start..window.end.min(source.len()))?;
        let first = *folded.first()?;
        let mut from = 0usize;
        while from < slice.len() {
            let rest = slice.get(from..)?;
            let at = if first.is_ascii() {
                let (lower, upper) = (first as u8, (first as u8).to_ascii_uppercase());
                // The Kelvin sign folds to k, the long s does not fold to s; both begin with a byte above 0x7f.
                if first == 'k' {
                    memchr::memchr3(lower, upper, 0xe2, rest)
                } else {
                    memchr::memchr2(lower, upper, rest)
                }
            } else {
                rest.iter().position(|b| *b >= 0xc0)
            };
            let start = window.start.saturating_add(from).saturating_add(at?);
            if let Some(end) = folded_at(source, start, folded) {
                return Some(start..end);
            }
            from = start.saturating_sub(window.start).saturating_add(1);
        }
        None
    }

    /// The last match that begins in `window`.
    pub fn last(&self, source: &[u8], window: Range<usize>) -> Option<Range<usize>> {
        // Smaller and smaller windows from the end, so that a near match is found soon.
        const STEP: usize = 16 << 10;
        let mut end = window.end;
        while end > window.start {
            let start = end.saturating_sub(STEP).max(window.start);
            let mut best = None;
            let mut from = start;
            while let Some(found) = self.first(source, from..end) {
                from = found.start.saturating_add(1);
                best = Some(found);
            }
            if best.is_some() {
                return best;
            }
            end = start;
        }
        None
    }

    /// Every match that touches `window`, at most `most` of them.
    pub fn all(&self, source: &[u8], window: Range<usize>, most: usize) -> Vec<Range<usize>> {
        let longest = self.bytes.as_ref().map_or(self.text.len().saturating_mul(3), Vec::len);
        let mut from = window.start.saturating_sub(longest);
        let mut found = Vec::new();
        while found.len() < most
            && let Some(next) = self.first(source, from..window.end)
        {
            from = next.end.max(from.saturating_add(1));
            found.push(next);
        }
        found
    }
}

/// Whether `source` holds the folded text at `start`; where it ends.
fn folded_at(source: &[u8], start: usize, folded: &[char]) -> Option<usize> {
    let mut at = start;
    let mut wanted = folded.iter();
    let mut next = wanted.next();
    while let Some(expected) = next {
        let window = source.get(at..source.len().min(at.saturating_add(4)))?;
        let text = match std::str::from_utf8(window) {
            Ok(text) => text,
            Err(fault) => std::str::from_utf8(window.get(..fault.valid_up_to())?).ok()?,
        };
        let c = text.chars().next()?;
        let mut expected = *expected;
        let mut lower = c.to_lowercase();
        let mut piece = lower.next();
        while let Some(found) = piece {
            if found != expected {
                return None;
            }
            piece = lower.next();
            next = wanted.next();
            if piece.is_some() {
                expected = *next?;
            }
        }
        at = at.saturating_add(c.len_utf8());
    }
    Some(at)
}

/// Reads bytes: pairs of hexadecimal digits, with or without blanks, or after `0x`.
fn hex_bytes(text: &str) -> Option<Vec<u8>> {
    let text = text.trim();
    let digits = text.strip_prefix("0x").unwrap_or(text);
    let digits: Vec<u8> = digits.bytes().filter(|b| *b != b' ').collect();
    if digits.is_empty() || !digits.len().is_multiple_of(2) {
        return None;
    }
    digits
        .chunks_exact(2)
        .map(|pair| std::str::from_utf8(pair).ok().and_then(|pair| u8::from_str_radix(pair, 16).ok()))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find(text: &str, source: &str) -> Option<Range<usize>> {
        Needle::new(text, false).unwrap().first(source.as_bytes(), 0..source.len())
    }

    #[test]
    fn small_letters_find_both_and_capitals_only_themselves() {
        assert_eq!(find("tool", "a TOOL tool"), Some(2..6));
        assert_eq!(find("Tool", "a TOOL Tool"), Some(7..11));
        assert_eq!(find("zürich", "in ZÜRICH"), Some(3..10));
        assert_eq!(find("東", "ab東"), Some(2..5));
        assert_eq!(find("kk", "\u{212a}k"), Some(0..4));
        assert_eq!(find("abc", "ab"), None);
        assert_eq!(Needle::new("", false), None);
    }

    #[test]
    fn bytes_are_found_in_a_hex_view() {
        let needle = Needle::new("7b 22", true).unwrap();
        assert_eq!(needle.first(b"xx{\"a", 0..5), Some(2..4));
        let text = Needle::new("xx", true).unwrap();
        assert_eq!(text.first(b"aXx", 0..3), Some(1..3));
    }

    #[test]
    fn matches_across_the_edge_of_a_window_are_found_once() {
        let source = b"....needle....";
        let needle = Needle::new("needle", false).unwrap();
        assert_eq!(needle.first(source, 0..6), Some(4..10));
        assert_eq!(needle.first(source, 5..14), None);
        assert_eq!(needle.last(source, 0..14), Some(4..10));
        assert_eq!(needle.all(source, 8..9, 10), vec![4..10; 1]);
    }
}
