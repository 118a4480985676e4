//! The reading protocol (design §2 "Reading"): open without side effects, look, read into an owned buffer, look again.
//!
//! A file whose stamp moved while it was read has no verdict: it is being written. Nothing here writes, maps or locks.

use std::io::{Error, ErrorKind};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use rustix::fs::{AtFlags, CWD, FileType, Mode, OFlags, Stat};
use rustix::io::Errno;

use super::archive::{self, Coding, Decoder};
use crate::aer1::report::{Class, Fault};
use crate::record::Stamp;

/// A truncated or empty text younger than this is taken as a write in progress.
pub const YOUNG: Duration = Duration::from_secs(2);

/// How long a file must be quiet before it is read again after it moved under a reader.
pub const QUIET: Duration = Duration::from_millis(250);

/// Where a file is: a name below an open folder, or a path.
#[derive(Clone, Copy)]
pub struct At<'a> {
    /// The folder `name` is looked up in.
    pub folder: BorrowedFd<'a>,
    /// The name, or a whole path when `folder` is the working directory.
    pub name: &'a Path,
    /// Whether a symbolic link is followed: only for paths a user named.
    pub follow: bool,
}

impl<'a> At<'a> {
    /// A file by its path; links are not followed.
    pub fn path(path: &'a Path) -> At<'a> {
        At { folder: CWD, name: path, follow: false }
    }

    /// A file as a user named it; links are followed.
    pub fn named(path: &'a Path) -> At<'a> {
        At { folder: CWD, name: path, follow: true }
    }

    /// What stands there now, without opening it.
    pub fn look(self) -> Result<Stat, Errno> {
        let flags = if self.follow { AtFlags::empty() } else { AtFlags::SYMLINK_NOFOLLOW };
        rustix::fs::statat(self.folder, self.name, flags)
    }
}

/// Why there is nothing to read at a place.
#[derive(Debug, PartialEq, Eq)]
pub enum Refused {
    /// Nothing is there (any more).
    Gone,
    /// A symbolic link, folder, FIFO, socket or device: no receipt file.
    Special,
    /// It is there and cannot be read; why.
    Failed(Fault),
}

/// A regular file, open for reading, with its stamp as it was when it was opened.
pub struct Open {
    fd: OwnedFd,
    /// The file's stamp just after it was opened.
    pub stamp: Stamp,
    /// How its name says it is compressed.
    pub coding: Option<Coding>,
}

/// Whether a file stayed what it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Still {
    /// Every member of the stamp is as before.
    Same,
    /// The same file, and longer: perhaps only appended to.
    Grown,
    /// Something else moved.
    Moved,
}

impl Open {
    /// Opens a regular file read-only, never blocking, never becoming the controlling terminal.
    pub fn at(at: At<'_>) -> Result<Open, Refused> {
        let mut flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::CLOEXEC | OFlags::NOCTTY;
        if !at.follow {
            flags |= OFlags::NOFOLLOW;
        }
        let fd = rustix::io::retry_on_intr(|| rustix::fs::openat(at.folder, at.name, flags, Mode::empty()))
            .map_err(refused)?;
        let stat = rustix::fs::fstat(&fd).map_err(refused)?;
        if FileType::from_raw_mode(stat.st_mode) != FileType::RegularFile {
            return Err(Refused::Special);
        }
        Ok(Open { fd, stamp: stamp_of(&stat), coding: Coding::of(at.name) })
    }

    /// The descriptor.
    pub fn fd(&self) -> BorrowedFd<'_> {
        self.fd.as_fd()
    }

