use std::fs;
use std::io::Write;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::time::{Duration, Instant, SystemTime};

use super::scene::{PATIENCE, Scene, text, watching};
use crate::aer1::report::{Class, Place};
use crate::config::Watching;
use crate::folder::read::QUIET;
use crate::record::{Command, Mode, ScanReason};

#[test]
fn what_is_there_is_listed_and_hidden_or_other_names_are_not() {
    let mut scene = Scene::with(watching(), |root| {
        fs::create_dir_all(root.join("a/b")).unwrap();
        fs::create_dir(root.join(".git")).unwrap();
        for name in ["x.json", "y.JSONL", "a/z.ndjson", "a/b/deep.json", ".h.json", ".git/g.json", "no.txt"] {
            fs::write(root.join(name), text(1)).unwrap();
        }
    });
    scene.listed();
    let mut names: Vec<&str> = scene.rows.values().map(|row| row.name.as_str()).collect();
    names.sort_unstable();
    assert_eq!(names, ["a/b/deep.json", "a/z.ndjson", "x.json", "y.JSONL"]);
    assert_eq!(scene.modes, [Mode::Live]);
    let scan = scene.scans[0];
    assert_eq!((scan.files, scan.skipped), (4, 1));
}

#[test]
fn renaming_in_writing_and_removing_are_followed() {
    let mut scene = Scene::new();
    scene.listed();
    scene.put("a.json", text(1));
    scene.write("b.json", text(2));
    scene.until("both are read", |s| s.has("a.json") && s.has("b.json"));
    let before = scene.row("a.json").unwrap().reads;
    scene.put("a.json", "{\"n\":");
    scene.until("the cut text in its place is a write in progress", |s| s.row("a.json").unwrap().writing);
    scene.put("a.json", text(3));
    scene.until("the new content is read", |s| s.has("a.json") && s.row("a.json").unwrap().reads > before);
    fs::remove_file(scene.root.join("b.json")).unwrap();
    scene.until("the removed file is marked", |s| s.is_removed("b.json"));
    scene.put("b.json", text(4));
    scene.until("it comes back as the same file", |s| s.has("b.json"));
    assert_eq!(scene.rows.len(), 2);
}

#[test]
fn a_removed_folder_takes_its_files_with_it_and_a_moved_one_brings_them() {
    let mut scene = Scene::with(watching(), |root| {
        fs::create_dir_all(root.join("in/deep")).unwrap();
        fs::write(root.join("in/one.json"), text(1)).unwrap();
        fs::write(root.join("in/deep/two.json"), text(2)).unwrap();
    });
    scene.listed();
    fs::rename(scene.root.join("in"), scene.dir.path().join("out")).unwrap();
    scene.until("both are gone", |s| s.is_removed("in/one.json") && s.is_removed("in/deep/two.json"));
    fs::rename(scene.dir.path().join("out"), scene.root.join("new")).unwrap();
    scene.until("both are there", |s| s.has("new/one.json") && s.has("new/deep/two.json"));
    // The moved folder is watched under its new name.
    fs::write(scene.root.join("new/deep/three.json"), text(3)).unwrap();
    scene.until("a new file in it is found", |s| s.has("new/deep/three.json"));
}

#[test]
fn files_written_at_once_into_new_folders_are_all_found() {
    let mut scene = Scene::new();
    scene.listed();
    for folder in 0..60 {
        let path = scene.root.join(format!("d{folder}/e/f"));
        fs::create_dir_all(&path).unwrap();
        for file in 0..5 {
            fs::write(path.join(format!("{file}.json")), text(file)).unwrap();
        }
        fs::write(scene.root.join(format!("d{folder}/e/top.json")), text(folder)).unwrap();
    }
    scene.until("all are read", |s| s.there() == 360);
    assert_eq!(scene.count(ScanReason::Heartbeat) + scene.count(ScanReason::Resync), 0, "events told of them");
}

