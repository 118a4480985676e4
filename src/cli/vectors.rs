//! `aerscope vectors`: a suite of test vectors, expected against found.

use std::fs;
use std::io::{self, BufWriter, Write as _};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use aerscope::aer1::grammar::Moment;
use aerscope::aer1::verify::Options;
use aerscope::make::corpus;
use aerscope::text;
use aerscope::vectors::record::{Difference, RunRecord};
use aerscope::vectors::{self, Outcome as Ran, Suite, SuiteError};

use super::{Exit, Outcome, Refusal, written};

/// Run a suite of test vectors: expected against found
///
/// A suite is a folder with an index.json of ours, or the public conformance kit as it is. Without one, ./vectors is
/// run when it is there, else the vectors that are built in.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Exit status: 0 all agree, 1 some disagree (or a replayed run differs), 2 the suite cannot be read, 4 it holds no vector.")]
pub struct Args {
    /// The suite: a folder, or a file that names vectors
    #[arg(value_name = "DIR")]
    suite: Option<PathBuf>,
    /// Write the run down in this file, which must not exist yet
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Copy each input that disagrees into this folder, unchanged
    #[arg(long, value_name = "DIR")]
    keep: Option<PathBuf>,
    /// Run again what a file written by --record holds, and say what differs
    #[arg(long, value_name = "FILE")]
    replay: Option<PathBuf>,
    /// List the vectors that agree as well
    #[arg(long)]
    all: bool,
    /// Step through them in the console, those that disagree first; run again whenever a file changes
    #[cfg(feature = "console")]
    #[arg(long, conflicts_with_all = ["record", "keep", "replay", "all"])]
    open: bool,
    /// How the console looks
    #[cfg(feature = "console")]
    #[command(flatten)]
    look: super::console::Look,
}

/// Runs the suite.
pub fn run(args: &Args) -> Outcome {
    let before = args.replay.as_deref().map(read_record).transpose()?;
    let recorded = before.as_ref().map(|record| record.suite.as_ref().map(PathBuf::from));
    let path = match (&args.suite, recorded) {
        (Some(path), _) => Some(path.clone()),
        (None, Some(recorded)) => recorded,
        (None, None) => Some(PathBuf::from("vectors")).filter(|path| path.is_dir()),
    };
    #[cfg(feature = "console")]
    if args.open && aerscope::tui::term::is_usable() {
        return step(args, path);
    }
    let suite = open(path.as_deref())?;
    let started = SystemTime::now();
    let options = Options { now: Some(Moment::of(started)), ..Options::default() };
    let outcomes = vectors::run(&suite, &options);
    let record = RunRecord::of(&suite, path.as_deref(), &outcomes, started, SystemTime::now());
    if let Some(file) = &args.record {
        write_record(file, &record)?;
    }
    if let Some(dir) = &args.keep {
        keep(dir, &suite, &outcomes)?;
    }
    let differences = before.as_ref().map(|before| before.differences(&record));
    // A closed pipe ends the listing; the exit status stays what the run came to.
    written(list(args, path.as_deref(), &record, &outcomes, differences.as_deref()))?;
    Ok(if outcomes.is_empty() {
        Exit::Nothing
    } else if record.disagree > 0 || differences.is_some_and(|d| !d.is_empty()) {
        Exit::Failing
    } else {
        Exit::Good
    })
}

/// Opens the console on the suite.
#[cfg(feature = "console")]
fn step(args: &Args, path: Option<PathBuf>) -> Outcome {
    use super::console::{self, with_terminal};
    if let Some(path) = &path {
        fs::metadata(path)
            .map_err(|error| Refusal::io(path, &error, "name a folder with an index.json, or the public kit"))?;
    }
    let look = console::Args { look: args.look.clone(), ..console::Args::default() };
    let mut setup = with_terminal::setup(&look, None, false, Box::new(|| ()));
    setup.vectors = Some(aerscope::tui::suite::Which::Of(path));
    with_terminal::finish(aerscope::tui::run(setup))
}

fn open(path: Option<&Path>) -> Result<Suite, Refusal> {
    let Some(path) = path else {
        return Suite::in_memory(corpus::make())
            .map_err(|error| Refusal::new(format!("the built-in vectors: {}", text::shown_display(&error))));
    };
    Suite::open(path).map_err(|error| match error {
        SuiteError::Io(error) => Refusal::io(path, &error, "name a folder with an index.json, or the public kit"),
        other => Refusal::path(
            path,
            &format!("no suite can be read here: {}", text::shown_display(&other)),
            "name a folder with an index.json, or the public kit",
        ),
    })
}

