//! Nothing missed and no stale green (docs/promises.md §4, §5): a folder in which everything happens at once, seen
//! through the lines of `aerscope watch` unless a test says otherwise.
#![cfg(all(unix, feature = "console"))]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "a test may")]

mod kit;

#[path = "kit/follow.rs"]
mod follow;
#[path = "kit/proof.rs"]
mod proof;
#[path = "kit/terminal.rs"]
mod terminal;
#[path = "kit/vitals.rs"]
mod vitals;

use std::collections::{HashMap, HashSet};
use std::fs;
use std::io::Write;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use follow::{Follow, PATIENCE};
use kit::{ID, Place, changed, receipt};
use proof::{either, ms, percentile, tell, within};
use rustix::process::Signal;
use terminal::Console;

/// Puts a file in place at once, as a producer should. The hidden name is never looked at.
fn appear(folder: &Path, name: &str, text: &[u8]) -> Instant {
    let part = folder.join(format!(".{name}.part"));
    fs::write(&part, text).unwrap();
    fs::rename(&part, folder.join(name)).unwrap();
    Instant::now()
}

fn id(n: usize) -> String {
    format!("c0ffee12-7a10-4c7b-9d2e-{n:012x}")
}

/// The receipt of a number: ids and bytes differ.
fn numbered(n: usize) -> Vec<u8> {
    receipt(&id(n), format!("{{\"n\":{n}}}").as_bytes()).to_string().into_bytes()
}

#[test]
fn a_swap_of_the_same_size_and_time_is_noticed() {
    let swaps = either(20, 100);
    let p = Place::new();
    let (good, bad) = (receipt(ID, b"{\"n\":1}").to_string(), changed(ID).to_string());
    assert_eq!(good.len(), bad.len());
    let path = p.put("in/a.json", &good);
    let modified = fs::metadata(&path).unwrap().modified().unwrap();
    let mut watch = Follow::start(&p.path("in"), &[]);
    assert_eq!(watch.arrives("a.json").word("headline"), "verified");
    let mut times = Vec::new();
    for n in 0..swaps {
        let (text, expected) = if n % 2 == 0 { (&bad, "mismatch") } else { (&good, "verified") };
        let put_back = |file: &fs::File| file.set_modified(modified).unwrap();
        let swapped = if n % 4 < 2 {
            // In place: the inode stays too.
            let file = fs::File::options().write(true).open(&path).unwrap();
            file.write_all_at(text.as_bytes(), 0).unwrap();
            put_back(&file);
            Instant::now()
        } else {
            let part = p.put("in/.part", text);
            put_back(&fs::File::options().write(true).open(&part).unwrap());
            fs::rename(part, &path).unwrap();
            Instant::now()
        };
        let now = fs::metadata(&path).unwrap();
        assert_eq!((now.len(), now.modified().unwrap()), (good.len() as u64, modified));
        let line = watch.until("the other verdict", |line| line.word("headline") == expected);
        assert_eq!(line.word("event"), "rewritten");
        times.push(line.at.saturating_duration_since(swapped));
    }
    let worst = percentile(&times, 100);
    within("noticing a swap", worst, Duration::from_secs(3));
    tell(5, "swaps of the same size and time", &format!("{swaps} of {swaps} noticed, the last after {}", ms(worst)));
}

#[test]
fn a_swap_takes_the_green_from_the_screen() {
    let p = Place::new();
    let (good, bad) = (receipt(ID, b"{\"n\":1}").to_string(), changed(ID).to_string());
    let path = p.put("in/a.json", &good);
    let modified = fs::metadata(&path).unwrap().modified().unwrap();
    for args in [&[][..], &["--poll"]] {
        fs::write(&path, &good).unwrap();
        let folder = p.path("in");
        let mut console = Console::start(&[&[folder.to_str().unwrap()], args].concat(), &[], 120, 30);
        console.sees("✓ verified");
        let file = fs::File::options().write(true).open(&path).unwrap();
        file.write_all_at(bad.as_bytes(), 0).unwrap();
        file.set_modified(modified).unwrap();
        let began = Instant::now();
        console.wait("a mismatch and no green", |screen| {
            let text = screen.contents();
            text.contains("✗ mismatch") && !text.contains("✓ verified")
        });
        within("a swap on the screen", began.elapsed(), Duration::from_secs(3));
        tell(5, &format!("a swap on the screen {args:?}"), &ms(began.elapsed()));
        console.press("q");
        assert_eq!(console.ends(), 0);
    }
}