    /// Reads on at the end of `buffer` until it holds at least `upto` bytes (perhaps more) or the file ends; true at the end.
    pub fn fill(&self, buffer: &mut Vec<u8>, upto: usize) -> Result<bool, Errno> {
        while buffer.len() < upto {
            if buffer.capacity() < upto {
                buffer.reserve_exact(upto.saturating_sub(buffer.len()));
            }
            match rustix::io::read(&self.fd, rustix::buffer::spare_capacity(buffer)) {
                Ok(0) => return Ok(true),
                Ok(_) | Err(Errno::INTR) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(false)
    }

    /// Reads `length` bytes at `offset` into `buffer`, replacing what it held; false when the file is shorter.
    pub fn fill_at(&self, buffer: &mut Vec<u8>, offset: u64, length: usize) -> Result<bool, Errno> {
        buffer.clear();
        buffer.resize(length, 0);
        let mut have = 0;
        while let Some(rest) = buffer.get_mut(have..).filter(|rest| !rest.is_empty()) {
            match rustix::io::pread(&self.fd, rest, offset.saturating_add(have as u64)) {
                Ok(0) => {
                    buffer.truncate(have);
                    return Ok(false);
                }
                Ok(n) => have += n,
                Err(Errno::INTR) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(true)
    }

    /// The file's bytes from its beginning, up to the size it had when it was opened.
    pub fn bytes(&self) -> Bytes<'_> {
        Bytes { open: self, at: 0 }
    }

    /// Where the next [`Open::fill`] reads.
    pub fn seek(&self, offset: u64) -> Result<(), Errno> {
        rustix::fs::seek(&self.fd, rustix::fs::SeekFrom::Start(offset)).map(|_| ())
    }

    /// The stamp now.
    pub fn stamp_now(&self) -> Result<Stamp, Errno> {
        rustix::fs::fstat(&self.fd).map(|stat| stamp_of(&stat))
    }

    /// Whether the open file is still what it was when it was opened.
    pub fn still(&self) -> Still {
        match self.stamp_now() {
            Ok(now) if now == self.stamp => Still::Same,
            Ok(now) if now.size > self.stamp.size => Still::Grown,
            _ => Still::Moved,
        }
    }

    /// Whether the path still leads to this very file.
    pub fn still_at(&self, at: At<'_>) -> bool {
        at.look().is_ok_and(|stat| {
            let now = stamp_of(&stat);
            (now.dev, now.ino) == (self.stamp.dev, self.stamp.ino)
        })
    }
}

/// The bytes of an open file, for a decoder.
pub struct Bytes<'a> {
    open: &'a Open,
    at: u64,
}

impl std::io::Read for Bytes<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize, Error> {
        // Never beyond the size seen first: what comes later belongs to the next look.
        let left = usize::try_from(self.open.stamp.size.saturating_sub(self.at)).unwrap_or(usize::MAX);
        let length = left.min(buffer.len());
        let Some(room) = buffer.get_mut(..length).filter(|room| !room.is_empty()) else { return Ok(0) };
        let read = rustix::io::retry_on_intr(|| rustix::io::pread(&self.open.fd, &mut *room, self.at))?;
        self.at += read as u64;
        Ok(read)
    }
}

/// How one whole read ended.
#[derive(Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The buffer holds the whole file, and the file did not move meanwhile.
    Read(Stamp),
    /// The file moved while it was read: no verdict over these bytes.
    Moving,
    /// Nothing to read.
    Refused(Refused),
}

/// Reads a whole file of at most `max_size` bytes into `buffer` (replacing what it held). Of a compressed file the
/// buffer gets the decoded bytes, and the limit holds for them.
pub fn read_file(at: At<'_>, max_size: u64, buffer: &mut Vec<u8>) -> Outcome {
    buffer.clear();
    let open = match Open::at(at) {
        Ok(open) => open,
        Err(refused) => return Outcome::Refused(refused),
    };
    if let Some(coding) = open.coding {
        return decode_file(&open, at, coding, max_size, buffer);
    }
    if open.stamp.size > max_size {
        return Outcome::Refused(Refused::Failed(too_large(open.stamp.size, max_size)));
    }
    // One byte of room when the size says nothing, so that a file that only looks empty is noticed.
    let size = usize::try_from(open.stamp.size).unwrap_or(usize::MAX);
    match open.fill(buffer, size.max(1)) {
        Err(error) => Outcome::Refused(refused(error)),
        Ok(_) if buffer.len() == size && open.still() == Still::Same && open.still_at(at) => Outcome::Read(open.stamp),
        Ok(_) => Outcome::Moving,
    }
}

fn decode_file(open: &Open, at: At<'_>, coding: Coding, max_size: u64, buffer: &mut Vec<u8>) -> Outcome {
    let upto = usize::try_from(max_size.saturating_add(1)).unwrap_or(usize::MAX);
    let decoded = Decoder::new(coding, open.bytes()).fill(buffer, upto);
    if open.still() != Still::Same || !open.still_at(at) {
        return Outcome::Moving;
    }
    let fault = match decoded {
        Ok(_) if buffer.len() as u64 <= max_size => return Outcome::Read(open.stamp),
        Ok(_) => archive::too_large(max_size),
        // As with a text that is cut off: it may be under way.
        Err(_) if age(&open.stamp).is_none_or(|age| age < YOUNG) => return Outcome::Moving,
        Err(error) => archive::fault(&error),
    };
    Outcome::Refused(Refused::Failed(fault))
}

