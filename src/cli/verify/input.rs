//! From paths to records, in order.

use std::cmp::Ordering;
use std::collections::HashSet;
use std::io::{self, BufRead, Read};
use std::ops::ControlFlow;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use aerscope::aer1::grammar::Moment;
use aerscope::aer1::report::{Class, Fault, Place, Report};
use aerscope::aer1::verify::{Options, Reading, Verifier, reading};
use aerscope::config::Limits;
use aerscope::folder::read::{At, Outcome, Refused, read_file};
use aerscope::folder::walk::{self, Setup};
use aerscope::output::passed::passed;
use aerscope::output::tally::Tally;
use aerscope::record::{FileNo, FileRead};

use super::is_stdin;
use crate::cli::{Refusal, tell};

/// What is to be read.
#[derive(Debug, Default)]
pub struct Inputs {
    /// Files and folders that are there, in the order of their paths, each once.
    pub paths: Vec<PathBuf>,
    /// What is not read from a path, in the same order.
    others: Vec<(PathBuf, Other)>,
    /// Whether a folder is among the paths.
    pub has_folder: bool,
    all: bool,
    /// Say nothing of what is left out.
    quiet: bool,
    /// See [`Setup::since`].
    since: Option<i64>,
}

impl Inputs {
    /// The same, without files of folders that were not modified since.
    pub fn since(self, since: Option<i64>) -> Inputs {
        Inputs { since, ..self }
    }

    /// The same, with nothing said of what is left out.
    pub fn quiet(self, quiet: bool) -> Inputs {
        Inputs { quiet, ..self }
    }
}

/// A source of records that is no readable path.
#[derive(Clone, Copy, Debug)]
enum Other {
    Stdin,
    /// A listed path, or a link, that leads nowhere.
    Nowhere,
}

/// Sorts named and listed paths. `-` is standard input.
///
/// # Errors
/// When a named path does not exist.
pub fn expand(named: &[PathBuf], listed: Vec<PathBuf>, all: bool) -> Result<Inputs, Refusal> {
    let mut inputs = Inputs { all, ..Inputs::default() };
    let mut keyed: Vec<(Vec<u8>, PathBuf)> = Vec::with_capacity(named.len().saturating_add(listed.len()));
    for (path, must_be) in named.iter().map(|p| (p.clone(), true)).chain(listed.into_iter().map(|p| (p, false))) {
        if must_be && is_stdin(&path) {
            inputs.others.push((path, Other::Stdin));
            continue;
        }
        match std::fs::metadata(&path) {
            Ok(meta) if meta.is_dir() => {
                inputs.has_folder = true;
                // As its files sort: a folder's name ends with a slash.
                let mut key = path.as_os_str().as_bytes().to_vec();
                if key.last() != Some(&b'/') {
                    key.push(b'/');
                }
                keyed.push((key, path));
            }
            Err(error) if is_nowhere(&error) => {
                if must_be && std::fs::symlink_metadata(&path).is_err() {
                    return Err(missing(&path));
                }
                inputs.others.push((path, Other::Nowhere));
            }
            _ => keyed.push((path.as_os_str().as_bytes().to_vec(), path)),
        }
    }
    keyed.sort_unstable();
    keyed.dedup();
    inputs.paths = keyed.into_iter().map(|(_, path)| path).collect();
    inputs.others.sort_by(|a, b| by_bytes(&a.0, &b.0));
    inputs.others.dedup_by(|a, b| a.0 == b.0);
    Ok(inputs)
}

fn by_bytes(a: &Path, b: &Path) -> Ordering {
    a.as_os_str().as_bytes().cmp(b.as_os_str().as_bytes())
}

