//! Workflow closes: steps in order under one Merkle root (rules §7).

use sha2::{Digest as _, Sha256};

use super::grammar;
use super::headline::{close, settle};
use super::json::{NodeKind, Value};
use super::report::{
    Check, Class, Fault, Headline, IdState, Kind, Layer, LeafRule, Note, Part, Place, Report, Structure, hex,
};

/// The two lists a workflow may hold: its name, the member that numbers a step and from where, the member with the
/// receipt's id.
const LISTS: [(&str, &str, i64, &str); 2] = [("steps", "seq", 1, "receipt_id"), ("receipts", "step_index", 0, "id")];

/// The faults, one list a class, so that they speak in the order of rules §7 over all steps.
#[derive(Default)]
struct Faults {
    missing: Vec<Fault>,
    types: Vec<Fault>,
    version: Vec<Fault>,
    seq: Vec<Fault>,
    duplicate: Vec<Fault>,
    count: Vec<Fault>,
    hash: Vec<Fault>,
    root: Vec<Fault>,
}

/// One step, as far as it could be read.
struct Step {
    number: Option<i64>,
    id: Option<String>,
    /// The step's output hash, bare.
    output: Option<String>,
}

/// The Merkle root over leaves (rules §7): an odd node is paired with itself; no leaf is the hash of nothing.
pub fn merkle_root(mut level: Vec<[u8; 32]>) -> [u8; 32] {
    if level.is_empty() {
        return Sha256::digest(b"").into();
    }
    while level.len() > 1 {
        level = level
            .chunks(2)
            .map(|pair| {
                let mut hash = Sha256::new();
                if let (Some(left), Some(right)) = (pair.first(), pair.last()) {
                    hash.update(left);
                    hash.update(right);
                }
                hash.finalize().into()
            })
            .collect();
    }
    level.first().copied().unwrap_or_default()
}

/// The leaf of one step under `receipt-id-v0`.
pub fn id_leaf(receipt_id: &str) -> [u8; 32] {
    Sha256::digest(receipt_id.as_bytes()).into()
}

/// The leaf of one step under `seq-output-v1`; the hash is bare hex.
pub fn output_leaf(number: i64, output_hash: &str) -> [u8; 32] {
    Sha256::digest(format!("{number}:{output_hash}").as_bytes()).into()
}

/// Which leaf rule `merkle_version` names; `None` when it is not known here.
fn leaf_rule(workflow: Value<'_>) -> Option<LeafRule> {
    match workflow.get("merkle_version") {
        None => Some(LeafRule::ReceiptId),
        Some(version) => match version.str()?.as_ref() {
            "seq-output-v1" => Some(LeafRule::SeqOutput),
            "receipt-id-v0" => Some(LeafRule::ReceiptId),
            _ => None,
        },
    }
}

fn shown(value: Value<'_>) -> String {
    value.str().map_or_else(|| value.raw_text().to_owned(), |text| text.into_owned())
}

/// Checks a workflow close.
pub(super) fn check(workflow: Value<'_>) -> Report {
    let mut report = Report::empty(Place::WHOLE, Kind::Workflow, Headline::Intact);
    for layer in [Layer::Json, Layer::Members, Layer::Hash, Layer::Structure, Layer::Links] {
        report.mark(layer, Check::Passed);
    }
    let rule = leaf_rule(workflow);
    let mut faults = Faults::default();
    if rule.is_none() {
        let found = workflow.get("merkle_version").map(shown).unwrap_or_default();
        let fault = Fault::of(Class::MerkleVersionUnsupported, "merkle_version").found(found);
        faults.version.push(fault.expected("seq-output-v1, receipt-id-v0"));
    }
    let declared = root(workflow, &mut faults);
    let is_full = workflow.get("type").and_then(|t| t.str()).is_some_and(|t| t == "verifiable-workflow-receipt");
    if is_full && let Some(own) = workflow.get("output_hash") {
        match own.str() {
            Some(text) if grammar::is_digest(&text) => {}
            Some(text) => faults
                .hash
                .push(Fault::of(Class::HashSyntax, "output_hash").found(&*text).expected("64 lowercase hex digits")),
            None => faults
                .types
                .push(Fault::of(Class::WrongType, "output_hash").found(own.kind().word()).expected("a string")),
        }
    }
    let mut recomputed = None;
    let mut parts = Vec::new();
    for list in LISTS {
        let Some(array) = workflow.get(list.0) else { continue };
        let steps = steps(array, list, rule, &mut faults);
        let count = array.elements().count();
        counted(workflow, count, &mut faults);
        let leaves: Option<Vec<[u8; 32]>> = steps.iter().map(|step| leaf(step, rule)).collect();
        if let (Some(leaves), Some(_)) = (leaves, rule)
            && !steps.is_empty()
        {
            let root = hex(&merkle_root(leaves));
            if let Some(declared) = declared.as_deref()
                && declared != root
            {
                let fault = Fault::of(Class::MerkleRootMismatch, "merkle_root");
                faults.root.push(fault.found(declared).expected(root.as_str()));
            }
            recomputed.get_or_insert(root);
        }
        if parts.is_empty() {
            parts = describe_steps(array, list, &steps, rule);
        }
    }
    // A count that disagrees with both lists is one fault.
    faults.count.dedup();
    report.faults = [
        faults.missing,
        faults.types,
        faults.version,
        faults.seq,
        faults.duplicate,
        faults.count,
        faults.hash,
        faults.root,
    ]
    .concat();
    describe(&mut report, workflow, parts, recomputed);
    if let Some(rule) = rule {
        report.notes.push(Note::RootCovers(rule));
    }
    if is_full && workflow.get("output_hash").is_some() {
        report.notes.push(Note::WorkflowOutputUnavailable);
    }
    settle(&mut report, Headline::Intact);
    close(&mut report);
    report
}

