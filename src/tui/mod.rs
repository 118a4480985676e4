//! The console: one thread that owns what is shown, and the loop it runs.
//!
//! ```text
//! input thread ──┐
//! signals ───────┤ first   ┌───────────────────── this thread ─────────────────────┐
//!                ├───────▶ │ drain (≤ 4 ms) → App::input/receive → App::settle      │
//! folder thread ─┤ then    │ → effects → dirty and due: draw → wait                 │
//! detail thread ─┘         └────────────────────────────────────────────────────────┘
//! ```
//! A key is drawn at once, and so is the record that was asked for by it; data at most thirty times a second. Nothing here
//! reads a receipt or hashes.

pub mod app;
pub mod clipboard;
pub mod detail;
pub mod export;
pub mod inbox;
pub mod input;
pub mod journal;
pub mod keymap;
pub mod keys;
pub mod prompt;
pub mod remember;
pub mod settings;
pub mod signals;
pub mod source;
pub mod suite;
pub mod term;
pub mod theme;
pub mod view;

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant, SystemTime};

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use self::app::{App, Effect};
use self::detail::DetailThread;
use self::inbox::{Inbox, Msg};
use self::input::Gate;
use self::journal::{Journal, Writer};
use self::settings::{Bell, Settings};
use self::source::Source;
use self::suite::{SuiteThread, Which};
use self::theme::Theme;
use crate::aer1::grammar::Moment;
use crate::aer1::verify::Options;
use crate::config::{Limits, Watching};
use crate::folder::read;
use crate::record::Command;
use crate::text;

/// How long data is taken before a look at keys and screen.
const DRAIN: Duration = Duration::from_millis(4);
/// The shortest time between two frames that only data asks for.
const FRAME: Duration = Duration::from_millis(33);

/// How to open a console.
pub struct Setup {
    /// What to open; `None` for the welcome screen.
    pub path: Option<PathBuf>,
    /// Begin with this suite of test vectors.
    pub vectors: Option<Which>,
    /// The id of a record to select as soon as it is there.
    pub select: Option<String>,
    /// What the operator set: keys, columns, the bell, and mistakes in the file.
    pub settings: Settings,
    /// How to verify.
    pub options: Options,
    /// Limits on what is read.
    pub limits: Limits,
    /// How a folder is followed.
    pub watching: Watching,
    /// Colours and glyphs.
    pub theme: Theme,
    /// Clicks and the wheel from the beginning.
    pub mouse: bool,
    /// Remember the opened path for the next time.
    pub remember: bool,
    /// Where what happens is written.
    pub log: Option<Journal>,
    /// Runs before the process is ended without unwinding, because the terminal does not take what is written.
    pub last: Box<dyn Fn() + Send>,
}

/// How a console ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The operator left.
    Quit,
    /// A signal asked for it.
    Signal(i32),
    /// The terminal was closed.
    Closed,
    /// Another thread panicked; it has been said.
    Panicked,
}

/// Opens the console and runs it to its end. The terminal is as before when this returns, or unwinds.
///
/// # Errors
/// When the terminal cannot be taken or written to.
pub fn run(setup: Setup) -> io::Result<End> {
    // Asked before any thread is there: afterwards the system may not tell.
    let local = time::UtcOffset::current_local_offset().ok().map(time::UtcOffset::whole_seconds);
    let inbox = Arc::new(Inbox::default());
    let told = Arc::clone(&inbox);
    term::hook_panics(move || told.push_first(Msg::Panicked));
    let watch = signals::Watch::start(Arc::clone(&inbox), setup.last)?;
    let taken = term::Taken;
    let screen = term::enter(setup.mouse)?;
    let gate = Arc::new(Gate::default());
    let stop = Arc::new(AtomicBool::new(false));
    input::start(Arc::clone(&inbox), Arc::clone(&gate), Arc::clone(&stop))?;
    let answers = Arc::clone(&inbox);
    let detail = DetailThread::start(setup.options.clone(), setup.limits.clone(), move |stamp, loaded| {
        answers.push_first(Msg::Detail(stamp, Box::new(loaded)));
    });
    let mut app = App::new(setup.theme, Moment::of(SystemTime::now()), local);
    app.mouse = setup.mouse;
    app.wanted = setup.select;
    app.take(&setup.settings);
    app.max_rows = setup.limits.max_rows;
    let written = setup.log.as_ref().map(|log| log.path().to_owned());
    let told = Arc::clone(&inbox);
    let log = setup.log.map(|log| log.start(move |why| told.push_first(Msg::LogFailed(why)))).transpose()?;
    app.logs = log.is_some();
    let (options, limits) = (setup.options.clone(), setup.limits.clone());
    let source =
        Source::new(Arc::clone(&inbox), setup.options, setup.limits, setup.watching, setup.remember).not_above(written);
    let (drawn, fault) = (None, Fault::asked());
    let mut console =
        Console { app, screen, inbox, gate, detail, source, suite: None, options, limits, watch, log, drawn, fault };
    if setup.remember {
        let recent = remember::load().into_iter().rev().filter_map(|one| one.path.into_os_string().into_string().ok());
        console.app.history(prompt::Asks::Open).begin_with(recent.collect());
    }
    if let Some(path) = setup.path {
        console.open(&path);
    }
    if let Some(which) = setup.vectors {
        console.app.open_vectors(which);
    }
    let end = console.run();
    console.keep();
    drop(taken);
    stop.store(true, Ordering::SeqCst);
    // Senders that wait for room must not keep their threads from ending.
    console.inbox.close();
    end
}

