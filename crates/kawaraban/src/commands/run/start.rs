//! The steps of the start.

mod files;

use std::net::SocketAddr;

use accounts::Accounts;
use config_file::ConfigSource;
use store::{Clock, Db, Migrated};
use tokio::{net::TcpListener, signal::unix::Signal, task::JoinSet};
use tokio_util::sync::CancellationToken;
use web::{BuildInfo, Measurements};

use super::{GRACE, ProcessRole, Running};
use crate::{
    COMMIT, VERSION,
    accounts::with_port,
    app::App,
    config::{Config, Secret},
    config_source, database,
    failure::Failure,
    logging, output, session_secret,
};

/// Starts the parts of `role` and prints their addresses. `None` if `stop` came before the first part was started. Later, every
/// part stops in an orderly way, so no running part is dropped here.
pub(super) async fn start(
    role: ProcessRole,
    config: &Config,
    hangups: Signal,
    stop: &CancellationToken,
) -> Result<Option<Running>, Failure> {
    let Some(prepared) = stop.run_until_cancelled(prepare(role, config)).await else { return Ok(None) };
    Ok(Some(run_parts(role, config, hangups, stop, prepared?).await))
}

/// Everything needed to start the parts.
struct Prepared<'a> {
    app: App<'a>,
    config_file: ConfigSource,
    measurements: Measurements,
    /// The session secret and the listener of the API.
    api: Option<(Secret, TcpListener)>,
    metrics: Option<TcpListener>,
    addresses: [Option<SocketAddr>; 2],
    setup_line: Option<String>,
}

/// Opens the database and the sockets.
async fn prepare(role: ProcessRole, config: &Config) -> Result<Prepared<'_>, Failure> {
    let config_file = config_source::open(config)?;
    let clock = Clock::system();
    let build = BuildInfo { version: VERSION, commit: COMMIT, started_at_seconds: clock.now().timestamp() };
    let measurements = Measurements::install(build).map_err(|error| Failure::because("cannot start", &error))?;
    let db = prepare_database(role, config).await?;
    // A worker does this every minute; an API without a worker does it once.
    db.sync_clock(&clock).await?;
    let app = App::new(config, db, clock)?;
    // Before the fetcher and the API, which must know the blogs.
    app.watcher.sync_blogs(&config_file.current()).await?;
    let api = match role.has_api() {
        true => {
            let secret = session_secret::ensure(config)?;
            let address = SocketAddr::new(config.server_host, config.server_port);
            Some((secret, bind(address, "SERVER_PORT").await?))
        }
        false => None,
    };
    let metrics = match config.metrics_addr {
        Some(address) => Some(bind(address, "METRICS_ADDR").await?),
        None => None,
    };
    let addresses = [local_address(api.as_ref().map(|(_, listener)| listener))?, local_address(metrics.as_ref())?];
    let setup_line = match &api {
        Some(_) => create_setup_line(config, &app.accounts, addresses[0]).await?,
        None => None,
    };
    Ok(Prepared { app, config_file, measurements, api, metrics, addresses, setup_line })
}

