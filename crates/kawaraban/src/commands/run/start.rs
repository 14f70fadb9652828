//! The start, step by step.

use std::net::SocketAddr;

use store::{Clock, Db, Migrated};
use tokio::{net::TcpListener, task::JoinSet};
use tokio_util::sync::CancellationToken;
use web::{App, Build, Measurements, MetricsToken};

use super::{GRACE, Role, Running};
use crate::{COMMIT, VERSION, config::Config, database, failure::Failure, jobs, output, session_secret};

/// Starts the parts of `role`, and says where they are once they are ready.
pub(super) async fn start(role: Role, config: &Config, stop: &CancellationToken) -> Result<Running, Failure> {
    let clock = Clock::system();
    let build = Build { version: VERSION, commit: COMMIT, started_at_seconds: clock.now().timestamp() };
    let measurements = Measurements::install(build).map_err(|error| Failure::because("cannot start", &error))?;
    let db = prepare_database(role, config).await?;
    if role == Role::Serve {
        session_secret::ensure(config)?;
    }
    let main = match role.has_api() {
        true => Some(bind(SocketAddr::new(config.server_host, config.server_port), "SERVER_PORT").await?),
        false => None,
    };
    let metrics = match config.metrics_addr {
        Some(address) => Some(bind(address, "METRICS_ADDR").await?),
        None => None,
    };
    let addresses = [local_address(main.as_ref())?, local_address(metrics.as_ref())?];

    let mut parts = JoinSet::new();
    parts.spawn(named("the upkeep of metrics", measurements.clone().keep_up(stop.clone())));
    if let Some(listener) = metrics {
        let router = web::metrics_router(measurements.clone());
        parts.spawn(named("the metrics listener", web::serve(listener, router, stop.clone(), GRACE)));
    }
    if role.has_worker() {
        let worker = jobs::worker(db.clone(), clock, config, GRACE);
        let stop = stop.clone();
        parts.spawn(named("the worker", async move {
            if let Err(error) = worker.run(stop).await {
                tracing::error!(%error, "the worker broke");
            }
        }));
    }
    if let Some(listener) = main {
        let metrics_token = config.metrics_token.as_ref().map(|token| MetricsToken::new(token.expose().to_owned()));
        let app = App { db: db.clone(), measurements, metrics_token, stopping: stop.clone() };
        parts.spawn(named("the API", web::serve(listener, web::main_router(app), stop.clone(), GRACE)));
    }
    announce(config, addresses);
    Ok(Running { db, parts })
}

async fn named(name: &'static str, part: impl Future<Output = ()>) -> &'static str {
    part.await;
    name
}

async fn prepare_database(role: Role, config: &Config) -> Result<Db, Failure> {
    tracing::info!(version = VERSION, commit = COMMIT, database = %config.database_url, "starting");
    let db = database::open(config, config.database_max_connections).await?;
    if role != Role::Serve && !db.is_postgres() {
        tracing::warn!(
            "on SQLite the halves do not wake each other: jobs start up to a second late; use `serve` or PostgreSQL"
        );
    }
    let Migrated { from, to } = db.migrate().await?;
    if from != to {
        tracing::info!(from, to, "the database has a new version");
    }
    Ok(db)
}

async fn bind(address: SocketAddr, setting: &str) -> Result<TcpListener, Failure> {
    TcpListener::bind(address)
        .await
        .map_err(|error| Failure::because(format!("cannot listen on {address}, choose another with {setting}"), &error))
}

fn local_address(listener: Option<&TcpListener>) -> Result<Option<SocketAddr>, Failure> {
    let address = listener.map(TcpListener::local_addr).transpose();
    address.map_err(|error| Failure::because("cannot tell the address of a listener", &error))
}

/// Plain lines on the standard output, terminal or not: where to go, and that it is time to.
fn announce(config: &Config, [main, metrics]: [Option<SocketAddr>; 2]) {
    let mut lines = String::new();
    if let Some(address) = metrics {
        tracing::info!(%address, "metrics are served");
        lines.push_str(&format!("metrics on http://{address}/metrics\n"));
    }
    match main {
        Some(address) => {
            let mut url = config.base_url.clone();
            if url.port() == Some(0) {
                // The default address names the port that was asked for; 0 is only known now. An http URL takes any.
                let _ = url.set_port(Some(address.port()));
            }
            tracing::info!(%address, "ready");
            lines.push_str(&format!("ready on {url} (listening on {address})\n"));
        }
        None => {
            tracing::info!("ready");
            lines.push_str("ready, working on jobs\n");
        }
    }
    if let Err(failure) = output::print(&lines) {
        tracing::warn!("{failure}");
    }
}
