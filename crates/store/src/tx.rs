//! A transaction on either database.

use sqlx::{Postgres, Sqlite};

use crate::{
    Query, Result, Row,
    connection::Conn,
    query::Target,
    signal::{Change, Signals, Topic},
    sql::Sql,
};

/// Below SQLite's limit of 32,766 parameters in a statement, the lower one of the two databases.
const MAX_VALUES: usize = 32_000;
const MAX_ROWS: usize = 1_000;
/// Statements with up to this many values stay prepared. Preparing one costs as much as running it.
const MAX_PREPARED_VALUES: usize = 640;

/// A transaction, inside [`Db::transact`](crate::Db::transact).
pub struct Tx {
    inner: Inner,
    signals: Signals,
    topics: Vec<Topic>,
    changes: Vec<Change>,
    /// Whether the closure asked to run again.
    retry: bool,
}

enum Inner {
    Sqlite(Conn<Sqlite>),
    Postgres(Conn<Postgres>),
}

impl Tx {
    pub(crate) fn sqlite(tx: Conn<Sqlite>, signals: Signals) -> Self {
        Tx::new(Inner::Sqlite(tx), signals)
    }

    pub(crate) fn postgres(tx: Conn<Postgres>, signals: Signals) -> Self {
        Tx::new(Inner::Postgres(tx), signals)
    }

    fn new(inner: Inner, signals: Signals) -> Self {
        Tx { inner, signals, topics: Vec::new(), changes: Vec::new(), retry: false }
    }

    /// A query inside the transaction.
    pub fn query(&mut self, sql: &'static str) -> Query<'_> {
        self.query_built(sql.into())
    }

    /// One of two texts, for the few statements that cannot be written once; see [`crate::dialect`].
    pub(crate) fn query_either(&mut self, sqlite: &'static str, postgres: &'static str) -> Query<'_> {
        let sql = if self.is_postgres() { postgres } else { sqlite };
        self.query(sql)
    }

    pub(crate) fn is_postgres(&self) -> bool {
        matches!(self.inner, Inner::Postgres(_))
    }

    /// A query with a built text.
    pub(crate) fn query_built(&mut self, sql: Sql) -> Query<'_> {
        match &mut self.inner {
            Inner::Sqlite(tx) => Query::new(Target::LiteTx(tx), sql),
            Inner::Postgres(tx) => Query::new(Target::PgTx(tx), sql),
        }
    }

    /// Inserts many rows with few statements, `{insert} values ($1, …), (…) {tail}`: three times as fast as one by one.
    ///
    /// `bind` must bind `columns` values for each row. Returns the rows of the `returning` clause in `tail`.
    pub async fn insert_many<T, R: Row>(
        &mut self,
        insert: &'static str,
        columns: usize,
        tail: &'static str,
        rows: &[T],
        bind: impl for<'q> Fn(Query<'q>, &T) -> Query<'q>,
    ) -> Result<Vec<R>> {
        self.insert_values(&insert.into(), columns, tail, rows, bind).await
    }

    pub(crate) async fn insert_values<T, R: Row>(
        &mut self,
        insert: &Sql,
        columns: usize,
        tail: &'static str,
        rows: &[T],
        bind: impl for<'q> Fn(Query<'q>, &T) -> Query<'q>,
    ) -> Result<Vec<R>> {
        // Few rows use statements of few sizes, which stay prepared. Many rows use few large statements.
        let is_prepared = rows.len() * columns <= 16 * MAX_PREPARED_VALUES;
        let chunk_rows =
            (if is_prepared { MAX_PREPARED_VALUES } else { MAX_VALUES } / columns.max(1)).clamp(1, MAX_ROWS);
        let mut returned = Vec::new();
        for chunk in rows.chunks(chunk_rows) {
            let sql = Sql::fill(&["{insert} values {placeholders} {tail}"], &[("tail", tail)]).with("insert", insert);
            let sql = sql.with("placeholders", &Sql::placeholders(chunk.len(), columns, self.is_postgres()));
            let query = self.query_built(sql).prepared_if(is_prepared);
            returned.extend(chunk.iter().fold(query, &bind).all::<R>().await?);
        }
        Ok(returned)
    }

    /// Runs several statements without parameters: a migration.
    pub(crate) async fn script(&mut self, sql: &'static str) -> Result<()> {
        match &mut self.inner {
            Inner::Sqlite(tx) => tx.script(sql).await?,
            Inner::Postgres(tx) => tx.script(sql).await?,
        }
        Ok(())
    }

    /// Removes the time-out of statements, for migrations and for deleting a user. SQLite has no time-out.
    pub(crate) async fn allow_long_statements(&mut self) -> Result<()> {
        match &mut self.inner {
            Inner::Sqlite(_) => Ok(()),
            Inner::Postgres(tx) => {
                tx.disable_timeout();
                Ok(tx.script("set local statement_timeout = 0").await?)
            }
        }
    }

    /// Signals `topic` once the transaction is committed.
    pub fn announce(&mut self, topic: Topic) {
        if !self.topics.contains(&topic) {
            self.topics.push(topic);
        }
    }

    /// Sends `change` once the transaction is committed.
    pub fn changed(&mut self, change: Change) {
        if !self.changes.contains(&change) {
            self.changes.push(change);
        }
    }

    /// Commits, then sends the signals.
    pub async fn commit(self) -> Result<()> {
        match self.inner {
            Inner::Sqlite(tx) => tx.end("commit").await?,
            Inner::Postgres(tx) => tx.end("commit").await?,
        }
        for topic in self.topics {
            self.signals.announce(topic);
        }
        for change in self.changes {
            self.signals.publish(change);
        }
        Ok(())
    }

    /// Makes [`Db::transact`](crate::Db::transact) run its closure again, because another transaction changed data that this one has
    /// read. Returns `error`, which the caller gets after the last attempt.
    pub fn retry_with<E>(&mut self, error: E) -> E {
        self.retry = true;
        error
    }

    /// Whether another transaction won and a retry can succeed.
    pub(crate) fn is_clash(&self) -> bool {
        self.retry
            || match &self.inner {
                Inner::Sqlite(tx) => tx.is_clash(),
                Inner::Postgres(tx) => tx.is_clash(),
            }
    }

    /// Rolls back after an error.
    pub(crate) async fn abandon(self) {
        // With a statement in flight, dropping the connection cancels both.
        let is_idle = match &self.inner {
            Inner::Sqlite(tx) => tx.is_idle(),
            Inner::Postgres(tx) => tx.is_idle(),
        };
        if is_idle && let Err(error) = self.rollback().await {
            tracing::debug!(%error, "could not roll back; the connection is closed");
        }
    }

    /// Rolls back now, rather than when the connection is next used.
    pub async fn rollback(self) -> Result<()> {
        match self.inner {
            Inner::Sqlite(tx) => tx.end("rollback").await?,
            Inner::Postgres(tx) => tx.end("rollback").await?,
        }
        Ok(())
    }
}
