//! Records and drawn screens for tests.

use std::path::Path;
use std::sync::Arc;

use base64::Engine as _;
use ratatui::buffer::Buffer;
use ratatui::style::Style;
use sha2::Digest as _;

use super::open::OpenRecord;
use crate::aer1::report::{Place, hex};
use crate::aer1::verify::{Options, Verifier};

/// Bytes that commit a search and its answer.
pub const BYTES: &str = r#"{"inputs":{"query":"weather in Z\u00fcrich","limit":3},"outputs":[{"title":"Zürich 東京","score":0.50},{"title":"a\\b\n","score":1e5}],"ok":true,"none":null,"empty":{},"list":[]}"#;

/// A published receipt of `bytes`; `change` is applied to the text before it is returned.
pub fn receipt(bytes: &[u8], change: impl Fn(String) -> String) -> Vec<u8> {
    let hash = hex(&sha2::Sha256::digest(bytes));
    let base64 = base64::engine::general_purpose::STANDARD.encode(bytes);
    let text = format!(
        r#"{{"id":"c0ffee12-7a10-4c7b-9d2e-0b7a5f3c9a11","receipt_schema_version":"0.3","created_at":"2026-08-01T12:04:31.207Z","tool":{{"name":"sql.query","version":"4.1.4","scope":"reports"}},"provenance_class":"OBSERVED VIA GATEWAY","canonical_bytes":"{base64}","output_hash":"sha256:{hash}","verification_status":"verified","status":"success","correlation_id":"call-7"}}"#
    );
    change(text).into_bytes()
}

/// Opens the record at `place` of a text.
pub fn open_at(text: &[u8], place: Place) -> Option<OpenRecord> {
    let mut verifier = Verifier::new(Options { canonical_form: true, ..Options::default() });
    let opened = verifier.open(text, place)?;
    Some(OpenRecord::new(Path::new("receipts/sql/0001.json").into(), place, opened, text, 128))
}

/// Opens the only record of a text.
pub fn open(text: &[u8]) -> Arc<OpenRecord> {
    Arc::new(open_at(text, Place::WHOLE).expect("a record"))
}

/// The verified record.
pub fn verified() -> Arc<OpenRecord> {
    open(&receipt(BYTES.as_bytes(), |text| text))
}

/// A record with one byte of its payload changed.
pub fn altered() -> Arc<OpenRecord> {
    let other = receipt(BYTES.replace("0.50", "0.51").as_bytes(), |text| text);
    let other = String::from_utf8(other).unwrap();
    let payload = other.split("\"canonical_bytes\":\"").nth(1).unwrap().split('"').next().unwrap().to_owned();
    open(&receipt(BYTES.as_bytes(), |text| {
        let own = text.split("\"canonical_bytes\":\"").nth(1).unwrap().split('"').next().unwrap().to_owned();
        text.replace(&own, &payload)
    }))
}

/// The characters of a drawn buffer, row by row.
pub fn text_of(buf: &Buffer) -> String {
    let mut out = String::new();
    for y in buf.area.top()..buf.area.bottom() {
        let mut row = String::new();
        let mut skip = 0usize;
        for x in buf.area.left()..buf.area.right() {
            let symbol = buf[(x, y)].symbol();
            if skip > 0 {
                skip -= 1;
                continue;
            }
            skip = crate::text::width(symbol).saturating_sub(1);
            row.push_str(symbol);
        }
        out.push_str(row.trim_end());
        out.push('\n');
    }
    out
}

/// Text and style of a drawn buffer: the rows, then a letter for the style of each cell, then what the letters mean.
pub fn picture(buf: &Buffer) -> String {
    let mut styles: Vec<Style> = Vec::new();
    let mut letters = String::new();
    for y in buf.area.top()..buf.area.bottom() {
        let mut row = String::new();
        for x in buf.area.left()..buf.area.right() {
            let style = buf[(x, y)].style();
            let known = styles.iter().position(|s| *s == style).unwrap_or_else(|| {
                styles.push(style);
                styles.len() - 1
            });
            row.push(char::from(b'a' + u8::try_from(known.min(25)).unwrap()));
        }
        letters.push_str(&row);
        letters.push('\n');
    }
    let mut out = format!("{}\n{letters}\n", text_of(buf));
    for (n, style) in styles.iter().enumerate() {
        let letter = char::from(b'a' + u8::try_from(n.min(25)).unwrap());
        out.push_str(&format!("{letter}: {:?} {:?} {:?}\n", style.fg, style.bg, style.add_modifier));
    }
    out
}

/// Fails when a cell holds a control, a special code point or more than 64 bytes.
pub fn assert_clean(buf: &Buffer) {
    for cell in &buf.content {
        let symbol = cell.symbol();
        assert!(symbol.len() <= 64, "{} bytes in one cell", symbol.len());
        assert!(!symbol.chars().any(crate::text::is_special), "{symbol:?}");
    }
}
