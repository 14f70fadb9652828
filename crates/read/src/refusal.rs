//! Why something that a person asked for is not done.

/// Why lists, states, folders and subscriptions stay as they are.
#[derive(Debug, thiserror::Error)]
pub enum Refusal {
    /// The person has no such thing.
    #[error("there is no such thing")]
    NotFound,
    /// The person has no such folder to put it in.
    #[error("there is no such folder")]
    NoSuchFolder,
    /// A name must have 1 to 100 characters.
    #[error("the name is empty or too long")]
    BadName,
    /// Another folder of the person has this name.
    #[error("the name is taken")]
    NameTaken,
    /// The person has as many folders as they may have: this many.
    #[error("no more than {0} folders")]
    TooManyFolders(u32),
    /// An interval is 30 to 720 minutes, in steps of 30.
    #[error("the interval is not 30 to 720 minutes in steps of 30")]
    BadInterval,
    /// A title has at most 500 characters.
    #[error("the title is too long")]
    BadTitle,
    /// Only a stopped feed can be resumed.
    #[error("the feed is not stopped")]
    NotStopped,
    /// There is nothing to take back: it was done, or is too long ago.
    #[error("there is nothing to take back")]
    NothingToUndo,
    /// The database failed.
    #[error(transparent)]
    Store(#[from] store::Error),
}
