//! The written forms of single values: id, time, provenance class, hash, base64 (rules §3.4–§3.12).
//!
//! Every pattern matches the whole text: a trailing newline is a fault.

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::words::Class;

/// A moment in UTC, with a whole second and nanoseconds (further fraction digits are cut).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
pub struct Moment {
    /// Seconds since 1970-01-01T00:00:00Z.
    pub secs: i64,
    /// Nanoseconds, 0..1,000,000,000.
    pub nanos: u32,
}

impl Moment {
    /// The moment of a system time.
    pub fn of(time: std::time::SystemTime) -> Moment {
        match time.duration_since(std::time::UNIX_EPOCH) {
            Ok(after) => {
                Moment { secs: i64::try_from(after.as_secs()).unwrap_or(i64::MAX), nanos: after.subsec_nanos() }
            }
            Err(before) => {
                let before = before.duration();
                let secs = i64::try_from(before.as_secs()).unwrap_or(i64::MAX);
                match before.subsec_nanos() {
                    0 => Moment { secs: secs.saturating_neg(), nanos: 0 },
                    n => Moment {
                        secs: secs.saturating_neg().saturating_sub(1),
                        nanos: 1_000_000_000u32.saturating_sub(n),
                    },
                }
            }
        }
    }

    /// Nanoseconds from `earlier` to `self`; negative when `earlier` is later.
    pub fn nanos_since(self, earlier: Moment) -> i128 {
        (i128::from(self.secs) - i128::from(earlier.secs)) * 1_000_000_000 + i128::from(self.nanos)
            - i128::from(earlier.nanos)
    }

    /// Year, month, day, hour, minute, second in UTC.
    pub fn civil(self) -> (i64, u32, u32, u32, u32, u32) {
        let days = self.secs.div_euclid(86_400);
        let rest = self.secs.rem_euclid(86_400);
        // Days to a civil date, with eras of 400 years that begin on 1 March.
        let z = days.saturating_add(719_468);
        let era = z.div_euclid(146_097);
        let doe = z.rem_euclid(146_097);
        let yoe = (doe - doe / 1_460 + doe / 36_524 - doe / 146_096) / 365;
        let doy = doe - (365 * yoe + yoe / 4 - yoe / 100);
        let mp = (5 * doy + 2) / 153;
        let day = doy - (153 * mp + 2) / 5 + 1;
        let month = if mp < 10 { mp + 3 } else { mp - 9 };
        let year = yoe + era * 400 + i64::from(month <= 2);
        let small = |n: i64| u32::try_from(n).unwrap_or(0);
        (year, small(month), small(day), small(rest / 3600), small(rest / 60 % 60), small(rest % 60))
    }
}

impl fmt::Display for Moment {
    /// `YYYY-MM-DDTHH:MM:SS.mmmZ`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (y, mo, d, h, mi, s) = self.civil();
        write!(f, "{y:04}-{mo:02}-{d:02}T{h:02}:{mi:02}:{s:02}.{:03}Z", self.nanos / 1_000_000)
    }
}

fn two(bytes: &[u8], at: usize) -> Option<u32> {
    match bytes.get(at..at.checked_add(2)?)? {
        [a, b] if a.is_ascii_digit() && b.is_ascii_digit() => Some(u32::from(a - b'0') * 10 + u32::from(b - b'0')),
        _ => None,
    }
}

/// Days from 1970-01-01 to a civil date.
fn days_from_civil(year: i64, month: u32, day: u32) -> i64 {
    let y = if month <= 2 { year - 1 } else { year };
    let era = y.div_euclid(400);
    let yoe = y.rem_euclid(400);
    let m = i64::from(month);
    let mp = if m > 2 { m - 3 } else { m + 9 };
    let doy = (153 * mp + 2) / 5 + i64::from(day) - 1;
    let doe = yoe * 365 + yoe / 4 - yoe / 100 + doy;
    era * 146_097 + doe - 719_468
}

/// Reads `YYYY-MM-DDTHH:MM:SS[.digits](Z|±HH:MM)` (rules §3.8).
///
/// # Errors
/// [`Class::TimeSyntax`] when the text has not that form, [`Class::TimeCalendar`] when it names no moment.
pub fn moment(text: &str) -> Result<Moment, Class> {
    parse_moment(text.as_bytes()).ok_or(Class::TimeSyntax)?.ok_or(Class::TimeCalendar)
}

