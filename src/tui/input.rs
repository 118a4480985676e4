//! From the bytes a terminal sends to keys, pastes, wheel and clicks.
//!
//! Read here and not by the terminal library: its reader loops for ever when the terminal is closed, and leaves the
//! rest of a long paste lying until the next key. A sequence nobody knows is swallowed whole, never taken for keys.

use std::io::Read as _;
use std::os::fd::AsFd as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use ratatui::crossterm::event::KeyCode;
use rustix::event::{PollFd, PollFlags, Timespec, poll};

use super::inbox::{Inbox, Msg};

/// One key, with what was held down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Key {
    /// Which key.
    pub code: KeyCode,
    /// With Control.
    pub ctrl: bool,
    /// With Alt.
    pub alt: bool,
}

impl Key {
    /// A key alone.
    pub const fn new(code: KeyCode) -> Key {
        Key { code, ctrl: false, alt: false }
    }

    /// A letter, digit or sign.
    pub const fn ch(c: char) -> Key {
        Key::new(KeyCode::Char(c))
    }

    /// A letter with Control.
    pub const fn ctrl(c: char) -> Key {
        Key { code: KeyCode::Char(c), ctrl: true, alt: false }
    }

    /// The key of a name: as [`Key::name`] writes it, or spelled out (`Up`, `Ctrl-x`, `Alt-x`).
    pub fn from_name(name: &str) -> Option<Key> {
        let (ctrl, rest) = match name.strip_prefix("Ctrl-").or_else(|| name.strip_prefix('^').filter(|r| !r.is_empty()))
        {
            Some(rest) => (true, rest),
            None => (false, name),
        };
        let (alt, rest) = match rest.strip_prefix("Alt-").or_else(|| rest.strip_prefix("M-")) {
            Some(rest) => (true, rest),
            None => (false, rest),
        };
        let mut chars = rest.chars();
        let code = match (chars.next()?, chars.next()) {
            ('↑', None) => KeyCode::Up,
            ('↓', None) => KeyCode::Down,
            ('←', None) => KeyCode::Left,
            ('→', None) => KeyCode::Right,
            (c, None) if !c.is_control() => KeyCode::Char(c),
            _ => match rest {
                "Space" => KeyCode::Char(' '),
                "Enter" => KeyCode::Enter,
                "Esc" => KeyCode::Esc,
                "Tab" => KeyCode::Tab,
                "S-Tab" => KeyCode::BackTab,
                "Up" => KeyCode::Up,
                "Down" => KeyCode::Down,
                "Left" => KeyCode::Left,
                "Right" => KeyCode::Right,
                "PgUp" => KeyCode::PageUp,
                "PgDn" => KeyCode::PageDown,
                "Home" => KeyCode::Home,
                "End" => KeyCode::End,
                "Backspace" => KeyCode::Backspace,
                "Del" => KeyCode::Delete,
                _ => return None,
            },
        };
        Some(Key { code, ctrl, alt })
    }

    /// The name of the key as footer, help and configuration write it.
    pub fn name(&self) -> String {
        let base = match self.code {
            KeyCode::Char(' ') => "Space".to_owned(),
            KeyCode::Char(c) => c.to_string(),
            KeyCode::Enter => "Enter".to_owned(),
            KeyCode::Esc => "Esc".to_owned(),
            KeyCode::Tab => "Tab".to_owned(),
            KeyCode::BackTab => "S-Tab".to_owned(),
            KeyCode::Up => "↑".to_owned(),
            KeyCode::Down => "↓".to_owned(),
            KeyCode::Left => "←".to_owned(),
            KeyCode::Right => "→".to_owned(),
            KeyCode::PageUp => "PgUp".to_owned(),
            KeyCode::PageDown => "PgDn".to_owned(),
            KeyCode::Home => "Home".to_owned(),
            KeyCode::End => "End".to_owned(),
            KeyCode::Backspace => "Backspace".to_owned(),
            KeyCode::Delete => "Del".to_owned(),
            other => format!("{other:?}"),
        };
        match (self.ctrl, self.alt) {
            (true, _) => format!("^{base}"),
            (false, true) => format!("M-{base}"),
            (false, false) => base,
        }
    }
}

