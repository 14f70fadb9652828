//! Sign-in with a provider: finding or creating the account, and linking identities to it.

use store::{
    IdentityId, Tx, UserId, identities,
    identities::{Identity, Subject},
    user_settings,
    user_settings::UserSettings,
    users,
    users::{NewUser, Role},
};

use crate::{
    Accounts, Error, RemoteClient, Result, SignInMethod, SignedIn,
    accounts::{CreatedSession, clean_name},
    audit, email,
    openid::{Claims, ProviderId},
};

/// The account that a provider's claims belong to, and its new session.
struct MatchedUser {
    user: UserId,
    is_new: bool,
    is_new_owner: bool,
    session: CreatedSession,
}

impl Accounts {
    /// Signs in a user that a provider has identified: by a linked identity, else by a verified address that an account has,
    /// else with a new account if sign-up allows it.
    pub async fn sign_in_with_provider(&self, claims: &Claims, client: &RemoteClient) -> Result<SignedIn> {
        let method = method(claims.provider);
        let matched = self.db.transact(async |tx| match self.match_user(tx, claims, client).await {
            // A concurrent request created or deleted the account.
            Err(error @ (Error::Store(store::Error::Conflict(_)) | Error::NotFound)) => Err(tx.retry_with(error)),
            matched => matched,
        });
        let MatchedUser { user, is_new, is_new_owner, session } = matched.await?;
        if is_new_owner {
            audit::log_user_change("owner_made", user);
        }
        if is_new {
            audit::log_change("register", user, method.as_str(), client.address);
        }
        audit::log_change("sign_in", user, method.as_str(), client.address);
        self.signed_in(user, session, None).await
    }

    async fn match_user(&self, tx: &mut Tx, claims: &Claims, client: &RemoteClient) -> Result<MatchedUser> {
        let (subject, now) = (subject(claims), self.clock.now());
        let email = verified_email(claims);
        let (user, is_new) = match identities::find_user(tx, subject).await? {
            Some(user) => (user, false),
            None => self.find_or_create_user(tx, claims, email.as_deref()).await?,
        };
        if !users::lock(tx, user).await? {
            return Err(Error::NotFound);
        }
        if is_new && client.language.is_some() {
            let settings = UserSettings { language: client.language, ..UserSettings::default() };
            user_settings::upsert(tx, user, &settings, now).await?;
        }
        identities::mark_used(tx, subject, any_email(claims).as_deref(), now).await?;
        let is_new_owner = self.record_verified_email(tx, user, email.as_deref()).await?;
        let session = self.create_session(tx, user, method(claims.provider), client).await?;
        Ok(MatchedUser { user, is_new, is_new_owner, session })
    }

    /// Links an unknown identity to the account with its address, or to a new one. Returns the account and whether it is new.
    async fn find_or_create_user(&self, tx: &mut Tx, claims: &Claims, email: Option<&str>) -> Result<(UserId, bool)> {
        let email = email.ok_or(Error::EmailNotVerified)?;
        let (user, is_new) = match users::find_by_email_in(tx, email).await? {
            Some(user) if user.is_email_verified => {
                // Locked before the identity is inserted, or this transaction could deadlock with the deletion of the user.
                if !users::lock(tx, user.id).await? {
                    return Err(Error::NotFound);
                }
                (user.id, false)
            }
            // The account may have been registered with an address of another user, and both would share it.
            Some(_) => return Err(Error::EmailNotVerified),
            None => (self.create_user_from_claims(tx, claims, email).await?, true),
        };
        identities::create(tx, user, subject(claims), Some(email), self.clock.now()).await?;
        Ok((user, is_new))
    }

