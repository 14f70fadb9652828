//! The tables `opml_imports` and `opml_import_feeds`: OPML imports and the outcome of each feed.

use chrono::{DateTime, Utc};
use serde::Serialize;

use crate::{Change, Db, FeedId, ImportId, Result, Tx, UserId, columns::Column};

/// The outcome of a feed in an import.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, sqlx::Type)]
#[serde(rename_all = "lowercase")]
#[sqlx(type_name = "text", rename_all = "lowercase")]
pub enum ImportOutcome {
    /// Not processed yet.
    Waiting,
    /// The user was subscribed to it.
    Added,
    /// The user had a subscription already.
    Present,
    /// The user could not be subscribed to it.
    Failed,
}

/// An import with its progress.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct Import {
    pub id: ImportId,
    pub total: i64,
    pub waiting: i64,
    pub added: i64,
    pub present: i64,
    pub failed: i64,
    pub created_at: DateTime<Utc>,
}

/// A feed of an import.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct ImportedFeed {
    /// The position in the file.
    pub position: i64,
    pub feed_url: String,
    /// The title in the file; may be empty.
    pub title: String,
    pub folder: Option<String>,
    pub outcome: ImportOutcome,
    /// The code of the error that stopped the import or the feed's first fetch.
    pub error_code: Option<String>,
    pub feed_id: Option<FeedId>,
}

/// A feed of a new import.
#[derive(Debug, Clone)]
pub struct NewImportFeed {
    pub feed_url: String,
    /// The title in the file; may be empty.
    pub title: String,
    pub folder: Option<String>,
}

/// The key of an [`ImportedFeed`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ImportFeedKey {
    pub import: ImportId,
    pub position: i64,
}

/// A new row of `opml_import_feeds`.
struct NewRow<'a> {
    import: ImportId,
    position: i64,
    feed: &'a NewImportFeed,
    now: DateTime<Utc>,
}

/// Creates an import with its feeds, all waiting.
pub async fn create(tx: &mut Tx, user: UserId, feeds: &[NewImportFeed], now: DateTime<Utc>) -> Result<ImportId> {
    let import = ImportId::new();
    tx.query("insert into opml_imports (id, user_id, total, created_at) values ($1, $2, $3, $4)")
        .bind(import)
        .bind(user)
        .bind(i64::try_from(feeds.len()).unwrap_or(i64::MAX))
        .bind(now)
        .execute()
        .await?;
    let rows: Vec<NewRow> = (0..).zip(feeds).map(|(position, feed)| NewRow { import, position, feed, now }).collect();
    let columns: [Column<NewRow>; 6] = [
        Column::uuid("import_id", |row| row.import.0),
        Column::number("position", |row| row.position),
        Column::text("feed_url", |row| Some(&row.feed.feed_url)),
        Column::text("title", |row| Some(&row.feed.title)),
        Column::text("folder", |row| row.feed.folder.as_deref()),
        Column::time("updated_at", |row| row.now),
    ];
    tx.insert_rows::<_, (i64,)>("opml_import_feeds", &columns, "returning position", &rows).await?;
    tx.changed(Change::User(user));
    Ok(import)
}

macro_rules! select_import {
    ($rest:literal) => {
        concat!(
            "select i.id, i.total, i.created_at,
                cast(coalesce(sum(case when f.outcome = 'waiting' then 1 else 0 end), 0) as bigint) as waiting,
                cast(coalesce(sum(case when f.outcome = 'added' then 1 else 0 end), 0) as bigint) as added,
                cast(coalesce(sum(case when f.outcome = 'present' then 1 else 0 end), 0) as bigint) as present,
                cast(coalesce(sum(case when f.outcome = 'failed' then 1 else 0 end), 0) as bigint) as failed
             from opml_imports i left join opml_import_feeds f on f.import_id = i.id ",
            $rest
        )
    };
}

/// An import of this user with its progress.
pub async fn get(db: &Db, user: UserId, import: ImportId) -> Result<Option<Import>> {
    db.read(select_import!("where i.user_id = $1 and i.id = $2 group by i.id, i.total, i.created_at"))
        .bind(user)
        .bind(import)
        .optional()
        .await
}

/// The user's latest imports, newest first.
pub async fn list(db: &Db, user: UserId, limit: i64) -> Result<Vec<Import>> {
    db.read(select_import!(
        "where i.id in (select id from opml_imports where user_id = $1 order by created_at desc, id desc limit $2)
         group by i.id, i.total, i.created_at order by i.created_at desc, i.id desc"
    ))
    .bind(user)
    .bind(limit)
    .all()
    .await
}

/// The columns of [`ImportedFeed`], from `opml_import_feeds` as `f`.
macro_rules! import_feed_columns {
    () => {
        "f.position, f.feed_url, f.title, f.folder, cast(f.outcome as text) as outcome, f.error_code, f.feed_id"
    };
}

/// The feeds of the user's import, in the order of the file.
pub async fn list_feeds(db: &Db, user: UserId, import: ImportId) -> Result<Vec<ImportedFeed>> {
    db.read(concat!(
        "select ",
        import_feed_columns!(),
        " from opml_import_feeds f join opml_imports i on i.id = f.import_id
          where i.user_id = $1 and f.import_id = $2 order by f.position"
    ))
    .bind(user)
    .bind(import)
    .all()
    .await
}

/// One feed of an import, and the import's user.
pub async fn get_feed(db: &Db, place: ImportFeedKey) -> Result<Option<(UserId, ImportedFeed)>> {
    let owner = db.read("select user_id from opml_imports where id = $1").bind(place.import);
    let Some((user,)) = owner.optional::<(UserId,)>().await? else { return Ok(None) };
    let feed = db
        .read(concat!(
            "select ",
            import_feed_columns!(),
            " from opml_import_feeds f where f.import_id = $1 and f.position = $2"
        ))
        .bind(place.import)
        .bind(place.position)
        .optional()
        .await?;
    Ok(feed.map(|feed| (user, feed)))
}

/// The outcome of a feed of an import.
#[derive(Debug, Clone, Copy)]
pub struct Imported {
    pub place: ImportFeedKey,
    pub outcome: ImportOutcome,
    pub error_code: Option<&'static str>,
    pub feed: Option<FeedId>,
}

/// Stores the outcome of a feed that is still waiting. False if it has an outcome already.
pub async fn mark_imported(tx: &mut Tx, user: UserId, imported: &Imported, now: DateTime<Utc>) -> Result<bool> {
    let marked = tx
        .query(
            "update opml_import_feeds set outcome = $3, error_code = $4, feed_id = $5, updated_at = $6
             where import_id = $1 and position = $2 and outcome = 'waiting'
                and import_id in (select id from opml_imports where user_id = $7)",
        )
        .bind(imported.place.import)
        .bind(imported.place.position)
        .bind(imported.outcome)
        .bind(imported.error_code.map(str::to_owned))
        .bind(imported.feed)
        .bind(now)
        .bind(user)
        .execute()
        .await?;
    tx.changed(Change::User(user));
    Ok(marked > 0)
}
