//! What was opened, and how it is followed.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::record::{Mode, Scan};

/// What was opened, and how it is being followed.
#[derive(Clone, Debug, Default)]
pub struct Opened {
    /// The path as it was given; `None` on the welcome screen.
    pub path: Option<PathBuf>,
    /// Counts what was opened; what an earlier one still tells is dropped.
    pub generation: u64,
    /// How it is followed; `None` before anything was told.
    pub mode: Option<Mode>,
    /// The last full listing.
    pub scan: Option<Scan>,
    /// Files read and found while a listing is under way.
    pub progress: Option<(u64, u64)>,
    /// The last trouble with a path that is no receipt, raw.
    pub trouble: Option<(Arc<Path>, String)>,
    /// Why nothing can be followed at all, escaped.
    pub failed: Option<String>,
}

impl Opened {
    /// Why the folder, which is there, cannot be listed: escaped, in the middle of a sentence.
    pub fn shut(&self) -> Option<String> {
        let (at, what) = self.trouble.as_ref()?;
        if self.mode != Some(Mode::Offline) || self.path.as_deref() != Some(&**at) {
            return None;
        }
        let mut chars = what.chars();
        let lower: String = chars.next().map(|c| c.to_lowercase().chain(chars).collect()).unwrap_or_default();
        Some(crate::text::shown(&lower).into_owned())
    }
}
