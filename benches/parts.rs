//! The parts one by one, in this process: `cargo bench --bench parts`, or `… -- filter` for some of them.
//!
//! `benches/compare.sh` measures the program as people run it; these say where its time goes.

// Every index here is taken modulo the length.
#![allow(clippy::indexing_slicing)]

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use aerscope::aer1::grammar::Moment;
use aerscope::aer1::json::{Doc, parse};
use aerscope::aer1::verify::{Options, Verifier};
use aerscope::make::random::Random;
use aerscope::make::receipt::Parts;
use aerscope::record::{Change, FileNo, FileRead, Stamp};
use aerscope::store::Store;
use aerscope::store::query::{Filter, Sort, SortKey, View};
use divan::Bencher;
use divan::counter::{BytesCount, ItemsCount};

fn main() {
    divan::main();
}

/// Sizes of the committed bytes: a usual receipt, a large one, and one of 10 MB.
const SIZES: [usize; 3] = [1 << 10, 64 << 10, 10 << 20];
/// Rows of a busy day and of a busy month.
const ROWS: [u32; 2] = [100_000, 1_000_000];

const TOOLS: [&str; 8] =
    ["web.search", "fs.read", "fs.write", "sql.query", "shell.run", "mail.send", "pdf.extract", "crm.lookup"];

fn parts(n: u32) -> Parts {
    let mut random = Random::new(u64::from(n));
    let r = random.bits();
    let created =
        Moment { secs: 1_767_225_600 + i64::from(n) * 3 - (r % 40) as i64, nanos: (r % 1000) as u32 * 1_000_000 };
    Parts {
        id: random.uuid(),
        version: "0.3".to_owned(),
        created: created.to_string(),
        tool: TOOLS[(r % 8) as usize].to_owned(),
        tool_version: "1.4.0".to_owned(),
        scope: "bench".to_owned(),
        provenance: ["OBSERVED VIA GATEWAY", "LOGGED BY AGENT"][(r % 2) as usize].to_owned(),
    }
}