/// A file that is written in pieces, and the longest pause so far.
struct Slow {
    name: String,
    text: Vec<u8>,
    file: fs::File,
    done: usize,
    last: Instant,
    longest: Duration,
}

#[test]
fn a_slow_writer_is_never_shown_as_a_fault() {
    let (writers, pieces) = (either(60, 1000), either(5, 12));
    let p = Place::new();
    let folder = p.path("in");
    fs::create_dir(&folder).unwrap();
    let name = |n: usize| format!("{n}.{}", if n % 4 == 3 { "jsonl" } else { "json" });
    let text = |n: usize| {
        let mut text = numbered(n);
        if n % 4 == 3 {
            text.push(b'\n');
            text.extend(numbered(n + 1_000_000));
            text.push(b'\n');
        }
        text
    };
    // Every second one is there before, and whole: it is cut to nothing and written anew.
    for n in (0..writers).step_by(2) {
        fs::write(folder.join(name(n)), text(n + 2_000_000)).unwrap();
    }
    let mut watch = Follow::start(&folder, &[]);
    let lines = (0..writers).filter(|n| n % 4 == 3).map(|n| n + 1_000_000);
    let mut missing: HashSet<String> = (0..writers).chain(lines).map(id).collect();
    let expected = missing.len();
    let before = (0..writers).step_by(2).count();
    while watch.there.len() < before {
        let _arrived = watch.until("what is there before", |line| line.word("event") == "arrived");
    }
    let open = |n: usize| Slow {
        name: name(n),
        text: text(n),
        file: fs::File::create(folder.join(name(n))).unwrap(),
        done: 0,
        last: Instant::now(),
        longest: Duration::ZERO,
    };
    let mut slow: Vec<Slow> = (0..writers).map(open).collect();
    for piece in 1..=pieces {
        let round = Instant::now();
        for writer in &mut slow {
            let upto = writer.text.len() * piece / pieces;
            writer.file.write_all(&writer.text[writer.done..upto]).unwrap();
            writer.longest = writer.longest.max(writer.last.elapsed());
            (writer.done, writer.last) = (upto, Instant::now());
        }
        // The pace of the writers, not a wait for an outcome.
        std::thread::sleep(Duration::from_millis(500).saturating_sub(round.elapsed()));
    }
    // A writer that the machine held up for two seconds is no slow writer but a cut file (docs/promises.md §5).
    let held_up: HashSet<&str> =
        slow.iter().filter(|w| w.longest > Duration::from_millis(1800)).map(|w| w.name.as_str()).collect();
    let mut faults = Vec::new();
    let until = Instant::now() + PATIENCE;
    while !missing.is_empty() {
        let line = watch.next_until(until).unwrap_or_else(|| panic!("{} of {expected} are missing", missing.len()));
        if line.word("headline") == "verified" {
            missing.remove(line.word("id"));
        }
        if line.fails() && !held_up.contains(line.name()) {
            faults.push(line.value);
        }
    }
    assert!(faults.is_empty(), "{} faults, the first: {}", faults.len(), faults[0]);
    assert!(held_up.len() * 2 < writers, "the machine held up {} of {writers} writers", held_up.len());
    let longest = slow.iter().map(|w| w.longest).max().unwrap();
    let figure = format!(
        "{writers} writers in {pieces} pieces, 0 faults shown, {expected} records verified at the end, longest pause {}, \
         {} held up by the machine",
        ms(longest),
        held_up.len()
    );
    tell(5, "slow writers", &figure);
}

/// Two texts of one length that verify, and of which any mixture does not.
fn twins(size: usize) -> [Vec<u8>; 2] {
    ["a", "b"].map(|letter| receipt(ID, letter.repeat(size).as_bytes()).to_string().into_bytes())
}

