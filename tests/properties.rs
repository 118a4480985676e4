//! What must hold for any receipt: nothing valid is refused, nothing changed in one place is green unless a second,
//! independent reading of the rules agrees.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test may panic")]

use std::collections::HashSet;

use aerscope::aer1::report::{Headline, Report};
use aerscope::aer1::verify::{Options, Verifier};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use serde::de::{DeserializeSeed, Error as _, MapAccess, SeqAccess, Visitor};
use sha2::{Digest as _, Sha256};

/// A value as the second reading sees it: duplicates refused, numbers as they are.
#[derive(Clone, Debug, PartialEq)]
enum Json {
    Text(String),
    Object(Vec<(String, Json)>),
    Other,
    Integer(i64),
}

struct Strict;

impl<'de> DeserializeSeed<'de> for Strict {
    type Value = Json;
    fn deserialize<D: serde::Deserializer<'de>>(self, d: D) -> Result<Json, D::Error> {
        d.deserialize_any(Strict)
    }
}

impl<'de> Visitor<'de> for Strict {
    type Value = Json;
    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("JSON without repeated names")
    }
    fn visit_bool<E>(self, _: bool) -> Result<Json, E> {
        Ok(Json::Other)
    }
    fn visit_i64<E>(self, n: i64) -> Result<Json, E> {
        Ok(Json::Integer(n))
    }
    fn visit_u64<E>(self, n: u64) -> Result<Json, E> {
        Ok(i64::try_from(n).map_or(Json::Other, Json::Integer))
    }
    fn visit_f64<E>(self, n: f64) -> Result<Json, E> {
        // `-0` is the integer 0; this library reads it as a float.
        Ok(if n == 0.0 && n.is_sign_negative() { Json::Integer(0) } else { Json::Other })
    }
    fn visit_unit<E>(self) -> Result<Json, E> {
        Ok(Json::Other)
    }
    fn visit_str<E>(self, s: &str) -> Result<Json, E> {
        Ok(Json::Text(s.to_owned()))
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Json, A::Error> {
        while seq.next_element_seed(Strict)?.is_some() {}
        Ok(Json::Other)
    }
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Json, A::Error> {
        let mut members = Vec::new();
        let mut names = HashSet::new();
        while let Some(name) = map.next_key::<String>()? {
            if !names.insert(name.clone()) {
                return Err(A::Error::custom("repeated name"));
            }
            members.push((name, map.next_value_seed(Strict)?));
        }
        Ok(Json::Object(members))
    }
}

fn strict(text: &[u8]) -> Option<Json> {
    let mut reader = serde_json::Deserializer::from_slice(text);
    let value = Strict.deserialize(&mut reader).ok()?;
    reader.end().ok()?;
    Some(value)
}

impl Json {
    fn get(&self, name: &str) -> Option<&Json> {
        match self {
            Json::Object(members) => members.iter().find(|(n, _)| n == name).map(|(_, v)| v),
            _ => None,
        }
    }
    fn text(&self, name: &str) -> Option<&str> {
        match self.get(name)? {
            Json::Text(t) => Some(t),
            _ => None,
        }
    }
}

fn is_time(text: &str) -> bool {
    let form = text.as_bytes().get(10) == Some(&b'T') && !text.ends_with('z') && text.get(17..19) != Some("60");
    let parsed = time::OffsetDateTime::parse(text, &time::format_description::well_known::Rfc3339);
    form && parsed.is_ok_and(|t| t.year() >= 1) && !text.starts_with("0000")
}

fn is_id(text: &str) -> bool {
    uuid::Uuid::try_parse(text).is_ok_and(|u| !u.is_nil() && u.hyphenated().to_string() == text)
}

fn is_class(text: &str) -> bool {
    let name = text.strip_prefix("EXECUTED BY ");
    matches!(text, "OBSERVED VIA GATEWAY" | "LOGGED BY AGENT")
        || name.is_some_and(|n| {
            n.starts_with(|c: char| c.is_ascii_uppercase() || c.is_ascii_digit())
                && n.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || " ._-".contains(c))
        })
}

