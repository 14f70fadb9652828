//! Deletes old log files.

use std::{
    fs, io,
    path::{Path, PathBuf},
    time::Duration,
};

use chrono::{Days, NaiveDate};
use store::Clock;
use tokio_util::sync::CancellationToken;

use super::{PREFIX, SUFFIX};

/// Older files are deleted.
const DAYS_KEPT: Days = Days::new(14);
/// More often than daily, because a machine may sleep.
const INTERVAL: Duration = Duration::from_secs(60 * 60);

/// Deletes old log files from `folder`, now and every hour, until `stop`. It uses the system clock, as the file names do.
pub async fn remove_old_files(folder: PathBuf, stop: CancellationToken) {
    let clock = Clock::system();
    stop.run_until_cancelled(remove_repeatedly(&folder, &clock, || tokio::time::sleep(INTERVAL))).await;
}

async fn remove_repeatedly<F: Future<Output = ()>>(folder: &Path, clock: &Clock, mut pause: impl FnMut() -> F) {
    loop {
        remove_before(folder, clock.now().date_naive() - DAYS_KEPT, |path| fs::remove_file(path));
        pause().await;
    }
}

/// Deletes the files of days before `first_kept`. An error for one file does not stop the others.
fn remove_before(folder: &Path, first_kept: NaiveDate, remove: impl Fn(&Path) -> io::Result<()>) {
    let warn =
        |path: &Path, error: io::Error| tracing::warn!(%error, path = %path.display(), "cannot delete old log files");
    let is_old = |entry: &fs::DirEntry| {
        let day = entry.file_name().to_str().and_then(day_of);
        day.is_some_and(|day| day < first_kept) && entry.file_type().is_ok_and(|kind| kind.is_file())
    };
    match fs::read_dir(folder) {
        Ok(entries) => {
            for entry in entries.filter_map(Result::ok).filter(is_old) {
                remove(&entry.path()).unwrap_or_else(|error| warn(&entry.path(), error));
            }
        }
        Err(error) => warn(folder, error),
    }
}

/// The day in the name of a log file, such as `kawaraban.2026-01-31.log`.
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

    #[test]
    fn one_undeletable_file_does_not_stop_the_others() {
        let folder = tempfile::TempDir::new().unwrap();
        let days: Vec<String> = (1..=9).map(|day| format!("kawaraban.2020-01-{day:02}.log")).collect();
        for name in &days {
            fs::write(folder.path().join(name), "").unwrap();
        }
        let log = testkit::CapturedLog::start("warn");
        remove_before(folder.path(), "2026-01-01".parse().unwrap(), |path| match path.ends_with(&days[4]) {
            true => Err(io::ErrorKind::PermissionDenied.into()),
            false => fs::remove_file(path),
        });
        assert_eq!(names(folder.path()), BTreeSet::from([days[4].clone()]));
        let text = log.take();
        assert!(text.lines().count() == 1 && text.contains(&days[4]), "{text}");
    }

    #[tokio::test]
    async fn files_older_than_14_days_are_deleted() {
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
