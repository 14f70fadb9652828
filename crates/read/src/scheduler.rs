//! Fetching feeds as they become due, in any number of processes: claim, fetch, compare, store.

use std::{collections::VecDeque, sync::Arc, time::Duration};

use chrono::TimeDelta;
use store::{
    LeaseToken, Topic,
    feeds::{self, Claim},
};
use tokio::{
    sync::{
        Notify, OwnedSemaphorePermit, Semaphore,
        mpsc::{self, UnboundedSender},
        watch,
    },
    task::JoinSet,
};
use tokio_util::sync::CancellationToken;

use crate::{
    Reader,
    fetch::{Fetch, Unstored, store_in_batches},
};

/// The pause after a claim that found only feeds of busy hosts.
const HOSTS_BUSY: Duration = Duration::from_millis(250);
/// The pause after an error of the database.
const DATABASE_PAUSE: Duration = Duration::from_secs(5);
/// The longest lease: far below the time from which a feed counts as planned by a wrong clock.
const MAX_LEASE: TimeDelta = TimeDelta::hours(12);

/// The scheduler of one process.
struct Scheduler {
    reader: Reader,
    stop: CancellationToken,
    /// The running fetches, and the task that stores their outcomes.
    tasks: JoinSet<()>,
    /// Limits concurrent requests. Other fetches wait for their turn to ask, or to be stored.
    asking: Arc<Semaphore>,
    slots: Slots,
    outcomes: UnboundedSender<Unstored>,
    /// Claimed and not started: one claim for several feeds is much cheaper than one for each.
    ahead: VecDeque<Fetch>,
}

/// Limits the fetches from start to stored outcome, and with them the documents in memory.
struct Slots {
    max: usize,
    free: Arc<Semaphore>,
    /// Notified when a slot becomes free.
    freed: Arc<Notify>,
}

/// One fetch, until its outcome is stored.
pub(crate) struct Slot {
    permit: Option<OwnedSemaphorePermit>,
    freed: Arc<Notify>,
}

impl Slots {
    fn new(max: usize) -> Slots {
        Slots { max, free: Arc::new(Semaphore::new(max)), freed: Arc::default() }
    }

    fn take(&self) -> Option<Slot> {
        let permit = Arc::clone(&self.free).try_acquire_owned().ok();
        permit.map(|permit| Slot { permit: Some(permit), freed: Arc::clone(&self.freed) })
    }

    fn in_use(&self) -> usize {
        self.max - self.free.available_permits()
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        // The slot is free before the scheduler looks.
        drop(self.permit.take());
        self.freed.notify_one();
    }
}

impl Reader {
    /// Fetches feeds as they become due, until told to stop. Then feeds that have not answered are released.
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

    /// Fetches all feeds that are due now and stores the outcomes. Returns the number of fetches.
    pub async fn fetch_due(&self) -> store::Result<usize> {
        let mut scheduler = Scheduler::new(self, CancellationToken::new());
        let mut fetches = 0;
        loop {
            // Before the claim: an outcome that is stored after it may make its feed due again.
            let was_idle = scheduler.is_idle();
            let claimed = scheduler.claim().await?;
            fetches += claimed;
            scheduler.start();
            if claimed == 0 && was_idle {
                self.flush_fetch_stats().await;
                return Ok(fetches);
            }
            if !scheduler.is_idle() {
                scheduler.slots.freed.notified().await;
            }
        }
    }

    /// Long enough to wait for the fetches that were started before, then for a turn at the host, then to fetch and to store.
    pub(crate) fn lease(&self) -> TimeDelta {
        let lease = self.settings.fetch_timeout * 2 + self.settings.lease * 3;
        TimeDelta::from_std(lease).map_or(MAX_LEASE, |lease| lease.min(MAX_LEASE))
    }
}

