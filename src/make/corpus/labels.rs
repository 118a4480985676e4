//! The labels of a receipt, one fault each: rules §3.7 to §3.11.

use super::receipts::{good, swap};
use super::*;

pub(super) fn make(m: &mut Maker) {
    ids(m);
    times(m);
    tools(m);
    classes(m);
    statuses(m);
}

fn ids(m: &mut Maker) {
    use Class::{IdNil, IdSyntax};
    let upper = ID.to_ascii_uppercase();
    let bare = ID.replace('-', "");
    for (name, id, why) in [
        ("id-upper", upper.as_str(), "Capitals."),
        ("id-bare", &bare, "Without hyphens."),
        ("id-braces", "{5b1d7a0e-93c4-4f0b-8a6d-2f7c1e90b3d4}", "In braces."),
        ("id-urn", "urn:uuid:5b1d7a0e-93c4-4f0b-8a6d-2f7c1e90b3d4", "As a URN."),
        (
            "id-newline",
            "5b1d7a0e-93c4-4f0b-8a6d-2f7c1e90b3d4\n",
            "A line feed after it; the pattern is the whole string.",
        ),
        ("id-space", " 5b1d7a0e-93c4-4f0b-8a6d-2f7c1e90b3d4", "A space before it."),
        ("id-short", "5b1d7a0e-93c4-4f0b-8a6d-2f7c1e90b3d", "One digit short."),
        ("id-letter", "5b1d7a0e-93c4-4f0b-8a6d-2f7c1e90b3dg", "A letter that is no digit."),
        ("id-hyphens", "5b1d7a0e93-c4-4f0b-8a6d-2f7c1e90b3d4", "Hyphens elsewhere."),
        ("id-path", "../../../etc/cron.d/5b1d7a0e", "A path."),
        ("id-full-width", "５b1d7a0e-93c4-4f0b-8a6d-2f7c1e90b3d4", "A full-width digit."),
        ("id-empty", "", "Empty."),
    ] {
        swap(m, name, "id", id, IdSyntax, "§3.7", why);
    }
    swap(m, "id-nil", "id", "00000000-0000-0000-0000-000000000000", IdNil, "§3.7", "The nil UUID names nothing.");
    good(
        m,
        "id-version-1",
        "id",
        "5b1d7a0e-93c4-11f0-8a6d-2f7c1e90b3d4",
        "§3.7",
        "Version 4 is a note of the strict tier only.",
    );
    good(
        m,
        "id-version-7",
        "id",
        "019524e1-7b2c-7f0b-8a6d-2f7c1e90b3d4",
        "§3.7",
        "Version 4 is a note of the strict tier only.",
    );
    good(
        m,
        "id-swapped",
        "id",
        OTHER_ID,
        "§1",
        "Below 0.4 nothing binds the id to the bytes: another id verifies as well.",
    );
}

fn times(m: &mut Maker) {
    use Class::{TimeCalendar, TimeSyntax};
    for (name, time, why) in [
        ("time-no-zone", "2026-03-14T09:26:53", "No zone."),
        ("time-lower-t", "2026-03-14t09:26:53Z", "A lower-case t, which RFC 3339 alone would allow."),
        ("time-lower-z", "2026-03-14T09:26:53z", "A lower-case z, which RFC 3339 alone would allow."),
        ("time-space", "2026-03-14 09:26:53Z", "A space for the T."),
        ("time-comma", "2026-03-14T09:26:53,5Z", "A comma in the fraction."),
        ("time-empty-fraction", "2026-03-14T09:26:53.Z", "A point without digits."),
        ("time-date-only", "2026-03-14", "A date alone."),
        ("time-no-seconds", "2026-03-14T09:26Z", "No seconds."),
        ("time-offset-bare", "2026-03-14T09:26:53+0100", "An offset without its colon."),
        ("time-offset-hours", "2026-03-14T09:26:53+01", "An offset of hours alone."),
        ("time-offset-minus", "2026-03-14T09:26:53\u{2212}01:00", "A typographic minus."),
        ("time-newline", "2026-03-14T09:26:53Z\n", "A line feed after it; the pattern is the whole string."),
        ("time-leading-space", " 2026-03-14T09:26:53Z", "A space before it."),
        ("time-year-5", "12026-03-14T09:26:53Z", "A year of five digits."),
        ("time-year-2", "26-03-14T09:26:53Z", "A year of two digits."),
        ("time-one-digit", "2026-3-14T09:26:53Z", "A month of one digit."),
        ("time-full-width", "２026-03-14T09:26:53Z", "A full-width digit."),
        ("time-words", "yesterday", "No time at all."),
        ("time-empty", "", "Empty."),
    ] {
        swap(m, name, "created_at", time, TimeSyntax, "§3.8", why);
    }
    for (name, time, why) in [
        ("time-feb-30", "2026-02-30T09:26:53Z", "30 February."),
        ("time-feb-29", "2026-02-29T09:26:53Z", "29 February of a year that has none."),
        ("time-feb-29-1900", "1900-02-29T09:26:53Z", "1900 was no leap year."),
        ("time-apr-31", "2026-04-31T09:26:53Z", "31 April."),
        ("time-month-13", "2026-13-14T09:26:53Z", "Month 13."),
        ("time-month-0", "2026-00-14T09:26:53Z", "Month 0."),
        ("time-day-0", "2026-03-00T09:26:53Z", "Day 0."),
        ("time-day-32", "2026-03-32T09:26:53Z", "Day 32."),
        ("time-hour-24", "2026-03-14T24:00:00Z", "Hour 24."),
        ("time-minute-60", "2026-03-14T09:60:53Z", "Minute 60."),
        ("time-second-60", "2026-06-30T23:59:60Z", "Second 60, which RFC 3339 alone would allow."),
        ("time-year-0", "0000-03-14T09:26:53Z", "Year 0."),
        ("time-offset-24", "2026-03-14T09:26:53+24:00", "An offset of a day."),
        ("time-offset-60", "2026-03-14T09:26:53+01:60", "An offset of 60 minutes."),
    ] {
        swap(m, name, "created_at", time, TimeCalendar, "§3.8", why);
    }
    for (name, time, why) in [
        ("time-leap-2024", "2024-02-29T23:59:59Z", "29 February of a leap year."),
        ("time-leap-2000", "2000-02-29T00:00:00Z", "2000 was a leap year."),
        ("time-fraction-1", "2026-03-14T09:26:53.5Z", "One fraction digit."),
        ("time-fraction-30", "2026-03-14T09:26:53.123456789012345678901234567890Z", "Thirty fraction digits."),
        ("time-offset-plus", "2026-03-14T09:26:53+23:59", "The largest offset."),
        ("time-offset-below", "2026-03-14T09:26:53-23:59", "The smallest offset."),
        ("time-offset-zero", "2026-03-14T09:26:53-00:00", "An offset of minus zero."),
        ("time-year-1", "0001-01-01T00:00:00Z", "The first year."),
        ("time-year-9999", "9999-12-31T23:59:59Z", "A time after every clock is a note, not a fault."),
    ] {
        good(m, name, "created_at", time, "§3.8", why);
    }
}

