//! The folder: the directory is the truth, events are hints (design §2).
//!
//! A thread of its own watches a folder, lists it, and has what is new or changed read and verified by a small pool of
//! workers. What it finds comes in order through a bounded channel of [`Event`]s; it never waits for its consumer, and
//! nothing is lost while the consumer is slow: paths that may have changed are kept once each until there is room.
//! It only ever reads: nothing is created, written, renamed or removed in the folder, not even as a probe.
//!
//! `read` is the reading protocol, `archive` decodes compressed files; `file`, `lines` and `decoded` turn one file into
//! reports, and `prefix` notices edits in what was read of a growing one. `scan` lists, `watch` takes hints, `known`
//! remembers what was last known of each file, `thread`, `files` and `listing` decide, `walk` does the same once and in
//! order for `aerscope verify`.

pub mod archive;
mod decoded;
pub mod file;
mod files;
mod inbox;
mod known;
mod lines;
mod listing;
mod prefix;
pub mod read;
pub mod scan;
mod thread;
pub mod walk;
mod watch;
mod worker;

#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crate::aer1::verify::Options;
use crate::config::{Limits, Watching};
use crate::record::{Command, Event};

use self::file::FileVerifier;
use self::inbox::Shared;
use self::thread::{Root, Thread};

/// How long the end of the threads is waited for.
const PATIENCE: Duration = Duration::from_millis(200);

/// Events that may wait in the channel.
const CHANNEL: usize = 8;

/// What to follow, and how.
#[derive(Clone, Debug)]
pub struct Setup {
    /// A folder, or a single file. Links in it are followed: it was named.
    pub root: PathBuf,
    /// How to verify.
    pub options: Options,
    /// Limits on what is read.
    pub limits: Limits,
    /// Which files, and how they are followed.
    pub watching: Watching,
    /// False: list and read everything once, then end (the channel closes).
    pub follow: bool,
}

/// Why a folder was not opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// There is nothing at the path, or nothing that may be looked at.
    #[error("{source}")]
    Path {
        /// The path as it was given.
        path: PathBuf,
        /// The system's reason.
        source: std::io::Error,
    },
    /// It is neither a folder nor a regular file.
    #[error("neither a folder nor a regular file")]
    Kind {
        /// The path as it was given.
        path: PathBuf,
    },
    /// No thread could be started.
    #[error("no thread could be started: {0}")]
    Thread(std::io::Error),
}

/// The handle of the folder thread. Dropping it ends the thread and its workers; one that is in the middle of a large
/// file, or on a file system that does not answer, is not waited for: it ends by itself.
#[derive(Debug)]
pub struct Folder {
    shared: Arc<Shared>,
    threads: Vec<JoinHandle<()>>,
}

impl Folder {
    /// Starts following a folder or file.
    ///
    /// # Errors
    /// When there is nothing at the path, when it is neither a folder nor a regular file, or when no thread can be
    /// started. A folder that is there and cannot be listed is no error: [`Event::Trouble`] tells it.
    pub fn open(setup: Setup) -> Result<(Folder, Receiver<Event>), OpenError> {
        let root = root(&setup.root)?;
        let shared = Arc::new(Shared::default());
        let (out, events) = sync_channel(CHANNEL);
        let workers = worker::count(setup.watching.workers);
        let mut folder = Folder { shared: Arc::clone(&shared), threads: Vec::new() };
        for n in 0..workers {
            let shared = Arc::clone(&shared);
            let verifier = FileVerifier::new(setup.options.clone(), setup.limits.max_size);
            folder.start(format!("verify-{n}"), move || worker::work(&shared, workers, verifier))?;
        }
        let thread_shared = Arc::clone(&shared);
        folder.start("folder".to_owned(), move || {
            Thread::new(setup, root, Arc::clone(&thread_shared), out).run();
            thread_shared.stop();
        })?;
        Ok((folder, events))
    }

    fn start(&mut self, name: String, run: impl FnOnce() + Send + 'static) -> Result<(), OpenError> {
        // On an error the handle is dropped, which ends the threads that have been started.
        let thread = std::thread::Builder::new().name(name).spawn(run).map_err(OpenError::Thread)?;
        self.threads.push(thread);
        Ok(())
    }

    /// Asks the thread for something. Never waits.
    pub fn send(&self, command: Command) {
        self.shared.command(command);
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        self.shared.command(Command::Stop);
        let until = Instant::now() + PATIENCE;
        for thread in self.threads.drain(..) {
            while !thread.is_finished() && Instant::now() < until {
                std::thread::sleep(Duration::from_millis(2));
            }
            if thread.is_finished() {
                // A panic there has been reported by the panic hook.
                drop(thread.join());
            }
        }
    }
}

/// What stands at the path that is to be followed.
fn root(path: &Path) -> Result<Root, OpenError> {
    let error = |source| OpenError::Path { path: path.to_owned(), source };
    let given: PathBuf = path.components().collect();
    let meta = std::fs::metadata(path).map_err(error)?;
    let (folder, only) = if meta.is_dir() {
        (given, None)
    } else if meta.is_file() {
        (given.parent().unwrap_or(Path::new("")).to_owned(), Some(Arc::from(given.as_path())))
    } else {
        return Err(OpenError::Kind { path: path.to_owned() });
    };
    let here = if folder.as_os_str().is_empty() { Path::new(".") } else { &folder };
    let absolute = std::path::absolute(here).map_err(error)?;
    let identity = thread::identity_at(here);
    Ok(Root { folder, absolute, only, identity, shut: false })
}
