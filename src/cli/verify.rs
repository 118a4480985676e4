//! `aerscope verify PATH…`: verify once, without a terminal.

mod baseline;
mod findings;
pub mod input;
mod sink;
mod stream;

use std::io::{self, IsTerminal, Read};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use aerscope::aer1::grammar::{self, Moment};
use aerscope::aer1::report::{Headline, Kind, Profile, Report};
use aerscope::aer1::verify::{Options, Resolved, Verifier};
use aerscope::config::Limits;
use aerscope::output::sentence;
use aerscope::output::tally::{self, Tally};
use aerscope::record::FileRead;
use aerscope::text;

use super::progress::Progress;
use super::refuse::plain_io;
use super::{Exit, Outcome, Refusal, tell};
use baseline::Baseline;
use findings::Findings;
use sink::Sink;

const NOTES: &str = "\
A folder argument takes the names that end in .json, .jsonl or .ndjson, with .gz or .zst after that or not, and counts \
the others on standard error; a named file is always read, whatever its name. A name that ends in .gz or .zst is \
decoded, and --max-size holds for the decoded bytes. Findings across the folder (copies, id conflicts, possible replays, links \
to records that are not there) need the whole folder: they are reported when a folder is named, and never with \
--stream, --quiet, or for standard input.

Exit status: 0 every record is verified, 1 a record fails (malformed or mismatch), 2 usage error, a named path that does \
not exist, or it cannot start, 3 none fails but something fell short of verified, 4 no record was found to check.";

/// Verify receipts without a terminal: files, folders, or standard input
#[derive(Clone, Debug, Default, clap::Args)]
#[command(after_help = NOTES)]
pub struct Args {
    /// Files and folders; `-` is standard input, read like a file
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// How results are printed; text unless --stream is given, jsonl then
    #[arg(long, value_enum, value_name = "FORMAT")]
    format: Option<Format>,
    /// Print nothing; the exit status tells
    #[arg(short, long)]
    quiet: bool,
    /// Take every file of a folder, whatever its name
    #[arg(long)]
    all: bool,
    /// Largest file, or line of a line-wise file: bytes, or a number with K, M or G
    #[arg(long, value_name = "SIZE", value_parser = super::values::size)]
    max_size: Option<u64>,
    /// Leave out files of a folder last modified before this: a time, or a number with s, m, h, d or w before now. A
    /// named file is always read
    #[arg(long, value_name = "DURATION|TIME", value_parser = super::values::since, allow_hyphen_values = true)]
    #[arg(conflicts_with = "stream")]
    since: Option<i64>,
    /// Which findings decide; a profile adds demands and never takes one away
    #[arg(long, value_name = "PROFILE", value_parser = profile)]
    profile: Option<Profile>,
    /// The id the record must have; exactly one record
    #[arg(long, value_name = "ID", conflicts_with = "stream")]
    expect_id: Option<String>,
    /// Expect the file's name as id, when it is a UUID; exactly one record
    #[arg(long, conflicts_with_all = ["stream", "expect_id"])]
    expect_file_name: bool,
    /// A separately fetched copy of the record to compare id and hash with; exactly one record each
    #[arg(long, value_name = "FILE", conflicts_with = "stream")]
    resolved: Option<PathBuf>,
    /// A field that links attempts: a member name or a JSON pointer; repeat it for more, first found wins. Replaces the
    /// default list: correlation_id, retry_of, job_id, workflow_id, session_id, task_id, run_id
    #[arg(long, value_name = "FIELD")]
    correlation: Vec<String>,
    /// Read the paths to verify from a file, `-` for standard input: one a line, or with NUL after each. A listed path
    /// that does not exist is a result, not an error
    #[arg(long, value_name = "LIST", conflicts_with = "stream")]
    files_from: Option<PathBuf>,
    /// Failures that are known already, as --format jsonl printed them: path, record and class. They are shown all the
    /// same, and only others make the exit status 1
    #[arg(long, value_name = "FILE", conflicts_with = "stream")]
    baseline: Option<PathBuf>,
    /// Read one record a line, from standard input unless files are named, and print one line for each, in order, in
    /// constant memory
    #[arg(long)]
    stream: bool,
}

impl Args {
    /// Verify these paths, everything else by default.
    pub fn of(paths: Vec<PathBuf>) -> Args {
        Args { paths, ..Args::default() }
    }

    fn format(&self) -> Format {
        self.format.unwrap_or(if self.stream { Format::Jsonl } else { Format::Text })
    }

    fn limits(&self) -> Limits {
        let limits = Limits::default();
        Limits { max_size: self.max_size.unwrap_or(limits.max_size), ..limits }
    }

    fn options(&self) -> Options {
        let options = Options::default();
        Options {
            now: Some(Moment::of(SystemTime::now())),
            max_depth: self.limits().max_depth,
            correlation: if self.correlation.is_empty() { options.correlation } else { self.correlation.clone() },
            profile: self.profile.unwrap_or(options.profile),
            links: !self.quiet,
            canonical_form: !self.quiet && self.format().shows_canonical_form(),
            expect_id: self.expect_id.clone(),
            resolved: None,
        }
    }

