//! Times and bytes a row, printed: `cargo test --release --lib store::tests::measure -- --ignored --nocapture`.

use std::time::Duration;

use super::*;
use crate::aer1::grammar;
use crate::make::random::Random;
use crate::store::query::{Filter, Sort, SortKey, View};

/// A number that looks random, the same for the same `n`.
fn mixed(n: u64) -> u64 {
    Random::new(n).bits()
}

fn change(n: u32, derived: bool) -> Change {
    const TOOLS: [&str; 20] = [
        "web.search",
        "web.fetch",
        "fs.read",
        "fs.write",
        "sql.query",
        "shell.run",
        "python.exec",
        "git.diff",
        "git.commit",
        "mail.send",
        "calendar.list",
        "vector.lookup",
        "image.caption",
        "pdf.extract",
        "weather.now",
        "fx.quote",
        "tickets.create",
        "tickets.search",
        "crm.lookup",
        "deploy.status",
    ];
    let r = mixed(u64::from(n));
    let id = Random::new(r).uuid();
    let mut report = receipt(n, 1);
    let mut hash = [0u8; 32];
    for (slot, n) in hash.chunks_mut(8).zip(0u64..) {
        slot.copy_from_slice(&mixed(r ^ n).to_le_bytes());
    }
    report.bytes.recomputed = Some(hash);
    report.bytes.length = Some(r & 0xfff);
    report.inputs = hash[..16].try_into().ok();
    report.tool = Some(TOOLS[(r % 20) as usize].into());
    report.created = Some(Moment {
        secs: 1_735_689_600 + i64::from(n) * 20 - (r % 40) as i64,
        nanos: (r % 1000) as u32 * 1_000_000,
    });
    report.provenance = Some(["EXECUTED BY ZAMBO", "OBSERVED VIA GATEWAY", "LOGGED BY AGENT"][(r % 3) as usize].into());
    if r.is_multiple_of(97) {
        report.headline = Headline::Mismatch;
        report.class = Some(Class::DigestMismatch);
    }
    let job = format!("{:08x}-0000-4000-8000-{:012x}", mixed(u64::from(n / 6)) >> 32, n / 6);
    let report = linked(report, "job_id", &job, false);
    let name = if derived { id.clone() } else { format!("receipt-{n:07}-{}", &id[..8]) };
    report_file(n, &format!("/var/lib/gateway/receipts/{name}.json"), Report { id: Some(id), ..report })
}

fn report_file(n: u32, path: &str, report: Report) -> Change {
    assert!(grammar::is_uuid(report.id.as_deref().unwrap()));
    read(n, path, vec![report])
}

fn resident() -> f64 {
    let text = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    text.split(' ').nth(1).and_then(|n| n.parse::<f64>().ok()).unwrap_or(0.0) * 4096.0 / 1048576.0
}

/// Time this thread had a core, which a busy machine does not change much.
fn busy() -> Duration {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    Duration::from_nanos(text.split(' ').next().and_then(|n| n.parse().ok()).unwrap_or(0))
}

fn settle(view: &mut View, store: &Store) -> (f64, f64, usize) {
    let start = busy();
    let mut longest = Duration::ZERO;
    loop {
        let step = busy();
        let done = view.step(store, Duration::from_millis(4));
        longest = longest.max(busy() - step);
        if done {
            break;
        }
    }
    ((busy() - start).as_secs_f64() * 1e3, longest.as_secs_f64() * 1e3, view.ids().len())
}

#[test]
#[ignore = "prints figures; run it in release mode"]
fn measure() {
    for (rows, derived) in [(100_000u32, true), (100_000, false), (1_000_000, true), (1_000_000, false)] {
        let before = resident();
        let mut store = Store::new();
        let mut view = View::default();
        let (mut applying, mut viewing, mut longest) = (Duration::ZERO, Duration::ZERO, Duration::ZERO);
        for from in (0..rows).step_by(1000) {
            let changes: Vec<Change> = (from..from + 1000).map(|n| change(n, derived)).collect();
            let start = busy();
            for change in changes {
                store.apply(change, at(i64::from(from / 1000)));
            }
            applying += busy() - start;
            let start = busy();
            while !view.step(&store, Duration::from_millis(4)) {}
            viewing += busy() - start;
            longest = longest.max(busy() - start);
        }
        println!("\n{rows} rows, names {}", if derived { "derived from ids" } else { "of their own" });
        let footprint = store.footprint() as f64 / f64::from(rows);
        println!("  {footprint:.1} bytes a row counted; resident {:.1} MiB (before {before:.1})", resident());
        println!(
            "  apply {:.2} µs a change; default view kept up {:.0} ms in all, {:.1} ms for the slowest 1,000",
            applying.as_secs_f64() * 1e6 / f64::from(rows),
            viewing.as_secs_f64() * 1e3,
            longest.as_secs_f64() * 1e3
        );
        for key in SortKey::ALL {
            view.set(Filter::default(), Sort { key, reverse: key == SortKey::Created });
            let (all, step, n) = settle(&mut view, &store);
            println!("  sort {:8} {all:6.1} ms, longest step {step:.1} ms, {n} rows", key.as_str());
        }
        for text in [
            "verdict:failing",
            "tool:sql",
            "id:00ab",
            "c0ffee",
            "json",
            "prov:gateway tool:web -status:failed",
            "chain:retried",
            "since:1d",
        ] {
            view.set(
                Filter::parse(text, Moment { secs: 1_735_689_600 + i64::from(rows) * 20, nanos: 0 }).unwrap(),
                Sort::default(),
            );
            let (all, step, n) = settle(&mut view, &store);
            println!("  filter {text:40} {all:6.1} ms, longest step {step:.1} ms, {n} rows");
        }
        view.set(Filter::default(), Sort::default());
        settle(&mut view, &store);
        let start = busy();
        let attempts = view.ids().iter().take(60).filter_map(|id| store.row(*id)).count();
        println!("  {attempts} rows asked for: {:.0} µs", (busy() - start).as_secs_f64() * 1e6);
        let start = busy();
        let place = view.position(view.ids()[view.ids().len() - 1]);
        println!("  position {place:?}: {:.0} µs", (busy() - start).as_secs_f64() * 1e6);
        let chains = busy();
        let listed = store.chains().len();
        println!("  {listed} chains and groups: {:.0} ms", (busy() - chains).as_secs_f64() * 1e3);
        let path = store.row(rows / 2).unwrap().path.into_owned();
        let start = busy();
        assert_eq!(store.find(&path, Place::WHOLE), Some(rows / 2));
        println!("  find: {:.1} ms", (busy() - start).as_secs_f64() * 1e3);
        println!("  resident with view at rest {:.1} MiB", resident());
    }
}
