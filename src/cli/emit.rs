//! `aerscope emit`: standard input becomes the canonical bytes of a new receipt.

use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use aerscope::aer1::grammar::{self, Moment};
use aerscope::aer1::report::{Headline, Report};
use aerscope::aer1::verify::{Options, Verifier};
use aerscope::aer1::words::Class;
use aerscope::make::place::write_new;
use aerscope::make::receipt::Parts;
use aerscope::output::sentence;
use aerscope::text;

use super::refuse::plain_io;
use super::{Exit, Outcome, Refusal, deliver, say, tell};

const NOTES: &str = "\
The bytes are committed as they are: nothing is parsed, sorted or trimmed, and a final line feed counts. They must be \
UTF-8. The receipt is one line of JSON, of schema version 0.3 and complete; it verifies here, or is not written. \
provenance is one of: EXECUTED BY and a name in capitals, OBSERVED VIA GATEWAY, LOGGED BY AGENT. Say what is true of \
this call: nothing here can check it.

Exit status: 0 written, 2 usage error, or it cannot be written.";

/// Make a receipt of standard input: its bytes are committed, the options label them
#[derive(Debug, clap::Args)]
#[command(after_help = NOTES)]
pub struct Args {
    /// The tool that was called
    #[arg(long, value_name = "NAME", value_parser = non_empty)]
    tool: String,
    /// The tool's version
    #[arg(long, value_name = "VERSION", value_parser = non_empty)]
    tool_version: String,
    /// The scope of the call
    #[arg(long, value_name = "SCOPE", value_parser = non_empty)]
    scope: String,
    /// Who stands for what happened
    #[arg(long, value_name = "CLASS", value_parser = provenance)]
    provenance: String,
    /// The receipt's id, a lowercase UUID; a new one of version 4 unless given
    #[arg(long, value_name = "ID", value_parser = id)]
    id: Option<String>,
    /// When the call was made; now unless given
    #[arg(long, value_name = "TIME", value_parser = time)]
    created_at: Option<String>,
    /// What links the attempts of one call: the member correlation_id, a label that the hash does not cover
    #[arg(long, value_name = "TEXT", value_parser = non_empty)]
    correlation: Option<String>,
    /// Write it into this folder, as ID.json, and print the path; nothing is overwritten. Otherwise it goes to standard
    /// output
    #[arg(long, value_name = "DIR")]
    into: Option<PathBuf>,
}

fn non_empty(text: &str) -> Result<String, String> {
    if text.is_empty() { Err("it must not be empty".to_owned()) } else { Ok(text.to_owned()) }
}

fn provenance(text: &str) -> Result<String, String> {
    match grammar::is_provenance(text) {
        true => Ok(text.to_owned()),
        false => Err("it is EXECUTED BY and a name in capitals, OBSERVED VIA GATEWAY, or LOGGED BY AGENT".to_owned()),
    }
}

fn id(text: &str) -> Result<String, String> {
    match grammar::id(text) {
        Ok(()) => Ok(text.to_owned()),
        Err(Class::IdNil) => Err("the nil UUID names nothing".to_owned()),
        Err(_) => Err("an id is a lowercase UUID with its hyphens".to_owned()),
    }
}

fn time(text: &str) -> Result<String, String> {
    match grammar::moment(text) {
        Ok(_) => Ok(text.to_owned()),
        Err(Class::TimeCalendar) => Err("there is no such moment".to_owned()),
        Err(_) => {
            Err("a time is YYYY-MM-DDTHH:MM:SS, perhaps a fraction, and Z or an offset such as +02:00".to_owned())
        }
    }
}

/// Makes the receipt.
pub fn run(args: &Args) -> Outcome {
    let mut bytes = Vec::new();
    io::stdin().lock().read_to_end(&mut bytes).map_err(|error| {
        Refusal::new(format!("standard input cannot be read: {}; nothing was made", plain_io(&error)))
    })?;
    if let Err(error) = std::str::from_utf8(&bytes) {
        return Err(Refusal::new(format!(
            "standard input is not UTF-8 at byte {}; a receipt commits text only",
            error.valid_up_to()
        )));
    }
    let parts = Parts {
        id: args.id.clone().unwrap_or_else(|| uuid::Uuid::new_v4().to_string()),
        version: "0.3".to_owned(),
        created: args.created_at.clone().unwrap_or_else(|| Moment::of(SystemTime::now()).to_string()),
        tool: args.tool.clone(),
        tool_version: args.tool_version.clone(),
        scope: args.scope.clone(),
        provenance: args.provenance.clone(),
    };
    let mut receipt = parts.published(&bytes);
    if let Some(correlation) = &args.correlation {
        receipt.add("correlation_id", correlation.as_str());
    }
    let mut line = text::json_shown(&receipt.compact());
    line.push('\n');
    check(&line)?;
    match &args.into {
        Some(folder) => {
            let path = folder.join(format!("{}.json", parts.id));
            write_new(&path, line.as_bytes()).map_err(|error| not_written(&path, &error))?;
            say(&format!("{}\n", text::shown_path(&path)))?;
        }
        None => deliver(line.as_bytes(), "the receipt is not kept anywhere")?,
    }
    Ok(Exit::Good)
}

/// The sentence for a new file that was not written.
pub fn not_written(path: &Path, error: &io::Error) -> Refusal {
    match error.kind() {
        ErrorKind::AlreadyExists => Refusal::path(path, "it is there already", "nothing is overwritten"),
        ErrorKind::NotFound => Refusal::path(path, "its folder is not there", "name a folder that is"),
        _ => Refusal::io(path, error, "name a place that can be written"),
    }
}

/// A receipt that does not verify is not written: what the bytes commit may contradict the labels.
fn check(line: &str) -> Result<(), Refusal> {
    let mut reports: Vec<Report> = Vec::new();
    Verifier::new(Options::default()).text(line.as_bytes(), &mut |report| reports.push(report));
    match reports.as_slice() {
        [report] if report.headline == Headline::Verified => {}
        [report, ..] => {
            return Err(Refusal::new(format!(
                "the receipt would not verify: {}; nothing was written",
                sentence::why(report)
            )));
        }
        [] => return Err(Refusal::new("the receipt would not be one; nothing was written")),
    }
    if line.len() as u64 > aerscope::config::Limits::default().max_size {
        tell("the receipt is over 64 MiB; to read it verify needs --max-size");
    }
    Ok(())
}