/// What a person did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// A key.
    Key(Key),
    /// Pasted text, raw.
    Paste(String),
    /// A click of the first button, at a column and a row from 0.
    Click(u16, u16),
    /// The wheel, at a column and a row from 0; true is up.
    Wheel(u16, u16, bool),
}

/// A pasted text longer than this is cut: a prompt is one line.
const MAX_PASTE: usize = 64 << 10;
/// A sequence longer than this is none.
const MAX_SEQUENCE: usize = 64;
const PASTE_BEGIN: &[u8] = b"\x1b[200~";
const PASTE_END: &[u8] = b"\x1b[201~";

/// Bytes in, inputs out; keeps what is not yet complete.
#[derive(Default)]
pub struct Parser {
    pending: Vec<u8>,
    paste: Option<Vec<u8>>,
}

/// How far a step got.
enum Step {
    /// So many bytes were used; perhaps they meant something.
    Used(usize, Option<Input>),
    /// More bytes are needed.
    Wait,
}

impl Parser {
    /// Takes bytes; `settled` says that nothing followed them for a moment, so that a lone ESC is the key.
    pub fn feed(&mut self, bytes: &[u8], settled: bool, sink: &mut dyn FnMut(Input)) {
        self.pending.extend_from_slice(bytes);
        loop {
            if self.paste.is_some() {
                if !self.take_paste(sink) {
                    return;
                }
                continue;
            }
            if self.pending.is_empty() {
                return;
            }
            match step(&self.pending, settled) {
                Step::Wait => return,
                Step::Used(n, input) => {
                    let used = self.pending.get(..n).is_some_and(|used| used == PASTE_BEGIN);
                    self.pending.drain(..n.clamp(1, self.pending.len()));
                    if used {
                        self.paste = Some(Vec::new());
                    } else if let Some(input) = input {
                        sink(input);
                    }
                }
            }
        }
    }

    /// Whether bytes are held back for want of the next ones.
    pub fn is_waiting(&self) -> bool {
        !self.pending.is_empty() && self.paste.is_none()
    }

    /// Moves pasted bytes over; true when the paste ended and other bytes may follow.
    fn take_paste(&mut self, sink: &mut dyn FnMut(Input)) -> bool {
        let Some(held) = self.paste.as_mut() else { return true };
        let end = memchr::memmem::find(&self.pending, PASTE_END);
        // What may be the beginning of the end mark stays.
        let upto = end.unwrap_or(self.pending.len().saturating_sub(PASTE_END.len() - 1));
        let room = MAX_PASTE.saturating_sub(held.len()).min(upto);
        held.extend_from_slice(self.pending.get(..room).unwrap_or_default());
        self.pending.drain(..upto);
        if end.is_none() {
            return false;
        }
        self.pending.drain(..PASTE_END.len().min(self.pending.len()));
        let text = self.paste.take().unwrap_or_default();
        sink(Input::Paste(String::from_utf8_lossy(&text).into_owned()));
        true
    }
}