/// Draws a frame: once more when the first drawing found another height of the list.
pub fn frame(app: &mut App, area: Rect, buf: &mut Buffer) -> Option<Position> {
    let before = app.list.height;
    let cursor = view::draw(app, area, buf);
    if app.list.height == before {
        return cursor;
    }
    app.settle();
    view::draw(app, area, buf)
}

/// A fault that a test asks for; never in a release.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fault {
    None,
    #[cfg(feature = "fault-injection")]
    PanicUi,
    #[cfg(feature = "fault-injection")]
    PanicWorker,
    #[cfg(feature = "fault-injection")]
    DrawError,
}

impl Fault {
    #[cfg(not(feature = "fault-injection"))]
    const fn asked() -> Fault {
        Fault::None
    }

    #[cfg(feature = "fault-injection")]
    fn asked() -> Fault {
        match std::env::var("AERSCOPE_FAULT").as_deref() {
            Ok("panic-ui") => Fault::PanicUi,
            Ok("panic-worker") => Fault::PanicWorker,
            Ok("draw-error") => Fault::DrawError,
            _ => Fault::None,
        }
    }

    /// What is asked for happens after the first frame.
    #[cfg(feature = "fault-injection")]
    #[allow(clippy::panic, reason = "the only way to test that a panic restores the terminal")]
    fn happen(self) -> io::Result<()> {
        match self {
            Fault::None => Ok(()),
            Fault::PanicUi => panic!("asked for, with \x1b[31m in it"),
            Fault::PanicWorker => {
                let body = || panic!("asked for, with \x1b[31m in it");
                std::thread::Builder::new().name("worker".to_owned()).spawn(body).map(drop)
            }
            Fault::DrawError => Err(io::Error::other("asked for")),
        }
    }

    #[cfg(not(feature = "fault-injection"))]
    #[allow(clippy::unnecessary_wraps, reason = "the same shape as with the feature")]
    fn happen(self) -> io::Result<()> {
        Ok(())
    }
}

struct Console {
    app: App,
    screen: term::Screen,
    inbox: Arc<Inbox>,
    gate: Arc<Gate>,
    detail: DetailThread,
    source: Source,
    suite: Option<SuiteThread>,
    options: Options,
    limits: Limits,
    watch: signals::Watch,
    log: Option<Writer>,
    drawn: Option<Instant>,
    fault: Fault,
}

impl Console {
    fn open(&mut self, path: &Path) {
        self.keep();
        let wanted = self.app.wanted.take();
        let generation = self.app.open(path);
        self.app.wanted = wanted;
        self.suite = None;
        let known = if self.source.remembers() { remember::load() } else { Vec::new() };
        let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        if let Some(shown) = known.iter().find(|one| one.path == absolute).and_then(|one| one.shown.as_ref()) {
            self.app.restore(shown);
        }
        self.source.open(path, generation);
    }

