//! From the bytes of a file to reports: the one way to a verdict.

use std::ops::Range;

use super::document::{self, Piece, Recognised, Subject};
use super::grammar::Moment;
use super::headline::settle;
use super::json::{self, Doc, JsonFault, Value};
pub use super::lines::{Reading, reading};
use super::lines::{event_data, is_blank, without_mark};
use super::receipt::{self, Work};
use super::report::{Check, Class, Fault, Headline, IdState, Kind, Layer, Note, Place, Profile, Report, Wrapper};
use super::{timeline, workflow};

/// What is handed in from outside: the clock, limits, expectations. The core reads nothing itself.
#[derive(Clone, Debug)]
pub struct Options {
    /// The clock for "later than now" notes; `None` asks for none.
    pub now: Option<Moment>,
    /// Nesting levels that are read (rules §3.2).
    pub max_depth: u32,
    /// Correlation fields in order: member names, or JSON pointers (beginning with `/`) into the record (rules §9).
    pub correlation: Vec<String>,
    /// Which findings decide.
    pub profile: Profile,
    /// Whether to compute the canonical form of the bytes.
    pub canonical_form: bool,
    /// Whether to look into the bytes for what links attempts (rules §9): whether they hold the correlation value, and
    /// a digest of their inputs. No verdict depends on it; without it both are left open.
    pub links: bool,
    /// The id the record must have (rules §4).
    pub expect_id: Option<String>,
    /// The `output_hash` and perhaps `id` of a separately resolved record (rules §4).
    pub resolved: Option<Resolved>,
}

/// A record resolved elsewhere, for comparison.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resolved {
    /// Its `output_hash`, as written.
    pub output_hash: String,
    /// Its `id`, if present.
    pub id: Option<String>,
}

/// The correlation fields when none are configured (rules §9).
pub const DEFAULT_CORRELATION: [&str; 7] =
    ["correlation_id", "retry_of", "job_id", "workflow_id", "session_id", "task_id", "run_id"];

impl Default for Options {
    fn default() -> Options {
        Options {
            now: None,
            max_depth: 128,
            correlation: DEFAULT_CORRELATION.iter().map(|f| (*f).to_owned()).collect(),
            profile: Profile::Core,
            canonical_form: false,
            links: true,
            expect_id: None,
            resolved: None,
        }
    }
}

/// One record opened for looking at it.
#[derive(Clone, Debug)]
pub struct Opened {
    /// The verdict, made from the bytes that were handed in.
    pub report: Report,
    /// The decoded canonical bytes, when they could be decoded.
    pub canonical: Option<Vec<u8>>,
    /// Where the record stands in the file's text: its line or array element, wrapper included.
    pub span: Range<usize>,
    /// The members of the receipt itself: name (unescaped), where its value stands in the file's text.
    pub members: Vec<(String, Range<usize>)>,
}

/// Verifies texts. Holds scratch space: make one a thread and reuse it.
#[derive(Debug)]
pub struct Verifier {
    options: Options,
    doc: Doc,
    work: Work,
}

/// What is wanted of one record besides its report.
#[derive(Default)]
struct Stash {
    canonical: Option<Vec<u8>>,
    members: Vec<(String, Range<usize>)>,
}

/// The record to open, and what was found of it.
struct Wanted {
    place: Place,
    found: Option<Opened>,
}

impl Verifier {
    /// A verifier with these options.
    pub fn new(options: Options) -> Verifier {
        Verifier { options, doc: Doc::new(), work: Work::default() }
    }

    /// The options it was made with.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Sets the clock for notes about later times.
    pub fn set_clock(&mut self, now: Moment) {
        self.options.now = Some(now);
    }

    /// Verifies every record of one text, in order (rules §2). Any bytes will do.
    pub fn text(&mut self, bytes: &[u8], sink: &mut dyn FnMut(Report)) {
        match reading(bytes, true) {
            Reading::Lines => {
                for (number, line) in (1u32..).zip(bytes.split(|b| *b == b'\n')) {
                    self.line(number, line, sink);
                }
            }
            Reading::Events => {
                let mut any = false;
                for (number, line) in (1u32..).zip(bytes.split(|b| *b == b'\n')) {
                    self.event_line(number, line, &mut |report| {
                        any = true;
                        sink(report);
                    });
                }
                if !any {
                    self.document(bytes, Place::WHOLE, 0, None, sink);
                }
            }
            Reading::Whole | Reading::Unknown => self.document(bytes, Place::WHOLE, 0, None, sink),
        }
        self.doc.shrink();
        self.work.payload.shrink();
    }