/// The second reading: may this text be called verified?
fn may_be_green(text: &[u8]) -> bool {
    green(text).unwrap_or(false)
}

fn green(text: &[u8]) -> Option<bool> {
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    let r = strict(text)?;
    let tool = r.get("tool")?;
    let named = ["name", "version", "scope"].iter().all(|n| tool.text(n).is_some_and(|t| !t.is_empty()));
    let bytes = STANDARD.decode(r.text("canonical_bytes")?).ok()?;
    let payload = String::from_utf8(bytes.clone()).ok()?;
    let hash: String = Sha256::digest(&bytes).iter().map(|b| format!("{b:02x}")).collect();
    let version = r.text("receipt_schema_version")?;
    let class = r.text("provenance_class")?;
    let committed = strict(payload.as_bytes());
    let inner_version = committed.as_ref().and_then(|c| c.get("receipt_schema_version"));
    let inner_class = committed.as_ref().and_then(|c| c.get("issuer_claims")).and_then(|c| c.get("provenance_class"));
    Some(
        named
            && is_id(r.text("id")?)
            && is_time(r.text("created_at")?)
            && ["0.1", "0.2", "0.3"].contains(&version)
            && is_class(class)
            && r.text("verification_status")? == "verified"
            && r.text("output_hash")? == format!("sha256:{hash}")
            && r.get("hash_algorithm").is_none_or(|a| *a == Json::Text("sha256".into()))
            && r.get("canonical_byte_length").is_none_or(|n| *n == Json::Integer(bytes.len() as i64))
            && inner_version.is_none_or(|v| *v == Json::Text(version.into()))
            && inner_class.is_none_or(|c| *c == Json::Text(class.into()))
            && r.get("projection_of").is_none()
            && r.get("merkle_root").is_none(),
    )
}

fn payload() -> impl Strategy<Value = String> {
    let number = prop_oneof![
        "-?(0|[1-9][0-9]{0,29})",
        "-?(0|[1-9][0-9]{0,3})\\.[0-9]{1,20}",
        "-?(0|[1-9])(\\.[0-9]{1,3})?[eE][+-]?[0-9]{1,3}",
    ];
    let string = any::<String>().prop_map(|s| serde_json::to_string(&s).unwrap());
    let escapes = "(\\\\u00[0-9a-f]{2}|\\\\n|\\\\/|\\\\ud83d\\\\ude00|é|東){0,6}".prop_map(|s| format!("\"{s}\""));
    let leaf = prop_oneof![number, string, escapes, Just("null".to_owned()), Just("true".to_owned())];
    let tree = leaf.prop_recursive(4, 24, 5, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(|v| format!("[{}]", v.join(", "))),
            prop::collection::btree_map("[a-zé\\\\]{0,4}", inner, 0..4).prop_map(|m| {
                let members: Vec<String> =
                    m.iter().map(|(k, v)| format!("{}:{v}", serde_json::to_string(k).unwrap())).collect();
                format!("{{{}}}", members.join(","))
            }),
        ]
    });
    prop_oneof![8 => tree, 2 => any::<String>(), 1 => Just(String::new())]
}

fn name() -> impl Strategy<Value = String> {
    any::<String>().prop_filter("names are not empty", |s| !s.is_empty())
}

