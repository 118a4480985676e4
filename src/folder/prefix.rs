//! What was read of a line-wise file that grows, kept as one digest, so that an edit in the middle of it shows.
//!
//! A file that only grows is read on from where the last look ended; the first and last bytes of what was read are
//! compared at every look. When its stamp moved, the rest may have been edited too: all of it is read again, [`BUDGET`]
//! bytes a look, and while some is left the file is looked at again every `super::read::QUIET`. An edit that is
//! followed by growth is so noticed at once in files of up to 4 MiB, and in longer ones after one second for each
//! 16 MiB that were read before (two, when it came behind the place that is being compared). An edit without growth
//! means reading everything at once. Whatever is noticed means the same.

use rustix::io::Errno;
use sha2::{Digest, Sha256};

use super::read::Open;

/// Bytes compared at one look.
pub const BUDGET: u64 = 4 << 20;

/// Bytes read at once.
const CHUNK: u64 = 256 << 10;

/// The digest of the bytes that were read, and how far they have been compared with what stands there now.
#[derive(Clone, Debug, Default)]
pub struct Prefix {
    hash: Sha256,
    length: u64,
    under_way: Option<Pass>,
    /// Something may have changed since the pass under way began, or there is none.
    doubted: bool,
}

/// One comparison of everything that was read when it began.
#[derive(Clone, Debug)]
struct Pass {
    hash: Sha256,
    at: u64,
    until: u64,
    goal: [u8; 32],
}

impl Prefix {
    /// Bytes were read.
    pub fn add(&mut self, bytes: &[u8]) {
        self.hash.update(bytes);
        self.length += bytes.len() as u64;
    }

    /// How many bytes were read.
    pub fn length(&self) -> u64 {
        self.length
    }

    /// The stamp moved: what was read may have been edited.
    pub fn doubt(&mut self) {
        self.doubted = true;
    }

    /// Whether nothing is left to compare.
    pub fn is_certain(&self) -> bool {
        self.under_way.is_none() && !self.doubted
    }

    /// Compares some of what was read with what stands there now. False: it is not what was read.
    pub fn compare(&mut self, open: &Open, scratch: &mut Vec<u8>) -> Result<bool, Errno> {
        if self.under_way.is_none() && std::mem::take(&mut self.doubted) {
            let goal = self.hash.clone().finalize().into();
            self.under_way = Some(Pass { hash: Sha256::new(), at: 0, until: self.length, goal });
        }
        let Some(pass) = &mut self.under_way else { return Ok(true) };
        let upto = pass.until.min(pass.at.saturating_add(BUDGET));
        while pass.at < upto {
            let length = CHUNK.min(upto - pass.at);
            if !open.fill_at(scratch, pass.at, usize::try_from(length).unwrap_or(0))? {
                return Ok(false);
            }
            pass.hash.update(&*scratch);
            pass.at += length;
        }
        if pass.at < pass.until {
            return Ok(true);
        }
        let same = self.under_way.take().is_some_and(|pass| <[u8; 32]>::from(pass.hash.finalize()) == pass.goal);
        Ok(same)
    }
}
