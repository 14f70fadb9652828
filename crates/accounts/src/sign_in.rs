//! Sign-in with a password, and changing the password.

use store::{
    SessionId, UserId, sessions, users,
    users::{Credentials, User},
};

use crate::{
    Accounts, Device, Error, FailedSignIn, Password, RemoteClient, Result, SignInMethod, SignedIn, audit, email,
    password::{self, Verdict},
    throttle::ThrottleKey,
};

impl Accounts {
    /// Signs a user in with a password. Neither the error nor the time reveals whether the address or the password is wrong, or
    /// whether the account has a password.
    pub async fn sign_in(
        &self,
        email: &str,
        password: &Password,
        device: Option<&Device>,
        client: &RemoteClient,
    ) -> Result<SignedIn, FailedSignIn> {
        let mut user = None;
        let outcome = self.try_sign_in(email, password, device, client, &mut user).await;
        outcome.map_err(|error| FailedSignIn { error, user })
    }

    /// Like [`sign_in`](Self::sign_in). Sets `user` to the account with this address, if it exists.
    async fn try_sign_in(
        &self,
        email: &str,
        password: &Password,
        device: Option<&Device>,
        client: &RemoteClient,
        user: &mut Option<UserId>,
    ) -> Result<SignedIn> {
        self.require_local_accounts()?;
        // An invalid address is treated like an unknown one.
        let (email, is_address) = email::normalise(email).map_or((email.to_owned(), false), |email| (email, true));
        let find = async || match is_address {
            true => users::find_credentials(&self.db, &email).await,
            false => Ok(None),
        };
        let mut known = find().await?;
        *user = known.as_ref().map(|known| known.user.id);
        let taken = match device.filter(|device| *user == Some(device.user_id)) {
            Some(device) => self.take_tokens(&[ThrottleKey::Device(device)]).await?,
            None => self.take_tokens(&[ThrottleKey::Address(client), ThrottleKey::Account(&email)]).await?,
        };
        // Tries again if the stored hash changed meanwhile: by a new password, or by a concurrent sign-in that rehashed it.
        for _ in 0..2 {
            let verdict = self.hasher.verify(password, hash_of(&known)).await?;
            let Some(right) = known.as_ref().filter(|_| verdict != Verdict::Wrong) else { break };
            if let Some(session) = self.begin_if_unchanged(right, client).await? {
                self.return_tokens(taken).await?;
                if verdict == Verdict::RightButStale {
                    self.rehash(right, password).await?;
                }
                audit::log_change("sign_in", right.user.id, SignInMethod::Password.as_str(), client.address);
                return self.signed_in(right.user.id, session, device).await;
            }
            known = find().await?;
        }
        Err(Error::WrongCredentials)
    }

    /// Creates the session, unless the password has changed since it was compared. Changing it ends all other sessions.
    async fn begin_if_unchanged(
        &self,
        verified: &Credentials,
        client: &RemoteClient,
    ) -> Result<Option<crate::accounts::CreatedSession>> {
        let user = verified.user.id;
        self.db
            .transact(async |tx| {
                users::lock(tx, user).await?;
                if users::get_password_hash(tx, user).await? != verified.password_hash {
                    return Ok(None);
                }
                self.create_session(tx, user, SignInMethod::Password, client).await.map(Some)
            })
            .await
    }

    /// Stores the hash of the same password at the current cost.
    async fn rehash(&self, verified: &Credentials, password: &Password) -> Result<()> {
        let Some(old) = &verified.password_hash else { return Ok(()) };
        let new = self.hasher.hash(password).await?;
        Ok(users::replace_hash(&self.db, verified.user.id, old, &new).await?)
    }

    /// Sets a new password and ends the other sessions of the user. A user with a password must give the current one.
    pub async fn update_password(
        &self,
        user: UserId,
        session: &SessionId,
        current: Option<&Password>,
        new: &Password,
        client: &RemoteClient,
    ) -> Result<()> {
        self.require_local_accounts()?;
        let known = users::get_credentials(&self.db, user).await?.ok_or(Error::NotFound)?;
        password::check(new, &known.user.email)?;
        if known.user.has_password {
            self.require_current_password(&known, current, session, client).await?;
        }
        let hash = self.hasher.hash(new).await?;
        let updated = self.db.transact(async |tx| {
            users::lock(tx, user).await?;
            // A concurrent request has changed the password.
            if users::get_password_hash(tx, user).await? != known.password_hash {
                return Err(Error::WrongCurrentPassword);
            }
            users::set_password(tx, user, &hash, self.clock.now()).await?;
            Ok(sessions::delete_others(tx, user, Some(*session)).await?)
        });
        updated.await?;
        audit::log_change("password_changed", user, SignInMethod::Password.as_str(), client.address);
        Ok(())
    }

    /// Fails if the current password is wrong. Attempts are limited for each session.
    async fn require_current_password(
        &self,
        known: &Credentials,
        current: Option<&Password>,
        session: &SessionId,
        client: &RemoteClient,
    ) -> Result<()> {
        let User { id, .. } = known.user;
        let refused = |event, reason| {
            audit::log_failure(event, Some(id), SignInMethod::Password.as_str(), reason, client.address);
        };
        let taken = self.take_tokens(&[ThrottleKey::Change(id, *session)]).await.inspect_err(|error| {
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
        self.return_tokens(taken).await
    }
}

fn hash_of(known: &Option<Credentials>) -> Option<&str> {
    known.as_ref().and_then(|known| known.password_hash.as_deref())
}
