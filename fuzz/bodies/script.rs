//! A script of keys, folder events and sizes, played to the console, against a simple model of what the folder holds.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use aerscope::aer1::grammar::Moment;
use aerscope::aer1::report::{Headline, Place};
use aerscope::aer1::verify::{Options, Verifier};
use aerscope::record::{Change, Event, FileNo, FileRead, Mode, Passed, Scan, ScanReason, Stamp};
use aerscope::tui::app::{App, Effect};
use aerscope::tui::detail::{Loaded, OpenRecord};
use aerscope::tui::input::Parser;

use super::{Bytes, draw};

/// What the model knows of one record; a place of a file that was never read has no verdict to lose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Known {
    Read(Headline),
    Writing { unread: bool },
    Removed,
}

/// A console whose threads are played here.
pub struct Desk {
    pub app: App,
    files: BTreeMap<u32, (Arc<Path>, Vec<u8>)>,
    model: BTreeMap<(u32, Place), Known>,
    generation: u64,
    parser: Parser,
    verifier: Verifier,
}

impl Desk {
    pub fn new() -> Desk {
        let mut app = App::new(draw::theme(), Moment { secs: 1_785_585_900, nanos: 0 }, Some(7_200));
        let generation = app.open(Path::new("/r"));
        let (files, model) = (BTreeMap::new(), BTreeMap::new());
        let verifier = Verifier::new(Options::default());
        Desk { app, files, model, generation, parser: Parser::default(), verifier }
    }

    pub fn tell(&mut self, event: Event) {
        self.app.receive(self.generation, event);
    }

    /// A file with these bytes is there, and was read.
    pub fn write(&mut self, n: u32, path: Arc<Path>, bytes: Vec<u8>) {
        let mut records = Vec::new();
        self.verifier.text(&bytes, &mut |report| records.push(report));
        self.model.retain(|(file, _), known| *file != n || *known != Known::Writing { unread: true });
        for known in self.model.iter_mut().filter(|((file, _), _)| *file == n) {
            *known.1 = Known::Removed;
        }
        self.model.extend(records.iter().map(|record| ((n, record.place), Known::Read(record.headline))));
        let stamp = Stamp { size: bytes.len() as u64, ino: u64::from(n), ..Stamp::default() };
        self.files.insert(n, (Arc::clone(&path), bytes));
        let read = FileRead { file: FileNo(n), path, stamp, fresh: true, done: true, records };
        self.tell(Event::Batch(vec![Change::Read(read)]));
    }

    pub fn key(&mut self, byte: u8) {
        self.keys(&[byte]);
    }

    /// Bytes as a terminal sends them.
    pub fn keys(&mut self, bytes: &[u8]) {
        let mut inputs = Vec::new();
        self.parser.feed(bytes, true, &mut |input| inputs.push(input));
        for input in inputs {
            self.app.input(input);
        }
    }

    /// Plays the detail thread until nothing is asked for any more.
    pub fn settle(&mut self) {
        for _ in 0..64 {
            self.app.settle();
            let effects = std::mem::take(&mut self.app.effects);
            for effect in effects {
                let Effect::Detail(request) = effect else { continue };
                let bytes = self.files.values().find(|(path, _)| *path == request.path).map(|(_, bytes)| bytes);
                let opened = bytes.and_then(|bytes| Some((self.verifier.open(bytes, request.place)?, bytes)));
                let loaded = match opened {
                    Some((opened, bytes)) => {
                        Loaded::Open(Arc::new(OpenRecord::new(request.path, request.place, opened, bytes, 128)))
                    }
                    None => Loaded::Gone { path: request.path, place: request.place },
                };
                self.app.answer(request.stamp, loaded);
            }
            if !self.app.busy {
                return;
            }
        }
    }

    /// A file is being written: nothing is known of it until it was read.
    fn writing(&mut self, n: u32) {
        let mut any = false;
        for known in self.model.iter_mut().filter(|((file, _), _)| *file == n) {
            any = true;
            if !matches!(known.1, Known::Writing { .. }) {
                *known.1 = Known::Writing { unread: false };
            }
        }
        if !any {
            self.model.insert((n, Place::WHOLE), Known::Writing { unread: true });
        }
        self.tell(Event::Batch(vec![Change::Writing { file: FileNo(n), path: path(n) }]));
    }

    fn removed(&mut self, n: u32) {
        self.files.remove(&n);
        self.model.retain(|(file, _), known| *file != n || *known != Known::Writing { unread: true });
        for known in self.model.iter_mut().filter(|((file, _), _)| *file == n) {
            *known.1 = Known::Removed;
        }
        self.tell(Event::Batch(vec![Change::Removed { file: FileNo(n) }]));
    }

