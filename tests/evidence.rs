//! What is known of a record is the same in every form: the console's receipt view, text, jsonl, junit and html say the
//! same id, version, provenance class, headline, class and hashes of every record of every corpus.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "a test may")]
#![cfg(feature = "console")]

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use aerscope::aer1::report::{Headline, Place};
use aerscope::aer1::verify::{Options, Verifier};
use aerscope::output::plain::INDENT;
use aerscope::output::sentence;
use aerscope::text;
use aerscope::tui::detail::open::{Loaded, OpenRecord};
use aerscope::tui::detail::pane::{Pane, PaneAct, Tab};
use aerscope::tui::theme::{Theme, ThemeName};
use aerscope::tui::view::receipt;
use assert_cmd::Command;
use assert_cmd::cargo::cargo_bin;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use serde_json::Value;

/// Members that every form has to agree on, by the names of the JUnit properties.
const FACTS: [&str; 7] = ["headline", "class", "id", "version", "provenance", "declared", "recomputed"];

/// What one form says of one record, absent members left out: exact in JSON Lines, in visible form elsewhere.
type Facts = BTreeMap<&'static str, String>;

fn files_below(dir: &Path, out: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        match std::fs::symlink_metadata(&path).unwrap() {
            meta if meta.is_dir() => files_below(&path, out),
            meta if meta.is_file() => out.push(path),
            _ => {}
        }
    }
}

fn run(list: &[u8], format: &str) -> Vec<u8> {
    let args = ["verify", "--files-from", "-", "--format", format];
    Command::new(cargo_bin!("aerscope")).args(args).write_stdin(list).output().unwrap().stdout
}

/// A record as JSON Lines has it.
fn of_jsonl(line: &Value) -> Facts {
    let mut facts = Facts::new();
    for name in FACTS {
        let value = match name {
            "declared" | "recomputed" => &line["bytes"][name],
            _ => &line[name],
        };
        if let Some(value) = value.as_str() {
            facts.insert(name, value.to_owned());
        }
    }
    facts
}

fn unescaped(text: &str) -> String {
    assert!(!text.contains('<') && !text.contains('>'), "markup in a value: {text}");
    text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&#39;", "'").replace("&amp;", "&")
}

/// What stands between two marks, and what comes after.
fn between<'a>(text: &'a str, open: &str, close: &str) -> Option<(&'a str, &'a str)> {
    text.split_once(open)?.1.split_once(close)
}

fn of_junit(xml: &str) -> Vec<Facts> {
    let mut all = Vec::new();
    for case in xml.split("<testcase ").skip(1) {
        let mut facts = Facts::new();
        let mut rest = case;
        while let Some((name, after)) = between(rest, "<property name=\"", "\"") {
            let (value, after) = between(after, "value=\"", "\"/>").unwrap();
            if let Some(name) = FACTS.iter().find(|fact| **fact == name) {
                facts.insert(name, unescaped(value));
            }
            rest = after;
        }
        all.push(facts);
    }
    all
}

/// Articles of the page, by where the record stands; its order is another one.
fn of_html(page: &str) -> BTreeMap<String, Facts> {
    let mut all = BTreeMap::new();
    for article in page.split("<article class=\"").skip(1) {
        let mut facts = Facts::new();
        facts.insert("headline", article.split_once('"').unwrap().0.to_owned());
        let (at, after) = between(article, "<code class=\"path\">", "</code>").unwrap();
        if let Some((class, _)) = between(after.split_once("</h3>").unwrap().0, "<code>", "</code>") {
            facts.insert("class", class.to_owned());
        }
        for (name, term) in [("id", "id"), ("version", "version"), ("provenance", "provenance")] {
            if let Some((value, _)) = between(article, &format!("<dt>{term}</dt><dd>"), "</dd>") {
                let value = value.split(" <span").next().unwrap().replace("<code>", "").replace("</code>", "");
                facts.insert(name, unescaped(&value));
            }
        }
        for (name, term) in [("declared", "declared"), ("declared", "original"), ("recomputed", "recomputed")] {
            if let Some((value, _)) = between(article, &format!("<th>{term}</th><td><code>"), "</code>") {
                facts.insert(name, unescaped(&value.replace("<mark>", "").replace("</mark>", "")));
            }
        }
        assert!(all.insert(unescaped(at), facts).is_none(), "{at} twice");
    }
    all
}

