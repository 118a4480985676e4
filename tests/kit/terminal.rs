//! A console in a pseudo-terminal, and what it shows.
#![allow(dead_code, reason = "each test file uses a part of it")]

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};
use rustix::process::{Pid, Signal, kill_process};
use std::ffi::OsStr;
use std::io::{Read as _, Write as _};
use std::num::NonZeroU16;
use std::path::Path;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

pub const PATIENCE: Duration = Duration::from_secs(60);

/// Escape, and a key after it (Home): alone it would be taken together with what follows.
pub const BACK: &str = "\x1b\x1b[H";

pub struct Console {
    pub master: Box<dyn MasterPty + Send>,
    pub keys: Box<dyn std::io::Write + Send>,
    pub child: Box<dyn Child + Send + Sync>,
    pub seen: Arc<(Mutex<vt100::Parser>, Condvar)>,
    pub modes: String,
    pub state: tempfile::TempDir,
    /// Everything that was sent, for those that asked for it; see [`Console::keeping`].
    sent: Arc<Mutex<Option<Vec<u8>>>>,
    looked: usize,
    reader: Option<JoinHandle<()>>,
}

/// A program in a new terminal, with a state directory of its own.
pub fn spawn(
    program: &str,
    args: &[&OsStr],
    env: &[(&str, &OsStr)],
    columns: u16,
    rows: u16,
) -> (Box<dyn MasterPty + Send>, Box<dyn Child + Send + Sync>, tempfile::TempDir, String) {
    let pty = native_pty_system().openpty(size(columns, rows)).unwrap();
    let modes = format!("{:?}", pty.master.get_termios().unwrap());
    let state = tempfile::tempdir().unwrap();
    let mut command = CommandBuilder::new(program);
    command.args(args);
    command.env("TERM", "xterm-256color");
    command.env("XDG_STATE_HOME", state.path());
    command.env("XDG_CONFIG_HOME", state.path().join("config"));
    command.env("TMPDIR", state.path());
    command.env_remove("NO_COLOR");
    for (name, value) in env {
        command.env(name, value);
    }
    let child = pty.slave.spawn_command(command).unwrap();
    (pty.master, child, state, modes)
}

/// The program under test; another build of it (an installed one, say) when `AERSCOPE_PROGRAM` names it.
pub fn program() -> String {
    std::env::var("AERSCOPE_PROGRAM").unwrap_or_else(|_| env!("CARGO_BIN_EXE_aerscope").to_owned())
}

pub const fn size(columns: u16, rows: u16) -> PtySize {
    PtySize { rows, cols: columns, pixel_width: 0, pixel_height: 0 }
}

pub fn cells(n: u16) -> NonZeroU16 {
    NonZeroU16::new(n).unwrap()
}

impl Console {
    pub fn start(args: &[&str], env: &[(&str, &str)], columns: u16, rows: u16) -> Console {
        Console::run(&program(), args, env, columns, rows)
    }

    /// The same of a program that becomes the console.
    pub fn run(program: &str, args: &[&str], env: &[(&str, &str)], columns: u16, rows: u16) -> Console {
        let args: Vec<&OsStr> = args.iter().map(OsStr::new).collect();
        let env: Vec<(&str, &OsStr)> = env.iter().map(|(name, value)| (*name, OsStr::new(*value))).collect();
        Console::open(program, &args, &env, columns, rows, None)
    }

    /// As [`Console::start`], and every byte that is sent is kept.
    pub fn keeping(args: &[&OsStr], env: &[(&str, &OsStr)], columns: u16, rows: u16) -> Console {
        Console::open(&program(), args, env, columns, rows, Some(Vec::new()))
    }

    fn open(
        program: &str,
        args: &[&OsStr],
        env: &[(&str, &OsStr)],
        columns: u16,
        rows: u16,
        sent: Option<Vec<u8>>,
    ) -> Console {
        let (master, child, state, modes) = spawn(program, args, env, columns, rows);
        let seen = Arc::new((Mutex::new(vt100::Parser::new(cells(rows), cells(columns), 0)), Condvar::new()));
        let sent = Arc::new(Mutex::new(sent));
        let mut input = master.try_clone_reader().unwrap();
        let (own, kept) = (Arc::clone(&seen), Arc::clone(&sent));
        let reader = std::thread::spawn(move || {
            let mut buffer = [0u8; 4096];
            while let Ok(n @ 1..) = input.read(&mut buffer) {
                let mut parser = own.0.lock().unwrap_or_else(PoisonError::into_inner);
                if let Some(kept) = kept.lock().unwrap_or_else(PoisonError::into_inner).as_mut() {
                    kept.extend_from_slice(&buffer[..n]);
                }
                parser.process(&buffer[..n]);
                own.1.notify_all();
            }
        });
        let keys = master.take_writer().unwrap();
        Console { master, keys, child, seen, modes, state, sent, looked: 0, reader: Some(reader) }
    }

