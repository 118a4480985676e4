//! The README's table of exit statuses, compared with what the program does: every status in it comes about, and every
//! command has a row.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "a test may")]

mod kit;

use std::collections::{BTreeMap, BTreeSet};

use kit::{ID, OTHER, Place, changed, receipt, stdout};

/// Statuses by command, as the README's table says.
fn table() -> BTreeMap<String, BTreeSet<i32>> {
    let readme = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/README.md")).unwrap();
    let section = readme.split_once("## Exit statuses").unwrap().1.split_once("\n## ").unwrap().0;
    let mut rows = section.lines().filter_map(|line| line.strip_prefix("| ")?.strip_suffix(" |"));
    let heads: Vec<&str> = rows.next().unwrap().split(" | ").map(str::trim).collect();
    let mut all = BTreeMap::new();
    for row in rows {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        assert_eq!(cells.len(), heads.len(), "{row}");
        let stated = heads.iter().zip(&cells).skip(1).filter(|(_, cell)| !cell.is_empty());
        let stated: BTreeSet<i32> = stated.map(|(head, _)| head.parse().unwrap()).collect();
        for command in cells[0].split(", ") {
            all.insert(command.trim_matches('`').to_owned(), stated.clone());
        }
    }
    all
}

/// One call for each status that a command can end with.
const CASES: &[(i32, &[&str])] = &[
    (0, &["verify", "good.json"]),
    (1, &["verify", "bad.json"]),
    (2, &["verify", "nowhere.json"]),
    (3, &["verify", "projection.json"]),
    (4, &["verify", "other.json"]),
    (0, &["show", "good.json"]),
    (1, &["show", "bad.json"]),
    (2, &["show", "nowhere.json"]),
    (3, &["show", "projection.json"]),
    (4, &["show", "other.json"]),
    (1, &["watch", "--until-failing", "failing"]),
    (2, &["watch", "nowhere"]),
    (0, &["snapshot", "same", "--out", "snapshot.jsonl"]),
    (2, &["snapshot", "nowhere"]),
    (0, &["compare", "snapshot.jsonl", "same"]),
    (1, &["compare", "snapshot.jsonl", "failing"]),
    (2, &["compare", "nowhere", "same"]),
    (0, &["emit", "--tool", "t", "--tool-version", "1", "--scope", "s", "--provenance", "LOGGED BY AGENT"]),
    (2, &["emit", "--tool", "t"]),
    (0, &["redact", "good.json", "--drop", "/content/n"]),
    (2, &["redact", "bad.json", "--drop", "/content/n"]),
    (0, &["vectors"]),
    (1, &["vectors", "disagreeing"]),
    (2, &["vectors", "nowhere"]),
    (4, &["vectors", "none"]),
    (0, &["explain"]),
    (2, &["explain", "nonsense"]),
    (0, &["completions", "bash"]),
    (2, &["completions", "nonsense"]),
    (0, &["man"]),
    (2, &["man", "nonsense"]),
];

/// Commands of the console: their statuses need a terminal, and are tested with one.
const SCREENS: [&str; 2] = ["demo", "config"];

#[test]
fn the_table_says_what_the_program_does() {
    let table = table();
    let p = Place::new();
    p.json("good.json", &receipt(ID, b"{\"n\":1}"));
    p.json("bad.json", &changed(ID));
    p.json("failing/bad.json", &changed(ID));
    p.json("same/good.json", &receipt(OTHER, b"{\"n\":1}"));
    p.put("other.json", "{\"x\":1}");
    p.put("projection.json", p.run(&["redact", "good.json", "--drop", "/content/n"]).stdout);
    p.put("none/index.json", "{\"suite\":1,\"vectors\":[]}");
    assert_eq!(p.status(&["make", "vectors", "disagreeing"]), 0);
    p.put("disagreeing/id-nil.json", receipt(ID, b"{}").to_string());
    let mut seen: BTreeMap<String, BTreeSet<i32>> = BTreeMap::new();
    for (status, args) in CASES {
        let ended = p.run(args);
        assert_eq!(ended.status.code(), Some(*status), "{args:?}: {}", kit::stderr(&ended));
        seen.entry(args[0].to_owned()).or_default().insert(*status);
    }
    // It goes on until it is ended; tests/watch.rs ends it.
    seen.get_mut("watch").unwrap().insert(0);
    for (command, statuses) in &seen {
        assert_eq!(table.get(command), Some(statuses), "{command}");
    }
    let help = stdout(&p.run(&["--help"]));
    let commands = help.split_once("Commands:\n").unwrap().1.split_once("\n\n").unwrap().0;
    let commands =
        commands.lines().filter_map(|line| line.strip_prefix("  ")?.split(' ').next().filter(|w| !w.is_empty()));
    for command in commands {
        assert!(table.contains_key(command), "{command} has no row");
        assert!(seen.contains_key(command) || SCREENS.contains(&command), "{command} has no case");
    }
}
