//! Opening the database for a command.

use std::time::Duration;

use store::{Clock, DatabaseAddress, Db};

use crate::{config::Config, failure::Failure};

/// For one-shot commands.
const FEW_CONNECTIONS: u32 = 2;
/// The end of the process closes the remaining connections.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(1);

/// Opens the database. Creates a missing SQLite file.
pub async fn open(config: &Config, max_connections: u32) -> Result<Db, Failure> {
    Ok(Db::open(&config.database_url, max_connections).await?)
}

/// Opens an existing database, which must have the right version.
pub async fn open_ready(config: &Config) -> Result<(Db, Clock), Failure> {
    if let DatabaseAddress::Sqlite(path) = &config.database_url
        && !path.exists()
    {
        return Err(Failure::new(format!(
            "there is no database at {}: run `kawaraban migrate` to create one, or correct DATABASE_URL",
            path.display()
        )));
    }
    let db = open(config, FEW_CONNECTIONS).await?;
    db.check().await?;
    let clock = Clock::system();
    db.sync_clock(&clock).await?;
    Ok((db, clock))
}

/// Opens a database for a command that may run before the first start: an empty one is migrated. An older one is not, because
/// the running programs may be older too; use `migrate`.
pub async fn open_or_create(config: &Config) -> Result<(Db, Clock), Failure> {
    let db = open(config, FEW_CONNECTIONS).await?;
    match db.check().await {
        Err(store::Error::Older { found: 0, .. }) => db.migrate().await.map(|_| ())?,
        checked => checked?,
    }
    let clock = Clock::system();
    db.sync_clock(&clock).await?;
    Ok((db, clock))
}

/// Closes the database, which moves SQLite's WAL into its file.
pub async fn close(db: &Db) {
    // Closing waits for connections in use; a blocked one must not delay the end.
    let _ = tokio::time::timeout(CLOSE_TIMEOUT, db.close()).await;
}
