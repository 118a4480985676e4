//! Receipts in wrappers, and files of many records: rules §2.1 to §2.3, §2.7 and §2.9.

use super::chains::timeline;
use super::*;
use crate::make::receipt::output_hash;

pub(super) fn make(m: &mut Maker) {
    json_rpc(m);
    receipt_member(m);
    cloud_events(m);
    endpoint(m);
    many(m);
}

fn response(result: Json) -> Json {
    object([("jsonrpc", "2.0".into()), ("id", 7.into()), ("result", result)])
}

fn result_with(receipt: Json) -> Json {
    let content = object([("type", "text".into()), ("text", "High water 04:12 and 16:37".into())]);
    object([("content", Json::List(vec![content])), ("_receipt", receipt)])
}

/// A receipt whose hash is that of other bytes.
fn wrong() -> Json {
    published().with("output_hash", output_hash(b"other"))
}

fn json_rpc(m: &mut Maker) {
    use Class::{DigestMismatch, DuplicateMember};
    m.one(
        "rpc-transport",
        &response(result_with(transport())),
        TRANSPORT,
        "§2.1",
        "A transport receipt in a JSON-RPC response.",
    );
    m.one(
        "rpc-published",
        &response(result_with(published())),
        VERIFIED,
        "§2.1",
        "The receipt's members decide its kind.",
    );
    m.one(
        "rpc-pointer",
        &response(result_with(failure())),
        POINTER,
        "§2.1",
        "A provider failure in a JSON-RPC response.",
    );
    m.one(
        "rpc-digest",
        &response(result_with(wrong())),
        bad(DigestMismatch),
        "§2.1",
        "The receipt in the response does not match.",
    )
    .twin("rpc-published");
    let error = object([("code", Json::raw("-32000")), ("message", "provider unavailable".into())]);
    let provider = Verdict { kind: Kind::ProviderError, ..bad(Class::ProviderError) };
    m.one(
        "rpc-error",
        &object([("jsonrpc", "2.0".into()), ("id", 7.into()), ("error", error)]),
        provider,
        "§2.1",
        "The provider answered with an error: nothing to compare.",
    )
    .twin("rpc-published");
    m.one(
        "rpc-error-null",
        &response(result_with(transport())).with("error", Json::null()),
        TRANSPORT,
        "§2.1",
        "An error that is null is absent.",
    );
    m.one(
        "rpc-neither",
        &object([("jsonrpc", "2.0".into()), ("id", 7.into()), ("error", Json::null())]),
        OTHER,
        "§2.1",
        "Neither a receipt nor an error.",
    );
    m.one(
        "rpc-no-receipt",
        &response(result_with(published()).without("_receipt")),
        OTHER,
        "§2.1",
        "A result without a receipt.",
    );
    let mut doubled = response(result_with(published()));
    doubled.add("id", 8);
    m.one("rpc-duplicate", &doubled, bad(DuplicateMember), "§3.2", "A repeated member of the wrapper counts.")
        .twin("rpc-published");
    m.file("rpc-batch", &Json::List(vec![response(result_with(transport())), response(result_with(wrong()))]));
    m.record("rpc-batch", Some("#0"), TRANSPORT, "§2.9", "The first response of a batch.");
    m.record(
        "rpc-batch",
        Some("#1"),
        bad(DigestMismatch),
        "§2.9",
        "The second response of a batch, judged on its own.",
    )
    .twin("rpc-published");
}

fn receipt_member(m: &mut Maker) {
    let wrap = |receipt: Json| object([("_receipt", receipt)]);
    m.one("member-transport", &wrap(transport()), TRANSPORT, "§2.7", "An object with a _receipt.");
    m.one("member-published", &wrap(published()), VERIFIED, "§2.7", "The receipt's members decide its kind.");
    m.one(
        "member-digest",
        &wrap(wrong()),
        bad(Class::DigestMismatch),
        "§2.7",
        "The receipt in _receipt does not match.",
    )
    .twin("member-published");
    m.one(
        "member-bare",
        &wrap(object([("id", ID.into())])),
        POINTER,
        "§2.7",
        "With no mark of either form it is a transport receipt.",
    );
    m.one("member-text", &wrap("5b1d7a0e".into()), OTHER, "§2.7", "A _receipt that is no object.");
}

fn event(data: Json) -> Json {
    object([
        ("specversion", "1.0".into()),
        ("id", ID.into()),
        ("source", "/tools/tide.table".into()),
        ("type", "dev.zambo.aer1.receipt.v1".into()),
        ("time", "2026-03-14T09:26:53.589Z".into()),
        ("datacontenttype", "application/json".into()),
        ("aer1provenance", GATEWAY.into()),
        ("aer1schemaversion", "0.3".into()),
        ("data", data),
    ])
}