#[test]
fn a_file_cut_while_it_is_read_has_no_verdict_over_mixed_bytes() {
    let cuts = either(60, 1000);
    let p = Place::new();
    let texts = twins(1 << 20);
    assert_eq!(texts[0].len(), texts[1].len());
    let path = p.put("in/a.json", &texts[0]);
    let mut watch = Follow::start(&p.path("in"), &[]);
    assert_eq!(watch.arrives("a.json").word("headline"), "verified");
    let mut faults = Vec::new();
    let mut verdicts = 0;
    let file = fs::File::options().write(true).open(&path).unwrap();
    let mut numbers = proof::Numbers(5);
    for n in 0..cuts {
        let text = &texts[(n + 1) % 2];
        file.write_all_at(&text[..text.len() / 2], 0).unwrap();
        let cut = numbers.below(text.len() as u64);
        file.set_len(cut).unwrap();
        file.write_all_at(text, 0).unwrap();
        // Long enough at rest that a read begins at some of them, and is met by the next cut.
        let until = Instant::now() + Duration::from_millis(numbers.below(30));
        while let Some(line) = watch.next_until(until) {
            verdicts += 1;
            if line.fails() {
                faults.push(line.value);
            }
        }
    }
    // The last word is of what stands there, and a change after it is seen.
    drop(file);
    appear(&p.path("in"), "a.json", changed(ID).to_string().as_bytes());
    let until = Instant::now() + PATIENCE;
    loop {
        let line = watch.next_until(until).expect("the last word");
        match (line.word("class"), line.value["bytes"]["length"].as_u64()) {
            ("digest_mismatch", Some(7)) => break,
            _ if line.fails() => faults.push(line.value),
            _ => verdicts += 1,
        }
    }
    assert!(faults.is_empty(), "{} of {verdicts} verdicts, the first: {}", faults.len(), faults[0]);
    assert!(watch.runs());
    tell(
        5,
        "cut while followed",
        &format!("{cuts} cuts, {verdicts} verdicts between them, 0 over mixed bytes, no signal"),
    );
}

#[test]
fn a_look_that_met_a_cut_gives_no_verdict_over_mixed_bytes() {
    use aerscope::aer1::verify::Options;
    use aerscope::folder::file::{Ask, Ending, FileVerifier};
    use aerscope::folder::read::At;
    let cuts = either(100, 1000);
    let p = Place::new();
    let texts = twins(1 << 20);
    let path = p.put("a.json", &texts[0]);
    let (over, made) = (AtomicBool::new(false), AtomicU64::new(0));
    let (mut whole, mut met) = (0u64, 0u64);
    std::thread::scope(|scope| {
        let writer = scope.spawn(|| {
            let file = fs::File::options().write(true).open(&path).unwrap();
            let mut numbers = proof::Numbers(7);
            for n in 0.. {
                let text = &texts[n % 2];
                // Over the other text, with its end cut off: what a read finds on the way is bytes of both.
                file.set_len(numbers.below(text.len() as u64)).unwrap();
                file.write_all_at(text, 0).unwrap();
                made.fetch_add(1, Ordering::Relaxed);
                let pause = Instant::now() + Duration::from_micros(numbers.below(4_000));
                while Instant::now() < pause {
                    std::thread::yield_now();
                }
                if over.load(Ordering::Relaxed) {
                    return;
                }
            }
        });
        let mut verifier = FileVerifier::new(Options::default(), 64 << 20);
        let until = Instant::now() + PATIENCE * 2;
        let mut failing = None;
        while failing.is_none() && (met < cuts || whole == 0) && Instant::now() < until {
            match verifier.verify(At::path(&path), Ask::default(), &mut |_| true) {
                Ending::Read(read) => {
                    whole += 1;
                    failing = read.part.records.into_iter().find(|record| record.headline.is_failing());
                }
                Ending::Writing { .. } => met += 1,
                _ => panic!("it is there, and a file"),
            }
        }
        over.store(true, Ordering::Relaxed);
        writer.join().unwrap();
        assert!(failing.is_none(), "{failing:?}");
        assert!(met >= cuts && whole > 0, "{met} met, {whole} whole");
    });
    let made = made.load(Ordering::Relaxed);
    tell(5, "cut while read", &format!("{met} looks met by one of {made} cuts, {whole} whole, 0 faults, no signal"));
}

