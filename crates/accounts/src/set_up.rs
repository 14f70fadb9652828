//! The first account: the set-up link that the server prints creates the owner.

use chrono::TimeDelta;
use store::{
    Tx, UserId, setup_links, users,
    users::{NewUser, Role},
};

use crate::{
    Accounts, Error, NewAccount, RemoteClient, Result, SetupToken, SignInMethod, SignedIn, audit, users::email_conflict,
};

const LINK_LIFETIME: TimeDelta = TimeDelta::hours(24);
/// The user that versions without accounts created. It has no way to sign in.
const LOCAL_USER: &str = "owner@localhost";

impl Accounts {
    /// Whether no account can sign in yet.
    pub async fn needs_setup(&self) -> Result<bool> {
        Ok(self.settings.local_accounts && !users::any_can_sign_in(&self.db).await?)
    }

    /// Creates a set-up link; `None` if an account can sign in, or if passwords are off.
    pub async fn create_setup_link(&self) -> Result<Option<SetupToken>> {
        if !self.needs_setup().await? {
            return Ok(None);
        }
        let (token, now) = (SetupToken::random(), self.clock.now());
        setup_links::create(&self.db, &token.hash(), now + LINK_LIFETIME, now).await?;
        Ok(Some(token))
    }

    /// Creates the owner's account and signs them in. A failure does not use up the link.
    pub async fn set_up(&self, token: &str, new: &NewAccount, client: &RemoteClient) -> Result<SignedIn> {
        self.require_local_accounts()?;
        let token = SetupToken::parse(token).ok_or(Error::SetupLinkInvalid)?;
        // Checked first, so that invalid tokens cost no password hash.
        if !setup_links::is_valid(&self.db, &token.hash(), self.clock.now()).await? {
            return Err(Error::SetupLinkInvalid);
        }
        let owner = self.validate_new_user(new, Role::Owner, true).await?;
        let created = self.db.transact(async |tx| {
            let redeemed = setup_links::redeem(tx, &token.hash(), self.clock.now()).await?;
            if !redeemed || users::any_can_sign_in_tx(tx).await? {
                return Err(Error::SetupLinkInvalid);
            }
            let user = email_conflict(self.insert_owner(tx, &owner).await)?;
            Ok((user, self.create_session(tx, user, SignInMethod::Setup, client).await?))
        });
        let (user, session) = created.await?;
        audit::log_change("set_up", user, SignInMethod::Setup.as_str(), client.address);
        self.signed_in(user, session, None).await
    }

    /// Inserts an owner. The first one takes over the data of [`LOCAL_USER`].
    pub(crate) async fn insert_owner(&self, tx: &mut Tx, owner: &NewUser) -> store::Result<UserId> {
        let now = self.clock.now();
        match users::claim(tx, LOCAL_USER, owner, now).await? {
            Some(user) => Ok(user),
            None => users::create(tx, owner, now).await,
        }
    }
}
