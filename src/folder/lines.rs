//! Line-wise files: streamed with one line in memory, and followed from where the last look ended.

use rustix::io::Errno;
use sha2::{Digest, Sha256};

use super::file::{Ask, Ending, FileVerifier, Part, Read, is_cut, waits};
use super::prefix::Prefix;
use super::read::{Open, Still, is_racy, too_large};
use crate::aer1::report::{Place, Report};
use crate::aer1::verify::Verifier;
use crate::record::Stamp;

/// Records a part.
pub(super) const PART: usize = 256;
/// Bytes read at once.
const CHUNK: usize = 256 << 10;
/// Bytes at the beginning and before the end of the read part that must be unchanged for reading on.
const WITNESS: usize = 4096;
/// A file of this size, in bytes, is worth a second thread.
const LARGE: u64 = 1 << 20;
/// So are lines of this size together, and no more than so many lines are taken at once.
const WORTH: usize = 64 << 10;
const AT_ONCE: usize = 1024;

/// Where a line-wise file was read to, and how to tell that what was read is still there.
#[derive(Clone, Debug)]
pub struct Tail {
    /// What the file was then.
    stamp: Stamp,
    /// Bytes read: the next line begins here, or, when `ended` is false, its line break is expected here.
    offset: u64,
    /// Lines read.
    line: u32,
    /// The lines are server-sent events.
    events: bool,
    /// Whether the last line was ended by a line break.
    ended: bool,
    /// A fault was shown for a last line that was cut off: it may be completed, so growth means reading everything.
    closed: bool,
    first: [u8; 32],
    last: [u8; 32],
    /// Everything that was read, where the file is followed.
    prefix: Option<Prefix>,
}

impl Tail {
    /// Whether `open` is the same file, longer or unchanged, with the same first and last bytes of what was read.
    pub fn fits(&self, open: &Open, scratch: &mut Vec<u8>) -> bool {
        let (then, now) = (&self.stamp, &open.stamp);
        let same_file = (then.dev, then.ino) == (now.dev, now.ino);
        // A change without growth may be anywhere.
        if self.closed || !same_file || (then != now && now.size <= then.size) {
            return false;
        }
        witnesses(open, self.offset, scratch).is_ok_and(|now| now == Some((self.first, self.last)))
    }

    /// Goes on comparing what was read before with what stands there now; `None` when it is something else.
    pub fn compared(&self, open: &Open, scratch: &mut Vec<u8>) -> Result<Option<Tail>, Errno> {
        let mut tail = self.clone();
        if let Some(prefix) = &mut tail.prefix {
            if self.stamp != open.stamp {
                prefix.doubt();
            }
            if !prefix.compare(open, scratch)? {
                return Ok(None);
            }
        }
        Ok(Some(tail))
    }
}

/// Digests of the first and of the last bytes of what was read.
type Witnesses = ([u8; 32], [u8; 32]);

/// Digests of the first and the last bytes before `offset`.
fn witnesses(open: &Open, offset: u64, scratch: &mut Vec<u8>) -> Result<Option<Witnesses>, Errno> {
    let length = usize::try_from(offset).unwrap_or(usize::MAX).min(WITNESS);
    if !open.fill_at(scratch, 0, length)? {
        return Ok(None);
    }
    let first = Sha256::digest(&*scratch).into();
    if !open.fill_at(scratch, offset.saturating_sub(length as u64), length)? {
        return Ok(None);
    }
    Ok(Some((first, Sha256::digest(&*scratch).into())))
}

/// Where a pass begins.
#[derive(Clone, Copy)]
pub(super) enum Start<'a> {
    /// At the beginning; true for server-sent events.
    Beginning(bool),
    /// After what was read before.
    After(&'a Tail),
}

/// One pass over a line-wise file. `FileVerifier::buffer` holds the bytes from `base`; those before `at` are taken.
struct Pass<'a> {
    open: &'a Open,
    base: u64,
    at: usize,
    line: u32,
    records: Vec<Report>,
    fresh: bool,
    /// Bytes of a line over the limit that were passed over so far.
    skipped: Option<u64>,
    /// The last line was taken without its line break, which must come next.
    unended: bool,
    /// The first bytes as they were read.
    head: Vec<u8>,
    /// The lines are server-sent events.
    events: bool,
    /// Everything taken before `base`, and perhaps some after it.
    prefix: Option<Prefix>,
}