    /// Remembers how the folder is listed.
    fn keep(&self) {
        let opened = &self.app.opened;
        if let (true, Some(path), None) = (self.source.remembers(), &opened.path, &opened.failed) {
            remember::store(path, Some(self.app.shown_as()));
        }
    }

    fn run(&mut self) -> io::Result<End> {
        // The first frame comes before anything is known.
        self.draw()?;
        std::mem::replace(&mut self.fault, Fault::None).happen()?;
        loop {
            let mut now = false;
            if let Some(end) = self.drain(&mut now)? {
                return Ok(end);
            }
            self.app.tick(Moment::of(SystemTime::now()));
            let rest = self.drawn.map_or(Duration::ZERO, |drawn| FRAME.saturating_sub(drawn.elapsed()));
            // What no frame shows yet need not be in order yet: rows are put in place by the frame, not by the event. But
            // the first rows ask for the first record at once.
            if self.app.busy || (self.app.dirty && (now || rest.is_zero() || self.app.view.ids().is_empty())) {
                self.app.settle();
            }
            if let (false, Some(log)) = (self.app.lines.is_empty(), &mut self.log) {
                log.take(std::mem::take(&mut self.app.lines));
            }
            if let Some(end) = self.effects()? {
                return Ok(end);
            }
            if self.app.dirty && (now || rest.is_zero()) {
                self.draw()?;
            } else if !self.app.busy {
                let second = Duration::from_millis(1_000)
                    .saturating_sub(Duration::from_nanos(u64::from(Moment::of(SystemTime::now()).nanos)));
                self.inbox.wait(if self.app.dirty { rest } else { second.max(Duration::from_millis(20)) });
            }
        }
    }

    fn drain(&mut self, keyed: &mut bool) -> io::Result<Option<End>> {
        let until = Instant::now() + DRAIN;
        while let Some(msg) = self.inbox.try_take() {
            match msg {
                Msg::Input(input) => {
                    self.app.input(input);
                    // The next key must find the selection this one made.
                    self.app.settle();
                    *keyed = true;
                    if self.app.effects.iter().any(|effect| !matches!(effect, Effect::Detail(_) | Effect::AskSuite(_)))
                    {
                        break;
                    }
                }
                Msg::InputClosed => return Ok(Some(End::Closed)),
                Msg::Panicked => return Ok(Some(End::Panicked)),
                Msg::Signal(signal) if signals::ends(signal) => return Ok(Some(End::Signal(signal))),
                Msg::Signal(signal) => {
                    self.signal(signal)?;
                    *keyed = true;
                }
                Msg::Opened(generation, folder) => self.source.opened(generation, folder),
                Msg::NotOpened(generation, why) => {
                    if generation == self.app.opened.generation {
                        self.app.failed(why);
                    }
                }
                Msg::Exported(Ok(said)) => self.app.say(said),
                Msg::Exported(Err(why)) => self.app.complain(why),
                Msg::Copied(Ok(said)) => self.app.say(said),
                Msg::Copied(Err(why)) => self.app.complain(format!("not copied: {why}")),
                Msg::LogFailed(why) => {
                    self.app.logs = false;
                    self.app.complain(format!("nothing is written to the log any more: {why}"));
                }
                Msg::Completed(asked, found) => self.app.completed(&asked, &found),
                Msg::Folder(generation, event) => self.app.receive(generation, event),
                Msg::Suite(number, told) => self.app.suite_told(number, told),
                Msg::Detail(stamp, loaded) => {
                    // The rest of the answer to a key: it does not wait for the next frame of data.
                    self.app.answer(stamp, *loaded);
                    *keyed = true;
                }
            }
            if Instant::now() >= until {
                break;
            }
        }
        Ok(None)
    }

    fn signal(&mut self, signal: i32) -> io::Result<()> {
        match signal {
            signal_hook::consts::SIGTSTP => self.suspend(),
            // Continued: whoever had the terminal meanwhile may have changed it.
            signal_hook::consts::SIGCONT => self.enter(),
            _ => {
                self.screen = term::screen()?;
                self.app.dirty = true;
                Ok(())
            }
        }
    }

    fn enter(&mut self) -> io::Result<()> {
        self.screen = term::enter(self.app.mouse)?;
        self.app.dirty = true;
        Ok(())
    }

    fn suspend(&mut self) -> io::Result<()> {
        self.gate.close();
        term::suspend();
        self.gate.open();
        self.enter()
    }

