use super::*;
use crate::aer1::grammar::Moment;
use crate::aer1::report::{Anchor, LeafRule, Wrapper};

const HOSTILE: &str = "a\x1b[2J\u{202e}\\\n\"x\u{e0041}";

fn clean(sentence: &str) {
    assert!(!sentence.is_empty());
    assert!(!sentence.chars().any(text::is_special), "special character in {sentence:?}");
    for word in ["tamper", "forge", "trusted", "signed"] {
        assert!(!sentence.to_lowercase().contains(word), "{word} in {sentence:?}");
    }
    assert!(!sentence.ends_with('.'), "a sentence stands after a colon: {sentence:?}");
}

fn notes() -> Vec<Note> {
    let s = || HOSTILE.to_owned();
    vec![
        Note::ByteOrderMark,
        Note::EmptyBytes,
        Note::FutureTime { clock: Moment { secs: 0, nanos: 0 } },
        Note::IdNotVersion4,
        Note::SignatureUnchecked,
        Note::OtherAnchor,
        Note::AnchorEnvelope { agrees: true },
        Note::AnchorEnvelope { agrees: false },
        Note::AnchorFault(Fault::of(Class::IdSyntax, s()).found(s())),
        Note::SideEffects { agrees: true },
        Note::SideEffects { agrees: false },
        Note::NotEvaluated(vec![s(), "x".into()]),
        Note::Wrapped(Wrapper::JsonRpc),
        Note::Wrapped(Wrapper::CloudEvent),
        Note::Wrapped(Wrapper::EventBus),
        Note::Wrapped(Wrapper::VerifyEndpoint),
        Note::TwoKinds(Kind::Published, Kind::Workflow),
        Note::EndNotProven,
        Note::EndCommitted,
        Note::HistoricalChain,
        Note::RootCovers(LeafRule::SeqOutput),
        Note::RootCovers(LeafRule::ReceiptId),
        Note::WorkflowOutputUnavailable,
        Note::Projection { of: s(), own_hash: Some(s()) },
        Note::ProviderMessage(s()),
        Note::FileNameOtherId,
        Note::CopyOf(s()),
        Note::IdConflict(s()),
        Note::PossibleReplay(s()),
        Note::PointerToNothing(s()),
        Note::StepsPresent { present: 1, listed: 3, failing: 1 },
        Note::CommitmentElsewhere(s()),
        Note::Rewritten { before: s(), after: s() },
    ]
}

#[test]
fn every_note_is_one_escaped_line() {
    for n in notes() {
        clean(&note(&n));
    }
    assert!(note(&Note::ProviderMessage(HOSTILE.into())).contains("\\x1b[2J\\u{202e}\\\\\\n"));
}

#[test]
fn exact_notes_keep_their_values() {
    assert_eq!(note_exact(&Note::ProviderMessage("a\\b".into())), "the provider says: \"a\\b\"");
    assert_eq!(note(&Note::ProviderMessage("a\\b".into())), "the provider says: \"a\\\\b\"");
}

#[test]
fn every_fault_is_one_escaped_line_and_names_its_member() {
    for class in Class::ALL {
        for fault_of in [
            Fault::new(*class),
            Fault::of(*class, HOSTILE),
            Fault::of(*class, "tool.name").found(HOSTILE),
            Fault::of(*class, "tool.name").found(HOSTILE).expected(HOSTILE).at(7),
            Fault::new(*class).expected(HOSTILE),
            Fault::new(*class).found("x".repeat(9000)),
        ] {
            let sentence = fault(&fault_of);
            clean(&sentence);
            assert!(sentence.len() < 1200, "{} characters", sentence.len());
            if fault_of.member == "tool.name" && *class != Class::DuplicateMember {
                assert!(sentence.contains("tool.name"), "{class:?}: {sentence}");
            }
            if fault_of.offset.is_some() {
                assert!(sentence.contains("at byte 7"), "{class:?}: {sentence}");
            }
        }
    }
}

#[test]
fn every_class_and_headline_is_explained() {
    for class in Class::ALL {
        let e = explain(*class);
        for part in [e.means, e.next] {
            assert!(part.len() > 20 && part.ends_with('.'), "{class:?}: {part:?}");
            clean(part.trim_end_matches('.'));
        }
        assert!(e.rule.contains("rules §") || *class == Class::ProfileInputs, "{class:?}");
        clean(explain::short(*class));
        assert!(explain::about(class.as_str()).is_some_and(|t| t.contains(e.means) && t.contains(e.next)));
        assert!(explain::table().contains(&format!("  {} ", class.as_str())));
    }
    for headline in Headline::ALL {
        let e = explain_headline(*headline);
        clean(e.means.trim_end_matches('.'));
        clean(e.next.trim_end_matches('.'));
        assert!(explain::about(headline.as_str()).is_some_and(|t| t.contains(e.means)));
    }
    assert_eq!(explain::about("nonsense"), None);
}

