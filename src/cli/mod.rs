//! The command line: arguments to a command, a command to an exit status. One file a command.
//!
//! Whatever a command prints about arguments, files and errors goes through [`aerscope::text`], clap's own messages
//! included. Nothing here uses `println!`: a closed pipe ends a run quietly, it is no panic.

mod completions;
#[cfg(feature = "console")]
mod config;
mod console;
mod demo;
mod emit;
mod ending;
mod explain;
mod make;
mod man;
mod progress;
mod redact;
mod refuse;
mod show;
mod snapshot;
mod values;
mod vectors;
mod verify;
mod watch;

use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

pub use refuse::Refusal;

/// Exit statuses, the same for every command (rules §1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// Every record verified; a suite agrees; the console was left.
    Good = 0,
    /// At least one record fails; a suite disagrees.
    Failing = 1,
    /// A usage error, a named path that does not exist, or it cannot start.
    Usage = 2,
    /// Nothing fails, but something fell short of `verified`.
    Short = 3,
    /// There was nothing to check.
    Nothing = 4,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit as u8)
    }
}

/// What a command comes to: an exit status, or one sentence that says why it did not run.
pub type Outcome = Result<Exit, Refusal>;

const EXIT_STATUSES: &str = "\
Exit status: 0 everything verified, 1 something fails, 2 usage error or it cannot start, \
3 nothing fails but something fell short of verified, 4 there was nothing to check.";

/// Verifies, follows and explains AER-1 receipts. It never changes what it reads, and contacts no network.
#[derive(Debug, Parser)]
#[command(
    name = "aerscope",
    version,
    long_version = concat!(
        env!("CARGO_PKG_VERSION"),
        "\nAER-1 schema versions 0.1, 0.2, 0.3 and 0.4; draft revision 08 in full, later ones as far as they are public"
    ),
    args_conflicts_with_subcommands = true,
    disable_help_subcommand = true,
    after_help = EXIT_STATUSES
)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    console: console::Args,
}

#[derive(Debug, Subcommand)]
enum Command {
    Verify(verify::Args),
    Watch(watch::Args),
    Emit(emit::Args),
    Redact(redact::Args),
    Snapshot(snapshot::SnapshotArgs),
    Compare(snapshot::CompareArgs),
    Demo(demo::Args),
    Show(show::Args),
    Vectors(vectors::Args),
    Explain(explain::Args),
    Completions(completions::Args),
    Man(man::Args),
    #[cfg(feature = "console")]
    Config(config::Args),
    #[command(hide = true)]
    Make(make::Args),
}

/// Runs the program with these arguments, the program's name first.
pub fn run(args: impl IntoIterator<Item = OsString>) -> Exit {
    let args: Vec<OsString> = args.into_iter().collect();
    let commands = Cli::command();
    let asked = args.get(1).and_then(|word| word.to_str());
    let asked = asked.and_then(|word| commands.find_subcommand(word)).map(|c| c.get_name().to_owned());
    let parsed = commands.try_get_matches_from(args).and_then(|matches| Cli::from_arg_matches(&matches));
    let cli = match parsed {
        Ok(cli) => cli,
        Err(error) if !error.use_stderr() => {
            // Help and version are our own text.
            return match say(&error.render().to_string()) {
                Ok(()) => Exit::Good,
                Err(refusal) => refusal.report(),
            };
        }
        Err(error) => return refuse::of_clap(&error, asked.as_deref()).report(),
    };
    let outcome = match cli.command {
        None => console::run(cli.console),
        Some(Command::Verify(args)) => verify::run(args),
        Some(Command::Watch(args)) => watch::run(&args),
        Some(Command::Emit(args)) => emit::run(&args),
        Some(Command::Redact(args)) => redact::run(&args),
        Some(Command::Snapshot(args)) => snapshot::run(&args),
        Some(Command::Compare(args)) => snapshot::compare(&args),
        Some(Command::Demo(args)) => demo::run(args),
        Some(Command::Show(args)) => show::run(&args),
        Some(Command::Vectors(args)) => vectors::run(&args),
        #[cfg(feature = "console")]
        Some(Command::Config(args)) => config::run(&args),
        Some(Command::Explain(args)) => explain::run(&args),
        Some(Command::Completions(args)) => completions::run(&args),
        Some(Command::Man(args)) => man::run(&args),
        Some(Command::Make(args)) => make::run(&args),
    };
    outcome.unwrap_or_else(|refusal| refusal.report())
}

/// Prints our own text to standard output.
///
/// # Errors
/// As [`written`].
pub fn say(text: &str) -> Result<(), Refusal> {
    let mut out = io::stdout().lock();
    written(out.write_all(text.as_bytes()).and_then(|()| out.flush()))
}

/// Writes what a command made to standard output, all of it. A pipe that nobody reads any more is an error here, unlike
/// in [`written`]: what was made is nowhere else. `lost` says what that means.
///
/// # Errors
/// When not all of it was taken.
pub fn deliver(made: &[u8], lost: &str) -> Result<(), Refusal> {
    let mut out = io::stdout().lock();
    out.write_all(made).and_then(|()| out.flush()).map_err(|error| {
        Refusal::new(format!("standard output cannot be written: {}; {lost}", refuse::plain_io(&error)))
    })
}

/// What a write to standard output came to: a pipe that nobody reads any more is no error.
///
/// # Errors
/// Any other reason why something was not written.
pub fn written(result: io::Result<()>) -> Result<(), Refusal> {
    match result {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(Refusal::new(format!(
            "standard output cannot be written: {}; what was printed is not whole",
            refuse::plain_io(&error)
        ))),
        _ => Ok(()),
    }
}

/// Prints one line to standard error; a closed one is no error. `text` must be escaped already.
pub fn tell(text: &str) {
    progress::erase();
    let _ = writeln!(io::stderr().lock(), "aerscope: {text}");
}
