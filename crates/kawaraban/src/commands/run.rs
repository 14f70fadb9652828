//! `serve`, `api` and `worker`: start in order, run until told to stop, end in time.
//!
//! Settings and log come first, then the database and its migrations, then the sockets, then the worker; what fails
//! early has touched nothing that comes later. When it is time to stop, everything gets the same signal at once.

mod start;

use std::time::Duration;

use read::Reader;
use tokio::{runtime, task::JoinSet};
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

/// Which halves run in this process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// Both.
    Serve,
    /// The API.
    Api,
    /// The worker.
    Worker,
}

/// All of stopping, whatever is still running then.
const TO_STOP: Duration = Duration::from_secs(10);
/// What jobs and requests get of it; the rest is for writing down how they ended.
const GRACE: Duration = Duration::from_secs(9);

/// The parts of a running process. Each ends when `stop` is cancelled, and returns its name.
struct Running {
    reader: Reader,
    parts: JoinSet<&'static str>,
}

/// Runs the process until a signal stops it.
pub fn run(role: Role, environment: &Environment) -> Result<(), Failure> {
    let (config, _log) = configure(environment, role.needs(), Files::Too)?;
    let cannot_start = |error| Failure::because("cannot start", &error);
    let stop = signals::stop_on_signals().map_err(cannot_start)?;
    let runtime = runtime::Builder::new_multi_thread().enable_all().build().map_err(cannot_start)?;
    let ended = runtime.block_on(run_until_stopped(role, &config, stop));
    // A task that does not give way must not hold up the end.
    runtime.shutdown_background();
    if let (Err(failure), Some(_)) = (&ended, &config.log_dir) {
        // The words on the standard error do not reach the files.
        tracing::error!("{failure}");
    }
    ended
}

impl Role {
    fn needs(self) -> Needs {
        match self {
            Role::Serve => Needs::Serve,
            Role::Api => Needs::Api,
            Role::Worker => Needs::Other,
        }
    }

    fn has_api(self) -> bool {
        self != Role::Worker
    }

    fn has_worker(self) -> bool {
        self != Role::Api
    }
}

async fn run_until_stopped(role: Role, config: &Config, stop: CancellationToken) -> Result<(), Failure> {
    let Some(Running { reader, mut parts }) = start(role, config, &stop).await? else {
        tracing::info!("stopped before it was ready");
        return Ok(());
    };
    // Biased: a part that ends because of the stop is not one that ended by itself.
    let ended_early = tokio::select! {
        biased;
        () = stop.cancelled() => None,
        ended = parts.join_next() => ended,
    };
    stop.cancel();
    let stopped = tokio::time::timeout(TO_STOP, async {
        while parts.join_next().await.is_some() {}
        // The last requests and jobs may have fetched feeds.
        reader.flush_fetch_stats().await;
        database::close(reader.db()).await;
    });
    let in_time = stopped.await.is_ok();
    match ended_early {
        Some(Ok(name)) => Err(Failure::new(format!("{name} ended by itself"))),
        Some(Err(error)) => Err(Failure::because("a part of the program failed", &error)),
        None if !in_time => {
            Err(Failure::new("not everything ended within ten seconds; jobs it held run again when their lease lapses"))
        }
        None => {
            tracing::info!("stopped");
            Ok(())
        }
    }
}