/// Starts the parts and prints their addresses.
async fn run_parts(
    role: ProcessRole,
    config: &Config,
    hangups: Signal,
    stop: &CancellationToken,
    prepared: Prepared<'_>,
) -> Running {
    let Prepared { app, config_file, measurements, api, metrics, addresses, setup_line } = prepared;
    let connection_limits = files::connection_limits(config, files::raise_limit());
    let mut parts = JoinSet::new();
    parts.spawn(named("the maintenance of metrics", measurements.clone().keep_up(stop.clone())));
    if let Some(folder) = config.log_dir.clone() {
        parts.spawn(named("the deletion of old log files", logging::remove_old_files(folder, stop.clone())));
    }
    let watcher = app.watcher.clone();
    parts.spawn(named(
        "the reader of the configuration file",
        config_source::follow(config_file, watcher, hangups, stop.clone()),
    ));
    if let Some(listener) = metrics {
        let router = web::metrics_router(measurements.clone());
        parts.spawn(named(
            "the metrics listener",
            web::serve(listener, router, files::metrics_limits(), stop.clone(), GRACE),
        ));
    }
    if role.has_worker() {
        let worker = app.worker(GRACE);
        let (fetcher, fetcher_stop) = (app.reader.clone(), stop.clone());
        parts.spawn(named("the fetcher", async move { fetcher.fetch_feeds(fetcher_stop).await }));
        let (indexer, indexer_stop) = (app.reader.clone(), stop.clone());
        parts.spawn(named("the word indexer", async move { indexer.index_words(indexer_stop).await }));
        let stop = stop.clone();
        parts.spawn(named("the worker", async move {
            if let Err(error) = worker.run(stop).await {
                tracing::error!(%error, "the worker failed");
            }
        }));
    }
    if role == ProcessRole::Api {
        // With a worker, its scheduler does this.
        let (figures, stop_figures) = (app.reader.clone(), stop.clone());
        parts.spawn(named("the statistics", async move { figures.write_fetch_stats(stop_figures).await }));
        // A worker listens to other processes. Without one, pages would be updated half a minute late.
        let (db, stop) = (app.db.clone(), stop.clone());
        parts.spawn(named("the listener to other processes", async move {
            let _ended = stop.run_until_cancelled(db.listen()).await;
        }));
    }
    // The set-up link is printed before the API answers, so it is in the output when /readyz is 200. A blocked terminal delays
    // the start, but not a signal to stop.
    stop.run_until_cancelled(announce(config, setup_line, addresses)).await;
    if let Some((secret, listener)) = api {
        let port = addresses[0].map_or(0, |address| address.port());
        let router = web::main_router(app.api(port, &secret, measurements, stop));
        parts.spawn(named("the API", web::serve(listener, router, connection_limits, stop.clone(), GRACE)));
    }
    Running { reader: app.reader, parts }
}

async fn named(name: &'static str, part: impl Future<Output = ()>) -> &'static str {
    part.await;
    name
}

async fn prepare_database(role: ProcessRole, config: &Config) -> Result<Db, Failure> {
    tracing::info!(version = VERSION, commit = COMMIT, database = %config.database_url, "starting");
    let db = database::open(config, config.database_max_connections).await?;
    if role != ProcessRole::Serve && !db.is_postgres() {
        tracing::warn!("on SQLite, `api` and `worker` notice each other's work up to 250 ms late; use `serve`");
    }
    let Migrated { from, to } = db.migrate().await?;
    if from != to {
        tracing::info!(from, to, "migrated the database to a new version");
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
    address.map_err(|error| Failure::because("cannot get the address of a listener", &error))
}

/// The line with the set-up link, while no user can sign in. It contains a secret, so it is not logged.
async fn create_setup_line(
    config: &Config,
    accounts: &Accounts,
    address: Option<SocketAddr>,
) -> Result<Option<String>, Failure> {
    let link = accounts
        .create_setup_link()
        .await
        .map_err(|error| Failure::because("cannot create the set-up link", &error))?;
    Ok(link.map(|token| {
        tracing::info!("no account can sign in yet: the link to create the first one is in the standard output");
        let base = with_port(&config.base_url, address.map_or(0, |address| address.port()));
        format!("set up your account at {}/setup?token={}\n", base.as_str().trim_end_matches('/'), token.expose())
    }))
}

/// Prints the set-up link and the addresses of the process to the standard output. Returns after the flush.
async fn announce(config: &Config, setup_line: Option<String>, [main, metrics]: [Option<SocketAddr>; 2]) {
    let mut lines = setup_line.unwrap_or_default();
    if let Some(address) = metrics {
        tracing::info!(%address, "metrics are served");
        lines.push_str(&format!("metrics on http://{address}/metrics\n"));
    }
    match main {
        Some(address) => {
            let url = with_port(&config.base_url, address.port());
            tracing::info!(%address, "ready");
            lines.push_str(&format!("ready on {url} (listening on {address})\n"));
        }
        None => {
            tracing::info!("ready");
            lines.push_str("ready, working on jobs\n");
        }
    }
    // On the blocking pool, so that a signal to stop is not delayed.
    match tokio::task::spawn_blocking(move || output::print(&lines)).await {
        Ok(Ok(())) => {}
        Ok(Err(failure)) => tracing::warn!("{failure}"),
        Err(error) => tracing::warn!(%error, "cannot write to the standard output"),
    }
}
