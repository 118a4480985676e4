use super::*;
use crate::tui::detail::sample;

fn open(bytes: &str) -> std::sync::Arc<OpenRecord> {
    sample::open(&sample::receipt(bytes.as_bytes(), |text| text))
}

fn told(model: &DiffModel) -> Vec<String> {
    let sign = |tag| match tag {
        Tag::Same => ' ',
        Tag::Earlier => '-',
        Tag::Later => '+',
        Tag::Skipped => ':',
    };
    model.bytes.iter().map(|row| format!("{}{}", sign(row.tag), row.text)).collect()
}

#[test]
fn members_first_then_the_tokens_that_differ() {
    let model = compare(&open(r#"{"a":1,"b":[1,2],"c":"x"}"#), &open(r#"{ "a": 1, "b": [1, 3], "c": "x" }"#));
    assert_eq!(model.by, By::Token);
    assert_eq!(
        told(&model),
        [" {", "   \"a\": 1", "   \"b\": [", "     1", "-    2", "+    3", "   ]", "   \"c\": \"x\"", " }"]
    );
    let names: Vec<_> = model.members.iter().filter_map(|row| row.name.clone()).collect();
    assert_eq!(names, ["canonical_bytes", "canonical_bytes", "output_hash", "output_hash"]);
    assert_eq!(model.stops().len(), 3, "two members and one place in the bytes");
}

#[test]
fn white_space_between_tokens_is_said_not_shown_as_tokens() {
    let model = compare(&open(r#"{"a":1}"#), &open(r#"{"a": 1}"#));
    assert_eq!(model.by, By::Bytes);
    assert_eq!(model.remark, Some("the tokens are the same; only what stands between them differs"));
    assert!(model.bytes[0].text.ends_with("byte 5"), "{}", model.bytes[0].text);
}

#[test]
fn lines_and_bytes_where_there_is_no_json() {
    let model = compare(&open("a\nb\nc\n"), &open("a\nB\nc\n"));
    assert_eq!((model.by, told(&model)), (By::Line, vec![" a".into(), "-b".into(), "+B".into(), " c".into()]));
    let model = compare(&open("abc"), &open("abd"));
    assert_eq!(model.by, By::Bytes);
    assert!(model.bytes[0].text.ends_with("byte 2"));
    let same = compare(&open("abc"), &open("abc"));
    assert_eq!((same.by, same.stops().len()), (By::Equal, 0));
}

#[test]
fn equal_parts_are_left_out_with_their_count() {
    let lines = |n: usize| {
        (0..1000).map(|i| format!("{}\n", if i == n { "other".into() } else { i.to_string() })).collect::<String>()
    };
    let model = compare(&open(&lines(100)), &open(&lines(800)));
    let told = told(&model);
    assert_eq!(told.first().unwrap(), ":97 equal rows");
    assert!(told.contains(&":693 equal rows".to_owned()), "{told:?}");
    assert_eq!(told.last().unwrap(), ":196 equal rows");
    assert_eq!(model.stops().len(), 4, "two members, two places");
}

#[test]
fn very_much_difference_is_bounded() {
    let numbers =
        |from: usize| format!("[{}]", (from..from + 60_000).map(|n| n.to_string()).collect::<Vec<_>>().join(","));
    let model = compare(&open(&numbers(0)), &open(&numbers(100_000)));
    assert_eq!((model.by, model.remark), (By::Bytes, Some("too much differs to be compared part by part")));
    assert!(model.rows() < 100);
}

#[test]
fn values_are_compared_without_the_space_between_their_tokens() {
    let shown = |raw: &str| String::from_utf8(without_space(raw.as_bytes())).unwrap();
    assert_eq!(shown("{\n  \"a b\": \"c \\\" d\\\\\" ,\t\"e\" : [ 1, 2 ]\r\n}"), r#"{"a b":"c \" d\\","e":[1,2]}"#);
    assert_eq!(shown(r#""  ""#), r#""  ""#);
    assert_eq!(shown(r#""\\" "#), r#""\\""#);
}
