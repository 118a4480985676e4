//! Never stuck, and the limits (docs/promises.md §7, §8): a folder of everything that could hold a reader up.
#![cfg(all(unix, feature = "console"))]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "a test may")]

mod kit;

#[path = "kit/proof.rs"]
mod proof;
#[path = "kit/terminal.rs"]
mod terminal;
#[path = "kit/vitals.rs"]
mod vitals;

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::os::unix::net::UnixListener;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use flate2::Compression;
use flate2::write::GzEncoder;
use kit::{ID, OTHER, Place, receipt, records, stderr};
use proof::{either, full, ms, percentile, tell, within};
use rustix::fs::{CWD, FileType, Mode, mknodat};
use terminal::Console;
use vitals::{Vitals, mib, vitals};

/// What is promised at rest: 64 MiB, and 512 bytes a record.
fn at_rest(records: u64) -> u64 {
    (64 << 20) + 512 * records
}

/// A receipt of about this many bytes, written without holding it: `length` is the output's.
fn large_receipt(path: &Path, length: usize) {
    fs::write(path, receipt(OTHER, "x".repeat(length).as_bytes()).to_string()).unwrap();
}

/// What a special file was made as, or that it could not be made here.
fn special(folder: &Path, made: &mut Vec<&str>) {
    let mode = Mode::from_raw_mode(0o644);
    mknodat(CWD, folder.join("fifo.json"), FileType::Fifo, mode, 0).unwrap();
    drop(UnixListener::bind(folder.join("socket.json")).unwrap());
    symlink("loop.json", folder.join("loop.json")).unwrap();
    symlink("/etc/passwd", folder.join("out.json")).unwrap();
    symlink(".", folder.join("round")).unwrap();
    symlink("/dev/zero", folder.join("endless.json")).unwrap();
    made.extend(["FIFO", "socket", "link to itself", "link out", "link to the folder", "link to an endless device"]);
    // The device of zeros, which never ends; only root makes one.
    match mknodat(CWD, folder.join("device.json"), FileType::CharacterDevice, mode, rustix::fs::makedev(1, 5)) {
        Ok(()) => made.push("device"),
        Err(error) => tell(7, "device", &format!("skipped: it cannot be made here: {error}")),
    }
}

/// Presses a key, waits for what it shows; how long that took.
fn answered(console: &mut Console, key: &str, what: &str) -> Duration {
    let began = Instant::now();
    console.press(key);
    console.sees(what);
    began.elapsed()
}

/// Help opened and closed, again and again; the times to its first line.
fn keys(console: &mut Console, times: usize) -> Vec<Duration> {
    let mut all = Vec::new();
    for _ in 0..times {
        all.push(answered(console, "?", "Half a page down"));
        let began = Instant::now();
        console.press("\x1b");
        console.wait("the list again", |screen| !screen.contents().contains("Half a page down"));
        all.push(began.elapsed());
    }
    all
}

fn of(console: &Console) -> Vitals {
    vitals(console.child.process_id().unwrap())
}

/// Waits until the process uses no processor time for a moment, and says what it holds then.
fn rested(console: &Console) -> Vitals {
    let until = Instant::now() + terminal::PATIENCE;
    let mut before = of(console);
    loop {
        std::thread::sleep(Duration::from_millis(600));
        let now = of(console);
        if now.busy.saturating_sub(before.busy) <= Duration::from_millis(20) {
            return now;
        }
        assert!(Instant::now() < until, "it does not come to rest");
        before = now;
    }
}

