//! What the committed bytes say: inputs and links.

use super::*;

fn inputs(payload: &str) -> Option<[u8; 16]> {
    // Only asked for where a link makes attempts possible.
    of(&with(published(payload), "/correlation_id", Some(json!("c")))).inputs
}

#[test]
fn the_same_inputs_are_the_same_however_they_are_written() {
    let plain = inputs(r#"{"inputs":{"a":1,"b":"é"},"n":1}"#);
    assert!(plain.is_some());
    for payload in [
        r#"{"n":2,"inputs":{"b":"\u00e9","a":1}}"#,
        "{ \"inputs\" : { \"a\" : 1 , \"b\" : \"é\" } }",
        "\u{feff}{\"inputs\":{\"a\":1,\"b\":\"é\"},\"n\":1}",
        "\u{feff}{\"n\":3,\"inputs\":{\"a\":1,\"b\":\"é\"}}",
    ] {
        assert_eq!(inputs(payload), plain, "{payload}");
    }
    assert_ne!(inputs(r#"{"inputs":{"a":2,"b":"é"}}"#), plain);
    assert_ne!(inputs(r#"{"inputs":{"a":1.0,"b":"é"}}"#), plain, "numbers as written");
    for payload in ["{}", "[]", "x", r#"{"outputs":{"inputs":{}}}"#, r#"[{"inputs":1}]"#] {
        assert_eq!(inputs(payload), None, "{payload}");
    }
    // Nested too deep for a canonical form: the text itself counts.
    let deep = |n: usize| format!("{{\"inputs\":{}{}}}", "[".repeat(n), "]".repeat(n));
    assert_eq!(inputs(&deep(200)), inputs(&deep(200)));
    assert_ne!(inputs(&deep(200)), inputs(&deep(201)));
}

#[test]
fn a_link_is_bound_by_an_equal_string_among_the_bytes_and_nothing_else() {
    let bound = |link: &str, payload: &str| {
        of(&with(published(payload), "/correlation_id", Some(json!(link)))).correlation.unwrap().bound
    };
    assert!(bound("a/b", r#"{"c":"a\/b"}"#), "an escaped slash");
    assert!(bound("a\"b", r#"{"c":"a\"b"}"#));
    assert!(bound("a_b-7", r#"{"c":"\u0061_b-\u0037"}"#));
    assert!(bound("call-7", "\u{feff}{\"c\":\"call-7\"}"));
    assert!(!bound("call-7", r#"{"call-7":"and a long text that is no call"}"#), "a name is no value");
    assert!(!bound("call-7", r#"{"c":"call-70"}"#));
    assert!(!bound("call-7", r#"{"c":"xcall-7"}"#));
    assert!(!bound("7", r#"{"c":7}"#), "a number is no text");
}
