//! The table `api_tokens`: tokens for scripts. A row is found by the hash of the token.

use chrono::{DateTime, TimeDelta, Utc};
use serde::Serialize;

use crate::{
    Change, Db, Result, TokenId, Tx, UserId,
    users::{User, user_columns},
};

/// What a token allows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, sqlx::Type)]
#[serde(rename_all = "lowercase")]
#[sqlx(type_name = "text", rename_all = "lowercase")]
pub enum Scope {
    /// Reading.
    Read,
    /// Reading and writing.
    Write,
}

/// A token in the user's list.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct Token {
    pub id: TokenId,
    pub name: String,
    pub scope: Scope,
    pub created_at: DateTime<Utc>,
    /// With a precision of a minute.
    pub last_used_at: Option<DateTime<Utc>>,
}

/// A token found by its hash, with its user.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct TokenWithUser {
    #[sqlx(flatten)]
    pub user: User,
    pub token_id: TokenId,
    pub scope: Scope,
    /// With a precision of a minute.
    pub last_used_at: Option<DateTime<Utc>>,
}

/// Creates a token.
pub async fn create(tx: &mut Tx, user: UserId, token: &Token, hash: &str) -> Result<()> {
    tx.query(
        "insert into api_tokens (id, user_id, name, token_hash, scope, created_at) values ($1, $2, $3, $4, $5, $6)",
    )
    .bind(token.id)
    .bind(user)
    .bind(token.name.clone())
    .bind(hash.to_owned())
    .bind(token.scope)
    .bind(token.created_at)
    .execute()
    .await
    .map(drop)
}

/// The token with this hash.
pub async fn find(db: &Db, hash: &str) -> Result<Option<TokenWithUser>> {
    db.read(concat!(
        "select ",
        user_columns!(),
        ", t.id as token_id, cast(t.scope as text) as scope, t.last_used_at
         from api_tokens t join users u on u.id = t.user_id where t.token_hash = $1"
    ))
    .bind(hash.to_owned())
    .optional()
    .await
}

/// Stores that a token was used, at most once `within` this time. True if it was stored.
pub async fn mark_used(db: &Db, token: TokenId, within: TimeDelta, now: DateTime<Utc>) -> Result<bool> {
    let noted = db
        .write("update api_tokens set last_used_at = $2 where id = $1 and (last_used_at is null or last_used_at <= $3)")
        .bind(token)
        .bind(now)
        .bind(now - within)
        .execute()
        .await?;
    Ok(noted > 0)
}

/// The user's tokens, oldest first.
pub async fn list(db: &Db, user: UserId) -> Result<Vec<Token>> {
    db.read(
        "select id, name, cast(scope as text) as scope, created_at, last_used_at from api_tokens where user_id = $1
         order by created_at, id",
    )
    .bind(user)
    .all()
    .await
}

/// The number of the user's tokens.
pub async fn count(tx: &mut Tx, user: UserId) -> Result<i64> {
    tx.query("select count(*) from api_tokens where user_id = $1").bind(user).scalar().await
}

/// Deletes a token. False if it is not the user's.
pub async fn delete(tx: &mut Tx, user: UserId, token: TokenId) -> Result<bool> {
    let deleted =
        tx.query("delete from api_tokens where user_id = $1 and id = $2").bind(user).bind(token).execute().await?;
    tx.changed(Change::User(user));
    Ok(deleted > 0)
}
