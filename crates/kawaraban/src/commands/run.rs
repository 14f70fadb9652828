//! `serve`, `api` and `worker`: start, run until a signal, stop in time.
//!
//! The order of the start: settings and log, the configuration file, the database and its migrations, the sockets, the worker. A failed step starts none
//! of the later ones. On a signal, all parts stop at the same time.

mod start;

use std::time::Duration;

use read::Reader;
use tokio::{runtime, signal::unix::Signal, task::JoinSet};
use tokio_util::sync::CancellationToken;

use self::start::start;
use super::configure;
use crate::{
    config::{Config, Environment, Needs},
    database,
    failure::Failure,
    logging::Files,
    signals,
};

/// The parts that run in this process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProcessRole {
    /// The API and the worker.
    Serve,
    /// The API only.
    Api,
    /// The worker only.
    Worker,
}

/// The maximum time to stop.
const STOP_TIMEOUT: Duration = Duration::from_secs(10);
/// The part of it for jobs and requests. The rest is for storing their results.
const GRACE: Duration = Duration::from_secs(9);

/// The parts of a running process. Each ends when `stop` is cancelled, and returns its name.
struct Running {
    reader: Reader,
    parts: JoinSet<&'static str>,
}

/// Runs the process until a signal stops it.
pub fn run(role: ProcessRole, environment: &Environment) -> Result<(), Failure> {
    let (config, _log) = configure(environment, role.needs(), Files::Too)?;
    let cannot_start = |error| Failure::because("cannot start", &error);
    let stop = signals::stop_on_signals().map_err(cannot_start)?;
    let runtime = runtime::Builder::new_multi_thread().enable_all().build().map_err(cannot_start)?;
    let hangups = runtime.block_on(async { signals::hangups() }).map_err(cannot_start)?;
    let ended = runtime.block_on(run_until_stopped(role, &config, hangups, stop));
    // A blocked task must not delay the end of the process.
    runtime.shutdown_background();
    if let (Err(failure), Some(_)) = (&ended, &config.log_dir) {
        // `main` prints the failure to the standard error only.
        tracing::error!("{failure}");
    }
    ended
}

impl ProcessRole {
    fn needs(self) -> Needs {
        match self {
            ProcessRole::Serve => Needs::Serve,
            ProcessRole::Api => Needs::Api,
            ProcessRole::Worker => Needs::Other,
        }
    }

    fn has_api(self) -> bool {
        self != ProcessRole::Worker
    }

    fn has_worker(self) -> bool {
        self != ProcessRole::Api
    }
}

async fn run_until_stopped(
    role: ProcessRole,
    config: &Config,
    hangups: Signal,
    stop: CancellationToken,
) -> Result<(), Failure> {
    let Some(Running { reader, mut parts }) = start(role, config, hangups, &stop).await? else {
        tracing::info!("stopped during the start");
        return Ok(());
    };
    // Biased: a part that ends because of `stop` has not ended early.
    let ended_early = tokio::select! {
        biased;
        () = stop.cancelled() => None,
        ended = parts.join_next() => ended,
    };
    stop.cancel();
    let stopped = tokio::time::timeout(STOP_TIMEOUT, async {
        while parts.join_next().await.is_some() {}
        // The last requests and jobs may have fetched feeds.
        reader.flush_fetch_stats().await;
        database::close(reader.db()).await;
    });
    let in_time = stopped.await.is_ok();
    match ended_early {
        Some(Ok(name)) => Err(Failure::new(format!("{name} ended unexpectedly"))),
        Some(Err(error)) => Err(Failure::because("a part of the program failed", &error)),
        None if !in_time => Err(Failure::new(
            "not everything ended within ten seconds; its jobs run again after their lease has lapsed",
        )),
        None => {
            tracing::info!("stopped");
            Ok(())
        }
    }
}
