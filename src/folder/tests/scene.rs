//! A temporary folder, a thread that follows it, and a model of what a consumer knows.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::aer1::report::{Class, Place, Report};
use crate::aer1::verify::Options;
use crate::config::{Limits, Watching};
use crate::folder::{Folder, Setup};
use crate::record::{Change, Command, Event, FileNo, Mode, Scan, ScanReason};

/// How long an outcome may take on a busy machine.
pub const PATIENCE: Duration = Duration::from_secs(20);

/// A JSON object that is a whole text; what the core says of it does not matter here.
pub fn text(n: usize) -> String {
    format!("{{\"n\":{n}}}")
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Row {
    pub name: String,
    pub records: Vec<(Place, Option<Class>)>,
    pub writing: bool,
    pub removed: bool,
    pub reads: usize,
    pub faults_shown: usize,
    pub found: Option<String>,
    pub ids: Vec<Option<String>>,
}

pub struct Scene {
    pub dir: TempDir,
    pub root: PathBuf,
    pub folder: Option<Folder>,
    pub events: Receiver<Event>,
    pub rows: BTreeMap<FileNo, Row>,
    pub modes: Vec<Mode>,
    pub scans: Vec<Scan>,
    pub trouble: Vec<(PathBuf, String)>,
}

pub fn watching() -> Watching {
    Watching { workers: 2, ..Watching::default() }
}

impl Scene {
    pub fn new() -> Scene {
        Scene::with(watching(), |_| {})
    }

    pub fn with(watching: Watching, prepare: impl FnOnce(&Path)) -> Scene {
        Scene::rooted(watching, prepare, |root| root.to_owned())
    }

    pub fn rooted(watching: Watching, prepare: impl FnOnce(&Path), open: impl FnOnce(&Path) -> PathBuf) -> Scene {
        let dir = TempDir::new().unwrap();
        let root = dir.path().join("receipts");
        std::fs::create_dir(&root).unwrap();
        prepare(&root);
        let setup = Setup {
            root: open(&root),
            options: Options::default(),
            limits: Limits { max_size: 1 << 20, ..Limits::default() },
            watching,
            follow: true,
        };
        let (folder, events) = Folder::open(setup).unwrap();
        let (rows, modes, scans, trouble) = Default::default();
        Scene { dir, root, folder: Some(folder), events, rows, modes, scans, trouble }
    }

    pub fn send(&self, command: Command) {
        self.folder.as_ref().unwrap().send(command);
    }

    pub fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        std::fs::write(self.root.join(name), text).unwrap();
    }

    /// Writes under a hidden name and renames.
    pub fn put(&self, name: &str, text: impl AsRef<[u8]>) {
        let hidden = self.root.join(".part");
        std::fs::write(&hidden, text).unwrap();
        std::fs::rename(hidden, self.root.join(name)).unwrap();
    }

    pub fn take(&mut self, event: Event) {
        match event {
            Event::Batch(changes) => {
                assert!(changes.len() <= 1024, "a batch is bounded");
                changes.into_iter().for_each(|change| self.apply(change));
            }
            Event::Mode(mode) => self.modes.push(mode),
            Event::Scanned(scan) => self.scans.push(scan),
            Event::Trouble { path, what } => self.trouble.push((path.to_path_buf(), what)),
            Event::Progress { done, total } => assert!(done <= total),
        }
    }

    fn apply(&mut self, change: Change) {
        match change {
            Change::Read(read) => {
                let row = self.rows.entry(read.file).or_default();
                row.name = read.path.strip_prefix(&self.root).unwrap().display().to_string();
                (row.writing, row.removed) = (false, false);
                if read.fresh {
                    row.records.clear();
                    row.ids.clear();
                }
                row.reads += usize::from(read.done);
                row.faults_shown += read.records.iter().filter(|r| failing(r)).count();
                row.found = read.records.first().and_then(|r| r.faults.first()).and_then(|f| f.found.clone());
                row.ids.extend(read.records.iter().map(|r| r.id.clone()));
                row.records.extend(read.records.iter().map(|r| (r.place, r.class)));
            }
            Change::Writing { file, path } => {
                let row = self.rows.entry(file).or_default();
                row.name = path.strip_prefix(&self.root).unwrap().display().to_string();
                row.writing = true;
                row.removed = false;
            }
            Change::Removed { file } => self.rows.get_mut(&file).expect("a removed file was known").removed = true,
        }
    }

    /// Takes events until the condition holds.
    #[track_caller]
    pub fn until(&mut self, what: &str, mut holds: impl FnMut(&Scene) -> bool) {
        let deadline = Instant::now() + PATIENCE;
        while !holds(self) {
            match self.events.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                Ok(event) => self.take(event),
                Err(RecvTimeoutError::Timeout) => panic!("not within {PATIENCE:?}: {what}; {}", self.brief()),
                Err(RecvTimeoutError::Disconnected) => panic!("the thread ended before: {what}; {}", self.brief()),
            }
        }
    }

    fn brief(&self) -> String {
        let rows: Vec<&Row> = self.rows.values().take(20).collect();
        format!(
            "{} rows {rows:?} modes {:?} scans {:?} trouble {:?}",
            self.rows.len(),
            self.modes,
            self.scans,
            self.trouble
        )
    }

    /// Waits for the first listing to end.
    pub fn listed(&mut self) {
        self.until("the first listing ends", |s| s.scans.iter().any(|scan| scan.reason == ScanReason::Start));
    }

    pub fn row(&self, name: &str) -> Option<&Row> {
        self.rows.values().find(|row| row.name == name)
    }

    /// Whether the file has been read and is there.
    pub fn has(&self, name: &str) -> bool {
        self.row(name).is_some_and(|row| row.reads > 0 && !row.removed && !row.writing)
    }

    pub fn is_removed(&self, name: &str) -> bool {
        self.row(name).is_some_and(|row| row.removed)
    }

    pub fn class(&self, name: &str) -> Option<Class> {
        self.row(name)?.records.first()?.1
    }

    pub fn there(&self) -> usize {
        self.rows.values().filter(|row| row.reads > 0 && !row.removed && !row.writing).count()
    }

    pub fn count(&self, reason: ScanReason) -> usize {
        self.scans.iter().filter(|scan| scan.reason == reason).count()
    }
}

/// A fault of the text itself.
pub fn failing(report: &Report) -> bool {
    matches!(report.class, Some(Class::JsonTruncated | Class::EmptyFile | Class::JsonSyntax))
}
