//! Bookmark counts: the columns `hatebu_…` of `items`, and `hatebu_state`, the rate limit that all workers share.

use std::collections::BTreeMap;

use chrono::{DateTime, TimeDelta, Utc};

use crate::{Db, ItemId, Result, Tx, clock};

/// An item whose bookmarks are to be counted.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct UncountedItem {
    pub id: ItemId,
    pub link: Option<String>,
    pub hatebu_fetched_at: Option<DateTime<Utc>>,
}

/// The rate limit of calls to Hatena.
#[derive(Debug, Clone, Copy)]
pub struct CallLimits {
    /// The minimum time between the starts of two calls.
    pub interval: TimeDelta,
    /// The maximum number of calls in a UTC day.
    pub calls_per_day: i64,
}

/// Whether a call may be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CallPermit {
    /// Yes, and the call is counted.
    Granted,
    /// Not before this time, because of the interval between calls.
    NotBefore(DateTime<Utc>),
    /// Not before this time, because too many calls failed.
    Paused(DateTime<Utc>),
    /// Not today.
    DailyLimitReached,
}

/// True for items that a subscriber wants counts of: by choice, else if they are on for all or the user's language is Japanese.
macro_rules! wanted {
    ($for_all:literal) => {
        concat!(
            "exists (select 1 from subscriptions s left join user_settings u on u.user_id = s.user_id
                where s.feed_id = i.feed_id and coalesce(u.bookmark_counts, ",
            $for_all,
            " or coalesce(u.language, '') = 'ja'))"
        )
    };
}

/// Items that were never counted and have an id below `before`, newest first. `for_all` is the operator's default.
pub async fn list_never_counted(db: &Db, before: ItemId, for_all: bool, limit: i64) -> Result<Vec<UncountedItem>> {
    db.read(concat!(
        "select i.id, i.link, i.hatebu_fetched_at from items i
         where i.hatebu_fetched_at is null and i.id < $1 and ",
        wanted!("$2"),
        " order by i.id desc limit $3",
    ))
    .bind(before)
    .bind(for_all)
    .bind(limit)
    .all()
    .await
}

/// Items that were last counted in `after..=until`, oldest count first. `for_all` is the operator's default.
pub async fn list_stale(
    db: &Db,
    after: (DateTime<Utc>, ItemId),
    until: DateTime<Utc>,
    for_all: bool,
    limit: i64,
) -> Result<Vec<UncountedItem>> {
    db.read(concat!(
        "select i.id, i.link, i.hatebu_fetched_at from items i
         where i.hatebu_fetched_at is not null and i.hatebu_fetched_at <= $3 and (i.hatebu_fetched_at, i.id) > ($1, $2)
            and ",
        wanted!("$4"),
        " order by i.hatebu_fetched_at, i.id limit $5",
    ))
    .bind(after.0)
    .bind(after.1)
    .bind(until)
    .bind(for_all)
    .bind(limit)
    .all()
    .await
}

/// Clears the time of at most `limit` counts dated so far ahead that the clock was wrong, so that they are made again. Returns how many.
pub async fn clear_future_counts(db: &Db, now: DateTime<Utc>, limit: i64) -> Result<u64> {
    db.write(
        "update items set hatebu_fetched_at = null
         where id in (select id from items where hatebu_fetched_at is not null and hatebu_fetched_at > $1 limit $2)",
    )
    .bind(now + clock::MAX_AHEAD)
    .bind(limit)
    .execute()
    .await
}

/// Checks whether one call may be made now, and counts it if so.
pub async fn claim_call(db: &Db, limits: &CallLimits, now: DateTime<Utc>) -> Result<CallPermit> {
    let today = now.date_naive().to_string();
    db.transact(async |tx| {
        tx.query("insert into hatebu_state (id, day) values (1, $1) on conflict (id) do nothing")
            .bind(today.clone())
            .execute()
            .await?;
        let state: CallState = lock_state(tx).await?;
        let calls = if state.day == today { state.calls } else { 0 };
        let next_at = state.called_at.map(|at| at + limits.interval);
        let permit = match (state.paused_until, next_at) {
            (Some(until), _) if until > now && until <= now + clock::MAX_AHEAD => CallPermit::Paused(until),
            _ if calls >= limits.calls_per_day => CallPermit::DailyLimitReached,
            // A later time was written by a clock that has been set back since.
            (_, Some(at)) if at > now && at <= now + limits.interval => CallPermit::NotBefore(at),
            _ => CallPermit::Granted,
        };
        if permit == CallPermit::Granted {
            tx.query("update hatebu_state set day = $1, calls = $2, called_at = $3 where id = 1")
                .bind(today.clone())
                .bind(calls + 1)
                .bind(now)
                .execute()
                .await?;
        }
        Ok(permit)
    })
    .await
}

/// Stores the counts of a successful call and ends the pause after failures.
pub async fn mark_counted(db: &Db, counts: &[(ItemId, i64)], now: DateTime<Utc>) -> Result<()> {
    let mut alike: BTreeMap<i64, Vec<ItemId>> = BTreeMap::new();
    for &(item, count) in counts {
        alike.entry(count).or_default().push(item);
    }
    db.transact(async |tx| {
        for (count, items) in &alike {
            write_count(tx, *count, items, now).await?;
        }
        tx.query("update hatebu_state set failures = 0, paused_until = null where id = 1 and failures > 0")
            .execute()
            .await
            .map(drop)
    })
    .await
}

/// Stores a count of 0 for items that cannot be counted, for example because they have no link.
pub async fn mark_uncountable(db: &Db, items: Vec<ItemId>, now: DateTime<Utc>) -> Result<()> {
    db.transact(async |tx| write_count(tx, 0, &items, now).await).await
}

/// On PostgreSQL, items locked by another transaction are left for the next round. Without waiting, there is no deadlock with
/// a fetch.
async fn write_count(tx: &mut Tx, count: i64, items: &[ItemId], now: DateTime<Utc>) -> Result<()> {
    tx.query_either(
        "update items set hatebu_count = $1, hatebu_fetched_at = $2 where id in (select value from json_each($3))",
        "update items set hatebu_count = $1, hatebu_fetched_at = $2 where id in (
            select id from items where id in (select value from json_each($3)) for no key update skip locked)",
    )
    .bind(count)
    .bind(now)
    .bind_numbers(items.iter().copied())
    .execute()
    .await
    .map(drop)
}

/// Counts a failed call and starts the pause that `pause` returns for the number of failures in a row. Returns that number.
pub async fn mark_call_failed(
    db: &Db,
    pause: impl Fn(i64) -> Option<TimeDelta>,
    now: DateTime<Utc>,
) -> Result<(i64, Option<DateTime<Utc>>)> {
    db.transact(async |tx| {
        let failures = lock_state(tx).await?.failures + 1;
        let paused_until = pause(failures).map(|pause| now + pause);
        tx.query("update hatebu_state set failures = $1, paused_until = $2 where id = 1")
            .bind(failures)
            .bind(paused_until)
            .execute()
            .await?;
        Ok((failures, paused_until))
    })
    .await
}

#[derive(sqlx::FromRow)]
struct CallState {
    day: String,
    calls: i64,
    failures: i64,
    paused_until: Option<DateTime<Utc>>,
    called_at: Option<DateTime<Utc>>,
}

async fn lock_state(tx: &mut Tx) -> Result<CallState> {
    tx.query_locking(
        "select day, calls, failures, paused_until, called_at from hatebu_state where id = 1",
        " for update",
    )
    .one()
    .await
}