#[test]
fn a_folder_of_traps_shows_its_rows_and_answers_keys() {
    let p = Place::new();
    let folder = p.path("in");
    p.json("in/good.json", &receipt(ID, b"{\"n\":1}"));
    let mut made = Vec::new();
    special(&folder, &mut made);
    fs::File::create(folder.join("sparse.json")).unwrap().set_len(1 << 30).unwrap();
    large_receipt(&folder.join("large.json"), 12 << 20);
    let sizes = either(vec![(70 << 20, "70 MiB")], vec![(200 << 20, "200 MiB")]);
    for (size, name) in &sizes {
        let mut file = fs::File::create(folder.join("over.json")).unwrap();
        file.write_all(b"{\"id\":\"").unwrap();
        let block = vec![b'x'; 1 << 20];
        for _ in 0..size >> 20 {
            file.write_all(&block).unwrap();
        }
        made.push(name);
    }
    p.put("in/nested.json", "[".repeat(100_000) + &"]".repeat(100_000));
    p.put("in/long.json", receipt(ID, &b"y".repeat(10_000_000)).to_string());
    p.put("in/marks.json", receipt(ID, format!("e{}", "\u{301}".repeat(1_000_000)).as_bytes()).to_string());
    made.extend(["1 GiB sparse", "17 MiB", "100,000 levels", "10 million characters", "a million combining marks"]);
    // By a thread: it may hold only what has been asked for, and must end.
    let mut console = {
        let began = Instant::now();
        let console = Console::on(&folder, 120, 40);
        console.sees("✓ verified");
        within("the first rows", began.elapsed(), Duration::from_secs(1));
        tell(7, "first rows", &ms(began.elapsed()));
        console
    };
    console.sees("full scan");
    console.sees("unreadable");
    let mut times = keys(&mut console, either(3, 25));
    // Through every record, in every way of showing its content.
    console.press("g");
    for _ in 0..8 {
        for view in ["1", "2", "3", "4", "5"] {
            console.press(view);
        }
        times.extend(keys(&mut console, 1));
        console.press("j");
    }
    let vitals = rested(&console);
    console.press("q");
    assert_eq!(console.ends(), 0);
    console.is_restored();
    // Links, FIFOs, sockets and devices have no row; the rest has its verdict.
    let output = p.run(&["verify", "--format", "jsonl", "in"]);
    let name = |path: &str| path.rsplit('/').next().unwrap().to_owned();
    let found: BTreeMap<String, String> = records(&output)
        .iter()
        .map(|r| (name(r["path"].as_str().unwrap()), r["class"].as_str().unwrap_or("verified").to_owned()))
        .collect();
    let expected = [
        ("good.json", "verified"),
        ("large.json", "verified"),
        ("long.json", "verified"),
        ("marks.json", "verified"),
        ("nested.json", "json_depth"),
        ("over.json", "too_large"),
        ("sparse.json", "too_large"),
    ];
    let expected: BTreeMap<String, String> = expected.iter().map(|(n, c)| ((*n).to_owned(), (*c).to_owned())).collect();
    assert_eq!(found, expected);
    let said = stderr(&output);
    assert!(said.contains("4 links") && said.contains("1 FIFO") && said.contains("1 socket"), "{said}");
    let (p95, worst) = (percentile(&times, 95), percentile(&times, 100));
    within("a key", p95, Duration::from_millis(100));
    let figure = format!(
        "{}: {} keys answered, p95 {}, worst {}; at rest {}, at most {}",
        made.join(", "),
        times.len(),
        ms(p95),
        ms(worst),
        mib(vitals.resident),
        mib(vitals.peak)
    );
    tell(7, "traps", &figure);
}

#[test]
fn what_may_not_be_read_has_a_row_that_says_so() {
    let p = Place::new();
    fs::set_permissions(p.dir.path(), fs::Permissions::from_mode(0o755)).unwrap();
    p.json("in/good.json", &receipt(ID, b"{\"n\":1}"));
    let closed = p.json("in/closed.json", &receipt(OTHER, b"{\"n\":1}"));
    p.json("in/shut/inside.json", &receipt(OTHER, b"{\"n\":1}"));
    fs::set_permissions(&closed, fs::Permissions::from_mode(0o000)).unwrap();
    fs::set_permissions(p.path("in/shut"), fs::Permissions::from_mode(0o000)).unwrap();
    let args = ["verify", "--format", "jsonl", "in"];
    let output = as_anyone(&terminal::program(), &args, p.dir.path());
    fs::set_permissions(p.path("in/shut"), fs::Permissions::from_mode(0o755)).unwrap();
    let Some(output) = output else {
        return tell(7, "mode 000", "skipped: no other user can be taken on here");
    };
    let mut classes: Vec<(String, String)> = records(&output)
        .iter()
        .map(|r| (r["path"].as_str().unwrap().to_owned(), r["class"].as_str().unwrap_or("verified").to_owned()))
        .collect();
    classes.sort();
    let expected = [("in/closed.json", "io_error"), ("in/good.json", "verified"), ("in/shut", "io_error")];
    assert_eq!(classes, expected.map(|(path, class)| (path.to_owned(), class.to_owned())));
    tell(7, "mode 000", "a file and a folder: io_error, the rest verified");
}

/// Runs the program as an ordinary user. The program must be reachable for one: a copy is.
fn as_anyone(program: &str, args: &[&str], folder: &Path) -> Option<std::process::Output> {
    let copy = tempfile::Builder::new().permissions(fs::Permissions::from_mode(0o755)).tempdir().unwrap();
    let mut command = if rustix::process::getuid().is_root() {
        fs::copy(program, copy.path().join("aerscope")).unwrap();
        let mut command = Command::new("setpriv");
        command.args(["--reuid", "65534", "--regid", "65534", "--clear-groups"]).arg(copy.path().join("aerscope"));
        command
    } else {
        Command::new(program)
    };
    command.args(args).current_dir(folder).env("HOME", copy.path()).stdin(Stdio::null()).output().ok()
}

