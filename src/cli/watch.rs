//! `aerscope watch DIR`: follow a folder without a terminal, one JSON line for each thing that happens to a record.

use std::io::{self, BufWriter, Write};
use std::path::PathBuf;
use std::sync::mpsc::RecvTimeoutError;
use std::time::{Duration, SystemTime};

use aerscope::aer1::grammar::Moment;
use aerscope::aer1::report::{Bytes, Report};
use aerscope::aer1::verify::Options;
use aerscope::config::{Limits, Watching};
use aerscope::folder::{Folder, OpenError, Setup};
use aerscope::output::jsonl;
use aerscope::record::{Change, Event, Mode};
use aerscope::store::{Happening, MAX_TEXT, RowId, RowRef, Store};
use aerscope::text;

use super::ending::Ending;
use super::refuse::plain_io;
use super::values::size;
use super::{Exit, Outcome, Refusal, tell, written};

const NOTES: &str = "\
Each line has the keys of verify's JSON Lines, and: seq (from 1, one more each line), event (arrived; rewritten: other \
content; changed: whole now, where it could not be read or was cut off before; removed), at (when it was noticed, UTC). What is \
in the folder at the start arrives first, in no particular order. The line of a removed record says what was known of \
it, without created_at and the hashes. A file that is being written has no line until it is whole. A record's line is \
not repeated when a later one turns out to be its copy or to share its id: the later line says so.

It goes on until SIGINT, SIGTERM or SIGHUP, or until standard output is closed. Exit status: 0 it was ended, 1 with \
--until-failing a record fails, 2 usage error, or it cannot start.";

/// How often to look whether to end, while nothing happens.
const GLANCE: Duration = Duration::from_millis(100);

/// Follow a folder without a terminal: one JSON line per record as it arrives, changes, is rewritten or removed
#[derive(Debug, clap::Args)]
#[command(after_help = NOTES)]
pub struct Args {
    /// The folder, or a single file
    #[arg(value_name = "DIR")]
    dir: PathBuf,
    /// End with exit status 1 after the line of the first record that fails (malformed or mismatch), those that are
    /// there at the start included
    #[arg(long)]
    until_failing: bool,
    /// Take every file of the folder, whatever its name
    #[arg(long)]
    all: bool,
    /// Largest file, or line of a line-wise file: bytes, or a number with K, M or G
    #[arg(long, value_name = "SIZE", value_parser = size)]
    max_size: Option<u64>,
    /// Keep at most this many rows in memory: past it removed ones leave first, then the oldest, failing ones last
    #[arg(long, value_name = "N", value_parser = super::values::rows)]
    rows: Option<usize>,
    /// Leave out files of the folder last modified before this: a time, or a number with s, m, h, d or w before now.
    /// It decides when a file is first seen; one that was taken is followed
    #[arg(long, value_name = "DURATION|TIME", value_parser = super::values::since, allow_hyphen_values = true)]
    since: Option<i64>,
    /// A field that links attempts: a member name or a JSON pointer; repeat it for more, first found wins
    #[arg(long, value_name = "FIELD")]
    correlation: Vec<String>,
    /// List the folder every two seconds instead of waiting to be told of changes
    #[arg(long)]
    poll: bool,
}

/// Why the watching came to an end.
enum End {
    Failing,
    Closed(io::Error),
}

/// Follows the folder.
pub fn run(args: &Args) -> Outcome {
    let ending = Ending::listen()
        .map_err(|error| Refusal::new(format!("signals cannot be listened for: {}; run it again", plain_io(&error))))?;
    let limits = Limits::default();
    let limits = Limits {
        max_size: args.max_size.unwrap_or(limits.max_size),
        max_rows: args.rows.unwrap_or(limits.max_rows),
        ..limits
    };
    let max_rows = limits.max_rows;
    let options = Options::default();
    let options = Options {
        now: Some(Moment::of(SystemTime::now())),
        max_depth: limits.max_depth,
        correlation: if args.correlation.is_empty() { options.correlation } else { args.correlation.clone() },
        canonical_form: true,
        ..options
    };
    let watching = Watching { all: args.all, poll: args.poll, since: args.since, ..Watching::default() };
    let setup = Setup { root: args.dir.clone(), options, limits, watching, follow: true };
    let (_folder, events) = Folder::open(setup).map_err(|error| refused(args, &error))?;
    let mut stream = Stream::new(args.until_failing, max_rows);
    let mut shut = false;
    loop {
        if ending.is_due() {
            return Ok(Exit::Good);
        }
        let event = match events.recv_timeout(GLANCE) {
            Ok(event) => event,
            Err(RecvTimeoutError::Timeout) => continue,
            Err(RecvTimeoutError::Disconnected) => {
                return Err(Refusal::path(&args.dir, "following it came to an unexpected end", "run it again"));
            }
        };
        match event {
            Event::Batch(changes) => match stream.take(changes) {
                Ok(()) => {}
                Err(End::Failing) => return Ok(Exit::Failing),
                Err(End::Closed(error)) => return written(Err(error)).map(|()| Exit::Good),
            },
            Event::Mode(Mode::Polling(why)) if !args.poll => {
                shut = false;
                tell(&format!("the folder is listed every two seconds: {}", text::shown(&why)));
            }
            Event::Mode(Mode::Offline) => {
                let what = if shut { "it cannot be listed; it is tried" } else { "it is gone; it is looked for" };
                tell(&format!("{}: {what} every second", text::shown_path(&args.dir)));
            }
            Event::Trouble { path, what } => {
                shut |= *path == *args.dir;
                tell(&format!("{}: {}", text::shown_path(path.as_os_str()), text::shown(&what)));
            }
            Event::Mode(_) => shut = false,
            Event::Progress { .. } | Event::Scanned(_) => {}
        }
    }
}

