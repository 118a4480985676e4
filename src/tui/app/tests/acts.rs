//! What single actions come to.

use super::*;
use crate::tui::keys::BINDINGS;
use crate::tui::settings::parse;

#[test]
fn a_copy_is_told_from_the_record_it_copies() {
    let mut desk = Desk::full(Theme::default());
    let again = desk.files.get(&2).unwrap().clone();
    desk.file(20, again);
    let screen = desk.screen(120, 40);
    let marked: Vec<&str> =
        screen.lines().filter(|line| line.contains("=✓ verified") && line.contains("copy")).collect();
    assert_eq!(marked.len(), 1, "{screen}");
    let both = screen.lines().filter(|line| line.contains("12:04:31.112")).count();
    assert_eq!(both, 2, "{screen}");
    // The first one goes: the copy stands for the record now.
    desk.tell(Event::Batch(vec![Change::Removed { file: FileNo(2) }]));
    assert!(!desk.screen(120, 40).contains("=✓ verified"));
}

#[test]
fn columns_stand_in_the_operators_order() {
    let mut desk = Desk::full(Theme::default());
    desk.app.take(&parse("columns = [\"tool\", \"size\", \"verdict\", \"id\"]"));
    let screen = desk.screen(120, 40);
    let heads = screen.lines().find(|line| line.contains("VERDICT")).unwrap();
    let at = |word: &str| heads.find(word).unwrap_or_else(|| panic!("{word}: {heads}"));
    assert!(at("TOOL") < at("SIZE") && at("SIZE") < at("VERDICT") && at("VERDICT") < at("ID"), "{heads}");
    assert!(!heads.contains("CREATED"));
}

#[test]
fn a_long_status_is_whole_where_there_is_room() {
    let mut desk = Desk::full(Theme::default());
    assert!(desk.screen(80, 24).contains("provider_unavailable"));
    assert!(desk.screen(200, 60).contains("provider_unavailable"));
}

#[test]
fn a_program_copies_when_one_is_set_and_its_failure_is_told() {
    let mut desk = Desk::full(Theme::default());
    desk.app.take(&parse("clipboard = [\"wl-copy\", \"-n\"]"));
    desk.screen(80, 24);
    desk.keys("/sql\nyi");
    let [Effect::CopyWith(words, value, said)] = desk.app.effects.as_slice() else { panic!("{:?}", desk.app.effects) };
    assert_eq!(words, &["wl-copy", "-n"]);
    assert_eq!(value, b"c0ffee12-7a10-4c7b-9d2e-000000000001");
    assert_eq!(said, "copied the id (36 bytes)");
}

#[test]
fn one_goes_to_an_offset_or_a_line() {
    let mut desk = Desk::full(Theme::default());
    let long = receipt(30, "2026-08-01T12:04:59Z", "long", "success", &"0123456789".repeat(400), false);
    desk.file(30, long.into_bytes());
    desk.screen(120, 40);
    desk.keys("gl3:0x400\n");
    let screen = desk.screen(120, 40);
    assert!(screen.contains("0400  34 35 36") && !screen.contains("03f8"), "{screen}");
    desk.keys(":nowhere\n");
    assert!(desk.app.message.is_some());
}

