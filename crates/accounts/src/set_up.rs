//! The first account: whoever has the link that the server printed makes it, and looks after the machine from then on.

use chrono::TimeDelta;
use store::{
    Tx, UserId, setup_links, users,
    users::{NewUser, Role},
};

use crate::{Accounts, Client, Error, Method, NewAccount, Result, SetupToken, SignedIn, audit, people::taken};

/// How long a link is good.
const GOOD_FOR: TimeDelta = TimeDelta::hours(24);
/// The person for whom the machine worked before there were accounts; nobody can sign in as them.
const LOCAL_PERSON: &str = "owner@localhost";

impl Accounts {
    /// Whether the first account is still to be made.
    pub async fn needs_setup(&self) -> Result<bool> {
        Ok(self.settings.local_accounts && !users::any_can_sign_in(&self.db).await?)
    }

    /// A new link that makes the first account; none if somebody can sign in, or if passwords are not used here.
    pub async fn setup_link(&self) -> Result<Option<SetupToken>> {
        if !self.needs_setup().await? {
            return Ok(None);
        }
        let (token, now) = (SetupToken::random(), self.clock.now());
        setup_links::create(&self.db, &token.hash(), now + GOOD_FOR, now).await?;
        Ok(Some(token))
    }

    /// Makes the owner's account and lets them in. The link is used up only if that works.
    pub async fn set_up(&self, token: &str, new: &NewAccount, client: &Client) -> Result<SignedIn> {
        self.must_be_local()?;
        let token = SetupToken::parse(token).ok_or(Error::SetupLinkInvalid)?;
        // Looked at first: a hash is not computed for everybody who makes a token up.
        if !setup_links::is_valid(&self.db, &token.hash(), self.clock.now()).await? {
            return Err(Error::SetupLinkInvalid);
        }
        let owner = self.prepare(new, Role::Owner, true).await?;
        let added = self.db.transact(async |tx| {
            let redeemed = setup_links::redeem(tx, &token.hash(), self.clock.now()).await?;
            if !redeemed || users::any_can_sign_in_tx(tx).await? {
                return Err(Error::SetupLinkInvalid);
            }
            let user = taken(self.insert_owner(tx, &owner).await)?;
            Ok((user, self.begin_session(tx, user, Method::Setup, client).await?))
        });
        let (user, begun) = added.await?;
        audit::happened("set_up", user, Method::Setup.as_str(), client.address);
        self.signed_in(user, begun, None).await
    }

    /// Adds an owner. The first one takes over what the machine's person had before there were accounts.
    pub(crate) async fn insert_owner(&self, tx: &mut Tx, owner: &NewUser) -> store::Result<UserId> {
        let now = self.clock.now();
        match users::claim(tx, LOCAL_PERSON, owner, now).await? {
            Some(user) => Ok(user),
            None => users::create(tx, owner, now).await,
        }
    }
}
