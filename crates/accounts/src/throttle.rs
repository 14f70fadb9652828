//! How often somebody may guess: ten wrong passwords a minute, for each address and for each account.
//!
//! A token is taken before a hash is computed, and given back when the password was right. A browser in which the person
//! has signed in before has a bucket of its own, so that strangers who hammer an account do not lock its owner out.

use chrono::TimeDelta;
use store::{SessionId, UserId, throttles, throttles::Bucket};

use crate::{Accounts, Client, Device, Error, Result, secret::sha256};

const WRONG_PASSWORDS: Bucket = Bucket { tokens: 10, fills_in: TimeDelta::minutes(1) };

/// What is limited.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Limited<'a> {
    /// Guessing from one address.
    Address(&'a Client),
    /// Guessing the password of one account, whether it exists or not.
    Account(&'a str),
    /// Guessing in a browser that has been let in before.
    Device(&'a Device),
    /// Guessing the current password inside a session.
    Change(UserId, SessionId),
    /// Making accounts from one address.
    Registration(&'a Client),
}

impl Limited<'_> {
    /// A hash, because the table is nobody's list of addresses, and people type their password where the address belongs.
    fn key(self) -> String {
        sha256(&match self {
            Limited::Address(client) => format!("address {}", client.network()),
            Limited::Account(email) => format!("account {email}"),
            Limited::Device(device) => format!("device {} {}", device.user_id, device.id),
            Limited::Change(user, session) => format!("change {user} {session}"),
            Limited::Registration(client) => format!("registration {}", client.network()),
        })
    }
}

/// Tokens that were taken.
#[must_use = "tokens are given back when the password was right"]
pub(crate) struct Taken(Vec<String>);

impl Accounts {
    /// Takes a token from each bucket, or none at all: a refused attempt costs nothing.
    pub(crate) async fn take_tokens(&self, limited: &[Limited<'_>]) -> Result<Taken> {
        let mut taken = Taken(Vec::with_capacity(limited.len()));
        for one in limited {
            let key = one.key();
            match throttles::claim(&self.db, &key, WRONG_PASSWORDS, self.clock.now()).await? {
                Ok(()) => taken.0.push(key),
                Err(wait) => {
                    self.give_back(taken).await?;
                    return Err(Error::TooManyAttempts { seconds: whole_seconds(wait) });
                }
            }
        }
        Ok(taken)
    }

    /// Gives the tokens back.
    pub(crate) async fn give_back(&self, taken: Taken) -> Result<()> {
        for key in taken.0 {
            throttles::release(&self.db, &key, WRONG_PASSWORDS).await?;
        }
        Ok(())
    }
}

/// Rounded up: whoever comes back after that many seconds is let try.
fn whole_seconds(wait: TimeDelta) -> u64 {
    let milliseconds = u64::try_from(wait.num_milliseconds()).unwrap_or(0) + 1;
    milliseconds.div_ceil(1_000).max(1)
}
