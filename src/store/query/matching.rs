//! Whether a row fits a filter: first by what many rows have in common, then by the row itself.

use crate::aer1::report::Headline;
use crate::store::data::Data;
use crate::store::row::{Common, Row, flag, uuid_text};
use crate::store::{RowId, RowState, Store};

use super::{ChainWanted, Clause, Filter, Pattern, StateWanted, Test, Wanted};

/// What a test says of all rows with one [`Common`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Answer {
    Unknown,
    No,
    Yes,
    /// It depends on the row.
    Row,
}

/// A filter with what it already knows about a store.
#[derive(Clone, Debug)]
pub(super) struct Matcher {
    filter: Filter,
    others: bool,
    /// By number of the common part: what is known, and which clauses are left to ask the row (the first 64 have a
    /// bit each).
    commons: Vec<(Answer, u64)>,
    /// For each clause that looks at paths, by number of the folder.
    dirs: Vec<Vec<Answer>>,
}

impl Matcher {
    pub(super) fn new(filter: Filter) -> Matcher {
        let others = filter.wants_others();
        let dirs = vec![Vec::new(); filter.clauses.len()];
        Matcher { filter, others, commons: Vec::new(), dirs }
    }

    pub(super) fn filter(&self) -> &Filter {
        &self.filter
    }

    /// Whether membership depends on chains, so that a change of a chain concerns all its rows.
    pub(super) fn looks_at_chains(&self) -> bool {
        let chains =
            |t: &Test| matches!(t, Test::Chain(list) if list.iter().any(|w| !matches!(w, ChainWanted::Value(_))));
        self.filter.clauses.iter().any(|c| chains(&c.test))
    }

    pub(super) fn fits(&mut self, store: &Store, id: RowId) -> bool {
        let Some(row) = store.data.rows.get(id) else { return false };
        let number = row.common as usize;
        if number >= self.commons.len() {
            self.commons.resize(store.data.commons().len().max(number + 1), (Answer::Unknown, 0));
        }
        if row.state() == RowState::Writing {
            // Its verdict is stale: nothing that is known about its like holds.
            return self.of_writing(store, id, row);
        }
        let mut known = self.commons.get(number).copied().unwrap_or((Answer::Unknown, 0));
        if known.0 == Answer::Unknown {
            known = self.of_common(&store.data, store.data.common(row));
            if let Some(slot) = self.commons.get_mut(number) {
                *slot = known;
            }
        }
        match known {
            (Answer::No, _) => false,
            (Answer::Yes, _) => true,
            (_, left) => {
                let clauses = self.filter.clauses.iter().zip(&mut self.dirs).enumerate();
                clauses
                    .into_iter()
                    .filter(|(n, _)| left >> (*n).min(63) & 1 == 1)
                    .all(|(_, (clause, dirs))| clause_holds(store, id, row, clause, dirs))
            }
        }
    }

    fn of_common(&self, data: &Data, common: &Common) -> (Answer, u64) {
        if common.headline == Headline::NotReceipt && !self.others {
            return (Answer::No, 0);
        }
        let mut left = 0u64;
        for (clause, n) in self.filter.clauses.iter().zip(0u32..) {
            let answer = test_common(data, common, &clause.test);
            match if clause.negated { not(answer) } else { answer } {
                Answer::No => return (Answer::No, 0),
                Answer::Yes => {}
                Answer::Row | Answer::Unknown => left |= 1 << n.min(63),
            }
        }
        (if left == 0 { Answer::Yes } else { Answer::Row }, left)
    }

    fn of_writing(&mut self, store: &Store, id: RowId, row: &Row) -> bool {
        let clauses = self.filter.clauses.iter().zip(&mut self.dirs);
        clauses.into_iter().all(|(clause, dirs)| match &clause.test {
            Test::Verdict(list) => list.contains(&Wanted::Writing) != clause.negated,
            _ => clause_holds(store, id, row, clause, dirs),
        })
    }
}

fn clause_holds(store: &Store, id: RowId, row: &Row, clause: &Clause, dirs: &mut Vec<Answer>) -> bool {
    let holds = match &clause.test {
        // What many rows have in common said no already, or this would not be asked; a file being written is rare.
        Test::Words(_) if row.state() != RowState::Writing => test_row(store, id, row, clause, dirs),
        test => match test_common(&store.data, store.data.common(row), test) {
            Answer::Yes => true,
            Answer::No => false,
            Answer::Row | Answer::Unknown => test_row(store, id, row, clause, dirs),
        },
    };
    holds != clause.negated
}

fn not(answer: Answer) -> Answer {
    match answer {
        Answer::No => Answer::Yes,
        Answer::Yes => Answer::No,
        other => other,
    }
}

fn of(holds: bool) -> Answer {
    if holds { Answer::Yes } else { Answer::No }
}

