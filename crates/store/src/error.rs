//! What can go wrong with a database, named for what the caller can do about it.

use crate::AddressError;

/// The result of everything in this crate.
pub type Result<T> = std::result::Result<T, Error>;

/// A failure of the store.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The address cannot be used; correct it.
    #[error(transparent)]
    Address(#[from] AddressError),
    /// The database cannot be reached or created; see to the server, the folder or the rights.
    #[error("cannot open the database {address}")]
    Open {
        /// The address, without its password.
        address: String,
        /// Why.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// The database was written by a newer program; start that one, or restore an older backup.
    #[error(
        "the database is at version {found}, this program knows only up to {known}: start the newer program, or restore a backup made before the upgrade"
    )]
    Newer {
        /// The version found.
        found: i64,
        /// The last version this program knows.
        known: i64,
    },
    /// The database was not migrated to what this program needs.
    #[error("the database is at version {found}, this program needs {known}: run `kawaraban migrate`")]
    Older {
        /// The version found.
        found: i64,
        /// The version needed.
        known: i64,
    },
    /// A row like this exists already.
    #[error("there is one already")]
    Conflict(#[source] sqlx::Error),
    /// There is no such row.
    #[error("there is no such thing")]
    NotFound,
    /// The database is too busy to answer in time; try again.
    #[error("the database is too busy")]
    Busy(#[source] sqlx::Error),
    /// The query failed for another reason.
    #[error("the database refused a query")]
    Query(#[source] sqlx::Error),
}

impl Error {
    /// A short stable name for logs.
    pub fn kind(&self) -> &'static str {
        match self {
            Error::Address(_) => "address",
            Error::Open { .. } => "open",
            Error::Newer { .. } => "newer",
            Error::Older { .. } => "older",
            Error::Conflict(_) => "conflict",
            Error::NotFound => "not_found",
            Error::Busy(_) => "busy",
            Error::Query(_) => "query",
        }
    }
}

impl From<sqlx::Error> for Error {
    fn from(error: sqlx::Error) -> Self {
        match &error {
            sqlx::Error::RowNotFound => Error::NotFound,
            sqlx::Error::PoolTimedOut => Error::Busy(error),
            sqlx::Error::Database(db) if db.is_unique_violation() => Error::Conflict(error),
            sqlx::Error::Database(db) if is_busy(db.code().as_deref()) => Error::Busy(error),
            _ => Error::Query(error),
        }
    }
}

/// SQLITE_BUSY with its extended codes, and PostgreSQL's deadlock, lock time-out and "too many connections".
pub(crate) fn is_busy(code: Option<&str>) -> bool {
    matches!(code, Some("5" | "261" | "517" | "773" | "40P01" | "40001" | "55P03" | "53300"))
}
