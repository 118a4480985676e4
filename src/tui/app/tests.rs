//! A list of inputs, then the drawn screen: text and style.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use base64::Engine as _;
use ratatui::buffer::Buffer;
use ratatui::crossterm::event::KeyCode;
use ratatui::layout::Rect;
use ratatui::style::Style;
use sha2::{Digest as _, Sha256};

use super::{App, Effect, Screen};
use crate::aer1::grammar::{Moment, moment};
use crate::aer1::report::hex;
use crate::aer1::verify::{Options, Verifier};
use crate::record::{Change, Event, FileNo, FileRead, Mode, Scan, ScanReason, Stamp};
use crate::tui::detail::{Loaded, OpenRecord};
use crate::tui::input::{Input, Key};
use crate::tui::theme::{Theme, ThemeName};

mod acts;
mod everywhere;
mod pictures;
mod remembered;
mod vectors;

const NOW: &str = "2026-08-01T12:05:00Z";

/// A console with a folder of fixed content. The folder thread and the detail thread are played by the test.
struct Desk {
    app: App,
    files: BTreeMap<u32, Vec<u8>>,
    generation: u64,
}

fn receipt(n: u32, created: &str, tool: &str, status: &str, payload: &str, changed: bool) -> String {
    let mut hash = hex(&Sha256::digest(payload.as_bytes()));
    if changed {
        hash.replace_range(0..2, if hash.starts_with("00") { "11" } else { "00" });
    }
    let bytes = base64::engine::general_purpose::STANDARD.encode(payload);
    let class = ["OBSERVED VIA GATEWAY", "LOGGED BY AGENT", "EXECUTED BY HARBOUR"][n as usize % 3];
    format!(
        concat!(
            "{{\"id\":\"c0ffee12-7a10-4c7b-9d2e-{:012x}\",\"receipt_schema_version\":\"0.3\",\"created_at\":\"{}\",",
            "\"tool\":{{\"name\":\"{}\",\"version\":\"4.1.4\",\"scope\":\"team\"}},\"provenance_class\":\"{}\",",
            "\"canonical_bytes\":\"{}\",\"output_hash\":\"sha256:{}\",\"verification_status\":\"verified\",\"status\":\"{}\"}}"
        ),
        n, created, tool, class, bytes, hash, status
    )
}

impl Desk {
    fn new(theme: Theme) -> Desk {
        let mut app = App::new(theme, moment(NOW).unwrap(), Some(7_200));
        let generation = app.open(Path::new("/var/lib/gw/receipts"));
        Desk { app, files: BTreeMap::new(), generation }
    }