/// Outer `None`: not the pattern. Inner `None`: the pattern with an impossible value.
fn parse_moment(b: &[u8]) -> Option<Option<Moment>> {
    let century = two(b, 0)?;
    let year = i64::from(century * 100 + two(b, 2)?);
    let (month, day) = (two(b, 5)?, two(b, 8)?);
    let (hour, minute, second) = (two(b, 11)?, two(b, 14)?, two(b, 17)?);
    let separators = [(4, b'-'), (7, b'-'), (10, b'T'), (13, b':'), (16, b':')];
    if separators.iter().any(|(at, c)| b.get(*at) != Some(c)) {
        return None;
    }
    let mut rest = b.get(19..)?;
    let mut nanos = 0u32;
    if let Some(fraction) = rest.strip_prefix(b".") {
        let digits = fraction.iter().take_while(|c| c.is_ascii_digit()).count();
        if digits == 0 {
            return None;
        }
        let mut scale = 100_000_000u32;
        for digit in fraction.iter().take(digits.min(9)) {
            nanos += u32::from(digit - b'0') * scale;
            scale /= 10;
        }
        rest = fraction.get(digits..)?;
    }
    let offset_minutes = match rest {
        [b'Z'] => Some(0i64),
        [sign @ (b'+' | b'-'), _, _, b':', _, _] => {
            let (h, m) = (two(rest, 1)?, two(rest, 4)?);
            let minutes = i64::from(h * 60 + m);
            (h <= 23 && m <= 59).then_some(if *sign == b'-' { -minutes } else { minutes })
        }
        _ => return None,
    };
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let last = match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 if leap => 29,
        2 => 28,
        _ => 0,
    };
    let real = year >= 1 && day >= 1 && day <= last && hour <= 23 && minute <= 59 && second <= 59;
    Some(match offset_minutes {
        Some(offset) if real => {
            let day_secs = i64::from(hour * 3600 + minute * 60 + second);
            let secs = days_from_civil(year, month, day) * 86_400 + day_secs - offset * 60;
            Some(Moment { secs, nanos })
        }
        _ => None,
    })
}

/// Checks a receipt id: a lowercase hyphenated UUID that is not nil (rules §3.7).
///
/// # Errors
/// [`Class::IdSyntax`] or [`Class::IdNil`].
pub fn id(text: &str) -> Result<(), Class> {
    if !is_uuid(text) {
        return Err(Class::IdSyntax);
    }
    if text.bytes().all(|b| b == b'0' || b == b'-') { Err(Class::IdNil) } else { Ok(()) }
}

/// Whether `text` is a lowercase hyphenated UUID of any version.
pub fn is_uuid(text: &str) -> bool {
    let b = text.as_bytes();
    b.len() == 36
        && b.iter().enumerate().all(|(i, c)| match i {
            8 | 13 | 18 | 23 => *c == b'-',
            _ => matches!(c, b'0'..=b'9' | b'a'..=b'f'),
        })
}

/// Whether a UUID is of version 4 with the usual variant.
pub fn is_version_4(text: &str) -> bool {
    let b = text.as_bytes();
    is_uuid(text) && b.get(14) == Some(&b'4') && matches!(b.get(19), Some(b'8' | b'9' | b'a' | b'b'))
}

/// Whether `text` is one of the three provenance statements (rules §3.10).
pub fn is_provenance(text: &str) -> bool {
    if text == "OBSERVED VIA GATEWAY" || text == "LOGGED BY AGENT" {
        return true;
    }
    match text.strip_prefix("EXECUTED BY ").map(str::as_bytes) {
        Some([first, rest @ ..]) => {
            matches!(first, b'A'..=b'Z' | b'0'..=b'9')
                && rest.iter().all(|c| matches!(c, b'A'..=b'Z' | b'0'..=b'9' | b' ' | b'.' | b'_' | b'-'))
        }
        _ => false,
    }
}

/// Whether `text` is 64 lowercase hex digits.
pub fn is_digest(text: &str) -> bool {
    text.len() == 64 && text.bytes().all(|c| matches!(c, b'0'..=b'9' | b'a'..=b'f'))
}