    fn wants_one_record(&self) -> bool {
        self.expect_id.is_some() || self.expect_file_name || self.resolved.is_some()
    }
}

/// How results are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// A block a record, for people, and the totals
    Text,
    /// One JSON object a line
    Jsonl,
    /// JUnit XML: a failing record is a failing test case
    Junit,
    /// One self-contained page
    Html,
    /// A summary
    Markdown,
}

impl Format {
    fn shows_canonical_form(self) -> bool {
        matches!(self, Format::Jsonl | Format::Html)
    }
}

fn profile(text: &str) -> Result<Profile, String> {
    Profile::from_word(text).ok_or_else(|| "it is one of core, reference, anchored".to_owned())
}

/// Verifies.
pub fn run(args: Args) -> Outcome {
    if args.paths.is_empty() && args.files_from.is_none() && !args.stream {
        return Err(Refusal::new(
            "name a file or a folder to verify, or - for standard input; see aerscope verify --help",
        ));
    }
    let stdin_paths = args.paths.iter().filter(|p| is_stdin(p)).count();
    let stdin_list = args.files_from.as_deref().is_some_and(is_stdin);
    if stdin_paths > 1 || (stdin_paths == 1 && stdin_list) {
        return Err(Refusal::new("standard input can be read once; name - in one place"));
    }
    if args.stream {
        if !matches!(args.format(), Format::Jsonl | Format::Text) {
            return Err(Refusal::new("--stream prints as it reads; its format is jsonl or text"));
        }
        return stream::run(&args);
    }
    let baseline = read_baseline(&args)?;
    if args.wants_one_record() {
        return one_record(&args, baseline);
    }
    let listed = match &args.files_from {
        Some(list) => read_list(list)?,
        None => Vec::new(),
    };
    let inputs = input::expand(&args.paths, listed, args.all)?.since(args.since).quiet(args.quiet);
    let options = args.options();
    let limits = args.limits();
    if args.quiet && baseline.is_none() {
        return input::count(&inputs, &options, &limits).map(|tally| exit_of(&tally));
    }
    let mut sink = Sink::new(args.quiet, args.format(), baseline);
    let folder = inputs.has_folder && !args.quiet;
    let at_the_end = folder || !matches!(args.format(), Format::Text | Format::Jsonl);
    let mut progress = Progress::new(!args.quiet && (at_the_end || !io::stdout().is_terminal()));
    progress.count(&inputs.paths, args.all);
    if folder {
        let mut findings = Findings::new(Moment::of(SystemTime::now()));
        input::each(&inputs, &options, &limits, &mut |read: FileRead| {
            progress.add(u64::from(read.done), read.records.len());
            findings.take(read)
        })?;
        drop(progress);
        findings.hand_over(&mut sink).map_err(|error| {
            let why = plain_io(&error);
            Refusal::new(format!(
                "results cannot be kept in {}: {why}; make room there, or set TMPDIR, or name --quiet",
                text::shown_path(&std::env::temp_dir())
            ))
        })?;
    } else {
        input::each(&inputs, &options, &limits, &mut |read: FileRead| {
            progress.add(u64::from(read.done), read.records.len());
            read.records.iter().try_for_each(|report| sink.record(&read.path, report, &[]))
        })?;
        drop(progress);
    }
    finish(sink, args.baseline.as_deref())
}

/// Ends the output and turns the tally into an exit status.
///
/// A failure that is known leaves the run short of verified, and does not make it fail.
fn finish(sink: Sink, list: Option<&Path>) -> Outcome {
    let tally = sink.tally();
    let (written, known) = sink.finish();
    super::written(written)?;
    if let (Some(baseline), Some(path)) = (&known, list) {
        baseline.summary(path);
    }
    let met = known.map_or(0, |baseline| baseline.met());
    let failing = tally.of(Headline::Malformed).saturating_add(tally.of(Headline::Mismatch));
    Ok(if met > 0 && met == failing { Exit::Short } else { exit_of(&tally) })
}

fn read_baseline(args: &Args) -> Result<Option<Baseline>, Refusal> {
    args.baseline.as_deref().map(Baseline::read).transpose()
}

pub fn exit_of(tally: &Tally) -> Exit {
    match tally.outcome() {
        tally::Outcome::Verified => Exit::Good,
        tally::Outcome::Failing => Exit::Failing,
        tally::Outcome::Short => Exit::Short,
        tally::Outcome::Nothing => Exit::Nothing,
    }
}

