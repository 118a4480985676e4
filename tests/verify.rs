//! `aerscope verify`, `show` and `explain` as they are called: exit statuses, formats, refusals.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "a test may")]

mod kit;

use std::fs;
use std::io::{Read, Write};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::process::{Output, Stdio};
use std::time::{Duration, Instant};

use assert_cmd::cargo::cargo_bin;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use kit::{ID, OTHER, Place, changed, receipt, records, stderr};

fn with(mut value: Value, key: &str, new: Value) -> Value {
    value[key] = new;
    value
}

fn words(records: &[Value]) -> Vec<(String, String, String)> {
    let text = |v: &Value| v.as_str().unwrap_or("-").to_owned();
    records.iter().map(|r| (text(&r["record"]), text(&r["headline"]), text(&r["class"]))).collect()
}

#[test]
fn exit_statuses_follow_the_rules() {
    let p = Place::new();
    p.json("good.json", &receipt(ID, b"{}"));
    p.json("bad.json", &changed(ID));
    p.json("short.json", &with(receipt(ID, b"{}"), "verification_status", json!("pending")));
    p.put("other.json", "{\"x\":1}");
    assert_eq!(p.status(&["verify", "good.json"]), 0);
    assert_eq!(p.status(&["verify", "good.json", "other.json"]), 0, "another file is not counted");
    assert_eq!(p.status(&["verify", "good.json", "bad.json", "short.json"]), 1);
    assert_eq!(p.status(&["verify", "good.json", "short.json"]), 3);
    assert_eq!(p.status(&["verify", "other.json"]), 4);
    assert_eq!(p.status(&["verify", "nowhere.json", "bad.json"]), 2);
    assert_eq!(p.status(&["verify"]), 2);
    assert_eq!(p.status(&["verify", "--nonsense", "good.json"]), 2);
    assert_eq!(p.status(&["--version"]), 0);
    let quiet = p.run(&["verify", "--quiet", "good.json", "bad.json"]);
    assert_eq!((quiet.status.code(), quiet.stdout.len()), (Some(1), 0));
}

#[test]
fn an_empty_folder_holds_nothing_to_check() {
    let p = Place::new();
    fs::create_dir(p.dir.path().join("empty")).unwrap();
    assert_eq!(p.status(&["verify", "empty"]), 4);
}

#[test]
fn refusals_are_one_escaped_sentence_with_a_next_step() {
    let p = Place::new();
    for args in [
        &["verify", "no\x1b[31m\n\u{202e}where"][..],
        &["verify", "--form\x1b[2Jat", "x"],
        &["verify", "--format", "x\x1b\ny", "z"],
        &["verify", "--max-size", "\u{9b}", "z"],
        &["verify"],
        &["show", "no\nwhere"],
        &["show"],
        &["explain", "no\x07thing"],
        &["nowhere\x1b"],
        &["verify", "-", "-"],
        &["verify", "--stream", "--format", "html"],
    ] {
        let output = p.run(args);
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {said}");
        assert!(said.starts_with("aerscope: ") && said.ends_with('\n'), "{said:?}");
        assert_eq!(said.lines().count(), 1, "{said:?}");
        assert!(!said.trim_end().chars().any(aerscope::text::is_special), "{said:?}");
        assert!(said.contains("; "), "a next step: {said:?}");
        assert!(output.stdout.is_empty());
    }
}

#[test]
fn a_folder_takes_its_suffixes_and_counts_the_rest() {
    let p = Place::new();
    for name in ["f/a.json", "f/b.JSONL", "f/sub/c.NdJson"] {
        p.json(name, &receipt(ID, b"{}"));
    }
    for name in ["f/readme.txt", "f/sub/d.json.bak"] {
        p.json(name, &receipt(ID, b"{}"));
    }
    let output = p.run(&["verify", "--format", "jsonl", "f"]);
    let paths: Vec<_> = records(&output).iter().map(|r| r["path"].as_str().unwrap().to_owned()).collect();
    assert_eq!(paths, ["f/a.json", "f/b.JSONL", "f/sub/c.NdJson"], "in order");
    assert!(stderr(&output).contains("2 files left out"), "{}", stderr(&output));
    assert_eq!(records(&p.run(&["verify", "--format", "jsonl", "--all", "f"])).len(), 5);
    let named = p.run(&["verify", "--format", "jsonl", "f/readme.txt"]);
    assert_eq!(records(&named).len(), 1, "a named file is read whatever its name");
}

