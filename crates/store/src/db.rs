//! The connection pools of either database.

use std::{
    fs, io,
    os::unix::fs::{DirBuilderExt, OpenOptionsExt},
    path::Path,
    str::FromStr,
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use chrono::{DateTime, TimeDelta, Utc};
use sqlx::{
    ConnectOptions, SqlitePool,
    sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous},
};

use crate::{
    Clock, DatabaseAddress, Error, Query, Result, Signals, Tx,
    connection::Conn,
    error::{Code, of_code},
    migrate, postgres,
    query::Target,
    sql::Sql,
};

/// Readers never wait for the writer. More of them than cores only cost memory.
const SQLITE_READERS: u32 = 4;
/// How long an SQLite statement waits for the writer.
const BUSY_TIMEOUT: Duration = Duration::from_secs(30);
/// The minimum time between two writes of [`Db::check_writable`].
const WRITE_CHECK_INTERVAL: Duration = Duration::from_secs(5);
/// The disk counts as full with less free space than this.
const MIN_FREE_BYTES: u64 = 4 * 1024 * 1024;
/// Ten processes may create the same file at once, and switching it to WAL does not wait for the busy time-out.
const MAX_OPEN_ATTEMPTS: u32 = 100;

/// A pool of connections. Cheap to clone.
#[derive(Clone)]
pub struct Db {
    pools: Pools,
    signals: Signals,
    address: DatabaseAddress,
    /// The last write of [`Db::check_writable`].
    written_at: Arc<Mutex<Option<Instant>>>,
}

#[derive(Clone)]
enum Pools {
    /// One writer, because SQLite has one: a queue in the pool is fairer than `SQLITE_BUSY`.
    Sqlite {
        read: SqlitePool,
        write: SqlitePool,
    },
    Postgres(postgres::Pool),
}

impl Db {
    /// Opens the database at `address`, creating an SQLite file and its folder. Does not migrate.
    ///
    /// `max_connections` is for PostgreSQL; SQLite has one writer and a few readers.
    pub async fn open(address: &DatabaseAddress, max_connections: u32) -> Result<Db> {
        let signals = Signals::new();
        let pools = match address {
            DatabaseAddress::Sqlite(path) => open_sqlite(path).await,
            DatabaseAddress::Postgres(options) => {
                postgres::Pool::open(options, max_connections).await.map(Pools::Postgres)
            }
        };
        let pools = pools.map_err(|source| Error::Open { address: address.to_string(), source })?;
        if let Pools::Postgres(pool) = &pools {
            tokio::spawn(signals.clone().notify_others(pool.inner().clone()));
        }
        Ok(Db { pools, signals, address: address.clone(), written_at: Arc::default() })
    }

    /// Brings the database to the version this program needs. Any number of processes may call it at once.
    pub async fn migrate(&self) -> Result<migrate::Migrated> {
        migrate::run(self).await
    }

    /// Fails unless the database answers and has exactly the version this program needs.
    pub async fn check(&self) -> Result<()> {
        migrate::check(self).await
    }

    /// Fails when the database cannot be written or cannot grow, for example because its disk is full. Writes one row, at most
    /// every five seconds.
    pub async fn check_writable(&self, now: DateTime<Utc>) -> Result<()> {
        let written_at = || self.written_at.lock().unwrap_or_else(PoisonError::into_inner);
        if written_at().is_some_and(|at| at.elapsed() < WRITE_CHECK_INTERVAL) {
            return Ok(());
        }
        self.write_probe(now).await?;
        *written_at() = Some(Instant::now());
        Ok(())
    }

    /// On a full disk only writes that need more space fail, so the probe must need some.
    async fn write_probe(&self, now: DateTime<Utc>) -> Result<()> {
        match &self.pools {
            Pools::Sqlite { .. } => {
                if let DatabaseAddress::Sqlite(path) = &self.address {
                    check_disk_space(path)?;
                }
                self.write(
                    "insert into readiness (id, checked_at) values (1, $1)
                     on conflict (id) do update set checked_at = excluded.checked_at",
                )
                .bind(now)
                .execute()
                .await?;
                Ok(())
            }
            Pools::Postgres(pool) => {
                let mut tx = Tx::postgres(pool.begin_probe().await?, self.signals.clone());
                // A truncated table starts a new file, so that the row needs a new block.
                tx.query("truncate readiness").execute().await?;
                tx.query("insert into readiness (id, checked_at) values (1, $1)").bind(now).execute().await?;
                tx.commit().await
            }
        }
    }

    /// A read. On SQLite it never waits for the writer.
    pub fn read(&self, sql: &'static str) -> Query<'_> {
        self.read_built(sql.into())
    }

    /// A read with a built text.
    pub(crate) fn read_built(&self, sql: Sql) -> Query<'_> {
        match &self.pools {
            Pools::Sqlite { read, .. } => Query::new(Target::LitePool(read), sql),
            Pools::Postgres(pool) => Query::new(Target::PgRead(pool), sql),
        }
    }

