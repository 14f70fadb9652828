//! "Something changed": told to tasks of this process at once, and to other processes where the database can.
//!
//! A signal is a hint, sent after the commit and never part of it; whoever waits for one also looks by itself now and
//! then. NOTIFY inside the transaction would serialise all commits of the server. A [`Topic`] says only that there is
//! work; a [`Change`] says whose data is no longer what it was.

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
use self::change::Changes;

/// From the start of one round of NOTIFY to the next, however many commits. A round is one small transaction that waits for no
/// disk, so a hundred in a second are no load.
const THROTTLE: Duration = Duration::from_millis(10);
const CHANNEL: &str = "kawaraban";
/// How often an SQLite file is looked at for changes by other processes.
const FILE_POLL: Duration = Duration::from_millis(250);
/// After this much silence the connection that listens is tested: a server that is gone says nothing.
const SILENCE: Duration = Duration::from_secs(10);
const TEST_TIMEOUT: Duration = Duration::from_secs(5);

/// What changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Topic {
    /// A job became ready.
    Jobs,
    /// A feed became due.
    Feeds,
    /// Items wait for their words to be indexed.
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
    heard: [watch::Sender<()>; Topic::ALL.len()],
    /// What other processes have still to be told.
    untold: [AtomicBool; Topic::ALL.len()],
    to_tell: Notify,
    changes: Changes,
    /// Whether signals of other processes arrive.
    is_listening: AtomicBool,
}

impl Signals {
    pub(crate) fn new() -> Self {
        Signals(Arc::new(Inner {
            heard: Topic::ALL.map(|_| watch::Sender::new(())),
            untold: Topic::ALL.map(|_| AtomicBool::new(false)),
            to_tell: Notify::new(),
            changes: Changes::new(),
            is_listening: AtomicBool::new(false),
        }))
    }

    /// A receiver whose `changed()` returns after the next signal.
    pub fn subscribe(&self, topic: Topic) -> watch::Receiver<()> {
        self.0.heard[topic as usize].subscribe()
    }

    /// Wakes those who wait in this process.
    pub fn wake(&self, topic: Topic) {
        self.0.heard[topic as usize].send_replace(());
    }

    /// Whether signals of other processes arrive. Until then, whoever waits for one has to look more often.
    pub fn is_listening(&self) -> bool {
        self.0.is_listening.load(Ordering::Acquire)
    }

    /// Notes whether signals of other processes arrive, and wakes those who wait if they no longer do.
    fn set_listening(&self, is_listening: bool) {
        let was_listening = self.0.is_listening.swap(is_listening, Ordering::AcqRel);
        if was_listening && !is_listening {
            Topic::ALL.into_iter().for_each(|topic| self.wake(topic));
        }
    }

    /// Wakes those who wait, here and in other processes.
    pub(crate) fn announce(&self, topic: Topic) {
        self.wake(topic);
        self.0.untold[topic as usize].store(true, Ordering::Release);
        self.0.to_tell.notify_one();
    }

    /// Hears what changes, here and in other processes. Whoever is too slow to hear it all should look at everything.
    pub fn changes(&self) -> broadcast::Receiver<Change> {
        self.0.changes.subscribe()
    }

    /// Tells those who listen, here and in other processes, whose data changed.
    pub(crate) fn publish(&self, change: Change) {
        self.0.changes.publish(change);
        self.0.to_tell.notify_one();
    }

    /// Tells other processes through PostgreSQL what was announced here, until the pool is closed.
    pub(crate) async fn tell_others(self, pool: PgPool) {
        while !pool.is_closed() {
            self.0.to_tell.notified().await;
            let next = Instant::now() + THROTTLE;
            self.tell(&pool).await;
            tokio::time::sleep_until(next).await;
        }
    }

    /// Tells other processes what they have not been told yet.
    pub(crate) async fn tell(&self, pool: &PgPool) {
        let is_untold = |topic: &Topic| self.0.untold[*topic as usize].swap(false, Ordering::AcqRel);
        let topics = Topic::ALL.into_iter().filter(is_untold).map(|topic| topic.name().to_owned());
        let notes: Vec<String> = topics.chain(self.0.changes.take_notes()).collect();
        if notes.is_empty() {
            return;
        }
        // A hint that a crash of the server loses need not be on its disk.
        let told = sqlx::query(
            "select set_config('synchronous_commit', 'off', true), pg_notify($1, note) from unnest($2::text[]) as note",
        );
        if let Err(error) = told.bind(CHANNEL).bind(notes).execute(pool).await {
            tracing::debug!(%error, "could not notify other processes; they will look by themselves");
        }
    }

    /// Hears what other processes tell, for ever. Behind a pooler that forbids LISTEN, everybody looks by themselves.
    pub(crate) async fn hear_others(&self, pool: &PgPool) {
        let mut pause = Duration::from_secs(1);
        loop {
            let heard = self.hear_until_broken(pool).await;
            self.set_listening(false);
            match heard {
                Ok(()) => pause = Duration::from_secs(1),
                Err(error) => {
                    tracing::debug!(%error, "cannot listen to the database; looking for work by the clock");
                    pause = (pause * 2).min(Duration::from_secs(60));
                }
            }
            tokio::time::sleep(pause).await;
        }
    }

    async fn hear_until_broken(&self, pool: &PgPool) -> Result<(), sqlx::Error> {
        let mut listener = PgListener::connect_with(pool).await?;
        listener.listen(CHANNEL).await?;
        self.set_listening(true);
        // Whatever was said while nobody listened.
        self.0.changes.hear(Change::Everything);
        loop {
            let Ok(note) = tokio::time::timeout(SILENCE, listener.try_recv()).await else {
                let tested = tokio::time::timeout(TEST_TIMEOUT, listener.execute("select 1")).await;
                tested.map_err(|_| sqlx::Error::PoolTimedOut)??;
                continue;
            };
            let Some(note) = note? else { return Ok(()) };
            self.0.changes.hear_note(note.payload());
            for topic in Topic::ALL {
                if note.payload() == topic.name() {
                    self.wake(topic);
                }
            }
        }
    }

    /// Wakes every topic when another connection, of this process or another, has written to the SQLite file. Never returns.
    pub(crate) async fn watch_file(&self, pool: &SqlitePool) {
        let mut last = None;
        loop {
            let watched = self.watch_until_broken(pool, &mut last).await;
            self.set_listening(false);
            match watched {
                Ok(never) => match never {},
                Err(error) => tracing::debug!(%error, "cannot watch the database file; looking for work by the clock"),
            }
            tokio::time::sleep(Duration::from_secs(5)).await;
        }
    }

    async fn watch_until_broken(&self, pool: &SqlitePool, last: &mut Option<i64>) -> Result<Infallible, sqlx::Error> {
        // The version is counted for each connection, so it is always asked on the same one.
        let mut connection = pool.acquire().await?;
        loop {
            let version: i64 = sqlx::query_scalar("pragma data_version").fetch_one(&mut *connection).await?;
            self.set_listening(true);
            if last.replace(version).is_some_and(|last| last != version) {
                Topic::ALL.into_iter().for_each(|topic| self.wake(topic));
            }
            tokio::time::sleep(FILE_POLL).await;
        }
    }
}
