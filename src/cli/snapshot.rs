//! `aerscope snapshot DIR` and `aerscope compare SNAPSHOT DIR`: what a folder held, and what differs later.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, ErrorKind, Read, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use aerscope::aer1::grammar::Moment;
use aerscope::aer1::report::{Headline, hex};
use aerscope::aer1::verify::Options;
use aerscope::config::Limits;
use aerscope::folder::read::{At, Open, Still, stamp_of};
use aerscope::folder::walk::{self, Setup};
use aerscope::make::place::write_new;
use aerscope::make::snapshot::{self, Difference, Entry, Footer, Header};
use aerscope::record::FileRead;
use aerscope::text;
use serde::Serialize;
use sha2::{Digest, Sha256};

use super::emit::not_written;
use super::refuse::plain_io;
use super::values::size;
use super::{Exit, Outcome, Refusal, deliver, tell, written};

const SNAPSHOT_NOTES: &str = "\
One line a record: path (below DIR), record, id, output_hash, file_sha256 and size of the file, headline, class. Keep it \
where those who can edit the folder cannot edit it. aerscope compare finds what was added, removed or edited since, \
whatever size and times say.

Exit status: 0 written, 2 usage error, DIR is no folder, a file changed meanwhile, or it cannot be written.";

const COMPARE_NOTES: &str = "\
added: not in the snapshot. removed: not there any more. rewritten: the file has other content, at this record, or \
somewhere where no record shows it. verdict: the same content has another verdict. A line-wise file that only grew has \
added records and is not rewritten. Records are told apart by path and place.

Exit status: 0 nothing differs, 1 something does, 2 usage error, or the snapshot or the folder cannot be read.";

/// Write down what a folder holds: path, id, hashes and verdict of every record, to be compared later
#[derive(Debug, clap::Args)]
#[command(after_help = SNAPSHOT_NOTES)]
pub struct SnapshotArgs {
    /// The folder
    #[arg(value_name = "DIR")]
    dir: PathBuf,
    /// Write it into this new file, outside of DIR; nothing is overwritten. Otherwise it goes to standard output
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Take every file of the folder, whatever its name
    #[arg(long)]
    all: bool,
    /// Largest file, or line of a line-wise file: bytes, or a number with K, M or G
    #[arg(long, value_name = "SIZE", value_parser = size)]
    max_size: Option<u64>,
}

/// Compare a folder with a snapshot of it: what was added, removed, rewritten, or has another verdict
#[derive(Debug, clap::Args)]
#[command(after_help = COMPARE_NOTES)]
pub struct CompareArgs {
    /// The snapshot; `-` is standard input
    #[arg(value_name = "SNAPSHOT")]
    snapshot: PathBuf,
    /// The folder; it is read as it was for the snapshot
    #[arg(value_name = "DIR")]
    dir: PathBuf,
    /// One JSON object a difference: path, record, change, before, after
    #[arg(long, value_enum, value_name = "FORMAT", default_value = "text")]
    format: Format,
    /// Print nothing; the exit status tells
    #[arg(short, long)]
    quiet: bool,
}

/// How differences are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// One line a difference, for people, and the totals
    Text,
    /// One JSON object a line
    Jsonl,
}

/// Writes a snapshot.
pub fn run(args: &SnapshotArgs) -> Outcome {
    let limits = Limits::default();
    let header = Header { snapshot: 1, all: args.all, max_size: args.max_size.unwrap_or(limits.max_size) };
    if let Some(out) = &args.out {
        keeps_out(&args.dir, out)?;
    }
    let entries = take(&args.dir, header, false)?;
    let mut text = Vec::new();
    // Writing into memory does not fail.
    let _ = snapshot::write_line(&mut text, &header);
    let mut footer = Footer::default();
    let mut last = None;
    for entry in &entries {
        let path = entry.path();
        footer.files += u64::from(last.as_ref() != Some(&path));
        footer.records += 1;
        last = Some(path);
        let _ = snapshot::write_line(&mut text, entry);
    }
    let _ = snapshot::write_line(&mut text, &footer);
    match &args.out {
        Some(path) => write_new(path, &text).map_err(|error| not_written(path, &error))?,
        None => deliver(&text, "the snapshot is not whole")?,
    }
    let unreadable = entries.iter().filter(|e| e.headline == Headline::Unreadable.as_str()).count();
    if unreadable > 0 {
        tell(&format!("{unreadable} that cannot be read stand in it without a hash"));
    }
    tell(&format!(
        "{} in {}; the snapshot's own SHA-256 is {}",
        counted(footer.records, "record"),
        counted(footer.files, "file"),
        hex(&Sha256::digest(&text))
    ));
    Ok(Exit::Good)
}