    /// Verifies one line of line-wise text, numbered from 1. A blank line gives nothing.
    pub fn line(&mut self, number: u32, line: &[u8], sink: &mut dyn FnMut(Report)) {
        let body = if number <= 1 { without_mark(line).0 } else { line };
        if !is_blank(body) {
            self.document(line, Place::line(number), 0, None, sink);
        }
    }

    /// Verifies one line of server-sent events, numbered from 1; other lines than `data: {` give nothing.
    pub fn event_line(&mut self, number: u32, line: &[u8], sink: &mut dyn FnMut(Report)) {
        if let Some((_, data)) = event_data(line) {
            self.document(data, Place::line(number), 0, None, sink);
        }
    }

    /// Opens one record for looking at it; `None` when there is none at that place (any more).
    pub fn open(&mut self, bytes: &[u8], place: Place) -> Option<Opened> {
        let line = || {
            let index = usize::try_from(place.line).ok()?.checked_sub(1)?;
            let text = bytes.split(|b| *b == b'\n').nth(index)?;
            let start = (text.as_ptr() as usize).checked_sub(bytes.as_ptr() as usize)?;
            Some((text, start))
        };
        let (body, base) = match (reading(bytes, true), place.line) {
            (Reading::Lines, 0) | (Reading::Whole | Reading::Unknown, 1..) => return None,
            // Event text is judged as a whole when it holds no record.
            (Reading::Events, 0) if bytes.split(|b| *b == b'\n').any(|line| event_data(line).is_some()) => return None,
            (Reading::Events | Reading::Whole | Reading::Unknown, 0) => (bytes, 0),
            (Reading::Lines, _) => line()?,
            (Reading::Events, _) => {
                let (text, start) = line()?;
                let (at, data) = event_data(text)?;
                (data, start + at)
            }
        };
        let mut wanted = Wanted { place, found: None };
        let mut other = None;
        self.document(body, Place::line(place.line), base, Some(&mut wanted), &mut |report| {
            if report.place == place {
                other = Some(report);
            }
        });
        // A text that is no JSON has a report and no record to look into.
        wanted.found.or_else(|| {
            let span = base..base.saturating_add(body.len());
            other.map(|report| Opened { report, canonical: None, span, members: Vec::new() })
        })
    }

    /// One JSON document: every record in it. `wanted` asks for more about the record at one place.
    fn document(
        &mut self,
        bytes: &[u8],
        place: Place,
        base: usize,
        mut wanted: Option<&mut Wanted>,
        sink: &mut dyn FnMut(Report),
    ) {
        // One mark at the very beginning is accepted; on a later line it is no white space.
        let (body, marked) = if place.line <= 1 { without_mark(bytes) } else { (bytes, false) };
        let mark = bytes.len() - body.len();
        let offset = base + mark;
        if is_blank(body) {
            sink(Report::of_fault(place, Fault::new(Class::EmptyFile)));
            return;
        }
        if let Err(fault) = self.read(body) {
            let found = body.get(fault.offset..).unwrap_or_default();
            let mut told = Fault::new(fault.class).at(mark + fault.offset);
            if let Some(chunk) = found.utf8_chunks().next() {
                told.found = chunk.valid().chars().next().map(String::from);
                if told.found.is_none() {
                    told.found = chunk.invalid().first().map(|b| format!("{b:02x}"));
                }
            }
            sink(Report::of_fault(place, told));
            return;
        }
        let Some(root) = self.doc.root(body) else { return };
        let list = document::is_list(root);
        let records = if list { Either::Many(root.elements()) } else { Either::One(std::iter::once(root)) };
        for (index, value) in (0u32..).zip(records) {
            let at = if list { place.at(index) } else { place };
            let wanted = wanted.as_deref_mut().filter(|w| w.place == at);
            let mut stash = wanted.is_some().then(Stash::default);
            let mut report = record(value, mark, &self.options, &mut self.work, stash.as_mut());
            report.place = at;
            if marked {
                report.notes.push(Note::ByteOrderMark);
            }
            if let (Some(wanted), Some(stash)) = (wanted, stash) {
                let moved = |span: Range<usize>| span.start + offset..span.end + offset;
                wanted.found = Some(Opened {
                    report: report.clone(),
                    canonical: stash.canonical,
                    span: moved(value.span()),
                    members: stash.members.into_iter().map(|(name, span)| (name, moved(span))).collect(),
                });
            }
            sink(report);
        }
    }

    /// Layer 2: the encoding first, then the first fault in reading order.
    fn read(&mut self, body: &[u8]) -> Result<(), JsonFault> {
        if let Err(error) = simdutf8::compat::from_utf8(body) {
            let offset = error.valid_up_to();
            if error.error_len().is_some() {
                return Err(JsonFault { class: Class::JsonEncoding, offset });
            }
            let valid = body.get(..offset).unwrap_or_default();
            json::parse(valid, self.options.max_depth, &mut self.doc)?;
            return Err(JsonFault { class: Class::JsonTruncated, offset });
        }
        json::parse(body, self.options.max_depth, &mut self.doc)
    }
}

