//! `aerscope watch` as it is called: lines for what happens, and every way in which it ends.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "a test may")]

mod kit;

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant, SystemTime};

use assert_cmd::cargo::cargo_bin;
use kit::{DEADLINE, ID, OTHER, Place, changed, receipt, stderr};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

/// A running watch, and the lines it has written.
struct Watch {
    child: Child,
    lines: Receiver<Value>,
}

impl Watch {
    fn start(place: &Place, args: &[&str]) -> Watch {
        let mut child = Command::new(cargo_bin!("aerscope"))
            .current_dir(place.dir.path())
            .arg("watch")
            .args(args)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let out = child.stdout.take().unwrap();
        let (send, lines) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(out).lines() {
                let line = line.unwrap();
                let value = serde_json::from_str(&line).unwrap_or_else(|e| panic!("{line}: {e}"));
                if send.send(value).is_err() {
                    break;
                }
            }
        });
        Watch { child, lines }
    }

    fn next(&self) -> Value {
        self.lines.recv_timeout(DEADLINE).expect("a line in time")
    }

    fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.child), signal).unwrap();
    }

    fn end(&mut self) -> ExitStatus {
        wait(&mut self.child)
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn wait(child: &mut Child) -> ExitStatus {
    let until = Instant::now() + DEADLINE;
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return status;
        }
        assert!(Instant::now() < until, "it did not end in time");
        std::thread::yield_now();
    }
}

fn word<'a>(line: &'a Value, key: &str) -> &'a str {
    line[key].as_str().unwrap_or("-")
}

/// Puts a file in place at once, as a producer should.
fn appear(place: &Place, name: &str, value: &Value) {
    let whole = place.json("unseen.tmp", value);
    fs::rename(whole, place.path(name)).unwrap();
}

#[test]
fn every_happening_is_one_line_with_verifys_keys() {
    let p = Place::new();
    p.json("in/a.json", &receipt(ID, b"{\"n\":1}"));
    let mut watch = Watch::start(&p, &["in"]);
    let arrived = watch.next();
    assert_eq!((word(&arrived, "event"), word(&arrived, "path")), ("arrived", "in/a.json"));
    let mut verified = p.verdicts(&["in/a.json"]).remove(0);
    for (key, value) in verified.as_object_mut().unwrap() {
        assert_eq!(arrived[key], *value, "{key}");
    }
    appear(&p, "in/b.json", &receipt(OTHER, b"{\"n\":1}"));
    let replay = watch.next();
    assert_eq!((word(&replay, "event"), word(&replay, "id")), ("arrived", OTHER));
    assert!(replay["notes"].to_string().contains("in/a.json"), "{replay}");
    appear(&p, "in/a.json", &changed(ID));
    let rewritten = watch.next();
    assert_eq!((word(&rewritten, "event"), word(&rewritten, "class")), ("rewritten", "digest_mismatch"));
    fs::remove_file(p.path("in/b.json")).unwrap();
    let removed = watch.next();
    assert_eq!((word(&removed, "event"), word(&removed, "id")), ("removed", OTHER));
    assert_eq!((word(&removed, "headline"), word(&removed, "tool")), ("verified", "web.search"));
    let seqs: Vec<u64> = [&arrived, &replay, &rewritten, &removed].iter().map(|l| l["seq"].as_u64().unwrap()).collect();
    assert_eq!(seqs, [1, 2, 3, 4]);
    watch.signal(Signal::TERM);
    assert_eq!(watch.end().code(), Some(0));
}

#[test]
fn other_content_is_a_rewrite_and_a_text_made_whole_a_change() {
    let p = Place::new();
    let mut pending = receipt(ID, b"{}");
    pending["verification_status"] = "notready".into();
    p.json("in/a.json", &pending);
    let whole = receipt(OTHER, b"{}").to_string();
    let cut = p.put("in/cut.json", &whole[..100]);
    // So old that nobody is writing it any more.
    let old = SystemTime::now() - Duration::from_secs(60);
    fs::File::options().write(true).open(cut).unwrap().set_modified(old).unwrap();
    let watch = Watch::start(&p, &["in"]);
    let mut classes = [watch.next(), watch.next()].map(|line| word(&line, "class").to_owned());
    classes.sort();
    assert_eq!(classes, ["json_truncated", "status_not_verified"]);
    // The labels alone: as many bytes as before, and the same ones committed.
    appear(&p, "in/a.json", &receipt(ID, b"{}"));
    let line = watch.next();
    assert_eq!((word(&line, "event"), word(&line, "headline")), ("rewritten", "verified"));
    appear(&p, "in/cut.json", &receipt(OTHER, b"{}"));
    let line = watch.next();
    assert_eq!((word(&line, "event"), word(&line, "path")), ("changed", "in/cut.json"));
}

#[test]
fn it_ends_at_the_first_failing_record_when_asked_to() {
    let p = Place::new();
    p.json("in/a.json", &receipt(ID, b"{}"));
    let mut watch = Watch::start(&p, &["--until-failing", "in"]);
    assert_eq!(word(&watch.next(), "headline"), "verified");
    appear(&p, "in/b.json", &changed(OTHER));
    assert_eq!(word(&watch.next(), "headline"), "mismatch");
    assert_eq!(watch.end().code(), Some(1));
    assert!(watch.lines.recv().is_err(), "the failing record is the last line");
    // What fails and is there already counts too.
    assert_eq!(p.status(&["watch", "--until-failing", "in"]), 1);
}

#[test]
fn signals_and_a_closed_output_end_it_quietly() {
    let p = Place::new();
    p.json("in/a.json", &receipt(ID, b"{}"));
    let mut watch = Watch::start(&p, &["in"]);
    watch.next();
    watch.signal(Signal::INT);
    assert_eq!(watch.end().code(), Some(0));
    // Nothing happens any more in the folder, and the reader leaves.
    let mut child = Command::new(cargo_bin!("aerscope"))
        .current_dir(p.dir.path())
        .args(["watch", "in"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut reader = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    reader.read_line(&mut line).unwrap();
    drop(reader);
    assert_eq!(wait(&mut child).code(), Some(0));
    let mut said = String::new();
    child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
    assert_eq!(said, "");
}

#[test]
fn it_says_why_it_does_not_start() {
    let p = Place::new();
    let output = p.run(&["watch", "nowhere"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).starts_with("aerscope: nowhere: no such file"), "{}", stderr(&output));
    assert_eq!(p.status(&["watch"]), 2);
}
