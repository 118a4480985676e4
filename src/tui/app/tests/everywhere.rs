//! Every screen, overlay and pane, at every size.

use super::*;

/// A name and the keys that lead there, from a console that has just drawn its list. `\x1b` goes back.
pub(super) const PLACES: &[(&str, &str)] = &[
    ("list", ""),
    ("receipt", "]l"),
    ("receipt-zoomed", "]\n\n"),
    ("text", "]l2"),
    ("hex", "]l3"),
    ("raw", "]l4"),
    ("checks", "]l5"),
    ("raw-unwrapped", "]l4wl"),
    ("malformed", "Gl"),
    ("folded", "]l-"),
    ("search-record", "]l/rows"),
    ("chain", "gc"),
    ("chain-focus", "gc\t\t"),
    ("chain-zoomed", "gc\t\t\n"),
    ("diff", "gmj]d"),
    ("diff-running", "gmj]d"),
    ("chains", "C"),
    ("events", "E"),
    ("help", "?"),
    ("help-end", "?G"),
    ("vectors", "v"),
    ("vectors-running", "v"),
    ("vector-record", "v"),
    ("filter", "f"),
    ("filter-error", "fverdict:nonsense\n"),
    ("filter-nothing", "ftool:nothing-like-it\n"),
    ("search", "/web"),
    ("search-nothing", "/not there\n"),
    ("copy-menu", "y"),
    ("open", "o"),
    ("go-to", "]l3:"),
    ("export", "x"),
    ("export-listed", "Xreport.doc\n"),
    ("paused", " "),
    ("sorted", "sS"),
    ("ages", "TT"),
    ("message", "m"),
];

/// A desk that stands at one of [`PLACES`].
pub(super) fn at(name: &str, keys: &str, theme: Theme) -> Desk {
    let mut desk = Desk::full(theme);
    desk.screen(120, 40);
    desk.keys(keys);
    match name {
        "diff" => compared(&mut desk),
        "vectors" => vectors::run_suite(&mut desk, true),
        "vector-record" => {
            vectors::run_suite(&mut desk, true);
            desk.keys("l");
        }
        _ => {}
    }
    desk
}

/// Plays the detail thread for a comparison.
fn compared(desk: &mut Desk) {
    let Some(Effect::Diff(_, _, stamp)) = desk.app.effects.iter().find(|e| matches!(e, Effect::Diff(..))).cloned()
    else {
        panic!("nothing is compared: {:?}", desk.app.effects)
    };
    let open = |n: u32| {
        let bytes = desk.files.get(&n).unwrap();
        let place = crate::aer1::report::Place::WHOLE;
        let opened = Verifier::new(Options::default()).open(bytes, place).unwrap();
        OpenRecord::new(path(n), place, opened, bytes, 128)
    };
    let model = crate::tui::detail::diff::compare(&open(3), &open(5));
    desk.app.answer(stamp, Loaded::Diff(Box::new(model)));
    desk.settle();
}

/// Screens without a folder, and folders that cannot be followed.
fn others() -> Vec<(&'static str, App)> {
    let welcome = App::new(Theme::default(), Moment::default(), None);
    let mut failed = Desk::new(Theme::default());
    failed.app.failed("/var/lib/gw: permission denied (os error 13)".to_owned());
    let mut opening = Desk::new(Theme::default());
    opening.tell(Event::Progress { done: 41_200, total: 100_000 });
    let mut empty = Desk::new(Theme::default());
    empty.tell(Event::Mode(Mode::Polling("a network file system".to_owned())));
    empty.scanned();
    let mut offline = Desk::new(Theme::default());
    offline.tell(Event::Mode(Mode::Offline));
    vec![
        ("welcome", welcome),
        ("failed", failed.app),
        ("opening", opening.app),
        ("empty", empty.app),
        ("offline", offline.app),
    ]
}

/// A fixed sequence of sizes up to 250 by 80.
struct Sizes(u64);

impl Iterator for Sizes {
    type Item = (u16, u16);

    fn next(&mut self) -> Option<(u16, u16)> {
        // Knuth's MMIX multiplier; only its upper bits are used.
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let upper = self.0 >> 33;
        Some((u16::try_from(upper % 250).unwrap() + 1, u16::try_from(upper / 250 % 80).unwrap() + 1))
    }
}

fn drawn(name: &str, app: &mut App, columns: u16, rows: u16) {
    let area = Rect::new(0, 0, columns, rows);
    let mut buffer = Buffer::empty(area);
    let cursor = crate::tui::frame(app, area, &mut buffer);
    if let Some(cursor) = cursor {
        assert!(area.contains(cursor), "{name} at {columns}x{rows}: the cursor is at {cursor:?}");
    }
}

/// Every size from 1x1 to 60x20 is drawn by one of the places at least, and 2,000 others by one each; with
/// `AERSCOPE_EVERY_SIZE` set every place draws all of them.
#[test]
fn every_size_draws_in_every_place() {
    let all = std::env::var_os("AERSCOPE_EVERY_SIZE").is_some();
    let mut places: Vec<(&str, App)> =
        PLACES.iter().map(|(name, keys)| (*name, at(name, keys, Theme::default()).app)).collect();
    places.extend(others());
    let sizes: Vec<(u16, u16)> = (1..=60).flat_map(|columns| (1..=20).map(move |rows| (columns, rows))).collect();
    let count = places.len();
    for (n, (name, app)) in places.iter_mut().enumerate() {
        // Seven is no divisor of the rows: every place meets every height and every width.
        for (columns, rows) in sizes.iter().enumerate().filter(|(at, _)| all || at % 7 == n % 7).map(|(_, size)| *size)
        {
            drawn(name, app, columns, rows);
        }
        for (_, (columns, rows)) in Sizes(0xae51).take(2_000).enumerate().filter(|(at, _)| all || at % count == n) {
            drawn(name, app, columns, rows);
        }
    }
}

#[test]
fn every_place_is_the_one_it_is_called() {
    for (name, keys) in PLACES {
        let mut desk = at(name, keys, Theme::default());
        let wanted = match *name {
            "diff" | "diff-running" => Screen::Diff,
            "chains" => Screen::Chains,
            "events" => Screen::Events,
            "help" | "help-end" => Screen::Help,
            "vectors" | "vectors-running" | "vector-record" => Screen::Vectors,
            _ => Screen::Main,
        };
        assert_eq!(desk.app.screen, wanted, "{name}");
        let asks = ["filter", "filter-error", "search", "open", "go-to", "export", "export-listed", "search-record"];
        assert_eq!(desk.app.prompt.is_some(), asks.contains(name), "{name}\n{}", desk.screen(120, 40));
        assert_eq!(desk.app.copy_menu, *name == "copy-menu", "{name}");
        assert_eq!(desk.app.zoom, name.ends_with("zoomed"), "{name}");
    }
}
