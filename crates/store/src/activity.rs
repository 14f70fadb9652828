//! The table `fetch_hours`: fetch statistics per hour.

use chrono::{DateTime, DurationRound, TimeDelta, Utc};

use crate::{Db, Result};

/// The statistics of an hour, or the amounts to add to them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, sqlx::FromRow)]
pub struct HourStats {
    /// The beginning of the hour. [`upsert`] accepts any time in it.
    pub hour: DateTime<Utc>,
    pub fetches: i64,
    pub failures: i64,
    pub unchanged: i64,
    pub new_items: i64,
    /// The sum over all fetches.
    pub latency_ms_total: i64,
    pub latency_ms_max: i64,
}

/// Adds to the statistics of each hour. Several workers may call this at once.
pub async fn upsert(db: &Db, figures: &[HourStats]) -> Result<()> {
    if figures.is_empty() {
        return Ok(());
    }
    let mut figures = figures.to_vec();
    // A fixed lock order: two workers that add to the same two hours must not deadlock.
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

/// The statistics of the hours from `since` on, oldest first. Hours without a fetch are left out.
pub async fn list(db: &Db, since: DateTime<Utc>) -> Result<Vec<HourStats>> {
    db.read(
        "select hour, fetches, failures, unchanged, new_items, latency_ms_total, latency_ms_max
         from fetch_hours where hour >= $1 order by hour",
    )
    .bind(since)
    .all()
    .await
}

/// `time` rounded down to the hour.
pub fn hour_of(time: DateTime<Utc>) -> DateTime<Utc> {
    time.duration_trunc(TimeDelta::hours(1)).unwrap_or(time)
}
