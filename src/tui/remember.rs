//! What is remembered for the next time: the last opened path. Losing it costs nothing.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use super::source::is_below;

/// Longest path that is remembered, in bytes.
const MOST: usize = 16 << 10;

fn file() -> Option<PathBuf> {
    let dirs = directories::ProjectDirs::from("", "", "aerscope")?;
    Some(dirs.state_dir().unwrap_or_else(|| dirs.data_local_dir()).join("last"))
}

/// The last opened path, if it is still there.
pub fn last() -> Option<PathBuf> {
    let path = read(&file()?)?;
    path.exists().then_some(path)
}

/// Remembers a path. A failure is no one's concern; nothing is ever written into the folder that is watched.
pub fn store(path: &Path) {
    let Some(file) = file() else { return };
    if !is_below(&file, Some(path))
        && let Ok(absolute) = std::path::absolute(path)
    {
        let _lost = write(&file, &absolute);
    }
}

fn read(file: &Path) -> Option<PathBuf> {
    use std::os::unix::ffi::OsStringExt as _;
    let bytes = std::fs::read(file).ok()?;
    let usable = !bytes.is_empty() && bytes.len() <= MOST && !bytes.contains(&0);
    usable.then(|| PathBuf::from(std::ffi::OsString::from_vec(bytes)))
}

/// Writes beside, then renames: a reader finds the old path or the new one.
fn write(file: &Path, path: &Path) -> std::io::Result<()> {
    let folder = file.parent().unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder)?;
    let beside = folder.join(format!("last.{}", std::process::id()));
    let written = std::fs::File::create(&beside)
        .and_then(|mut out| out.write_all(path.as_os_str().as_encoded_bytes()))
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
    fn a_path_of_any_bytes_is_read_back() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("state/last");
        let path = Path::new(std::ffi::OsStr::from_bytes(b"/x/\xff\n name"));
        write(&file, path).unwrap();
        assert_eq!(read(&file).as_deref(), Some(path));
        assert_eq!(std::fs::read_dir(dir.path().join("state")).unwrap().count(), 1);
    }
}
