//! Untouched (docs/promises.md §6): whatever is done, and however it ends, the folder is as it was.
#![cfg(all(unix, feature = "console"))]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "a test may")]

mod kit;

#[path = "kit/proof.rs"]
mod proof;
#[path = "kit/terminal.rs"]
mod terminal;
#[path = "kit/tree.rs"]
mod tree;

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use kit::{ID, Place, changed, receipt, records};
use proof::{Numbers, either, tell};
use rustix::fs::XattrFlags;
use rustix::process::Signal;
use terminal::{BACK, Console};
use tree::tree;

/// A folder with some of everything.
fn furnish(p: &Place) {
    for n in 0..40 {
        let id = format!("c0ffee12-7a10-4c7b-9d2e-{n:012x}");
        p.json(&format!("in/{n}.json"), &receipt(&id, format!("{{\"n\":{n}}}").as_bytes()));
    }
    p.json("in/bad.json", &changed(ID));
    p.put("in/cut.json", "{\"id\":");
    let line = receipt(ID, b"{}").to_string();
    p.put("in/below/lines.jsonl", format!("{line}\n{line}\n").repeat(200));
    p.put("in/below/large.json", receipt(ID, &vec![b'x'; 4 << 20]).to_string());
    p.put("in/.hidden", "x");
    symlink("0.json", p.path("in/link.json")).unwrap();
    fs::set_permissions(p.path("in/1.json"), fs::Permissions::from_mode(0o400)).unwrap();
    // Not every file system has them.
    let path = p.path("in/2.json");
    if let Err(error) = rustix::fs::setxattr(&path, "user.kept", b"as it is", XattrFlags::empty()) {
        tell(6, "extended attributes", &format!("not tested: they cannot be set here: {error}"));
    }
}

/// Fails with the entries that are not as before.
fn as_before(what: &str, before: &std::collections::BTreeMap<std::path::PathBuf, tree::Entry>, folder: &Path) {
    let now = tree(folder);
    let paths: BTreeSet<_> = before.keys().chain(now.keys()).collect();
    for path in paths {
        assert_eq!(before.get(path), now.get(path), "{what}: {}", path.display());
    }
}

#[test]
fn killed_at_any_moment_it_leaves_the_folder_as_it_was() {
    let kills = either(12, 200);
    let p = Place::new();
    furnish(&p);
    let folder = p.path("in");
    let before = tree(&folder);
    let mut numbers = Numbers(11);
    let mut late = 0;
    for n in 0..kills {
        // The moment is what is tested, not a wait: from before the first byte to long after the scan.
        let moment = Duration::from_millis(numbers.below(400));
        match n % 4 {
            0 | 1 => {
                let mut console = Console::on(&folder, 100, 30);
                console.press(["jjj1", "3", "c", "/sha\r", "R", "X", "yh", "v"][numbers.below(8) as usize]);
                std::thread::sleep(moment);
                late += u32::from(console.seen.0.lock().unwrap().screen().contents().contains("verified"));
                console.signal(Signal::KILL);
                let _status = console.ends();
            }
            way => {
                let command = if way == 2 { "verify" } else { "watch" };
                let mut child = Command::new(terminal::program())
                    .arg(command)
                    .arg(&folder)
                    .stdin(Stdio::null())
                    .stdout(Stdio::null())
                    .stderr(Stdio::null())
                    .spawn()
                    .unwrap();
                std::thread::sleep(moment);
                child.kill().unwrap();
                child.wait().unwrap();
            }
        }
        as_before("after a kill", &before, &folder);
    }
    let figure = format!("{kills} kills ({late} consoles with rows on the screen), {} entries as before", before.len());
    tell(6, "killed", &figure);
}

fn waits_for(path: &Path) {
    let until = Instant::now() + terminal::PATIENCE;
    while !path.exists() {
        assert!(Instant::now() < until, "no {}", path.display());
        std::thread::yield_now();
    }
}