/// The blocks of the text format: where, and the rest.
fn of_text(said: &str) -> Vec<Vec<&str>> {
    let mut blocks: Vec<Vec<&str>> = Vec::new();
    for line in said.lines() {
        match line.strip_prefix(INDENT) {
            // The head of a block whose verdict's word is the longest has its place at the same column.
            Some(rest) if line.starts_with(' ') => blocks.last_mut().unwrap().push(rest),
            _ => blocks.push(vec![line]),
        }
    }
    let totals = blocks.pop().unwrap();
    assert!(totals[0].contains("record"), "{totals:?}");
    blocks
}

/// A value as a form shows it that cuts after `most` characters.
fn cut(facts: &Facts, name: &str, most: usize) -> Option<String> {
    facts.get(name).map(|exact| text::shown_cut(exact, most).into_owned())
}

/// Everything in visible form.
fn shown(facts: &Facts, most: usize) -> Facts {
    facts.keys().map(|name| (*name, cut(facts, name, most).unwrap())).collect()
}

fn headline(facts: &Facts) -> Headline {
    *Headline::ALL.iter().find(|h| h.as_str() == facts["headline"]).unwrap()
}

fn check_text(block: &[&str], facts: &Facts, at: &str) {
    let word = sentence::word(headline(facts));
    let said = block[0];
    assert!(said.split_once(' ').unwrap().1.starts_with(word), "{at}: {said}");
    let end = facts.get("class").map(|class| format!("{at}  {class}")).unwrap_or_else(|| at.to_owned());
    assert!(said.ends_with(&end), "{at}: {said}");
    let begins = |word: &str| block.iter().find_map(|line| line.strip_prefix(word)).map(str::to_owned);
    // One line holds the identity, its parts in order.
    let mut wanted = Vec::new();
    wanted.extend(cut(facts, "id", 200).map(|id| format!("id {id}")));
    wanted.extend(cut(facts, "version", 200).map(|version| format!("version {version}")));
    wanted.extend(cut(facts, "provenance", 200));
    let wanted = wanted.join(" · ");
    let identity =
        block.iter().any(|line| line.strip_prefix(&wanted).is_some_and(|r| r.is_empty() || r.starts_with(" · ")));
    assert!(wanted.is_empty() || identity, "{at}: no line {wanted} in {block:#?}");
    match begins("output_hash ").and_then(|line| line.strip_suffix(", declared and recomputed").map(str::to_owned)) {
        Some(both) => assert!(facts["declared"] == both && facts["recomputed"] == both, "{at}: {both}"),
        None => {
            let declared = begins("declared    ").or_else(|| begins("original    "));
            assert_eq!(declared, cut(facts, "declared", 200), "{at}");
            assert_eq!(begins("recomputed  "), facts.get("recomputed").cloned(), "{at}");
        }
    }
}

/// The receipt view, drawn narrow enough that its boxes stand below each other, with the checks tab; white space and
/// borders taken out, since long values go on in the next row.
fn console(path: &Path, bytes: &[u8], place: Place) -> (Facts, String) {
    let mut verifier = Verifier::new(Options { canonical_form: true, ..Options::default() });
    let opened = verifier.open(bytes, place).unwrap_or_else(|| panic!("{} cannot be opened", path.display()));
    let mut facts = Facts::new();
    let report = &opened.report;
    facts.insert("headline", report.headline.as_str().to_owned());
    facts.extend(report.class.map(|class| ("class", class.as_str().to_owned())));
    let open = Arc::new(OpenRecord::new(Arc::from(path), place, opened, bytes, 128));
    let mut pane = Pane::new();
    pane.loaded(Loaded::Open(Arc::clone(&open)));
    let area = Rect::new(0, 0, 94, 400);
    let mut buf = Buffer::empty(area);
    let theme = Theme::new(ThemeName::Plain);
    pane.act(PaneAct::Tab(Tab::Checks), area.height);
    receipt::draw(area, &mut buf, &mut pane, None, &[], &theme, true);
    let drawn = buf.content.iter().map(ratatui::buffer::Cell::symbol).collect::<String>();
    (facts, packed(&drawn))
}

