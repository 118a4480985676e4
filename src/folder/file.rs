//! One file, read and verified completely: into one list of reports, or, when it is line-wise, in parts.

use std::path::Path;
use std::time::Duration;

use super::lines::{PART, Start, Tail};
use super::read::{At, Open, QUIET, Refused, Still, YOUNG, age, is_racy, refused, too_large};
use crate::aer1::grammar::Moment;
use crate::aer1::report::{Class, Fault, Place, Report};
use crate::aer1::verify::{Options, Reading, Verifier, reading};
use crate::record::Stamp;

/// Bytes read before it is decided how to read the rest.
pub(super) const HEAD: usize = 256 << 10;

/// A buffer larger than this is given back when its worker has nothing to do.
const KEPT: usize = 1 << 20;

/// Records of a file that are known before its end.
pub struct Part {
    /// True: they replace everything known of the file.
    pub fresh: bool,
    /// The stamp of the file they were read from.
    pub stamp: Stamp,
    /// The records.
    pub records: Vec<Report>,
}

/// How to look at a file.
#[derive(Clone, Copy, Default)]
pub struct Ask<'a> {
    /// Read on from here when the part before is unchanged.
    pub tail: Option<&'a Tail>,
    /// The file has had this stamp for so long by the asker's clock. After [`YOUNG`] a text that is cut off is a fault and
    /// not a write in progress; after [`QUIET`] any fault is one.
    pub settled: Option<(Stamp, Duration)>,
    /// Never wait: a text that is cut off is a fault at once.
    pub final_look: bool,
    /// Do not look again at the path after reading: what was opened is what is judged. (A file that is replaced while
    /// it is read still shows: losing its name moves its change time.)
    pub as_opened: bool,
}

/// How one look at a file ended.
pub enum Ending {
    /// It was read to its end.
    Read(Read),
    /// It is being written: no verdict.
    Writing {
        /// What it was when it was opened.
        stamp: Stamp,
        /// True: it held still, but its text is cut off or empty and young. False: it moved under the reader, or did so
        /// a moment ago and has a fault.
        cut: bool,
    },
    /// It is not there.
    Gone,
    /// It is no regular file: no row.
    Special,
    /// Whoever takes the parts wants no more.
    Stopped,
}

/// The last (mostly the only) part of a file that was read to its end.
pub struct Read {
    /// The records, after all parts before.
    pub part: Part,
    /// Where to read on when the file grows.
    pub tail: Option<Box<Tail>>,
    /// It has grown meanwhile: look again.
    pub grown: bool,
    /// Its last line is cut off and young: not among the records, look again.
    pub cut: bool,
    /// What was read of it before has not all been compared with what stands there now: look again soon.
    pub unsure: bool,
    /// It may have changed since in a way its stamp does not tell.
    pub racy: bool,
}

/// Verifies files one after the other; one a thread.
pub struct FileVerifier {
    pub(super) verifier: Verifier,
    /// Verifies every second half of the lines of a large file.
    pub(super) helper: Option<Verifier>,
    pub(super) buffer: Vec<u8>,
    pub(super) scratch: Vec<u8>,
    pub(super) max_size: u64,
    options: Options,
    largest: usize,
}

impl FileVerifier {
    /// A verifier of files of at most `max_size` bytes (or lines of that length).
    pub fn new(options: Options, max_size: u64) -> FileVerifier {
        FileVerifier {
            verifier: Verifier::new(options.clone()),
            helper: None,
            buffer: Vec::with_capacity(64 << 10),
            scratch: Vec::new(),
            max_size,
            options,
            largest: 0,
        }
    }

    /// The same, with a second thread for the lines of large files.
    pub fn helped(mut self) -> FileVerifier {
        self.helper = Some(Verifier::new(self.options.clone()));
        self
    }

    /// Moves the clock for notes about later times, when there is one.
    pub fn tick(&mut self) {
        if self.options.now.is_some() {
            self.verifier.set_clock(Moment::of(std::time::SystemTime::now()));
        }
    }

