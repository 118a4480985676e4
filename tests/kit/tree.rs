//! A folder as a whole: everything that a write would move.
#![allow(dead_code, reason = "each test file uses a part of it")]

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

/// What there is of one entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    mode: u32,
    owner: (u32, u32),
    links: u64,
    size: u64,
    modified: (i64, i64),
    changed: (i64, i64),
    /// The bytes' hash, or where a link leads.
    content: Vec<u8>,
    attributes: BTreeMap<Vec<u8>, Vec<u8>>,
}

/// Every entry at and below a folder.
pub fn tree(folder: &Path) -> BTreeMap<PathBuf, Entry> {
    let mut all = BTreeMap::new();
    let mut left = vec![folder.to_owned()];
    while let Some(path) = left.pop() {
        let meta = fs::symlink_metadata(&path).unwrap();
        let content = if meta.is_file() {
            Sha256::digest(fs::read(&path).unwrap()).to_vec()
        } else if meta.is_symlink() {
            fs::read_link(&path).unwrap().into_os_string().into_encoded_bytes()
        } else {
            Vec::new()
        };
        if meta.is_dir() {
            left.extend(fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
        }
        let entry = Entry {
            mode: meta.mode(),
            owner: (meta.uid(), meta.gid()),
            links: meta.nlink(),
            size: meta.size(),
            modified: (meta.mtime(), meta.mtime_nsec()),
            changed: (meta.ctime(), meta.ctime_nsec()),
            content,
            attributes: attributes(&path),
        };
        all.insert(path, entry);
    }
    all
}

fn attributes(path: &Path) -> BTreeMap<Vec<u8>, Vec<u8>> {
    let mut names = vec![0u8; 1 << 16];
    let Ok(length) = rustix::fs::llistxattr(path, &mut names[..]) else { return BTreeMap::new() };
    let names = names[..length].split(|byte| *byte == 0).filter(|name| !name.is_empty());
    let value = |name: &[u8]| {
        let mut value = vec![0u8; 1 << 16];
        let length = rustix::fs::lgetxattr(path, name, &mut value[..]).unwrap();
        value[..length].to_vec()
    };
    names.map(|name| (name.to_vec(), value(name))).collect()
}
