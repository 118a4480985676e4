//! Records as they were when they were opened, so that a rewritten one can be compared with what it was. Bounded.

use std::sync::Arc;

use super::App;
use crate::store::RowId;
use crate::tui::detail::{Loaded, OpenRecord};

/// Records that are kept.
const KEPT: usize = 64;
/// Larger records are not kept, in bytes.
const LARGEST: usize = 256 << 10;

/// One record: as it was opened last, and what it was before that.
#[derive(Clone, Debug)]
struct Version {
    row: RowId,
    now: Arc<OpenRecord>,
    before: Option<Arc<OpenRecord>>,
}

/// The records opened last, the newest last.
#[derive(Clone, Debug, Default)]
pub struct Versions(Vec<Version>);

impl Versions {
    fn add(&mut self, row: RowId, open: &Arc<OpenRecord>) {
        let old = self.0.iter().position(|one| one.row == row).map(|at| self.0.remove(at));
        if open.record.len() > LARGEST {
            return;
        }
        let before = match old {
            Some(old) if old.now.record == open.record => old.before,
            Some(old) => Some(old.now),
            None => None,
        };
        self.0.push(Version { row, now: Arc::clone(open), before });
        let surplus = self.0.len().saturating_sub(KEPT);
        self.0.drain(..surplus);
    }
}

impl App {
    /// Keeps what was opened.
    pub(super) fn keep_version(&mut self, loaded: &Loaded) {
        if let (Loaded::Open(open), Some(row)) = (loaded, self.shown) {
            self.versions.add(row, open);
        }
    }

    /// What a record was before it was rewritten, when it was open then.
    pub(super) fn before(&self, row: RowId) -> Option<Arc<OpenRecord>> {
        self.versions.0.iter().find(|one| one.row == row)?.before.clone()
    }
}
