//! `aerscope man`: the manual, made of the same definitions as the help.

use std::path::{Path, PathBuf};

use clap::{Command, CommandFactory as _};
use clap_mangen::Man;

use super::emit::not_written;
use super::{Cli, Exit, Outcome, Refusal, say};
use aerscope::make::place::write_new;
use aerscope::text;

/// Print a manual page, or write all of them into a folder
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The page of this command; the program's own unless given
    #[arg(value_name = "COMMAND", conflicts_with = "into")]
    command: Option<String>,
    /// Write every page into this folder, as aerscope.1, aerscope-verify.1 and so on; nothing is overwritten
    #[arg(long, value_name = "DIR")]
    into: Option<PathBuf>,
}

/// Prints or writes them.
pub fn run(args: &Args) -> Outcome {
    let mut whole = Cli::command();
    // Names the commands' pages after the program.
    whole.build();
    if let Some(dir) = &args.into {
        let commands = whole.get_subcommands().filter(|command| !command.is_hide_set());
        for command in std::iter::once(&whole).chain(commands) {
            write(dir, command)?;
        }
        return Ok(Exit::Good);
    }
    let page = match &args.command {
        None => &whole,
        Some(name) => whole.find_subcommand(name).ok_or_else(|| {
            Refusal::new(format!("there is no command {}; see aerscope --help", text::shown_cut(name, 200)))
        })?,
    };
    say(&rendered(page))?;
    Ok(Exit::Good)
}

fn write(dir: &Path, command: &Command) -> Result<(), Refusal> {
    let name = command.get_display_name().unwrap_or_else(|| command.get_name());
    let path = dir.join(format!("{name}.1"));
    write_new(&path, rendered(command).as_bytes()).map_err(|error| not_written(&path, &error))
}

fn rendered(command: &Command) -> String {
    let mut page = Vec::new();
    // Writing into memory does not fail.
    let _ = Man::new(command.clone()).render(&mut page);
    String::from_utf8_lossy(&page).into_owned()
}
