//! Getting in with a password, and changing it.

use store::{
    SessionId, UserId, sessions, users,
    users::{Credentials, User},
};

use crate::{
    Accounts, Client, Device, Error, FailedSignIn, Method, Password, Result, SignedIn, audit, email,
    password::{self, Verdict},
    throttle::Limited,
};

impl Accounts {
    /// Lets a person in who knows the password. Whether it is the address or the password that is wrong, or whether the
    /// account has a password at all, shows neither in the answer nor in the time it takes.
    pub async fn sign_in(
        &self,
        email: &str,
        password: &Password,
        device: Option<&Device>,
        client: &Client,
    ) -> Result<SignedIn, FailedSignIn> {
        let mut user = None;
        let outcome = self.try_sign_in(email, password, device, client, &mut user).await;
        outcome.map_err(|error| FailedSignIn { error, user })
    }

    /// The same; `user` becomes the account that is tried, if it exists.
    async fn try_sign_in(
        &self,
        email: &str,
        password: &Password,
        device: Option<&Device>,
        client: &Client,
        user: &mut Option<UserId>,
    ) -> Result<SignedIn> {
        self.must_be_local()?;
        // What cannot be an address is judged like one that nobody has, all the way.
        let (email, is_address) = email::normalise(email).map_or((email.to_owned(), false), |email| (email, true));
        let find = async || match is_address {
            true => users::find_credentials(&self.db, &email).await,
            false => Ok(None),
        };
        let mut known = find().await?;
        *user = known.as_ref().map(|known| known.user.id);
        let taken = match device.filter(|device| *user == Some(device.user_id)) {
            Some(device) => self.take_tokens(&[Limited::Device(device)]).await?,
            None => self.take_tokens(&[Limited::Address(client), Limited::Account(&email)]).await?,
        };
        // Again if the stored hash was changed while it was compared: by a change of password, or by a sign-in beside this one.
        for _ in 0..2 {
            let verdict = self.hasher.verify(password, hash_of(&known)).await?;
            let Some(right) = known.as_ref().filter(|_| verdict != Verdict::Wrong) else { break };
            if let Some(begun) = self.begin_if_unchanged(right, client).await? {
                self.give_back(taken).await?;
                if verdict == Verdict::RightButStale {
                    self.rehash(right, password).await?;
                }
                audit::happened("sign_in", right.user.id, Method::Password.as_str(), client.address);
                return self.signed_in(right.user.id, begun, device).await;
            }
            known = find().await?;
        }
        Err(Error::WrongCredentials)
    }

    /// Begins the session, unless the password was changed since it was compared: such a session would outlive the change.
    async fn begin_if_unchanged(
        &self,
        verified: &Credentials,
        client: &Client,
    ) -> Result<Option<crate::accounts::Begun>> {
        let user = verified.user.id;
        self.db
            .transact(async |tx| {
                users::lock(tx, user).await?;
                if users::get_password_hash(tx, user).await? != verified.password_hash {
                    return Ok(None);
                }
                self.begin_session(tx, user, Method::Password, client).await.map(Some)
            })
            .await
    }

    /// Keeps the same password at today's cost.
    async fn rehash(&self, verified: &Credentials, password: &Password) -> Result<()> {
        let Some(old) = &verified.password_hash else { return Ok(()) };
        let new = self.hasher.hash(password).await?;
        Ok(users::replace_hash(&self.db, verified.user.id, old, &new).await?)
    }

    /// Gives a person another password, or a first one; their other sessions end. Whoever has one must know it.
    pub async fn change_password(
        &self,
        user: UserId,
        session: &SessionId,
        current: Option<&Password>,
        new: &Password,
        client: &Client,
    ) -> Result<()> {
        self.must_be_local()?;
        let known = users::get_credentials(&self.db, user).await?.ok_or(Error::NotFound)?;
        password::check(new, &known.user.email)?;
        if known.user.has_password {
            self.must_know(&known, current, session, client).await?;
        }
        let hash = self.hasher.hash(new).await?;
        let changed = self.db.transact(async |tx| {
            users::lock(tx, user).await?;
            // It was changed while the current one was compared.
            if users::get_password_hash(tx, user).await? != known.password_hash {
                return Err(Error::WrongCurrentPassword);
            }
            users::set_password(tx, user, &hash, self.clock.now()).await?;
            Ok(sessions::delete_others(tx, user, Some(*session)).await?)
        });
        changed.await?;
        audit::happened("password_changed", user, Method::Password.as_str(), client.address);
        Ok(())
    }

    /// Refuses who does not know the current password; guessing it in a session is limited too.
    async fn must_know(
        &self,
        known: &Credentials,
        current: Option<&Password>,
        session: &SessionId,
        client: &Client,
    ) -> Result<()> {
        let User { id, .. } = known.user;
        let refused = |event, reason| {
            audit::refused(event, Some(id), Method::Password.as_str(), reason, client.address);
        };
        let taken = self.take_tokens(&[Limited::Change(id, *session)]).await.inspect_err(|error| {
            if matches!(error, Error::TooManyAttempts { .. }) {
                refused(audit::THROTTLED, "too_many_attempts");
            }
        })?;
        let verdict = match current {
            Some(current) => self.hasher.verify(current, known.password_hash.as_deref()).await?,
            None => Verdict::Wrong,
        };
        if verdict == Verdict::Wrong {
            refused("password_change_failed", "wrong_credentials");
            return Err(Error::WrongCurrentPassword);
        }
        self.give_back(taken).await
    }
}

fn hash_of(known: &Option<Credentials>) -> Option<&str> {
    known.as_ref().and_then(|known| known.password_hash.as_deref())
}
