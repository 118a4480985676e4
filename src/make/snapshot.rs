//! Snapshots of a folder: what each record was, in lines that can be kept elsewhere, and what differs later.
//!
//! The first line says how the folder was read, one line a record follows in the order of paths and records, the last
//! line counts them: a snapshot that lost its end is noticed. Paths are relative to the folder.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, BufRead, Write};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};

use crate::aer1::report::Report;
use crate::text;

/// How a folder is read for a snapshot, so that it is read the same way for a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// Version of the format: 1.
    pub snapshot: u32,
    /// Whether files of all names are taken.
    pub all: bool,
    /// Largest file, or line of a line-wise file, in bytes.
    pub max_size: u64,
}

/// The last line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Footer {
    /// Files with at least one record.
    pub files: u64,
    /// Lines between the first and the last.
    pub records: u64,
}

/// One record as it was.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    path: String,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    path_base64: Option<String>,
    /// Where in the file: `#i`, `:line`; `None` for the whole file.
    pub record: Option<String>,
    /// `id` as it stands in the record.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub id: Option<String>,
    /// `output_hash` as it stands in the record.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub output_hash: Option<String>,
    /// SHA-256 of the file, bare hex; `None` when it could not be read.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub file_sha256: Option<String>,
    /// Size of the file in bytes.
    pub size: u64,
    /// The headline's machine string.
    pub headline: String,
    /// The class's machine string, when there is one.
    pub class: Option<String>,
}

impl Entry {
    /// What a report says, of a file at `path` below the folder.
    pub fn new(path: &Path, report: &Report, size: u64) -> Entry {
        let not_text = path.to_str().is_none();
        Entry {
            path: path.to_string_lossy().into_owned(),
            path_base64: not_text.then(|| STANDARD.encode(path.as_os_str().as_bytes())),
            record: (!report.place.is_whole()).then(|| report.place.to_string()),
            id: report.id.clone(),
            output_hash: report.bytes.declared.clone(),
            file_sha256: None,
            size,
            headline: report.headline.as_str().to_owned(),
            class: report.class.map(|class| class.as_str().to_owned()),
        }
    }

    /// The file's path below the folder.
    pub fn path(&self) -> PathBuf {
        let exact = self.path_base64.as_ref().and_then(|text| STANDARD.decode(text).ok());
        exact.map_or_else(|| PathBuf::from(&self.path), |bytes| std::ffi::OsString::from_vec(bytes).into())
    }

    /// Headline, and class in brackets.
    pub fn verdict(&self) -> String {
        match &self.class {
            Some(class) => format!("{} ({class})", self.headline),
            None => self.headline.clone(),
        }
    }

    fn same_verdict(&self, other: &Entry) -> bool {
        self.headline == other.headline && self.class == other.class
    }

    fn same_labels(&self, other: &Entry) -> bool {
        self.id == other.id && self.output_hash == other.output_hash
    }
}

/// Writes one line, fit for a terminal: a snapshot is looked at, too.
///
/// # Errors
/// What the writer returns.
pub fn write_line(out: &mut impl Write, line: &impl Serialize) -> io::Result<()> {
    let mut text = text::json_shown(&serde_json::to_string(line)?);
    text.push('\n');
    out.write_all(text.as_bytes())
}

/// Why a text is no snapshot.
#[derive(Debug, thiserror::Error)]
pub enum Unread {
    /// It cannot be read.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// The first line is not the first line of a snapshot.
    #[error("it is no snapshot")]
    NoHeader,
    /// A snapshot of a later format.
    #[error("it is of format {0}, and 1 is known here")]
    Version(u32),
    /// A line cannot be read.
    #[error("line {0} is no record of a snapshot")]
    Line(u64),
    /// The last line is missing, or counts other records than there are.
    #[error("it is not whole: its last line does not count the records before it")]
    CutOff,
}

