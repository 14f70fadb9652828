//! Signals that data changed, to tasks of this process and, where the database can, to other processes.
//!
//! A signal is a hint, sent after the commit. A receiver also polls now and then. NOTIFY inside the transaction would serialise
//! all commits of the server. A [`Topic`] says that there is work; a [`Change`] says whose data changed.

mod change;

use std::{
    convert::Infallible,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use sqlx::{Executor, PgPool, SqlitePool, postgres::PgListener};
use tokio::{
    sync::{Notify, broadcast, watch},
    time::Instant,
};

pub use self::change::Change;
use self::change::ChangeFeed;

/// The minimum time between two rounds of NOTIFY. A round is one small transaction that waits for no disk, so a hundred in a
/// second are no load.
const NOTIFY_INTERVAL: Duration = Duration::from_millis(10);
const CHANNEL: &str = "kawaraban";
/// How often an SQLite file is checked for changes by other processes.
const FILE_POLL_INTERVAL: Duration = Duration::from_millis(250);
/// The listening connection is tested after this time without a notification, to detect a server that is gone.
const KEEPALIVE_AFTER: Duration = Duration::from_secs(10);
const KEEPALIVE_TIMEOUT: Duration = Duration::from_secs(5);

/// The kind of work that is waiting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Topic {
    /// A job became ready.
    Jobs,
    /// A feed became due.
    Feeds,
    /// Items are waiting to be indexed for search.
    Words,
}

impl Topic {
    const ALL: [Topic; 3] = [Topic::Jobs, Topic::Feeds, Topic::Words];

    fn name(self) -> &'static str {
        match self {
            Topic::Jobs => "jobs",
            Topic::Feeds => "feeds",
            Topic::Words => "words",
        }
    }
}

/// The signals of one process.
#[derive(Clone)]
pub struct Signals(Arc<Inner>);

struct Inner {
    receivers: [watch::Sender<()>; Topic::ALL.len()],
    /// Topics not yet sent to other processes.
    unsent: [AtomicBool; Topic::ALL.len()],
    send_now: Notify,
    changes: ChangeFeed,
    /// Whether signals of other processes arrive.
    is_listening: AtomicBool,
}

impl Signals {
    pub(crate) fn new() -> Self {
        Signals(Arc::new(Inner {
            receivers: Topic::ALL.map(|_| watch::Sender::new(())),
            unsent: Topic::ALL.map(|_| AtomicBool::new(false)),
            send_now: Notify::new(),
            changes: ChangeFeed::new(),
            is_listening: AtomicBool::new(false),
        }))
    }

    /// A receiver whose `changed()` returns after the next signal.
    pub fn subscribe(&self, topic: Topic) -> watch::Receiver<()> {
        self.0.receivers[topic as usize].subscribe()
    }

    /// Wakes the receivers in this process.
    pub(crate) fn wake(&self, topic: Topic) {
        self.0.receivers[topic as usize].send_replace(());
    }

    /// Whether signals of other processes arrive. While they do not, receivers have to poll more often.
    pub fn is_listening(&self) -> bool {
        self.0.is_listening.load(Ordering::Acquire)
    }

    /// Stores whether signals of other processes arrive, and wakes all receivers if they no longer do.
    fn set_listening(&self, is_listening: bool) {
        let was_listening = self.0.is_listening.swap(is_listening, Ordering::AcqRel);
        if was_listening && !is_listening {
            Topic::ALL.into_iter().for_each(|topic| self.wake(topic));
        }
    }

    /// Wakes the receivers in this and other processes.
    pub(crate) fn announce(&self, topic: Topic) {
        self.wake(topic);
        self.0.unsent[topic as usize].store(true, Ordering::Release);
        self.0.send_now.notify_one();
    }

    /// A receiver of the changes in this and other processes. A receiver that lags should re-read everything.
    pub fn changes(&self) -> broadcast::Receiver<Change> {
        self.0.changes.subscribe()
    }