/// The bare digest of `sha256:` + 64 lowercase hex digits.
pub fn prefixed_digest(text: &str) -> Option<&str> {
    text.strip_prefix("sha256:").filter(|d| is_digest(d))
}

/// The bytes that 64 lowercase hex digits stand for.
pub fn digest_bytes(text: &str) -> Option<[u8; 32]> {
    hex_bytes(text.bytes())
}

/// The bytes that lowercase hex digits stand for; `None` when there are fewer or more of them, or anything else.
pub fn hex_bytes<const N: usize>(mut digits: impl Iterator<Item = u8>) -> Option<[u8; N]> {
    let mut value = || match digits.next()? {
        c @ b'0'..=b'9' => Some(c - b'0'),
        c @ b'a'..=b'f' => Some(c - b'a' + 10),
        _ => None,
    };
    let mut bytes = [0; N];
    for byte in &mut bytes {
        *byte = value()? << 4 | value()?;
    }
    digits.next().is_none().then_some(bytes)
}

/// What is wrong with a base64 text, and where in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Base64Fault {
    /// [`Class::Base64Alphabet`], [`Class::Base64Padding`] or [`Class::Base64Noncanonical`].
    pub class: Class,
    /// Byte offset into the text.
    pub offset: usize,
}

/// Decodes strict standard base64 into `out` (cleared first). On `base64_noncanonical` the bytes are there all the
/// same: pad bits change no byte.
///
/// # Errors
/// The first fault in the order of rules §3.4: alphabet, padding, pad bits.
pub fn decode_base64(text: &[u8], out: &mut Vec<u8>) -> Result<(), Base64Fault> {
    out.clear();
    let room = base64::decoded_len_estimate(text.len());
    out.resize(room, 0);
    match STANDARD.decode_slice(text, out) {
        Ok(length) => {
            out.truncate(length);
            Ok(())
        }
        Err(_) => {
            out.clear();
            let fault = base64_fault(text);
            if fault.class == Class::Base64Noncanonical {
                decode_ignoring_pad_bits(text, out);
            }
            Err(fault)
        }
    }
}

fn sextet(c: u8) -> Option<u8> {
    match c {
        b'A'..=b'Z' => Some(c - b'A'),
        b'a'..=b'z' => Some(c - b'a' + 26),
        b'0'..=b'9' => Some(c - b'0' + 52),
        b'+' => Some(62),
        b'/' => Some(63),
        _ => None,
    }
}

/// Names the fault of a text that did not decode.
fn base64_fault(text: &[u8]) -> Base64Fault {
    if let Some(offset) = text.iter().position(|c| *c != b'=' && sextet(*c).is_none()) {
        return Base64Fault { class: Class::Base64Alphabet, offset };
    }
    let data = text.iter().position(|c| *c == b'=').unwrap_or(text.len());
    let pads = text.len() - data;
    let tail_is_pads = text.iter().skip(data).all(|c| *c == b'=');
    // Whole groups of four without a `=` decode: where there are pads after them, they are surplus.
    let due = match data % 4 {
        2 => Some(2),
        3 => Some(1),
        _ => None,
    };
    if !tail_is_pads || due != Some(pads) {
        return Base64Fault { class: Class::Base64Padding, offset: data };
    }
    Base64Fault { class: Class::Base64Noncanonical, offset: data.saturating_sub(1) }
}

