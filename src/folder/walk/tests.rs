use std::fs;
use std::io::Write;

use tempfile::TempDir;

use super::*;

fn setup() -> Setup {
    Setup {
        options: Options::default(),
        limits: Limits { max_size: 1 << 20, ..Limits::default() },
        all: false,
        since: None,
        workers: 2,
    }
}

struct Walked {
    paths: Vec<String>,
    reads: Vec<FileRead>,
    summary: Summary,
}

fn walk(paths: &[PathBuf], base: &Path) -> Walked {
    let mut reads = Vec::new();
    let summary = verify_paths(paths, &setup(), &mut |read: FileRead| {
        reads.push(read);
        ControlFlow::Continue(())
    })
    .unwrap();
    let paths = reads.iter().filter(|r| r.done).map(|r| r.path.strip_prefix(base).unwrap().display().to_string());
    Walked { paths: paths.collect(), reads, summary }
}

#[test]
fn files_come_in_the_order_of_their_paths_bytes() {
    let dir = TempDir::new().unwrap();
    let mut expected = Vec::new();
    for folder in ["", "a/", "a-b/", "a/c/", "z/", "a.d/"] {
        fs::create_dir_all(dir.path().join(folder)).unwrap();
        for n in 0..40 {
            let name = format!("{folder}f{n}.json");
            fs::write(dir.path().join(&name), "{}").unwrap();
            expected.push(name);
        }
        fs::write(dir.path().join(format!("{folder}other.txt")), "").unwrap();
        fs::write(dir.path().join(format!("{folder}.hidden.json")), "{}").unwrap();
    }
    for name in ["a.json", "a-b.json", "a0.json"] {
        fs::write(dir.path().join(name), "{}").unwrap();
        expected.push(name.to_owned());
    }
    expected.sort();
    let walked = walk(&[dir.path().to_owned()], dir.path());
    assert_eq!(walked.paths, expected);
    assert_eq!((walked.summary.files, walked.summary.skipped), (expected.len() as u64, 6));
    let numbers: Vec<u32> = walked.reads.iter().map(|read| read.file.0).collect();
    assert!(numbers.is_sorted());
}

#[test]
fn long_line_wise_files_stay_in_order_with_bounded_parts() {
    let dir = TempDir::new().unwrap();
    for name in ["a.jsonl", "b.jsonl", "c.jsonl"] {
        let mut text = String::new();
        for n in 0..12_000 {
            text.push_str(&format!("{{\"id\":\"{n}\"}}\n"));
        }
        fs::write(dir.path().join(name), text).unwrap();
    }
    let walked = walk(&[dir.path().to_owned()], dir.path());
    assert_eq!(walked.paths, ["a.jsonl", "b.jsonl", "c.jsonl"]);
    assert_eq!(walked.summary.records, 36_000);
    let mut last = (FileNo(0), 0);
    for read in &walked.reads {
        assert!(read.records.len() <= 1024);
        for record in &read.records {
            let here = (read.file, record.place.line);
            assert!(here > last, "{here:?} after {last:?}");
            last = here;
        }
    }
}

#[test]
fn named_paths_are_read_whatever_they_are() {
    let dir = TempDir::new().unwrap();
    let at = |name: &str| dir.path().join(name);
    fs::write(at("odd"), "{}").unwrap();
    fs::write(at(".hidden"), "[1").unwrap();
    fs::File::open(at(".hidden")).unwrap().set_modified(std::time::UNIX_EPOCH).unwrap();
    std::os::unix::fs::symlink("odd", at("link")).unwrap();
    rustix::fs::mknodat(CWD, at("fifo"), rustix::fs::FileType::Fifo, 0o644.into(), 0).unwrap();
    let walked = walk(&[at("link"), at("missing"), at("fifo"), at(".hidden"), at("odd")], dir.path());
    assert_eq!(walked.paths, ["link", "fifo", ".hidden", "odd"]);
    let classes: Vec<Option<Class>> = walked.reads.iter().map(|read| read.records[0].class).collect();
    assert_eq!((classes[1], classes[2]), (Some(Class::NotAFile), Some(Class::JsonTruncated)));
    assert_eq!(walked.summary.missing, [at("missing")]);
}

#[test]
fn a_young_cut_text_is_waited_for() {
    let dir = TempDir::new().unwrap();
    let path = dir.path().join("slow.json");
    let mut file = fs::File::create(&path).unwrap();
    file.write_all(b"{\"n\":").unwrap();
    fs::write(dir.path().join("never.json"), "{\"n\":").unwrap();
    fs::write(dir.path().join("lines.jsonl"), "{\"n\":1}\n{\"n\":2}\n{\"n\":").unwrap();
    let began = Instant::now();
    let writer = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(400));
        file.write_all(b"1}").unwrap();
    });
    let walked = walk(&[dir.path().to_owned()], dir.path());
    writer.join().unwrap();
    assert_eq!(walked.paths, ["lines.jsonl", "never.json", "slow.json"]);
    assert!(began.elapsed() < Duration::from_secs(15));
    let class = |name: &str| {
        let of = |read: &&FileRead| read.path.ends_with(name) && read.done;
        walked.reads.iter().find(of).unwrap().records.last().unwrap().class
    };
    assert_eq!(class("slow.json"), walk(&[path], dir.path()).reads[0].records[0].class);
    assert_ne!(class("slow.json"), Some(Class::JsonTruncated));
    assert_eq!(class("never.json"), Some(Class::JsonTruncated));
    assert_eq!(class("lines.jsonl"), Some(Class::JsonTruncated));
    let lines: usize = walked.reads.iter().filter(|r| r.path.ends_with("lines.jsonl")).map(|r| r.records.len()).sum();
    assert_eq!(lines, 3);
}

#[test]
fn the_sink_may_stop_it() {
    let dir = TempDir::new().unwrap();
    for n in 0..5000 {
        fs::write(dir.path().join(format!("{n}.json")), "{}").unwrap();
    }
    let mut seen = 0;
    let summary = verify_paths(&[dir.path().to_owned()], &setup(), &mut |_: FileRead| {
        seen += 1;
        if seen == 100 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })
    .unwrap();
    assert_eq!((seen, summary.stopped), (100, true));
}

#[test]
fn files_that_were_not_modified_since_are_left_out_and_counted() {
    let dir = TempDir::new().unwrap();
    fs::create_dir(dir.path().join("in")).unwrap();
    for (name, secs) in [("old.json", 1_000), ("in/old.json", 1_999), ("at.json", 2_000), ("new.json", 3_000)] {
        let path = dir.path().join(name);
        fs::write(&path, "{}").unwrap();
        let at = std::time::UNIX_EPOCH + Duration::from_secs(secs);
        fs::File::options().write(true).open(&path).unwrap().set_modified(at).unwrap();
    }
    let setup = Setup { since: Some(2_000_000_000_000), ..setup() };
    let mut names = Vec::new();
    // A named file is read whatever its time.
    let paths = [dir.path().to_owned(), dir.path().join("old.json")];
    let summary = verify_paths(&paths, &setup, &mut |read: FileRead| {
        names.push(read.path.strip_prefix(dir.path()).unwrap().display().to_string());
        ControlFlow::Continue(())
    })
    .unwrap();
    assert_eq!(names, ["at.json", "new.json", "old.json"]);
    assert_eq!((summary.older, summary.skipped), (2, 0));
}
