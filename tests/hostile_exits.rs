//! Twelve kinds of exit, each many times over: the terminal is as before afterwards, and soon.
#![cfg(all(unix, feature = "console", feature = "fault-injection"))]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "a test may")]

#[path = "kit/bytes.rs"]
mod bytes;
#[path = "kit/proof.rs"]
mod proof;
#[path = "kit/terminal.rs"]
mod terminal;
#[path = "kit/vitals.rs"]
mod vitals;

use std::ffi::OsStr;
use std::io::Read as _;
use std::path::Path;
use std::time::{Duration, Instant};

use bytes::{To, clean};
use proof::{full, tell};
use rustix::process::Signal;
use terminal::*;
use vitals::{cpu, state};

/// A way to leave, or to go and come back.
#[derive(Clone, Copy, Debug)]
enum Exit {
    /// Pressing this ends it with status 0.
    Key(&'static str),
    /// A signal, and the status it ends with.
    Signal(Signal, u32),
    /// Stopped by its key, continued by the shell, and left.
    Suspend,
    /// A fault that is asked for: its name, the status, and what is said.
    Fault(&'static str, u32, &'static str),
    /// The terminal is closed.
    Closed,
    /// An editor that is not there, or one that fails: the console goes on, and is left.
    Editor,
}

const KINDS: [(&str, Exit); 12] = [
    ("quit", Exit::Key("q")),
    ("^C", Exit::Key("\x03")),
    ("SIGTERM", Exit::Signal(Signal::TERM, 143)),
    ("SIGHUP", Exit::Signal(Signal::HUP, 129)),
    ("SIGINT", Exit::Signal(Signal::INT, 130)),
    ("SIGQUIT", Exit::Signal(Signal::QUIT, 131)),
    ("suspend and resume", Exit::Suspend),
    ("panic of the screen thread", Exit::Fault("panic-ui", 101, "an internal fault in thread main")),
    ("panic of a worker", Exit::Fault("panic-worker", 101, "an internal fault in thread worker")),
    ("terminal closed", Exit::Closed),
    ("draw error", Exit::Fault("draw-error", 2, "the terminal cannot be used")),
    ("editor failure", Exit::Editor),
];

/// The promise, on a quiet machine in a release build.
const RESTORED: Duration = Duration::from_secs(1);
const CLOSED: Duration = Duration::from_secs(2);
/// More than this in the time between is a loop that spins.
const SPINNING: Duration = Duration::from_millis(300);

/// Waits until `is` gives something.
fn until<T>(what: &str, is: impl Fn() -> Option<T>) -> T {
    let end = Instant::now() + PATIENCE;
    loop {
        if let Some(found) = is() {
            return found;
        }
        assert!(Instant::now() < end, "{what}: waited for in vain");
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// Leaves, and waits until the terminal is as it was and the program has ended; how long that took.
fn left(console: &mut Console, status: u32, leave: impl FnOnce(&mut Console)) -> Duration {
    let from = Instant::now();
    leave(console);
    assert_eq!(console.ends(), status);
    console.is_restored();
    from.elapsed()
}

const EDITORS: [(&str, &str); 2] = [("/nonexistent/\u{1b}[2Jeditor", "no editor"), ("false", "the editor ended with")];

/// One exit, the `nth` of its kind; how long the slowest way back to the terminal as it was took.
fn once(kind: Exit, nth: usize, folder: &Path) -> Duration {
    let (mut visits, mut env) = (1, Vec::new());
    match kind {
        Exit::Closed => return closed(folder),
        Exit::Fault(name, ..) => env.push(("AERSCOPE_FAULT", OsStr::new(name))),
        Exit::Editor => env.push(("VISUAL", OsStr::new(EDITORS[nth % 2].0))),
        _ => {}
    }
    let mut console = Console::keeping(&[folder.as_os_str()], &env, 80, 24);
    let took = match kind {
        Exit::Fault(_, status, said) => {
            console.wait("alternate screen", |screen| screen.alternate_screen() || screen.contents().contains(said));
            let took = left(&mut console, status, |_| {});
            console.sees(said);
            took
        }
        Exit::Key(key) => {
            console.sees("records");
            left(&mut console, 0, |console| console.press(key))
        }
        Exit::Signal(signal, status) => {
            console.sees("records");
            left(&mut console, status, |console| console.signal(signal))
        }
        Exit::Suspend => {
            console.sees("records");
            let from = Instant::now();
            console.press("\x1a");
            // The screen is left a moment before the settings are put back; it stops after both.
            let pid = console.child.process_id().unwrap();
            until("stopped", || (state(pid) == Some('T')).then_some(()));
            console.is_restored();
            let took = from.elapsed();
            console.signal(Signal::CONT);
            console.wait("the screen", |screen| screen.alternate_screen() && screen.contents().contains("records"));
            visits = 2;
            took.max(left(&mut console, 0, |console| console.press("q")))
        }
        Exit::Editor => {
            console.sees("what the hash covers");
            console.press("e");
            console.sees(EDITORS[nth % 2].1);
            visits = 2;
            left(&mut console, 0, |console| console.press("q"))
        }
        Exit::Closed => unreachable!("handled above"),
    };
    let sent = console.all();
    let found = clean(&sent, To::Screen(80, 24), &format!("{kind:?}"));
    assert_eq!(found.left, visits, "{kind:?}: the alternate screen is left once a visit");
    let sent = String::from_utf8(sent).unwrap();
    let tail = &sent[sent.rfind("\x1b[?1049l").unwrap()..];
    assert!(sent.rfind("\x1b[?25h") > sent.rfind("\x1b[?25l"), "{kind:?}: the cursor is shown last");
    assert!(!tail.contains("\x1b[?1049h"), "{kind:?}: left last");
    took
}

/// The terminal goes away: every handle at one moment, so it is read here and not in a thread.
fn closed(folder: &Path) -> Duration {
    let (master, mut child, _state, _) = spawn(&program(), &[folder.as_os_str()], &[], 80, 24);
    let pid = child.process_id().unwrap();
    let mut reader = master.try_clone_reader().unwrap();
    let (mut seen, mut buffer) = (Vec::new(), [0u8; 4096]);
    while memchr::memmem::find(&seen, b"verified").is_none() {
        let n = reader.read(&mut buffer).unwrap();
        assert!(n > 0, "ended before it was closed");
        seen.extend_from_slice(&buffer[..n]);
    }
    let (from, before) = (Instant::now(), cpu(pid).unwrap());
    drop((reader, master));
    until("ended", || (state(pid) == Some('Z')).then_some(()));
    let (took, used) = (from.elapsed(), cpu(pid).unwrap() - before);
    child.wait().unwrap();
    assert!(used < SPINNING.max(took / 2), "it spins: {used:?} of processor time in {took:?}");
    took
}

#[test]
fn the_terminal_comes_back_whatever_ends_the_console() {
    let dir = tempfile::tempdir().unwrap();
    let made = assert_cmd::Command::new(env!("CARGO_BIN_EXE_aerscope"))
        .args(["make", "gateway", "--burst", "40"])
        .arg(dir.path())
        .ok();
    made.unwrap();
    let times = if full() { 20 } else { 2 };
    let mut worst = Vec::new();
    for (name, kind) in KINDS {
        let slowest = (0..times).map(|nth| once(kind, nth, dir.path())).max().unwrap();
        let most = if matches!(kind, Exit::Closed) { CLOSED } else { RESTORED };
        assert!(!full() || slowest < most, "{name}: {slowest:?}");
        worst.push(format!("{name} {} ms", slowest.as_millis()));
    }
    tell(3, "exits", &format!("{} kinds x {times}, all restored; slowest: {}", KINDS.len(), worst.join(", ")));
}