#[test]
fn folder_findings_stand_in_the_notes_of_a_folder_run_only() {
    let p = Place::new();
    p.json("f/a.json", &receipt(ID, b"{}"));
    p.json("f/b.json", &receipt(ID, b"{}"));
    p.json("f/c.json", &receipt(ID, b"[]"));
    p.json("f/d.json", &receipt(OTHER, b"{}"));
    let notes = |output: &Output| -> Vec<String> { records(output).iter().map(|r| r["notes"].to_string()).collect() };
    let folder = p.run(&["verify", "--format", "jsonl", "f"]);
    assert_eq!(folder.status.code(), Some(0), "no headline moves");
    let told = notes(&folder);
    assert!(told[0].contains("a copy: ") && told[0].contains("f/b.json"), "{told:?}");
    assert!(told[0].contains("id conflict: f/c.json"), "{told:?}");
    assert!(told[3].contains("possible replay: "), "{told:?}");
    let named = p.run(&["verify", "--format", "jsonl", "f/a.json", "f/b.json", "f/c.json", "f/d.json"]);
    assert_eq!(notes(&named), ["[]", "[]", "[]", "[]"]);
    let html = String::from_utf8(p.run(&["verify", "--format", "html", "f"]).stdout).unwrap();
    assert!(html.contains("id conflict: f/c.json"));
}

#[test]
fn the_page_draws_retry_chains() {
    let p = Place::new();
    for (i, status) in ["failed", "failed", "success"].iter().enumerate() {
        let mut r = receipt(&format!("c0ffee12-7a10-4c7b-9d2e-0b7a5f3c9a0{i}"), format!("{{\"n\":{i}}}").as_bytes());
        (r["correlation_id"], r["status"]) = (json!("call-7"), json!(status));
        r["created_at"] = json!(format!("2025-06-01T12:00:0{i}Z"));
        p.json(&format!("f/{i}.json"), &r);
    }
    let html = String::from_utf8(p.run(&["verify", "--format", "html", "f"]).stdout).unwrap();
    assert!(html.contains("3 attempts linked by correlation_id call-7"), "{html}");
    assert_eq!(html.matches("1.000 s later").count(), 2);
    assert!(html.contains("a label, not covered by the hash"));
}

#[test]
fn a_file_named_twice_is_one_file() {
    let p = Place::new();
    p.json("f/a.json", &receipt(ID, b"{}"));
    p.json("f/sub/b.json", &receipt(OTHER, b"{}"));
    let all = records(&p.run(&["verify", "--format", "jsonl", "f/sub", "f", "f/a.json", "./f/a.json"]));
    let mut paths: Vec<_> =
        all.iter().map(|r| r["path"].as_str().unwrap().trim_start_matches("./").to_owned()).collect();
    paths.sort();
    assert_eq!(paths, ["f/a.json", "f/sub/b.json"]);
    // By another way through the folders, or a link to one: the same files.
    std::os::unix::fs::symlink("f", p.path("link")).unwrap();
    for other in ["f/../f", "link", "f/sub/../a.json"] {
        let all = records(&p.run(&["verify", "--format", "jsonl", "f", other]));
        assert_eq!(all.len(), 2, "{other}: {all:?}");
        let notes: Vec<String> = all.iter().map(|record| record["notes"].to_string()).collect();
        assert!(!notes.concat().contains("a copy"), "no copy of itself: {notes:?}");
    }
}