fn cloud_events(m: &mut Maker) {
    use Class::{EnvelopeMismatch, IdSyntax, VersionUnsupported};
    m.one(
        "event",
        &event(published()),
        VERIFIED,
        "§2.2",
        "A receipt in a CloudEvents event, every attribute agreeing.",
    );
    for attribute in ["id", "source", "type", "time", "aer1provenance", "aer1schemaversion"] {
        m.one(
            &format!("event-without-{attribute}"),
            &event(published()).without(attribute),
            VERIFIED,
            "§2.2",
            "An absent attribute is no difference.",
        );
    }
    for (attribute, value, why) in [
        ("id", OTHER_ID, "The event names another id."),
        ("source", "/tools/tide.tables", "The event names another tool."),
        ("type", "dev.zambo.aer1.receipt.v2", "The event names another type."),
        (
            "time",
            "2026-03-14T10:26:53.589+01:00",
            "The same moment in another spelling: attributes are compared as text.",
        ),
        ("aer1provenance", AGENT, "The event names another class."),
        ("aer1schemaversion", "0.2", "The event names another version."),
    ] {
        m.one(
            &format!("event-other-{attribute}"),
            &event(published()).with(attribute, value),
            bad(EnvelopeMismatch),
            "§2.2",
            why,
        )
        .twin("event");
    }
    m.one(
        "event-id-and-receipt",
        &event(published().with("id", "x")),
        bad(IdSyntax),
        "§1",
        "The receipt's own fault is named before the envelope's.",
    )
    .twin("event");
    m.one(
        "event-digest",
        &event(wrong()),
        bad(Class::DigestMismatch),
        "§2.2",
        "The receipt in the event does not match.",
    )
    .twin("event");
    m.one(
        "event-specversion",
        &event(published()).with("specversion", "0.3"),
        bad(VersionUnsupported),
        "§2.2",
        "Another version of CloudEvents.",
    )
    .twin("event");
    m.one(
        "event-other-data",
        &event(object([("high", "04:12".into())])),
        OTHER,
        "§2.2",
        "An event about something else.",
    );
    m.one(
        "event-wrapped-twice",
        &event(object([("receipt", published())])),
        OTHER,
        "§2.2",
        "Nothing is unwrapped twice.",
    );
    let bare = || {
        event(Json::null())
            .without("aer1provenance")
            .without("aer1schemaversion")
            .without("source")
            .without("id")
            .without("time")
    };
    m.one(
        "event-timeline",
        &bare().with("data", object([("timeline", timeline(2))])),
        CHAIN,
        "§2.2",
        "An event may carry a timeline.",
    );
    let bus = |detail: Json| {
        object([
            ("version", "0".into()),
            ("id", OTHER_ID.into()),
            ("detail-type", "dev.zambo.aer1.receipt.v1".into()),
            ("source", "harbour.gateway".into()),
            ("time", "2026-03-14T09:27:10Z".into()),
            ("detail", detail),
        ])
    };
    m.one(
        "bus",
        &bus(event(published())),
        VERIFIED,
        "§2.2",
        "The event in detail counts; the outer id is the bus's own.",
    );
    m.one(
        "bus-other-id",
        &bus(event(published()).with("id", OTHER_ID)),
        bad(EnvelopeMismatch),
        "§2.2",
        "The event in detail names another id.",
    )
    .twin("bus");
    m.one(
        "bus-other",
        &bus(object([("state", "stopped".into())])),
        OTHER,
        "§2.2",
        "An event of the bus about something else.",
    );
}

fn endpoint(m: &mut Maker) {
    let answer = |receipt: Json| object([("verified", true.into()), ("receipt", receipt)]);
    m.one(
        "endpoint",
        &answer(published()),
        VERIFIED,
        "§2.3",
        "A verify endpoint's answer; what it claims is not asked.",
    );
    m.one("endpoint-transport", &answer(transport()), TRANSPORT, "§2.3", "A transport receipt in it.");
    m.one("endpoint-id", &answer(published()).with("id", ID), VERIFIED, "§2.3", "The outer id is the receipt's.");
    m.one(
        "endpoint-other-id",
        &answer(published()).with("id", OTHER_ID),
        bad(Class::EnvelopeMismatch),
        "§2.3",
        "The answer is about another id.",
    )
    .twin("endpoint-id");
    m.one(
        "endpoint-claims",
        &answer(wrong()),
        bad(Class::DigestMismatch),
        "§2.3",
        "The endpoint says verified; the bytes do not match.",
    )
    .twin("endpoint");
    m.one("endpoint-twice", &answer(answer(published())), OTHER, "§2.3", "Nothing is unwrapped twice.");
    m.one(
        "endpoint-text",
        &object([("verified", true.into()), ("receipt", ID.into())]),
        OTHER,
        "§2.3",
        "A receipt that is no object.",
    );
    let mut doubled = answer(published());
    doubled.add("verified", false);
    m.one(
        "endpoint-duplicate",
        &doubled,
        bad(Class::DuplicateMember),
        "§3.2",
        "A repeated member of the wrapper counts.",
    )
    .twin("endpoint");
}