fn step(bytes: &[u8], settled: bool) -> Step {
    let key = |n: usize, key: Key| Step::Used(n, Some(Input::Key(key)));
    match bytes {
        [] => Step::Wait,
        [0x1b] if settled => key(1, Key::new(KeyCode::Esc)),
        [0x1b] => Step::Wait,
        [0x1b, b'[', rest @ ..] => csi(rest, settled),
        [0x1b, b'O', letter, ..] => Step::Used(3, named(*letter).map(|code| Input::Key(Key::new(code)))),
        [0x1b, b'O'] if !settled => Step::Wait,
        [0x1b, 0x1b, ..] => key(1, Key::new(KeyCode::Esc)),
        [0x1b, rest @ ..] => match step(rest, settled) {
            Step::Used(n, Some(Input::Key(inner))) => key(n + 1, Key { alt: true, ..inner }),
            Step::Used(n, _) => Step::Used(n + 1, None),
            Step::Wait => Step::Wait,
        },
        [b'\r' | b'\n', ..] => key(1, Key::new(KeyCode::Enter)),
        [b'\t', ..] => key(1, Key::new(KeyCode::Tab)),
        [0x7f | 0x08, ..] => key(1, Key::new(KeyCode::Backspace)),
        [0, ..] => key(1, Key::ctrl(' ')),
        [c @ 1..=0x1a, ..] => key(1, Key::ctrl(char::from(c - 1 + b'a'))),
        [c @ 0x1c..=0x1f, ..] => key(1, Key::ctrl(char::from(c + 0x40))),
        [c, ..] if c.is_ascii() => key(1, Key::ch(char::from(*c))),
        _ => character(bytes, settled),
    }
}

/// One character of more than one byte; bytes that are none are swallowed.
fn character(bytes: &[u8], settled: bool) -> Step {
    for n in 2..=4 {
        let Some(head) = bytes.get(..n) else {
            return if settled { Step::Used(1, None) } else { Step::Wait };
        };
        if let Some(c) = std::str::from_utf8(head).ok().and_then(|text| text.chars().next()) {
            return Step::Used(n, Some(Input::Key(Key::ch(c))));
        }
    }
    Step::Used(1, None)
}

/// The part of a control sequence after `ESC [`.
fn csi(rest: &[u8], settled: bool) -> Step {
    let Some(end) = rest.iter().position(|c| (0x40..=0x7e).contains(c)) else {
        // A sequence that never ends is let go of; so is Alt and `[` typed by hand.
        let over = settled || rest.len() > MAX_SEQUENCE || rest.iter().any(|c| !(0x20..=0x3f).contains(c));
        return if over { Step::Used(rest.len() + 2, None) } else { Step::Wait };
    };
    let (params, last) = (rest.get(..end).unwrap_or_default(), rest.get(end).copied().unwrap_or(0));
    let used = end + 3;
    let text = std::str::from_utf8(params).unwrap_or("");
    if let Some(mouse) = text.strip_prefix('<') {
        return Step::Used(used, mouse_input(mouse, last));
    }
    let mut numbers = text.split(';').map(|n| n.parse::<u16>().unwrap_or(0));
    let first = numbers.next().unwrap_or(0);
    let held = numbers.next().unwrap_or(1).saturating_sub(1);
    let code = match (last, first) {
        (b'~', 1 | 7) => Some(KeyCode::Home),
        (b'~', 4 | 8) => Some(KeyCode::End),
        (b'~', 3) => Some(KeyCode::Delete),
        (b'~', 5) => Some(KeyCode::PageUp),
        (b'~', 6) => Some(KeyCode::PageDown),
        (b'Z', _) => Some(KeyCode::BackTab),
        (letter, _) => named(letter),
    };
    let key = code.map(|code| Input::Key(Key { code, ctrl: held & 4 != 0, alt: held & 2 != 0 }));
    Step::Used(used, key)
}

fn named(letter: u8) -> Option<KeyCode> {
    Some(match letter {
        b'A' => KeyCode::Up,
        b'B' => KeyCode::Down,
        b'C' => KeyCode::Right,
        b'D' => KeyCode::Left,
        b'H' => KeyCode::Home,
        b'F' => KeyCode::End,
        b'M' => KeyCode::Enter,
        _ => return None,
    })
}

fn mouse_input(text: &str, last: u8) -> Option<Input> {
    let mut numbers = text.split(';').map(|n| n.parse::<u16>().ok());
    let (button, column, row) = (numbers.next()??, numbers.next()??, numbers.next()??);
    let (column, row) = (column.checked_sub(1)?, row.checked_sub(1)?);
    match (button, last) {
        (0, b'M') => Some(Input::Click(column, row)),
        (64, b'M') => Some(Input::Wheel(column, row, true)),
        (65, b'M') => Some(Input::Wheel(column, row, false)),
        _ => None,
    }
}

