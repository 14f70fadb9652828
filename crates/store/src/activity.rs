//! The table `fetch_hours`: how fetching went, by the hour.

use chrono::{DateTime, DurationRound, TimeDelta, Utc};

use crate::{Db, Result};

/// The figures of an hour, or what is to be added to them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, sqlx::FromRow)]
pub struct HourStats {
    /// The beginning of the hour; any time in it may be recorded.
    pub hour: DateTime<Utc>,
    pub fetches: i64,
    /// How many of them failed.
    pub failures: i64,
    /// How many found nothing new.
    pub unchanged: i64,
    pub new_items: i64,
    /// How long all of them took together.
    pub latency_ms_total: i64,
    /// How long the slowest took.
    pub latency_ms_max: i64,
}

/// Adds to the figures of the hours; several workers may do so at once.
pub async fn record(db: &Db, figures: &[HourStats]) -> Result<()> {
    if figures.is_empty() {
        return Ok(());
    }
    let mut figures = figures.to_vec();
    // Always in the same order: two workers that add to the same two hours must not wait for each other.
    figures.sort_by_key(|figures| figures.hour);
    db.transact(async |tx| {
        for of_hour in &figures {
            tx.query(
                "insert into fetch_hours
                (hour, fetches, failures, unchanged, new_items, latency_ms_total, latency_ms_max)
             values ($1, $2, $3, $4, $5, $6, $7)
             on conflict (hour) do update set
                fetches = fetch_hours.fetches + excluded.fetches,
                failures = fetch_hours.failures + excluded.failures,
                unchanged = fetch_hours.unchanged + excluded.unchanged,
                new_items = fetch_hours.new_items + excluded.new_items,
                latency_ms_total = fetch_hours.latency_ms_total + excluded.latency_ms_total,
                latency_ms_max = case when excluded.latency_ms_max > fetch_hours.latency_ms_max
                    then excluded.latency_ms_max else fetch_hours.latency_ms_max end",
            )
            .bind(hour_of(of_hour.hour))
            .bind(of_hour.fetches)
            .bind(of_hour.failures)
            .bind(of_hour.unchanged)
            .bind(of_hour.new_items)
            .bind(of_hour.latency_ms_total)
            .bind(of_hour.latency_ms_max)
            .execute()
            .await?;
        }
        Ok(())
    })
    .await
}

/// The figures of the hours since then, the oldest first; hours without a fetch are left out.
pub async fn list(db: &Db, since: DateTime<Utc>) -> Result<Vec<HourStats>> {
    db.read(
        "select hour, fetches, failures, unchanged, new_items, latency_ms_total, latency_ms_max
         from fetch_hours where hour >= $1 order by hour",
    )
    .bind(since)
    .all()
    .await
}

/// The beginning of the hour of this time.
pub fn hour_of(time: DateTime<Utc>) -> DateTime<Utc> {
    time.duration_trunc(TimeDelta::hours(1)).unwrap_or(time)
}
