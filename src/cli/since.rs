//! `--since DURATION|TIME`: which files of a folder are recent enough.

use std::time::{SystemTime, UNIX_EPOCH};

use aerscope::aer1::grammar::{self, Moment};

/// Reads a time, or how long ago it was; nanoseconds since 1970.
///
/// # Errors
/// A sentence, when it is neither.
pub fn since(text: &str) -> Result<i64, String> {
    let now =
        SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| i64::try_from(d.as_nanos()).unwrap_or(i64::MAX));
    parse(text, now).ok_or_else(|| {
        "it is a number with s, m, h, d or w, such as 36h, or a time such as 2026-01-31 or 2026-01-31T12:00:00Z"
            .to_owned()
    })
}

fn parse(text: &str, now: i64) -> Option<i64> {
    const SECOND: i64 = 1_000_000_000;
    let units = [('s', 1), ('m', 60), ('h', 3600), ('d', 86_400), ('w', 604_800)];
    for (unit, seconds) in units {
        if let Some(digits) = text.strip_suffix(unit) {
            let number = Some(digits).filter(|d| !d.is_empty() && d.bytes().all(|b| b.is_ascii_digit()))?;
            return Some(now.saturating_sub(number.parse::<i64>().ok()?.checked_mul(seconds * SECOND)?));
        }
    }
    let whole = if text.len() == 10 { format!("{text}T00:00:00Z") } else { text.to_owned() };
    let Moment { secs, nanos } = grammar::moment(&whole).ok()?;
    secs.checked_mul(SECOND)?.checked_add(i64::from(nanos))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_and_times_are_read() {
        let second = 1_000_000_000;
        let now = 1_000_000 * second;
        for (text, at) in [
            ("10s", 999_990 * second),
            ("2m", 999_880 * second),
            ("1h", 996_400 * second),
            ("1d", 913_600 * second),
            ("1w", 395_200 * second),
            ("1970-01-02", 86_400 * second),
            ("1970-01-01T00:00:01.5Z", 1_500_000_000),
            ("1970-01-01T01:00:00+01:00", 0),
        ] {
            assert_eq!(parse(text, now), Some(at), "{text}");
        }
        for text in
            ["", "d", "1", "-1h", "1.5h", "1y", "2026-02-30", "yesterday", "99999999999999999999s", "9999999999w"]
        {
            assert_eq!(parse(text, now), None, "{text}");
        }
    }
}