#[test]
fn a_slow_writer_is_never_shown_as_a_fault() {
    let mut scene = Scene::new();
    scene.listed();
    let mut writers = Vec::new();
    for n in 0..12u64 {
        let path = scene.root.join(format!("{n}.json"));
        writers.push(std::thread::spawn(move || {
            let mut file = fs::File::create(&path).unwrap();
            let whole = text(n as usize);
            let (first, second) = whole.split_at(if n % 3 == 0 { 0 } else { 4 });
            file.write_all(first.as_bytes()).unwrap();
            // The pause is the subject here.
            std::thread::sleep(Duration::from_millis(250 + 110 * n));
            file.write_all(second.as_bytes()).unwrap();
        }));
    }
    scene.until("all are read", |s| s.there() == 12);
    writers.into_iter().for_each(|writer| writer.join().unwrap());
    for row in scene.rows.values() {
        assert_eq!(row.faults_shown, 0, "{row:?}");
    }
    // The rest of each write has been told.
    scene.until("all are objects", |s| s.rows.values().all(|row| row.records.len() == 1 && !row.writing));
}

#[test]
fn a_text_that_stays_cut_off_becomes_its_fault_also_with_a_time_in_the_future() {
    let mut scene = Scene::new();
    scene.listed();
    scene.write("cut.json", "{\"n\":");
    scene.write("empty.json", "");
    let future = fs::File::create(scene.root.join("future.json")).unwrap();
    (&future).write_all(b"[1,").unwrap();
    future.set_modified(SystemTime::now() + Duration::from_secs(86_400)).unwrap();
    scene.until("all are being written", |s| s.rows.len() == 3 && s.rows.values().all(|row| row.writing));
    let began = Instant::now();
    scene.until("all are faults", |s| s.there() == 3);
    assert!(began.elapsed() > Duration::from_millis(1000), "they were given time");
    assert_eq!(scene.class("cut.json"), Some(Class::JsonTruncated));
    assert_eq!(scene.class("future.json"), Some(Class::JsonTruncated));
    assert_eq!(scene.class("empty.json"), Some(Class::EmptyFile));
}

#[test]
fn an_old_cut_text_is_a_fault_as_soon_as_it_rests() {
    let mut scene = Scene::with(watching(), |root| {
        let file = fs::File::create(root.join("old.json")).unwrap();
        (&file).write_all(b"{\"n\":").unwrap();
        file.set_modified(SystemTime::now() - Duration::from_secs(3600)).unwrap();
        // Its time of change is of this moment.
        std::thread::sleep(QUIET);
    });
    scene.listed();
    assert_eq!(scene.class("old.json"), Some(Class::JsonTruncated));
    assert_eq!(scene.rows.values().filter(|row| row.writing).count(), 0);
}

#[test]
fn lost_events_are_made_up_for_by_a_listing() {
    let mut scene = Scene::new();
    scene.listed();
    {
        // While the inbox is locked the watcher's thread cannot take events: the kernel's queue overflows.
        let shared = std::sync::Arc::clone(&scene.folder.as_ref().unwrap().shared);
        let held = shared.lock();
        for n in 0..9000 {
            fs::write(scene.root.join(format!("{n}.json")), text(n)).unwrap();
        }
        drop(held);
    }
    scene.until("a listing was made", |s| s.count(ScanReason::Resync) > 0);
    scene.until("all are read", |s| s.there() == 9000);
}

#[test]
fn when_everything_is_dirty_changes_and_removals_are_found() {
    let mut scene = Scene::with(Watching { heartbeat: Duration::from_secs(3600), ..watching() }, |root| {
        for n in 0..50 {
            fs::write(root.join(format!("{n}.json")), text(n)).unwrap();
        }
    });
    scene.listed();
    let shared = std::sync::Arc::clone(&scene.folder.as_ref().unwrap().shared);
    {
        let mut held = shared.lock();
        fs::remove_file(scene.root.join("7.json")).unwrap();
        fs::write(scene.root.join("8.json"), "[]").unwrap();
        fs::write(scene.root.join("new.json"), text(1)).unwrap();
        // From here on hints are dropped, as if the kernel had dropped them.
        held.everything = true;
    }
    scene.until("all three are known", |s| {
        s.is_removed("7.json") && s.has("new.json") && s.row("8.json").unwrap().reads > 1
    });
}

