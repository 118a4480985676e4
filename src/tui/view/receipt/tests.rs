use std::sync::Arc;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::*;
use crate::tui::detail::open::Loaded;
use crate::tui::detail::pane::PaneAct;
use crate::tui::detail::sample;
use crate::tui::theme::ThemeName;

fn shown(open: &Arc<OpenRecord>, width: u16, height: u16, acts: &[PaneAct], theme: &Theme) -> Buffer {
    let mut pane = Pane::new();
    pane.loaded(Loaded::Open(Arc::clone(open)));
    let area = Rect::new(0, 0, width, height);
    let mut buf = Buffer::empty(area);
    draw(area, &mut buf, &mut pane, None, &[], theme, true);
    for act in acts {
        pane.act(act.clone(), height);
        buf = Buffer::empty(area);
        draw(area, &mut buf, &mut pane, None, &[], theme, true);
    }
    sample::assert_clean(&buf);
    buf
}

const TERMINAL: Theme = Theme::new(ThemeName::Terminal);

#[test]
fn the_verified_receipt_in_full() {
    insta::assert_snapshot!(sample::picture(&shown(&sample::verified(), 120, 40, &[], &TERMINAL)));
}

#[test]
fn an_altered_receipt_at_four_sizes() {
    let open = sample::altered();
    for (width, height) in [(44, 14), (80, 24), (100, 40), (160, 60)] {
        let name = format!("altered_{width}x{height}");
        insta::assert_snapshot!(name, sample::picture(&shown(&open, width, height, &[], &TERMINAL)));
    }
}

#[test]
fn every_tab() {
    let open = sample::altered();
    for tab in Tab::ALL {
        let buf = shown(&open, 90, 36, &[PaneAct::Tab(tab)], &TERMINAL);
        insta::assert_snapshot!(format!("tab_{}", tab.word()), sample::text_of(&buf));
    }
}

#[test]
fn ascii_alone_when_asked() {
    let theme = Theme { name: ThemeName::Plain, ascii: true };
    let buf = shown(&sample::altered(), 100, 40, &[PaneAct::Tab(Tab::Hex)], &theme);
    let text = sample::text_of(&buf);
    let own: String = text.chars().filter(|c| !c.is_ascii()).collect();
    assert_eq!(own.replace(['·', '…'], ""), "", "{text}");
}

#[test]
fn the_checks_begin_where_one_failed_until_the_operator_moves() {
    let checks = PaneAct::Tab(Tab::Checks);
    let text = |open: &Arc<OpenRecord>, acts: &[PaneAct]| sample::text_of(&shown(open, 60, 14, acts, &TERMINAL));
    let altered = text(&sample::altered(), std::slice::from_ref(&checks));
    assert!(altered.contains("digest_mismatch:"), "{altered}");
    assert!(!altered.contains("checks, in their order"), "{altered}");
    let top = text(&sample::altered(), &[checks.clone(), PaneAct::Top]);
    assert!(top.contains("checks, in their order"), "{top}");
    assert!(text(&sample::verified(), std::slice::from_ref(&checks)).contains("checks, in their order"));
    // Where all of it fits there is nothing to move.
    let large = sample::text_of(&shown(&sample::altered(), 200, 120, &[checks], &TERMINAL));
    assert!(large.contains("checks, in their order") && large.contains("digest_mismatch:"), "{large}");
}

#[test]
fn what_does_not_verify_is_framed_in_every_decoded_tab() {
    let altered = sample::altered();
    let verified = sample::verified();
    let bare = sample::receipt(b"x", |text| text.replace("\"0.3\"", "\"9.9\""));
    let unsupported = sample::open(&bare);
    for tab in [Tab::Json, Tab::Text, Tab::Hex] {
        for (width, height) in [(20, 5), (44, 14), (80, 24), (200, 60)] {
            let text = |open| sample::text_of(&shown(open, width, height, &[PaneAct::Tab(tab)], &TERMINAL));
            assert!(text(&altered).contains("does not verify"), "{tab:?} {width}x{height}");
            assert!(text(&unsupported).contains("not verified"), "{tab:?} {width}x{height}");
            let verified = text(&verified);
            assert!(!verified.contains("not verif"), "{tab:?} {width}x{height}");
        }
    }
}

