//! Where results go: one of the formats, or nowhere.

use std::io::{self, BufWriter, Write};
use std::ops::ControlFlow;
use std::path::Path;
use std::time::SystemTime;

use aerscope::aer1::grammar::Moment;
use aerscope::aer1::report::{Note, Report};
use aerscope::output::html::Html;
use aerscope::output::jsonl;
use aerscope::output::junit::Junit;
use aerscope::output::markdown::Markdown;
use aerscope::output::plain::{self, Paint};
use aerscope::output::tally::Tally;
use aerscope::store::Chain;

use super::baseline::Baseline;
use super::{Format, colour};

/// Takes one record after the other, counts them, and prints.
///
/// Once standard output is closed nothing more is written; counting goes on, so the exit status stays that of the run.
pub struct Sink {
    tally: Tally,
    form: Form,
    out: BufWriter<io::Stdout>,
    /// Why nothing more is written.
    stopped: Option<io::Error>,
    baseline: Option<Baseline>,
}

enum Form {
    Quiet,
    Text(Paint),
    Jsonl,
    Junit(Junit),
    Html(Html),
    Markdown(Markdown),
}

impl Sink {
    pub fn new(quiet: bool, format: Format, baseline: Option<Baseline>) -> Sink {
        let form = match format {
            _ if quiet => Form::Quiet,
            Format::Text => Form::Text(Paint { colour: colour(), ascii: false }),
            Format::Jsonl => Form::Jsonl,
            Format::Junit => Form::Junit(Junit::default()),
            Format::Html => Form::Html(Html::default()),
            Format::Markdown => Form::Markdown(Markdown::default()),
        };
        let out = BufWriter::with_capacity(1 << 16, io::stdout());
        Sink { tally: Tally::default(), form, out, stopped: None, baseline }
    }

    /// Takes one record.
    pub fn record(&mut self, path: &Path, report: &Report, folder_notes: &[Note]) -> ControlFlow<()> {
        self.tally.add(report.headline);
        let known = self.baseline.as_mut().is_some_and(|baseline| baseline.knows(path, report));
        if self.stopped.is_some() {
            return ControlFlow::Continue(());
        }
        let written = match &mut self.form {
            Form::Quiet => Ok(()),
            Form::Text(paint) => plain::write(&mut self.out, *paint, path, report, folder_notes),
            Form::Jsonl => jsonl::write(&mut self.out, path, report, folder_notes),
            Form::Junit(junit) => {
                junit.record(path, report, folder_notes, known);
                Ok(())
            }
            Form::Html(html) => {
                html.record(path, report, folder_notes);
                Ok(())
            }
            Form::Markdown(markdown) => {
                markdown.record(path, report, folder_notes);
                Ok(())
            }
        };
        self.stopped = written.err();
        ControlFlow::Continue(())
    }

    /// Whether the format draws retry chains.
    pub fn shows_chains(&self) -> bool {
        matches!(self.form, Form::Html(_))
    }

    /// Takes one retry chain, with where each attempt stands.
    pub fn chain(&mut self, chain: &Chain, at: &[String]) {
        if let Form::Html(html) = &mut self.form {
            html.chain(chain, at);
        }
    }

    pub fn tally(&self) -> Tally {
        self.tally
    }

    /// Prints what comes at the end: the first reason why something was not written, a closed pipe included, and the
    /// baseline with what was met of it.
    pub fn finish(mut self) -> (io::Result<()>, Option<Baseline>) {
        if self.stopped.is_none() {
            let written = match &mut self.form {
                Form::Text(_) => plain::totals(&mut self.out, &self.tally),
                Form::Quiet | Form::Jsonl => Ok(()),
                Form::Junit(junit) => junit.finish(&mut self.out, &self.tally),
                Form::Html(html) => html.finish(&mut self.out, &self.tally, Some(Moment::of(SystemTime::now()))),
                Form::Markdown(markdown) => markdown.finish(&mut self.out, &self.tally),
            };
            self.stopped = written.and_then(|()| self.out.flush()).err();
        }
        let written = match self.stopped {
            None => Ok(()),
            Some(error) => {
                // What is left in the buffer has nowhere to go.
                let _ = self.out.into_parts();
                Err(error)
            }
        };
        (written, self.baseline)
    }
}
