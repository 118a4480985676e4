//! Strings and names without their escapes.

use std::borrow::Cow;

/// The text of a string or name given with its quotes; `None` when it holds a lone surrogate or is no such token.
pub fn unescape(raw_with_quotes: &[u8]) -> Option<Cow<'_, str>> {
    match unescape_lossy(raw_with_quotes)? {
        Cow::Borrowed(bytes) => std::str::from_utf8(bytes).ok().map(Cow::Borrowed),
        Cow::Owned(bytes) => String::from_utf8(bytes).ok().map(Cow::Owned),
    }
}

/// As [`unescape`], but a lone surrogate becomes its three-byte form, so that two different names stay different.
pub(super) fn unescape_lossy(raw_with_quotes: &[u8]) -> Option<Cow<'_, [u8]>> {
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
            let low = |n: u32| u8::try_from(0x80 + (n & 0x3f)).unwrap_or(0x80);
            out.extend_from_slice(&[u8::try_from(0xe0 + (code >> 12)).unwrap_or(0xe0), low(code >> 6), low(code)]);
        }
    }
}
