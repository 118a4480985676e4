//! `--since DURATION|TIME`: which files of a folder are recent enough.

use std::time::SystemTime;

use aerscope::aer1::grammar::Moment;
use aerscope::store::query::back_to;
use aerscope::text;

/// Reads a time, or how long ago it was; nanoseconds since 1970.
///
/// # Errors
/// A sentence, when it is neither.
pub fn since(written: &str) -> Result<i64, String> {
    parse(written, Moment::of(SystemTime::now()))
}

fn parse(written: &str, now: Moment) -> Result<i64, String> {
    let Moment { secs, nanos } = back_to(written, now).map_err(|what| text::shown(&what).into_owned())?;
    let nanoseconds = secs.checked_mul(1_000_000_000).and_then(|all| all.checked_add(i64::from(nanos)));
    nanoseconds.ok_or_else(|| "it is further away than any file's time".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_and_times_are_read() {
        let second = 1_000_000_000;
        let now = Moment { secs: 1_000_000, nanos: 0 };
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
            assert_eq!(parse(text, now), Ok(at), "{text}");
        }
        for text in
            ["", "d", "1", "-1h", "1.5h", "1y", "2026-02-30", "yesterday", "99999999999999999999s", "9999999999w"]
        {
            assert!(parse(text, now).is_err(), "{text}");
        }
    }
}
