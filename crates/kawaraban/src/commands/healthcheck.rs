//! `healthcheck`: for containers and monitors, whether this machine's API or worker is well.

mod http_get;

use std::{
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr},
    time::Duration,
};

use chrono::TimeDelta;
use store::workers;

use crate::{config::Config, database, failure::Failure, host, output};

/// Shorter than a container's own patience, so that our words are seen and not its.
const PATIENCE: Duration = Duration::from_secs(4);
/// Workers give a sign every ten seconds; three may be missed.
const FRESH: TimeDelta = TimeDelta::seconds(30);

/// Succeeds when all is well.
pub async fn check(config: &Config, worker: bool) -> Result<(), Failure> {
    let checked = async { if worker { check_worker(config).await } else { check_api(config).await } };
    tokio::time::timeout(PATIENCE, checked)
        .await
        .unwrap_or_else(|_| Err(Failure::new(format!("no answer within {} seconds", PATIENCE.as_secs()))))
}

async fn check_api(config: &Config) -> Result<(), Failure> {
    if config.server_port == 0 {
        return Err(Failure::setting("SERVER_PORT=0: write the port that the server took"));
    }
    let address = SocketAddr::new(reachable(config.server_host), config.server_port);
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