fn is_nowhere(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

/// The only file there is to check.
///
/// # Errors
/// When there is not exactly one, or it is a folder.
pub fn only_file(inputs: &Inputs) -> Result<&Path, Refusal> {
    let wanted = "an expected id or a resolved record is for exactly one record";
    match (inputs.paths.as_slice(), inputs.others.as_slice()) {
        _ if inputs.has_folder => Err(Refusal::new(format!("{wanted}, and a folder was named; name one file"))),
        ([path], []) => Ok(path),
        ([], [(path, _)]) => Ok(path),
        (paths, others) => {
            let n = paths.len().saturating_add(others.len());
            Err(Refusal::new(format!("{wanted}, and {n} files were named; name one file")))
        }
    }
}

/// A part of a file on its way from a worker to the command.
pub trait Handed: From<FileRead> + Send {
    /// Of which file.
    fn file(&self) -> FileNo;
    /// Where it is.
    fn path(&self) -> &Arc<Path>;
}

impl Handed for FileRead {
    fn file(&self) -> FileNo {
        self.file
    }

    fn path(&self) -> &Arc<Path> {
        &self.path
    }
}

/// Of a part, only how many records got which headline.
struct Counted {
    file: FileNo,
    path: Arc<Path>,
    fresh: bool,
    tally: Tally,
}

impl From<FileRead> for Counted {
    fn from(read: FileRead) -> Counted {
        let mut tally = Tally::default();
        read.records.iter().for_each(|report| tally.add(report.headline));
        Counted { file: read.file, path: read.path, fresh: read.fresh, tally }
    }
}

impl Handed for Counted {
    fn file(&self) -> FileNo {
        self.file
    }

    fn path(&self) -> &Arc<Path> {
        &self.path
    }
}

/// Verifies everything and only counts.
///
/// # Errors
/// When no thread can be started.
pub fn count(inputs: &Inputs, options: &Options, limits: &Limits) -> Result<Tally, Refusal> {
    let mut total = Tally::default();
    // The file that is under way: a part that replaces those before takes their count back.
    let mut current: Option<Counted> = None;
    each(inputs, options, limits, &mut |part: Counted| {
        match &mut current {
            Some(current) if current.file == part.file && current.path == part.path => match part.fresh {
                true => current.tally = part.tally,
                false => current.tally.merge(&part.tally),
            },
            _ => {
                let before = current.replace(part);
                total.merge(&before.map_or_else(Tally::default, |before| before.tally));
            }
        }
        ControlFlow::Continue(())
    })?;
    if let Some(last) = current {
        total.merge(&last.tally);
    }
    Ok(total)
}

/// Reads and verifies everything, in the order of the paths, then of the records in them. A file's records may come in
/// several parts. Says on standard error what was left out, unless it is to be quiet.
///
/// # Errors
/// When no thread can be started.
pub fn each<T: Handed>(
    inputs: &Inputs,
    options: &Options,
    limits: &Limits,
    found: &mut dyn FnMut(T) -> ControlFlow<()>,
) -> Result<(), Refusal> {
    let setup =
        Setup { options: options.clone(), limits: limits.clone(), all: inputs.all, since: inputs.since, workers: 0 };
    let mut others = inputs.others.iter().peekable();
    let mut other = |until: Option<&Path>, found: &mut dyn FnMut(T) -> ControlFlow<()>| {
        while let Some((path, kind)) =
            others.next_if(|(path, _)| until.is_none_or(|until| by_bytes(path, until) == Ordering::Less))
        {
            let path: Arc<Path> = Arc::from(path.as_path());
            match kind {
                Other::Nowhere => found(part(&path, true, vec![nowhere()]).into())?,
                Other::Stdin => standard_input(&path, options, limits, found)?,
            }
        }
        ControlFlow::Continue(())
    };
    // A file may be named besides the folder it is in, or two folders may overlap.
    let mut overlap = Overlap::of(inputs);
    let summary = walk::verify_paths(&inputs.paths, &setup, &mut |read: T| {
        other(Some(read.path()), found)?;
        match overlap.is_new(&read) {
            true => found(read),
            false => ControlFlow::Continue(()),
        }
    })
    .map_err(|error| Refusal::new(format!("no thread can be started: {}; run it again", super::plain_io(&error))))?;
    if summary.stopped {
        return Ok(());
    }
    if other(None, found).is_continue() {
        // What was there a moment ago and is gone.
        for path in &summary.missing {
            if found(part(&Arc::from(path.as_path()), true, vec![nowhere()]).into()).is_break() {
                break;
            }
        }
    }
    if !inputs.quiet {
        tell_left_out(&summary);
    }
    Ok(())
}

/// Says on standard error what of the folders was not read, and why.
pub fn tell_left_out(summary: &walk::Summary) {
    match summary.older {
        0 => {}
        1 => tell("1 file left out because it was not modified since then"),
        n => tell(&format!("{n} files left out because they were not modified since then")),
    }
    match summary.skipped {
        0 => {}
        1 => tell("1 file left out because of its name; --all takes it"),
        n => tell(&format!("{n} files left out because of their names; --all takes them")),
    }
    if let Some(words) = passed(&summary.passed) {
        tell(&format!("passed over: {words}"));
    }
}

/// Remembers paths where one file could come twice.
struct Overlap {
    seen: Option<HashSet<PathBuf>>,
    current: Option<FileNo>,
    /// The folder asked for last, and where it really is: the files of a folder come one after the other.
    folder: (PathBuf, PathBuf),
}

impl Overlap {
    fn of(inputs: &Inputs) -> Overlap {
        let possible = inputs.has_folder && inputs.paths.len() > 1;
        Overlap { seen: possible.then(HashSet::new), current: None, folder: Default::default() }
    }

    /// Whether this part belongs to a file that was not handed over before.
    fn is_new(&mut self, read: &impl Handed) -> bool {
        let Some(seen) = &mut self.seen else { return true };
        if self.current == Some(read.file()) {
            return true;
        }
        let (Some(parent), Some(name)) = (read.path().parent(), read.path().file_name()) else { return true };
        if self.folder.0 != *parent || self.folder.1.as_os_str().is_empty() {
            let named = if parent.as_os_str().is_empty() { Path::new(".") } else { parent };
            // `./a`, `a` and `../here/a` are one file. A folder that has no real place any more keeps its name.
            self.folder = (parent.to_owned(), named.canonicalize().unwrap_or_else(|_| named.to_owned()));
        }
        let new = seen.insert(self.folder.1.join(name));
        self.current = new.then_some(read.file());
        new
    }
}

fn part(path: &Arc<Path>, fresh: bool, records: Vec<Report>) -> FileRead {
    // Standard input and what is nowhere have no number among the walked files; one far from theirs.
    let file = FileNo(u32::MAX);
    FileRead { file, path: Arc::clone(path), stamp: Default::default(), fresh, done: true, records }
}

fn nowhere() -> Report {
    Report::of_fault(Place::WHOLE, Fault::new(Class::IoError).found("there is no such file"))
}

fn io_report(error: &io::Error) -> Report {
    Report::of_fault(Place::WHOLE, Fault::new(Class::IoError).found(super::plain_io(error)))
}

/// Hands over what stands in standard input, a record at a time.
fn standard_input<T: Handed>(
    path: &Arc<Path>,
    options: &Options,
    limits: &Limits,
    found: &mut dyn FnMut(T) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let mut flow = ControlFlow::Continue(());
    let mut verifier = Verifier::new(options.clone());
    text_of(io::stdin().lock(), &mut verifier, limits, &mut |report| {
        if flow.is_continue() {
            flow = found(part(path, false, vec![report]).into());
        }
    });
    flow
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
                Ok(text) => {
                    verifier.set_clock(now());
                    verifier.line(line, text, found);
                }
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
        Ok(_) => {
            verifier.set_clock(now());
            verifier.text(&head, found);
        }
    }
}