enum Either<A, B> {
    Many(A),
    One(B),
}

impl<T, A: Iterator<Item = T>, B: Iterator<Item = T>> Iterator for Either<A, B> {
    type Item = T;
    fn next(&mut self) -> Option<T> {
        match self {
            Either::Many(a) => a.next(),
            Either::One(b) => b.next(),
        }
    }
}

/// One record (its text begins `mark` bytes after the document's): all its parts, the weakest of which gives headline and class (rules §2).
fn record(value: Value<'_>, mark: usize, options: &Options, work: &mut Work, mut stash: Option<&mut Stash>) -> Report {
    let Recognised { pieces, hollow } = document::recognise(value);
    let mut reports = Vec::with_capacity(1);
    for piece in &pieces {
        let report = part(piece, options, work);
        if let Some(stash) = stash.take() {
            if report.bytes.length.is_some() {
                stash.canonical = Some(work.decoded.clone());
            }
            let members = match piece.subject {
                Subject::Receipt(v, _) | Subject::Workflow(v) | Subject::Commitment(v) | Subject::ProviderError(v) => v,
                Subject::Timeline(array, holder) => holder.unwrap_or(array),
            };
            stash.members = members.members().map(|(k, v)| (k.name().into_owned(), v.span())).collect();
        }
        reports.push(report);
    }
    let mut report = combine(reports).unwrap_or_else(|| {
        let mut report = Report::empty(Place::WHOLE, Kind::None, Headline::NotReceipt);
        report.mark(Layer::Json, Check::Passed);
        report
    });
    if hollow && report.kind != Kind::None {
        report.notes.push(Note::TwoKinds(report.kind, Kind::None));
        if report.headline == Headline::Verified {
            report.headline = Headline::Intact;
        }
    }
    report.mark(Layer::File, Check::Passed);
    duplicates(&mut report, value, mark);
    report
}

/// One part of a record, with what its wrapper says differently.
fn part(piece: &Piece<'_>, options: &Options, work: &mut Work) -> Report {
    let mut report = match piece.subject {
        Subject::Receipt(value, kind) => receipt::check(value, kind, options, work),
        Subject::Timeline(entries, holder) => timeline::check(entries, holder, work),
        Subject::Workflow(value) => workflow::check(value),
        Subject::Commitment(value) => timeline::commitment(value),
        Subject::ProviderError(error) => provider_error(error),
    };
    if !matches!(piece.subject, Subject::Receipt(..)) {
        expected_elsewhere(&mut report, options);
    }
    let Some((wrapper, holder)) = piece.wrapper else { return report };
    report.notes.push(Note::Wrapped(wrapper));
    let before = report.faults.len();
    let record = match piece.subject {
        Subject::Receipt(value, _) => Some((value, true)),
        Subject::Workflow(value) | Subject::Commitment(value) => Some((value, false)),
        Subject::Timeline(_, holder) => holder.map(|h| (h, false)),
        Subject::ProviderError(_) => None,
    };
    if let Some((value, is_receipt)) = record
        && matches!(wrapper, Wrapper::CloudEvent | Wrapper::EventBus | Wrapper::VerifyEndpoint)
    {
        report.mark(Layer::Envelope, Check::Passed);
        let faults = document::envelope_faults(wrapper, holder, value, is_receipt);
        // Before the expectations from outside, after everything else.
        let at = report.faults.iter().position(|f| f.class.layer() > Layer::Envelope).unwrap_or(before);
        report.faults.splice(at..at, faults);
    }
    if matches!(wrapper, Wrapper::CloudEvent | Wrapper::EventBus)
        && let Some(fault) = document::event_version_fault(holder)
    {
        let at = report.faults.iter().position(|f| f.class.layer() >= Layer::Version).unwrap_or(report.faults.len());
        report.faults.insert(at, fault);
        report.mark(Layer::Version, Check::Failed);
    }
    if report.faults.len() > before {
        if report.faults.iter().any(|f| f.class.layer() == Layer::Envelope) {
            report.mark(Layer::Envelope, Check::Failed);
        }
        let headline = report.headline;
        settle(&mut report, headline);
    }
    report
}

fn provider_error(error: Value<'_>) -> Report {
    let mut report = Report::empty(Place::WHOLE, Kind::ProviderError, Headline::Unavailable);
    report.mark(Layer::Json, Check::Passed);
    let message = error.get("message").and_then(|m| m.str()).map(|m| m.into_owned());
    let message = message.unwrap_or_else(|| error.raw_text().to_owned());
    report.notes.push(Note::ProviderMessage(message));
    report.class = Some(Class::ProviderError);
    report.faults.push(Fault::new(Class::ProviderError));
    report
}

