use super::*;

fn read(text: &str) -> Result<Doc, JsonFault> {
    let mut doc = Doc::new();
    parse(text.as_bytes(), 128, &mut doc).map(|()| doc)
}

fn fault(text: &str) -> (Class, usize) {
    match read(text) {
        Ok(_) => panic!("{text:?} was read"),
        Err(f) => (f.class, f.offset),
    }
}

#[test]
fn nodes_are_ranges_in_reading_order() {
    let text = r#" {"a": [1, -0, 1e5], "b": {"c": null}, "a": "x\n"} "#;
    let doc = read(text).unwrap();
    let kinds: Vec<_> = doc.nodes().iter().map(|n| (n.kind, &text[n.start as usize..n.end as usize])).collect();
    assert_eq!(kinds[1], (NodeKind::Key, "\"a\""));
    assert_eq!(kinds[4], (NodeKind::Number, "-0"));
    assert_eq!(doc.nodes()[0].next as usize, doc.nodes().len());
    assert_eq!(doc.duplicates().len(), 1);
    let root = doc.root(text.as_bytes()).unwrap();
    assert_eq!(root.get("a").unwrap().str().unwrap(), "x\n", "the last of two");
    assert_eq!(root.get("b").unwrap().get("c").unwrap().kind(), NodeKind::Null);
    assert_eq!(root.pointer("/b/c").unwrap().kind(), NodeKind::Null);
    assert_eq!(doc.depth(), 2);
}

#[test]
fn pointers_take_an_index_only_as_json_pointers_write_it() {
    let text = r#"{"list": [10, 11, 12], "~/": 7}"#;
    let doc = read(text).unwrap();
    let root = doc.root(text.as_bytes()).unwrap();
    let at = |pointer: &str| root.pointer(pointer).map(|v| v.raw_text().to_owned());
    assert_eq!(at("/list/0").as_deref(), Some("10"));
    assert_eq!(at("/list/2").as_deref(), Some("12"));
    assert_eq!(at("/~0~1").as_deref(), Some("7"));
    for none in
        ["/list/01", "/list/00", "/list/+1", "/list/-", "/list/", "/list/3", "/list/0/0", "/list/18446744073709551616"]
    {
        assert_eq!(at(none), None, "{none}");
    }
}

#[test]
fn syntax_faults_and_their_places() {
    for (text, class, offset) in [
        ("", Class::JsonTruncated, 0),
        ("{", Class::JsonTruncated, 1),
        ("[1,", Class::JsonTruncated, 3),
        ("{\"a\"", Class::JsonTruncated, 4),
        ("{\"a\":", Class::JsonTruncated, 5),
        ("\"abc", Class::JsonTruncated, 4),
        ("\"a b\u{1}\"", Class::JsonSyntax, 4),
        ("\"\u{1f}\u{2}\"", Class::JsonSyntax, 1),
        ("\"\\", Class::JsonTruncated, 2),
        ("\"\\u12", Class::JsonTruncated, 5),
        ("\"\\ud83d", Class::JsonTruncated, 7),
        ("\"\\ud83d\\", Class::JsonTruncated, 8),
        ("tru", Class::JsonTruncated, 3),
        ("-", Class::JsonTruncated, 1),
        ("1.", Class::JsonTruncated, 2),
        ("1e", Class::JsonTruncated, 2),
        ("[1}", Class::JsonSyntax, 2),
        ("[1,]", Class::JsonSyntax, 3),
        ("{\"a\":1,}", Class::JsonSyntax, 7),
        ("{a:1}", Class::JsonSyntax, 1),
        ("01", Class::JsonSyntax, 1),
        ("+1", Class::JsonSyntax, 0),
        (".5", Class::JsonSyntax, 0),
        ("1.e5", Class::JsonSyntax, 2),
        ("NaN", Class::JsonSyntax, 0),
        ("nul1", Class::JsonSyntax, 3),
        ("{} x", Class::JsonSyntax, 3),
        ("\"a\nb\"", Class::JsonSyntax, 2),
        ("\"\\x\"", Class::JsonSyntax, 2),
        ("\"\\u12g4\"", Class::JsonSyntax, 5),
        ("\u{a0}{}", Class::JsonSyntax, 0),
        ("'a'", Class::JsonSyntax, 0),
        ("\"\\ud800\"", Class::JsonSurrogate, 1),
        ("\"\\udc00\"", Class::JsonSurrogate, 1),
        ("\"\\ud800\\n\"", Class::JsonSurrogate, 1),
        ("\"\\ud800\\u0041\"", Class::JsonSurrogate, 1),
        ("[\"\\ud800\",]", Class::JsonSurrogate, 2),
    ] {
        assert_eq!(fault(text), (class, offset), "{text:?}");
    }
}

