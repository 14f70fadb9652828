//! Limits on wrong passwords: ten per minute for each address and for each account.
//!
//! Each attempt takes a token from a bucket before it computes a hash, and returns it when the password is right. A browser
//! that the user has signed in with before has its own bucket, so an attacker cannot lock the user out.

use chrono::TimeDelta;
use store::{SessionId, UserId, throttles, throttles::Bucket};

use crate::{Accounts, Device, Error, RemoteClient, Result, secret::sha256};

const WRONG_PASSWORDS: Bucket = Bucket { tokens: 10, fills_in: TimeDelta::minutes(1) };

/// The bucket that an attempt takes a token from.
#[derive(Debug, Clone, Copy)]
pub(crate) enum ThrottleKey<'a> {
    /// Sign-ins from one address.
    Address(&'a RemoteClient),
    /// Sign-ins to one account, whether it exists or not.
    Account(&'a str),
    /// Sign-ins from a known browser.
    Device(&'a Device),
    /// Password changes in one session.
    Change(UserId, SessionId),
    /// Registrations from one address.
    Registration(&'a RemoteClient),
}

impl ThrottleKey<'_> {
    /// The key in the database. It is hashed because users sometimes type their password into the address field.
    fn key(self) -> String {
        sha256(&match self {
            ThrottleKey::Address(client) => format!("address {}", client.network()),
            ThrottleKey::Account(email) => format!("account {email}"),
            ThrottleKey::Device(device) => format!("device {} {}", device.user_id, device.id),
            ThrottleKey::Change(user, session) => format!("change {user} {session}"),
            ThrottleKey::Registration(client) => format!("registration {}", client.network()),
        })
    }
}

/// Tokens taken by an attempt.
#[must_use = "return the tokens if the password is right"]
pub(crate) struct TakenTokens(Vec<String>);

impl Accounts {
    /// Takes one token from each bucket. If one is empty, it takes none.
    pub(crate) async fn take_tokens(&self, limited: &[ThrottleKey<'_>]) -> Result<TakenTokens> {
        let mut taken = TakenTokens(Vec::with_capacity(limited.len()));
        for one in limited {
            let key = one.key();
            match throttles::claim(&self.db, &key, WRONG_PASSWORDS, self.clock.now()).await? {
                Ok(()) => taken.0.push(key),
                Err(wait) => {
                    self.return_tokens(taken).await?;
                    return Err(Error::TooManyAttempts { seconds: whole_seconds(wait) });
                }
            }
        }
        Ok(taken)
    }

    /// Puts tokens back into their buckets.
    pub(crate) async fn return_tokens(&self, taken: TakenTokens) -> Result<()> {
        for key in taken.0 {
            throttles::release(&self.db, &key, WRONG_PASSWORDS).await?;
        }
        Ok(())
    }
}

/// Rounds up, so that an attempt after this many seconds succeeds.
fn whole_seconds(wait: TimeDelta) -> u64 {
    let milliseconds = u64::try_from(wait.num_milliseconds()).unwrap_or(0) + 1;
    milliseconds.div_ceil(1_000).max(1)
}