fn packed(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace() && !('\u{2500}'..='\u{257f}').contains(c)).collect()
}

fn check_console(drawn: &str, facts: &Facts, at: &str) {
    let has = |said: String| {
        let said = packed(&said);
        assert!(drawn.contains(&said), "{at}: the console does not say {said} in {drawn}");
    };
    let none = || "none".to_owned();
    let word = sentence::word(headline(facts));
    has(facts.get("class").map_or(word.to_owned(), |class| format!("{word} · {class}")));
    has(format!("id {}", cut(facts, "id", 160).unwrap_or_else(none)));
    if let Some(version) = cut(facts, "version", 160) {
        has(format!("version {version}"));
    }
    if let Some(class) = cut(facts, "provenance", 160) {
        has(format!("class {class}:"));
    }
    // The checks tab has the whole of a hash that is too long for its row.
    match cut(facts, "declared", 400) {
        None => has("declared none".to_owned()),
        Some(hash) => assert!(
            ["declared", "original"].iter().any(|word| drawn.contains(&packed(&format!("{word}{hash}")))),
            "{at}: {hash} in {drawn}"
        ),
    }
    has(format!("recomputed {}", facts.get("recomputed").cloned().unwrap_or_else(|| "nothing to hash".to_owned())));
}

fn compare(corpus: &Path) -> usize {
    let mut paths = Vec::new();
    files_below(corpus, &mut paths);
    let list: Vec<u8> = paths.iter().flat_map(|p| [p.as_os_str().as_bytes(), b"\0"].concat()).collect();
    let jsonl = String::from_utf8(run(&list, "jsonl")).unwrap();
    let lines: Vec<Value> = jsonl.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let said = String::from_utf8(run(&list, "text")).unwrap();
    let junit = of_junit(&String::from_utf8(run(&list, "junit")).unwrap());
    let html = of_html(&String::from_utf8(run(&list, "html")).unwrap());
    let blocks = of_text(&said);
    assert_eq!((blocks.len(), html.len()), (lines.len(), lines.len()), "{}", corpus.display());
    let mut cases = junit.iter();
    for (line, block) in lines.iter().zip(&blocks) {
        let facts = of_jsonl(line);
        let exact = line["path_base64"].as_str().map(|text| STANDARD.decode(text).unwrap());
        let path = exact.unwrap_or_else(|| line["path"].as_str().unwrap().as_bytes().to_vec());
        let path = Path::new(OsStr::from_bytes(&path));
        let place = line["record"].as_str().map_or(Place::WHOLE, |place| Place::parse(place).unwrap());
        let at = sentence::at(path, place);
        check_text(block, &facts, &at);
        assert_eq!(html[&at], shown(&facts, 400), "html: {at}");
        if facts["headline"] != "not_receipt" {
            assert_eq!(cases.next(), Some(&shown(&facts, usize::MAX)), "junit: {at}");
        }
        let bytes = std::fs::read(path).unwrap();
        let (own, drawn) = console(path, &bytes, place);
        for name in ["headline", "class"] {
            assert_eq!(own.get(name), facts.get(name), "console: {at}");
        }
        check_console(&drawn, &facts, &at);
    }
    assert_eq!(cases.next(), None, "a test case too many");
    lines.len()
}

#[test]
fn every_form_says_the_same_of_our_vectors() {
    let records = compare(&Path::new(env!("CARGO_MANIFEST_DIR")).join("vectors"));
    assert!(records > 100, "{records} records");
}

/// Another corpus, when `AERSCOPE_CORPUS` names one.
#[test]
fn every_form_says_the_same_of_another_corpus() {
    match std::env::var_os("AERSCOPE_CORPUS").map(PathBuf::from) {
        Some(corpus) => assert!(compare(&corpus) > 0, "{} holds no record", corpus.display()),
        None => println!("skipped: AERSCOPE_CORPUS names no folder"),
    }
}
