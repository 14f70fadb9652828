//! The [`Accounts`] service and the parts that all its methods share.

use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};
use store::{Clock, Db, SessionId, Tx, UserId, sessions, sessions::NewSession, users, users::User};

use crate::{
    AccountSettings, Device, Error, RemoteClient, Result, SessionSecret, SignInMethod, password::Hasher,
    sessions::SessionData,
};

/// Sessions per user. A sign-in beyond it deletes the sessions that were used longest ago.
const MAX_SESSIONS: i64 = 100;
/// Limit of the column `users.name`.
const MAX_NAME_CHARS: usize = 255;

/// The accounts of one instance. Cheap to clone. Each file of this crate implements the methods of its topic.
#[derive(Clone)]
pub struct Accounts {
    pub(crate) db: Db,
    pub(crate) clock: Clock,
    pub(crate) settings: Arc<AccountSettings>,
    pub(crate) hasher: Arc<Hasher>,
}

/// A user who has just signed in, and the new session.
#[derive(Debug, Clone)]
pub struct SignedIn {
    pub user: User,
    pub secret: SessionSecret,
    /// The public id of the session.
    pub session: SessionId,
    /// Each use of the session moves it.
    pub expires_at: DateTime<Utc>,
    /// Identifies the browser at its next sign-in.
    pub device: Device,
}

/// A new session in a transaction that is not committed yet.
pub(crate) struct CreatedSession {
    secret: SessionSecret,
    session: SessionId,
    expires_at: DateTime<Utc>,
}

impl Accounts {
    /// Creates the service on this database.
    pub fn new(db: Db, clock: Clock, settings: AccountSettings) -> Accounts {
        let hasher = Arc::new(Hasher::new(settings.argon2));
        Accounts { db, clock, settings: Arc::new(settings), hasher }
    }

    /// The database.
    pub fn db(&self) -> &Db {
        &self.db
    }

    /// The clock.
    pub fn clock(&self) -> &Clock {
        &self.clock
    }

    /// The operator's settings.
    pub fn settings(&self) -> &AccountSettings {
        &self.settings
    }

    /// Number of password hashes computed since the start.
    pub fn hashes_computed(&self) -> u64 {
        self.hasher.computed()
    }

    /// Lifetime of a session after its last use.
    pub(crate) fn max_age(&self) -> TimeDelta {
        TimeDelta::from_std(self.settings.session_max_age).unwrap_or(TimeDelta::days(36_500))
    }

    /// Fails if the operator has turned passwords off.
    pub(crate) fn require_local_accounts(&self) -> Result<()> {
        if self.settings.local_accounts { Ok(()) } else { Err(Error::LocalAccountsOff) }
    }

    /// Creates a session with a new secret, in the transaction of the sign-in.
    pub(crate) async fn create_session(
        &self,
        tx: &mut Tx,
        user: UserId,
        method: SignInMethod,
        client: &RemoteClient,
    ) -> Result<CreatedSession> {
        let now = self.clock.now();
        let secret = SessionSecret::random();
        let expires_at = now + self.max_age();
        let data = SessionData::new(client, method).to_bytes();
        let new = NewSession { hash: &secret.hash(), data, expires_at };
        let session = sessions::create(tx, user, &new, now).await?;
        sessions::delete_beyond(tx, user, MAX_SESSIONS).await?;
        Ok(CreatedSession { secret, session, expires_at })
    }

    /// The result of a sign-in, after its transaction is committed.
    pub(crate) async fn signed_in(
        &self,
        user: UserId,
        session: CreatedSession,
        device: Option<&Device>,
    ) -> Result<SignedIn> {
        users::mark_seen(&self.db, user, self.clock.now()).await?;
        let user = users::get(&self.db, user).await?.ok_or(Error::NotFound)?;
        let device = Device::of(user.id, device);
        Ok(SignedIn { user, secret: session.secret, session: session.session, expires_at: session.expires_at, device })
    }
}

/// Normalises a name to one line. An empty name becomes the part of the address before the `@`.
pub(crate) fn clean_name(name: &str, email: &str) -> Result<String> {
    let name = one_line(name);
    if name.chars().count() > MAX_NAME_CHARS {
        return Err(Error::NameTooLong { max: MAX_NAME_CHARS });
    }
    Ok(if name.is_empty() { email.split('@').next().unwrap_or_default().to_owned() } else { name })
}

/// Removes control characters and collapses white space.
pub(crate) fn one_line(text: &str) -> String {
    let spaced: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    spaced.split_whitespace().collect::<Vec<_>>().join(" ")
}
