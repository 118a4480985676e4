//! Soak (docs/promises.md §11): hours of a console's life in minutes. Nothing may grow, and rest costs nothing.
#![cfg(all(unix, feature = "console"))]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "a test may")]

mod kit;

#[path = "kit/proof.rs"]
mod proof;
#[path = "kit/terminal.rs"]
mod terminal;
#[path = "kit/vitals.rs"]
mod vitals;

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use kit::{changed, receipt};
use proof::{Numbers, either, full, tell};
use terminal::{BACK, Console, cells, size};
use vitals::{Vitals, mib, vitals};

/// Files there are at most: arrivals and removals keep the balance.
const FILES: u64 = 400;

/// What one simulated minute brings.
fn minute(console: &mut Console, folder: &Path, numbers: &mut Numbers, n: u64) {
    for _ in 0..12 {
        let slot = numbers.below(FILES);
        let path = folder.join(format!("{slot}.json"));
        let id = format!("c0ffee12-7a10-4c7b-9d2e-{slot:012x}");
        let value = match numbers.below(10) {
            0 => changed(&id),
            _ => receipt(&id, format!("{{\"n\":{n}}}").as_bytes()),
        };
        if numbers.below(4) == 0 {
            let _was_there = fs::remove_file(&path);
        } else {
            let part = folder.join(".part");
            fs::write(&part, value.to_string()).unwrap();
            fs::rename(&part, &path).unwrap();
        }
    }
    let keys = ["j", "k", "G", "g", "1", "2", "3", "5", "w", "]", "[", "s", "p", "T", "?", "E", "c", "/sha\r"];
    for _ in 0..3 {
        let key = keys[numbers.below(keys.len() as u64) as usize];
        console.press(key);
        if matches!(key, "?" | "E" | "c" | "/sha\r") {
            console.press(BACK);
        }
    }
    if n % 10 == 9 {
        let (columns, rows) = [(80, 24), (120, 40), (60, 20), (200, 60)][numbers.below(4) as usize];
        console.seen.0.lock().unwrap().screen_mut().set_size(cells(rows), cells(columns));
        console.master.resize(size(columns, rows)).unwrap();
    }
}

fn of(console: &Console) -> Vitals {
    vitals(console.child.process_id().unwrap())
}

#[test]
fn hours_leave_no_trace_in_memory_threads_and_descriptors() {
    // Four hours are 240 minutes; in full one takes 2.5 s.
    let (minutes, pace) = either((40, Duration::from_millis(150)), (240, Duration::from_millis(2500)));
    let dir = tempfile::tempdir().unwrap();
    for n in 0..FILES {
        let id = format!("c0ffee12-7a10-4c7b-9d2e-{n:012x}");
        fs::write(dir.path().join(format!("{n}.json")), receipt(&id, b"{\"n\":0}").to_string()).unwrap();
    }
    let mut console = Console::on(dir.path(), 120, 40);
    console.sees("full scan");
    let mut numbers = Numbers(17);
    let began = Instant::now();
    // Warm when a tenth is over, and in full after the first real minute: every kind of thing has happened by then.
    let warm_at = minutes / 10;
    let mut warm: Option<Vitals> = None;
    let mut peak = 0;
    for n in 0..minutes {
        let due = began + pace * u32::try_from(n + 1).unwrap();
        minute(&mut console, dir.path(), &mut numbers, n);
        // The pace of what is simulated.
        std::thread::sleep(due.saturating_duration_since(Instant::now()));
        let now = of(&console);
        peak = peak.max(now.resident);
        if n + 1 == warm_at {
            warm = Some(now);
        }
    }
    let (warm, end) = (warm.unwrap(), of(&console));
    let took = began.elapsed();
    assert_eq!(end.threads, warm.threads, "threads");
    assert!(end.descriptors <= warm.descriptors, "{} descriptors, {}", end.descriptors, warm.descriptors);
    let growth = end.resident.saturating_sub(warm.resident);
    // Flat: what an allocator keeps for itself. A leak of one record a change would be more in the full form.
    assert!(growth <= 4 << 20, "{} became {}", mib(warm.resident), mib(end.resident));
    // It is still what it was: the last change is shown.
    console.press(&BACK.repeat(3));
    for entry in fs::read_dir(dir.path()).unwrap() {
        fs::remove_file(entry.unwrap().path()).unwrap();
    }
    fs::write(dir.path().join("last.json"), "{\"canonical_bytes\":1,\"id\":2}").unwrap();
    console.seen.0.lock().unwrap().screen_mut().set_size(cells(40), cells(120));
    console.master.resize(size(120, 40)).unwrap();
    console.press("f\x15last.json\r");
    console.sees("records 1/1");
    console.sees("malformed");
    let idle = idle(&console, either(Duration::from_secs(3), Duration::from_secs(60)));
    assert!(!full() || idle < 1.0, "{idle:.2} % when idle");
    console.press("q");
    assert_eq!(console.ends(), 0);
    let figure = format!(
        "{minutes} simulated minutes in {} s: memory {} after the first tenth, {} at the end (at most {}); {} threads and {} \
         descriptors throughout; idle {idle:.2} %",
        took.as_secs(),
        mib(warm.resident),
        mib(end.resident),
        mib(peak),
        end.threads,
        end.descriptors
    );
    tell(11, "soak", &figure);
}

/// Of a hundred, how much of one core is used while nothing happens for so long.
fn idle(console: &Console, span: Duration) -> f64 {
    // The last change has to be over.
    let until = Instant::now() + terminal::PATIENCE;
    let mut before = of(console);
    loop {
        std::thread::sleep(Duration::from_millis(500));
        let now = of(console);
        if now.busy.saturating_sub(before.busy) <= Duration::from_millis(10) {
            break;
        }
        assert!(Instant::now() < until, "it does not come to rest");
        before = now;
    }
    let (before, began) = (of(console).busy, Instant::now());
    std::thread::sleep(span);
    (of(console).busy - before).as_secs_f64() * 100.0 / began.elapsed().as_secs_f64()
}