#[test]
fn a_fault_of_a_moment_ago_is_looked_at_again_and_an_old_one_told_at_once() {
    use aerscope::aer1::verify::Options;
    use aerscope::folder::file::{Ask, Ending, FileVerifier};
    use aerscope::folder::read::{At, QUIET};
    let p = Place::new();
    let path = p.path("a.json");
    let mut verifier = FileVerifier::new(Options::default(), 64 << 20);
    let mut look = |ask: Ask<'_>| verifier.verify(At::path(&path), ask, &mut |_| true);
    let until = Instant::now() + PATIENCE;
    let stamp = loop {
        fs::write(&path, changed(ID).to_string()).unwrap();
        // Only a machine that was held up for longer than that tells it at once.
        if let Ending::Writing { stamp, cut: false } = look(Ask::default()) {
            break stamp;
        }
        assert!(Instant::now() < until, "the fault is told at once");
    };
    let tells = |ending: Ending| match ending {
        Ending::Read(read) => read.part.records[0].class == Some(aerscope::aer1::report::Class::DigestMismatch),
        _ => false,
    };
    assert!(tells(look(Ask { settled: Some((stamp, QUIET)), ..Ask::default() })), "it has rested by the asker's clock");
    assert!(tells(look(Ask { final_look: true, ..Ask::default() })), "nobody waits");
    let began = Instant::now();
    while !tells(look(Ask::default())) {
        assert!(began.elapsed() < PATIENCE, "it is never told");
    }
    // What verifies is told at once.
    fs::write(&path, receipt(ID, b"{}").to_string()).unwrap();
    assert!(matches!(look(Ask::default()), Ending::Read(_)));
}

#[test]
fn what_comes_while_it_is_stopped_is_all_listed() {
    let (files, stopped) = either((3_000, Duration::from_millis(500)), (20_000, Duration::from_secs(3)));
    let p = Place::new();
    let folder = p.path("in");
    p.put("in/first.json", numbered(0));
    let mut watch = Follow::start(&folder, &[]);
    watch.arrives("first.json");
    watch.signal(Signal::STOP);
    let began = Instant::now();
    while vitals::state(watch.pid()) != Some('T') {
        assert!(began.elapsed() < PATIENCE, "it does not stop");
    }
    let began = Instant::now();
    for n in 1..files {
        fs::write(folder.join(format!("{n}.json")), numbered(n)).unwrap();
    }
    let written = began.elapsed();
    within("writing them", written, Duration::from_secs(4));
    // How long it is stopped is part of what is tested.
    std::thread::sleep(stopped.saturating_sub(began.elapsed()));
    watch.signal(Signal::CONT);
    let goes_on = Instant::now();
    let mut last = goes_on;
    while watch.there.len() < files {
        last = watch.until("the rest", |line| !line.said).at;
    }
    let took = last - goes_on;
    assert!(watch.there.values().all(|headline| headline == "verified"));
    assert_eq!(watch.count, files as u64, "each once");
    within("listing them", took, Duration::from_secs(5));
    tell(4, "written while stopped", &format!("{files} files in {}, all listed {} after", ms(written), ms(took)));
}

