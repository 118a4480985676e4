//! JSON Lines: one object a record, for machines.
//!
//! Keys are never renamed or removed, and stand in one order; new ones may come at the end. `record`, `class` and
//! `correlation` are always there and are `null` when there is none. Every other key whose value the record does not
//! have is left out, so that an absent member and an empty one stay apart; no value but those three is ever `null`.
//! Strings are exact: a reader gets the characters of the record, not the visible escapes of [`crate::text`]. Control
//! and special characters are written as `\uXXXX` (a surrogate pair above the BMP), so that the raw line can be shown
//! on a terminal. A path that is not UTF-8 stands in `path` with replacement characters and exactly in `path_base64`.

use std::io::{self, Write};
use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::sentence;
use crate::aer1::report::{Class, Note, Report, hex};
use crate::text;

/// Writes one record as one line.
///
/// # Errors
/// What the writer returns.
pub fn write(out: &mut impl Write, path: &Path, report: &Report, folder_notes: &[Note]) -> io::Result<()> {
    out.write_all(line(path, report, folder_notes).as_bytes())
}

/// The line of one record, its line feed included.
pub fn line(path: &Path, report: &Report, folder_notes: &[Note]) -> String {
    let mut out = String::with_capacity(1024);
    members(&mut out, path, report, folder_notes);
    out.push_str("}\n");
    out
}

/// The line without its end, so that a caller can add members of its own.
pub fn members(out: &mut String, path: &Path, report: &Report, folder_notes: &[Note]) {
    out.push('{');
    name(out, "path");
    string(out, &path.to_string_lossy());
    if path.to_str().is_none() {
        text_member(out, "path_base64", &STANDARD.encode(path.as_os_str().as_encoded_bytes()));
    }
    out.push_str(",\"record\":");
    if report.place.is_whole() {
        out.push_str("null");
    } else {
        string(out, &report.place.to_string());
    }
    text_member(out, "kind", report.kind.as_str());
    text_member(out, "headline", report.headline.as_str());
    out.push_str(",\"class\":");
    match report.class {
        Some(class) => string(out, class.as_str()),
        None => out.push_str("null"),
    }
    out.push_str(",\"classes\":");
    strings(out, report.classes().into_iter().map(Class::as_str));
    for (key, value) in report.texts() {
        text_member(out, key, value);
    }
    out.push_str(",\"bytes\":{");
    name(out, "state");
    string(out, report.bytes.state.as_str());
    if let Some(length) = report.bytes.length {
        out.push_str(&format!(",\"length\":{length}"));
    }
    if let Some(declared) = &report.bytes.declared {
        text_member(out, "declared", declared);
    }
    if let Some(digest) = &report.bytes.recomputed {
        text_member(out, "recomputed", &format!("sha256:{}", hex(digest)));
    }
    out.push('}');
    text_member(out, "labels", report.labels.as_str());
    text_member(out, "id_state", report.id_state.as_str());
    text_member(out, "anchor", report.anchor.as_str());
    if let Some(form) = report.canonical_form {
        text_member(out, "canonical_form", form.as_str());
    }
    out.push_str(",\"correlation\":");
    match &report.correlation {
        None => out.push_str("null"),
        Some(c) => {
            out.push('{');
            name(out, "field");
            string(out, &c.field);
            text_member(out, "value", &c.value);
            out.push_str(if c.bound { ",\"bound\":true}" } else { ",\"bound\":false}" });
        }
    }
    out.push_str(",\"notes\":");
    strings(out, report.notes.iter().chain(folder_notes).map(sentence::note_exact));
}

fn name(out: &mut String, key: &str) {
    string(out, key);
    out.push(':');
}

fn text_member(out: &mut String, key: &str, value: &str) {
    out.push(',');
    name(out, key);
    string(out, value);
}

fn strings<S: AsRef<str>>(out: &mut String, values: impl Iterator<Item = S>) {
    out.push('[');
    for (i, value) in values.enumerate() {
        if i > 0 {
            out.push(',');
        }
        string(out, value.as_ref());
    }
    out.push(']');
}

/// Appends `value` as a JSON string whose raw text holds no control, no special code point, and no more marks in a row
/// than [`text::shown`] lets through.
pub fn string(out: &mut String, value: &str) {
    out.push('"');
    let mut escaper = text::Escaper::default();
    for c in value.chars() {
        let escapes = escaper.escapes(c);
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            c if escapes => text::push_units(out, c),
            c => out.push(c),
        }
    }
    out.push('"');
}

#[cfg(test)]
mod tests;
