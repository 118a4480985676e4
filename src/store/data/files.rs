//! Files, their names and their rows, and the places of rows in them.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use crate::aer1::report::Place;

use super::Data;
use crate::store::row::{IdKey, NONE, Row, uuid_bytes, uuid_text};
use crate::store::rows;
use crate::store::{RowId, RowState};

/// A bit of [`File::rows`]: the rest is a number in the list of files with several rows.
const MULTI: u32 = rows::END;
/// A name that is `<id of the only row>.json`.
const DERIVED: u32 = u32::MAX - 1;
/// A size that stands beside.
const LARGE: u32 = u32::MAX;

/// A file: folder, name, rows and size, 16 bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct File {
    dir: u32,
    name: u32,
    rows: u32,
    size: u32,
}

const NO_FILE: File = File { dir: NONE, name: NONE, rows: NONE, size: 0 };

/// The rows of a file that has several, in the order of their places.
#[derive(Debug, Default)]
pub(super) struct Several {
    pub(super) rows: Vec<RowId>,
    /// How many are not removed.
    live: u32,
}

/// The rows of one file.
pub(in crate::store) enum FileRows<'a> {
    None,
    One(RowId),
    Several(&'a [RowId]),
}

impl FileRows<'_> {
    pub(in crate::store) fn as_slice(&self) -> &[RowId] {
        match self {
            FileRows::None => &[],
            FileRows::One(id) => std::slice::from_ref(id),
            FileRows::Several(ids) => ids,
        }
    }
}

/// A bit of [`Row::place`]: a line number.
const LINE: u32 = 1 << 31;
/// Another: with [`LINE`], a number in the list of odd places.
const ODD: u32 = 1 << 30;

fn place_of(odd: &[Place], row: &Row) -> Place {
    let rest = row.place & (ODD - 1);
    match row.place & (LINE | ODD) {
        0 => rest.checked_sub(1).map_or(Place::WHOLE, |i| Place::WHOLE.at(i)),
        LINE => Place::line(rest),
        _ => odd.get(rest as usize).copied().unwrap_or(Place::WHOLE),
    }
}

impl Data {
    pub(in crate::store) fn place(&self, row: &Row) -> Place {
        place_of(&self.odd_places, row)
    }

    pub(in crate::store) fn place_code(&mut self, place: Place) -> u32 {
        match (place.line, place.index()) {
            (0, None) => 0,
            (0, Some(i)) if i < ODD - 2 => i + 1,
            (line, None) if line < ODD => LINE | line,
            _ => {
                let at = u32::try_from(self.odd_places.len()).unwrap_or(ODD).min(ODD - 1);
                self.odd_places.push(place);
                LINE | ODD | at
            }
        }
    }

    fn file(&self, number: u32) -> File {
        self.files.get(number as usize).copied().unwrap_or(NO_FILE)
    }

    fn file_mut(&mut self, number: u32) -> Option<&mut File> {
        self.files.get_mut(number as usize)
    }

    /// Makes sure that a file is known. `id` is the id of its only record, where it has one.
    pub(in crate::store) fn ensure_file(&mut self, number: u32, path: &Path, id: Option<IdKey>) {
        let at = number as usize;
        if at >= self.files.len() {
            // The folder thread numbers files one after the other; a gap is a file that never had a row.
            if at > self.files.len().saturating_add(1 << 24) {
                return;
            }
            self.files.resize(at + 1, NO_FILE);
        }
        if self.file(number).dir != NONE {
            return;
        }
        let (dir, name) = split(path);
        let dir = self.dir_number(dir);
        let name = match id {
            Some(key) if key.uuid && name == derived(&key.bytes) => DERIVED,
            _ => self.push_name(name),
        };
        if let Some(file) = self.file_mut(number) {
            *file = File { dir, name, rows: NONE, size: 0 };
        }
    }

    fn dir_number(&mut self, dir: &[u8]) -> u32 {
        if self.dirs.get(self.last_dir as usize).is_some_and(|d| **d == *dir) {
            return self.last_dir;
        }
        let number = match self.dir_numbers.get(dir) {
            Some(number) => *number,
            None => {
                let number = u32::try_from(self.dirs.len()).unwrap_or(NONE);
                self.dirs.push(dir.into());
                self.dir_numbers.insert(dir.into(), number);
                number
            }
        };
        self.last_dir = number;
        number
    }

    fn push_name(&mut self, name: &[u8]) -> u32 {
        let at = u32::try_from(self.names.len()).unwrap_or(NONE);
        let length = u16::try_from(name.len()).unwrap_or(u16::MAX);
        if at >= DERIVED - u32::from(u16::MAX) {
            return NONE;
        }
        self.names.extend_from_slice(&length.to_le_bytes());
        self.names.extend(name.iter().take(usize::from(length)));
        at
    }

