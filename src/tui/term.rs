//! The terminal: taken once, given back exactly once whatever happens (design §2 "The terminal").
//!
//! [`restore`] is safe from any thread at any moment, the panic hook included; it writes with plain `write(2)`, ignores
//! a terminal that is gone, and does nothing the second time.

use std::fs::File;
use std::io::{self, BufWriter, Write as _};
use std::os::fd::{AsFd, BorrowedFd};
use std::path::Path;
use std::process::ExitStatus;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError, TryLockError};
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::cursor::{Hide, Show};
use ratatui::crossterm::event::{DisableBracketedPaste, DisableMouseCapture, EnableBracketedPaste};
use ratatui::crossterm::style::ResetColor;
use ratatui::crossterm::terminal::{Clear, ClearType, EnterAlternateScreen, LeaveAlternateScreen};
use ratatui::crossterm::{Command, execute};
use ratatui::layout::Rect;
use ratatui::{Terminal, TerminalOptions, Viewport};
use rustix::termios::{OptionalActions, Termios, tcgetattr, tcgetwinsize, tcsetattr};

use crate::text;

/// What the console draws on.
pub type Screen = Terminal<CrosstermBackend<BufWriter<Frames>>>;

/// Whether the terminal is ours now.
static TAKEN: AtomicBool = AtomicBool::new(false);
/// The modes before we came.
static BEFORE: OnceLock<Termios> = OnceLock::new();

/// Button presses and the wheel, in the encoding without a column limit; not every movement, as the library's own does.
struct MouseOn;

impl Command for MouseOn {
    fn write_ansi(&self, f: &mut impl std::fmt::Write) -> std::fmt::Result {
        f.write_str("\x1b[?1000h\x1b[?1006h")
    }

    #[cfg(windows)]
    fn execute_winapi(&self) -> io::Result<()> {
        Ok(())
    }
}

