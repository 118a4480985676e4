//! What the program is built from: few crates, from one registry, under licences that are allowed, no unsafe code and no
//! build script of its own; and nothing is built from other versions than the committed ones.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "a test may")]

#[path = "kit/proof.rs"]
mod proof;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use proof::tell;
use serde_json::Value;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");
/// Crates in the normal tree, our own among them.
const MOST: usize = 130;

fn read(name: &str) -> String {
    std::fs::read_to_string(Path::new(ROOT).join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn toml(name: &str) -> toml::Table {
    read(name).parse().unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn cargo(args: &[&str]) -> Output {
    Command::new(env!("CARGO")).current_dir(ROOT).args(args).output().unwrap()
}

fn said(out: &Output) -> String {
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    String::from_utf8(out.stdout.clone()).unwrap()
}

#[test]
fn the_tree_is_small() {
    let tree = said(&cargo(&["tree", "--locked", "--offline", "-e", "normal", "--no-dedupe", "--prefix", "none"]));
    let crates: BTreeSet<&str> = tree.lines().filter(|line| !line.is_empty()).collect();
    assert!(crates.iter().any(|line| line.starts_with("aerscope v")), "{crates:#?}");
    assert!((2..=MOST).contains(&crates.len()), "{} crates: {crates:#?}", crates.len());
    tell(10, "crates", &format!("{} in the normal tree, at most {MOST}", crates.len()));
}

#[test]
fn every_crate_comes_from_the_one_registry_with_its_checksum() {
    let lock = toml("Cargo.lock");
    let packages = lock["package"].as_array().unwrap();
    assert!(packages.len() > 50);
    for package in packages {
        let name = package["name"].as_str().unwrap();
        if name == env!("CARGO_PKG_NAME") {
            assert!(package.get("source").is_none());
            continue;
        }
        let source = package.get("source").and_then(|source| source.as_str());
        assert_eq!(source, Some("registry+https://github.com/rust-lang/crates.io-index"), "{name}");
        let sum = package.get("checksum").and_then(|sum| sum.as_str()).unwrap_or_default();
        assert!(sum.len() == 64 && sum.bytes().all(|b| b.is_ascii_hexdigit()), "{name}: {sum}");
    }
    tell(10, "sources", &format!("{} locked packages, one registry, every one with its checksum", packages.len() - 1));
}

/// Whether a licence expression can be met by licences of this list.
fn is_met(expression: &str, allowed: &[&str]) -> bool {
    // A slash is how an older form writes the choice.
    let expression = expression.replace('/', " OR ");
    let words: Vec<String> =
        expression.replace('(', " ( ").replace(')', " ) ").split_whitespace().map(str::to_owned).collect();
    let mut at = 0;
    let met = any(&words, &mut at, allowed);
    assert_eq!(at, words.len(), "{expression}");
    met
}

fn any(words: &[String], at: &mut usize, allowed: &[&str]) -> bool {
    let mut met = all(words, at, allowed);
    while words.get(*at).is_some_and(|word| word == "OR") {
        *at += 1;
        met |= all(words, at, allowed);
    }
    met
}

fn all(words: &[String], at: &mut usize, allowed: &[&str]) -> bool {
    let mut met = one(words, at, allowed);
    while words.get(*at).is_some_and(|word| word == "AND") {
        *at += 1;
        met &= one(words, at, allowed);
    }
    met
}

fn one(words: &[String], at: &mut usize, allowed: &[&str]) -> bool {
    let mut term = words[*at].clone();
    *at += 1;
    if term == "(" {
        let met = any(words, at, allowed);
        assert_eq!(words[*at], ")");
        *at += 1;
        return met;
    }
    if words.get(*at).is_some_and(|word| word == "WITH") {
        term = format!("{term} WITH {}", words[*at + 1]);
        *at += 2;
    }
    allowed.contains(&term.as_str())
}

#[test]
fn licence_expressions_are_read() {
    let allowed = ["MIT", "Unicode-3.0", "Apache-2.0 WITH LLVM-exception"];
    for met in [
        "MIT",
        "MIT/Apache-2.0",
        "GPL-3.0 OR MIT",
        "(MIT OR GPL-3.0) AND Unicode-3.0",
        "Apache-2.0 WITH LLVM-exception",
    ] {
        assert!(is_met(met, &allowed), "{met}");
    }
    for not in ["GPL-3.0", "MIT AND GPL-3.0", "(MIT OR X) AND (GPL-3.0 OR Y)", "Apache-2.0", "MIT WITH X"] {
        assert!(!is_met(not, &allowed), "{not}");
    }
}

#[test]
fn every_licence_is_allowed() {
    let config = toml("deny.toml");
    let allowed: Vec<&str> =
        config["licenses"]["allow"].as_array().unwrap().iter().filter_map(toml::Value::as_str).collect();
    let banned: Vec<&str> =
        config["bans"]["deny"].as_array().unwrap().iter().filter_map(|one| one["crate"].as_str()).collect();
    assert!(!allowed.is_empty() && !banned.is_empty());
    let filter = ["--filter-platform", "x86_64-unknown-linux-gnu"];
    let metadata =
        said(&cargo(&[&["metadata", "--locked", "--offline", "--format-version", "1"], &filter[..]].concat()));
    let metadata: Value = serde_json::from_str(&metadata).unwrap();
    let resolved: BTreeSet<&str> =
        metadata["resolve"]["nodes"].as_array().unwrap().iter().filter_map(|node| node["id"].as_str()).collect();
    let mut seen = 0;
    for package in metadata["packages"].as_array().unwrap() {
        if !resolved.contains(package["id"].as_str().unwrap()) {
            continue;
        }
        let (name, licence) = (package["name"].as_str().unwrap(), package["license"].as_str());
        assert!(licence.is_some_and(|licence| is_met(licence, &allowed)), "{name}: {licence:?}");
        assert!(!banned.contains(&name), "{name} is not wanted");
        seen += 1;
    }
    assert!(seen > 50);
    tell(10, "licences", &format!("{seen} packages, all under {}", allowed.join(", ")));
}

#[test]
fn no_unsafe_code_and_no_build_script() {
    let manifest = toml("Cargo.toml");
    assert_eq!(manifest["lints"]["rust"]["unsafe_code"].as_str(), Some("forbid"));
    assert!(manifest["package"].get("build").is_none() && manifest.get("build-dependencies").is_none());
    assert!(!Path::new(ROOT).join("build.rs").exists());
    // `forbid` cannot be lifted again by an attribute; what lies outside of this crate would escape it.
    assert!(manifest.get("workspace").is_none() && manifest.get("patch").is_none());
    assert!(!Path::new(ROOT).join(".cargo").exists(), "no settings of cargo for this directory");
}

/// The scripts that build.
fn scripts() -> Vec<PathBuf> {
    let tests = std::fs::read_dir(Path::new(ROOT).join("tests")).unwrap().map(|entry| entry.unwrap().path());
    let mut all: Vec<PathBuf> = tests.filter(|path| path.extension().is_some_and(|end| end == "sh")).collect();
    all.push(Path::new(ROOT).join(".ci/run"));
    all
}

#[test]
fn scripts_build_the_locked_versions() {
    let mut seen = 0;
    for path in scripts() {
        let text = std::fs::read_to_string(&path).unwrap();
        for line in text.lines().filter(|line| !line.trim_start().starts_with('#')) {
            let builds = ["cargo build", "cargo test", "cargo clippy", "cargo doc", "cargo bench", "cargo run"];
            if builds.iter().any(|call| line.contains(call)) {
                assert!(line.contains("--locked"), "{}: {line}", path.display());
                seen += 1;
            }
        }
    }
    assert!(seen >= 5, "{seen}");
}

#[test]
fn cargo_deny_agrees_where_it_is_installed() {
    if !cargo(&["deny", "--version"]).status.success() {
        tell(10, "cargo deny", "not installed, not run");
        return;
    }
    let out = cargo(&["deny", "--locked", "--offline", "check", "bans", "licenses", "sources"]);
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    tell(10, "cargo deny", "bans, licenses and sources ok");
}
