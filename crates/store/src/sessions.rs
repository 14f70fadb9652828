//! The table `sessions`: signed-in browsers. A row is found by the hash of what the browser keeps, and named by its `SessionId`.

use chrono::{DateTime, Utc};

use crate::{
    Change, Db, Result, SessionId, Tx, UserId,
    users::{User, user_columns},
};

/// A session that is going on, with its person.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct Session {
    #[sqlx(flatten)]
    pub user: User,
    /// What lists name it by.
    pub public_id: SessionId,
    /// When it ends unless the person comes back.
    pub expires_at: DateTime<Utc>,
    /// When the person was last here, to some minutes.
    pub seen_at: DateTime<Utc>,
}

/// A session as its person sees it in a list.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct ListedSession {
    /// What it is named by.
    pub public_id: SessionId,
    /// JSON: the browser's name, its address, how the person signed in.
    pub data: Vec<u8>,
    /// When the person signed in.
    pub created_at: DateTime<Utc>,
    /// When they were last here, to some minutes.
    pub seen_at: DateTime<Utc>,
    /// When it ends unless they come back.
    pub expires_at: DateTime<Utc>,
}

/// A session that begins.
#[derive(Debug, Clone)]
pub struct NewSession<'a> {
    /// The hash of what the browser keeps.
    pub hash: &'a str,
    /// JSON: the browser's name, its address, how the person signed in.
    pub data: Vec<u8>,
    /// When it ends unless the person comes back.
    pub expires_at: DateTime<Utc>,
}

/// Begins a session.
pub async fn add(tx: &mut Tx, user: UserId, new: &NewSession<'_>, now: DateTime<Utc>) -> Result<SessionId> {
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

/// The session whose secret has this hash, unless it has ended.
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

/// Notes that the person is here, and when the session ends now. One that has ended stays so: false.
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

/// A person's sessions that are going on, the latest seen first.
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

/// Ends the session whose secret has this hash; tells whose it was.
pub async fn remove_by_hash(tx: &mut Tx, hash: &str) -> Result<Option<(UserId, SessionId)>> {
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

/// Ends a session. False if it is not the person's.
pub async fn remove(tx: &mut Tx, user: UserId, session: SessionId) -> Result<bool> {
    let removed = tx
        .query("delete from sessions where user_id = $1 and public_id = $2")
        .bind(user)
        .bind(session)
        .execute()
        .await?;
    tx.changed(Change::User(user));
    Ok(removed > 0)
}

/// Ends all sessions of a person but one; tells how many.
pub async fn remove_others(tx: &mut Tx, user: UserId, keep: Option<SessionId>) -> Result<u64> {
    let removed = tx
        .query("delete from sessions where user_id = $1 and public_id <> $2")
        .bind(user)
        .bind(keep.unwrap_or(SessionId(uuid::Uuid::nil())))
        .execute()
        .await?;
    tx.changed(Change::User(user));
    Ok(removed)
}

/// Ends those of a person that were seen longest ago, beyond `most`.
pub async fn remove_beyond(tx: &mut Tx, user: UserId, most: i64) -> Result<()> {
    let removed = tx
        .query(
            "delete from sessions where user_id = $1 and public_id not in
                (select s.public_id from sessions s where s.user_id = $1 order by s.seen_at desc, s.public_id desc limit $2)",
        )
        .bind(user)
        .bind(most)
        .execute()
        .await?;
    if removed > 0 {
        tx.changed(Change::User(user));
    }
    Ok(())
}

/// Forgets sessions that have ended, so many at the most; tells how many.
pub async fn prune(db: &Db, now: DateTime<Utc>, most: i64) -> Result<u64> {
    db.write("delete from sessions where id in (select s.id from sessions s where s.expires_at <= $1 order by s.expires_at limit $2)")
        .bind(now)
        .bind(most)
        .execute()
        .await
}
