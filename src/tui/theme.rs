//! Colours and glyphs by role: a screen names what a thing is, and the theme says how that looks (design §3).
//!
//! Nothing is told by colour alone: every verdict has a glyph and a word, a selection is reversed, a focused pane has a
//! thick border. Green stands for `verified` and for nothing else.

use ratatui::style::{Color, Modifier, Style};
use ratatui::symbols::border;

use crate::aer1::report::Headline;

/// What a piece of the screen is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Ordinary text.
    Text,
    /// Text of less weight.
    Dim,
    /// Text of more weight.
    Strong,
    /// Title of a pane.
    Title,
    /// Title of the pane that has the keys.
    TitleFocused,
    /// Border of a pane.
    Border,
    /// Border of the pane that has the keys.
    BorderFocused,
    /// The selected row; patched over what the row has.
    Selected,
    /// `verified`, and only that.
    Good,
    /// `intact`.
    Note,
    /// `unavailable`, `unsupported`, `unreadable`, and warnings.
    Warn,
    /// `malformed`.
    Bad,
    /// `mismatch`.
    Worst,
    /// A key in the footer or the help.
    Key,
    /// Text a search found.
    Match,
    /// The mark on a marked record.
    Mark,
    /// JSON: a member name.
    JsonKey,
    /// JSON: a string.
    JsonString,
    /// JSON: a number.
    JsonNumber,
    /// JSON: true, false, null.
    JsonWord,
    /// JSON: braces, brackets, commas, colons.
    JsonPunct,
    /// Hex: a zero byte.
    HexNull,
    /// Hex: a printable ASCII byte.
    HexAscii,
    /// Hex: white space.
    HexSpace,
    /// Hex: another ASCII control.
    HexOther,
    /// Hex: a byte above 0x7f.
    HexHigh,
    /// What the hash covers.
    Covered,
    /// What the hash does not cover.
    Uncovered,
    /// Present only on the later side of a comparison.
    DiffAdd,
    /// Present only on the earlier side of a comparison.
    DiffDel,
}

impl Role {
    /// Every role.
    pub const ALL: &'static [Role] = &[
        Role::Text,
        Role::Dim,
        Role::Strong,
        Role::Title,
        Role::TitleFocused,
        Role::Border,
        Role::BorderFocused,
        Role::Selected,
        Role::Good,
        Role::Note,
        Role::Warn,
        Role::Bad,
        Role::Worst,
        Role::Key,
        Role::Match,
        Role::Mark,
        Role::JsonKey,
        Role::JsonString,
        Role::JsonNumber,
        Role::JsonWord,
        Role::JsonPunct,
        Role::HexNull,
        Role::HexAscii,
        Role::HexSpace,
        Role::HexOther,
        Role::HexHigh,
        Role::Covered,
        Role::Uncovered,
        Role::DiffAdd,
        Role::DiffDel,
    ];
}

/// The five themes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ThemeName {
    /// The terminal's own sixteen colours, no background.
    #[default]
    Terminal,
    /// Fixed colours on a dark background.
    Dark,
    /// Fixed colours on a light background.
    Light,
    /// Fixed colours on a dark background, told apart without red and green.
    ColourBlind,
    /// No colour at all.
    Plain,
}

impl ThemeName {
    /// Every theme.
    pub const ALL: &'static [ThemeName] =
        &[ThemeName::Terminal, ThemeName::Dark, ThemeName::Light, ThemeName::ColourBlind, ThemeName::Plain];

    /// The name on the command line and in the configuration.
    pub const fn as_str(self) -> &'static str {
        match self {
            ThemeName::Terminal => "terminal",
            ThemeName::Dark => "dark",
            ThemeName::Light => "light",
            ThemeName::ColourBlind => "colour-blind",
            ThemeName::Plain => "plain",
        }
    }

    /// The theme of that name.
    pub fn from_word(word: &str) -> Option<ThemeName> {
        Self::ALL.iter().copied().find(|name| name.as_str() == word)
    }
}

/// How everything looks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Theme {
    /// Which colours.
    pub name: ThemeName,
    /// Glyphs and borders from ASCII alone.
    pub ascii: bool,
}

/// The fixed colours of one theme, as indexes into the 256-colour palette (16 and up, which no terminal redefines by habit).
struct Palette {
    back: u8,
    text: u8,
    dim: u8,
    accent: u8,
    good: u8,
    note: u8,
    warn: u8,
    bad: u8,
    mark: u8,
    match_back: u8,
    match_text: u8,
}

const DARK: Palette = Palette {
    back: 234,
    text: 252,
    dim: 247,
    accent: 117,
    good: 114,
    note: 80,
    warn: 221,
    bad: 210,
    mark: 183,
    match_back: 221,
    match_text: 16,
};

