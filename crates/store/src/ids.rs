//! Ids as newtypes, so that the compiler tells them apart.

use std::{fmt, num::ParseIntError, str::FromStr};

use serde::{Deserialize, Serialize};
use uuid::Uuid;

macro_rules! uuid_ids {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, sqlx::Type)]
        #[serde(transparent)]
        #[sqlx(transparent)]
        pub struct $name(pub Uuid);

        impl $name {
            /// A new id, which sorts after earlier ones.
            pub fn new() -> Self {
                $name(Uuid::now_v7())
            }
        }

        impl Default for $name {
            fn default() -> Self {
                Self::new()
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }

        impl FromStr for $name {
            type Err = uuid::Error;
            fn from_str(text: &str) -> Result<Self, uuid::Error> {
                text.parse().map($name)
            }
        }

        impl From<$name> for Uuid {
            fn from(id: $name) -> Uuid {
                id.0
            }
        }
    )*};
}

uuid_ids! {
    /// A job on the queue.
    JobId;
    /// A user account.
    UserId;
    /// A feed, shared by its subscribers.
    FeedId;
    /// One user's subscription to one feed.
    SubscriptionId;
    /// One user's folder.
    FolderId;
    /// A "mark as read" that can be undone.
    UndoId;
    /// An import of an OPML file.
    ImportId;
    /// A user's account at a sign-in provider.
    IdentityId;
    /// The public id of a session. The browser's cookie holds a different secret.
    SessionId;
    /// The public id of an API token.
    TokenId;
}

/// An item of a feed. Ids ascend. In JSON it is a decimal string, because JSON has no 64-bit integers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, sqlx::Type)]
#[sqlx(transparent)]
pub struct ItemId(pub i64);

impl fmt::Display for ItemId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for ItemId {
    type Err = ParseIntError;
    fn from_str(text: &str) -> Result<Self, ParseIntError> {
        text.parse().map(ItemId)
    }
}

impl From<ItemId> for i64 {
    fn from(id: ItemId) -> i64 {
        id.0
    }
}

/// Identifies one claim of a job or feed. Each later write names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, sqlx::Type)]
#[sqlx(transparent)]
pub struct LeaseToken(pub Uuid);

impl LeaseToken {
    /// A random token.
    pub fn new() -> Self {
        LeaseToken(Uuid::new_v4())
    }
}

impl Default for LeaseToken {
    fn default() -> Self {
        Self::new()
    }
}

impl From<LeaseToken> for Uuid {
    fn from(token: LeaseToken) -> Uuid {
        token.0
    }
}