fn gzip(text: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(text).unwrap();
    encoder.finish().unwrap()
}

/// Blanks without end in a few bytes: gzip over gzip of a thousandth.
fn bomb(mib: usize) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    let block = vec![b' '; 1 << 20];
    for _ in 0..mib {
        encoder.write_all(&block).unwrap();
    }
    encoder.finish().unwrap()
}

/// A zstd frame of one repeated byte: a block of type RLE a 128 KiB (RFC 8878 §3.1.1.2).
fn zstd_bomb(mib: usize) -> Vec<u8> {
    // Magic; a descriptor without content size, checksum or dictionary; a window of 128 KiB (2^17: exponent 7).
    let mut frame = vec![0x28, 0xb5, 0x2f, 0xfd, 0x00, 7 << 3];
    let blocks = mib * 8;
    for n in 0..blocks {
        let last = u32::from(n + 1 == blocks);
        let header = (128u32 << 10) << 3 | 1 << 1 | last;
        frame.extend_from_slice(&header.to_le_bytes()[..3]);
        frame.push(b' ');
    }
    frame
}

#[test]
fn hostile_compressed_files_are_bounded_and_said() {
    let p = Place::new();
    let text = receipt(ID, b"{\"n\":1}").to_string();
    let whole = gzip(text.as_bytes());
    let size = either(200, 4096);
    p.put("in/bomb.json.gz", bomb(size));
    p.put("in/bomb-lines.jsonl.gz", bomb(size));
    p.put("in/bomb.json.zst", zstd_bomb(size));
    p.put("in/cut.json.gz", &whole[..whole.len() / 2]);
    p.put("in/not.json.gz", &text);
    p.put("in/not.jsonl.zst", &text);
    p.put("in/gzip.json.zst", &whole);
    p.put("in/bad-sum.json.gz", {
        let mut bytes = whole.clone();
        let at = bytes.len() - 8;
        bytes[at] ^= 1;
        bytes
    });
    p.put("in/members.json.gz", [gzip(&text.as_bytes()[..20]), gzip(&text.as_bytes()[20..])].concat());
    p.put("in/after.json.gz", [&whole[..], b"not gzip"].concat());
    p.put("in/empty.json.gz", "");
    p.put("in/whole.json.gz", &whole);
    let began = Instant::now();
    let output = Command::new(terminal::program())
        .args(["verify", "--format", "jsonl", "in"])
        .current_dir(p.dir.path())
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let took = began.elapsed();
    let mut found: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for r in records(&output) {
        let name = r["path"].as_str().unwrap().trim_start_matches("in/").to_owned();
        found.entry(name).or_default().push(r["class"].as_str().unwrap_or("verified").to_owned());
    }
    let expected = [
        ("after.json.gz", "io_error"),
        ("bad-sum.json.gz", "io_error"),
        ("bomb-lines.jsonl.gz", "too_large"),
        ("bomb.json.gz", "too_large"),
        ("bomb.json.zst", "too_large"),
        ("cut.json.gz", "io_error"),
        ("empty.json.gz", "empty_file"),
        ("gzip.json.zst", "io_error"),
        ("members.json.gz", "verified"),
        ("not.json.gz", "io_error"),
        ("not.jsonl.zst", "io_error"),
        ("whole.json.gz", "verified"),
    ];
    let expected: BTreeMap<String, Vec<String>> =
        expected.iter().map(|(name, class)| ((*name).to_owned(), vec![(*class).to_owned()])).collect();
    assert_eq!(found, expected);
    // The console holds no more than the limit of a file for each worker, and gives it back.
    let mut console = Console::on(&p.path("in"), 120, 40);
    console.sees("full scan");
    let vitals = rested(&console);
    console.press("q");
    assert_eq!(console.ends(), 0);
    assert!(vitals.resident <= at_rest(12), "{}", mib(vitals.resident));
    assert!(vitals.peak < 512 << 20, "{}", mib(vitals.peak));
    let figure = format!(
        "12 files, three of them bombs of {size} MiB: judged in {}; the console at rest {}, at most {}",
        ms(took),
        mib(vitals.resident),
        mib(vitals.peak)
    );
    tell(7, "compressed", &figure);
}

