//! A suite of test vectors on the screen.

use super::*;

fn suite_files(wrong: bool) -> Vec<(String, Vec<u8>)> {
    let good = receipt(2, "2026-08-01T12:04:31Z", "sql.query", "success", "{\"rows\":[1,2]}", false);
    let bad = receipt(2, "2026-08-01T12:04:31Z", "sql.query", "success", "{\"rows\":[1,2]}", true);
    let found = if wrong {
        r#""headline":"verified","class":null"#
    } else {
        r#""headline":"mismatch","class":"digest_mismatch""#
    };
    let index = format!(
        concat!(
            r#"{{"suite":1,"vectors":[{{"file":"a-good.json","record":null,"kind":"published","headline":"verified","#,
            r#""class":null,"why":null,"rule":null,"twin":null}},{{"file":"digest.json","record":null,"kind":"published","#,
            r#"{},"why":"the hash is of other bytes","rule":"rules 3.13","twin":"a-good.json"}}]}}"#
        ),
        found
    );
    vec![
        ("index.json".to_owned(), index.into_bytes()),
        ("a-good.json".to_owned(), good.into_bytes()),
        ("digest.json".to_owned(), bad.into_bytes()),
    ]
}

/// Plays the suite's thread: a run, then whatever record is asked for.
pub(super) fn run_suite(desk: &mut Desk, wrong: bool) {
    use crate::config::Limits;
    use crate::tui::suite::{Ask, Ran, Told, shown};
    use crate::vectors::{Suite, run};
    let suite = Suite::in_memory(suite_files(wrong)).unwrap();
    let outcomes = Arc::new(run(&suite, &Options::default()));
    let at = Moment { secs: desk.app.now.secs - 3, nanos: 0 };
    let ran = Ran { outcomes: Arc::clone(&outcomes), place: "suites/own".to_owned(), layout: suite.layout, at };
    let number = desk.app.vectors.as_ref().unwrap().number;
    desk.app.suite_told(number, Told::Ran(ran));
    desk.settle();
    for effect in std::mem::take(&mut desk.app.effects) {
        if let Effect::AskSuite(Ask::Show(n)) = effect {
            let shown = shown(&suite, &outcomes[n], &Options::default(), &Limits::default());
            desk.app.suite_told(number, Told::Shown(n, Box::new(shown)));
        }
    }
    desk.settle();
}

fn vector(desk: &Desk) -> (String, bool) {
    let outcome = desk.app.vectors.as_ref().unwrap().selected().unwrap();
    (outcome.case.name.clone(), outcome.agrees)
}

#[test]
fn vectors_show_what_disagrees_first_and_step_through_it() {
    for (columns, rows) in [(80, 24), (120, 40)] {
        let mut desk = Desk::full(Theme::default());
        desk.keys("v");
        assert!(desk.app.effects.iter().any(|effect| matches!(effect, Effect::Suite(..))));
        assert!(desk.screen(columns, rows).contains("Running the vectors"));
        run_suite(&mut desk, true);
        assert_eq!(vector(&desk), ("digest.json".to_owned(), false));
        insta::assert_snapshot!(format!("vectors-{columns}x{rows}"), desk.screen(columns, rows));
        // The file is put right: the selection stays on it, and all agree.
        run_suite(&mut desk, false);
        assert_eq!(vector(&desk), ("digest.json".to_owned(), true));
        insta::assert_snapshot!(format!("vectors-agree-{columns}x{rows}"), desk.screen(columns, rows));
        desk.keys("n");
        assert_eq!(vector(&desk).0, "a-good.json");
        desk.keys("N");
        assert_eq!(vector(&desk).0, "digest.json");
        desk.keys("/good\n");
        assert_eq!(vector(&desk).0, "a-good.json");
        desk.keys("r");
        assert!(desk.app.effects.iter().any(|effect| matches!(effect, Effect::AskSuite(_))));
        desk.keys("\x1b\x1b");
        assert_eq!(desk.app.screen, Screen::Main);
    }
}

#[test]
fn a_suite_that_cannot_be_read_says_where_and_why() {
    use crate::tui::suite::Told;
    let mut desk = Desk::full(Theme::default());
    desk.keys("v");
    let number = desk.app.vectors.as_ref().unwrap().number;
    desk.app.suite_told(number, Told::Failed("suites/none".to_owned(), "index.json: expected value".to_owned()));
    let screen = desk.screen(80, 24);
    assert!(screen.contains("suites/none") && screen.contains("expected value"), "{screen}");
    desk.app.suite_told(number + 1, Told::Failed("other".to_owned(), String::new()));
    assert!(!desk.screen(80, 24).contains("other"));
}

#[test]
fn vectors_at_every_size() {
    let mut desk = Desk::full(Theme::default());
    desk.keys("v");
    run_suite(&mut desk, true);
    for rows in 1..24 {
        for columns in (1..130).step_by(3) {
            desk.buffer(columns, rows);
        }
    }
}
