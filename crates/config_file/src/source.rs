//! The file on disk: read at the start, and again when it changes.

mod load;
mod report;

use std::{
    io,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use thiserror::Error;
use tokio::{sync::watch, task::spawn_blocking, time::sleep};
use tokio_util::sync::CancellationToken;

use crate::{ConfigError, ConfigFile};
use load::{LoadError, Stamp};
use report::{Changes, Report};

/// Time between two looks at the file.
const LOOK_EVERY: Duration = Duration::from_secs(2);
/// Time in which a file must stay the same before it is read: a file that is being written may be valid, but not whole.
const SETTLE: Duration = Duration::from_millis(200);
/// A file that keeps changing is read after this many waits.
const MAX_SETTLE_WAITS: usize = 25;
/// Time before a bad file is read a second time. It is reported only if it is still bad.
const RETRY_AFTER: Duration = Duration::from_secs(1);

/// The file, read again when it changes. Cheap to clone.
#[derive(Clone)]
pub struct ConfigSource {
    shared: Arc<Shared>,
}

/// Why the file cannot be used at the start.
#[derive(Debug, Error)]
pub enum OpenError {
    /// The file is required and does not exist.
    #[error("{} does not exist: create it, or unset KAWARABAN_CONFIG", path.display())]
    Missing { path: PathBuf },
    /// The path is a folder or a device.
    #[error("{} is not a file: write the path of a file", path.display())]
    NotAFile { path: PathBuf },
    /// The file cannot be read, for example for lack of permission.
    #[error("{} cannot be read: {source}", path.display())]
    Unreadable { path: PathBuf, source: io::Error },
    /// The content is not valid.
    #[error("{} is not valid:\n{source}", path.display())]
    Invalid { path: PathBuf, source: ConfigError },
}

struct Shared {
    path: PathBuf,
    content: watch::Sender<Arc<ConfigFile>>,
    problem: Mutex<Option<Arc<str>>>,
    /// The state of the file when it was last read. Locked while it is read, so that an older content never replaces a
    /// newer one.
    seen: Mutex<Seen>,
}

struct Seen {
    stamp: Option<Stamp>,
    /// False for an optional file that has not been there yet.
    was_there: bool,
}

/// What to do about a bad file.
#[derive(Clone, Copy, PartialEq, Eq)]
enum OnProblem {
    Keep,
    /// The file will be read again soon.
    Ignore,
}

impl ConfigSource {
    /// Reads the file now. A missing file is an empty configuration, or an error if it is required. A bad file is an
    /// error.
    pub fn open(path: PathBuf, is_required: bool) -> Result<ConfigSource, OpenError> {
        let stamp = Stamp::of(&path);
        let content = match load::load(&path) {
            Ok(content) => content,
            Err(LoadError::Missing) if !is_required => ConfigFile::default(),
            Err(LoadError::Missing) => return Err(OpenError::Missing { path }),
            Err(LoadError::NotAFile) => return Err(OpenError::NotAFile { path }),
            Err(LoadError::Unreadable(source)) => return Err(OpenError::Unreadable { path, source }),
            Err(LoadError::Invalid(source)) => return Err(OpenError::Invalid { path, source }),
        };
        let seen = Mutex::new(Seen { was_there: stamp.is_some(), stamp });
        let content = watch::Sender::new(Arc::new(content));
        Ok(ConfigSource { shared: Arc::new(Shared { path, content, problem: Mutex::default(), seen }) })
    }

    /// The path of the file.
    pub fn path(&self) -> &Path {
        &self.shared.path
    }

    /// The last good content.
    pub fn current(&self) -> Arc<ConfigFile> {
        self.shared.content.borrow().clone()
    }

    /// Why the file as it is now is not in force, if it is not.
    pub fn problem(&self) -> Option<Arc<str>> {
        lock(&self.shared.problem).clone()
    }

    /// Receives each new content. Reading the file again without a change sends nothing.
    pub fn subscribe(&self) -> watch::Receiver<Arc<ConfigFile>> {
        self.shared.content.subscribe()
    }

    /// Reads the file again now, for SIGHUP, and logs the result. A bad file keeps the last good content in force.
    pub fn reload(&self) {
        self.shared.read_again(OnProblem::Keep).log(&self.shared.path);
    }

    /// Looks every two seconds whether the file has changed, and reads it again if so, until `stop`.
    ///
    /// A file counts as changed if its modification time, length or inode has changed: also if it was replaced, or if a
    /// symlink on its path leads to another file. A file that is being written is read when it has stayed the same for
    /// a moment. A bad file is read once more after a second, before it is reported.
    pub async fn follow(&self, stop: CancellationToken) {
        stop.run_until_cancelled(self.follow_forever()).await;
    }

    async fn follow_forever(&self) {
        loop {
            sleep(LOOK_EVERY).await;
            if let Some(true) = self.run(Shared::is_changed).await {
                self.settle().await;
                self.read_change().await;
            }
        }
    }

    /// Waits until the file stays the same.
    async fn settle(&self) {
        let mut last = self.run(Shared::stamp).await;
        for _ in 0..MAX_SETTLE_WAITS {
            sleep(SETTLE).await;
            let now = self.run(Shared::stamp).await;
            if now == last {
                return;
            }
            last = now;
        }
    }

    async fn read_change(&self) {
        let mut report = self.run(|shared| shared.read_again(OnProblem::Ignore)).await;
        if report.as_ref().is_some_and(Report::is_problem) {
            sleep(RETRY_AFTER).await;
            report = self.run(|shared| shared.read_again(OnProblem::Keep)).await;
        }
        if let Some(report) = report {
            report.log(&self.shared.path);
        }
    }

    /// Runs a function that waits for the disk. `None` only while the process stops.
    async fn run<T: Send + 'static>(&self, function: impl FnOnce(&Shared) -> T + Send + 'static) -> Option<T> {
        let shared = Arc::clone(&self.shared);
        spawn_blocking(move || function(&shared)).await.ok()
    }
}

impl Shared {
    fn stamp(&self) -> Option<Stamp> {
        Stamp::of(&self.path)
    }

    fn is_changed(&self) -> bool {
        self.stamp() != lock(&self.seen).stamp
    }

    fn read_again(&self, on_problem: OnProblem) -> Report {
        let mut seen = lock(&self.seen);
        // Before reading: a change during the reading is noticed at the next look.
        seen.stamp = self.stamp();
        seen.was_there |= seen.stamp.is_some();
        let error = match load::load(&self.path) {
            Ok(content) => return self.put_in_force(content),
            Err(LoadError::Missing) if !seen.was_there => return Report::StillMissing,
            Err(error) => error,
        };
        if on_problem == OnProblem::Keep {
            *lock(&self.problem) = Some(error.to_string().into());
        }
        Report::Problem(error)
    }

    fn put_in_force(&self, content: ConfigFile) -> Report {
        *lock(&self.problem) = None;
        let mut changes = Changes::default();
        self.content.send_if_modified(|current| {
            changes = Changes::between(current, &content);
            let is_changed = **current != content;
            if is_changed {
                *current = Arc::new(content);
            }
            is_changed
        });
        Report::InForce(changes)
    }
}

/// Locks a value. A panic of another thread leaves each of them usable.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
