//! Exports all data of a user, without secrets and their hashes.

use chrono::{DateTime, Utc};
use serde::Serialize;
use store::{
    UserId, delete_user,
    delete_user::ReadOrStarredItem,
    folders, identities, subscriptions,
    tokens::{self, Scope},
    users::Role,
};

use crate::{Accounts, DisplaySettings, Error, Result, SessionInfo};

/// Version of the export format.
const FORMAT: u32 = 1;

/// Whether an export lists identities, sessions and tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExportScope {
    /// For a signed-in browser.
    Full,
    /// For an API token, which cannot read identities, sessions and tokens anywhere else either.
    WithoutCredentials,
}

/// All data of a user.
#[derive(Debug, Clone, Serialize)]
pub struct Export {
    pub format: u32,
    pub exported_at: DateTime<Utc>,
    pub account: ExportedAccount,
    pub settings: DisplaySettings,
    /// `None` leaves the fields out of the JSON.
    #[serde(flatten)]
    pub credentials: Option<ExportedCredentials>,
    /// Folder names, in the user's order.
    pub folders: Vec<String>,
    pub subscriptions: Vec<ExportedSubscription>,
    /// Items that are read or starred.
    pub items: Vec<ExportedItem>,
}

/// The account itself.
#[derive(Debug, Clone, Serialize)]
pub struct ExportedAccount {
    pub id: UserId,
    pub email: String,
    pub name: String,
    pub role: Role,
    pub has_password: bool,
    pub created_at: DateTime<Utc>,
}

/// Identities, sessions and tokens, without their secrets.
#[derive(Debug, Clone, Serialize)]
pub struct ExportedCredentials {
    pub identities: Vec<ExportedIdentity>,
    pub sessions: Vec<SessionInfo>,
    pub tokens: Vec<ExportedToken>,
}

/// An identity at a provider.
#[derive(Debug, Clone, Serialize)]
pub struct ExportedIdentity {
    pub provider: String,
    pub issuer: String,
    /// The address that the provider reported last.
    pub email: Option<String>,
    pub created_at: DateTime<Utc>,
    pub last_used_at: Option<DateTime<Utc>>,
}

/// One API token.
#[derive(Debug, Clone, Serialize)]
pub struct ExportedToken {
    pub name: String,
    pub scope: Scope,
    pub created_at: DateTime<Utc>,
    pub last_used_at: Option<DateTime<Utc>>,
}

/// One subscription.
#[derive(Debug, Clone, Serialize)]
pub struct ExportedSubscription {
    pub feed_url: String,
    pub site_url: Option<String>,
    pub feed_title: String,
    /// The title that the user has given the feed.
    pub own_title: Option<String>,
    pub folder: Option<String>,
    pub fetch_interval_minutes: i64,
    pub created_at: DateTime<Utc>,
}

/// An item and its state.
#[derive(Debug, Clone, Serialize)]
pub struct ExportedItem {
    pub link: Option<String>,
    pub title: String,
    pub feed_url: String,
    /// When it was published, or first seen.
    pub published_at: DateTime<Utc>,
    pub is_read: bool,
    pub is_starred: bool,
    /// When the state last changed.
    pub updated_at: DateTime<Utc>,
}

impl Accounts {
    /// Exports all data of a user, with or without identities, sessions and tokens.
    pub async fn export(&self, user: UserId, scope: ExportScope) -> Result<Export> {
        let account = self.get_user(user).await?.ok_or(Error::NotFound)?;
        let folders = folders::list(&self.db, user).await?;
        let name_of = |id| folders.iter().find(|folder| Some(folder.id) == id).map(|folder| folder.name.clone());
        let subscriptions = subscriptions::list(&self.db, user).await?.value;
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
            settings: self.get_settings(user).await?,
            credentials: match scope {
                ExportScope::Full => Some(self.exported_credentials(user).await?),
                ExportScope::WithoutCredentials => None,
            },
            subscriptions: subscriptions
                .into_iter()
                .map(|subscription| exported_subscription(name_of(subscription.folder_id), subscription))
                .collect(),
            folders: folders.into_iter().map(|folder| folder.name).collect(),
            items: delete_user::list_for_export(&self.db, user).await?.into_iter().map(exported_item).collect(),
        })
    }

    async fn exported_credentials(&self, user: UserId) -> Result<ExportedCredentials> {
        Ok(ExportedCredentials {
            identities: identities::list(&self.db, user).await?.into_iter().map(exported_identity).collect(),
            sessions: self.list_sessions(user).await?,
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
