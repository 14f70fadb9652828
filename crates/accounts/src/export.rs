//! Everything that is a person's own, to take along. No secrets, and no hashes of them.

use chrono::{DateTime, Utc};
use serde::Serialize;
use store::{
    UserId, delete_user,
    delete_user::ReadOrStarredItem,
    folders, identities, subscriptions,
    tokens::{self, Scope},
    users::Role,
};

use crate::{Accounts, Error, Result, SessionInfo, UserSettings};

/// Changes when the rest does.
const FORMAT: u32 = 1;

/// Whether an export lists the ways into the account: identities, sessions and tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WaysIn {
    /// They are listed: a signed-in browser asks.
    Listed,
    /// They are left out: an API token asks, which may not read them anywhere else either.
    LeftOut,
}

/// Everything that is a person's own.
#[derive(Debug, Clone, Serialize)]
pub struct Export {
    /// How to read the rest.
    pub format: u32,
    pub exported_at: DateTime<Utc>,
    pub account: ExportedAccount,
    pub settings: UserSettings,
    /// The ways into the account, unless they are left out.
    #[serde(flatten)]
    pub ways_in: Option<ExportedWaysIn>,
    /// Folders, in the person's order.
    pub folders: Vec<String>,
    /// Feeds that the person subscribes to.
    pub subscriptions: Vec<ExportedSubscription>,
    /// Items that the person has read or starred.
    pub items: Vec<ExportedItem>,
}

/// The account itself.
#[derive(Debug, Clone, Serialize)]
pub struct ExportedAccount {
    pub id: UserId,
    pub email: String,
    /// What the person is called.
    pub name: String,
    /// What they may do beyond their own things.
    pub role: Role,
    /// Whether they have a password.
    pub has_password: bool,
    /// Since when they have the account.
    pub created_at: DateTime<Utc>,
}

/// The ways into the account, without their secrets.
#[derive(Debug, Clone, Serialize)]
pub struct ExportedWaysIn {
    /// Providers that the person signs in with.
    pub identities: Vec<ExportedIdentity>,
    pub sessions: Vec<SessionInfo>,
    pub tokens: Vec<ExportedToken>,
}

/// One way to sign in with a provider.
#[derive(Debug, Clone, Serialize)]
pub struct ExportedIdentity {
    pub provider: String,
    /// The provider's own name for itself.
    pub issuer: String,
    /// The address that the provider last told.
    pub email: Option<String>,
    /// Since when it lets the person in.
    pub created_at: DateTime<Utc>,
    pub last_used_at: Option<DateTime<Utc>>,
}

/// One API token.
#[derive(Debug, Clone, Serialize)]
pub struct ExportedToken {
    /// What the person calls it.
    pub name: String,
    /// What it is good for.
    pub scope: Scope,
    pub created_at: DateTime<Utc>,
    /// When it was last used.
    pub last_used_at: Option<DateTime<Utc>>,
}

/// One subscription.
#[derive(Debug, Clone, Serialize)]
pub struct ExportedSubscription {
    pub feed_url: String,
    /// The site it belongs to.
    pub site_url: Option<String>,
    /// What the feed calls itself.
    pub feed_title: String,
    /// What the person calls it.
    pub own_title: Option<String>,
    /// The folder it is in.
    pub folder: Option<String>,
    /// How often the person wants it fetched.
    pub fetch_interval_minutes: i64,
    /// Since when the person subscribes.
    pub created_at: DateTime<Utc>,
}

/// One item and what the person did with it.
#[derive(Debug, Clone, Serialize)]
pub struct ExportedItem {
    /// The page it is about.
    pub link: Option<String>,
    pub title: String,
    /// The feed it came with.
    pub feed_url: String,
    /// When it was published, or first seen.
    pub published_at: DateTime<Utc>,
    /// Whether the person has read it.
    pub is_read: bool,
    /// Whether the person has starred it.
    pub is_starred: bool,
    /// When they last changed either.
    pub updated_at: DateTime<Utc>,
}

impl Accounts {
    /// Everything that is this person's own, with or without the ways into their account.
    pub async fn export(&self, user: UserId, ways_in: WaysIn) -> Result<Export> {
        let account = self.user(user).await?.ok_or(Error::NotFound)?;
        let folders = folders::list(&self.db, user).await?;
        let name_of = |id| folders.iter().find(|folder| Some(folder.id) == id).map(|folder| folder.name.clone());
        let subscriptions = subscriptions::list(&self.db, user).await?;
        Ok(Export {
            format: FORMAT,
            exported_at: self.clock.now(),
            account: ExportedAccount {
                id: account.id,
                email: account.email,
                name: account.name,
                role: account.role,
                has_password: account.has_password,
                created_at: account.created_at,
            },
            settings: self.settings(user).await?,
            ways_in: match ways_in {
                WaysIn::Listed => Some(self.exported_ways_in(user).await?),
                WaysIn::LeftOut => None,
            },
            subscriptions: subscriptions
                .into_iter()
                .map(|subscription| exported_subscription(name_of(subscription.folder_id), subscription))
                .collect(),
            folders: folders.into_iter().map(|folder| folder.name).collect(),
            items: delete_user::list_for_export(&self.db, user).await?.into_iter().map(exported_item).collect(),
        })
    }

    async fn exported_ways_in(&self, user: UserId) -> Result<ExportedWaysIn> {
        Ok(ExportedWaysIn {
            identities: identities::list(&self.db, user).await?.into_iter().map(exported_identity).collect(),
            sessions: self.sessions(user).await?,
            tokens: tokens::list(&self.db, user).await?.into_iter().map(exported_token).collect(),
        })
    }
}

fn exported_identity(identity: identities::Identity) -> ExportedIdentity {
    ExportedIdentity {
        provider: identity.provider,
        issuer: identity.issuer,
        email: identity.email,
        created_at: identity.created_at,
        last_used_at: identity.last_used_at,
    }
}

fn exported_token(token: tokens::Token) -> ExportedToken {
    ExportedToken {
        name: token.name,
        scope: token.scope,
        created_at: token.created_at,
        last_used_at: token.last_used_at,
    }
}

fn exported_subscription(folder: Option<String>, subscription: subscriptions::Subscription) -> ExportedSubscription {
    ExportedSubscription {
        feed_url: subscription.feed_url,
        site_url: subscription.site_url,
        feed_title: subscription.feed_title,
        own_title: subscription.own_title,
        folder,
        fetch_interval_minutes: subscription.fetch_interval_minutes,
        created_at: subscription.created_at,
    }
}

fn exported_item(item: ReadOrStarredItem) -> ExportedItem {
    ExportedItem {
        link: item.link,
        title: item.title,
        feed_url: item.feed_url,
        published_at: item.published_at,
        is_read: item.is_read,
        is_starred: item.is_starred,
        updated_at: item.updated_at,
    }
}
