//! `aerscope show FILE`: one record as text.

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use aerscope::aer1::grammar::Moment;
use aerscope::aer1::report::Place;
use aerscope::aer1::verify::{Opened, Options, Verifier};
use aerscope::config::Limits;
use aerscope::output::full;
use aerscope::output::plain::Paint;
use aerscope::output::tally::Tally;
use aerscope::text;

use super::values::size;
use super::verify::{colour, exit_of, input};
use super::{Outcome, Refusal, written};

/// Show one record as text: findings, checks, hashes, coverage, claims, notes and decoded bytes
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The file; `-` is standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Which record of the file: `#3` (array element, from 0), `:12` (line, from 1) or `:12#0`
    #[arg(long, value_name = "PLACE", value_parser = place)]
    record: Option<Place>,
    /// Largest file: bytes, or a number with K, M or G
    #[arg(long, value_name = "SIZE", value_parser = size)]
    max_size: Option<u64>,
}

/// Reads a place in a file.
pub fn place(text: &str) -> Result<Place, String> {
    Place::parse(text).ok_or_else(|| "a place is #3, :12 or :12#0".to_owned())
}

/// Shows the record.
pub fn run(args: &Args) -> Outcome {
    let limits = Limits::default();
    let limits = Limits { max_size: args.max_size.unwrap_or(limits.max_size), ..limits };
    if args.file.is_dir() {
        return Err(Refusal::path(&args.file, "it is a folder", "name a file in it; aerscope verify takes a folder"));
    }
    let opened = match input::whole(&args.file, &limits)? {
        Ok(bytes) => open(&args.file, args.record, &bytes)?,
        // It is there and cannot be read: that is a result, with its reason.
        Err(report) => Opened { report, canonical: None, span: 0..0, members: Vec::new() },
    };
    let mut tally = Tally::default();
    tally.add(opened.report.headline);
    let mut out = BufWriter::new(io::stdout().lock());
    let done =
        full::write(&mut out, Paint { colour: colour(), ascii: false }, &args.file, &opened).and_then(|()| out.flush());
    if done.is_err() {
        // What is left in the buffer has nowhere to go.
        let _ = out.into_parts();
    }
    written(done)?;
    Ok(exit_of(&tally))
}

/// Opens the wanted record, or the only one there is.
///
/// # Errors
/// When there is no such record, or none is wanted and there is not exactly one.
pub fn open(file: &Path, record: Option<Place>, bytes: &[u8]) -> Result<Opened, Refusal> {
    let options = Options { now: Some(Moment::of(SystemTime::now())), canonical_form: true, ..Options::default() };
    let mut verifier = Verifier::new(options);
    if let Some(place) = record {
        return verifier.open(bytes, place).ok_or_else(|| {
            Refusal::path(file, &format!("there is no record at {place}"), "aerscope verify lists its records")
        });
    }
    let mut places = Vec::new();
    verifier.text(bytes, &mut |report| places.push(report.place));
    match places.as_slice() {
        [place] => verifier
            .open(bytes, *place)
            .ok_or_else(|| Refusal::path(file, "it holds no record", "aerscope verify says what it holds")),
        [] => Err(Refusal::path(file, "it holds no record", "name a file with receipts")),
        [first, ..] => Err(Refusal::new(format!(
            "{}: it holds {} records; name one with --record, such as --record '{first}'",
            text::shown_path(file),
            places.len()
        ))),
    }
}