#[test]
fn a_steady_stream_is_followed_without_a_gap() {
    let (rate, seconds) = either((300, 3), (2_000, 60));
    let p = Place::new();
    let folder = p.path("in");
    fs::create_dir(&folder).unwrap();
    let mut watch = Follow::start(&folder, &[]);
    appear(&folder, "first.json", &numbered(0));
    watch.arrives("first.json");
    let total = rate * seconds;
    let mut renamed = vec![None; total + 1];
    let (send, sent) = std::sync::mpsc::channel();
    let mut seen: HashMap<usize, Instant> = HashMap::new();
    let began = Instant::now();
    let pace = std::thread::spawn(move || {
        for n in 1..=total {
            let due = began + Duration::from_secs(1) * u32::try_from(n).unwrap() / u32::try_from(rate).unwrap();
            std::thread::sleep(due.saturating_duration_since(Instant::now()));
            send.send((n, appear(&folder, &format!("{n}.json"), &numbered(n)))).unwrap();
        }
        began.elapsed()
    });
    let mut until = Instant::now() + Duration::from_secs(seconds as u64) + PATIENCE;
    while seen.len() < total {
        let Some(line) = watch.next_until(until) else { break };
        if let Some(n) = line.name().strip_suffix(".json").and_then(|n| n.parse().ok()) {
            assert_eq!((line.word("event"), line.word("headline")), ("arrived", "verified"), "{}", line.value);
            seen.insert(n, line.at);
        }
        until = until.max(Instant::now() + Duration::from_secs(5));
    }
    let took = pace.join().unwrap();
    for (n, at) in sent {
        renamed[n] = Some(at);
    }
    let missed = (1..=total).filter(|n| !seen.contains_key(n)).count();
    assert_eq!(missed, 0, "of {total}");
    let times: Vec<Duration> = seen.iter().map(|(n, at)| at.saturating_duration_since(renamed[*n].unwrap())).collect();
    let p95 = percentile(&times, 95);
    within("rename to line", p95, Duration::from_secs(1));
    let achieved = total as f64 / took.as_secs_f64();
    let figure = format!(
        "{total} files, {achieved:.0} a second, 0 missed, rename to line p50 {}, p95 {}, worst {}",
        ms(percentile(&times, 50)),
        ms(p95),
        ms(percentile(&times, 100))
    );
    tell(4, "steady stream", &figure);
}

#[test]
fn a_folder_that_is_deleted_and_made_again_is_followed_again() {
    let rounds = either(6, 50);
    let p = Place::new();
    let folder = p.path("in");
    p.put("in/start.json", numbered(0));
    let mut watch = Follow::start(&folder, &[]);
    watch.arrives("start.json");
    let (mut gone, mut back) = (Vec::new(), Vec::new());
    for n in 1..=rounds {
        fs::remove_dir_all(&folder).unwrap();
        // Every second time the new one is there before anybody can have looked.
        if n % 2 == 0 {
            let removed = Instant::now();
            let line = watch.until("that it is gone", |line| line.text().contains("it is gone"));
            gone.push(line.at - removed);
        }
        fs::create_dir(&folder).unwrap();
        let name = format!("{n}.json");
        let made = appear(&folder, &name, &numbered(n));
        back.push(watch.arrives(&name).at.saturating_duration_since(made));
    }
    let (gone, back) = (percentile(&gone, 100), percentile(&back, 100));
    within("noticing that it is gone", gone, Duration::from_secs(2));
    within("noticing that it is back", back, Duration::from_secs(2));
    let figure = format!("{rounds} times, gone noticed after {} at most, back after {} at most", ms(gone), ms(back));
    tell(4, "deleted and made again", &figure);
}

#[test]
fn polling_notices_everything_too() {
    let p = Place::new();
    let folder = p.path("in");
    p.put("in/start.json", numbered(0));
    let mut watch = Follow::start(&folder, &["--poll"]);
    watch.arrives("start.json");
    let mut times = Vec::new();
    for n in 1..=either(2, 10) {
        let name = format!("{n}.json");
        let at = appear(&folder, &name, &numbered(n));
        times.push(watch.arrives(&name).at.saturating_duration_since(at));
        let at = appear(&folder, &name, changed(ID).to_string().as_bytes());
        let line = watch.until("the rewriting", |line| line.name() == name && line.word("event") == "rewritten");
        assert_eq!(line.word("class"), "digest_mismatch");
        times.push(line.at.saturating_duration_since(at));
        let at = Instant::now();
        fs::remove_file(folder.join(&name)).unwrap();
        let line = watch.until("the removal", |line| line.name() == name && line.word("event") == "removed");
        times.push(line.at.saturating_duration_since(at));
    }
    let worst = percentile(&times, 100);
    within("polling", worst, Duration::from_secs(3));
    tell(4, "polling", &format!("{} arrivals, rewrites and removals, the last after {}", times.len(), ms(worst)));
}