/// Standard output itself, without the standard library's lock and line buffer.
pub struct Direct(BorrowedFd<'static>);

impl Direct {
    fn new() -> Direct {
        Direct(rustix::stdio::stdout())
    }
}

impl io::Write for Direct {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        rustix::io::write(self.0, bytes).map_err(io::Error::from)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// One frame at a time is written, and never after the terminal has been given back.
static WRITING: Mutex<()> = Mutex::new(());

/// Standard output for frames: what comes once the terminal is given back is dropped.
pub struct Frames(Direct);

impl io::Write for Frames {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let _one = WRITING.lock().unwrap_or_else(PoisonError::into_inner);
        if TAKEN.load(Ordering::SeqCst) { self.0.write(bytes) } else { Ok(bytes.len()) }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Waits until no frame is being written, but not long: the terminal may not read any more.
fn frame_written() -> Option<MutexGuard<'static, ()>> {
    for _ in 0..30 {
        match WRITING.try_lock() {
            Ok(free) => return Some(free),
            Err(TryLockError::Poisoned(free)) => return Some(free.into_inner()),
            Err(TryLockError::WouldBlock) => std::thread::sleep(Duration::from_millis(10)),
        }
    }
    None
}

/// Whether there is a terminal to open a console on: standard input and output are one, and it can move its cursor.
pub fn is_usable() -> bool {
    use std::io::IsTerminal as _;
    let dumb = std::env::var_os("TERM").is_none_or(|term| term.is_empty() || term == "dumb");
    io::stdin().is_terminal() && io::stdout().is_terminal() && !dumb
}

/// Takes the terminal: raw mode, alternate screen, no cursor, pastes marked. Also after a stop, when a shell has had it.
///
/// # Errors
/// When the terminal is gone or refuses.
pub fn enter(mouse: bool) -> io::Result<Screen> {
    let stdin = io::stdin();
    let now = tcgetattr(stdin.as_fd())?;
    let mut raw = BEFORE.get_or_init(|| now).clone();
    raw.make_raw();
    TAKEN.store(true, Ordering::SeqCst);
    tcsetattr(stdin.as_fd(), OptionalActions::Now, &raw)?;
    execute!(Direct::new(), EnterAlternateScreen, Hide, EnableBracketedPaste)?;
    set_mouse(mouse)?;
    screen()
}

/// Turns reports of clicks and the wheel on or off.
///
/// # Errors
/// When the terminal is gone.
pub fn set_mouse(on: bool) -> io::Result<()> {
    if on { execute!(Direct::new(), MouseOn) } else { execute!(Direct::new(), DisableMouseCapture) }
}

/// A fresh, empty screen of the terminal's size now.
///
/// # Errors
/// When the terminal is gone.
pub fn screen() -> io::Result<Screen> {
    execute!(Direct::new(), Clear(ClearType::All))?;
    let backend = CrosstermBackend::new(BufWriter::with_capacity(64 << 10, Frames(Direct::new())));
    let (columns, rows) = size();
    // Fixed: the size is ours to follow, and nothing ever waits for the terminal to answer a question.
    Terminal::with_options(backend, TerminalOptions { viewport: Viewport::Fixed(Rect::new(0, 0, columns, rows)) })
}

/// Columns and rows now; 80 by 24 where the terminal does not know.
pub fn size() -> (u16, u16) {
    match tcgetwinsize(io::stdout().as_fd()) {
        Ok(size) if size.ws_col > 0 && size.ws_row > 0 => (size.ws_col, size.ws_row),
        _ => (80, 24),
    }
}

/// Gives the terminal back. Once: later calls do nothing.
pub fn restore() {
    if !TAKEN.swap(false, Ordering::SeqCst) {
        return;
    }
    let _free = frame_written();
    // A terminal that is gone cannot be restored, and there is nobody to tell.
    let _gone =
        execute!(Direct::new(), DisableMouseCapture, DisableBracketedPaste, ResetColor, LeaveAlternateScreen, Show);
    if let Some(before) = BEFORE.get() {
        let _gone = tcsetattr(rustix::stdio::stdin(), OptionalActions::Now, before);
    }
}

/// Restores the terminal when it goes out of scope, unwinding included.
pub struct Taken;

impl Drop for Taken {
    fn drop(&mut self) {
        restore();
    }
}

/// Installs a panic hook: the terminal first, then the message, escaped, then `told`.
pub fn hook_panics(told: impl Fn() + Send + Sync + 'static) {
    std::panic::set_hook(Box::new(move |info| {
        restore();
        let thread = std::thread::current();
        let name = text::shown(thread.name().unwrap_or("unnamed")).into_owned();
        let message = text::shown_cut(info.payload_as_str().unwrap_or("no message"), 2_000).into_owned();
        let place = info.location().map(ToString::to_string).unwrap_or_default();
        let place = text::shown(&place);
        let line = format!("aerscope stopped: an internal fault in thread {name} at {place}: {message}\n");
        let _closed = io::stderr().write_all(line.as_bytes());
        told();
    }));
}

/// Stops this process until it is continued, as Ctrl-Z does; the terminal is given back meanwhile. The caller enters
/// again afterwards.
pub fn suspend() {
    restore();
    let _refused = rustix::process::kill_process(rustix::process::getpid(), rustix::process::Signal::STOP);
}

/// Puts `content` on the clipboard of whoever sits before the terminal (OSC 52). The payload is base64, whatever the
/// content holds.
///
/// # Errors
/// When the terminal is gone.
pub fn copy(out: &mut impl io::Write, content: &[u8]) -> io::Result<()> {
    write!(out, "\x1b]52;c;{}\x07", STANDARD.encode(content))?;
    out.flush()
}

/// Puts `content` on the clipboard through the terminal.
///
/// # Errors
/// When the terminal is gone.
pub fn copy_to_terminal(content: &[u8]) -> io::Result<()> {
    copy(&mut Direct::new(), content)
}

/// Calls the operator: the bell, or a desktop notification with a bell for terminals that make none. `words` must be
/// escaped already.
///
/// # Errors
/// When the terminal is gone.
pub fn call(out: &mut impl io::Write, words: Option<&str>) -> io::Result<()> {
    match words {
        Some(words) => write!(out, "\x1b]9;{words}\x1b\\\x07")?,
        None => out.write_all(b"\x07")?,
    }
    out.flush()
}

/// Calls the operator through the terminal.
///
/// # Errors
/// When the terminal is gone.
pub fn call_through_terminal(words: Option<&str>) -> io::Result<()> {
    call(&mut Direct::new(), words)
}

/// The largest content that is copied: terminals drop longer ones without a word.
pub const MAX_COPY: usize = 100_000;

/// Opens `bytes` in `$VISUAL` or `$EDITOR` as a read-only copy with the name of `path`, and waits. The terminal must
/// have been restored.
///
/// # Errors
/// When no editor is named, it cannot be started, or the copy cannot be made.
pub fn edit(path: &Path, bytes: &[u8]) -> io::Result<ExitStatus> {
    let command =
        ["VISUAL", "EDITOR"].iter().filter_map(|name| std::env::var(name).ok()).find(|c| !c.trim().is_empty());
    let Some(command) = command else {
        return Err(io::Error::new(io::ErrorKind::NotFound, "set $VISUAL or $EDITOR to the editor to use"));
    };
    let mut words = command.split_whitespace();
    let program = words.next().unwrap_or_default();
    let copy = Copy::make(path, bytes)?;
    std::process::Command::new(program).args(words).arg(copy.0.join(copy_name(path))).status()
}

fn copy_name(path: &Path) -> String {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let safe: String =
        name.chars().map(|c| if c.is_ascii_alphanumeric() || "._-".contains(c) { c } else { '_' }).take(80).collect();
    // A name that begins with a sign could be read as an option or a command.
    let safe = safe.trim_start_matches(['-', '+', '.']).to_owned();
    if safe.is_empty() { "receipt.json".to_owned() } else { safe }
}

/// A private directory with one read-only file, removed at the end.
struct Copy(std::path::PathBuf);

impl Copy {
    fn make(path: &Path, bytes: &[u8]) -> io::Result<Copy> {
        use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
        let dir = std::env::temp_dir().join(format!("aerscope-view-{}", uuid::Uuid::new_v4()));
        std::fs::DirBuilder::new().mode(0o700).create(&dir)?;
        let copy = Copy(dir);
        let mut file = File::options().write(true).create_new(true).mode(0o400).open(copy.0.join(copy_name(path)))?;
        file.write_all(bytes)?;
        Ok(copy)
    }
}

impl Drop for Copy {
    fn drop(&mut self) {
        let _left = std::fs::remove_dir_all(&self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_is_base64_whatever_it_holds() {
        let mut out = Vec::new();
        copy(&mut out, b"\x1b]52;c;x\x07").unwrap();
        assert_eq!(out, b"\x1b]52;c;G101MjtjO3gH\x07");
    }

    #[test]
    fn a_call_is_a_bell_or_a_notification_with_one() {
        let mut out = Vec::new();
        call(&mut out, None).unwrap();
        call(&mut out, Some("3 failing")).unwrap();
        assert_eq!(out, b"\x07\x1b]9;3 failing\x1b\\\x07");
    }

    #[test]
    fn the_copy_for_an_editor_is_read_only_and_goes_away() {
        use std::os::unix::fs::PermissionsExt as _;
        let copy = Copy::make(Path::new("/x/+evil;name.json"), b"{}").unwrap();
        let dir = copy.0.clone();
        let file = dir.join("_evil_name.json");
        assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o400);
        drop(copy);
        assert!(!dir.exists());
    }
}
