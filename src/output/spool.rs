//! Bytes that are written once and read back once, in order: in memory while they are few, then in a temporary file
//! that never has a name. No folder gets an entry, and nothing is left behind whatever ends the process.

use std::fs::File;
use std::io::{self, Cursor, Read, Seek, SeekFrom, Write};

use rustix::fs::{Mode, OFlags};

/// Bytes kept in memory before they go to the file.
const KEPT: usize = 4 << 20;

/// Where the bytes are.
#[derive(Debug, Default)]
pub struct Spool {
    memory: Vec<u8>,
    file: Option<File>,
    /// No file can be made: everything stays in memory.
    without: bool,
}

impl Spool {
    /// Reads everything back, from the beginning.
    ///
    /// # Errors
    /// What the system says of the file.
    pub fn read(&mut self) -> io::Result<impl Read + '_> {
        if let Some(file) = &mut self.file {
            file.seek(SeekFrom::Start(0))?;
        }
        let file: Box<dyn Read + '_> = match &mut self.file {
            Some(file) => Box::new(file),
            None => Box::new(io::empty()),
        };
        Ok(file.chain(Cursor::new(&self.memory)))
    }
}

impl Write for Spool {
    /// Adds bytes. An error is final: what was added before may be incomplete.
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.memory.extend_from_slice(bytes);
        if self.memory.len() >= KEPT && !self.without {
            if self.file.is_none() {
                self.file = nameless();
                self.without = self.file.is_none();
            }
            if let Some(file) = &mut self.file {
                file.write_all(&self.memory)?;
                self.memory.clear();
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A file without a name in the folder for temporary files; `None` where there is no such thing.
#[cfg(target_os = "linux")]
fn nameless() -> Option<File> {
    let flags = OFlags::TMPFILE | OFlags::RDWR | OFlags::CLOEXEC | OFlags::EXCL;
    rustix::fs::open(std::env::temp_dir(), flags, Mode::RUSR | Mode::WUSR).ok().map(File::from)
}

#[cfg(not(target_os = "linux"))]
fn nameless() -> Option<File> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_written_comes_back_in_order_from_file_and_memory() {
        for without in [false, true] {
            let mut spool = Spool { without, ..Spool::default() };
            let mut expected = Vec::new();
            for n in 0..(KEPT as u64 / 8 * 2 + 1000) {
                spool.write_all(&n.to_le_bytes()).unwrap();
                expected.extend_from_slice(&n.to_le_bytes());
            }
            assert_eq!(spool.file.is_none(), without || nameless().is_none());
            assert!(without || spool.file.is_none() || spool.memory.len() < KEPT);
            let mut back = Vec::new();
            spool.read().unwrap().read_to_end(&mut back).unwrap();
            assert!(back == expected);
        }
    }
}
