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

/// What is made and goes to standard output is nowhere else: a reader that is gone is no success.
#[test]
fn what_was_made_and_not_taken_is_told() {
    let place = place();
    std::fs::create_dir(place.path("in")).unwrap();
    place.json("in/a.json", &receipt(ID, b"{\"n\":1}"));
    let emit = ["emit", "--tool", "t", "--tool-version", "1", "--scope", "s", "--provenance", "LOGGED BY AGENT"];
    let makers = [
        (&emit[..], "the receipt is not kept anywhere"),
        (&["redact", "a.json", "--drop", "/content/n"], "the projection"),
        (&["snapshot", "in"], "the snapshot is not whole"),
    ];
    for (args, lost) in makers {
        for full in [true, false] {
            let out: Stdio = match full {
                true => OpenOptions::new().write(true).open("/dev/full").unwrap().into(),
                false => std::io::pipe().unwrap().1.into(),
            };
            let ended = run(&place, args, out);
            let said = stderr(&ended);
            assert_eq!(ended.status.code(), Some(2), "{args:?}: {said}");
            let begins = "aerscope: standard output cannot be written: ";
            assert!(said.starts_with(begins) && said.contains(lost) && said.lines().count() == 1, "{said}");
        }
    }
}

#[test]
fn a_comparison_that_cannot_be_printed_is_no_result() {
    let place = place();
    std::fs::create_dir(place.path("in")).unwrap();
    place.json("in/a.json", &receipt(ID, b"{\"n\":1}"));
    assert_eq!(place.status(&["snapshot", "in", "--out", "then"]), 0);
    std::fs::remove_file(place.path("in/a.json")).unwrap();
    for format in ["text", "jsonl"] {
        let args = ["compare", "then", "in", "--format", format];
        let full = OpenOptions::new().write(true).open("/dev/full").unwrap();
        let ended = run(&place, &args, full.into());
        assert_eq!(ended.status.code(), Some(2), "{}", stderr(&ended));
        assert!(stderr(&ended).contains("no space left on device"), "{}", stderr(&ended));
        let closed = run(&place, &args, std::io::pipe().unwrap().1.into());
        assert_eq!((closed.status.code(), stderr(&closed).as_str()), (Some(1), ""), "its status still tells");
    }
}

#[test]
fn nothing_written_is_nothing_failed() {
    let place = place();
    let full = OpenOptions::new().write(true).open("/dev/full").unwrap();
    let ended = run(&place, &["verify", "--quiet", "a.json"], full.into());
    assert_eq!((ended.status.code(), stderr(&ended).as_str()), (Some(0), ""));
}
