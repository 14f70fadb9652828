//! Ids as types, so that one is never taken for another.

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
            /// A new id, sorting after those made before it.
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
    /// A person.
    UserId;
    /// A feed, shared by its subscribers.
    FeedId;
    /// One person's subscription to one feed.
    SubscriptionId;
    /// One person's folder.
    FolderId;
    /// Something that can be taken back.
    UndoId;
    /// An OPML file on its way in.
    ImportId;
    /// One way of a person to sign in.
    IdentityId;
    /// A session, as lists show it; what the browser keeps is another secret.
    SessionId;
    /// An API token, as lists show it.
    TokenId;
}

/// An item of a feed: ascending, and a decimal string in JSON, which has no 64-bit integers.
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

/// Proof of holding a job: made anew at each claim, named in every later write.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, sqlx::Type)]
#[sqlx(transparent)]
pub struct LeaseToken(pub Uuid);

impl LeaseToken {
    /// A token nobody else has.
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
