//! What is remembered for the next time: the folders opened last, newest first, each with its order and filter. Losing
//! it costs nothing, and it may be deleted at any time.

use std::ffi::OsString;
use std::io::Write as _;
use std::os::unix::ffi::OsStringExt as _;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};

use super::source::is_below;
use crate::store::query::{Sort, SortKey};

/// Folders that are remembered.
const MOST: usize = 40;
/// Largest file that is read, in bytes.
const MAX_SIZE: u64 = 1 << 20;

/// How a folder was shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    /// The order.
    pub sort: Sort,
    /// The text of the filter.
    pub filter: String,
}

/// One folder (or file) that was opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Folder {
    /// Its absolute path.
    pub path: PathBuf,
    /// How it was shown; `None` when it was left as it came up.
    pub shown: Option<Shown>,
}

/// As it stands in the file. A path that is not UTF-8 is in `path_base64`.
#[derive(Default, Serialize, Deserialize)]
#[serde(default)]
struct Entry {
    path: Option<String>,
    path_base64: Option<String>,
    sort: Option<String>,
    reverse: bool,
    filter: String,
}

#[derive(Default, Serialize, Deserialize)]
#[serde(default)]
struct State {
    folders: Vec<Entry>,
}

impl Entry {
    fn of(folder: &Folder) -> Entry {
        let bytes = folder.path.as_os_str().as_encoded_bytes();
        let (path, path_base64) = match folder.path.to_str() {
            Some(text) => (Some(text.to_owned()), None),
            None => (None, Some(STANDARD.encode(bytes))),
        };
        let shown = folder.shown.as_ref();
        Entry {
            path,
            path_base64,
            sort: shown.map(|shown| shown.sort.key.as_str().to_owned()),
            reverse: shown.is_some_and(|shown| shown.sort.reverse),
            filter: shown.map(|shown| shown.filter.clone()).unwrap_or_default(),
        }
    }

    /// What it says; `None` when it says nothing that can be used.
    fn folder(self) -> Option<Folder> {
        let bytes = self.path_base64.and_then(|text| STANDARD.decode(text).ok());
        let path = self.path.map(PathBuf::from).or_else(|| bytes.map(|bytes| OsString::from_vec(bytes).into()))?;
        let usable = path.is_absolute() && !path.as_os_str().as_encoded_bytes().contains(&0);
        let key = self.sort.as_deref().and_then(SortKey::from_word);
        let shown = key.map(|key| Shown { sort: Sort { key, reverse: self.reverse }, filter: self.filter });
        usable.then_some(Folder { path, shown })
    }
}

/// One writer at a time; another program's is told apart by its name beside the file.
static WRITING: Mutex<()> = Mutex::new(());

fn file() -> Option<PathBuf> {
    let dirs = directories::ProjectDirs::from("", "", "aerscope")?;
    Some(dirs.state_dir().unwrap_or_else(|| dirs.data_local_dir()).join("state.json"))
}

/// The last opened path, if it is still there.
pub fn last() -> Option<PathBuf> {
    let path = load().into_iter().next()?.path;
    path.exists().then_some(path)
}

/// What is remembered, newest first.
pub fn load() -> Vec<Folder> {
    file().map(|file| read(&file)).unwrap_or_default()
}

/// Remembers that a path was opened, and how it was shown when that is known. A failure is no one's concern; nothing is
/// ever written into the folder that is watched.
pub fn store(path: &Path, shown: Option<Shown>) {
    let Some(file) = file() else { return };
    if !is_below(&file, Some(path))
        && let Ok(absolute) = std::path::absolute(path)
    {
        let _one = WRITING.lock().unwrap_or_else(PoisonError::into_inner);
        let _lost = write(&file, with(read(&file), absolute, shown));
    }
}

/// Puts a folder to the front.
fn with(mut folders: Vec<Folder>, path: PathBuf, shown: Option<Shown>) -> Vec<Folder> {
    let old = folders.iter().position(|folder| folder.path == path).map(|at| folders.remove(at));
    let shown = shown.or_else(|| old.and_then(|old| old.shown));
    folders.insert(0, Folder { path, shown });
    folders.truncate(MOST);
    folders
}

/// What a file says; nothing when it is not there or says nothing that can be read.
fn read(file: &Path) -> Vec<Folder> {
    let small = std::fs::metadata(file).is_ok_and(|about| about.is_file() && about.len() <= MAX_SIZE);
    let bytes = if small { std::fs::read(file).unwrap_or_default() } else { Vec::new() };
    let state: State = serde_json::from_slice(&bytes).unwrap_or_default();
    state.folders.into_iter().filter_map(Entry::folder).take(MOST).collect()
}

/// Writes beside, then renames: a reader finds the old state or the new one.
fn write(file: &Path, folders: Vec<Folder>) -> std::io::Result<()> {
    let folder = file.parent().unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder)?;
    let state = State { folders: folders.iter().map(Entry::of).collect() };
    let text = serde_json::to_vec_pretty(&state)?;
    let beside = folder.join(format!("state.json.{}", std::process::id()));
    let written = std::fs::File::create(&beside)
        .and_then(|mut out| out.write_all(&text).and_then(|()| out.sync_data()))
        .and_then(|()| std::fs::rename(&beside, file));
    if written.is_err() {
        let _left = std::fs::remove_file(&beside);
    }
    written
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::ffi::OsStrExt as _;

    #[test]
    fn folders_are_read_back_newest_first_with_how_they_were_shown() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("state/state.json");
        let odd = PathBuf::from(std::ffi::OsStr::from_bytes(b"/x/\xff\n name"));
        let shown = Shown { sort: Sort { key: SortKey::Tool, reverse: true }, filter: "verdict:failing".to_owned() };
        let mut folders = with(Vec::new(), odd.clone(), Some(shown.clone()));
        for n in 0..MOST + 5 {
            folders = with(folders, PathBuf::from(format!("/many/{n}")), None);
            folders = with(folders, odd.clone(), None);
        }
        write(&file, folders).unwrap();
        let found = read(&file);
        assert_eq!(found.len(), MOST);
        assert_eq!(found[0], Folder { path: odd, shown: Some(shown) });
        assert_eq!(found[1].path, Path::new("/many/44"));
        assert_eq!(std::fs::read_dir(dir.path().join("state")).unwrap().count(), 1);
    }

    #[test]
    fn what_cannot_be_read_is_nothing() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("state.json");
        assert_eq!(read(&file), []);
        for text in ["", "{", "[]", r#"{"folders":[{"path":"relative"},{"path":"/nul\u0000"},{}]}"#] {
            std::fs::write(&file, text).unwrap();
            assert_eq!(read(&file), [], "{text}");
        }
        std::fs::write(&file, r#"{"folders":[{"path":"/a","sort":"no such order","more":1}]}"#).unwrap();
        assert_eq!(read(&file), [Folder { path: "/a".into(), shown: None }]);
    }
}