    /// The totals are those of the model, and what is green in the pane is green in its file.
    fn check(&self) {
        let mut verdicts: BTreeMap<Headline, u64> = BTreeMap::new();
        let (mut writing, mut removed) = (0u64, 0u64);
        for known in self.model.values() {
            match known {
                Known::Read(headline) => *verdicts.entry(*headline).or_default() += 1,
                Known::Writing { .. } => writing += 1,
                Known::Removed => removed += 1,
            }
        }
        let totals = self.app.store.totals();
        for headline in Headline::ALL {
            let due = verdicts.get(headline).copied().unwrap_or(0);
            assert_eq!(totals.of(*headline), due, "{headline:?}: {:?}", self.model);
        }
        assert_eq!((totals.writing, totals.removed), (writing, removed), "{:?}", self.model);
        if let Some(open) = self.app.pane.open() {
            let file = self.files.iter().find(|(_, (path, _))| *path == open.path);
            if let (Headline::Verified, Some((n, _)), false) = (open.report.headline, file, self.app.stale)
                && let Some(Known::Read(headline)) = self.model.get(&(*n, open.place))
            {
                assert_eq!(*headline, Headline::Verified, "green in the pane, and not in the file");
            }
        }
    }
}

fn path(n: u32) -> Arc<Path> {
    Arc::from(Path::new(&format!("/r/{n:02}.json")))
}

/// A receipt: verified, altered, of one call with others, or no receipt at all.
fn record(n: u32, kind: u8) -> Vec<u8> {
    use base64::Engine as _;
    use sha2::{Digest as _, Sha256};

    let payload = format!("{{\"correlation_id\":\"c{}\",\"inputs\":{{\"n\":{}}}}}", kind % 3, kind % 5);
    let hash = aerscope::aer1::report::hex(&Sha256::digest(if kind & 8 == 0 { payload.as_bytes() } else { b"other" }));
    let id = format!("c0ffee12-7a10-4c7b-9d2e-{:012x}", if kind & 16 == 0 { n } else { u32::from(kind % 4) });
    let one = serde_json::json!({
        "id": id, "receipt_schema_version": "0.3", "created_at": format!("2026-08-01T12:04:{:02}Z", kind % 60),
        "tool": {"name": format!("tool{}", kind % 4), "version": "1", "scope": "s"},
        "provenance_class": "LOGGED BY AGENT", "verification_status": "verified", "output_hash": format!("sha256:{hash}"),
        "canonical_bytes": base64::engine::general_purpose::STANDARD.encode(&payload), "correlation_id": format!("c{}", kind % 3),
    });
    match kind >> 5 {
        0 => b"{\"nothing\":1}".to_vec(),
        1 => format!("[{one},{one}]").into_bytes(),
        2 => format!("{one}\n{{\"cut").into_bytes(),
        _ => one.to_string().into_bytes(),
    }
}

/// One byte chooses what happens, the next ones say with what.
pub fn run(data: &[u8]) {
    let mut bytes = Bytes(data);
    let mut desk = Desk::new();
    let mut size = (80u16, 24u16);
    for _ in 0..200 {
        if bytes.is_empty() {
            break;
        }
        match bytes.byte() {
            0..=99 => {
                let n = usize::from(bytes.byte() % 6) + 1;
                desk.keys(bytes.take(n));
            }
            100..=159 => {
                let n = u32::from(bytes.byte() % 24);
                let text = record(n, bytes.byte());
                desk.write(n, path(n), text);
            }
            160..=179 => {
                let n = u32::from(bytes.byte() % 24);
                desk.writing(n);
            }
            180..=199 => {
                let n = u32::from(bytes.byte() % 24);
                desk.removed(n);
            }
            200..=209 => size = (u16::from(bytes.byte()) + 1, u16::from(bytes.byte()) % 80 + 1),
            210..=214 => desk.tell(Event::Mode(match bytes.byte() % 3 {
                0 => Mode::Live,
                1 => Mode::Polling("a reason".to_owned()),
                _ => Mode::Offline,
            })),
            215..=219 => {
                let at = SystemTime::UNIX_EPOCH + Duration::from_secs(u64::from(bytes.byte()));
                let (files, took) = (desk.files.len() as u64, Duration::from_millis(1));
                let passed = Passed::default();
                desk.tell(Event::Scanned(Scan { at, took, files, skipped: 0, passed, reason: ScanReason::Asked }));
            }
            220..=224 => desk.app.tick(Moment { secs: 1_785_585_900 + i64::from(bytes.byte()), nanos: 0 }),
            _ => {
                desk.settle();
                draw::drawn(&mut desk, size.0, size.1);
            }
        }
    }
    desk.settle();
    draw::drawn(&mut desk, size.0, size.1);
    desk.check();
}
