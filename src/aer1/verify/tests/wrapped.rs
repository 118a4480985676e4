//! What stands around a record, beside it and inside it: wrappers, lists, lines, two kinds at once (rules §2).

use super::*;

#[test]
fn wrappers_and_what_they_state() {
    let r = published("x");
    let endpoint = json!({"receipt": r, "verdict": "PASS"});
    assert_eq!(of(&endpoint).headline, Headline::Verified);
    let lies = with(endpoint.clone(), "/id", Some(json!("other")));
    assert_eq!(words(&of(&lies)), ("mismatch".into(), Some("envelope_mismatch"), vec!["envelope_mismatch"]));
    assert_eq!(of(&json!({"receipt": endpoint})).headline, Headline::NotReceipt);
    let event = json!({"specversion": "1.0", "id": ID, "source": "/tools/tide.table", "data": r,
        "type": "dev.zambo.aer1.receipt.v1", "time": r["created_at"], "aer1schemaversion": "0.3",
        "aer1provenance": "OBSERVED VIA GATEWAY"});
    assert_eq!(words(&of(&event)), ("verified".into(), None, vec![]));
    for (name, value) in [
        ("id", json!("x")),
        ("source", json!("/tools/other")),
        ("type", json!("x")),
        ("time", json!("2026-03-04T05:06:07.50Z")),
        ("aer1schemaversion", json!(0.3)),
        ("aer1provenance", J::Null),
    ] {
        let r = of(&with(event.clone(), &format!("/{name}"), Some(value)));
        assert_eq!(words(&r).2, ["envelope_mismatch"], "{name}");
        assert_eq!(words(&of(&with(event.clone(), &format!("/{name}"), None))).0, "verified", "{name}");
    }
    assert_eq!(of(&with(event.clone(), "/specversion", Some(json!("0.3")))).class, Some(Class::VersionUnsupported));
    let bus = json!({"id": "bus", "source": "x", "detail": event});
    assert_eq!(words(&of(&bus)), ("verified".into(), None, vec![]));
    let rpc = json!({"jsonrpc": "2.0", "id": 1, "result": {"_receipt": transport("x")}, "error": null});
    assert_eq!(words(&of(&rpc)), ("intact".into(), None, vec![]));
    let failed = json!({"jsonrpc": "2.0", "id": 1, "error": {"code": 1, "message": "no"}});
    assert_eq!(words(&of(&failed)).1, Some("provider_error"));
    assert_eq!(of(&failed).kind, Kind::ProviderError);
    assert_eq!(of(&json!({"jsonrpc": "2.0", "id": 1, "error": null})).headline, Headline::NotReceipt);
    assert_eq!(of(&json!({"_receipt": {"note": 1}})).kind, Kind::Transport);
    assert_eq!(of(&json!({"specversion": "1.0", "data": {"x": 1}})).headline, Headline::NotReceipt);
}

#[test]
fn lists_lines_and_events() {
    let good = published("x").to_string();
    let bad = with(published("x"), "/id", Some(json!("x"))).to_string();
    let list = run(format!("[{good},5,{bad},[]]"));
    let seen: Vec<_> = list.iter().map(|r| (r.place.to_string(), r.headline.as_str())).collect();
    let expected = [("#0", "verified"), ("#1", "not_receipt"), ("#2", "malformed"), ("#3", "not_receipt")];
    assert_eq!(seen, expected.map(|(p, h)| (p.to_owned(), h)));
    for text in ["[]", "5", "null", "\"x\"", "[1,2]"] {
        assert_eq!(one(text).headline, Headline::NotReceipt, "{text}");
    }
    let lines = run(format!("\u{feff}{good}\r\n\r\n  \n{bad}\n[{good}]\n{{\"id\": \"\n"));
    let seen: Vec<_> = lines.iter().map(|r| (r.place.to_string(), words(r).1)).collect();
    let expected = [(":1", None), (":4", Some("id_syntax")), (":5#0", None), (":6", Some("json_truncated"))];
    assert_eq!(seen, expected.map(|(p, c)| (p.to_owned(), c)));
    let events = run(format!(": hi\nevent: receipt\ndata: {good}\n\ndata: [DONE]\ndata:{bad}\n"));
    let seen: Vec<_> = events.iter().map(|r| (r.place.to_string(), words(r).1)).collect();
    assert_eq!(seen, [(":3".to_owned(), None), (":6".to_owned(), Some("id_syntax"))]);
    assert_eq!(one("data: nothing\n").class, Some(Class::JsonSyntax));
    // One line alone is a document, and so is a pretty-printed one.
    assert_eq!(one(format!("{good}\n\n")).place, Place::WHOLE);
    assert_eq!(one(serde_json::to_string_pretty(&published("x")).unwrap()).headline, Headline::Verified);
    // A first line that is no object makes the whole a broken document.
    assert_eq!(one(format!("5\n{good}\n")).class, Some(Class::JsonSyntax));
}