    /// Gives back what a large file needed.
    pub fn rest(&mut self) {
        if self.largest > KEPT {
            self.largest = 0;
            self.buffer = Vec::with_capacity(64 << 10);
            self.scratch = Vec::new();
            self.verifier = Verifier::new(self.options.clone());
        }
    }

    /// Looks at one file. Parts before the last go to `sink`, which says whether to go on.
    pub fn verify(&mut self, at: At<'_>, ask: Ask<'_>, sink: &mut dyn FnMut(Part) -> bool) -> Ending {
        let open = match Open::at(at) {
            Ok(open) => open,
            Err(Refused::Gone) => return Ending::Gone,
            Err(Refused::Special) => return Ending::Special,
            Err(Refused::Failed(fault)) => {
                // Nothing could be opened; what stands there still tells when to look again.
                let stamp = at.look().map(|stat| super::read::stamp_of(&stat)).unwrap_or_default();
                return read(stamp, vec![Report::of_fault(Place::WHOLE, fault)]);
            }
        };
        let ending = self.verify_open(&open, ask, sink);
        self.largest = self.largest.max(self.buffer.capacity());
        match ending {
            Ending::Read(_) if !ask.as_opened && !open.still_at(at) => {
                Ending::Writing { stamp: open.stamp, cut: false }
            }
            other => other,
        }
    }

    /// The same for a file that is open already, without asking whether its path still leads to it.
    pub fn verify_open(&mut self, open: &Open, ask: Ask<'_>, sink: &mut dyn FnMut(Part) -> bool) -> Ending {
        if let Some(coding) = open.coding {
            return self.decoded(open, coding, ask, sink);
        }
        let tail = ask.tail.filter(|tail| tail.fits(open, &mut self.scratch));
        let tail = tail.map_or(Ok(None), |tail| tail.compared(open, &mut self.scratch));
        let result = match tail {
            Ok(Some(tail)) => self.lines(open, Start::After(&tail), ask, sink),
            Ok(None) => self.whole_or_lines(open, ask, sink),
            Err(error) => Err(error),
        };
        match result {
            Ok(ending) => ending,
            Err(error) => match refused(error) {
                Refused::Failed(fault) => read(open.stamp, vec![Report::of_fault(Place::WHOLE, fault)]),
                Refused::Gone | Refused::Special => Ending::Gone,
            },
        }
    }

    fn whole_or_lines(
        &mut self,
        open: &Open,
        ask: Ask<'_>,
        sink: &mut dyn FnMut(Part) -> bool,
    ) -> Result<Ending, rustix::io::Errno> {
        let size = usize::try_from(open.stamp.size).unwrap_or(usize::MAX);
        let limit = usize::try_from(self.max_size).unwrap_or(usize::MAX);
        self.buffer.clear();
        let mut want = size.min(HEAD);
        open.fill(&mut self.buffer, want.max(1))?;
        while may_be_lines(&self.buffer) {
            let at_end = self.buffer.len() >= size || self.buffer.len() < want;
            match decide(&self.buffer, at_end) {
                how @ (Reading::Lines | Reading::Events) => {
                    return self.lines(open, Start::Beginning(how == Reading::Events), ask, sink);
                }
                Reading::Unknown if !at_end && self.buffer.len() <= limit => {
                    want = size.min(self.buffer.len().saturating_mul(4)).min(limit.saturating_add(1));
                    open.fill(&mut self.buffer, want)?;
                }
                _ => break,
            }
        }
        self.whole(open, ask, sink)
    }

    /// Reads on to the end and verifies everything as one text; `buffer` holds the beginning.
    pub(super) fn whole(
        &mut self,
        open: &Open,
        ask: Ask<'_>,
        sink: &mut dyn FnMut(Part) -> bool,
    ) -> Result<Ending, rustix::io::Errno> {
        let size = usize::try_from(open.stamp.size).unwrap_or(usize::MAX);
        if open.stamp.size > self.max_size {
            let report = Report::of_fault(Place::WHOLE, too_large(open.stamp.size, self.max_size));
            return Ok(match open.still() {
                Still::Same => read(open.stamp, vec![report]),
                _ => Ending::Writing { stamp: open.stamp, cut: false },
            });
        }
        open.fill(&mut self.buffer, size)?;
        if self.buffer.len() != size || open.still() != Still::Same {
            return Ok(Ending::Writing { stamp: open.stamp, cut: false });
        }
        Ok(self.text(open.stamp, ask, sink))
    }

