//! How far a long run is: one line on standard error, drawn over and over, when that is a terminal.
//!
//! Nothing is drawn in the first half second, into a file or a pipe, with `--quiet`, or while results are printed on a
//! terminal as they come: the two would mix. Whatever else goes to standard error takes the line away first.

use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use aerscope::folder::scan::{is_hidden, is_receipt_name};

/// A run shorter than this shows nothing.
const PATIENCE: Duration = Duration::from_millis(500);
/// Time between two drawings.
const PACE: Duration = Duration::from_millis(100);
/// Columns of the bar itself.
const BAR: u64 = 24;

/// Whether the line is on the screen.
static DRAWN: AtomicBool = AtomicBool::new(false);

/// The state of the line.
#[derive(Debug)]
pub struct Progress {
    began: Instant,
    next: Instant,
    active: bool,
    /// What there is to do, 0 while it is not known.
    total: Arc<AtomicU64>,
    /// Tells the counting thread to end.
    over: Arc<AtomicBool>,
    done: u64,
    records: u64,
}

impl Progress {
    /// Nothing done yet. `wanted` is false when nothing may be drawn.
    pub fn new(wanted: bool) -> Progress {
        let now = Instant::now();
        let dumb = std::env::var_os("TERM").is_none_or(|term| term == "dumb");
        Progress {
            began: now,
            next: now + PATIENCE,
            active: wanted && !dumb && io::stderr().is_terminal(),
            total: Arc::default(),
            over: Arc::default(),
            done: 0,
            records: 0,
        }
    }

    /// Counts the files below these paths, in a thread of its own, so that the time left can be told.
    pub fn count(&self, paths: &[PathBuf], all: bool) {
        if !self.active {
            return;
        }
        let (paths, total, over) = (paths.to_vec(), Arc::clone(&self.total), Arc::clone(&self.over));
        let body = move || {
            let count = files(&paths, all, &over);
            total.store(count, Ordering::Relaxed);
        };
        // Without a thread the line has no bar.
        let _ = std::thread::Builder::new().name("count".to_owned()).spawn(body);
    }

    /// So many more files and records are done.
    pub fn add(&mut self, files: u64, records: usize) {
        self.done = self.done.saturating_add(files);
        self.records = self.records.saturating_add(records as u64);
        if self.active {
            self.draw(Instant::now());
        }
    }

    fn draw(&mut self, now: Instant) {
        if now < self.next {
            return;
        }
        self.next = now + PACE;
        let columns = rustix::termios::tcgetwinsize(io::stderr()).map_or(80, |size| usize::from(size.ws_col));
        let total = self.total.load(Ordering::Relaxed);
        let line = line(self.done, total, self.records, now.duration_since(self.began));
        // The last column stays free: some terminals go to the next row when it is written.
        let shown = aerscope::text::fit(&line, columns.saturating_sub(1));
        DRAWN.store(true, Ordering::Relaxed);
        let mut out = io::stderr().lock();
        let _ = write!(out, "\r{shown}\x1b[K").and_then(|()| out.flush());
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.over.store(true, Ordering::Relaxed);
        erase();
    }
}

/// Takes the line off the screen, if it is there.
pub fn erase() {
    if DRAWN.swap(false, Ordering::Relaxed) {
        let mut out = io::stderr().lock();
        let _ = write!(out, "\r\x1b[K").and_then(|()| out.flush());
    }
}

/// What the line says. `total` 0 is not known; a single file has no bar, since nothing is known of its inside.
fn line(done: u64, total: u64, records: u64, elapsed: Duration) -> String {
    let rate = |n: u64| n as f64 / elapsed.as_secs_f64().max(0.001);
    if total <= 1 || done > total {
        return format!("{records} records, {:.0} a second", rate(records));
    }
    let full = usize::try_from(done.saturating_mul(BAR) / total).unwrap_or(0);
    let empty = usize::try_from(BAR).unwrap_or(0).saturating_sub(full);
    let left = match rate(done) {
        rate if done > 0 && rate > 0.0 => time((total - done) as f64 / rate),
        _ => "some time".to_owned(),
    };
    let (bar, rest) = ("#".repeat(full), "-".repeat(empty));
    format!("[{bar}{rest}] {done} of {total} files, {:.0} a second, {left} left", rate(done))
}

fn time(seconds: f64) -> String {
    match seconds {
        s if s < 90.0 => format!("{:.0} s", s.ceil()),
        s if s < 5400.0 => format!("{:.0} min", (s / 60.0).ceil()),
        s => format!("{:.1} h", s / 3600.0),
    }
}

/// How many files verify will take below these paths; near enough for a bar. Links are not followed.
fn files(paths: &[PathBuf], all: bool, over: &AtomicBool) -> u64 {
    let mut count = 0u64;
    let mut folders: Vec<PathBuf> = Vec::new();
    for path in paths {
        match path.is_dir() {
            true => folders.push(path.clone()),
            false => count = count.saturating_add(1),
        }
    }
    while let Some(folder) = folders.pop() {
        if over.load(Ordering::Relaxed) {
            break;
        }
        // What cannot be listed is told by the run itself.
        let Ok(entries) = std::fs::read_dir(&folder) else { continue };
        for entry in entries.flatten() {
            let name = entry.file_name();
            let Ok(kind) = entry.file_type() else { continue };
            if kind.is_dir() && !is_hidden(&name) {
                folders.push(folder.join(Path::new(&name)));
            } else if kind.is_file() && is_receipt_name(&name, all) {
                count = count.saturating_add(1);
            }
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_says_count_rate_and_time_left() {
        let said = line(250, 1000, 250, Duration::from_secs(5));
        assert_eq!(said, "[######------------------] 250 of 1000 files, 50 a second, 15 s left");
        assert_eq!(
            line(0, 1000, 0, Duration::ZERO),
            format!("[{}] 0 of 1000 files, 0 a second, some time left", "-".repeat(24))
        );
        assert!(line(1000, 1000, 9, Duration::from_secs(1)).starts_with(&format!("[{}] 1000 of", "#".repeat(24))));
    }

    #[test]
    fn without_a_total_there_is_no_bar() {
        assert_eq!(line(7, 0, 700, Duration::from_secs(7)), "700 records, 100 a second");
        assert_eq!(line(0, 1, 700, Duration::from_secs(7)), "700 records, 100 a second", "one file");
        assert_eq!(line(9, 8, 90, Duration::from_secs(9)), "90 records, 10 a second", "more came than were counted");
    }

    #[test]
    fn long_waits_are_told_in_larger_units() {
        assert_eq!((time(0.2).as_str(), time(89.0).as_str()), ("1 s", "89 s"));
        assert_eq!((time(91.0).as_str(), time(7200.0).as_str()), ("2 min", "2.0 h"));
    }

    #[test]
    fn files_are_counted_as_verify_takes_them() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(dir.path().join("sub/.hidden")).unwrap();
        for name in ["a.json", "b.txt", "sub/c.JSONL", "sub/.d.json", "sub/.hidden/e.json"] {
            std::fs::write(dir.path().join(name), "{}").unwrap();
        }
        let paths = [dir.path().to_path_buf(), dir.path().join("b.txt")];
        assert_eq!(files(&paths, false, &AtomicBool::new(false)), 3);
        assert_eq!(files(&paths, true, &AtomicBool::new(false)), 4);
    }
}
