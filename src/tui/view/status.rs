//! Header, activity strip and footer.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;

use super::draw::{count, put};
use crate::aer1::report::Headline;
use crate::record::Mode;
use crate::text;
use crate::tui::app::{App, duration};
use crate::tui::theme::Role;

/// How the header counts, worst and best first.
const ORDER: [Headline; 7] = [
    Headline::Verified,
    Headline::Intact,
    Headline::Mismatch,
    Headline::Malformed,
    Headline::Unavailable,
    Headline::Unsupported,
    Headline::Unreadable,
];

/// How the folder is followed: a mark, words and their style.
fn mode(app: &App) -> (&'static str, String, Style) {
    let theme = &app.theme;
    if app.opened.failed.is_some() {
        return (theme.glyph("■", "#"), "CLOSED".to_owned(), theme.style(Role::Bad));
    }
    if let (Some((done, total)), true) = (app.opened.progress, app.opened.mode != Some(Mode::Offline)) {
        let words = format!("scanning {}/{}", count(done), count(total));
        return (theme.glyph("◌", "~"), words, theme.style(Role::Warn));
    }
    match &app.opened.mode {
        None => (theme.glyph("◌", "~"), "opening".to_owned(), theme.style(Role::Dim)),
        Some(Mode::Live) => {
            let rate = app.activity.rate();
            let words = if rate > 0 { format!("LIVE {}/s", count(u64::from(rate))) } else { "LIVE".to_owned() };
            (theme.glyph("●", "*"), words, theme.style(Role::Strong))
        }
        Some(Mode::Polling(why)) => {
            (theme.glyph("◐", "%"), format!("POLLING {}", text::shown(why)), theme.style(Role::Warn))
        }
        Some(Mode::Offline) => {
            let words = app.opened.shut().map_or_else(|| "OFFLINE".to_owned(), |why| format!("OFFLINE {why}"));
            (theme.glyph("■", "#"), words, theme.style(Role::Bad))
        }
    }
}

/// One part of the header: pieces of text, and how gladly it is left off (0: never).
struct Part(Vec<(String, Style)>, u8);

impl Part {
    fn width(&self) -> usize {
        self.0.iter().map(|(shown, _)| text::width(shown)).sum()
    }
}

/// How many of one sort the header counts.
struct Count {
    shown: String,
    style: Style,
    failing: bool,
}

/// Takes off the count that is missed least, the last that is not of failing records; false when none is left.
fn shorten(counts: &mut Vec<Count>) -> bool {
    let at = counts.iter().rposition(|one| !one.failing).or(counts.len().checked_sub(1));
    at.map(|at| counts.remove(at)).is_some()
}

/// The counts as a part of the header.
fn counted(counts: &[Count], gap: Style) -> Part {
    let mut pieces = Vec::new();
    for one in counts {
        if !pieces.is_empty() {
            pieces.push(("  ".to_owned(), gap));
        }
        pieces.push((one.shown.clone(), one.style));
    }
    Part(pieces, 1)
}