#[test]
fn depth_counts_both_containers() {
    let deep = |n: usize| format!("{}1{}", "[".repeat(n), "]".repeat(n));
    assert!(read(&deep(128)).is_ok());
    assert_eq!(fault(&deep(129)), (Class::JsonDepth, 128));
    assert_eq!(fault(&"{\"a\":".repeat(200)), (Class::JsonDepth, 128 * 5));
}

#[test]
fn duplicates_are_compared_unescaped_at_any_depth() {
    for (text, count) in [
        (r#"{"a":1,"\u0061":2}"#, 1),
        (r#"{"\u0061b":1,"a\u0062":2}"#, 1),
        (r#"{"\u0061b":1,"a\u0063":2}"#, 0),
        (r#"{"x":[{"k":1,"k":2,"k":3}]}"#, 2),
        (r#"{"a":{"b":1},"b":{"a":1}}"#, 0),
        (r#"{"a":1,"A":2,"a ":3,"":4}"#, 0),
    ] {
        assert_eq!(read(text).unwrap().duplicates().len(), count, "{text}");
    }
    let many: Vec<String> = (0..3000).map(|i| format!("\"k{}\":1", i % 2999)).collect();
    assert_eq!(read(&format!("{{{}}}", many.join(","))).unwrap().duplicates().len(), 1);
}

#[test]
fn a_shallow_reading_checks_what_it_does_not_keep() {
    let text = br#"{"a":{"b":{"c":1,"c":2}},"d":[1,2]}"#;
    let mut doc = Doc::new();
    let rules = Rules { max_depth: 128, keep_depth: 1, allow_surrogates: false, find_duplicates: true };
    assert_eq!(parse_with(text, rules, &mut doc), Ok(()));
    let root = doc.root(text).unwrap();
    assert_eq!(root.members().count(), 2);
    assert_eq!(root.get("a").unwrap().raw(), br#"{"b":{"c":1,"c":2}}"#);
    assert_eq!(root.get("a").unwrap().members().count(), 0);
    assert_eq!(root.get("d").unwrap().raw(), b"[1,2]");
    assert_eq!(doc.duplicates().len(), 1);
    assert!(parse_with(br#"{"a":{"b":[1,}}"#, rules, &mut doc).is_err());
}

#[test]
fn strings_unescape() {
    assert_eq!(unescape(br#""\u00e9\ud83d\ude00\/\b\f\n\r\t\"\\""#).unwrap(), "é😀/\u{8}\u{c}\n\r\t\"\\");
    assert_eq!(unescape(br#""\ud800""#), None);
    assert_eq!(unescape(b"\"plain\"").unwrap(), "plain");
}

#[test]
fn integers_however_written() {
    for (text, value) in [
        ("1", Some(1)),
        ("1.0", Some(1)),
        ("20e-1", Some(2)),
        ("0.2e1", Some(2)),
        ("1E+2", Some(100)),
        ("-0", Some(0)),
        ("-3.000", Some(-3)),
        ("0e999999999999999999999", Some(0)),
        ("1.5", None),
        ("1e-1", None),
        ("1e400", None),
        ("99999999999999999999", None),
    ] {
        assert_eq!(integer_valued(text), value, "{text}");
    }
}

#[test]
fn canonical_form_sorts_and_keeps_numbers() {
    let text =
        r#"{ "b" : [1.0, -0 , 1e5], "a\u0062": "\u00e9\u000a\/", "a": {"é":1,"z":2}, "\uffff":1, "\ud83d\ude00":2 }"#;
    let doc = read(text).unwrap();
    let mut out = Vec::new();
    canonical(doc.root(text.as_bytes()).unwrap(), &mut out);
    assert_eq!(
        String::from_utf8(out).unwrap(),
        "{\"a\":{\"z\":2,\"é\":1},\"ab\":\"é\\n/\",\"b\":[1.0,-0,1e5],\"\u{ffff}\":1,\"😀\":2}"
    );
}

#[test]
fn memory_that_one_large_text_needed_is_let_go_of() {
    const KEEP: usize = 1 << 16;
    let mut doc = Doc::new();
    let names: Vec<String> = (0..KEEP).map(|n| format!("\"{n}\":1")).collect();
    parse(format!("{{{}}}", names.join(",")).as_bytes(), 128, &mut doc).unwrap();
    assert!(doc.nodes.capacity() > KEEP && doc.keys.capacity() >= KEEP);
    doc.keys.reserve_exact(KEEP + 1);
    doc.shrink();
    assert_eq!((doc.nodes.capacity(), doc.keys.capacity()), (0, 0));
    // What is usual stays for the next text.
    (doc.nodes, doc.keys) = (Vec::with_capacity(KEEP), Vec::with_capacity(KEEP));
    doc.shrink();
    assert_eq!((doc.nodes.capacity(), doc.keys.capacity()), (KEEP, KEEP));
    (doc.nodes, doc.keys) = (Vec::with_capacity(8), Vec::with_capacity(8));
    doc.shrink();
    assert_eq!((doc.nodes.capacity(), doc.keys.capacity()), (8, 8));
}

/// A nest of `levels` containers, objects and arrays as the bits of a fixed sequence have it, and its closers.
fn nest(levels: usize) -> (Vec<u8>, Vec<u8>) {
    let (mut opening, mut closing, mut state) = (Vec::new(), Vec::new(), 9u64);
    for _ in 0..levels {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let is_object = state >> 63 == 1;
        opening.extend_from_slice(if is_object { b"{\"a\":" } else { b"[" });
        closing.push(if is_object { b'}' } else { b']' });
    }
    closing.reverse();
    (opening, closing)
}

#[test]
fn any_nesting_is_read_with_a_bit_a_level() {
    let rules = Rules { max_depth: u32::MAX, keep_depth: 0, allow_surrogates: true, find_duplicates: false };
    for levels in [1usize, 2, 63, 64, 65, 66, 127, 128, 129, 130, 700] {
        let (opening, closing) = nest(levels);
        let mut doc = Doc::new();
        assert_eq!(parse_with(&[&opening, &b"1"[..], &closing].concat(), rules, &mut doc), Ok(()), "{levels}");
        assert_eq!(doc.depth() as usize, levels);
        assert!(doc.deep.len() <= levels / 64 + 1 && doc.open.capacity() < 64, "{levels}: more than a bit a level");
        // A second one at the same levels, which the first has left its marks in.
        let one = [&opening, &b"1"[..], &closing].concat();
        let (other, ends) = nest(levels / 2);
        let two = [&b"["[..], &one, b",", &one, b",", &other, b"2", &ends, b"]"].concat();
        assert_eq!(parse_with(&two, rules, &mut doc), Ok(()), "{levels}");
        // Each closer in turn of the other kind.
        for wrong in 0..levels {
            let mut closing = closing.clone();
            closing[wrong] = if closing[wrong] == b'}' { b']' } else { b'}' };
            let fault = parse_with(&[&opening, &b"1"[..], &closing].concat(), rules, &mut Doc::new()).unwrap_err();
            assert_eq!((fault.class, fault.offset), (Class::JsonSyntax, opening.len() + 1 + wrong), "{levels} {wrong}");
        }
    }
}

#[test]
fn lone_surrogates_stay_apart_as_bytes() {
    let rules = Rules { max_depth: 8, keep_depth: 8, allow_surrogates: true, find_duplicates: true };
    for (text, bytes) in [
        (r#""\ud800""#, &b"\xed\xa0\x80"[..]),
        (r#""\udfff""#, b"\xed\xbf\xbf"),
        (r#""a\udbc1""#, b"a\xed\xaf\x81"),
        (r#""\ud83d\ude00""#, "\u{1f600}".as_bytes()),
    ] {
        let mut doc = Doc::new();
        assert_eq!(parse_with(text.as_bytes(), rules, &mut doc), Ok(()), "{text}");
        assert_eq!(doc.root(text.as_bytes()).unwrap().str_bytes().as_deref(), Some(bytes), "{text}");
    }
}

#[test]
fn a_value_is_taken_for_what_it_is_and_nothing_else() {
    let text = r#"{"n":1234,"s":"[1]","a":[7,8],"o":{"k":9},"t":true,"z":null}"#;
    let doc = read(text).unwrap();
    let root = doc.root(text.as_bytes()).unwrap();
    assert_eq!(root.text(), text.as_bytes());
    assert_eq!(root.get("o").unwrap().text(), text.as_bytes());
    for (name, members, elements) in [("n", 0, 0), ("s", 0, 0), ("a", 0, 2), ("o", 1, 0), ("t", 0, 0), ("z", 0, 0)] {
        let value = root.get(name).unwrap();
        assert_eq!((value.members().count(), value.elements().count()), (members, elements), "{name}");
        assert_eq!(value.str().is_some(), name == "s", "{name}");
        assert_eq!(value.str_bytes().is_some(), name == "s", "{name}");
        assert_eq!(value.integer().is_some(), name == "n", "{name}");
        assert_eq!(value.plain_integer().is_some(), name == "n", "{name}");
        assert_eq!(value.is_plain_integer(), name == "n", "{name}");
        let is = (value.is_object(), value.is_array(), value.is_null());
        assert_eq!(is, (name == "o", name == "a", name == "z"), "{name}");
    }
    assert_eq!(root.get("s").unwrap().str_bytes().as_deref(), Some(&b"[1]"[..]));
}

#[test]
fn a_string_ends_where_its_mark_stands_at_every_length() {
    // Short strings are searched by words of eight bytes, long ones otherwise: each border is crossed here.
    for length in (0..=80).chain([127, 128, 129, 200]) {
        for filler in ["x", "\u{7f}", "\u{e9}", "\u{1f600}"] {
            let own = filler.repeat(length / filler.len());
            let text = format!("[\"{own}\",\"\"]");
            let doc = read(&text).unwrap_or_else(|f| panic!("{text:?}: {f:?}"));
            let root = doc.root(text.as_bytes()).unwrap();
            let strings: Vec<_> = root.elements().map(|v| v.str().unwrap().into_owned()).collect();
            assert_eq!(strings, [own.as_str(), ""]);

            let escaped = format!("[\"{own}\\n{own}\"]");
            let doc = read(&escaped).unwrap();
            let root = doc.root(escaped.as_bytes()).unwrap();
            assert_eq!(root.elements().next().unwrap().str().unwrap(), format!("{own}\n{own}"));

            for control in ['\0', '\u{1}', '\n', '\u{1f}'] {
                assert_eq!(fault(&format!("[\"{own}{control}{own}\"]")), (Class::JsonSyntax, 2 + own.len()));
            }
            assert_eq!(fault(&format!("[\"{own}")), (Class::JsonTruncated, 2 + own.len()));
        }
    }
}

#[test]
fn a_root_member_is_found_by_any_spelling_of_its_name() {
    let names = ["id", "a", "", "receipt_schema_version", "\u{e9}t\u{e9}", "with\"quote", "tab\there", "\u{1f600}"];
    for name in names {
        let plain = serde_json::to_string(name).unwrap();
        let escaped: String = name.encode_utf16().map(|unit| format!("\\u{unit:04x}")).collect();
        for spelling in [plain, format!("\"{escaped}\"")] {
            let text = format!("{{\"other\":0,{spelling}:1,\"deep\":{{\"inner\":2}}}}");
            let doc = read(&text).unwrap();
            let root = doc.root(text.as_bytes()).unwrap();
            assert_eq!(root.get(name).map(|v| v.raw_text().to_owned()).as_deref(), Some("1"), "{text}");
            assert!(root.get("inner").is_none(), "{text}: only the root's own members");
            assert_eq!(root.get("deep").unwrap().get("inner").unwrap().raw_text(), "2");
        }
    }
    let mut doc = read("{\"first\":1}").unwrap();
    parse(b"{\"second\":2}", 128, &mut doc).unwrap();
    let root = doc.root(b"{\"second\":2}").unwrap();
    assert!(root.get("first").is_none() && root.get("second").is_some(), "a document read again forgets its names");
}