/// Reads a snapshot.
///
/// # Errors
/// See [`Unread`]. A snapshot that is not whole is none.
pub fn read(input: impl BufRead) -> Result<(Header, Vec<Entry>), Unread> {
    let mut lines = input.split(b'\n');
    let first = lines.next().transpose()?.unwrap_or_default();
    let header: Header = serde_json::from_slice(&first).map_err(|_| Unread::NoHeader)?;
    if header.snapshot != 1 {
        return Err(Unread::Version(header.snapshot));
    }
    let mut entries: Vec<Entry> = Vec::new();
    let mut footer: Option<Footer> = None;
    for (number, line) in (2u64..).zip(lines) {
        let line = line?;
        if footer.is_some() {
            return Err(Unread::Line(number));
        }
        match serde_json::from_slice(&line) {
            Ok(entry) => entries.push(entry),
            Err(_) => match serde_json::from_slice(&line) {
                Ok(last) => footer = Some(last),
                // The line that a cut goes through is not whole either.
                Err(error) if error.is_eof() => return Err(Unread::CutOff),
                Err(_) => return Err(Unread::Line(number)),
            },
        }
    }
    match footer {
        Some(footer) if footer.records == entries.len() as u64 => Ok((header, entries)),
        _ => Err(Unread::CutOff),
    }
}

/// What became of a record or file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// It was not there.
    Added,
    /// It is not there any more.
    Removed,
    /// The file has other content.
    Rewritten,
    /// The file is the same to the byte, and the verdict is another.
    Verdict,
}

impl Change {
    /// The machine string.
    pub const fn as_str(self) -> &'static str {
        match self {
            Change::Added => "added",
            Change::Removed => "removed",
            Change::Rewritten => "rewritten",
            Change::Verdict => "verdict",
        }
    }
}

/// One difference. Of [`Change::Added`] there is no before, of [`Change::Removed`] no after.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Difference<'a> {
    /// What happened.
    pub change: Change,
    /// The whole file is meant: none of its records shows the difference by itself.
    pub whole_file: bool,
    /// As it was.
    pub before: Option<&'a Entry>,
    /// As it is.
    pub after: Option<&'a Entry>,
}

type Files<'a> = BTreeMap<Vec<u8>, Vec<&'a Entry>>;

fn files(entries: &[Entry]) -> Files<'_> {
    let mut files = Files::new();
    for entry in entries {
        files.entry(entry.path().into_os_string().into_vec()).or_default().push(entry);
    }
    files
}

/// What differs, in the order of paths. `begins` tells whether a file still begins with `size` bytes of this SHA-256:
/// a file that only grew was not rewritten.
pub fn compare<'a>(
    before: &'a [Entry],
    after: &'a [Entry],
    begins: &mut dyn FnMut(&Path, u64, &str) -> bool,
) -> Vec<Difference<'a>> {
    let (old, new) = (files(before), files(after));
    let paths: BTreeSet<&Vec<u8>> = old.keys().chain(new.keys()).collect();
    let mut found = Vec::new();
    for path in paths {
        let none = Vec::new();
        let (old, new) = (old.get(path).unwrap_or(&none), new.get(path).unwrap_or(&none));
        file(old, new, begins, &mut found);
    }
    found
}

