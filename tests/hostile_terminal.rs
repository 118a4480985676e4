//! No byte of a file, a name or an argument acts on the terminal: the console walked through with hostile files at
//! three sizes, and every command in every format, with everything that was sent looked at by a scanner of the tests'
//! own.
#![cfg(all(unix, feature = "console"))]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "a test may")]

#[path = "kit/bytes.rs"]
mod bytes;
mod kit;
#[path = "kit/proof.rs"]
mod proof;
#[path = "kit/terminal.rs"]
mod terminal;

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::path::{Path, PathBuf};
use std::process::Stdio;

use aerscope::aer1::report::hex;
use aerscope::text;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::{To, clean, scan};
use kit::{changed, receipt};
use proof::{full, tell};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use terminal::{BACK, Console};

/// The sizes the console is walked through at.
const SIZES: [(u16, u16); 3] = [(44, 14), (80, 24), (200, 60)];

/// What acts on a terminal, or looks like something else, as text.
const TEXTS: [&str; 16] = [
    "\u{1b}[2J\u{1b}]0;title\u{7}",
    "\u{1b}]52;c;QUFB\u{7}",
    "\u{1b}]8;;http://x\u{1b}\\link",
    "\u{1b}Pq#0\u{1b}\\\u{1b}_a\u{1b}\\\u{1b}^b\u{1b}\\",
    "\u{9b}2J\u{9d}0;t\u{9c}\u{90}q",
    "cr\rsafe",
    "line\nnew\u{85}next\u{2028}sep",
    "\u{8}\u{7}\u{c}\u{b}\t\u{7f}\0",
    "rlo\u{202e}nosj.exe\u{2066}x\u{2069}",
    "zero\u{200b}\u{200d}\u{feff}\u{ad}width",
    "tag\u{e0041}\u{e0042}\u{fe0f}\u{3164}\u{a0}",
    "a\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}",
    "\u{301}on what is before",
    "back\\x1b[2J\\u{202e}\\\\",
    "%s%n$(id)`id`;&'\"<script>]]>|*_[x](y)",
    "東京\u{20dd}👩\u{200d}💻\u{1f1e9}\u{1f1ea}",
];

/// Names a file may have, as hostile as the system allows.
fn names() -> Vec<OsString> {
    let mut all: Vec<Vec<u8>> = TEXTS
        .iter()
        .enumerate()
        .map(|(n, text)| format!("{}{n:02}.json", text.replace(['/', '\0'], "")).into_bytes())
        .collect();
    all.push(b"invalid\xff\xfe\xc3.json".to_vec());
    all.push(b"c1 alone\x9b2J\x9d0;t\x9c.json".to_vec());
    all.push(b"\xed\xa0\x80surrogate\xf4\x90\x80\x80.json".to_vec());
    all.push(b"-rf --format=html.json".to_vec());
    all.push(b"+!touch x.json".to_vec());
    for filler in [b"n", b"\x1b", b"\xff"] {
        all.push([filler.repeat(250), b".json".to_vec()].concat());
    }
    all.push(format!("{}.json", "e\u{301}".repeat(83)).into_bytes());
    all.push(format!("a{}.json", "\u{301}".repeat(124)).into_bytes());
    all.into_iter().map(OsString::from_vec).collect()
}

/// A folder of files with these names and no better content; linked attempts, so that there are chains.
fn hostile_folder(dir: &Path) {
    for (n, name) in names().iter().enumerate() {
        let text = TEXTS[n % TEXTS.len()];
        let id = format!("c0ffee12-7a10-4c7b-9d2e-{n:012x}");
        let payload = json!({"text": text, text: [text, {text: text}]}).to_string();
        let mut value = match n % 4 {
            0 | 1 => receipt(&id, payload.as_bytes()),
            2 => changed(&id),
            _ => receipt(&id, format!("{text}\u{1b}[31m").as_bytes()),
        };
        value["correlation_id"] = json!(TEXTS[n / 4]);
        if n % 2 == 1 {
            value["tool"]["name"] = json!(text);
            value["tool"]["scope"] = json!(text);
            value[text] = json!(text);
        }
        match n % 8 {
            5 => value["id"] = json!(text),
            6 => value["created_at"] = json!(text),
            7 => value["output_hash"] = json!(text),
            _ => {}
        }
        let mut content = value.to_string().into_bytes();
        match n % 11 {
            // Raw bytes where no JSON may have them.
            9 => content.splice(1..1, format!("{text}\u{1b}]52;c;QUFB\u{7}").bytes()).for_each(drop),
            10 => content.splice(20..20, *b"\xff\x9b2J").for_each(drop),
            _ => {}
        }
        fs::write(dir.join(name), content).unwrap();
    }
}

