//! Storing what a document says.

use chrono::{DateTime, Utc};

use crate::{FeedId, ItemId, Query, Result, Tx};

/// An item as it is stored, cleaned, cut and sanitised.
#[derive(Debug, Clone, Default)]
pub struct NewItem {
    /// The guid, or its hash.
    pub guid_or_id: Option<String>,
    /// Where the article is.
    pub link: Option<String>,
    /// The key of that.
    pub link_key: Option<String>,
    /// As text.
    pub title: String,
    /// As safe HTML.
    pub content: Option<String>,
    /// As safe HTML.
    pub summary: Option<String>,
    /// Names.
    pub author: Option<String>,
    /// When it was published.
    pub published_at: DateTime<Utc>,
    /// Whether nobody knows exactly.
    pub is_date_estimated: bool,
    /// The hash of what it says, for identity.
    pub content_hash: String,
    /// Of everything the publisher says about it.
    pub digest: String,
    /// A JSON list.
    pub categories: String,
    /// A JSON list.
    pub enclosures: String,
    /// A picture.
    pub thumbnail_url: Option<String>,
    /// The page with its comments.
    pub comments_url: Option<String>,
}

/// An item that says something else now.
#[derive(Debug, Clone)]
pub struct ItemChange {
    /// Which.
    pub id: ItemId,
    /// Whether its date is another one.
    pub moves: bool,
    /// What it says now.
    pub item: NewItem,
}

/// Adds items to a feed; tells their ids in the same order.
pub async fn insert(tx: &mut Tx, feed: FeedId, items: &[NewItem], now: DateTime<Utc>) -> Result<Vec<ItemId>> {
    let items: Vec<(FeedId, &NewItem)> = items.iter().map(|item| (feed, item)).collect();
    insert_all(tx, &items, now).await
}

/// Adds items to several feeds at once.
pub async fn insert_all(tx: &mut Tx, items: &[(FeedId, &NewItem)], now: DateTime<Utc>) -> Result<Vec<ItemId>> {
    if items.is_empty() {
        return Ok(Vec::new());
    }
    match tx.is_postgres() {
        true => insert_postgres(tx, items, now).await,
        false => insert_sqlite(tx, items, now).await,
    }
}

/// Rows that come back wake the task one by one; the writer is alone and counts on, so the last id tells all of them.
async fn insert_sqlite(tx: &mut Tx, items: &[(FeedId, &NewItem)], now: DateTime<Utc>) -> Result<Vec<ItemId>> {
    tx.insert_many::<_, (ItemId,)>(
        "insert into items (feed_id, guid_or_id, link, link_key, title, content, summary, author, published_at,
            is_date_estimated, content_hash, digest, categories, enclosures, thumbnail_url, comments_url, fetched_at,
            seen_at, created_at, updated_at)",
        20,
        "",
        items,
        |query, (feed, item)| bind_item(query.bind(*feed), item).bind(now).bind(now).bind(now).bind(now),
    )
    .await?;
    let last: i64 = tx.query("select last_insert_rowid()").scalar().await?;
    let count = i64::try_from(items.len()).unwrap_or(i64::MAX);
    Ok((last - count + 1..=last).map(ItemId).collect())
}