/// The declared root, when it is written as required.
fn root(workflow: Value<'_>, faults: &mut Faults) -> Option<String> {
    let root = workflow.get("merkle_root")?;
    match root.str() {
        None => {
            let fault = Fault::of(Class::WrongType, "merkle_root").found(root.kind().word());
            faults.types.push(fault.expected("a string"));
            None
        }
        Some(text) if grammar::is_digest(&text) => Some(text.into_owned()),
        Some(text) => {
            let fault = Fault::of(Class::HashSyntax, "merkle_root").found(&*text);
            faults.hash.push(fault.expected("64 lowercase hex digits"));
            None
        }
    }
}

fn counted(workflow: Value<'_>, listed: usize, faults: &mut Faults) {
    let Some(count) = workflow.get("count") else { return };
    if count.kind() != NodeKind::Number {
        let fault = Fault::of(Class::WrongType, "count").found(count.kind().word()).expected("an integer");
        if !faults.types.contains(&fault) {
            faults.types.push(fault);
        }
    } else if count.integer() != i64::try_from(listed).ok() {
        let fault = Fault::of(Class::WorkflowCount, "count").found(count.raw_text());
        faults.count.push(fault.expected(listed.to_string()));
    }
}

/// Reads one list; members, types, sequence, repeated ids, hash syntax.
fn steps(
    array: Value<'_>,
    (list, number, first, id): (&str, &str, i64, &str),
    rule: Option<LeafRule>,
    faults: &mut Faults,
) -> Vec<Step> {
    if !array.is_array() {
        faults.types.push(Fault::of(Class::WrongType, list).found(array.kind().word()).expected("an array"));
        return Vec::new();
    }
    let mut seen: std::collections::HashSet<String> = std::collections::HashSet::new();
    let mut steps = Vec::new();
    for (i, value) in array.elements().enumerate() {
        let at = |name: &str| format!("{list}[{i}].{name}");
        if !value.is_object() {
            let fault = Fault::of(Class::WrongType, format!("{list}[{i}]")).found(value.kind().word());
            faults.types.push(fault.expected("an object"));
            steps.push(Step { number: None, id: None, output: None });
            continue;
        }
        let due = i64::try_from(i).unwrap_or(i64::MAX).saturating_add(first);
        let own = value.get(number).and_then(|n| n.integer());
        match value.get(number) {
            None => faults.missing.push(Fault::of(Class::MissingMember, at(number))),
            Some(_) if own == Some(due) => {}
            Some(other) => {
                let found = if other.kind() == NodeKind::Number { other.raw_text() } else { other.kind().word() };
                faults.seq.push(Fault::of(Class::WorkflowSeq, at(number)).found(found).expected(due.to_string()));
            }
        }
        let id_text = step_text(value, id, rule == Some(LeafRule::ReceiptId), &at(id), faults);
        if let Some(text) = &id_text
            && !seen.insert(text.clone())
        {
            faults.duplicate.push(Fault::of(Class::WorkflowDuplicateId, at(id)).found(text.as_str()));
        }
        let output = step_text(value, "output_hash", rule == Some(LeafRule::SeqOutput), &at("output_hash"), faults)
            .and_then(|text| bare(text, &at("output_hash"), true, faults));
        if let Some(text) = step_text(value, "receipt_hash", false, &at("receipt_hash"), faults) {
            // Only its form can be checked: what it is the hash of is not public.
            let _checked = bare(text, &at("receipt_hash"), false, faults);
        }
        let counted_from_one = own.map(|n| n.saturating_add(1).saturating_sub(first));
        steps.push(Step { number: counted_from_one, id: id_text, output });
    }
    if steps.is_empty() {
        faults.missing.push(Fault::of(Class::MissingMember, format!("{list}[0]")));
    }
    steps
}

