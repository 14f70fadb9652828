//! Where a person's subscriptions are kept: put into a folder when they come, listed by folder when they leave.

use crate::{Db, FolderId, Result, SubscriptionId, Tx, UserId};

/// A subscription as it is written to a file.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct Filed {
    pub feed_url: String,
    /// The site it belongs to.
    pub site_url: Option<String>,
    /// What the person calls it, else what it calls itself.
    pub title: String,
    /// The name of its folder.
    pub folder: Option<String>,
}

/// Whether the person has this folder.
pub async fn has_folder(tx: &mut Tx, user: UserId, folder: FolderId) -> Result<bool> {
    let count: i64 = tx
        .query("select count(*) from folders where user_id = $1 and id = $2")
        .bind(user)
        .bind(folder)
        .scalar()
        .await?;
    Ok(count > 0)
}

/// Puts a new subscription into a folder, under a title that counts only if the feed is called otherwise.
pub async fn file(
    tx: &mut Tx,
    user: UserId,
    subscription: SubscriptionId,
    folder: Option<FolderId>,
    title: Option<&str>,
) -> Result<()> {
    tx.query(
        "update subscriptions set folder_id = $3,
            title = case when $4 = (select f.title from feeds f where f.id = subscriptions.feed_id) then null else $4 end
         where user_id = $1 and id = $2",
    )
    .bind(user)
    .bind(subscription)
    .bind(folder)
    .bind(title.map(str::to_owned))
    .execute()
    .await
    .map(drop)
}

/// All subscriptions of a person: by folder in its order, then those without, each by title.
pub async fn list(db: &Db, user: UserId) -> Result<Vec<Filed>> {
    db.read(
        "select f.feed_url, f.site_url, coalesce(s.title, f.title) as title, d.name as folder
         from subscriptions s join feeds f on f.id = s.feed_id left join folders d on d.id = s.folder_id
         where s.user_id = $1
         order by case when d.id is null then 1 else 0 end, d.position, lower(coalesce(s.title, f.title)), f.feed_url",
    )
    .bind(user)
    .all()
    .await
}
