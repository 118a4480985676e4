//! Hash-chained timelines and their commitments (rules §6).

use std::fmt::Write as _;

use sha2::{Digest as _, Sha256};

use super::grammar;
use super::headline::{close, settle};
use super::json::{NodeKind, Value};
use super::receipt::Work;
use super::report::{Check, Class, Fault, Headline, IdState, Kind, Layer, Note, Part, Place, Report, Structure, hex};

/// What the first entry must point at.
const GENESIS: &str = "0000000000000000000000000000000000000000000000000000000000000000";

/// Members of an entry that are non-empty texts, `seq` and `close` apart.
const CURRENT: [&str; 6] = ["id", "job_id", "tool", "provenance_class", "canonical_bytes", "prev_digest"];
const HISTORICAL: [&str; 3] = ["id", "canonical_bytes", "prev_digest"];

/// One entry, as far as it could be read.
#[derive(Default)]
struct Entry {
    texts: Vec<(&'static str, String)>,
    seq: Option<i64>,
    close: Option<bool>,
    output: Option<[u8; 32]>,
    digest: Option<String>,
}

impl Entry {
    fn text(&self, name: &str) -> Option<&str> {
        self.texts.iter().find(|(n, _)| *n == name).map(|(_, t)| t.as_str())
    }
}

/// The faults found so far, one list a class, so that they speak in the order of rules §6 over all entries.
#[derive(Default)]
struct Faults {
    missing: Vec<Fault>,
    types: Vec<Fault>,
    base64: Vec<Fault>,
    utf8: Vec<Fault>,
    digest: Vec<Fault>,
    seq: Vec<Fault>,
    job: Vec<Fault>,
    close: Vec<Fault>,
    genesis: Vec<Fault>,
    link: Vec<Fault>,
    commitment: Vec<Fault>,
}

/// Checks a timeline: `entries` is the array, `holder` the object around it, if any.
pub(super) fn check(entries: Value<'_>, holder: Option<Value<'_>>, work: &mut Work) -> Report {
    let mut report = Report::empty(Place::WHOLE, Kind::Chain, Headline::Intact);
    for layer in [Layer::Json, Layer::Members, Layer::Base64, Layer::Utf8, Layer::Structure, Layer::Links] {
        report.mark(layer, Check::Passed);
    }
    let list: Vec<Value<'_>> = entries.elements().collect();
    let historical = !list.is_empty() && list.iter().all(|e| e.get("seq").is_none());
    let mut faults = Faults::default();
    if list.is_empty() {
        faults.missing.push(Fault::of(Class::MissingMember, "timeline[0]"));
    }
    let read: Vec<Entry> = list.iter().enumerate().map(|(i, e)| entry(*e, i, historical, &mut faults, work)).collect();
    order(&list, &read, historical, &mut faults);
    let holds = links(&read, &mut faults);
    let commitment = holder.and_then(|h| h.get("commitment"));
    if let Some(commitment) = commitment {
        beside(commitment, &read, historical, &mut faults);
    }
    // Within layer 4 the alphabet speaks before the padding, whichever entry it is in (rules §3.4).
    faults.base64.sort_by_key(|f| f.class);
    report.faults = [
        faults.missing,
        faults.types,
        faults.base64,
        faults.utf8,
        faults.digest,
        faults.seq,
        faults.job,
        faults.close,
        faults.genesis,
        faults.link,
        faults.commitment,
    ]
    .concat();
    describe(&mut report, &list, &read, &holds, holder);
    settle(&mut report, Headline::Intact);
    if report.faults.is_empty() {
        if historical {
            report.class = Some(Class::ChainHistorical);
        }
        report.notes.push(if commitment.is_some() { Note::EndCommitted } else { Note::EndNotProven });
    }
    if historical {
        report.notes.push(Note::HistoricalChain);
    }
    close(&mut report);
    report
}

/// Reads one entry; members, types, base64 and UTF-8.
fn entry(value: Value<'_>, index: usize, historical: bool, faults: &mut Faults, work: &mut Work) -> Entry {
    let mut entry = Entry::default();
    let at = |name: &str| format!("timeline[{index}].{name}");
    if !value.is_object() {
        let fault = Fault::of(Class::WrongType, format!("timeline[{index}]"));
        faults.types.push(fault.found(value.kind().word()).expected("an object"));
        return entry;
    }
    let names: &[&'static str] = if historical { &HISTORICAL } else { &CURRENT };
    for name in names.iter().copied() {
        match value.get(name).map(|v| (v, v.str())) {
            None => faults.missing.push(Fault::of(Class::MissingMember, at(name))),
            Some((_, Some(text))) if text.is_empty() => {
                faults.missing.push(Fault::of(Class::MissingMember, at(name)).found(""));
            }
            Some((_, Some(text))) => entry.texts.push((name, text.into_owned())),
            Some((v, None)) => {
                let fault = Fault::of(Class::WrongType, at(name));
                faults.types.push(fault.found(v.kind().word()).expected("a string"));
            }
        }
    }
    if !historical && value.get("seq").is_none() {
        faults.missing.push(Fault::of(Class::MissingMember, at("seq")));
    }
    entry.seq = value.get("seq").and_then(|s| s.integer());
    entry.close = match value.get("close").map(|c| c.kind()) {
        None | Some(NodeKind::False) => Some(false),
        Some(NodeKind::True) => Some(true),
        Some(_) => None,
    };
    if let Some(encoded) = entry.text("canonical_bytes") {
        let member = at("canonical_bytes");
        let result = grammar::decode_base64(encoded.as_bytes(), &mut work.decoded);
        if let Err(fault) = result {
            faults.base64.push(Fault::of(fault.class, member.as_str()).at(fault.offset));
        }
        if result.is_ok() {
            if let Err(error) = std::str::from_utf8(&work.decoded) {
                faults.utf8.push(Fault::of(Class::Utf8Invalid, member).at(error.valid_up_to()));
            }
            let output: [u8; 32] = Sha256::digest(&work.decoded).into();
            // No member of an entry; but where it stands there, bytes that contradict it are the worst news (rules §1).
            if let Some(stated) = value.get("output_hash").and_then(|hash| hash.str()) {
                let (bare, found) = (stated.strip_prefix("sha256:").unwrap_or(&stated), hex(&output));
                if grammar::is_digest(bare) && bare != found {
                    let fault = Fault::of(Class::DigestMismatch, at("output_hash"));
                    faults.digest.push(fault.found(&*stated).expected(format!("sha256:{found}")));
                }
            }
            entry.output = Some(output);
        }
    }
    entry.digest = match (historical, entry.output) {
        (true, Some(output)) => Some(hex(&output)),
        (false, Some(output)) => entry_digest(&entry, &output),
        _ => None,
    };
    entry
}

/// The digest of one current entry; `None` while a member it covers is not there.
fn entry_digest(entry: &Entry, output: &[u8; 32]) -> Option<String> {
    let mut text = String::with_capacity(400);
    text.push_str("{\"close\":");
    text.push_str(if entry.close? { "true" } else { "false" });
    for (name, value) in [
        ("id", entry.text("id")?),
        ("job_id", entry.text("job_id")?),
        ("output_hash", hex(output).as_str()),
        ("prev_digest", entry.text("prev_digest")?),
        ("provenance_class", entry.text("provenance_class")?),
    ] {
        push_member(&mut text, name);
        push_ascii(&mut text, value);
    }
    push_member(&mut text, "seq");
    text.push_str(&entry.seq?.to_string());
    push_member(&mut text, "tool");
    push_ascii(&mut text, entry.text("tool")?);
    text.push('}');
    let digest: [u8; 32] = Sha256::digest(text.as_bytes()).into();
    Some(hex(&digest))
}

fn push_member(text: &mut String, name: &str) {
    text.push_str(",\"");
    text.push_str(name);
    text.push_str("\":");
}

/// A JSON string in ASCII: the seven short escapes, `\uxxxx` in lowercase for every other control, U+007F and
/// everything beyond, surrogate pairs above the BMP.
fn push_ascii(out: &mut String, text: &str) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            ' '..='~' => out.push(c),
            other => {
                for unit in other.encode_utf16(&mut [0; 2]) {
                    let written = write!(out, "\\u{unit:04x}");
                    debug_assert!(written.is_ok(), "writing to a String does not fail");
                }
            }
        }
    }
    out.push('"');
}

