//! Fetching feeds as they become due, so many at once, in any number of processes.

use std::{collections::VecDeque, sync::Arc, time::Duration};

use chrono::{DateTime, TimeDelta, Utc};
use store::{
    LeaseToken, Topic,
    feeds::{self, Claim},
};
use tokio::{
    sync::{Semaphore, watch},
    task::JoinSet,
};
use tokio_util::sync::CancellationToken;

use crate::{Reader, fetch::Fetch};

/// A look that found only feeds of busy hosts is followed by another after this.
const HOSTS_BUSY: Duration = Duration::from_millis(250);
/// After the database failed.
const BROKEN: Duration = Duration::from_secs(5);

/// The scheduler of one process.
struct Scheduler {
    reader: Reader,
    stop: CancellationToken,
    running: JoinSet<()>,
    /// So many ask at once; the others that run wait for an answer to be stored, or for their turn to ask.
    asking: Arc<Semaphore>,
    /// Claimed and not started: a claim takes several, which is much cheaper than one for each.
    ahead: VecDeque<Fetch>,
}

impl Reader {
    /// Fetches feeds as they become due, until told to stop; then what was not answered is handed back.
    pub async fn fetch_feeds(&self, stop: CancellationToken) {
        let mut woken = self.db.signals().subscribe(Topic::Feeds);
        let mut scheduler = Scheduler::new(self, stop.clone());
        let fetching = async {
            while !stop.is_cancelled() {
                let pause = scheduler.look().await;
                scheduler.wait(pause, &mut woken).await;
            }
        };
        tokio::join!(fetching, self.write_fetch_stats(stop.clone()));
        scheduler.wind_down().await;
    }

    /// Fetches everything that is due now and returns when it is done; tells how many fetches that were.
    pub async fn fetch_due(&self) -> store::Result<usize> {
        let mut scheduler = Scheduler::new(self, CancellationToken::new());
        let mut fetches = 0;
        loop {
            let claimed = scheduler.claim().await?;
            fetches += claimed;
            scheduler.start();
            if scheduler.running.join_next().await.is_none() && claimed == 0 {
                self.flush_fetch_stats().await;
                return Ok(fetches);
            }
        }
    }

    /// Long enough to wait for those that were started before, then for a turn at the host, then to fetch and to store.
    fn lease(&self) -> TimeDelta {
        let lease = self.settings.fetch_timeout * 2 + self.settings.lease * 3;
        TimeDelta::from_std(lease).unwrap_or(TimeDelta::hours(1))
    }
}

impl Scheduler {
    fn new(reader: &Reader, stop: CancellationToken) -> Scheduler {
        Scheduler {
            reader: reader.clone(),
            stop,
            running: JoinSet::new(),
            asking: Arc::new(Semaphore::new(reader.settings.max_concurrent)),
            ahead: VecDeque::new(),
        }
    }

    /// Claims and starts what there is room for; tells how long to wait if nothing happens.
    async fn look(&mut self) -> Duration {
        while self.running.try_join_next().is_some() {}
        self.start();
        if self.ahead.len() > self.reader.settings.max_concurrent {
            return self.reader.settings.longest_sleep;
        }
        match self.claim().await {
            Ok(claimed) => {
                self.start();
                if claimed > 0 { Duration::ZERO } else { self.until_due().await }
            }
            Err(error) => {
                tracing::warn!(%error, "could not look for feeds that are due");
                BROKEN
            }
        }
    }

    /// Takes as many due feeds as may run, and some to follow them without another look.
    async fn claim(&mut self) -> store::Result<usize> {
        let most = self.most_running() + 2 * self.reader.settings.max_concurrent;
        let room = most.saturating_sub(self.running.len() + self.ahead.len());
        if room == 0 {
            return Ok(0);
        }
        let (now, token) = (self.reader.clock.now(), LeaseToken::new());
        let claim = Claim {
            now,
            lease_until: now + self.reader.lease(),
            token,
            most: i64::try_from(room).unwrap_or(i64::MAX),
            per_host: i64::try_from(self.reader.settings.host_concurrency).unwrap_or(i64::MAX),
            kinds: self.reader.fetchers.kinds(),
        };
        let claimed = feeds::claim(&self.reader.db, &claim).await?;
        let count = claimed.len();
        self.ahead.extend(claimed.into_iter().map(|feed| Fetch { feed, token, started_at: now }));
        Ok(count)
    }

