//! Going through what an index finds, in the order of the lists.

use chrono::{DateTime, Utc};

use super::{
    Narrowing,
    expression::day_of,
    index::{PLACE_BITS, first_place, last_place},
};
use crate::{Db, ItemId, Result, UserId, item_lists::Position};

/// How many of the person's items PostgreSQL looks through before it looks through more, and at last through all.
const WINDOWS: [i64; 2] = [2_000, 32_000];
/// More days than this are no shorter a way than all of them.
const MOST_DAYS: i64 = 100;

/// A person's items that an index finds, newest first.
pub struct Walk<'a> {
    db: &'a Db,
    user: UserId,
    narrowing: &'a Narrowing,
    before: Position,
    window: usize,
    has_found: bool,
    is_done: bool,
}

impl<'a> Walk<'a> {
    /// Starts below `before`.
    pub fn new(db: &'a Db, user: UserId, narrowing: &'a Narrowing, before: Position) -> Walk<'a> {
        Walk { db, user, narrowing, before, window: 0, has_found: false, is_done: false }
    }

    /// Whether there is nothing more.
    pub fn is_done(&self) -> bool {
        self.is_done
    }

    /// The next items, about `most`; none only at the end.
    pub async fn next(&mut self, most: i64) -> Result<Vec<Position>> {
        while !self.is_done {
            let found =
                if self.db.is_postgres() { self.next_postgres(most).await? } else { self.next_sqlite(most).await? };
            if !found.is_empty() {
                return Ok(found);
            }
        }
        Ok(Vec::new())
    }

    /// FTS5 reads its rows in our order, to the second; so no second is left half read.
    async fn next_sqlite(&mut self, most: i64) -> Result<Vec<Position>> {
        let Some(text) = self.narrowing.to_fts5() else {
            self.is_done = true;
            return Ok(Vec::new());
        };
        let mut most = most;
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
                .bind(last_place(self.before.published_at))
                .bind(self.before.published_at)
                .bind(self.before.id)
                .bind(most)
                .all()
                .await?;
            let is_last = rows.len() < usize::try_from(most).unwrap_or(usize::MAX);
            if let (false, Some((last, ..))) = (is_last, rows.last()) {
                let second = last >> PLACE_BITS;
                rows.retain(|(place, ..)| place >> PLACE_BITS != second);
                if rows.is_empty() {
                    most *= 4;
                    continue;
                }
            }
            self.is_done = is_last;
            // One whose date has changed stands elsewhere as soon as it is indexed again.
            rows.retain(|(place, published_at, _)| place >> PLACE_BITS == first_place(*published_at) >> PLACE_BITS);
            let mut found: Vec<Position> =
                rows.into_iter().map(|(_, published_at, id)| Position { published_at, id }).collect();
            found.sort_unstable_by(|one, other| other.cmp(one));
            self.before = found.last().copied().unwrap_or(self.before);
            return Ok(found);
        }
    }

    /// GIN finds rows in no order. So a common word is asked for within the person's latest items, by their days; and in all
    /// of them once it is known to be rare, because then all that it finds is little.
    async fn next_postgres(&mut self, most: i64) -> Result<Vec<Position>> {
        let bounds = match WINDOWS.get(self.window) {
            Some(items) => self.window_below(*items).await?,
            None => None,
        };
        let days = bounds.map_or(Vec::new(), |(from, to)| (day_of(from)..=day_of(to)).collect());
        let days = if i64::try_from(days.len()).is_ok_and(|days| days > MOST_DAYS) { Vec::new() } else { days };
        let Some(text) = self.narrowing.to_tsquery(&days) else {
            self.is_done = true;
            return Ok(Vec::new());
        };
        let from = bounds.map_or(Position::oldest().published_at, |(from, _)| from);
        let found: Vec<Position> = self
            .db
            .read(
                // One look-up for each: left to choose, a plan for any question reads all of the person's states.
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
            .bind(most)
            .all()
            .await?;
        if found.len() == usize::try_from(most).unwrap_or(usize::MAX) {
            self.before = found.last().copied().unwrap_or(self.before);
            self.has_found = true;
        } else if bounds.is_some() {
            self.before = Position { published_at: from, id: ItemId(0) };
            self.has_found |= !found.is_empty();
            // Not one in thousands of items: in all of them it finds few enough to read them.
            self.window = if self.has_found { self.window + 1 } else { WINDOWS.len() };
        } else {
            self.is_done = true;
        }
        Ok(found)
    }

    /// From when to when the person's next `items` items were published; nothing if there are not so many.
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
