//! Compressed files, told by their names (`.gz`, `.zst`) and decoded as they are read: nothing is unpacked to disk, and
//! memory holds what was asked for, never the whole of what an archive makes of itself.
//!
//! The stamps of the reading protocol are those of the compressed file. An archive that ends too early, or whose
//! checksum is wrong, could not be read (`io_error`, rules §3.1), whatever its first bytes decode to; while it is young
//! it is taken as a write in progress, like a text that is cut off. An archive that grows is read again from its
//! beginning: nothing in it can be skipped to.

use std::io::{BufRead, BufReader, Error, ErrorKind, Read};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use flate2::bufread::MultiGzDecoder;
use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

use crate::aer1::report::{Class, Fault};

/// Compressed bytes read at once.
const CHUNK: usize = 64 << 10;

/// The largest window a Zstandard frame may ask for, in bytes: what `zstd` makes at its highest ordinary level.
/// A frame with a larger one is over the limit; memory for a window is part of what reading it takes.
pub const MAX_WINDOW: u64 = 8 << 20;

/// How a file is compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Coding {
    /// RFC 1952, any number of members.
    Gzip,
    /// RFC 8878, any number of frames, without dictionaries.
    Zstd,
}

impl Coding {
    /// What a file of this name is compressed with; `None` when it is read as it is.
    pub fn of(name: &Path) -> Option<Coding> {
        use std::os::unix::ffi::OsStrExt;
        Coding::split(name.as_os_str().as_bytes()).1
    }

    /// A name without its compression suffix, and what that suffix says.
    pub fn split(name: &[u8]) -> (&[u8], Option<Coding>) {
        for (suffix, coding) in [(&b".gz"[..], Coding::Gzip), (b".zst", Coding::Zstd)] {
            let at = name.len().saturating_sub(suffix.len());
            let (stem, end) = name.split_at(at);
            if end.eq_ignore_ascii_case(suffix) {
                return (stem, Some(coding));
            }
        }
        (name, None)
    }

    const fn as_str(self) -> &'static str {
        match self {
            Coding::Gzip => "gzip",
            Coding::Zstd => "Zstandard",
        }
    }
}

/// What is read, and whether it was asked for more than it has.
struct Source<R> {
    inner: R,
    past_end: Arc<AtomicBool>,
}

impl<R: Read> Read for Source<R> {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize, Error> {
        let read = self.inner.read(buffer)?;
        if read == 0 && !buffer.is_empty() {
            self.past_end.store(true, Ordering::Relaxed);
        }
        Ok(read)
    }
}

/// The two decoders.
enum Inner<R: Read> {
    Gzip(Box<MultiGzDecoder<BufReader<Source<R>>>>),
    Zstd(Box<Frames<R>>),
}

/// The decoded bytes of a compressed source.
///
/// Its errors are those of the source, `UnexpectedEof` when the archive ends too early, `FileTooLarge` when it wants
/// more memory than is allowed, and `InvalidData` when it is damaged.
pub struct Decoder<R: Read> {
    coding: Coding,
    inner: Inner<R>,
    past_end: Arc<AtomicBool>,
    /// Nothing at all was in the source: no archive, and nothing decoded.
    empty: Option<bool>,
}

impl<R: Read> Decoder<R> {
    /// A decoder of everything in `source`.
    pub fn new(coding: Coding, source: R) -> Decoder<R> {
        let past_end = Arc::new(AtomicBool::new(false));
        let source = BufReader::with_capacity(CHUNK, Source { inner: source, past_end: Arc::clone(&past_end) });
        let inner = match coding {
            Coding::Gzip => Inner::Gzip(Box::new(MultiGzDecoder::new(source))),
            Coding::Zstd => Inner::Zstd(Box::new(Frames::new(source))),
        };
        Decoder { coding, inner, past_end, empty: None }
    }

    /// Decodes on at the end of `buffer` until it holds at least `upto` bytes or the archive ends; true at the end.
    ///
    /// # Errors
    /// See [`Decoder`]. What was decoded before stays in `buffer`.
    pub fn fill(&mut self, buffer: &mut Vec<u8>, upto: usize) -> Result<bool, Error> {
        let wanted = upto.saturating_sub(buffer.len());
        if wanted == 0 {
            return Ok(false);
        }
        let read = self.by_ref().take(wanted as u64).read_to_end(buffer)?;
        Ok(read < wanted)
    }

