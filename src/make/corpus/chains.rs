//! Hash-chained timelines and their commitments: rules §6. The construction is written out here a second time, so that
//! a mistake in the checker cannot hide in what it is checked with.

use std::fmt::Write as _;

use super::*;
use crate::make::receipt::{base64, sha256_hex};

/// One entry before it is linked.
#[derive(Clone, Debug)]
pub(super) struct Link {
    pub(super) id: String,
    seq: u64,
    job: String,
    tool: String,
    provenance: String,
    pub(super) bytes: Vec<u8>,
    pub(super) close: bool,
}

pub(super) const GENESIS: &str = "0000000000000000000000000000000000000000000000000000000000000000";
pub(super) const JOB: &str = "night-run-0314";

impl Link {
    /// The `n`th entry of `of`.
    fn new(n: u64, of: u64) -> Link {
        Link {
            id: format!("entry-{n}"),
            seq: n,
            job: JOB.to_owned(),
            tool: "tide.table".to_owned(),
            provenance: GATEWAY.to_owned(),
            bytes: format!(r#"{{"inputs":{{"hour":{n}}},"outputs":{{"level":"{n}.40"}}}}"#).into_bytes(),
            close: n == of,
        }
    }

    /// The entry digest (rules §6): eight members in this order, ASCII escapes, no white space.
    fn digest(&self, prev: &str) -> String {
        let mut text = format!("{{\"close\":{},\"id\":", self.close);
        push_ascii(&mut text, &self.id);
        text.push_str(",\"job_id\":");
        push_ascii(&mut text, &self.job);
        text.push_str(",\"output_hash\":");
        push_ascii(&mut text, &sha256_hex(&self.bytes));
        text.push_str(",\"prev_digest\":");
        push_ascii(&mut text, prev);
        text.push_str(",\"provenance_class\":");
        push_ascii(&mut text, &self.provenance);
        text.push_str(",\"seq\":");
        text.push_str(&self.seq.to_string());
        text.push_str(",\"tool\":");
        push_ascii(&mut text, &self.tool);
        text.push('}');
        sha256_hex(text.as_bytes())
    }

    fn json(&self, prev: &str) -> Json {
        let mut entry = object([
            ("id", self.id.as_str().into()),
            ("seq", self.seq.into()),
            ("job_id", self.job.as_str().into()),
            ("tool", self.tool.as_str().into()),
            ("provenance_class", self.provenance.as_str().into()),
            ("canonical_bytes", base64(&self.bytes).into()),
            ("prev_digest", prev.into()),
        ]);
        if self.close {
            entry.add("close", true);
        }
        entry
    }
}

fn push_ascii(out: &mut String, text: &str) {
    out.push('"');
    for unit in text.encode_utf16() {
        let c = char::from_u32(u32::from(unit)).unwrap_or('\u{fffd}');
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            ' '..='~' => out.push(c),
            _ => {
                let written = write!(out, "\\u{unit:04x}");
                debug_assert!(written.is_ok(), "writing to a String does not fail");
            }
        }
    }
    out.push('"');
}

pub(super) fn links(count: u64) -> Vec<Link> {
    (1..=count).map(|n| Link::new(n, count)).collect()
}

/// Links the entries; also the digest of the last.
pub(super) fn linked(links: &[Link]) -> (Vec<Json>, String) {
    let mut prev = GENESIS.to_owned();
    let mut entries = Vec::new();
    for link in links {
        entries.push(link.json(&prev));
        prev = link.digest(&prev);
    }
    (entries, prev)
}

/// A timeline of `count` entries that holds.
pub(super) fn timeline(count: u64) -> Json {
    Json::List(linked(&links(count)).0)
}

pub(super) fn document(entries: Vec<Json>) -> Json {
    object([("timeline", Json::List(entries))])
}

/// The three entries, one of them changed after linking.
pub(super) fn changed(at: usize, change: impl FnOnce(Json) -> Json) -> Json {
    let (mut entries, _) = linked(&links(3));
    if let Some(slot) = entries.get_mut(at) {
        let entry = std::mem::replace(slot, Json::null());
        *slot = change(entry);
    }
    document(entries)
}

/// The three entries, changed before linking.
fn relinked(change: impl FnOnce(&mut Vec<Link>)) -> Json {
    let mut all = links(3);
    change(&mut all);
    document(linked(&all).0)
}

/// The three entries, one changed before linking.
fn with_link(at: usize, change: impl FnOnce(&mut Link)) -> Json {
    relinked(|all| {
        if let Some(link) = all.get_mut(at) {
            change(link);
        }
    })
}

pub(super) fn fault(class: Class) -> Verdict {
    bad(class).of(Kind::Chain)
}

pub(super) fn make(m: &mut Maker) {
    holding(m);
    entries(m);
    order(m);
    digests(m);
}

