//! A compressed file, verified from what it decodes to: as one text, or line by line with one line in memory. It is
//! always read from its beginning to its end, and its stamps are those of the compressed file.

use std::io::Error;

use super::archive::{self, Coding, Decoder};
use super::file::{Ask, Ending, FileVerifier, HEAD, Part, Read, decide, is_cut, may_be_lines, read, waits};
use super::lines::{PART, is_blank, one_line};
use super::read::{Bytes, Open, Still, is_racy, too_large};
use crate::aer1::report::{Place, Report};
use crate::aer1::verify::Reading;

/// Decoded bytes taken at once.
const CHUNK: usize = 256 << 10;

/// What was decoded so far, and how it goes on.
struct Source<'a> {
    decoder: Decoder<Bytes<'a>>,
    /// No more is there.
    ended: bool,
    /// Why no more can be had.
    broken: Option<Error>,
}

impl Source<'_> {
    fn fill(&mut self, buffer: &mut Vec<u8>, upto: usize) {
        if self.ended {
            return;
        }
        match self.decoder.fill(buffer, upto) {
            Ok(ended) => self.ended = ended,
            Err(error) => (self.ended, self.broken) = (true, Some(error)),
        }
    }
}

/// Lines taken so far.
struct Pass {
    at: usize,
    line: u32,
    records: Vec<Report>,
    fresh: bool,
    /// Bytes of a line over the limit that were passed over so far.
    skipped: Option<u64>,
    events: bool,
}

impl FileVerifier {
    /// Verifies a compressed file.
    pub(super) fn decoded(
        &mut self,
        open: &Open,
        coding: Coding,
        ask: Ask<'_>,
        sink: &mut dyn FnMut(Part) -> bool,
    ) -> Ending {
        let mut source = Source { decoder: Decoder::new(coding, open.bytes()), ended: false, broken: None };
        let limit = usize::try_from(self.max_size).unwrap_or(usize::MAX);
        self.buffer.clear();
        source.fill(&mut self.buffer, HEAD);
        while may_be_lines(&self.buffer) {
            match decide(&self.buffer, source.ended && source.broken.is_none()) {
                how @ (Reading::Lines | Reading::Events) => {
                    return self.decoded_lines(open, &mut source, how == Reading::Events, ask, sink);
                }
                Reading::Unknown if !source.ended && self.buffer.len() <= limit => {
                    let want = self.buffer.len().saturating_mul(4).min(limit.saturating_add(1));
                    source.fill(&mut self.buffer, want);
                }
                _ => break,
            }
        }
        self.decoded_whole(open, &mut source, ask, sink)
    }

    fn decoded_whole(
        &mut self,
        open: &Open,
        source: &mut Source<'_>,
        ask: Ask<'_>,
        sink: &mut dyn FnMut(Part) -> bool,
    ) -> Ending {
        let stamp = open.stamp;
        source.fill(&mut self.buffer, usize::try_from(self.max_size.saturating_add(1)).unwrap_or(usize::MAX));
        if open.still() != Still::Same {
            return Ending::Writing { stamp, cut: false };
        }
        if self.buffer.len() as u64 > self.max_size {
            return read(stamp, vec![Report::of_fault(Place::WHOLE, archive::too_large(self.max_size))]);
        }
        match &source.broken {
            None => self.text(stamp, ask, sink),
            Some(_) if waits(stamp, ask) => Ending::Writing { stamp, cut: true },
            Some(error) => read(stamp, vec![Report::of_fault(Place::WHOLE, archive::fault(error))]),
        }
    }

    fn decoded_lines(
        &mut self,
        open: &Open,
        source: &mut Source<'_>,
        events: bool,
        ask: Ask<'_>,
        sink: &mut dyn FnMut(Part) -> bool,
    ) -> Ending {
        let stamp = open.stamp;
        let mut pass = Pass { at: 0, line: 0, records: Vec::new(), fresh: true, skipped: None, events };
        loop {
            while let Some(end) = self.buffer.get(pass.at..).and_then(|rest| memchr::memchr(b'\n', rest)) {
                self.decoded_line(&mut pass, end);
                pass.at += 1;
                if pass.records.len() >= PART {
                    // Nothing is told over bytes that are being written.
                    if open.still() != Still::Same {
                        return Ending::Writing { stamp, cut: false };
                    }
                    let records = std::mem::replace(&mut pass.records, Vec::with_capacity(PART));
                    if !sink(Part { fresh: std::mem::take(&mut pass.fresh), stamp, records }) {
                        return Ending::Stopped;
                    }
                }
            }
            if source.ended {
                break;
            }
            let rest = self.buffer.len().saturating_sub(pass.at);
            if pass.skipped.is_some() || rest as u64 > self.max_size {
                pass.skipped = Some(pass.skipped.unwrap_or(0) + rest as u64);
                pass.at = self.buffer.len();
            }
            self.buffer.drain(..pass.at);
            pass.at = 0;
            let want = self.buffer.len().saturating_add(CHUNK);
            source.fill(&mut self.buffer, want);
        }
        if source.broken.is_some() && waits(stamp, ask) {
            return Ending::Writing { stamp, cut: true };
        }
        let rest = self.buffer.get(pass.at..).unwrap_or_default();
        if let Some(error) = &source.broken {
            // What stands before the break was judged; the line it is in cannot be.
            let place = Place::line(pass.line.saturating_add(1));
            pass.records.push(Report::of_fault(place, archive::fault(error)));
        } else if pass.skipped.is_some() || !is_blank(rest) {
            let before = pass.records.len();
            self.decoded_line(&mut pass, rest.len());
            if pass.records.iter().skip(before).any(is_cut) && waits(stamp, ask) {
                return Ending::Writing { stamp, cut: true };
            }
        }
        if pass.events && pass.fresh && pass.records.is_empty() {
            // Event text without a record is judged as a whole.
            let Some(coding) = open.coding else { return Ending::Writing { stamp, cut: false } };
            let mut source = Source { decoder: Decoder::new(coding, open.bytes()), ended: false, broken: None };
            self.buffer.clear();
            return self.decoded_whole(open, &mut source, ask, sink);
        }
        if open.still() != Still::Same {
            return Ending::Writing { stamp, cut: false };
        }
        let part = Part { fresh: pass.fresh, stamp, records: pass.records };
        Ending::Read(Read { part, tail: None, grown: false, cut: false, unsure: false, racy: is_racy(&stamp) })
    }

    /// Takes the next `length` bytes as a line.
    fn decoded_line(&mut self, pass: &mut Pass, length: usize) {
        let line = self.buffer.get(pass.at..pass.at + length).unwrap_or_default();
        pass.at += length;
        pass.line = pass.line.saturating_add(1);
        let size = length as u64 + pass.skipped.unwrap_or(0);
        if pass.skipped.take().is_some() || size > self.max_size {
            pass.records.push(Report::of_fault(Place::line(pass.line), too_large(size, self.max_size)));
        } else {
            one_line(&mut self.verifier, pass.events, pass.line, line, &mut pass.records);
        }
    }
}
