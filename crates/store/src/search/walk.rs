//! Reads the results of the index in list order.

use chrono::{DateTime, Utc};

use super::{
    IndexQuery,
    expression::day_of,
    index::{POSITION_BITS, first_position, last_position},
};
use crate::{Db, ItemId, Result, UserId, item_lists::Position};

/// How many of the user's latest items PostgreSQL searches first, and then. After that it searches all.
const WINDOWS: [i64; 2] = [2_000, 32_000];
/// With more days than this, searching all days is as fast.
const MAX_DAYS: i64 = 100;

/// The user's items that the index finds, newest first.
pub struct Walk<'a> {
    db: &'a Db,
    user: UserId,
    query: &'a IndexQuery,
    before: Position,
    window: usize,
    has_found: bool,
    is_done: bool,
}

impl<'a> Walk<'a> {
    /// Starts before the position `before`.
    pub fn new(db: &'a Db, user: UserId, query: &'a IndexQuery, before: Position) -> Walk<'a> {
        Walk { db, user, query, before, window: 0, has_found: false, is_done: false }
    }

    /// The next items, about `limit`. Empty only at the end.
    pub async fn next(&mut self, limit: i64) -> Result<Vec<Position>> {
        while !self.is_done {
            let found =
                if self.db.is_postgres() { self.next_postgres(limit).await? } else { self.next_sqlite(limit).await? };
            if !found.is_empty() {
                return Ok(found);
            }
        }
        Ok(Vec::new())
    }

    /// FTS5 returns rows in list order by second, so a second is always read completely.
    async fn next_sqlite(&mut self, limit: i64) -> Result<Vec<Position>> {
        let Some(text) = self.query.to_fts5() else {
            self.is_done = true;
            return Ok(Vec::new());
        };
        let mut limit = limit;
        loop {
            let mut rows: Vec<(i64, DateTime<Utc>, ItemId)> = self
                .db
                .read(
                    "select x.position, s.published_at, s.item_id from item_words w
                     cross join item_search x on x.position = w.rowid
                     cross join item_states s on s.user_id = $1 and s.item_id = x.item_id
                     where w.item_words match $2 and w.rowid <= $3 and (s.published_at, s.item_id) < ($4, $5)
                     order by w.rowid desc limit $6",
                )
                .bind(self.user)
                .bind(text.clone())
                .bind(last_position(self.before.published_at))
                .bind(self.before.published_at)
                .bind(self.before.id)
                .bind(limit)
                .all()
                .await?;
            let is_last = rows.len() < usize::try_from(limit).unwrap_or(usize::MAX);
            if let (false, Some((last, ..))) = (is_last, rows.last()) {
                let second = last >> POSITION_BITS;
                rows.retain(|(position, ..)| position >> POSITION_BITS != second);
                if rows.is_empty() {
                    limit *= 4;
                    continue;
                }
            }
            self.is_done = is_last;
            // An item whose date has changed gets another position when it is indexed again.
            rows.retain(|(position, published_at, _)| {
                position >> POSITION_BITS == first_position(*published_at) >> POSITION_BITS
            });
            let mut found: Vec<Position> =
                rows.into_iter().map(|(_, published_at, id)| Position { published_at, id }).collect();
            found.sort_unstable_by(|one, other| other.cmp(one));
            self.before = found.last().copied().unwrap_or(self.before);
            return Ok(found);
        }
    }

    /// GIN returns rows in no order. So a common word is searched within the days of the user's latest items, and a rare word, which
    /// has few results, in all items.
    async fn next_postgres(&mut self, limit: i64) -> Result<Vec<Position>> {
        let bounds = match WINDOWS.get(self.window) {
            Some(items) => self.window_below(*items).await?,
            None => None,
        };
        let days = bounds.map_or(Vec::new(), |(from, to)| (day_of(from)..=day_of(to)).collect());
        let days = if i64::try_from(days.len()).is_ok_and(|days| days > MAX_DAYS) { Vec::new() } else { days };
        let Some(text) = self.query.to_tsquery(&days) else {
            self.is_done = true;
            return Ok(Vec::new());
        };
        let from = bounds.map_or(Position::oldest().published_at, |(from, _)| from);
        let found: Vec<Position> = self
            .db
            .read(
                // LATERAL forces one look-up for each row; otherwise the generic plan reads all of the user's states.
                "with found as materialized (
                    select item_id from item_search
                    where array_to_tsvector(string_to_array(words, ' ')) @@ cast($2 as tsquery))
                 select s.published_at, s.item_id from found cross join lateral (
                    select published_at, item_id from item_states where user_id = $1 and item_id = found.item_id limit 1) as s
                 where (s.published_at, s.item_id) < ($3, $4) and s.published_at >= $5
                 order by s.published_at desc, s.item_id desc limit $6",
            )
            .bind(self.user)
            .bind(text)
            .bind(self.before.published_at)
            .bind(self.before.id)
            .bind(from)
            .bind(limit)
            .all()
            .await?;
        if found.len() == usize::try_from(limit).unwrap_or(usize::MAX) {
            self.before = found.last().copied().unwrap_or(self.before);
            self.has_found = true;
        } else if bounds.is_some() {
            self.before = Position { published_at: from, id: ItemId(0) };
            self.has_found |= !found.is_empty();
            // No result in thousands of items: the word is rare, so search all items next.
            self.window = if self.has_found { self.window + 1 } else { WINDOWS.len() };
        } else {
            self.is_done = true;
        }
        Ok(found)
    }

    /// The publication times of the first and last of the user's next `items` items. None if there are fewer.
    async fn window_below(&self, items: i64) -> Result<Option<(DateTime<Utc>, DateTime<Utc>)>> {
        let (count, from, to): (i64, Option<DateTime<Utc>>, Option<DateTime<Utc>>) = self
            .db
            .read(
                "select count(*), min(published_at), max(published_at) from (
                    select published_at from item_states where user_id = $1 and (published_at, item_id) < ($2, $3)
                    order by published_at desc, item_id desc limit $4) as next",
            )
            .bind(self.user)
            .bind(self.before.published_at)
            .bind(self.before.id)
            .bind(items)
            .one()
            .await?;
        Ok(if count < items { None } else { from.zip(to) })
    }
}
