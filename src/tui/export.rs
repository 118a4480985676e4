//! Records written as a report to a file of the operator's, in the formats of `verify`. Every record is read and
//! verified again for it; the file must not exist, and never lies in the folder that is watched.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{self, BufWriter, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use super::source::is_below;
use crate::aer1::grammar::Moment;
use crate::aer1::report::{Headline, Note, Place, Report};
use crate::aer1::verify::Options;
use crate::config::Limits;
use crate::folder::file::{Ask, Ending, FileVerifier};
use crate::folder::read::At;
use crate::output::html::Html;
use crate::output::jsonl;
use crate::output::junit::Junit;
use crate::output::markdown::Markdown;
use crate::output::plain::{self, Paint};
use crate::output::sentence;
use crate::output::tally::Tally;
use crate::store::{Chain, RowState};
use crate::text;

/// How a report is written. The end of the file's name decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// `.txt`: a block a record.
    Text,
    /// `.jsonl`, `.ndjson`: one JSON object a line.
    Jsonl,
    /// `.xml`: JUnit.
    Junit,
    /// `.html`, `.htm`: one page.
    Html,
    /// `.md`: a summary.
    Markdown,
}

/// What to say about the ends of names.
pub const ENDS: &str = ".txt .jsonl .xml (JUnit) .html .md";

impl Format {
    /// The format of a file of this name.
    pub fn of(path: &Path) -> Option<Format> {
        let end = path.extension()?.to_str()?.to_ascii_lowercase();
        Some(match end.as_str() {
            "txt" => Format::Text,
            "jsonl" | "ndjson" => Format::Jsonl,
            "xml" => Format::Junit,
            "html" | "htm" => Format::Html,
            "md" => Format::Markdown,
            _ => return None,
        })
    }
}

/// One record to write: its file, its place in it, and what the folder says about it.
pub type Wanted = (Arc<Path>, Place, Vec<Note>);

/// A retry chain to draw on a page, and where each of its attempts stands.
#[derive(Clone, Debug)]
pub struct Drawn {
    /// What links the attempts, and what was known of them when the report was asked for.
    pub chain: Chain,
    /// File and place of each attempt, in their order.
    pub at: Vec<(Arc<Path>, Place)>,
}

/// What to write, and where.
#[derive(Clone, Debug)]
pub struct Job {
    /// The file to make.
    pub to: PathBuf,
    /// The folder or file that is watched.
    pub watched: Option<PathBuf>,
    /// The records, in the order of the report.
    pub records: Vec<Wanted>,
    /// The retry chains that these records stand in; only a page draws them.
    pub chains: Vec<Drawn>,
}

/// Writes a report; says in one escaped sentence what came of it.
///
/// # Errors
/// The sentence, when nothing was written.
pub fn write(job: &Job, options: &Options, limits: &Limits) -> Result<String, String> {
    let shown = text::shown_path(&job.to).into_owned();
    let Some(format) = Format::of(&job.to) else {
        return Err(format!("not written: the name must end in one of {ENDS}"));
    };
    if inside(&job.to, job.watched.as_deref()) {
        return Err(format!("not written: {shown} is in the watched folder, which is only read"));
    }
    let failed = |error: io::Error| match error.kind() {
        io::ErrorKind::AlreadyExists => format!("not written: {shown} is there already"),
        _ => format!("not written: {shown}: {}", text::shown_display(&error)),
    };
    let file = File::options().write(true).create_new(true).open(&job.to).map_err(failed)?;
    let written = report(job, format, options, limits, file);
    if written.is_err() {
        // It was made here, and holds half a report.
        let _left = std::fs::remove_file(&job.to);
    }
    let (wrote, left) = written.map_err(failed)?;
    let noun = if wrote == 1 { "record" } else { "records" };
    let rest = if left == 0 { String::new() } else { format!("; {left} left out, gone or being written") };
    Ok(format!("wrote {wrote} {noun} to {shown}{rest}"))
}

/// Whether a path lies in what is watched, by its real place and as it is written.
fn inside(to: &Path, watched: Option<&Path>) -> bool {
    let written = |path: &Path| std::path::absolute(path).ok();
    let below = watched.and_then(|root| Some(written(to)?.starts_with(written(root)?))).unwrap_or(false);
    below || is_below(to, watched)
}

