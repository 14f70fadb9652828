//! `migrate`: migrates the database to the version this program needs.

use store::Migrated;

use crate::{config::Config, database, failure::Failure, output};

/// Applies the missing migrations and prints the versions.
pub async fn migrate(config: &Config) -> Result<(), Failure> {
    let db = database::open(config, 2).await?;
    let Migrated { from, to } = db.migrate().await?;
    database::close(&db).await;
    let address = db.address();
    output::print(&match from {
        from if from == to => format!("{address} is at version {to} already\n"),
        0 => format!("{address} is new and is at version {to} now\n"),
        from => format!("{address} was at version {from} and is at version {to} now\n"),
    })
}