/// `1 file`, `2 files`.
fn counted(n: u64, noun: &str) -> String {
    if n == 1 { format!("1 {noun}") } else { format!("{n} {noun}s") }
}

/// A snapshot in its own folder would be the first thing that was added, and is within reach of whoever edits there.
fn keeps_out(dir: &Path, out: &Path) -> Result<(), Refusal> {
    let folder = out.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if let (Ok(dir), Ok(folder)) = (dir.canonicalize(), folder.canonicalize())
        && folder.starts_with(dir)
    {
        return Err(Refusal::path(out, "it is inside the folder it is about", "keep it elsewhere"));
    }
    Ok(())
}

/// Reads a folder: every record, and the hash of its file. Unless `quiet`, says what was left out.
fn take(dir: &Path, header: Header, quiet: bool) -> Result<Vec<Entry>, Refusal> {
    let next = "name a folder that is there";
    let meta = std::fs::metadata(dir).map_err(|error| Refusal::io(dir, &error, next))?;
    if !meta.is_dir() {
        return Err(Refusal::path(dir, "it is no folder", "name one"));
    }
    std::fs::read_dir(dir).map_err(|error| Refusal::io(dir, &error, "name a folder that can be listed"))?;
    let limits = Limits { max_size: header.max_size, ..Limits::default() };
    let options =
        Options { now: Some(Moment::of(SystemTime::now())), max_depth: limits.max_depth, ..Options::default() };
    let setup = Setup { options, limits, all: header.all, since: None, workers: 0 };
    let mut entries: Vec<Entry> = Vec::new();
    let mut trouble = None;
    // Where the entries of the file under way begin.
    let mut start = 0;
    let mut new_file = true;
    let output = rustix::fs::fstat(io::stdout()).ok().map(|stat| stamp_of(&stat));
    let taken = walk::verify_paths(&[dir.to_owned()], &setup, &mut |read: FileRead| {
        if new_file {
            start = entries.len();
        }
        if output.is_some_and(|out| (out.dev, out.ino) == (read.stamp.dev, read.stamp.ino)) {
            let next = "send it to a place outside of the folder";
            trouble = Some(Refusal::path(&read.path, "it is where the output goes", next));
            return ControlFlow::Break(());
        }
        if read.fresh {
            entries.truncate(start);
        }
        new_file = read.done;
        let path = read.path.strip_prefix(dir).unwrap_or(&read.path);
        entries.extend(read.records.iter().map(|report| Entry::new(path, report, read.stamp.size)));
        let readable = read.records.iter().any(|r| r.headline != Headline::Unreadable) || read.stamp.size > 0;
        if read.done && readable {
            match hash(&read) {
                Ok(hash) => {
                    for entry in entries.iter_mut().skip(start) {
                        entry.file_sha256.clone_from(&hash);
                        entry.size = read.stamp.size;
                    }
                }
                Err(refusal) => {
                    trouble = Some(refusal);
                    return ControlFlow::Break(());
                }
            }
        }
        ControlFlow::Continue(())
    });
    let summary =
        taken.map_err(|error| Refusal::new(format!("no thread can be started: {}; run it again", plain_io(&error))))?;
    if !quiet && trouble.is_none() {
        super::verify::input::tell_left_out(&summary);
    }
    match trouble {
        Some(refusal) => Err(refusal),
        None => Ok(entries),
    }
}

/// SHA-256 of the very file that was verified; `None` when it cannot be read.
///
/// # Errors
/// When it is not that file any more: verdict and hash would be of two contents.
fn hash(read: &FileRead) -> Result<Option<String>, Refusal> {
    let moved = || Refusal::path(&read.path, "it changed meanwhile", "run it again when nothing is written there");
    let Ok(open) = Open::at(At::path(&read.path)) else {
        return match std::fs::symlink_metadata(&read.path) {
            // It could not be read before either.
            Ok(_) => Ok(None),
            Err(_) => Err(moved()),
        };
    };
    let unread = read.records.iter().all(|r| r.headline == Headline::Unreadable);
    if open.stamp != read.stamp && !unread {
        return Err(moved());
    }
    let Ok(digest) = digest(&open, u64::MAX) else { return Ok(None) };
    match open.still() {
        Still::Same => Ok(Some(digest)),
        _ => Err(moved()),
    }
}