struct Sink {
    out: BufWriter<File>,
    tally: Tally,
    junit: Junit,
    html: Html,
    markdown: Markdown,
    format: Format,
}

impl Sink {
    fn record(&mut self, path: &Path, report: &Report, notes: &[Note]) -> io::Result<()> {
        self.tally.add(report.headline);
        match self.format {
            Format::Text => plain::write(&mut self.out, Paint::default(), path, report, notes)?,
            Format::Jsonl => jsonl::write(&mut self.out, path, report, notes)?,
            Format::Junit => self.junit.record(path, report, notes, false),
            Format::Html => self.html.record(path, report, notes),
            Format::Markdown => self.markdown.record(path, report, notes),
        }
        Ok(())
    }

    fn finish(mut self) -> io::Result<()> {
        let (out, tally) = (&mut self.out, &self.tally);
        match self.format {
            Format::Text => plain::totals(out, tally)?,
            Format::Jsonl => {}
            Format::Junit => self.junit.finish(out, tally)?,
            Format::Html => self.html.finish(out, tally, Some(Moment::of(SystemTime::now())))?,
            Format::Markdown => self.markdown.finish(out, tally)?,
        }
        self.out.flush()
    }
}

/// Writes the records; returns how many, and how many were not there to be written.
fn report(job: &Job, format: Format, options: &Options, limits: &Limits, file: File) -> io::Result<(u64, u64)> {
    let options = Options { canonical_form: true, now: Some(Moment::of(SystemTime::now())), ..options.clone() };
    let mut verifier = FileVerifier::new(options, limits.max_size);
    let mut sink = Sink {
        out: BufWriter::with_capacity(1 << 16, file),
        tally: Tally::default(),
        junit: Junit::default(),
        html: Html::default(),
        markdown: Markdown::default(),
        format,
    };
    let drawn = if format == Format::Html { job.chains.as_slice() } else { &[] };
    // A file is read once, however many of its records are wanted.
    let mut places: BTreeMap<&Path, BTreeSet<Place>> = BTreeMap::new();
    let in_chains = drawn.iter().flat_map(|drawn| drawn.at.iter().map(|(path, place)| (path, place)));
    for (path, place) in job.records.iter().map(|(path, place, _)| (path, place)).chain(in_chains.clone()) {
        places.entry(path).or_default().insert(*place);
    }
    let mut read: BTreeMap<&Path, BTreeMap<Place, Report>> = BTreeMap::new();
    let mut heads: BTreeMap<(&Path, Place), Headline> = BTreeMap::new();
    let (mut wrote, mut left) = (0u64, 0u64);
    for (path, place, notes) in &job.records {
        let reports = read
            .entry(path)
            .or_insert_with(|| places.get(&**path).map(|wanted| look(&mut verifier, path, wanted)).unwrap_or_default());
        match reports.remove(place) {
            Some(mut report) => {
                heads.insert((path, *place), report.headline);
                lower(&mut report, notes);
                sink.record(path, &report, notes)?;
                wrote += 1;
            }
            None => left += 1,
        }
    }
    // What an attempt's bytes say now, not what was known of it.
    for (path, place) in in_chains {
        let reports = read
            .entry(path)
            .or_insert_with(|| places.get(&**path).map(|wanted| look(&mut verifier, path, wanted)).unwrap_or_default());
        if let Some(report) = reports.remove(place) {
            heads.insert((path, *place), report.headline);
        }
    }
    for Drawn { chain, at } in drawn {
        let mut chain = chain.clone();
        for (attempt, (path, place)) in chain.attempts.iter_mut().zip(at) {
            match heads.get(&(&**path, *place)) {
                Some(headline) => (attempt.headline, attempt.state) = (*headline, RowState::Known),
                None => attempt.state = RowState::Removed,
            }
        }
        let at: Vec<String> = at.iter().map(|(path, place)| sentence::at(path, *place)).collect();
        sink.html.chain(&chain, &at);
    }
    sink.finish()?;
    Ok((wrote, left))
}

/// A failing step that is present lowers its workflow (rules §7), as it does in the list; nothing else moves a headline.
fn lower(report: &mut Report, notes: &[Note]) {
    let fails = notes.iter().any(|note| matches!(note, Note::StepsPresent { failing, .. } if *failing > 0));
    if fails && report.headline.weakness() < Headline::Unavailable.weakness() {
        report.headline = Headline::Unavailable;
    }
}

