use super::*;
use crate::aer1::report::{Class, Fault, Kind, Place};

fn block(report: &Report, notes: &[Note]) -> String {
    let mut out = Vec::new();
    write(&mut out, Paint::default(), Path::new("in/b\x1b.json"), report, notes).unwrap();
    String::from_utf8(out).unwrap()
}

fn mismatch() -> Report {
    let mut r = Report::empty(Place::line(3), Kind::Published, Headline::Mismatch);
    r.class = Some(Class::DigestMismatch);
    r.faults.push(Fault::of(Class::IdNil, "id").found("00000000-0000-0000-0000-000000000000"));
    r.faults.push(Fault::new(Class::DigestMismatch));
    r.id = Some("c0ffee12-7a10-4c7b-9d2e-0b7a5f3c9a11".into());
    r.version = Some("0.3".into());
    r.provenance = Some("OBSERVED VIA GATEWAY".into());
    r.bytes.state = BytesState::Mismatch;
    r.bytes.declared = Some(format!("sha256:{}cd", "ab".repeat(31)));
    r.bytes.recomputed = Some([0xab; 32]);
    r
}

#[test]
fn a_failing_record_shows_reason_and_both_hashes() {
    let shown = block(&mismatch(), &[Note::CopyOf("x\u{202e}".into())]);
    let expected = format!(
        "✗ mismatch    in/b\\x1b.json:3  digest_mismatch\n\
         {INDENT}the bytes are not the bytes the record commits to\n\
         {INDENT}also id_nil: the id is the nil UUID: \"00000000-0000-0000-0000-000000000000\"\n\
         {INDENT}id c0ffee12-7a10-4c7b-9d2e-0b7a5f3c9a11 · version 0.3 · OBSERVED VIA GATEWAY\n\
         {INDENT}declared    sha256:{ab}cd\n\
         {INDENT}recomputed  sha256:{ab}ab\n\
         {INDENT}                   {pad}^ first difference at hex digit 62\n\
         {INDENT}note: a copy: the same id and the same bytes stand in x\\u{{202e}}\n",
        ab = "ab".repeat(31),
        pad = " ".repeat(62),
    );
    assert_eq!(shown, expected);
}

#[test]
fn a_verified_record_shows_identity_and_one_hash() {
    let mut r = mismatch();
    r.headline = Headline::Verified;
    r.class = None;
    r.faults.clear();
    r.bytes.state = BytesState::Match;
    r.bytes.declared = Some(format!("sha256:{}", "ab".repeat(32)));
    let shown = block(&r, &[]);
    assert!(shown.starts_with("✓ verified    in/b\\x1b.json:3\n"), "{shown}");
    assert_eq!(shown.matches(&"ab".repeat(32)).count(), 1, "{shown}");
    assert_eq!(shown.lines().count(), 3, "{shown}");
}

#[test]
fn colour_is_only_around_the_verdict() {
    let paint = Paint { colour: true, ascii: true };
    assert_eq!(paint.verdict(Headline::Verified), "\x1b[32m+ verified\x1b[0m");
    for headline in Headline::ALL {
        let green = paint.verdict(*headline).contains("[32m");
        assert_eq!(green, headline.is_green(), "{headline:?}");
        assert!(!Paint::default().verdict(*headline).contains('\x1b'));
    }
}

#[test]
fn differences_are_counted_in_hex_digits() {
    let a = format!("sha256:{}", "0".repeat(64));
    let b = format!("sha256:{}1{}", "0".repeat(9), "0".repeat(54));
    assert_eq!(first_difference(&a, &b), Some(9));
    assert_eq!(first_difference(&a, &a), None);
    assert_eq!(first_difference("md5:00", &a), None);
}

#[test]
fn totals_name_what_is_there() {
    let mut tally = Tally::default();
    assert_eq!(totals_line(&tally), "no record");
    for headline in [Headline::Verified, Headline::Verified, Headline::Unavailable, Headline::NotReceipt] {
        tally.add(headline);
    }
    assert_eq!(totals_line(&tally), "3 records: 2 verified, 1 unchecked · 1 other file or record, not counted");
}
