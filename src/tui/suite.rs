//! A suite of test vectors, run in a thread of its own, again whenever one of its files changes.
//!
//! The thread holds the suite; the console holds what came out of it and asks for one record at a time, the newest
//! request wins. It looks at the files once a second and ends with its handle.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, SystemTime};

use super::detail::{Loaded, OpenRecord};
use crate::aer1::grammar::Moment;
use crate::aer1::report::{Class, Fault, Place};
use crate::aer1::verify::{Options, Verifier};
use crate::config::Limits;
use crate::make::corpus;
use crate::text;
use crate::vectors::suite::Layout;
use crate::vectors::{self, Input, Outcome, Suite};

/// How often the files are looked at.
const LOOK: Duration = Duration::from_secs(1);
/// Bytes shown before and after the first one that differs.
const AROUND: (usize, usize) = (12, 24);

/// Which suite to run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Which {
    /// The suite at this path, or the vectors that are built in.
    Of(Option<PathBuf>),
    /// The folder that is followed when it is a suite, else `./vectors`, else what is built in.
    Near(Option<PathBuf>),
}

/// What the console asks of the thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ask {
    /// Run everything again.
    Run,
    /// Open the record of the outcome with this number in the last run.
    Show(usize),
}

/// One run.
#[derive(Clone, Debug)]
pub struct Ran {
    /// What came out, in the suite's order.
    pub outcomes: Arc<Vec<Outcome>>,
    /// Where the suite is, escaped.
    pub place: String,
    /// How it is laid out.
    pub layout: Layout,
    /// When it ended.
    pub at: Moment,
}

/// What a case's file and its accepted twin have at the first byte in which they differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Apart {
    /// The twin's name, raw.
    pub twin: String,
    /// The offset of that byte; the shorter length when one begins with the other; `None` when they are the same.
    pub at: Option<u64>,
    /// The bytes there, some before it among them: how many, this file's, the twin's.
    pub around: (usize, Vec<u8>, Vec<u8>),
}

/// The record of one case.
#[derive(Clone, Debug)]
pub struct Shown {
    /// The record, for the detail pane.
    pub loaded: Loaded,
    /// Where it differs from its twin, when the suite names one that can be read.
    pub apart: Option<Apart>,
}

/// What the thread tells.
#[derive(Clone, Debug)]
pub enum Told {
    /// A run came to its end.
    Ran(Ran),
    /// The suite cannot be read: where, and why, both escaped.
    Failed(String, String),
    /// The record of the outcome with this number.
    Shown(usize, Box<Shown>),
}

/// The handle of the thread; dropping it ends the thread, without waiting.
pub struct SuiteThread(Sender<Ask>);

impl SuiteThread {
    /// Starts it; the first run begins at once. `deliver` returns false when nobody listens any more.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub fn start(
        which: Which,
        options: Options,
        limits: Limits,
        deliver: impl Fn(Told) -> bool + Send + 'static,
    ) -> std::io::Result<SuiteThread> {
        let (sender, asked) = channel();
        let body = move || {
            let mut runner = Runner { which, options, limits, suite: None, outcomes: Arc::default(), seen: None };
            runner.serve(&asked, &deliver);
        };
        std::thread::Builder::new().name("suite".to_owned()).spawn(body)?;
        Ok(SuiteThread(sender))
    }

    /// Asks for something.
    pub fn ask(&self, ask: Ask) {
        // The thread ends only with this handle, or by a panic that has been told already.
        let _ended = self.0.send(ask);
    }
}

/// What tells whether a suite is still the one that was run: size and time of each of its files and folders.
type Seen = BTreeMap<PathBuf, Option<(u64, SystemTime, u64)>>;

struct Runner {
    which: Which,
    options: Options,
    limits: Limits,
    suite: Option<Suite>,
    outcomes: Arc<Vec<Outcome>>,
    seen: Option<Seen>,
}

impl Runner {
    fn serve(&mut self, asked: &Receiver<Ask>, deliver: &impl Fn(Told) -> bool) {
        let mut run = true;
        loop {
            if run && !deliver(self.run()) {
                return;
            }
            run = false;
            let mut show = None;
            match asked.recv_timeout(LOOK) {
                Ok(Ask::Run) => run = true,
                Ok(Ask::Show(n)) => show = Some(n),
                Err(RecvTimeoutError::Timeout) => run = self.seen.is_some() && self.seen != Some(self.look()),
                Err(RecvTimeoutError::Disconnected) => return,
            }
            while let Ok(ask) = asked.try_recv() {
                match ask {
                    Ask::Run => run = true,
                    Ask::Show(n) => show = Some(n),
                }
            }
            // A number belongs to the run before; after the next one the console asks again.
            if let (Some(n), false) = (show, run)
                && let Some(told) = self.show(n)
                && !deliver(told)
            {
                return;
            }
        }
    }