    /// How many bytes every file name begins with alike; 0 where names are derived from ids.
    pub(in crate::store) fn shared_name_start(&self) -> usize {
        let mut shared: Option<&[u8]> = None;
        let mut at = 0usize;
        // Names stand one after the other; there is nothing between them.
        while let Some(&[low, high]) = self.names.get(at..at + 2) {
            let start = at + 2;
            at = start + usize::from(u16::from_le_bytes([low, high]));
            let name = self.names.get(start..at).unwrap_or_default();
            let old = shared.unwrap_or(name);
            let alike = old.iter().zip(name).take_while(|(a, b)| a == b).count();
            shared = old.get(..alike);
            if alike == 0 {
                return 0;
            }
        }
        let derived = self.files.iter().any(|f| f.name == DERIVED);
        if derived { 0 } else { shared.map_or(0, <[u8]>::len) }
    }

    /// Before the id of a file's only row changes, or the file gets a second row: its name must stand by itself.
    pub(in crate::store) fn settle_name(&mut self, number: u32) {
        if self.file(number).name == DERIVED {
            let name = self.with_name(number, <[u8]>::to_vec);
            let at = self.push_name(&name);
            if let Some(file) = self.file_mut(number) {
                file.name = at;
            }
        }
    }

    pub(in crate::store) fn set_size(&mut self, number: u32, size: u64) {
        let small = u32::try_from(size).unwrap_or(LARGE);
        if small == LARGE {
            self.large.insert(number, size);
        } else if self.file(number).size == LARGE {
            self.large.remove(&number);
        }
        if let Some(file) = self.file_mut(number) {
            file.size = small;
        }
    }

    pub(in crate::store) fn size(&self, number: u32) -> u64 {
        match self.file(number).size {
            LARGE => self.large.get(&number).copied().unwrap_or(u64::from(LARGE)),
            small => u64::from(small),
        }
    }

    pub(in crate::store) fn dir_of(&self, number: u32) -> &[u8] {
        self.dir(self.file(number).dir)
    }

    pub(in crate::store) fn dir_number_of(&self, number: u32) -> u32 {
        self.file(number).dir
    }

    pub(in crate::store) fn dir(&self, number: u32) -> &[u8] {
        self.dirs.get(number as usize).map(|d| &**d).unwrap_or_default()
    }

    pub(in crate::store) fn dirs(&self) -> usize {
        self.dirs.len()
    }

    pub(in crate::store) fn set_root(&mut self, root: &Path) {
        self.root = root.as_os_str().as_bytes().to_vec();
    }

    /// The part of a folder's path below the opened folder.
    pub(in crate::store) fn dir_below_root(&self, number: u32) -> &[u8] {
        let dir = self.dir(number);
        let below = dir.strip_prefix(self.root.as_slice()).unwrap_or(dir);
        if self.root.is_empty() { dir } else { below.strip_prefix(b"/").unwrap_or(below) }
    }

    /// The file name, for as long as `use_it` runs.
    pub(in crate::store) fn with_name<T>(&self, number: u32, use_it: impl FnOnce(&[u8]) -> T) -> T {
        let file = self.file(number);
        if file.name == DERIVED {
            let id = self.rows.get(file.rows).map_or([0; 16], |r| r.id);
            return use_it(&derived(&id));
        }
        let at = file.name as usize;
        let length = match self.names.get(at..at.saturating_add(2)) {
            Some(&[low, high]) => usize::from(u16::from_le_bytes([low, high])),
            _ => 0,
        };
        let start = at.saturating_add(2);
        use_it(self.names.get(start..start.saturating_add(length)).unwrap_or_default())
    }

    /// Whether the name is the id of the only row with `.json` after it.
    pub(in crate::store) fn is_derived(&self, number: u32) -> bool {
        self.file(number).name == DERIVED
    }

    pub(in crate::store) fn path(&self, number: u32) -> PathBuf {
        let dir = self.dir_of(number);
        self.with_name(number, |name| {
            let mut all = Vec::with_capacity(dir.len() + name.len());
            all.extend_from_slice(dir);
            all.extend_from_slice(name);
            PathBuf::from(OsStr::from_bytes(&all))
        })
    }