/// Which folder it is: device, inode and, where the file system tells it, when it was made. A folder that is removed and
/// made again often gets the same inode number.
pub type FolderIdentity = (u64, u64, i64);

/// The identity of an open folder.
///
/// # Errors
/// What the system says.
pub fn folder_identity(folder: impl AsFd) -> Result<FolderIdentity, Errno> {
    let stamp = stamp_of(&rustix::fs::fstat(folder.as_fd())?);
    Ok((stamp.dev, stamp.ino, made(folder.as_fd())))
}

/// When a file was made, in nanoseconds since 1970; 0 where that is not told.
#[cfg(target_os = "linux")]
fn made(file: rustix::fd::BorrowedFd<'_>) -> i64 {
    use rustix::fs::{AtFlags, StatxFlags, statx};
    match statx(file, "", AtFlags::EMPTY_PATH, StatxFlags::BTIME) {
        Ok(told) if told.stx_mask & StatxFlags::BTIME.bits() != 0 => {
            nanoseconds(told.stx_btime.tv_sec, i64::from(told.stx_btime.tv_nsec))
        }
        _ => 0,
    }
}

#[cfg(not(target_os = "linux"))]
fn made(_: rustix::fd::BorrowedFd<'_>) -> i64 {
    0
}

/// The stamp in a `stat` answer.
#[allow(clippy::unnecessary_cast, reason = "the members have other types on other systems")]
pub fn stamp_of(stat: &Stat) -> Stamp {
    Stamp {
        dev: stat.st_dev as u64,
        ino: stat.st_ino as u64,
        size: u64::try_from(stat.st_size).unwrap_or(0),
        mtime: nanoseconds(stat.st_mtime as i64, stat.st_mtime_nsec as i64),
        ctime: nanoseconds(stat.st_ctime as i64, stat.st_ctime_nsec as i64),
    }
}

fn nanoseconds(seconds: i64, rest: i64) -> i64 {
    seconds.saturating_mul(1_000_000_000).saturating_add(rest)
}

/// Nanoseconds since 1970, as in a [`Stamp`].
fn clock() -> i64 {
    match SystemTime::now().duration_since(UNIX_EPOCH) {
        Ok(since) => i64::try_from(since.as_nanos()).unwrap_or(i64::MAX),
        Err(before) => i64::try_from(before.duration().as_nanos()).unwrap_or(i64::MAX).saturating_neg(),
    }
}

/// Time since the last change of the content as the file system states it; `None` when that lies in the future.
pub fn age(stamp: &Stamp) -> Option<Duration> {
    u64::try_from(clock().saturating_sub(stamp.mtime)).ok().map(Duration::from_nanos)
}

/// Whether the content may have been changed so recently that a further change need not move the stamp: file times
/// have the grain of a clock tick, and on some file systems of two seconds.
pub fn is_racy(stamp: &Stamp) -> bool {
    let whole_seconds = stamp.mtime % 1_000_000_000 == 0 && stamp.ctime % 1_000_000_000 == 0;
    let grain = if whole_seconds { 2_000_000_000 } else { 50_000_000 };
    clock().saturating_sub(stamp.mtime.max(stamp.ctime)) < grain
}

/// The fault of a file or line over the limit.
pub fn too_large(size: u64, limit: u64) -> Fault {
    Fault::new(Class::TooLarge).found(format!("{size} bytes")).expected(format!("at most {limit} bytes"))
}

/// The fault of a file that cannot be read, with the system's own words.
pub fn io_fault(error: Errno) -> Fault {
    let error = Error::from(error);
    let text = error.to_string();
    // The number in brackets is the system's, not the reader's, language.
    let text = text.split(" (os error").next().unwrap_or(&text).to_owned();
    Fault::new(Class::IoError).found(text)
}

/// What an error at opening says about the place.
pub fn refused(error: Errno) -> Refused {
    match error {
        Errno::NOENT | Errno::NOTDIR => Refused::Gone,
        // A link where none is followed; a socket; a device without a driver.
        Errno::LOOP | Errno::NXIO | Errno::NODEV => Refused::Special,
        error if Error::from(error).kind() == ErrorKind::NotFound => Refused::Gone,
        error => Refused::Failed(io_fault(error)),
    }
}