#[test]
fn a_same_size_swap_with_its_time_put_back_is_noticed() {
    let mut scene = Scene::with(watching(), |root| fs::write(root.join("a.json"), "{\"id\":\"aaaa\"}").unwrap());
    scene.listed();
    for round in 0..20 {
        let path = scene.root.join("a.json");
        let id = format!("b{round:03}");
        let time = fs::metadata(&path).unwrap().modified().unwrap();
        let file = fs::OpenOptions::new().write(true).open(&path).unwrap();
        (&file).write_all(format!("{{\"id\":\"{id}\"}}").as_bytes()).unwrap();
        file.set_modified(time).unwrap();
        drop(file);
        let before = scene.row("a.json").unwrap().reads;
        scene.until("it is read again", |s| s.row("a.json").unwrap().reads > before && s.has("a.json"));
    }
}

#[test]
fn the_root_may_go_and_come_back() {
    let mut scene = Scene::with(watching(), |root| fs::write(root.join("a.json"), text(1)).unwrap());
    scene.listed();
    fs::rename(&scene.root, scene.dir.path().join("aside")).unwrap();
    scene.until("it is offline", |s| s.modes.last() == Some(&Mode::Offline));
    assert!(scene.has("a.json"), "its row stays");
    fs::create_dir(&scene.root).unwrap();
    scene.until("it is live again", |s| s.modes.last() == Some(&Mode::Live) && s.count(ScanReason::Back) == 1);
    assert!(scene.is_removed("a.json"));
    scene.put("b.json", text(2));
    scene.until("the new folder is watched", |s| s.has("b.json"));
    for round in 0..3 {
        fs::remove_dir_all(&scene.root).unwrap();
        fs::create_dir(&scene.root).unwrap();
        scene.put("c.json", text(round));
        scene.until("it was noticed", |s| s.count(ScanReason::Back) == 2 + round && s.has("c.json"));
    }
}

#[test]
fn special_files_and_links_give_no_row() {
    let mut scene = Scene::with(watching(), |root| {
        let outside = root.parent().unwrap().join("outside.json");
        fs::write(&outside, text(1)).unwrap();
        symlink(&outside, root.join("link.json")).unwrap();
        symlink("loop.json", root.join("loop.json")).unwrap();
        symlink(root, root.join("self")).unwrap();
        symlink("/dev/zero", root.join("zero.json")).unwrap();
        fs::create_dir(root.join("folder.json")).unwrap();
        fs::write(root.join("folder.json/in.json"), text(2)).unwrap();
        let fifo = root.join("fifo.json");
        rustix::fs::mknodat(rustix::fs::CWD, &fifo, rustix::fs::FileType::Fifo, 0o644.into(), 0).unwrap();
        drop(std::os::unix::net::UnixListener::bind(root.join("socket.json")).unwrap());
    });
    scene.listed();
    let names: Vec<&str> = scene.rows.values().map(|row| row.name.as_str()).collect();
    assert_eq!(names, ["folder.json/in.json"]);
    // A receipt that becomes a link is gone.
    scene.put("turns.json", text(3));
    scene.until("it is read", |s| s.has("turns.json"));
    symlink("/dev/null", scene.root.join(".l")).unwrap();
    fs::rename(scene.root.join(".l"), scene.root.join("turns.json")).unwrap();
    scene.until("it is gone", |s| s.is_removed("turns.json"));
}