    /// A write of a single statement.
    pub fn write(&self, sql: &'static str) -> Query<'_> {
        match &self.pools {
            Pools::Sqlite { write, .. } => Query::new(Target::LitePool(write), sql.into()),
            Pools::Postgres(pool) => Query::new(Target::PgWrite(pool), sql.into()),
        }
    }

    /// One of two texts for a write; see [`crate::dialect`].
    pub(crate) fn write_either(&self, sqlite: &'static str, postgres: &'static str) -> Query<'_> {
        self.write(if self.is_postgres() { postgres } else { sqlite })
    }

    /// An open transaction, for tests that make other transactions wait for it. All other code calls [`Db::transact`].
    #[doc(hidden)]
    pub async fn begin(&self) -> Result<Tx> {
        Ok(match &self.pools {
            Pools::Sqlite { write, .. } => {
                let connection = Conn::new(write.acquire().await?, None, None);
                Tx::sqlite(connection.begin("begin immediate").await?, self.signals.clone())
            }
            Pools::Postgres(pool) => Tx::postgres(pool.begin().await?, self.signals.clone()),
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

    /// Receives the signals of other processes. Never returns.
    pub async fn listen(&self) {
        match &self.pools {
            Pools::Sqlite { read, .. } => {
                let own =
                    SqlitePoolOptions::new().max_connections(1).connect_lazy_with((*read.connect_options()).clone());
                self.signals.watch_file(&own).await;
            }
            // Its own connection: one of the pool would be missing there all the time.
            Pools::Postgres(pool) => {
                self.signals.listen(&pool.listener_pool()).await;
            }
        }
    }

    /// Synchronises `clock` with the database server's. Returns how far the server's is ahead.
    pub async fn sync_clock(&self, clock: &Clock) -> Result<TimeDelta> {
        if !self.is_postgres() {
            return Ok(TimeDelta::zero());
        }
        let asked = clock.now();
        let reported: DateTime<Utc> = self.read("select clock_timestamp()").scalar().await?;
        Ok(clock.sync(asked, reported))
    }

    /// Closes all connections after their current statements.
    pub async fn close(&self) {
        match &self.pools {
            Pools::Sqlite { read, write } => {
                read.close().await;
                write.close().await;
            }
            Pools::Postgres(pool) => {
                // A command may end right after its commit; its signals are sent first.
                self.signals.notify(pool.inner()).await;
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
        .busy_timeout(BUSY_TIMEOUT)
        .pragma("journal_size_limit", "67108864")
        .disable_statement_logging();
    // A file does not go away as a server does: a test of the connection before each use would double the switches of threads.
    let pool = |limit| {
        let options = SqlitePoolOptions::new().max_connections(limit).acquire_timeout(BUSY_TIMEOUT);
        options.idle_timeout(None).test_before_acquire(false)
    };
    // The pages of indexes over time are rewritten again and again while feeds arrive, so they stay cached and are
    // checkpointed once for many transactions. The statement journal stays in memory: in a file it cost as much as the WAL.
    let writing = options
        .clone()
        .pragma("cache_size", "-8000")
        .pragma("wal_autocheckpoint", "8000")
        .pragma("temp_store", "memory");
    let write = pool(1).max_lifetime(None).connect_lazy_with(writing);
    let read = pool(SQLITE_READERS).max_lifetime(None).connect_lazy_with(options.pragma("query_only", "on"));
    let mut tries = 0;
    while let Err(error) = write.acquire().await {
        tries += 1;
        if tries == MAX_OPEN_ATTEMPTS || !is_locked(&error) {
            return Err(error.into());
        }
        tokio::time::sleep(Duration::from_millis(50 + rand::random::<u64>() % 100)).await;
    }
    Ok(Pools::Sqlite { read, write })
}

/// SQLite has spare space in its WAL, so small writes succeed for a while on a full disk. The file system knows sooner.
fn check_disk_space(path: &Path) -> Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let found = rustix::fs::statvfs(folder).map_err(|error| sqlx::Error::Io(error.into()))?;
    match has_disk_space(found.f_bavail.saturating_mul(found.f_frsize)) {
        true => Ok(()),
        false => Err(Error::Full(sqlx::Error::Io(io::ErrorKind::StorageFull.into()))),
    }
}

fn has_disk_space(available_bytes: u64) -> bool {
    available_bytes >= MIN_FREE_BYTES
}

fn is_locked(error: &sqlx::Error) -> bool {
    matches!(error.as_database_error().and_then(|error| error.code()), Some(code) if of_code(&code) == Code::Clash)
}

/// Creates the file before SQLite opens it, so that other users can never read it. The WAL inherits its mode.
fn create_private_file(path: &Path) -> io::Result<()> {
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    }
    if path.is_dir() {
        return Err(io::Error::new(io::ErrorKind::IsADirectory, "the path is a folder; name a file in it"));
    }
    fs::OpenOptions::new().create(true).append(true).mode(0o600).open(path).map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn low_disk_space_counts_as_full() {
        assert!(has_disk_space(MIN_FREE_BYTES));
        assert!(!has_disk_space(MIN_FREE_BYTES - 1));
        check_disk_space(Path::new("kawaraban.db")).unwrap();
        assert!(matches!(check_disk_space(Path::new("no/such/folder/kawaraban.db")), Err(Error::Unavailable(_))));
    }
}
