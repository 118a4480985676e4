//! Screens for when there is nothing to list: nothing opened, empty, scanning, offline, not readable, filtered away.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::draw::{count, message};
use crate::aer1::report::Headline;
use crate::output::passed::passed;
use crate::record::Mode;
use crate::text;
use crate::tui::app::App;
use crate::tui::theme::Role;

/// Draws the first screen, when no path was given and none is remembered.
pub fn welcome(app: &App, area: Rect, buf: &mut Buffer) {
    let theme = &app.theme;
    let (strong, plain, dim) = (theme.style(Role::Strong), theme.style(Role::Text), theme.style(Role::Dim));
    message(
        buf,
        area,
        &[
            ("aerscope".to_owned(), strong),
            ("verifies, follows and explains folders of AER-1 receipts".to_owned(), plain),
            (" ".to_owned(), plain),
            ("o  open a folder or file".to_owned(), plain),
            ("?  help".to_owned(), plain),
            ("q  quit".to_owned(), plain),
            (" ".to_owned(), plain),
            ("aerscope PATH opens a folder directly; aerscope demo shows one filling up".to_owned(), dim),
        ],
    );
}

/// Draws why the list is empty, when it is; false when there are rows.
pub fn instead_of_list(app: &App, area: Rect, buf: &mut Buffer) -> bool {
    if !app.view.ids().is_empty() {
        return false;
    }
    let theme = &app.theme;
    let (strong, plain, dim) = (theme.style(Role::Strong), theme.style(Role::Text), theme.style(Role::Dim));
    let path = app.opened.path.as_ref().map(|path| text::shown_path(path).into_owned()).unwrap_or_default();
    let totals = app.store.totals();
    let lines = if let Some(why) = &app.opened.failed {
        vec![
            ("This path cannot be followed".to_owned(), theme.style(Role::Bad)),
            (why.clone(), plain),
            (" ".to_owned(), plain),
            ("o opens another folder or file, q ends".to_owned(), dim),
        ]
    } else if let Some(why) = app.opened.shut() {
        vec![
            ("The folder cannot be listed".to_owned(), theme.style(Role::Bad)),
            (path, plain),
            (why, plain),
            (" ".to_owned(), plain),
            ("It is tried again every second. o opens another folder.".to_owned(), dim),
        ]
    } else if app.opened.mode == Some(Mode::Offline) {
        vec![
            ("The folder is gone".to_owned(), theme.style(Role::Bad)),
            (path, plain),
            (" ".to_owned(), plain),
            ("It is looked for every second; the list comes back with it.".to_owned(), dim),
        ]
    } else if let (Some((at, what)), true) = (&app.opened.trouble, app.store.is_empty()) {
        vec![
            ("The folder cannot be read".to_owned(), theme.style(Role::Bad)),
            (text::shown_path(&**at).into_owned(), plain),
            (text::shown(what).into_owned(), plain),
            (" ".to_owned(), plain),
            ("It is tried again with every full scan. R tries now, o opens another folder.".to_owned(), dim),
        ]
    } else if let Some((done, total)) = app.opened.progress {
        vec![(format!("Scanning {} of {} files", count(done), count(total)), strong), (path, plain)]
    } else if app.opened.scan.is_none() {
        vec![("Opening".to_owned(), strong), (path, plain)]
    } else if !app.store.is_empty() && !app.view.filter().is_all() {
        vec![
            ("No record matches the filter".to_owned(), strong),
            (text::shown(app.view.filter().text()).into_owned(), plain),
            (" ".to_owned(), plain),
            (format!("{} records are hidden. Esc takes the filter off, f changes it.", count(totals.records())), dim),
        ]
    } else if totals.of(Headline::NotReceipt) > 0 {
        vec![
            ("No receipt here".to_owned(), strong),
            (path, plain),
            (format!("{} other JSON files are hidden.", count(totals.of(Headline::NotReceipt))), plain),
            (" ".to_owned(), plain),
            ("The folder is watched: a receipt shows up here when it is written.".to_owned(), dim),
        ]
    } else {
        let skipped = app.opened.scan.map_or(0, |scan| scan.skipped);
        let mut lines = vec![("No receipt here yet".to_owned(), strong), (path, plain)];
        if skipped > 0 {
            let words = format!("{} files are left out because of their name; --all takes every file.", count(skipped));
            lines.push((words, plain));
        }
        if let Some(words) = app.opened.scan.and_then(|scan| passed(&scan.passed)) {
            lines.push((format!("Passed over: {words}."), plain));
        }
        lines.push((" ".to_owned(), plain));
        lines.push(("The folder is watched: a receipt shows up here when it is written.".to_owned(), dim));
        lines
    };
    message(buf, area, &lines);
    true
}

/// Draws what can be said on a screen that is too small.
pub fn too_small(app: &App, area: Rect, buf: &mut Buffer) {
    let style = app.theme.style(Role::Text);
    let words = if area.width >= 20 { "too small: 24x5 at least" } else { "too small" };
    let failing = app.store.totals().failing();
    let mut lines = vec![(words.to_owned(), style)];
    if area.height > 2 && failing > 0 {
        lines.push((format!("{} failing", count(failing)), app.theme.style(Role::Bad)));
    }
    let inside = Rect { x: area.x, width: area.width.saturating_add(4), ..area };
    message(buf, inside.intersection(Rect { width: area.width, ..area }), &lines);
}
