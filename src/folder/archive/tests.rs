use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::time::{Duration, SystemTime};

use flate2::Compression;
use flate2::write::GzEncoder;
use ruzstd::encoding::{CompressionLevel, compress_to_vec};

use super::*;
use crate::aer1::report::{Headline, Place, Report};
use crate::aer1::verify::Options;
use crate::folder::file::{Ask, Ending, FileVerifier, Part};
use crate::folder::read::{At, Outcome, Refused, read_file};

const GOOD: &str = include_str!("../../../vectors/published.json");

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn zstd(bytes: &[u8]) -> Vec<u8> {
    compress_to_vec(bytes, CompressionLevel::Fastest)
}

fn line() -> String {
    let mut compact = GOOD.trim().replace('\n', " ");
    compact.push('\n');
    compact
}

/// Writes a file that is old enough to be judged.
fn old(path: &Path, bytes: &[u8]) {
    fs::write(path, bytes).unwrap();
    let file = fs::File::options().write(true).open(path).unwrap();
    file.set_modified(SystemTime::now() - Duration::from_secs(60)).unwrap();
}

fn look(path: &Path, max_size: u64, ask: Ask<'_>) -> (Ending, Vec<Report>) {
    let mut verifier = FileVerifier::new(Options::default(), max_size);
    let mut records = Vec::new();
    let mut ending = verifier.verify(At::path(path), ask, &mut |part: Part| {
        records.extend(part.records);
        true
    });
    if let Ending::Read(read) = &mut ending {
        records.append(&mut read.part.records);
    }
    (ending, records)
}

fn found(path: &Path, max_size: u64) -> Vec<(Place, Headline, Option<Class>, String)> {
    // Just written, and nobody writes on.
    let (ending, records) = look(path, max_size, Ask { final_look: true, ..Ask::default() });
    assert!(matches!(ending, Ending::Read(_)));
    let why = |r: &Report| r.faults.first().and_then(|f| f.found.clone()).unwrap_or_default();
    records.iter().map(|r| (r.place, r.headline, r.class, why(r))).collect()
}

#[test]
fn suffixes_tell() {
    assert_eq!(Coding::split(b"a.json.gz"), (&b"a.json"[..], Some(Coding::Gzip)));
    assert_eq!(Coding::split(b"a.jsonl.ZST"), (&b"a.jsonl"[..], Some(Coding::Zstd)));
    assert_eq!(Coding::split(b"gz"), (&b"gz"[..], None));
    assert_eq!(Coding::split(b"a.json"), (&b"a.json"[..], None));
}

#[test]
fn an_archive_says_what_its_content_says() {
    let dir = tempfile::tempdir().unwrap();
    let whole = [(Place::WHOLE, Headline::Verified, None, String::new())];
    for (name, bytes) in [("a.json.gz", gzip(GOOD.as_bytes())), ("a.json.zst", zstd(GOOD.as_bytes()))] {
        let path = dir.path().join(name);
        old(&path, &bytes);
        assert_eq!(found(&path, 1 << 20), whole, "{name}");
        let mut decoded = Vec::new();
        assert!(matches!(read_file(At::path(&path), 1 << 20, &mut decoded), Outcome::Read(_)));
        assert_eq!(decoded, GOOD.as_bytes(), "{name}");
    }
}

#[test]
fn lines_stream_through_every_member_and_frame() {
    let dir = tempfile::tempdir().unwrap();
    let many = line().repeat(700);
    for (name, bytes) in [
        ("a.jsonl.gz", [gzip(many.as_bytes()), gzip(line().as_bytes())].concat()),
        (
            "a.jsonl.zst",
            // With a frame that is to be skipped in between.
            [zstd(many.as_bytes()), b"\x50\x2a\x4d\x18\x03\0\0\0abc".to_vec(), zstd(line().as_bytes())].concat(),
        ),
    ] {
        let path = dir.path().join(name);
        old(&path, &bytes);
        let found = found(&path, 1 << 20);
        assert_eq!(found.len(), 701, "{name}");
        for (number, (place, headline, ..)) in (1..).zip(&found) {
            assert_eq!((*place, *headline), (Place::line(number), Headline::Verified), "{name}");
        }
    }
}

#[test]
fn what_ends_too_early_or_is_damaged_could_not_be_read() {
    let dir = tempfile::tempdir().unwrap();
    for (name, whole, what) in
        [("a.json.gz", gzip(GOOD.as_bytes()), "gzip"), ("a.json.zst", zstd(GOOD.as_bytes()), "Zstandard")]
    {
        let path = dir.path().join(name);
        old(&path, &whole[..whole.len() - 6]);
        let early = format!("its {what} data ends too early");
        let expected = [(Place::WHOLE, Headline::Unreadable, Some(Class::IoError), early)];
        assert_eq!(found(&path, 1 << 20), expected);
        let mut other = whole.clone();
        // The checksum, or the content of a frame without one.
        let at = if what == "gzip" { whole.len() - 7 } else { 1 };
        other[at] ^= 0x55;
        old(&path, &other);
        let damaged = format!("its {what} data is damaged");
        assert_eq!(found(&path, 1 << 20), [(Place::WHOLE, Headline::Unreadable, Some(Class::IoError), damaged)]);
        let mut decoded = Vec::new();
        let refused = read_file(At::path(&path), 1 << 20, &mut decoded);
        assert!(matches!(refused, Outcome::Refused(Refused::Failed(f)) if f.class == Class::IoError));
    }
}

