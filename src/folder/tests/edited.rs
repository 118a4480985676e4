//! A line-wise file that is edited in the middle and then grows.

use std::fs::{self, File};
use std::io::{Seek, SeekFrom, Write};
use std::time::{Duration, Instant};

use super::scene::{Scene, watching};

/// Lines of one length, each with its number as id.
fn lines(count: usize) -> String {
    (0..count).map(|n| format!("{{\"id\":\"{n:08}\",\"canonical_bytes\":\"{:-<200}\"}}\n", "")).collect()
}

/// Edits line `number` in place, then appends one line; how often the file was told afresh and what it says then.
fn edited(count: usize, number: usize) {
    let text = lines(count);
    let length = text.len() / count;
    let mut scene = Scene::with(watching(), |root| {
        let path = root.join("a.jsonl");
        fs::write(&path, &text).unwrap();
        // Its stamp must be old enough to tell of the next change, or everything is read again for that reason.
        let written = Instant::now();
        while written.elapsed() < Duration::from_millis(200) {
            std::thread::yield_now();
        }
    });
    scene.until("it is read", |s| s.row("a.jsonl").is_some_and(|row| row.records.len() == count && row.reads > 0));
    let path = scene.root.join("a.jsonl");
    let mut file = File::options().read(true).write(true).open(&path).unwrap();
    file.seek(SeekFrom::Start((number * length + 7) as u64)).unwrap();
    file.write_all(b"edited!!").unwrap();
    file.seek(SeekFrom::End(0)).unwrap();
    file.write_all(lines(1).as_bytes()).unwrap();
    drop(file);
    scene.until("the edit shows", |s| {
        let row = s.row("a.jsonl").unwrap();
        row.records.len() == count + 1 && row.ids[number].as_deref() == Some("edited!!")
    });
}

#[test]
fn an_edit_in_the_middle_shows_when_the_file_grows() {
    edited(400, 200);
}

#[test]
fn an_edit_far_from_both_ends_of_a_long_file_shows_in_time() {
    // Three looks are needed to compare all of it.
    let count = 10 * (1 << 20) / 240;
    edited(count, count / 2);
}
