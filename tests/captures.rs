//! Captures of every view at four sizes in every theme, for people to look at: the real binary in a real
//! pseudo-terminal, on the demo, on the vectors and on many receipts.
//!
//! `AERSCOPE_CAPTURES=DIR cargo test --release --test captures -- --ignored` writes `DIR/SOURCE/THEME/SIZE/VIEW.txt`, and
//! beside each its styles: a letter a cell, and what the letters mean. `AERSCOPE_CAPTURES_THEMES=dark,plain` takes some of
//! the themes, `AERSCOPE_CAPTURES_RECEIPTS=1000` fewer receipts.
#![cfg(all(unix, feature = "console"))]
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "the helpers of these tests are tests too")]

#[path = "kit/terminal.rs"]
mod terminal;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use terminal::{Console, PATIENCE, cells, size};

const SIZES: [(u16, u16); 4] = [(44, 14), (80, 24), (120, 40), (200, 60)];
const THEMES: [&str; 5] = ["terminal", "dark", "light", "colour-blind", "plain"];

/// A view and the keys that lead to it from the list.
const VIEWS: &[(&str, &str)] = &[
    ("list", ""),
    ("failing", "]"),
    ("receipt", "]l"),
    ("text", "]l2"),
    ("hex", "]l3"),
    ("raw", "]l4"),
    ("checks", "]l5"),
    ("zoomed", "]\r\r"),
    ("chain", "fchain:retried\rgc\r"),
    ("chain-attempts", "fchain:retried\rGc\t\t"),
    ("diff", "fchain:retried\rg}}d"),
    ("chains", "C"),
    ("events", "E"),
    ("help", "?"),
    ("vectors", "v"),
    ("vector-record", "vl"),
    ("filter", "f"),
    ("filter-error", "fverdict:nonsense\r"),
    ("filter-nothing", "ftool:nothing-like-it\r"),
    ("search", "/a"),
    ("copy-menu", "y"),
    ("open", "o"),
    ("export", "X"),
    ("paused", " "),
    ("sorted", "ss"),
];

/// Waits until the screen has not changed for a while; what goes on changing is taken as it is.
fn settled(console: &Console) -> String {
    let until = Instant::now() + Duration::from_secs(4);
    let look = || console.seen.0.lock().unwrap().screen().contents();
    let (mut before, mut since) = (look(), Instant::now());
    while since.elapsed() < Duration::from_millis(180) && Instant::now() < until {
        std::thread::sleep(Duration::from_millis(20));
        let now = look();
        if now != before {
            (before, since) = (now, Instant::now());
        }
    }
    before
}

fn styles(console: &Console) -> String {
    const LETTERS: &[u8] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    let parser = console.seen.0.lock().unwrap();
    let screen = parser.screen();
    let (rows, columns) = screen.size();
    let mut known: Vec<String> = Vec::new();
    let mut out = String::new();
    for row in 0..rows.get() {
        for column in 0..columns.get() {
            let cell = screen.cell(row, column).unwrap();
            let style = format!(
                "{:?} on {:?}{}{}{}",
                cell.fgcolor(),
                cell.bgcolor(),
                if cell.bold() { " bold" } else { "" },
                if cell.inverse() { " reversed" } else { "" },
                if cell.underline() { " underlined" } else { "" },
            );
            let at = known.iter().position(|one| *one == style).unwrap_or_else(|| {
                known.push(style);
                known.len() - 1
            });
            out.push(char::from(LETTERS[at.min(LETTERS.len() - 1)]));
        }
        out.push('\n');
    }
    for (letter, style) in LETTERS.iter().zip(&known) {
        writeln!(out, "{} {style}", char::from(*letter)).unwrap();
    }
    out
}

fn capture(to: &Path, source: &str, theme: &str, args: &[&str]) -> usize {
    let mut count = 0;
    let args: Vec<&str> = args.iter().copied().chain(["--theme", theme]).collect();
    let mut console = Console::start(&args, &[], 120, 40);
    console.wait("end of the first scan", |screen| {
        let text = screen.contents();
        text.contains("scan ") && !text.contains("scanning") && text.contains("help")
    });
    for (columns, rows) in SIZES {
        console.seen.0.lock().unwrap().screen_mut().set_size(cells(rows), cells(columns));
        console.master.resize(size(columns, rows)).unwrap();
        let folder = to.join(source).join(theme).join(format!("{columns}x{rows}"));
        std::fs::create_dir_all(&folder).unwrap();
        for (name, keys) in VIEWS {
            settled(&console);
            console.press(keys);
            let text = settled(&console);
            assert!(!text.trim().is_empty(), "{name} shows nothing");
            std::fs::write(folder.join(format!("{name}.txt")), text).unwrap();
            std::fs::write(folder.join(format!("{name}.styles")), styles(&console)).unwrap();
            count += 1;
            // Back to the list as it was: pane, screen, search and filter are let go of one by one.
            for _ in 0..6 {
                // A lone escape and what follows it must not be read as one key.
                console.press("\x1b");
                std::thread::sleep(Duration::from_millis(60));
            }
            match *name {
                "paused" => console.press(" "),
                "sorted" => console.press("sssssF"),
                _ => {}
            }
            if name.starts_with("chain") && *name != "chains" {
                console.press("c");
            }
            console.press("1gF");
        }
    }
    console.press("q");
    assert_eq!(console.ends(), 0);
    count
}

#[test]
#[ignore = "writes hundreds of files for people to look at"]
fn captures() {
    let to =
        PathBuf::from(std::env::var_os("AERSCOPE_CAPTURES").expect("AERSCOPE_CAPTURES names the folder to write to"));
    let themes = std::env::var("AERSCOPE_CAPTURES_THEMES").unwrap_or_else(|_| THEMES.join(","));
    let receipts = std::env::var("AERSCOPE_CAPTURES_RECEIPTS").unwrap_or_else(|_| "100000".to_owned());
    let many = tempfile::tempdir().unwrap();
    let folder = many.path().join("receipts");
    let made = std::process::Command::new(env!("CARGO_BIN_EXE_aerscope"))
        .args(["make", "receipts", "--n", &receipts, "--bad", "0.002", "--median", "300", "--cap", "4096", "--out"])
        .arg(&folder)
        .status()
        .unwrap();
    assert!(made.success());
    let vectors = Path::new(env!("CARGO_MANIFEST_DIR")).join("vectors");
    let begun = Instant::now();
    let mut count = 0;
    for theme in themes.split(',') {
        count += capture(&to, "demo", theme, &["demo"]);
        count += capture(&to, "vectors", theme, &[vectors.to_str().unwrap()]);
        count += capture(&to, "many", theme, &[folder.to_str().unwrap()]);
    }
    assert!(count >= VIEWS.len() * SIZES.len() * 3, "{PATIENCE:?} {:?}", begun.elapsed());
}