impl Scheduler {
    fn new(reader: &Reader, stop: CancellationToken) -> Scheduler {
        let max_concurrent = reader.settings.max_concurrent;
        let (outcomes, receiver) = mpsc::unbounded_channel();
        let mut tasks = JoinSet::new();
        tasks.spawn(store_in_batches(reader.clone(), receiver));
        Scheduler {
            reader: reader.clone(),
            stop,
            tasks,
            asking: Arc::new(Semaphore::new(max_concurrent)),
            // While outcomes wait to be stored, as many other feeds are asked for: neither the network nor the database is idle.
            slots: Slots::new(3 * max_concurrent),
            outcomes,
            ahead: VecDeque::new(),
        }
    }

    /// Claims and starts what there is room for. Returns how long to wait if nothing happens.
    async fn look(&mut self) -> Duration {
        while self.tasks.try_join_next().is_some() {}
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
                DATABASE_PAUSE
            }
        }
    }

    /// Claims as many due feeds as may run, and some to start after them without another claim.
    async fn claim(&mut self) -> store::Result<usize> {
        let max = self.slots.max + 2 * self.reader.settings.max_concurrent;
        let room = max.saturating_sub(self.slots.in_use() + self.ahead.len());
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

    /// Starts the claimed fetches that there are slots for.
    fn start(&mut self) {
        while !self.ahead.is_empty()
            && let Some(slot) = self.slots.take()
            && let Some(fetch) = self.ahead.pop_front()
        {
            let (reader, stop) = (self.reader.clone(), self.stop.clone());
            let (asking, outcomes) = (Arc::clone(&self.asking), self.outcomes.clone());
            self.tasks.spawn(async move {
                let feed_id = fetch.feed.id;
                match reader.fetch(fetch, &asking, &stop).await {
                    // The receiver ends after all senders.
                    Ok(Some(outcome)) => drop(outcomes.send(Unstored::new(outcome, slot))),
                    Ok(None) => {}
                    Err(error) => {
                        tracing::warn!(%feed_id, %error, "a feed could not be compared with its items; it is fetched again later");
                    }
                }
            });
        }
    }

    fn is_idle(&self) -> bool {
        self.ahead.is_empty() && self.slots.in_use() == 0
    }

    async fn until_due(&self) -> Duration {
        let longest = self.reader.settings.longest_sleep;
        match feeds::next_due_at(&self.reader.db, self.reader.fetchers.kinds()).await {
            Ok(Some(at)) => (at - self.reader.clock.now()).to_std().unwrap_or(HOSTS_BUSY).max(HOSTS_BUSY).min(longest),
            Ok(None) => longest,
            Err(_) => DATABASE_PAUSE,
        }
    }

    /// Waits until a fetch is stored, a feed is added, the pause is over, or it is time to stop.
    async fn wait(&mut self, pause: Duration, woken: &mut watch::Receiver<()>) {
        if pause.is_zero() && self.slots.in_use() < self.slots.max {
            return;
        }
        let pause = if pause.is_zero() { self.reader.settings.longest_sleep } else { pause };
        tokio::select! {
            () = self.stop.cancelled() => {}
            // The sender is dropped only when the process ends.
            _ = woken.changed() => {}
            () = self.slots.freed.notified() => {}
            () = tokio::time::sleep(pause) => {}
        }
    }

    /// Releases the feeds that were not started, and stores the outcomes of the others.
    async fn wind_down(self) {
        let Scheduler { reader, mut tasks, outcomes, ahead, slots, .. } = self;
        for fetch in ahead {
            if let Err(error) = reader.release(&fetch).await {
                tracing::warn!(feed_id = %fetch.feed.id, %error, "could not release a feed; it is fetched when its lease ends");
            }
        }
        // The storing task ends with the last sender.
        drop(outcomes);
        while tasks.join_next().await.is_some() {}
        // An outcome whose feed is locked has a task of its own.
        while slots.in_use() > 0 {
            slots.freed.notified().await;
        }
        reader.flush_fetch_stats().await;
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
