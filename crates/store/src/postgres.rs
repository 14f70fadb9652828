//! The pool of PostgreSQL connections, and what keeps one slow statement from stopping everything else.
//!
//! - Every connection has time-outs on the server, so that no lock, statement or open transaction lasts for ever.
//! - A statement whose caller goes away is cancelled: its connection is closed, and the server notices within a second.
//!   sqlx would wait for the answer first, and keep the connection from others until then.
//! - Writers use only a part of the pool. However many of them wait for one row, reads still get a connection.

use std::{io, sync::Arc, time::Duration};

use sqlx::{
    ConnectOptions, Connection, PgPool, Postgres,
    postgres::{PgConnectOptions, PgConnection, PgPoolOptions},
};
use tokio::sync::Semaphore;

use crate::connection::Conn;

/// How long a caller waits for a connection. Shorter than a request may take, so that a server that is down is reported as such:
/// sqlx tries to connect again and again until this time is over.
const ACQUIRE_TIMEOUT: Duration = Duration::from_secs(10);
/// How long a writer waits for its turn.
const TURN_TIMEOUT: Duration = Duration::from_secs(30);
/// A connection that was idle for longer is tested before it is used. A test before each use, as sqlx does by default, doubles the
/// round trips of a short query.
const TEST_AFTER_IDLE: Duration = Duration::from_secs(1);
/// A little longer than the server's own limit of 30 seconds for a statement. When it passes, the server is gone or the
/// network swallows its answers; sqlx has no TCP keepalive that would tell.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(40);

/// What every connection starts with.
///
/// Plans: they last as long as the connection. A plan made while a table was empty, also for the check of a foreign key,
/// reads the whole table for each row once it has grown (measured: 60 feeds a second instead of 250). Every query here is
/// made for an index. Compiling plans pays off for queries that take seconds; it was a third of the server's work while
/// feeds arrived.
///
/// Time-outs: a caller waits 5 seconds for a lock. A process that stops inside a transaction loses its session, and with
/// it its locks, after 15 seconds. Keepalives find clients whose machine is gone, after about a minute.
const SESSION: &str = "set enable_seqscan = off; set jit = off;
    set statement_timeout = '30s'; set lock_timeout = '5s'; set idle_in_transaction_session_timeout = '15s';
    set tcp_keepalives_idle = 30; set tcp_keepalives_interval = 10; set tcp_keepalives_count = 3";

/// Notices clients that close the connection while their statement runs. Servers before version 14, and some platforms,
/// cannot do this; there the statement ends with its time-out.
const CHECK_CLIENT: &str = "do $$ begin
        perform set_config('client_connection_check_interval', '500ms', false);
    exception when others then null; end $$";

/// A pool with places kept free for reads.
#[derive(Clone)]
pub(crate) struct Pool {
    pool: PgPool,
    writers: Arc<Semaphore>,
}

impl Pool {
    pub async fn open(options: &PgConnectOptions, most_connections: u32) -> Result<Pool, Box<OpenError>> {
        let options = options.clone().application_name("kawaraban").disable_statement_logging();
        let pool = pool_of(most_connections, &options);
        // Asked directly: through the pool a wrong password is only a time-out after half a minute.
        let connection = tokio::time::timeout(Duration::from_secs(10), options.connect())
            .await
            .map_err(|_| io::Error::new(io::ErrorKind::TimedOut, "the server did not answer within 10 seconds"))??;
        connection.close().await?;
        let kept_for_reads = (most_connections / 3).max(1);
        let writers = most_connections.saturating_sub(kept_for_reads).max(1);
        Ok(Pool { pool, writers: Arc::new(Semaphore::new(writers as usize)) })
    }

    /// A connection for one read.
    pub async fn for_read(&self) -> sqlx::Result<Conn<Postgres>> {
        Ok(Conn::new(self.pool.acquire().await?, Some(ANSWER_TIMEOUT), None))
    }

    /// A connection for one write.
    pub async fn for_write(&self) -> sqlx::Result<Conn<Postgres>> {
        let permit = tokio::time::timeout(TURN_TIMEOUT, Arc::clone(&self.writers).acquire_owned());
        let permit = permit.await.map_err(|_| sqlx::Error::PoolTimedOut)?.map_err(|_| sqlx::Error::PoolClosed)?;
        Ok(Conn::new(self.pool.acquire().await?, Some(ANSWER_TIMEOUT), Some(permit)))
    }

    /// A connection with an open transaction.
    pub async fn begin(&self) -> sqlx::Result<Conn<Postgres>> {
        self.for_write().await?.begin("begin").await
    }

    /// A connection with an open transaction, for one that must not wait behind other writers.
    pub async fn begin_probe(&self) -> sqlx::Result<Conn<Postgres>> {
        self.for_read().await?.begin("begin").await
    }

    /// A pool of one connection beside this one, for LISTEN.
    pub fn beside(&self) -> PgPool {
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

fn pool_of(most_connections: u32, options: &PgConnectOptions) -> PgPool {
    PgPoolOptions::new()
        .max_connections(most_connections)
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
