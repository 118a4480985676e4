//! The machine strings are a contract: each is written down here a second time.

use super::*;

macro_rules! spelled {
    ($kind:ident: $($word:literal)*) => {
        let words = [$($word),*];
        assert_eq!($kind::ALL.iter().map(|value| value.as_str()).collect::<Vec<_>>(), words);
        for (value, word) in $kind::ALL.iter().zip(words) {
            assert_eq!($kind::from_word(word), Some(*value), "{word}");
        }
        for other in ["", "xyzzy", "VERIFIED", " verified"] {
            assert_eq!($kind::from_word(other), None, "{other}");
        }
    };
}

#[test]
fn every_word_is_spelled_as_rules_and_outputs_have_it() {
    spelled!(Headline: "verified" "intact" "unavailable" "unsupported" "malformed" "mismatch" "not_receipt" "unreadable");
    spelled!(Kind: "published" "transport" "workflow" "chain" "commitment" "provider_error" "none");
    spelled!(Layer: "file" "json" "version" "base64" "utf8" "members" "id" "time" "tool" "provenance" "status" "hash"
        "binding" "structure" "links" "envelope" "identity");
    spelled!(BytesState: "match" "mismatch" "unavailable" "malformed");
    spelled!(Shape: "complete" "legacy" "faulty");
    spelled!(Labels: "unbound" "bound" "claimed" "missing" "contradicted");
    spelled!(IdState: "absent" "unverified" "matched" "resolved" "mismatched");
    spelled!(Anchor: "absent" "not_checked" "verified" "verification_failed" "unresolvable");
    spelled!(CanonicalForm: "yes" "no" "not_json");
    spelled!(Check: "passed" "failed" "not_reached" "not_applicable");
    spelled!(Profile: "core" "reference" "anchored");
    assert_eq!(Class::from_word("xyzzy"), None);
    for class in Class::ALL {
        assert_eq!(Class::from_word(class.as_str()), Some(*class));
        assert!(class.as_str().bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_'));
    }
}

#[test]
fn one_headline_is_green_and_two_are_failing() {
    let those = |test: fn(Headline) -> bool| Headline::ALL.iter().copied().filter(|h| test(*h)).collect::<Vec<_>>();
    assert_eq!(those(Headline::is_green), [Headline::Verified]);
    assert_eq!(those(Headline::is_failing), [Headline::Malformed, Headline::Mismatch]);
    let receipts: Vec<Kind> = Kind::ALL.iter().copied().filter(|kind| kind.is_receipt()).collect();
    assert_eq!(receipts, [Kind::Published, Kind::Transport]);
}

#[test]
fn of_two_parts_the_weaker_one_speaks() {
    let order =
        [Headline::Verified, Headline::Intact, Headline::Unavailable, Headline::Unsupported, Headline::Malformed];
    assert!(order.windows(2).all(|pair| pair[0].weakness() < pair[1].weakness()));
    assert_eq!(Headline::Mismatch.weakness(), Headline::Malformed.weakness());
}