/// Copies every `step`th file of a folder, in the order of the names.
fn copy_some(from: &Path, to: &Path, step: usize) {
    let mut files: Vec<PathBuf> = fs::read_dir(from).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.is_file() && path.file_name() != Some(OsStr::new("index.json")));
    files.sort();
    for path in files.iter().step_by(step) {
        fs::copy(path, to.join(path.file_name().unwrap())).unwrap();
    }
}

fn run_in(dir: &Path, args: &[&OsStr], input: &[u8]) -> (Vec<u8>, Vec<u8>) {
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_aerscope"));
    command.current_dir(dir).args(args).env_remove("NO_COLOR").env("XDG_CONFIG_HOME", dir).env("XDG_STATE_HOME", dir);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // A program that refuses its arguments may be gone before it has read.
    let _gone = std::io::Write::write_all(&mut child.stdin.take().unwrap(), input);
    let out = child.wait_with_output().unwrap();
    assert!(out.status.code().is_some_and(|code| code <= 4), "{args:?}: {:?}", out.status);
    (out.stdout, out.stderr)
}

fn os<'a>(words: &[&'a str]) -> Vec<&'a OsStr> {
    words.iter().map(|word| OsStr::new(*word)).collect()
}

/// How many records a folder has.
fn records(dir: &Path) -> usize {
    let outside = tempfile::tempdir().unwrap();
    let args = [OsStr::new("verify"), OsStr::new("--format"), OsStr::new("jsonl"), dir.as_os_str()];
    let (out, _) = run_in(outside.path(), &args, b"");
    out.iter().filter(|byte| **byte == b'\n').count()
}

/// Asks at a prompt with pasted text, typed after and accepted.
fn ask(console: &mut Console, key: &str, text: &[u8]) {
    console.frame("");
    console.press(key);
    let mut paste = b"\x15\x1b[200~".to_vec();
    paste.extend_from_slice(text);
    paste.extend_from_slice(b"\x1b[201~QZ");
    std::io::Write::write_all(&mut console.keys, &paste).unwrap();
    console.sees("QZ");
    console.press("\x7f\x7f\r");
    console.frame("");
}

/// What one key of the copy menu puts on the clipboard; nothing when there is no such thing.
fn copied(console: &mut Console, key: char, size: To) -> Option<Vec<u8>> {
    let mut before = console.sent(b"").0;
    while console.frame(&format!("y{key}")).contains("is not open yet") {
        before = console.sent(b"").0;
    }
    // All of it is looked at in the end; a frame may have been cut here.
    let mut copies = scan(&console.since(before), size).copies;
    assert!(copies.len() <= 1, "one copy, one command");
    copies.pop()
}

/// Every view of the record that is selected in the list; back to the list.
fn every_view(console: &mut Console) {
    console.press("\r");
    console.frame("");
    console.wait("receipt", |screen| !screen.contents().contains("reading the file"));
    for key in ["1", "2", "3", "4", "5", "w", "G", "w"] {
        console.frame(key);
    }
    console.frame("h");
}

/// Every screen, sort, filter, prompt and error.
fn everywhere(console: &mut Console, dir: &Path, elsewhere: &Path) {
    for key in
        ["?", "G", BACK, "E", "G", "\r", "C", "G", "\r", BACK, "c", "G", "\r", BACK, "m", "j", "d", "G", "n", BACK]
    {
        console.frame(key);
    }
    for key in [
        "s", "s", "s", "s", "s", "s", "s", "S", "p", "p", "p", "p", "p", "T", "T", " ", " ", "F", "M", "M", "r", "R",
        "]", "[",
    ] {
        console.frame(key);
    }
    let names = names();
    for (n, text) in TEXTS.iter().enumerate() {
        let text = text.replace(['\0', '\u{3}'], "");
        ask(console, "/", text.as_bytes());
        console.frame("n");
        ask(console, "f", if n % 2 == 0 { format!("\"{text}\"") } else { format!("tool:{text}") }.as_bytes());
        ask(console, "f", b"");
        console.frame("\r");
        console.wait("receipt", |screen| !screen.contents().contains("reading the file"));
        for tab in ["1", "4"] {
            console.frame(tab);
            ask(console, "/", text.as_bytes());
        }
        ask(console, ":", text.as_bytes());
        console.frame("h");
        // Refused: in the folder that is watched.
        let inside = [dir.as_os_str().as_bytes(), b"/", names[n].as_bytes(), b".txt"].concat();
        ask(console, "x", &inside);
    }
    // Reports of all records, under a hostile name.
    for end in ["txt", "jsonl", "xml", "html", "md"] {
        let to = elsewhere.join(format!("{}\u{202e}.{end}", TEXTS[0].replace('/', "")));
        console.frame("g");
        ask(console, "X", to.as_os_str().as_bytes());
        console.wait("report", |screen| screen.contents().contains("wrote ") && to.exists());
    }
    console.press("e");
    console.sees("no editor");
    console.frame("");
    for name in names.iter().take(TEXTS.len()) {
        ask(console, "o", &[elsewhere.as_os_str().as_bytes(), b"/nowhere/", name.as_bytes()].concat());
    }
    ask(console, "o", dir.as_os_str().as_bytes());
    console.frame("v");
    console.frame(BACK);
}

