//! Leaving, and what is forgotten by itself.

use store::{UserId, delete_user, sessions, setup_links, throttles};

use crate::{Accounts, Error, Result, audit};

/// Small enough not to hold the writer up.
const CHUNK: i64 = 1_000;

/// What was forgotten.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Pruned {
    pub sessions: u64,
    /// Set-up links that are no longer good.
    pub setup_links: u64,
    /// Buckets that are full again.
    pub throttles: u64,
}

impl Accounts {
    /// Removes a person with everything of theirs at once. Feeds and items stay; what nobody reads any more rests.
    pub async fn leave(&self, user: UserId) -> Result<()> {
        if !delete_user::delete(&self.db, user, self.clock.now()).await? {
            return Err(Error::NotFound);
        }
        audit::done("account_deleted", user);
        Ok(())
    }

    /// Forgets what has ended, in chunks.
    pub async fn prune(&self) -> Result<Pruned> {
        let now = self.clock.now();
        let mut pruned = Pruned { setup_links: setup_links::prune(&self.db, now).await?, ..Pruned::default() };
        loop {
            let chunk = sessions::prune(&self.db, now, CHUNK).await?;
            pruned.sessions += chunk;
            if chunk < CHUNK.unsigned_abs() {
                break;
            }
            // Others get their turn between the chunks.
            tokio::task::yield_now().await;
        }
        loop {
            let chunk = throttles::prune(&self.db, now, CHUNK).await?;
            pruned.throttles += chunk;
            if chunk < CHUNK.unsigned_abs() {
                break;
            }
            tokio::task::yield_now().await;
        }
        Ok(pruned)
    }
}
