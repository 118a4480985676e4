//! Which kind of document it is: each mark alone, and each one short (rules §2).

use super::*;

fn kind(document: &J) -> (Kind, Headline) {
    let report = of(document);
    (report.kind, report.headline)
}

const NONE: (Kind, Headline) = (Kind::None, Headline::NotReceipt);

#[test]
fn a_mark_that_is_not_whole_is_no_mark() {
    for document in [
        json!({"entry_count": 3}),
        json!({"final_entry_digest": "0".repeat(64)}),
        json!({"merkle_root": "0".repeat(64)}),
        json!({"steps": []}),
        json!({"id": ID}),
        json!({"output_hash": hash(b"x")}),
        json!({"id": ID, "tool": "t"}),
        json!({"id": ID, "tool": "t", "timestamp": "2026-03-04T05:06:07Z"}),
        json!({"id": ID, "tool": "t", "status": "success"}),
        json!({"id": ID, "timestamp": "2026-03-04T05:06:07Z", "status": "success"}),
        json!({"tool": "t", "timestamp": "2026-03-04T05:06:07Z", "status": "success"}),
        json!({"id": ID, "tool": {"name": "t"}, "timestamp": "2026-03-04T05:06:07Z", "status": "success"}),
        json!({"timestamp": "2026-03-04T05:06:07Z", "status": "success"}),
        json!({"receipt": "text"}),
        json!({"_receipt": "text"}),
        json!({"timeline": {}}),
    ] {
        assert_eq!(kind(&document), NONE, "{document}");
    }
    let whole = json!({"id": ID, "tool": "t", "timestamp": "2026-03-04T05:06:07Z", "status": "success"});
    assert_eq!(kind(&whole).0, Kind::Transport);
    assert_eq!(kind(&json!({"projection_of": ID})).0, Kind::Transport);
    assert_eq!(kind(&json!({"canonical_bytes": ""})).0, Kind::Published);
    assert_eq!(kind(&json!({"id": ID, "output_hash": hash(b"x")})).0, Kind::Transport);
    assert_eq!(kind(&json!({"entry_count": 3, "final_entry_digest": ""})).0, Kind::Commitment);
}

#[test]
fn a_detail_or_data_that_is_no_event_is_no_wrapper() {
    let wrapped = |document: &J| {
        let report = of(document);
        let wrapper = report.notes.iter().find_map(|note| match note {
            Note::Wrapped(wrapper) => Some(*wrapper),
            _ => None,
        });
        (report.headline, wrapper)
    };
    let good = published("x");
    let endpoint = (Headline::Verified, Some(Wrapper::VerifyEndpoint));
    assert_eq!(wrapped(&json!({"detail": {"data": 1}, "receipt": good})), endpoint);
    assert_eq!(wrapped(&json!({"detail": "specversion", "receipt": good})), endpoint);
    assert_eq!(wrapped(&json!({"specversion": "1.0", "receipt": good})), endpoint, "no data, no event");
    let event = json!({"specversion": "1.0", "data": good});
    assert_eq!(wrapped(&event), (Headline::Verified, Some(Wrapper::CloudEvent)));
    assert_eq!(wrapped(&json!({"detail": event})), (Headline::Verified, Some(Wrapper::EventBus)));
    // A list in an event is no record, unless it is a timeline.
    assert_eq!(kind(&json!({"specversion": "1.0", "data": [published("x")]})), NONE);
    assert_eq!(kind(&json!({"specversion": "1.0", "data": timeline(2)["timeline"]})).0, Kind::Chain);
}

#[test]
fn layers_that_do_not_apply_say_so() {
    use crate::aer1::words::Layer;
    let transport = of(&transport("x"));
    assert_eq!(transport.check(Layer::Status), Check::NotApplicable, "a transport receipt claims no outcome");
    let published = of(&published("x"));
    assert_eq!(published.check(Layer::Status), Check::Passed);
    for report in [published, transport] {
        assert_eq!(report.check(Layer::Structure), Check::NotApplicable, "{:?}", report.kind);
    }
}

#[test]
fn a_receipt_member_counts_beside_a_full_wrapper_and_only_as_an_object() {
    let good = published("x");
    let beside = |embedded: J| of(&json!({"receipt": good, "_receipt": embedded}));
    for text in [json!("text"), json!(null), json!([good])] {
        let report = beside(text);
        assert_eq!((report.headline, report.class), (Headline::Verified, None));
    }
    let altered = with(good.clone(), "/output_hash", Some(json!(hash(b"y"))));
    let report = beside(altered.clone());
    assert_eq!((report.headline, report.class), (Headline::Mismatch, Some(Class::DigestMismatch)));
    // Around nothing the wrapper decides, and what stands beside it is not opened.
    for embedded in [altered, good.clone()] {
        assert_eq!(kind(&json!({"jsonrpc": "2.0", "_receipt": embedded})), NONE);
    }
}

#[test]
fn the_hash_is_reached_only_over_bytes_that_were_decoded() {
    let checks = |bytes: Option<J>, declared: J| {
        let record = with(with(published("x"), "/canonical_bytes", bytes), "/output_hash", Some(declared));
        let report = of(&record);
        (report.check(Layer::Utf8), report.check(Layer::Hash))
    };
    let declared = json!(hash(b"{}"));
    assert_eq!(checks(Some(json!("e30=")), declared.clone()), (Check::Passed, Check::Passed));
    for bytes in [None, Some(json!("e30")), Some(json!("e3*=")), Some(json!(7))] {
        assert_eq!(checks(bytes.clone(), declared.clone()), (Check::NotReached, Check::NotReached), "{bytes:?}");
        assert_eq!(checks(bytes, json!("sha256:short")), (Check::NotReached, Check::Failed));
    }
}

#[test]
fn the_binding_is_reached_only_over_matching_bytes() {
    let binding = |record: &J| of(record).check(Layer::Binding);
    assert_eq!(binding(&published("x")), Check::Passed);
    assert_eq!(binding(&with(published("x"), "/output_hash", Some(json!(hash(b"y"))))), Check::NotReached);
    assert_eq!(binding(&with(transport("x"), "/canonical_bytes", None)), Check::NotApplicable);
}
