//! What is shown of a text tells which text it was: two different ones never look alike, and nothing special is in it.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "a test may")]

#[path = "kit/bytes.rs"]
mod bytes;
#[path = "kit/proof.rs"]
mod proof;

use aerscope::text::{is_special, shown, shown_bytes, shown_cut, shown_path};
use bytes::{To, acts, scan};
use proof::{full, tell};

/// The bytes of which `shown` is the visible form. That there is one answer is what makes the form injective.
fn unshown(shown: &str) -> Result<Vec<u8>, String> {
    let mut out = Vec::new();
    let mut rest = shown;
    while let Some(at) = rest.find('\\') {
        out.extend_from_slice(&rest.as_bytes()[..at]);
        rest = &rest[at + 1..];
        let hex = |text: Option<&str>| text.and_then(|text| u32::from_str_radix(text, 16).ok());
        let (used, c) = match rest.as_bytes().first() {
            Some(b'\\') => (1, Some('\\')),
            Some(b'n') => (1, Some('\n')),
            Some(b'r') => (1, Some('\r')),
            Some(b't') => (1, Some('\t')),
            Some(b'x') => {
                let byte = hex(rest.get(1..3)).ok_or_else(|| format!("{shown}: \\x without two digits"))?;
                if byte >= 0x80 {
                    out.push(u8::try_from(byte).unwrap());
                }
                (3, char::from_u32(byte).filter(char::is_ascii))
            }
            Some(b'u') => {
                let end = rest.find('}').ok_or_else(|| format!("{shown}: \\u without an end"))?;
                let c = hex(rest.get(2..end)).and_then(char::from_u32);
                (end + 1, Some(c.ok_or_else(|| format!("{shown}: \\u of no character"))?))
            }
            other => return Err(format!("{shown}: a backslash before {other:?}")),
        };
        if let Some(c) = c {
            out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
        }
        rest = &rest[used..];
    }
    out.extend_from_slice(rest.as_bytes());
    Ok(out)
}

/// Fails unless the form of `bytes` holds nothing special and tells the bytes.
#[track_caller]
fn holds(bytes: &[u8]) -> String {
    let form = shown_bytes(bytes).into_owned();
    let found = scan(form.as_bytes(), To::Pipe);
    assert!(found.violations.is_empty() && !form.contains('\n'), "{}: {:?}", bytes.escape_ascii(), found.violations);
    assert_eq!(unshown(&form).as_deref(), Ok(bytes), "{form}");
    form
}

/// Numbers that are the same in every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((z ^ (z >> 31)) % n as u64).unwrap()
    }
}

/// Pieces that are near one another: what is special, its visible form, and the form of that.
const PIECES: [&[u8]; 46] = [
    b"a",
    b"b",
    b" ",
    b"\\",
    b"\\\\",
    b"x",
    b"u",
    b"n",
    b"{",
    b"}",
    b"0",
    b"1b",
    b"\\x1b",
    b"\x1b",
    b"\\x",
    b"\\u",
    b"\\u{",
    b"\\u{1b}",
    b"\\u{202e}",
    b"\xe2\x80\xae",
    b"\\n",
    b"\n",
    b"\r",
    b"\\r",
    b"\t",
    b"\0",
    b"\\x00",
    b"\x7f",
    b"\\x7f",
    b"\xc2\x9b",
    b"\x9b",
    b"\\x9b",
    b"\\u{9b}",
    b"\xc2",
    b"\xe2\x80",
    b"\xff",
    b"\\xff",
    b"\xf0\x9f",
    b"\xed\xa0\x80",
    b"\xcc\x81",
    b"\xcc\x81\xcc\x81\xcc\x81\xcc\x81\xcc\x81\xcc\x81\xcc\x81\xcc\x81",
    b"\\u{301}",
    b"\xe2\x80\x8b",
    b"\xf3\xa0\x81\x81",
    b"\xe6\x9d\xb1",
    b"\xe2\x80\xa6",
];

fn any_bytes(numbers: &mut Numbers) -> Vec<u8> {
    (0..=numbers.below(9)).flat_map(|_| PIECES[numbers.below(PIECES.len())].to_vec()).collect()
}

/// A neighbour: one thing put in, taken out, replaced, doubled or shown.
fn near(numbers: &mut Numbers, bytes: &[u8]) -> Vec<u8> {
    let mut out = bytes.to_vec();
    let at = numbers.below(out.len() + 1);
    let to = (at + numbers.below(4)).min(out.len());
    let piece = PIECES[numbers.below(PIECES.len())];
    match numbers.below(6) {
        0 => out.splice(at..at, piece.iter().copied()).for_each(drop),
        1 => out.drain(at..to).for_each(drop),
        2 => out.splice(at..to, piece.iter().copied()).for_each(drop),
        3 => out.extend_from_within(at..to),
        4 => {
            let form = shown_bytes(&bytes[at..to]).into_owned().into_bytes();
            out.splice(at..to, form).for_each(drop);
        }
        _ => out = shown_bytes(bytes).into_owned().into_bytes(),
    }
    out
}

#[test]
fn two_different_texts_never_look_alike() {
    let wanted = if full() { 2_000_000 } else { 100_000 };
    let mut numbers = Numbers(6);
    let mut pairs = 0u32;
    while pairs < wanted {
        let one = any_bytes(&mut numbers);
        let other = near(&mut numbers, &one);
        if one == other {
            continue;
        }
        let (form, other_form) = (holds(&one), holds(&other));
        assert_ne!(form, other_form, "{} and {}", one.escape_ascii(), other.escape_ascii());
        pairs += 1;
        if let Ok(text) = std::str::from_utf8(&one) {
            assert_eq!(shown(text), form);
            assert_eq!(shown_cut(text, usize::MAX), form);
            assert_eq!(shown_path(text), form);
        }
    }
    tell(2, "pairs", &format!("{pairs} pairs of different texts, 0 alike, 0 special code points"));
}

#[test]
fn every_code_point_alone_and_after_a_letter() {
    let mut special = 0;
    for c in '\0'..=char::MAX {
        assert!(!acts(c) || is_special(c), "U+{:04X} acts on a terminal and is not special", c as u32);
        special += usize::from(is_special(c));
        let mut text = [0; 5];
        text[0] = b'a';
        let n = c.encode_utf8(&mut text[1..]).len();
        for bytes in [&text[1..=n], &text[..=n]] {
            // Most are shown as they are, which needs no more looking at.
            if is_special(c) || c.is_ascii() || shown_bytes(bytes).as_bytes() != bytes {
                holds(bytes);
            }
        }
    }
    tell(
        2,
        "code points",
        &format!("1112064 code points, {special} of them always escaped, 0 reach a screen unescaped"),
    );
}

#[test]
fn every_two_bytes() {
    for pair in 0..=u16::MAX {
        holds(&pair.to_be_bytes());
    }
}

#[test]
fn the_reader_of_forms_takes_nothing_else() {
    for bad in ["\\", "\\q", "\\x1", "\\u{110000}", "\\u{1b"] {
        assert!(unshown(bad).is_err(), "{bad}");
    }
    assert_eq!(unshown("a\\\\\\x1b\\xff\\u{202e}\\n").unwrap(), b"a\\\x1b\xff\xe2\x80\xae\n");
}
