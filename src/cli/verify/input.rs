//! From paths to records, in order.

use std::io::{self, BufRead, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use aerscope::aer1::report::{Class, Fault, Note, Place, Report};
use aerscope::aer1::verify::{Options, Reading, Verifier, reading};
use aerscope::config::Limits;

use super::is_stdin;
use crate::cli::{Refusal, tell};

/// What is to be read.
pub struct Inputs {
    /// Files in order, each once; `-` is standard input.
    pub files: Vec<Arc<Path>>,
    /// The folders that were named.
    pub folders: Vec<PathBuf>,
    /// Files of those folders left out because of their names.
    pub left_out: u64,
}

/// Finds the files: named ones as they are, those of a folder by their names.
///
/// # Errors
/// When a named path does not exist.
pub fn expand(named: &[PathBuf], listed: Vec<PathBuf>, all: bool) -> Result<Inputs, Refusal> {
    let mut inputs = Inputs { files: Vec::new(), folders: Vec::new(), left_out: 0 };
    for path in named {
        if is_stdin(path) {
            inputs.files.push(Arc::from(path.as_path()));
            continue;
        }
        match std::fs::metadata(path) {
            Ok(meta) if meta.is_dir() => {
                inputs.folders.push(path.clone());
                for entry in std::fs::read_dir(path).into_iter().flatten().flatten() {
                    let path = entry.path();
                    let take = all || path.extension().is_some_and(|e| e == "json" || e == "jsonl" || e == "ndjson");
                    if take { inputs.files.push(Arc::from(path)) } else { inputs.left_out += 1 }
                }
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound && std::fs::symlink_metadata(path).is_err() => {
                return Err(missing(path));
            }
            _ => inputs.files.push(Arc::from(path.as_path())),
        }
    }
    inputs.files.extend(listed.into_iter().map(Arc::from));
    inputs.files.sort();
    inputs.files.dedup();
    Ok(inputs)
}

/// Says how many files were left out because of their names.
pub fn tell_left_out(inputs: &Inputs) {
    match inputs.left_out {
        0 => {}
        1 => tell("1 file left out because of its name; --all takes it"),
        n => tell(&format!("{n} files left out because of their names; --all takes them")),
    }
}

/// Reads and verifies every file, in order.
pub fn each(files: &[Arc<Path>], options: &Options, limits: &Limits, found: &mut dyn FnMut(&Arc<Path>, Report)) {
    let mut verifier = Verifier::new(options.clone());
    for path in files {
        if is_stdin(path) {
            text_of(io::stdin().lock(), &mut verifier, limits, &mut |report| found(path, report));
            continue;
        }
        match std::fs::read(path) {
            Ok(bytes) => verifier.text(&bytes, &mut |report| found(path, report)),
            Err(error) => found(path, io_report(&error)),
        }
    }
}

fn io_report(error: &io::Error) -> Report {
    Report::of_fault(Place::WHOLE, Fault::new(Class::IoError).found(crate::cli::refuse::plain_io(error)))
}

/// Reads a stream like a file: one text, or line by line when it is line-wise, with one line in memory.
fn text_of(mut input: impl BufRead, verifier: &mut Verifier, limits: &Limits, found: &mut dyn FnMut(Report)) {
    const STEP: u64 = 1 << 16;
    let mut head = Vec::new();
    let lines = loop {
        let before = head.len();
        if let Err(error) = input.by_ref().take(STEP).read_to_end(&mut head) {
            return found(io_report(&error));
        }
        let at_end = head.len() == before;
        match reading(&head, at_end) {
            Reading::Lines => break true,
            Reading::Unknown if !at_end && head.len() as u64 <= limits.max_size => {}
            _ => break false,
        }
    };
    if lines {
        let mut line = 0u32;
        let ended = each_line(io::Cursor::new(head).chain(input), limits.max_size, &mut |text| {
            line = line.saturating_add(1);
            match text {
                Ok(text) => verifier.line(line, text, found),
                Err(TooLong) => found(too_large(Place::line(line), limits.max_size)),
            }
        });
        if let Err(error) = ended {
            found(io_report(&error));
        }
        return;
    }
    match input.take(limits.max_size.saturating_add(1)).read_to_end(&mut head) {
        Err(error) => found(io_report(&error)),
        Ok(_) if head.len() as u64 > limits.max_size => found(too_large(Place::WHOLE, limits.max_size)),
        Ok(_) => verifier.text(&head, found),
    }
}

fn too_large(place: Place, limit: u64) -> Report {
    Report::of_fault(place, Fault::new(Class::TooLarge).expected(format!("at most {limit} bytes")))
}

/// A line over the limit.
struct TooLong;

/// Hands over each line without its line feed; memory holds one of them at a time, and never more than the limit.
fn each_line(mut input: impl BufRead, limit: u64, line: &mut dyn FnMut(Result<&[u8], TooLong>)) -> io::Result<()> {
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    let mut held: Vec<u8> = Vec::new();
    let mut over = false;
    loop {
        let available = match input.fill_buf() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            other => other?,
        };
        let at_end = available.is_empty();
        let end = memchr::memchr(b'\n', available);
        let taken = available.get(..end.unwrap_or(available.len())).unwrap_or_default();
        over |= held.len().saturating_add(taken.len()) > limit;
        if over {
            held.clear();
        } else {
            held.extend_from_slice(taken);
        }
        let used = taken.len().saturating_add(usize::from(end.is_some()));
        input.consume(used);
        if end.is_some() || (at_end && (over || !held.is_empty())) {
            line(if over { Err(TooLong) } else { Ok(&held) });
            held.clear();
            over = false;
        }
        if at_end {
            return Ok(());
        }
    }
}

/// Compares the findings of one record with those of all others.
pub fn with_folder_findings(
    inputs: &Inputs,
    options: &Options,
    limits: &Limits,
    found: &mut dyn FnMut(&Arc<Path>, &Report, &[Note]),
) {
    each(&inputs.files, options, limits, &mut |path, report| found(path, &report, &[]));
}

/// Reads a whole file, or standard input. What exists and cannot be read is a report.
///
/// # Errors
/// When the path does not exist.
pub fn whole(path: &Path, limits: &Limits) -> Result<Result<Vec<u8>, Report>, Refusal> {
    let mut bytes = Vec::new();
    let limit = limits.max_size.saturating_add(1);
    let read = match is_stdin(path) {
        true => io::stdin().lock().take(limit).read_to_end(&mut bytes),
        false => std::fs::File::open(path).and_then(|f| f.take(limit).read_to_end(&mut bytes)),
    };
    match read {
        Ok(_) if bytes.len() as u64 > limits.max_size => Ok(Err(too_large(Place::WHOLE, limits.max_size))),
        Ok(_) => Ok(Ok(bytes)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Err(missing(path)),
        Err(error) => Ok(Err(io_report(&error))),
    }
}

fn missing(path: &Path) -> Refusal {
    Refusal::path(path, "there is no such file or folder", "check the name")
}

/// Whether two paths lead to the same file.
pub fn same_inode(a: &Path, b: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    match (std::fs::metadata(a), std::fs::metadata(b)) {
        (Ok(a), Ok(b)) => (a.dev(), a.ino()) == (b.dev(), b.ino()),
        _ => false,
    }
}