    /// Sends a change to the receivers in this and other processes.
    pub(crate) fn publish(&self, change: Change) {
        self.0.changes.publish(change);
        self.0.send_now.notify_one();
    }

    /// Sends the signals of this process to others through PostgreSQL, until the pool is closed.
    pub(crate) async fn notify_others(self, pool: PgPool) {
        while !pool.is_closed() {
            self.0.send_now.notified().await;
            let next = Instant::now() + NOTIFY_INTERVAL;
            self.notify(&pool).await;
            tokio::time::sleep_until(next).await;
        }
    }

    /// Sends the unsent signals to other processes.
    pub(crate) async fn notify(&self, pool: &PgPool) {
        let is_unsent = |topic: &Topic| self.0.unsent[*topic as usize].swap(false, Ordering::AcqRel);
        let topics = Topic::ALL.into_iter().filter(is_unsent).map(|topic| topic.name().to_owned());
        let notes: Vec<String> = topics.chain(self.0.changes.take_notes()).collect();
        if notes.is_empty() {
            return;
        }
        // A crash of the server may lose a hint, so the commit need not wait for the disk.
        let notify = sqlx::query(
            "select set_config('synchronous_commit', 'off', true), pg_notify($1, note) from unnest($2::text[]) as note",
        );
        if let Err(error) = notify.bind(CHANNEL).bind(notes).execute(pool).await {
            tracing::debug!(%error, "could not notify other processes; they will poll");
        }
    }

    /// Receives the signals of other processes. Never returns. Behind a pooler that forbids LISTEN, processes poll.
    pub(crate) async fn listen(&self, pool: &PgPool) {
        let mut pause = Duration::from_secs(1);
        loop {
            let result = self.listen_until_broken(pool).await;
            self.set_listening(false);
            match result {
                Ok(()) => pause = Duration::from_secs(1),
                Err(error) => {
                    tracing::debug!(%error, "cannot listen to the database; polling instead");
                    pause = (pause * 2).min(Duration::from_secs(60));
                }
            }
            tokio::time::sleep(pause).await;
        }
    }

    async fn listen_until_broken(&self, pool: &PgPool) -> Result<(), sqlx::Error> {
        let mut listener = PgListener::connect_with(pool).await?;
        listener.listen(CHANNEL).await?;
        self.set_listening(true);
        // Signals may have been missed before.
        self.0.changes.deliver(Change::Everything);
        loop {
            let Ok(note) = tokio::time::timeout(KEEPALIVE_AFTER, listener.try_recv()).await else {
                let tested = tokio::time::timeout(KEEPALIVE_TIMEOUT, listener.execute("select 1")).await;
                tested.map_err(|_| sqlx::Error::PoolTimedOut)??;
                continue;
            };
            let Some(note) = note? else { return Ok(()) };
            self.0.changes.deliver_note(note.payload());
            for topic in Topic::ALL {
                if note.payload() == topic.name() {
                    self.wake(topic);
                }
            }
        }
    }

    /// Wakes every topic after another connection has written to the SQLite file. Never returns.
    pub(crate) async fn watch_file(&self, pool: &SqlitePool) {
        let mut last = None;
        loop {
            let watched = self.watch_until_broken(pool, &mut last).await;
            self.set_listening(false);
            match watched {
                Ok(never) => match never {},
                Err(error) => tracing::debug!(%error, "cannot watch the database file; polling instead"),
            }
            tokio::time::sleep(Duration::from_secs(5)).await;
        }
    }

    async fn watch_until_broken(&self, pool: &SqlitePool, last: &mut Option<i64>) -> Result<Infallible, sqlx::Error> {
        // `data_version` is relative to a connection, so always use the same one.
        let mut connection = pool.acquire().await?;
        loop {
            let version: i64 = sqlx::query_scalar("pragma data_version").fetch_one(&mut *connection).await?;
            self.set_listening(true);
            if last.replace(version).is_some_and(|last| last != version) {
                Topic::ALL.into_iter().for_each(|topic| self.wake(topic));
            }
            tokio::time::sleep(FILE_POLL_INTERVAL).await;
        }
    }
}
