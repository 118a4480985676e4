//! `--log FILE`: what happens in a session, one line each, as JSON Lines or as text. It is appended to, by a thread of
//! its own; it never lies in the folder that is watched.

use std::fs::File;
use std::io::{self, BufWriter, Write as _};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::time::{Duration, Instant};

use crate::aer1::grammar::Moment;
use crate::output::jsonl;
use crate::text;

/// Batches of lines that may wait to be written.
const ROOM: usize = 4096;
/// How long the end of the writing is waited for.
const PATIENCE: Duration = Duration::from_secs(2);

/// How a line is written. The end of the file's name decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    /// `.jsonl`, `.ndjson`, `.json`.
    Jsonl,
    /// Anything else.
    Text,
}

/// One thing that happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// When it was told here.
    pub at: Moment,
    /// `arrived`, `changed`, `rewritten`, `writing`, `removed`, `live`, `polling`, `offline`, `scanned`, `trouble`.
    pub event: &'static str,
    /// The record's file, raw.
    pub path: Option<PathBuf>,
    /// The place in the file, where it is not the whole of it.
    pub place: Option<String>,
    /// What else there is to say: name and value, raw.
    pub more: Vec<(&'static str, String)>,
}

impl Line {
    fn write(&self, format: Format, out: &mut String) {
        match format {
            Format::Jsonl => {
                out.push_str("{\"at\":");
                jsonl::string(out, &self.at.to_string());
                let mut add = |name: &str, value: &str| {
                    out.push(',');
                    jsonl::string(out, name);
                    out.push(':');
                    jsonl::string(out, value);
                };
                add("event", self.event);
                if let Some(path) = &self.path {
                    add("path", &path.to_string_lossy());
                    if let (None, bytes) = (path.to_str(), path.as_os_str().as_encoded_bytes()) {
                        use base64::Engine as _;
                        add("path_base64", &base64::engine::general_purpose::STANDARD.encode(bytes));
                    }
                }
                if let Some(place) = &self.place {
                    add("record", place);
                }
                for (name, value) in self.more.iter().filter(|(_, value)| !value.is_empty()) {
                    add(name, value);
                }
                out.push('}');
            }
            Format::Text => {
                out.push_str(&format!("{} {:<9}", self.at, self.event));
                if let Some(path) = &self.path {
                    out.push(' ');
                    out.push_str(&text::shown_path(path));
                    out.push_str(self.place.as_deref().unwrap_or_default());
                }
                for (name, value) in self.more.iter().filter(|(_, value)| !value.is_empty()) {
                    out.push_str(&format!(" {name}={}", text::shown(value)));
                }
            }
        }
        out.push('\n');
    }
}

/// A file that is open for lines.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: File,
    format: Format,
}

impl Journal {
    /// Opens the file, to append to it; makes it when it is not there.
    ///
    /// # Errors
    /// When it cannot be opened.
    pub fn open(path: &Path) -> io::Result<Journal> {
        let file = File::options().append(true).create(true).open(path)?;
        let end = path.extension().and_then(|end| end.to_str()).unwrap_or_default().to_ascii_lowercase();
        let format = if ["jsonl", "ndjson", "json"].contains(&end.as_str()) { Format::Jsonl } else { Format::Text };
        Ok(Journal { path: path.to_owned(), file, format })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Starts the thread that writes; `failed` is told once, an escaped sentence, when nothing can be written any more.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub fn start(self, failed: impl FnOnce(String) + Send + 'static) -> io::Result<Writer> {
        let (lines, arriving) = sync_channel(ROOM);
        let path = self.path.clone();
        let body = move || {
            if let Err(error) = self.run(&arriving) {
                failed(format!("{}: {}", text::shown_path(&path), text::shown_display(&error)));
            }
        };
        let thread = std::thread::Builder::new().name("log".to_owned()).spawn(body)?;
        Ok(Writer { lines: Some(lines), thread: Some(thread), lost: 0 })
    }

    fn run(self, arriving: &Receiver<Vec<Line>>) -> io::Result<()> {
        let mut out = BufWriter::with_capacity(1 << 16, self.file);
        let mut text = String::new();
        while let Ok(lines) = arriving.recv() {
            for line in lines {
                text.clear();
                line.write(self.format, &mut text);
                out.write_all(text.as_bytes())?;
            }
            out.flush()?;
        }
        Ok(())
    }
}

/// Takes lines. A disk that is slower than the folder costs lines, and a line says how many.
#[derive(Debug)]
pub struct Writer {
    lines: Option<SyncSender<Vec<Line>>>,
    thread: Option<std::thread::JoinHandle<()>>,
    lost: u64,
}

impl Writer {
    /// Hands lines to the thread; never waits. Nothing happens once it could not write.
    pub fn take(&mut self, mut lines: Vec<Line>) {
        let Some(sender) = &self.lines else { return };
        let count = lines.len() as u64;
        if let (1.., Some(first)) = (self.lost, lines.first()) {
            let more = vec![("lines", self.lost.to_string())];
            lines.insert(0, Line { at: first.at, event: "lost", path: None, place: None, more });
        }
        self.lost = match sender.try_send(lines) {
            Ok(()) => 0,
            Err(_) => self.lost.saturating_add(count),
        };
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        self.lines = None;
        let until = Instant::now() + PATIENCE;
        if let Some(thread) = self.thread.take() {
            // A disk that does not answer must not keep the program.
            while !thread.is_finished() && Instant::now() < until {
                std::thread::sleep(Duration::from_millis(2));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::aer1::grammar::moment;

    fn lines() -> Vec<Line> {
        let at = moment("2026-08-01T12:04:31.207Z").unwrap();
        let path = Some(PathBuf::from("/gw/a\u{1b}b.jsonl"));
        let more =
            vec![("headline", "mismatch".to_owned()), ("tool", "sql \u{202e}".to_owned()), ("id", String::new())];
        vec![
            Line { at, event: "arrived", path, place: Some(":3".to_owned()), more },
            Line { at, event: "offline", path: None, place: None, more: Vec::new() },
        ]
    }

    fn written(name: &str) -> String {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join(name);
        for _ in 0..2 {
            let mut writer = Journal::open(&file).unwrap().start(|why| panic!("{why}")).unwrap();
            writer.take(lines());
        }
        std::fs::read_to_string(&file).unwrap()
    }

    #[test]
    fn json_lines_are_exact_and_appended() {
        let text = written("log.jsonl");
        let all: Vec<serde_json::Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(all.len(), 4);
        assert_eq!(all[0]["path"], "/gw/a\u{1b}b.jsonl");
        assert_eq!((&all[2]["record"], &all[2]["tool"]), (&":3".into(), &"sql \u{202e}".into()));
        assert!(all[0].get("id").is_none(), "what is not known is left out");
        assert_eq!(all[1]["event"], "offline");
    }

    #[test]
    fn text_lines_move_no_terminal() {
        let text = written("log.txt");
        assert_eq!(text.lines().count(), 4);
        assert!(text.contains("arrived   /gw/a\\x1bb.jsonl:3 headline=mismatch tool=sql \\u{202e}\n"), "{text}");
        assert!(!text.chars().any(|c| c != '\n' && text::is_special(c)), "{text:?}");
    }
}
