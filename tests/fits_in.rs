//! What a packager and a shell need: completions, manual pages, and the versions that are understood.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "a test may")]

mod kit;

use std::path::Path;

use kit::{Place, stderr, stdout};

/// Every command that is shown; [`each_command_has_a_manual_page`] finds one that is missing here.
const COMMANDS: [&str; 13] = [
    "verify",
    "watch",
    "show",
    "vectors",
    "explain",
    "emit",
    "redact",
    "snapshot",
    "compare",
    "config",
    "demo",
    "completions",
    "man",
];

#[test]
fn the_version_names_what_is_understood() {
    let p = Place::new();
    let said = stdout(&p.run(&["--version"]));
    for part in [env!("CARGO_PKG_VERSION"), "schema versions 0.1, 0.2, 0.3 and 0.4", "draft revision 08"] {
        assert!(said.contains(part), "{part} in {said}");
    }
    assert_eq!(stdout(&p.run(&["-V"])).lines().count(), 1);
}

#[test]
fn shells_learn_every_command() {
    let p = Place::new();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let output = p.run(&["completions", shell]);
        assert_eq!(output.status.code(), Some(0), "{shell}");
        for command in COMMANDS {
            assert!(stdout(&output).contains(command), "{command} for {shell}");
        }
        assert!(stdout(&output).contains("until-failing"), "{shell}");
    }
    let unknown = p.run(&["completions", "cmd"]);
    assert_eq!(unknown.status.code(), Some(2));
    assert!(stderr(&unknown).contains("bash"), "{}", stderr(&unknown));
}

#[test]
fn each_command_has_a_manual_page() {
    let p = Place::new();
    let whole = stdout(&p.run(&["man"]));
    assert!(whole.contains(".TH aerscope 1") && whole.contains("aerscope\\-snapshot(1)"), "{whole}");
    assert!(stdout(&p.run(&["man", "verify"])).contains("files\\-from"));
    assert_eq!(p.status(&["man", "nonsense"]), 2);
    std::fs::create_dir(p.path("man1")).unwrap();
    assert_eq!(p.status(&["man", "--into", "man1"]), 0);
    let names = p.names("man1");
    assert!(names.contains(&"aerscope.1".to_owned()), "{names:?}");
    for command in COMMANDS {
        assert!(names.contains(&format!("aerscope-{command}.1")), "{command} in {names:?}");
    }
    assert_eq!(
        names.len(),
        COMMANDS.len() + 1,
        "one page a command and one of the program, none of test data: {names:?}"
    );
    assert_eq!(p.status(&["man", "--into", "man1"]), 2, "nothing is overwritten");
}

/// What a package installs is committed, so that packaging needs nothing but the files; it is what the program prints.
#[test]
fn a_package_installs_the_manual_and_the_completions_of_this_program() {
    let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/package");
    let p = Place::new();
    std::fs::create_dir(p.path("man")).unwrap();
    assert_eq!(p.status(&["man", "--into", "man"]), 0);
    let mut files: Vec<(String, Vec<u8>)> = p
        .names("man")
        .into_iter()
        .map(|name| (format!("man/{name}"), std::fs::read(p.path("man").join(&name)).unwrap()))
        .collect();
    for (shell, name) in [("bash", "aerscope.bash"), ("zsh", "_aerscope"), ("fish", "aerscope.fish")] {
        files.push((format!("completions/{name}"), p.run(&["completions", shell]).stdout));
    }
    if std::env::var_os("AERSCOPE_WRITE").is_some() {
        for (name, content) in &files {
            let path = kept.join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, content).unwrap();
        }
    }
    for (name, content) in &files {
        let there = std::fs::read(kept.join(name)).unwrap_or_default();
        assert!(there == *content, "assets/package/{name} is old; AERSCOPE_WRITE=1 cargo test writes it again");
    }
    let there = ["man", "completions"].map(|dir| std::fs::read_dir(kept.join(dir)).unwrap().count());
    assert_eq!(there.iter().sum::<usize>(), files.len(), "a page of a command that is gone");
    let changes = std::fs::read_to_string(kept.join("changelog")).unwrap();
    assert!(changes.starts_with(&format!("aerscope ({}-1)", env!("CARGO_PKG_VERSION"))), "{changes}");
}

#[test]
fn every_command_has_a_help_that_names_its_exit_statuses_or_needs_none() {
    let p = Place::new();
    for command in COMMANDS {
        let output = p.run(&[command, "--help"]);
        assert_eq!(output.status.code(), Some(0), "{command}");
        let said = stdout(&output);
        assert!(said.contains(&format!("Usage: aerscope {command}")), "{said}");
    }
    for command in ["verify", "watch", "emit", "redact", "snapshot", "compare"] {
        assert!(stdout(&p.run(&[command, "--help"])).contains("Exit status:"), "{command}");
    }
}
