//! Watched sites: `blog_state`, `blog_urls` and `check_history`.

use chrono::{DateTime, Utc};

use crate::{Db, FeedId, Result, SubscriptionId, Tx, UserId};

/// Where the posts of a site come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, sqlx::Type, serde::Serialize)]
#[sqlx(type_name = "text", rename_all = "snake_case")]
#[serde(rename_all = "snake_case")]
pub enum Source {
    /// A feed of the site.
    Feed,
    /// A sitemap of the site.
    Sitemap,
    /// The list of posts on the page.
    Page,
}

impl Source {
    /// The stored name.
    pub fn as_str(self) -> &'static str {
        match self {
            Source::Feed => "feed",
            Source::Sitemap => "sitemap",
            Source::Page => "page",
        }
    }
}

/// What is special about a site that can be read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, sqlx::Type)]
#[sqlx(type_name = "text", rename_all = "snake_case")]
pub enum Condition {
    /// Nothing is.
    #[default]
    Ok,
    /// No new post for a long time.
    Quiet,
    /// Many posts appeared at once. They were taken for old ones.
    Rebuilt,
}

impl Condition {
    fn as_str(self) -> &'static str {
        match self {
            Condition::Ok => "ok",
            Condition::Quiet => "quiet",
            Condition::Rebuilt => "rebuilt",
        }
    }
}

/// A row of `blog_state`.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct BlogState {
    pub blog_id: String,
    pub feed_id: FeedId,
    pub etag: Option<String>,
    pub last_modified: Option<String>,
    pub url_fingerprint: Option<String>,
    pub feed_url: Option<String>,
    pub sitemap_url: Option<String>,
    /// A JSON array.
    pub recent_entry_keys: Option<String>,
    pub last_check_at: DateTime<Utc>,
    pub last_change_at: Option<DateTime<Utc>>,
    pub newest_post_at: Option<DateTime<Utc>>,
    pub source: Source,
    pub list: Option<String>,
    /// JSON arrays.
    pub volatile_parameters: String,
    pub posts: String,
    pub include_words: String,
    pub exclude_words: String,
    pub state: Condition,
    pub rediscover_at: DateTime<Utc>,
}

/// The columns of [`BlogState`], of `blog_state` under the name `b`.
macro_rules! state_columns {
    () => {
        "b.blog_id, b.feed_id, b.etag, b.last_modified, b.url_fingerprint, b.feed_url, b.sitemap_url,
         b.recent_entry_keys, b.last_check_at, b.last_change_at, b.newest_post_at, cast(b.source as text) as source, b.list,
         b.volatile_parameters, b.posts, b.include_words, b.exclude_words, cast(b.state as text) as state,
         b.rediscover_at"
    };
}

/// What happened to an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, sqlx::Type)]
#[sqlx(type_name = "text", rename_all = "snake_case")]
pub enum UrlStatus {
    /// Seen once, not confirmed.
    Pending,
    /// It became an item.
    Told,
    /// It never becomes an item.
    Silent,
}

impl UrlStatus {
    fn as_str(self) -> &'static str {
        match self {
            UrlStatus::Pending => "pending",
            UrlStatus::Told => "told",
            UrlStatus::Silent => "silent",
        }
    }
}

/// A row of `check_history` before it has an id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewCheck {
    pub blog_id: String,
    pub checked_at: DateTime<Utc>,
    pub http_status: Option<i64>,
    pub is_skipped: bool,
    pub is_changed: bool,
    pub url_fingerprint: Option<String>,
    pub error_message: Option<String>,
}

/// A row of `check_history`.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct Check {
    pub id: i64,
    pub checked_at: DateTime<Utc>,
    pub http_status: Option<i64>,
    pub skipped: i64,
    pub changed: i64,
    pub url_fingerprint: Option<String>,
    pub error_message: Option<String>,
}

/// How the checks of a day went.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct DayOfChecks {
    pub blog_id: String,
    /// As `2026-11-18`, in UTC.
    pub day: String,
    pub changed: i64,
    pub failed: i64,
    pub checks: i64,
}

/// The state of a site, if it was checked before.
pub async fn get_state(db: &Db, feed: FeedId) -> Result<Option<BlogState>> {
    db.read(concat!("select ", state_columns!(), " from blog_state b where b.feed_id = $1")).bind(feed).optional().await
}

/// The same in a transaction.
pub async fn get_state_in(tx: &mut Tx, feed: FeedId) -> Result<Option<BlogState>> {
    tx.query(concat!("select ", state_columns!(), " from blog_state b where b.feed_id = $1"))
        .bind(feed)
        .optional()
        .await
}

/// The states of these sites.
pub async fn list_states(db: &Db, feeds: &[FeedId]) -> Result<Vec<BlogState>> {
    db.read(concat!(
        "select ",
        state_columns!(),
        " from blog_state b where b.feed_id in (select unhex(value) from json_each($1))"
    ))
    .bind_ids(feeds.iter().copied())
    .all()
    .await
}