#[test]
fn reasons_begin_with_the_word() {
    for headline in Headline::ALL {
        for kind_of in Kind::ALL {
            let mut report = Report::empty(Place::WHOLE, *kind_of, *headline);
            report.verification_status = Some(HOSTILE.into());
            let sentence = reason(&report);
            clean(sentence.trim_end_matches('.'));
            assert!(sentence.starts_with(&format!("{}: ", word(*headline))), "{sentence}");
        }
    }
    for class in Class::ALL {
        let report = Report::of_fault(Place::WHOLE, Fault::new(*class));
        assert_eq!(reason(&report), format!("{}: {}", word(class.headline()), explain::short(*class)));
    }
}

#[test]
fn intact_says_what_is_less() {
    let mut report = Report::empty(Place::WHOLE, Kind::Transport, Headline::Intact);
    report.bytes.state = BytesState::Match;
    report.verification_status = Some("execution_observed".into());
    assert_eq!(
        why(&report),
        "the bytes match, but this is the transport form of a receipt, and it says \"execution_observed\" of itself"
    );
    report.kind = Kind::Chain;
    assert!(why(&report).contains("nothing shows that the end of the chain was not cut off"));
}

#[test]
fn a_time_that_rfc_3339_alone_allows_is_told() {
    for time in [
        "2026-08-01t12:00:00Z",
        "2026-08-01T12:00:00z",
        "2026-08-01 12:00:00Z",
        "2016-12-31T23:59:60Z",
        "2017-01-01T00:59:60+01:00",
        "0000-02-29T00:00:00Z",
    ] {
        assert!(rfc3339_allows(time), "{time}");
    }
    for time in [
        "2026-08-01T12:00:00",
        "2026-08-01",
        "2026-02-30T12:00:00Z",
        "2026-08-01T12:00:60Z",
        "2026-08-01T24:00:00Z",
        "2026-08-01T12:00:00+0100",
        "2026-08-01_12:00:00Z",
        "2026-08-01T12:00:00Z\n",
        "２026-08-01T12:00:00Z",
        "",
    ] {
        assert!(!rfc3339_allows(time), "{time}");
    }
    let told = fault(&Fault::of(Class::TimeSyntax, "created_at").found("2026-08-01t12:00:00Z"));
    assert!(told.contains("RFC 3339 alone would allow it"), "{told}");
    let untold = fault(&Fault::of(Class::TimeSyntax, "created_at").found("yesterday"));
    assert!(!untold.contains("RFC 3339"), "{untold}");
}

#[test]
fn a_label_is_called_a_label() {
    let mut c = Correlation { field: "job_id".into(), value: HOSTILE.into(), bound: false, explicit: false };
    clean(&correlation(&c));
    assert!(correlation(&c).contains("a label, not covered by the hash"));
    c.bound = true;
    assert!(!correlation(&c).contains("label"));
}

#[test]
fn anchors_claim_no_contact() {
    assert_eq!(anchor(Anchor::Verified), "fields consistent; the log was not contacted");
}

#[test]
fn digests_are_shortened_only_when_they_are_digests() {
    let digest = format!("sha256:{}", "ab".repeat(32));
    assert_eq!(digest_or_quoted(&digest, Ink::Screen), "sha256:abababababababab…abababab");
    assert_eq!(digest_or_quoted("sha256:ab", Ink::Screen), "\"sha256:ab\"");
}

#[test]
fn the_table_in_docs_is_what_the_program_says() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/classes.md");
    let file = std::fs::read_to_string(&path).unwrap_or_default();
    let want = explain::markdown();
    assert!(
        file == want,
        "docs/classes.md is out of date: write it with `aerscope explain --markdown > docs/classes.md`"
    );
}

#[test]
fn both_sides_are_named() {
    let told = |fault_of: Fault| fault(&fault_of);
    assert_eq!(
        told(Fault::of(Class::LengthMismatch, "canonical_byte_length").found("3").expected("84")),
        "the stated length is not the length of the bytes: stated 3, counted 84"
    );
    assert_eq!(
        told(Fault::of(Class::EnvelopeMismatch, "id").found("a").expected("b")),
        "the wrapper states something else than the receipt in it (id): in the wrapper \"a\", in the receipt \"b\""
    );
    assert_eq!(
        told(Fault::of(Class::ProvenanceMismatch, "provenance_class").found("LOGGED BY AGENT")),
        "the stated provenance class is not the one in the committed bytes: stated \"LOGGED BY AGENT\", committed nothing"
    );
    assert_eq!(
        told(Fault::of(Class::Utf8Invalid, "canonical_bytes").found("ff").at(6)),
        "the decoded bytes are not UTF-8: byte ff, at byte 6"
    );
    assert_eq!(
        told(Fault::new(Class::DuplicateMember).found("id").at(9)),
        "member id is named twice: two readers would see two different records, at byte 9"
    );
    assert_eq!(told(Fault::of(Class::MissingMember, "steps[0]")), "steps lists nothing");
}

#[test]
fn durations_say_two_units() {
    let told = [0, 999, 340_000_000, 1_204_000_000, 123_000_000_000, 3_720_000_000_000, 273_600_000_000_000];
    let told: Vec<String> = told.into_iter().map(duration).collect();
    assert_eq!(told, ["0 ms", "<1 ms", "340 ms", "1.204 s", "2 m 03 s", "1 h 02 m", "3 d 04 h"]);
    assert_eq!(duration(-340_000_000), "-340 ms");
    assert!(duration(i128::MIN).starts_with('-'));
}
