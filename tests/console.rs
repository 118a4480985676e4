//! The real binary in a real pseudo-terminal. Every wait is for a text or an end, with a deadline.
#![cfg(all(unix, feature = "console"))]
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "the helpers of these tests are tests too"
)]

#[path = "kit/terminal.rs"]
mod terminal;
#[path = "kit/vitals.rs"]
mod vitals;

use std::io::Read as _;
use std::time::{Duration, Instant};

use rustix::process::Signal;
use terminal::*;

fn folder() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    let made = assert_cmd::Command::new(env!("CARGO_BIN_EXE_aerscope"))
        .args(["make", "gateway", "--burst", "40"])
        .arg(dir.path())
        .ok();
    made.unwrap();
    dir
}

#[test]
fn first_screen_and_quit() {
    let dir = folder();
    let mut console = Console::on(dir.path(), 120, 40);
    console.sees("full scan");
    console.sees("✓ verified");
    console.press("q");
    assert_eq!(console.ends(), 0);
    console.is_restored();
}

#[test]
fn a_new_receipt_shows_up() {
    let dir = tempfile::tempdir().unwrap();
    let mut console = Console::on(dir.path(), 120, 40);
    console.sees("No receipt here yet");
    std::fs::write(dir.path().join("new.json"), "{\"canonical_bytes\":1,\"id\":2}").unwrap();
    console.sees("malformed");
    console.press("q");
    assert_eq!(console.ends(), 0);
}

#[test]
fn signals_that_end_restore_the_terminal() {
    let dir = folder();
    for (signal, status) in [(Signal::TERM, 143), (Signal::HUP, 129), (Signal::INT, 130), (Signal::QUIT, 131)] {
        let mut console = Console::on(dir.path(), 80, 24);
        console.sees("records");
        console.signal(signal);
        assert_eq!(console.ends(), status);
        console.is_restored();
    }
}

#[test]
fn the_size_is_followed() {
    let dir = folder();
    let mut console = Console::on(dir.path(), 50, 14);
    console.sees("records");
    console.seen.0.lock().unwrap().screen_mut().set_size(cells(40), cells(120));
    console.master.resize(size(120, 40)).unwrap();
    console.sees("recomputed");
    console.seen.0.lock().unwrap().screen_mut().set_size(cells(4), cells(20));
    console.master.resize(size(20, 4)).unwrap();
    console.sees("too small");
    console.press("q");
    assert_eq!(console.ends(), 0);
}

#[test]
fn stopped_and_continued() {
    let dir = folder();
    let mut console = Console::on(dir.path(), 80, 24);
    console.sees("records");
    console.press("\x1a");
    // The screen is left a moment before the settings are put back; it stops after both.
    let until = Instant::now() + PATIENCE;
    while vitals::state(console.child.process_id().unwrap()) != Some('T') {
        assert!(Instant::now() < until, "it does not stop");
        std::thread::sleep(Duration::from_millis(2));
    }
    console.is_restored();
    console.signal(Signal::CONT);
    console.wait("the screen again", |screen| screen.alternate_screen() && screen.contents().contains("records"));
    console.press("q");
    assert_eq!(console.ends(), 0);
    console.is_restored();
}

