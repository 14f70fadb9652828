//! The table `setup_links`: one-time links that create the first account.

use chrono::{DateTime, Utc};

use crate::{Db, Result, Tx, dialect};

/// Creates a link with the hash of its token.
pub async fn create(db: &Db, hash: &str, expires_at: DateTime<Utc>, now: DateTime<Utc>) -> Result<()> {
    db.write("insert into setup_links (token_hash, expires_at, created_at) values ($1, $2, $3)")
        .bind(hash.to_owned())
        .bind(expires_at)
        .bind(now)
        .execute()
        .await
        .map(drop)
}

/// Whether the link exists and has not expired.
pub async fn is_valid(db: &Db, hash: &str, now: DateTime<Utc>) -> Result<bool> {
    db.read("select exists (select 1 from setup_links where token_hash = $1 and expires_at > $2)")
        .bind(hash.to_owned())
        .bind(now)
        .scalar()
        .await
}

/// Deletes this link and all others. Concurrent calls wait until the transaction ends. False if the link is not valid.
pub async fn redeem(tx: &mut Tx, hash: &str, now: DateTime<Utc>) -> Result<bool> {
    dialect::lock(tx, "setup_links").await?;
    let redeemed = tx
        .query("delete from setup_links where token_hash = $1 and expires_at > $2")
        .bind(hash.to_owned())
        .bind(now)
        .execute()
        .await?;
    if redeemed > 0 {
        tx.query("delete from setup_links").execute().await?;
    }
    Ok(redeemed > 0)
}

/// Deletes expired links. Returns how many.
pub async fn prune(db: &Db, now: DateTime<Utc>) -> Result<u64> {
    db.write("delete from setup_links where expires_at <= $1").bind(now).execute().await
}