/// Everything a session can do, against one folder. What it writes goes to `elsewhere`.
fn session(console: &mut Console, elsewhere: &Path) {
    console.sees("full scan");
    console.sees("✓ verified");
    for key in ["1", "2", "3", "4", "5", "w", "j", "G", "g", "]", "[", "c", BACK, "C", BACK, "m", "j", "d", BACK] {
        console.press(key);
    }
    for key in ["r", "R", "T", "F", "s", "S", " ", " ", "p", "p", "p", "p", "p", "E"] {
        console.press(key);
    }
    console.sees("passed over: 1 link");
    console.press(BACK);
    console.press("/sha\r");
    console.press(BACK);
    console.press("f\x15verdict:verified\r");
    console.sees("· verdict:verified");
    console.press(BACK);
    console.press("g");
    console.wait("a record that is read", |screen| screen.contents().contains("recomputed"));
    console.press("yh");
    console.sees("copied the recomputed hash");
    console.press("yb");
    console.sees("copied the decoded bytes");
    console.press("e");
    // Else the screen from before the editor could be taken for the one after it.
    console.sees("in the editor");
    console.press("\r");
    waits_for(&elsewhere.join("edited"));
    console.wait("the screen again after the editor", |screen| {
        screen.alternate_screen() && screen.contents().contains("verified")
    });
    for (n, suffix) in ["txt", "jsonl", "xml", "html", "md"].iter().enumerate() {
        let path = elsewhere.join(format!("report.{suffix}"));
        console.press(if n % 2 == 0 { "X" } else { "x" });
        console.press(&format!("\x15{}\r", path.to_str().unwrap()));
        waits_for(&path);
    }
    console.press("?");
    console.sees("Half a page down");
    console.press(BACK);
    console.press("v");
    console.sees("agree");
    console.press("q");
    console.press("q");
}

/// What a traced call would have to hold to be of no harm, or why it is one.
fn harm(line: &str, folder: &str, helpers: &[&str]) -> Option<&'static str> {
    let call = line.trim_start_matches(|c: char| c.is_ascii_digit() || c == ' ');
    if call.starts_with("<... ") {
        // The end of a call whose beginning, with all of its arguments, is a line before.
        return None;
    }
    let name = call.split('(').next().unwrap_or_default();
    let in_folder = line.contains(folder);
    let opens = matches!(name, "open" | "openat" | "openat2" | "creat");
    let writes = ["O_WRONLY", "O_RDWR", "O_CREAT", "O_TRUNC", "O_APPEND", "O_TMPFILE"].iter().any(|f| call.contains(f));
    match name {
        "socket" | "connect" | "bind" | "socketpair" if call.contains("AF_INET") => Some("a network socket"),
        "execve" | "execveat" if !helpers.iter().any(|helper| call.contains(helper)) => Some("another program"),
        _ if opens && (writes || name == "creat") && in_folder => Some("opened for writing"),
        "execve" | "execveat" | "socket" | "connect" | "bind" | "socketpair" => None,
        _ if !opens && in_folder => Some("a call that changes something"),
        _ => None,
    }
}

/// Calls that change a file system, and those that start or connect something. Descriptors come with their paths.
const TRACED: &str = "trace=open,openat,openat2,creat,unlink,unlinkat,rename,renameat,renameat2,mkdir,mkdirat,rmdir,\
                      link,linkat,symlink,symlinkat,mknod,mknodat,chmod,fchmod,fchmodat,chown,fchown,lchown,fchownat,\
                      truncate,ftruncate,fallocate,utime,utimes,utimensat,futimesat,setxattr,lsetxattr,fsetxattr,\
                      removexattr,lremovexattr,fremovexattr,write,pwrite64,writev,flock,socket,socketpair,connect,bind,\
                      execve,execveat";

