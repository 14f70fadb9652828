//! What every rule works with, and what all of them need.

use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};
use store::{Clock, Db, SessionId, Tx, UserId, sessions, sessions::NewSession, users, users::User};

use crate::{Client, Device, Error, Method, Result, SessionSecret, Settings, password::Hasher, sessions::SessionData};

/// More sessions than this, and those of a person that were seen longest ago end.
const MOST_SESSIONS: i64 = 100;
/// In characters, as the column takes it.
const LONGEST_NAME: usize = 255;

/// Accounts: who gets in, with what the rules need. Cheap to clone. Its methods are in the files named for what they do.
#[derive(Clone)]
pub struct Accounts {
    pub(crate) db: Db,
    pub(crate) clock: Clock,
    pub(crate) settings: Arc<Settings>,
    pub(crate) hasher: Arc<Hasher>,
}

/// Somebody who has just got in.
#[derive(Debug, Clone)]
pub struct SignedIn {
    pub user: User,
    pub secret: SessionSecret,
    /// What lists name the session by.
    pub session: SessionId,
    /// When it ends unless they come back.
    pub expires_at: DateTime<Utc>,
    /// Which of their browsers it is, for the next time.
    pub device: Device,
}

/// A session that has begun but is not committed yet.
pub(crate) struct Begun {
    secret: SessionSecret,
    session: SessionId,
    expires_at: DateTime<Utc>,
}

impl Accounts {
    /// Accounts in this database.
    pub fn new(db: Db, clock: Clock, settings: Settings) -> Accounts {
        let hasher = Arc::new(Hasher::new(settings.argon2));
        Accounts { db, clock, settings: Arc::new(settings), hasher }
    }

    /// The database it works on.
    pub fn db(&self) -> &Db {
        &self.db
    }

    /// The time as it sees it.
    pub fn clock(&self) -> &Clock {
        &self.clock
    }

    /// What the operator decided.
    pub fn policy(&self) -> &Settings {
        &self.settings
    }

    /// How many hashes of passwords were computed since the start: each costs memory and time.
    pub fn hashes_computed(&self) -> u64 {
        self.hasher.computed()
    }

    /// How long a session lasts after the person was last here.
    pub(crate) fn max_age(&self) -> TimeDelta {
        TimeDelta::from_std(self.settings.session_max_age).unwrap_or(TimeDelta::days(36_500))
    }

    /// Refuses what needs passwords where there are none.
    pub(crate) fn must_be_local(&self) -> Result<()> {
        if self.settings.local_accounts { Ok(()) } else { Err(Error::LocalAccountsOff) }
    }

    /// Begins a session with a new secret, in the transaction that lets the person in.
    pub(crate) async fn begin_session(
        &self,
        tx: &mut Tx,
        user: UserId,
        method: Method,
        client: &Client,
    ) -> Result<Begun> {
        let now = self.clock.now();
        let secret = SessionSecret::random();
        let expires_at = now + self.max_age();
        let data = SessionData::new(client, method).to_bytes();
        let new = NewSession { hash: &secret.hash(), data, expires_at };
        let session = sessions::create(tx, user, &new, now).await?;
        sessions::delete_beyond(tx, user, MOST_SESSIONS).await?;
        Ok(Begun { secret, session, expires_at })
    }

    /// What the person gets once the transaction is committed.
    pub(crate) async fn signed_in(&self, user: UserId, begun: Begun, device: Option<&Device>) -> Result<SignedIn> {
        users::mark_seen(&self.db, user, self.clock.now()).await?;
        let user = users::get(&self.db, user).await?.ok_or(Error::NotFound)?;
        let device = Device::of(user.id, device);
        Ok(SignedIn { user, secret: begun.secret, session: begun.session, expires_at: begun.expires_at, device })
    }
}

/// A name on one line; the part of the address before the @ if there is none.
pub(crate) fn clean_name(name: &str, email: &str) -> Result<String> {
    let name = one_line(name);
    if name.chars().count() > LONGEST_NAME {
        return Err(Error::NameTooLong { max: LONGEST_NAME });
    }
    Ok(if name.is_empty() { email.split('@').next().unwrap_or_default().to_owned() } else { name })
}

/// Without control characters, and with single spaces.
pub(crate) fn one_line(text: &str) -> String {
    let spaced: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    spaced.split_whitespace().collect::<Vec<_>>().join(" ")
}