/// A member of a step that is a non-empty text when it is there, and must be there when `required`.
fn step_text(value: Value<'_>, name: &str, required: bool, member: &str, faults: &mut Faults) -> Option<String> {
    match value.get(name).map(|v| (v, v.str())) {
        None if required => faults.missing.push(Fault::of(Class::MissingMember, member)),
        None => {}
        Some((_, Some(text))) if text.is_empty() && required => {
            faults.missing.push(Fault::of(Class::MissingMember, member).found(""));
        }
        Some((_, Some(text))) => return Some(text.into_owned()),
        Some((v, None)) => {
            faults.types.push(Fault::of(Class::WrongType, member).found(v.kind().word()).expected("a string"));
        }
    }
    None
}

/// The bare digest of a step's hash.
fn bare(text: String, member: &str, prefix_allowed: bool, faults: &mut Faults) -> Option<String> {
    if grammar::is_digest(&text) {
        return Some(text);
    }
    if prefix_allowed && let Some(digest) = grammar::prefixed_digest(&text) {
        return Some(digest.to_owned());
    }
    faults.hash.push(Fault::of(Class::HashSyntax, member).found(text).expected("64 lowercase hex digits"));
    None
}

fn leaf(step: &Step, rule: Option<LeafRule>) -> Option<[u8; 32]> {
    match rule? {
        LeafRule::ReceiptId => Some(id_leaf(step.id.as_deref()?)),
        LeafRule::SeqOutput => Some(output_leaf(step.number?, step.output.as_deref()?)),
    }
}

fn describe_steps(
    array: Value<'_>,
    (_, number, _, _): (&str, &str, i64, &str),
    steps: &[Step],
    rule: Option<LeafRule>,
) -> Vec<Part> {
    let own = |value: Option<Value<'_>>| value.and_then(|v| v.str()).map(|t| t.into_owned());
    array
        .elements()
        .zip(steps)
        .map(|(value, step)| Part {
            id: step.id.clone().unwrap_or_default(),
            seq: value.get(number).map(|n| n.raw_text().to_owned()).unwrap_or_default(),
            tool: own(value.get("tool")),
            provenance: own(value.get("provenance_class")),
            status: own(value.get("status")),
            time: own(value.get("started_at")),
            output_hash: step.output.clone(),
            digest: leaf(step, rule).map(|l| hex(&l)),
            prev_digest: None,
            holds: leaf(step, rule).is_some(),
        })
        .collect()
}

fn describe(report: &mut Report, workflow: Value<'_>, parts: Vec<Part>, recomputed: Option<String>) {
    let own = |name: &str| workflow.get(name).and_then(|v| v.str()).map(|t| t.into_owned());
    report.tool = Some(if parts.len() == 1 { "1 step".to_owned() } else { format!("{} steps", parts.len()) });
    report.id = own("receipt_id").or_else(|| own("id"));
    report.id_state = if report.id.is_some() { IdState::Unverified } else { IdState::Absent };
    report.version = own("receipt_schema_version");
    report.created_at =
        own("created_at").or_else(|| own("started_at")).or_else(|| parts.first().and_then(|p| p.time.clone()));
    report.created = report.created_at.as_deref().and_then(|t| grammar::moment(t).ok());
    report.provenance = own("provenance_class");
    report.status = own("status");
    report.verification_status = own("verification_status");
    report.bytes.declared = own("output_hash");
    report.structure = Some(Box::new(Structure {
        parts,
        declared_root: own("merkle_root"),
        recomputed_root: recomputed,
        group: own("workflow_id").or_else(|| own("id")),
        count: workflow.get("count").and_then(|c| c.integer()).and_then(|n| u64::try_from(n).ok()),
    }));
}