#[test]
fn texts_that_are_not_json() {
    let good = published("x").to_string();
    for (text, class) in [
        (b"".to_vec(), Class::EmptyFile),
        (b"\xef\xbb\xbf \n".to_vec(), Class::EmptyFile),
        (b"{\"a\":\"\xff\"}".to_vec(), Class::JsonEncoding),
        (b"\xff\xfe{\0}\0".to_vec(), Class::JsonEncoding),
        (b"\0\0\xfe\xff".to_vec(), Class::JsonEncoding),
        (b"{\"a\":\"\xe6\x9d".to_vec(), Class::JsonTruncated),
        (b"{\"a\":\xe6\x9d".to_vec(), Class::JsonTruncated),
        (good.as_bytes()[..good.len() / 2].to_vec(), Class::JsonTruncated),
        (b"<html>".to_vec(), Class::JsonSyntax),
        (b"{\"a\":NaN}".to_vec(), Class::JsonSyntax),
        (b"{\"a\":\"\\udfff\"}".to_vec(), Class::JsonSurrogate),
        (b"\xef\xbb\xbf\xef\xbb\xbf{}".to_vec(), Class::JsonSyntax),
    ] {
        let r = one(&text);
        assert_eq!((r.class, r.kind), (Some(class), Kind::None), "{text:?}");
        assert_eq!(r.headline, Headline::Malformed);
    }
}

#[test]
fn a_member_named_twice() {
    let good = published("x").to_string();
    let twice = good.replacen('{', "{\"id\":\"x\",", 1);
    let r = one(&twice);
    assert_eq!(words(&r), ("malformed".into(), Some("duplicate_member"), vec!["duplicate_member"]));
    assert_eq!(r.id.as_deref(), Some(ID), "the last value is looked at");
    let deep = good.replacen("\"tool\":{", "\"tool\":{\"sc\\u006fpe\":\"x\",", 1);
    assert_eq!(one(&deep).class, Some(Class::DuplicateMember));
    let both = run(format!("[{good},{twice}]"));
    assert_eq!(both[0].headline, Headline::Verified, "other records are untouched");
    assert_eq!(both[1].class, Some(Class::DuplicateMember));
    let altered = with(published("x"), "/output_hash", Some(json!(hash(b"y")))).to_string();
    let altered = altered.replacen('{', "{\"id\":\"x\",", 1);
    assert_eq!(one(&altered).class, Some(Class::DigestMismatch));
}

#[test]
fn two_kinds_at_once_are_both_checked() {
    let leaf = hex(&crate::aer1::id_leaf("a"));
    let steps = json!([{"seq": 1, "receipt_id": "a"}]);
    let both = with(with(published("x"), "/steps", Some(steps)), "/merkle_root", Some(json!(leaf)));
    let r = of(&both);
    assert_eq!((r.kind, r.headline, r.class), (Kind::Published, Headline::Intact, None));
    let wrong = with(both.clone(), "/merkle_root", Some(json!("0".repeat(64))));
    assert_eq!(words(&of(&wrong)), ("mismatch".into(), Some("merkle_root_mismatch"), vec!["merkle_root_mismatch"]));
    let altered = with(wrong, "/output_hash", Some(json!(hash(b"y"))));
    assert_eq!(of(&altered).class, Some(Class::DigestMismatch));
    let around = with(both, "/receipt", Some(with(published("z"), "/output_hash", Some(json!(hash(b"y"))))));
    assert_eq!(of(&around).class, Some(Class::DigestMismatch));
    // Steps alone make no workflow.
    assert_eq!(of(&with(published("x"), "/steps", Some(json!([1])))).headline, Headline::Verified);
}