/// What a copy of a value is: the value, or where it holds what acts on whatever it is pasted into, its visible form.
fn visible(value: &[u8]) -> Vec<u8> {
    if text::is_plain(value) {
        return value.to_vec();
    }
    let lines: Vec<_> = value.split(|byte| *byte == b'\n').map(text::shown_bytes).collect();
    lines.join("\n").into_bytes()
}

/// The copies of the selected record are what was asked for. Returns the file's name.
fn copies_hold(console: &mut Console, dir: &Path, size: To) -> Option<OsString> {
    console.frame("\r");
    console.wait("receipt", |screen| !screen.contents().contains("reading the file"));
    let path = copied(console, 'p', size)?;
    // No two names look alike, so there is one file that this can be.
    let entries = fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path());
    let named: Vec<PathBuf> = entries.filter(|entry| visible(entry.as_os_str().as_bytes()) == path).collect();
    let [path] = named.as_slice() else { panic!("{named:?} for {}", text::shown_bytes(&path)) };
    let content = fs::read(path).unwrap();
    let value: Value = serde_json::from_slice(&content).unwrap_or_default();
    let member = |name: &str| value[name].as_str().map(|text| visible(text.as_bytes()));
    let decoded = value["canonical_bytes"].as_str().and_then(|text| STANDARD.decode(text).ok());
    if let Some(record) = copied(console, 'r', size) {
        assert_eq!(record, visible(&content), "{}", path.display());
    }
    if let Some(bytes) = copied(console, 'b', size) {
        let is_plain = |bytes: &Vec<u8>| text::is_plain(bytes);
        let wanted = decoded.as_ref().map(|d| if is_plain(d) { d.clone() } else { STANDARD.encode(d).into_bytes() });
        assert_eq!(Some(bytes), wanted, "{}", path.display());
    }
    if let Some(id) = copied(console, 'i', size) {
        assert_eq!(Some(id), member("id"), "{}", path.display());
    }
    if let Some(hash) = copied(console, 'h', size) {
        let recomputed = decoded.map(|bytes| format!("sha256:{}", hex(&Sha256::digest(bytes))).into_bytes());
        assert_eq!(Some(hash), recomputed.or(member("output_hash")), "{}", path.display());
    }
    console.frame("h");
    path.file_name().map(OsStr::to_owned)
}