    /// Verifies what is in `buffer`, which is all of the file and was read while it held still, as one text. An array
    /// of many records comes in parts: all of them are over the same bytes.
    pub(super) fn text(&mut self, stamp: Stamp, ask: Ask<'_>, sink: &mut dyn FnMut(Part) -> bool) -> Ending {
        let mut records = Vec::with_capacity(1);
        let (mut fresh, mut go_on, mut fails) = (true, true, false);
        self.verifier.text(&self.buffer, &mut |report| {
            if !go_on {
                return;
            }
            fails |= report.headline.is_failing();
            if records.len() >= PART {
                let records = std::mem::replace(&mut records, Vec::with_capacity(PART));
                go_on = sink(Part { fresh: std::mem::take(&mut fresh), stamp, records });
            }
            records.push(report);
        });
        if !go_on {
            return Ending::Stopped;
        }
        if records.iter().any(is_cut) && waits(stamp, ask) {
            return Ending::Writing { stamp, cut: true };
        }
        if fails && is_restless(&stamp, ask) {
            // Bytes of two texts, perhaps: a write moves the file's time when it begins, and goes on after that.
            return Ending::Writing { stamp, cut: false };
        }
        let part = Part { fresh, stamp, records };
        Ending::Read(Read { part, tail: None, grown: false, cut: false, unsure: false, racy: is_racy(&stamp) })
    }
}

/// A file that was read to its end in one part.
pub(super) fn read(stamp: Stamp, records: Vec<Report>) -> Ending {
    let part = Part { fresh: true, stamp, records };
    Ending::Read(Read { part, tail: None, grown: false, cut: false, unsure: false, racy: is_racy(&stamp) })
}

/// Whether the text of this record ends too early.
pub(super) fn is_cut(report: &Report) -> bool {
    matches!(report.class, Some(Class::JsonTruncated | Class::EmptyFile))
}

/// Whether a text that ends too early may still be under way: it is young, by the file's time and by the asker's clock.
pub(super) fn waits(stamp: Stamp, ask: Ask<'_>) -> bool {
    !ask.final_look && !has_settled(&stamp, ask, YOUNG) && age(&stamp).is_none_or(|age| age < YOUNG)
}

/// Whether anything of this file changed so recently that the one write may still be under way.
fn is_restless(stamp: &Stamp, ask: Ask<'_>) -> bool {
    let last = Stamp { mtime: stamp.mtime.max(stamp.ctime), ..*stamp };
    !ask.final_look && !has_settled(stamp, ask, QUIET) && age(&last).is_none_or(|age| age < QUIET)
}

fn has_settled(stamp: &Stamp, ask: Ask<'_>, long: Duration) -> bool {
    ask.settled.is_some_and(|(before, since)| before == *stamp && since >= long)
}

/// A quick look that spares most files the question: line-wise texts begin with an object or an event-stream field.
pub(super) fn may_be_lines(head: &[u8]) -> bool {
    let head = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head).trim_ascii_start();
    matches!(head.first(), Some(b'{' | b':' | b'a'..=b'z'))
}

/// How to read a text that begins like this; asks the core only when a second line is there.
pub(super) fn decide(head: &[u8], at_end: bool) -> Reading {
    let text = head.trim_ascii_start();
    let second = memchr::memchr(b'\n', text)
        .is_some_and(|end| text.get(end..).is_some_and(|rest| rest.iter().any(|byte| !byte.is_ascii_whitespace())));
    match (second, at_end) {
        (true, _) => reading(head, at_end),
        (false, true) => Reading::Whole,
        (false, false) => Reading::Unknown,
    }
}

/// The report of a path that is no regular file though a user named it.
pub fn not_a_file(path: &Path) -> Report {
    let what = match std::fs::metadata(path) {
        Ok(meta) if meta.is_dir() => "a folder",
        _ => "no regular file",
    };
    Report::of_fault(Place::WHOLE, Fault::new(Class::NotAFile).found(what))
}