/// A payload of about this many bytes: JSON, with text in other scripts.
fn payload(n: u32, size: usize) -> Vec<u8> {
    let mut text = format!(r#"{{"correlation_id":"call-{}","inputs":{{"n":{}}},"lines":["#, n / 3, n / 3);
    let mut random = Random::new(u64::from(n));
    let mut line = 0u64;
    while text.len() + 64 < size {
        text.push_str(&format!("\"{:016x} hög tide 潮汐 {line}\",", random.bits()));
        line += 1;
    }
    text.push_str("\"\"]}");
    text.into_bytes()
}

fn receipt(n: u32, size: usize) -> Vec<u8> {
    parts(n).published(&payload(n, size)).pretty().into_bytes()
}

/// The JSON reader over a whole file.
#[divan::bench(args = SIZES)]
fn reader(bencher: Bencher<'_, '_>, size: usize) {
    let file = receipt(1, size);
    let mut doc = Doc::new();
    bencher.counter(BytesCount::new(file.len())).bench_local(|| parse(divan::black_box(&file), 128, &mut doc));
}

/// Everything between the bytes of a file and its verdict.
#[divan::bench(args = SIZES)]
fn verify(bencher: Bencher<'_, '_>, size: usize) {
    let file = receipt(1, size);
    let mut verifier = Verifier::new(Options::default());
    bencher.counter(BytesCount::new(file.len())).bench_local(|| {
        let mut verified = 0u32;
        verifier.text(divan::black_box(&file), &mut |report| verified += u32::from(report.headline.is_green()));
        assert_eq!(verified, 1);
    });
}

/// SHA-256 alone over the same number of bytes: what `verify` can never be faster than.
#[divan::bench(args = SIZES)]
fn sha256(bencher: Bencher<'_, '_>, size: usize) {
    use sha2::{Digest as _, Sha256};
    let bytes = payload(1, size);
    bencher.counter(BytesCount::new(bytes.len())).bench_local(|| Sha256::digest(divan::black_box(&bytes)));
}

/// What the folder thread would tell of file `n`. Every 97th holds other bytes than it commits to.
fn change(n: u32, verifier: &mut Verifier) -> Change {
    let parts = parts(n);
    let path: Arc<Path> = Path::new(&format!("/var/lib/gateway/receipts/{}.json", parts.id)).into();
    let mut receipt = parts.published(format!(r#"{{"inputs":{{"n":{}}},"n":{n}}}"#, n / 3).as_bytes());
    receipt = receipt.with("correlation_id", format!("call-{}", n / 3));
    if n.is_multiple_of(97) {
        receipt = receipt.with("output_hash", format!("sha256:{}", "0".repeat(64)));
    }
    let mut records = Vec::new();
    verifier.text(receipt.compact().as_bytes(), &mut |report| records.push(report));
    let stamp = Stamp { size: 900, ino: u64::from(n), ..Stamp::default() };
    Change::Read(FileRead { file: FileNo(n), path, stamp, fresh: true, done: true, records })
}

fn changes(from: u32, count: u32) -> Vec<Change> {
    let mut verifier = Verifier::new(Options::default());
    (from..from + count).map(|n| change(n, &mut verifier)).collect()
}

fn arrived(n: u32) -> Moment {
    Moment { secs: 1_767_225_700 + i64::from(n) * 3, nanos: 0 }
}

fn store(rows: u32) -> Store {
    let mut verifier = Verifier::new(Options::default());
    let mut store = Store::new();
    let mut happened = Vec::new();
    for n in 0..rows {
        store.apply_into(change(n, &mut verifier), arrived(n), &mut happened);
        happened.clear();
    }
    store
}

/// A thousand arrivals into a store of this size.
#[divan::bench(args = ROWS, sample_count = 5, sample_size = 1)]
fn insert_1000(bencher: Bencher<'_, '_>, rows: u32) {
    let mut store = store(rows);
    let mut next = rows;
    let mut happened = Vec::new();
    bencher
        .with_inputs(|| {
            next += 1000;
            (next, changes(next, 1000))
        })
        .counter(ItemsCount::new(1000usize))
        .bench_local_values(|(from, changes)| {
            for change in changes {
                store.apply_into(change, arrived(from), &mut happened);
            }
            happened.clear();
        });
}

/// From a question to its whole answer, in the slices the console takes between frames.
fn answered(view: &mut View, store: &Store) -> usize {
    while !view.step(store, Duration::from_millis(4)) {}
    view.ids().len()
}

/// Filters, each from the whole list.
#[divan::bench(args = ROWS, sample_count = 5, sample_size = 1)]
fn filter(bencher: Bencher<'_, '_>, rows: u32) {
    let store = store(rows);
    let filters: Vec<Filter> =
        ["verdict:failing", "tool:sql", "prov:gateway tool:web", "c0ffee", "chain:retried", "id:00ab"]
            .iter()
            .filter_map(|text| Filter::parse(text, arrived(rows)).ok())
            .collect();
    assert_eq!(filters.len(), 6);
    bencher.counter(ItemsCount::new(filters.len())).bench_local(|| {
        let mut shown = 0;
        for filter in &filters {
            let mut view = View::new(Filter::default(), Sort::default());
            view.set(filter.clone(), Sort::default());
            shown += answered(&mut view, &store);
        }
        shown
    });
}

/// Every order, each from nothing.
#[divan::bench(args = ROWS, sample_count = 5, sample_size = 1)]
fn sort(bencher: Bencher<'_, '_>, rows: u32) {
    let store = store(rows);
    bencher.counter(ItemsCount::new(SortKey::ALL.len())).bench_local(|| {
        for key in SortKey::ALL {
            let mut view = View::new(Filter::default(), Sort { key, reverse: false });
            assert_eq!(answered(&mut view, &store), rows as usize);
        }
    });
}

#[cfg(feature = "console")]
mod console {
    use aerscope::record::Event;
    use aerscope::tui::app::App;
    use aerscope::tui::input::{Input, Key};
    use aerscope::tui::theme::{Theme, ThemeName};
    use ratatui::buffer::Buffer;
    use ratatui::crossterm::event::KeyCode;
    use ratatui::layout::Rect;

    use super::*;

    fn app(rows: u32) -> (App, u64) {
        let mut app = App::new(Theme::new(ThemeName::Dark), arrived(rows), Some(0));
        let generation = app.open(Path::new("/var/lib/gateway/receipts"));
        for from in (0..rows).step_by(1000) {
            app.receive(generation, Event::Batch(changes(from, 1000)));
            app.settle();
        }
        app.effects.clear();
        (app, generation)
    }

    /// One frame of 200x60 after a key, with this many records.
    #[divan::bench(args = ROWS, sample_count = 200, sample_size = 1)]
    fn key_and_frame(bencher: Bencher<'_, '_>, rows: u32) {
        let (mut app, _) = app(rows);
        let area = Rect::new(0, 0, 200, 60);
        let mut buffer = Buffer::empty(area);
        aerscope::tui::frame(&mut app, area, &mut buffer);
        bencher.bench_local(|| {
            app.input(Input::Key(Key::new(KeyCode::Char('j'))));
            app.settle();
            app.effects.clear();
            buffer.reset();
            aerscope::tui::frame(&mut app, area, &mut buffer)
        });
    }

    /// A hundred arrivals and the frame after them: what a tenth of a second of a busy folder costs this thread.
    #[divan::bench(args = [100_000u32], sample_count = 50, sample_size = 1)]
    fn arrivals_and_frame(bencher: Bencher<'_, '_>, rows: u32) {
        let (mut app, generation) = app(rows);
        let area = Rect::new(0, 0, 200, 60);
        let mut buffer = Buffer::empty(area);
        let mut next = rows;
        bencher
            .with_inputs(|| {
                next += 100;
                changes(next, 100)
            })
            .bench_local_values(|changes| {
                app.receive(generation, Event::Batch(changes));
                app.settle();
                app.effects.clear();
                buffer.reset();
                aerscope::tui::frame(&mut app, area, &mut buffer)
            });
    }
}