    fn full(theme: Theme) -> Desk {
        let mut desk = Desk::new(theme);
        desk.tell(Event::Mode(Mode::Live));
        for (n, created, tool, status, payload, changed) in [
            (
                1,
                "2026-08-01T12:04:31.207Z",
                "sql.query",
                "success",
                r#"{"inputs":{"q":"select 1"},"rows":[1,2,3]}"#,
                true,
            ),
            (2, "2026-08-01T12:04:31.112Z", "web.search", "success", r#"{"inputs":{"q":"tides"},"hits":4}"#, false),
            (
                3,
                "2026-08-01T12:04:30.950Z",
                "web.search",
                "failed",
                r#"{"correlation_id":"call-7","inputs":{"q":"a"}}"#,
                false,
            ),
            (4, "2026-07-30T09:00:00Z", "fs.read", "provider_unavailable", "plain text", false),
            (
                5,
                "2026-08-01T12:04:40.500Z",
                "web.search",
                "success",
                r#"{"correlation_id":"call-7","inputs":{"q":"a"},"ok":true}"#,
                false,
            ),
        ] {
            let mut text = receipt(n, created, tool, status, payload, changed);
            if payload.contains("correlation_id") {
                text.insert_str(1, "\"correlation_id\":\"call-7\",");
            }
            desk.file(n, text.into_bytes());
        }
        desk.file(
            6,
            b"{\"id\":\"c0ffee12\",\"canonical_bytes\":\"e30=\",\"output_hash\":\"x\",\"created_at\":".to_vec(),
        );
        desk.file(7, b"{\"nothing\":1}".to_vec());
        desk.tell(Event::Batch(vec![Change::Writing { file: FileNo(8), path: path(8) }]));
        desk.scanned();
        desk
    }

    fn scanned(&mut self) {
        let at = SystemTime::UNIX_EPOCH + Duration::from_secs(u64::try_from(moment(NOW).unwrap().secs - 12).unwrap());
        self.tell(Event::Scanned(Scan {
            at,
            took: Duration::from_millis(40),
            files: self.files.len() as u64,
            skipped: 3,
            passed: crate::record::Passed::default(),
            reason: ScanReason::Start,
        }));
    }

    fn tell(&mut self, event: Event) {
        self.app.receive(self.generation, event);
        self.settle();
    }

    fn file(&mut self, n: u32, bytes: Vec<u8>) {
        let mut records = Vec::new();
        Verifier::new(Options::default()).text(&bytes, &mut |report| records.push(report));
        let stamp = Stamp { size: bytes.len() as u64, ino: u64::from(n), ..Stamp::default() };
        self.files.insert(n, bytes);
        let read = FileRead { file: FileNo(n), path: path(n), stamp, fresh: true, done: true, records };
        self.tell(Event::Batch(vec![Change::Read(read)]));
    }

    /// Plays the detail thread.
    fn settle(&mut self) {
        for _ in 0..100 {
            self.app.settle();
            let effects = std::mem::take(&mut self.app.effects);
            let (asked, rest): (Vec<_>, Vec<_>) =
                effects.into_iter().partition(|effect| matches!(effect, Effect::Detail(_)));
            self.app.effects = rest;
            for effect in asked {
                let Effect::Detail(request) = effect else { continue };
                let found = self.files.iter().find(|(n, _)| path(**n) == request.path).map(|(_, bytes)| bytes);
                let opened = found.and_then(|bytes| {
                    let opened = Verifier::new(Options::default()).open(bytes, request.place)?;
                    Some(OpenRecord::new(Arc::clone(&request.path), request.place, opened, bytes, 128))
                });
                let loaded = match opened {
                    Some(open) => Loaded::Open(Arc::new(open)),
                    None => Loaded::Writing { path: request.path, place: request.place },
                };
                self.app.answer(request.stamp, loaded);
            }
            if !self.app.busy {
                return;
            }
        }
        panic!("it never settles");
    }

    fn keys(&mut self, keys: &str) -> &mut Desk {
        for c in keys.chars() {
            let key = match c {
                '\n' => Key::new(KeyCode::Enter),
                '\x1b' => Key::new(KeyCode::Esc),
                '\t' => Key::new(KeyCode::Tab),
                c => Key::ch(c),
            };
            self.app.input(Input::Key(key));
            self.settle();
        }
        self
    }

    fn buffer(&mut self, columns: u16, rows: u16) -> Buffer {
        let area = Rect::new(0, 0, columns, rows);
        let mut buffer = Buffer::empty(area);
        crate::tui::frame(&mut self.app, area, &mut buffer);
        self.settle();
        crate::tui::frame(&mut self.app, area, &mut buffer);
        buffer
    }

    fn screen(&mut self, columns: u16, rows: u16) -> String {
        let buffer = self.buffer(columns, rows);
        text_of(&buffer)
    }

    fn selected_tool(&self) -> String {
        self.app.list.selected.and_then(|id| self.app.store.row(id)).map(|row| row.tool.to_owned()).unwrap_or_default()
    }
}

fn path(n: u32) -> Arc<Path> {
    Arc::from(Path::new(&format!("/var/lib/gw/receipts/r{n:03}.json")))
}

fn text_of(buffer: &Buffer) -> String {
    let mut out = String::new();
    for y in 0..buffer.area.height {
        let mut row = String::new();
        let mut x = 0;
        while x < buffer.area.width {
            let symbol = buffer[(x, y)].symbol();
            row.push_str(symbol);
            x += u16::try_from(crate::text::width(symbol).max(1)).unwrap();
        }
        out.push_str(row.trim_end());
        out.push('\n');
    }
    out
}

/// The same screen as letters, one for each style, with what they mean below.
fn styles_of(buffer: &Buffer) -> String {
    let mut known: Vec<Style> = Vec::new();
    let mut out = String::new();
    for y in 0..buffer.area.height {
        for x in 0..buffer.area.width {
            let style = buffer[(x, y)].style();
            let at = known.iter().position(|one| *one == style).unwrap_or_else(|| {
                known.push(style);
                known.len() - 1
            });
            out.push(char::from(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"[at.min(61)]));
        }
        out.push('\n');
    }
    for (at, style) in known.iter().enumerate() {
        let letter = char::from(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"[at.min(61)]);
        writeln!(out, "{letter} {:?} on {:?} {:?}", style.fg, style.bg, style.add_modifier).unwrap();
    }
    out
}

const SIZES: [(u16, u16); 4] = [(44, 14), (80, 24), (120, 40), (200, 60)];

#[test]
fn the_main_screen_at_four_sizes() {
    for (columns, rows) in SIZES {
        let mut desk = Desk::full(Theme::default());
        let buffer = desk.buffer(columns, rows);
        insta::assert_snapshot!(format!("main-{columns}x{rows}"), text_of(&buffer));
        insta::assert_snapshot!(format!("main-{columns}x{rows}-styles"), styles_of(&buffer));
    }
}

#[test]
fn the_chain_at_four_sizes() {
    for (columns, rows) in SIZES {
        let mut desk = Desk::full(Theme::default());
        desk.screen(columns, rows);
        desk.keys("gjjjc\n");
        insta::assert_snapshot!(format!("chain-{columns}x{rows}"), desk.screen(columns, rows));
    }
}

#[test]
fn other_screens() {
    let mut desk = Desk::full(Theme { name: ThemeName::Plain, ascii: true });
    insta::assert_snapshot!("ascii-80x24", desk.screen(80, 24));
    for (name, keys) in [("help", "?"), ("events", "\x1bE"), ("chains", "\x1bC")] {
        desk.keys(keys);
        insta::assert_snapshot!(format!("{name}-80x24"), desk.screen(80, 24));
    }
    let mut desk = Desk::new(Theme::default());
    insta::assert_snapshot!("opening-80x24", desk.screen(80, 24));
    desk.tell(Event::Progress { done: 41_200, total: 100_000 });
    insta::assert_snapshot!("scanning-80x24", desk.screen(80, 24));
    desk.tell(Event::Mode(Mode::Live));
    desk.scanned();
    insta::assert_snapshot!("empty-80x24", desk.screen(80, 24));
    desk.tell(Event::Mode(Mode::Offline));
    insta::assert_snapshot!("offline-80x24", desk.screen(80, 24));
    let mut app = App::new(Theme::default(), Moment::default(), None);
    let area = Rect::new(0, 0, 80, 24);
    let mut buffer = Buffer::empty(area);
    crate::tui::frame(&mut app, area, &mut buffer);
    insta::assert_snapshot!("welcome-80x24", text_of(&buffer));
}

#[test]
fn a_folder_that_cannot_be_read_says_why() {
    let mut desk = Desk::new(Theme::default());
    let what = "permission denied \x1b[31m".to_owned();
    desk.tell(Event::Trouble { path: Arc::from(Path::new("/var/lib/gw/receipts")), what });
    desk.scanned();
    let screen = desk.screen(80, 24);
    assert!(screen.contains("The folder cannot be read"), "{screen}");
    assert!(screen.contains("permission denied \\x1b[31m"), "{screen}");
}

#[test]
fn a_folder_that_can_no_longer_be_listed_says_so_in_the_header() {
    let mut desk = Desk::full(Theme::default());
    desk.tell(Event::Mode(Mode::Live));
    let path = Arc::from(desk.app.opened.path.as_deref().unwrap());
    desk.tell(Event::Trouble { path, what: "Permission denied\x1b".to_owned() });
    desk.tell(Event::Mode(Mode::Offline));
    let screen = desk.screen(80, 24);
    assert!(screen.contains("OFFLINE permission denied\\x1b"), "{screen}");
    assert!(!screen.contains("LIVE"), "{screen}");
    desk.tell(Event::Mode(Mode::Live));
    let screen = desk.screen(80, 24);
    assert!(screen.contains("LIVE") && !screen.contains("permission"), "{screen}");
}

#[test]
fn the_selection_is_a_record_and_stays_while_others_arrive() {
    let mut desk = Desk::full(Theme::default());
    desk.screen(80, 24);
    desk.keys("gj");
    let (id, at) = (desk.app.list.selected, desk.app.list.position);
    for n in 100..140 {
        let created = format!("2026-08-01T12:04:{:02}Z", 41 + n % 10);
        desk.file(n, receipt(n, &created, "late.tool", "success", "{}", false).into_bytes());
    }
    assert_eq!(desk.app.list.selected, id);
    assert!(desk.app.list.position > at);
    let screen = desk.screen(80, 24);
    assert!(screen.lines().any(|line| line.contains("> ")), "the selected row is in view: {screen}");
}

#[test]
fn while_a_record_is_read_its_labels_are_there_and_no_verdict() {
    let mut desk = Desk::full(Theme::default());
    for (columns, rows) in [(80, 24), (120, 40), (200, 60)] {
        desk.keys("gg");
        desk.screen(columns, rows);
        desk.app.input(Input::Key(Key::ch('j')));
        desk.app.settle();
        let area = Rect::new(0, 0, columns, rows);
        let mut buffer = Buffer::empty(area);
        crate::tui::frame(&mut desk.app, area, &mut buffer);
        let screen = text_of(&buffer);
        // The pane alone: from the column and the row of its first words.
        let lines: Vec<Vec<char>> = screen.lines().map(|line| line.chars().collect()).collect();
        let said: Vec<char> = "reading the file".chars().collect();
        let (row, column) = lines
            .iter()
            .enumerate()
            .find_map(|(row, line)| Some((row, line.windows(said.len()).position(|part| part == said.as_slice())?)))
            .unwrap();
        let pane: Vec<String> = lines[row..].iter().map(|line| line.iter().skip(column).collect()).collect();
        let pane = pane.join("\n");
        let id = desk.app.list.selected.and_then(|id| desk.app.store.row(id)).unwrap().receipt_id.into_owned();
        assert!(pane.contains(&format!("id       {id}")), "{screen}");
        assert!(pane.contains("OBSERVED VIA GATEWAY") || pane.contains("LOGGED BY"), "{screen}");
        assert!(!pane.contains("verified") && !pane.contains('✓'), "{screen}");
        desk.settle();
        assert!(!desk.screen(columns, rows).contains("reading the file"));
    }
}

#[test]
fn follow_keeps_the_newest_and_lets_go_when_the_operator_moves() {
    let mut desk = Desk::full(Theme::default());
    desk.screen(80, 24);
    desk.file(50, receipt(50, "2026-08-01T12:04:59Z", "newest.tool", "success", "{}", false).into_bytes());
    assert_eq!(desk.selected_tool(), "newest.tool");
    desk.keys("j");
    assert!(!desk.app.list.follow);
    assert!(desk.app.message.as_ref().is_some_and(|message| message.text.contains("follow is off")));
    desk.file(51, receipt(51, "2026-08-01T12:05:00Z", "newer.tool", "success", "{}", false).into_bytes());
    assert_ne!(desk.selected_tool(), "newer.tool");
    desk.keys("F");
    assert_eq!(desk.selected_tool(), "newer.tool");
}

#[test]
fn a_paused_list_stands_still_and_counts() {
    let mut desk = Desk::full(Theme::default());
    desk.screen(120, 40);
    let before = desk.app.view.ids().to_vec();
    desk.keys(" ");
    for n in 60..63 {
        desk.file(n, receipt(n, "2026-08-01T12:04:59Z", "x", "success", "{}", false).into_bytes());
    }
    assert_eq!(desk.app.view.ids(), before);
    assert!(desk.screen(120, 40).contains("PAUSED +3"));
    desk.keys(" ");
    assert_eq!(desk.app.view.ids().len(), before.len() + 3);
}

#[test]
fn the_next_failing_record_is_found_from_anywhere() {
    let mut desk = Desk::full(Theme::default());
    desk.screen(80, 24);
    desk.keys("G]");
    let row = desk.app.store.row(desk.app.list.selected.unwrap()).unwrap();
    assert!(row.headline.is_failing());
    let first = row.id;
    desk.keys("]");
    assert_ne!(desk.app.list.selected, Some(first));
    desk.keys("[");
    assert_eq!(desk.app.list.selected, Some(first));
}

#[test]
fn a_search_moves_as_it_is_typed_and_a_cancelled_one_moves_back() {
    let mut desk = Desk::full(Theme::default());
    desk.screen(80, 24);
    desk.keys("g");
    let origin = desk.app.list.selected;
    desk.keys("/SQL");
    assert_eq!(desk.app.list.selected, origin, "capital letters are meant");
    desk.keys("\x1b/sql");
    assert_eq!(desk.selected_tool(), "sql.query");
    desk.keys("\x1b");
    assert_eq!(desk.app.list.selected, origin);
    desk.keys("/fs.re\nn");
    assert_eq!(desk.selected_tool(), "fs.read");
}

#[test]
fn the_end_of_what_is_typed_is_in_view_whatever_it_is_made_of() {
    for text in
        [format!("a{}", "\u{301}".repeat(60)), "東京".repeat(40), "\u{202e}\u{1b}x".repeat(20), "plain".repeat(20)]
    {
        for columns in 30..60 {
            let mut desk = Desk::full(Theme::default());
            desk.keys("f");
            desk.app.input(Input::Paste(text.clone()));
            desk.keys("QZ");
            let area = Rect::new(0, 0, columns, 14);
            let mut buffer = Buffer::empty(area);
            let cursor = crate::tui::frame(&mut desk.app, area, &mut buffer).unwrap();
            let before: String = (0..cursor.x).rev().take(2).map(|x| buffer[(x, cursor.y)].symbol()).collect();
            assert_eq!(before, "ZQ", "{columns} columns, {text}");
        }
    }
}

#[test]
fn a_wrong_filter_is_told_in_place_and_a_right_one_stands_in_the_title() {
    let mut desk = Desk::full(Theme::default());
    desk.screen(120, 40);
    desk.keys("fverdict:nonsense\n");
    assert!(desk.app.prompt.as_ref().is_some_and(|prompt| prompt.error.is_some()), "the prompt stays open");
    desk.app.input(Input::Key(Key::ctrl('l')));
    assert!(matches!(desk.app.effects.as_slice(), [Effect::Redraw]), "drawing anew works at the prompt too");
    desk.app.effects.clear();
    assert!(desk.app.prompt.as_ref().is_some_and(|prompt| prompt.error.is_some()), "and leaves it as it is");
    desk.keys("\x1bf");
    desk.keys("tool:web\n");
    assert!(desk.app.view.ids().iter().all(|id| desk.app.store.row(*id).unwrap().tool == "web.search"));
    assert!(desk.screen(120, 40).contains("· tool:web"));
    desk.keys("ftool:nothing-like-it\n");
    // What is wanted is added to the filter that stood there.
    assert!(desk.screen(120, 40).contains("No record matches the filter"));
    desk.keys("\x1b");
    assert!(desk.app.view.filter().is_all());
}

#[test]
fn quitting_and_leaving() {
    let mut desk = Desk::full(Theme::default());
    desk.screen(80, 24);
    desk.keys("?q");
    assert_eq!(desk.app.screen, Screen::Main);
    assert!(desk.app.effects.is_empty());
    desk.keys("q");
    assert!(matches!(desk.app.effects.as_slice(), [Effect::Quit]));
}

#[test]
fn a_copy_is_the_exact_value() {
    let mut desk = Desk::full(Theme::default());
    desk.screen(80, 24);
    desk.keys("/sql\nyi");
    let [Effect::Copy(value)] = desk.app.effects.as_slice() else { panic!("{:?}", desk.app.effects) };
    assert_eq!(value, b"c0ffee12-7a10-4c7b-9d2e-000000000001");
}

#[test]
fn events_of_an_earlier_folder_are_dropped() {
    let mut desk = Desk::full(Theme::default());
    let old = desk.generation;
    desk.app.open(Path::new("/elsewhere"));
    desk.app.receive(old, Event::Mode(Mode::Offline));
    assert_eq!(desk.app.opened.mode, None);
}

#[test]
fn nothing_foreign_reaches_a_cell_unescaped() {
    let mut desk = Desk::full(Theme::default());
    let evil = "a\\u001b[31m\\u202e\\u0007b";
    desk.file(90, receipt(90, "2026-08-01T12:04:59Z", evil, evil, "{}", false).into_bytes());
    for (columns, rows) in SIZES {
        let buffer = desk.buffer(columns, rows);
        for cell in buffer.content() {
            assert!(!cell.symbol().chars().any(crate::text::is_special), "{:?}", cell.symbol());
            assert!(cell.symbol().len() <= 64);
        }
    }
}
