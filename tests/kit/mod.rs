//! What the tests of single commands share: a folder, receipts, and the program run in it.

#![allow(dead_code, reason = "each test file uses its part of it")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;
use std::time::Duration;

use assert_cmd::Command;
use assert_cmd::cargo::cargo_bin;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use tempfile::TempDir;

pub const ID: &str = "c0ffee12-7a10-4c7b-9d2e-0b7a5f3c9a11";
pub const OTHER: &str = "0b0e7a10-1111-4222-8333-444455556666";

/// How long an outcome is waited for.
pub const DEADLINE: Duration = Duration::from_secs(30);

pub fn hash(bytes: &[u8]) -> String {
    let digest: String = Sha256::digest(bytes).iter().map(|b| format!("{b:02x}")).collect();
    format!("sha256:{digest}")
}

/// A receipt that verifies.
pub fn receipt(id: &str, bytes: &[u8]) -> Value {
    json!({
        "id": id,
        "receipt_schema_version": "0.3",
        "created_at": "2025-06-01T12:00:00Z",
        "tool": {"name": "web.search", "version": "1.2", "scope": "public"},
        "provenance_class": "OBSERVED VIA GATEWAY",
        "canonical_bytes": STANDARD.encode(bytes),
        "output_hash": hash(bytes),
        "verification_status": "verified"
    })
}

/// A receipt whose bytes are not those of its hash; of the same length as `receipt(id, b"{\"n\":1}")`.
pub fn changed(id: &str) -> Value {
    let mut value = receipt(id, b"{\"n\":1}");
    value["canonical_bytes"] = json!(STANDARD.encode(b"{\"n\":2}"));
    value
}

/// A folder the program is run in.
pub struct Place {
    pub dir: TempDir,
}

impl Place {
    pub fn new() -> Place {
        Place { dir: tempfile::tempdir().unwrap() }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    pub fn put(&self, name: impl AsRef<Path>, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.dir.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, content).unwrap();
        path
    }

    pub fn json(&self, name: &str, value: &Value) -> PathBuf {
        self.put(name, value.to_string())
    }

    pub fn read(&self, name: &str) -> Value {
        serde_json::from_slice(&fs::read(self.path(name)).unwrap()).unwrap()
    }

    pub fn run(&self, args: &[&str]) -> Output {
        self.run_with(args, b"")
    }

    pub fn run_with(&self, args: &[&str], stdin: &[u8]) -> Output {
        self.run_within(args, stdin, DEADLINE)
    }

    /// The same with patience for a lot of work.
    pub fn run_long(&self, args: &[&str]) -> Output {
        self.run_within(args, b"", DEADLINE * 20)
    }

    fn run_within(&self, args: &[&str], stdin: &[u8], deadline: Duration) -> Output {
        Command::new(cargo_bin!("aerscope"))
            .current_dir(self.dir.path())
            .env_remove("NO_COLOR")
            .args(args)
            .write_stdin(stdin)
            .timeout(deadline)
            .output()
            .unwrap()
    }

    pub fn status(&self, args: &[&str]) -> i32 {
        self.run(args).status.code().unwrap()
    }

    /// What verify says of the records in these files.
    pub fn verdicts(&self, paths: &[&str]) -> Vec<Value> {
        records(&self.run(&[&["verify", "--format", "jsonl"], paths].concat()))
    }

    /// The names in the folder, sorted.
    pub fn names(&self, dir: &str) -> Vec<String> {
        let entries = fs::read_dir(self.path(dir)).unwrap();
        let mut names: Vec<String> = entries.map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

pub fn records(output: &Output) -> Vec<Value> {
    let text = String::from_utf8(output.stdout.clone()).unwrap();
    text.lines().map(|l| serde_json::from_str(l).unwrap_or_else(|e| panic!("{l}: {e}"))).collect()
}

pub fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

pub fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}
