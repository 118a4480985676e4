//! The gate: what it shows is safe, injective and not wider than asked for.

use aerscope::text;

/// Any bytes: shown as they are, and as two texts against each other.
pub fn run(data: &[u8]) {
    let (first, second) = data.split_at(data.len() / 2);
    for part in [data, first, second] {
        let shown = text::shown_bytes(part);
        safe(&shown);
        let room = usize::from(part.first().copied().unwrap_or(0)) % 40;
        for cut in [text::fit(&shown, room), text::fit_middle(&shown, room)] {
            safe(&cut);
            assert!(text::width(&cut) <= room, "wider than asked for: {cut}");
        }
    }
    if first != second {
        assert_ne!(text::shown_bytes(first), text::shown_bytes(second), "two byte strings look alike");
    }
    if let (Ok(a), Ok(b)) = (std::str::from_utf8(first), std::str::from_utf8(second)) {
        assert_eq!(text::shown(a), text::shown_bytes(first), "text is shown as its bytes are");
        safe(&text::shown_cut(a, b.len() % 50));
        let mut both = String::new();
        text::push_shown(&mut both, a);
        assert_eq!(both, text::shown(a));
        if a != b {
            assert_ne!(text::shown(a), text::shown(b), "two texts look alike");
        }
    }
    if text::is_plain(data) {
        let plain = std::str::from_utf8(data).expect("plain bytes are text");
        assert!(plain.chars().all(|c| matches!(c, '\n' | '\r' | '\t') || !text::is_special(c)));
    }
}

fn safe(shown: &str) {
    let mut marks = 0usize;
    for c in shown.chars() {
        assert!(!text::is_special(c), "{c:?} reaches the terminal in {shown:?}");
        marks = if text::width(c.encode_utf8(&mut [0; 4])) == 0 { marks + 1 } else { 0 };
        assert!(marks <= text::MAX_MARKS, "a heap of marks in {shown:?}");
    }
}