#[test]
fn polling_finds_the_same() {
    let poll = Watching { poll: true, poll_every: Duration::from_millis(100), ..watching() };
    let mut scene = Scene::with(poll, |root| fs::write(root.join("a.json"), text(1)).unwrap());
    scene.listed();
    assert!(matches!(scene.modes[..], [Mode::Polling(_)]));
    fs::create_dir(scene.root.join("d")).unwrap();
    scene.write("d/b.json", text(2));
    scene.write("cut.json", "{");
    scene.until("the new ones are found", |s| s.has("d/b.json") && s.row("cut.json").is_some_and(|row| row.writing));
    scene.write("cut.json", text(3));
    fs::remove_file(scene.root.join("a.json")).unwrap();
    scene.until("completed and removed", |s| s.has("cut.json") && s.is_removed("a.json"));
    assert_eq!(scene.row("cut.json").unwrap().faults_shown, 0);
}

#[test]
fn a_growing_line_wise_file_is_followed_from_where_it_ended() {
    let mut scene =
        Scene::with(watching(), |root| fs::write(root.join("log.jsonl"), "{\"a\":1}\n{\"a\":2}\n").unwrap());
    scene.listed();
    assert_eq!(scene.row("log.jsonl").unwrap().records.len(), 2);
    let mut log = fs::OpenOptions::new().append(true).open(scene.root.join("log.jsonl")).unwrap();
    for n in 3..40u32 {
        writeln!(log, "{{\"a\":{n}}}").unwrap();
        scene.until("the line is there", |s| s.row("log.jsonl").unwrap().records.len() == n as usize);
    }
    let row = scene.row("log.jsonl").unwrap();
    assert_eq!(row.records.last().unwrap().0, Place::line(39));
    // A cut last line waits, and only it.
    write!(log, "{{\"a\":40}}\n{{\"a\":").unwrap();
    scene.until("the whole line is there", |s| s.row("log.jsonl").unwrap().records.len() == 40);
    writeln!(log, "41}}").unwrap();
    scene.until("the completed line is there", |s| s.row("log.jsonl").unwrap().records.len() == 41);
    assert_eq!(scene.row("log.jsonl").unwrap().faults_shown, 0);
    // One that is not completed becomes a fault of that line.
    write!(log, "{{\"a\":").unwrap();
    scene.until("the cut line is a fault", |s| s.row("log.jsonl").unwrap().records.len() == 42);
    assert_eq!(scene.row("log.jsonl").unwrap().records.last(), Some(&(Place::line(42), Some(Class::JsonTruncated))));
    writeln!(log, "42}}").unwrap();
    scene.until("until it is", |s| s.row("log.jsonl").unwrap().records.last().unwrap().1 != Some(Class::JsonTruncated));
    assert_eq!(scene.row("log.jsonl").unwrap().records.len(), 42);
    // An earlier part that changes means reading everything.
    fs::write(scene.root.join("log.jsonl"), "{\"b\":1}\n{\"b\":2}\n{\"b\":3}\n").unwrap();
    scene.until("the rewritten file is read", |s| s.row("log.jsonl").unwrap().records.len() == 3);
}

#[test]
fn a_long_line_wise_file_comes_in_parts_and_a_too_long_line_is_its_own_fault() {
    let mut scene = Scene::with(watching(), |root| {
        let mut all = String::new();
        for n in 0..5000 {
            all.push_str(&text(n));
            all.push('\n');
            if n == 2500 {
                all.push_str(&format!("{{\"long\":\"{}\"}}\n\n", "x".repeat(3 << 20)));
            }
        }
        fs::write(root.join("long.jsonl"), all).unwrap();
        fs::write(root.join("large.json"), format!("[\"{}\"]", "x".repeat(2 << 20))).unwrap();
    });
    scene.listed();
    let row = scene.row("long.jsonl").unwrap();
    assert_eq!((row.records.len(), row.reads), (5001, 1));
    assert_eq!(row.records[2501], (Place::line(2502), Some(Class::TooLarge)));
    assert_eq!(row.records[2502].0, Place::line(2504), "the blank line is counted");
    assert_eq!(scene.class("large.json"), Some(Class::TooLarge));
}

