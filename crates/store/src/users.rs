//! The table `users`: people.

use chrono::{DateTime, Utc};

use crate::{Db, Result, Tx, UserId};

/// A person.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct User {
    /// Their id.
    pub id: UserId,
    /// Unique, however it is capitalised.
    pub email: String,
    /// What to call them.
    pub name: String,
    /// Since when they have an account.
    pub created_at: DateTime<Utc>,
}

/// Adds a person; a conflict if the address is taken.
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

/// The person with this address, however it is capitalised.
pub async fn find_by_email(db: &Db, email: &str) -> Result<Option<User>> {
    db.read("select id, email, name, created_at from users where lower(email) = lower($1)")
        .bind(email.to_owned())
        .optional()
        .await
}

/// The person who has been here longest.
pub async fn first(db: &Db) -> Result<Option<User>> {
    db.read("select id, email, name, created_at from users order by created_at, id limit 1").optional().await
}

/// Keeps others who change what this person has waiting until the transaction ends. False if the person is gone.
pub async fn lock(tx: &mut Tx, user: UserId) -> Result<bool> {
    let query = tx.query_either(
        "select 1 from users where id = $1",
        "select cast(1 as bigint) from users where id = $1 for no key update",
    );
    Ok(query.bind(user).optional::<(i64,)>().await?.is_some())
}

/// People, those who have been here longest first.
pub async fn list(db: &Db, most: i64) -> Result<Vec<User>> {
    db.read("select id, email, name, created_at from users order by created_at, id limit $1").bind(most).all().await
}
