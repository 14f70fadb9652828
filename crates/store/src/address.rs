//! Parses `DATABASE_URL` before anything is opened. An unknown scheme is an error; it never creates an empty file.

use std::{fmt, path::PathBuf, str::FromStr};

use sqlx::postgres::PgConnectOptions;

/// Where the database is.
#[derive(Clone)]
pub enum DatabaseAddress {
    /// A file on this machine.
    Sqlite(PathBuf),
    /// A server.
    Postgres(Box<PgConnectOptions>),
}

/// Why a `DATABASE_URL` cannot be used. The message leaves out the address, which may hold a password.
#[derive(Debug, thiserror::Error)]
pub enum DatabaseAddressError {
    /// A scheme other than SQLite's and PostgreSQL's.
    #[error(
        "the database address has the scheme `{0}`: write sqlite://path/to/kawaraban.db or postgres://user:password@host/name"
    )]
    Scheme(String),
    /// No scheme at all.
    #[error(
        "the database address has no scheme: write sqlite://path/to/kawaraban.db or postgres://user:password@host/name"
    )]
    NoScheme,
    /// `sqlite://` without a path.
    #[error("the database address names no file: write sqlite://path/to/kawaraban.db")]
    NoFile,
    /// Each connection would get its own SQLite database in memory.
    #[error("an SQLite database in memory cannot be shared between connections: write sqlite://path/to/kawaraban.db")]
    Memory,
    /// Settings after a question mark.
    #[error("an SQLite address takes no settings after `?`: write sqlite://path/to/kawaraban.db")]
    Settings,
    /// A malformed PostgreSQL address.
    #[error("the PostgreSQL address is malformed: write postgres://user:password@host:5432/name")]
    Postgres(#[source] sqlx::Error),
}

impl FromStr for DatabaseAddress {
    type Err = DatabaseAddressError;

    fn from_str(text: &str) -> Result<Self, DatabaseAddressError> {
        let (scheme, rest) = text.split_once(':').ok_or(DatabaseAddressError::NoScheme)?;
        match scheme.to_ascii_lowercase().as_str() {
            "sqlite" => sqlite_file(rest).map(DatabaseAddress::Sqlite),
            "postgres" | "postgresql" if rest.starts_with("//") => {
                let options = text.parse::<PgConnectOptions>().map_err(DatabaseAddressError::Postgres)?;
                Ok(DatabaseAddress::Postgres(Box::new(options)))
            }
            "postgres" | "postgresql" => {
                Err(DatabaseAddressError::Postgres(sqlx::Error::InvalidArgument("no //".into())))
            }
            // A Windows drive or a file name with a colon has no scheme to report.
            other if rest.starts_with("//") => Err(DatabaseAddressError::Scheme(other.to_owned())),
            _ => Err(DatabaseAddressError::NoScheme),
        }
    }
}

fn sqlite_file(rest: &str) -> Result<PathBuf, DatabaseAddressError> {
    let path = rest.strip_prefix("//").unwrap_or(rest);
    if path.is_empty() || path.ends_with('/') {
        return Err(DatabaseAddressError::NoFile);
    }
    if path.contains(":memory:") {
        return Err(DatabaseAddressError::Memory);
    }
    if path.contains('?') {
        return Err(DatabaseAddressError::Settings);
    }
    Ok(PathBuf::from(path))
}

/// Without the password.
impl fmt::Display for DatabaseAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DatabaseAddress::Sqlite(path) => write!(f, "sqlite://{}", path.display()),
            DatabaseAddress::Postgres(pg) => write!(
                f,
                "postgres://{}@{}:{}/{}",
                pg.get_username(),
                pg.get_host(),
                pg.get_port(),
                pg.get_database().unwrap_or(pg.get_username())
            ),
        }
    }
}

/// Without the password.
impl fmt::Debug for DatabaseAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_parsed_and_passwords_hidden() {
        let shown = |text: &str| text.parse::<DatabaseAddress>().unwrap().to_string();
        assert_eq!(shown("sqlite://data/k.db"), "sqlite://data/k.db");
        assert_eq!(shown("sqlite:///var/lib/k.db"), "sqlite:///var/lib/k.db");
        assert_eq!(shown("sqlite:k.db"), "sqlite://k.db");
        assert_eq!(shown("postgres://me:secret@db.example:5433/news"), "postgres://me@db.example:5433/news");
        assert_eq!(shown("postgresql://me:secret@db.example/news"), "postgres://me@db.example:5432/news");
    }

    #[test]
    fn invalid_addresses_are_rejected_without_echo() {
        let refused = [
            "mysql://me:secret@h/x",
            "news.db",
            "",
            "sqlite://",
            "sqlite://dir/",
            "sqlite://:memory:",
            "sqlite://k.db?mode=ro",
            "file:k.db",
            "postgres:k",
            "/var/lib/k.db",
            "C:\\k.db",
            "postgres://me:secret@h:notaport/x",
        ];
        for text in refused {
            let error = text.parse::<DatabaseAddress>().expect_err(text).to_string();
            assert!(error.contains("write sqlite://") || error.contains("write postgres://"), "{text}: {error}");
            assert!(!error.contains("secret"), "{text}: {error}");
        }
    }
}