fn holding(m: &mut Maker) {
    m.one(
        "chain",
        &document(linked(&links(3)).0),
        CHAIN,
        "§6",
        "Three linked entries; nothing shows that the end was not cut off.",
    );
    m.one("chain-array", &timeline(3), CHAIN, "§2.4", "The same as a bare array: one record.");
    m.one("chain-one", &document(linked(&links(1)).0), CHAIN, "§6", "One entry opens and closes the chain.");
    m.one("chain-twelve", &document(linked(&links(12)).0), CHAIN, "§6", "Twelve entries.");
    m.one(
        "chain-cut-and-closed",
        &document(linked(&links(2)).0),
        CHAIN,
        "§6",
        "A chain that was shortened and closed again looks whole; only a commitment could tell.",
    );
    m.one("chain-seq-float", &changed(1, |e| e.with("seq", Json::raw("2.0"))), CHAIN, "§6", "2.0 is the integer 2.");
    m.one(
        "chain-seq-exponent",
        &changed(1, |e| e.with("seq", Json::raw("20e-1"))),
        CHAIN,
        "§6",
        "20e-1 is the integer 2.",
    );
    m.one("chain-close-false", &changed(1, |e| e.with("close", false)), CHAIN, "§6", "close may be stated as false.");
    m.one(
        "chain-more-members",
        &changed(1, |e| e.with("note", "spring tide")),
        CHAIN,
        "§6",
        "Unknown members of an entry are kept and not hashed.",
    );
    m.one(
        "chain-escapes",
        &with_link(0, |l| l.tool = "tide/\"table\"\\\n\r\t\u{8}\u{c}\u{1}\u{7f}ø東🌊".to_owned()),
        CHAIN,
        "§6",
        "Every kind of character in the digest's text: escaped ones, U+007F, non-ASCII, beyond the BMP, a bare slash.",
    );
    m.one(
        "chain-last-relabelled",
        &changed(2, |e| e.with("tool", "tide.level")),
        CHAIN,
        "§6",
        "Nothing follows the last entry: without a commitment its labels can be changed.",
    );
}

fn entries(m: &mut Maker) {
    use Class::{
        Base64Alphabet, Base64Noncanonical, Base64Padding, DuplicateMember, MissingMember, Utf8Invalid, WrongType,
    };
    for member in ["id", "seq", "job_id", "tool", "provenance_class", "canonical_bytes", "prev_digest"] {
        let why = format!("An entry without its {member}.");
        m.one(&format!("chain-missing-{member}"), &changed(1, |e| e.without(member)), fault(MissingMember), "§6", &why)
            .twin("chain");
    }
    for member in ["id", "job_id", "tool", "provenance_class", "canonical_bytes", "prev_digest"] {
        let why = format!("An entry whose {member} is empty.");
        m.one(&format!("chain-void-{member}"), &changed(1, |e| e.with(member, "")), fault(MissingMember), "§6", &why)
            .twin("chain");
    }
    m.one("chain-empty", &document(Vec::new()), fault(MissingMember), "§6", "A timeline of nothing.").twin("chain-one");
    m.one("chain-job-number", &changed(1, |e| e.with("job_id", 314)), fault(WrongType), "§6", "A job that is no text.")
        .twin("chain");
    m.one(
        "chain-tool-object",
        &changed(1, |e| e.with("tool", object([("name", "tide.table".into())]))),
        fault(WrongType),
        "§6",
        "A tool that is no text.",
    )
    .twin("chain");
    m.one("chain-id-null", &changed(1, |e| e.with("id", Json::null())), fault(WrongType), "§6", "An id that is null.")
        .twin("chain");
    m.one(
        "chain-prev-number",
        &changed(1, |e| e.with("prev_digest", 0)),
        fault(WrongType),
        "§6",
        "A link that is no text.",
    )
    .twin("chain");
    m.one(
        "chain-bytes-alphabet",
        &changed(1, |e| e.with("canonical_bytes", "e_9=")),
        fault(Base64Alphabet),
        "§6",
        "An entry's bytes outside the alphabet.",
    )
    .twin("chain");
    m.one(
        "chain-bytes-padding",
        &changed(1, |e| e.with("canonical_bytes", "e30")),
        fault(Base64Padding),
        "§6",
        "An entry's bytes without their padding.",
    )
    .twin("chain");
    m.one(
        "chain-bytes-pad-bits",
        &changed(1, |e| e.with("canonical_bytes", "e31=")),
        fault(Base64Noncanonical),
        "§6",
        "An entry's bytes in another spelling.",
    )
    .twin("chain");
    m.one(
        "chain-bytes-utf8",
        &with_link(1, |l| l.bytes = b"\xff".to_vec()),
        fault(Utf8Invalid),
        "§6",
        "An entry's bytes are text too.",
    )
    .twin("chain");
    m.one(
        "chain-duplicate",
        &changed(1, |mut e| {
            e.add("tool", "tide.table");
            e
        }),
        fault(DuplicateMember),
        "§3.2",
        "An entry names a member twice.",
    )
    .twin("chain");
    m.one(
        "chain-missing-before-seq",
        &changed(2, |e| e.without("tool").with("seq", 9)),
        fault(MissingMember),
        "§6",
        "Members are looked at over all entries before the order.",
    )
    .twin("chain");
}

