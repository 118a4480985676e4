//! Lines of a text, found by byte offset: an index of line feeds a block, no string and no offset a line.

use std::ops::Range;

use super::cells::{self, Spelling};

/// Bytes of one block of the index.
const BLOCK: usize = 64 << 10;
/// A wrapped line starts a new row at each multiple of this many bytes, so that stepping back looks at this much at most.
const SEGMENT: usize = 4 << 10;

/// Where the lines of a text are.
#[derive(Clone, Debug, Default)]
pub struct Lines {
    /// Line feeds before each block.
    before: Vec<usize>,
    /// Line feeds in all.
    feeds: usize,
    len: usize,
}

impl Lines {
    /// Counts the line feeds of `text`.
    pub fn new(text: &[u8]) -> Lines {
        let mut before = Vec::with_capacity(text.len() / BLOCK + 1);
        let mut feeds = 0usize;
        for block in text.chunks(BLOCK) {
            before.push(feeds);
            feeds = feeds.saturating_add(memchr::memchr_iter(b'\n', block).count());
        }
        Lines { before, feeds, len: text.len() }
    }

    /// Lines of the text; a line feed at its very end begins no further one.
    pub fn count(&self, text: &[u8]) -> usize {
        match text.last() {
            None => 0,
            Some(b'\n') => self.feeds,
            Some(_) => self.feeds.saturating_add(1),
        }
    }

    /// The number, from 0, of the line that holds `at`.
    pub fn line_of(&self, text: &[u8], at: usize) -> usize {
        let at = at.min(self.len);
        let block = (at / BLOCK).min(self.before.len().saturating_sub(1));
        let before = self.before.get(block).copied().unwrap_or(0);
        let start = block.saturating_mul(BLOCK);
        before.saturating_add(memchr::memchr_iter(b'\n', text.get(start..at).unwrap_or_default()).count())
    }

    /// Where the line that holds `at` begins. Blocks without a line feed are skipped without looking at them.
    pub fn start_of(&self, text: &[u8], at: usize) -> usize {
        let at = at.min(self.len);
        let mut block = at / BLOCK;
        let mut end = at;
        loop {
            let start = block.saturating_mul(BLOCK);
            let known = self.before.get(block).copied();
            let next = self.before.get(block.saturating_add(1)).copied().unwrap_or(self.feeds);
            if known.is_some_and(|known| known < next)
                && let Some(feed) = memchr::memrchr(b'\n', text.get(start..end).unwrap_or_default())
            {
                return start.saturating_add(feed).saturating_add(1);
            }
            match block.checked_sub(1) {
                Some(previous) => block = previous,
                None => return 0,
            }
            end = start;
        }
    }

    /// Where the line that holds `at` ends: its line feed, or the end of the text.
    pub fn end_of(&self, text: &[u8], at: usize) -> usize {
        let at = at.min(self.len);
        let mut block = at / BLOCK;
        let mut from = at;
        loop {
            let known = self.before.get(block).copied().unwrap_or(self.feeds);
            let next = self.before.get(block.saturating_add(1)).copied().unwrap_or(self.feeds);
            let stop = block.saturating_add(1).saturating_mul(BLOCK).min(self.len);
            if known < next
                && let Some(feed) = memchr::memchr(b'\n', text.get(from..stop).unwrap_or_default())
            {
                return from.saturating_add(feed);
            }
            if stop >= self.len {
                return self.len;
            }
            block = block.saturating_add(1);
            from = stop;
        }
    }

    /// Where line `number` (from 0) begins; the last line's start when there are fewer.
    pub fn nth(&self, text: &[u8], number: usize) -> usize {
        let number = number.min(self.count(text).saturating_sub(1));
        if number == 0 {
            return 0;
        }
        // The block in which the number-th line feed stands.
        let block = self.before.partition_point(|feeds| *feeds < number).saturating_sub(1);
        let start = block.saturating_mul(BLOCK);
        let wanted = number.saturating_sub(self.before.get(block).copied().unwrap_or(0)).saturating_sub(1);
        let rest = text.get(start..).unwrap_or_default();
        let feed = memchr::memchr_iter(b'\n', rest).nth(wanted).unwrap_or(0);
        start.saturating_add(feed).saturating_add(1).min(self.len)
    }
}

