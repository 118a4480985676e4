//! The verifier as this module needs it: a stand-in until the core is here.

use crate::aer1::json;
use crate::aer1::report::{Class, Fault, Headline, Kind, Place, Report};
use crate::aer1::verify::Options;

/// Scratch space; one a thread, reused.
pub struct Verifier {
    doc: json::Doc,
}

/// How to read a text whose first bytes are these.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    /// As one text.
    Whole,
    /// Line by line.
    Lines,
    /// Not known yet: hand in more.
    Unknown,
}

impl Verifier {
    pub fn new(_options: Options) -> Verifier {
        Verifier { doc: json::Doc::new() }
    }

    pub fn text(&mut self, bytes: &[u8], sink: &mut dyn FnMut(Report)) {
        sink(self.one(Place::WHOLE, bytes));
    }

    pub fn line(&mut self, number: u32, bytes: &[u8], sink: &mut dyn FnMut(Report)) {
        if !bytes.trim_ascii().is_empty() {
            sink(self.one(Place::line(number), bytes));
        }
    }

    fn one(&mut self, place: Place, bytes: &[u8]) -> Report {
        if bytes.trim_ascii().is_empty() {
            return Report::of_fault(place, Fault::new(Class::EmptyFile));
        }
        match json::parse(bytes, 128, &mut self.doc) {
            Ok(()) => {
                let mut report = Report::empty(place, Kind::Published, Headline::Verified);
                report.id = Some(String::from_utf8_lossy(bytes.trim_ascii()).chars().take(64).collect());
                report
            }
            Err(fault) => Report::of_fault(place, Fault::new(fault.class)),
        }
    }
}

pub fn reading(head: &[u8], at_end: bool) -> Reading {
    let text = head.trim_ascii_start();
    let Some(end) = memchr::memchr(b'\n', text) else {
        return if at_end { Reading::Whole } else { Reading::Unknown };
    };
    let (first, rest) = text.split_at(end);
    let mut doc = json::Doc::new();
    if !first.starts_with(b"{") || json::parse(first, 128, &mut doc).is_err() {
        return Reading::Whole;
    }
    match (rest.trim_ascii().is_empty(), at_end) {
        (false, _) => Reading::Lines,
        (true, true) => Reading::Whole,
        (true, false) => Reading::Unknown,
    }
}
