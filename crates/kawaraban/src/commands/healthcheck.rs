//! `healthcheck`: for containers and monitors, whether this machine's API or worker is healthy.

mod http_get;

use std::{
    io::ErrorKind,
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr},
    time::Duration,
};

use chrono::TimeDelta;
use store::workers;
use tokio::net::TcpStream;

use crate::{config::Config, database, failure::Failure, host, output};

/// Shorter than the time-out of a container, so that our message is shown.
const TIMEOUT: Duration = Duration::from_secs(4);
/// Workers send a heartbeat every ten seconds; two may be missed.
const MAX_HEARTBEAT_AGE: TimeDelta = TimeDelta::seconds(30);

/// The part to check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HealthTarget {
    /// The API.
    Api,
    /// The worker.
    Worker,
    /// The API, or the worker where nothing listens on the API's port.
    Any,
}

/// Succeeds if the target is healthy.
pub async fn check(config: &Config, target: HealthTarget) -> Result<(), Failure> {
    let checked = async {
        match target {
            HealthTarget::Worker => check_worker(config).await,
            HealthTarget::Any if is_refused(config).await => check_worker(config).await,
            HealthTarget::Api | HealthTarget::Any => check_api(config).await,
        }
    };
    tokio::time::timeout(TIMEOUT, checked)
        .await
        .unwrap_or_else(|_| Err(Failure::new(format!("no answer within {} seconds", TIMEOUT.as_secs()))))
}

/// Whether nothing listens on the API's port. A server that hangs still listens.
async fn is_refused(config: &Config) -> bool {
    let connected = TcpStream::connect(api_address(config)).await;
    connected.is_err_and(|error| error.kind() == ErrorKind::ConnectionRefused)
}

fn api_address(config: &Config) -> SocketAddr {
    SocketAddr::new(reachable(config.server_host), config.server_port)
}

async fn check_api(config: &Config) -> Result<(), Failure> {
    if config.server_port == 0 {
        return Err(Failure::setting("SERVER_PORT=0: write the port that the server listens on"));
    }
    let address = api_address(config);
    let unreachable = |error| Failure::because(format!("http://{address}/readyz does not answer"), &error);
    let answer = http_get::get(address, "/readyz").await.map_err(unreachable)?;
    if answer.status != 200 {
        return Err(Failure::new(format!("not ready: {} {}", answer.status, output::on_one_line(&answer.body))));
    }
    output::print("ready\n")
}

/// The loopback address if the server listens on all addresses.
fn reachable(host: IpAddr) -> IpAddr {
    match host {
        IpAddr::V4(host) if host.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(host) if host.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        host => host,
    }
}

async fn check_worker(config: &Config) -> Result<(), Failure> {
    let (db, clock) = database::open_ready(config).await?;
    let host = host::name();
    let seen_at = workers::last_seen_at(&db, &host, clock.now()).await?;
    database::close(&db).await;
    match seen_at.map(|seen_at| clock.now() - seen_at) {
        None => Err(Failure::new(format!("no worker on {host} has sent a heartbeat"))),
        Some(age) if age > MAX_HEARTBEAT_AGE => {
            Err(Failure::new(format!("the last heartbeat of a worker on {host} was {} seconds ago", age.num_seconds())))
        }
        Some(age) => output::print(&format!("a worker on {host} was seen {} seconds ago\n", age.num_seconds().max(0))),
    }
}