prop_compose! {
    fn receipt()(
        payload in payload(), id in any::<u128>(), version in prop::sample::select(vec!["0.1", "0.2", "0.3"]),
        (year, month, day) in (1u32..10_000, 1u32..13, 1u32..29), (h, m, s) in (0u32..24, 0u32..60, 0u32..60),
        fraction in "(\\.[0-9]{1,12})?", zone in prop::sample::select(vec!["Z", "+00:00", "-23:59", "+05:30"]),
        tool in (name(), name(), name()),
        class in prop_oneof![Just("OBSERVED VIA GATEWAY".to_owned()), Just("LOGGED BY AGENT".to_owned()),
            "EXECUTED BY [A-Z0-9][A-Z0-9 ._-]{0,12}"],
        extra in prop::collection::btree_map("x_[a-z]{1,6}", payload_value(), 0..3),
        length in any::<bool>(), algorithm in any::<bool>(), pretty in any::<bool>(), shuffle in any::<u64>(),
    ) -> String {
        let hash: String = Sha256::digest(payload.as_bytes()).iter().map(|b| format!("{b:02x}")).collect();
        let id = uuid::Builder::from_random_bytes(id.to_be_bytes()).into_uuid().to_string();
        let text = |s: &str| serde_json::to_string(s).unwrap();
        let mut members = vec![
            format!("\"id\":{}", text(&id)),
            format!("\"receipt_schema_version\":{}", text(version)),
            format!("\"created_at\":\"{year:04}-{month:02}-{day:02}T{h:02}:{m:02}:{s:02}{fraction}{zone}\""),
            format!("\"tool\":{{\"name\":{},\"version\":{},\"scope\":{}}}", text(&tool.0), text(&tool.1), text(&tool.2)),
            format!("\"provenance_class\":{}", text(&class)),
            format!("\"canonical_bytes\":{}", text(&STANDARD.encode(&payload))),
            format!("\"output_hash\":\"sha256:{hash}\""),
            "\"verification_status\":\"verified\"".to_owned(),
        ];
        if length { members.push(format!("\"canonical_byte_length\":{}", payload.len())); }
        if algorithm { members.push("\"hash_algorithm\":\"sha256\"".to_owned()); }
        members.extend(extra.iter().map(|(k, v)| format!("{}:{v}", text(k))));
        let turn = (shuffle as usize) % members.len();
        members.rotate_left(turn);
        if pretty { format!("{{\r\n  {}\r\n}}\n", members.join(",\r\n  ")) } else { format!("{{{}}}", members.join(",")) }
    }
}

fn payload_value() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<String>().prop_map(|s| serde_json::to_string(&s).unwrap()),
        Just("[1,{\"a\":null}]".to_owned()),
        Just("-1.5".to_owned()),
    ]
}

fn verify(text: &[u8]) -> Vec<Report> {
    let mut all = Vec::new();
    Verifier::new(Options::default()).text(text, &mut |r| all.push(r));
    all
}

