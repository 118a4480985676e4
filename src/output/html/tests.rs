use super::*;
use crate::aer1::report::{Class, Fault, Part, Place};
use crate::store::{Attempt, RowState};

/// Two attempts whose every text is markup.
fn chain() -> Chain {
    let attempt = |n: u32| Attempt {
        row: n,
        n,
        delay: (n > 1).then_some(1_500_000_000),
        created: Some(Moment { secs: i64::from(n), nanos: n * 250_000_000 }),
        headline: if n > 1 { Headline::Verified } else { Headline::Mismatch },
        state: RowState::Known,
        provenance: "<c>".into(),
        status: "<s>".into(),
        same_bytes: (n > 1).then_some(1),
        same_inputs: (n > 1).then_some(1),
        link: None,
        bound: false,
        points_to: vec!["<t>".into()],
        copies: vec![7; n as usize - 1],
    };
    Chain {
        field: Some("<f>".into()),
        value: Some("<v>".into()),
        bound: false,
        attempts: vec![attempt(1), attempt(2)],
        span: Some(1_250_000_000),
    }
}

fn page(reports: &[Report], made: Option<Moment>) -> String {
    let (mut html, mut tally) = (Html::default(), Tally::default());
    for report in reports {
        tally.add(report.headline);
        html.record(Path::new("<p>\x1b.json"), report, &[Note::CopyOf("<n>".into())]);
    }
    html.chain(&chain(), &["<at>".into(), "<at>".into()]);
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
fn a_chain_says_how_many_attempts_how_it_ended_and_how_long_it_took() {
    let page = page(&[], None);
    let section = page.split_once("<section class=\"chain\">").unwrap().1.split_once("</section>").unwrap().0;
    let outcome = "outcome <strong>&lt;s&gt;</strong>, <span class=\"v verified\">✓ verified</span> · 1.250 s";
    for part in [
        "2 attempts linked by &lt;f&gt; &lt;v&gt;",
        outcome,
        "<strong>1/2</strong> <span class=\"v mismatch\">",
        "<strong>2/2</strong> <span class=\"v verified\">",
        "1970-01-01T00:00:02.500Z · <span class=\"delay\">",
        "the same bytes as attempt 1 · the same inputs as attempt 1 · names &lt;t&gt; · 1 copy",
        "margin-left:0.00%;width:100.00%",
        "margin-left:100.00%;width:0.00%",
    ] {
        assert!(section.contains(part), "{part} in {section}");
    }
    let html = {
        let mut html = Html::default();
        let mut untimed = chain();
        (untimed.field, untimed.value, untimed.span) = (None, None, None);
        untimed.attempts.iter_mut().for_each(|attempt| (attempt.created, attempt.delay) = (None, None));
        untimed.attempts[1].state = RowState::Removed;
        html.chain(&untimed, &[]);
        html.chains.concat()
    };
    assert!(
        html.contains("linked by retry_of or supersedes") && html.contains("∅ removed</span> · without times"),
        "{html}"
    );
    assert!(!html.contains("verified</span>") && !html.contains("class=\"bar\""), "{html}");
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
