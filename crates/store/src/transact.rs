//! Transactions as closures. All commits, rollbacks and retries are here.

use std::time::{Duration, Instant};

use crate::{Db, Error, Tx};

const MAX_ATTEMPTS: u32 = 10;
/// No attempt starts later than this after the first.
const RETRY_WITHIN: Duration = Duration::from_secs(10);
/// The maximum pause after the first attempt. It grows with each. The pause is random, so that two transactions do not clash again.
const MAX_PAUSE_MS: u64 = 5;

impl Db {
    /// Runs `work` in a transaction that may write: commits when it returns `Ok`, rolls back when it returns `Err`.
    ///
    /// On SQLite the transaction takes the write lock at its start, so that it cannot fail for lack of it later.
    ///
    /// `work` runs again, in a new transaction, when another transaction won and a retry can succeed: after a
    /// deadlock or a serialization failure on PostgreSQL, after `SQLITE_BUSY`, and when `work` asks for it with
    /// [`Tx::retry_with`]. There are at most 10 attempts, and none starts later than 10 seconds after the first. A time-out of a
    /// lock, a statement or a connection is not retried.
    ///
    /// Signals of an attempt that was rolled back are dropped. `work` may run twice, so it must have no other side effects.
    /// It is cloned for each attempt, so it captures shared references and copies, and every attempt starts from the same
    /// state. (With `AsyncFnMut` the compiler cannot prove that the future is `Send` when `work` captures references.)
    pub async fn transact<T, E: From<Error>>(
        &self,
        work: impl AsyncFnOnce(&mut Tx) -> Result<T, E> + Clone,
    ) -> Result<T, E> {
        let started = Instant::now();
        let mut attempts = 1;
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
            if !is_clash || attempts == MAX_ATTEMPTS || started.elapsed() > RETRY_WITHIN {
                return Err(error);
            }
            tracing::debug!(attempts, "transaction lost to another one; retrying");
            tokio::time::sleep(Duration::from_millis(rand::random::<u64>() % (MAX_PAUSE_MS * u64::from(attempts))))
                .await;
            attempts += 1;
        }
    }
}

fn failed<E: From<Error>>(error: Error) -> (E, bool) {
    let is_clash = error.is_clash();
    (error.into(), is_clash)
}
