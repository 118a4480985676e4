//! One record opened: at its place, with its span, its members and the offsets of its faults.

use super::*;

fn open(text: &str, place: &str) -> Option<(Option<Class>, String)> {
    let mut verifier = Verifier::new(Options::default());
    let opened = verifier.open(text.as_bytes(), Place::parse(place).unwrap())?;
    for (name, span) in &opened.members {
        let value: J = serde_json::from_str(&text[span.clone()]).unwrap();
        let whole: J = serde_json::from_str(&text[opened.span.clone()]).unwrap();
        assert_eq!(whole.get(name), Some(&value), "{name}");
    }
    Some((opened.report.class, text[opened.span].to_owned()))
}

#[test]
fn a_record_is_found_at_its_own_place_only() {
    let (one, two) = (published("x").to_string(), published("yy").to_string());
    let found = |text: &str| Some((None, text.to_owned()));
    let whole = format!(" {one} ");
    assert_eq!(open(&whole, ""), found(&one));
    for none in [":1", "#0", ":1#0"] {
        assert_eq!(open(&whole, none), None, "{none}");
    }
    let array = format!("[{one}, {two}]");
    assert_eq!(open(&array, "#1"), found(&two));
    assert_eq!((open(&array, ""), open(&array, "#2"), open(&array, ":1")), (None, None, None));
    let lines = format!("{one}\n\n{two}\n[{two}]\n");
    assert_eq!((open(&lines, ":1"), open(&lines, ":3")), (found(&one), found(&two)));
    assert_eq!(open(&lines, ":4#0"), found(&two));
    // A blank line has no record; the file as a whole is none.
    assert_eq!((open(&lines, ""), open(&lines, "#0"), open(&lines, ":9")), (None, None, None));
    let events = format!("event: receipt\ndata: {one}\n\n data:{two}\n");
    assert_eq!((open(&events, ":2"), open(&events, ":4")), (found(&one), found(&two)));
    assert_eq!((open(&events, ""), open(&events, ":1"), open(&events, ":3")), (None, None, None));
    // Without a record in it, the event text is the record.
    assert_eq!(open("event: receipt\n", ""), Some((Some(Class::JsonSyntax), "event: receipt\n".to_owned())));
    assert_eq!(open("event: receipt\n", ":1"), None);
}

#[test]
fn a_mark_in_front_moves_every_offset() {
    let good = published("x").to_string();
    assert_eq!(open(&format!("\u{feff} {good}"), ""), Some((None, good.clone())));
    assert_eq!(open(&format!("\u{feff}{good}\n{good}"), ":1"), Some((None, good.clone())));
    assert_eq!(open(&format!("\u{feff}{good}\n{good}"), ":2"), Some((None, good)));
    for (text, class, offset) in [
        ("{\"a\":x}", Class::JsonSyntax, 5),
        ("\u{feff}{\"a\":x}", Class::JsonSyntax, 8),
        ("{\"id\":1,\"id\":2}", Class::DuplicateMember, 8),
        ("\u{feff}{\"id\":1,\"id\":2}", Class::DuplicateMember, 11),
        ("[{\"id\":1},{\"id\":1,\"id\":2}]", Class::DuplicateMember, 18),
    ] {
        let report = run(text).pop().unwrap();
        assert_eq!((report.class, report.faults[0].offset), (Some(class), Some(offset)), "{text}");
    }
}

#[test]
fn a_name_that_stands_twice_is_told_as_it_reads() {
    for (name, reads) in [
        (r#"id"#, "id"),
        (r#"a\"b"#, "a\"b"),
        (r#"a\\"#, "a\\"),
        (r#"\\\"x\\"#, "\\\"x\\"),
        (r#"\u0069d"#, "id"),
        (r#"\n"#, "\n"),
        ("", ""),
    ] {
        let text = format!("{{\"{name}\":1,\"other\":2,\"{name}\":3}}");
        let report = one(&text);
        assert_eq!((report.headline, report.class), (Headline::Malformed, Some(Class::DuplicateMember)), "{name}");
        assert_eq!(report.faults[0].found.as_deref(), Some(reads), "{name}");
        assert_eq!(report.check(Layer::Json), Check::Failed);
    }
}