    fn run(&mut self) -> Told {
        let (path, suite) = open(&self.which);
        let place = path
            .as_deref()
            .map_or_else(|| "the vectors that are built in".to_owned(), |path| text::shown_path(path).into_owned());
        self.suite = None;
        let suite = match suite {
            Ok(suite) => suite,
            Err(why) => {
                self.outcomes = Arc::default();
                // Looked for again: what cannot be read now may be half written.
                self.seen = path.as_deref().map(nearby);
                return Told::Failed(place, why);
            }
        };
        // Before the run: what changes meanwhile is run again.
        self.seen = Some(files(&suite, path.as_deref()));
        let now = Moment::of(SystemTime::now());
        self.outcomes = Arc::new(vectors::run(&suite, &Options { now: Some(now), ..self.options.clone() }));
        let layout = suite.layout;
        self.suite = Some(suite);
        Told::Ran(Ran { outcomes: Arc::clone(&self.outcomes), place, layout, at: Moment::of(SystemTime::now()) })
    }

    fn look(&self) -> Seen {
        self.seen.iter().flat_map(BTreeMap::keys).cloned().map(stamp).collect()
    }

    fn show(&self, n: usize) -> Option<Told> {
        let (suite, outcome) = (self.suite.as_ref()?, self.outcomes.get(n)?);
        let shown = shown(suite, outcome, &self.options, &self.limits);
        Some(Told::Shown(n, Box::new(shown)))
    }
}

/// Opens a suite; its path (`None`: built in), and it or why not, escaped.
fn open(which: &Which) -> (Option<PathBuf>, Result<Suite, String>) {
    let built_in = || Suite::in_memory(corpus::make()).map_err(|error| text::shown_display(&error));
    let at = |path: &Path| Suite::open(path).map_err(|error| text::shown_display(&error));
    match which {
        Which::Of(None) => (None, built_in()),
        Which::Of(Some(path)) => (Some(path.clone()), at(path)),
        Which::Near(path) => {
            let own = Path::new("vectors");
            if let Some((path, suite)) = path.as_ref().and_then(|path| Some((path, Suite::open(path).ok()?)))
                && !suite.cases.is_empty()
            {
                return (Some(path.clone()), Ok(suite));
            }
            if own.is_dir() { (Some(own.to_owned()), at(own)) } else { (None, built_in()) }
        }
    }
}

fn stamp(path: PathBuf) -> (PathBuf, Option<(u64, SystemTime, u64)>) {
    use std::os::unix::fs::MetadataExt as _;
    let about = fs::metadata(&path).ok();
    let about = about.and_then(|about| Some((about.len(), about.modified().ok()?, about.ino())));
    (path, about)
}

/// A path and the first files in it: what may change before it is a suite.
fn nearby(path: &Path) -> Seen {
    let inside = fs::read_dir(path).into_iter().flatten().flatten().take(1_000).map(|entry| entry.path());
    inside.chain([path.to_owned()]).map(stamp).collect()
}

/// The files of a suite's cases and the folders they are in.
fn files(suite: &Suite, path: Option<&Path>) -> Seen {
    let Some(folder) = suite.folder() else { return Seen::new() };
    let mut seen = Seen::new();
    let mut add = |path: PathBuf| {
        if !seen.contains_key(&path) {
            seen.extend([stamp(path)]);
        }
    };
    add(folder.join("index.json"));
    add(folder.to_owned());
    if let Some(path) = path {
        add(path.to_owned());
    }
    for case in &suite.cases {
        let file = folder.join(&case.file);
        if let Some(parent) = file.parent() {
            add(parent.to_owned());
        }
        add(file);
        if let Some(twin) = &case.twin {
            add(folder.join(twin));
        }
    }
    seen
}

/// The record of one outcome, and where its file and the twin's part.
pub fn shown(suite: &Suite, outcome: &Outcome, options: &Options, limits: &Limits) -> Shown {
    let case = &outcome.case;
    let path: Arc<Path> = suite.folder().map_or_else(|| PathBuf::from(&case.file), |dir| dir.join(&case.file)).into();
    let file = suite.read(&case.file);
    let mut verifier = Verifier::new(Options { canonical_form: true, ..options.clone() });
    let (bytes, place) = match (&case.input, &file) {
        (Input::Document(document), _) => (Ok(document.as_slice()), Place::WHOLE),
        (Input::Record, Ok(bytes)) => (Ok(bytes.as_slice()), case.place),
        (Input::Leaves(_), Ok(bytes)) => (Ok(bytes.as_slice()), Place::WHOLE),
        (_, Err(why)) => (Err(why.clone()), case.place),
    };
    let loaded = match bytes {
        Err(why) => Loaded::Failed { path, place, reason: Fault::new(Class::IoError).found(why) },
        Ok(bytes) => match verifier.open(bytes, place) {
            Some(opened) => Loaded::Open(Arc::new(OpenRecord::new(path, place, opened, bytes, limits.max_depth))),
            None => Loaded::Gone { path, place },
        },
    };
    let apart = case.twin.as_ref().and_then(|twin| {
        let (own, other) = (file.as_ref().ok()?, suite.read(twin).ok()?);
        let same = own.iter().zip(&other).take_while(|(a, b)| a == b).count();
        let from = same.saturating_sub(AROUND.0);
        let cut = |bytes: &[u8]| bytes.iter().skip(from).take(same - from + AROUND.1).copied().collect();
        let at = (*own != other).then_some(same as u64);
        Some(Apart { twin: twin.clone(), at, around: (same - from, cut(own), cut(&other)) })
    });
    Shown { loaded, apart }
}

#[cfg(test)]
mod tests;