fn decode_ignoring_pad_bits(text: &[u8], out: &mut Vec<u8>) {
    let mut buffer = 0u32;
    let mut bits = 0u32;
    for value in text.iter().map_while(|c| sextet(*c)) {
        buffer = (buffer << 6) + u32::from(value);
        bits += 6;
        if bits >= 8 {
            bits -= 8;
            out.push(u8::try_from((buffer >> bits) & 0xff).unwrap_or(0));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_digest_is_64_lowercase_hex_digits_and_nothing_else() {
        let text = "00ff10a9".repeat(8);
        let bytes = digest_bytes(&text).unwrap();
        assert_eq!(bytes, [[0x00, 0xff, 0x10, 0xa9]; 8].concat()[..]);
        let written: String = bytes.iter().map(|b| format!("{b:02x}")).collect();
        assert_eq!(written, text);
        for wrong in ["", "00", &text[1..], &text[2..], &format!("{text}0"), &format!("{text}00"), &text.to_uppercase()]
        {
            assert_eq!(digest_bytes(wrong), None, "{wrong}");
        }
        for wrong in ["g", "/", ":", "`", " ", "\0"] {
            assert_eq!(digest_bytes(&format!("{wrong}{}", &text[1..])), None, "{wrong:?} in front");
            assert_eq!(digest_bytes(&format!("{}{wrong}", &text[1..])), None, "{wrong:?} behind");
        }
    }

    #[test]
    fn every_day_of_eight_centuries_has_its_date() {
        for day in -150_000i64..150_000 {
            let secs = day * 86_400 + 45_296;
            let known = time::OffsetDateTime::from_unix_timestamp(secs).unwrap();
            let civil = Moment { secs, nanos: 0 }.civil();
            assert_eq!(
                civil,
                (i64::from(known.year()), u32::from(u8::from(known.month())), u32::from(known.day()), 12, 34, 56)
            );
        }
        let written = Moment { secs: 951_782_400, nanos: 0 }.to_string();
        assert_eq!(written, "2000-02-29T00:00:00.000Z");
        assert_eq!(moment(&written).unwrap().secs, 951_782_400);
    }

    #[test]
    fn moments_before_and_after_1970() {
        use std::time::{Duration, UNIX_EPOCH};
        let of = |moment: Moment| (moment.secs, moment.nanos);
        assert_eq!(of(Moment::of(UNIX_EPOCH + Duration::new(5, 7))), (5, 7));
        assert_eq!(of(Moment::of(UNIX_EPOCH - Duration::new(5, 0))), (-5, 0));
        assert_eq!(of(Moment::of(UNIX_EPOCH - Duration::new(5, 7))), (-6, 999_999_993));
        let at = |secs, nanos| Moment { secs, nanos };
        assert_eq!(at(7, 300).nanos_since(at(4, 100)), 3_000_000_200);
        assert_eq!(at(4, 100).nanos_since(at(7, 300)), -3_000_000_200);
        assert_eq!(at(0, 1).nanos_since(at(-1, 999_999_999)), 2);
    }

    #[test]
    fn moments() {
        assert_eq!(moment("1970-01-01T00:00:00Z"), Ok(Moment { secs: 0, nanos: 0 }));
        assert_eq!(moment("2000-02-29T23:59:59.25+01:00"), Ok(Moment { secs: 951_865_199, nanos: 250_000_000 }));
        assert_eq!(
            moment("2026-05-17T08:30:00.123456789123Z").map(|m| m.to_string()).as_deref(),
            Ok("2026-05-17T08:30:00.123Z")
        );
        let (east, west) = (moment("2000-03-01T12:00:00+01:30"), moment("2000-03-01T12:00:00-01:30"));
        assert_eq!(east, Ok(Moment { secs: 951_906_600, nanos: 0 }));
        assert_eq!(west, Ok(Moment { secs: 951_917_400, nanos: 0 }));
        for (month, last) in (1..).zip([31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]) {
            assert!(moment(&format!("2026-{month:02}-{last}T00:00:00Z")).is_ok(), "the last day of month {month}");
            let later = moment(&format!("2026-{month:02}-{}T00:00:00Z", last + 1));
            assert_eq!(later, Err(Class::TimeCalendar), "month {month}");
        }
        for text in ["0001-01-01T00:00:00+23:59", "9999-12-31T23:59:59-23:59"] {
            assert!(moment(text).is_ok(), "{text}");
        }
        for text in [
            "2026-02-29T00:00:00Z",
            "1900-02-29T00:00:00Z",
            "2026-13-01T00:00:00Z",
            "2026-00-01T00:00:00Z",
            "2026-01-00T00:00:00Z",
            "2026-01-01T24:00:00Z",
            "2026-01-01T00:60:00Z",
            "2026-01-01T00:00:60Z",
            "0000-01-01T00:00:00Z",
            "2026-01-01T00:00:00+24:00",
            "2026-01-01T00:00:00+00:60",
        ] {
            assert_eq!(moment(text), Err(Class::TimeCalendar), "{text}");
        }
        for text in [
            "",
            "2026-01-01T00:00:00",
            "2026-01-01t00:00:00Z",
            "2026-01-01T00:00:00z",
            "2026-01-01 00:00:00Z",
            "2026-01-01T00:00:00.Z",
            "2026-01-01T00:00:00Z\n",
            "2026-01-01T00:00:00+0100",
            "12026-01-01T00:00:00Z",
            "2026-01-01T00:00Z",
            "２026-01-01T00:00:00Z",
            "2026-01-01T00:00:00+1:00",
        ] {
            assert_eq!(moment(text), Err(Class::TimeSyntax), "{text}");
        }
    }

    #[test]
    fn civil_and_back() {
        for secs in [-62_135_596_800i64, -1, 0, 951_782_399, 1_790_000_000, 253_402_300_799] {
            let m = Moment { secs, nanos: 0 };
            assert_eq!(moment(&m.to_string()), Ok(m), "{m}");
        }
    }

    #[test]
    fn ids() {
        assert_eq!(id("c0ffee12-7a10-4c7b-9d2e-0b7a5f3c9a11"), Ok(()));
        assert_eq!(id("00000000-0000-0000-0000-000000000000"), Err(Class::IdNil));
        for text in [
            "",
            "C0FFEE12-7A10-4C7B-9D2E-0B7A5F3C9A11",
            "c0ffee12-7a10-4c7b-9d2e-0b7a5f3c9a11\n",
            "{c0ffee12-7a10-4c7b-9d2e-0b7a5f3c9a11}",
            "c0ffee127a104c7b9d2e0b7a5f3c9a11",
        ] {
            assert_eq!(id(text), Err(Class::IdSyntax), "{text}");
        }
        assert!(is_version_4("c0ffee12-7a10-4c7b-9d2e-0b7a5f3c9a11"));
        assert!(!is_version_4("c0ffee12-7a10-1c7b-9d2e-0b7a5f3c9a11"));
        assert!(!is_version_4("c0ffee12-7a10-4c7b-7d2e-0b7a5f3c9a11"));
    }

    #[test]
    fn provenance() {
        for text in ["OBSERVED VIA GATEWAY", "LOGGED BY AGENT", "EXECUTED BY X", "EXECUTED BY 9 A.B_C-D "] {
            assert!(is_provenance(text), "{text}");
        }
        for text in [
            "",
            "EXECUTED BY ",
            "EXECUTED BY  X",
            "EXECUTED BY x",
            "EXECUTED BY Z\n",
            "executed by Z",
            "LOGGED BY AGENT ",
        ] {
            assert!(!is_provenance(text), "{text}");
        }
    }

    #[test]
    fn base64() {
        let mut out = Vec::new();
        for (text, bytes) in [("", ""), ("YQ==", "a"), ("YWI=", "ab"), ("YWJj", "abc"), ("+/+/", "\u{fb}")] {
            let result = decode_base64(text.as_bytes(), &mut out);
            assert_eq!(result, Ok(()), "{text}");
            if bytes.is_ascii() {
                assert_eq!(out, bytes.as_bytes());
            }
        }
        for (text, class, offset) in [
            ("YQ", Class::Base64Padding, 2),
            ("YQ=", Class::Base64Padding, 2),
            ("YQ===", Class::Base64Padding, 2),
            ("Y", Class::Base64Padding, 1),
            ("+/A", Class::Base64Padding, 3),
            ("+/B=", Class::Base64Noncanonical, 2),
            ("=", Class::Base64Padding, 0),
            ("YQ==YQ==", Class::Base64Padding, 2),
            ("YWJj=", Class::Base64Padding, 4),
            ("YWJj====", Class::Base64Padding, 4),
            ("YQ==\n", Class::Base64Alphabet, 4),
            ("Y Q=", Class::Base64Alphabet, 1),
            ("_w==", Class::Base64Alphabet, 0),
            ("Y\u{e9}==", Class::Base64Alphabet, 1),
            ("YR==", Class::Base64Noncanonical, 1),
            ("YWJ=", Class::Base64Noncanonical, 2),
        ] {
            assert_eq!(decode_base64(text.as_bytes(), &mut out), Err(Base64Fault { class, offset }), "{text}");
        }
        assert_eq!(out, b"ab", "pad bits change no byte");
        assert!(decode_base64(b"+/+/+/B=", &mut out).is_err());
        assert_eq!(out, [0xfb, 0xff, 0xbf, 0xfb, 0xf0], "pad bits change no byte");
    }
}
