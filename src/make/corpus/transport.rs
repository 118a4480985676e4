//! Transport receipts and projections: rules §3.6 and §10.

use super::receipts::altered;
use super::*;
use crate::make::receipt::{base64, output_hash};

pub(super) fn make(m: &mut Maker) {
    use Class::{HashSyntax, IdSyntax, MissingMember, TimeCalendar, ToolInvalid, WrongType};
    let fault = |class: Class| bad(class).of(Kind::Transport);
    for member in ["id", "tool", "timestamp", "provenance_class", "output_hash", "verification_status", "status"] {
        let why = format!("With bytes, a transport receipt must have its {member}.");
        m.one(&format!("transport-missing-{member}"), &transport().without(member), fault(MissingMember), "§3.6", &why)
            .twin("transport");
    }
    for member in ["receipt_schema_version", "tool_context", "canonical_byte_length", "hash_algorithm"] {
        let why = format!("A transport receipt may lack {member}.");
        m.one(&format!("transport-without-{member}"), &transport().without(member), TRANSPORT, "§3.6", &why);
    }
    for member in [
        "id",
        "timestamp",
        "provenance_class",
        "output_hash",
        "verification_status",
        "status",
        "receipt_schema_version",
        "tool_context",
    ] {
        let why = format!("{member} is present and null.");
        m.one(
            &format!("transport-null-{member}"),
            &transport().with(member, Json::null()),
            fault(WrongType),
            "§3.6",
            &why,
        )
        .twin("transport");
    }
    m.one(
        "transport-tool-number",
        &transport().with("tool", 4),
        fault(WrongType),
        "§3.6",
        "A number where the tool's name should be.",
    )
    .twin("transport");
    m.one(
        "transport-context-text",
        &transport().with("tool_context", "tide.table"),
        fault(WrongType),
        "§3.6",
        "A text where the tool context should be.",
    )
    .twin("transport");
    m.one(
        "transport-context-no-scope",
        &transport().inside("tool_context", |t| t.without("scope")),
        fault(ToolInvalid),
        "§3.6",
        "The tool context names no caller scope.",
    )
    .twin("transport");
    m.one(
        "transport-context-empty",
        &transport().inside("tool_context", |t| t.with("version", "")),
        fault(ToolInvalid),
        "§3.6",
        "The tool context has an empty version.",
    )
    .twin("transport");
    m.one(
        "transport-says-verified",
        &transport().with("verification_status", "verified"),
        TRANSPORT,
        "§1",
        "The word verified in a transport receipt is its own claim.",
    );
    m.one(
        "transport-failed",
        &transport().with("status", "timeout"),
        TRANSPORT,
        "§3.6",
        "A failed call keeps its status; its bytes match.",
    );
    m.one(
        "transport-digest",
        &transport().with("canonical_bytes", base64(altered().as_bytes())),
        fault(Class::DigestMismatch),
        "§3.12",
        "One byte was changed after it was hashed.",
    )
    .twin("transport");

    m.one(
        "transport-failure",
        &failure(),
        POINTER,
        "§3.6",
        "A provider failure without bytes leaves nothing to compare.",
    );
    m.one(
        "transport-bytes-null",
        &failure().with("canonical_bytes", Json::null()),
        POINTER,
        "§3.6",
        "Bytes that are null are absent.",
    );
    m.one(
        "transport-failure-bare",
        &failure().without("provenance_class").without("verification_status"),
        POINTER,
        "§3.6",
        "Without bytes, a transport receipt may lack any member.",
    );
    let still = |m: &mut Maker, name: &str, doc: Json, class: Class, why: &str| {
        m.one(name, &doc, fault(class), "§3.6", why).twin("transport-failure");
    };
    still(
        m,
        "transport-failure-id",
        failure().with("id", "5B1D7A0E"),
        IdSyntax,
        "What it has must be well formed: the id.",
    );
    still(
        m,
        "transport-failure-time",
        failure().with("timestamp", "2026-04-31T00:00:00Z"),
        TimeCalendar,
        "What it has must be well formed: the time.",
    );
    still(
        m,
        "transport-failure-hash",
        failure().with("output_hash", "none"),
        HashSyntax,
        "What it has must be well formed: the hash.",
    );
    still(
        m,
        "transport-failure-class",
        failure().with("provenance_class", "SEEN"),
        Class::ProvenanceUnknown,
        "What it has must be well formed: the class.",
    );
    still(m, "transport-failure-status", failure().with("status", 503), WrongType, "What it has must have its type.");

    let projection = published()
        .without("canonical_bytes")
        .renamed("output_hash", "original_output_hash")
        .with("projection_of", ID)
        .with("projection_hash", output_hash(b"the public page"));
    let unavailable = Verdict { headline: Headline::Unavailable, ..VERIFIED };
    m.one("projection", &projection, unavailable, "§10", "A redacted projection holds no bytes to compare.");
    m.one(
        "projection-bare",
        &object([("projection_of", ID.into()), ("created_at", "2026-03-14T09:26:53Z".into())]),
        unavailable,
        "§10",
        "A projection may keep very little.",
    );
    m.one(
        "projection-time",
        &projection.clone().with("created_at", "2026-02-30T09:26:53Z"),
        bad(TimeCalendar),
        "§10",
        "What a projection still has must be well formed.",
    )
    .twin("projection");
}
