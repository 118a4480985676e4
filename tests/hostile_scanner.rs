//! The scanner that the tests of hostile input rely on finds what it must, and lets pass what a console sends.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "a test may")]

#[path = "kit/bytes.rs"]
mod bytes;

use bytes::{To, acts, scan};

const SCREEN: To = To::Screen(80, 24);

#[test]
fn what_a_console_sends_is_clean() {
    let frame = "\x1b[?1049h\x1b[?25l\x1b[?2004h\x1b[?1000h\x1b[?1006h\x1b[2J\x1b[1;80H\x1b[38;5;1mre\u{301}sumé 東京 │\x1b[39m\
                 \x1b[0m\x1b]52;c;YWI=\x07\x1b[?1006l\x1b[?1015l\x1b[?1003l\x1b[?1002l\x1b[?1000l\x1b[?2004l\x1b[?1049l\x1b[?25h a line\r\n";
    let found = scan(frame.as_bytes(), SCREEN);
    assert_eq!(found.violations, Vec::<String>::new());
    assert_eq!(found.copies, [b"ab"]);
    assert_eq!((found.entered, found.left, found.hidden, found.shown, found.cleared), (1, 1, 1, 1, 1));
    assert_eq!(found.fullest, 3);
    assert_eq!(scan("a line\nand \\x1b another\n".as_bytes(), To::Pipe).violations, Vec::<String>::new());
    assert_eq!(scan(b"\r\x1b[K\x1b[31mred\x1b[0m\r\n", To::Line).violations, Vec::<String>::new());
}

#[test]
fn everything_else_is_a_violation() {
    let everywhere: &[&[u8]] = &[
        b"\x00",
        b"\x07",
        b"\x08",
        b"\t",
        b"\x0b",
        b"\x0c",
        b"\x0e",
        b"\x7f",
        b"\xc2\x9b2J",
        b"\x9b2J",
        b"\xff",
        b"a\xc3",
        b"\xed\xa0\x80",
        b"\xf4\x90\x80\x80",
        b"\xe0\x80\xaf",
        b"\x1b",
        b"\x1bc",
        b"\x1b7",
        b"\x1b(0",
        b"\x1bPq\x1b\\",
        b"\x1b_x\x1b\\",
        b"\x1b^x\x1b\\",
        b"\x1bXx\x1b\\",
        b"\x1b]0;title\x07",
        b"\x1b]8;;x\x1b\\",
        b"\x1b]52;p;YQ==\x07",
        b"\x1b]52;c;Y\x07",
        b"\x1b]52;c;?\x07",
        b"\x1b]52;c;YQ==",
        b"\x1b[6n",
        b"\x1b[c",
        b"\x1b[5i",
        b"\x1b[20t",
        b"\x1b[99b",
        b"\x1b[3J",
        b"\x1b[?1047l",
        b"\x1b[?1004h",
        b"\x1b[?1003h",
        b"\x1b[4h",
        b"\x1b[31",
        b"\x1b[1;2;3H",
        b"\x1b[0;1H",
        b"\x1b[25;1H",
        b"\x1b[1;81H",
        b"\x1b[!p",
        b"\x1b[ q",
    ];
    for to in [SCREEN, To::Line, To::Pipe] {
        for bytes in everywhere {
            assert!(!scan(bytes, to).violations.is_empty(), "{to:?}: {}", bytes.escape_ascii());
        }
        for c in "\u{202e}\u{2066}\u{200b}\u{200d}\u{feff}\u{ad}\u{61c}\u{180e}\u{2028}\u{2060}\u{fffb}\u{e0041}\u{fe0f}\u{3164}\u{a0}\u{3000}\u{e000}\u{ffff}".chars() {
            assert!(acts(c) && scan(format!("a{c}b").as_bytes(), to).violations.len() == 1, "U+{:04X}", c as u32);
        }
        let marks = |n| format!("a{}", "\u{301}".repeat(n));
        assert!(scan(marks(8).as_bytes(), to).violations.is_empty());
        assert!(!scan(marks(9).as_bytes(), to).violations.is_empty());
        assert!(!scan("\u{301}a".as_bytes(), to).violations.is_empty());
    }
    for bytes in [&b"\n"[..], b"\r", b"\x1b[K"] {
        assert!(!scan(bytes, SCREEN).violations.is_empty(), "{}", bytes.escape_ascii());
    }
    for bytes in [&b"\r\n"[..], b"\x1b[31m", b"\x1b]52;c;YQ==\x07"] {
        assert!(!scan(bytes, To::Pipe).violations.is_empty(), "{}", bytes.escape_ascii());
    }
    assert!(!scan(b"\x1b]52;c;YQ==\x07", To::Line).violations.is_empty());
}