/// The clock that stated times are compared with: read after the record, which may have been made while the program
/// already waited for it.
pub fn now() -> Moment {
    Moment::of(SystemTime::now())
}

fn too_large(place: Place, limit: u64) -> Report {
    Report::of_fault(place, Fault::new(Class::TooLarge).expected(format!("at most {limit} bytes")))
}

/// A line over the limit.
struct TooLong;

/// Takes one line, or learns that it is over the limit.
type TakeLine<'a> = dyn FnMut(Result<&[u8], TooLong>) + 'a;

/// Hands over each line without its line feed; memory holds one of them at a time, and never more than the limit.
fn each_line(mut input: impl BufRead, limit: u64, line: &mut TakeLine<'_>) -> io::Result<()> {
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

/// Reads a whole file as it was named, or standard input. What exists and cannot be read is a report.
///
/// # Errors
/// When the path does not exist.
pub fn whole(path: &Path, limits: &Limits) -> Result<Result<Vec<u8>, Report>, Refusal> {
    let mut bytes = Vec::new();
    if is_stdin(path) {
        let limit = limits.max_size.saturating_add(1);
        return Ok(match io::stdin().lock().take(limit).read_to_end(&mut bytes) {
            Ok(_) if bytes.len() as u64 > limits.max_size => Err(too_large(Place::WHOLE, limits.max_size)),
            Ok(_) => Ok(bytes),
            Err(error) => Err(io_report(&error)),
        });
    }
    let moving = || Report::of_fault(Place::WHOLE, Fault::new(Class::IoError).found("it is being written"));
    Ok(match read_file(At::named(path), limits.max_size, &mut bytes) {
        Outcome::Read(_) => Ok(bytes),
        Outcome::Moving => Err(moving()),
        Outcome::Refused(Refused::Gone) => return Err(missing(path)),
        Outcome::Refused(Refused::Special) => Err(aerscope::folder::file::not_a_file(path)),
        Outcome::Refused(Refused::Failed(fault)) => Err(Report::of_fault(Place::WHOLE, fault)),
    })
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
