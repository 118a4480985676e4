//! What is asked of the store: which rows, in which order.
//!
//! ```text
//! verdict:mismatch tool:sql,web prov:gateway -status:success since:10m chain:retried "exact words" anything
//! ```
//! All parts must hold; commas mean or; `-` means not. Words match id, tool, file, class, provenance and status. Case
//! matters only where a pattern has a capital letter.

mod matching;
mod order;
mod parse;
mod view;

pub use order::{Sort, SortKey};
pub use parse::{FIELDS, FilterError, back_to, distance};
pub use view::View;

use crate::aer1::grammar::Moment;
use crate::aer1::report::{Anchor, Class, Headline, Kind, Labels};

use super::RowState;

/// Ready-made filters: a name and its text.
pub const PRESETS: [(&str, &str); 3] =
    [("all", ""), ("failing", "verdict:failing"), ("unchecked", "verdict:unchecked")];

/// Which rows are wanted.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Filter {
    text: String,
    clauses: Vec<Clause>,
}

/// One part of a filter.
#[derive(Clone, Debug, PartialEq)]
struct Clause {
    negated: bool,
    test: Test,
}

#[derive(Clone, Debug, PartialEq)]
enum Test {
    Verdict(Vec<Wanted>),
    Class(Vec<Class>),
    Kind(Vec<Kind>),
    Labels(Vec<Labels>),
    Anchor(Vec<Anchor>),
    State(Vec<StateWanted>),
    Tool(Vec<Pattern>),
    Provenance(Vec<Pattern>),
    Status(Vec<Pattern>),
    Id(Vec<Pattern>),
    File(Vec<Pattern>),
    Chain(Vec<ChainWanted>),
    Since(Moment),
    Words(Pattern),
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Wanted {
    Headline(Headline),
    Writing,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum StateWanted {
    State(RowState),
    Rewritten,
}

#[derive(Clone, Debug, PartialEq)]
enum ChainWanted {
    Retried,
    Failed,
    Value(Pattern),
}

/// A text that is looked for. Without a capital in it, capitals make no difference.
#[derive(Clone, Debug, PartialEq)]
struct Pattern {
    text: String,
    exact_case: bool,
    has_slash: bool,
    /// Whether it is made of the letters of a UUID.
    may_be_in_id: bool,
    /// Whether it is made of the letters of a UUID with `.json` after it.
    may_be_in_name: bool,
}

impl Filter {
    /// Reads a filter; `since:` counts back from `now`.
    ///
    /// # Errors
    /// The first thing that cannot be understood, with its position.
    pub fn parse(text: &str, now: Moment) -> Result<Filter, FilterError> {
        let clauses = parse::parse(text, now)?;
        Ok(Filter { text: text.to_owned(), clauses })
    }

    /// Whether nothing is asked for (rows that are no receipts are hidden all the same).
    pub fn is_all(&self) -> bool {
        self.clauses.is_empty()
    }

    /// The text it was read from.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether a row fits, looked at by itself. For lists use a [`View`].
    pub fn fits(&self, store: &super::Store, id: super::RowId) -> bool {
        matching::Matcher::new(self.clone()).fits(store, id)
    }

    /// Whether rows that are no receipts are asked for.
    fn wants_others(&self) -> bool {
        self.clauses.iter().filter(|c| !c.negated).any(|c| match &c.test {
            Test::Verdict(list) => list.contains(&Wanted::Headline(Headline::NotReceipt)),
            Test::Kind(list) => list.contains(&Kind::None),
            _ => false,
        })
    }
}

#[cfg(test)]
mod tests;