#[test]
fn two_kinds_inside_and_around_every_wrapper() {
    let root = json!("0".repeat(64));
    let steps = json!([{"seq": 1, "receipt_id": "a"}]);
    let mut rooted = published("x");
    rooted["steps"] = steps.clone();
    rooted["merkle_root"] = root.clone();
    let mut timed = published("x");
    timed["timeline"] = json!([{"prev_digest": "x"}]);
    let event = |r: J| json!({"specversion": "1.0", "data": r});
    let other = b64(b"other");
    let with_bytes = |mut shell: J| {
        shell["canonical_bytes"] = json!(other);
        shell["output_hash"] = json!(hash(b"x"));
        shell
    };
    let with_root = |mut shell: J| {
        shell["steps"] = steps.clone();
        shell["merkle_root"] = root.clone();
        shell
    };
    let good = || published("x");
    let inner = |class: Class, record: J| {
        for wrapped in [
            json!({"_receipt": record}),
            json!({"jsonrpc": "2.0", "result": {"_receipt": record}}),
            json!({"receipt": record}),
            event(record.clone()),
            json!({"detail": event(record.clone())}),
        ] {
            assert_eq!(of(&wrapped).class, Some(class), "{wrapped}");
        }
    };
    inner(Class::MerkleRootMismatch, rooted);
    inner(Class::MissingMember, timed);
    for (shells, class) in [
        (&with_bytes as &dyn Fn(J) -> J, Class::DigestMismatch),
        (&with_root as &dyn Fn(J) -> J, Class::MerkleRootMismatch),
    ] {
        for wrapped in [
            shells(json!({"receipt": good()})),
            shells(event(good())),
            json!({"detail": shells(event(good()))}),
            shells(json!({"detail": event(good())})),
            json!({"jsonrpc": "2.0", "result": shells(json!({"_receipt": good()}))}),
            shells(json!({"jsonrpc": "2.0", "result": {"_receipt": good()}})),
            shells(json!({"_receipt": good()})),
        ] {
            assert_eq!(of(&wrapped).class, Some(class), "{wrapped}");
        }
    }
}

#[test]
fn classes_of_two_kinds_stand_in_layer_order() {
    let mut r = published("x");
    r["id"] = json!("no");
    r["timeline"] = json!([{"prev_digest": "x", "seq": 1}]);
    let all = of(&r).classes();
    let mut sorted = all.clone();
    sorted.sort_by_key(|c| c.layer());
    assert_eq!(all, sorted);
    assert!(all.contains(&Class::IdSyntax) && all.contains(&Class::MissingMember));
}

#[test]
fn envelopes_around_workflows_are_compared_too() {
    let workflow = json!({"id": "w1", "count": 1, "receipts": [{"id": "a", "step_index": 0}],
        "merkle_root": hex(&crate::aer1::id_leaf("a"))});
    assert_eq!(of(&json!({"receipt": workflow})).headline, Headline::Intact);
    assert_eq!(of(&json!({"id": "w1", "receipt": workflow})).headline, Headline::Intact);
    assert_eq!(of(&json!({"id": "w2", "receipt": workflow})).class, Some(Class::EnvelopeMismatch));
    let event = json!({"specversion": "1.0", "id": "w2", "data": workflow});
    assert_eq!(of(&event).class, Some(Class::EnvelopeMismatch));
}

