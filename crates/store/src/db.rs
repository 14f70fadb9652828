//! The database, whichever it is.

use std::{
    fs, io,
    os::unix::fs::{DirBuilderExt, OpenOptionsExt},
    path::Path,
    str::FromStr,
    time::Duration,
};

use chrono::{DateTime, TimeDelta, Utc};
use sqlx::{
    ConnectOptions, PgPool, SqlitePool,
    postgres::{PgConnectOptions, PgConnection, PgPoolOptions},
    sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous},
};

use crate::{Clock, DatabaseAddress, Error, Query, Result, Signals, Tx, error, migrate, query::Target};

/// Readers never wait for the writer; more of them than cores only cost memory.
const SQLITE_READERS: u32 = 4;
/// How long a statement waits for its turn.
const PATIENCE: Duration = Duration::from_secs(30);
/// Ten processes may create the same file at once; switching it to WAL does not wait for its turn by itself.
const OPEN_TRIES: u32 = 100;

/// A pool of connections. Cheap to clone.
#[derive(Clone)]
pub struct Db {
    pools: Pools,
    signals: Signals,
    address: DatabaseAddress,
}

#[derive(Clone)]
enum Pools {
    /// One writer, because SQLite has one: a queue in the pool is fairer than `SQLITE_BUSY`.
    Sqlite {
        read: SqlitePool,
        write: SqlitePool,
    },
    Postgres(PgPool),
}

impl Db {
    /// Opens the database at `address`, creating an SQLite file and its folder. Does not migrate.
    ///
    /// `most_connections` is for PostgreSQL; SQLite has one writer and a few readers.
    pub async fn open(address: &DatabaseAddress, most_connections: u32) -> Result<Db> {
        let signals = Signals::new();
        let pools = match address {
            DatabaseAddress::Sqlite(path) => open_sqlite(path).await,
            DatabaseAddress::Postgres(options) => open_postgres(options, most_connections).await,
        };
        let pools = pools.map_err(|source| Error::Open { address: address.to_string(), source })?;
        if let Pools::Postgres(pool) = &pools {
            tokio::spawn(signals.clone().tell_others(pool.clone()));
        }
        Ok(Db { pools, signals, address: address.clone() })
    }

    /// Brings the database to the version this program needs. Any number of processes may call it at once.
    pub async fn migrate(&self) -> Result<migrate::Migrated> {
        migrate::run(self).await
    }

    /// Fails unless the database answers and has exactly the version this program needs.
    pub async fn check(&self) -> Result<()> {
        migrate::check(self).await
    }

    /// A read; on SQLite it never waits for the writer.
    pub fn read(&self, sql: &'static str) -> Query<'_> {
        match &self.pools {
            Pools::Sqlite { read, .. } => Query::new(Target::LitePool(read), sql.into()),
            Pools::Postgres(pool) => Query::new(Target::PgPool(pool), sql.into()),
        }
    }

    /// A write of a single statement.
    pub fn write(&self, sql: &'static str) -> Query<'_> {
        match &self.pools {
            Pools::Sqlite { write, .. } => Query::new(Target::LitePool(write), sql.into()),
            Pools::Postgres(pool) => Query::new(Target::PgPool(pool), sql.into()),
        }
    }

    /// One of two texts for a read; see [`crate::dialect`].
    pub(crate) fn read_either(&self, sqlite: &'static str, postgres: &'static str) -> Query<'_> {
        self.read(if self.is_postgres() { postgres } else { sqlite })
    }

    /// One of two texts for a write; see [`crate::dialect`].
    pub(crate) fn write_either(&self, sqlite: &'static str, postgres: &'static str) -> Query<'_> {
        self.write(if self.is_postgres() { postgres } else { sqlite })
    }

    /// A transaction that may write: on SQLite it takes the writer's turn at once, so it cannot fail half-way for want of it.
    pub async fn begin(&self) -> Result<Tx> {
        Ok(match &self.pools {
            Pools::Sqlite { write, .. } => Tx::sqlite(write.begin_with("begin immediate").await?, self.signals.clone()),
            Pools::Postgres(pool) => Tx::postgres(begin_postgres(pool.clone()).await?, self.signals.clone()),
        })
    }

    /// Whether the database is a server that several machines may share.
    pub fn is_postgres(&self) -> bool {
        matches!(self.pools, Pools::Postgres(_))
    }

    /// Where the database is, without its password.
    pub fn address(&self) -> &DatabaseAddress {
        &self.address
    }

    /// The signals of this process.
    pub fn signals(&self) -> &Signals {
        &self.signals
    }

    /// Hears what other processes announce, for ever; on SQLite there is nobody to hear.
    pub async fn listen(&self) {
        match &self.pools {
            Pools::Sqlite { .. } => std::future::pending().await,
            // A connection beside the pool, which it would otherwise keep one short for ever.
            Pools::Postgres(pool) => {
                let own = PgPoolOptions::new().max_connections(1).connect_lazy_with((*pool.connect_options()).clone());
                self.signals.hear_others(&own).await;
            }
        }
    }

