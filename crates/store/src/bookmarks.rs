//! Bookmark counts: the columns `hatebu_…` of `items`, and `hatebu_state`, the manners that all workers share.

use std::collections::BTreeMap;

use chrono::{DateTime, TimeDelta, Utc};

use crate::{Db, ItemId, Result, Tx, clock};

/// An item whose count is wanted.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct Uncounted {
    pub id: ItemId,
    pub link: Option<String>,
    /// When its count was last asked for.
    pub hatebu_fetched_at: Option<DateTime<Utc>>,
}

/// How far apart calls are, and how many there may be.
#[derive(Debug, Clone, Copy)]
pub struct Manners {
    /// How far apart calls begin.
    pub interval: TimeDelta,
    /// The most calls in a day, UTC.
    pub calls_per_day: i64,
}

/// Whether a call may be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Permit {
    /// Now. It is counted already.
    Granted,
    /// Not before this time: the last call was only just.
    NotBefore(DateTime<Utc>),
    /// Not before this time: too many calls failed.
    Paused(DateTime<Utc>),
    /// Not today.
    DayIsFull,
}

/// Items of feeds with subscribers that were never asked for, the newest first, from below `before`.
pub async fn list_never_asked(db: &Db, before: ItemId, limit: i64) -> Result<Vec<Uncounted>> {
    db.read(
        "select i.id, i.link, i.hatebu_fetched_at from items i
         where i.hatebu_fetched_at is null and i.id < $1
            and exists (select 1 from subscriptions s where s.feed_id = i.feed_id)
         order by i.id desc limit $2",
    )
    .bind(before)
    .bind(limit)
    .all()
    .await
}

/// Items of feeds with subscribers that were last asked for in `after..=until`, the stalest first.
pub async fn list_stale(
    db: &Db,
    after: (DateTime<Utc>, ItemId),
    until: DateTime<Utc>,
    limit: i64,
) -> Result<Vec<Uncounted>> {
    db.read(
        "select i.id, i.link, i.hatebu_fetched_at from items i
         where i.hatebu_fetched_at is not null and i.hatebu_fetched_at <= $3 and (i.hatebu_fetched_at, i.id) > ($1, $2)
            and exists (select 1 from subscriptions s where s.feed_id = i.feed_id)
         order by i.hatebu_fetched_at, i.id limit $4",
    )
    .bind(after.0)
    .bind(after.1)
    .bind(until)
    .bind(limit)
    .all()
    .await
}

/// Counts that a wrong clock dated far ahead are as good as never asked for; returns how many there were. At most `limit`.
pub async fn forget_far_ahead(db: &Db, now: DateTime<Utc>, limit: i64) -> Result<u64> {
    db.write(
        "update items set hatebu_fetched_at = null
         where id in (select id from items where hatebu_fetched_at is not null and hatebu_fetched_at > $1 limit $2)",
    )
    .bind(now + clock::FURTHEST_AHEAD)
    .bind(limit)
    .execute()
    .await
}

/// Asks for leave to make one call, and counts it if it is given.
pub async fn permit_call(db: &Db, manners: &Manners, now: DateTime<Utc>) -> Result<Permit> {
    let today = now.date_naive().to_string();
    db.transact(async |tx| {
        tx.query("insert into hatebu_state (id, day) values (1, $1) on conflict (id) do nothing")
            .bind(today.clone())
            .execute()
            .await?;
        let state: State = lock_state(tx).await?;
        let calls = if state.day == today { state.calls } else { 0 };
        let next_at = state.called_at.map(|at| at + manners.interval);
        let permit = match (state.paused_until, next_at) {
            (Some(until), _) if until > now && until <= now + clock::FURTHEST_AHEAD => Permit::Paused(until),
            _ if calls >= manners.calls_per_day => Permit::DayIsFull,
            // A time far ahead was written by a clock that has been set back since.
            (_, Some(at)) if at > now && at <= now + manners.interval => Permit::NotBefore(at),
            _ => Permit::Granted,
        };
        if permit == Permit::Granted {
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

/// Writes down what a call answered, and that calls succeed again.
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

/// Takes items that nobody can be asked about off the list, as having no bookmarks.
pub async fn mark_unaskable(db: &Db, items: Vec<ItemId>, now: DateTime<Utc>) -> Result<()> {
    db.transact(async |tx| write_count(tx, 0, &items, now).await).await
}

/// On PostgreSQL items that somebody is just writing are left for the next round: whoever never waits cannot be part of a
/// deadlock with a fetch.
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

/// Counts a failed call; the pause that `pause` sees fit for so many failures in a row begins now. Tells how many they are.
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
struct State {
    day: String,
    calls: i64,
    failures: i64,
    paused_until: Option<DateTime<Utc>>,
    called_at: Option<DateTime<Utc>>,
}

async fn lock_state(tx: &mut Tx) -> Result<State> {
    tx.query_locking(
        "select day, calls, failures, paused_until, called_at from hatebu_state where id = 1",
        " for update",
    )
    .one()
    .await
}
