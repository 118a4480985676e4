//! `aerscope explain`: what a headline or a class means, and what to do next.

use aerscope::output::explain;
use aerscope::text;

use super::{Exit, Outcome, Refusal, say};

/// Explain a headline or a class: what it means, what to do next, and the rule it comes from
#[derive(Debug, clap::Args)]
pub struct Args {
    /// A machine string such as `mismatch` or `digest_mismatch`; without one, the table of all
    #[arg(value_name = "CLASS|HEADLINE")]
    word: Option<String>,
    /// The whole table as Markdown
    #[arg(long, conflicts_with = "word")]
    markdown: bool,
}

/// Prints the explanation.
pub fn run(args: &Args) -> Outcome {
    match &args.word {
        _ if args.markdown => say(&explain::markdown())?,
        None => say(&explain::table())?,
        Some(word) => match explain::about(word) {
            Some(about) => say(&about)?,
            None => {
                return Err(Refusal::new(format!(
                    "{} is neither a class nor a headline; aerscope explain lists them all",
                    text::shown_cut(word, 200)
                )));
            }
        },
    }
    Ok(Exit::Good)
}
