//! What asks a command that runs on to end: a signal, or a standard output that nobody reads any more.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::{Handle, Signals};

/// How long a command may take to end after a signal, before it is ended from here: it may hang in a write to a pipe
/// that nobody reads.
const PATIENCE: Duration = Duration::from_secs(1);

/// Listens for SIGINT, SIGTERM and SIGHUP until it is dropped.
pub struct Ending {
    handle: Handle,
    asked: Arc<AtomicBool>,
    over: Arc<AtomicBool>,
}

impl Ending {
    /// Starts listening.
    ///
    /// # Errors
    /// When the system refuses handlers or a thread.
    pub fn listen() -> io::Result<Ending> {
        let mut signals = Signals::new([SIGHUP, SIGINT, SIGTERM])?;
        let ending = Ending { handle: signals.handle(), asked: Arc::default(), over: Arc::default() };
        let (asked, over) = (Arc::clone(&ending.asked), Arc::clone(&ending.over));
        let body = move || {
            for signal in signals.forever() {
                asked.store(true, Ordering::SeqCst);
                let until = Instant::now() + PATIENCE;
                while Instant::now() < until && !over.load(Ordering::SeqCst) {
                    std::thread::sleep(Duration::from_millis(10));
                }
                if !over.load(Ordering::SeqCst) {
                    std::process::exit(128 + signal);
                }
            }
        };
        std::thread::Builder::new().name("signals".to_owned()).spawn(body)?;
        Ok(ending)
    }

    /// Whether to end: a signal came, or the reader of standard output is gone. Never waits.
    pub fn is_due(&self) -> bool {
        self.asked.load(Ordering::SeqCst) || output_is_closed()
    }
}

impl Drop for Ending {
    fn drop(&mut self) {
        self.over.store(true, Ordering::SeqCst);
        self.handle.close();
    }
}

/// Whether the other end of standard output, a pipe or a socket, is closed.
fn output_is_closed() -> bool {
    let out = io::stdout();
    let mut asked = [PollFd::new(&out, PollFlags::empty())];
    let now = Timespec { tv_sec: 0, tv_nsec: 0 };
    let ready = poll(&mut asked, Some(&now)).unwrap_or(0);
    let [asked] = &asked;
    ready > 0 && asked.revents().intersects(PollFlags::ERR | PollFlags::HUP | PollFlags::NVAL)
}
