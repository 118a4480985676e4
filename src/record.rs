//! What the folder thread and the store share: which file, in which state, and what changed.

use std::path::Path;
use std::sync::Arc;

use crate::aer1::report::Report;

/// A file, numbered by the folder thread in the order in which it was first seen. Never reused in one run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FileNo(pub u32);

/// What a file was when its bytes were read; when any member moves, the verdict is stale (design §2 "Reading").
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Stamp {
    /// Device.
    pub dev: u64,
    /// Inode.
    pub ino: u64,
    /// Size in bytes.
    pub size: u64,
    /// Modification time, nanoseconds since 1970 (saturating).
    pub mtime: i64,
    /// Status change time, nanoseconds since 1970 (saturating).
    pub ctime: i64,
}

/// One thing that happened in the folder, in order.
#[derive(Clone, Debug)]
pub enum Change {
    /// A file was read and verified. A long line-wise file comes in several of these: the first `fresh`, the last `done`.
    Read(FileRead),
    /// A file is being written; it has no verdict yet, and what was known of it is stale.
    Writing {
        /// Which file.
        file: FileNo,
        /// Its path.
        path: Arc<Path>,
    },
    /// A file is gone; its rows stay, marked.
    Removed {
        /// Which file.
        file: FileNo,
    },
}

/// The records of one file, or a part of them.
#[derive(Clone, Debug)]
pub struct FileRead {
    /// Which file.
    pub file: FileNo,
    /// Its path, below the opened folder's path as it was given.
    pub path: Arc<Path>,
    /// What the file was when the bytes were read.
    pub stamp: Stamp,
    /// True: `records` replace everything known of the file. False: they are appended.
    pub fresh: bool,
    /// True with the last part.
    pub done: bool,
    /// One report a record, in file order.
    pub records: Vec<Report>,
}

/// How the folder is being followed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mode {
    /// The kernel tells about changes.
    Live,
    /// The folder is listed every two seconds; the reason in words (a limit's name, a file system, a flag).
    Polling(String),
    /// The folder is gone, or cannot be listed ([`Event::Trouble`] of its path came before); it is tried every second.
    Offline,
}

/// What the folder thread tells its consumer.
#[derive(Clone, Debug)]
pub enum Event {
    /// Up to 1,024 changes.
    Batch(Vec<Change>),
    /// A full listing is under way.
    Progress {
        /// Files read so far.
        done: u64,
        /// Files found so far.
        total: u64,
    },
    /// A full listing ended.
    Scanned(Scan),
    /// The way of following changed.
    Mode(Mode),
    /// Something that concerns a path other than a receipt file: a folder that cannot be listed, say. Raw text.
    Trouble {
        /// The path.
        path: Arc<Path>,
        /// What went wrong, raw.
        what: String,
    },
}

/// The result of one full listing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scan {
    /// When it ended.
    pub at: std::time::SystemTime,
    /// How long it took.
    pub took: std::time::Duration,
    /// Receipt files that are there.
    pub files: u64,
    /// Files left out because of their name or their age.
    pub skipped: u64,
    /// What is no receipt file whatever its name.
    pub passed: Passed,
    /// Why it was made.
    pub reason: ScanReason,
}

/// What a listing of folders passed over: entries that are never read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Passed {
    /// Files and folders whose name begins with a dot.
    pub hidden: u64,
    /// Symbolic links.
    pub links: u64,
    /// FIFOs.
    pub fifos: u64,
    /// Sockets.
    pub sockets: u64,
    /// Devices, and whatever else there is.
    pub devices: u64,
}

impl Passed {
    /// Adds what another listing passed over.
    pub fn add(&mut self, other: Passed) {
        self.hidden += other.hidden;
        self.links += other.links;
        self.fifos += other.fifos;
        self.sockets += other.sockets;
        self.devices += other.devices;
    }
}

/// Why a full listing was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScanReason {
    /// The first one.
    Start,
    /// The kernel's queue overflowed, or a watch failed.
    Resync,
    /// The regular one.
    Heartbeat,
    /// Asked for.
    Asked,
    /// Polling.
    Poll,
    /// The folder came back.
    Back,
}

/// What a consumer may ask of the folder thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Read and verify this file again, whatever its stamp.
    Recheck(Arc<Path>),
    /// Read and verify everything again.
    RecheckAll,
    /// Verify these first: they are on the screen.
    Prefer(Vec<Arc<Path>>),
    /// End.
    Stop,
}
