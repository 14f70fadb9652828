//! Errors of the store, named for what the caller can do about them.

use crate::DatabaseAddressError;

/// The result type of this crate.
pub type Result<T> = std::result::Result<T, Error>;

/// A failure of the store.
#[derive(Debug, thiserror::Error, strum::IntoStaticStr, strum::VariantNames)]
#[strum(serialize_all = "snake_case")]
pub enum Error {
    /// The database address is invalid.
    #[error(transparent)]
    #[strum(serialize = "internal")]
    Address(#[from] DatabaseAddressError),
    /// The database cannot be reached or created. Check the server, the folder and its permissions.
    #[error("cannot open the database {address}")]
    #[strum(serialize = "database_unavailable")]
    Open {
        /// The address, without its password.
        address: String,
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// A newer program has migrated the database.
    #[error(
        "the database is at version {found}, this program supports up to {known}: start the newer program, or restore a backup made before the upgrade"
    )]
    #[strum(serialize = "database_version")]
    Newer {
        found: i64,
        /// The last version that this program supports.
        known: i64,
    },
    /// The database is not migrated to the version that this program needs.
    #[error("the database is at version {found}, this program needs {known}: run `kawaraban migrate`")]
    #[strum(serialize = "database_version")]
    Older { found: i64, known: i64 },
    /// A row with this key exists.
    #[error("a row with this key exists already")]
    #[strum(serialize = "internal")]
    Conflict(#[source] sqlx::Error),
    /// The row does not exist.
    #[error("the row does not exist")]
    NotFound,
    /// The database is too busy to answer in time. Try again.
    #[error("the database is too busy")]
    #[strum(serialize = "database_unavailable")]
    Busy(#[source] sqlx::Error),
    /// Another transaction holds a lock for longer than this one may wait. Try again.
    #[error("another transaction holds a lock that this one needs")]
    #[strum(serialize = "database_unavailable")]
    Locked(#[source] Option<sqlx::Error>),
    /// The database cannot be reached, or cannot read or write its files. Check the server and its disk.
    #[error("the database does not answer")]
    #[strum(serialize = "database_unavailable")]
    Unavailable(#[source] sqlx::Error),
    /// The database's disk is full.
    #[error("the database's disk is full")]
    #[strum(serialize = "disk_full")]
    Full(#[source] sqlx::Error),
    /// The query failed for another reason.
    #[error("the database rejected a query")]
    #[strum(serialize = "internal")]
    Query(#[source] sqlx::Error),
}

impl Error {
    /// The error code of the API. Several variants share one.
    pub fn code(&self) -> &'static str {
        self.into()
    }

    /// A stable name for logs.
    pub fn kind(&self) -> &'static str {
        match self {
            Error::Address(_) => "address",
            Error::Open { .. } => "open",
            Error::Newer { .. } => "newer",
            Error::Older { .. } => "older",
            Error::Conflict(_) => "conflict",
            Error::NotFound => "not_found",
            Error::Busy(_) => "busy",
            Error::Locked(_) => "locked",
            Error::Unavailable(_) => "unavailable",
            Error::Full(_) => "full",
            Error::Query(_) => "query",
        }
    }

    /// Whether another transaction won and a retry can succeed. [`crate::Db::transact`] retries.
    pub(crate) fn is_clash(&self) -> bool {
        matches!(self, Error::Busy(error) if is_clash(error))
    }
}

impl From<sqlx::Error> for Error {
    fn from(error: sqlx::Error) -> Self {
        match &error {
            sqlx::Error::RowNotFound => Error::NotFound,
            sqlx::Error::PoolTimedOut => Error::Busy(error),
            sqlx::Error::Io(_)
            | sqlx::Error::Tls(_)
            | sqlx::Error::Protocol(_)
            | sqlx::Error::PoolClosed
            | sqlx::Error::WorkerCrashed => Error::Unavailable(error),
            sqlx::Error::Database(db) if db.is_unique_violation() => Error::Conflict(error),
            sqlx::Error::Database(db) => match db.code().as_deref().map(of_code) {
                Some(Code::Clash | Code::Busy) => Error::Busy(error),
                Some(Code::Locked) => Error::Locked(Some(error)),
                Some(Code::Unavailable) => Error::Unavailable(error),
                Some(Code::Full) => Error::Full(error),
                Some(Code::Other) | None => Error::Query(error),
            },
            _ => Error::Query(error),
        }
    }
}

/// Whether a statement failed because another transaction won.
pub(crate) fn is_clash(error: &sqlx::Error) -> bool {
    error.as_database_error().and_then(|error| error.code()).is_some_and(|code| of_code(&code) == Code::Clash)
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Code {
    /// Another transaction won. A retry can succeed.
    Clash,
    /// A statement took too long.
    Busy,
    Locked,
    Unavailable,
    Full,
    Other,
}

/// Classifies an error code: a number on SQLite, five characters on PostgreSQL.
pub(crate) fn of_code(code: &str) -> Code {
    if let Some(number) = code.parse::<u32>().ok().filter(|_| code.len() < 5) {
        // The lowest byte is the primary code.
        return match number & 0xff {
            SQLITE_BUSY | SQLITE_LOCKED => Code::Clash,
            SQLITE_FULL => Code::Full,
            SQLITE_NOMEM | SQLITE_READONLY | SQLITE_IOERR | SQLITE_CORRUPT | SQLITE_CANTOPEN | SQLITE_NOTADB => {
                Code::Unavailable
            }
            _ => Code::Other,
        };
    }
    match code {
        // Deadlock, serialization failure.
        "40P01" | "40001" => Code::Clash,
        // Statement time-out.
        "57014" => Code::Busy,
        "55P03" => Code::Locked,
        "53100" => Code::Full,
        // A server in recovery or a standby is read-only; idle transaction ended by the server; no such database; no
        // permission for a table.
        "25006" | "25P03" | "3D000" | "42501" => Code::Unavailable,
        // Connection lost; wrong user or password; out of memory or connections; server shut down; operating system error;
        // corrupt data.
        code if ["08", "28", "53", "57P", "58", "XX00"].iter().any(|class| code.starts_with(class)) => {
            Code::Unavailable
        }
        _ => Code::Other,
    }
}

const SQLITE_BUSY: u32 = 5;
const SQLITE_LOCKED: u32 = 6;
const SQLITE_NOMEM: u32 = 7;
const SQLITE_READONLY: u32 = 8;
const SQLITE_IOERR: u32 = 10;
const SQLITE_CORRUPT: u32 = 11;
const SQLITE_FULL: u32 = 13;
const SQLITE_CANTOPEN: u32 = 14;
const SQLITE_NOTADB: u32 = 26;

#[cfg(test)]
mod tests {
    use super::{Code, of_code};

    #[test]
    fn error_codes_are_classified() {
        for (code, expected) in [
            ("5", Code::Clash),
            ("517", Code::Clash),
            ("13", Code::Full),
            ("14", Code::Unavailable),
            ("778", Code::Unavailable),
            ("8", Code::Unavailable),
            ("11", Code::Unavailable),
            ("26", Code::Unavailable),
            ("1032", Code::Unavailable),
            ("1", Code::Other),
            ("40P01", Code::Clash),
            ("40001", Code::Clash),
            ("57014", Code::Busy),
            ("55P03", Code::Locked),
            ("53100", Code::Full),
            ("53300", Code::Unavailable),
            ("57P01", Code::Unavailable),
            ("25P03", Code::Unavailable),
            ("08006", Code::Unavailable),
            ("28P01", Code::Unavailable),
            ("3D000", Code::Unavailable),
            ("42501", Code::Unavailable),
            ("XX001", Code::Unavailable),
            ("42601", Code::Other),
            ("22012", Code::Other),
        ] {
            assert_eq!(of_code(code), expected, "{code}");
        }
    }
}
