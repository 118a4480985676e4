//! Any strings in a record and its name, drawn at any size in any tab: no panic, and nothing in a cell that acts.

use std::path::Path;
use std::sync::Arc;

use aerscope::text;
use aerscope::tui::detail::PaneAct;
use aerscope::tui::theme::Theme;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::Bytes;
use super::script::Desk;

/// Two bytes of size, one of choices; the rest is cut into a name and the members of a record.
pub fn run(data: &[u8]) {
    let mut bytes = Bytes(data);
    let (columns, rows) = (u16::from(bytes.byte()) + 1, u16::from(bytes.byte()) % 80 + 1);
    let choice = bytes.byte();
    let parts: Vec<&[u8]> = bytes.0.splitn(6, |b| *b == 0xff).collect();
    let part = |n: usize| String::from_utf8_lossy(parts.get(n).copied().unwrap_or_default()).into_owned();
    let record = serde_json::json!({
        "id": part(1), "receipt_schema_version": "0.3", "created_at": part(2), "provenance_class": part(3),
        "tool": {"name": part(4), "version": part(3), "scope": part(1)}, "status": part(2), "correlation_id": part(1),
        "canonical_bytes": base64::Engine::encode(&base64::engine::general_purpose::STANDARD, parts.last().unwrap_or(&&[][..])),
        "output_hash": part(4), "verification_status": part(1), part(4): {part(2): [part(3)]},
    });
    let mut desk = Desk::new();
    let name = format!("/r/{}", part(0).replace('\0', "/"));
    let path: Arc<Path> = Arc::from(Path::new(&name));
    let text = if choice & 1 == 0 { record.to_string().into_bytes() } else { bytes.0.to_vec() };
    desk.write(0, path, text);
    desk.settle();
    for key in b"jl12345wzcCE?/".iter().skip(usize::from(choice >> 4) % 14) {
        desk.key(*key);
        desk.settle();
        drawn(&mut desk, columns, rows);
    }
    desk.app.pane.act(PaneAct::Bottom, rows);
    drawn(&mut desk, rows, columns);
    drawn(&mut desk, 1, 1);
}

/// Draws one frame and looks at every cell.
pub fn drawn(desk: &mut Desk, columns: u16, rows: u16) {
    let area = Rect::new(0, 0, columns, rows);
    let mut buffer = Buffer::empty(area);
    let cursor = aerscope::tui::frame(&mut desk.app, area, &mut buffer);
    assert!(cursor.is_none_or(|at| area.contains(at)), "the cursor is outside");
    for cell in buffer.content() {
        assert!(cell.symbol().len() <= 64, "{} bytes in a cell", cell.symbol().len());
        assert!(!cell.symbol().chars().any(text::is_special), "{:?} in a cell", cell.symbol());
    }
}

/// The theme of the console that is drawn.
pub fn theme() -> Theme {
    Theme::default()
}
