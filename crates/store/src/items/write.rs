//! Storing what a document says.

use chrono::{DateTime, Utc};

use crate::{FeedId, ItemId, Result, Tx, columns::Column, sql::Sql};

/// An item as it is stored, cleaned, cut and sanitised.
#[derive(Debug, Clone, Default)]
pub struct NewItem {
    /// The guid, or its hash.
    pub guid_or_id: Option<String>,
    pub link: Option<String>,
    pub link_key: Option<String>,
    /// As text.
    pub title: String,
    /// As safe HTML.
    pub content: Option<String>,
    /// As safe HTML.
    pub summary: Option<String>,
    /// The version of the sanitiser that wrote `content` and `summary`.
    pub sanitizer_version: i64,
    /// How its text begins, as lists show it: plain text on one line. None leaves it to the job that fills in excerpts.
    pub excerpt: Option<String>,
    pub author: Option<String>,
    pub published_at: DateTime<Utc>,
    pub is_date_estimated: bool,
    /// The hash of what it says, for identity.
    pub content_hash: String,
    /// Of everything the publisher says about it.
    pub digest: String,
    /// A JSON list.
    pub categories: String,
    /// A JSON list.
    pub enclosures: String,
    pub thumbnail_url: Option<String>,
    /// The page with its comments.
    pub comments_url: Option<String>,
}

/// An item that says something else now.
#[derive(Debug, Clone)]
pub struct ItemChange {
    pub id: ItemId,
    /// Whether its date is another one.
    pub moves: bool,
    pub item: NewItem,
}

/// A row of `items`, as far as a document fills it.
struct StoredItem<'a> {
    feed: FeedId,
    item: &'a NewItem,
    now: DateTime<Utc>,
}

/// The columns of [`NewItem`]. Adding, changing and copying an item all go by this list.
fn content_columns<'a>() -> Vec<Column<StoredItem<'a>>> {
    vec![
        Column::text("guid_or_id", |row| row.item.guid_or_id.as_deref()),
        Column::text("link", |row| row.item.link.as_deref()),
        Column::text("link_key", |row| row.item.link_key.as_deref()),
        Column::text("title", |row| Some(&row.item.title)),
        Column::text("content", |row| row.item.content.as_deref()),
        Column::text("summary", |row| row.item.summary.as_deref()),
        Column::number("sanitizer_version", |row| row.item.sanitizer_version),
        Column::text("excerpt", |row| row.item.excerpt.as_deref()),
        Column::text("author", |row| row.item.author.as_deref()),
        Column::time("published_at", |row| row.item.published_at),
        Column::bool("is_date_estimated", |row| row.item.is_date_estimated),
        Column::text("content_hash", |row| Some(&row.item.content_hash)),
        Column::text("digest", |row| Some(&row.item.digest)),
        Column::text("categories", |row| Some(&row.item.categories)),
        Column::text("enclosures", |row| Some(&row.item.enclosures)),
        Column::text("thumbnail_url", |row| row.item.thumbnail_url.as_deref()),
        Column::text("comments_url", |row| row.item.comments_url.as_deref()),
        Column::time("fetched_at", |row| row.now),
        Column::time("seen_at", |row| row.now),
    ]
}

fn insert_columns<'a>() -> Vec<Column<StoredItem<'a>>> {
    let mut columns = content_columns();
    columns.push(Column::uuid("feed_id", |row| row.feed.0));
    columns.push(Column::time("created_at", |row| row.now));
    columns.push(Column::time("updated_at", |row| row.now));
    columns
}

fn update_columns<'a>() -> Vec<Column<StoredItem<'a>>> {
    let mut columns = content_columns();
    columns.push(Column::time("updated_at", |row| row.now));
    columns
}

/// Columns that are filled after an item has arrived.
const COPIED: [&str; 6] =
    ["hatebu_count", "hatebu_fetched_at", "full_text", "full_text_error", "full_text_at", "created_at"];

/// What a copy of an item in another feed takes over, after `prefix`: all but its id, its feed and its time of change.
pub(crate) fn copied_columns(prefix: &'static str) -> Sql {
    let content = content_columns().into_iter().map(|column| column.name);
    Sql::list(prefix, content.chain(COPIED))
}

/// Adds items to a feed; returns their ids in the same order.
pub async fn insert(tx: &mut Tx, feed: FeedId, items: &[NewItem], now: DateTime<Utc>) -> Result<Vec<ItemId>> {
    let items: Vec<(FeedId, &NewItem)> = items.iter().map(|item| (feed, item)).collect();
    insert_all(tx, &items, now).await
}

/// Adds items to several feeds at once.
pub async fn insert_all(tx: &mut Tx, items: &[(FeedId, &NewItem)], now: DateTime<Utc>) -> Result<Vec<ItemId>> {
    if items.is_empty() {
        return Ok(Vec::new());
    }
    let rows: Vec<StoredItem> = items.iter().map(|(feed, item)| StoredItem { feed: *feed, item, now }).collect();
    match tx.is_postgres() {
        true => {
            let ids: Vec<(ItemId,)> = tx.insert_rows("items", &insert_columns(), "returning id", &rows).await?;
            Ok(ids.into_iter().map(|(id,)| id).collect())
        }
        false => insert_sqlite(tx, &rows).await,
    }
}

/// Rows that come back wake the task one by one; the writer is alone and counts on, so the last id tells all of them.
async fn insert_sqlite(tx: &mut Tx, rows: &[StoredItem<'_>]) -> Result<Vec<ItemId>> {
    tx.insert_rows::<_, (ItemId,)>("items", &insert_columns(), "", rows).await?;
    let last: i64 = tx.query("select last_insert_rowid()").scalar().await?;
    let count = i64::try_from(rows.len()).unwrap_or(i64::MAX);
    Ok((last - count + 1..=last).map(ItemId).collect())
}

/// Overwrites items; their ids, states and arrival stay.
pub async fn change(tx: &mut Tx, changes: &[ItemChange], now: DateTime<Utc>) -> Result<()> {
    let columns = update_columns();
    let set = Sql::assignments(columns.iter().map(|column| column.name), 2);
    let sql = Sql::from("update items set {set} where id = $1").with("set", &set);
    for change in changes {
        let row = StoredItem { feed: FeedId::default(), item: &change.item, now };
        let query = tx.query_built(sql.clone()).bind(change.id);
        columns.iter().fold(query, |query, column| column.bind(query, &row)).execute().await?;
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