/// SHA-256 of the first `size` bytes of a file, or all of it when it is shorter.
fn digest(open: &Open, size: u64) -> io::Result<String> {
    let mut input = File::from(open.fd().try_clone_to_owned()?).take(size);
    let mut sha = Sha256::new();
    let mut buffer = vec![0; 1 << 16];
    loop {
        match input.read(&mut buffer) {
            Ok(0) => return Ok(hex(&sha.finalize())),
            Ok(n) => sha.update(buffer.get(..n).unwrap_or_default()),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

/// Compares.
pub fn compare(args: &CompareArgs) -> Outcome {
    let wrong = |error: &snapshot::Unread| match error {
        snapshot::Unread::Io(error) => Refusal::io(&args.snapshot, error, "name a readable snapshot"),
        other => Refusal::path(&args.snapshot, &text::shown_display(other), "name one that aerscope snapshot wrote"),
    };
    let read = if args.snapshot.as_os_str() == "-" {
        snapshot::read(io::stdin().lock())
    } else {
        File::open(&args.snapshot).map_err(snapshot::Unread::Io).and_then(|file| snapshot::read(BufReader::new(file)))
    };
    let (header, before) = read.map_err(|error| wrong(&error))?;
    let after = take(&args.dir, header, args.quiet)?;
    let mut begins = |path: &Path, size: u64, sha: &str| {
        let path = args.dir.join(path);
        Open::at(At::path(&path)).is_ok_and(|open| digest(&open, size).is_ok_and(|own| own == sha))
    };
    let found = snapshot::compare(&before, &after, &mut begins);
    if !args.quiet {
        let mut out = BufWriter::new(io::stdout().lock());
        let ended = match args.format {
            Format::Text => write_text(&mut out, &found, before.len()),
            Format::Jsonl => found.iter().try_for_each(|d| snapshot::write_line(&mut out, &Line::of(d))),
        }
        .and_then(|()| out.flush());
        // What is left in the buffer has nowhere to go. A closed pipe is no error: the exit status is that of the
        // comparison.
        let _ = out.into_parts();
        written(ended)?;
    }
    Ok(if found.is_empty() { Exit::Good } else { Exit::Failing })
}

/// One difference for machines.
#[derive(Serialize)]
struct Line<'a> {
    path: String,
    record: Option<&'a str>,
    change: &'static str,
    before: Option<&'a Entry>,
    after: Option<&'a Entry>,
}

impl<'a> Line<'a> {
    fn of(difference: &Difference<'a>) -> Line<'a> {
        let entry = difference.after.or(difference.before);
        Line {
            path: entry.map(|e| e.path().to_string_lossy().into_owned()).unwrap_or_default(),
            record: entry.filter(|_| !difference.whole_file).and_then(|e| e.record.as_deref()),
            change: difference.change.as_str(),
            before: difference.before,
            after: difference.after,
        }
    }
}

fn write_text(out: &mut impl Write, found: &[Difference<'_>], records: usize) -> io::Result<()> {
    for difference in found {
        let Some(entry) = difference.after.or(difference.before) else { continue };
        let place = entry.record.as_deref().filter(|_| !difference.whole_file).unwrap_or_default();
        let at = format!("{}{}", text::shown_path(&entry.path()), text::shown(place));
        writeln!(out, "{:<9}  {at}  {}", difference.change.as_str(), text::shown(&what(difference)))?;
    }
    let count = |change| found.iter().filter(|d| d.change == change).count();
    writeln!(
        out,
        "{} added, {} removed, {} rewritten, {} with another verdict; {records} records in the snapshot",
        count(snapshot::Change::Added),
        count(snapshot::Change::Removed),
        count(snapshot::Change::Rewritten),
        count(snapshot::Change::Verdict),
    )
}

/// What is worth saying of a difference besides its name and place. Raw.
fn what(difference: &Difference<'_>) -> String {
    let (before, after) = match (difference.before, difference.after) {
        (Some(before), Some(after)) => (before, after),
        (Some(one), None) | (None, Some(one)) => return one.verdict(),
        (None, None) => return String::new(),
    };
    if difference.whole_file {
        return match (&before.file_sha256, &after.file_sha256) {
            (Some(_), Some(_)) => "other content; its records show the same ids, hashes and verdicts".to_owned(),
            _ => "its content could not be read, then or now".to_owned(),
        };
    }
    let mut said = Vec::new();
    if before.verdict() == after.verdict() {
        said.push(format!("still {}", after.verdict()));
    } else {
        said.push(format!("{} → {}", before.verdict(), after.verdict()));
    }
    for (name, before, after) in
        [("id", &before.id, &after.id), ("output_hash", &before.output_hash, &after.output_hash)]
    {
        if before != after {
            let or_none = |value: &Option<String>| value.clone().unwrap_or_else(|| "none".to_owned());
            said.push(format!("{name} {} → {}", or_none(before), or_none(after)));
        }
    }
    said.join(", ")
}
