//! The file and its JSON: rules §3.1 and §3.2.

use super::*;

/// The base receipt with one more member whose value is written as it is.
fn extra(raw: &str) -> Json {
    published().with("extra", Json::raw(raw))
}

/// The base receipt's file text.
fn plain() -> String {
    published().pretty()
}

pub(super) fn make(m: &mut Maker) {
    files(m);
    encodings(m);
    syntax(m);
    truncation(m);
    depth(m);
    surrogates(m);
    duplicates(m);
}

fn files(m: &mut Maker) {
    for (name, text, why) in [
        ("file-empty", "", "No byte at all."),
        ("file-white-space", " \r\n\t\n", "Only white space."),
        ("file-mark", "\u{feff}", "Only a byte order mark."),
        ("file-mark-and-white-space", "\u{feff}\n\n", "Only a byte order mark and white space."),
    ] {
        m.one(name, text, unread(Class::EmptyFile), "§3.1", why).twin("published");
    }
}

fn encodings(m: &mut Maker) {
    use Class::{JsonEncoding, JsonSyntax};
    let text = plain();
    m.one(
        "json-mark",
        format!("\u{feff}{text}"),
        VERIFIED,
        "§3.2",
        "One leading byte order mark is accepted and noted.",
    );
    m.one(
        "json-mark-twice",
        format!("\u{feff}\u{feff}{text}"),
        unread(JsonSyntax),
        "§3.2",
        "A second byte order mark is text.",
    )
    .twin("json-mark");
    m.one("json-crlf", text.replace('\n', "\r\n"), VERIFIED, "§3.2", "Line ends of two characters change nothing.");
    m.one(
        "json-outer-space",
        format!("\n\t  {text}\r\n \n"),
        VERIFIED,
        "§3.2",
        "White space around the document changes nothing.",
    );
    m.one("json-compact", published().compact(), VERIFIED, "§3.2", "White space between members means nothing.");
    m.one(
        "json-escapes",
        text.replace("GATEWAY", "GATEW\\u0041Y").replace("\"id\"", "\"\\u0069d\""),
        VERIFIED,
        "§3.2",
        "An escaped letter is the letter, in names and in values.",
    );
    let reversed = match published() {
        Json::Object(mut members) => {
            members.reverse();
            Json::Object(members)
        }
        other => other,
    };
    m.one("json-order", &reversed, VERIFIED, "§3.2", "The order of members means nothing.");

    let note = published().with("note", "Brønnøysund").pretty();
    m.one("json-utf8", note.as_str(), VERIFIED, "§3.2", "Non-ASCII in an unknown member, as UTF-8.");
    let replaced = |bytes: &[u8]| splice(&note, "ø", bytes);
    for (name, bytes, why) in [
        ("json-latin-1", &b"\xf8"[..], "Latin-1 in an unknown member."),
        ("json-overlong", b"\xc1\xb8", "An overlong spelling in an unknown member."),
        ("json-surrogate-bytes", b"\xed\xa0\xbd", "A surrogate written as bytes."),
    ] {
        m.one(name, replaced(bytes), unread(JsonEncoding), "§3.2", why).twin("json-utf8");
    }
    let wide = |mark: bool, to_bytes: fn(u16) -> [u8; 2]| -> Vec<u8> {
        mark.then_some(0xfeff).into_iter().chain(text.encode_utf16()).flat_map(to_bytes).collect()
    };
    m.one(
        "json-utf-16-le",
        wide(true, u16::to_le_bytes),
        unread(JsonEncoding),
        "§3.2",
        "UTF-16 with its mark, little end first.",
    )
    .twin("published");
    m.one(
        "json-utf-16-be",
        wide(true, u16::to_be_bytes),
        unread(JsonEncoding),
        "§3.2",
        "UTF-16 with its mark, big end first.",
    )
    .twin("published");
    let wider: Vec<u8> =
        std::iter::once('\u{feff}').chain(text.chars()).flat_map(|c| u32::from(c).to_le_bytes()).collect();
    m.one("json-utf-32-le", wider, unread(JsonEncoding), "§3.2", "UTF-32 with its mark.").twin("published");
    let mut both = extra("1,").pretty().into_bytes();
    both.extend_from_slice(b"\xff\n");
    m.one(
        "json-encoding-first",
        both,
        unread(JsonEncoding),
        "§3.2",
        "The encoding is decided before the first fault in reading order.",
    )
    .twin("published");
}

/// `text` with the first `old` replaced by bytes that need not be UTF-8.
fn splice(text: &str, old: &str, new: &[u8]) -> Vec<u8> {
    let (head, tail) = text.split_once(old).unwrap_or((text, ""));
    [head.as_bytes(), new, tail.as_bytes()].concat()
}