/// Whether a path stands for standard input.
fn is_stdin(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// The paths in a list: one a line, or with NUL after each when there is a NUL.
fn read_list(list: &Path) -> Result<Vec<PathBuf>, Refusal> {
    let mut bytes = Vec::new();
    let read = match is_stdin(list) {
        true => io::stdin().lock().read_to_end(&mut bytes),
        false => std::fs::File::open(list).and_then(|mut f| f.read_to_end(&mut bytes)),
    };
    read.map_err(|e| Refusal::io(list, &e, "name a readable list of paths"))?;
    Ok(split_list(&bytes))
}

fn split_list(bytes: &[u8]) -> Vec<PathBuf> {
    use std::os::unix::ffi::OsStrExt;
    let nul = bytes.contains(&0);
    bytes
        .split(|b| *b == if nul { 0 } else { b'\n' })
        .map(|name| if nul { name } else { name.strip_suffix(b"\r").unwrap_or(name) })
        .filter(|name| !name.is_empty())
        .map(|name| PathBuf::from(std::ffi::OsStr::from_bytes(name)))
        .collect()
}

/// `--expect-id`, `--expect-file-name` and `--resolved`: exactly one record, compared with what comes from outside
/// (rules §4).
fn one_record(args: &Args, baseline: Option<Baseline>) -> Outcome {
    let listed = match &args.files_from {
        Some(list) => read_list(list)?,
        None => Vec::new(),
    };
    let inputs = input::expand(&args.paths, listed, args.all)?;
    let path = input::only_file(&inputs)?;
    let limits = args.limits();
    let mut options = args.options();
    if args.expect_file_name {
        match path.file_stem().and_then(|s| s.to_str()).map(str::to_ascii_lowercase) {
            Some(stem) if grammar::is_uuid(&stem) => options.expect_id = Some(stem),
            _ => tell(&format!("{}: the name is no UUID, so no id is expected", text::shown_path(path))),
        }
    }
    if let Some(resolved) = &args.resolved {
        options.resolved = Some(resolve(path, resolved, &limits)?);
    }
    let mut found: Vec<(Arc<Path>, Report)> = Vec::new();
    input::each(&inputs, &options, &limits, &mut |read: FileRead| {
        if read.fresh {
            found.clear();
        }
        found.extend(read.records.into_iter().map(|report| (Arc::clone(&read.path), report)));
        ControlFlow::Continue(())
    })?;
    // Readable JSON that is no receipt is no record; what cannot be read may be one, and its verdict says so.
    let records = found.iter().filter(|(_, report)| report.headline != Headline::NotReceipt).count();
    if found.len() != 1 || records != 1 {
        let wanted = "an expected id or a resolved record is for exactly one record";
        let held = match (records, found.len()) {
            (0, 0) => "this file holds none".to_owned(),
            (0, _) => "this file holds none: what is in it is no receipt".to_owned(),
            (n, all) if n == all => format!("this file holds {n}"),
            (n, all) => format!("this file holds {n}, and {} besides that is no receipt", all - n),
        };
        return Err(Refusal::path(path, &format!("{wanted}, and {held}"), "name a file with one record"));
    }
    let mut sink = Sink::new(args.quiet, args.format(), baseline);
    for (path, report) in &found {
        let _ = sink.record(path, report, &[]);
    }
    finish(sink, args.baseline.as_deref())
}

/// Reads the record that was resolved elsewhere. The file under check is refused as its own resolution, by inode and
/// by bytes: it would agree with itself.
fn resolve(checked: &Path, resolved: &Path, limits: &Limits) -> Result<Resolved, Refusal> {
    let next = "name a separately fetched copy of the record";
    if is_stdin(resolved) {
        return Err(Refusal::new("--resolved wants a file, not standard input"));
    }
    let bytes = input::whole(resolved, limits)?
        .map_err(|report| Refusal::path(resolved, &aerscope::output::sentence::why(&report), next))?;
    let same_bytes = || !is_stdin(checked) && input::whole(checked, limits).is_ok_and(|b| b.as_ref() == Ok(&bytes));
    if input::same_inode(checked, resolved) || same_bytes() {
        return Err(Refusal::path(resolved, "it is the file under check, which would agree with itself", next));
    }
    let mut found = Vec::new();
    Verifier::new(Options::default()).text(&bytes, &mut |report| found.push(report));
    match found.as_slice() {
        [report] if sentence::declared(report) == "original" => Err(Refusal::path(
            resolved,
            "it is a projection, which commits to no bytes of its own by output_hash",
            next,
        )),
        [report] if report.kind != Kind::None => match &report.bytes.declared {
            Some(hash) => Ok(Resolved { output_hash: hash.clone(), id: report.id.clone() }),
            None => Err(Refusal::path(resolved, "the record in it has no output_hash", next)),
        },
        [_] => Err(Refusal::path(resolved, "it holds no record", next)),
        more => {
            Err(Refusal::path(resolved, &format!("it holds {} records, and exactly one is wanted", more.len()), next))
        }
    }
}

/// Whether to colour: a terminal, and nobody asked for none.
pub fn colour() -> bool {
    let set = |name| std::env::var_os(name).is_some_and(|v| !v.is_empty());
    io::stdout().is_terminal() && !set("NO_COLOR") && std::env::var_os("TERM").is_none_or(|t| t != "dumb")
}

#[cfg(test)]
mod tests;
