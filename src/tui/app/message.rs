//! What is said to the operator, for a while.

use super::App;
use crate::aer1::grammar::Moment;

/// A line for the operator, for a while.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// The line, escaped.
    pub text: String,
    /// Whether something went wrong.
    pub bad: bool,
    /// When it goes.
    pub until: Moment,
}

impl App {
    /// Says something to the operator.
    pub fn say(&mut self, text: impl Into<String>) {
        self.message = Some(Message { text: text.into(), bad: false, until: self.later(5) });
        self.dirty = true;
    }

    /// Says that something went wrong.
    pub fn complain(&mut self, text: impl Into<String>) {
        self.message = Some(Message { text: text.into(), bad: true, until: self.later(8) });
        self.dirty = true;
    }

    fn later(&self, secs: i64) -> Moment {
        Moment { secs: self.now.secs.saturating_add(secs), nanos: self.now.nanos }
    }
}
