//! The pictures in `assets`, drawn by the real code: `AERSCOPE_WRITE=1` writes them, otherwise they are compared.

use std::fmt::Write as _;

use ratatui::style::{Color, Modifier};

use super::*;

/// Size of a cell.
const CELL: (f32, f32) = (8.4, 18.0);

fn rgb(colour: Color) -> String {
    let Color::Indexed(index) = colour else { panic!("{colour:?} is not fixed") };
    let level = |n: u8| if n == 0 { 0 } else { u32::from(n) * 40 + 55 };
    match index {
        232..=255 => {
            let grey = u32::from(index - 232) * 10 + 8;
            format!("#{grey:02x}{grey:02x}{grey:02x}")
        }
        16..=231 => {
            let cube = index - 16;
            format!("#{:02x}{:02x}{:02x}", level(cube / 36), level(cube / 6 % 6), level(cube % 6))
        }
        _ => panic!("index {index} belongs to the user"),
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

fn svg(buffer: &Buffer, title: &str) -> String {
    let (columns, rows) = (f32::from(buffer.area.width), f32::from(buffer.area.height));
    let (width, height) = (columns * CELL.0 + 16.0, rows * CELL.1 + 16.0);
    let ground = rgb(buffer[(0, 0)].style().bg.unwrap());
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.1} {height:.1}\" font-family=\"ui-monospace,'DejaVu \
         Sans Mono',Menlo,Consolas,monospace\" font-size=\"14\">\n<title>{}</title>\n<rect width=\"100%\" height=\"100%\" \
         rx=\"6\" fill=\"{ground}\"/>\n",
        escaped(title)
    );
    for y in 0..buffer.area.height {
        let mut x = 0;
        while x < buffer.area.width {
            let begin = x;
            let style = buffer[(x, y)].style();
            let mut text = String::new();
            while x < buffer.area.width && buffer[(x, y)].style() == style {
                let symbol = buffer[(x, y)].symbol();
                text.push_str(symbol);
                x += u16::try_from(crate::text::width(symbol).max(1)).unwrap();
            }
            let (mut fore, mut back) = (rgb(style.fg.unwrap()), rgb(style.bg.unwrap()));
            if style.add_modifier.contains(Modifier::REVERSED) {
                std::mem::swap(&mut fore, &mut back);
            }
            let (left, top) = (f32::from(begin) * CELL.0 + 8.0, f32::from(y) * CELL.1 + 8.0);
            let wide = f32::from(x - begin) * CELL.0;
            if back != ground {
                writeln!(
                    out,
                    "<rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"{wide:.1}\" height=\"{:.1}\" fill=\"{back}\"/>",
                    CELL.1
                )
                .unwrap();
            }
            if text.trim().is_empty() {
                continue;
            }
            let bold = if style.add_modifier.contains(Modifier::BOLD) { " font-weight=\"bold\"" } else { "" };
            let line =
                if style.add_modifier.contains(Modifier::UNDERLINED) { " text-decoration=\"underline\"" } else { "" };
            writeln!(
                out,
                "<text x=\"{left:.1}\" y=\"{:.1}\" textLength=\"{wide:.1}\" lengthAdjust=\"spacingAndGlyphs\" \
                 xml:space=\"preserve\" fill=\"{fore}\"{bold}{line}>{}</text>",
                top + 13.5,
                escaped(&text)
            )
            .unwrap();
        }
    }
    out.push_str("</svg>\n");
    out
}

#[test]
fn the_pictures_are_what_is_drawn() {
    let dark = Theme { name: ThemeName::Dark, ascii: false };
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets");
    let write = std::env::var_os("AERSCOPE_WRITE").is_some();
    for (name, title, keys) in [
        ("console", "aerscope: the list, and a receipt whose bytes are not those it commits to", "]"),
        ("chain", "aerscope: the attempts of one call", "gjjjc"),
        ("checks", "aerscope: every check of one receipt", "]5"),
        ("help", "aerscope: the help", "?"),
        ("vectors", "aerscope: a suite of test vectors, expected against found", "v"),
    ] {
        let mut desk = Desk::full(dark);
        desk.screen(120, 40);
        desk.keys(keys);
        if name == "vectors" {
            vectors::run_suite(&mut desk, true);
        }
        desk.app.message = None;
        let drawn = svg(&desk.buffer(120, 40), title);
        let path = folder.join(format!("{name}.svg"));
        if write {
            std::fs::write(&path, drawn).unwrap();
        } else {
            let kept = std::fs::read_to_string(&path).unwrap_or_default();
            assert!(kept == drawn, "{name}.svg is not what is drawn now; AERSCOPE_WRITE=1 cargo test writes it again");
        }
    }
}
