//! `healthcheck`: for containers and monitors, whether this machine's API or worker is well.

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

/// Shorter than a container's own patience, so that our words are seen and not its.
const PATIENCE: Duration = Duration::from_secs(4);
/// Workers give a sign every ten seconds; three may be missed.
const FRESH: TimeDelta = TimeDelta::seconds(30);

/// What is checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// The API.
    Api,
    /// The worker.
    Worker,
    /// The API, or the worker where nothing listens on the API's port.
    Any,
}

/// Succeeds when all is well.
pub async fn check(config: &Config, part: Part) -> Result<(), Failure> {
    let checked = async {
        match part {
            Part::Worker => check_worker(config).await,
            Part::Any if is_refused(config).await => check_worker(config).await,
            Part::Api | Part::Any => check_api(config).await,
        }
    };
    tokio::time::timeout(PATIENCE, checked)
        .await
        .unwrap_or_else(|_| Err(Failure::new(format!("no answer within {} seconds", PATIENCE.as_secs()))))
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
        return Err(Failure::setting("SERVER_PORT=0: write the port that the server took"));
    }
    let address = api_address(config);
    let unreachable = |error| Failure::because(format!("http://{address}/readyz does not answer"), &error);
    let answer = http_get::get(address, "/readyz").await.map_err(unreachable)?;
    if answer.status != 200 {
        return Err(Failure::new(format!("not ready: {} {}", answer.status, output::on_one_line(&answer.body))));
    }
    output::print("ready\n")
}

/// A server that listens on all addresses is asked on loopback.
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
        None => Err(Failure::new(format!("no worker on {host} has given a sign of life"))),
        Some(age) if age > FRESH => {
            Err(Failure::new(format!("the last worker on {host} was seen {} seconds ago", age.num_seconds())))
        }
        Some(age) => output::print(&format!("a worker on {host} was seen {} seconds ago\n", age.num_seconds().max(0))),
    }
}
