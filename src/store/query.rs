//! What is asked of the store: which rows, in which order.

use std::fmt;
use std::time::Duration;

use crate::aer1::grammar::Moment;

use super::{RowId, Store};

/// Ready-made filters: a name and its text.
pub const PRESETS: [(&str, &str); 3] =
    [("all", ""), ("failing", "verdict:failing"), ("unchecked", "verdict:unchecked")];

/// Which rows are wanted.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Filter {
    text: String,
}

/// Why a filter's text cannot be understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FilterError {
    /// Byte offset into the text, on a character boundary.
    pub at: usize,
    /// How many bytes are meant.
    pub length: usize,
    /// What is wrong and what is expected. Parts of the text stand in it raw.
    pub message: String,
}

impl fmt::Display for FilterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for FilterError {}

impl Filter {
    /// Reads a filter; `since:` counts back from `now`.
    ///
    /// # Errors
    /// The first thing that cannot be understood, with its position.
    pub fn parse(text: &str, now: Moment) -> Result<Filter, FilterError> {
        let _ = now;
        Ok(Filter { text: text.to_owned() })
    }

    /// Whether nothing is asked for (rows that are no receipts are hidden all the same).
    pub fn is_all(&self) -> bool {
        self.text.trim().is_empty()
    }

    /// The text it was read from.
    pub fn text(&self) -> &str {
        &self.text
    }
}

/// What rows are ordered by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SortKey {
    /// The stated time; rows without one last, whatever the direction.
    Created,
    /// The order in which rows came to be.
    Arrival,
    /// Tool name; rows without one last.
    Tool,
    /// Headline, then class.
    Verdict,
    /// Execution status; rows without one last.
    Status,
    /// Path, then place.
    File,
    /// File size.
    Size,
}

impl SortKey {
    /// Every value, in the order in which they are offered.
    pub const ALL: [SortKey; 7] = [
        SortKey::Created,
        SortKey::Arrival,
        SortKey::Tool,
        SortKey::Verdict,
        SortKey::Status,
        SortKey::File,
        SortKey::Size,
    ];

    /// The word for it.
    pub const fn as_str(self) -> &'static str {
        match self {
            SortKey::Created => "created",
            SortKey::Arrival => "arrival",
            SortKey::Tool => "tool",
            SortKey::Verdict => "verdict",
            SortKey::Status => "status",
            SortKey::File => "file",
            SortKey::Size => "size",
        }
    }

    /// The value with this word.
    pub fn from_word(word: &str) -> Option<SortKey> {
        SortKey::ALL.into_iter().find(|k| k.as_str() == word)
    }
}

/// Key and direction. Equal rows stand in the order of arrival, in the same direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Sort {
    /// By what.
    pub key: SortKey,
    /// Greatest first.
    pub reverse: bool,
}

impl Default for Sort {
    /// Newest first.
    fn default() -> Sort {
        Sort { key: SortKey::Created, reverse: true }
    }
}

/// An ordered, filtered list of rows, kept up to date in small steps so that no frame waits for it.
#[derive(Debug, Default)]
pub struct View {
    filter: Filter,
    sort: Sort,
    ids: Vec<RowId>,
}

impl View {
    /// A view that shows nothing until it is stepped.
    pub fn new(filter: Filter, sort: Sort) -> View {
        View { filter, sort, ids: Vec::new() }
    }

    /// Another filter or order. The list stays as it is until a step has made the new one.
    pub fn set(&mut self, filter: Filter, sort: Sort) {
        self.filter = filter;
        self.sort = sort;
    }

    /// The filter that was set last.
    pub fn filter(&self) -> &Filter {
        &self.filter
    }

    /// The order that was set last.
    pub fn sort(&self) -> Sort {
        self.sort
    }

    /// Brings the view up to date for about `budget`; true when it is.
    pub fn step(&mut self, store: &Store, budget: Duration) -> bool {
        let _ = (store, budget);
        true
    }

    /// How far a new list is, in percent; `None` when none is being made.
    pub fn progress(&self) -> Option<u8> {
        None
    }

    /// The rows, in order.
    pub fn ids(&self) -> &[RowId] {
        &self.ids
    }

    /// Where a row stands in the list. Walks the list.
    pub fn position(&self, id: RowId) -> Option<usize> {
        self.ids.iter().position(|i| *i == id)
    }
}
