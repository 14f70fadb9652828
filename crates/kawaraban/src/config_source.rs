//! Opening the configuration file, and keeping the watched blogs equal to it.

use std::{sync::Arc, time::Duration};

use config_file::{ConfigFile, ConfigSource};
use tokio::{signal::unix::Signal, sync::watch::Receiver, time::timeout};
use tokio_util::sync::CancellationToken;
use watch::Watcher;

use crate::{
    config::{CONFIG_FILE, Config},
    failure::Failure,
};

/// The pause after an error of the database.
const RETRY_AFTER: Duration = Duration::from_secs(30);

/// Reads the file. It may be missing at its default place only.
pub fn open(config: &Config) -> Result<ConfigSource, Failure> {
    let is_required = config.config_file != config.data_dir.join(CONFIG_FILE);
    ConfigSource::open(config.config_file.clone(), is_required)
        .map_err(|error| Failure::ConfigFile(format!("the configuration file {error}")))
}

/// Reads the file again when it changes and on SIGHUP, and gives its blogs to the watcher, until `stop`.
pub async fn follow(source: ConfigSource, watcher: Watcher, mut hangups: Signal, stop: CancellationToken) {
    let contents = source.subscribe();
    let reload = async {
        while hangups.recv().await.is_some() {
            let source = source.clone();
            // It waits for the disk. It fails only while the process stops.
            let _ = tokio::task::spawn_blocking(move || source.reload()).await;
        }
    };
    let work = async { tokio::join!(source.follow(stop.clone()), reload, sync_changes(&watcher, contents)) };
    stop.run_until_cancelled(work).await;
}

/// Syncs the blogs with each new content. After an error, the newest content is tried again.
async fn sync_changes(watcher: &Watcher, mut contents: Receiver<Arc<ConfigFile>>) {
    let mut has_failed = false;
    loop {
        let change = contents.changed();
        let ended = match has_failed {
            true => timeout(RETRY_AFTER, change).await.is_ok_and(|changed| changed.is_err()),
            false => change.await.is_err(),
        };
        if ended {
            return;
        }
        let content = Arc::clone(&contents.borrow_and_update());
        has_failed = match watcher.sync_blogs(&content).await {
            Ok(()) => false,
            Err(error) => {
                tracing::warn!(%error, "the blogs of the configuration file could not be stored; the next try is in {} seconds", RETRY_AFTER.as_secs());
                true
            }
        };
    }
}
