//! Durations such as "30m", "6h" and "1d".

use std::time::Duration;

const UNITS: [(&str, u64); 4] = [("s", 1), ("m", 60), ("h", 60 * 60), ("d", 24 * 60 * 60)];

/// The durations that a key accepts.
pub struct DurationRange {
    pub min: Duration,
    pub max: Duration,
    /// A valid duration, as it is written.
    pub example: &'static str,
}

impl DurationRange {
    /// Reads a duration. The error says what to write.
    pub fn parse(&self, text: &str) -> Result<Duration, String> {
        seconds(text)
            .map(Duration::from_secs)
            .filter(|duration| (self.min..=self.max).contains(duration))
            .ok_or_else(|| format!("write {}", self.how()))
    }

    /// A description of valid durations.
    pub fn how(&self) -> String {
        let [min, max] = [self.min, self.max].map(duration_text);
        format!("a duration from {min} to {max}, such as \"{}\"", self.example)
    }
}

fn seconds(text: &str) -> Option<u64> {
    let (name, unit) = UNITS.iter().find(|(name, _)| text.ends_with(name))?;
    let number = text.strip_suffix(name)?;
    // The parser of numbers would also accept a plus sign.
    number.bytes().all(|byte| byte.is_ascii_digit()).then_some(())?;
    number.parse::<u64>().ok()?.checked_mul(*unit)
}

/// A duration in its largest whole unit.
fn duration_text(duration: Duration) -> String {
    let seconds = duration.as_secs();
    let largest = UNITS.iter().rev().find(|(_, unit)| seconds.is_multiple_of(*unit));
    largest.map_or_else(|| format!("{seconds}s"), |(name, unit)| format!("{}{name}", seconds / unit))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_read_in_every_unit() {
        let range = DurationRange { min: Duration::from_secs(90), max: Duration::from_secs(86_400), example: "6h" };
        for (text, seconds) in [("90s", 90), ("5m", 300), ("007m", 420), ("24h", 86_400), ("1d", 86_400)] {
            assert_eq!(range.parse(text), Ok(Duration::from_secs(seconds)), "{text}");
        }
        let long = "9".repeat(30) + "d";
        for text in
            ["", "m", "89s", "2d", "90", "-5m", "+5m", "1.5h", "6 h", "6H", "６h", "18446744073709551615d", &long]
        {
            assert_eq!(range.parse(text), Err("write a duration from 90s to 1d, such as \"6h\"".to_owned()), "{text}");
        }
    }
}