    /// While answers wait to be stored, as many others ask: neither the network nor the database stands idle.
    fn most_running(&self) -> usize {
        3 * self.reader.settings.max_concurrent
    }

    /// Starts what was claimed, as far as there is room.
    fn start(&mut self) {
        while self.running.len() < self.most_running() {
            let Some(fetch) = self.ahead.pop_front() else { break };
            let (reader, stop) = (self.reader.clone(), self.stop.clone());
            let asking = Arc::clone(&self.asking);
            self.running.spawn(async move { run(&reader, fetch, &asking, &stop).await });
        }
    }

    async fn until_due(&self) -> Duration {
        let longest = self.reader.settings.longest_sleep;
        match feeds::next_due_at(&self.reader.db, self.reader.fetchers.kinds()).await {
            Ok(Some(at)) => (at - self.reader.clock.now()).to_std().unwrap_or(HOSTS_BUSY).max(HOSTS_BUSY).min(longest),
            Ok(None) => longest,
            Err(_) => BROKEN,
        }
    }

    /// Until a fetch ends, a feed is added, the time has come, or it is time to stop.
    async fn wait(&mut self, pause: Duration, woken: &mut watch::Receiver<()>) {
        if pause.is_zero() && self.running.len() < self.most_running() {
            return;
        }
        let pause = if pause.is_zero() { self.reader.settings.longest_sleep } else { pause };
        tokio::select! {
            () = self.stop.cancelled() => {}
            // Nobody sends any more only when the process ends.
            _ = woken.changed() => {}
            Some(_) = self.running.join_next() => {}
            () = tokio::time::sleep(pause) => {}
        }
    }

    async fn wind_down(mut self) {
        let now = self.reader.clock.now();
        for fetch in self.ahead.drain(..) {
            hand_back(&self.reader, &fetch, now).await;
        }
        while self.running.join_next().await.is_some() {}
        self.reader.flush_fetch_stats().await;
    }
}

/// One fetch. When it is time to stop, what has not been answered is given up; what is being stored is stored.
async fn run(reader: &Reader, fetch: Fetch, asking: &Semaphore, stop: &CancellationToken) {
    let ended = reader.fetch(&fetch, asking, stop).await;
    match ended {
        Ok(Some(_)) => {}
        Ok(None) => hand_back(reader, &fetch, reader.clock.now()).await,
        Err(error) => {
            tracing::warn!(feed_id = %fetch.feed.id, %error, "the outcome of a fetch could not be stored; it is fetched again later");
        }
    }
}

async fn hand_back(reader: &Reader, fetch: &Fetch, now: DateTime<Utc>) {
    if let Err(error) = feeds::release(&reader.db, fetch.feed.id, fetch.token, now).await {
        tracing::warn!(feed_id = %fetch.feed.id, %error, "could not hand a feed back; it is fetched when its lease ends");
    }
}

#[cfg(test)]
mod tests {
    use store::Clock;
    use testkit::TestDb;
    use tokio::time::Instant;

    use super::*;
    use crate::ReaderSettings;

    #[tokio::test]
    async fn without_feeds_it_sleeps_as_long_as_the_operator_says() {
        let db = TestDb::sqlite().await;
        let longest_sleep = Duration::from_secs(10 * 60);
        let settings = ReaderSettings { longest_sleep, ..ReaderSettings::default() };
        let client = net::Client::new(net::ClientSettings::default()).unwrap();
        let reader = Reader::new(db.db(), client, Clock::system(), settings);
        let mut woken = db.db().signals().subscribe(Topic::Feeds);
        let mut scheduler = Scheduler::new(&reader, CancellationToken::new());
        let pause = scheduler.look().await;
        assert_eq!(pause, longest_sleep);
        tokio::time::pause();
        let begun = Instant::now();
        scheduler.wait(pause, &mut woken).await;
        assert!(begun.elapsed() >= longest_sleep, "{:?}", begun.elapsed());
    }
}
