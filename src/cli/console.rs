//! `aerscope [PATH…]`: the console, live. Where there is no terminal to draw on, or in a build without it, the paths
//! are verified once instead.

use std::path::PathBuf;

use super::{Outcome, Refusal, verify};

/// What the console is opened on.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Folders or files to open in the console
    #[arg(value_name = "PATH")]
    pub paths: Vec<PathBuf>,
}

/// Opens the console.
pub fn run(args: Args) -> Outcome {
    if args.paths.is_empty() {
        return Err(Refusal::new("no folder was named; see aerscope --help"));
    }
    verify::run(verify::Args::of(args.paths))
}