#[test]
fn a_whole_session_writes_nothing_there_and_calls_nobody() {
    let p = Place::new();
    furnish(&p);
    let folder = p.path("in");
    let elsewhere = p.path("elsewhere");
    fs::create_dir(&elsewhere).unwrap();
    let log = p.path("trace");
    let editor = p.put(
        "helpers/editor",
        format!("#!/bin/sh\necho in the editor\nread answer\n: > {}\n", elsewhere.join("edited").display()),
    );
    let copier = p.put("helpers/copier", format!("#!/bin/sh\ncat > {}\n", p.path("copied").display()));
    for helper in [&editor, &copier] {
        fs::set_permissions(helper, fs::Permissions::from_mode(0o755)).unwrap();
    }
    p.put("config/aerscope/config.toml", format!("clipboard = [\"{}\"]\n", copier.display()));
    let config = p.path("config");
    let env = [("VISUAL", editor.to_str().unwrap()), ("XDG_CONFIG_HOME", config.to_str().unwrap())];
    let before = tree(&folder);
    let program = terminal::program();
    let traced = Command::new("strace").arg("-V").output().is_ok_and(|output| output.status.success());
    let mut console = if traced {
        let args =
            ["-f", "-y", "-s", "0", "-o", log.to_str().unwrap(), "-e", TRACED, &program, folder.to_str().unwrap()];
        Console::run("strace", &args, &env, 140, 40)
    } else {
        Console::start(&[folder.to_str().unwrap()], &env, 140, 40)
    };
    session(&mut console, &elsewhere);
    assert_eq!(console.ends(), 0);
    console.is_restored();
    as_before("after a session", &before, &folder);
    assert!(p.path("copied").exists(), "the clipboard helper was called");
    if !traced {
        return tell(6, "a session", "folder as before; system calls not looked at: strace is not installed");
    }
    let text = fs::read_to_string(&log).unwrap();
    let helpers = [program.as_str(), editor.to_str().unwrap(), copier.to_str().unwrap(), "/cat"];
    let harms: Vec<_> = text.lines().filter_map(|l| Some((harm(l, folder.to_str()?, &helpers)?, l))).collect();
    assert!(harms.is_empty(), "{} calls, the first: {:?}", harms.len(), harms[0]);
    // The trace is one: the folder's files were opened, the reports and the helpers are in it.
    assert!(text.contains("bad.json") && text.contains("report.html") && text.contains("copier"), "{text}");
    let figure =
        format!("{} entries as before, {} traced calls, none that writes there", before.len(), text.lines().count());
    tell(6, "a session", &format!("{figure}, no network socket, no program but the editor and the clipboard helper"));
}

#[test]
fn a_folder_that_nobody_may_write_into_will_do() {
    let p = Place::new();
    furnish(&p);
    for path in [p.dir.path().to_owned(), p.path("in/below")] {
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
    }
    fs::set_permissions(p.path("in/1.json"), fs::Permissions::from_mode(0o444)).unwrap();
    fs::set_permissions(p.path("in"), fs::Permissions::from_mode(0o555)).unwrap();
    let copy = tempfile::Builder::new().permissions(fs::Permissions::from_mode(0o777)).tempdir().unwrap();
    let program = copy.path().join("aerscope");
    fs::copy(terminal::program(), &program).unwrap();
    let root = rustix::process::getuid().is_root();
    let ordinary = ["--reuid", "65534", "--regid", "65534", "--clear-groups"];
    let before = tree(&p.path("in"));
    let mut command = if root {
        let mut command = Command::new("setpriv");
        command.args(ordinary).arg(&program);
        command
    } else {
        Command::new(&program)
    };
    let output = command.args(["verify", "--format", "jsonl", "in"]).current_dir(p.dir.path()).output().unwrap();
    let found = records(&output);
    assert!(found.iter().all(|r| r["class"] != "io_error"), "{}", kit::stderr(&output));
    assert_eq!(found.len(), 40 + 2 + 400 + 1);
    let (program, folder) = (program.to_str().unwrap(), p.path("in"));
    let folder = folder.to_str().unwrap();
    let state = copy.path().join("state");
    fs::create_dir(&state).unwrap();
    fs::set_permissions(&state, fs::Permissions::from_mode(0o777)).unwrap();
    let state = state.to_str().unwrap();
    let env = [("XDG_STATE_HOME", state), ("XDG_CONFIG_HOME", state), ("TMPDIR", state)];
    let mut console = if root {
        Console::run("setpriv", &[&ordinary[..], &[program, folder]].concat(), &env, 120, 30)
    } else {
        Console::run(program, &[folder], &env, 120, 30)
    };
    console.sees("full scan");
    console.sees("✓ verified");
    console.press("q");
    assert_eq!(console.ends(), 0);
    as_before("of mode 0555", &before, &p.path("in"));
    fs::set_permissions(p.path("in"), fs::Permissions::from_mode(0o755)).unwrap();
    tell(6, "mode 0555", &format!("as an ordinary user: {} records in verify, the console follows it", found.len()));
}