impl Pass<'_> {
    /// Adds what was taken from the buffer to what was read.
    fn absorb(&mut self, buffer: &[u8]) {
        if let Some(prefix) = &mut self.prefix {
            let from = usize::try_from(prefix.length().saturating_sub(self.base)).unwrap_or(usize::MAX);
            prefix.add(buffer.get(from..self.at).unwrap_or_default());
        }
    }
}

pub(super) fn one_line(verifier: &mut Verifier, events: bool, number: u32, line: &[u8], records: &mut Vec<Report>) {
    let mut sink = |report| records.push(report);
    if events { verifier.event_line(number, line, &mut sink) } else { verifier.line(number, line, &mut sink) }
}

/// Verifies whole lines; `number` is that of the line before them.
fn many_lines(
    verifier: &mut Verifier,
    events: bool,
    mut number: u32,
    mut lines: &[u8],
    max_size: u64,
    records: &mut Vec<Report>,
) {
    while let Some(end) = memchr::memchr(b'\n', lines) {
        let (line, rest) = lines.split_at(end);
        lines = rest.get(1..).unwrap_or_default();
        number = number.saturating_add(1);
        if line.len() as u64 > max_size {
            records.push(Report::of_fault(Place::line(number), too_large(line.len() as u64, max_size)));
        } else {
            one_line(verifier, events, number, line, records);
        }
    }
}

/// Hands over what was found so far; what ends the pass, if anything does.
fn hand_over(pass: &mut Pass<'_>, sink: &mut dyn FnMut(Part) -> bool) -> Option<Step> {
    if pass.open.still() == Still::Moved {
        return Some(Step::Moved);
    }
    let records = std::mem::replace(&mut pass.records, Vec::with_capacity(PART));
    let fresh = std::mem::take(&mut pass.fresh);
    (!sink(Part { fresh, stamp: pass.open.stamp, records })).then_some(Step::Stopped)
}

/// White space as JSON has it.
pub(super) fn is_blank(bytes: &[u8]) -> bool {
    bytes.iter().all(|byte| matches!(byte, b' ' | b'\t' | b'\r' | b'\n'))
}

/// What a step of the pass wants.
enum Step {
    /// Go on.
    On,
    /// The file is not what it was: read everything again.
    Anew,
    /// It moved.
    Moved,
    /// The sink wants no more.
    Stopped,
}

impl FileVerifier {
    /// Reads a line-wise file, from its beginning (`buffer` holds its first bytes) or on from `tail`.
    pub(super) fn lines(
        &mut self,
        open: &Open,
        start: Start<'_>,
        ask: Ask<'_>,
        sink: &mut dyn FnMut(Part) -> bool,
    ) -> Result<Ending, Errno> {
        let writing = Ok(Ending::Writing { stamp: open.stamp, cut: false });
        let mut pass = self.begin(open, start, ask.as_opened)?;
        loop {
            // Never beyond the size seen first: what comes later belongs to the next look.
            let room = usize::try_from(open.stamp.size.saturating_sub(pass.base)).unwrap_or(usize::MAX);
            self.buffer.truncate(room);
            match self.take_lines(&mut pass, sink) {
                Step::On => {}
                Step::Anew => return self.verify_anew(open, ask, sink),
                Step::Moved => return writing,
                Step::Stopped => return Ok(Ending::Stopped),
            }
            if self.buffer.len() >= room {
                return self.last_line(pass, ask, sink);
            }
            if self.read_on(&mut pass)? {
                // It ended before its size: it was cut meanwhile.
                return writing;
            }
        }
    }

    fn verify_anew(&mut self, open: &Open, ask: Ask<'_>, sink: &mut dyn FnMut(Part) -> bool) -> Result<Ending, Errno> {
        open.seek(0)?;
        Ok(self.verify_open(open, Ask { tail: None, ..ask }, sink))
    }

