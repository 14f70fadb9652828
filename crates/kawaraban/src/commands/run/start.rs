//! The start, step by step.

use std::{net::SocketAddr, num::NonZeroU32};

use store::{Clock, Db, Migrated};
use tokio::{net::TcpListener, task::JoinSet};
use tokio_util::sync::CancellationToken;
use web::{App, Build, Limiter, Limits, Measurements, MetricsToken, Streams};

use super::{GRACE, Role, Running};
use crate::{COMMIT, VERSION, config::Config, database, failure::Failure, jobs, output, reader, session_secret};

/// Starts the parts of `role`, and says where they are once they are ready.
pub(super) async fn start(role: Role, config: &Config, stop: &CancellationToken) -> Result<Running, Failure> {
    let clock = Clock::system();
    let build = Build { version: VERSION, commit: COMMIT, started_at_seconds: clock.now().timestamp() };
    let measurements = Measurements::install(build).map_err(|error| Failure::because("cannot start", &error))?;
    let db = prepare_database(role, config).await?;
    // A worker does so again and again; an API by itself must not be hours off either.
    db.agree_on_time(&clock).await?;
    let reader = reader::reader(config, db.clone(), clock)?;
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
        let worker = jobs::worker(&reader, config, GRACE);
        let (fetcher, fetcher_stop) = (reader.clone(), stop.clone());
        parts.spawn(named("the fetcher", async move { fetcher.fetch_feeds(fetcher_stop).await }));
        let (indexer, indexer_stop) = (reader.clone(), stop.clone());
        parts.spawn(named("the word indexer", async move { indexer.index_words(indexer_stop).await }));
        let stop = stop.clone();
        parts.spawn(named("the worker", async move {
            if let Err(error) = worker.run(stop).await {
                tracing::error!(%error, "the worker broke");
            }
        }));
    }
    if role == Role::Api {
        // A worker hears what other processes tell; without one, pages would learn of it half a minute late.
        let (db, stop) = (db.clone(), stop.clone());
        parts.spawn(named("the listener to other processes", async move {
            let _ended = stop.run_until_cancelled(db.listen()).await;
        }));
    }
    if let Some(listener) = main {
        let metrics_token = config.metrics_token.as_ref().map(|token| MetricsToken::new(token.expose().to_owned()));
        let local_person = web::local_person(&db, reader.clock().now()).await?;
        let app = App {
            db: db.clone(),
            reader,
            local_person: Some(local_person),
            limiter: Limiter::new(limits(config)),
            streams: Streams::default(),
            measurements,
            metrics_token,
            stopping: stop.clone(),
        };
        parts.spawn(named("the API", web::serve(listener, web::main_router(app), stop.clone(), GRACE)));
    }
    announce(config, addresses);
    Ok(Running { db, parts })
}

fn limits(config: &Config) -> Limits {
    Limits {
        requests: NonZeroU32::new(config.rate_limit_general),
        registrations: NonZeroU32::new(config.rate_limit_feed_reg),
    }
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