/// Lets the reading thread rest while an editor has the terminal.
#[derive(Default)]
pub struct Gate {
    closed: AtomicBool,
    resting: AtomicBool,
}

impl Gate {
    /// Asks the thread to rest, and waits until it does, at most a second.
    pub fn close(&self) {
        self.closed.store(true, Ordering::SeqCst);
        let until = std::time::Instant::now() + Duration::from_secs(1);
        while !self.resting.load(Ordering::SeqCst) && std::time::Instant::now() < until {
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Lets the thread read again.
    pub fn open(&self) {
        self.closed.store(false, Ordering::SeqCst);
    }
}

/// A sequence whose bytes come further apart than this is taken as it stands.
const SETTLE: Duration = Duration::from_millis(30);
/// How often the thread looks whether it should rest or end.
const LOOK: Duration = Duration::from_millis(250);

/// Starts the thread that reads standard input until it is closed or `stop` is set. Not joined: it may sit in a read.
///
/// # Errors
/// When the system gives no thread.
pub fn start(inbox: Arc<Inbox>, gate: Arc<Gate>, stop: Arc<AtomicBool>) -> std::io::Result<()> {
    let body = move || {
        read_loop(&inbox, &gate, &stop);
        inbox.push_first(Msg::InputClosed);
    };
    std::thread::Builder::new().name("input".to_owned()).spawn(body).map(drop)
}

fn wait(timeout: Duration) -> Option<bool> {
    let stdin = std::io::stdin();
    let mut fds = [PollFd::from_borrowed_fd(stdin.as_fd(), PollFlags::IN)];
    let nanos = i64::from(timeout.subsec_nanos());
    let timeout = Timespec { tv_sec: i64::try_from(timeout.as_secs()).unwrap_or(1), tv_nsec: nanos };
    match poll(&mut fds, Some(&timeout)) {
        Ok(0) | Err(rustix::io::Errno::INTR) => Some(false),
        Ok(_) => {
            let got = fds.first().map_or(PollFlags::empty(), PollFd::revents);
            // Data may still lie before the end; it is read first.
            if got.contains(PollFlags::IN) {
                Some(true)
            } else if got.intersects(PollFlags::HUP | PollFlags::ERR | PollFlags::NVAL) {
                None
            } else {
                Some(false)
            }
        }
        Err(_) => None,
    }
}

fn read_loop(inbox: &Inbox, gate: &Gate, stop: &AtomicBool) {
    let mut parser = Parser::default();
    let mut buffer = [0u8; 4096];
    let mut sink = |input: Input| inbox.push_first(Msg::Input(input));
    // Standard input itself, without the standard library's buffer in between: poll must see what is left.
    let Ok(fd) = std::io::stdin().as_fd().try_clone_to_owned() else { return };
    let mut file = std::fs::File::from(fd);
    while !stop.load(Ordering::SeqCst) {
        if gate.closed.load(Ordering::SeqCst) {
            gate.resting.store(true, Ordering::SeqCst);
            std::thread::sleep(Duration::from_millis(10));
            continue;
        }
        gate.resting.store(false, Ordering::SeqCst);
        match wait(if parser.is_waiting() { SETTLE } else { LOOK }) {
            None => return,
            Some(false) if parser.is_waiting() => parser.feed(&[], true, &mut sink),
            Some(false) => {}
            Some(true) if gate.closed.load(Ordering::SeqCst) => {}
            Some(true) => match file.read(&mut buffer) {
                Ok(0) => return,
                Ok(n) => parser.feed(buffer.get(..n).unwrap_or_default(), false, &mut sink),
                Err(error)
                    if matches!(error.kind(), std::io::ErrorKind::Interrupted | std::io::ErrorKind::WouldBlock) => {}
                Err(_) => return,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(chunks: &[&[u8]]) -> Vec<Input> {
        let mut parser = Parser::default();
        let mut out = Vec::new();
        for chunk in chunks {
            parser.feed(chunk, false, &mut |input| out.push(input));
        }
        parser.feed(&[], true, &mut |input| out.push(input));
        assert!(!parser.is_waiting());
        out
    }

    fn key(code: KeyCode) -> Input {
        Input::Key(Key::new(code))
    }

    #[test]
    fn keys() {
        assert_eq!(all(&[b"j"]), [Input::Key(Key::ch('j'))]);
        assert_eq!(
            all(&[b"\x1b[A\x1bOB\x1b[5~\x1b[Z"]),
            [key(KeyCode::Up), key(KeyCode::Down), key(KeyCode::PageUp), key(KeyCode::BackTab)]
        );
        assert_eq!(all(&[b"\x04\r\x7f"]), [Input::Key(Key::ctrl('d')), key(KeyCode::Enter), key(KeyCode::Backspace)]);
        assert_eq!(all(&["é東".as_bytes()]), [Input::Key(Key::ch('é')), Input::Key(Key::ch('東'))]);
    }

    #[test]
    fn names_are_read_back() {
        let codes = [
            KeyCode::Char('x'),
            KeyCode::Char('^'),
            KeyCode::Char(' '),
            KeyCode::Up,
            KeyCode::Enter,
            KeyCode::PageDown,
        ];
        for code in codes {
            for (ctrl, alt) in [(false, false), (true, false), (false, true)] {
                let key = Key { code, ctrl, alt };
                assert_eq!(Key::from_name(&key.name()), Some(key), "{}", key.name());
            }
        }
        assert_eq!(Key::from_name("Ctrl-x"), Some(Key::ctrl('x')));
        assert_eq!(Key::from_name("Up"), Some(Key::new(KeyCode::Up)));
        for none in ["", "xx", "Ctrl-", "F1", "\u{7}"] {
            assert_eq!(Key::from_name(none), None, "{none}");
        }
    }

    #[test]
    fn a_lone_escape_is_a_key_and_a_split_sequence_is_not() {
        assert_eq!(all(&[b"\x1b"]), [key(KeyCode::Esc)]);
        assert_eq!(all(&[b"\x1b", b"[", b"A"]), [key(KeyCode::Up)]);
        assert_eq!(all(&[b"\x1b\x1b"]), [key(KeyCode::Esc), key(KeyCode::Esc)]);
        assert_eq!(all(&[b"\xe6\x9d", b"\xb1"]), [Input::Key(Key::ch('東'))]);
    }

    #[test]
    fn unknown_sequences_are_swallowed_whole() {
        assert_eq!(all(&[b"\x1b[?62;4cq"]), [Input::Key(Key::ch('q'))]);
        assert_eq!(all(&[b"\x1b[13;2ux"]), [Input::Key(Key::ch('x'))]);
        assert_eq!(all(&[b"\xffq"]), [Input::Key(Key::ch('q'))]);
    }

    #[test]
    fn a_paste_is_text_and_never_keys() {
        assert_eq!(
            all(&[b"\x1b[200~q\x1b[A", b"q\x1b[20", b"1~z"]),
            [Input::Paste("q\u{1b}[Aq".to_owned()), Input::Key(Key::ch('z'))]
        );
        let long = vec![b'x'; MAX_PASTE + 5000];
        let got = all(&[PASTE_BEGIN, &long, PASTE_END]);
        assert_eq!(got, [Input::Paste("x".repeat(MAX_PASTE))]);
    }

    #[test]
    fn mouse() {
        assert_eq!(all(&[b"\x1b[<0;3;4M\x1b[<0;3;4m\x1b[<64;1;1M"]), [Input::Click(2, 3), Input::Wheel(0, 0, true)]);
    }
}