/// The sites that a user subscribes to.
pub async fn list_subscribed_sites(db: &Db, user: UserId) -> Result<Vec<FeedId>> {
    let feeds: Vec<(FeedId,)> = db
        .read(
            "select f.id from subscriptions s join feeds f on f.id = s.feed_id
             where s.user_id = $1 and f.kind = 'site' order by s.created_at, s.id",
        )
        .bind(user)
        .all()
        .await?;
    Ok(feeds.into_iter().map(|(id,)| id).collect())
}

/// The sites that any user subscribes to.
pub async fn list_all_subscribed_sites(db: &Db) -> Result<Vec<FeedId>> {
    let feeds: Vec<(FeedId,)> = db
        .read(
            "select f.id from feeds f
             where f.kind = 'site' and exists (select 1 from subscriptions s where s.feed_id = f.id) order by f.id",
        )
        .all()
        .await?;
    Ok(feeds.into_iter().map(|(id,)| id).collect())
}

/// The user's subscriptions to these feeds.
pub async fn list_subscriptions(db: &Db, user: UserId, feeds: &[FeedId]) -> Result<Vec<(FeedId, SubscriptionId)>> {
    db.read(
        "select feed_id, id from subscriptions
         where user_id = $1 and feed_id in (select unhex(value) from json_each($2))",
    )
    .bind(user)
    .bind_ids(feeds.iter().copied())
    .all()
    .await
}

/// How many users subscribe to a feed.
pub async fn count_subscribers(db: &Db, feed: FeedId) -> Result<i64> {
    db.read("select count(*) from subscriptions where feed_id = $1").bind(feed).scalar().await
}

/// Deletes the state of a site that had this identifier before.
async fn free_blog_id(tx: &mut Tx, blog_id: &str, feed: FeedId) -> Result<()> {
    tx.query("delete from blog_state where blog_id = $1 and feed_id <> $2")
        .bind(blog_id.to_owned())
        .bind(feed)
        .execute()
        .await
        .map(drop)
}

/// Writes the state after a check. An identifier that named another site before names this one now.
pub async fn put_state(tx: &mut Tx, state: &BlogState) -> Result<()> {
    free_blog_id(tx, &state.blog_id, state.feed_id).await?;
    tx.query(
        "insert into blog_state (blog_id, feed_id, etag, last_modified, url_fingerprint, feed_url, sitemap_url,
            recent_entry_keys, last_check_at, last_change_at, source, list, volatile_parameters, posts, include_words,
            exclude_words, state, rediscover_at, newest_post_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19)
         on conflict (feed_id) do update set blog_id = excluded.blog_id, etag = excluded.etag, last_modified = excluded.last_modified,
            url_fingerprint = excluded.url_fingerprint, feed_url = excluded.feed_url,
            sitemap_url = excluded.sitemap_url, recent_entry_keys = excluded.recent_entry_keys,
            last_check_at = excluded.last_check_at, last_change_at = excluded.last_change_at, source = excluded.source,
            list = excluded.list, volatile_parameters = excluded.volatile_parameters, posts = excluded.posts,
            include_words = excluded.include_words, exclude_words = excluded.exclude_words, state = excluded.state,
            rediscover_at = excluded.rediscover_at, newest_post_at = excluded.newest_post_at",
    )
    .bind(state.blog_id.clone())
    .bind(state.feed_id)
    .bind(state.etag.clone())
    .bind(state.last_modified.clone())
    .bind(state.url_fingerprint.clone())
    .bind(state.feed_url.clone())
    .bind(state.sitemap_url.clone())
    .bind(state.recent_entry_keys.clone())
    .bind(state.last_check_at)
    .bind(state.last_change_at)
    .bind(state.source.as_str().to_owned())
    .bind(state.list.clone())
    .bind(state.volatile_parameters.clone())
    .bind(state.posts.clone())
    .bind(state.include_words.clone())
    .bind(state.exclude_words.clone())
    .bind(state.state.as_str().to_owned())
    .bind(state.rediscover_at)
    .bind(state.newest_post_at)
    .execute()
    .await
    .map(drop)
}

/// Notes a check that changed nothing. Lists and words stay as they are.
pub async fn touch_state(tx: &mut Tx, feed: FeedId, blog_id: &str, now: DateTime<Utc>) -> Result<()> {
    free_blog_id(tx, blog_id, feed).await?;
    tx.query("update blog_state set last_check_at = $2, blog_id = $3 where feed_id = $1")
        .bind(feed)
        .bind(now)
        .bind(blog_id.to_owned())
        .execute()
        .await
        .map(drop)
}

