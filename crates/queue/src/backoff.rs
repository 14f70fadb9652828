//! How long to wait before another attempt.

use std::time::Duration;

/// Delays that double with each attempt, with jitter so that jobs that failed together do not run together again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Backoff {
    /// The delay after the first failed attempt. Zero means no delay at all.
    pub first: Duration,
    pub max: Duration,
}

impl Backoff {
    /// No delay.
    pub const IMMEDIATE: Backoff = Backoff { first: Duration::ZERO, max: Duration::ZERO };

    /// The delay is capped here, because larger numbers of seconds lose precision as floats.
    const CENTURY: Duration = Duration::from_secs(100 * 365 * 24 * 60 * 60);

    /// The delay after the failed `attempt` (1 for the first). `random` in 0..1 picks a point in its upper half.
    pub(crate) fn delay(&self, attempt: u32, random: f64) -> Duration {
        let doublings = attempt.saturating_sub(1).min(30);
        let full = self.first.saturating_mul(1 << doublings).min(self.max.max(self.first));
        let half = full.min(Self::CENTURY) / 2;
        half + half.mul_f64(random.clamp(0.0, 1.0))
    }
}

impl Default for Backoff {
    fn default() -> Self {
        Backoff { first: Duration::from_secs(10), max: Duration::from_secs(60 * 60) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn delays_double_up_to_the_maximum() {
        let backoff = Backoff { first: Duration::from_secs(10), max: Duration::from_secs(60) };
        for (attempt, full) in [(1, 10), (2, 20), (3, 40), (4, 60), (5, 60), (1_000_000, 60)] {
            assert_eq!(backoff.delay(attempt, 1.0), Duration::from_secs(full));
            assert_eq!(backoff.delay(attempt, 0.0), Duration::from_secs(full) / 2);
        }
        assert_eq!(Backoff::IMMEDIATE.delay(7, 0.7), Duration::ZERO);
        let endless = Backoff { first: Duration::MAX, max: Duration::MAX };
        assert_eq!(endless.delay(u32::MAX, 1.0), Backoff::CENTURY);
    }
}