    /// Creates a user whose address the provider has verified.
    async fn create_user_from_claims(&self, tx: &mut Tx, claims: &Claims, email: &str) -> Result<UserId> {
        let is_owner = self.is_owner_email(email);
        if !is_owner && !self.settings.signup_allowed.allows(email) {
            return Err(Error::SignUpNotAllowed);
        }
        let role = if is_owner { Role::Owner } else { Role::Member };
        let name = claims.name.as_deref().unwrap_or_default();
        // A name that is too long does not fail the sign-in.
        let name = clean_name(name, email).or_else(|_| clean_name("", email))?;
        let new = NewUser { email: email.to_owned(), name, role, password_hash: None, is_email_verified: true };
        match role {
            Role::Owner => Ok(self.insert_owner(tx, &new).await?),
            Role::Member => Ok(users::create(tx, &new, self.clock.now()).await?),
        }
    }

    /// Marks the account's address as verified if it is this one, and makes the user an owner if the address is `OWNER_EMAIL`.
    /// Returns true if the user has become an owner.
    async fn record_verified_email(&self, tx: &mut Tx, user: UserId, email: Option<&str>) -> Result<bool> {
        let Some(email) = email else { return Ok(false) };
        let now = self.clock.now();
        let is_own = users::find_by_email_in(tx, email).await?.is_some_and(|found| found.id == user);
        if is_own {
            users::mark_email_verified(tx, user, now).await?;
        }
        Ok(self.is_owner_email(email) && users::set_role(tx, user, Role::Owner, now).await?)
    }

    /// Links an identity to the account of a signed-in user.
    pub async fn link_identity(&self, user: UserId, claims: &Claims) -> Result<()> {
        let (subject, now) = (subject(claims), self.clock.now());
        let linked = self.db.transact(async |tx| {
            if !users::lock(tx, user).await? {
                return Err(Error::NotFound);
            }
            match identities::find_user(tx, subject).await? {
                Some(owner) if owner == user => return Ok(None),
                Some(_) => return Err(Error::IdentityTaken),
                None => {}
            }
            match identities::create(tx, user, subject, any_email(claims).as_deref(), now).await {
                Err(store::Error::Conflict(_)) => return Err(Error::IdentityTaken),
                added => added?,
            };
            self.record_verified_email(tx, user, verified_email(claims).as_deref()).await.map(Some)
        });
        let Some(is_new_owner) = linked.await? else { return Ok(()) };
        if is_new_owner {
            audit::log_user_change("owner_made", user);
        }
        audit::log_credential_change("identity_linked", user, claims.provider);
        Ok(())
    }

    /// Lists the identities of a user, the oldest first.
    pub async fn list_identities(&self, user: UserId) -> Result<Vec<Identity>> {
        Ok(identities::list(&self.db, user).await?)
    }

    /// Unlinks an identity. Fails if the user could no longer sign in.
    pub async fn delete_identity(&self, user: UserId, identity: IdentityId) -> Result<()> {
        let unlinked = self.db.transact(async |tx| {
            users::lock(tx, user).await?;
            if !identities::delete(tx, user, identity).await? {
                return Err(Error::NotFound);
            }
            let has_password = self.settings.local_accounts && users::get_password_hash(tx, user).await?.is_some();
            if !has_password && identities::count(tx, user).await? == 0 {
                return Err(Error::LastWayIn);
            }
            Ok(())
        });
        unlinked.await?;
        audit::log_credential_change("identity_unlinked", user, identity);
        Ok(())
    }
}

fn method(provider: ProviderId) -> SignInMethod {
    match provider {
        ProviderId::Google => SignInMethod::Google,
        ProviderId::Oidc => SignInMethod::Oidc,
    }
}

fn subject(claims: &Claims) -> Subject<'_> {
    Subject { provider: claims.provider.as_str(), issuer: &claims.issuer, provider_user_id: &claims.subject }
}

/// The normalised address, if it is valid.
fn any_email(claims: &Claims) -> Option<String> {
    claims.email.as_deref().and_then(|email| email::normalise(email).ok())
}

/// The normalised address, if the provider has verified it.
fn verified_email(claims: &Claims) -> Option<String> {
    any_email(claims).filter(|_| claims.email_verified)
}
