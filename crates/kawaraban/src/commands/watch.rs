//! `watch`: the watched sites and their checks, and which posts are found at an address.

mod check;
mod dry_run;
mod find;
mod history;
mod init;
mod list;
mod shown;

use chrono::{DateTime, SecondsFormat, Utc};
use config_file::ConfigFile;
use store::{Clock, Db};

use super::{prepare, small_runtime};
use crate::{
    app::App, cli::WatchCommand, config::Config, config::Environment, config_source, database, failure::Failure,
};

/// Runs one of the commands.
pub fn run(environment: &Environment, command: WatchCommand) -> Result<(), Failure> {
    if let WatchCommand::Find(what) = command {
        return find::find(environment, &what);
    }
    let (config, _log) = prepare(environment)?;
    small_runtime()?.block_on(run_configured(&config, command))
}

async fn run_configured(config: &Config, command: WatchCommand) -> Result<(), Failure> {
    match command {
        WatchCommand::List { all, json } => {
            on_database(config, async |app, file| {
                app.watcher.read_blogs(file).await?;
                list::list(&app.watcher, file, all, json).await
            })
            .await
        }
        WatchCommand::Check { id, dry_run: true } => {
            on_database(config, async |app, file| {
                app.watcher.read_blogs(file).await?;
                dry_run::check(&app.watcher, file, id.as_deref()).await
            })
            .await
        }
        WatchCommand::Check { id, dry_run: false } => {
            on_database(config, async |app, file| check::check(app, file, id.as_deref()).await).await
        }
        WatchCommand::History { id, limit, json } => {
            on_database(config, async |app, file| history::list(app, file, &id, limit, json).await).await
        }
        WatchCommand::Init { force } => init::write_example(&config.config_file, force),
        // It needs no settings, and was run before.
        WatchCommand::Find(_) => Ok(()),
    }
}

/// Runs a command with the configuration file on a migrated database.
async fn on_database(
    config: &Config,
    command: impl AsyncFnOnce(&App<'_>, &ConfigFile) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let file = config_source::open(config)?.current();
    let (db, clock): (Db, Clock) = database::open_ready(config).await?;
    let app = App::new(config, db.clone(), clock)?;
    let done = command(&app, &file).await;
    app.reader.flush_fetch_stats().await;
    database::close(&db).await;
    done
}

/// The site does not exist.
fn unknown_site(id: &str) -> Failure {
    let id = crate::output::on_one_line(id);
    Failure::new(format!("there is no blog {id}: `kawaraban watch list --all` lists all of them"))
}

/// A time as in the API.
fn written(at: DateTime<Utc>) -> String {
    at.to_rfc3339_opts(SecondsFormat::Secs, true)
}