#[test]
fn a_single_file_is_followed_through_rewriting_and_replacing() {
    let mut scene = Scene::rooted(
        watching(),
        |root| {
            fs::write(root.join("one"), text(1)).unwrap();
            fs::write(root.join("other.json"), text(2)).unwrap();
        },
        |root| root.join("one"),
    );
    scene.listed();
    scene.until("it is read", |s| s.has("one"));
    scene.put("one", text(3));
    scene.until("it is read again", |s| s.row("one").unwrap().reads > 1);
    fs::remove_file(scene.root.join("one")).unwrap();
    scene.until("it is gone", |s| s.is_removed("one"));
    scene.put("one", text(4));
    scene.until("it is back", |s| s.has("one"));
    assert_eq!(scene.rows.len(), 1);
}

#[test]
fn commands_are_obeyed() {
    let mut scene = Scene::with(watching(), |root| {
        for n in 0..300 {
            fs::write(root.join(format!("{n}.json")), text(n)).unwrap();
        }
    });
    scene.listed();
    let path: std::sync::Arc<std::path::Path> = scene.root.join("7.json").into();
    let before = scene.row("7.json").unwrap().reads;
    scene.send(Command::Recheck(path.clone()));
    scene.until("it is read again", |s| s.row("7.json").unwrap().reads > before);
    scene.send(Command::RecheckAll);
    scene.send(Command::Prefer(vec![path]));
    scene.until("everything was read again", |s| s.count(ScanReason::Asked) == 1);
    assert!(scene.rows.values().all(|row| row.reads >= 2));
}

#[test]
fn a_slow_consumer_loses_nothing_and_a_dropped_handle_ends_at_once() {
    let mut scene = Scene::with(watching(), |root| {
        for n in 0..20_000 {
            fs::write(root.join(format!("{n}.json")), "{}").unwrap();
        }
    });
    // Nobody listens while files come and go.
    for n in 0..3000 {
        scene.put(&format!("new{n}.json"), text(n));
        if n % 3 == 0 {
            fs::remove_file(scene.root.join(format!("{n}.json"))).unwrap();
        }
    }
    scene.until("all are known", |s| s.there() == 22_000);
    scene.send(Command::RecheckAll);
    let began = Instant::now();
    scene.folder = None;
    assert!(began.elapsed() < PATIENCE, "the threads end though nobody listens");
}

#[test]
fn a_dropped_handle_does_not_wait_for_a_worker_that_is_busy() {
    let mut scene = Scene::new();
    scene.listed();
    let folder = scene.folder.as_mut().unwrap();
    let (end, ended) = std::sync::mpsc::channel::<()>();
    // Stands for a worker in the middle of a large file.
    folder.threads.push(std::thread::spawn(move || {
        let _ = ended.recv_timeout(2 * PATIENCE);
    }));
    let began = Instant::now();
    scene.folder = None;
    assert!(began.elapsed() < PATIENCE);
    end.send(()).expect("it was still busy");
}

#[test]
fn unreadable_files_and_folders_say_why() {
    if ran_as_nobody() {
        return;
    }
    let mut scene = Scene::with(watching(), |root| {
        fs::create_dir(root.join("shut")).unwrap();
        fs::write(root.join("shut/in.json"), text(1)).unwrap();
        fs::write(root.join("a.json"), text(1)).unwrap();
        fs::set_permissions(root.join("a.json"), fs::Permissions::from_mode(0o000)).unwrap();
        fs::set_permissions(root.join("shut"), fs::Permissions::from_mode(0o000)).unwrap();
    });
    scene.listed();
    assert_eq!(scene.class("a.json"), Some(Class::IoError));
    assert_eq!(scene.row("a.json").unwrap().found.as_deref(), Some("Permission denied"));
    assert_eq!(scene.trouble, [(scene.root.join("shut"), "Permission denied".to_owned())]);
    assert_eq!(scene.class("shut"), Some(Class::IoError), "the folder has a row");
    assert_eq!(scene.row("shut").unwrap().found.as_deref(), Some("Permission denied"));
    scene.send(Command::RecheckAll);
    scene.until("everything was looked at again", |s| s.count(ScanReason::Asked) == 1);
    assert!(scene.has("shut") && scene.row("shut").unwrap().reads == 1, "its row stays and is told once");
    fs::set_permissions(scene.root.join("shut"), fs::Permissions::from_mode(0o755)).unwrap();
    fs::set_permissions(scene.root.join("a.json"), fs::Permissions::from_mode(0o644)).unwrap();
    scene.until("both are read", |s| s.has("shut/in.json") && s.class("a.json") != Some(Class::IoError));
    scene.until("the folder's row is gone", |s| s.is_removed("shut"));
    // Again, and this time it is removed while it is shut.
    fs::remove_file(scene.root.join("shut/in.json")).unwrap();
    fs::set_permissions(scene.root.join("shut"), fs::Permissions::from_mode(0o000)).unwrap();
    scene.until("its row is back", |s| s.has("shut"));
    fs::remove_dir(scene.root.join("shut")).unwrap();
    scene.until("its row went with it", |s| s.is_removed("shut"));
}

