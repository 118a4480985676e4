//! `aerscope [PATH]`: the console, live. Where there is no terminal to draw on, or in a build without it, the path is
//! verified once instead.

use std::path::PathBuf;

use super::{Outcome, Refusal, values, verify};

/// What the console is opened on, and how.
#[derive(Debug, Default, clap::Args)]
pub struct Args {
    /// The folder or file to open in the console; without one, the last folder
    #[arg(value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// Take every file of the folder, whatever its name
    #[arg(long)]
    pub all: bool,
    /// Select the record with this id, as soon as it is there
    #[arg(long, value_name = "ID")]
    pub select: Option<String>,
    /// Largest file, or line of a line-wise file: bytes, or a number with K, M or G
    #[arg(long, value_name = "SIZE", value_parser = values::size)]
    pub max_size: Option<u64>,
    /// Keep at most this many rows: past it removed ones leave first, then the oldest, failing ones last
    #[arg(long, value_name = "N", value_parser = values::rows)]
    pub rows: Option<usize>,
    /// Leave out files of the folder last modified before this: a time, or a number with s, m, h, d or w before now
    #[arg(long, value_name = "DURATION|TIME", value_parser = values::since, allow_hyphen_values = true)]
    pub since: Option<i64>,
    /// A field that links attempts: a member name or a JSON pointer; repeat it for more, first found wins
    #[arg(long, value_name = "FIELD")]
    pub correlation: Vec<String>,
    /// List the folder every two seconds instead of waiting to be told of changes
    #[arg(long)]
    pub poll: bool,
    /// Append what happens in the session to this file, which must lie outside of the opened folder: JSON Lines when its
    /// name ends in .jsonl, else lines of text
    #[arg(long, value_name = "FILE")]
    pub log: Option<PathBuf>,
    /// How it looks
    #[command(flatten)]
    pub look: Look,
}

/// How the console looks; the demo has the same.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct Look {
    /// Colours: terminal, dark, light, colour-blind or plain
    #[cfg(feature = "console")]
    #[arg(long, value_name = "THEME", value_parser = theme)]
    pub theme: Option<aerscope::tui::theme::ThemeName>,
    /// Glyphs and borders from ASCII alone
    #[cfg(feature = "console")]
    #[arg(long)]
    pub ascii: bool,
    /// Clicks select and the wheel moves; the terminal's own selection then needs Shift
    #[cfg(feature = "console")]
    #[arg(long)]
    pub mouse: bool,
}

#[cfg(feature = "console")]
fn theme(word: &str) -> Result<aerscope::tui::theme::ThemeName, String> {
    use aerscope::tui::theme::ThemeName;
    ThemeName::from_word(word).ok_or_else(|| {
        let names: Vec<&str> = ThemeName::ALL.iter().map(|name| name.as_str()).collect();
        format!("the themes are {}", names.join(", "))
    })
}

/// Opens the console.
pub fn run(args: Args) -> Outcome {
    if args.paths.len() > 1 {
        return Err(Refusal::new(
            "the console opens one folder or file at a time; aerscope verify takes any number of them",
        ));
    }
    if let Some(path) = args.paths.first()
        && let Err(error) = std::fs::metadata(path)
    {
        return Err(Refusal::io(path, &error, "check the path, or run aerscope without one"));
    }
    open(args)
}

#[cfg(not(feature = "console"))]
fn open(args: Args) -> Outcome {
    instead(args)
}

/// Without a terminal: the paths are verified once.
fn instead(args: Args) -> Outcome {
    if args.paths.is_empty() {
        return Err(Refusal::new(
            "there is no terminal to open the console on; aerscope verify PATH works without one",
        ));
    }
    verify::run(verify::Args::of(args.paths))
}

#[cfg(feature = "console")]
fn open(args: Args) -> Outcome {
    use aerscope::tui::{remember, term};

    if !term::is_usable() {
        return instead(args);
    }
    let path = args.paths.first().cloned().or_else(remember::last);
    let log = args.log.as_deref().map(|file| log(file, path.as_deref())).transpose()?;
    let mut setup = with_terminal::setup(&args, path, true, Box::new(|| ()));
    setup.log = log;
    with_terminal::finish(aerscope::tui::run(setup))
}

/// Opens the file of `--log`.
#[cfg(feature = "console")]
fn log(file: &std::path::Path, folder: Option<&std::path::Path>) -> Result<aerscope::tui::journal::Journal, Refusal> {
    use aerscope::tui::{journal::Journal, source};
    if source::is_below(file, folder) {
        let why = "the log would be written into what is watched, which is only read";
        return Err(Refusal::path(file, why, "name a file elsewhere"));
    }
    Journal::open(file).map_err(|error| Refusal::io(file, &error, "name a file that can be written"))
}

/// What the console and the demo share.
#[cfg(feature = "console")]
pub mod with_terminal {
    use std::io;
    use std::path::PathBuf;

    use aerscope::aer1::verify::Options;
    use aerscope::config::{Limits, Watching};
    use aerscope::text;
    use aerscope::tui::settings::{self, Settings};
    use aerscope::tui::theme::{Theme, ThemeName};
    use aerscope::tui::{End, Setup};

    use super::super::{Exit, Outcome, Refusal};
    use super::{Args, Look};

    /// Colours and glyphs as asked for; no colour at all where the environment asks for none.
    pub fn theme(look: &Look, settings: &Settings) -> Theme {
        let plain = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let name = if plain { ThemeName::Plain } else { look.theme.unwrap_or(settings.theme.value) };
        Theme { name, ascii: look.ascii || settings.ascii.value }
    }

    /// What the console needs to know.
    pub fn setup(args: &Args, path: Option<PathBuf>, remember: bool, last: Box<dyn Fn() + Send>) -> Setup {
        let settings = settings::load();
        let max_size = args.max_size.unwrap_or(settings.max_size.value);
        let max_rows = args.rows.unwrap_or(settings.max_rows.value);
        let limits = Limits { max_size, max_depth: settings.max_depth.value, max_rows };
        let options = Options::default();
        let own = settings.correlation.value.clone();
        let correlation = if args.correlation.is_empty() { own } else { args.correlation.clone() };
        Setup {
            path,
            vectors: None,
            select: args.select.clone(),
            options: Options { max_depth: limits.max_depth, correlation, ..options },
            limits,
            watching: Watching {
                all: args.all,
                poll: args.poll || settings.poll.value,
                poll_every: settings.poll_every.value,
                since: args.since,
                ..Watching::default()
            },
            log: None,
            theme: theme(&args.look, &settings),
            mouse: args.look.mouse || settings.mouse.value,
            settings,
            remember,
            last,
        }
    }

    /// The exit status of a console that ended.
    pub fn finish(ended: io::Result<End>) -> Outcome {
        match ended {
            Ok(End::Quit) => Ok(Exit::Good),
            // As a shell counts a program ended by this signal.
            Ok(End::Signal(signal)) => std::process::exit(128 + signal),
            Ok(End::Closed) => std::process::exit(129),
            Ok(End::Panicked) => std::process::exit(101),
            Err(error) => {
                let why = text::shown_display(&error);
                Err(Refusal::new(format!("the terminal cannot be used: {why}; aerscope verify PATH works without one")))
            }
        }
    }
}
