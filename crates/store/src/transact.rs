//! Transactions as closures: the one place that commits, rolls back and tries again.

use std::time::{Duration, Instant};

use crate::{Db, Error, Tx};

/// The most attempts at one transaction.
const TRIES: u32 = 10;
/// No attempt starts later than this after the first: a caller is waiting.
const RETRY_WITHIN: Duration = Duration::from_secs(10);
/// The longest pause after the first attempt; it grows with each. Random, so that two that clashed do not clash again.
const PAUSE_MS: u64 = 5;

impl Db {
    /// Runs `work` in a transaction that may write: commits when it returns `Ok`, rolls back when it returns `Err`.
    ///
    /// On SQLite the transaction takes the writer's turn at once, so that it cannot fail half-way for want of it.
    ///
    /// `work` runs again, in a new transaction, when another transaction won and the same work can succeed now: after a
    /// deadlock or a serialization failure on PostgreSQL, after `SQLITE_BUSY`, and when `work` asks for it with
    /// [`Tx::retry_with`]. There are at most 10 attempts, and none starts later than 10 seconds after the first. A wait
    /// that timed out (for a lock, a statement or a connection) is not repeated: it has used up its time.
    ///
    /// Signals of an attempt that was rolled back are dropped with it. `work` has no other side effects: it may run twice.
    /// It is cloned for each attempt, so it captures shared references and copies, and every attempt starts from the same
    /// state. (With `AsyncFnMut` the compiler cannot prove that the future is `Send` when `work` captures references.)
    pub async fn transact<T, E: From<Error>>(
        &self,
        work: impl AsyncFnOnce(&mut Tx) -> Result<T, E> + Clone,
    ) -> Result<T, E> {
        let started = Instant::now();
        let mut tries = 1;
        loop {
            let (error, is_clash) = match self.begin().await {
                Err(error) => failed(error),
                Ok(mut tx) => match work.clone()(&mut tx).await {
                    Ok(value) => match tx.commit().await {
                        Ok(()) => return Ok(value),
                        Err(error) => failed(error),
                    },
                    Err(error) => {
                        let is_clash = tx.is_clash();
                        tx.abandon().await;
                        (error, is_clash)
                    }
                },
            };
            if !is_clash || tries == TRIES || started.elapsed() > RETRY_WITHIN {
                return Err(error);
            }
            tracing::debug!(tries, "a transaction lost to another; trying again");
            tokio::time::sleep(Duration::from_millis(rand::random::<u64>() % (PAUSE_MS * u64::from(tries)))).await;
            tries += 1;
        }
    }
}

fn failed<E: From<Error>>(error: Error) -> (E, bool) {
    let is_clash = error.is_clash();
    (error.into(), is_clash)
}