#[test]
fn a_root_that_cannot_be_listed_is_offline_keeps_its_rows_and_comes_back() {
    if ran_as_nobody() {
        return;
    }
    // No heartbeat: the return is noticed by itself.
    let never = Watching { heartbeat: Duration::from_secs(3600), ..watching() };
    let mut scene = Scene::with(never, |root| fs::write(root.join("a.json"), text(1)).unwrap());
    scene.listed();
    fs::set_permissions(&scene.root, fs::Permissions::from_mode(0o000)).unwrap();
    scene.send(Command::RecheckAll);
    scene.until("it is offline", |s| s.modes.last() == Some(&Mode::Offline));
    assert_eq!(scene.trouble, [(scene.root.clone(), "Permission denied".to_owned())]);
    scene.send(Command::RecheckAll);
    fs::set_permissions(&scene.root, fs::Permissions::from_mode(0o755)).unwrap();
    scene.until("it is back", |s| s.modes.last() == Some(&Mode::Live) && s.count(ScanReason::Back) == 1);
    assert!(scene.has("a.json"), "its row stayed");
    assert_eq!(scene.class("a.json"), None, "and nothing was said against it");
    assert_eq!(scene.count(ScanReason::Asked), 0, "no listing of the shut folder counts");
    scene.put("b.json", text(2));
    scene.until("it is watched again", |s| s.has("b.json"));
}

#[test]
fn a_root_that_is_shut_from_the_start_is_no_empty_folder() {
    if ran_as_nobody() {
        return;
    }
    let mut scene = Scene::with(watching(), |root| {
        fs::write(root.join("a.json"), text(1)).unwrap();
        fs::set_permissions(root, fs::Permissions::from_mode(0o000)).unwrap();
    });
    scene.until("it is offline", |s| s.modes.last() == Some(&Mode::Offline));
    assert_eq!(scene.trouble.len(), 1);
    assert!(scene.scans.is_empty(), "{:?}", scene.scans);
    fs::set_permissions(&scene.root, fs::Permissions::from_mode(0o755)).unwrap();
    scene.until("its file is read", |s| s.has("a.json"));
}

/// Root reads everything: runs the calling test again as nobody, and is true when that was done.
fn ran_as_nobody() -> bool {
    if !rustix::process::geteuid().is_root() {
        return false;
    }
    let me = std::env::current_exe().unwrap();
    let name = std::thread::current().name().unwrap().to_owned();
    let copy = tempfile::TempDir::new().unwrap();
    fs::set_permissions(copy.path(), fs::Permissions::from_mode(0o755)).unwrap();
    let test = copy.path().join("test");
    fs::copy(me, &test).unwrap();
    let run = std::process::Command::new("setpriv")
        .args(["--reuid", "65534", "--regid", "65534", "--clear-groups"])
        .arg(&test)
        .args(["--exact", &name])
        .current_dir("/tmp")
        .env("TMPDIR", "/tmp")
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&run.stdout);
    assert!(run.status.success() && said.contains("1 passed"), "{said}{}", String::from_utf8_lossy(&run.stderr));
    true
}
