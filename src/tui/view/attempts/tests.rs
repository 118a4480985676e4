use super::*;
use crate::aer1::report::Headline;
use crate::tui::detail::sample;
use crate::tui::theme::ThemeName;

const THEME: Theme = Theme::new(ThemeName::Terminal);

fn attempt(n: u32, secs: i64, headline: Headline, status: &str) -> Attempt {
    Attempt {
        row: n,
        n,
        delay: (n > 1).then_some(1_204_000_000),
        created: Some(Moment { secs: 1_785_585_871 + secs, nanos: 207_000_000 }),
        headline,
        state: RowState::Known,
        provenance: "OBSERVED VIA GATEWAY".to_owned(),
        status: status.to_owned(),
        same_bytes: None,
        same_inputs: (n > 1).then_some(1),
        link: Some(("correlation_id".to_owned(), "call-7".to_owned())),
        bound: false,
        points_to: Vec::new(),
        copies: Vec::new(),
    }
}

fn chain(attempts: Vec<Attempt>) -> Chain {
    Chain {
        field: Some("correlation_id".to_owned()),
        value: Some("call-7".to_owned()),
        bound: false,
        attempts,
        span: Some(63_408_000_000),
    }
}

fn three() -> Chain {
    let mut second = attempt(2, 1, Headline::Verified, "provider_unavailable");
    second.same_bytes = Some(1);
    chain(vec![attempt(1, 0, Headline::Mismatch, "failed"), second, attempt(3, 63, Headline::Verified, "success")])
}

fn drawn(chain: &Chain, selected: usize, width: u16, height: u16) -> String {
    let area = Rect::new(0, 0, width, height);
    let mut buf = Buffer::empty(area);
    draw(area, &mut buf, chain, selected, &THEME, true);
    sample::assert_clean(&buf);
    sample::text_of(&buf)
}

#[test]
fn three_attempts_at_every_width() {
    for (width, height) in [(44, 14), (80, 12), (120, 12), (200, 10)] {
        let area = Rect::new(0, 0, width, height);
        let mut buf = Buffer::empty(area);
        draw(area, &mut buf, &three(), 1, &THEME, true);
        insta::assert_snapshot!(format!("three_{width}x{height}"), sample::picture(&buf));
    }
}

#[test]
fn a_later_success_never_hides_the_first_failing_attempt() {
    let mut attempts: Vec<Attempt> =
        (1..=50).map(|n| attempt(n, i64::from(n), Headline::Verified, "success")).collect();
    attempts[6].headline = Headline::Mismatch;
    let chain = chain(attempts);
    for selected in [0, 6, 25, 49] {
        for height in [8, 10, 20] {
            let text = drawn(&chain, selected, 100, height);
            assert!(text.contains(" 7/50 ✗ mismatch"), "{selected} {height}\n{text}");
            assert!(text.contains(&format!(">{:>2}/50", selected + 1)), "{selected} {height}\n{text}");
            assert!(text.contains("not shown"), "{text}");
        }
    }
    assert!(drawn(&chain, 49, 100, 10).contains(" 1/50"));
}

#[test]
fn every_size_draws() {
    let mut wild = three();
    wild.value = Some("\u{1b}[2J\u{202e}".repeat(50));
    wild.attempts[0].status = "\u{301}東\n".repeat(30);
    wild.attempts[1].created = None;
    wild.attempts[2].created = Some(Moment { secs: i64::MAX, nanos: 999_999_999 });
    for height in 1..20 {
        for width in 1..140 {
            drawn(&wild, usize::from(width) % 4, width, height);
        }
    }
    drawn(&chain(Vec::new()), 0, 80, 24);
}
