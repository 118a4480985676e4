//! Times as the operator reads them.

use crate::aer1::grammar::Moment;

/// How times are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Times {
    /// UTC.
    #[default]
    Utc,
    /// The machine's own offset.
    Local,
    /// As an age.
    Age,
}

impl Times {
    /// The next way.
    pub const fn next(self) -> Times {
        match self {
            Times::Utc => Times::Local,
            Times::Local => Times::Age,
            Times::Age => Times::Utc,
        }
    }

    /// Its name.
    pub const fn word(self) -> &'static str {
        match self {
            Times::Utc => "UTC",
            Times::Local => "local",
            Times::Age => "age",
        }
    }

    /// A moment in at most `columns` columns (12 or more): the time of day, with the date when it is not today.
    pub fn show(self, moment: Moment, now: Moment, local: Option<i32>, columns: usize) -> String {
        if self == Times::Age {
            return age(moment, now);
        }
        let offset = if self == Times::Local { i64::from(local.unwrap_or(0)) } else { 0 };
        let at = shift(moment, offset);
        let (y, mo, d, h, mi, s) = at.civil();
        let (ny, nmo, nd, ..) = shift(now, offset).civil();
        let millis = at.nanos / 1_000_000;
        if (y, mo, d) == (ny, nmo, nd) {
            format!("{h:02}:{mi:02}:{s:02}.{millis:03}")
        } else if columns >= 23 {
            format!("{y:04}-{mo:02}-{d:02} {h:02}:{mi:02}:{s:02}.{millis:03}")
        } else if y == ny {
            format!("{mo:02}-{d:02} {h:02}:{mi:02}")
        } else {
            format!("{y:04}-{mo:02}-{d:02}")
        }
    }
}

fn shift(moment: Moment, offset: i64) -> Moment {
    Moment { secs: moment.secs.saturating_add(offset), nanos: moment.nanos }
}

/// How long ago, in one unit.
pub fn age(then: Moment, now: Moment) -> String {
    let nanos = now.nanos_since(then);
    if nanos < 0 { format!("in {}", duration(-nanos)) } else { format!("{} ago", duration(nanos)) }
}

/// A time span in its one or two largest units.
pub fn duration(nanos: i128) -> String {
    let ms = nanos.unsigned_abs() / 1_000_000;
    let secs = ms / 1_000;
    match secs {
        0 => format!("{ms} ms"),
        1..=59 if ms < 10_000 && ms % 1_000 >= 100 => format!("{secs}.{} s", ms % 1_000 / 100),
        1..=59 => format!("{secs} s"),
        60..=3_599 => format!("{} min", secs / 60),
        3_600..=86_399 => format!("{} h", secs / 3_600),
        _ => format!("{} d", secs / 86_400),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::aer1::grammar::moment;

    fn at(text: &str) -> Moment {
        moment(text).unwrap()
    }

    #[test]
    fn the_date_stands_there_when_it_is_not_today() {
        let now = at("2026-08-02T00:10:00Z");
        let show = |text, columns| Times::Utc.show(at(text), now, None, columns);
        assert_eq!(show("2026-08-02T12:04:31.207Z", 12), "12:04:31.207");
        assert_eq!(show("2026-08-01T12:04:31.207Z", 12), "08-01 12:04");
        assert_eq!(show("2026-08-01T12:04:31.207Z", 23), "2026-08-01 12:04:31.207");
        assert_eq!(show("2025-12-31T23:59:59Z", 12), "2025-12-31");
    }

    #[test]
    fn local_time_has_its_own_day() {
        let now = at("2026-08-02T00:10:00Z");
        let show = Times::Local.show(at("2026-08-01T23:30:00Z"), now, Some(2 * 3600), 12);
        assert_eq!(show, "01:30:00.000");
    }

    #[test]
    fn ages() {
        let now = at("2026-08-02T00:00:10Z");
        assert_eq!(age(at("2026-08-02T00:00:07.5Z"), now), "2.5 s ago");
        assert_eq!(age(at("2026-08-01T23:00:00Z"), now), "1 h ago");
        assert_eq!(age(at("2026-08-02T00:01:20Z"), now), "in 1 min");
    }
}