fn order(m: &mut Maker) {
    use Class::{ChainClose, ChainJob, ChainSeq};
    for (name, seq, why) in [
        ("chain-seq-gap", Json::raw("3"), "A number is left out."),
        ("chain-seq-again", Json::raw("1"), "A number comes twice."),
        ("chain-seq-negative", Json::raw("-2"), "A negative number."),
        ("chain-seq-half", Json::raw("1.5"), "A number that is no integer."),
        ("chain-seq-true", Json::from(true), "A truth value is no number."),
        ("chain-seq-large", Json::raw("18446744073709551618"), "A number that is 2 only after overflow."),
    ] {
        m.one(name, &changed(1, |e| e.with("seq", seq)), fault(ChainSeq), "§6", why).twin("chain");
    }
    m.one(
        "chain-seq-from-0",
        &relinked(|all| all.iter_mut().for_each(|l| l.seq -= 1)),
        fault(ChainSeq),
        "§6",
        "Numbers run from 1.",
    )
    .twin("chain");
    m.one("chain-swapped", &relinked(|all| all.swap(0, 1)), fault(ChainSeq), "§6", "Two entries exchanged.")
        .twin("chain");
    m.one(
        "chain-job-other",
        &with_link(1, |l| l.job = "night-run-0315".to_owned()),
        fault(ChainJob),
        "§6",
        "An entry of another job, properly linked.",
    )
    .twin("chain");
    m.one(
        "chain-not-closed",
        &with_link(2, |l| l.close = false),
        fault(ChainClose),
        "§6",
        "The last entry does not close the chain.",
    )
    .twin("chain");
    m.one(
        "chain-closed-early",
        &with_link(0, |l| l.close = true),
        fault(ChainClose),
        "§6",
        "An entry closes the chain before its end.",
    )
    .twin("chain");
    m.one(
        "chain-close-text",
        &changed(2, |e| e.with("close", "true")),
        fault(ChainClose),
        "§6",
        "close is no boolean.",
    )
    .twin("chain");
    m.one("chain-close-number", &changed(2, |e| e.with("close", 1)), fault(ChainClose), "§6", "close is no boolean.")
        .twin("chain");
}

fn digests(m: &mut Maker) {
    use Class::{ChainGenesis, ChainLink};
    let (cut, _) = linked(&links(3));
    m.one(
        "chain-genesis",
        &changed(0, |e| e.with("prev_digest", "f".repeat(64))),
        fault(ChainGenesis),
        "§6",
        "The first entry does not start from 64 zeros.",
    )
    .twin("chain");
    m.one(
        "chain-genesis-short",
        &changed(0, |e| e.with("prev_digest", "0".repeat(63))),
        fault(ChainGenesis),
        "§6",
        "The first entry starts from 63 zeros.",
    )
    .twin("chain");
    let head_gone = cut.into_iter().skip(1).zip(1u64..).map(|(e, n)| e.with("seq", n)).collect();
    m.one(
        "chain-head-cut",
        &document(head_gone),
        fault(ChainGenesis),
        "§6",
        "The first entry is gone, and the next was renumbered.",
    )
    .twin("chain");
    m.one(
        "chain-link",
        &changed(2, |e| e.with("prev_digest", "ab".repeat(32))),
        fault(ChainLink),
        "§6",
        "A link that is no digest of the entry before it.",
    )
    .twin("chain");
    let upper = |e: Json| {
        let digest = e.text_of("prev_digest").unwrap_or_default().to_ascii_uppercase();
        e.with("prev_digest", digest)
    };
    m.one("chain-link-upper", &changed(1, upper), fault(ChainLink), "§6", "Digests are written in lower case.")
        .twin("chain");
    for (member, value, why) in [
        ("id", "entry-0", "An entry's id was changed after it was linked."),
        ("tool", "tide.level", "An entry's tool was changed after it was linked."),
        ("provenance_class", AGENT, "An entry's class was changed after it was linked."),
        ("canonical_bytes", "e30=", "An entry's bytes were changed after it was linked."),
    ] {
        m.one(&format!("chain-altered-{member}"), &changed(1, |e| e.with(member, value)), fault(ChainLink), "§6", why)
            .twin("chain");
    }
    m.one(
        "chain-all-jobs-altered",
        &{
            let (entries, _) = linked(&links(3));
            document(entries.into_iter().map(|e| e.with("job_id", "night-run-0400")).collect())
        },
        fault(ChainLink),
        "§6",
        "The job was changed everywhere; the digests still tell.",
    )
    .twin("chain");
}
