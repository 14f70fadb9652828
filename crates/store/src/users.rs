//! The table `users`: people. What proves who somebody is never leaves [`Credentials`].

use chrono::{DateTime, Utc};
use serde::Serialize;

use crate::{Db, Result, Tx, UserId};

/// What somebody may do beyond their own things.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, sqlx::Type)]
#[serde(rename_all = "lowercase")]
#[sqlx(type_name = "text", rename_all = "lowercase")]
pub enum Role {
    /// Nothing.
    Member,
    /// Look after the whole machine.
    Owner,
}

/// A person.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct User {
    pub id: UserId,
    /// Unique, however it is capitalised.
    pub email: String,
    pub name: String,
    /// What they may do beyond their own things.
    pub role: Role,
    /// Whether they can sign in with a password.
    pub has_password: bool,
    /// Whether the address is known to be theirs.
    pub is_email_verified: bool,
    /// Since when they have an account.
    pub created_at: DateTime<Utc>,
}

/// A person with what proves who they are. Not for printing.
#[derive(Clone, sqlx::FromRow)]
pub struct Credentials {
    #[sqlx(flatten)]
    pub user: User,
    /// argon2id as text; none for who signs in with a provider only.
    pub password_hash: Option<String>,
}

/// A person as the owner sees them.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct Person {
    #[sqlx(flatten)]
    pub user: User,
    /// How many feeds they subscribe to.
    pub subscriptions: i64,
    /// When they were last here, to some minutes.
    pub last_seen_at: Option<DateTime<Utc>>,
}

/// A person who was not here before. Not for printing.
#[derive(Clone)]
pub struct NewUser {
    /// In lower case.
    pub email: String,
    pub name: String,
    /// What they may do beyond their own things.
    pub role: Role,
    /// argon2id as text.
    pub password_hash: Option<String>,
    /// Whether the address is known to be theirs.
    pub is_email_verified: bool,
}

/// The columns of [`User`], from `users` under the name `u`.
macro_rules! user_columns {
    () => {
        "u.id, u.email, u.name, cast(u.role as text) as role, u.password_hash is not null as has_password,
         u.email_verified_at is not null as is_email_verified, u.created_at"
    };
}
pub(crate) use user_columns;

/// Adds a person who cannot sign in yet; a conflict if the address is taken.
pub async fn add(db: &Db, email: &str, name: &str, now: DateTime<Utc>) -> Result<UserId> {
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

/// Adds a person; a conflict if the address is taken.
pub async fn insert(tx: &mut Tx, new: &NewUser, now: DateTime<Utc>) -> Result<UserId> {
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

/// Gives a person whom nothing lets in to somebody new, with all they have; none if there is nobody of this address, or
/// they can sign in. A conflict if the new address is taken.
pub async fn take_over(tx: &mut Tx, email: &str, new: &NewUser, now: DateTime<Utc>) -> Result<Option<UserId>> {
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

/// The person.
pub async fn get(db: &Db, user: UserId) -> Result<Option<User>> {
    db.read(concat!("select ", user_columns!(), " from users u where u.id = $1")).bind(user).optional().await
}

/// The person with this address, however it is capitalised.
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

/// The person with this address and what proves who they are.
pub async fn find_credentials(db: &Db, email: &str) -> Result<Option<Credentials>> {
    db.read(concat!("select ", user_columns!(), ", u.password_hash from users u where lower(u.email) = $1"))
        .bind(email.to_lowercase())
        .optional()
        .await
}

/// The same by id.
pub async fn get_credentials(db: &Db, user: UserId) -> Result<Option<Credentials>> {
    db.read(concat!("select ", user_columns!(), ", u.password_hash from users u where u.id = $1"))
        .bind(user)
        .optional()
        .await
}

/// The person who has been here longest.
pub async fn first(db: &Db) -> Result<Option<User>> {
    db.read(concat!("select ", user_columns!(), " from users u order by u.created_at, u.id limit 1")).optional().await
}

/// Whether anybody can sign in, with a password or a provider.
pub async fn is_anybody_let_in(db: &Db) -> Result<bool> {
    db.read(ANYBODY_LET_IN).scalar().await
}

/// The same inside a transaction.
pub async fn is_anybody_let_in_tx(tx: &mut Tx) -> Result<bool> {
    tx.query(ANYBODY_LET_IN).scalar().await
}

/// Identities first: where there are none, the first person has a password, so neither table is read through.
const ANYBODY_LET_IN: &str = "select exists (select 1 from identities)
    or exists (select 1 from users where password_hash is not null)";

/// Keeps others who change what this person has waiting until the transaction ends. False if the person is gone.
pub async fn lock(tx: &mut Tx, user: UserId) -> Result<bool> {
    let query = tx.query_locking("select cast(1 as bigint) from users where id = $1", " for no key update");
    Ok(query.bind(user).optional::<(i64,)>().await?.is_some())
}

/// What proves who this person is; none if they are gone or have no password.
pub async fn password_hash(tx: &mut Tx, user: UserId) -> Result<Option<String>> {
    let found = tx.query("select password_hash from users where id = $1").bind(user);
    Ok(found.optional::<(Option<String>,)>().await?.and_then(|(hash,)| hash))
}

/// Gives the person another password.
pub async fn set_password(tx: &mut Tx, user: UserId, hash: &str, now: DateTime<Utc>) -> Result<()> {
    tx.query("update users set password_hash = $2, password_changed_at = $3, updated_at = $3 where id = $1")
        .bind(user)
        .bind(hash.to_owned())
        .bind(now)
        .execute()
        .await
        .map(drop)
}

/// Keeps the same password under another hash, unless it was changed meanwhile.
pub async fn replace_hash(db: &Db, user: UserId, old: &str, new: &str) -> Result<()> {
    db.write("update users set password_hash = $3 where id = $1 and password_hash = $2")
        .bind(user)
        .bind(old.to_owned())
        .bind(new.to_owned())
        .execute()
        .await
        .map(drop)
}

/// Gives the person a role. True if it was another.
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

/// Notes that the address is the person's own.
pub async fn mark_email_verified(tx: &mut Tx, user: UserId, now: DateTime<Utc>) -> Result<()> {
    tx.query("update users set email_verified_at = $2, updated_at = $2 where id = $1 and email_verified_at is null")
        .bind(user)
        .bind(now)
        .execute()
        .await
        .map(drop)
}

/// Calls the person something else. False if they are gone.
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

/// Notes that the person is here. In no transaction with others: whoever removes the person waits for nobody.
pub async fn mark_seen(db: &Db, user: UserId, now: DateTime<Utc>) -> Result<()> {
    db.write("update users set last_seen_at = $2 where id = $1").bind(user).bind(now).execute().await.map(drop)
}

/// People, those who have been here longest first.
pub async fn list(db: &Db, most: i64) -> Result<Vec<User>> {
    db.read(concat!("select ", user_columns!(), " from users u order by u.created_at, u.id limit $1"))
        .bind(most)
        .all()
        .await
}

/// People as the owner sees them, those who have been here longest first, from after `after`.
pub async fn list_people(db: &Db, after: Option<UserId>, most: i64) -> Result<Vec<Person>> {
    // Ids of version 7 sort by time, so they are the whole key.
    db.read(concat!(
        "select ",
        user_columns!(),
        ", u.last_seen_at, (select count(*) from subscriptions s where s.user_id = u.id) as subscriptions
         from users u where u.id > $1 order by u.id limit $2"
    ))
    .bind(after.unwrap_or(UserId(uuid::Uuid::nil())))
    .bind(most)
    .all()
    .await
}
