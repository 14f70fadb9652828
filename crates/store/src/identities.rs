//! The table `identities`: sign-ins with a provider. The same subject at another issuer is another user.

use chrono::{DateTime, Utc};

use crate::{Db, IdentityId, Result, Tx, UserId};

/// A user's account at a sign-in provider.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct Identity {
    pub id: IdentityId,
    /// The kind of provider: `google` or `oidc`.
    pub provider: String,
    pub issuer: String,
    /// The address in the provider's last answer.
    pub email: Option<String>,
    pub created_at: DateTime<Utc>,
    pub last_used_at: Option<DateTime<Utc>>,
}

/// The key of an identity.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Subject<'a> {
    pub provider: &'a str,
    pub issuer: &'a str,
    pub provider_user_id: &'a str,
}

/// The user with this identity.
pub async fn find_user(tx: &mut Tx, subject: Subject<'_>) -> Result<Option<UserId>> {
    let found = tx
        .query("select user_id from identities where provider = $1 and issuer = $2 and provider_user_id = $3")
        .bind(subject.provider.to_owned())
        .bind(subject.issuer.to_owned())
        .bind(subject.provider_user_id.to_owned())
        .optional::<(UserId,)>()
        .await?;
    Ok(found.map(|(user,)| user))
}

/// Links an identity to a user. Fails with a conflict if it is linked already.
pub async fn create(
    tx: &mut Tx,
    user: UserId,
    subject: Subject<'_>,
    email: Option<&str>,
    now: DateTime<Utc>,
) -> Result<IdentityId> {
    let id = IdentityId::new();
    tx.query(
        "insert into identities (id, user_id, provider, issuer, provider_user_id, email, created_at)
         values ($1, $2, $3, $4, $5, $6, $7)",
    )
    .bind(id)
    .bind(user)
    .bind(subject.provider.to_owned())
    .bind(subject.issuer.to_owned())
    .bind(subject.provider_user_id.to_owned())
    .bind(email.map(str::to_owned))
    .bind(now)
    .execute()
    .await?;
    Ok(id)
}

/// Stores that the identity was used to sign in, and the address from the provider.
pub async fn mark_used(tx: &mut Tx, subject: Subject<'_>, email: Option<&str>, now: DateTime<Utc>) -> Result<()> {
    tx.query(
        "update identities set last_used_at = $4, email = coalesce($5, email)
         where provider = $1 and issuer = $2 and provider_user_id = $3",
    )
    .bind(subject.provider.to_owned())
    .bind(subject.issuer.to_owned())
    .bind(subject.provider_user_id.to_owned())
    .bind(now)
    .bind(email.map(str::to_owned))
    .execute()
    .await
    .map(drop)
}

/// The user's identities, oldest first.
pub async fn list(db: &Db, user: UserId) -> Result<Vec<Identity>> {
    db.read(
        "select id, provider, issuer, email, created_at, last_used_at from identities where user_id = $1
         order by created_at, id",
    )
    .bind(user)
    .all()
    .await
}

/// The number of the user's identities.
pub async fn count(tx: &mut Tx, user: UserId) -> Result<i64> {
    tx.query("select count(*) from identities where user_id = $1").bind(user).scalar().await
}

/// Deletes an identity. False if it is not the user's.
pub async fn delete(tx: &mut Tx, user: UserId, identity: IdentityId) -> Result<bool> {
    let removed =
        tx.query("delete from identities where user_id = $1 and id = $2").bind(user).bind(identity).execute().await?;
    Ok(removed > 0)
}
