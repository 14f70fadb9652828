//! The parts of a process. Each capability is registered here: its service, its jobs and its part of the API.

use std::time::Duration;

use ::accounts::Accounts;
use queue::Worker;
use read::Reader;
use store::{Clock, Db};
use tokio_util::sync::CancellationToken;
use watch::{WatchSettings, Watcher};
use web::{EventStreams, Measurements, MetricsToken, RateLimiter, Site};

use crate::{
    VERSION, accounts,
    commands::licenses,
    config::{Config, Secret},
    failure::Failure,
    host, reader_settings, site,
};

/// One for each process. All parts share the clock, the database and the network client, which paces requests to a host.
pub struct App<'a> {
    pub config: &'a Config,
    pub clock: Clock,
    pub db: Db,
    /// The only network client of the process.
    pub net: net::Client,
    pub accounts: Accounts,
    pub reader: Reader,
    /// It knows no blogs until it is given those of the configuration file.
    pub watcher: Watcher,
}

impl App<'_> {
    /// Builds all parts from the configuration.
    pub fn new(config: &Config, db: Db, clock: Clock) -> Result<App<'_>, Failure> {
        let net = net_client(config)?;
        let mut reader = Reader::new(db.clone(), net.clone(), clock.clone(), reader_settings::from_config(config));
        let watcher = Watcher::new(&mut reader, net.clone(), watch_settings(config));
        Ok(App {
            accounts: accounts::accounts(config, db.clone(), clock.clone()),
            reader,
            watcher,
            config,
            clock,
            db,
            net,
        })
    }

    /// A worker for all kinds of jobs.
    pub fn worker(&self, grace: Duration) -> Worker {
        let mut worker = self.empty_worker(grace);
        ::accounts::register_jobs(&mut worker, &self.accounts);
        read::register_jobs(&mut worker, &self.reader);
        watch::register_jobs(&mut worker, &self.watcher);
        worker
    }

    /// A worker with only the queue's own jobs.
    pub fn empty_worker(&self, grace: Duration) -> Worker {
        let settings = queue::WorkerSettings {
            lease: self.config.job_lease,
            concurrency: self.config.job_concurrency,
            grace,
            keep_succeeded: self.config.job_keep_succeeded,
            keep_failed: self.config.job_keep_failed,
            host: host::name(),
            version: VERSION.to_owned(),
            ..queue::WorkerSettings::default()
        };
        Worker::new(self.db.clone(), self.clock.clone(), settings)
    }

    /// The state of the API's handlers. `port` is the port of the listener.
    pub fn api(
        &self,
        port: u16,
        secret: &Secret,
        measurements: Measurements,
        stop: &CancellationToken,
    ) -> web::ApiState {
        let metrics_token = self.config.metrics_token.as_ref();
        web::ApiState {
            db: self.db.clone(),
            reader: self.reader.clone(),
            watcher: self.watcher.clone(),
            accounts: self.accounts.clone(),
            providers: accounts::providers(self.config, port, &self.net, &self.clock),
            site: Site::new(site::settings(self.config, secret, port)),
            limiter: RateLimiter::new(site::limits(self.config)),
            streams: EventStreams::default(),
            measurements,
            licenses: licenses::built_in(),
            metrics_token: metrics_token.map(|token| MetricsToken::new(token.expose().to_owned())),
            stopping: stop.clone(),
        }
    }
}

fn watch_settings(config: &Config) -> WatchSettings {
    let secret = config.watch_webhook_secret.as_ref().map(|secret| secret.expose().to_owned());
    WatchSettings {
        history_days: config.watch_history_days,
        webhook: config.watch_webhook_url.clone().zip(secret).map(|(url, secret)| watch::Webhook { url, secret }),
        max_wait: config.job_lease,
    }
}

/// A network client with the configured limits.
pub fn net_client(config: &Config) -> Result<net::Client, Failure> {
    let settings = net::ClientSettings {
        user_agent: config.fetch_user_agent.clone(),
        timeout: config.fetch_timeout,
        max_body_bytes: config.fetch_max_size,
        allow_nets: config.fetch_allow_nets.clone(),
        host_concurrency: config.fetch_host_concurrency,
        host_gap: config.fetch_host_gap,
        ..net::ClientSettings::default()
    };
    net::Client::new(settings).map_err(|error| Failure::because("the network cannot be used", &error))
}