/// Sets the words of a site. False if it was never checked.
pub async fn set_words(tx: &mut Tx, feed: FeedId, include: &str, exclude: &str) -> Result<bool> {
    let set = tx
        .query("update blog_state set include_words = $2, exclude_words = $3 where feed_id = $1")
        .bind(feed)
        .bind(include.to_owned())
        .bind(exclude.to_owned())
        .execute()
        .await?;
    Ok(set > 0)
}

/// Those of these addresses that were seen before.
pub async fn list_known_urls(db: &Db, feed: FeedId, hashes: Vec<String>) -> Result<Vec<(String, UrlStatus)>> {
    db.read(
        "select url_hash, cast(status as text) as status from blog_urls
         where feed_id = $1 and url_hash in (select value from json_each($2))",
    )
    .bind(feed)
    .bind_texts(hashes)
    .all()
    .await
}

/// Whether an address waits for its confirmation.
pub async fn has_pending_urls(db: &Db, feed: FeedId) -> Result<bool> {
    db.read("select exists (select 1 from blog_urls where feed_id = $1 and status = 'pending')")
        .bind(feed)
        .scalar()
        .await
}

/// Forgets the addresses that wait for their confirmation and are no longer listed.
pub async fn drop_pending_urls(tx: &mut Tx, feed: FeedId, listed: Vec<String>) -> Result<()> {
    tx.query(
        "delete from blog_urls where feed_id = $1 and status = 'pending'
            and url_hash not in (select value from json_each($2))",
    )
    .bind(feed)
    .bind_texts(listed)
    .execute()
    .await
    .map(drop)
}

/// Notes addresses. One that waited for its confirmation gets the new status, others keep theirs.
pub async fn put_urls(
    tx: &mut Tx,
    feed: FeedId,
    hashes: Vec<String>,
    status: UrlStatus,
    now: DateTime<Utc>,
) -> Result<()> {
    if hashes.is_empty() {
        return Ok(());
    }
    // Each once: PostgreSQL refuses to update a row twice.
    tx.query(
        "insert into blog_urls (feed_id, url_hash, status, first_seen_at)
         select $1, value, $3, $4 from (select distinct value from json_each($2)) urls where true
         on conflict (feed_id, url_hash) do update set status = excluded.status where blog_urls.status = 'pending'",
    )
    .bind(feed)
    .bind_texts(hashes)
    .bind(status.as_str().to_owned())
    .bind(now)
    .execute()
    .await
    .map(drop)
}

/// Adds a check.
pub async fn add_check(tx: &mut Tx, check: &NewCheck) -> Result<()> {
    tx.query(
        "insert into check_history (blog_id, checked_at, http_status, skipped, changed, url_fingerprint, error_message)
         values ($1, $2, $3, $4, $5, $6, $7)",
    )
    .bind(check.blog_id.clone())
    .bind(check.checked_at)
    .bind(check.http_status)
    .bind(i64::from(check.is_skipped))
    .bind(i64::from(check.is_changed))
    .bind(check.url_fingerprint.clone())
    .bind(check.error_message.clone())
    .execute()
    .await
    .map(drop)
}

/// The checks of a blog before this one, the newest first.
pub async fn list_checks(db: &Db, blog_id: &str, before: (DateTime<Utc>, i64), limit: i64) -> Result<Vec<Check>> {
    db.read(
        "select id, checked_at, http_status, skipped, changed, url_fingerprint, error_message from check_history
         where blog_id = $1 and checked_at <= $2 and (checked_at < $2 or id < $3)
         order by checked_at desc, id desc limit $4",
    )
    .bind(blog_id.to_owned())
    .bind(before.0)
    .bind(before.1)
    .bind(limit)
    .all()
    .await
}

/// How the checks of these blogs went on each day since then.
pub async fn list_days(db: &Db, blog_ids: Vec<String>, since: DateTime<Utc>) -> Result<Vec<DayOfChecks>> {
    // Both databases write times in UTC, with the date first.
    db.read(
        "select c.blog_id, substr(cast(c.checked_at as text), 1, 10) as day, cast(sum(c.changed) as bigint) as changed,
            cast(sum(case when c.error_message is null then 0 else 1 end) as bigint) as failed, count(*) as checks
         from check_history c join json_each($1) k on k.value = c.blog_id where c.checked_at >= $2
         group by c.blog_id, substr(cast(c.checked_at as text), 1, 10) order by c.blog_id, day",
    )
    .bind_texts(blog_ids)
    .bind(since)
    .all()
    .await
}

/// Deletes old checks, at most `limit`. Returns how many.
pub async fn delete_checks(db: &Db, before: DateTime<Utc>, limit: i64) -> Result<u64> {
    db.write(
        "delete from check_history where id in
            (select id from check_history where checked_at < $1 order by checked_at limit $2)",
    )
    .bind(before)
    .bind(limit)
    .execute()
    .await
}
