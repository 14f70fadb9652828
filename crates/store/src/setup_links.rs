//! The table `setup_links`: links that make the first account, each once.

use chrono::{DateTime, Utc};

use crate::{Db, Result, Tx, dialect};

/// Notes a link by the hash of its token.
pub async fn add(db: &Db, hash: &str, expires_at: DateTime<Utc>, now: DateTime<Utc>) -> Result<()> {
    db.write("insert into setup_links (token_hash, expires_at, created_at) values ($1, $2, $3)")
        .bind(hash.to_owned())
        .bind(expires_at)
        .bind(now)
        .execute()
        .await
        .map(drop)
}

/// Whether the link is still good.
pub async fn is_good(db: &Db, hash: &str, now: DateTime<Utc>) -> Result<bool> {
    db.read("select exists (select 1 from setup_links where token_hash = $1 and expires_at > $2)")
        .bind(hash.to_owned())
        .bind(now)
        .scalar()
        .await
}

/// Uses the link up, and with it all others; whoever else uses one waits until the transaction ends. False if it is not good.
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

/// Forgets links that are no longer good; tells how many.
pub async fn prune(db: &Db, now: DateTime<Utc>) -> Result<u64> {
    db.write("delete from setup_links where expires_at <= $1").bind(now).execute().await
}
