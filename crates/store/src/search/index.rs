//! Filling the index. Items are listed in `search_pending` until they are indexed.
//!
//! A change of an item that is being indexed must not be lost. PostgreSQL locks the items of a batch until their words are
//! stored. SQLite, where that would block the writer, compares the texts before it stores the words.

use std::collections::HashMap;

use chrono::{DateTime, Utc};

use super::{
    ItemText,
    expression::{day_of, word_of_day, word_of_feed},
    text_columns,
};
use crate::{Db, ItemId, Result, Tx};

/// On SQLite, the bits of a position within one second.
pub(super) const POSITION_BITS: u32 = 14;

/// Items to split into words and index.
#[must_use = "items stay pending until the batch is finished"]
pub struct IndexBatch {
    /// On PostgreSQL, the transaction that locks the items.
    tx: Option<Tx>,
    items: Vec<ItemText>,
}

/// Claims up to `limit` pending items, latest first. On PostgreSQL, items locked by other transactions are skipped.
pub async fn claim(db: &Db, limit: i64) -> Result<IndexBatch> {
    if !db.is_postgres() {
        let items = db
            .read(concat!(
                "select ",
                text_columns!(),
                " from search_pending p cross join items i on i.id = p.item_id order by p.item_id desc limit $1"
            ))
            .bind(limit)
            .all()
            .await?;
        return Ok(IndexBatch { tx: None, items });
    }
    // Stays open until `finish`, so that the items cannot change; `transact` cannot do that.
    let mut tx = db.begin().await?;
    // Two steps: for a join the planner reads all items.
    let waiting: Vec<(ItemId,)> = tx
        .query("select item_id from search_pending order by item_id desc limit $1 for update skip locked")
        .bind(limit)
        .all()
        .await?;
    let items: Vec<ItemText> = tx
        .query(concat!(
            "select ",
            text_columns!(),
            " from items i where i.id in (select value from json_each($1)) for share skip locked"
        ))
        .bind_numbers(waiting.into_iter().map(|(id,)| id))
        .all()
        .await?;
    if items.is_empty() {
        // The transaction may have locked rows of `search_pending`, and the caller does not finish an empty batch.
        tx.rollback().await?;
        return Ok(IndexBatch { tx: None, items });
    }
    Ok(IndexBatch { tx: Some(tx), items })
}

impl IndexBatch {
    /// The items, in the order in which [`IndexBatch::finish`] expects their words.
    pub fn items(&self) -> &[ItemText] {
        &self.items
    }

    /// Stores the words of each item, separated by single spaces. Items that have changed since stay pending.
    pub async fn finish(self, db: &Db, words: Vec<String>) -> Result<()> {
        let IndexBatch { tx, items } = self;
        let mut rows: Vec<(ItemText, String)> = items.into_iter().zip(words).collect();
        for (item, words) in &mut rows {
            if !words.is_empty() {
                words.push(' ');
            }
            words.push_str(&word_of_feed(item.feed_id));
        }
        match tx {
            Some(mut tx) => {
                write_postgres(&mut tx, &rows).await?;
                delete_pending(&mut tx, rows.iter().map(|(item, _)| item.id)).await?;
                tx.commit().await
            }
            None => {
                db.transact(async |tx| {
                    let mut rows = unchanged(tx, &rows).await?;
                    write_sqlite(tx, &mut rows).await?;
                    delete_pending(tx, rows.iter().map(|(item, _)| item.id)).await
                })
                .await
            }
        }
    }
}

/// Marks items as pending. Call it after the items are written: indexing locks rows here first and their items second, so the
/// other order could deadlock.
pub async fn mark_pending(tx: &mut Tx, items: impl IntoIterator<Item = ItemId>) -> Result<()> {
    tx.query(
        "insert into search_pending (item_id) select value from json_each($1) where true
         on conflict (item_id) do nothing",
    )
    .bind_numbers(items)
    .execute()
    .await
    .map(drop)
}