#[test]
fn nothing_in_the_console_acts_on_the_terminal() {
    let hostile = tempfile::tempdir().unwrap();
    hostile_folder(hostile.path());
    let given = tempfile::tempdir().unwrap();
    copy_some(&Path::new(env!("CARGO_MANIFEST_DIR")).join("vectors"), given.path(), if full() { 1 } else { 80 });
    if let Some(corpus) = std::env::var_os("AERSCOPE_CORPUS").map(PathBuf::from).filter(|path| path.is_dir()) {
        for part in ["cases", "hostile"] {
            copy_some(&corpus.join(part), given.path(), if full() { 1 } else { 20 });
        }
    }
    let keep = std::env::var_os("AERSCOPE_KEEP_BYTES").map(PathBuf::from);
    let editor = [("VISUAL", OsStr::new("/nonexistent/\u{1b}[2J\u{202e}editor"))];
    let (mut sent, mut fullest, mut views, mut copies) = (0, 0, 0, 0);
    for (columns, rows) in SIZES {
        let size = To::Screen(columns, rows);
        for dir in [hostile.path(), given.path()] {
            let elsewhere = tempfile::tempdir().unwrap();
            let count = records(dir);
            let select = OsStr::new("\u{1b}[2Jid\u{202e}");
            let args = [dir.as_os_str(), OsStr::new("--select"), select];
            let mut console = Console::keeping(&args, &editor, columns, rows);
            console.wait("list", |screen| screen.alternate_screen() && screen.contents().contains("verified"));
            if dir == hostile.path() {
                everywhere(&mut console, dir, elsewhere.path());
                // It was opened anew.
                console.sees(&format!("/{count} "));
                console.frame("g");
                let mut of = BTreeMap::new();
                for _ in 0..count {
                    *of.entry(copies_hold(&mut console, dir, size)).or_insert(0) += 1;
                    console.frame("j");
                }
                copies += of.len();
                assert!(of.len() >= names().len(), "every file was copied from: {} of {}", of.len(), names().len());
                for entry in fs::read_dir(elsewhere.path()).unwrap() {
                    let report = fs::read(entry.unwrap().path()).unwrap();
                    assert!(report.len() > 1_000);
                    clean(&report, To::Pipe, "a report");
                }
            }
            console.frame("g");
            for _ in 0..count {
                every_view(&mut console);
                console.frame("j");
                views += 1;
            }
            console.press("\x03");
            assert_eq!(console.ends(), 0);
            console.is_restored();
            let all = console.all();
            if let Some(keep) = &keep {
                let name = format!("{columns}x{rows}-{}", if dir == hostile.path() { "hostile" } else { "given" });
                fs::write(keep.join(name), &all).unwrap();
            }
            let found = clean(&all, size, &format!("{columns}x{rows} {}", dir.display()));
            assert!(found.left >= 1 && found.cleared > count);
            (sent, fullest) = (sent + all.len(), found.fullest.max(fullest));
        }
    }
    tell(
        1,
        "console",
        &format!(
            "0 violations in {sent} bytes, 3 sizes, {views} records in every view, {copies} files copied from; the fullest cell has {fullest} bytes"
        ),
    );
}

#[test]
fn nothing_a_command_prints_acts_on_the_terminal() {
    let hostile = tempfile::tempdir().unwrap();
    hostile_folder(hostile.path());
    let own = tempfile::tempdir().unwrap();
    let (mut runs, mut sent) = (0, 0);
    let mut look = |args: &[&OsStr], input: &[u8]| {
        let (out, err) = run_in(own.path(), args, input);
        clean(&out, To::Pipe, &format!("standard output of {args:?}"));
        clean(&err, To::Pipe, &format!("standard error of {args:?}"));
        (runs, sent) = (runs + 1, sent + out.len() + err.len());
        out
    };
    let dir = hostile.path().as_os_str();
    for format in ["text", "jsonl", "junit", "html", "markdown"] {
        look(&[&os(&["verify", "--format", format])[..], &[dir]].concat(), b"");
        look(&[&os(&["verify", "--all", "--profile", "strict", "--format", format])[..], &[dir]].concat(), b"");
    }
    let snapshot = look(&[OsStr::new("snapshot"), dir], b"");
    fs::write(own.path().join("snapshot"), &snapshot).unwrap();
    let cut = snapshot.iter().position(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    fs::write(
        own.path().join("other"),
        snapshot.iter().copied().filter(|byte| !b"45".contains(byte)).collect::<Vec<_>>(),
    )
    .unwrap();
    fs::write(own.path().join("head"), &snapshot[..cut]).unwrap();
    for format in ["text", "jsonl"] {
        for file in ["snapshot", "other", "head"] {
            look(&[&os(&["compare", "--format", format, file])[..], &[dir]].concat(), b"");
        }
    }
    look(&[&os(&["watch", "--until-failing"])[..], &[dir]].concat(), b"");
    look(&[dir], b"");
    look(&[OsStr::new("vectors"), dir], b"");
    look(&os(&["vectors", "--all", "--record", "run.jsonl"]), b"");
    look(&os(&["vectors", "--replay", "run.jsonl"]), b"");
    for (n, name) in names().iter().enumerate() {
        let path = hostile.path().join(name);
        let path = path.as_os_str();
        look(&[OsStr::new("show"), path], b"");
        look(&[OsStr::new("verify"), path, OsStr::new("--expect-id"), name], b"");
        look(&[OsStr::new("verify"), OsStr::new("--resolved"), path, path], b"");
        look(&[OsStr::new("verify"), OsStr::new("--baseline"), path, path], b"");
        look(&[OsStr::new("verify"), OsStr::new("--files-from"), path], b"");
        look(&[OsStr::new("redact"), path, OsStr::new("--drop"), OsStr::new("/content/text")], b"");
        look(&[OsStr::new("redact"), path, OsStr::new("--policy"), path], b"");
        look(&[OsStr::new("compare"), path, dir], b"");
        look(&[OsStr::new("vectors"), path], b"");
        look(&[OsStr::new("vectors"), OsStr::new("--replay"), path], b"");
        let content = fs::read(Path::new(path)).unwrap();
        look(&os(&["verify", "--stream"]), &content);
        look(&os(&["verify", "-"]), &content);
        look(&os(&["show", "-"]), &content);
        // A word that no command knows, in every place of the command line.
        let word: &OsStr = &OsString::from_vec([&b"--"[..], name.as_bytes()].concat());
        let commands = [
            "verify",
            "watch",
            "emit",
            "redact",
            "snapshot",
            "compare",
            "demo",
            "show",
            "vectors",
            "explain",
            "completions",
            "man",
            "config",
            "make",
        ];
        for command in commands.iter().filter(|_| full() || n % 4 == 0) {
            look(&[OsStr::new(command), word], b"");
            look(&[OsStr::new(command), OsStr::new("--help")], b"");
            // `emit` needs its options first; the console's commands need a terminal.
            look(&[OsStr::new(command), OsStr::new("--"), name], b"");
            look(&[OsStr::new(command), OsStr::new("--max-size"), name, OsStr::new("--format"), name], b"");
        }
        look(&[word], b"");
        look(&[OsStr::new("--select"), name, OsStr::new("nowhere")], b"");
        let text = OsStr::new(TEXTS[n % TEXTS.len()]);
        if !text.as_bytes().contains(&0) {
            let emit = os(&["emit", "--tool-version", "1", "--scope", "s", "--provenance", "LOGGED BY AGENT"]);
            look(&[&emit[..], &[OsStr::new("--tool"), text]].concat(), b"{}");
            look(&[&emit[..], &[OsStr::new("--tool"), text]].concat(), &content);
            let linked = [OsStr::new("--tool"), OsStr::new("t"), OsStr::new("--correlation"), text];
            look(&[&emit[..], &linked].concat(), b"{}");
            look(&[OsStr::new("explain"), text], b"");
        }
    }
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        // Our own text, indented by tabs.
        let (out, err) = run_in(own.path(), &os(&["completions", shell]), b"");
        clean(&out.replace_tabs(), To::Pipe, shell);
        clean(&err, To::Pipe, shell);
    }
    look(&os(&["man"]), b"");
    look(&os(&["explain", "--markdown"]), b"");
    look(&os(&["config"]), b"");
    fs::create_dir(own.path().join("aerscope")).unwrap();
    for text in TEXTS {
        fs::write(own.path().join("aerscope/config.toml"), format!("{text} = 1\n[keys]\n\"{text}\" = \"{text}\"\n"))
            .unwrap();
        look(&os(&["config"]), b"");
        fs::write(own.path().join("aerscope/config.toml"), toml_of(text)).unwrap();
        look(&os(&["config"]), b"");
    }
    tell(1, "commands", &format!("0 violations in {runs} runs, {sent} bytes of standard output and error"));
}

