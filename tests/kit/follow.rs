//! `aerscope watch` as a process, and what its lines come to.
#![allow(dead_code, reason = "each test file uses a part of it")]

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

pub const PATIENCE: Duration = Duration::from_secs(60);

/// One line of it.
pub struct Line {
    /// When it was read.
    pub at: Instant,
    /// True: of standard error, and `value` is the text.
    pub said: bool,
    pub value: Value,
}

impl Line {
    pub fn word(&self, key: &str) -> &str {
        self.value[key].as_str().unwrap_or("-")
    }

    /// The name of the file it is about.
    pub fn name(&self) -> &str {
        self.word("path").rsplit('/').next().unwrap_or_default()
    }

    pub fn fails(&self) -> bool {
        matches!(self.word("headline"), "malformed" | "mismatch") && self.word("event") != "removed"
    }

    pub fn text(&self) -> &str {
        self.value.as_str().unwrap_or_default()
    }
}

pub struct Follow {
    pub child: Child,
    lines: Receiver<Line>,
    /// Records by path and place: the last line of each that is there.
    pub there: HashMap<(String, String), String>,
    /// Lines so far.
    pub count: u64,
}

fn each_line(from: impl Read + Send + 'static, said: bool, to: Sender<Line>) {
    std::thread::spawn(move || {
        for line in BufReader::with_capacity(1 << 16, from).lines() {
            let Ok(line) = line else { return };
            let value = if said {
                Value::from(line)
            } else {
                serde_json::from_str(&line).unwrap_or_else(|error| panic!("{line}: {error}"))
            };
            if to.send(Line { at: Instant::now(), said, value }).is_err() {
                return;
            }
        }
    });
}

impl Follow {
    pub fn start(folder: &Path, args: &[&str]) -> Follow {
        let mut command = Command::new(crate::terminal::program());
        command.arg("watch").args(args).arg(folder);
        Follow::of(command)
    }

    /// A command that becomes `aerscope watch`.
    pub fn of(mut command: Command) -> Follow {
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let (send, lines) = channel();
        each_line(child.stdout.take().unwrap(), false, send.clone());
        each_line(child.stderr.take().unwrap(), true, send);
        Follow { child, lines, there: HashMap::new(), count: 0 }
    }

    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    pub fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.child), signal).unwrap();
    }

    /// The next line until then, `None` when there is none.
    pub fn next_until(&mut self, until: Instant) -> Option<Line> {
        match self.lines.recv_timeout(until.saturating_duration_since(Instant::now())) {
            Ok(line) => {
                self.take(&line);
                Some(line)
            }
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => panic!("watch ended: {:?}", self.child.wait()),
        }
    }

    fn take(&mut self, line: &Line) {
        if line.said {
            return;
        }
        self.count += 1;
        let place = (line.word("path").to_owned(), line.value["record"].to_string());
        if line.word("event") == "removed" {
            self.there.remove(&place);
        } else {
            self.there.insert(place, line.word("headline").to_owned());
        }
    }

    /// Waits for a line that is the one; every line on the way is shown to it.
    pub fn until(&mut self, what: &str, mut is: impl FnMut(&Line) -> bool) -> Line {
        let until = Instant::now() + PATIENCE;
        loop {
            let line = self.next_until(until).unwrap_or_else(|| panic!("{what} did not come"));
            if is(&line) {
                return line;
            }
        }
    }

    /// Waits for the arrival of a file.
    pub fn arrives(&mut self, name: &str) -> Line {
        self.until(name, |line| line.name() == name && line.word("event") != "removed")
    }

    /// Whether it still runs.
    pub fn runs(&mut self) -> bool {
        self.child.try_wait().unwrap().is_none()
    }
}

impl Drop for Follow {
    fn drop(&mut self) {
        let _ended = self.child.kill();
        let _ended = self.child.wait();
    }
}
