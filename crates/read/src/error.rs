//! Why a request is refused, named for what the user can do about it.

use std::time::Duration;

use feed::{discover::AddressError, opml::OpmlError};
use net::StatusCode;
use serde::Serialize;
use store::{FeedId, SubscriptionId};

use crate::{FeedCandidate, Problem};

/// The result of the methods of [`crate::Reader`].
pub type Result<T> = std::result::Result<T, Error>;

/// A refusal, or a database error. The name of a variant is its code, and its fields are the placeholders in its message.
/// The messages are in `web`.
#[derive(Debug, thiserror::Error, Serialize, strum::IntoStaticStr, strum::VariantNames)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Error {
    /// It does not exist, or it belongs to another user.
    #[error("not found")]
    NotFound,
    /// The user has no such folder.
    #[error("there is no such folder")]
    UnknownFolder,
    /// A folder needs a name.
    #[error("a name is missing")]
    NameMissing,
    /// Choose a shorter name.
    #[error("a name has at most {max} characters")]
    NameTooLong { max: usize },
    /// Another folder of the user has this name.
    #[error("the name is taken")]
    NameTaken,
    /// Delete a folder first.
    #[error("no more than {max} folders")]
    FolderLimit { max: u32 },
    /// Choose another interval, in minutes.
    #[error("the interval is not {min} to {max} minutes in steps of {step}")]
    InvalidInterval { min: i64, max: i64, step: i64 },
    /// Choose a shorter title.
    #[error("a title has at most {max} characters")]
    TitleTooLong { max: usize },
    /// Only a stopped feed can be resumed.
    #[error("the feed is not stopped")]
    NotStopped,
    /// Correct the selector.
    #[error("{detail}")]
    #[serde(skip)]
    InvalidSelector { detail: String },
    /// Shorten the selectors.
    #[error("selectors have at most {max} characters")]
    SelectorTooLong { max: usize },
    /// Ask an owner.
    #[error("others read this feed too")]
    RulesShared,
    /// Use fewer or shorter words.
    #[error("no more than {words} words of at most {max} characters")]
    WordsTooLong { words: usize, max: usize },
    /// Wait for an item.
    #[error("no item of the feed has a page")]
    NoPage,
    /// It was undone already, or too long ago.
    #[error("there is nothing to undo")]
    UndoExpired { minutes: i64 },
    /// Enter an address.
    #[error("an address is missing")]
    AddressMissing,
    /// Enter a shorter address.
    #[error("the address is too long")]
    AddressTooLong,
    /// Enter an address.
    #[error("there is no address in the text")]
    AddressInvalid,
    /// Enter an address of the web.
    #[error("the address does not begin with http or https")]
    AddressScheme,
    /// The guard refuses the address; shown as [`Problem::AddressRefused`].
    #[error("the address is refused")]
    #[serde(skip)]
    AddressRefused(#[source] net::Error),
    /// The user has this feed already.
    #[error("there is a subscription already")]
    #[serde(skip)]
    AlreadySubscribed { subscription: SubscriptionId, feed: FeedId },
    /// Delete a subscription first.
    #[error("no more than {max} subscriptions")]
    SubscriptionLimit { max: u32 },
    /// Enter another address.
    #[error("no feed was found")]
    FeedNotFound,
    /// The page names feeds, but none of them could be read; choose one of them, or enter another address.
    #[error("none of the feeds that the page names could be read")]
    #[serde(skip)]
    FeedsUnreadable { candidates: Vec<FeedCandidate> },
    /// The site does not deliver the feed; shown as the [`Problem`].
    #[error("the site does not deliver the feed: {problem}")]
    #[serde(skip)]
    Origin {
        /// The feed that the page names, if that feed failed and not the requested address.
        feed_url: Option<String>,
        problem: Problem,
        /// The details, for the owner.
        detail: String,
        /// The status of the response, if there was one.
        status: Option<StatusCode>,
        /// How long the site asks us to wait.
        retry_after: Option<Duration>,
    },
    /// This machine lacks files, memory or disk space, or a turn at the host; try again later.
    #[error("the request cannot be sent now")]
    #[serde(skip)]
    OutOfResources(#[source] net::Error),
    /// Choose another file.
    #[error(transparent)]
    #[serde(skip)]
    NotOpml(#[from] OpmlError),
    /// Choose another file.
    #[error("there are no feeds in the file")]
    OpmlEmpty,
    /// Split the file.
    #[error("a file has at most {max} feeds")]
    OpmlTooManyFeeds { max: usize },
    /// Enter a word to search for.
    #[error("the query has no word")]
    QueryEmpty,
    /// Enter a word that is not excluded.
    #[error("the query only excludes words")]
    QueryOnlyExcludes,
    /// Enter a shorter query.
    #[error("a query has at most {max} characters")]
    QueryTooLong { max: usize },
    /// Enter fewer words.
    #[error("a query has at most {max} words")]
    QueryTooManyWords { max: usize },
    /// The database failed; the code is that of the inner error.
    #[error(transparent)]
    #[serde(skip)]
    #[strum(transparent)]
    Store(#[from] store::Error),
    /// The jobs of an import could not be enqueued.
    #[error(transparent)]
    #[serde(skip)]
    #[strum(serialize = "internal")]
    Enqueue(queue::EnqueueError),
}

impl From<queue::EnqueueError> for Error {
    fn from(error: queue::EnqueueError) -> Self {
        match error {
            queue::EnqueueError::Store(error) => Error::Store(error),
            error => Error::Enqueue(error),
        }
    }
}

impl Error {
    /// The code in API responses.
    pub fn code(&self) -> &'static str {
        self.into()
    }
}

impl From<AddressError> for Error {
    fn from(error: AddressError) -> Self {
        match error {
            AddressError::Empty => Error::AddressMissing,
            AddressError::TooLong => Error::AddressTooLong,
            AddressError::NoAddress => Error::AddressInvalid,
            AddressError::Scheme(_) => Error::AddressScheme,
        }
    }
}
