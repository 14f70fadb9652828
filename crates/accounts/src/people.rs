//! People: making accounts, finding them, and what the owner and the operator do to them.

use store::{
    UserId, sessions, users,
    users::{NewUser, Role, User, UserSummary},
};

use crate::{
    Accounts, Client, Error, Method, Password, Result, SignedIn, accounts::clean_name, audit, email, password,
    throttle::Limited,
};

/// An account that somebody asks for.
#[derive(Debug, Clone)]
pub struct NewAccount {
    /// As it was typed.
    pub email: String,
    /// What to call the person; the beginning of the address if it is empty.
    pub name: String,
    pub password: Password,
}

impl Accounts {
    /// Makes an account for whoever asks, where that is open, and lets them in. Their address is not known to be theirs.
    pub async fn register(&self, new: &NewAccount, client: &Client) -> Result<SignedIn> {
        self.must_be_local()?;
        if !self.settings.local_registration {
            return Err(Error::RegistrationClosed);
        }
        let email = email::normalise(&new.email)?;
        // Nobody has proved that the address is theirs: that of the owner is not for the first comer.
        if self.is_owner_email(&email) || !self.settings.signup_allowed.allows(&email) {
            return Err(Error::SignUpNotAllowed);
        }
        // Each costs a hash and a row; failed ones count too, or addresses could be tried for accounts.
        let _spent = self.take_tokens(&[Limited::Registration(client)]).await?;
        if users::find_by_email(&self.db, &email).await?.is_some() {
            return Err(Error::EmailTaken);
        }
        let member = self.prepare(new, Role::Member, false).await?;
        let added = self.db.transact(async |tx| {
            let user = taken(users::create(tx, &member, self.clock.now()).await)?;
            Ok::<_, Error>((user, self.begin_session(tx, user, Method::Registration, client).await?))
        });
        let (user, begun) = added.await?;
        audit::happened("register", user, Method::Registration.as_str(), client.address);
        self.signed_in(user, begun, None).await
    }

    /// Makes an account for somebody, by the operator's hand; nothing but the form is judged.
    pub async fn add(&self, new: &NewAccount, role: Role) -> Result<User> {
        let prepared = self.prepare(new, role, true).await?;
        let added = self.db.transact(async |tx| match role {
            Role::Owner => self.insert_owner(tx, &prepared).await,
            Role::Member => users::create(tx, &prepared, self.clock.now()).await,
        });
        let user = taken(added.await)?;
        audit::done("account_added", user);
        self.user(user).await?.ok_or(Error::NotFound)
    }

    /// Gives the person with this address another password, by the operator's hand; all their sessions end.
    pub async fn set_password(&self, email: &str, new: &Password) -> Result<()> {
        let user = self.find(email).await?.ok_or(Error::NotFound)?;
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
        audit::done("password_changed", user.id);
        Ok(())
    }

    /// Removes the person with this address, by the operator's hand.
    pub async fn remove(&self, email: &str) -> Result<()> {
        let user = self.find(email).await?.ok_or(Error::NotFound)?;
        self.leave(user.id).await
    }

    /// The person.
    pub async fn user(&self, user: UserId) -> Result<Option<User>> {
        Ok(users::get(&self.db, user).await?)
    }

    /// The person with this address, however it is written.
    pub async fn find(&self, email: &str) -> Result<Option<User>> {
        Ok(match email::normalise(email) {
            Ok(email) => users::find_by_email(&self.db, &email).await?,
            Err(_) => None,
        })
    }

    /// People as the owner sees them, those who have been here longest first, from after `after`.
    pub async fn users(&self, after: Option<UserId>, most: i64) -> Result<Vec<UserSummary>> {
        Ok(users::list_summaries(&self.db, after, most).await?)
    }

    /// Calls a person something else.
    pub async fn rename(&self, user: UserId, name: &str) -> Result<User> {
        let found = self.user(user).await?.ok_or(Error::NotFound)?;
        let name = clean_name(name, &found.email)?;
        if !users::rename(&self.db, user, &name, self.clock.now()).await? {
            return Err(Error::NotFound);
        }
        Ok(User { name, ..found })
    }

    /// Judges the form of a new account and hashes its password.
    pub(crate) async fn prepare(&self, new: &NewAccount, role: Role, is_email_verified: bool) -> Result<NewUser> {
        let email = email::normalise(&new.email)?;
        let name = clean_name(&new.name, &email)?;
        password::check(&new.password, &email)?;
        let password_hash = Some(self.hasher.hash(&new.password).await?);
        Ok(NewUser { email, name, role, password_hash, is_email_verified })
    }

    /// Whether whoever proves to have this address looks after the machine.
    pub(crate) fn is_owner_email(&self, email: &str) -> bool {
        let owner = self.settings.owner_email.as_deref().and_then(|owner| email::normalise(owner).ok());
        owner.as_deref() == Some(email)
    }
}

/// A conflict between addresses, by its name.
pub(crate) fn taken<T>(added: store::Result<T>) -> Result<T> {
    match added {
        Err(store::Error::Conflict(_)) => Err(Error::EmailTaken),
        added => Ok(added?),
    }
}