/// The wanted records of one file, as they are now.
fn look(verifier: &mut FileVerifier, path: &Path, wanted: &BTreeSet<Place>) -> BTreeMap<Place, Report> {
    let mut found = BTreeMap::new();
    let ask = Ask { final_look: true, ..Ask::default() };
    let mut take = |fresh: bool, records: Vec<Report>| {
        if fresh {
            found.clear();
        }
        found.extend(records.into_iter().filter(|one| wanted.contains(&one.place)).map(|one| (one.place, one)));
    };
    let ending = verifier.verify(At::path(path), ask, &mut |part| {
        take(part.fresh, part.records);
        true
    });
    if let Ending::Read(read) = ending {
        take(read.part.fresh, read.part.records);
    }
    found
}

/// Starts to write in a thread of its own.
///
/// # Errors
/// When the system gives no thread.
pub fn start(
    job: Job,
    options: Options,
    limits: Limits,
    told: impl FnOnce(Result<String, String>) + Send + 'static,
) -> io::Result<()> {
    let body = move || told(write(&job, &options, &limits));
    std::thread::Builder::new().name("export".to_owned()).spawn(body).map(drop)
}

/// What the prompt says about the records that will be written.
pub fn asked(count: usize) -> String {
    let noun = if count == 1 { "record" } else { "records" };
    format!("{} {noun} · {ENDS} · not in the watched folder", super::view::draw::count(count as u64))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::detail::sample;

    fn job(dir: &Path, to: &str) -> Job {
        let watched = dir.join("watched");
        std::fs::create_dir_all(&watched).unwrap();
        let records = ["a.json", "b.json"].map(|name| {
            let path = watched.join(name);
            std::fs::write(&path, sample::receipt(name.as_bytes(), |text| text)).unwrap();
            (Arc::from(path), Place::WHOLE, Vec::new())
        });
        Job { to: dir.join(to), watched: Some(watched), records: records.to_vec(), chains: Vec::new() }
    }

    fn done(job: &Job) -> Result<String, String> {
        write(job, &Options::default(), &Limits::default())
    }

    #[test]
    fn every_format_is_written_and_nothing_is_overwritten() {
        let dir = tempfile::tempdir().unwrap();
        for (name, begins) in [("r.txt", ""), ("r.jsonl", "{\""), ("r.xml", "<?xml"), ("r.html", "<!"), ("r.md", "#")] {
            let job = job(dir.path(), name);
            let said = done(&job).unwrap();
            assert!(said.starts_with("wrote 2 records"), "{said}");
            let text = std::fs::read_to_string(&job.to).unwrap();
            assert!(text.starts_with(begins) && text.contains("a.json") || name == "r.md", "{name}: {text}");
            assert!(done(&job).unwrap_err().contains("there already"));
            assert_eq!(std::fs::read_to_string(&job.to).unwrap(), text);
        }
        let lines = std::fs::read_to_string(dir.path().join("r.jsonl")).unwrap();
        assert!(lines.lines().all(|line| line.contains("\"headline\":\"verified\"")), "{lines}");
    }

    #[test]
    fn the_watched_folder_is_never_written_to() {
        let dir = tempfile::tempdir().unwrap();
        let mut job = job(dir.path(), "watched/report.txt");
        std::os::unix::fs::symlink(dir.path().join("watched"), dir.path().join("link")).unwrap();
        for to in ["watched/report.txt", "link/report.txt", "watched/new/report.txt"] {
            job.to = dir.path().join(to);
            assert!(done(&job).unwrap_err().contains("in the watched folder"), "{to}");
        }
        job.to = dir.path().join("report.doc");
        assert!(done(&job).unwrap_err().contains(".jsonl"));
        assert_eq!(std::fs::read_dir(dir.path().join("watched")).unwrap().count(), 2);
    }

    #[test]
    fn what_is_gone_is_counted() {
        let dir = tempfile::tempdir().unwrap();
        let job = job(dir.path(), "r.txt");
        std::fs::remove_file(&*job.records[0].0).unwrap();
        assert!(done(&job).unwrap().contains("wrote 1 record to"));
    }
}