/// What the common part alone decides.
fn test_common(data: &Data, common: &Common, test: &Test) -> Answer {
    let any = |list: &[Pattern], sym: u32| of(list.iter().any(|p| p.is_in(data.texts.get(sym))));
    match test {
        Test::Verdict(list) => of(!common.unread && list.contains(&Wanted::Headline(common.headline))),
        Test::Class(list) => of(common.class.is_some_and(|c| list.contains(&c))),
        Test::Kind(list) => of(list.contains(&common.kind)),
        Test::Labels(list) => of(list.contains(&common.labels)),
        Test::Anchor(list) => of(list.contains(&common.anchor)),
        Test::Tool(list) => any(list, common.tool),
        Test::Provenance(list) => any(list, common.provenance),
        Test::Status(list) => any(list, common.status),
        Test::Words(pattern) => {
            let texts = [common.tool, common.provenance, common.status].map(|s| data.texts.get(s));
            let class = common.class.map_or("", |c| c.as_str());
            if texts.into_iter().chain([class]).any(|t| pattern.is_in(t)) { Answer::Yes } else { Answer::Row }
        }
        Test::State(_) | Test::Id(_) | Test::File(_) | Test::Chain(_) | Test::Since(_) => Answer::Row,
    }
}

/// What only the row decides.
fn test_row(store: &Store, id: RowId, row: &Row, clause: &Clause, dirs: &mut Vec<Answer>) -> bool {
    let data = &store.data;
    match &clause.test {
        Test::State(list) => list.iter().any(|wanted| match wanted {
            StateWanted::State(state) => row.state() == *state,
            StateWanted::Rewritten => row.has(flag::REWRITTEN),
        }),
        Test::Id(list) => list.iter().any(|p| id_has(data, row, p)),
        Test::File(list) => list.iter().any(|p| file_has(data, row, p, None)),
        Test::Words(p) => words_have(data, row, p, dirs),
        Test::Since(start) => row.created().unwrap_or_else(|| data.moment_of(row.arrived)) >= *start,
        Test::Chain(list) => {
            let (retried, failed) = store.attempts.standing_of(row, id);
            list.iter().any(|wanted| match wanted {
                ChainWanted::Retried => retried,
                ChainWanted::Failed => failed,
                ChainWanted::Value(p) => data.group(row.group).is_some_and(|g| p.is_in(&data.key_text(g.value))),
            })
        }
        _ => false,
    }
}

fn words_have(data: &Data, row: &Row, pattern: &Pattern, known: &mut Vec<Answer>) -> bool {
    if row.has(flag::UUID) && data.is_derived(row.file) {
        // The name holds the id: one look at both.
        return pattern.may_be_in_name && data.with_name(row.file, |name| pattern.is_plainly_in(name))
            || dir_has(data, row, pattern, Some(known));
    }
    id_has(data, row, pattern) || file_has(data, row, pattern, Some(known))
}

fn id_has(data: &Data, row: &Row, pattern: &Pattern) -> bool {
    if row.has(flag::UUID) {
        return pattern.may_be_in_id && pattern.is_plainly_in(&uuid_text(&row.id));
    }
    pattern.is_in(&data.key_text(row.key()))
}

/// Looks at the name, then at the folder.
fn file_has(data: &Data, row: &Row, pattern: &Pattern, known: Option<&mut Vec<Answer>>) -> bool {
    data.with_name(row.file, |name| pattern.is_in_bytes(name)) || dir_has(data, row, pattern, known)
}

/// Looks at the folder below the opened one, and at both together only for a pattern with a slash.
fn dir_has(data: &Data, row: &Row, pattern: &Pattern, known: Option<&mut Vec<Answer>>) -> bool {
    let dir = data.dir_number_of(row.file);
    if pattern.has_slash {
        let mut all = data.dir_below_root(dir).to_vec();
        data.with_name(row.file, |name| all.extend_from_slice(name));
        return pattern.is_in_bytes(&all);
    }
    let Some(known) = known else { return pattern.is_in_bytes(data.dir_below_root(dir)) };
    let at = dir as usize;
    if at >= known.len() {
        known.resize(data.dirs().max(1), Answer::Unknown);
    }
    let Some(slot) = known.get_mut(at) else { return false };
    if *slot == Answer::Unknown {
        *slot = of(pattern.is_in_bytes(data.dir_below_root(dir)));
    }
    *slot == Answer::Yes
}

impl Pattern {
    /// As it is, whatever the case.
    fn is_plainly_in(&self, hay: &[u8]) -> bool {
        match std::str::from_utf8(hay) {
            Ok(hay) => hay.contains(&self.text),
            Err(_) => hay.windows(self.text.len().max(1)).any(|w| w == self.text.as_bytes()),
        }
    }

    pub(super) fn is_in(&self, text: &str) -> bool {
        if self.exact_case || text.is_ascii() && self.text.is_ascii() {
            return self.is_in_ascii(text.as_bytes());
        }
        text.to_lowercase().contains(&self.text)
    }

    pub(super) fn is_in_bytes(&self, bytes: &[u8]) -> bool {
        if self.exact_case || self.text.is_ascii() && bytes.is_ascii() {
            return self.is_in_ascii(bytes);
        }
        String::from_utf8_lossy(bytes).to_lowercase().contains(&self.text)
    }

    /// ASCII capitals taken as small letters unless case matters.
    fn is_in_ascii(&self, hay: &[u8]) -> bool {
        if self.exact_case || !hay.iter().any(u8::is_ascii_uppercase) {
            return self.is_plainly_in(hay);
        }
        let mut room = [0u8; 256];
        match room.get_mut(..hay.len()) {
            Some(small) => {
                small.copy_from_slice(hay);
                small.make_ascii_lowercase();
                self.is_plainly_in(small)
            }
            None => self.is_plainly_in(&hay.to_ascii_lowercase()),
        }
    }
}
