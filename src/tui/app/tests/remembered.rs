//! What is remembered, set, asked for and written.

use super::*;

#[test]
fn a_folder_is_listed_as_it_was_the_last_time() {
    use crate::store::query::{Sort, SortKey};
    use crate::tui::remember::Shown;
    let mut desk = Desk::full(Theme::default());
    let shown = Shown { sort: Sort { key: SortKey::Tool, reverse: true }, filter: "tool:web".to_owned() };
    desk.app.restore(&shown);
    desk.settle();
    assert_eq!(desk.app.shown_as(), shown);
    let screen = desk.screen(120, 40);
    assert!(screen.contains("↓tool · tool:web") && screen.contains("Esc takes it off"), "{screen}");
    assert!(desk.app.view.ids().iter().all(|id| desk.app.store.row(*id).unwrap().tool == "web.search"));
    desk.app.restore(&Shown { sort: Sort::default(), filter: "no:such field".to_owned() });
    desk.settle();
    assert!(desk.app.view.filter().is_all());
}

#[test]
fn a_record_asked_for_by_its_id_is_selected_when_it_comes() {
    let mut desk = Desk::new(Theme::default());
    desk.app.wanted = Some("c0ffee12-7a10-4c7b-9d2e-000000000033".to_owned());
    desk.tell(Event::Mode(Mode::Live));
    desk.file(2, receipt(2, "2026-08-01T12:04:31Z", "a", "success", "{}", false).into_bytes());
    desk.scanned();
    assert!(desk.screen(120, 40).contains("is here yet"), "it says that it waits");
    desk.file(0x33, receipt(0x33, "2026-08-01T12:00:00Z", "the.one", "success", "{}", false).into_bytes());
    assert_eq!(desk.selected_tool(), "the.one");
    desk.file(4, receipt(4, "2026-08-01T12:04:59Z", "newer", "success", "{}", false).into_bytes());
    assert_eq!(desk.selected_tool(), "the.one");
    // A filter that hides it is taken off.
    let mut desk = Desk::full(Theme::default());
    desk.keys("ftool:sql\n");
    desk.app.wanted = Some("c0ffee12-7a10-4c7b-9d2e-000000000004".to_owned());
    desk.settle();
    assert_eq!(desk.selected_tool(), "fs.read");
}

#[test]
fn a_report_is_of_what_is_listed_and_its_name_says_how() {
    let mut desk = Desk::full(Theme::default());
    desk.screen(120, 40);
    desk.keys("ftool:web\nX");
    assert!(desk.screen(120, 40).contains("3 records · .txt .jsonl"));
    desk.keys("/elsewhere/report.doc\n");
    assert!(desk.app.prompt.as_ref().is_some_and(|prompt| prompt.error.is_some()), "the prompt stays open");
    desk.keys("\x1bX/elsewhere/report.md\n");
    let jobs: Vec<_> =
        desk.app.effects.iter().filter_map(|e| if let Effect::Export(job) = e { Some(job) } else { None }).collect();
    let [job] = jobs.as_slice() else { panic!("{jobs:?}") };
    assert_eq!((job.records.len(), job.to.as_path()), (3, Path::new("/elsewhere/report.md")));
    assert_eq!(job.watched.as_deref(), Some(Path::new("/var/lib/gw/receipts")));
    desk.app.effects.clear();
    desk.keys("]x/elsewhere/one.txt\n");
    assert!(desk.app.effects.iter().any(|e| matches!(e, Effect::Export(job) if job.records.len() == 1)));
}

#[test]
fn folders_opened_before_are_offered() {
    use crate::tui::prompt::Asks;
    let mut desk = Desk::full(Theme::default());
    desk.app.history(Asks::Open).begin_with(vec!["/older".to_owned(), "/newer\u{202e}".to_owned()]);
    desk.keys("o");
    let screen = desk.screen(80, 24);
    assert!(screen.contains("opened before") && screen.contains("/newer\\u{202e}"), "{screen}");
    desk.app.input(Input::Key(Key::new(KeyCode::Up)));
    desk.app.input(Input::Key(Key::new(KeyCode::Up)));
    assert!(desk.screen(80, 24).contains("> /older"));
    desk.keys("\n");
    assert!(desk.app.effects.iter().any(|e| matches!(e, Effect::Open(path) if path == Path::new("/older"))));
}

#[test]
fn own_keys_columns_and_the_bell_are_taken_from_the_settings() {
    use crate::tui::settings::{Bell, parse};
    let mut desk = Desk::full(Theme::default());
    let settings = parse("columns = [\"verdict\", \"tool\"]\nbell = \"bell\"\nmous = true\n[keys]\nhelp = \"H\"\n");
    desk.app.take(&settings);
    let screen = desk.screen(120, 40);
    assert!(screen.contains("config.toml:3: the setting mous is not known; did you mean mouse?"), "{screen}");
    assert!(screen.contains("TOOL") && !screen.contains("STATUS") && !screen.contains("CREATED"), "{screen}");
    desk.app.message = None;
    assert!(desk.screen(120, 40).contains("H help"));
    desk.keys("H");
    assert_eq!(desk.app.screen, Screen::Help);
    desk.keys("q");
    let calls = |desk: &Desk| desk.app.effects.iter().filter(|e| matches!(e, Effect::Call(Bell::Bell, _))).count();
    assert_eq!(calls(&desk), 0, "what the first listing finds calls nobody");
    for n in 70..75 {
        desk.file(n, receipt(n, "2026-08-01T12:04:59Z", "x", "success", "{}", true).into_bytes());
    }
    assert_eq!(calls(&desk), 1, "once in five seconds");
}