/// One column after the other: the server spends more on a statement with a placeholder for each value than on the rows.
async fn insert_postgres(tx: &mut Tx, items: &[(FeedId, &NewItem)], now: DateTime<Utc>) -> Result<Vec<ItemId>> {
    fn column<T>(items: &[(FeedId, &NewItem)], value: impl Fn(&NewItem) -> T) -> Vec<T> {
        items.iter().map(|(_, item)| value(item)).collect()
    }
    let ids: Vec<(ItemId,)> = tx
        .query(
            "insert into items (feed_id, guid_or_id, link, link_key, title, content, summary, author, published_at,
                is_date_estimated, content_hash, digest, categories, enclosures, thumbnail_url, comments_url, fetched_at,
                seen_at, created_at, updated_at)
             select n.*, $17, $17, $17, $17 from unnest(cast($1 as uuid[]), cast($2 as text[]), cast($3 as text[]),
                cast($4 as text[]), cast($5 as text[]), cast($6 as text[]), cast($7 as text[]), cast($8 as text[]),
                cast($9 as timestamptz[]), cast($10 as boolean[]), cast($11 as text[]), cast($12 as text[]),
                cast($13 as text[]), cast($14 as text[]), cast($15 as text[]), cast($16 as text[])) as n
             returning id",
        )
        .bind_column(items.iter().map(|(feed, _)| feed.0).collect())
        .bind_column(column(items, |item| item.guid_or_id.clone()))
        .bind_column(column(items, |item| item.link.clone()))
        .bind_column(column(items, |item| item.link_key.clone()))
        .bind_column(column(items, |item| item.title.clone()))
        .bind_column(column(items, |item| item.content.clone()))
        .bind_column(column(items, |item| item.summary.clone()))
        .bind_column(column(items, |item| item.author.clone()))
        .bind_column(column(items, |item| item.published_at))
        .bind_column(column(items, |item| item.is_date_estimated))
        .bind_column(column(items, |item| item.content_hash.clone()))
        .bind_column(column(items, |item| item.digest.clone()))
        .bind_column(column(items, |item| item.categories.clone()))
        .bind_column(column(items, |item| item.enclosures.clone()))
        .bind_column(column(items, |item| item.thumbnail_url.clone()))
        .bind_column(column(items, |item| item.comments_url.clone()))
        .bind(now)
        .all()
        .await?;
    Ok(ids.into_iter().map(|(id,)| id).collect())
}

/// Overwrites items; their ids, states and arrival stay.
pub async fn change(tx: &mut Tx, changes: &[ItemChange], now: DateTime<Utc>) -> Result<()> {
    for change in changes {
        let query = tx.query(
            "update items set guid_or_id = $2, link = $3, link_key = $4, title = $5, content = $6, summary = $7,
                author = $8, published_at = $9, is_date_estimated = $10, content_hash = $11, digest = $12,
                categories = $13, enclosures = $14, thumbnail_url = $15, comments_url = $16, fetched_at = $17,
                seen_at = $17, updated_at = $17
             where id = $1",
        );
        bind_item(query.bind(change.id), &change.item).bind(now).execute().await?;
        if change.moves {
            tx.query(
                "update item_states set published_at = $2 where item_id = $1 and user_id in
                    (select s.user_id from items i join subscriptions s on s.feed_id = i.feed_id where i.id = $1)",
            )
            .bind(change.id)
            .bind(change.item.published_at)
            .execute()
            .await?;
        }
    }
    Ok(())
}

/// Notes that items are still in their document.
pub async fn mark_seen(tx: &mut Tx, items: &[ItemId], now: DateTime<Utc>) -> Result<()> {
    if items.is_empty() {
        return Ok(());
    }
    tx.query("update items set seen_at = $2 where id in (select value from json_each($1))")
        .bind_numbers(items.iter().copied())
        .bind(now)
        .execute()
        .await
        .map(drop)
}

fn bind_item<'a>(query: Query<'a>, item: &NewItem) -> Query<'a> {
    query
        .bind(item.guid_or_id.clone())
        .bind(item.link.clone())
        .bind(item.link_key.clone())
        .bind(item.title.clone())
        .bind(item.content.clone())
        .bind(item.summary.clone())
        .bind(item.author.clone())
        .bind(item.published_at)
        .bind(item.is_date_estimated)
        .bind(item.content_hash.clone())
        .bind(item.digest.clone())
        .bind(item.categories.clone())
        .bind(item.enclosures.clone())
        .bind(item.thumbnail_url.clone())
        .bind(item.comments_url.clone())
}
