//! The table `users`. Only [`Credentials`] contains a password hash.

use chrono::{DateTime, Utc};
use serde::Serialize;

use crate::{Db, Result, Tx, UserId};

/// A user's permissions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, sqlx::Type)]
#[serde(rename_all = "lowercase")]
#[sqlx(type_name = "text", rename_all = "lowercase")]
pub enum Role {
    /// Their own data.
    Member,
    /// Administration of the whole instance.
    Owner,
}

/// A user account.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct User {
    pub id: UserId,
    /// Unique, ignoring case.
    pub email: String,
    pub name: String,
    pub role: Role,
    pub has_password: bool,
    /// Whether the address is verified.
    pub is_email_verified: bool,
    pub created_at: DateTime<Utc>,
}

/// A user with their password hash. Has no `Debug`, so that it is never logged.
#[derive(Clone, sqlx::FromRow)]
pub struct Credentials {
    #[sqlx(flatten)]
    pub user: User,
    /// argon2id. None for users who sign in only with a provider.
    pub password_hash: Option<String>,
}

/// A user in the owner's list.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct UserSummary {
    #[sqlx(flatten)]
    pub user: User,
    pub subscriptions: i64,
    /// The last request, with a precision of some minutes.
    pub last_seen_at: Option<DateTime<Utc>>,
}

/// A result with the number of the user's last write that it contains.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Revised<T> {
    pub value: T,
    pub revision: i64,
}

/// A new user. Has no `Debug`, so that the password hash is never logged.
#[derive(Clone)]
pub struct NewUser {
    /// In lower case.
    pub email: String,
    pub name: String,
    pub role: Role,
    /// argon2id.
    pub password_hash: Option<String>,
    /// Whether the address is verified.
    pub is_email_verified: bool,
}

/// The columns of [`User`], from `users` as `u`.
macro_rules! user_columns {
    () => {
        "u.id, u.email, u.name, cast(u.role as text) as role, u.password_hash is not null as has_password,
         u.email_verified_at is not null as is_email_verified, u.created_at"
    };
}
pub(crate) use user_columns;

/// Creates a user who cannot sign in, until [`claim`] is called. Fails with a conflict if the address is taken.
pub async fn create_unclaimed(db: &Db, email: &str, name: &str, now: DateTime<Utc>) -> Result<UserId> {
    let id = UserId::new();
    db.write("insert into users (id, email, name, created_at, updated_at) values ($1, $2, $3, $4, $4)")
        .bind(id)
        .bind(email.to_owned())
        .bind(name.to_owned())
        .bind(now)
        .execute()
        .await?;
    Ok(id)
}

/// Creates a user. Fails with a conflict if the address is taken.
pub async fn create(tx: &mut Tx, new: &NewUser, now: DateTime<Utc>) -> Result<UserId> {
    let id = UserId::new();
    tx.query(
        "insert into users (id, email, name, role, password_hash, password_changed_at, email_verified_at, created_at, updated_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $8)",
    )
    .bind(id)
    .bind(new.email.clone())
    .bind(new.name.clone())
    .bind(new.role)
    .bind(new.password_hash.clone())
    .bind(new.password_hash.is_some().then_some(now))
    .bind(new.is_email_verified.then_some(now))
    .bind(now)
    .execute()
    .await?;
    Ok(id)
}

/// Turns the user with this address, who cannot sign in, into `new` and keeps their data. None if there is no such user or they
/// can sign in. Fails with a conflict if the new address is taken.
pub async fn claim(tx: &mut Tx, email: &str, new: &NewUser, now: DateTime<Utc>) -> Result<Option<UserId>> {
    let taken = tx
        .query(
            "update users set email = $2, name = $3, role = $4, password_hash = $5, password_changed_at = $6,
                email_verified_at = $7, updated_at = $8
             where lower(email) = $1 and password_hash is null
                and not exists (select 1 from identities i where i.user_id = users.id)
             returning id",
        )
        .bind(email.to_owned())
        .bind(new.email.clone())
        .bind(new.name.clone())
        .bind(new.role)
        .bind(new.password_hash.clone())
        .bind(new.password_hash.is_some().then_some(now))
        .bind(new.is_email_verified.then_some(now))
        .bind(now)
        .optional::<(UserId,)>()
        .await?;
    Ok(taken.map(|(id,)| id))
}

/// The user with this id.
pub async fn get(db: &Db, user: UserId) -> Result<Option<User>> {
    db.read(concat!("select ", user_columns!(), " from users u where u.id = $1")).bind(user).optional().await
}

/// The user with this address, ignoring case.
pub async fn find_by_email(db: &Db, email: &str) -> Result<Option<User>> {
    db.read(concat!("select ", user_columns!(), " from users u where lower(u.email) = $1"))
        .bind(email.to_lowercase())
        .optional()
        .await
}

/// The same inside a transaction.
pub async fn find_by_email_in(tx: &mut Tx, email: &str) -> Result<Option<User>> {
    tx.query(concat!("select ", user_columns!(), " from users u where lower(u.email) = $1"))
        .bind(email.to_lowercase())
        .optional()
        .await
}

/// The user with this address, with their password hash.
pub async fn find_credentials(db: &Db, email: &str) -> Result<Option<Credentials>> {
    db.read(concat!("select ", user_columns!(), ", u.password_hash from users u where lower(u.email) = $1"))
        .bind(email.to_lowercase())
        .optional()
        .await
}

