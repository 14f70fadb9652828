//! Sessions of signed-in browsers. Each use extends a session.

use std::{net::IpAddr, time::Duration};

use chrono::{DateTime, TimeDelta, Utc};
use serde::{Deserialize, Serialize};
use store::{SessionId, UserId, sessions, users, users::User};

use crate::{Accounts, Error, RemoteClient, Result, SessionSecret, SignInMethod, audit};

/// Minimum interval between two writes of `seen_at`.
const SEEN_INTERVAL: TimeDelta = TimeDelta::minutes(5);

/// How long a request waits for a best-effort write.
const BEST_EFFORT_TIMEOUT: Duration = Duration::from_millis(500);

/// A valid session and its user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ActiveSession {
    pub user: User,
    pub public_id: SessionId,
    pub expires_at: DateTime<Utc>,
    /// Whether this use moved `expires_at`, so that the cookie must be sent again.
    pub renewed: bool,
}

/// A session in the list of its user.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SessionInfo {
    pub id: SessionId,
    /// The user agent at sign-in.
    pub user_agent: String,
    pub address: Option<IpAddr>,
    pub method: Option<SignInMethod>,
    pub created_at: DateTime<Utc>,
    /// The last use, accurate to some minutes.
    pub seen_at: DateTime<Utc>,
    pub expires_at: DateTime<Utc>,
}

/// Data about the browser, stored as JSON.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct SessionData {
    user_agent: String,
    address: Option<IpAddr>,
    method: Option<SignInMethod>,
}

impl SessionData {
    pub fn new(client: &RemoteClient, method: SignInMethod) -> SessionData {
        SessionData { user_agent: client.short_user_agent(), address: Some(client.address), method: Some(method) }
    }

    pub fn to_bytes(&self) -> Vec<u8> {
        // These types always serialize.
        serde_json::to_vec(self).unwrap_or_default()
    }
}

/// Tries a write whose failure must not fail the request: reads go on while the database is busy or its disk is full.
/// Returns `None` if nothing was written.
pub(crate) async fn best_effort<T>(write: impl Future<Output = store::Result<T>>) -> Option<T> {
    match tokio::time::timeout(BEST_EFFORT_TIMEOUT, write).await {
        Ok(Ok(written)) => Some(written),
        Ok(Err(error)) => {
            tracing::debug!(%error, error_kind = error.kind(), "cannot record the last use of a session or token");
            None
        }
        Err(_) => None,
    }
}

impl Accounts {
    /// The session with this secret, unless it has ended. Extends it.
    pub async fn find_session(&self, secret: &SessionSecret) -> Result<Option<ActiveSession>> {
        let now = self.clock.now();
        let Some(found) = sessions::find(&self.db, &secret.hash(), now).await? else { return Ok(None) };
        let mut renewed = should_renew(found.expires_at - now, self.max_age());
        let mut expires_at = if renewed { now + self.max_age() } else { found.expires_at };
        if renewed || now - found.seen_at >= SEEN_INTERVAL {
            let seen = async {
                let exists = sessions::mark_seen(&self.db, found.public_id, expires_at, now).await?;
                if exists {
                    users::mark_seen(&self.db, found.user.id, now).await?;
                }
                Ok(exists)
            };
            match best_effort(seen).await {
                Some(true) => {}
                Some(false) => return Ok(None),
                // Not written: the next request tries again.
                None => (renewed, expires_at) = (false, found.expires_at),
            }
        }
        Ok(Some(ActiveSession { user: found.user, public_id: found.public_id, expires_at, renewed }))
    }

    /// Ends the session with this secret, if it exists.
    pub async fn sign_out(&self, secret: &SessionSecret) -> Result<()> {
        let removed = self.db.transact(async |tx| sessions::delete_by_hash(tx, &secret.hash()).await).await?;
        if let Some((user, session)) = removed {
            audit::log_credential_change("sign_out", user, session);
        }
        Ok(())
    }

    /// Lists the sessions of a user, the last used first.
    pub async fn list_sessions(&self, user: UserId) -> Result<Vec<SessionInfo>> {
        let listed = sessions::list(&self.db, user, self.clock.now()).await?;
        let info = |session: sessions::ListedSession| {
            let data: SessionData = serde_json::from_slice(&session.data).unwrap_or_default();
            SessionInfo {
                id: session.public_id,
                user_agent: data.user_agent,
                address: data.address,
                method: data.method,
                created_at: session.created_at,
                seen_at: session.seen_at,
                expires_at: session.expires_at,
            }
        };
        Ok(listed.into_iter().map(info).collect())
    }

    /// Ends a session of a user.
    pub async fn delete_session(&self, user: UserId, session: SessionId) -> Result<()> {
        if !self.db.transact(async |tx| sessions::delete(tx, user, session).await).await? {
            return Err(Error::NotFound);
        }
        audit::log_credential_change("session_ended", user, session);
        Ok(())
    }

    /// Ends all sessions of a user except one, and returns their number.
    pub async fn delete_other_sessions(&self, user: UserId, keep: &SessionId) -> Result<u64> {
        let ended = self.db.transact(async |tx| sessions::delete_others(tx, user, Some(*keep)).await).await?;
        if ended > 0 {
            audit::log_credential_change("session_ended", user, format_args!("{ended} others"));
        }
        Ok(ended)
    }
}

/// Whether to move the end of a session that has `left` to live. It moves after a twentieth of the lifetime, so that not
/// every request writes. A session that lasts longer than `max_age` is shortened.
fn should_renew(left: TimeDelta, max_age: TimeDelta) -> bool {
    let step = (max_age / 20).max(TimeDelta::minutes(1)).min(max_age / 2);
    left < max_age - step || left > max_age
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn session_renews_after_a_twentieth_of_its_life() {
        let (minute, day) = (TimeDelta::minutes(1), TimeDelta::days(1));
        let check = |left, max_age, expected| assert_eq!(should_renew(left, max_age), expected, "{left} of {max_age}");
        check(day, day, false);
        check(day - day / 20, day, false);
        check(day - day / 20 - minute, day, true);
        check(minute, day, true);
        check(day + minute, day, true);
        // At least a minute; half the lifetime if that is shorter.
        check(minute * 9 + TimeDelta::seconds(30), minute * 10, false);
        check(minute * 8, minute * 10, true);
        check(TimeDelta::seconds(20), minute, true);
        check(TimeDelta::seconds(40), minute, false);
    }
}
