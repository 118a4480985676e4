//! The values of options that several commands share: sizes, rows, times.

use std::time::SystemTime;

use aerscope::aer1::grammar::Moment;
use aerscope::config::MIN_ROWS;
use aerscope::store::query::back_to;
use aerscope::text;

/// Reads a size: bytes, or a number followed by K, M or G (powers of 1024).
pub fn size(text: &str) -> Result<u64, String> {
    let wrong = || "a size is a number of bytes, or a number with K, M or G".to_owned();
    let (digits, shift) = match text.char_indices().last() {
        Some((at, 'k' | 'K')) => (text.get(..at), 10),
        Some((at, 'm' | 'M')) => (text.get(..at), 20),
        Some((at, 'g' | 'G')) => (text.get(..at), 30),
        _ => (Some(text), 0),
    };
    let digits = digits.filter(|d| d.bytes().all(|b| b.is_ascii_digit())).ok_or_else(wrong)?;
    let number: u64 = digits.parse().map_err(|_| wrong())?;
    number.checked_mul(1 << shift).filter(|n| *n > 0).ok_or_else(wrong)
}

/// Reads a number of rows.
pub fn rows(text: &str) -> Result<usize, String> {
    text.parse().ok().filter(|n| *n >= MIN_ROWS).ok_or_else(|| format!("it is a number from {MIN_ROWS}"))
}

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

    #[test]
    fn sizes_are_bytes_or_powers_of_1024() {
        assert_eq!(size("1"), Ok(1));
        assert_eq!(size("64M"), Ok(64 << 20));
        assert_eq!(size("2k"), Ok(2048));
        for wrong in ["", "0", "K", "-1", "1.5M", "1T", "1 K", "99999999999G", "１"] {
            assert!(size(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn rows_are_not_too_few_to_be_of_use() {
        assert_eq!(rows("1000"), Ok(1_000));
        for wrong in ["999", "0", "-1", "", "many", "99999999999999999999999"] {
            assert!(rows(wrong).is_err_and(|why| why.contains("1000")), "{wrong}");
        }
    }
}