    fn begin<'a>(&mut self, open: &'a Open, start: Start<'_>, once: bool) -> Result<Pass<'a>, Errno> {
        let mut pass = Pass {
            open,
            base: 0,
            at: 0,
            line: 0,
            records: Vec::new(),
            fresh: true,
            skipped: None,
            unended: false,
            head: Vec::new(),
            events: false,
            // What is read once is never compared.
            prefix: (!once).then(Prefix::default),
        };
        match start {
            Start::Beginning(events) => {
                pass.events = events;
                pass.head.extend(self.buffer.iter().take(WITNESS));
            }
            Start::After(tail) => {
                // The bytes before the offset are read again: they are the witness of what comes after them.
                let history = usize::try_from(tail.offset).unwrap_or(usize::MAX).min(WITNESS);
                let from = tail.offset.saturating_sub(history as u64);
                open.fill_at(&mut pass.head, 0, history)?;
                open.fill_at(&mut self.buffer, from, history)?;
                open.seek(tail.offset)?;
                (pass.base, pass.at, pass.line) = (from, self.buffer.len(), tail.line);
                (pass.fresh, pass.unended, pass.events) = (false, !tail.ended, tail.events);
                pass.prefix.clone_from(&tail.prefix);
            }
        }
        Ok(pass)
    }

    /// Takes every line that is ended by a line break.
    fn take_lines(&mut self, pass: &mut Pass<'_>, sink: &mut dyn FnMut(Part) -> bool) -> Step {
        loop {
            self.take_in_halves(pass);
            if pass.records.len() >= PART
                && let Some(step) = hand_over(pass, sink)
            {
                return step;
            }
            let Some(rest) = self.buffer.get(pass.at..) else { break };
            let Some(end) = memchr::memchr(b'\n', rest) else { break };
            let line = rest.get(..end).unwrap_or_default();
            pass.at += end + 1;
            if std::mem::take(&mut pass.unended) {
                if !is_blank(line) {
                    return Step::Anew;
                }
                continue;
            }
            pass.line = pass.line.saturating_add(1);
            let size = line.len() as u64 + pass.skipped.unwrap_or(0);
            if pass.skipped.take().is_some() || size > self.max_size {
                pass.records.push(Report::of_fault(Place::line(pass.line), too_large(size, self.max_size)));
            } else {
                one_line(&mut self.verifier, pass.events, pass.line, line, &mut pass.records);
            }
            if pass.records.len() >= PART
                && let Some(step) = hand_over(pass, sink)
            {
                return step;
            }
        }
        Step::On
    }

    /// Verifies many lines at once, one half of them in a thread of its own, where there is a verifier for it.
    fn take_in_halves(&mut self, pass: &mut Pass<'_>) {
        let Some(helper) = &mut self.helper else { return };
        if pass.unended || pass.skipped.is_some() || pass.open.stamp.size < LARGE {
            return;
        }
        let rest = self.buffer.get(pass.at..).unwrap_or_default();
        let ends: Vec<usize> = memchr::memchr_iter(b'\n', rest).take(AT_ONCE).collect();
        let (Some(end), Some(middle)) = (ends.last(), ends.get(ends.len() / 2)) else { return };
        if *end < WORTH || ends.len() < 4 {
            return;
        }
        let lines = rest.get(..=*end).unwrap_or_default();
        let (before, after) = lines.split_at(middle + 1);
        let count = |lines: usize| u32::try_from(lines).unwrap_or(u32::MAX);
        let number = pass.line.saturating_add(count(ends.len() / 2 + 1));
        let (events, max_size) = (pass.events, self.max_size);
        let later = std::thread::scope(|scope| {
            let later = scope.spawn(|| {
                let mut records = Vec::with_capacity(ends.len() / 2);
                many_lines(helper, events, number, after, max_size, &mut records);
                records
            });
            many_lines(&mut self.verifier, events, pass.line, before, max_size, &mut pass.records);
            later.join()
        });
        match later {
            Ok(mut later) => pass.records.append(&mut later),
            Err(panic) => std::panic::resume_unwind(panic),
        }
        pass.line = pass.line.saturating_add(count(ends.len()));
        pass.at += lines.len();
    }