#[test]
fn a_young_archive_that_ends_too_early_is_being_written() {
    let dir = tempfile::tempdir().unwrap();
    let whole = gzip(line().repeat(40).as_bytes());
    for (name, bytes) in [("a.jsonl.gz", &whole[..whole.len() - 3]), ("b.json.gz", &whole[..40])] {
        let path = dir.path().join(name);
        fs::write(&path, bytes).unwrap();
        let (ending, _) = look(&path, 1 << 20, Ask::default());
        assert!(matches!(ending, Ending::Writing { cut: true, .. }), "{name}");
        assert_eq!(read_file(At::path(&path), 1 << 20, &mut Vec::new()), Outcome::Moving, "{name}");
        let (ending, records) = look(&path, 1 << 20, Ask { final_look: true, ..Ask::default() });
        assert!(matches!(ending, Ending::Read(_)), "{name}");
        assert_eq!(records.last().unwrap().class, Some(Class::IoError), "{name}");
    }
}

#[test]
fn lines_before_a_break_are_judged() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.jsonl.gz");
    let second = gzip(line().as_bytes());
    old(&path, &[gzip(line().repeat(2).as_bytes()), second[..second.len() - 4].to_vec()].concat());
    let found = found(&path, 1 << 20);
    let short: Vec<_> = found.iter().map(|(place, headline, class, _)| (*place, *headline, *class)).collect();
    assert_eq!(short[..2], [1, 2].map(|n| (Place::line(n), Headline::Verified, None)));
    assert_eq!(found.last().unwrap().3, "its gzip data ends too early");
    assert_eq!(short.last().unwrap().2, Some(Class::IoError));
}

#[test]
fn a_bomb_stops_at_the_limit() {
    let dir = tempfile::tempdir().unwrap();
    let limit = 64 << 10;
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    // An array, so that it is one text.
    encoder.write_all(b"[").unwrap();
    for _ in 0..256 {
        encoder.write_all(&[b' '; 1 << 16]).unwrap();
    }
    let path = dir.path().join("a.json.gz");
    old(&path, &encoder.finish().unwrap());
    let what = format!("more than {limit} bytes when decoded");
    assert_eq!(found(&path, limit), [(Place::WHOLE, Headline::Unreadable, Some(Class::TooLarge), what)]);
    let mut verifier = FileVerifier::new(Options::default(), limit);
    verifier.verify(At::path(&path), Ask::default(), &mut |_| true);
    assert!(verifier.buffer.capacity() < 1 << 20, "{}", verifier.buffer.capacity());
    let mut decoded = Vec::new();
    assert!(
        matches!(read_file(At::path(&path), limit, &mut decoded), Outcome::Refused(Refused::Failed(f)) if f.class == Class::TooLarge)
    );
    assert_eq!(decoded.len() as u64, limit + 1);
}

#[test]
fn a_line_over_the_limit_keeps_its_number() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.jsonl.zst");
    let text = [line().as_bytes(), &[b'x'; 1 << 20], b"\n", line().as_bytes()].concat();
    old(&path, &zstd(&text));
    let found = found(&path, 64 << 10);
    let short: Vec<_> = found.iter().map(|(place, headline, class, _)| (place.line, *headline, *class)).collect();
    let large = (2, Headline::Unreadable, Some(Class::TooLarge));
    assert_eq!(short, [(1, Headline::Verified, None), large, (3, Headline::Verified, None)]);
}

#[test]
fn a_window_beyond_the_limit_is_refused() {
    // Descriptor: no single segment; window descriptor: 2^(10+17) bytes.
    let frame = [0x28, 0xb5, 0x2f, 0xfd, 0, 17 << 3, 1, 0, 0];
    let error = Decoder::new(Coding::Zstd, &frame[..]).fill(&mut Vec::new(), 10).unwrap_err();
    let fault = fault(&error);
    assert_eq!(
        (fault.class, fault.found.as_deref()),
        (Class::TooLarge, Some("it wants 134217728 bytes of memory to be decoded"))
    );
}

#[test]
fn an_empty_file_is_empty_whatever_its_name() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.json.gz");
    old(&path, b"");
    assert_eq!(found(&path, 1 << 20)[0].2, Some(Class::EmptyFile));
}
