//! `aerscope config`: the settings of the console, and where each comes from.

use aerscope::text;
use aerscope::tui::settings;

use super::{Exit, Outcome, say, tell};

/// Print the console's settings, each with where it comes from
///
/// They stand in config.toml in the user's configuration directory. Mistakes in it are told on standard error.
#[derive(Debug, clap::Args)]
#[command(after_help = "Exit status: 0 nothing is wrong with the file, 2 something is.")]
pub struct Args {
    /// Print a file with every default instead, as comments
    #[arg(long)]
    default: bool,
}

/// Prints the settings.
pub fn run(args: &Args) -> Outcome {
    if args.default {
        say(&settings::commented())?;
        return Ok(Exit::Good);
    }
    let found = settings::load();
    say(&settings::effective(&found))?;
    let file = found.file.as_ref().map(|file| text::shown_path(file).into_owned()).unwrap_or_default();
    for mistake in &found.mistakes {
        tell(&format!("{file}:{}: {}", mistake.line, mistake.what));
    }
    Ok(if found.mistakes.is_empty() { Exit::Good } else { Exit::Usage })
}