    pub fn on(folder: &Path, columns: u16, rows: u16) -> Console {
        Console::start(&[folder.to_str().unwrap()], &[], columns, rows)
    }

    /// Waits until the screen satisfies `is`.
    pub fn wait(&self, what: &str, is: impl Fn(&vt100::Screen) -> bool) {
        self.wait_for(what, PATIENCE, is);
    }

    fn wait_for(&self, what: &str, patience: Duration, is: impl Fn(&vt100::Screen) -> bool) {
        let until = Instant::now() + patience;
        let (seen, changed) = &*self.seen;
        let mut parser = seen.lock().unwrap();
        while !is(parser.screen()) {
            let left = until.saturating_duration_since(Instant::now());
            assert!(!left.is_zero(), "no {what} on the screen:\n{}", parser.screen().contents());
            parser = changed.wait_timeout(parser, left).unwrap().0;
        }
    }

    /// Waits for a text that comes after a lot of work.
    pub fn wait_long(&self, text: &str, patience: Duration) {
        self.wait_for(text, patience, |screen| screen.contents().contains(text));
    }

    pub fn sees(&self, text: &str) {
        self.wait(text, |screen| screen.contents().contains(text));
    }

    /// Presses keys and has the screen drawn anew; returns what it shows then.
    pub fn frame(&mut self, keys: &str) -> String {
        // The first frame must have been seen, or its clearing is taken for this one's.
        self.looked = self.sent(b"").0;
        self.press(&format!("{keys}\x0c"));
        let until = Instant::now() + PATIENCE;
        let (seen, changed) = &*self.seen;
        let mut parser = seen.lock().unwrap();
        loop {
            // Cleared (which also shows the cursor), and all of what is drawn after it: a frame ends with the cursor
            // hidden or shown.
            let kept = self.sent.lock().unwrap();
            let sent = kept.as_deref().unwrap_or_default();
            let cleared = memchr::memmem::find(&sent[self.looked..], b"\x1b[2J").map(|at| self.looked + at + 4);
            let cleared = cleared.map(|at| at + if sent[at..].starts_with(b"\x1b[?25h") { 6 } else { 0 });
            let drawn = cleared.and_then(|at| Some(at + memchr::memmem::find(&sent[at..], b"\x1b[?25")?));
            if let Some(at) = drawn {
                self.looked = at;
                return parser.screen().contents();
            }
            drop(kept);
            let left = until.saturating_duration_since(Instant::now());
            assert!(!left.is_zero(), "not drawn again after {keys:?}:\n{}", parser.screen().contents());
            parser = changed.wait_timeout(parser, left).unwrap().0;
        }
    }

    /// How many bytes were sent, and how often `text` was among them.
    pub fn sent(&self, text: &[u8]) -> (usize, usize) {
        let kept = self.sent.lock().unwrap();
        let sent = kept.as_deref().unwrap_or_default();
        (sent.len(), if text.is_empty() { 0 } else { memchr::memmem::find_iter(sent, text).count() })
    }

    /// What was sent from byte `at` on.
    pub fn since(&self, at: usize) -> Vec<u8> {
        self.sent.lock().unwrap().as_deref().and_then(|sent| sent.get(at..)).unwrap_or_default().to_vec()
    }

    /// All that was sent, of a program that has ended.
    pub fn all(&mut self) -> Vec<u8> {
        if let Some(reader) = self.reader.take() {
            reader.join().unwrap();
        }
        self.sent.lock().unwrap().take().unwrap_or_default()
    }

    pub fn pid(&self) -> Pid {
        Pid::from_raw(i32::try_from(self.child.process_id().unwrap()).unwrap()).unwrap()
    }

    pub fn press(&mut self, keys: &str) {
        let writer = &mut self.keys;
        writer.write_all(keys.as_bytes()).unwrap();
        writer.flush().unwrap();
    }

    pub fn signal(&self, signal: Signal) {
        kill_process(self.pid(), signal).unwrap();
    }

    /// Waits for the end; returns the exit status.
    pub fn ends(&mut self) -> u32 {
        let until = Instant::now() + PATIENCE;
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status.exit_code();
            }
            assert!(Instant::now() < until, "it does not end");
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// The terminal is as it was: alternate screen left, cursor shown, the same modes.
    pub fn is_restored(&self) {
        self.wait("restored terminal", |screen| !screen.alternate_screen() && !screen.hide_cursor());
        let modes = self.master.get_termios().unwrap();
        assert_eq!(format!("{modes:?}"), self.modes);
    }
}

impl Drop for Console {
    fn drop(&mut self) {
        let _ended = self.child.kill();
        let _ended = self.child.wait();
    }
}