/// The user with this id, with their password hash.
pub async fn get_credentials(db: &Db, user: UserId) -> Result<Option<Credentials>> {
    db.read(concat!("select ", user_columns!(), ", u.password_hash from users u where u.id = $1"))
        .bind(user)
        .optional()
        .await
}

/// Whether any user can sign in, with a password or a provider.
pub async fn any_can_sign_in(db: &Db) -> Result<bool> {
    db.read(ANY_CAN_SIGN_IN).scalar().await
}

/// The same inside a transaction.
pub async fn any_can_sign_in_tx(tx: &mut Tx) -> Result<bool> {
    tx.query(ANY_CAN_SIGN_IN).scalar().await
}

/// Identities first: without any, the first user has a password, so neither table is read completely.
const ANY_CAN_SIGN_IN: &str = "select exists (select 1 from identities)
    or exists (select 1 from users where password_hash is not null)";

/// Locks the user until the transaction ends. False if the user does not exist.
pub async fn lock(tx: &mut Tx, user: UserId) -> Result<bool> {
    let query = tx.query_locking("select cast(1 as bigint) from users where id = $1", " for no key update");
    Ok(query.bind(user).optional::<(i64,)>().await?.is_some())
}

/// Counts a write to the user's data. Called in the transaction of the write.
pub async fn increment_revision(tx: &mut Tx, user: UserId) -> Result<()> {
    tx.query("update users set revision = revision + 1 where id = $1").bind(user).execute().await.map(drop)
}

/// The number of the user's last write, as the transaction sees it.
pub async fn get_revision(tx: &mut Tx, user: UserId) -> Result<i64> {
    tx.query("select coalesce(max(revision), 0) from users where id = $1").bind(user).scalar().await
}

/// The number of the user's last write, for an answer without rows.
pub(crate) async fn read_revision(db: &Db, user: UserId) -> Result<i64> {
    db.read("select coalesce(max(revision), 0) from users where id = $1").bind(user).scalar().await
}

/// The password hash. None if the user does not exist or has no password.
pub async fn get_password_hash(tx: &mut Tx, user: UserId) -> Result<Option<String>> {
    let found = tx.query("select password_hash from users where id = $1").bind(user);
    Ok(found.optional::<(Option<String>,)>().await?.and_then(|(hash,)| hash))
}

/// Sets the password hash after a change of the password.
pub async fn set_password(tx: &mut Tx, user: UserId, hash: &str, now: DateTime<Utc>) -> Result<()> {
    tx.query("update users set password_hash = $2, password_changed_at = $3, updated_at = $3 where id = $1")
        .bind(user)
        .bind(hash.to_owned())
        .bind(now)
        .execute()
        .await
        .map(drop)
}

/// Replaces the hash of the same password, unless it has changed meanwhile.
pub async fn replace_hash(db: &Db, user: UserId, old: &str, new: &str) -> Result<()> {
    db.write("update users set password_hash = $3 where id = $1 and password_hash = $2")
        .bind(user)
        .bind(old.to_owned())
        .bind(new.to_owned())
        .execute()
        .await
        .map(drop)
}

/// Sets the role. True if it changed.
pub async fn set_role(tx: &mut Tx, user: UserId, role: Role, now: DateTime<Utc>) -> Result<bool> {
    let changed = tx
        .query("update users set role = $2, updated_at = $3 where id = $1 and role <> $2")
        .bind(user)
        .bind(role)
        .bind(now)
        .execute()
        .await?;
    Ok(changed > 0)
}

/// Stores that the address is verified.
pub async fn mark_email_verified(tx: &mut Tx, user: UserId, now: DateTime<Utc>) -> Result<()> {
    tx.query("update users set email_verified_at = $2, updated_at = $2 where id = $1 and email_verified_at is null")
        .bind(user)
        .bind(now)
        .execute()
        .await
        .map(drop)
}

/// Changes the user's name. False if the user does not exist.
pub async fn rename(db: &Db, user: UserId, name: &str, now: DateTime<Utc>) -> Result<bool> {
    let renamed = db
        .write("update users set name = $2, updated_at = $3 where id = $1")
        .bind(user)
        .bind(name.to_owned())
        .bind(now)
        .execute()
        .await?;
    Ok(renamed > 0)
}

/// Stores the time of the last request. Not inside another transaction, so that deleting the user never waits for it.
pub async fn mark_seen(db: &Db, user: UserId, now: DateTime<Utc>) -> Result<()> {
    db.write("update users set last_seen_at = $2 where id = $1").bind(user).bind(now).execute().await.map(drop)
}

/// Users for the owner's list, oldest account first, after the user `after`.
pub async fn list_summaries(db: &Db, after: Option<UserId>, limit: i64) -> Result<Vec<UserSummary>> {
    // Version 7 ids sort by time, so the id is the whole sort key.
    db.read(concat!(
        "select ",
        user_columns!(),
        ", u.last_seen_at, (select count(*) from subscriptions s where s.user_id = u.id) as subscriptions
         from users u where u.id > $1 order by u.id limit $2"
    ))
    .bind(after.unwrap_or(UserId(uuid::Uuid::nil())))
    .bind(limit)
    .all()
    .await
}