/// Draws the header.
pub fn header(app: &App, area: Rect, buf: &mut Buffer) {
    let theme = &app.theme;
    let dim = theme.style(Role::Dim);
    let (mark, words, style) = mode(app);
    let totals = app.store.totals();
    // Why the folder is polled or closed is worth more than its name: half of the line.
    let short = text::fit(&words, usize::from(area.width / 2).clamp(30, 60)).into_owned();
    let mut parts = vec![Part(vec![(format!("{mark} {short}"), style)], 0)];
    if let Some(path) = &app.opened.path {
        let room = usize::from(area.width / 3).clamp(8, 60);
        let shown = text::shown_path(path);
        parts.push(Part(vec![(text::fit_middle(&shown, room).into_owned(), theme.style(Role::Text))], 3));
    }
    let records = totals.records();
    let noun = if records == 1 { "record" } else { "records" };
    parts.push(Part(vec![(format!("{} {noun}", count(records)), theme.style(Role::Text))], 4));
    let mut counts: Vec<Count> = Vec::new();
    for headline in ORDER {
        let n = totals.of(headline);
        if n > 0 {
            let (glyph, _, style) = theme.verdict(headline);
            counts.push(Count { shown: format!("{glyph} {}", count(n)), style, failing: headline.is_failing() });
        }
    }
    if totals.writing > 0 {
        let (glyph, _, style) = theme.writing();
        counts.push(Count { shown: format!("{glyph} {}", count(totals.writing)), style, failing: false });
    }
    parts.push(counted(&counts, dim));
    let others = totals.of(Headline::NotReceipt) + totals.removed + totals.left;
    if others > 0 {
        let mut words = Vec::new();
        if totals.of(Headline::NotReceipt) > 0 {
            words.push(format!("{} other", count(totals.of(Headline::NotReceipt))));
        }
        if totals.removed > 0 {
            words.push(format!("{} removed", count(totals.removed)));
        }
        if totals.left > 0 {
            words.push(format!("{} left the list", count(totals.left)));
        }
        parts.push(Part(vec![(words.join(", "), dim)], 6));
    }
    let scan = app.opened.scan.map(|scan| {
        let ago = app.now.nanos_since(crate::aer1::grammar::Moment::of(scan.at)).max(0);
        // Whole seconds: a figure that changes more often would only flicker.
        let ago = ago / 1_000_000_000 * 1_000_000_000;
        if ago == 0 { "0 s".to_owned() } else { duration(ago) }
    });
    let spelled = |long: bool| {
        let words = scan.as_ref().map(|age| if long { format!("full scan {age} ago") } else { format!("scan {age}") });
        Part(words.map(|shown| (shown, dim)).into_iter().collect(), 5)
    };
    let width = usize::from(area.width.saturating_sub(2));
    let total = |parts: &[Part], scan: &Part, gap: usize| {
        parts.iter().chain([scan]).map(|part| part.width() + gap).sum::<usize>().saturating_sub(gap)
    };
    let mut scan = spelled(true);
    for gone in [6u8, 0, 4, 3, 5, 1] {
        if total(&parts, &scan, 2) <= width {
            break;
        }
        if gone == 0 {
            scan = spelled(false);
            continue;
        }
        if gone == 1 {
            // The counts go one by one, those of failing records last.
            while total(&parts, &scan, 2) > width && shorten(&mut counts) {
                if let Some(part) = parts.iter_mut().find(|part| part.1 == 1) {
                    *part = counted(&counts, dim);
                }
            }
            continue;
        }
        parts.retain(|part| part.1 != gone);
        if scan.1 == gone {
            scan.0.clear();
        }
    }
    let mut x = area.x + 1;
    for part in &parts {
        for (shown, style) in &part.0 {
            x = x.saturating_add(put(buf, area, x, area.y, area.right().saturating_sub(x), shown, *style));
        }
        x = x.saturating_add(if part.0.is_empty() { 0 } else { 2 });
    }
    let width = u16::try_from(scan.width()).unwrap_or(0);
    if width > 0 && x + width < area.right() {
        let at = area.right().saturating_sub(width + 1);
        for (shown, style) in &scan.0 {
            put(buf, area, at, area.y, width, shown, *style);
        }
    }
}

/// Draws arrivals as bars, an interval with a failing record as its glyph.
pub fn activity(app: &App, area: Rect, buf: &mut Buffer) {
    let theme = &app.theme;
    let dim = theme.style(Role::Dim);
    let label = "arrivals";
    let columns = usize::from(area.width.saturating_sub(2)).min(600).saturating_sub(label.len() + 22);
    let every = 600usize.div_ceil(columns.max(1)).clamp(1, 10);
    let intervals = app.activity.intervals(columns, every);
    let most = intervals.iter().map(|one| one.arrived).max().unwrap_or(0).max(1);
    let bars: [&str; 8] = if theme.ascii {
        [".", ":", "-", "=", "+", "*", "%", "@"]
    } else {
        ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]
    };
    let mut x = area.x + 1;
    x += put(buf, area, x, area.y, 12, label, dim) + 1;
    for one in &intervals {
        if one.failing > 0 {
            let (glyph, _, style) = theme.verdict(Headline::Mismatch);
            put(buf, area, x, area.y, 1, glyph, style);
        } else if one.arrived > 0 {
            let level = (u64::from(one.arrived) * 7).div_ceil(u64::from(most)).min(7);
            let bar = bars.get(usize::try_from(level).unwrap_or(0)).copied().unwrap_or(" ");
            put(buf, area, x, area.y, 1, bar, theme.style(Role::Note));
        }
        x = x.saturating_add(1);
    }
    let none = intervals.iter().all(|one| one.arrived == 0);
    let legend = format!(
        "{every} s each, {}",
        if none { "none".to_owned() } else { format!("most {}", count(u64::from(most))) }
    );
    put(buf, area, x + 1, area.y, area.right().saturating_sub(x + 1), &legend, dim);
}

