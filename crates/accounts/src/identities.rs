//! Getting in with a provider: whose account it is, and which identities an account has.

use store::{
    IdentityId, Tx, UserId, identities,
    identities::{Identity, Subject},
    users,
    users::{NewUser, Role},
};

use crate::{
    Accounts, Client, Error, Method, Result, SignedIn,
    accounts::{Begun, clean_name},
    audit, email,
    openid::{Claims, ProviderId},
};

/// Whose account a provider's claims belong to.
struct Matched {
    user: UserId,
    is_new: bool,
    is_new_owner: bool,
    begun: Begun,
}

impl Accounts {
    /// Signs in a user that a provider has identified: by a linked identity, else by a verified address that an account has,
    /// else with a new account if sign-up allows it.
    pub async fn sign_in_as(&self, claims: &Claims, client: &Client) -> Result<SignedIn> {
        let method = method(claims.provider);
        let matched = self.db.transact(async |tx| match self.match_user(tx, claims, client).await {
            // The same person came or left at the same moment.
            Err(error @ (Error::Store(store::Error::Conflict(_)) | Error::NotFound)) => Err(tx.retry_with(error)),
            matched => matched,
        });
        let Matched { user, is_new, is_new_owner, begun } = matched.await?;
        if is_new_owner {
            audit::done("owner_made", user);
        }
        if is_new {
            audit::happened("register", user, method.as_str(), client.address);
        }
        audit::happened("sign_in", user, method.as_str(), client.address);
        self.signed_in(user, begun, None).await
    }

    async fn match_user(&self, tx: &mut Tx, claims: &Claims, client: &Client) -> Result<Matched> {
        let (subject, now) = (subject(claims), self.clock.now());
        let email = verified_email(claims);
        let (user, is_new) = match identities::find_user(tx, subject).await? {
            Some(user) => (user, false),
            None => self.find_or_add(tx, claims, email.as_deref()).await?,
        };
        if !users::lock(tx, user).await? {
            return Err(Error::NotFound);
        }
        identities::mark_used(tx, subject, any_email(claims).as_deref(), now).await?;
        let is_new_owner = self.note_verified(tx, user, email.as_deref()).await?;
        let begun = self.begin_session(tx, user, method(claims.provider), client).await?;
        Ok(Matched { user, is_new, is_new_owner, begun })
    }

    /// The account that an unknown identity now belongs to, and whether it is new.
    async fn find_or_add(&self, tx: &mut Tx, claims: &Claims, email: Option<&str>) -> Result<(UserId, bool)> {
        let email = email.ok_or(Error::EmailNotVerified)?;
        let (user, is_new) = match users::find_by_email_in(tx, email).await? {
            Some(user) if user.is_email_verified => {
                // Before the identity is added, or whoever removes the person and this would wait for each other.
                if !users::lock(tx, user.id).await? {
                    return Err(Error::NotFound);
                }
                (user.id, false)
            }
            // Whoever made it may have typed somebody else's address, and would share the account with them.
            Some(_) => return Err(Error::EmailNotVerified),
            None => (self.add_known(tx, claims, email).await?, true),
        };
        identities::create(tx, user, subject(claims), Some(email), self.clock.now()).await?;
        Ok((user, is_new))
    }

    /// Adds somebody whose address a provider has verified.
    async fn add_known(&self, tx: &mut Tx, claims: &Claims, email: &str) -> Result<UserId> {
        let is_owner = self.is_owner_email(email);
        if !is_owner && !self.settings.signup_allowed.allows(email) {
            return Err(Error::SignUpNotAllowed);
        }
        let role = if is_owner { Role::Owner } else { Role::Member };
        let name = claims.name.as_deref().unwrap_or_default();
        // A provider's name that is too long is no reason to stay out.
        let name = clean_name(name, email).or_else(|_| clean_name("", email))?;
        let new = NewUser { email: email.to_owned(), name, role, password_hash: None, is_email_verified: true };
        match role {
            Role::Owner => Ok(self.insert_owner(tx, &new).await?),
            Role::Member => Ok(users::create(tx, &new, self.clock.now()).await?),
        }
    }

    /// Takes over what the provider has verified: that the account's address is its person's, and who the owner is. True if
    /// the person has become the owner.
    async fn note_verified(&self, tx: &mut Tx, user: UserId, email: Option<&str>) -> Result<bool> {
        let Some(email) = email else { return Ok(false) };
        let now = self.clock.now();
        let owns = users::find_by_email_in(tx, email).await?.is_some_and(|found| found.id == user);
        if owns {
            users::mark_email_verified(tx, user, now).await?;
        }
        Ok(self.is_owner_email(email) && users::set_role(tx, user, Role::Owner, now).await?)
    }

    /// Lets a signed-in person in by this too.
    pub async fn link(&self, user: UserId, claims: &Claims) -> Result<()> {
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
            self.note_verified(tx, user, verified_email(claims).as_deref()).await.map(Some)
        });
        let Some(is_new_owner) = linked.await? else { return Ok(()) };
        if is_new_owner {
            audit::done("owner_made", user);
        }
        audit::done_to("identity_linked", user, claims.provider);
        Ok(())
    }

    /// A person's identities, the oldest first.
    pub async fn identities(&self, user: UserId) -> Result<Vec<Identity>> {
        Ok(identities::list(&self.db, user).await?)
    }

    /// Takes an identity away, unless nothing else would let the person in.
    pub async fn unlink(&self, user: UserId, identity: IdentityId) -> Result<()> {
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
        audit::done_to("identity_unlinked", user, identity);
        Ok(())
    }
}

fn method(provider: ProviderId) -> Method {
    match provider {
        ProviderId::Google => Method::Google,
        ProviderId::Oidc => Method::Oidc,
    }
}

fn subject(claims: &Claims) -> Subject<'_> {
    Subject { provider: claims.provider.as_str(), issuer: &claims.issuer, provider_user_id: &claims.subject }
}

/// The address, if it is one.
fn any_email(claims: &Claims) -> Option<String> {
    claims.email.as_deref().and_then(|email| email::normalise(email).ok())
}

/// The address, if the provider says that it is the person's own.
fn verified_email(claims: &Claims) -> Option<String> {
    any_email(claims).filter(|_| claims.email_verified)
}
