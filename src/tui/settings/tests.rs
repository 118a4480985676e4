use super::*;
use crate::tui::keys::{Action, Place};

fn told(text: &str) -> Vec<(usize, String)> {
    parse(text).mistakes.into_iter().map(|mistake| (mistake.line, mistake.what)).collect()
}

#[test]
fn everything_can_be_set() {
    let settings = parse(
        "theme = \"colour-blind\"\nascii = true\nmouse = true\npoll = true\nbell = \"notify\"\ncorrelation = [\"/a/b\"]\n\
         columns = [\"verdict\", \"file\"]\n[limits]\nmax_size = \"2M\"\nmax_depth = 64\n[keys]\ndown = \"Ctrl-n\"\n\
         sort = [\"w\", \"Alt-s\"]\nwrap = [\"s\"]\n",
    );
    assert_eq!(settings.mistakes, []);
    assert_eq!((settings.theme.value, settings.theme.line), (ThemeName::ColourBlind, 1));
    assert_eq!((settings.max_size.value, settings.max_size.line), (2 << 20, 9));
    assert_eq!(settings.max_depth.value, 64);
    assert_eq!(settings.bell.value, Bell::Notify);
    assert_eq!(settings.columns.value, [Column::Verdict, Column::File]);
    assert_eq!(settings.keymap.find(Place::List, Key::ctrl('n')), Some(Action::Down));
    assert_eq!(settings.keymap.find(Place::List, Key::ch('w')), Some(Action::Sort));
    let shown = effective(&settings);
    assert!(
        shown.lines().any(|line| line.starts_with("theme = \"colour-blind\"") && line.ends_with("# line 1")),
        "{shown}"
    );
    assert!(shown.lines().any(|line| line.starts_with("keys.up =") && line.ends_with("# default")), "{shown}");
}

#[test]
fn a_mistake_has_its_line_and_what_was_meant_and_costs_nothing_else() {
    let text = "thme = \"dark\"\ntheme = \"drak\"\nmouse = true\nascii = 1\n[keys]\ndwon = \"j\"\nup = \"Hyper-x\"\ntop = \"e\"\n";
    assert_eq!(
        told(text),
        [
            (1, "the setting thme is not known; did you mean theme?".to_owned()),
            (2, "the theme drak is not known; did you mean dark?".to_owned()),
            (4, "ascii wants true or false".to_owned()),
            (6, "the action dwon is not known; did you mean down?".to_owned()),
            (7, "Hyper-x is no key; keys are written x, Ctrl-x, Alt-x, Enter, PgDn …".to_owned()),
            (8, "e is the only key of editor; give editor another one as well".to_owned()),
        ]
    );
    assert!(parse(text).mouse.value);
}

#[test]
fn who_copies_and_how_often_a_folder_is_listed() {
    let clipboard = |text: &str| parse(text).clipboard.value;
    assert_eq!(clipboard("clipboard = \"osc52\""), Clipboard::Terminal);
    let program = Clipboard::Program(vec!["xclip".to_owned(), "-i".to_owned()]);
    assert_eq!(clipboard("clipboard = [\"xclip\", \"-i\"]"), program);
    for wrong in ["clipboard = []", "clipboard = \"wl-copy\"", "clipboard = [\"\"]", "clipboard = true"] {
        assert!(told(wrong).iter().any(|(_, what)| what.contains("[\"wl-copy\"]")), "{wrong}");
        assert_eq!(clipboard(wrong), Clipboard::Terminal);
    }
    let every = |text: &str| parse(&format!("poll_every = {text}")).poll_every.value;
    assert_eq!(every("5"), Duration::from_secs(5));
    assert_eq!(every("\"500ms\""), Duration::from_millis(500));
    assert_eq!(every("\"2m\""), Duration::from_secs(120));
    for wrong in ["0", "\"1ms\"", "\"soon\"", "-1", "1000000", "\"99999999999999999999s\""] {
        assert_eq!(every(wrong), Duration::from_secs(2), "{wrong}");
        assert_eq!(told(&format!("poll_every = {wrong}")).len(), 1, "{wrong}");
    }
    assert_eq!(parse("[limits]\nrows = 5000").max_rows.value, 5_000);
    assert_eq!(told("[limits]\nrows = 5"), [(2, "rows wants a number of at least 1000".to_owned())]);
    let shown = effective(&parse("poll_every = \"500ms\"\nclipboard = [\"wl-copy\"]"));
    assert!(shown.contains("poll_every = \"500ms\"") && shown.contains("clipboard = [\"wl-copy\"]"), "{shown}");
}

#[test]
fn broken_syntax_is_told_and_foreign_text_is_escaped() {
    let said = told("mouse = true\ntheme = \"dark\nascii = true\n");
    assert_eq!(said.first().map(|(line, _)| *line), Some(2), "{said:?}");
    let said = told("\"a\\u001b[31m\" = 1\n");
    assert!(said[0].1.contains("\\x1b[31m"), "{said:?}");
    for text in ["", "\0", "[keys", "keys = 1", "limits = []", "columns = [1]", "correlation = []", "= = ="] {
        let _any = told(text);
    }
}

#[test]
fn the_commented_defaults_are_the_defaults() {
    let text = commented();
    assert_eq!(parse(&text), Settings::default());
    // With the marks taken off nothing changes but the lines.
    let bare: String = text
        .lines()
        .filter(|line| !line.starts_with("# "))
        .map(|line| format!("{}\n", line.trim_start_matches('#')))
        .collect();
    let settings = parse(&bare);
    assert_eq!(settings.mistakes, []);
    let (mut found, wanted) = (settings.clone(), Settings::default());
    assert_eq!(
        (found.theme.value, found.max_size.value, &found.keymap),
        (wanted.theme.value, wanted.max_size.value, &wanted.keymap)
    );
    found.columns.line = 0;
    assert_eq!(found.columns, wanted.columns);
    assert_eq!(settings.keys.len(), BINDINGS.len());
}

#[test]
fn what_is_printed_is_toml_and_moves_no_terminal() {
    let field = "a\"\\\n\u{1b}[31m\u{202e}";
    let settings = parse(&format!("correlation = [{}]\n", quoted(field)));
    assert_eq!(settings.correlation.value, [field]);
    let shown = effective(&settings);
    assert!(!shown.chars().any(|c| c != '\n' && text::is_special(c)), "{shown:?}");
    assert_eq!(parse(&shown.replace("limits.", "#").replace("keys.", "#")).correlation.value, [field]);
}
