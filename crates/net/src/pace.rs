//! Limits background requests to a host: how many at once, and the gap between two starts. First come, first served.
//!
//! One [`Pace`] is shared by all clones of a client. A slow host delays only its own queue.

#[cfg(test)]
mod tests;

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, sleep_until};

/// The queues of all hosts.
#[derive(Clone)]
pub(crate) struct Pace {
    shared: Arc<Shared>,
}

struct Shared {
    concurrency: usize,
    gap: Duration,
    hosts: Mutex<Hosts>,
}

#[derive(Default)]
struct Hosts {
    by_name: HashMap<String, Host>,
    /// Unused hosts, with the time at which their entry may be removed. The gap is the same for all hosts, so the front has
    /// the earliest time, give or take a few gaps.
    idle: VecDeque<(Instant, String)>,
}

struct Host {
    turns: Arc<Semaphore>,
    next_start_at: Instant,
    /// Requests that wait for a turn or have one.
    users: usize,
}

impl Pace {
    pub(crate) fn new(concurrency: usize, gap: Duration) -> Self {
        let concurrency = concurrency.clamp(1, Semaphore::MAX_PERMITS);
        Self { shared: Arc::new(Shared { concurrency, gap, hosts: Mutex::default() }) }
    }

    /// Waits for a turn at a host. The turn ends when it is dropped. Dropping the future gives up the place in the queue.
    pub(crate) async fn turn(&self, host: &str) -> Turn {
        let (visit, turns) = self.arrive(host);
        // The semaphore is never closed, so there is always a permit in the end.
        let permit = turns.acquire_owned().await.ok();
        // No await between the permit and the start time: permits are given in order, and so are the times.
        let start_at = visit.reserve_start();
        // The timer rounds up to a millisecond; skip it for a free host.
        if start_at > Instant::now() {
            sleep_until(start_at).await;
        }
        Turn { _permit: permit, _visit: visit }
    }

    fn arrive(&self, host: &str) -> (Visit, Arc<Semaphore>) {
        let now = Instant::now();
        let mut hosts = self.shared.lock();
        hosts.forget_idle(now);
        let entry = hosts.by_name.entry(host.to_owned()).or_insert_with(|| Host {
            turns: Arc::new(Semaphore::new(self.shared.concurrency)),
            next_start_at: now,
            users: 0,
        });
        entry.users += 1;
        (Visit { shared: Arc::clone(&self.shared), host: host.to_owned() }, Arc::clone(&entry.turns))
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Hosts> {
        self.hosts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Hosts {
    fn forget_idle(&mut self, now: Instant) {
        while self.idle.front().is_some_and(|(at, _)| *at <= now) {
            let Some((_, host)) = self.idle.pop_front() else { break };
            if self.by_name.get(&host).is_some_and(|entry| entry.users == 0 && entry.next_start_at <= now) {
                self.by_name.remove(&host);
            }
        }
    }
}

/// A turn at a host, until dropped.
pub(crate) struct Turn {
    // Dropped first, so that the next request starts before the entry could be removed.
    _permit: Option<OwnedSemaphorePermit>,
    _visit: Visit,
}

/// Keeps the entry of a host while a request waits or runs.
struct Visit {
    shared: Arc<Shared>,
    host: String,
}

impl Visit {
    fn reserve_start(&self) -> Instant {
        let now = Instant::now();
        let mut hosts = self.shared.lock();
        let Some(entry) = hosts.by_name.get_mut(&self.host) else { return now };
        let start_at = entry.next_start_at.max(now);
        entry.next_start_at = start_at + self.shared.gap;
        start_at
    }
}

impl Drop for Visit {
    fn drop(&mut self) {
        let now = Instant::now();
        let mut hosts = self.shared.lock();
        let Some(entry) = hosts.by_name.get_mut(&self.host) else { return };
        entry.users -= 1;
        if entry.users == 0 {
            // The entry stays for one gap after the last start, or the gap would not hold for the next request.
            let forget_at = entry.next_start_at.max(now);
            let host = std::mem::take(&mut self.host);
            hosts.idle.push_back((forget_at, host));
        }
        hosts.forget_idle(now);
    }
}
