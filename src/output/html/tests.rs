use super::*;
use crate::aer1::report::{Class, Fault, Part, Place};

fn page(reports: &[Report], made: Option<Moment>) -> String {
    let (mut html, mut tally) = (Html::default(), Tally::default());
    for report in reports {
        tally.add(report.headline);
        html.record(Path::new("<p>\x1b.json"), report, &[Note::CopyOf("<n>".into())]);
    }
    html.chain(
        "<f>",
        "<v>",
        false,
        &[Attempt {
            at: "<at>".into(),
            headline: Headline::Verified,
            created_at: "<t>".into(),
            status: "<s>".into(),
            provenance: "<c>".into(),
            delay: Some(1.5),
            same_bytes: Some(1),
        }],
    );
    let mut out = Vec::new();
    html.finish(&mut out, &tally, made).unwrap();
    String::from_utf8(out).unwrap()
}

fn hostile() -> Report {
    let evil = || Some("\"><script>alert(1)</script>\u{202e}".to_owned());
    let mut report =
        Report::of_fault(Place::WHOLE, Fault::of(Class::DigestMismatch, evil().unwrap()).found(evil().unwrap()));
    report.kind = Kind::Published;
    (report.id, report.version, report.tool, report.created_at) = (evil(), evil(), evil(), evil());
    (report.provenance, report.status, report.bytes.declared) = (evil(), evil(), evil());
    report.structure = Some(Box::new(Structure {
        parts: vec![Part {
            id: evil().unwrap(),
            seq: evil().unwrap(),
            tool: evil(),
            provenance: evil(),
            status: evil(),
            time: evil(),
            output_hash: evil(),
            digest: None,
            prev_digest: None,
            holds: false,
        }],
        declared_root: evil(),
        ..Structure::default()
    }));
    report
}

#[test]
fn nothing_foreign_is_markup() {
    let page = page(&[hostile()], None);
    for tag in ["<script", "<p>\\x1b", "<n>", "<f>", "<v>", "<at>", "<t>", "<s>", "<c>"] {
        assert!(!page.contains(tag), "{tag}");
    }
    assert!(!page.chars().any(|c| c != '\n' && text::is_special(c)));
    assert!(page.contains("&lt;script&gt;"));
}

#[test]
fn the_page_needs_nothing_else() {
    let page = page(&[hostile()], None);
    for outside in ["http://", "https://", "src=", "href=", "@import", "url("] {
        assert!(!page.contains(outside), "{outside}");
    }
}

#[test]
fn failing_comes_first_and_differences_are_marked() {
    let good = Report::empty(Place::WHOLE, Kind::Published, Headline::Verified);
    let mut bad = hostile();
    bad.bytes.declared = Some(format!("sha256:{}cd", "ab".repeat(31)));
    bad.bytes.recomputed = Some([0xab; 32]);
    let page = page(&[good, bad], Some(Moment { secs: 0, nanos: 0 }));
    let at = |needle: &str| page.find(needle).unwrap_or_else(|| panic!("{needle} is not there"));
    assert!(at("<article class=\"mismatch\">") < at("<article class=\"verified\">"));
    assert!(page.contains("<mark>cd</mark>") && page.contains("<mark>ab</mark>"));
    assert!(page.contains("on 1970-01-01T00:00:00.000Z"));
    assert!(page.contains("<span class=\"delay\">1.500 s later</span>"));
}

#[test]
fn a_page_stays_one_that_a_browser_can_show() {
    let (mut html, mut tally) = (Html::default(), Tally::default());
    let report = Report::empty(Place::WHOLE, Kind::Published, Headline::Verified);
    let failing = Report::empty(Place::WHOLE, Kind::Published, Headline::Mismatch);
    let (all, left) = (WHOLE + BRIEF + 5, 5);
    for n in 0..all {
        tally.add(report.headline);
        html.record(Path::new(&format!("v/{n}.json")), &report, &[]);
    }
    tally.add(failing.headline);
    html.record(Path::new("last.json"), &failing, &[]);
    let mut out = Vec::new();
    html.finish(&mut out, &tally, None).unwrap();
    let page = String::from_utf8(out).unwrap();
    assert_eq!(page.matches("<article class=\"verified\">").count(), WHOLE);
    assert_eq!(page.matches("<tr><td><code>v/").count(), BRIEF);
    assert!(page.contains(&format!("And {left} more, which this page counts and does not list.")));
    assert!(page.contains(&format!("<strong>{all}</strong>")), "the totals count them");
    assert!(page.find("last.json").unwrap() < page.find("v/0.json").unwrap(), "failing first, wherever it came");
}
