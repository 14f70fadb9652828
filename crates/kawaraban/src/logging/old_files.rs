//! Removes log files by their age.

use std::{
    fs, io,
    path::{Path, PathBuf},
    time::Duration,
};

use chrono::{Days, NaiveDate};
use store::Clock;
use tokio_util::sync::CancellationToken;

use super::{PREFIX, SUFFIX};

/// A file is removed when its day was longer ago than this.
const DAYS_KEPT: Days = Days::new(14);
/// How often to look for old files. More often than daily, because a machine may sleep.
const INTERVAL: Duration = Duration::from_secs(60 * 60);

/// Removes old log files from `folder`, now and every hour, until `stop`.
pub async fn remove_old_files(folder: PathBuf, clock: Clock, stop: CancellationToken) {
    stop.run_until_cancelled(remove_repeatedly(&folder, &clock, || tokio::time::sleep(INTERVAL))).await;
}

async fn remove_repeatedly<F: Future<Output = ()>>(folder: &Path, clock: &Clock, mut pause: impl FnMut() -> F) {
    loop {
        if let Err(error) = remove_before(folder, clock.now().date_naive() - DAYS_KEPT) {
            tracing::warn!(%error, folder = %folder.display(), "cannot remove old log files");
        }
        pause().await;
    }
}

/// Removes the files of days before `first_kept`. Other files stay.
fn remove_before(folder: &Path, first_kept: NaiveDate) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let is_old = entry.file_name().to_str().and_then(day_of).is_some_and(|day| day < first_kept);
        if is_old && entry.file_type()?.is_file() {
            fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

/// The day of a log file of ours, by its name: `kawaraban.2026-01-31.log`.
fn day_of(name: &str) -> Option<NaiveDate> {
    let day = name.strip_prefix(PREFIX)?.strip_prefix('.')?.strip_suffix(SUFFIX)?.strip_suffix('.')?;
    day.parse().ok().filter(|_| day.len() == "2026-01-31".len())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn names(folder: &Path) -> BTreeSet<String> {
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    }

    #[tokio::test]
    async fn files_go_when_their_day_was_longer_ago_than_14_days() {
        let folder = tempfile::TempDir::new().unwrap();
        let others = [
            "kawaraban.log",
            "kawaraban.2020-01-01.log.gz",
            "kawaraban.2020-1-1.log",
            "other.2020-01-01.log",
            "kawaraban.2020-01-01.txt",
        ];
        let ours = ["2025-12-31", "2026-02-28", "2026-03-01", "2026-03-02", "2026-03-15"];
        let ours = ours.map(|day| format!("kawaraban.{day}.log"));
        for name in others.into_iter().chain(ours.iter().map(String::as_str)) {
            fs::write(folder.path().join(name), "").unwrap();
        }
        let folder_of_that_name = "kawaraban.2020-01-02.log";
        fs::create_dir(folder.path().join(folder_of_that_name)).unwrap();
        let others: BTreeSet<String> = others.into_iter().chain([folder_of_that_name]).map(str::to_owned).collect();

        let (clock, stop) = (Clock::manual("2026-03-15T23:59:59Z".parse().unwrap()), CancellationToken::new());
        let mut left = Vec::new();
        let pauses = [Duration::from_secs(1), Duration::from_secs(40 * 24 * 60 * 60), Duration::ZERO];
        let pause = || {
            let found = names(folder.path());
            assert!(found.is_superset(&others), "{found:?}");
            left.push(&found - &others);
            pauses.get(left.len() - 1).map_or_else(|| stop.cancel(), |pause| clock.advance(*pause));
            tokio::task::yield_now()
        };
        stop.run_until_cancelled(remove_repeatedly(folder.path(), &clock, pause)).await;
        let kept = |from: usize| ours[from..].iter().cloned().collect::<BTreeSet<_>>();
        assert_eq!(left, [kept(2), kept(3), kept(5), kept(5)]);
    }
}