/// Draws the footer: the prompt, a message, or the keys that mean something now. Returns where the cursor stands.
pub fn footer(app: &App, area: Rect, buf: &mut Buffer) -> Option<Position> {
    if app.prompt.is_some() {
        return prompt(app, area, buf);
    }
    let y = area.bottom().saturating_sub(1);
    let row = Rect { y, height: 1, ..area };
    let theme = &app.theme;
    if let Some(message) = app.message.as_ref().filter(|_| !app.copy_menu) {
        let role = if message.bad { Role::Warn } else { Role::Strong };
        put(buf, row, row.x + 1, y, row.width.saturating_sub(2), &message.text, theme.style(role));
        return None;
    }
    let mut x = row.x + 1;
    let last = row.right().saturating_sub(1);
    for binding in app.live_bindings() {
        let key = app.keymap.of(binding.action).first().map(|key| key.name()).unwrap_or_default();
        let key = if theme.ascii { ascii_key(&key) } else { key };
        let width = u16::try_from(text::width(&key) + 1 + text::width(binding.word)).unwrap_or(u16::MAX);
        if x.saturating_add(width) > last {
            continue;
        }
        x += put(buf, row, x, y, width, &key, theme.style(Role::Key)) + 1;
        x += put(buf, row, x, y, width, binding.word, theme.style(Role::Dim)) + 2;
    }
    None
}

/// The name of a key without arrows.
pub fn ascii_key(name: &str) -> String {
    name.replace('↑', "Up").replace('↓', "Down").replace('←', "Left").replace('→', "Right")
}

fn prompt(app: &App, area: Rect, buf: &mut Buffer) -> Option<Position> {
    let prompt = app.prompt.as_ref()?;
    let theme = &app.theme;
    let last = area.bottom().saturating_sub(1);
    // What is wrong is said in whole where there is room for it.
    let columns = usize::from(area.width.saturating_sub(2)).max(8);
    let said = prompt.error.as_ref().map(|(_, error)| super::draw::wrap(error, columns)).unwrap_or_default();
    let below = u16::try_from(said.len().min(4)).unwrap_or(1).min(area.height.saturating_sub(1) / 2);
    let y = last - below;
    let hints = u16::try_from(prompt.hints.len()).unwrap_or(0).min(y.saturating_sub(area.y).saturating_sub(3));
    for (n, hint) in prompt.hints.iter().take(usize::from(hints)).enumerate() {
        let row = Rect { y: y - hints + u16::try_from(n).unwrap_or(0), height: 1, ..area };
        super::draw::ground(buf, row, theme);
        put(buf, row, row.x + 1, row.y, row.width.saturating_sub(2), hint, theme.style(Role::Dim));
    }
    for clear in y..=last {
        super::draw::ground(buf, Rect { y: clear, height: 1, ..area }, theme);
    }
    let label = prompt.asks.label();
    let x = area.x + 1;
    let begin = x + put(buf, area, x, y, area.width, label, theme.style(Role::Key));
    let room = usize::from(area.right().saturating_sub(begin + 1));
    let (before, all) = (prompt.before_cursor(), prompt.text());
    let (shown_before, shown) = (text::shown(&before), text::shown(&all));
    // The cursor stays in view: what is left of the window is marked as cut.
    let at = text::width(&shown_before);
    let skip = if at < room { 0 } else { at.saturating_sub(room.saturating_sub(2)) };
    let window = skip_columns(&shown, skip);
    put(buf, area, begin, y, area.right().saturating_sub(begin), &window, theme.style(Role::Text));
    if let (Some((offset, error)), true) = (&prompt.error, below > 0) {
        let style = theme.style(Role::Warn);
        let caret = all.get(..*offset).map_or(0, |head| text::width(&text::shown(head)));
        let caret = begin.saturating_add(u16::try_from(caret.saturating_sub(skip)).unwrap_or(0));
        let room = area.right().saturating_sub(caret.saturating_add(2));
        if usize::from(room) >= text::width(error) {
            // Under the place it is about.
            let used = put(buf, area, caret, y + 1, 2, "^ ", style);
            put(buf, area, caret.saturating_add(used), y + 1, room, error, style);
        } else {
            let shown = said.iter().take(usize::from(below)).enumerate();
            for (n, line) in shown {
                let cut = n + 1 == usize::from(below) && said.len() > usize::from(below);
                let line = if cut { format!("{line}…") } else { line.clone() };
                put(buf, area, x, y + 1 + u16::try_from(n).unwrap_or(0), area.width.saturating_sub(2), &line, style);
            }
        }
    }
    let column = begin.saturating_add(u16::try_from(at.saturating_sub(skip)).unwrap_or(0));
    Some(Position::new(column.min(area.right().saturating_sub(1)), y))
}

/// Leaves off so many columns at the left; the cut is marked.
fn skip_columns(shown: &str, skip: usize) -> String {
    if skip == 0 {
        return shown.to_owned();
    }
    let (mut gone, mut out) = (0usize, String::from("…"));
    for c in shown.chars() {
        let width = text::width(c.encode_utf8(&mut [0; 4]));
        // A mark whose base is gone would sit on the ellipsis.
        if gone <= skip || (width == 0 && out.len() == '…'.len_utf8()) {
            gone += width;
            continue;
        }
        if out.len() == '…'.len_utf8() && gone > skip + 1 {
            // The ellipsis stands for a wide character's first half.
            out.push(' ');
        }
        out.push(c);
    }
    out
}