#[test]
fn a_closed_terminal_ends_it() {
    let dir = folder();
    let (master, mut child, _state, _) = spawn(&program(), &[dir.path().as_os_str()], &[], 80, 24);
    // Read here and not in a thread: every handle of the terminal must be closed at one moment.
    let mut reader = master.try_clone_reader().unwrap();
    let mut seen = Vec::new();
    let mut buffer = [0u8; 4096];
    while !String::from_utf8_lossy(&seen).contains("verified") {
        let n = reader.read(&mut buffer).unwrap();
        seen.extend_from_slice(&buffer[..n]);
    }
    drop((reader, master));
    let until = Instant::now() + PATIENCE;
    while child.try_wait().unwrap().is_none() {
        assert!(Instant::now() < until, "it does not end");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn an_editor_that_fails_leaves_the_console_running() {
    let dir = folder();
    let path = dir.path().to_str().unwrap().to_owned();
    let mut console = Console::start(&[&path], &[("VISUAL", "/nonexistent/editor")], 100, 30);
    console.sees("sha256:");
    console.press("e");
    console.sees("no editor");
    console.press("q");
    assert_eq!(console.ends(), 0);
    console.is_restored();
}

#[test]
fn the_demo_leaves_nothing_behind() {
    for by_signal in [false, true] {
        let mut console = Console::start(&["demo"], &[], 120, 40);
        console.sees("✓ verified");
        console.sees("mismatch");
        if by_signal {
            console.signal(Signal::TERM);
            assert_eq!(console.ends(), 143);
        } else {
            console.press("q");
            assert_eq!(console.ends(), 0);
        }
        console.is_restored();
        let left: Vec<_> = std::fs::read_dir(console.state.path()).unwrap().collect();
        assert!(left.is_empty(), "{left:?}");
    }
}

#[test]
fn the_last_folder_is_remembered() {
    let dir = folder();
    let path = dir.path().to_str().unwrap().to_owned();
    let state = tempfile::tempdir().unwrap();
    let env = [("XDG_STATE_HOME", state.path().to_str().unwrap())];
    let mut console = Console::start(&[], &env, 80, 24);
    console.sees("open a folder or file");
    console.press("o");
    console.press(&path);
    console.press("\r");
    console.sees("✓ verified");
    console.press("q");
    assert_eq!(console.ends(), 0);
    let mut console = Console::start(&[], &env, 80, 24);
    console.sees("✓ verified");
    console.press("q");
    assert_eq!(console.ends(), 0);
}

#[test]
fn a_missing_path_is_one_sentence() {
    let out = assert_cmd::Command::new(env!("CARGO_BIN_EXE_aerscope")).arg("/nonexistent/receipts").output().unwrap();
    assert_eq!(out.status.code(), Some(2));
    let said = String::from_utf8(out.stderr).unwrap();
    assert!(said.contains("/nonexistent/receipts") && said.lines().count() == 1, "{said}");
}

#[test]
fn without_a_terminal_the_folder_is_verified() {
    let dir = folder();
    let out = assert_cmd::Command::new(env!("CARGO_BIN_EXE_aerscope")).arg(dir.path()).output().unwrap();
    assert_eq!(out.status.code(), Some(1));
    let out = assert_cmd::Command::new(env!("CARGO_BIN_EXE_aerscope")).output().unwrap();
    assert_eq!(out.status.code(), Some(2));
}

#[cfg(feature = "fault-injection")]
#[test]
fn faults_restore_the_terminal_and_say_so() {
    let dir = folder();
    let path = dir.path().to_str().unwrap().to_owned();
    for (fault, status, said) in [
        ("panic-ui", 101, "an internal fault in thread main"),
        ("panic-worker", 101, "an internal fault in thread worker"),
        ("draw-error", 2, "the terminal cannot be used"),
    ] {
        let mut console = Console::start(&[&path], &[("AERSCOPE_FAULT", fault)], 120, 40);
        assert_eq!(console.ends(), status, "{fault}");
        console.sees(said);
        console.is_restored();
        if fault != "draw-error" {
            console.sees("\\x1b[31m in it");
        }
    }
}

#[test]
fn a_suite_is_stepped_through_and_run_again_when_a_file_changes() {
    let dir = tempfile::tempdir().unwrap();
    let index = |headline: &str| {
        let row = format!(
            r#"{{"file":"a.json","record":null,"kind":"none","headline":"{headline}","class":null,"why":"as it is","rule":null,"twin":null}}"#
        );
        std::fs::write(dir.path().join("index.json"), format!(r#"{{"suite":1,"vectors":[{row}]}}"#)).unwrap();
    };
    std::fs::write(dir.path().join("a.json"), "{\"x\":1}").unwrap();
    index("verified");
    let mut console = Console::start(&["vectors", dir.path().to_str().unwrap(), "--open"], &[], 120, 40);
    console.sees("1 disagree");
    console.sees("none not_receipt -");
    index("not_receipt");
    console.sees("1 of 1 agree");
    console.press("q");
    assert_eq!(console.ends(), 0);
    console.is_restored();
}

#[test]
fn a_mistake_in_the_settings_is_told_and_the_console_starts() {
    let dir = folder();
    let config = tempfile::tempdir().unwrap();
    std::fs::create_dir(config.path().join("aerscope")).unwrap();
    std::fs::write(
        config.path().join("aerscope/config.toml"),
        "mouse = false\nthme = \"dark\"\n[keys]\nquit = \"Z\"\n",
    )
    .unwrap();
    let env = [("XDG_CONFIG_HOME", config.path().to_str().unwrap())];
    let mut console = Console::start(&[dir.path().to_str().unwrap()], &env, 120, 40);
    console.sees("config.toml:2: the setting thme is not known; did you mean theme?");
    console.press("Z");
    assert_eq!(console.ends(), 0);
    let mut program = assert_cmd::Command::new(env!("CARGO_BIN_EXE_aerscope"));
    let out = program.env("XDG_CONFIG_HOME", config.path()).arg("config").output().unwrap();
    assert_eq!(out.status.code(), Some(2));
    let (said, told) = (String::from_utf8(out.stdout).unwrap(), String::from_utf8(out.stderr).unwrap());
    assert!(said.lines().any(|line| line.starts_with("keys.quit = [\"Z\"]") && line.ends_with("# line 4")), "{said}");
    assert!(told.contains("config.toml:2:") && told.contains("did you mean theme?"), "{told}");
}

#[test]
fn a_folder_is_opened_as_it_was_left_and_on_one_record() {
    let dir = folder();
    let path = dir.path().to_str().unwrap().to_owned();
    let state = tempfile::tempdir().unwrap();
    let env = [("XDG_STATE_HOME", state.path().to_str().unwrap())];
    let mut console = Console::start(&[&path], &env, 120, 40);
    console.sees("full scan");
    console.press("fverdict:verified\r");
    console.sees("· verdict:verified");
    console.press("q");
    assert_eq!(console.ends(), 0);
    let mut console = Console::start(&[], &env, 120, 40);
    console.sees("· verdict:verified");
    console.press("q");
    assert_eq!(console.ends(), 0);
    let mut console = Console::start(&[&path, "--select", "not-here"], &env, 120, 40);
    console.sees("no record with the id not-here is here yet");
    console.press("q");
    assert_eq!(console.ends(), 0);
}

#[test]
fn a_session_is_logged_outside_of_what_is_watched() {
    let folder = folder();
    let path = folder.path().to_str().unwrap().to_owned();
    let elsewhere = tempfile::tempdir().unwrap();
    let log = elsewhere.path().join("session.jsonl");
    let mut console = Console::start(&[&path, "--log", log.to_str().unwrap()], &[], 120, 40);
    console.sees("full scan");
    // The folder in which the log lies cannot be opened: following it would follow the log.
    console.press(&format!("o\x15{}\r", elsewhere.path().to_str().unwrap()));
    console.sees("lies in it");
    console.press("q");
    assert_eq!(console.ends(), 0);
    let text = std::fs::read_to_string(&log).unwrap();
    let events: Vec<serde_json::Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let scanned = events.iter().find(|event| event["event"] == "scanned").unwrap_or_else(|| panic!("{text}"));
    assert_eq!((&scanned["path"], &scanned["why"]), (&path.as_str().into(), &"start".into()), "{text}");
    // And a log in the opened folder is refused before anything starts.
    let inside = folder.path().join("session.jsonl");
    let mut console = Console::start(&[&path, "--log", inside.to_str().unwrap()], &[], 120, 40);
    console.sees("only read");
    assert_eq!(console.ends(), 2);
    assert!(!inside.exists());
}