const LIGHT: Palette = Palette {
    back: 231,
    text: 234,
    dim: 240,
    accent: 25,
    good: 22,
    note: 24,
    warn: 94,
    bad: 124,
    mark: 90,
    match_back: 222,
    match_text: 16,
};

const COLOUR_BLIND: Palette = Palette {
    back: 234,
    text: 253,
    dim: 248,
    accent: 189,
    good: 75,
    note: 253,
    warn: 228,
    bad: 208,
    mark: 219,
    match_back: 228,
    match_text: 16,
};

impl Theme {
    /// A theme with the full set of glyphs.
    pub const fn new(name: ThemeName) -> Theme {
        Theme { name, ascii: false }
    }

    /// How a role looks.
    pub fn style(&self, role: Role) -> Style {
        match self.name {
            ThemeName::Terminal => terminal(role),
            ThemeName::Plain => Style::new().add_modifier(weight(role)),
            ThemeName::Dark => fixed(&DARK, role),
            ThemeName::Light => fixed(&LIGHT, role),
            ThemeName::ColourBlind => fixed(&COLOUR_BLIND, role),
        }
    }

    /// Glyph, word and style of a headline (design §3).
    pub fn verdict(&self, headline: Headline) -> (&'static str, &'static str, Style) {
        let (glyph, ascii, word, role) = match headline {
            Headline::Verified => ("✓", "+", "verified", Role::Good),
            Headline::Intact => ("○", "o", "intact", Role::Note),
            Headline::Unavailable => ("–", "-", "unchecked", Role::Warn),
            Headline::Unsupported => ("?", "?", "unsupported", Role::Warn),
            Headline::Malformed => ("!", "!", "malformed", Role::Bad),
            Headline::Mismatch => ("✗", "x", "mismatch", Role::Worst),
            Headline::NotReceipt => ("·", ".", "other file", Role::Dim),
            Headline::Unreadable => ("#", "#", "unreadable", Role::Warn),
        };
        (if self.ascii { ascii } else { glyph }, word, self.style(role))
    }

    /// Glyph, word and style of a file that is being written and has no verdict yet.
    pub fn writing(&self) -> (&'static str, &'static str, Style) {
        (if self.ascii { "~" } else { "…" }, "writing", self.style(Role::Dim))
    }

    /// One of two spellings: the first normally, the second where only ASCII is wanted.
    pub const fn glyph(&self, full: &'static str, ascii: &'static str) -> &'static str {
        if self.ascii { ascii } else { full }
    }

    /// The border of a pane; thick where the keys go, so that focus is not told by colour alone.
    pub const fn border(&self, focused: bool) -> border::Set<'static> {
        match (self.ascii, focused) {
            (false, true) => border::THICK,
            (false, false) => border::PLAIN,
            (true, true) => ASCII_THICK,
            (true, false) => ASCII_PLAIN,
        }
    }
}

const ASCII_PLAIN: border::Set<'static> = border::Set {
    top_left: "+",
    top_right: "+",
    bottom_left: "+",
    bottom_right: "+",
    vertical_left: "|",
    vertical_right: "|",
    horizontal_top: "-",
    horizontal_bottom: "-",
};

const ASCII_THICK: border::Set<'static> = border::Set {
    top_left: "#",
    top_right: "#",
    bottom_left: "#",
    bottom_right: "#",
    vertical_left: "#",
    vertical_right: "#",
    horizontal_top: "=",
    horizontal_bottom: "=",
};

/// Weight and slant of a role: the same in every theme, and all that `plain` has.
const fn weight(role: Role) -> Modifier {
    match role {
        Role::Strong
        | Role::Title
        | Role::TitleFocused
        | Role::Worst
        | Role::Key
        | Role::Mark
        | Role::BorderFocused => Modifier::BOLD,
        Role::Selected => Modifier::REVERSED,
        Role::Match => Modifier::UNDERLINED.union(Modifier::BOLD),
        Role::DiffAdd | Role::DiffDel => Modifier::UNDERLINED,
        _ => Modifier::empty(),
    }
}

fn terminal(role: Role) -> Style {
    let style = Style::new().add_modifier(weight(role));
    match role {
        Role::Text | Role::Strong | Role::Title | Role::Selected | Role::JsonString | Role::Covered => style,
        // Not "bright black": some palettes make it the background.
        Role::Dim | Role::Border | Role::JsonPunct | Role::HexNull => style.add_modifier(Modifier::DIM),
        Role::TitleFocused | Role::BorderFocused | Role::Key | Role::JsonKey | Role::HexAscii | Role::Note => {
            style.fg(Color::Cyan)
        }
        Role::DiffAdd => style.fg(Color::Cyan),
        Role::Good => style.fg(Color::Green),
        Role::Warn | Role::Match | Role::JsonWord | Role::HexHigh | Role::Uncovered | Role::DiffDel => {
            style.fg(Color::Yellow)
        }
        Role::Bad | Role::Worst => style.fg(Color::Red),
        Role::Mark | Role::JsonNumber | Role::HexSpace | Role::HexOther => style.fg(Color::Magenta),
    }
}