#[test]
fn nesting_hides_no_contradiction() {
    for depth in [9_000, 10_001, 200_000] {
        let deep = format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        let class = format!("{{\"issuer_claims\":{{\"provenance_class\":\"LOGGED BY AGENT\"}},\"x\":{deep}}}");
        assert_eq!(of(&published(&class)).class, Some(Class::ProvenanceMismatch), "{depth}");
        let version = format!("{{\"x\":{deep},\"receipt_schema_version\":\"0.2\"}}");
        assert_eq!(of(&published(&version)).class, Some(Class::VersionMismatch), "{depth}");
        let mixed = format!("{{\"x\":{}1{}}}", "[{\"a\":".repeat(depth), "}]".repeat(depth));
        assert_eq!(of(&published(&mixed)).headline, Headline::Verified, "{depth}");
    }
}

/// Two wrappers in one object: whoever opens only the first would not see the other receipt.
#[test]
fn every_wrapper_of_a_record_is_opened() {
    let good = published("{\"inputs\":{}}");
    let altered = with(good.clone(), "/canonical_bytes", Some(json!(b64(b"{}"))));
    let event = |r: &J| json!({"specversion": "1.0", "data": r});
    let call = |r: &J| json!({"jsonrpc": "2.0", "result": {"_receipt": r}});
    let endpoint = |r: &J| json!({"receipt": r});
    let inner = |r: &J| json!({"_receipt": r});
    let bus = |r: &J| json!({"detail": event(r)});
    let both = |a: J, b: J| {
        let mut all = a.as_object().unwrap().clone();
        all.extend(b.as_object().unwrap().clone());
        J::Object(all)
    };
    for (name, make) in [
        ("event, endpoint", &(|a: &J, b: &J| both(event(a), endpoint(b))) as &dyn Fn(&J, &J) -> J),
        ("call, endpoint", &|a, b| both(call(a), endpoint(b))),
        ("call, _receipt", &|a, b| both(call(a), inner(b))),
        ("call, event", &|a, b| both(call(a), event(b))),
        ("endpoint, _receipt", &|a, b| both(endpoint(a), inner(b))),
        ("event, bus", &|a, b| both(event(a), bus(b))),
    ] {
        let verdict = |a: &J, b: &J| {
            let report = of(&make(a, b));
            (report.kind, report.headline, report.class)
        };
        let mismatch = (Kind::Published, Headline::Mismatch, Some(Class::DigestMismatch));
        assert_eq!(verdict(&good, &altered), mismatch, "{name}");
        assert_eq!(verdict(&altered, &good), mismatch, "{name}");
        assert_eq!(verdict(&good, &good), (Kind::Published, Headline::Intact, None), "{name}: both good");
        assert_eq!(
            verdict(&good, &json!({"a": 1})).1,
            if name.contains("_receipt") { Headline::Unavailable } else { Headline::Verified },
            "{name}"
        );
    }
}

/// A wrapper around nothing that has bytes of its own is two things at once: never green, and its attributes count.
#[test]
fn a_wrapper_around_nothing_is_not_green() {
    let good = published("x");
    let more = |name: &str, value: J| with(good.clone(), &format!("/{name}"), Some(value));
    for record in [
        more("jsonrpc", json!("2.0")),
        json!({"jsonrpc": "2.0", "result": good}),
        with(more("specversion", json!("1.0")), "/data", Some(J::Null)),
        more("receipt", json!({"a": 1})),
        more("detail", json!({"specversion": "1.0", "data": 7})),
    ] {
        let report = of(&record);
        assert_eq!((report.kind, report.headline, report.class), (Kind::Published, Headline::Intact, None), "{record}");
        assert!(report.notes.contains(&Note::TwoKinds(Kind::Published, Kind::None)));
    }
    let event = |version: &str| with(more("specversion", json!(version)), "/data", Some(json!({})));
    assert_eq!(of(&event("9")).class, Some(Class::VersionUnsupported));
    let other = with(event("1.0"), "/aer1provenance", Some(json!("EXECUTED BY X")));
    assert_eq!(of(&other).class, Some(Class::EnvelopeMismatch));
    // With nothing of its own it is nothing.
    assert_eq!(of(&json!({"jsonrpc": "2.0", "receipt": good})).headline, Headline::NotReceipt);
}

