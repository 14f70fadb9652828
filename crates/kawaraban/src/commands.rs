//! The commands, each in its own file.

mod article;
mod completions;
mod config;
mod feed;
mod healthcheck;
mod jobs;
pub mod licenses;
mod migrate;
mod opml;
mod refresh;
mod run;
mod user;
mod watch;

use tokio::runtime::{self, Runtime};

use crate::{
    cli::Command,
    config::{Config, Environment, Loaded, Needs, load},
    failure::Failure,
    logging::{self, Files, LogGuard},
    output,
};

/// Runs a command to its end.
pub fn run(command: Command, environment: &Environment) -> Result<(), Failure> {
    match command {
        Command::Serve => run::run(run::ProcessRole::Serve, environment),
        Command::Api => run::run(run::ProcessRole::Api, environment),
        Command::Worker => run::run(run::ProcessRole::Worker, environment),
        Command::Migrate => {
            let (config, _log) = prepare(environment)?;
            small_runtime()?.block_on(migrate::migrate(&config))
        }
        Command::Config { markdown } => config::show(environment, markdown),
        Command::Healthcheck { worker, any } => {
            let (config, _log) = prepare(environment)?;
            let target = match (worker, any) {
                (true, _) => healthcheck::HealthTarget::Worker,
                (false, true) => healthcheck::HealthTarget::Any,
                (false, false) => healthcheck::HealthTarget::Api,
            };
            small_runtime()?.block_on(healthcheck::check(&config, target))
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
        Command::Article(what) => article::show(environment, &what),
        Command::Watch { command } => watch::run(environment, command),
        Command::Openapi => output::print(&web::openapi_document()),
        Command::Licenses => licenses::print(),
        Command::Completions { shell } => completions::print(shell),
    }
}

/// Reads the settings and starts the log of a one-shot command.
fn prepare(environment: &Environment) -> Result<(Config, LogGuard), Failure> {
    configure(environment, Needs::Other, Files::No)
}

/// Reads the settings, starts the log, and logs warnings about settings.
fn configure(environment: &Environment, needs: Needs, files: Files) -> Result<(Config, LogGuard), Failure> {
    let Loaded { config, warnings, log_dir, .. } = load(environment, needs);
    let in_colour = environment.stderr_is_terminal && environment.get("NO_COLOR").is_none();
    let started = match config {
        Ok(config) => logging::start(&config, in_colour, files).map(|log| (config, log)),
        Err(mut problems) => {
            let folder = log_dir.filter(|_| files == Files::Too);
            problems.extend(folder.and_then(|folder| logging::folder_problem(&folder)));
            Err(Failure::Settings(problems))
        }
    };
    // A misspelt name may be the cause of the failure.
    let started = started.map_err(|failure| failure.with_settings(warnings.clone()))?;
    for warning in warnings {
        tracing::warn!("{warning}");
    }
    Ok(started)
}

/// One thread is enough for a one-shot command.
fn small_runtime() -> Result<Runtime, Failure> {
    runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| Failure::because("cannot start", &error))
}
