//! Opening the database for a command.

use std::time::Duration;

use store::{Clock, DatabaseAddress, Db};

use crate::{config::Config, failure::Failure};

/// One-shot commands ask a few questions, one after the other.
const FEW_CONNECTIONS: u32 = 2;
/// How long closing may take; what is left then is closed by the end of the process.
const TO_CLOSE: Duration = Duration::from_secs(1);

/// Opens the database, making the SQLite file if it is missing.
pub async fn open(config: &Config, max_connections: u32) -> Result<Db, Failure> {
    Ok(Db::open(&config.database_url, max_connections).await?)
}

/// Opens a database that must be there already and have the right version, for a command that only looks or changes rows.
pub async fn open_ready(config: &Config) -> Result<(Db, Clock), Failure> {
    if let DatabaseAddress::Sqlite(path) = &config.database_url
        && !path.exists()
    {
        return Err(Failure::new(format!(
            "there is no database at {}: run `kawaraban migrate` to make one, or set DATABASE_URL to the right one",
            path.display()
        )));
    }
    let db = open(config, FEW_CONNECTIONS).await?;
    db.check().await?;
    let clock = Clock::system();
    db.sync_clock(&clock).await?;
    Ok((db, clock))
}

/// Opens a database for a command that may be the first of all: one that has nothing in it is made ready. One that is
/// older is left for `migrate`, since the programs that use it may be too.
pub async fn open_or_make(config: &Config) -> Result<(Db, Clock), Failure> {
    let db = open(config, FEW_CONNECTIONS).await?;
    match db.check().await {
        Err(store::Error::Older { found: 0, .. }) => db.migrate().await.map(|_| ())?,
        checked => checked?,
    }
    let clock = Clock::system();
    db.sync_clock(&clock).await?;
    Ok((db, clock))
}

/// Closes the database, so that SQLite's log is moved into its file.
pub async fn close(db: &Db) {
    // Closing waits for connections in use; a stuck one must not hold up the end.
    let _ = tokio::time::timeout(TO_CLOSE, db.close()).await;
}