    /// Makes room and reads the next bytes; true when the file ended before the size it had.
    fn read_on(&mut self, pass: &mut Pass<'_>) -> Result<bool, Errno> {
        let rest = self.buffer.len().saturating_sub(pass.at);
        if pass.skipped.is_some() || rest as u64 > self.max_size {
            pass.skipped = Some(pass.skipped.unwrap_or(0) + rest as u64);
            pass.at = self.buffer.len();
        }
        pass.absorb(&self.buffer);
        let gone = pass.at.saturating_sub(WITNESS);
        self.buffer.drain(..gone);
        pass.base += gone as u64;
        pass.at -= gone;
        let left = usize::try_from(pass.open.stamp.size.saturating_sub(pass.base)).unwrap_or(usize::MAX);
        let want = self.buffer.len().saturating_add(CHUNK).min(left);
        let ended = pass.open.fill(&mut self.buffer, want)?;
        if pass.head.is_empty() {
            pass.head.extend(self.buffer.iter().take(WITNESS));
        }
        Ok(ended)
    }

    /// Takes what stands after the last line break, and ends the pass.
    fn last_line(
        &mut self,
        mut pass: Pass<'_>,
        ask: Ask<'_>,
        sink: &mut dyn FnMut(Part) -> bool,
    ) -> Result<Ending, Errno> {
        let stamp = pass.open.stamp;
        let rest = self.buffer.get(pass.at..).unwrap_or_default();
        let mut tail = Tail {
            stamp,
            offset: pass.base + pass.at as u64,
            line: pass.line,
            events: pass.events,
            ended: !pass.unended,
            closed: false,
            first: [0; 32],
            last: [0; 32],
            prefix: None,
        };
        let blank = is_blank(rest);
        let mut cut = false;
        if pass.unended && !blank {
            return self.verify_anew(pass.open, ask, sink);
        }
        let size = rest.len() as u64 + pass.skipped.unwrap_or(0);
        let number = pass.line.saturating_add(1);
        if pass.skipped.is_some() || size > self.max_size {
            // Over the limit already; when it goes on, everything is read again.
            pass.records.push(Report::of_fault(Place::line(number), too_large(size, self.max_size)));
            tail.closed = true;
        } else if !blank {
            let before = pass.records.len();
            one_line(&mut self.verifier, pass.events, number, rest, &mut pass.records);
            if pass.records.iter().skip(before).any(is_cut) {
                if waits(stamp, ask) {
                    pass.records.truncate(before);
                    cut = true;
                } else {
                    tail.closed = true;
                }
            } else if pass.records.len() > before {
                pass.at = self.buffer.len();
                (tail.offset, tail.line, tail.ended) = (stamp.size, number, false);
            }
        }
        if pass.events && pass.fresh && pass.records.is_empty() && !cut {
            // Event text without a record is judged as a whole.
            self.buffer.clear();
            pass.open.seek(0)?;
            return self.whole(pass.open, ask, sink);
        }
        // What was read must still stand there, or the records are over mixed bytes.
        let still = pass.open.still();
        let length = usize::try_from(tail.offset).unwrap_or(usize::MAX).min(WITNESS);
        let begins = length.min(pass.head.len());
        let ends = pass.at.min(WITNESS);
        let as_read = (
            Sha256::digest(pass.head.get(..begins).unwrap_or_default()).into(),
            Sha256::digest(self.buffer.get(pass.at - ends..pass.at).unwrap_or_default()).into(),
        );
        let now = witnesses(pass.open, tail.offset, &mut self.scratch)?;
        if still == Still::Moved || now.is_none_or(|now| now.1 != as_read.1 || (begins == length && now.0 != as_read.0))
        {
            return Ok(Ending::Writing { stamp, cut: false });
        }
        (tail.first, tail.last) = now.unwrap_or(as_read);
        pass.absorb(&self.buffer);
        let unsure = pass.prefix.as_ref().is_some_and(|prefix| !prefix.is_certain());
        tail.prefix = pass.prefix;
        let part = Part { fresh: pass.fresh, stamp, records: pass.records };
        let grown = still == Still::Grown;
        Ok(Ending::Read(Read { part, tail: Some(Box::new(tail)), grown, cut, unsure, racy: is_racy(&stamp) }))
    }
}