/// Settings with a hostile text as key and as value, well-formed.
fn toml_of(text: &str) -> String {
    let quoted = json!(text).to_string().replace('\u{7f}', "\\u007f");
    format!("theme = {quoted}\n{quoted} = {quoted}\n[keys]\nquit = [{quoted}]\n{quoted} = {quoted}\n")
}

trait Tabs {
    fn replace_tabs(&self) -> Vec<u8>;
}

impl Tabs for Vec<u8> {
    fn replace_tabs(&self) -> Vec<u8> {
        self.iter().map(|byte| if *byte == b'\t' { b' ' } else { *byte }).collect()
    }
}

#[test]
fn a_command_on_a_terminal_sends_lines_and_colours() {
    let hostile = tempfile::tempdir().unwrap();
    hostile_folder(hostile.path());
    let dir = hostile.path().as_os_str();
    let mut sent = 0;
    let formats: Vec<Vec<&OsStr>> = ["text", "jsonl", "junit", "html", "markdown"]
        .map(|format| ["verify", "--format", format].map(OsStr::new).to_vec())
        .into_iter()
        .chain([vec![OsStr::new("vectors")], vec![OsStr::new("snapshot")]])
        .collect();
    for args in formats {
        let mut console = Console::keeping(&[&args[..], &[dir]].concat(), &[], 80, 24);
        console.ends();
        let all = console.all();
        assert!(!all.is_empty(), "{args:?}");
        clean(&all, To::Line, &format!("{args:?}"));
        sent += all.len();
    }
    for name in names() {
        let path = hostile.path().join(name);
        let mut console = Console::keeping(&[OsStr::new("show"), path.as_os_str()], &[], 80, 24);
        console.ends();
        let all = console.all();
        clean(&all, To::Line, &format!("show {path:?}"));
        sent += all.len();
    }
    tell(1, "commands on a terminal", &format!("0 violations in {sent} bytes"));
}
