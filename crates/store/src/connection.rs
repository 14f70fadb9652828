//! A connection taken from a pool, for one statement or one transaction.

use std::{io, time::Duration};

use sqlx::{Database, Executor, pool::PoolConnection};
use tokio::sync::OwnedSemaphorePermit;

use crate::error::is_clash;

/// Dropping it returns an idle connection to the pool and closes a busy one: one with a statement in flight or an open
/// transaction. Closing cancels the statement and rolls back the transaction.
///
/// sqlx's own transactions are not used. On PostgreSQL they block a connection until an abandoned statement has finished. On
/// SQLite a full disk rolls back the transaction without sqlx noticing, and the connection stays unusable.
pub(crate) struct Conn<DB: Database> {
    connection: Option<PoolConnection<DB>>,
    in_flight: bool,
    in_transaction: bool,
    /// Whether a statement failed because another transaction won.
    is_clash: bool,
    answer_timeout: Option<Duration>,
    _permit: Option<OwnedSemaphorePermit>,
}

impl<DB: Database> Conn<DB>
where
    for<'c> &'c mut DB::Connection: Executor<'c, Database = DB>,
{
    /// `answer_timeout` detects a server that has gone away. `permit` is released with the connection.
    pub fn new(
        connection: PoolConnection<DB>,
        answer_timeout: Option<Duration>,
        permit: Option<OwnedSemaphorePermit>,
    ) -> Conn<DB> {
        let connection = Some(connection);
        Conn { connection, in_flight: false, in_transaction: false, is_clash: false, answer_timeout, _permit: permit }
    }

    /// Sends a statement and waits for the result.
    pub async fn run<T>(&mut self, send: impl AsyncFnOnce(&mut DB::Connection) -> sqlx::Result<T>) -> sqlx::Result<T> {
        let connection = self.connection.as_mut().ok_or(sqlx::Error::PoolClosed)?;
        self.in_flight = true;
        let answer = match self.answer_timeout {
            Some(limit) => tokio::time::timeout(limit, send(connection)).await.map_err(|_| no_answer())?,
            None => send(connection).await,
        };
        self.in_flight = false;
        self.is_clash |= answer.as_ref().is_err_and(is_clash);
        answer
    }

    /// Whether a statement failed because another transaction won.
    pub fn is_clash(&self) -> bool {
        self.is_clash
    }

    /// Whether no statement is in flight.
    pub fn is_idle(&self) -> bool {
        !self.in_flight
    }

    /// Runs several statements without parameters.
    pub async fn script(&mut self, sql: &'static str) -> sqlx::Result<()> {
        self.run(async |connection| connection.execute(sqlx::raw_sql(sql)).await.map(drop)).await
    }

    /// Begins a transaction.
    pub async fn begin(mut self, how: &'static str) -> sqlx::Result<Conn<DB>> {
        self.script(how).await?;
        self.in_transaction = true;
        Ok(self)
    }

    /// Ends the transaction.
    pub async fn end(mut self, how: &'static str) -> sqlx::Result<()> {
        self.script(how).await?;
        self.in_transaction = false;
        Ok(())
    }

    /// Removes the time-out for results.
    pub fn disable_timeout(&mut self) {
        self.answer_timeout = None;
    }
}

impl<DB: Database> Drop for Conn<DB> {
    fn drop(&mut self) {
        if let Some(connection) = self.connection.as_mut().filter(|_| self.in_flight || self.in_transaction) {
            connection.close_on_drop();
        }
    }
}

fn no_answer() -> sqlx::Error {
    io::Error::new(io::ErrorKind::TimedOut, "the database server did not answer").into()
}