/// The end of the segment of a wrapped line that `at` stands in.
fn segment_end(text: &[u8], line: &Range<usize>, at: usize) -> usize {
    let segment = at.saturating_sub(line.start) / SEGMENT;
    let edge = line.start.saturating_add(segment.saturating_add(1).saturating_mul(SEGMENT));
    if edge >= line.end {
        return line.end;
    }
    let edge = cells::snap_back(text, edge);
    if edge > at { edge } else { line.end.min(edge.saturating_add(SEGMENT)) }
}

/// The bytes of the wrapped row that begins at `at` in `line`. Empty only for an empty line or at the line's end.
pub fn row_at(text: &[u8], line: &Range<usize>, at: usize, columns: usize, spelling: Spelling) -> Range<usize> {
    let at = at.clamp(line.start, line.end);
    let stop = segment_end(text, line, at);
    let taken = cells::take(text, at, stop, columns.max(1), spelling);
    // Where not even one character fits, the row still takes it, so that every text has an end.
    let end = if taken.end == at && at < stop { cells::next_char(text, at).min(stop) } else { taken.end };
    at..end
}

/// The start of the row before `at` in the same line, or `None` at the line's start.
pub fn row_before(text: &[u8], line: &Range<usize>, at: usize, columns: usize, spelling: Spelling) -> Option<usize> {
    if at <= line.start {
        return None;
    }
    let mut start = {
        let segment = (at - 1).saturating_sub(line.start) / SEGMENT;
        let edge = line.start.saturating_add(segment.saturating_mul(SEGMENT));
        cells::snap_back(text, edge).max(line.start)
    };
    loop {
        let row = row_at(text, line, start, columns, spelling);
        if row.end >= at || row.end <= start {
            return Some(start);
        }
        start = row.end;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_found_in_every_block() {
        let mut text = Vec::new();
        for n in 0..30_000 {
            text.extend_from_slice(format!("line {n}\n").as_bytes());
        }
        text.extend_from_slice(&vec![b'x'; 300_000]);
        text.extend_from_slice(b"\nlast");
        let lines = Lines::new(&text);
        assert_eq!(lines.count(&text), 30_002);
        for n in [0usize, 1, 7_000, 29_999] {
            let start = lines.nth(&text, n);
            let end = lines.end_of(&text, start);
            assert_eq!(std::str::from_utf8(&text[start..end]).unwrap(), format!("line {n}"));
            assert_eq!(lines.line_of(&text, start), n);
            assert_eq!(lines.start_of(&text, end), start);
        }
        let long = lines.nth(&text, 30_000);
        assert_eq!(lines.end_of(&text, long) - long, 300_000);
        assert_eq!(lines.start_of(&text, long + 299_999), long);
        assert_eq!(&text[lines.nth(&text, 99_999)..], b"last");
        assert_eq!(Lines::new(b"").count(b""), 0);
        assert_eq!(Lines::new(b"a\n").count(b"a\n"), 1);
    }

    #[test]
    fn wrapped_rows_go_back_the_way_they_came() {
        let text = "äb東c".repeat(700);
        let text = text.as_bytes();
        let line = 0..text.len();
        for columns in [5usize, 7, 80] {
            let mut starts = Vec::new();
            let mut at = 0;
            while at < line.end {
                starts.push(at);
                at = row_at(text, &line, at, columns, Spelling::Plain).end;
            }
            let mut back = Vec::new();
            let mut at = line.end;
            while let Some(start) = row_before(text, &line, at, columns, Spelling::Plain) {
                back.push(start);
                at = start;
            }
            back.reverse();
            assert_eq!(back, starts, "{columns}");
        }
    }
}