#[test]
fn what_a_wrapper_says_differently_stands_in_its_place_among_the_faults() {
    let classes = |report: &Report| report.classes().iter().map(|class| class.as_str()).collect::<Vec<_>>();
    let event = |data: J, version: &str, id: &str| json!({"specversion": version, "id": id, "data": data});
    let bad_id = with(published("x"), "/id", Some(json!("no uuid")));
    let report = of(&event(bad_id.clone(), "2.0", "no uuid"));
    assert_eq!((report.headline, classes(&report)), (Headline::Unsupported, vec!["version_unsupported", "id_syntax"]));
    assert_eq!((report.check(Layer::Version), report.check(Layer::Envelope)), (Check::Failed, Check::Passed));
    let report = of(&event(bad_id, "1.0", "other"));
    assert_eq!((report.headline, classes(&report)), (Headline::Malformed, vec!["id_syntax", "envelope_mismatch"]));
    assert_eq!(report.check(Layer::Envelope), Check::Failed);
    let expecting = Options { expect_id: Some("expected".to_owned()), ..Options::default() };
    let endpoint = json!({"id": "other", "receipt": published("x")}).to_string();
    let report = run_with(endpoint.as_bytes(), expecting).remove(0);
    assert_eq!(classes(&report), ["envelope_mismatch", "id_mismatch"], "what is expected from outside comes last");
    // A class without a fault stays when the wrapper has nothing to add.
    let payload = b64(b"one");
    let older = json!([{"id": "e1", "canonical_bytes": payload, "prev_digest": "0".repeat(64), "close": true}]);
    let report = of(&json!({"specversion": "1.0", "data": {"timeline": older}}));
    assert_eq!((report.headline, report.class), (Headline::Intact, Some(Class::ChainHistorical)));
}

#[test]
fn of_two_kinds_each_check_is_the_weaker_one() {
    let root = |root: String| {
        let steps = json!([{"seq": 1, "receipt_id": ID, "output_hash": "0".repeat(64)}]);
        let record = with(published("x"), "/merkle_root", Some(json!(root)));
        of(&with(record, "/steps", Some(steps)))
    };
    let holding = &hash(ID.as_bytes())[7..];
    let report = root(holding.to_owned());
    assert_eq!((report.headline, report.class), (Headline::Intact, None));
    for layer in [Layer::Base64, Layer::Hash, Layer::Structure, Layer::Links] {
        assert_eq!(report.check(layer), Check::Passed, "{layer:?}");
    }
    let report = root("0".repeat(64));
    assert_eq!((report.headline, report.class), (Headline::Mismatch, Some(Class::MerkleRootMismatch)));
    assert_eq!((report.check(Layer::Hash), report.check(Layer::Links)), (Check::Passed, Check::Failed));
    assert_eq!(report.check(Layer::Identity), Check::NotApplicable);
    // The first kind's own failure is not covered up by what the second has passed.
    let altered = with(published("x"), "/output_hash", Some(json!(hash(b"y"))));
    let steps = json!([{"seq": 1, "receipt_id": ID, "output_hash": "0".repeat(64)}]);
    let record = with(with(altered, "/merkle_root", Some(json!(holding))), "/steps", Some(steps));
    let report = of(&record);
    assert_eq!((report.headline, report.class), (Headline::Mismatch, Some(Class::DigestMismatch)));
    assert_eq!((report.check(Layer::Hash), report.check(Layer::Links)), (Check::Failed, Check::Passed));
}

#[test]
fn a_resolved_record_is_no_match_for_what_has_no_output_hash() {
    let resolved = Resolved { output_hash: hash(b"x"), id: None };
    let options = Options { resolved: Some(resolved), ..Options::default() };
    let error = json!({"jsonrpc": "2.0", "error": {"message": "no"}});
    for (record, headline) in [(timeline(2), Headline::Mismatch), (error, Headline::Unavailable)] {
        let report = run_with(record.to_string().as_bytes(), options.clone()).remove(0);
        assert_eq!((report.headline, report.id_state), (headline, IdState::Mismatched));
        assert!(report.classes().contains(&Class::IdMismatch));
        assert_eq!(report.check(Layer::Identity), Check::Failed);
    }
}
