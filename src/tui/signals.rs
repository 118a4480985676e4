//! Signals become messages. One thread waits for them; nothing happens inside a handler.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use signal_hook::consts::{SIGCONT, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP, SIGWINCH};
use signal_hook::iterator::{Handle, Signals};

use super::inbox::{Inbox, Msg};
use super::term;

/// Whether this signal asks the program to end.
pub const fn ends(signal: i32) -> bool {
    matches!(signal, SIGHUP | SIGINT | SIGQUIT | SIGTERM)
}

/// How long the screen thread may take to end after a signal, before it is ended from here: it may hang in a write to
/// a terminal that does not read.
const PATIENCE: Duration = Duration::from_millis(1_000);

/// The thread that waits for signals; ends with this value.
pub struct Watch {
    handle: Handle,
    over: Arc<AtomicBool>,
    away: Arc<AtomicBool>,
}

impl Watch {
    /// Starts it. `last` runs before the process is ended from here.
    ///
    /// # Errors
    /// When the system refuses handlers or a thread.
    pub fn start(inbox: Arc<Inbox>, last: impl Fn() + Send + 'static) -> io::Result<Watch> {
        let mut signals = Signals::new([SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP, SIGCONT, SIGWINCH])?;
        let handle = signals.handle();
        let over = Arc::new(AtomicBool::new(false));
        let away = Arc::new(AtomicBool::new(false));
        let (seen, elsewhere) = (Arc::clone(&over), Arc::clone(&away));
        let body = move || {
            for signal in signals.forever() {
                if elsewhere.load(Ordering::SeqCst) && matches!(signal, SIGINT | SIGQUIT | SIGTSTP) {
                    continue;
                }
                inbox.push_first(Msg::Signal(signal));
                if ends(signal) {
                    let until = Instant::now() + PATIENCE;
                    while Instant::now() < until && !seen.load(Ordering::SeqCst) {
                        std::thread::sleep(Duration::from_millis(10));
                    }
                    if !seen.load(Ordering::SeqCst) {
                        term::restore();
                        last();
                        std::process::exit(128 + signal);
                    }
                }
            }
        };
        std::thread::Builder::new().name("signals".to_owned()).spawn(body)?;
        Ok(Watch { handle, over, away })
    }

    /// While another program has the terminal, the keys that send signals are meant for it.
    pub fn lend(&self, away: bool) {
        self.away.store(away, Ordering::SeqCst);
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.over.store(true, Ordering::SeqCst);
        self.handle.close();
    }
}