fn syntax(m: &mut Maker) {
    let fault = unread(Class::JsonSyntax);
    m.one(
        "json-numbers",
        &extra("[0, -0, -0.0, 10, 1e5, 1E+5, 0.1e-7, 1234567890123456789012345678901234567890, 1e400]"),
        VERIFIED,
        "§3.2",
        "Numbers keep their text, however they are spelled.",
    );
    m.one("json-number", &extra("10"), VERIFIED, "§3.2", "A number in an unknown member.");
    for (name, raw, why) in [
        ("json-leading-zero", "010", "A leading zero."),
        ("json-plus", "+10", "A plus before a number."),
        ("json-point-first", ".10", "A fraction without a whole part."),
        ("json-point-last", "10.", "A point without a fraction."),
        ("json-exponent-empty", "10e", "An exponent without digits."),
        ("json-hex", "0x10", "A hexadecimal number."),
        ("json-minus-alone", "-", "A minus without digits."),
        ("json-nan", "NaN", "NaN is not JSON."),
        ("json-infinity", "Infinity", "Infinity is not JSON."),
        ("json-minus-infinity", "-Infinity", "Infinity is not JSON."),
        ("json-true-upper", "True", "A literal in another spelling."),
        ("json-underscore", "1_0", "An underscore in a number."),
    ] {
        m.one(name, &extra(raw), fault, "§3.2", why).twin("json-number");
    }
    m.one("json-text", &extra(r#""quay 7""#), VERIFIED, "§3.2", "A text in an unknown member.");
    for (name, raw, why) in [
        ("json-newline-in-text", "\"quay\n7\"", "A raw line feed in a string."),
        ("json-tab-in-text", "\"quay\t7\"", "A raw tab in a string."),
        ("json-nul-in-text", "\"quay\u{0}7\"", "A raw NUL in a string."),
        ("json-escape-x", r#""quay\x207""#, "An escape that JSON has not."),
        ("json-escape-digits", r#""quay\u00g07""#, "An escape with a letter for a digit."),
        ("json-single-quotes", "'quay 7'", "Single quotes."),
        ("json-no-quotes", "quay", "No quotes."),
    ] {
        m.one(name, &extra(raw), fault, "§3.2", why).twin("json-text");
    }
    let text = plain();
    for (name, text, why) in [
        ("json-comma-after", text.replace("\"verified\"\n", "\"verified\",\n"), "A comma before the closing brace."),
        ("json-comma-missing", text.replacen("\",\n", "\"\n", 1), "A comma is missing."),
        ("json-colon-missing", text.replacen("\": ", "\" ", 1), "A colon is missing."),
        ("json-comment", text.replacen('{', "{ // tides\n", 1), "A comment."),
        ("json-comment-before", format!("/* tides */ {text}"), "A comment before the document."),
        ("json-text-after", format!("{}]\n", text.trim_end()), "A bracket after the document."),
        ("json-two-on-a-line", format!("{0}{0}", published().compact()), "Two documents on one line."),
        ("json-two-pretty", format!("{text}{text}"), "Two documents whose first line is none by itself."),
        ("json-nbsp-before", format!("\u{a0}{text}"), "A no-break space is no white space here."),
        ("json-form-feed-before", format!("\u{c}{text}"), "A form feed is no white space here."),
        ("json-nul-after", format!("{text}\u{0}"), "A NUL after the document."),
        ("json-name-unquoted", text.replacen("\"id\"", "id", 1), "A name without quotes."),
    ] {
        m.one(name, text, fault, "§3.2", why).twin("published");
    }
    m.one("json-html", "<!doctype html><title>502 Bad Gateway</title>\n", fault, "§3.2", "A proxy's error page.")
        .twin("published");
}

fn truncation(m: &mut Maker) {
    let fault = unread(Class::JsonTruncated);
    let note = published().with("note", "høy").with("count", Json::raw("12")).with("ok", true).pretty();
    m.one("cut-nothing", note.as_str(), VERIFIED, "§3.2", "The whole file.");
    let before = |mark: &str| note.split_once(mark).map_or("", |(head, _)| head);
    let mut in_character = before("ø").as_bytes().to_vec();
    in_character.push(0xc3);
    for (name, text, why) in [
        ("cut-after-brace", b"{".to_vec(), "Cut after the first brace."),
        ("cut-in-name", before("ated_at").into(), "Cut inside a name."),
        ("cut-after-colon", before(" \"2026").into(), "Cut after a colon."),
        ("cut-in-text", before("26:53").into(), "Cut inside a string."),
        ("cut-in-base64", before("Jpbn").into(), "Cut inside the bytes."),
        ("cut-in-literal", before("ue\n}").into(), "Cut inside a literal."),
        ("cut-in-character", in_character, "Cut inside a character."),
        ("cut-before-brace", before("\n}").into(), "Cut before the last brace."),
        ("cut-in-escape", format!("{}\\u00", before("øy")).into_bytes(), "Cut inside an escape."),
    ] {
        m.one(name, text, fault, "§3.2", why).twin("cut-nothing");
    }
}

fn depth(m: &mut Maker) {
    let lists = |n: usize| extra(&format!("{}{}", "[".repeat(n), "]".repeat(n))).compact();
    let objects = |n: usize| extra(&format!("{}1{}", "{\"a\":".repeat(n), "}".repeat(n))).compact();
    m.one("depth-128", lists(127), VERIFIED, "§3.2", "128 levels are read; the receipt itself is the first.");
    m.one("depth-129", lists(128), unread(Class::JsonDepth), "§3.2", "The 129th level is the fault.").twin("depth-128");
    m.one("depth-128-objects", objects(127), VERIFIED, "§3.2", "Objects count as levels too.");
    m.one("depth-129-objects", objects(128), unread(Class::JsonDepth), "§3.2", "Objects count as levels too.")
        .twin("depth-128-objects");
}

fn surrogates(m: &mut Maker) {
    use Class::{JsonSurrogate, JsonSyntax};
    m.one(
        "surrogate-pair",
        &extra(r#""\ud83c\udf0a""#),
        VERIFIED,
        "§3.2",
        "A pair of surrogate escapes is one character.",
    );
    for (name, raw, why) in [
        ("surrogate-high", r#""\ud83c""#, "A high surrogate alone."),
        ("surrogate-low", r#""\udf0a""#, "A low surrogate alone."),
        ("surrogate-reversed", r#""\udf0a\ud83c""#, "A pair the wrong way round."),
        ("surrogate-twice", r#""\ud83c\ud83c\udf0a""#, "A high surrogate before a pair."),
        ("surrogate-and-letter", r#""\ud83c\u0041""#, "A high surrogate before another escape."),
        ("surrogate-upper", r#""\uD83C.""#, "In capitals."),
    ] {
        m.one(name, &extra(raw), unread(JsonSurrogate), "§3.2", why).twin("surrogate-pair");
    }
    m.one("surrogate-in-name", &extra(r#"{"\udf0a":1}"#), unread(JsonSurrogate), "§3.2", "In a name.")
        .twin("surrogate-pair");
    m.one(
        "surrogate-then-syntax",
        &extra(r#"["\ud83c", 010]"#),
        unread(JsonSurrogate),
        "§3.2",
        "The first fault in reading order speaks.",
    )
    .twin("surrogate-pair");
    m.one(
        "syntax-then-surrogate",
        &extra(r#"[010, "\ud83c"]"#),
        unread(JsonSyntax),
        "§3.2",
        "The first fault in reading order speaks.",
    )
    .twin("surrogate-pair");
    m.one(
        "surrogate-in-bytes",
        &over(br#"{"wave":"\ud83c"}"#),
        VERIFIED,
        "§3.2",
        "Inside the bytes it is six characters of text like any others.",
    );
}

fn duplicates(m: &mut Maker) {
    let fault = bad(Class::DuplicateMember);
    let doubled = |name: &str, value: Json| {
        let mut doc = published();
        doc.add(name, value);
        doc
    };
    let mut vector = |name: &str, doc: Json, why: &str| {
        m.one(name, &doc, fault, "§3.2", why).twin("published");
    };
    vector("duplicate-same", doubled("id", ID.into()), "Twice with the same value.");
    vector("duplicate-other", doubled("id", OTHER_ID.into()), "Twice with two values: two readers see two receipts.");
    vector("duplicate-bad", doubled("id", "x".into()), "The last value is bad, and the repetition is named first.");
    vector("duplicate-unknown", doubled("x", 1.into()).clone_with("x", 3), "An unknown member twice.");
    vector("duplicate-in-tool", published().inside("tool", |t| t.clone_with("name", "tide.table")), "Inside the tool.");
    vector(
        "duplicate-deep",
        published().with("x", Json::raw(r#"[{"a":{"b":1,"c":2,"b":3}}]"#)),
        "Deep inside an unknown member.",
    );
    let escaped = plain().replacen("\"id\":", "\"\\u0069d\": \"5b1d7a0e-93c4-4f0b-8a6d-2f7c1e90b3d4\",\n  \"id\":", 1);
    m.one("duplicate-by-escape", escaped, fault, "§3.2", "Names are compared after unescaping.").twin("published");
    m.one(
        "duplicate-then-syntax",
        plain().replacen("\"id\":", "\"id\": 1, \"id\":", 1).replace("\"verified\"\n", "\"verified\",\n"),
        unread(Class::JsonSyntax),
        "§3.2",
        "Duplicates are decided last.",
    )
    .twin("published");
}

impl Json {
    /// The same object with a member added, even when there is one of that name.
    fn clone_with(&self, name: &str, value: impl Into<Json>) -> Json {
        let mut doc = self.clone();
        doc.add(name, value);
        doc
    }
}
