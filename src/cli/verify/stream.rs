//! `verify --stream`: one record a line in, one line a record out.
//!
//! ```text
//! reader ── batches of whole lines ──▶ workers ── written lines ──▶ writer, in order
//!    ▲                                                                │
//!    └────────────── a permit for each batch that was written ────────┘
//! ```
//! The permits bound how many batches are under way, so memory stays the same however long the input is.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader, IsTerminal, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

use aerscope::aer1::report::{Class, Fault, Place, Report};
use aerscope::aer1::verify::Verifier;
use aerscope::folder::archive::{Coding, Decoder};
use aerscope::output::jsonl;
use aerscope::output::plain::{self, Paint};
use aerscope::output::tally::Tally;

use super::{Args, Format, colour, exit_of, is_stdin};
use crate::cli::progress::Progress;
use crate::cli::written;
use crate::cli::{Outcome, Refusal};

/// About how many bytes of input go to a worker at once.
const BATCH: usize = 256 << 10;

/// Lines that stand one after the other in one buffer.
#[derive(Debug, Default)]
struct Batch {
    number: u64,
    bytes: Vec<u8>,
    lines: Vec<Line>,
}

/// One line: its number from 1, and where it stands in the batch; `None` when it is over the limit.
#[derive(Debug, PartialEq, Eq)]
struct Line {
    number: u32,
    range: Option<Range<usize>>,
}

/// What a worker made of a batch.
struct Written {
    number: u64,
    bytes: Vec<u8>,
    tally: Tally,
}

/// Streams standard input, or each named file.
pub fn run(args: &Args) -> Outcome {
    let mut inputs: Vec<PathBuf> = args.paths.clone();
    if inputs.is_empty() {
        inputs.push(PathBuf::from("-"));
    }
    let mut open: Vec<(PathBuf, Box<dyn BufRead + Send>)> = Vec::new();
    for path in inputs {
        let reader: Box<dyn BufRead + Send> = if is_stdin(&path) {
            Box::new(BufReader::with_capacity(BATCH, io::stdin()))
        } else {
            let file = File::open(&path)
                .map_err(|e| Refusal::io(&path, &e, "name a readable file, or - for standard input"))?;
            if file.metadata().is_ok_and(|m| m.is_dir()) {
                return Err(Refusal::path(&path, "a folder has no lines", "leave out --stream, or name its files"));
            }
            match Coding::of(&path) {
                Some(coding) => Box::new(BufReader::with_capacity(BATCH, Decoder::new(coding, file))),
                None => Box::new(BufReader::with_capacity(BATCH, file)),
            }
        };
        open.push((path, reader));
    }
    let mut tally = Tally::default();
    for (path, reader) in open {
        let mut out = io::stdout().lock();
        stream(&path, reader, args, &mut out, &mut tally)?;
    }
    Ok(exit_of(&tally))
}

/// Streams one reader. Ends the process when standard output is closed.
fn stream(
    path: &Path,
    reader: Box<dyn BufRead + Send>,
    args: &Args,
    out: &mut impl Write,
    tally: &mut Tally,
) -> Result<(), Refusal> {
    let workers = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let permits = workers.saturating_mul(4);
    let (permit_back, permit) = sync_channel::<()>(permits);
    let (batches, work) = sync_channel::<Batch>(permits);
    let (results, done) = sync_channel::<Written>(permits);
    for _ in 0..permits {
        // Cannot fail: the channel has room for all of them.
        let _ = permit_back.send(());
    }
    let work = Mutex::new(work);
    let max_size = args.limits().max_size;
    let mut write = Writer {
        quiet: args.quiet,
        out,
        next: 0,
        waiting: BTreeMap::new(),
        progress: Progress::new(!args.quiet && !io::stdout().is_terminal()),
    };
    let ended = std::thread::scope(|scope| {
        let cutter = scope.spawn(move || cut(reader, max_size, &permit, &batches));
        for _ in 0..workers {
            let (results, work) = (results.clone(), &work);
            scope.spawn(move || {
                let mut verifier = Verifier::new(args.options());
                while let Some(batch) = next(work) {
                    if results.send(verify(&mut verifier, path, batch, args)).is_err() {
                        break;
                    }
                }
            });
        }
        drop(results);
        let went = write.all(&done, &permit_back, tally);
        if let Err(error) = went {
            // Nothing can be printed any more. The reader may wait for input that never comes, so nothing waits for it.
            let exit = written(Err(error)).map_or_else(|refusal| refusal.report(), |()| exit_of(tally));
            std::process::exit(exit as i32);
        }
        // Whoever still waits for one of these is woken by their end.
        drop(permit_back);
        drop(done);
        cutter.join()
    });
    match ended {
        Ok(Ok(())) => Ok(()),
        // A reader that fails ends the input early, so what was said so far does not stand for the whole.
        Ok(Err(error)) => Err(Refusal::io(path, &error, "the lines read until then are above; read the rest again")),
        Err(_) => Err(Refusal::path(path, "the reader ended without a reason", "run it again")),
    }
}