fn refused(args: &Args, error: &OpenError) -> Refusal {
    match error {
        OpenError::Path { source, .. } => Refusal::io(&args.dir, source, "name a folder that is there"),
        OpenError::Kind { .. } => Refusal::path(&args.dir, "it is neither a folder nor a file", "name a folder"),
        OpenError::Thread(source) => {
            Refusal::new(format!("no thread can be started: {}; run it again", plain_io(source)))
        }
    }
}

/// Turns changes into lines.
struct Stream {
    store: Store,
    out: BufWriter<io::Stdout>,
    seq: u64,
    until_failing: bool,
    max_rows: usize,
}

impl Stream {
    fn new(until_failing: bool, max_rows: usize) -> Stream {
        let out = BufWriter::with_capacity(1 << 16, io::stdout());
        Stream { store: Store::new(), out, seq: 0, until_failing, max_rows }
    }

    /// Writes the lines of a batch, and out with them: what is known is not held back.
    fn take(&mut self, changes: Vec<Change>) -> Result<(), End> {
        let now = Moment::of(SystemTime::now());
        let mut happened = Vec::new();
        for change in changes {
            // The store wants the change, the lines want its reports.
            let records = match &change {
                Change::Read(read) => read.records.clone(),
                _ => Vec::new(),
            };
            happened.clear();
            self.store.apply_into(change, now, &mut happened);
            let mut from = 0;
            for happening in &happened {
                let ended = self.one(*happening, &records, &mut from, now);
                if let Err(End::Failing) = ended {
                    self.out.flush().map_err(End::Closed)?;
                }
                ended?;
            }
        }
        self.store.keep_within(self.max_rows);
        self.out.flush().map_err(End::Closed)
    }

    /// Writes the line of one happening. `from` is where in `records` its report is looked for first: both are in the
    /// order of the file.
    fn one(&mut self, happening: Happening, records: &[Report], from: &mut usize, now: Moment) -> Result<(), End> {
        let event = match happening {
            Happening::Arrived(_) => "arrived",
            Happening::Changed(_) => "changed",
            Happening::Rewritten(_) => "rewritten",
            Happening::Removed(_) => "removed",
            Happening::Writing(_) => return Ok(()),
        };
        let Some(row) = self.store.row(happening.row()) else { return Ok(()) };
        let mut report = match happening {
            Happening::Removed(_) => last_known(&row),
            _ => {
                let is_its = |r: &Report| r.place == row.place;
                let ahead = records.iter().skip(*from).position(is_its).map(|at| at + *from);
                let Some(at) = ahead.or_else(|| records.iter().position(is_its)) else { return Ok(()) };
                *from = at + 1;
                let Some(report) = records.get(at) else { return Ok(()) };
                report.clone()
            }
        };
        // A failing step that is present lowers its workflow; nothing else moves a headline.
        report.headline = row.headline;
        let line = self.line(&row, &report, event, now);
        let written = self.out.write_all(line.as_bytes());
        self.seq += 1;
        written.map_err(End::Closed)?;
        let fails = report.headline.is_failing() && !matches!(happening, Happening::Removed(_));
        if self.until_failing && fails { Err(End::Failing) } else { Ok(()) }
    }

    fn line(&self, row: &RowRef<'_>, report: &Report, event: &str, now: Moment) -> String {
        let mut line = String::with_capacity(1024);
        let id: RowId = row.id;
        jsonl::members(&mut line, &row.path, report, &self.store.notes(id));
        line.push_str(&format!(",\"seq\":{},\"event\":\"{event}\",\"at\":\"{now}\"}}\n", self.seq + 1));
        line
    }
}

/// What a row still says of a record that is gone. Texts that were cut when they were stored are left out: a line is
/// exact or silent.
fn last_known(row: &RowRef<'_>) -> Report {
    let exact = |text: &str| (!text.is_empty() && text.len() <= MAX_TEXT).then(|| text.to_owned());
    let mut report = Report::empty(row.place, row.kind, row.headline);
    report.class = row.class;
    report.id = exact(&row.receipt_id);
    report.version = exact(row.version);
    report.tool = exact(row.tool);
    report.provenance = exact(row.provenance);
    report.verification_status = exact(row.verification_status);
    report.status = exact(row.status);
    report.bytes = Bytes { state: row.bytes, length: row.bytes_len, declared: None, recomputed: None };
    report.shape = row.shape;
    report.labels = row.labels;
    report.id_state = row.id_state;
    report.anchor = row.anchor;
    report
}