fn file<'a>(
    old: &[&'a Entry],
    new: &[&'a Entry],
    begins: &mut dyn FnMut(&Path, u64, &str) -> bool,
    found: &mut Vec<Difference<'a>>,
) {
    let (first_old, first_new) = (old.first().copied(), new.first().copied());
    let hash = |entry: Option<&Entry>| entry.and_then(|e| e.file_sha256.clone());
    let same_file = hash(first_old) == hash(first_new);
    let by_record: BTreeMap<Option<&str>, &Entry> = new.iter().map(|e| (e.record.as_deref(), *e)).collect();
    let known: BTreeSet<Option<&str>> = old.iter().map(|e| e.record.as_deref()).collect();
    let mut rewritten = false;
    for &before in old {
        let Some(&after) = by_record.get(&before.record.as_deref()) else {
            found.push(Difference { change: Change::Removed, whole_file: false, before: Some(before), after: None });
            continue;
        };
        let change = match (same_file, before.same_labels(after) && before.same_verdict(after)) {
            (_, true) => continue,
            (true, false) => Change::Verdict,
            (false, false) => Change::Rewritten,
        };
        rewritten |= change == Change::Rewritten;
        found.push(Difference { change, whole_file: false, before: Some(before), after: Some(after) });
    }
    if let (Some(before), Some(after)) = (first_old, first_new)
        && !same_file
        && !rewritten
    {
        let grown = before.size < after.size
            && before.file_sha256.as_deref().is_some_and(|sha| begins(&before.path(), before.size, sha));
        if !grown {
            let (before, after) = (Some(before), Some(after));
            found.push(Difference { change: Change::Rewritten, whole_file: true, before, after });
        }
    }
    for &after in new.iter().filter(|e| !known.contains(&e.record.as_deref())) {
        found.push(Difference { change: Change::Added, whole_file: false, before: None, after: Some(after) });
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test may")]

    use super::*;

    fn entry(path: &str, record: Option<&str>, sha: &str, headline: &str) -> Entry {
        Entry {
            path: path.to_owned(),
            record: record.map(str::to_owned),
            file_sha256: Some(sha.to_owned()),
            size: sha.len() as u64,
            headline: headline.to_owned(),
            ..Entry::default()
        }
    }

    fn changes(before: &[Entry], after: &[Entry], grown: bool) -> Vec<(Change, bool, String)> {
        let found = compare(before, after, &mut |_, _, _| grown);
        let name = |d: &Difference<'_>| {
            let entry = d.after.or(d.before).unwrap();
            format!("{}{}", entry.path, entry.record.as_deref().unwrap_or_default())
        };
        found.iter().map(|d| (d.change, d.whole_file, name(d))).collect()
    }

    #[test]
    fn each_difference_has_its_name() {
        let before =
            [entry("a", None, "1", "verified"), entry("b", None, "1", "verified"), entry("c", None, "1", "intact")];
        let after =
            [entry("a", None, "2", "mismatch"), entry("c", None, "1", "verified"), entry("d", None, "1", "intact")];
        assert_eq!(
            changes(&before, &after, false),
            [
                (Change::Rewritten, false, "a".into()),
                (Change::Removed, false, "b".into()),
                (Change::Verdict, false, "c".into()),
                (Change::Added, false, "d".into()),
            ]
        );
        assert_eq!(changes(&before, &before, false), []);
    }

    #[test]
    fn a_file_that_grew_has_new_records_and_no_rewrite() {
        let before = [entry("l", Some(":1"), "1", "verified")];
        let after = [entry("l", Some(":1"), "22", "verified"), entry("l", Some(":2"), "22", "verified")];
        assert_eq!(changes(&before, &after, true), [(Change::Added, false, "l:2".into())]);
        assert_eq!(
            changes(&before, &after, false),
            [(Change::Rewritten, true, "l:1".into()), (Change::Added, false, "l:2".into())],
            "an earlier part that changed is a rewrite, even when its records say the same"
        );
    }

    #[test]
    fn a_snapshot_that_is_not_whole_is_none() {
        let mut text = Vec::new();
        write_line(&mut text, &Header { snapshot: 1, all: false, max_size: 9 }).unwrap();
        let entries = [entry("a", None, "1", "verified"), entry("b\n\u{202e}", Some("#1"), "1", "verified")];
        for entry in &entries {
            write_line(&mut text, entry).unwrap();
        }
        write_line(&mut text, &Footer { files: 2, records: 2 }).unwrap();
        let (header, read_back) = read(text.as_slice()).unwrap();
        assert_eq!((header.max_size, read_back.as_slice()), (9, &entries[..]));
        // Only the final line feed may be missing.
        for length in 0..text.len() - 1 {
            assert!(read(&text[..length]).is_err(), "{length}");
        }
        let lines: Vec<&[u8]> = text.split_inclusive(|b| *b == b'\n').collect();
        let without = [lines[0], lines[1], lines[3]].concat();
        assert!(matches!(read(without.as_slice()), Err(Unread::CutOff)));
        assert!(matches!(read(&b"{}\n"[..]), Err(Unread::NoHeader)));
    }
}