fn read_record(file: &Path) -> Result<RunRecord, Refusal> {
    let next = "name a file written by aerscope vectors --record";
    let bytes = fs::read(file).map_err(|error| Refusal::io(file, &error, next))?;
    RunRecord::from_json(&bytes)
        .map_err(|what| Refusal::path(file, &format!("no run record: {}", text::shown(&what)), next))
}

fn write_record(file: &Path, record: &RunRecord) -> Result<(), Refusal> {
    let next = "name a file that does not exist yet";
    let json = record.to_json().map_err(|error| Refusal::path(file, &text::shown_display(&error), next))?;
    fs::OpenOptions::new()
        .write(true)
        .create_new(true)
        .open(file)
        .and_then(|mut out| out.write_all(json.as_bytes()))
        .map_err(|error| Refusal::io(file, &error, next))
}

/// Copies the files of disagreeing vectors, each once, under the names they have in the suite. A file that is already
/// there is left alone when it has the same bytes, and refused otherwise.
fn keep(dir: &Path, suite: &Suite, outcomes: &[Ran]) -> Result<(), Refusal> {
    let mut done = "";
    for outcome in outcomes.iter().filter(|o| !o.agrees) {
        let name = outcome.case.file.as_str();
        let Ok(bytes) = suite.read(name) else { continue };
        if name == done {
            continue;
        }
        done = name;
        let path = dir.join(name);
        let write = || -> io::Result<()> {
            if let Some(parent) = path.parent() {
                fs::create_dir_all(parent)?;
            }
            match fs::OpenOptions::new().write(true).create_new(true).open(&path) {
                Ok(mut out) => out.write_all(&bytes),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists && fs::read(&path)? == bytes => Ok(()),
                Err(error) => Err(error),
            }
        };
        write().map_err(|error| Refusal::io(&path, &error, "name an empty folder"))?;
    }
    Ok(())
}

fn list(
    args: &Args,
    path: Option<&Path>,
    record: &RunRecord,
    outcomes: &[Ran],
    differences: Option<&[Difference]>,
) -> io::Result<()> {
    let mut out = BufWriter::new(io::stdout().lock());
    for outcome in outcomes.iter().filter(|o| args.all || !o.agrees) {
        let mark = if outcome.agrees { "agrees   " } else { "DISAGREES" };
        writeln!(out, "{mark}  {}", text::shown(&outcome.case.name))?;
        if outcome.agrees {
            writeln!(out, "           {}", text::shown(&outcome.found))?;
            continue;
        }
        writeln!(out, "           expected  {}", text::shown(&outcome.expected))?;
        writeln!(out, "           found     {}", text::shown(&outcome.found))?;
        if !outcome.case.why.is_empty() {
            writeln!(out, "           because   {}", text::shown(&outcome.case.why))?;
        }
        if let (Some(twin), Some(at)) = (&outcome.case.twin, outcome.differs_at) {
            writeln!(out, "           first differs from {} at byte {at}", text::shown(twin))?;
        }
    }
    for difference in differences.unwrap_or_default() {
        let (name, what) = match difference {
            Difference::Input(name) => (name, "its file has other bytes than in the recorded run".to_owned()),
            Difference::Expected(name, a, b) => {
                (name, format!("expected {} then, {} now", text::shown(a), text::shown(b)))
            }
            Difference::Found(name, a, b) => (name, format!("found {} then, {} now", text::shown(a), text::shown(b))),
            Difference::Gone(name) => (name, "ran then, and is not there now".to_owned()),
            Difference::New(name) => (name, "did not run then".to_owned()),
        };
        writeln!(out, "DIFFERS    {}: {what}", text::shown(name))?;
    }
    let place = path.map_or_else(|| "the built-in suite".to_owned(), |path| text::shown_path(path).into_owned());
    writeln!(out, "{} of {} vectors agree: {place}", record.agree, outcomes.len())?;
    match differences {
        Some([]) => writeln!(out, "the recorded run is reproduced")?,
        Some([_]) => writeln!(out, "1 difference from the recorded run")?,
        Some(all) => writeln!(out, "{} differences from the recorded run", all.len())?,
        None => {}
    }
    out.flush()
}
