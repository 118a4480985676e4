//! A stand-in until the core is here.
#![allow(missing_docs)]
use aerscope::aer1::json;
use aerscope::aer1::report::{Class, Fault, Headline, Kind, Place, Report};
pub use aerscope::aer1::verify::Opened;
use aerscope::aer1::verify::Options;

pub struct Verifier {
    doc: json::Doc,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    Whole,
    Lines,
    Events,
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
    pub fn open(&mut self, bytes: &[u8], place: Place) -> Option<Opened> {
        Some(Opened {
            report: self.one(place, bytes),
            canonical: Some(bytes.to_vec()),
            span: 0..bytes.len(),
            members: vec![],
        })
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