#[test]
fn a_million_files_are_followed() {
    let wanted = std::env::var_os("AERSCOPE_HOSTILE_MILLION").is_some() && full();
    let count: u64 = if wanted { 1_000_000 } else { either(3_000, 100_000) };
    let p = Place::new();
    let folder = p.path("in");
    // Compact and of one size: what is measured is the number.
    let made =
        p.run_long(&["make", "receipts", "--n", &count.to_string(), "--out", "in", "--fixed", "100", "--compact"]);
    assert!(made.status.success(), "{}", stderr(&made));
    let began = Instant::now();
    let mut console = Console::on(&folder, 120, 40);
    console.sees("✓ verified");
    let first = began.elapsed();
    within("the first rows", first, Duration::from_secs(1));
    let times = keys(&mut console, either(2, 20));
    console.wait_long("full scan", Duration::from_secs(600));
    let scanned = began.elapsed();
    let vitals = rested(&console);
    console.press("q");
    assert_eq!(console.ends(), 0);
    assert!(vitals.resident <= at_rest(count), "{} for {count}", mib(vitals.resident));
    let worst = percentile(&times, 100);
    within("a key", percentile(&times, 95), Duration::from_millis(100));
    let figure = format!(
        "{count} files: first rows {}, all after {}, keys meanwhile at most {}, at rest {} (64 MiB and 512 bytes a record: {})",
        ms(first),
        ms(scanned),
        ms(worst),
        mib(vitals.resident),
        mib(at_rest(count))
    );
    tell(7, "small files", &figure);
    tell(8, "memory, a file a record", &format!("{} at rest with {count} records", mib(vitals.resident)));
}

#[test]
fn records_cost_what_is_promised() {
    let count: u64 = either(20_000, 1_000_000);
    let p = Place::new();
    let made = p.run_long(&["make", "receipts", "--n", &count.to_string(), "--jsonl", "all.jsonl", "--fixed", "100"]);
    assert!(made.status.success(), "{}", stderr(&made));
    fs::create_dir(p.path("in")).unwrap();
    fs::rename(p.path("all.jsonl"), p.path("in/all.jsonl")).unwrap();
    let mut console = Console::on(&p.path("in"), 120, 40);
    console.sees("✓ verified");
    console.wait_long("full scan", Duration::from_secs(600));
    let vitals = rested(&console);
    console.press("q");
    assert_eq!(console.ends(), 0);
    assert!(vitals.resident <= at_rest(count), "{} for {count}", mib(vitals.resident));
    let figure = format!("{} at rest with {count} records, {} promised", mib(vitals.resident), mib(at_rest(count)));
    tell(8, "memory, records of one file", &figure);
}

#[test]
fn every_limit_is_documented_and_moves() {
    let p = Place::new();
    let config = p.path("config");
    p.put("config/aerscope/config.toml", "[limits]\nmax_size = 3000\nmax_depth = 5\nrows = 1000\n");
    let ask = |args: &[&str]| {
        let output = Command::new(terminal::program())
            .args(args)
            .current_dir(p.dir.path())
            .env("XDG_CONFIG_HOME", &config)
            .output()
            .unwrap();
        kit::stdout(&output)
    };
    let readme = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/README.md")).unwrap();
    let defaults = ask(&["config", "--default"]);
    let in_force = ask(&["config"]);
    for (limit, value, said) in [
        ("max_size", "3000", "up to 64 MiB"),
        ("max_depth", "5", "128 levels of nesting"),
        ("rows", "1000", "2,000,000 rows"),
    ] {
        assert!(defaults.contains(limit), "{limit} in config --default: {defaults}");
        let line = in_force.lines().find(|line| line.starts_with(&format!("limits.{limit} = {value}")));
        assert!(line.is_some(), "{limit} = {value}: {in_force}");
        assert!(readme.contains(said), "{limit}: the README does not say {said:?}");
    }
    assert!(readme.contains("512 bytes of a field"), "the length of a field");
    // And each moves what happens.
    p.json("in/small.json", &receipt(ID, b"{\"n\":1}"));
    p.put("in/large.json", receipt(OTHER, &[b'x'; 4000]).to_string());
    p.put("in/deep.json", "[[[[[[[[]]]]]]]]");
    let folder = p.path("in");
    let env = [("XDG_CONFIG_HOME", config.to_str().unwrap())];
    let mut console = Console::start(&[folder.to_str().unwrap()], &env, 160, 40);
    console.sees("full scan");
    // Rows without a time stand in the order they were read, which two workers do not fix: found by name.
    console.press("/large.json\r");
    console.sees("too_large");
    console.press("/deep.json\r");
    console.sees("json_depth");
    console.press("q");
    assert_eq!(console.ends(), 0);
    let classes: Vec<String> = records(&p.run(&["verify", "--format", "jsonl", "--max-size", "3000", "in"]))
        .iter()
        .map(|r| r["class"].as_str().unwrap_or("verified").to_owned())
        .collect();
    assert_eq!(classes[1..], ["too_large", "verified"], "{classes:?}");
    tell(8, "limits", "file size, nesting, rows and field length: documented, and the first three set by the operator");
}
