use std::time::{Duration, Instant};

use super::*;
use crate::tui::detail::sample;

fn pane(bytes: &[u8], tab: Tab) -> Pane {
    let mut pane = Pane::new();
    pane.loaded(Loaded::Open(sample::open(&sample::receipt(bytes, |text| text))));
    pane.set_size(40, 10, 0);
    pane.act(PaneAct::Tab(tab), 10);
    pane
}

/// A long search goes on in slices; this waits for its end.
fn finish(pane: &mut Pane) {
    let until = Instant::now() + Duration::from_secs(30);
    while pane.is_busy() && Instant::now() < until {
        pane.step();
    }
    assert!(!pane.is_busy());
}

#[test]
fn the_end_of_a_text_fills_the_screen() {
    let text: String = (0..1000).map(|n| format!("line {n}\n")).collect();
    let mut pane = pane(text.as_bytes(), Tab::Text);
    pane.act(PaneAct::Bottom, 10);
    let open = pane.open().cloned().unwrap();
    let (source, lines, top) = pane.text_view(&open);
    assert_eq!(lines.line_of(source, top), 990);
    pane.act(PaneAct::Down(5), 10);
    assert_eq!(pane.text_view(&open).2, top);
    pane.act(PaneAct::PageUp, 10);
    assert_eq!(lines.line_of(source, pane.text_view(&open).2), 981);
    pane.act(PaneAct::Top, 10);
    assert_eq!(pane.text_view(&open).2, 0);
    pane.act(PaneAct::Goto("500".to_owned()), 10);
    assert_eq!(lines.line_of(source, pane.text_view(&open).2), 499);
}

#[test]
fn the_cursor_stays_on_the_screen_and_folds_keep_it() {
    let list: String = (0..500).map(|n| format!("{{\"n\":{n},\"inner\":[1,2,3]}},")).collect();
    let bytes = format!("[{}]", list.trim_end_matches(','));
    let mut pane = pane(bytes.as_bytes(), Tab::Json);
    for act in [PaneAct::Down(37), PaneAct::PageDown, PaneAct::PageUp, PaneAct::Up(3), PaneAct::Bottom, PaneAct::Top] {
        pane.act(act.clone(), 10);
        let open = pane.open().cloned().unwrap();
        let tree = open.tree.as_ref().unwrap();
        let mut pos = pane.tree.top;
        let mut seen = vec![pos];
        while seen.len() < 10
            && let Some(next) = tree.step_down(open.shown(), pos, &pane.tree.folds, 40)
        {
            pos = next;
            seen.push(pos);
        }
        assert!(seen.contains(&pane.tree.cursor), "{act:?}");
    }
    pane.act(PaneAct::FoldAll, 10);
    pane.act(PaneAct::Bottom, 10);
    let open = pane.open().cloned().unwrap();
    let tree = open.tree.as_ref().unwrap();
    let mut rows = 1;
    let mut row = 0;
    while let Some(next) = tree.after(row, &pane.tree.folds) {
        row = next;
        rows += 1;
    }
    assert_eq!(rows, 502, "the list's brackets and one row for each element");
    pane.act(PaneAct::Search("\"n\":499".to_owned()), 10);
    finish(&mut pane);
    let span = tree.span(pane.tree.cursor.row).unwrap();
    assert!(open.shown()[span].starts_with(b"\"n\":499"));
    assert!(!pane.tree.folds.is_folded(tree.shown(pane.tree.cursor.row, &pane.tree.folds)));
}

#[test]
fn a_match_deep_in_a_long_string_is_brought_to_the_screen() {
    let bytes = format!("{{\"a\":\"{}needle{}\"}}", "x".repeat(100_000), "y".repeat(100_000));
    let mut pane = pane(bytes.as_bytes(), Tab::Json);
    pane.act(PaneAct::Search("NEEDLE".to_lowercase()), 10);
    finish(&mut pane);
    assert!(pane.tree.cursor.at.is_some_and(|at| at <= 100_006 && at > 99_900), "{:?}", pane.tree.cursor);
    pane.act(PaneAct::Up(3), 10);
    pane.act(PaneAct::Down(6), 10);
    pane.act(PaneAct::Search("nowhere".to_owned()), 10);
    finish(&mut pane);
    assert_eq!(pane.message(), Some("not found"));
}

#[test]
fn matches_go_forward_and_back_and_round() {
    let text = "one\ntwo one\n".repeat(50);
    let mut pane = pane(text.as_bytes(), Tab::Text);
    pane.act(PaneAct::Search("two".to_owned()), 10);
    finish(&mut pane);
    assert_eq!(pane.found, Some(4..7));
    pane.act(PaneAct::NextMatch, 10);
    finish(&mut pane);
    assert_eq!(pane.found, Some(16..19));
    pane.act(PaneAct::PrevMatch, 10);
    finish(&mut pane);
    pane.act(PaneAct::PrevMatch, 10);
    finish(&mut pane);
    assert_eq!(pane.found, Some(text.len() - 8..text.len() - 5));
    assert_eq!(pane.message(), Some("begun again at the end"));
    pane.act(PaneAct::Tab(Tab::Hex), 10);
    pane.act(PaneAct::Search("74 77".to_owned()), 10);
    finish(&mut pane);
    assert_eq!(pane.found, Some(4..6));
}

#[test]
fn ten_megabytes_open_and_scroll_without_a_string_a_row() {
    let mut bytes = b"[".to_vec();
    while bytes.len() < 10_000_000 {
        bytes.extend_from_slice(br#"{"k":"some text of a few words","n":12345.678,"l":[1,2,3,true,null]},"#);
    }
    bytes.pop();
    bytes.push(b']');
    let mut pane = pane(&bytes, Tab::Json);
    let begun = Instant::now();
    for tab in Tab::ALL {
        pane.act(PaneAct::Tab(tab), 10);
        for act in [PaneAct::Bottom, PaneAct::PageUp, PaneAct::Up(7), PaneAct::Top, PaneAct::PageDown] {
            pane.act(act, 10);
        }
    }
    // Far above what it takes; a pass over all rows at each action would be more.
    assert!(begun.elapsed() < Duration::from_secs(10), "{:?}", begun.elapsed());
}

#[test]
fn a_record_read_again_with_less_in_it_keeps_its_view_inside() {
    let long: String = (0..1000).map(|n| format!("line {n}\n")).collect();
    let mut pane = pane(long.as_bytes(), Tab::Text);
    pane.act(PaneAct::Bottom, 10);
    let path = pane.open().unwrap().path.clone();
    pane.loading(path, Place::WHOLE);
    pane.loaded(Loaded::Open(sample::open(&sample::receipt(b"short", |text| text))));
    let open = pane.open().cloned().unwrap();
    assert_eq!(pane.text_view(&open).2, 0);
}