#[test]
fn the_mark_stands_under_the_first_differing_digit() {
    let a = format!("sha256:{}", "a".repeat(64));
    for first in [0usize, 1, 20, 40, 55, 63] {
        let mut digits = "a".repeat(64).into_bytes();
        digits[first] = b'b';
        let b = format!("sha256:{}", String::from_utf8(digits).unwrap());
        for room in [20usize, 30, 44, 60, 71, 100] {
            let aligned = head::align(&a, &b, room);
            let (column, digit) = aligned.mark.unwrap();
            assert_eq!(digit, first);
            assert!(crate::text::width(&aligned.declared) <= room, "{room} {}", aligned.declared);
            assert_eq!(aligned.declared.chars().nth(column), Some('a'), "{first} {room} {}", aligned.declared);
            assert_eq!(aligned.recomputed.chars().nth(column), Some('b'), "{first} {room} {}", aligned.recomputed);
        }
    }
    assert_eq!(head::align(&a, &a, 40).mark, None);
}

#[test]
fn a_screen_for_every_state_that_is_no_record() {
    let path: Arc<std::path::Path> = std::path::Path::new("in/\x1b[2Jx.json").into();
    let place = Place::line(3);
    let fault = crate::aer1::report::Fault::new(crate::aer1::report::Class::IoError).found("Permission denied");
    let states = [
        Loaded::Writing { path: Arc::clone(&path), place },
        Loaded::Gone { path: Arc::clone(&path), place },
        Loaded::Vanished { path: Arc::clone(&path), place },
        Loaded::Failed { path: Arc::clone(&path), place, reason: fault },
    ];
    let area = Rect::new(0, 0, 70, 6);
    let mut all = String::new();
    let mut pane = Pane::new();
    let mut screen = |pane: &mut Pane| {
        let mut buf = Buffer::empty(area);
        draw(area, &mut buf, pane, None, &[], &TERMINAL, false);
        sample::assert_clean(&buf);
        all.push_str(&sample::text_of(&buf));
    };
    screen(&mut pane);
    pane.loading(Arc::clone(&path), place);
    screen(&mut pane);
    for state in states {
        pane.loaded(state);
        screen(&mut pane);
    }
    insta::assert_snapshot!(all);
}

#[test]
fn a_record_that_is_read_again_loses_its_verdict_until_then() {
    let open = sample::verified();
    let mut pane = Pane::new();
    pane.loaded(Loaded::Open(Arc::clone(&open)));
    let area = Rect::new(0, 0, 80, 24);
    let mut buf = Buffer::empty(area);
    draw(area, &mut buf, &mut pane, None, &[], &TERMINAL, true);
    assert!(sample::text_of(&buf).contains("✓ verified"));
    pane.loading(Arc::clone(&open.path), open.place);
    let mut buf = Buffer::empty(area);
    draw(area, &mut buf, &mut pane, None, &[], &TERMINAL, true);
    assert!(!sample::text_of(&buf).contains("verified"), "{}", sample::text_of(&buf));
}

#[test]
fn every_size_draws() {
    let wild = sample::receipt("{\"\u{202e}k\\u0000\":\"\u{301}東\u{1b}[31m\"}".as_bytes(), |text| {
        text.replace("sql.query", "東\\u202e\\u001b[2J").replace("call-7", "\u{301}\u{301}")
    });
    let opens = [sample::verified(), sample::altered(), sample::open(&wild), sample::open(b"not json \x1b[2J \xff")];
    for open in &opens {
        let mut pane = Pane::new();
        pane.loaded(Loaded::Open(Arc::clone(open)));
        for tab in Tab::ALL {
            pane.act(PaneAct::Tab(tab), 5);
            for height in [1, 2, 3, 4, 5, 6, 7, 9, 12, 15, 20] {
                for width in (1..=24).chain([30, 43, 60, 97]) {
                    let area = Rect::new(0, 0, width, height);
                    let mut buf = Buffer::empty(area);
                    draw(area, &mut buf, &mut pane, None, &[], &TERMINAL, true);
                    sample::assert_clean(&buf);
                    pane.act(if width % 2 == 0 { PaneAct::Down(3) } else { PaneAct::PageUp }, height);
                }
            }
        }
    }
}
