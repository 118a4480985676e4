//! Everything that was found about a record, as escaped statements: what the checks tab shows.

use crate::aer1::report::{BytesState, Check, Labels, Layer, Report};
use crate::output::sentence;
use crate::text;
use crate::tui::theme::Role;

/// Faults of one layer that are listed before the rest is counted.
const MOST_FAULTS: usize = 64;
/// Characters of a found or expected value.
const VALUE: usize = 240;

/// One escaped line, wrapped when it is drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    /// A word in front of it, at most 14 columns: it stands in a column of its own.
    pub head: String,
    /// How the head looks.
    pub role: Role,
    /// The statement.
    pub text: String,
}

fn heading(text: &str) -> Statement {
    Statement { head: String::new(), role: Role::Title, text: text.to_owned() }
}

fn entry(head: &str, role: Role, text: impl Into<String>) -> Statement {
    Statement { head: head.to_owned(), role, text: text.into() }
}

/// One wrapped row of the statements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckRow {
    /// The head, on the first row of a statement only.
    pub head: String,
    /// How the head looks.
    pub role: Role,
    /// Whether it is a heading.
    pub heading: bool,
    /// The part of the statement on this row.
    pub text: String,
}

/// Columns of the heads.
pub const HEAD: usize = 17;

/// The statements, wrapped to `columns`. There are a few hundred at most, each cut when it was made.
pub fn rows(statements: &[Statement], columns: usize) -> Vec<CheckRow> {
    let head = if columns >= HEAD * 2 { HEAD } else { columns.min(2) };
    let mut out = Vec::new();
    for (n, statement) in statements.iter().enumerate() {
        let heading = statement.role == Role::Title;
        if heading && n > 0 {
            out.push(CheckRow { head: String::new(), role: Role::Text, heading: false, text: String::new() });
        }
        let text = match (head < HEAD, statement.head.is_empty()) {
            (true, false) => format!("{} {}", statement.head, statement.text),
            _ => statement.text.clone(),
        };
        let room = if heading { columns } else { columns.saturating_sub(head) };
        for (n, part) in super::cells::wrap(&text, room).into_iter().enumerate() {
            let head = if n == 0 && head == HEAD { statement.head.clone() } else { String::new() };
            out.push(CheckRow { head, role: statement.role, heading, text: part });
        }
    }
    out
}

/// How a layer's result looks.
pub const fn check_role(check: Check) -> Role {
    match check {
        Check::Passed => Role::Text,
        Check::Failed => Role::Bad,
        Check::NotReached => Role::Warn,
        Check::NotApplicable => Role::Dim,
    }
}

/// All of it.
pub fn statements(report: &Report) -> Vec<Statement> {
    let mut out = vec![heading("checks, in their order")];
    for layer in Layer::ALL {
        let check = report.check(*layer);
        let role = check_role(check);
        let what = format!("{}: {}", layer.as_str(), sentence::layer(*layer));
        out.push(entry(sentence::check(check), role, what));
        let faults = report.faults.iter().filter(|fault| fault.class.layer() == *layer);
        let mut more = 0usize;
        for (n, fault) in faults.enumerate() {
            if n >= MOST_FAULTS {
                more = more.saturating_add(1);
                continue;
            }
            out.push(entry("", Role::Bad, format!("{}: {}", fault.class.as_str(), sentence::fault(fault))));
            if let Some(found) = &fault.found {
                out.push(entry("found", Role::Dim, text::shown_cut(found, VALUE)));
            }
            if let Some(expected) = &fault.expected {
                out.push(entry("expected", Role::Dim, text::shown_cut(expected, VALUE)));
            }
            if let Some(offset) = fault.offset {
                out.push(entry("at byte", Role::Dim, offset.to_string()));
            }
        }
        if more > 0 {
            out.push(entry("", Role::Bad, format!("and {more} more faults of this kind of check")));
        }
    }
    findings(report, &mut out);
    claims(report, &mut out);
    notes(report, &mut out);
    out
}

fn findings(report: &Report, out: &mut Vec<Statement>) {
    out.push(heading("findings"));
    out.push(entry("kind", Role::Dim, sentence::kind(report.kind)));
    let role = match report.bytes.state {
        BytesState::Mismatch | BytesState::Malformed => Role::Bad,
        _ => Role::Text,
    };
    out.push(entry("bytes", role, sentence::bytes(report.bytes.state)));
    if let Some(declared) = &report.bytes.declared {
        out.push(entry(sentence::declared(report), Role::Dim, text::shown_cut(declared, VALUE)));
    }
    if let Some(recomputed) = &report.bytes.recomputed {
        out.push(entry("recomputed", Role::Dim, format!("sha256:{}", crate::aer1::report::hex(recomputed))));
    }
    if let Some(form) = report.canonical_form {
        out.push(entry("form", Role::Dim, sentence::canonical_form(form)));
    }
    out.push(entry("shape", Role::Dim, sentence::shape(report.shape)));
    let role = if report.labels == Labels::Contradicted { Role::Bad } else { Role::Dim };
    out.push(entry("labels", role, sentence::labels(report.labels)));
    out.push(entry("id", Role::Dim, sentence::id_state(report.id_state)));
    out.push(entry("anchor", Role::Dim, sentence::anchor(report.anchor)));
    if let Some(class) = &report.provenance {
        let text = format!("{}: {}", text::shown_cut(class, VALUE), sentence::provenance(class));
        out.push(entry("provenance", Role::Dim, text));
    }
    if let Some(correlation) = &report.correlation {
        out.push(entry("linked by", Role::Dim, sentence::correlation(correlation)));
    }
}

fn claims(report: &Report, out: &mut Vec<Statement>) {
    if report.verification_status.is_none() && report.status.is_none() && report.claims.is_empty() {
        return;
    }
    out.push(heading("the record says (claims, not findings)"));
    for (name, value) in own_claims(report) {
        out.push(entry(
            "says",
            Role::Uncovered,
            format!("{}: {}", text::shown_cut(&name, 80), text::shown_cut(&value, VALUE)),
        ));
    }
}

/// What the record says of itself: member and raw value.
pub fn own_claims(report: &Report) -> Vec<(String, String)> {
    let mut out = Vec::new();
    let mut add = |name: &str, value: &Option<String>| {
        if let Some(value) = value {
            out.push((name.to_owned(), value.clone()));
        }
    };
    add("verification_status", &report.verification_status);
    add("status", &report.status);
    out.extend(report.claims.iter().take(MOST_FAULTS).cloned());
    out
}

fn notes(report: &Report, out: &mut Vec<Statement>) {
    if report.notes.is_empty() {
        return;
    }
    out.push(heading("notes"));
    for note in report.notes.iter().take(MOST_FAULTS) {
        out.push(entry("note", Role::Note, sentence::note(note)));
    }
    if report.notes.len() > MOST_FAULTS {
        out.push(entry("note", Role::Note, format!("and {} more", report.notes.len() - MOST_FAULTS)));
    }
}