    pub(in crate::store) fn rows_of(&self, number: u32) -> FileRows<'_> {
        match self.file(number).rows {
            NONE => FileRows::None,
            rows if rows & MULTI != 0 => {
                FileRows::Several(self.several.get((rows & !MULTI) as usize).map(|s| &*s.rows).unwrap_or_default())
            }
            id => FileRows::One(id),
        }
    }

    /// The row at a place of a file.
    pub(in crate::store) fn row_at(&self, number: u32, place: Place) -> Option<RowId> {
        let rows = self.rows_of(number);
        let rows = rows.as_slice();
        let of = |id: &RowId| self.rows.get(*id).map_or(Place::WHOLE, |r| self.place(r));
        match rows.last() {
            Some(last) if of(last) < place => None,
            _ => rows.binary_search_by(|id| of(id).cmp(&place)).ok().and_then(|at| rows.get(at)).copied(),
        }
    }

    /// Adds a row to its file. Its place must be set.
    pub(in crate::store) fn join_file(&mut self, id: RowId) {
        let Some(row) = self.rows.get(id) else { return };
        let (number, live) = (row.file, row.state() != RowState::Removed);
        let place = self.place(row);
        let rows = self.file(number).rows;
        if rows == NONE {
            if let Some(file) = self.file_mut(number) {
                file.rows = id;
            }
            self.totals.files += u64::from(live);
            return;
        }
        if rows & MULTI == 0 {
            self.settle_name(number);
            let was_live = self.rows.get(rows).is_some_and(|r| r.state() != RowState::Removed);
            let at = u32::try_from(self.several.len()).unwrap_or(0) & !MULTI;
            self.several.push(Several { rows: vec![rows], live: u32::from(was_live) });
            if let Some(file) = self.file_mut(number) {
                file.rows = MULTI | at;
            }
        }
        let at = (self.file(number).rows & !MULTI) as usize;
        let data = &self.rows;
        let odd = &self.odd_places;
        let Some(several) = self.several.get_mut(at) else { return };
        let of = |id: &RowId| data.get(*id).map_or(Place::WHOLE, |r| place_of(odd, r));
        let end = several.rows.len();
        let at = match several.rows.last() {
            Some(last) if of(last) > place => several.rows.partition_point(|id| of(id) < place),
            _ => end,
        };
        several.rows.insert(at, id);
        if live {
            several.live += 1;
            self.totals.files += u64::from(several.live == 1);
        }
    }

    /// Takes a row out of its file.
    pub(in crate::store) fn leave_file(&mut self, id: RowId) {
        let Some(row) = self.rows.get(id) else { return };
        let (number, live) = (row.file, row.state() != RowState::Removed);
        let rows = self.file(number).rows;
        if rows == id {
            self.settle_name(number);
            if let Some(file) = self.file_mut(number) {
                file.rows = NONE;
            }
            self.totals.files = self.totals.files.saturating_sub(u64::from(live));
        } else if rows != NONE && rows & MULTI != 0 {
            let Some(several) = self.several.get_mut((rows & !MULTI) as usize) else { return };
            several.rows.retain(|r| *r != id);
            if live {
                several.live = several.live.saturating_sub(1);
                self.totals.files = self.totals.files.saturating_sub(u64::from(several.live == 0));
            }
        }
    }

    /// Counts files as a row of theirs goes or comes back.
    pub(in crate::store) fn file_life(&mut self, number: u32, live: bool) {
        let rows = self.file(number).rows;
        let turned = match rows {
            NONE => false,
            rows if rows & MULTI == 0 => true,
            rows => match self.several.get_mut((rows & !MULTI) as usize) {
                None => false,
                Some(several) if live => {
                    several.live += 1;
                    several.live == 1
                }
                Some(several) => {
                    several.live = several.live.saturating_sub(1);
                    several.live == 0
                }
            },
        };
        let files = &mut self.totals.files;
        match (turned, live) {
            (false, _) => {}
            (true, true) => *files = files.saturating_add(1),
            (true, false) => *files = files.saturating_sub(1),
        }
    }

    /// The file with this path, if any row is in it; of several the one seen last.
    pub(in crate::store) fn file_at(&self, path: &Path) -> Option<u32> {
        let (dir, name) = split(path);
        let dir = *self.dir_numbers.get(dir)?;
        let stem = std::str::from_utf8(name).ok().and_then(|n| n.strip_suffix(".json"));
        let id = stem.and_then(uuid_bytes);
        let length = u16::try_from(name.len()).ok()?.to_le_bytes();
        let here = |number: &usize| {
            let Some(file) = self.files.get(*number).filter(|f| f.dir == dir && f.rows != NONE) else { return false };
            if file.name == DERIVED {
                return id.is_some() && id == self.rows.get(file.rows).map(|r| r.id);
            }
            let at = file.name as usize;
            self.names.get(at..at + 2) == Some(&length) && self.names.get(at + 2..at + 2 + name.len()) == Some(name)
        };
        (0..self.files.len()).rev().find(here).and_then(|n| u32::try_from(n).ok())
    }
}

/// The folder part, with its slash, and the name.
fn split(path: &Path) -> (&[u8], &[u8]) {
    let all = path.as_os_str().as_bytes();
    let at = all.iter().rposition(|b| *b == b'/').map_or(0, |at| at + 1);
    all.split_at(at)
}

/// `<uuid>.json`
fn derived(id: &[u8; 16]) -> [u8; 41] {
    let mut out = *b"00000000-0000-0000-0000-000000000000.json";
    for (slot, byte) in out.iter_mut().zip(uuid_text(id)) {
        *slot = byte;
    }
    out
}
