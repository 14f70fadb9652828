//! Forward-only migrations, the same steps on both databases. A lock allows any number of processes to start at once.

use crate::{Db, Error, Result, Tx};

/// A migration with its text for each database.
struct Step {
    version: i64,
    name: &'static str,
    sqlite: &'static str,
    postgres: &'static str,
}

/// All steps in order, listed by `build.rs`.
const STEPS: &[Step] = include!(concat!(env!("OUT_DIR"), "/steps.rs"));

/// The version that this program needs.
const NEEDED: i64 = STEPS[STEPS.len() - 1].version;

/// The result of a migration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Migrated {
    /// 0 for an empty database.
    pub from: i64,
    pub to: i64,
}

pub(crate) async fn run(db: &Db) -> Result<Migrated> {
    db.transact(async |tx| {
        tx.allow_long_statements().await?;
        // SQLite has one writer. PostgreSQL needs an advisory lock ("kawaraba" as a number).
        if tx.is_postgres() {
            // Another process may migrate for longer than the usual lock time-out.
            tx.script("set local lock_timeout = 0").await?;
            tx.query("select cast(pg_advisory_xact_lock(7737510530046288481) as text)").execute().await?;
        }
        create_table(tx).await?;
        let from: i64 = tx.query("select coalesce(max(version), 0) from schema_migrations").scalar().await?;
        if from > NEEDED {
            return Err(Error::Newer { found: from, known: NEEDED });
        }
        for step in STEPS.iter().filter(|step| step.version > from) {
            apply(tx, step).await?;
        }
        Ok(Migrated { from, to: NEEDED })
    })
    .await
}

pub(crate) async fn check(db: &Db) -> Result<()> {
    let found = db.read("select coalesce(max(version), 0) from schema_migrations").scalar::<i64>().await;
    let found = match found {
        Err(Error::Query(error)) if is_missing_table(&error) => 0,
        found => found?,
    };
    match found {
        NEEDED => Ok(()),
        found if found > NEEDED => Err(Error::Newer { found, known: NEEDED }),
        found => Err(Error::Older { found, known: NEEDED }),
    }
}

/// An empty database has no table `schema_migrations`.
fn is_missing_table(error: &sqlx::Error) -> bool {
    let error = error.as_database_error();
    error.is_some_and(|error| error.code().as_deref() == Some("42P01") || error.message().starts_with("no such table"))
}

async fn create_table(tx: &mut Tx) -> Result<()> {
    tx.query_either(
        "create table if not exists schema_migrations (
            version integer primary key, name text not null,
            applied_at text not null default (strftime('%Y-%m-%dT%H:%M:%f+00:00', 'now'))) strict",
        "create table if not exists schema_migrations (
            version bigint primary key, name text not null, applied_at timestamptz not null default now())",
    )
    .execute()
    .await?;
    Ok(())
}

async fn apply(tx: &mut Tx, step: &Step) -> Result<()> {
    tx.script(if tx.is_postgres() { step.postgres } else { step.sqlite }).await?;
    tx.query("insert into schema_migrations (version, name) values ($1, $2)")
        .bind(step.version)
        .bind(step.name)
        .execute()
        .await?;
    tracing::info!(step = step.name, "migrated the database");
    Ok(())
}
