//! `aerscope completions SHELL`: what a shell needs to complete our arguments.

use clap::CommandFactory as _;

use super::{Cli, Exit, Outcome, say};

const NOTES: &str = "\
For example: aerscope completions bash > ~/.local/share/bash-completion/completions/aerscope, or \
aerscope completions fish > ~/.config/fish/completions/aerscope.fish";

/// Print completions for a shell
#[derive(Debug, clap::Args)]
#[command(after_help = NOTES)]
pub struct Args {
    /// The shell
    #[arg(value_enum, value_name = "SHELL")]
    shell: clap_complete::Shell,
}

/// Prints them.
pub fn run(args: &Args) -> Outcome {
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "aerscope", &mut text);
    say(&String::from_utf8_lossy(&text))?;
    Ok(Exit::Good)
}
