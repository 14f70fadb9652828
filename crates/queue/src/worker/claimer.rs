//! Takes jobs: as many as there are free slots, and more only while they are short.

use std::{collections::HashMap, sync::Arc, time::Duration};

use chrono::{DateTime, Utc};
use store::{
    LeaseToken, Topic,
    jobs::{self, Claim, Due},
};
use tokio::time::Instant;

use super::Shared;
use crate::{handler::Registered, time::later};

/// The most jobs held ahead of the slots. Beyond this a batch gains nothing.
const MOST_AHEAD: usize = 512;
/// A batch that was used up faster than this could have been larger.
const SHORT: Duration = Duration::from_millis(100);
/// A batch that lasted longer than this kept jobs from idle workers.
const LONG: Duration = Duration::from_millis(500);
/// The pause after a failure of the database, doubling up to the most.
const FIRST_PAUSE: Duration = Duration::from_millis(200);
const MOST_PAUSE: Duration = Duration::from_secs(10);
/// So many times longer it waits while signals of other processes arrive. They can still be lost, with the process that sends them.
const PATIENCE: u32 = 5;

/// What a look at the queue brought.
struct Round {
    taken: usize,
    /// Something due may be left.
    more: bool,
    /// The next job that is not due yet.
    next_due: Option<DateTime<Utc>>,
}

pub(super) async fn run(shared: Arc<Shared>) {
    let mut claimer = Claimer { ahead: 0, full_at: None, lanes: HashMap::new(), shared };
    let mut signal = claimer.shared.db.signals().subscribe(Topic::Jobs);
    let mut pause = FIRST_PAUSE;
    while !claimer.shared.stop.is_cancelled() {
        let room = claimer.room();
        if room == 0 {
            tokio::select! {
                () = claimer.shared.room.notified() => {}
                () = claimer.shared.stop.cancelled() => {}
            }
            continue;
        }
        signal.mark_unchanged();
        let wait = match claimer.round(room).await {
            Ok(round) => {
                pause = FIRST_PAUSE;
                if round.taken > 0 && round.more {
                    continue;
                }
                claimer.until_next(round.next_due)
            }
            Err(error) => {
                tracing::warn!(%error, error_kind = error.kind(), "cannot look for jobs; trying again");
                pause = (pause * 2).min(MOST_PAUSE);
                pause
            }
        };
        let freed = claimer.shared.room.notified();
        tokio::select! {
            _ = signal.changed() => {}
            () = freed => {}
            () = tokio::time::sleep(wait) => {}
            () = claimer.shared.stop.cancelled() => {}
        }
    }
}

struct Claimer {
    shared: Arc<Shared>,
    /// How many jobs to hold beyond the free slots: more while batches are used up fast, fewer when they last.
    ahead: usize,
    /// When the last full batch was taken, until it has been judged.
    full_at: Option<Instant>,
    /// The last lane that had its turn, by kind.
    lanes: HashMap<&'static str, String>,
}

impl Claimer {
    /// How many jobs to take now. Nothing until half of what was held ahead is used up: small claims cost as much as large ones.
    fn room(&mut self) -> usize {
        let (waiting, free) = self.shared.leases.waiting_and_free();
        if waiting > self.ahead / 2 {
            return 0;
        }
        match self.full_at.take().map(|at| at.elapsed()) {
            Some(lasted) if lasted < SHORT => {
                self.ahead = (self.ahead * 2).clamp(self.shared.settings.concurrency, MOST_AHEAD);
            }
            Some(lasted) if lasted > LONG => self.ahead /= 2,
            _ => {}
        }
        self.shared.leases.set_low_water(self.ahead / 2);
        (free + self.ahead).saturating_sub(waiting)
    }

    async fn round(&mut self, room: usize) -> store::Result<Round> {
        let now = self.shared.clock.now();
        let mut due = jobs::list_due(&self.shared.db).await?;
        due.retain(|due| self.shared.registry.contains_key(due.kind.as_str()));
        let next_due = due.iter().map(|due| due.run_at).filter(|at| *at > now).min();
        due.retain(|due| due.run_at <= now);
        due.sort_by_key(|due| (due.priority, due.run_at));
        let mut round = Round { taken: 0, more: false, next_due };
        let mut limited = Vec::new();
        for due in due {
            let left = room - round.taken;
            if left == 0 {
                round.more = true;
                break;
            }
            let Some(registered) = self.shared.registry.get(due.kind.as_str()).cloned() else { continue };
            if limited.contains(&registered.kind.name) {
                continue;
            }
            let taken = match registered.kind.limits() {
                None => self.claim(&due, left).await?,
                Some(_) => {
                    limited.push(registered.kind.name);
                    self.claim_limited(&registered, left).await?
                }
            };
            round.taken += taken;
            round.more |= taken == left;
        }
        if round.taken == room {
            self.full_at = Some(Instant::now());
        }
        Ok(round)
    }

    fn lease(&self) -> Claim {
        let now = self.shared.clock.now();
        let expires_at = later(now, self.shared.settings.lease);
        Claim { now, worker: self.shared.id.clone(), token: LeaseToken::new(), expires_at }
    }

    async fn claim(&mut self, due: &Due, most: usize) -> store::Result<usize> {
        let claim = self.lease();
        let jobs = jobs::claim(&self.shared.db, &claim, &due.kind, due.priority, count(most)).await?;
        Ok(self.hold(jobs, &claim))
    }

    async fn claim_limited(&mut self, registered: &Registered, most: usize) -> store::Result<usize> {
        let Some(limits) = registered.kind.limits() else { return Ok(0) };
        let claim = self.lease();
        let name = registered.kind.name;
        let after = self.lanes.get(name).cloned().unwrap_or_default();
        let (jobs, last) = jobs::claim_limited(&self.shared.db, &claim, name, limits, count(most), &after).await?;
        self.lanes.insert(name, last);
        Ok(self.hold(jobs, &claim))
    }

    fn hold(&self, jobs: Vec<jobs::ClaimedJob>, claim: &Claim) -> usize {
        let taken = jobs.len();
        if taken > 0 {
            self.shared.leases.add(jobs, claim);
        }
        taken
    }

    /// How long to sleep: until the next job is due, at most the poll time, which is spread so that workers do not look in step.
    fn until_next(&self, next_due: Option<DateTime<Utc>>) -> Duration {
        let patience = if self.shared.db.signals().is_listening() { PATIENCE } else { 1 };
        let poll = (self.shared.settings.poll * patience).mul_f64(0.75 + rand::random::<f64>() / 2.0);
        let due = next_due.map(|at| (at - self.shared.clock.now()).to_std().unwrap_or_default());
        due.map_or(poll, |due| due.min(poll))
    }
}

fn count(most: usize) -> i64 {
    i64::try_from(most).unwrap_or(i64::MAX)
}
