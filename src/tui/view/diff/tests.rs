use super::*;
use crate::tui::detail::{diff, sample};
use crate::tui::theme::ThemeName;

const THEME: Theme = Theme::new(ThemeName::Terminal);

fn drawn(pane: &mut DiffPane, width: u16, height: u16) -> Buffer {
    let area = Rect::new(0, 0, width, height);
    let mut buf = Buffer::empty(area);
    draw(area, &mut buf, pane, &THEME, true);
    sample::assert_clean(&buf);
    buf
}

#[test]
fn two_attempts_compared() {
    for (width, height) in [(44, 14), (80, 24), (120, 30)] {
        let mut pane = DiffPane::new(diff::compare(&sample::verified(), &sample::altered()));
        let name = format!("compared_{width}x{height}");
        insta::assert_snapshot!(name, sample::picture(&drawn(&mut pane, width, height)));
    }
}

#[test]
fn steps_go_round_and_keep_the_difference_on_the_screen() {
    let list = |odd: usize| {
        let numbers: Vec<String> = (0..900).map(|n| if n % odd == 0 { "0".into() } else { n.to_string() }).collect();
        sample::open(&sample::receipt(format!("[{}]", numbers.join(",")).as_bytes(), |text| text))
    };
    let mut pane = DiffPane::new(diff::compare(&list(97), &list(101)));
    let (_, count) = pane.step().unwrap();
    assert!(count > 10, "{count}");
    for n in 1..=count {
        let text = sample::text_of(&drawn(&mut pane, 60, 12));
        assert!(text.contains(&format!("difference {n}/{count}")), "{text}");
        let row = pane.stops[pane.stop.unwrap()];
        assert!((pane.top..pane.top + pane.rows).contains(&row), "{n}: {row} from {}", pane.top);
        pane.act(DiffAct::Next);
    }
    assert_eq!(pane.step(), Some((1, count)));
    pane.act(DiffAct::Previous);
    assert_eq!(pane.step(), Some((count, count)));
}

#[test]
fn every_size_draws() {
    let wild = sample::open(&sample::receipt("{\"\u{202e}\":\"\u{301}\u{1b}東\"}".as_bytes(), |text| {
        text.replace("sql.query", "\\u202e\\u001b東")
    }));
    let none = sample::open(b"[1,\x1b");
    for (earlier, later) in [(sample::verified(), wild), (sample::altered(), none)] {
        let mut pane = DiffPane::new(diff::compare(&earlier, &later));
        for height in 1..20 {
            for width in 1..90 {
                drawn(&mut pane, width, height);
                pane.act(match width % 4 {
                    0 => DiffAct::Next,
                    1 => DiffAct::PageDown,
                    2 => DiffAct::Bottom,
                    _ => DiffAct::Up(2),
                });
            }
        }
    }
}
