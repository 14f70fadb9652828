//! The pool of PostgreSQL connections, protected against slow statements:
//!
//! - Every connection has server-side time-outs for locks, statements and idle transactions.
//! - A statement whose future is dropped is cancelled: its connection is closed, and the server notices within a second. sqlx
//!   alone would keep the connection until the result arrives.
//! - Writers use only a part of the pool. Reads get a connection even while many writers wait for one row.

use std::{io, sync::Arc, time::Duration};

use sqlx::{
    ConnectOptions, Connection, PgPool, Postgres,
    postgres::{PgConnectOptions, PgConnection, PgPoolOptions},
};
use tokio::sync::Semaphore;

use crate::connection::Conn;

/// How long a caller waits for a connection. sqlx retries until then. It is shorter than a request's time-out, so that the
/// request can report a server that is down.
const ACQUIRE_TIMEOUT: Duration = Duration::from_secs(10);
/// How long a writer waits for a permit.
const WRITER_TIMEOUT: Duration = Duration::from_secs(30);
/// A connection that was idle for longer is tested before it is used. A test before each use, as sqlx does by default, doubles the
/// round trips of a short query.
const TEST_AFTER_IDLE: Duration = Duration::from_secs(1);
/// Longer than the server's limit of 30 seconds for a statement. After it, the server or the network is gone. sqlx has no TCP
/// keepalive that would detect this.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(40);

/// The settings of every connection.
///
/// Plans last as long as the connection. A plan made while a table was empty, also for a foreign key check, reads the whole
/// table for each row once it has grown (measured: 60 feeds a second instead of 250). Every query here has an index, so
/// sequential scans are off. JIT pays off for queries that take seconds; it was a third of the server's work while feeds arrived.
///
/// A lock is waited for 5 seconds. A process that stops inside a transaction loses its session and its locks after 15 seconds.
/// Keepalives detect a client whose machine is gone after about a minute.
const SESSION: &str = "set enable_seqscan = off; set jit = off;
    set statement_timeout = '30s'; set lock_timeout = '5s'; set idle_in_transaction_session_timeout = '15s';
    set tcp_keepalives_idle = 30; set tcp_keepalives_interval = 10; set tcp_keepalives_count = 3";

/// Detects clients that close the connection while their statement runs. Servers before version 14 and some platforms do not
/// support it; there the statement ends with its time-out.
const CHECK_CLIENT: &str = "do $$ begin
        perform set_config('client_connection_check_interval', '500ms', false);
    exception when others then null; end $$";

/// A pool with connections reserved for reads.
#[derive(Clone)]
pub(crate) struct Pool {
    pool: PgPool,
    writers: Arc<Semaphore>,
}

impl Pool {
    pub async fn open(options: &PgConnectOptions, max_connections: u32) -> Result<Pool, Box<OpenError>> {
        let options = options.clone().application_name("kawaraban").disable_statement_logging();
        let pool = pool_of(max_connections, &options);
        // Not through the pool, where a wrong password only shows as a time-out.
        let connection = tokio::time::timeout(Duration::from_secs(10), options.connect())
            .await
            .map_err(|_| io::Error::new(io::ErrorKind::TimedOut, "the server did not answer within 10 seconds"))??;
        connection.close().await?;
        let reserved_for_reads = (max_connections / 3).max(1);
        let writers = max_connections.saturating_sub(reserved_for_reads).max(1);
        Ok(Pool { pool, writers: Arc::new(Semaphore::new(writers as usize)) })
    }

    /// A connection for one read.
    pub async fn for_read(&self) -> sqlx::Result<Conn<Postgres>> {
        Ok(Conn::new(self.pool.acquire().await?, Some(ANSWER_TIMEOUT), None))
    }

    /// A connection for one write.
    pub async fn for_write(&self) -> sqlx::Result<Conn<Postgres>> {
        let permit = tokio::time::timeout(WRITER_TIMEOUT, Arc::clone(&self.writers).acquire_owned());
        let permit = permit.await.map_err(|_| sqlx::Error::PoolTimedOut)?.map_err(|_| sqlx::Error::PoolClosed)?;
        Ok(Conn::new(self.pool.acquire().await?, Some(ANSWER_TIMEOUT), Some(permit)))
    }

    /// A connection with an open transaction.
    pub async fn begin(&self) -> sqlx::Result<Conn<Postgres>> {
        self.for_write().await?.begin("begin").await
    }

    /// A connection with an open transaction that does not wait for other writers.
    pub async fn begin_probe(&self) -> sqlx::Result<Conn<Postgres>> {
        self.for_read().await?.begin("begin").await
    }

    /// A separate pool of one connection, for LISTEN.
    pub fn listener_pool(&self) -> PgPool {
        pool_of(1, &self.pool.connect_options())
    }

    /// The pool itself, for NOTIFY.
    pub fn inner(&self) -> &PgPool {
        &self.pool
    }

    pub async fn close(&self) {
        self.pool.close().await;
    }
}

fn pool_of(max_connections: u32, options: &PgConnectOptions) -> PgPool {
    PgPoolOptions::new()
        .max_connections(max_connections)
        .acquire_timeout(ACQUIRE_TIMEOUT)
        .idle_timeout(Duration::from_secs(300))
        .test_before_acquire(false)
        .before_acquire(|connection, meta| Box::pin(is_usable(connection, meta.idle_for)))
        .after_connect(|connection, _| Box::pin(prepare(connection)))
        .connect_lazy_with(options.clone())
}

async fn is_usable(connection: &mut PgConnection, idle_for: Duration) -> sqlx::Result<bool> {
    Ok(idle_for <= TEST_AFTER_IDLE || connection.ping().await.is_ok())
}

type OpenError = dyn std::error::Error + Send + Sync;

async fn prepare(connection: &mut PgConnection) -> sqlx::Result<()> {
    sqlx::raw_sql(SESSION).execute(&mut *connection).await?;
    sqlx::raw_sql(CHECK_CLIENT).execute(connection).await.map(drop)
}