/// An expected id or resolved record compared with what is no receipt: its own id, and no output hash.
fn expected_elsewhere(report: &mut Report, options: &Options) {
    if options.expect_id.is_none() && options.resolved.is_none() {
        return;
    }
    let mut state = IdState::Matched;
    let wanted = [options.expect_id.as_ref(), options.resolved.as_ref().and_then(|r| r.id.as_ref())];
    for expected in wanted.into_iter().flatten() {
        if report.id.as_ref() != Some(expected) {
            let mut fault = Fault::of(Class::IdMismatch, "id").expected(expected.as_str());
            fault.found.clone_from(&report.id);
            report.faults.push(fault);
            state = IdState::Mismatched;
        }
    }
    if let Some(resolved) = &options.resolved
        && report.bytes.declared.as_ref() != Some(&resolved.output_hash)
    {
        let mut fault = Fault::of(Class::IdMismatch, "output_hash").expected(resolved.output_hash.as_str());
        fault.found.clone_from(&report.bytes.declared);
        report.faults.push(fault);
        state = IdState::Mismatched;
    }
    report.id_state = state;
    report.mark(Layer::Identity, Check::Passed);
    if state == IdState::Mismatched {
        report.mark(Layer::Identity, Check::Failed);
        let headline = report.headline;
        let class = report.class;
        settle(report, headline);
        // `settle` knows faults only; a class without a fault (an older chain) gives way to one.
        if report.class.is_none() {
            report.class = class;
        }
    }
}

/// Puts the parts of one record together: the weakest gives headline and class, the first the rest.
fn combine(reports: Vec<Report>) -> Option<Report> {
    let digest = |r: &Report| r.class == Some(Class::DigestMismatch);
    let weakest = reports
        .iter()
        .enumerate()
        .max_by_key(|(i, r)| (r.headline.weakness(), digest(r), std::cmp::Reverse(*i)))
        .map(|(_, r)| (r.headline, r.class));
    let mut rest = reports.into_iter();
    let mut first = rest.next()?;
    let (headline, class) = weakest?;
    let mut several = false;
    for other in rest {
        several = true;
        first.notes.push(Note::TwoKinds(first.kind, other.kind));
        for layer in Layer::ALL {
            let weaker = [first.check(*layer), other.check(*layer)].into_iter().max_by_key(|check| rank(*check));
            first.mark(*layer, weaker.unwrap_or(Check::NotApplicable));
        }
        first.faults.extend(other.faults);
        first.notes.extend(other.notes);
        if first.structure.is_none() {
            first.structure = other.structure;
        }
    }
    if several {
        // In layer order over all parts (rules §1).
        first.faults.sort_by_key(|f| f.class.layer());
        first.headline = if headline == Headline::Verified { Headline::Intact } else { headline };
        first.class = class;
    }
    Some(first)
}

fn rank(check: Check) -> u8 {
    match check {
        Check::NotApplicable => 0,
        Check::Passed => 1,
        Check::NotReached => 2,
        Check::Failed => 3,
    }
}

/// Layer 2 once more: names that stand twice anywhere in the record or its wrapper.
fn duplicates(report: &mut Report, value: Value<'_>, mark: usize) {
    let span = value.span();
    let inside = |at: &&u32| span.contains(&(**at as usize));
    let mut faults: Vec<Fault> = Vec::new();
    for at in value.doc().duplicates().iter().filter(inside) {
        let rest = value.text().get(*at as usize..).unwrap_or_default();
        faults.push(Fault::new(Class::DuplicateMember).found(first_name(rest)).at(mark + *at as usize));
    }
    if faults.is_empty() {
        return;
    }
    faults.sort_by_key(|f| f.offset);
    report.mark(Layer::Json, Check::Failed);
    report.faults.splice(0..0, faults);
    if report.class != Some(Class::DigestMismatch) {
        report.class = Some(Class::DuplicateMember);
        report.headline = Headline::Malformed;
    }
}

/// The name that begins `text` with its quote.
fn first_name(text: &[u8]) -> String {
    let mut end = 1;
    while let Some(byte) = text.get(end) {
        match byte {
            b'"' => break,
            b'\\' => end += 2,
            _ => end += 1,
        }
    }
    let raw = text.get(..=end).unwrap_or(text);
    json::unescape(raw).map_or_else(|| String::from_utf8_lossy(raw).into_owned(), |name| name.into_owned())
}

#[cfg(test)]
mod tests;