fn tools(m: &mut Maker) {
    for member in ["name", "version", "scope"] {
        for (what, value, why) in [
            ("missing", None, "is missing"),
            ("empty", Some(Json::from("")), "is empty"),
            ("null", Some(Json::null()), "is null"),
            ("number", Some(Json::raw("2")), "is a number"),
        ] {
            let doc = published().inside("tool", |tool| match value {
                Some(value) => tool.with(member, value),
                None => tool.without(member),
            });
            let why = format!("The tool's {member} {why}.");
            m.one(&format!("tool-{member}-{what}"), &doc, bad(Class::ToolInvalid), "§3.6", &why).twin("published");
        }
    }
    m.one(
        "tool-empty",
        &published().with("tool", Json::Object(Vec::new())),
        bad(Class::ToolInvalid),
        "§3.6",
        "An empty tool object.",
    )
    .twin("published");
    m.one(
        "tool-more",
        &published().inside("tool", |t| t.with("vendor", "harbour")),
        VERIFIED,
        "§3.6",
        "The tool may say more about itself.",
    );
}

fn classes(m: &mut Maker) {
    for (name, class, why) in [
        ("class-agent", AGENT, "The agent's own report."),
        ("class-executed", "EXECUTED BY HARBOUR-7", "Executed by the recording system."),
        ("class-executed-digit", "EXECUTED BY 7", "A name of one digit."),
        ("class-executed-marks", "EXECUTED BY A.B_C-D 9", "Every character a name may have."),
        ("class-executed-space", "EXECUTED BY A ", "The pattern allows a space at the end."),
    ] {
        good(m, name, "provenance_class", class, "§3.10", why);
    }
    for (name, class, why) in [
        ("class-lower", "observed via gateway", "Lower case."),
        ("class-unknown", "CERTIFIED", "A class nobody defined."),
        ("class-newline", "OBSERVED VIA GATEWAY\n", "A line feed after it; the pattern is the whole string."),
        ("class-space", "LOGGED BY AGENT ", "A space after it."),
        ("class-merged", "OBSERVED VIA GATEWAY, LOGGED BY AGENT", "Two statements merged into one."),
        ("class-executed-nobody", "EXECUTED BY ", "Executed by nobody."),
        ("class-executed-bare", "EXECUTED BY", "Executed by nobody."),
        ("class-executed-lower", "EXECUTED BY harbour", "A name in lower case."),
        ("class-executed-two-spaces", "EXECUTED BY  HARBOUR", "A name that begins with a space."),
        ("class-executed-slash", "EXECUTED BY HARBOUR/7", "A character no name may have."),
        ("class-executed-non-ascii", "EXECUTED BY HÅVN", "A letter no name may have."),
        ("class-look-alike", "LOGGED BY АGENT", "A Cyrillic letter that looks like the Latin one."),
        ("class-empty", "", "Empty."),
    ] {
        swap(m, name, "provenance_class", class, Class::ProvenanceUnknown, "§3.10", why);
    }
}

fn statuses(m: &mut Maker) {
    for (name, status, why) in [
        ("status-pending", "pending", "The record itself does not say verified."),
        ("status-not-verified", "not_verified", "The record itself says that it is not."),
        ("status-upper", "VERIFIED", "Another spelling is another word."),
        ("status-newline", "verified\n", "A line feed makes another word."),
        ("status-empty", "", "An empty status says nothing."),
    ] {
        swap(m, name, "verification_status", status, Class::StatusNotVerified, "§3.11", why);
    }
    good(
        m,
        "status-execution-failed",
        "status",
        "timeout",
        "§1",
        "How the call ended is the producer's word and moves no headline.",
    );
    good(
        m,
        "status-checks-false",
        "checks",
        object([("chain_valid", false.into())]),
        "§1",
        "Checks a record states of itself are claims.",
    );
    m.one(
        "order-status-hash",
        &published().with("verification_status", "pending").with("output_hash", "none"),
        bad(Class::HashSyntax),
        "§1",
        "The status only lowers the headline: a fault of a later layer is named instead.",
    );
    m.one(
        "order-status-length",
        &published().with("verification_status", "pending").with("canonical_byte_length", 1),
        bad(Class::LengthMismatch),
        "§1",
        "The status only lowers the headline: a fault of a later layer is named instead.",
    );
}
