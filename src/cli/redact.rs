//! `aerscope redact FILE`: a projection of one receipt, fit to be published.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use aerscope::aer1::json::{self, Doc};
use aerscope::aer1::report::{Headline, Note, Place, Report};
use aerscope::aer1::verify::{Opened, Options, Verifier};
use aerscope::config::Limits;
use aerscope::make::json::Json;
use aerscope::make::place::write_new;
use aerscope::make::redact::{self, Act, Projection, Refused, Rule, project};
use aerscope::output::sentence;
use aerscope::text;

use super::emit::not_written;
use super::values::size;
use super::verify::input;
use super::{Exit, Outcome, Refusal, deliver, show, tell};

const NOTES: &str = "\
The projection keeps the receipt's members, except for the bytes and their length, and what is dropped or masked. Id, \
version, time, tool, class and status are always kept. The hash of the original bytes is named original_output_hash, \
projection_of repeats the id, and projection_hash is the SHA-256 of the projection itself: its members sorted, no white \
space, without that one member. No verifier can check a projection against the original hash: it is unavailable, and \
aerscope says so.

Where the committed bytes are JSON they stand decoded under content, so /content/inputs leads to the inputs that were \
committed. Other bytes are left out altogether. A pointer on the command line that leads to nothing is refused; one in a \
policy is told. A policy is TOML: drop = [\"/content/inputs\"] and mask = [\"/content/output/name\"].

original_output_hash lets anyone confirm a guess: where little was removed, what it was can be found by trying. What was \
removed is said on standard error. A record that fails is refused, since its projection would no longer show that.

Exit status: 0 written, 2 usage error, a record that is no receipt or fails, or it cannot be written.";

/// Make a redacted projection of one receipt: members removed or masked, the original hash kept under its own name
#[derive(Debug, clap::Args)]
#[command(after_help = NOTES)]
pub struct Args {
    /// The file; `-` is standard input. It is not changed
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Remove what stands at this JSON pointer, name and all; repeat it for more
    #[arg(long, value_name = "POINTER")]
    drop: Vec<String>,
    /// Put "[masked]" in the place of what stands at this JSON pointer; repeat it for more
    #[arg(long, value_name = "POINTER")]
    mask: Vec<String>,
    /// A TOML file with the lists drop and mask
    #[arg(long, value_name = "FILE")]
    policy: Option<PathBuf>,
    /// Which record of the file: `#3` (array element, from 0), `:12` (line, from 1) or `:12#0`
    #[arg(long, value_name = "PLACE", value_parser = show::place)]
    record: Option<Place>,
    /// Write it into this new file; nothing is overwritten. Otherwise it goes to standard output
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Largest file: bytes, or a number with K, M or G
    #[arg(long, value_name = "SIZE", value_parser = size)]
    max_size: Option<u64>,
}

/// What a policy file says. An unknown name is an error: a misspelt one would leave everything in.
#[derive(Debug, Default, serde::Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Policy {
    drop: Vec<String>,
    mask: Vec<String>,
}

/// Makes the projection.
pub fn run(args: &Args) -> Outcome {
    if let Some(out) = &args.out
        && std::fs::symlink_metadata(out).is_ok()
    {
        return Err(not_written(out, &ErrorKind::AlreadyExists.into()));
    }
    let mut rules = rules(&args.drop, &args.mask, &|pointer, why| {
        Refusal::new(format!("{} cannot be redacted: {why}", text::shown_cut(pointer, 200)))
    })?;
    let named = rules.len();
    if let Some(path) = &args.policy {
        let policy = read_policy(path)?;
        rules.extend(self::rules(&policy.drop, &policy.mask, &|pointer, why| {
            Refusal::path(path, &format!("{} cannot be redacted", text::shown_cut(pointer, 200)), why)
        })?);
    }
    let limits = Limits::default();
    let limits = Limits { max_size: args.max_size.unwrap_or(limits.max_size), ..limits };
    let bytes = input::whole(&args.file, &limits)?
        .map_err(|report| Refusal::path(&args.file, &sentence::why(&report), "name a readable receipt"))?;
    let opened = show::open(&args.file, args.record, &bytes)?;
    admit(&args.file, &opened.report)?;
    let projection = project(&own_members(&opened, &bytes), opened.canonical.as_deref(), &rules)
        .map_err(|why| refused(args, why))?;
    for (rule, hit) in rules.iter().zip(&projection.hit).take(named) {
        if !hit {
            return Err(Refusal::path(
                &args.file,
                &format!("there is nothing at {}", text::shown_cut(&rule.pointer, 200)),
                "a pointer that leads to nothing removes nothing, so none was made",
            ));
        }
    }
    if projection.has_content && !projection.hit.contains(&true) {
        return Err(Refusal::path(
            &args.file,
            "nothing would be removed of what was committed",
            "name it with --drop or --mask; --drop /content removes all of it",
        ));
    }
    let document = text::json_shown(&projection.json.pretty());
    check(args, &document)?;
    match &args.out {
        Some(path) => write_new(path, document.as_bytes()).map_err(|error| not_written(path, &error))?,
        None => deliver(document.as_bytes(), "the projection is not kept anywhere")?,
    }
    say_what_went(&opened, &rules, &projection);
    Ok(Exit::Good)
}

