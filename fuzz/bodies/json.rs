//! The JSON reader against serde_json, and its own ranges.

use aerscope::aer1::json::{Doc, NodeKind, parse};
use aerscope::aer1::report::Class;
use serde::de::IgnoredAny;

/// Any bytes.
pub fn run(data: &[u8]) {
    let mut doc = Doc::new();
    let own = parse(data, 100, &mut doc);
    let text = std::str::from_utf8(data);
    let theirs = serde_json::from_slice::<IgnoredAny>(data);
    match own {
        Ok(()) => {
            let Ok(text) = text else { return };
            assert!(theirs.is_ok(), "read, and refused by serde_json: {theirs:?}\n{text}");
            ranges(&doc, text);
        }
        Err(fault) => {
            assert!(fault.offset <= data.len(), "a fault behind the end: {fault:?}");
            let only_here = matches!(fault.class, Class::JsonDepth | Class::JsonSurrogate | Class::JsonEncoding);
            assert!(theirs.is_err() || only_here || text.is_err(), "refused as {fault:?}, and read by serde_json");
        }
    }
}

fn ranges(doc: &Doc, text: &str) {
    let nodes = doc.nodes();
    let mut before = 0u32;
    for (n, node) in nodes.iter().enumerate() {
        assert!(node.start >= before && node.start < node.end && node.end as usize <= text.len(), "{n}: {node:?}");
        assert!(node.next as usize > n && node.next as usize <= nodes.len(), "{n}: {node:?}");
        before = node.start;
        let raw = &text[node.start as usize..node.end as usize];
        match node.kind {
            // What stands between the quotes is the same text for both readers.
            NodeKind::String | NodeKind::Key => {
                let own = aerscope::aer1::json::unescape(raw.as_bytes()).map(|own| own.into_owned());
                let theirs: Option<String> = serde_json::from_str(raw).ok();
                assert_eq!(own, theirs, "{raw}");
            }
            NodeKind::Number => assert!(serde_json::from_str::<IgnoredAny>(raw).is_ok(), "{raw}"),
            _ => {}
        }
    }
    let root = doc.root(text.as_bytes()).expect("a text that was read has a value");
    // Every value once by walking, as by the list.
    let mut seen = 0usize;
    let mut open = vec![root];
    while let Some(value) = open.pop() {
        seen += 1;
        for (name, inner) in value.members() {
            seen += 1;
            assert!(value.get(&name.name()).is_some(), "a member that is not found by its name");
            open.push(inner);
        }
        open.extend(value.elements());
    }
    assert_eq!(seen, nodes.len(), "values that a walk does not meet");
}