    fn is_empty(&mut self) -> Result<bool, Error> {
        if let Some(empty) = self.empty {
            return Ok(empty);
        }
        let source = match &mut self.inner {
            Inner::Gzip(gzip) => gzip.get_mut(),
            Inner::Zstd(frames) => &mut frames.source,
        };
        let empty = source.fill_buf()?.is_empty();
        self.empty = Some(empty);
        Ok(empty)
    }

    fn explained(&self, error: Error) -> Error {
        let name = self.coding.as_str();
        if error.raw_os_error().is_some() || matches!(error.kind(), ErrorKind::Interrupted | ErrorKind::FileTooLarge) {
            error
        } else if self.past_end.load(Ordering::Relaxed) {
            Error::new(ErrorKind::UnexpectedEof, format!("its {name} data ends too early"))
        } else {
            Error::new(ErrorKind::InvalidData, format!("its {name} data is damaged"))
        }
    }
}

impl<R: Read> Read for Decoder<R> {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize, Error> {
        if self.is_empty()? {
            return Ok(0);
        }
        let read = match &mut self.inner {
            Inner::Gzip(gzip) => gzip.read(buffer),
            Inner::Zstd(frames) => frames.read(buffer),
        };
        read.map_err(|error| self.explained(error))
    }
}

/// Zstandard frames one after the other.
struct Frames<R: Read> {
    source: BufReader<Source<R>>,
    decoder: FrameDecoder,
    /// A frame is under way.
    inside: bool,
}

impl<R: Read> Frames<R> {
    fn new(source: BufReader<Source<R>>) -> Frames<R> {
        let mut decoder = FrameDecoder::new();
        decoder.set_max_window_size(MAX_WINDOW);
        Frames { source, decoder, inside: false }
    }

    /// Begins the next frame; false when there is none.
    fn begin(&mut self) -> Result<bool, Error> {
        loop {
            if self.source.fill_buf()?.is_empty() {
                return Ok(false);
            }
            match self.decoder.init(&mut self.source) {
                Ok(()) => return Ok(true),
                Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame { length, .. })) => {
                    let length = u64::from(length);
                    let skipped = std::io::copy(&mut self.source.by_ref().take(length), &mut std::io::sink())?;
                    if skipped < length {
                        return Err(ErrorKind::UnexpectedEof.into());
                    }
                }
                Err(FrameDecoderError::WindowSizeTooBig { requested, .. }) => {
                    let what = format!("it wants {requested} bytes of memory to be decoded");
                    return Err(Error::new(ErrorKind::FileTooLarge, what));
                }
                Err(error) => return Err(Error::other(error)),
            }
        }
    }
}

impl<R: Read> Read for Frames<R> {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize, Error> {
        loop {
            if !self.inside {
                if !self.begin()? {
                    return Ok(0);
                }
                self.inside = true;
            }
            while self.decoder.can_collect() == 0 && !self.decoder.is_finished() {
                self.decoder
                    .decode_blocks(&mut self.source, BlockDecodingStrategy::UptoBlocks(1))
                    .map_err(Error::other)?;
            }
            let read = self.decoder.read(buffer)?;
            if read > 0 || buffer.is_empty() {
                return Ok(read);
            }
            let stated = self.decoder.get_checksum_from_data();
            if stated.is_some() && stated != self.decoder.get_calculated_checksum() {
                return Err(Error::other("checksum"));
            }
            self.inside = false;
        }
    }
}

/// The fault of an archive that could not be decoded.
pub fn fault(error: &Error) -> Fault {
    if let Some(number) = error.raw_os_error() {
        return super::read::io_fault(rustix::io::Errno::from_raw_os_error(number));
    }
    let what = error.to_string();
    if error.kind() == ErrorKind::FileTooLarge {
        return Fault::new(Class::TooLarge).found(what).expected(format!("at most {MAX_WINDOW} bytes"));
    }
    Fault::new(Class::IoError).found(what)
}

/// The fault of an archive that holds more than the limit; how much more is not found out.
pub fn too_large(limit: u64) -> Fault {
    Fault::new(Class::TooLarge)
        .found(format!("more than {limit} bytes when decoded"))
        .expected(format!("at most {limit} bytes"))
}

#[cfg(test)]
mod tests;
