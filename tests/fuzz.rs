//! The fuzz targets as plain tests: over our vectors, over what fuzzing found (`fuzz/seeds`), and over changed ones of
//! both (docs/promises.md §9).

#![cfg(feature = "console")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "a test may")]

use std::fs;
use std::panic::catch_unwind;
use std::path::{Path, PathBuf};
use std::time::Instant;

#[path = "../fuzz/bodies/mod.rs"]
mod bodies;

fn below(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            below(&path, found);
        } else {
            found.push(path);
        }
    }
}

/// What fuzzing found and what it began with, and of our vectors each `every`th.
fn seeds(target: &str, every: usize) -> Vec<Vec<u8>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (mut vectors, mut files) = (Vec::new(), Vec::new());
    below(&root.join("vectors"), &mut vectors);
    below(&root.join("fuzz/seeds").join(target), &mut files);
    assert!(vectors.len() > 600 && !files.is_empty(), "{} vectors, {} seeds", vectors.len(), files.len());
    vectors.sort();
    files.sort();
    files.extend(vectors.into_iter().step_by(every));
    files.iter().map(|path| fs::read(path).unwrap()).collect()
}

/// A fixed sequence of numbers (Knuth's MMIX multiplier; its upper bits).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % n.max(1)
    }
}

/// Another text in a few places: bytes set, parts removed, doubled, or taken from elsewhere.
fn changed(seed: &[u8], other: &[u8], numbers: &mut Numbers) -> Vec<u8> {
    const TELLING: &[u8] = b"\"\\{}[],:0123456789eE.-+ \n\x00\x1b\x7f\x80\xc2\xe2\xf0\xff";
    let mut out = seed.to_vec();
    for _ in 0..=numbers.below(4) {
        let at = numbers.below(out.len() + 1).min(out.len());
        let end = (at + 1 + numbers.below(12)).min(out.len());
        match numbers.below(5) {
            0 if at < out.len() => out[at] = TELLING[numbers.below(TELLING.len())],
            1 => drop(out.drain(at..end)),
            2 => {
                let part = out[at..end].to_vec();
                out.splice(at..at, part);
            }
            3 => {
                let from = numbers.below(other.len());
                let part = other[from..(from + 40).min(other.len())].to_vec();
                out.splice(at..end, part);
            }
            _ => out.insert(at, TELLING[numbers.below(TELLING.len())]),
        }
    }
    out
}

fn play(target: &str, run: fn(&[u8]), every: usize, changes: usize) {
    let begun = Instant::now();
    let seeds = seeds(target, every);
    let mut numbers = Numbers(17);
    let on_one = |data: &[u8]| {
        if let Err(why) = catch_unwind(|| run(data)) {
            let said = why.downcast_ref::<String>().cloned();
            let said = said.or_else(|| why.downcast_ref::<&str>().map(|text| (*text).to_owned())).unwrap_or_default();
            panic!("{target}: {said}\nwith {:?}", String::from_utf8_lossy(data));
        }
    };
    for seed in seeds.iter().filter(|seed| seed.len() < 100_000) {
        on_one(seed);
    }
    for _ in 0..changes {
        let (seed, other) = (&seeds[numbers.below(seeds.len())], &seeds[numbers.below(seeds.len())]);
        if seed.len() < 20_000 {
            on_one(&changed(seed, other, &mut numbers));
        }
    }
    println!("hostile 9 {target}: {} seeds and {changes} changed ones in {:.1?}", seeds.len(), begun.elapsed());
}

#[test]
fn the_json_reader() {
    play("json", bodies::json::run, 1, 20_000);
}

#[test]
fn recognising_and_verifying() {
    play("verify", bodies::verify::run, 1, 10_000);
}

#[test]
fn the_escaper() {
    play("escape", bodies::escape::run, 1, 5_000);
}

#[test]
fn drawing_any_strings_at_any_size() {
    play("draw", bodies::draw::run, 20, 60);
}

#[test]
fn a_script_of_keys_and_events_against_a_model() {
    play("script", bodies::script::run, 20, 60);
}
