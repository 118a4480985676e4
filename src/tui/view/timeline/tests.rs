use super::*;
use crate::aer1::report::{Class, Note, Place};
use crate::tui::detail::sample;
use crate::tui::theme::ThemeName;

const THEME: Theme = Theme::new(ThemeName::Terminal);

fn part(n: usize, holds: bool) -> Part {
    Part {
        id: format!("0b7a5f3c-9a11-4c7b-9d2e-{n:012}"),
        seq: n.to_string(),
        tool: Some("sql.query".to_owned()),
        status: Some("success".to_owned()),
        time: Some(format!("2026-08-01T12:04:{n:02}Z")),
        provenance: Some("LOGGED BY AGENT".to_owned()),
        output_hash: Some("ab".repeat(32)),
        digest: Some("cd".repeat(32)),
        prev_digest: Some("00".repeat(32)),
        holds,
    }
}

fn report(kind: Kind, headline: Headline, class: Option<Class>, broken: Option<usize>) -> Report {
    let mut report = Report::empty(Place::WHOLE, kind, headline);
    report.class = class;
    report.notes = vec![Note::EndNotProven];
    report.structure = Some(Box::new(Structure {
        parts: (1..=5).map(|n| part(n, Some(n) != broken)).collect(),
        declared_root: Some("ab".repeat(32)),
        recomputed_root: Some("cd".repeat(32)),
        group: Some("job-17".to_owned()),
        count: Some(6),
    }));
    report
}

fn drawn(report: &Report, presence: &[Presence], selected: usize, width: u16, height: u16) -> Buffer {
    let area = Rect::new(0, 0, width, height);
    let mut buf = Buffer::empty(area);
    draw(area, &mut buf, report, presence, selected, &THEME, true);
    sample::assert_clean(&buf);
    buf
}

#[test]
fn a_timeline_with_a_broken_link() {
    let report = report(Kind::Chain, Headline::Mismatch, Some(Class::ChainLink), Some(3));
    for (width, height) in [(44, 20), (80, 24), (140, 20)] {
        let name = format!("chain_{width}x{height}");
        insta::assert_snapshot!(name, sample::picture(&drawn(&report, &[], 2, width, height)));
    }
}

#[test]
fn a_workflow_with_and_without_its_receipts() {
    let report = report(Kind::Workflow, Headline::Mismatch, Some(Class::MerkleRootMismatch), None);
    let presence = [
        Presence::Present(Headline::Verified),
        Presence::Missing,
        Presence::Differs,
        Presence::Present(Headline::Mismatch),
        Presence::Unknown,
    ];
    insta::assert_snapshot!(sample::text_of(&drawn(&report, &presence, 0, 160, 20)));
}

#[test]
fn every_size_draws() {
    let mut report = report(Kind::Workflow, Headline::Mismatch, Some(Class::WorkflowCount), Some(1));
    if let Some(structure) = &mut report.structure {
        structure.parts[0].tool = Some("\u{1b}東\u{301}".repeat(40));
        structure.parts[1].seq = "1e400".repeat(20);
        structure.group = Some("\u{202e}".repeat(100));
    }
    for height in 1..20 {
        for width in 1..120 {
            drawn(&report, &[Presence::Missing], usize::from(width), width, height);
        }
    }
    drawn(&Report::empty(Place::WHOLE, Kind::None, Headline::NotReceipt), &[], 0, 80, 24);
}
