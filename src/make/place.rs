//! Putting a finished file in its place: whole or not at all, and never over another one.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use rustix::fs::{CWD, RenameFlags, renameat_with};
use rustix::io::Errno;

/// Writes a new file. Its content is on disk before its name is there, so a reader sees all of it or nothing; until
/// then it has a hidden name beside it, which no scan takes.
///
/// # Errors
/// [`io::ErrorKind::AlreadyExists`] when there is something at the path already, dangling links included, and whatever
/// the system says. Nothing is left behind.
pub fn write_new(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if fs::symlink_metadata(path).is_ok() {
        return Err(io::ErrorKind::AlreadyExists.into());
    }
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let hidden = Hidden::beside(folder)?;
    let mut file = hidden.create()?;
    file.write_all(bytes)?;
    file.sync_all()?;
    drop(file);
    rename_new(&hidden.path, path)?;
    // The name is durable once the folder is; a folder that cannot be opened for that still holds the file.
    let _ = File::open(folder).and_then(|folder| folder.sync_all());
    Ok(())
}

/// A name that is gone when this is: renamed, or removed after an error.
struct Hidden {
    path: PathBuf,
}

impl Hidden {
    fn beside(folder: &Path) -> io::Result<Hidden> {
        Ok(Hidden { path: folder.join(format!(".aerscope-{}.tmp", uuid::Uuid::new_v4())) })
    }

    fn create(&self) -> io::Result<File> {
        OpenOptions::new().write(true).create_new(true).open(&self.path)
    }
}

impl Drop for Hidden {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.path);
    }
}

/// Renames unless there is something at the new name. Where the file system cannot rename so, a second link does the
/// same, and the first one goes with [`Hidden`].
fn rename_new(from: &Path, to: &Path) -> io::Result<()> {
    match renameat_with(CWD, from, CWD, to, RenameFlags::NOREPLACE) {
        Ok(()) => Ok(()),
        Err(Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP) => fs::hard_link(from, to),
        Err(error) => Err(error.into()),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may")]

    use super::*;

    #[test]
    fn nothing_is_overwritten_and_nothing_left_behind() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.json");
        write_new(&path, b"one").unwrap();
        assert_eq!(write_new(&path, b"two").unwrap_err().kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(rename_new(&path, &path).unwrap_err().kind(), io::ErrorKind::AlreadyExists);
        std::os::unix::fs::symlink("nowhere", dir.path().join("link")).unwrap();
        assert_eq!(write_new(&dir.path().join("link"), b"x").unwrap_err().kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(write_new(&dir.path().join("no/a"), b"x").unwrap_err().kind(), io::ErrorKind::NotFound);
        assert_eq!(fs::read(&path).unwrap(), b"one");
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 2);
    }
}
