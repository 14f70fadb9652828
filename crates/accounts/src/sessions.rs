//! Sessions: signed-in browsers. They last as long as the person keeps coming back.

use std::{net::IpAddr, time::Duration};

use chrono::{DateTime, TimeDelta, Utc};
use serde::{Deserialize, Serialize};
use store::{SessionId, UserId, sessions, users, users::User};

use crate::{Accounts, Client, Error, Method, Result, SessionSecret, audit};

/// That a person is here is written down once in this time.
const SEEN_WITHIN: TimeDelta = TimeDelta::minutes(5);

/// How long a request waits for a note to be written.
const NOTE_TIMEOUT: Duration = Duration::from_millis(500);

/// A session that is going on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Session {
    pub user: User,
    /// What lists name it by.
    pub public_id: SessionId,
    /// When it ends unless the person comes back.
    pub expires_at: DateTime<Utc>,
    /// Whether that has just moved, so that the browser should be told.
    pub renewed: bool,
}

/// A session as its person sees it in a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SessionInfo {
    pub id: SessionId,
    /// What the browser called itself at sign-in.
    pub user_agent: String,
    pub address: Option<IpAddr>,
    /// How the person got in.
    pub method: Option<Method>,
    pub created_at: DateTime<Utc>,
    /// When they were last here, to some minutes.
    pub seen_at: DateTime<Utc>,
    /// When it ends unless they come back.
    pub expires_at: DateTime<Utc>,
}

/// What is known about the browser, as it is stored.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct SessionData {
    user_agent: String,
    address: Option<IpAddr>,
    method: Option<Method>,
}

impl SessionData {
    pub fn new(client: &Client, method: Method) -> SessionData {
        SessionData { user_agent: client.short_user_agent(), address: Some(client.address), method: Some(method) }
    }

    pub fn to_bytes(&self) -> Vec<u8> {
        // Text, an address and a word always have a JSON form.
        serde_json::to_vec(self).unwrap_or_default()
    }
}

/// Writes a note that is not worth waiting or failing for: a request that only reads must not stop because the database is
/// busy writing, or full. `None` if it was not written.
pub(crate) async fn note<T>(write: impl Future<Output = store::Result<T>>) -> Option<T> {
    match tokio::time::timeout(NOTE_TIMEOUT, write).await {
        Ok(Ok(written)) => Some(written),
        Ok(Err(error)) => {
            tracing::debug!(%error, error_kind = error.kind(), "could not note that a user is here");
            None
        }
        Err(_) => None,
    }
}

impl Accounts {
    /// The session of this secret, unless it has ended; it goes on for as long again.
    pub async fn session(&self, secret: &SessionSecret) -> Result<Option<Session>> {
        let now = self.clock.now();
        let Some(found) = sessions::find(&self.db, &secret.hash(), now).await? else { return Ok(None) };
        let mut renewed = is_to_renew(found.expires_at - now, self.max_age());
        let mut expires_at = if renewed { now + self.max_age() } else { found.expires_at };
        if renewed || now - found.seen_at >= SEEN_WITHIN {
            let seen = async {
                let is_there = sessions::mark_seen(&self.db, found.public_id, expires_at, now).await?;
                if is_there {
                    users::mark_seen(&self.db, found.user.id, now).await?;
                }
                Ok(is_there)
            };
            match note(seen).await {
                Some(true) => {}
                Some(false) => return Ok(None),
                // Not written: the next request tries again.
                None => (renewed, expires_at) = (false, found.expires_at),
            }
        }
        Ok(Some(Session { user: found.user, public_id: found.public_id, expires_at, renewed }))
    }

    /// Ends the session of this secret, if there is one.
    pub async fn sign_out(&self, secret: &SessionSecret) -> Result<()> {
        let removed = self.db.transact(async |tx| sessions::delete_by_hash(tx, &secret.hash()).await).await?;
        if let Some((user, session)) = removed {
            audit::done_to("sign_out", user, session);
        }
        Ok(())
    }

    /// A person's sessions, the latest seen first.
    pub async fn sessions(&self, user: UserId) -> Result<Vec<SessionInfo>> {
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

    /// Ends one session of a person.
    pub async fn end_session(&self, user: UserId, session: SessionId) -> Result<()> {
        if !self.db.transact(async |tx| sessions::delete(tx, user, session).await).await? {
            return Err(Error::NotFound);
        }
        audit::done_to("session_ended", user, session);
        Ok(())
    }

    /// Ends all sessions of a person but one; tells how many.
    pub async fn end_other_sessions(&self, user: UserId, keep: &SessionId) -> Result<u64> {
        let ended = self.db.transact(async |tx| sessions::delete_others(tx, user, Some(*keep)).await).await?;
        if ended > 0 {
            audit::done_to("session_ended", user, format_args!("{ended} others"));
        }
        Ok(ended)
    }
}

/// Whether a session with so much time left gets all of it again: after a twentieth is used up, so that not every request
/// writes. One that would last longer than sessions do now is shortened.
fn is_to_renew(left: TimeDelta, max_age: TimeDelta) -> bool {
    let step = (max_age / 20).max(TimeDelta::minutes(1)).min(max_age / 2);
    left < max_age - step || left > max_age
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_is_renewed_after_a_twentieth_of_its_time() {
        let (minute, day) = (TimeDelta::minutes(1), TimeDelta::days(1));
        let check = |left, max_age, expected| assert_eq!(is_to_renew(left, max_age), expected, "{left} of {max_age}");
        check(day, day, false);
        check(day - day / 20, day, false);
        check(day - day / 20 - minute, day, true);
        check(minute, day, true);
        check(day + minute, day, true);
        // A minute at the least, and half of it when it is shorter than that.
        check(minute * 9 + TimeDelta::seconds(30), minute * 10, false);
        check(minute * 8, minute * 10, true);
        check(TimeDelta::seconds(20), minute, true);
        check(TimeDelta::seconds(40), minute, false);
    }
}
