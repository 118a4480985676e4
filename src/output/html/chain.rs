//! A retry chain on the page: what links it, how it ended, and its attempts in order, on one scale.

use super::{escaped, verdict};
use crate::aer1::grammar::Moment;
use crate::output::sentence;
use crate::store::{Attempt, Chain, RowState};
use crate::text;

/// A section of the page. `at` says where each attempt stands, in their order, escaped for a screen.
pub(super) fn section(chain: &Chain, at: &[String]) -> String {
    let count = chain.attempts.len();
    let link = match (&chain.field, &chain.value) {
        (Some(field), Some(value)) => {
            format!("linked by {} {}", shown(field, 80), shown(value, 120))
        }
        _ => "linked by retry_of or supersedes".to_owned(),
    };
    let bound = match (&chain.field, chain.bound) {
        (Some(_), true) => "The link stands inside the matching bytes.",
        (Some(_), false) => "The link is a label, not covered by the hash.",
        (None, _) => "The links are labels, not covered by the hash.",
    };
    let mut out = format!(
        "<section class=\"chain\"><h3>{count} attempts {link}</h3>\n<p>{}</p>\n<p class=\"dim\">{bound} A chain is never \
         verified, its attempts are.</p>\n<ol class=\"line\">\n",
        outcome(chain)
    );
    let scale = Scale::of(chain);
    for (n, attempt) in chain.attempts.iter().enumerate() {
        out.push_str(&item(attempt, count, at.get(n).map_or("", String::as_str)));
        let next = n.checked_add(1).and_then(|n| chain.attempts.get(n)).and_then(|next| next.created);
        if let Some((from, length)) = scale.as_ref().zip(attempt.created).map(|(scale, own)| scale.part(own, next)) {
            out.push_str(&format!("<span class=\"bar\" style=\"margin-left:{from:.2}%;width:{length:.2}%\"></span>"));
        }
        out.push_str("</li>\n");
    }
    out.push_str("</ol></section>\n");
    out
}

/// How the last attempt ended, and how long it all took by the stated times.
fn outcome(chain: &Chain) -> String {
    let mut out = String::from("outcome ");
    if let Some(last) = chain.outcome() {
        out.push_str(&format!("<strong>{}</strong>, {}", status(last, 80), how(last)));
    }
    match chain.span {
        Some(span) => out.push_str(&format!(" · {} from the first to the last", sentence::duration(span))),
        None => out.push_str(" · without times"),
    }
    out
}

fn item(attempt: &Attempt, count: usize, at: &str) -> String {
    let mut words = vec![
        format!("<strong>{}/{count}</strong> {}", attempt.n, how(attempt)),
        attempt.created.map_or_else(|| "no time".to_owned(), |created| created.to_string()),
    ];
    if let Some(delay) = attempt.delay {
        let told = match delay {
            0.. => format!("{} later", sentence::duration(delay)),
            _ => format!("{} earlier by its own time", sentence::duration(delay.saturating_neg())),
        };
        words.push(format!("<span class=\"delay\">{told}</span>"));
    }
    words.push(status(attempt, 120));
    if !attempt.provenance.is_empty() {
        words.push(shown(&attempt.provenance, 120));
    }
    words.extend(attempt.same_bytes.map(|n| format!("the same bytes as attempt {n}")));
    words.extend(attempt.same_inputs.map(|n| format!("the same inputs as attempt {n}")));
    if !attempt.points_to.is_empty() {
        let ids: Vec<String> = attempt.points_to.iter().map(|id| shown(id, 80)).collect();
        words.push(format!("names {}", ids.join(" and ")));
    }
    match attempt.copies.len() {
        0 => {}
        1 => words.push("1 copy".to_owned()),
        n => words.push(format!("{n} copies")),
    }
    format!("<li>{}<br><code>{}</code>", words.join(" · "), escaped(at))
}

fn shown(value: &str, most: usize) -> String {
    escaped(&text::shown_cut(value, most))
}

fn status(attempt: &Attempt, most: usize) -> String {
    if attempt.status.is_empty() { "no status".to_owned() } else { shown(&attempt.status, most) }
}

fn how(attempt: &Attempt) -> String {
    match attempt.state {
        RowState::Known => verdict(attempt.headline),
        RowState::Writing => "<span class=\"v not_receipt\">… writing</span>".to_owned(),
        RowState::Removed => "<span class=\"v not_receipt\">∅ removed</span>".to_owned(),
    }
}

/// From the earliest to the latest stated time of a chain.
struct Scale {
    first: Moment,
    span: f64,
}

impl Scale {
    /// `None` where there is no stretch of time to draw.
    fn of(chain: &Chain) -> Option<Scale> {
        let times = || chain.attempts.iter().filter_map(|attempt| attempt.created);
        let (first, last) = times().min().zip(times().max())?;
        // Shares of a span are exact enough for a page.
        let span = last.nanos_since(first) as f64;
        (span > 0.0).then_some(Scale { first, span })
    }

    /// Where an attempt begins and how far it is to the next, in percent.
    fn part(&self, own: Moment, next: Option<Moment>) -> (f64, f64) {
        let share = |at: Moment| (at.nanos_since(self.first) as f64 / self.span * 100.0).clamp(0.0, 100.0);
        let from = share(own);
        (from, next.map_or(0.0, |next| (share(next) - from).max(0.0)))
    }
}