/// A record that is made while the program already waits for its input is not from the future.
#[test]
fn the_clock_is_read_after_the_record() {
    for args in [&["verify", "--format", "jsonl", "-"][..], &["verify", "--stream"]] {
        let mut child = std::process::Command::new(cargo_bin!("aerscope"))
            .args(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut input = child.stdin.take().unwrap();
        // Once the first line is taken it runs; the second states the moment at which it is written.
        writeln!(input, "{}", receipt(ID, b"{}")).unwrap();
        let deadline = Instant::now() + kit::DEADLINE;
        while rustix::io::ioctl_fionread(&input).unwrap() > 0 {
            assert!(Instant::now() < deadline, "{args:?} does not read");
            std::thread::sleep(Duration::from_millis(5));
        }
        let made = aerscope::aer1::grammar::Moment::of(std::time::SystemTime::now());
        writeln!(input, "{}", with(receipt(OTHER, b"{}"), "created_at", json!(made.to_string()))).unwrap();
        drop(input);
        let lines = records(&child.wait_with_output().unwrap());
        assert_eq!(lines.len(), 2, "{args:?}");
        assert!(lines.iter().all(|line| line["notes"] == json!([])), "{args:?}: {lines:?}");
    }
}

#[test]
fn a_young_truncated_file_is_waited_for() {
    let p = Place::new();
    let text = receipt(ID, b"{}").to_string();
    let path = p.put("r.json", &text[..text.len() / 2]);
    let child = std::process::Command::new(cargo_bin!("aerscope"))
        .args(["verify", "--format", "jsonl"])
        .arg(&path)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    std::thread::sleep(Duration::from_millis(300));
    fs::write(&path, &text).unwrap();
    let done = child.wait_with_output().unwrap();
    assert_eq!(words(&records(&done)), [("-".into(), "verified".into(), "-".into())]);
    fs::write(&path, &text[..text.len() / 2]).unwrap();
    let began = Instant::now();
    let cut = p.run(&["verify", "--format", "jsonl", "r.json"]);
    assert_eq!(words(&records(&cut))[0].2, "json_truncated", "a file that stays cut is told");
    assert!(began.elapsed() < Duration::from_secs(20));
}

#[test]
fn order_is_by_path_then_record_whatever_the_arguments() {
    let p = Place::new();
    p.json("b.json", &json!([receipt(ID, b"1"), {"x": 1}, changed(OTHER)]));
    p.put("a.jsonl", format!("{}\n\n{}\nnot json\n", receipt(ID, b"1"), changed(OTHER)));
    let all = records(&p.run(&["verify", "--format", "jsonl", "b.json", "a.jsonl", "b.json"]));
    let at: Vec<_> =
        all.iter().map(|r| format!("{}{}", r["path"].as_str().unwrap(), r["record"].as_str().unwrap())).collect();
    assert_eq!(at, ["a.jsonl:1", "a.jsonl:3", "a.jsonl:4", "b.json#0", "b.json#1", "b.json#2"], "each once");
}

#[test]
fn a_hostile_name_and_hostile_content_reach_no_format_raw() {
    let p = Place::new();
    let name = std::ffi::OsStr::from_bytes(b"n\x1b]0;t\x07\xe2\x80\xae\xff<b>.json");
    let mut evil = changed("\u{1b}[2J\u{202e}<script>");
    evil["tool"]["name"] = json!("t\u{9b}\u{e0041}<i>");
    p.put(name, evil.to_string());
    for format in ["text", "jsonl", "junit", "html", "markdown"] {
        let output = p.run(&["verify", "--format", format, "."]);
        let shown = String::from_utf8(output.stdout).unwrap_or_else(|_| panic!("{format} is UTF-8"));
        let special = shown.chars().find(|c| *c != '\n' && aerscope::text::is_special(*c));
        assert_eq!(special, None, "{format}: {shown:?}");
        if format != "text" && format != "jsonl" {
            assert!(!shown.contains("<script>") && !shown.contains("<i>"), "{format}");
        }
    }
    let record = &records(&p.run(&["verify", "--format", "jsonl", "."]))[0];
    assert_eq!(record["id"], "\u{1b}[2J\u{202e}<script>", "values are exact");
    let path = STANDARD.decode(record["path_base64"].as_str().unwrap()).unwrap();
    assert!(path.ends_with(name.as_bytes()), "{path:?}");
}

#[test]
fn every_format_says_the_same_about_a_record() {
    let p = Place::new();
    p.json("bad.json", &changed(ID));
    let record = &records(&p.run(&["verify", "--format", "jsonl", "bad.json"]))[0];
    let want: Vec<String> = ["id", "version", "provenance", "headline", "class"]
        .iter()
        .map(|k| record[*k].as_str().unwrap().to_owned())
        .chain(["declared", "recomputed"].iter().map(|k| record["bytes"][*k].as_str().unwrap().to_owned()))
        .collect();
    for format in ["text", "junit", "html", "show"] {
        let output = match format {
            "show" => p.run(&["show", "bad.json"]),
            format => p.run(&["verify", "--format", format, "bad.json"]),
        };
        // The page marks where the hashes part; its text is what counts.
        let shown = String::from_utf8(output.stdout).unwrap().replace("<mark>", "").replace("</mark>", "");
        for value in &want {
            assert!(shown.contains(value), "{format} lacks {value}");
        }
    }
}

#[test]
fn text_has_totals_and_json_lines_have_none() {
    let p = Place::new();
    p.json("good.json", &receipt(ID, b"{}"));
    let text = String::from_utf8(p.run(&["verify", "good.json"]).stdout).unwrap();
    assert!(text.ends_with("1 record: 1 verified\n"), "{text}");
    assert!(!text.contains('\u{1b}'), "no colour when it is no terminal");
    assert_eq!(records(&p.run(&["verify", "--format", "jsonl", "good.json"])).len(), 1);
}

#[test]
fn standard_input_is_read_like_a_file() {
    let p = Place::new();
    let pretty = serde_json::to_string_pretty(&receipt(ID, b"{}")).unwrap();
    let output = p.run_with(&["verify", "--format", "jsonl", "-"], pretty.as_bytes());
    assert_eq!(words(&records(&output)), [("-".into(), "verified".into(), "-".into())]);
    assert_eq!(records(&output)[0]["path"], "-");
    let lines = format!("{}\n\n{}\n{{\"cut", receipt(ID, b"{}"), changed(OTHER));
    let output = p.run_with(&["verify", "--format", "jsonl", "-"], lines.as_bytes());
    let want = [(":1", "verified", "-"), (":3", "mismatch", "digest_mismatch"), (":4", "malformed", "json_truncated")];
    assert_eq!(words(&records(&output)), want.map(|(a, b, c)| (a.into(), b.into(), c.into())));
    let empty = p.run_with(&["verify", "--format", "jsonl", "-"], b"");
    assert_eq!(words(&records(&empty)), [("-".into(), "malformed".into(), "empty_file".into())]);
    let large = p.run_with(&["verify", "--format", "jsonl", "--max-size", "1K", "-"], &[b' '; 5000]);
    assert_eq!(words(&records(&large)), [("-".into(), "unreadable".into(), "too_large".into())]);
}

#[test]
fn a_stream_gives_one_line_for_each_record_in_order() {
    let p = Place::new();
    let good = receipt(ID, b"{}").to_string();
    let mut input = String::new();
    for i in 0..5000 {
        input.push_str(if i % 1000 == 999 { "{broken" } else { &good });
        input.push('\n');
        if i % 7 == 0 {
            input.push('\n');
        }
    }
    let output = p.run_with(&["verify", "--stream"], input.as_bytes());
    let all = records(&output);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(all.len(), 5000);
    let numbers: Vec<u32> = all.iter().map(|r| r["record"].as_str().unwrap()[1..].parse().unwrap()).collect();
    assert!(numbers.is_sorted(), "order is kept");
    let broken: Vec<_> = all.iter().filter(|r| r["headline"] == "malformed").map(|r| r["record"].clone()).collect();
    let text: Vec<&str> = input.lines().collect();
    assert_eq!(broken.len(), 5);
    for at in broken {
        let line: usize = at.as_str().unwrap()[1..].parse().unwrap();
        assert_eq!(text[line - 1], "{broken", "the number is the line's");
    }
    let text = p.run_with(&["verify", "--stream", "--format", "text"], input.as_bytes());
    assert_eq!(text.stdout.iter().filter(|b| **b == b'\n').count(), 5000, "one line each");
}

#[test]
fn a_stream_answers_before_its_input_ends() {
    let mut child = std::process::Command::new(cargo_bin!("aerscope"))
        .args(["verify", "--stream"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    writeln!(input, "{}", receipt(ID, b"{}")).unwrap();
    input.flush().unwrap();
    let mut first = [0];
    child.stdout.as_mut().unwrap().read_exact(&mut first).unwrap();
    assert_eq!(first, *b"{");
    // Nobody reads any more: the program ends though its input is still open.
    drop(child.stdout.take());
    let deadline = Instant::now() + Duration::from_secs(30);
    while child.try_wait().unwrap().is_none() {
        assert!(Instant::now() < deadline, "it does not end when its output is closed");
        let _ = writeln!(input, "{}", receipt(ID, b"{}"));
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn a_closed_pipe_is_no_error() {
    let p = Place::new();
    let many = json!(vec![receipt(ID, b"{}"); 3000]);
    p.json("many.json", &many);
    for format in ["text", "jsonl", "junit", "html", "markdown"] {
        let mut child = std::process::Command::new(cargo_bin!("aerscope"))
            .current_dir(p.dir.path())
            .args(["verify", "--format", format, "many.json"])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let done = child.wait_with_output().unwrap();
        assert_eq!(stderr(&done), "", "{format}");
        assert_eq!(done.status.code(), Some(0), "{format}: the status is that of the run");
    }
}

#[test]
fn lists_of_paths() {
    let p = Place::new();
    p.json("a b.json", &receipt(ID, b"{}"));
    p.json("c\nd.json", &receipt(OTHER, b"{}"));
    let lines = p.run_with(&["verify", "--format", "jsonl", "--files-from", "-"], b"a b.json\r\n\n");
    assert_eq!(words(&records(&lines)), [("-".into(), "verified".into(), "-".into())]);
    let nul = p.run_with(&["verify", "--format", "jsonl", "--files-from", "-"], b"c\nd.json\0a b.json\0");
    assert_eq!(records(&nul).len(), 2);
    let gone = p.run_with(&["verify", "--format", "jsonl", "--files-from", "-"], b"a b.json\nnowhere.json\n");
    assert_eq!(words(&records(&gone))[1], ("-".into(), "unreadable".into(), "io_error".into()));
    assert_eq!(gone.status.code(), Some(3), "a listed path that is gone is a result");
    assert_eq!(p.status(&["verify", "--files-from", "nowhere"]), 2);
    let none = p.run_with(&["verify", "--files-from", "-"], b"");
    assert_eq!(none.status.code(), Some(4));
}

#[test]
fn an_expected_id_is_compared() {
    let p = Place::new();
    p.json("r.json", &receipt(ID, b"{}"));
    let matched = p.run(&["verify", "--format", "jsonl", "--expect-id", ID, "r.json"]);
    assert_eq!((matched.status.code(), &records(&matched)[0]["id_state"]), (Some(0), &json!("matched")));
    let other = p.run(&["verify", "--format", "jsonl", "--expect-id", OTHER, "r.json"]);
    assert_eq!(other.status.code(), Some(1));
    assert_eq!(words(&records(&other)), [("-".into(), "mismatch".into(), "id_mismatch".into())]);
    p.json("two.json", &json!([receipt(ID, b"{}"), receipt(OTHER, b"{}")]));
    assert_eq!(p.status(&["verify", "--expect-id", ID, "two.json"]), 2);
    assert_eq!(p.status(&["verify", "--expect-id", ID, "r.json", "two.json"]), 2);
}

/// Rules §4: exactly one record, else it is a usage error. No record at all is not one either.
#[test]
fn an_expectation_wants_exactly_one_record() {
    let p = Place::new();
    p.json("r.json", &receipt(ID, b"{}"));
    p.json("other.json", &json!({"x": 1}));
    p.json("besides.json", &json!([receipt(ID, b"{}"), {"x": 1}]));
    p.put("blank.jsonl", "\n\n");
    p.put("cut.json", "{\"id\":");
    std::fs::create_dir(p.path("folder")).unwrap();
    for (file, why) in [
        ("other.json", "this file holds none: what is in it is no receipt"),
        ("besides.json", "this file holds 1, and 1 besides that is no receipt"),
        ("folder", "a folder was named"),
    ] {
        for expectation in [&["--expect-id", ID][..], &["--expect-file-name"], &["--resolved", "r.json"]] {
            let ended = p.run(&[&["verify"], expectation, &[file]].concat());
            assert_eq!(ended.status.code(), Some(2), "{expectation:?} {file}: {}", stderr(&ended));
            assert!(stderr(&ended).contains(why), "{expectation:?} {file}: {}", stderr(&ended));
            assert!(ended.stdout.is_empty());
        }
    }
    assert_eq!(
        p.status(&["verify", "--expect-id", ID, "blank.jsonl"]),
        p.status(&["verify", "--expect-id", ID, "cut.json"])
    );
    let cut = p.run(&["verify", "--format", "jsonl", "--expect-id", ID, "cut.json"]);
    assert_eq!((cut.status.code(), words(&records(&cut))[0].1.as_str()), (Some(1), "malformed"), "its fault is told");
}

#[test]
fn a_file_name_can_be_the_expected_id() {
    let p = Place::new();
    let (own, wrong) = (format!("{ID}.json"), format!("{OTHER}.json"));
    p.json(&own, &receipt(ID, b"{}"));
    p.json(&wrong, &receipt(ID, b"{}"));
    p.json("plain.json", &receipt(ID, b"{}"));
    assert_eq!(p.status(&["verify", "--expect-file-name", &own]), 0);
    assert_eq!(p.status(&["verify", "--expect-file-name", &wrong]), 1);
    let plain = p.run(&["verify", "--expect-file-name", "plain.json"]);
    assert_eq!(plain.status.code(), Some(0));
    assert!(stderr(&plain).contains("no UUID"), "{}", stderr(&plain));
}

#[test]
fn a_resolved_record_must_agree_and_be_another_file() {
    let p = Place::new();
    p.json("r.json", &receipt(ID, b"{}"));
    p.put("pretty.json", serde_json::to_string_pretty(&receipt(ID, b"{}")).unwrap());
    p.json("other.json", &receipt(ID, b"[]"));
    let same = p.run(&["verify", "--format", "jsonl", "--resolved", "pretty.json", "r.json"]);
    assert_eq!((same.status.code(), &records(&same)[0]["id_state"]), (Some(0), &json!("resolved")));
    let differs = p.run(&["verify", "--format", "jsonl", "--resolved", "other.json", "r.json"]);
    assert_eq!(words(&records(&differs)), [("-".into(), "mismatch".into(), "id_mismatch".into())]);
    fs::hard_link(p.dir.path().join("r.json"), p.dir.path().join("link.json")).unwrap();
    fs::copy(p.dir.path().join("r.json"), p.dir.path().join("copy.json")).unwrap();
    for itself in ["r.json", "link.json", "copy.json", "./r.json"] {
        let output = p.run(&["verify", "--resolved", itself, "r.json"]);
        assert_eq!(output.status.code(), Some(2), "{itself}");
        assert!(stderr(&output).contains("would agree with itself"), "{}", stderr(&output));
    }
    p.put("none.json", "{\"x\":1}");
    assert_eq!(p.status(&["verify", "--resolved", "none.json", "r.json"]), 2);
    assert_eq!(p.status(&["verify", "--resolved", "nowhere", "r.json"]), 2);
}

#[test]
fn correlation_fields_can_be_chosen() {
    let p = Place::new();
    p.json("r.json", &with(with(receipt(ID, b"{}"), "trace", json!("t-1")), "job_id", json!("j")));
    let chosen = p.run(&["verify", "--format", "jsonl", "--correlation", "trace", "r.json"]);
    assert_eq!(records(&chosen)[0]["correlation"], json!({"field": "trace", "value": "t-1", "bound": false}));
    let default = p.run(&["verify", "--format", "jsonl", "r.json"]);
    assert_eq!(records(&default)[0]["correlation"]["field"], "job_id");
}

#[test]
fn profiles_add_demands() {
    let p = Place::new();
    p.json("r.json", &receipt(ID, b"[]"));
    let output = p.run(&["verify", "--format", "jsonl", "--profile", "reference", "r.json"]);
    assert_eq!(words(&records(&output))[0].2, "profile_inputs");
    assert_eq!(p.status(&["verify", "--profile", "core", "r.json"]), 0);
    assert_eq!(p.status(&["verify", "--profile", "other", "r.json"]), 2);
}

#[test]
fn what_is_there_and_cannot_be_read_is_a_result() {
    let p = Place::new();
    p.put("large.json", vec![b' '; 3000]);
    let large = p.run(&["verify", "--format", "jsonl", "--max-size", "2K", "large.json"]);
    assert_eq!((large.status.code(), words(&records(&large))[0].2.as_str()), (Some(3), "too_large"));
    rustix::fs::mkfifoat(rustix::fs::CWD, p.dir.path().join("pipe.json"), rustix::fs::Mode::RUSR).unwrap();
    let named = p.run(&["verify", "--format", "jsonl", "pipe.json"]);
    assert_eq!((named.status.code(), words(&records(&named))[0].2.as_str()), (Some(3), "not_a_file"));
    fs::remove_file(p.dir.path().join("large.json")).unwrap();
    assert_eq!(p.status(&["verify", "."]), 4, "no row for a special file in a folder");
}

#[test]
fn show_tells_everything_about_one_record() {
    let p = Place::new();
    p.json("two.json", &json!([receipt(ID, b"{\"a\":[1]}"), changed(OTHER)]));
    let output = p.run(&["show", "two.json", "--record", "#0"]);
    let shown = String::from_utf8(output.stdout.clone()).unwrap();
    assert_eq!(output.status.code(), Some(0));
    for part in ["✓ verified", "OBSERVED VIA GATEWAY", "not covered by the hash", "\"a\": [", "passed        hash"] {
        assert!(shown.contains(part), "{part} in {shown}");
    }
    assert!(!shown.contains("does not verify"));
    let bad = p.run(&["show", "two.json", "--record", "#1"]);
    let shown = String::from_utf8(bad.stdout.clone()).unwrap();
    assert_eq!(bad.status.code(), Some(1));
    assert!(
        shown.contains("first difference at hex digit") && shown.contains("not the bytes the record commits to ──")
    );
    for args in [
        &["show", "two.json"][..],
        &["show", "two.json", "--record", "#7"],
        &["show", "two.json", "--record", "7"],
        &["show", "."],
    ] {
        assert_eq!(p.status(args), 2, "{args:?}");
    }
}

#[test]
fn explain_knows_every_word() {
    let p = Place::new();
    let table = String::from_utf8(p.run(&["explain"]).stdout).unwrap();
    assert!(table.contains("digest_mismatch") && table.contains("unreadable"));
    let one = String::from_utf8(p.run(&["explain", "time_syntax"]).stdout).unwrap();
    assert!(one.contains("RFC 3339") && one.contains("rules §3.8"), "{one}");
    let file = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/classes.md")).unwrap();
    assert_eq!(String::from_utf8(p.run(&["explain", "--markdown"]).stdout).unwrap(), file);
}
