//! What stands beside the receipt and proves nothing: notes, never a headline.

use super::*;

fn notes(record: &J) -> Vec<Note> {
    let report = of(record);
    assert_eq!((report.headline, report.anchor), (Headline::Verified, Anchor::Absent), "a claim moves nothing");
    report.notes.into_iter().filter(|note| !matches!(note, Note::OtherAnchor)).collect()
}

#[test]
fn a_relay_anchor_agrees_with_itself_and_with_the_receipt_or_says_so() {
    let envelope = json!({"kind": 9, "output_sha256": hash(b"x"), "receipt_uuid": ID});
    let anchor = |envelope: &J, bytes: String| {
        let anchor = json!({"event_id": "e", "relays": [], "envelope": envelope, "envelope_bytes": bytes});
        notes(&with(published("x"), "/anchor", Some(anchor)))
    };
    let agrees = |agrees| vec![Note::AnchorEnvelope { agrees }];
    assert_eq!(anchor(&envelope, envelope.to_string()), agrees(true));
    let spaced = format!(r#"{{ "receipt_uuid": "{ID}", "output_sha256": "{}", "kind": 9 }}"#, hash(b"x"));
    assert_eq!(anchor(&envelope, spaced), agrees(true), "order and white space say nothing");
    // Both say the same, and not what the receipt says.
    let other_id = with(envelope.clone(), "/receipt_uuid", Some(json!("5b1f0c9a-3c55-4d0e-9a61-7f1f0f6f2b11")));
    assert_eq!(anchor(&other_id, other_id.to_string()), agrees(false));
    let other_hash = with(envelope.clone(), "/output_sha256", Some(json!(hash(b"y"))));
    assert_eq!(anchor(&other_hash, other_hash.to_string()), agrees(false));
    let other_kind = with(envelope.clone(), "/kind", Some(json!(8)));
    assert_eq!(anchor(&other_kind, envelope.to_string()), agrees(false), "the two differ from each other");
    assert_eq!(anchor(&json!("text"), "{".to_owned()), agrees(false));
    assert_eq!(anchor(&envelope, format!("{envelope} x")), agrees(false), "text after it: not JSON");
    // Its text has a name twice: two readers would see two envelopes.
    let twice = envelope.to_string().replacen('{', r#"{"kind":9,"#, 1);
    assert_eq!(anchor(&envelope, twice), agrees(false));
    let without = |name: &str| {
        let anchor = json!({"event_id": "e", "envelope": envelope, "envelope_bytes": envelope.to_string()});
        let anchor = with(anchor, &format!("/{name}"), None);
        notes(&with(published("x"), "/anchor", Some(anchor)))
    };
    assert_eq!(without("envelope"), []);
    assert_eq!(without("envelope_bytes"), []);
}

#[test]
fn a_side_effects_declaration_is_hashed_again() {
    let declared = json!({"writes": ["b", "a"], "net": false});
    let text = r#"{"declared":{"net":false,"writes":["b","a"]},"schema_version":"1"}"#;
    let effects =
        |stated: String| json!({"declared": declared, "schema_version": "1", "declaration_hash": stated, "other": 1});
    let noted = |effects: J| notes(&with(published("x"), "/side_effects", Some(effects)));
    assert_eq!(noted(effects(hash(text.as_bytes()))), [Note::SideEffects { agrees: true }]);
    assert_eq!(noted(effects(hash(b"other"))), [Note::SideEffects { agrees: false }]);
    for name in ["declared", "schema_version", "declaration_hash"] {
        assert_eq!(noted(with(effects(hash(b"x")), &format!("/{name}"), None)), [], "{name}");
    }
    assert_eq!(notes(&with(published("x"), "/signature", Some(json!({"key": "k"})))), [Note::SignatureUnchecked]);
}
