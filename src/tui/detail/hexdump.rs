//! Bytes as offset, hexadecimal digits and ASCII.

use std::ops::Range;

use ratatui::text::Line;

use super::cells::Row;
use crate::tui::theme::{Role, Theme};

/// Bytes of one row: as many of 16, 8, 4, 2 or 1 as fit.
pub fn per_row(columns: usize, len: usize) -> usize {
    let digits = offset_digits(len);
    [16usize, 8, 4, 2]
        .into_iter()
        .find(|n| digits.saturating_add(4).saturating_add(n.saturating_mul(4)).saturating_add(n / 8) <= columns)
        .unwrap_or(1)
}

/// Hexadecimal digits of an offset; at least four.
fn offset_digits(len: usize) -> usize {
    let mut digits = 4usize;
    while digits < 16 && len >> (digits.saturating_mul(4)) > 0 {
        digits = digits.saturating_add(2);
    }
    digits
}

/// How a byte looks.
pub const fn role(byte: u8) -> Role {
    match byte {
        0 => Role::HexNull,
        b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c => Role::HexSpace,
        0x21..=0x7e => Role::HexAscii,
        0x80.. => Role::HexHigh,
        _ => Role::HexOther,
    }
}

/// What stands for a byte in the ASCII column, by category as well as by colour.
const fn glyph(byte: u8, ascii: bool) -> char {
    match (byte, ascii) {
        (0x20..=0x7e, _) => byte as char,
        (0, false) => '⋄',
        (b'\t' | b'\n' | b'\r' | 0x0b | 0x0c, false) => '_',
        (0x80.., false) => '×',
        (_, false) => '•',
        (0x80.., true) => '^',
        (_, true) => '.',
    }
}

/// The row that begins at `at`.
pub fn line(bytes: &[u8], at: usize, columns: usize, marked: &[Range<usize>], theme: &Theme) -> Line<'static> {
    let count = per_row(columns, bytes.len());
    let mut out = Row::new(columns);
    let digits = offset_digits(bytes.len());
    out.push(&format!("{at:0digits$x}  "), theme.style(Role::Dim));
    let row = bytes.get(at..bytes.len().min(at.saturating_add(count))).unwrap_or_default();
    let style = |n: usize, byte: u8| {
        let offset = at.saturating_add(n);
        let style = theme.style(role(byte));
        if marked.iter().any(|m| m.contains(&offset)) { style.patch(theme.style(Role::Match)) } else { style }
    };
    for n in 0..count {
        if n == 8 {
            out.push(" ", theme.style(Role::Text));
        }
        match row.get(n) {
            Some(byte) => out.push(&format!("{byte:02x}"), style(n, *byte)).push(" ", theme.style(Role::Text)),
            None => out.push("   ", theme.style(Role::Text)),
        };
    }
    out.push(theme.glyph("│", "|"), theme.style(Role::Dim));
    for (n, byte) in row.iter().enumerate() {
        out.push(glyph(*byte, theme.ascii).encode_utf8(&mut [0; 4]), style(n, *byte));
    }
    out.push(theme.glyph("│", "|"), theme.style(Role::Dim));
    out.line()
}

/// Reads an offset: decimal, or hexadecimal after `0x`.
pub fn offset(text: &str) -> Option<usize> {
    let text = text.trim();
    match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        Some(digits) => usize::from_str_radix(digits, 16).ok(),
        None => text.replace(',', "").parse().ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::theme::ThemeName;

    #[test]
    fn rows_fit_their_columns_and_say_every_byte() {
        let bytes: Vec<u8> = (0..=255).collect();
        let theme = Theme::new(ThemeName::Plain);
        assert_eq!(
            line(&bytes, 0x20, 80, &[], &theme).to_string(),
            format!(
                "0020  {}│ !\"#$%&'()*+,-./│",
                (0x20..0x30).map(|b| format!("{b:02x} {}", if b == 0x27 { " " } else { "" })).collect::<String>()
            )
        );
        for columns in 0..100 {
            let line = line(&bytes, 0xf0, columns, &[], &theme);
            assert!(crate::text::width(&line.to_string()) <= columns);
        }
        assert_eq!((per_row(80, 256), per_row(44, 256), per_row(200, 256), per_row(3, 256)), (16, 8, 16, 1));
    }

    #[test]
    fn offsets_are_read_both_ways() {
        assert_eq!(offset("0x1F"), Some(31));
        assert_eq!(offset(" 1,024 "), Some(1024));
        assert_eq!(offset("x"), None);
        assert_eq!(offset("0xffffffffffffffffff"), None);
    }
}