fn many(m: &mut Maker) {
    use Class::{DigestMismatch, DuplicateMember, IdSyntax, JsonEncoding, JsonTruncated};
    let good = || published().compact();
    m.file("array", &Json::List(vec![published(), transport(), wrong(), object([("name", "x".into())])]));
    m.record("array", Some("#0"), VERIFIED, "§2.9", "Each element is a record of its own.");
    m.record("array", Some("#1"), TRANSPORT, "§2.9", "Each element is of its own kind.");
    m.record("array", Some("#2"), bad(DigestMismatch), "§2.9", "Each element is judged on its own.").twin("published");
    m.record("array", Some("#3"), OTHER, "§2.9", "An element that is no receipt.");
    m.file("array-of-one", &Json::List(vec![published()]));
    m.record("array-of-one", Some("#0"), VERIFIED, "§2.9", "An array of one is an array.");
    let mut doubled = published();
    doubled.add("id", ID);
    m.file("array-duplicate", &Json::List(vec![published(), doubled]));
    m.record("array-duplicate", Some("#0"), VERIFIED, "§3.2", "A repeated member elsewhere leaves this record alone.");
    m.record("array-duplicate", Some("#1"), bad(DuplicateMember), "§3.2", "This record repeats a member.")
        .twin("published");

    m.file(
        "lines.jsonl",
        format!("{}\n\n{}\r\n  \n{}\n", good(), transport().compact(), published().with("id", "x").compact()),
    );
    m.record("lines.jsonl", Some(":1"), VERIFIED, "§2.9", "Each line is a document.");
    m.record("lines.jsonl", Some(":3"), TRANSPORT, "§2.9", "Blank lines are counted.");
    m.record("lines.jsonl", Some(":5"), bad(IdSyntax), "§2.9", "Each line is judged on its own.").twin("published");
    m.file("lines-mark.jsonl", format!("\u{feff}{}\n{}\n", good(), good()));
    m.record("lines-mark.jsonl", Some(":1"), VERIFIED, "§3.2", "One leading byte order mark is accepted.");
    m.record("lines-mark.jsonl", Some(":2"), VERIFIED, "§2.9", "The line after it.");
    m.file("lines-cut.jsonl", format!("{}\n{}", good(), good().get(..200).unwrap_or_default()));
    m.record("lines-cut.jsonl", Some(":1"), VERIFIED, "§2.9", "A cut last line leaves the others alone.");
    m.record(
        "lines-cut.jsonl",
        Some(":2"),
        unread(JsonTruncated),
        "§2.9",
        "A cut last line is a finding on that line.",
    )
    .twin("published");
    m.file("lines-encoding.jsonl", [good().as_bytes(), b"\n{\"x\":\"\xf8\"}\n", good().as_bytes(), b"\n"].concat());
    m.record("lines-encoding.jsonl", Some(":1"), VERIFIED, "§2.9", "A line before one that is not UTF-8.");
    m.record("lines-encoding.jsonl", Some(":2"), unread(JsonEncoding), "§2.9", "A line that is not UTF-8.")
        .twin("published");
    m.record("lines-encoding.jsonl", Some(":3"), VERIFIED, "§2.9", "A line after one that is not UTF-8.");
    m.file("lines-array.jsonl", format!("{}\n{}\n", good(), Json::List(vec![transport(), wrong()]).compact()));
    m.record("lines-array.jsonl", Some(":1"), VERIFIED, "§2.9", "A line before an array.");
    m.record("lines-array.jsonl", Some(":2#0"), TRANSPORT, "§2.9", "The first element of an array on a line.");
    m.record(
        "lines-array.jsonl",
        Some(":2#1"),
        bad(DigestMismatch),
        "§2.9",
        "The second element of an array on a line.",
    )
    .twin("published");
    // The name says nothing: the content decides.
    m.file("lines-named.json", format!("{}\n{}\n", good(), object([("x", 1.into())]).compact()));
    m.record("lines-named.json", Some(":1"), VERIFIED, "§2.9", "One record a line, whatever the file is called.");
    m.record("lines-named.json", Some(":2"), OTHER, "§2.10", "A line that is no receipt.");

    m.file(
        "events.json",
        format!("event: receipt\ndata: {}\n\nid: 2\ndata: {}\n\ndata: [DONE]\n\n", good(), wrong().compact()),
    );
    m.record("events.json", Some(":2"), VERIFIED, "§2.9", "A server-sent event carries a receipt.");
    m.record("events.json", Some(":5"), bad(DigestMismatch), "§2.9", "The next event, judged on its own.")
        .twin("published");
}
