//! Filling the index: items wait in `search_pending` until their words are in it.
//!
//! An item that changes waits anew, but who is being indexed waits already: so PostgreSQL keeps changes out while
//! the words are cut, and on SQLite, where that would take the writer's turn, the texts are compared before the words count.

use std::collections::HashMap;

use chrono::{DateTime, Utc};

use super::{
    ItemText,
    expression::{day_of, word_of_day, word_of_feed},
    text_columns,
};
use crate::{Db, ItemId, Result, Tx};

/// So many places has each second on SQLite.
pub(super) const PLACE_BITS: u32 = 14;

/// Items whose words are to be cut.
#[must_use = "unless it is finished, its items go on waiting"]
pub struct Chunk {
    /// On PostgreSQL, what keeps others from these items.
    tx: Option<Tx>,
    items: Vec<ItemText>,
}

/// Takes up to `most` waiting items, the latest first; on PostgreSQL those that nobody else has.
pub async fn claim(db: &Db, most: i64) -> Result<Chunk> {
    if !db.is_postgres() {
        let items = db
            .read(concat!(
                "select ",
                text_columns!(),
                " from search_pending p cross join items i on i.id = p.item_id order by p.item_id desc limit $1"
            ))
            .bind(most)
            .all()
            .await?;
        return Ok(Chunk { tx: None, items });
    }
    // Kept open while the words are cut, so that the items stay as they are: `transact` cannot do that.
    let mut tx = db.begin().await?;
    // In two steps: joined, the planner goes through all items in search of those that wait.
    let waiting: Vec<(ItemId,)> = tx
        .query("select item_id from search_pending order by item_id desc limit $1 for update skip locked")
        .bind(most)
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
        // What was passed over may still be locked by us, and nobody will finish this chunk.
        tx.rollback().await?;
        return Ok(Chunk { tx: None, items });
    }
    Ok(Chunk { tx: Some(tx), items })
}

impl Chunk {
    /// The items, in the order in which [`Chunk::finish`] wants their words.
    pub fn items(&self) -> &[ItemText] {
        &self.items
    }

    /// Stores the words of each item, separated by single spaces. Items that have changed meanwhile go on waiting.
    pub async fn finish(self, db: &Db, words: Vec<String>) -> Result<()> {
        let Chunk { tx, items } = self;
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
                remove_pending(&mut tx, rows.iter().map(|(item, _)| item.id)).await?;
                tx.commit().await
            }
            None => {
                db.transact(async |tx| {
                    let mut rows = unchanged(tx, &rows).await?;
                    write_sqlite(tx, &mut rows).await?;
                    remove_pending(tx, rows.iter().map(|(item, _)| item.id)).await
                })
                .await
            }
        }
    }
}

/// Adds items to those that wait to be indexed. Call it after the items are written: a transaction that holds rows of this
/// list, to index them, also holds their items, and a writer must not wait for it here.
pub async fn add_pending(tx: &mut Tx, items: impl IntoIterator<Item = ItemId>) -> Result<()> {
    tx.query(
        "insert into search_pending (item_id) select value from json_each($1) where true
         on conflict (item_id) do nothing",
    )
    .bind_numbers(items)
    .execute()
    .await
    .map(drop)
}

async fn remove_pending(tx: &mut Tx, items: impl Iterator<Item = ItemId>) -> Result<()> {
    tx.query("delete from search_pending where item_id in (select value from json_each($1))")
        .bind_numbers(items)
        .execute()
        .await
        .map(drop)
}

/// Takes items out of the index. They also leave it by themselves when they are deleted.
pub async fn forget(tx: &mut Tx, items: &[ItemId]) -> Result<()> {
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

/// Those items that are still as they were read.
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
    forget(tx, &rows.iter().map(|(item, _)| item.id).collect::<Vec<_>>()).await?;
    // FTS5 takes rows in ascending order without writing out what it has collected.
    rows.sort_by_key(|(item, _)| (item.published_at, item.id));
    let mut placed: Vec<(i64, &(ItemText, String))> = Vec::with_capacity(rows.len());
    for &row in rows.iter() {
        let first = first_place(row.0.published_at);
        let next = match placed.last() {
            Some((last, _)) if *last >= first => last + 1,
            _ => next_free(tx, first).await?,
        };
        if next > last_place(row.0.published_at) {
            tracing::warn!(item = row.0.id.0, "more items in one second than search can tell apart; one is left out");
            continue;
        }
        placed.push((next, row));
    }
    let places = "insert into item_search (item_id, position)";
    tx.insert_many::<_, (i64,)>(places, 2, "", &placed, |query, (place, (item, _))| query.bind(item.id).bind(*place))
        .await?;
    let words = "insert into item_words (rowid, words)";
    tx.insert_many::<_, (i64,)>(words, 2, "", &placed, |query, (place, (_, words))| {
        query.bind(*place).bind(words.clone())
    })
    .await
    .map(drop)
}

async fn next_free(tx: &mut Tx, first: i64) -> Result<i64> {
    let highest: Option<i64> = tx
        .query("select max(position) from item_search where position between $1 and $2")
        .bind(first)
        .bind(first | ((1 << PLACE_BITS) - 1))
        .scalar()
        .await?;
    Ok(highest.map_or(first, |highest| highest + 1))
}

/// The first place of the moment's second.
pub(super) fn first_place(moment: DateTime<Utc>) -> i64 {
    moment.timestamp().max(0) << PLACE_BITS
}

/// The last one.
pub(super) fn last_place(moment: DateTime<Utc>) -> i64 {
    first_place(moment) | ((1 << PLACE_BITS) - 1)
}
