//! The table `sessions`: signed-in browsers. A row is found by the hash of the cookie's secret, and shown by its `SessionId`.

use chrono::{DateTime, Utc};

use crate::{
    Change, Db, Result, SessionId, Tx, UserId,
    users::{User, user_columns},
};

/// A valid session with its user.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct Session {
    #[sqlx(flatten)]
    pub user: User,
    pub public_id: SessionId,
    /// Moved ahead by each visit.
    pub expires_at: DateTime<Utc>,
    /// The last request, with a precision of some minutes.
    pub seen_at: DateTime<Utc>,
}

/// A session in the user's list.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct ListedSession {
    pub public_id: SessionId,
    /// JSON: the browser's name, its address and the sign-in method.
    pub data: Vec<u8>,
    pub created_at: DateTime<Utc>,
    /// The last request, with a precision of some minutes.
    pub seen_at: DateTime<Utc>,
    /// Moved ahead by each visit.
    pub expires_at: DateTime<Utc>,
}

/// A new session.
#[derive(Debug, Clone)]
pub struct NewSession<'a> {
    /// The hash of the cookie's secret.
    pub hash: &'a str,
    /// JSON: the browser's name, its address and the sign-in method.
    pub data: Vec<u8>,
    /// Moved ahead by each visit.
    pub expires_at: DateTime<Utc>,
}

/// Creates a session.
pub async fn create(tx: &mut Tx, user: UserId, new: &NewSession<'_>, now: DateTime<Utc>) -> Result<SessionId> {
    let id = SessionId::new();
    tx.query(
        "insert into sessions (id, user_id, data, expires_at, created_at, public_id, seen_at)
         values ($1, $2, $3, $4, $5, $6, $5)",
    )
    .bind(new.hash.to_owned())
    .bind(user)
    .bind(new.data.clone())
    .bind(new.expires_at)
    .bind(now)
    .bind(id)
    .execute()
    .await?;
    Ok(id)
}

/// The session whose secret has this hash, unless it has expired.
pub async fn find(db: &Db, hash: &str, now: DateTime<Utc>) -> Result<Option<Session>> {
    db.read(concat!(
        "select ",
        user_columns!(),
        ", s.public_id, s.expires_at, s.seen_at from sessions s join users u on u.id = s.user_id
         where s.id = $1 and s.expires_at > $2"
    ))
    .bind(hash.to_owned())
    .bind(now)
    .optional()
    .await
}

/// Stores the time of the last request and the new end. False if the session has expired.
pub async fn mark_seen(db: &Db, session: SessionId, expires_at: DateTime<Utc>, now: DateTime<Utc>) -> Result<bool> {
    let seen = db
        .write("update sessions set seen_at = $2, expires_at = $3 where public_id = $1 and expires_at > $2")
        .bind(session)
        .bind(now)
        .bind(expires_at)
        .execute()
        .await?;
    Ok(seen > 0)
}

/// The user's valid sessions, last used first.
pub async fn list(db: &Db, user: UserId, now: DateTime<Utc>) -> Result<Vec<ListedSession>> {
    db.read(
        "select public_id, data, created_at, seen_at, expires_at from sessions where user_id = $1 and expires_at > $2
         order by seen_at desc, public_id desc",
    )
    .bind(user)
    .bind(now)
    .all()
    .await
}

/// Deletes the session whose secret has this hash. Returns its user and id.
pub async fn delete_by_hash(tx: &mut Tx, hash: &str) -> Result<Option<(UserId, SessionId)>> {
    let removed = tx
        .query("delete from sessions where id = $1 returning user_id, public_id")
        .bind(hash.to_owned())
        .optional::<(UserId, SessionId)>()
        .await?;
    if let Some((user, _)) = removed {
        tx.changed(Change::User(user));
    }
    Ok(removed)
}

/// Deletes a session. False if it is not the user's.
pub async fn delete(tx: &mut Tx, user: UserId, session: SessionId) -> Result<bool> {
    let removed = tx
        .query("delete from sessions where user_id = $1 and public_id = $2")
        .bind(user)
        .bind(session)
        .execute()
        .await?;
    tx.changed(Change::User(user));
    Ok(removed > 0)
}

/// Deletes all sessions of a user except `keep`. Returns how many.
pub async fn delete_others(tx: &mut Tx, user: UserId, keep: Option<SessionId>) -> Result<u64> {
    let removed = tx
        .query("delete from sessions where user_id = $1 and public_id <> $2")
        .bind(user)
        .bind(keep.unwrap_or(SessionId(uuid::Uuid::nil())))
        .execute()
        .await?;
    tx.changed(Change::User(user));
    Ok(removed)
}

/// Deletes the user's least recently used sessions beyond the first `limit`.
pub async fn delete_beyond(tx: &mut Tx, user: UserId, limit: i64) -> Result<()> {
    let removed = tx
        .query(
            "delete from sessions where user_id = $1 and public_id not in
                (select s.public_id from sessions s where s.user_id = $1 order by s.seen_at desc, s.public_id desc limit $2)",
        )
        .bind(user)
        .bind(limit)
        .execute()
        .await?;
    if removed > 0 {
        tx.changed(Change::User(user));
    }
    Ok(())
}

/// Deletes at most `limit` expired sessions. Returns how many.
pub async fn prune(db: &Db, now: DateTime<Utc>, limit: i64) -> Result<u64> {
    db.write("delete from sessions where id in (select s.id from sessions s where s.expires_at <= $1 order by s.expires_at limit $2)")
        .bind(now)
        .bind(limit)
        .execute()
        .await
}