#[test]
fn a_rewritten_record_is_compared_with_what_it_was() {
    let mut desk = Desk::full(Theme::default());
    desk.screen(120, 40);
    desk.keys("/sql\n");
    let other = receipt(1, "2026-08-01T12:04:31.207Z", "sql.query", "success", "{\"rows\":[9]}", false);
    desk.file(1, other.into_bytes());
    desk.keys("d");
    let sides = desk.app.effects.iter().find_map(|e| if let Effect::Diff(a, b, _) = e { Some((a, b)) } else { None });
    let (crate::tui::detail::Side::Kept(before), crate::tui::detail::Side::File(..)) = sides.unwrap() else {
        panic!("{sides:?}")
    };
    assert_eq!(before.canonical.as_deref(), Some(r#"{"inputs":{"q":"select 1"},"rows":[1,2,3]}"#.as_bytes()));
    // Of a record that was not open before it was rewritten, nothing is kept.
    let mut desk = Desk::full(Theme::default());
    let other = receipt(2, "2026-08-01T12:04:31.112Z", "web.search", "success", "{}", false);
    desk.file(2, other.into_bytes());
    desk.keys("/c0ffee12-7a10-4c7b-9d2e-000000000002\nd");
    assert!(desk.screen(120, 40).contains("only its hash is known"), "{}", desk.screen(120, 40));
}

#[test]
fn what_happens_is_noted_for_the_log() {
    let mut desk = Desk::full(Theme::default());
    assert!(desk.app.lines.is_empty(), "nobody asked for it");
    desk.app.logs = true;
    desk.file(40, receipt(40, "2026-08-01T12:04:59Z", "late", "failed", "{}", true).into_bytes());
    desk.tell(Event::Batch(vec![Change::Removed { file: FileNo(1) }]));
    desk.tell(Event::Mode(Mode::Offline));
    let events: Vec<&str> = desk.app.lines.iter().map(|line| line.event).collect();
    assert_eq!(events, ["arrived", "removed", "offline"]);
    let first = &desk.app.lines[0];
    assert_eq!(first.path.as_deref(), Some(&*path(40)));
    assert!(first.more.contains(&("headline", "mismatch".to_owned())), "{first:?}");
    assert!(first.more.contains(&("tool", "late".to_owned())), "{first:?}");
}

#[test]
fn a_click_selects_on_every_screen_that_is_a_list() {
    let mut desk = Desk::full(Theme::default());
    desk.screen(80, 24);
    desk.app.input(Input::Click(10, 6));
    assert_eq!(desk.app.list.position, 2);
    desk.file(41, receipt(41, "2026-08-01T12:04:59Z", "late", "failed", "{}", true).into_bytes());
    desk.file(42, receipt(42, "2026-08-01T12:04:59Z", "late", "failed", "{}", true).into_bytes());
    desk.keys("E");
    desk.screen(80, 24);
    desk.app.input(Input::Click(10, 4));
    assert_eq!(desk.app.events_scroll.at, 1);
    desk.app.input(Input::Click(79, 23));
    assert_eq!(desk.app.events_scroll.at, 1, "outside of the list nothing happens");
}

#[test]
fn rows_that_left_are_counted_in_the_header() {
    let mut desk = Desk::full(Theme::default());
    assert!(!desk.screen(120, 40).contains("left the list"));
    desk.app.store.limit(5);
    desk.settle();
    assert!(desk.screen(120, 40).contains("left the list"), "{}", desk.screen(120, 40));
}

#[test]
fn the_chains_follow_what_arrives_but_not_with_every_frame() {
    let mut desk = Desk::full(Theme::default());
    desk.screen(120, 40);
    desk.keys("C");
    assert!(desk.screen(120, 40).contains("1 retry chain,"), "{}", desk.screen(120, 40));
    for n in [43, 44] {
        let text = receipt(n, "2026-08-01T12:04:59Z", "late", "failed", "{}", false);
        desk.file(n, text.replacen('{', "{\"correlation_id\":\"call-8\",", 1).into_bytes());
    }
    desk.app.tick(moment("2026-08-01T12:05:02Z").unwrap());
    desk.settle();
    assert!(desk.screen(120, 40).contains("2 retry chains"), "{}", desk.screen(120, 40));
}

#[test]
fn every_action_is_in_the_help_and_can_have_another_key() {
    let mut desk = Desk::full(Theme::default());
    desk.keys("?");
    let mut help = String::new();
    let columns = 250;
    for at in (0..400).step_by(20) {
        desk.app.help_scroll.at = at;
        help.push_str(&desk.screen(columns, 24));
    }
    for binding in BINDINGS {
        assert!(help.contains(binding.help), "{} is not in the help", binding.name);
        let settings = parse(&format!("[keys]\n{} = \"Alt-9\"\n", binding.name));
        assert_eq!(settings.mistakes, [], "{}", binding.name);
        let key = Key::from_name("Alt-9").unwrap();
        assert_eq!(settings.keymap.of(binding.action), [key], "{}", binding.name);
    }
}

#[test]
fn rows_leave_when_there_are_too_many_and_failing_ones_stay() {
    let mut desk = Desk::full(Theme::default());
    desk.app.max_rows = 40;
    let failing = desk.app.store.totals().failing();
    assert!(failing > 0);
    for n in 100..200 {
        desk.file(n, receipt(n, "2026-08-01T12:04:50Z", "fs.read", "success", "{}", false).into_bytes());
    }
    assert!(desk.app.store.len() <= 40, "{}", desk.app.store.len());
    assert_eq!(desk.app.store.totals().failing(), failing);
    let shown = desk.screen(200, 24);
    assert!(shown.contains("left the list"), "{shown}");
    assert!(desk.app.log().from_newest(0).is_some());
    let left = (0..desk.app.log().len()).filter_map(|n| desk.app.log().from_newest(n));
    assert!(left.filter(|entry| matches!(entry.what, crate::tui::app::What::Left(_))).count() > 0);
    // Every row that is listed is still there.
    assert!(desk.app.view.ids().iter().all(|id| desk.app.store.row(*id).is_some()));
}

#[test]
fn a_message_goes_with_the_next_key_and_hides_no_menu() {
    let mut desk = Desk::full(Theme::default());
    let last =
        |desk: &mut Desk| desk.screen(120, 40).lines().rev().find(|line| !line.trim().is_empty()).unwrap().to_owned();
    desk.keys("j");
    assert!(last(&mut desk).contains("follow is off"));
    desk.keys("j");
    assert!(last(&mut desk).contains("help"), "{}", last(&mut desk));
    // What went wrong stays to be read, but not over the keys that are asked for.
    desk.app.complain("something went wrong");
    desk.keys("j");
    assert!(last(&mut desk).contains("something went wrong"));
    desk.keys("y");
    assert!(!last(&mut desk).contains("something went wrong"), "{}", last(&mut desk));
}