/// A command in a user namespace of its own, where a limit of the kernel can be lowered; `None` where there is none.
fn limited(limit: &str, value: u32) -> Option<Command> {
    let script = format!("echo {value} > /proc/sys/user/{limit} && exec \"$0\" \"$@\"");
    let mut command = Command::new("unshare");
    command.args(["-Ur", "sh", "-c", &script]);
    let mut probe = Command::new("unshare");
    probe.args(["-Ur", "sh", "-c", &script, "true"]);
    probe.output().is_ok_and(|output| output.status.success()).then_some(command)
}

#[test]
fn a_limit_of_the_kernel_is_named_and_polled_around() {
    let p = Place::new();
    let folder = p.path("in");
    for n in 0..12 {
        p.put(format!("in/{n}/a.json"), numbered(n));
    }
    for (limit, value, named) in [
        ("max_inotify_watches", 4, "fs.inotify.max_user_watches"),
        ("max_inotify_instances", 0, "fs.inotify.max_user_instances"),
    ] {
        let Some(mut command) = limited(limit, value) else {
            tell(4, limit, "skipped: no user namespace can be made here");
            continue;
        };
        command.arg(terminal::program()).arg("watch").arg(&folder);
        let mut watch = Follow::of(command);
        let mut said = String::new();
        while watch.there.len() < 12 || !said.contains(named) {
            let line = watch.until("twelve records and the limit's name", |_| true);
            said.push_str(line.text());
        }
        assert!(said.contains("listed every two seconds"), "{said}");
        let name = format!("{limit}.json");
        let at = appear(&folder.join("11"), &name, &numbered(100));
        let took = watch.arrives(&name).at.saturating_duration_since(at);
        within("polling around it", took, Duration::from_secs(3));
        fs::remove_file(folder.join("11").join(&name)).unwrap();
        // And on the screen.
        let script = format!("echo {value} > /proc/sys/user/{limit} && exec \"$0\" \"$@\"");
        let program = terminal::program();
        let args = ["-Ur", "sh", "-c", &script, &program, folder.to_str().unwrap()];
        let mut console = Console::run("unshare", &args, &[], 120, 30);
        console.sees(named);
        console.sees("✓ verified");
        console.press("q");
        assert_eq!(console.ends(), 0);
        tell(4, limit, &format!("{named} on the screen and on standard error, an arrival noticed after {}", ms(took)));
    }
}

#[test]
fn a_file_system_that_tells_nothing_is_listed_and_named() {
    let p = Place::new();
    p.put("in/a.json", numbered(1));
    let (folder, mount) = (p.path("in"), p.path("mount"));
    fs::create_dir(&mount).unwrap();
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/kit/silent.py");
    let paths = [folder.to_str().unwrap(), mount.to_str().unwrap()];
    let mounted = |what: &[&str]| {
        let mut command = Command::new("unshare");
        command.args(["-Urm", "python3", script]).args(paths).args(what);
        command
    };
    if !mounted(&["true"]).output().is_ok_and(|output| output.status.success()) {
        return tell(4, "silent file system", "skipped: no FUSE in a user namespace here");
    }
    let program = terminal::program();
    let mut watch = Follow::of(mounted(&[&program, "watch", paths[1]]));
    let mut said = String::new();
    while watch.there.is_empty() || said.is_empty() {
        let line = watch.until("a record and the reason", |_| true);
        said.push_str(line.text());
    }
    assert!(said.contains("listed every two seconds: fuse does not tell about changes"), "{said}");
    let at = appear(&folder, "b.json", &numbered(2));
    let arrived = watch.arrives("b.json").at.saturating_duration_since(at);
    within("an arrival", arrived, Duration::from_secs(3));
    let at = appear(&folder, "a.json", changed(ID).to_string().as_bytes());
    let line = watch.until("the rewriting", |line| line.name() == "a.json" && line.fails());
    let rewritten = line.at.saturating_duration_since(at);
    within("a rewriting", rewritten, Duration::from_secs(3));
    let args = ["-Urm", "python3", script, paths[0], paths[1], &program, paths[1]];
    let mut console = Console::run("unshare", &args, &[], 140, 30);
    console.sees("fuse does not tell about changes");
    console.sees("✗ mismatch");
    console.press("q");
    assert_eq!(console.ends(), 0);
    let figure = format!("named and listed; arrival after {}, rewriting after {}", ms(arrived), ms(rewritten));
    tell(4, "silent file system", &figure);
}