async fn delete_pending(tx: &mut Tx, items: impl Iterator<Item = ItemId>) -> Result<()> {
    tx.query("delete from search_pending where item_id in (select value from json_each($1))")
        .bind_numbers(items)
        .execute()
        .await
        .map(drop)
}

/// Deletes items from the index. Deleting an item does so too.
async fn delete(tx: &mut Tx, items: &[ItemId]) -> Result<()> {
    tx.query("delete from item_search where item_id in (select value from json_each($1))")
        .bind_numbers(items.iter().copied())
        .execute()
        .await
        .map(drop)
}

async fn write_postgres(tx: &mut Tx, rows: &[(ItemText, String)]) -> Result<()> {
    let with_day = |(item, words): &(ItemText, String)| format!("{words} {}", word_of_day(day_of(item.published_at)));
    tx.query(
        "insert into item_search (item_id, words) select id, words from unnest($1, $2) as cut (id, words)
         on conflict (item_id) do update set words = excluded.words",
    )
    .bind_numbers(rows.iter().map(|(item, _)| item.id))
    .bind_texts(rows.iter().map(with_day).collect())
    .execute()
    .await
    .map(drop)
}

/// The items that have not changed since they were read.
async fn unchanged<'a>(tx: &mut Tx, rows: &'a [(ItemText, String)]) -> Result<Vec<&'a (ItemText, String)>> {
    let now: Vec<ItemText> = tx
        .query(concat!("select ", text_columns!(), " from items i where i.id in (select value from json_each($1))"))
        .bind_numbers(rows.iter().map(|(item, _)| item.id))
        .all()
        .await?;
    let now: HashMap<_, _> = now.into_iter().map(|item| (item.id, item)).collect();
    Ok(rows.iter().filter(|(item, _)| now.get(&item.id) == Some(item)).collect())
}

async fn write_sqlite(tx: &mut Tx, rows: &mut [&(ItemText, String)]) -> Result<()> {
    delete(tx, &rows.iter().map(|(item, _)| item.id).collect::<Vec<_>>()).await?;
    // FTS5 flushes its buffer when rows are not in ascending order.
    rows.sort_by_key(|(item, _)| (item.published_at, item.id));
    let mut positioned: Vec<(i64, &(ItemText, String))> = Vec::with_capacity(rows.len());
    for &row in rows.iter() {
        let first = first_position(row.0.published_at);
        let next = match positioned.last() {
            Some((last, _)) if *last >= first => last + 1,
            _ => next_free(tx, first).await?,
        };
        if next > last_position(row.0.published_at) {
            tracing::warn!(item = row.0.id.0, "too many items with the same second; one is not indexed");
            continue;
        }
        positioned.push((next, row));
    }
    let positions = "insert into item_search (item_id, position)";
    tx.insert_many::<_, (i64,)>(positions, 2, "", &positioned, |query, (position, (item, _))| {
        query.bind(item.id).bind(*position)
    })
    .await?;
    let words = "insert into item_words (rowid, words)";
    tx.insert_many::<_, (i64,)>(words, 2, "", &positioned, |query, (position, (_, words))| {
        query.bind(*position).bind(words.clone())
    })
    .await
    .map(drop)
}

async fn next_free(tx: &mut Tx, first: i64) -> Result<i64> {
    let highest: Option<i64> = tx
        .query("select max(position) from item_search where position between $1 and $2")
        .bind(first)
        .bind(first | ((1 << POSITION_BITS) - 1))
        .scalar()
        .await?;
    Ok(highest.map_or(first, |highest| highest + 1))
}

/// The first position in the second of `time`.
pub(super) fn first_position(time: DateTime<Utc>) -> i64 {
    time.timestamp().max(0) << POSITION_BITS
}

/// The last position in the second of `time`.
pub(super) fn last_position(time: DateTime<Utc>) -> i64 {
    first_position(time) | ((1 << POSITION_BITS) - 1)
}
