//! Numbers and durations.

use std::{fmt::Display, str::FromStr, time::Duration};

use super::SettingKind;

/// A whole number within bounds.
pub struct Number<T> {
    pub min: T,
    pub max: T,
}

impl<T: FromStr + PartialOrd + Display + Copy> SettingKind for Number<T> {
    type Value = T;

    fn how(&self) -> String {
        format!("a number from {} to {}", self.min, self.max)
    }

    fn parse(&self, text: &str) -> Result<T, String> {
        let number = text.parse().ok().filter(|number| (self.min..=self.max).contains(number));
        number.ok_or_else(|| format!("write {}", self.how()))
    }
}

/// A duration within bounds, in milliseconds.
pub struct Durations {
    pub min_ms: u64,
    pub max_ms: u64,
}

const UNITS: [(&str, u64); 4] = [("ms", 1), ("s", 1_000), ("m", 60_000), ("h", 3_600_000)];

impl SettingKind for Durations {
    type Value = Duration;

    fn how(&self) -> String {
        let [min, max] = [self.min_ms, self.max_ms].map(duration_text);
        format!("a duration from {min} to {max}, such as `500ms`, `10s`, `5m` or `24h`; a bare number is seconds")
    }

    fn parse(&self, text: &str) -> Result<Duration, String> {
        let ms = milliseconds(text).filter(|ms| (self.min_ms..=self.max_ms).contains(ms));
        ms.map(Duration::from_millis).ok_or_else(|| format!("write {}", self.how().replace('`', "")))
    }
}

fn milliseconds(text: &str) -> Option<u64> {
    let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let (number, unit) = text.split_at(digits);
    let unit = if unit.is_empty() { 1_000 } else { UNITS.iter().find(|(name, _)| *name == unit)?.1 };
    number.parse::<u64>().ok()?.checked_mul(unit)
}

/// A duration in its largest whole unit.
fn duration_text(ms: u64) -> String {
    let (name, unit) = UNITS.iter().rev().find(|(_, unit)| ms > 0 && ms.is_multiple_of(*unit)).unwrap_or(&UNITS[1]);
    format!("{}{name}", ms / unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_read_in_every_unit() {
        let any = Durations { min_ms: 0, max_ms: 100 * 3_600_000 };
        let cases = [("500ms", 500), ("10s", 10_000), ("5m", 300_000), ("24h", 86_400_000), ("7", 7_000), ("0", 0)];
        for (text, ms) in cases {
            assert_eq!(any.parse(text).unwrap(), Duration::from_millis(ms), "{text}");
        }
        for text in
            ["", "s", "-1s", "1.5s", "10 s", "1d", "10S", "101h", "99999999999999999999", "18446744073709551615h"]
        {
            assert!(any.parse(text).is_err(), "{text}");
        }
        assert!(Durations { min_ms: 1_000, max_ms: 2_000 }.parse("0").is_err());
    }

    #[test]
    fn durations_are_written_in_the_largest_unit() {
        for (ms, text) in [(0, "0s"), (500, "500ms"), (90_000, "90s"), (120_000, "2m"), (86_400_000, "24h")] {
            assert_eq!(duration_text(ms), text);
        }
    }

    #[test]
    fn numbers_keep_to_their_bounds() {
        let port = Number { min: 0_u16, max: u16::MAX };
        assert_eq!(port.parse("8080"), Ok(8080));
        for text in ["65536", "-1", "http", "80 ", ""] {
            assert_eq!(port.parse(text), Err("write a number from 0 to 65535".into()));
        }
    }
}
