//! What every command does when standard output cannot be written, and when nobody reads it.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "a test may")]
#![cfg(target_os = "linux")]

mod kit;

use std::fs::OpenOptions;
use std::process::{Command, Output, Stdio};

use assert_cmd::cargo::cargo_bin;
use kit::{ID, Place, receipt, stderr};

const COMMANDS: [&[&str]; 11] = [
    &["verify", "a.json"],
    &["verify", "--format", "jsonl", "a.json"],
    &["verify", "--format", "junit", "a.json"],
    &["verify", "--stream", "a.json"],
    &["show", "a.json"],
    &["vectors"],
    &["explain"],
    &["explain", "mismatch"],
    &["watch", "."],
    &["--help"],
    &["--version"],
];

fn run(place: &Place, args: &[&str], out: Stdio) -> Output {
    let mut command = Command::new(cargo_bin!("aerscope"));
    command.current_dir(place.dir.path()).args(args).stdin(Stdio::null()).stdout(out).stderr(Stdio::piped());
    command.spawn().unwrap().wait_with_output().unwrap()
}

fn place() -> Place {
    let place = Place::new();
    place.json("a.json", &receipt(ID, b"{\"n\":1}"));
    place
}

#[test]
fn a_failed_write_is_told_in_one_sentence() {
    let place = place();
    for args in COMMANDS {
        let full = OpenOptions::new().write(true).open("/dev/full").unwrap();
        let ended = run(&place, args, full.into());
        let said = stderr(&ended);
        assert_eq!(ended.status.code(), Some(2), "{args:?}: {said}");
        assert!(said.starts_with("aerscope: standard output cannot be written: no space left on device"), "{said}");
        assert_eq!(said.lines().count(), 1, "{args:?}: {said}");
    }
}

#[test]
fn a_closed_pipe_is_quiet() {
    let place = place();
    for args in COMMANDS {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let ended = run(&place, args, writer.into());
        assert_eq!(stderr(&ended), "", "{args:?}");
        assert_eq!(ended.status.code(), Some(0), "{args:?}");
    }
}

#[test]
fn nothing_written_is_nothing_failed() {
    let place = place();
    let full = OpenOptions::new().write(true).open("/dev/full").unwrap();
    let ended = run(&place, &["verify", "--quiet", "a.json"], full.into());
    assert_eq!((ended.status.code(), stderr(&ended).as_str()), (Some(0), ""));
}