fn rules(drop: &[String], mask: &[String], refuse: &dyn Fn(&str, &str) -> Refusal) -> Result<Vec<Rule>, Refusal> {
    let drop = drop.iter().map(|pointer| (Act::Drop, pointer));
    let mask = mask.iter().map(|pointer| (Act::Mask, pointer));
    drop.chain(mask).map(|(act, pointer)| Rule::new(act, pointer).map_err(|why| refuse(pointer, &why))).collect()
}

fn read_policy(path: &Path) -> Result<Policy, Refusal> {
    let text = std::fs::read_to_string(path).map_err(|error| Refusal::io(path, &error, "name a readable policy"))?;
    toml::from_str(&text).map_err(|error| {
        let message = error.message();
        Refusal::path(path, &text::shown_cut(message, 200), "a policy is TOML with the lists drop and mask")
    })
}

/// Only a receipt that does not fail has a projection: one of a failing receipt would no longer show the failure.
fn admit(file: &Path, report: &Report) -> Result<(), Refusal> {
    if !report.kind.is_receipt() {
        return Err(Refusal::path(file, "it is no receipt", "name a file with one, or a record of it with --record"));
    }
    match report.headline {
        Headline::Verified | Headline::Intact | Headline::Unavailable | Headline::Unsupported => Ok(()),
        _ => Err(Refusal::path(
            file,
            &sentence::why(report),
            "its projection would no longer show that, so none was made",
        )),
    }
}

/// The receipt's own members, out of its wrapper.
fn own_members(opened: &Opened, text: &[u8]) -> Vec<(String, Json)> {
    let mut doc = Doc::new();
    let member = |(name, span): &(String, std::ops::Range<usize>)| {
        let raw = text.get(span.clone())?;
        json::parse(raw, Limits::default().max_depth, &mut doc).ok()?;
        Some((name.clone(), redact::of(doc.root(raw)?)))
    };
    opened.members.iter().filter_map(member).collect()
}

fn refused(args: &Args, why: Refused) -> Refusal {
    let next = "none was made";
    match why {
        Refused::Again => Refusal::path(&args.file, "it is a projection already", "redact the original"),
        Refused::NoId => Refusal::path(&args.file, "it has no id to be the projection of", next),
        Refused::Name(name) => {
            Refusal::path(&args.file, &format!("it has a member {name}, which a projection needs for itself"), next)
        }
        Refused::StillThere => Refusal::path(
            &args.file,
            "the original bytes stand in it a second time, under another name",
            "drop that member as well",
        ),
    }
}

/// What is written must be what it says it is.
fn check(args: &Args, document: &str) -> Result<(), Refusal> {
    let mut reports: Vec<Report> = Vec::new();
    Verifier::new(Options::default()).text(document.as_bytes(), &mut |report| reports.push(report));
    match reports.as_slice() {
        [report]
            if matches!(report.headline, Headline::Unavailable | Headline::Unsupported)
                && report.notes.iter().any(|n| matches!(n, Note::Projection { .. })) =>
        {
            Ok(())
        }
        [report, ..] => Err(Refusal::path(
            &args.file,
            &format!("what is left would not be a projection: {}", sentence::why(report)),
            "leave that member as it is, or drop it",
        )),
        [] => Err(Refusal::path(&args.file, "what is left would not be a projection", "none was made")),
    }
}

/// Tells what is not in the projection any more.
fn say_what_went(opened: &Opened, rules: &[Rule], projection: &Projection) {
    for name in &projection.gone {
        match (*name, opened.report.bytes.length) {
            ("canonical_bytes", Some(length)) => {
                let what =
                    if projection.has_content { "their JSON stands under content" } else { "they are no JSON object" };
                tell(&format!("removed canonical_bytes ({}; {what})", sentence::bytes_count(length)));
            }
            _ => tell(&format!("removed {name}")),
        }
    }
    for (rule, hit) in rules.iter().zip(&projection.hit) {
        let pointer = text::shown_cut(&rule.pointer, 200);
        match (hit, rule.act) {
            (false, _) => tell(&format!("nothing at {pointer}, which the policy names")),
            (true, Act::Drop) => tell(&format!("removed {pointer}")),
            (true, Act::Mask) => tell(&format!("masked {pointer}")),
        }
    }
}