/// One change in one place of a text.
#[derive(Clone, Debug)]
enum Change {
    Replace(prop::sample::Index, u8),
    Insert(prop::sample::Index, u8),
    Delete(prop::sample::Index),
    Swap(prop::sample::Index),
    /// The value of one member becomes another value, or the member goes.
    Member(prop::sample::Index, Option<&'static str>),
    /// A member is written a second time.
    Twice(prop::sample::Index),
}

fn change() -> impl Strategy<Value = Change> {
    let index = any::<prop::sample::Index>;
    let byte = prop_oneof![any::<u8>(), prop::sample::select(b"\"\\{}[],:=+/ 09aAfFzZtT\n\0\x7f\xc3".to_vec())];
    let values = vec![
        "null",
        "\"\"",
        "0",
        "-1",
        "1.5",
        "true",
        "[]",
        "{}",
        "\"x\"",
        "\"0.4\"",
        "\"0.9\"",
        "\"verified \"",
        "\"e30=\"",
        "\"2026-02-30T00:00:00Z\"",
        "\"00000000-0000-0000-0000-000000000000\"",
        "\"LOGGED BY AGENT\"",
        "\"sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855\"",
    ];
    prop_oneof![
        4 => (index(), byte.clone()).prop_map(|(i, b)| Change::Replace(i, b)),
        2 => (index(), byte).prop_map(|(i, b)| Change::Insert(i, b)),
        2 => index().prop_map(Change::Delete),
        1 => index().prop_map(Change::Swap),
        3 => (index(), prop::option::weighted(0.8, prop::sample::select(values)))
            .prop_map(|(i, v)| Change::Member(i, v)),
        1 => index().prop_map(Change::Twice),
    ]
}

/// The members of a receipt made above, as ranges of its text.
fn members(text: &str) -> Vec<(String, std::ops::Range<usize>)> {
    let mut doc = aerscope::aer1::json::Doc::new();
    aerscope::aer1::json::parse(text.as_bytes(), 128, &mut doc).unwrap();
    let root = doc.root(text.as_bytes()).unwrap();
    root.members().map(|(k, v)| (k.name().into_owned(), k.span().start..v.span().end)).collect()
}

fn apply(text: &str, change: &Change) -> Vec<u8> {
    let mut bytes = text.as_bytes().to_vec();
    match change {
        Change::Replace(i, b) => {
            let at = i.index(bytes.len());
            bytes[at] = *b;
        }
        Change::Insert(i, b) => bytes.insert(i.index(bytes.len() + 1), *b),
        Change::Delete(i) => {
            bytes.remove(i.index(bytes.len()));
        }
        Change::Swap(i) => {
            let at = i.index(bytes.len() - 1);
            bytes.swap(at, at + 1);
        }
        Change::Member(i, value) => {
            let all = members(text);
            let (name, span) = &all[i.index(all.len())];
            match value {
                Some(v) => drop(bytes.splice(span.clone(), format!("{name:?}:{v}").into_bytes())),
                None => drop(bytes.splice(span.clone(), *b"\"gone\":0")),
            }
        }
        Change::Twice(i) => {
            let all = members(text);
            let span = all[i.index(all.len())].1.clone();
            let again = format!("{},", &text[span.clone()]);
            drop(bytes.splice(span.start..span.start, again.into_bytes()));
        }
    }
    bytes
}

fn runner(cases: u32) -> TestRunner {
    let cases = std::env::var("PROPTEST_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(cases);
    let config = Config { cases, failure_persistence: None, max_global_rejects: cases, ..Config::default() };
    // The same cases on every run, so that a failure is a change; RANDOM_CASES=1 looks for new ones.
    if std::env::var_os("RANDOM_CASES").is_some() {
        TestRunner::new(config)
    } else {
        TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha))
    }
}

#[test]
fn every_generated_valid_receipt_is_verified() {
    runner(10_000)
        .run(&receipt(), |text| {
            let all = verify(text.as_bytes());
            prop_assert_eq!(all.len(), 1);
            prop_assert_eq!((all[0].headline, all[0].class), (Headline::Verified, None));
            Ok(())
        })
        .unwrap();
}

#[test]
fn one_change_is_never_green_unless_every_rule_still_holds() {
    let (green, all) = (std::cell::Cell::new(0u32), std::cell::Cell::new(0u32));
    // Many changes of each receipt: making one costs more than checking it.
    runner(4_000)
        .run(&(receipt(), prop::collection::vec(change(), 25)), |(text, changes)| {
            for change in changes {
                let bytes = apply(&text, &change);
                for report in verify(&bytes) {
                    all.set(all.get() + 1);
                    if report.headline == Headline::Verified {
                        green.set(green.get() + 1);
                        prop_assert!(
                            may_be_green(&bytes),
                            "green after {:?}: {:?}",
                            change,
                            String::from_utf8_lossy(&bytes)
                        );
                    } else {
                        prop_assert!(
                            !may_be_green(&bytes),
                            "refused ({:?}) after {:?}: {:?}",
                            report.class,
                            change,
                            String::from_utf8_lossy(&bytes)
                        );
                    }
                }
            }
            Ok(())
        })
        .unwrap();
    println!("{} changed records, {} still green and rightly so", all.get(), green.get());
    assert!(green.get() > 0 && green.get() < all.get(), "both outcomes were seen");
}