/// Sequence, job and close.
fn order(list: &[Value<'_>], read: &[Entry], historical: bool, faults: &mut Faults) {
    let last = read.len().saturating_sub(1);
    let job = read.iter().find_map(|e| e.text("job_id"));
    for (i, (value, entry)) in list.iter().zip(read).enumerate() {
        let due = i64::try_from(i).unwrap_or(i64::MAX).saturating_add(1);
        if let Some(seq) = value.get("seq").filter(|_| !historical)
            && entry.seq != Some(due)
        {
            let found = if seq.kind() == NodeKind::Number { seq.raw_text() } else { seq.kind().word() };
            let fault = Fault::of(Class::ChainSeq, format!("timeline[{i}].seq"));
            faults.seq.push(fault.found(found).expected(due.to_string()));
        }
        if let (Some(own), Some(first)) = (entry.text("job_id"), job)
            && own != first
        {
            faults.job.push(Fault::of(Class::ChainJob, format!("timeline[{i}].job_id")).found(own).expected(first));
        }
        if entry.close != Some(i == last) {
            let found = value.get("close").map_or("absent", |c| match c.kind() {
                NodeKind::True => "true",
                NodeKind::False => "false",
                other => other.word(),
            });
            let fault = Fault::of(Class::ChainClose, format!("timeline[{i}].close")).found(found);
            faults.close.push(fault.expected(if i == last { "true" } else { "false" }));
        }
    }
}

/// Genesis and links; for each entry whether its own link holds.
fn links(read: &[Entry], faults: &mut Faults) -> Vec<bool> {
    let mut holds = Vec::with_capacity(read.len());
    let mut before: Option<&Entry> = None;
    for (i, entry) in read.iter().enumerate() {
        let member = format!("timeline[{i}].prev_digest");
        let due = if i == 0 { Some(GENESIS) } else { before.and_then(|b| b.digest.as_deref()) };
        let own = entry.text("prev_digest");
        holds.push(due.is_some() && own == due);
        if let (Some(own), Some(due)) = (own, due)
            && own != due
        {
            if i == 0 {
                faults.genesis.push(Fault::of(Class::ChainGenesis, member).found(own).expected(due));
            } else {
                faults.link.push(Fault::of(Class::ChainLink, member).found(own).expected(due));
            }
        }
        before = Some(entry);
    }
    holds
}

/// A commitment that stands beside its chain: whatever is wrong with it is `commitment_mismatch`.
fn beside(commitment: Value<'_>, read: &[Entry], historical: bool, faults: &mut Faults) {
    let mut wrong = |member: &str, found: Option<String>, expected: String| {
        let mut fault = Fault::of(Class::CommitmentMismatch, format!("commitment.{member}")).expected(expected);
        fault.found = found;
        faults.commitment.push(fault);
    };
    let shown = |name: &str| {
        commitment.get(name).map(|v| v.str().map_or_else(|| v.raw_text().to_owned(), |text| text.into_owned()))
    };
    let is_text = |name: &str, due: &str| commitment.get(name).and_then(|v| v.str()).is_some_and(|t| t == due);
    let last = read.last();
    if historical {
        if commitment.get("job_id").and_then(|v| v.str()).is_none_or(|t| t.is_empty()) {
            wrong("job_id", shown("job_id"), "a non-empty text".to_owned());
        }
    } else if let Some(job) = read.iter().find_map(|e| e.text("job_id"))
        && !is_text("job_id", job)
    {
        wrong("job_id", shown("job_id"), job.to_owned());
    }
    if let Some(digest) = last.and_then(|e| e.digest.as_deref())
        && !is_text("final_entry_digest", digest)
    {
        wrong("final_entry_digest", shown("final_entry_digest"), digest.to_owned());
    }
    if commitment.get("entry_count").and_then(|c| c.plain_integer()) != i128::try_from(read.len()).ok() {
        wrong("entry_count", shown("entry_count"), read.len().to_string());
    }
    if commitment.get("published_at").and_then(|v| v.str()).is_none_or(|t| grammar::moment(&t).is_err()) {
        wrong("published_at", shown("published_at"), "a time".to_owned());
    }
}

fn describe(report: &mut Report, list: &[Value<'_>], read: &[Entry], holds: &[bool], holder: Option<Value<'_>>) {
    let own = |value: Option<Value<'_>>| value.and_then(|v| v.str()).map(|t| t.into_owned());
    let first = list.first();
    report.tool = Some(if read.len() == 1 { "1 entry".to_owned() } else { format!("{} entries", read.len()) });
    report.created_at = first.and_then(|e| own(e.get("created_at").or(e.get("timestamp"))));
    report.created = report.created_at.as_deref().and_then(|t| grammar::moment(t).ok());
    report.status = holder.and_then(|h| own(h.get("status")));
    report.verification_status = holder.and_then(|h| own(h.get("verification_status")));
    report.id = holder.and_then(|h| own(h.get("id")));
    report.id_state = if report.id.is_some() { IdState::Unverified } else { IdState::Absent };
    let class = read.first().and_then(|e| e.text("provenance_class"));
    report.provenance =
        class.filter(|c| read.iter().all(|e| e.text("provenance_class") == Some(*c))).map(ToOwned::to_owned);
    let parts = list.iter().zip(read).zip(holds).map(|((value, entry), holds)| Part {
        id: entry.text("id").unwrap_or_default().to_owned(),
        seq: value.get("seq").map(|s| s.raw_text().to_owned()).unwrap_or_default(),
        tool: entry.text("tool").map(ToOwned::to_owned),
        provenance: entry.text("provenance_class").map(ToOwned::to_owned),
        status: own(value.get("status")),
        time: own(value.get("created_at").or(value.get("timestamp"))),
        output_hash: entry.output.map(|o| hex(&o)),
        digest: entry.digest.clone(),
        prev_digest: entry.text("prev_digest").map(ToOwned::to_owned),
        holds: *holds,
    });
    report.structure = Some(Box::new(Structure {
        parts: parts.collect(),
        declared_root: holder.and_then(|h| h.get("commitment")).and_then(|c| own(c.get("final_entry_digest"))),
        recomputed_root: read.last().and_then(|e| e.digest.clone()),
        group: read.iter().find_map(|e| e.text("job_id")).map(ToOwned::to_owned),
        count: None,
    }));
}

/// A chain commitment on its own: `unavailable`, or malformed by its own faults.
pub(super) fn commitment(value: Value<'_>) -> Report {
    let mut report = Report::empty(Place::WHOLE, Kind::Commitment, Headline::Unavailable);
    for layer in [Layer::Json, Layer::Members, Layer::Time, Layer::Hash] {
        report.mark(layer, Check::Passed);
    }
    let (mut missing, mut types, mut later) = (Vec::new(), Vec::new(), Vec::new());
    for name in ["job_id", "final_entry_digest", "published_at"] {
        match value.get(name).map(|v| (v, v.str())) {
            None => missing.push(Fault::of(Class::MissingMember, name)),
            Some((v, None)) => {
                types.push(Fault::of(Class::WrongType, name).found(v.kind().word()).expected("a string"));
            }
            Some((_, Some(text))) => match name {
                "published_at" => {
                    report.created = match grammar::moment(&text) {
                        Ok(moment) => Some(moment),
                        Err(class) => {
                            later.insert(0, Fault::of(class, name).found(&*text));
                            None
                        }
                    };
                    report.created_at = Some(text.into_owned());
                }
                "final_entry_digest" if !grammar::is_digest(&text) => {
                    let fault = Fault::of(Class::HashSyntax, name).found(&*text);
                    later.push(fault.expected("64 lowercase hex digits"));
                }
                "job_id" if text.is_empty() => missing.push(Fault::of(Class::MissingMember, name).found("")),
                _ => {}
            },
        }
    }
    let count = value.get("entry_count");
    match count.map(|c| (c, c.plain_integer())) {
        None => missing.push(Fault::of(Class::MissingMember, "entry_count")),
        Some((c, value)) if value.map_or(c.is_plain_integer() && !c.raw_text().starts_with('-'), |n| n >= 1) => {}
        Some((c, _)) => {
            let found = if c.kind() == NodeKind::Number { c.raw_text() } else { c.kind().word() };
            types.push(Fault::of(Class::WrongType, "entry_count").found(found).expected("a positive integer"));
        }
    }
    report.faults = [missing, types, later].concat();
    let own = |name: &str| value.get(name).and_then(|v| v.str()).map(|t| t.into_owned());
    report.id = own("id");
    report.id_state = if report.id.is_some() { IdState::Unverified } else { IdState::Absent };
    report.provenance = own("provenance_class");
    report.status = own("status");
    report.structure = Some(Box::new(Structure {
        parts: Vec::new(),
        declared_root: own("final_entry_digest"),
        recomputed_root: None,
        group: own("job_id"),
        count: count.and_then(|c| c.plain_integer()).and_then(|n| u64::try_from(n).ok()),
    }));
    settle(&mut report, Headline::Unavailable);
    close(&mut report);
    report
}
