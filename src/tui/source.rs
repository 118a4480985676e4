//! What is followed now. Opening, completing and remembering touch the file system, so threads of their own do it.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::inbox::{Inbox, Msg};
use super::remember;
use crate::aer1::verify::Options;
use crate::config::{Limits, Watching};
use crate::folder::{Folder, Setup};
use crate::record::Command;
use crate::text;

/// The opened folder or file, and how the next one is opened.
pub struct Source {
    inbox: Arc<Inbox>,
    options: Options,
    limits: Limits,
    watching: Watching,
    remember: bool,
    folder: Option<Folder>,
    wanted: Arc<AtomicU64>,
    /// A file that is written to while folders are followed.
    written: Option<PathBuf>,
}

impl Source {
    /// Nothing is opened yet.
    pub fn new(inbox: Arc<Inbox>, options: Options, limits: Limits, watching: Watching, remember: bool) -> Source {
        Source { inbox, options, limits, watching, remember, folder: None, wanted: Arc::default(), written: None }
    }

    /// Opens nothing in which this file lies: nothing is written into what is watched.
    #[must_use]
    pub fn not_above(mut self, written: Option<PathBuf>) -> Source {
        self.written = written;
        self
    }

    /// Limits on what is read.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Whether what was opened, and how it was shown, is remembered.
    pub fn remembers(&self) -> bool {
        self.remember
    }

    /// Opens a path in a thread of its own, which then carries the events over.
    pub fn open(&mut self, path: &Path, generation: u64) {
        self.wanted.store(generation, Ordering::SeqCst);
        self.let_go();
        let setup = Setup {
            root: path.to_owned(),
            options: self.options.clone(),
            limits: self.limits.clone(),
            watching: self.watching.clone(),
            follow: true,
        };
        let (inbox, wanted) = (Arc::clone(&self.inbox), Arc::clone(&self.wanted));
        let remembers = self.remember;
        let written = self.written.clone();
        let body = move || {
            let root = setup.root.clone();
            if let Some(log) = written.filter(|log| is_below(log, Some(&root))) {
                let why = format!("{}: the log {} lies in it", text::shown_path(&root), text::shown_path(&log));
                inbox.push_first(Msg::NotOpened(generation, why));
                return;
            }
            match Folder::open(setup) {
                Ok((folder, events)) => {
                    inbox.push_first(Msg::Opened(generation, folder));
                    if remembers {
                        remember::store(&root, None);
                    }
                    for event in events {
                        let here = wanted.load(Ordering::SeqCst) == generation;
                        if here && !inbox.push(Msg::Folder(generation, event)) {
                            return;
                        }
                    }
                }
                Err(error) => {
                    let why = format!("{}: {}", text::shown_path(&root), text::shown_display(&error));
                    inbox.push_first(Msg::NotOpened(generation, why));
                }
            }
        };
        if let Err(error) = std::thread::Builder::new().name("open".to_owned()).spawn(body) {
            let why = format!("no thread could be started: {}", text::shown_display(&error));
            self.inbox.push_first(Msg::NotOpened(generation, why));
        }
    }

    /// Takes the handle of a path that was opened, if it is still the wanted one.
    pub fn opened(&mut self, generation: u64, folder: Folder) {
        if self.wanted.load(Ordering::SeqCst) == generation {
            self.folder = Some(folder);
        } else {
            drop_aside(folder);
        }
    }

    /// Asks the folder thread for something.
    pub fn send(&self, command: Command) {
        if let Some(folder) = &self.folder {
            folder.send(command);
        }
    }

    fn let_go(&mut self) {
        if let Some(folder) = self.folder.take() {
            drop_aside(folder);
        }
    }

    /// Looks for paths that begin with `typed`.
    pub fn complete(&self, typed: String) {
        let inbox = Arc::clone(&self.inbox);
        let body = move || {
            let found = completions(&typed);
            inbox.push_first(Msg::Completed(typed, found));
        };
        // Without a thread there is no completion; the path can still be typed.
        drop(std::thread::Builder::new().name("complete".to_owned()).spawn(body));
    }
}

/// Ends a folder thread without waiting for it: it may hang on a file system that does not answer.
fn drop_aside(folder: Folder) {
    drop(std::thread::Builder::new().name("close".to_owned()).spawn(move || drop(folder)));
}

/// `~` at the beginning is the home directory.
pub fn home(path: &Path) -> PathBuf {
    match (path.strip_prefix("~"), directories::BaseDirs::new()) {
        (Ok(rest), Some(dirs)) => dirs.home_dir().join(rest),
        _ => path.to_owned(),
    }
}

/// Whether `path` lies in the folder `root`, links resolved.
pub fn is_below(path: &Path, root: Option<&Path>) -> bool {
    let Some(root) = root.and_then(|root| root.canonicalize().ok()) else { return false };
    let existing = path.ancestors().find_map(|one| one.canonicalize().ok());
    existing.is_some_and(|path| path.starts_with(root))
}

/// Completions that are looked at; a folder may hold a million names.
const MOST: usize = 1_000;

fn completions(typed: &str) -> Vec<String> {
    let (folder, begun) = typed.rsplit_once('/').map_or(("", typed), |(folder, begun)| (folder, begun));
    let written = if typed.contains('/') { format!("{folder}/") } else { String::new() };
    let real = if written.is_empty() { PathBuf::from(".") } else { home(Path::new(&written)) };
    let Ok(entries) = std::fs::read_dir(real) else { return Vec::new() };
    let mut found: Vec<String> = entries
        .filter_map(Result::ok)
        .filter_map(|entry| {
            let name = entry.file_name().into_string().ok()?;
            let wanted = name.starts_with(begun) && (begun.starts_with('.') || !name.starts_with('.'));
            let end = if entry.path().is_dir() { "/" } else { "" };
            wanted.then(|| format!("{written}{name}{end}"))
        })
        .take(MOST)
        .collect();
    found.sort();
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn completion_keeps_what_was_typed() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir(dir.path().join("receipts")).unwrap();
        std::fs::write(dir.path().join("record.json"), "{}").unwrap();
        std::fs::write(dir.path().join(".hidden"), "").unwrap();
        let base = dir.path().to_str().unwrap();
        assert_eq!(completions(&format!("{base}/re")), [format!("{base}/receipts/"), format!("{base}/record.json")]);
        assert_eq!(completions(&format!("{base}/x")), Vec::<String>::new());
    }

    #[test]
    fn below_is_decided_by_the_real_path() {
        let dir = tempfile::tempdir().unwrap();
        let inside = dir.path().join("a/b");
        assert!(is_below(&inside, Some(dir.path())));
        assert!(!is_below(dir.path(), Some(&inside)));
        assert!(!is_below(&inside, None));
    }
}