    /// Sets `clock` by the database server's, so that all machines mean the same time; tells how far it was ahead.
    pub async fn agree_on_time(&self, clock: &Clock) -> Result<TimeDelta> {
        if !self.is_postgres() {
            return Ok(TimeDelta::zero());
        }
        let asked = clock.now();
        let reported: DateTime<Utc> = self.read("select clock_timestamp()").scalar().await?;
        Ok(clock.agree(asked, reported))
    }

    /// Closes all connections, after what is under way.
    pub async fn close(&self) {
        match &self.pools {
            Pools::Sqlite { read, write } => {
                read.close().await;
                write.close().await;
            }
            Pools::Postgres(pool) => {
                // A command ends right after its commit; the others should hear of it all the same.
                self.signals.tell(pool).await;
                pool.close().await;
            }
        }
    }
}

type OpenResult = std::result::Result<Pools, Box<dyn std::error::Error + Send + Sync>>;

async fn open_sqlite(path: &Path) -> OpenResult {
    create_private_file(path)?;
    let options = SqliteConnectOptions::from_str("sqlite://")?
        .filename(path)
        .create_if_missing(true)
        .page_size(8192) // a third smaller files than 4096: a 2 kB item fits three to a page
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(SqliteSynchronous::Normal)
        .foreign_keys(true)
        .busy_timeout(PATIENCE)
        .pragma("journal_size_limit", "67108864")
        .disable_statement_logging();
    let pool = |most| SqlitePoolOptions::new().max_connections(most).acquire_timeout(PATIENCE).idle_timeout(None);
    // The pages of indexes over time are written again and again while feeds arrive: kept at hand, and moved from the log
    // into the file once for many transactions.
    // What a statement might have to undo is kept in memory: in a file it cost as much as the log.
    let writing = options
        .clone()
        .pragma("cache_size", "-16000")
        .pragma("wal_autocheckpoint", "4000")
        .pragma("temp_store", "memory");
    let write = pool(1).max_lifetime(None).connect_lazy_with(writing);
    let read = pool(SQLITE_READERS).max_lifetime(None).connect_lazy_with(options.pragma("query_only", "on"));
    let mut tries = 0;
    while let Err(error) = write.acquire().await {
        tries += 1;
        if tries == OPEN_TRIES || !is_locked(&error) {
            return Err(error.into());
        }
        tokio::time::sleep(Duration::from_millis(50 + rand::random::<u64>() % 100)).await;
    }
    Ok(Pools::Sqlite { read, write })
}

async fn open_postgres(options: &PgConnectOptions, most_connections: u32) -> OpenResult {
    let options = options.clone().application_name("kawaraban").disable_statement_logging();
    let pool = PgPoolOptions::new()
        .max_connections(most_connections)
        .acquire_timeout(PATIENCE)
        .idle_timeout(Duration::from_secs(300))
        .after_connect(|connection, _| Box::pin(settle_plans(connection)))
        .connect_lazy_with(options.clone());
    // Asked directly: through the pool a wrong password is only a time-out after half a minute.
    let connection = tokio::time::timeout(Duration::from_secs(10), options.connect())
        .await
        .map_err(|_| io::Error::new(io::ErrorKind::TimedOut, "the server did not answer within 10 seconds"))??;
    sqlx::Connection::close(connection).await?;
    Ok(Pools::Postgres(pool))
}

/// In a task of its own, which ends also when whoever asked for it goes away: sqlx 0.9 forgets a transaction that is dropped
/// while it begins, and the connection's next writes would be undone with it.
async fn begin_postgres(pool: PgPool) -> sqlx::Result<sqlx::Transaction<'static, sqlx::Postgres>> {
    tokio::spawn(async move { pool.begin().await }).await.unwrap_or(Err(sqlx::Error::PoolClosed))
}

/// Plans are kept as long as the connection. One that was made while a table was empty, also for the check of a foreign
/// key, reads the whole table for each row when it has grown (measured: 60 feeds a second instead of 250). Every query here
/// is made for an index. Compiling plans is for queries that take seconds; ours take less than the compiler, which was a third of
/// the server's work while feeds arrived.
async fn settle_plans(connection: &mut PgConnection) -> sqlx::Result<()> {
    sqlx::raw_sql("set enable_seqscan = off; set jit = off").execute(connection).await.map(drop)
}

fn is_locked(error: &sqlx::Error) -> bool {
    error.as_database_error().is_some_and(|error| error::is_busy(error.code().as_deref()))
}

/// The file before SQLite opens it, so that nobody else can read it at any moment; its WAL takes over the mode.
fn create_private_file(path: &Path) -> io::Result<()> {
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    }
    if path.is_dir() {
        return Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a folder; name a file in it"));
    }
    fs::OpenOptions::new().create(true).append(true).mode(0o600).open(path).map(drop)
}
