//! Users: registration, look-up, deletion, and the commands of the operator.

use store::{
    UserId, delete_user, sessions, users,
    users::{NewUser, Role, User, UserSummary},
};

use crate::{
    Accounts, Error, Password, RemoteClient, Result, SignInMethod, SignedIn, accounts::clean_name, audit, email,
    password, throttle::ThrottleKey,
};

/// The data of an account to create.
#[derive(Debug, Clone)]
pub struct NewAccount {
    /// As the user typed it.
    pub email: String,
    /// If empty, the part of the address before the `@` becomes the name.
    pub name: String,
    pub password: Password,
}

impl Accounts {
    /// Registers a user, if the operator allows it, and signs them in. The address counts as not verified.
    pub async fn register(&self, new: &NewAccount, client: &RemoteClient) -> Result<SignedIn> {
        self.require_local_accounts()?;
        if !self.settings.local_registration {
            return Err(Error::RegistrationClosed);
        }
        let email = email::normalise(&new.email)?;
        // The address is not verified, so the owner's address cannot register.
        if self.is_owner_email(&email) || !self.settings.signup_allowed.allows(&email) {
            return Err(Error::SignUpNotAllowed);
        }
        // A failed registration counts too: it reveals whether an address has an account.
        let _spent = self.take_tokens(&[ThrottleKey::Registration(client)]).await?;
        if users::find_by_email(&self.db, &email).await?.is_some() {
            return Err(Error::EmailTaken);
        }
        let member = self.validate_new_user(new, Role::Member, false).await?;
        let created = self.db.transact(async |tx| {
            let user = email_conflict(users::create(tx, &member, self.clock.now()).await)?;
            Ok::<_, Error>((user, self.create_session(tx, user, SignInMethod::Registration, client).await?))
        });
        let (user, session) = created.await?;
        audit::log_change("register", user, SignInMethod::Registration.as_str(), client.address);
        self.signed_in(user, session, None).await
    }

    /// Creates a user for the operator. Sign-up rules do not apply.
    pub async fn create_user(&self, new: &NewAccount, role: Role) -> Result<User> {
        let new_user = self.validate_new_user(new, role, true).await?;
        let created = self.db.transact(async |tx| match role {
            Role::Owner => self.insert_owner(tx, &new_user).await,
            Role::Member => users::create(tx, &new_user, self.clock.now()).await,
        });
        let user = email_conflict(created.await)?;
        audit::log_user_change("account_added", user);
        self.get_user(user).await?.ok_or(Error::NotFound)
    }

    /// Sets the password of the user with this address, for the operator. All sessions of the user end.
    pub async fn set_password(&self, email: &str, new: &Password) -> Result<()> {
        let user = self.find_user_by_email(email).await?.ok_or(Error::NotFound)?;
        password::check(new, &user.email)?;
        let hash = self.hasher.hash(new).await?;
        let changed = self.db.transact(async |tx| {
            if !users::lock(tx, user.id).await? {
                return Err(Error::NotFound);
            }
            users::set_password(tx, user.id, &hash, self.clock.now()).await?;
            Ok(sessions::delete_others(tx, user.id, None).await?)
        });
        changed.await?;
        audit::log_user_change("password_changed", user.id);
        Ok(())
    }

    /// Deletes the user with this address, for the operator.
    pub async fn delete_user_by_email(&self, email: &str) -> Result<()> {
        let user = self.find_user_by_email(email).await?.ok_or(Error::NotFound)?;
        self.delete_user(user.id).await
    }

    /// Deletes a user with all their data. Feeds and items stay; feeds without subscribers rest.
    pub async fn delete_user(&self, user: UserId) -> Result<()> {
        if !delete_user::delete(&self.db, user, self.clock.now()).await? {
            return Err(Error::NotFound);
        }
        audit::log_user_change("account_deleted", user);
        Ok(())
    }

    /// The user with this id.
    pub async fn get_user(&self, user: UserId) -> Result<Option<User>> {
        Ok(users::get(&self.db, user).await?)
    }

    /// The user with this address, which is normalised first.
    pub async fn find_user_by_email(&self, email: &str) -> Result<Option<User>> {
        Ok(match email::normalise(email) {
            Ok(email) => users::find_by_email(&self.db, &email).await?,
            Err(_) => None,
        })
    }

    /// Lists users for the owner, the oldest account first, starting after `after`.
    pub async fn list_users(&self, after: Option<UserId>, limit: i64) -> Result<Vec<UserSummary>> {
        Ok(users::list_summaries(&self.db, after, limit).await?)
    }

    /// Changes the name of a user.
    pub async fn rename_user(&self, user: UserId, name: &str) -> Result<User> {
        let found = self.get_user(user).await?.ok_or(Error::NotFound)?;
        let name = clean_name(name, &found.email)?;
        if !users::rename(&self.db, user, &name, self.clock.now()).await? {
            return Err(Error::NotFound);
        }
        Ok(User { name, ..found })
    }

    /// Validates the data of a new account and hashes its password.
    pub(crate) async fn validate_new_user(
        &self,
        new: &NewAccount,
        role: Role,
        is_email_verified: bool,
    ) -> Result<NewUser> {
        let email = email::normalise(&new.email)?;
        let name = clean_name(&new.name, &email)?;
        password::check(&new.password, &email)?;
        let password_hash = Some(self.hasher.hash(&new.password).await?);
        Ok(NewUser { email, name, role, password_hash, is_email_verified })
    }

    /// Whether this is `OWNER_EMAIL`.
    pub(crate) fn is_owner_email(&self, email: &str) -> bool {
        let owner = self.settings.owner_email.as_deref().and_then(|owner| email::normalise(owner).ok());
        owner.as_deref() == Some(email)
    }
}

/// Turns a conflict of the insert into [`Error::EmailTaken`].
pub(crate) fn email_conflict<T>(inserted: store::Result<T>) -> Result<T> {
    match inserted {
        Err(store::Error::Conflict(_)) => Err(Error::EmailTaken),
        inserted => Ok(inserted?),
    }
}