    fn effects(&mut self) -> io::Result<Option<End>> {
        for effect in std::mem::take(&mut self.app.effects) {
            match effect {
                Effect::Quit => return Ok(Some(End::Quit)),
                Effect::Suspend => self.suspend()?,
                Effect::Redraw => {
                    self.screen = term::screen()?;
                    self.app.dirty = true;
                }
                Effect::Copy(content) => term::copy_to_terminal(&content)?,
                Effect::CopyWith(words, content, said) => {
                    let inbox = Arc::clone(&self.inbox);
                    let told = move |copied: Result<(), String>| inbox.push_first(Msg::Copied(copied.map(|()| said)));
                    if let Err(error) = clipboard::start(words, content, told) {
                        self.app.complain(format!("no thread could be started: {}", text::shown_display(&error)));
                    }
                }
                Effect::Edit(path) => self.edit(&path)?,
                Effect::Open(path) => self.open(&source::home(&path)),
                Effect::Recheck(path) => self.source.send(Command::Recheck(path)),
                Effect::RecheckAll => self.source.send(Command::RecheckAll),
                Effect::Detail(request) => self.detail.request(request),
                Effect::Diff(earlier, later, stamp) => self.detail.diff(earlier, later, stamp),
                Effect::Mouse(on) => term::set_mouse(on)?,
                Effect::Suite(which, number) => self.start_suite(which, number),
                Effect::AskSuite(ask) => {
                    if let Some(suite) = &self.suite {
                        suite.ask(ask);
                    }
                }
                Effect::Call(bell, words) => {
                    term::call_through_terminal((bell == Bell::Notify).then_some(words.as_str()))?;
                }
                Effect::Export(job) => {
                    let inbox = Arc::clone(&self.inbox);
                    let told = move |said| inbox.push_first(Msg::Exported(said));
                    if let Err(error) = export::start(*job, self.options.clone(), self.limits.clone(), told) {
                        self.app.complain(format!("no thread could be started: {}", text::shown_display(&error)));
                    }
                }
                Effect::Complete(text) => self.source.complete(text),
            }
        }
        Ok(None)
    }

    fn start_suite(&mut self, which: Which, number: u64) {
        let inbox = Arc::clone(&self.inbox);
        let deliver = move |told| inbox.push(Msg::Suite(number, told));
        match SuiteThread::start(which, self.options.clone(), self.limits.clone(), deliver) {
            Ok(suite) => self.suite = Some(suite),
            Err(error) => self.app.complain(format!("no thread could be started: {}", text::shown_display(&error))),
        }
    }

    /// Shows a file in the operator's editor, as a read-only copy outside of the watched folder.
    fn edit(&mut self, path: &Path) -> io::Result<()> {
        if source::is_below(&std::env::temp_dir(), self.app.opened.path.as_deref()) {
            self.app.complain("not opened: the copy would be written into the watched folder; set TMPDIR elsewhere");
            return Ok(());
        }
        let mut bytes = Vec::new();
        match read::read_file(read::At::path(path), self.source.limits().max_size, &mut bytes) {
            read::Outcome::Read(_) => {}
            read::Outcome::Moving => {
                self.app.complain("not opened: the file is being written");
                return Ok(());
            }
            read::Outcome::Refused(_) => {
                self.app.complain("not opened: the file cannot be read");
                return Ok(());
            }
        }
        self.gate.close();
        self.watch.lend(true);
        term::restore();
        let ended = term::edit(path, &bytes);
        self.watch.lend(false);
        self.enter()?;
        self.gate.open();
        match ended {
            Ok(status) if status.success() => self.app.say("back from the editor; the copy is gone"),
            Ok(status) => self.app.complain(format!("the editor ended with {}", text::shown_display(&status))),
            Err(error) => self.app.complain(format!("no editor: {}", text::shown_display(&error))),
        }
        Ok(())
    }

    fn draw(&mut self) -> io::Result<()> {
        let app = &mut self.app;
        app.dirty = false;
        self.screen.draw(|target| {
            let area = target.area();
            if let Some(cursor) = frame(app, area, target.buffer_mut()) {
                target.set_cursor_position(cursor);
            }
        })?;
        self.drawn = Some(Instant::now());
        Ok(())
    }
}
