//! The bytes of a receipt and what they commit: rules §3.4, §3.5, §3.12 and §3.13.

use super::receipts::{altered, good, inner_version, padded, swap};
use super::*;
use crate::make::receipt::{base64, committing, output_hash, sha256_hex};

pub(super) fn make(m: &mut Maker) {
    bytes(m);
    hashes(m);
    binding(m);
}

fn bytes(m: &mut Maker) {
    use Class::{Base64Alphabet, Base64Noncanonical, Base64Padding, Utf8Invalid};
    for pads in 0..3 {
        m.one(
            &format!("base64-pads-{pads}"),
            &over(padded(pads).as_bytes()),
            VERIFIED,
            "§3.4",
            "Base64 with the padding its length needs.",
        );
    }
    let spelled = |m: &mut Maker, name: &str, pads: usize, change: &dyn Fn(&str) -> String, class: Class, why: &str| {
        let bytes = padded(pads);
        let doc = over(bytes.as_bytes()).with("canonical_bytes", change(&base64(bytes.as_bytes())));
        m.one(name, &doc, bad(class), "§3.4", why).twin(&format!("base64-pads-{pads}"));
    };
    let in_the_middle = |text: &str, piece: &str| {
        let (a, b) = text.split_at(16);
        format!("{a}{piece}{b}")
    };
    for (name, piece, why) in [
        ("base64-space", " ", "White space is outside the alphabet."),
        ("base64-newline-inside", "\n", "A line break is outside the alphabet."),
        ("base64-minus", "-AAA", "The URL alphabet is another alphabet."),
        ("base64-underscore", "_AAA", "The URL alphabet is another alphabet."),
        ("base64-star", "****", "A character of no base64 alphabet."),
        ("base64-non-ascii", "ＡAAA", "A full-width letter is not the letter."),
        ("base64-nul", "\u{0}", "A NUL character is outside the alphabet."),
    ] {
        spelled(m, name, 0, &|t| in_the_middle(t, piece), Base64Alphabet, why);
    }
    spelled(
        m,
        "base64-newline-after",
        0,
        &|t| format!("{t}\n"),
        Base64Alphabet,
        "A trailing line feed is outside the alphabet.",
    );
    spelled(
        m,
        "base64-data-url",
        0,
        &|t| format!("data:text/plain;base64,{t}"),
        Base64Alphabet,
        "A data URL is not base64.",
    );
    spelled(
        m,
        "base64-no-padding-1",
        1,
        &|t| t.trim_end_matches('=').to_owned(),
        Base64Padding,
        "The pad character is missing.",
    );
    spelled(
        m,
        "base64-no-padding-2",
        2,
        &|t| t.trim_end_matches('=').to_owned(),
        Base64Padding,
        "Both pad characters are missing.",
    );
    spelled(
        m,
        "base64-half-padding",
        2,
        &|t| t.trim_end_matches('=').to_owned() + "=",
        Base64Padding,
        "One of two pad characters is missing.",
    );
    spelled(m, "base64-surplus-padding", 1, &|t| format!("{t}="), Base64Padding, "One pad character too many.");
    spelled(
        m,
        "base64-padding-of-nothing",
        0,
        &|t| format!("{t}===="),
        Base64Padding,
        "Four pad characters that pad nothing.",
    );
    spelled(m, "base64-padding-inside", 0, &|t| in_the_middle(t, "QQ=="), Base64Padding, "Padding before the end.");
    spelled(
        m,
        "base64-impossible-length",
        0,
        &|t| format!("{t}A"),
        Base64Padding,
        "No bytes have a base64 text of this length.",
    );
    spelled(
        m,
        "base64-pad-bits-2",
        1,
        &|t| with_pad_bit(t, 1),
        Base64Noncanonical,
        "A pad bit is set: another spelling of the same bytes.",
    );
    spelled(
        m,
        "base64-pad-bits-4",
        2,
        &|t| with_pad_bit(t, 2),
        Base64Noncanonical,
        "A pad bit is set: another spelling of the same bytes.",
    );
    spelled(
        m,
        "base64-alphabet-and-padding",
        1,
        &|t| format!("-{}", t.trim_end_matches('=')),
        Base64Alphabet,
        "The alphabet is looked at before the padding.",
    );

    m.one("utf8-empty", &over(b""), VERIFIED, "§3.5", "The bytes may be empty.");
    m.one("utf8-not-json", &over(b"Berth 7 is free."), VERIFIED, "§3.5", "The bytes need not be JSON.");
    m.one("utf8-four-bytes", &over("𝒜 🌊 東京 ﷽".as_bytes()), VERIFIED, "§3.5", "Characters of every length.");
    m.one(
        "utf8-controls",
        &over(b"\x00\x1b[2J\x7f"),
        VERIFIED,
        "§3.5",
        "Control characters are text; showing them is another matter.",
    );
    m.one(
        "utf8-mark",
        &over("\u{feff}{}".as_bytes()),
        VERIFIED,
        "§3.5",
        "A byte order mark is committed like everything else.",
    );
    m.one(
        "utf8-noncharacter",
        &over("\u{ffff}\u{10ffff}".as_bytes()),
        VERIFIED,
        "§3.5",
        "Noncharacters are well-formed UTF-8.",
    );
    m.one(
        "utf8-not-sorted",
        &over(b"{ \"b\": 1.0e5,\n \"a\": \"\\u00e9\" }"),
        VERIFIED,
        "§3.12",
        "The bytes are hashed as they are; canonical form is no condition.",
    );
    m.one(
        "utf8-duplicate-inside",
        &over(br#"{"a":1,"a":2}"#),
        VERIFIED,
        "§3.2",
        "A name twice inside the bytes is not twice in the record.",
    );
    for (name, broken, why) in [
        ("utf8-ff", &b"Berth \xff free"[..], "The byte FF is never UTF-8."),
        ("utf8-continuation", b"Berth \x80 free", "A continuation byte without a beginning."),
        ("utf8-cut", b"Berth \xe6\x9d", "The bytes end inside a character."),
        ("utf8-overlong", b"Berth \xc0\xaf free", "An overlong spelling of a slash."),
        ("utf8-surrogate", b"Berth \xed\xa0\xbd free", "A surrogate written as bytes."),
        ("utf8-surrogate-pair", b"Berth \xed\xa0\xbd\xed\xb1\x80 free", "A surrogate pair written as bytes."),
        ("utf8-beyond", b"Berth \xf4\x90\x80\x80 free", "Beyond the last code point."),
        ("utf8-latin-1", b"Br\xf8nn\xf8ysund", "Latin-1 is not UTF-8."),
    ] {
        m.one(name, &over(broken), bad(Utf8Invalid), "§3.5", why).twin("utf8-not-json");
    }
}

/// The same base64 text with the lowest pad bit set.
fn with_pad_bit(text: &str, pads: usize) -> String {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let (head, tail) = text.split_at(text.len() - pads - 1);
    let last = tail.bytes().next().unwrap_or(b'A');
    let at = ALPHABET.iter().position(|c| *c == last).unwrap_or(0);
    let other = ALPHABET.get(at + 1).copied().unwrap_or(b'B');
    format!("{head}{}{}", char::from(other), "=".repeat(pads))
}

fn hashes(m: &mut Maker) {
    use Class::{DigestMismatch, HashAlgorithmUnsupported, HashSyntax, LengthMismatch, WrongType};
    let digest = sha256_hex(CALL.as_bytes());
    for (name, hash, why) in [
        ("hash-bare", digest.clone(), "Without its prefix."),
        ("hash-upper", format!("sha256:{}", digest.to_ascii_uppercase()), "Digits in capitals."),
        ("hash-prefix-upper", format!("SHA256:{digest}"), "The prefix in capitals."),
        ("hash-prefix-hyphen", format!("sha-256:{digest}"), "Another spelling of the prefix."),
        ("hash-short", format!("sha256:{}", digest.chars().take(63).collect::<String>()), "One digit short."),
        ("hash-long", format!("sha256:{digest}0"), "One digit too many."),
        ("hash-newline", format!("sha256:{digest}\n"), "A line feed after it; the pattern is the whole string."),
        ("hash-space", format!("sha256: {digest}"), "A space after the prefix."),
        ("hash-sha512", format!("sha512:{digest}{digest}"), "Another algorithm's prefix."),
        ("hash-base64", format!("sha256:{}", base64(digest.as_bytes())), "Base64 instead of hex."),
        ("hash-empty", String::new(), "Empty."),
    ] {
        swap(m, name, "output_hash", hash, HashSyntax, "§3.12", why);
    }
    swap(
        m,
        "digest-byte-changed",
        "canonical_bytes",
        base64(altered().as_bytes()),
        DigestMismatch,
        "§3.12",
        "One byte is not the byte that was hashed.",
    );
    swap(
        m,
        "digest-byte-added",
        "canonical_bytes",
        base64(format!("{CALL}\n").as_bytes()),
        DigestMismatch,
        "§3.12",
        "A line feed was added.",
    );
    swap(m, "digest-emptied", "canonical_bytes", "", DigestMismatch, "§3.12", "The bytes were removed.");
    swap(
        m,
        "digest-of-other",
        "output_hash",
        output_hash(b"other"),
        DigestMismatch,
        "§3.12",
        "The hash of other bytes.",
    );
    swap(
        m,
        "digest-zeros",
        "output_hash",
        format!("sha256:{}", "0".repeat(64)),
        DigestMismatch,
        "§3.12",
        "A hash of zeros.",
    );
    swap(
        m,
        "digest-reserialised",
        "canonical_bytes",
        base64(CALL.replace(',', ", ").as_bytes()),
        DigestMismatch,
        "§3.12",
        "The same JSON written otherwise is other bytes.",
    );
    good(m, "hash-algorithm", "hash_algorithm", "sha256", "§3.12", "The algorithm may be stated.");
    for (name, algorithm) in [
        ("hash-algorithm-upper", "SHA256"),
        ("hash-algorithm-hyphen", "sha-256"),
        ("hash-algorithm-sha512", "sha512"),
        ("hash-algorithm-empty", ""),
    ] {
        m.one(
            name,
            &published().with("hash_algorithm", algorithm),
            bad(HashAlgorithmUnsupported),
            "§3.12",
            "The algorithm is not exactly sha256.",
        )
        .twin("hash-algorithm");
    }
    m.one(
        "hash-algorithm-null",
        &published().with("hash_algorithm", Json::null()),
        bad(WrongType),
        "§3.6",
        "An algorithm that is null.",
    )
    .twin("hash-algorithm");
    let bytes = CALL.len() as u64;
    good(m, "length", "canonical_byte_length", bytes, "§3.12", "The length in bytes may be stated.");
    for (name, length, why) in [
        ("length-more", (bytes + 1).to_string(), "One byte more than there is."),
        ("length-zero", "0".to_owned(), "A length of nothing."),
        ("length-negative", "-1".to_owned(), "A length below nothing."),
        ("length-characters", CALL.chars().count().to_string(), "The number of characters is not the number of bytes."),
        (
            "length-base64",
            base64(CALL.as_bytes()).len().to_string(),
            "The length of the base64 text is not that of the bytes.",
        ),
    ] {
        m.one(name, &published().with("canonical_byte_length", Json::Raw(length)), bad(LengthMismatch), "§3.12", why)
            .twin("length");
    }
    m.one(
        "length-text",
        &published().with("canonical_byte_length", bytes.to_string()),
        bad(WrongType),
        "§3.6",
        "A length in quotes.",
    )
    .twin("length");
    m.one(
        "length-null",
        &published().with("canonical_byte_length", Json::null()),
        bad(WrongType),
        "§3.6",
        "A length that is null.",
    )
    .twin("length");
}

/// Bytes that commit a class and a version, as 0.4 does.
fn claims(class: &str, version: &str) -> Vec<u8> {
    format!(
        r#"{{"inputs":{{"day":"2026-03-14"}},"issuer_claims":{{"provenance_class":"{class}"}},"outputs":{{}},"receipt_schema_version":"{version}"}}"#
    )
    .into_bytes()
}

fn binding(m: &mut Maker) {
    use Class::{MetadataHashMissing, ProvenanceMismatch};
    m.one("binding-0-3", &over(&claims(GATEWAY, "0.3")), VERIFIED, "§3.13", "The committed class is the stated one.");
    m.one(
        "binding-0-3-class",
        &over(&claims(AGENT, "0.3")),
        bad(ProvenanceMismatch),
        "§3.13",
        "The bytes commit another class, at any version.",
    )
    .twin("binding-0-3");
    let bound = || {
        over(&claims(GATEWAY, "0.4"))
            .with("receipt_schema_version", "0.4")
            .with("metadata_hash", output_hash(b"labels"))
    };
    m.one("binding-0-4", &bound(), LEGACY, "§3.13", "A metadata_hash that nobody can recompute caps the headline.");
    m.one(
        "binding-0-4-no-hash",
        &bound().without("metadata_hash"),
        bad(MetadataHashMissing),
        "§3.13",
        "A 0.4 receipt without its metadata_hash.",
    )
    .twin("binding-0-4");
    m.one(
        "binding-0-4-class",
        &bound().with("provenance_class", AGENT),
        bad(ProvenanceMismatch),
        "§3.13",
        "The stated class is not the committed one.",
    )
    .twin("binding-0-4");
    m.one(
        "binding-0-4-not-committed",
        &committing(bound(), &inner_version("0.4")),
        bad(ProvenanceMismatch),
        "§3.13",
        "From 0.4 a class that is not committed is a mismatch.",
    )
    .twin("binding-0-4");
    m.one(
        "binding-0-4-both",
        &bound().with("provenance_class", AGENT).without("metadata_hash"),
        bad(ProvenanceMismatch),
        "§3.13",
        "The class is compared before the metadata_hash is missed.",
    )
    .twin("binding-0-4");
    m.one(
        "binding-0-4-altered",
        &bound().with("provenance_class", AGENT).with("canonical_bytes", base64(&claims(GATEWAY, "0.3"))),
        bad(Class::DigestMismatch),
        "§3.13",
        "Bytes that do not match bind nothing.",
    )
    .twin("binding-0-4");
    m.one(
        "binding-0-4-pending",
        &bound().with("verification_status", "pending"),
        bad(Class::StatusNotVerified),
        "§3.11",
        "Labels only claimed, and the record does not say verified.",
    )
    .twin("binding-0-4");
    m.one(
        "binding-downgraded",
        &bound().with("receipt_schema_version", "0.3"),
        bad(Class::VersionMismatch),
        "§3.3",
        "A 0.4 receipt relabelled 0.3.",
    )
    .twin("binding-0-4");
    let carried = || {
        parts()
            .transport(&claims(GATEWAY, "0.4"), "execution_observed", "success")
            .with("receipt_schema_version", "0.4")
            .with("metadata_hash", output_hash(b"labels"))
    };
    m.one("binding-transport", &carried(), TRANSPORT, "§3.13", "A 0.4 transport receipt: its labels are claimed.");
    m.one(
        "binding-transport-no-hash",
        &carried().without("metadata_hash"),
        bad(MetadataHashMissing).of(Kind::Transport),
        "§3.13",
        "A 0.4 transport receipt without its metadata_hash.",
    )
    .twin("binding-transport");
}