fn fixed(palette: &Palette, role: Role) -> Style {
    let style = Style::new().add_modifier(weight(role));
    let on = |text: u8| style.fg(Color::Indexed(text)).bg(Color::Indexed(palette.back));
    match role {
        // Reversing keeps the contrast of whatever the row has.
        Role::Selected => style,
        Role::Text | Role::Strong | Role::Title | Role::JsonString | Role::Covered => on(palette.text),
        Role::Dim | Role::Border | Role::JsonPunct | Role::HexNull => on(palette.dim),
        Role::TitleFocused | Role::BorderFocused | Role::Key | Role::JsonKey | Role::HexAscii => on(palette.accent),
        Role::Good => on(palette.good),
        Role::Note | Role::DiffAdd => on(palette.note),
        Role::Warn | Role::JsonWord | Role::HexHigh | Role::Uncovered | Role::DiffDel => on(palette.warn),
        Role::Bad | Role::Worst => on(palette.bad),
        Role::Mark | Role::JsonNumber | Role::HexSpace | Role::HexOther => on(palette.mark),
        Role::Match => style.fg(Color::Indexed(palette.match_text)).bg(Color::Indexed(palette.match_back)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The standard red, green and blue of a palette index from 16 up.
    fn rgb(index: u8) -> [f64; 3] {
        let index = u32::from(index);
        let level = |n: u32| if n == 0 { 0.0 } else { f64::from(n * 40 + 55) };
        match index {
            232..=255 => [f64::from((index - 232) * 10 + 8); 3],
            16..=231 => {
                let cube = index - 16;
                [level(cube / 36), level(cube / 6 % 6), level(cube % 6)]
            }
            _ => panic!("index {index} belongs to the user"),
        }
    }

    /// Relative luminance as WCAG 2 defines it.
    fn luminance(colour: Color) -> f64 {
        let Color::Indexed(index) = colour else { panic!("{colour:?} is not fixed") };
        let [r, g, b] = rgb(index).map(|value| {
            let value = value / 255.0;
            if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
        });
        0.2126 * r + 0.7152 * g + 0.0722 * b
    }

    #[test]
    fn fixed_themes_are_readable() {
        for name in [ThemeName::Dark, ThemeName::Light, ThemeName::ColourBlind] {
            for role in Role::ALL.iter().filter(|role| **role != Role::Selected) {
                let style = Theme::new(name).style(*role);
                let (fg, bg) = (luminance(style.fg.unwrap()), luminance(style.bg.unwrap()));
                let ratio = (fg.max(bg) + 0.05) / (fg.min(bg) + 0.05);
                assert!(ratio >= 4.5, "{} {role:?}: {ratio:.2}", name.as_str());
            }
        }
    }

    #[test]
    fn the_terminal_theme_fixes_no_colour_and_plain_sets_none() {
        for role in Role::ALL {
            let style = Theme::new(ThemeName::Terminal).style(*role);
            assert!(!matches!(style.fg, Some(Color::Rgb(..) | Color::Indexed(_))), "{role:?}");
            assert_eq!(style.bg, None, "{role:?}");
            let style = Theme::new(ThemeName::Plain).style(*role);
            assert_eq!((style.fg, style.bg), (None, None), "{role:?}");
        }
    }

    #[test]
    fn green_is_for_verified_alone() {
        for name in ThemeName::ALL.iter().filter(|name| **name != ThemeName::Plain) {
            let theme = Theme::new(*name);
            let green = theme.style(Role::Good).fg;
            for role in Role::ALL.iter().filter(|role| **role != Role::Good) {
                assert_ne!(theme.style(*role).fg, green, "{} {role:?}", name.as_str());
            }
        }
    }

    #[test]
    fn each_headline_has_its_own_glyph_and_word() {
        for ascii in [false, true] {
            let theme = Theme { name: ThemeName::Plain, ascii };
            let mut seen = vec![(theme.writing().0, theme.writing().1)];
            for headline in Headline::ALL {
                let (glyph, word, _) = theme.verdict(*headline);
                assert!(!seen.iter().any(|(g, w)| *g == glyph || *w == word), "{glyph} {word}");
                assert_eq!(crate::text::width(glyph), 1);
                assert!(!ascii || glyph.is_ascii());
                seen.push((glyph, word));
            }
        }
    }

    #[test]
    fn names_are_read_back() {
        for name in ThemeName::ALL {
            assert_eq!(ThemeName::from_word(name.as_str()), Some(*name));
        }
    }
}