/// The next batch; `None` when there are no more.
fn next(work: &Mutex<Receiver<Batch>>) -> Option<Batch> {
    work.lock().ok()?.recv().ok()
}

/// Verifies one batch and writes its lines.
fn verify(verifier: &mut Verifier, path: &Path, batch: Batch, args: &Args) -> Written {
    let mut tally = Tally::default();
    let mut bytes = Vec::with_capacity(if args.quiet { 0 } else { batch.lines.len().saturating_mul(768) });
    let text = args.format() == Format::Text;
    let paint = Paint { colour: text && colour(), ascii: false };
    let mut record = |report: Report| {
        tally.add(report.headline);
        if args.quiet {
            return;
        }
        // Writing to a Vec does not fail.
        let _ = if text {
            plain::write_line(&mut bytes, paint, path, &report)
        } else {
            jsonl::write(&mut bytes, path, &report, &[])
        };
    };
    verifier.set_clock(super::input::now());
    for line in &batch.lines {
        match line.range.clone().and_then(|range| batch.bytes.get(range)) {
            Some(text) => verifier.line(line.number, text, &mut record),
            None => {
                let limit = args.limits().max_size;
                let fault = Fault::new(Class::TooLarge).expected(format!("at most {limit} bytes a line"));
                record(Report::of_fault(Place::line(line.number), fault));
            }
        }
    }
    Written { number: batch.number, bytes, tally }
}

/// Cuts the input into batches of whole lines. A line over the limit is skipped and keeps its number. A batch goes out
/// when it is full, or when nothing more is there to read at once: a slow writer's lines are answered as they come.
fn cut(
    mut reader: Box<dyn BufRead + Send>,
    max_size: u64,
    permit: &Receiver<()>,
    batches: &SyncSender<Batch>,
) -> io::Result<()> {
    let limit = usize::try_from(max_size).unwrap_or(usize::MAX);
    let mut batch = Batch::default();
    let mut number: u32 = 0;
    // Where the line under way begins in the batch, and whether it is over the limit already.
    let (mut start, mut over) = (0usize, false);
    loop {
        let available = match reader.fill_buf() {
            Ok(available) => available,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        let at_end = available.is_empty();
        let mut rest = available;
        while !rest.is_empty() || at_end {
            let end = memchr::memchr(b'\n', rest);
            let taken = rest.get(..end.unwrap_or(rest.len())).unwrap_or_default();
            if !over {
                batch.bytes.extend_from_slice(taken);
            }
            if batch.bytes.len().saturating_sub(start) > limit {
                over = true;
                batch.bytes.truncate(start);
            }
            rest = rest.get(taken.len().saturating_add(usize::from(end.is_some()))..).unwrap_or_default();
            if end.is_some() || (at_end && (over || batch.bytes.len() > start)) {
                number = number.saturating_add(1);
                batch.lines.push(Line { number, range: (!over).then_some(start..batch.bytes.len()) });
                (start, over) = (batch.bytes.len(), false);
            }
            let full = batch.bytes.len() >= BATCH || batch.lines.len() >= BATCH / 64;
            if !batch.lines.is_empty() && (rest.is_empty() || full) {
                // Both channels close when the writer is gone: nobody wants more.
                if permit.recv().is_err() {
                    return Ok(());
                }
                let begun = batch.bytes.get(start..).unwrap_or_default().to_vec();
                let following = Batch { number: batch.number.saturating_add(1), bytes: begun, lines: Vec::new() };
                if batches.send(std::mem::replace(&mut batch, following)).is_err() {
                    return Ok(());
                }
                start = 0;
            }
            if at_end {
                return Ok(());
            }
        }
        let used = available.len();
        reader.consume(used);
    }
}

/// Puts the batches back into their order.
struct Writer<'a, W> {
    quiet: bool,
    out: &'a mut W,
    next: u64,
    waiting: BTreeMap<u64, Written>,
    progress: Progress,
}

impl<W: Write> Writer<'_, W> {
    /// Writes everything, in order; ends at the first error of the output.
    fn all(&mut self, done: &Receiver<Written>, permit_back: &SyncSender<()>, tally: &mut Tally) -> io::Result<()> {
        while let Ok(written) = done.recv() {
            self.waiting.insert(written.number, written);
            while let Some(written) = self.waiting.remove(&self.next) {
                self.next = self.next.saturating_add(1);
                tally.merge(&written.tally);
                self.progress.add(0, usize::try_from(written.tally.all()).unwrap_or(usize::MAX));
                if !self.quiet {
                    self.out.write_all(&written.bytes)?;
                    self.out.flush()?;
                }
                let _ = permit_back.try_send(());
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
