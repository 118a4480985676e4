//! What a user may set: limits, correlation fields, theme. Defaults are the documented figures.

use std::time::Duration;

/// The fewest rows a limit may ask for.
pub const MIN_ROWS: usize = 1_000;

/// Limits on what is read and shown (rules §3.1, §3.2; design §2).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Largest file, or line of a line-wise file, in bytes; of a compressed file, the decoded bytes.
    pub max_size: u64,
    /// Nesting levels of JSON that are read.
    pub max_depth: u32,
    /// Rows that are kept while a folder is followed; past it removed records leave first, then the oldest, failing
    /// ones last.
    pub max_rows: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { max_size: 64 << 20, max_depth: 128, max_rows: 2_000_000 }
    }
}

/// Which files of a folder are taken, and how the folder is followed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Watching {
    /// Take every regular file, whatever its name.
    pub all: bool,
    /// Leave out files of a folder whose time of modification, as the file system states it, is before this moment when
    /// they are first seen (nanoseconds since 1970). A file that was taken stays taken.
    pub since: Option<i64>,
    /// Poll instead of watching.
    pub poll: bool,
    /// How often to poll.
    pub poll_every: Duration,
    /// The shortest time between two regular full listings.
    pub heartbeat: Duration,
    /// Worker threads for reading and verifying; 0 means as many as there are cores.
    pub workers: usize,
}

impl Default for Watching {
    fn default() -> Watching {
        Watching {
            all: false,
            since: None,
            poll: false,
            poll_every: Duration::from_secs(2),
            heartbeat: Duration::from_secs(30),
            workers: 0,
        }
    }
}
