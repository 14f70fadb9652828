//! What the commands do: each in a file of its own name.

mod completions;
mod config;
mod feed;
mod healthcheck;
mod jobs;
mod licenses;
mod migrate;
mod opml;
mod refresh;
mod run;
mod user;

use tokio::runtime::{self, Runtime};

use crate::{
    cli::Command,
    config::{Config, Environment, Needs, load},
    failure::Failure,
    logging::{self, Files, Log},
    output,
};

/// Runs a command to its end.
pub fn run(command: Command, environment: &Environment) -> Result<(), Failure> {
    match command {
        Command::Serve => run::run(run::Role::Serve, environment),
        Command::Api => run::run(run::Role::Api, environment),
        Command::Worker => run::run(run::Role::Worker, environment),
        Command::Migrate => {
            let (config, _log) = prepare(environment)?;
            small_runtime()?.block_on(migrate::migrate(&config))
        }
        Command::Config { markdown } => config::show(environment, markdown),
        Command::Healthcheck { worker } => {
            let (config, _log) = prepare(environment)?;
            small_runtime()?.block_on(healthcheck::check(&config, worker))
        }
        Command::Jobs { command } => {
            let (config, _log) = prepare(environment)?;
            small_runtime()?.block_on(jobs::run(&config, command))
        }
        Command::User { command } => {
            let (config, _log) = prepare(environment)?;
            small_runtime()?.block_on(user::run(&config, command))
        }
        Command::Opml { command } => {
            let (config, _log) = prepare(environment)?;
            small_runtime()?.block_on(opml::run(&config, command))
        }
        Command::Refresh(which) => {
            let (config, _log) = prepare(environment)?;
            small_runtime()?.block_on(refresh::refresh(&config, which))
        }
        Command::Feed { command } => feed::run(environment, command),
        Command::Openapi => output::print(&web::openapi_document()),
        Command::Licenses => licenses::print(),
        Command::Completions { shell } => completions::print(shell),
    }
}

/// Settings and log of a command that a person or a script runs and waits for.
fn prepare(environment: &Environment) -> Result<(Config, Log), Failure> {
    configure(environment, Needs::Other, Files::No)
}

/// Reads the settings, starts the log, and says what looked odd.
fn configure(environment: &Environment, needs: Needs, files: Files) -> Result<(Config, Log), Failure> {
    let loaded = load(environment, needs);
    let config = loaded.config.map_err(Failure::Settings)?;
    let in_colour = environment.stderr_is_terminal && environment.get("NO_COLOR").is_none();
    let log = logging::start(&config, in_colour, files)?;
    for warning in loaded.warnings {
        tracing::warn!("{warning}");
    }
    Ok((config, log))
}

/// One thread is enough for a command that asks one question at a time.
fn small_runtime() -> Result<Runtime, Failure> {
    runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| Failure::because("cannot start", &error))
}
